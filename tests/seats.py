"""A table without a log, looked at from its seats: what the tests of all games share."""

import json
from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from typing import Any

from paravent.game import NotYours, to_plain
from paravent.table import events as e
from paravent.table.errors import OnlyPlayers
from paravent.table.hotseat import Hotseat
from paravent.table.state import A_DAY, state_read, state_written

NOT_THEIRS = {"player": NotYours, "spectator": OnlyPlayers}
"""By rank, how somebody is refused what is another's to do: a spectator has no hands at all."""
BLOW_SEALED = {"height": "middle", "column": "normal", "spot": ""}
"""What is sealed with a sign in a fight of Empire galactique: a plain blow at the body."""


def page(hotseat: Hotseat, seat: str) -> str:
    """Everything a seat receives, as it would leave for its page, but for the table's options, which all know."""
    seen = {name: part for name, part in hotseat.seen(seat).items() if name != "rulings"}
    return json.dumps(seen, ensure_ascii=False)


def hidden_from(hotseat: Hotseat, seats: Iterable[str], *words: str) -> None:
    """None of these seats receives any of these words, anywhere."""
    assert [(seat, word) for seat in seats for word in words if word in page(hotseat, seat)] == []


def moves_seen(hotseat: Hotseat, seat: str) -> list[dict[str, Any]]:
    """The acts that a seat knows of, in order."""
    return list(hotseat.seen(seat)["moves"].values())


def move_seen(hotseat: Hotseat, seat: str) -> dict[str, Any]:
    """The last of them."""
    return moves_seen(hotseat, seat)[-1]


ROLES = ("initiator", "opponent", "patient", "victim", "subject", "character")


def told(hotseat: Hotseat, seat: str) -> list[tuple[str, Any]]:
    """What a seat was told, without those who hold the roles that a sentence names."""
    return [(line.key, {name: value for name, value in line.values.items() if name not in ROLES})
            for line in hotseat.told(seat)]


def told_keys(hotseat: Hotseat, seat: str) -> list[str]:
    """The same, by the keys of the outcomes alone."""
    return [line.key.removeprefix("outcomes.") for line in hotseat.told(seat)]


def taken_up_again(hotseat: Hotseat) -> Hotseat:
    """The table as it is read again from what is written of it: its rules run anew."""
    again = copy(hotseat)
    again.state = state_read(state_written(hotseat.state))
    return again


def applied(hotseat: Hotseat, seat: str, number: int) -> None:
    """What an act changes is accepted; where it changes nothing, it has closed by itself."""
    if hotseat.moves[number].phase != "closed":
        hotseat.accept(seat, number)
    assert hotseat.moves[number].phase == "closed"


def stands(hotseat: Hotseat, encounter: str, state: Any, number: int = 1) -> None:
    """An encounter is under way, and it stands like this."""
    hotseat.take_in([e.EncounterOpened(number=number, encounter=encounter, state=to_plain(state), audience=("all",))])


def on_day(hotseat: Hotseat, day: int) -> None:
    """It is this day of the fiction."""
    hotseat.state = replace(hotseat.state, minutes=day * A_DAY)
