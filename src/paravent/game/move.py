"""Moves: what people do at the table, declared once.

A move has a **cast** of roles, each filled by actors (a record, and whoever answers for it), and ordered **steps**:

- :class:`Ask` puts fields to the members of a role: openly, for the game master only, or sealed until all are in;
- :class:`Window` waits for consent, approval or a veto;
- :class:`Resolve` runs a rule; it says how to read the rule's arguments from the context, how to tell the result, what
  it changes, and who may see it. A rule without dice is resolved in the same way.

The web form, the command line, the odds before the roll, the explanation, the log and the manual all come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, NamedTuple, ParamSpec, TypeVar

from paravent.dice import Choice, Dice, Odds, ParaventError, Policy, best, odds, plain
from paravent.dice.protocol import certain_policy

from .errors import STUMBLES, BadValue, MissingField, NeedsSheet, NoSheet, UnknownName, Withheld
from .faults import author_fault
from .fields import FieldType
from .lazily import cached_property
from .plain import Value
from .records import ALL, EVERYONE, GM, GM_ONLY, OWN, Audience, Change, look
from .rulebook import Rulings
from .shapes import Place, Shape

if TYPE_CHECKING:
    from .system import System

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

AnyOdds = Odds[Any]
"""The odds of a rule of whatever result."""

_UNSET: Any = object()


@dataclass(frozen=True)
class Role:
    """A part in a move: how many may hold it, what record they bring, and whether one is needed at all.

    ``when`` says whether the options of the table have any use for it: if not, it is not offered.
    """

    id: str
    record: str = ""
    least: int = 1
    most: int | None = 1
    when: Callable[[Rulings], bool] | None = None
    offers: str = ""
    """The field by which whoever is not in the act yet may step in, by their own choice, until dice are thrown: it is
    put to all who might, with what each value would bring."""
    later: bool = False
    """Whether somebody is brought in while the act is open, if at all: it is begun without asking whom."""
    also: tuple[str, ...] = ()
    """Kinds of records that are nobody elsewhere and may hold it all the same: a beast in a fight."""
    other: bool = False
    """Whether it is for somebody else than the one who acts: nobody is their own opponent, or tends their wounds."""

    aimed: bool = False
    """Whether, where several of another side stand in an encounter, whom it is meant for is asked though it may be for
    nobody: a shot."""
    everybody: bool = False
    """Whether all who may hold it do, unless somebody is left out: they are chosen as it begins, but for the hidden."""
    around: bool = False
    """Whether all who are in the encounter hold it, friend or foe, standing or not, but for whoever acts and for the
    hidden: what goes off there spares nobody. Elsewhere it is chosen."""
    screen: bool = False
    """Whether the game master answers for it where nobody of the table holds it: a crowd without a sheet."""
    meant: Callable[[Any, Sequence[Any]], bool] | None = None
    """Which of several is meant while nobody is chosen, by its record and those of all that the reader sees: the market
    of the world where the group is. Unsaid, it is the only one of one's own."""

    @property
    def is_needed(self) -> bool:
        """Whether somebody of the table must be chosen for it."""
        return self.least > 0 and not self.screen

    def offered(self, rulings: Rulings) -> bool:
        """Whether it is offered at a table with these options."""
        return self.when is None or self.when(rulings)


INITIATOR = Role("initiator")
"""The role of whoever acts."""
GAME_MASTER = Role("gm")
"""The role of the game master; a cast has it where fields are asked of ``gm``."""


