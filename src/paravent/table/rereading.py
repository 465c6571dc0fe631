"""From an act to its rules and back.

:func:`reread` gives an act back to the rules: fields are read again by their types, finished rules are repeated from
their records. It is done once for an act as it stands: what the rules last made of it is kept in memory beside it.
:func:`written` writes down what the rules made of it, complete.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from msgspec.structs import replace as rewritten

from paravent.dice import (
    Answered,
    Choice,
    Noted,
    ParaventError,
    PlayedDice,
    Record,
    RecordedDice,
    Thrown,
    TypedDice,
    Waiting,
    plain,
)
from paravent.game.datafiles import rules_mark
from paravent.game.move import SECRECIES, Actor, AnyResolve, Context, Move, Shown, Telling, narrower
from paravent.game.plain import Plain
from paravent.game.records import EVERYONE, GM_ONLY, Audience, Change, from_plain, to_plain, type_at
from paravent.game.rulebook import Rulings
from paravent.game.system import System, fill_all
from paravent.game.telling import spoken

from .act import (
    Act,
    ChoiceAsked,
    ChoiceMade,
    DiceAsked,
    DiceFell,
    Filled,
    LineNoted,
    Part,
    Pending,
    Proposal,
    RecordEntry,
    Sentence,
    ShownTo,
    Throw,
    named,
)
from .errors import GameMissing, RuleChanged
from .kept import ByIdentity
from .open_move import OpenMove
from .state import State

_READ: OrderedDict[int, tuple[Act, Move, OpenMove]] = OrderedDict()
_MOST_READ = 512
"""How many acts are kept as their rules have them."""
_TYPED: ByIdentity[Any] = ByIdentity(_MOST_READ)
"""Options, sheets and states as rules read them: the same objects, for as long as an act holds the same."""


def reread(state: State, system: System, number: int) -> OpenMove:
    """The act of this number, ready to go on; refused when the game's rule no longer goes the way it went."""
    act = state.move(number)
    kept = _READ.get(id(act))
    if kept is not None and kept[0] is act and kept[1] is system.moves.get(act.move):
        return _at_this_hour(state, act, kept[2])
    op = _gone_the_same_way(state, system, act)
    remember(act, op)
    return _at_this_hour(state, act, op)


def _at_this_hour(state: State, act: Act, op: OpenMove) -> OpenMove:
    """The act by the clock as it stands: until a rule has run, what is under way follows it."""
    if act.throws or act.minute is None or (op.day, op.minute) == (state.day, state.minute):
        return op
    return replace(op, day=state.day, minute=state.minute)


def _gone_the_same_way(state: State, system: System, act: Act) -> OpenMove:
    if act.move not in system.moves:
        raise GameMissing(move=act.move)
    changed = RuleChanged(move=act.move, before=act.version, now=system.version)
    try:
        op = _reread(act, system, _rulings(system, state.rulings_of(act)))
    except (ParaventError, KeyError, TypeError, ValueError, AttributeError, AssertionError):
        raise changed from None
    for throw in act.throws:
        if throw.done and to_plain(op.results.get(throw.step)) != throw.result:
            raise changed
    return op


def _rulings(system: System, chosen: dict[str, str]) -> Rulings:
    """The options that an act is played by, each settled."""
    rulings: Rulings = _TYPED.of((system.book, chosen), lambda: Rulings({**system.book.rulings(), **chosen}))
    return rulings


def proposed_anew(state: State, system: System, act: Act) -> tuple[Proposal, ...]:
    """What an act proposes, as its rules say it of the sheets as they now are."""
    if act.phase != "settled":
        return act.changes
    op = _gone_the_same_way(state, system, rewritten(act, changes=()))
    anew = [_proposal(op, change, system) for step in op.move.resolves for change in op.proposed.get(step.id, ())]
    if not act.weighed:
        return tuple(anew)
    by_value = {(row.target, row.path): row for row in anew}  # what was made stays as it was made
    return tuple(row if row.made else rewritten(by_value.get((row.target, row.path), row), weight=row.weight)
                 for row in act.changes)


def remember(act: Act, op: OpenMove) -> None:
    """Keep what the rules made of an act as it stands: they need not run again to go on from there."""
    _READ[id(act)] = act, op.move, op
    while len(_READ) > _MOST_READ:
        _READ.popitem(last=False)


def forget() -> None:
    """Let go of what the rules made of acts, as after a restart."""
    _READ.clear()
    _PLAIN.clear()
    _TYPED.clear()


