"""The reference of what games and programs may call, from the docstrings: a page for each room, built with the site."""

import enum
import importlib
import inspect
import re
from collections.abc import Iterator

ROOMS = {"paravent.dice": "Dice and odds", "paravent.game": "What a game declares", "paravent.table": "A table in play"}
_ROLE = re.compile(r":\w+:`~?([^`]+)`")


def page(room: str) -> str:
    """The page of one room, in Markdown."""
    module = importlib.import_module(room)
    lines = [f"# `{room}`", "", f"*{ROOMS[room]}. Made from the docstrings of the code.*", ""]
    lines += [*prose(module.__doc__), ""]
    for name in sorted(getattr(module, "__all__", ()), key=str.lower):
        thing = getattr(module, name)
        lines += [f"## {name}", "", *told(name, thing)]
    return "\n".join(lines) + "\n"


def told(name: str, thing: object) -> Iterator[str]:
    """A signature, what it is for, and what it can do."""
    if callable(thing):
        yield from ("```text", f"{name}{_signature(thing)}", "```", "")
    doc = inspect.getdoc(thing) if inspect.isclass(thing) or inspect.isroutine(thing) else None
    yield from prose(doc if doc and not doc.startswith(f"{name}(") else "")
    yield ""
    if not inspect.isclass(thing) or issubclass(thing, enum.Enum):
        return
    for member, value in vars(thing).items():
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if member.startswith("_") or not (inspect.isfunction(function) or isinstance(value, property)):
            continue
        if not value.__doc__:
            continue
        called = "" if isinstance(value, property) else _signature(function)
        yield from (f"### {name}.{member}", "", "```text", f"{member}{called}", "```", "", *prose(value.__doc__), "")


def _signature(thing: object) -> str:
    try:
        shown = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    return re.sub(r"<[^>]*>", "…", shown.replace("'", ""))


def prose(doc: str | None) -> Iterator[str]:
    """A docstring as Markdown: examples in blocks, names in code."""
    inside = False
    for line in inspect.cleandoc(doc or "").splitlines():
        example = line.startswith((">>>", "...")) or (inside and line.strip() != "")
        if example != inside:
            yield from ("", "```pycon") if example else ("```", "")
            inside = example
        yield line if example else _ROLE.sub(r"`\1`", line.replace("``", "`")).replace("<", "&lt;")
    if inside:
        yield "```"
