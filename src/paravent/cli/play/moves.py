"""Moves started and brought to their end, the screen going to whoever is awaited."""

from __future__ import annotations

from collections.abc import Iterator

from paravent.cli.terminal import Back, Item, TheRest, named
from paravent.dice import Choice, Wanted
from paravent.dice.errors import ParaventError
from paravent.game.move import Actor, AnyField, Ask, Move, Resolve, Role, Window, replace_focus
from paravent.game.open_move import OpenMove
from paravent.game.records import GM

from .settling import Settling


class Moves(Settling):
    """From choosing a move to its last step."""

    def start_move(self) -> None:
        """Choose a move, who takes part in it, and play it."""
        items = [Item(move, move.id, self.tell.title(f"moves.{move.id}")) for move in self._startable()]
        move: Move = self.terminal.choose(self.say("which-move"), items)
        help_text = self.tell.help(f"moves.{move.id}")
        if help_text:
            self.page.line(help_text, style="dim")
        encounter = self._encounter_of(move)
        number = self.session.start(self.seat, move.id, self._cast(move), encounter=encounter)
        self.carry_on(number)

    def _open_moves(self) -> list[int]:
        return [number for number in self.session.known[self.seat]
                if self.session.moves[number].phase in ("open", "settled")]

    def _startable(self) -> Iterator[Move]:
        running = {one.encounter.id for one in self.session.encounters.values() if not one.encounter.over(one.state)}
        for move in self.system.moves.values():
            allowed = move.by != GM or self.session.is_gm(self.seat)
            if allowed and (not move.encounter or move.encounter in running):
                yield move

    def _encounter_of(self, move: Move) -> int | None:
        return max((number for number, one in self.session.encounters.items()
                    if one.encounter.holds(move) and not one.encounter.over(one.state)), default=None)

    def _cast(self, move: Move) -> dict[str, list[str]]:
        cast: dict[str, list[str]] = {}
        for role in move.cast:
            if role.id != GM:
                chosen = self._members(move, role, {name for names in cast.values() for name in names})
                if chosen:
                    cast[role.id] = chosen
        return cast

    def _members(self, move: Move, role: Role, taken: set[str]) -> list[str]:
        session = self.session
        known = [name for name, held in session.records.items()
                 if session.may_see(self.seat, name) and name not in taken and role.record in ("", held.kind)]
        title = self.say("who-is", role=self.tell.role(role.id))
        if role.id == move.by:
            mine = [name for name in known if self.seat in session.controllers(name)] or (
                known if session.is_gm(self.seat) else [])
            if len(mine) < 2:
                return mine
            return [self.terminal.choose(title, named(mine), 0)]
        items = named(known)
        if role.least:
            items.append(Item(self.gm, "none", self.say("without-sheet", seat=self.gm)))
        if not items:
            return []
        if role.most == 1 and role.least == 1:
            return [self.terminal.choose(title, items, 0)]
        title = self.say("who-are", role=self.tell.role(role.id))
        return self.terminal.choose_many(title, items, role.least, role.most)

    def continue_move(self) -> None:
        """Take up a move that was left open."""
        items = [Item(number, str(number), self._move_title(number)) for number in self._open_moves()]
        self.carry_on(items[0].value if len(items) == 1 else self.terminal.choose(self.say("which-move"), items))

    def carry_on(self, number: int) -> None:
        """Bring a move to its end, handing the screen to whoever is awaited."""
        before = set(self.session.moves)
        starter = self.session.moves[number].starter
        try:
            while self._one_step(number):
                pass
        except Back:
            self._put_aside(number)
            return
        for follow in sorted(set(self.session.moves) - before):
            self.page.line(self.say("follows", move=self._move_title(follow)))
            self.carry_on(follow)
        self.pass_to(starter)

    def _put_aside(self, number: int) -> None:
        """Somebody went back: before any dice the move is taken back, later it stays open."""
        op = self.session.moves[number]
        self.put = {one for one in self.put if one[0] != number}
        if op.phase == "open" and not op.thrown:
            self.session.withdraw(self.gm, number)
            self.page.line(self.say("withdrawn"))
        else:
            self.page.line(self.say("left-open"))

    def _one_step(self, number: int) -> bool:
        """One thing asked, answered or thrown; False when the move is over."""
        op = self.session.moves[number]
        if op.phase == "settled":
            self.settle(number)
            return False
        if op.phase != "open":
            self.page.line(self.say(f"phase-{op.phase}"))
            return False
        try:
            if isinstance(op.pending, Wanted):
                self.throw_by_hand(number, op.pending)
            elif isinstance(op.pending, Choice):
                self.answer_choice(number, op.pending)
            else:
                self._ask_or_throw(number, op)
        except ParaventError as error:
            self.refused(error)
        return True

    def _ask_or_throw(self, number: int, op: OpenMove) -> None:
        """The next field that nobody was asked for yet, those of whoever has the screen first; then what follows."""
        open_fields = list(self._open_fields(op))
        if open_fields:
            mine = [one for one in open_fields if self.seat in self.session.controllers(one[1].id)]
            self._ask_once(number, *(mine or open_fields)[0])
            return
        match op.step(self.system):
            case Window() as window:
                self.turn_of(self.session.waits_for(number))
                self.answer_window(number, window)
            case Resolve() as rule:
                self.turn_of(self.session.waits_for(number))
                self.throw(number, rule)
            case Ask():
                self.pass_to(self.gm)
                self.session.close(self.gm, number)
            case None:
                self.session.withdraw(self.gm, number)

    def _ask_once(self, number: int, step: Ask, actor: Actor, asked: AnyField) -> None:
        """Ask a field of whoever answers for it, unless they leave the rest as usual and it may be left so."""
        self.turn_of(self.session.controllers(actor.id))
        put, brief = (number, step.id, actor.id, asked.id), (number, step.id, self.seat)
        self.put.add(put)
        waits = asked.waits or asked.secrecy == "sealed" or not asked.has_usual()
        if waits or brief not in self.brief:
            try:
                self.ask_field(number, actor, asked)
            except TheRest:
                self.brief.add(brief)
                if waits:
                    self.put.remove(put)

    def _open_fields(self, op: OpenMove) -> Iterator[tuple[Ask, Actor, AnyField]]:
        """What is asked before the next rule or window, and was put to nobody yet."""
        ctx = op.context(self.system)
        for at, step in enumerate(op.move.steps):
            if not isinstance(step, Ask):
                if at >= op.current(self.system):
                    return
                continue
            if any(isinstance(later, Resolve) and later.id in op.records and not later.auto
                   for later in op.move.steps[at:]):
                continue
            for asked in step.fields:
                for actor in ctx.all(asked.role):
                    fresh = (op.id, step.id, actor.id, asked.id) not in self.put and asked.id not in actor.filled
                    if fresh and asked.applies(replace_focus(ctx, actor)):
                        yield step, actor, asked
