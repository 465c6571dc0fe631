"""Answers laid out for people, with Rich. Every word comes from the facts or the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from paravent.game.plain import Plain
from paravent.game.records import AnyKind
from paravent.game.system import System, find_system
from paravent.game.telling import Teller

from .facts import Facts
from .prose import Prose

_BAR = 24
_WIDEST = 100


class Page:
    """Where an answer is written: a console no wider than reads well, and the language's words."""

    def __init__(self, lang: str, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, markup=False, emoji=False)
        self.room = self.console.width if self.console.is_terminal else None
        """How wide a line may be at most; whoever reads a file or a pipe has as much room as is needed."""
        if self.console.width > _WIDEST:
            self.console.width = _WIDEST
        self.lang = lang
        self.tell = Teller(lang)

    def say(self, key: str, /, **values: Plain) -> str:
        """A sentence of the command line."""
        return self.tell.say(f"cli.{key}", **values)

    def title(self, text: str, after: str = "") -> None:
        """The first line of an answer."""
        self.console.print(Group(Prose.assemble((text, "bold"), (f"  {after}" if after else "", "dim"))))

    def head(self, text: str) -> None:
        """The title of a block."""
        self.console.print()
        self.console.print(Group(Prose(text, "bold cyan")))

    def line(self, text: str | Text = "", indent: int = 2, style: str = "") -> None:
        """A line or a paragraph, its continuation aligned."""
        shown = text if isinstance(text, Text) else Prose(text, style)
        self.console.print(Padding(shown, (0, 0, 0, indent), expand=False))

    def grid(self, rows: Sequence[Sequence[str | Text]], styles: Sequence[str] = (), right: Sequence[int] = (),
             fixed: Sequence[int] = (), indent: int = 2) -> None:
        """Aligned columns without rules."""
        kept = [at for at in range(len(rows[0]) if rows else 0) if any(row[at] for row in rows)]
        if not kept:
            return
        table = Table.grid(padding=(0, 2))
        for at in kept:
            table.add_column(style=styles[at] if at < len(styles) else "", no_wrap=at in fixed,
                             justify="right" if at in right else "left")
        for row in rows:
            table.add_row(*(cell if isinstance(cell, Text) else Prose(cell) for cell in (row[at] for at in kept)))
        self.console.print(Padding(table, (0, 0, 0, indent), expand=False))

    def notice(self, system: str) -> None:
        """The line that must stand wherever the game is shown."""
        found = find_system(system)
        if found.notice:
            self.console.print()
            self.line(found.notice.get(self.lang) or found.notice["fr"], indent=0, style="dim")


def with_sign(system: System, word: str, text: str) -> str:
    """Words with the sign that a game has for them, if it has one."""
    return f"{system.glyphs[word]}\u00a0{text}" if word in system.glyphs else text


def systems(page: Page, given: Facts) -> None:
    """The games."""
    for one in given["systems"]:
        page.title(one["name"], one["id"])
        page.line(one["tagline"])
        page.line(page.say("system-holds", n=len(one["moves"]), version=one["version"]), style="dim")
        if one["notice"]:
            page.line(one["notice"], style="dim")
        page.console.print()
    for one in given["broken"]:
        page.line(page.say("broken", system=one["id"], why=one["why"]), indent=0, style="yellow")
    page.line(page.say("next-moves"), indent=0, style="dim")


def moves(page: Page, given: Facts) -> None:
    """The moves of a game."""
    for group in dict.fromkeys(one["group"] for one in given["moves"]):
        if group:
            page.head(group)
        rows = [(one["id"], _move_words(one)) for one in given["moves"] if one["group"] == group]
        page.grid(rows, ("cyan", ""), fixed=(0,), indent=2 if group else 0)
    page.notice(given["system"])


def _move_words(one: Facts) -> Text:
    return Prose.assemble((one["title"], "bold"), (f"\n{one['help']}" if one["help"] else "", "dim"))


def move(page: Page, given: Facts) -> None:
    """One move and its form."""
    tell = Teller(page.lang, find_system(given["system"]))
    page.title(given["title"], given["id"])
    if given["help"]:
        page.line(given["help"])
    if given["encounter"]:
        page.line(page.say("inside", encounter=tell.title(f"encounters.{given['encounter']}")))
    page.head(page.say("cast"))
    page.grid([(one["id"], one["title"], _how_many(page, one)) for one in given["cast"]], ("cyan",), fixed=(0,))
    for role in given["cast"]:
        asked = [one for one in given["fields"] if one["role"] == role["id"]]
        if asked:
            page.head(page.say("fields-of", role=role["title"]))
            page.grid([(one["id"], _field_words(page, tell, one)) for one in asked], ("cyan", ""), fixed=(0,))
    page.console.print()
    page.line(page.say("policies", policies=", ".join(one["id"] for one in given["policies"])), indent=0, style="dim")
    if given["rules"]:
        page.line(page.say("rules-of", rules=", ".join(given["rules"])), indent=0, style="dim")


