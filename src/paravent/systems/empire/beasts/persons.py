"""« Rencontres »: allies, informers, enemies and obstacles, and where one finds them (EGW-001 to EGW-009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.people.character import Carried, Character, Protection, Skill, Weapon
from paravent.systems.empire.people.creation import Guild, Sex
from paravent.systems.empire.people.referee import Slot, published_slots
from paravent.systems.empire.worlds.peoples import People, arms, individual, soldiers_wear


class PersonRole(StrEnum):
    """What an encounter is to the group; it may change."""

    SCENERY = "scenery"
    ALLY = "ally"
    LURER = "lurer"
    PUSHER = "pusher"
    TANGLER = "tangler"
    NEMESIS = "nemesis"
    OBSTACLE = "obstacle"


INFORMERS = (PersonRole.LURER, PersonRole.PUSHER, PersonRole.TANGLER)


@dataclass(frozen=True)
class Person:
    """An encounter's sheet: the same kind as a character's, and where the person is found by the clock."""

    name: str = ""
    role: PersonRole = PersonRole.SCENERY
    sex: Sex = Sex.MAN
    age: int = 30
    dexterity: int = 7
    strength: int = 7
    endurance: int = 7
    charm: int = 7
    intelligence: int = 7
    willpower: int = 7
    guild: Guild = Guild.ADVENTURER
    grade: int = 0
    skills: tuple[Skill, ...] = ()
    weapon_level: int = 0
    protection: str = ""
    description: str = ""
    schedule: tuple[Slot, ...] = ()
    tags: tuple[str, ...] = ()
    escape_planned: bool = False
    remarks: str = ""
    sector: str = ""
    """The sector of the world where they live, by its name at the table."""
    square: str = ""
    fidelity: str = "untested"
    """How their loyalty was last tested: ``loyal``, ``disloyal`` or not at all."""
    tested_day: int = 0


# Sheets


@rule("EGW-001", "EGW-002")
def from_character(record: Character, role: PersonRole, tags: tuple[str, ...] = ()) -> Person:
    """A dead or abandoned character kept for the reserve: the same sheet, ready to be met."""
    shared = ("name", "sex", "age", *record.scores(), "guild", "grade", "skills", "description")
    values = {name: getattr(record, name) for name in shared}
    return Person(**values, role=role, tags=tags)


@rule("EGW-003")
def recast(person: Person, role: PersonRole) -> Person:
    """The same person in another role: an informer may become an ally, an ally a nemesis."""
    return replace(person, role=role, escape_planned=person.escape_planned or needs_a_way_out(role))


@rule("EGW-009")
def obstacle(name: str, trade: str, tech_level: int, nature: str, rulings: Rulings) -> Person:
    """A guard, a policeman, a robber: stock figures, armed by the level and nature of the place."""
    held = arms(tech_level, nature, rulings)
    soldier = trade == "soldiers"
    level = {"soldiers": held.soldiers, "police": held.police}.get(trade, held.civilians)
    protection = soldiers_wear(tech_level) if soldier else ""
    guild = Guild.SOLDIER if soldier else Guild.ADVENTURER
    return Person(name, PersonRole.OBSTACLE, guild=guild, weapon_level=level, protection=protection)


CONTACT = {1: "stick", 2: "sword", 3: "pistol", 4: "needle_pistol", 5: "stunner", 6: "karate_grip"}
RANGED = {1: "stone", 2: "bow", 3: "rifle", 4: "laser", 5: "paralyser", 6: "antigrav"}
"""What people bear of each level, close and afar."""
WORN = {
    "furs_leather": "thick_leather", "mail_armour": "mail", "bulletproof_vest": "vest",
    "armoured_suit": "armoured_suit", "antilaser_suit": "laser_suit", "antigrav_suit": "antigrav_suit",
}
"""What stands for a soldier's protection on a sheet."""


@rule("EGW-001", "EGW-180")
def on_stage(person: Person) -> Character:
    """The same person on a character's sheet, to fight and argue: armed with what their level bears."""
    arms_borne = [table[person.weapon_level] for table in (CONTACT, RANGED) if person.weapon_level in table]
    worn = WORN.get(person.protection, person.protection if person.protection in WORN.values() else "")
    shared = ("name", "sex", "age", "dexterity", "strength", "endurance", "charm", "intelligence", "willpower", "guild",
              "grade", "skills", "description")
    values: dict[str, Any] = {name: getattr(person, name) for name in shared}
    held = tuple(Weapon(weapon, Carried.PUT_AWAY if at else Carried.IN_HAND) for at, weapon in enumerate(arms_borne))
    return Character(**values, weapons=held, protections=(Protection(worn),) if worn else ())


@rule("EGW-008")
def needs_a_way_out(role: PersonRole) -> bool:
    """Whether the game master must plan an escape: an enemy lives to come back."""
    return role is PersonRole.NEMESIS


@rule("EGW-067")
def one_of(folk: People, person: Person, rulings: Rulings) -> Person:
    """The same person with the characteristics of a native people."""
    scores: dict[str, Any] = individual(folk, rulings)
    return replace(person, **scores)


# By the clock


class Located(NamedTuple):
    """Whether somebody is there, and where they are otherwise."""

    present: bool
    where: str


@rule("EGW-004")
def whereabouts(slots: Sequence[Slot], minute: int, rulings: Rulings) -> str:
    """Where somebody is at a minute of the hour: special windows first; a table may close these a minute sooner."""
    strict = rulings.clock_window == "strict"
    here = [
        slot for slot in slots
        if slot.first <= minute <= slot.last and not (strict and slot.priority == 1 and minute == slot.last)
    ]
    return min(here, key=lambda slot: slot.priority).place if here else ""


@rule("EGW-004")
def locate(dice: Dice, slots: tuple[Slot, ...], place: str, minute: int | None, rulings: Rulings) -> Located:
    """Read the minute hand when the group arrives; without a watch a minute is drawn.

    The die falls behind the screen in any case: whether one fell would tell that the game master looked at a watch.
    """
    drawn = dice.sum(1, 60) - 1
    if minute is None or rulings.clock_source == "drawn":
        minute = drawn
    where = whereabouts(slots, minute, rulings)
    dice.note("EGW-004", "minute", n=minute, place=where)
    return Located(where.strip().casefold() == place.strip().casefold(), where)


@rule("EGW-004")
def official() -> tuple[Slot, ...]:
    """The official of the book: restaurant, home, office."""
    return published_slots()
