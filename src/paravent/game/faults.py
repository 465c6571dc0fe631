"""Whose fault it is: an exception that the code of a game raised is its author's, with the file and the line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType, FunctionType, TracebackType

from .errors import GameFault, UndeclaredOption

_PLACES: set[str] = set()
"""Where the games live that were found: their folders, or their files."""


def lives_at(package: str) -> None:
    """Remember where the code of a game stands."""
    module = sys.modules.get(package)
    places = list(getattr(module, "__path__", ())) or [getattr(module, "__file__", None) or ""]
    _PLACES.update(str(Path(place).resolve()) for place in places if place)


def place_of(error: BaseException, anywhere: bool = False) -> tuple[str, int] | None:
    """The file and line of a game where an exception came from, the innermost; of any file, if asked."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    found = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if anywhere or _of_a_game(file):
            found = file, step.tb_lineno
        last, step = step.tb_frame, step.tb_next
        if step is None and isinstance(error, TypeError):
            found = _called_wrongly(str(error).partition("()")[0], last) or found
    return found


def _called_wrongly(name: str, frame: FrameType) -> tuple[str, int] | None:
    """The file and line of a game's function that takes something else than it was given: it never began."""
    for value in frame.f_locals.values():
        parts: Iterable[str] = getattr(value, "_fields", ()) or getattr(value, "__dataclass_fields__", ())
        for function in (value, *(getattr(value, part, None) for part in parts)):
            if isinstance(function, FunctionType) and function.__qualname__ == name:
                code = function.__code__
                if _of_a_game(code.co_filename):
                    return code.co_filename, code.co_firstlineno
    return None


def _of_a_game(file: str) -> bool:
    path = Path(file).resolve()
    return str(path) in _PLACES or any(str(parent) in _PLACES for parent in path.parents)


def author_fault(error: Exception) -> GameFault | None:
    """What an exception says of the game's code, if it was raised there."""
    place = place_of(error)
    if place is None:
        return None
    file, line = place
    if isinstance(error, AttributeError) and type(error.obj).__name__ == "Rulings":
        return UndeclaredOption(option=error.name, file=file, line=line)
    return GameFault(file=file, line=line, why=f"{type(error).__name__}: {error}" if str(error)
                     else type(error).__name__)


def why(error: BaseException) -> str:
    """An exception in one line, with where it was raised."""
    said = f"{type(error).__name__}: {error}"
    place = place_of(error, anywhere=True)
    inner = place is not None and not place[0].startswith("<") and "importlib" not in place[0]
    return f"{said} — {place[0]}:{place[1]}" if place is not None and inner else said
