"""The records of worlds, trade and gear: sectors, worlds, peoples, beasts, encounters, markets, holds, objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paravent.game import GM_ONLY, Fault, RecordKind, Rulings, Section, only

from .animals import LETTERS, Animal, Behaviour, diet_of, physical_resistance, territory
from .bodies import BEYOND, size_of, weight_of
from .charts import Chart, chart_map, sector_map
from .gear import State, listed_weapons, spare_part
from .goods import all_goods
from .machines import Exposure
from .peoples import (
    People,
    arms,
    dominant_characteristic,
    is_empire_member,
    is_mining_colony,
    is_moon,
    is_totalitarian,
    lawful_weapons,
    mind,
    penalty,
    population_exponent,
    resistances,
    soldiers_wear,
    univerlan_spoken,
)
from .persons import Person
from .planet import World, air_index, atmosphere, colonised, diameter, gear_needed, gravity, water_is_frozen
from .robots import RobotType
from .sector import Sector, circle, is_mapped, port, square_text, squares
from .t5 import sector_t5
from .terms import Characteristic
from .trade import Lot, market_place, names_of
from .travel import number

__all__ = ["KINDS", "Cargo", "Gear", "Market", "Robot"]


# Trade


@dataclass(frozen=True)
class Market:
    """A world's market for a month: all that is offered and wanted, of which each merchant sees the first."""

    name: str = ""
    tech_level: int = 1
    nature: str = "neutral"
    politics_row: int = 7
    month: int = 0
    offered: tuple[int, ...] = ()
    demanded: tuple[int, ...] = ()
    remarks: str = ""
    world: str = ""


@dataclass(frozen=True)
class Cargo:
    """A hold: lots of goods, with where they are from and what they cost."""

    name: str = ""
    lots: tuple[Lot, ...] = ()
    remarks: str = ""


# Gear


@dataclass(frozen=True)
class Gear:
    """An object or a vehicle: its quality when new, and how it stands."""

    name: str = ""
    tech_level: int = 3
    price: int = 0
    mass_g: int = 0
    quality: int = 7
    exposure: Exposure = Exposure.OPEN
    damage: int = 0
    margin_used: int = 0
    broken: bool = False
    scrapped: bool = False
    uses: int = 0
    safe_hours: int = 0
    doomed: bool = False
    spare_parts: int = 0
    remarks: str = ""
    model: str = ""

    @property
    def state(self) -> State:
        """How it stands."""
        return State(self.damage, self.broken, self.scrapped)


@dataclass(frozen=True)
class Robot(Gear):
    """A robot: an object with a brain, its programmes, and which of them were added."""

    robot: RobotType = RobotType.LOGIMEC
    programmes: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


# What is wrong with them


def _within(record: Any, bounds: Mapping[str, tuple[int, int]], rule: str) -> Iterator[Fault]:
    for name, (least, most) in bounds.items():
        got = getattr(record, name)
        if not least <= got <= most:
            yield Fault("figure_bounds", rule, values={"what": name, "got": got, "least": least, "most": most})


def world_faults(record: World, rulings: Rulings) -> list[Fault]:
    """T and O from 0 to 10; a people only where its world's own faults allow."""
    found = list(_within(record, {"size_t": (0, 10), "oceans_o": (0, 10), "life_die": (0, 6)}, "EGW-023"))
    return found + (people_faults(record.people, rulings) if record.people is not None else [])


def people_faults(record: People, rulings: Rulings) -> list[Fault]:
    """A level from 1 to 6, and rows that the tables have."""
    rows = dict.fromkeys(("culture_row", "nature_row", "politics_row"), (2, 12))
    return list(_within(record, {"tech_level": (1, 6), "body_row": (0, 12), **rows}, "EGW-060"))


def animal_faults(record: Animal, rulings: Rulings) -> list[Fault]:
    """A diet from 1 to 6, a body that the table has."""
    return list(_within(record, {"diet_ta": (1, 6), "body_row": (2, 12)}, "EGW-040"))


def sector_faults(record: Sector, rulings: Rulings) -> list[Fault]:
    """No square twice, and each world's own faults."""
    named = [found.square for found in record.worlds] + list(record.lone_stars)
    twice = [Fault("square_twice", "EGW-098")] if len(set(named)) < len(named) else []
    return twice + [fault for found in record.worlds for fault in world_faults(found, rulings)]


