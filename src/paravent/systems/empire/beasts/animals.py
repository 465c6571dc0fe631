"""« Animaux extra-terrestres »: beasts, the fauna of a world, and the meetings of a day (EGW-040 to EGW-052).

One die says what a beast eats, and that number feeds its Force, its armour, its size and its Endurance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES

from .bodies import VARIABLE, appearance_of, size_of, throw_endurance, weight_of

LETTERS = "ABCDE"
OCEANIC, ALL_OCEAN = 8, 10


class Diet(StrEnum):
    """What a beast eats."""

    OMNIVORE = "omnivore"
    CARNIVORE = "carnivore"
    HERBIVORE = "herbivore"


FAUNA = (Diet.HERBIVORE, Diet.HERBIVORE, Diet.HERBIVORE, Diet.CARNIVORE, Diet.CARNIVORE, Diet.OMNIVORE)
"""A logical fauna: three plant-eaters for two hunters and one that eats anything."""

IMPOSED = {Diet.HERBIVORE: (4, 4, 5, 5, 6, 6), Diet.CARNIVORE: (2, 2, 2, 3, 3, 3), Diet.OMNIVORE: (1,) * 6}
"""How the diet die is read when the class is given."""


class Behaviour(StrEnum):
    """What a beast does when the group meets it."""

    ATTACK_UNPROVOKED = "attack_unprovoked"
    ATTACK_IF_PROVOKED = "attack_if_provoked"
    FLIGHT_UNPROVOKED = "flight_unprovoked"
    FLIGHT_IF_PROVOKED = "flight_if_provoked"
    FLIGHT_THEN_ATTACK = "flight_then_attack"


@dataclass(frozen=True)
class Animal:
    """A species: what it eats, how it moves, its Force and Endurance, its weapon and armour, its body and looks."""

    name: str = ""
    diet_ta: int = 1
    movement_mode: str = "land"
    strength: int = 3
    natural_weapon: str = "A"
    natural_armour: int = 2
    body_row: int = 2
    endurance: int = 1
    appearance: str = "mineral"
    domestic: bool = False
    remarks: str = ""
    behaviour: str = ""
    """What one that was met is about to do."""


# A beast


@rule("EGW-040")
def throw_diet(dice: Dice, imposed: Diet | None = None) -> int:
    """TA: one die; when the class is given the die is still thrown, and read inside the class."""
    die = dice.sum(1, 6)
    diet_ta = die if imposed is None else IMPOSED[imposed][die - 1]
    dice.note("EGW-040", "diet", n=diet_ta, diet=diet_of(diet_ta).value)
    return diet_ta


def diet_of(diet_ta: int) -> Diet:
    """The class of a diet."""
    return Diet(TABLES["diets"].cell(diet_ta, "diet"))


@rule("EGW-041")
def ocean_mod(oceans_o: int) -> int:
    """More than seven tenths of sea count for one, an ocean planet for two."""
    return 2 if oceans_o >= ALL_OCEAN else 1 if oceans_o >= OCEANIC else 0


@rule("EGW-041")
def throw_movement(dice: Dice, oceans_o: int, rulings: Rulings) -> str:
    """Land, sea or air; beyond six it flies, unless the table lets oceans breed swimmers."""
    total = dice.sum(1, 6) + ocean_mod(oceans_o)
    if total > 6 and rulings.movement_overflow == "sea":
        return "sea"
    return str(TABLES["movement_modes"].cell(total, "movement_mode"))


@rule("EGW-042")
def throw_strength(dice: Dice, diet_ta: int) -> int:
    """Two dice and TA: the only characteristic that a beast acts with, and its threshold, having no skill."""
    return dice.sum(2, 6) + diet_ta


@rule("EGW-043")
def natural_weapon(dice: Dice, diet_ta: int, rulings: Rulings) -> str:
    """The letter suggested where the game master chooses none; a table may throw for it (6 is thrown again)."""
    if rulings.animal_weapon == "die":
        return dice.resolve(throw_weapon)
    return str(TABLES["diets"].cell(diet_ta, "weapon"))


def throw_weapon(dice: Dice) -> str:
    """1 A to 5 E; 6 is thrown again."""
    die = dice.sum(1, 6)
    if die > len(LETTERS):
        raise ThrowAgain
    return LETTERS[die - 1]


@rule("EGW-043")
def capped_weapon(letter: str, row: int, rulings: Rulings) -> str:
    """A small body strikes no harder than its size, if the table says so."""
    if rulings.animal_weapon != "capped_by_size" or row > 7:
        return letter
    return min(letter, "B" if row <= 3 else "C" if row <= 5 else "D")


@rule("EGW-044")
def natural_armour(diet_ta: int) -> int:
    """Twice TA, taken off every attack, never worn out: it is the body itself."""
    return 2 * diet_ta


@rule("EGW-045")
def throw_body(dice: Dice, diet_ta: int) -> int:
    """The row of the body: one die and TA."""
    return dice.sum(1, 6) + diet_ta


@rule("EGW-046")
def throw_looks(dice: Dice, diet_ta: int, rulings: Rulings) -> str:
    """One die, 1 being read as 2; a table may add TA, as the summary prints it."""
    die = dice.sum(1, 6)
    return appearance_of(die + diet_ta if rulings.animal_appearance == "die_plus_ta" else max(2, die))


def animal(dice: Dice, oceans_o: int, imposed: Diet | None, letter: str, rulings: Rulings, picked: int = 3) -> Animal:
    """A beast, its dice in the order of the book; ``letter`` is the game master's weapon, if any."""
    diet_ta = throw_diet(dice, imposed)
    movement_mode, strength = throw_movement(dice, oceans_o, rulings), throw_strength(dice, diet_ta)
    weapon = letter or natural_weapon(dice, diet_ta, rulings)
    row = throw_body(dice, diet_ta)
    made = Animal(
        diet_ta=diet_ta, movement_mode=movement_mode, strength=strength,
        natural_weapon=letter or capped_weapon(weapon, row, rulings), natural_armour=natural_armour(diet_ta),
        body_row=row, endurance=throw_endurance(dice, row, rulings, picked),
        appearance=throw_looks(dice, diet_ta, rulings),
    )
    dice.note("EGW-041", "movement", movement=movement_mode)
    dice.note("EGW-042", "strength", n=strength)
    dice.note("EGW-044", "armour", n=made.natural_armour, weapon=made.natural_weapon)
    dice.note("EGW-045", "beast", size=size_of(row), weight=weight_of(row), endurance=made.endurance)
    return made


