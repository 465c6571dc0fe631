"""States and trances on a sheet: those that are over, those that come."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import Actor, Change, Context, changed
from paravent.systems.empire.actions.trials import SURGES
from paravent.systems.empire.terms import Characteristic

from .character import Character, Condition


def without_condition(record: Character, *names: str) -> tuple[Condition, ...]:
    """The conditions that are left when some are over."""
    return tuple(condition for condition in record.conditions if condition.name not in names)


def without_trance(record: Character, *names: str) -> tuple[Condition, ...]:
    """What PSI still gives when some of it is over."""
    return tuple(trance for trance in record.trances if trance.name not in names)


def with_condition(record: Character, *added: Condition) -> tuple[Condition, ...]:
    """The conditions with some more; one of the same name and place is replaced."""
    fresh = {(condition.name, condition.place) for condition in added}
    kept = (condition for condition in record.conditions if (condition.name, condition.place) not in fresh)
    return (*kept, *added)


def surge_over(ctx: Context, actor: Actor, name: Characteristic | None) -> Sequence[Change]:
    """A PSI surge ends with the action it served, where the table lets it last so long only."""
    surge = SURGES.get(name) if name is not None else None
    record = actor.record
    if surge is None or not isinstance(record, Character) or ctx.rulings.psi_surge == "minutes":
        return ()
    return changed(actor.id, record, "trances", without_trance(record, surge), "EMP-165")
