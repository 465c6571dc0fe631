"""Exact odds as a page shows them, and what one more point would bring; always from what the reader may see."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from paravent.dice import ParaventError, ScriptedDice
from paravent.game import (
    AnyField,
    AnyResolve,
    Ask,
    BadRecord,
    Context,
    Grid,
    MissingField,
    Plain,
    Resolve,
    RuleError,
    SheetOf,
    Telling,
    Value,
    Whole,
)
from paravent.game.asking import crossed_with
from paravent.game.attentive import filled_also
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.move import INITIATOR, Actor, AnyOdds, replace_focus, unjudged
from paravent.game.people import Who, people
from paravent.game.records import ALL, GM
from paravent.game.telling import NOTHING, Teller, success_of
from paravent.table import acting
from paravent.table.by_filled import ByFilled
from paravent.table.kept import ByIdentity
from paravent.table.open_move import OpenMove
from paravent.table.sight import Sight, next_rule, run_ahead, weighed_on

_WIDEST = 12
_MOST_POINTS = 4


@dataclass
class Bar:
    """One line of a chart."""

    words: str
    percent: str
    share: float
    fraction: str
    here: bool = False


@dataclass
class Chart:
    """Exact odds: for which likely value of something hidden, the chance of success, the bars."""

    about: str
    success: str
    success_share: float
    bars: list[Bar] = field(default_factory=list)
    whose: str = ""
    """In an opposition, whose chance that is."""
    alone: bool = False
    """Whether these are the odds of that side's own throw, since what the other's is worth may not be known."""
    apart: list[Bar] = field(default_factory=list)
    """In an opposition, who comes off best: one's own side first, then nobody, then the other."""


@dataclass
class Point:
    """What one more point in a field would make of the chance."""

    name: str
    value: str
    percent: str
    gain: str
    better: bool


@dataclass
class Outlook:
    """Everything a player may know of a throw before it is made."""

    charts: list[Chart] = field(default_factory=list)
    varied: str = ""
    compared: list[Bar] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    certain: bool = False
    """Whether nothing is left to chance: there are no dice to throw."""
    refused: str = ""
    """Why the rules would refuse it as it stands."""
    lacks: str = ""
    """The field that must be filled in before anything can be weighed."""
    lacking: str = ""
    """Its id."""
    lacks_of: str = ""
    """Whose field that is, when it is not the reader's."""
    lacking_by: frozenset[str] = frozenset()
    """Of whom it lacks, by their ids in the act."""
    hidden: str = ""
    """The hidden field for whose likely values the charts are drawn."""
    result: str = ""
    told: list[str] = field(default_factory=list)
    """What will come of it, where nothing is left to chance."""
    needed: str = ""
    """What the dice must do, where the reader may know all that it is made of."""


class Foreseen(NamedTuple):
    """What is read of a move, the rule that comes next, its odds, and what all who read the same are shown of them."""

    ctx: Context
    step: AnyResolve
    seen: Mapping[Value, AnyOdds]
    found: Outlook


_FORESEEN: ByIdentity[Foreseen | None] = ByIdentity(128)
_FACED: ByIdentity[list[Faced]] = ByIdentity(1024)
_OBJECTIONS: ByIdentity[ParaventError | None] = ByIdentity(128)
_CHANCES: ByFilled[Fraction | Withheld | None] = ByFilled()
_CHANCES_OF: ByFilled[list[Fraction | Withheld | None]] = ByFilled()
"""The same, of several values at once: most often they all stand as they stood."""


