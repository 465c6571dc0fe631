"""Rules compiled: a rule's source turned into nested loops over what its throws can give.

Re-running a rule along every branch (:func:`~paravent.dice.odds.explore`) is the reference. A rule weighed often is
rewritten once: each throw becomes a loop whose body is what follows it, each ``return`` adds the ways of the branch to
its result. ::

    def check(dice, value):                     def check(policy, value):
        roll = dice.sum(2, 6)                       for roll, ways in zip(*two_dice):
        if roll == 2:                                   if roll == 2:
            return Check(True, value - 2)    ->             tally[Check(True, value - 2)] += ways
        return Check(roll < value, ...)                 else:
                                                            tally[Check(roll < value, ...)] += ways

Whatever the rewriting does not know (a loop around a throw, ``try``, the dice handed to a helper, lists that grow...)
raises :class:`Unknown`, and the rule stays interpreted. Three more liberties, all resting on rules being pure:

- what a rule reads of a thrown value (its fields, ``harm_of(weapon, roll)``) is worked out as it is thrown, and equal
  readings merged, before the throws that follow;
- ``return Blow(winner, damage)`` counts the arguments and builds each distinct result once, at the end;
- ``sum(f(face) for face in dice.pool(n, sides))`` is a sum of ``n`` equal dice: no handful is ever formed.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass
from functools import lru_cache, partial
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple

from .protocol import ThrowAgain
from .ways import Fall, of_kinds, of_pool, of_sum

Form = Callable[..., dict[int, dict[Any, int]]]
"""A compiled rule: ``form(policy, *args)`` gives the ways of each result, by total number of ways of the branch."""

_OURS = "_pv_"
_LONGEST = 400
_MOST_READ = 3
_NOT_WHOLE = (ast.Name, ast.Constant, ast.Starred, ast.Slice, ast.FormattedValue, ast.JoinedStr, ast.Lambda)
_THROWS = {"sum", "pool", "counts", "resolve", "then"}
_SILENT = {"note", "aside"}
_HANDS = {"of", "stream"}
_GROWING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
_MAKERS = {"list", "dict", "set", "bytearray", "iter", "zip", "map", "filter", "enumerate", "reversed", "deque",
           "Counter", "defaultdict", "OrderedDict", "count", "cycle"}
_CHANGES = {"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard", "update",
            "setdefault", "popitem", "appendleft", "popleft", "send", "__next__", "__setitem__"}
_REFUSED = (
    ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.NamedExpr, ast.Delete, ast.Try, ast.With,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.ClassDef, ast.Import, ast.ImportFrom,
)


class Unknown(Exception):
    """The rule holds something that only the interpreter follows."""


def compile_rule(rule: Callable[..., Any], weighed: Callable[..., Any]) -> Form:
    """The compiled form of a rule, or :class:`Unknown`; ``weighed(rule, policy, args)`` gives the odds of another."""
    function = inspect.unwrap(rule)
    if not isinstance(function, FunctionType):
        raise Unknown("not a plain function")
    tree = _source_of(function)
    source = _Writer(function, tree).written()
    return _made(function, source, {**_HELPERS, _OURS + "resolve": weighed, _OURS + "then": weighed})


def _source_of(function: FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function, if its source is still what runs."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    first = code.co_firstlineno - 1
    last = max((line for *_, line in code.co_lines() if line), default=first)
    for end in range(last, min(last + 20, len(lines)) + 1):  # a closing bracket has no code of its own
        text = "".join(lines[first:end])
        try:
            tree = ast.parse("if 1:\n" + text if text[:1].isspace() else text)
        except SyntaxError:
            continue
        node = tree.body[0].body[0] if isinstance(tree.body[0], ast.If) else tree.body[0]
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
            node.name = _OURS + "rule"  # a rule that resolves itself means the one outside
            again = _inner_code(_within(node, code.co_freevars))
            if _same(again, code):
                return node
    raise Unknown("no source, or not the one that runs")


def _same(one: CodeType, other: CodeType) -> bool:
    """Whether two codes do the same, wherever they were written."""
    return (one.co_code, one.co_names, one.co_varnames, len(one.co_consts)) == (
        other.co_code, other.co_names, other.co_varnames, len(other.co_consts)
    ) and all(
        _same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


def _within(node: ast.FunctionDef, free: Iterable[str]) -> ast.Module:
    """A module whose one function holds ``node`` and gives it its free variables."""
    around = ast.parse(f"def around({', '.join(free)}): pass")
    assert isinstance(around.body[0], ast.FunctionDef)
    around.body[0].body = [node]
    return ast.fix_missing_locations(around)


def _inner_code(module: ast.Module) -> CodeType:
    try:
        outer = compile(module, "<compiled rule>", "exec", dont_inherit=True)
    except (SyntaxError, RecursionError) as error:
        raise Unknown("too deep") from error
    (around,) = (const for const in outer.co_consts if isinstance(const, CodeType))
    return next(const for const in around.co_consts if isinstance(const, CodeType))


def _made(function: FunctionType, source: str, helpers: dict[str, Any]) -> Form:
    """The generated function, reading the rule's own globals and closure, and our helpers."""
    free = function.__code__.co_freevars
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    code = _inner_code(_within(node, (*free, *helpers)))
    own = dict(zip(free, function.__closure__ or (), strict=True))
    cells = tuple(own[name] if name in own else CellType(helpers[name]) for name in code.co_freevars)
    form = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, cells)
    form.__kwdefaults__ = function.__kwdefaults__
    return form


