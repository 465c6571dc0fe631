"""Simulacres, the moves and habits of time: rest, calm, what passes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    TIME_COUNT,
    TIME_SPAN,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Filled,
    Flag,
    Move,
    Resolve,
    Role,
    Rulings,
    Telling,
    Value,
    Who,
    Whole,
    changed,
)
from paravent.systems.simulacres.actors import Being, being
from paravent.systems.simulacres.people.cast import Creature
from paravent.systems.simulacres.people.character import UNTENDED, Character

from .health import DAYS_A_WEEK, HOURS_A_DAY, Rested, Resting, pass_hours


def resting(record: Being, *, rest: bool, calm: bool) -> Resting:
    """A record as time finds it."""
    found = Resting(
        record.life_points, record.life_points_max, record.breath_points, record.breath_points_max,
        cared_for=record.wounds.cared_for, dead=record.dead, rest_hours=record.rest_hours, rest=rest, calm=calm,
    )
    if isinstance(record, Creature):
        return found
    return found._replace(
        ep=record.psyche_points, ep_max=record.psyche_points_max,
        calm_days=record.calm_days, calm_hours=record.calm_hours,
        therapy_due=record.therapy_due, days_since_session=record.days_since_session,
        session_hours=record.session_hours,
        endurance=record.body + record.resistance + record.human if isinstance(record, Character) else 0,
    )


def time_changes(target: str, record: Being, after: Rested, *, focused: bool = False) -> tuple[Change, ...]:
    """What time wrote on a record; sustained bonuses end unless the action went on all along."""
    values: dict[str, Value] = {
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


HOURS = Field("hours", Whole(0), "gm", usual=0, rule="SIM-064", place="essential")
DAYS = Field("days", Whole(0), "gm", usual=0, rule="SIM-064", place="essential")
WEEKS = Field("weeks", Whole(0), "gm", usual=0, rule="SIM-064", place="essential")
REST = Field("rest", Flag(), usual=True, rule="SIM-064", place="essential")
CALM = Field("calm", Flag(), usual=True, rule="SIM-064", place="essential")
FOCUSED = Field("focused", Flag(), usual=False, rule="SIM-020", place="refinement", when=lambda ctx: _holds(ctx))
LIFE_POINTS: Field[int | None] = Field("life_points", Whole(0), optional=True, rule="SIM-064", place="rarity")
BREATH_POINTS = replace(LIFE_POINTS, id="breath_points")
PSYCHE_POINTS = replace(LIFE_POINTS, id="psyche_points")
PV_MAX = Field("pv_max", Whole(0), usual=5, rule="SIM-106", place="rarity")
PS_MAX = Field("ps_max", Whole(0), usual=4, rule="SIM-107", place="rarity")
EP_MAX = Field("ep_max", Whole(0), usual=4, rule="SIM-107", place="rarity")
CARED_FOR = Field("cared_for", Flag(), usual=False, rule="SIM-063", place="rarity")


def _holds(ctx: Context) -> bool:
    """Whether somebody keeps a bonus up with EP: only then may it go on through the hours."""
    asked = "character" if any(role.id == "character" for role in ctx.move.cast) else "initiator"
    record = being(ctx.one(asked))
    return record is None or (not isinstance(record, Creature) and bool(record.active_energy_bonuses))


def hours_of(ctx: Context) -> int:
    """All the hours that pass."""
    return ctx[HOURS] + HOURS_A_DAY * (ctx[DAYS] + DAYS_A_WEEK * ctx[WEEKS])


def _left(ctx: Context, actor: Actor, asked: Field[int | None], most: int) -> int:
    """A counter as typed; full where nothing is said."""
    said = ctx.value(actor, asked)
    return most if said is None else said


def _in_plain_numbers(ctx: Context, actor: Actor) -> Resting:
    """Somebody without a sheet, as time finds him."""
    pv, ps, ep = (ctx.value(actor, most) for most in (PV_MAX, PS_MAX, EP_MAX))
    return Resting(
        _left(ctx, actor, LIFE_POINTS, pv), pv, _left(ctx, actor, BREATH_POINTS, ps), ps,
        _left(ctx, actor, PSYCHE_POINTS, ep), ep, ctx.value(actor, CARED_FOR),
        rest=ctx.value(actor, REST), calm=ctx.value(actor, CALM),
    )


def _pass(ctx: Context) -> Call[tuple[Rested, ...]]:
    people = tuple(
        _in_plain_numbers(ctx, actor) if (record := being(actor)) is None
        else resting(record, rest=ctx.value(actor, REST), calm=ctx.value(actor, CALM))
        for actor in ctx.all()
    )
    return Call(pass_time, people, hours_of(ctx), ctx.rulings)


def _change_time(ctx: Context, result: tuple[Rested, ...]) -> Sequence[Change]:
    changes: list[Change] = []
    for actor, after in zip(ctx.all(), result, strict=True):
        record = being(actor)
        if record is not None:
            changes += time_changes(actor.id, record, after, focused=ctx.value(actor, FOCUSED))
    days = hours_of(ctx) // HOURS_A_DAY
    return [*changes, Change("clock", "", ctx.day, ctx.day + days, "SIM-064")] if days else changes


def _tell_time(ctx: Context, result: tuple[Rested, ...]) -> Sequence[Telling]:
    return tuple(Telling("outcomes.told_rested", {"who": Who(actor.id), "pv": one.pv, "ps": one.ps, "ep": one.ep})
                 for actor, one in zip(ctx.all(), result, strict=True))


PASS_TIME = Move(
    "pass-time",
    by="gm",
    cast=(Role("initiator", most=None), GAME_MASTER),
    rules=("SIM-063", "SIM-064"),
    steps=(
        Ask("clock", (HOURS, DAYS, WEEKS)),
        Ask("habits", (
            REST, CALM, FOCUSED, LIFE_POINTS, BREATH_POINTS, PSYCHE_POINTS, PV_MAX, PS_MAX, EP_MAX, CARED_FOR,
        )),
        Resolve("pass", _pass, outcome=lambda result: "time_passed", tell=_tell_time,
                changes=_change_time),
    ),
)


def an_hour_passes(ctx: Context) -> bool:
    """Whether rest and calm count: only whole hours do."""
    return ctx[TIME_SPAN] not in ("minutes", "scene", "episode") or ctx[TIME_COUNT] >= 60


HABITS = (replace(REST, when=an_hour_passes), replace(CALM, when=an_hour_passes), FOCUSED)
"""What is asked of a character when time passes."""


def passing(
    dice: Dice, record: Being, minutes: int, habits: Filled, rulings: Rulings
) -> tuple[Change, ...]:
    """What time does to a record: ``habits`` may say ``rest``, ``calm``, ``focused``. Only whole hours count."""
    now = resting(record, rest=bool(habits.get(REST.id, True)), calm=bool(habits.get(CALM.id, True)))
    after = dice.resolve(pass_hours, now, minutes // 60, rulings)
    return time_changes(record.name, record, after, focused=bool(habits.get(FOCUSED.id, False)))


MOVES = (PASS_TIME,)
