"""Encounters under way: who is in them, how they stand, whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple
from zlib import crc32

import msgspec
from markupsafe import Markup

from paravent.game import AnyEncounter, Listing, Telling, Track
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM
from paravent.table import acting, ahead
from paravent.table.deciding import encounter_number
from paravent.table.kept import ByIdentity
from paravent.table.seen import EncounterSeen
from paravent.web.sheets import Gauge, SheetLine

from .acts import ActCards
from .cards import Card
from .inside import Inside, Person
from .seat import DeskSeat
from .sheets import Chip, Sheets
from .starts import Startable, Starts

_MOST_BOXES = 12
"""How far something fills box by box; what needs more is drawn as a bar."""
_ROLES: ByIdentity[frozenset[str]] = ByIdentity(64)
"""The roles of all moves of a game."""


class TurnGift(NamedTuple):
    """How a tap gives somebody the turn: of which encounter, by which move and field, whom."""

    encounter: int
    move: str
    field: str
    id: str
    name: str


class Meeting(NamedTuple):
    """How a tap meets somebody on another side: in which encounter, by which move, as whom, what the tap says, and
    whom; each value it may say with its word."""

    encounter: int
    move: str
    role: str
    """What whoever is met is in it."""
    by: str
    acts: str
    field: str
    ways: tuple[tuple[str, str], ...]


class Fighter(NamedTuple):
    """Somebody on a board: name, what else is known, gauges of their sheet if they may be seen."""

    id: str
    name: str
    ready: str
    down: bool
    told: list[str]
    gauges: list[Gauge]
    mine: bool
    next: TurnGift | None = None
    """How a tap gives them the turn."""
    asks: tuple[str, str] | None = None
    """The move that a tap asks of them, and its title."""
    meets: Meeting | None = None
    """How a tap meets them."""
    chips: tuple[Chip, ...] = ()
    acting: bool = False
    """Whether it is their turn."""
    hidden: bool = False
    """Whether they stand behind the screen, which the game master alone is told."""


class Side(NamedTuple):
    """Those who stand together, each as drawn."""

    title: str
    people: list[Markup]


class Stance(NamedTuple):
    """How somebody on a board is doing in the moves under way: whether they are awaited, and the turn they may have."""

    ready: str = ""
    next: TurnGift | None = None
    asks: tuple[str, str] | None = None
    acting: bool = False
    meets: Meeting | None = None


class Moment(NamedTuple):
    """Something that came to pass: when, what, and whether it changed the course of things."""

    at: str
    words: str
    marked: bool


class Filling(NamedTuple):
    """Something that fills over turns: what it is, how far, of how much; for each box the turn that filled it, if one
    did, what each turn brought, or cost, and what is reached on the way, by its words."""

    name: str
    value: int
    most: int
    boxes: list[str]
    turns: list[str]
    notches: list[tuple[int, str]]

    @property
    def longest(self) -> int:
        """How far a rope reaches that shows all of it."""
        return max(self.most, self.value, *(at for at, _ in self.notches))


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
    length: float | None


class Ahead(NamedTuple):
    """What the game foresees of an encounter: who is meant to win, each case, how exact it is, what else it says."""

    who: str
    cases: list[WhatIf]
    margin: str
    lines: list[str]


class TurnTold(NamedTuple):
    """Whose turn it is, in words; whether something is this seat's to do about it, and to whom it may give it on."""

    words: str
    mine: bool
    gifts: tuple[TurnGift, ...] = ()


