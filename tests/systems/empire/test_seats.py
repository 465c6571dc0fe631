"""Empire galactique from four seats: what the game master, the owner, another player and a spectator may know."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import MissingField, NotYours
from paravent.game.errors import NotNow
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.people.character import Skill
from paravent.table.hotseat import Hotseat
from seats import BLOW_SEALED, hidden_from, moves_seen, page, told_keys

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
OTHERS = ("bob", "zoe")
PLAYERS = SYSTEM.kind("character").ready("fr")
CAST = SYSTEM.kind("npc").ready("fr")


@pytest.fixture
def table():
    """Bastien and Solveig are Ana's, Oriane is Bob's, the sentry and the commander the game master's."""

    def opened(*faces, **options):
        hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
        for name, owner in (("bastien", "ana"), ("solveig", "ana"), ("oriane", "bob"), ("maelis", "ana")):
            hotseat.add(name, PLAYERS[name], owner=owner)
        for name in ("sentry", "commander"):
            hotseat.add(name, CAST[name], owner="mj", kind="npc")
        return hotseat

    return opened


def throws(hotseat, seat):
    return [throw for move in moves_seen(hotseat, seat) for throw in move["throws"]]


def faces(hotseat, seat):
    return [die["faces"] for throw in throws(hotseat, seat) for die in throw.get("dice", ()) if "faces" in die]


# Difficulties


@pytest.mark.rules("EMP-022", "EMP-023")
@pytest.mark.option("ruleset", "quick")
def test_the_step_of_the_quick_rule_is_the_game_masters(table):
    hotseat = table(4, 5, ruleset="quick")
    number = hotseat.start("ana", "quick-action", {"initiator": ["bastien"]}, {"bastien": {"own_quality": 8}})
    hotseat.fill("mj", number, {"share": "mental", "step": -4})
    hotseat.throw("mj", number)
    assert throws(hotseat, "mj")[0]["outcome"] == "failure"
    assert faces(hotseat, "mj") == [[4, 5]]
    for seat in ("ana", *OTHERS):
        assert throws(hotseat, seat)[0]["outcome"] == "failure"
        assert faces(hotseat, seat) == []
        assert told_keys(hotseat, seat) == ["told_fails", "told_failure"]
    hidden_from(hotseat, ("ana", *OTHERS), '"step": -4', '"result"')


@pytest.mark.rules("EMP-053", "EMP-057")
def test_a_difficulty_is_hidden_and_its_odds_are_several(table):
    hotseat = table(3, 3, 3, 2)
    number = hotseat.start("ana", "skill-test", {"initiator": ["bastien"]},
                           {"bastien": {"skill": "35", "column": "precise"}})
    hotseat.fill("mj", number, {"difficulty": "average"})
    mine = hotseat.odds("ana", number)
    assert set(mine) == {"easy", "average", "hard"}
    assert set(hotseat.odds("mj", number)) == {None}
    hotseat.throw("mj", number)
    assert faces(hotseat, "mj") == [[3, 3, 3, 2]]
    for seat in ("ana", *OTHERS):
        assert faces(hotseat, seat) == []
        assert (throws(hotseat, seat)[0]["outcome"], told_keys(hotseat, seat)) == ("success", ["told_succeeds_with"])
    hidden_from(hotseat, ("ana", *OTHERS), '"difficulty"', '"adjective"')


@pytest.mark.rules("EMP-002", "EMP-053")
def test_dice_handed_over_are_seen_by_whoever_throws_them(table):
    hotseat = table(3, 3, 3)
    number = hotseat.start("ana", "skill-test", {"initiator": ["bastien"]}, {"bastien": {"skill": "35"}})
    hotseat.fill("mj", number, {"difficulty": "average", "handed": True})
    hotseat.throw("ana", number)
    assert faces(hotseat, "ana") == faces(hotseat, "mj") == [[3, 3, 3]]
    assert faces(hotseat, "bob") == faces(hotseat, "zoe") == []