@dataclass(frozen=True)
class Field(Generic[T_co]):
    """One thing asked of each member of a role; declared once, it is also how its value is read: ``ctx[DIFFICULTY]``.

    ``secrecy``: ``open`` to all, ``own`` for the one who fills it and the game master, ``gm`` for the game master, or
    ``sealed`` for the one who fills it alone until every sealed field of the step is in; then it is open.
    ``usual`` stands when nothing is filled in; without one, and unless ``optional``, the field must be filled. A field
    that ``waits`` is asked even so (always, or as things stand): the move stands still until it is filled or the game
    master closes the step.
    ``when`` and ``usual`` read the context with the actor concerned first in its role. The same ``id`` may be asked of
    several roles, by one field each.
    ``probes`` are values for which odds are shown to those who may not see the true one; they may depend on what such
    a reader sees. ``supposed`` is what the game master's odds suppose before it is said, where the usual value would
    mislead: the best that somebody could bring.
    ``by`` is ``gm`` where the game master fills it in for each, and nobody else. What is secret and ``written`` comes
    to stand on a sheet, where whoever may read that sheet reads it.
    ``upfront`` is what a form shows at once although it may be left as usual. What a field ``names`` somebody or
    something by is shown at once too, but is never all that is. ``kept_with`` is another field of the move: when that
    one is filled in from a sheet, this one stands as it was when both were last used. ``upon`` is another field that it
    speaks of: once that one is filled in otherwise, this one is asked anew.
    ``place`` is where it stands on a form: ``essential`` and ``judgement`` are never folded, a ``refinement`` is one
    tap away, a ``rarity`` in the last fold; left out, it is worked out (:attr:`placed`). A ``judgement`` is asked of
    the game master before the dice, where the table plays so. ``shape`` is what its control looks like, where a plain
    one would say less (:mod:`paravent.game.shapes`). A field that is not ``touched`` offers what stands on a sheet
    without a touch there beginning the move: what is carried may be sold, and is not what one means by it. What may be
    said ``anew`` stays on the form while the act goes on without dice: a text that was vetoed is written otherwise.
    What is ``sought`` is found by its values where moves are looked for: those that have everyday words
    (``fields.<id>.sought.<value>``), under these and under their names; the move begins with that value filled in.
    """

    id: str
    type: FieldType[T_co]
    role: str = "initiator"
    usual: T_co | Callable[[Context], T_co] = _UNSET
    optional: bool = False
    waits: bool | Callable[[Context], bool] = False
    secrecy: str = "open"
    when: Callable[[Context], bool] | None = None
    probes: tuple[T_co, ...] | Callable[[Context], tuple[T_co, ...]] = ()
    supposed: Callable[[Context], T_co] | None = None
    rule: str = ""
    by: str = ""
    upfront: bool = False
    names: bool = False
    kept_with: str = ""
    upon: str = ""
    place: Place | Literal[""] = ""
    shape: Shape | None = None
    written: bool = False
    touched: bool = True
    anew: bool = False
    sought: bool = False

    @property
    def placed(self) -> Place:
        """Where it stands on a form, said or not: what must be said, or says what something is, is essential."""
        if self.place:
            return self.place
        told = not self.has_usual() or bool(self.waits) or self.upfront or self.names or self.secrecy == "sealed"
        return "essential" if told else "refinement"

    def applies(self, ctx: Context) -> bool:
        """Whether it is asked at all, as things stand."""
        return self.when is None or self.when(ctx)

    def has_usual(self) -> bool:
        """Whether something stands when nothing is filled in."""
        return self.usual is not _UNSET or self.optional

    def is_awaited(self, ctx: Context) -> bool:
        """Whether the move stands still for it, although something stands when nothing is filled in."""
        return self.waits(ctx) if callable(self.waits) else self.waits

    def is_due(self, ctx: Context) -> bool:
        """Whether the move stands still for it: it must be filled in, is waited for, or its silence would tell."""
        return not self.has_usual() or self.secrecy == "sealed" or self.is_awaited(ctx)

    def usual_value(self, ctx: Context) -> T_co | None:
        """What stands when nothing is filled in."""
        if self.usual is _UNSET:
            return None
        return self.usual(ctx) if callable(self.usual) else self.usual

    def likely(self, ctx: Context) -> tuple[T_co, ...]:
        """The values to suppose for whoever may not see the true one; none where something hidden would say them."""
        try:
            return self.probes(ctx) if callable(self.probes) else self.probes
        except (MissingField, NeedsSheet, Withheld):
            return ()


AnyField = Field[Any]
"""A field of whatever type, where fields of several types stand together."""


class Shown(NamedTuple):
    """Who may see what of a throw: that it exists, its dice, its outcome.

    The outcome is the short key. The figures of the result and the lines of its explanation are the ``detail``, seen,
    if not said otherwise, by those who see both the outcome and the dice they speak of.
    """

    exists: Audience = EVERYONE
    dice: Audience = EVERYONE
    outcome: Audience = EVERYONE
    detail: Audience | None = None

    def no_wider(self, most: Shown) -> Shown:
        """The same, seen by nobody from whom a secrecy (one of :data:`SECRECIES`) hides it."""
        return Shown(
            narrower(self.exists, most.exists), narrower(self.dice, most.dice), narrower(self.outcome, most.outcome),
            None if self.detail is None else narrower(self.detail, most.outcome),
        )


