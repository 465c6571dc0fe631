"""« Genèse des mondes »: the main planet of a system, from its size to the life on it (EGW-022 to EGW-032).

Two numbers from 0 to 10 carry the planet: T gives diameter and gravity, O the seas, and T × O the air.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.terms import TABLES

from .peoples import FolkWish, People, is_moon, people

FIRST_INTELLIGENT = 5
"""The life die from which there is language and civilisation."""


class Life(StrEnum):
    """What lives on a planet."""

    NONE = "lifeless"
    ANIMAL = "animal_life"
    INTELLIGENT = "intelligent_life"


class LifeWish(StrEnum):
    """What the game master says of life before the dice."""

    BY_THE_RULE = "by_the_rule"
    YES = "some_life"
    NO = "no_life"


@dataclass(frozen=True)
class World:
    """A planetary system and its main planet, the only one that is detailed; what lives there, and who."""

    name: str = ""
    square: str = ""
    code: str = ""
    n_planets: int = 0
    size_t: int = 0
    oceans_o: int = 0
    diameter_more: int = 0
    life: Life = Life.NONE
    life_die: int = 0
    people: People | None = None
    fauna: tuple[Animal, ...] = ()
    edited: bool = False
    faces: tuple[int, ...] = ()
    remarks: str = ""
    port_name: str = ""
    sector: str = ""
    """The sector that it is a square of, by its name at the table, where it has a sheet of its own."""
    seed: str = ""
    """Where its beasts and markets come from, where it has a sheet of its own: ``seed/CCRR``."""

    @property
    def tech_level(self) -> int:
        """The people's technological level; 0 where nobody lives."""
        return self.people.tech_level if self.people is not None else 0


# The planet


@rule("EGW-023")
def throw_size(dice: Dice) -> int:
    """T: two dice less two."""
    size_t = dice.sum(2, 6) - 2
    dice.note("EGW-023", "size_t", n=size_t)
    return size_t


@rule("EGW-027")
def throw_oceans(dice: Dice) -> int:
    """O: two dice less two, in tenths of the surface."""
    oceans_o = dice.sum(2, 6) - 2
    dice.note("EGW-027", "oceans_o", n=oceans_o * 10)
    return oceans_o


@rule("EGW-023")
def diameter(size_t: int, more: int = 0) -> int:
    """2000 km for each point of size, and what a table adds inside the band."""
    return 2000 * size_t + more


def throw_diameter(dice: Dice, rulings: Rulings) -> int:
    """How far into its band of 2000 km a diameter lies; nowhere, unless the table details it."""
    return dice.sum(1, 2000) - 1 if rulings.diameter == "detailed" else 0


@rule("EGW-025")
def gravity(size_t: int) -> Fraction:
    """T / 6, in g."""
    return Fraction(size_t, 6)


@rule("EGW-026")
def strength_under(strength: int, size_t: int, rulings: Rulings) -> Fraction | None:
    """Force divided by gravity, for loads and movement; None where nothing weighs.

    A body used to 1 g is meant. A table may give a weightless world a twelfth of a g instead.
    """
    if size_t == 0:
        return Fraction(12 * strength) if rulings.weightless == "twelfth" else None
    return strength / gravity(size_t)


@rule("EGW-028")
def air_index(size_t: int, oceans_o: int, rulings: Rulings) -> int:
    """T × O; a table may let a desert planet keep an air of its own, of index T."""
    if oceans_o == 0 and rulings.dry_air == "dry_atmosphere":
        return size_t
    return size_t * oceans_o


def atmosphere(index: int) -> str:
    """The air of a planet, from its index."""
    return str(TABLES["atmospheres"].cell(index, "atmosphere"))


def gear_needed(index: int) -> str:
    """What one must wear to breathe it."""
    return str(TABLES["atmospheres"].cell(index, "gear"))


@rule("EGW-028")
def water_is_frozen(index: int) -> bool:
    """Without air, whatever is liquid is ice."""
    return atmosphere(index) == "vacuum"


def life_is_possible(index: int) -> bool:
    """Life as we know it wants some air, and an index of 80 at most."""
    return bool(TABLES["atmospheres"].cell(index, "life"))


@rule("EGW-029")
def has_life(dice: Dice, index: int, wish: LifeWish, rulings: Rulings) -> bool:
    """Whether there is life: where it is possible, unless the game master says otherwise.

    ``extraordinary life`` outside the range is the game master's wish too. A table may leave every world to the game
    master (none, if nothing is said), or to a die: life from 1 to 3.
    """
    if wish is not LifeWish.BY_THE_RULE:
        return wish is LifeWish.YES
    if not life_is_possible(index):
        return False
    if rulings.life_presence == "die":
        return dice.sum(1, 6) <= 3
    return rulings.life_presence == "automatic"


@rule("EGW-030")
def throw_life(dice: Dice) -> int:
    """The life die, which is kept: 1 to 4 beasts, 5 and 6 a people."""
    life_die = dice.sum(1, 6)
    dice.note("EGW-030", kind_of_life(life_die).value, n=life_die)
    return life_die


def kind_of_life(life_die: int) -> Life:
    """What a life die stands for; 0 where none was thrown."""
    if life_die == 0:
        return Life.NONE
    return Life.INTELLIGENT if life_die >= FIRST_INTELLIGENT else Life.ANIMAL


@rule("EGW-022")
def throw_planets(dice: Dice) -> int:
    """How many planets circle a star that has some: three dice."""
    return dice.sum(3, 6)


def life_of(dice: Dice, wish: LifeWish, rulings: Rulings) -> int:
    """The life die of a new planet, all that went before left out: 0 for none."""
    index = air_index(throw_size(dice), throw_oceans(dice), rulings)
    return throw_life(dice) if has_life(dice, index, wish, rulings) else 0


class LifeFound(NamedTuple):
    """The gist of a world: what lives there."""

    life: Life


def world_gist(dice: Dice, wish: LifeWish, folk_wish: FolkWish, rulings: Rulings) -> LifeFound:
    """What lives on a new planet."""
    return LifeFound(kind_of_life(life_of(dice, wish, rulings)))


@rule("EGW-022")
def world(dice: Dice, wish: LifeWish, folk_wish: FolkWish, rulings: Rulings) -> World:
    """A system with planets, in the order of the book: how many, T, O, the life die, and the people if there is one."""
    n_planets = throw_planets(dice)
    size_t, oceans_o = throw_size(dice), throw_oceans(dice)
    index = air_index(size_t, oceans_o, rulings)
    dice.note("EGW-028", "air", index=index, atmosphere=atmosphere(index), gear=gear_needed(index))
    life_die = throw_life(dice) if has_life(dice, index, wish, rulings) else 0
    folk = people(dice, size_t, life_die, folk_wish, rulings) if kind_of_life(life_die) is Life.INTELLIGENT else None
    if folk is None and rulings.small_worlds == "airless_too" and is_moon(size_t) and not life_is_possible(index):
        folk = people(dice, size_t, FIRST_INTELLIGENT, FolkWish(), rulings)
    return World(
        n_planets=n_planets, size_t=size_t, oceans_o=oceans_o, diameter_more=throw_diameter(dice, rulings),
        life=kind_of_life(life_die), life_die=life_die, people=folk,
    )


@rule("EGW-032")
def colonised(folk: People | None, n_planets: int) -> int:
    """How many other planets of its own system a people lives on: one at least from the fourth level on."""
    return 1 if folk is not None and folk.tech_level == 4 and n_planets > 1 else 0
