"""Measure our kernel beside icepool, dyce, d20 and hand-written numpy, all in one run: ``python -m bench``.

*First* is a first call: every cache of the library emptied before it. The other two are asked on other inputs once
the code is warm, and differ in what ours has at hand. *Anew*: nothing, answers and what throws give are forgotten
before each question. *Warm*: what throws give (the sums of three dice), as from one question to the next at a table,
but no answer of a rule, nor of the rules within it. The peers keep what they keep in both: icepool the sums of each
die and the results of its evaluators; dyce nothing, but what whoever writes has put by under a name, as two dice are
in ours. The goal is taken of *warm*, which is how people ask; *anew* is printed with it.

Times are the best of a few tries for each input, then the mean over inputs, in time of the processor: on an idle
machine that is the clock's, and on a busy one waiting for a turn does not count. Every answer is compared with ours
before anything is timed.
"""

from __future__ import annotations

import functools
import gc
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

from paravent.dice import Chain, LiveDice, Odds, best, chain, forget_odds, odds, play
from paravent.dice.kept import _kept
from paravent.dice.ways import of_sum

from . import rules
from .peers import PLAYED, dyce_, icepool_, numpy_

RESULTS = Path(__file__).parent / "results" / "latest.json"
PEERS = {"icepool": icepool_, "dyce": dyce_, "numpy": numpy_}
RUNS = 1_000_000


@dataclass
class Question:
    """One thing asked of everybody, on several inputs."""

    name: str
    ours: Callable[..., Any]
    asked: str
    inputs: Sequence[tuple[Any, ...]]
    peers: tuple[str, ...] = ("icepool", "dyce", "numpy")
    tries: int = 9
    first: dict[str, float] = field(default_factory=dict)
    anew: dict[str, float] = field(default_factory=dict)
    warm: dict[str, float] = field(default_factory=dict)

    def asker(self, who: str) -> Callable[..., Any]:
        return self.ours if who == "ours" else getattr(PEERS[who], self.asked)


def _fight(start: rules.Fight, *args: int) -> Odds[rules.Fight]:
    return chain(rules.fight_step, start, *args, over=rules.fight_over).ends


def questions() -> list[Question]:
    attempts = [
        (rules.Attempt(n, 3 * n + more, weapon), rules.Attempt(m, 4 * m - 1, 3 - weapon))
        for n in range(1, 6) for m in range(1, 6) for more, weapon in ((1, n % 4), (2, m % 4))
    ]
    pairs = [(value, other) for value in range(6, 12) for other in range(6, 12)]
    everybody = ("icepool", "dyce", "numpy")
    return [
        Question("Solaires: kept dice, every score", lambda n: [odds(rules.kept_dice, s, n) for s in range(1, 6)],
                 "kept", [(n,) for n in (3, 2, 4, 5, 6, 7, 8, 9, 10)]),
        Question("Simulacres: check with margins and bonus", lambda *a: odds(rules.check, *a),
                 "check", [(value, bonus) for value in range(4, 13) for bonus in range(4)]),
        Question("Simulacres: duel", lambda *a: odds(rules.duel, *a),
                 "duel", [(*pair, at % 3, at % 2) for at, pair in enumerate(pairs)]),
        Question("Simulacres: melee exchange with damage", lambda *a: odds(rules.exchange, *a),
                 "exchange", [(*pair, at % 3, at % 2, at % 4, 1) for at, pair in enumerate(pairs)]),
        Question("Simulacres: fight to the end, 5 against 4", _fight,
                 "fight", [(rules.Fight(5, 4), *pair, at % 4, 1) for at, pair in enumerate(pairs[::2])],
                 ("icepool", "dyce"), 3),
        Question("Simulacres: fight to the end, 60 against 48", _fight,
                 "fight", [(rules.Fight(60, 48), *pair, at % 4, 1) for at, pair in enumerate(pairs[3::12])],
                 ("dyce",), 2),
        Question("all sums of 1 to 5d6", lambda plus: [odds(rules.total, n, plus) for n in range(1, 6)],
                 "sums", [(plus,) for plus in range(20)]),
        Question("Empire: attack against attack with damage", lambda *a: odds(rules.attack_against_attack, *a),
                 "attacks", attempts),
        Question("Conteur: pool of 1 to 12 dice, no reroll", lambda *a: odds(rules.plain_pool, *a),
                 "plain_pool", [(n, a) for n in range(1, 13) for a in (3, 5, 8)], everybody),
        Question("Conteur: pool of 1 to 12 dice, with rerolls", lambda *a: odds(rules.pool, *a),
                 "pool", [(n, a) for n in range(1, 13) for a in (3, 5, 8)], ("icepool", "dyce"), 2),
        Question("Conteur: opposed pools with rerolls", lambda *a: odds(rules.opposed, *a),
                 "opposed", [(n, a, m, 5) for n, m in ((1, 2), (3, 3), (4, 3), (5, 6), (2, 7)) for a in (4, 5, 7)],
                 ("icepool", "dyce"), 2),
    ]