def situation(op: OpenMove, ctx: Context, *more: Hashable) -> tuple[tuple[object, ...], Hashable]:
    """All that may be read of a move under way: objects, and values. Who reads the same is told the same.

    A record or an encounter of which something is hidden is another object, made for whoever may not see it. What was
    filled in counts by its value: whoever hesitates between two is not weighed again and again.
    """
    objects = ctx.system, ctx.move, ctx.encounter, *(actor.record for actor in ctx.actors)
    people = tuple((actor.id, actor.role, actor.kind, actor.audience, actor.withheld, tuple(actor.filled.items()))
                   for actor in ctx.actors)
    results = tuple(ctx.results.items()), getattr(ctx.results, "there", None)
    values = people, results, tuple(op.records), ctx.rulings, ctx.day, ctx.minute, more
    try:
        hash(values)
    except TypeError:  # a value that has no hash is the same as long as its move is
        readable = tuple((actor.id, actor.withheld, tuple(actor.filled)) for actor in ctx.actors)
        return (op, *objects), (readable, frozenset(ctx.results), more)
    return objects, values


def _next_throw(ctx: Context, done: tuple[str, ...]) -> AnyResolve | None:
    """The rule whose dice come next, as things stand."""
    return next((rule for rule in ctx.move.resolves if not rule.auto and rule.id not in done and rule.applies(ctx)),
                None)


def _side_of(ctx: Context, who: str) -> str:
    """The side that somebody is on in a move; the game master is on that of whoever acts."""
    roles = (actor.role for actor in ctx.actors if actor.id == who and actor.role != GM)
    return next(roles, ctx.move.by if ctx.move.by != GM else INITIATOR.id)


def _filled_with(ctx: Context, who: str, values: Mapping[str, Plain]) -> Context | None:
    """The context if somebody filled these in; none where nobody of that name is."""
    actor = next((actor for actor in ctx.actors if actor.id == who), None)
    if actor is None:
        return None
    focus = replace_focus(ctx, actor)
    read = {name: ctx.move.field(name, actor.role).type.read(value, name, focus) for name, value in values.items()}
    filled = replace(actor, filled=filled_also(actor.filled, read))
    return replace(ctx, actors=tuple(filled if other is actor else other for other in ctx.actors))


def unsaid(ctx: Context) -> Iterator[tuple[Actor, AnyField]]:
    """What is not said yet and would mislead the game master as it stands: their odds suppose something else."""
    for asked in ctx.move.fields:
        for actor in ctx.all(asked.role) if asked.supposed is not None else ():
            if asked.id not in actor.filled and asked.applies(replace_focus(ctx, actor)):
                yield actor, asked


def _supposing(ctx: Context) -> Context:
    """The context in which what is not said yet is as the game supposes it."""
    for actor, asked in tuple(unsaid(ctx)):
        said = asked.supposed(replace_focus(ctx, actor)) if asked.supposed is not None else None
        held = replace(actor, filled=filled_also(actor.filled, {asked.id: said}))
        ctx = replace(ctx, actors=tuple(held if other.id == actor.id else other for other in ctx.actors))
    return ctx


def _chance_with(
    ctx: Context, done: tuple[str, ...], who: str, values: Mapping[str, Plain]
) -> Fraction | Withheld | None:
    """The chance of success of the next throw if somebody filled these in, from what may be read; in an opposition,
    that of their own side. Nothing where it is not told, and what is withheld where that would say it."""
    try:
        step = _next_throw(ctx, done)
        filled = None if step is None or step.success is None else _filled_with(ctx, who, values)
        if step is None or filled is None:
            return None
        filled = _supposing(filled) if who == GM else filled
        return success_of(step, step.odds(run_ahead(ctx.move, step, filled)), _side_of(ctx, who))
    except Withheld as withheld:
        return Withheld(**withheld.values)  # without the way it came
    except (ParaventError, *STUMBLES):
        return None


class Faced(NamedTuple):
    """What a value of one's own would bring beside one of somebody else's: the chance, and what the game says of it."""

    chance: Fraction | None = None
    told: Telling | None = None


