"""Character points: a use proposed, its cost fixed, a veto waited for; a question to the game master."""

from __future__ import annotations

from dataclasses import dataclass, replace

from paravent.dice import Dice, plain
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    INITIATOR,
    Actor,
    Ask,
    Call,
    Cards,
    Change,
    Context,
    Field,
    FieldFacts,
    Flag,
    Follow,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    Steps,
    Telling,
    TextField,
    Value,
    Who,
    Whole,
    changed,
    only,
    rule,
)
from paravent.systems.solaires.actions.elements import check_score
from paravent.systems.solaires.cast import has, names_of
from paravent.systems.solaires.facts import SCORE_MAX, TABLES, Category, Tag, Use
from paravent.systems.solaires.people.character import Character, Element, with_element

from .errors import NotEnoughPoints, UseCannotAlterCharacter
from .held import MOST_POINTS, POINTS, paid, points_of
from .rules import Spending, Spent, cost_of, price, spend, suggested_surcharge

CONTRIBUTOR = Role("contributor", record="character", least=0, most=None,
                   when=lambda rulings: rulings.pooling == "true")
MOST_COST = 20
USES = tuple(use for use in Use if use != Use.REROLL_DIE)


# What one can pay for

LEAST_SURCHARGE = 1
"""What adding to the character costs at least, on top of the use."""


@dataclass(frozen=True)
class Affordable(OneOf[Use]):
    """A use of points that one has the points for; elsewhere, others may put in."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, [plain(use) for use in affordable(ctx)])

    def read(self, raw: object, field: str, ctx: Context) -> Use:
        use = super().read(raw, field, ctx)
        adds = bool(ctx.one().filled.get(ALTERS_CHARACTER.id))
        if adds and not alters_by(use):
            raise UseCannotAlterCharacter(use=use)
        if ctx.rulings.pooling == "false":
            check_affordable(ctx, use, LEAST_SURCHARGE if adds else 0)
        return use


@dataclass(frozen=True)
class Alters(Flag):
    """Whether the use adds to the character: refused, in words, of a use that may not."""

    def read(self, raw: object, field: str, ctx: Context) -> bool:
        wanted = super().read(raw, field, ctx)
        use = has(ctx, ctx.one(), USE) if wanted else None
        if use is not None and not alters_by(use):
            raise UseCannotAlterCharacter(use=use)
        if use is not None and ctx.rulings.pooling == "false":
            check_affordable(ctx, use, LEAST_SURCHARGE)
        return wanted


@dataclass(frozen=True)
class Question(TextField):
    """A question that one has the points for."""

    def read(self, raw: object, field: str, ctx: Context) -> str:
        check_affordable(ctx, Use.QUESTION_GM)
        return super().read(raw, field, ctx)


def affordable(ctx: Context) -> list[Use]:
    """The uses that whoever proposes has the points for; all, where others may put in or no sheet says."""
    actor = ctx.one()
    if actor.record is None or ctx.rulings.pooling != "false":
        return list(USES)
    held = points_of(ctx, actor)
    return [use for use in USES if cost_of(use, ctx.rulings) <= held]


def check_affordable(ctx: Context, use: Use, more: int = 0) -> None:
    """Whether the one who proposes has at least the printed cost, and what comes on top; nobody else may put in."""
    held, cost = points_of(ctx, ctx.one()), cost_of(use, ctx.rulings) + more
    if ctx.one().record is not None and cost > held:
        raise NotEnoughPoints(cost=cost, got=held)


# A use


USE = Field("use", Affordable(USES), rule="SOL-112", place="essential",
            shape=Cards(price=lambda ctx, use: cost_of(use, ctx.rulings), unit="character_points"))
TEXT = Field("text", TextField(500), rule="SOL-112", place="essential")
OWN_POINTS = replace(POINTS, usual=2, rule="SOL-114")


def may_alter(ctx: Context) -> bool:
    """Whether the use may add to the character, and there are points for that."""
    use, actor = has(ctx, ctx.one(), USE), ctx.one()
    if use is None or not alters_by(use):
        return False
    paid = actor.record is None or ctx.rulings.pooling != "false"
    return paid or (said_price(ctx) or cost_of(use, ctx.rulings)) + LEAST_SURCHARGE <= points_of(ctx, actor)


def said_price(ctx: Context, part: str = "cost") -> int:
    """What the game master asked for the use, or on top of it, once that is said."""
    said = ctx.one("gm").filled.get(part)
    return said if isinstance(said, int) else 0


def at_hand(ctx: Context) -> int:
    """The points that may go into a use: one's own, and those of others where they may put in."""
    others = sum(points_of(ctx, one) for one in ctx.all("contributor")) if ctx.rulings.pooling == "true" else 0
    return points_of(ctx, ctx.one()) + others


