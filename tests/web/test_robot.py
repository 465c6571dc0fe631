"""Evenings that a robot plays through the pages (:mod:`robot`): nobody gets stuck, nothing raw is read, nothing leaks.

The usual run plays a sample: some acts of one evening of each game. ``PARAVENT_ROBOT="40 500"`` plays forty evenings of
up to five hundred acts, as ``make soak`` does, and then every move must have been reached.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from robot import STUMBLES, Finding, games, spend

SAMPLE = (1, 24)
EVENINGS, ACTS = map(int, os.environ.get("PARAVENT_ROBOT", "{} {}".format(*SAMPLE)).split())
WHOLE = (EVENINGS, ACTS) > SAMPLE

OPTION = "a move of an option that a new table does not play"
UNREACHED: dict[str, dict[str, str]] = {
    "empire": {"quick-character": OPTION, "quick-action": OPTION, "full-character": OPTION},
    "simulacres": {"warriors-exchange": OPTION, "award-and-spend-pa": OPTION},
    "solaires": {"group-action": OPTION, "end-episode": OPTION},
}
"""Moves that no evening comes to, and why."""


def told(found: Counter[Finding]) -> str:
    return "\n".join(f"{times}× {finding}" for finding, times in sorted(found.items(), key=str))


@pytest.mark.parametrize("game", games())
def test_an_evening_is_played_through_the_pages_and_nobody_stumbles(game: str) -> None:
    found: Counter[Finding] = Counter()
    started: set[str] = set()
    moves: frozenset[str] = frozenset()
    for seed in range(1, EVENINGS + 1):
        report = spend(game, seed, ACTS)
        print(report)
        found += report.found
        started |= set(report.started)
        moves = report.moves
    stumbles = Counter({one: times for one, times in found.items() if one.kind in STUMBLES})
    assert not stumbles, told(stumbles)
    assert len(started) >= min(ACTS, len(moves)) // 3
    if WHOLE:
        assert not sorted(moves - started - set(UNREACHED.get(game, {}))), "never reached"


def without(action: str) -> Callable[[str], str]:
    """Pages on which the forms of one kind of step are missing."""
    form = re.compile(rf'<form[^>]*action="[^"]*/do/{action}".*?</form>', re.DOTALL)
    return lambda html: form.sub("", html)


@pytest.mark.parametrize(("action", "game", "moves"), [
    ("fill", "conteur", ("throw",)),
    ("throw", "fanal", ("signal",)),
    ("answer", "solaires", ("ask-the-gm", "spend-points")),
    ("accept", "conteur", ("throw", "start-complex-action")),
])
def test_the_robot_complains_when_the_controls_of_a_step_are_missing(action: str, game: str, moves: list[str]) -> None:
    report = spend(game, 3, 6, censored=without(action), only=moves, trust="meneur")
    assert [one for one in report.found if one.kind == "dead stop"], report