def _reread(act: Act, system: System, rulings: Rulings) -> OpenMove:
    move = system.move(act.move)
    state = act.state_read
    declared = None if state is None else system.encounters[act.state_of or move.encounter].state
    read = None if declared is None else _TYPED.of((declared, state), lambda: from_plain(declared, state))
    op = OpenMove(
        id=act.id, move=move, starter=act.starter, cast=tuple(_actor(part, system) for part in act.cast),
        rulings=rulings, encounter=act.encounter, state_read=read, day=act.day, minute=act.minute,
        revealed=frozenset(act.revealed),
        windows=act.windows, polls=act.polls, by_hand=act.by_hand, secrecy=act.secrecy, phase=act.phase,
        changes=tuple(_change(row, type(read), system, act) for row in act.changes),
        records={throw.step: record_of(throw) for throw in act.throws},
        turned_over={throw.step: _shown(throw.shown) for throw in act.throws if throw.turned_over},
        made=frozenset(at for at, row in enumerate(act.changes) if row.made), weighed=act.weighed, follows=act.follows,
        judging=act.judgement != "", anew=frozenset(act.anew),
    )
    return _repeated(_refilled(op, act.fields, system), act, system)


def _actor(part: Part, system: System) -> Actor:
    sheet, record = part.sheet, None
    if isinstance(sheet, dict):
        kind = system.kind(part.kind)
        record = _TYPED.of((kind, sheet), lambda: kind.from_plain(sheet))
    seen_by = frozenset(part.seen_by) if part.has_sheet else EVERYONE
    return Actor(part.id, part.role, record, kind=part.kind if part.has_sheet else "", audience=seen_by)


def _refilled(op: OpenMove, fields: Iterable[Filled], system: System) -> OpenMove:
    raw: dict[str, dict[str, Any]] = {}
    nothing: dict[str, dict[str, None]] = {}
    for row in fields:
        if row.value is None:
            nothing.setdefault(row.actor, {})[row.field] = None
        else:
            raw.setdefault(row.actor, {})[row.field] = row.value
    try:
        filled = fill_all(op.context(system), raw).actors
    except ParaventError:
        if op.records:
            raise
        filled = _as_far_as_they_go(op.context(system), raw).actors
    # A step that was closed may have put nothing where nothing is usual: that is an answer too.
    return replace(op, cast=tuple(replace(a, filled={**a.filled, **_asked(op.move, a, nothing)}) for a in filled))


def refilled(op: OpenMove, system: System) -> OpenMove:
    """The move with what was said in it read again, on its sheets as they now are: what no longer goes is left out."""
    bare = replace(op, records={}, cast=tuple(replace(actor, filled={}) for actor in op.cast))
    return replace(op, cast=_refilled(bare, _fields(op), system).cast)


def _asked(move: Move, actor: Actor, by_actor: Mapping[str, Mapping[str, None]]) -> dict[str, None]:
    """Of what stands under an actor's id, the fields that their role is asked: somebody may hold two roles."""
    return {asked.id: None for asked in move.fields if asked.role == actor.role
            and asked.id in by_actor.get(actor.id, {})}


def _as_far_as_they_go(ctx: Context, raw: Mapping[str, Mapping[str, Any]]) -> Context:
    """The context with what was filled in, but for values that do not go with what was filled in after them."""
    for asked in ctx.move.fields:
        for actor, values in raw.items():
            if asked.id in values and any((other.id, other.role) == (actor, asked.role) for other in ctx.actors):
                with suppress(ParaventError):
                    ctx = fill_all(ctx, {actor: {asked.id: values[asked.id]}})
    return ctx


def _repeated(op: OpenMove, act: Act, system: System) -> OpenMove:
    """Finished rules give their results again; the one that waits says again for what."""
    for step in op.move.resolves:
        throw = act.throw(step.id)
        if throw is None:
            continue
        record = op.records[step.id]
        dice: PlayedDice = RecordedDice(record) if throw.done else TypedDice(None, None, record)
        try:
            result = step.call(op.context(system)).on(dice)
            op = replace(op, results={**op.results, step.id: result})
            op = replace(op, proposed={**op.proposed, step.id: tuple(step.changes(op.context(system), result))})
        except Waiting as waiting:
            op = replace(op, pending=waiting.request)
    return op


