"""Empire galactique from four seats: what the game master, the owner, another player and a spectator may know."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from paravent.game.session import Session

from paravent.dice.play import ScriptedFaces
from paravent.game import MissingField, NotYours
from paravent.game.errors import NotNow, Withheld
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.machines.kinds import Gear
from paravent.systems.empire.people.character import Skill

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
OTHERS = ("bob", "zoe")
PLAYERS = SYSTEM.kind("character").ready("fr")
CAST = SYSTEM.kind("npc").ready("fr")


@pytest.fixture
def table():
    """Bastien and Solveig are Ana's, Oriane is Bob's, the sentry and the commander the game master's."""

    def opened(*faces, **options):
        session = Session(SYSTEM, SEATS, options, ScriptedFaces(faces))
        for name, owner in (("bastien", "ana"), ("solveig", "ana"), ("oriane", "bob"), ("maelis", "ana")):
            session.add(name, PLAYERS[name], owner=owner)
        for name in ("sentry", "commander"):
            session.add(name, CAST[name], owner="mj", kind="npc")
        return session

    return opened


def page(session, seat):
    return json.dumps(session.seen(seat), ensure_ascii=False)


def moves(session, seat):
    return session.seen(seat)["moves"]


def told(session, seat):
    return [line["key"].removeprefix("outcomes.") for line in session.seen(seat)["log"]]


def throws(session, seat):
    return [throw for move in moves(session, seat) for throw in move["throws"]]


def faces(session, seat):
    return [die["faces"] for throw in throws(session, seat) for die in throw.get("dice", ()) if "faces" in die]


def hidden_from(session, seats, *words):
    assert [(seat, word) for seat in seats for word in words if word in page(session, seat)] == []


# Difficulties


@pytest.mark.rules("EMP-022", "EMP-023")
@pytest.mark.option("ruleset", "quick")
def test_the_step_of_the_quick_rule_is_the_game_masters(table):
    session = table(4, 5, ruleset="quick")
    number = session.start("ana", "quick-action", {"initiator": ["bastien"]}, {"bastien": {"own_quality": 8}})
    session.fill("mj", number, {"share": "mental", "step": -4})
    session.throw("mj", number)
    assert throws(session, "mj")[0]["outcome"] == "failure"
    assert faces(session, "mj") == [[4, 5]]
    for seat in ("ana", *OTHERS):
        assert throws(session, seat)[0]["outcome"] == "failure"
        assert faces(session, seat) == []
        assert told(session, seat) == ["told_failure"]
    hidden_from(session, ("ana", *OTHERS), '"step": -4', '"result"')


@pytest.mark.rules("EMP-053", "EMP-057")
def test_a_difficulty_is_hidden_and_its_odds_are_several(table):
    session = table(3, 3, 3, 2)
    number = session.start("ana", "skill-test", {"initiator": ["bastien"]},
                           {"bastien": {"skill": "35", "column": "precise"}})
    session.fill("mj", number, {"difficulty": "average"})
    mine = session.odds("ana", number)
    assert set(mine) == {"easy", "average", "hard"}
    assert set(session.odds("mj", number)) == {None}
    session.throw("mj", number)
    assert faces(session, "mj") == [[3, 3, 3, 2]]
    for seat in ("ana", *OTHERS):
        assert faces(session, seat) == []
        assert (throws(session, seat)[0]["outcome"], told(session, seat)) == ("success", ["told_success"])
    hidden_from(session, ("ana", *OTHERS), '"difficulty"')


@pytest.mark.rules("EMP-002", "EMP-053")
def test_dice_handed_over_are_seen_by_whoever_throws_them(table):
    session = table(3, 3, 3)
    number = session.start("ana", "skill-test", {"initiator": ["bastien"]}, {"bastien": {"skill": "35"}})
    session.fill("mj", number, {"difficulty": "average", "handed": True})
    session.throw("ana", number)
    assert faces(session, "ana") == faces(session, "mj") == [[3, 3, 3]]
    assert faces(session, "bob") == faces(session, "zoe") == []


@pytest.mark.rules("EMP-058")
def test_a_secret_mod_stays_secret(table):
    session = table(3, 3, 3)
    number = session.start("ana", "skill-test", {"initiator": ["bastien"]}, {"bastien": {"skill": "35"}})
    session.fill("mj", number, {"hide_mods": True})
    session.fill("mj", number, {"hidden_mods": -7})
    session.throw("mj", number)
    assert throws(session, "mj")[0]["outcome"] == "failure"
    hidden_from(session, ("ana", *OTHERS), "-7", '"hidden_mods"')


