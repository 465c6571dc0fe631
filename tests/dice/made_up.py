"""Rules made up by a seed, weighed in every way the kernel knows and compared with their single dice.

A rule made up is Python as people write it: loops of every kind, comprehensions, generators, sets, dictionaries,
objects with state, closures, exceptions, shared iterators, helpers, sub-rules, decks, named dice, choices. Its odds are
worked out once by turning over each die face by face, and must be those of every quick way, exactly.

    .venv/bin/python -m tests.dice.made_up 1000 2000        # rules number 1000 to 1999
    .venv/bin/python -m tests.dice.made_up --minutes 60     # a hunt from a seed of its own, which it says

What is wrong is made as short as it can be, and printed as a source that can be run.
"""

from __future__ import annotations

import argparse
import ast
import linecache
import random
import re
import signal
import sys
import time
import warnings
import zlib
from contextlib import ExitStack
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path
from textwrap import indent
from unittest.mock import patch

from paravent.dice import Deck, DiceError, Odds, ThrowAgain, best, forget_odds, odds
from paravent.dice.errors import TooFewCards
from paravent.dice.merging import _merged
from paravent.dice.odds import every_way
from paravent.dice.protocol import certain_policy
from paravent.dice.ways import by_rank, checked, faces_of, results_by_rank

KERNEL = sys.modules[every_way.__module__]
MOST_LEAVES, MOST_DEEP = 800, 40


class TooLong(BaseException):
    """A rule made up has more leaves than are turned over."""


def too_long(budget):
    """Give up, whatever the rule does about it."""
    budget[0] = -1
    return TooLong()


class Turned:
    """Dice that are turned over one by one; what a rule resolves is turned over by itself."""

    def __init__(self, script, policy, budget):
        self.script, self.policy, self.budget = script, policy, budget
        self.met = []  # for each die so far: which side shows, and how many there are

    def side(self, sides):
        if len(self.met) >= MOST_DEEP or self.budget[0] < 0:
            raise too_long(self.budget)
        at = self.script[len(self.met)] if len(self.met) < len(self.script) else 0
        self.met.append((at, sides))
        return at

    def shown(self, n, die):
        checked(n, die)
        sides = [face for face, weight in faces_of(die) for _ in range(weight)]
        return [sides[self.side(len(sides))] for _ in range(n)]

    def sum(self, n, sides):
        return sum(self.shown(n, sides))

    def pool(self, n, sides):
        return tuple(sorted(self.shown(n, sides)))

    def counts(self, n, kinds, again=None):
        return kinds.tally(self.shown(n, kinds.sides))

    def faces(self, n, die):
        places = [face for face, _ in faces_of(die)]
        return tuple(sorted(self.shown(n, die), key=places.index))

    def highest(self, n, die, keep=1):
        return added(by_rank(self.faces(n, die))[n - keep:])

    def lowest(self, n, die, keep=1):
        return added(by_rank(self.faces(n, die))[:keep])

    def gather(self, n, of, step, start):
        shown = self.deal(of, n) if isinstance(of, Deck) else self.shown(n, of)
        for face in of.cards if isinstance(of, Deck) else [face for face, _ in faces_of(of)]:
            start = step(start, face, shown.count(face))
        return start

    def deal(self, deck, n):
        if not 0 <= n <= len(deck):
            raise TooFewCards(wanted=n, left=len(deck))
        cards = [card for card, times in deck.cards.items() for _ in range(times)]
        drawn = [cards.pop(self.side(len(cards))) for _ in range(n)]
        return tuple(sorted(drawn, key=[*deck.cards].index))

    def resolve(self, rule, *args):
        leaves = turned_over(guarded, (rule, *args), self.policy, self.budget)
        whole = sum(share for _, share in leaves)
        parts = [(share / whole) for _, share in leaves]
        self.met.append((at := self.script[len(self.met)] if len(self.met) < len(self.script) else 0, parts))
        if type(leaves[at][0]) is Raised:
            raise leaves[at][0].fault
        return leaves[at][0]

    then = resolve

    def repeat(self, n, rule, *args):
        return sum(self.resolve(rule, *args) for _ in range(n))

    def highest_of(self, n, keep, rule, *args):
        return added(results_by_rank([self.resolve(rule, *args) for _ in range(n)])[n - keep:])

    def lowest_of(self, n, keep, rule, *args):
        return added(results_by_rank([self.resolve(rule, *args) for _ in range(n)])[:keep])

    def choose(self, who, key, options, usual=None, rule="", **values):
        return options[0] if len(options) == 1 else self.policy(
            who, key, tuple(options), options[0] if usual is None else usual)

    def of(self, role):
        return self

    stream = of

    def aside(self, kind, n):
        pass

    def note(self, rule, key, **values):
        pass


