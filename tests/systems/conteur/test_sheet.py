"""The sheet: creation, what is legal, what is only unwise, days that pass, wounds that heal."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.dice import ScriptedDice, SeededDice, play
from paravent.game import BadRecord, from_plain, to_plain
from paravent.game.errors import NotNow, UnknownName
from paravent.game.running import Ran, run
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.energy.errors import EnergyShort, SceneCost
from paravent.systems.conteur.energy.gauge import segment_of
from paravent.systems.conteur.energy.passing import passing
from paravent.systems.conteur.facts import HUMAN_PARTS, Activity, Attribute, Segment, SkillField
from paravent.systems.conteur.health.errors import (
    DailyLimit,
    MortalWound,
    NoLuckAgainstWound,
    NothingToHeal,
    NotLost,
    TooMuchPaid,
)
from paravent.systems.conteur.people.character import Character, Skill, check, derived, draw, ready
from paravent.systems.conteur.people.errors import SkillTooHigh
from paravent.systems.conteur.rolls.announce import action_of
from paravent.systems.conteur.rolls.complex import ComplexAction
from paravent.systems.conteur.rolls.errors import (
    AlreadyBusy,
    EmptyPool,
    LimbLost,
    NotComplex,
    NotTheirAction,
    Unconscious,
)
from paravent.systems.conteur.rolls.pool import is_physical
from paravent.table.hotseat import Hotseat

RULINGS = SYSTEM.book.rulings()
SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}
TIR = Skill(SkillField.ACTIONS, "Tir", 3)


def person(**fields: Any) -> Character:
    wounds = {**dict.fromkeys(HUMAN_PARTS, 0), **fields.pop("wounds", {})}
    return Character(**{"name": "Sacha", "wounds": wounds, "luck": 0, "skills": (TIR,), **fields})


def run_on(move: str, form: dict[str, Any], role: str, sheet: Character, *faces: int, day: int = 0) -> Ran:
    return run(SYSTEM.context(move, form, {role: sheet}, RULINGS, day=day), ScriptedDice(*faces))


# Creation


@pytest.mark.rules("D10-027", "D10-028", "D10-029")
def test_attributes_start_at_5_and_outside_the_human_range_one_is_only_warned() -> None:
    plain = Character(name="Sacha", skills=(TIR,))
    assert {getattr(plain, attribute) for attribute in Attribute} == {5}
    assert check(plain, RULINGS) == []
    giant = replace(plain, constitution=9, social=2)
    assert [(fault.key, fault.warning, fault.values["attribute"]) for fault in check(giant, RULINGS)] == [
        ("human_range", True, "constitution"), ("human_range", True, "social")]
    assert check(replace(giant, species="martian"), RULINGS) == []
    assert check(replace(plain, mental=8), RULINGS) == []


@pytest.mark.rules("D10-027", "D10-029", "D10-035", "D10-037", "D10-039", "D10-047", "D10-069")
@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"dexterity": 11}, "attribute_range"),
        ({"mental": 0}, "attribute_range"),
        ({"luck": 3, "luck_used": 4}, "luck_used"),
        ({"skills": (TIR, TIR)}, "skill_twice"),
        ({"skills": (Skill(SkillField.OTHER, " ", 1),)}, "skill_name"),
        ({"skills": (Skill(SkillField.OTHER, "Accordéon", -1),)}, "skill_value"),
        ({"wounds": {"tail": 1}}, "unknown_part"),
        ({"wounds": {"head": 4}}, "wound_level"),
        ({"energy": 25}, "energy"),
        ({"healing_spent_today": 3}, "healing_spent"),
        ({"healing_paid": {"torso": 5}}, "healing_paid"),
        ({"energy_dice_max": -1}, "energy_dice_max"),
    ],
)
def test_what_a_sheet_cannot_hold_is_named(fields: dict[str, Any], fault: str) -> None:
    broken = Character(**fields)
    assert fault in [found.key for found in check(broken, RULINGS) if not found.warning]
    with pytest.raises(BadRecord):
        SYSTEM.kind("character").validated(broken, RULINGS)


@pytest.mark.rules("D10-039")
def test_another_species_has_other_parts() -> None:
    octopus = Character("Octave", species="poulpe", wounds={"head": 0, "mantle": 0, "first_tentacle": 2}, skills=(TIR,))
    assert check(octopus, RULINGS) == []
    assert octopus.limbs == ("mantle", "first_tentacle")
    ran = run_on("throw", {"initiator": [{"attribute": 5, "skill": "Tir", "limbs": ["first_tentacle"], "luck": 0}]},
                 "initiator", octopus, 4)
    assert ran.plays["throw"].result.dice == 1


@pytest.mark.rules("D10-062")
def test_another_species_may_spend_more_energy_on_a_roll() -> None:
    ran = run_on("throw", {"initiator": [{"attribute": 5, "skill": "Tir", "energy_dice": 2}]}, "initiator",
                 person(energy_dice_max=3), 9, 9, 9, 9, 9)
    assert ran.plays["throw"].result.dice == 5
    assert [(change.path, change.after) for change in ran.changes] == [("energy", 16)]


@pytest.mark.rules("D10-036", "D10-037")
def test_a_skill_above_5_needs_the_game_master_s_agreement() -> None:
    sheet = {"name": "Alix", "skills": [{"field": "piloting", "name": "Cargos", "value": 6}]}
    with pytest.raises(SkillTooHigh) as refusal:
        run(SYSTEM.context("create-character", {"initiator": [{"sheet": sheet}]}), ScriptedDice())
    assert refusal.value.rule_id == "D10-036"
    agreed = run(SYSTEM.context("create-character", {"initiator": [{"sheet": sheet}], "gm": [{"override": True}]}),
                 ScriptedDice())
    assert [telling.key for telling in agreed.tellings] == ["outcomes.told_created"]


@pytest.mark.rules("D10-027")
def test_a_character_is_created_at_the_table_once_the_game_master_accepts() -> None:
    hotseat = Hotseat(SYSTEM, SEATS)
    sheet = to_plain(replace(ready("fr")["thea-lorme"], energy=3, luck_used=2))
    number = hotseat.start("bob", "create-character", {"initiator": ["bob"]}, {"bob": {"sheet": sheet}})
    with pytest.raises(NotNow):
        hotseat.throw("bob", number)
    hotseat.answer("ana", number, "agree")
    hotseat.accept("ana", number)
    created = hotseat.records["Théa Lorme"]
    assert created.owner == "bob"
    assert (created.record.energy, created.record.luck_used) == (18, 0)
    for seat in SEATS:
        assert "Théa Lorme" in hotseat.seen(seat)["records"]


@pytest.mark.rules("D10-027", "D10-037")
def test_random_characters_are_legal_and_on_the_budget() -> None:
    for seed in range(40):
        record = SeededDice(seed).resolve(draw, RULINGS)
        assert check(record, RULINGS) == []
        assert sum(getattr(record, attribute) for attribute in Attribute) == 30
        assert sum(skill.value for skill in record.skills) == 25
        assert max(skill.value for skill in record.skills) <= 5
        assert from_plain(Character, to_plain(record)) == record


def test_five_ready_made_characters_speak_both_languages() -> None:
    french, english = ready("fr"), ready("en")
    assert len(french) == len(english) == 5
    assert french["thea-lorme"].skill("Foreuses") is not None
    assert english["thea-lorme"].skill("Drills") is not None


def test_two_skills_of_one_name_are_told_apart_by_their_family() -> None:
    twice = person(skills=(Skill(SkillField.ACTIONS, "Chant", 1), Skill(SkillField.OTHER, "Chant", 4)))
    assert twice.skill_names == ("Chant (actions)", "Chant (other)")
    ctx = SYSTEM.context("throw", {"initiator": [{"attribute": 5, "skill": "Chant (other)"}]}, {"initiator": twice})
    assert action_of(ctx, ctx.one()).skill == 4
    with pytest.raises(UnknownName):
        SYSTEM.context("throw", {"initiator": [{"attribute": 5, "skill": "Chants"}]}, {"initiator": twice})


# What follows from the sheet


@pytest.mark.rules("D10-042", "D10-044", "D10-049")
def test_what_follows_from_the_sheet() -> None:
    hurt = person(luck=5, luck_used=2, energy=9, wounds={"torso": 3, "left_leg": 3}, day_activity=Activity.REST)
    assert derived(hurt, RULINGS) == {
        "luck_available": 3, "segment": "tired", "dying": True, "lost_limbs": ["left_leg"], "healing_limit_today": 2}


@pytest.mark.rules("D10-049", "D10-050", "D10-051", "D10-052", "D10-053")
def test_the_four_segments_cover_the_gauge() -> None:
    assert [segment_of(energy) for energy in (0, 6, 7, 12, 13, 18, 19, 24)] == [
        Segment.FAILING, Segment.FAILING, Segment.TIRED, Segment.TIRED, Segment.NORMAL, Segment.NORMAL, Segment.FIT,
        Segment.FIT]


@pytest.mark.rules("D10-035")
def test_a_skill_value_has_a_meaning() -> None:
    table = SYSTEM.tables["skill_values"]
    assert [table.cell(value, "meaning") for value in (0, 1, 5, 8)] == ["untrained", "notions", "abnormal", "abnormal"]


@pytest.mark.rules("D10-005", "D10-052")
def test_constitution_and_dexterity_are_physical_unless_said_otherwise() -> None:
    assert [is_physical(attribute) for attribute in Attribute] == [True, True, False, False, False, False]
    tired = person(energy=9)
    dice = {}
    for attribute, said in (("dexterity", None), ("mental", None), ("dexterity", False), ("mental", True)):
        form = {"attribute": attribute, "skill": "Tir"} | ({} if said is None else {"physical": said})
        ctx = SYSTEM.context("throw", {"initiator": [form]}, {"initiator": tired})
        dice[attribute, said] = run(ctx, SeededDice("tired")).plays["throw"].result.dice
    assert dice == {("dexterity", None): 2, ("mental", None): 3, ("dexterity", False): 3, ("mental", True): 2}


@pytest.mark.rules("D10-002")
def test_the_game_master_may_set_target_and_dice_directly() -> None:
    ran = run(SYSTEM.context("throw", {"initiator": [{"attribute": 3, "dice": 2}]}), ScriptedDice(3, 4))
    assert ran.plays["throw"].result.raw == 1


@pytest.mark.rules("D10-061", "D10-064")
def test_energy_is_paid_at_the_announcement_whatever_comes() -> None:
    ran = run_on("throw", {"initiator": [{"attribute": 5, "skill": "Tir", "energy_dice": 1}]}, "initiator", person(),
                 9, 9, 9, 9)
    assert not ran.plays["throw"].result.passed
    assert [(change.path, change.before, change.after) for change in ran.changes] == [("energy", 18, 17)]


# What is refused


@pytest.mark.rules("D10-006", "D10-042", "D10-054", "D10-059")
def test_what_a_body_cannot_do_is_refused() -> None:
    form = {"initiator": [{"attribute": 5, "skill": "Tir", "limbs": ["left_arm"]}]}
    with pytest.raises(LimbLost):
        run_on("throw", form, "initiator", person(wounds={"left_arm": 3}))
    with pytest.raises(Unconscious):
        run_on("throw", form, "initiator", person(unconscious=True))
    with pytest.raises(Unconscious):
        run_on("throw", form, "initiator", person(dead=True))
    spend = {"initiator": [{"attribute": 5, "skill": 1, "energy_dice": 1}]}
    with pytest.raises(EnergyShort):
        run_on("throw", spend, "initiator", person(energy=0))
    with pytest.raises(EmptyPool):
        run_on("throw", spend, "initiator", person(energy=3))


@pytest.mark.rules("D10-017", "D10-019", "D10-020")
def test_one_complex_action_at_a_time_and_only_one_s_own() -> None:
    busy = person(complex_action=ComplexAction("Percer la porte", 3, 1, 1, "initiator"))
    form = {"initiator": [{"attribute": 5, "dice": 2}], "gm": [{"difficulty": 2}]}
    with pytest.raises(AlreadyBusy):
        run_on("start-complex-action", form, "initiator", busy)
    with pytest.raises(NotComplex):
        SYSTEM.context("start-complex-action", {"gm": [{"difficulty": 1}]})
    theirs = ComplexAction("Percer la porte", 3, 1, 1, "somebody")
    ctx = SYSTEM.context("continue-complex-action", {"initiator": [{"attribute": 5, "dice": 2}]}, encounter=theirs)
    with pytest.raises(NotTheirAction):
        run(ctx, ScriptedDice(2, 2))


@pytest.mark.rules("D10-033", "D10-058")
def test_a_scene_costs_at_most_2_and_a_lost_limb_has_nothing_to_avoid() -> None:
    with pytest.raises(SceneCost):
        SYSTEM.context("end-of-scene", {"character": [{"cost": 3}]})
    with pytest.raises(NoLuckAgainstWound):
        SYSTEM.context("inflict-wound", {"gm": [{"part": "left_arm", "levels": 1}], "victim": [{"avoid": 1}]},
                       {"victim": person(luck=5, wounds={"left_arm": 3})})


@pytest.mark.rules("D10-043", "D10-045", "D10-065", "D10-067", "D10-069")
def test_what_energy_does_not_heal() -> None:
    def pay(part: str, points: int, sheet: Character) -> None:
        run_on("heal", {"initiator": [{"part": part, "points": points, "activity": "rest"}]}, "initiator", sheet, day=3)

    with pytest.raises(NothingToHeal):
        pay("left_arm", 1, person())
    with pytest.raises(MortalWound):
        pay("head", 1, person(wounds={"head": 2}))
    with pytest.raises(MortalWound):
        pay("torso", 1, person(wounds={"torso": 3}))
    with pytest.raises(TooMuchPaid):
        pay("left_arm", 2, person(wounds={"left_arm": 1}))
    with pytest.raises(DailyLimit):
        pay("left_arm", 2, person(wounds={"left_arm": 2}, healing_spent_today=1))
    with pytest.raises(EnergyShort):
        pay("left_arm", 1, person(wounds={"left_arm": 1}, energy=0))
    with pytest.raises(NotLost):
        run_on("replace-a-limb", {"gm": [{"part": "left_arm"}]}, "character", person(wounds={"left_arm": 2}))


@pytest.mark.rules("D10-069")
def test_being_active_after_two_points_of_healing_is_flagged_not_undone() -> None:
    sheet = person(healing_spent_today=2, day_activity=Activity.ACTIVE, luck=5)
    assert [(fault.key, fault.warning) for fault in check(sheet, RULINGS)] == [("active_after_healing", True)]


# Fate and days


@pytest.mark.rules("D10-045")
def test_the_game_master_says_who_wakes_up_and_who_dies() -> None:
    woken = run_on("wake-up-or-die", {"gm": [{"fate": "wake_up"}]}, "character", person(unconscious=True))
    assert [(change.path, change.after) for change in woken.changes] == [("unconscious", False)]
    dying = person(wounds={"torso": 3}, complex_action=ComplexAction("Tenir bon", 2))
    died = run_on("wake-up-or-die", {"gm": [{"fate": "die"}]}, "character", dying)
    assert [(change.path, change.after) for change in died.changes] == [("dead", True), ("complex_action", None)]


@pytest.mark.rules("D10-044", "D10-020")
def test_a_mortal_wound_ends_whatever_was_under_way() -> None:
    busy = person(wounds={"head": 1}, complex_action=ComplexAction("Viser", 2, 1))
    ran = run_on("inflict-wound", {"gm": [{"part": "head", "levels": 1}]}, "victim", busy)
    assert ("complex_action", None) in [(change.path, change.after) for change in ran.changes]


@pytest.mark.rules("D10-057", "D10-047")
def test_other_means_move_the_gauge_within_its_bounds() -> None:
    for amount, after in ((4, 22), (20, 24), (-20, 0)):
        ran = run_on("adjust-energy", {"gm": [{"amount": amount}]}, "character", person())
        assert ran.changes[0].after == after


@pytest.mark.rules("D10-048", "D10-055", "D10-056")
def test_an_ordinary_week_leaves_energy_as_it_was() -> None:
    assert passing(ScriptedDice(), person(), 7 * 24 * 60, {}, RULINGS) == ()
    assert passing(ScriptedDice(), person(), 23 * 60, {"spent": 20}, RULINGS) == ()
    [change] = passing(ScriptedDice(), person(), 24 * 60, {"meals": []}, RULINGS)
    assert (change.path, change.before, change.after) == ("energy", 18, 13)


@pytest.mark.rules("D10-048")
@pytest.mark.parametrize(("meals", "told"), [(["full_meal", "full_meal"], ["each_day"]),
                                             (["full_meal"], ["each_day", "unusual_day"])])
def test_a_day_that_gives_less_than_usual_is_told_so(meals: list[str], told: list[str]) -> None:
    played = play(passing, person(), 24 * 60, {"meals": meals}, RULINGS, dice=ScriptedDice())
    assert [note.key for note in played.notes] == told


@pytest.mark.rules("D10-066", "D10-067", "D10-068", "D10-069")
def test_wounds_heal_as_days_go_by_the_worst_first() -> None:
    wounds = {"left_leg": 2, "left_arm": 1, "right_arm": 3}
    hurt = person(energy=18, wounds=wounds, wound_day={"left_leg": 0, "left_arm": 0})
    rest = {"activity": "rest", "spent": 8}

    def after(days: int) -> dict[str, Any]:
        return {change.path: change.after for change in passing(ScriptedDice(), hurt, days * 1440, rest, RULINGS)}

    assert after(1)["healing_paid"] == {"left_leg": 2}
    assert after(2)["healing_paid"] == {"left_leg": 4}
    assert {part: after(3)["wounds"][part] for part in ("left_leg", "left_arm", "right_arm")} == {
        "left_leg": 0, "left_arm": 0, "right_arm": 3}


@pytest.mark.rules("D10-069")
def test_a_new_day_starts_the_healing_afresh() -> None:
    rested = person(healing_spent_today=2, day_activity=Activity.REST)
    ran = run_on("new-day", {"character": [{}]}, "character", rested, day=4)
    assert [(change.target, change.path, change.after) for change in ran.changes] == [
        ("clock", "", 5), ("character", "healing_spent_today", 0), ("character", "day_activity", "active")]
