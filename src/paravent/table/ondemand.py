"""The acts of a long table, looked at one by one as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .kept import Latest
from .seen import MoveSeen

_KEPT = 128
"""How many of them are kept: a page asks for each of its own several times."""


class OnDemand(Mapping[int, MoveSeen]):
    """The acts that a seat knows of, by its own numbers; none is looked at before somebody asks for it."""

    def __init__(self, numbers: Mapping[int, int], look: Callable[[int], MoveSeen | None]) -> None:
        self._at = {own: at for at, own in numbers.items()}
        self._look = look
        self._seen: Latest[int, MoveSeen | None] = Latest(_KEPT)

    def __getitem__(self, own: int) -> MoveSeen:
        at = self._at[own]
        seen = self._seen.of(own, lambda: self._look(at))
        if seen is None:
            raise KeyError(own)
        return seen

    def __iter__(self) -> Iterator[int]:
        return (own for own, at in self._at.items() if self._look(at) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)