class Chosen(Turned):
    """Dice that are turned over one by one, and choices that are taken one by one; other rules are run as they are."""

    def __init__(self, script, budget):
        super().__init__(script, certain_policy, budget)
        self.options = set()  # which of those are choices

    def resolve(self, rule, *args):
        try:
            return rule(self, *args)
        except ThrowAgain:
            raise too_long(self.budget) from None  # what is thrown again is not gone through here

    then = resolve

    def choose(self, who, key, options, usual=None, rule="", **values):
        if len(options) == 1:
            return options[0]
        self.options.add(len(self.met))
        return options[self.side(len(options))]


def best_chosen(rule, args, goal, budget, script=()):
    """What a goal is worth when each choice is the best one, going through all that may come of each."""
    budget[0] -= 1
    if budget[0] < 0:
        raise TooLong
    dice = Chosen(script, budget)
    result = rule(dice, *args)
    if budget[0] < 0:
        raise TooLong
    if len(dice.met) == len(script):
        return Fraction(goal(result))
    sides = dice.met[len(script)][1]
    worths = [best_chosen(rule, args, goal, budget, (*script, at)) for at in range(sides)]
    return max(worths) if len(script) in dice.options else sum(worths) / sides


class Raised:
    """What a sub-rule raises in one of its leaves."""

    def __init__(self, fault):
        self.fault = fault


def guarded(dice, rule, *args):
    try:
        return rule(dice, *args)
    except ThrowAgain:
        raise
    except Exception as fault:
        return Raised(fault)


def added(faces):
    return faces[0] if len(faces) == 1 else sum(faces)


def turned_over(rule, args, policy, budget):
    """Every leaf of a rule with its share, those that are thrown again left out."""
    leaves, script = [], []
    while True:
        budget[0] -= 1
        if budget[0] < 0:
            raise TooLong
        dice = Turned(script, policy, budget)
        try:
            result = rule(dice, *args)
        except ThrowAgain:
            result = ThrowAgain
        except Exception:
            if budget[0] < 0:
                raise TooLong from None
            raise
        if budget[0] < 0:
            raise TooLong
        if result is not ThrowAgain:
            share = Fraction(1)
            for at, sides in dice.met:
                share *= sides[at] if isinstance(sides, list) else Fraction(1, sides)
            leaves.append((result, share))
        met = dice.met
        if not script and budget[0] < prod(sides for _, sides in met if not isinstance(sides, list)) // 8:
            raise too_long(budget)  # it surely has too many
        while met and met[-1][0] == (len(met[-1][1]) if isinstance(met[-1][1], list) else met[-1][1]) - 1:
            met.pop()
        if not met:
            if not leaves:
                raise too_long(budget)
            return leaves
        script = [at for at, _ in met]
        script[-1] += 1


def plainly_weighed(rule, args, policy=certain_policy):
    """The chance of each result, and how each reads; or what a leaf of the rule raises."""
    try:
        leaves = turned_over(rule, args, policy, [MOST_LEAVES])
        whole = sum(share for _, share in leaves)
        chances = {}
        for result, share in leaves:
            chances[result] = chances.get(result, 0) + share / whole
    except Exception as fault:
        return fault
    return chances, {repr(result) for result, _ in leaves}


# --- Rules made up

