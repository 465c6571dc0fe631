"""Logs written by earlier versions, brought over whole.

In format 1 an act was an open dictionary, and its events were differences of it that cannot be read alone. A
:class:`LogReader` reads a log from its beginning: of format 1 it folds the dictionaries and gives, event for event,
what format 2 says; format 2 it reads as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from . import events as e
from .act import (
    Act,
    ChoiceAsked,
    ChoiceMade,
    Deadline,
    DiceAsked,
    DiceFell,
    Filled,
    Key,
    LineNoted,
    Part,
    PastThrow,
    Pending,
    Proposal,
    RecordEntry,
    Sentence,
    ShownTo,
    Throw,
    advanced,
    progress,
)
from .errors import NotAnExport

Row = Mapping[str, Any]
"""Something of format 1: plain values by name."""


class LogReader:
    """Reads a log from its beginning, whatever version wrote it."""

    def __init__(self) -> None:
        self._acts: dict[int, dict[str, Any]] = {}
        self._settled: list[dict[str, str]] = []

    def read(self, text: str | bytes) -> e.AnyEvent:
        """The next event of the log; one that no version wrote is refused."""
        if not is_earlier(text):
            return e.read(text)
        try:
            return self.read_row(json.loads(text))
        except (KeyError, TypeError, AttributeError, ValueError) as damage:
            raise e.UnknownEvent(event=str(damage)) from None

    def read_row(self, row: Row) -> e.AnyEvent:
        """The next event of the log, given as plain values."""
        if row.get("format", 1) != 1:
            return e.read(msgspec.json.encode(row))
        kind = str(row.get("type"))
        if kind not in _FROM_1 and kind not in _ACTS_OF_1:
            raise e.UnknownEvent(event=kind)
        event = self._act_event(kind, row) if kind in _ACTS_OF_1 else _FROM_1[kind](row)
        if isinstance(event, e.TableOpened | e.OptionsSet):
            self._settled.append(dict(event.rulings))
        if isinstance(event, e.Changed):
            self._settled += [dict(made.after) for made in event.changes  # type: ignore[arg-type]
                              if (made.target, made.path) == ("table", "rulings")]
        return event

    def _act_event(self, kind: str, row: Row) -> e.AnyEvent:
        number = int(row["number"])
        before = self._acts.get(number)
        after = self._acts[number] = {**(before or {}), **row["patch"]}
        if before is None or kind == "move-started":
            return e.MoveStarted(**_heard(row), number=number, act=self._act(after))
        then = progress(self._act(before), self._act(after))
        more = {name: row[name] for name in _ACTS_OF_1[kind] if name in row}
        match kind:
            case "fields-filled":
                return e.FieldsFilled(**_heard(row), number=number, then=then, fields=tuple(row.get("fields", ())))
            case "throw-turned-over":
                return e.ThrowTurnedOver(**_heard(row), number=number, then=then, step=row["step"],
                                         before=_before(row.get("before") or {}))
            case "grade-set":
                return e.SecrecySet(**_heard(row), number=number, then=then, secrecy=row["grade"])
            case "dice-thrown":
                return e.DiceThrown(**_heard(row), number=number, then=then, step=row["step"],
                                    grain=row.get("nonce", ""))
        cls: Callable[..., e.AnyEvent] = e.TYPES[kind]  # type: ignore[assignment]
        return cls(**_heard(row), number=number, then=then, **more)

    def _act(self, kept: Row) -> Act:
        rulings = dict(kept["rulings"])
        known = [at for at, settled in enumerate(self._settled) if settled == rulings]
        return act_from_1(kept, known[-1] if known else 0, None if known else rulings)


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
    except msgspec.MsgspecError:
        raise NotAnExport(why="event") from None


def _heard(row: Row) -> dict[str, Any]:
    return {
        "by": row.get("by", ""), "at": row.get("at", ""), "audience": tuple(row.get("audience", ("all",))),
        "touched": tuple(row.get("touched", ())), "back": row.get("back", False),
    }


# What was no act


def _plainly(cls: Callable[..., e.AnyEvent], *names: str, **more: Callable[[Any], Any]) -> Callable[[Row], e.AnyEvent]:
    """How to read an event whose values are the same in both formats, but for some."""

    def read(row: Row) -> e.AnyEvent:
        values = {name: row[name] for name in names if name in row}
        values |= {name: convert(row[name]) for name, convert in more.items() if name in row}
        return cls(**_heard(row), **values)

    return read


def _sheet(row: Row) -> e.Sheet:
    return e.Sheet(row["kind"], row["name"], dict(row["sheet"]), row.get("owner", ""), tuple(row.get("seen_by", ())))


def _scene(row: Row) -> e.SceneBefore:
    return e.SceneBefore(row.get("scene", ""), row.get("episode", ""))


def _changes(rows: Iterable[Row]) -> tuple[e.Made, ...]:
    return tuple(
        e.Made(
            row["target"], row["path"], row["before"], row["after"], row.get("rule", ""), row.get("kind", ""),
            row.get("owner", ""), tuple(row["seen_by"]) if "seen_by" in row else None, row.get("name", ""),
        )
        for row in rows
    )


_FROM_1: dict[str, Callable[[Row], e.AnyEvent]] = {
    "table-opened": _plainly(e.TableOpened, "table", "name", "system", "version", "rulings", "lang"),
    "seat-added": lambda row: e.SeatAdded(**_heard(row), seat=row["seat"], name=row["name"], rank=row["grade"],
                                          link=row["link"]),
    "seat-renamed": _plainly(e.SeatRenamed, "seat", "name", "before"),
    "link-renewed": _plainly(e.LinkRenewed, "seat", "link", "closed"),
    "seat-left": _plainly(e.SeatLeft, "seat"),
    "seat-returned": _plainly(e.SeatReturned, "seat"),
    "options-set": _plainly(e.OptionsSet, "rulings", "before"),
    "record-added": _plainly(e.RecordAdded, "record", "kind", "name", "sheet", "owner", seen_by=tuple),
    "record-changed": _plainly(e.RecordChanged, "record", "path", "before", "after", "beyond", marked=tuple),
    "record-shown": _plainly(e.RecordShown, "record", seen_by=tuple, before=tuple),
    "record-given": _plainly(e.RecordGiven, "record", "owner", "before"),
    "record-removed": _plainly(e.RecordRemoved, "record", kept=_sheet),
    "said": _plainly(e.Said, "kind", "text", "title", to=tuple),
    "card-played": _plainly(e.CardPlayed, "card"),
    "scene-opened": _plainly(e.SceneOpened, "kind", "title", before=_scene),
    "changed": _plainly(e.Changed, "move", "encounter", changes=_changes),
    "encounter-opened": _plainly(e.EncounterOpened, "number", "encounter", "state", seen_by=tuple),
    "encounter-ended": _plainly(e.EncounterEnded, "number"),
    "corrected": _plainly(e.Corrected, "what", "item"),
}
_ACTS_OF_1: dict[str, tuple[str, ...]] = {
    "move-started": (), "fields-filled": ("fields",), "throw-ready": ("step", "hash"), "dice-thrown": ("step", "nonce"),
    "answered": (), "move-ended": ("phase",), "move-undone": (), "deadline-set": ("policy", "until"),
    "grade-set": ("grade",), "throw-turned-over": ("step", "before"),
}


# Acts


def act_from_1(kept: Row, rulings: int, own_rulings: dict[str, str] | None) -> Act:
    """An act of format 1, which kept it as one dictionary."""
    sheets, kinds, present = kept["sheets"], kept.get("kinds", {}), kept["present"]
    cast = tuple(
        Part(row["id"], row["role"], row["name"], kinds.get(row["id"], ""), tuple(present.get(row["id"], ("all",))),
             sheets[row["id"]])
        if row["id"] in sheets else Part(row["id"], row["role"], row["name"])
        for row in kept["cast"]
    )
    return Act(
        id=kept["id"], move=kept["move"], version=kept["version"], starter=kept["starter"], by=kept["by"],
        day=kept["day"], phase=kept["phase"], exists=tuple(kept["exists"]), secrecy=kept.get("grade", "open"),
        rulings=rulings, own_rulings=own_rulings, encounter=kept["encounter"], state_of=kept.get("state_of", ""),
        state_read=kept["state_read"], cast=cast,
        fields=tuple(Filled(row["actor"], row["field"], row["secrecy"], row["value"]) for row in kept["fields"]),
        revealed=tuple(kept["revealed"]), windows=kept["windows"], polls=kept["polls"],
        throws=tuple(_throw(row) for row in kept["throws"]), pending=_pending(kept["pending"]),
        by_hand=kept["by_hand"], changes=tuple(_proposal(row) for row in kept["changes"]),
        awaited=tuple(kept["awaited"]), keys={step: _key(row) for step, row in kept.get("keys", {}).items()},
        past=tuple(PastThrow(_throw(row["throw"]), _key(row["made"])) for row in kept.get("past", ())),
        deadline=_deadline(kept.get("deadline")), shown_otherwise=bool(kept.get("shown_otherwise")),
        unseen=tuple(kept.get("unseen", ())),
    )


def _throw(row: Row) -> Throw:
    return Throw(
        row["step"], tuple(_entry(entry) for entry in row["record"]), _shown(row["shown"]), row["done"],
        bool(row.get("turned_over")), row["outcome"], row["result"],
        tuple(_sentence(told) for told in row["tellings"]),
    )


def _sentence(row: Row) -> Sentence:
    return Sentence(row["key"], row["values"], tuple(row["audience"]))


def _shown(row: Row) -> ShownTo:
    detail = None if row["detail"] is None else tuple(row["detail"])
    return ShownTo(tuple(row["exists"]), tuple(row["dice"]), tuple(row["outcome"]), detail)


def _entry(row: Row) -> RecordEntry:
    match row["type"]:
        case "thrown":
            return DiceFell(row["role"], row["rule"], row["sides"], tuple(row["faces"]), row["by_hand"],
                            tuple(row.get("stream", ())))
        case "answered":
            return ChoiceMade(row["who"], row["key"], row["answer"], tuple(row["dice"]))
        case _:
            return LineNoted(row["rule"], row["key"], row["values"], row["role"])


def _pending(row: Row | None) -> Pending | None:
    if row is None:
        return None
    if row["type"] == "choice":
        return ChoiceAsked(row["who"], row["key"], tuple(row["options"]), row["usual"], row["rule"])
    return DiceAsked(row["who"], row["n"], row["sides"], row["rule"])


def _proposal(row: Row) -> Proposal:
    return Proposal(
        row["target"], row["path"], row["before"], row["after"], row["rule"], row["kind"], tuple(row["audience"]),
        tuple(row["value_audience"]), tuple(row["present"]),
        {name: tuple(seen_by) for name, seen_by in row["hidden"].items()},
    )


def _key(row: Row) -> Key:
    return Key(row["hash"], tuple(row.get("exists", ("all",))), row.get("key", ""), row.get("nonce"))


def _deadline(row: Row | None) -> Deadline | None:
    return None if not row else Deadline(row["policy"], row["until"], row["by"], row.get("stage", ""),
                                         row.get("said", ""))


def _before(row: Row) -> e.ShownBefore | None:
    if not row:
        return None
    return e.ShownBefore(_shown(row["shown"]), tuple(row["exists"]), tuple(_sentence(told) for told in row["tellings"]))


__all__ = ["LogReader", "act_from_1", "advanced", "brought_over", "is_earlier", "read_log", "say_the_same"]
