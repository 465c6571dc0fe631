"""After the dice: what a move changes, accepted, amended, refused or taken back by the game master."""

from __future__ import annotations

import json
from typing import NamedTuple

from paravent.cli import forms, show
from paravent.cli.terminal import MenuItem
from paravent.dice.errors import ParaventError
from paravent.game.plain import Plain
from paravent.table.open_move import OpenMove

from .screen import Screen


class Ruled(NamedTuple):
    """What the game master makes of the changes: those written anew, those refused, by their place."""

    amended: dict[int, Plain]
    refused: list[int]


def settle(screen: Screen, op: OpenMove) -> None:
    """The game master accepts what a move changes, amends it or refuses some of it."""
    if not op.changes:
        screen.table.accept(screen.gm, op.id)
        return
    screen.pass_to(screen.gm)
    ctx = op.context(screen.table.system)
    told = [show.ChangeRow(tuple(screen.tell.change(one, ctx)), tuple(sorted(one.audience)), one.rule)
            for one in op.changes]
    screen.page.head(screen.page.say("changes"))
    show.changes(screen.page, screen.tell, told, numbered=True)
    while True:
        text = screen.terminal.line(screen.say("accept"), screen.say("accept-all"))
        try:
            ruled = _ruled(text)
            screen.table.accept(screen.gm, op.id, ruled.amended, ruled.refused)
            screen.page.line(screen.say("accepted"), style="green")
            return
        except ParaventError as error:
            screen.refused(error)


def _ruled(text: str) -> Ruled:
    """``2=5`` sets the second change to 5, ``-1`` refuses the first."""
    ruled = Ruled({}, [])
    for word in text.split():
        if word.startswith(("-", "−")):
            ruled.refused.append(forms.whole(word[1:], word) - 1)
        else:
            at, value = forms.pair(word, "2=5")
            try:
                ruled.amended[forms.whole(at, word) - 1] = json.loads(value)
            except json.JSONDecodeError:
                ruled.amended[forms.whole(at, word) - 1] = value
    return ruled


def undo(screen: Screen) -> None:
    """The game master takes back what a move changed."""
    closed = [op for op in screen.table.moves.values() if op.phase == "closed"]
    if not closed:
        screen.page.line(screen.say("nothing-to-undo"))
        return
    items = [MenuItem(op.id, str(op.id), f"{op.id}. {screen.title_of(op)}") for op in reversed(closed)]
    screen.table.undo(screen.seat, screen.terminal.choose(screen.say("which-undo"), items, 0))
    screen.page.line(screen.say("undone"), style="green")