@pytest.mark.rules("EMP-058")
def test_a_secret_mod_stays_secret(table):
    hotseat = table(3, 3, 3)
    number = hotseat.start("ana", "skill-test", {"initiator": ["bastien"]}, {"bastien": {"skill": "35"}})
    hotseat.fill("mj", number, {"hide_mods": True})
    hotseat.fill("mj", number, {"hidden_mods": -7})
    hotseat.throw("mj", number)
    assert throws(hotseat, "mj")[0]["outcome"] == "failure"
    hidden_from(hotseat, ("ana", *OTHERS), "-7", '"hidden_mods"')


@pytest.mark.rules("EMP-051", "EMP-061")
@pytest.mark.parametrize(("move", "form"), [
    ("characteristic-roll", {"act": "overhear"}), ("evasion-roll", {"side": "physical"}),
])
def test_the_game_master_rolls_behind_the_screen(table, move, form):
    hotseat = table(*((1, 2) if move == "characteristic-roll" else (1, 2, 1)))
    number = hotseat.start("mj", move, {"initiator": ["bastien"]}, {"gm": form})
    hotseat.throw("mj", number)
    assert len(faces(hotseat, "mj")) == 1
    for seat in ("ana", *OTHERS):
        assert faces(hotseat, seat) == []
        assert throws(hotseat, seat)[0]["outcome"] in ("success", "evaded")


@pytest.mark.rules("EMP-023")
def test_the_quick_rule_is_offered_where_the_table_plays_it(table):
    with pytest.raises(NotNow):
        table().start("ana", "quick-action", {"initiator": ["bastien"]})


# Secrets of the game master


@pytest.mark.rules("EMP-010", "EMP-011")
def test_nobody_knows_that_an_ally_was_tested(table):
    hotseat = table(5, 4, 4)
    with pytest.raises(NotYours):
        hotseat.start("ana", "loyalty-test", {"initiator": ["solveig"]})
    number = hotseat.start("mj", "loyalty-test", {"initiator": ["solveig"]}, {"gm": {"ally_role": "informant"}})
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "mj") == ["told_lies"]
    for seat in ("ana", *OTHERS):
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])


@pytest.mark.rules("EMP-003")
def test_what_the_dice_really_said_stays_with_the_game_master(table):
    hotseat = table(6, 6, 6)
    number = hotseat.start("mj", "override", {}, {"gm": {"dice": 3, "threshold": 10, "announced": True}})
    hotseat.throw("mj", number)
    assert faces(hotseat, "mj") == [[6, 6, 6]]
    assert "told_true_failure" in told_keys(hotseat, "mj")
    for seat in ("ana", *OTHERS):
        assert (faces(hotseat, seat), told_keys(hotseat, seat)) == ([], ["told_announced_success"])


@pytest.mark.rules("EMP-004", "EMP-005")
def test_a_whisper_is_for_one_player(table):
    hotseat = table()
    number = hotseat.start("mj", "whisper", {"initiator": ["bastien"]}, {"gm": {"text": "La clé est fausse."}})
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "ana") == ["told_whisper"]
    for seat in OTHERS:
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])
    hidden_from(hotseat, OTHERS, "fausse")


@pytest.mark.rules("EMP-004")
def test_what_only_a_trade_knows_is_kept_from_the_others(table):
    hotseat = table()
    number = hotseat.start("mj", "whisper", {"initiator": ["bastien"]}, {
        "gm": {"text": "Le joint est neuf.", "knowledge": "technical", "unlocks": ["63", "tekno"]}})
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "ana") == []
    assert told_keys(hotseat, "mj") == ["told_kept_back"]
    hidden_from(hotseat, ("ana", *OTHERS), "joint")


# Ambush and disguise


