"""What a page says of somebody at a glance, and whose story a line of it is."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.game import find_system
from paravent.systems.empire.people.character import Condition, Wound
from paravent.systems.empire.words.speech import MindState
from paravent.table.hotseat import Hotseat
from paravent.web.desk import Desk

SEATS = {"mj": "gm", "ana": "player", "bob": "player"}
HURT: dict[str, Any] = {
    "conditions": (Condition("knocked_out", 12), Condition("disabled", 0, "arm"), Condition("tended", 2)),
    "wounds": (Wound("torso", 4), Wound("torso", 3), Wound("arm", 2, "left")), "mind_state": MindState.CONVINCED,
}
STATES = ["assommé (12 séquences)", "hors d'usage\u00a0: bras", "soigné"]


def empire() -> Hotseat:
    """Bastien and a sentry, both in a bad way."""
    system = find_system("empire")
    hotseat = Hotseat(system, SEATS)
    for name, kind, owner in (("bastien", "character", "ana"), ("sentry", "npc", "mj")):
        hotseat.add(name, replace(system.kind(kind).ready("fr")[name], **HURT), owner=owner, kind=kind)
    return hotseat


@pytest.mark.parametrize(("seat", "whose", "whole"), [
    ("ana", "bastien", True), ("bob", "bastien", True), ("mj", "sentry", True), ("ana", "sentry", False),
])
def test_states_and_wounds_stand_at_the_head_of_a_sheet_as_far_as_one_may_see_them(
    seat: str, whose: str, whole: bool,
) -> None:
    """Of a foe, what everybody sees happen; how much it lost, and what was made of its mind, is the game master's."""
    hotseat = empire()
    desk = Desk(hotseat.state, seat, hotseat.system, "fr")
    told = desk.sheets.states(whose)
    assert [state.words for state in told] == [
        *STATES, *(["torse −7", "bras (gauche) −2", "convaincu"] if whole else [])]
    assert [state.words for state in told if not state.bad] == ["soigné"]


@pytest.mark.parametrize("seat", ["mj", "ana", "bob"])
def test_what_the_game_master_does_to_somebody_is_told_as_theirs(seat: str) -> None:
    hotseat = empire()
    hotseat.start("mj", "fall", {"initiator": ["bastien"]})
    desk = Desk(hotseat.state, seat, hotseat.system, "fr")
    (move,) = desk.open_moves
    assert desk.acts.heading(move) == ("Bastien Corvol", "Chute")


def test_what_the_game_master_begins_for_one_against_several_is_told_as_theirs() -> None:
    hotseat = empire()
    hotseat.add("brute", hotseat.system.kind("npc").ready("fr")["sentry"], owner="mj", kind="npc")
    hotseat.start("mj", "one-against-many", {"initiator": ["bastien"], "opponent": ["sentry", "brute"]})
    desk = Desk(hotseat.state, "ana", hotseat.system, "fr")
    (move,) = desk.open_moves
    assert desk.acts.heading(move)[0] == "Bastien Corvol"
