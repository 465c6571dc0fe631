"""How each event changes the state of a table. No rule of a game is ever called here."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from functools import singledispatch

import msgspec
from msgspec.structs import replace as rewritten

from paravent.dice.fair import opens
from paravent.game import apply
from paravent.game.days import A_DAY
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM

from . import events as e
from .act import Act, advanced
from .events import Sheet
from .knowing import may_know
from .state import (
    ENCOUNTERS,
    FOR_LATECOMERS,
    LINES,
    MOVES,
    Counts,
    Episode,
    Item,
    Running,
    Seat,
    State,
    later,
    timer_of,
    with_other,
)


def evolve(state: State, happened: e.AnyEvent) -> State:
    """The state after an event. A command is decided by looking what it would bring about: that is not done twice."""
    key = id(state), id(happened)
    kept = _EVOLVED.get(key)
    if kept is None or kept[0] is not state or kept[1] is not happened:
        kept = _EVOLVED[key] = state, happened, _evolved(state, happened)
        while len(_EVOLVED) > _MOST_EVOLVED:
            _EVOLVED.popitem(last=False)
    return kept[2]


_EVOLVED: OrderedDict[tuple[int, int], tuple[State, e.AnyEvent, State]] = OrderedDict()
_MOST_EVOLVED = 16


def _evolved(state: State, happened: e.AnyEvent) -> State:
    after = later(state, _evolve(happened, state))
    counts, number = _counted(after, happened), state.events + 1
    logged = _logged(after, counts, number, happened)
    tidied = later(after, _tidied(with_other(after, counts=counts, log=logged, events=number)))
    if len(tidied.moves) < len(after.moves):
        _forget_looks(tidied)
    if isinstance(happened, e.Said) and "removals" in vars(state) and len(tidied.log) > len(state.log):
        vars(tidied)["removals"] = state.removals  # words take nobody off the table
    return tidied


def _forget_looks(state: State) -> None:
    """Let go of what was worked out of acts that are no longer there."""
    for seen in [seen for seen in list(state.seen_moves) if seen[1] not in state.moves]:
        state.seen_moves.pop(seen, None)
    for thrown in [thrown for thrown in list(state.seen_throws) if thrown[1] not in state.moves]:
        state.seen_throws.pop(thrown, None)


def _counted(state: State, happened: e.AnyEvent) -> dict[str, Counts]:
    """Each seat counts only what it is told."""
    heard = state.hearing((*happened.audience, *happened.touched))
    if isinstance(happened, _ACQUAINTS) or happened.touched:
        return state.counts | {seat: _told(state, happened, seat, state.counts_of(seat)) for seat in heard}
    return state.counts | {seat: state.counts_of(seat).told() for seat in heard}


def _tidied(state: State) -> State:
    """From time to time, let go of what nobody sees any more."""
    if state.endless:
        return state
    if len(state.moves) > 2 * MOVES and state.moves_started % MOVES == 0:
        state = replace(state, moves=_seen_moves(state))
    if len(state.encounters) > 2 * ENCOUNTERS and state.encounters_opened % ENCOUNTERS == 0:
        state = replace(state, encounters=_seen_encounters(state))
    if len(state.log) > 4 * LINES:
        state = replace(state, log=_still_read(state.log))
    counts = {seat: _numbered(state, known) for seat, known in state.counts.items()
              if len(known.moves) > 3 * MOVES or len(known.encounters) > 3 * ENCOUNTERS}
    return replace(state, counts={**state.counts, **counts}) if counts else state


def shortened(state: State) -> State:
    """The state without whatever nobody sees any more: what is let go of from time to time, all of it now."""
    short = replace(state, endless=False)
    short = replace(short, moves=_seen_moves(short), encounters=_seen_encounters(short), log=_still_read(short.log))
    counts = {seat: _numbered(short, known) for seat, known in short.counts.items()}
    return replace(short, counts=counts, endless=state.endless)


def _seen_moves(state: State) -> dict[int, Act]:
    seen = {at for seat in state.counts for at in state.known_moves(seat)}
    return {at: move for at, move in state.moves.items() if at in seen or not move.is_over}


def _seen_encounters(state: State) -> dict[int, Running]:
    seen = {at for seat in state.counts for at in state.known_encounters(seat)}
    return {at: running for at, running in state.encounters.items() if at in seen or not running.over}


def _numbered(state: State, known: Counts) -> Counts:
    """A seat's own numbers of what is still there."""
    return replace(known, moves={at: own for at, own in known.moves.items() if at in state.moves},
                   encounters={at: own for at, own in known.encounters.items() if at in state.encounters})


