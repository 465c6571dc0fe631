"""Maps: what a record shows on a grid of squares. A game says what stands where; whoever shows it draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Globe(NamedTuple):
    """A round thing drawn from what is known of it, so that it is read without colours: how large it is, how much of it
    is under water (both from 0 to 1), and its rim: ``none``, ``dots``, ``line``, ``dashes`` or ``rays``."""

    size: float
    wet: float = 0.0
    rim: str = "line"


class Badge(NamedTuple):
    """A sign beside a thing: what stands in it, its shape, its colour; and its word key, for the legend.

    Shapes are ``disc``, ``square``, ``hexagon``, ``diamond``, ``paw``, ``open``, ``half``, ``warning`` and ``blade``.
    """

    text: str
    shape: str
    colour: str = ""
    kind: str = ""


class Spot(NamedTuple):
    """What stands in a square, from (1, 1) at the top left: its drawing, what is written there, what is known of it.

    ``shape`` is ``point``, ``hollow``, ``small`` or ``large``; ``ring`` the colour of a circle around it; ``about``
    word keys of values, said to whoever points at it and in the list beside the map. A ``globe`` is drawn in place of
    the shape; ``arms`` are short lines out of its ring; ``rank`` is how its name is written: ``capitals``, ``bold``,
    ``plain`` or ``italic``; ``hatched`` squares are those where one had better not go.
    """

    column: int
    row: int
    shape: str
    text: str = ""
    name: str = ""
    ring: str = ""
    about: tuple[str, ...] = ()
    globe: Globe | None = None
    arms: int = 0
    badges: tuple[Badge, ...] = ()
    rank: str = "plain"
    hatched: bool = False


class Path(NamedTuple):
    """A line between two places of the grid, counted in squares; ``kind`` is a value's word key, for the legend.

    ``via`` is the point that it bows towards, if it does; a ``thin`` one is less than the others of its kind. One that
    ends at the edge leads on ``to`` somewhere, whose name stands there.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    kind: str = ""
    dashed: bool = False
    via: tuple[float, float] | None = None
    thin: bool = False
    to: str = ""


class Margin(NamedTuple):
    """What another map, beside this one, is called: it lies so many to the right and so many down."""

    dx: int
    dy: int
    name: str


@dataclass(frozen=True)
class Map:
    """A grid of squares; those that nobody knows of are shaded. ``here`` is the square where the group is."""

    columns: int
    rows: int
    spots: tuple[Spot, ...] = ()
    paths: tuple[Path, ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()
    here: tuple[int, int] | None = None
    margins: tuple[Margin, ...] = ()
    caption: str = ""
    """The word key of what stands under the names, for the legend."""

    @property
    def kinds(self) -> tuple[Path, ...]:
        """One path of each kind, for the legend."""
        return tuple({path.kind: path for path in self.paths if not path.thin}.values())

    @property
    def signs(self) -> tuple[Badge, ...]:
        """One badge of each kind, for the legend."""
        found = [badge for spot in self.spots for badge in spot.badges if badge.kind]
        return tuple({badge.kind: badge for badge in found}.values())

    @property
    def rims(self) -> tuple[str, ...]:
        """The rims that are drawn, for the legend."""
        return tuple(dict.fromkeys(spot.globe.rim for spot in self.spots if spot.globe is not None))


NEAR = 0.42
"""How near a line may come to a thing that it does not lead to, in squares."""
BOWS = (0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.3, -2.3, 3.0, -3.0)


FINELY = tuple(sign * step / 8 for step in range(1, 29) for sign in (1, -1))
"""How far a line that stands out may be bent, where the coarse ways all touch something."""


def bowed(path: Path, others: tuple[tuple[int, int], ...]) -> Path:
    """The line bent round what it does not lead to, as little as it takes; the same each time it is drawn."""
    (x, y), (u, v) = path.start, path.end
    length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5 or 1.0
    across = (-(v - y) / length, (u - x) / length)
    between = [place for place in others if place not in (path.start, path.end)]

    def bent(bow: float) -> tuple[float, float]:
        return ((x + u) / 2 + across[0] * bow, (y + v) / 2 + across[1] * bow)

    def met(bow: float) -> int:
        points = [_on(path.start, bent(bow), path.end, step / 24) for step in range(1, 24)]
        return sum(any((px - ox) ** 2 + (py - oy) ** 2 < NEAR**2 for px, py in points) for ox, oy in between)

    best, fewest = 0.0, len(between) + 1
    for bow in BOWS if path.thin else (*BOWS, *FINELY):
        touched = met(bow)
        if touched < fewest:
            best, fewest = bow, touched
        if not fewest:
            break
    return path._replace(via=bent(best)) if best else path


def _on(start: tuple[float, float], via: tuple[float, float], end: tuple[float, float], at: float
        ) -> tuple[float, float]:
    rest = 1 - at
    return (rest * rest * start[0] + 2 * rest * at * via[0] + at * at * end[0],
            rest * rest * start[1] + 2 * rest * at * via[1] + at * at * end[1])