def chart_faults(record: Chart, rulings: Rulings) -> list[Fault]:
    """Squares that a sector has, none twice."""
    named = [one.square for one in record.known]
    wrong = len(set(named)) < len(named) or not set(named) <= set(squares())
    return [Fault("square_twice", "EGW-098")] if wrong else []


def market_faults(record: Market, rulings: Rulings) -> list[Fault]:
    """A level from 1 to 6."""
    return list(_within(record, {"tech_level": (1, 6), "politics_row": (2, 12)}, "EGW-080"))


def cargo_faults(record: Cargo, rulings: Rulings) -> list[Fault]:
    """Goods that the table has."""
    known = all_goods()
    return [Fault("unknown_good", "EGW-080", values={"got": lot.good}) for lot in record.lots if lot.good not in known]


def gear_faults(record: Gear, rulings: Rulings) -> list[Fault]:
    """A level from 1 to 6, and a quality of 1 at least."""
    return list(_within(record, {"tech_level": (1, 6), "quality": (1, 99)}, "EGW-102"))


def robot_faults(record: Robot, rulings: Rulings) -> list[Fault]:
    """A logimec is bought with exactly one programme, the others with none; more are added by who knows how."""
    wanted = 1 if record.robot is RobotType.LOGIMEC else 0
    found = Fault("one_programme", "EGW-131", warning=True, values={"robot": record.robot.value, "n": wanted})
    return [*gear_faults(record, rulings), *([found] if len(record.programmes) != wanted else [])]


# What follows from them


def world_derived(record: World, rulings: Rulings) -> dict[str, Any]:
    """Diameter, gravity, sea, air, gear, ice, moon, port and what the map says."""
    index = air_index(record.size_t, record.oceans_o, rulings)
    mined = record.people is not None and is_mining_colony(record.people.tech_level, record.size_t)
    return {
        "diameter_km": diameter(record.size_t, record.diameter_more), "gravity_g": number(gravity(record.size_t)),
        "oceans_percent": 10 * record.oceans_o, "atmosphere_index": index, "atmosphere": atmosphere(index),
        "gear_needed": gear_needed(index), "frozen": water_is_frozen(index), "is_moon": is_moon(record.size_t),
        "mining_colony": mined, "colonised": colonised(record.people, record.n_planets),
        "port": port(record.tech_level),
        **({"map_text": square_text(record), "circle": circle(record.tech_level).value} if record.code else {}),
        **(people_derived(record.people, rulings) if record.people is not None else {}),
    }


def people_derived(record: People, rulings: Rulings) -> dict[str, Any]:
    """Ways in words, numbers, arms and law; for natives, body and mind too."""
    nature = record.nature
    ways = {
        "culture": record.culture, "nature": nature, "politics": record.politics,
        "totalitarian": is_totalitarian(record.politics_row),
        "dominant_used": dominant_characteristic(record, rulings),
        "population_exponent": population_exponent(record.tech_level, record.size_t, rulings),
        "empire_member": is_empire_member(record.tech_level, nature),
        "univerlan": univerlan_spoken(record.tech_level), "arms": arms(record.tech_level, nature, rulings)._asdict(),
        "soldiers_wear": soldiers_wear(record.tech_level),
        "lawful_weapons": lawful_weapons(record.tech_level, nature, rulings), "penalty": penalty(nature),
        "offered_goods": names_of(record.offered), "demanded_goods": names_of(record.demanded),
        "port": port(record.tech_level),
    }
    if not record.body_row:
        return ways
    made, resist = mind(record.body_row, record.intelligence, rulings), resistances(record, rulings)
    return {
        **ways, "size": size_of(record.body_row), "weight": weight_of(record.body_row), "strength": record.body_row,
        **made._asdict(), "resistance_physical": resist.physical, "resistance_mental": resist.mental,
    }


def animal_derived(record: Animal, rulings: Rulings) -> dict[str, Any]:
    """Class, size, weight, territory and resistance."""
    radius = territory(record.body_row)
    return {
        "diet": diet_of(record.diet_ta).value, "size": size_of(record.body_row), "weight": weight_of(record.body_row),
        "territory_m": "variable" if radius is None else number(radius), "boundless": record.body_row == BEYOND,
        "resistance_physical": physical_resistance(record, rulings),
    }


def sector_derived(record: Sector, rulings: Rulings) -> dict[str, Any]:
    """How many stars, systems, worlds with life, worlds with people."""
    return {
        "stars": len(record.lone_stars) + len(record.worlds), "systems": len(record.worlds),
        "mapped": sum(is_mapped(found) for found in record.worlds),
        "inhabited": sum(found.people is not None for found in record.worlds),
    }


