"""What ``docs/games/solaires.md`` shows is what the command line prints, and it shows every move.

``PARAVENT_WRITE_DOCS=1 pytest tests/systems/solaires/test_page.py`` writes the page's outputs anew.
"""

import os
import re
import shlex
from pathlib import Path

import pytest

from paravent.cli import main
from paravent.game import system_names
from paravent.systems.solaires import SYSTEM

PAGE = Path(__file__).parents[3] / "docs" / "games" / "solaires.md"
BLOCK = re.compile(r"```console\n(?P<shown>\$ paravent .*?)\n```", re.DOTALL)

pytestmark = pytest.mark.skipif("solaires" not in system_names(), reason="the package and its games are not installed")


def printed(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints, without the game's own line, which stands once at the top of the page."""
    capsys.readouterr()
    assert main(shlex.split(command)[1:]) in (0, 2)
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    text = "\n".join(line.rstrip() for line in (out + err).strip("\n").splitlines())
    for notice in SYSTEM.notice.values():
        start = r"\s+".join(re.escape(word) for word in notice.split()[:3])
        found = re.search(r"\n\n[^\n]*" + start, text)
        text = text[: found.start()] if found else text
    return text


def test_every_example_of_the_page_is_what_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("PARAVENT_LANG", raising=False)

    def retold(found: re.Match[str]) -> str:
        commands = [line[2:] for line in found["shown"].splitlines() if line.startswith("$ ")]
        told = (f"$ {command}\n{printed(command, capsys)}" for command in commands)
        return "```console\n" + "\n\n".join(told) + "\n```"

    page = PAGE.read_text("utf-8")
    again = BLOCK.sub(retold, page)
    if os.environ.get("PARAVENT_WRITE_DOCS"):
        PAGE.write_text(again, "utf-8")
    else:
        assert again.splitlines() == page.splitlines()


def test_every_move_is_shown_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert [move for move in SYSTEM.moves if f"paravent roll solaires {move}" not in page] == []
