"""Where the time of warm odds goes: ``python -m bench.where``.

Each question of ``python -m bench`` is asked again and again, what throws give at hand and every answer forgotten,
first on the clock of the processor, then under the profiler. The profiler makes every call dearer, so that shares lean
towards what calls much; times are those without it.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import product

from paravent.dice import odds

from . import rules
from .__main__ import Question, forget_answers, questions

PARTS = {"bench/rules.py": "the rule", "dice/odds.py": "branching and counting",
         "dice/undrawn.py": "numbers left undrawn", "dice/chain.py": "the chain"}
LONG, PROFILED = 0.3, 0.2
"""Seconds that a question is asked for, without the profiler and with it."""


def ask(question: Question) -> None:
    for asked in question.inputs:
        forget_answers("ours")
        question.ours(*asked)


def clocked(act: Callable[[], None], seconds: float) -> float:
    """How long it takes, asked for so many seconds."""
    act()
    began, times = time.process_time(), 0
    while time.process_time() - began < seconds:
        act()
        times += 1
    return (time.process_time() - began) / times


def part(file: str) -> str:
    return next((name for end, name in PARTS.items() if file.endswith(end)), "the rest")


def shares(question: Question, rounds: int) -> tuple[Counter[str], int]:
    """What each part takes of the whole, builtins counted with whoever calls them; and how often rules were called."""
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(rounds):
        ask(question)
    profile.disable()
    found: Counter[str] = Counter()
    called = 0
    for (file, _, _), (_, calls, own, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if file == "~":
            for (caller, _, _), (_, _, spent, _) in callers.items():
                found[part(caller)] += spent
        else:
            found[part(file)] += own
            called += calls if part(file) == "the rule" else 0
    total = sum(found.values())
    return Counter({name: spent / total for name, spent in found.items()}), called // (rounds * len(question.inputs))


class Told:
    """Dice that cost next to nothing: they hand over what they are told."""

    def __init__(self) -> None:
        self.ahead: list[int] = []

    def of(self, actor: str) -> Told:
        return self

    def resolve(self, rule: object, *args: int) -> int:
        return self.ahead.pop()


def duel(*args: int) -> tuple[int, float, float]:
    """A duel: how many branches it has, what they take with dice that cost nothing, and what its odds take."""
    mine, theirs, bonus, other = args
    branches = list(product(odds(rules.standing, mine, bonus).ways, odds(rules.standing, theirs, other).ways))
    told = Told()

    def bare() -> None:
        tally: dict[rules.Duel, int] = {}
        for me, them in branches:
            told.ahead = [them, me]
            result = rules.duel(told, *args)  # type: ignore[arg-type]
            tally[result] = tally.get(result, 0) + 1

    def weighed() -> None:
        forget_answers("ours")
        odds(rules.duel, *args)

    return len(branches), clocked(bare, LONG) * 1e6, clocked(weighed, LONG) * 1e6


def main() -> int:
    names = [*PARTS.values(), "the rest"]
    print(f"{'question':<46}{'µs':>8}{'calls':>8}" + "".join(f"{name:>24}" for name in names))
    for question in questions():
        took = clocked(lambda question=question: ask(question), LONG)  # type: ignore[misc]
        found, called = shares(question, max(1, int(PROFILED / took)))
        told = "".join(f"{found[name]:>24.0%}" for name in names)
        print(f"{question.name:<46}{took / len(question.inputs) * 1e6:>8.0f}{called:>8}{told}", flush=True)
    for args in ((9, 8, 0, 0), (9, 8, 2, 1)):
        branches, bare, weighed = duel(*args)
        print(f"a duel of {branches} branches: {weighed:.0f} µs; {bare:.0f} with dice that cost nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
