"""What ``docs/games/<game>.md`` shows is what the command line prints; it names every move, and whose game it is.

``PARAVENT_WRITE_DOCS=1 pytest tests/systems/test_pages.py`` writes the outputs of the pages anew.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from paravent.cli import main
from paravent.game import find_system, system_names

PAGES = Path(__file__).parents[2] / "docs" / "games"
GAMES = pytest.mark.parametrize("game", system_names())
TRY = {
    "conteur": "throw attribute=5 dice=3",
    "empire": "skill-test characteristic=8",
    "simulacres": "simple-test value=8",
    "solaires": "action element=3",
}
"""A move of each game, and numbers enough to throw it."""


def letters(text: str) -> str:
    """A text without its layout: blanks of any kind, and the marks of a quotation."""
    return "".join(text.replace("\n>", "\n").split())


@GAMES
def test_every_example_of_the_page_is_what_is_printed(game: str, as_printed: Callable[[Path], None]) -> None:
    as_printed(PAGES / f"{game}.md")


@GAMES
def test_every_move_has_its_place_on_the_page(game: str) -> None:
    page = (PAGES / f"{game}.md").read_text("utf-8")
    shown = set(re.findall(rf"`([a-z-]+)`|paravent (?:roll|odds) {game} ([a-z-]+)", page))
    assert set(find_system(game).moves) - {name for names in shown for name in names} == set()


@GAMES
def test_the_page_says_in_both_languages_whose_game_it_is(game: str) -> None:
    page = letters((PAGES / f"{game}.md").read_text("utf-8"))
    assert [lang for lang, notice in find_system(game).notice.items() if letters(notice) not in page] == []


@GAMES
def test_the_notice_stands_wherever_the_game_is_shown(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    system = find_system(game)
    ready = next(iter(system.kinds["character"].ready("fr")))
    asked = (
        f"moves {game}", f"rules {game}", f"tables {game}", f"options {game}", f"advice {game}", f"create {game}",
        f"rules {game} {next(iter(system.book.rules))}", f"tables {game} {next(iter(system.tables))}",
        f"create {game} --list", f"create {game} --ready {ready}",
        f"roll {game} {TRY[game]}", f"odds {game} {TRY[game]}",
    )
    for command in asked:
        assert main(command.split()) == 0, command
        assert letters(system.notice["fr"]) in letters(capsys.readouterr().out), command