def _still_read(log: tuple[Item, ...]) -> tuple[Item, ...]:
    """The lines that somebody still sees: each seat its own latest, and those who may yet come, theirs."""
    left: dict[str, int] = {}
    kept = []
    for item in reversed(log):
        late = item.move or (ALL in item.audience and isinstance(item.event, FOR_LATECOMERS))
        seats = {*item.heard, *(("later",) if late else ())} or {"nobody"}
        if any(left.get(seat, 0) < LINES for seat in seats):
            kept.append(item)
        for seat in seats:
            left[seat] = left.get(seat, 0) + 1
    return tuple(reversed(kept))


_ACQUAINTS = (*e.ACT_EVENTS, e.EncounterOpened, e.SeatAdded, e.SeatReturned, e.LinkRenewed)
"""Events by which a seat may come to know of a move or of an encounter."""


def _told(state: State, happened: e.AnyEvent, seat: str, known: Counts) -> Counts:
    known = known.told()
    if isinstance(happened, e.ACT_EVENTS) and seat in state.hearing(happened.audience):
        number = happened.number
        return (known.knowing(number).hearing_of(number) if may_know(state.eyes, seat, state.moves[number])
                else known)
    if isinstance(happened, e.EncounterOpened):
        return known.facing(happened.number)
    return _acquainted(state, seat, known) if seat in happened.touched or _arrives(happened, seat) else known


def _arrives(happened: e.AnyEvent, seat: str) -> bool:
    return isinstance(happened, (e.SeatAdded, e.SeatReturned, e.LinkRenewed)) and happened.seat == seat


def _acquainted(state: State, seat: str, known: Counts) -> Counts:
    """Numbers for whatever a seat may now know of: it has just sat down, or sees more than before."""
    eyes = state.eyes
    for number, move in state.moves.items():
        if may_know(eyes, seat, move):
            known = known.knowing(number)
    for number, running in state.encounters.items():
        if eyes.may_see(seat, "", running.seen_by):
            known = known.facing(number)
    return known


_SILENT = (
    e.FieldsFilled, e.ThrowReady, e.DiceThrown, e.AnswerGiven, e.MoveEnded, e.MoveUndone, e.DeadlineSet, e.SecrecySet,
    e.LinkRenewed, e.EncounterEnded, e.DraftSaved, e.PictureKept, e.RecordsFollowed,
    e.ScenePrepared, e.SceneDropped, e.PersonPutAside, e.PersonDropped, e.NotesKept, e.GrainsPromised, e.GrainOpened,
    e.EpisodeJoined, e.TableJoined,
)
"""Events that change a move's own line, or nothing that anybody needs to read again."""


def _logged(state: State, counts: dict[str, Counts], number: int, happened: e.AnyEvent) -> tuple[Item, ...]:
    """The log with an event, if it is told there."""
    if isinstance(happened, _SILENT) or (happened.back and not isinstance(happened, e.Corrected)):
        return state.log
    last = state.log[-1] if state.log else None
    if last is not None and isinstance(happened, e.OfOneGesture) and happened.together and _tells_alike(last, happened):
        return (*state.log[:-1], rewritten(last, more=(*last.more, happened)))
    heard = {seat: counts[seat].events for seat in sorted(state.hearing(happened.audience))}
    if isinstance(happened, e.MoveStarted):
        item = Item(number, happened.audience, move=happened.number, heard=heard, at=happened.at)
    else:
        item = Item(number, happened.audience, happened, heard=heard)
    return (*state.log, item)


def _tells_alike(item: Item, happened: e.AnyEvent) -> bool:
    """Whether a line tells of the same kind of thing, to the same people: it is then told in that line."""
    return type(item.event) is type(happened) and isinstance(happened, _TOLD_IN_ONE) and (
        item.audience == happened.audience)


_TOLD_IN_ONE = (e.RecordAdded, e.RecordChanged, e.RecordShown, e.Corrected)
"""Events of which one line tells several."""


@singledispatch
def _evolve(happened: e.Event, state: State) -> State:
    return state


@_evolve.register
def _(happened: e.TableOpened, state: State) -> State:
    return replace(
        state, table=happened.table, name=happened.name, system=happened.system, version=happened.version,
        settled=(happened.rulings,), lang=happened.lang, minutes=happened.minutes, house=happened.house,
    )


@_evolve.register
def _(happened: e.SeatAdded, state: State) -> State:
    return _seated(state, happened.seat, Seat(happened.name, happened.rank, happened.link))


@_evolve.register
def _(happened: e.SeatRenamed, state: State) -> State:
    return _seated(state, happened.seat, rewritten(state.seats[happened.seat], name=happened.name))


