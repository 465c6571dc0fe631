"""Beginning a move: which ones, with whom."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from paravent.dice import ParaventError
from paravent.game import PASS_TIME, TIME_SPAN, AnyEncounter, AnyField, Ask, Move, Role, Steps, TextField, to_plain
from paravent.game.asking import usual_of, values_of
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.lazily import cached_property
from paravent.game.records import ALL, GM
from paravent.game.telling import Teller
from paravent.game.words import holds
from paravent.table import acting
from paravent.table.deciding import encounter_number
from paravent.table.events import Sheet
from paravent.table.house import FREE_THROW
from paravent.table.kept import ByIdentity, ByReads, same
from paravent.table.passing import everybody, is_over
from paravent.table.state import Running
from paravent.web.sheets import Starter

from .inside import Inside
from .seat import DeskSeat
from .sheets import Listed, Sheets

_HANDFUL = 8
_BUTTONS = 12
"""How many people are buttons of their own; of more, a list is read."""


class Startable(NamedTuple):
    """A move that a seat may start, in words."""

    id: str
    title: str
    gm: bool
    help: str
    encounter: int
    group: str
    at_once: str
    """The record for which it is started by one tap."""
    creates: bool
    suits: bool
    """Whether it makes sense now, as far as the seat can tell."""
    cast: tuple[tuple[str, str], ...] | None = None
    """Who is in it, by role, where an encounter leaves no doubt about it: one tap begins it."""
    fills: tuple[tuple[str, str], ...] = ()
    """What is filled in for whoever begins it by one tap."""


class OfferedMove(NamedTuple):
    """A move that may be started at a table, in words; and whether it takes nobody but whoever starts it."""

    move: Move
    words: Startable
    alone: bool
    needs: tuple[Role, ...]
    """The roles that somebody must hold."""


class AllStartable(NamedTuple):
    """The moves that a seat may start or not, and what that follows from: objects, who is there, what rules say."""

    shows: tuple[object, ...]
    listed: list[Listed]
    said: Said
    moves: dict[str, Startable | None]


class PlayedAt(NamedTuple):
    """Where a move is played: the table's number of an encounter, how it stands, whether the seat may see it."""

    number: int | None
    running: Running | None
    known: bool


Said = dict[tuple[str, str, str], tuple[Sheet | None, bool]]
"""What rules say of a move with somebody in a role, and of which sheet; without a role, whether it suits them."""
_STARTABLE: OrderedDict[tuple[str, str, str], AllStartable] = OrderedDict()
"""By table, seat and language."""
_MOST_STARTABLE = 256
_OFFERED: ByIdentity[list[OfferedMove]] = ByIdentity()
_PLAYED_IN: ByIdentity[frozenset[str]] = ByIdentity()
"""The moves that are played inside an encounter."""
_FITS: ByReads[bool] = ByReads(16_384)
"""Who fits a role, for all who see the same of them."""
_SUITS: ByReads[bool] = ByReads(4096)
_SAID: ByReads[tuple[bool, ...]] = ByReads(4096)
"""What makes sense for somebody, as far as a record may be seen."""


class RoleAsked(NamedTuple):
    """A role of a move, with those who may hold it."""

    id: str
    title: str
    many: bool
    needed: bool
    who: list[Listed]
    acts: bool
    chosen: list[str]
    other: bool = False
    """Held by somebody else than whoever acts."""

    @property
    def is_settled(self) -> bool:
        """Whether the move can be begun without a word about it: it is held, or may be held by nobody."""
        return not self.needed or self.acts or len(self.who) == 1 or bool(self.chosen)

    def without(self, people: Container[str]) -> RoleAsked:
        """The same, for anybody else."""
        return self._replace(who=[one for one in self.who if one.id not in people],
                             chosen=[one for one in self.chosen if one not in people])


class StartForm(NamedTuple):
    """What is asked to start a move: who is in it."""

    id: str
    title: str
    roles: list[RoleAsked]
    help: str
    gm: bool
    encounter: int
    ask: list[Listed]
    may_throw: bool
    """Whether there may be dice in it, of which less may be shown."""

    @property
    def whom(self) -> RoleAsked | None:
        """The only role about which something must be said, where one tap can say it: then it begins."""
        unsaid = [role for role in self.roles if not role.is_settled]
        return unsaid[0] if len(unsaid) == 1 and 0 < len(unsaid[0].who) <= _BUTTONS else None


