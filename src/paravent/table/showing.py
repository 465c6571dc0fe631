"""Throws turned over: shown to everyone or to some, and hidden again, which nobody can unsee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from paravent.game import System
from paravent.game.errors import BadValue, NotNow
from paravent.game.records import ALL, GM
from paravent.game.view import may_know

from . import commands as c
from . import events as e
from .deciding import Fresh, events_of, everyone_or, folded, gm_only, known_seat, seat_number, touching
from .errors import NothingToUndo
from .state import Item, State


@events_of.register
def _(command: c.TurnOver, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    for name in command.to:
        if name not in (ALL, GM):
            known_seat(state, name)
    if not command.to:
        raise BadValue(field="to", got="", expected="list")
    kept = state.move(number)
    before = next((throw["shown"] for throw in kept["throws"] if throw["step"] == command.step), None)
    if before is None:
        raise NotNow(move=kept["move"], needs=command.step)
    shown_to = sorted({GM, *command.to}) if ALL not in command.to else [ALL]
    shown = {"exists": shown_to, "dice": shown_to, "outcome": shown_to, "detail": None}
    turned = _turned(state, number, command.step, shown, kept["exists"], turned_over=True)
    more = [ALL] if ALL in command.to else sorted({*kept["exists"], *command.to})
    told = e.ThrowTurnedOver(
        number=number, patch={**turned, "exists": more}, step=command.step, before={"shown": before,
        "exists": kept["exists"], "tellings": _tellings(kept, command.step)},
    )
    events = _turned_told(state, told, system)
    return events + (_come_out(folded(state, events), kept, system) if ALL in command.to else [])


def _come_out(state: State, kept: Mapping[str, Any], system: System) -> list[e.Event]:
    """The encounters that a throw began behind the screen are seen by those whom the game lets see them."""
    events: list[e.Event] = []
    for number in kept.get("unseen", ()):
        running = state.encounters.get(str(number))
        if running is not None and not running.over and running.seen_by == (GM,):
            seen_by = tuple(sorted(system.encounters[running.encounter].audience))
            audience = everyone_or(state.eyes, (s for s in state.eyes.seats if state.eyes.may_see(s, "", seen_by)))
            events.append(e.EncounterOpened(number=number, encounter=running.encounter, state=running.state,
                                            seen_by=seen_by, audience=audience))
    return events


def _tellings(kept: Mapping[str, Any], step: str) -> list[Any]:
    return next((throw["tellings"] for throw in kept["throws"] if throw["step"] == step), [])


def _turned(
    state: State, number: int, step: str, shown: Mapping[str, Any], exists: list[str], *, turned_over: bool,
    tellings: list[Any] | None = None,
) -> dict[str, Any]:
    """The throws of a move with one of them shown otherwise; what is told of it is told to those who now see it."""
    def turn(throw: dict[str, Any]) -> dict[str, Any]:
        told = tellings
        if told is None:
            told = [{**row, "audience": sorted({*row["audience"], *shown["outcome"]})} for row in throw["tellings"]]
        return {**throw, "shown": dict(shown), "turned_over": turned_over, "tellings": told}

    kept = state.move(number)
    throws = [turn(throw) if throw["step"] == step else throw for throw in kept["throws"]]
    return {"throws": throws, "exists": exists, "shown_otherwise": turned_over or bool(kept.get("shown_otherwise"))}


def _turned_told(state: State, event: e.ThrowTurnedOver, system: System) -> list[e.Event]:
    kept = state.move(event.number)
    after = {**kept, **event.patch}
    eyes = state.eyes
    seats = [seat for seat in eyes.seats if may_know(eyes, seat, kept) or may_know(eyes, seat, after)]
    return touching(state, [replace(event, audience=everyone_or(eyes, seats))], system)


def turned_back(state: State, told: Mapping[str, Any], item: Item, system: System) -> list[e.Event]:
    """A reveal taken back: what was seen stays seen, and the log goes on saying that it was shown."""
    number = int(told["number"])
    if str(number) not in state.moves:
        raise NothingToUndo()
    before = told["before"]
    patch = _turned(
        state, number, told["step"], before["shown"], before["exists"], turned_over=False, tellings=before["tellings"]
    )
    event = e.ThrowTurnedOver(number=number, patch=patch, step=told["step"], before={}, back=True)
    return _turned_told(state, event, system)
