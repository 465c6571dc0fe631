"""A game's first evening: a handful of lines that lead a new group from an empty table to an evening of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Beat:
    """One line of a first evening: what to do now, what to press for it, and when it counts as done.

    What it names is what is pressed, and what the table is looked at for: nothing is kept beside the log. Words stand
    under ``evening.<id>``: ``title``; ``help``, for those who play; ``gm``, for the game master, where that differs.
    """

    id: str
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the table that the game master settles at one touch; done once they were, after those before."""
    kind: str = ""
    """Done once each player has a record of this kind, and there is one."""
    move: str = ""
    """The move to begin; where no kind is named, done once it came to its end."""
    times: int = 1
    """And that so many times."""
