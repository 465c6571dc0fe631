"""An evening that flows: a word of the game master's, two taps of the player's, and what is certain ends by itself."""


import pytest

from paravent.cli import facts
from paravent.game import to_plain
from paravent.game.errors import MootField, NotNow
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.element_steps import LENT, SECOND
from paravent.systems.solaires.actions.errors import OffTopic
from paravent.systems.solaires.people.character import Element
from paravent.systems.solaires.people.errors import ImplantWithoutSet, TooManyPoints
from paravent.systems.solaires.people.facts import MindType
from paravent.systems.solaires.points.errors import UseCannotAlterCharacter
from paravent.table.forms import form_seen
from paravent.table.hotseat import Hotseat

from .crew import evening, nadir, result, sheet_of, states, told


def announced(hotseat: Hotseat, **first: object) -> int:
    form = {"nadir": {"goal": "passer le mur", "element": "Grimpeuse", **first}}
    return hotseat.start("ana", "action", {"initiator": ["nadir"]}, form)


# Two taps and one


@pytest.mark.rules("SOL-026", "SOL-037", "SOL-056")
def test_an_ordinary_action_takes_two_gestures_of_the_player_s_and_one_word_of_the_game_master_s() -> None:
    hotseat = evening(1, 2, 6)
    number = announced(hotseat)
    assert hotseat.waits_for(number) == {"maud"}
    assert not any(key.startswith("told_difficulty") for key in told(hotseat, "ana"))  # nothing is told unsaid
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    assert hotseat.waits_for(number) == {"ana"}
    hotseat.throw("ana", number)
    assert hotseat.moves[number].phase == "closed"
    assert result(hotseat, number).success


@pytest.mark.rules("SOL-117", "SOL-115")
@pytest.mark.parametrize(("faces", "attitude", "asked"), [
    pytest.param((1, 2, 6), "stable", "useful", marks=pytest.mark.option("points_asked", "useful")),
    pytest.param((1, 2, 6), "stable", "always", marks=pytest.mark.option("points_asked", "always")),
    ((1, 6, 6), "stable", "useful"), ((1, 2, 3), "amplified", "useful"),
])
def test_points_stand_in_nobody_s_way_where_they_could_not_serve(
    faces: tuple[int, ...], attitude: str, asked: str,
) -> None:
    """A plain success of somebody who has points ends like anybody's; a failure or a side effect asks about them."""
    hotseat = evening(*faces, points=4, points_asked=asked)
    number = announced(hotseat, attitude=attitude)
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    hotseat.throw("ana", number)
    plain = faces == (1, 2, 6) and asked == "useful"
    assert (hotseat.moves[number].phase == "closed") == plain
    assert (hotseat.waits_for(number) == {"ana"}) != plain


@pytest.mark.rules("SOL-080", "SOL-032", "SOL-036")
def test_the_other_side_of_an_opposition_brings_in_a_second_element_that_was_offered() -> None:
    hotseat = evening(1, 1, 6, edition="v5")
    form = {"nadir": {"element": "Grimpeuse"}, "bosco": {"element": "Ivre"}}
    number = hotseat.start("maud", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]}, form)
    hotseat.fill("bob", number, {"second": "Harnais"})
    assert result(hotseat, number, "difficulty") == -2
    assert hotseat.waits_for(number) == {"ana"}
    form = {"initiator": [{"element": "Grimpeuse"}]}
    offered = SECOND.type.describe(SYSTEM.context("action", form, sheets={"initiator": nadir()})).options or []
    assert "Curieuse" in offered
    assert "Grimpeuse" not in offered  # the same does not count twice


@pytest.mark.rules("SOL-026", "SOL-015")
def test_the_element_shown_binds_nobody() -> None:
    hotseat = evening(1, 2, 6)
    number = announced(hotseat)
    hotseat.fill("maud", number, {"intrinsic": "insane"})
    hotseat.fill("ana", number, {"element": "Curieuse"})
    assert hotseat.waits_for(number) == {"ana"}  # the word stands
    hotseat.throw("ana", number)
    assert result(hotseat, number).target == 0


