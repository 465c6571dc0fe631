"""A room imports only rooms above it in the design's table."""

import ast
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "paravent"

ROWS = [
    {"dice"},
    {"game"},
    {"systems"},
    {"table"},
    {"store"},
    {"web"},
    {"cli"},   # `paravent serve` opens the web
]
HEIGHT = {room: row for row, rooms in enumerate(ROWS) for room in rooms}

BESIDE = {
    "testing": {"dice", "game", "table"},   # plays a table without a log; finds systems as anybody does, by entry point
    "__init__": {"dice", "game"},
    "__main__": {"cli"},
}

ONLY_IN = {
    "typer": {"cli"},
    "rich": {"cli"},
    "fastapi": {"web"},
    "starlette": {"web"},
    "uvicorn": {"web", "cli"},
    "sqlalchemy": {"store"},
    "pytest": {"testing"},
    "hypothesis": {"testing"},
}


def name_of(path: Path) -> tuple[str, ...]:
    parts = ("paravent", *path.relative_to(SOURCE).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


def room_of(name: tuple[str, ...]) -> str:
    """``dice``, ``cli``, ``systems.conteur``; ``__init__`` for the package itself."""
    if len(name) == 1:
        return "__init__"
    return ".".join(name[1:3]) if name[1] == "systems" and len(name) > 2 else name[1]


def imports_of(path: Path) -> Iterator[tuple[str, ...]]:
    """What a file imports, wherever in the file, as full names."""
    package = name_of(path) if path.name == "__init__.py" else name_of(path)[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = (*base, *(node.module.split(".") if node.module else ()))
            yield from ((*start, alias.name) for alias in node.names)


def resolved(name: tuple[str, ...]) -> tuple[str, ...]:
    """The module behind ``from module import thing``: the longest part of the name that is a file of ours."""
    while len(name) > 1:
        place = SOURCE.joinpath(*name[1:])
        if place.is_dir() or place.with_suffix(".py").exists():
            break
        name = name[:-1]
    return name


FILES = sorted(SOURCE.rglob("*.py"))


def rooms_found() -> list[str]:
    found = sorted(room_of(name_of(path)) for path in FILES)
    return [room for room, _ in groupby(found)]


def may_import(room: str, other: str) -> bool:
    if room == other or other == "__init__":
        return True
    if room in BESIDE:
        return other in BESIDE[room]
    if other in BESIDE:
        return (room, other) == ("cli", "testing")  # `paravent check` runs the suite
    above, below = HEIGHT[other.partition(".")[0]], HEIGHT[room.partition(".")[0]]
    return above < below


@pytest.mark.parametrize("room", rooms_found())
def test_every_room_has_its_place_in_the_table(room: str) -> None:
    assert room.partition(".")[0] in {*HEIGHT, *BESIDE}, f"say in the design's table and here where {room} stands"


@pytest.mark.parametrize("room", rooms_found())
def test_a_room_imports_only_rooms_above_it(room: str) -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {'.'.join(name)}"
        for path in FILES
        if room_of(name_of(path)) == room
        for name in imports_of(path)
        if name[0] == "paravent" and not may_import(room, room_of(resolved(name)))
    ]
    assert wrong == []


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_used_only_in_its_room(library: str) -> None:
    wrong = [
        str(path.relative_to(SOURCE))
        for path in FILES
        if room_of(name_of(path)) not in ONLY_IN[library] and any(name[0] == library for name in imports_of(path))
    ]
    assert wrong == []


def test_the_walk_itself_sees_a_wrong_import() -> None:
    assert not may_import("dice", "game")
    assert not may_import("systems.conteur", "systems.simulacres")
    assert not may_import("game", "testing")
    assert not may_import("web", "cli")
    assert may_import("cli", "systems.conteur")
    assert may_import("testing", "game")
    assert resolved(("paravent", "dice", "odds", "Odds")) == ("paravent", "dice", "odds")
