"""An act in the hands of its rules: who is in it, what was filled in, what was thrown, and where it stands.

It keeps its inputs as they were last read before its dice, and the records of these; nothing suspended is ever kept.
The table keeps the :class:`~paravent.table.act.Act`; this is what the game's functions read of it, typed by the game's
own declarations. :mod:`paravent.table.rereading` goes from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from paravent.dice import Choice, ParaventError, Record, Wanted
from paravent.game.errors import STUMBLES, MissingField, Withheld
from paravent.game.eyes import Placed
from paravent.game.lazily import cached_property
from paravent.game.move import (
    SECRECIES,
    Actor,
    AnyField,
    AnyResolve,
    Ask,
    Context,
    Move,
    Resolve,
    Shown,
    Step,
    Window,
    replace_focus,
    unfilled,
    unjudged,
)
from paravent.game.records import ALL, EVERYONE, GM, Change, veiled
from paravent.game.rulebook import Rulings
from paravent.game.system import System

from .act import Phase

AGREE, REFUSE = "agree", "refuse"
HELD = "held"
CLOSED = ""
"""The key under which a window keeps that everyone has agreed, or that the game master closed it.

Under the same key a throw keeps that it is ``held``: the rules refuse it over something that whoever acts may not see.
"""


class Results(dict[str, Any]):
    """Earlier results, without those that whoever reads may not see; of some it is known that they are there."""

    def __init__(self, seen: Mapping[str, Any], there: Iterable[str] = ()) -> None:
        super().__init__(seen)
        self.there = frozenset(there)

    def __contains__(self, step: object) -> bool:
        return super().__contains__(step) or step in self.there

    def __missing__(self, step: str) -> Any:
        raise Withheld(what=step)


class Unknown:
    """The record of somebody of whom nothing is known."""

    def __getattr__(self, name: str) -> Any:
        raise Withheld(what=name)


class PartHeld(NamedTuple):
    """An actor's place in a move."""

    id: str
    role: str
    name: str


