"""Simulacres, the move that counts adventure points and spends them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    LANGUAGES,
    Ask,
    Call,
    Cards,
    Change,
    Context,
    Field,
    FieldFacts,
    Flag,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Telling,
    TextField,
    UnknownName,
    Value,
    Whole,
    Window,
    changed,
    rule,
)
from paravent.systems.simulacres.actors import has_character, person
from paravent.systems.simulacres.terms import TABLES, Component, Energy, Means

from .campaign import (
    Feat,
    Wanted,
    bill,
    earned,
    feats,
    is_printed,
    level_text,
    noted_level,
    price,
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


FEAT: Field[Feat | None] = Field(
    "feat", OneOf(Feat, lambda ctx: feats(ctx.rulings)), "gm", optional=True, rule="SIM-A10", place="essential",
)
COUNT = Field("count", Whole(1), "gm", usual=1, rule="SIM-A10", place="refinement")
AGREED = Field("agreed", Flag(), "gm", usual=False, rule="SIM-A05", place="refinement")
WHILE_CREATED = Field("at_creation", Flag(), "gm", usual=False, rule="SIM-A05", place="rarity")
POINTS: Field[int | None] = Field("points", Whole(0), optional=True, rule="SIM-A02", place="rarity")
PURCHASE: Field[str | None] = Field(
    "purchase", OneOf(lambda ctx: purchases(ctx.rulings)), optional=True, rule="SIM-A05", place="essential",
    shape=Cards(price=lambda ctx, purchase: price(purchase, ctx.rulings).points, unit="pa"),
)
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "component_up": tuple(Component), "means_up": tuple(Means), "realm_or_energy": (*REALMS, *Energy),
}
"""What each kind of purchase raises."""


def _family(purchase: str) -> tuple[str, ...]:
    return next((names for start, names in FAMILIES.items() if purchase.startswith(start)), ())


@dataclass(frozen=True)
class Raised(TextField):
    """What is raised: an attribute that stands where the jump begins, a talent that does, or a new name."""

    def read(self, raw: object, field: str, ctx: Context) -> str:
        text = super().read(raw, field, ctx)
        called = {plain_name(ctx.system.words.entry(lang, f"values.{name}")): str(name)
                  for name in _family(ctx[PURCHASE] or "") for lang in LANGUAGES}
        return called.get(plain_name(text), text)

    def describe(self, ctx: Context) -> FieldFacts:
        record, purchase = person(ctx.one()), ctx[PURCHASE] or ""
        named = _family(purchase)
        if named:
            start = purchase.split("_")[-2] if purchase.startswith("realm_or_energy") else ""
            known = isinstance(record, Character) and bool(start)
            return FieldFacts("one-of", [str(name) for name in named
                                         if not known or str(getattr(record, name)) == start])
        if purchase == "trade_base" and record is not None:
            return FieldFacts("one-of", [skill.name for skill in record.talents])
        if purchase.startswith("talent_") and purchase != "talent_base" and isinstance(record, Character):
            start = purchase.split("_")[-2]
            return FieldFacts("text", suggested=[name for name in talents_known(record)
                              if level_text(talent_level(record.talent_levels, name)).lstrip("+") == start])
        return super().describe(ctx)


def _named(ctx: Context) -> bool:
    """Whether what is bought has yet to be named."""
    return bool(ctx[PURCHASE]) and ctx[PURCHASE] not in ("breath_up", "psyche_up", "last_chance")


WHAT = Field("what", Raised(80), rule="SIM-A05", place="essential", when=_named)
CURRENT: Field[int | None] = Field("current", Whole(), optional=True, rule="SIM-A05", place="rarity")
ADVISED = Field("advised", Flag(), usual=False, rule="SIM-A09", place="rarity")


def _what(ctx: Context) -> str:
    """What is bought by a name of its own; empty where it has none."""
    return ctx[WHAT] if _named(ctx) else ""


def _bought_attribute(ctx: Context) -> str:
    """The attribute of the sheet that a purchase raises, empty where it raises none."""
    purchase, what = ctx[PURCHASE] or "", _what(ctx)
    if purchase in ("breath_up", "psyche_up"):
        return {"breath_up": "breath_points_max", "psyche_up": "psyche_points_max"}[purchase]
    names = _family(purchase)
    if names and what not in names:
        raise MissingField(field=WHAT.id, role=WHAT.role)
    return what if names else ""


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
    record, purchase, what = person(ctx.one()), ctx[PURCHASE] or "", _what(ctx)
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
    what = _what(ctx)
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
    return {"talent_levels": with_level(record, what, purchase)}


def with_level(record: Character, talent: str, purchase: str) -> tuple[NamedPoints, ...]:
    """The levels of a sheet once a jump was bought for a talent."""
    others = tuple(line for line in record.talent_levels if talent_named(line.name) != talent_named(talent))
    return (*others, NamedPoints(talent, int(purchase.split("_")[-1])))


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
        Window("approve", "gm", "approval", grants=AGREED),
        Resolve("settle", _settle, auto=True, outcome=lambda result: "points_settled",
                tell=lambda ctx, result: (
                    Telling("outcomes.told_points", result._asdict(), main=True),), changes=_change_points),
    ),
    offered=lambda ctx: ctx.rulings.ruleset != "base",
)

# A talent moved to another level


def talents_known(record: Character) -> tuple[str, ...]:
    """The talents that a sheet may raise: those with a level, the weapons carried, those of the tables."""
    noted = [line.name for line in record.talent_levels]
    carried = [one.id for one in record.weapons if one.id]
    taken = {plain_name(talent_named(name)) for name in noted}
    printed = [row[1] for row in TABLES["talents"].rows]
    others = [name for name in (*carried, *printed) if plain_name(name) not in taken]
    return tuple(dict.fromkeys((*noted, *others)))


class Jump(NamedTuple):
    """A level that may be bought from where a talent stands: its line of the price table, its price, the agreement."""

    purchase: str
    points: int
    starred: bool


def jumps(record: Character, talent: str, rulings: Rulings) -> dict[str, Jump]:
    """The levels that may be bought for a talent, by level, each with the printed price of its jump."""
    start = f"talent_{level_text(talent_level(record.talent_levels, talent)).lstrip('+')}_"
    lines = {name: price(name, rulings) for name in purchases(rulings) if name.startswith(start)}
    return {level_text(int(name.split("_")[-1])): Jump(name, line.points, line.starred)
            for name, line in lines.items()}


def _raising(ctx: Context) -> dict[str, Jump]:
    """What may be bought for the talent chosen, out of the points that there are."""
    record = ctx.one().record
    if not isinstance(record, Character):
        return {}
    return {level: jump for level, jump in jumps(record, ctx[TALENT], ctx.rulings).items()
            if jump.points <= record.adventure_points}


def _may_raise(ctx: Context) -> bool:
    """Whether a campaign's character has points enough for a jump."""
    return ctx.rulings.ruleset == "campaign" and has_character(
        ctx, lambda record: bool(_within_reach(record, ctx.rulings)))


