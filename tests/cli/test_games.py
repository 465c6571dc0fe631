"""Every move of every game installed, through the command line, on the examples the game gives."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from paravent.game import system as installed
from paravent.game import to_plain

from .conftest import REALLY_FOUND, Run

CODE = re.compile(r"\b(?:outcomes|notes|choices|fields|values)\.\w+|\w\(\w+=|\{\w*\}|<[\w. ]+ object|\bNone\b|Fraction")


def examples() -> Iterator[Any]:
    for name, point in REALLY_FOUND().items():
        game = point.load()
        for move, listed in game.examples.items():
            if listed:
                yield pytest.param(name, move, listed[0], id=f"{name}-{move}")


@pytest.fixture(autouse=True)
def _games_installed(_toy_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "_found", REALLY_FOUND)


def words_of(name: str, move: str, example: dict[str, Any]) -> list[str]:
    words = [name, move, "--form", json.dumps(to_plain(example.get("form", {}))), "--day", str(example.get("day", 0))]
    for actor, sheet in example.get("sheets", {}).items():
        words += ["--sheet", f"{actor}={f'ready:{sheet}' if isinstance(sheet, str) else json.dumps(to_plain(sheet))}"]
    for key, value in example.get("options", {}).items():
        words += ["--option", f"{key}={value}"]
    state = example.get("encounter")
    return words if state is None else [*words, "--encounter", json.dumps(to_plain(state))]


@pytest.mark.parametrize(("name", "move", "example"), list(examples()))
def test_a_move_of_a_game_is_described_weighed_and_rolled(
    run: Run, name: str, move: str, example: dict[str, Any]
) -> None:
    words = words_of(name, move, example)
    for command in (["moves", name, move], ["odds", *words], ["roll", *words, "--seed", "7"]):
        said = run(*command)
        assert said.code == 0, said.err
        assert CODE.findall(said.out) == []
        assert max(map(len, said.out.splitlines())) <= 80


@pytest.mark.parametrize("name", list(REALLY_FOUND()))
def test_the_rest_of_a_game_can_be_read(run: Run, name: str) -> None:
    game = installed.find_system(name)
    commands = [["rules", name], ["tables", name], ["options", name], ["advice", name], ["create", name, "--list"]]
    commands += [["rules", name, next(iter(game.book.rules))], *(["tables", name, table] for table in game.tables)]
    commands += [["create", name, "--kind", kind.id, "--seed", "1"] for kind in game.kinds.values() if kind.draw]
    for command in commands:
        for lang in ("fr", "en"):
            said = run(*command, "--lang", lang)
            assert said.code == 0, said.err
            assert max(map(len, said.out.splitlines())) <= 80


def test_what_a_move_makes_is_read_from_what_roll_prints(run: Run) -> None:
    rolled = run("roll", "empire", "generate-sector", "name=Marche", "seed=ourmansk", "--json").out
    rows = run("record", "empire", "-", "--as", "t5", typed=rolled).out.splitlines()
    assert rows[0].startswith("Hex\tName\tUWP")
    assert len(rows) == 1 + 28  # EGW-X71: 28 systems


def test_a_sector_grows_from_its_seed_and_is_shown_as_a_map(run: Run) -> None:
    grown = run("create", "empire", "--kind", "sector", "--seed", "ourmansk")
    named = run("roll", "empire", "generate-sector", "name=ourmansk", "seed=ourmansk", "--json").json
    assert run("create", "empire", "--kind", "sector", "--seed", "ourmansk", "--json").json["record"] == (
        named["changes"][0]["after"])
    assert "Kimouque" in grown.out
    assert "Dé de vie" not in grown.out  # what the map shows is not listed again
