"""What ``docs/games/empire.md`` shows is what the command line prints; every move has its command there.

``PARAVENT_WRITE_DOCS=1 pytest tests/systems/empire/test_page.py`` writes the page's outputs anew.
"""

import os
import re
import shlex
from pathlib import Path

import pytest

from paravent.cli import main
from paravent.game import system_names
from paravent.systems.empire import NOTICE, SYSTEM

PAGE = Path(__file__).parents[3] / "docs" / "games" / "empire.md"
BLOCK = re.compile(r"```console\n\$ (?P<command>paravent [^\n]*)\n(?P<shown>.*?)```", re.DOTALL)

pytestmark = pytest.mark.skipif("empire" not in system_names(), reason="the package is not installed")


@pytest.fixture
def printed(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("PARAVENT_LANG", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(command):
        capsys.readouterr()
        code = main(shlex.split(command)[1:])
        out, err = capsys.readouterr()
        assert code == 0, err
        text = "\n".join(line.rstrip() for line in out.strip("\n").splitlines())
        for notice in NOTICE.values():
            start = re.search(r"\n\n" + r"\s+".join(map(re.escape, notice.split()[:4])), text)
            text = text[: start.start()] if start else text
        return text

    return run


def test_every_example_of_the_page_is_what_is_printed(printed):
    page = PAGE.read_text("utf-8")
    again = BLOCK.sub(lambda found: f"```console\n$ {found['command']}\n{printed(found['command'])}\n```", page)
    if os.environ.get("PARAVENT_WRITE_DOCS"):
        PAGE.write_text(again, "utf-8")
    else:
        assert again.splitlines() == page.splitlines()


def test_the_page_names_every_move_and_carries_the_notice():
    page = PAGE.read_text("utf-8")
    assert [move for move in SYSTEM.moves if f"`{move}`" not in page and f" {move} " not in page] == []
    assert NOTICE["fr"].partition(" ;")[0] in page
    assert NOTICE["en"].partition(";")[0] in page


@pytest.mark.parametrize("asked", ["moves", "rules", "tables", "options", "advice", "create", "rules EMP-079",
                                   "tables damage", "create --ready solveig", "create --list",
                                   "roll skill-test characteristic=8", "odds skill-test characteristic=8"])
def test_the_notice_stands_wherever_the_game_is_shown(asked, capsys):
    command, *words = asked.split()
    assert main([command, "empire", *words]) == 0
    assert "".join(NOTICE["fr"].split()) in "".join(capsys.readouterr().out.split())
