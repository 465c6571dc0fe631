"""The questions of the cookbook beside icepool's answers and dyce's: how long each is to read, and how long it takes.

``python -m bench.cookbook``. Lengths are tokens of code, comments and blank lines apart; times are of the processor,
the best of three first calls, every cache of the libraries emptied before each. Every answer is compared with ours
before it is timed.
"""

from __future__ import annotations

import ast
import functools
import gc
import inspect
import io
import re
import sys
import time
import tokenize
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import icepool
from icepool import Deck, Die, MultisetEvaluator, d, d6, d10, d20

from paravent.dice import forget_odds

PAGE = Path(__file__).parents[1] / "docs" / "cookbook.md"
THEIRS: dict[str, Callable[[], Any]] = {}


def theirs(ask: Callable[[], Any]) -> Callable[[], Any]:
    """An answer of icepool's, under the name of ours."""
    THEIRS[ask.__name__] = ask
    return ask


@theirs
def ability() -> Any:
    return d6.highest(4, 3)


@theirs
def advantage() -> Any:
    return d20.highest(2)


@theirs
def best_five_of_forty() -> Any:
    return d6.highest(40, 5)


@theirs
def middle_of_three() -> Any:
    return d20.middle(3)


@theirs
def margin() -> Any:
    return 12 - 3 @ d6


@theirs
def fudge() -> Any:
    return 4 @ Die([-1, 0, 1])


@theirs
def fireball() -> Any:
    return 8 @ d6.map(lambda face: d6 if face == 1 else face)


@theirs
def five_exploding() -> Any:
    return 5 @ d6.explode(depth=10)


@theirs
def wild_die() -> Any:
    return icepool.highest(d(8).explode(depth=6), d6.explode(depth=6))


@theirs
def flip() -> Any:
    return icepool.map(lambda one, other: max(10 * one + other, 10 * other + one), icepool.z(10), icepool.z(10))


@theirs
def opposed_pools() -> Any:
    return 6 @ (d6 >= 5) - 4 @ (d6 >= 5)


@theirs
def hundred_dice() -> Any:
    return 100 @ Die({-1: 1, 0: 3, 1: 2})


@theirs
def hits_and_glitch() -> Any:
    die = d6.map(lambda face: icepool.Vector((int(face >= 5), int(face == 1))))
    return (10 @ die).map(lambda both: (both[0], both[1] > 5))


@theirs
def in_the_dark() -> Any:
    return d6.pool(3).expand().map(lambda hand: 7 if hand[1] == 6 else hand[2])


class _Widest(MultisetEvaluator):
    def next_state(self, state: Any, order: Any, outcome: Any, count: Any) -> Any:
        return max(state or (0, 0), (count, outcome))


@theirs
def widest_set() -> Any:
    return _Widest().evaluate(d10.pool(7))


@theirs
def longest_row() -> Any:
    return d6.pool(5).largest_straight()


@theirs
def no_tie() -> Any:
    return d20.pool(4).largest_count() < 2


@theirs
def blow() -> Any:
    def strike(face: int) -> Any:
        if face == 1 or (face < 20 and face + 5 < 15):
            return 0
        return (2 if face == 20 else 1) @ d(8) + 3

    return d20.map(strike)


@theirs
def three_bands() -> Any:
    return (2 @ d6 + 1).map(lambda total: "miss" if total < 7 else "cost" if total < 10 else "hit")


@theirs
def risk() -> Any:
    def battle(attack: Any, defence: Any) -> Any:
        won = sum(ours > its for ours, its in zip(attack[::-1], defence[::-1], strict=False))
        return 2 - won, won

    return icepool.map(battle, d6.pool(3).expand(), d6.pool(2).expand())


@theirs
def under_twelve() -> Any:
    return d20.map(lambda face: face if face <= 12 else 0).highest(2)


@theirs
def in_a_circle() -> Any:
    return Die([2, 2, 4, 4, 9, 9]) > Die([1, 1, 6, 6, 8, 8])


@theirs
def death_saves() -> Any:
    def save(state: Any, face: int) -> Any:
        good, bad = state
        if 3 in state:
            return state
        if face == 20:
            return (3, 0)
        return (good + 1, bad) if face >= 10 else (good, min(3, bad + (2 if face == 1 else 1)))

    saves: Any = Die([(0, 0)])
    for _ in range(5):
        saves = icepool.map(save, saves, d20, star=False)
    return saves.map(lambda good, bad: good == 3)


@theirs
def five_of_a_kind() -> Any:
    def throw(kept: int) -> Any:
        if kept < 2:
            return d6.pool(5).largest_count()
        if kept == 5:
            return 5
        return d6.pool(5 - kept).expand().map(
            lambda *others: max(kept + others.count(1), *map(others.count, others)), star=True)

    return Die([0]).map(throw).map(throw).map(throw)


