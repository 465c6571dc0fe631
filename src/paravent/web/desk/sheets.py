"""The sheets that a seat sees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

import msgspec

from paravent.dice import ParaventError
from paravent.game import AnyKind, RecordKind, Rulings, Value
from paravent.game.errors import STUMBLES, UnknownName, Unread, Withheld
from paravent.game.lazily import cached_property
from paravent.game.plain import Plain
from paravent.game.records import ALL, EVERYONE, veiled
from paravent.table.kept import ByIdentity
from paravent.table.seen import RecordSeen
from paravent.table.sheets import record_fault, record_read
from paravent.web.maps import Drawn, draw_map
from paravent.web.sheets import Block, Gauge, SheetLine, StateTold

from .seat import DeskSeat

T = TypeVar("T")
_DERIVED: ByIdentity[Mapping[str, Value]] = ByIdentity()
"""What follows from records, as far as they may be seen."""
_A_SENTENCE = 20
"""How long words are that tell of somebody by themselves, without the name of their field."""


@dataclass(frozen=True)
class Values:
    """A record that no kind of the game reads: but a list of values."""


def unread_kind(name: str) -> AnyKind:
    """What stands for a kind that the game does not have, or does not read a sheet by."""
    return RecordKind(name, Values)


@lru_cache(maxsize=256)
def _fields(cls: type) -> frozenset[str]:
    """The fields that records of a class have."""
    return frozenset(part.name for part in dataclasses.fields(cls))


class FaultTold(NamedTuple):
    """What is wrong with a sheet, or only unwise, in words; and the field that mends it, where one does."""

    words: str
    mild: bool
    at: str = ""


class PointsTold(NamedTuple):
    """Points to spend on a sheet that is being written: how many are left, of how many, and on which field."""

    title: str
    left: int
    of: int
    at: str


class Chip(NamedTuple):
    """Something named on a sheet, with its number; for whoever may, what a touch does about it."""

    name: str
    words: str
    number: str
    move: str = ""
    role: str = ""
    touches: tuple[tuple[str, str], ...] = ()
    """The field that takes its name, and the word of the button."""
    adds: str = ""
    """The field that takes the name of something new, where the chip is for that, and what it is called."""
    title: str = ""
    level: str = ""
    levels: tuple[tuple[int, str], ...] = ()
    """How much of it, and the word of the button."""


@dataclass
class DrawnSheet:
    """A record as a sheet: gauges, blocks of lines, whose it is, and what may be done with it."""

    id: str
    name: str
    of: str
    """Its kind, by id."""
    kind: str
    mine: bool
    owner: str
    owner_seat: str
    hidden: bool
    acts: bool
    player: bool
    seen_by: tuple[str, ...]
    gauges: list[Gauge]
    blocks: list[Block]
    about: list[str] = field(default_factory=list)
    """What tells of somebody by itself."""
    faults: list[FaultTold] = field(default_factory=list)
    states: list[StateTold] = field(default_factory=list)
    """What is to be known of somebody, at a glance."""
    chips: list[Chip] = field(default_factory=list)


class Listed(NamedTuple):
    """Somebody or something at the table: enough to be chosen, without its sheet being drawn."""

    id: str
    name: str
    of: str
    mine: bool
    owner: str
    acts: bool
    player: bool


class MapShown(NamedTuple):
    """The map that a record is, if it is one; the formats it can be written in, and what these cannot hold."""

    map: Drawn | None
    exports: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()


class Sheets:
    """The records of the table, as one seat sees them."""

    def __init__(self, seat: DeskSeat) -> None:
        self._seat = seat
        self._drawn: dict[str, DrawnSheet] = {}
        self._read: dict[str, Any] = {}

    @cached_property
    def all(self) -> list[DrawnSheet]:
        """The records this seat sees: its own first, then the others', then those of the game master."""
        found = [self.sheet(name) for name in self._seat.records]
        return sorted(found, key=lambda sheet: (
            not sheet.mine, not sheet.owner, sheet.hidden, not sheet.player, sheet.name))

    @cached_property
    def listed(self) -> list[Listed]:
        """The same records, in the same order, to be chosen from."""
        seat = self._seat
        found = [
            (name, held, "all" not in (held.seen_by or ("all",)) and seat.is_gm) for name, held in seat.records.items()
        ]
        played = seat.system.played
        found.sort(key=lambda one: (one[1].owner != seat.seat, not one[1].owner, one[2], one[1].kind not in played,
                                    one[1].name))
        return [
            Listed(name, seat.called(held), held.kind, held.owner == seat.seat,
                   seat.name(held.owner) if held.owner else "", held.owner == seat.seat or seat.is_gm,
                   held.kind in played)
            for name, held, _ in found
        ]

    def sheet(self, name: str) -> DrawnSheet:
        """One record of the table as a sheet."""
        if name not in self._drawn:
            self._drawn[name] = self._sheet(name, self._seat.records[name])
        return self._drawn[name]

    def _sheet(self, name: str, held: RecordSeen, whole: bool = True) -> DrawnSheet:
        seat = self._seat
        kind = unread_kind(held.kind) if held.unread else self.kind(held.kind)
        record = self._seen_record(name, held, kind)
        derived = self._follows(kind, record)
        owner = held.owner
        acts = owner == seat.seat or seat.is_gm
        return DrawnSheet(
            id=name, name=held.name, of=held.kind, kind=seat.teller.title(f"kinds.{held.kind}"),
            mine=owner == seat.seat, owner=seat.name(owner) if owner else "", owner_seat=owner,
            hidden=seat.is_gm and "all" not in (held.seen_by or ("all",)), acts=acts,
            player=held.kind in seat.system.played, seen_by=held.seen_by or (),
            gauges=seat.drawer.gauges(kind, held.sheet, derived),
            blocks=[*seat.drawer.blocks(kind, held.sheet, derived, record if acts else None), *self._aside(held)]
            if whole else [],
            states=seat.drawer.states(kind, held.sheet, derived, record),
            chips=[chip for chip in self.chips(name) if whole or owner or not chip.adds],  # a form each: of few
            faults=[FaultTold(self._unread(name), False)] if held.unread else [],
        )

    def chips(self, name: str) -> Iterator[Chip]:
        """What changes often on a sheet and is named; the game master touches it."""
        seat, held = self._seat, self._seat.records.get(name)
        kind = seat.system.kinds.get(held.kind) if held is not None and not held.unread else None
        listed = held.sheet.get(kind.chips.field) if held is not None and kind is not None and kind.chips else None
        if kind is None or kind.chips is None or not isinstance(listed, list):
            return
        touches = tuple((field, seat.teller.value(word)) for word, field in kind.chips.touches.items())
        for row in listed:
            if isinstance(row, dict) and isinstance(row.get("name"), str):
                numbers = [value for value in row.values() if isinstance(value, int) and not isinstance(value, bool)]
                chip = Chip(str(row["name"]), seat.teller.value(row["name"]), str(numbers[0]) if numbers else "")
                yield chip._replace(move=kind.chips.move, role=kind.chips.role, touches=touches) if seat.is_gm else chip
        its = kind.chips
        for word, taking in its.adds.items() if seat.is_gm else ():
            levels = tuple((level, seat.teller.step_word(its.level, level)) for level in its.levels)
            yield Chip("", seat.teller.value(word), "", its.move, its.role, adds=taking,
                       title=seat.teller.title(f"fields.{taking}"), level=its.level, levels=levels)

    def closed(self, name: str) -> DrawnSheet:
        """A record whose sheet is fetched only when it is unfolded: its head and its gauges."""
        if name in self._drawn:
            return self._drawn[name]
        return self._sheet(name, self._seat.records[name], whole=False)

    def _aside(self, held: RecordSeen) -> list[Block]:
        """What the game no longer has a place for."""
        lines = self._seat.drawer.lines(held.aside or {})
        return [Block(self._seat.teller.say("web.sheet_aside"), lines=lines, folded=True)] if lines else []

    def _unread(self, name: str) -> str:
        """Why the game does not read a sheet; what is wrong with it is the game master's to know."""
        seat = self._seat
        fault = record_fault(seat.state.records[name], seat.system) if seat.is_gm else None
        return seat.refusal(fault or Unread(kind=seat.records[name].kind))

    def read(self, name: str) -> Any:
        """A record as its game reads it, with what the seat may not see withheld; nothing, if it is not read."""
        if name not in self._read:
            held = self._seat.records[name]
            self._read[name] = None if held.unread else self._seen_record(name, held, self.kind(held.kind))
        return self._read[name]

    def gauges(self, name: str) -> list[Gauge]:
        """What goes up and down on a record's sheet."""
        if name in self._drawn:
            return self._drawn[name].gauges
        held = self._seat.records[name]
        kind = unread_kind(held.kind) if held.unread else self.kind(held.kind)
        return self._seat.drawer.gauges(kind, held.sheet, self._follows(kind, self._seen_record(name, held, kind)))

    def states(self, name: str) -> list[StateTold]:
        """What is to be known of somebody at a glance."""
        if name in self._drawn:
            return self._drawn[name].states
        held = self._seat.records[name]
        kind = unread_kind(held.kind) if held.unread else self.kind(held.kind)
        record = self._seen_record(name, held, kind)
        return self._seat.drawer.states(kind, held.sheet, self._follows(kind, record), record)

    def drawn(self, sheet: DrawnSheet) -> str:
        """A mark that is another one once the sheet looks otherwise; of what this seat sees, and nothing else."""
        seat, players = self._seat, [(seat, place.name) for seat, place in self._seat.seats.items()]
        shown = msgspec.json.encode((seat.records[sheet.id], sheet.mine, sheet.acts, players, seat.state.rulings,
                                     seat.system.version, seat.state.day))
        return f"{crc32(shown):08x}"

    def _seen_record(self, name: str, held: RecordSeen, kind: AnyKind) -> Any:
        """The record behind a sheet, as far as the seat may see; nothing, if the game no longer reads it."""
        kept = self._seat.state.records.get(name)
        try:
            whole = kind.from_plain(held.sheet) if kept is None else record_read(kept, self._seat.system)
        except (ParaventError, *STUMBLES):
            return None
        cls: type = kind.cls
        hidden = _fields(cls) - held.sheet.keys()
        return None if whole is None else veiled(whole, hidden)

    def _follows(self, kind: AnyKind, record: Any) -> Mapping[str, Value]:
        """What follows from a record, as far as the seat may see; worked out once for all who may see the same."""
        if record is None:
            return {}
        return _DERIVED.of((kind, record, self._seat.state.rulings), lambda: self._derived(kind, record))

    def _derived(self, kind: AnyKind, record: Any) -> Mapping[str, Value]:
        try:
            return kind.derived(record, self._seat.rulings)
        except (Withheld, ParaventError):
            return {}

    def record(self, name: str) -> Any:
        """A record as the game reads it, with what the seat may not see withheld; None where the game does not."""
        held = self._seat.records[name]
        kind = unread_kind(held.kind) if held.unread else self.kind(held.kind)
        return self._seen_record(name, held, kind)

    def picture(self, name: str) -> MapShown:
        """The map of a record, if it is one; nothing where some of it is hidden."""
        held = self._seat.records[name]
        kind = self.kind(held.kind)
        record = self._seen_record(name, held, kind)
        if record is None:
            return MapShown(None)
        losses = filter(None, (self._seat.teller.losses(kind, written) for written in kind.exports))
        shown = MapShown(None, tuple(kind.exports), tuple(losses))
        if kind.map is None:
            return shown
        try:
            found = kind.map(record, self._seat.rulings)
        except (Withheld, ParaventError):
            return MapShown(None)
        return shown._replace(map=draw_map(found, self._seat.teller, held.name))

    def exported(self, name: str, wanted: str) -> str:
        """A record in another program's format, from what the seat may see of it."""
        held = self._seat.records[name]
        kind = self.kind(held.kind)
        record = self._seen_record(name, held, kind)
        if record is None or wanted not in kind.exports:
            raise UnknownName("format", wanted, kind.exports)
        return kind.exports[wanted](record, self._seat.rulings)

    def written(self, kind: AnyKind, at: str, sheet: dict[str, Plain]) -> DrawnSheet:
        """A sheet that is no record of the table (yet): ready-made, or handed in; with what the rules say of it.

        What its owner would not see of it once it is one is not shown before either.
        """
        seen = sheet if self._seat.is_gm else {name: value for name, value in sheet.items()
                                               if kind.hidden.get(name, EVERYONE) & {ALL, "owner", "player"}}
        drawn = self._sheet(at, RecordSeen(kind.id, str(sheet.get("name", at)), "", seen))
        told = [line.text for block in drawn.blocks for line in block.lines if len(line.text) > _A_SENTENCE]
        drawn.about = list(dict.fromkeys([*told[:1], max(told, key=len)])) if told else []
        drawn.faults = self.faults(kind, sheet)
        return drawn

    def faults(self, kind: AnyKind, sheet: Mapping[str, Plain], record: str = "") -> list[FaultTold]:
        """What is wrong with a sheet, or only unwise, in words; of a record, from what the seat may see of it."""
        seat = self._seat
        kept = seat.state.records[record].sheet if record in seat.records else {}
        try:
            found = kind.faults_without(kind.from_plain({**kept, **sheet}), set(kept) - set(sheet), seat.rulings)
        except ParaventError as error:
            return [FaultTold(seat.refusal(error), False, str(error.values.get("field", "")).partition(".")[0])]
        except STUMBLES:
            return []  # not readable yet
        return [FaultTold(seat.teller.words.fault(seat.lang, fault), fault.warning, fault.at) for fault in found]

    def points(self, kind: AnyKind, sheet: Mapping[str, Plain]) -> list[PointsTold]:
        """What is left to spend on a sheet that is being written; nothing while it cannot be read."""
        found = self._while_written(kind, sheet, kind.points) or ()
        return [PointsTold(self._seat.teller.title(f"points.{one.id}"), one.left, one.of, one.at) for one in found]

    def beside(self, kind: AnyKind, sheet: Mapping[str, Plain]) -> list[SheetLine]:
        """What follows from a sheet that is being written, as far as the game shows it meanwhile."""
        found = self._while_written(kind, sheet, kind.derived) or {}
        return self._seat.drawer.beside({name: found[name] for name in kind.beside if name in found}, sheet)

    def _while_written(
        self, kind: AnyKind, sheet: Mapping[str, Plain], of: Callable[[Any, Rulings], T]
    ) -> T | None:
        """What a kind says of a sheet that is being written; nothing while it cannot be read."""
        try:
            return of(kind.from_plain(sheet), self._seat.rulings)
        except (ParaventError, *STUMBLES):
            return None

    def kind(self, name: str) -> AnyKind:
        """A kind of record; one that the game no longer has is but a list of values."""
        return self._seat.system.kinds.get(name) or unread_kind(name)
