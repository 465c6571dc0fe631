"""The records of whom one meets: beasts and persons."""

from __future__ import annotations

from paravent.game import GM_ONLY, Fault, RecordKind, Rulings, Section, Value
from paravent.systems.empire.sheets import cells, within
from paravent.systems.empire.terms import figure

from .animals import LETTERS, Animal, Behaviour, diet_of, physical_resistance, territory
from .bodies import BEYOND, size_of, weight_of
from .decks import Deck
from .persons import Person


def animal_faults(record: Animal, rulings: Rulings) -> list[Fault]:
    """A diet from 1 to 6, a body that the table has."""
    return list(within(record, {"diet_ta": (1, 6), "body_row": (2, 12)}, "EGW-040"))


def animal_derived(record: Animal, rulings: Rulings) -> dict[str, Value]:
    """Class, size, weight, territory and resistance."""
    radius = territory(record.body_row)
    return {
        "diet": diet_of(record.diet_ta).value, "size": size_of(record.body_row), "weight": weight_of(record.body_row),
        "territory_m": "variable" if radius is None else figure(radius), "boundless": record.body_row == BEYOND,
        "resistance_physical": physical_resistance(record, rulings),
    }


ANIMAL_CHOICES = {
    "behaviour": lambda: tuple(Behaviour), "natural_weapon": lambda: tuple(LETTERS),
    "movement_mode": cells("movement_modes", "movement_mode"), "appearance": cells("appearances", "appearance"),
}
ANIMAL = RecordKind(
    "animal", Animal, GM_ONLY, animal_faults, animal_derived, anybody=False, portrait="beast",
    hidden=dict.fromkeys(("behaviour", "remarks"), GM_ONLY),
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
    "person", Person, GM_ONLY, anybody=False, portrait="person",
    hidden=dict.fromkeys(("role", "tags", "square", "schedule", "fidelity", "tested_day", "escape_planned", "remarks",
                          "sector"), GM_ONLY),
    sections=(
        Section("identity", ("name", "role", "sex", "age", "guild", "grade", "description", "tags")),
        Section("body", ("dexterity", "strength", "endurance")),
        Section("mind", ("charm", "intelligence", "willpower")),
        Section("gear", ("skills", "weapon_level", "protection")),
        Section("whereabouts", ("square", "schedule", "fidelity", "tested_day", "escape_planned", "remarks", "sector")),
    ),
    rules={"identity": "EGW-001", "role": "EGW-003", "schedule": "EGW-004", "escape_planned": "EGW-008",
           "weapon_level": "EGW-083", "protection": "EGW-084", "tags": "EGW-002", "fidelity": "EGW-006",
           "square": "EGW-098"},
    choices={"fidelity": lambda: ("untested", "loyal", "disloyal")},
)
DECK = RecordKind(
    "deck", Deck, GM_ONLY, anybody=False, kept=True,
    sections=(Section("deck", ("name", "cards", "square", "sector")),),
    rules={"deck": "EGW-007", "square": "EGW-098"},
)
KINDS = (ANIMAL, PERSON, DECK)
