"""Records that keep in step: what is said of the same thing on several sheets is the same on all of them.

A kind of record says which kinds it follows. Once a command has changed one of those, whatever follows it is written
down as it now is, in the same breath; undoing the one brings the other back by the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paravent.game import Rulings, System, to_plain
from paravent.game.errors import STUMBLES
from paravent.game.records import GM

from . import events as e
from .deciding import touching
from .events import Sheet
from .sheets import record_read
from .state import State


def followed(before: State, after: State, system: System) -> list[e.AnyEvent]:
    """What keeps records in step with those that changed; nothing where all are."""
    if before.records is after.records or not any(kind.follows for kind in system.kinds.values()):
        return []
    rulings = system.book.still(after.rulings)
    now, moved = dict(after.records), list[str]()
    due = [name for name, held in now.items() if before.records.get(name) is not held]
    for name in due:
        for other, held in _in_step(now, name, system, rulings):
            now[other] = held
            moved.append(other)
            if len(due) <= 2 * len(now):  # two that never agree are left as they are
                due.append(other)
    records = {name: now[name] for name in moved if now[name] != after.records[name]}
    if not records:
        return []
    was = {name: after.records[name] for name in records}
    return touching(after, [e.RecordsFollowed(records=records, before=was, audience=(GM,))], system)


def _in_step(
    records: dict[str, Sheet], name: str, system: System, rulings: Rulings
) -> Iterator[tuple[str, Sheet]]:
    """The records that follow one of a name and are not yet as it makes them, as they then are."""
    lead = records[name]
    leading = record_read(lead, system)
    for other, held in list(records.items()):
        kind = system.kinds.get(held.kind)
        follow = kind.follows.get(lead.kind) if kind is not None else None
        if follow is None or leading is None or other == name or (record := record_read(held, system)) is None:
            continue
        try:
            then = follow(other, record, name, leading, rulings)
        except STUMBLES:
            continue
        if then != record:
            sheet = to_plain(then)
            yield other, replace(held, sheet=sheet, name=str(sheet.get("name") or held.name))
