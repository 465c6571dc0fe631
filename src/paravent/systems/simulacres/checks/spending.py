"""Energies as a move asks them: what is announced, what it is paid from, and what the payment leaves on the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec.structs import replace as replaced

from paravent.game import Actor, AnyField, Change, Context, Field, FieldFacts, OneOf, TextField, Whole, changed
from paravent.game.errors import BadValue
from paravent.game.fields import FieldType, Group
from paravent.systems.simulacres.actors import being, has, person
from paravent.systems.simulacres.people.cast import Creature
from paravent.systems.simulacres.people.character import EnergyBonus
from paravent.systems.simulacres.terms import TABLES, Energy

from .check import Modifier
from .energies import Paid, Reserve, Spend, check_fit, pay, sustain, sustained
from .errors import TooManyPoints

OTHER_USES = {"power_dice": "power_alternative", "precision_range": "precision_alternative",
              "haste": "speed_alternative"}
"""The options that let an energy be put to another use."""


@dataclass(frozen=True)
class Commitment(Group[int]):
    """Energies announced and how they are paid: ``power:1,ep:1``; unpaid points are paid in PS.

    Nobody announces more than the sheet of ``role`` has: what is sealed could not be taken back.
    """

    role: str = ""
    parts: Mapping[str, FieldType[int]] = field(default_factory=lambda: {name: Whole(0) for name in Spend._fields})
    defaults: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(Spend._fields, 0))

    def describe(self, ctx: Context) -> FieldFacts:
        """Other uses of energies are offered where the table plays them; nothing is where it plays without any."""
        facts = super().describe(ctx)
        played = () if ctx.rulings.energies == "off" else tuple(
            name for name in Spend._fields if ctx.rulings.get(OTHER_USES.get(name, ""), "on") == "on")
        most = self._most(ctx)
        return replaced(facts, parts={
            name: replaced(about, maximum=most[name]) if name in most else about
            for name, about in (facts.parts or {}).items() if name in played
        })

    def _most(self, ctx: Context) -> dict[str, int]:
        """How much of each energy there is to announce, where there is a sheet."""
        record = being(ctx.one(self.role)) if self.role else None
        return {} if record is None else {energy.value: max(0, getattr(record, energy)) for energy in Energy}

    def read(self, raw: object, field: str, ctx: Context) -> dict[str, int]:
        if isinstance(raw, str):
            pairs = [part.replace("=", ":").partition(":") for part in raw.split(",") if part.strip()]
            if any(not colon for _, colon, _ in pairs):
                raise BadValue(field=field, got=raw, expected="mapping")
            raw = {name.strip(): number.strip() for name, _, number in pairs}
        announced = super().read(raw, field, ctx)
        for energy, most in self._most(ctx).items():
            if announced[energy] > most:
                raise TooManyPoints(energy=energy, announced=announced[energy], value=most)
        return announced


def announced_by(role: str, asked: Field[dict[str, int] | None]) -> Field[dict[str, int] | None]:
    """Energies, asked of a role and bounded by its sheet."""
    return replace(asked, role=role, type=Commitment(role=role))


ENERGIES: Field[dict[str, int] | None] = Field("energies", Commitment(), usual=None, rule="SIM-015")
ACTION_LABEL = Field("action_label", TextField(80), usual="", rule="SIM-020")
MINUTES = Field("minutes", Whole(0), "gm", usual=0, rule="SIM-021")
SITUATION: Field[str | None] = Field(
    "situation", OneOf(lambda ctx: TABLES["energies"].keys()), "gm", optional=True, rule="SIM-022"
)


def energy_fields(role: str = "initiator") -> tuple[AnyField, ...]:
    """Energies announced, and the name of the action that an EP bonus lasts for."""
    return announced_by(role, ENERGIES), replace(ACTION_LABEL, role=role)


def label_of(ctx: Context, actor: Actor) -> str:
    """The name of the action, empty where none is said."""
    return has(ctx, actor, ACTION_LABEL) or ""


def spend_of(ctx: Context, actor: Actor, announced: Sequence[Field[dict[str, int] | None]] = (ENERGIES,)) -> Spend:
    """The energies announced; points that are not said to be paid in EP are paid in PS."""
    given = next((value for asked in announced if (value := has(ctx, actor, asked)) is not None), None) or {}
    spend = Spend(**given)
    psyche = min(spend.ep, spend.cost)
    return spend._replace(ps=spend.cost - psyche, ep=psyche)


def bonuses_of(actor: Actor) -> tuple[EnergyBonus, ...]:
    """The bonuses bought with EP that a sheet notes."""
    sheet = person(actor)
    return sheet.active_energy_bonuses if sheet is not None else ()


def reserve_of(actor: Actor, action: str) -> Reserve:
    """What somebody has to spend: an energy less what a sustained bonus of the same action already takes of it."""
    record = being(actor)
    if record is None:
        return Reserve()
    held = sustained(bonuses_of(actor), action)
    left = {
        energy.value: getattr(record, energy) - sum(bonus.points for bonus in held if bonus.energy == energy)
        for energy in Energy
    }
    psyche = record.energy_points if isinstance(record, Creature) else record.psyche_points
    return Reserve(**left, ps=record.breath_points, ep=psyche, pv=record.life_points)


def paid_by(ctx: Context, actor: Actor, situation: str = "", spend: Spend | None = None) -> Paid:
    """The payment of what was announced, refused where the rules refuse it."""
    spend = spend_of(ctx, actor) if spend is None else spend
    said = has(ctx, ctx.one("gm"), SITUATION)
    if said or situation:
        check_fit(said or situation, spend)
    minutes = has(ctx, ctx.one("gm"), MINUTES) or 0
    return pay(spend, reserve_of(actor, label_of(ctx, actor)), ctx.rulings, minutes)


def energy_terms(ctx: Context, actor: Actor, paid: Paid) -> tuple[Modifier, ...]:
    """What energies add: those paid now, and those still held by EP."""
    held = sum(bonus.points for bonus in sustained(bonuses_of(actor), label_of(ctx, actor)))
    terms = Modifier("energies", paid.bonus), Modifier("sustained", held)
    return tuple(term for term in terms if term.points)


def payment_changes(ctx: Context, actor: Actor, paid: Paid) -> tuple[Change, ...]:
    """What a payment does to the sheet: PS and EP spent, bonuses that last or end."""
    record = being(actor)
    if record is None:
        return ()
    psyche = "energy_points" if isinstance(record, Creature) else "psyche_points"
    changes = (
        *changed(actor.id, record, "breath_points", paid.ps, "SIM-017"),
        *changed(actor.id, record, psyche, paid.ep, "SIM-017"),
    )
    if isinstance(record, Creature):
        return changes
    lasting = sustain(record.active_energy_bonuses, paid, label_of(ctx, actor))
    return (*changes, *changed(actor.id, record, "active_energy_bonuses", lasting, "SIM-020"))
