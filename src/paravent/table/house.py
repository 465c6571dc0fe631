"""Moves that belong to no game: free throws of dice (``/r 3d6+2``), the passing of time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from paravent.dice.notation import FreeThrow, comment_of, dice_of, free_throw, read_dice, weighable
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    INVISIBLE,
    OPEN,
    PASS_TIME,
    Ask,
    Call,
    Context,
    Field,
    Move,
    OneOf,
    Resolve,
    Shown,
    System,
    Telling,
    TextField,
    only,
)

from .passing import pass_time_move

if TYPE_CHECKING:
    from .state import State


EXPRESSION = Field("expression", TextField(200))
SECRECY = Field("grade", OneOf(("open", "gm", "blind", "hidden")), usual="open")


def _shown(ctx: Context, result: FreeThrow | None) -> Shown:
    match ctx[SECRECY]:
        case "gm":
            mine = only("initiator", "gm")
            return Shown(mine, mine, mine)
        case "blind":
            return Shown(only("initiator", "gm"), only("gm"), only("gm"))
        case "hidden":
            return INVISIBLE
        case _:
            return OPEN


def _thrown(ctx: Context) -> Call[FreeThrow]:
    typed = ctx[EXPRESSION]
    return Call(free_throw, weighable(read_dice(typed)), dice_of(typed), comment_of(typed))


def _told(ctx: Context, result: FreeThrow) -> list[Telling]:
    told = [Telling("outcomes.free-throw-told", {"text": result.text, "total": result.total})]
    return [*told, Telling("outcomes.free-throw-comment", {"comment": result.comment})] if result.comment else told


FREE_THROW = Move(
    "free-throw",
    cast=(INITIATOR, GAME_MASTER),
    exists=lambda ctx: _shown(ctx, None).exists,
    steps=(
        Ask("dice", (EXPRESSION, SECRECY)),
        Resolve(
            "throw",
            _thrown,
            outcome=lambda result: "free-throw",
            tell=_told,
            shown=_shown,
        ),
    ),
)


_HOUSES: OrderedDict[tuple[int, int, str, str, int, int], tuple[System, object, object, System]] = OrderedDict()
_MOST_HOUSES = 64


def with_house_moves(system: System, state: State | None = None) -> System:
    """The game, with the moves that every table has; time passes from where the table's clock stands.

    It is the same object while that is the same, so that what was worked out with it holds.
    """
    if state is None:
        return _with_house_moves(system, None)
    timed = state.records if state.timers else None
    key = id(system), state.minutes, state.scene, state.episode, id(state.timers), id(timed)
    kept = _HOUSES.get(key)
    if kept is None or kept[0] is not system or kept[1] is not state.timers or kept[2] is not timed:
        kept = _HOUSES[key] = system, state.timers, timed, _with_house_moves(system, state)
        while len(_HOUSES) > _MOST_HOUSES:
            _HOUSES.popitem(last=False)
    return kept[3]


def _with_house_moves(system: System, state: State | None) -> System:
    moves = {FREE_THROW.id: FREE_THROW, **system.moves}
    if system.passing is not None or PASS_TIME not in moves:
        moves[PASS_TIME] = pass_time_move(system, state)
    whole = replace(system, moves=moves)
    whole.__dict__.update(book=system.book, words=system.words, tables=system.tables)  # read once
    return whole