def forget(library: str) -> None:
    """Empty every cache that a library keeps in its functions."""
    module = "paravent" if library == "ours" else library
    if library == "ours":
        forget_odds()
    for thing in _caches():
        if getattr(thing, "__module__", "").split(".")[0] == module:
            thing.cache_clear()


@functools.cache
def _caches() -> list[Any]:
    return [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]


def _distribution(ways: dict[Any, int]) -> dict[Any, Fraction]:
    total = sum(ways.values())
    return {result: Fraction(count, total) for result, count in ways.items()}


def check_equal(question: Question, inputs: Sequence[tuple[Any, ...]]) -> None:
    """Everybody gives the same exact answer."""
    for asked in inputs:
        mine = question.ours(*asked)
        for who in question.peers:
            theirs = question.asker(who)(*asked)
            for one, other in zip(mine if isinstance(mine, list) else [mine],
                                  theirs if isinstance(mine, list) else [theirs], strict=True):
                expected = _distribution(dict(one.ways))
                got = _distribution(PEERS[who].ways(other))
                if expected != got:
                    raise AssertionError(f"{question.name} {asked}: {who} differs")


def timed(ask: Callable[..., Any], asked: tuple[Any, ...], before: Callable[[], None], tries: int) -> float:
    """The quickest of a few tries, in seconds."""
    quickest = math.inf
    for _ in range(tries):
        before()
        start = time.thread_time()
        ask(*asked)
        quickest = min(quickest, time.thread_time() - start)
    return quickest


