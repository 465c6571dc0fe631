"""Empire galactique: the sheet, ready-made characters, a character made from end to end, and what time does."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import ScriptedDice, SeededDice, odds, play
from paravent.dice.play import ScriptedFaces
from paravent.game import NotNow, RuleError
from paravent.game.records import to_plain
from paravent.game.telling import Teller
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.people.career import Career, Student, chance_of_grade, stands
from paravent.systems.empire.people.character import Character, Condition, Item, Protection, QuickCharacter, Skill
from paravent.systems.empire.people.creation import Guild, Sex, acquisition
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.words.speech import MindState
from paravent.table import commands
from paravent.table.hotseat import Hotseat
from seats import applied

RULINGS = SYSTEM.book.rulings()
KIND, NPC, QUICK = SYSTEM.kind("character"), SYSTEM.kind("npc"), SYSTEM.kind("quick")
SEATS = {"mj": "gm", "ana": "player"}


def faults(record, **options):
    return {fault.key for fault in KIND.check(record, SYSTEM.book.rulings(options)) if not fault.warning}


# Ready-made


@pytest.mark.rules("EMP-030", "EMP-035")
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_ready_made_characters_are_legal(lang):
    ready = KIND.ready(lang)
    assert len(ready) >= 4
    assert {record.guild for record in ready.values()} == set(Guild)
    for record in (*ready.values(), *NPC.ready(lang).values()):
        assert KIND.check(record, RULINGS) == []
        assert 36 <= sum(record.scores().values()) <= 66
        assert record.name
        assert record.description
        assert KIND.from_plain(to_plain(record)) == record


@pytest.mark.rules("EMP-030", "EMP-034", "EMP-035")
@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(0, 10**6))
def test_a_character_drawn_at_random_is_legal(seed):
    record = play(KIND.draw, RULINGS, dice=SeededDice(seed)).result
    assert faults(record) == set()
    assert 36 <= sum(record.scores().values()) <= 66
    assert all(2 <= score <= 12 for score in record.scores().values())
    assert 3 * record.grade <= sum(record.levels.values())


# What is wrong with a sheet


@pytest.mark.rules("EMP-030")
@pytest.mark.parametrize(("change", "key"), [
    ({"strength": 13}, "score_bounds"),
    ({name.value: 12 for name in Characteristic}, "pool_total"),
    ({"skills": (Skill("37", 1),)}, "unknown_skill"),
    ({"skills": (Skill("35", 7),)}, "skill_bounds"),
    ({"skills": (Skill("35", 1), Skill("35", 2))}, "skill_twice"),
    ({"guild": Guild.ADVENTURER, "grade": 1}, "adventurer_grade"),
    ({"resistance_physical": 99}, "gauge_above"),
])
def test_what_is_wrong_is_named(sheet, change, key):
    assert key in faults(sheet("bastien", **change))


@pytest.mark.rules("EMP-020")
def test_a_quick_sheet_has_two_qualities_from_five_to_ten():
    assert QUICK.check(QuickCharacter("Kay", 5, 10), RULINGS) == []
    assert QUICK.check(QuickCharacter("Kay", 4, 11), RULINGS)


# What it shows


@pytest.mark.rules("EMP-014", "EMP-038", "EMP-039", "EMP-040", "EMP-041", "EMP-088", "EMP-173", "EMP-175")
def test_what_stands_beside_the_sheet(sheet):
    shown = KIND.derived(sheet("bastien"), RULINGS)
    assert (shown["physical_most"], shown["mental_most"]) == (30, 20)
    assert (shown["evasion_physical"], shown["evasion_mental"]) == (10, 6.67)
    assert (shown["title"], shown["required"]) == ("title_sergeant", "strength")
    assert (shown["height_cm"], shown["weight_kg"]) == (210, 110)
    assert (shown["load_mod"], shown["pace"]) == (0, 11)
    suited = KIND.derived(sheet("maelis"), RULINGS)
    assert suited["pace"] == 8 - 2


# A character from end to end, at the table


def hotseat(*faces, **options):
    return Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))


def careful(*faces):
    """A table at which what is certain applies by itself."""
    return Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(faces), trust="prudence")


def rodéric(table):
    """Somebody with 51 points, as Ana spread them."""
    number = table.start("ana", "roll-characteristics")
    table.throw("ana", number)
    table.fill("ana", number, {"name": "Rodéric", "sex": "man", "dexterity": 8, "strength": 9, "endurance": 9,
                               "charm": 8, "intelligence": 8, "willpower": 9})
    applied(table, "mj", number)
    (name,) = table.records
    return name


@pytest.mark.rules("EMP-030", "EMP-031", "EMP-032", "EMP-033", "EMP-034", "EMP-035", "EMP-036")
def test_a_soldier_from_the_dice_to_the_gate_of_the_school():
    """Six dice for 51 points, an exam, then each year at a tap: the fourth brings a grade, and money on leaving."""
    table = careful(1, 2, 3, 4, 5, 6, 2, 3, 5, 3, 3, 3, 5, 3, 3, 3, 4, 3, 3, 3, 2, 6, 6, 6, 4)
    name = rodéric(table)
    cast = {"initiator": [name]}
    table.throw("ana", table.start("ana", "enter-school", cast, {name: {"guild": "soldier"}}))
    (career,) = table.encounters
    again = table.start("ana", "enter-school", cast, {name: {"guild": "tekno"}}, encounter=career)
    with pytest.raises(RuleError):  # one leaves a school first
        table.throw("ana", again)
    table.withdraw("ana", again)
    table.start("ana", "school-year", cast, encounter=career)
    assert table.records[name].record.age == 19
    table.start("ana", "finish-term", cast, encounter=career)
    made = table.records[name].record
    assert (made.age, made.school_years, made.grade, made.at_school) == (22, 4, 1, True)
    table.start("ana", "leave-school", cast, encounter=career)
    made = table.records[name].record
    assert made.scores() == {"dexterity": 8, "strength": 9, "endurance": 9, "charm": 8, "intelligence": 8,
                             "willpower": 9}
    assert (made.guild, made.age, made.school_years, made.at_school) == (Guild.SOLDIER, 22, 4, False)
    assert made.levels == {"35": 4, "34": 2}
    assert (made.grade, made.credits) == (1, 12000)
    assert KIND.check(made, RULINGS) == []
    lived = table.encounters[career].state
    assert lived.done
    assert [(one.age, one.what) for one in lived.life] == [
        (18, "admitted"), (19, "learnt"), (20, "learnt"), (21, "learnt"), (22, "nothing"), (22, "promoted"),
        (22, "left")]


@pytest.mark.rules("EMP-020", "EMP-030")
@pytest.mark.option("ruleset", "quick")
def test_after_a_first_evening_a_quick_character_moves_on_to_the_full_rules():
    """The game master changes the option on the same table; each quality becomes its three characteristics."""
    table = Hotseat(SYSTEM, SEATS, {"ruleset": "quick"}, ScriptedFaces((2, 5)), trust="prudence")
    number = table.start("ana", "quick-character", {}, {"ana": {"name": "Kay"}})
    table.throw("ana", number)
    table.fill("ana", number, {"best_to": "first_physical"})
    applied(table, "mj", number)
    (kay,) = table.records
    with pytest.raises(NotNow):
        table.start("ana", "full-character", {"initiator": [kay]})
    table.do(commands.SetOptions(seat="mj", options={"ruleset": "full"}))
    number = table.start("ana", "full-character", {"initiator": [kay]}, {kay: {"sex": "woman"}})
    table.fill("ana", number, {"name": "Kay Vos", "dexterity": 7, "strength": 5, "endurance": 6, "charm": 9,
                               "intelligence": 9, "willpower": 9})
    applied(table, "mj", number)
    grown = table.records[kay].record
    assert grown.scores() == {"dexterity": 7, "strength": 5, "endurance": 6, "charm": 9, "intelligence": 9,
                              "willpower": 9}
    assert (grown.name, grown.sex) == ("Kay Vos", Sex.WOMAN)


@pytest.mark.rules("EMP-030", "EMP-039")
def test_nothing_about_somebody_new_is_decided_unasked():
    table = hotseat(1, 2, 3, 4, 5, 6)
    number = table.start("ana", "roll-characteristics")
    table.throw("ana", number)
    table.fill("ana", number, {"name": "Ixi", **dict.fromkeys(("strength", "charm", "intelligence"), 8),
                               "dexterity": 9, "endurance": 9, "willpower": 9})
    assert table.moves[number].phase == "open"  # man or woman was not said
    table.fill("ana", number, {"sex": "woman"})
    assert table.moves[number].phase != "open"


@pytest.mark.rules("EMP-032", "EMP-034", "EMP-035", "EMP-036")
def test_a_whole_youth_is_drawn_at_a_throw_and_told_year_by_year():
    table = careful(1, 2, 3, 4, 5, 6, 2, 3, *(5, 3, 3, 3) * 4, *(4, 6, 6, 6) * 4, 2)
    name = rodéric(table)
    number = table.start("ana", "whole-youth", {"initiator": [name]}, {name: {"guild": "soldier", "terms": 2}})
    table.throw("ana", number)
    made = table.records[name].record
    assert (made.guild, made.age, made.grade, made.credits) == (Guild.SOLDIER, 26, 2, 12000)
    assert made.levels == {"35": 6}  # four times two levels, six at most
    assert not made.at_school
    assert not table.encounters
    told = [Teller("fr", SYSTEM).telling(line) for line in table.told("mj")]
    assert "À 19 ans, 35 Combat à distance\u00a0: 2 niveaux de plus." in told
    assert any("À 22 ans, grade 1" in line for line in told)


@pytest.mark.rules("EMP-035")
def test_the_odds_of_the_next_year_and_of_the_next_grade_are_told_and_exact():
    """Strength 9: three dice at or under 9, of which exactly 9; three levels out of the four years ahead."""
    career = Career((Student("x", Guild.SOLDIER, 18, 0),), schooled=True, score=9)
    year, grade, leaves = stands_told(career)
    assert year == {"one": 38, "two": 12}
    one = chance_of_grade(Guild.SOLDIER, 9, 0, (), 0, RULINGS)
    assert grade["chance"] == round(100 * one)
    assert one == odds(four_years, 9).chance(lambda levels: levels >= 3)
    assert leaves == {"age": 22}
    assert chance_of_grade(Guild.ADVENTURER, 9, 0, (), 0, RULINGS) is None


def four_years(dice, required):
    """The levels of four years, the plain way."""
    return sum(dice.resolve(acquisition, required, RULINGS) for _ in range(4))


def stands_told(career):
    return [line.values for line in stands(career, RULINGS)]


@pytest.mark.rules("EMP-030")
def test_a_spread_that_is_not_the_pool_is_refused(played):
    form = {
        "name": "Kay", "sex": "woman", "dexterity": 8, "strength": 9, "endurance": 9, "charm": 8,
        "intelligence": 8, "willpower": 8,
    }
    with pytest.raises(RuleError):
        played("roll-characteristics", 1, 2, 3, 4, 5, 6, initiator=form)


@pytest.mark.rules("EMP-032")
def test_a_failed_exam_may_be_sat_again_a_year_older(changes, sheet):
    jonas = sheet("jonas")
    def failed(choice):
        return changes("enter-school", 1, 1, initiator={"guild": "tekno", "after_failure": choice},
                       sheets={"initiator": jonas})

    assert failed("next_year") == {("initiator", "age"): 23}
    assert failed("other_guild") == {}
    assert failed("adventurer") == {("initiator", "at_school"): True}


@pytest.mark.rules("EMP-035", "EMP-036")
def test_a_term_gives_one_grade_and_money_is_given_once_on_leaving(changes, played, sheet):
    student = sheet("bastien", grade=0, school_years=4, at_school=True)
    written = changes("promotion", sheets={"initiator": student})
    assert written == {("initiator", "grade"): 1, ("initiator", "examined"): 4}
    with pytest.raises(RuleError):
        changes("promotion", sheets={"initiator": replace(student, grade=1, examined=4)})
    for at, reason in (({"at_school": False}, "not at school"), ({"school_years": 5}, "in the middle of a term")):
        with pytest.raises(RuleError):
            changes("leave-school", 3, sheets={"initiator": replace(student, **at)}), reason
    with pytest.raises(RuleError):
        changes("school-year", 1, 1, 1, 1, sheets={"initiator": replace(student, at_school=False)})


@pytest.mark.rules("EMP-051", "EMP-170", "EMP-172", "EMP-178")
def test_want_adds_dice_to_a_bare_characteristic_too(result, changes, sheet):
    starved = sheet("bastien", sleepless=True, hungry=True, trances=(Condition("superforce", 2),))
    form = {"sheets": {"initiator": starved}}
    assert result("characteristic-roll", 3, 3, 3, 4, initiator={"score": "strength"}, **form).success, "13, four dice"
    assert not result("characteristic-roll", 6, initiator={"score": "charm"}, **form).success, "one die less, 6 above 5"
    assert changes("characteristic-roll", 1, 1, 1, 1, initiator={"score": "strength"}, **form) == {
        ("initiator", "trances"): ()}


@pytest.mark.rules("EMP-045", "EMP-116")
def test_age_is_remembered_for_what_does_not_age(changes, sheet):
    written = changes("survival-roll", 1, 1, 1, sheets={"initiator": sheet("maelis", age=60)})
    assert (written["initiator", "dexterity"], written["initiator", "age_loss"]) == (11, 1)


@pytest.mark.rules("EMP-088", "EMP-173")
def test_armour_takes_off_what_one_can_carry(sheet, result):
    loaded = sheet("jonas", weapons=(), protections=(Protection("armour"),), equipment=(Item("sac", 1, 5000),))
    assert (loaded.strength, loaded.bearing, loaded.load) == (7, 4, -1)
    assert SYSTEM.kind("character").derived(loaded, SYSTEM.book.rulings())["combat"]["skill_32"]["strength"] == 6
    crushed = replace(loaded, equipment=(Item("coffre", 1, 13000),))
    assert crushed.load == -2
    assert "suit_untrained" in [fault.key for fault in SYSTEM.kind("character").check(loaded, SYSTEM.book.rulings())]
    assert "overloaded" in [fault.key for fault in SYSTEM.kind("character").check(crushed, SYSTEM.book.rulings())]
    day = result("daily-upkeep", sheets={"initiator": loaded})
    assert (day.load, day.metres) == (-1, 3)


@pytest.mark.rules("EMP-037")
def test_training_is_paid_and_takes_a_year(changes, sheet):
    rich = sheet("bastien", credits=200000)
    written = changes("training-year", 4, 4, 3, initiator={"skill": "35"}, sheets={"initiator": rich})
    assert (written["initiator", "credits"], written["initiator", "age"]) == (130000, 27)
    assert Skill("35", 4) in written["initiator", "skills"]
    with pytest.raises(RuleError):
        changes("training-year", initiator={"skill": "35"}, sheets={"initiator": sheet("bastien")})
    with pytest.raises(RuleError):
        changes("training-year", initiator={"skill": "22"}, sheets={"initiator": rich})


@pytest.mark.rules("EMP-167")
def test_a_retreat_tries_every_psi_skill_owned(changes, sheet):
    """Oriane: telekinesis 2 (four dice under 14), telepathy 4 (five under 16), consciousness 2 (four under 14)."""
    written = changes("psi-retreat", 3, 3, 3, 3, 6, 6, 6, 6, 6, 2, 2, 2, 2, initiator={},
                      sheets={"initiator": sheet("oriane")})
    levels = {skill.number: skill.level for skill in written["initiator", "skills"]}
    assert (levels["21"], levels["22"], levels["25"]) == (3, 4, 3)
    assert written["initiator", "age"] == 31


@pytest.mark.rules("EMP-044", "EMP-053")
def test_a_precise_success_opens_a_destiny_roll():
    table = hotseat(3, 3, 3, 2, 6, 6, 4, 4)
    table.add("bastien", KIND.ready("fr")["bastien"], owner="ana")
    number = table.start("ana", "skill-test", {"initiator": ["bastien"]},
                         {"bastien": {"skill": "35", "column": "precise"}})
    table.fill("mj", number, {"difficulty": "average"})
    table.throw("mj", number)
    table.fill("mj", number, {"tells": "kept"})
    assert [op.move.id for at, op in table.moves.items() if at != number] == ["destiny-roll"]


@pytest.mark.rules("EMP-044")
def test_destiny_is_written_on_the_sheet(changes, sheet):
    written = changes("destiny-roll", 6, 6, 4, 4, initiator={"dice": 4, "characteristic": "dexterity", "skill": "35"},
                      sheets={"initiator": sheet("bastien")})
    assert written["initiator", "destiny"] == 3
    assert Skill("35", 3) in written["initiator", "skills"]


@pytest.mark.rules("EMP-045")
def test_age_takes_a_point_off_the_body(changes, sheet):
    old = sheet("bastien", age=70)
    written = changes("survival-roll", 1, 1, 1, sheets={"initiator": old})
    assert [written["initiator", name] for name in ("dexterity", "strength", "endurance")] == [8, 10, 9]
    assert written["initiator", "resistance_physical"] == 27
    assert changes("survival-roll", 6, 6, 6, sheets={"initiator": sheet("bastien", age=17)}) == {}


@pytest.mark.rules("EMP-006")
def test_charm_and_willpower_are_swapped_after_a_warning(changes, sheet):
    warned = sheet("solveig", warned=True)
    written = changes("swap-characteristics", sheets={"initiator": warned})
    assert (written["initiator", "charm"], written["initiator", "willpower"]) == (8, 12)
    with pytest.raises(RuleError):
        changes("swap-characteristics", sheets={"initiator": sheet("solveig")})


# Blows on a sheet


@pytest.mark.rules("EMP-080", "EMP-082", "EMP-085", "EMP-087")
def test_a_blow_writes_wounds_states_and_ruined_armour(changes, sheet):
    """Bastien's sword, 4 dice high, 15: 27 points at the head, 4 of them on the helmet of another Bastien."""
    other = sheet("bastien")
    written = changes(
        "single-exchange", 4, 4, 4, 3, 6, 6, 6,
        initiator={"value": 16, "weapon": "sword", "attitude": "attack", "height": "high"},
        opponent={"value": 9, "weapon": "sword", "attitude": "attack", "height": "middle"},
        gm={"metres": 2}, sheets={"opponent": other})
    assert written["opponent", "resistance_physical"] == 30 - (27 - 4)
    assert {state.name for state in written["opponent", "conditions"]} == {"knocked_out", "disabled"}
    assert [wound.place for wound in written["opponent", "wounds"]] == ["head"]
    assert [piece.piece for piece in written["opponent", "protections"] if "head" in piece.ruined]


