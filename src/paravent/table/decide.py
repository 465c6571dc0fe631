"""Commands decided: the events that each brings about, or a refusal that changes nothing.

Whatever is decided for a seat is decided from what that seat may see: an id that it may not know is unknown to it.
Moves are played in :mod:`paravent.table.playing`; only their snapshots are kept.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any

from paravent.dice import SeededDice
from paravent.dice.errors import ParaventError
from paravent.game import NotYours, System, UnknownName, apply, to_plain
from paravent.game.errors import BadValue, NotNow, SeatError
from paravent.game.eyes import Eyes
from paravent.game.records import ALL, GM, look
from paravent.game.view import may_know

from . import commands as c
from . import events as e
from . import limits
from .errors import EmptyText, LastGameMaster, NothingToUndo, OnlyGameMaster, OnlyPlayers, OtherGame, RuleFailed
from .house import with_house_moves
from .limits import LONGEST_NAME, LONGEST_TEXT, no_more_than, short
from .state import OVER, Item, Running, State, evolve
from .view import Looking

GRADES = (GM, "player", "spectator")
ANYBODY = (c.PlayCard, c.RenameSeat, c.Leave, c.Return)
"""What a spectator may do too."""
MAYBE_ANONYMOUS = (c.PlayCard, c.Answer)
"""What may have to be done in nobody's name; see :func:`is_anonymous`."""
LEAVES_FEWER = (c.Leave, c.RevokeLink, c.GiveRecord, c.TakeRecord)
"""What may leave fewer people to wait for: a poll may be over by that alone."""


@dataclass(frozen=True)
class Fresh:
    """What a decision may not make by itself: unguessable bytes, the time, and what is kept in no log."""

    token: Callable[[int], bytes] = secrets.token_bytes
    now: str = ""
    issued: dict[str, str] = field(default_factory=dict)
    """Links made by this decision, by seat: they are told once and kept only as hashes."""
    passed: dict[str, set[str]] = field(default_factory=dict)
    """By poll, who let pass what others may veto unseen. It is never written: that somebody did not pass would tell."""

    def link(self, seat: str) -> str:
        """Make an unguessable link for a seat, and give its hash."""
        self.issued[seat] = self.token(20).hex()
        return link_hash(self.issued[seat])

    def name(self) -> str:
        """A short name that tells nothing."""
        return self.token(5).hex()


def link_hash(token: str) -> str:
    """The only form in which a link is kept."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def open_table(
    system: System,
    name: str,
    game_master: str,
    fresh: Fresh,
    options: Mapping[str, str] | None = None,
    lang: str = "fr",
) -> list[e.Event]:
    """The first events of a table: its game, its options, the game master's seat."""
    rulings = dict(system.book.rulings(options))
    limits.check_plain([name, game_master, lang])
    seat = fresh.name()
    opened = e.TableOpened(
        table=fresh.token(9).hex(), name=short(name, LONGEST_NAME), system=system.id, version=system.version,
        rulings=rulings, lang=lang, at=fresh.now, by=seat,
    )
    master = short(game_master, LONGEST_NAME)
    return [opened, e.SeatAdded(seat=seat, name=master, grade=GM, link=fresh.link(seat), at=fresh.now, by=seat)]


def decide(state: State, command: c.Command, system: System, fresh: Fresh) -> list[e.Event]:
    """The events that a command brings about; an error when it is refused."""
    place = state.seats.get(command.seat)
    if place is None:
        raise UnknownName("seat", command.seat, ())
    if place.grade == "spectator" and not isinstance(command, ANYBODY):
        raise OnlyPlayers(seat=place.name)
    back: list[e.Event] = []
    if not place.present and not isinstance(command, (c.Leave, c.PlayCard)):
        back = _came_back(state, command.seat, system)
        for event in back:
            state = evolve(state, event)
    try:
        happened = [*back, *_decide(command, state, with_house_moves(system, state), fresh)]
    except SeatError as refusal:
        raise _named(refusal, state) from None
    except ParaventError:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as broken:
        raise RuleFailed(what=e.type_name(type(command))) from broken
    anonymous = is_anonymous(state, command)
    told = [replace(event, by="" if anonymous else event.by or command.seat, at=fresh.now) for event in happened]
    if not isinstance(command, LEAVES_FEWER):
        return told
    over = playing.waits_no_more(_after(state, told), with_house_moves(system, state), fresh)
    return [*told, *(replace(event, at=fresh.now) for event in over)]


