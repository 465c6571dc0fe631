"""What one seat may see. One function stands between a session and anybody's eyes.

Views are drawn from snapshots (:mod:`paravent.game.frozen`), so a table shows an old move without its rules. Nothing is
hidden by leaving it blank: what a seat may not know is absent, and numbers that would tell of hidden things (how many
moves are open) are counted for each seat apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Any

from paravent.dice import Odds, plain

from .errors import Withheld
from .eyes import Eyes, Part
from .frozen import snapshot
from .move import Actor, AnyField, AnyResolve, Ask, Context, Window, unfilled
from .records import ALL, GM, OWN, Audience, supposed, to_plain, veiled
from .system import System

if TYPE_CHECKING:
    from .open_move import OpenMove
    from .session import Running
    from .session.standing import Standing


def seen(session: Standing, seat: str) -> dict[str, Any]:
    """The whole session as this seat may see it, in plain values."""
    eyes = session.eyes
    snapshots = {at: snapshot(session.moves[op], session.system) for at, op in enumerate(session.known[seat], start=1)}
    known = {at: move for at, move in snapshots.items() if may_know(eyes, seat, move)}
    return {
        "seat": seat,
        "grade": session.seats[seat],
        "day": session.day,
        "records": {name: view for name in session.records if (view := record_seen(session, seat, name)) is not None},
        "moves": [
            {"number": at, **move_seen(eyes, seat, move), **_asked(session, seat, session.moves[move["id"]])}
            for at, move in known.items()
        ],
        "encounters": [
            encounter_seen(eyes, seat, session.system, running.encounter.id, to_plain(running.state))
            | {"over": running.encounter.over(running.state), "moves": _moves_open(session, seat, running)}
            for running in session.encounters.values()
            if eyes.may_see(seat, "", running.audience)
        ],
        "log": [
            {"key": line.telling.key, "values": plain(dict(line.telling.values))}
            for line in session.log
            if seat in line.seats
        ],
    }


def _asked(session: Standing, seat: str, op: OpenMove) -> dict[str, Any]:
    """What the move asks of this seat now: fields to fill in, a window to answer, dice to throw."""
    if seat not in session.waits_for(op.id) or op.pending is not None or op.phase != "open":
        return {}
    step = op.step(session.system)
    if isinstance(step, Ask):
        lacking = unfilled(op.context(session.system), step)
        ours = [(actor, asked) for actor, asked in lacking if seat in session.controllers(actor.id)]
        return {"asked": {"step": step.id, "fields": [{"actor": actor.id, "field": asked.id} for actor, asked in ours]}}
    if isinstance(step, Window):
        return {"asked": {"step": step.id, "window": step.kind}}
    return {"asked": {"step": step.id, "throw": True}} if step is not None else {}


def _moves_open(session: Standing, seat: str, running: Running) -> list[str]:
    """The moves that an encounter now holds open, as far as the seat may know."""
    if running.encounter.over(running.state):
        return []
    hidden = frozenset() if session.is_gm(seat) else running.encounter.hidden
    state = veiled(running.state, hidden)
    names = []
    for move in session.system.moves.values():
        if not running.encounter.holds(move) or (move.by == GM and not session.is_gm(seat)):
            continue
        try:
            if move.applies(Context(session.system, move, (), session.rulings, state, {}, session.day)):
                names.append(move.id)
        except Withheld:
            continue
    return names


class _Cast:
    """The seats behind the audiences of one move."""

    def __init__(self, eyes: Eyes, move: Mapping[str, Any]) -> None:
        self._eyes = eyes
        self._parts = [Part(**part) for part in move["cast"]]
        self._by = move["by"]

    def hears(self, seat: str, audience: Any) -> bool:
        return seat in self._eyes.hearing(self._parts, self._by, audience)


def may_know(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> bool:
    """Whether this seat may know that the move exists at all."""
    cast = _Cast(eyes, move)
    if seat == move["starter"]:
        return True
    if not cast.hears(seat, move["exists"]):
        return False
    # A move all of whose throws are hidden from a seat is hidden itself; that one more was thrown tells nothing.
    throws = [throw["shown"]["exists"] for throw in move["throws"]]
    return not throws or any(cast.hears(seat, audience) for audience in throws)


def is_blind(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> bool:
    """Whether the move has thrown something whose outcome this seat may not see, and is not over."""
    return move["phase"] in ("open", "settled") and _ends_unseen(_Cast(eyes, move), seat, move)


def _ends_unseen(cast: _Cast, seat: str, move: Mapping[str, Any]) -> bool:
    return any(not cast.hears(seat, throw["shown"]["outcome"]) for throw in move["throws"])


def move_seen(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> dict[str, Any]:
    """One move as this seat may see it.

    To those who may not see how a throw ended, a move that waits for something more looks like one that is settled:
    what it waits for would tell.
    """
    cast = _Cast(eyes, move)
    blind = is_blind(eyes, seat, move)
    graded = move.get("grade", "open") != "open"
    # What a game changes openly after a hidden throw is the game's affair; behind the game master's screen it is not.
    ended = move["phase"] in ("closed", "undone") and not (graded and _ends_unseen(cast, seat, move))
    waits = {s for s in eyes.seats if cast.hears(s, _awaited(eyes, seat, move)) and s not in _said(move)}
    if blind and move["phase"] in ("open", "settled"):
        waits = {*eyes.masters, *(waits & {seat})}
    view: dict[str, Any] = {
        "move": move["move"],
        "phase": "open" if blind and move["phase"] == "settled" else move["phase"],
        "cast": {
            part["id"]: part["role"]
            for part in move["cast"]
            if part["role"] != GM and _present(eyes, seat, move, part["id"])
        },
        "fields": _fields(eyes, seat, move),
        "waits_for": sorted(waits),
        "throws": [_throw(cast, seat, throw) for throw in move["throws"] if cast.hears(seat, throw["shown"]["exists"])],
        "changes": [
            _change(eyes, seat, change)
            for change in move["changes"]
            if _change_seen(eyes, cast, seat, change)
        ] if ended or (move["phase"] == "settled" and not blind) else [],
    }
    if graded:
        view["grade"] = move["grade"]
    pending = move["pending"]
    if pending is not None and cast.hears(seat, (pending["who"],)):
        view["choice" if pending["type"] == "choice" else "dice"] = {
            name: value for name, value in pending.items() if name in ("key", "options", "n", "sides")
        }
    return view


def _awaited(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> list[str]:
    """Who is waited for, as far as a seat may know: what is asked of somebody hidden is the game master's affair."""
    known = [name for name in move["awaited"] if _present(eyes, seat, move, name)]
    return known or ([GM] if move["awaited"] else [])