@pytest.mark.rules("EMP-095", "EMP-096", "EMP-097")
def test_a_choke_is_given_back_when_it_ends(changes, sheet):
    victim = sheet("jonas")
    held = changes("hold", 3, 3, 3, 3, initiator={"value": 14, "grip": "choke"}, sheets={"opponent": victim})
    assert held["opponent", "resistance_physical"] == victim.physical_most - 5
    choked = replace(victim, resistance_physical=victim.physical_most - 5,
                     conditions=held["opponent", "conditions"])
    freed = changes("break-free", 1, 1, 1, opponent={"strength": 9}, sheets={"initiator": choked})
    assert freed["initiator", "resistance_physical"] == victim.physical_most
    assert freed["initiator", "conditions"] == ()


@pytest.mark.rules("EMP-107")
@pytest.mark.option("stunners", "endurance_roll")
def test_a_stunner_asks_the_victims_endurance_where_the_table_says_so(changes, sheet):
    form = {"initiator": {"characteristic": 9, "level": 3, "weapon": "stunner"}, "opponent": {},
            "gm": {"distance": 3}, "sheets": {"opponent": sheet("jonas")}}
    shocked = changes("shoot", 3, 3, 3, **form)
    assert ("opponent", "resistance_physical") not in shocked
    down = changes("shoot", 3, 3, 3, 6, 6, 6, options={"stunners": "endurance_roll"}, **form)
    assert [state.name for state in down["opponent", "conditions"]] == ["knocked_out"]
    assert changes("shoot", 3, 3, 3, 1, 1, 1, options={"stunners": "endurance_roll"}, **form) == {}


