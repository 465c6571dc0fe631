"""Empire galactique: what a fight keeps from blow to blow, and everything that may be done in one."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from paravent.dice import odds
from paravent.dice.play import ScriptedFaces
from paravent.game import LANGUAGES, RuleError
from paravent.game.errors import UnknownName
from paravent.game.telling import Teller
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.fights.fight import Fight, Mark, Place, breath_of
from paravent.systems.empire.fights.fighters import METRES, limbs
from paravent.systems.empire.fights.moves_fight import INITIATIVE
from paravent.systems.empire.fights.moves_range import DISTANCE
from paravent.systems.empire.machines.kinds import Gear, Robot
from paravent.systems.empire.machines.machines import Exposure
from paravent.systems.empire.machines.robots import RobotType
from paravent.systems.empire.people.character import Carried, Condition, Protection, Weapon, Wound
from paravent.systems.empire.people.survival import Effort, after_sequence
from paravent.systems.empire.signs import FIST, OPEN_HAND, TWO_FINGERS
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.hotseat import Hotseat
from paravent.table.rereading import written
from seats import BLOW_SEALED, applied, move_seen, moves_seen, taken_up_again

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
PLAYERS, CAST = SYSTEM.kind("character").ready("fr"), SYSTEM.kind("npc").ready("fr")
SIDES = (Place("initiator", "initiator"), Place("opponent", "opponent"), Place("third", "opponent"))
BLOW = {"attitude": "attack", "weapon": "sword", "height": "middle"}


def table(*faces, first="nobody", metres=None, **options):
    """Bastien and Maëlis against two sentries."""
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    for name, owner in (("bastien", "ana"), ("maelis", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    for name in ("sentry", "sentry2"):
        hotseat.add(name, CAST["sentry"], owner="mj", kind="npc")
    number = hotseat.start("mj", "start-fight", {"initiator": ["bastien", "maelis"], "opponent": ["sentry", "sentry2"]},
                           {"gm": {"initiative": first, "metres": metres}})
    settle(hotseat, number)
    return hotseat, next(iter(hotseat.encounters))


def settle(hotseat, number, by="mj"):
    hotseat.throw(by, number)
    applied(hotseat, "mj", number)


def met(hotseat, fight, foe, mine="attack", theirs="attack"):
    settle(hotseat, opened(hotseat, fight, foe, mine, theirs))


def opened(hotseat, fight, foe, mine="attack", theirs="attack"):
    cast = {"initiator": ["bastien"], "opponent": [foe]}
    number = hotseat.start("mj", "combat-exchange", cast, {"gm": {"metres": 2}}, encounter=fight)
    hotseat.seal("ana", number, {"attitude": mine, **BLOW_SEALED})
    if theirs:
        hotseat.seal("mj", number, {"attitude": theirs, **BLOW_SEALED}, foe)
        hotseat.fill("mj", number, {"weapon": "rifle"}, foe)
    hotseat.fill("ana", number, {"weapon": "sword"})
    return number


def shot(hotseat, fight, distance=100, **declared):
    number = hotseat.start("bob", "shoot", {"initiator": ["maelis"], "opponent": ["sentry2"]},
                           {"maelis": {"weapon": "laser", **declared}}, encounter=fight)
    hotseat.fill("mj", number, {"difficulty": "easy", "distance": distance})
    return number


@pytest.mark.rules("EMP-070", "EMP-072", "EMP-084", "EMP-086", "EMP-106", "EMP-171")
def test_two_against_two_with_sword_rifle_and_laser_to_the_end():
    """Bastien fells the first sentry, Maëlis shoots the second: every act is one of the same fight."""
    hotseat, fight = table(4, 4, 4, 6, 6, 6, 4, 5)
    assert hotseat.encounters[fight].encounter.holds(SYSTEM.move("shoot"))
    met(hotseat, fight, "sentry")
    state = hotseat.encounters[fight].state
    assert (state.sequence, state.fought) == (1, ("bastien", "sentry"))
    assert [place.standing for place in state.sides] == [True, True, False, True]
    settle(hotseat, shot(hotseat, fight), "bob")
    state = hotseat.encounters[fight].state
    assert (state.sequence, state.fought) == (1, ("bastien", "sentry", "maelis")), "all of it in six seconds"
    assert hotseat.records["maelis"].record.acted == hotseat.records["bastien"].record.acted == 1
    assert not state.over


@pytest.mark.rules("EMP-084", "EMP-106")
def test_a_shot_may_be_the_last_of_a_fight():
    hotseat, fight = table(4, 4, 4, 6, 6, 6, 6, 6)
    met(hotseat, fight, "sentry")
    settle(hotseat, shot(hotseat, fight), "bob")
    assert hotseat.records["sentry2"].record.suffers("knocked_out")
    assert hotseat.encounters[fight].state.over


@pytest.mark.rules("EMP-072", "EMP-094")
def test_duels_of_a_melee_are_played_side_by_side_in_one_sequence():
    """Both are open at once, so that all choose in secret together; the second finds the fight as the first left it."""
    hotseat, fight = table(4, 4, 4, 6, 6, 6, 6, 6)
    blow, far = opened(hotseat, fight, "sentry"), shot(hotseat, fight)
    hotseat.throw("mj", blow)
    hotseat.throw("bob", far)
    for number in (blow, far):
        hotseat.accept("mj", number)
    state = hotseat.encounters[fight].state
    assert (state.sequence, state.fought, state.over) == (1, ("bastien", "sentry", "maelis"), True)
    hotseat.undo("mj", far)
    state = hotseat.encounters[fight].state
    assert state.fought == ("bastien", "sentry")
    assert [place.standing for place in state.sides] == [True, True, False, True]


def test_a_shot_in_a_fight_is_kept_and_taken_up_again_as_it_was():
    """A table keeps a move as plain values; what it changes of the fight is typed again, and stays as hidden."""
    hotseat, fight = table(4, 5)
    number = shot(hotseat, fight)
    hotseat.throw("bob", number)
    op = hotseat.moves[number]
    assert taken_up_again(hotseat).moves[number].changes == op.changes
    assert "encounter" in {change.target for change in op.changes}
    hidden = replace(op, changes=tuple(replace(change, path="lost") for change in op.changes
                                       if change.target == "encounter"))
    assert {row.value_audience for row in written(hidden, SYSTEM, 0).changes} == {("gm",)}


@pytest.mark.rules("EMP-102", "EMP-104", "EMP-105")
def test_a_shot_is_weighed_for_each_difficulty_near_and_far_and_never_for_the_true_ones():
    hotseat, fight = table()
    number = shot(hotseat, fight, weapon_arm=False)
    mine = hotseat.odds("bob", number)
    assert set(mine) == {(("difficulty", hard), ("distance", far)) for hard in ("easy", "average", "hard")
                         for far in (166, 500)}
    easy = mine[("difficulty", "easy"), ("distance", 166)]
    assert sum(chance for result, chance in easy.items() if result.shot.hit) == 1, "two dice under 13"
    hotseat.fill("mj", number, {"difficulty": "hard", "distance": 501, "reach": 40})
    assert hotseat.odds("bob", number) == mine
    assert set(hotseat.odds("mj", number)) == {None}
    for seat in ("ana", "zoe"):
        assert hotseat.odds(seat, number) in (None, mine)


@pytest.mark.rules("EMP-079", "EMP-085")
def test_whoever_strikes_freely_knows_the_odds_of_it_and_does_not_parry():
    hotseat, fight = table(first="initiator")
    cast = {"initiator": ["bastien"], "opponent": ["sentry"]}
    number = hotseat.start("ana", "combat-exchange", cast, encounter=fight)
    with pytest.raises(UnknownName):
        hotseat.seal("ana", number, {"attitude": "parry", **BLOW_SEALED})
    hotseat.seal("ana", number, {"attitude": "attack", **BLOW_SEALED})
    hotseat.fill("ana", number, {"weapon": "sword"})
    weighed = hotseat.odds("ana", number)[None]
    assert sum(chance for result, chance in weighed.items() if result.ok_a) == Fraction(181, 216)


@pytest.mark.rules("EMP-076", "EMP-079")
def test_a_parry_is_asked_anew_of_whoever_the_game_master_then_lets_strike_freely():
    """The signs lie open already: the one that no longer goes is chosen again, and the exchange is thrown."""
    hotseat, fight = table(4, 4, 4)
    number = opened(hotseat, fight, "sentry", "parry")
    assert hotseat.moves[number].awaited(SYSTEM) == {"initiator"}, "the dice are there to throw"
    hotseat.fill("mj", number, {"free": "initiator"})
    assert hotseat.moves[number].awaited(SYSTEM) == {"bastien"}
    assert move_seen(hotseat, "ana")["waits_for"] == ["ana"]
    assert hotseat.moves[number].anew == {"attitude bastien"}
    assert taken_up_again(hotseat).moves[number].awaited(SYSTEM) == {"bastien"}, "and so it is kept"
    with pytest.raises(UnknownName):
        hotseat.fill("ana", number, {"attitude": "parry"})
    hotseat.fill("ana", number, {"attitude": "attack"})
    hotseat.throw("ana", number)
    assert hotseat.moves[number].results["exchange"].ok_a


# What a fight remembers


@pytest.mark.rules("EMP-086")
def test_the_knocked_out_come_round_after_as_many_sequences_as_the_blow_had_points(changes, sheet):
    felled = sheet("sentry", "npc", conditions=(Condition("knocked_out", 12),))
    fight = Fight(12, sides=SIDES[:2], asleep=(Mark("opponent", 12),), fought=("third",))
    form = {"initiator": BLOW, "gm": {"metres": 2}, "sheets": {"initiator": sheet("bastien"), "opponent": felled}}
    still = changes("combat-exchange", 1, 1, 1, encounter=fight, **form)
    assert ("opponent", "acted") not in still, "in the twelfth sequence a free blow still finds it lying"
    awake = replace(fight, fought=("initiator",))
    form["opponent"] = {"attitude": "parry", "weapon": "rifle", "height": "middle"}
    written = changes("combat-exchange", 1, 1, 1, 6, 6, 6, encounter=awake, **form)
    assert written["opponent", "acted"] == 1
    assert all(state.name != "knocked_out" for state in written["opponent", "conditions"])


@pytest.mark.rules("EMP-171")
def test_a_sequence_let_pass_is_one_of_rest(changes, sheet):
    tired = sheet("bastien", acted=4)
    form = {"initiator": {**BLOW, "attitude": "feint"}, "opponent": {"attitude": "feint"},
            "sheets": {"initiator": tired, "opponent": sheet("sentry", "npc")}}
    at_once = Fight(4, sides=SIDES, fought=("initiator",), worked=(Mark("initiator", 4),))
    assert changes("combat-exchange", encounter=at_once, **form)["initiator", "rest_due"] == 2
    later = replace(at_once, sequence=5, fought=("third",))
    assert changes("combat-exchange", encounter=replace(later, sequence=6), **form)["initiator", "acted"] == 1


@pytest.mark.rules("EMP-084")
def test_nobody_strikes_from_a_coma_and_the_dead_are_done_with(changes, sheet):
    for state in ("coma", "dead", "knocked_out", "fevered"):
        gone = sheet("bastien", conditions=(Condition(state, 9),))
        with pytest.raises(RuleError):
            changes("shoot", initiator={"weapon": "rifle"}, sheets={"initiator": gone})
        with pytest.raises(RuleError):
            changes("single-exchange", gm={"free": "initiator", "metres": 2}, initiator=BLOW,
                    sheets={"initiator": gone, "opponent": sheet("sentry", "npc")})


@pytest.mark.rules("EMP-080", "EMP-043")
def test_a_fight_keeps_what_a_beast_has_lost(changes, sheet):
    wolf = Animal("loup", strength=10, endurance=6, natural_weapon="C", natural_armour=2)
    form = {"initiator": BLOW, "opponent": {"attitude": "attack", "height": "middle"}, "gm": {"metres": 2},
            "sheets": {"initiator": sheet("bastien"), "opponent": wolf}}
    fight = Fight(1, sides=SIDES[:2], fought=("initiator",))
    written = changes("combat-exchange", 1, 1, 1, 6, 6, 6, encounter=fight, **form)
    assert written["encounter", "lost"] == (Mark("opponent", 4 - 2),)
    worn = replace(fight, lost=(Mark("opponent", 25),))
    written = changes("combat-exchange", 1, 1, 1, 6, 6, 6, encounter=worn, **form)
    assert [place.standing for place in written["encounter", "sides"]] == [True, False]


# Several at once


@pytest.mark.rules("EMP-075", "EMP-093")
def test_an_attitude_is_kept_for_each_of_several(result, changes, sheet):
    """Bastien attacks the first (Strength 11 + 2) and parries the second (Endurance 10 + 2): 13 passes once only."""
    guard = sheet("sentry", "npc")
    form = {"initiator": {"weapon": "sword", "height": "middle", "attitude1": "attack", "attitude2": "parry"},
            "opponent": [{"attitude": "attack", "height": "middle"}, {"attitude": "attack", "height": "middle"}],
            "gm": {"metres": 2}, "sheets": {"initiator": sheet("bastien"), "opponent": guard, "opponent2": guard}}
    faces = (4, 4, 5, 6, 6, 6, 4, 4, 5, 6, 6, 6)
    met = result("one-against-many", *faces, **form)
    assert [one.faced.ok_lone for one in met] == [True, False]
    fight = Fight(sides=(*SIDES[:2], Place("opponent2", "opponent")))
    written = changes("one-against-many", *faces, encounter=fight, **form)
    assert written["encounter", "fought"] == ("initiator", "opponent", "opponent2")
    assert written["initiator", "acted"] == written["opponent2", "acted"] == 1
    assert [place.standing for place in written["encounter", "sides"]] == [True, False, True]


@pytest.mark.rules("EMP-093", "EMP-087")
def test_the_game_master_lines_them_up_and_each_blow_meets_the_armour_of_its_own_place(result, sheet):
    form = {"initiator": {"attitude1": "attack", "attitude2": "attack", "value": 2, "height": "low", "column": "vague"},
            "opponent": [{"attitude": "attack", "value": 9, "weapon": "sword", "height": "high"},
                         {"attitude": "attack", "value": 12, "weapon": "sword", "height": "middle"}],
            "sheets": {"initiator": sheet("bastien")}}
    best = result("one-against-many", 6, 3, 3, 3, 2, 2, 2, 2, **form)
    assert [(one.on_lone.place, one.on_lone.harm.lost) for one in best] == [("torso", 12 - 9), ("head", 15 - 4)]
    listed = result("one-against-many", 6, 2, 2, 2, 2, 3, 3, 3, gm={"as_listed": True}, **form)
    assert [one.on_lone.place for one in listed] == ["head", "torso"]


@pytest.mark.rules("EMP-093")
@pytest.mark.parametrize("signs", [("attack", "attack"), ("feint", "attack"), ("parry", "parry")])
def test_the_chances_against_several_are_those_of_the_whole_rule_and_four_are_weighed_as_well(signs):
    """All that may land on four and by four is far too much to list: who is hurt at all is what is weighed."""
    def weighed(foes):
        form = {"initiator": [{f"attitude{at + 1}": sign for at, sign in enumerate(signs * 2)}
                              | {"value": 9, "weapon": "sword", "height": "low", "cap": 4}],
                "opponent": [{"attitude": "attack", "value": 7 + at, "weapon": "sword", "height": "low"}
                             for at in range(foes)]}
        return SYSTEM.context("one-against-many", form, {}, SYSTEM.book.rulings({}))

    step = SYSTEM.move("one-against-many").resolves[-1]
    call = step.call(weighed(2))
    assert step.odds(weighed(2)).map(step.outcome) == odds(call.rule, *call.args).map(step.outcome)
    assert step.odds(weighed(2)).map(step.sides) == odds(call.rule, *call.args).map(step.sides)
    assert len(step.odds(weighed(4))) <= 8


@pytest.mark.rules("EMP-079", "EMP-058")
def test_circumstances_are_settled_for_each_side_apart(result):
    form = {"initiator": {"attitude": "attack", "value": 9, "mods": 3, "height": "middle"},
            "opponent": {"attitude": "attack", "value": 9, "extra_dice": 1, "height": "middle"}}
    fought = result("single-exchange", 4, 4, 4, 3, 3, 3, 1, **form)
    assert (fought.ok_a, fought.ok_b) == (True, False)


# Weapons, places, holds


@pytest.mark.rules("EMP-077", "EMP-081")
def test_a_precise_blow_at_the_hand_disarms_only_when_it_is_held_back(result, changes, sheet):
    armed = sheet("sentry", "npc", weapons=(Weapon("sword"), Weapon("rifle")))
    aimed = {"attitude": "attack", "weapon": "sword", "height": "middle", "column": "precise", "spot": "hand"}
    form = {"opponent": {"attitude": "attack", "weapon": "rifle", "height": "middle"}, "gm": {"metres": 2},
            "sheets": {"initiator": sheet("bastien"), "opponent": armed}}
    faces = (3, 3, 3, 3, 6, 6, 6)
    assert not result("single-exchange", *faces, initiator=aimed, **form).on_b.dropped
    written = changes("single-exchange", *faces, initiator={**aimed, "cap": 0}, **form)
    assert written["opponent", "weapons"] == (Weapon("sword"), Weapon("rifle", Carried.DROPPED))


@pytest.mark.rules("EMP-072", "EMP-104")
def test_what_is_put_away_does_not_strike_and_what_is_thrown_has_left_the_hand(changes, sheet):
    sheathed = sheet("bastien", weapons=(Weapon("sword", Carried.PUT_AWAY), Weapon("dagger")))
    with pytest.raises(RuleError):
        changes("single-exchange", initiator=BLOW, gm={"free": "initiator"}, sheets={"initiator": sheathed})
    thrown = changes("shoot", 3, 3, initiator={"weapon": "dagger"}, gm={"distance": 5}, sheets={"initiator": sheathed})
    assert thrown["initiator", "weapons"][1].state is Carried.DROPPED


@pytest.mark.rules("EMP-107")
@pytest.mark.option("stunners", "endurance_roll")
def test_a_stunner_at_arms_length_asks_for_the_same_roll_as_from_afar(result):
    form = {"initiator": {"attitude": "attack", "value": 12, "weapon": "stunner", "height": "middle"},
            "opponent": {"resistance": 24}, "gm": {"free": "initiator"}}
    blow = result("single-exchange", 3, 3, 3, 1, 1, 1, options={"stunners": "endurance_roll"}, **form).on_b
    assert (blow.points, blow.harm.shape, blow.harm.sequences, blow.harm.lost) == (9, "knocked_out", 9, 0)
    assert result("single-exchange", 3, 3, 3, **form).on_b.harm.shape == "stunned"


@pytest.mark.rules("EMP-082", "EMP-083")
def test_the_game_master_says_where_a_blow_really_lands_and_on_which_side(changes, sheet):
    kneeling = {"struck_at": "head", "wound_side": "left"}
    written = changes("single-exchange", 4, 4, 4, initiator=BLOW, opponent=kneeling, gm={"free": "initiator"},
                      sheets={"initiator": sheet("bastien"), "opponent": sheet("sentry", "npc")})
    assert written["opponent", "wounds"] == (Wound("head", 16, "left"),), "the vest does not cover it"


@pytest.mark.rules("EMP-095", "EMP-096", "EMP-097", "EMP-171")
def test_a_choke_is_counted_sequence_by_sequence_and_ends_with_a_blow_missed_bare_handed(played, changes, sheet):
    holder, victim = sheet("bastien", rest_due=2), sheet("jonas")
    form = {"initiator": {"grip": "choke", "height": "low"}}
    held = changes("hold", 1, 1, 1, 1, sheets={"initiator": holder, "opponent": victim}, **form)
    assert held["opponent", "conditions"] == (Condition("held", 1), Condition("choked", 2)), "a die more: it is tired"
    twice = replace(victim, conditions=(Condition("held", 2), Condition("choked", 5)),
                    resistance_physical=victim.resistance_physical - 5)
    escape = {"initiator": {"evasion": 9}, "opponent": {"strength": 7}, "sheets": {"initiator": twice}}
    assert played("break-free", 2, 2, 3, **escape).plays["roll"].result, "9, less two sequences of choking"
    assert not played("break-free", 2, 3, 3, **escape).plays["roll"].result
    fist = {"attitude": "attack", "weapon": "fist", "height": "middle"}
    slips = changes("single-exchange", 6, 6, 6, 6, initiator=fist, sheets={"initiator": holder, "opponent": twice})
    assert slips["opponent", "conditions"] == ()
    assert slips["opponent", "resistance_physical"] == victim.resistance_physical


@pytest.mark.rules("EMP-087", "EMP-112", "EMP-113")
def test_a_blast_meets_what_covers_the_whole_body_and_a_grenade_flies_no_farther_than_twice_ones_strength(
        result, changes, sheet):
    suited = sheet("maelis", protections=(Protection("armoured_suit"),))
    near = {"initiator": {"strength": 8, "characteristic": 12, "level": 6}, "opponent": {"squares": 0},
            "sheets": {"opponent": suited}}
    assert result("grenade", 1, 1, 1, 4, 4, gm={"tech_level": 3}, **near).landed[0].harm.lost == 24 - 14
    torn = changes("grenade", 1, 1, 1, 4, 4, gm={"tech_level": 3}, **near)["opponent", "protections"]
    assert torn == (Protection("armoured_suit", ("body",)),)
    again = {**near, "sheets": {"opponent": replace(suited, protections=torn)}}
    assert result("grenade", 1, 1, 1, 4, 4, gm={"tech_level": 3}, **again).landed[0].harm.lost == 24
    assert not result("grenade", 1, 1, 1, 1, 4, 4, gm={"distance": 17}, **near).blast.on_target


@pytest.mark.rules("EMP-171")
def test_shortness_of_breath_is_announced_before_it_bites_and_rest_clears_it():
    """After the fourth sequence one should rest; whoever lets one pass has their breath back, the fifth costs a die."""
    fight = Fight(4, sides=SIDES[:2], worked=(Mark("initiator", 4),), fought=("initiator",))
    warned = fight.with_breath({"initiator": Effort(4)}, 3)
    assert [place.breath for place in warned.sides] == ["last_breath", ""]
    later = replace(warned, sequence=6).with_breath({"opponent": Effort(1)}, 5)
    assert [place.breath for place in later.sides] == ["", ""]
    assert breath_of(after_sequence(Effort(4), rests=False)) == "winded"
    assert breath_of(Effort(3)) == ""


@pytest.mark.rules("EMP-078")
def test_a_fight_remembers_how_far_apart_they_stand():
    hotseat = Hotseat(SYSTEM, {"mj": "gm", "ana": "player"}, {}, ScriptedFaces((4, 4, 4)))
    hotseat.add("bastien", SYSTEM.kind("character").ready("fr")["bastien"], owner="ana")
    hotseat.add("sentry", SYSTEM.kind("npc").ready("fr")["sentry"], owner="mj", kind="npc")
    cast = {"initiator": ["bastien"], "opponent": ["sentry"]}
    number = hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "initiator", "metres": 2}})
    hotseat.throw("mj", number)
    applied(hotseat, "mj", number)
    (fight,) = hotseat.encounters
    assert hotseat.encounters[fight].state.metres == 2
    number = hotseat.start("mj", "combat-exchange", cast, encounter=fight)
    assert hotseat.moves[number].context(SYSTEM)[METRES] == 2  # nobody says it again


@pytest.mark.rules("EMP-072", "EMP-078")
def test_whoever_has_bare_hands_steps_in_to_strike_and_is_at_arms_length_from_then_on():
    """At two metres no fist reaches: nobody is left with an exchange that can only be refused."""
    hotseat, fight = table(4, 4, 4, 4, 4, 4)
    number = hotseat.start("mj", "take-position", {"initiator": ["sentry"]}, {"gm": {"apart": 4}}, encounter=fight)
    settle(hotseat, number)
    number = hotseat.start("ana", "combat-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]},
                           encounter=fight)
    hotseat.fill("ana", number, {"weapon": "fist"})
    hotseat.seal("ana", number, {"attitude": "attack", **BLOW_SEALED})
    hotseat.fill("mj", number, {"weapon": "fist"}, "sentry")
    hotseat.seal("mj", number, {"attitude": "attack", **BLOW_SEALED}, "sentry")
    settle(hotseat, number)
    state = hotseat.encounters[fight].state
    assert (state.metres, state.apart("bastien", "sentry")) == (1, 1)


@pytest.mark.rules("EMP-071", "EMP-100")
def test_a_fight_that_begins_far_apart_is_shot_from_there_and_whoever_strikes_comes_near():
    """As far as the game master said when it began: nobody has to say it again for each shot."""
    hotseat, fight = table(6, 6, 6, 6, 6, 6, metres=30)
    settle(hotseat, opened(hotseat, fight, "sentry"))
    state = hotseat.encounters[fight].state
    assert (state.metres, state.apart("bastien", "sentry"), state.apart("maelis", "sentry2")) == (30, 2, 30)
    assert state.apart("maelis", "sentry") == 30  # near one, and not near all
    number = hotseat.start("bob", "shoot", {"initiator": ["maelis"], "opponent": ["sentry2"]}, encounter=fight)
    assert hotseat.moves[number].context(SYSTEM)[DISTANCE] == 30


@pytest.mark.rules("EMP-078", "EMP-100")
@pytest.mark.parametrize(("metres", "offered"), [(None, ("rifle", "sword")), (30, ("rifle", "sword")), (1, ("sword",))])
def test_at_arms_length_no_rifle_is_offered(metres, offered):
    """R-66: under 2 m only what serves at arm's length; how far it is was said when the fight began."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(()))
    hotseat.add("bastien", PLAYERS["bastien"], owner="ana")
    hotseat.add("sentry", CAST["sentry"], owner="mj", kind="npc")
    cast = {"initiator": ["bastien"], "opponent": ["sentry"]}
    settle(hotseat, hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "nobody", "metres": metres}}))
    (fight,) = hotseat.encounters
    number = hotseat.start("ana", "shoot", cast, encounter=fight)
    ctx = hotseat.moves[number].context(SYSTEM)
    assert ctx[DISTANCE] == (metres or 20)
    assert ctx.move.field("weapon", "initiator").type.describe(ctx).options == list(offered)


