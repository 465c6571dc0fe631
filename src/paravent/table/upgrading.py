"""Records of an earlier version of the game, brought along when a table is opened or one is brought to it.

They are written down as they now are, so that whatever is said of a record afterwards (a field that is shown,
corrected or changed by a move) is said of it in its present form. Acts under way hold the sheets that they read: these
are brought along too, so that they play on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from msgspec.structs import replace

from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.game.records import GM
from paravent.game.upgrades import Written, upgraded

from . import events as e
from .act import Act, Part, Progress, progress
from .deciding import touching
from .events import Sheet
from .house import with_house_moves
from .rereading import proposed_anew
from .sheets import as_written
from .state import State


def upgrades(state: State, system: System) -> list[e.AnyEvent]:
    """The event that brings along what an earlier version of the game wrote at this table; none where nothing is."""
    records = {name: _sheet(state.records[name], one) for name, one in upgraded(system, {
        name: as_written(held) for name, held in state.records.items()}).items()}
    acts = {act.id: then for act in state.open_moves() if (then := _act(state, system, act)) != Progress()}
    if not records and not acts:
        return []
    before = {name: state.records[name] for name in records}
    return touching(state, [e.RecordsUpgraded(records=records, before=before, acts=acts, audience=(GM,))], system)


def come_upgraded(state: State, events: Iterable[e.AnyEvent], system: System) -> list[e.AnyEvent]:
    """What brings along a record of an earlier version that these events brought to the table, if they did."""
    brought = [(event.kind, event.version) for event in events if isinstance(event, e.RecordAdded)]
    brought += [(made.kind, made.version) for event in events if isinstance(event, e.Changed) for made in event.changes
                if isinstance(made.after, dict) and not made.path]
    old = any(kind in system.kinds and version < system.kinds[kind].version for kind, version in brought)
    return upgrades(state, system) if old else []


def _sheet(held: Sheet, one: Written) -> Sheet:
    return replace(held, sheet=one.values, version=one.version, aside=one.aside,
                   name=str(one.values.get("name") or held.name))


def _act(state: State, system: System, act: Act) -> Progress:
    """What is new of an act whose people have sheets of an earlier version; what it proposes is worked out again."""
    now = upgraded(system, {
        str(at): Written(part.kind, part.version, part.sheet, {})
        for at, part in enumerate(act.cast) if isinstance(part.sheet, dict)
    })
    if not now:
        return Progress()
    cast = tuple(_part(part, now.get(str(at))) for at, part in enumerate(act.cast))
    after = replace(act, cast=cast)
    with suppress(ParaventError):  # its rule may go another way now: whoever goes on with it is told
        after = replace(after, changes=proposed_anew(state, with_house_moves(system, state), after))
    return progress(act, after)


def _part(part: Part, one: Written | None) -> Part:
    return part if one is None else replace(part, sheet=one.values, version=one.version)
