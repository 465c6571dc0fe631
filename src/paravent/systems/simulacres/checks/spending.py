"""Energies as a move asks them: what is announced, what it is paid from, and what the payment leaves on the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import UNSET

from paravent.game import (
    Actor,
    AnyField,
    Change,
    Context,
    Field,
    FieldFacts,
    Flag,
    Many,
    OneOf,
    Rulings,
    ShapeFacts,
    Steps,
    TextField,
    Whole,
    changed,
    rule,
)
from paravent.game.errors import BadValue
from paravent.game.fields import FieldType, Group
from paravent.systems.simulacres.actors import being, has, person
from paravent.systems.simulacres.people.cast import Creature
from paravent.systems.simulacres.people.character import EnergyBonus
from paravent.systems.simulacres.terms import TABLES, Energy

from .check import Modifier
from .energies import PLENTY, Paid, Reserve, Spend, check_fit, fits, pay, sustain, sustained
from .errors import OneEnergy, TooManyPoints

OTHER_USES = {"power_dice": "power_alternative", "precision_range": "precision_alternative",
              "haste": "speed_alternative"}
"""Uses of the energies that a table may play with, each with its option."""
DRAWN_ON = {"power_dice": Energy.POWER, "precision_range": Energy.PRECISION, "haste": Energy.SPEED}
Serves = Callable[[Context, Energy], bool]
"""Whether an energy serves, as things stand."""
PHRASE = ("common", "component", "means", "realm", "skill")
"""The fields that say what an act is."""
SAME_ACT = " · "


@dataclass(frozen=True)
class Commitment(Group[int]):
    """Energies announced and how they are paid: ``power:1,ep:1``; points whose payment is not said are paid in PS.

    Where the PS do not suffice, EP pay the rest.

    What is asked of whoever holds ``role`` is what they have: energies above 0, and the uses that the table plays with.
    Nobody announces more than the sheet has: what is sealed could not be taken back. Only what ``serves`` is offered,
    where a rule says what does. What EP pay is asked; the rest is PS, and there is nothing to ask about it.
    """

    role: str = "initiator"
    serves: Serves | None = None
    situation: Callable[[Context], str] | None = None
    """The line of the table of energies that says what serves, where it is known: what does not is refused at once."""
    action: Callable[[Context], str] | None = None
    """What goes on, where the move itself says it: points that EP keep up for it are spent already."""
    parts: Mapping[str, FieldType[int]] = field(default_factory=lambda: {name: Whole(0) for name in Spend._fields})
    defaults: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(Spend._fields, 0))

    def describe(self, ctx: Context) -> FieldFacts:
        """What there is to spend, and what pays for it; nothing where the table plays without energies."""
        actor = ctx.one(self.role)
        action = label_of(ctx, actor) if self.action is None else self.action(ctx)
        reserve, known = reserve_of(actor, action), actor.record is not None
        uses = [use for use in (*(energy.value for energy in Energy), *OTHER_USES)
                if (use not in OTHER_USES or other_use(use, ctx.rulings))
                and self._may_serve(ctx, DRAWN_ON.get(use) or Energy(use))]
        held = {use: getattr(reserve, DRAWN_ON.get(use, use)) for use in uses} if with_energies(ctx) else {}
        payable = max(0, reserve.ps) + max(0, reserve.ep)
        parts = {use: _whole(min(most, payable), known) for use, most in held.items() if most > 0}
        if not parts or (known and reserve.ps <= 0 and reserve.ep <= 0):  # nothing to spend, or nothing to pay with
            return FieldFacts(self.name, parts={})
        psyche = "energy_points" if isinstance(being(actor), Creature) else "psyche_points"
        spent = sum({DRAWN_ON.get(use, use): most for use, most in held.items()}.values())
        paid = {"ep": _whole(reserve.ep, known, psyche, spent)} if reserve.ep > 0 or not known else {}
        return FieldFacts(self.name, parts={**parts, **paid})

    def _may_serve(self, ctx: Context, energy: Energy) -> bool:
        """Whether an energy serves, as things stand."""
        fitting = self.situation is None or fits(self.situation(ctx), energy)
        return fitting and (self.serves is None or self.serves(ctx, energy))

    def _most(self, ctx: Context) -> dict[str, int]:
        """How much of each energy there is to announce, where there is a sheet."""
        actor = ctx.one(self.role) if self.role else None
        if actor is None or being(actor) is None:
            return {}
        reserve = reserve_of(actor, "" if self.action is None else self.action(ctx))
        return {energy.value: max(0, getattr(reserve, energy)) for energy in Energy}

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
        if self.situation is not None:
            check_fit(self.situation(ctx), Spend(**announced))
        return announced


def for_situation(situation: str) -> Serves:
    """Which energies serve in a situation of the table of energies."""
    return lambda ctx, energy: fits(situation, energy)


def announced_by(role: str, asked: Field[dict[str, int] | None], serves: Serves | None = None,
                 ) -> Field[dict[str, int] | None]:
    """Energies, asked of a role and bounded by its sheet."""
    return replace(asked, role=role, type=Commitment(role=role, serves=serves))


def _whole(most: int, known: bool, gauge: str = "", spent: int = PLENTY) -> FieldFacts:
    """So many points at most, as pips where they are known: an energy's own, or those of the gauge that pays.

    No more is paid than there is to be ``spent``.
    """
    left = min(most, PLENTY)
    shape = ShapeFacts("pips", gauge=gauge or UNSET, left=left) if known else UNSET
    return FieldFacts("whole", minimum=0, maximum=min(left, spent) if known else None, shape=shape)


def other_use(use: str, rulings: Rulings) -> bool:
    """Whether the table plays with another use of an energy."""
    return bool(rulings[OTHER_USES[use]] == "on")


def with_energies(ctx: Context) -> bool:
    """Whether the table plays with energies at all."""
    return bool(ctx.rulings.energies != "off")


ENERGIES: Field[dict[str, int] | None] = Field(
    "energies", Commitment(), usual=None, rule="SIM-015", place="refinement", when=with_energies,
)
ACTION_LABEL = Field("action_label", TextField(80, lambda ctx: actions_of(ctx.one())), usual="", rule="SIM-020",
                     names=True, place="refinement", when=with_energies)
STILL_THE_SAME: Field[bool] = Field(
    "still_the_same", Flag(), "gm", usual=True, rule="SIM-020", place="refinement",
    when=lambda ctx: bool(sustained(bonuses_of(ctx.one()), _named_action(ctx, ctx.one()))),
)
"""Asked of the game master where a bonus bought with EP would serve again."""
MINUTES = Field("minutes", Whole(0), "gm", usual=0, rule="SIM-021", place="rarity")
SITUATION: Field[str | None] = Field(
    "situation", OneOf(lambda ctx: TABLES["energies"].keys(), offered=lambda ctx: _situations(ctx)), "gm",
    optional=True, rule="SIM-022", place="rarity", when=with_energies,
)
SEVERAL: Field[bool] = Field(
    "several_energies", Flag(), "gm", waits=True, rule="SIM-018", place="essential",
    shape=Steps((False, True), weighed=lambda ctx: False), when=lambda ctx: len(_left(ctx)) > 1,
)
"""Without a usual answer: whoever proposes two waits for this word, and the game master is asked for it."""
STRUCK: Field[tuple[Energy, ...]] = Field(
    "struck_energies", Many(OneOf(lambda ctx: kinds_announced(ctx)), distinct=True), "gm", usual=(), rule="SIM-015",
    place="essential", when=lambda ctx: bool(kinds_announced(ctx)),
)
JUDGED = (SEVERAL, STRUCK)
"""What the game master says, in sight, of energies that are proposed: several at once, or one that does not fit."""


def _situations(ctx: Context) -> tuple[str, ...]:
    """The situations in which what is proposed serves."""
    kinds = kinds_announced(ctx)
    return tuple(one for one in map(str, TABLES["energies"].keys()) if all(fits(one, energy) for energy in kinds))


def kinds_announced(ctx: Context, role: str = "initiator") -> tuple[Energy, ...]:
    """The kinds of energy that somebody proposes to spend."""
    actor = ctx.one(role)
    given = has(ctx, actor, ENERGIES)
    return tuple(energy for energy in Energy if Spend(**given or {}).uses(energy)) if given else ()


def _left(ctx: Context) -> frozenset[Energy]:
    """The kinds proposed that the game master did not strike off."""
    return frozenset(kinds_announced(ctx)) - frozenset(has(ctx, ctx.one("gm"), STRUCK) or ())


def energy_fields(role: str = "initiator", serves: Serves | None = None) -> tuple[AnyField, ...]:
    """Energies announced, of those that serve, and the name of the action that an EP bonus lasts for."""
    label = TextField(80, lambda ctx: actions_of(ctx.one(role)))
    return announced_by(role, ENERGIES, serves), replace(ACTION_LABEL, role=role, type=label)


def actions_of(actor: Actor) -> tuple[str, ...]:
    """The actions that somebody keeps up with EP under a name of their own."""
    return tuple(dict.fromkeys(bonus.action for bonus in bonuses_of(actor) if SAME_ACT not in bonus.action))


def label_of(ctx: Context, actor: Actor) -> str:
    """The name of the action: as it is said, else the phrase itself; empty where it is no longer the same."""
    return "" if has(ctx, ctx.one("gm"), STILL_THE_SAME) is False else _named_action(ctx, actor)


def _named_action(ctx: Context, actor: Actor) -> str:
    """What an EP bonus lasts for: the name given to it, or what acts, how, on what and with which skill."""
    if not ctx.move.asks(ACTION_LABEL.id, actor.role):
        return ""
    said = has(ctx, actor, ACTION_LABEL) or ""
    return said or (SAME_ACT.join(_phrase(ctx, actor)) if ctx.move.asks(STILL_THE_SAME.id, "gm") else "")


def _phrase(ctx: Context, actor: Actor) -> list[str]:
    """What is openly said of an act, by name; numbers name nothing."""
    asked = [ctx.move.field(name, actor.role) for name in PHRASE if ctx.move.asks(name, actor.role)]
    said = [ctx.value(actor, one) for one in asked if one.secrecy == "open"]
    return [str(value) for value in said if isinstance(value, str) and value]


def spend_of(ctx: Context, actor: Actor, announced: Sequence[Field[dict[str, int] | None]] = (ENERGIES,)) -> Spend:
    """The energies announced, without those that the game master struck off.

    Points whose payment is not said are paid in PS as far as there are any to spend, and in EP beyond.
    """
    given = next((value for asked in announced if (value := has(ctx, actor, asked)) is not None), None) or {}
    spend = Spend(**given)
    off = has(ctx, ctx.one("gm"), STRUCK) or ()
    if off:
        spend = struck_off(spend, frozenset(off))
    breath = min(spend.cost, _breath_to_spend(actor, ctx.rulings))
    psyche = min(spend.cost, max(spend.ep, spend.cost - breath))
    return spend._replace(ps=spend.cost - psyche, ep=psyche)


def _breath_to_spend(actor: Actor, rulings: Rulings) -> int:
    """The PS that somebody may spend: the last one only where the table allows it."""
    record = being(actor)
    if record is None:
        return PLENTY
    return max(0, record.breath_points - (1 if rulings.spend_last_point == "forbid" else 0))


@rule("SIM-015")
def struck_off(spend: Spend, energies: frozenset[Energy]) -> Spend:
    """What is announced without the energies that do not fit: nothing is paid for those."""
    kept = {use: 0 if DRAWN_ON.get(use, use) in energies else getattr(spend, use)
            for use in (*(energy.value for energy in Energy), *OTHER_USES)}
    return Spend(**kept, ep=spend.ep)


@rule("SIM-018")
def one_at_a_time(spend: Spend, several: bool) -> None:
    """One energy serves in a test; several, only if the game master agrees."""
    kinds = [energy.value for energy in Energy if spend.uses(energy)]
    if len(kinds) > 1 and not several:
        raise OneEnergy(energies=kinds)


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
        energy.value: getattr(record, energy) - sum(
            bonus.points for bonus in held if bonus.energy in (energy.value, f"{energy.value}_damage"))
        for energy in Energy
    }
    psyche = record.energy_points if isinstance(record, Creature) else record.psyche_points
    return Reserve(**left, ps=record.breath_points, ep=psyche, pv=record.life_points)


def paid_by(ctx: Context, actor: Actor, situation: str = "", spend: Spend | None = None) -> Paid:
    """The payment of what was announced, refused where the rules refuse it."""
    spend = spend_of(ctx, actor) if spend is None else spend
    one_at_a_time(spend, bool(has(ctx, ctx.one("gm"), SEVERAL)))
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


def price(spend: Spend) -> str:
    """What is paid with, in one word; empty where nothing is."""
    return {(True, True): "both", (True, False): "breath", (False, True): "psyche", (False, False): ""}[
        spend.ps > 0, spend.ep > 0]


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