@dataclass(frozen=True)
class OpenMove:
    """A move under way: cast, what was filled in, answers, records of dice, results, proposed changes."""

    id: int
    move: Move
    starter: str
    cast: tuple[Actor, ...]
    rulings: Rulings
    encounter: int | None = None
    state_read: Any = None
    """The encounter's state as it was last read: before the dice, as it then stands."""
    day: int = 0
    minute: int | None = None
    revealed: frozenset[str] = frozenset()
    windows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    pending: Choice | Wanted | None = None
    polls: Mapping[str, Any] = field(default_factory=dict)
    by_hand: bool = False
    secrecy: str = "open"
    """How much of its throws the game master lets be seen at most; see :data:`paravent.game.move.SECRECIES`."""
    turned_over: Mapping[str, Shown] = field(default_factory=dict)
    """Throws shown otherwise than their rule and the secrecy say: the game master turned them over."""
    proposed: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)
    """The changes that each rule asks for, until all are settled together."""
    changes: tuple[Change, ...] = ()
    made: frozenset[int] = frozenset()
    """The places of those changes that were made at once, while others wait."""
    weighed: bool = False
    """What was certain was made as it settled."""
    follows: int = 0
    """The act that brought it about, if one did."""
    judging: bool = False
    """Whether its dice wait for the game master's judgement."""
    anew: frozenset[str] = frozenset()
    """What is asked anew, because what had been said there no longer stands: fields, each of an actor."""
    phase: Phase = "open"
    """``open`` while anything is asked or thrown, ``settled`` when changes wait to be accepted, then ``closed``;
    or ``withdrawn``, ``refused``, ``undone``."""

    def context(self, system: System) -> Context:
        """What the move's functions may read: one context, so that what is worked out of it is worked out once."""
        found = self._context.get(id(system))
        if found is None:  # it keeps its system: nothing else can have that id
            found = self._context[id(system)] = Context(
                system, self.move, self.cast, self.rulings, self.state_read, self.results, self.day, self.minute)
        return found

    @cached_property
    def _context(self) -> dict[int, Context]:
        return {}

    @cached_property
    def parts(self) -> list[Placed]:
        """Who holds which place in it; asked for every audience and every seat, so worked out once."""
        called = {(actor.role, actor.id): "" for actor in self.cast}
        for role in {role for role, _ in called}:
            for at, held in enumerate((held for held in called if held[0] == role), start=1):
                called[held] = role if at == 1 else f"{role}{at}"
        return [PartHeld(actor.id, actor.role, called[actor.role, actor.id]) for actor in self.cast]

    @cached_property
    def thrown(self) -> bool:
        """Whether dice have begun to be thrown; rules that run by themselves do not count."""
        return any(step.id in self.records and not step.auto for step in self.move.resolves)

    def shown(self, system: System, step: AnyResolve, ctx: Context | None = None) -> Shown:
        """Who may see what of a throw: as its rule says, no wider than its secrecy; or as it was turned over.

        A rule that runs by itself before any dice is no throw, and is seen as it says.
        """
        if step.id in self.turned_over:
            return self.turned_over[step.id]
        shown = step.shown(ctx or self.context(system), self.results.get(step.id))
        dice = next((at for at, other in enumerate(self.move.resolves) if not other.auto), 0)
        return shown.no_wider(SECRECIES[self.secrecy]) if self.move.resolves.index(step) >= dice else shown

    @property
    def ends_unseen(self) -> bool:
        """Whether the game master hides how it ends."""
        return SECRECIES[self.secrecy].outcome != EVERYONE

    @property
    def behind_screen(self) -> bool:
        """Whether the game master hides it altogether: nobody else has a hand in it any more."""
        return SECRECIES[self.secrecy].exists != EVERYONE

    def asks(self, who: str) -> str:
        """Who is asked instead of somebody: the game master, where being asked would tell what the secrecy hides."""
        return GM if self.behind_screen or (self.thrown and self.ends_unseen) else who

    def asked_of(self, actor: Actor, asked: AnyField) -> str:
        """Who is asked for an actor's field: the actor, or whoever fills it in for each."""
        return self.asks(asked.by or actor.id)

    def current(self, system: System) -> int:
        """The number of the first step that is not done."""
        found = self._current.get(id(system))
        if found is None or found[0] is not system:
            ctx = self.context(system)
            undone = (at for at, step in enumerate(self.move.steps) if not self._done(ctx, step))
            found = self._current[id(system)] = system, next(undone, len(self.move.steps))
        return found[1]

    @cached_property
    def _current(self) -> dict[int, tuple[System, int]]:
        """Where it stands, by the game that was asked: it is asked again and again, and is what it is."""
        return {}

    def step(self, system: System) -> Step | None:
        """The first step that is not done."""
        at = self.current(system)
        return self.move.steps[at] if at < len(self.move.steps) else None

    def _done(self, ctx: Context, step: Step) -> bool:
        match step:
            case Ask():
                return not unfilled(ctx, step)
            case Window():
                return not step.applies(ctx) or self.windows.get(step.id, {}).get(CLOSED) == AGREE
            case Resolve():
                return step.id in self.results or not step.applies(ctx)
        raise AssertionError(step)

    def judgement(self, system: System) -> list[tuple[Actor, AnyField]]:
        """What the next dice wait for the game master to judge, of what was asked so far; the rest goes on."""
        if not self.judging or self.phase != "open" or self.pending is not None:
            return []
        ctx, current = self.context(system), self.current(system)
        thrown = max((at for at, step in enumerate(self.move.steps) if step.id in self.records
                      and isinstance(step, Resolve) and not step.auto), default=-1)
        asked = self.move.steps[thrown + 1 : current + 1]
        return [one for step in asked if isinstance(step, Ask) for one in unjudged(ctx, step)]

    def waits_to_be_judged(self, system: System) -> bool:
        """Whether the rule that comes next waits for the game master's judgement.

        One that runs by itself before dice does not, unless it reads the judgement: it runs again when that is said.
        """
        at = self.current(system)
        step = self.move.steps[at] if at < len(self.move.steps) else None
        if not isinstance(step, Resolve):
            return False
        ahead = any(isinstance(other, Resolve) and not other.auto for other in self.move.steps[at:])
        dice = not step.auto or step.judged or not ahead
        return dice and bool(self.judgement(system))

    def awaited(self, system: System) -> frozenset[str]:
        """The ranks, roles and actors that can bring the move forward."""
        found = self._awaited.get(id(system))
        if found is None or found[0] is not system:
            found = self._awaited[id(system)] = system, self._awaits(system)
        return found[1]

    @cached_property
    def _awaited(self) -> dict[int, tuple[System, frozenset[str]]]:
        """Who is awaited, by the game that was asked: every seat asks, and it is the same for all."""
        return {}

    def _awaits(self, system: System) -> frozenset[str]:
        if self.phase == "settled":
            return frozenset({GM})
        if self.phase != "open":
            return frozenset()
        if isinstance(self.pending, Choice):
            return frozenset({self.asks(self.pending.who)})
        if isinstance(self.pending, Wanted):
            return frozenset({self.pending.role})
        step = self.step(system)
        if isinstance(step, Window):
            return frozenset({self.asks(step.role)})
        if isinstance(step, Ask):
            judge = frozenset({GM} if self.judgement(system) else ())
            return judge | {self.asked_of(actor, asked) for actor, asked in unfilled(self.context(system), step)}
        if self.waits_to_be_judged(system):
            return frozenset({GM})
        if isinstance(step, Resolve):
            lacking = frozenset({GM}) if self.is_held(step) else self._lacking(system, step)
            if lacking:
                return lacking
        # A throw that whoever acts may not know of is the game master's: to be asked for it would tell.
        exists = self.shown(system, step).exists if isinstance(step, Resolve) else {ALL}
        return frozenset({self.move.by if exists & {ALL, self.move.by} else GM})

    def owed_meanwhile(self, system: System) -> list[tuple[Actor, AnyField]]:
        """While the game master's judgement is awaited, what others must say before the dice all the same: they may say
        it now. Nobody is held to it yet. It is read from what everybody sees, as if the game master had said nothing
        that others may not read."""
        if not self.waits_to_be_judged(system):
            return []
        seen, at, owed = self.in_the_open(system), self.current(system), list[tuple[Actor, AnyField]]()
        ctx = replace(seen, actors=tuple(replace(actor, withheld=frozenset()) if actor.role == GM else actor
                                         for actor in seen.actors))
        known = {actor.id: actor for actor in ctx.actors}
        for step in self.move.steps[at:]:
            if isinstance(step, Resolve) and not step.auto:
                break
            for asked in step.fields if isinstance(step, Ask) else ():
                if asked.role == GM or asked.by or asked.secrecy != "open" or (asked.has_usual() and not asked.waits):
                    continue
                owed += [(actor, asked) for actor in self.cast if actor.role == asked.role and actor.id in known
                         and asked.id not in actor.filled and _is_asked(asked, ctx, known[actor.id])]
        return owed

    def in_the_open(self, system: System) -> Context:
        """What everybody may read of it: whatever is not for all is withheld, and whoever not everybody knows is
        nobody in particular."""
        ctx, filled = self.context(system), {asked.id for asked in self.move.fields if asked.secrecy == "sealed"}
        opened = filled & self.revealed if self.move.by != GM else frozenset()
        known = [self._in_the_open(system, actor, opened) for actor in self.cast if ALL in actor.audience]
        for role in self.move.cast:
            asked = frozenset(asked.id for asked in self.move.fields if asked.role == role.id)
            held = sum(actor.role == role.id for actor in known)
            known += [Actor(role.id, role.id, Unknown(), withheld=asked)] * (0 if role.id == GM else role.least - held)
        hidden = next((one.hidden for one in system.encounters.values() if isinstance(self.state_read, one.state)),
                      frozenset[str]())
        shown = {step.id for step in self.move.resolves if step.id in self.results
                 and ALL in self.shown(system, step, ctx).outcome and ALL in self.shown(system, step, ctx).dice}
        return replace(ctx, actors=tuple(known), encounter=veiled(ctx.encounter, hidden),
                       results=Results({step: result for step, result in self.results.items() if step in shown}))

    def _in_the_open(self, system: System, actor: Actor, opened: Set[str]) -> Actor:
        kind = system.kinds.get(actor.kind)
        unseen = {name for name, audience in kind.hidden.items() if ALL not in audience} if kind is not None else ()
        withheld = frozenset(asked.id for asked in self.move.fields
                             if asked.role == actor.role and asked.secrecy != "open" and asked.id not in opened)
        return replace(actor, record=veiled(actor.record, unseen), withheld=withheld,
                       filled={name: value for name, value in actor.filled.items() if name not in withheld})

    def _lacking(self, system: System, step: AnyResolve) -> frozenset[str]:
        """Those who must still say what the rule cannot do without, though no question waits for it: as far as
        everybody can tell, for whoever is awaited is seen to be."""
        try:
            step.call(self.in_the_open(system))
        except MissingField as error:
            missing = [(actor, asked) for asked in self.move.fields if asked.id == error.field
                       for actor in self.cast if actor.role == asked.role and asked.id not in actor.filled]
            theirs = [found for found in missing if error.role in (found[0].role, found[0].id)] or missing
            return frozenset(self.asked_of(actor, asked) for actor, asked in theirs if ALL in actor.audience)
        except (ParaventError, *STUMBLES):
            pass  # what the rule has against it, or reads of what is hidden, is said when it is tried
        return frozenset()

    def is_held(self, step: Step) -> bool:
        """Whether a throw was tried, and waits for the game master to mend what only they see."""
        return self.windows.get(step.id, {}).get(CLOSED) == HELD

    def is_sent_back(self, step: Step) -> bool:
        """Whether what was said at a step was refused, and is asked for anew."""
        return any(isinstance(later, Window) and later.back_to == step.id
                   and self.windows.get(later.id, {}).get(CLOSED) == REFUSE for later in self.move.steps)

    def needs(self, system: System) -> str:
        """What the move waits for, or how it ended; worded under ``needs``."""
        if self.phase == "open" and self.pending is not None:
            return "answer" if isinstance(self.pending, Choice) else "throw"
        match self.step(system) if self.phase == "open" else None:
            case Ask():
                return "fields"
            case Window():
                return "agreement"
            case Resolve():
                return "judgement" if self.waits_to_be_judged(system) else "throw"
        return self.phase

    def answered(self) -> Iterable[str]:
        """The seats that have already said their word on what is awaited."""
        if isinstance(self.pending, Choice):
            return self.polls
        return {seat for answers in self.windows.values() if CLOSED not in answers for seat in answers}