def narrower(audience: Audience, limit: Audience) -> Audience:
    """Those of an audience who are also within a limit."""
    if ALL in limit:
        return audience
    return limit if ALL in audience else audience & limit


OPEN = Shown()
"""Everybody sees everything of the throw."""
OUTCOME_HIDDEN = Shown(outcome=GM_ONLY)
"""Everybody sees the dice, the game master alone what came of them."""
EXISTENCE_ONLY = Shown(dice=GM_ONLY, outcome=GM_ONLY)
"""Everybody sees that dice were thrown, and nothing else."""
INVISIBLE = Shown(GM_ONLY, GM_ONLY, GM_ONLY)
"""The game master alone knows that there was a throw."""
OWN_DICE = Shown(dice=GM_ONLY | {OWN})
"""Everybody sees what came of it, and each their own dice."""
SECRECIES = {
    "open": OPEN, "outcome-hidden": OUTCOME_HIDDEN, "existence-only": EXISTENCE_ONLY, "invisible": INVISIBLE,
}
"""How much of a throw is shown at most, when the game master says so; from the widest to the narrowest."""


class Telling(NamedTuple):
    """What is said of a result: a word key with values, and who hears it (those who see the outcome, if not said).

    Its words may name the roles of the move (``{opponent}``), which need no value: each reader is told those whom they
    may know. Anybody else is a :class:`~paravent.game.people.Who`, never a name. The ``main`` one tells the whole of
    it, who did what, to whom and what came of it: it stands for the outcome on a page, and in the log.

    Before the dice, what each of their possible ends would bring may be told rung by rung (``rungs.<rung>`` names it):
    a page draws a ladder, and the rung that a later line ``lights`` is where they fell.

    What happens to a body happens ``at`` places of it (:data:`~paravent.game.records.LIMBS`): a page marks them on a
    figure beside the line.
    """

    key: str
    values: Mapping[str, Value] = {}
    audience: Audience | None = None
    main: bool = False
    rung: str = ""
    lights: str = ""
    at: tuple[str, ...] = ()


class Opened(NamedTuple):
    """An encounter that a result begins: its id and first state."""

    encounter: str
    state: Value


class Follow(NamedTuple):
    """A move that a result opens, pre-filled (a reaction, a destiny roll)."""

    move: str
    cast: Mapping[str, Sequence[str]]
    form: Mapping[str, Mapping[str, Value]] = {}
    secrecy: str = "open"
    """How much of it is kept behind the screen: ``invisible`` where what is filled in would tell what is hidden."""


class Call(Generic[R]):
    """A rule and what it is asked: ``Call(exchange, attacker, defender)``; types check that they go together."""

    __slots__ = ("args", "rule")

    def __init__(self, rule: Callable[Concatenate[Dice, P], R], /, *args: P.args, **kwargs: P.kwargs) -> None:
        self.rule: Callable[..., R] = rule
        # Odds know a question by its arguments in order, however they were written.
        self.args: tuple[Hashable, ...] = signature(rule).bind(None, *args, **kwargs).args[1:] if kwargs else args

    def on(self, dice: Dice) -> R:
        """What the rule gives on these dice."""
        return dice.resolve(self.rule, *self.args)


class Step:
    """One of the steps of a move, by its own id."""

    id: str


@dataclass(frozen=True)
class Ask(Step):
    """Fields put to roles. After a :class:`Resolve`, they are asked once its result is known."""

    id: str
    fields: tuple[AnyField, ...]


@dataclass(frozen=True)
class Window(Step):
    """A moment in which members of a role may agree or object.

    Everyone in the role is asked; one refusal is enough to send the move back to ``back_to``, or to end it. The game
    master may close the window: silence is then agreement. ``kind`` (consent, approval, veto) only changes the words.
    """

    id: str
    role: str
    kind: str = "consent"
    when: Callable[[Context], bool] | None = None
    back_to: str = ""
    grants: AnyField | None = None
    """A flag of the same role that agreeing sets: to agree is the leave that a rule asks for, where it asks for one."""
    apart: tuple[str, ...] = ()
    """Fields that nobody is asked to agree to: said otherwise, they leave an agreement as it was."""

    def applies(self, ctx: Context) -> bool:
        """Whether it is held at all, as things stand."""
        return self.when is None or self.when(ctx)