def alters_by(use: Use) -> bool:
    """Whether such a use may add to the character."""
    return bool(TABLES["point_uses"].cell(use, "alters") == "yes")


ALTERS_CHARACTER: Field[bool | None] = Field(
    "alters_character", Alters(), usual=False, when=may_alter, rule="SOL-123", place="refinement",
)


def alters(ctx: Context) -> bool:
    """Whether the use adds to the character."""
    return may_alter(ctx) and bool(ctx[ALTERS_CHARACTER])


CATEGORY: Field[Category | None] = Field(
    "category", OneOf(Category), usual=Category.RELATION, when=alters, rule="SOL-123", place="essential",
    shape=Pills(),
)
TAG: Field[Tag | None] = Field("tag", OneOf(tuple(tag for tag in Tag if tag)), optional=True, rule="SOL-105",
                               when=lambda ctx: alters(ctx) and ctx[CATEGORY] == Category.EQUIPMENT)
ELEMENT_NAME: Field[str | None] = Field(
    "element_name", TextField(80, names_of("initiator")), when=alters, rule="SOL-123"
)
SCORE: Field[int | None] = Field("score", Whole(0, SCORE_MAX), usual=1, when=alters, rule="SOL-104",
                               place="essential", shape=Steps((1, 2, 3)))
SHARE: Field[int | None] = Field("share", Whole(0, MOST_POINTS), "contributor", usual=0, rule="SOL-112",
                                 when=lambda ctx: ctx.rulings.pooling == "true")


@dataclass(frozen=True)
class Price(Whole):
    """What the game master asks for a use: its price, or more where it may be raised and there are points for it."""

    use: Use | None = None

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        use = self.use or ctx[USE]
        least, actor = cost_of(use, ctx.rulings), ctx.one()
        if TABLES["point_uses"].row(use)["raise"] == "no" and ctx.rulings.raise_all == "false":
            return least, least
        if actor.record is None:
            return least, MOST_COST
        added = (said_price(ctx, "surcharge") or LEAST_SURCHARGE) if self.use is None and alters(ctx) else 0
        return least, max(least, at_hand(ctx) - added)

    def is_open(self, ctx: Context) -> bool:
        """Whether there is anything to say of it: a fixed price, or one that takes all the points there are, stands."""
        least, most = self.bounds(ctx)
        return least != most

    def read(self, raw: object, field: str, ctx: Context) -> int:
        """Any other is refused by its rule, to whoever says it."""
        asked, use = Whole(0, MOST_COST).read(raw, field, ctx), self.use or has(ctx, ctx.one(), USE)
        if use is not None:
            price(Spending(use, asked), ctx.rulings)
        return asked


PRICE, QUESTION_PRICE = Price(), Price(use=Use.QUESTION_GM)
COST = Field("cost", PRICE, "gm", usual=lambda ctx: cost_of(ctx[USE], ctx.rulings), waits=PRICE.is_open,
             when=lambda ctx: has(ctx, ctx.one(), USE) is not None, rule="SOL-112", upon=USE.id, place="essential")


def most_surcharge(ctx: Context) -> int:
    """What may come on top at most: two points, if there are as many beside the price."""
    if ctx.one().record is None:
        return 2
    left = at_hand(ctx) - (said_price(ctx) or cost_of(ctx[USE], ctx.rulings))
    return max(LEAST_SURCHARGE, min(2, left))


