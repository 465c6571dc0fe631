"""Seats: who comes, leaves and comes back, by which link; the options that the table settled, and how it plays."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec.structs import replace

from paravent.game import System, UnknownName
from paravent.game.records import GM

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
    name = new_name(command.name, state)
    seat = fresh.name()
    return touching(state, [e.SeatAdded(seat=seat, name=name, rank=command.rank, link=fresh.link(seat))], system)


@events_of.register
def _(command: c.RenameSeat, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    if command.who != command.seat:
        gm_only(state, command)
    known_seat(state, command.who)
    before = state.seats[command.who].name
    return [e.SeatRenamed(seat=command.who, name=new_name(command.name, state, command.who), before=before)]


def new_name(asked: str, state: State, seat: str = "") -> str:
    """Somebody's name: not too long, not nothing, and nobody else's, not even to the eye."""
    seen = "".join(sign for sign in unicodedata.normalize("NFC", asked) if unicodedata.category(sign) not in _UNSEEN)
    name = short(" ".join(seen.split()), LONGEST_NAME)
    if not name or all(unicodedata.category(sign)[0] in "ZM" or sign in _BLANKS for sign in name):
        raise EmptyText()
    if any(looks(place.name) == looks(name) for other, place in state.seats.items() if place.present and other != seat):
        raise NameTaken(name=name)
    return name


def looks(name: str) -> str:
    """What a name looks like: letters of other alphabets that are drawn alike count as ours."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(plain.translate(_DRAWN_ALIKE).split())


_UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn")
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Signs of which nothing is seen, though they are letters or figures."""
_DRAWN_ALIKE = str.maketrans("аеорсухіјѕԁԛԝհοαρνικτυ0", "aeopcyxijsdqwhoapviktuo")


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
    trust = command.trust or before.trust
    runs_on = before.runs_on or command.trust == e.MENEUR
    house = e.House(trust, command.judging or before.judging, runs_on and trust == e.MENEUR)
    for value, values in ((house.trust, e.TRUSTS), (house.judging, e.JUDGINGS)):
        if value not in values:
            raise UnknownName("value", value, values)
    return [e.HouseSet(house=house, before=before)] if house != before else []
