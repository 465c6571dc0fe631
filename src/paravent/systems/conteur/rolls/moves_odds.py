"""What a player may ask before throwing: the exact chance for each number of dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice, best, fraction_text
from paravent.game import Ask, Call, Context, Field, Move, Resolve, Rulings, Telling, Whole, rule
from paravent.systems.conteur.asked import able

from .announce import LUCK, LuckAtHand, announced, announced_by, asked_of
from .pool import hand
from .roll import roll, terms_of


class Chances(NamedTuple):
    """The exact chance of passing for each number of dice from 1 up, the best number, and where one more die hurts."""

    chances: tuple[str, ...]
    best: int
    hurts: tuple[int, ...]


@rule("D10-004", "D10-015")
def chances(dice: Dice, attribute: int, most: int, difficulty: int, points: int, rulings: Rulings) -> Chances:
    """How often a roll passes with 1 die, 2 dice… under best play, luck included up to the points at hand.

    More dice are not always better: at attribute 9 each one is mostly one more chance of a 10.
    """
    found = [
        best(roll, points, terms_of(number, attribute, difficulty, rulings), goal=lambda rolled: rolled.passed).value
        for number in range(1, most + 1)
    ]
    hurts = tuple(number + 1 for number in range(1, most) if found[number] < found[number - 1])
    return Chances(tuple(map(fraction_text, found)), found.index(max(found)) + 1 if found else 0, hurts)


SUPPOSED_DIFFICULTY = Field("difficulty", Whole(1, 99), usual=1, rule="D10-007")
SUPPOSED_LUCK = Field("luck", LuckAtHand(), usual=0, rule="D10-030")


def asked_chances(ctx: Context) -> Call[Chances]:
    """The question as asked: the pool of the sheet, or so many dice; one may ask without a counterpart."""
    action = announced(ctx, ctx.one())._replace(field="")
    if action.skill is None and action.dice is None:
        action = action._replace(dice=DICE_COMPARED)
    thrown = hand(action, ctx.rulings)
    return Call(
        chances, thrown.attribute, thrown.dice, ctx[SUPPOSED_DIFFICULTY], ctx[SUPPOSED_LUCK], ctx.rulings)


DICE_COMPARED = 6


def percentage(chance: Fraction) -> dict[str, int]:
    """A chance in percent, as whole numbers and tenths: each language writes its own comma."""
    tenths = round(chance * 1000)
    return {"whole": tenths // 10, "tenth": tenths % 10}


def tell_chances(ctx: Context, answer: Chances) -> Sequence[Telling]:
    """One line for each number of dice, and the surprise if there is one."""
    lines = [
        Telling("outcomes.told_chance", {"n": number, "chance": chance, **percentage(Fraction(chance))})
        for number, chance in enumerate(answer.chances, start=1)
    ]
    lines += [Telling("outcomes.told_hurts", {"n": number, "fewer": number - 1}) for number in answer.hurts]
    return lines or [Telling("outcomes.impossible")]


def chances_outcome(answer: Chances) -> str:
    """The short key: whether one more die can hurt, or there is none."""
    if not answer.chances:
        return "impossible"
    return "more_dice_hurt" if answer.hurts else "more_dice_help"


ODDS_HELPER = Move(
    "odds-helper",
    (
        Ask("ask", (
            *asked_of(), *(asked for asked in announced_by() if asked.id != LUCK.id),
            SUPPOSED_DIFFICULTY, SUPPOSED_LUCK,
        )),
        Resolve("chances", asked_chances, tell=tell_chances, outcome=chances_outcome),
    ),
    rules=("D10-004", "D10-015"),
    offered=able(),
    suits=lambda ctx: False,  # the odds stand beside each number of dice: it is for whoever looks for it
)
