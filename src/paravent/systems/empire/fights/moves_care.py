"""Moves of care: treating wounds, watching for fever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Who,
    Whole,
)
from paravent.systems.empire.actions.trials import EVASION, LEVEL, evasion, level_of
from paravent.systems.empire.people.character import Character, Condition
from paravent.systems.empire.people.conditions import with_condition
from paravent.systems.empire.terms import TABLES, Side, figure
from paravent.systems.empire.throws import by_gm, said, set_on

from .wounds import care_mods, fever, healing_units, infection, may_be_moved, may_walk, severity

# Care


class Care(NamedTuple):
    """How long healing takes: units of rest, what unit, points for each unit, and whether one walks or is moved."""

    units: Fraction
    unit: str
    rate: int
    walks: bool
    moved: bool


def care(dice: Dice, lost: int, full: int, endurance: int, mods: int, regained: int = 0) -> Care:
    """How long complete rest must last; how bad it is was settled when rest began."""
    kind = severity(lost + regained, full)
    dice.note("EMP-089", kind.value, lost=lost, full=full)
    return Care(healing_units(lost, endurance, mods), str(TABLES["injuries"].cell(kind.value, "unit")),
                max(1, endurance + mods), may_walk(kind), may_be_moved(kind, regained, endurance))


def _care_call(ctx: Context) -> Call[Care]:
    medic, patient = ctx.one(), ctx.one("patient")
    level = level_of(ctx, medic, "26")
    mods = care_mods(level, medibloc=ctx[MEDIBLOC], logimec=ctx[LOGIMEC])
    lost = _of_patient(patient, ctx[LOST], LOST, lambda sheet: sheet.physical_most - sheet.resistance_physical)
    full = _of_patient(patient, ctx[RESISTANCE], RESISTANCE, lambda sheet: sheet.physical_most)
    endurance = _of_patient(patient, ctx[ENDURANCE], ENDURANCE, lambda sheet: sheet.endurance)
    begun = patient.record.rest_lost if isinstance(patient.record, Character) else 0
    return Call(care, lost, full, endurance, mods, max(0, begun - lost))


def _of_patient(patient: Actor, typed: int | None, asked: AnyField, on: Callable[[Character], int]) -> int:
    """A figure of whoever is tended: as typed, or on the sheet."""
    if typed is not None:
        return typed
    if not isinstance(patient.record, Character):
        raise MissingField(field=asked.id, role=patient.role)
    return on(patient.record)


def _tended(ctx: Context, result: Care) -> Sequence[Change]:
    patient = ctx.one("patient")
    if not isinstance(patient.record, Character):
        return ()
    mods = result.rate - patient.record.endurance
    return set_on(patient, "conditions", with_condition(patient.record, Condition("tended", max(0, mods))), "EMP-089")


def _wounded(ctx: Context) -> bool:
    """Whether somebody in it is to be healed."""
    return any(isinstance(one.record, Character) and one.record.resistance_physical < one.record.physical_most
               for one in ctx.actors)


MEDIBLOC = Field("medibloc", Flag(), usual=False, rule="EMP-089")
LOGIMEC = Field("logimec", Flag(), usual=False, rule="EMP-089")
LOST: Field[int | None] = Field("lost", Whole(0), "patient", optional=True, rule="EMP-089")
RESISTANCE = replace(LOST, id="resistance")
ENDURANCE = replace(LOST, id="endurance")
TREAT_WOUNDS = Move(
    "treat-wounds",
    group="care",
    suits=_wounded,
    cast=(INITIATOR, Role("patient"), GAME_MASTER),
    rules=("EMP-089", "EMP-090"),
    steps=(
        Ask("care", (
            LEVEL,
            MEDIBLOC,
            LOGIMEC,
            LOST, RESISTANCE, ENDURANCE,
        )),
        Resolve("care", _care_call, outcome=lambda result: "tended",
                tell=lambda ctx, result: (
                    said("told_healing", units=figure(result.units), unit=result.unit, n=result.rate),
                    said("told_walks" if result.walks else "told_carried" if result.moved else "told_not_moved")),
                changes=_tended),
    ),
)


def _caught(ctx: Context) -> bool:
    return ctx.results.get(INFECTED.id) is True


def _deadly(ctx: Context) -> bool:
    return _caught(ctx) and bool(ctx.rulings.fever == "death")


def sinks(dice: Dice, confirmed: bool, rulings: Rulings) -> str:
    """What a fever does once it is caught."""
    return fever(confirmed, rulings)


def _fevered(ctx: Context, state: str) -> Sequence[Change]:
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    return (*set_on(actor, "conditions", with_condition(actor.record, Condition(state)), "EMP-091"),
            *set_on(actor, "minutes_resting", 0, "EMP-091"), *set_on(actor, "rest_lost", 0, "EMP-091"))


TRIGGER = Field("trigger", OneOf(("strain", "cold", "damp", "hunger")), "gm", usual="strain", rule="EMP-091")
CONFIRM: Field[bool | None] = Field("confirm", Flag(), "gm", usual=False, waits=True, secrecy="gm", when=_deadly,
                                    rule="EMP-091")
INFECTED = Resolve("roll", lambda ctx: Call(by_gm(infection), evasion(ctx, ctx.one(), Side.PHYSICAL)),
                   outcome=lambda caught: "fevered" if caught else "healthy", success=lambda caught: not caught,
                   shown=lambda ctx, result: Shown(dice=GM_ONLY))
INFECTION_CHECK = Move(
    "infection-check",
    group="care",
    by="gm",
    suits=_wounded,
    rules=("EMP-091",),
    steps=(
        Ask("trigger", (TRIGGER, replace(EVASION, rule="EMP-091"))),
        INFECTED,
        Ask("end", (CONFIRM,)),
        Resolve("fever", lambda ctx: Call(sinks, bool(ctx[CONFIRM]), ctx.rulings), auto=True, when=_caught,
                outcome=lambda state: f"fever_{state}", changes=_fevered,
                tell=lambda ctx, state: (said("told_dead", who=Who(ctx.one().id)),) if state == "dead" else ()),
    ),
)

MOVES = (TREAT_WOUNDS, INFECTION_CHECK)
