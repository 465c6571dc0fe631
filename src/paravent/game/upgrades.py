"""Records that grow: what an earlier version of a game wrote down, brought along to what it writes now.

A kind of record has a version, and an upgrade for each version before it; where several records must change at once,
the game declares it :class:`Together`. What then still has no place is kept aside. A record that cannot be brought
along stays as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from paravent.dice import ParaventError

from .errors import BROKEN, LaterVersion, UnknownName, Unread
from .plain import Plain
from .records import placed

if TYPE_CHECKING:
    from .system import System

Values = dict[str, Plain]
"""The plain values of a record."""


@dataclass(frozen=True)
class Together:
    """An upgrade over several records at once.

    ``kinds`` says which version it reads of each kind; they become the next. ``upgrade`` is given the values of all
    such records, by kind and by name, and gives them back.
    """

    kinds: Mapping[str, int]
    upgrade: Callable[[Mapping[str, Mapping[str, Values]]], Mapping[str, Mapping[str, Values]]]


@dataclass(frozen=True)
class Written:
    """A record as it was written down: its kind, and the version of it; its values; what is kept aside."""

    kind: str
    version: int
    values: Values
    aside: Values


def upgraded(system: System, records: Mapping[str, Written]) -> dict[str, Written]:
    """Those of some records that this version of the game writes otherwise, as it does; the others are as they were."""
    climbing = {name: one for name, one in records.items()
                if one.kind in system.kinds and one.version <= system.kinds[one.kind].version}
    while climbing:
        climbing = _by_themselves(system, climbing)
        due = next((some for some in system.upgrades if _is_due(some, climbing)), None)
        if due is None:
            break
        climbing = _together(due, climbing)
    now = {name: _settled(system, one) for name, one in climbing.items()}
    return {name: one for name, one in now.items() if one is not None and one != records[name]}


def _by_themselves(system: System, records: Mapping[str, Written]) -> dict[str, Written]:
    """Each record as far as it gets by itself; one over which an upgrade stumbles is left out."""
    found = {}
    for name, one in records.items():
        kind = system.kinds[one.kind]
        try:
            while one.version < kind.version and not any(some.kinds.get(one.kind) == one.version
                                                         for some in system.upgrades):
                upgrade = kind.upgrades.get(one.version, dict)
                one = replace(one, version=one.version + 1, values=dict(upgrade(deepcopy(one.values))))
        except (ParaventError, *BROKEN):
            continue
        found[name] = one
    return found


def _is_due(some: Together, records: Mapping[str, Written]) -> bool:
    """Whether there are records of just these versions, and none that is still on its way there."""
    there = [(one.version, some.kinds[one.kind]) for one in records.values() if one.kind in some.kinds]
    return any(at == reads for at, reads in there) and all(at >= reads for at, reads in there)


def _together(due: Together, records: Mapping[str, Written]) -> dict[str, Written]:
    """The records after an upgrade over several at once; those over which it stumbles are left out."""
    names = [name for name, one in records.items() if due.kinds.get(one.kind) == one.version]
    given = {kind: {name: deepcopy(records[name].values) for name in names if records[name].kind == kind}
             for kind in due.kinds}
    others = {name: one for name, one in records.items() if name not in names}
    try:
        back = due.upgrade(given)
        moved = {name: replace(one, version=one.version + 1, values=dict(back[one.kind][name]))
                 for name in names for one in (records[name],)}
    except (ParaventError, *BROKEN):
        return others
    return {name: moved.get(name) or others[name] for name in records}


def _settled(system: System, one: Written) -> Written | None:
    """A record at its last version, what has no place in it kept aside; none where the game does not read it."""
    kind = system.kinds[one.kind]
    if one.version != kind.version:
        return None
    values, aside = placed(kind.cls, one.values)
    try:
        kind.from_plain(values)
    except (ParaventError, *BROKEN):
        return None
    return replace(one, values=values, aside={**one.aside, **aside})


def fault_of(system: System, one: Written) -> ParaventError | None:
    """Why the game does not read a record, if it does not."""
    kind = system.kinds.get(one.kind)
    if kind is None:
        return UnknownName("kind", one.kind, system.kinds)
    if one.version > kind.version:
        return LaterVersion(kind=one.kind, got=one.version, known=kind.version)
    try:
        kind.from_plain(one.values)
    except ParaventError as fault:
        return fault
    except BROKEN:
        return Unread(kind=one.kind)
    return None
