"""The roll: « Succès & échecs critiques », « Utiliser la chance ».

All dice are thrown together and settled: 1s and 10s of the batch cancel two by two, and each 1 left earns a reroll
right. Then the player goes on, one die at a time with rights, or once with luck on several dice together, until they
stop. Only the number of dice of each kind is kept, never the dice themselves: equal dice are interchangeable.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from paravent.dice import Dice, Take
from paravent.game import Rulings, rule

from .faces import (
    FAILURE,
    KEPT,
    ONE,
    SUCCESS,
    TEN,
    cancelled_pairs,
    effective_target,
    kinds_against,
    passed,
    success_level,
)

ALL_RIGHTS = 99
"""A goal out of reach: the usual policy then spends every right."""


class GoOn(StrEnum):
    """What a player may do with a settled roll, besides naming a die to throw again with a right."""

    STOP = "stop"
    LUCK = "luck"
    NO_LUCK = "no_luck"
    """Thinking better of it: no point is spent, and luck stays out of this roll."""


Wanted = GoOn | Take
"""What a player wants of a settled roll: a word, or the dice to take up."""


class Terms(NamedTuple):
    """Under what terms a roll is made: announced before, unchanged until its end."""

    who: str
    """The role that throws and decides."""
    dice: int
    target: int
    difficulty: int
    goal: int
    """The raw total at which a player who wants no more stops; usually the difficulty."""
    vanish: bool
    chain: str
    any_target: bool
    scale: str
    failing: bool
    """Whether a standing 10 knocks the character out."""
    any_ten: bool
    alone: bool
    """Whether the roll stands by itself, to be read against its difficulty."""


class Spread(NamedTuple):
    """What lies on the table, in numbers of dice, and what may still be spent on it."""

    success: int
    """Ordinary successes: they may be thrown again."""
    failure: int
    """Ordinary failures: they may be thrown again."""
    ten: int
    """Standing 10s that a right may take up (only where the table allows it, R-05)."""
    good: int
    """Successes that stay as they are: 1s, and dice kept after luck."""
    held_ten: int
    """Standing 10s that stay as they are."""
    rights: int
    luck: int
    spent: int
    cancelled_ten: bool
    """Whether a 10 was cancelled; noted only where that matters (R-37)."""

    @property
    def tens(self) -> int:
        """The 10s that stand."""
        return self.ten + self.held_ten

    @property
    def raw(self) -> int:
        """Successes less standing 10s: it may be negative."""
        return self.success + self.good - self.ten - self.held_ten


class Roll(NamedTuple):
    """A finished roll."""

    raw: int
    successes: int
    passed: bool
    level: int
    rights_left: int
    standing_tens: int
    luck_spent: int
    unconscious: bool
    dice: int


def terms_of(
    dice: int, attribute: int, difficulty: int, rulings: Rulings, *,
    goal: int | None = None, who: str = "initiator", failing: bool = False, alone: bool = True,
) -> Terms:
    """The terms of a roll at this table."""
    return Terms(
        who, dice, effective_target(attribute), difficulty, difficulty if goal is None else goal,
        rulings.cancel_mode == "vanish", rulings.reroll_chain, rulings.right_targets == "any", rulings.scale_basis,
        failing, failing and rulings.blackout_trigger == "any_ten", alone,
    )


@rule("D10-012")
def roll(dice: Dice, luck: int, terms: Terms) -> Roll:
    """Throw all the dice of the announcement in one batch, settle it, and go on from there."""
    ones, successes, failures, tens = dice.counts(terms.dice, kinds_against(terms.target))
    pairs = cancelled_pairs(ones, tens)
    dice.aside(ONE, pairs)
    dice.aside(TEN, pairs)
    if pairs:
        dice.note("D10-011", "cancelled", n=pairs)
    if ones > pairs:
        dice.note("D10-009", "rights", n=ones - pairs)
    return dice.then(go_on, settled(ones, successes, failures, tens, luck, terms), terms)


@rule("D10-009", "D10-010", "D10-011")
def settled(ones: int, successes: int, failures: int, tens: int, luck: int, terms: Terms) -> Spread:
    """The first batch once its 1s and 10s have cancelled: the 1s left are successes and earn a right each.

    A cancelled pair leaves the roll; where only its effects cancel (R-01) its 1 stays a success.
    """
    pairs = cancelled_pairs(ones, tens)
    standing = tens - pairs
    rights = ones - pairs
    taken_up, held = (standing, 0) if terms.any_target else (0, standing)
    good = rights if terms.vanish else ones
    return Spread(successes, failures, taken_up, good, held, rights, luck, 0, terms.any_ten and pairs > 0)


@rule("D10-013", "D10-030", "D10-031", "D10-032")
def go_on(dice: Dice, spread: Spread, terms: Terms) -> Roll:
    """The player stops, throws one die again with a right, or throws several again with luck.

    Criticals, cancelled dice and dice that luck has thrown again are not offered.
    """
    wanted = dice.choose(terms.who, "reroll", offered(spread), usual(spread, terms), REFUSED,
                         n=spread.raw, rights=spread.rights, luck=spread.luck, **aimed_at(terms))
    if wanted == GoOn.STOP:
        dice.note("D10-014", "total", good=spread.success + spread.good, tens=spread.tens, raw=spread.raw)
        if terms.alone:
            dice.note("D10-007", "against", n=max(0, spread.raw), difficulty=terms.difficulty)
        return finished(spread, terms)
    if isinstance(wanted, Take):
        return dice.then(throw_with_right, taken_up(spread, wanted), terms)
    taken = dice.choose(terms.who, "luck_dice", lucky_dice(spread), usual_luck(spread, terms), REFUSED_LUCK,
                        n=spread.raw, luck=spread.luck, **aimed_at(terms))
    if isinstance(taken, Take):
        return dice.then(throw_with_luck, len(taken), taken_up(spread, taken), terms)
    return dice.then(go_on, spread._replace(luck=0), terms)


def aimed_at(terms: Terms) -> dict[str, int]:
    """The total that the player needs, where they may know of one."""
    return {"goal": terms.goal} if terms.goal < ALL_RIGHTS else {}


REFUSED = {"": "D10-013", "luck": "D10-030", **{KEPT + kind: "D10-031" for kind in (ONE, SUCCESS, FAILURE, TEN)}}
REFUSED_LUCK = {"": "D10-030", ONE: "D10-032", TEN: "D10-032"}
"""Which rule refuses what: a right or a point that is not there, a die kept after luck, a critical."""


def offered(spread: Spread) -> tuple[Wanted, ...]:
    """What the player may do now: stop, a kind of die to throw again with a right, luck.

    Luck is offered where it can still help: with no failure left, no die thrown again could bring one more success.
    """
    success, failure, ten, _, _, rights, luck, _, _ = spread
    return _OFFERED[rights > 0, failure > 0, success > 0, ten > 0, luck > 0]


_TAKE_FAILURE, _TAKE_SUCCESS, _TAKE_TEN = Take(FAILURE), Take(SUCCESS), Take(TEN)
_OFFERED: dict[tuple[bool, ...], tuple[Wanted, ...]] = {
    (rights, failure, success, ten, luck): (
        GoOn.STOP,
        *((_TAKE_FAILURE,) if rights and failure else ()),
        *((_TAKE_SUCCESS,) if rights and success else ()),
        *((_TAKE_TEN,) if rights and ten else ()),
        *((GoOn.LUCK,) if luck and failure else ()),
    )
    for rights, failure, success, ten, luck in product((False, True), repeat=5)
}
"""What may be done, by what there is: a right, failures, successes, 10s to take up, luck."""


def can_help(wanted: Sequence[Hashable]) -> bool:
    """Whether anything that the player may do could better a roll: a plain success thrown again never does."""
    return not set(wanted) <= {GoOn.STOP, _TAKE_SUCCESS}


@rule("D10-015")
def usual(spread: Spread, terms: Terms) -> Wanted:
    """Rights go to ordinary failures as long as the goal is not reached (to a 10 first, where that is allowed)."""
    if not spread.rights or spread.raw >= terms.goal:
        return GoOn.STOP
    if spread.ten:
        return _TAKE_TEN
    return _TAKE_FAILURE if spread.failure else GoOn.STOP


def lucky_dice(spread: Spread) -> tuple[Wanted, ...]:
    """The handfuls that luck may throw again: as many dice as points, criticals left out."""
    most = min(spread.luck, spread.success + spread.failure)
    return (
        GoOn.NO_LUCK,
        *(
            Take(*[FAILURE] * failures, *[SUCCESS] * (number - failures))
            for number in range(1, most + 1)
            for failures in range(max(0, number - spread.success), min(number, spread.failure) + 1)
        ),
    )


def usual_luck(spread: Spread, terms: Terms) -> Take:
    """As many ordinary failures as successes are missing; one, where nobody can say how many."""
    missing = 1 if terms.goal >= ALL_RIGHTS else max(1, terms.goal - spread.raw)
    number = min(spread.luck, spread.failure, missing)
    return Take(*[FAILURE] * number) if number else _TAKE_SUCCESS


def taken_up(spread: Spread, taken: Take) -> Spread:
    """The table while the dice named are in the player's hand."""
    failures, tens = taken.count(FAILURE), taken.count(TEN)
    successes = len(taken) - failures - tens
    return spread._replace(
        success=spread.success - successes, failure=spread.failure - failures, ten=spread.ten - tens
    )


