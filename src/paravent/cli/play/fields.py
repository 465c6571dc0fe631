"""The fields of a move, asked one by one of whoever answers for them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from paravent.cli import forms
from paravent.cli.terminal import Item, TheRest
from paravent.dice.errors import ParaventError
from paravent.game.errors import MissingField
from paravent.game.fields import AnyType, Flag, Group, Many, OneOf, SheetOf
from paravent.game.move import Actor, AnyField, Context, replace_focus
from paravent.game.open_move import OpenMove
from paravent.game.records import GM
from paravent.game.telling import described, usual_of
from paravent.game.view import context_seen
from paravent.game.words import folded

from .reading import Reading


class Fields(Reading):
    """What is typed for one field, until it can be read."""

    def ask_field(self, number: int, actor: Actor, asked: AnyField) -> None:
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

    def _focus(self, op: OpenMove, actor: Actor) -> Context:
        """What this seat may read of the move, seen from one actor."""
        ctx = context_seen(self.session, self.seat, op)
        mine = next(one for one in ctx.actors if (one.id, one.role) == (actor.id, actor.role))
        return replace_focus(ctx, mine)

    def _typed(self, actor: Actor, asked: AnyField, ctx: Context) -> Any:
        usual = usual_of(asked, ctx) if asked.has_usual() else None
        name = self.tell.title(f"fields.{asked.id}")
        several = len(ctx.all(asked.role)) > 1 or actor.role not in ("initiator", GM)
        title = f"{self.tell.actor(ctx, actor.id)}, {name}" if several and actor.role != GM else name
        if asked.secrecy == "sealed":
            title = self.say("sealed", field=title)
        shown = "" if not asked.has_usual() else self.tell.value(usual)
        return self._value(title, asked.type, ctx, shown, self._help(asked))

    def _help(self, asked: AnyField) -> str:
        text = self.tell.help(f"fields.{asked.id}")
        if asked.rule:
            one = self.system.book.rules.get(asked.rule)
            text += f" [{asked.rule}]" + (f" {one.text.get(self.page.lang, '')}" if one else "")
        return text.strip() or self.say("no-help")

    def _value(self, title: str, kind: AnyType, ctx: Context, usual: str, help_text: str) -> Any:
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

    def _read(self, text: str, kind: AnyType, options: Sequence[Any] | None) -> Any:
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
