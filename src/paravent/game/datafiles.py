"""The data files of a game: in its package, and in folders of its package where a long game is cut into parts.

A game names its parts in its ``rules.toml`` (``parts = ["people", "fights"]``); each may hold ``rules.toml``,
``options.toml``, ``text/``, ``tables/`` and the like. What several files hold is read as one: sections are joined,
lists go on from each other in the order of the parts, and nothing may be said twice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from .errors import GarbledFile
from .plain import Plain


class SaidTwice(ValueError):
    """Two data files of a game say the same thing."""


class Parts(msgspec.Struct):
    """The parts that a long game names."""

    parts: tuple[str, ...] = ()


def folders(package: str) -> tuple[Traversable, ...]:
    """The package's own folder, then those of its parts, in the order in which it names them."""
    whole = files(package)
    named = msgspec.convert(read(whole.joinpath("rules.toml")), Parts)
    return whole, *(whole.joinpath(part) for part in named.parts)


_NO_RULE = ("text", "templates", "__pycache__")
"""Folders in which nothing stands that a result depends on."""


@lru_cache(maxsize=32)
def rules_mark(package: str) -> str:
    """A short mark of a game's rules and tables, as they are installed: another one where anything of them changed."""
    found = sha256()
    for file in _files(files(package)):
        found.update(file.read_bytes())
    return found.hexdigest()[:12]


def _files(folder: Traversable) -> Iterator[Traversable]:
    for found in sorted(folder.iterdir(), key=lambda one: one.name):
        if found.is_dir() and found.name not in _NO_RULE:
            yield from _files(found)
        elif found.is_file() and found.name.endswith((".py", ".toml")):
            yield found


def read(file: Traversable) -> dict[str, Plain]:
    """The contents of a file, empty if there is none."""
    try:
        return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError as error:  # not TOML, or not text
        raise GarbledFile(file=str(file), why=str(error)) from error


def joined(found: Iterable[Traversable]) -> dict[str, Plain]:
    """The contents of several files as one."""
    whole: dict[str, Plain] = {}
    for file in found:
        _join(whole, read(file), file.name)
    return whole


def _join(whole: dict[str, Plain], more: Mapping[str, Plain], where: str) -> None:
    """Add what another file holds, section by section."""
    for name, entry in more.items():
        before = whole.get(name)
        if isinstance(before, dict) and isinstance(entry, dict):
            _join(before, entry, f"{where}: {name}")
        elif isinstance(before, list) and isinstance(entry, list):
            twice = {_called(row) for row in before} & {_called(row) for row in entry} - {""}
            if twice:
                raise SaidTwice(f"{where}: {name}: {sorted(twice)}")
            whole[name] = before + entry
        elif name in whole:
            raise SaidTwice(f"{where}: {name}")
        else:
            whole[name] = entry


def _called(row: Plain) -> str:
    """What a row of a list is known by, if by anything."""
    match row:
        case {"id": name} | {"key": name}:
            return str(name)
    return ""
