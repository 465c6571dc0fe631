"""A run says what it left out, and may be told to leave nothing out."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of three tests; the machine that runs it has no programs at all."""
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_three.py").write_text(
        "import pytest\n\n"
        "@pytest.mark.needs('chromium')\ndef test_that_opens_a_page():\n    pass\n\n"
        "@pytest.mark.evening\ndef test_that_takes_an_evening():\n    pass\n\n"
        "def test_that_needs_nothing():\n    pass\n",
        encoding="utf-8",
    )
    return tmp_path


def run(suite: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = ["-p", "no:cacheprovider", "-p", "no:paravent.testing.report"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plain, str(suite)],
        cwd=suite, capture_output=True, text=True,
        env={**os.environ, "PATH": "", "PARAVENT_TEST_ALL": "", "PYTEST_ADDOPTS": "", **environment},
    )


def test_a_missing_part_leaves_its_tests_out_and_the_end_says_why(suite: Path) -> None:
    shown = run(suite)
    assert shown.returncode == 0
    told = shown.stdout.partition("Laissé de côté / left out")[2]
    assert "this machine lacks a browser (apt: chromium): 1" in told
    assert "test_that_opens_a_page" in told
    assert "test_that_takes_an_evening" in told
    assert shown.stdout.splitlines()[-1].startswith("1 passed, 2 skipped")


def test_where_nothing_may_be_left_out_a_missing_part_fails(suite: Path) -> None:
    shown = run(suite, PARAVENT_TEST_ALL="1")
    assert shown.returncode == 1
    assert "nothing may be left out here, and this machine lacks a browser" in shown.stdout
    assert shown.stdout.splitlines()[-1].startswith("2 passed, 1 error")


def test_a_game_that_is_not_installed_is_named_rather_than_stumbled_over(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["paravent.testing.report"]\n', encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nparavent_systems = nowhere\n", encoding="utf-8")
    (tmp_path / "test_one.py").write_text(
        "import pytest\n\n@pytest.mark.rules('NOW-001')\ndef test_one():\n    pass\n", encoding="utf-8")
    shown = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTEST_ADDOPTS": ""})
    assert "nowhere" in shown.stderr
    assert "module:SYSTEM" in shown.stderr
    assert "Traceback" not in shown.stdout + shown.stderr
    assert "INTERNALERROR" not in shown.stdout + shown.stderr


def test_the_whole_check_plays_evenings_that_nobody_chose_and_says_which(tmp_path: Path) -> None:
    for name, does in {"dpkg-query": "echo install ok installed", "make": 'echo "with $PARAVENT_SEEDS"'}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)

    def checked(**environment: str) -> str:
        shown = subprocess.run(
            [CONFTEST.parents[1] / ".ci" / "run"], capture_output=True, text=True, check=True,
            env={**os.environ, "PARAVENT_SEEDS": "", "PATH": f"{tmp_path}:{os.environ['PATH']}", **environment})
        return shown.stdout

    shown = checked()
    found = re.search(r'PARAVENT_SEEDS="(\d+ \d+)"', shown)
    assert found is not None
    assert f"with {found[1]}\n" in shown
    assert found[0] in checked()  # of the same code, the same
    assert "with 7\n" in checked(PARAVENT_SEEDS="7")
