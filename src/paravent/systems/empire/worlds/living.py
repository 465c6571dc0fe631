"""What lives on a world and what is traded there, from the world's own seed: two looks give the same.

The keys are those of ``hash_dice_v1``: ``seed/CCRR/fauna`` and ``seed/CCRR/market/<month>``.
"""

from __future__ import annotations

from dataclasses import replace

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.beasts.animals import Animal, companion_fauna, fauna
from paravent.systems.empire.trade.goods import Lists
from paravent.systems.empire.trade.trade import market_lists

from .generating import hash_dice
from .naming import beast_name, beginning, content_key
from .planet import Life, World

DAYS_A_MONTH = 30


def on(dice: Dice, key: str) -> Dice:
    """The dice of a key; without one, those at hand."""
    return hash_dice(key) if key else dice


def named_beasts(beasts: tuple[Animal, ...], key: str) -> tuple[Animal, ...]:
    """Species with names; those that have one keep it."""
    begun = {beginning(beast.name) for beast in beasts if beast.name}
    named = []
    for at, beast in enumerate(beasts, start=1):
        called = beast.name or beast_name(key, at, begun)
        begun.add(beginning(called))
        named.append(replace(beast, name=called))
    return tuple(named)


@rule("EGW-031", "EGW-047")
def species(
    dice: Dice, companions: bool, oceans_o: int, tech_level: int, key: str, rulings: Rulings
) -> tuple[Animal, ...]:
    """Six species for a world of beasts, or the three that live beside a people; from the world's key if it has one."""
    thrown = on(dice, f"{key}/fauna" if key else "")
    return companion_fauna(thrown, oceans_o, tech_level, rulings) if companions else fauna(thrown, oceans_o, rulings)


@rule("EGW-047")
def beasts_of(found: World, key: str, rulings: Rulings) -> tuple[Animal, ...]:
    """The beasts of a world: those on its sheet, else those of its seed; none where nothing lives."""
    if found.fauna or found.life is Life.NONE:
        return found.fauna
    own = key or f"{found.square}/{content_key(found)}"
    made = species(hash_dice(own), found.people is not None, found.oceans_o, found.tech_level, own, rulings)
    return named_beasts(made, own)


@rule("EGW-101")
def month_of(day: int) -> int:
    """The month of the market on a day: thirty days each."""
    return day // DAYS_A_MONTH


@rule("EGW-101")
def lists_of(dice: Dice, tech_level: int, first: Lists | None, month: int, key: str, rulings: Rulings) -> Lists:
    """A world's whole list for a month, from its key if it has one: in the first month its own rolls lengthened."""
    return market_lists(on(dice, f"{key}/market/{month}" if key else ""), tech_level, None if month else first, rulings)


@rule("EGW-101")
def market_of(found: World, key: str, month: int, rulings: Rulings) -> Lists:
    """What a world sells and wants in a month; nothing where nobody lives. A table may never renew it."""
    if found.people is None:
        return Lists((), ())
    own = key or f"{found.square}/{content_key(found)}"
    at = month if rulings.market_renewal == "monthly" else 0
    first = Lists(found.people.offered, found.people.demanded)
    return lists_of(hash_dice(own), found.tech_level, first, at, own, rulings)