def _faced(op: OpenMove, ctx: Context, grid: Grid, who: str, name: str, value: Plain) -> list[Faced]:
    """What a value brings beside each of the other's; nothing where the rules cannot, or something hidden would say."""
    other, asked, theirs = crossed_with(ctx, grid)
    mine = next(actor for actor in ctx.actors if actor.id == who)
    read = ctx.move.field(name, mine.role).type.read(value, name, replace_focus(ctx, mine))
    found = []
    for beside in theirs:
        cast = tuple(
            replace(actor, filled={**actor.filled, name: read}) if actor is mine else
            replace(actor, filled={**actor.filled, asked.id: beside}, withheld=actor.withheld - {asked.id})
            if actor is other else actor for actor in ctx.actors)
        its = replace(ctx, actors=cast)
        try:
            step = next_rule(op, its)
            chance = None if step is None or step.success is None else success_of(
                step, step.odds(run_ahead(op.move, step, its)), _side_of(ctx, who))
        except (ParaventError, *STUMBLES):
            chance = None
        found.append(Faced(chance, grid.told(its) if grid.told is not None and chance is not None else None))
    return found


class Weigher:
    """Weighs the next throw of an open move for one seat, in one language."""

    def __init__(
        self, sight: Sight, teller: Teller, sentence: Callable[[ParaventError], str],
        named: Callable[[Mapping[str, Value]], Mapping[str, Value]],
    ) -> None:
        self._sight, self._teller, self._sentence, self._named = sight, teller, sentence, named
        self._side, self._choices = "", frozenset[str]()

    def outlook(self, op: OpenMove, choices: frozenset[str]) -> Outlook:
        """The odds of what comes next; empty where they would tell something hidden or cannot be weighed.

        ``choices`` are the fields that are the seat's to fill: only of these is said what another value would bring.
        """
        inside = Weigher(self._sight, self._among(op), self._sentence, self._named)
        inside._side, inside._choices = self._sight.side_of(op), choices
        return inside._outlook(op)

    def _among(self, op: OpenMove) -> Teller:
        """What tells of a move: those who are in it go by the names that the seat knows."""
        known = [actor for actor in op.cast if self._sight.knows(actor)]
        return self._teller.among({role.id: people(actor for actor in known if actor.role == role.id)
                                   for role in op.move.cast if role.id != GM})

    def _judged_as_it_must_be(self, op: OpenMove) -> OpenMove:
        """To whoever judges, the move as it stands once they have said what can be judged in one way alone: what their
        next tap answers is no objection."""
        if not self._sight.is_gm:
            return op
        ctx, only = self._sight.context(op), list[tuple[Actor, str, Plain]]()
        for actor, asked in (one for step in op.move.steps if isinstance(step, Ask) for one in unjudged(ctx, step)):
            with suppress(ParaventError, *STUMBLES):
                offered = asked.type.describe(replace_focus(ctx, actor)).options
                if offered is not UNSET and len(offered) == 1:
                    only.append((actor, asked.id, offered[0]))
        for actor, name, value in only:
            op = replace(op, cast=tuple(replace(one, filled={**one.filled, name: value})
                                        if (one.id, one.role) == (actor.id, actor.role) else one for one in op.cast))
        return op

    def _outlook(self, op: OpenMove) -> Outlook:
        op = self._judged_as_it_must_be(op)
        try:
            foreseen = self._foreseen(op)
        except MissingField as error:
            return self._lacking(op, error.field, error.role)
        except RuleError as error:
            return Outlook(refused=self._sentence(error))
        except BadRecord as error:  # before its turn comes, what is wrong with a sheet is said beside it
            reached = isinstance(op.step(self._sight.system), Resolve)
            return Outlook(refused=self._sentence(error) if reached else "")
        except ParaventError:
            return self._objected(op)
        except TypeError:  # what cannot be hashed cannot be weighed
            return Outlook(certain=self._needs_no_dice(op))
        if foreseen is None:
            return self._objected(op)
        ctx, step, seen, found = foreseen
        found = replace(found)
        weighed = seen.get(None)
        if weighed is None:
            found.refused = self._objected(op).refused
            asked = self._supposed(op, ctx, seen)
            found.hidden = self._teller.title(f"fields.{asked}") if asked else ""
        sure = {next(iter(each)) for each in seen.values()} if found.certain else set()
        if len(sure) == 1 and op.step(self._sight.system) is step:  # whatever is hidden, it comes to the same
            self._foretell(found, ctx, step, next(iter(sure)))
        return found

    def _foreseen(self, op: OpenMove) -> Foreseen | None:
        """The odds of what comes next, worked out once for all who may read the same of a move."""
        ctx = self._sight.context(op)
        told = (self._teller.lang, self._side, self._sight.own_side(op), self._choices,
                *map(self._teller.people, self._teller.cast.values()))
        objects, values = situation(op, ctx, told)
        return _FORESEEN.of(objects, lambda: self._weighed(op, ctx), values)

    def _weighed(self, op: OpenMove, ctx: Context) -> Foreseen | None:
        comes_next, alone = weighed_on(op, ctx), False
        if comes_next is None:
            comes_next, alone = weighed_on(op, ctx, self._sight.own_side(op)), True
        if comes_next is None:
            return None
        step, seen = comes_next
        asked = self._supposed(op, ctx, seen)
        if len(seen) == 1 and self._about(next(iter(seen)), asked, seen) == NOTHING:
            # That nothing hidden is there is what everybody supposes: it needs no words.
            seen = {None: next(iter(seen.values()))}
        charts = [
            self._chart(self._about(about, asked, seen), weighed, step, alone)
            for about, weighed in seen.items() if len(weighed) > 1 or len(seen) > 1
        ]
        found = Outlook(charts, certain=not alone and all(len(weighed) == 1 for weighed in seen.values()))
        found.needed = self._needed(ctx, step) if None in seen and not found.certain else ""
        weighed = seen.get(None)
        now = success_of(step, weighed, self._side) if weighed is not None and charts else None
        if now is not None:
            found.varied, found.compared = self._compared(ctx, step, now)
            found.points = list(self._points(ctx, step, now))
        return Foreseen(ctx, step, seen, found)

    def _needed(self, ctx: Context, step: AnyResolve) -> str:
        """What the dice must do, in a sentence; nothing where something hidden would say it."""
        try:
            needed = step.needed(ctx) if step.needed is not None else None
        except ParaventError:
            return ""
        return "" if needed is None else self._teller.telling(needed)

    def _objected(self, op: OpenMove) -> Outlook:
        """No odds; but to whoever has a hand in it, what the rules have against it all the same, whatever is hidden."""
        eyes, seat = self._sight.eyes, self._sight.seat
        if not (eyes.is_gm(seat) or any(seat in eyes.controllers(actor.id) for actor in op.cast)):
            return Outlook()
        objects, read = situation(op, self._sight.context(op))
        no = _OBJECTIONS.of(objects, lambda: acting.objection(self._sight, op), read, op.pending is None,
                            op.current(self._sight.system))
        return Outlook(refused="" if no is None else self._sentence(no))

    def _needs_no_dice(self, op: OpenMove) -> bool:
        """Whether the rule comes to its end, from what the seat may see, without a single die."""
        ctx = self._sight.context(op)
        try:
            step = next_rule(op, ctx)
            if step is not None:
                step.call(ctx).on(ScriptedDice())
        except (ParaventError, TypeError):
            return False
        return step is not None

    def _lacking(self, op: OpenMove, name: str, role: str) -> Outlook:
        """What is not filled in yet, and by whom if not by the reader; a whole sheet weighs nothing."""
        missing = [(actor, asked) for asked in op.move.fields if asked.id == name
                   for actor in op.cast if actor.role == asked.role and name not in actor.filled]
        missing = [found for found in missing if role in (found[0].role, found[0].id)] or missing
        if not missing or any(isinstance(asked.type, SheetOf) for _, asked in missing):
            return Outlook()
        mine = any(self._sight.seat in self._sight.eyes.controllers(asked.by or actor.id) for actor, asked in missing)
        names = [str(self._teller.people(Who(actor.id if self._sight.knows(actor) else ""))) for actor, _ in missing]
        return Outlook(lacks=self._teller.title(f"fields.{name}"), lacking=name,
                       lacks_of="" if mine else ", ".join(names),
                       lacking_by=frozenset(actor.id for actor, _ in missing))

    def _supposed(self, op: OpenMove, ctx: Context, seen: Iterable[Value]) -> str:
        """The hidden field whose likely values the odds are for; empty where there is none, or several go together."""
        for actor in ctx.actors:
            for asked in op.move.fields:
                if asked.role == actor.role and asked.id in actor.withheld and asked.likely(ctx) == tuple(seen):
                    return asked.id
        return ""

    def _foretell(self, found: Outlook, ctx: Context, step: AnyResolve, result: Value) -> None:
        """What will come of a rule that throws no dice, in the words in which it will be told."""
        try:
            shown = step.shown(ctx, result).outcome
            heard = [line for line in step.tell(ctx, result)
                     if self._sight.is_gm or ALL in (line.audience or shown)]
            told = [self._teller.telling(line._replace(values=self._named(line.values))) for line in heard]
            outcome = self._teller.outcome(step.outcome(result), result) if told or ALL in shown else ""
        except (ParaventError, TypeError, AttributeError):
            return  # it would tell something hidden
        found.result, found.told = outcome, [line for line in told if line != outcome]

    def _chart(self, about: str, weighed: AnyOdds, step: AnyResolve, alone: bool = False) -> Chart:
        rows = self._teller.odds_rows(weighed, step.outcome)
        highest = max((row.chance for row in rows), default=Fraction(1)) or Fraction(1)
        success = success_of(step, weighed, self._side)
        bars = [self._bar(row.words, row.chance, row.chance / highest) for row in rows]
        whose = self._teller.cast.get(self._side) if alone or step.sides is not None else None
        name = "" if whose is None else str(self._teller.people(whose))
        if success is None:
            return Chart(about, "", 0.0, bars, name, alone)
        return Chart(about, self._teller.percent(success), float(success), bars, name, alone,
                     list(self._apart(weighed, step)))

    def _apart(self, weighed: AnyOdds, step: AnyResolve) -> Iterator[Bar]:
        """For whom alone it goes well, for all or for nobody: each with its chance, by name."""
        goes_well = step.sides
        if goes_well is None:
            return
        roles = dict.fromkeys(role for result in weighed for role in goes_well(result) if role != self._side)
        theirs = [str(self._teller.people(self._teller.cast[role])) for role in roles if role in self._teller.cast]
        parts = weighed.map(lambda result: (self._side in goes_well(result), bool({*goes_well(result)} - {self._side})))
        if not parts[True, True] and not parts[False, False]:
            return  # what is not one side's is the other's
        mine = self._teller.cast.get(self._side)
        for part, words in (((True, False), "" if mine is None else str(self._teller.people(mine))),
                            ((True, True), self._teller.say("web.sides.both")),
                            ((False, False), self._teller.say("web.sides.nobody")),
                            ((False, True), self._teller.listed(theirs) if theirs else "")):
            if parts[part] and words:
                yield self._bar(words, parts[part], parts[part])

    def _about(self, value: Value, asked: str, likely: Iterable[Value]) -> str:
        """What is supposed: a value of a field, with its name where it is a named step; several fields with theirs."""
        if type(value) is tuple:  # a value may be a tuple with names: that is one value
            pairs = [(self._teller.title(f"fields.{name}"), self._teller.value(one)) for name, one in value]
            return " · ".join(f"{title} {one}" for title, one in pairs)
        told = "" if value is None else self._teller.value(value)
        named = self._teller.step_word(asked, value) if asked else told
        return told if named == told else f"{self._teller.step_figure(value, likely)} {named}".lstrip()

    def _bar(self, words: str, chance: Fraction, share: Fraction, here: bool = False) -> Bar:
        return Bar(words, self._teller.percent(chance), float(share), self._teller.fraction(chance), here)

    def _compared(self, ctx: Context, step: AnyResolve, now: Fraction) -> tuple[str, list[Bar]]:
        """The chance for every value of the field that the rule finds worth comparing."""
        if step.vary not in self._choices:
            return "", []
        asked = ctx.move.field(step.vary)
        filled = ctx.one(asked.role).filled.get(asked.id)
        bars = []
        for line in self._teller.compared(ctx, step)[:_WIDEST]:
            chance = success_of(step, line.odds, self._side)
            if chance is not None:
                here = filled == line.value if filled is not None else False
                bars.append(self._bar(line.words, chance, chance, here))
        return (self._teller.title(f"fields.{asked.id}"), bars) if len(bars) > 1 else ("", [])

    def chances_with(
        self, op: OpenMove, who: str, tries: Sequence[Mapping[str, Plain]], seen: Context | None = None
    ) -> list[str | None]:
        """For each of several ways to fill in somebody's fields, the chance of success, from what the seat may see;
        empty where it is not told, None where something hidden would say it. ``seen`` is what the seat sees, where its
        reads are noted."""
        ctx, done = self._sight.context(op) if seen is None else seen, tuple(op.records)

        def each(noted: Context) -> list[Fraction | Withheld | None]:
            return [_CHANCES.of(op, noted, partial(_chance_with, done=done, who=who, values=one),
                                who, msgspec.json.encode(one)) for one in tries]

        found = _CHANCES_OF.of(op, ctx, each, who, msgspec.json.encode(tries))
        return [None if isinstance(chance, Withheld) else "" if chance is None else self._teller.chance(chance)
                for chance in found]

    def faced(self, op: OpenMove, grid: Grid, who: str, name: str, value: Plain) -> list[tuple[str, str]]:
        """What a value of somebody's own would bring beside each of the other's, in words."""
        ctx = self._sight.context(op)
        objects, read = situation(op, ctx)
        found = _FACED.of(objects, lambda: _faced(op, ctx, grid, who, name, value), read, who, name,
                          msgspec.json.encode(value))
        return [("" if one.chance is None else self._teller.percent(one.chance),
                 "" if one.told is None else self._teller.telling(one.told)) for one in found]

    def _points(self, ctx: Context, step: AnyResolve, now: Fraction) -> Iterator[Point]:
        """For the whole numbers of the form: the chance with one more."""
        told = 0
        for asked in ctx.move.fields:
            if asked.id not in self._choices or asked.id == step.vary or told >= _MOST_POINTS:
                continue
            if not isinstance(asked.type, Whole) or asked.placed == "rarity":
                continue  # what is hardly ever said is nothing to gain by
            for actor in ctx.all(asked.role)[:1]:
                after = self._one_more(ctx, step, asked, actor)
                if after is not None and after[1] != now:
                    told += 1
                    value, chance = after
                    gain = float(chance - now) * 100
                    sign = "+" if gain > 0 else "−"
                    figure = f"{abs(gain):.1f}".replace(".", "," if self._teller.lang == "fr" else ".")
                    yield Point(self._teller.title(f"fields.{asked.id}"), str(value), self._teller.chance(chance),
                                f"{sign}{figure}", gain > 0)

    def _one_more(self, ctx: Context, step: AnyResolve, asked: AnyField, actor: Actor) -> tuple[int, Fraction] | None:
        focus = replace_focus(ctx, actor)
        try:
            if not asked.applies(focus):
                return None
            value = ctx.value(actor, asked)
            if not isinstance(value, int) or isinstance(value, bool):
                return None
            more = asked.type.read(value + 1, asked.id, focus)
            filled = replace(actor, filled={**actor.filled, asked.id: more})
            others = tuple(filled if other is actor else other for other in ctx.actors)
            chance = success_of(step, step.odds(replace(ctx, actors=others)), self._side)
        except (ParaventError, TypeError):
            return None  # one more is not allowed, or would tell something hidden
        return None if chance is None else (value + 1, chance)
