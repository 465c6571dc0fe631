"""The regions of a table's page, each made of pieces: a sheet, a card, a line, a board.

A piece is drawn again only when something it shows has changed, and once for all who see the same. What it shows is
said by what it is drawn from: acts, sheets and encounters are frozen values, so that the same object looks the same.
Marks stand in a drawing for what is each seat's own (see :mod:`paravent.web.drawn`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from jinja2.runtime import Macro
from markupsafe import Markup
from msgspec import UNSET
from msgspec.structs import replace

from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.table.act import Act
from paravent.table.seen import EncounterSeen, LineSeen, MoveSeen
from paravent.table.state import Counts, Item

from .desk import Desk, DrawnSheet
from .desk.boards import Stance
from .desk.inside import Person
from .drawn import (
    LINES,
    WORDS,
    Drawings,
    LineDrawing,
    Piece,
    Region,
    framed_piece,
    inner_mark,
    lines_of,
    marked,
    named_piece,
    said,
)
from .sheets import Block

Draw = Callable[..., str]
"""Draws a template with marks: its name, the desk, values."""


@dataclass
class Regions:
    """Draws the regions of one seat's page."""

    drawings: Drawings
    desk: Desk
    here: frozenset[str]
    draw: Draw

    def all(self) -> dict[str, Region]:
        """Every region, as it looks now; one that shows the very same objects as before is not looked at again."""
        state, known = self.desk.state, self._known
        pictures = state.pictures, state.backdrop, state.documents
        who = self._eyes, state.seats, self._names, self.desk.system, *pictures
        played = *who, state.records, state.encounters, known.encounters, state.rulings, state.minutes
        acts = *played, self.desk.moves
        told = state.log, state.moves, known.moves
        regions: dict[str, tuple[Callable[[], Region], tuple[object, ...]]] = {
            "seats": (self._seats, (state.seats, self.here)),
            "clock": (self._clock, (state.minutes, state.scene, state.episode, state.appointments, self._eyes)),
            "hourglass": (self._hourglass, (state.hourglass,)),
            "leaves": (self._leaves, (*who, state.records)),
            "backdrop": (self._backdrop, (*who, state.scene)),
            "pinned": (self._pinned, acts), "encounters": (self._encounters, acts), "moves": (self._moves, acts),
            "start": (self._start, (*played, state.scene, state.episode)), "yours": (self._yours, acts),
            "sheets": (
                self._sheets, (*who, state.records, state.rulings, state.minutes, self.desk.welcome.is_bringing)),
            "log": (self._log, (*who, known.encounters, *told)), "pause": (self._pause, (*who, *told)),
            "gm": (self.strip, (*acts, *told, state.scene, state.episode, state.prepared,
                                state.appointments, state.hourglass)),
            "grains": (self._grains, (self._eyes, self.desk.moves)),
        }
        mine = self.desk.seat, self.desk.lang
        return {name: self.drawings.region((*mine, name), shows, draw) for name, (draw, shows) in regions.items()}

    # What many pieces share

    @cached_property
    def _names(self) -> int:
        """What people and things are called, and their pictures, by a number that stands for it."""
        return self.drawings.called(self.desk.names, self.desk.faces)

    @cached_property
    def _reader(self) -> int:
        """What of the reader may show anywhere: language, rank, names; by a number that stands for it."""
        desk = self.desk
        return self.drawings.token((desk.lang, desk.is_gm, desk.plays, self._names))

    @cached_property
    def _onlooker(self) -> int:
        """The same, of a piece about which nobody but a game master may do anything: spectators have it too."""
        return self.drawings.token((self.desk.lang, self.desk.is_gm, self._names))

    @cached_property
    def _eyes(self) -> Eyes:
        return self.desk.eyes

    @cached_property
    def _known(self) -> Counts:
        return self.desk.state.counts_of(self.desk.seat)

    def _drawn(self, template: str, **values: Any) -> str:
        return self.draw(f"parts/{template}.html", self.desk, keep=self._piece, **values)

    def _piece(self, macro: Macro, *shown: Any) -> Markup:
        """What a macro draws of what it is shown, for all who are shown the same in the same language: nothing else
        goes into it (see :func:`paravent.web.looks.environment`)."""
        key = "piece", self.desk.lang, macro.name, msgspec.json.encode(shown)
        drawn = self.drawings.alike.of(key, lambda: macro(*shown), (self.desk.system,))
        return drawn if isinstance(drawn, Markup) else Markup(drawn)

    def _kept(self, name: Hashable, shows: tuple[object, ...], draw: Callable[[], str]) -> str:
        """A piece of this seat's own page, drawn again if what it shows is no longer the same."""
        return self.drawings.kept.of((self.desk.seat, self.desk.lang, name), draw, shows)

    def _alike(
        self, *sees: Hashable, draw: Callable[[], str], shows: tuple[object, ...] = (), looks_on: bool = False
    ) -> str:
        """A piece that all who see the same share; and whoever only looks on, what spectators have."""
        return self.drawings.alike.of((self._onlooker if looks_on else self._reader, *sees), draw, shows)

    # Who takes part in throws

    def _grains(self) -> Region:
        """What browsers read of throws: who takes part, with which promise, and what came of it."""
        told = [move for move in self.desk.moves.values()
                if move.undone_throws or any(proof.grains or proof.key for proof in move.proofs)]
        shown = [move for move in told if move.is_open] + [move for move in told if not move.is_open][-TOLD:]
        pieces = tuple(Piece(f"grains-{move.number}", self._kept(
            ("grains", move.number), (move,), partial(self._drawn, "grains", move=move))) for move in shown)
        return Region("grains", '<div id="grains" hidden>', pieces, "</div>")

    # Who is there, when it is

    def _seats(self) -> Region:
        state = self.desk.state
        return Region("seats", self.drawings.around(state.seats, self.here, self.desk.lang, self.desk.seat,
                                                    lambda: self._drawn("seats", here=self.here)))

    def _clock(self) -> Region:
        state = self.desk.state
        to_come = self.desk.looking.appointments()
        key = "clock", self.desk.lang, state.minutes, state.scene, state.episode, msgspec.json.encode(to_come)
        return Region("clock", self.drawings.alike.of(key, lambda: self._drawn("clock", to_come=to_come)))

    def _hourglass(self) -> Region:
        """Time for a tense moment, which pages count down by themselves."""
        glass = self.desk.looking.hourglass()
        key = None if glass is UNSET else msgspec.json.encode(glass)
        return Region("hourglass", self.drawings.alike.of(("hourglass", self.desk.lang, key), lambda: self._drawn(
            "hourglass", glass=None if glass is UNSET else glass)))

    def _leaves(self) -> Region:
        """The game's own pages that this seat may open now."""
        desk = self.desk
        kinds = {seen.kind for seen in desk.records.values()}
        words, lang = desk.teller.words, desk.lang
        found = tuple((leaf.id, words.entry(lang, f"leaves.{leaf.id}", "any") or words.entry(lang, f"leaves.{leaf.id}"),
                       leaf.paper)
                      for leaf in desk.system.leaves.values() if (desk.is_gm or not leaf.gm) and kinds & leaf.kinds)
        return Region("leaves", self._alike("leaves", found, draw=lambda: self._drawn("leaves", leaves=found)))

    def _backdrop(self) -> Region:
        """What the scene looks like."""
        seen = self.desk.looking.backdrop()
        key = None if seen is UNSET else msgspec.json.encode(seen)
        return Region("backdrop", self._alike("backdrop", key, draw=lambda: self._drawn(
            "backdrop", seen=None if seen is UNSET else seen)))

    def _pause(self) -> Region:
        stopped = self.desk.story.cards_played(), self.desk.story.just_stopped()
        return Region("pause", self.drawings.alike.of(
            ("pause", self.desk.lang, stopped), lambda: self._drawn("pause")))

    def strip(self) -> Region:
        """The game master's strip, fold by fold: each tells how things stand."""
        desk, state = self.desk, self.desk.state
        if not desk.is_gm:
            return Region("gm", '<nav id="gm" hidden></nav>')
        played = tuple(one for one in desk.sheets.listed if one.player)
        pieces = (
            self._tool("ask", (played, self._inside, tuple(one.id for one in desk.starts.asked_of_players())), (
                state.rulings, *(state.records[name] for name in desk.starts.figures_of)), played=played),
            self._tool("throw"), self._tool("time", (state.minutes,), (state.rulings, state.seats, state.appointments,
                                                                        state.hourglass)),
            self._tool("scene", (state.scene, state.episode), (state.backdrop, state.prepared)), self._tool("people"),
            self.undo(),
            self._tool("more", (), (state.seats,)),
        )
        title = self._alike("gm", draw=lambda: self._drawn("gm", tool=""))
        return Region("gm", title, pieces, "</nav>")

    def undo(self) -> Piece:
        """The fold of the strip that names the last thing that can be taken back."""
        last = self.desk.story.undoable()
        words = self.desk.story.undoing(last)
        piece = self._tool("undo", (bool(last), bool(words)), (), last=last, words=WORDS if words else "")
        return piece._replace(html=said(piece.html, words))

    def _tool(self, tool: str, key: tuple[Hashable, ...] = (), shows: tuple[object, ...] = (), **values: Any) -> Piece:
        """One fold of the strip."""
        drawn = self._kept(("gm", tool, *key), shows, lambda: self._drawn("gm", tool=tool, **values))
        return Piece(f"gm-{tool}", drawn)

    # Sheets

    def _sheets(self) -> Region:
        desk = self.desk
        listed = desk.sheets.listed
        mine = sum(one.mine for one in listed)
        pieces: list[Piece] = []
        groups = {"mine": [one for one in listed if one.mine],
                  "players": [one for one in listed if not one.mine and one.owner],
                  "others": [one for one in listed if not one.mine and not one.owner]}
        several = sum(map(bool, groups.values())) > 1
        for group, those in groups.items():
            if those and several and not (desk.is_gm and those[0] is listed[0]):
                pieces.append(Piece(f"sheets-{group}", self._heading(group)))
            pieces += (Piece(f"sheet-{one.id}", self._sheet(one.id, one.mine and mine == 1)) for one in those)
        free = tuple(one for one in listed if not one.owner and one.player)
        welcome = desk.state.seats[desk.seat].rank == "player" and not mine
        brought = welcome and desk.welcome.is_bringing
        key = bool(listed), welcome, free if welcome else (), bool(mine), brought
        frame = self._alike("sheets", *key, draw=lambda: self._drawn(
            "sheets", listed=listed, free=free, welcomed=welcome, mine=mine, brought=brought, pieces=Markup(_GAP)))
        return _framed("sheets", frame, tuple(pieces))

    def _heading(self, group: str) -> str:
        return self._alike("people", group, draw=lambda: self._drawn("people", group=group))

    def _sheet(self, name: str, only: bool) -> str:
        desk = self.desk
        state, held = desk.state, desk.state.records[name]
        shows = held, self._eyes, state.rulings, desk.state.seats
        names = self._names if desk.is_gm else None
        return self._kept(("sheet", name, only, names, state.day), shows, lambda: self._sheet_drawn(name, only))

    def _sheet_drawn(self, name: str, only: bool) -> str:
        desk, seen = self.desk, self.desk.records[name]
        mine = seen.owner == desk.seat
        return self._alike(
            "sheet", name, msgspec.json.encode(seen), mine, only, desk.state.day, looks_on=not mine,
            shows=(desk.state.records[name], desk.state.rulings),
            draw=lambda: self._drawn("sheet", sheet=desk.sheets.sheet(name), only=only, blocks=self._blocks(name))
            if mine else self._drawn("sheet", sheet=desk.sheets.closed(name), only=only),
        )

    def _blocks(self, name: str) -> Markup:
        """The blocks of a sheet; one that shows the same as before is not drawn again."""
        sheet = self.desk.sheets.sheet(name)
        return Markup("").join(Markup(self._block(sheet, at, block)) for at, block in enumerate(sheet.blocks, start=1))

    def _block(self, sheet: DrawnSheet, at: int, block: Block) -> str:
        return self._alike("block", sheet.id, at, sheet.acts, msgspec.json.encode(block), draw=lambda: self._drawn(
            "block", block=block, at=at, sheet=sheet.id, acts=sheet.acts))

    # Acts

    def _moves(self) -> Region:
        desk = self.desk
        running = {own for own, seen in desk.encounters.items() if not seen.over}
        loose = [move for move in desk.open_moves if (move.encounter or 0) not in running]
        pieces = self._cards(loose)
        steps, evening = tuple(desk.welcome.first_steps()), desk.welcome.first_evening()
        if steps and not (evening and evening.begun):
            pieces.append(Piece("steps", self._alike("steps", steps, draw=lambda: self._drawn("steps", steps=steps))))
        elif not pieces and not running and not evening:
            pieces.append(Piece("calm", self._alike("calm", draw=lambda: self._drawn("calm"))))
        if evening is not None:
            pieces.append(Piece("evening", self._alike("evening", evening, desk.is_gm, draw=lambda: self._drawn(
                "first_evening", evening=evening))))
        return Region("moves", '<div id="moves">', tuple(pieces), "</div>")

    def _pinned(self) -> Region:
        """The last result, above everything until the next."""
        last = self.desk.acts.last_over()
        pieces = () if last is None else (Piece(f"move-{last.number}", self._over(last)),)
        return Region("pinned", '<div id="pinned">', pieces, "</div>")

    def _start(self) -> Region:
        pieces = (Piece("startable", self._startable()),) if self.desk.plays else ()
        return Region("start", '<div id="start">', pieces, "</div>")

    # What waits for this seat

    def _yours(self) -> Region:
        """The bar: what each act waits for from this seat; if nothing does, who is awaited."""
        desk = self.desk
        if not desk.plays:
            return Region("yours", '<section id="yours" hidden></section>')
        opened = sorted(desk.open_moves, key=lambda move: move.number)
        pieces = tuple(Piece(f"yours-{move.number}", drawn) for move in opened if (drawn := self._asked(move)))
        waiting = sorted(opened, key=lambda move: (move.starter != desk.seat, move.number))  # one's own comes first
        awaited = () if pieces else tuple(Piece(f"yours-{move.number}", self._awaited(move)) for move in waiting[:1])
        n, more = len(pieces), len(opened) - len(awaited)
        held_up = pieces or any(move.encounter for move in opened)
        following = () if held_up else desk.boards.to_choose()
        turn = None if pieces or any(move.starter == desk.seat for move in opened) else desk.boards.turn()
        if turn is not None and (awaited and (desk.is_gm or not turn.mine)):
            turn, following = None, ()  # what is under way comes first
        elif turn is not None and turn.mine:
            awaited, following = (), following if turn.gifts else tuple(desk.starts.suggested)
        head = self._alike("yours", n, bool(awaited), 0 if n else more, following, turn, draw=lambda: self._drawn(
            "yours", part="bar", n=n, calm=not awaited, more=more, following=following, turn=turn))
        return Region("yours", head, pieces or awaited, "</section>")

    @cached_property
    def _further(self) -> frozenset[int]:
        """Of very many open acts, those beyond the first: their cards come when they are unfolded."""
        opened = sorted(self.desk.open_moves, key=self._order)
        return frozenset(move.number for move in opened[WHOLE:])

    def _order(self, move: MoveSeen) -> tuple[bool, int]:
        """What waits for this seat comes first."""
        return self.desk.seat not in move.waits_for, move.number

    def _asked(self, move: MoveSeen) -> str:
        if move.number in self._further:
            if self.desk.seat not in move.waits_for and not (self.desk.is_gm and move.phase == "settled"):
                return ""
            return self._of_act("further", move, lambda: self._drawn("yours", part="further",
                                                                     card=self.desk.acts.told(move)))
        return self._of_act("asked", move, lambda: self._asked_drawn(move))

    def _asked_drawn(self, move: MoveSeen) -> str:
        card = self.desk.acts.card(move)
        return "" if self.desk.due(card) is None else self._drawn("yours", part="asked", card=card)

    def _awaited(self, move: MoveSeen) -> str:
        return self._of_act("awaited", move, lambda: self._awaited_drawn(move))

    def _awaited_drawn(self, move: MoveSeen) -> str:
        """Who is awaited: what others fill in meanwhile changes nothing of it, but for what a game master may do."""
        desk = self.desk
        card = desk.acts.card(move)

        def draw() -> str:
            return self._drawn("yours", part="awaited", card=card)

        return draw() if desk.is_gm else self._alike(
            "awaiting", card.number, card.called, card.title, card.who, tuple(card.waits_for),
            tuple((one.actor, one.name) for one in card.owes), card.phase, card.begun, card.starter == desk.seat,
            draw=draw)

    def _cards(self, moves: list[MoveSeen], listed: bool = False) -> list[Piece]:
        """Cards of open acts, those that wait for this seat first."""
        return [Piece(f"move-{move.number}", self._card(move, listed)) for move in sorted(moves, key=self._order)]

    def _card(self, move: MoveSeen, listed: bool) -> str:
        """A card: those who have the same hand in it have the same, but for how their own may step in."""
        if move.number in self._further:
            return self._of_act("briefly", move, lambda: self._drawn(
                "card", card=self.desk.acts.told(move), brief=True))
        card = self._of_act(("card", listed), move, lambda: self._drawn(
            "card", card=self.desk.acts.card(move), listed=listed, own=Markup(_OWN), brief=False))
        return card.replace(_OWN, self.stepping(move))

    def stepping(self, move: MoveSeen) -> str:
        """How this seat's own people, who are not in an act, may step in."""
        desk, state = self.desk, self.desk.state
        declared = desk.system.moves.get(move.move)
        if desk.is_gm or not desk.plays or declared is None or not any(role.offers for role in declared.cast):
            return ""
        shows = desk.act(move.number), declared, self._eyes, state.rulings, state.records
        return self._kept(("stepping", move.number, self._names), shows, lambda: self._stepping_drawn(move.number))

    def _stepping_drawn(self, number: int) -> str:
        found = self.desk.acts.steps_in(number)
        return self._alike("stepping", number, msgspec.json.encode(found), draw=lambda: self._drawn(
            "stepping", number=number, stepping=found)) if found else ""

    def _of_act(self, what: Hashable, move: MoveSeen, draw: Callable[[], str]) -> str:
        """Something of an act; those who have the same hand in it, and see the same of it, have the same."""
        desk, state = self.desk, self.desk.state
        act = desk.act(move.number)
        declared = desk.system.moves.get(move.move)
        shows = act, declared, self._eyes, state.rulings, desk.system.version
        key = what, move.number, self._names
        return self._kept(key, shows, lambda: self._of_act_drawn(what, move, draw))

    def _of_act_drawn(self, what: Hashable, move: MoveSeen, draw: Callable[[], str]) -> str:
        seen, shows = self._as_seen(move)
        return self._alike(what, *seen, shows=shows, draw=draw)

    def _as_seen(self, move: MoveSeen) -> tuple[tuple[Hashable, ...], tuple[object, ...]]:
        """What this seat sees of an act, and its hand in it; the objects that it is drawn from."""
        if move.number not in self._acts_seen:
            desk, eyes = self.desk, self._eyes
            act = desk.act(move.number)
            cast = act.cast if act is not None else ()
            hand = tuple(part.id for part in cast if desk.seat in eyes.controllers(part.id))
            seen = (msgspec.json.encode(move), hand, desk.seat in move.waits_for, desk.seat == move.starter,
                    desk.state.unseen(desk.seat), desk.acts.hidden_of(move))
            self._acts_seen[move.number] = seen, (act, desk.state.rulings, desk.system.moves.get(move.move), eyes)
        return self._acts_seen[move.number]

    @cached_property
    def _acts_seen(self) -> dict[int, tuple[tuple[Hashable, ...], tuple[object, ...]]]:
        return {}

    def _over(self, move: MoveSeen) -> str:
        desk = self.desk
        state = desk.state
        # Whether it may be taken back, or done once more, depends on how people and encounters are.
        shows = move, desk.act(move.number), self._eyes, state.records, state.encounters, state.rulings
        return self._kept(("over", move.number, self._names, desk.system.version, state.day), shows,
                          lambda: self._over_drawn(move))

    def _over_drawn(self, move: MoveSeen) -> str:
        desk = self.desk
        ended = desk.boards.ended(move.encounter or 0)
        undoable, again = desk.acts.may_undo(move.number), desk.repeats.again(move.number) is not None
        keeps = desk.repeats.keeping(move.number) is not None
        return self._alike(
            "over", msgspec.json.encode(move), ended, undoable, again, keeps, desk.acts.called(move),
            desk.acts.hidden_of(move), looks_on=True,
            draw=lambda: self._drawn("over", card=desk.acts.told(move), ended=ended, undoable=undoable, again=again,
                                     keeps=keeps),
        )

    def _startable(self) -> str:
        desk, state = self.desk, self.desk.state
        mine = tuple(one.id for one in desk.sheets.listed if one.mine and one.player)
        inside = self._inside
        # What is worth offering depends on how people are, and on how their encounters stand.
        shows = state.rulings, state.records, state.encounters
        told = bool(state.scene), bool(state.episode)
        return self._kept(("startable", mine, inside, told, desk.system.version, state.day), shows, lambda: self._alike(
            "startable", mine, inside, tuple(desk.starts.suggested), len(desk.starts.offered), *desk.starts.wanted,
            shows=(state.rulings,),
            draw=lambda: self._drawn("startable")))

    # Encounters

    @cached_property
    def _inside(self) -> tuple[tuple[int, str, bool], ...]:
        """The encounters under way, and whether they are this seat's business: the latest of a kind has its moves."""
        desk = self.desk
        return tuple((own, seen.encounter, desk.inside.is_in(seen)) for own, seen in desk.encounters.items()
                     if not seen.over)

    def _encounters(self) -> Region:
        pieces = tuple(self._board(own, seen) for own, seen in self.desk.encounters.items() if not seen.over)
        return Region("encounters", '<div id="encounters">', pieces, "</div>")

    def _board(self, own: int, seen: EncounterSeen) -> Piece:
        """A board; its cards are pieces of it, drawn as those outside it are."""
        desk, state = self.desk, self.desk.state
        cards = [move for move in desk.open_moves if move.encounter == own]
        running = desk.looking.running(own)
        shows = (running, state.rulings, self._eyes, state.records, *(desk.act(move.number) for move in cards))
        acted = desk.boards.has_acted(own, seen)
        key = desk.seat, desk.lang, own, len(shows), self._inside, self._names, state.day, acted
        return self.drawings.boards.of(key, lambda: self._board_drawn(own, seen, cards), shows)

    def _board_drawn(self, own: int, seen: EncounterSeen, cards: list[MoveSeen]) -> Piece:
        """A board; those who see the same of it, have the same hand in it and the same cards, have the same board."""
        desk, state = self.desk, self.desk.state
        people = [(who.id, desk.records.get(who.id)) for who in desk.inside.people(seen)]
        drawn = tuple(self._cards(cards, listed=bool(people)))
        is_in, moves = desk.inside.is_in(seen), tuple(desk.starts.within(own))
        only_looks = not (moves or cards)
        sees = (
            self._onlooker if only_looks else self._reader, own, msgspec.json.encode((seen, people, cards)), drawn,
            is_in, tuple(held is not None and held.owner == desk.seat for _, held in people),
            moves, tuple(desk.boards.lies_ahead(own)), tuple(desk.seat in move.waits_for for move in cards),
            desk.boards.has_acted(own, seen),
        )
        shows = state.rulings, self._eyes, *(state.records.get(who) for who, _ in people)
        return self.drawings.boards_alike.of(sees, lambda: self._board_whole(own, seen, drawn, only_looks), shows)

    def _board_whole(self, own: int, seen: EncounterSeen, cards: tuple[Piece, ...], only_looks: bool) -> Piece:
        """A board; of its people, and of what may be begun on it, only what looks otherwise is drawn again and sent."""
        people: list[Piece] = []

        def place(who: Person, stance: Stance) -> Markup:
            people.append(self._fighter(own, who, stance))
            return Markup(inner_mark(people[-1].id))

        running = self.desk.boards.board(own, seen, place)
        begun, marks = tuple(running.moves), [Markup(inner_mark(card.id)) for card in cards]
        chips = [Piece(f"begun-{own}", self._alike("chips", own, begun, draw=lambda: self._drawn(
            "begun", number=own, moves=begun)))] if self.desk.plays and (begun or self.desk.is_gm) else []
        said = msgspec.json.encode(running._replace(cards=[], sides=[], moves=[]))
        frame = self._alike(
            "encounter", said, *((side.title, *side.people) for side in running.sides), *marks, bool(chips),
            looks_on=only_looks, draw=lambda: self._drawn(
                "encounter", running=running, cards=marks, chips=[Markup(inner_mark(one.id)) for one in chips]))
        return framed_piece(f"encounter-{own}", frame, (*people, *cards, *chips))

    def _fighter(self, own: int, who: Person, stance: Stance) -> Piece:
        """Somebody on a board; those who see the same of them have the same drawing."""
        desk, held, at = self.desk, self.desk.records.get(who.id), f"fighter-{own}-{who.id}"
        place = held is not None and held.owner == desk.seat, desk.boards.is_hidden(who.id)
        return Piece(at, self._alike(
            "fighter", own, msgspec.json.encode((who, held)), stance, place, looks_on=True, shows=(desk.state.rulings,),
            draw=lambda: self._drawn("fighter", who=desk.boards.fighter(who, stance), number=own, at=at)))

    # The log

    def _log(self) -> Region:
        pieces = tuple(self._latest())
        head = self._alike("log", draw=lambda: self._drawn("log", lines=[]))
        if not pieces:
            return Region("log", head)
        return Region("log", head[: head.index("<li")], pieces, "</ol>")

    def _latest(self) -> list[Piece]:
        """The latest lines that the seat reads, in order; one that came before the seat has no name yet."""
        desk, state, known = self.desk, self.desk.state, self._known
        lines = self.drawings.lines(desk.seat, desk.lang)
        drawn = lines.still(self._eyes, self._names, desk.system.version)
        renumbered = lines.renumbered(known.moves, known.encounters)
        found: list[Piece] = []
        before = 0
        for item in reversed(state.log):
            act = state.moves.get(item.move) if item.move else None
            line = drawn.get(item.number)
            if line is None or line.item is not item or line.act is not act or (
                    renumbered and line.numbers != self._own_numbers(act)):
                line = drawn[item.number] = LineDrawing(item, act, self._own_numbers(act), self._line_drawn(item, act))
            piece = line.piece
            if piece is None:
                continue
            if not piece.id:
                before += 1
                piece = named_piece(piece, f"b{before}")
            if piece.html:
                found.append(piece)
            if len(found) == LINES:
                break
        return found[::-1]

    def _own_numbers(self, act: Act | None) -> tuple[int | None, ...]:
        """The seat's own numbers of an act and of its encounter."""
        known = self._known
        return (known.moves.get(act.id), known.encounters.get(act.encounter or 0)) if act is not None else ()

    def _line_drawn(self, item: Item, act: Act | None) -> Piece | None:
        told = self.desk.looking.line(item)
        if told is None:
            return None
        name = f"m{told.number}" if item.move else str(item.heard.get(self.desk.seat, ""))
        unnamed = "" if self.desk.looking.names_unseen(told) else self.line(
            told, self.desk.looking.move(act) if act is not None else None)
        return named_piece(Piece("", unnamed), name) if name else Piece("", unnamed)

    def line(self, told: LineSeen, seen: MoveSeen | None = None) -> str:
        """The drawing of a line, with a mark in place of its name; none for what the log says nothing of."""
        desk = self.desk
        words = told.text or ""
        told = replace(told, line=UNSET, at=UNSET, text=WORDS if words else told.text)  # the hour is not shown here
        shows: tuple[Hashable, ...] = (msgspec.json.encode(told),)
        if seen is not None:
            shows = (*shows, msgspec.json.encode(seen), desk.acts.called(seen), desk.acts.hidden_of(seen))
        drawn = self._alike("line", *shows, looks_on=True, draw=lambda: self._drawn("log", lines=marked([told])))
        return said(next(iter(lines_of(drawn).values()), ""), words)


TOLD = 12
"""Of how many acts that are over a page says again how they were thrown."""
WHOLE = 6
"""How many open acts have their whole cards on a page at first."""
_GAP = "<!-- pieces -->"
_OWN = "<!-- own -->"


def _framed(name: str, frame: str, pieces: tuple[Piece, ...]) -> Region:
    """A region whose pieces stand in a gap of their frame."""
    head, _, foot = frame.partition(_GAP)
    return Region(name, head, pieces, foot)