@pytest.mark.rules("EMP-074")
def test_a_failed_watch_and_a_true_absence_read_alike(table):
    pages = []
    for thrown, there in (((6, 6, 6), True), ((1, 1, 2), False)):
        hotseat = table(*thrown)
        number = hotseat.start("ana", "ambush", {"initiator": ["bastien"]})
        hotseat.fill("mj", number, {"something_there": there})
        hotseat.throw("mj", number)
        assert faces(hotseat, "mj") == [list(thrown)]
        assert told_keys(hotseat, "ana") == ["hint_nothing"]
        pages.append(page(hotseat, "ana"))
        for seat in OTHERS:
            assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])
    assert pages[0] == pages[1]


@pytest.mark.rules("EMP-074")
def test_a_watch_that_notices_says_so_to_the_watcher_alone(table):
    hotseat = table(1, 1, 2)
    number = hotseat.start("ana", "ambush", {"initiator": ["bastien"]})
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "ana") == ["hint_noise"]
    assert faces(hotseat, "ana") == []
    assert told_keys(hotseat, "bob") == []


@pytest.mark.rules("EMP-140")
def test_nobody_tells_what_a_disguise_is_worth(table):
    pages = []
    for thrown in ((6, 6, 6), (1, 1, 2)):
        hotseat = table(*thrown)
        number = hotseat.start("ana", "disguise", {"initiator": ["solveig"]})
        hotseat.throw("mj", number)
        assert faces(hotseat, "mj") == [list(thrown)]
        pages.append(page(hotseat, "ana"))
        for seat in OTHERS:
            assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])
        hidden_from(hotseat, ("ana", *OTHERS), "ridiculous", "intimates")
    assert pages[0] == pages[1]


# A fight


def fight(hotseat, mine="attack"):
    number = hotseat.start("mj", "single-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]},
                           {"gm": {"metres": 2}})
    hotseat.seal("ana", number, {"attitude": mine, **BLOW_SEALED})
    return number


def meet(hotseat, number, theirs="attack"):
    hotseat.seal("mj", number, {"attitude": theirs, **BLOW_SEALED}, "sentry")
    hotseat.fill("ana", number, {"weapon": "sword"})
    hotseat.fill("mj", number, {"weapon": "rifle"}, "sentry")


@pytest.mark.rules("EMP-075", "EMP-079")
def test_attitudes_lie_face_down_until_both_have_chosen(table):
    hotseat = table()
    number = fight(hotseat)
    for seat in ("mj", *OTHERS):
        assert "attack" not in json.dumps(moves_seen(hotseat, seat)[0]["fields"])
    hotseat.seal("mj", number, {"attitude": "feint", **BLOW_SEALED}, "sentry")
    for seat in SEATS:
        seen = json.dumps(moves_seen(hotseat, seat)[0]["fields"])
        assert ("attack" in seen, "feint" in seen) == (True, True)


@pytest.mark.rules("EMP-079", "EMP-080")
def test_each_side_sees_its_own_dice_and_nobody_the_sentrys_points(table):
    hotseat = table(4, 4, 3, 6, 6, 6)
    number = fight(hotseat)
    meet(hotseat, number)
    hotseat.throw("ana", number)
    assert faces(hotseat, "mj") == [[4, 4, 3], [6, 6, 6]]
    assert faces(hotseat, "ana") == [[4, 4, 3]]
    assert faces(hotseat, "bob") == faces(hotseat, "zoe") == []
    for seat in SEATS:
        assert throws(hotseat, seat)[0]["outcome"] == "b_hurt"
    assert "told_points" not in told_keys(hotseat, "bob") + told_keys(hotseat, "zoe")
    hotseat.accept("mj", number)
    sentry = hotseat.records["sentry"].record
    assert sentry.resistance_physical < sentry.physical_most
    for seat in ("ana", *OTHERS):
        assert "resistance_physical" not in json.dumps(hotseat.seen(seat)["records"].get("sentry", {}))


# Shots


