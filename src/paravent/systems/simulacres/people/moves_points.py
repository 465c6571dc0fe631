"""Simulacres, the move that counts adventure points and spends them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
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
    Rulings,
    Telling,
    TextField,
    Value,
    Whole,
    Window,
    changed,
    rule,
)
from paravent.systems.simulacres.actors import person
from paravent.systems.simulacres.terms import Component, Energy, Means

from .campaign import (
    Feat,
    Wanted,
    bill,
    earned,
    is_printed,
    level_text,
    noted_level,
    purchases,
    talent_level,
    talent_named,
)
from .character import REALMS, Character, NamedPoints, plain_name
from .errors import LastChanceUnused, NoSuchSkill, WrongJump
from .moves_people import skills_named


class Settled(NamedTuple):
    """Adventure points counted: earned, spent, and left."""

    gained: int
    spent: int
    left: int


class Account(NamedTuple):
    """What is earned and bought at once."""

    points: int
    feat: Feat | None
    times: int
    wanted: Wanted | None
    agreed: bool
    at_creation: bool


@rule("SIM-A05", "SIM-A10", "SIM-A14")
def settle_points(dice: Dice, account: Account, rulings: Rulings) -> Settled:
    """Add what a feat earned, then take the price of what is bought; refused, nothing changes."""
    gained = earned(account.feat, account.times, rulings) if account.feat else 0
    budget = account.points + gained
    wanted = [account.wanted] if account.wanted else []
    spent = bill(wanted, budget, rulings, at_creation=account.at_creation, agreed=account.agreed)
    dice.note("SIM-A05", "points_settled", gained=gained, spent=spent, left=budget - spent)
    return Settled(gained, spent, budget - spent)


FEAT: Field[Feat | None] = Field("feat", OneOf(Feat), "gm", optional=True, rule="SIM-A10", place="essential")
COUNT = Field("count", Whole(1), "gm", usual=1, rule="SIM-A10", place="refinement")
AGREED = Field("agreed", Flag(), "gm", usual=False, rule="SIM-A05", place="refinement")
WHILE_CREATED = Field("at_creation", Flag(), "gm", usual=False, rule="SIM-A05", place="rarity")
POINTS: Field[int | None] = Field("points", Whole(0), optional=True, rule="SIM-A02", place="rarity")
PURCHASE: Field[str | None] = Field(
    "purchase", OneOf(lambda ctx: purchases(ctx.rulings)), optional=True, rule="SIM-A05", place="essential",
)
WHAT: Field[str | None] = Field("what", TextField(80), optional=True, rule="SIM-A05", place="essential")
CURRENT: Field[int | None] = Field("current", Whole(), optional=True, rule="SIM-A05", place="rarity")
ADVISED = Field("advised", Flag(), usual=False, rule="SIM-A09", place="rarity")


def _bought_attribute(ctx: Context) -> str:
    """The attribute of the sheet that a purchase raises, empty where it raises none."""
    purchase, what = ctx[PURCHASE] or "", ctx[WHAT] or ""
    if purchase in ("breath_up", "psyche_up"):
        return {"breath_up": "breath_points_max", "psyche_up": "psyche_points_max"}[purchase]
    families: dict[str, tuple[str, ...]] = {
        "component_up": tuple(Component), "means_up": tuple(Means), "realm_or_energy": (*REALMS, *Energy)
    }
    for start, names in families.items():
        if purchase.startswith(start):
            if what not in names:
                raise MissingField(field=WHAT.id, role=WHAT.role)
            return what
    return ""


def _current(ctx: Context) -> int | None:
    """What the purchase starts from: as typed, or as the sheet says."""
    said, record, purchase = ctx[CURRENT], person(ctx.one()), ctx[PURCHASE] or ""
    if said is not None or record is None:
        return said
    if purchase == "trade_base":
        return len(record.trades)
    attribute = _bought_attribute(ctx)
    return int(getattr(record, attribute)) if attribute else None


def _check_jump(ctx: Context) -> None:
    """A jump is bought from where one stands: a realm at 1 does not buy the jump from 0."""
    record, purchase, what = person(ctx.one()), ctx[PURCHASE] or "", ctx[WHAT] or ""
    start = purchase.split("_")[-2] if purchase.startswith(("realm_or_energy", "talent_")) else ""
    current = _current(ctx)
    if purchase.startswith("realm_or_energy") and current is not None and str(current) != start:
        raise WrongJump(purchase=purchase, current=current)
    if record is None:
        return
    if purchase.startswith(("hobby", "talent_", "trade_")) and not what.strip():
        raise MissingField(field=WHAT.id, role=WHAT.role)
    if purchase.startswith("talent_") and purchase != "talent_base":
        if noted_level(record.talent_levels, what) is None and not is_printed(what):
            return  # a talent of the table's own: the game master, who approves, says where it stands
        level = level_text(talent_level(record.talent_levels, what))
        if level.lstrip("+") != start:
            raise WrongJump(purchase=purchase, current=level)


def _settle(ctx: Context) -> Call[Settled]:
    record, said, purchase = ctx.one().record, ctx[POINTS], ctx[PURCHASE]
    _check_jump(ctx)
    wanted = Wanted(purchase, _current(ctx), ctx[ADVISED]) if purchase else None
    if said is None:
        said = record.adventure_points if isinstance(record, Character) else 0
    return Call(settle_points, Account(said, ctx[FEAT], ctx[COUNT], wanted, ctx[AGREED], ctx[WHILE_CREATED]),
                ctx.rulings)


def _bought(ctx: Context, record: Character, purchase: str) -> dict[str, Value]:
    """What a purchase writes on the sheet."""
    what = ctx[WHAT] or ""
    attribute = _bought_attribute(ctx)
    if attribute:
        raised: dict[str, Value] = {attribute: getattr(record, attribute) + 1}
        if attribute.endswith("_max"):
            counter = attribute.removesuffix("_max")
            raised[counter] = getattr(record, counter) + 1
        return raised
    if purchase in ("hobby", "hobby_base"):
        return {"hobbies": (*record.hobbies, *skills_named([what]))}
    if purchase == "talent_base":
        return {"talents": (*record.talents, *skills_named([what]))}
    if purchase == "trade_base":
        turned = tuple(skill for skill in record.talents if plain_name(skill.name) == plain_name(what))
        if not turned:
            raise NoSuchSkill("SIM-A14", skill=what, known=[skill.name for skill in record.talents])
        kept = tuple(skill for skill in record.talents if skill not in turned)
        return {"talents": kept, "trades": (*record.trades, *turned)}
    if purchase == "last_chance":
        if not record.last_chance_used:
            raise LastChanceUnused()
        return {"last_chance_used": False, "last_chances_served": record.last_chances_served + 1}
    level = int(purchase.split("_")[-1])
    others = tuple(line for line in record.talent_levels if talent_named(line.name) != talent_named(what))
    return {"talent_levels": (*others, NamedPoints(what, level))}


def _change_points(ctx: Context, result: Settled) -> Sequence[Change]:
    actor = ctx.one()
    record = actor.record
    if not isinstance(record, Character):
        return ()
    purchase, feat, ledger = ctx[PURCHASE], ctx[FEAT], record.ledger
    written = _bought(ctx, record, purchase) if purchase else {}
    if feat is not None and result.gained:
        ledger = (*ledger, NamedPoints(feat.value, result.gained))
    if purchase:
        ledger = (*ledger, NamedPoints(purchase, -result.spent))
    written |= {"adventure_points": result.left, "ledger": ledger}
    return [change for name, value in written.items() for change in changed(actor.id, record, name, value, "SIM-A05")]


AWARD_AND_SPEND = Move(
    "award-and-spend-pa",
    rules=("SIM-A02", "SIM-A05", "SIM-A06", "SIM-A09", "SIM-A10", "SIM-A11", "SIM-A12", "SIM-A13", "SIM-A14"),
    steps=(
        Ask("award", (FEAT, COUNT, AGREED, WHILE_CREATED)),
        Ask("buy", (POINTS, PURCHASE, WHAT, CURRENT, ADVISED)),
        Window("approve", "gm", "approval"),
        Resolve("settle", _settle, outcome=lambda result: "points_settled",
                tell=lambda ctx, result: (
                    Telling("outcomes.told_points", result._asdict(), main=True),), changes=_change_points),
    ),
    offered=lambda ctx: ctx.rulings.ruleset != "base",
)

MOVES = (AWARD_AND_SPEND,)
