"""What ``docs/cli.md`` shows is what the command line prints, and every key it documents is there.

``PARAVENT_WRITE_DOCS=1 pytest tests/cli/test_docs.py`` writes the page's outputs anew.
"""

import json
import os
import re
import shlex
from pathlib import Path

import pytest

from paravent.game import system as installed

from .conftest import REALLY_FOUND, Run

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCK = re.compile(r"```console\n(?P<shown>\$ paravent .*?)\n```", re.DOTALL)
TABLE = re.compile(r"### `(?P<command>paravent [^`]+ --json)`\n\n(?P<rows>(?:\|.*\n)+)")

pytestmark = pytest.mark.skipif(
    not {"conteur", "simulacres"} <= set(REALLY_FOUND()), reason="the package and its games are not installed"
)


@pytest.fixture(autouse=True)
def _games_installed(_toy_installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(installed, "_found", REALLY_FOUND)
    monkeypatch.chdir(tmp_path)


def shown_by(run: Run, command: str) -> str:
    words = shlex.split(command)
    into = Path(words[words.index(">") + 1]) if ">" in words else None
    said = run(*(words[1: words.index(">")] if into else words[1:]))
    assert "Traceback" not in said.err
    if into:
        into.write_text(said.out, "utf-8")
        return ""
    return "\n".join(line.rstrip() for line in (said.out + said.err).strip("\n").splitlines())


def without_notice(text: str) -> str:
    """The game's line stands at the foot of the page once, instead of under each example."""
    for point in REALLY_FOUND().values():
        start = " ".join(point.load().notice.get("fr", "–").split()[:3])
        at = re.search(r"\n\n[^\n]*" + r"\s+".join(map(re.escape, start.split())), text)
        text = text[: at.start()] if at else text
    return text


def retold(run: Run, page: str) -> str:
    def block(found: re.Match[str]) -> str:
        out = []
        for part in re.split(r"(?m)^\$ ", found["shown"])[1:]:
            command = part.partition("\n")[0]
            out.append("\n".join(filter(None, (f"$ {command}", without_notice(shown_by(run, command))))))
        return "```console\n" + "\n".join(out) + "\n```"

    return BLOCK.sub(block, page)


def test_every_example_of_the_page_is_what_is_printed(run: Run) -> None:
    page = PAGE.read_text("utf-8")
    again = retold(run, page)
    if os.environ.get("PARAVENT_WRITE_DOCS"):
        PAGE.write_text(again, "utf-8")
    else:
        assert again.splitlines() == page.splitlines()


def documented() -> list[tuple[str, set[str]]]:
    text = PAGE.read_text("utf-8") if PAGE.exists() else ""
    return [
        (found["command"], {key for row in found["rows"].splitlines()[2:]
                            for key in re.findall(r"`(\w+)`", row.split("|")[1])})
        for found in TABLE.finditer(text)
    ]


@pytest.mark.parametrize(("command", "keys"), documented(), ids=lambda value: value if isinstance(value, str) else None)
def test_every_key_of_an_answer_is_documented(run: Run, command: str, keys: set[str]) -> None:
    assert set(json.loads(run(*shlex.split(command)[1:]).out)) == keys
