"""Parts of the page, drawn once for as long as nothing they show has changed.

A part is drawn with marks in place of what is each seat's own (its address, the proof of its forms, fresh ids, the
names of lines), which are put in when it is sent. Those who see the same share one drawing: who sits around the table,
what spectators see, what somebody says.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from paravent.table.events import CardPlayed, Said
from paravent.table.seen import LineSeen
from paravent.table.state import Item, State

if TYPE_CHECKING:
    from .desk import Desk

_SECRET = secrets.token_hex(8)
BASE, PROOF, FRESH = (f"@{_SECRET}-{name}@" for name in ("base", "proof", "fresh"))
_FRESH = re.compile(re.escape(FRESH))
_ME = re.compile(f"@{_SECRET}-me-[^@]*@")
_NAME = re.compile(f"@{_SECRET}-line-([0-9]+)@")
_ALONE = f"@{_SECRET}-line-0@"
_MOST = 4096
_GROUPS = 4
LINES = 60
"""How many lines of the log a page shows at first."""

_ALL = ("moves", "records", "encounters", "rulings", "seats", "minutes", "timers")
SHOWS: Mapping[str, tuple[str, ...]] = {
    "seats": ("seats",),
    "clock": ("minutes", "scene", "episode"),
    "moves": _ALL,
    "encounters": _ALL,
    "sheets": ("records", "seats", "rulings", "moves"),
    "log": ("log", "moves", "records", "seats"),
    "pause": ("log",),
    "gm": ("seats", "records", "scene", "episode", "minutes", "encounters", "rulings"),
}
"""What of the state each part shows; as long as these are the same objects, the part looks the same."""


def fresh_id() -> str:
    """Where an id of its own comes in each time a form is sent."""
    return FRESH


def me(seat: str) -> str:
    """Where it is said that a seat is the reader's own."""
    return f"@{_SECRET}-me-{seat}@"


def marked(lines: Sequence[LineSeen]) -> list[LineSeen]:
    """Lines of the log with marks in place of their names, which are each seat's own."""
    return [replace(line, line=f"@{_SECRET}-line-{at}@") for at, line in enumerate(lines)]


def named(drawn: str, names: Sequence[str]) -> str:
    """The drawing of marked lines with their names."""
    return _NAME.sub(lambda found: names[int(found[1])], drawn)


def named_alone(drawn: str, name: str) -> str:
    """The drawing of one marked line with its name."""
    return drawn.replace(_ALONE, name)


def filled_in(drawn: str, base: str, proof: str) -> str:
    """A drawing with a seat's own address and proof, and new ids."""
    return _FRESH.sub(lambda _: secrets.token_hex(8), drawn.replace(BASE, base).replace(PROOF, proof))


_LINE = re.compile(r'<li\b[^>]*\bid="(l-[^"]+)".*?(?=<li\b[^>]*\bid="l-|</ol>\s*$)', re.DOTALL)


def lines_of(drawn: str) -> dict[str, str]:
    """The lines of a drawing of the log, by the ids they have in the page."""
    return {found[1]: found[0].rstrip() for found in _LINE.finditer(drawn)}


def gone_on(drawn: str, more: Iterable[str]) -> str:
    """A drawing of the log with more lines at its end."""
    return f"{drawn.removesuffix('</ol>')}{''.join(more)}</ol>"


def lines_changed(before: str, after: str) -> list[tuple[str, str, str]]:
    """How one drawing of the log becomes the next, line by line: where, how, and what to put there.

    Lines that are no longer among the latest stay where they are: somebody may be reading them. Nothing, if the log has
    not simply gone on.
    """
    old, new = lines_of(before), lines_of(after)
    kept, added = [line for line in new if line in old], [line for line in new if line not in old]
    if not kept or [*kept, *added] != list(new) or kept != list(old)[-len(kept):]:
        return []
    changed = [(line, "outerMorph", new[line]) for line in kept if new[line] != old[line]]
    return [*changed, ("log", "beforeend", "".join(new[line] for line in added))] if added else changed


_ELSE = tuple(part.name for part in fields(State) if part.name not in ("log", "counts", "events"))


