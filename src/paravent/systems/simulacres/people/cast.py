"""The game master's cast: extras in four categories, geniuses, leanings, survival, creatures (SIM-093 to SIM-100)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import GM_ONLY, Audience, Fault, RecordKind, Rulings, Section, rule
from paravent.systems.simulacres.care.health import condition
from paravent.systems.simulacres.terms import TABLES, Energy

from .character import NO_ARMOUR, UNTENDED, Ailment, Armour, EnergyBonus, NamedPoints, Skill, Weapon, Wounds
from .creation import CHOICES, IN_PLAY, ROWS
from .errors import LeaningOutOfBounds

BALANCED, UNNUMBERED = 7, 11
"""A leaning of 7 is not noted; one without a number holds except on 11 or 12."""


class Category(StrEnum):
    """How good an extra is, at everything."""

    WEAK = "weak"
    AVERAGE = "average"
    STRONG = "strong"
    EXCEPTIONAL = "exceptional"


@dataclass(frozen=True)
class Leaning:
    """One side of an opposed pair, noted 8 to 10, or without a number (0)."""

    name: str
    opposite: str = ""
    value: int = 0


@dataclass(frozen=True)
class Extra:
    """A cast member with one value for all tests. Counters left at −1 are those of the category."""

    name: str = ""
    category: Category = Category.AVERAGE
    trades: tuple[Skill, ...] = ()
    talents: tuple[Skill, ...] = ()
    hobbies: tuple[Skill, ...] = ()
    genius: str = ""
    """The one domain in which he is beyond the human norm."""
    power: int = 0
    speed: int = 0
    precision: int = 0
    life_points: int = -1
    breath_points: int = -1
    psyche_points: int = -1
    weapons: tuple[Weapon, ...] = ()
    armour: Armour = NO_ARMOUR
    leanings: tuple[Leaning, ...] = ()
    arch_villain: bool = False
    survival: int = -1
    """−1: 1 for an arch-villain, 0 for anybody else."""
    wounds: Wounds = UNTENDED
    active_energy_bonuses: tuple[EnergyBonus, ...] = ()
    ailments: tuple[Ailment, ...] = ()
    known_ailments: tuple[str, ...] = ()
    test_malus: int = 0
    states: tuple[str, ...] = ()
    talent_levels: tuple[NamedPoints, ...] = ()
    calm_days: int = 0
    rest_hours: int = 0
    calm_hours: int = 0
    therapy_due: int = 0
    days_since_session: int = 7
    session_hours: int = 0
    dead: bool = False
    notes: str = ""

    def __post_init__(self) -> None:
        row = profile(self.category)
        usual = {"life_points": row["pv"], "breath_points": row["ps"], "psyche_points": row["ep"],
                 "survival": int(self.arch_villain)}
        for name, value in usual.items():
            if getattr(self, name) < 0:
                object.__setattr__(self, name, value)

    @property
    def test(self) -> int:
        """The value of every test."""
        return int(profile(self.category)["test"])

    @property
    def life_points_max(self) -> int:
        """The most PV of the category."""
        return int(profile(self.category)["pv"])

    @property
    def breath_points_max(self) -> int:
        """The most PS of the category."""
        return int(profile(self.category)["ps"])

    @property
    def psyche_points_max(self) -> int:
        """The most EP of the category."""
        return int(profile(self.category)["ep"])


@dataclass(frozen=True)
class Creature:
    """A creature: no triples, a value for combat and one for perception, and energy points in reserve instead of EP."""

    name: str = ""
    combat: int = 8
    perception: int = 8
    life_points_max: int = 5
    breath_points_max: int = 4
    energy_points_max: int = 0
    life_points: int = -1
    breath_points: int = -1
    energy_points: int = -1
    power: int = 0
    speed: int = 0
    precision: int = 0
    armour: Armour = NO_ARMOUR
    weapons: tuple[Weapon, ...] = ()
    wounds: Wounds = UNTENDED
    rest_hours: int = 0
    dead: bool = False
    notes: str = ""

    def __post_init__(self) -> None:
        for name in ("life_points", "breath_points", "energy_points"):
            if getattr(self, name) < 0:
                object.__setattr__(self, name, getattr(self, f"{name}_max"))


@rule("SIM-093")
def profile(category: Category) -> Mapping[str, Any]:
    """The line of a category: the value of all its tests, PV, PS and EP, and how many skills it has."""
    return TABLES["cast"].row(category.value)


@rule("SIM-094", "SIM-095")
def extra_faults(extra: Extra, rulings: Rulings) -> Iterator[Fault]:
    """What an extra of this category may not have. A weak one has a talent, a hobby, or both; genius is apart."""
    row = profile(extra.category)
    counts = {"trades": (len(extra.trades), row["trades"], row["trades"]),
              "talents": (len(extra.talents), row["talents_min"], row["talents_max"]),
              "hobbies": (len(extra.hobbies), row["hobbies_min"], row["hobbies_max"])}
    for part, (got, least, most) in counts.items():
        if not least <= got <= most:
            key = "cast_skills" if least < most else "cast_skills_exactly"
            yield Fault(key, "SIM-093", values={"part": part, "got": got, "least": least, "most": most})
    if extra.category is Category.WEAK and not extra.talents and not extra.hobbies:
        yield Fault("weak_without_skill", "SIM-093")
    energy = extra.power + extra.speed + extra.precision
    if energy != row["energy"]:
        yield Fault("cast_energy", "SIM-094", values={"got": energy, "most": row["energy"]})
    for leaning in extra.leanings:
        if leaning.value and not BALANCED < leaning.value <= 10:
            yield Fault("leaning_bounds", "SIM-096", values={"name": leaning.name, "got": leaning.value})
    if extra.arch_villain and extra.category is not Category.STRONG:
        yield Fault("arch_villain_strong", "SIM-097", warning=True)


@rule("SIM-100")
def creature_faults(creature: Creature, rulings: Rulings) -> Iterator[Fault]:
    """A creature's combat and perception lie between 3 and 15."""
    for name in ("combat", "perception"):
        value = getattr(creature, name)
        if not 3 <= value <= 15:
            yield Fault("creature_bounds", "SIM-100", values={"field": name, "got": value})


