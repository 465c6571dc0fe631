"""A system: one game, everything declared; found by entry point, ours like anybody's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, NamedTuple, TypeVar

from paravent.dice import Dice

from .days import EVENING, Calendar
from .errors import BrokenSystem, NotAGame, UnknownName
from .evenings import Beat
from .faults import lives_at, why
from .lazily import cached_property
from .leaves import Leaf
from .move import Actor, AnyField, Context, Forecast, Move, Role, Telling, filled_in
from .plain import Value
from .records import EVERYONE, AnyKind, Audience, Change, RowParts
from .rulebook import RuleBook, Rulings
from .shapes import Track
from .tables import Tables
from .upgrades import Together
from .words import Words

S = TypeVar("S", bound="Value")
Filled = Mapping[str, Value]
"""What is filled in for one actor, by field."""
Passing = Callable[[Dice, Any, int, Filled, Rulings], Sequence[Change]]
"""What time does to a record: ``passing(dice, record, minutes, habits, rulings)``."""
Example = Mapping[str, Any]
"""A form that can be played: ``form`` by role, ``sheets`` by actor, ``encounter``, ``options``, ``day``."""


@dataclass(frozen=True)
class Listing:
    """The field of an encounter's state that lists who is in it, each with the ``id`` of a record.

    ``side`` and ``stands`` are the parts of each entry that say on which side they are, and whether they are still up;
    ``more`` are fields that tell of the same people what rules alone need; ``unsaid`` are values of an entry that go
    without saying. ``turn`` is the move of the game master that gives one of them the turn: its first field names them.
    ``asks`` is a move that the game master asks of one of them by a tap, as whoever starts it. ``meets`` is a move that
    whoever is on a side begins with one of another by a tap, and ``sign`` the field of theirs that the tap says:
    there is one to be tapped for each of its values. ``acting`` is the value
    of the state that names whose turn it is, and ``acted`` the part of an entry that says they have had it; ``spends``
    are the moves by which they use it: after one of them, the turn is the game master's to give on.
    """

    field: str
    side: str = ""
    stands: str = ""
    more: frozenset[str] = frozenset()
    turn: str = ""
    asks: str = ""
    meets: str = ""
    sign: str = ""
    acting: str = ""
    acted: str = ""
    spends: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Timeline:
    """The field of an encounter's state that lists what came to pass in it, the first thing first.

    Of each entry, ``at`` is the part that says when (an age, a turn), worded by ``<words>.at``, and ``what`` the part
    that names the sentence it is told by: ``<words>.<what>`` in the words files, with the entry's own values. The
    ``marked`` ones changed the course of things.
    """

    field: str
    at: str
    words: str
    what: str = "what"
    marked: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Encounter(Generic[S]):
    """What lasts over several moves: a frozen state, and when it is over. Moves name it as theirs.

    ``hidden`` lists the state's fields that only the game master sees; ``audience`` (``all``, ``gm``, ``player``…) is
    who may know of it at all. ``also`` names moves that are played inside it while it lasts, and without it otherwise.
    Where it ``merges``, several moves may be open in it at once: what each changes of its state is worked out when it
    is accepted, from how it then stands.
    """

    id: str
    state: type[S]
    over: Callable[[S], bool]
    hidden: frozenset[str] = frozenset()
    audience: Audience = EVERYONE
    also: frozenset[str] = frozenset()
    merges: bool = False
    people: Listing | None = None
    """Who is in it, where its state lists them: they are shown side by side, and whoever stands is there to act."""
    tracks: tuple[Track, ...] = ()
    """What fills in it over turns."""
    about: str = ""
    """The value of its state that says in people's own words what it is about: that is its title."""
    ahead: Callable[[S, Mapping[str, Any], Rulings], Forecast | None] | None = None
    """What lies ahead of it, from its state and the records at the table, as far as whoever asks may read them."""
    timeline: Timeline | None = None
    """What came to pass in it so far, where its state keeps that."""
    stands: Callable[[S, Rulings], Sequence[Telling]] | None = None
    """What is said of how it stands, each line to those who may hear it: what is at stake, what comes next."""
    without: Callable[[S, Set[str], Rulings], S] | None = None
    """How it stands for whoever may not know of some people: as if they were not there. Whatever names one of them is
    left out in any case; this says what their turns must not tell of the others'."""
    foresees: str = ""
    """The move whose forecast tells how it would end, with its people in the two roles of many: the game master may ask
    for it at any time, for themselves alone, as things stand or without somebody."""

    def holds(self, move: Move) -> bool:
        """Whether a move is played inside it."""
        return move.encounter == self.id or move.id in self.also


AnyEncounter = Encounter[Any]
"""An encounter of whatever state, where several stand together."""


