"""Simulacres, the moves and habits of time: rest, calm, what passes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Move,
    Resolve,
    Role,
    Rulings,
    Telling,
    Whole,
    asking,
    changed,
)

from .character import UNTENDED
from .health import (
    HOURS_A_DAY,
    Rested,
    Resting,
    pass_hours,
)
from .terms import Component, Means, Realm

COUNTED = (("life_points", "pv"), ("breath_points", "ps"), ("psyche_points", "ep"))


def resting(record: Any, *, rest: bool, calm: bool) -> Resting:
    """A record as time finds it."""
    return Resting(
        record.life_points, record.life_points_max, record.breath_points, record.breath_points_max,
        getattr(record, "psyche_points", 0), getattr(record, "psyche_points_max", 0),
        record.wounds.cared_for, record.dead, getattr(record, "calm_days", 0), getattr(record, "rest_hours", 0),
        getattr(record, "calm_hours", 0), getattr(record, "therapy_due", 0), getattr(record, "days_since_session", 7),
        getattr(record, "session_hours", 0),
        sum(getattr(record, part, 0) for part in (Component.BODY, Means.RESISTANCE, Realm.HUMAN)), rest, calm,
    )


def time_changes(target: str, record: Any, after: Rested, *, focused: bool = False) -> tuple[Change, ...]:
    """What time wrote on a record; sustained bonuses end unless the action went on all along."""
    values: dict[str, Any] = {
        "life_points": after.pv, "breath_points": after.ps, "psyche_points": after.ep, "dead": after.dead,
        "calm_days": after.calm_days, "rest_hours": after.rest_hours, "calm_hours": after.calm_hours,
        "therapy_due": after.therapy_due, "days_since_session": after.days_since_session,
        "session_hours": after.session_hours,
    }
    if after.pv >= record.life_points_max:
        values["wounds"] = UNTENDED
    if not focused:
        values["active_energy_bonuses"] = ()
    known = type(record).__dataclass_fields__
    rules = {"life_points": "SIM-063", "active_energy_bonuses": "SIM-020"}
    return tuple(
        change
        for name, value in values.items()
        if name in known
        for change in changed(target, record, name, value, rules.get(name, "SIM-064"))
    )


def pass_time(dice: Dice, people: tuple[Resting, ...], hours: int, rulings: Rulings) -> tuple[Rested, ...]:
    """The same hours for everyone present."""
    return tuple(dice.of(_part(at)).resolve(pass_hours, who, hours, rulings) for at, who in enumerate(people))


def _part(at: int) -> str:
    return "initiator" if at == 0 else f"initiator{at + 1}"


def hours_of(ctx: Context) -> int:
    """All the hours that pass."""
    return int(ctx["hours"] + HOURS_A_DAY * (ctx["days"] + 7 * ctx["weeks"]))


def _read_time(ctx: Context) -> tuple[Any, ...]:
    people = []
    for actor in ctx.all():
        rest, calm = ctx.value(actor, "rest"), ctx.value(actor, "calm")
        if actor.record is not None:
            people.append(resting(actor.record, rest=rest, calm=calm))
            continue
        most = [ctx.value(actor, f"{short}_max") for _, short in COUNTED]
        given = [ctx.value(actor, name) for name, _ in COUNTED]
        now = [top if left is None else left for left, top in zip(given, most, strict=True)]
        people.append(Resting(now[0], most[0], now[1], most[1], now[2], most[2], ctx.value(actor, "cared_for"),
                              rest=rest, calm=calm))
    return tuple(people), hours_of(ctx), ctx.rulings


def _change_time(ctx: Context, result: tuple[Rested, ...]) -> Sequence[Change]:
    changes: list[Change] = []
    for actor, after in zip(ctx.all(), result, strict=True):
        if actor.record is not None:
            focused = ctx.value(actor, "focused")
            changes += time_changes(actor.id, actor.record, after, focused=focused)
    days = hours_of(ctx) // HOURS_A_DAY
    return [*changes, Change("clock", "", ctx.day, ctx.day + days, "SIM-064")] if days else changes


def _tell_time(ctx: Context, result: tuple[Rested, ...]) -> Sequence[Telling]:
    return tuple(Telling("outcomes.told_recovered", {"pv": one.pv, "ps": one.ps, "ep": one.ep}) for one in result)


PASS_TIME = Move(
    "pass-time",
    by="gm",
    cast=(Role("initiator", most=None), GAME_MASTER),
    rules=("SIM-063", "SIM-064"),
    steps=(
        Ask("clock", (
            Field("hours", Whole(0), "gm", usual=0, rule="SIM-064"),
            Field("days", Whole(0), "gm", usual=0, rule="SIM-064"),
            Field("weeks", Whole(0), "gm", usual=0, rule="SIM-064"),
        )),
        Ask("habits", (
            Field("rest", Flag(), usual=True, rule="SIM-064"),
            Field("calm", Flag(), usual=True, rule="SIM-064"),
            Field("focused", Flag(), usual=False, rule="SIM-020"),
            *(Field(name, Whole(0), optional=True, rule="SIM-064") for name, _ in COUNTED),
            Field("pv_max", Whole(0), usual=5, rule="SIM-106"),
            Field("ps_max", Whole(0), usual=4, rule="SIM-107"),
            Field("ep_max", Whole(0), usual=4, rule="SIM-107"),
            Field("cared_for", Flag(), usual=False, rule="SIM-063"),
        )),
        Resolve("pass", asking(pass_time, _read_time), outcome=lambda result: "time_passed", tell=_tell_time,
                changes=_change_time),
    ),
)


def an_hour_passes(ctx: Context) -> bool:
    """Whether rest and calm count: only whole hours do."""
    return ctx["time_span"] not in ("minutes", "scene", "episode") or ctx["time_count"] >= 60


HABITS = (
    Field("rest", Flag(), usual=True, when=an_hour_passes, rule="SIM-064"),
    Field("calm", Flag(), usual=True, when=an_hour_passes, rule="SIM-064"),
    Field("focused", Flag(), usual=False, rule="SIM-020"),
)
"""What is asked of a character when time passes."""


def passing(dice: Dice, record: Any, minutes: int, habits: Any, rulings: Rulings) -> tuple[Change, ...]:
    """What time does to a record: ``habits`` may say ``rest``, ``calm``, ``focused``. Only whole hours count."""
    now = resting(record, rest=habits.get("rest", True), calm=habits.get("calm", True))
    after = dice.resolve(pass_hours, now, minutes // 60, rulings)
    return time_changes(record.name, record, after, focused=habits.get("focused", False))


MOVES = (PASS_TIME,)
