"""« Civilisations extra-terrestres »: a people, its ways, its arms and its law (EGW-060 to EGW-087).

A technological level, a body, and three dice: what it does, how it greets strangers, how it is ruled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.beasts.bodies import appearance_of, size_of, throw_endurance, weight_of
from paravent.systems.empire.terms import TABLES, Characteristic
from paravent.systems.empire.trade.goods import good_of, throw_lists

NATIVE_MOST = 4
"""No people from elsewhere goes beyond this level in the basic game."""
COLONY, IMPERIAL = 5, 6
TOTALITARIAN = 8
"""The row of politics from which a government is totalitarian."""
HUMAN_ROW = 7
"""The body of a human being."""
POPULATION_CAP = 11


@dataclass(frozen=True)
class People:
    """A people: its level, its body and mind (none is thrown for humans), its numbers, its ways, its trade."""

    name: str = ""
    tech_level: int = 1
    human: bool = False
    body_row: int = 0
    endurance: int = 0
    appearance: str = ""
    intelligence: int = 0
    size_t: int = 0
    life_die: int = 5
    culture_row: int = 2
    nature_row: int = 2
    politics_row: int = 2
    offered: tuple[int, ...] = ()
    demanded: tuple[int, ...] = ()
    dominant: str = ""
    remarks: str = ""

    @property
    def culture(self) -> str:
        """What the people mostly does."""
        return str(TABLES["civilisations"].cell(self.culture_row, "culture"))

    @property
    def nature(self) -> str:
        """How it takes strangers."""
        return str(TABLES["civilisations"].cell(self.nature_row, "nature"))

    @property
    def politics(self) -> str:
        """How it is ruled."""
        return str(TABLES["civilisations"].cell(self.politics_row, "politics"))


class FolkWish(NamedTuple):
    """What the game master says of a people before the dice, where the table leaves it to him.

    On a small world, whether miners live there; whether a people above the fourth level is not human; how many dice of
    Endurance a variable body has.
    """

    mining: bool = True
    native: bool = False
    picked: int = 3


# Its level


@rule("EGW-024")
def is_moon(size_t: int) -> bool:
    """Under 6000 km, a planet is probably the moon of a larger body."""
    return size_t < 3


@rule("EGW-060")
def throw_level(dice: Dice) -> int:
    """The die of the technological level."""
    return dice.sum(1, 6)


@rule("EGW-061")
def is_human(appearance: str) -> bool:
    """Those whose body is not thrown, and a Terran people that forgot where it came from."""
    return appearance in ("", "human")


@rule("EGW-024")
def settled_level(die: int, size_t: int, wish: FolkWish, rulings: Rulings) -> int:
    """On a small world natives are unlikely: a die of 1 to 4 becomes a mining colony, unless the table keeps it."""
    if not is_moon(size_t) or die > NATIVE_MOST or rulings.small_worlds == "as_rolled":
        return die
    return die if rulings.small_worlds == "gm" and not wish.mining else COLONY


def tech_level(dice: Dice, size_t: int, wish: FolkWish, rulings: Rulings) -> int:
    """A people's level on a world of this size."""
    level = settled_level(throw_level(dice), size_t, wish, rulings)
    dice.note("EGW-060", "tech_level", n=level)
    return level


@rule("EGW-061")
def is_native(level: int, wish: FolkWish, rulings: Rulings) -> bool:
    """Peoples from elsewhere stop at the fourth level, unless the table lets the game master go further."""
    return level <= NATIVE_MOST or (rulings.people_ceiling == "gm" and wish.native)


@rule("EGW-024")
def is_mining_colony(tech_level: int, size_t: int) -> bool:
    """A colony of the fifth level on a small world."""
    return is_moon(size_t) and tech_level == COLONY


# Its body and mind


@rule("EGW-062", "EGW-066")
def throw_folk_body(dice: Dice) -> int:
    """Two dice: the row of the body, which is the people's Force too."""
    return dice.sum(2, 6)


def throw_appearance(dice: Dice) -> str:
    """Another two dice for what it looks like."""
    return appearance_of(dice.sum(2, 6))


@rule("EGW-065")
def throw_intelligence(dice: Dice, tech_level: int, life_die: int, rulings: Rulings) -> int:
    """The level and the life die; a table may throw a fresh die, as the summary prints it."""
    return tech_level + (dice.sum(1, 6) if rulings.people_intelligence == "fresh_die" else life_die)


