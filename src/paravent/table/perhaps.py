"""How an encounter may stand for all that one seat knows: as it was shown, or with somebody in it who was not.

Whoever a seat may not know of is left out of every list that names people. So a rule is tried on the encounter as it
was shown, and then with somebody more in this list, in that one, in all of them, at every place, and with several: of
such a one nothing is known but that they are nobody else. A rule that looks at anything else of theirs depends on
something hidden. What a rule makes of it each time alike, it makes whoever is there.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, NoReturn

from paravent.game.errors import Withheld

_SEVERAL = 7
_NOBODY = "somebody else "


class _Stranger:
    """An entry of a list about somebody of whom nothing is known but that they are nobody else."""

    def __init__(self, at: int) -> None:
        self.id = f"{_NOBODY}{at}"

    def _withhold(self, *_: object) -> NoReturn:
        raise Withheld(what="id")

    def __eq__(self, other: object) -> bool:
        return other is self or self._withhold()

    __hash__ = object.__hash__
    __iter__ = __len__ = __bool__ = __contains__ = __getitem__ = __getattr__ = __call__ = _withhold


def perhaps(state: Any, untold: Set[str]) -> Iterator[Any]:
    """The same encounter with somebody in it who was not shown; ``untold`` are the fields that are withheld anyway."""
    hints = typing.get_type_hints(type(state))
    lists: dict[str, Any] = {part.name: getattr(state, part.name) for part in fields(state)
                             if part.name not in untold and _names_people(hints[part.name])}
    if not lists:
        return
    longest = max(map(len, lists.values()))
    places: list[tuple[int, ...]] = [(at,) for at in range(longest + 1)]
    places += [(0,) * _SEVERAL, (longest,) * _SEVERAL, tuple(range(longest + 1))]
    for where in places:
        there = {name: _with_strangers(value, hints[name], where) for name, value in lists.items()}
        yield from (replace(state, **{name: value}) for name, value in there.items())
        yield replace(state, **there)


@cache
def lists_within(kind: type) -> frozenset[str]:
    """The fields whose entries may list people themselves: who is left out there is not tried."""
    return frozenset(name for name, hint in typing.get_type_hints(kind).items() if _has_lists(_listed(hint) or hint))


def _has_lists(kind: Any) -> bool:
    return any(_names_people(inner) or _has_lists(_listed(inner) or inner) for inner in _inner(kind))


def _inner(kind: Any) -> tuple[Any, ...]:
    has_parts = isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))
    return tuple(typing.get_type_hints(kind).values()) if has_parts else typing.get_args(kind)


def _names_people(hint: Any) -> bool:
    """Whether a field lists what may name somebody."""
    listed = _listed(hint)
    return listed is not None and listed not in (int, bool) and not (
        isinstance(listed, type) and issubclass(listed, Enum))


def _listed(hint: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (tuple, list, frozenset):
        return args[0] if args else object
    return object if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping) else None


def _with_strangers(value: Any, hint: Any, where: Sequence[int]) -> Any:
    strangers = [_Stranger(at) for at in range(len(where))]
    if isinstance(value, Mapping):
        return {**value, **{one.id: one for one in strangers}}
    entries = list(value)
    for at, one in sorted(zip(where, strangers, strict=True), key=lambda pair: -pair[0]):
        entries.insert(at, one.id if _listed(hint) is str else one)
    return type(value)(entries)