@rule("EGW-047")
def fauna(dice: Dice, oceans_o: int, rulings: Rulings) -> tuple[Animal, ...]:
    """Six species: three herbivores, two carnivores, one omnivore."""
    return tuple(animal(dice, oceans_o, diet, "", rulings) for diet in FAUNA)


@rule("EGW-031")
def companion_fauna(dice: Dice, oceans_o: int, tech_level: int, rulings: Rulings) -> tuple[Animal, ...]:
    """Three species beside a people; up to the second level the last of them carries it."""
    beasts = [animal(dice, oceans_o, None, "", rulings) for _ in range(3)]
    if 1 <= tech_level <= 2:
        beasts[-1] = tamed(beasts[-1])
    return tuple(beasts)


def tamed(beast: Animal) -> Animal:
    """The same beast, domestic."""
    return replace(beast, domestic=True)


@rule("EGW-045")
def physical_resistance(beast: Animal, rulings: Rulings) -> int:
    """Force stands for the Dexterity that a beast has not, unless the table leaves it out."""
    times = 1 if rulings.animal_resistance == "force_once" else 2
    return times * beast.strength + beast.endurance


@rule("EGW-051")
def territory(row: int) -> Fraction | None:
    """Ten times the size, in metres; None where the size varies."""
    tenths = TABLES["bodies"].cell(row, "territory_dm")
    return Fraction(tenths, 10) if tenths else None


# The meetings of a day


class Meeting(NamedTuple):
    """A beast met: what class of beast, how it behaves, and which species of the world (-1 for a new one)."""

    diet: Diet
    behaviour: Behaviour
    species: int


@rule("EGW-048")
def meetings_today(dice: Dice, mod: int) -> int:
    """One die and the mods of the day, which add up; never less than none."""
    n = max(0, dice.sum(1, 6) + mod)
    dice.note("EGW-048", "meetings", n=n, mod=mod)
    return n


@rule("EGW-048")
def day_mod(circumstances: Sequence[str], more: int = 0) -> int:
    """What desert, mountain, a vehicle and a large group take off."""
    return sum(int(TABLES["day_mods"].cell(name, "mod")) for name in circumstances) + more


@rule("EGW-052")
def throw_behaviour(dice: Dice, first: int, rulings: Rulings) -> Behaviour:
    """The behaviour of the same roll; a table may throw a second for variety."""
    roll = dice.sum(2, 6) if rulings.behaviour_rolls == "two" else first
    return Behaviour(TABLES["animal_behaviours"].cell(roll, "behaviour"))


@rule("EGW-049", "EGW-050")
def meet(dice: Dice, species: tuple[int, ...], rulings: Rulings) -> Meeting:
    """Two dice give the class met and what it does; the species is picked among those of the class.

    ``species`` is the diet number of each species of the world, in order.
    """
    roll = dice.sum(2, 6)
    diet = Diet(TABLES["animal_behaviours"].cell(roll, "diet"))
    behaviour = throw_behaviour(dice, roll, rulings)
    matching = [at for at, diet_ta in enumerate(species) if diet_of(diet_ta) is diet]
    picked = matching[pick(dice, len(matching))] if matching else -1
    dice.note("EGW-050", "meeting", diet=diet.value, behaviour=behaviour.value)
    return Meeting(diet, behaviour, picked)


