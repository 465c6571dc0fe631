"""The figures that ``make lint`` prints count what they say, and what may not rise does not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WRITTEN = '''"""Two lines of a docstring:
kept["no"]."""
from typing import Any, cast

# a comment: kept["no"]


def read(kept: dict[str, object], named: Any) -> Any:
    """Nothing is counted here: Any."""
    kept["one"] = kept.get("two", named.get(3))  # type: ignore[index]
    return cast(str, kept["four"])
'''


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """The script over a house of one room, with one file."""
    room = tmp_path / "src" / "paravent" / "table"
    room.mkdir(parents=True)
    (room / "records.py").write_text(WRITTEN)
    (tmp_path / "tools").mkdir()
    script = tmp_path / "tools" / "figures.py"
    script.write_text((ROOT / "tools" / "figures.py").read_text("utf-8"))
    return script


def run(script: Path, *asked: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, script, *asked], capture_output=True, text=True, check=False)


def test_what_is_said_of_a_file_is_what_stands_in_it(tool: Path) -> None:
    said = run(tool)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("string keys 3 (goal 150), Any 500 (goal 12)")  # 2 of them, in 4 lines of code
    assert said.stdout.rstrip().endswith("cast 1, object mappings 1, type: ignore 1")


def test_what_rises_above_its_ceiling_fails_and_is_named(tool: Path, tmp_path: Path) -> None:
    ceilings = tmp_path / "ceilings.json"
    ceilings.write_text(json.dumps({"cast": 1, "type: ignore": 0}))
    said = run(tool, "--check", str(ceilings))
    assert said.returncode == 1
    assert said.stderr == "type: ignore: 1, and 0 is the most\n"


def test_casts_object_mappings_and_ignored_types_have_not_risen() -> None:
    said = run(ROOT / "tools" / "figures.py", "--check", str(ROOT / "tools" / "ceilings.json"))
    assert said.returncode == 0, said.stderr
