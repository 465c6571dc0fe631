"""What the tests of this folder share: a small game, a small sheet."""

from collections.abc import Iterable
from dataclasses import dataclass

from paravent.game import Encounter, Move, RecordKind, System


def rough(
    name: str, moves: Iterable[Move], kinds: Iterable[RecordKind], encounters: Iterable[Encounter] = ()
) -> System:
    """A small game declared in a test: no words, no files."""
    return System(
        name, "paravent.game", "0", {move.id: move for move in moves}, {kind.id: kind for kind in kinds},
        {encounter.id: encounter for encounter in encounters},
    )


@dataclass(frozen=True)
class Token:
    """The smallest of sheets."""

    name: str
    strength: int = 3
    life: int = 10
