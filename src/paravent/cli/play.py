"""An evening in the terminal: one screen that goes from hand to hand.

Everything is played on :class:`paravent.game.session.Session`; what a seat reads comes from what the session lets it
see, and the screen is emptied before it changes hands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from paravent.dice import Choice, PlayedDice, Take, Wanted, plain, usually
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, KeyedFaces, LiveFaces
from paravent.game.errors import MissingField
from paravent.game.fields import FieldType, Flag, Group, Many, OneOf, SheetOf
from paravent.game.move import Actor, Ask, Context, Field, Move, Resolve, Role, Telling, Window, replace_focus
from paravent.game.open_move import AGREE, REFUSE, OpenMove
from paravent.game.records import GM, Change
from paravent.game.session import Session
from paravent.game.system import System, find_system
from paravent.game.telling import Teller, described, usual_of
from paravent.game.view import context_seen
from paravent.game.words import folded

from . import facts, forms, show
from .terminal import Back, Item, Terminal, TheRest

SPECTATOR = "spectator"


def evening(lang: str, system: str | None, seed: str | None, options: Sequence[str]) -> None:
    """Play until somebody leaves; the end of the input and Ctrl-C leave politely."""
    page = show.Page(lang)
    terminal = Terminal(page)
    try:
        page.title(page.say("play.welcome"), page.say("play.how"))
        found = find_system(system) if system is not None else _choose_system(page, terminal, lang)
        faces: Faces = LiveFaces() if seed is None else KeyedFaces.from_seed(seed)
        seats = _seats(page, terminal)
        rulings = dict(forms.rulings_from(found, options))
        Evening(page, terminal, Session(found, seats, rulings, faces)).run()
    except (EOFError, KeyboardInterrupt):
        page.console.print()
    except Back:
        pass
    page.line(page.say("play.goodbye"), indent=0)


def _choose_system(page: show.Page, terminal: Terminal, lang: str) -> System:
    given = facts.systems(lang)
    items = [Item(one["id"], one["id"], f"{one['name']} — {one['tagline']}") for one in given["systems"]]
    return find_system(str(terminal.choose(page.say("play.which-game"), items, 0)))


def _seats(page: show.Page, terminal: Terminal) -> dict[str, str]:
    """Who sits at the table; a game master always does."""
    page.console.print()
    master = terminal.line(page.say("play.gm-name"), page.say("play.gm")) or page.say("play.gm")
    seats = {master: GM}
    for grade in ("player", SPECTATOR):
        names = terminal.line(page.say(f"play.{grade}-names"), page.say("play.nobody"))
        for name in names.split(","):
            if name.strip():
                seats.setdefault(name.strip(), grade)
    return seats


class Evening:
    """One screen, several seats: whose turn it is to look, and what each has been asked and told."""

    def __init__(self, page: show.Page, terminal: Terminal, session: Session) -> None:
        self.page, self.terminal, self.session = page, terminal, session
        self.system = session.system
        self.tell = Teller(page.lang, session.system)
        self.gm = next(seat for seat, grade in session.seats.items() if grade == GM)
        self.seat = self.gm
        self.put: set[tuple[int, str, str, str]] = set()
        """Fields already put to somebody, so that an empty answer is not asked again."""
        self.brief: set[tuple[int, str, str]] = set()
        """Steps of moves in which a seat leaves everything else as it usually is."""
        self.heard = dict.fromkeys(session.seats, 0)

    def say(self, key: str, /, **values: Any) -> str:
        return self.page.say(f"play.{key}", **values)

    def run(self) -> None:
        """Bring characters, then take turns."""
        self.page.notice(self.system.id)
        for seat, grade in self.session.seats.items():
            if grade == "player":
                self.bring(seat)
        self.header()
        while True:
            try:
                if self.terminal.choose(self.say("what-now"), list(self._menu()))():
                    return
            except Back:
                self.header()
            except ParaventError as error:
                self.refused(error)

    def _menu(self) -> Iterator[Item]:
        """What this seat can do now; each line gives True when it ends the evening."""
        session = self.session
        entries: list[tuple[str, Any]] = [("move", self.start_move)] if session.seats[self.seat] != SPECTATOR else []
        if self._open_moves():
            entries.append(("continue", self.continue_move))
        entries += [("sheets", self.sheets), ("rules", self.rules), ("log", self.log)]
        if session.encounters:
            entries.append(("encounters", self.encounters))
        if session.is_gm(self.seat):
            entries += [("bring", lambda: self.bring("")), ("undo", self.undo)]
        if len(session.seats) > 1:
            entries.append(("pass", self.pass_on))
        entries.append(("quit", lambda: True))
        for name, action in entries:
            yield Item(action, name, self.say(f"do-{name}"))

    def refused(self, error: ParaventError) -> None:
        """A refusal, in one sentence."""
        self.page.line(self.tell.error(error), style="yellow")

    # Whose screen it is

    def header(self) -> None:
        """Whose screen it is, and what this seat has not read yet."""
        self.page.console.print()
        grade = self.say(self.session.seats[self.seat])
        self.page.title(f"— {self.seat} —", grade if grade.lower() != self.seat.lower() else "")
        self._news()

    def pass_to(self, seat: str) -> None:
        """Hand the screen over: emptied before and after, so that nobody reads what was another's."""
        if seat == self.seat:
            return
        self.terminal.clear()
        self.terminal.line(self.say("pass-to", seat=seat))
        self.terminal.clear()
        self.seat = seat
        self.header()

    def pass_on(self) -> None:
        """Choose to whom the screen goes."""
        others = [seat for seat in self.session.seats if seat != self.seat]
        self.pass_to(self.terminal.choose(self.say("to-whom"), [Item(seat, seat, seat) for seat in others]))

    def turn_of(self, seats: frozenset[str]) -> None:
        """The screen goes to one of these seats, unless one of them already has it."""
        if seats and self.seat not in seats:
            self.pass_to(sorted(seats)[0])

    # Characters

    def bring(self, owner: str) -> None:
        """Bring a ready-made or random character to the table; with no owner the game master says whose it is."""
        lang = self.page.lang
        items: list[Item] = []
        for kind in self.system.kinds.values():
            what = self.tell.title(f"kinds.{kind.id}")
            for name, record in kind.ready(lang).items():
                items.append(Item((kind, record), name, f"{getattr(record, 'name', name)} ({what})"))
            if kind.draw is not None:
                items.append(Item((kind, None), f"random-{kind.id}", self.say("random", kind=what)))
        items.append(Item(None, "none", self.say("no-sheet")))
        title = self.say("whose-sheet", seat=owner) if owner else self.say("which-sheet")
        chosen = self.terminal.choose(title, items, len(items) - 1)
        if chosen is None:
            return
        kind, record = chosen
        if record is None:
            record = PlayedDice(self.session.faces, usually).resolve(kind.draw, self.session.rulings)
        if not owner and len(self.session.seats) > 1:
            owner = self.terminal.choose(self.say("for-whom"), [Item(one, one, one) for one in self.session.seats], 0)
        name = self._free_name(str(getattr(record, "name", "") or kind.id))
        self.session.add(name, record, kind.id, "" if owner == self.gm else owner)
        self.page.line(self.say("brought", name=name), style="green")

    def _free_name(self, name: str) -> str:
        taken = {*self.session.records, *self.session.seats}
        numbered = (f"{name} {n}" for n in range(2, 1000))
        return name if name not in taken else next(other for other in numbered if other not in taken)

    def sheets(self) -> None:
        """Read a sheet, as far as this seat may."""
        seen = self.session.seen(self.seat)["records"]
        if not seen:
            self.page.line(self.say("no-sheets"))
            return
        name = self.terminal.choose(self.say("which-sheet"), [Item(one, one, one) for one in seen])
        held = self.session.records[name]
        kind = self.system.kind(held.kind)
        whole = self.session.is_gm(self.seat) or not kind.hidden or self.seat in self.session.controllers(name)
        derived = dict(kind.derived(held.record, self.session.rulings)) if whole else None
        show.sheet(self.page, self.tell, kind, seen[name], derived)

    # Reading

    def rules(self) -> None:
        """Find a rule by its number or a word."""
        text = self.terminal.line(self.say("which-rule"))
        lang = self.page.lang
        found = self.system.book.search(text, lang)
        found = [one for one in found if folded(text) == folded(one.id)] or found
        if not found or not text:
            self.page.line(self.say("no-rule"), style="yellow")
        elif len(found) == 1:
            show.rule(self.page, facts.rule(self.system, found[0].id, lang))
        else:
            self.page.grid([(one.id, one.title.get(lang, "")) for one in found[:20]], ("cyan",), fixed=(0,))

    def log(self) -> None:
        """The account of the evening that this seat has heard."""
        lines = self.session.seen(self.seat)["log"]
        if not lines:
            self.page.line(self.say("empty-log"))
        for line in lines:
            self.page.line(self.tell.telling(Telling(line["key"], line["values"])))

    def encounters(self) -> None:
        """What is under way, as this seat sees it."""
        for one in self.session.seen(self.seat)["encounters"]:
            over = self.say("over") if one["over"] else ""
            self.page.title(self.tell.title(f"encounters.{one['encounter']}"), over)
            self.page.grid([(self.tell.name(name), self.tell.value(value)) for name, value in one["state"].items()],
                           ("dim", ""))

    # Moves

    def _open_moves(self) -> list[int]:
        return [number for number in self.session.known[self.seat]
                if self.session.moves[number].phase in ("open", "settled")]

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

    def _startable(self) -> Iterator[Move]:
        running = {one.encounter.id for one in self.session.encounters.values() if not one.encounter.over(one.state)}
        for move in self.system.moves.values():
            allowed = move.by != GM or self.session.is_gm(self.seat)
            if allowed and (not move.encounter or move.encounter in running):
                yield move

    def _encounter_of(self, move: Move) -> int | None:
        if not move.encounter:
            return None
        return max(number for number, one in self.session.encounters.items()
                   if one.encounter.id == move.encounter and not one.encounter.over(one.state))

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
            return [self.terminal.choose(title, [Item(name, name, name) for name in mine], 0)]
        items = [Item(name, name, name) for name in known]
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
        items = [Item(number, str(number), self.tell.title(f"moves.{self.session.moves[number].move.id}"))
                 for number in self._open_moves()]
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
            self.page.line(self.say("follows", move=self.tell.title(f"moves.{self.session.moves[follow].move.id}")))
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
        open_fields = list(self._open_fields(op))
        if open_fields:
            mine = [one for one in open_fields if self.seat in self.session.controllers(one[1].id)]
            step, actor, asked = (mine or open_fields)[0]
            self.turn_of(self.session.controllers(actor.id))
            self.put.add((op.id, step.id, actor.id, asked.id))
            waits = asked.waits or asked.secrecy == "sealed" or not asked.has_usual()
            if waits or (op.id, step.id, self.seat) not in self.brief:
                try:
                    self.ask_field(number, actor, asked)
                except TheRest:
                    self.brief.add((op.id, step.id, self.seat))
                    self.put -= {(op.id, step.id, actor.id, asked.id)} if waits else set()
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

    def _open_fields(self, op: OpenMove) -> Iterator[tuple[Ask, Actor, Field]]:
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

    # Fields

    def ask_field(self, number: int, actor: Actor, asked: Field) -> None:
        """Ask one field of whoever answers for the actor, until what is typed can be read."""
        while True:
            op = self.session.moves[number]
            ctx = self._focus(op, actor)
            value = self._typed(actor, asked, ctx)
            if value is None and asked.has_usual() and (asked.waits or asked.secrecy == "sealed"):
                value = usual_of(asked, ctx)
            if value is None:
                if asked.has_usual():
                    return
                self.refused(MissingField(field=asked.id, role=actor.role))
                continue
            try:
                self.session.fill(self.seat, number, {asked.id: value}, actor.id)
                return
            except ParaventError as error:
                self.refused(error)

    def _focus(self, op: OpenMove, actor: Actor) -> Context:
        """What this seat may read of the move, seen from one actor."""
        ctx = context_seen(self.session, self.seat, op)
        mine = next(one for one in ctx.actors if (one.id, one.role) == (actor.id, actor.role))
        return replace_focus(ctx, mine)

    def _typed(self, actor: Actor, asked: Field, ctx: Context) -> Any:
        usual = usual_of(asked, ctx) if asked.has_usual() else None
        name = self.tell.title(f"fields.{asked.id}")
        several = len(ctx.all(asked.role)) > 1 or actor.role not in ("initiator", GM)
        title = f"{self.tell.actor(ctx, actor.id)}, {name}" if several and actor.role != GM else name
        if asked.secrecy == "sealed":
            title = self.say("sealed", field=title)
        shown = "" if not asked.has_usual() else self.tell.value(usual)
        return self._value(title, asked.type, ctx, shown, self._help(asked))

    def _help(self, asked: Field) -> str:
        text = self.tell.help(f"fields.{asked.id}")
        if asked.rule:
            one = self.system.book.rules.get(asked.rule)
            text += f" [{asked.rule}]" + (f" {one.text.get(self.page.lang, '')}" if one else "")
        return text.strip() or self.say("no-help")

    def _value(self, title: str, kind: FieldType, ctx: Context, usual: str, help_text: str) -> Any:
        """What is typed for one value; None for an empty line."""
        if isinstance(kind, Group):
            return self._group(title, kind, ctx, help_text)
        options = described(kind, ctx).get("options")
        if options is not None and isinstance(kind, OneOf):
            self.page.grid([(str(at), self.tell.value(one)) for at, one in enumerate(options, start=1)],
                           ("cyan", ""), right=(0,))
            prompt = title
        else:
            prompt = f"{title} ({self.tell.expected(kind, ctx)})"
        while True:
            text = self.terminal.line(prompt, usual)
            if text == "?":
                self.page.line(help_text, style="dim")
                continue
            if text == ".":
                raise TheRest
            if not text:
                return None
            try:
                return self._read(text, kind, options)
            except ParaventError as error:
                self.refused(error)

    def _read(self, text: str, kind: FieldType, options: Sequence[Any] | None) -> Any:
        if options is not None:
            listed = isinstance(kind, OneOf)
            if listed and text.isdigit() and 1 <= int(text) <= len(options) and text not in map(str, options):
                return options[int(text) - 1]
            return next((one for one in options if folded(self.tell.value(one)) == folded(text)), text)
        if isinstance(kind, SheetOf):
            return forms.record_from(self.system, kind.kind, text, self.session.rulings, self.page.lang)
        if text[0] in "{[" and not isinstance(kind, Flag):
            return forms.read_json(text, text[:30])
        return [part.strip() for part in text.split(",")] if isinstance(kind, Many) else text

    def _group(self, title: str, kind: Group, ctx: Context, help_text: str) -> Any:
        values: dict[str, Any] = {}
        for name, part in kind.parts.items():
            usual = self.tell.value(kind.defaults[name]) if name in kind.defaults else ""
            value = self._value(f"{title}, {self.tell.name(name)}", part, ctx, usual, help_text)
            if value is not None:
                values[name] = value
        return values or None

    # Windows, dice, choices

    def answer_window(self, number: int, window: Window) -> None:
        """Agree or object."""
        self.page.title(self.say(f"window-{window.kind}", move=self._move_title(number)))
        self.known_fields(number)
        items = [Item(AGREE, AGREE, self.say("agree")), Item(REFUSE, REFUSE, self.say("refuse"))]
        self.session.answer(self.seat, number, self.terminal.choose(self.say("your-word"), items, 0))

    def throw(self, number: int, rule: Resolve) -> None:
        """Show the odds this seat may see, then throw, type real dice, look further or go back."""
        self.page.title(self._move_title(number))
        self.known_fields(number)
        certain = self.odds(number, rule, "usual")
        items = [Item("throw", "throw", self.say("go-on" if certain else "throw"))]
        if not rule.blind and not certain:
            items.append(Item("type", "type", self.say("type-dice")))
        names = [name for name in rule.policies if name != "usual" and not certain]
        if rule.success is not None and not certain and "best" not in names:
            names.append("best")
        items += [Item(("policy", name), name, self.say("odds-with", policy=facts.policy_words(self.tell, name)))
                  for name in names]
        items += [Item("change", "change", self.say("change")), Item("withdraw", "withdraw", self.say("withdraw"))]
        while True:
            chosen = self.terminal.choose(self.say("what-now"), items, 0)
            if isinstance(chosen, tuple):
                self.odds(number, rule, chosen[1])
                continue
            break
        if chosen == "withdraw":
            raise Back
        if chosen == "change":
            self.change_field(number)
            return
        self.session.throw(self.seat, number, by_hand=chosen == "type")
        self.show_throw(number, rule.id)

    def odds(self, number: int, rule: Resolve, policy: str) -> bool:
        """The exact odds, never from what the seat may not see; True when only one thing can happen."""
        try:
            weighed = self.session.odds(self.seat, number, policy)
        except ParaventError as error:
            self.refused(error)
            return False
        if weighed is None:
            self.page.line(self.say("odds-withheld"), style="dim")
            return False
        if len(weighed) == 1 and all(len(of) == 1 for of in weighed.values()):
            return True
        for value, of in weighed.items():
            if value is not None:
                supposed = self.say("if-it-is", what=self._probed(number), value=self.tell.value(value))
                self.page.line(supposed, style="bold")
            show.weighed(self.page, facts.weighed(self.tell, rule, of), gap=False)
        return False

    def _probed(self, number: int) -> str:
        """The field whose likely values the odds are given for."""
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        names = [asked.id for actor in ctx.actors for asked in ctx.move.fields
                 if asked.role == actor.role and asked.id in actor.withheld and asked.probes]
        return self.tell.title(f"fields.{names[0]}") if names else ""

    def change_field(self, number: int) -> None:
        """Fill a field again before the dice are thrown."""
        op = self.session.moves[number]
        items = [
            Item((actor, asked), asked.id, self.tell.title(f"fields.{asked.id}"))
            for asked in op.move.fields
            for actor in op.cast
            if actor.role == asked.role and self.seat in self.session.controllers(actor.id)
        ]
        actor, asked = self.terminal.choose(self.say("which-field"), items)
        with suppress(TheRest):
            self.ask_field(number, actor, asked)

    def throw_by_hand(self, number: int, wanted: Wanted) -> None:
        """Type the faces of real dice."""
        self.turn_of(self.session.waits_for(number))
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        who = self.tell.part(ctx, wanted.role)
        text = self.terminal.line(self.say("type-faces", n=wanted.n, sides=wanted.sides, who=who))
        self.session.answer(self.seat, number, forms.faces(text))
        self.show_throw(number)

    def answer_choice(self, number: int, choice: Choice) -> None:
        """Answer what a rule asks in its middle; dice may be named by number."""
        self.turn_of(self.session.waits_for(number))
        self.page.title(self.tell.choice(choice))
        tray = self._tray(number) if any(isinstance(one, Take) for one in choice.options) else []
        if tray:
            self.page.line(self.say("dice-by-number", dice="   ".join(f"d{at}: {face}" for at, face in tray)))
        items = [Item(option, str(plain(option)), self.tell.option(choice, option)) for option in choice.options]
        usual = choice.options.index(choice.usual) if choice.usual in choice.options else 0
        self.terminal.listed(items)
        text = self.terminal.line(self.say("your-answer"), str(usual + 1))
        answer: Any
        if tray and text[:1] == "d" and text[1:].replace(",", "").replace(" ", "").isdigit():
            answer = {"dice": forms.faces(text[1:])}
        elif not text:
            answer = choice.usual
        else:
            found = self.terminal.meant(items, text)
            answer = forms.meant(self.tell, choice, text) if found is None else found.value
        self.session.answer(self.seat, number, answer)
        self.show_throw(number)

    def _tray(self, number: int) -> list[tuple[int, int]]:
        """The faces thrown so far that this seat may see, numbered in the order thrown."""
        throws = self._view(number).get("throws", [])
        faces = [face for one in (throws[-1].get("dice", []) if throws else []) for face in one["faces"]]
        return list(enumerate(faces, start=1))

    # What is seen

    def _view(self, number: int) -> dict[str, Any]:
        """The move as this seat sees it; empty when it may not know of it."""
        known = self.session.known[self.seat]
        if number not in known:
            return {}
        own = known.index(number) + 1
        return next((one for one in self.session.seen(self.seat)["moves"] if one["number"] == own), {})

    def _move_title(self, number: int) -> str:
        return self.tell.title(f"moves.{self.session.moves[number].move.id}")

    def known_fields(self, number: int) -> None:
        """What has been filled in, as far as this seat may read it."""
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        rows = []
        for actor, fields in self._view(number).get("fields", {}).items():
            for name, value in fields.items():
                sealed = isinstance(value, Mapping) and value == {"sealed": True}
                shown = self.say("is-sealed") if sealed else self.tell.value(value)
                rows.append((self.tell.actor(ctx, actor), self.tell.title(f"fields.{name}"), shown))
        self.page.grid(rows, ("dim", "dim", ""))

    def show_throw(self, number: int, step: str = "") -> None:
        """Dice, outcome and explanation, as far as this seat may see them."""
        view = self._view(number)
        throws = [one for one in view.get("throws", []) if step in ("", one["step"])][-1:]
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        if not throws:
            self.page.line(self.say("thrown-unseen"), style="dim")
        for one in throws:
            dice = [{**thrown, "role_words": self.tell.part(ctx, thrown["role"])}
                    for thrown in one.get("dice", [])]
            if dice:
                self.page.head(self.page.say("dice"))
                self.page.grid(show.dice_rows(dice), ("dim", "", "bold"), fixed=(1,))
            if "outcome" in one:
                self.page.head(self.page.say("result"))
                outcome = self.tell.outcome(one["outcome"], one.get("result"))
                if not any(line.startswith(outcome) for line in self._unread()):
                    self.page.line(outcome, style="bold")
            self._news()
            if one.get("why"):
                self.page.head(self.page.say("why"))
                self.page.grid([(line["rule"], self.tell.say(f"notes.{line['key']}", **line["values"]))
                                for line in one["why"]], ("cyan", ""), fixed=(0,))
        self.page.console.print()

    def _unread(self) -> list[str]:
        """The lines of the account that this seat has heard and not read yet."""
        new = self.session.log[self.heard[self.seat]:]
        return [self.tell.telling(line.telling) for line in new if self.seat in line.seats]

    def _news(self) -> None:
        for line in self._unread():
            self.page.line(line)
        self.heard[self.seat] = len(self.session.log)

    # After the dice

    def settle(self, number: int) -> None:
        """The game master accepts what a move changes, amends it or refuses some of it."""
        op = self.session.moves[number]
        if not op.changes:
            self.session.accept(self.gm, number)
            return
        self.pass_to(self.gm)
        ctx = op.context(self.system)
        self.page.head(self.page.say("changes"))
        show.changes(self.page, self.tell, [self._change(one, ctx) for one in op.changes], numbered=True)
        while True:
            text = self.terminal.line(self.say("accept"), self.say("accept-all"))
            try:
                amend, refuse = self._amendments(text, len(op.changes))
                self.session.accept(self.gm, number, amend, refuse)
                self.page.line(self.say("accepted"), style="green")
                return
            except ParaventError as error:
                self.refused(error)

    def _change(self, change: Change, ctx: Context) -> facts.Facts:
        told = self.tell.change(change, ctx)
        words = [{"what": what, "before": before, "after": after} for what, before, after in told]
        return {"words": words, "rule": change.rule, "seen_by": sorted(change.audience)}

    def _amendments(self, text: str, count: int) -> tuple[dict[int, Any], list[int]]:
        """``2=5`` sets the second change to 5, ``-1`` refuses the first."""
        amend: dict[int, Any] = {}
        refuse: list[int] = []
        for word in text.split():
            if word.startswith(("-", "−")):
                refuse.append(forms.whole(word[1:], word) - 1)
            else:
                at, value = forms.pair(word, "2=5")
                try:
                    amend[forms.whole(at, word) - 1] = json.loads(value)
                except json.JSONDecodeError:
                    amend[forms.whole(at, word) - 1] = value
        return amend, refuse

    def undo(self) -> None:
        """The game master takes back what a move changed."""
        closed = [op for op in self.session.moves.values() if op.phase == "closed"]
        if not closed:
            self.page.line(self.say("nothing-to-undo"))
            return
        items = [Item(op.id, str(op.id), f"{op.id}. {self._move_title(op.id)}") for op in reversed(closed)]
        self.session.undo(self.seat, self.terminal.choose(self.say("which-undo"), items, 0))
        self.page.line(self.say("undone"), style="green")
