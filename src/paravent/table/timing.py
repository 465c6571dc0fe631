"""What is to come on the table's clock, told when its time comes; and the hourglass of a tense moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from paravent.game import OutOfRange, System, UnknownName
from paravent.game.days import A_DAY

from . import commands as c
from . import events as e
from . import limits
from .deciding import Fresh, events_of, gm_only
from .errors import EmptyText
from .limits import LONGEST_NAME, MOST_DAYS, no_more_than, short
from .records import known_ranks
from .shelf import audience_of, shown_to
from .state import State

# What is to come


@events_of.register
def _(command: c.SetAppointment, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_ranks(state, command.seen_by)
    before = _known(state, command.appointment) if command.appointment else None
    if before is None:
        to_come = [kept for kept in state.appointments.values() if kept.due > state.minutes]
        no_more_than(limits.MOST_APPOINTMENTS, len(to_come) + 1, "appointment")
    words = short(command.words, LONGEST_NAME)
    if not words:
        raise EmptyText()
    kept = e.Appointment(_due(command, state), words, shown_to(command.seen_by))
    return [] if kept == before else appointment_set(state, command.appointment or fresh.name(), kept)


def _due(command: c.SetAppointment, state: State) -> int:
    """The minute of the clock that is meant; it lies ahead."""
    for name, value, least, most in (
        ("day", command.day, 0, MOST_DAYS), ("hour", command.hour, 0, 23), ("minute", command.minute, 0, 59),
        ("minutes", command.minutes, 0, MOST_DAYS * A_DAY),
    ):
        if not least <= value <= most:
            raise OutOfRange(field=name, got=value, minimum=least, maximum=most)
    due = state.minutes + command.minutes
    if command.day:
        due = (command.day - 1) * A_DAY + command.hour * 60 + command.minute
    if due <= state.minutes:
        raise OutOfRange(field="minutes", got=due - state.minutes, minimum=1, maximum=MOST_DAYS * A_DAY)
    return due


def appointment_set(state: State, name: str, kept: e.Appointment, back: bool = False) -> list[e.AnyEvent]:
    """Something is to come: told to those who may know of it, or did."""
    before = state.appointments.get(name)
    seen_by = {*kept.seen_by, *(before.seen_by if before is not None else ())}
    return [e.AppointmentSet(appointment=name, kept=kept, before=before, audience=audience_of(state, seen_by),
                             back=back)]


@events_of.register
def _(command: c.DropAppointment, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    return appointment_dropped(state, command.appointment)


def appointment_dropped(state: State, name: str, back: bool = False) -> list[e.AnyEvent]:
    """What was to come will not."""
    kept = _known(state, name)
    return [e.AppointmentDropped(appointment=name, kept=kept, audience=audience_of(state, kept.seen_by), back=back)]


def _known(state: State, appointment: str) -> e.Appointment:
    kept = state.appointments.get(appointment)
    if kept is None:
        raise UnknownName("appointment", appointment, ())
    return kept


def come(before: State, after: State) -> list[e.AnyEvent]:
    """What the clock has come to since, the earliest first; nothing where it was set back."""
    due = [(kept.due, name, kept) for name, kept in after.appointments.items()
           if before.minutes < kept.due <= after.minutes and name in before.appointments]
    return [e.AppointmentCame(appointment=name, kept=kept, audience=audience_of(after, kept.seen_by))
            for _, name, kept in sorted(due, key=lambda one: one[:2])]


# The hourglass


@events_of.register
def _(command: c.TurnHourglass, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    if not 0 <= command.seconds <= limits.MOST_SECONDS:
        raise OutOfRange(field="seconds", got=command.seconds, minimum=0, maximum=limits.MOST_SECONDS)
    if not command.seconds:
        return hourglass_turned(state, e.Hourglass()) if state.hourglass.seconds else []
    began = datetime.fromisoformat(fresh.now) if fresh.now else datetime.now(UTC)
    until = (began + timedelta(seconds=command.seconds)).isoformat(timespec="milliseconds")
    return hourglass_turned(state, e.Hourglass(command.seconds, until, short(command.words, LONGEST_NAME)))


def hourglass_turned(state: State, hourglass: e.Hourglass, back: bool = False) -> list[e.AnyEvent]:
    """The hourglass runs, or is taken away: all see it."""
    return [e.HourglassTurned(hourglass=hourglass, before=state.hourglass, back=back)]


def turned_back(state: State, told: e.AnyEvent) -> list[e.AnyEvent] | None:
    """The events that undo what a line of the log says of what is to come; None where it says nothing of it."""
    match told:
        case e.AppointmentSet() if told.appointment in state.appointments:
            if told.before is None:
                return appointment_dropped(state, told.appointment, back=True)
            return appointment_set(state, told.appointment, told.before, back=True)
        case e.AppointmentDropped() if told.appointment not in state.appointments:
            return appointment_set(state, told.appointment, told.kept, back=True)
        case e.HourglassTurned():
            return hourglass_turned(state, told.before, back=True)
    return None