@pytest.mark.rules("EMP-089")
def test_care_is_kept_for_the_rest_that_follows(changes, sheet):
    hurt = sheet("jonas", resistance_physical=20)
    written = changes("treat-wounds", initiator={"level": 2, "medibloc": True}, sheets={"patient": hurt})
    assert written["patient", "conditions"] == (Condition("tended", 5),)


@pytest.mark.rules("EMP-091")
@pytest.mark.option("fever", "fevered")
def test_a_fever_on_the_sheet(changes, sheet):
    form = {"gm": {"confirm": True}, "sheets": {"initiator": sheet("jonas", resistance_physical=20)}}
    assert Condition("dead") in changes("infection-check", 6, 6, 6, **form)["initiator", "conditions"]
    milder = changes("infection-check", 6, 6, 6, options={"fever": "fevered"}, **form)
    assert Condition("fevered") in milder["initiator", "conditions"]


# Time


def after(record, minutes, options=None, **habits):
    settled = SYSTEM.book.rulings(options or {})
    found = play(SYSTEM.passing, record, minutes, habits, settled, dice=ScriptedDice()).result
    return {change.path: change.after for change in found}


@pytest.mark.rules("EMP-089", "EMP-090")
def test_rest_heals_by_the_hour_the_day_or_the_week(sheet):
    """Jonas has 28 of resistance: 4 points lost are a shock, 12 a wound, 20 a lesion; Endurance 11."""
    assert after(sheet("jonas", resistance_physical=24), 60)["resistance_physical"] == 28
    assert "resistance_physical" not in after(sheet("jonas", resistance_physical=16), 60)
    assert after(sheet("jonas", resistance_physical=16), 24 * 60)["resistance_physical"] == 27
    assert after(sheet("jonas", resistance_physical=8), 7 * 24 * 60)["resistance_physical"] == 19
    assert "resistance_physical" not in after(sheet("jonas", resistance_physical=24), 60, rest=False)