@pytest.mark.rules("EMP-051", "EMP-061")
@pytest.mark.parametrize(("move", "form"), [
    ("characteristic-roll", {"act": "overhear"}), ("evasion-roll", {"side": "physical"}),
])
def test_the_game_master_rolls_behind_the_screen(table, move, form):
    session = table(*((1, 2) if move == "characteristic-roll" else (1, 2, 1)))
    number = session.start("mj", move, {"initiator": ["bastien"]}, {"gm": form})
    session.throw("mj", number)
    assert len(faces(session, "mj")) == 1
    for seat in ("ana", *OTHERS):
        assert faces(session, seat) == []
        assert throws(session, seat)[0]["outcome"] in ("success", "evaded")


@pytest.mark.rules("EMP-023")
def test_the_quick_rule_is_offered_where_the_table_plays_it(table):
    with pytest.raises(NotNow):
        table().start("ana", "quick-action", {"initiator": ["bastien"]})


# Secrets of the game master


@pytest.mark.rules("EMP-010", "EMP-011")
def test_nobody_knows_that_an_ally_was_tested(table):
    session = table(5, 4, 4)
    with pytest.raises(NotYours):
        session.start("ana", "loyalty-test", {"initiator": ["solveig"]})
    number = session.start("mj", "loyalty-test", {"initiator": ["solveig"]}, {"gm": {"ally_role": "informant"}})
    session.throw("mj", number)
    assert told(session, "mj") == ["told_lies"]
    for seat in ("ana", *OTHERS):
        assert (moves(session, seat), told(session, seat)) == ([], [])


@pytest.mark.rules("EMP-003")
def test_what_the_dice_really_said_stays_with_the_game_master(table):
    session = table(6, 6, 6)
    number = session.start("mj", "override", {}, {"gm": {"dice": 3, "threshold": 10, "announced": True}})
    session.throw("mj", number)
    assert faces(session, "mj") == [[6, 6, 6]]
    assert "told_true_failure" in told(session, "mj")
    for seat in ("ana", *OTHERS):
        assert (faces(session, seat), told(session, seat)) == ([], ["told_announced_success"])


@pytest.mark.rules("EMP-004", "EMP-005")
def test_a_whisper_is_for_one_player(table):
    session = table()
    number = session.start("mj", "whisper", {"initiator": ["bastien"]}, {"gm": {"text": "La clé est fausse."}})
    session.throw("mj", number)
    assert told(session, "ana") == ["told_whisper"]
    for seat in OTHERS:
        assert (moves(session, seat), told(session, seat)) == ([], [])
    hidden_from(session, OTHERS, "fausse")


@pytest.mark.rules("EMP-004")
def test_what_only_a_trade_knows_is_kept_from_the_others(table):
    session = table()
    number = session.start("mj", "whisper", {"initiator": ["bastien"]}, {
        "gm": {"text": "Le joint est neuf.", "knowledge": "technical", "unlocks": ["63", "tekno"]}})
    session.throw("mj", number)
    assert told(session, "ana") == []
    assert told(session, "mj") == ["told_kept_back"]
    hidden_from(session, ("ana", *OTHERS), "joint")


# Ambush and disguise


@pytest.mark.rules("EMP-074")
def test_a_failed_watch_and_a_true_absence_read_alike(table):
    pages = []
    for thrown, there in (((6, 6, 6), True), ((1, 1, 2), False)):
        session = table(*thrown)
        number = session.start("ana", "ambush", {"initiator": ["bastien"]})
        session.fill("mj", number, {"something_there": there})
        session.throw("mj", number)
        assert faces(session, "mj") == [list(thrown)]
        assert told(session, "ana") == ["hint_nothing"]
        pages.append(page(session, "ana"))
        for seat in OTHERS:
            assert (moves(session, seat), told(session, seat)) == ([], [])
    assert pages[0] == pages[1]


@pytest.mark.rules("EMP-074")
def test_a_watch_that_notices_says_so_to_the_watcher_alone(table):
    session = table(1, 1, 2)
    number = session.start("ana", "ambush", {"initiator": ["bastien"]})
    session.throw("mj", number)
    assert told(session, "ana") == ["hint_noise"]
    assert faces(session, "ana") == []
    assert told(session, "bob") == []


