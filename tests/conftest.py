"""What all tests share: parts of the machine a test needs, and the last word on what was left out.

``@pytest.mark.needs("chromium")`` leaves a test out where that part is missing, and says so at the end of the run;
with ``PARAVENT_TEST_ALL=1``, as in ``.ci/run``, a missing part is a failure instead.
"""

import asyncio
import importlib.util
import os
import shutil
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
    "network": (network, "a network address of its own"),
    "git": (a_program("git"), "git and a clone"),
    "make": (a_program("make"), "make"),
    "numpy": (a_module("numpy"), "numpy (extra: sampling)"),
    "build": (a_module("hatchling", "editables"), "hatchling, to install a package without a network (extra: dev)"),
    "docs": (a_module("mkdocs"), "mkdocs (extra: docs)"),
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"needs(part): the test needs this part of the machine: {', '.join(PARTS)}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        present, what = PARTS[mark.args[0]]
        if present():
            continue
        if os.environ.get("PARAVENT_TEST_ALL"):
            pytest.fail(f"nothing may be left out here, and this machine lacks {what}", pytrace=False)
        pytest.skip(f"this machine lacks {what}")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out: dict[str, list[str]] = defaultdict(list)
    for report in terminalreporter.stats.get("skipped", []):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        left_out[why.removeprefix("Skipped: ")].append(report.nodeid)
    terminalreporter.section("Laissé de côté / left out")
    for why, tests in sorted(left_out.items()):
        terminalreporter.line(f"{why}: {len(tests)}")
        for test in sorted(tests):
            terminalreporter.line(f"  {test}")
    if not left_out:
        terminalreporter.line("rien / nothing")
