"""The questions of the bench as ordinary rules, written the way the games write theirs."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from paravent.dice import Dice, Kinds, Take

# Solaires: three dice, those above the score are set aside.


KEPT = {score: Kinds(6, kept=range(1, score + 1), aside=range(score + 1, 7)) for score in range(1, 6)}


def kept_dice(dice: Dice, score: int, n: int = 3) -> int:
    """Throw three d6 (the game's number), keep those that do not exceed the score."""
    kept, _ = dice.counts(n, KEPT[score])
    return kept


# Simulacres: 2d6 under a value; margins, and bonus dice on a critical success.


class Check(NamedTuple):
    """What a throw under a value gives."""

    success: bool
    margin: int
    critical: bool


def check(dice: Dice, value: int, bonus: int = 0) -> Check:
    """2d6 strictly under the value; a 2 is critical and adds the trade's bonus dice to the margin."""
    roll = dice.sum(2, 6)
    if roll == 2:
        margin = max(0, value - 2)
        return Check(True, margin + dice.sum(bonus, 6), True) if bonus else Check(True, margin, True)
    if roll == 12:
        return Check(False, max(0, 12 - value), True)
    return Check(True, value - roll, False) if roll < value else Check(False, roll - value, False)


class Duel(NamedTuple):
    """Who has the better of it, and by which margin."""

    winner: str
    margin: int


FAILED = -1


def standing(dice: Dice, value: int, bonus: int = 0) -> int:
    """What a check is worth in a duel: its margin, or nothing at all if it fails, by however much."""
    done = check(dice, value, bonus)
    return done.margin if done.success else FAILED


def duel(dice: Dice, mine: int, theirs: int, my_bonus: int = 0, their_bonus: int = 0) -> Duel:
    """Both check; the one who succeeds alone or by more wins with their own margin."""
    me = dice.of("initiator").resolve(standing, mine, my_bonus)
    them = dice.of("opponent").resolve(standing, theirs, their_bonus)
    if me > them:
        return Duel("initiator", me)
    if them > me:
        return Duel("opponent", them)
    return Duel("nobody" if me == FAILED else "tie", 0)


DAMAGE = (0,) * 3 + (1,) + (2,) * 6 + (3,) * 2 + (4,) * 7 + (6,) * 4 + (8,) * 4 + (10,) * 4
"""By margin plus 2d6; a table of our own, of the same shape as the game's."""


def damage(dice: Dice, reach: int) -> int:
    """Read the table at what the blow brings + 2d6."""
    roll = dice.sum(2, 6)
    dice.note("SIM-050", "damage", roll=roll, reach=reach)
    return DAMAGE[min(max(0, reach + roll), 30)]


class Blow(NamedTuple):
    """Who struck, and for how much."""

    striker: str
    damage: int


def exchange(
    dice: Dice, mine: int, theirs: int, my_bonus: int = 0, their_bonus: int = 0,
    my_weapon: int = 0, their_weapon: int = 0,
) -> Blow:
    """A duel; its winner reads the damage table at margin + 2d6 + weapon."""
    won = dice.resolve(duel, mine, theirs, my_bonus, their_bonus)
    if won.winner in ("tie", "nobody"):
        return Blow(won.winner, 0)
    weapon = my_weapon if won.winner == "initiator" else their_weapon
    return Blow(won.winner, dice.of(won.winner).resolve(damage, won.margin + weapon))


class Fight(NamedTuple):
    """The life points left on both sides."""

    mine: int
    theirs: int


def fight_step(dice: Dice, fight: Fight, mine: int, theirs: int, my_weapon: int = 0, their_weapon: int = 0) -> Fight:
    """One exchange of a fight to the end."""
    blow = dice.resolve(exchange, mine, theirs, 0, 0, my_weapon, their_weapon)
    if blow.striker == "initiator":
        return Fight(fight.mine, max(0, fight.theirs - blow.damage))
    if blow.striker == "opponent":
        return Fight(max(0, fight.mine - blow.damage), fight.theirs)
    return fight


def fight_over(fight: Fight) -> bool:
    """Whether somebody has no life points left."""
    return fight.mine == 0 or fight.theirs == 0


# Empire: sums of one to five dice against a threshold, damage by a table on the sum.


def total(dice: Dice, n: int, plus: int = 0) -> int:
    """The sum of n dice and a constant."""
    return dice.sum(n, 6) + plus


class Attempt(NamedTuple):
    """One side of an exchange: number of dice, threshold, and the weapon's row."""

    dice: int
    threshold: int
    weapon: int


class Harm(NamedTuple):
    """What each side loses."""

    mine: int
    theirs: int


def harm_of(attempt: Attempt, roll: int) -> int:
    """A damage table of our own: rises with weapon, dice and sum."""
    return max(0, (roll * (2 + attempt.weapon)) // 3 - attempt.dice) if roll <= attempt.threshold else 0


def blow(dice: Dice, attempt: Attempt) -> int:
    """Roll the dice of an attempt; if the sum does not exceed the threshold, deal the table's damage."""
    return harm_of(attempt, dice.sum(attempt.dice, 6))


def attack_against_attack(dice: Dice, mine: Attempt, theirs: Attempt) -> Harm:
    """Both roll, and each may hurt the other."""
    dealt = dice.of("initiator").resolve(blow, mine)
    taken = dice.of("opponent").resolve(blow, theirs)
    return Harm(taken, dealt)


# Conteur: a pool of d10; 1s and 10s cancel, a 1 left gives the right to rethrow a die, a 10 left takes a success.

@lru_cache(maxsize=16)
def reading(attribute: int) -> Kinds:
    """How a die reads against an attribute."""
    target = min(9, max(1, attribute))
    return Kinds(10, one=[1], success=range(2, target + 1), failure=range(target + 1, 10), ten=[10])


@lru_cache(maxsize=16)
def scoring(attribute: int) -> Kinds:
    """The same when no die is rethrown: what adds, what does nothing, what takes away."""
    target = min(9, max(1, attribute))
    return Kinds(10, good=range(1, target + 1), bad=range(target + 1, 10), ten=[10])


def plain_pool(dice: Dice, n: int, attribute: int) -> int:
    """The raw successes of a pool whose reroll rights are not used."""
    good, _, tens = dice.counts(n, scoring(attribute))
    return good - tens


FAILURE, SUCCESS, STOP = Take("failure"), Take("success"), Take()


def pool(dice: Dice, n: int, attribute: int, wanted: int = 99) -> int:
    """The raw successes of a pool; rights are used on failures until ``wanted`` is reached."""
    ones, good, bad, tens = dice.counts(n, reading(attribute))
    raw = ones + good - tens
    rights = max(0, ones - tens)
    if rights == 0 or bad == 0:
        return raw
    return raw + dice.resolve(gained, attribute, min(wanted - raw, bad + 1), rights, bad)


def gained(dice: Dice, attribute: int, missing: int, rights: int, bad: int) -> int:
    """What rights bring when each is used on a plain failure, as long as successes are missing."""
    taken = dice.choose("initiator", "reroll", (STOP, FAILURE), usual=FAILURE if missing > 0 else STOP)
    if not taken:
        return 0
    one, success, failure, ten = dice.counts(1, reading(attribute), again=taken)
    more = one + success - ten
    rights, bad = rights - 1 + one, bad - 1 + failure
    if rights == 0 or bad == 0:
        return more
    return more + dice.resolve(gained, attribute, min(missing - more, bad + 1), rights, bad)


OPTIONS = {
    (True, True): (STOP, FAILURE, SUCCESS), (True, False): (STOP, FAILURE), (False, True): (STOP, SUCCESS),
}
"""What may be rethrown, by whether a failure and a success lie there."""


def free_pool(dice: Dice, n: int, attribute: int) -> int:
    """The same when a right may also rethrow a plain success: every legal choice, for best play."""
    ones, good, bad, tens = dice.counts(n, reading(attribute))
    return dice.then(free_rerolls, attribute, max(0, ones - tens), ones + good - tens, good, bad)


def free_rerolls(dice: Dice, attribute: int, rights: int, raw: int, good: int, bad: int) -> int:
    """Use a right on a die that shows a plain success or failure, or stop there."""
    if rights == 0 or good + bad == 0:
        return raw
    taken = dice.choose("initiator", "reroll", OPTIONS[bad > 0, good > 0])
    if not taken:
        return raw
    one, success, failure, ten = dice.counts(1, reading(attribute), again=taken)
    if taken == SUCCESS:
        raw, good = raw - 1, good - 1
    else:
        bad = bad - 1
    raw += one + success - ten
    return dice.then(free_rerolls, attribute, rights - 1 + one, raw, good + success, bad + failure)


class Opposed(NamedTuple):
    """Who wins an opposed roll, by how many successes."""

    winner: str
    effective: int


def opposed(dice: Dice, mine: int, my_attribute: int, theirs: int, their_attribute: int) -> Opposed:
    """Both throw their pools and use all their rights; the larger number of successes wins."""
    me = max(0, dice.of("initiator").resolve(pool, mine, my_attribute))
    them = max(0, dice.of("opponent").resolve(pool, theirs, their_attribute))
    return Opposed("initiator" if me > them else "opponent" if them > me else "tie", abs(me - them))
