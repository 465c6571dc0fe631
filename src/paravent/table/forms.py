"""What a move asks of a seat, and the odds it may be shown: worked out only from what that seat may see."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product
from typing import Any, NamedTuple

from msgspec import UNSET

from paravent.dice import Odds, plain
from paravent.dice.errors import ParaventError
from paravent.game import AnyField, AnyResolve, Ask, Context, Grid, NotNow, Plain, Resolve, System, Window, to_plain
from paravent.game.asking import field_facts
from paravent.game.errors import STUMBLES
from paravent.game.move import Actor, replace_focus

from . import acting
from .act import Act
from .deciding import Fresh, encounter_number, seat_number
from .house import with_house_moves
from .open_move import OpenMove
from .playing import check_cast
from .state import State
from .turn import Turn

_NOT_NOW = (ParaventError, *STUMBLES)
"""What a game's functions raise over something hidden, or over sheets and fields that are not there yet."""


def form_seen(state: State, seat: str, own: int, system: System) -> dict[str, Any]:
    """What an open move asks of this seat now."""
    number = seat_number(state, seat, own)
    if state.move(number).phase != "open":
        return {"number": own, "fields": []}
    turn = Turn(state, with_house_moves(system, state), Fresh(), seat)
    op = turn.at(number)
    form: dict[str, Any] = {"number": own, "fields": _fields_asked(turn, op)}
    if op.pending is None and seat in turn.waits_for(op):
        step = op.step(turn.system)
        if isinstance(step, Window):
            form["window"] = {"step": step.id, "kind": step.kind, "options": ["agree", "refuse"]}
        elif isinstance(step, Resolve) and not op.waits_to_be_judged(turn.system):
            form["throw"] = {"step": step.id, "by_hand": not acting.known_blind(turn.sight, op, step)}
    return form


def _fields_asked(turn: Turn, op: OpenMove) -> list[dict[str, Any]]:
    """The fields that this seat may fill in now, with their bounds and options as far as it may know them."""
    if turn.is_out_of_hands(op):
        return []
    ctx = turn.sight.context(op)
    current = op.current(turn.system)
    rows = []
    for at, step in enumerate(op.move.steps):
        later = op.move.steps[at:]
        if not isinstance(step, Ask) or any(isinstance(s, Resolve) and s.id in op.records for s in later):
            continue
        if at > current and any(isinstance(s, Resolve) for s in op.move.steps[current:at]):
            continue
        for asked in step.fields:
            for actor in ctx.all(asked.role):
                if may_fill(turn, op, actor, asked):
                    row = _field(replace_focus(ctx, actor), actor, asked)
                    rows += [] if row is None else [{"step": step.id, **row}]
    return rows


def may_fill(turn: Turn, op: OpenMove, actor: Actor, asked: AnyField) -> bool:
    """Whether a field is this seat's to fill in."""
    return turn.seat in turn.eyes.controllers(op.asked_of(actor, asked)) or (turn.is_gm() and asked.secrecy != "sealed")


def _field(ctx: Context, actor: Actor, asked: AnyField) -> dict[str, Any] | None:
    """One field as it is asked, or None where it does not apply; what depends on hidden things is left out."""
    row: dict[str, Any] = {"actor": actor.id, "field": asked.id, "secrecy": asked.secrecy, "optional": asked.optional}
    with suppress(*_NOT_NOW):
        if not asked.applies(ctx):
            return None
    row |= field_facts(asked, ctx).to_json()
    with suppress(*_NOT_NOW):
        if asked.has_usual():
            row["usual"] = to_plain(asked.usual_value(ctx))
    if asked.id in actor.filled:
        row["value"] = to_plain(actor.filled[asked.id])
    return row


def start_form_seen(
    state: State, seat: str, move: str, cast: Mapping[str, list[str]], encounter: int | None, system: System
) -> dict[str, Any]:
    """What a move would ask if this seat opened it for this cast; nothing is opened."""
    whole = with_house_moves(system, state)
    declared = whole.move(move)
    check_cast(state, seat, cast)
    turn = Turn(state, whole, Fresh(), seat)
    roles = [
        {"role": role.id, "record": role.record, "least": role.least, "most": role.most}
        for role in declared.cast if role.id != "gm"
    ]
    form: dict[str, Any] = {"move": move, "by": declared.by, "roles": roles, "fields": []}
    try:
        number = acting.start(turn, seat, move, cast, {}, encounter_number(state, seat, encounter))
    except NotNow:
        return form  # a role is not filled yet
    return {**form, "fields": _fields_asked(turn, turn.at(number))}