@dataclass(frozen=True)
class Surcharge(Whole):
    """What it costs on top to add to the character: one or two points."""

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        return LEAST_SURCHARGE, most_surcharge(ctx)

    def read(self, raw: object, field: str, ctx: Context) -> int:
        return Whole(0, 2).read(raw, field, ctx)  # none at all is refused by its rule


SURCHARGE: Field[int | None] = Field("surcharge", Surcharge(0, 2), "gm", when=alters, rule="SOL-123", place="essential",
                                     usual=lambda ctx: min(suggested_surcharge(ctx[SCORE] or 0, ctx.rulings),
                                                           most_surcharge(ctx)))
CONTRADICTS_PLAYED: Field[bool | None] = Field(
    "contradicts_played", Flag(), "gm", usual=False, when=alters, rule="SOL-123", place="rarity"
)


def spending_of(ctx: Context) -> Spending:
    """The use as proposed and priced."""
    gm = ctx.one("gm")
    if not alters(ctx):
        return Spending(ctx[USE], has(ctx, gm, COST))
    return Spending(ctx[USE], has(ctx, gm, COST), True, ctx[SURCHARGE] or 0, bool(has(ctx, gm, CONTRADICTS_PLAYED)))


def share_of(ctx: Context, actor: Actor) -> int:
    """What somebody else puts in: no more than he has."""
    share = has(ctx, actor, SHARE) or 0
    if actor.record is not None and share > points_of(ctx, actor):
        raise NotEnoughPoints(cost=share, got=points_of(ctx, actor))
    return share


def proposal(ctx: Context) -> Call[Spent]:
    """The points at hand, what others put in, and the use."""
    offers = tuple(share_of(ctx, one) for one in ctx.all("contributor"))
    words = has(ctx, ctx.one(), TEXT) or ""
    return Call(spend, points_of(ctx, ctx.one()), offers, spending_of(ctx), ctx.rulings, words)


def ending(spent: Spent) -> str:
    """How a proposal ended, in a word."""
    return "spent" if spent.accepted else "declined" if spent.declined else "vetoed"


def tell_spending(ctx: Context, spent: Spent) -> list[Telling]:
    """Whether the use happens, and in the player's words what it is."""
    values: dict[str, Value] = {"who": Who(ctx.one().id), "use": ctx[USE], "n": spent.cost, "text": ctx[TEXT]}
    if not spent.accepted:
        return [Telling(f"outcomes.told_{ending(spent)}", values)]
    return [Telling("outcomes.told_spent", values), *([Telling("outcomes.told_story", values)] if ctx[TEXT] else [])]


def spending_changes(ctx: Context, spent: Spent) -> list[Change]:
    """Points paid, and what is added to the sheet."""
    if not spent.accepted:
        return []
    payers = [ctx.one(), *ctx.all("contributor")]
    return [
        *(change for actor, points in zip(payers, spent.shares, strict=False)
          for change in paid(actor, points, "SOL-112")),
        *(sheet_altered(ctx) if alters(ctx) else ()),
    ]


def given_back(ctx: Context, spent: Spent) -> list[Follow]:
    """Whoever's words were vetoed has them before their eyes again, to write otherwise or to leave."""
    if spent.accepted or spent.declined or not ctx[TEXT]:
        return []
    return [Follow("spend-points", {"initiator": [ctx.one().id]}, {ctx.one().id: {"text": ctx[TEXT]}})]


def sheet_altered(ctx: Context) -> tuple[Change, ...]:
    """The element that the use adds to the character."""
    actor, category = ctx.one(), ctx[CATEGORY]
    if not isinstance(actor.record, Character) or category is None:
        return ()
    element = Element(ctx[ELEMENT_NAME] or "", check_score(ctx[SCORE] or 0, ctx.rulings))
    where, after = with_element(actor.record, category, element, ctx[TAG] or Tag.NONE)
    return changed(actor.id, actor.record, where, after, "SOL-123")


# A question


QUESTION = Field("question", Question(500), usual="", waits=True, rule="SOL-122")


