"""Pieces of the page, drawn once for as long as nothing they show has changed.

A piece is drawn with marks in place of what is each seat's own (its address, the proof of its forms, fresh ids, the
names of lines), which are put in when it is sent. Those who see the same share one drawing: who sits around the table,
what spectators see, what somebody says.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import count
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from markupsafe import escape
from msgspec.structs import replace

from paravent.game.lazily import cached_property
from paravent.table.act import Act
from paravent.table.events import AnyEvent, CardPlayed, Said
from paravent.table.kept import ByIdentity, same
from paravent.table.seen import LineSeen
from paravent.table.state import Item, State

T = TypeVar("T")
_SECRET = secrets.token_hex(8)
BASE, PROOF, FRESH, WORDS = (f"@{_SECRET}-{name}@" for name in ("base", "proof", "fresh", "words"))
_FRESH = re.compile(re.escape(FRESH))
_PICTURE = re.compile(f"@{_SECRET}-picture-([^@]*)@")
_ME = re.compile(f"@{_SECRET}-me-[^@]*@")
_ALONE = f"@{_SECRET}-line-0@"
_MOST = 4096
LINES = 60
"""How many lines of the log a page shows at first."""

def fresh_id() -> str:
    """Where an id of its own comes in each time a form is sent."""
    return FRESH


def me(seat: str) -> str:
    """Where it is said that a seat is the reader's own."""
    return f"@{_SECRET}-me-{seat}@"


def picture_at(name: str, small: bool = False) -> str:
    """Where the address of a picture comes in, which is each seat's own."""
    return f"@{_SECRET}-picture-{'small' if small else 'large'} {name}@"


def picture_address(proof: str, name: str, small: bool = False) -> str:
    """What a seat asks for a picture by: nobody else's is the same, and it tells nothing of the picture."""
    return _address(proof, f"{'small' if small else 'large'} {name}")


def _address(proof: str, sized: str) -> str:
    return hmac.new(proof.encode(), sized.encode(errors="replace"), hashlib.sha256).hexdigest()[:32]


def marked(lines: Sequence[LineSeen]) -> list[LineSeen]:
    """Lines of the log with marks in place of their names, which are each seat's own."""
    return [replace(line, line=f"@{_SECRET}-line-{at}@") for at, line in enumerate(lines)]


def said(drawn: str, words: str) -> str:
    """A drawing with a mark in place of what somebody said, with their words."""
    return drawn.replace(WORDS, escape(words))  # which a drawing does not escape again


def named_alone(drawn: str, name: str) -> str:
    """The drawing of one marked line with its name."""
    return drawn.replace(_ALONE, name)


def filled_in(drawn: str, base: str, proof: str) -> str:
    """A drawing with a seat's own address and proof, and new ids: one drawn by lot, and those that follow it."""
    ids = count(int(secrets.token_hex(8), 16))
    own = _FRESH.sub(lambda _: f"{next(ids) % _IDS:016x}", drawn.replace(BASE, base).replace(PROOF, proof))
    return _PICTURE.sub(lambda mark: f"{base}/picture/{_address(proof, mark[1])}", own)


_IDS = 1 << 64


_LINE = re.compile(r'<li\b[^>]*\bid="(l-[^"]+)".*?(?=<li\b[^>]*\bid="l-|</ol>\s*$)', re.DOTALL)


def lines_of(drawn: str) -> dict[str, str]:
    """The lines of a drawing of the log, by the ids they have in the page."""
    return {found[1]: found[0].rstrip() for found in _LINE.finditer(drawn)}


class Piece(NamedTuple):
    """A piece of a region: the id it has in the page, and its drawing; of one made of pieces itself, these and their
    frame."""

    id: str
    html: str
    frame: str = ""
    inner: tuple[Piece, ...] = ()

    def since(self, before: Piece) -> list[tuple[str, str, str]]:
        """How the page gets from an earlier drawing to this one."""
        if self.html == before.html:
            return []
        if not self.inner or self.frame != before.frame:
            return [(self.id, "outerMorph", self.html)]
        changes = zip(self.inner, before.inner, strict=True)  # a frame names what stands in it
        return [(now.id, "outerMorph", now.html) for now, was in changes if now.html != was.html]


_NAME = re.compile(r"[\w-]+")