class SaidOfAll(NamedTuple):
    """What the game master may say of everybody: a field, its values in words, the usual one."""

    id: str
    title: str
    options: tuple[tuple[str, str], ...]
    usual: str


class Starts:
    """What one seat may begin."""

    def __init__(self, seat: DeskSeat, sheets: Sheets, inside: Inside) -> None:
        self._seat, self._sheets, self._inside = seat, sheets, inside
        self._able: dict[tuple[bool, str, tuple[str, ...]], list[Listed]] = {}
        """Those who may hold a role: one that acts or another, of a kind."""
        self._said: Said = {}
        self._places: dict[int, PlayedAt] = {}
        self._casts: dict[str, tuple[tuple[str, str], ...] | None] = {}
        self._standing: dict[int, list[list[str]]] = {}

    @cached_property
    def startable(self) -> list[Startable]:
        """The moves this seat may start, with the roles to fill.

        What rules say of somebody is asked again only once their sheet is another one; only a move of which they then
        say something else is looked at anew.
        """
        seat, state = self._seat, self._seat.state
        shows = (seat.system, state.rulings, self._seat.eyes, state.encounters, state.counts_of(seat.seat).encounters,
                 state.minutes)
        key = state.table, seat.seat, seat.lang
        kept = _STARTABLE.get(key)
        if kept is None or not same(kept.shows, shows) or kept.listed != self._sheets.listed:
            kept = _STARTABLE[key] = AllStartable(shows, self._sheets.listed, {}, {})
            while len(_STARTABLE) > _MOST_STARTABLE:
                _STARTABLE.popitem(last=False)
        changed = set(self._said_otherwise(kept))
        for offered in self.on_offer:
            name = offered.move.id
            if name in changed or name not in kept.moves:
                kept.moves[name] = self.startable_as(offered)
        kept.said.update(self._said)
        over = {move.id for move in seat.system.moves.values() if move.passes and is_over(state, move.passes)}
        return [one for one in kept.moves.values() if one is not None and one.id not in over]

    def _said_otherwise(self, kept: AllStartable) -> Iterator[str]:
        """The moves of which rules no longer say of everybody what they said: they are asked all together, and only
        once something that any of them reads of somebody is another."""
        records, asked = self._seat.state.records, dict[str, list[tuple[str, str]]]()
        for (move, role, who), (held, _) in kept.said.items():
            if records.get(who) is not held:
                asked.setdefault(who, []).append((move, role))
        for who, those in asked.items():
            says = _SAID.of(kept.shows, self._sheets.read(who), partial(self._says_of, who, those),
                            self._seat.seat, who, tuple(those))
            for (move, role), now in zip(those, says, strict=True):
                self._said[move, role, who] = records.get(who), now
                if now != kept.said[move, role, who][1]:
                    yield move

    def _says_of(self, who: str, asked: list[tuple[str, str]], record: Any) -> tuple[bool, ...]:
        """What rules say of moves with somebody in a role; without one, whether they suit them."""
        moves = self._seat.system.moves
        return tuple(self.fits(moves[move], role, who, record) if role else self._suits(moves[move], who, record)
                     for move, role in asked)

    def within(self, encounter: int) -> list[Startable]:
        """The moves this seat may start inside an encounter, by its own number for it."""
        if not any(own == encounter for own, _ in self._mine_to_play):
            return []
        return [one for one in self.startable if one.encounter == encounter]

    @property
    def on_offer(self) -> list[OfferedMove]:
        seat = self._seat
        return _OFFERED.of((seat.system, seat.state.rulings), self._offered, seat.lang, seat.is_gm)

    def startable_as(self, offered: OfferedMove) -> Startable | None:
        """A move that is offered, if this seat may start it."""
        seat, (move, words, alone, _) = self._seat, offered
        encounter = self._encounter_of(move)
        if (move.encounter and not encounter) or not self._has_all(offered):
            return None
        kind = next((role.record for role in move.cast if role.id == "initiator"), None)
        mine = self._only_mine_of(kind) if kind else self._only_mine
        at_once = mine if alone and mine and not seat.is_gm and self.fits(move, "initiator", mine) else ""
        suits = move.suits is not None and self._suits(move, mine)
        if not (encounter or at_once or suits):
            return words
        return words._replace(encounter=encounter, at_once=at_once, suits=suits)

    def _only_mine_of(self, kind: str) -> str:
        """The one record of a kind that is the seat's own, if it has one and only one."""
        mine = [one.id for one in self._sheets.listed if one.mine and one.of == kind]
        return mine[0] if len(mine) == 1 else ""

    @cached_property
    def _only_mine(self) -> str:
        """The one character of the seat's own, if it has one and only one."""
        mine = [one.id for one in self._sheets.listed if one.mine and one.player]
        return mine[0] if len(mine) == 1 else ""

    def _offered(self) -> list[OfferedMove]:
        """The moves that the game and the options of the table offer a game master, or anybody else who asks."""
        seat, teller, found = self._seat, self._seat.teller, []
        for move in seat.system.moves.values():
            if move.id in (FREE_THROW.id, PASS_TIME) or (move.by == GM and not seat.is_gm):
                continue
            if not move.encounter and not self._applies(move):
                continue
            needed = tuple(role for role in move.cast if role.is_needed and role.id != GM)
            optional = [role.id for role in move.cast
                        if role.least == 0 and role.offered(seat.rulings) and not (role.later or role.offers)]
            words = Startable(move.id, teller.title(f"moves.{move.id}"), move.by == GM, teller.help(f"moves.{move.id}"),
                              0, teller.group(move.group), "", bool(move.makes), False)
            alone = [role.id for role in needed] == ["initiator"] and not optional
            found.append(OfferedMove(move, words, alone, needed))
        return found

    def _suits(self, move: Move, record: str, noted: Any = None) -> bool:
        """Whether a move makes sense now: for one's only character, or for anybody. ``noted`` is the record of which it
        is noted what is read."""
        seat = self._seat
        acts = record and any(role.id == "initiator" for role in move.cast)
        held = None if not acts else self._sheets.read(record) if noted is None else noted

        def makes_sense(seen: Any) -> bool:
            try:
                cast = {} if seen is None else {"initiator": seen}
                return move.makes_sense(seat.system.context(move, {}, cast, seat.rulings))
            except (ParaventError, *STUMBLES):
                return False

        suits = _SUITS.of((move, seat.system, seat.state.rulings), held, makes_sense, record)
        self._said[move.id, "", record] = seat.state.records.get(record), suits
        return suits

    @cached_property
    def offered(self) -> list[Startable]:
        """The moves to choose from; a character of one's own is brought elsewhere."""
        return [one for one in self.startable if one.gm or not one.creates]

    @property
    def wanted(self) -> list[str]:
        """Where nothing can be begun, the kinds of sheets that are missing for something to be, in words."""
        if self.offered:
            return []
        kinds = (role.record for offered in self.on_offer if not offered.move.encounter and not offered.move.makes
                 for role in offered.needs if role.record and not self._free(offered.move, role))
        return [self._seat.teller.title(f"kinds.{kind}") for kind in dict.fromkeys(kinds)]

    @cached_property
    def suggested(self) -> list[Startable]:
        """A handful of moves that make sense now: those of an encounter first, then those that suit, then the first.

        What says when it suits is left to the search while it does not; so is what closes a part of the story while
        none is open, and everything, to a player without anybody.
        """
        gm, moves, state = self._seat.is_gm, self._seat.system.moves, self._seat.state
        closed = {span for span, title in (("scene", state.scene), ("episode", state.episode)) if not title}
        if not gm and not any(one.mine for one in self._sheets.listed):
            return []
        fit = [one for one in self.offered if moves[one.id].passes not in closed
               and (one.encounter or one.suits or moves[one.id].suits is None)]
        return sorted(fit, key=lambda one: (not one.encounter, not one.suits, gm and not one.gm))[:_HANDFUL]

    def found(self, words: str) -> list[Startable]:
        """The moves whose title, help, group, synonyms or skills hold these words, in either language, best first.

        What stands on one's own sheet under such a name comes before all, ready to begin; so does what a game calls so.
        """
        seat = self._seat
        tellers = [seat.teller, Teller("en" if seat.lang == "fr" else "fr", seat.system)]
        hits = []
        for one in self.offered:
            move = seat.system.moves[one.id]
            titles = " ".join(teller.title(f"moves.{one.id}") for teller in tellers)
            words_of = " ".join(f"{teller.synonyms(one.id)} {teller.group(move.group)}" for teller in tellers)
            helps = " ".join(teller.help(f"moves.{one.id}") for teller in tellers)
            skills = " ".join(self._on_sheets.get(one.id, ()))
            for rank, text in enumerate((titles, f"{titles} {words_of} {skills}",
                                         f"{titles} {words_of} {skills} {helps}")):
                if holds(text, words):
                    hits.append((rank, not one.suits, one))
                    break
        moves = (one for _, _, one in sorted(hits, key=lambda hit: hit[:2]))
        return [*self._ready(words), *self._called(words, tellers), *moves]

    def _ready(self, words: str) -> Iterator[Startable]:
        """What stands on one's own sheets under a name that holds these words: it begins filled in."""
        offered = {one.id: one for one in self.offered}
        for name, starts, record in self._at_a_click:
            begins = offered.get(starts.move)
            if begins is not None and not begins.encounter and not starts.role and holds(name, words):
                fills = tuple((field, str(value)) for field, value in starts.fills)
                yield begins._replace(title=name, help=begins.title, at_once=record, fills=fills)

    def _called(self, words: str, tellers: list[Teller]) -> Iterator[Startable]:
        """What a game has a name for that holds these words: it begins filled in, for one's only character."""
        seat = self._seat
        for one in self.offered:
            move = seat.system.moves[one.id]
            if not one.at_once or one.encounter:
                continue
            for asked in (asked for asked in move.fields if asked.sought):
                for value in values_of(asked, seat.system.context(move, {}, {}, seat.rulings)):
                    if any(holds(teller.sought(asked.id, value), words) for teller in tellers):
                        yield one._replace(title=seat.teller.value(value), help=one.title,
                                           fills=((asked.id, str(to_plain(value))),))

    def ordinary(self, words: str) -> list[Startable]:
        """What one does alone, with dice, where no move has such a name: it begins with these words for what it is
        about, if it asks for that; nothing, for a player without anybody."""
        one = next(iter(self.asked_of_players()), None)
        if one is None or not (self._seat.is_gm or any(held.mine for held in self._sheets.listed)):
            return []
        said = (asked.id for asked in self._seat.system.moves[one.id].fields
                if asked.names and asked.role == "initiator" and isinstance(asked.type, TextField))
        return [one._replace(fills=tuple((field, words.strip()) for field in islice(said, 1)))]

    @cached_property
    def _on_sheets(self) -> dict[str, list[str]]:
        """The words on one's own sheets that begin a move at a click, by move."""
        found: dict[str, list[str]] = {}
        for words, starts, _ in self._at_a_click:
            found.setdefault(starts.move, []).append(words)
        return found

    @cached_property
    def _at_a_click(self) -> list[tuple[str, Starter, str]]:
        """What stands on one's own sheets and begins a move at a click: its words, what it begins, and for whom."""
        return [(words, starts, one.id) for one in self._sheets.listed if one.mine and one.player
                for block in self._sheets.sheet(one.id).blocks for line in (*block.figures, *block.lines)
                for words, starts in line.begins()]

    def asked_of_players(self) -> list[Startable]:
        """What the game master may ask of somebody's character: what one does alone, with dice."""
        moves = self._seat.system.moves
        return [one for one in self.startable if not one.gm and not one.creates and any(moves[one.id].resolves)
                and {role.id for role in moves[one.id].cast if role.least > 0} <= {"initiator", GM}]

    @cached_property
    def figures_of(self) -> tuple[str, ...]:
        """Whose figures stand for those of all who play: one character of each kind."""
        return tuple({one.of: one.id for one in reversed(self._sheets.listed) if one.player and one.owner}.values())

    def figures_asked(self) -> list[tuple[str, Starter]]:
        """What the game master may ask a test of, in words: the figures that stand on the sheets of all who play."""
        asked = {one.id for one in self.asked_of_players()}
        return [(figure.name, figure.starts) for record in self.figures_of
                for block in self._sheets.sheet(record).blocks for figure in block.figures
                if figure.starts is not None and figure.starts.move in asked][:_BUTTONS]

    def judged_of_all(self) -> SaidOfAll | None:
        """What the game master may judge along with what they ask for: the named steps of the ordinary test."""
        seat, asked = self._seat, [starts.move for _, starts in self.figures_asked()]
        name = next(iter(asked), next((one.id for one in self.asked_of_players()), ""))
        for field in seat.system.moves[name].fields if name else ():
            steps = field.shape.values if isinstance(field.shape, Steps) else ()
            if field.role == GM and field.place == "judgement" and steps and field.secrecy == "open":
                words = tuple((str(step), " ".join(filter(None, (
                    seat.teller.step_figure(step, steps), seat.teller.step_title(field.id, step))))) for step in steps)
                return SaidOfAll(field.id, seat.teller.title(f"fields.{field.id}"), words, "")
        return None

    def _encounter_of(self, move: Move) -> int:
        """The number of the encounter in which this seat plays a move now; 0 where it is played in none."""
        return self._played_in.get(move.id, 0)

    @cached_property
    def _played_in(self) -> dict[str, int]:
        """The encounter in which this seat plays a move now, by the move's id; of several, the latest."""
        moves = self._seat.system.moves
        return {name: own for own, declared in sorted(self._mine_to_play, key=lambda one: one[0])
                for name in _PLAYED_IN.of((declared, moves), partial(_moves_inside, declared, moves))}

    @cached_property
    def _mine_to_play(self) -> list[tuple[int, AnyEncounter]]:
        """The encounters under way that are this seat's business, with how the game declares them."""
        encounters = self._seat.system.encounters
        return [(own, encounters[seen.encounter]) for own, seen in self._seat.encounters.items()
                if not seen.over and seen.encounter in encounters and (self._seat.is_gm or self._inside.is_in(seen))]

    @staticmethod
    def grouped(moves: Iterable[Startable]) -> list[tuple[str, list[Startable]]]:
        """Moves by what the game lists them under."""
        found: dict[str, list[Startable]] = {}
        for move in moves:
            found.setdefault(move.group, []).append(move)
        return list(found.items())

    def _applies(self, move: Move) -> bool:
        """Whether the options of the table let it be done at all."""
        if move.when is None and move.offered is None:
            return True
        try:
            return move.can_come(self._seat.system.context(move, {}, {}, self._seat.rulings))
        except (ParaventError, *STUMBLES):
            return True  # it depends on who is in it

    def _has_all(self, offered: OfferedMove) -> bool:
        """Whether the move could be begun at all: somebody fits each role that it needs."""
        move = offered.move
        for role in offered.needs:
            if role.id == move.by and not role.record and not self._free(move, role):
                continue  # whoever has no sheet acts without one
            if next(self._fitting(move, role), None) is None:
                return False
        return not move.camps or self._are_two(move)

    def _are_two(self, move: Move) -> bool:
        """Whether there is somebody for each of the two camps: nobody stands against themselves."""
        first, second = ({one.id for one in islice(self._fitting(move, role), 2)} for role in move.camps)
        return len(first | second) > 1

    def _fitting(self, move: Move, role: Role) -> Iterator[Listed]:
        """Those with whom the move may be begun in a role: somebody else than one's only character, if it says so."""
        acting_alone = self._only_mine if role.other and not self._seat.is_gm else ""
        friends = self._friends_alone(move) if role.other else frozenset()
        return (one for one in self._free(move, role)
                if one.id != acting_alone and one.id not in friends and self.fits(move, role.id, one.id))

    def _friends_alone(self, move: Move) -> frozenset[str]:
        """Where one sees no foe in an encounter, those of one's own side: the move by which foes meet there is not for
        them."""
        seen = self._seat.encounters.get(self._encounter_of(move))
        listing = None if seen is None or self._seat.is_gm else self._inside.listing(seen)
        if seen is None or listing is None or listing.meets != move.id:
            return frozenset()
        people = self._inside.people(seen)
        sides = {who.side for who in people}
        alone = len(sides) == 1 and not self._mine.isdisjoint(who.id for who in people)
        return frozenset(who.id for who in people) if alone else frozenset()

    def _free(self, move: Move, role: Role) -> list[Listed]:
        """Those who may hold a role, whatever the rules say of them; first whoever is in an encounter under way."""
        acts, system = role.id == move.by, self._seat.system
        found = self._able.get((acts, role.record, role.also))
        if found is None:
            able = [one for one in self._sheets.listed if (one.acts or not acts) and system.takes(role, one.of)]
            found = self._able[acts, role.record, role.also] = sorted(able, key=lambda one: one.id not in self._meeting)
        return found

    @cached_property
    def _meeting(self) -> frozenset[str]:
        """Those whom an encounter that is this seat's business lists."""
        return frozenset(who.id for own, _ in self._mine_to_play
                         for who in self._inside.people(self._seat.encounters[own]))

    def fits(self, move: Move, role: str, who: str, noted: Any = None) -> bool:
        """Whether the rules let the move be begun with somebody in a role, as far as the seat may know. ``noted`` is
        their record of which it is noted what is read."""
        if _takes_anybody(move):
            return True
        number, running, known = self._place(self._encounter_of(move))
        seat, state, eyes = self._seat, self._seat.state, self._seat.eyes
        # What a seat may not see of a record is in its class; what else may be kept from one seat and not from another
        # is what a move asks in private, and how an encounter stands.
        mine = (eyes.seats.get(seat.seat), seat.seat in eyes.controllers(who)) if role in move.guarded else None
        sees = mine, running is not None and seat.is_gm
        reads = seat.system, move, running, state.rulings, eyes
        fits = _FITS.of(
            reads, self._sheets.read(who) if noted is None else noted,
            lambda record: acting.may_hold(seat.turn, move, role, who, number, record),
            sees, known, role, who, number, state.day)
        self._said[move.id, role, who] = state.records.get(who), fits
        return fits

    def _place(self, encounter: int) -> PlayedAt:
        """An encounter by this seat's number for it; none has 0."""
        found = self._places.get(encounter)
        if found is None:
            seat, state = self._seat, self._seat.state
            number = encounter_number(state, seat.seat, encounter) if encounter else None
            running = state.encounters.get(number or 0)
            known = running is None or self._seat.eyes.may_see(seat.seat, "", running.seen_by)
            found = self._places[encounter] = PlayedAt(number, running, known)
        return found

    def start_form(self, move_id: str) -> StartForm:
        """The roles of a move, with those who may hold them."""
        seat, teller = self._seat, self._seat.teller
        move = seat.system.move(move_id)
        alone = {role.id for role in move.cast if role.least} <= {move.by, GM}
        asked = [one for one in self._sheets.listed if alone and one.player and self.fits(move, move.by, one.id)]
        return StartForm(move_id, teller.title(f"moves.{move_id}"), self._roles(move), teller.help(f"moves.{move_id}"),
                         move.by == GM, self._encounter_of(move),
                         asked if seat.is_gm and move.by != GM and len(asked) > 1 else [], move.may_throw)

    def _roles(self, move: Move) -> list[RoleAsked]:
        """The roles of a move, each with those who may hold it."""
        seat, teller, encounter = self._seat, self._seat.teller, self._encounter_of(move)
        chosen = self._chosen(encounter, move) if encounter else self._camps(move)
        roles, camps = [], dict(zip((role.id for role in move.camps),
                                    (teller.say("web.camp"), teller.say("web.other_camp")), strict=False))
        for role in move.cast:
            if role.id == GM or not role.offered(seat.rulings):
                continue
            who = list(self._fitting(move, role))
            if role.record and not role.least and not who:
                continue  # nothing to choose, and nothing needed
            if encounter and role.other:
                who = self._foes_first(encounter, who)
            title = camps.get(role.id) or teller.role(role.id)
            own = bool(role.record) and role.id != move.by and role.meant is None and not seat.is_gm
            mine = [one.id for one in who if one.mine] if own else []
            brought = chosen.get(role.id) or (mine if len(mine) == 1 else self._meant(role, who))  # one's only hold
            needed = role.is_needed or bool(encounter and role.aimed and self._are_several(encounter, move, role))
            roles.append(RoleAsked(role.id, title[:1].upper() + title[1:], role.most != 1, needed, who,
                                   role.id == move.by, self._known_to_all(who) if role.everybody else brought,
                                   role.other))
        alone = {role.who[0].id for role in roles if role.other and role.needed and len(role.who) == 1}
        return [role.without(alone) if role.acts and not role.many else role for role in roles]

    def _meant(self, role: Role, who: Iterable[Listed]) -> list[str]:
        """Which of several the game means where nobody is chosen, if it is one; it reads what the seat sees."""
        if role.meant is None:
            return []
        around = [record for name in self._seat.records if (record := self._sheets.record(name)) is not None]
        found = []
        for one in who:
            with suppress(Withheld):
                if role.meant(self._sheets.record(one.id), around):
                    found.append(one.id)
        return found if len(found) == 1 else []

    def _known_to_all(self, people: Iterable[Listed]) -> list[str]:
        """Those whom nobody at the table is kept from seeing."""
        records = self._seat.state.records
        return [one.id for one in people if one.owner or ALL in records[one.id].seen_by]

    def _chosen(self, encounter: int, move: Move) -> dict[str, list[str]]:
        """Who would hold the roles of a move: in an encounter with sides, whoever still stands, one's own side first.

        A player's own acts; where but one may hold a role, only somebody who stands there alone is chosen.
        """
        mine, sides = self._mine, self._sides(encounter)
        if len(sides) < 2:
            return {}
        roles, found = [role for role in move.cast if role.id != GM], dict[str, list[str]]()
        able = {one.id for role in roles if role.id == move.by for one in self._fitting(move, role)}
        order = sorted(sides, key=lambda those: (mine.isdisjoint(those), able.isdisjoint(those)))
        if self._seat.is_gm and len(roles) == 1 and roles[0].most is None:
            return {}  # anybody of any side, and several: the game master says who
        for role, those in zip(roles, order, strict=False):
            if role.id == move.by:  # whoever is held slips out, on whichever side they stand
                those = [who for who in those if who in mine] or [who for who in those if who in able] or those
            if role.around:
                there = {who.id for who in self._inside.people(self._seat.encounters[encounter])}
                those = [who for who in self._known_to_all(self._fitting(move, role))
                         if who in there and who not in found.get(move.by, ())]
            if role.most is None or len(those) <= role.most:
                found[role.id] = those
        return found

    @cached_property
    def _mine(self) -> frozenset[str]:
        """A player's own characters; the game master takes no side."""
        return frozenset() if self._seat.is_gm else frozenset(one.id for one in self._sheets.listed if one.mine)

    def _foes_first(self, encounter: int, people: Iterable[Listed]) -> list[Listed]:
        """Those who stand on another side than one's own before all others: no friend is where one's finger goes."""
        sides = self._sides(encounter)
        against = {who for side in sides for who in side if self._mine.isdisjoint(side)}
        return sorted(people, key=lambda one: one.id not in against)

    def _sides(self, encounter: int) -> list[list[str]]:
        """The sides of an encounter, worked out once."""
        if encounter not in self._standing:
            self._standing[encounter] = self._still_standing(encounter)
        return self._standing[encounter]

    def _still_standing(self, encounter: int) -> list[list[str]]:
        """Those who still stand in an encounter, side by side."""
        seen = self._seat.encounters.get(encounter)
        sides: dict[str, list[str]] = {}
        for who in self._inside.people(seen) if seen is not None else ():
            if not who.is_down:
                sides.setdefault(who.side, []).append(who.id)
        return list(sides.values())

    def cast_in_encounter(self, move_id: str) -> tuple[tuple[str, str], ...] | None:
        """Who would be in a move of an encounter, by role, if there is no doubt about anybody."""
        if move_id not in self._casts:
            self._casts[move_id] = self._cast_in_encounter(self._seat.system.move(move_id))
        return self._casts[move_id]

    def _cast_in_encounter(self, move: Move) -> tuple[tuple[str, str], ...] | None:
        encounter, cast = self._encounter_of(move), list[tuple[str, str]]()
        chosen = self._chosen(encounter, move) if encounter else self._camps(move)
        for role in move.cast:
            if role.id == GM or not role.offered(self._seat.rulings):
                continue
            those = chosen.get(role.id) or self._without_doubt(move, role)
            if not those and (role.is_needed
                              or (encounter and role.aimed and self._are_several(encounter, move, role))):
                return None  # whom it is meant for is asked, also where it could be meant for nobody
            cast += [(role.id, who) for who in those]
        return tuple(cast)

    def _are_several(self, encounter: int, move: Move, role: Role) -> bool:
        """Whether several of another side still stand with whom the move may be begun."""
        sides = self._sides(encounter)
        foes = {who for side in sides if self._mine.isdisjoint(side) for who in side} if len(sides) > 1 else set()
        return len({one.id for one in self._fitting(move, role)} & foes) > 1

    def _without_doubt(self, move: Move, role: Role) -> list[str]:
        """Who holds a role for which nobody is chosen: the only one of one's own who may, or the only one at all."""
        mine, only = list[str](), list[str]()
        if (role.id == move.by or (role.record and role.meant is None)) and not self._seat.is_gm:
            mine = [one.id for one in islice((one for one in self._fitting(move, role) if one.mine), 2)]
        if role.is_needed and len(mine) != 1:
            only = [one.id for one in islice(self._fitting(move, role), 2)]
        return next((those for those in (mine, only) if len(those) == 1), [])

    def _camps(self, move: Move) -> dict[str, list[str]]:
        """Who would hold two roles of many of a new encounter: the players' characters, and whoever else."""
        many = move.camps
        if not self._seat.is_gm or not many:
            return {}
        first, second = (list(self._fitting(move, role)) for role in many)
        ours = [one.id for one in first if one.owner]
        others = [one.id for one in second if not (one.owner or one.player)]
        return {many[0].id: ours, many[1].id: others if len(others) <= _HANDFUL else []} if ours else {}

    def askable(self, move_id: str) -> list[str]:
        """Those of whom the game master may ask a move."""
        move = self._seat.system.move(move_id)
        role = next(role for role in move.cast if role.id == move.by)
        return [one.id for one in self._fitting(move, role)]

    def living(self) -> list[str]:
        """Everybody for whom time passes."""
        return everybody(self._seat.state, self._seat.system)

    def said_of_all(self, span: str) -> list[SaidOfAll]:
        """What the game master may say of everybody when so much time passes: what a scene cost."""
        seat, found = self._seat, list[SaidOfAll]()
        if not any(habit.by == GM for habit in seat.system.habits):
            return found
        ctx = seat.system.context(PASS_TIME, {"gm": [{TIME_SPAN.id: span}]}, rulings=seat.rulings)
        for habit in seat.system.habits:
            if habit.by == GM and habit.applies(ctx):
                values = [(str(to_plain(value)), seat.teller.value(value)) for value in values_of(habit, ctx)]
                found.append(SaidOfAll(habit.id, seat.teller.title(f"fields.{habit.id}"), tuple(values),
                                       str(usual_of(habit, ctx))))
        return found

def _moves_inside(declared: AnyEncounter, moves: Mapping[str, Move]) -> frozenset[str]:
    return frozenset(name for name, move in moves.items() if declared.holds(move))


def _takes_anybody(move: Move) -> bool:
    """Whether the rules have nothing to say about who is in a move."""
    return move.when is None and move.offered is None


def said_before_dice(move: Move) -> Iterator[AnyField]:
    """The fields of a move that are filled in before any dice."""
    for step in move.steps:
        if isinstance(step, Ask):
            yield from step.fields
        elif any(acting.throws([step])):
            return