@pytest.mark.rules("SOL-032", "SOL-037")
@pytest.mark.option("judge_elements", "second")
@pytest.mark.parametrize("said", [{"typical": True}, {"second_typical": True}, {}])
def test_a_second_element_takes_the_game_master_s_word_that_the_action_is_typical(said: dict[str, bool]) -> None:
    hotseat = evening(1, 2, 6)  # whoever brings one in claims as much: nothing that is offered is refused
    number = announced(hotseat, second="Curieuse", **said)
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    assert hotseat.waits_for(number) == {"maud"}
    with pytest.raises(NotNow):
        hotseat.throw("ana", number)
    hotseat.answer("maud", number, "agree")
    assert hotseat.waits_for(number) == {"ana"}


@pytest.mark.rules("SOL-037")
@pytest.mark.option("judge_elements", "always")
def test_a_table_may_have_every_choice_of_elements_agreed_to() -> None:
    hotseat = evening(1, 2, 6, judge_elements="always")
    number = announced(hotseat)
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    assert hotseat.waits_for(number) == {"maud"}


@pytest.mark.rules("SOL-037", "SOL-030")
def test_an_element_ruled_out_is_changed_for_another() -> None:
    hotseat = evening(1, 2, 6)
    number = announced(hotseat)
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    hotseat.fill("maud", number, {"off_topic": ["Grimpeuse"]})
    with pytest.raises(OffTopic):
        hotseat.throw("ana", number)
    hotseat.fill("ana", number, {"element": "Curieuse"})
    hotseat.throw("ana", number)
    assert result(hotseat, number).target == 2


@pytest.mark.rules("SOL-025")
@pytest.mark.parametrize("verdict", ["trivial", "impossible", "ko"])
def test_what_needs_no_dice_ends_with_the_word_that_says_so(verdict: str) -> None:
    hotseat = evening(edition="v5")
    number = announced(hotseat)
    hotseat.fill("maud", number, {"verdict": verdict})
    assert hotseat.moves[number].phase == "closed"


@pytest.mark.rules("SOL-056", "SOL-013")
@pytest.mark.option("aftermath", "needed")
@pytest.mark.parametrize(("faces", "agreed", "attitude", "waits"), [
    ((1, 2, 6), "", "stable", False), ((6, 6, 6), "", "stable", True), ((6, 6, 6), "l'alarme sonne", "stable", False),
    ((1, 2, 3), "", "amplified", True),
])
def test_an_end_waits_for_words_only_where_something_is_left_to_say(
    faces: tuple[int, ...], agreed: str, attitude: str, waits: bool,
) -> None:
    hotseat = evening(*faces)
    number = announced(hotseat, attitude=attitude)
    hotseat.fill("maud", number, {"intrinsic": "complex", "on_failure": agreed})
    hotseat.throw("ana", number)
    assert (hotseat.moves[number].phase == "open") == waits
    assert hotseat.waits_for(number) == ({"maud"} if waits else frozenset())
    assert ("told_story" in told(hotseat)) == bool(agreed)


@pytest.mark.rules("SOL-056")
@pytest.mark.option("aftermath", "always")
def test_a_table_may_have_every_end_told() -> None:
    hotseat = evening(1, 2, 6, aftermath="always")
    number = announced(hotseat)
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    hotseat.throw("ana", number)
    assert hotseat.waits_for(number) == {"maud"}


@pytest.mark.rules("SOL-026")
@pytest.mark.option("odds_before", "after")
def test_a_table_may_hide_the_odds_until_the_word_is_said() -> None:
    for option, weighed in (("shown", True), ("after", False)):
        hotseat = evening(odds_before=option)
        announced(hotseat)
        rows = form_seen(hotseat.state, "maud", 1, hotseat.base)["fields"]
        scale = next(row for row in rows if row["field"] == "intrinsic")
        assert scale["shape"]["weighed"] is weighed
        assert [str(word) for word in scale["shape"]["values"]] == ["simple", "tough", "complex", "insane", "absurd"]
        hers = form_seen(hotseat.state, "ana", 1, hotseat.base)["fields"]
        assert "intrinsic" not in [row["field"] for row in hers]


