"""Empire galactique: what a fight keeps from blow to blow, and everything that may be done in one."""

from dataclasses import replace
from fractions import Fraction

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import RuleError
from paravent.game.errors import UnknownName
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.fights.fight import Fight, Mark, Place, breath_of
from paravent.systems.empire.fights.fighters import METRES
from paravent.systems.empire.people.character import Carried, Condition, Protection, Weapon, Wound
from paravent.systems.empire.people.survival import Effort, after_sequence
from paravent.table.hotseat import Hotseat
from paravent.table.rereading import written
from seats import applied, taken_up_again

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
PLAYERS, CAST = SYSTEM.kind("character").ready("fr"), SYSTEM.kind("npc").ready("fr")
SIDES = (Place("initiator", "initiator"), Place("opponent", "opponent"), Place("third", "opponent"))
BLOW = {"attitude": "attack", "weapon": "sword", "height": "middle"}


def table(*faces, first="nobody", **options):
    """Bastien and Maëlis against two sentries."""
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    for name, owner in (("bastien", "ana"), ("maelis", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    for name in ("sentry", "sentry2"):
        hotseat.add(name, CAST["sentry"], owner="mj", kind="npc")
    number = hotseat.start("mj", "start-fight", {"initiator": ["bastien", "maelis"], "opponent": ["sentry", "sentry2"]},
                           {"gm": {"initiative": first}})
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
    hotseat.seal("ana", number, {"attitude": mine})
    if theirs:
        hotseat.seal("mj", number, {"attitude": theirs}, foe)
        hotseat.fill("mj", number, {"weapon": "rifle", "height": "middle"}, foe)
    hotseat.fill("ana", number, {"weapon": "sword", "height": "middle"})
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
        hotseat.seal("ana", number, {"attitude": "parry"})
    hotseat.seal("ana", number, {"attitude": "attack"})
    hotseat.fill("ana", number, {"weapon": "sword", "height": "middle"})
    weighed = hotseat.odds("ana", number)[None]
    assert sum(chance for result, chance in weighed.items() if result.ok_a) == Fraction(181, 216)


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
    from paravent.systems.empire.beasts.animals import Animal

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