@pytest.mark.rules("EMP-075")
def test_the_hand_makes_the_signs_of_the_book():
    """An open hand attacks, two fingers feint, a fist parries (document 3827 to 3834)."""
    assert SYSTEM.signs == {"attack": OPEN_HAND, "feint": TWO_FINGERS, "parry": FIST}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_a_fight_keeps_is_told_in_words(lang):
    assert [part.name for part in fields(Fight) if not Teller(lang, SYSTEM).is_named(part.name)] == []


# What goes on by itself


def going(hotseat):
    """The exchanges that are under way."""
    return [number for number, op in hotseat.moves.items() if op.move.id == "combat-exchange" and op.phase == "open"]


@pytest.mark.rules("EMP-072")
def test_the_next_sequence_begins_by_itself_and_goes_with_what_is_undone():
    """Two feints come to nothing: the same two choose again, from their sheets as they now are."""
    hotseat, fight = table()
    number = opened(hotseat, fight, "sentry", "feint", "feint")
    settle(hotseat, number)
    (after,) = going(hotseat)
    assert after != number
    started = [event.number for event in hotseat.events if isinstance(event, e.MoveStarted)]
    assert len(started) == len(set(started))  # nothing is told twice
    assert [actor.id for actor in hotseat.moves[after].cast if actor.role != "gm"] == ["bastien", "sentry"]
    assert hotseat.moves[after].context(SYSTEM).one().record.acted == 1  # the sheet as the first sequence left it
    hotseat.undo("mj", number)
    assert going(hotseat) == []
    assert hotseat.moves[after].phase == "cancelled"