class Boards:
    """The encounters of the table, as one seat sees them."""

    def __init__(self, seat: DeskSeat, sheets: Sheets, acts: ActCards, starts: Starts, inside: Inside) -> None:
        self._seat, self._sheets, self._acts, self._starts, self._inside = seat, sheets, acts, starts, inside
        self._acted: dict[int, bool] = {}

    def board(self, own: int, seen: EncounterSeen, draw: Callable[[Person, Stance], Markup]) -> Board:
        """An encounter under way; ``draw`` draws somebody who is in it."""
        seat = self._seat
        people, listing = self._inside.people(seen), self._inside.listing(seen)
        of_people = frozenset() if listing is None else listing.more | {listing.field, listing.acting}
        drawn = of_people | self._drawn(seen)
        cards = self._acts.open_cards(own)
        answers = {part.id: part.ready for card in cards for part in card.parts}
        declared = seat.system.encounters.get(seen.encounter)
        sort, about = seat.teller.title(f"encounters.{seen.encounter}"), self._about(declared, seen)
        state = {name: self._members(people, value) for name, value in seen.state.items()
                 if seat.teller.is_named(name) and name not in drawn}
        open_ones = {card.id for card in cards} if declared is None or not declared.merges else set()
        moves = [move for move in self.moves(own) if move.id not in open_ones]
        turns, asked, acting = self._next(own, seen), self._asked(seen), self._acting(seen)
        acting = "" if self.has_acted(own, seen) else acting
        met = self._met(own, seen, cards)
        return Board(
            own, about or sort, sort if about else "", self.lies_ahead(own),
            seat.drawer.lines(seat.named(state)), moves, cards,
            self._sides([(who.side, draw(who.at_turn(listing) if who.id == acting else who, Stance(
                answers.get(who.id, ""), turns.get(who.id), None if who.is_down else asked.get(who.id),
                who.id == acting, met.get(who.id))))
                for who in people]),
            self._turn(own, seen, cards, moves),
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
        named = {who.id: seat.records[who.id].sheet for who in self._inside.people(seen) if who.id in seat.records}
        return f"{crc32(msgspec.json.encode((seen.state, named))):08x}"

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
                yield self._filling(track, value, most, seen.state)

    def _filling(self, track: Track, value: int, most: int, state: Mapping[str, Plain]) -> Filling:
        """Something that fills over turns, box by box where it is written down what each turn brought."""
        say, boxes, turns, parts = self._seat.teller.say, list[str](), list[str](), state.get(track.parts)
        listed = [part for part in parts if isinstance(part, int)] if isinstance(parts, list) else []
        for turn, brought in enumerate(listed, start=1):
            called, sign = say("web.track.turn", n=turn), "+" if brought > 0 else "−" if brought < 0 else ""
            boxes = [*boxes, *[called] * brought] if brought > 0 else boxes[:max(0, len(boxes) + brought)]
            turns.append(say("web.track.brought", turn=called, gain=f"{sign}{abs(brought)}"))
        filled = [*boxes, *[" "] * value][:value]  # what nobody wrote down is filled all the same
        shown = [*filled, *[""] * most][:most] if turns and most <= _MOST_BOXES else []
        notches = [(-(-whole // notch.share), self._seat.teller.value(notch.word)) for notch in track.notches
                   if isinstance(whole := state.get(notch.of), int) and whole > 0]
        return Filling(self._seat.teller.name(track.value), value, most, shown, turns, notches)

    def _members(self, people: Iterable[Person], value: Plain) -> Plain:
        """A side, said by the names of those who are on it; any other value as it is."""
        return ", ".join(self._seat.name(who.id) for who in people if value and who.side == value) or value

    def _next(self, own: int, seen: EncounterSeen) -> dict[str, TurnGift]:
        """Those to whom this seat may give the turn by a tap."""
        seat, listing = self._seat, self._inside.listing(seen)
        move = seat.system.moves.get(listing.turn) if listing is not None else None
        number = encounter_number(seat.state, seat.seat, own)
        if move is None or not seat.is_gm or number is None:
            return {}
        name = move.fields[0].id
        return {who: TurnGift(own, move.id, name, who, seat.name(who))
                for who in acting.values_offered(seat.turn, move, name, number)}

    def _asked(self, seen: EncounterSeen) -> dict[str, tuple[str, str]]:
        """Those of whom this seat may ask something by a tap, each with the move and its title."""
        listing = self._inside.listing(seen)
        if listing is None or not listing.asks or not self._seat.is_gm:
            return {}
        title = self._seat.teller.title(f"moves.{listing.asks}")
        return dict.fromkeys(self._starts.askable(listing.asks), (listing.asks, title))

    def _met(self, own: int, seen: EncounterSeen, cards: Iterable[Card]) -> dict[str, Meeting]:
        """Those whom the only one of this seat's own who stands here may meet by a tap, and how; not whom they already
        meet."""
        seat, listing, standing = self._seat, self._inside.listing(seen), [
            who for who in self._inside.people(seen) if not who.is_down]
        mine = [who for who in standing if seat.seat in seat.eyes.controllers(who.id)]
        number = encounter_number(seat.state, seat.seat, own)
        if listing is None or number is None or len(mine) != 1 or not any(
                move.id == listing.meets for move in self._starts.within(own)):
            return {}
        (one,), move = mine, seat.system.moves[listing.meets]
        role = next((role.id for role in move.cast if role.other), "")
        under_way = {part.id for card in cards if card.id == move.id and any(part.id == one.id for part in card.parts)
                     for part in card.parts}
        found: dict[str, Meeting] = {}
        for who in standing:
            if who.side != one.side and who.id not in under_way and self._starts.fits(move, role, who.id):
                ways = acting.values_offered(seat.turn, move, listing.sign, number,
                                             {move.by: [one.id], role: [who.id]}, move.by)
                worded = tuple((way, seat.teller.value(way)) for way in ways)
                found[who.id] = Meeting(own, move.id, role, move.by, one.id, listing.sign, worded)
        return {who: met for who, met in found.items() if met.ways}

    def moves(self, own: int) -> list[Startable]:
        """What this seat may begin in an encounter, each with who would be in it: what is of the encounter alone and
        called for now comes first (a breath), what nothing calls for last."""
        declared = self._seat.system.moves

        def called_for(one: Startable) -> int:
            move = declared[one.id]
            return 1 if move.suits is None else 2 if not one.suits else 0 if move.encounter else 1

        those = sorted(self._starts.within(own), key=called_for)
        return [move._replace(cast=self._starts.cast_in_encounter(move.id)) for move in those]

    def _sides(self, people: Iterable[tuple[str, Markup]]) -> list[Side]:
        """People by side; a side that is only a role has no title."""
        system = self._seat.system
        roles = _ROLES.of((system.moves,), lambda: frozenset(
            role.id for move in system.moves.values() for role in move.cast))
        sides: dict[str, list[Markup]] = {}
        for side, drawn in people:
            sides.setdefault(side, []).append(drawn)
        return [Side("" if side in roles else self._seat.teller.value(side) if side else "", those)
                for side, those in sides.items()]

    def _turn(self, own: int, seen: EncounterSeen, cards: list[Card], moves: list[Startable]) -> str:
        """What happens next, and by whom."""
        seat = self._seat
        if any(card.mine for card in cards):
            return seat.teller.say("web.turn.mine")
        if cards:
            who = ", ".join(dict.fromkeys(name for card in cards for name in card.waits_for))
            return seat.teller.say("web.turn.waits", who=who) if who else ""
        if self._acting(seen):
            return self._whose(own, seen).words
        holders = self._holders(seen)
        if moves and seat.seat in holders:
            return seat.teller.say("web.turn.choose")
        names = [place.name for name, place in seat.seats.items() if name in holders]
        return seat.teller.say("web.turn.begins", who=seat.teller.listed(names)) if names else ""

    def _acting(self, seen: EncounterSeen) -> str:
        """Whose turn the state of an encounter says it is, as far as this seat sees them."""
        listing = self._inside.listing(seen)
        named = "" if listing is None or not listing.acting else seen.state.get(listing.acting)
        return named if isinstance(named, str) and any(who.id == named for who in self._inside.people(seen)) else ""

    def has_acted(self, own: int, seen: EncounterSeen) -> bool:
        """Whether whoever has the turn has used it, as far as this seat knows: then it is the game master's to give."""
        if own not in self._acted:
            self._acted[own] = self._has_acted(own, seen)
        return self._acted[own]

    def _has_acted(self, own: int, seen: EncounterSeen) -> bool:
        seat, listing, who = self._seat, self._inside.listing(seen), self._acting(seen)
        number = encounter_number(seat.state, seat.seat, own)
        if listing is None or not listing.spends or not who or number is None:
            return False
        given = self._given(number, listing, who)
        for name in reversed([*seat.moves]):
            if seat.table_number(name) <= given:
                return False
            move = seat.moves[name]
            declared = seat.system.moves.get(move.move)
            if (move.phase == "closed" and move.move in listing.spends and declared is not None
                    and move.cast.get(who) == declared.by):
                return True
        return False

    def _given(self, number: int, listing: Listing, who: str) -> int:
        """The act after which somebody had the turn: the last that gave it to them, or what began it all."""
        state, move = self._seat.state, self._seat.system.moves.get(listing.turn)
        after = state.encounters_begun.get(number, 0)
        for act in reversed(state.moves.values()):
            if act.id <= after or move is None:
                break
            if act.move == move.id and act.encounter == number and act.phase == "closed" and any(
                    filled.field == move.fields[0].id and filled.value == who for filled in act.fields):
                return act.id
        return after

    def _whose(self, own: int, seen: EncounterSeen) -> TurnTold:
        """Whose turn it is: whoever plays them reads that it is theirs, and the game master when to give it on."""
        seat, say, who = self._seat, self._seat.teller.say, self._acting(seen)
        held, acted, masters = seat.records.get(who), self.has_acted(own, seen), seat.state.eyes.masters
        owner, name = held.owner if held is not None else "", seat.name(who) if who else ""
        if seat.is_gm and (acted or not owner or owner in masters):
            key = "give_first" if not who else "give_on" if acted else "give_after"
            gifts = tuple(gift for whom, gift in self._next(own, seen).items() if whom != who or acted)
            return TurnTold(say(f"web.turn.{key}", who=name), True, gifts)
        if acted:
            names = [place.name for given, place in seat.seats.items() if given in masters]
            return TurnTold(say("web.turn.given_on", who=name, gm=seat.teller.listed(names)), False)
        if not who:
            return TurnTold("", False)
        mine = owner == seat.seat
        return TurnTold(say("web.turn.mine_as" if mine else "web.turn.theirs", who=name), mine)

    def turn(self) -> TurnTold | None:
        """Whose turn it is where the game master gives it; where that is this seat's business comes first."""
        seat = self._seat
        told = [self._whose(own, seen) for own, seen in seat.encounters.items() if not seen.over
                and (listing := self._inside.listing(seen)) is not None and listing.acting]
        told.sort(key=lambda turn: turn.mine)
        return told[-1] if told and told[-1].words else None

    def _holders(self, seen: EncounterSeen) -> frozenset[str]:
        """The seats that choose what happens next."""
        seat = self._seat
        encounter = seat.system.encounters.get(seen.encounter)
        declared = [move for move in seat.system.moves.values() if move.encounter == seen.encounter] or [
            seat.system.moves[name] for name in (encounter.also if encounter is not None else ())]
        return self._inside.holders(seen) if any(move.by != GM for move in declared) else seat.state.eyes.masters

    def to_choose(self) -> tuple[Startable, ...]:
        """What this seat may choose from as the next thing in the encounters under way."""
        seat = self._seat
        mine = [own for own, seen in seat.encounters.items() if not seen.over and seat.seat in self._holders(seen)]
        return tuple(move for own in mine for move in self.moves(own))

    def ahead(self, own: int) -> Ahead | None:
        """How an encounter would end as it stands, and without each of those who stand; the game master alone asks."""
        seat, seen = self._seat, self._seat.encounters.get(own)
        declared = None if seen is None else seat.system.encounters.get(seen.encounter)
        number = encounter_number(seat.state, seat.seat, own)
        if seen is None or number is None or declared is None or not declared.foresees or not seat.is_gm:
            return None
        listing = self._inside.listing(seen)
        people = ahead.listed(seen, listing) if listing is not None else []
        cases: list[WhatIf] = []
        lines, margin = list[str](), ""
        for gone, given, wins, ctx in ahead.ways_to_end(seat.turn, declared, people, number):
            words = "web.what_if.without" if gone else "web.what_if.now"
            cases.append(WhatIf(
                seat.teller.say(words, who=seat.name(gone) if gone else ""),
                seat.teller.percent(wins), float(wins),
                None if given.mean_steps is None else round(float(given.mean_steps), 1)))
            if not gone:
                lines = [seat.teller.telling(line, ctx) for line in given.lines]
                margin = seat.teller.number(round(100 * given.margin)) if given.margin else ""
        ours = ", ".join(seat.name(one.id) for one in ahead.first_side(people)) if people else ""
        return Ahead(ours, cases, margin, lines) if cases else None

    def ended(self, encounter: int) -> str:
        """The encounter that is at its end, in words."""
        seen = self._seat.encounters.get(encounter)
        return self._seat.teller.title(f"encounters.{seen.encounter}") if seen is not None and seen.over else ""

    def fighter(self, who: Person, stance: Stance) -> Fighter:
        """Somebody in an encounter."""
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
            who.id, seat.name(who.id), stance.ready, who.is_down, [*told[:3], *kept],
            self._sheets.gauges(who.id)[:3] if held is not None else [],
            held is not None and held.owner == seat.seat, next=stance.next, asks=stance.asks, meets=stance.meets,
            chips=tuple(self._sheets.chips(who.id)), acting=stance.acting, hidden=self.is_hidden(who.id),
        )

    def is_hidden(self, who: str) -> bool:
        """Whether somebody stands behind the screen, for whoever is told so."""
        held = self._seat.records.get(who)
        return self._seat.is_gm and held is not None and ALL not in (held.seen_by or (ALL,))