def _within_reach(record: Character, rulings: Rulings) -> tuple[str, ...]:
    """The talents of which a level can be paid for."""
    points = record.adventure_points
    return tuple(talent for talent in talents_known(record)
                 if points and _least_price(record, talent, rulings) <= points)


def _least_price(record: Character, talent: str, rulings: Rulings) -> float:
    """The price of the least jump of a talent; without end where it has none, as in a period that does not know it."""
    try:
        return min((jump.points for jump in jumps(record, talent, rulings).values()), default=inf)
    except UnknownName:
        return inf


TALENT: Field[str] = Field(
    "raised_talent", OneOf(lambda ctx: talents_known(ctx.one().sheet(Character)),
                           lambda ctx: _within_reach(ctx.one().sheet(Character), ctx.rulings)),
    rule="SIM-A04", place="essential",
)
NEW_LEVEL: Field[str] = Field(
    "new_level", OneOf(lambda ctx: tuple(sorted(_raising(ctx), key=int))), rule="SIM-A05", place="essential",
    shape=Cards(price=lambda ctx, level: _raising(ctx)[level].points, unit="pa"),
)


def _starred(ctx: Context) -> bool:
    return _raising(ctx)[ctx[NEW_LEVEL]].starred


def _raise(ctx: Context) -> Call[Settled]:
    jump = _raising(ctx)[ctx[NEW_LEVEL]]
    points = ctx.one().sheet(Character).adventure_points
    return Call(settle_points, Account(points, None, 1, Wanted(jump.purchase), jump.starred, False), ctx.rulings)


def _change_level(ctx: Context, result: Settled) -> Sequence[Change]:
    actor, talent, jump = ctx.one(), ctx[TALENT], _raising(ctx)[ctx[NEW_LEVEL]]
    record = actor.sheet(Character)
    written: dict[str, Value] = {
        "talent_levels": with_level(record, talent, jump.purchase), "adventure_points": result.left,
        "ledger": (*record.ledger, NamedPoints(jump.purchase, -result.spent)),
    }
    return [change for name, value in written.items() for change in changed(actor.id, record, name, value, "SIM-A05")]


RAISE_A_TALENT = Move(
    "raise-a-talent",
    rules=("SIM-A04", "SIM-A05"),
    steps=(
        Ask("choose", (TALENT, NEW_LEVEL)),
        Window("approve", "gm", "approval", when=_starred),
        Resolve("raise", _raise, auto=True, outcome=lambda result: "points_settled", changes=_change_level,
                tell=lambda ctx, result: (Telling("outcomes.told_raised", {
                    "talent": ctx[TALENT], "level": ctx[NEW_LEVEL], "spent": result.spent, "left": result.left,
                }, main=True),)),
    ),
    offered=_may_raise,
)

MOVES = (AWARD_AND_SPEND, RAISE_A_TALENT)
