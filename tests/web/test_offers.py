"""What a page offers can be had, and what it cannot know is no objection to whoever answers it in the next tap."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.game import find_system
from paravent.table.hotseat import Hotseat
from paravent.web.desk import Desk
from paravent.web.desk.cards import Card

SEATS = {"mj": "gm", "ana": "player", "bob": "player"}


def card(hotseat: Hotseat, seat: str) -> Card:
    """The only open act, as a seat's page draws it."""
    (found,) = Desk(hotseat.state, seat, hotseat.system, "fr").acts.open_cards()
    return found


@pytest.mark.parametrize(("move", "hidden", "told"), [
    ("dress-wounds", {}, True), ("dress-wounds", {"life_points": 3}, False), ("therapy-session", {}, True),
])
def test_what_one_tap_alone_answers_is_no_objection_to_whoever_judges(
    move: str, hidden: dict[str, Any], told: bool
) -> None:
    """A guard's wounds are the game master's to read: that he has none is said by a tap, and nothing is refused."""
    system = find_system("simulacres")
    hotseat = Hotseat(system, SEATS)
    kind = system.kind("extra")
    hotseat.add("nour", next(iter(system.kind("character").ready("fr").values())), owner="ana")
    hotseat.add("guard", replace(next(iter(kind.ready("fr").values())), **hidden), owner="mj", kind="extra")
    hotseat.start("ana", move, {"initiator": ["nour"], "patient": ["guard"]})
    outlook = card(hotseat, "mj").outlook
    assert outlook.refused == ""
    assert outlook.certain is told
    assert card(hotseat, "ana").outlook.refused == ""
