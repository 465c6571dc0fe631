"""What a page is told while it is open: the parts that changed, and one sentence for each event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as replace_region
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import UNSET
from msgspec.structs import replace

from paravent.table.seen import LineSeen
from paravent.table.seen_news import headline
from paravent.table.state import Item, State
from paravent.table.undo import is_undoable

from .api import host_of
from .desk import Desk
from .drawn import Piece, Region, Spoken, named_alone
from .regions import Regions

if TYPE_CHECKING:
    from .visit import Visit

_OF_WHAT_IS_SEEN = ("document-kept", "document-shown", "document-removed", "backdrop-set", "appointment-set",
                    "appointment-dropped", "appointment-came")
"""What is told with a title to those who see it."""


class News:
    """What a page is told since it heard number ``last``; a page that had heard nothing is told everything."""

    def __init__(self, guest: Visit, last: int | None) -> None:
        self._guest, self._link = guest, guest.link
        self._host, self._drawings = host_of(guest.request), guest.drawings
        self._state: State = guest.live.state
        self._here: frozenset[str] | None = None
        now = self._state.counts_of(guest.seat).events
        self._last = now if last is None else last
        self._shown = guest.regions() if last == now else {}
        self._shown.pop("seats", None)  # who is there is no event
        self._more: list[Spoken] = []
        """What was said since the log was last drawn."""

    def __call__(self) -> str | None:
        guest, live = self._guest, self._guest.live
        if not self._host.admits(live, guest.seat, self._link):
            return None
        before, here = self._state, self._here
        self._state, self._here = live.state, guest.here
        told = self._state.counts_of(guest.seat).events
        if self._here is here and told == self._last:
            return ""  # nothing was told to this seat: that something happened is not its affair
        said = self._said(before) if self._here is here else None
        if said is None:
            said = self._changed()
        self._last = told
        return f"id: {told}\n{said}\n" if said else ""

    def _changed(self) -> str:
        """Whatever looks otherwise now."""
        guest, before, last = self._guest, self._shown, self._last
        if self._more:
            before["log"] = self.log()
        desk = guest.desk
        try:
            self._shown, self._more = guest.regions(desk), []
            told = self._state.counts_of(guest.seat).events != last
            sentences = _announced(_sentences(guest, desk, last)) if told else ""
        finally:
            desk.leave()
        return data(changes(guest, before, self._shown) + sentences)

    def log(self) -> Region:
        """The log as the page shows it."""
        seat, shown = self._guest.seat, self._shown["log"]
        names = [(said, str(said.item.heard[seat])) for said in self._more]
        more = (Piece(f"l-{name}", named_alone(said.part, name)) for said, name in names)
        return replace_region(shown, pieces=(*shown.pieces, *more))

    def _said(self, before: State) -> str | None:
        """What somebody said, if that is all that happened: drawn once for all who read the same."""
        seat, lang, state = self._guest.seat, self._guest.lang, self._state
        items = self._drawings.only_said(before, state)
        if items is None:
            return None
        heard = all(seat in item.heard for item in items)
        alike = (lang, state.unseen(seat)) if heard else (lang, seat)
        lines = self._drawings.spoken(alike, lambda: self._drawn(items))
        if lines is None:
            return None
        self._more += lines
        said = ""
        for line in lines:
            said += named_alone(line.data, str(line.item.heard[seat]))
            if line.by != seat:
                said += line.sentence
        undoable = any(line.undoable for line in lines) and state.eyes.is_gm(seat)
        return said + self._strip() if undoable else said

    def _strip(self) -> str:
        """The game master's strip after somebody spoke: it names the last thing that can be taken back."""
        guest = self._guest
        before, desk = self._shown["gm"], guest.desk
        undo = Regions(self._drawings, desk, guest.here, guest.marked).undo()
        desk.leave()
        strip = replace_region(before, pieces=tuple(undo if one.id == undo.id else one for one in before.pieces))
        self._shown["gm"] = strip
        return data(changes(guest, {"gm": before}, {"gm": strip}))

    def _drawn(self, items: tuple[Item, ...]) -> list[Spoken] | None:
        guest = self._guest
        desk, drawn = guest.desk, []
        for item in items:
            seen = desk.looking.added([item])
            if seen is None:
                return None
            for _, line in seen:
                # Words are taken back on the page of the account, not on this one.
                words = replace(line, item=UNSET)
                part = Regions(self._drawings, desk, guest.here, guest.marked).line(words)
                sentence = _announced(Markup.escape(_sentence(desk, words)))
                by = item.event.by if item.event is not None else ""
                drawn.append(Spoken(item, by, part, data(partial("log", "beforeend", part)), data(sentence),
                                    is_undoable(item)))
        desk.leave()
        return drawn


def data(parts: str) -> str:
    """Parts of a page as the data of a message, line by line."""
    lines = parts.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return f"data: {lines.replace(_NEXT, _NEXT_DATA)}\n" if lines else ""


_NEXT, _NEXT_DATA = "\n", "\ndata: "


def partial(target: str, swap: str, part: str) -> str:
    """A part of a page, and where it goes."""
    return f'<hx-partial hx-target="#{target}" hx-swap="{swap}">{part}</hx-partial>'


def changes(guest: Visit, before: Mapping[str, Region], after: Mapping[str, Region]) -> str:
    """What looks otherwise than before, piece by piece."""
    drawn = [partial(*change) for name, region in after.items() for change in region.since(before.get(name))]
    return str(guest.own("".join(drawn))) if drawn else ""


def _announced(sentences: str) -> str:
    return partial("announce", "innerHTML", sentences) if sentences else ""


def _sentences(guest: Visit, desk: Desk, last: int) -> Markup:
    """The latest of what happened, in sentences; not what the reader did."""
    missed = guest.live.heard_since(guest.seat, last)
    if missed is None:
        return Markup.escape(desk.teller.say("web.caught_up"))
    told = [headline(after, event, guest.seat, guest.live.system) for event, after in missed if event.by != guest.seat]
    said = [_sentence(desk, one.line, one.move) for one in told if one is not None]
    latest = [sentence for sentence in said if sentence][-3:]
    return Markup(" ").join(Markup.escape(sentence) for sentence in dict.fromkeys(latest))


def _sentence(desk: Desk, line: LineSeen, move: str = "") -> str:
    """One event in a sentence, if there is one for it."""
    key = f"web.happened.{line.type}"
    if not desk.teller.words.knows(key):
        return ""
    if line.type == "scene-opened" and not line.title:
        return desk.story.what(line)
    if line.type == "record-given":
        return desk.story.happened(line)
    who = desk.name(line.by) if line.by else ""
    title = desk.teller.title(f"moves.{move}") if move else ""
    if line.type in _OF_WHAT_IS_SEEN and not line.title:
        return ""  # what went out of sight is not spoken of
    name = line.name or line.title or (
        desk.story.what(line) if line.record or line.encounter or line.told or line.what or line.number else "")
    return desk.teller.say(key, who=who, text=line.text or "", move=title, name=name)