def _present(eyes: Eyes, seat: str, move: Mapping[str, Any], actor_id: str) -> bool:
    """Whether this seat may know that an actor is in the move."""
    return eyes.may_see(seat, actor_id, {"owner", *move["present"].get(actor_id, (ALL,))})


def _change_seen(eyes: Eyes, cast: _Cast, seat: str, change: Mapping[str, Any]) -> bool:
    """A change is seen by those it is meant for who may also see the record and the value it is about."""
    target = change["target"]
    return (
        cast.hears(seat, change["audience"])
        and eyes.may_see(seat, target, {"owner", *change["present"]})
        and eyes.may_see(seat, target, change["value_audience"])
    )


def _change(eyes: Eyes, seat: str, change: Mapping[str, Any]) -> dict[str, Any]:
    """A change as a seat sees it: of a whole record or state, only the fields it may see."""
    unseen = {
        name for name, audience in change["hidden"].items() if not eyes.may_see(seat, change["target"], audience)
    }
    view = {name: change[name] for name in ("target", "path", "before", "after", "rule")}
    for side in ("before", "after"):
        if unseen and isinstance(view[side], Mapping):
            view[side] = {name: value for name, value in view[side].items() if name not in unseen}
    return view


def _said(move: Mapping[str, Any]) -> set[str]:
    """The seats that have answered what is awaited of several."""
    windows = (answers for answers in move["windows"].values() if "" not in answers)
    return {*move["polls"], *(seat for answers in windows for seat in answers)}