@rule("D10-013")
def throw_with_right(dice: Dice, spread: Spread, terms: Terms) -> Roll:
    """One right, one die, alone: the new face counts like any other; a new 1 earns a new right, a new 10 stands."""
    one, success, failure, ten = dice.counts(1, kinds_against(terms.target, terms.chain), THE_DICE_NAMED)
    dice.note("D10-013", "right_used")
    return dice.then(
        go_on,
        Spread(
            spread.success + success,
            spread.failure + failure,
            spread.ten + (ten if terms.any_target else 0),
            spread.good + one,
            spread.held_ten + (0 if terms.any_target else ten),
            spread.rights - 1 + (one if terms.chain == "open" else 0),
            spread.luck, spread.spent, spread.cancelled_ten,
        ),
        terms,
    )


@rule("D10-030", "D10-031")
def throw_with_luck(dice: Dice, points: int, spread: Spread, terms: Terms) -> Roll:
    """One point a die, all together, once in the roll; the new faces are a batch of their own, and are kept."""
    one, success, _, ten = dice.counts(points, kinds_against(terms.target, terms.chain, kept=True), THE_DICE_NAMED)
    dice.note("D10-030", "luck_spent", n=points)
    pairs = cancelled_pairs(one, ten)
    dice.aside(KEPT + ONE, pairs)
    dice.aside(KEPT + TEN, pairs)
    if pairs:
        dice.note("D10-011", "cancelled", n=pairs)
    return dice.then(
        go_on,
        Spread(
            spread.success, spread.failure, spread.ten,
            spread.good + success + (one - pairs if terms.vanish else one),
            spread.held_ten + ten - pairs,
            spread.rights + (one - pairs if terms.chain == "open" else 0),
            0,
            points,
            spread.cancelled_ten or (terms.any_ten and pairs > 0),
        ),
        terms,
    )