def _named(refusal: SeatError, state: State) -> SeatError:
    """The refusal, with the name of a seat instead of its id."""
    seat = state.seats.get(str(refusal.values.get("seat", "")))
    if seat is not None:
        refusal.values["seat"] = seat.name
    return refusal


def is_anonymous(state: State, command: c.Command) -> bool:
    """Whether nothing may tell who asked: the stop card, and what all others may veto."""
    return isinstance(command, c.PlayCard) or bool(poll_answered(state, command))


def poll_answered(state: State, command: c.Command) -> str:
    """The name of the poll that a command answers, unlike any other of the table; empty when it answers none."""
    number = _number_of(state, command.seat, command.number) if isinstance(command, c.Answer) else None
    return "" if number is None else poll_of(state.move(number))


def polls(state: State) -> frozenset[str]:
    """The polls that are open."""
    return frozenset(poll_of(kept) for kept in state.open_moves()) - {""}


def poll_of(kept: Mapping[str, Any]) -> str:
    """The name of the poll that a move waits for; empty when it waits for none."""
    answers = sum(len(throw["record"]) for throw in kept["throws"])
    return f"{kept['id']} {answers}" if anonymous_poll(kept) else ""


def anonymous_poll(kept: Mapping[str, Any]) -> bool:
    """Whether a move now waits for all the others together, none of whom is ever named."""
    pending = kept["pending"]
    return kept["phase"] == "open" and pending is not None and pending["type"] == "choice" and (
        pending["who"] == "others"
    )


def gm_only(state: State, command: c.Command) -> None:
    """Refuse anybody but a game master."""
    if not state.eyes_of(command.seat).is_gm(command.seat):
        raise OnlyGameMaster(what=e.type_name(type(command)))


def everyone_or(eyes: Eyes, seats: Iterable[str]) -> tuple[str, ...]:
    """An audience of these seats: everyone, when it is all of them; game masters, when it is they."""
    named = frozenset(seats)
    if named == frozenset(eyes.seats):
        return (ALL,)
    return (GM,) if named == eyes.masters else tuple(sorted(named))


def looks(state: State, seat: str, system: System) -> dict[str, Any]:
    """All that a seat sees, its count of events aside."""
    whole = Looking(state, seat, system).whole()
    del whole["last"]
    return whole


def touching(state: State, events: Iterable[e.Event], system: System) -> list[e.Event]:
    """The events, each told as well to those for whom it makes the table look otherwise."""
    told = []
    for event in events:
        after = evolve(state, event)
        heard = after.hearing(event.audience)
        touched = [
            seat for seat, place in after.seats.items()
            if place.present and seat not in heard and seat in state.seats
            and looks(state, seat, system) != looks(after, seat, system)
        ]
        told.append(replace(event, touched=tuple(sorted(touched))))
        state = evolve(state, told[-1])
    return told


