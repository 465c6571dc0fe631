"""What the tests of sessions share: looking at one from a seat."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from paravent.game.session import Session

from paravent.game import Encounter, Move, RecordKind, System


def page(session: Session, seat: str) -> str:
    """Everything a seat receives, as it would leave for its page."""
    return json.dumps(session.seen(seat), ensure_ascii=False)


def hears(session: Session, seat: str, word: str) -> bool:
    return word in page(session, seat)


def hidden_from(session: Session, seats: Iterable[str], *words: str) -> None:
    """None of these seats receives any of these words, anywhere."""
    found = [(seat, word) for seat in seats for word in words if word in page(session, seat)]
    assert found == []


def told(session: Session, seat: str) -> list[tuple[str, dict[str, Any]]]:
    """The account of the evening as a seat hears it."""
    return [(line["key"], line["values"]) for line in session.seen(seat)["log"]]


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
