"""What records of several parts check and offer alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from paravent.game import Fault

from .terms import TABLES


def within(record: Any, bounds: Mapping[str, tuple[int, int]], rule: str) -> Iterator[Fault]:
    """A fault for each figure that is out of its bounds."""
    for name, (least, most) in bounds.items():
        got = getattr(record, name)
        if not least <= got <= most:
            yield Fault("figure_bounds", rule, values={"what": name, "got": got, "least": least, "most": most})


def cells(table: str, column: str) -> Callable[[], Sequence[str]]:
    """What a column of a table says, each once, to choose from."""
    return lambda: tuple(dict.fromkeys(TABLES[table].column(column).values()))
