"""After the dice: what a move changes, accepted, amended, refused or taken back."""

from __future__ import annotations

import json
from typing import Any

from paravent.cli import facts, forms, show
from paravent.cli.terminal import Item
from paravent.dice.errors import ParaventError
from paravent.game.move import Context
from paravent.game.records import Change

from .answers import Answers


class Settling(Answers):
    """What the game master makes of a move that has ended."""

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
                amend, refuse = self._amendments(text)
                self.session.accept(self.gm, number, amend, refuse)
                self.page.line(self.say("accepted"), style="green")
                return
            except ParaventError as error:
                self.refused(error)

    def _change(self, change: Change, ctx: Context) -> facts.Facts:
        told = self.tell.change(change, ctx)
        words = [{"what": what, "before": before, "after": after} for what, before, after in told]
        return {"words": words, "rule": change.rule, "seen_by": sorted(change.audience)}

    @staticmethod
    def _amendments(text: str) -> tuple[dict[int, Any], list[int]]:
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
