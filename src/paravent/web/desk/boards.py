"""Encounters under way: who is in them, how they stand, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from zlib import crc32

import msgspec

from paravent.game import AnyEncounter, Telling, Track
from paravent.game.plain import Plain
from paravent.game.records import GM
from paravent.table import acting
from paravent.table.deciding import encounter_number
from paravent.table.seen import EncounterSeen
from paravent.web.sheets import Gauge, SheetLine

from .acts import ActCards
from .cards import Card
from .seat import DeskSeat
from .sheets import Chip, Sheets
from .starts import Person, Startable, Starts

_MOST_BOXES = 12
"""How far something fills box by box; what needs more is drawn as a bar."""
_FEW = 4
"""Among so many, what would happen without each of them is told too."""


class Fighter(NamedTuple):
    """Somebody on a board: name, side, what else is known, gauges of their sheet if they may be seen."""

    id: str
    name: str
    side: str
    ready: str
    down: bool
    told: list[str]
    gauges: list[Gauge]
    mine: bool
    next: tuple[str, str] | None = None
    """The move and its field by which a tap gives them the turn."""
    chips: tuple[Chip, ...] = ()


class Side(NamedTuple):
    """Those who stand together."""

    title: str
    people: list[Fighter]


class Moment(NamedTuple):
    """Something that came to pass: when, what, and whether it changed the course of things."""

    at: str
    words: str
    marked: bool


class Filling(NamedTuple):
    """Something that fills over turns: what it is, how far, of how much; for each box the turn that filled it, if one
    did, and what each turn brought, or cost."""

    name: str
    value: int
    most: int
    boxes: list[str]
    turns: list[str]


class Board(NamedTuple):
    """An encounter under way: its state in lines, who is in it, whose turn it is, its open moves."""

    number: int
    title: str
    sort: str
    """What such an encounter is called, where its title says what this one is about."""
    ahead: list[str]
    """What lies ahead of it."""
    lines: list[SheetLine]
    moves: list[Startable]
    cards: list[Card]
    sides: list[Side]
    turn: str
    mine: bool
    told: list[str]
    moments: list[Moment]
    tracks: list[Filling]
    foreseen: str
    """A mark of how it stands, where the game master may ask how it would end; nothing otherwise."""


class WhatIf(NamedTuple):
    """How an encounter would end: as things stand, or without somebody; for the game master alone."""

    words: str
    percent: str
    share: float
    length: str


class Ahead(NamedTuple):
    """What the game foresees of an encounter: who is meant to win, each case, how exact it is, what else it says."""

    who: str
    cases: list[WhatIf]
    margin: str
    lines: list[str]


class Boards:
    """The encounters of the table, as one seat sees them."""

    def __init__(self, seat: DeskSeat, sheets: Sheets, acts: ActCards, starts: Starts) -> None:
        self._seat, self._sheets, self._acts, self._starts = seat, sheets, acts, starts

    def running(self) -> list[Board]:
        """The encounters under way."""
        return [self.board(own, seen) for own, seen in self._seat.encounters.items() if not seen.over]

    def board(self, own: int, seen: EncounterSeen) -> Board:
        """An encounter under way."""
        seat = self._seat
        people, listing = self._starts.people(seen), self._starts.listing(seen)
        of_people = frozenset() if listing is None else listing.more | {listing.field}
        drawn = of_people | self._drawn(seen)
        cards = self._acts.open_cards(own)
        answers = {part.id: part.ready for card in cards for part in card.parts}
        declared = seat.system.encounters.get(seen.encounter)
        sort, about = seat.teller.title(f"encounters.{seen.encounter}"), self._about(declared, seen)
        state = {name: self._members(people, value) for name, value in seen.state.items()
                 if seat.teller.is_named(name) and name not in drawn}
        open_ones = {card.id for card in cards} if declared is None or not declared.merges else set()
        moves = [move._replace(cast=self._starts.cast_in_encounter(move.id)) for move in self._starts.within(own)
                 if move.id not in open_ones]
        return Board(
            own, about or sort, sort if about else "", self.lies_ahead(own),
            seat.drawer.lines(seat.named(state)), moves, cards,
            self._sides([self._person(who, answers) for who in people], self._next(own, seen)),
            self._turn(seen, cards, moves),
            any(card.mine for card in cards),
            [seat.teller.telling(Telling(line.key, seat.named(line.values))) for line in seen.told],
            list(self._moments(seen)), list(self._tracks(seen)),
            self._foreseen(seen) if people else "",
        )

    @staticmethod
    def _about(declared: AnyEncounter | None, seen: EncounterSeen) -> str:
        """What an encounter is about, in people's own words."""
        said = seen.state.get(declared.about) if declared is not None and declared.about else ""
        return said if isinstance(said, str) else ""

    def lies_ahead(self, own: int) -> list[str]:
        """What lies ahead of an encounter, in words."""
        seat = self._seat
        number = encounter_number(seat.state, seat.seat, own)
        ahead = seat.sight.ahead(number) if number is not None else None
        return [] if ahead is None else [seat.teller.telling(line) for line in ahead.lines]

    def _foreseen(self, seen: EncounterSeen) -> str:
        """Another mark each time an encounter stands otherwise, where the game master may ask how it would end."""
        seat = self._seat
        declared = seat.system.encounters.get(seen.encounter)
        if declared is None or not declared.foresees or not seat.is_gm:
            return ""
        named = {who.id: seat.records[who.id].sheet for who in self._starts.people(seen) if who.id in seat.records}
        return f"{crc32(msgspec.json.encode((seen.state, named))):x}"

    def _drawn(self, seen: EncounterSeen) -> frozenset[str]:
        """What of a state is drawn in its own way."""
        declared = self._seat.system.encounters.get(seen.encounter)
        if declared is None:
            return frozenset()
        over_time = () if declared.timeline is None else (declared.timeline.field,)
        filling = (name for track in declared.tracks for name in (track.value, track.most, track.parts)
                   if isinstance(name, str))
        return frozenset((*over_time, *filling, *((declared.about,) if self._about(declared, seen) else ())))

    def _moments(self, seen: EncounterSeen) -> Iterator[Moment]:
        """What came to pass in an encounter so far, where its state keeps that."""
        seat, declared = self._seat, self._seat.system.encounters.get(seen.encounter)
        line = declared.timeline if declared is not None else None
        rows = seen.state.get(line.field) if line is not None else None
        if line is None or not isinstance(rows, list):
            return
        for row in rows:
            if isinstance(row, dict):
                what = str(row.get(line.what))
                words = seat.teller.telling(Telling(f"{line.words}.{what}", seat.named(row)))
                yield Moment(seat.teller.say(f"{line.words}.at", at=row.get(line.at)), words, what in line.marked)

    def _tracks(self, seen: EncounterSeen) -> Iterator[Filling]:
        """What fills in an encounter over turns, as far as this seat sees it."""
        declared = self._seat.system.encounters.get(seen.encounter)
        for track in declared.tracks if declared is not None else ():
            value = seen.state.get(track.value)
            most = seen.state.get(track.most) if isinstance(track.most, str) else track.most
            if isinstance(value, int) and isinstance(most, int) and most > 0:
                yield self._filling(track, value, most, seen.state.get(track.parts))

    def _filling(self, track: Track, value: int, most: int, parts: Plain) -> Filling:
        """Something that fills over turns, box by box where it is written down what each turn brought."""
        say, boxes, turns = self._seat.teller.say, list[str](), list[str]()
        listed = [part for part in parts if isinstance(part, int)] if isinstance(parts, list) else []
        for turn, brought in enumerate(listed, start=1):
            called, sign = say("web.track.turn", n=turn), "+" if brought > 0 else "−" if brought < 0 else ""
            boxes = [*boxes, *[called] * brought] if brought > 0 else boxes[:max(0, len(boxes) + brought)]
            turns.append(f"{called} {sign}{abs(brought)}")
        filled = [*boxes, *[" "] * value][:value]  # what nobody wrote down is filled all the same
        shown = [*filled, *[""] * most][:most] if turns and most <= _MOST_BOXES else []
        return Filling(self._seat.teller.name(track.value), value, most, shown, turns)

    def _members(self, people: Iterable[Person], value: Plain) -> Plain:
        """A side, said by the names of those who are on it; any other value as it is."""
        return ", ".join(self._seat.name(who.id) for who in people if value and who.side == value) or value

    def _next(self, own: int, seen: EncounterSeen) -> dict[str, tuple[str, str]]:
        """Those to whom this seat may give the turn by a tap, each with the move and its field that do so."""
        seat, listing = self._seat, self._starts.listing(seen)
        move = seat.system.moves.get(listing.turn) if listing is not None else None
        number = encounter_number(seat.state, seat.seat, own)
        if move is None or not seat.is_gm or number is None:
            return {}
        name = move.fields[0].id
        return dict.fromkeys(acting.values_offered(seat.turn, move, name, number), (move.id, name))

    def _sides(self, people: Iterable[Fighter], turns: Mapping[str, tuple[str, str]]) -> list[Side]:
        """People by side; a side that is only a role has no title."""
        roles = {role.id for move in self._seat.system.moves.values() for role in move.cast}
        sides: dict[str, list[Fighter]] = {}
        for who in people:
            sides.setdefault(who.side, []).append(
                who._replace(next=turns.get(who.id), chips=tuple(self._sheets.chips(who.id))))
        return [Side("" if side in roles else self._seat.teller.value(side) if side else "", those)
                for side, those in sides.items()]

    def _turn(self, seen: EncounterSeen, cards: list[Card], moves: list[Startable]) -> str:
        """What happens next, and by whom."""
        seat = self._seat
        if any(card.mine for card in cards):
            return seat.teller.say("web.turn.mine")
        if cards:
            who = ", ".join(dict.fromkeys(name for card in cards for name in card.waits_for))
            return seat.teller.say("web.turn.waits", who=who) if who else ""
        holders = self._holders(seen)
        if moves and seat.seat in holders:
            return seat.teller.say("web.turn.choose")
        names = [place.name for name, place in seat.seats.items() if name in holders]
        return seat.teller.say("web.turn.begins", who=", ".join(names)) if names else ""

    def _holders(self, seen: EncounterSeen) -> frozenset[str]:
        """The seats that choose what happens next."""
        seat = self._seat
        encounter = seat.system.encounters.get(seen.encounter)
        declared = [move for move in seat.system.moves.values() if move.encounter == seen.encounter] or [
            seat.system.moves[name] for name in (encounter.also if encounter is not None else ())]
        return self._starts.holders(seen) if any(move.by != GM for move in declared) else seat.state.eyes.masters

    def to_choose(self) -> tuple[Startable, ...]:
        """What this seat may choose from as the next thing in the encounters under way."""
        seat = self._seat
        mine = [own for own, seen in seat.encounters.items() if not seen.over and seat.seat in self._holders(seen)]
        return tuple(move._replace(cast=self._starts.cast_in_encounter(move.id))
                     for own in mine for move in self._starts.within(own))

    def ahead(self, own: int) -> Ahead | None:
        """How an encounter would end as it stands, and without each of those who stand; the game master alone asks."""
        seat, seen = self._seat, self._seat.encounters.get(own)
        declared = None if seen is None else seat.system.encounters.get(seen.encounter)
        number = encounter_number(seat.state, seat.seat, own)
        if seen is None or number is None or declared is None or not declared.foresees or not seat.is_gm:
            return None
        move, people = seat.system.move(declared.foresees), self._starts.people(seen)
        first, second = [role.id for role in move.cast if role.most is None][:2]
        ours = [who for who in people if who.side == people[0].side]
        up = [who for who in people if not who.is_down]
        cases: list[WhatIf] = []
        lines, margin = list[str](), ""
        for gone in (None, *(up if len(up) <= _FEW else ())):
            cast = {first: [one.id for one in ours if one is not gone],
                    second: [one.id for one in people if one not in ours and one is not gone]}
            found = acting.foreseen(seat.turn, move, cast, number) if all(cast.values()) else None
            given, ctx = found if found is not None else (None, None)
            if given is None or given.wins is None:
                continue
            words = "web.what_if.now" if gone is None else "web.what_if.without"
            cases.append(WhatIf(
                seat.teller.say(words, who=seat.name(gone.id) if gone is not None else ""),
                seat.teller.percent(given.wins), float(given.wins),
                "" if given.mean_steps is None else seat.teller.number(round(float(given.mean_steps), 1))))
            if gone is None:
                lines = [seat.teller.telling(line, ctx) for line in given.lines]
                margin = seat.teller.number(round(100 * given.margin)) if given.margin else ""
        return Ahead(", ".join(seat.name(one.id) for one in ours), cases, margin, lines) if cases else None

    def ended(self, encounter: int) -> str:
        """The encounter that is at its end, in words."""
        seen = self._seat.encounters.get(encounter)
        return self._seat.teller.title(f"encounters.{seen.encounter}") if seen is not None and seen.over else ""

    def _person(self, who: Person, answers: Mapping[str, str]) -> Fighter:
        seat, teller = self._seat, self._seat.teller
        told = [
            f"→ {seat.names[value]}" if isinstance(value, str) and value in seat.names else
            teller.value(value) if isinstance(value, str) else f"{teller.name(name)} {value}"
            for name, value in who.told.items()
            if value not in ("", 0, None, False, True, []) and not isinstance(value, (list, dict))
        ]
        told += [teller.name(name) for name, value in who.told.items() if value is True]
        held = seat.records.get(who.id)
        kept = [state.words for state in self._sheets.states(who.id) if not state.bad] if held is not None else []
        return Fighter(
            who.id, seat.name(who.id), who.side, answers.get(who.id, ""), who.is_down, [*told[:3], *kept],
            self._sheets.gauges(who.id)[:3] if held is not None else [],
            held is not None and held.owner == seat.seat,
        )
