"""The records of gear: objects, vehicles and robots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paravent.game import GM_ONLY, Actor, Change, Fault, RecordKind, Rulings, Section, Value
from paravent.systems.empire.sheets import within
from paravent.systems.empire.terms import figure
from paravent.systems.empire.throws import set_on

from .gear import State, listed_weapons, spare_part
from .machines import Exposure, Machine, Working
from .robots import RobotType


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

    @property
    def machine(self) -> Machine:
        """What a blow meets of it."""
        return Machine(self.exposure, self.tech_level, self.quality, self.damage, self.margin_used)


@dataclass(frozen=True)
class Robot(Gear):
    """A robot: an object with a brain, its programmes, and which of them were added."""

    robot: RobotType = RobotType.LOGIMEC
    programmes: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


def gear_faults(record: Gear, rulings: Rulings) -> list[Fault]:
    """A level from 1 to 6, and a quality of 1 at least."""
    return list(within(record, {"tech_level": (1, 6), "quality": (1, 99)}, "EGW-102"))


def robot_faults(record: Robot, rulings: Rulings) -> list[Fault]:
    """A logimec is bought with exactly one programme, the others with none; more are added by who knows how."""
    wanted = 1 if record.robot is RobotType.LOGIMEC else 0
    found = Fault("one_programme", "EGW-131", warning=True, values={"robot": record.robot.value, "n": wanted})
    return [*gear_faults(record, rulings), *([found] if len(record.programmes) != wanted else [])]


def gear_derived(record: Gear, rulings: Rulings) -> dict[str, Value]:
    """What a spare part costs and weighs."""
    part = spare_part(record.price, record.mass_g)
    return {"part_price": figure(part.credits), "part_grams": figure(part.grams)}


def machine_changes(actor: Actor, machine: Machine | None, state: Working) -> Sequence[Change]:
    """What a blow writes on a machine's record; its points are the game master's."""
    before = actor.record
    if machine is None or not isinstance(before, Gear):
        return ()
    values = {"damage": machine.damage, "margin_used": machine.margin_used,
              "broken": before.broken or state is not Working.RUNS,
              "scrapped": before.scrapped or state is Working.SCRAP}
    return [change for path, value in values.items() for change in set_on(actor, path, value, "EMP-111")]


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
    "item", Gear, check=gear_faults, derived=gear_derived, sections=GEAR_SECTIONS, hidden=SECRET_STATE, anybody=False,
    rules=GEAR_RULES, in_play=IN_PLAY, choices={"model": listed_weapons}, called="model",
)
ROBOT = RecordKind(
    "robot", Robot, check=robot_faults, derived=gear_derived, anybody=False, portrait="machine",
    sections=(*GEAR_SECTIONS, Section("brain", ("robot", "programmes", "added"))),
    hidden=SECRET_STATE, rules={**GEAR_RULES, "brain": "EGW-131", "added": "EGW-133"}, in_play=IN_PLAY, called="robot",
)
KINDS = (GEAR, ROBOT)
