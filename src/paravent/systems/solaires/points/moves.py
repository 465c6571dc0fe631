"""Character points: a use proposed, its cost fixed, a veto waited for; a question to the game master."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    INITIATOR,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Role,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
    only,
    rule,
)
from paravent.systems.solaires.actions.elements import check_score
from paravent.systems.solaires.errors import NotEnoughPoints
from paravent.systems.solaires.facts import SCORE_MAX, TABLES, Category, Tag, Use
from paravent.systems.solaires.people.character import Character, Element, with_element
from paravent.systems.solaires.reading import MOST_POINTS, called, has, names_of, points_of, without_sheet

from .rules import Spending, Spent, cost_of, spend, suggested_surcharge

CONTRIBUTOR = Role("contributor", record="character", least=0, most=None,
                   when=lambda rulings: rulings.pooling == "true")
MOST_COST = 20


@dataclass(frozen=True)
class Affordable(OneOf[Use]):
    """A use of points that one has the points for."""

    def read(self, raw: Any, field: str, ctx: Context) -> Use:
        use = super().read(raw, field, ctx)
        if ctx.rulings.pooling == "false":
            check_affordable(ctx, use)
        return use


@dataclass(frozen=True)
class Question(TextField):
    """A question that one has the points for."""

    def read(self, raw: Any, field: str, ctx: Context) -> str:
        check_affordable(ctx, Use.QUESTION_GM)
        return super().read(raw, field, ctx)


def check_affordable(ctx: Context, use: Use) -> None:
    """Whether the one who proposes has at least the printed cost, where nobody else may put in."""
    held, cost = points_of(ctx, ctx.one()), cost_of(use, ctx.rulings)
    if ctx.one().record is not None and cost > held:
        raise NotEnoughPoints(cost=cost, got=held)


def ending(spent: Spent) -> str:
    """How a proposal ended, in a word."""
    return "spent" if spent.accepted else "declined" if spent.declined else "vetoed"


USES = tuple(use for use in Use if use != Use.REROLL_DIE)


def may_alter(ctx: Context) -> bool:
    """Whether the use may add to the character."""
    use = has(ctx, ctx.one(), "use")
    return use is not None and bool(TABLES["point_uses"].cell(use, "alters") == "yes")


def alters(ctx: Context) -> bool:
    """Whether the use adds to the character."""
    return may_alter(ctx) and bool(ctx["alters_character"])


def usual_surcharge(ctx: Context) -> int:
    """One point for a small thing, two for more."""
    return suggested_surcharge(ctx["score"])


def spending_of(ctx: Context, use: Use | None = None) -> Spending:
    """The use as proposed and priced."""
    gm = ctx.one("gm")
    if use is not None:
        return Spending(use, has(ctx, gm, "cost"))
    changes = alters(ctx)
    return Spending(ctx["use"], has(ctx, gm, "cost"), changes, ctx["surcharge"] if changes else 0,
                    bool(changes and has(ctx, gm, "contradicts_played")))


def share_of(ctx: Context, actor: Actor) -> int:
    """What somebody else puts in: no more than he has."""
    share = int(has(ctx, actor, "share") or 0)
    if actor.record is not None and share > points_of(ctx, actor):
        raise NotEnoughPoints(cost=share, got=points_of(ctx, actor))
    return share


def read_spending(ctx: Context) -> tuple[Hashable, ...]:
    """The points at hand, what others put in, and the use."""
    offers = tuple(share_of(ctx, one) for one in ctx.all("contributor"))
    return points_of(ctx, ctx.one()), offers, spending_of(ctx), ctx.rulings


def tell_spending(ctx: Context, spent: Spent) -> list[Telling]:
    """Whether the use happens, and in the player's words what it is."""
    values = {"who": called(ctx.one()), "use": ctx["use"], "n": spent.cost, "text": ctx["text"]}
    if not spent.accepted:
        return [Telling(f"outcomes.told_{ending(spent)}", values)]
    return [Telling("outcomes.told_spent", values), *([Telling("outcomes.told_story", values)] if ctx["text"] else [])]


def spending_changes(ctx: Context, spent: Spent) -> list[Change]:
    """Points paid, and what is added to the sheet."""
    if not spent.accepted:
        return []
    found: list[Change] = []
    payers = [ctx.one(), *ctx.all("contributor")]
    for actor, paid in zip(payers, spent.shares, strict=False):
        if isinstance(actor.record, Character) and paid:
            found += changed(actor.id, actor.record, "points", actor.record.points - paid, "SOL-112")
    if alters(ctx) and isinstance(ctx.one().record, Character):
        score = check_score(ctx["score"], ctx.rulings)
        element = Element(ctx["element_name"], score)
        where, after = with_element(ctx.one().record, ctx["category"], element, ctx["tag"] or Tag.NONE)
        found += changed(ctx.one().id, ctx.one().record, where, after, "SOL-123")
    return found


