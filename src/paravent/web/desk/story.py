"""The log in words, searched and filtered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import UNSET, Struct

from paravent.game import Telling
from paravent.game.eyes import Eyes
from paravent.game.telling import NOTHING
from paravent.game.words import AsTyped, folded
from paravent.table.act import Act
from paravent.table.events import CardPlayed, Changed
from paravent.table.kept import ByIdentity
from paravent.table.seen import LineSeen
from paravent.table.state import Item
from paravent.table.undo import last_gesture

from .acts import ActCards
from .seat import DeskSeat

L = TypeVar("L", bound=LineSeen)
_CARDS_PLAYED: ByIdentity[int] = ByIdentity(16)
"""How many times the stop card was shown in a log, whoever asks."""
_MOST_PARTS = 4
"""How many values of one list a line tells of."""
_KINDS_OF_LINES = {"talk": ("message", "whisper", "note"), "story": ("story", "handout")}


class FoldedLine(Struct, frozen=True, gc=False):
    """What a line says, folded for searching, and what that was made of."""

    line: LineSeen
    act: Act | None
    eyes: Eyes
    words: str


class Story:
    """The log of the table, as one seat reads it."""

    def __init__(self, seat: DeskSeat, acts: ActCards) -> None:
        self._seat, self._acts = seat, acts

    def told(
        self, lines: Iterable[L], words: str, kind: str = "", who: str = "", spoken: dict[str, FoldedLine] | None = None
    ) -> list[L]:
        """Of these lines, those of a kind (``rolls``, ``talk``, ``story``), about somebody, with these words.

        ``spoken`` keeps what they say, folded for searching, from one search to the next.
        """
        wanted, kept = folded(words).split(), {} if spoken is None else spoken
        return [line for line in lines if _is_of(line, kind) and (not who or self._concerns(line, who))
                and (not wanted or self._holds(line, wanted, kept))]

    def _holds(self, line: LineSeen, wanted: list[str], spoken: dict[str, FoldedLine]) -> bool:
        seat = self._seat
        act = seat.act(line.number or 0) if line.type == "move" else None
        name, eyes = line.line or "", seat.eyes
        kept = spoken.get(name)
        if kept is None or kept.act is not act or kept.eyes is not eyes or kept.line != line:
            kept = spoken[name] = FoldedLine(line, act, eyes, folded(self._spoken(line)))
        return all(word in kept.words for word in wanted)

    def _concerns(self, line: LineSeen, who: str) -> bool:
        """Whether a line is about somebody: a seat that spoke, acted or was given somebody, a record that was in an act
        or changed, alone or with others in one gesture."""
        move = self._seat.moves.get(line.number or 0) if line.type == "move" else None
        if move is not None:
            return who == move.starter or who in move.cast
        return (who in (line.by, line.record, line.seat, line.owner) or who in (line.to or ())
                or any(who in (one.record, one.owner) for one in line.more or ()))

    def people(self) -> list[tuple[str, str]]:
        """Those whom the seat knows, to choose from: the seats, then the characters."""
        seat = self._seat
        return [*((name, place.name) for name, place in seat.seats.items()),
                *((name, seat.called(held)) for name, held in seat.records.items()
                  if held.kind in seat.system.played)]

    def _spoken(self, line: LineSeen) -> str:
        """Everything a line of the log says, to search in."""
        if line.type != "move":
            by = [self._seat.name(who) for who in (line.by, line.owner) if who]
            return " ".join([line.title or "", line.text or "", self.what(line), *by])
        move = self._seat.moves.get(line.number or 0)
        if move is None:
            return ""
        who, title = self._acts.heading(move)
        told = [words for throw in self._acts.thrown(move) for words in (throw.outcome, *throw.said)]
        return " ".join([title, who, *told])

    def happened(self, line: LineSeen) -> str:
        """A small line of the log, in a sentence."""
        seat, kind = self._seat, line.type
        who = line.by
        if kind == "record-given":
            kind, who = ("record-given", line.owner) if line.owner else ("record-freed", "")
        if kind == "backdrop-set" and line.kind:
            kind = f"backdrop-{line.kind}"
        return seat.teller.say(f"web.happened.{kind}", who=seat.name(who) if who else "", name=AsTyped(self.what(line)),
                               text="", move="")

    def what(self, line: LineSeen) -> str:
        """What a small line of the log is about: values that changed, or names."""
        more = line.more or ()
        if line.type == "record-changed":
            return ", ".join((self._one(line), *(self._value_changed(one) for one in more if one.path)))
        return self._seat.teller.listed([self._one(line), *map(self._one, more)] if line.record else [self._one(line)])

    def _one(self, line: LineSeen) -> str:
        seat = self._seat
        match line.type:
            case "record-changed" if line.path:
                return f"{seat.name(line.record or '')}, {self._value_changed(line)}"
            case "scene-opened":
                return line.title or seat.teller.say(f"web.gm.{line.kind}_over")
            case "backdrop-set":
                return line.picture.words if line.picture else ""
            case "document-kept" | "document-shown" | "document-removed":
                return line.title or ""
            case "clock-set" if isinstance(line.after, int):
                return seat.moment(line.after)
            case "appointment-set" | "appointment-dropped" if isinstance(line.after, int):
                return seat.teller.say("web.to_come.at", when=seat.moment(line.after),
                                       name=AsTyped(line.title or ""))
            case "appointment-came":
                return line.title or ""
            case "hourglass-turned" if isinstance(line.after, int):
                return self._hourglass(line.after, line.title or "")
            case "encounter-opened":
                return seat.teller.title(f"encounters.{line.encounter}") if line.encounter else ""
            case "corrected" if (line.number or 0) in seat.moves:
                who, title = self._acts.heading(seat.moves[line.number or 0])
                mine = not line.by or seat.name(line.by) == who
                return seat.teller.say("web.undone_act" if mine else "web.undone_act_of", what=title, who=who)
            case "corrected":
                undone = seat.teller.say(f"web.undone.{line.what}")
                names = [one.name for one in (line, *(line.more or ())) if one.name]
                return undone if not names else seat.teller.say("web.undone_of", what=undone,
                                                                name=seat.teller.listed(names))
            case "throw-turned-over":
                move = seat.moves.get(line.number or 0)
                return self._acts.heading(move)[1] if move is not None else ""
            case "overheard":
                told = [seat.teller.telling(Telling(said.key, seat.named(said.values))) for said in line.told or ()]
                return " ".join([*(_closed(words) for words in told[:-1]), *told[-1:]])
            case "house-set":
                before = line.before if isinstance(line.before, dict) else {}
                now = {name: value for name, value in (line.house or {}).items() if value != before.get(name)}
                return ", ".join(seat.teller.say(f"house.{name}.{value}.title") for name, value in now.items())
            case "options-set":
                before = line.before if isinstance(line.before, dict) else {}
                return " ".join(self._options_set({name: str(value) for name, value in before.items()},
                                                  line.rulings or {}))
        if line.record and line.record in seat.records:
            return seat.name(line.record)
        match line.type:
            case "record-given" | "record-shown":
                return seat.teller.say("web.a_sheet")
            case "seat-left" | "seat-returned":
                return seat.name(line.seat or "")
        return f"{line.before} → {line.name}" if line.before and line.name else line.name or ""

    def _value_changed(self, line: LineSeen) -> str:
        """A value that changed, from what to what; where very much of a list did, only that it did."""
        teller = self._seat.teller
        if not isinstance(line.before, (list, dict)) and not isinstance(line.after, (list, dict)):
            about = teller.name((line.path or "").rpartition(".")[2])
            return f"{about} {teller.value(line.before)} → {teller.value(line.after)}"
        was, now = (None if one is UNSET else one for one in (line.before, line.after))
        parts = self._acts.lines_of(line.record or "", line.path or "", was, now)
        if len(parts) > _MOST_PARTS:
            return teller.name((line.path or "").rpartition(".")[2])
        return ", ".join(f"{one.what} {one.before or NOTHING} → {one.after}" for one in parts)

    def _hourglass(self, seconds: int, words: str) -> str:
        """For how long the hourglass runs, and for what; or that it was taken away."""
        say = self._seat.teller.say
        if not seconds:
            return say("web.hourglass.stopped")
        span = say("web.spans.minutes", n=seconds // 60) if seconds % 60 == 0 else (
            say("web.hourglass.seconds", n=seconds))
        return say("web.to_come.at", when=span, name=words) if words else span

    def briefly(self, line: LineSeen) -> str:
        """A thing that happened in the story, in a few words; empty for what belongs to the table only."""
        match line.type:
            case "scene-opened" if line.title:
                return line.title
            case "said" if line.kind == "story":
                return line.text or ""
            case "appointment-came":
                return line.title or ""
            case "move":
                move = self._seat.moves.get(line.number or 0)
                if move is None or move.phase != "closed":
                    return ""
                ended = [throw.outcome for throw in self._acts.thrown(move) if throw.outcome]
                return " · ".join(filter(None, (*self._acts.heading(move), *ended[-1:])))
        return ""

    def undoable(self) -> Item | None:
        """The last thing that can be taken back, of those that the seat reads of."""
        return next(iter(last_gesture(self._seat.state, self._seat.looking)), None)

    def undoing(self, item: Item | None) -> str:
        """What would be taken back with a line of the log, in a few words."""
        seat = self._seat
        line = seat.looking.line(item) if item is not None else None
        if item is None or line is None:
            return ""
        if isinstance(item.event, Changed):
            move = seat.moves.get(seat.looking.own_number(item.event.move) or 0)
            return " · ".join(self._acts.heading(move)) if move is not None else ""
        what = line.text or line.title or self.what(line)
        return seat.teller.say(f"web.undoing.{line.type}", name=AsTyped(what))

    def _options_set(self, before: Mapping[str, str], rulings: Mapping[str, str]) -> Iterator[str]:
        """The options that a line of the log changed, each with what it is now."""
        lang = self._seat.lang
        for key, option in self._seat.system.book.options.items():
            was, now = before.get(key, option.default), rulings.get(key, option.default)
            if now != was and now in option.words:
                words = option.words[now][lang]
                said = self._seat.teller.say("web.option_is", option=option.title[lang], value=words)
                yield f"{said.rstrip('.')}."

    def cards_played(self) -> int:
        """How many times the stop card was shown."""
        log = self._seat.state.log
        return _CARDS_PLAYED.of((log,), lambda: sum(isinstance(item.event, CardPlayed) for item in log))

    def just_stopped(self) -> bool:
        """Whether the table is stopped: a card was shown, and since then players have at most talked about it."""
        looking, masters = self._seat.looking, self._seat.state.eyes.masters
        for item in reversed(self._seat.state.log):
            line = looking.line(item)
            if line is not None and not (line.type == "said" and line.by not in masters):
                return line.type == "card-played"
        return False


def _is_of(line: LineSeen, kind: str) -> bool:
    if not kind:
        return True
    if kind == "rolls":
        return line.type == "move"
    if kind == "story" and line.type == "scene-opened":
        return True
    return line.type == "said" and line.kind in _KINDS_OF_LINES.get(kind, ())


def _closed(words: str) -> str:
    """A sentence that another follows: what somebody wrote may have no stop."""
    return words if words.endswith((".", "!", "?", "…", "»")) else f"{words}."
