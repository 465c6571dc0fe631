"""The games that twins play, and values for them: from what a game declares, shows in examples or draws."""

import dataclasses
import sys
import typing
from enum import Enum
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from veil import VEIL

from paravent.dice import SeededDice
from paravent.game import System, find_system, system_at, system_names, to_plain
from paravent.table.house import with_house_moves

ROOT = Path(__file__).parents[3]


@cache
def games() -> dict[str, System]:
    """Every game at hand: those installed, the example, and the one full of secrets."""
    found = {name: find_system(name) for name in system_names()}
    sys.path.insert(0, str(ROOT / "examples/fanal/src"))
    found.setdefault("fanal", system_at("fanal:SYSTEM"))
    return {**found, VEIL.id: VEIL}


def rota(system: System, luck: Random) -> list[str]:
    """Every move of a game, and those of the house, in some order: those of an encounter after the others."""
    moves = [move.id for move in with_house_moves(system).moves.values()]
    luck.shuffle(moves)
    return moves


@cache
def sheets_of(system_id: str, kind_id: str) -> list[dict[str, Any]]:
    """Plain records of a kind: ready-made, drawn, of examples; made up from the annotations where there are none."""
    system = games()[system_id]
    kind = system.kinds[kind_id]
    found = [to_plain(record) for record in kind.ready("fr").values()][:6]
    if kind.draw is not None:
        rulings = system.book.rulings()
        found += [to_plain(SeededDice(f"{kind_id} {n}").resolve(kind.draw, rulings)) for n in range(2)]
    for examples in system.examples.values():
        for sheet in (sheet for example in examples for sheet in example.get("sheets", {}).values()):
            if not isinstance(sheet, str) and sheet.get("kind", "character") == kind_id:
                found.append(to_plain(kind.from_plain(sheet)))
    while len(found) < 4:
        found.append(to_plain(_made_up(kind.cls, Random(len(found)), "")))
    return found


def _made_up(typed: Any, luck: Random, name: str) -> Any:
    """A value of a type, from its annotations."""
    if dataclasses.is_dataclass(typed) and isinstance(typed, type):
        hints = typing.get_type_hints(typed)
        return typed(**{part.name: _made_up(hints[part.name], luck, part.name) for part in dataclasses.fields(typed)
                        if part.name == "name" or (part.default is dataclasses.MISSING
                        and part.default_factory is dataclasses.MISSING)})
    if isinstance(typed, type) and issubclass(typed, Enum):
        return luck.choice(list(typed))
    if typed is bool:
        return luck.random() < 0.5
    if typed is int:
        return luck.randint(3, 9)
    if typed is str:
        return f"{name} {luck.randint(1, 99)}"
    return () if typing.get_origin(typed) is tuple else {}


def otherwise(value: Any, luck: Random, others: list[Any]) -> Any:
    """Another value where this one stands: that of some other record, or a number a little off."""
    known = [other for other in others if other != value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and luck.random() < 0.6:
        return max(0, value + luck.choice((-2, -1, 1, 2)))
    if isinstance(value, str) and not known:
        return f"{value} {luck.randint(1, 99)}"
    return luck.choice(known) if known else value
