"""Sheets brought and read, rules looked up, what has happened so far."""

from __future__ import annotations

from paravent.cli import facts, show
from paravent.cli.terminal import Item, named
from paravent.dice import PlayedDice, usually
from paravent.game.move import Telling
from paravent.game.words import folded

from .screen import Screen


class Reading(Screen):
    """What may be brought and read between two moves."""

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
            owner = self.terminal.choose(self.say("for-whom"), named(self.session.seats), 0)
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
        name = self.terminal.choose(self.say("which-sheet"), named(seen))
        held = self.session.records[name]
        kind = self.system.kind(held.kind)
        whole = self.session.is_gm(self.seat) or not kind.hidden or self.seat in self.session.controllers(name)
        derived = dict(kind.derived(held.record, self.session.rulings)) if whole else None
        show.sheet(self.page, self.tell, kind, seen[name], derived)

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