def said_of(field: str, actor: str) -> str:
    """What is said in a field of somebody, by a name for both."""
    return f"{field} {actor}"


def _is_asked(asked: AnyField, ctx: Context, actor: Actor) -> bool:
    """Whether somebody is asked this, as far as that can be read."""
    try:
        focus = replace_focus(ctx, actor)
        return asked.applies(focus) and asked.is_due(focus)
    except (ParaventError, *STUMBLES):
        return False


def back_before(op: OpenMove, at: int, empty: bool = False) -> OpenMove:
    """The move back at an earlier step: later windows open again, rules that ran by themselves will run again.

    With ``empty``, what was filled in at that step is taken out.
    """
    step, later = op.move.steps[at], {step.id for step in op.move.steps[at:]}
    if empty and isinstance(step, Ask):
        asked = {(one.role, one.id) for one in step.fields}
        cast = tuple(
            replace(a, filled={name: v for name, v in a.filled.items() if (a.role, name) not in asked}) for a in op.cast
        )
        op = replace(op, cast=cast, revealed=op.revealed - {name for _, name in asked})
    return replace(
        op,
        windows=without(op.windows, later),
        records=without(op.records, later),
        results=without(op.results, later),
        proposed=without(op.proposed, later),
        pending=None,
        polls={},
    )


def unsealed(op: OpenMove, system: System) -> OpenMove:
    """The move with its sealed fields open: together, once every one of their step is in."""
    done = [step for step in op.move.steps[: op.current(system)] if isinstance(step, Ask)]
    return replace(op, revealed=op.revealed | {
        asked.id for step in done for asked in step.fields
        if asked.secrecy == "sealed" and any(asked.id in actor.filled for actor in op.cast)
    })


V = TypeVar("V")


def without(mapping: Mapping[str, V], names: set[str]) -> dict[str, V]:
    """The mapping, less some of its entries."""
    return {name: value for name, value in mapping.items() if name not in names}