@_evolve.register
def _(happened: e.LinkRenewed, state: State) -> State:
    place = rewritten(state.seats[happened.seat], link=happened.link, present=not happened.closed, also=())
    return _seated(state, happened.seat, place)


@_evolve.register
def _(happened: e.SeatLeft, state: State) -> State:
    return _seated(state, happened.seat, rewritten(state.seats[happened.seat], present=False))


@_evolve.register
def _(happened: e.SeatReturned, state: State) -> State:
    return _seated(state, happened.seat, rewritten(state.seats[happened.seat], present=True))


def _seated(state: State, seat: str, place: Seat) -> State:
    return replace(state, seats={**state.seats, seat: place})


@_evolve.register
def _(happened: e.OptionsSet, state: State) -> State:
    return replace(state, settled=(*state.settled, happened.rulings))


@_evolve.register
def _(happened: e.HouseSet, state: State) -> State:
    return replace(state, house=happened.house)


@_evolve.register
def _(happened: e.RecordAdded, state: State) -> State:
    sheet = Sheet(happened.kind, happened.name, happened.sheet, happened.owner, happened.seen_by, happened.version,
                  happened.aside, happened.picture)
    if happened.record in state.deck:
        state = _undecked(state, happened.record)
    return _held(state, happened.record, sheet)


@_evolve.register
def _(happened: e.PersonPutAside, state: State) -> State:
    return replace(state, deck={**state.deck, happened.person: happened.kept})


@_evolve.register
def _(happened: e.PersonDropped, state: State) -> State:
    return _undecked(state, happened.person)


def _undecked(state: State, person: str) -> State:
    return replace(state, deck={name: kept for name, kept in state.deck.items() if name != person})


@_evolve.register
def _(happened: e.NotesKept, state: State) -> State:
    of = f"{GM}:{happened.about}" if happened.about else happened.by
    notes = {name: text for name, text in state.notes.items() if name != of}
    return replace(state, notes={**notes, of: happened.text} if happened.text else notes)


@_evolve.register
def _(happened: e.AppointmentSet, state: State) -> State:
    return replace(state, appointments={**state.appointments, happened.appointment: happened.kept})


@_evolve.register
def _(happened: e.AppointmentDropped, state: State) -> State:
    left = {name: kept for name, kept in state.appointments.items() if name != happened.appointment}
    return replace(state, appointments=left)


@_evolve.register
def _(happened: e.EpisodeJoined, state: State) -> State:
    seats = {seat: rewritten(state.seats[seat], also=(*state.seats[seat].also, link))
             for seat, link in happened.links.items() if seat in state.seats}
    return replace(state, seats={**state.seats, **seats}, joined=(*state.joined, happened.table))


@_evolve.register
def _(happened: e.TableJoined, state: State) -> State:
    return replace(state, moved=happened.into)


@_evolve.register
def _(happened: e.HourglassTurned, state: State) -> State:
    return replace(state, hourglass=happened.hourglass)


@_evolve.register
def _(happened: e.RecordsUpgraded, state: State) -> State:
    moves = {number: advanced(state.moves[number], then) for number, then in happened.acts.items()}
    return replace(state, records={**state.records, **happened.records}, moves={**state.moves, **moves})


@_evolve.register
def _(happened: e.RecordsFollowed, state: State) -> State:
    return replace(state, records={**state.records, **happened.records})


@_evolve.register
def _(happened: e.RecordChanged, state: State) -> State:
    return _sheet_changed(state, happened.record, happened.path, happened.after)


def _held(state: State, record: str, sheet: Sheet) -> State:
    return replace(state, records={**state.records, record: sheet})


def _sheet_changed(state: State, record: str, path: str, after: Plain) -> State:
    held = state.records[record]
    return _held(state, record, _resheeted(held, apply(held.sheet, path, after)))


def _resheeted(held: Sheet, sheet: dict[str, Plain]) -> Sheet:
    return rewritten(held, sheet=sheet, name=str(sheet.get("name") or held.name))


@_evolve.register
def _(happened: e.RecordShown, state: State) -> State:
    """Whoever is shown is known in the acts under way too, as long as no dice lie there that were thrown unseen."""
    moves = {
        act.id: rewritten(act, cast=tuple(
            rewritten(part, seen_by=happened.seen_by) if part.id == happened.record else part for part in act.cast))
        for act in state.open_moves() if not act.throws and any(part.id == happened.record for part in act.cast)
    }
    state = replace(state, moves={**state.moves, **moves}) if moves else state
    return _held(state, happened.record, rewritten(state.records[happened.record], seen_by=happened.seen_by))


