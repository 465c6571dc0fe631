"""Sheets brought to the table, states written on them, bodies changed."""

from typing import Any

import pytest

from paravent.game import to_plain
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.people.character import Element
from paravent.systems.solaires.people.errors import BackupAsleep, IncompatibleBody
from paravent.systems.solaires.people.facts import MindType
from paravent.table.hotseat import Hotseat

from .crew import nadir, sheet_of, states, table


@pytest.mark.rules("SOL-100", "SOL-107")
def test_a_sheet_handed_in_waits_for_the_game_master() -> None:
    hotseat = table()
    plain = to_plain(nadir(name="Filin", points=1, max_points=2))
    number = hotseat.start("ana", "create-character", form={"ana": {"sheet": plain}})
    assert hotseat.waits_for(number) == {"maud"}
    hotseat.answer("maud", number, "agree")
    hotseat.accept("maud", number)
    assert sheet_of(hotseat, "Filin").held == (2, 2)


@pytest.mark.rules("SOL-005", "SOL-105")
def test_a_ready_made_character_is_taken_on_either_scale() -> None:
    for rescale, score in ((False, 2), (True, 3)):
        hotseat = table()
        number = hotseat.start("ana", "import-ready-made", form={"ana": {"ready": "cabestan", "rescale": rescale}})
        hotseat.answer("maud", number, "agree")
        hotseat.accept("maud", number)
        assert sheet_of(hotseat, "Cabestan").equipment[0].score == score


@pytest.mark.rules("SOL-102", "SOL-103", "SOL-104")
def test_words_of_a_description_go_to_the_sheet() -> None:
    hotseat = table()
    number = hotseat.start("ana", "extract-element", {"initiator": ["nadir"]}, {"nadir": {
        "words": "un lecteur qui lit sur les lèvres", "category": "equipment", "score": 2,
        "element_name": "Lecteur labial", "tag": "log"}})
    hotseat.accept("maud", number)
    found = sheet_of(hotseat).equipment[-1]
    assert (found.name, found.score, found.tag, found.source_text) == (
        "Lecteur labial", 2, "log", "un lecteur qui lit sur les lèvres")


# States


@pytest.mark.rules("SOL-054", "SOL-055", "SOL-106")
def test_the_game_master_writes_states() -> None:
    hotseat = table()
    number = hotseat.start("maud", "change-state", {"character": ["nadir"]},
                           {"gm": {"states_gained": "En alerte", "states_worse": ["Blessée"]}})
    hotseat.throw("maud", number)
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).states == (Element("Blessée", 3), Element("En alerte", 2))


def test_every_state_that_a_rule_writes_has_words() -> None:
    for name in ("altered_thought", "unsuited_body", "disoriented", "slowed"):
        for lang in ("fr", "en"):
            written = SYSTEM.words.find(lang, f"values.{name}")
            assert str(written).casefold() == SYSTEM.tables["states"].word(name, lang).casefold()


# Bodies


def move_into(hotseat: Hotseat, body: str, **judged: Any) -> None:
    number = hotseat.start("ana", "change-body", {"initiator": ["nadir"]},
                           {"nadir": {"destination": body, "reason": "backup"}})
    hotseat.fill("maud", number, {"identical": False, **judged})
    hotseat.accept("maud", number)


@pytest.mark.rules("SOL-151", "SOL-152", "SOL-153", "SOL-154", "SOL-155", "SOL-156")
def test_death_is_a_change_of_body_and_one_gets_used_to_it() -> None:
    hotseat = table()
    move_into(hotseat, "chimera", severe=True)
    assert sheet_of(hotseat).body == "chimera"
    assert states(hotseat) == {"Blessée": 2, "altered_thought": 2, "unsuited_body": 3}
    move_into(hotseat, "biological", familiar=True)
    assert states(hotseat) == {"Blessée": 2}
    move_into(hotseat, "replicant")
    assert states(hotseat) == {"Blessée": 2, "altered_thought": 2}
    number = hotseat.start("maud", "settle-in", {"character": ["nadir"]})
    hotseat.throw("maud", number)
    hotseat.accept("maud", number)
    assert states(hotseat) == {"Blessée": 2}


@pytest.mark.rules("SOL-151")
def test_a_human_mind_needs_emulation_to_live_in_a_robot() -> None:
    hotseat = table()
    with pytest.raises(IncompatibleBody):
        move_into(hotseat, "cybernetic", converted=False)
    move_into(hotseat, "cybernetic")
    assert sheet_of(hotseat).body == "cybernetic"


@pytest.mark.rules("SOL-155")
def test_states_of_a_body_are_known_by_their_words_too() -> None:
    hotseat = table(sheet=nadir(states=(Element("Pensée altérée", 2), Element("Unsuited body", 3))))
    move_into(hotseat, "biological", familiar=True)
    assert states(hotseat) == {}


@pytest.mark.rules("SOL-151", "SOL-160", "SOL-161")
def test_a_mind_that_leaves_all_bodies_is_another_mind_on_the_network_and_may_come_back() -> None:
    hotseat = table(sheet=nadir(psi_maintained="un voile"))
    number = hotseat.start("ana", "change-body", {"initiator": ["nadir"]},
                           {"nadir": {"destination": "infomorph", "reason": "backup"}})
    with pytest.raises(BackupAsleep):
        hotseat.fill("maud", number, {"backup_kept": "unwatched_cache", "identical": False})
    hotseat.fill("maud", number, {"backup_kept": "watched_cache", "identical": False})
    hotseat.accept("maud", number)
    sheet = sheet_of(hotseat)
    assert (sheet.mind_type, sheet.network_host, sheet.psi_maintained) == (
        MindType.NATURAL_INFOMORPHISED, "on_the_network", "")
    assert "no_organic_brain" in str(hotseat.told("eve"))
    back = hotseat.start("ana", "change-body", {"initiator": ["nadir"]}, {"nadir": {"destination": "cybernetic"}})
    hotseat.fill("maud", back, {"identical": False})
    hotseat.accept("maud", back)
    assert sheet_of(hotseat).network_host == ""