def _change(row: Proposal, state: type, system: System, act: Act) -> Change:
    """A change with its values typed again, as the record or the state of the encounter declares them."""
    part = act.part(row.target)
    kind = row.kind or (part.kind if part is not None else "")
    held = part.kind if part is not None and part.kind else kind  # what it was of, where it becomes of another kind
    typed: list[Any] = []
    for name in (held, kind):
        whole: Any = state if row.target == "encounter" else system.kind(name).cls if name else Any
        typed.append(type_at(whole, row.path))
    before, after = (None if value is None else from_plain(cls, value)
                     for cls, value in zip(typed, (row.before, row.after), strict=True))
    return Change(row.target, row.path, before, after, row.rule, frozenset(row.audience), row.kind, row.weight)


def _shown(row: ShownTo) -> Shown:
    detail = None if row.detail is None else frozenset(row.detail)
    return Shown(frozenset(row.exists), frozenset(row.dice), frozenset(row.outcome), detail)


def record_of(throw: Throw) -> Record:
    """The record of a throw, as dice repeat it."""
    entries: list[Thrown | Answered | Noted] = []
    for row in throw.record:
        match row:
            case DiceFell():
                entries.append(Thrown(row.role, row.rule, row.sides, row.faces, row.by_hand, row.stream))
            case ChoiceMade():
                entries.append(Answered(row.who, row.key, row.answer, row.dice))
            case LineNoted():
                entries.append(Noted(row.rule, row.key, tuple(row.values.items()), row.role))
    return tuple(entries)


# Writing down


def written(op: OpenMove, system: System, rulings: int, own_rulings: dict[str, str] | None = None) -> Act:
    """The move as the table keeps it; ``rulings`` is the number of the options it is played by."""
    ctx = op.context(system)
    return Act(
        id=op.id, move=op.move.id, version=system.version, starter=op.starter, by=op.move.by, day=op.day,
        minute=op.minute, phase=op.phase,
        exists=named(narrower(op.move.known_to(ctx), SECRECIES[op.secrecy].exists)), secrecy=op.secrecy,
        rulings=rulings, own_rulings=own_rulings, encounter=op.encounter, state_of=_state_of(op, system),
        state_read=to_plain(op.state_read), cast=tuple(_part(ctx, actor) for actor in op.cast),
        fields=_fields(op),
        revealed=named(op.revealed), windows={step: dict(answers) for step, answers in op.windows.items()},
        polls=plain(dict(op.polls)),
        throws=tuple(_throw(op, ctx, step, system) for step in op.move.resolves if step.id in op.records),
        pending=_pending(op), by_hand=op.by_hand,
        changes=tuple(rewritten(_proposal(op, change, system), made=at in op.made)
                      for at, change in enumerate(op.changes)),
        awaited=named(op.awaited(system)), follows=op.follows, weighed=op.weighed,
        several=any(role.most != 1 for role in op.move.cast),
        judgement="" if not op.judging else "waits" if op.judgement(system) else "before", anew=named(op.anew),
    )


def _fields(op: OpenMove) -> tuple[Filled, ...]:
    return tuple(
        Filled(actor.id, asked.id, asked.secrecy, to_plain(actor.filled[asked.id]))
        for asked in op.move.fields for actor in op.cast
        if actor.role == asked.role and asked.id in actor.filled
    )


def _part(ctx: Context, actor: Actor) -> Part:
    name = ctx.part(actor)
    spare = any(role.id == actor.role and not role.least for role in ctx.move.cast)
    if actor.record is None:
        return Part(actor.id, actor.role, name, spare=spare)
    kind = ctx.system.kinds.get(actor.kind)
    return Part(actor.id, actor.role, name, actor.kind, named(actor.audience), _plain_once(actor.record),
                kind.version if kind is not None else 1, spare)


_PLAIN: OrderedDict[int, tuple[object, Plain]] = OrderedDict()


def _plain_once(record: object) -> Plain:
    """A record in plain values, worked out once: it is frozen, and an act that goes on writes it down again."""
    kept = _PLAIN.get(id(record))
    if kept is None or kept[0] is not record:
        kept = _PLAIN[id(record)] = record, to_plain(record)
        while len(_PLAIN) > _MOST_READ:
            _PLAIN.popitem(last=False)
    return kept[1]


def _state_of(op: OpenMove, system: System) -> str:
    """The encounter whose state the move reads: its own, or the one that a move opened by another stands in."""
    if op.move.encounter or op.state_read is None:
        return op.move.encounter
    return next((name for name, kind in system.encounters.items() if isinstance(op.state_read, kind.state)), "")


