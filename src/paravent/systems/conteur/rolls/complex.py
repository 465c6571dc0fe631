"""Complex actions: « Actions complexes », « Actions réflexes », « Règles particulières pour les actions complexes »."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule

from .errors import NotComplex
from .faces import success_level
from .opposed import compared_total, rolls_again
from .pool import Action, hand, throw
from .roll import ALL_RIGHTS, roll, terms_of


class Used(NamedTuple):
    """What a roll was made with, by name or number, so that it can be made again: attribute and skill."""

    attribute: str = ""
    skill: str = ""


NOTHING_USED = Used()


@dataclass(frozen=True)
class ComplexAction:
    """A complex action under way: what it is, the successes it needs, those kept so far, the last turn rolled for."""

    label: str = ""
    difficulty: int = 2
    stock: int = 0
    turn: int = 1
    actor: str = ""
    done: bool = False
    abandoned: bool = False
    used: Used = NOTHING_USED
    """Attribute and skill of the last turn: the next one is rolled with the same, unless said."""
    gains: tuple[int, ...] = ()
    """What each turn brought, or cost."""

    @property
    def over(self) -> bool:
        """Whether nothing more is rolled for it."""
        return self.done or self.abandoned


class Turn(NamedTuple):
    """One turn of a complex action: the stock after it, whether it is done and how well; and the roll."""

    stock: int
    gain: int
    done: bool
    level: int
    raw: int
    standing_tens: int
    luck_spent: int
    unconscious: bool
    dice: int
    opposing: int = 0
    """The total of whoever resists."""
    opposing_luck_spent: int = 0
    opposing_unconscious: bool = False
    opposing_dice: int = 0


@rule("D10-017")
def check_complex(difficulty: int) -> int:
    """The difficulty of a complex action: two successes at least."""
    if difficulty < 2:
        raise NotComplex(got=difficulty)
    return difficulty


@rule("D10-016", "D10-018")
def simultaneous_actions(actions: int, reflexes: int, rulings: Rulings) -> int:
    """The other actions that disturb a complex one this turn; reflexes do not, unless the table counts them (R-17)."""
    return actions + (reflexes if rulings.reflex_counts == "true" else 0)


@rule("D10-018", "D10-021")
def turn_gain(raw: int, simultaneous: int, rulings: Rulings) -> int:
    """What a turn's roll adds to the stock: each other action takes one success from the roll, never from the stock.

    A negative raw total is what 10s take from earlier turns.
    """
    if raw <= 0 or rulings.simultaneous_mode == "difficulty":
        return raw
    return max(0, raw - simultaneous)


@rule("D10-026")
def resisted_gain(raw: int, opposing: int) -> int:
    """When someone resists, only the difference counts; losing gives nothing, a negative total still eats the stock."""
    return raw if raw < 0 else max(0, raw - opposing)


@rule("D10-019", "D10-021")
def new_stock(stock: int, gain: int) -> int:
    """Successes are kept and added up; 10s may eat them, down to 0."""
    return max(0, stock + gain)


@rule("D10-018")
def needed(difficulty: int, simultaneous: int, rulings: Rulings) -> int:
    """The stock that completes the action this turn (more of it where other actions raise the difficulty, R-16)."""
    return difficulty + (simultaneous if rulings.simultaneous_mode == "difficulty" else 0)


@rule("D10-022")
def completion_level(stock: int, gain: int, difficulty: int, rulings: Rulings) -> int:
    """How well a complex action ends: the scale is read on the stock at completion, or on the last turn's worth (R-49).

    A last turn that brought no success, where the goal came nearer by itself, is read as one.
    """
    if rulings.complex_scale == "last_turn":
        return success_level(max(1, gain), 1, rulings.scale_basis)
    return success_level(stock, difficulty, rulings.scale_basis)


@rule("D10-020")
def kept_stock(stock: int, last_turn: int, turn: int, rulings: Rulings) -> int:
    """What is left of the stock when the action is taken up again: all in the very next turn, else nothing (R-18)."""
    return stock if turn <= last_turn + 1 or rulings.complex_pause == "true" else 0


@rule("D10-020")
def abandon(dice: Dice, stock: int) -> int:
    """Giving up loses every success kept; a later attempt starts from 0."""
    dice.note("D10-020", "stock_lost", n=stock)
    return 0


class Pursuit(NamedTuple):
    """Where a complex action stands as a turn begins."""

    difficulty: int
    stock: int = 0
    simultaneous: int = 0
    lost: int = 0
    """Successes lost because the action was not pursued in the very next turn."""


@rule("D10-017", "D10-019")
def complex_turn(
    dice: Dice, pursuit: Pursuit, action: Action, luck: int, rulings: Rulings,
    opposing: Action | None = None, opposing_luck: int = 0,
) -> Turn:
    """One turn of a complex action, resisted or not; falling unconscious gives it up.

    Without a single die there is no turn: nobody resists what is not attempted, and the stock stays as it was.
    """
    difficulty, stock, others = check_complex(pursuit.difficulty), pursuit.stock, pursuit.simultaneous
    goal = needed(difficulty, others, rulings) - stock + (others if rulings.simultaneous_mode == "successes" else 0)
    if pursuit.lost:
        dice.note("D10-020", "stock_lost", n=pursuit.lost)
    if opposing is not None:
        hand(opposing, rulings)  # what forbids them to resist is said before any dice fall
    mine = dice.resolve(throw, action, difficulty, luck, rulings, goal if opposing is None else ALL_RIGHTS)
    if not mine.dice:
        return Turn(stock, 0, False, 0, *_NO_ROLL)
    raw, theirs = mine.raw, None
    if opposing is not None:
        theirs = dice.of("opponent").resolve(throw, opposing, 1, opposing_luck, rulings, raw, "opponent")
        against = compared_total(theirs, rulings)
        if raw >= 0 and raw == against and rolls_again(mine, theirs, rulings):
            raise ThrowAgain
        raw = resisted_gain(raw, against)
    gain = turn_gain(raw, others, rulings)
    after = new_stock(stock, gain)
    if after < stock:
        dice.note("D10-021", "stock_eaten", n=stock - after)
    if others and (raw > 0 or rulings.simultaneous_mode == "difficulty"):
        dice.note("D10-018", f"disturbed_{rulings.simultaneous_mode}", n=others)
    done = after >= needed(difficulty, others, rulings)
    dice.note("D10-019", "stock", before=stock, gain=gain, after=after, difficulty=difficulty)
    if mine.unconscious and not done:
        dice.note("D10-020", "stock_lost", n=after)
        after = 0
    return Turn(
        after, gain, done, completion_level(after, gain, difficulty, rulings) if done else 0,
        mine.raw, mine.standing_tens, mine.luck_spent, mine.unconscious, mine.dice,
        *((compared_total(theirs, rulings), theirs.luck_spent, theirs.unconscious, theirs.dice) if theirs else ()),
    )


_NO_ROLL = (0, 0, 0, False, 0)
"""Raw total, standing 10s, luck, consciousness and dice of a turn that is not attempted."""


class Progress(NamedTuple):
    """What a forecast follows from turn to turn."""

    stock: int
    done: bool


@rule("D10-019", "D10-021", "D10-022")
def progress(
    dice: Dice, before: Progress, number: int, attribute: int, difficulty: int, simultaneous: int, rulings: Rulings
) -> Progress:
    """One turn of a complex action pursued with the same dice each time: rights are used until it is done."""
    least = needed(difficulty, simultaneous, rulings)
    goal = least - before.stock + (simultaneous if rulings.simultaneous_mode == "successes" else 0)
    rolled = dice.resolve(roll, 0, terms_of(number, attribute, 1, rulings, goal=goal))
    stock = new_stock(before.stock, turn_gain(rolled.raw, simultaneous, rulings))
    return Progress(min(stock, least), stock >= least)
