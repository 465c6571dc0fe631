"""The reference of what games and programs may call, from the docstrings: a page for each room, built with the site."""

import ast
import enum
import importlib
import inspect
import itertools
import re
import sys
import textwrap
import typing
from collections.abc import Iterator

ROOMS = {"paravent.dice": "Dice and odds", "paravent.game": "What a game declares", "paravent.table": "A table in play"}
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_LONGEST = 30
"""What is left of a default that takes more to write: three points."""


def page(room: str) -> str:
    """The page of one room, in Markdown."""
    module = importlib.import_module(room)
    lines = [f"# `{room}`", "", f"*{ROOMS[room]}. Made from the docstrings of the code.*", ""]
    lines += [*prose(module.__doc__), ""]
    for name in sorted(getattr(module, "__all__", ()), key=str.lower):
        thing = getattr(module, name)
        lines += [f"## {name}", "", *told(name, thing)]
        if not _is_called(thing):
            shown = _default(thing)
            lines += [] if shown == "…" or callable(thing) else [f"`{shown}`", ""]
            lines += [*prose(_beside(name, thing)), ""]
    return "\n".join(lines) + "\n"


def told(name: str, thing: object) -> Iterator[str]:
    """A signature, what it is for, and what it can do."""
    if _is_called(thing):
        yield from ("```text", f"{name}{_signature(thing)}", "```", "")
    doc = inspect.getdoc(thing) if _is_called(thing) else None
    yield from prose(doc if doc and not doc.startswith(f"{name}(") else "")
    yield ""
    if not inspect.isclass(thing) or thing is typing.Any or issubclass(thing, enum.Enum):
        return
    attributes = _documented(textwrap.dedent(inspect.getsource(thing))) if thing.__module__ != "builtins" else {}
    for member, words in attributes.items():
        if not member.startswith("_"):
            first, *more = prose(words)
            yield from (f"- `{member}`: {first}", *(f"  {line}" if line else "" for line in more))
    yield ""
    for member, value in vars(thing).items():
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if (member.startswith("_") and member != "__getitem__") or not (
                inspect.isfunction(function) or isinstance(value, property)):
            continue
        if not value.__doc__:
            continue
        called = "" if isinstance(value, property) else _signature(function)
        yield from (f"### {name}.{member}", "", "```text", f"{member}{called}", "```", "", *prose(value.__doc__), "")


def _is_called(thing: object) -> bool:
    """Whether it is a class or a function: an alias of types, and what stands for any, are neither."""
    return thing is not typing.Any and (inspect.isclass(thing) or inspect.isroutine(thing))


def _documented(source: str) -> dict[str, str]:
    """What is said of the attributes of a class, or of the names of a module: a text below each."""
    body = ast.parse(source).body
    body = [part for node in body for part in ([node, *node.orelse] if isinstance(node, ast.If) else [node])]
    if len(body) == 1 and isinstance(body[0], ast.ClassDef):
        body = body[0].body
    found = {}
    for node, below in itertools.pairwise(body):
        named = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [None])
        target = named[0]
        text = below.value if isinstance(below, ast.Expr) else None
        if isinstance(target, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
            found[target.id] = text.value
    return found


def _beside(name: str, thing: object) -> str:
    """What is said of a constant where it is written."""
    for module in [one for key, one in sys.modules.items() if key.startswith("paravent.")]:
        if vars(module).get(name) is thing and getattr(module, "__file__", None):
            found = _documented(inspect.getsource(module)).get(name)
            if found:
                return found
    return ""


def _signature(thing: object) -> str:
    """What it is called with, one to a line where that is long."""
    try:
        known = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    parameters = []
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    starred = False
    for one in known.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not starred:
            parameters.append("*")
        starred |= one.kind in (one.VAR_POSITIONAL, one.KEYWORD_ONLY)
        typed = f": {_annotation(one.annotation)}" if one.annotation is not one.empty else ""
        default = "" if one.default is one.empty else f" = {_default(one.default)}"
        parameters.append(kinds.get(one.kind, "") + one.name + typed + (default if typed else default.replace(" ", "")))
    gives = known.return_annotation
    inside = ", ".join(parameters)
    if len(inside) > 90:
        inside = "".join(f"\n    {one}," for one in parameters) + "\n"
    return f"({inside})" + ("" if gives in (known.empty, None, "None") else f" -> {_annotation(gives)}")


def _annotation(annotation: object) -> str:
    shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"ForwardRef\('([^']*)'\)", r"\1", re.sub(r"<[^>]*>", "…", shown))


def _default(value: object) -> str:
    shown = repr(value)
    return "…" if "<" in shown or len(shown) > _LONGEST else shown


def prose(doc: str | None) -> Iterator[str]:
    """A docstring as Markdown: examples in blocks, names in code."""
    inside = False
    for line in inspect.cleandoc(doc or "").splitlines():
        example = line.startswith((">>>", "...")) or (inside and line.strip() != "")
        if example != inside:
            yield from ("", "```pycon") if example else ("```", "")
            inside = example
        yield line if example else "".join(
            part if part.startswith("`") else part.replace("<", "&lt;")
            for part in re.split(r"(`[^`]*`)", _ROLE.sub(r"`\1`", line.replace("``", "`"))))
    if inside:
        yield "```"
