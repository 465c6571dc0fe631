"""Moves started and brought to their end, the screen going to whoever is awaited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from paravent.cli.terminal import Back, MenuItem, named
from paravent.dice import Choice, Wanted
from paravent.dice.errors import ParaventError
from paravent.game.errors import STUMBLES
from paravent.game.move import Ask, Move, Resolve, Role, Window
from paravent.game.records import ALL, GM
from paravent.game.system import AnyEncounter
from paravent.table import acting
from paravent.table.open_move import OpenMove

from . import changes, questions, throws
from .form import Form
from .screen import Screen


@dataclass(frozen=True)
class EveningMoves:
    """The moves of an evening, from choosing one to its last step."""

    screen: Screen
    form: Form

    def start(self) -> None:
        """Choose a move, who takes part in it, and play it."""
        screen = self.screen
        items = [MenuItem(move, move.id, screen.tell.title(f"moves.{move.id}"), screen.tell.synonyms(move.id),
                          screen.tell.help(f"moves.{move.id}"))
                 for move in _startable(screen)]
        move = screen.terminal.choose(screen.say("which-move"), items)
        help_text = screen.tell.help(f"moves.{move.id}")
        if help_text:
            screen.page.line(help_text, style="dim")
        encounter = _encounter_of(screen, move)
        number = screen.table.start(screen.seat, move.id, _cast(screen, move, encounter), encounter=encounter)
        self.carry_on(number)

    def left_open(self) -> list[int]:
        """The moves that this seat knows of and that are not over, as far as it may know."""
        table, seat = self.screen.table, self.screen.seat
        seen = ((number, table.seen_move(seat, number)) for number in table.known(seat))
        return [number for number, move in seen if move is not None and move.is_open]

    def take_up(self) -> None:
        """Take up a move that was left open."""
        screen = self.screen
        items = [MenuItem(number, str(number), screen.title_of(screen.table.moves[number]))
                 for number in self.left_open()]
        first = items[0].value
        self.carry_on(first if len(items) == 1 else screen.terminal.choose(screen.say("which-move"), items))

    def carry_on(self, number: int) -> None:
        """Bring a move to its end, handing the screen to whoever is awaited."""
        screen = self.screen
        before = set(screen.table.moves)
        starter = screen.table.moves[number].starter
        try:
            while self._one_step(number):
                pass
        except Back:
            self._put_aside(number)
            return
        for follow in sorted(set(screen.table.moves) - before):
            screen.page.line(screen.say("follows", move=screen.title_of(screen.table.moves[follow])))
            self.carry_on(follow)
        screen.pass_to(starter)

    def _put_aside(self, number: int) -> None:
        """Somebody went back: before any dice the move is taken back, later it stays open."""
        screen = self.screen
        op = screen.table.moves[number]
        self.form.forget(number)
        if op.phase == "open" and not op.thrown:
            screen.table.withdraw(screen.gm, number)
            screen.page.line(screen.say("withdrawn"))
        else:
            screen.page.line(screen.say("left-open"))

    def _one_step(self, number: int) -> bool:
        """One thing asked, answered or thrown; False when the move is over."""
        screen = self.screen
        op = screen.table.moves[number]
        if op.phase == "settled":
            changes.settle(screen, op)
            return False
        if op.phase == "closed":
            return False
        if op.phase != "open":
            screen.page.line(screen.say(f"phase-{op.phase}"))
            return False
        try:
            match op.pending:
                case Wanted() as wanted:
                    throws.type_in(screen, op, wanted)
                case Choice() as choice:
                    questions.choice(screen, op, choice)
                case None:
                    self._ask_or_throw(op)
        except ParaventError as error:
            screen.refused(error)
        return True

    def _ask_or_throw(self, op: OpenMove) -> None:
        """The next field that nobody was asked for yet; then whatever the move waits for."""
        screen = self.screen
        if self.form.ask_next(op):
            return
        match op.step(screen.table.system):
            case Window() as window:
                screen.turn_of(screen.table.waits_for(op.id))
                questions.window(screen, op, window)
            case Resolve() as rule:
                screen.turn_of(screen.table.waits_for(op.id))
                throws.throw(screen, op, rule, self.form)
            case Ask():
                screen.pass_to(screen.gm)
                screen.table.close(screen.gm, op.id)
            case None:
                screen.table.withdraw(screen.gm, op.id)


# Which move, and who is in it


def _under_way(screen: Screen) -> dict[int, AnyEncounter]:
    """The encounters that the seat knows of and that are not over."""
    known = screen.table.state.known_encounters(screen.seat)
    return {number: one.encounter for number, one in screen.table.encounters.items()
            if number in known and not one.encounter.over(one.state)}


def _startable(screen: Screen) -> Iterator[Move]:
    """The moves that this seat may start: those for which somebody of theirs fits, as things stand."""
    running = {encounter.id for encounter in _under_way(screen).values()}
    for move in screen.table.base.moves.values():
        allowed = move.by != GM or screen.table.is_gm(screen.seat)
        placed = not move.encounter or move.encounter in running
        if allowed and placed and _applies(screen, move) and _has_all(screen, move):
            yield move


def _applies(screen: Screen, move: Move) -> bool:
    """Whether the options of the table let it be done at all."""
    table = screen.table
    try:
        return move.can_come(table.base.context(move, {}, {}, table.rulings))
    except (ParaventError, *STUMBLES):
        return True  # it depends on who is in it


def _has_all(screen: Screen, move: Move) -> bool:
    """Whether somebody fits each role of the move that nobody can hold without a sheet; whoever has none acts so."""
    encounter = _encounter_of(screen, move)
    for role in move.cast:
        mine = role.id == move.by
        needed = role.id != GM and (mine or role.least > 0)
        held = _mine(screen, role) if mine else _known(screen, role)
        if needed and held and not any(_fits(screen, move, role, name, encounter) for name in held):
            return False
    return True


def _fits(screen: Screen, move: Move, role: Role, name: str, encounter: int | None) -> bool:
    return acting.may_hold(screen.table.turn(screen.seat), move, role.id, name, encounter)


def _known(screen: Screen, role: Role) -> list[str]:
    """Those whom this seat knows and who are of a kind that may hold a role."""
    table = screen.table
    return [name for name, held in table.state.records.items()
            if table.may_see(screen.seat, name) and table.base.takes(role, held.kind)]


def _mine(screen: Screen, role: Role) -> list[str]:
    """Those for whom this seat acts in a role: for the game master, anybody where nobody is theirs."""
    table, known = screen.table, _known(screen, role)
    return [name for name in known if screen.seat in table.controllers(name)] or (
        known if table.is_gm(screen.seat) else [])


def _encounter_of(screen: Screen, move: Move) -> int | None:
    return max((number for number, one in _under_way(screen).items() if one.holds(move)), default=None)


def _cast(screen: Screen, move: Move, encounter: int | None) -> dict[str, list[str]]:
    cast: dict[str, list[str]] = {}
    for role in move.cast:
        if role.id != GM:
            chosen = _members(screen, move, role, {name for names in cast.values() for name in names}, encounter)
            if chosen:
                cast[role.id] = chosen
    return cast


def _members(screen: Screen, move: Move, role: Role, taken: set[str], encounter: int | None) -> list[str]:
    table, terminal = screen.table, screen.terminal
    mine = role.id == move.by
    known = [name for name in (_mine(screen, role) if mine else _known(screen, role))
             if name not in taken and _fits(screen, move, role, name, encounter)]
    title = screen.say("who-is", role=screen.tell.role(role.id))
    if mine:
        return known if len(known) < 2 else [terminal.choose(title, named(known), 0)]
    items = named(known)
    if role.least:
        items.append(MenuItem(screen.gm, "none", screen.say("without-sheet", seat=screen.gm)))
    if not items:
        return []
    if role.most == 1 and role.least == 1:
        return [terminal.choose(title, items, 0)]
    title = screen.say("who-are", role=screen.tell.role(role.id))
    usual = [name for name in known if role.everybody and ALL in table.state.records[name].seen_by]
    return terminal.choose_many(title, items, role.least, role.most, usual)
