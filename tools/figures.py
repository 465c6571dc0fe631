"""How much of the house is checked by its types: ``python tools/figures.py``, which ``make lint`` calls.

What is counted, in ``src/paravent``:

- *string keys*, in ``table``, ``game`` and ``web``: every ``x["name"]`` (read, written or deleted) and every
  ``x.get("name")`` with the name written out. Headers and forms are counted too: there are few. What stands over a
  function (``@router.get("/…")``) reads nothing, and is not;
- *Any*: the name wherever it is used, its imports aside, for a thousand lines of code. Blank lines, comments and
  docstrings are no lines of code;
- *cast*: calls of ``typing.cast``; *object mappings*: ``dict[…, object]``, ``Mapping[…, object]`` and their kin;
  *type: ignore*: comments that say so.

``--check FILE`` compares with ceilings (a JSON object, by figure): whatever has risen above its own is said, and the
program fails. Goals are printed beside the figures, and do not fail.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).parent.parent / "src" / "paravent"
KEPT = ("table", "game", "web")
"""The rooms that read what is kept."""
GOALS = {"string keys": 150, "Any": 12, "Any in game": 20, "Any in dice": 20}
NEVER_MORE = ("cast", "object mappings", "type: ignore")
MAPPINGS = ("dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict")
_NO_CODE = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def counted(source: str) -> Counter[str]:
    """Everything that is counted in one file."""
    nodes = list(ast.walk(ast.parse(source)))
    declares = {id(part) for node in nodes for part in getattr(node, "decorator_list", ())}
    found: Counter[str] = Counter(name for node in nodes if id(node) not in declares for name in _kinds(node))
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    found["type: ignore"] = sum(t.type == tokenize.COMMENT and "type: ignore" in t.string for t in tokens)
    written = {line for t in tokens if t.type not in _NO_CODE for line in range(t.start[0], t.end[0] + 1)}
    found["lines"] = len(written - {line for node in nodes for line in _told(node)})
    return found


def _kinds(node: ast.AST) -> Iterator[str]:
    """What a piece of code is counted as."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str())):
            yield "string keys"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=[_, ast.Name(id="object")])):
            if name in MAPPINGS:
                yield "object mappings"
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str()), *_]):
            yield "string keys"
        case ast.Call(func=ast.Name(id="cast") | ast.Attribute(value=ast.Name(id="typing"), attr="cast")):
            yield "cast"
        case ast.Name(id="Any") | ast.Attribute(value=ast.Name(id="typing"), attr="Any"):
            yield "Any"


def _told(node: ast.AST) -> range:
    """The lines of a sentence that stands alone: a docstring, or what is said under an attribute."""
    match node:
        case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int() as last):
            return range(first, last + 1)
    return range(0)


def figures(house: Path) -> dict[str, float]:
    """The figures of a house, by name."""
    files = {file.relative_to(house): counted(file.read_text("utf-8")) for file in house.rglob("*.py")}

    def total(*rooms: str) -> Counter[str]:
        return sum((found for file, found in files.items() if not rooms or file.parts[0] in rooms), Counter())

    return {
        "string keys": total(*KEPT)["string keys"],
        "Any": _by_thousand(total()),
        **{f"Any in {room}": _by_thousand(total(room)) for room in ("game", "dice")},
        **{name: total()[name] for name in NEVER_MORE},
    }


def _by_thousand(found: Counter[str]) -> float:
    return round(1000 * found["Any"] / max(1, found["lines"]), 1)


def risen(now: dict[str, float], ceilings: dict[str, float]) -> list[str]:
    """What stands above its ceiling, in words."""
    return [f"{name}: {now[name]:g}, and {most:g} is the most" for name, most in ceilings.items() if now[name] > most]


def main(asked: list[str]) -> int:
    parser = argparse.ArgumentParser(description="how much of the house is checked by its types")
    parser.add_argument("--check", type=Path, metavar="FILE", help="a JSON file of ceilings")
    options = parser.parse_args(asked)
    now = figures(HOUSE)
    print(", ".join(f"{name} {figure:g}" + (f" (goal {GOALS[name]})" if name in GOALS else "")
                    for name, figure in now.items()))
    too_many = risen(now, json.loads(options.check.read_text("utf-8"))) if options.check else []
    for line in too_many:
        print(line, file=sys.stderr)
    return 1 if too_many else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