@pytest.mark.rules("EMP-084", "EMP-086")
def test_nobody_is_asked_to_go_on_against_the_fallen():
    hotseat, fight = table(4, 4, 4, 6, 6, 6)
    met(hotseat, fight, "sentry")
    assert not next(place for place in hotseat.encounters[fight].state.sides if place.id == "sentry").standing
    assert going(hotseat) == []


@pytest.mark.rules("EMP-171")
def test_whoever_is_short_of_breath_is_asked_for_nothing_and_may_let_a_sequence_pass():
    """After four sequences it is for them to say: breathe, or go on for a die more."""
    hotseat, fight = table()
    settle(hotseat, opened(hotseat, fight, "sentry", "feint", "feint"))
    for _ in range(3):
        (number,) = going(hotseat)
        for seat, who in (("ana", "bastien"), ("mj", "sentry")):
            hotseat.seal(seat, number, {"attitude": "feint", **BLOW_SEALED}, who)
        settle(hotseat, number)
    assert {place.id: place.breath for place in hotseat.encounters[fight].state.sides}["bastien"] == "last_breath"
    assert going(hotseat) == []
    rest = hotseat.start("ana", "catch-breath", {"initiator": ["bastien"]}, encounter=fight)
    settle(hotseat, rest, "ana")
    state = hotseat.encounters[fight].state
    assert {place.id: place.breath for place in state.sides}["bastien"] == ""
    assert state.sequence == 5
    settle(hotseat, opened(hotseat, fight, "sentry2", "feint", "feint"))
    assert hotseat.records["bastien"].record.acted == 1


