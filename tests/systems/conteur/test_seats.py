"""What is hidden stays hidden: each move with a secret, read by game master, owner, player and spectator."""

from typing import Any

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import GM_ONLY, ParaventError
from paravent.game.errors import UnknownName
from paravent.game.telling import Teller
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.facts import HUMAN_PARTS, SkillField
from paravent.systems.conteur.people.character import Character, Skill
from paravent.table.hotseat import Hotseat
from seats import NOT_THEIRS, hidden_from, move_seen, moves_seen, page

SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}
OTHERS = ("cleo", "sam")
PLAYERS = ("bob", "cleo", "sam")


def table(*faces: int, **options: str) -> Hotseat:
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    tir, parler = Skill(SkillField.ACTIONS, "Tir", 3), Skill(SkillField.INTERACTIONS, "Parler", 3)
    hotseat.add("sacha", Character(name="Sacha", skills=(tir, parler), luck=3, luck_used=1), owner="bob")
    hotseat.add("alix", Character(name="Alix", skills=(tir,), luck=0), owner="cleo")
    hotseat.add("guard", Character(name="Garde", skills=(tir,), luck=0, dexterity=7), audience=GM_ONLY)
    hotseat.add("envoy", Character(name="Envoyée", skills=(tir, parler), luck=0, mental=7))
    return hotseat


def test_a_roll_that_an_earlier_version_kept_is_said_without_what_it_did_not_keep() -> None:
    teller = Teller("fr", SYSTEM)
    for key, what in (("told_roll", {"what": "Tir"}), ("told_roll_level", {})):
        said = teller.say(f"outcomes.{key}", initiator="Théa", n=2, raw=3, level="success", **what)
        assert said.startswith("Théa obtient 2 succès")
        assert "{" not in said


# A hidden difficulty


def hidden_roll(hotseat: Hotseat, difficulty: int) -> int:
    number = hotseat.start("ana", "throw", {"initiator": ["sacha"]},
                           {"gm": {"hidden": True, "hidden_difficulty": difficulty}})
    hotseat.fill("bob", number, {"attribute": "dexterity", "skill": "Tir", "luck": 0})
    return number


@pytest.mark.rules("D10-007")
def test_a_hidden_difficulty_is_read_by_the_game_master_alone() -> None:
    hotseat = table(2, 9, 8)
    number = hidden_roll(hotseat, 3)
    assert move_seen(hotseat, "ana")["fields"]["gm"]["hidden_difficulty"] == 3
    for seat in PLAYERS:
        assert "hidden_difficulty" not in page(hotseat, seat)
    hotseat.throw("bob", number)
    throw = move_seen(hotseat, "ana")["throws"][0]
    assert (throw["outcome"], throw["result"]["passed"]) == ("failure", False)
    for seat in PLAYERS:
        throw = move_seen(hotseat, seat)["throws"][0]
        assert [dice["faces"] for dice in throw["dice"]] == [[2, 9, 8]]
        assert throw.keys().isdisjoint({"outcome", "result", "why"})
        told = hotseat.told(seat)
        assert [line.key for line in told] == ["outcomes.told_roll_alone"]
        assert (told[0].values["n"], told[0].values["raw"], "level" in told[0].values) == (1, 1, False)


@pytest.mark.rules("D10-007")
def test_nothing_a_player_sees_depends_on_the_hidden_difficulty() -> None:
    views = []
    for difficulty in (1, 2, 3, 9):
        hotseat = table(1, 9, 8, 4)
        number = hidden_roll(hotseat, difficulty)
        seen: list[Any] = [hotseat.odds(seat, number) for seat in PLAYERS]
        hotseat.throw("bob", number)
        seen += [page(hotseat, seat) for seat in PLAYERS]
        hotseat.answer("bob", number, {"dice": [2]})
        seen += [page(hotseat, seat) for seat in PLAYERS]
        hotseat.accept("ana", number)
        views.append(seen + [page(hotseat, seat) for seat in PLAYERS])
    assert all(view == views[0] for view in views)