@pytest.mark.rules("EMP-140")
def test_nobody_tells_what_a_disguise_is_worth(table):
    pages = []
    for thrown in ((6, 6, 6), (1, 1, 2)):
        session = table(*thrown)
        number = session.start("ana", "disguise", {"initiator": ["solveig"]})
        session.throw("mj", number)
        assert faces(session, "mj") == [list(thrown)]
        pages.append(page(session, "ana"))
        for seat in OTHERS:
            assert (moves(session, seat), told(session, seat)) == ([], [])
        hidden_from(session, ("ana", *OTHERS), "ridiculous", "intimates")
    assert pages[0] == pages[1]


# A fight


def fight(session, mine="attack"):
    number = session.start("mj", "single-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]},
                           {"gm": {"metres": 2}})
    session.seal("ana", number, {"attitude": mine})
    return number


def meet(session, number, theirs="attack"):
    session.seal("mj", number, {"attitude": theirs}, "sentry")
    session.fill("ana", number, {"weapon": "sword", "height": "middle"})
    session.fill("mj", number, {"weapon": "rifle", "height": "middle"}, "sentry")


@pytest.mark.rules("EMP-075", "EMP-079")
def test_attitudes_lie_face_down_until_both_have_chosen(table):
    session = table()
    number = fight(session)
    for seat in ("mj", *OTHERS):
        assert "attack" not in json.dumps(moves(session, seat)[0]["fields"])
    session.seal("mj", number, {"attitude": "feint"}, "sentry")
    for seat in SEATS:
        seen = json.dumps(moves(session, seat)[0]["fields"])
        assert ("attack" in seen, "feint" in seen) == (True, True)


@pytest.mark.rules("EMP-079", "EMP-080")
def test_each_side_sees_its_own_dice_and_nobody_the_sentrys_points(table):
    session = table(4, 4, 3, 6, 6, 6)
    number = fight(session)
    meet(session, number)
    session.throw("ana", number)
    assert faces(session, "mj") == [[4, 4, 3], [6, 6, 6]]
    assert faces(session, "ana") == [[4, 4, 3]]
    assert faces(session, "bob") == faces(session, "zoe") == []
    for seat in SEATS:
        assert throws(session, seat)[0]["outcome"] == "b_hurt"
    assert "told_points" not in told(session, "bob") + told(session, "zoe")
    session.accept("mj", number)
    sentry = session.records["sentry"].record
    assert sentry.resistance_physical < sentry.physical_most
    for seat in ("ana", *OTHERS):
        assert "resistance_physical" not in json.dumps(session.seen(seat)["records"].get("sentry", {}))


# Shots


@pytest.mark.rules("EMP-104", "EMP-105")
def test_a_shot_out_of_range_reads_like_any_miss(table):
    pages = []
    for thrown, distance in (((6, 6, 6, 6), 500), ((6, 6, 6, 6), 1200)):
        session = table(*thrown)
        number = session.start("ana", "shoot", {"initiator": ["bastien"], "opponent": ["sentry"]},
                               {"bastien": {"weapon": "rifle"}})
        session.fill("mj", number, {"distance": distance, "difficulty": "average" if distance < 900 else "hard"})
        session.throw("ana", number)
        assert faces(session, "ana") == [list(thrown)]
        assert (throws(session, "ana")[0]["outcome"], told(session, "ana")) == ("missed", ["told_missed"])
        pages.append([page(session, seat) for seat in ("ana", *OTHERS)])
        hidden_from(session, ("ana", *OTHERS), "beyond", '"distance"')
    assert pages[0] == pages[1]


@pytest.mark.rules("EMP-108", "EMP-110")
def test_what_is_left_of_a_machine_is_the_game_masters(table):
    session = table(3, 3, 3)
    number = session.start("ana", "sabotage", {"initiator": ["bastien"]},
                           {"bastien": {"weapon": "rifle", "skill": "35"}})
    session.fill("mj", number, {"exposure": "protected", "tech_level": 3, "quality": 8})
    session.throw("ana", number)
    assert "told_points" in told(session, "mj")
    for seat in ("ana", *OTHERS):
        assert "told_points" not in told(session, seat)
        assert throws(session, seat)[0]["outcome"] == "hit"
    hidden_from(session, ("ana", *OTHERS), '"quality"', '"exposure"', '"margin_used"')
    assert (faces(session, "ana"), faces(session, "bob")) == ([[3, 3, 3]], [])


# Words


