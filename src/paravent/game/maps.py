"""Maps: what a record shows on a grid of squares. A game says what stands where; whoever shows it draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Spot(NamedTuple):
    """What stands in a square, from (1, 1) at the top left: its drawing, what is written there, what is known of it.

    ``shape`` is ``point``, ``hollow``, ``small`` or ``large``; ``ring`` the colour of a circle around it; ``about``
    word keys of values, said to whoever points at it and in the list beside the map.
    """

    column: int
    row: int
    shape: str
    text: str = ""
    name: str = ""
    ring: str = ""
    about: tuple[str, ...] = ()


class Path(NamedTuple):
    """A line between two places of the grid, counted in squares; ``kind`` is a value's word key, for the legend."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    kind: str = ""
    dashed: bool = False


@dataclass(frozen=True)
class Map:
    """A grid of squares; those that nobody knows of are shaded."""

    columns: int
    rows: int
    spots: tuple[Spot, ...] = ()
    paths: tuple[Path, ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()

    @property
    def kinds(self) -> tuple[Path, ...]:
        """One path of each kind, for the legend."""
        return tuple({path.kind: path for path in self.paths}.values())