def odds_seen(state: State, seat: str, own: int, system: System, policy: str = "usual") -> dict[str, Any] | None:
    """The odds of the throw a move has come to, as plain values; None where they would tell something hidden.

    Where one hidden value matters and is likely to be one of a few, there is a row for each.
    """
    number = seat_number(state, seat, own)
    if state.move(number).phase != "open":
        return None
    turn = Turn(state, with_house_moves(system, state), Fresh(), seat)
    try:
        op = turn.at(number)
        # Where it goes on would tell how it ended to whoever may not know: it may as well be settled.
        out = turn.is_out_of_hands(op)
        found = None if out else turn.sight.weighed(op, policy)
        alone = found is None and not out
        found = turn.sight.weighed_alone(op) if alone else found
    except STUMBLES:
        return None  # a rule over whole records cannot be weighed, nor one that reads a sheet that is not there
    if found is None:
        return None
    step, weighed = found
    rows = [{"when": plain(value), **_row(step, odds)} for value, odds in weighed.items()]
    return {"step": step.id, **({"alone": True} if alone else {}), "rows": rows}


class Chance(NamedTuple):
    """What one value of a field would bring, alone or with one of another: the chance of success of the next throw.

    Where something that matters is hidden from the seat, ``least`` and ``most`` differ.
    """

    value: Plain
    other: Plain
    least: Fraction
    most: Fraction


_CHANCES: OrderedDict[tuple[int, str, str, str], tuple[Act, tuple[Chance, ...]]] = OrderedDict()
_MOST_KEPT = 256
_MOST_CHANCES = 64


def chances_of(state: State, seat: str, number: int, system: System, field: str, actor: str = "") -> tuple[Chance, ...]:
    """What each value of a field that a seat may fill in would bring, of an act by the table's own number.

    The values are those of its shape, its options, or what it may be; crossed with another field's where its shape is a
    grid. All is worked out from what the seat may see, and once for an act as it stands.
    """
    act = state.move(number)
    key = id(act), seat, field, actor
    kept = _CHANCES.get(key)
    if kept is None or kept[0] is not act:
        turn = Turn(state, system, Fresh(), seat)
        kept = _CHANCES[key] = act, tuple(_chances(turn, number, field, actor))
        while len(_CHANCES) > _MOST_KEPT:
            _CHANCES.popitem(last=False)
    return kept[1]


def _chances(turn: Turn, number: int, field: str, actor: str) -> Iterator[Chance]:
    try:
        op = turn.at(number)
        asked = op.move.field(field)
    except _NOT_NOW:
        return
    ctx = turn.sight.context(op)
    focus = next((one for one in ctx.all(asked.role) if actor in ("", one.id)), None)
    if focus is None:
        return
    seen = replace_focus(ctx, focus)
    other = asked.shape.other if isinstance(asked.shape, Grid) else ""
    seconds: Sequence[Plain] = worth_trying(op.move.field(other), seen) if other else (None,)
    for value, second in islice(product(worth_trying(asked, seen), seconds), _MOST_CHANCES):
        with suppress(*_NOT_NOW):
            filled = {field: value, **({other: second} if other else {})}
            chances = turn.sight.chances(acting.supposing(turn, op, filled, focus.id))
            if chances is not None:
                yield Chance(plain(value), plain(second), *chances)


def worth_trying(asked: AnyField, ctx: Context) -> Sequence[Plain]:
    """The values of a field that are worth comparing: those of its shape, its options, its likely ones, its bounds."""
    facts = field_facts(asked, ctx)
    if facts.shape and facts.shape.values:
        return facts.shape.values
    if facts.options:
        return facts.options
    likely = asked.likely(ctx)
    if likely:
        return [plain(value) for value in likely]
    if asked.type.name == "flag":
        return (False, True)
    low, high = facts.bounds
    most = facts.shape.left if facts.shape and facts.shape.left is not UNSET else high
    return range(low, most + 1) if low is not None and most is not None else ()


def _row(step: AnyResolve, odds: Odds[Any]) -> dict[str, Any]:
    grouped = odds.map(step.outcome)
    row: dict[str, Any] = {"outcomes": {str(key): _chance(chance) for key, chance in _items(grouped)}}
    if step.success is not None:
        wins = odds.map(lambda result: bool(step.success(result)))  # type: ignore[misc]
        row["success"] = _chance(dict(_items(wins)).get(True, Fraction(0)))
    return row


def _items(odds: Odds[Any]) -> Iterable[tuple[Any, Fraction]]:
    return sorted(odds.items(), key=lambda item: str(item[0]))


def _chance(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


__all__ = ["Chance", "chances_of", "form_seen", "odds_seen", "start_form_seen"]
