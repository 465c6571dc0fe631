"""The command line, run in this process on a small game of our own."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from paravent.cli import main
from paravent.game import system as installed

sys.path.insert(0, str(Path(__file__).parent))
REALLY_FOUND = installed._found


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Point:
    """An entry point, as an installed package declares one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load(self) -> Any:
        if self.name == "broken":
            raise ImportError("no module named tides")
        import divers_game

        return divers_game.SYSTEM


Run = Callable[..., Said]


@pytest.fixture(autouse=True)
def _toy_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    installed.find_system.cache_clear()
    monkeypatch.setattr(installed, "_found", lambda: {"toy": Point("toy")})
    monkeypatch.delenv("PARAVENT_LANG", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    yield
    installed.find_system.cache_clear()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def paravent(*words: str, typed: str | None = None) -> Said:
        if typed is not None:
            monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        try:
            code = main(words)
        except SystemExit as end:  # completion ends this way
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return paravent


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """A command line that must be refused: exit code 2, one sentence, nothing else."""

    def sentence(*words: str, typed: str | None = None) -> str:
        said = run(*words, typed=typed)
        assert said.code == 2, said
        assert said.out == ""
        assert said.err.count("\n") == 1, said.err
        assert "Traceback" not in said.err
        return said.err.strip().replace("\u00a0", " ")

    return sentence
