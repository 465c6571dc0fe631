"""Haggling: a move of its own, and the steps by which every purchase and sale goes to its end (EGW-104, EGW-105)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

from paravent.dice import Dice
from paravent.game import AnyField, Ask, Call, Change, Context, Field, Flag, Move, OneOf, Resolve, Shown, Telling, Whole
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.action import Verb, characteristic_for
from paravent.systems.empire.actions.trials import CHARACTERISTIC, GRADE, OPENLY, against, grade_of, score_of, tested_in
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.throws import PAIR, said

from .purse import owed
from .trade import Bargain, Haggled, Haggling, after_haggling, haggle, in_credits

CHARM: Field[int | None] = Field("charm", Whole(0, 12), optional=True, rule="EGW-104")


class Terms(NamedTuple):
    """What is haggled over: bought or sold, the level of the lots or the quality of the object, other sellers."""

    bargain: Bargain
    against: int
    renewals: int = 0


def haggler(ctx: Context, terms: Terms) -> Haggling:
    """Who haggles, from the sheet or as typed: selling rests on Charm, buying on Intelligence."""
    actor = ctx.one()
    usual = characteristic_for("44", Verb.PULL if terms.bargain is Bargain.SELL else Verb.PUSH)
    dice, limit = against(ctx, "44", usual)
    typed = ctx[CHARACTERISTIC]
    tested = typed if isinstance(typed, int) else Characteristic(typed or usual)
    score = ctx[CHARM]
    if score is None:
        score = typed if isinstance(typed, int) else score_of(ctx, actor, Characteristic.CHARM)
    if ctx.rulings.haggling_characteristic == "tested":
        score = tested if isinstance(tested, int) else score_of(ctx, actor, tested)
    return Haggling(terms.bargain, dice, limit, score, grade_of(ctx, actor, Guild.MERCHANT), terms.against,
                    tested is Characteristic.CHARM, terms.renewals)


def _outcome(done: Haggled) -> str:
    return "rebate" if done.percent else "no_rebate" if done.success else "firm"


def tell_haggled(done: Haggled, price: Fraction | int, bargain: Bargain) -> Sequence[Telling]:
    """A firm price; or so many per cent, and what the price becomes."""
    if not done.success:
        return (said("told_firm"),)
    after = said("told_new_price", n=in_credits(after_haggling(Fraction(price), done.percent, bargain)))
    return (said("told_percent", n=done.percent), *((after,) if price else ()))


# The steps of a deal


HAGGLES: Field[bool | None] = Field("haggles", Flag(), usual=False, waits=True, rule="EGW-104")
ACCEPT: Field[bool | None] = Field("accept", Flag(), usual=True, waits=True, rule="EGW-107")
HAGGLED = "haggle"
"""The step in which a price is haggled over, where it is."""


class Priced(Protocol):
    """What has a price: so much for each, and how many."""

    @property
    def unit(self) -> Fraction: ...

    @property
    def quantity(self) -> int: ...


PricedT = TypeVar("PricedT", bound=Priced)


def full_price(priced: Priced) -> Fraction:
    """What a deal comes to before any haggling."""
    return priced.unit * priced.quantity


def settled_price(ctx: Context, price: Resolve[PricedT], bargain: Bargain) -> int:
    """What a deal comes to in the end, from the step that said its price."""
    haggled: Haggled | None = ctx.results.get(HAGGLED)
    return in_credits(after_haggling(full_price(ctx.result(price)), haggled.percent if haggled else 0, bargain))


def haggling(
    price: Resolve[PricedT], terms: Callable[[Context], Terms], charm: tuple[AnyField, ...] = (CHARM,)
) -> tuple[Ask, Ask, Resolve[Haggled]]:
    """Once the price is known: whether to haggle over it, what the game master settles, and the test.

    ``charm`` is the field where Charm is typed, none where it was asked before.
    """

    def wanted(ctx: Context) -> bool:
        return bool(ctx[HAGGLES])

    asked = (replace(field, when=wanted) for field in (*charm, *tested_in("44"), GRADE))
    return (
        Ask("bargain", (replace(HAGGLES, when=lambda ctx: is_dealt(ctx, price)), *asked)),
        Ask("haggling", tuple(replace(field, when=both(wanted, field.when)) for field in OPENLY)),
        Resolve(HAGGLED, lambda ctx: Call(haggle, haggler(ctx, terms(ctx)), ctx.rulings), when=wanted,
                outcome=_outcome, success=lambda done: done.percent > 0,
                tell=lambda ctx, done: tell_haggled(done, full_price(ctx.result(price)), terms(ctx).bargain),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=PAIR)),
    )


def is_dealt(ctx: Context, price: Resolve[PricedT]) -> bool:
    """Whether there is anybody to deal with, once a price was asked for."""
    return price.id not in ctx.results or not getattr(ctx.result(price), "absent", False)


def both(
    one: Callable[[Context], bool], other: Callable[[Context], bool] | None
) -> Callable[[Context], bool]:
    """When two things hold."""
    return one if other is None else lambda ctx: one(ctx) and other(ctx)


def settle_deal(dice: Dice, accepted: bool) -> bool:
    """Take it or leave it."""
    return accepted


def closing(
    price: Resolve[PricedT], bargain: Bargain, changes: Callable[[Context, bool], Sequence[Change]],
    more: Callable[[Context, bool], Sequence[Telling]] = lambda ctx, accepted: (),
) -> tuple[Ask, Resolve[bool]]:
    """Take it or leave it, at the price that stands."""

    def affords(ctx: Context) -> bool:
        try:
            due = 0 if bargain is Bargain.SELL or price.id not in ctx.results else settled_price(ctx, price, bargain)
            return not owed(ctx.one(), due)
        except Withheld:
            return True

    def answers(ctx: Context) -> tuple[bool, ...]:
        """What may be said: nobody says yes to what the purse cannot pay."""
        return (False, True) if affords(ctx) else (False,)

    def tell(ctx: Context, accepted: bool) -> Sequence[Telling]:
        line = said(f"told_{bargain.value}" if accepted else "told_no_deal", n=settled_price(ctx, price, bargain))
        return (line, *more(ctx, accepted))

    done = "bought" if bargain is Bargain.BUY else "sold"
    return (
        Ask("decide", (replace(ACCEPT, type=Flag(answers), when=lambda ctx: is_dealt(ctx, price), usual=affords),)),
        Resolve("deal", lambda ctx: Call(settle_deal, bool(ctx[ACCEPT])), auto=True, changes=changes, tell=tell,
                when=lambda ctx: is_dealt(ctx, price),
                outcome=lambda accepted: done if accepted else "no_deal"),
    )


# Haggling alone


def _haggle_call(ctx: Context) -> Call[Haggled]:
    return Call(haggle, haggler(ctx, Terms(ctx[BARGAIN], ctx[AGAINST], ctx[RENEWALS] or 0)), ctx.rulings)


BARGAIN = Field("bargain", OneOf(Bargain), usual=Bargain.BUY, rule="EGW-104")
PRICE = Field("price", Whole(0), usual=0, rule="EGW-104")
AGAINST = Field("against", Whole(1), "gm", usual=1, rule="EGW-104")
RENEWALS: Field[int | None] = Field("renewals", Whole(0, 6), "gm", usual=0, rule="EGW-080",
                                    when=lambda ctx: ctx.rulings.same_good == "keep")
HAGGLE = Move(
    "haggle",
    group="trade", rules=("EGW-104", "EGW-105"),
    steps=(
        Ask("offer", (BARGAIN, PRICE, CHARM, *tested_in("44"), GRADE)),
        Ask("settle", (AGAINST, RENEWALS, *OPENLY)),
        Resolve(HAGGLED, _haggle_call,
                tell=lambda ctx, done: tell_haggled(done, ctx[PRICE], ctx[BARGAIN]), outcome=_outcome,
                success=lambda done: done.percent > 0, shown=lambda ctx, done: Shown(dice=PAIR, detail=PAIR)),
    ),
)