THE_DICE_NAMED = Take()
"""What is thrown again is what the player has just named, whatever it showed."""


@rule("D10-014")
def finished(spread: Spread, terms: Terms) -> Roll:
    """The roll read: raw total, successes (never below 0), whether it passes and how well, and the blackout."""
    raw = spread.raw
    successes = max(0, raw)
    return Roll(
        raw, successes, passed(successes, terms.difficulty),
        success_level(successes, terms.difficulty, terms.scale),
        spread.rights, spread.tens, spread.spent, blackout(spread, terms), terms.dice,
    )


@rule("D10-054")
def blackout(spread: Spread, terms: Terms) -> bool:
    """Whether a failing character loses consciousness: any 10 that stands at the end, rerolled dice included."""
    return terms.failing and (spread.tens > 0 or spread.cancelled_ten)


def every_right(who: str, key: str, options: tuple[Wanted, ...], usual: Wanted) -> Wanted:
    """Policy: each right is spent on an ordinary failure, with no early stop; no luck."""
    return _TAKE_FAILURE if key == "reroll" and _TAKE_FAILURE in options else _stop(key, usual)


def no_right(who: str, key: str, options: tuple[Wanted, ...], usual: Wanted) -> Wanted:
    """Policy: nothing is thrown again."""
    return _stop(key, usual)


def _stop(key: str, usual: Wanted) -> Wanted:
    return GoOn.STOP if key == "reroll" else usual
