"""Questions at a terminal: plain prompts, which a script may answer as well as a person."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from rich.text import Text

from paravent.game.words import folded, holds

from .show import Page

T = TypeVar("T")


class Back(Exception):
    """Somebody wishes to go back instead of answering."""


class TheRest(Exception):
    """Somebody leaves the rest of a form as it usually is."""


class MenuItem(NamedTuple, Generic[T]):
    """A line of a menu: what is chosen, a steady name for it, its words, others by which it is looked for, its help."""

    value: T
    name: str
    words: str
    also: str = ""
    help: str = ""


def named(names: Iterable[str]) -> list[MenuItem[str]]:
    """A menu of things that go by their own names."""
    return [MenuItem(name, name, name) for name in names]


class Terminal:
    """Asks and answers on the page; ``?`` is answered with help, ``<`` goes back, an empty line takes what stands
    in brackets."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def line(self, prompt: str, usual: str = "", explain: Callable[[], None] | None = None) -> str:
        """A line as typed, after the help if that was asked for; the end of the input is the end of the evening."""
        shown = f"{prompt} [{usual}] > " if usual else f"{prompt} > "
        while True:
            self.page.console.file.flush()
            text = input(shown).strip()
            if not sys.stdin.isatty():
                print(text)  # so that a transcript shows what was answered
            if text == "<":
                raise Back
            if text != "?":
                return text
            if explain is not None:
                explain()
            else:
                self.page.line(self.page.say("play.help-line"), style="dim")

    def choose(self, title: str, items: Sequence[MenuItem[T]], usual: int | None = None) -> T:
        """One of a list, by number, by name, or by everyday words: what they find is listed again, or is the one."""
        self.listed(items)
        while True:
            text = self.line(title, str(usual + 1) if usual is not None else "", lambda: self.explained(items))
            if not text and usual is not None:
                return items[usual].value
            found = self.meant(items, text)
            if found is not None:
                return found.value
            near = [one for one in items if text and holds(f"{one.words} {one.also}", text)]
            if len(near) == 1:
                return near[0].value
            if near:
                self.listed(items, near)
            else:
                self.page.line(self.page.say("play.not-there", n=len(items)), style="yellow")

    def choose_many(self, title: str, items: Sequence[MenuItem[T]], least: int, most: int | None,
                    usual: Sequence[T] = ()) -> list[T]:
        """Several of a list, separated by commas; the usual ones, or the only one there is, without a word."""
        self.listed(items)
        places = [str(at) for at, one in enumerate(items, start=1) if one.value in usual]
        ready = ",".join(places) or ("1" if least == 1 and len(items) == 1 else "")
        while True:
            text = self.line(title, self.page.say("play.nobody") if least == 0 else ready,
                             lambda: self.explained(items)) or ready
            parts = [part.strip() for part in text.split(",") if part.strip()]
            found = [self.meant(items, part) for part in parts]
            chosen = [one.value for one in found if one is not None]
            twice = len({*map(str, chosen)}) < len(chosen)
            if None not in found and not twice and least <= len(chosen) <= (most or len(items)):
                return chosen
            self.page.line(self.page.say("play.not-there", n=len(items)), style="yellow")

    def listed(self, items: Sequence[MenuItem[T]], only: Sequence[MenuItem[T]] = ()) -> None:
        """The lines of a menu, numbered; only some of them, with the numbers that they have."""
        lines = [(str(at), one.words) for at, one in enumerate(items, start=1) if not only or one in only]
        self.page.grid(lines, ("cyan", ""), right=(0,))

    def explained(self, items: Sequence[MenuItem[T]]) -> None:
        """How one answers a menu, after what its lines are for."""
        self.page.grid([(str(at), one.words, one.help) for at, one in enumerate(items, start=1)],
                       ("cyan", "", "dim"), right=(0,))
        self.page.line(self.page.say("play.help-menu", n=len(items)), style="dim")

    def meant(self, items: Sequence[MenuItem[T]], text: str) -> MenuItem[T] | None:
        """The line that was meant, if one was."""
        if text.isdigit() and 1 <= int(text) <= len(items):
            return items[int(text) - 1]
        word = folded(text)
        exact = [one for one in items if word in (folded(one.name), folded(one.words))]
        begun = [one for one in items if word and folded(one.words).startswith(word)]
        return exact[0] if exact else begun[0] if len(begun) == 1 else None

    def clear(self) -> None:
        """An empty screen, scrolled-off lines included; a rule across a transcript."""
        console = self.page.console
        if console.is_terminal:
            console.file.write("\x1b[3J\x1b[2J\x1b[H")
            console.file.flush()
        else:
            console.print(Text("═" * min(console.width, 78)))
