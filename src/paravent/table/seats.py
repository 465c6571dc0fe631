"""Seats: who comes, leaves and comes back, by which link; the options that the table settled, and how it plays."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec.structs import replace

from paravent.game import System, UnknownName
from paravent.game.records import GM
from paravent.game.words import folded as as_typed

from . import commands as c
from . import events as e
from . import limits
from .act import progress
from .deciding import Fresh, events_of, everyone_or, folded, gm_only, known_seat, touching
from .errors import EmptyText, LastGameMaster, NameTaken
from .knowing import may_know
from .limits import LONGEST_NAME, no_more_than, short
from .state import State

RANKS = (GM, "player", "spectator")


@events_of.register
def _(command: c.AddSeat, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    if command.rank not in RANKS:
        raise UnknownName("value", command.rank, RANKS)
    no_more_than(limits.MOST_SEATS, len(state.seats) + 1, "seat")
    name = _name(state, command.name)
    seat = fresh.name()
    return touching(state, [e.SeatAdded(seat=seat, name=name, rank=command.rank, link=fresh.link(seat))], system)


@events_of.register
def _(command: c.RenameSeat, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    if command.who != command.seat:
        gm_only(state, command)
    known_seat(state, command.who)
    before = state.seats[command.who].name
    return [e.SeatRenamed(seat=command.who, name=_name(state, command.name, command.who), before=before)]


def _name(state: State, asked: str, who: str = "") -> str:
    """Somebody's name: not too long, not nothing, and not to be mistaken for another's at the table."""
    name = short("".join(sign for sign in asked if unicodedata.category(sign) not in ("Cc", "Cf")), LONGEST_NAME)
    if not _looks(name):
        raise EmptyText()
    for seat, place in state.seats.items():
        if seat != who and (place.link or place.present) and _looks(place.name) == _looks(name):
            raise NameTaken(name=name, other=place.name)
    return name


_ALIKE = str.maketrans("аеорсухіјѕԁһкмнтвαβγεικνορτυχ01|!", "aeopcyxijsdhkmhtbabyeiknoptuxolll")
"""Signs that look like others: letters of other alphabets, figures, strokes."""


def _looks(name: str) -> str:
    """A name as it looks at a glance: whatever looks the same reads the same."""
    return as_typed(name).translate(_ALIKE).replace("i", "l").replace(" ", "")


@events_of.register
def _(command: c.RenewLink, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_seat(state, command.who)
    back = [] if state.seats[command.who].present else came_back(state, command.who, system)
    after = folded(state, back)
    renewed = e.LinkRenewed(seat=command.who, link=fresh.link(command.who), audience=(GM,))
    return [*back, *touching(after, [renewed], system)]


@events_of.register
def _(command: c.RevokeLink, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_seat(state, command.who)
    _keeps_a_master(state, command.who)
    revoked = e.LinkRenewed(seat=command.who, link="", closed=True)
    return _gone(state, command.who, revoked, system)


@events_of.register
def _(command: c.Leave, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    who = command.who or command.seat
    if who != command.seat:
        gm_only(state, command)
    known_seat(state, who)
    if not state.seats[who].present:
        return []
    return _gone(state, who, e.SeatLeft(seat=who), system)


@events_of.register
def _(command: c.Return, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    return []  # whoever asks anything is back


def came_back(state: State, seat: str, system: System) -> list[e.AnyEvent]:
    """Somebody is back, and answers again for what is theirs."""
    events = touching(state, [e.SeatReturned(seat=seat)], system)
    return events + unsealed_again(folded(state, events), [name for name, held in state.records.items()
                                                          if held.owner == seat], system)


def _gone(state: State, seat: str, event: e.AnyEvent, system: System) -> list[e.AnyEvent]:
    """Somebody is gone: the game master answers for what is theirs, but does not read what they sealed."""
    events = touching(state, [event], system)
    theirs = [seat, *(name for name, held in state.records.items() if held.owner == seat)]
    return events + unsealed_again(folded(state, events), theirs, system)


def _keeps_a_master(state: State, leaving: str) -> None:
    if not [seat for seat, place in state.seats.items() if place.rank == GM and place.present and seat != leaving]:
        raise LastGameMaster()


def unsealed_again(state: State, actors: Iterable[str], system: System) -> list[e.AnyEvent]:
    """Sealed fields of these actors are emptied, unread: somebody else answers for them now."""
    names = set(actors)
    events: list[e.AnyEvent] = []
    for act in state.open_moves():
        left = tuple(
            row for row in act.fields
            if not (row.actor in names and row.secrecy == "sealed" and row.field not in act.revealed)
        )
        if len(left) < len(act.fields) and act.phase == "open":
            emptied = {row.actor for row in act.fields if row not in left}
            after = replace(act, fields=left, awaited=tuple(sorted({*act.awaited, *emptied})))
            audience = everyone_or(state.eyes, (seat for seat in state.eyes.seats if may_know(state.eyes, seat, after)))
            events.append(e.FieldsFilled(number=act.id, then=progress(act, after), audience=audience))
    return events


@events_of.register
def _(command: c.SetOptions, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    before = dict(system.book.still(state.rulings))
    settled = dict(system.book.rulings({**before, **command.options}))
    return [e.OptionsSet(rulings=settled, before=dict(state.rulings))] if settled != before else []


@events_of.register
def _(command: c.SetHouse, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    before = state.house
    house = e.House(command.trust or before.trust, command.judging or before.judging)
    for value, values in ((house.trust, e.TRUSTS), (house.judging, e.JUDGINGS)):
        if value not in values:
            raise UnknownName("value", value, values)
    return [e.HouseSet(house=house, before=before)] if house != before else []