@pytest.mark.rules("EMP-129", "EMP-126", "EMP-122")
def test_a_verbal_duel_to_a_secret_target(table):
    session = table(2, 2, 3, 6, 6, 6)
    number = session.start("ana", "verbal-duel", {"initiator": ["solveig"], "opponent": ["commander"]},
                           {"solveig": {"request": "Une autorisation de départ"}})
    session.fill("mj", number, {"target": 37, "relation": "neutral"})
    session.throw("ana", number)
    session.accept("mj", number)
    hidden_from(session, ("ana", *OTHERS), "37", '"relation"')
    assert "37" in page(session, "mj")
    number = session.start("ana", "verbal-exchange", {"initiator": ["solveig"], "opponent": ["commander"]},
                           encounter=1)
    session.seal("ana", number, {"manner": "seduction"})
    for seat in ("mj", *OTHERS):
        assert "seduction" not in json.dumps(moves(session, seat)[-1]["fields"])
    session.seal("mj", number, {"manner": "logic"}, "commander")
    session.fill("ana", number, {"column": "normal"})
    session.throw("ana", number)
    assert "told_influence" in told(session, "mj")
    for seat in ("ana", *OTHERS):
        assert "told_influence" not in told(session, seat)
    hidden_from(session, ("ana", *OTHERS), "37", '"influence"')
    assert [6, 6, 6] not in faces(session, "ana")
    assert faces(session, "bob") == []


@pytest.mark.rules("EMP-141", "EMP-143")
@pytest.mark.parametrize(("move", "who"), [("command", "bastien"), ("hypnotise", "solveig")])
def test_how_long_an_order_holds_is_the_game_masters(table, move, who):
    session = table(2, 2, 2, 5)
    number = session.start("ana", move, {"initiator": [who], "opponent": ["sentry"]})
    session.throw("ana", number)
    assert "told_minutes" in told(session, "mj")
    for seat in ("ana", *OTHERS):
        assert "told_minutes" not in told(session, seat)
        assert throws(session, seat)[0]["outcome"] in ("success", "asleep")
    assert faces(session, "bob") == faces(session, "zoe") == []


@pytest.mark.rules("EMP-144")
def test_what_an_office_still_needs_is_the_game_masters(table):
    session = table(2, 2, 2, 5)
    number = session.start("ana", "work-administration", {"initiator": ["solveig"], "opponent": ["commander"]})
    session.fill("mj", number, {"target": 97, "influence": 83})
    session.throw("ana", number)
    hidden_from(session, ("ana", *OTHERS), "97", "83", '"influence"')
    assert "told_influence" in told(session, "mj")


# PSI


@pytest.mark.rules("EMP-168", "EMP-154")
def test_of_a_psi_act_that_fails_others_learn_nothing(table):
    session = table(6, 6, 6)
    number = session.start("bob", "psi-act", {"initiator": ["oriane"], "opponent": ["sentry"]},
                           {"oriane": {"power_name": "empathy"}})
    session.throw("bob", number)
    assert faces(session, "bob") == faces(session, "mj") == [[6, 6, 6]]
    assert told(session, "bob") == ["told_psi_failed"]
    for seat in ("ana", "zoe"):
        assert (moves(session, seat), told(session, seat)) == ([], [])


@pytest.mark.rules("EMP-168", "EMP-152")
def test_of_a_psi_act_that_works_others_see_what_moves(table):
    session = table(1, 2, 2)
    number = session.start("bob", "psi-act", {"initiator": ["oriane"]},
                           {"oriane": {"power_name": "lift", "power_level": 2, "minutes": 2}})
    session.throw("bob", number)
    if session.moves[number].pending is not None:
        session.answer("bob", number, "lift")
    assert "told_moves" in told(session, "bob")
    for seat in ("ana", "zoe"):
        assert (moves(session, seat), told(session, seat)) == ([], ["told_psi_seen"])
    session.accept("mj", number)
    assert session.records["oriane"].record.willpower_spent == 2


@pytest.mark.rules("EMP-158")
def test_two_telepaths_meet_unseen(table):
    session = table(4, 4, 4, 3, 2, 3, 3, 3, 3, 3)
    session.add("mage", PLAYERS["oriane"], owner="ana")
    number = session.start("bob", "telepaths-duel", {"initiator": ["oriane"], "opponent": ["mage"]})
    session.throw("bob", number)
    assert throws(session, "bob")[0]["outcome"] == throws(session, "ana")[0]["outcome"] == "b_controlled"
    assert faces(session, "mj") == [[4, 4, 4, 3, 2], [3, 3, 3, 3, 3]]
    assert (moves(session, "zoe"), told(session, "zoe")) == ([], [])


