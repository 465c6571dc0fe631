"""The implant used, misused and let go."""

from typing import Any

import pytest

from paravent.game import Ask
from paravent.game.asking import field_facts
from paravent.systems.solaires.psi.errors import AlreadyMaintaining, NoImplant
from paravent.systems.solaires.psi.moves import USE
from paravent.table.hotseat import Hotseat

from .crew import SEATS, evening, nadir, sheet_of, table, told


def psi(hotseat: Hotseat, use: str, perceived: bool = True, **about: Any) -> int:
    number = hotseat.start("ana", "use-psi-power", {"initiator": ["nadir"]},
                           {"nadir": {**({"goal": "fouiller"} if use != "perception" else {}), "use": use,
                                      "object": "le coffre", **about}})
    hotseat.fill("maud", number, {"perceived": perceived, "true_target": "" if perceived else "la valise"})
    return number


def exert(hotseat: Hotseat, number: int) -> None:
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Implant psi"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")


@pytest.mark.rules("SOL-145")
def test_somebody_whose_sheet_does_not_say_is_believed_to_let_go() -> None:
    hotseat = table()
    number = hotseat.start("maud", "release-psi-effect", {"initiator": ["guard"]})
    assert told(hotseat) == ["told_released"]
    assert hotseat.state.move(number).phase != "open"


@pytest.mark.rules("SOL-141", "SOL-145", "SOL-146")
def test_an_effect_is_held_until_it_is_released_and_shuts_out_the_others() -> None:
    hotseat = table(1, 1, 6, sheet=nadir())
    number = psi(hotseat, "maintained", effect="le coffre caché")
    exert(hotseat, number)
    hotseat.fill("maud", number, {"description": "."})
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).psi_maintained == "le coffre caché"
    with pytest.raises(AlreadyMaintaining):
        psi(hotseat, "one_off")
    psi(hotseat, "perception")
    number = hotseat.start("ana", "release-psi-effect", {"initiator": ["nadir"]})
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).psi_maintained == ""


@pytest.mark.rules("SOL-144", "SOL-146")
def test_while_an_effect_is_held_a_perception_alone_is_offered_and_asks_what_is_perceived() -> None:
    hotseat = table(sheet=nadir(psi_maintained="un voile"))
    number = hotseat.start("ana", "use-psi-power", {"initiator": ["nadir"]})
    assert field_facts(USE, hotseat.turn("ana").at(number).context(hotseat.system)).options == ["perception"]
    assert hotseat.waits_for(number) == {"ana"}
    assert told(hotseat) == []
    hotseat.fill("ana", number, {"sensed": "la porte"})
    assert told(hotseat) == ["told_perceives"]
    assert hotseat.waits_for(number) == {"maud"}


@pytest.mark.rules("SOL-144")
def test_a_perception_asks_the_game_master_for_no_verdict_and_no_stakes() -> None:
    hotseat = evening()
    number = hotseat.start("ana", "use-psi-power", {"initiator": ["nadir"]}, {"nadir": {"use": "perception"}})
    ctx = hotseat.turn("maud").at(number).context(hotseat.system)
    asked = {field.id for step in hotseat.moves[number].move.steps if isinstance(step, Ask)
             for field in step.fields if field.applies(ctx)}
    assert not asked & {"goal", "method", "on_success", "on_failure", "verdict", "intrinsic"}
    hotseat.fill("ana", number, {"sensed": "la porte"})
    assert (told(hotseat), hotseat.waits_for(number)) == (["told_perceives"], {"maud"})
    hotseat.fill("maud", number, {"description": "Elle vibre."})
    assert hotseat.moves[number].phase == "closed"


@pytest.mark.rules("SOL-144", "SOL-145", "SOL-148")
@pytest.mark.parametrize("use", ["one_off", "maintained"])
def test_a_plain_success_ends_by_itself_and_its_end_tells_nobody_what_was_truly_touched(use: str) -> None:
    seen = []
    for perceived, target in ((True, ""), (False, ""), (False, "la valise")):
        hotseat = evening(1, 1, 6)
        number = psi(hotseat, use, effect="le coffre caché")
        hotseat.fill("maud", number, {"perceived": perceived, "true_target": target})
        hotseat.fill("maud", number, {"intrinsic": "complex"})
        hotseat.fill("ana", number, {"element": "Implant psi"})
        hotseat.throw("ana", number)
        assert hotseat.moves[number].phase == "closed"
        assert sheet_of(hotseat).psi_maintained == ("le coffre caché" if use == "maintained" else "")
        assert ("told_true_target" in told(hotseat, "maud")) == bool(target)
        assert ("psi_another_object" in told(hotseat, "maud")) == (not perceived and not target)
        seen.append([(hotseat.seen(seat), told(hotseat, seat)) for seat in SEATS if seat != "maud"])
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.rules("SOL-140", "SOL-141")
def test_without_an_implant_there_is_nothing_to_use() -> None:
    hotseat = table(sheet=nadir(equipment=(), psi_power_set=""))
    with pytest.raises(NoImplant):
        psi(hotseat, "one_off")


@pytest.mark.rules("SOL-140", "SOL-146", "SOL-148")
def test_no_verdict_lets_an_implant_do_what_it_cannot() -> None:
    hotseat = table(sheet=nadir(psi_maintained="un voile"))
    with pytest.raises(AlreadyMaintaining):
        hotseat.start("maud", "use-psi-power", {"initiator": ["nadir"]},
                      {"nadir": {"use": "maintained"}, "gm": {"verdict": "trivial"}})


@pytest.mark.rules("SOL-148")
@pytest.mark.parametrize("cause", ["perception_missed", "effort_missed", "misjudged"])
def test_the_game_master_names_the_cause_of_a_failure(cause: str) -> None:
    hotseat = table(6, 6, 6)
    number = psi(hotseat, "one_off")
    exert(hotseat, number)
    assert hotseat.waits_for(number) == {"maud"}
    hotseat.fill("maud", number, {"failure_cause": cause})
    hotseat.fill("maud", number, {"description": "."})
    hotseat.accept("maud", number)
    assert any(key.startswith("told_psi_") for key in told(hotseat))


@pytest.mark.rules("SOL-148")
def test_an_accident_is_that_of_the_power_set() -> None:
    hotseat = table(6, 6, 6)
    number = psi(hotseat, "one_off")
    exert(hotseat, number)
    hotseat.fill("maud", number, {"failure_cause": "misjudged"})
    for seat in SEATS:
        assert "accident_information" in str(hotseat.told(seat))
    assert "told_benchmark" in told(hotseat, "maud")
    assert "told_benchmark" not in told(hotseat, "ana")