@pytest.mark.rules("D10-007", "D10-030")
@pytest.mark.parametrize(("faces", "answers"), [((1, 9, 8, 10, 1, 4), []), ((7, 8, 9, 1, 1, 1), ["luck"])])
def test_nor_does_what_is_done_for_a_player_who_says_nothing(faces: tuple[int, ...], answers: list[str]) -> None:
    views = []
    for difficulty in (1, 2, 3, 9):
        hotseat = table(*faces)
        number = hotseat.start("ana", "throw", {"initiator": ["sacha"]},
                               {"gm": {"hidden": True, "hidden_difficulty": difficulty}})
        hotseat.fill("bob", number, {"attribute": "dexterity", "skill": "Tir"})
        hotseat.throw("bob", number)
        for answer in answers:
            hotseat.answer("bob", number, answer)
        seen = []
        while hotseat.moves[number].pending is not None:
            hotseat.close("ana", number)
            seen += [page(hotseat, seat) for seat in PLAYERS]
        views.append(seen)
    assert views[0]
    assert all(view == views[0] for view in views)


@pytest.mark.rules("D10-007")
def test_odds_are_shown_for_likely_difficulties_and_never_for_the_true_one() -> None:
    hotseat = table()
    number = hidden_roll(hotseat, 9)
    likely = hotseat.odds("bob", number)
    assert likely is not None
    # Nobody stops at a difficulty they do not know: every right is used.
    assert {value: chance.chance(lambda r: r.passed) for value, chance in likely.items()} == {
        1: session_chance(1), 2: session_chance(2), 3: session_chance(3)}
    true = hotseat.odds("ana", number)
    assert true is not None
    assert true[None].chance(lambda r: r.passed) == 0


def session_chance(difficulty: int) -> Any:
    hotseat = table()
    number = hotseat.start("ana", "throw", {"initiator": ["sacha"]}, {"gm": {"difficulty": difficulty}})
    hotseat.fill("bob", number, {"attribute": "dexterity", "skill": "Tir", "luck": 0})
    shown = hotseat.odds("bob", number, "all")
    assert shown is not None
    return shown[None].chance(lambda r: r.passed)


@pytest.mark.rules("D10-007")
def test_a_hidden_difficulty_begins_no_complex_action_that_would_tell_it() -> None:
    hotseat = table(2, 9, 8)
    number = hidden_roll(hotseat, 2)
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    assert not hotseat.encounters
    assert hotseat.records["sacha"].record.complex_action is None


# A throw in secret


@pytest.mark.rules("D10-001", "D10-002")
def test_a_secret_throw_does_not_exist_for_anybody_else() -> None:
    hotseat = table(1, 9, 8, 10)
    before = {seat: page(hotseat, seat) for seat in PLAYERS}
    number = hotseat.start("ana", "throw", {"initiator": ["guard"]}, {"gm": {"secret": True}})
    hotseat.fill("ana", number, {"attribute": "dexterity", "skill": "Tir"})
    hotseat.throw("ana", number)
    assert {seat: page(hotseat, seat) for seat in PLAYERS} == before
    hotseat.answer("ana", number, {"dice": [2]})
    assert {seat: page(hotseat, seat) for seat in PLAYERS} == before
    assert move_seen(hotseat, "ana")["phase"] == "closed", "there is nothing to apply"
    assert move_seen(hotseat, "ana")["throws"][0]["outcome"] == "failure"
    for seat in PLAYERS:
        with pytest.raises(UnknownName):
            hotseat.odds(seat, number)