@pytest.mark.rules("EMP-158")
def test_what_another_mind_lacks_is_said_to_the_game_master_alone(table):
    session = table()
    session.add("brain", Gear("radio", 4), owner="mj", kind="item")
    number = session.start("bob", "telepaths-duel", {"initiator": ["oriane"], "opponent": ["brain"]})
    session.fill("mj", number, {"score": 12}, "brain")
    with pytest.raises(MissingField):
        session.throw("mj", number)
    with pytest.raises(Withheld):
        session.throw("bob", number)


@pytest.mark.rules("EMP-073")
def test_who_strikes_first_is_open_and_the_tie_break_is_not(table):
    session = table(3, 3, 2, 2)
    number = session.start("mj", "start-fight", {"initiator": ["solveig"], "opponent": ["oriane"]}, {
        "solveig": {"dexterity": 8}, "oriane": {"dexterity": 8}})
    session.throw("mj", number)
    assert len(faces(session, "mj")) >= 1
    for seat in ("ana", *OTHERS):
        assert faces(session, seat) == []
        assert throws(session, seat)[0]["outcome"] == "first_initiator"


def test_the_sentrys_scores_are_on_no_players_page(table):
    session = table()
    seen = session.seen("mj")["records"]["sentry"]
    assert "strength" in json.dumps(seen)
    for seat in ("ana", *OTHERS):
        found = json.dumps(session.seen(seat)["records"].get("sentry", {}))
        assert not any(word in found for word in ('"strength"', '"skills"', '"resistance_physical"', '"willpower"'))


@pytest.mark.rules("EMP-053")
def test_the_odds_of_an_open_test_are_those_of_the_rules(table):
    session = table()
    number = session.start("ana", "characteristic-roll", {"initiator": ["bastien"]}, {"bastien": {"score": 7}})
    weighed = session.odds("mj", number)[None]
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
    session = table(*dice)
    number = session.start("mj" if "gm" in form else by, move, cast, form)
    session.throw(by, number)
    for seat in SEATS:
        assert bool(faces(session, seat)) == (seat in seen_by), seat
        assert throws(session, seat)[0]["outcome"]
    hidden_from(session, OTHERS if move in ("hold", "break-free") else ("ana", *OTHERS), *secret)


@pytest.mark.rules("EMP-115", "EMP-110")
def test_what_is_left_of_a_formec_is_the_game_masters(table):
    session = table()
    number = session.start("mj", "formec-struck", {}, {"gm": {"points": 25, "tech_level": 6, "quality": 9}})
    session.throw("mj", number)
    assert told(session, "mj") == ["told_quality_left"]
    for seat in ("ana", *OTHERS):
        assert told(session, seat) == []
    hidden_from(session, ("ana", *OTHERS), '"quality"', '"damage"')


@pytest.mark.rules("EMP-131", "EMP-129")
def test_what_a_crowd_needs_is_the_game_masters(table):
    session = table()
    number = session.start("ana", "sway-crowd", {"initiator": ["solveig"]}, {"solveig": {"request": "Partez"}})
    session.fill("mj", number, {"crowd_size": 40, "crowd_charm": 5, "crowd_intelligence": 6, "crowd_willpower": 8})
    session.throw("ana", number)
    session.accept("mj", number)
    assert told(session, "mj") == ["told_needs"]
    for seat in ("ana", *OTHERS):
        assert told(session, seat) == []
    hidden_from(session, ("ana", *OTHERS), '"crowd_charm"', '"scores"', '"relation"')
    assert '"scores"' in page(session, "mj")


@pytest.mark.rules("EMP-006")
def test_a_warning_is_for_the_player_warned(table):
    session = table()
    number = session.start("mj", "warn", {"initiator": ["solveig"]}, {"gm": {"text": "Elle est charmante."}})
    session.throw("mj", number)
    assert told(session, "ana") == ["told_whisper"]
    for seat in OTHERS:
        assert (moves(session, seat), told(session, seat)) == ([], [])
    session.accept("mj", number)
    assert session.records["solveig"].record.warned