class Newcomer(NamedTuple):
    """Somebody whom one line brings to the table: a kind of record, and the record."""

    kind: str
    record: Value
    seen: bool = False
    """Whether everybody may see them at once; else the game master shows them later."""


LOOKS = frozenset({"accent", "die"})
"""The keys of ``System.look`` that pages read."""


@dataclass(frozen=True)
class System:
    """One game: its rules and options (in its package's data files), record kinds, moves, encounters, words."""

    id: str
    package: str
    version: str
    moves: Mapping[str, Move]
    kinds: Mapping[str, AnyKind] = field(default_factory=dict)
    encounters: Mapping[str, AnyEncounter] = field(default_factory=dict)
    notice: Mapping[str, str] = field(default_factory=dict)
    """The line that must stand wherever the game is shown, by language."""
    look: Mapping[str, str] = field(default_factory=dict)
    """How pages show the game (``LOOKS``): ``accent``, a colour ``#rrggbb``, and ``die``, for its ornament."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Pictograms of its own, by the value or the score that each stands beside: the ``d`` of an SVG path, drawn as a
    line in a square of 24. The word is always there too: a sign says nothing alone."""
    glyphs: Mapping[str, str] = field(default_factory=dict)
    """The same signs where there are only letters: one character for each, one column wide."""
    passing: Passing | None = None
    """What time does to a record: a rule ``passing(dice, record, minutes, habits, rulings)`` that gives changes.

    ``habits`` holds what was answered to the fields of ``habits``, and ``day``, today's number, and ``span``: what the
    game master said that passes (``night``, ``scene``…). The target of the changes is set by the table.
    """
    habits: tuple[AnyField, ...] = ()
    """What is asked of each character when time passes: hours slept, meals, calm."""
    begins: int = EVENING
    """The minute of the day at which a table begins: people play in the evening."""
    calendar: Calendar | None = None
    """How its days are named; without one they are numbered."""
    upgrades: tuple[Together, ...] = ()
    """Upgrades of records that must change together; see also :attr:`RecordKind.upgrades`."""
    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    """Pages of its own, for the web, the terminal and programs."""
    quick_people: Callable[[str, str], Sequence[Newcomer]] | None = None
    """The people that one line describes (``three average thugs, clubs``), in a language; what it does not understand
    it refuses with :class:`~paravent.game.errors.NotUnderstood`. An example of a line: words ``system.quick``."""
    quick_ideas: Callable[[str], Sequence[str]] | None = None
    """Words at hand for such a line, in a language: people and beasts that are ready."""
    first_evening: tuple[Beat, ...] = ()
    """What a group that is new to the game does first, line by line."""
    examples: Mapping[str, Sequence[Example]] = field(default_factory=dict)
    """For each move, forms that a conformance suite can play; one at least."""

    @cached_property
    def book(self) -> RuleBook:
        """The rules as people read them."""
        return RuleBook(self.package)

    @cached_property
    def words(self) -> Words:
        """The words of the game."""
        return Words.from_package(self.package)

    @cached_property
    def tables(self) -> Tables:
        """The printed tables."""
        return Tables(self.package)

    @cached_property
    def groups(self) -> Mapping[str, list[Move]]:
        """The moves by what they are listed under, in the order declared; all under ``""`` where nothing is."""
        found: dict[str, list[Move]] = {}
        for move in self.moves.values():
            found.setdefault(move.group, []).append(move)
        return found

    def takes(self, role: Role, kind: str) -> bool:
        """Whether a record of a kind may be offered for a role: of the kind it names; anybody, where it names none."""
        declared = self.kinds.get(kind)
        return role.record == kind if role.record else declared is None or declared.anybody or kind in role.also

    @cached_property
    def living(self) -> tuple[str, ...]:
        """The kinds of records for which time passes."""
        return tuple(kind.id for kind in self.kinds.values() if kind.played or kind.lives)

    @cached_property
    def played(self) -> tuple[str, ...]:
        """The kinds of records that players play, in the order declared."""
        return tuple(kind.id for kind in self.kinds.values() if kind.played)

    @cached_property
    def usual_kind(self) -> str:
        """The kind of record that is meant where none is named: ``character``, or what players play of this game."""
        return "character" if "character" in self.kinds else next(iter((*self.played, *self.kinds)), "character")

    @cached_property
    def rows(self) -> Mapping[str, RowParts]:
        """For each list of a sheet of which something is said, what the parts of its rows are to them."""
        return {path: parts for kind in self.kinds.values() for path, parts in kind.rows.items()}

    @cached_property
    def explained(self) -> Mapping[str, str]:
        """For each field of a sheet or a move, the rule that explains it."""
        found: dict[str, str] = {}
        for kind in self.kinds.values():
            found = {**kind.rules, **found}
        for kind in self.kinds.values():
            for section in kind.sections:
                for name in section.fields if section.id in kind.rules else ():
                    found.setdefault(str(name), kind.rules[section.id])
        for move in self.moves.values():
            for asked in move.fields:
                if asked.rule:
                    found.setdefault(asked.id, asked.rule)
        return found

    def move(self, name: str) -> Move:
        """The move with this id; the nearest ids are named when there is none."""
        if name not in self.moves:
            raise UnknownName("move", name, self.moves)
        return self.moves[name]

    def kind(self, name: str) -> AnyKind:
        """The record kind with this id."""
        if name not in self.kinds:
            raise UnknownName("kind", name, self.kinds)
        return self.kinds[name]

    def context(
        self,
        move: str | Move,
        form: Mapping[str, Sequence[Filled]],
        sheets: Mapping[str, Value] | None = None,
        rulings: Rulings | None = None,
        encounter: Value = None,
        day: int = 0,
    ) -> Context:
        """A context from a form: for each role, the fields of each member (``{"initiator": [{"dice": 3}]}``).

        ``sheets`` gives records by actor id (``initiator``, ``opponent2``). Fields are read in the order declared.
        """
        declared = self.move(move) if isinstance(move, str) else move
        sheets = dict(sheets or {})
        actors = []
        for role in declared.cast:
            members = list(form.get(role.id, ()))
            count = max(len(members), role.least)
            ids = [role.id if at == 0 else f"{role.id}{at + 1}" for at in range(count)]
            actors += [Actor(actor_id, role.id, sheets.pop(actor_id, None)) for actor_id in ids]
        for role_id in form:
            declared.role(role_id)
        for actor_id in sheets:
            raise UnknownName("role", actor_id, (role.id for role in declared.cast))
        ctx = Context(self, declared, tuple(actors), rulings or self.book.rulings(), encounter, {}, day)
        raw = {actor.id: _members(form, actor) for actor in actors}
        return fill_all(ctx, raw)