def only_said(before: State, after: State) -> tuple[Item, ...] | None:
    """What was said between two states, if nothing else happened and nobody had just stopped the game."""
    known, said = before.log, after.log[len(before.log):]
    if len(said) != after.events - before.events or not all(isinstance(item.event, Said) for item in said):
        return None
    if known and isinstance(known[-1].event, CardPlayed):
        return None
    same = all(getattr(before, name) is getattr(after, name) for name in _ELSE)
    return said if same and after.log[:len(known)] == known else None


class Spoken(NamedTuple):
    """A line that somebody said: as drawn, as sent, and the sentence that announces it to others."""

    item: Item
    by: str
    part: str
    data: str
    sentence: str


class Drawing(NamedTuple):
    """A part as one seat has it: the objects it shows, and the result."""

    shown: tuple[object, ...]
    html: str


class Drawings:
    """The drawings of one table."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], Drawing] = OrderedDict()
        self._alike: dict[tuple[str, str], deque[tuple[object, str]]] = {}
        self._between: tuple[State, State] | None = None
        self._said: tuple[Item, ...] | None = None
        self._spoken: dict[Hashable, list[Spoken] | None] = {}

    def part(
        self, name: str, state: State, seat: str, lang: str, here: frozenset[str],
        look: Callable[[], Desk], draw: Callable[[str], str],
    ) -> str:
        """One part of a seat's page, with its marks; drawn only if what it shows has changed.

        ``look`` gives the seat's side of the table, ``draw`` draws the part.
        """
        counts, key = state.counts_of(seat), (name, lang, seat)
        shown = (*(getattr(state, what) for what in SHOWS[name]), counts.moves, counts.encounters,
                 here if name == "seats" else None)
        kept = self._kept.get(key)
        if kept is None or any(a is not b for a, b in zip(kept.shown, shown, strict=True)):
            kept = self._kept[key] = Drawing(shown, self._drawn(name, state, seat, lang, here, look, draw))
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept.html

    def _drawn(
        self, name: str, state: State, seat: str, lang: str, here: frozenset[str],
        look: Callable[[], Desk], draw: Callable[[str], str],
    ) -> str:
        if name == "seats":
            around = self._shared(name, lang, (state.seats, here), draw)
            return _ME.sub("", around.replace(me(seat), " me"))
        watching = state.seats[seat].grade == "spectator"
        drawn = self._shared(name, lang, _seen(name, look()), draw) if watching else draw(name)
        return named(drawn, [line.line or "" for line in look().log[-LINES:]]) if name == "log" else drawn

    def _shared(self, name: str, lang: str, seen: object, draw: Callable[[str], str]) -> str:
        """The drawing of those who see this."""
        groups = self._alike.setdefault((name, lang), deque(maxlen=_GROUPS))
        drawn = next((drawn for other, drawn in groups if other == seen), None)
        if drawn is None:
            drawn = draw(name)
            groups.appendleft((seen, drawn))
        return drawn

    def only_said(self, before: State, after: State) -> tuple[Item, ...] | None:
        """What was said between two states, if nothing else happened; every page asks, so it is worked out once."""
        if self._between is None or self._between[0] is not before or self._between[1] is not after:
            self._between, self._said = (before, after), only_said(before, after)
            self._spoken.clear()
        return self._said

    def spoken(self, alike: Hashable, draw: Callable[[], list[Spoken] | None]) -> list[Spoken] | None:
        """What was said just now, drawn once for all who are alike."""
        if alike not in self._spoken:
            self._spoken[alike] = draw()
        return self._spoken[alike]


def _seen(name: str, desk: Desk) -> object:
    """All that a part shows to a seat."""
    if name == "pause":
        return [line.type for line in desk.log]
    lines = [replace(line, line="") for line in desk.log[-LINES:]] if name == "log" else []
    return [lines, *(_shown(desk, what) for what in SHOWS[name] if what not in ("log", "timers"))]


def _shown(desk: Desk, what: str) -> object:
    shown: object = getattr(desk.state if what in ("rulings", "minutes", "scene", "episode") else desk, what)
    return shown