def _how_many(page: Page, role: Facts) -> str:
    least, most = role["least"], role["most"]
    if most is None:
        return page.say("or-more", n=least)
    return "" if least == most == 1 else page.say("from-to", least=least, most=most)


def _field_words(page: Page, tell: Teller, one: Facts) -> Text:
    state = page.say("required") if one["required"] else page.say("default", value=tell.value(one["default"]))
    marks = [one["accepts_words"], state]
    if one["secrecy"] != "open":
        marks.append(page.say(f"secrecy-{one['secrecy']}"))
    if one["after_result"]:
        marks.append(page.say("after-result"))
    text = Prose.assemble((one["title"], "bold"), "  ", (" · ".join(mark for mark in marks if mark), "dim"))
    if one["help"]:
        text.append(f"\n{one['help']}")
    return text


def rules(page: Page, given: Facts) -> None:
    """The rules by number and title."""
    page.grid([(one["id"], one["title"]) for one in given["rules"]], ("cyan", ""), fixed=(0,), indent=0)
    page.console.print()
    page.line(page.say("next-rule"), indent=0, style="dim")
    page.notice(given["system"])


def rule(page: Page, given: Facts) -> None:
    """One rule."""
    page.title(given["title"], given["id"])
    page.line(given["text"])
    for one in given["rulings"]:
        page.head(page.say("ruling", id=one["id"]))
        page.line(one["question"])
        page.line(f"→ {one['default']}")
        if one["why"]:
            page.line(one["why"], style="dim")
        if one["option"]:
            page.line(page.say("settled-by", option=one["option"]), style="dim")
    page.console.print()
    page.line(page.say("source", source=given["source"]), indent=0, style="dim")
    page.notice(given["system"])


def tables(page: Page, given: Facts) -> None:
    """The tables by name."""
    page.grid([(one["name"], one["title"], ", ".join(one["rules"])) for one in given["tables"]], ("cyan", "", "dim"),
              fixed=(0,), indent=0)
    page.notice(given["system"])


def table(page: Page, given: Facts) -> None:
    """One table, with the rows and columns of the page."""
    page.title(given["title"], given["name"])
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1) if len(given["columns"]) > 8 else (0, 2))
    for at, heading in enumerate(_headings([column["title"] for column in given["columns"]])):
        numbers = all(isinstance(row[at], int) or row[at] == "" for row in given["rows"])
        grid.add_column(Prose(heading), justify="right" if numbers else "left", overflow="fold")
    for row in given["words"]:
        grid.add_row(*(Prose(cell) for cell in row))
    page.console.print(grid)
    if given["source"]:
        page.line(page.say("source", source=given["source"]), indent=0, style="dim")
    if given["rules"]:
        page.line(page.say("rules-of", rules=", ".join(given["rules"])), indent=0, style="dim")
    page.notice(given["system"])


def _headings(titles: Sequence[str]) -> list[str]:
    """Column titles; in a wide table, a word that begins many of them is left out (« Colonne A »)."""
    first = [title.partition(" ")[0] for title in titles]
    shared = {word for word in first if len(titles) > 8 and first.count(word) > 4}
    return [title.partition(" ")[2] or title if word in shared else title
            for title, word in zip(titles, first, strict=True)]


def options(page: Page, given: Facts) -> None:
    """What a table may settle otherwise."""
    for one in given["options"]:
        page.title(one["title"], one["key"])
        page.line(one["question"])
        page.grid([
            (("● " if value["value"] == one["default"] else "○ ") + value["value"], value["words"])
            for value in one["values"]
        ], ("cyan", ""), fixed=(0,), indent=4)
        page.console.print()
    page.line(page.say("next-option"), indent=0, style="dim")
    page.notice(given["system"])


def advice(page: Page, given: Facts) -> None:
    """Advice, one paragraph each, and the first evening."""
    page.grid([("•", one) for one in given["advice"]], ("cyan",), indent=0)
    if given["first_evening"]:
        page.head(page.say("first-evening"))
        told = [f"{one['title']}. {one['help']}" for one in given["first_evening"]]
        page.grid([(f"{at}.", words) for at, words in enumerate(told, start=1)], ("cyan",))
    page.notice(given["system"])


