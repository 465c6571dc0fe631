"""What a move's functions may read on behalf of a seat: contexts in which whatever it may not see is withheld.

Odds, choices, limits, defaults and refusals are worked out on these, so that nothing hidden can tell by accident.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from paravent.dice import Odds, ParaventError
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.game.move import INITIATOR, Actor, AnyField, AnyResolve, Context, Forecast, Move
from paravent.game.records import ALL, GM, supposed, veiled
from paravent.game.system import AnyEncounter, System
from paravent.game.telling import success_of

from .kept import ByIdentity
from .knowing import holds_back, may_read
from .open_move import OpenMove, Results, Unknown
from .sheets import encounter_read, record_read
from .state import State


@dataclass(frozen=True)
class Sight:
    """One seat looking at open moves through the game's own functions."""

    state: State
    system: System
    seat: str

    @cached_property
    def eyes(self) -> Eyes:
        """Who is who, with this seat even if it left."""
        return self.state.eyes_of(self.seat)

    @property
    def is_gm(self) -> bool:
        """Whether a game master is looking."""
        return self.eyes.is_gm(self.seat)

    def side_of(self, op: OpenMove) -> str:
        """The side that the seat is on in a move: that of whoever it answers for, else the one that acts."""
        return self.own_side(op) or (op.move.by if op.move.by != GM else INITIATOR.id)

    def own_side(self, op: OpenMove) -> str:
        """The role of whoever a player answers for in a move."""
        mine = (actor.role for actor in op.cast if actor.role != GM and self.seat in self.eyes.controllers(actor.id))
        return "" if self.is_gm else next(mine, "")

    def hears(self, op: OpenMove, audience: frozenset[str]) -> bool:
        """Whether the seat is among these ranks and roles of a move."""
        if ALL in audience:
            return self.seat in self.eyes.seats
        return self.seat in self.eyes.hearing(op.parts, op.move.by, audience)

    def context(self, op: OpenMove) -> Context:
        """What a move's functions may read on behalf of the seat: reading anything it may not see raises Withheld.

        An actor of whom the seat may not know is not there at all: that something is withheld would tell of it. Where
        a role must be held, somebody holds it, of whom nothing is known.
        """
        kept = self._contexts.get(id(op))
        if kept is None or kept[0] is not op:
            kept = self._contexts[id(op)] = op, self._context(op)
        return kept[1]

    @cached_property
    def _contexts(self) -> dict[int, tuple[OpenMove, Context]]:
        return {}

    def _context(self, op: OpenMove) -> Context:
        ctx = op.context(self.system)
        unseen = {step.id for step in op.move.resolves if step.id in op.records and not self._sees_all(op, step)}
        hidden = frozenset() if self.is_gm else self._hidden_state(op)
        results = Results({step: result for step, result in op.results.items() if step not in unseen}, [
            step.id for step in op.move.resolves
            if step.id in unseen and step.id in op.results and self.hears(op, op.shown(self.system, step).exists)])
        return Context(ctx.system, ctx.move, self._cast(op), ctx.rulings, veiled(ctx.encounter, hidden), results,
                       ctx.day, ctx.minute)

    def _sees_all(self, op: OpenMove, step: AnyResolve) -> bool:
        shown = op.shown(self.system, step)
        return self.hears(op, shown.dice if shown.detail is None else shown.detail) and self.hears(op, shown.outcome)

    def _hidden_state(self, op: OpenMove) -> frozenset[str]:
        declared = encounter_declared(self.state, self.system, op.encounter)
        return declared.hidden if declared is not None else frozenset()

    def _cast(self, op: OpenMove) -> tuple[Actor, ...]:
        known = [self._actor(op, actor) for actor in op.cast if self.knows(actor)]
        for role in op.move.cast:
            missing = 0 if role.id == GM else role.least - sum(actor.role == role.id for actor in known)
            if missing > 0:
                asked = frozenset(asked.id for asked in op.move.fields if asked.role == role.id)
                known += [Actor(role.id, role.id, Unknown(), withheld=asked)] * missing
        return tuple(known)

    def knows(self, actor: Actor) -> bool:
        """Whether the seat may know that an actor is in a move."""
        return actor.record is None or self.eyes.may_see(self.seat, actor.id, actor.audience | {"owner"})

    def _actor(self, op: OpenMove, actor: Actor) -> Actor:
        withheld = frozenset(
            asked.id for asked in op.move.guarded.get(actor.role, ())
            if not may_read(self.eyes, self.seat, actor.id, asked.secrecy, asked.id in op.revealed and (
                not holds_back(op.move.by) or self.is_gm or bool(op.records)))
        )
        record = actor.record
        if record is not None and actor.kind:
            record = veiled(record, self._unseen_fields(actor))
        if record is actor.record and withheld == actor.withheld == frozenset():
            return actor
        filled = {name: value for name, value in actor.filled.items() if name not in withheld}
        return Actor(actor.id, actor.role, record, filled, actor.kind, actor.audience, withheld)

    def _unseen_fields(self, actor: Actor) -> frozenset[str]:
        """What the seat may not read of somebody's sheet."""
        kind = self.system.kinds.get(actor.kind)
        if kind is None or not kind.hidden or self.is_gm:
            return frozenset()
        eyes, hidden = self.eyes, kind.hidden
        return _UNSEEN.of((eyes, kind), lambda: frozenset(
            name for name, audience in hidden.items() if not eyes.may_see(self.seat, actor.id, audience)),
            self.seat, actor.id)

    def supposed(self, op: OpenMove) -> list[Context]:
        """The context with likely values in place of whatever the seat may not see, which is never read.

        What a rule says of all of them, it says of what the seat sees; there are none where that cannot be made up.
        """
        ctx = self.context(op)
        states = [ctx.encounter] if self.is_gm or ctx.encounter is None else supposed(
            op.state_read, self._hidden_state(op))
        casts = []
        for actor in ctx.actors:
            real = next((other for other in op.cast if (other.id, other.role) == (actor.id, actor.role)), None)
            unseen = self._unseen_fields(actor)
            records = [actor.record] if real is None or not unseen else supposed(real.record, unseen)
            casts.append([replace(actor, record=record) for record in records])
        most = max([len(states), *map(len, casts)])
        if not all([states, *casts]):
            return []
        found = [replace(ctx, encounter=states[at % len(states)], actors=tuple(some[at % len(some)] for some in casts))
                 for at in range(most)]
        return [other for likely in found for other in _fields_supposed(op, likely)]

    def weighed(self, op: OpenMove, policy: str = "usual") -> tuple[AnyResolve, Mapping[Any, Odds[Any]]] | None:
        """The rule that comes next, and its odds, from what this seat may see."""
        return weighed_on(op, self.context(op), policy=policy)

    def weighed_alone(self, op: OpenMove) -> tuple[AnyResolve, Mapping[Any, Odds[Any]]] | None:
        """What the seat's own side of an opposition throws by itself, and its odds, where what the other's is worth
        may not be known. None where the game does not say it apart, or something hidden bears on it too."""
        return weighed_on(op, self.context(op), self.own_side(op))

    def ahead(self, number: int) -> Forecast | None:
        """What lies ahead of an encounter, from what this seat may see; None where nothing is told of it."""
        begun = encounter_read(self.state, self.system, number)
        if begun is None or begun.encounter.ahead is None:
            return None
        hidden = frozenset() if self.is_gm else begun.encounter.hidden
        rulings = self.system.book.still(self.state.rulings)
        try:
            return begun.encounter.ahead(veiled(begun.state, hidden), self._records, rulings)
        except (ParaventError, *STUMBLES):
            return None

    @cached_property
    def _records(self) -> dict[str, Any]:
        """The records of which the seat may know, each with what it may not see of it withheld."""
        found: dict[str, Any] = {}
        for name, held in self.state.records.items():
            record = record_read(held, self.system)
            if record is not None and self.eyes.may_see(self.seat, name, frozenset(held.seen_by) | {"owner"}):
                found[name] = veiled(record, self._unseen_fields(Actor(name, "", record, kind=held.kind)))
        return found

    def chances(self, op: OpenMove) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest chance of success of the next throw, from what this seat may see; rules that run
        by themselves before it are run. None where nothing is thrown, or something hidden would say it."""
        ctx, ran = self.context(op), dict[str, Any]()
        for rule in op.move.resolves:
            if rule.id in op.results or not rule.auto or not rule.applies(ctx):
                continue
            weighed = rule.odds(ctx)
            if len(weighed) == 1:
                ran[rule.id] = next(iter(weighed))
                ctx = replace(ctx, results=Results({**ctx.results, **ran}, getattr(ctx.results, "there", ())))
        run = replace(op, results={**op.results, **ran}, records={**op.records, **dict.fromkeys(ran, ())})
        found = self.weighed(run)
        if found is None or found[0].success is None:
            return None
        chances = [chance for weighed in found[1].values()
                   if (chance := success_of(found[0], weighed)) is not None]
        return (min(chances), max(chances)) if chances else None


def weighed_on(
    op: OpenMove, ctx: Context, alone: str | None = None, policy: str = "usual"
) -> tuple[AnyResolve, Mapping[Any, Odds[Any]]] | None:
    """The rule that comes next, and its odds, from what a seat may see; or what one side of it throws ``alone``.

    Where a hidden field matters and has likely values, odds are given for each; where several do, for each way
    they may go together; otherwise they are withheld: never for the true ones. The key is the likely value, the
    pairs of field and value where there are several, or None when nothing hidden matters.
    """

    def comes_next(its: Context) -> AnyResolve | None:
        step = next_rule(op, its)
        return step if step is None or alone is None else step.alone.get(alone)

    try:
        step = comes_next(ctx)
        return None if step is None else (step, {None: step.odds(ctx, policy)})
    except Withheld:
        pass
    hidden = [(actor, asked, likely) for actor in ctx.actors for asked in op.move.fields
              if asked.role == actor.role and asked.id in actor.withheld and (likely := asked.likely(ctx))]
    for some in (some for size in range(1, len(hidden) + 1) for some in combinations(hidden, size)):
        if prod(len(likely) for *_, likely in some) > MOST_SUPPOSED:
            continue
        ways = dict(_ways(ctx, some))
        try:
            step = comes_next(next(iter(ways.values())))
            if step is None:
                return None
            return step, {key: step.odds(its, policy) for key, its in ways.items()}
        except Withheld:
            continue
    return None


def run_ahead(move: Move, step: AnyResolve, ctx: Context) -> Context:
    """The context in which a throw is weighed once something else is filled in: what runs by itself before it has run.

    What reads something hidden from whoever weighs stands as it did.
    """
    ran = dict(ctx.results)
    for rule in move.resolves[: move.resolves.index(step)]:
        try:
            weighed = rule.odds(ctx) if rule.auto and not rule.told_only and rule.applies(ctx) else ()
        except ParaventError:
            if rule.id not in ran:
                raise
            continue
        if len(weighed) == 1:
            ran[rule.id] = next(iter(weighed))
            ctx = replace(ctx, results=Results(ran))
    return ctx


def encounter_declared(state: State, system: System, number: int | None) -> AnyEncounter | None:
    """The game's declaration of an encounter under way; None where it no longer has it."""
    running = state.encounters.get(number or 0)
    return system.encounters.get(running.encounter) if running is not None else None


_UNSEEN: ByIdentity[frozenset[str]] = ByIdentity(1024)
MOST_SUPPOSED = 12
"""In how many ways hidden fields may go together at most, for their odds to be shown."""


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