def market_derived(record: Market, rulings: Rulings) -> dict[str, Any]:
    """Where it is held, and its goods by name."""
    return {
        "market_place": market_place(record.tech_level), "offered_goods": names_of(record.offered),
        "demanded_goods": names_of(record.demanded), "arms": arms(record.tech_level, record.nature, rulings)._asdict(),
        "lawful_weapons": lawful_weapons(record.tech_level, record.nature, rulings), "penalty": penalty(record.nature),
    }


def gear_derived(record: Gear, rulings: Rulings) -> dict[str, Any]:
    """What a spare part costs and weighs."""
    part = spare_part(record.price, record.mass_g)
    return {"part_price": number(part.credits), "part_grams": number(part.grams)}


# The kinds


def _cells(table: str, column: str) -> Callable[[], Sequence[str]]:
    from .terms import TABLES

    return lambda: tuple(dict.fromkeys(TABLES[table].column(column).values()))


PEOPLE_CHOICES = {"appearance": _cells("appearances", "appearance"), "dominant": lambda: tuple(Characteristic)}
ANIMAL_CHOICES = {
    "behaviour": lambda: tuple(Behaviour), "natural_weapon": lambda: tuple(LETTERS),
    "movement_mode": _cells("movement_modes", "movement_mode"), "appearance": _cells("appearances", "appearance"),
}
SECTOR = RecordKind(
    "sector", Sector, GM_ONLY, sector_faults, sector_derived,
    sections=(Section("map", ("name", "density", "seed", "worlds", "lone_stars", "routes", "remarks")),),
    rules={"map": "EGW-020", "density": "EGW-021", "routes": "EGW-096", "mapped": "EGW-090"},
    map=sector_map, exports={"t5": sector_t5},
)
CHART = RecordKind(
    "chart", Chart, check=chart_faults, sections=(Section("map", ("name", "known", "routes", "remarks")),),
    rules={"map": "EGW-090", "known": "EGW-092", "routes": "EGW-096"}, map=chart_map,
)
WORLD = RecordKind(
    "world", World, GM_ONLY, world_faults, world_derived,
    sections=(
        Section("place", ("name", "square", "code", "n_planets", "remarks")),
        Section("planet", ("size_t", "diameter_more", "oceans_o", "life", "life_die")),
        Section("inhabitants", ("people", "fauna")),
        Section("making", ("faces", "edited")),
    ),
    rules={
        "place": "EGW-022", "code": "EGW-091", "square": "EGW-098", "size_t": "EGW-023", "oceans_o": "EGW-027",
        "diameter_km": "EGW-023", "gravity_g": "EGW-025", "atmosphere": "EGW-028", "gear_needed": "EGW-028",
        "life": "EGW-030", "is_moon": "EGW-024", "mining_colony": "EGW-024", "port": "EGW-095", "fauna": "EGW-047",
        "colonised": "EGW-032", "map_text": "EGW-092", "circle": "EGW-094",
    },
    choices={f"{of}.{name}": listed for of, choices in (("people", PEOPLE_CHOICES), ("fauna", ANIMAL_CHOICES))
             for name, listed in choices.items()},
)
PEOPLE = RecordKind(
    "people", People, GM_ONLY, people_faults, people_derived,
    sections=(
        Section("place", ("name", "tech_level", "human", "size_t", "life_die", "remarks")),
        Section("body", ("body_row", "endurance", "appearance", "intelligence")),
        Section("ways", ("culture_row", "nature_row", "politics_row", "dominant")),
        Section("trade", ("offered", "demanded")),
    ),
    rules={
        "tech_level": "EGW-060", "body": "EGW-062", "appearance": "EGW-064", "intelligence": "EGW-065",
        "culture_row": "EGW-070", "nature_row": "EGW-071", "politics_row": "EGW-072", "dominant": "EGW-073",
        "dominant_used": "EGW-073", "population_exponent": "EGW-069", "arms": "EGW-083", "penalty": "EGW-086",
        "soldiers_wear": "EGW-084", "lawful_weapons": "EGW-085",
        "univerlan": "EGW-074", "empire_member": "EGW-075", "offered": "EGW-081", "demanded": "EGW-082",
        "dexterity": "EGW-067", "charm": "EGW-067", "willpower": "EGW-067", "strength": "EGW-066",
        "resistance_physical": "EGW-068", "resistance_mental": "EGW-068", "totalitarian": "EGW-072",
    },
    choices=PEOPLE_CHOICES,
)
ANIMAL = RecordKind(
    "animal", Animal, GM_ONLY, animal_faults, animal_derived,
    sections=(
        Section("beast", ("name", "diet_ta", "movement_mode", "behaviour", "domestic", "remarks")),
        Section("body", ("strength", "endurance", "body_row", "appearance", "natural_weapon", "natural_armour")),
    ),
    rules={
        "diet_ta": "EGW-040", "movement_mode": "EGW-041", "strength": "EGW-042", "natural_weapon": "EGW-043",
        "natural_armour": "EGW-044", "body_row": "EGW-045", "endurance": "EGW-045", "appearance": "EGW-046",
        "territory_m": "EGW-051", "domestic": "EGW-031", "resistance_physical": "EGW-045", "behaviour": "EGW-050",
    },
    choices=ANIMAL_CHOICES,
)
PERSON = RecordKind(
    "person", Person, GM_ONLY,
    sections=(
        Section("identity", ("name", "role", "sex", "age", "guild", "grade", "description", "tags")),
        Section("body", ("dexterity", "strength", "endurance")),
        Section("mind", ("charm", "intelligence", "willpower")),
        Section("gear", ("skills", "weapon_level", "protection")),
        Section("whereabouts", ("schedule", "escape_planned", "remarks")),
    ),
    rules={"identity": "EGW-001", "role": "EGW-003", "schedule": "EGW-004", "escape_planned": "EGW-008",
           "weapon_level": "EGW-083", "protection": "EGW-084", "tags": "EGW-002"},
)
MARKET = RecordKind(
    "market", Market, check=market_faults, derived=market_derived,
    sections=(
        Section("place", ("name", "world", "tech_level", "nature", "politics_row", "month", "remarks")),
        Section("trade", ("offered", "demanded")),
    ),
    hidden=dict.fromkeys(("offered", "demanded", "politics_row", "nature", "remarks"), GM_ONLY),
    rules={"trade": "EGW-101", "offered": "EGW-081", "demanded": "EGW-082", "market_place": "EGW-100",
           "politics_row": "EGW-072", "nature": "EGW-071", "month": "EGW-101"},
    choices={"nature": lambda: ("friendly", "neutral", "hostile")},
)
CARGO = RecordKind(
    "cargo", Cargo, check=cargo_faults, sections=(Section("trade", ("name", "lots", "remarks")),),
    hidden={"lots": only("owner", "gm"), "remarks": only("owner", "gm")}, rules={"lots": "EGW-107"},
    choices={"lots.good": all_goods},
)
SECRET_STATE = dict.fromkeys(("damage", "margin_used", "uses", "safe_hours", "doomed", "remarks"), GM_ONLY)
GEAR_SECTIONS = (
    Section("object", ("name", "model", "tech_level", "price", "mass_g", "quality", "exposure")),
    Section("condition", ("broken", "scrapped", "damage", "margin_used", "uses", "spare_parts", "remarks")),
    Section("driving", ("safe_hours", "doomed")),
)
GEAR_RULES = {
    "quality": "EGW-102", "broken": "EGW-152", "scrapped": "EGW-155", "damage": "EGW-151", "margin_used": "EGW-185",
    "exposure": "EGW-185", "uses": "EGW-150", "spare_parts": "EGW-160", "safe_hours": "EGW-122", "doomed": "EGW-121",
    "part_price": "EGW-160", "part_grams": "EGW-160", "tech_level": "EGW-060", "model": "EGW-180",
}
IN_PLAY = frozenset({"broken", "scrapped", "damage", "margin_used", "uses", "safe_hours", "doomed"})
GEAR = RecordKind(
    "item", Gear, check=gear_faults, derived=gear_derived, sections=GEAR_SECTIONS, hidden=SECRET_STATE,
    rules=GEAR_RULES, in_play=IN_PLAY, choices={"model": listed_weapons}, called="model",
)
ROBOT = RecordKind(
    "robot", Robot, check=robot_faults, derived=gear_derived,
    sections=(*GEAR_SECTIONS, Section("brain", ("robot", "programmes", "added"))),
    hidden=SECRET_STATE, rules={**GEAR_RULES, "brain": "EGW-131", "added": "EGW-133"}, in_play=IN_PLAY, called="robot",
)
KINDS = (SECTOR, CHART, WORLD, PEOPLE, ANIMAL, PERSON, MARKET, CARGO, GEAR, ROBOT)