def inner_mark(name: str) -> str:
    """Where a piece stands in the frame of another."""
    return f"@{_SECRET}-inner-{name}@"


def framed_piece(name: str, frame: str, inner: Sequence[Piece]) -> Piece:
    """A piece made of pieces, each in place of its mark."""
    html = frame
    for one in inner:
        html = html.replace(inner_mark(one.id), one.html)
    apart = len({one.id for one in inner if _NAME.fullmatch(one.id)}) == len(inner)
    return Piece(name, html, frame, tuple(inner)) if apart else Piece(name, html)


def named_piece(piece: Piece, name: str) -> Piece:
    """A line of the log whose drawing has a mark in place of its name, with that name."""
    return Piece(f"l-{name}", named_alone(piece.html, name))


@dataclass(frozen=True)
class Region:
    """A part of a page that changes by itself: what stands before its pieces, the pieces, what stands after them."""

    name: str
    head: str
    pieces: tuple[Piece, ...] = ()
    foot: str = ""

    @cached_property
    def html(self) -> str:
        """The region whole."""
        return f"{self.head}{''.join(piece.html for piece in self.pieces)}{self.foot}"

    def since(self, before: Region | None) -> list[tuple[str, str, str]]:
        """How the page gets from an earlier drawing to this one: where, how, and what to put there."""
        if before is self:
            return []
        if before is None or (before.head, before.foot) != (self.head, self.foot):
            return [(self.name, "outerMorph", self.html)]
        if before.pieces == self.pieces:
            return []
        old = {piece.id: piece for piece in before.pieces}
        if self.name == "log":
            return self._gone_on(before, old) or [(self.name, "outerMorph", self.html)]
        if [piece.id for piece in self.pieces] != list(old):
            return [(self.name, "outerMorph", self.html)]
        return [change for piece in self.pieces for change in piece.since(old[piece.id])]

    def _gone_on(self, before: Region, old: Mapping[str, Piece]) -> list[tuple[str, str, str]]:
        """Line by line. Lines that are no longer among the latest stay where they are: somebody may be reading them.

        Nothing, if the log has not simply gone on.
        """
        kept = [piece for piece in self.pieces if piece.id in old]
        added = [piece for piece in self.pieces if piece.id not in old]
        known = [piece.id for piece in before.pieces]
        if not kept or (*kept, *added) != self.pieces or [piece.id for piece in kept] != known[-len(kept):]:
            return []
        changed = [change for piece in kept for change in piece.since(old[piece.id])]
        return [*changed, ("log", "beforeend", "".join(piece.html for piece in added))] if added else changed


_else = attrgetter(*(part.name for part in fields(State) if part.name not in ("log", "counts", "events")))
"""All of a state but what everything that happens adds to."""


def only_said(before: State, after: State, calm: bool = False) -> tuple[Item, ...] | None:
    """What was said between two states, if nothing else happened and nobody had just stopped the game.

    Where each event added a line of its own, the lines before are those that were. ``calm`` says that nobody had, as is
    known already.
    """
    said = after.log[len(before.log):]
    if len(said) != after.events - before.events or not all(isinstance(item.event, Said) for item in said):
        return None
    if not calm and isinstance(_last_done(before), CardPlayed):
        return None
    return said if same(_else(before), _else(after)) else None


def _last_done(state: State) -> AnyEvent | None:
    """The last of the log that is not somebody's words."""
    return next((item.event for item in reversed(state.log) if not isinstance(item.event, Said)), None)


class Spoken(NamedTuple):
    """A line that somebody said: as drawn, as sent, the sentence that announces it to others, and whether a game master
    may take it back."""

    item: Item
    by: str
    part: str
    data: str
    sentence: str
    undoable: bool


class KeptDrawings(Generic[T]):
    """Drawings by name, each for as long as it shows the same objects; or, where the name itself says all that is seen
    of them, equal ones: whoever hesitates between two values comes back to what was drawn."""

    def __init__(self, equal: bool = False) -> None:
        self._equal = equal
        self._kept: OrderedDict[Hashable, tuple[tuple[object, ...], T]] = OrderedDict()

    def of(self, key: Hashable, draw: Callable[[], T], shows: tuple[object, ...] = ()) -> T:
        """A drawing, made again only if it shows other objects than before."""
        kept = self._kept.get(key)
        if kept is None or not (same(kept[0], shows) or (self._equal and kept[0] == shows)):
            kept = self._kept[key] = shows, draw()
            _trimmed(self._kept)
        return kept[1]


