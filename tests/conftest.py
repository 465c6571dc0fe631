"""What all tests share: parts of the machine a test needs, and the last word on what was left out.

``@pytest.mark.needs("chromium")`` leaves a test out where that part is missing, and says so at the end of the run;
with ``PARAVENT_TEST_ALL=1``, as in ``.ci/run``, a missing part is a failure instead. ``@pytest.mark.evening`` is for
whole evenings in browsers: ``.ci/run`` plays them, ``make test`` names them among what it left out. Tests of all
folders share a module, ``seats``: looking at a table without a log from its seats.

In ``.ci/run``, what is played in a browser and fails is played once more: a machine may starve three browsers for a
moment. It fails if it fails again; if not, it is named at the end, for each of those is a race to be mended.
"""

import asyncio
import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# --- the traceability report -----------------------------------------------------------------------------------------
# Which rules, vectors, odds and rows each system carries: a plugin of the package, loaded as soon as it is there.
if importlib.util.find_spec("paravent.testing") and importlib.util.find_spec("paravent.testing.report"):
    pytest_plugins = ["paravent.testing.report"]
# ---------------------------------------------------------------------------------------------------------------------

sys.path.insert(0, str(Path(__file__).parent))

from paravent.table.events import House
from paravent.table.hotseat import Hotseat

# A scene at a table without a log is played step by step: the game master accepts what follows, and judges at will. A
# scene about what follows by itself, or about judgement, says how its table plays.
Hotseat.usual = House("meneur", "at-will")

_run = asyncio.run