@pytest.mark.rules("EMP-075", "EMP-093")
def test_several_attackers_choose_face_down_too(table):
    session = table(3, 3, 3, 6, 6, 6, 3, 3, 3, 6, 6, 6)
    session.add("sentry2", CAST["sentry"], owner="mj", kind="npc")
    number = session.start("mj", "one-against-many", {"initiator": ["bastien"], "opponent": ["sentry", "sentry2"]},
                           {"gm": {"metres": 2}})
    session.seal("ana", number, {"attitude1": "attack", "attitude2": "attack"})
    session.seal("mj", number, {"attitude": "feint"}, "sentry")
    for seat in ("mj", *OTHERS):
        assert "attack" not in json.dumps(moves(session, seat)[0]["fields"])
    session.seal("mj", number, {"attitude": "attack"}, "sentry2")
    session.fill("ana", number, {"weapon": "sword", "height": "middle"})
    for foe in ("sentry", "sentry2"):
        session.fill("mj", number, {"weapon": "rifle", "height": "middle"}, foe)
    session.throw("mj", number)
    assert faces(session, "ana") == [[3, 3, 3], [3, 3, 3]]
    assert (faces(session, "bob"), faces(session, "zoe")) == ([], [])
    for seat in SEATS:
        assert throws(session, seat)[0]["outcome"] == "b_hurt"


@pytest.mark.rules("EMP-122", "EMP-124", "EMP-127")
def test_one_argument_alone_keeps_the_same_secrets_as_a_duel(table):
    session = table(4, 4, 3, 6, 6, 6)
    number = session.start("ana", "single-argument", {"initiator": ["solveig"], "opponent": ["commander"]})
    session.fill("mj", number, {"relation": "neutral"})
    session.fill("mj", number, {"value": 9, "resistance": 83}, "commander")
    session.seal("ana", number, {"manner": "seduction"})
    for seat in ("mj", *OTHERS):
        assert "seduction" not in json.dumps(moves(session, seat)[-1]["fields"])
    session.seal("mj", number, {"manner": "logic"}, "commander")
    session.fill("ana", number, {"column": "normal"})
    session.throw("ana", number)
    assert (faces(session, "ana"), faces(session, "bob"), faces(session, "zoe")) == ([[4, 4, 3]], [], [])
    assert faces(session, "mj") == [[4, 4, 3], [6, 6, 6]]
    for seat in ("ana", *OTHERS):
        assert throws(session, seat)[0]["outcome"] == "b_moved"
        assert "told_influence" not in told(session, seat)
    hidden_from(session, ("ana", *OTHERS), '"relation"', "83")


@pytest.mark.rules("EMP-151", "EMP-160", "EMP-168")
def test_what_psi_leaves_on_a_sheet_is_for_its_owner(table):
    session = table(1, 1, 1, 1, 1, 1)
    for power in ("recovery", "screen"):
        number = session.start("bob", "psi-act", {"initiator": ["oriane"]}, {"oriane": {"power_name": power}})
        assert set(session.odds("bob", number)) == {None}, "the priest knows the odds"
        session.throw("bob", number)
        if power == "recovery":
            session.answer("bob", number, power)
        session.accept("mj", number)
    for seat in ("bob", "mj"):
        mine = session.seen(seat)["records"]["oriane"]
        assert (mine["mental_screen"], mine["trances"][0]["name"]) == (True, "recovery")
    for seat in ("ana", "zoe"):
        assert not {"mental_screen", "trances", "willpower_spent"} & set(session.seen(seat)["records"]["oriane"])
        assert (moves(session, seat), told(session, seat)) == ([], [])


@pytest.mark.rules("EMP-154", "EMP-157", "EMP-158")
def test_the_priest_alone_learns_what_a_mind_is_made_of_and_nobody_that_it_obeys(table):
    session = table(1, 1, 1, 1, 1, 1, 1, 1)
    session.add("mage", replace(PLAYERS["oriane"], skills=(Skill("22", 6),)), owner="bob")
    number = session.start("bob", "psi-act", {"initiator": ["mage"], "opponent": ["sentry"]},
                           {"mage": {"power_name": "empathy"}})
    session.throw("bob", number)
    session.answer("bob", number, "empathy")
    assert "told_scores" in told(session, "bob")
    number = session.start("bob", "psi-act", {"initiator": ["mage"], "opponent": ["sentry"]},
                           {"mage": {"power_name": "control"}})
    session.throw("bob", number)
    session.answer("bob", number, "control")
    session.accept("mj", number)
    assert session.records["sentry"].record.enjoys("controlled")
    hidden_from(session, ("ana", "zoe"), "control", "told_scores")