@pytest.mark.rules("EMP-076", "EMP-082")
def test_signs_are_turned_over_together_and_a_blow_is_marked_where_it_lands():
    hotseat, fight = table(4, 4, 4, 6, 6, 6)
    number = opened(hotseat, fight, "sentry")
    assert "told_sign" not in str([moves_seen(hotseat, seat) for seat in ("ana", "bob", "zoe")])
    hotseat.throw("mj", number)
    for seat in ("ana", "bob", "zoe"):
        (throw,) = move_seen(hotseat, seat)["throws"]
        told = {line["key"].partition(".")[2]: line for line in throw["told"]}
        assert told["told_sign"]["values"]["attitude"] == "attack"
        assert told["told_struck"]["at"] == ["torso"]
    assert limbs("hand", "left") == ("left_arm",)
    assert limbs("knee") == ("left_leg", "right_leg")
    assert limbs("body") == ()


@pytest.mark.rules("EMP-071", "EMP-078", "EMP-104")
def test_where_they_stand_is_seen_by_all_and_reckoned_with():
    """The game master places; close at hand the blow reckons with it, and so does a shot farther off."""
    hotseat, fight = table()
    number = hotseat.start("mj", "take-position", {"initiator": ["sentry2"]},
                           {"gm": {"posture": "in_cover", "apart": 40, "where": "derrière les caisses"}},
                           encounter=fight)
    settle(hotseat, number)
    place = next(one for one in hotseat.seen("zoe")["encounters"]["1"]["state"]["sides"] if one["id"] == "sentry2")
    assert (place["posture"], place["where"], place["metres"]) == ("in_cover", "derrière les caisses", 40)
    far = hotseat.start("bob", "shoot", {"initiator": ["maelis"], "opponent": ["sentry2"]}, encounter=fight)
    assert hotseat.moves[far].context(SYSTEM)[DISTANCE] == 40
    near = hotseat.start("mj", "take-position", {"initiator": ["sentry"]}, {"gm": {"apart": 4, "moving": True}},
                         encounter=fight)
    settle(hotseat, near)
    assert "sentry" in hotseat.encounters[fight].state.fought  # going there took the sequence
    blow = hotseat.start("ana", "combat-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]}, encounter=fight)
    assert hotseat.moves[blow].context(SYSTEM)[METRES] == 4


@pytest.mark.rules("EMP-073", "EMP-074")
@pytest.mark.parametrize(("faces", "first"), [((1, 1, 1), "opponent"), ((1, 1, 1, 1, 1, 1), None)])
def test_an_ambush_that_nobody_notices_has_the_initiative(faces, first):
    """The sentry lies in wait; only somebody who looked and found takes that away. Nobody else reads of it."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((*faces, 6, 6, 1, 1)))
    hotseat.add("bastien", PLAYERS["bastien"], owner="ana")
    hotseat.add("sentry", CAST["sentry"], owner="mj", kind="npc")
    for seat, who, purpose in (("mj", "sentry", "set"), ("ana", "bastien", "detect"))[:len(faces) // 3]:
        number = hotseat.start(seat, "ambush", {"initiator": [who]}, {who: {"purpose": purpose}})
        hotseat.fill("mj", number, {"difficulty": "average"})
        hotseat.throw(seat, number)
        hotseat.accept("mj", number)
    assert "in_wait" not in str([hotseat.view(seat) for seat in ("ana", "bob", "zoe")])
    assert "on_guard" not in str([hotseat.view(seat) for seat in ("ana", "bob", "zoe")])
    number = hotseat.start("mj", "start-fight", {"initiator": ["bastien"], "opponent": ["sentry"]})
    assert hotseat.moves[number].context(SYSTEM)[INITIATIVE] == first
    settle(hotseat, number)
    assert hotseat.records["sentry"].record.ambush == ""


def test_the_dead_are_not_among_the_many(sheet):
    many = SYSTEM.move("one-against-many")
    for state, offered in (("dead", False), ("stunned", True)):
        foe = sheet("sentry", "npc", conditions=(Condition(state, 9),))
        assert many.can_come(SYSTEM.context(many, {}, {"opponent": foe})) is offered


def test_an_order_to_a_robot_is_given_inside_the_fight():
    hotseat, fight = table()
    assert hotseat.encounters[fight].encounter.holds(SYSTEM.move("order-robot"))


# Machines


TITAN = {"tech_level": 6, "robot": RobotType.FORMEC, "quality": 12, "exposure": Exposure.ARMOURED}


@pytest.mark.rules("EMP-110", "EMP-111", "EMP-113")
def test_a_grenade_hurts_machines_as_far_as_their_cover_lets_it_through(result, changes, sheet):
    def thrown(machine, level=4, squares=0):
        form = {"initiator": {}, "gm": {"tech_level": level}, "opponent": {"squares": squares},
                "sheets": {"initiator": sheet("bastien"), "opponent": machine}}
        return changes("grenade", 1, 1, 1, 4, 3, **form)

    bike = Gear("moto", tech_level=3, quality=30)
    assert thrown(bike)["opponent", "damage"] == 28 - 3  # an open thing takes its level off
    assert thrown(bike)["opponent", "margin_used"] == 3
    assert thrown(bike)["opponent", "broken"] is True
    assert ("opponent", "scrapped") not in thrown(bike)
    assert thrown(replace(bike, quality=8))["opponent", "scrapped"] is True
    assert thrown(replace(bike, exposure=Exposure.PROTECTED))["opponent", "damage"] == 28 - 6
    assert thrown(bike, squares=3)["opponent", "damage"] == 7 - 3  # farther off it is weaker
    titan = Robot("Titan", **TITAN)
    assert thrown(titan)["opponent", "damage"] == 28 - 18
    assert ("opponent", "margin_used") not in thrown(titan)
    assert ("opponent", "damage") not in thrown(titan, level=3)  # armour laughs at what is of the third level or less
    assert ("opponent", "damage") not in thrown(bike, squares=4)


@pytest.mark.rules("EMP-113")
def test_a_grenade_spares_neither_friends_nor_whoever_throws_it():
    """At 12 m of the foes, two squares off: seven, by the level of four less two."""
    hotseat, fight = table(1, 1, 3, 4, metres=12)
    cast = {"initiator": ["bastien"], "opponent": ["maelis", "sentry", "sentry2"]}
    number = hotseat.start("ana", "grenade", cast, {}, encounter=fight)
    hotseat.fill("mj", number, {"difficulty": "easy", "tech_level": 4})
    hotseat.throw("ana", number)
    op = hotseat.moves[number]
    assert [landed.points for landed in op.results["blast"].landed] == [14, 28, 28, 14]
    assert {change.target for change in op.changes if change.path == "resistance_physical"} == {
        "bastien", "sentry", "sentry2"}, "Maëlis wears what stops fourteen"


@pytest.mark.rules("EMP-106", "EMP-107", "EMP-110")
def test_a_shot_hurts_a_machine_and_a_stunner_does_not(changes, sheet):
    bubble = Robot("Bulle", tech_level=6, robot=RobotType.LOGIMEC, quality=9, programmes=("tracker",))
    form = {"gm": {"distance": 9}, "opponent": {}, "sheets": {"initiator": sheet("bastien"), "opponent": bubble}}
    for weapon, count, hurts in (("laser", 3, True), ("stunner", 4, False)):
        declared = {"initiator": {"weapon": weapon, "characteristic": 18, "level": 6}}
        written = changes("shoot", *(2,) * count, **declared, **form)
        assert (("opponent", "margin_used") in written) is hurts


@pytest.mark.rules("EMP-115", "EGW-136", "EMP-111")
def test_a_formec_strikes_a_beast_by_its_quality_and_never_tires(result):
    wolf = Animal("loup", strength=10, endurance=6, natural_weapon="C", natural_armour=2)
    form = {"initiator": BLOW, "opponent": {"attitude": "attack", "height": "middle"}, "gm": {"metres": 2},
            "sheets": {"initiator": Robot("Titan", **TITAN), "opponent": wolf}}
    assert [result("combat-exchange", 4, 4, last, 6, 6, 6, **form).ok_a for last in (4, 5)] == [True, False]
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((1, 1, 1, 6, 6, 6)))
    hotseat.add("titan", Robot("Titan", **TITAN), owner="ana", kind="robot")
    hotseat.add("wolf", wolf, owner="mj", kind="animal")
    cast = {"initiator": ["titan"], "opponent": ["wolf"]}
    settle(hotseat, hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "nobody"}}))
    fight = next(iter(hotseat.encounters))
    number = hotseat.start("mj", "combat-exchange", cast, {"gm": {"metres": 2}}, encounter=fight)
    hotseat.seal("ana", number, {"attitude": "attack", **BLOW_SEALED})
    hotseat.fill("ana", number, {"weapon": "sword"})
    hotseat.seal("mj", number, {"attitude": "attack", **BLOW_SEALED}, "wolf")
    settle(hotseat, number)
    state = hotseat.encounters[fight].state
    assert [state.lost_by(who) for who in ("wolf", "titan")] == [2, 0]  # a sword's four, less two of hide
    assert [place.breath for place in state.sides] == ["", ""]


@pytest.mark.rules("EMP-115", "EGW-131", "EGW-137", "EGW-153")
def test_a_robot_strikes_no_human_and_is_struck_all_the_same(changes, result, sheet):
    fight = Fight(1, sides=SIDES[:2])
    form = {"initiator": {**BLOW, "weapon": "laser", "value": 18}, "gm": {"metres": 2},
            "opponent": {"attitude": "attack", "height": "middle"}, "encounter": fight,
            "sheets": {"initiator": sheet("bastien"), "opponent": Robot("Titan", **TITAN)}}
    blow = result("combat-exchange", 4, 4, 4, **form)  # only one side throws
    assert (blow.on_a.points, blow.on_b.wreck.machine.damage) == (0, blow.on_b.points - 18)
    reels = replace(sheet("bastien"), conditions=(Condition("stunned"),))
    again = result("combat-exchange", 4, 4, 4, **{**form, "sheets": {**form["sheets"], "initiator": reels}})
    assert again.on_b.points == blow.on_b.points  # it would never strike, so that nobody reels before it for ever
    worn = replace(form["sheets"]["opponent"], damage=12)
    written = changes("combat-exchange", 4, 4, 4, **{**form, "sheets": {**form["sheets"], "opponent": worn}})
    assert written["opponent", "scrapped"] is True
    assert [place.standing for place in written["encounter", "sides"]] == [True, False]
    exchange = SYSTEM.move("combat-exchange")
    for robot, why in ((form["sheets"]["opponent"], "bound_by_laws"), (Robot("Bulle"), "no_fighter"),
                       (replace(worn, broken=True), "out_of_order")):
        with pytest.raises(RuleError) as refused:
            result("combat-exchange", 1, 1, 1, **{**form, "gm": {"metres": 2, "free": "opponent"},
                                                  "sheets": {**form["sheets"], "opponent": robot}})
        assert refused.value.values["state"] == why
    assert {role.id: role.also for role in exchange.cast}["opponent"] == ("animal", "robot")


# Whoever falls while somebody else's exchange is open


def falls(hotseat, name):
    """Down, however it came about."""
    hotseat.do(c.EditRecord(seat="mj", record=name, path="conditions", value=[{"name": "knocked_out", "amount": 4}]))


@pytest.mark.rules("EMP-084")
def test_whoever_falls_while_an_exchange_is_open_is_struck_without_reply():
    hotseat, fight = table(4, 4, 4)
    number = opened(hotseat, fight, "sentry")
    falls(hotseat, "sentry")
    hotseat.throw("mj", number)
    thrown = hotseat.moves[number].records["exchange"]
    assert {fall.role for fall in thrown if hasattr(fall, "faces")} == {"initiator"}
    assert hotseat.moves[number].results["exchange"].on_b.points == 16


@pytest.mark.rules("EMP-084")
def test_nobody_waits_for_the_sign_of_whoever_has_fallen():
    """The sentry is shot down while Bastien's sign is in and the sentry's is not: the exchange goes on at once."""
    hotseat, fight = table(6, 6)
    number = opened(hotseat, fight, "sentry2", theirs=None)
    assert hotseat.moves[number].awaited(SYSTEM) == {"sentry2"}
    settle(hotseat, shot(hotseat, fight), "bob")
    assert hotseat.records["sentry2"].record.suffers("knocked_out")
    assert hotseat.moves[number].awaited(SYSTEM) == {"initiator"}
    assert taken_up_again(hotseat).moves[number].awaited(SYSTEM) == {"initiator"}, "and so it is kept"


@pytest.mark.rules("EMP-084")
def test_whoever_began_and_falls_receives_the_blow_they_were_about_to_give():
    hotseat, fight = table(2, 3, 3)
    number = opened(hotseat, fight, "sentry")
    falls(hotseat, "bastien")
    hotseat.throw("mj", number)
    assert hotseat.moves[number].results["exchange"].on_b.points == 0
    assert hotseat.moves[number].results["exchange"].on_a.points > 0


@pytest.mark.rules("EMP-080")
def test_a_blow_takes_from_what_another_has_left():
    """The exchange was open before: no change has gone stale when the game master accepts it."""
    hotseat, fight = table(4, 4, 4, 6, 6, 6)
    number = opened(hotseat, fight, "sentry")
    hotseat.do(c.EditRecord(seat="mj", record="sentry", path="resistance_physical", value=20))
    settle(hotseat, number)
    assert hotseat.records["sentry"].record.resistance_physical == 20 - (16 - 9)


def test_once_dice_have_fallen_what_was_read_stays():
    hotseat, fight = table(4, 4, 4, 6, 6, 6)
    number = opened(hotseat, fight, "sentry")
    hotseat.throw("mj", number)
    before = hotseat.moves[number]
    falls(hotseat, "sentry")
    assert hotseat.moves[number].cast == before.cast


@pytest.mark.rules("EMP-084", "EMP-094")
def test_of_several_whoever_falls_is_passed_over():
    """Nobody waits for their sign, nothing is chosen against them, and the others strike all the same."""
    hotseat, fight = table(6, 6, 6, 6, 6, 6)
    cast = {"initiator": ["bastien"], "opponent": ["sentry", "sentry2"]}
    number = hotseat.start("mj", "one-against-many", cast, {"gm": {"metres": 2}}, encounter=fight)
    falls(hotseat, "sentry2")
    hotseat.seal("ana", number, {"attitude1": "attack", **BLOW_SEALED})
    assert hotseat.moves[number].awaited(SYSTEM) == {"sentry"}
    hotseat.seal("mj", number, {"attitude": "attack", **BLOW_SEALED}, "sentry")
    hotseat.throw("mj", number)
    assert len(hotseat.moves[number].results["fight"]) == 1


@pytest.mark.rules("EMP-084")
def test_where_both_fall_nobody_strikes_and_nobody_is_asked():
    hotseat, fight = table()
    number = opened(hotseat, fight, "sentry", theirs=None)
    falls(hotseat, "sentry")
    falls(hotseat, "bastien")
    assert hotseat.moves[number].awaited(SYSTEM) == {"initiator"}, "there is only to go on"
    settle(hotseat, number)
    assert [said.key for said in hotseat.told("ana")][-1] == "outcomes.told_nobody_hurt"


WOLF = Animal("loup", strength=10, endurance=6, natural_weapon="C")


@pytest.mark.rules("EMP-043", "EMP-084")
def test_a_beast_that_falls_is_struck_without_reply_too():
    """Of beasts the fight alone knows who has fallen: an exchange under way reads it anew."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((6, 6)))
    for name, owner in (("bastien", "ana"), ("maelis", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    for name in ("sentry2", "wolf"):
        hotseat.add(name, WOLF, owner="mj", kind="animal", audience=frozenset({"all"}))
    cast = {"initiator": ["bastien", "maelis"], "opponent": ["sentry2", "wolf"]}
    settle(hotseat, hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "nobody"}}))
    fight = next(iter(hotseat.encounters))
    number = opened(hotseat, fight, "sentry2", theirs=None)
    assert hotseat.moves[number].awaited(SYSTEM) == {"sentry2"}
    settle(hotseat, shot(hotseat, fight), "bob")
    assert hotseat.moves[number].awaited(SYSTEM) == {"initiator"}
    assert hotseat.moves[number].state_read == hotseat.encounters[fight].state, "as it is kept"