@dataclass(frozen=True)
class Resolve(Step, Generic[R]):
    """A rule run on what was asked: ``call`` gives the rule and its inputs, as things stand.

    ``outcome`` gives the short key under which results are grouped and worded (``outcomes.<key>``); ``success`` is the
    event whose chance is shown first, and the goal of best play; it may answer None of a result that is neither success
    nor failure, since something goes on. Where people oppose each other, ``sides`` gives the roles for which it went
    well: each side is then shown its own chance.
    """

    id: str
    call: Callable[[Context], Call[R]]
    tell: Callable[[Context, R], Sequence[Telling]] = lambda ctx, result: ()
    outcome: Callable[[R], str] = str
    success: Callable[[R], object] | None = None
    sides: Callable[[R], Sequence[str]] | None = None
    alone: Mapping[str, AnyResolve] = field(default_factory=dict)
    """By role, what that side throws by itself: weighed for those of it who may not know what the other's is worth."""
    ends: Mapping[str, bool] = field(default_factory=dict)
    """Of outcomes, by key, that alone say it: whether they are a success. Whoever hears one is shown it as such."""
    changes: Callable[[Context, R], Sequence[Change]] = lambda ctx, result: ()
    shown: Callable[[Context, R | None], Shown] = lambda ctx, result: OPEN
    opens: Callable[[Context, R], Opened | None] = lambda ctx, result: None
    follow: Callable[[Context, R], Sequence[Follow]] = lambda ctx, result: ()
    lies: tuple[str, str] | None = None
    """The note that says where the dice lie while the rule still asks something: its key, and its value that names the
    rung. That one is lit meanwhile."""
    within: tuple[str, str] | None = None
    """The note that says how high a die may be and still count: its key, and its value that is the number. Dice above
    it are drawn as set aside, for whoever reads the note."""
    needed: Callable[[Context], Telling | None] | None = None
    """What the dice must do, told before they are thrown to those who may read all that it is made of."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    vary: str = ""
    """A field worth comparing over all its values (how many dice to throw)."""
    blind: bool = False
    """Thrown by the server, whoever acts: real dice would tell."""
    auto: bool = False
    """A rule without dice, run as soon as it is reached, and again whenever what it read is filled in anew."""
    told_only: bool = False
    """It only says something before the dice: nothing that comes after reads its result."""
    passing: bool = False
    """What it says is for the time before the dice: once they have fallen, what follows says it, and it goes."""
    judged: bool = False
    """It reads what the game master judges: although it runs by itself, it waits for that like dice."""
    asks: Callable[[Context, Choice], bool] | None = None
    """Whether a question in the middle of the rule is worth asking; one that is not takes its usual answer."""
    at_once: bool | Callable[[Context], bool] = False
    """What the table goes through with, dice or none, as soon as all is said: whoever began the move has ordered it."""
    when: Callable[[Context], bool] | None = None

    def applies(self, ctx: Context) -> bool:
        """Whether it is run at all, as things stand."""
        return self.when is None or self.when(ctx)

    def falls_at_once(self, ctx: Context) -> bool:
        """Whether the table goes through with it by itself, as things stand."""
        return self.at_once(ctx) if callable(self.at_once) else self.at_once

    def odds(self, ctx: Context, policy: str = "usual") -> Odds[R]:
        """The exact odds of the rule on this context, choices answered by a policy (``usual``, ``best``, or named)."""
        asked = self.call(ctx)
        if policy == "best" and self.success is not None and "best" not in self.policies:
            return best(asked.rule, *asked.args, goal=self.success, who=own_side).odds
        if policy == "usual":
            return odds(asked.rule, *asked.args, policy=self.policies.get("usual", certain_policy))
        if policy not in self.policies:
            raise UnknownName("policy", policy, ("usual", "best", *self.policies))
        return odds(asked.rule, *asked.args, policy=self.policies[policy])


AnyResolve = Resolve[Any]
"""A rule of whatever result, where several stand together."""


def own_side(who: str) -> bool:
    """Whether best play solves this role's choices: the others play their usual way, never against themselves."""
    return who.startswith(("initiator", "helper"))