def pick(dice: Dice, n: int) -> int:
    """One of so many, from 0: no die for one, an even share of one die for two, three and six, else thrown again."""
    if n == 1:
        return 0
    if n in (2, 3, 6):
        return (dice.sum(1, 6) - 1) * n // 6
    return dice.resolve(pick_again, n)


def pick_again(dice: Dice, n: int) -> int:
    """One die, thrown again above ``n`` (beyond six species, the first six are met)."""
    die = dice.sum(1, 6)
    if die > n:
        raise ThrowAgain
    return die - 1


class Day(NamedTuple):
    """A day's meetings, and the beasts of the world after it: a class that had none gets one."""

    n: int
    meetings: tuple[Meeting, ...] = ()
    beasts: tuple[Animal, ...] = ()


class Met(NamedTuple):
    """One meeting, and the beast."""

    meeting: Meeting
    beast: Animal


@rule("EGW-063")
def shifted(dice: Dice, beast: Animal, rulings: Rulings) -> Animal:
    """A variable body at another meeting: its Endurance is thrown anew."""
    return replace(beast, endurance=throw_endurance(dice, beast.body_row, rulings))


def met(dice: Dice, beasts: tuple[Animal, ...], oceans_o: int, rulings: Rulings, anew: bool = False) -> Met:
    """A meeting with a beast of the world, or with a new one of the class met; ``anew``, variable bodies change."""
    meeting = meet(dice, tuple(beast.diet_ta for beast in beasts), rulings)
    if meeting.species >= 0:
        beast = beasts[meeting.species]
        return Met(meeting, shifted(dice, beast, rulings) if anew and beast.body_row == VARIABLE else beast)
    return Met(meeting._replace(species=len(beasts)), animal(dice, oceans_o, meeting.diet, "", rulings))


def met_gist(
    dice: Dice, beasts: tuple[Animal, ...], oceans_o: int, rulings: Rulings, anew: bool = False
) -> Meeting:
    """What is met, whichever beast it is."""
    return meet(dice, (), rulings)


def day(dice: Dice, mod: int, beasts: tuple[Animal, ...], oceans_o: int, rulings: Rulings) -> Day:
    """All the meetings of a day."""
    n = meetings_today(dice, mod)
    meetings: list[Meeting] = []
    for _ in range(n):
        meeting, beast = met(dice, beasts, oceans_o, rulings)
        beasts = beasts if meeting.species < len(beasts) else (*beasts, beast)
        meetings.append(meeting)
    return Day(n, tuple(meetings), beasts)


def day_gist(dice: Dice, mod: int, beasts: tuple[Animal, ...], oceans_o: int, rulings: Rulings) -> Day:
    """How many meetings a day has."""
    return Day(meetings_today(dice, mod))


class DietFound(NamedTuple):
    """The gist of a beast: what it eats."""

    diet_ta: int


def animal_gist(
    dice: Dice, oceans_o: int, imposed: Diet | None, letter: str, rulings: Rulings, picked: int = 3
) -> DietFound:
    """The first die of a beast."""
    return DietFound(throw_diet(dice, imposed))


# Provocation


class Provocation(StrEnum):
    """What provokes a beast."""

    NONE = "none_of_it"
    SHOT = "shot_at"
    NOISE = "noise_or_movement"
    TRESPASS = "territory_entered"


class Reaction(StrEnum):
    """What a beast does now."""

    ATTACKS = "attacks"
    FLEES = "flees"
    WAITS = "waits"
    RETURNS = "flees_to_return"


@rule("EGW-051")
def is_provoked(what: Provocation, distance_m: int | None, row: int) -> bool:
    """Shots, noise and movement provoke; so does whoever comes within its territory."""
    if what in (Provocation.SHOT, Provocation.NOISE, Provocation.TRESPASS):
        return True
    radius = territory(row)
    return distance_m is not None and radius is not None and distance_m <= radius


@rule("EGW-050")
def reaction(behaviour: Behaviour, provoked: bool) -> Reaction:
    """Attack or flight, at once or when provoked; or flight first, and an attack once the group is off its guard."""
    match behaviour:
        case Behaviour.ATTACK_UNPROVOKED:
            return Reaction.ATTACKS
        case Behaviour.FLIGHT_UNPROVOKED:
            return Reaction.FLEES
        case Behaviour.FLIGHT_THEN_ATTACK:
            return Reaction.RETURNS
        case Behaviour.ATTACK_IF_PROVOKED:
            return Reaction.ATTACKS if provoked else Reaction.WAITS
        case _:
            return Reaction.FLEES if provoked else Reaction.WAITS
