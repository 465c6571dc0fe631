"""Tables that were opened as the next episode, joined into one: the later table's events follow those of the first.

What each seat was told it is still told, and nothing else: audiences stay as they were, and whoever had no place in the
later table has left while its events are told. Numbers of acts and encounters go on from those of the first table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import UNSET
from msgspec.structs import replace

from paravent.game import System
from paravent.game.errors import BROKEN
from paravent.game.records import GM

from . import events as e
from .act import Act, Progress
from .deciding import Fresh, changes_told, folded, touching
from .errors import JoinedAlready, NotAnEpisode, NotTheSameGame, NotTheSameRulings
from .state import Seat, State
from .view import Looking


def check_joins(state: State, later: State, opening: e.TableOpened, seat: str) -> None:
    """Refuse to join tables that are not episodes of one: another game, other rulings, other people."""
    if state.table == later.table or later.table in state.joined:
        raise JoinedAlready()
    if state.system != opening.system:
        raise NotTheSameGame(first=state.system, then=opening.system)
    differ = sorted(name for name in {*state.rulings, *opening.rulings}
                    if state.rulings.get(name) != opening.rulings.get(name))
    if differ:
        raise NotTheSameRulings(options=", ".join(differ))
    if seat not in later.seats or seat not in state.seats:
        raise NotAnEpisode()


def joined(state: State, log: Sequence[e.AnyEvent], system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """The events to write at the first table for all that happened at the later one, given by its log."""
    opening = log[0]
    assert isinstance(opening, e.TableOpened)
    later = folded(State(), log)
    begins = next((at for at, event in enumerate(log) if isinstance(event, e.SceneOpened)), len(log))
    try:
        told = [replace(event, at=fresh.now) for event in _brought_to(state, log[:begins], later, system)]
        here = folded(state, told)
        moved = _Moved(here, set(state.seats))
        told += moved.all(log[begins:], begins)
        here = folded(state, told)
        told += [replace(event, at=fresh.now) for event in _as_they_sit(here, later)]
        here = folded(state, told)
        for seat in here.seats:
            Looking(here, seat, system).whole()
    except BROKEN as broken:
        raise NotAnEpisode() from broken
    return told


def _brought_to(state: State, log: Iterable[e.AnyEvent], later: State, system: System) -> list[e.AnyEvent]:
    """What brings the first table to where the later one began: who is there, the links, the sheets, the clock."""
    began = folded(State(), log)
    links = {seat: place.link for seat, place in later.seats.items() if place.link and seat in state.seats}
    told: list[e.AnyEvent] = [e.EpisodeJoined(table=later.table, links=links, audience=(GM,))]
    told += _as_they_sit(state, began)
    here = folded(state, told)
    for seat, place in began.seats.items():
        if seat not in here.seats:
            told.append(e.SeatAdded(seat=seat, name=place.name, rank=place.rank, link=later.seats[seat].link))
    told += [event for event in log if isinstance(event, e.RecordAdded) and event.record not in state.records]
    here = folded(state, told)
    sheets = {name: replace(held, picture=here.records[name].picture) for name, held in began.records.items()}
    sheets = {name: held for name, held in sheets.items() if here.records[name] != held}
    if sheets:
        before = {name: here.records[name] for name in sheets}
        told += touching(here, [e.RecordsFollowed(records=sheets, before=before, audience=(GM,))], system)
        here = folded(state, told)
    if here.minutes != began.minutes:
        clock = e.Changed(changes=(e.Made("clock", "minutes", here.minutes, began.minutes),))
        told.append(changes_told(here, clock, system))
    return told


def _as_they_sit(state: State, as_in: State) -> list[e.AnyEvent]:
    """Who comes back, leaves and is renamed, so that those are there who were there."""
    told: list[e.AnyEvent] = []
    for seat, place in state.seats.items():
        other = as_in.seats.get(seat, Seat(place.name, place.rank, present=False))
        if place.present != other.present:
            told.append(e.SeatReturned(seat=seat) if other.present else e.SeatLeft(seat=seat))
        if place.name != other.name:
            told.append(e.SeatRenamed(seat=seat, name=other.name, before=place.name))
    return told


@dataclass
class _Moved:
    """Events of a later table with the numbers that they have at the first one."""

    state: State
    known: set[str]
    """The seats of the first table: their links are its own affair."""
    items: dict[int, int] = field(default_factory=dict)
    """The new numbers of events."""

    def all(self, log: Iterable[e.AnyEvent], before: int) -> list[e.AnyEvent]:
        """These events, of which so many came before."""
        told: list[e.AnyEvent] = []
        for at, event in enumerate(log, start=before + 1):
            if isinstance(event, e.TableJoined) or (isinstance(event, e.LinkRenewed) and event.seat in self.known
                                                    and not event.closed):
                continue
            told.append(self.one(event))
            self.items[at] = self.state.events + len(told)
        return told

    def one(self, event: e.AnyEvent) -> e.AnyEvent:
        """One of them."""
        match event:
            case e.LinkRenewed() if event.seat in self.known:  # its place was closed: its first link still opens it
                return e.SeatLeft(seat=event.seat, by=event.by, at=event.at, audience=event.audience)
            case e.MoveStarted():
                return replace(event, number=self._act(event.number), act=self._whole(event.act))
            case e.MoveEvent():
                return replace(event, number=self._act(event.number), then=self._progress(event.then))
            case e.Changed():
                return replace(event, move=self._act(event.move), encounter=self._encounter(event.encounter))
            case e.EncounterOpened() | e.EncounterEnded():
                return replace(event, number=event.number + self.state.encounters_opened)
            case e.Corrected():
                return replace(event, item=self.items.get(event.item, 0))
            case e.DraftSaved():
                return replace(event, kept=replace(event.kept, act=self._act(event.kept.act)))
            case e.RecordsUpgraded():
                return replace(event, acts={self._act(at): self._progress(then) for at, then in event.acts.items()})
        return event

    def _act(self, number: int) -> int:
        return number + self.state.moves_started if number else 0

    def _encounter(self, number: int | None) -> int | None:
        return number + self.state.encounters_opened if number else number

    def _whole(self, act: Act) -> Act:
        return replace(
            act, id=self._act(act.id), encounter=self._encounter(act.encounter), follows=self._act(act.follows),
            rulings=act.rulings + len(self.state.settled) - 1,
            unseen=tuple(number + self.state.encounters_opened for number in act.unseen),
        )

    def _progress(self, then: Progress) -> Progress:
        if then.unseen is UNSET:
            return then
        return replace(then, unseen=tuple(number + self.state.encounters_opened for number in then.unseen))

