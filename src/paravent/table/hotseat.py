"""A table without a log: a game master, players and spectators around one program, in memory.

It is the same table, decided by the same commands: the terminal plays an evening on it, tests their scenes, a game's
conformance suite its examples. Seats and records go by the names they are given; the dice are those it is handed.
Acts go by the table's own numbers here, whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from paravent.dice import Odds
from paravent.dice.fair import Faces, LiveFaces
from paravent.game import AnyField, NotNow, Rulings, System, Telling, UnknownName, to_plain
from paravent.game.move import Actor, AnyResolve
from paravent.game.records import Audience

from . import commands as c
from . import events as e
from .decide import decide
from .deciding import Fresh, folded
from .house import with_house_moves
from .open_move import OpenMove
from .polls import ballots, poll_of
from .records import record_added
from .rereading import reread
from .seen import MoveSeen, TableSeen, plainly
from .seen_news import event_seen
from .sight import Sight
from .state import State
from .turn import Begun, Turn, encounter_read, record_read
from .view import Looking, view


@dataclass(frozen=True)
class Called(Fresh):
    """Names as they are asked for: around one program, nobody hides who is who."""

    def name(self, wanted: str = "") -> str:
        return wanted or super().name()


@dataclass(frozen=True)
class Held:
    """A record at the table, as the game reads it: who answers for it, and who may see it."""

    record: Any
    kind: str
    owner: str
    audience: Audience


@dataclass(frozen=True)
class Heard:
    """Something that a seat was told of a result: in which act, of which throw; of one that it may not know of, 0 and
    which of all events it was."""

    number: int
    step: str
    telling: Telling


@dataclass
class Hotseat:
    """A table in memory, played by whoever has the screen."""

    base: System
    """The game, without the moves that every table has."""
    places: Mapping[str, str]
    options: Mapping[str, str] | None = None
    faces: Faces = field(default_factory=LiveFaces)
    state: State = field(default_factory=State)
    events: list[e.AnyEvent] = field(default_factory=list)
    """All that has happened."""
    passed: dict[str, set[str]] = field(default_factory=dict)
    trust: str = field(default_factory=lambda: Hotseat.usual.trust)
    judging: str = field(default_factory=lambda: Hotseat.usual.judging)
    usual: ClassVar[e.House] = e.House()
    """How a table plays of which nothing else is said."""
    _tellers: dict[tuple[int, str], None] = field(default_factory=dict)
    """The throws, by act and step, of which something was told, in the order in which it was."""

    def __post_init__(self) -> None:
        rulings = dict(self.base.book.rulings(self.options))
        opened = e.TableOpened(table="hotseat", name=self.base.id, system=self.base.id, version=self.base.version,
                               rulings=rulings, minutes=self.base.begins,
                               house=e.House(self.trust, self.judging))
        seats = [e.SeatAdded(seat=name, name=name, rank=rank, link="") for name, rank in self.places.items()]
        self.take_in([opened, *seats])

    def take_in(self, happened: Sequence[e.AnyEvent]) -> None:
        """What happened is now part of the table."""
        self.state = folded(self.state, happened)
        for at, event in enumerate(happened, len(self.events)):
            if isinstance(event, e.Overheard):
                self._tellers[0, str(at)] = None
            elif isinstance(event, e.ACT_EVENTS) and event.number in self.state.moves:
                throws = self.state.moves[event.number].throws
                self._tellers |= {(event.number, throw.step): None for throw in throws if throw.tellings}
        self.events += happened

    # Commands

    def do(self, command: c.Command) -> list[e.AnyEvent]:
        """Do what a command asks, or raise an error and change nothing."""
        happened = decide(self.state, command, self.base, self._fresh())
        self.take_in(happened)
        return happened

    def _fresh(self) -> Called:
        return Called(passed=self.passed, faces=self.faces)

    def _own(self, seat: str, number: int) -> int:
        """What a seat calls an act."""
        if seat not in self.state.seats:
            raise UnknownName("seat", seat, self.state.seats)
        return self.state.counts_of(seat).moves.get(number, 0)

    def add(
        self, name: str, record: Any, kind: str = "character", owner: str = "", audience: Audience | None = None
    ) -> None:
        """Bring a record to the table."""
        self.take_in([record_added(
            self.state, self.system, name, self.system.kind(kind), record, owner, audience,
        )])

    def start(
        self, seat: str, move: str, cast: Mapping[str, Sequence[str]] | None = None,
        form: Mapping[str, Mapping[str, Any]] | None = None, encounter: int | None = None, secrecy: str = "open",
    ) -> int:
        """Open a move; ``cast`` names records by role, ``form`` fills fields by actor. Gives the act's number."""
        own = None if encounter is None else self.state.counts_of(seat).encounters.get(encounter, 0)
        before = self.state.moves_started
        self.do(c.StartMove(
            seat=seat, move=move, cast={role: list(names) for role, names in (cast or {}).items()},
            form={actor: dict(values) for actor, values in (form or {}).items()}, encounter=own, secrecy=secrecy,
        ))
        return before + 1

    def join(self, seat: str, number: int, role: str, *names: str) -> None:
        """Bring more actors into an act."""
        self.do(c.Join(seat=seat, number=self._own(seat, number), role=role, names=names))

    def fill(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill fields in; ``None`` empties one."""
        self.do(c.Fill(seat=seat, number=self._own(seat, number), values=dict(values), actor=actor))

    def seal(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill sealed fields in: nobody else reads them until all are in."""
        for name in values:
            if self.moves[number].move.field(name).secrecy != "sealed":
                raise NotNow(move=self.moves[number].move.id, needs=name)
        self.fill(seat, number, values, actor)

    def set_secrecy(self, seat: str, number: int, secrecy: str) -> None:
        """The game master says, before the dice, how much of the throws is shown."""
        self.do(c.SetSecrecy(seat=seat, number=self._own(seat, number), secrecy=secrecy))

    def throw(self, seat: str, number: int, *, by_hand: bool = False) -> None:
        """Throw the dice of the rule the act has come to."""
        self.do(c.ThrowDice(seat=seat, number=self._own(seat, number), by_hand=by_hand))

    def answer(self, seat: str, number: int, answer: Any, why: str = "") -> None:
        """Answer what the act waits for."""
        self.do(c.Answer(seat=seat, number=self._own(seat, number), answer=answer, why=why))

    def close(self, seat: str, number: int) -> None:
        """The game master ends the waiting."""
        self.do(c.CloseStep(seat=seat, number=self._own(seat, number)))

    def withdraw(self, seat: str, number: int) -> None:
        """Take the act back, free of cost, as long as no dice have been thrown."""
        self.do(c.Withdraw(seat=seat, number=self._own(seat, number)))

    def accept(
        self, seat: str, number: int, amend: Mapping[int, Any] | None = None, refuse: Sequence[int] = ()
    ) -> None:
        """The game master applies the proposed changes; some may be amended or refused, each alone."""
        rewritten = {str(at): to_plain(value) for at, value in (amend or {}).items()}
        self.do(c.Accept(seat=seat, number=self._own(seat, number), amend=rewritten, refuse=tuple(refuse)))

    def undo(self, seat: str, number: int) -> None:
        """Take back what an act changed: the game master anything, whoever acted what applied by itself."""
        self.do(c.Undo(seat=seat, number=self._own(seat, number)))

    def turn_over(self, seat: str, number: int, step: str, to: Sequence[str] = ("all",)) -> None:
        """The game master shows a throw otherwise than its rule says: to everyone, unless said."""
        self.do(c.TurnOver(seat=seat, number=self._own(seat, number), step=step, to=tuple(to)))

    # What there is

    @property
    def system(self) -> System:
        """The game, with the moves that every table has."""
        return with_house_moves(self.base, self.state)

    @property
    def day(self) -> int:
        """The day of the fiction."""
        return self.state.day

    @property
    def rulings(self) -> Rulings:
        """The options as they stand."""
        return self.system.book.still(self.state.rulings)

    @property
    def moves(self) -> Moves:
        """The acts, in the hands of their rules."""
        return Moves(self)

    @property
    def records(self) -> Mapping[str, Held]:
        """The records that the game reads."""
        return MappingProxyType({
            name: Held(record, held.kind, held.owner, frozenset(held.seen_by))
            for name, held in self.state.records.items()
            if (record := record_read(held, self.system)) is not None
        })

    @property
    def encounters(self) -> Mapping[int, Begun]:
        """The encounters, as the game reads them."""
        found = {number: encounter_read(self.state, self.system, number) for number in self.state.encounters}
        return MappingProxyType({number: begun for number, begun in found.items() if begun is not None})

    def turn(self, seat: str) -> Turn:
        """What a seat would do next: who is awaited, what it may know; nothing comes of it."""
        return Turn(self.state, self.system, self._fresh(), seat)

    def sight(self, seat: str) -> Sight:
        """What a seat may read through the game's own functions."""
        return Sight(self.state, self.system, seat)

    def is_gm(self, seat: str) -> bool:
        """Whether this seat is a game master's."""
        return self.state.eyes.is_gm(seat)

    def controllers(self, actor: str) -> frozenset[str]:
        """The seats that answer for an actor."""
        return self.state.eyes.controllers(actor)

    def may_see(self, seat: str, record: str) -> bool:
        """Whether a seat may know that a record exists."""
        return record not in self.state.unseen(seat)

    def waits_for(self, number: int) -> frozenset[str]:
        """The seats that can bring an act forward; who put in a ballot that no log keeps is waited for no more."""
        turn = self.turn(min(self.state.eyes.masters, default=""))
        voted = (self.passed.get(name, set()) for name in ballots(poll_of(self.state.move(number))))
        return turn.waits_for(turn.at(number)).difference(*voted)

    def asked_for(self, number: int, actor: Actor, asked: AnyField) -> frozenset[str]:
        """The seats that are asked for an actor's field."""
        turn = self.turn(min(self.state.eyes.masters, default=""))
        op = turn.at(number)
        return turn.seats_of(op, op.asked_of(actor, asked))

    def known(self, seat: str) -> list[int]:
        """The acts that a seat knows of, in the order it came to know them."""
        return list(self.state.known_moves(seat))

    def odds(self, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
        """The odds of what comes next, from what this seat may see."""
        op = self._known_move(seat, number)
        found = None if self.turn(seat).is_out_of_hands(op) else self.sight(seat).weighed(op, policy)
        return None if found is None else found[1]

    def odds_alone(self, seat: str, number: int) -> tuple[AnyResolve, Mapping[Any, Odds[Any]]] | None:
        """What a seat's own side of an opposition throws, and its odds, where what the other's is worth is hidden."""
        op = self._known_move(seat, number)
        return None if self.turn(seat).is_out_of_hands(op) else self.sight(seat).weighed_alone(op)

    def _known_move(self, seat: str, number: int) -> OpenMove:
        if number not in self.state.known_moves(seat):
            raise UnknownName("open move", str(number), ())
        return self.moves[number]

    def view(self, seat: str) -> TableSeen:
        """Everything this seat may see, and nothing else."""
        if seat not in self.state.seats:
            raise UnknownName("seat", seat, self.state.seats)
        return view(self.state, seat, self.system)

    def seen(self, seat: str) -> dict[str, Any]:
        """The same in plain values."""
        return plainly(self.view(seat))

    def seen_move(self, seat: str, number: int) -> MoveSeen | None:
        """An act as a seat sees it; None when it may not know of it."""
        act = self.state.moves.get(number)
        return None if act is None else Looking(self.state, seat, self.system).move(act)

    def heard(self, seat: str) -> list[Heard]:
        """What was said of results, as far as a seat heard it, in the order in which it was said."""
        return [Heard(number, step, said) for number, step in self._tellers for said in self._said(seat, number, step)]

    def _said(self, seat: str, number: int, step: str) -> list[Telling]:
        if not number:
            overheard = event_seen(self.state, self.events[int(step)], seat, self.system) or {}
            return [Telling(said["key"], said["values"]) for said in overheard.get("told", ())]
        move = self.seen_move(seat, number)
        throws = () if move is None else (throw for throw in move.throws if throw.step == step)
        return [Telling(said.key, said.values, rung=said.rung or "", lights=said.lights or "")
                for throw in throws for said in throw.told or ()]

    def told(self, seat: str) -> list[Telling]:
        """The same, in nothing but words."""
        return [heard.telling for heard in self.heard(seat)]


@dataclass(frozen=True)
class Moves(Mapping[int, OpenMove]):
    """The acts of a table, in the hands of their rules."""

    table: Hotseat

    def __getitem__(self, number: int) -> OpenMove:
        state = self.table.state
        if number not in state.moves:
            raise KeyError(number)
        return reread(state, self.table.system, number)

    def __iter__(self) -> Iterator[int]:
        return iter(self.table.state.moves)

    def __len__(self) -> int:
        return len(self.table.state.moves)