@pytest.mark.parametrize("lurking", [False, True])
def test_an_exchange_that_goes_on_by_itself_ends_with_its_fight(lurking):
    """Nobody is left waiting to strike somebody who lies there; whoever hides in it tells nothing."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((6, 6)))
    for name, owner in (("bastien", "ana"), ("maelis", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    hotseat.add("sentry2", CAST["sentry"], owner="mj", kind="npc")
    hotseat.add("lurker", CAST["sentry"], owner="mj", kind="npc", audience=frozenset({"gm"}))
    cast = {"initiator": ["bastien", "maelis"], "opponent": ["sentry2", *(["lurker"] if lurking else [])]}
    settle(hotseat, hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "nobody"}}))
    fight = next(iter(hotseat.encounters))
    theirs = hotseat.start("mj", "combat-exchange", {"initiator": ["bastien"], "opponent": ["lurker"]},
                           encounter=fight) if lurking else 0
    number = opened(hotseat, fight, "sentry2", theirs=None)
    settle(hotseat, shot(hotseat, fight), "bob")
    assert hotseat.state.encounters[fight].over
    assert hotseat.moves[number].phase == "withdrawn"
    assert not lurking or hotseat.moves[theirs].phase == "open"


# Whoever arrives


def sides(hotseat, fight):
    return {place.id: place.side for place in hotseat.encounters[fight].state.sides}


@pytest.mark.rules("EMP-071")
@pytest.mark.parametrize("camp", ["initiator", "opponent"])
def test_whoever_arrives_is_placed_in_a_camp(camp):
    hotseat, fight = table()
    hotseat.add("relief", CAST["sentry"], owner="mj", kind="npc")
    cast = {"initiator": ["relief", "sentry"]}
    settle(hotseat, hotseat.start("mj", "take-position", cast, {"gm": {"camp": camp, "apart": 20}}, encounter=fight))
    assert sides(hotseat, fight) == {"bastien": "initiator", "maelis": "initiator", "sentry": "opponent",
                                     "sentry2": "opponent", "relief": camp}
    assert hotseat.encounters[fight].state.apart("relief") == 20


@pytest.mark.rules("EMP-070")
def test_whoever_is_met_in_a_fight_is_in_it_from_then_on():
    """On the other side from those they meet, whoever of the two began."""
    hotseat, fight = table(6, 6, 6, 6, 6, 6)
    for name in ("relief", "friend"):
        hotseat.add(name, CAST["sentry"], owner="mj", kind="npc")
    met(hotseat, fight, "relief")
    assert sides(hotseat, fight)["relief"] == "opponent"
    number = hotseat.start("mj", "combat-exchange", {"initiator": ["friend"], "opponent": ["sentry2"]},
                           {"gm": {"metres": 2}}, encounter=fight)
    for name in ("friend", "sentry2"):
        hotseat.seal("mj", number, {"attitude": "parry", **BLOW_SEALED}, name)
    settle(hotseat, number)
    assert sides(hotseat, fight)["friend"] == "initiator"


# Somebody hidden in a fight


def told_of_the_last_blow(*more):
    """What a player is told when the last foe of whom they know falls."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((6, 6)))
    for name, owner in (("bastien", "ana"), ("maelis", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    hotseat.add("sentry2", CAST["sentry"], owner="mj", kind="npc")
    hotseat.add("lurker", CAST["sentry"], owner="mj", kind="npc", audience=frozenset({"gm"}))
    cast = {"initiator": ["bastien", "maelis"], "opponent": ["sentry2", *more]}
    settle(hotseat, hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "nobody"}}))
    fight = next(iter(hotseat.encounters))
    number = shot(hotseat, fight)
    settle(hotseat, number, "bob")
    over = hotseat.seen("ana")["encounters"]
    hotseat.undo("mj", number)
    return over, hotseat.seen("ana")["encounters"], [type(event).__name__ for event in hotseat.events]


def test_a_fight_ends_with_the_last_foe_in_view_whoever_hides_there():
    """That it went on would tell of somebody hidden."""
    alone, lurking = told_of_the_last_blow(), told_of_the_last_blow("lurker")
    assert lurking == alone
    assert [seen["1"]["over"] for seen in lurking[:2]] == [True, False]