@pytest.mark.rules("EMP-162", "EMP-164")
@pytest.mark.option("psi_healing", "point")
def test_recovery_heals_by_the_quarter_of_an_hour(sheet):
    hurt = sheet("jonas", resistance_physical=24, trances=(Condition("recovery", 7),))
    assert after(hurt, 15)["resistance_physical"] == 28
    assert after(hurt, 15, {"psi_healing": "point"})["resistance_physical"] == 25


@pytest.mark.rules("EMP-130", "EMP-160", "EMP-170", "EMP-172")
def test_thinking_frees_and_a_night_gives_willpower_back(sheet):
    swayed = sheet("bastien", resistance_mental=6, mind_state=MindState.CONVINCED, willpower_spent=4)
    assert "resistance_mental" not in after(swayed, 60)
    day = after(swayed, 24 * 60, slept=8, rations=0)
    assert (day["resistance_mental"], day["willpower_spent"], day["hungry"]) == (15, 0, True)
    assert after(sheet("bastien"), 24 * 60, slept=4)["sleepless"]


@pytest.mark.rules("EMP-170", "EMP-172", "EMP-173", "EMP-174", "EMP-175", "EMP-176", "EMP-178")
def test_a_sleepless_hungry_day_costs_dice(changes, result, sheet):
    written = changes("daily-upkeep", initiator={"slept": 4, "rations": 0}, sheets={"initiator": sheet("bastien")})
    assert written == {("initiator", "sleepless"): True, ("initiator", "hungry"): True}
    tired = sheet("bastien", sleepless=True, hungry=True)
    done = result("skill-test", 1, 1, 1, 1, 1, initiator={"skill": "35"}, sheets={"initiator": tired})
    assert done[0].success
    done = result("skill-test", 1, 1, initiator={"skill": "51"}, sheets={"initiator": tired})
    assert done[0].success


