"""A stranger's game: one package of its own, installed without a network, and nothing edited elsewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAME = ROOT / "examples" / "fanal"
EXCERPT = re.compile(r"^<!-- (?P<file>examples/\S+) -->\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.needs("build")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game is installed, and only there."""
    place = tmp_path_factory.mktemp("stranger")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    run = subprocess.run([*pip, "--no-build-isolation", "--target", place, GAME], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return place


def python(home: Path, *args: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(home), str(ROOT / "src")])
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("PARAVENT_LANG", "PARAVENT_WATCH_RULES", "PYTEST_ADDOPTS"):
        env.pop(name, None)
    command = [sys.executable, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env, encoding="utf-8")


def paravent(home: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return python(home, "-m", "paravent", *args)


def said(home: Path, *args: object) -> dict[str, object]:
    run = paravent(home, *args, "--json")
    assert run.returncode == 0, run.stderr
    facts: dict[str, object] = json.loads(run.stdout)
    return facts


def test_it_is_listed_among_the_games(home: Path) -> None:
    assert "fanal" in [row["id"] for row in said(home, "systems")["systems"]]  # type: ignore[index,union-attr]
    assert "Fanal" in paravent(home, "systems").stdout


def test_its_odds_are_exact(home: Path) -> None:
    assert said(home, "odds", "fanal", "signal", "craft=3", "fog=7")["success"] == {
        "chance": "327/512", "probability": 327 / 512,
    }


def test_a_whole_night_is_foretold(home: Path) -> None:
    run = paravent(home, "odds", "fanal", "watch", "craft=3", "--encounter", '{"fog": 6, "shoals": 3}')
    assert run.returncode == 0, run.stderr
    assert "98,4" in run.stdout


def test_it_rolls_a_worked_example_and_explains_it(home: Path) -> None:
    rolled = said(home, "roll", "fanal", "signal", "craft=3", "fog=7", "--dice", "2,6,4")
    assert rolled["outcome"] == "unseen"
    shown = paravent(home, "--lang", "en", "roll", "fanal", "signal", "craft=3", "fog=7", "--dice", "2,6,4").stdout
    assert "FAN-003" in shown
    assert "Lost in the fog" in shown


def test_a_seed_gives_the_same_keeper_again(home: Path) -> None:
    keepers = [said(home, "create", "fanal", "--seed", 3)["record"] for _ in range(2)]
    assert keepers[0] == keepers[1]


@pytest.mark.parametrize("command", [
    ["moves", "fanal"], ["rules", "fanal", "FAN-003"], ["tables", "fanal", "fogs"], ["options", "fanal"],
    ["advice", "fanal"],
])
def test_the_rest_of_the_command_line_comes_for_free(home: Path, command: list[str]) -> None:
    run = paravent(home, *command)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


@pytest.mark.parametrize(("command", "near"), [
    (["roll", "fanal", "signl"], "signal"), (["roll", "fanal", "signal", "crft=3"], "craft"),
    (["odds", "fanall", "signal"], "fanal"), (["roll", "fanal", "signal", "craft=lmp"], "lamp"),
])
def test_a_wrong_name_is_one_sentence_with_the_nearest(home: Path, command: list[str], near: str) -> None:
    run = paravent(home, *command)
    assert run.returncode == 2
    assert near in run.stderr + run.stdout
    assert "Traceback" not in run.stderr


def test_it_passes_the_common_suite(home: Path) -> None:
    run = python(home, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "paravent.testing.test_conformance",
                 "-k", "fanal", cwd=home)
    assert run.returncode == 0, run.stdout
    assert "passed" in run.stdout


def test_it_is_complete_by_its_own_tests(home: Path) -> None:
    run = python(home, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=GAME)
    assert run.returncode == 0, run.stdout
    assert "FAN 12/12 rules, 8/8 vectors, 6/6 odds, 9/9 rows, 4/4 options" in run.stdout


def test_nothing_in_the_house_speaks_of_it() -> None:
    ours = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".toml", ".html", ".css", ".js")]
    assert [path for path in ours if "fanal" in path.read_text(encoding="utf-8").lower()] == []


@pytest.mark.parametrize("page", ["adding-a-game.md", "adding-a-game.en.md"])
def test_what_the_page_shows_is_what_the_files_say(page: str) -> None:
    found = list(EXCERPT.finditer((ROOT / "docs" / page).read_text(encoding="utf-8")))
    assert found
    for excerpt in found:
        file = (ROOT / excerpt["file"]).read_text(encoding="utf-8")
        for part in re.split(r"\n{3,}", excerpt["text"].strip("\n")):
            assert part in file, f"{excerpt['file']} no longer says:\n{part}"