def cast_derived(record: Extra | Creature, rulings: Rulings) -> dict[str, int | str]:
    """What is read beside an extra's or a creature's record."""
    psyche = record.psyche_points if isinstance(record, Extra) else 1
    state = condition(record.life_points, record.breath_points, psyche, rulings, dead=record.dead)
    if isinstance(record, Extra):
        most = {name: getattr(record, name) for name in ("life_points_max", "breath_points_max", "psyche_points_max")}
        return {"condition": state.value, "test": record.test, **most}
    return {"condition": state.value}


# Leanings and survival


class LeaningNote(NamedTuple):
    """How a leaning is written: its value, and whether it is the opposite one that is noted."""

    value: int
    opposite: bool


@rule("SIM-096")
def note_leaning(value: int) -> LeaningNote:
    """A leaning below 7 is noted as its opposite, 14 less its value; 4 to 10 are the human range."""
    if not 4 <= value <= 10:
        raise LeaningOutOfBounds(got=value)
    return LeaningNote(14 - value, True) if value < BALANCED else LeaningNote(value, False)


@rule("SIM-096")
def keeps_leaning(dice: Dice, value: int | None, modifier: int, rulings: Rulings) -> bool:
    """Throw two dice strictly under the leaning: kept, or its opposite for a time. No criticals: this is no test."""
    limit = (UNNUMBERED if value is None else value) + modifier
    roll = dice.of("gm").sum(2, 6)
    dice.note("SIM-096", "leaning", roll=roll, value=limit)
    return roll < limit


@rule("SIM-098")
def survives(dice: Dice, score: int, rulings: Rulings) -> bool:
    """In a fatal case, one die not above the survival score is a miraculous escape."""
    limit = min(score, 5) if rulings.survival_cap == "five" else score
    roll = dice.of("gm").sum(1, 6)
    dice.note("SIM-098", "survival", roll=roll, value=limit)
    return roll <= limit


@rule("SIM-098")
def survival_after(score: int, rulings: Rulings) -> int:
    """Each adventure against the characters adds 1 to the arch-villain's score, or to one henchman's."""
    return min(score + 1, 5) if rulings.survival_cap == "five" else score + 1


def _figures(kind: type) -> dict[str, Audience]:
    """What only the game master sees of someone whom all may see: everything but the name."""
    return {part.name: GM_ONLY for part in fields(kind) if part.name != "name"}


EXTRA = RecordKind(
    id="extra",
    portrait="person",
    cls=Extra,
    lives=True,
    check=lambda record, rulings: tuple(extra_faults(record, rulings)),
    derived=cast_derived,
    sections=(
        Section("identity", ("name", "category", "arch_villain", "notes")),
        Section("skills", ("trades", "talents", "hobbies", "genius", "talent_levels")),
        Section("energies", (*(energy.value for energy in Energy), "active_energy_bonuses")),
        Section("counters", ("life_points", "breath_points", "psyche_points")),
        Section("combat", ("weapons", "armour")),
        Section("health", ("wounds", "ailments", "known_ailments", "test_malus", "states", "dead")),
        Section("leanings", ("leanings", "survival")),
    ),
    gauges={"life_points": "life_points_max", "breath_points": "breath_points_max",
            "psyche_points": "psyche_points_max"},
    in_play=IN_PLAY,
    hidden=_figures(Extra),
    rules={"category": "SIM-093", "skills": "SIM-094", "energies": "SIM-094", "genius": "SIM-095",
           "leanings": "SIM-096", "arch_villain": "SIM-097", "survival": "SIM-098"},
    choices=CHOICES,
    rows=ROWS,
)

SHADOW = replace(EXTRA, id="shadow", audience=GM_ONLY)
"""An extra of whom the players know nothing yet, not even the name."""

CREATURE = RecordKind(
    id="creature",
    portrait="beast",
    cls=Creature,
    check=lambda record, rulings: tuple(creature_faults(record, rulings)),
    derived=cast_derived,
    sections=(
        Section("identity", ("name", "notes")),
        Section("combat", ("combat", "perception", "weapons", "armour")),
        Section("energies", tuple(energy.value for energy in Energy)),
        Section("counters", ("life_points", "breath_points", "energy_points")),
        Section("health", ("wounds", "dead")),
    ),
    gauges={"life_points": "life_points_max", "breath_points": "breath_points_max",
            "energy_points": "energy_points_max"},
    in_play=IN_PLAY,
    hidden=_figures(Creature),
    rules={"energy_points": "SIM-100"},
    choices={name: CHOICES[name] for name in ("weapons.id", "weapons.family")},
)