@theirs
def pig() -> Any:
    def turn(total: int) -> Any:
        return d6.map(lambda face: 0 if face == 1 else total + face if total + face >= 20 else turn(total + face))

    return turn(0)


@theirs
def craps() -> Any:
    total = 2 @ d6

    def bet(face: int) -> Any:
        if face in (2, 3, 7, 11, 12):
            return face in (7, 11)
        return total.filter({7, face}, depth="inf") == face

    return total.map(bet)


@theirs
def blows_needed() -> Any:
    @functools.cache
    def blows(left: int) -> Any:
        return d(8).map(lambda face: 1 if face >= left else 1 + blows(left - face))

    return blows(20)


@theirs
def hearts() -> Any:
    return Deck({0: 39, 1: 13}).deal(5).sum()


class _Sets(MultisetEvaluator):
    def next_state(self, state: Any, order: Any, outcome: Any, count: Any) -> Any:
        return tuple(sorted((*(state or ()), count), reverse=True)) if count else state or ()


@theirs
def poker_sets() -> Any:
    return _Sets().evaluate(Deck(range(13), times=4).deal(5))


@theirs
def red_from_the_bag() -> Any:
    first = Deck({1: 5, 0: 7}).deal(3).sum()
    return first.map(lambda red: red or Deck({1: 5, 0: 4}).deal(2).sum())


def ours() -> dict[str, tuple[Callable[[], Any], str]]:
    """Our answers as the page has them, each with its block."""
    session: dict[str, Any] = {"__name__": "cookbook"}
    blocks = [block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
              if ">>>" not in block]
    found = {}
    for block in blocks:
        exec(block, session)
        names = [node.name for node in ast.parse(block).body if isinstance(node, ast.FunctionDef)]
        if names:
            found[names[-1]] = (session[names[-1]], block)
    return found


def length(code: str) -> int:
    """How many tokens somebody reads; type annotations are ours alone, and do not count."""
    bare = re.sub(r" -> [^\n]*?:\n", ":\n", re.sub(r"(\w+): (?:Dice|Saves|int|tuple\[[^\]]*\])(?=[,)])", r"\1", code))
    skip = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = tokenize.generate_tokens(io.StringIO(inspect.cleandoc(bare)).readline)
    return sum(token.type not in skip for token in tokens)


def timed(ask: Callable[[], Any]) -> float:
    """The best of three first calls, in milliseconds."""
    kept = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]
    best = float("inf")
    for _ in range(3):
        forget_odds()
        for thing in kept:
            if getattr(thing, "__module__", "").split(".")[0] in ("paravent", "icepool", "dyce"):
                thing.cache_clear()
        start = time.process_time()
        ask()
        best = min(best, time.process_time() - start)
    return best * 1000


def check_equal(name: str, mine: Any, other: Any) -> None:
    """A peer gives the same exact answer."""
    ways = {result: count for result, count in other.items() if count}
    if dict(mine) != {result: Fraction(count, sum(ways.values())) for result, count in ways.items()}:
        raise AssertionError(f"{name}: the answers differ")


def main() -> int:
    from .cookbook_dyce import ANSWERS

    libraries: list[dict[str, Callable[[], Any]]] = [THEIRS, ANSWERS]
    rows = []
    for name, (mine, block) in ours().items():
        tokens: list[int | None] = [length(block)]
        took: list[float | None] = [timed(mine)]
        for answers in libraries:
            ask = answers.get(name)
            if ask is not None:
                check_equal(name, mine(), ask())
            tokens.append(None if ask is None else length(inspect.getsource(ask)) - 2)  # its mark apart
            took.append(None if ask is None else timed(ask))
        rows.append((name, tokens, took))
    heads = ("ours", "icepool", "dyce")
    print(f"{'question':<22}{'tokens:':>8}" + "".join(f"{head:>9}" for head in heads)
          + f"{'ms:':>6}" + "".join(f"{head:>9}" for head in heads))
    for name, tokens, took in rows:
        print(f"{name:<30}" + "".join(f"{'–' if n is None else n:>9}" for n in tokens) + " " * 6
              + "".join(f"{'–' if ms is None else f'{ms:.2f}':>9}" for ms in took))
    everybody = [(tokens, took) for _, tokens, took in rows if None not in tokens]
    print(f"{f'the {len(everybody)} that all answer':<30}"
          + "".join(f"{sum(tokens[at] or 0 for tokens, _ in everybody):>9}" for at in range(3)) + " " * 6
          + "".join(f"{sum(took[at] or 0 for _, took in everybody):>9.1f}" for at in range(3)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
