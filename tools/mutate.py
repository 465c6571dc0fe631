"""Hunt for lines that guard secrets and that no test would miss: ``python tools/mutate.py --minutes 10``.

One small fault at a time is put into a copy of the house (a comparison turned round, a guard left out, everybody told
instead of the game master), and the tests of that room are run on it. A fault that they let pass is printed: either a
test is missing, or the line says nothing. It is a hunt and not a gate: whatever is found, the way out is 0.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

ROOMS = {
    "src/paravent/table/**/*.py": "tests/table/test_*.py",
    "src/paravent/game/eyes.py": "tests/table/test_*.py",
}
"""The files that decide who is told or shown, and the tests that should notice."""

NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "site", "dist")
MIRRORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}
NAMES = {
    "ALL": "'gm'", "GM": "'all'", "EVERYONE": "frozenset({'gm'})", "GM_ONLY": "frozenset({'all'})",
    "any": "all", "all": "any", "min": "max", "max": "min",
}
TEXTS = {"all": "gm", "gm": "all", "own": "open", "open": "own", "owner": "all"}
NOT_RUN = {"annotation", "returns", "decorator_list"}
"""Parts of the code in which a fault would be no behaviour."""
LONGEST = 90


class Mutant(NamedTuple):
    """One fault: where it stands, the part of the code that goes, and what comes in its place."""

    file: str
    tree: ast.Module
    lines: range | None
    """The lines of the statement it stands in; None where they run as soon as the file is read."""
    old: ast.AST
    new: ast.AST

    @property
    def line(self) -> int:
        return (self.old.ifs[0] if isinstance(self.old, ast.comprehension) else self.old).lineno

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {_brief(self.old)}  →  {_brief(self.new)}"

    def source(self) -> str:
        """The whole file with the fault in it; the tree is left as it was."""
        faulty = ast.unparse(ast.fix_missing_locations(_Swap(self.old, self.new).visit(self.tree)))
        _Swap(self.new, self.old).visit(self.tree)
        return faulty


class _Swap(ast.NodeTransformer):
    """Puts one part in another's place."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _brief(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


# Which faults a part of the code may have


def mutants_of(root: Path, file: str) -> list[Mutant]:
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    return [Mutant(file, tree, lines, node, new) for lines, node in _parts(tree) for new in faults_of(node)]


def _parts(node: ast.AST, lines: range | None = None, inside: bool = False) -> Iterator[tuple[range | None, ast.AST]]:
    """Every part of the code, with the lines of the statement that it belongs to once it is called."""
    if isinstance(node, ast.stmt) and inside:
        body = getattr(node, "body", None)
        lines = range(node.lineno, max(node.lineno + 1, body[0].lineno) if body else (node.end_lineno or 0) + 1)
    yield lines, node
    inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name, value in ast.iter_fields(node):
        if name not in NOT_RUN:
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from _parts(part, lines, inside and name != "args")


def faults_of(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=compared) if type(op) in MIRRORS:
            yield ast.Compare(left, [MIRRORS[type(op)]()], compared)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(MIRRORS[type(op)](), values)
            yield from _each_left_out(values, lambda left: ast.BoolOp(op, left) if left[1:] else left[0])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd(), right=right):
            yield from (left, right)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from (ast.BinOp(left, MIRRORS[type(op)](), right), left)
        case ast.Set(elts=values):
            yield from _each_left_out(values, lambda left: ast.Set(left) if left else ast.parse("set()").body[0].value)
        case ast.Tuple(elts=values, ctx=ast.Load()) if any(isinstance(value, ast.Starred) for value in values):
            yield from _each_left_out(values, lambda left: ast.Tuple(left, ast.Load()))
        case ast.List(elts=values, ctx=ast.Load()) if any(isinstance(value, ast.Starred) for value in values):
            yield from _each_left_out(values, lambda left: ast.List(left, ast.Load()))
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.comprehension(ifs=[_, *_] as ifs):
            yield from _each_left_out(ifs, lambda left: ast.comprehension(node.target, node.iter, left, node.is_async))
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield ast.parse(NAMES[name]).body[0].value
        case ast.Constant(value=bool(truth)):
            yield ast.Constant(not truth)
        case ast.Constant(value=int(number)):
            yield from (ast.Constant(number + 1), ast.Constant(number - 1))
        case ast.Constant(value=str(text)) if text in TEXTS:
            yield ast.Constant(TEXTS[text])


def _each_left_out(parts: list[ast.expr], made: Callable[[list[ast.expr]], ast.AST]) -> Iterator[ast.AST]:
    for at in range(len(parts)):
        yield made(parts[:at] + parts[at + 1:])


# A copy of the house, with one fault at a time


