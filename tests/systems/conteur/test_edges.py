"""Where rules meet: what a careful referee would try at the table, and what must not be possible."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.dice import ByHand, NotAnOption, ScriptedDice, play
from paravent.dice.play import ScriptedFaces
from paravent.game import Change, NotYours, ParaventError
from paravent.game.errors import NeedsSheet, OutOfRange
from paravent.game.running import Ran, run
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.energy.errors import EnergyShort
from paravent.systems.conteur.energy.passing import passing
from paravent.systems.conteur.facts import HUMAN_PARTS, SkillField
from paravent.systems.conteur.health.errors import Dead, TooMuchPaid
from paravent.systems.conteur.people.character import Character, Skill, check
from paravent.systems.conteur.rolls.complex import ComplexAction
from paravent.systems.conteur.rolls.errors import (
    GivenUp,
    LimbLost,
    NoCounterpart,
    NoDie,
    NoEnergyOnReflex,
    NotTheirAction,
    NumberOfDice,
    TooManyEnergyDice,
    Unconscious,
)
from paravent.systems.conteur.rolls.roll import roll, terms_of
from paravent.table.hotseat import Hotseat
from seats import moves_seen, on_day

SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}
TIR = Skill(SkillField.ACTIONS, "Tir", 3)
RULINGS = SYSTEM.book.rulings()


def person(**fields: Any) -> Character:
    wounds = {**dict.fromkeys(HUMAN_PARTS, 0), **fields.pop("wounds", {})}
    return Character(**{"name": "Sacha", "wounds": wounds, "luck": 0, "energy": 15, "skills": (TIR,), **fields})


def table(*faces: int, sacha: Character | None = None, alix: Character | None = None, **options: str) -> Hotseat:
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    hotseat.add("sacha", sacha or person(), owner="bob")
    hotseat.add("alix", alix or person(name="Alix"), owner="cleo")
    return hotseat


def run_on(move: str, sheet: Character, *faces: int, day: int = 0, role: str = "initiator", **form: Any) -> Ran:
    options = form.pop("options", {})
    gm, state = form.pop("gm", {}), form.pop("state", None)
    ctx = SYSTEM.context(move, {role: [form], "gm": [gm]}, {role: sheet}, SYSTEM.book.rulings(options), state, day=day)
    return run(ctx, ScriptedDice(*faces))


def after(changes: Any) -> dict[str, Any]:
    return {change.path: change.after for change in changes}


def told(ran: Ran) -> list[str]:
    return [telling.key for telling in ran.tellings]


# Dice set directly by the game master


@pytest.mark.rules("D10-002", "D10-042", "D10-054", "D10-059", "D10-062", "D10-063")
@pytest.mark.parametrize(
    ("move", "sheet", "form", "refusal"),
    [
        ("throw", person(unconscious=True), {}, Unconscious),
        ("throw", person(wounds={"left_arm": 3}), {"limbs": ["left_arm"]}, LimbLost),
        ("throw", person(), {"energy_dice": 2}, TooManyEnergyDice),
        ("throw", person(energy=0), {"energy_dice": 1}, EnergyShort),
        ("reflex-roll", person(), {"energy_dice": 1}, NoEnergyOnReflex),
    ],
)
def test_a_number_of_dice_set_directly_lifts_no_ban(
    move: str, sheet: Character, form: dict[str, Any], refusal: type[ParaventError]
) -> None:
    with pytest.raises(refusal):
        run_on(move, sheet, 2, 3, attribute=5, dice=2, **form)


@pytest.mark.rules("D10-038")
def test_nor_does_it_find_someone_to_talk_to() -> None:
    form = {"attribute": 5, "dice": 2, "skill_field": "interactions", "counterpart": ""}
    with pytest.raises(NoCounterpart):
        run(SYSTEM.context("throw", {"initiator": [form]}), ScriptedDice(2, 3))
    with_someone = {"initiator": [{**form, "counterpart": "la douanière"}]}
    assert run(SYSTEM.context("throw", with_someone), ScriptedDice(2, 3)).plays["throw"].result.raw == 2


@pytest.mark.rules("D10-054")
def test_a_failing_character_blacks_out_on_dice_set_directly_too() -> None:
    ran = run_on("throw", person(energy=5), 10, 3, attribute=5, dice=2)
    assert after(ran.changes) == {"unconscious": True}
    assert not run_on("throw", person(energy=7), 10, 3, attribute=5, dice=2).changes


@pytest.mark.rules("D10-004")
def test_no_die_is_no_throw() -> None:
    for number in (0, -1):
        with pytest.raises(NoDie):
            SYSTEM.context("throw", {"initiator": [{"attribute": 5, "dice": number}]})
    with pytest.raises(OutOfRange):
        SYSTEM.context("throw", {"initiator": [{"attribute": 5, "skill": 900}]})
    assert "skill_value" in [fault.key for fault in check(person(skills=(replace(TIR, value=21),)), RULINGS)]


# Announcements


@pytest.mark.rules("D10-040")
def test_a_limb_named_twice_is_one_limb() -> None:
    hurt = person(wounds={"left_arm": 2}, skills=(replace(TIR, value=5),))
    ran = run_on("throw", hurt, 9, 9, 9, attribute=5, skill="Tir", limbs=["left_arm", "left_arm"])
    assert ran.plays["throw"].result.dice == 3


@pytest.mark.rules("D10-040")
def test_limbs_are_read_on_a_sheet() -> None:
    ctx = SYSTEM.context("throw", {"initiator": [{"attribute": 5, "skill": 3, "limbs": ["left_arm"]}]})
    with pytest.raises(NeedsSheet):
        run(ctx, ScriptedDice(2, 3, 4))


@pytest.mark.rules("D10-004", "D10-062", "D10-063")
def test_an_announcement_is_filled_in_any_order_and_refused_at_once() -> None:
    hotseat = table(2, 3)
    number = hotseat.start("bob", "throw", {"initiator": ["sacha"]})
    hotseat.fill("bob", number, {"dice": 2})
    with pytest.raises(TooManyEnergyDice):
        hotseat.fill("bob", number, {"energy_dice": 2})
    hotseat.fill("bob", number, {"attribute": 5, "skill": "Tir"})
    with pytest.raises(NumberOfDice):
        hotseat.fill("bob", number, {"dice": 4})
    hotseat.throw("bob", number)
    assert hotseat.moves[number].results["throw"].dice == 2
    reflex = hotseat.start("bob", "reflex-roll", {"initiator": ["sacha"]})
    with pytest.raises(NoEnergyOnReflex):
        hotseat.fill("bob", reflex, {"energy_dice": 1})


@pytest.mark.rules("D10-062")
def test_a_sheet_allows_one_energy_die_at_least_and_a_human_is_warned_above() -> None:
    def faults(sheet: Character) -> list[tuple[str, bool]]:
        return [(fault.key, fault.warning) for fault in check(sheet, RULINGS) if fault.rule == "D10-062"]

    assert faults(person(energy_dice_max=0)) == [("energy_dice_max", False)]
    assert faults(person(energy_dice_max=2)) == [("energy_dice_human", True)]
    assert faults(person(energy_dice_max=2, species="poulpe")) == []


# Rights and luck


@pytest.mark.rules("D10-030")
def test_luck_is_asked_once_in_a_roll_even_while_a_right_keeps_it_open() -> None:
    dice = ScriptedDice(1, 7, 8, 6, answer=["luck", ByHand((2,)), "luck"])
    with pytest.raises(NotAnOption) as refusal:
        play(roll, 5, terms_of(3, 5, 3, RULINGS), dice=dice)
    assert refusal.value.values["rule"] == "D10-030"


@pytest.mark.rules("D10-013", "D10-030")
def test_a_secret_throw_for_a_player_s_character_asks_the_game_master() -> None:
    hotseat = table(1, 8, 9, 4, sacha=person(luck=2))
    form: dict[str, Any] = {"gm": {"secret": True}, "sacha": {"attribute": 5, "skill": "Tir"}}
    number = hotseat.start("ana", "throw", {"initiator": ["sacha"]}, form)
    hotseat.throw("ana", number)
    assert hotseat.waits_for(number) == {"ana"}
    assert [moves_seen(hotseat, seat) for seat in ("bob", "cleo", "sam")] == [[], [], []]
    hotseat.answer("ana", number, {"dice": [2]})
    hotseat.answer("ana", number, "stop")
    assert hotseat.moves[number].results["throw"].raw == 2


# Complex actions


def pursuing(stock: int = 2, **fields: Any) -> tuple[ComplexAction, Character]:
    state = ComplexAction("Percer", 4, stock, 1, "initiator")
    return state, person(complex_action=state, **fields)


@pytest.mark.rules("D10-006", "D10-019")
def test_a_complex_action_without_a_single_die_neither_begins_nor_goes_on() -> None:
    form: dict[str, Any] = {"attribute": 5, "skill": "Tir"}
    begun = run_on("start-complex-action", person(energy=3), gm={"difficulty": 3}, **form)
    assert not begun.changes
    assert told(begun) == ["outcomes.told_impossible"]
    state, weary = pursuing(energy=3)
    ran = run_on("continue-complex-action", weary, state=state, **form)
    assert (ran.plays["turn"].result.stock, ran.changes) == (2, ())


@pytest.mark.rules("D10-006", "D10-026")
def test_nobody_resists_what_is_not_attempted() -> None:
    form = {"initiator": [{"attribute": 5, "skill": 2, "energy": 3}], "opponent": [{"attribute": 5, "dice": 2}],
            "gm": [{"difficulty": 2}]}
    ran = run(SYSTEM.context("start-complex-action", form), ScriptedDice())
    assert ran.plays["turn"].throws == ()


@pytest.mark.rules("D10-020")
def test_nobody_abandons_somebody_else_s_action() -> None:
    hotseat = table(2, 9, 8)
    number = hotseat.start("ana", "start-complex-action", {"initiator": ["sacha"]}, {"gm": {"difficulty": 4}})
    hotseat.fill("bob", number, {"attribute": 5, "skill": "Tir"})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    with pytest.raises(NotTheirAction):
        hotseat.start("cleo", "abandon", {"initiator": ["alix"]}, encounter=1)
    assert not hotseat.encounters[1].state.over


@pytest.mark.rules("D10-020", "D10-054")
def test_whoever_faints_elsewhere_does_not_find_the_stock_again() -> None:
    hotseat = table(2, 9, 10, 3, sacha=person(energy=5, skills=(replace(TIR, value=5),)))
    number = hotseat.start("ana", "start-complex-action", {"initiator": ["sacha"]}, {"gm": {"difficulty": 4}})
    hotseat.fill("bob", number, {"attribute": 5, "skill": "Tir"})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    number = hotseat.start("bob", "reflex-roll", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    number = hotseat.start("ana", "wake-up-or-die", {"character": ["sacha"]}, {"gm": {"fate": "wake_up"}})
    hotseat.accept("ana", number)
    number = hotseat.start("bob", "continue-complex-action", {"initiator": ["sacha"]}, encounter=1)
    hotseat.fill("bob", number, {"attribute": 5, "skill": "Tir"})
    with pytest.raises(GivenUp) as refusal:
        hotseat.throw("bob", number)
    assert "Sacha" in SYSTEM.words.error("fr", refusal.value)
    hotseat.withdraw("bob", number)
    number = hotseat.start("bob", "abandon", {"initiator": ["sacha"]}, encounter=1)
    hotseat.accept("ana", number)
    assert hotseat.encounters[1].state.over


@pytest.mark.rules("D10-020")
def test_giving_up_an_old_action_leaves_the_new_one() -> None:
    newer = person(complex_action=ComplexAction("Souder", 3, 1, 1, "initiator"))
    old = ComplexAction("Percer", 4, 2, 1, "initiator")
    assert [change.target for change in run_on("abandon", newer, state=old).changes] == ["encounter"]


@pytest.mark.rules("D10-020")
def test_a_turn_missed_says_what_is_lost() -> None:
    state, sheet = pursuing()
    ran = run_on("continue-complex-action", sheet, 2, 9, state=state, attribute=5, dice=2, turn=4)
    assert next((note.rule, note.key) for note in ran.plays["turn"].notes) == ("D10-020", "stock_lost")
    assert ran.plays["turn"].result.stock == 1


@pytest.mark.rules("D10-018")
@pytest.mark.parametrize("mode", ["successes", "difficulty"])
def test_what_another_action_costs_is_said_as_the_table_plays_it(mode: str) -> None:
    state, sheet = pursuing(0)
    ran = run_on("continue-complex-action", sheet, 2, 3, state=state, attribute=5, dice=2, gm={"simultaneous": 1},
                 options={"simultaneous_mode": mode})
    assert f"disturbed_{mode}" in [note.key for note in ran.plays["turn"].notes]


def resisted(*faces: int, **options: str) -> Any:
    form = {"initiator": [{"attribute": 5, "dice": 2}], "opponent": [{"attribute": 5, "dice": 1}],
            "gm": [{"difficulty": 3}]}
    ctx = SYSTEM.context("start-complex-action", form, None, SYSTEM.book.rulings(options))
    return run(ctx, ScriptedDice(*faces)).plays["turn"].result


@pytest.mark.rules("D10-026")
@pytest.mark.option("opposed_floor", "false")
def test_a_negative_total_of_whoever_resists_may_count() -> None:
    assert resisted(2, 9, 10).gain == 1
    assert resisted(2, 9, 10, opposed_floor="false").gain == 2


@pytest.mark.rules("D10-025", "D10-026")
@pytest.mark.option("opposed_tie", "reroll")
def test_a_resisted_turn_that_ties_may_be_rolled_again() -> None:
    assert resisted(2, 9, 4).gain == 0
    assert resisted(2, 9, 4, 2, 3, 9, opposed_tie="reroll").gain == 2
    assert resisted(10, 9, 9, opposed_tie="reroll").raw == -1


@pytest.mark.rules("D10-020", "D10-060")
@pytest.mark.option("energy_zero", "collapse")
def test_collapsing_gives_a_complex_action_up() -> None:
    collapse: dict[str, Any] = {"options": {"energy_zero": "collapse"}}
    state, weary = pursuing(energy=1, skills=(replace(TIR, value=5),))
    ran = run_on("continue-complex-action", weary, 2, 9, 9, state=state, attribute=5, skill="Tir", energy_dice=1,
                 **collapse)
    fallen = after(ran.changes)
    assert (fallen[""].abandoned, fallen[""].stock, fallen["complex_action"]) == (True, 0, None)
    assert told(ran)[-1] == "outcomes.collapse"
    throw = run_on("throw", weary, 2, 9, 9, attribute=5, skill="Tir", energy_dice=1, **collapse)
    assert after(throw.changes) == {"energy": 0, "unconscious": True, "complex_action": None}
    scene = run_on("end-of-scene", weary, role="character", cost=2, **collapse)
    assert after(scene.changes) == {"energy": 0, "unconscious": True, "complex_action": None}
    hurt = replace(weary, wounds={**weary.wounds, "left_arm": 1})
    healed = run_on("heal", hurt, day=2, part="left_arm", **collapse)
    assert after(healed.changes)["complex_action"] is None
    spent = person(energy=1, wounds={"left_arm": 1})
    days = passing(ScriptedDice(), spent, 1440, {"meals": [], "sleep": [], "spent": 0},
                   SYSTEM.book.rulings({"energy_zero": "collapse"}))
    assert after(days)["unconscious"] is True


# Opposed rolls


@pytest.mark.rules("D10-023", "D10-054")
def test_who_faints_in_an_opposed_roll_is_said() -> None:
    weary = person(energy=5, skills=(replace(TIR, value=5),), complex_action=ComplexAction("Percer", 4, 2))
    hotseat = table(2, 3, 9, 10, 9, alix=replace(weary, name="Alix"))
    form = {"sacha": {"attribute": 5, "skill": "Tir"}, "alix": {"attribute": 5, "skill": "Tir"}}
    number = hotseat.start("ana", "opposed-roll", {"initiator": ["sacha"], "opponent": ["alix"]}, form)
    hotseat.throw("bob", number)
    for seat in SEATS:
        line = hotseat.told(seat)[-1]
        assert (line.key, line.values) == ("outcomes.blackout", {"who": {"who": "alix"}})
    hotseat.accept("ana", number)
    alix = hotseat.records["alix"].record
    assert (alix.unconscious, alix.complex_action) == (True, None)


@pytest.mark.rules("D10-025", "D10-061")
def test_a_tie_rolled_again_leaves_out_the_die_that_energy_bought() -> None:
    hotseat = table(7, 9, 9, 9, 3, 9, 9, 3, sacha=person(luck=2), opposed_tie="reroll")
    form = {"sacha": {"attribute": 5, "skill": "Tir", "energy_dice": 1, "dice": 4},
            "alix": {"attribute": 5, "skill": "Tir"}}
    number = hotseat.start("ana", "opposed-roll", {"initiator": ["sacha"], "opponent": ["alix"]}, form)
    hotseat.throw("bob", number)
    hotseat.answer("bob", number, "luck")
    hotseat.answer("bob", number, {"dice": [1]})
    assert hotseat.moves[number].results["opposed"].winner == "nobody"
    again = hotseat.moves[number + 1]
    filled = next(actor.filled for actor in again.cast if actor.id == "sacha")
    assert filled == {"attribute": 5, "skill": "Tir"}


# Healing, fate, time


@pytest.mark.rules("D10-069")
def test_points_of_another_day_do_not_count_whoever_forgets_to_name_the_patient_at_dawn() -> None:
    hotseat = table(sacha=person(wounds={"left_arm": 2}))
    for day, points in ((1, 2), (2, 2)):
        on_day(hotseat, day)
        form = {"sacha": {"part": "left_arm", "points": points, "activity": "rest"}}
        number = hotseat.start("bob", "heal", {"initiator": ["sacha"]}, form)
        hotseat.throw("bob", number)
        hotseat.accept("ana", number)
        again = hotseat.start("bob", "heal", {"initiator": ["sacha"]}, {"sacha": {"part": "left_arm"}})
        with pytest.raises(ParaventError) as refusal:
            hotseat.throw("bob", again)
        assert refusal.value.values["rule"] == "D10-069"
    assert hotseat.records["sacha"].record.healing_paid == {"left_arm": 4}


@pytest.mark.rules("D10-067", "D10-069")
def test_plain_numbers_say_what_the_day_has_spent_and_what_is_paid() -> None:
    form = {"part": "left_arm", "level": 1, "points": 1, "healing_paid": 3}
    assert run(SYSTEM.context("heal", {"initiator": [form]}), ScriptedDice()).plays["heal"].result.level == 0
    with pytest.raises(TooMuchPaid) as refusal:
        run(SYSTEM.context("heal", {"initiator": [{**form, "points": 2, "activity": "rest"}]}), ScriptedDice())
    assert refusal.value.values["most"] == 1
    with pytest.raises(ParaventError) as limit:
        run(SYSTEM.context("heal", {"initiator": [{**form, "healing_spent_today": 1}]}), ScriptedDice())
    assert limit.value.values["rule"] == "D10-069"


@pytest.mark.rules("D10-045")
def test_the_dead_do_not_wake_up() -> None:
    with pytest.raises(Dead):
        run_on("wake-up-or-die", person(dead=True), role="character", gm={"fate": "wake_up"})


@pytest.mark.rules("D10-055")
def test_a_night_by_itself_is_sleep_and_nothing_else() -> None:
    [change] = passing(ScriptedDice(), person(energy=22), 480, {"sleep": (5, 3), "span": "night"}, RULINGS)
    assert isinstance(change, Change)
    assert (change.path, change.after, change.rule) == ("energy", 24, "D10-055")


@pytest.mark.rules("D10-006")
def test_no_die_has_no_odds() -> None:
    ctx = SYSTEM.context("odds-helper", {"initiator": [{"attribute": 9, "skill": 2, "energy": 3}]})
    step = ctx.move.resolves[0]
    assert step.outcome(step.call(ctx).on(ScriptedDice())) == "impossible"


def test_what_a_scene_costs_is_for_the_game_master_to_say() -> None:
    hotseat = table()
    number = hotseat.start("ana", "end-of-scene", {"character": ["sacha"]}, {"sacha": {"cost": 2}})
    with pytest.raises(NotYours):
        hotseat.fill("bob", number, {"cost": 0}, "sacha")
    hotseat.throw("ana", number)
    hotseat.accept("ana", number)
    assert hotseat.records["sacha"].record.energy == 13