def measure(question: Question) -> None:
    """First calls, then warm ones, on inputs of their own; the contenders take turns, so that all share the weather."""
    contenders = ("ours", *question.peers)
    check_equal(question, question.inputs[:: max(1, len(question.inputs) // 6)])
    few = 1 if question.peers == ("dyce",) else 4
    spread = question.inputs[:: max(1, len(question.inputs) // few)][:few]
    question.first = in_turn(question, contenders, spread, forget)
    half = max(1, len(question.inputs) // 2)
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        for asked in question.inputs[:half]:
            forget_odds()
            question.ours(*asked)
    for who in question.peers:
        question.asker(who)(*question.inputs[0])
    question.anew = in_turn(question, contenders, question.inputs[half:], forget_all)
    question.warm = in_turn(question, contenders, question.inputs[half:], forget_answers)


def forget_all(who: str) -> None:
    """Ours keeps nothing that was worked out before; the peers keep what they keep."""
    if who == "ours":
        forget_odds()


def forget_answers(who: str) -> None:
    """Ours keeps what throws give, and no answer of a rule; the peers keep what they keep."""
    for kept in _answers() if who == "ours" else ():
        kept.cache_clear()


@functools.cache
def _answers() -> list[Any]:
    """All that :func:`forget_odds` goes through but what throws give."""
    return [thing for thing in _kept if getattr(thing, "__module__", "") != of_sum.__module__]


def in_turn(
    question: Question, contenders: Sequence[str], inputs: Sequence[tuple[Any, ...]], before: Callable[[str], None]
) -> dict[str, float]:
    """The mean over inputs of each contender's quickest try."""
    took: dict[str, float] = dict.fromkeys(contenders, 0.0)
    for asked in inputs:
        for who in contenders:
            quickest = timed(question.asker(who), asked, lambda who=who: before(who), question.tries)
            took[who] += quickest / len(inputs)
    return took


def single_figures() -> dict[str, float]:
    """What has no peer beside it, or only one: seconds."""
    figures: dict[str, float] = {}
    fight = (rules.fight_step, rules.Fight(5, 4), 9, 8, 0, 0)
    figures["a million fights, ours"] = timed(
        lambda: Chain(*fight, over=rules.fight_over).sample(RUNS, seed=1), (), lambda: None, 3
    )
    figures["a million fights, numpy by hand"] = timed(
        lambda: numpy_.fights(RUNS, (5, 4), (9, 8, 0, 0), 1), (), lambda: None, 3
    )
    halves = [Chain(*fight, over=rules.fight_over).sample(RUNS // 2, seed=1, first=at) for at in (0, RUNS // 2)]
    whole = Chain(*fight, over=rules.fight_over).sample(RUNS, seed=1)
    ends = {end: sum(half.ends.get(end, 0) for half in halves) for end in whole.ends}
    if ends != whole.ends or sum(half.steps for half in halves) != whole.steps:
        raise AssertionError("a split of the runs changes the totals")
    if best(rules.free_pool, 12, 5, goal=lambda raw: raw >= 5).value != Fraction(5856449274003376, 10**16):
        raise AssertionError("best play differs from the published chance (D10-O40)")
    figures["best play, 12 dice with rerolls"] = max(
        timed(lambda a=a, w=w: best(rules.free_pool, 12, a, goal=lambda raw: raw >= w).value, (), forget_odds, 5)
        for a, w in ((5, 5), (6, 4), (3, 3))
    )
    figures["fight 60 against 48, first call"] = timed(
        _fight, (rules.Fight(60, 48), 10, 7, 1, 0), lambda: forget("ours"), 5
    )
    exchange = (11, 7, 2, 0, 0, 1)
    many = range(200)
    figures["one played exchange with its record, ours"] = timed(
        lambda: [play(rules.exchange, *exchange, dice=LiveDice()) for _ in many], (), lambda: None, 5
    ) / len(many)
    for who, played in PLAYED.items():
        figures[f"one played exchange, {who}"] = timed(
            lambda played=played: [played(*exchange) for _ in many], (), lambda: None, 5
        ) / len(many)
    figures["import paravent"], figures["import paravent.dice"] = (
        _import_time(module) for module in ("paravent", "paravent.dice")
    )
    return figures


def _import_time(module: str) -> float:
    """With its bytecode at hand, as where it is installed."""
    code = (f"import time; t = time.thread_time(); import {module}; d = time.thread_time() - t\n"
            "import sys; assert 'numpy' not in sys.modules; print(d)")
    with tempfile.TemporaryDirectory(prefix="paravent-bench-") as folder:
        env = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        return min(float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=env).stdout)
                   for _ in range(9))


def times_quicker(took: Sequence[dict[str, float]]) -> float:
    """How many times ours is quicker than the best peer, in the geometric mean."""
    gains = [min(each[who] for who in ("icepool", "dyce") if who in each) / each["ours"] for each in took]
    return math.prod(gains) ** (1 / len(gains))


def targets(asked: Sequence[Question], figures: dict[str, float]) -> list[tuple[str, str, bool]]:
    """Each target with what was measured, and whether it is met."""
    gain, anew = times_quicker([q.warm for q in asked]), times_quicker([q.anew for q in asked])
    slower = [q.name for q in asked if q.first["ours"] > q.first["dyce"]]
    return [
        ("odds questions, warm: geometric mean against the best peer, at least 5 times",
         f"{gain:.1f} (anew {anew:.1f})", gain >= 5),
        ("never slower than dyce on a first call", "; ".join(slower) or "never", not slower),
        *(
            (f"{name}, within {limit * 1000:g} ms", f"{figures[name] * 1000:.1f} ms", figures[name] <= limit)
            for name, limit in (
                ("fight 60 against 48, first call", 0.050), ("best play, 12 dice with rerolls", 0.050),
                ("a million fights, ours", 0.200), ("import paravent", 0.060), ("import paravent.dice", 0.060),
            )
        ),
    ]


def shown(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def main() -> int:
    asked = questions()
    for question in asked:
        measure(question)
        print(".", end="", flush=True)
    figures = single_figures()
    print()
    order = ("ours", "dyce", "icepool", "numpy")
    for kind in ("first", "anew", "warm"):
        print(f"\n{kind + ' call':<46}" + "".join(f"{who:>12}" for who in order) + f"{'best peer/ours':>16}")
        for question in asked:
            took: dict[str, float] = getattr(question, kind)
            peer = min(took[who] for who in ("icepool", "dyce") if who in took)
            cells = "".join(f"{shown(took.get(who)):>12}" for who in order)
            print(f"{question.name:<46}{cells}{peer / took['ours']:>16.1f}")
    print()
    for name, seconds in figures.items():
        print(f"{name:<46}{shown(seconds):>12}")
    print()
    reached = targets(asked, figures)
    for name, figure, met in reached:
        print(f"{'met    ' if met else 'NOT MET'}  {name}: {figure}")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({
        "python": platform.python_version(), "machine": platform.machine(),
        "versions": {name: version(name) for name in ("icepool", "dyce", "d20", "numpy")},
        "questions": [{"name": q.name, "first": q.first, "anew": q.anew, "warm": q.warm} for q in asked],
        "figures": figures,
        "targets": [{"name": name, "figure": figure, "met": met} for name, figure, met in reached],
    }, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