def _members(form: Mapping[str, Sequence[Filled]], actor: Actor) -> Filled:
    members = form.get(actor.role, ())
    number = int(actor.id[len(actor.role):] or 1) - 1
    return members[number] if number < len(members) else {}


def fill_all(ctx: Context, raw: Mapping[str, Filled]) -> Context:
    """The context with every actor's fields read in the order the move asks them."""
    from dataclasses import replace

    order = {asked.id: at for at, asked in enumerate(ctx.move.fields)}
    for values in raw.values():
        for name in values:
            ctx.move.field(name)
    steps = sorted(
        ((order[name], actor_id, name, value) for actor_id, values in raw.items() for name, value in values.items()),
        key=lambda item: item[0],
    )
    for _, actor_id, name, value in steps:
        actor = _asked(ctx, actor_id, name)
        filled = filled_in(ctx, actor, {name: value})
        ctx = replace(ctx, actors=tuple(filled if a is actor else a for a in ctx.actors))
    return ctx


def _asked(ctx: Context, actor_id: str, name: str) -> Actor:
    """Whoever of this id is asked this field: somebody may hold two roles of a move."""
    roles = {asked.role for asked in ctx.move.fields if asked.id == name}
    held = (actor for actor in ctx.actors if actor.id == actor_id and actor.role in roles)
    return next(held, None) or ctx.actor(actor_id)


@lru_cache(maxsize=1)
def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group="paravent.systems"), key=lambda point: point.name)}


def system_names() -> tuple[str, ...]:
    """The ids of the systems installed, ours and strangers'."""
    return tuple(_found())


_being_written: dict[str, System] = {}
"""Games named by their module, by their own id once loaded."""


@lru_cache(maxsize=32)
def find_system(name: str) -> System:
    """The installed system with this id, or one being written that was loaded here by its module.

    It reads no other module, whatever the name: pages and files of others may give one.
    """
    point = _found().get(name)
    if point is not None:
        return _loaded(point)
    if name not in _being_written:
        raise UnknownName("system", name, _found())
    return _being_written[name]


def system_at(name: str) -> System:
    """A system as whoever sits at this machine names it: by its id, or as ``module:NAME`` while it is being written."""
    if ":" not in name:
        return find_system(name)
    system = _loaded(EntryPoint(name, name, "paravent.systems"))
    _being_written[system.id] = system
    return system


def _loaded(point: EntryPoint) -> System:
    try:
        system: System = point.load()
    except Exception as error:  # a stranger's package may fail in any way; the others must still be found
        raise BrokenSystem(system=point.name, why=why(error)) from error
    if not isinstance(system, System):
        raise NotAGame(system=point.name, at=point.value, got=type(system).__name__)
    lives_at(system.package)
    return system
