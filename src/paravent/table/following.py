"""Records that keep in step: what is said of the same thing on several sheets is the same on all of them.

A kind of record says which kinds it follows. Once a command has changed one of those, whatever follows it is written
down as it now is, in the same breath; undoing the one brings the other back by the same way. A kind may say as well
which kinds bring one of it along: what was not there yet comes, once; the line of the log that tells of it can be
taken back.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paravent.game import ParaventError, Rulings, System, to_plain
from paravent.game.errors import STUMBLES
from paravent.game.records import GM

from . import events as e
from .deciding import Fresh, folded, touching
from .events import Sheet
from .records import record_added
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


def brought_along(before: State, after: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """What comes to the table because records that were there have changed; nothing in most games."""
    kinds = {name: kind for name, kind in system.kinds.items() if kind.comes}
    if before.records is after.records or not kinds:
        return []
    rulings, told = system.book.still(after.rulings), list[e.AnyEvent]()
    for name, lead in after.records.items():
        was = before.records.get(name)
        for kind in kinds.values() if was is not None and was is not lead else ():
            come = kind.comes.get(lead.kind)
            if come is None or was is None or was.kind != lead.kind:
                continue
            now = folded(after, told)
            others = {other: record for other, held in now.records.items()
                      if held.kind == kind.id and (record := record_read(held, system)) is not None}
            try:
                found = come(name, record_read(was, system), record_read(lead, system), others, rulings)
                if found is None:
                    continue
                like, record = now.records[found[0]], found[1]
                added = record_added(now, system, fresh.name(), kind, record, like.owner, frozenset(like.seen_by))
            except (ParaventError, *STUMBLES):
                continue
            told.append(replace(added, together=True))
    return told


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
