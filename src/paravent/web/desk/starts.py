"""Beginning a move: which ones, with whom, from a click on a sheet."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from paravent.dice import ParaventError
from paravent.game import PASS_TIME, TIME_SPAN, AnyEncounter, AnyField, Ask, Listing, Move, Role, TextField, to_plain
from paravent.game.errors import STUMBLES
from paravent.game.plain import Plain
from paravent.game.records import GM
from paravent.game.telling import Teller, usual_of, values_of
from paravent.game.words import holds
from paravent.table import acting
from paravent.table import commands as c
from paravent.table.deciding import encounter_number
from paravent.table.house import FREE_THROW
from paravent.table.kept import ByIdentity
from paravent.table.passing import everybody
from paravent.table.seen import EncounterSeen, is_sealed
from paravent.web.sheets import Starter

from .seat import DeskSeat
from .sheets import Listed, Sheets

_HANDFUL = 8
_BUTTONS = 12
"""How many people are buttons of their own; of more, a list is read."""


class FirstStep(NamedTuple):
    """What somebody new to the table does first, with where to do it."""

    id: str
    done: bool
    where: str


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


class OfferedMove(NamedTuple):
    """A move that may be started at a table, in words; and whether it takes nobody but whoever starts it."""

    move: Move
    words: Startable
    alone: bool


_OFFERED: ByIdentity[list[OfferedMove]] = ByIdentity()
_HOLDERS: ByIdentity[frozenset[str]] = ByIdentity()
_FITS: ByIdentity[bool] = ByIdentity(16_384)
"""Who fits a role, for all who see the same of them."""
_SUITS: ByIdentity[bool] = ByIdentity(4096)
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

    @property
    def is_settled(self) -> bool:
        """Whether the move can be begun without a word about it: it is held, or may be held by nobody."""
        return not self.needed or self.acts or len(self.who) == 1 or bool(self.chosen)


class StartForm(NamedTuple):
    """What is asked to start a move: who is in it."""

    id: str
    title: str
    roles: list[RoleAsked]
    help: str
    gm: bool
    encounter: int
    ask: list[Listed]

    @property
    def whom(self) -> RoleAsked | None:
        """The only role about which something must be said, where one tap can say it: then it begins."""
        unsaid = [role for role in self.roles if not role.is_settled]
        return unsaid[0] if len(unsaid) == 1 and 0 < len(unsaid[0].who) <= _BUTTONS else None


class Person(NamedTuple):
    """Somebody whom the state of an encounter lists: their side if there are any, and what else it says of them."""

    id: str
    side: str
    is_down: bool
    told: Mapping[str, Plain]


class SaidOfAll(NamedTuple):
    """What the game master may say of everybody as time passes: a field, its values in words, the usual one."""

    id: str
    title: str
    options: tuple[tuple[str, str], ...]
    usual: str


class Starts:
    """What one seat may begin."""

    def __init__(self, seat: DeskSeat, sheets: Sheets) -> None:
        self._seat, self._sheets = seat, sheets
        self._able: dict[tuple[bool, str], list[Listed]] = {}
        """Those who may hold a role: one that acts or another, of a kind."""

    def first_steps(self) -> list[FirstStep]:
        """What somebody new to the table does first; none once it is done."""
        seat = self._seat
        acted = FirstStep("act", bool(seat.moves), "")
        if seat.is_gm:
            steps = [FirstStep("invite", len(seat.seats) > 1, "links"),
                     FirstStep("bring", bool(seat.records), "new"), acted]
            return [] if acted.done else steps
        if not seat.plays or any(one.mine for one in self._sheets.listed):
            return []
        return [FirstStep("character", False, "new"), acted._replace(done=False)]

    @cached_property
    def startable(self) -> list[Startable]:
        """The moves this seat may start, with the roles to fill."""
        return [one for offered in self._on_offer if (one := self._startable(offered)) is not None]

    def within(self, encounter: int) -> list[Startable]:
        """The moves this seat may start inside an encounter, by its own number for it."""
        if not any(own == encounter for own, _ in self._mine_to_play):
            return []
        return [one for one in self.startable if one.encounter == encounter]

    @property
    def _on_offer(self) -> list[OfferedMove]:
        seat = self._seat
        return _OFFERED.of((seat.system, seat.state.rulings), self._offered, seat.lang)

    def _startable(self, offered: OfferedMove) -> Startable | None:
        """A move that is offered, if this seat may start it."""
        seat, (move, words, alone) = self._seat, offered
        encounter = self._encounter_of(move) if self._mine_to_play else 0
        if (move.by == GM and not seat.is_gm) or (move.encounter and not encounter) or not self._has_all(move):
            return None
        mine = self._only_mine
        at_once = mine if alone and mine and not seat.is_gm and self._fits(move, "initiator", mine) else ""
        suits = move.suits is not None and self._suits(move, mine)
        if not (encounter or at_once or suits):
            return words
        return words._replace(encounter=encounter, at_once=at_once, suits=suits)

    @cached_property
    def _only_mine(self) -> str:
        """The one character of the seat's own, if it has one and only one."""
        mine = [one.id for one in self._sheets.listed if one.mine and one.player]
        return mine[0] if len(mine) == 1 else ""

    def _offered(self) -> list[OfferedMove]:
        """The moves that the game and the options of the table offer, whoever asks."""
        seat, teller, found = self._seat, self._seat.teller, []
        for move in seat.system.moves.values():
            if move.id in (FREE_THROW.id, PASS_TIME):
                continue
            if not move.encounter and not self._applies(move):
                continue
            needed = [role.id for role in move.cast if role.least > 0 and role.id != GM]
            optional = [role.id for role in move.cast
                        if role.least == 0 and role.offered(seat.rulings) and not (role.later or role.offers)]
            words = Startable(move.id, teller.title(f"moves.{move.id}"), move.by == GM, teller.help(f"moves.{move.id}"),
                              0, teller.group(move.group), "", bool(move.makes), False)
            found.append(OfferedMove(move, words, needed == ["initiator"] and not optional))
        return found

    def _suits(self, move: Move, record: str) -> bool:
        """Whether a move makes sense now: for one's only character, or for anybody."""
        seat = self._seat
        held = self._sheets.read(record) if record else None
        cast = {"initiator": held} if held is not None and any(role.id == "initiator" for role in move.cast) else {}

        def makes_sense() -> bool:
            try:
                return move.makes_sense(seat.system.context(move, {}, cast, seat.rulings))
            except (ParaventError, *STUMBLES):
                return False

        return _SUITS.of((move, seat.system, seat.state.rulings, *cast.values()), makes_sense)

    @cached_property
    def offered(self) -> list[Startable]:
        """The moves to choose from; a character of one's own is brought elsewhere."""
        return [one for one in self.startable if one.gm or not one.creates]

    @cached_property
    def suggested(self) -> list[Startable]:
        """A handful of moves that make sense now: those of an encounter first, then those that suit, then the first.

        What says when it suits is left to the search while it does not; so is everything, to a player without anybody.
        """
        gm, moves = self._seat.is_gm, self._seat.system.moves
        if not gm and not any(one.mine for one in self._sheets.listed):
            return []
        fit = [one for one in self.offered if one.encounter or one.suits or moves[one.id].suits is None]
        return sorted(fit, key=lambda one: (not one.encounter, not one.suits, gm and not one.gm))[:_HANDFUL]

    def found(self, words: str) -> list[Startable]:
        """The moves whose title, help, group, synonyms or skills hold these words, in either language, best first."""
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
        return [one for _, _, one in sorted(hits, key=lambda hit: hit[:2])]

    @cached_property
    def _on_sheets(self) -> dict[str, list[str]]:
        """What stands on one's own sheets and begins a move at a click: the words, by move."""
        found: dict[str, list[str]] = {}
        for one in self._sheets.listed:
            for block in self._sheets.sheet(one.id).blocks if one.mine and one.player else ():
                for words, starts in (pair for line in (*block.figures, *block.lines) for pair in line.begins()):
                    found.setdefault(starts.move, []).append(words)
        return found

    def again(self, number: int) -> c.StartMove | None:
        """The same act once more: the same people, and what this seat said before the dice; if it may be begun."""
        seat, seen = self._seat, self._seat.moves.get(number)
        if seen is None or seat.seat != seen.starter:
            return None
        offered = next((one for one in self._on_offer if one.move.id == seen.move), None)
        one = self._startable(offered) if offered is not None else None
        if offered is None or one is None or one.encounter != (seen.encounter or 0) or not (one.gm or not one.creates):
            return None
        move = offered.move
        cast = {role.id: [who for who, held in seen.cast.items() if held == role.id]
                for role in move.cast if role.id != GM}
        if any(len(cast[role.id]) < role.least for role in move.cast if role.id != GM):
            return None
        if not all(who in seat.records and self._fits(move, role, who)
                   for role, those in cast.items() for who in those):
            return None
        asked = {asked.id for asked in said_before_dice(move)}
        form = {who: {name: value for name, value in values.items() if name in asked and not is_sealed(value)}
                for who, values in seen.fields.items()
                if seat.is_gm or seat.seat in seat.state.eyes.controllers(who)}
        return c.StartMove(move=move.id, cast={role: those for role, those in cast.items() if those}, form=form,
                           encounter=seen.encounter or None, secrecy=(seat.is_gm and seen.secrecy) or "open",
                           seat=seat.seat)

    def keeping(self, number: int) -> c.StartMove | None:
        """Keeping what this seat said in an act for another time, under a name made of it; where a game does so."""
        again = self.again(number)
        declared = self._seat.system.moves.get(again.move) if again is not None else None
        if again is None or declared is None or not declared.keeps:
            return None
        move, actor = self._seat.system.move(declared.keeps), next(iter(again.cast.get("initiator", ())), "")
        asked = {field.id: field for field in said_before_dice(move)}
        said = {name: value for name, value in again.form.get(actor, {}).items() if name in asked}
        worded = [self._seat.teller.value(value) for value in said.values() if isinstance(value, str) and value]
        typed = [value for name, value in said.items() if isinstance(asked[name].type, TextField) and value]
        named = next((field.id for field in asked.values() if field.names), "")
        if not worded or not self._fits(move, "initiator", actor):
            return None
        return c.StartMove(move=move.id, cast={"initiator": [actor]}, at_once=True, seat=self._seat.seat,
                           form={actor: {**said, named: str((typed or [" · ".join(worded)])[0])}})

    def asked_of_players(self) -> list[Startable]:
        """What the game master may ask of somebody's character: what one does alone, with dice."""
        moves = self._seat.system.moves
        return [one for one in self.startable if not one.gm and not one.creates and any(moves[one.id].resolves)
                and {role.id for role in moves[one.id].cast if role.least > 0} <= {"initiator", GM}]

    def figures_asked(self) -> list[tuple[str, Starter]]:
        """What the game master may ask a test of, in words: the figures that stand on the sheets of all who play."""
        asked = {one.id for one in self.asked_of_players()}
        first = {one.of: one.id for one in reversed(self._sheets.listed) if one.player and one.owner}
        return [(figure.name, figure.starts) for record in first.values()
                for block in self._sheets.sheet(record).blocks for figure in block.figures
                if figure.starts is not None and figure.starts.move in asked][:_BUTTONS]

    def _encounter_of(self, move: Move) -> int:
        """The number of the encounter in which this seat plays a move now; 0 where it is played in none."""
        return max((own for own, declared in self._mine_to_play if declared.holds(move)), default=0)

    @cached_property
    def _mine_to_play(self) -> list[tuple[int, AnyEncounter]]:
        """The encounters under way that are this seat's business, with how the game declares them."""
        encounters = self._seat.system.encounters
        return [(own, encounters[seen.encounter]) for own, seen in self._seat.encounters.items()
                if not seen.over and seen.encounter in encounters and (self._seat.is_gm or self.is_in(seen))]

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

    def _has_all(self, move: Move) -> bool:
        """Whether the move could be begun at all: somebody fits each role that it needs."""
        for role in move.cast:
            if role.id == GM or not role.least:
                continue
            if role.id == move.by and not role.record and not self._free(move, role):
                continue  # whoever has no sheet acts without one
            if next(self._fitting(move, role), None) is None:
                return False
        return True

    def _fitting(self, move: Move, role: Role) -> Iterator[Listed]:
        """Those with whom the move may be begun in a role: somebody else than one's only character, if it says so."""
        acting_alone = self._only_mine if role.other and not self._seat.is_gm else ""
        return (one for one in self._free(move, role)
                if one.id != acting_alone and self._fits(move, role.id, one.id))

    def _free(self, move: Move, role: Role) -> list[Listed]:
        """Those who may hold a role, whatever the rules say of them."""
        acts, system = role.id == move.by, self._seat.system
        found = self._able.get((acts, role.record))
        if found is None:
            found = self._able[acts, role.record] = [
                one for one in self._sheets.listed if (one.acts or not acts) and system.takes(role, one.of)]
        return found

    def _fits(self, move: Move, role: str, who: str) -> bool:
        """Whether the rules let the move be begun with somebody in a role, as far as the seat may know."""
        if move.when is None and move.offered is None:
            return True
        encounter = self._encounter_of(move)
        seat, state = self._seat, self._seat.state
        number = encounter_number(state, seat.seat, encounter) if encounter else None
        eyes, running = state.eyes_of(seat.seat), state.encounters.get(number or 0)
        known = running is None or eyes.may_see(seat.seat, "", running.seen_by)
        # Of a record that both know of, two seats of one rank see the same unless one of them answers for it.
        sees = eyes.seats.get(seat.seat), seat.seat in eyes.controllers(who), known
        reads = move, state.records.get(who), running, state.rulings, eyes
        return _FITS.of(reads, lambda: acting.may_hold(seat.turn, move, role, who, number),
                        sees, role, who, number, state.day)

    def start_form(self, move_id: str) -> StartForm:
        """The roles of a move, with those who may hold them."""
        seat, teller = self._seat, self._seat.teller
        move = seat.system.move(move_id)
        encounter = self._encounter_of(move)
        chosen = self._chosen(encounter, move) if encounter else self._camps(move)
        roles, camps = [], dict(zip((role.id for role in _two_camps(move)),
                                    (teller.say("web.camp"), teller.say("web.other_camp")), strict=False))
        for role in move.cast:
            if role.id == GM or not role.offered(seat.rulings):
                continue
            who = list(self._fitting(move, role))
            title = camps.get(role.id) or teller.role(role.id)
            roles.append(RoleAsked(role.id, title[:1].upper() + title[1:], role.most != 1, role.least > 0, who,
                                   role.id == move.by, chosen.get(role.id, [])))
        alone = {role.id for role in move.cast if role.least} <= {move.by, GM}
        asked = [one for one in self._sheets.listed if alone and one.player and self._fits(move, move.by, one.id)]
        return StartForm(move_id, teller.title(f"moves.{move_id}"), roles, teller.help(f"moves.{move_id}"),
                         move.by == GM, encounter,
                         asked if seat.is_gm and move.by != GM and len(asked) > 1 else [])

    def _chosen(self, encounter: int, move: Move) -> dict[str, list[str]]:
        """Who would hold the roles of a move: in an encounter with sides, whoever still stands, one's own side first.

        A player's own acts; where but one may hold a role, only somebody who stands there alone is chosen.
        """
        seen = self._seat.encounters.get(encounter)
        sides: dict[str, list[str]] = {}
        for who in self.people(seen) if seen is not None else ():
            if not who.is_down:
                sides.setdefault(who.side, []).append(who.id)
        if len(sides) < 2:
            return {}
        mine = set() if self._seat.is_gm else {one.id for one in self._sheets.listed if one.mine}
        order = sorted(sides.values(), key=mine.isdisjoint)
        found: dict[str, list[str]] = {}
        for role, those in zip((role for role in move.cast if role.id != GM), order, strict=False):
            those = [who for who in those if who in mine and role.id == move.by] or those
            if role.most is None or len(those) <= role.most:
                found[role.id] = those
        return found

    def cast_in_encounter(self, move_id: str) -> tuple[tuple[str, str], ...] | None:
        """Who would be in a move of an encounter, by role, if there is no doubt about anybody."""
        cast: list[tuple[str, str]] = []
        for role in self.start_form(move_id).roles:
            mine = [one.id for one in role.who if one.mine] if role.acts and not self._seat.is_gm else []
            only = [one.id for one in role.who] if role.needed and len(role.who) == 1 else []
            those = role.chosen or (mine if len(mine) == 1 else only)
            if role.needed and not those:
                return None
            cast += [(role.id, who) for who in those]
        return tuple(cast)

    def _camps(self, move: Move) -> dict[str, list[str]]:
        """Who would hold two roles of many of a new encounter: the players' characters, and whoever else."""
        many = _two_camps(move)
        if not self._seat.is_gm or not many:
            return {}
        first, second = (list(self._fitting(move, role)) for role in many)
        ours = [one.id for one in first if one.owner]
        others = [one.id for one in second if not (one.owner or one.player)]
        return {many[0].id: ours, many[1].id: others} if ours and 0 < len(others) <= _HANDFUL else {}

    def from_sheet(self, start: c.StartMove) -> c.Command:
        """What a click on a sheet asks for: it fills the act that is already open for it, or starts one.

        With what is clicked comes what the game keeps with it: with a skill, the attribute it was last used with.
        """
        actor = next(iter(start.cast.get("initiator", [])), "")
        same = [move for move in self._seat.moves.values()
                if move.move == start.move and move.cast.get(actor) == "initiator"]
        values = dict(start.form.get(actor, {}))
        for move in reversed(same):
            if move.phase == "open" and not move.throws:
                return c.Fill(number=move.number, values=values, actor=actor, seat=start.seat, id=start.id)
        kept = [asked.id for asked in self._seat.system.move(start.move).fields if asked.kept_with in values]
        for move in reversed(same):
            before = move.fields.get(actor, {})
            if all(before.get(name) == value for name, value in values.items()) and any(map(before.__contains__, kept)):
                values = {**{name: before[name] for name in kept if name in before}, **values}
                break
        return dataclasses.replace(start, form={**start.form, actor: values})

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

    def listing(self, seen: EncounterSeen) -> Listing | None:
        """Where the state of an encounter lists who is in it, if its game says so."""
        declared = self._seat.system.encounters.get(seen.encounter)
        return None if declared is None else declared.people

    def people(self, seen: EncounterSeen) -> list[Person]:
        """Who is in an encounter, as far as the seat sees them."""
        listing = self.listing(seen)
        rows = None if listing is None else seen.state.get(listing.field)
        if listing is None or not isinstance(rows, list):
            return []
        return [_person(row, listing) for row in rows if isinstance(row, dict)]

    def is_in(self, seen: EncounterSeen) -> bool:
        """Whether an encounter is this seat's business."""
        return self._seat.seat in self.holders(seen)

    def holders(self, seen: EncounterSeen) -> frozenset[str]:
        """The seats that answer for whomever an encounter names; all the players if it names nobody."""
        return _HOLDERS.of((seen, self._seat.state.eyes), lambda: self._holders(seen))

    def _holders(self, seen: EncounterSeen) -> frozenset[str]:
        named = set(_words_in(seen.state)) & set(self._seat.records)
        eyes = self._seat.state.eyes
        if not named:
            return frozenset(seat for seat, rank in eyes.seats.items() if rank == "player")
        return frozenset(seat for record in named for seat in eyes.controllers(record))


def _two_camps(move: Move) -> list[Role]:
    """The two roles of many that stand against each other, where a move has them."""
    many = [role for role in move.cast if role.id != GM and role.most is None and role.least]
    return many if len(many) == 2 else []


def said_before_dice(move: Move) -> Iterator[AnyField]:
    """The fields of a move that are filled in before any dice."""
    for step in move.steps:
        if isinstance(step, Ask):
            yield from step.fields
        elif any(acting.throws([step])):
            return


def _person(row: Mapping[str, Plain], listing: Listing) -> Person:
    """One of those whom a state lists."""
    told = dict(row)
    who, side, stands = (told.pop(name, None) for name in ("id", listing.side, listing.stands))
    told = {name: value for name, value in told.items() if not (isinstance(value, str) and value in listing.unsaid)}
    return Person(str(who), str(side or ""), stands is False, told)


def _words_in(value: Plain) -> Iterator[str]:
    """Every word that plain values hold, however deep."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _words_in(part)