SPEND_POINTS = Move(
    "spend-points",
    (
        Ask("propose", (
            Field("use", Affordable(USES), rule="SOL-112"),
            Field("text", TextField(500), usual="", rule="SOL-112", upfront=True),
            Field("points", Whole(0, MOST_POINTS), usual=2, when=without_sheet("initiator"), rule="SOL-114"),
            Field("alters_character", Flag(), usual=False, when=may_alter, rule="SOL-123", upfront=True),
            Field("category", OneOf(Category), usual=Category.RELATION, when=alters, rule="SOL-123", upfront=True),
            Field("tag", OneOf(tuple(tag for tag in Tag if tag)), optional=True, rule="SOL-105",
                  when=lambda ctx: alters(ctx) and ctx["category"] == Category.EQUIPMENT),
            Field("element_name", TextField(80, names_of("initiator")), when=alters, rule="SOL-123"),
            Field("score", Whole(0, SCORE_MAX), usual=1, when=alters, rule="SOL-104", upfront=True),
            Field("share", Whole(0, MOST_POINTS), "contributor", usual=0, rule="SOL-112",
                  when=lambda ctx: ctx.rulings.pooling == "true"),
        )),
        Ask("price", (
            Field("cost", Whole(0, MOST_COST), "gm", usual=lambda ctx: cost_of(ctx["use"], ctx.rulings), waits=True,
                  rule="SOL-112"),
            Field("surcharge", Whole(0, 2), "gm", usual=usual_surcharge, when=alters, rule="SOL-123", upfront=True),
            Field("contradicts_played", Flag(), "gm", usual=False, when=alters, rule="SOL-123"),
        )),
        Resolve("spend", asking(spend, read_spending), auto=True, tell=tell_spending, changes=spending_changes,
                outcome=ending, success=lambda spent: spent.accepted),
    ),
    cast=(INITIATOR, CONTRIBUTOR, GAME_MASTER),
    rules=("SOL-112", "SOL-113", "SOL-116", "SOL-118", "SOL-119", "SOL-120", "SOL-121", "SOL-123"),
)


# A question


def is_answered(ctx: Context) -> bool:
    """Whether nobody vetoed the question."""
    return "spend" in ctx.results and bool(ctx.results["spend"].accepted)


@rule("SOL-122")
def answered(dice: Dice, private: bool) -> bool:
    """The game master answers, to all or to the asker alone."""
    return private


def tell_question(ctx: Context, spent: Spent) -> list[Telling]:
    """The question, and whether it is allowed."""
    key = "told_asked" if spent.accepted else f"told_{ending(spent)}"
    values = {"who": called(ctx.one()), "use": Use.QUESTION_GM, "n": spent.cost, "text": ctx["question"]}
    return [Telling(f"outcomes.{key}", values)]


def tell_answer(ctx: Context, private: bool) -> list[Telling]:
    """The answer, for whom it is meant."""
    hears = only("gm", "initiator") if private else EVERYONE
    return [Telling("outcomes.told_answer", {"text": ctx["answer"]}, hears)] if ctx["answer"] else []


ASK_THE_GM = Move(
    "ask-the-gm",
    (
        Ask("question", (
            Field("question", Question(500), usual="", waits=True, rule="SOL-122"),
            Field("points", Whole(0, MOST_POINTS), usual=2, when=without_sheet("initiator"), rule="SOL-114"),
        )),
        Ask("price", (Field("cost", Whole(0, MOST_COST), "gm", waits=True, rule="SOL-112",
                            usual=lambda ctx: cost_of(Use.QUESTION_GM, ctx.rulings)),)),
        Resolve("spend", asking(spend,
                lambda ctx: (points_of(ctx, ctx.one()), (), spending_of(ctx, Use.QUESTION_GM), ctx.rulings)),
                auto=True, tell=tell_question, outcome=ending,
                changes=lambda ctx, spent: _paid(ctx, spent), success=lambda spent: spent.accepted),
        Ask("answer", (
            Field("answer", TextField(), "gm", usual="", secrecy="gm", waits=True, rule="SOL-122", when=is_answered),
            Field("private", Flag(), "gm", usual=False, when=is_answered, rule="SOL-122", upfront=True),
        )),
        Resolve("answered", asking(answered, lambda ctx: (ctx["private"],)), auto=True, when=is_answered,
                outcome=lambda private: "answered",
                tell=tell_answer),
    ),
    rules=("SOL-122", "SOL-113"),
)


def _paid(ctx: Context, spent: Spent) -> tuple[Change, ...]:
    actor = ctx.one()
    if not spent.accepted or not isinstance(actor.record, Character):
        return ()
    return changed(actor.id, actor.record, "points", spent.points, "SOL-122")


MOVES = (SPEND_POINTS, ASK_THE_GM)