@pytest.mark.rules("EMP-104", "EMP-105")
def test_a_shot_out_of_range_reads_like_any_miss(table):
    pages = []
    for thrown, distance in (((6, 6, 6, 6), 500), ((6, 6, 6, 6), 1200)):  # as many dice, document 4473 to 4486
        hotseat = table(*thrown)
        number = hotseat.start("ana", "shoot", {"initiator": ["bastien"], "opponent": ["sentry"]},
                               {"bastien": {"weapon": "rifle"}})
        hotseat.fill("mj", number, {"distance": distance, "difficulty": "average"})
        hotseat.throw("ana", number)
        assert faces(hotseat, "ana") == [list(thrown)]
        assert (throws(hotseat, "ana")[0]["outcome"], told_keys(hotseat, "ana")) == ("missed", ["told_missed"])
        pages.append([page(hotseat, seat) for seat in ("ana", *OTHERS)])
        hidden_from(hotseat, ("ana", *OTHERS), "beyond", '"distance"')
    assert pages[0] == pages[1]


@pytest.mark.rules("EMP-108", "EMP-110")
def test_what_is_left_of_a_machine_is_the_game_masters(table):
    hotseat = table(3, 3, 3)
    number = hotseat.start("ana", "sabotage", {"initiator": ["bastien"]},
                           {"bastien": {"weapon": "rifle", "skill": "35"}})
    hotseat.fill("mj", number, {"exposure": "protected", "tech_level": 3, "quality": 8})
    hotseat.throw("ana", number)
    assert "told_thing_struck" in told_keys(hotseat, "mj")
    for seat in ("ana", *OTHERS):
        assert "told_thing_struck" not in told_keys(hotseat, seat)
        assert throws(hotseat, seat)[0]["outcome"] == "hit"
    hidden_from(hotseat, ("ana", *OTHERS), '"quality"', '"exposure"', '"margin_used"')
    assert (faces(hotseat, "ana"), faces(hotseat, "bob")) == ([[3, 3, 3]], [])


@pytest.mark.rules("EMP-098")
def test_a_fall_is_told_as_a_fall_and_how_hard_it_was_to_whoever_fell(table):
    hotseat = table(3, 3, 3)
    number = hotseat.start("mj", "fall", ONE, {"gm": {"drop_cm": 500}})
    hotseat.throw("mj", number)
    everybody, *rest = told_keys(hotseat, "bob")
    assert everybody == "told_fall"
    for seat in ("mj", "ana"):
        assert told_keys(hotseat, seat) == ["told_fall", "told_lost", *rest]
    assert "told_struck" not in rest


# Words


@pytest.mark.rules("EMP-129", "EMP-126", "EMP-122")
def test_a_verbal_duel_to_a_secret_target(table):
    hotseat = table(2, 2, 3, 6, 6, 6)
    number = hotseat.start("ana", "verbal-duel", {"initiator": ["solveig"], "opponent": ["commander"]},
                           {"solveig": {"request": "Une autorisation de départ"}})
    hotseat.fill("mj", number, {"target": 37, "relation": "neutral"})
    assert hotseat.moves[number].phase == "closed", "there is nothing to apply"
    hidden_from(hotseat, ("ana", *OTHERS), "37", '"relation"')
    assert "37" in page(hotseat, "mj")
    number = hotseat.start("ana", "verbal-exchange", {"initiator": ["solveig"], "opponent": ["commander"]},
                           encounter=1)
    hotseat.seal("ana", number, {"manner": "seduction"})
    for seat in ("mj", *OTHERS):
        assert "seduction" not in json.dumps(moves_seen(hotseat, seat)[-1]["fields"])
    hotseat.seal("mj", number, {"manner": "logic"}, "commander")
    hotseat.fill("ana", number, {"column": "normal"})
    hotseat.throw("ana", number)
    assert "told_influence" in told_keys(hotseat, "mj")
    for seat in ("ana", *OTHERS):
        assert "told_influence" not in told_keys(hotseat, seat)
    hidden_from(hotseat, ("ana", *OTHERS), "37", '"influence"')
    assert [6, 6, 6] not in faces(hotseat, "ana")
    assert faces(hotseat, "bob") == []


