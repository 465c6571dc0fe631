"""What lies on a seat's side of the table while a move is played: cards, and the dice on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paravent.web.charts import Outlook
from paravent.web.fields import FormGroup


@dataclass
class Die:
    """A die lying on the table, that may be picked."""

    number: int
    face: int
    sides: int
    kind: str
    aside: bool
    pickable: bool
    words: str = ""
    """What the die is worth, where the game has a word for it."""


@dataclass
class Part:
    """Somebody in a move: their name, their role, whether their answer is in."""

    id: str
    name: str
    role: str
    ready: str


class Filled(NamedTuple):
    """Something that was filled in: by whom (their name where several are in it), which field, what."""

    actor: str
    who: str
    field: str
    title: str
    words: str


@dataclass
class Card:
    """A move as one seat sees and handles it."""

    number: int
    id: str
    title: str
    help: str
    phase: str
    who: str
    starter: str = ""
    encounter: int = 0
    parts: list[Part] = field(default_factory=list)
    filled: list[Filled] = field(default_factory=list)
    handed: list[dict[str, Any]] = field(default_factory=list)
    """Whole sheets that were handed in, as they are drawn, with what the rules say of them."""
    waits_for: list[str] = field(default_factory=list)
    mine: bool = False
    groups: list[FormGroup] = field(default_factory=list)
    window: str = ""
    can_throw: bool = False
    can_hand: bool = False
    joins: list[dict[str, Any]] = field(default_factory=list)
    choice: dict[str, Any] | None = None
    wanted: dict[str, Any] | None = None
    tray: list[Die] = field(default_factory=list)
    outlook: Outlook = field(default_factory=Outlook)
    throws: list[dict[str, Any]] = field(default_factory=list)
    begun: bool = False
    """Whether dice have begun to be thrown; rules that run by themselves do not count."""
    changes: list[dict[str, Any]] = field(default_factory=list)
    proofs: list[dict[str, Any]] = field(default_factory=list)
    deadline: Mapping[str, Any] = field(default_factory=dict)
    grade: str = ""
    """How much of its throws the game master shows at most, where that is less than the game does."""
    rule_changed: Mapping[str, Any] = field(default_factory=dict)
    broken: bool = False
    """Whether the game failed to say what can be done about it."""