def tell_question(ctx: Context, spent: Spent) -> list[Telling]:
    """The question, and whether it is allowed."""
    key = "told_asked" if spent.accepted else f"told_{ending(spent)}"
    values: dict[str, Value] = {
        "who": Who(ctx.one().id), "use": Use.QUESTION_GM, "n": spent.cost, "text": ctx[QUESTION],
    }
    back = [Telling("outcomes.told_given_back", values, only("gm", "initiator"))]
    return [Telling(f"outcomes.{key}", values), *(() if spent.accepted or not ctx[QUESTION] else back)]


def question_paid(ctx: Context, spent: Spent) -> tuple[Change, ...]:
    """What is left to whoever asked, if he may."""
    actor = ctx.one()
    if not spent.accepted or not isinstance(actor.record, Character):
        return ()
    return changed(actor.id, actor.record, "points", spent.points, "SOL-122")


def question_asked(ctx: Context) -> Call[Spent]:
    """The points at hand, and what the question costs."""
    spending = Spending(Use.QUESTION_GM, has(ctx, ctx.one("gm"), COST))
    return Call(spend, points_of(ctx, ctx.one()), (), spending, ctx.rulings, ctx[QUESTION])


SPEND: Resolve[Spent] = Resolve(
    "spend", question_asked, auto=True, tell=tell_question, outcome=ending, changes=question_paid,
    success=lambda spent: spent.accepted,
)


def is_answered(ctx: Context) -> bool:
    """Whether points went into a question that nobody vetoed."""
    asked = not ctx.asks(USE) or has(ctx, ctx.one(), USE) == Use.QUESTION_GM
    return asked and SPEND.id in ctx.results and ctx.result(SPEND).accepted


ANSWER: Field[str | None] = Field(
    "answer", TextField(), "gm", usual="", secrecy="gm", waits=True, rule="SOL-122", when=is_answered
)
PRIVATE: Field[bool | None] = Field(
    "private", Flag(), "gm", usual=False, when=is_answered, rule="SOL-122", upfront=True
)


@rule("SOL-122")
def answered(dice: Dice, private: bool) -> bool:
    """The game master answers, to all or to the asker alone."""
    return private


def tell_answer(ctx: Context, private: bool) -> list[Telling]:
    """The answer, for whom it is meant."""
    hears = only("gm", "initiator") if private else EVERYONE
    return [Telling("outcomes.told_answer", {"text": ctx[ANSWER]}, hears)] if ctx[ANSWER] else []


ANSWERING = (
    Ask("answer", (ANSWER, PRIVATE)),
    Resolve("answered", lambda ctx: Call(answered, bool(ctx[PRIVATE])), auto=True, when=is_answered,
            outcome=lambda private: "answered", tell=tell_answer),
)


ASK_THE_GM = Move(
    "ask-the-gm",
    (
        Ask("question", (QUESTION, OWN_POINTS)),
        Ask("price", (replace(COST, type=QUESTION_PRICE, when=None, waits=QUESTION_PRICE.is_open,
                               usual=lambda ctx: cost_of(Use.QUESTION_GM, ctx.rulings)),)),
        SPEND,
        *ANSWERING,
    ),
    rules=("SOL-122", "SOL-113"),
    offered=lambda ctx: ctx.one().record is None or points_of(ctx, ctx.one()) >= cost_of(Use.QUESTION_GM, ctx.rulings),
)

SPEND_POINTS = Move(
    "spend-points",
    (
        Ask("propose", (USE, TEXT, OWN_POINTS, ALTERS_CHARACTER, CATEGORY, TAG, ELEMENT_NAME, SCORE, SHARE)),
        Ask("price", (COST, SURCHARGE, CONTRADICTS_PLAYED)),
        Resolve("spend", proposal, auto=True, tell=tell_spending, changes=spending_changes, outcome=ending,
                success=lambda spent: spent.accepted, follow=given_back),
        *ANSWERING,
    ),
    cast=(INITIATOR, CONTRIBUTOR, GAME_MASTER),
    rules=("SOL-112", "SOL-113", "SOL-116", "SOL-118", "SOL-119", "SOL-120", "SOL-121", "SOL-122", "SOL-123"),
    offered=lambda ctx: bool(affordable(ctx)),
)

MOVES = (SPEND_POINTS, ASK_THE_GM)