def test_a_throw_after_a_secret_one_has_the_same_number_for_a_player() -> None:
    hotseat = table(2, 2, 2, 4, 4, 4)
    secret = hotseat.start("ana", "throw", {"initiator": ["guard"]}, {"gm": {"secret": True}})
    hotseat.fill("ana", secret, {"attribute": "dexterity", "skill": "Tir"})
    hotseat.throw("ana", secret)
    hotseat.start("cleo", "throw", {"initiator": ["alix"]}, {"alix": {"attribute": 5, "skill": "Tir"}})
    assert move_seen(hotseat, "cleo")["number"] == 1
    assert move_seen(hotseat, "ana")["number"] == 2


# A hidden side in opposition


def hidden_duel(hotseat: Hotseat) -> int:
    number = hotseat.start("bob", "hidden-opposed-roll", {"initiator": ["sacha"], "opponent": ["envoy"]},
                           {"sacha": {"attribute": "social", "skill": "Parler", "luck": 0}})
    hotseat.fill("ana", number, {"attribute": "mental", "skill": "Parler", "energy_dice": 1}, "envoy")
    return number


@pytest.mark.rules("D10-023", "D10-024")
def test_the_hidden_side_of_an_opposition_is_shown_once_both_are_done() -> None:
    hotseat = table(2, 3, 9, 1, 4, 8, 9, 7)
    number = hidden_duel(hotseat)
    assert move_seen(hotseat, "ana")["fields"]["envoy"]["attribute"] == "mental"
    for seat in PLAYERS:
        assert "envoy" not in move_seen(hotseat, seat)["fields"]
        assert hotseat.odds(seat, number) is None
    assert hotseat.odds("ana", number) is not None
    hotseat.throw("bob", number)
    assert [dice["role"] for dice in move_seen(hotseat, "ana")["throws"][0]["dice"]] == ["initiator", "opponent"]
    assert [dice["faces"] for dice in move_seen(hotseat, "bob")["throws"][0]["dice"]] == [[2, 3, 9]]
    for seat in OTHERS:
        assert not move_seen(hotseat, seat)["throws"][0].get("dice")
    for seat in PLAYERS:
        assert "choice" not in move_seen(hotseat, seat)
        with pytest.raises(NOT_THEIRS[SEATS[seat]]):
            hotseat.answer(seat, number, "stop")
    hotseat.answer("ana", number, {"dice": [3]})
    for seat in SEATS:
        throw = move_seen(hotseat, seat)["throws"][0]
        assert [dice["role"] for dice in throw["dice"]] == ["initiator", "opponent", "opponent"]
        assert throw["outcome"] == "opponent_wins"


@pytest.mark.rules("D10-023")
def test_against_a_hidden_side_ones_own_dice_are_weighed_alone() -> None:
    seen = []
    for dice in (0, 1):
        hotseat = table()
        number = hotseat.start("bob", "hidden-opposed-roll", {"initiator": ["sacha"], "opponent": ["envoy"]},
                               {"sacha": {"attribute": "social", "skill": "Parler", "luck": 0}})
        hotseat.fill("ana", number, {"attribute": "mental", "skill": "Parler", "energy_dice": dice}, "envoy")
        seen.append(hotseat.odds_alone("bob", number))
        assert [hotseat.odds_alone(seat, number) for seat in ("ana", *OTHERS)] == [None] * 3
    found = seen[0]
    assert found is not None
    _, weighed = found
    assert set(weighed) == {None}
    assert weighed[None].chance(lambda side: side.total >= 1) > 0
    assert seen[0] == seen[1]


@pytest.mark.rules("D10-023")
def test_an_open_opposition_is_open_to_all() -> None:
    hotseat = table(2, 3, 9, 8, 4, 9)
    number = hotseat.start("bob", "opposed-roll", {"initiator": ["sacha"], "opponent": ["alix"]},
                           {"sacha": {"attribute": "dexterity", "skill": "Tir", "luck": 0}})
    hotseat.fill("cleo", number, {"attribute": "dexterity", "skill": "Tir"})
    assert hotseat.odds("cleo", number) is not None
    hotseat.throw("bob", number)
    for seat in SEATS:
        assert move_seen(hotseat, seat)["throws"][0]["outcome"] == "initiator_wins"


