"""An open move as plain values, complete: what a table keeps, what views are drawn from.

:func:`snapshot` writes down everything, words as keys and values, audiences as grades and roles, so that nothing of it
ever needs the game's rules again to be shown. :func:`thaw` gives the move back to the rules, to go on: fields are read
again by their types, finished rules are repeated from their records.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from paravent.dice import Choice, ParaventError, RecordedDice, Wanted, plain, record_from_json, record_to_json

from .eyes import Part
from .move import GRADES, Actor, AnyResolve, Ask, Context, Resolve, Shown, Telling, narrower
from .open_move import OpenMove
from .records import EVERYONE, GM_ONLY, Audience, Change, from_plain, to_plain, type_at
from .rulebook import Rulings
from .system import fill_all

if TYPE_CHECKING:
    from .system import System


def parts(op: OpenMove, system: System) -> list[Part]:
    """Who holds which place in the move."""
    ctx = op.context(system)
    return [Part(actor.id, actor.role, ctx.part(actor)) for actor in op.cast]


def snapshot(op: OpenMove, system: System) -> dict[str, Any]:
    """The move as plain values."""
    return {
        "id": op.id,
        "move": op.move.id,
        "version": system.version,
        "starter": op.starter,
        "by": op.move.by,
        "phase": op.phase,
        "day": op.day,
        "exists": sorted(narrower(op.move.known_to(op.context(system)), GRADES[op.grade].exists)),
        "grade": op.grade,
        "rulings": dict(op.rulings),
        "encounter": op.encounter,
        "state_of": _state_of(op, system),
        "state_read": to_plain(op.state_read),
        "cast": [part._asdict() for part in parts(op, system)],
        "present": {actor.id: sorted(actor.audience) for actor in op.cast if actor.record is not None},
        "sheets": {actor.id: to_plain(actor.record) for actor in op.cast if actor.record is not None},
        "fields": [
            {"actor": actor.id, "field": asked.id, "secrecy": asked.secrecy, "value": to_plain(actor.filled[asked.id])}
            for asked in op.move.fields
            for actor in op.cast
            if actor.role == asked.role and asked.id in actor.filled
        ],
        "revealed": sorted(op.revealed),
        "windows": {step: dict(answers) for step, answers in op.windows.items()},
        "polls": plain(dict(op.polls)),
        "throws": [_throw(op, step, system) for step in op.move.resolves if step.id in op.records],
        "pending": _pending(op),
        "by_hand": op.by_hand,
        "changes": [
            {**change.to_json(), "kind": change.kind, "audience": sorted(change.audience),
             **_value_seen(op, change, system)}
            for change in op.changes
        ],
        "awaited": sorted(op.awaited(system)),
    }


def _state_of(op: OpenMove, system: System) -> str:
    """The encounter whose state the move reads: its own, or the one that a move opened by another stands in."""
    if op.move.encounter or op.state_read is None:
        return op.move.encounter
    return next((name for name, kind in system.encounters.items() if isinstance(op.state_read, kind.state)), "")


def _value_seen(op: OpenMove, change: Change, system: System) -> dict[str, Any]:
    """Who may see the value that a change is about, whatever its own audience; for a whole record, field by field."""
    actor = next((actor for actor in op.cast if actor.id == change.target), None)
    kind = system.kinds.get(change.kind or (actor.kind if actor else ""))
    hidden: Mapping[str, Audience] = kind.hidden if kind else {}
    if change.target == "encounter":
        name = _state_of(op, system)
        hidden = dict.fromkeys(system.encounters[name].hidden, GM_ONLY) if name else {}
    field = change.path.partition(".")[0]
    audience = hidden.get(field, EVERYONE)
    return {
        "value_audience": sorted(audience),
        "present": sorted(actor.audience if actor else EVERYONE),
        "hidden": {name: sorted(seen_by) for name, seen_by in hidden.items()} if not field else {},
    }


def _throw(op: OpenMove, step: AnyResolve, system: System) -> dict[str, Any]:
    ctx = op.context(system)
    done = step.id in op.results
    result = op.results.get(step.id)
    shown = op.shown(system, step)
    return {
        "step": step.id,
        "record": record_to_json(op.records[step.id]),
        "shown": {name: None if seen_by is None else sorted(seen_by) for name, seen_by in shown._asdict().items()},
        "turned_over": step.id in op.turned_over,
        "done": done,
        "outcome": step.outcome(result) if done else None,
        "result": to_plain(result) if done else None,
        "tellings": [
            {
                "key": telling.key,
                "values": plain(dict(telling.values)),
                "audience": sorted(telling_heard(op, shown, telling)),
            }
            for telling in (step.tell(ctx, result) if done else ())
        ],
    }


def telling_heard(op: OpenMove, shown: Shown, telling: Telling) -> Audience:
    """Who hears what is said of a result: those it is said to, or those who see the outcome."""
    if telling.audience is None:
        return shown.outcome
    return narrower(telling.audience, shown.outcome) if op.ends_unseen else telling.audience


def _pending(op: OpenMove) -> dict[str, Any] | None:
    pending = op.pending
    match pending:
        case Choice():
            options = [plain(option) for option in pending.options]
            return {"type": "choice", "who": op.asks(pending.who), "key": pending.key, "options": options,
                    "usual": plain(pending.usual), "rule": pending.rule}
        case Wanted():
            return {"type": "dice", "who": pending.role, "n": pending.n, "sides": pending.sides, "rule": pending.rule}
        case None:
            return None


def thaw(data: Mapping[str, Any], system: System, kinds: Mapping[str, str]) -> OpenMove:
    """The move that a snapshot holds, ready to go on; ``kinds`` gives the record kind of each actor with a sheet."""
    move = system.move(data["move"])
    sheets = {name: system.kind(kinds[name]).from_plain(sheet) for name, sheet in data["sheets"].items()}
    state = data["state_read"]
    if state is not None:
        state = from_plain(system.encounters[data.get("state_of") or move.encounter].state, state)
    op = OpenMove(
        id=data["id"],
        move=move,
        starter=data["starter"],
        cast=tuple(
            Actor(part["id"], part["role"], sheets.get(part["id"]), kind=kinds.get(part["id"], ""),
                  audience=frozenset(data["present"].get(part["id"], EVERYONE)))
            for part in data["cast"]
        ),
        rulings=Rulings(data["rulings"]),
        encounter=data["encounter"],
        state_read=state,
        day=data["day"],
        revealed=frozenset(data["revealed"]),
        windows=data["windows"],
        polls=data["polls"],
        by_hand=data["by_hand"],
        grade=data.get("grade", "open"),
        phase=data["phase"],
        changes=tuple(_change(row, type(state), system, kinds) for row in data["changes"]),
        records={throw["step"]: record_from_json(throw["record"]) for throw in data["throws"]},
        turned_over={throw["step"]: _shown(throw["shown"]) for throw in data["throws"] if throw.get("turned_over")},
    )
    return _repeated(_refilled(op, data, system), data, system)


def _refilled(op: OpenMove, data: Mapping[str, Any], system: System) -> OpenMove:
    raw: dict[str, dict[str, Any]] = {}
    nothing: dict[str, dict[str, None]] = {}
    for row in data["fields"]:
        kept = nothing if row["value"] is None else raw
        kept.setdefault(row["actor"], {})[row["field"]] = row["value"]
    try:
        filled = fill_all(op.context(system), raw).actors
    except ParaventError:
        if data["throws"]:
            raise
        filled = _as_far_as_they_go(op.context(system), raw).actors
    # A step that was closed may have put nothing where nothing is usual: that is an answer too.
    return replace(op, cast=tuple(replace(a, filled={**a.filled, **nothing.get(a.id, {})}) for a in filled))


def _as_far_as_they_go(ctx: Context, raw: Mapping[str, Mapping[str, Any]]) -> Context:
    """The context with what was filled in, but for values that do not go with what was filled in after them."""
    for asked in ctx.move.fields:
        for actor, values in raw.items():
            if asked.id in values and ctx.actor(actor).role == asked.role:
                with suppress(ParaventError):
                    ctx = fill_all(ctx, {actor: {asked.id: values[asked.id]}})
    return ctx


def _repeated(op: OpenMove, data: Mapping[str, Any], system: System) -> OpenMove:
    """Finished rules give their results again; the one that waits says again for what."""
    from paravent.dice import Waiting

    done = {throw["step"]: throw["done"] for throw in data["throws"]}
    for step in op.move.steps:
        if isinstance(step, Ask) or step.id not in done:
            continue
        assert isinstance(step, Resolve)
        dice = RecordedDice(op.records[step.id]) if done[step.id] else _stopping(op, step)
        try:
            result = step.call(op.context(system)).on(dice)
            op = replace(op, results={**op.results, step.id: result})
            asked = tuple(step.changes(op.context(system), result))
            op = replace(op, proposed={**op.proposed, step.id: asked})
        except Waiting as waiting:
            op = replace(op, pending=waiting.request)
    return op


def _stopping(op: OpenMove, step: AnyResolve) -> Any:
    from paravent.dice import TypedDice

    return TypedDice(None, None, op.records[step.id])


def _change(row: Mapping[str, Any], state: type, system: System, kinds: Mapping[str, str]) -> Change:
    """A change with its values typed again, as the record or the state of the encounter declares them."""
    kind = row["kind"] or kinds.get(row["target"], "")
    whole: Any = system.kind(kind).cls if kind else Any
    if row["target"] == "encounter":
        whole = state
    typed = type_at(whole, row["path"])
    before, after = (None if row[side] is None else from_plain(typed, row[side]) for side in ("before", "after"))
    return Change(row["target"], row["path"], before, after, row["rule"], frozenset(row["audience"]), row["kind"])


def _shown(row: Mapping[str, Any]) -> Shown:
    detail = None if row["detail"] is None else frozenset(row["detail"])
    return Shown(frozenset(row["exists"]), frozenset(row["dice"]), frozenset(row["outcome"]), detail)