@pytest.mark.rules("EMP-141", "EMP-143")
@pytest.mark.parametrize(("move", "who"), [("command", "bastien"), ("hypnotise", "solveig")])
def test_how_long_an_order_holds_is_the_game_masters(table, move, who):
    hotseat = table(2, 2, 2, 5)
    number = hotseat.start("ana", move, {"initiator": [who], "opponent": ["sentry"]})
    hotseat.throw("ana", number)
    assert "told_minutes" in told_keys(hotseat, "mj")
    for seat in ("ana", *OTHERS):
        assert "told_minutes" not in told_keys(hotseat, seat)
        assert throws(hotseat, seat)[0]["outcome"] in ("success", "asleep")
    assert faces(hotseat, "bob") == faces(hotseat, "zoe") == []


@pytest.mark.rules("EMP-144")
def test_what_an_office_still_needs_is_the_game_masters(table):
    hotseat = table(2, 2, 2, 5)
    number = hotseat.start("ana", "work-administration", {"initiator": ["solveig"], "opponent": ["commander"]})
    hotseat.fill("mj", number, {"target": 97, "influence": 83})
    hotseat.throw("ana", number)
    hidden_from(hotseat, ("ana", *OTHERS), "97", "83", '"influence"')
    assert "told_influence" in told_keys(hotseat, "mj")


# PSI


@pytest.mark.rules("EMP-168", "EMP-154")
def test_of_a_psi_act_that_fails_others_learn_nothing(table):
    hotseat = table(6, 6, 6)
    number = hotseat.start("bob", "psi-act", {"initiator": ["oriane"], "opponent": ["sentry"]},
                           {"oriane": {"power_name": "empathy"}})
    hotseat.throw("bob", number)
    assert faces(hotseat, "bob") == faces(hotseat, "mj") == [[6, 6, 6]]
    assert told_keys(hotseat, "bob") == ["told_psi_failed"]
    for seat in ("ana", "zoe"):
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])


@pytest.mark.rules("EMP-168", "EMP-152")
def test_of_a_psi_act_that_works_others_see_what_moves(table):
    hotseat = table(1, 2, 2)
    number = hotseat.start("bob", "psi-act", {"initiator": ["oriane"]},
                           {"oriane": {"power_name": "lift", "power_level": 2, "minutes": 2}})
    hotseat.throw("bob", number)
    if hotseat.moves[number].pending is not None:
        hotseat.answer("bob", number, "lift")
    assert "told_moves" in told_keys(hotseat, "bob")
    for seat in ("ana", "zoe"):
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], ["told_psi_seen"])
    hotseat.accept("mj", number)
    assert hotseat.records["oriane"].record.willpower_spent == 2


@pytest.mark.rules("EMP-158")
def test_two_telepaths_meet_unseen(table):
    hotseat = table(4, 4, 4, 3, 2, 3, 3, 3, 3, 3)
    hotseat.add("mage", PLAYERS["oriane"], owner="ana")
    number = hotseat.start("bob", "telepaths-duel", {"initiator": ["oriane"], "opponent": ["mage"]})
    hotseat.throw("bob", number)
    assert throws(hotseat, "bob")[0]["outcome"] == throws(hotseat, "ana")[0]["outcome"] == "b_controlled"
    assert faces(hotseat, "mj") == [[4, 4, 4, 3, 2], [3, 3, 3, 3, 3]]
    assert (moves_seen(hotseat, "zoe"), told_keys(hotseat, "zoe")) == ([], [])


@pytest.mark.rules("EMP-158")
def test_what_another_mind_lacks_is_said_to_the_game_master_alone(table):
    hotseat = table()
    number = hotseat.start("bob", "telepaths-duel", {"initiator": ["oriane"], "opponent": ["mj"]})
    hotseat.fill("mj", number, {"score": 12}, "mj")
    with pytest.raises(MissingField):
        hotseat.throw("mj", number)
    hotseat.throw("bob", number)  # nothing is said of why: it is the game master's now
    assert hotseat.waits_for(number) == {"mj"}


