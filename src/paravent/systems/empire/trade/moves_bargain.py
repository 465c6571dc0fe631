"""Haggling: a move of its own, and the steps by which every purchase and sale goes to its end (EGW-104, EGW-105)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    AnyField,
    AnyResolve,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Shown,
    Telling,
    Whole,
    asking,
)
from paravent.systems.empire.actions.action import Verb, characteristic_for
from paravent.systems.empire.actions.trials import GRADE, OPENLY, TESTED, against, grade_of, score_of
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.throws import PAIR, said

from .trade import Bargain, Deal, Haggled, Haggling, after_haggling, haggle, in_credits

CHARM = Field("charm", Whole(0, 12), optional=True, rule="EGW-104")


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
    typed = ctx.value(actor, "characteristic")
    tested = typed if typed is not None else usual
    score = ctx.value(actor, "charm")
    if score is None:
        score = typed if isinstance(typed, int) else score_of(ctx, actor, Characteristic.CHARM)
    if ctx.rulings.haggling_characteristic == "tested":
        score = tested if isinstance(tested, int) else score_of(ctx, actor, tested)
    return Haggling(terms.bargain, dice, limit, int(score), grade_of(ctx, actor, Guild.MERCHANT), terms.against,
                    tested == Characteristic.CHARM, terms.renewals)


def _outcome(done: Haggled) -> str:
    return "rebate" if done.percent else "no_rebate" if done.success else "firm"


def tell_haggled(done: Haggled, price: Fraction | int, bargain: Bargain) -> Sequence[Telling]:
    """A firm price; or so many per cent, and what the price becomes."""
    if not done.success:
        return (said("told_firm"),)
    after = said("told_new_price", n=in_credits(after_haggling(Fraction(price), done.percent, bargain)))
    return (said("told_percent", n=done.percent), *((after,) if price else ()))


# The steps of a deal


def full_price(ctx: Context) -> Fraction:
    """What a deal comes to before any haggling."""
    priced: Deal = ctx.results["price"]
    return priced.unit * priced.quantity


def settled_price(ctx: Context, bargain: Bargain) -> int:
    """What a deal comes to in the end."""
    haggled: Haggled | None = ctx.results.get("haggle")
    return in_credits(after_haggling(full_price(ctx), haggled.percent if haggled else 0, bargain))


def haggling(terms: Callable[[Context], Terms], charm: tuple[AnyField, ...] = (CHARM,)) -> tuple[Ask, Ask, AnyResolve]:
    """Once the price is known: whether to haggle over it, what the game master settles, and the test.

    ``charm`` is the field where Charm is typed, none where it was asked before.
    """

    def wanted(ctx: Context) -> bool:
        return bool(ctx["haggles"])

    def read(ctx: Context) -> tuple[Any, ...]:
        return haggler(ctx, terms(ctx)), ctx.rulings

    asked = (*charm, *TESTED, GRADE)
    return (
        Ask("bargain", (
            Field("haggles", Flag(), usual=False, waits=True, rule="EGW-104"),
            *(replace(field, when=wanted) for field in asked),
        )),
        Ask("haggling", tuple(replace(field, when=both(wanted, field.when)) for field in OPENLY)),
        Resolve("haggle", asking(haggle, read), when=wanted, outcome=_outcome, success=lambda done: done.percent > 0,
                tell=lambda ctx, done: tell_haggled(done, full_price(ctx), terms(ctx).bargain),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=PAIR)),
    )


def both(
    one: Callable[[Context], bool], other: Callable[[Context], bool] | None
) -> Callable[[Context], bool]:
    """When two things hold."""
    return one if other is None else lambda ctx: one(ctx) and other(ctx)


def settle_deal(dice: Dice, accepted: bool) -> bool:
    """Take it or leave it."""
    return accepted


def closing(
    bargain: Bargain, changes: Callable[[Context, bool], Sequence[Change]],
    more: Callable[[Context, bool], Sequence[Telling]] = lambda ctx, accepted: (),
) -> tuple[Ask, AnyResolve]:
    """Take it or leave it, at the price that stands."""

    def tell(ctx: Context, accepted: bool) -> Sequence[Telling]:
        line = said(f"told_{bargain.value}" if accepted else "told_no_deal", n=settled_price(ctx, bargain))
        return (line, *more(ctx, accepted))

    done = "bought" if bargain is Bargain.BUY else "sold"
    return (
        Ask("decide", (Field("accept", Flag(), usual=True, waits=True, rule="EGW-107"),)),
        Resolve("deal", asking(settle_deal, lambda ctx: (ctx["accept"],)), auto=True, changes=changes, tell=tell,
                outcome=lambda accepted: done if accepted else "no_deal"),
    )


# Haggling alone


HAGGLE = Move(
    "haggle",
    group="trade", rules=("EGW-104", "EGW-105"),
    steps=(
        Ask("offer", (
            Field("bargain", OneOf(Bargain), usual=Bargain.BUY, rule="EGW-104"),
            Field("price", Whole(0), usual=0, rule="EGW-104"),
            CHARM, *TESTED, GRADE,
        )),
        Ask("settle", (
            Field("against", Whole(1), "gm", usual=1, rule="EGW-104"),
            Field("renewals", Whole(0, 6), "gm", usual=0, rule="EGW-080",
                  when=lambda ctx: ctx.rulings.same_good == "keep"),
            *OPENLY,
        )),
        Resolve("haggle", asking(haggle, lambda ctx: (
                    haggler(ctx, Terms(ctx["bargain"], ctx["against"], ctx["renewals"] or 0)), ctx.rulings)),
                tell=lambda ctx, done: tell_haggled(done, ctx["price"], ctx["bargain"]), outcome=_outcome,
                success=lambda done: done.percent > 0, shown=lambda ctx, done: Shown(dice=PAIR, detail=PAIR)),
    ),
)
