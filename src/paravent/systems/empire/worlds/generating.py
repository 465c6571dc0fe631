"""Making things by the dice: seeded dice for one square of a sector, and chances of what is too rich to list.

The keys are those of ``hash_dice_v1``: ``seed/CCRR/system``, ``seed/CCRR/fauna``, ``seed/CCRR/market/<month>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from typing import TypeVar

from paravent.dice import PlayedDice, UnrecordedDice, usually

R = TypeVar("R")
_FAIR = 252
"""Bytes from here on would favour low faces: they are skipped."""


def hash_faces(key: str) -> Iterator[int]:
    """The endless six-sided dice of a key: the same for whoever names it again."""
    for block in count():
        for byte in sha256(f"{key}#{block}".encode()).digest():
            if byte < _FAIR:
                yield byte % 6 + 1


class HashFaces:
    """A supply of faces under a key; a stream of it is another key."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._faces = hash_faces(key)

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        """The next faces; a die of more sides than six is read from several, those beyond being thrown again."""
        if sides == 6:
            return tuple(islice(self._faces, n))
        return tuple(self._face(sides) for _ in range(n))

    def skip(self, n: int, sides: int) -> None:
        """Pass over dice that a record already holds."""
        self.throw("", n, sides)

    def stream(self, name: str) -> HashFaces:
        """The supply of a key under this one."""
        return HashFaces(f"{self._key}/{name}")

    def _face(self, sides: int) -> int:
        digits = next(n for n in count(1) if 6**n >= sides)
        while True:
            number, span = 0, 1
            for _ in range(digits):
                number, span = number * 6 + next(self._faces) - 1, span * 6
            if number < span // sides * sides:
                return number % sides + 1


def hash_dice(key: str) -> PlayedDice:
    """Dice that fall the same way for the same key, on any machine."""
    return PlayedDice(HashFaces(key), usually)


def quick_dice(key: str) -> UnrecordedDice:
    """The same dice for whoever does not look at them."""
    return UnrecordedDice(HashFaces(key), usually)