def run_anywhere(scene: Coroutine[Any, Any, Any], **how: Any) -> Any:
    """``asyncio.run``, also where a browser's own loop already runs in this worker: then in a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(scene, **how)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_run, scene, **how).result()


asyncio.run = run_anywhere

settings.register_profile("soak", max_examples=20_000, deadline=None)
settings.register_profile("usual", deadline=None)
settings.load_profile("usual")


def a_program(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


def a_module(*names: str) -> Callable[[], bool]:
    return lambda: all(importlib.util.find_spec(name) for name in names)


def postgresql() -> bool:
    return bool(shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb")))


def network() -> bool:
    """Whether this machine has an address that others could call."""
    from paravent.web.serve import local_hosts

    return bool(local_hosts())


PARTS: dict[str, tuple[Callable[[], bool], str]] = {
    "chromium": (a_program("chromium", "chromium-browser", "google-chrome"), "a browser (apt: chromium)"),
    "postgresql": (postgresql, "a database server (apt: postgresql)"),
    "caddy": (a_program("caddy"), "a proxy (apt: caddy)"),
    "nginx": (a_program("nginx", "/usr/sbin/nginx"), "a proxy (apt: nginx)"),
    "openssl": (a_program("openssl"), "a maker of certificates (apt: openssl)"),
    "systemd": (a_program("systemd-analyze"), "a reader of its units (apt: systemd)"),
    "network": (network, "a network address of its own"),
    "git": (a_program("git"), "git and a clone"),
    "make": (a_program("make"), "make"),
    "numpy": (a_module("numpy"), "numpy (extra: sampling)"),
    "build": (a_module("hatchling", "editables"), "hatchling, to install a package without a network (extra: dev)"),
    "docs": (a_module("mkdocs"), "mkdocs (extra: docs)"),
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"needs(part): the test needs this part of the machine: {', '.join(PARTS)}")
    config.addinivalue_line("markers", "evening: a whole evening in browsers, played by .ci/run (PARAVENT_TEST_ALL=1)")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("PARAVENT_TEST_ALL"):
        for item in items:
            if any(mark.args == ("chromium",) for mark in item.iter_markers("needs")):
                item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        present, what = PARTS[mark.args[0]]
        if present():
            continue
        if os.environ.get("PARAVENT_TEST_ALL"):
            pytest.fail(f"nothing may be left out here, and this machine lacks {what}", pytrace=False)
        pytest.skip(f"this machine lacks {what}")
    if item.get_closest_marker("evening") and not os.environ.get("PARAVENT_TEST_ALL"):
        pytest.skip("whole evenings are played with PARAVENT_TEST_ALL=1, as in .ci/run")


_EXAMPLES = re.compile(r"```console\n(?P<shown>\$ paravent .*?)\n```", re.DOTALL)


@pytest.fixture
def as_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[Path], None]:
    """Whether the examples of a page are what the command line prints; with ``PARAVENT_WRITE_DOCS=1`` they become it.

    The notice of a game stands on a page once, instead of under each example.
    """
    from paravent.cli import main
    from paravent.game import find_system, system_names

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("PARAVENT_LANG", raising=False)
    monkeypatch.chdir(tmp_path)

    def printed(command: str) -> str:
        words, _, into = command.partition(" > ")
        capsys.readouterr()
        assert main(shlex.split(words)[1:]) in (0, 2), command
        out, err = capsys.readouterr()
        assert "Traceback" not in err, command
        if into:
            Path(into).write_text(out, "utf-8")
            return ""
        text = "\n".join(line.rstrip() for line in (out + err).strip("\n").splitlines())
        for notice in (words for name in system_names() for words in find_system(name).notice.values()):
            begins = r"\s+".join(map(re.escape, notice.split()[:3]))
            text = re.split(r"\n\n[^\n]*" + begins, text, maxsplit=1)[0]
        return text

    def retold(found: re.Match[str]) -> str:
        commands = [line[2:] for line in found["shown"].splitlines() if line.startswith("$ ")]
        told = [f"$ {command}\n{out}\n" if (out := printed(command)) else f"$ {command}" for command in commands]
        return "```console\n" + "\n".join(told).rstrip("\n") + "\n```"

    def check(path: Path) -> None:
        page = path.read_text("utf-8")
        again = _EXAMPLES.sub(retold, page)
        if os.environ.get("PARAVENT_WRITE_DOCS"):
            path.write_text(again, "utf-8")
        else:
            assert again.splitlines() == page.splitlines()

    return check


def _tell_budget(terminalreporter: pytest.TerminalReporter) -> None:
    """What actions cost in taps (tests/web/budget.py), where any were counted."""
    reports = [report for kind in ("passed", "failed", "xfailed", "xpassed")
               for report in terminalreporter.stats.get(kind, [])]
    rows = sorted({tuple(value) for report in reports for name, value in report.user_properties if name == "budget"})
    if rows:
        terminalreporter.section("Gestes / taps")
    for words, game, player, most, gm, gm_most in rows:
        above = "  !" if player > most or gm > gm_most else ""
        terminalreporter.line(f"{words:44}{game:12}player {player}/{most}   game master {gm}/{gm_most}{above}")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out: dict[str, list[str]] = defaultdict(list)
    for report in terminalreporter.stats.get("skipped", []):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        left_out[why.removeprefix("Skipped: ")].append(report.nodeid)
    _tell_budget(terminalreporter)
    twice = {report.nodeid: report for report in terminalreporter.stats.get("rerun", [])}
    if twice:
        terminalreporter.section("Joué deux fois / played twice")
    for test, report in sorted(twice.items()):
        terminalreporter.line(f"  {test}")
        for line in _where_it_failed(report.longreprtext):
            terminalreporter.line(f"    {line}")
    terminalreporter.section("Laissé de côté / left out")
    for why, tests in sorted(left_out.items()):
        terminalreporter.line(f"{why}: {len(tests)}")
        for test in sorted(tests):
            terminalreporter.line(f"  {test}")
    if not left_out:
        terminalreporter.line("rien / nothing")


def _where_it_failed(text: str) -> list[str]:
    """The lines of our tests that a failure came by, and what it said: what is played twice is a race to be mended."""
    lines = text.splitlines()
    ours = [line for line in lines if line.startswith("tests/") and line.rstrip(" :").rpartition(":")[2].split()]
    said = [line for line in lines if line.startswith("E  ")]
    return [*ours[-4:], *said[:8]]
