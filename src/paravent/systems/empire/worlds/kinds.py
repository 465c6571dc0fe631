"""The records of worlds: sectors, the players' maps, planets and the peoples on them."""

from __future__ import annotations

from paravent.game import GM_ONLY, Fault, RecordKind, RowParts, Rulings, Section, Value
from paravent.systems.empire.beasts.bodies import size_of, weight_of
from paravent.systems.empire.beasts.kinds import ANIMAL_CHOICES
from paravent.systems.empire.sheets import cells, within
from paravent.systems.empire.terms import Characteristic, figure
from paravent.systems.empire.trade.trade import names_of

from .earlier import EARLIER
from .formats import LOSSES, read_csv, read_sec, read_t5, sector_csv, sector_json, sector_sec, sector_t5, sector_xml
from .instep import chart_in_step, chart_that_comes, party_in_step, sector_beside_in_step, sector_in_step, world_in_step
from .maps import Chart, chart_map, sector_map
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
from .planet import World, air_index, atmosphere, colonised, diameter, gear_needed, gravity, water_is_frozen
from .sector import Sector, circle, is_mapped, port, seeded_sector, square_text, squares


def world_faults(record: World, rulings: Rulings) -> list[Fault]:
    """T and O from 0 to 10; a people only where its world's own faults allow."""
    found = list(within(record, {"size_t": (0, 10), "oceans_o": (0, 10), "life_die": (0, 6)}, "EGW-023"))
    return found + (people_faults(record.people, rulings) if record.people is not None else [])


def people_faults(record: People, rulings: Rulings) -> list[Fault]:
    """A level from 1 to 6, and rows that the tables have."""
    rows = dict.fromkeys(("culture_row", "nature_row", "politics_row"), (2, 12))
    return list(within(record, {"tech_level": (1, 6), "body_row": (0, 12), **rows}, "EGW-060"))


def sector_faults(record: Sector, rulings: Rulings) -> list[Fault]:
    """Squares that a sector has, none twice, and each world's own faults."""
    named = [found.square for found in record.worlds] + list(record.lone_stars)
    wrong = len(set(named)) < len(named) or not set(named) <= set(squares())
    found_wrong = [Fault("square_twice", "EGW-098")] if wrong else []
    return found_wrong + [fault for found in record.worlds for fault in world_faults(found, rulings)]


def chart_faults(record: Chart, rulings: Rulings) -> list[Fault]:
    """Squares that a sector has, none twice."""
    named = [one.square for one in record.known]
    wrong = len(set(named)) < len(named) or not set(named) <= set(squares())
    return [Fault("square_twice", "EGW-098")] if wrong else []


def world_derived(record: World, rulings: Rulings) -> dict[str, Value]:
    """Diameter, gravity, sea, air, gear, ice, moon, port and what the map says."""
    index = air_index(record.size_t, record.oceans_o, rulings)
    mined = record.people is not None and is_mining_colony(record.people.tech_level, record.size_t)
    return {
        "diameter_km": diameter(record.size_t, record.diameter_more), "gravity_g": figure(gravity(record.size_t)),
        "oceans_percent": 10 * record.oceans_o, "atmosphere_index": index, "atmosphere": atmosphere(index),
        "gear_needed": gear_needed(index), "frozen": water_is_frozen(index), "is_moon": is_moon(record.size_t),
        "mining_colony": mined, "colonised": colonised(record.people, record.n_planets),
        "port": port(record.tech_level),
        **({"map_text": square_text(record), "circle": circle(record.tech_level).value} if record.code else {}),
        **(people_derived(record.people, rulings) if record.people is not None else {}),
    }


def people_derived(record: People, rulings: Rulings) -> dict[str, Value]:
    """Ways in words, numbers, arms and law; for natives, body and mind too."""
    nature = record.nature
    ways: dict[str, Value] = {
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


def sector_derived(record: Sector, rulings: Rulings) -> dict[str, Value]:
    """How many stars, systems, worlds with life, worlds with people."""
    return {
        "stars": len(record.lone_stars) + len(record.worlds), "systems": len(record.worlds),
        "mapped": sum(is_mapped(found) for found in record.worlds),
        "inhabited": sum(found.people is not None for found in record.worlds),
    }


PEOPLE_CHOICES = {"appearance": cells("appearances", "appearance"), "dominant": lambda: tuple(Characteristic)}
SECTOR = RecordKind(
    "sector", Sector, GM_ONLY, sector_faults, sector_derived, anybody=False, kept=True, grown=seeded_sector,
    sections=(Section("map", (
        "name", "density", "seed", "party", "worlds", "lone_stars", "routes", "codes", "remarks", "drawn")),
        Section("around", ("galaxy", "x", "y", "beside", "beyond"))),
    rules={"map": "EGW-020", "density": "EGW-021", "routes": "EGW-096", "mapped": "EGW-090", "codes": "EGW-091",
           "party": "EGW-098", "around": "EGW-098", "beyond": "EGW-096", "drawn": "EGW-020"},
    map=sector_map, reads={"t5": read_t5, "sec": read_sec, "csv": read_csv}, version=2,
    follows={"world": sector_in_step, "sector": sector_beside_in_step, "chart": party_in_step},
    exports={"t5": sector_t5, "xml": sector_xml, "sec": sector_sec, "csv": sector_csv, "json": sector_json},
    losses=LOSSES,
    earlier={1: EARLIER["sector"]},
)
CHART = RecordKind(
    "chart", Chart, check=chart_faults, sections=(
        Section("map", ("name", "party", "known", "routes", "remarks")), Section("around", ("galaxy", "x", "y"))),
    anybody=False,
    hidden={"sector": GM_ONLY}, rules={"map": "EGW-090", "known": "EGW-092", "routes": "EGW-096", "party": "EGW-098"},
    rows={"known": RowParts("name")}, map=chart_map, follows={"sector": chart_in_step},
    comes={"sector": chart_that_comes},
    version=2, earlier={1: EARLIER["chart"]},
)
WORLD = RecordKind(
    "world", World, GM_ONLY, world_faults, world_derived, anybody=False,
    hidden=dict.fromkeys(("faces", "edited", "seed", "sector", "remarks"), GM_ONLY),
    sections=(
        Section("place", ("name", "square", "code", "n_planets", "port_name", "remarks")),
        Section("planet", ("size_t", "diameter_more", "oceans_o", "life", "life_die")),
        Section("inhabitants", ("people", "fauna")),
        Section("making", ("faces", "edited", "seed", "sector")),
    ),
    rules={
        "place": "EGW-022", "code": "EGW-091", "square": "EGW-098", "size_t": "EGW-023", "oceans_o": "EGW-027",
        "diameter_km": "EGW-023", "gravity_g": "EGW-025", "atmosphere": "EGW-028", "gear_needed": "EGW-028",
        "life": "EGW-030", "is_moon": "EGW-024", "mining_colony": "EGW-024", "port": "EGW-095", "fauna": "EGW-047",
        "colonised": "EGW-032", "map_text": "EGW-092", "circle": "EGW-094",
    },
    choices={f"{of}.{name}": listed for of, choices in (("people", PEOPLE_CHOICES), ("fauna", ANIMAL_CHOICES))
             for name, listed in choices.items()},
    follows={"sector": world_in_step}, version=2, earlier={1: EARLIER["world"]},
)
PEOPLE = RecordKind(
    "people", People, GM_ONLY, people_faults, people_derived, anybody=False,
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
KINDS = (SECTOR, CHART, WORLD, PEOPLE)
