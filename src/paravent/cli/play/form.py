"""The form of a move: its fields, asked one by one of whoever answers for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from paravent.cli import forms
from paravent.cli.show import with_sign
from paravent.cli.terminal import MenuItem, TheRest
from paravent.dice.errors import ParaventError
from paravent.game import Grid, Value
from paravent.game.asking import described, field_facts, told_of_cells, told_of_options, usual_of
from paravent.game.errors import STUMBLES, MissingField
from paravent.game.fields import AnyType, Flag, Group, Many, OneOf, Score, SheetOf
from paravent.game.move import Actor, AnyField, Ask, Context, Resolve, replace_focus
from paravent.game.plain import Plain
from paravent.game.records import GM, to_plain
from paravent.game.words import folded
from paravent.table.open_move import OpenMove
from paravent.table.seen import is_sealed

from .screen import Screen


class Blank(NamedTuple):
    """A field of a move that nobody was asked for yet."""

    step: Ask
    actor: Actor
    field: AnyField
    must_be_filled: bool
    """Whether it is asked even of those who leave the rest as usual."""


class Form:
    """Asks for the fields of the moves of an evening, and knows which were put to whom."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._put: set[tuple[int, str, str, str]] = set()
        """Fields already put to somebody, so that an empty answer is not asked again."""
        self._brief: set[tuple[int, str, str]] = set()
        """Steps of moves in which a seat leaves everything else as it usually is."""

    def forget(self, number: int) -> None:
        """A move was left: when it is taken up again, its fields are asked again."""
        self._put = {put for put in self._put if put[0] != number}

    def ask_next(self, op: OpenMove) -> bool:
        """Ask the next field that nobody was asked for yet, those of whoever has the screen first; False if none."""
        blanks = list(self._blanks(op))
        mine = [blank for blank in blanks if self._screen.seat in self._asked_for(op, blank.actor, blank.field)]
        for blank in (mine or blanks)[:1]:
            self._ask_once(op, blank)
        return bool(blanks)

    def change(self, op: OpenMove) -> None:
        """Fill a field again before the dice are thrown."""
        screen = self._screen
        items = [
            MenuItem((actor, asked), asked.id, screen.tell.title(f"fields.{asked.id}"))
            for asked in op.move.fields
            for actor in op.cast
            if actor.role == asked.role and screen.seat in self._asked_for(op, actor, asked)
        ]
        actor, asked = screen.terminal.choose(screen.say("which-field"), items)
        with suppress(TheRest):
            self._ask(op.id, actor, asked)

    def _asked_for(self, op: OpenMove, actor: Actor, asked: AnyField) -> frozenset[str]:
        return self._screen.table.asked_for(op.id, actor, asked)

    def _blanks(self, op: OpenMove) -> Iterator[Blank]:
        """What is asked before the next rule or window, and was put to nobody yet."""
        system = self._screen.table.system
        ctx = op.context(system)
        for at, step in enumerate(op.move.steps):
            if not isinstance(step, Ask):
                if at >= op.current(system):
                    return
                continue
            if any(isinstance(later, Resolve) and later.id in op.records and not later.auto
                   for later in op.move.steps[at:]):
                continue
            for asked in step.fields:
                for actor in ctx.all(asked.role):
                    fresh = (op.id, step.id, actor.id, asked.id) not in self._put and asked.id not in actor.filled
                    focus = replace_focus(ctx, actor)
                    if fresh and asked.applies(focus):
                        yield Blank(step, actor, asked, asked.is_due(focus))

    def _ask_once(self, op: OpenMove, blank: Blank) -> None:
        """Ask a field of whoever answers for it, unless they leave the rest as usual and it may be left so."""
        self._screen.turn_of(self._asked_for(op, blank.actor, blank.field))
        put = op.id, blank.step.id, blank.actor.id, blank.field.id
        brief = op.id, blank.step.id, self._screen.seat
        self._put.add(put)
        if blank.must_be_filled or brief not in self._brief:
            try:
                self._ask(op.id, blank.actor, blank.field)
            except TheRest:
                self._brief.add(brief)
                if blank.must_be_filled:
                    self._put.remove(put)

    def _ask(self, number: int, actor: Actor, asked: AnyField) -> None:
        """Ask one field of whoever answers for the actor, until what is typed can be read."""
        screen = self._screen
        while True:
            ctx = _seen_from(screen, number, actor)
            value = _field_typed(screen, actor, asked, ctx)
            if value is None and asked.has_usual() and (asked.waits or asked.secrecy == "sealed"):
                value = usual_of(asked, ctx)
            if value is None:
                if asked.has_usual():
                    return
                screen.refused(MissingField(field=asked.id, role=actor.role))
                continue
            try:
                screen.table.fill(screen.seat, number, {asked.id: value}, actor.id)
                return
            except ParaventError as error:
                screen.refused(error)


