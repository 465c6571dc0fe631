"""The negotiation of a test, what weighs on a sheet, and rules put right, with the lines of the document they cite."""

from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, play
from paravent.dice.play import ScriptedFaces
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import characteristics_of, check_characteristic
from paravent.systems.empire.actions.errors import NotOfThisSkill
from paravent.systems.empire.fights.combat import Attitude, exchange
from paravent.systems.empire.fights.duel import Stance
from paravent.systems.empire.fights.errors import OutOfReach
from paravent.systems.empire.fights.shooting import Band, range_dice
from paravent.systems.empire.people.character import Condition, Skill, Wound
from paravent.systems.empire.people.creation import destiny_roll
from paravent.systems.empire.people.moves_days import passing, still_owed
from paravent.systems.empire.people.survival import extra_sleep
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.throws import weight_of
from paravent.table.hotseat import Hotseat
from seats import BLOW_SEALED, hidden_from, moves_seen, told_keys

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
PLAYERS = SYSTEM.kind("character").ready("fr")
CAST = SYSTEM.kind("npc").ready("fr")
RULINGS = SYSTEM.book.rulings()


def table(*faces, **options):
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    for name, owner in (("bastien", "ana"), ("oriane", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    hotseat.add("sentry", CAST["sentry"], owner="mj", kind="npc")
    return hotseat


def asked(hotseat, **judged):
    number = hotseat.start("ana", "skill-test", {"initiator": ["bastien"]},
                           {"bastien": {"skill": "35", "column": "precise"}})
    hotseat.fill("mj", number, {"difficulty": "average", **judged})
    return number


# What is told of a test (document 3322 to 3326)


@pytest.mark.rules("EMP-053", "EMP-057")
@pytest.mark.parametrize(("tells", "heard"), [
    ({"tells": "adjective"}, ["told_success"]),
    ({"tells": "own_words", "in_words": "La porte cède."}, ["told_in_words"]),
    ({"tells": "kept"}, []),
])
def test_the_adjective_is_the_game_masters_to_tell(tells, heard):
    hotseat = table(3, 3, 3, 2)
    number = asked(hotseat)
    hotseat.throw("mj", number)
    for seat in ("ana", "bob", "zoe"):
        assert told_keys(hotseat, seat) == ["told_succeeds_with"]
    assert "told_success" in told_keys(hotseat, "mj")
    hidden_from(hotseat, ("ana", "bob", "zoe"), '"adjective"', '"difficulty"', '"tells"')
    hotseat.fill("mj", number, tells)
    for seat in ("ana", "bob", "zoe"):
        assert told_keys(hotseat, seat) == ["told_succeeds_with", *heard]


@pytest.mark.rules("EMP-002", "EMP-057")
@pytest.mark.option("dice_hand", "player")
def test_where_the_player_throws_the_adjective_is_told_at_once():
    hotseat = table(3, 3, 3, 2, dice_hand="player")
    number = asked(hotseat)
    hotseat.throw("ana", number)
    assert told_keys(hotseat, "ana") == ["told_succeeds_with", "told_success"]


@pytest.mark.rules("EMP-002")
@pytest.mark.option("dice_hand", "gm")
def test_where_the_game_master_throws_nobody_else_sees_the_dice():
    hotseat = table(3, 3, 3, 2, dice_hand="gm")
    number = asked(hotseat)
    hotseat.throw("mj", number)
    for seat in ("ana", "bob", "zoe"):
        assert not any("faces" in die for move in moves_seen(hotseat, seat) for throw in move["throws"]
                       for die in throw.get("dice", ()))


# The three characteristics of a skill (document 3098 to 3102, 3147 to 3149)


@pytest.mark.rules("EMP-052", "EMP-060")
def test_the_game_master_may_name_another_of_the_three(result, sheet):
    form = {"initiator": {"skill": "34", "characteristic": "dexterity"}, "gm": {"named": "strength"},
            "sheets": {"initiator": sheet("bastien", strength=12, dexterity=2)}}
    assert result("skill-test", 4, 4, 4, **form)[0].success


@pytest.mark.rules("EMP-052", "EMP-060")
def test_a_skill_goes_through_no_other_characteristic(result, sheet):
    with pytest.raises(NotOfThisSkill):
        result("skill-test", 4, 4, 4, initiator={"skill": "34", "characteristic": "charm"},
               sheets={"initiator": sheet("bastien")})
    with pytest.raises(NotOfThisSkill):
        check_characteristic("34", Characteristic.CHARM)


# Behind the screen


@pytest.mark.rules("EMP-002", "EMP-053", "EMP-057")
def test_a_secret_test_is_known_to_the_game_master_alone():
    hotseat = table(3, 3, 3, 2)
    before = {seat: moves_seen(hotseat, seat) for seat in ("ana", "bob", "zoe")}
    number = hotseat.start("mj", "secret-test", {"initiator": ["bastien"]}, {"bastien": {"skill": "35"}})
    hotseat.fill("mj", number, {"column": "precise"}, "bastien")
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "mj") == ["told_succeeds_with", "told_success"]
    for seat in ("ana", "bob", "zoe"):
        assert moves_seen(hotseat, seat) == before[seat]
    hidden_from(hotseat, ("ana", "bob", "zoe"), "secret-test", '"adjective"')


# What weighs


@pytest.mark.rules("EMP-080", "EMP-082", "EMP-160")
@pytest.mark.parametrize(("path", "before", "after", "weight"), [
    ("resistance_physical", 24, 18, "grave"), ("resistance_physical", 18, 24, "certain"),
    ("resistance_mental", 20, 12, "grave"), ("wounds", (), (Wound("torso", 6),), "grave"),
    ("conditions", (), (Condition("knocked_out", 12),), "grave"),
    ("conditions", (Condition("stunned"),), (), "certain"),
    ("conditions", (), (Condition("tended", 2),), "certain"), ("trances", (), (Condition("controlled"),), "grave"),
    ("trances", (), (Condition("superforce", 7),), "certain"), ("mind_state", "free", "convinced", "grave"),
    ("willpower_spent", 0, 2, "certain"), ("credits", 900, 100, "certain"), ("acted", 2, 3, "bookkeeping"),
])
def test_harm_is_grave_what_one_spends_is_certain_and_counting_is_bookkeeping(path, before, after, weight):
    assert weight_of(path, before, after) == weight


@pytest.mark.rules("EMP-080", "EMP-087")
def test_a_blow_waits_for_the_game_master_and_is_counted_for_its_victim_alone():
    hotseat = table(4, 4, 4, 6, 6, 6)
    number = hotseat.start("ana", "single-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]})
    hotseat.fill("mj", number, {"metres": 2})
    hotseat.seal("ana", number, {"attitude": "attack", **BLOW_SEALED})
    hotseat.seal("mj", number, {"attitude": "attack", **BLOW_SEALED}, "sentry")
    hotseat.fill("ana", number, {"weapon": "sword"})
    hotseat.throw("ana", number)
    if hotseat.moves[number].phase == "open":
        hotseat.throw("mj", number)
    assert hotseat.moves[number].phase == "settled"
    assert any(key.startswith("told_lost") for key in told_keys(hotseat, "mj"))
    assert "told_points" in told_keys(hotseat, "ana")
    assert not any(key.startswith("told_lost") for seat in ("ana", "bob", "zoe") for key in told_keys(hotseat, seat))


@pytest.mark.rules("EMP-080")
def test_how_hard_a_blow_was_is_said_once_to_whoever_answers_for_the_striker_and_sees_what_it_cost():
    hotseat = table(6, 6, 6, 4, 4, 1)
    number = hotseat.start("ana", "single-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]})
    hotseat.fill("mj", number, {"metres": 2})
    for who, *whose in (("ana",), ("mj", "sentry")):
        hotseat.seal(who, number, {"attitude": "attack", **BLOW_SEALED}, *whose)
    hotseat.throw("ana", number)
    for seat in ("mj", "ana"):
        hard = [key for key in told_keys(hotseat, seat) if key.startswith(("told_points", "told_lost", "told_blow"))]
        assert hard == ["told_points", "told_lost_behind"]


# Rules put right


@pytest.mark.rules("EMP-104")
def test_beyond_the_range_the_die_of_long_range_stays():
    """Document 4473 to 4486: the number of dice tells nothing."""
    assert range_dice(Band.BEYOND) == range_dice(Band.FAR) == 1


@pytest.mark.rules("EMP-078", "EMP-100")
def test_a_shot_at_five_metres_or_less_is_combat_at_close_quarters(result, sheet):
    """R-66: Contact combat from 2 to 5 m, and under 2 m only hand weapons."""
    gunner = sheet("bastien", skills=(Skill("34", 6),), dexterity=7, weapons=())
    form = {"initiator": {"weapon": "rifle"}, "sheets": {"initiator": gunner}}
    assert result("shoot", 4, 4, 4, gm={"distance": 4}, **form).shot.hit
    assert not result("shoot", 4, 4, 4, gm={"distance": 6}, **form).shot.hit
    with pytest.raises(OutOfReach):
        result("shoot", 4, 4, 4, gm={"distance": 1}, **form)


@pytest.mark.rules("EMP-152", "EMP-168")
def test_what_is_not_seen_is_not_moved_and_nobody_else_learns_of_it():
    """Document 5517 to 5524 and 5754 to 5756."""
    hotseat = table(1, 1, 1)
    adept = replace(PLAYERS["bastien"], name="adepte", skills=(Skill("21", 2),), weapons=())
    hotseat.add("adepte", adept, owner="ana")
    number = hotseat.start("ana", "psi-act", {"initiator": ["adepte"]}, {"adepte": {"power_name": "lift"}})
    hotseat.fill("mj", number, {"seen": False})
    hotseat.throw("ana", number)
    if hotseat.moves[number].phase == "open":
        hotseat.answer("ana", number, "lift")
    assert "told_unseen" in told_keys(hotseat, "ana")
    (seen,) = [move for move in moves_seen(hotseat, "ana") if move["move"] == "psi-act"]
    assert [throw["outcome"] for throw in seen["throws"]] == ["failure"]
    for seat in ("bob", "zoe"):
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])


@pytest.mark.rules("EMP-044")
def test_destiny_at_level_six_does_not_say_that_the_skill_rises():
    result = play(destiny_roll, 3, 7, 6, RULINGS, dice=ScriptedDice(6, 6, 6)).result
    outcome = SYSTEM.moves["destiny-roll"].resolves[0].outcome
    assert (result.levels, outcome(result)) == (0, "destiny_full")


@pytest.mark.rules("EMP-079")
@pytest.mark.parametrize(("faces", "note"), [
    ((1, 1, 1, 6, 6, 6), "one_fails"), ((6, 6, 6, 6, 6, 6), "both_fail"), ((1, 1, 1, 2, 2, 2), "cell_both"),
])
def test_the_explanation_of_an_exchange_says_what_happened(faces, note):
    side = Stance(10, 3, "C")
    played = play(exchange, Attitude.ATTACK, side, Attitude.ATTACK, side, RULINGS, dice=ScriptedDice(*faces))
    keys = [line.key for line in played.notes]
    assert note in keys
    assert sum(key.startswith("cell_") or key in ("one_fails", "both_fail") for key in keys) == 1


@pytest.mark.rules("EMP-170", "EMP-175")
def test_the_sleep_that_a_march_costs_is_owed_until_it_is_slept_off(changes, sheet):
    written = changes("daily-upkeep", initiator={"gait": "forced_march", "hours": 2, "slept": 6},
                      sheets={"initiator": sheet("bastien")})
    assert written["initiator", "sleep_owed"] == extra_sleep("forced_march", 2, 7) > 0
    assert still_owed(4, 8) == 2
    weary = sheet("bastien", sleep_owed=4, sleepless=True)
    short = {change.path: change.after for change in passing(ScriptedDice(), weary, 720, {"slept": 8}, RULINGS)}
    long = {change.path: change.after for change in passing(ScriptedDice(), weary, 720, {"slept": 12}, RULINGS)}
    assert (short.get("sleepless"), short["sleep_owed"]) == (None, 2)
    assert (long["sleepless"], long["sleep_owed"]) == (False, 0)


@pytest.mark.rules("EMP-020")
def test_the_odds_of_a_quick_character_thrown_by_hand_are_answered():
    hotseat = table(3, 5, ruleset="quick")
    number = hotseat.start("ana", "quick-character", {}, {})
    hotseat.throw("ana", number, by_hand=True)
    hotseat.odds("ana", number)
    hotseat.odds("mj", number)


# What is offered is legal


def facts(move, role="initiator", field="characteristic", **records):
    """What a field of a move offers to choose from, with these sheets."""
    ctx = SYSTEM.context(move, {one: [{}] for one in records}, records)
    asked = next(one for one in SYSTEM.move(move).fields if one.id == field and one.role == role)
    return list(asked.type.describe(ctx).options)


@pytest.mark.rules("EMP-052", "EMP-060")
@pytest.mark.parametrize(("move", "skill"), [
    ("ambush", "31"), ("shoot", "35"), ("grenade", "35"), ("disguise", "24"), ("command", "33"), ("hypnotise", "45"),
    ("learn-language", "42"), ("work-administration", "62"), ("convert", "61"), ("find-way", "52"), ("haggle", "44"),
    ("query-data-bank", "65"), ("bribe", "41"), ("cyborg-link", "35"), ("leave-port", "24"),
])
def test_a_test_of_a_skill_offers_its_three_characteristics_and_no_other(move, skill):
    assert facts(move, initiator=PLAYERS["solveig"]) == [one.value for one in characteristics_of(skill)]


@pytest.mark.rules("EMP-006")
@pytest.mark.option("opposites", "also_physical")
def test_only_the_pairs_that_the_table_swaps_are_offered():
    move = SYSTEM.move("swap-characteristics")
    asked = next(one for one in move.fields if one.id == "pair")
    for options, pairs in (({}, ["charm_willpower"]),
                           ({"opposites": "also_physical"}, ["charm_willpower", "strength_dexterity"])):
        ctx = SYSTEM.context(move, {}, {"initiator": PLAYERS["solveig"]}, SYSTEM.book.rulings(options))
        assert list(asked.type.describe(ctx).options) == pairs


@pytest.mark.rules("EMP-086", "EGW-127")
def test_the_dead_throw_no_grenade_and_an_empty_purse_asks_no_data_bank():
    dead = replace(PLAYERS["solveig"], conditions=(Condition("dead"),))
    poor = replace(PLAYERS["solveig"], credits=0)
    for move, sheet in (("grenade", dead), ("query-data-bank", poor)):
        for one, is_offered in ((PLAYERS["solveig"], True), (sheet, False)):
            ctx = SYSTEM.context(move, {"initiator": [{}]}, {"initiator": one})
            assert SYSTEM.move(move).can_come(ctx) is is_offered
