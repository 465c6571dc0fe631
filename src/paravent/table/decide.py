"""Commands decided: the events that each brings about, or a refusal that changes nothing.

Whatever is decided for a seat is decided from what that seat may see: an id that it may not know is unknown to it.
Moves are played by :class:`paravent.game.session.Session` on what the state holds; only their snapshots are kept.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any

from paravent.dice import KeyedFaces, SeededDice, commitment
from paravent.dice.errors import ParaventError, RecordDiffers
from paravent.dice.fair import Faces, LiveFaces
from paravent.game import NotNow, NotYours, Resolve, System, UnknownName, from_plain, to_plain
from paravent.game.eyes import Eyes
from paravent.game.frozen import snapshot, thaw
from paravent.game.records import GM, look
from paravent.game.session import Held, OpenMove, Running, Session
from paravent.game.view import may_know, move_seen, sheet_seen

from . import commands as c
from . import events as e
from .errors import NothingToUndo, OnlyGameMaster, OnlyPlayers, RuleChanged, TooLong
from .house import with_house_moves
from .state import OVER, State

LONGEST_TEXT = 8000
LONGEST_NAME = 60
GRADES = (GM, "player", "spectator")


@dataclass(frozen=True)
class Fresh:
    """What a decision may not make by itself: unguessable bytes, and the time."""

    token: Callable[[int], bytes] = secrets.token_bytes
    now: str = ""
    issued: dict[str, str] = field(default_factory=dict)
    """Links made by this decision, by seat: they are told once and kept only as hashes."""

    def link(self, seat: str) -> str:
        """Make an unguessable link for a seat, and give its hash."""
        self.issued[seat] = self.token(20).hex()
        return link_hash(self.issued[seat])

    def name(self) -> str:
        """A short name that tells nothing."""
        return self.token(5).hex()


def link_hash(token: str) -> str:
    """The only form in which a link is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


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
    seat = fresh.name()
    opened = e.TableOpened(
        table=fresh.token(9).hex(), name=_short(name, LONGEST_NAME), system=system.id, version=system.version,
        rulings=rulings, lang=lang, at=fresh.now, by=seat,
    )
    master = _short(game_master, LONGEST_NAME)
    return [opened, e.SeatAdded(seat=seat, name=master, grade=GM, link=fresh.link(seat), at=fresh.now, by=seat)]


def decide(state: State, command: c.Command, system: System, fresh: Fresh) -> list[e.Event]:
    """The events that a command brings about; an error when it is refused."""
    place = state.seats.get(command.seat)
    if place is None:
        raise UnknownName("seat", command.seat, ())
    if place.grade == "spectator" and not isinstance(command, (c.PlayCard, c.RenameSeat)):
        raise OnlyPlayers(seat=place.name)
    happened = _decide(command, state, with_house_moves(system), fresh)
    anonymous = isinstance(command, c.PlayCard)
    return [replace(event, by=event.by if anonymous or event.by else command.seat, at=fresh.now) for event in happened]


def _gm_only(state: State, command: c.Command) -> None:
    if not state.eyes.is_gm(command.seat):
        raise OnlyGameMaster(what=e.type_name(type(command)))


def _short(text: str, longest: int) -> str:
    text = text.strip()
    if len(text) > longest:
        raise TooLong(longest=longest, got=len(text))
    return text