# Luck


@pytest.mark.rules("D10-034")
def test_a_silent_refund_is_seen_by_nobody_but_on_the_owner_s_own_sheet() -> None:
    hotseat = table()
    before = {seat: page(hotseat, seat) for seat in OTHERS}
    number = hotseat.start("ana", "refund-luck", {"character": ["sacha"]}, {"gm": {"points": 1, "silent": True}})
    owner = page(hotseat, "bob")
    hotseat.throw("ana", number)
    assert page(hotseat, "bob") == owner
    hotseat.accept("ana", number)
    assert {seat: page(hotseat, seat) for seat in OTHERS} == before
    assert hotseat.seen("bob")["records"]["sacha"]["sheet"]["luck_used"] == 0
    assert moves_seen(hotseat, "bob") == hotseat.told("bob") == []
    assert move_seen(hotseat, "ana")["throws"][0]["outcome"] == "refunded"


@pytest.mark.rules("D10-034")
def test_a_refund_aloud_is_heard_by_all_and_what_is_left_by_the_owner() -> None:
    hotseat = table()
    number = hotseat.start("ana", "refund-luck", {"character": ["sacha"]}, {"gm": {"points": 1}})
    hotseat.throw("ana", number)
    hotseat.accept("ana", number)
    for seat in SEATS:
        keys = [line.key for line in hotseat.told(seat)]
        assert keys == ["outcomes.refunded"] + (["outcomes.told_luck"] if seat in ("ana", "bob") else [])
    for seat in OTHERS:
        assert "luck_used" not in hotseat.seen(seat)["records"]["sacha"]["sheet"]


@pytest.mark.rules("D10-029", "D10-030")
def test_nobody_else_learns_how_much_luck_is_left() -> None:
    views = []
    for used in (1, 3):
        hotseat = table(2, 8, 9)
        shooter = Character(name="Sacha", skills=(Skill(SkillField.ACTIONS, "Tir", 3),), luck=3, luck_used=used)
        hotseat.add("sacha", shooter, owner="bob")
        number = hotseat.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
        views.append([page(hotseat, seat) for seat in OTHERS]
                     + [hotseat.odds(seat, number, policy) for seat in OTHERS for policy in ("usual", "best")])
    assert views[0] == views[1]
    shown = hotseat.odds("cleo", number)
    assert shown is not None
    assert list(shown) == [None]


@pytest.mark.rules("D10-030")
def test_only_the_owner_is_asked_about_rights_and_luck() -> None:
    hotseat = table(1, 8, 9)
    number = hotseat.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    hotseat.throw("bob", number)
    assert move_seen(hotseat, "bob")["choice"]["options"] == ["stop", ["failure"], "luck"]
    for seat in OTHERS:
        assert "choice" not in move_seen(hotseat, seat)
        with pytest.raises(NOT_THEIRS[SEATS[seat]]):
            hotseat.answer(seat, number, "stop")


@pytest.mark.rules("D10-033", "D10-046")
def test_a_wound_waits_for_its_victim_and_for_nobody_else() -> None:
    hotseat = table()
    number = hotseat.start("ana", "inflict-wound", {"victim": ["sacha"]}, {"gm": {"part": "left_arm", "levels": 2}})
    assert [move_seen(hotseat, seat)["waits_for"] for seat in SEATS] == [["bob"]] * 4
    for seat in OTHERS:
        with pytest.raises(NOT_THEIRS[SEATS[seat]]):
            hotseat.fill(seat, number, {"avoid": 1})
    hotseat.fill("bob", number, {"avoid": 1})
    hotseat.accept("ana", number)
    for seat in SEATS:
        assert hotseat.seen(seat)["records"]["sacha"]["sheet"]["wounds"]["left_arm"] == 1
        shown = {change["path"] for change in move_seen(hotseat, seat)["changes"]}
        assert ("luck_used" in shown) == (seat in ("ana", "bob"))


