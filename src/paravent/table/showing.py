"""Throws turned over: shown to everyone or to some."""

from __future__ import annotations

from msgspec.structs import replace

from paravent.game import System
from paravent.game.errors import BadValue, NotNow
from paravent.game.records import ALL, GM

from . import commands as c
from . import events as e
from .act import Act, ShownTo, Throw, progress
from .deciding import Fresh, events_of, everyone_or, folded, gm_only, known_seat, seat_number, touching
from .knowing import may_know
from .state import State


@events_of.register
def _(command: c.TurnOver, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    for name in command.to:
        if name not in (ALL, GM):
            known_seat(state, name)
    if not command.to:
        raise BadValue(field="to", got="", expected="list")
    act = state.move(number)
    throw = act.throw(command.step)
    if throw is None:
        raise NotNow(move=act.move, needs=command.step)
    names = tuple(sorted({GM, *command.to})) if ALL not in command.to else (ALL,)
    shown = ShownTo(names, names, names)
    told = tuple(
        replace(said, audience=tuple(sorted({*said.audience, *shown.outcome}))) for said in throw.tellings
    )
    more = (ALL,) if ALL in command.to else tuple(sorted({*act.exists, *command.to}))
    before = e.ShownBefore(throw.shown, act.exists, throw.tellings)
    after = turned(act, replace(throw, shown=shown, turned_over=True, tellings=told), more)
    events = turned_told(state, act, after, e.ThrowTurnedOver(number=number, step=command.step, before=before), system)
    return events + (_come_out(folded(state, events), act, system) if ALL in command.to else [])


def _come_out(state: State, act: Act, system: System) -> list[e.AnyEvent]:
    """The encounters that a throw began behind the screen are seen by those whom the game lets see them."""
    events: list[e.AnyEvent] = []
    for number in act.unseen:
        running = state.encounters.get(number)
        if running is not None and not running.over and running.seen_by == (GM,):
            seen_by = tuple(sorted(system.encounters[running.encounter].audience))
            audience = everyone_or(state.eyes, (s for s in state.eyes.seats if state.eyes.may_see(s, "", seen_by)))
            events.append(e.EncounterOpened(number=number, encounter=running.encounter, state=running.state,
                                            seen_by=seen_by, audience=audience))
    return events


def turned(act: Act, throw: Throw, exists: tuple[str, ...]) -> Act:
    """The act with one of its throws shown otherwise."""
    throws = tuple(throw if other.step == throw.step else other for other in act.throws)
    return replace(act, throws=throws, exists=exists, shown_otherwise=throw.turned_over or act.shown_otherwise)


def turned_told(
    state: State, act: Act, after: Act, event: e.ThrowTurnedOver, system: System
) -> list[e.AnyEvent]:
    """A throw shown otherwise, told to all who knew of the act or now do."""
    eyes = state.eyes
    seats = [seat for seat in eyes.seats if may_know(eyes, seat, act) or may_know(eyes, seat, after)]
    told = replace(event, then=progress(act, after), audience=everyone_or(eyes, seats))
    return touching(state, [told], system)