@pytest.mark.rules("EMP-073")
def test_who_strikes_first_is_open_and_the_tie_break_is_not(table):
    hotseat = table(3, 3, 2, 2)
    number = hotseat.start("mj", "start-fight", {"initiator": ["solveig"], "opponent": ["oriane"]}, {
        "solveig": {"dexterity": 8}, "oriane": {"dexterity": 8}})
    hotseat.throw("mj", number)
    assert len(faces(hotseat, "mj")) >= 1
    for seat in ("ana", *OTHERS):
        assert faces(hotseat, seat) == []
        assert throws(hotseat, seat)[0]["outcome"] == "first_initiator"


def test_the_sentrys_scores_are_on_no_players_page(table):
    hotseat = table()
    seen = hotseat.seen("mj")["records"]["sentry"]["sheet"]
    assert "strength" in json.dumps(seen)
    for seat in ("ana", *OTHERS):
        found = json.dumps(hotseat.seen(seat)["records"].get("sentry", {}))
        assert not any(word in found for word in ('"strength"', '"skills"', '"resistance_physical"', '"willpower"'))


@pytest.mark.rules("EMP-053")
def test_the_odds_of_an_open_test_are_those_of_the_rules(table):
    hotseat = table()
    number = hotseat.start("ana", "characteristic-roll", {"initiator": ["bastien"]}, {"bastien": {"score": 7}})
    weighed = hotseat.odds("mj", number)[None]
    assert weighed.chance(lambda done: done.success) == Fraction(7, 12)


# The rest, one by one: where the dice lie, and what stays off the other pages

ONE = {"initiator": ["bastien"]}
AGAINST = {"initiator": ["bastien"], "opponent": ["sentry"]}
GM_DICE, PAIR_DICE = ("mj",), ("mj", "ana")


@pytest.mark.parametrize(("move", "by", "cast", "form", "dice", "seen_by", "secret"), [
    pytest.param("retry", "ana", ONE, {"bastien": {"skill": "35"}, "gm": {"difficulty": "hard"}}, (3, 3, 3, 3),
                 GM_DICE, ('"difficulty"',), marks=pytest.mark.rules("EMP-055"), id="retry"),
    pytest.param("fall", "mj", ONE, {"gm": {"drop_cm": 500}}, (3, 3, 3), GM_DICE, ('"result"',),
                 marks=pytest.mark.rules("EMP-098"), id="fall"),
    pytest.param("grenade", "ana", AGAINST, {"gm": {"difficulty": "easy", "tech_level": 4}}, (3, 3, 4, 4), PAIR_DICE,
                 ('"difficulty"', '"result"'), marks=pytest.mark.rules("EMP-112", "EMP-113"), id="grenade"),
    pytest.param("cyborg-link", "ana", {"initiator": ["maelis"], "opponent": ["sentry"]},
                 {"maelis": {"weapon": "laser"}}, (3, 3), PAIR_DICE, ('"result"',),
                 marks=pytest.mark.rules("EMP-115"), id="cyborg-link"),
    pytest.param("infection-check", "mj", ONE, {"gm": {"trigger": "cold"}}, (6, 6, 6), GM_DICE,
                 ('"total"',), marks=pytest.mark.rules("EMP-091"), id="infection-check"),
    pytest.param("hold", "ana", AGAINST, {"bastien": {"value": 17}}, (3, 3, 3, 3), PAIR_DICE, ('"value"',),
                 marks=pytest.mark.rules("EMP-095"), id="hold"),
    pytest.param("break-free", "ana", AGAINST, {"bastien": {"evasion": 17}}, (3, 3, 3), PAIR_DICE, ('"evasion"',),
                 marks=pytest.mark.rules("EMP-096"), id="break-free"),
    pytest.param("sabotage", "ana", ONE, {"gm": {"difficulty": "hard", "material": "hard_stone", "points_left": 17}},
                 (3, 3, 3, 3), PAIR_DICE, ('"difficulty"', '"material"', "17"), marks=pytest.mark.rules("EMP-108"),
                 id="sabotage"),
    pytest.param("learn-language", "ana", {"initiator": ["solveig"]}, {"gm": {"difficulty": "hard"}}, (2, 2, 2, 2, 3),
                 PAIR_DICE, ('"difficulty"', '"result"'), marks=pytest.mark.rules("EMP-142"), id="learn-language"),
])
def test_dice_and_secrets_of_the_other_moves(table, move, by, cast, form, dice, seen_by, secret):
    hotseat = table(*dice)
    number = hotseat.start("mj" if "gm" in form else by, move, cast, form)
    hotseat.throw(by, number)
    for seat in SEATS:
        assert bool(faces(hotseat, seat)) == (seat in seen_by), seat
        assert throws(hotseat, seat)[0]["outcome"]
    hidden_from(hotseat, OTHERS if move in ("hold", "break-free") else ("ana", *OTHERS), *secret)


