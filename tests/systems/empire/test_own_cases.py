"""Cases reckoned by hand out of the document, whose pages and lines they cite; none of them stands in the vectors."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import Column, Difficulty, adjective, dice_of
from paravent.systems.empire.actions.quick import quality_used, quick_action
from paravent.systems.empire.fights.combat import (
    Attacker,
    Attitude,
    Height,
    Team,
    exchange,
    initiative,
    one_against_many,
)
from paravent.systems.empire.fights.damage import damage
from paravent.systems.empire.fights.duel import Clash, Stance, free_blow
from paravent.systems.empire.fights.holds import Grip, break_free, break_free_threshold, hold
from paravent.systems.empire.fights.moves_melee import ambush
from paravent.systems.empire.fights.shooting import (
    Aimed,
    Band,
    band_of,
    blast_damage,
    blast_radius,
    range_dice,
    range_of,
    shoot,
)
from paravent.systems.empire.fights.wounds import (
    Body,
    Harm,
    Severity,
    Shape,
    care_mods,
    healing_units,
    infection,
    severity,
    struck,
)
from paravent.systems.empire.machines.machines import Exposure, Machine, Working, battered, working
from paravent.systems.empire.minds.psi import longest, psi_dice, telekinesis_grams, telepaths_duel
from paravent.systems.empire.people.creation import (
    Guild,
    acquisition,
    destiny_roll,
    entrance_exam,
    starting_money,
    survival_roll,
    training_price,
)
from paravent.systems.empire.people.referee import loyalty
from paravent.systems.empire.people.survival import extra_sleep
from paravent.systems.empire.words.speech import Manner, MindState, argue, emancipation, state_after
from paravent.systems.empire.words.talents import command

RULINGS = SYSTEM.book.rulings()


def thrown(rule, *args, faces):
    return play(rule, *args, dice=ScriptedDice(*faces)).result


@pytest.mark.rules("EMP-053", "EMP-057")
def test_bold_when_it_is_hard_and_vague_when_it_is_easy():
    """3263 to 3280: five dice and a miracle, or one die and a catastrophe."""
    assert (dice_of(Difficulty.HARD, Column.LASTING), dice_of(Difficulty.EASY, Column.SLOW)) == (5, 1)
    assert adjective(True, Difficulty.HARD, Column.LASTING) == "miraculous"
    assert adjective(False, Difficulty.EASY, Column.SLOW) == "catastrophic"
    assert adjective(False, Difficulty.AVERAGE, Column.FAST) == "barely_unfavourable"


@pytest.mark.rules("EMP-080")
@pytest.mark.parametrize(("letter", "row", "total", "points"), [
    ("E", 4, 14, 32), ("D", 5, 10, 23), ("C", 2, 12, 8), ("B", 3, 12, 8), ("A", 5, 18, 10), ("D", 2, 6, 6),
])
def test_what_the_tables_of_damage_say(letter, row, total, points):
    assert damage(letter, row, total, RULINGS) == points


@pytest.mark.rules("EMP-079")
@pytest.mark.parametrize(("mine", "a", "theirs", "b", "faces", "came"), [
    # Both attack and both hurt: 12 with four dice of a light weapon, 11 with two of a heavy one.
    (Attitude.ATTACK, Stance(12, 4, "C"), Attitude.ATTACK, Stance(11, 2, "E"), (3, 3, 3, 3, 5, 6),
     Clash(12, 16, True, True)),
    # Attack 8 against feint 9: the better sum alone hurts.
    (Attitude.ATTACK, Stance(11, 2, "B"), Attitude.FEINT, Stance(10, 3, "D"), (4, 4, 3, 3, 3),
     Clash(12, 0, True, True)),
    # A parry that does better by 8 strikes back with that 8, in its own row.
    (Attitude.ATTACK, Stance(13, 2, "D"), Attitude.PARRY, Stance(14, 3, "C"), (2, 2, 4, 4, 4),
     Clash(8, 0, True, True)),
    # Whoever succeeds alone hurts, whatever the other meant.
    (Attitude.ATTACK, Stance(12, 3, "D"), Attitude.FEINT, Stance(9, 2, "A"), (6, 6, 6, 4, 5), Clash(2, 0, False, True)),
    (Attitude.FEINT, Stance(12, 3, "D"), Attitude.PARRY, Stance(9, 2, "A"), (), Clash(0, 0)),
])
def test_an_exchange(mine, a, theirs, b, faces, came):
    """3848 to 3878 and 4035 to 4052."""
    assert thrown(exchange, mine, a, theirs, b, RULINGS, faces=faces) == came


@pytest.mark.rules("EMP-093")
def test_whoever_fails_against_the_first_of_many_is_struck_by_the_rest_without_reply():
    """4305 to 4315; the second strikes at 7 with two dice of a medium weapon."""
    two = tuple(Attacker(Stance(limit, 2, "D"), Attitude.ATTACK, Attitude.ATTACK) for limit in (12, 9))
    first, second = thrown(one_against_many, Stance(8, 2, "C"), two, True, RULINGS, faces=(6, 5, 6, 6, 3, 4))
    assert (first.to_lone, first.to_attacker, first.faced) == (12, 0, True)
    assert (second.to_lone, second.to_attacker, second.faced) == (7, 0, False)


@pytest.mark.rules("EMP-083", "EMP-085", "EMP-086", "EMP-087")
@pytest.mark.parametrize(("body", "points", "harm"), [
    (Body(30, 30), 9, Harm(9, 21)),
    (Body(30, 30), 10, Harm(10, 20, Shape.STUNNED)),
    (Body(30, 30), 15, Harm(15, 15, Shape.KNOCKED_OUT, 15)),
    (Body(30, 30), 16, Harm(16, 14, Shape.KNOCKED_OUT, 16, disabled=True)),
    (Body(24, 24, armour=9), 12, Harm(3, 21, Shape.KNOCKED_OUT, 12, pierced=True)),
    (Body(33, 33, armour=9), 9, Harm(0, 33)),
])
def test_what_a_blow_leaves(body, points, harm):
    """4190 to 4222: a third, half, more than half; what a protection stops, and when it is spent."""
    assert struck(body, points, RULINGS) == harm


@pytest.mark.rules("EMP-089")
def test_how_long_a_wound_takes():
    """4225 to 4255: of 27, eight are a shock, nine a wound, eighteen a lesion; a medic of 3 and a médibloc add six."""
    assert [severity(lost, 27) for lost in (8, 9, 17, 18)] == [
        Severity.SHOCK, Severity.WOUND, Severity.WOUND, Severity.LESION]
    assert healing_units(17, 8, care_mods(3, medibloc=True)) == Fraction(17, 14)


@pytest.mark.rules("EMP-096", "EMP-097")
def test_breaking_free_of_somebody_stronger_who_has_strangled_for_two_sequences():
    """4355 to 4374: evasion 7, Strength 6 against 9, and a point less each sequence."""
    assert break_free_threshold(Fraction(7), 6, 9) == 4
    assert break_free_threshold(Fraction(7), 6, 9, 2) == 2


@pytest.mark.rules("EMP-104", "EMP-105")
def test_the_bands_of_a_stone_and_of_a_pistol():
    """4456 to 4490: more than a third, not a third itself; beyond the range the die stays."""
    assert range_of("stone", 9, RULINGS) == 18
    assert [band_of(metres, 18) for metres in (4, 6, 7, 18, 19)] == [
        Band.BEST, Band.NEAR, Band.FAR, Band.FAR, Band.BEYOND]
    assert [band_of(metres, 300) for metres in (74, 75, 100, 101)] == [Band.BEST, Band.NEAR, Band.NEAR, Band.FAR]
    assert [range_dice(band) for band in Band] == [0, 0, 1, 1]


@pytest.mark.rules("EMP-113")
def test_a_grenade_of_level_four_that_throws_nine():
    """4640 to 4660."""
    assert [blast_damage(9, 4, squares) for squares in (0, 1, 3, 4)] == [36, 27, 9, 0]
    assert blast_radius(4) == 20


@pytest.mark.rules("EMP-110", "EMP-111")
def test_what_a_blow_leaves_of_a_machine():
    """4555 to 4590: a bonnet of level 3 takes six, and no sword; what is armoured counts each blow anew."""
    car = Machine(Exposure.PROTECTED, 3, 8)
    assert battered(car, 30, 2, RULINGS) == car
    hit = battered(car, 11, 4, RULINGS)
    assert (hit.damage, working(hit, False, RULINGS)) == (5, Working.BROKEN)
    assert working(battered(hit, 4, 4, RULINGS), True, RULINGS) is Working.SCRAP
    tank = Machine(Exposure.ARMOURED, 4, 10)
    assert [battered(tank, points, 4, RULINGS).damage for points in (12, 13)] == [0, 1]


@pytest.mark.rules("EMP-126")
@pytest.mark.parametrize(("mine", "a", "theirs", "b", "faces", "came"), [
    (Manner.LOGIC, Stance(14, 3, ""), Manner.FAITH, Stance(12, 2, ""), (4, 4, 4, 3, 4), Clash(0, 5, True, True)),
    (Manner.SEDUCTION, Stance(14, 3, ""), Manner.SEDUCTION, Stance(16, 4, ""), (3, 3, 4, 3, 4, 4, 4),
     Clash(7, 3, True, True)),
    (Manner.SEDUCTION, Stance(14, 3, ""), Manner.LOGIC, Stance(8, 2, ""), (2, 2, 2, 3, 4), Clash(2, 0, True, True)),
    (Manner.LOGIC, Stance(14, 3, ""), Manner.LOGIC, Stance(8, 2, ""), (), Clash(0, 0)),
])
def test_an_argument(mine, a, theirs, b, faces, came):
    """4950 to 5000 and 5095 to 5110; table A says what an argument is worth."""
    assert thrown(argue, mine, a, theirs, b, RULINGS, faces=faces) == came


@pytest.mark.rules("EMP-128", "EMP-130")
def test_what_an_argument_does_to_a_mind():
    """5125 to 5165: a third of 24 shakes, half convinces, nothing left blinds; nine points against Willpower 6."""
    assert [state_after(24, 24, points, RULINGS) for points in (7, 8, 12)] == [
        MindState.INFLUENCED, MindState.SHAKEN, MindState.CONVINCED]
    assert state_after(24, 5, 5, RULINGS) is MindState.BLINDED
    assert emancipation(9, 6, MindState.SHAKEN)[0] == Fraction(3, 2)


@pytest.mark.rules("EMP-151", "EMP-152", "EMP-159")
def test_telekinesis_at_level_four():
    """5530 to 5540, 5640 to 5645: ten kilos, four dice; level 3 and grade 2 make five minutes."""
    assert (telekinesis_grams(4), psi_dice(4, 6, RULINGS), longest(3, 2)) == (10_000, 4, 5)


@pytest.mark.rules("EMP-032", "EMP-036", "EMP-037", "EMP-045")
def test_a_career_in_four_figures():
    """6939 to 6965, 9883: strictly more than twice the age; 1D × guild × grade; skill × grade; destiny + 3D."""
    assert thrown(entrance_exam, Guild.SOLDIER, 9, 22, faces=(2, 3))  # 45 against 44
    assert not thrown(entrance_exam, Guild.MERCHANT, 11, 22, faces=(1, 3))  # 44 against 44
    assert thrown(starting_money, Guild.NAVYBORG, 2, RULINGS, faces=(3,)) == 30_000
    assert training_price("35", 2) == 70_000
    assert not thrown(survival_roll, 50, 35, faces=(5, 5, 5))
    assert thrown(survival_roll, 50, 35, faces=(5, 5, 6))


@pytest.mark.rules("EMP-175", "EMP-176")
def test_what_a_march_costs_in_sleep():
    """Three hours at a forced march cost six; eight of walking, with Endurance 6, two."""
    assert (extra_sleep("forced_march", 3, 6), extra_sleep("walk", 8, 6)) == (6, 2)


@pytest.mark.rules("EMP-073")
def test_sides_that_are_equally_swift_throw_until_one_is_first():
    """3735 to 3750: 7.5 against 7.5; seven against seven, then nine against four."""
    assert thrown(initiative, Team((9, 6), 0), Team((8, 7), 0), faces=(3, 4, 5, 2, 4, 5, 1, 3)) == 1


@pytest.mark.rules("EMP-023", "EMP-024")
def test_the_quick_rule_at_its_edge():
    """735 to 755: nothing left over is a success; both qualities count by their mean."""
    quality = quality_used(7, 8, "both")
    assert quality == Fraction(15, 2)
    just = thrown(quick_action, Fraction(7), -2, "", RULINGS, faces=(2, 3))
    assert (just.success, just.adjective) == (True, "mediocre")
    assert not thrown(quick_action, Fraction(7), -2, "", RULINGS, faces=(3, 3)).success


# Chances counted throw by throw, as one would with pencil and paper, beside what the rules themselves say


def counted(holds, dice):
    """How many of all the throws of so many dice are such."""
    ways = list(product(range(1, 7), repeat=dice))
    return Fraction(sum(holds(faces) for faces in ways), len(ways))


def under(limit, dice):
    return counted(lambda faces: sum(faces) <= limit, dice)


@pytest.mark.rules("EMP-032", "EMP-034")
def test_the_chance_of_a_school_and_of_a_year_in_it():
    """6939: the characteristic times two dice above twice the age; 22 years and a 9 take 5 on two dice."""
    passes = odds(entrance_exam, Guild.NAVYBORG, 9, 22)[True]
    assert passes == counted(lambda two: 9 * sum(two) > 44, 2) == Fraction(5, 6)
    assert odds(entrance_exam, Guild.NAVYBORG, 4, 24)[True] == 0, "4 times 12 is twice 24, and must be more"
    learnt = odds(acquisition, 11, RULINGS)
    assert [learnt[n] for n in (0, 1, 2)] == [Fraction(81, 216), Fraction(108, 216), Fraction(27, 216)]


@pytest.mark.rules("EMP-044")
def test_the_chance_to_learn_from_a_feat():
    """Five dice under 15, then the same five above it: a skill known well is seldom learnt from."""
    feat = under(15, 5)
    learns = odds(destiny_roll, 5, 12, 3, RULINGS).chance(lambda done: done.levels == 1)
    assert feat * learns == feat * (1 - feat) == Fraction(2373 * 5403, 7776**2)


@pytest.mark.rules("EMP-045")
def test_the_chance_to_grow_old_in_one_piece():
    """9883: the age below the destiny and three dice; 35 years and 22 points take 14."""
    assert odds(survival_roll, 35, 22)[True] == counted(lambda three: 22 + sum(three) > 35, 3) == Fraction(35, 216)


@pytest.mark.rules("EMP-091", "EMP-010")
def test_the_chance_of_a_fever_and_of_a_betrayal():
    """4277: three dice above the evasion of 9; loyalty is three dice under the best of a mind, 10."""
    assert odds(infection, Fraction(9))[True] == counted(lambda three: sum(three) > 9, 3) == Fraction(5, 8)
    assert odds(loyalty, 10)[True] == under(10, 3) == Fraction(1, 2)


@pytest.mark.rules("EMP-095", "EMP-096", "EMP-097")
def test_the_chance_to_hold_somebody_and_to_slip_out_of_it():
    """4352: a hold is a precise act, four dice at the middle, five above; out of it, three dice under the evasion, with
    what separates two Strengths, and one less for each sequence of a choke."""
    def holds(height):
        return odds(hold, 12, height, Grip.IMMOBILISE, RULINGS).chance(lambda held: held.holds)

    assert [holds(height) for height in (Height.LOW, Height.MIDDLE, Height.HIGH)] == [
        under(12, 3), under(12, 4), under(12, 5)]
    for mine, theirs, sequences, limit in ((9, 8, 0, 12), (8, 9, 0, 10), (8, 9, 3, 7)):
        slips = odds(break_free, break_free_threshold(Fraction(11), mine, theirs, sequences))[True]
        assert slips == under(limit, 3)


@pytest.mark.rules("EMP-073")
def test_equals_have_the_same_chance_of_the_first_blow():
    even = odds(initiative, Team((7, 9)), Team((8,)))
    assert even[1] == even[2] == Fraction(1, 2)
    assert odds(initiative, Team((7, 9)), Team((8,), 1))[2] == 1


@pytest.mark.rules("EMP-074")
def test_the_chance_that_an_ambush_is_laid_and_not_smelt():
    laid, smelt = under(11, 3), under(9, 3)
    assert laid * (1 - smelt) == Fraction(25, 64)
    tries = odds(ambush, "initiator", 11, 3, Column.NORMAL, False).chance(lambda done: done.success)
    sees = odds(ambush, "gm", 9, 3, Column.NORMAL, True).chance(lambda done: done.hint != "nothing")
    assert (tries, sees) == (laid, smelt)


@pytest.mark.rules("EMP-076", "EMP-079")
def test_the_chance_that_neither_of_two_attackers_lands_a_blow():
    """Both throw at once, under 11 and under 9: each misses for itself."""
    blows = odds(exchange, Attitude.ATTACK, Stance(11, 3, "D"), Attitude.ATTACK, Stance(9, 3, "D"), RULINGS)
    assert blows.chance(lambda done: done.to_a == done.to_b == 0) == (1 - under(11, 3)) * (1 - under(9, 3)) == Fraction(
        15, 64)


@pytest.mark.rules("EMP-076", "EMP-079")
def test_of_an_attack_and_a_feint_only_the_higher_that_succeeds_lands():
    def b_is_hurt(faces):
        a, b = sum(faces[:3]), sum(faces[3:])
        return a <= 11 and (b > 9 or a > b)

    blows = odds(exchange, Attitude.ATTACK, Stance(11, 3, "D"), Attitude.FEINT, Stance(9, 3, "D"), RULINGS)
    assert blows.chance(lambda done: done.to_b > 0) == counted(b_is_hurt, 6)


@pytest.mark.rules("EMP-093", "EMP-094")
def test_the_chance_to_face_the_third_of_many():
    harmless = Attacker(Stance(2, 3, "C"), Attitude.ATTACK, Attitude.ATTACK)
    faced = odds(one_against_many, Stance(11, 3, "C"), (harmless,) * 3, True, RULINGS)
    assert faced.chance(lambda all_of_them: all_of_them[2].faced) == under(11, 3) ** 2 == Fraction(25, 64)


@pytest.mark.rules("EMP-104", "EMP-105")
def test_the_chance_of_a_shot_near_far_and_out_of_range():
    """4473 to 4486: beyond a third one die more; beyond the range the die stays, and nothing is hit."""
    def hits(band, beyond=False):
        dice = 3 + range_dice(band)
        return odds(shoot, Aimed("rifle", 12, dice, range_dice(band), 0, beyond), RULINGS).chance(lambda one: one.hit)

    assert (hits(Band.NEAR), hits(Band.FAR)) == (under(12, 3), under(12, 4))
    assert (range_dice(Band.BEYOND), hits(Band.BEYOND, True)) == (range_dice(Band.FAR), 0)


@pytest.mark.rules("EMP-113")
def test_the_chance_that_a_blast_takes_fourteen_points_of_a_neighbour():
    """4642 to 4659: two dice times the level less the squares: of the third, one square off, seven on two dice."""
    def two(dice):
        return dice.sum(2, 6)

    takes = odds(two).chance(lambda total: blast_damage(total, 3, 1) >= 14)
    assert takes == counted(lambda faces: 2 * sum(faces) >= 14, 2) == Fraction(7, 12)


@pytest.mark.rules("EMP-141")
def test_the_chance_to_be_obeyed_for_seven_minutes():
    """A soldier of the third grade adds it to one die, if the order carries at all."""
    worked = odds(command, 11, 3, 3).chance(lambda done: done.effect >= 7)
    assert worked == under(11, 3) * Fraction(3, 6) == Fraction(5, 16)


@pytest.mark.rules("EMP-126", "EMP-128")
def test_the_chance_that_an_argument_shakes_a_mind():
    """A third of 18 is 6 points of table A: what four dice must throw under 13, found line by line."""
    least = min(total for total in range(4, 25) if 3 * damage("A", 4, total, RULINGS) >= 18)
    shaken = odds(free_blow, Stance(13, 4, "A"), RULINGS).chance(
        lambda done: state_after(18, 18, done.to_b, RULINGS) not in (MindState.FREE, MindState.INFLUENCED))
    assert shaken == counted(lambda four: least <= sum(four) <= 13, 4)


@pytest.mark.rules("EMP-158")
@pytest.mark.option("telepath_duel", "threshold")
def test_the_chance_between_two_telepaths():
    """Five dice each: whoever throws less is in the other's hand; where a table lets what is above a threshold count
    for nothing, 16 is worth more than 14."""
    sums = Counter(map(sum, product(range(1, 7), repeat=5)))

    def taken(counts):
        wins = sum(n * m for a, n in sums.items() for b, m in sums.items() if counts(a, 16) > counts(b, 14))
        return Fraction(wins, 6**10)

    for reading, counts in (("sum", lambda thrown, limit: thrown),
                            ("threshold", lambda thrown, limit: thrown if thrown <= limit else 0)):
        rulings = SYSTEM.book.rulings({} if reading == "sum" else {"telepath_duel": reading})
        assert odds(telepaths_duel, 16, 14, rulings).chance(lambda duel: duel.controlled == 2) == taken(counts)