@singledispatch
def _decide(command: c.Command, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    raise UnknownName("command", type(command).__name__, c.COMMANDS)


# Seats


@_decide.register
def _(command: c.AddSeat, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    if command.grade not in GRADES:
        raise UnknownName("value", command.grade, GRADES)
    no_more_than(limits.MOST_SEATS, len(state.seats) + 1, "seat")
    name = _name(command.name)
    seat = fresh.name()
    return touching(state, [e.SeatAdded(seat=seat, name=name, grade=command.grade, link=fresh.link(seat))], system)


@_decide.register
def _(command: c.RenameSeat, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    if command.who != command.seat:
        gm_only(state, command)
    _known_seat(state, command.who)
    before = state.seats[command.who].name
    return [e.SeatRenamed(seat=command.who, name=_name(command.name), before=before)]


def _name(asked: str) -> str:
    """Somebody's name: not too long, and not nothing."""
    name = short(asked, LONGEST_NAME)
    if not name:
        raise EmptyText()
    return name


@_decide.register
def _(command: c.RenewLink, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    _known_seat(state, command.who)
    back = [] if state.seats[command.who].present else _came_back(state, command.who, system)
    after = _after(state, back)
    renewed = e.LinkRenewed(seat=command.who, link=fresh.link(command.who), audience=(GM,))
    return [*back, *touching(after, [renewed], system)]


@_decide.register
def _(command: c.RevokeLink, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    _known_seat(state, command.who)
    _keeps_a_master(state, command.who)
    revoked = e.LinkRenewed(seat=command.who, link="", closed=True)
    return _gone(state, command.who, revoked, system)


@_decide.register
def _(command: c.Leave, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    who = command.who or command.seat
    if who != command.seat:
        gm_only(state, command)
    _known_seat(state, who)
    if not state.seats[who].present:
        return []
    return _gone(state, who, e.SeatLeft(seat=who), system)


@_decide.register
def _(command: c.Return, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    return []  # whoever asks anything is back


def _came_back(state: State, seat: str, system: System) -> list[e.Event]:
    events = touching(state, [e.SeatReturned(seat=seat)], system)
    return events + unsealed_again(_after(state, events), [name for name, held in state.records.items()
                                                          if held.owner == seat], system)


def _gone(state: State, seat: str, event: e.Event, system: System) -> list[e.Event]:
    """Somebody is gone: the game master answers for what is theirs, but does not read what they sealed."""
    events = touching(state, [event], system)
    theirs = [seat, *(name for name, held in state.records.items() if held.owner == seat)]
    return events + unsealed_again(_after(state, events), theirs, system)


def _after(state: State, events: Iterable[e.Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _keeps_a_master(state: State, leaving: str) -> None:
    if not [seat for seat, place in state.seats.items() if place.grade == GM and place.present and seat != leaving]:
        raise LastGameMaster()


def unsealed_again(state: State, actors: Iterable[str], system: System) -> list[e.Event]:
    """Sealed fields of these actors are emptied, unread: somebody else answers for them now."""
    names = set(actors)
    events: list[e.Event] = []
    for kept in state.open_moves():
        left = [
            row for row in kept["fields"]
            if not (row["actor"] in names and row["secrecy"] == "sealed" and row["field"] not in kept["revealed"])
        ]
        if len(left) < len(kept["fields"]) and kept["phase"] == "open":
            emptied = {row["actor"] for row in kept["fields"] if row not in left}
            patch = {"fields": left, "awaited": sorted({*kept["awaited"], *emptied})}
            after = {**kept, **patch}
            audience = everyone_or(state.eyes, (seat for seat in state.eyes.seats if may_know(state.eyes, seat, after)))
            events.append(e.FieldsFilled(number=kept["id"], patch=patch, audience=audience))
    return events


def _known_seat(state: State, seat: str) -> None:
    if seat not in state.seats:
        raise UnknownName("seat", seat, state.seats)


@_decide.register
def _(command: c.SetOptions, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    before = dict(system.book.still(state.rulings))
    settled = dict(system.book.rulings({**before, **command.options}))
    return [e.OptionsSet(rulings=settled, before=dict(state.rulings))] if settled != before else []


# Records


def visible_records(state: State, seat: str) -> list[str]:
    """The records that a seat may know of."""
    eyes = state.eyes_of(seat)
    return [name for name, held in state.records.items() if eyes.may_see(seat, name, {"owner", *held.seen_by})]


def known_record(state: State, seat: str, record: str) -> None:
    """Refuse the name of a record that a seat may not know of, as if it were not there."""
    visible = visible_records(state, seat)
    if record not in visible:
        raise UnknownName("record", record, visible)


def _seeing(state: State, record: str, audience: Iterable[str] = (ALL,)) -> tuple[str, ...]:
    """The audience of what concerns a record: those who may see it, and, of them, those who see a field of it."""
    eyes = state.eyes
    seen_by = {"owner", *state.records[record].seen_by}
    field_seen_by = frozenset(audience)
    return everyone_or(eyes, (
        seat for seat in eyes.seats
        if eyes.may_see(seat, record, seen_by) and eyes.may_see(seat, record, field_seen_by)
    ))


@_decide.register
def _(command: c.AddRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    kind = system.kind(command.kind)
    master = state.eyes.is_gm(command.seat)
    owner = command.owner if master else command.seat
    if owner:
        _known_seat(state, owner)
    if master:
        no_more_than(limits.MOST_RECORDS, len(state.records) + 1, "record")
    else:
        mine = [name for name, held in state.records.items() if held.owner == command.seat]
        no_more_than(limits.MOST_RECORDS_OF_A_PLAYER, len(mine) + 1, "record")
    rulings = system.book.still(state.rulings)
    sheet = dict(command.sheet or {})
    if command.ready:
        ready = kind.ready(state.lang)
        if command.ready not in ready:
            raise UnknownName("character", command.ready, ready)
        record = ready[command.ready]
    elif command.draw and kind.draw is not None:
        record = SeededDice(fresh.token(16).hex()).resolve(kind.draw, rulings)
    else:
        if sheet.get("system", system.id) != system.id or sheet.get("kind", kind.id) != kind.id:
            raise OtherGame(got=str(sheet.get("system")), wanted=system.id)
        record = kind.from_plain(sheet)
    if not master or not sheet:
        kind.validated(record, rulings)
    plain = to_plain(record)
    seen_by = tuple(sorted(kind.audience)) if command.seen_by is None or not master else command.seen_by
    _known_grades(state, seen_by)
    name = short(str(plain.get("name") or command.ready or command.kind), LONGEST_NAME)
    added = e.RecordAdded(record=fresh.name(), kind=kind.id, name=name, sheet=plain, owner=owner, seen_by=seen_by)
    return [replace(added, audience=_seeing(evolve(state, added), added.record))]


def _known_grades(state: State, seen_by: Iterable[str]) -> None:
    for name in seen_by:
        if name not in (ALL, GM, "owner", "player", "spectator") and name not in state.seats:
            raise UnknownName("seat", name, state.seats)


@_decide.register
def _(command: c.EditRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    known_record(state, command.seat, command.record)
    held = state.records[command.record]
    eyes = state.eyes_of(command.seat)
    master = eyes.is_gm(command.seat)
    if not master and held.owner != command.seat:
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    kind = system.kind(held.kind)
    seen = (Looking(state, command.seat, system).record(command.record) or {})["sheet"]
    try:
        before = look(seen, command.path)
    except (KeyError, AttributeError, TypeError):
        raise UnknownName("field", command.path, seen) from None
    changed = kind.from_plain(apply(held.sheet, command.path, command.value))
    fault = _fault_seen(state, system, command.record, changed, command.seat)
    if fault is not None and not master:
        raise fault
    after = look(to_plain(changed), command.path)
    audience = _seeing(state, command.record, kind.hidden.get(command.path.partition(".")[0], (ALL,)))
    marked = [
        seat for seat in eyes.seats
        if master and _fault_seen(state, system, command.record, changed, seat) is not None
    ]
    change = e.RecordChanged(
        record=command.record, path=command.path, before=before, after=after, beyond=fault is not None,
        marked=tuple(marked), audience=audience,
    )
    return [change]


def _fault_seen(state: State, system: System, name: str, record: Any, seat: str) -> ParaventError | None:
    """What the rules say against a changed record, from what a seat may see of it: the rest is never read."""
    held = state.records[name]
    seen = Looking(state, seat, system).record(name)
    if seen is None:
        return None
    kind = system.kind(held.kind)
    try:
        kind.validated_without(record, set(held.sheet) - set(seen["sheet"]), system.book.still(state.rulings))
    except ParaventError as fault:
        return fault
    return None


@_decide.register
def _(command: c.ShowRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    known_record(state, command.seat, command.record)
    _known_grades(state, command.seen_by)
    held = state.records[command.record]
    shown = e.RecordShown(record=command.record, seen_by=command.seen_by, before=held.seen_by)
    return _told_before_and_after(state, shown, system)


def _told_before_and_after(state: State, event: Any, system: System) -> list[e.Event]:
    """An event on a record, told to those who may know of it before or after."""
    eyes, after = state.eyes, evolve(state, event)
    seats = {
        seat for seat in eyes.seats
        if event.record in visible_records(state, seat) or event.record in visible_records(after, seat)
    }
    return touching(state, [replace(event, audience=everyone_or(eyes, seats))], system)


@_decide.register
def _(command: c.GiveRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    known_record(state, command.seat, command.record)
    if command.owner:
        _known_seat(state, command.owner)
    return _given(state, command.record, command.owner, system)


def _given(state: State, record: str, owner: str, system: System, back: bool = False) -> list[e.Event]:
    held = state.records[record]
    given = e.RecordGiven(record=record, owner=owner, before=held.owner, back=back)
    events = _told_before_and_after(state, given, system)
    return events + unsealed_again(_after(state, events), [record], system)


@_decide.register
def _(command: c.TakeRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    known_record(state, command.seat, command.record)
    held = state.records[command.record]
    if held.owner or ALL not in held.seen_by or held.kind != "character":
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    return _given(state, command.record, command.seat, system)


@_decide.register
def _(command: c.RemoveRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    known_record(state, command.seat, command.record)
    return _told_before_and_after(state, _removal(state, command.record), system)


def _removal(state: State, record: str, back: bool = False) -> e.RecordRemoved:
    return e.RecordRemoved(record=record, kept=to_plain(state.records[record]), back=back)


# Words


@_decide.register
def _(command: c.Say, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    if command.kind not in ("message", "story", "whisper", "handout", "note"):
        raise UnknownName("value", command.kind, ("message", "story", "whisper", "handout", "note"))
    if command.kind in ("handout", "note"):
        gm_only(state, command)
    for seat in command.to:
        _known_seat(state, seat)
    text = short(command.text, LONGEST_TEXT)
    if not text:
        raise EmptyText()
    audience: tuple[str, ...] = (ALL,)
    if command.kind == "note":
        audience = (GM,)
    elif command.kind == "whisper" or command.to:
        audience = tuple(sorted({command.seat, *(command.to or state.eyes.masters)}))
    title = short(command.title, LONGEST_NAME)
    return [e.Said(kind=command.kind, text=text, title=title, to=tuple(sorted(set(command.to))), audience=audience)]


@_decide.register
def _(command: c.PlayCard, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    return [e.CardPlayed(card="stop")]


@_decide.register
def _(command: c.OpenScene, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    if command.kind not in ("scene", "episode"):
        raise UnknownName("value", command.kind, ("scene", "episode"))
    before = {"scene": state.scene, "episode": state.episode}
    return [e.SceneOpened(kind=command.kind, title=short(command.title, LONGEST_NAME), before=before)]


# Moves: see :mod:`paravent.table.playing`


def _number_of(state: State, seat: str, own: int) -> int | None:
    found = next((at for at, number in state.known_moves(seat).items() if number == own), None)
    if found is None or not may_know(state.eyes_of(seat), seat, state.moves[found]):
        return None
    return int(found)


def seat_number(state: State, seat: str, own: int) -> int:
    """The table's number of a move that the seat knows by its own."""
    number = _number_of(state, seat, own)
    if number is None:
        known = state.known_moves(seat).values()
        raise UnknownName("open move", str(own), (str(at) for at in known if _number_of(state, seat, at) is not None))
    return number


def encounter_number(state: State, seat: str, own: int | None) -> int | None:
    """The table's number of an encounter that the seat knows by its own."""
    if own is None:
        return None
    known = state.known_encounters(seat)
    found = next((at for at, number in known.items() if number == own), None)
    if found is None or not _faces(state, seat, state.encounters.get(found)):
        raise UnknownName("encounter", str(own), (str(at) for at in known.values()))
    return int(found)


def _faces(state: State, seat: str, running: Running | None) -> bool:
    return running is not None and state.eyes_of(seat).may_see(seat, "", running.seen_by)


@_decide.register
def _(command: c.EndEncounter, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = encounter_number(state, command.seat, command.number)
    assert number is not None
    if state.encounters[str(number)].over:
        raise NotNow(move="end-encounter", needs="over")
    return encounter_ended(state, number)


def encounter_ended(state: State, number: int) -> list[e.Event]:
    """An encounter is over, for those who may know of it."""
    eyes, running = state.eyes, state.encounters[str(number)]
    audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", running.seen_by)))
    return [e.EncounterEnded(number=number, audience=audience)]


@_decide.register
def _(command: c.Cancel, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    return cancelled(state, seat_number(state, command.seat, command.number))


def cancelled(state: State, number: int) -> list[e.Event]:
    """A move ends and nothing is applied; what was sealed stays unread."""
    kept = state.move(number)
    if kept["phase"] in OVER:
        raise NotNow(move=kept["move"], needs=kept["phase"])
    patch: dict[str, Any] = {"phase": "cancelled", "pending": None, "awaited": []}
    eyes, after = state.eyes, {**kept, **patch}
    audience = everyone_or(eyes, (seat for seat in eyes.seats if may_know(eyes, seat, after)))
    return [e.MoveEnded(number=number, patch=patch, phase="cancelled", audience=audience)]


@_decide.register
def _(command: c.TurnOver, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    for name in command.to:
        if name not in (ALL, GM):
            _known_seat(state, name)
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
    return events + (_come_out(_after(state, events), kept, system) if ALL in command.to else [])


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


# Taking back


@_decide.register
def _(command: c.Correct, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    looking = Looking(state, command.seat, system)
    mine = (item for item in state.log if item.heard.get(command.seat) == command.item)
    item = next((item for item in mine if not item.undone), None)
    if item is None or looking.line(item) is None:
        raise NothingToUndo()
    return _taken_back(state, item, command, system, fresh)


@_decide.register
def _(command: c.UndoLast, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    looking = Looking(state, command.seat, system)
    item = next(
        (item for item in reversed(state.log)
         if not item.undone and item.event.get("type") in _UNDOABLE and looking.line(item) is not None), None,
    )
    if item is None:
        raise NothingToUndo()
    return _taken_back(state, item, command, system, fresh)


_UNDOABLE = (
    "record-changed", "options-set", "scene-opened", "said", "record-added", "record-shown", "record-given",
    "record-removed", "throw-turned-over", "changed",
)


def _taken_back(state: State, item: Item, command: c.Command, system: System, fresh: Fresh) -> list[e.Event]:
    told = item.event
    name = told.get("record", "")
    if name and told["type"] != "record-removed" and name not in state.records:
        raise NothingToUndo()
    back: list[e.Event] = []
    match told.get("type"):
        case "record-changed":
            if look(state.records[name].sheet, told["path"]) != told["after"]:
                raise NothingToUndo()
            back = [_change_back(name, told["path"], told["after"], told["before"])]
        case "options-set":
            back = [_change_back("table", "rulings", told["rulings"], told["before"])]
        case "scene-opened":
            back = [_change_back("table", path, getattr(state, path), told["before"].get(path, ""))
                    for path in ("episode", "scene")]
        case "said":
            pass
        case "record-added":
            back = _told_before_and_after(state, _removal(state, name, back=True), system)
        case "record-removed":
            held = told["kept"]
            added = e.RecordAdded(
                record=name, kind=held["kind"], name=held["name"], sheet=held["sheet"], owner=held["owner"],
                seen_by=tuple(held["seen_by"]), back=True,
            )
            back = _told_before_and_after(state, added, system)
        case "record-shown":
            shown = e.RecordShown(
                record=name, seen_by=tuple(told["before"]), before=state.records[name].seen_by, back=True
            )
            back = _told_before_and_after(state, shown, system)
        case "record-given":
            back = _given(state, name, told["before"], system, back=True)
        case "throw-turned-over":
            back = _turned_back(state, told, item, system)
        case "changed":
            own = Looking(state, command.seat, system).own_number(told["move"])
            if own is None:
                raise NothingToUndo()
            back = _decide(c.Undo(seat=command.seat, number=own), state, system, fresh)
        case _:
            raise NothingToUndo()
    after = _after(state, told_changes(state, back, system))
    what = e.Corrected(what=str(told["type"]), item=item.number, back=True)
    heard = {*item.heard, *state.eyes.masters} & set(state.eyes.seats)
    audience = (ALL,) if ALL in told["audience"] else everyone_or(state.eyes, heard)
    corrected = touching(after, [replace(what, audience=audience)], system)
    return [*told_changes(state, back, system), *corrected]


def _change_back(target: str, path: str, before: Any, after: Any) -> e.Changed:
    return e.Changed(changes=[{"target": target, "path": path, "before": before, "after": after}], back=True)


def told_changes(state: State, events: Iterable[e.Event], system: System) -> list[e.Event]:
    """The events; changes are told to those for whom they make a difference."""
    told: list[e.Event] = []
    for event in events:
        if isinstance(event, e.Changed):
            event = changes_told(state, event, system)
        told.append(event)
        state = evolve(state, event)
    return told


def changes_told(state: State, event: e.Changed, system: System) -> e.Changed:
    """Changes, told to those for whom the table then looks otherwise, and to the game masters."""
    after = evolve(state, replace(event, audience=()))
    eyes = state.eyes
    seats = {seat for seat in eyes.seats if looks(state, seat, system) != looks(after, seat, system)}
    return replace(event, audience=everyone_or(eyes, seats | eyes.masters))


def _turned_back(state: State, told: Mapping[str, Any], item: Item, system: System) -> list[e.Event]:
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


from . import playing  # noqa: E402  (the commands on moves register themselves)

__all__ = ["Fresh", "decide", "link_hash", "open_table", "playing"]