def ready_list(page: Page, given: Facts) -> None:
    """What ``create`` can give."""
    for at, kind in enumerate(given["kinds"]):
        if at:
            page.console.print()
        page.title(kind["title"], kind["kind"])
        ways = {(True, True): "can-draw", (True, False): "only-draw", (False, True): "cannot-draw"}
        page.line(page.say(ways.get((kind["drawn"], bool(kind["ready"])), "made-otherwise")), style="dim")
        page.grid([(one["id"], one["name"]) for one in kind["ready"]], ("cyan",), fixed=(0,))
    page.notice(given["system"])


def record(page: Page, given: Facts) -> None:
    """A sheet."""
    found = find_system(given["system"])
    kind, values = found.kind(given["kind"]), given["record"]
    if kind.map is not None:  # what is drawn is not listed again
        values = {name: value for name, value in values.items() if not isinstance(value, (list, dict))}
    sheet(page, Teller(page.lang, found), kind, values, given["derived"])
    for warning in given["warnings"]:
        page.line(page.say("warning", text=warning), style="yellow")
    if given["seed"] is not None:
        page.console.print()
        page.line(page.say("drawn-with", seed=given["seed"]), indent=0, style="dim")
    page.notice(given["system"])


def sheet(page: Page, tell: Teller, kind: AnyKind, plain_record: Facts, derived: Facts | None = None) -> None:
    """A sheet, block by block."""
    values = dict(plain_record)
    page.title(str(values.pop("name", "") or tell.title(f"kinds.{kind.id}")))
    system = tell.system
    signs = {tell.name(word): with_sign(system, word, tell.name(word)) for word in system.glyphs} if system else {}
    for block in tell.sheet(kind, values, derived):
        page.head(block.title)
        page.grid([(signs.get(name, name), value) for name, value in block.lines], ("dim", ""))


# Chances


def percent(page: Page, chance: Facts) -> tuple[str, str]:
    """A chance as a percentage and as its fraction when that is short."""
    from fractions import Fraction

    share = Fraction(chance["chance"])
    return page.tell.percent(share), page.tell.fraction(share)


def odds(page: Page, given: Facts) -> None:
    """Success first, then every outcome, then what may be compared and what follows."""
    page.title(given["title"], "" if given["policy"] == "usual" else given["policy_words"])
    if given["step"]:
        weighed(page, given)
    if given["compare"]:
        compare(page, given["compare"])
    for one in given["then"]:
        share, _ = percent(page, one["reached"])
        page.head(page.say("then", share=share) if one["reached"]["chance"] != "1" else page.say("then-always"))
        weighed(page, one, gap=False)
    if given["forecast"]:
        forecast(page, given["forecast"])
    page.notice(given["system"])


def weighed(page: Page, given: Facts, gap: bool = True) -> None:
    """One rule's chances."""
    if given["success"]:
        share, exact = percent(page, given["success"])
        page.line(Prose.assemble(page.say("success") + " ", (share, "bold green"), (f"   {exact}", "dim")))
    if gap:
        page.console.print()
    bars(page, given["outcomes"])
    means = [f"{one['words']} {page.tell.number(one['value'])}" for one in given["means"] if one["words"]]
    if means:
        page.line(page.say("means", means=", ".join(means)), style="dim")


def bars(page: Page, rows: Sequence[Facts]) -> None:
    """A chart, one bar an outcome."""
    highest = max((row["probability"] for row in rows), default=1) or 1
    width = _BAR if page.console.width >= 80 else 10
    lines = []
    for row in rows:
        share, exact = percent(page, row)
        bar = Prose(_bar(row["probability"] / highest, width), "green")
        lines.append((row["words"], share, bar, Prose(exact, "dim")))
    page.grid(lines, right=(1, 3), fixed=(1, 2, 3))


def _bar(share: float, width: int) -> str:
    eighths = max(1, round(share * width * 8)) if share else 0
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def compare(page: Page, given: Facts) -> None:
    """A line for each value of the field that varies."""
    page.head(page.say("compare", field=given["title"]))
    highest = max((row["success"]["probability"] for row in given["rows"] if row["success"]), default=1) or 1
    lines: list[tuple[str | Text, ...]] = []
    for row in given["rows"]:
        named = [one for one in row["means"] if one["words"]][:1 if row["success"] else 3]
        means = ", ".join(f"{one['words']} {page.tell.number(one['value'])}" for one in named)
        mark = "›" if row["value"] == given["given"] else " "
        if row["success"]:
            share, exact = percent(page, row["success"])
            bar = Prose(_bar(row["success"]["probability"] / highest, 12), "green")
            lines.append((f"{mark} {row['words']}", share, bar, Prose(exact, "dim"), Prose(means, "dim")))
        else:
            lines.append((f"{mark} {row['words']}", "", "", "", Prose(means, "dim")))
    page.grid(lines, right=(1, 3), fixed=(0, 1, 2, 3))