# Help


@pytest.mark.rules("SOL-034", "SOL-070")
def test_whoever_helps_comes_by_himself_and_his_choice_is_his_word() -> None:
    hotseat = evening(1, 2, 6)
    number = announced(hotseat, typical=True)
    hotseat.join("bob", number, "helper", "bosco")
    hotseat.fill("bob", number, {"lent": "Harnais"})
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    hotseat.answer("maud", number, "agree")
    assert hotseat.waits_for(number) == {"ana"}
    hotseat.throw("ana", number)
    assert result(hotseat, number).target == 5


@pytest.mark.rules("SOL-060", "SOL-034")
def test_an_unfavourable_element_that_is_lent_is_paid_for_like_one_s_own() -> None:
    hotseat = evening(1, 2, 3)
    number = announced(hotseat, typical=True)
    hotseat.join("bob", number, "helper", "bosco")
    hotseat.fill("bob", number, {"lent": "Ivre"})
    hotseat.fill("maud", number, {"lent_unfavourable": True}, "bosco")
    hotseat.fill("maud", number, {"intrinsic": "insane"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    assert [effect.tag for effect in result(hotseat, number).effects] == ["handicap:negative"]


@pytest.mark.rules("SOL-060", "SOL-034")
def test_an_unfavourable_second_element_is_paid_for_like_the_first() -> None:
    hotseat = evening(1, 2, 3)
    number = announced(hotseat, typical=True, second="Vertige")
    hotseat.fill("maud", number, {"second_unfavourable": True}, "nadir")
    hotseat.fill("maud", number, {"intrinsic": "insane"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    done = result(hotseat, number)
    assert done.target == 3 + 2 - 2
    assert [effect.tag for effect in done.effects] == ["handicap:negative"]


@pytest.mark.rules("SOL-035", "SOL-034")
def test_the_score_to_beat_is_told_also_where_only_others_elements_serve() -> None:
    hotseat = evening(edition="v5")
    number = announced(hotseat, element="none")
    hotseat.join("bob", number, "helper", "bosco")
    hotseat.fill("bob", number, {"lent": "Harnais"})
    hotseat.fill("maud", number, {"intrinsic": "tough"})
    assert "told_target" in told(hotseat, "eve")


# Never without a word


@pytest.mark.rules("SOL-046", "SOL-052")
def test_what_the_other_edition_asks_for_is_refused_and_nothing_changes() -> None:
    hotseat = evening(edition="v5")
    number = announced(hotseat)
    before = hotseat.state.moves[number]
    with pytest.raises(MootField):
        hotseat.fill("ana", number, {"attitude": "unstable"})
    assert hotseat.state.moves[number] == before
    older = evening()
    number = announced(older)
    with pytest.raises(MootField):
        older.fill("maud", number, {"effects": {"0": "on tombe"}})


@pytest.mark.rules("SOL-123", "SOL-121")
def test_a_use_that_may_not_alter_the_character_is_refused_when_it_would() -> None:
    hotseat = evening(points=4)
    with pytest.raises(UseCannotAlterCharacter):
        hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {
            "use": "unexpected_event", "text": "tout s'éteint", "alters_character": True}})
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {
        "use": "flashback", "text": "hier", "alters_character": True, "element_name": "Une clé"}})
    with pytest.raises(UseCannotAlterCharacter):
        hotseat.fill("ana", number, {"use": "unexpected_event"})


# Several at once, and those of the game master's


@pytest.mark.rules("SOL-054", "SOL-106")
def test_consequences_may_be_for_several_at_once() -> None:
    hotseat = evening(6, 6, 6)
    number = announced(hotseat, typical=True)
    hotseat.join("bob", number, "helper", "bosco")
    hotseat.fill("bob", number, {"lent": "Harnais"})
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    hotseat.fill("maud", number, {"touched": ["nadir", "bosco"], "states_gained": "Trempée 1", "description": "Flot."})
    if hotseat.moves[number].phase == "settled":  # another's sheet is grave
        hotseat.accept("maud", number)
    assert states(hotseat)["Trempée"] == 1
    assert Element("Trempée", 1) in sheet_of(hotseat, "bosco").states


