"""Importing Paravent is light: nothing heavy comes along until it is used."""

import re
import subprocess
import sys

import pytest

HEAVY = {"numpy", "typer", "rich", "click"}


@pytest.mark.parametrize("module", ["paravent", "paravent.dice", "paravent.game"])
def test_import_brings_neither_numbers_nor_terminal_libraries(module: str) -> None:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", f"import {module}"], capture_output=True, text=True, check=True
    )
    imported = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines() if re.match(r"import time:", line)}
    assert module in imported
    assert {name.partition(".")[0] for name in imported} & HEAVY == set()
