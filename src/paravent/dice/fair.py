"""Where faces come from, and the proof that a throw was fair.

A throw has its own secret key, whose hash is shown before the roller adds a grain; the faces then follow from both,
so neither side alone can choose them. Die number ``i`` of the throw reads counter ``i`` (and the following ones when
a number is rejected): ``HMAC-SHA256(key, grain + counter)``, counter on eight bytes, most significant first. The
first eight bytes of the digest are a number ``x``; numbers that would favour low faces are rejected, and the face is
``x mod sides + 1``.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Protocol

_SPAN = 1 << 64


class Faces(Protocol):
    """A supply of faces: a generator, a script, a hand that types them."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        """The faces of ``n`` dice thrown by ``role``, in the order thrown."""
        ...

    def skip(self, n: int, sides: int) -> None:
        """Pass over dice that a record already holds, so that what comes next is not what came first."""
        ...

    def stream(self, name: str) -> Faces:
        """An independent supply under this name."""
        ...


class LiveFaces:
    """The operating system's randomness, every face equally likely."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        return tuple(secrets.randbelow(sides) + 1 for _ in range(n))

    def skip(self, n: int, sides: int) -> None:
        return None

    def stream(self, name: str) -> LiveFaces:
        return self


class KeyedFaces:
    """Faces that follow from a key and a grain: the same ones for whoever works them out again.

    >>> KeyedFaces(b"key", b"grain").throw("gm", 3, 6) == KeyedFaces(b"key", b"grain").throw("gm", 3, 6)
    True
    """

    def __init__(self, key: bytes, grain: bytes, counter: int = 0) -> None:
        self._key = key
        self._grain = grain
        self.counter = counter

    @classmethod
    def from_seed(cls, seed: int | str) -> KeyedFaces:
        """The supply that ``--seed`` names."""
        return cls(hashlib.sha256(f"paravent seed {seed}".encode()).digest(), b"")

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        return tuple(self._face(sides) for _ in range(n))

    def skip(self, n: int, sides: int) -> None:
        for _ in range(n):
            self._face(sides)

    def _face(self, sides: int) -> int:
        fair_below = _SPAN - _SPAN % sides
        while True:
            counter = self.counter.to_bytes(8, "big")
            self.counter += 1
            number = int.from_bytes(hmac.digest(self._key, self._grain + counter, "sha256")[:8], "big")
            if number < fair_below:
                return number % sides + 1

    def stream(self, name: str) -> KeyedFaces:
        return KeyedFaces(hmac.digest(self._key, b"stream " + name.encode(), "sha256"), self._grain)


def promise(grain: bytes) -> str:
    """What is shown of a grain before it is opened: its hash."""
    return hashlib.sha256(grain).hexdigest()


def opens(promised: str, grain: str) -> bool:
    """Whether this grain, in hexadecimal, is the one that was promised.

    >>> opens(promise(bytes(32)), bytes(32).hex()), opens(promise(bytes(32)), bytes(31).hex())
    (True, False)
    """
    try:
        return promise(bytes.fromhex(grain)) == promised
    except ValueError:
        return False


def grains_from(seed: bytes, n: int) -> list[str]:
    """Grains, in hexadecimal, each by itself: whoever sees one learns nothing of the others.

    >>> [len(bytes.fromhex(grain)) for grain in grains_from(bytes(32), 3)]
    [32, 32, 32]
    """
    return [hashlib.sha256(seed + at.to_bytes(8, "big")).hexdigest() for at in range(n)]


def new_key() -> bytes:
    """A secret key for one throw."""
    return secrets.token_bytes(32)


def commitment(key: bytes) -> str:
    """The hash of a key, which may be shown before the throw."""
    return hashlib.sha256(key).hexdigest()
