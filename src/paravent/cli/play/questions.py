"""Questions: a window in which one agrees or objects, a choice that a rule asks in its middle."""

from __future__ import annotations

from paravent.cli import forms
from paravent.cli.terminal import MenuItem
from paravent.dice import Choice, Take, plain
from paravent.game.eyes import is_poll
from paravent.game.move import Window
from paravent.table.open_move import AGREE, REFUSE, OpenMove

from . import form, throws
from .screen import Screen


def window(screen: Screen, op: OpenMove, asked: Window) -> None:
    """Agree or object."""
    screen.page.title(screen.say(f"window-{asked.kind}", move=screen.title_of(op)))
    form.show(screen, op.id)
    items = [MenuItem(AGREE, AGREE, screen.say("agree")), MenuItem(REFUSE, REFUSE, screen.say("refuse"))]
    screen.table.answer(screen.seat, op.id, screen.terminal.choose(screen.say("your-word"), items, 0))


def choice(screen: Screen, op: OpenMove, asked: Choice) -> None:
    """Answer what a rule asks in its middle; dice may be named by number."""
    screen.turn_of(screen.table.waits_for(op.id))
    screen.page.title(screen.tell.choice(asked))
    if stakes := screen.tell.stakes(asked.key, asked.values):
        screen.page.line(stakes)
    tray = throws.tray(screen, op.id) if any(isinstance(one, Take) for one in asked.options) else []
    if tray:
        dice = "   ".join(f"d{at}: {face}" for at, face in tray)
        screen.page.line(screen.say("dice-by-number", dice=dice))
    given = _answer(screen, asked, bool(tray))
    objects = is_poll(op.asks(asked.who)) and given != plain(asked.usual)
    screen.table.answer(screen.seat, op.id, given, screen.terminal.line(screen.say("why-not"), "") if objects else "")
    throws.show(screen, op.id)


def _answer(screen: Screen, asked: Choice, by_number: bool) -> object:
    """The option that was typed: by its place in the list, its words, or the numbers of dice; else the usual one."""
    items = [MenuItem(option, str(plain(option)), screen.tell.option(asked, option)) for option in asked.options]
    usual = asked.options.index(asked.usual) if asked.usual in asked.options else 0
    screen.terminal.listed(items)
    text = screen.terminal.line(screen.say("your-answer"), str(usual + 1), lambda: screen.terminal.explained(items))
    if by_number and text[:1] == "d" and text[1:].replace(",", "").replace(" ", "").isdigit():
        return {"dice": forms.faces(text[1:])}
    if not text:
        return plain(asked.usual)
    found = screen.terminal.meant(items, text)
    return plain(forms.meant(screen.tell, asked, text) if found is None else found.value)