@dataclass(frozen=True)
class Move:
    """Something people do, declared once. ``id`` is English and kebab-case; words stand under ``moves.<id>``."""

    id: str
    steps: tuple[Step, ...]
    cast: tuple[Role, ...] = (INITIATOR, GAME_MASTER)
    by: str = "initiator"
    """The role that starts it: ``gm`` for what only the game master does."""
    rules: tuple[str, ...] = ()
    encounter: str = ""
    """The encounter inside which it is played, if any."""
    forecast: Callable[[Context], Forecast] | None = None
    """For a whole fight or action: gives a :class:`Forecast` instead of the odds of one throw."""
    exists: Audience | Callable[[Context], Audience] = EVERYONE
    """Who may know that it is being played; it may depend on what is filled in when it starts."""
    when: Callable[[Context], bool] | None = None
    """Whether it may be started, as the encounter stands."""
    group: str = ""
    """What it is listed under, where a game has many; worded under ``groups.<group>``."""
    makes: str = ""
    """The kind of record it makes, if that is what it is for: it is offered to whoever brings a character."""
    offered: Callable[[Context], bool] | None = None
    """Whether it can come to anything, of what a sheet says or the table plays: if not, no page offers it, and begun
    all the same it is refused by its rule, in its own words."""
    suits: Callable[[Context], bool] | None = None
    """Whether it makes sense now, of the sheet, what is carried, the encounter: such moves are offered first."""
    passes: str = ""
    """The part of the story that it ends (``scene``, ``episode``): at a table that is the passing of time, once."""
    goes_on: Callable[[Context], bool] | None = None
    """Inside an encounter, whether the same people begin it again by itself once it is over, as things then stand; of
    what not everybody sees it says nothing."""
    keeps: str = ""
    """The move that keeps what was said in this one for another time: under its result, whoever acted keeps it at one
    touch, with the same choices, under a name made of them."""

    def applies(self, ctx: Context) -> bool:
        """Whether it may be started, as things stand."""
        return self.when is None or self.when(ctx)

    def can_come(self, ctx: Context) -> bool:
        """Whether it is worth offering, as far as that can be read."""
        return self.applies(ctx) and (self.offered is None or self.offered(ctx))

    def makes_sense(self, ctx: Context) -> bool:
        """Whether it suits what there is, as far as that can be read; one that says nothing of it does not."""
        if self.suits is None:
            return False
        try:
            return bool(self.suits(ctx))
        except (ParaventError, *STUMBLES):
            return False

    def known_to(self, ctx: Context) -> Audience:
        """Who may know that it is being played, as things stand."""
        return self.exists(ctx) if callable(self.exists) else self.exists

    @cached_property
    def fields(self) -> tuple[AnyField, ...]:
        """All its fields, in the order asked."""
        return tuple(field for step in self.steps if isinstance(step, Ask) for field in step.fields)

    @cached_property
    def guarded(self) -> Mapping[str, tuple[AnyField, ...]]:
        """Of each role, the fields that not everybody may read."""
        kept = [asked for asked in self.fields if asked.secrecy != "open"]
        return {role: tuple(asked for asked in kept if asked.role == role) for role in {asked.role for asked in kept}}

    @cached_property
    def resolves(self) -> tuple[AnyResolve, ...]:
        """Its rules, in order."""
        return tuple(step for step in self.steps if isinstance(step, Resolve))

    @cached_property
    def may_throw(self) -> bool:
        """Whether dice may fall in it, as it is declared: rules that run by themselves have none. Nothing filled in
        changes it, so it tells nobody what is hidden."""
        return any(not step.auto for step in self.resolves)

    def asks(self, name: str, role: str = "") -> bool:
        """Whether it has a field of this name; where a role is given, one asked of it."""
        return (name, role) in self._fields_named

    def field(self, name: str, role: str = "") -> AnyField:
        """The field of this name; the one asked of ``role``, where several roles are asked the same."""
        found = self._fields_named.get((name, role)) or self._fields_named.get((name, ""))
        if found is None:
            raise UnknownName("field", name, (field.id for field in self.fields))
        return found

    @cached_property
    def _fields_named(self) -> dict[tuple[str, str], AnyField]:
        """The fields by name and role; and the first of each name, whoever is asked."""
        found: dict[tuple[str, str], AnyField] = {}
        for asked in self.fields:
            found.setdefault((asked.id, asked.role), asked)
            found.setdefault((asked.id, ""), asked)
        return found

    def role(self, name: str) -> Role:
        """The role of this name."""
        found = next((role for role in self.cast if role.id == name), None)
        if found is None:
            raise UnknownName("role", name, (role.id for role in self.cast))
        return found

    @property
    def camps(self) -> tuple[Role, ...]:
        """The two roles of many that stand against each other, where a move has them."""
        many = tuple(role for role in self.cast if role.id != GM and role.most is None and role.least)
        return many if len(many) == 2 else ()


