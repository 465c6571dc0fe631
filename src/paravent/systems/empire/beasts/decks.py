"""What is told and asked for on a world: rumours and errands of the game master's own, in a deck for each world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import rule
from paravent.systems.empire.people.referee import Slot

from .errors import NothingToTell

AN_HOUR = 60


class CardKind(StrEnum):
    """What a card of the deck is."""

    RUMOUR = "rumour"
    ERRAND = "errand"


class Card(NamedTuple):
    """A rumour, true or false; or an errand, with what it pays. It is told once, and an errand is paid once."""

    kind: CardKind
    text: str
    true: bool = True
    reward: int = 0
    told: bool = False
    done: bool = False


@dataclass(frozen=True)
class Deck:
    """The cards of a world, in the order in which they were written."""

    name: str = ""
    cards: tuple[Card, ...] = ()
    sector: str = ""
    """The sector of its world, by its name at the table."""
    square: str = ""

    @property
    def untold(self) -> tuple[Card, ...]:
        """What nobody has heard yet."""
        return tuple(card for card in self.cards if not card.told)

    @property
    def open_errands(self) -> tuple[Card, ...]:
        """What was asked for and is still to be done."""
        return tuple(card for card in self.cards if card.kind is CardKind.ERRAND and card.told and not card.done)

    def with_card(self, before: Card, after: Card) -> tuple[Card, ...]:
        """The cards once one of them is another."""
        at = self.cards.index(before)
        return (*self.cards[:at], after, *self.cards[at + 1:])


def called(cards: Sequence[Card], text: str) -> Card | None:
    """The card of a text."""
    return next((card for card in cards if card.text == text), None)


@rule("EGW-007")
def draw_card(dice: Dice, untold: tuple[Card, ...], chosen: Card | None) -> Card:
    """The card that the game master chose, or any of those that nobody has heard."""
    if chosen is not None:
        return chosen
    if not untold:
        raise NothingToTell()
    return untold[dice.sum(1, len(untold)) - 1] if len(untold) > 1 else untold[0]


@rule("EGW-004")
def shared_out(places: Sequence[str]) -> tuple[Slot, ...]:
    """The hour shared out evenly among the places where somebody is found."""
    named = [place.strip() for place in places if place.strip()]
    edges = [at * AN_HOUR // len(named) for at in range(len(named) + 1)] if named else [0]
    return tuple(Slot(place, edges[at], edges[at + 1] - 1, 2) for at, place in enumerate(named))


def paid_off(card: Card) -> Card:
    """An errand that is done."""
    return card._replace(done=True)


def heard(card: Card) -> Card:
    """A card that was told."""
    return card._replace(told=True)
