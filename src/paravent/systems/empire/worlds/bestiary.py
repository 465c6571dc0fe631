"""Beasts on cards: body, fighting figures as a fight uses them, and what they do when they are met."""

from __future__ import annotations

from fractions import Fraction

from paravent.dice import odds
from paravent.game import Rulings, Telling, Value, rule
from paravent.game.leaves import Bars, Block, Cell, Rows, Says, Vignette, Vignettes
from paravent.systems.empire.actions.action import roll_under
from paravent.systems.empire.beasts.animals import (
    Animal,
    Behaviour,
    Diet,
    diet_of,
    meet,
    physical_resistance,
    territory,
)
from paravent.systems.empire.beasts.bodies import BEYOND, size_of, weight_of
from paravent.systems.empire.fights.combat import Attitude, animal_characteristic
from paravent.systems.empire.fights.duel import Stance, free_blow
from paravent.systems.empire.fights.wounds import Body, Shape, struck
from paravent.systems.empire.terms import TABLES, figure
from paravent.systems.empire.trade.goods import base_price

BEHAVIOURS = (Behaviour.ATTACK_UNPROVOKED, Behaviour.FLIGHT_THEN_ATTACK, Behaviour.ATTACK_IF_PROVOKED,
              Behaviour.FLIGHT_IF_PROVOKED, Behaviour.FLIGHT_UNPROVOKED)
"""From what is most to be feared to what is least."""


def said(key: str, **values: Value) -> Telling:
    """A sentence of a card."""
    return Telling(f"leaves.beast.{key}", values)


def cards(beasts: tuple[Animal, ...], rulings: Rulings) -> Vignettes:
    """A card for each of several beasts."""
    return Vignettes(tuple(card(beast, rulings) for beast in beasts))


def card(beast: Animal, rulings: Rulings) -> Vignette:
    """All that a fight reads of a beast, what it looks like, where it minds company, and what it does then."""
    radius, size, weight = territory(beast.body_row), size_of(beast.body_row), weight_of(beast.body_row)
    ground = "shifting" if radius is None else "boundless" if beast.body_row == BEYOND else "ground"
    stunned, out = shocks(beast, rulings)
    figures: tuple[tuple[str, Cell], ...] = (
        ("strength", beast.strength), ("endurance_short", beast.endurance), ("weapon_short", beast.natural_weapon),
        ("armour_short", beast.natural_armour), ("resistance_short", physical_resistance(beast, rulings)))
    blocks: tuple[Block, ...] = (
        Says(said(ground, appearance=beast.appearance, size=size, weight=weight, metres=figure(radius or 0))),
        Rows(("attack_dice", "lands", "deals", "parries"), blows(beast, rulings)),
        Says(said("shocks", stunned=stunned, out=out, armour=beast.natural_armour)),
        Bars(tuple((Telling(f"values.{name.value}"), chance) for name, chance in manners(beast, rulings))),
        Says(said("worth", price=base_price("animals"))),
        *((Says(said("remarks", text=beast.remarks)),) if beast.remarks else ()),
    )
    about = said("tame" if beast.domestic else "wild", diet=diet_of(beast.diet_ta).value, movement=beast.movement_mode)
    return Vignette(beast.name, about, figures, blocks)


@rule("EMP-043", "EMP-077", "EMP-080")
def blows(beast: Animal, rulings: Rulings) -> tuple[tuple[Cell, ...], ...]:
    """With each number of dice that a blow may take: whether it lands, what it deals then, whether one is parried."""
    attack, parry = (int(getattr(beast, animal_characteristic(attitude).value))
                     for attitude in (Attitude.ATTACK, Attitude.PARRY))
    rows: list[tuple[Cell, ...]] = []
    for n in sorted({int(cell) for row in TABLES["blow_dice"].rows for cell in row[1:]}):
        blow = odds(free_blow, Stance(attack, n, beast.natural_weapon), rulings)
        lands = blow.chance(lambda clash: clash.ok_a)
        dealt = sum((chance * clash.to_b for clash, chance in blow.items() if clash.ok_a), Fraction(0))
        mean = said("points", n=figure(round(dealt / lands, 1))) if lands else None
        rows.append((n, lands, mean, odds(roll_under, n, parry).chance(lambda roll: roll.success)))
    return tuple(rows)


@rule("EMP-085", "EMP-086", "EMP-087")
def shocks(beast: Animal, rulings: Rulings) -> tuple[int, int]:
    """How many points in one blow stun it, and how many knock it out."""
    full = physical_resistance(beast, rulings)
    body = Body(full, full, beast.endurance, beast.natural_armour)
    shapes = {points: struck(body, points, rulings).shape for points in range(1, full + beast.natural_armour + 1)}
    stunned = min(points for points, shape in shapes.items() if shape is not Shape.STANDING)
    return stunned, min(points for points, shape in shapes.items() if shape is Shape.KNOCKED_OUT)


@rule("EGW-049", "EGW-050")
def manners(beast: Animal, rulings: Rulings) -> tuple[tuple[Behaviour, Fraction], ...]:
    """What a beast does when it is met, of those that eat what it eats; the most feared first."""
    shares = behaviours(diet_of(beast.diet_ta), rulings)
    return tuple((name, shares[name]) for name in BEHAVIOURS if shares[name])


def behaviours(diet: Diet, rulings: Rulings) -> dict[Behaviour, Fraction]:
    """How often each behaviour comes with a diet."""
    met = odds(meet, (), rulings)
    whole = met.chance(lambda meeting: meeting.diet is diet)
    return {name: sum((chance for meeting, chance in met.items() if (meeting.diet, meeting.behaviour) == (diet, name)),
                      Fraction(0)) / whole for name in BEHAVIOURS}