class Copy:
    """The house once more, where a fault does no harm, and which lines each of its tests runs."""

    def __init__(self, root: Path, place: Path) -> None:
        self.place, self.notes = place / "house", place / "notes.json"
        shutil.copytree(root, self.place, ignore=NOT_COPIED)
        self.took: dict[str, float] = {}
        self.runs: dict[str, dict[str, list[int]]] = {}

    def run(self, asked: list[str], limit: float | None = None, **env: str) -> bool:
        """Whether these tests pass; those that never end do not."""
        path = os.pathsep.join([str(self.place / "src"), str(self.place / "tools")])
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", *asked]
        try:
            ended = subprocess.run(command, cwd=self.place, env={**os.environ, "PYTHONPATH": path, **env},
                                   timeout=limit, capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            return False
        return ended.returncode == 0

    def trace(self, files: Iterable[str], tests: Iterable[str]) -> None:
        """Note what each test runs of these files where there is no fault, and that all of them pass."""
        watched = os.pathsep.join(str(self.place / file) for file in files)
        if not self.run(["-p", "traced", *tests], TRACED_FILES=watched, TRACED_INTO=str(self.notes)):
            sys.exit("these tests fail as they stand: nothing to hunt for yet")
        for test, note in json.loads(self.notes.read_text(encoding="utf-8")).items():
            self.took[test], self.runs[test] = note["took"], note["lines"]

    def tests_for(self, mutant: Mutant) -> list[str]:
        """The tests that come by the fault, the quickest first."""
        file = str(self.place / mutant.file)
        found = [
            test for test, ran in self.runs.items()
            if mutant.lines is None or any(line in mutant.lines for line in ran.get(file, ()))
        ]
        return sorted(found, key=lambda test: self.took[test])

    def survives(self, mutant: Mutant, tests: list[str]) -> bool:
        file = self.place / mutant.file
        kept = file.read_bytes()
        try:
            file.write_text(mutant.source(), encoding="utf-8")
            self._forget(file)
            return self.run(tests, limit=60 + 5 * sum(self.took[test] for test in tests))
        finally:
            file.write_bytes(kept)
            self._forget(file)

    def _forget(self, file: Path) -> None:
        """Two faults within a second may be as long as each other: what was compiled before is not theirs."""
        Path(cache_from_source(str(file))).unlink(missing_ok=True)


# The hunt


def hunted(root: Path, at: list[str]) -> list[str]:
    """The files to put faults in: those that are named, each maybe with a line; otherwise those of all rooms."""
    return list(dict.fromkeys(one.partition(":")[0] for one in at)) or [
        file for pattern in ROOMS for file in _found(root, pattern)]


def tests_of(root: Path, files: list[str]) -> list[str]:
    """The tests that should notice, as the rooms say."""
    wanted = [tests for pattern, tests in ROOMS.items() if not set(files).isdisjoint(_found(root, pattern))]
    return list(dict.fromkeys(test for tests in wanted for test in _found(root, tests)))


def _found(root: Path, pattern: str) -> list[str]:
    return sorted(str(file.relative_to(root)) for file in root.glob(pattern))


def chosen(root: Path, files: list[str], at: list[str], seed: int) -> list[Mutant]:
    """All faults of the lines that are named; otherwise of all files, in an order that the seed settles."""
    mutants = [mutant for file in files for mutant in mutants_of(root, file)]
    if at:
        return [mutant for mutant in mutants if mutant.file in at or f"{mutant.file}:{mutant.line}" in at]
    return random.Random(seed).sample(mutants, len(mutants))


def hunt(copy: Copy, mutants: list[Mutant], until: float) -> None:
    tried = survived = unrun = 0
    for mutant in mutants:
        if time.monotonic() > until:
            break
        tried += 1
        tests = copy.tests_for(mutant)
        if not tests or copy.survives(mutant, tests):
            survived, unrun = survived + 1, unrun + (not tests)
            print(f"{'survives' if tests else 'not run '}  {mutant}", flush=True)
    print(f"{tried} tried, {survived} survive, {unrun} of them on lines that no test runs")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("at", nargs="*", metavar="FILE[:LINE]", help="only here, and every fault; all rooms if not said")
    asked.add_argument("--tests", nargs="*", help="the tests to run, instead of those of the rooms")
    asked.add_argument("--minutes", type=float, default=10, help="when to stop (10), once it is known what tests run")
    asked.add_argument("--sample", type=int, help="how many faults at most; as many as there is time for")
    asked.add_argument("--seed", type=int, default=random.randrange(10**6), help="the same seed, the same faults")
    args = asked.parse_args()
    root = Path(__file__).parents[1]
    files = hunted(root, args.at)
    mutants = chosen(root, files, args.at, args.seed)
    tests = args.tests or tests_of(root, files)
    if not tests:
        sys.exit("which tests? (--tests)")
    for pattern in (pattern for pattern in ROOMS if not _found(root, pattern)):
        print(f"{pattern}: no such file any more")
    print(f"{len(mutants)} faults in {len(files)} files; seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutate-") as place:
        copy = Copy(root, Path(place))
        copy.trace(files, tests)
        hunt(copy, mutants[:args.sample], time.monotonic() + 60 * args.minutes)


if __name__ == "__main__":
    main()
