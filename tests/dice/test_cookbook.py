"""Thirty questions of the cookbook: each answer is icepool's, exactly."""

import importlib.util
from fractions import Fraction
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "cookbook.py"
spec = importlib.util.spec_from_file_location("cookbook_of_the_bench", BENCH)
cookbook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cookbook)
OURS = cookbook.ours()


def test_there_are_thirty_and_each_has_its_peer():
    assert len(OURS) == 30
    assert OURS.keys() == cookbook.THEIRS.keys()


@pytest.mark.parametrize("name", cookbook.THEIRS)
def test_the_answer_is_icepool_s(name):
    other = cookbook.THEIRS[name]()
    total = sum(other.quantities())
    expected = {result: Fraction(ways, total) for result, ways in other.items()}
    assert dict(OURS[name][0]()) == expected
