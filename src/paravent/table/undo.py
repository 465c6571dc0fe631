"""Taking back: what an act changed, a line of the log, a throw that was turned over. The log says so.

What was seen cannot be unseen: it stays listed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins
from msgspec.structs import replace

from paravent.game import NotNow, NotYours, System
from paravent.game.errors import Stale
from paravent.game.plain import Plain
from paravent.game.records import ALL

from . import commands as c
from . import events as e
from .act import Act, Proposal, progress
from .deciding import Fresh, as_one, events_of, everyone_or, folded, gm_only, seat_number, told_changes, touching
from .ending import cancelled
from .errors import NothingToUndo
from .evolve import changed, evolve
from .going_on import not_begun
from .knowing import ends_unseen
from .making import made_known, value_now
from .preparing import put_aside, unplayed
from .records import given, removal, told_before_and_after
from .shelf import backdrop_set, put_back
from .showing import turned, turned_told
from .state import Item, State, timer_of
from .timing import turned_back
from .turn import told_of_act
from .view import Looking

_UNDOABLE = (
    e.RecordChanged, e.OptionsSet, e.HouseSet, e.SceneOpened, e.Said, e.RecordAdded, e.RecordShown, e.RecordGiven,
    e.RecordRemoved, e.ThrowTurnedOver, e.Changed, e.ClockSet, e.RecordPictured, e.BackdropSet, e.DocumentKept,
    e.DocumentShown, e.DocumentRemoved, e.AppointmentSet, e.AppointmentDropped, e.HourglassTurned,
)


# What an act changed


@events_of.register
def _(command: c.Undo, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    act = state.move(number)
    if not state.eyes.is_gm(command.seat):
        _of_their_own(state, command.seat, act, system)
    if not (act.phase == "closed" or any(change.made for change in act.changes)):
        raise NotNow(move=act.move, needs=act.phase)
    changes = _made_back(state, act, command.seat)
    after = replace(act, phase="undone", awaited=(), changes=_that_were_made(act))
    undone = e.MoveUndone(
        number=number, then=progress(act, after), audience=told_of_act(state, system, act, after),
    )
    item = next((item for item in state.log if isinstance(item.event, e.Changed) and not item.undone
                 and item.event.move == number and not item.event.back), None)
    told = [undone, *made_known(evolve(state, undone), system, changes, number, back=True)]
    if item is not None:
        told.append(e.Corrected(what="changed", item=item.number, back=True, audience=item.audience))
    for other in not_begun(state, number):
        told += cancelled(folded(state, told), other)
    return told


def may_undo(state: State, seat: str, act: Act, system: System) -> bool:
    """Whether a seat may take back what an act changed: the game master, or whoever did what applied by itself."""
    try:
        if not state.eyes.is_gm(seat):
            _of_their_own(state, seat, act, system)
    except (NotYours, NotNow):
        return False
    return True


def _of_their_own(state: State, seat: str, act: Act, system: System) -> None:
    """Refuse a player who would take back anything but what applied by itself of what they did.

    What they may not see of the act neither allows nor refuses anything.
    """
    mine = seat == act.starter or seat in state.eyes.hearing(act.cast, act.by, (act.by,))
    seen = Looking(state, seat, system).move(act)
    if not mine or seen is None or not act.weighed or ends_unseen(state.eyes, seat, act):
        raise NotYours(seat=seat, what="undo")
    if any(change.weight == "grave" for change in seen.changes):
        raise NotYours(seat=seat, what="undo")  # the game master's word stands, or is awaited
    if seen.phase != "closed" or not seen.changes:
        raise NotNow(move=act.move, needs=seen.phase)


def _that_were_made(act: Act) -> tuple[Proposal, ...]:
    """The changes of an act that were made: of one that is closed, all."""
    return act.changes if act.phase == "closed" else tuple(change for change in act.changes if change.made)


def _made_back(state: State, act: Act, by: str) -> list[e.Made]:
    """The changes that an act made, the other way round; its rule is not asked, and may be no more.

    A player is not told that something they may not see was changed again: it stays as it now is.
    """
    rows: list[e.Made] = []
    eyes = state.eyes_of(by)
    for change in reversed(_that_were_made(act)):
        now = value_now(state, change.target, change.path, act.encounter)
        if now != change.after and not _same_timer(change, now):
            unseen = not eyes.is_gm(by) and not (
                eyes.may_see(by, change.target, {"owner", *change.present})
                and eyes.may_see(by, change.target, change.value_audience))
            if unseen:
                continue
            raise Stale(target=change.target, path=change.path, before=change.after, now=now)
        row = e.Made(change.target, change.path, change.after, change.before, change.rule, weight=change.weight,
                     undone_by=by)
        if not change.path and change.before is not None and change.target not in ("clock", "encounter"):
            part = act.part(change.target)
            was = (part.kind, part.version) if part is not None and part.kind else (change.kind, change.version)
            row = replace(row, kind=was[0] or "character", version=was[1])
        rows.append(row)
        state = changed(state, row, act.encounter)
    return rows


def _same_timer(change: Proposal, now: Plain) -> bool:
    """Whether a timer stands as it was set, however it was written."""
    timed = change.target == "clock" and change.path.startswith("timers.") and None not in (now, change.after)
    return timed and timer_of(change.after, 0) == timer_of(now, 0)


# A line of the log


@events_of.register
def _(command: c.Correct, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    looking = Looking(state, command.seat, system)
    mine = (item for item in state.log if item.heard.get(command.seat) == command.item)
    item = next((item for item in mine if not item.undone), None)
    if item is None or looking.line(item) is None:
        raise NothingToUndo()
    return _taken_back(state, [item], command, system, fresh)


@events_of.register
def _(command: c.UndoLast, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    items = last_gesture(state, Looking(state, command.seat, system))
    if not items:
        raise NothingToUndo()
    return _taken_back(state, items, command, system, fresh)


def last_gesture(state: State, looking: Looking) -> list[Item]:
    """The lines of the last thing that can be taken back, of those that a seat reads of: one gesture, all of it.

    What people say to each other is none of it: whoever undoes an action takes nobody's words away. Somebody's arrival
    is no longer the last thing once they have done something: nothing before it is either.
    """
    gesture: list[Item] = []
    for item in reversed(state.log):
        if is_undoable(item) and looking.line(item) is not None:
            gesture.insert(0, item)
        if gesture and not (isinstance(item.event, e.OfOneGesture) and item.event.together):
            break
    arrived = {one.record for item in gesture for one in _told_in(item) if isinstance(one, e.RecordAdded)}
    acted = any(act.part(one) is not None for act in state.moves.values() for one in arrived)
    return [] if acted else gesture


def is_undoable(item: Item) -> bool:
    """Whether a line tells of an action that still stands; what people say to each other is none."""
    talk = isinstance(item.event, e.Said) and item.event.kind in ("message", "whisper", "note")
    return isinstance(item.event, _UNDOABLE) and not item.undone and not talk


def _told_in(item: Item) -> tuple[e.AnyEvent, ...]:
    return () if item.event is None else (item.event, *item.more)


def _taken_back(
    state: State, items: Sequence[Item], command: c.Command, system: System, fresh: Fresh
) -> list[e.AnyEvent]:
    """Lines of the log taken back: the events that undo what they told of, the last first, and those that say so."""
    back: list[e.AnyEvent] = []
    for item in reversed(items):
        for one in _still_there(state, item):
            now = folded(state, back)
            back += told_changes(now, _undoing(now, one, command, system, fresh), system)
    said: list[e.AnyEvent] = []
    for item in items:
        if item.event is None or any(isinstance(one, e.Corrected) and one.item == item.number for one in back):
            continue  # an act that is undone says so itself
        heard = {*item.heard, *state.eyes.masters} & set(state.eyes.seats)
        audience = (ALL,) if ALL in item.audience else everyone_or(state.eyes, heard)
        said.append(e.Corrected(what=e.type_name(type(item.event)), item=item.number, back=True, audience=audience))
    return [*back, *touching(folded(state, back), as_one(said) if said else [], system)]


def _still_there(state: State, item: Item) -> list[e.AnyEvent]:
    """What a line told of, the last first; of several who came, those who are still there."""
    told = _told_in(item)
    still = [one for one in told if not isinstance(one, e.RecordAdded) or one.record in state.records]
    if not still:
        raise NothingToUndo()
    return still[::-1]


def _undoing(
    state: State, told: e.AnyEvent, command: c.Command, system: System, fresh: Fresh
) -> list[e.AnyEvent]:
    """The events that undo what a line told of; words said are only struck out."""
    about = told.record if isinstance(told, e.RecordAdded | e.RecordChanged | e.RecordShown | e.RecordGiven) else ""
    if about and about not in state.records:
        raise NothingToUndo()
    put = put_back(state, told) or turned_back(state, told)
    if put is not None:
        return put
    match told:
        case e.RecordChanged() if value_now(state, told.record, told.path, None) == told.after:
            return [_change_back(told.record, told.path, told.after, told.before)]
        case e.OptionsSet():
            return [_change_back("table", "rulings", dict(told.rulings), dict(told.before))]
        case e.HouseSet():
            return [_change_back("table", "house", to_builtins(told.house), to_builtins(told.before))]
        case e.SceneOpened():
            back = [_change_back("table", "episode", state.episode, told.before.episode),
                    _change_back("table", "scene", state.scene, told.before.scene)]
            return [*back, *(backdrop_set(state, told.before.backdrop, back=True) if told.picture else ()),
                    *unplayed(state, told.prepared)]
        case e.ClockSet() if state.minutes == told.minutes:
            return [_change_back("clock", "minutes", told.minutes, told.before)]
        case e.Said():
            return []
        case e.RecordAdded():
            away = told_before_and_after(state, removal(state, told.record, back=True), system)
            return [*away, *put_aside(state.records[told.record], told.record, back=True)] if told.drawn else away
        case e.RecordRemoved():
            held = told.kept
            added = e.RecordAdded(
                record=told.record, kind=held.kind, name=held.name, sheet=held.sheet, owner=held.owner,
                seen_by=held.seen_by, version=held.version, aside=held.aside, picture=held.picture, back=True,
            )
            return told_before_and_after(state, added, system)
        case e.RecordShown():
            shown = e.RecordShown(
                record=told.record, seen_by=told.before, before=state.records[told.record].seen_by, back=True
            )
            return told_before_and_after(state, shown, system)
        case e.RecordGiven():
            return given(state, told.record, told.before, system, back=True)
        case e.ThrowTurnedOver():
            return _hidden_again(state, told, system)
        case e.Changed():
            own = Looking(state, command.seat, system).own_number(told.move)
            if own is not None:
                return events_of(c.Undo(seat=command.seat, number=own), state, system, fresh)
    raise NothingToUndo()


def _change_back(target: str, path: str, before: Plain, after: Plain) -> e.Changed:
    return e.Changed(changes=(e.Made(target, path, before, after),), back=True)


# A throw turned over


def _hidden_again(state: State, told: e.ThrowTurnedOver, system: System) -> list[e.AnyEvent]:
    """A reveal taken back: what was seen stays seen, and the log goes on saying that it was shown."""
    act, before = state.moves.get(told.number), told.before
    throw = act.throw(told.step) if act is not None else None
    if act is None or throw is None or before is None:
        raise NothingToUndo()
    hidden = replace(throw, shown=before.shown, turned_over=False, tellings=before.tellings)
    after = turned(act, hidden, before.exists)
    event = e.ThrowTurnedOver(number=told.number, step=told.step, back=True)
    return turned_told(state, act, after, event, system)
