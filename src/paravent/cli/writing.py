"""A sheet written at the terminal, step by step: ideas, what is left to place, words at hand, what is wrong and where.

The steps are those that a game declares for its pages; a game without any has one. An empty line leaves what stands
in brackets, ``.`` leaves the rest of the step, ``?`` explains, ``<`` goes a step back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from paravent.dice.errors import ParaventError
from paravent.game.errors import STUMBLES, BadValue, OutOfRange, UnknownName
from paravent.game.plain import Plain
from paravent.game.records import AnyKind, PointsLeft, Stage
from paravent.game.rulebook import Rulings
from paravent.game.system import System
from paravent.game.telling import Teller
from paravent.game.words import folded

from .show import Page, with_sign
from .terminal import Back, MenuItem, Terminal, TheRest

if TYPE_CHECKING:
    from paravent.web.sheetform import Input

Pairs = list[tuple[str, str]]
"""What was typed, by the names of a form's inputs."""
KEEP, OWN, UP = "keep", "own", "up"


class Writing:
    """Somebody writes a sheet of one kind."""

    def __init__(self, page: Page, terminal: Terminal, system: System, kind: AnyKind, rulings: Rulings) -> None:
        from paravent.web.sheetform import SheetForm

        self._page, self._terminal, self._system = page, terminal, system
        self._kind, self._rulings = kind, rulings
        self._tell = Teller(page.lang, system)
        self._form = SheetForm(kind, self._tell, rulings)
        self._stages = kind.stages or (Stage("", tuple(part.id for part in kind.sections)),)
        self.sheet = self._form.blank()

    def written(self) -> object:
        """The sheet once it is as the rules wish; whoever goes back from the first step has written none."""
        at = 0
        while at < len(self._stages):
            try:
                self._write(at)
                at += 1
            except Back:
                if at == 0:
                    raise
                at -= 1
        return self._read_again()

    def _say(self, key: str, /, **values: Plain) -> str:
        return self._page.say(f"writing.{key}", **values)

    # Steps

    def _write(self, at: int) -> None:
        """One step: an idea for all of its numbers, or one after the other."""
        stage = self._stages[at]
        self._page.head(self._say("step", n=at + 1, of=len(self._stages), title=self._title(stage)))
        if stage.id:
            self._page.line(self._tell.help(f"stages.{stage.id}"))
        self._tell_left(stage)
        idea = self._idea(stage)
        if idea:
            self.sheet = self._form.read(self.sheet, [(f"v:{path}", str(number)) for path, number in idea.items()])
        else:
            with suppress(TheRest):
                for entry in self._entries(at):
                    self._ask(stage, entry)
        self._show(at)
        self._tell_left(stage)

    def _title(self, stage: Stage) -> str:
        return self._tell.title(f"stages.{stage.id}" if stage.id else f"kinds.{self._kind.id}")

    def _idea(self, stage: Stage) -> Mapping[str, int]:
        """One of the ways of filling in a step; none for whoever says it number by number."""
        if not stage.ideas:
            return {}
        items = [MenuItem(name, name, f"{self._tell.say(f'stages.{stage.id}.ideas.{name}')}  {self._numbers(idea)}")
                 for name, idea in stage.ideas.items()]
        chosen = self._terminal.choose(self._say("idea"), [*items, MenuItem(OWN, OWN, self._say("own"))], 0)
        return stage.ideas.get(chosen, {})

    def _numbers(self, idea: Mapping[str, int]) -> str:
        return " · ".join(f"{with_sign(self._system, path, self._tell.name(path))} {number}"
                          for path, number in idea.items() if number)

    def _entries(self, at: int) -> list[Input]:
        """What is asked at a step, in the order of the sheet."""
        parts = self._form.parts(self.sheet)
        if self._kind.stages:
            parts = self._form.stages(parts)[at].parts
        return [entry for part in parts for entry in part.entries]

    def _show(self, at: int) -> None:
        """What stands now, one line each."""
        rows = [(with_sign(self._system, entry.sign, entry.title), self._stands(entry))
                for entry in self._entries(at)]
        self._page.grid([row for row in rows if row[1]], ("dim", ""))

    def _stands(self, entry: Input) -> str:
        """What an entry holds, in words."""
        if entry.rows:
            return ", ".join(filter(None, (self._row_words(row) for row in entry.rows)))
        if entry.parts:
            return ", ".join(f"{part.title} {self._tell.value(part.value)}" for part in entry.parts if part.value)
        return self._tell.value(entry.value) if entry.value not in (None, "", False) else ""

    def _row_words(self, row: Sequence[Input]) -> str:
        """What a row is called: its first word."""
        return next((self._tell.value(cell.value) for cell in row if isinstance(cell.value, str) and cell.value), "")

    # What is asked

    def _ask(self, stage: Stage, entry: Input) -> None:
        if entry.kind == "rows":
            self._ask_rows(stage, entry)
            return
        for one in entry.parts or [entry]:
            before = self._left(stage)
            typed = self._typed(one, self._stands(one))
            if typed is not None:
                flagged = [(f"b:{one.path}", "1")] if one.kind == "flag" and not typed else [(f"v:{one.path}", typed)]
                self.sheet = self._form.read(self.sheet, flagged)
                self._tell_left(stage, before)

    def _ask_rows(self, stage: Stage, entry: Input) -> None:
        """Rows of a list: one after the other, until an empty line; ``-`` takes the last one away."""
        filled = [row for row in entry.rows if self._row_words(row)]
        rows: list[dict[str, str]] = [{_column(cell): str(cell.value or "") for cell in row} for row in filled]
        self._page.line(entry.title, style="bold")
        blank = entry.rows[-1]
        at_hand = [f"{idea.words} ({idea.told})" if idea.told else idea.words for cell in blank
                   for idea in cell.suggested]
        if at_hand:
            self._page.line(self._say("at-hand", words=", ".join(at_hand)), style="dim")
        while True:
            first = self._typed(blank[0], "", self._say("one-more", what=entry.title))
            if not first:
                return
            before = self._left(stage)
            if first == "-":
                rows = rows[:-1]
            else:
                rows.append(self._row(blank, first))
            self.sheet = self._form.read(self.sheet, _sent(entry.path, rows))
            self._page.line(", ".join(filter(None, map(self._row_words, self._rows_of(entry.path)))), style="dim")
            self._tell_left(stage, before)

    def _rows_of(self, path: str) -> list[list[Input]]:
        held = self.sheet.get(path)
        entry = self._form.entry(path, held)
        return entry.rows if entry is not None else []

    def _row(self, blank: Sequence[Input], first: str) -> dict[str, str]:
        """A row: what goes with words at hand comes with them; of other words, the rest is asked."""
        said = folded(first)
        known = next((idea for cell in blank[:1] for idea in cell.suggested if folded(idea.words) == said), None)
        if known is not None:
            return {_column(blank[0]): known.words, **dict(known.fills)}
        row = {_column(blank[0]): first}
        with suppress(TheRest):
            for cell in blank[1:]:
                row[_column(cell)] = self._typed(cell, "") or ""
        return row

    def _typed(self, one: Input, usual: str, title: str = "") -> str | None:
        """What is typed for an input, until it can be read; None for an empty line."""
        name = title or with_sign(self._system, one.sign, one.title)
        known = {value: words for value, words in _options(one) if value}
        span = self._page.say("from-to", least=one.least, most=one.most) if one.most is not None else ""
        while True:
            text = self._terminal.line(f"{name} ({span})" if span else name, usual, lambda: self._explain(one, known))
            if text == ".":
                raise TheRest
            if not text:
                return None
            elif text == "-" and title:
                return text
            else:
                try:
                    return self._meant(one, text, known)
                except ParaventError as error:
                    self._page.line(self._tell.error(error), style="yellow")

    def _explain(self, one: Input, known: Mapping[str, str]) -> None:
        self._page.line(one.help or self._page.say("play.no-help"), style="dim")
        for family, listed in [("", one.options), *one.families]:
            words = ", ".join(words for value, words in listed if value)
            if words:
                self._page.line(f"{family}{self._say('colon') if family else ''}{words}", style="dim")

    def _meant(self, one: Input, text: str, known: Mapping[str, str]) -> str:
        """What a line stands for in a form."""
        if one.kind == "number":
            figure = text.replace("−", "-")
            if not figure.removeprefix("-").isdigit():
                raise BadValue(field=one.path, got=text, expected="number")
            if one.least is not None and one.most is not None and not one.least <= int(figure) <= one.most:
                raise OutOfRange(field=one.path, got=int(figure), minimum=one.least, maximum=one.most)
            return figure
        if one.kind == "flag":
            return "yes" if folded(text) in ("yes", "oui", "y", "o", "1") else ""
        if one.kind == "choice":
            wanted = folded(text)
            meant = [value for value, words in known.items() if wanted in (folded(words), folded(value))]
            begun = [value for value, words in known.items() if folded(words).startswith(wanted)]
            if not meant and len(begun) != 1:
                raise UnknownName("value", text, known.values())
            return (meant or begun)[0]
        return "\n".join(part.strip() for part in text.split(",")) if one.kind == "words" else text

    # What the rules say

    def _record(self) -> object:
        return self._kind.from_plain(self.sheet)

    def _left(self, stage: Stage | None = None) -> list[PointsLeft]:
        """What is left to place at a step, or in all."""
        with suppress(ParaventError, *STUMBLES):
            found = self._kind.points(self._record(), self._rulings)
            return [one for one in found if stage is None or not stage.id or self._form.stage_of(one.at) == stage.id]
        return []

    def _tell_left(self, stage: Stage, before: Sequence[PointsLeft] = ()) -> None:
        """What is left to place; of what was told before, only what has changed."""
        for one in self._left(stage):
            if one in before:
                continue
            title = self._tell.title(f"points.{one.id}")
            key = "left" if one.left > 0 else "spent" if one.left == 0 else "over"
            self._page.line(self._say(key, what=title, n=abs(one.left), of=one.of),
                            style="green" if one.left == 0 else "yellow" if one.left < 0 else "bold")

    def _faults(self) -> Iterator[tuple[str, bool]]:
        """What is wrong, in words and with its step; and whether it must be mended."""
        try:
            found = self._kind.check(self._record(), self._rulings)
        except ParaventError as error:
            yield self._tell.error(error), True
            return
        for fault in found:
            words = self._tell.words.fault(self._page.lang, fault)
            where = self._tell.title(f"stages.{self._form.stage_of(fault.at)}") if self._kind.stages else ""
            yield f"{where}{self._say('colon') if where else ''}{words}", not fault.warning

    def _read_again(self) -> object:
        """Read it over: bring it, or take up a step again."""
        while True:
            self._page.head(self._say("read-over"))
            for at in range(len(self._stages)):
                self._show(at)
            self._beside()
            wrong = list(self._faults())
            for words, hard in wrong:
                self._page.line(words, style="red" if hard else "yellow")
            good = not any(hard for _, hard in wrong)
            if good:
                self._page.line(self._say("no-faults"), style="green")
            items = [MenuItem(str(at), stage.id, self._say("take-up", title=self._title(stage)))
                     for at, stage in enumerate(self._stages)]
            keep = [MenuItem(KEEP, KEEP, self._say("keep"))] if good else []
            chosen = self._terminal.choose(self._say("what"), [*keep, *items, MenuItem(UP, UP, self._say("up"))],
                                           0 if good else None)
            if chosen == KEEP:
                return self._kind.validated(self._record(), self._rulings)
            if chosen == UP:
                raise Back
            with suppress(Back):
                self._write(int(chosen))

    def _beside(self) -> None:
        """What follows from the sheet, as far as the game shows it meanwhile."""
        with suppress(ParaventError, *STUMBLES):
            derived = self._kind.derived(self._record(), self._rulings)
            self._page.grid([(self._tell.name(name), self._tell.value(derived[name])) for name in self._kind.beside
                             if name in derived], ("dim", ""))


def _options(one: Input) -> Iterable[tuple[str, str]]:
    return [*one.options, *(option for _, listed in one.families for option in listed)]


def _column(cell: Input) -> str:
    return cell.path.rpartition(":")[2]


def _sent(path: str, rows: Sequence[Mapping[str, str]]) -> Pairs:
    """Rows as a form sends them; a list without any is sent as an empty row."""
    return [(f"r:{path}:{at}:{column}", value) for at, row in enumerate(rows or [{"name": ""}])
            for column, value in row.items()]
