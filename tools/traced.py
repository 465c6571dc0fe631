"""A plugin of pytest that notes which lines each test runs, for ``tools/mutate.py``: ``pytest -p traced``.

``TRACED_FILES`` names the files to watch; the notes go to ``TRACED_INTO``: for each test how long it took, and the
lines of each file that it ran. Other code is only looked at when it is called, so the rest runs nearly as usual.
"""

import json
import os
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

WATCHED = frozenset(os.environ["TRACED_FILES"].split(os.pathsep))
notes: dict[str, dict[str, Any]] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    lines: dict[str, set[int]] = defaultdict(set)

    def called(frame: FrameType, what: str, arg: object) -> Any:
        return ran if frame.f_code.co_filename in WATCHED else None

    def ran(frame: FrameType, what: str, arg: object) -> Any:
        lines[frame.f_code.co_filename].add(frame.f_lineno)
        return ran

    started = time.monotonic()
    threading.settrace(called)
    sys.settrace(called)
    yield
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    notes[item.nodeid] = {
        "took": time.monotonic() - started, "lines": {file: sorted(some) for file, some in lines.items()},
    }


def pytest_sessionfinish() -> None:
    Path(os.environ["TRACED_INTO"]).write_text(json.dumps(notes), encoding="utf-8")
