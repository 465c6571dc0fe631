"""Evenings that a robot plays through the pages (:mod:`robot`): nobody gets stuck, nothing raw is read, nothing leaks.

The usual run plays a sample: some acts of one evening of each game, and of the smallest every move.
``PARAVENT_ROBOT="40 500"`` plays forty evenings of up to five hundred acts of each, as ``make soak`` does, and then
every move of every game must have been reached.
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

SMALL = {"fanal": 40, "conteur": 90, "solaires": 90}
"""Games whose moves an evening of so many acts comes to, nearly all: every run sees each reached."""
UNREACHED: dict[str, dict[str, str]] = {
    "solaires": dict.fromkeys(("end-scene", "end-episode"), "a page closes them by the passing of time, once for all"),
}
"""Moves that no evening comes to, and why."""
LEADS = {"finish-errand": ("write-rumour", "tell-rumour"), "end-a-bonus": ("simple-test",)}
"""What brings about the circumstances of a move that chance seldom comes to."""
SOUGHT = 30
"""The acts within which a move that is sought, with what leads to it, is reached."""
PLAYED: dict[str, tuple[dict[str, str], ...]] = {
    "empire": ({}, {"ruleset": "quick"}),
    "solaires": ({}, {"edition": "v5", "is_series": "true"}),
    "simulacres": ({}, {"ruleset": "campaign", "warrior_way": "on", "shield": "on"}, {"ruleset": "base_with_pa"}),
}
"""Options under which evenings are played in turn; a game that is not here plays as a new table does."""


def told(found: Counter[Finding]) -> str:
    return "\n".join(f"{times}× {finding}" for finding, times in sorted(found.items(), key=str))


@pytest.mark.parametrize("game", games())
def test_an_evening_is_played_through_the_pages_and_nobody_stumbles(game: str) -> None:
    found: Counter[Finding] = Counter()
    started: set[str] = set()
    ended: set[str] = set()
    moves: frozenset[str] = frozenset()
    ways = PLAYED.get(game, ({},))
    for seed in range(1, EVENINGS + 1):
        report = spend(game, seed, max(ACTS, SMALL.get(game, 0)), options=ways[(seed - 1) % len(ways)])
        print(report)
        found += report.found
        started |= set(report.started)
        ended |= set(report.ended)
        moves = report.moves
    if WHOLE or game in SMALL:
        left = sorted(moves - ended - set(UNREACHED.get(game, {})))
        for move, way in ((move, way) for move in left for way in ways):
            if move not in ended:
                sought = spend(game, 1, SOUGHT, options=way, only=(move, *LEADS.get(move, ())), sought=move)
                print(sought)
                found += sought.found
                ended |= set(sought.ended)
    stumbles = Counter({one: times for one, times in found.items() if one.kind in STUMBLES})
    assert not stumbles, told(stumbles)
    assert len(started) >= min(ACTS, len(moves)) // 3
    if WHOLE or game in SMALL:
        assert not sorted(moves - ended - set(UNREACHED.get(game, {}))), "never brought to an end"


@pytest.mark.parametrize(("move", "way"), [
    ("warriors-exchange", 1), ("raise-a-talent", 1), ("award-and-spend-pa", 2), ("end-a-bonus", 0),
])
def test_what_an_evening_of_simulacres_seldom_comes_to_is_begun_and_ended_by_whoever_seeks_it(
    move: str, way: int
) -> None:
    """Its option is on, or what leads to it is done first."""
    report = spend("simulacres", 1, SOUGHT, options=PLAYED["simulacres"][way], only=(move, *LEADS.get(move, ())),
                   sought=move)
    assert report.ended[move], report
    assert not [one for one in report.found if one.kind in STUMBLES], report


@pytest.mark.parametrize(("seed", "acts", "moves", "way"), [
    (1, 8, ("open-a-fight", "exchange"), 0), (5, 4, ("warriors-exchange",), 1),
])
def test_a_fight_with_somebody_hidden_is_fought_to_its_end_and_keeps_nobody_waiting(
    seed: int, acts: int, moves: tuple[str, ...], way: int
) -> None:
    report = spend("simulacres", seed, acts, only=moves, options=PLAYED["simulacres"][way])
    assert report.veiled == set(moves), report
    assert not [one for one in report.found if one.kind in STUMBLES], report


def without(action: str, holding: str = "") -> Callable[[str], str]:
    """Pages on which the forms of one kind of step are missing: all, or those that hold something."""
    form = re.compile(rf'<form[^>]*action="[^"]*/do/{action}"(?:(?!</form>).)*?{holding}.*?</form>', re.DOTALL)
    return lambda html: form.sub("", html)


def unpressed(marked: str) -> Callable[[str], str]:
    """Pages on which buttons, or links that look like one, are missing."""
    pressed = re.compile(rf'<(button|a)\b[^>]*{marked}[^>]*>.*?</\1>', re.DOTALL)
    return lambda html: pressed.sub("", html)


def unsealed(html: str) -> str:
    """Pages on which nothing seals."""
    return re.sub(r"<form[^>]*data-seals.*?</form>", "", unpressed(r'form="fill-\d+-\w+-s"')(html), flags=re.DOTALL)


AGREES = 'name="answer" value="&#34;(?:agree|refuse)'
STEPS: dict[str, tuple[str, tuple[str, ...], Callable[[str], str], dict[str, object]]] = {
    "fill": ("conteur", ("throw",), without("fill"), {"trust": "meneur"}),
    "say": ("conteur", ("throw",), unpressed(r'form="fill-\d+-\w+"'), {}),
    "seal": ("simulacres", ("open-a-fight", "exchange"), unsealed, {}),
    "sheet": ("conteur", ("create-character",), unpressed('href="[^"]*/write/'), {}),
    "judge": ("simulacres", ("simple-test",), unpressed('name="f:'), {}),
    "throw": ("fanal", ("signal",), without("throw"), {"trust": "meneur"}),
    "faces": ("conteur", ("throw",), without("faces"), {"real_dice": 1.0}),
    "answer": ("solaires", ("ask-the-gm", "spend-points"), without("answer"), {"trust": "meneur"}),
    "window": ("conteur", ("create-character",), without("answer", AGREES), {}),
    "accept": ("conteur", ("throw", "start-complex-action"), without("accept"), {"trust": "meneur"}),
}
"""The kinds of steps, where each is played, and pages that lack what carries it."""


@pytest.mark.parametrize("step", STEPS)
def test_the_robot_complains_when_the_controls_of_a_step_are_missing(step: str) -> None:
    game, moves, censored, how = STEPS[step]
    evenings = (spend(game, seed, 6, censored=censored, only=moves, **how) for seed in range(3, 7))
    assert any(one.kind == "dead stop" for report in evenings for one in report.found)