def _proposal(op: OpenMove, change: Change, system: System) -> Proposal:
    """A change, with who may see the value it is about, whatever its own audience; of a whole record, by field."""
    actor = next((actor for actor in op.cast if actor.id == change.target), None)
    kind = system.kinds.get(change.kind or (actor.kind if actor else ""))
    was = system.kinds.get(actor.kind) if actor and not change.path else None
    hidden: Mapping[str, Audience] = {**(was.hidden if was else {}), **(kind.hidden if kind else {})}
    if change.target == "encounter":
        name = _state_of(op, system)
        hidden = dict.fromkeys(system.encounters[name].hidden, GM_ONLY) if name else {}
    field = change.path.partition(".")[0]
    return Proposal(
        change.target, change.path, to_plain(change.before), to_plain(change.after), change.rule, change.kind,
        named(change.audience), named(hidden.get(field, EVERYONE)), named(actor.audience if actor else EVERYONE),
        {name: named(seen_by) for name, seen_by in hidden.items()} if not field else {},
        kind.version if kind is not None and not field else 1, change.weight,
    )


def _throw(op: OpenMove, ctx: Context, step: AnyResolve, system: System) -> Throw:
    done = step.id in op.results
    result = op.results.get(step.id)
    shown = op.shown(system, step)
    return Throw(
        step.id, record_written(op.records[step.id]), shown_to(shown), done, step.id in op.turned_over,
        step.outcome(result) if done else None, to_plain(result) if done else None,
        tuple(
            Sentence(telling.key, to_plain(spoken(ctx, telling)), named(telling_heard(op, shown, telling)),
                     telling.main, telling.rung, telling.lights, telling.at)
            for telling in (step.tell(ctx, result) if done else ())
        ),
        version=rules_mark(system.package) if done else "",
        success=_ended(step.success(result)) if done and step.success is not None else None,
    )


def _ended(succeeds: object) -> bool | None:
    """Whether it went well; None is said of what is not decided yet."""
    return None if succeeds is None else bool(succeeds)


def shown_to(shown: Shown) -> ShownTo:
    """Who may see what of a throw, as it is written down."""
    detail = None if shown.detail is None else named(shown.detail)
    return ShownTo(named(shown.exists), named(shown.dice), named(shown.outcome), detail)


def record_written(record: Record) -> tuple[RecordEntry, ...]:
    """The record of dice, as it is written down."""
    rows: list[RecordEntry] = []
    for entry in record:
        match entry:
            case Thrown():
                rows.append(DiceFell(entry.role, entry.rule, entry.sides, entry.faces, entry.by_hand, entry.stream))
            case Answered():
                rows.append(ChoiceMade(entry.who, entry.key, plain(entry.answer), entry.dice))
            case Noted():
                rows.append(LineNoted(entry.rule, entry.key, {name: plain(value) for name, value in entry.values},
                                      entry.role))
    return tuple(rows)


def telling_heard(op: OpenMove, shown: Shown, telling: Telling) -> Audience:
    """Who hears what is said of a result: those it is said to, or those who see the outcome."""
    if telling.audience is None:
        return shown.outcome
    return narrower(telling.audience, shown.outcome) if op.ends_unseen else telling.audience


def _pending(op: OpenMove) -> Pending | None:
    pending = op.pending
    if pending is None:
        return None
    if isinstance(pending, Choice):
        options = tuple(plain(option) for option in pending.options)
        return ChoiceAsked(op.asks(pending.who), pending.key, options, plain(pending.usual), pending.rule,
                           {name: plain(value) for name, value in pending.values})
    return DiceAsked(pending.role, pending.n, pending.sides, pending.rule)


class PlayedAgain(NamedTuple):
    """What the rules make of an act again, from what was filled in and from its dice and answers."""

    throws: dict[str, Throw]
    changes: tuple[Proposal, ...]


def played_again(state: State, system: System, act: Act) -> PlayedAgain:
    """The act played again by its rules as they now are; whatever they raise, they raise."""
    op = _reread(rewritten(act, changes=()), system, _rulings(system, state.rulings_of(act)))
    ctx, throws = op.context(system), {}
    for step in op.move.resolves:
        if step.id in op.results:
            dice = RecordedDice(op.records[step.id])
            step.call(ctx).on(dice)
            dice.finish()
            throws[step.id] = rewritten(_throw(op, ctx, step, system), record=record_written(dice.record))
    anew = [_proposal(op, change, system) for step in op.move.resolves for change in op.proposed.get(step.id, ())]
    return PlayedAgain(throws, tuple(anew))
