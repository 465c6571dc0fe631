"""What `pip install` carries: every file of the package, its licence and its notices, without asking the network."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    place = tmp_path_factory.mktemp("wheel")
    run = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", place, ROOT],
        capture_output=True, text=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    assert run.returncode == 0, run.stderr
    (built,) = place.glob("*.whl")
    return zipfile.ZipFile(built)


@pytest.mark.needs("build")
def test_the_wheel_carries_every_file_of_the_package(wheel: zipfile.ZipFile) -> None:
    ours = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "paravent").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours - set(wheel.namelist()) == set()


@pytest.mark.needs("build")
def test_the_wheel_carries_licence_notice_and_nothing_of_the_tests(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"paravent"}
