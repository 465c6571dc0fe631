"""Logs written by earlier versions, brought over whole.

In format 1 an act was an open dictionary, and its events were differences of it that cannot be read alone. A
:class:`LogReader` reads a log from its beginning: of format 1 it folds the dictionaries and gives, event for event,
what format 2 says; format 2 it reads as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from paravent.game.plain import Plain

from . import events as e
from .act import (
    EVERYBODY,
    Act,
    Deadline,
    Filled,
    Key,
    Names,
    Part,
    PastThrow,
    Pending,
    Phase,
    Proposal,
    Sentence,
    ShownTo,
    Throw,
    advanced,
    progress,
)

Row = Mapping[str, Plain]
"""Something of format 1: plain values by name."""


class LogReader:
    """Reads a log from its beginning, whatever version wrote it."""

    def __init__(self) -> None:
        self._acts: dict[int, dict[str, Plain]] = {}
        self._settled: list[dict[str, str]] = []

    def read(self, text: str | bytes) -> e.AnyEvent:
        """The next event of the log; one that no version wrote is refused."""
        if not is_earlier(text):
            return e.read(text)
        try:
            return self.read_row(json.loads(text))
        except e.UnknownEvent:
            raise
        except ValueError as damage:
            raise e.UnknownEvent(event=str(damage)) from None

    def read_row(self, row: Row) -> e.AnyEvent:
        """The next event of the log, given as plain values."""
        try:
            named = msgspec.convert(row, _NamedIn1)
            if named.format != 1:
                return e.read(msgspec.json.encode(row))
            if named.type not in _PLAIN_IN_1 and named.type not in _ACTS_OF_1:
                raise e.UnknownEvent(event=named.type)
            event = self._act_event(named.type, row) if named.type in _ACTS_OF_1 else _plain_event(named.type, row)
        except msgspec.ValidationError as damage:
            raise e.UnknownEvent(event=str(damage)) from None
        if isinstance(event, e.TableOpened | e.OptionsSet):
            self._settled.append(dict(event.rulings))
        if isinstance(event, e.Changed):
            self._settled += [msgspec.convert(made.after, dict[str, str]) for made in event.changes
                              if (made.target, made.path) == ("table", "rulings")]
        return event

    def _act_event(self, kind: str, row: Row) -> e.AnyEvent:
        told = msgspec.convert(row, _ActTold)
        before = self._acts.get(told.number)
        after = self._acts[told.number] = {**(before or {}), **told.patch}
        if before is None or kind == "move-started":
            said = {name: part for name, part in row.items() if name in _HEARD}
            return msgspec.convert({**said, "number": told.number, "act": msgspec.to_builtins(self._act(after))},
                                   e.MoveStarted)
        left_out = ("patch",) if told.before is None or told.before.shown else ("patch", "before")
        event = _same_in_both(kind, {name: part for name, part in row.items() if name not in left_out})
        assert isinstance(event, e.MoveEvent)
        return replace(event, then=progress(self._act(before), self._act(after)))

    def _act(self, kept: Row) -> Act:
        act = msgspec.convert(kept, _ActIn1)
        known = [at for at, settled in enumerate(self._settled) if settled == act.rulings]
        return act.brought_over(known[-1] if known else 0, None if known else act.rulings)


def read_log(texts: Iterable[str | bytes]) -> Iterator[e.AnyEvent]:
    """The events of a whole log, whatever version wrote it."""
    reader = LogReader()
    for text in texts:
        yield reader.read(text)


def brought_over(texts: Iterable[str]) -> list[str]:
    """A whole log of an earlier format as this version writes it, event for event; each can be read again."""
    written = [e.written(event) for event in read_log(texts)]
    for text in written:
        e.read(text)
    return written


def say_the_same(texts: Iterable[str], earlier: Iterable[str]) -> bool:
    """Whether a log as it is now written says what it said in an earlier format."""
    try:
        return list(map(e.read, texts)) == list(read_log(earlier))
    except e.UnknownEvent:
        return False


class _Format(msgspec.Struct):
    format: int = 1


_format = msgspec.json.Decoder(_Format)


def is_earlier(text: str | bytes) -> bool:
    """Whether an earlier version wrote this event."""
    try:
        return _format.decode(text).format < e.FORMAT
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError) as damage:
        raise e.DamagedEvent(event=str(damage)) from None


class _NamedIn1(Struct):
    """As much of an event as says what it is."""

    type: str = ""
    format: int = 1


_HEARD = ("by", "at", "audience", "touched", "back")
_PLAIN_IN_1 = (
    "table-opened", "seat-added", "seat-renamed", "link-renewed", "seat-left", "seat-returned", "options-set",
    "record-added", "record-changed", "record-shown", "record-given", "record-removed", "said", "card-played",
    "scene-opened", "changed", "encounter-opened", "encounter-ended", "corrected",
)
"""Events that are written alike in both formats, but for the number of the format."""
_ACTS_OF_1 = (
    "move-started", "fields-filled", "throw-ready", "dice-thrown", "answered", "move-ended", "move-undone",
    "deadline-set", "grade-set", "throw-turned-over",
)


def _same_in_both(kind: str, row: Row) -> e.AnyEvent:
    """An event whose values have the same names in both formats; others that stand there are not read."""
    names = {part.encode_name for part in msgspec.structs.fields(e.TYPES[kind])} - {"format"}
    said = {name: part for name, part in row.items() if name in names}
    event: e.AnyEvent = msgspec.convert({**said, "type": kind}, e.AnyEvent)
    return event


def _plain_event(kind: str, row: Row) -> e.AnyEvent:
    """An event that was no act's."""
    if kind != "record-removed":
        return _same_in_both(kind, row)
    held = msgspec.convert(row, _Removed).kept
    kept = e.Sheet(held.kind, held.name, held.sheet, held.owner, held.seen_by)
    return _same_in_both(kind, {**row, "kept": msgspec.to_builtins(kept)})


