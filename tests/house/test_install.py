"""The first minute on a new machine: what is said when something is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a fresh clone as the installer reads."""
    for name in ("pyproject.toml", "constraints.txt", "Makefile", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    return tmp_path


def install(clone: Path, *extras: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "tools/install.sh", *extras], cwd=clone, capture_output=True, text=True,
        env={**os.environ, "PYTHON": sys.executable, **environment},
    )


def test_without_a_network_both_languages_say_which_packages_are_missing(clone: Path, tmp_path: Path) -> None:
    nowhere = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    run = install(clone, "dev", **nowhere)
    assert run.returncode != 0
    french, english = run.stderr.splitlines()[-2:]
    assert french.startswith("Il manque ")
    assert english.startswith("Missing: ")
    for package in ("hatchling", "typer", "rich", "pytest", "mypy", "mkdocs", "numpy"):
        assert package in french
        assert package in english
    assert "réseau une fois" in french
    assert "network is needed once" in english


def test_an_old_python_is_refused_in_both_languages(clone: Path, tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    run = install(clone, PYTHON=str(old))
    assert run.returncode != 0
    assert "demande Python 3.11" in run.stderr
    assert "needs Python 3.11" in run.stderr
    assert not (clone / ".venv").exists()


def make(place: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    """Make as a person calls it, even when these tests were started by make."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *targets], cwd=place, capture_output=True, text=True, check=True, env=own)


@pytest.mark.needs("make")
def test_a_second_run_installs_nothing(clone: Path) -> None:
    installed = clone / ".venv"
    (installed / "bin").mkdir(parents=True)
    command = installed / "bin" / "paravent"
    command.write_text('#!/bin/sh\necho "paravent $*"\n', encoding="utf-8")
    command.chmod(0o755)
    (installed / ".play").touch()
    run = make(clone, "play")
    assert run.stdout.split() == ["paravent", "serve"]
    assert run.stderr == ""


@pytest.mark.needs("make")
def test_make_alone_lists_what_can_be_asked_for() -> None:
    run = make(ROOT)
    for target in ("play", "test", "bench", "docs", "lint", "soak", "clean"):
        assert f"make {target} " in run.stdout