@pytest.mark.rules("EMP-115", "EMP-110")
def test_what_is_left_of_a_formec_is_the_game_masters(table):
    hotseat = table()
    number = hotseat.start("mj", "formec-struck", {}, {"gm": {"points": 25, "tech_level": 6, "quality": 9}})
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "mj") == ["told_quality_left"]
    for seat in ("ana", *OTHERS):
        assert told_keys(hotseat, seat) == []
    hidden_from(hotseat, ("ana", *OTHERS), '"quality"', '"damage"')


@pytest.mark.rules("EMP-131", "EMP-129")
def test_what_a_crowd_needs_is_the_game_masters(table):
    hotseat = table()
    number = hotseat.start("ana", "sway-crowd", {"initiator": ["solveig"]}, {"solveig": {"request": "Partez"}})
    hotseat.fill("mj", number, {"crowd_size": 40, "crowd_charm": 5, "crowd_intelligence": 6, "crowd_willpower": 8})
    hotseat.throw("ana", number)
    assert hotseat.moves[number].phase == "closed", "there is nothing to apply"
    assert told_keys(hotseat, "mj") == ["told_asks", "told_needs"]
    for seat in ("ana", *OTHERS):
        assert told_keys(hotseat, seat) == ["told_asks"], "what is asked is said aloud"
    hidden_from(hotseat, ("ana", *OTHERS), '"crowd_charm"', '"scores"', '"relation"')
    assert '"scores"' in page(hotseat, "mj")


@pytest.mark.rules("EMP-006")
def test_a_warning_is_for_the_player_warned(table):
    hotseat = table()
    number = hotseat.start("mj", "warn", {"initiator": ["solveig"]}, {"gm": {"text": "Elle est charmante."}})
    hotseat.throw("mj", number)
    assert told_keys(hotseat, "ana") == ["told_whisper"]
    for seat in OTHERS:
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])
    hotseat.accept("mj", number)
    assert hotseat.records["solveig"].record.warned


@pytest.mark.rules("EMP-075", "EMP-093")
def test_several_attackers_choose_face_down_too(table):
    hotseat = table(3, 3, 3, 6, 6, 6, 3, 3, 3, 6, 6, 6)
    hotseat.add("sentry2", CAST["sentry"], owner="mj", kind="npc")
    number = hotseat.start("mj", "one-against-many", {"initiator": ["bastien"], "opponent": ["sentry", "sentry2"]},
                           {"gm": {"metres": 2}})
    hotseat.seal("ana", number, {"attitude1": "attack", "attitude2": "attack", **BLOW_SEALED})
    hotseat.seal("mj", number, {"attitude": "feint", **BLOW_SEALED}, "sentry")
    for seat in ("mj", *OTHERS):
        assert "attack" not in json.dumps(moves_seen(hotseat, seat)[0]["fields"])
    hotseat.seal("mj", number, {"attitude": "attack", **BLOW_SEALED}, "sentry2")
    hotseat.fill("ana", number, {"weapon": "sword"})
    for foe in ("sentry", "sentry2"):
        hotseat.fill("mj", number, {"weapon": "rifle"}, foe)
    hotseat.throw("mj", number)
    assert faces(hotseat, "ana") == [[3, 3, 3], [3, 3, 3]]
    assert (faces(hotseat, "bob"), faces(hotseat, "zoe")) == ([], [])
    for seat in SEATS:
        assert throws(hotseat, seat)[0]["outcome"] == "some_hurt"