def _fields(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    shown: dict[str, dict[str, Any]] = {}
    for row in move["fields"]:
        if not _present(eyes, seat, move, row["actor"]):
            continue
        if may_read(eyes, seat, row["actor"], row["secrecy"], row["field"] in move["revealed"]):
            shown.setdefault(row["actor"], {})[row["field"]] = row["value"]
        elif row["secrecy"] == "sealed":
            shown.setdefault(row["actor"], {})[row["field"]] = {"sealed": True}
    return shown


def may_read(eyes: Eyes, seat: str, actor_id: str, secrecy: str, revealed: bool) -> bool:
    """Whether this seat may read a field of this secrecy filled in for an actor."""
    mine = seat in eyes.controllers(actor_id)
    match secrecy:
        case "open":
            return True
        case "own":
            return mine or eyes.is_gm(seat)
        case "gm":
            return eyes.is_gm(seat)
        case _:
            return mine or revealed


def _throw(cast: _Cast, seat: str, throw: Mapping[str, Any]) -> dict[str, Any]:
    shown = throw["shown"]
    outcome = cast.hears(seat, shown["outcome"])

    def hand(role: str) -> bool:
        """Whether the dice that a role threw lie open to this seat."""
        return cast.hears(seat, shown["dice"]) or (OWN in shown["dice"] and cast.hears(seat, (role,)))

    def detail(role: str) -> bool:
        return outcome and (hand(role) if shown["detail"] is None else cast.hears(seat, shown["detail"]))

    def entries(kind: str, names: tuple[str, ...]) -> list[dict[str, Any]]:
        found = [entry for entry in throw["record"] if entry["type"] == kind]
        seen = [entry for entry in found if detail(entry.get("role") or entry.get("who"))]
        return [{name: entry[name] for name in names} for entry in seen]

    view: dict[str, Any] = {"step": throw["step"]}
    told = [telling for telling in throw["tellings"] if cast.hears(seat, telling["audience"])]
    if told:
        view["told"] = [{"key": telling["key"], "values": telling["values"]} for telling in told]
    dice = [entry for entry in throw["record"] if entry["type"] == "thrown" and hand(entry["role"])]
    if dice or cast.hears(seat, shown["dice"]):
        names = ("role", "sides", "faces", "by_hand", "stream")
        view["dice"] = [{name: entry[name] for name in names if name in entry} for entry in dice]
    if outcome:
        view["why"] = entries("noted", ("rule", "key", "values"))
        view["answers"] = entries("answered", ("who", "key", "answer"))
    if outcome and throw["done"]:
        view["outcome"] = throw["outcome"]
        if cast.hears(seat, shown["dice"] if shown["detail"] is None else shown["detail"]):
            view["result"] = throw["result"]
    return view


def encounter_seen(eyes: Eyes, seat: str, system: System, name: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """An encounter's state as this seat may see it."""
    hidden = frozenset() if eyes.is_gm(seat) else system.encounters[name].hidden
    return {"encounter": name, "state": {field: value for field, value in state.items() if field not in hidden}}


def record_seen(session: Standing, seat: str, name: str) -> dict[str, Any] | None:
    """A record as this seat may see it, or None."""
    held = session.records[name]
    hidden = session.system.kind(held.kind).hidden
    return sheet_seen(session.eyes, seat, name, to_plain(held.record), held.audience, hidden)


def sheet_seen(
    eyes: Eyes, seat: str, name: str, sheet: Mapping[str, Any], audience: Audience, hidden: Mapping[str, Audience]
) -> dict[str, Any] | None:
    """A sheet in plain values as this seat may see it, or None; ``hidden`` fields are seen by fewer."""
    if not eyes.may_see(seat, name, audience | {"owner"}):
        return None
    return {
        field: value
        for field, value in sheet.items()
        if field not in hidden or eyes.may_see(seat, name, hidden[field])
    }


def context_seen(session: Standing, seat: str, op: OpenMove) -> Context:
    """What a move's functions may read on behalf of a seat: reading anything it may not see raises Withheld.

    An actor of whom the seat may not know is not there at all: that something is withheld would tell of it. Where a
    role must be held, somebody holds it, of whom nothing is known.
    """
    ctx = op.context(session.system)
    shot = snapshot(op, session.system)
    cast = _Cast(session.eyes, shot)
    unseen = {
        throw["step"] for throw in shot["throws"]
        if not cast.hears(seat, throw["shown"]["dice" if throw["shown"]["detail"] is None else "detail"])
        or not cast.hears(seat, throw["shown"]["outcome"])
    }
    hidden = session.encounters[op.encounter].encounter.hidden if op.encounter in session.encounters else frozenset()
    return replace(
        ctx,
        actors=_cast_seen(session, seat, op),
        encounter=ctx.encounter if session.is_gm(seat) else veiled(ctx.encounter, hidden),
        results=_Results({step: result for step, result in op.results.items() if step not in unseen}),
    )


class _Results(dict[str, Any]):
    """Earlier results, without those that a seat may not see."""

    def __missing__(self, step: str) -> Any:
        raise Withheld(what=step)


class _Unknown:
    """The record of somebody of whom nothing is known."""

    def __getattr__(self, name: str) -> Any:
        raise Withheld(what=name)


def _cast_seen(session: Standing, seat: str, op: OpenMove) -> tuple[Actor, ...]:
    known = [_actor_seen(session, seat, op, actor) for actor in op.cast if knows_actor(session, seat, actor)]
    for role in op.move.cast:
        asked = frozenset(asked.id for asked in op.move.fields if asked.role == role.id)
        held = sum(actor.role == role.id for actor in known)
        known += [Actor(role.id, role.id, _Unknown(), withheld=asked)] * (0 if role.id == GM else role.least - held)
    return tuple(known)


def knows_actor(session: Standing, seat: str, actor: Actor) -> bool:
    """Whether a seat may know that an actor is in a move."""
    return actor.record is None or session.eyes.may_see(seat, actor.id, actor.audience | {"owner"})


def _actor_seen(session: Standing, seat: str, op: OpenMove, actor: Actor) -> Actor:
    eyes = session.eyes
    withheld = frozenset(
        asked.id
        for asked in op.move.fields
        if actor.role == asked.role and not may_read(eyes, seat, actor.id, asked.secrecy, asked.id in op.revealed)
    )
    record = actor.record
    if record is not None and actor.kind:
        hidden = session.system.kind(actor.kind).hidden
        record = veiled(record, {n for n, audience in hidden.items() if not eyes.may_see(seat, actor.id, audience)})
    filled = {name: value for name, value in actor.filled.items() if name not in withheld}
    return replace(actor, record=record, filled=filled, withheld=withheld)


def contexts_supposed(session: Standing, seat: str, op: OpenMove) -> list[Context]:
    """The context with likely values in place of whatever a seat may not see, which is never read.

    What a rule says of all of them, it says of what the seat sees; there are none where that cannot be made up.
    """
    ctx, eyes = context_seen(session, seat, op), session.eyes
    hidden = session.encounters[op.encounter].encounter.hidden if op.encounter in session.encounters else frozenset()
    states = [ctx.encounter] if session.is_gm(seat) or ctx.encounter is None else supposed(op.state_read, hidden)
    casts = []
    for actor in ctx.actors:
        real = next((other for other in op.cast if (other.id, other.role) == (actor.id, actor.role)), None)
        kind = session.system.kinds.get(actor.kind)
        unseen = {name for name, seen_by in (kind.hidden if kind else {}).items()
                  if not eyes.may_see(seat, actor.id, seen_by)}
        records = [actor.record] if real is None or not unseen else supposed(real.record, unseen)
        casts.append([replace(actor, record=record) for record in records])
    most = max([len(states), *map(len, casts)])
    if not all([states, *casts]):
        return []
    found = [replace(ctx, encounter=states[at % len(states)], actors=tuple(some[at % len(some)] for some in casts))
             for at in range(most)]
    return [other for likely in found for other in _fields_supposed(op, likely)]


def _fields_supposed(op: OpenMove, ctx: Context) -> list[Context]:
    """The context with what likely or usually stands in the fields that are withheld; the others stay so."""
    found = [ctx]
    for actor in ctx.actors:
        for asked in op.move.fields:
            if asked.role != actor.role or asked.id not in actor.withheld:
                continue
            likely = asked.likely(ctx)
            if likely:
                found = [_supposing(other, other.actor(actor.id), asked.id, value) for other in found[:8]
                         for value in likely]
            elif asked.has_usual():
                found = [_as_usual(other, other.actor(actor.id), asked.id) for other in found]
    return found


def _as_usual(ctx: Context, actor: Actor, name: str) -> Context:
    """The context in which a field that is hidden was left as usual."""
    usual = replace(actor, withheld=actor.withheld - {name})
    return replace(ctx, actors=tuple(usual if other is actor else other for other in ctx.actors))


def odds_seen(session: Standing, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
    """The odds of the throw a move has come to, from what this seat may see; see :func:`weighed_seen`."""
    found = weighed_seen(session, seat, number, policy)
    return None if found is None else found[1]


def weighed_seen(
    session: Standing, seat: str, number: int, policy: str = "usual"
) -> tuple[AnyResolve, Mapping[Any, Odds[Any]]] | None:
    """The rule that comes next, and its odds, from what this seat may see.

    Where a hidden field matters and has likely values, odds are given for each; where several do, for each way they
    may go together; otherwise they are withheld: never for the true ones. The key is the likely value, the pairs of
    field and value where there are several, or None when nothing hidden matters.
    """
    op = session.known_move(number, seat)
    ctx = context_seen(session, seat, op)
    try:
        step = next_rule(op, ctx)
        return None if step is None else (step, {None: step.odds(ctx, policy)})
    except Withheld:
        pass
    hidden = [(actor, asked, likely) for actor in ctx.actors for asked in op.move.fields
              if asked.role == actor.role and asked.id in actor.withheld and (likely := asked.likely(ctx))]
    for some in (some for size in range(1, len(hidden) + 1) for some in combinations(hidden, size)):
        if prod(len(likely) for *_, likely in some) > MOST_SUPPOSED:
            continue
        supposed = dict(_ways(ctx, some))
        try:
            step = next_rule(op, next(iter(supposed.values())))
            if step is None:
                return None
            return step, {key: step.odds(its, policy) for key, its in supposed.items()}
        except Withheld:
            continue
    return None


MOST_SUPPOSED = 12
"""In how many ways hidden fields may go together at most, for their odds to be shown."""


def _ways(
    ctx: Context, hidden: Sequence[tuple[Actor, AnyField, tuple[Any, ...]]]
) -> Iterator[tuple[Any, Context]]:
    """Each way in which some hidden fields may be filled, and the context in which they are."""
    told = [len(likely) > 1 for *_, likely in hidden]
    for values in product(*(likely for *_, likely in hidden)):
        its = ctx
        for (actor, asked, _), value in zip(hidden, values, strict=True):
            its = _supposing(its, next(other for other in its.actors
                                       if (other.id, other.role) == (actor.id, actor.role)), asked.id, value)
        named = zip((asked.id for _, asked, _ in hidden), values, strict=True)
        pairs = tuple(pair for pair, says in zip(named, told, strict=True) if says)
        yield (pairs if len(pairs) > 1 else pairs[0][1] if pairs else values[0]), its


def next_rule(op: OpenMove, ctx: Context) -> AnyResolve | None:
    """The first rule not run yet of those that apply, as things stand."""
    return next((step for step in op.move.resolves if step.id not in op.records and step.applies(ctx)), None)


def _supposing(ctx: Context, actor: Actor, name: str, value: Any) -> Context:
    """The context in which a field that is hidden holds this value."""
    supposed = replace(actor, filled={**actor.filled, name: value}, withheld=actor.withheld - {name})
    return replace(ctx, actors=tuple(supposed if other is actor else other for other in ctx.actors))