def _seen_from(screen: Screen, number: int, actor: Actor) -> Context:
    """What the seat may read of a move, seen from one actor."""
    ctx = screen.table.sight(screen.seat).context(screen.table.moves[number])
    mine = next(other for other in ctx.actors if (other.id, other.role) == (actor.id, actor.role))
    return replace_focus(ctx, mine)


# What is typed


def _field_typed(screen: Screen, actor: Actor, asked: AnyField, ctx: Context) -> Plain:
    """What is typed for a field; None for an empty line."""
    tell = screen.tell
    name = tell.title(f"fields.{asked.id}")
    several = len(ctx.all(asked.role)) > 1 or actor.role not in ("initiator", GM)
    title = f"{tell.actor(ctx, actor.id)}, {name}" if several and actor.role != GM else name
    if asked.secrecy == "sealed":
        title = screen.say("sealed", field=title)
    stands = usual_of(asked, ctx) if asked.has_usual() else None
    usual = "" if not asked.has_usual() else tell.none_word(asked.id) if stands is None else tell.value(stands)
    if isinstance(asked.type, Score):
        _show_scores(screen, asked, ctx)
    _show_shape(screen, asked, ctx)
    return _typed(screen, title, asked.type, ctx, usual, _help(screen, asked))


def _show_scores(screen: Screen, asked: AnyField, ctx: Context) -> None:
    """What may be named instead of a number, with what the sheet has for it and the game's signs."""
    with suppress(ParaventError, *STUMBLES):
        record = ctx.one(asked.role).record
        scores = {str(one): getattr(record, str(one), None) for one in described(asked.type, ctx).options or ()}
        screen.page.grid([(_signed(screen, one), screen.tell.value(score) if isinstance(score, int) else "")
                          for one, score in scores.items()], ("", "cyan"), right=(1,))


def _show_shape(screen: Screen, asked: AnyField, ctx: Context) -> None:
    """What a control with a shape would show: named steps and their values, prices, what is left to pay from."""
    shape = field_facts(asked, ctx).shape or None
    if shape is None:
        return
    tell = screen.tell
    if shape.values and not isinstance(asked.type, OneOf):
        screen.page.grid([(tell.value(value), tell.step_word(asked.id, value)) for value in shape.values],
                         ("cyan", ""), right=(0,))
    told = told_of_options(asked, ctx)
    if told:
        screen.page.grid([(tell.step_word(asked.id, value), tell.telling(said)) for value, said in told.items()],
                         ("dim", "dim"))
    _show_cells(screen, asked, ctx)
    if shape.prices:
        screen.page.grid([(tell.step_word(asked.id, value), tell.value(cost)) for value, cost in shape.prices.items()],
                         ("", "cyan"), right=(1,))
    for held, text in (shape.texts or {}).items():
        screen.page.line(f"{tell.name(held)}", style="bold")
        screen.page.line(text, style="dim")
    if isinstance(shape.left, int) and isinstance(shape.gauge, str):
        screen.page.line(f"{tell.name(shape.gauge)} {tell.value(shape.left)}", style="dim")


