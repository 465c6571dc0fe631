"""What the repository holds, and what it must not."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Written in two halves, so that this file passes its own test.
REGISTRY_HOSTS = ["pypi." + "org", "python" + "hosted.org", "deb." + "debian.org", "npm" + "js.org", "npm" + "js.com"]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def systems() -> list[str]:
    declared = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["entry-points"]["paravent.systems"]
    folders = (ROOT / "src" / "paravent" / "systems").glob("*/")
    return sorted({*declared, *(folder.name for folder in folders if not folder.name.startswith("_"))})


@pytest.mark.needs("git")
def test_no_file_names_a_package_registry() -> None:
    found = [(str(path), host) for path in tracked() for host in REGISTRY_HOSTS if host in text_of(path)]
    assert found == []


@pytest.mark.needs("git")
def test_nothing_made_by_a_tool_is_committed() -> None:
    made = re.compile(r"(^|/)(__pycache__|\.venv|site|\.mypy_cache|\.ruff_cache|\.pytest_cache)/")
    assert [str(path) for path in tracked() if made.search(str(path.relative_to(ROOT)))] == []


def test_the_source_marks_nothing_as_unfinished() -> None:
    unfinished = re.compile(r"\b(TODO|FIXME|XXX)\b")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "src").rglob("*"))
        if path.suffix in {".py", ".toml", ".html", ".css", ".js"}
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if unfinished.search(line)
    ]
    assert found == []


def test_the_licence_is_mit_and_the_package_carries_licence_and_notice() -> None:
    assert text_of(ROOT / "LICENSE").startswith("MIT License")
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    assert project["license"] == "MIT"
    assert set(project["license-files"]) == {"LICENSE", "NOTICE"}


@pytest.mark.parametrize("system", systems())
def test_the_notice_names_every_system_with_its_author_and_terms(system: str) -> None:
    notice = text_of(ROOT / "NOTICE")
    heading = re.search(rf"^.+ \({system}\)\n-+\n(?P<body>(?:.+\n)+)", notice, re.MULTILINE)
    assert heading is not None, f"NOTICE has no section for {system}"
    assert re.search(r"^Authors?: ", heading["body"], re.MULTILINE)
    assert re.search(r"^Terms: ", heading["body"], re.MULTILINE)


def test_the_notice_says_that_we_are_not_affiliated() -> None:
    assert "not affiliated" in text_of(ROOT / "NOTICE")


def test_constraints_are_plain_names_and_versions() -> None:
    lines = [line for line in text_of(ROOT / "constraints.txt").splitlines() if not line.startswith("#")]
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.+!]+", line)] == []
