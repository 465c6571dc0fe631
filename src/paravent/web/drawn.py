"""Parts of the page, drawn once for as long as nothing they show has changed.

A part is drawn with marks in place of what is each seat's own (its address, the proof of its forms, fresh ids), which
are put in when it is sent. Spectators who see the same share one drawing.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from paravent.table.state import State

_SECRET = secrets.token_hex(8)
BASE, PROOF, FRESH = (f"@{_SECRET}-{name}@" for name in ("base", "proof", "fresh"))
_FRESH = re.compile(re.escape(FRESH))
_MOST = 512

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


def filled_in(drawn: str, base: str, proof: str) -> str:
    """A drawing with a seat's own address and proof, and new ids."""
    return _FRESH.sub(lambda _: secrets.token_hex(8), drawn.replace(BASE, base).replace(PROOF, proof))


_LINE = re.compile(r'<li\b[^>]*\bid="(l-[^"]+)".*?(?=<li\b[^>]*\bid="l-|</ol>\s*$)', re.DOTALL)


def lines_changed(before: str, after: str) -> list[tuple[str, str, str]]:
    """How one drawing of the log becomes the next, line by line: where, how, and what to put there.

    Lines that are no longer among the latest stay where they are: somebody may be reading them. Nothing, if the log has
    not simply gone on.
    """
    old, new = ({found[1]: found[0] for found in _LINE.finditer(drawn)} for drawn in (before, after))
    kept, added = [line for line in new if line in old], [line for line in new if line not in old]
    if not kept or [*kept, *added] != list(new) or kept != list(old)[-len(kept):]:
        return []
    changed = [(line, "outerMorph", new[line]) for line in kept if new[line] != old[line]]
    return [*changed, ("log", "beforeend", "".join(new[line] for line in added))] if added else changed


class Drawing(NamedTuple):
    """A part as drawn: the objects it shows, what the seat saw of them, and the result."""

    shown: tuple[object, ...]
    seen: object
    html: str


class Drawings:
    """The drawings of one table."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], Drawing] = OrderedDict()

    def part(
        self, name: str, state: State, seat: str, lang: str, here: frozenset[str], view: Mapping[str, Any],
        draw: Callable[[str], str],
    ) -> str:
        """One part of a seat's page, with its marks; drawn only if what it shows has changed."""
        watching = state.seats[seat].grade == "spectator" and name != "seats"
        counts = state.counts_of(seat)
        own = () if watching else (counts.moves, counts.encounters)
        shown = (*(getattr(state, what) for what in SHOWS[name]), *own)
        seen = [view.get(what) for what in SHOWS[name]] if watching else here if name == "seats" else None
        key = (name, lang, "" if watching else seat)
        kept = self._kept.get(key)
        if kept is None or kept.seen != seen or any(a is not b for a, b in zip(kept.shown, shown, strict=True)):
            kept = self._kept[key] = Drawing(shown, seen, draw(name))
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept.html