@_evolve.register
def _(happened: e.RecordGiven, state: State) -> State:
    return _held(state, happened.record, rewritten(state.records[happened.record], owner=happened.owner))


@_evolve.register
def _(happened: e.RecordRemoved, state: State) -> State:
    return _removed(state, happened.record)


def _removed(state: State, record: str) -> State:
    return replace(state, records={name: held for name, held in state.records.items() if name != record})


@_evolve.register
def _(happened: e.SceneOpened, state: State) -> State:
    if happened.kind == "episode":
        begun = (*state.episodes, Episode(happened.title, state.events + 1))
        return replace(state, episode=happened.title, scene="", episodes=begun)
    *earlier, last = state.episodes or (Episode(state.episode, 0),)
    last = rewritten(last, scenes=(*last.scenes, happened.title))
    backdrop = e.Backdrop(happened.picture, scene=happened.title) if happened.picture else state.backdrop
    return replace(state, scene=happened.title, episodes=(*earlier, last), backdrop=backdrop)


@_evolve.register
def _(happened: e.DraftSaved, state: State) -> State:
    drafts = {name: draft for name, draft in state.drafts.items() if name != happened.draft}
    return replace(state, drafts={**drafts, happened.draft: happened.kept} if happened.kept.values else drafts)


@_evolve.register
def _(happened: e.PictureKept, state: State) -> State:
    picture = happened.picture
    return replace(state, pictures={**state.pictures, picture.name or picture.hash: picture})


@_evolve.register
def _(happened: e.RecordPictured, state: State) -> State:
    held = state.records.get(happened.record)
    return state if held is None else _held(state, happened.record, rewritten(held, picture=happened.picture))


@_evolve.register
def _(happened: e.BackdropSet, state: State) -> State:
    return replace(state, backdrop=happened.backdrop)


@_evolve.register
def _(happened: e.ScenePrepared, state: State) -> State:
    return replace(state, prepared={**state.prepared, happened.scene: happened.kept})


@_evolve.register
def _(happened: e.SceneDropped, state: State) -> State:
    return replace(state, prepared={name: kept for name, kept in state.prepared.items() if name != happened.scene})


@_evolve.register
def _(happened: e.DocumentKept, state: State) -> State:
    return replace(state, documents={**state.documents, happened.document: happened.kept})


@_evolve.register
def _(happened: e.DocumentShown, state: State) -> State:
    shown = rewritten(state.documents[happened.document], seen_by=happened.seen_by)
    return replace(state, documents={**state.documents, happened.document: shown})


@_evolve.register
def _(happened: e.DocumentRemoved, state: State) -> State:
    left = {name: kept for name, kept in state.documents.items() if name != happened.document}
    return replace(state, documents=left)


@_evolve.register
def _(happened: e.ClockSet, state: State) -> State:
    return replace(state, minutes=happened.minutes, calendar=happened.calendar or state.calendar)


@_evolve.register
def _(happened: e.EncounterOpened, state: State) -> State:
    running = Running(happened.encounter, happened.state, happened.seen_by)
    encounters = {**state.encounters, happened.number: running}
    begun = {happened.number: state.moves_started, **state.encounters_begun}  # it may be told again, to others
    return replace(state, encounters=encounters, encounters_begun=begun,
                   encounters_opened=max(state.encounters_opened, happened.number))


@_evolve.register
def _(happened: e.EncounterEnded, state: State) -> State:
    running = rewritten(state.encounters[happened.number], over=not happened.back)
    return replace(state, encounters={**state.encounters, happened.number: running})


@_evolve.register
def _(happened: e.MoveStarted, state: State) -> State:
    moves = {**state.moves, happened.number: happened.act}
    return replace(state, moves=moves, moves_started=max(state.moves_started, happened.number))


@_evolve.register
def _advanced(happened: e.MoveEvent, state: State) -> State:
    act = advanced(state.moves[happened.number], happened.then)
    return replace(state, moves={**state.moves, happened.number: act})


@_evolve.register
def _(happened: e.GrainsPromised, state: State) -> State:
    quiet = {apart: tuple(seat for seat in seats if seat != happened.seat) for apart, seats in state.quiet.items()}
    return replace(state, promises={**state.promises, happened.seat: happened.promise}, quiet=quiet)


@_evolve.register
def _(happened: e.GrainOpened, state: State) -> State:
    opened = {**state.opened.get(happened.hash, {}), happened.seat: happened.opened}
    promises = _gone_on(state.promises, happened.seat, happened.opened)
    return replace(state, opened={**state.opened, happened.hash: opened}, promises=promises)