class _SheetIn1(Struct):
    """A record that was removed: nobody saw it of whom nothing is said."""

    kind: str
    name: str
    sheet: dict[str, Plain]
    owner: str = ""
    seen_by: Names = ()


class _Removed(Struct):
    kept: _SheetIn1


class _BeforeIn1(Struct):
    """How a throw was shown before it was turned over; empty where that was never said."""

    shown: ShownTo | None = None
    exists: Names = ()
    tellings: tuple[Sentence, ...] = ()


class _ActTold(Struct):
    """What is new of an act: a difference, which cannot be read alone."""

    number: int
    patch: dict[str, Plain]
    before: _BeforeIn1 | None = None


class _ActorIn1(Struct):
    id: str
    role: str
    name: str


class _DeadlineIn1(Struct):
    """What becomes of what is missing; empty where nothing was said."""

    policy: str = ""
    until: str = ""
    by: str = ""
    stage: str = ""
    said: str = ""

    def brought_over(self) -> Deadline | None:
        """The same, as it is kept now."""
        return Deadline(self.policy, self.until, self.by, self.stage, self.said) if self.policy else None


class _ActIn1(Struct, kw_only=True):
    """An act as format 1 kept it: sheets apart from the cast, the table's options in each."""

    id: int
    move: str
    version: str
    starter: str
    by: str
    day: int
    phase: Phase
    exists: Names
    secrecy: str = msgspec.field(default="open", name="grade")
    rulings: dict[str, str]
    encounter: int | None
    state_of: str = ""
    state_read: Plain
    cast: tuple[_ActorIn1, ...]
    sheets: dict[str, Plain]
    kinds: dict[str, str] = {}
    present: dict[str, Names]
    fields: tuple[Filled, ...]
    revealed: Names
    windows: dict[str, dict[str, str]]
    polls: dict[str, Plain]
    throws: tuple[Throw, ...]
    pending: Pending | None
    by_hand: bool
    changes: tuple[Proposal, ...]
    awaited: Names
    keys: dict[str, Key] = {}
    past: tuple[PastThrow, ...] = ()
    deadline: _DeadlineIn1 | None = None
    shown_otherwise: bool | None = None
    unseen: tuple[int, ...] = ()

    def brought_over(self, rulings: int, own_rulings: dict[str, str] | None) -> Act:
        """The same act, as it is kept now."""
        return Act(
            id=self.id, move=self.move, version=self.version, starter=self.starter, by=self.by, day=self.day,
            phase=self.phase, exists=self.exists, secrecy=self.secrecy, rulings=rulings, own_rulings=own_rulings,
            encounter=self.encounter, state_of=self.state_of, state_read=self.state_read,
            cast=tuple(map(self._part, self.cast)), fields=self.fields, revealed=self.revealed, windows=self.windows,
            polls=self.polls, throws=self.throws, pending=self.pending, by_hand=self.by_hand, changes=self.changes,
            awaited=self.awaited, keys=self.keys, past=self.past,
            deadline=self.deadline.brought_over() if self.deadline else None,
            shown_otherwise=bool(self.shown_otherwise), unseen=self.unseen,
        )

    def _part(self, actor: _ActorIn1) -> Part:
        if actor.id not in self.sheets:
            return Part(actor.id, actor.role, actor.name)
        return Part(actor.id, actor.role, actor.name, self.kinds.get(actor.id, ""),
                    self.present.get(actor.id, EVERYBODY), self.sheets[actor.id])


__all__ = ["LogReader", "advanced", "brought_over", "is_earlier", "read_log", "say_the_same"]