@pytest.mark.rules("EMP-122", "EMP-124", "EMP-127")
def test_one_argument_alone_keeps_the_same_secrets_as_a_duel(table):
    hotseat = table(4, 4, 3, 6, 6, 6)
    number = hotseat.start("ana", "single-argument", {"initiator": ["solveig"], "opponent": ["commander"]})
    hotseat.fill("mj", number, {"relation": "neutral"})
    hotseat.fill("mj", number, {"value": 9, "resistance": 83}, "commander")
    hotseat.seal("ana", number, {"manner": "seduction"})
    for seat in ("mj", *OTHERS):
        assert "seduction" not in json.dumps(moves_seen(hotseat, seat)[-1]["fields"])
    hotseat.seal("mj", number, {"manner": "logic"}, "commander")
    hotseat.fill("ana", number, {"column": "normal"})
    hotseat.throw("ana", number)
    assert (faces(hotseat, "ana"), faces(hotseat, "bob"), faces(hotseat, "zoe")) == ([[4, 4, 3]], [], [])
    assert faces(hotseat, "mj") == [[4, 4, 3], [6, 6, 6]]
    for seat in ("ana", *OTHERS):
        assert throws(hotseat, seat)[0]["outcome"] == "b_moved"
        assert "told_influence" not in told_keys(hotseat, seat)
    hidden_from(hotseat, ("ana", *OTHERS), '"relation"', "83")


@pytest.mark.rules("EMP-151", "EMP-160", "EMP-168")
def test_what_psi_leaves_on_a_sheet_is_for_its_owner(table):
    hotseat = table(1, 1, 1, 1, 1, 1)
    for power in ("recovery", "screen"):
        number = hotseat.start("bob", "psi-act", {"initiator": ["oriane"]}, {"oriane": {"power_name": power}})
        assert set(hotseat.odds("bob", number)) == {None}, "the priest knows the odds"
        hotseat.throw("bob", number)
        if power == "recovery":
            hotseat.answer("bob", number, power)
        hotseat.accept("mj", number)
    for seat in ("bob", "mj"):
        mine = hotseat.seen(seat)["records"]["oriane"]["sheet"]
        assert (mine["mental_screen"], mine["trances"][0]["name"]) == (True, "recovery")
    for seat in ("ana", "zoe"):
        theirs = hotseat.seen(seat)["records"]["oriane"]["sheet"]
        assert not {"mental_screen", "trances", "willpower_spent"} & set(theirs)
        assert (moves_seen(hotseat, seat), told_keys(hotseat, seat)) == ([], [])


@pytest.mark.rules("EMP-154", "EMP-157", "EMP-158")
def test_the_priest_alone_learns_what_a_mind_is_made_of_and_nobody_that_it_obeys(table):
    hotseat = table(1, 1, 1, 1, 1, 1, 1, 1)
    hotseat.add("mage", replace(PLAYERS["oriane"], skills=(Skill("22", 6),)), owner="bob")
    number = hotseat.start("bob", "psi-act", {"initiator": ["mage"], "opponent": ["sentry"]},
                           {"mage": {"power_name": "empathy"}})
    hotseat.throw("bob", number)
    hotseat.answer("bob", number, "empathy")
    assert "told_scores" in told_keys(hotseat, "bob")
    number = hotseat.start("bob", "psi-act", {"initiator": ["mage"], "opponent": ["sentry"]},
                           {"mage": {"power_name": "control"}})
    hotseat.throw("bob", number)
    hotseat.answer("bob", number, "control")
    hotseat.accept("mj", number)
    assert hotseat.records["sentry"].record.enjoys("controlled")
    hidden_from(hotseat, ("ana", "zoe"), "control", "told_scores")