class _Place(NamedTuple):
    """Where in the loops the writing stands."""

    ways: str
    """The expression of the ways so far."""
    total: str
    depth: int
    bound: frozenset[str]
    """Names bound so far on this path, the parameters included."""
    looped: frozenset[str]
    """Those bound since the first loop began."""
    tallies: dict[str, str]
    """Tallies that this loop prepares: the site's name, and the local name of its tally."""


class _Writer:
    """Writes the loops of one rule."""

    def __init__(self, function: FunctionType, node: ast.FunctionDef) -> None:
        self.function = function
        self.node = node
        arguments = node.args
        if arguments.vararg or arguments.kwarg or not (arguments.posonlyargs or arguments.args):
            raise Unknown("arguments")
        self.params = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.dice = {self.params.pop(0)}
        self.locals = {*self.params, *_bound_in(node.body)}
        self.made = 0
        self.written_lines = 0
        self.once: list[str] = []
        self.sites: dict[str, tuple[list[str], str]] = {_OURS + "s": ([], "")}
        self._look_over()
        self.body = self._said(node.body)

    def _said(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        """The statements without those that only tell the table something."""
        said: list[ast.stmt] = []
        for statement in statements:
            if self._is_silent(statement):
                continue
            if isinstance(statement, ast.If):
                statement = ast.If(statement.test, self._said(statement.body), self._said(statement.orelse))
            said.append(statement)
        return said or [ast.Pass()]

    def _look_over(self) -> None:
        """Refuse what could carry something from one branch to the next."""
        for statement in self.node.body:
            for node in ast.walk(statement):
                if isinstance(node, _REFUSED):
                    raise Unknown(type(node).__name__)
                if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
                    raise Unknown("assignment to a part")
                if isinstance(node, ast.Attribute) and node.attr in _CHANGES:
                    raise Unknown(node.attr)
                if isinstance(node, ast.Name) and node.id.startswith(_OURS):
                    raise Unknown(node.id)
                if isinstance(node, ast.comprehension) and _stored(node.target) & self.locals:
                    raise Unknown("a name used twice")
                if isinstance(node, ast.arg) and node.arg in self.locals | self.dice:
                    raise Unknown("a name used twice")
                if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                    self._look_at_binding(node)

    def _look_at_binding(self, node: ast.Assign | ast.AnnAssign) -> None:
        value = node.value
        assert value is not None
        if isinstance(value, _GROWING) or (isinstance(value, ast.Call) and _name(value.func) in _MAKERS):
            raise Unknown("something that grows")
        if self._is_hand(value):  # mine = dice.of("initiator")
            (target,) = node.targets if isinstance(node, ast.Assign) else [node.target]
            if not isinstance(target, ast.Name) or sum(target.id == name for name in _bindings(self.node.body)) != 1:
                raise Unknown("dice bound twice")
            self.dice.add(target.id)

    def written(self) -> str:
        place = _Place("1", "1", 0, frozenset(self.params), frozenset(), {})
        body = self._block(self.body, place)
        arguments = self.node.args
        (arguments.posonlyargs or arguments.args)[0].arg = _OURS + "policy"
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            arg.annotation = None
        arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
        arguments.kw_defaults = [default and ast.Constant(None) for default in arguments.kw_defaults]
        lines = [f"def {self.node.name}({ast.unparse(arguments)}):"]
        lines += [f"    {site} = {_OURS}by_total()" for site in self.sites]
        lines += ["    " + line for line in (*self.once, *_prepared(place), *body)]
        for site, (atoms, result) in self.sites.items():
            if result:
                keys = _as_key(atoms or [f"{_OURS}a"])
                lines += [f"    for {_OURS}n, {_OURS}t in {site}.items():",
                          f"        {_OURS}o = {_OURS}s[{_OURS}n]",
                          f"        for {keys}, {_OURS}w in {_OURS}t.items():",
                          f"            {_OURS}o[{result}] += {_OURS}w"]
        lines.append(f"    return {_OURS}s")
        return "\n".join(lines)

    def _new(self, what: str) -> str:
        self.made += 1
        return f"{_OURS}{what}{self.made}"

    # Statements, each with what follows it.

    def _block(self, statements: Sequence[ast.stmt], place: _Place) -> list[str]:
        self.written_lines += 1
        if self.written_lines > _LONGEST:
            raise Unknown("too long")
        if not statements:
            return self._leaf(ast.Constant(None), place)
        first, rest = statements[0], list(statements[1:])
        if self._is_silent(first):
            return self._block(rest, place)
        if isinstance(first, ast.AugAssign):
            assert isinstance(first.target, ast.Name)
            sum_of = ast.BinOp(ast.Name(first.target.id, ast.Load()), first.op, first.value)
            first = ast.Assign([first.target], sum_of, lineno=0)
        if isinstance(first, ast.AnnAssign):
            if first.value is None:
                return self._block(rest, place)
            first = ast.Assign([first.target], first.value, lineno=0)
        if isinstance(first, ast.Return) and isinstance(first.value, ast.IfExp):
            value = first.value
            first = ast.If(value.test, [ast.Return(value.body)], [ast.Return(value.orelse)])
        read = first.test if isinstance(first, ast.If) else first
        found = self._first_throw(read)
        if found is not None:
            return self._throw(first, found, rest, place)
        if isinstance(first, ast.If) and (self._uses_dice(first) or _leaves(first)):
            test = ast.unparse(self._plain(first.test))
            yes = [*first.body, *([] if _always_leaves(first.body) else rest)]
            no = [*first.orelse, *([] if first.orelse and _always_leaves(first.orelse) else rest)]
            return [f"if {test}:", *_indented(self._block(yes, place)), "else:", *_indented(self._block(no, place))]
        if isinstance(first, ast.Return):
            return self._leaf(self._plain(first.value or ast.Constant(None)), place)
        if isinstance(first, ast.Raise) and self._is_again(first):
            return self._count(_OURS + "s", _OURS + "again", place)
        if _leaves(first) and not isinstance(first, ast.Raise):
            raise Unknown("a return inside " + type(first).__name__)
        if isinstance(first, ast.Expr):
            raise Unknown("a statement for its effect")
        here = ast.unparse(self._plain(first)).splitlines()
        if isinstance(first, ast.Raise):
            return here
        bound = _bound_in([first])
        place = place._replace(
            bound=place.bound | bound, looped=place.looped | bound if place.depth else place.looped
        )
        return here + self._block(rest, place)

    def _is_silent(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Pass):
            return True
        if isinstance(statement, ast.Assign) and self._is_hand(statement.value):
            return True
        if not isinstance(statement, ast.Expr):
            return False
        value = statement.value
        if isinstance(value, (ast.Constant, ast.Name)):
            return True
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _SILENT:
            return self._is_hand(value.func.value) and not any(
                self._uses_dice(part) for part in (*value.args, *value.keywords)
            )
        return False

    def _is_again(self, statement: ast.Raise) -> bool:
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and self._global(raised.id) is ThrowAgain

    def _global(self, name: str) -> Any:
        if name in self.locals or name in self.dice or name in self.function.__code__.co_freevars:
            return None
        return self.function.__globals__.get(name, getattr(builtins, name, None))

    # Expressions.

    def _is_hand(self, node: ast.expr) -> bool:
        """Whether this is the dice, perhaps in a role's hand."""
        if isinstance(node, ast.Name):
            return node.id in self.dice
        return (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _HANDS
            and self._is_hand(node.func.value) and not any(self._uses_dice(part) for part in node.args)
        )

    def _uses_dice(self, node: ast.AST) -> bool:
        return any(isinstance(part, ast.Name) and part.id in self.dice for part in ast.walk(node))

    def _has_throw(self, node: ast.AST) -> bool:
        return any(self._called(part) in _THROWS for part in ast.walk(node))

    def _called(self, node: ast.AST) -> str:
        """The name of the dice's method that this calls, if it does."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and self._is_hand(node.func.value):
            return node.func.attr
        return ""

    def _first_throw(self, node: ast.AST) -> ast.expr | None:
        """What must be settled before this can be read: a throw, or a condition that guards one."""
        if not self._has_throw(node) or isinstance(node, ast.If):
            return None
        if isinstance(node, (ast.For, ast.While, ast.Match, ast.Lambda)):
            raise Unknown("dice inside " + type(node).__name__)
        if self._pool_summed(node) is not None:
            assert isinstance(node, ast.Call)
            return node
        if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            raise Unknown("dice inside a comprehension")
        if isinstance(node, ast.Compare) and any(self._has_throw(part) for part in node.comparators[1:]):
            raise Unknown("dice inside a chain of comparisons")
        if isinstance(node, ast.IfExp) and not self._has_throw(node.test):
            return node
        if isinstance(node, ast.BoolOp) and not self._has_throw(node.values[0]):
            return node
        if isinstance(node, ast.IfExp):
            return self._first_throw(node.test)
        if isinstance(node, ast.BoolOp):
            return self._first_throw(node.values[0])
        parts = [*node.args, *node.keywords] if self._called(node) else list(ast.iter_child_nodes(node))  # type: ignore[attr-defined]
        for part in parts:
            found = self._first_throw(part)
            if found is not None:
                return found
        return node if self._called(node) in _THROWS else None  # type: ignore[return-value]

    def _pool_summed(self, node: ast.AST) -> ast.GeneratorExp | None:
        """The generator of ``sum(f(face) for face in dice.pool(n, sides))``."""
        if not (isinstance(node, ast.Call) and _name(node.func) == "sum" and len(node.args) == 1 and not node.keywords):
            return None
        inside = node.args[0]
        if not isinstance(inside, ast.GeneratorExp) or self._global("sum") is not sum or len(inside.generators) != 1:
            return None
        over = inside.generators[0]
        if self._called(over.iter) != "pool" or any(self._uses_dice(part) for part in (inside.elt, *over.ifs)):
            return None
        assert isinstance(over.iter, ast.Call)
        return None if any(map(self._uses_dice, over.iter.args)) or not isinstance(over.target, ast.Name) else inside

    def _plain(self, node: Any) -> Any:
        """The same, without dice: choices go to the policy; anything else that names the dice is not known."""
        if isinstance(node, list):
            return [self._plain(part) for part in node]
        if not isinstance(node, ast.AST):
            return node
        if self._called(node) == "choose":
            assert isinstance(node, ast.Call)
            policy = ast.Name(_OURS + "policy", ast.Load())
            return ast.Call(
                ast.Name(_OURS + "chosen", ast.Load()), [policy, *self._plain(node.args)], self._plain(node.keywords)
            )
        if isinstance(node, ast.Name) and node.id in self.dice:
            raise Unknown("dice handed on")
        return _rebuilt(node, self._plain)

    # Throws.

    def _throw(self, first: ast.stmt, found: ast.expr, rest: list[ast.stmt], place: _Place) -> list[str]:
        if isinstance(found, ast.IfExp):
            yes, no = _swapped(first, found, found.body), _swapped(first, found, found.orelse)
            return self._block([ast.If(found.test, [yes], [no]), *rest], place)
        if isinstance(found, ast.BoolOp):
            name = self._new("b")
            others = found.values[1] if len(found.values) == 2 else ast.BoolOp(found.op, found.values[1:])
            known = ast.Name(name, ast.Load())
            onward, settled = _swapped(first, found, others), _swapped(first, found, known)
            if isinstance(found.op, ast.Or):
                onward, settled = settled, onward
            told = ast.Assign([ast.Name(name, ast.Store())], found.values[0], lineno=0)
            return self._block([told, ast.If(known, [onward], [settled]), *rest], place)
        if self._called(found) == "then" and not (isinstance(first, ast.Return) and first.value is found):
            raise Unknown("then, not returned")
        fall = self._fall(found)
        target: ast.expr
        if isinstance(first, ast.Assign) and first.value is found and len(first.targets) == 1:
            target = first.targets[0]
        else:
            target = ast.Name(self._new("v"), ast.Store())
            rest = [_swapped(first, found, ast.Name(target.id, ast.Load())), *rest]
        return self._loop(target, fall, rest, place)

    def _fall(self, node: ast.expr) -> ast.expr:
        """The expression of what a throw can give."""
        summed = self._pool_summed(node)
        assert isinstance(node, ast.Call)
        if summed is not None:
            over = summed.generators[0]
            assert isinstance(over.iter, ast.Call)
            number, sides = self._plain(over.iter.args)
            face, elt = ast.unparse(over.target), ast.unparse(self._plain(summed.elt))
            for condition in over.ifs:
                elt = f"({elt}) if {ast.unparse(self._plain(condition))} else 0"
            worth = f"tuple([{elt} for {face} in range(1, {ast.unparse(sides)} + 1)])"
            text = f"{_OURS}parts({ast.unparse(number)}, {worth})"
            return ast.parse(text, mode="eval").body
        called = self._called(node)
        helper = ast.Name(_OURS + called, ast.Load())
        args = self._plain(node.args)
        if called in ("resolve", "then"):
            if node.keywords:
                raise Unknown("keywords to resolve")
            policy = ast.Name(_OURS + "policy", ast.Load())
            weighed = ast.Call(helper, [args[0], policy, ast.Tuple(args[1:], ast.Load())], [])
            return ast.Attribute(weighed, "fall", ast.Load())
        keywords = [part for part in node.keywords if part.arg != "again"]
        return ast.Call(helper, args[:2], self._plain(keywords))

    def _loop(self, target: ast.expr, fall: ast.expr, rest: list[ast.stmt], place: _Place) -> list[str]:
        bound = _stored(target)
        count, table = self._new("c"), self._new("f")
        loads = {part.id for part in ast.walk(fall) if isinstance(part, ast.Name)}
        once = place.depth > 0 and not loads & place.looped
        falls = f"{ast.unparse(target)}, {count} in {_OURS}zip({table}.values, {table}.ways):"
        found = [f"{table} = {ast.unparse(fall)}"]
        read, read_rest = self._read_of(bound, rest, place) if once or self._throws_in(rest) else ({}, rest)
        if read:
            rest, bound = read_rest, set(read.values())
            rows = self._new("r")
            found += [f"{rows} = []", f"for {falls}", f"    {rows}.append(({', '.join(read)}, {count}))"]
            if not all(isinstance(ast.parse(part, mode="eval").body, ast.Attribute) for part in read):
                found.append(f"{rows} = {_OURS}merged({rows})")
            falls = f"{', '.join(read.values())}, {count} in {rows}:"
        if once:
            self.once.append(f"{table} = None")
            found = [f"if {table} is None:", *_indented(found)]
        ways, total = count, self._new("n")
        inside: list[str] = []
        if place.depth:
            ways = self._new("w")
            inside.append(f"{ways} = {place.ways} * {count}")
            found.append(f"{total} = {place.total} * {table}.total")
        else:
            found.append(f"{total} = {table}.total")
        later = _bound_in(rest)
        for name in sorted(place.bound & later - bound):
            kept = self._new("k")
            found.append(f"{kept} = {name}")
            inside.append(f"{name} = {kept}")
        within = _Place(ways, total, place.depth + 1, place.bound | bound, place.looped | bound | later, {})
        body = self._block(rest, within)
        return [*found, *_prepared(within), f"for {falls}", *_indented(inside + body)]

    def _throws_in(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether another throw follows, not only in some case."""
        return any(self._has_throw(statement) for statement in statements if not isinstance(statement, ast.If))

    def _read_of(self, thrown: set[str], rest: list[ast.stmt], place: _Place) -> tuple[dict[str, str], list[ast.stmt]]:
        """What a rule reads of a thrown value, when that can be worked out as soon as it is thrown.

        Gives the expressions read, each with a name, and what follows reading these names; nothing if the value
        itself is read too.
        """
        changing = place.looped | _bound_in(rest)
        read: dict[str, str] = {}

        def told(node: Any) -> Any:
            if isinstance(node, list):
                return [told(part) for part in node]
            if not isinstance(node, ast.AST):
                return node
            if isinstance(node, ast.Name) and node.id in thrown:
                raise Unknown("read as it is")
            if isinstance(node, ast.expr) and not isinstance(node, _NOT_WHOLE) and not self._uses_dice(node):
                names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
                if names & thrown and not names & changing - thrown:
                    name = read.setdefault(ast.unparse(node), f"{_OURS}e{self.made}_{len(read)}")
                    return ast.Name(name, ast.Load())
            return _rebuilt(node, told)

        try:
            if thrown & changing:
                return {}, rest
            changed = told(rest)
        except Unknown:
            return {}, rest
        return (read, changed) if len(read) <= _MOST_READ else ({}, rest)

    # Results.

    def _leaf(self, value: ast.expr, place: _Place) -> list[str]:
        built = self._plain_value(value)
        if built is None or place.depth < 2:
            return self._count(_OURS + "s", ast.unparse(value if built is None else self._quickly(built)), place)
        atoms = [part for part in built.args if not self._known_throughout(part)]
        names = [f"{_OURS}a{number}" for number in range(len(atoms))]
        site = self._new("s")
        args = [
            ast.Name(names[atoms.index(part)], ast.Load()) if part in atoms else part for part in built.args
        ]
        self.sites[site] = (names, ast.unparse(self._quickly(ast.Call(built.func, args, []))))
        return self._count(site, _as_key(ast.unparse(part) for part in atoms), place)

    def _plain_value(self, value: ast.expr) -> ast.Call | None:
        """A value built by a class whose equality is that of its arguments."""
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.keywords:
            return None
        made = self._global(value.func.id)
        plain = isinstance(made, type) and (
            (issubclass(made, tuple) and hasattr(made, "_fields") and made.__eq__ is tuple.__eq__) or is_dataclass(made)
        )
        return value if plain and not any(isinstance(arg, ast.Starred) for arg in value.args) else None

    def _quickly(self, built: ast.Call) -> ast.expr:
        """The same value; a named tuple that changes nothing in its making is made as a tuple."""
        made = self._global(_name(built.func))
        if made.__new__.__module__ != f"namedtuple_{made.__name__}" or len(built.args) != len(made._fields):
            return built
        return ast.Call(ast.Name(_OURS + "tuple", ast.Load()), [built.func, ast.Tuple(built.args, ast.Load())], [])

    def _known_throughout(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return True
        return isinstance(node, ast.Name) and node.id in self.params and node.id not in _bound_in(self.node.body)

    def _count(self, site: str, key: str, place: _Place) -> list[str]:
        tally = place.tallies.setdefault(site, f"{_OURS}t{place.depth}_{len(place.tallies)}_{self.made}")
        return [f"{tally}[{key}] += {place.ways}"]


def _prepared(place: _Place) -> list[str]:
    return [f"{tally} = {site}[{place.total}]" for site, tally in place.tallies.items()]


def _as_key(parts: Iterable[str]) -> str:
    several = list(parts)
    return several[0] if len(several) == 1 else f"({', '.join(several)})"


def _indented(lines: Iterable[str]) -> list[str]:
    return ["    " + line for line in lines]


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _stored(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}


def _bindings(statements: Iterable[ast.stmt]) -> list[str]:
    """Every binding of a local name, comprehensions' own left out."""
    own = [id(target) for s in statements for node in ast.walk(s) if isinstance(node, ast.comprehension)
           for target in ast.walk(node.target)]
    return [
        node.id for s in statements for node in ast.walk(s)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in own
    ]


def _bound_in(statements: Iterable[ast.stmt]) -> set[str]:
    return set(_bindings(statements))


def _leaves(node: ast.AST) -> bool:
    return any(isinstance(part, (ast.Return, ast.Raise)) for part in ast.walk(node))


def _always_leaves(statements: Sequence[ast.stmt]) -> bool:
    last = statements[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _always_leaves(last.body) and _always_leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))


def _swapped(node: Any, old: ast.AST, new: ast.AST) -> Any:
    """The same tree with one part exchanged, the original left alone."""
    if node is old:
        return new
    if isinstance(node, list):
        return [_swapped(part, old, new) for part in node]
    if not isinstance(node, ast.AST):
        return node
    return _rebuilt(node, lambda part: _swapped(part, old, new))


def _rebuilt(node: ast.AST, change: Callable[[Any], Any]) -> Any:
    made: Any = type(node)
    return made(**{name: change(value) for name, value in ast.iter_fields(node)}, lineno=0, col_offset=0)


# What the written loops call.


_by_total: Callable[[], dict[int, dict[Any, int]]] = partial(defaultdict, partial(defaultdict, int))


def _chosen(
    policy: Callable[..., Any], who: str, key: str, options: Sequence[Any], usual: Any = None, rule: str = ""
) -> Any:
    if len(options) == 1:
        return options[0]
    return policy(who, key, tuple(options), options[0] if usual is None else usual)


def _merged(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of values and their ways, equal ones merged (``True`` and ``1`` are not)."""
    merged: dict[Any, int] = {}
    for *values, ways in rows:
        key = (*values, *map(type, values))
        merged[key] = merged.get(key, 0) + ways
    return [(*key[: len(key) // 2], ways) for key, ways in merged.items()]


@lru_cache(maxsize=512)
def of_parts(n: int, worth: tuple[int, ...]) -> Fall:
    """The sums of ``n`` dice whose faces are worth this much."""
    if not all(isinstance(value, int) for value in worth):
        raise Unknown("a sum of something other than whole numbers")
    ways: dict[int, int] = {0: 1}
    for _ in range(n):
        longer: dict[int, int] = {}
        for before, count in ways.items():
            for value in worth:
                longer[before + value] = longer.get(before + value, 0) + count
        ways = longer
    return Fall(tuple(ways), tuple(ways.values()), len(worth) ** n)


_HELPERS: dict[str, Any] = {
    _OURS + "sum": of_sum, _OURS + "pool": of_pool, _OURS + "counts": of_kinds, _OURS + "parts": of_parts,
    _OURS + "zip": zip, _OURS + "tuple": tuple.__new__, _OURS + "merged": _merged,
    _OURS + "again": ThrowAgain, _OURS + "chosen": _chosen, _OURS + "by_total": _by_total,
}
