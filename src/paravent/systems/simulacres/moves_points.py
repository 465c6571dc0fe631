"""Simulacres, the move that counts adventure points and spends them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    Ask,
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
    Whole,
    Window,
    asking,
    changed,
    rule,
)

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
from .character import (
    REALMS,
    Character,
    NamedPoints,
    plain_name,
)
from .errors import LastChanceUnused, NoSuchSkill, WrongJump
from .moves_people import skills_named
from .terms import Component, Energy, Means


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


def _bought_attribute(ctx: Context) -> str:
    """The attribute of the sheet that a purchase raises, empty where it raises none."""
    purchase, what = ctx["purchase"] or "", ctx["what"] or ""
    if purchase in ("breath_up", "psyche_up"):
        return {"breath_up": "breath_points_max", "psyche_up": "psyche_points_max"}[purchase]
    families: dict[str, tuple[Any, ...]] = {
        "component_up": tuple(Component), "means_up": tuple(Means), "realm_or_energy": (*REALMS, *Energy)
    }
    for start, names in families.items():
        if purchase.startswith(start):
            if what not in names:
                raise MissingField(field="what", role="initiator")
            return str(what)
    return ""


def _current(ctx: Context) -> int | None:
    """What the purchase starts from: as typed, or as the sheet says."""
    record, purchase = ctx.one().record, ctx["purchase"] or ""
    if ctx["current"] is not None or record is None:
        return None if ctx["current"] is None else int(ctx["current"])
    if purchase == "trade_base":
        return len(record.trades)
    attribute = _bought_attribute(ctx)
    return int(getattr(record, attribute)) if attribute else None


def _check_jump(ctx: Context) -> None:
    """A jump is bought from where one stands: a realm at 1 does not buy the jump from 0."""
    record, purchase, what = ctx.one().record, ctx["purchase"] or "", ctx["what"] or ""
    start = purchase.split("_")[-2] if purchase.startswith(("realm_or_energy", "talent_")) else ""
    current = _current(ctx)
    if purchase.startswith("realm_or_energy") and current is not None and str(current) != start:
        raise WrongJump(purchase=purchase, current=current)
    if record is None:
        return
    if purchase.startswith(("hobby", "talent_", "trade_")) and not what.strip():
        raise MissingField(field="what", role="initiator")
    if purchase.startswith("talent_") and purchase != "talent_base":
        if noted_level(record.talent_levels, what) is None and not is_printed(what):
            return  # a talent of the table's own: the game master, who approves, says where it stands
        level = level_text(talent_level(record.talent_levels, what))
        if level.lstrip("+") != start:
            raise WrongJump(purchase=purchase, current=level)


def _read_points(ctx: Context) -> tuple[Any, ...]:
    record = ctx.one().record
    points = ctx["points"] if ctx["points"] is not None else getattr(record, "adventure_points", 0)
    _check_jump(ctx)
    purchase = ctx["purchase"]
    wanted = Wanted(purchase, _current(ctx), ctx["advised"]) if purchase else None
    return Account(points, ctx["feat"], ctx["count"], wanted, ctx["agreed"], ctx["at_creation"]), ctx.rulings


def _bought(ctx: Context, record: Character) -> dict[str, Any]:
    """What a purchase writes on the sheet."""
    purchase, what = ctx["purchase"], ctx["what"] or ""
    attribute = _bought_attribute(ctx)
    if attribute:
        raised: dict[str, Any] = {attribute: getattr(record, attribute) + 1}
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
    written = _bought(ctx, record) if ctx["purchase"] else {}
    ledger = record.ledger
    if result.gained:
        ledger = (*ledger, NamedPoints(ctx["feat"].value, result.gained))
    if ctx["purchase"]:
        ledger = (*ledger, NamedPoints(ctx["purchase"], -result.spent))
    written |= {"adventure_points": result.left, "ledger": ledger}
    return [change for name, value in written.items() for change in changed(actor.id, record, name, value, "SIM-A05")]


AWARD_AND_SPEND = Move(
    "award-and-spend-pa",
    rules=("SIM-A02", "SIM-A05", "SIM-A06", "SIM-A09", "SIM-A10", "SIM-A11", "SIM-A12", "SIM-A13", "SIM-A14"),
    steps=(
        Ask("award", (
            Field("feat", OneOf(Feat), "gm", optional=True, rule="SIM-A10"),
            Field("count", Whole(1), "gm", usual=1, rule="SIM-A10"),
            Field("agreed", Flag(), "gm", usual=False, rule="SIM-A05"),
            Field("at_creation", Flag(), "gm", usual=False, rule="SIM-A05"),
        )),
        Ask("buy", (
            Field("points", Whole(0), optional=True, rule="SIM-A02"),
            Field("purchase", OneOf(lambda ctx: purchases(ctx.rulings)), optional=True, rule="SIM-A05"),
            Field("what", TextField(80), optional=True, rule="SIM-A05"),
            Field("current", Whole(), optional=True, rule="SIM-A05"),
            Field("advised", Flag(), usual=False, rule="SIM-A09"),
        )),
        Window("approve", "gm", "approval"),
        Resolve("settle", asking(settle_points, _read_points), outcome=lambda result: "points_settled",
                tell=lambda ctx, result: (Telling("outcomes.told_points", result._asdict()),), changes=_change_points),
    ),
)

MOVES = (AWARD_AND_SPEND,)
