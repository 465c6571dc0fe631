"""A pytest plugin: which rules, examples, chances, rows and options of each game the run has proven.

A mark counts only if the test passed and, for a rule, only if code registered under that rule ran in it. At the end a
line is printed for each game; a game that says ``complete = true`` fails a whole run in which anything is missing.
Load it with ``pytest_plugins = ["paravent.testing.report"]``.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from typing import Any

os.environ["PARAVENT_WATCH_RULES"] = "1"

import pytest

from paravent.dice import ParaventError, forget_odds
from paravent.game import System, system_at, system_names, trace
from paravent.game.words import house_words

from .rows import row_is_served

trace.watching = True

MARKS = {
    "rules": "rules(*ids): the test proves these rules, whose carriers it runs",
    "vector": "vector(*ids): the test is this worked example",
    "listed_odds": "listed_odds(*ids): the test checks this listed probability exactly",
    "option": "option(key, value): the test shows this value of a table option at work",
}
_PROPERTY = "paravent-proven"


class Ledger:
    """What is known of each system, and what has been proven."""

    def __init__(self) -> None:
        self.named: tuple[str, ...] = ()
        self.systems: dict[str, System] = {}
        self.proven: set[tuple[str, str]] = set()

    def load(self) -> None:
        """Find the systems that the run answers for: all that are installed, unless some are named."""
        if not self.systems:
            try:
                self.systems = {name: system_at(name) for name in self.named or system_names()}
            except ParaventError as refused:
                said = f"{house_words().error('en', refused)} Install the game, or name it as module:SYSTEM."
                raise pytest.UsageError(f"paravent_systems: {said}") from None

    def known(self, kind: str) -> set[str]:
        """Every id that a mark of this kind may name."""
        self.load()
        found: set[str] = set()
        for system in self.systems.values():
            book = system.book
            match kind:
                case "rules":
                    found |= set(book.rules)
                case "vector":
                    found |= {row["id"] for row in book.vectors}
                case "listed_odds":
                    found |= {row["id"] for row in (*book.listed_odds, *book.odds_tables)}
                case "option":
                    found |= {f"{key}={value}" for key, option in book.options.items() for value in option.values}
        return found

    def rules_of(self, vector_id: str) -> tuple[str, ...]:
        """The rules that a worked example names."""
        for system in self.systems.values():
            for row in system.book.vectors:
                if row["id"] == vector_id:
                    return tuple(row.get("rules", ()))
        return ()


LEDGER = Ledger()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a package name the games that its tests answer for."""
    parser.addini("paravent_systems", "the games whose rules this run must prove (all installed, if empty)", "args")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks."""
    LEDGER.named = tuple(config.getini("paravent_systems"))
    for text in MARKS.values():
        config.addinivalue_line("markers", text)


def named_by(item: pytest.Item) -> list[tuple[str, str]]:
    """What the marks of a test name, as (kind, id)."""
    kinds = ("rules", "vector", "listed_odds")
    named = [(kind, str(name)) for kind in kinds for mark in item.iter_markers(kind) for name in mark.args]
    return named + [("option", f"{mark.args[0]}={mark.args[1]}") for mark in item.iter_markers("option")]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse marks that name nothing known."""
    known: dict[str, set[str]] = {}
    for item in items:
        for kind, name in named_by(item):
            if kind not in known:
                known[kind] = LEDGER.known(kind)
            if name not in known[kind]:
                raise pytest.UsageError(f"{item.nodeid}: unknown {kind} id {name!r}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forget what earlier tests ran; where a rule is to be proven, what they worked out too: kept odds run nothing."""
    trace.ran.clear()
    if named_by(item):
        forget_odds()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Note on the report what the test has proven."""
    outcome = yield
    report = outcome.get_result()
    if report.when != "call" or not report.passed:
        return
    proven = []
    for kind, name in named_by(item):
        if kind != "rules" or name in trace.ran:
            proven.append((kind, name))
        if kind == "vector":
            proven += [("rules", rule_id) for rule_id in LEDGER.rules_of(name) if rule_id in trace.ran]
    report.user_properties.append((_PROPERTY, proven))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Gather what was proven, from every worker."""
    for name, value in report.user_properties:
        if name == _PROPERTY and isinstance(value, (list, tuple)):
            LEDGER.proven |= {(str(kind), str(proven)) for kind, proven in value}


class Standing:
    """How far one game is proven."""

    def __init__(self, system: System, proven: set[tuple[str, str]]) -> None:
        self.system = system
        book = system.book
        rules = {rule.id: rule for rule in book.rules.values() if rule.counted}
        texts = {rule.id for rule in rules.values() if rule.is_advice and rule.text.get("fr") and rule.text.get("en")}
        vectors = {row["id"] for row in book.vectors}
        some_vector = any(("vector", vector) in proven for vector in vectors)
        self.parts: dict[str, tuple[set[str], set[str]]] = {
            "rules": (set(rules), texts | {r for r in rules if ("rules", r) in proven}),
            "vectors": (vectors, {v for v in vectors if ("vector", v) in proven}),
            "odds": _marked((row["id"] for row in book.listed_odds), proven),
            "rows": ({row["id"] for row in book.rows}, {row["id"] for row in book.rows if row_is_served(system, row)}),
            "options": (
                {f"{key}={value}" for key, option in book.options.items() for value in option.values},
                {
                    f"{key}={value}"
                    for key, option in book.options.items()
                    for value in option.values
                    if ("option", f"{key}={value}") in proven or (value == option.default and some_vector)
                },
            ),
            "odds tables": _marked((row["id"] for row in book.odds_tables), proven),
        }

    @property
    def missing(self) -> dict[str, list[str]]:
        """What is not proven, by part."""
        return {part: sorted(wanted - done) for part, (wanted, done) in self.parts.items() if wanted - done}

    def line(self) -> str:
        """The game's line of the report."""
        counts = ", ".join(
            f"{len(wanted & done)}/{len(wanted)} {part}" for part, (wanted, done) in self.parts.items() if wanted
        )
        return f"{self.system.book.prefix or self.system.id} {counts}"


def _marked(ids: Iterable[str], proven: set[tuple[str, str]]) -> tuple[set[str], set[str]]:
    wanted = set(ids)
    return wanted, {name for name in wanted if ("listed_odds", name) in proven}


def _is_whole(config: pytest.Config) -> bool:
    """Whether the run was over everything, so that what is missing can be judged."""
    narrowed = config.getoption("keyword") or config.getoption("markexpr") or config.getoption("lf", default=False)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not narrowed


def standings() -> list[Standing]:
    """How far each game is proven by what ran so far."""
    LEDGER.load()
    return [Standing(system, LEDGER.proven) for system in LEDGER.systems.values()]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a whole run in which a complete game lacks something."""
    if hasattr(session.config, "workerinput") or not _is_whole(session.config) or session.testscollected == 0:
        return
    if any(standing.system.book.complete and standing.missing for standing in standings()):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line of a run that fails for nothing but this says so: everything passed, and yet it failed."""
    if hasattr(config, "workerinput") or not _is_whole(config) or not LEDGER.proven:
        return
    for standing in standings():
        if standing.system.book.complete and standing.missing:
            names = ", ".join(f"{part} {name}" for part, names in standing.missing.items() for name in names)
            print(f"FAILED: {standing.system.id} is called complete and no test proves: {names}")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print a line for each game, and what a complete one lacks."""
    terminalreporter.section("rules of the games")
    for standing in standings():
        terminalreporter.write_line(standing.line())
        if not _is_whole(config):
            continue
        missing = standing.missing
        if not standing.system.book.complete:
            left = sum(map(len, missing.values()))
            terminalreporter.write_line(f"  not called complete yet; {left} left")
            continue
        for part, names in missing.items():
            terminalreporter.write_line(f"  MISSING {part}: {', '.join(names)}", red=True)
