"""What ``docs/cli.md`` shows is what the command line prints, and every key it documents is there.

``PARAVENT_WRITE_DOCS=1 pytest tests/cli/test_docs.py`` writes the page's outputs anew.
"""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from paravent.game import system as installed

from .conftest import REALLY_FOUND, Run

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
TABLE = re.compile(r"### `(?P<command>paravent [^`]+ --json)`\n\n(?P<rows>(?:\|.*\n)+)")


@pytest.fixture(autouse=True)
def _games_installed(_toy_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "_found", REALLY_FOUND)


def test_every_example_of_the_page_is_what_is_printed(as_printed: Callable[[Path], None]) -> None:
    as_printed(PAGE)


def documented() -> list[tuple[str, set[str]]]:
    text = PAGE.read_text("utf-8")
    return [
        (found["command"], {key for row in found["rows"].splitlines()[2:]
                            for key in re.findall(r"`(\w+)`", row.split("|")[1])})
        for found in TABLE.finditer(text)
    ]


@pytest.mark.parametrize(("command", "keys"), documented(), ids=lambda value: value if isinstance(value, str) else None)
def test_every_key_of_an_answer_is_documented(run: Run, command: str, keys: set[str]) -> None:
    assert set(json.loads(run(*shlex.split(command)[1:]).out)) == keys