def _show_cells(screen: Screen, asked: AnyField, ctx: Context) -> None:
    """A field crossed with another: a row for each of its values, with what each of the other's would bring."""
    tell, cells = screen.tell, told_of_cells(asked, ctx)
    if not cells or not isinstance(asked.shape, Grid):
        return
    across = list(dict.fromkeys(beside for told in cells.values() for beside in told))
    rows = [("", *(tell.step_word(asked.shape.other, beside) for beside in across))]
    for value, told in cells.items():
        said = (tell.telling(told[beside]) if beside in told else "" for beside in across)
        rows.append((tell.step_word(asked.id, value), *said))
    screen.page.grid(rows, ("dim",) * (1 + len(across)))


def _signed(screen: Screen, value: Plain) -> str:
    """A value in words, with the sign that the game has for it."""
    return with_sign(screen.table.base, str(value), screen.tell.value(value))


def _help(screen: Screen, asked: AnyField) -> str:
    text = screen.tell.help(f"fields.{asked.id}")
    if asked.rule:
        one = screen.table.base.book.rules.get(asked.rule)
        text += f" [{asked.rule}]" + (f" {one.text.get(screen.page.lang, '')}" if one else "")
    return text.strip() or screen.say("no-help")


def _typed(screen: Screen, title: str, kind: AnyType, ctx: Context, usual: str, help_text: str) -> Plain:
    """What is typed for one value, until it can be read."""
    if isinstance(kind, Group):
        return _parts_typed(screen, title, kind, ctx, help_text)
    options: Sequence[Plain] | None = described(kind, ctx).options or None
    if options is not None and isinstance(kind, OneOf):
        screen.page.grid([(str(at), _signed(screen, one)) for at, one in enumerate(options, start=1)],
                         ("cyan", ""), right=(0,))
        prompt = title
    else:
        prompt = f"{title} ({screen.tell.expected(kind, ctx)})"
    while True:
        text = screen.terminal.line(prompt, usual, lambda: screen.page.line(help_text, style="dim"))
        if text == ".":
            raise TheRest
        if not text:
            return None
        try:
            return _read(screen, text, kind, options)
        except ParaventError as error:
            screen.refused(error)


def _parts_typed(screen: Screen, title: str, kind: Group[Value], ctx: Context, help_text: str) -> Plain:
    values: dict[str, Plain] = {}
    for name, part in kind.parts.items():
        usual = screen.tell.value(kind.defaults[name]) if name in kind.defaults else ""
        called = with_sign(screen.table.base, name, screen.tell.name(name))
        value = _typed(screen, f"{title}, {called}", part, ctx, usual, help_text)
        if value is not None:
            values[name] = value
    return values or None


def _read(screen: Screen, text: str, kind: AnyType, options: Sequence[Plain] | None) -> Plain:
    """What a line stands for: an option by its number or its words, a sheet, several values, or itself."""
    if options is not None:
        listed = isinstance(kind, OneOf)
        if listed and text.isdigit() and 1 <= int(text) <= len(options) and text not in map(str, options):
            return options[int(text) - 1]
        return next((one for one in options if folded(screen.tell.value(one)) == folded(text)), text)
    if isinstance(kind, SheetOf):
        table = screen.table
        sheet: Plain = to_plain(forms.record_from(table.base, kind.kind, text, table.rulings, screen.page.lang))
        return sheet
    if text[0] in "{[" and not isinstance(kind, Flag):
        typed: Plain = forms.read_json(text, text[:30])
        return typed
    return [part.strip() for part in text.split(",")] if isinstance(kind, Many) else text


# What is filled in


def show(screen: Screen, number: int) -> None:
    """What has been filled in, as far as the seat may read it."""
    seen = screen.table.seen_move(screen.seat, number)
    fields: Mapping[str, Mapping[str, Plain]] = seen.fields if seen is not None else {}
    ctx = screen.table.sight(screen.seat).context(screen.table.moves[number])
    rows = []
    for actor, filled in fields.items():
        for name, value in filled.items():
            shown = screen.say("is-sealed") if is_sealed(value) else screen.tell.value(value)
            rows.append((screen.tell.actor(ctx, actor), screen.tell.title(f"fields.{name}"), shown))
    screen.page.grid(rows, ("dim", "dim", ""))
