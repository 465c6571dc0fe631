"""Every move of every game installed, through the command line, on the examples the game gives."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paravent.game import find_system, to_plain
from paravent.game import system as installed
from paravent.game.telling import Teller

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


def test_a_sector_goes_to_a_spreadsheet_and_comes_back(run: Run) -> None:
    grown = run("create", "empire", "--kind", "sector", "--seed", "ourmansk", "--json").out
    written = run("record", "empire", "-", "--as", "csv", typed=grown)
    table = written.out
    assert "les bêtes" in written.err  # what it cannot hold is said to whoever writes it
    assert run("record", "empire", "-", "--from", "csv", "--as", "csv", typed=table).out == table
    refused = run("record", "empire", "-", "--from", "csv", typed=table.replace("intelligent_life", "champignons", 1))
    assert refused.code != 0
    assert "colonne «\u00a0life\u00a0»\u00a0: «\u00a0champignons\u00a0»" in " ".join(refused.err.split(" "))


def test_sectors_are_streamed_to_a_file_a_line_each_and_taken_up_where_they_were(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "sectors.jsonl"
    sectors = ("create", "empire", "--kind", "sector", "--seed", "marges", "--into", str(file))
    run(*sectors, "--count", "2")
    whole = file.read_bytes()
    file.write_bytes(whole[:-500])
    run(*sectors, "--count", "3")
    assert file.read_bytes().startswith(whole)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["seed"] for line in lines] == ["marges-1", "marges-2", "marges-3"]
    assert lines[2] == run("create", "empire", "--kind", "sector", "--seed", "marges-3", "--json").json


def test_a_sector_grows_from_its_seed_and_is_shown_as_a_map(run: Run) -> None:
    grown = run("create", "empire", "--kind", "sector", "--seed", "ourmansk")
    thrown = run("roll", "empire", "generate-sector", "seed=ourmansk", "--json").json
    made = run("create", "empire", "--kind", "sector", "--seed", "ourmansk", "--json").json["record"]
    assert made == thrown["changes"][0]["after"]
    assert made["name"] not in ("", "ourmansk")  # a map for the players would tell them the seed
    assert "Kimouque" in grown.out
    assert "Dé de vie" not in grown.out  # what the map shows is not listed again


@pytest.mark.parametrize("columns", [80, 46])
def test_a_map_and_a_wide_table_fit_the_window_of_whoever_reads_them_there(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: int
) -> None:
    file = tmp_path / "sector.json"
    file.write_text(run("create", "empire", "--kind", "sector", "--seed", "ourmansk", "--json").out, "utf-8")
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, not a pipe
    monkeypatch.setenv("COLUMNS", str(columns))
    told = {}
    for words in (("record", "empire"), ("empire", "sector"), ("empire", "trade")):
        lines = re.sub(r"\x1b\[[\d;]*m", "", run(*words, str(file)).out).splitlines()
        assert max(len(line.rstrip()) for line in lines) <= columns
        told[words[-1]] = "\n".join(lines)
    assert re.search(r"^ +03 +Ti\w+ +Sn\w+ +· +Co\w+", told["sector"], re.MULTILINE)
    assert "Alentour" not in told["sector"]  # nothing lies there, and a terminal has no buttons
    assert re.search(r"252 lots\W+nourriture\s+Poids 252", told["trade"].replace("\u00a0", " "))


def test_simulacres_says_the_number_to_beat_and_how_a_fight_would_end_in_the_terminal(run: Run) -> None:
    """The steps of the difficulty, the number, then a fight: « Et si… ? » is the game master's alone."""
    lines = ["Meg", "Bob", "Sam", "nour", "bring", "thug", "Meg",
             "move", "open-a-fight", "Nour Valcourt", "Brute", ".", ".", "", ".", "", "throw", "encounters",
             "pass", "Bob", "", "encounters",
             "move", "simple-test", "", "", "", "body", "action", "mechanical", ".", "", "-1", ".", "", "throw",
             "quit"]
    said = run("play", "simulacres", "--seed", "5", typed="\n".join(lines) + "\n")
    assert said.code == 0
    before, _, after = said.out.replace("\u00a0", " ").partition("Passez l'écran à Bob. Bob, appuyez sur Entrée > \n")
    meg, _, bob = after.partition("— Bob —")[2].partition("À qui ? > Bob")
    assert "Et si… ? (pour vous seul)" in before + meg
    assert "Chances exactes." in before + meg
    assert "Et si" not in bob
    assert "−1  Malaisé" in bob, "the seven steps are named where the game master judges"
    assert "10 : il faut 9 ou moins" in bob


def test_what_the_rules_let_nobody_do_now_is_not_offered_at_the_terminal(run: Run) -> None:
    """Outside a school one does not leave it, and nobody breaks free who is not held; the page offers it no more."""
    sits = ["Meg", "Bob", "", "solveig", "pass", "Bob", "", "move", "?", "<", "quit"]
    listed = run("play", "empire", typed="\n".join(sits) + "\n").out.partition("— Bob —")[2]
    assert "Test de compétence" in listed
    for move in ("break-free", "finish-term", "school-year"):
        assert titled(move) not in listed


def titled(move: str) -> str:
    return Teller("fr", find_system("empire")).title(f"moves.{move}")


def test_a_crossed_field_is_drawn_with_what_each_cell_would_bring(run: Run) -> None:
    sits = ["Meg", "Bob, Léa", "", "bastien", "maelis", "pass", "Bob", ""]
    blow = ["move", "single-exchange", *[""] * 8]             # where each blow would land
    test = ["<", "move", "skill-test", "", "34", "", "", "<"]  # how many dice an intention would take
    shown = run("play", "empire", typed="\n".join([*sits, *blow, *test, "quit"]) + "\n").out.replace("\u00a0", " ")
    assert re.search(r"\n +vague +normal +précis *\n +haut +épaule, 3 dés, 84 % +tête, 4 dés", shown)
    assert re.search(r"\n +facile +moyenne +difficile *\n +vague +1 dé +2 dés +3 dés", shown)
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(("said", "words"), [
    ("« Élément (element) » : 5 est hors limites (0 … 3).", ("odds", "solaires", "action", "element=5")),
    ("« x » n'est pas connu comme valeur", ("odds", "solaires", "action", "attitude=x")),
    ("(attitude) » n'a rien à dire ici", ("odds", "solaires", "action", "attitude=stable", "--option", "edition=v5")),
    ("(attitude) » n'a rien à dire ici", ("roll", "solaires", "action", "attitude=stable", "--option", "edition=v5")),
])
def test_what_is_wrong_or_moot_is_refused_also_after_what_runs_by_itself(
    refused: Callable[..., str], said: str, words: tuple[str, ...]
) -> None:
    assert said in refused(*words)
