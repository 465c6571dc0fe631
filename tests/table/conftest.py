"""The tests of this folder share modules: ``scene``, a table played by names, and ``veil``, a game full of secrets."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from evening import Evening


@pytest.fixture
def evening() -> Evening:
    return Evening()