HERE = Path(__file__).parent
AROUND = (HERE / "around.txt").read_text(encoding="utf-8") + "\n\n"
_BEGINS = """global total
total = 0
LOG.clear()
SHELF.clear()
Hero.met = 0
a = b = c = 0
word = ''
kept, seen, table = [], set(), {}
line, hero, wound = deque([1, 2]), Hero(2), Wound()
pair, other = (0, 1), kept
steps = iter((1, 2, 1, 3, 1, 2, 2, 1) * 20)
bump, rolls, roll = maker(0), Rolls(dice), dice.sum
me, tally, groups, loud = dice, Counter(), defaultdict(list), Loud(1)

def inner(more):
    nonlocal c
    c += more
    return c

"""
_HELPER_BEGINS = """a, b, c = x, 0, 0
kept, seen, table, line, word, n = [], set(), {}, deque(), '', 2
hero, wound, pair, other = Hero(x), Wound(), (x, 0), kept
steps, roll, bump, rolls = iter((1, 2) * 20), dice.sum, maker(x), Rolls(dice)
inner = lambda more: more + 1
me, tally, groups, loud = dice.of("me"), Counter(), defaultdict(list), Loud(x)
"""
_PLACE = re.compile(r"<([a-z]+)>")
_BLOCK = re.compile(r"(?m)^( *)<block>$")
_OFTEN = re.compile(r"(\d+)\* (.*)", re.DOTALL)


def _pieces():
    """The pieces of each kind, each as many times as it is to be taken."""
    found = {}
    text = "\n" + (HERE / "grammar.txt").read_text(encoding="utf-8").partition("\n\n")[2]
    for lines, kind, pieces in re.findall(r"\n\[(\[?)(\w+)\]+\n(.*?)(?=\n\[|\Z)", text, re.DOTALL):
        for piece in pieces.strip().split("\n\n" if lines else "\n"):
            often = _OFTEN.fullmatch(piece)
            found.setdefault(kind, []).extend([often[2]] * int(often[1]) if often else [piece])
    return found


PIECES = _pieces()