def halved(total: int, rulings: Rulings) -> int:
    """A mean of two: a half is worth nothing, unless the table rounds it up."""
    return (total + 1) // 2 if rulings.halves == "half_up" else total // 2


class Mind(NamedTuple):
    """What follows from Force and Intelligence."""

    dexterity: int
    charm: int
    willpower: int


@rule("EGW-067")
def mind(strength: int, intelligence: int, rulings: Rulings) -> Mind:
    """Dexterity between Force and Intelligence, Charm between Intelligence and it, Willpower between Force and it."""
    dexterity = halved(strength + intelligence, rulings)
    return Mind(dexterity, halved(intelligence + dexterity, rulings), halved(strength + dexterity, rulings))


class Resistances(NamedTuple):
    """What a body and a mind can take."""

    physical: int
    mental: int


@rule("EGW-068")
def resistances(folk: People, rulings: Rulings) -> Resistances:
    """As for characters: the three of the body, the three of the mind."""
    dexterity, charm, willpower = mind(folk.body_row, folk.intelligence, rulings)
    return Resistances(dexterity + folk.body_row + folk.endurance, folk.intelligence + charm + willpower)


@rule("EGW-067", "EGW-068")
def individual(folk: People, rulings: Rulings) -> dict[str, int]:
    """The six characteristics of anybody of a native people."""
    dexterity, charm, willpower = mind(folk.body_row, folk.intelligence, rulings)
    return {
        "dexterity": dexterity, "strength": folk.body_row, "endurance": folk.endurance, "charm": charm,
        "intelligence": folk.intelligence, "willpower": willpower,
    }


# Its numbers and ways


@rule("EGW-069")
def population_exponent(tech_level: int, size_t: int, rulings: Rulings) -> int:
    """The level and the size of the planet: ten to that power. A colony of the fifth level counts as the first."""
    level = tech_level
    if tech_level == COLONY:
        level = COLONY - 1 if rulings.colony_population == "minus_one" else 1
    exponent = level + size_t
    return min(POPULATION_CAP, exponent) if rulings.colony_population == "capped" else exponent


def throw_row(dice: Dice, tech_level: int, rulings: Rulings) -> int:
    """One die and the level; a table may throw two dice for natives, as the summary is headed."""
    if rulings.culture_dice == "two_dice" and tech_level <= NATIVE_MOST:
        return dice.sum(2, 6)
    return dice.sum(1, 6) + tech_level


@rule("EGW-070")
def throw_culture(dice: Dice, tech_level: int, rulings: Rulings) -> int:
    """What the people mostly does."""
    return throw_row(dice, tech_level, rulings)


@rule("EGW-071")
def throw_nature(dice: Dice, tech_level: int, rulings: Rulings) -> int:
    """How it takes strangers; a table may soften human colonies, which are never friendly as written."""
    if rulings.colony_nature == "plus_two" and tech_level > NATIVE_MOST:
        return dice.sum(1, 6) + 2
    return throw_row(dice, tech_level, rulings)


@rule("EGW-072")
def throw_politics(dice: Dice, tech_level: int, rulings: Rulings) -> int:
    """How it is ruled."""
    return throw_row(dice, tech_level, rulings)


@rule("EGW-072")
def is_totalitarian(politics_row: int) -> bool:
    """From technocracy on."""
    return politics_row >= TOTALITARIAN


@rule("EGW-073")
def dominant_characteristic(folk: People, rulings: Rulings) -> str:
    """What the people uses first in a confrontation; the highest it has, where it has no bent.

    A table may say Endurance for those, or leave it to the game master.
    """
    found = str(TABLES["dominants"].cell(folk.culture, "characteristic"))
    if found != "any_characteristic":
        return found
    if folk.dominant:
        return folk.dominant
    match rulings.diverse_dominant:
        case "endurance":
            return Characteristic.ENDURANCE.value
        case "gm":
            return found
        case _:
            return highest(folk, rulings) if folk.body_row else found


def highest(folk: People, rulings: Rulings) -> str:
    """The best of the five characteristics that a culture may rest on."""
    dexterity, charm, willpower = mind(folk.body_row, folk.intelligence, rulings)
    scores = {
        "dexterity": dexterity, "strength": folk.body_row, "charm": charm,
        "intelligence": folk.intelligence, "willpower": willpower,
    }
    return max(scores, key=lambda name: scores[name])