def _gone_on(promises: dict[str, str], seat: str, opened: str) -> dict[str, str]:
    """What a seat promises after it opened a grain of a chain; of others, each is promised by itself."""
    return {**promises, seat: opened} if opens(promises.get(seat, ""), opened) else promises


@_evolve.register
def _(happened: e.ThrowReady | e.DiceThrown, state: State) -> State:
    """A promise that was told for a throw is for no other; whoever did not answer is asked again once they promise."""
    before = state.moves[happened.number].keys.get(happened.step)
    state = _advanced(happened, state)
    made = state.moves[happened.number].keys.get(happened.step)
    if made is None or not made.grains:
        return state
    promises, quiet, opened = state.promises, state.quiet, state.opened
    out = () if before is None else [row.seat for row in before.grains if row.left_out]
    for row in made.grains:
        promised = promises.get(row.seat, "")
        promises = _gone_on(promises, row.seat, row.opened)
        if f"{row.promise} " in promised:
            promises = {**promises, row.seat: promised.replace(f"{row.promise} ", "")}
        elif row.left_out and row.promise == promised:
            promises = {seat: kept for seat, kept in promises.items() if seat != row.seat}
        if row.left_out and row.seat not in out:
            quiet = {**quiet, made.apart: (*quiet.get(made.apart, ()), row.seat)}
    if opened:
        asked = {key.hash for act in state.open_moves() for key in act.keys.values() if key.grain is None}
        opened = {name: grains for name, grains in opened.items() if name in asked}
    return replace(state, promises=promises, quiet=quiet, opened=opened)


@_evolve.register
def _(happened: e.Changed, state: State) -> State:
    for change in happened.changes:
        state = changed(state, change, happened.encounter)
    return state


@_evolve.register
def _(happened: e.Corrected, state: State) -> State:
    told = next((item.event for item in state.log if item.number == happened.item), None)
    act = told.move if isinstance(told, e.Changed) else 0  # of an act, whatever it changed is taken back together
    log = tuple(
        rewritten(item, undone=True) if item.number == happened.item
        or (act and isinstance(item.event, e.Changed) and item.event.move == act) else item
        for item in state.log
    )
    return replace(state, log=log)


def changed(state: State, change: e.Made, encounter: int | None) -> State:
    """The state after one change: on a record, an encounter, the clock, the table itself."""
    target, path, after = change.target, change.path, change.after
    match target:
        case "clock":
            return _clock_changed(state, path, after)
        case "encounter":
            running = state.encounters.get(encounter or 0)
            if running is None:
                return state
            moved = rewritten(running, state=apply(running.state, path, after) if path else after)
            return replace(state, encounters={**state.encounters, encounter or 0: moved})
        case "table":
            return _table_changed(state, path, after)
    if not path:
        return _removed(state, target) if after is None else _brought(state, change)
    return _sheet_changed(state, target, path, after) if target in state.records else state


def _table_changed(state: State, path: str, after: Plain) -> State:
    if path == "house":
        return replace(state, house=msgspec.convert(after, e.House))
    if path == "rulings":
        assert isinstance(after, dict)
        return replace(state, settled=(*state.settled, {name: str(value) for name, value in after.items()}))
    return replace(state, scene=str(after)) if path == "scene" else replace(state, episode=str(after))


def _clock_changed(state: State, path: str, after: Plain) -> State:
    if path == "scene":
        return replace(state, scene=str(after))
    if path == "episode":
        return replace(state, episode=str(after))
    if path.startswith("timers."):
        name = path.partition(".")[2]
        timers = {at: timer for at, timer in state.timers.items() if at != name}
        if after is not None:
            timers[name] = timer_of(after, state.minutes)
        return replace(state, timers=timers)
    assert isinstance(after, int)
    return replace(state, minutes=after if path == "minutes" else after * A_DAY + state.minutes % A_DAY)


def _brought(state: State, change: e.Made) -> State:
    """A record that a move brought to the table, or changed whole: perhaps into one of another kind."""
    sheet, target = change.after, change.target
    assert isinstance(sheet, dict)
    held = state.records.get(target)
    if held is not None:
        same = not change.kind or change.kind == held.kind
        now = held if same else rewritten(held, kind=change.kind, version=change.version)
        return _held(state, target, _resheeted(now, sheet))
    name = str(sheet.get("name") or change.name or target)
    seen_by = (GM,) if change.seen_by is None else change.seen_by
    return _held(state, target, Sheet(change.kind or "character", name, sheet, change.owner, seen_by, change.version))