@pytest.mark.rules("EMP-039")
def test_a_blank_sheet_is_an_ordinary_person():
    blank = Character("Personne")
    assert (blank.sex, blank.physical_most, blank.mental_most) == (Sex.MAN, 21, 21)
    assert faults(blank) == set()


@pytest.mark.rules("EMP-078", "EMP-107")
def test_a_stunner_at_contact_shocks_without_wounding(changes, sheet):
    """A hand weapon too: table C, after armour, for the shock alone."""
    form = {"initiator": {"value": 14, "weapon": "stunner", "attitude": "attack"},
            "opponent": {"value": 5, "weapon": "dagger", "attitude": "attack"}, "sheets": {"opponent": sheet("jonas")}}
    written = changes("single-exchange", 5, 5, 4, 6, 6, 6, **form)
    assert ("opponent", "resistance_physical") not in written
    assert [state.name for state in written["opponent", "conditions"]] == ["stunned"]


@pytest.mark.rules("EMP-112", "EMP-113", "EMP-114")
def test_a_missed_grenade_goes_off_where_it_fell(result, sheet):
    """NT 4: at the target 28 points; missed, it falls four squares off, or as near as the game master says."""
    thrower = {"characteristic": 9, "level": 1}
    near, far = {"squares": 0, "resistance": 24}, {"squares": 3, "resistance": 24, "squares_beside": 1}
    form = {"initiator": thrower, "opponent": [near, far], "gm": {"tech_level": 4}}
    assert [one.points for one in result("grenade", 3, 3, 3, 4, 3, **form).landed] == [28, 7]
    assert [one.points for one in result("grenade", 6, 6, 6, 4, 3, **form).landed] == [0, 21]
    evading = {**form, "gm": {"tech_level": 4, "may_evade": True},
               "opponent": [{**near, "evasion": 18}, {**far, "evasion": 10}]}
    assert [one.points for one in result("grenade", 3, 3, 3, 4, 3, 3, 3, 3, **evading).landed] == [28, 0]