class LineDrawing(NamedTuple):
    """A line of the log as one seat has it, and what it shows: the item, its act if it has one, the seat's own numbers
    of it; no piece for what the seat does not read."""

    item: Item
    act: Act | None
    numbers: tuple[int | None, ...]
    piece: Piece | None


class Lines:
    """The lines of the log as one seat has them, for as long as it has the same eyes and names."""

    def __init__(self) -> None:
        self._shows: tuple[object, ...] = ()
        self._numbers: tuple[object, ...] = ()
        self._drawn: dict[int, LineDrawing] = {}

    def still(self, *shows: object) -> dict[int, LineDrawing]:
        """What was drawn, by the numbers of the items; nothing, once what all lines show is no longer the same."""
        if not same(self._shows, shows) or len(self._drawn) > _MOST:
            self._shows, self._drawn = shows, {}
        return self._drawn

    def renumbered(self, *numbers: object) -> bool:
        """Whether these are not the seat's own numbers that its lines were last looked at with."""
        before, self._numbers = self._numbers, numbers
        return not same(before, numbers)


class Drawings:
    """The drawings of one table."""

    def __init__(self) -> None:
        self._regions: dict[tuple[str, str, str], tuple[tuple[object, ...], Region]] = {}
        self.kept, self.boards = KeptDrawings[str](), KeptDrawings[Piece]()
        """What is one seat's own."""
        self.alike, self.boards_alike = KeptDrawings[str](equal=True), KeptDrawings[Piece](equal=True)
        """What all who see the same share."""
        self._lines: dict[tuple[str, str], Lines] = {}
        self._tokens: OrderedDict[Hashable, int] = OrderedDict()
        self._next_token = count()
        self._called: ByIdentity[int] = ByIdentity(64)
        self._between: tuple[State, State] | None = None
        self._said: tuple[Item, ...] | None = None
        self._spoken: dict[Hashable, list[Spoken] | None] = {}

    def token(self, value: Hashable) -> int:
        """A number that stands for a value: quicker to look up than a long one, and never given to another."""
        token = self._tokens.get(value)
        if token is None:
            token = self._tokens[value] = next(self._next_token)
            _trimmed(self._tokens)
        return token

    def called(self, names: Mapping[str, str], faces: Mapping[str, Hashable]) -> int:
        """A number that stands for what people and things are called, and for their pictures."""
        return self._called.of((names, faces), lambda: self.token((tuple(names.items()), tuple(faces.items()))))

    def region(self, key: tuple[str, str, str], shows: tuple[object, ...], draw: Callable[[], Region]) -> Region:
        """A region of a seat's page, in a language, by its name: looked at again only if it shows other objects."""
        kept = self._regions.get(key)
        if kept is None or not same(kept[0], shows):
            kept = self._regions[key] = shows, draw()
        return kept[1]

    def lines(self, seat: str, lang: str) -> Lines:
        """The lines of a seat's log."""
        return self._lines.setdefault((seat, lang), Lines())

    def around(
        self, seats: object, here: frozenset[str], lang: str, seat: str, draw: Callable[[], str]
    ) -> str:
        """Who sits around the table, drawn once for everybody; each is told which one they are."""
        drawn = self.kept.of(("seats", lang), draw, (seats, here))
        return _ME.sub("", drawn.replace(me(seat), " me"))

    def only_said(self, before: State, after: State) -> tuple[Item, ...] | None:
        """What was said between two states, if nothing else happened; every page asks, so it is worked out once."""
        if self._between is None or self._between[0] is not before or self._between[1] is not after:
            calm = self._between is not None and self._between[1] is before and self._said is not None
            self._between, self._said = (before, after), only_said(before, after, calm)
            self._spoken.clear()
        return self._said

    def spoken(self, alike: Hashable, draw: Callable[[], list[Spoken] | None]) -> list[Spoken] | None:
        """What was said just now, drawn once for all who are alike."""
        if alike not in self._spoken:
            self._spoken[alike] = draw()
        return self._spoken[alike]


def _trimmed(kept: OrderedDict[Hashable, Any]) -> None:
    while len(kept) > _MOST:
        kept.popitem(last=False)