@singledispatch
def _decide(command: c.Command, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    raise UnknownName("command", type(command).__name__, c.COMMANDS)


# Seats


@_decide.register
def _(command: c.AddSeat, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    if command.grade not in GRADES:
        raise UnknownName("value", command.grade, GRADES)
    name = _short(command.name, LONGEST_NAME)
    seat = fresh.name()
    return [e.SeatAdded(seat=seat, name=name, grade=command.grade, link=fresh.link(seat))]


@_decide.register
def _(command: c.RenameSeat, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    if command.who != command.seat:
        _gm_only(state, command)
    _known_seat(state, command.who)
    return [e.SeatRenamed(seat=command.who, name=_short(command.name, LONGEST_NAME))]


@_decide.register
def _(command: c.RenewLink, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    _known_seat(state, command.who)
    return [e.LinkRenewed(seat=command.who, link=fresh.link(command.who), audience=(GM,))]


@_decide.register
def _(command: c.RevokeLink, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    _known_seat(state, command.who)
    return [e.LinkRenewed(seat=command.who, link="", audience=(GM,))]


def _known_seat(state: State, seat: str) -> None:
    if seat not in state.seats:
        raise UnknownName("seat", seat, state.seats)


@_decide.register
def _(command: c.SetOptions, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    settled = system.book.rulings({**state.rulings, **command.options})
    return [e.OptionsSet(rulings=dict(settled), before=dict(state.rulings))]


# Records


@_decide.register
def _(command: c.AddRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    kind = system.kind(command.kind)
    master = state.eyes.is_gm(command.seat)
    owner = command.owner if master else command.seat
    if owner:
        _known_seat(state, owner)
    rulings = system.book.rulings(state.rulings)
    if command.ready:
        ready = kind.ready(state.lang)
        if command.ready not in ready:
            raise UnknownName("character", command.ready, ready)
        record = ready[command.ready]
    elif command.draw and kind.draw is not None:
        record = SeededDice(fresh.token(16).hex()).resolve(kind.draw, rulings)
    else:
        record = kind.from_plain(command.sheet or {})
    if not master or not command.sheet:
        kind.validated(record, rulings)
    sheet = to_plain(record)
    seen_by = tuple(sorted(kind.audience)) if command.seen_by is None or not master else command.seen_by
    name = _short(str(sheet.get("name") or command.ready or command.kind), LONGEST_NAME)
    audience = _seen_by(state, seen_by, owner)
    return [
        e.RecordAdded(record=fresh.name(), kind=kind.id, name=name, sheet=sheet, owner=owner, seen_by=seen_by,
                      audience=audience)
    ]


def _seen_by(state: State, seen_by: Iterable[str], owner: str) -> tuple[str, ...]:
    """The audience of what concerns a record: those who see it, its owner, the game master."""
    names = set(seen_by)
    if "all" in names:
        return ("all",)
    return tuple(sorted({GM, *(names - {"owner"}), *([owner] if owner else ())}))


def record_audience(state: State, record: str) -> tuple[str, ...]:
    """Who may know of a record."""
    held = state.records[record]
    return _seen_by(state, held.seen_by, held.owner)


def _visible_records(state: State, seat: str) -> list[str]:
    eyes = state.eyes
    return [
        name for name, held in state.records.items()
        if sheet_seen(eyes, seat, name, held.sheet, frozenset(held.seen_by), {}) is not None
        or seat in held.seen_by
    ]


def _known_record(state: State, command: c.Command, record: str) -> None:
    visible = _visible_records(state, command.seat)
    if record not in visible:
        raise UnknownName("record", record, visible)


@_decide.register
def _(command: c.EditRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _known_record(state, command, command.record)
    held = state.records[command.record]
    master = state.eyes.is_gm(command.seat)
    if not master and held.owner != command.seat:
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    kind = system.kind(held.kind)
    try:
        before = look(held.sheet, command.path)
    except (KeyError, AttributeError, TypeError):
        raise UnknownName("field", command.path, held.sheet) from None
    from paravent.game import apply

    changed = kind.from_plain(apply(held.sheet, command.path, command.value))
    beyond = False
    try:
        kind.validated(changed, system.book.rulings(state.rulings))
    except ParaventError:
        if not master:
            raise
        beyond = True
    after = look(to_plain(changed), command.path)
    hidden = kind.hidden.get(command.path.partition(".")[0])
    audience = record_audience(state, command.record) if hidden is None else _seen_by(state, hidden, held.owner)
    return [
        e.RecordChanged(record=command.record, path=command.path, before=before, after=after, beyond=beyond,
                        audience=audience)
    ]


@_decide.register
def _(command: c.ShowRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    _known_record(state, command, command.record)
    for name in command.seen_by:
        if name not in ("all", GM, "owner") and name not in state.seats:
            raise UnknownName("seat", name, state.seats)
    held = state.records[command.record]
    audience = _seen_by(state, {*held.seen_by, *command.seen_by}, held.owner)
    return [e.RecordShown(record=command.record, seen_by=command.seen_by, before=held.seen_by, audience=audience)]


@_decide.register
def _(command: c.GiveRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    _known_record(state, command, command.record)
    if command.owner:
        _known_seat(state, command.owner)
    held = state.records[command.record]
    audience = _seen_by(state, held.seen_by, command.owner)
    return [e.RecordGiven(record=command.record, owner=command.owner, before=held.owner, audience=audience)]


@_decide.register
def _(command: c.TakeRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _known_record(state, command, command.record)
    held = state.records[command.record]
    if held.owner or "all" not in held.seen_by or held.kind != "character":
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    return [e.RecordGiven(record=command.record, owner=command.seat, before="")]


@_decide.register
def _(command: c.RemoveRecord, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    _known_record(state, command, command.record)
    return [e.RecordRemoved(record=command.record, audience=record_audience(state, command.record))]


# Words


@_decide.register
def _(command: c.Say, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    if command.kind not in ("message", "story", "whisper", "handout", "note"):
        raise UnknownName("value", command.kind, ("message", "story", "whisper", "handout", "note"))
    if command.kind in ("handout", "note"):
        _gm_only(state, command)
    for seat in command.to:
        _known_seat(state, seat)
    text = _short(command.text, LONGEST_TEXT)
    if not text:
        raise NotNow(move="say", needs="text")
    audience: tuple[str, ...] = ("all",)
    if command.kind == "note":
        audience = (GM,)
    elif command.kind == "whisper" or command.to:
        audience = tuple(sorted({command.seat, *(command.to or state.eyes.masters)}))
    title = _short(command.title, LONGEST_NAME)
    return [e.Said(kind=command.kind, text=text, title=title, to=command.to, audience=audience)]


@_decide.register
def _(command: c.PlayCard, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    return [e.CardPlayed(card="stop")]


@_decide.register
def _(command: c.OpenScene, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    if command.kind not in ("scene", "episode"):
        raise UnknownName("value", command.kind, ("scene", "episode"))
    return [e.SceneOpened(kind=command.kind, title=_short(command.title, LONGEST_NAME))]


# Moves


def seat_number(state: State, seat: str, number: int) -> int:
    """The table's number of a move that the seat knows by its own."""
    known = state.counts[seat].moves if seat in state.counts else {}
    found = next((int(at) for at, own in known.items() if own == number), None)
    if found is None or str(found) not in state.moves:
        raise UnknownName("open move", str(number), (str(own) for own in known.values()))
    return found


def _everyone_or(eyes: Eyes, seats: Collection[str]) -> tuple[str, ...]:
    """An audience of these seats: everyone, when it is all of them."""
    return ("all",) if len(seats) == len(eyes.seats) else tuple(sorted(seats))


class _Played:
    """A session over the state, for one command; afterwards, the events that tell what it did."""

    def __init__(self, state: State, system: System, fresh: Fresh, number: int = 0, faces: Faces | None = None) -> None:
        self.state, self.system, self.fresh = state, system, fresh
        self.session = Session(system, state.eyes.seats, state.rulings, faces or LiveFaces())
        self.session.day = state.day
        for name, held in state.records.items():
            record = system.kind(held.kind).from_plain(held.sheet)
            self.session.records[name] = Held(record, held.kind, held.owner, frozenset(held.seen_by))
        for at, running in state.encounters.items():
            declared = system.encounters[running.encounter]
            self.session.encounters[int(at)] = Running(declared, from_plain(declared.state, running.state))
        self.encounters_before = len(self.session.encounters)
        if number:
            self.session.moves = {number: self._thawed(number)}

    def _thawed(self, number: int) -> OpenMove:
        kept = self.state.move(number)
        if kept["version"] != self.system.version and kept["phase"] == "open" and kept["throws"]:
            raise RuleChanged(move=kept["move"], before=kept["version"], now=self.system.version)
        kinds = {name: held.kind for name, held in self.state.records.items()}
        try:
            return thaw(kept, self.system, {name: kinds.get(name, "character") for name in kept["sheets"]})
        except RecordDiffers:
            raise RuleChanged(move=kept["move"], before=kept["version"], now=self.system.version) from None

    def event(self, kind: type[e.MoveEvent], number: int, **more: Any) -> list[e.Event]:
        """What happened to a move, told to those for whom something is new; and the throw made ready, if any."""
        op = self.session.moves[number]
        after = snapshot(op, self.system)
        before = self.state.moves.get(str(number), {})
        if "keys" in before:
            after["keys"] = before["keys"]
        patch = {name: value for name, value in after.items() if name not in before or before[name] != value}
        told = [kind(number=number, patch=patch, audience=self._told(before, after), **more)]
        return [*told, *self._ready(op, number, after), *self._opened()]

    def _told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
        eyes = self.session.eyes
        seats = [
            seat for seat in eyes.seats
            if may_know(eyes, seat, after)
            and (not before or not may_know(eyes, seat, before)
                 or move_seen(eyes, seat, before) != move_seen(eyes, seat, after))
        ]
        return _everyone_or(eyes, seats)

    def _ready(self, op: OpenMove, number: int, after: Mapping[str, Any]) -> list[e.Event]:
        step = op.step(self.system) if op.phase == "open" else None
        keys = after.get("keys", {})
        if not isinstance(step, Resolve) or step.id in keys or step.id in op.records:
            return []
        key = self.fresh.token(32)
        exists = step.shown(op.context(self.system), None).exists
        eyes = self.session.eyes
        heard = [seat for seat in self.session.seats_of(op, exists) if may_know(eyes, seat, after)]
        made = {"key": key.hex(), "hash": commitment(key), "exists": sorted(exists)}
        patch = {"keys": {**keys, step.id: made}}
        audience = _everyone_or(eyes, heard)
        return [e.ThrowReady(number=number, patch=patch, step=step.id, hash=commitment(key), audience=audience)]

    def _opened(self) -> list[e.Event]:
        opened = [at for at in self.session.encounters if at > self.encounters_before]
        return [
            e.EncounterOpened(number=at, encounter=running.encounter.id, state=to_plain(running.state))
            for at in opened
            for running in (self.session.encounters[at],)
        ]


@_decide.register
def _(command: c.StartMove, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    visible = {*_visible_records(state, command.seat), *state.seats}
    for members in command.cast.values():
        for name in members:
            if name not in visible:
                raise UnknownName("record", name, visible)
    played = _Played(state, system, fresh)
    number = state.moves_started + 1
    started = played.session.start(command.seat, command.move, command.cast, command.form, command.encounter)
    op = replace(played.session.moves.pop(started), id=number)
    played.session.moves[number] = op
    return played.event(e.MoveStarted, number)


@_decide.register
def _(command: c.Fill, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    played = _Played(state, system, fresh, number)
    played.session.fill(command.seat, number, command.values, command.actor)
    return played.event(e.FieldsFilled, number, fields=tuple(command.values))


@_decide.register
def _(command: c.Throw, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return _thrown(state, system, fresh, number, command)


def _faces(state: State, number: int, step: str, nonce: str) -> Faces:
    made = state.move(number).get("keys", {}).get(step)
    if made is None:
        raise NotNow(move=state.move(number)["move"], needs=step)
    return KeyedFaces(bytes.fromhex(made["key"]), made.get("nonce", nonce).encode())


def _thrown(state: State, system: System, fresh: Fresh, number: int, command: c.Throw) -> list[e.Event]:
    played = _Played(state, system, fresh, number)
    step = played.session.moves[number].step(system)
    if not isinstance(step, Resolve):
        raise NotNow(move=state.move(number)["move"], needs=step.id if step else "accept")
    nonce = _short(command.nonce, 128)
    played.session.faces = _faces(state, number, step.id, nonce)
    played.session.throw(command.seat, number, by_hand=command.by_hand)
    keys = state.move(number)["keys"]
    nonced = {**keys, step.id: {**keys[step.id], "nonce": nonce}}
    told, *rest = _with_keys(played, e.DiceThrown, number, nonced, step=step.id, nonce=nonce)
    return [told, *rest]


def _with_keys(
    played: _Played, kind: type[e.MoveEvent], number: int, keys: Mapping[str, Any], **more: Any
) -> list[e.Event]:
    before = played.state.move(number)
    played.state = replace(played.state, moves={**played.state.moves, str(number): {**before, "keys": dict(keys)}})
    told, *rest = played.event(kind, number, **more)
    assert isinstance(told, e.MoveEvent)
    return [replace(told, patch={**told.patch, "keys": dict(keys)}), *rest]


@_decide.register
def _(command: c.Answer, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return _answered(state, system, fresh, number, lambda session: session.answer(command.seat, number, command.answer))


@_decide.register
def _(command: c.CloseStep, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return _answered(state, system, fresh, number, lambda session: session.close(command.seat, number))


def _answered(
    state: State, system: System, fresh: Fresh, number: int, act: Callable[[Session], None]
) -> list[e.Event]:
    played = _Played(state, system, fresh, number)
    step = played.session.moves[number].step(system)
    if isinstance(step, Resolve) and step.id in played.session.moves[number].records:
        played.session.faces = _faces(state, number, step.id, "")
    act(played.session)
    return played.event(e.Answered, number)


@_decide.register
def _(command: c.Withdraw, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    played = _Played(state, system, fresh, number)
    played.session.withdraw(command.seat, number)
    return played.event(e.MoveEnded, number, phase="withdrawn")


@_decide.register
def _(command: c.Cancel, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    if kept["phase"] in OVER:
        raise NotNow(move=kept["move"], needs=kept["phase"])
    after = {**kept, "phase": "cancelled", "pending": None, "awaited": []}
    eyes = state.eyes
    audience = _everyone_or(eyes, [seat for seat in eyes.seats if may_know(eyes, seat, after)])
    patch: dict[str, Any] = {"phase": "cancelled", "pending": None, "awaited": []}
    return [e.MoveEnded(number=number, patch=patch, phase="cancelled", audience=audience)]


@_decide.register
def _(command: c.Accept, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    played = _Played(state, system, fresh, number)
    amend = {int(at): value for at, value in command.amend.items()}
    played.session.accept(command.seat, number, amend, command.refuse)
    changes = [change.to_json() for change in played.session.moves[number].changes]
    return played.event(e.MoveEnded, number, phase="closed", changes=changes)


@_decide.register
def _(command: c.Undo, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    played = _Played(state, system, fresh, number)
    done = played.session.moves[number].changes
    played.session.undo(command.seat, number)
    back = [{**change.to_json(), "before": change.after, "after": change.before} for change in reversed(done)]
    return played.event(e.MoveUndone, number, changes=[{**row, "after": to_plain(row["after"])} for row in back])


@_decide.register
def _(command: c.TurnOver, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    everyone = {"exists": ["all"], "dice": ["all"], "outcome": ["all"]}
    before = next((throw["shown"] for throw in kept["throws"] if throw["step"] == command.step), None)
    if before is None:
        raise NotNow(move=kept["move"], needs=command.step)
    throws = [
        {**throw, "shown": everyone, "turned_over": True} if throw["step"] == command.step else throw
        for throw in kept["throws"]
    ]
    patch = {"throws": throws, "exists": ["all"]}
    return [e.ThrowTurnedOver(number=number, patch=patch, step=command.step, before=before)]


@_decide.register
def _(command: c.Correct, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    _gm_only(state, command)
    item = next((item for item in state.log if item.number == command.item and not item.undone), None)
    if item is None or item.move:
        raise NothingToUndo(item=command.item)
    told = item.event
    audience = tuple(told["audience"])
    match told["type"]:
        case "record-changed":
            before, after = told["after"], told["before"]
            changes = [{"target": told["record"], "path": told["path"], "before": before, "after": after}]
        case "options-set":
            changes = [{"target": "options", "path": "", "before": told["rulings"], "after": told["before"]}]
        case "said":
            changes = []
        case _:
            raise NothingToUndo(item=command.item)
    return [e.Corrected(what=told["type"], item=command.item, changes=changes, audience=audience)]