class MadeUp:
    """A rule made up by a seed."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.names = 0
        self.source = AROUND
        for name in ("helper0", "helper1"):
            lines = _HELPER_BEGINS + self.statements(2, 0) + f"return {self.made('number', 3)}\n"
            self.source += f"def {name}(dice, x):\n{indent(lines, '    ')}\n\n"
        lines = _BEGINS + self.statements(5, 0) + f"return {self.made('end', 0)}\n"
        self.source += f"def rule(dice, n):\n{indent(lines, '    ')}"

    def made(self, kind, deep):
        """A piece of a kind, with what is left open in it made up, too."""
        if deep > 4:
            kind = {"number": "one", "throw": "sum", "thrown": "sum", "loop": "few", "over": "few", "test": "one"}.get(
                kind, kind)
        self.names += 1
        fixed = dict(zip(("one", "two"), self.chance.sample("abc", 2), strict=True))
        fixed |= {"new": f"v{self.names}", "deep": str(self.names), "sum": "dice.sum(1, 2)", "few": "range(2)"}
        if kind in ("sum", "few", "one"):
            return fixed[kind]
        piece = self.chance.choice(PIECES[kind])
        fixed["block"] = "<block>"
        return _PLACE.sub(lambda at: fixed.get(at[1]) or self.made(at[1], deep + 1), piece)

    def statements(self, most, deep):
        made = ""
        for _ in range(self.chance.randint(1 + (most > 2), most)):
            often = 0.55 if deep < 3 else 1
            if self.chance.random() < often:
                made += self.made("simple", deep) + "\n"
            else:
                made += _BLOCK.sub(lambda at: indent(self.statements(2, deep + 1), at[1]).rstrip("\n"),
                                   self.made("compound", deep)) + "\n"
        return made


def _run(source, space):
    name = f"<made up {zlib.crc32(source.encode())}>"
    if len(source) % 4:  # of most of them, the source is at hand
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, name, "exec", dont_inherit=True), space)
    return space


@cache
def _around():
    return _run(AROUND, {"__name__": __name__})


def ready(source):
    """The rule of a source; None, if Python does not take it."""
    try:
        made_up = source.startswith(AROUND)
        space = _run(source[len(AROUND):], dict(_around())) if made_up else _run(source, {"__name__": __name__})
    except (SyntaxError, NameError):
        return None
    return space.get("rule")


# --- Compared

def last_option(who, key, options, usual):
    return options[-1]


def _odds_so(rule, args, policy, **settings):
    with ExitStack() as stack:
        stack.enter_context(patch.multiple(KERNEL, **settings))
        forget_odds()
        KERNEL._habit.cache_clear()
        first = dict(odds(rule, *args, policy=policy))
        forget_odds()
        again = dict(odds(rule, *args, policy=policy))  # what was learned of the rule is known now
        assert first == again, f"first {first}, then {again}"
        return again


def _merged_in(rule, args, policy, defers, handfuls):
    forget_odds()
    with patch("paravent.dice.merging._HANDFULS", handfuls):
        try:
            found = _merged(rule, policy, args, Fraction(0), 50_000, defers)
        except Exception:  # what a stand-in cannot do: such a rule is weighed otherwise
            return None
    if found is None:
        return None
    tally, whole = found
    whole -= tally.pop(ThrowAgain, 0)
    return {result: Fraction(ways, whole) for result, ways in tally.items()}


def _searched(rule, args, policy):
    forget_odds()
    return dict(best(rule, *args, goal=lambda result: 0, who=lambda who: False).odds)


def goal_of(result):
    """What somebody may wish for: any number will do."""
    return hash(result) * 7919 % 11


def _chosen_well(rule, args):
    """Best play, beside what going through everything gives; None, if it is refused, or has no end."""
    try:
        expected = best_chosen(rule, args, goal_of, [MOST_LEAVES])
        forget_odds()
        return best(rule, *args, goal=goal_of).value, expected
    except (Exception, TooLong):
        return None


WAYS = {
    "best": lambda rule, args, policy: _searched(rule, args, policy) if policy is certain_policy else None,
    "plain": lambda rule, args, policy: _odds_so(rule, args, policy, _FEW=4),
    "undrawn": lambda rule, args, policy: _odds_so(rule, args, policy, _FEW=1, _FEW_AT_FIRST=1),
    "heavy": lambda rule, args, policy: _odds_so(rule, args, policy, _HEAVY=4, _MANY_HANDFULS=3),
    "merged": lambda rule, args, policy: _merged_in(rule, args, policy, True, 500),
    "handful": lambda rule, args, policy: _merged_in(rule, args, policy, True, 0),
    "joined": lambda rule, args, policy: _merged_in(rule, args, policy, False, 500),
}
NEAR = (Fraction(1, 50), Fraction(1, 5000))


def wrong(rule, args=(2,), policy=certain_policy, only=None):
    """In which way the odds of a rule are wrong, and how they differ; and how often they were compared."""
    expected = plainly_weighed(rule, args, policy)
    compared = 0
    raises = isinstance(expected, Exception)
    expected, told = (expected, set()) if raises else expected
    if isinstance(expected, NameError) or " at 0x" in repr(expected):  # no rule; or a result that is another each time
        return None, "", 0
    for name, way in WAYS.items():
        if only not in (None, name):
            continue
        try:
            found = way(rule, args, policy)
        except Exception as fault:
            if not raises and name in ("plain", "undrawn", "heavy"):
                return name, f"{type(fault).__name__}: {fault}", compared
            continue
        if found is None:
            continue
        if raises:
            return name, f"{found}, where a branch raises {expected!r}", compared
        compared += 1
        if found != expected:
            return name, f"{found}, not {expected}", compared
        strange = [result for result in found if repr(result) not in told]
        if strange:
            return name, f"{strange}, none of {told}", compared
    if only in (None, "choices") and not raises and (worth := _chosen_well(rule, args)) is not None:
        compared += 1
        if worth[0] != worth[1]:
            return "choices", f"best play is worth {worth[0]}, not {worth[1]}", compared
    for within in NEAR if only in (None, "near") and not raises else ():
        forget_odds()
        try:
            near: Odds = odds(rule, *args, policy=policy, within=within)
        except DiceError:
            continue
        except Exception as fault:
            return "near", f"{type(fault).__name__}: {fault}", compared
        compared += 1
        off = max(abs(near[result] - expected.get(result, 0)) for result in {*near, *expected})
        if not off <= near.missed <= within:
            return "near", f"off by {float(off)}, {float(near.missed)} missed: {dict(near)}, not {expected}", compared
    return None, "", compared


class Slow(BaseException):
    """A rule takes more than a minute."""


def _too_slow(*_):
    raise Slow


def tried(seed):
    """What is wrong with a rule made up (the way, how, its source), and how often it was compared."""
    source = MadeUp(seed).source
    rule = ready(source)
    if rule is None:
        return None, 0
    policy = last_option if seed % 5 == 0 else certain_policy
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            way, how, compared = wrong(rule, policy=policy)
    except TooLong:
        return None, 0
    return ((way, how, source, policy) if way else None), compared


def shortened(source, way, policy):
    """The shortest source that can be made of one by leaving out statements, and is wrong in the same way."""
    def is_wrong(tree):
        made = ast.unparse(tree)
        rule = ready(made)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return made if rule is not None and wrong(rule, policy=policy, only=way)[0] else None
        except (TooLong, KeyError):
            return None

    best = source
    shorter = True
    while shorter:
        shorter = False
        tree = ast.parse(best)
        names = ("body", "orelse", "finalbody")
        bodies = [(name, body) for node in ast.walk(tree) for name in names
                  if isinstance(body := getattr(node, name, None), list)]
        for name, body in bodies:
            for at in range(len(body) - 1, -1, -1):
                before = list(body)
                inner = [one for one in getattr(body[at], "body", []) if isinstance(one, ast.stmt)]
                for put in ([], inner) if inner else ([],):
                    body[at:at + 1] = put
                    if not body and name == "body":
                        body.append(ast.Pass())
                    made = is_wrong(tree) if body != before else None
                    if made is not None and len(made) < len(best):
                        best, shorter = made, True
                        break
                    body[:] = before
    return best


def told(seed, found):
    """A failure as a source that can be run."""
    way, how, source, policy = found
    short = shortened(source, way, policy)
    how = wrong(ready(short), policy=policy, only=way)[1] or how
    policy = policy.__name__
    return (f"# rule {seed}, weighed as {way!r}: {how}\n{short}\n\nif __name__ == '__main__':\n"
            f"    from tests.dice.made_up import {policy}, wrong\n\n"
            f"    print(wrong(rule, policy={policy}, only={way!r}))\n")


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("seeds", nargs="*", type=int, help="rules from this number, up to that one")
    asked.add_argument("--minutes", type=float, help="go on for so long, from a number of its own")
    asked = asked.parse_args()
    begin = asked.seeds[0] if asked.seeds else time.time_ns() % 10**12
    end = asked.seeds[1] if len(asked.seeds) > 1 else begin + 1 if asked.seeds and not asked.minutes else 10**18
    until = time.monotonic() + 60 * (asked.minutes or 10**6)
    print(f"rules made up from {begin} on", flush=True)
    rules = compared = 0
    bad = 0
    signal.signal(signal.SIGALRM, _too_slow)
    for seed in range(begin, end):
        if time.monotonic() > until:
            break
        signal.setitimer(signal.ITIMER_REAL, 60, 5)
        try:
            found, times = tried(seed)
            if found:
                bad += 1
                signal.setitimer(signal.ITIMER_REAL, 300, 5)
                print(told(seed, found), flush=True)
        except Slow:
            print(f"# rule {seed} takes more than a minute", flush=True)
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        rules += times > 0
        compared += times
    print(f"{rules} rules, compared {compared} times, {bad} wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
