"""The data files of a game: in its package, and in folders of its package where a long game is cut into parts.

A game names its parts in its ``rules.toml`` (``parts = ["people", "fights"]``); each may hold ``rules.toml``,
``options.toml``, ``text/``, ``tables/`` and the like. What several files hold is read as one: sections are joined,
lists go on from each other in the order of the parts, and nothing may be said twice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


class SaidTwice(ValueError):
    """Two data files of a game say the same thing."""


def folders(package: str) -> tuple[Traversable, ...]:
    """The package's own folder, then those of its parts, in the order in which it names them."""
    whole = files(package)
    return whole, *(whole.joinpath(part) for part in read(whole.joinpath("rules.toml")).get("parts", ()))


def read(file: Traversable) -> dict[str, Any]:
    """The contents of a file, empty if there is none."""
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def joined(found: Iterable[Traversable]) -> dict[str, Any]:
    """The contents of several files as one."""
    whole: dict[str, Any] = {}
    for file in found:
        _join(whole, read(file), file.name)
    return whole


def _join(whole: dict[str, Any], more: Mapping[str, Any], where: str) -> None:
    """Add what another file holds, section by section."""
    for name, entry in more.items():
        before = whole.get(name)
        if isinstance(before, dict) and isinstance(entry, Mapping):
            _join(before, entry, f"{where}: {name}")
        elif isinstance(before, list) and isinstance(entry, list):
            twice = {_called(row) for row in before} & {_called(row) for row in entry} - {None}
            if twice:
                raise SaidTwice(f"{where}: {name}: {sorted(map(str, twice))}")
            whole[name] = before + entry
        elif name in whole:
            raise SaidTwice(f"{where}: {name}")
        else:
            whole[name] = entry


def _called(row: Any) -> Any:
    """What a row of a list is known by, if by anything."""
    return row.get("id", row.get("key")) if isinstance(row, Mapping) else None
