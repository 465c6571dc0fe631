"""A character written at the terminal: the steps that its game declares, their signs, and nothing wrong let through."""

import json
from pathlib import Path

import pytest

from paravent.game import find_system
from paravent.game import system as installed

from .conftest import REALLY_FOUND, Run

WHOLE = ["keen", "watchful", "town", "Médecin", "", "Escalade", "Discrétion", "", "Échecs", "Danse", "", ".",
         "Léa Sauret", ".", "keep"]
"""The five steps of Simulacres, an idea at each of those that have some."""


@pytest.fixture(autouse=True)
def _games_installed(_toy_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "_found", REALLY_FOUND)


def wrote(run: Run, *lines: str, words: tuple[str, ...] = ("create", "simulacres", "--write"), code: int = 0) -> str:
    said = run(*words, typed="\n".join(lines) + "\n")
    assert said.code == code, said
    return said.out.replace("\u00a0", " ")


def test_five_steps_say_what_is_left_and_show_the_signs_of_the_game(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "lea.json"
    shown = wrote(run, *WHOLE, words=("create", "simulacres", "--write", "--into", str(kept)))
    for at, step in enumerate(("Composantes", "Moyens", "Règnes", "Savoirs", "Relire"), start=1):
        assert f"Étape {at} sur 5 : {step}" in shown
    assert "Composantes à placer : 6 sur 18" in shown
    assert "Composantes à placer : tout est placé (18)" in shown
    assert "Conforme aux règles" in shown
    for word in ("♥ Cœur", "⌕ Perception", "⚙ Mécanique", "» Rapidité"):
        assert word in shown
    sheet = json.loads(kept.read_text("utf-8"))["record"]
    assert (sheet["name"], sheet["instincts"], sheet["perception"]) == ("Léa Sauret", 6, 4)
    assert [one["name"] for one in sheet["talents"]] == ["Escalade", "Discrétion"]
    told = run("record", "simulacres", str(kept))
    assert told.code == 0
    assert "Léa Sauret" in told.out


def test_what_is_wrong_is_said_with_its_step_and_mended_there(run: Run) -> None:
    """A number out of bounds is refused at once; a sum that does not come out keeps the sheet back until it does."""
    shown = wrote(run, "own", "9", "6", "6", "6", "3", *WHOLE[1:-1],  # three too many
                  "1", "own", "3", "", "", "", "keep")
    assert "9 est hors limites (3 … 6)" in shown
    assert "Composantes à placer : 3 de trop" in shown
    assert "Composantes : les Composantes totalisent 21, il faut 18" in shown
    before, _, after = shown.rpartition("Reprendre : Composantes")
    assert "C'est fait" in before[-40:]
    assert "C'est fait" not in shown[:shown.index("Reprendre : Composantes")]
    assert "Léa Sauret" in after


def test_a_step_back_and_giving_up_leave_nothing(run: Run) -> None:
    shown = wrote(run, "keen", "<", "solid", *WHOLE[1:-1], "up", code=1)
    assert shown.count("Étape 1 sur 5") == 2
    assert wrote(run, "<", code=1).count("Étape") == 1
    assert "--write" in run("create", "simulacres", "--write", "--json", typed="").err


def test_whoever_plays_may_write_their_character_and_choose_by_signs(run: Run) -> None:
    shown = wrote(run, "Meg", "Bob", "", "write-character", *WHOLE, "pass", "Bob", "", "move", "simple-test", "", "",
                  "cœur", "perception", "humain", "<", "left", "quit", words=("play", "simulacres"))
    assert "Léa Sauret prend place" in shown
    chosen = shown[shown.index("prend place"):]
    for row in ("♟ Corps 4", "◉ Instincts 6", "⌕ Perception 4"):
        assert row in " ".join(chosen.split())


@pytest.mark.parametrize("game", ["solaires", "empire"])
def test_a_game_without_steps_is_written_in_one(run: Run, game: str) -> None:
    shown = wrote(run, "<", words=("create", game, "--write"), code=1)
    assert "Étape 1 sur 1" in shown
    assert not find_system(game).kinds["character"].stages