@pytest.mark.rules("SOL-150", "SOL-153")
def test_a_body_of_the_game_master_s_people_changes_too() -> None:
    hotseat = evening()
    number = hotseat.start("maud", "change-body", {"initiator": ["guard"]}, {"guard": {
        "destination": "cybernetic", "mind_type": MindType.AI_WOLFA}})
    hotseat.fill("maud", number, {"identical": False})
    assert hotseat.moves[number].phase == "closed"
    assert "told_body" in told(hotseat)


# Who comes to play


@pytest.mark.rules("SOL-107", "SOL-141")
def test_an_illegal_character_is_refused_and_none_comes_of_it() -> None:
    hotseat = evening()
    for sheet, refusal in ((nadir(points=5, max_points=5), TooManyPoints),
                           (nadir(points=2, max_points=2, psi_power_set=""), ImplantWithoutSet)):
        with pytest.raises(refusal):  # said to whoever hands it in
            hotseat.start("bob", "create-character", {}, {"bob": {"sheet": to_plain(sheet)}})
        assert len(hotseat.records) == 4
    number = hotseat.start("bob", "create-character", {}, {"bob": {"sheet": to_plain(nadir(points=2, max_points=2))}})
    hotseat.answer("maud", number, "agree")
    assert hotseat.moves[number].phase == "closed"  # one approval, and nothing after it


@pytest.mark.rules("SOL-103")
def test_what_an_owner_draws_from_the_text_later_is_applied_at_once_and_told() -> None:
    hotseat = evening()
    number = hotseat.start("ana", "extract-element", {"initiator": ["nadir"]}, {"nadir": {
        "words": "fille de docker", "category": "trait", "score": 2}})
    assert hotseat.moves[number].phase == "closed"
    assert Element("Fille de docker", 2, "fille de docker") in sheet_of(hotseat).traits
    assert "told_extracted" in told(hotseat, "bob")


@pytest.mark.rules("SOL-072", "SOL-091")
def test_one_word_makes_several_react() -> None:
    hotseat = evening()
    begun = hotseat.start("maud", "start-action-scene", {"participant": ["guard", "nadir", "bosco"]}, {})
    hotseat.throw("maud", begun)
    running = max(hotseat.encounters)
    for who in ("nadir", "bosco"):
        given = hotseat.start("maud", "next-to-act", {}, {"gm": {"next": who}}, encounter=running)
        hotseat.throw("maud", given)
    given = hotseat.start("maud", "next-to-act", {}, {"gm": {
        "next": "guard", "reacts": ["nadir", "bosco"], "announced": "il tire"}}, encounter=running)
    hotseat.throw("maud", given)
    assert [hotseat.moves[number].move.id for number in sorted(hotseat.moves)][-2:] == ["reaction", "reaction"]


def test_what_is_asked_before_the_dice_is_said_to_be() -> None:
    fields = {one["id"]: one["after_result"] for one in facts.move(SYSTEM, "action", "fr")["fields"]}
    before = {"goal", "intrinsic", "element", "second", "lent", "attitude", "handicap", "condition"}
    assert {name for name in before if fields[name]} == set()
    assert {name for name in ("description", "states_gained", "touched") if not fields[name]} == set()


@pytest.mark.rules("SOL-033", "SOL-034")
@pytest.mark.parametrize(("edition", "said", "lends"), [
    ("v4", {}, False), ("v4", {"element": 2}, True), ("v4", {"element": 2, "second": 1}, False),
    ("v5", {}, True), ("v5", {"element": 2}, True), ("v5", {"element": 2, "second": 1}, False),
])
def test_a_helper_is_asked_for_an_element_only_where_one_more_may_come(edition, said, lends):
    ctx = SYSTEM.context("action", {"initiator": [said], "helper": [{}], "gm": [{}]}, {},
                         SYSTEM.book.rulings({"edition": edition}))
    assert LENT.applies(ctx) is lends
