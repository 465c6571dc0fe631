"""What `pip install` carries: every file of the package, its licence and its notices, without asking the network."""

import os
import re
import subprocess
import sys
import zipfile
from email import message_from_bytes
from email.message import Message
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


# What a package index shows

HOME = "https://example.org/ours"
WAYS_OUT = re.compile(r'\]\(([^)\s]+)\)|src="([^"]+)"')


def ways_out(text: str) -> set[str]:
    """Where the links and pictures of a page lead, code left aside."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {found[1] or found[2] for found in WAYS_OUT.finditer(prose)}


def metadata_of(place: Path, home: str) -> Message:
    """The metadata of a wheel built with a home address."""
    call = "import sys; from hatchling.build import prepare_metadata_for_build_wheel as made; print(made(sys.argv[1]))"
    run = subprocess.run([sys.executable, "-c", call, place], cwd=ROOT, capture_output=True, text=True,
                         env={**os.environ, "PARAVENT_HOME_URL": home})
    assert run.returncode == 0, run.stderr
    return message_from_bytes((place / run.stdout.strip() / "METADATA").read_bytes())


@pytest.mark.needs("build")
def test_without_a_home_the_long_description_has_no_link_that_leads_nowhere(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    told = message_from_bytes(wheel.read(name))
    text = told.get_payload(decode=True).decode()
    assert (told["Description-Content-Type"], told.get_all("Project-URL")) == ("text/markdown", None)
    assert {way for way in ways_out(text) if "://" not in way} == set()
    assert "<img" not in text
    assert "la table web" in text  # the words stay
    assert "Typing :: Typed" in told.get_all("Classifier", [])


@pytest.mark.needs("build")
def test_with_a_home_every_link_and_picture_leads_to_a_file_of_ours_there(tmp_path: Path) -> None:
    told = metadata_of(tmp_path, f"{HOME}/")
    text = told.get_payload(decode=True).decode()
    ours = {way.removeprefix(HOME) for way in ways_out(text) if way.startswith(HOME)}
    assert len(ours) > 15
    assert {way for way in ways_out(text) if "://" not in way} == set()
    for way in ours:
        kind, path = re.fullmatch(r"/(blob|raw)/HEAD/(.+)", way).groups()
        assert (ROOT / path).is_file(), way
        assert (kind == "raw") == (Path(path).suffix in (".png", ".svg")), way
    links = dict(link.split(", ") for link in told.get_all("Project-URL"))
    assert links["Homepage"] == HOME
    assert set(links) == {"Homepage", "Documentation", "Changelog", "Security"}


@pytest.mark.needs("build")
def test_a_home_that_is_no_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="PARAVENT_HOME_URL is no address: chez nous"):
        metadata_of(tmp_path, "chez nous")
