"""Moves that belong to no game: free throws of dice (``/r 3d6+2``), the passing of time."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    INVISIBLE,
    OPEN,
    Ask,
    Context,
    Field,
    FormError,
    Move,
    OneOf,
    Resolve,
    Shown,
    System,
    Telling,
    TextField,
    only,
)

from .passing import PASS_TIME, pass_time_move

if TYPE_CHECKING:
    from .state import State

_TERM = re.compile(r"\s*([+-])?\s*(?:(\d*)[dD](\d+)|(\d+))")
_MOST_DICE, _MOST_SIDES, _MOST_TERMS = 100, 1000, 20


class NotDice(FormError):
    """What was typed is not a throw of dice."""

    code = "dice/not-an-expression"


class Term(NamedTuple):
    """One part of a free throw: so many dice, or a plain number (no sides)."""

    sign: int
    number: int
    sides: int


class FreeThrow(NamedTuple):
    """What a free throw gives."""

    total: int
    text: str


def read_dice(text: str) -> tuple[Term, ...]:
    """The terms of ``3d6+2``; a capital D will do, and what follows ``#`` is a comment.

    >>> read_dice("3D6 + 2 # épée")
    (Term(sign=1, number=3, sides=6), Term(sign=1, number=2, sides=0))
    """
    wanted = text.partition("#")[0].strip()
    terms: list[Term] = []
    at = 0
    while at < len(wanted):
        match = _TERM.match(wanted, at)
        if match is None or (terms and not match[1]):
            raise NotDice(got=text)
        sign = -1 if match[1] == "-" else 1
        terms.append(Term(sign, int(match[4]), 0) if match[4] else Term(sign, int(match[2] or 1), int(match[3])))
        at = match.end()
    thrown = sum(term.number for term in terms if term.sides)
    if not thrown or thrown > _MOST_DICE or len(terms) > _MOST_TERMS or any(t.sides > _MOST_SIDES for t in terms):
        raise NotDice(got=text)
    if any(term.sides == 1 or (term.sides and not term.number) for term in terms):
        raise NotDice(got=text)
    return tuple(terms)


def free_throw(dice: Dice, terms: tuple[Term, ...], text: str) -> FreeThrow:
    """Throw each term and add up."""
    total = sum(term.sign * (dice.sum(term.number, term.sides) if term.sides else term.number) for term in terms)
    return FreeThrow(total, text)


def _shown(ctx: Context, result: FreeThrow | None) -> Shown:
    match ctx["grade"]:
        case "gm":
            mine = only("initiator", "gm")
            return Shown(mine, mine, mine)
        case "blind":
            return Shown(only("initiator", "gm"), only("gm"), only("gm"))
        case "hidden":
            return INVISIBLE
        case _:
            return OPEN


FREE_THROW = Move(
    "free-throw",
    cast=(INITIATOR, GAME_MASTER),
    exists=lambda ctx: _shown(ctx, None).exists,
    steps=(
        Ask("dice", (
            Field("expression", TextField(200)),
            Field("grade", OneOf(("open", "gm", "blind", "hidden")), usual="open"),
        )),
        Resolve(
            "throw",
            free_throw,
            read=lambda ctx: (read_dice(ctx["expression"]), ctx["expression"]),
            outcome=lambda result: "free-throw",
            tell=lambda ctx, result: [Telling("outcomes.free-throw-told", result._asdict())],
            shown=_shown,
        ),
    ),
)


def with_house_moves(system: System, state: State | None = None) -> System:
    """The game, with the moves that every table has; time passes from where the table's clock stands."""
    moves = {FREE_THROW.id: FREE_THROW, **system.moves}
    if system.passing is not None or PASS_TIME not in moves:
        moves[PASS_TIME] = pass_time_move(system, state)
    whole = replace(system, moves=moves)
    whole.__dict__.update(book=system.book, words=system.words, tables=system.tables)  # read once
    return whole