# What a sheet keeps, and whoever is hidden


def test_the_notes_of_a_sheet_are_its_owner_s_and_the_game_master_s() -> None:
    hotseat = table()
    hotseat.add("sacha", Character(name="Sacha", notes="doit tout à la reine"), owner="bob")
    for seat in ("ana", "bob"):
        assert "la reine" in page(hotseat, seat)
    hidden_from(hotseat, OTHERS, "la reine")
    for seat in OTHERS:
        assert "notes" not in hotseat.seen(seat)["records"]["sacha"]["sheet"]


@pytest.mark.rules("D10-023", "D10-040")
def test_nothing_of_a_hidden_opponent_is_told_by_what_is_asked_or_thrown_not_even_a_wound() -> None:
    """Two tables differ only by the hidden guard: sound, or hardly standing. The others are sent the same."""
    views = []
    tir = Skill(SkillField.ACTIONS, "Tir", 3)
    for guard in (Character(name="Garde", skills=(tir,), luck=0),
                  Character(name="Garde", skills=(tir,), luck=4, energy=20, replaced=("right_leg",),
                            wounds={**dict.fromkeys(HUMAN_PARTS, 0), "left_arm": 2, "torso": 1})):
        hotseat = table(2, 3, 9)
        hotseat.add("guard", guard, audience=GM_ONLY)
        number = hotseat.start("ana", "opposed-roll", {"initiator": ["sacha"], "opponent": ["guard"]},
                               {"guard": {"attribute": "dexterity", "skill": "Tir"}})
        before = [page(hotseat, seat) for seat in PLAYERS]
        hotseat.fill("bob", number, {"attribute": "dexterity", "skill": "Tir", "luck": 0})
        views.append(before + [page(hotseat, seat) for seat in PLAYERS]
                     + [hotseat.odds(seat, number) for seat in PLAYERS])
        hidden_from(hotseat, PLAYERS, "Garde", "guard")
    assert views[0] == views[1]


@pytest.mark.rules("D10-046")
def test_a_wound_of_somebody_hidden_happens_for_nobody_else() -> None:
    hotseat = table()
    before = [page(hotseat, seat) for seat in PLAYERS]
    number = hotseat.start("ana", "inflict-wound", {"victim": ["guard"]}, {"gm": {"part": "left_arm", "levels": 2}})
    hotseat.accept("ana", number)
    assert [page(hotseat, seat) for seat in PLAYERS] == before
    assert hotseat.seen("ana")["records"]["guard"]["sheet"]["wounds"]["left_arm"] == 2


# Refusals change nothing


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        ({"energy_dice": 2}, "D10-062"),
        ({"dice": 4}, "D10-004"),
        ({"dice": 0}, "D10-004"),
        ({"luck": 3}, "D10-030"),
        ({"skill": "Parler", "counterpart": ""}, "D10-038"),
        ({"attribute": "luck"}, "D10-029"),
    ],
)
def test_a_refusal_names_its_rule_and_changes_nothing(form: dict[str, Any], rule: str) -> None:
    hotseat = table(5, 5, 5)
    number = hotseat.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    before = {seat: page(hotseat, seat) for seat in SEATS}
    refusal = refused(hotseat.fill, "bob", number, form)
    if refusal is None:  # what only the whole announcement shows to be wrong is refused when it is thrown
        before = {seat: page(hotseat, seat) for seat in SEATS}
        refusal = refused(hotseat.throw, "bob", number)
    assert refusal is not None
    assert refusal.values["rule"] == rule
    assert {seat: page(hotseat, seat) for seat in SEATS} == before
    for lang in ("fr", "en"):
        assert rule in SYSTEM.words.error(lang, refusal)


def refused(command: Any, *args: Any) -> ParaventError | None:
    try:
        command(*args)
    except ParaventError as refusal:
        return refusal
    return None