@rule("EGW-074")
def univerlan_spoken(tech_level: int) -> str:
    """By all on human worlds; elsewhere by the elite, beside a language of their own."""
    return "by_all" if tech_level > NATIVE_MOST else "by_the_elite"


@rule("EGW-075")
def is_empire_member(tech_level: int, nature: str) -> bool:
    """Human worlds, and the peoples of the fourth level that are friendly."""
    return tech_level > NATIVE_MOST or (tech_level == NATIVE_MOST and nature == "friendly")


class Level(NamedTuple):
    """The gist of a people: how far it has come."""

    tech_level: int


def people_gist(dice: Dice, size_t: int, life_die: int, wish: FolkWish, rulings: Rulings) -> Level:
    """The first die of a people."""
    return Level(tech_level(dice, size_t, wish, rulings))


def people(dice: Dice, size_t: int, life_die: int, wish: FolkWish, rulings: Rulings) -> People:
    """A people, its dice in the order of the book: level, body and looks for natives, ways, offer, demand."""
    return people_of(dice, tech_level(dice, size_t, wish, rulings), size_t, life_die, wish, rulings)


def people_of(dice: Dice, level: int, size_t: int, life_die: int, wish: FolkWish, rulings: Rulings) -> People:
    """A people whose level is known: all the dice but the first."""
    row = endurance = intelligence = 0
    looks = ""
    if is_native(level, wish, rulings):
        row = throw_folk_body(dice)
        endurance = throw_endurance(dice, row, rulings, wish.picked)
        dice.note("EGW-062", "folk_body", n=row, size=size_of(row), weight=weight_of(row), endurance=endurance)
        looks = throw_appearance(dice)
        dice.note("EGW-064", "looks", appearance=looks)
        intelligence = throw_intelligence(dice, level, life_die, rulings)
    if looks == "human" and rulings.human_body == "row_seven":
        row = HUMAN_ROW
    culture, nature = throw_culture(dice, level, rulings), throw_nature(dice, level, rulings)
    politics = throw_politics(dice, level, rulings)
    offered, demanded = throw_lists(dice, level, level, rulings)
    folk = People(
        tech_level=level, human=is_human(looks), body_row=row, endurance=endurance, appearance=looks,
        intelligence=intelligence, size_t=size_t, life_die=life_die, culture_row=culture, nature_row=nature,
        politics_row=politics, offered=offered, demanded=demanded,
    )
    dice.note("EGW-070", "culture", n=culture, culture=folk.culture)
    dice.note("EGW-071", "nature", n=nature, nature=folk.nature)
    dice.note("EGW-072", "politics", n=politics, politics=folk.politics)
    dice.note("EGW-081", "offer", goods=tuple(good_of(roll) for roll in offered))
    dice.note("EGW-082", "demand", goods=tuple(good_of(roll) for roll in demanded))
    return folk


# Arms and law


class Arms(NamedTuple):
    """The technological level of arms: soldiers', police's, civilians'."""

    soldiers: int
    police: int
    civilians: int


@rule("EGW-083")
def arms(tech_level: int, nature: str, rulings: Rulings) -> Arms:
    """By level and nature: a friendly people is less armed, its civilians more; always between 1 and 6."""
    if nature == "friendly":
        police = 1 if rulings.police_arms == "one" else tech_level - 1
        found = (tech_level, police, tech_level - 2)
    else:
        found = (tech_level + 1, tech_level, tech_level - 3)
    return Arms(*(max(1, min(6, level)) for level in found))


def soldiers_wear(tech_level: int) -> str:
    """What soldiers wear: armour of their own world's level. Nobody else wears any."""
    return str(TABLES["soldiers"].cell(tech_level, "protection"))


@rule("EGW-085")
def is_lawful(weapon_level: int, tech_level: int, nature: str, rulings: Rulings) -> bool:
    """Characters bear arms under the civilians' law, unless the game master says otherwise."""
    return weapon_level <= arms(tech_level, nature, rulings).civilians


def penalty(nature: str) -> str:
    """What forbidden arms and smuggling cost."""
    return str(TABLES["penalties"].cell(nature, "penalty"))


def lawful_weapons(tech_level: int, nature: str, rulings: Rulings) -> tuple[str, ...]:
    """The weapons that characters may bear there."""
    listed = TABLES["weapons"].column("tech_level")
    return tuple(name for name, level in listed.items() if level and is_lawful(level, tech_level, nature, rulings))