class Forecast(NamedTuple):
    """The end of something that lasts: odds of its final outcome (word keys), mean length, and more lines to show.

    ``wins`` is the chance that those of the first role come out on top. ``margin`` is how far off the shares may be,
    nineteen times in twenty, where they were counted in many trials; 0 where they are exact.
    """

    odds: Odds[str]
    mean_steps: Fraction | int | None
    lines: Sequence[Telling] = ()
    wins: Fraction | None = None
    margin: float = 0.0


@dataclass(frozen=True)
class Actor:
    """A member of a role: an id, a record if it has one, and what was filled in for it.

    ``audience`` is who may know of it at all; ``withheld`` names fields that whoever reads may not see.
    """

    id: str
    role: str
    record: Any = None
    filled: Mapping[str, Value] = field(default_factory=dict)
    kind: str = ""
    audience: Audience = EVERYONE
    withheld: frozenset[str] = frozenset()

    def sheet(self, kind: type[T]) -> T:
        """The record that it brings, as its kind declares it; a role that may come without one asks :attr:`record`."""
        if self.record is None:
            raise NoSheet(needs=self.role, role=self.id)
        record: T = self.record
        return record


@dataclass(frozen=True)
class Context:
    """Everything a move's functions may read: who is in it, what was filled in, options, encounter, earlier results."""

    system: System
    move: Move
    actors: tuple[Actor, ...]
    rulings: Rulings
    encounter: Value = None
    results: Mapping[str, Any] = field(default_factory=dict)
    day: int = 0
    minute: int | None = None
    """The minute of the day, where a clock says it."""

    def all(self, role: str = "initiator") -> tuple[Actor, ...]:
        """The members of a role."""
        return tuple(actor for actor in self.actors if actor.role == role)

    def in_view(self, role: str = "initiator") -> tuple[Actor, ...]:
        """Those of a role of whom everybody may know: what is asked of others may depend on these alone."""
        return tuple(actor for actor in self.all(role) if ALL in actor.audience)

    def one(self, role: str = "initiator") -> Actor:
        """The member of a role that has only one; an empty actor if nobody holds it."""
        for actor in self.actors:
            if actor.role == role:
                return actor
        return Actor(role, role)

    def part(self, actor: Actor) -> str:
        """What a rule calls this actor: its role, numbered from the second on (``opponent``, ``opponent2``)."""
        at = [other.id for other in self.all(actor.role)].index(actor.id)
        return actor.role if at == 0 else f"{actor.role}{at + 1}"

    def actor(self, actor_id: str) -> Actor:
        """The actor with this id."""
        for actor in self.actors:
            if actor.id == actor_id:
                return actor
        return Actor(actor_id, "")

    def value(self, actor: Actor, asked: Field[T]) -> T:
        """What an actor's field holds, or what usually stands there, as the move asks it of that role."""
        value: T = self._held(actor, asked.id)
        return value

    def _held(self, actor: Actor, name: str) -> Any:
        if name in actor.withheld:
            raise Withheld(what=name)
        if name in actor.filled:
            return actor.filled[name]
        kept = self._usual.get((id(actor), name))
        if kept is None:
            kept = self._usual[id(actor), name] = actor, self._usually(actor, name)
        if kept[1] is _UNSET:
            raise MissingField(field=name, role=actor.role)
        return kept[1]

    @cached_property
    def _usual(self) -> dict[tuple[int, str], tuple[Actor, Any]]:
        """What stands where nothing is filled in: rules ask for it again and again, and nothing here ever changes."""
        return {}

    def _usually(self, actor: Actor, name: str) -> Any:
        declared, focus = self.move.field(name, actor.role), replace_focus(self, actor)
        if not declared.applies(focus):
            return None
        return declared.usual_value(focus) if declared.has_usual() else _UNSET

    def __getitem__(self, asked: Field[T]) -> T:
        """What a field holds that only one actor fills; where several roles are asked the same, the one declared so."""
        return self.value(self.one(self.move.field(asked.id, asked.role).role), asked)

    def once(self, reading: Callable[Concatenate[Context, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What a reading of this context gives, worked out once: a rule, its terms and its odds may all ask for it."""
        key = reading, args, tuple(kwargs.items())
        if key not in self._readings:
            self._readings[key] = reading(self, *args, **kwargs)
        given: R = self._readings[key]
        return given

    @cached_property
    def _readings(self) -> dict[Hashable, Any]:
        return {}

    def asks(self, asked: AnyField) -> bool:
        """Whether the move asks this field at all: some are asked by a few moves that share a reading."""
        return self.move.asks(asked.id)

    def result(self, step: Resolve[R]) -> R:
        """What an earlier rule of the move gave."""
        given: R = self.results[step.id]
        return given

    def state(self, kind: type[T]) -> T:
        """The state of the encounter in which the move is played, as its kind declares it."""
        if not isinstance(self.encounter, kind):  # a form described outside of it stumbles, and is told without it
            raise TypeError(f"{self.move.id} is not played inside {kind.__name__}")
        return self.encounter

    def score(self, actor: Actor, asked: AnyField) -> int:
        """A score field as a number: as typed, or read on the actor's sheet by name."""
        value = self.value(actor, asked)
        if isinstance(value, int):
            return value
        if actor.record is None:
            raise NeedsSheet(field=asked.id, got=value, role=actor.role)
        return int(look(actor.record, str(value)))


def replace_focus(ctx: Context, actor: Actor) -> Context:
    """The same context seen from one actor of a role with several: it becomes the first of its role."""
    if ctx.one(actor.role).id == actor.id:
        return ctx
    rest = tuple(other for other in ctx.actors if other.id != actor.id)
    return replace(ctx, actors=(actor, *rest))


def filled_in(ctx: Context, actor: Actor, raw: Mapping[str, Value]) -> Actor:
    """The actor with what ``raw`` fills in, read and checked field by field."""
    filled = dict(actor.filled)
    for name, value in raw.items():
        asked = ctx.move.field(name, actor.role)
        if asked.role != actor.role:
            raise UnknownName("field", f"{actor.role}.{name}", (f"{f.role}.{f.id}" for f in ctx.move.fields))
        if value is None:
            filled.pop(name, None)
            continue
        focus = replace_focus(replace(ctx, actors=tuple(
            replace(a, filled=filled) if a.id == actor.id and a.role == actor.role else a for a in ctx.actors
        )), actor)
        filled[name] = _read(asked, value, focus)
    return replace(actor, filled=filled)


def _read(asked: AnyField, value: Value, ctx: Context) -> Value:
    """What a field's type makes of what was given; a type that stumbles over it has refused it."""
    try:
        read: Value = asked.type.read(value, asked.id, ctx)
    except ParaventError:
        raise
    except STUMBLES as error:
        fault = None if isinstance(error, ValueError) else author_fault(error)  # a type refuses with a ValueError
        raise fault or BadValue(field=asked.id, got=plain(value), expected="readable") from error
    return read


def missing(ctx: Context, step: Ask) -> list[tuple[Actor, AnyField]]:
    """What must still be filled in at this step."""
    return [(actor, asked) for actor, asked in unfilled(ctx, step) if not asked.has_usual()]


def unfilled(ctx: Context, step: Ask) -> list[tuple[Actor, AnyField]]:
    """What a step waits for: what must be filled, what waits, and every sealed field, whose silence would tell."""
    return [
        (actor, asked)
        for asked in step.fields
        if not asked.has_usual() or (asked.waits and asked.place != "judgement") or asked.secrecy == "sealed"
        for actor in ctx.all(asked.role)
        if asked.id not in actor.filled and asked.applies(focus := replace_focus(ctx, actor)) and asked.is_due(focus)
    ]


def unjudged(ctx: Context, step: Ask) -> list[tuple[Actor, AnyField]]:
    """What the game master has not judged yet of what a step asks."""
    return [
        (actor, asked) for asked in step.fields if asked.place == "judgement" for actor in ctx.all(asked.role)
        if asked.id not in actor.filled and asked.applies(replace_focus(ctx, actor))
    ]
