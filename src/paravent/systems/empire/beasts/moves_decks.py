"""Moves of a world's deck: rumours and errands written down, told, and paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Shown,
    Telling,
    TextField,
    Whole,
    changed,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.roles import RecordRole
from paravent.systems.empire.throws import by_gm, made, said, to_gm, unseen
from paravent.systems.empire.trade.purse import paid
from paravent.systems.empire.worlds.roles import WORLD

from .decks import Card, CardKind, Deck, called, draw_card, heard, paid_off
from .errors import NothingToPay

DECK = RecordRole("deck", "deck", least=0, cls=Deck)
A_DECK = RecordRole("deck", "deck", cls=Deck)

# Written down


class Written(NamedTuple):
    """A card of the game master's own."""

    card: Card


def write_card(dice: Dice, card: Card) -> Written:
    """A rumour or an errand for the deck of a world."""
    return Written(card)


def _change_written(ctx: Context, done: Written) -> Sequence[Change]:
    actor, deck, home = DECK.actor(ctx), DECK.brought(ctx), WORLD.brought(ctx)
    if actor is not None and deck is not None:
        return changed(actor.id, deck, "cards", (*deck.cards, done.card), "EGW-007", GM_ONLY, weight="bookkeeping")
    new = Deck(home.name, (done.card,), home.sector, home.square) if home is not None else Deck(cards=(done.card,))
    return (made(new.name or "deck", new, "deck", "EGW-007", GM_ONLY),)


CARD_KIND = Field("card_kind", OneOf(CardKind), "gm", usual=CardKind.RUMOUR, secrecy="gm", rule="EGW-007",
                  upfront=True)
TEXT = Field("card_text", TextField(200), "gm", secrecy="gm", rule="EGW-007")
TRUE: Field[bool | None] = Field("card_true", Flag(), "gm", usual=True, secrecy="gm", rule="EGW-007", upfront=True,
                                 when=lambda ctx: ctx[CARD_KIND] is CardKind.RUMOUR)
REWARD: Field[int | None] = Field("reward", Whole(0, 1_000_000), "gm", usual=0, secrecy="gm", rule="EGW-197",
                                  upfront=True, when=lambda ctx: ctx[CARD_KIND] is CardKind.ERRAND)
WRITE_RUMOUR = Move(
    "write-rumour",
    group="worlds", by="gm", cast=(WORLD, DECK, GAME_MASTER), exists=GM_ONLY, rules=("EGW-007", "EGW-197"),
    steps=(
        Ask("write", (CARD_KIND, TEXT, TRUE, REWARD)),
        Resolve("write", lambda ctx: Call(write_card, Card(ctx[CARD_KIND], ctx[TEXT].strip(), ctx[TRUE] is not False,
                                                           ctx[REWARD] or 0)),
                outcome=lambda done: done.card.kind.value, shown=unseen, changes=_change_written,
                tell=lambda ctx, done: (to_gm("told_written", text=done.card.text),)),
    ),
)


# Told


def _cards(ctx: Context) -> Deck:
    try:
        return A_DECK.brought(ctx) or Deck()
    except Withheld:
        return Deck()


def _draw_call(ctx: Context) -> Call[Card]:
    untold = _cards(ctx).untold
    return Call(by_gm(draw_card), untold, called(untold, ctx[CARD] or ""))


def _tell_drawn(ctx: Context, card: Card) -> Sequence[Telling]:
    audience = EVERYONE if ctx[ALOUD] else GM_ONLY
    if card.kind is CardKind.ERRAND:
        return (said("told_errand", audience, text=card.text, n=card.reward),)
    return (said("told_rumour", audience, text=card.text), to_gm("told_true" if card.true else "told_false"))


def _change_drawn(ctx: Context, card: Card) -> Sequence[Change]:
    actor, deck = A_DECK.actor(ctx), A_DECK.brought(ctx)
    if actor is None or deck is None:
        return ()
    return changed(actor.id, deck, "cards", deck.with_card(card, heard(card)), "EGW-007", GM_ONLY, weight="bookkeeping")


CARD: Field[str | None] = Field("card", OneOf(lambda ctx: tuple(card.text for card in _cards(ctx).untold)), "gm",
                                optional=True, secrecy="gm", rule="EGW-007", upfront=True)
ALOUD = Field("aloud", Flag(), "gm", usual=True, secrecy="gm", rule="EGW-007", upfront=True)
TELL_RUMOUR = Move(
    "tell-rumour",
    group="worlds", by="gm", cast=(INITIATOR, A_DECK, GAME_MASTER), rules=("EGW-007",),
    exists=lambda ctx: EVERYONE if ctx[ALOUD] else GM_ONLY,
    offered=lambda ctx: A_DECK.actor(ctx) is None or bool(_cards(ctx).untold),
    steps=(
        Ask("tell", (CARD, ALOUD)),
        Resolve("draw", _draw_call, outcome=lambda card: card.kind.value, blind=True, tell=_tell_drawn,
                changes=_change_drawn,
                shown=lambda ctx, card: Shown(dice=GM_ONLY, detail=GM_ONLY) if ctx[ALOUD] else INVISIBLE),
    ),
)


# Done, and paid


class PaidOff(NamedTuple):
    """An errand done."""

    card: Card


def finish_errand(dice: Dice, card: Card) -> PaidOff:
    """What was asked for is done, and paid."""
    return PaidOff(card)


def _finish_call(ctx: Context) -> Call[PaidOff]:
    errands = _cards(ctx).open_errands
    if not errands:
        raise NothingToPay()
    return Call(finish_errand, called(errands, ctx[ERRAND] or "") or errands[0])


def _change_finished(ctx: Context, done: PaidOff) -> Sequence[Change]:
    actor, deck = A_DECK.actor(ctx), A_DECK.brought(ctx)
    if actor is None or deck is None:
        return ()
    return (*paid(ctx.one(), -done.card.reward, "EGW-197"),
            *changed(actor.id, deck, "cards", deck.with_card(done.card, paid_off(done.card)), "EGW-007", GM_ONLY,
                     weight="bookkeeping"))


ERRAND: Field[str | None] = Field(
    "errand", OneOf(lambda ctx: tuple(card.text for card in _cards(ctx).open_errands)), "gm", secrecy="gm",
    usual=lambda ctx: next((card.text for card in _cards(ctx).open_errands), None), rule="EGW-007", upfront=True)
FINISH_ERRAND = Move(
    "finish-errand",
    group="worlds", by="gm", cast=(INITIATOR, A_DECK, GAME_MASTER), rules=("EGW-007", "EGW-197"),
    offered=lambda ctx: A_DECK.actor(ctx) is None or bool(_cards(ctx).open_errands),
    steps=(
        Ask("settle", (ERRAND,)),
        Resolve("finish", _finish_call, outcome=lambda done: "errand_done", changes=_change_finished,
                tell=lambda ctx, done: (said("told_errand_done", text=done.card.text, n=done.card.reward),)),
    ),
)

MOVES = (WRITE_RUMOUR, TELL_RUMOUR, FINISH_ERRAND)
