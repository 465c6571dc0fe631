"""A function written again so that more of it is in sight while it is under way.

What a ``for`` goes through, a list that is being made, the first of two numbers that are added up: Python keeps them
where nobody can look. If the source of a function is at hand, and is the one that it was made of, the same is compiled
with those kept in variables, or made by functions of ours (:mod:`.plainly`) that keep them there. What it does is the
same, line by line.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import TypeVar

from .places import KEPT

THROUGH_CALL, ROWS, SENT = "<through>", "<rows>", "<sent>"
"""What is called, by names that nobody can write: what a loop goes through; what goes through rows; what hears what a
generator is sent while it hands on another."""
MADE = {"ListComp": "<list>", "SetComp": "<set>", "DictComp": "<dict>"}
"""What makes lists, sets and dictionaries."""
_FLAGS = 0x0FFE0000
"""Those of ``from __future__ import``."""
_WITHIN_ITSELF = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=1024)
def in_view(code: CodeType, ours: frozenset[str] = frozenset()) -> CodeType:
    """The code of a function, with more in sight; the same, if its source is not at hand.

    Those called by the names that are ours take an expression as well as a list that is made of it.
    """
    try:
        return _again(code, ours - _own(code)) or code
    except (SyntaxError, ValueError, RecursionError, TypeError):
        return code


def _again(code: CodeType, ours: frozenset[str]) -> CodeType | None:
    lines = linecache.getlines(code.co_filename)
    for statement in _parsed("".join(lines)).body if lines else ():
        begins = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        if begins <= code.co_firstlineno <= (statement.end_lineno or 0):
            return _of_statement(code, ours, statement)
    return None


@lru_cache(maxsize=32)
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _of_statement(code: CodeType, ours: frozenset[str], statement: ast.stmt) -> CodeType | None:
    """The same function of what a statement is compiled to anew."""
    way = next(_ways_to(code, _compiled(statement, code)), None)
    if way is None:
        return None
    writing = _Writing(code.co_firstlineno, ours)
    made = _compiled(writing.visit(_deep(statement)), code)
    for nth in way:
        made = _inner(made)[nth]
    same = (made.co_name, made.co_freevars, made.co_argcount, made.co_kwonlyargcount, made.co_flags)
    return made if same == (code.co_name, code.co_freevars, code.co_argcount, code.co_kwonlyargcount,
                            code.co_flags) else None


def _deep(node: Node) -> Node:
    """A copy: what is parsed once is not written in."""
    made = type(node)(**{name: [_deep(one) if isinstance(one, ast.AST) else one for one in value]
                         if isinstance(value, list) else _deep(value) if isinstance(value, ast.AST) else value
                         for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node)


def _compiled(statement: ast.stmt, code: CodeType) -> CodeType:
    module = ast.fix_missing_locations(ast.Module([statement], []))
    made: CodeType = compile(module, code.co_filename, "exec", flags=code.co_flags & _FLAGS, dont_inherit=True)
    return made


def _own(code: CodeType) -> set[str]:
    """The variables of a function and of those within it."""
    return {*code.co_varnames, *code.co_cellvars, *code.co_freevars}.union(*map(_own, _inner(code)))


def _inner(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _ways_to(code: CodeType, made: CodeType) -> Iterator[tuple[int, ...]]:
    """Where a function is within what was compiled."""
    for nth, inner in enumerate(_inner(made)):
        if inner == code:
            yield (nth,)
        for way in _ways_to(code, inner):
            yield nth, *way


class _Writing(ast.NodeTransformer):
    """Writes what is in the functions of a line, and within them; other functions stay as they are."""

    def __init__(self, line: int, ours: frozenset[str]) -> None:
        self._line, self._ours = line, ours
        self._inside = False
        """Whether this is in a function that is to be written again."""
        self._decorated = False
        """Whether something else is made of that function: who knows what a generator of it is told."""
        self._made = 0
        self._unnamed = 0
        """How many expressions are around in which nothing can be named."""

    def _name(self, prefix: str) -> str:
        self._made += 1
        return f"{prefix}{self._made}>"

    def _function(self, node: Node) -> Node:
        first: int = min([getattr(node, "lineno", 0), *(one.lineno for one in getattr(node, "decorator_list", ()))])
        was = self._inside, self._unnamed, self._decorated
        self._inside, self._unnamed = self._inside or first == self._line, 0
        self._decorated = bool(getattr(node, "decorator_list", ()))
        self.generic_visit(node)
        self._inside, self._unnamed, self._decorated = was
        return node

    visit_FunctionDef = visit_Lambda = _function  # noqa: N815 - so named by Python

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(one) if isinstance(one, (ast.FunctionDef, ast.ClassDef)) else one for one in node.body]
        return node

    def visit_For(self, node: ast.For, known: bool = False) -> ast.For:
        if not known:
            self.generic_visit(node)
        if self._inside and not _tells_how_far(node.iter):
            kept = ast.NamedExpr(ast.Name(self._name(KEPT), ast.Store()), ast.List([], ast.Load()))
            node.iter = _located(ast.Call(ast.Name(THROUGH_CALL, ast.Load()), [node.iter, kept], []), node.iter)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """What a generator hands on, one by one; if it is sent anything meanwhile, that is not understood."""
        self.generic_visit(node)
        if not self._inside or self._decorated or not isinstance(node.value, ast.YieldFrom):
            return node
        value = self._name("<value ")
        handed_on = ast.Call(ast.Name(SENT, ast.Load()), [ast.Yield(ast.Name(value, ast.Load()))], [])
        loop = ast.For(ast.Name(value, ast.Store()), node.value.value, [ast.Expr(handed_on)], [])
        return _located(self.visit_For(loop, known=True), node)

    def _making(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.expr:
        wanted = self._inside and _calls(node)
        self._unnamed += 1
        self.generic_visit(node)
        self._unnamed -= 1
        if not wanted or any(one.is_async for one in node.generators):
            return node
        element = node.elt if not isinstance(node, ast.DictComp) else ast.Tuple([node.key, node.value], ast.Load())
        made = self._in_rows(ast.GeneratorExp(element, node.generators), node)
        how = MADE.get(type(node).__name__)
        return made if how is None else _located(ast.Call(ast.Name(how, ast.Load()), [made], []), node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _making  # noqa: N815

    def _in_rows(self, node: ast.GeneratorExp, at: ast.AST) -> ast.expr:
        """An expression with loops within loops as one that goes through rows, if nothing in it is left for later."""
        first, *others = node.generators
        if not others or any(isinstance(one, _WITHIN_ITSELF) for part in (node.elt, *others, *first.ifs)
                             for one in ast.walk(part)):
            return _located(node, at)
        row = self._in_rows(ast.GeneratorExp(node.elt, others), at)
        rows = _located(ast.GeneratorExp(row, [first]), at)
        return _located(ast.Call(ast.Name(ROWS, ast.Load()), [rows], []), at)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in self._ours and len(node.args) == 1:
            listed = node.args[0]
            if isinstance(listed, ast.ListComp) and self._inside and _calls(listed):
                node.args[0] = _located(ast.GeneratorExp(listed.elt, listed.generators), listed)
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        wanted = _calls(node.right)
        self.generic_visit(node)
        node.left = self._named(node.left) if wanted else node.left
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        wanted = _calls(node.comparators[0])
        self.generic_visit(node)
        node.left = self._named(node.left) if wanted else node.left
        return node

    def _named(self, value: ast.expr) -> ast.expr:
        """What was worked out, in a variable as well."""
        if not self._inside or self._unnamed or isinstance(value, (ast.Name, ast.Constant)):
            return value
        return _located(ast.NamedExpr(ast.Name(self._name("<first "), ast.Store()), value), value)


def _located(made: Node, at: ast.AST) -> Node:
    return ast.fix_missing_locations(ast.copy_location(made, at))


def _calls(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Call) for one in ast.walk(node))


def _tells_how_far(over: ast.expr) -> bool:
    """Whether the variable of a loop tells how far it is."""
    if isinstance(over, ast.Call):
        return isinstance(over.func, ast.Name) and over.func.id == "range"
    if not isinstance(over, ast.Tuple) or not all(isinstance(one, ast.Constant) for one in over.elts):
        return False
    constants = [one.value for one in over.elts if isinstance(one, ast.Constant)]
    return len({*constants}) == len(constants)


__all__ = ["MADE", "ROWS", "SENT", "THROUGH_CALL", "in_view"]
