"""What the one who writes a file is asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .log import Link


class Creation(NamedTuple):
    """A table to create."""

    table: str


class Appending(NamedTuple):
    """An append, as its caller gave it."""

    table: str
    first: int
    events: Sequence[str]
    command: str
    reply: str
    links: Sequence[Link]
    snapshot: str | None


class Saving(NamedTuple):
    """A snapshot to keep."""

    table: str
    number: int
    text: str


class Rewriting(NamedTuple):
    """A table's events, to be written anew."""

    table: str
    before: Sequence[str]
    after: Sequence[str]


class Clearing(NamedTuple):
    """What is aside, to be let go of."""

    table: str


class Picturing(NamedTuple):
    """A picture to keep."""

    table: str
    hash: str
    content: bytes


class Laying(NamedTuple):
    """A part of a table that is to come: nobody sees any of it until it has begun."""

    table: str
    first: int
    events: Sequence[str] = ()
    pictures: Sequence[tuple[str, bytes]] = ()


class Beginning(NamedTuple):
    """A table of which every part is laid."""

    table: str
    last: int
    links: Sequence[Link]
    snapshot: str | None


class Sweeping(NamedTuple):
    """What is left of a table that never began: some of it, to be let go of."""

    table: str


Order = Creation | Appending | Saving | Rewriting | Clearing | Picturing | Laying | Beginning | Sweeping