def forecast(page: Page, given: Facts) -> None:
    """How something that lasts will end."""
    page.head(page.say("forecast"))
    bars(page, given["outcomes"])
    if given["mean_steps"]:
        page.line(page.say("mean-steps", n=given["mean_steps"]["value"]), style="dim")
    for line in given["lines"]:
        page.line(line)


# A roll


def roll(page: Page, given: Facts) -> None:
    """Dice, result, changes, explanation."""
    tell = Teller(page.lang, find_system(given["system"]))
    page.title(given["title"], page.say("seeded", seed=given["seed"]) if given["seed"] is not None else "")
    thrown = [one for step in given["steps"] for one in step["dice"]]
    if thrown:
        page.head(page.say("dice"))
        dice(page, tell, [(one["role_words"], one["sides"], one["faces"]) for one in thrown])
    page.head(page.say("result"))
    for step in given["steps"]:
        result(page, tell, step)
    if given["changes"]:
        page.head(page.say("changes"))
        changes(page, tell, [
            ChangeRow([(words["what"], words["before"], words["after"]) for words in one["words"]], one["seen_by"],
                 one["rule"])
            for one in given["changes"]
        ])
    why = [one for step in given["steps"] for one in step["why"]]
    if why:
        page.head(page.say("why"))
        page.grid([(one["rule"], one["words"]) for one in why], ("cyan", ""), fixed=(0,))
    remarks(page, tell, given)
    page.notice(given["system"])


def dice(page: Page, tell: Teller, thrown: Iterable[tuple[str, int, Sequence[int]]]) -> None:
    """One line a throw: whose, how many of which, the faces, with the name of those that have one."""

    def called(sides: int, face: int) -> str:
        words = tell.face_word(sides, face)
        return f"{face} ({words})" if words else str(face)

    rows = [(who, f"{len(faces)}d{sides}", "  ".join(called(sides, face) for face in faces))
            for who, sides, faces in thrown]
    page.grid(rows, ("dim", "", "bold"), fixed=(1,))


def result(page: Page, tell: Teller, given: Facts) -> None:
    """The outcome in words, and what is told of it; what not everybody hears is marked."""
    colour = {True: "bold green", False: "bold red"}.get(given["success"], "bold")
    outcome = given["words"] or ""
    if outcome and not any(one["words"].startswith(outcome) for one in given["tellings"]):
        page.line(_marked(tell, outcome, given["seen_by"]["outcome"], colour))
    for one in given["tellings"]:
        first = outcome and one["words"].startswith(outcome)
        page.line(_marked(tell, one["words"], one["seen_by"], colour if first else ""))


def _marked(tell: Teller, words: str, seen_by: Sequence[str], style: str = "") -> Text:
    who = tell.audience(frozenset(seen_by))
    return Prose.assemble((words, style), (f"  [{who}]" if who else "", "yellow"))


class ChangeRow(NamedTuple):
    """A change in words: what, before and after, line by line; who may see it, and by which rule."""

    lines: Sequence[tuple[str, str, str]]
    seen_by: Sequence[str]
    rule: str


def changes(page: Page, tell: Teller, told: Iterable[ChangeRow], numbered: bool = False) -> None:
    """Before and after, one line a value."""
    rows = []
    for at, change in enumerate(told, start=1):
        for first, (what, before, after) in enumerate(change.lines):
            number = (f"{at}." if first == 0 else "",) if numbered else ()
            rows.append((*number, what, _marked(tell, f"{before} → {after}", change.seen_by), change.rule))
    page.grid(rows, ("", "", "", "cyan") if numbered else ("", "", "cyan"))


def remarks(page: Page, tell: Teller, given: Facts) -> None:
    """What was answered for want of an answer, and what comes next."""
    lines = [page.say("usually", who=tell.role(one["who"]), question=one["question"], answer=one["words"])
             for one in given["usual_answers"]]
    lines += [page.say("never-asked", key=key) for key in given["unused_answers"]]
    lines += [page.say("opens", encounter=tell.title(f"encounters.{one['encounter']}")) for one in given["opens"]]
    lines += [page.say("follows", move=tell.title(f"moves.{one['move']}")) for one in given["follows"]]
    if given["encounter"] and given["encounter"]["over"]:
        lines.append(page.say("over", encounter=tell.title(f"encounters.{given['encounter']['encounter']}")))
    if lines:
        page.console.print()
    for line in lines:
        page.line(line, indent=0, style="yellow")
