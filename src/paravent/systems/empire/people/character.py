"""The character: six scores, skills by number, two resistances, and all that play writes on the sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    GM_ONLY,
    Fault,
    Glimpse,
    RecordKind,
    RowParts,
    RuleBook,
    Rulings,
    Section,
    Value,
    in_language,
    rule,
)
from paravent.systems.empire.actions.action import evasion_of
from paravent.systems.empire.fights.combat import coefficients
from paravent.systems.empire.fights.wounds import Piece, hindrance
from paravent.systems.empire.minds.psi import may_bear
from paravent.systems.empire.terms import (
    LEAST,
    MENTAL,
    MOST,
    PACKAGE,
    PHYSICAL,
    SKILL_MOST,
    SKILLS,
    TABLES,
    Characteristic,
    figure,
)
from paravent.systems.empire.throws import BENIGN
from paravent.systems.empire.words.speech import MindState

from .creation import (
    POOL_BASE,
    TERM,
    Guild,
    Sex,
    check_grade,
    entrance_exam,
    height_cm,
    pool,
    promoted,
    raised,
    required_characteristic,
    resistance,
    school_year,
    secondary,
    start_age,
    starting_money,
    title_of,
    weight_kg,
)
from .survival import Effort, load_in_tests, load_mod, march

QUICK_LEAST, QUICK_MOST = 5, 10
SUIT = "54"
IN_WAIT, ON_GUARD = "in_wait", "on_guard"
OWNER = GM_ONLY | {"owner"}
"""Whoever plays the character, and the game master."""


@dataclass(frozen=True)
class Skill:
    """A skill learnt: its two-digit number and its level."""

    number: str
    level: int = 1


@dataclass(frozen=True)
class Condition:
    """What a character suffers: its name, how much or for how long, where."""

    name: str
    amount: int = 0
    place: str = ""


@dataclass(frozen=True)
class Wound:
    """Points lost at one place, and on which side of the body, if somebody said so."""

    place: str
    points: int
    side: str = ""


class Carried(StrEnum):
    """Where a weapon is, and whether it can be used at once."""

    IN_HAND = "in_hand"
    EMPTY = "empty"
    PUT_AWAY = "put_away"
    DROPPED = "dropped"


@dataclass(frozen=True)
class Weapon:
    """A weapon: in hand, empty, put away or on the ground; how many magazines are left, and its power setting."""

    weapon: str
    state: Carried = Carried.IN_HAND
    magazines: int = 0
    power: int = 0

    @property
    def ready(self) -> bool:
        """Whether it is in hand."""
        return self.state in (Carried.IN_HAND, Carried.EMPTY)

    @property
    def loaded(self) -> bool:
        """Whether it can be fired."""
        return self.state is not Carried.EMPTY


@dataclass(frozen=True)
class Protection:
    """A protection worn: where it is ruined, and what it covers if that is written down."""

    piece: str
    ruined: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """A thing carried: its tech level, its mass in grams and its mechanical quality."""

    name: str
    tech_level: int = 1
    grams: int = 0
    mechanical_quality: int = 0


@dataclass(frozen=True)
class Character:
    """A character's sheet. Resistances left at −1 are full; perception and stealth at 0 are the means of the rules."""

    name: str = ""
    sex: Sex = Sex.MAN
    age: int = 18
    dexterity: int = 7
    strength: int = 7
    endurance: int = 7
    charm: int = 7
    intelligence: int = 7
    willpower: int = 7
    guild: Guild = Guild.ADVENTURER
    grade: int = 0
    school_years: int = 0
    at_school: bool = False
    examined: int = 0
    """The school year of the last examination for a grade."""
    skills: tuple[Skill, ...] = ()
    destiny: int = 0
    languages: tuple[str, ...] = ()
    credits: int = 0
    resistance_physical: int = -1
    resistance_mental: int = -1
    perception: int = 0
    stealth: int = 0
    weapons: tuple[Weapon, ...] = ()
    protections: tuple[Protection, ...] = ()
    equipment: tuple[Item, ...] = ()
    conditions: tuple[Condition, ...] = ()
    wounds: tuple[Wound, ...] = ()
    mind_state: MindState = MindState.FREE
    willpower_spent: int = 0
    mental_screen: bool = False
    sleepless: bool = False
    sleep_owed: int = 0
    """The hours of sleep that marches still cost."""
    hungry: bool = False
    acted: int = 0
    rest_due: int = 0
    age_loss: int = 0
    """What age has taken off each physical characteristic."""
    trances: tuple[Condition, ...] = ()
    """What PSI gives or does for a while, unseen by the others."""
    rest_lost: int = 0
    """What was lost when rest began: it says how long healing takes."""
    minutes_resting: int = 0
    minutes_thinking: int = 0
    warned: bool = False
    disguise: str = ""
    """What a disguise holds against: the game master's secret, even from whoever wears it."""
    ambush: str = ""
    """Whether one lies in wait unseen, or is on one's guard: the game master's secret until a fight begins."""
    description: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        for gauge, most in (("resistance_physical", self.physical_most), ("resistance_mental", self.mental_most)):
            if getattr(self, gauge) < 0:
                object.__setattr__(self, gauge, most)

    @property
    def physical_most(self) -> int:
        """Full physical resistance."""
        return resistance([getattr(self, name) for name in PHYSICAL])

    @property
    def mental_most(self) -> int:
        """Full mental resistance."""
        return resistance([getattr(self, name) for name in MENTAL])

    @property
    def evasion_physical(self) -> Fraction:
        """The mean of the physical characteristics."""
        return evasion_of(getattr(self, name) for name in PHYSICAL)

    @property
    def evasion_mental(self) -> Fraction:
        """The mean of the mental characteristics."""
        return evasion_of(getattr(self, name) for name in MENTAL)

    @property
    def levels(self) -> dict[str, int]:
        """Skill levels by number."""
        return {skill.number: skill.level for skill in self.skills}

    @property
    def effort(self) -> Effort:
        """What rest is due."""
        return Effort(self.acted, self.rest_due)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What is worn, as the rules read it."""
        return tuple(Piece(worn.piece, worn.ruined, worn.covers) for worn in self.protections)

    @property
    def grams(self) -> int:
        """What is carried, in grams: worn protections count by their MOD, not by their mass."""
        arms = sum(int(1000 * (TABLES["weapons"].cell(held.weapon, "mass_max") or 0))
                   for held in self.weapons if held.state is not Carried.DROPPED)
        return arms + sum(item.grams for item in self.equipment)

    def level(self, skill: str) -> int:
        """The level of a skill, 0 where it was not learnt."""
        return self.levels.get(skill, 0)

    @property
    def bearing(self) -> int:
        """Strength for what is carried: less under armour, more in an antigrav suit, never below 0."""
        return max(0, self.strength + hindrance(worn.piece for worn in self.protections))

    @property
    def load(self) -> int:
        """The MOD of what is carried; whoever carries too much is hindered as much as one can be."""
        return load_mod(min(self.grams, 3000 * self.bearing), self.bearing)

    @property
    def pace(self) -> int:
        """The metres walked in a sequence."""
        return max(0, self.bearing + self.load)

    def suffers(self, name: str) -> bool:
        """Whether a condition holds."""
        return any(condition.name == name for condition in self.conditions)

    def enjoys(self, name: str) -> bool:
        """Whether PSI gives this for a while."""
        return any(trance.name == name for trance in self.trances)

    def scores(self) -> dict[str, int]:
        """The six characteristics by name."""
        return {name.value: getattr(self, name) for name in Characteristic}


@dataclass(frozen=True)
class QuickCharacter:
    """The sheet of the quick rule: two qualities."""

    name: str = ""
    physical_quality: int = 7
    mental_quality: int = 7
    description: str = ""


def with_levels(levels: Mapping[str, int]) -> tuple[Skill, ...]:
    """Skills as a sheet holds them, by number."""
    return tuple(Skill(number, level) for number, level in sorted(levels.items()) if level)


def secondary_value(record: Character, name: str, rulings: Rulings) -> Fraction:
    """Perception or stealth: as written on the sheet, or the mean of three characteristics."""
    written = getattr(record, name)
    if written or rulings.secondary_values == "written":
        return Fraction(written)
    return secondary(name, record.scores())


# What is wrong with a sheet


@rule("EMP-030", "EMP-035")
def npc_faults(record: Character, rulings: Rulings) -> list[Fault]:
    """The same of the game master's people, who may be of another kind than ours: their scores only surprise."""
    unlike_us = ("score_bounds", "pool_total")
    return [replace(fault, warning=True) if fault.key in unlike_us else fault for fault in faults(record, rulings)]


def faults(record: Character, rulings: Rulings) -> list[Fault]:
    """Scores from 2 to 12 and 66 points in all at most, known skills up to 6, a grade that the guild gives.

    Age may lower a score below 2, never below 0.
    """
    scores = record.scores()
    found = [Fault("score_bounds", "EMP-030", values={"characteristic": name, "got": score})
             for name, score in scores.items() if not 0 <= score <= MOST]
    found += [Fault("score_low", "EMP-045", warning=True, values={"characteristic": name, "got": score})
              for name, score in scores.items() if 0 <= score < LEAST]
    if sum(scores.values()) > POOL_BASE + 36:
        found.append(Fault("pool_total", "EMP-030", values={"got": sum(scores.values())}))
    found += _skill_faults(record)
    key = check_grade(record.guild, record.grade, sum(record.levels.values()), at_creation=False)
    if key:
        found.append(Fault(key, "EMP-035", values={"got": record.grade}))
    if 3 * record.grade > sum(record.levels.values()):
        found.append(Fault("grade_skills", "EMP-035", warning=True, values={"got": record.grade}))
    if record.guild is Guild.PRIEST and not all(may_bear(held.weapon) for held in record.weapons):
        found.append(Fault("armed_priest", "EMP-150", warning=True))
    if not record.level(SUIT) and any(TABLES["protections"].cell(worn.piece, "needs_suit") == "yes"
                                      for worn in record.protections):
        found.append(Fault("suit_untrained", "EMP-088", warning=True))
    if record.grams > 3000 * record.bearing:
        found.append(Fault("overloaded", "EMP-173", warning=True, values={"most": 3 * record.bearing}))
    found += [
        Fault("gauge_above", "EMP-040", values={"got": now, "most": most})
        for now, most in ((record.resistance_physical, record.physical_most),
                          (record.resistance_mental, record.mental_most)) if now > most
    ]
    return found


def _skill_faults(record: Character) -> Iterator[Fault]:
    for skill in record.skills:
        if skill.number not in SKILLS:
            yield Fault("unknown_skill", "EMP-033", values={"got": skill.number})
        if not 0 <= skill.level <= SKILL_MOST:
            yield Fault("skill_bounds", "EMP-034", values={"skill": skill.number, "got": skill.level})
    if len(record.levels) < len(record.skills):
        yield Fault("skill_twice", "EMP-034")


@rule("EMP-020")
def quick_faults(record: QuickCharacter, rulings: Rulings) -> list[Fault]:
    """Two qualities from 5 to 10."""
    both = (record.physical_quality, record.mental_quality)
    return [Fault("quality_bounds", "EMP-020", values={"got": got}) for got in both
            if not QUICK_LEAST <= got <= QUICK_MOST]


# What the sheet shows beside


def derived(record: Character, rulings: Rulings) -> dict[str, Value]:
    """Resistances, evasions, title, size, combat sheet, load and pace."""
    shown: dict[str, Value] = {
        "physical_most": record.physical_most,
        "mental_most": record.mental_most,
        "evasion_physical": figure(record.evasion_physical),
        "evasion_mental": figure(record.evasion_mental),
        "perception_used": figure(secondary_value(record, "perception", rulings)),
        "stealth_used": figure(secondary_value(record, "stealth", rulings)),
        "required": required_characteristic(record.guild).value,
        "height_cm": height_cm(record.sex, record.strength),
        "weight_kg": weight_kg(record.sex, record.strength),
        "combat": {f"skill_{skill}": scores for skill, scores in coefficients(
            record.scores(), record.levels, load_in_tests(record.load, rulings)).items()},
    }
    title = title_of(record.guild, record.grade)
    if title:
        shown["title"] = f"title_{title}"
    if record.grams <= 3000 * record.bearing:
        shown["load_mod"] = record.load
        shown["pace"] = figure(march("walk", Fraction(record.pace), record.endurance).metres)
    return shown


# One at random


def draw(dice: Dice, rulings: Rulings) -> Character:
    """A legal character, thrown from end to end: pool, spread at random, the guild of the best score, school, money."""
    scores = _spread(dice, pool(dice))
    sheet: dict[str, Any] = {**scores, "age": start_age(rulings), "sex": list(Sex)[dice.sum(1, 2) - 1]}
    record = Character(**sheet)
    best = max(Guild, key=lambda guild: scores[required_characteristic(guild).value])
    required = scores[required_characteristic(best).value]
    guild = best if entrance_exam(dice, best, required, record.age) else Guild.ADVENTURER
    record = replace(record, guild=guild)
    for _ in range(dice.sum(1, 3)):
        record = _term(dice, record, rulings)
    return replace(record, credits=starting_money(dice, guild, record.grade, rulings))


def _spread(dice: Dice, points: int) -> dict[str, int]:
    scores = dict.fromkeys((name.value for name in Characteristic), LEAST)
    for _ in range(points - sum(scores.values())):
        room = [name for name, score in scores.items() if score < MOST]
        scores[room[dice.sum(1, len(room)) - 1]] += 1
    return scores


def _term(dice: Dice, record: Character, rulings: Rulings) -> Character:
    required = record.scores()[required_characteristic(record.guild).value]
    levels = record.levels
    for _ in range(TERM):
        year = dice.resolve(school_year, record.guild, required, tuple(levels), rulings)
        levels = raised(levels, year.skill, year.levels)
    years = record.school_years + TERM
    grade = promoted(record.guild, record.grade, levels, years, rulings)
    return replace(record, age=record.age + TERM, school_years=years, skills=with_levels(levels), grade=grade)


def draw_quick(dice: Dice, rulings: Rulings) -> QuickCharacter:
    """Two qualities at random."""
    return QuickCharacter("", dice.sum(1, 6) + 4, dice.sum(1, 6) + 4)


# Ready-made


def ready(lang: str) -> dict[str, Character]:
    """The ready-made characters."""
    return _ready("character", lang)


def ready_npcs(lang: str) -> dict[str, Character]:
    """The ready-made characters of the game master."""
    return _ready("npc", lang)


def _ready(kind: str, lang: str) -> dict[str, Character]:
    rows = RuleBook(PACKAGE).data("characters").get(kind, [])
    return {row["id"]: from_row(row, lang) for row in rows}


def from_row(row: Mapping[str, Any], lang: str) -> Character:
    """Somebody as a row of a data file describes them."""
    plain = {name: row[name] for name in (*Characteristic, "age", "grade", "destiny", "credits") if name in row}
    return Character(
        name=_said(row["name"], lang),
        sex=Sex(row.get("sex", "man")),
        guild=Guild(row["guild"]),
        skills=with_levels({str(number): level for number, level in row.get("skills", {}).items()}),
        weapons=tuple(Weapon(name) for name in row.get("weapons", ())),
        protections=tuple(Protection(name) for name in row.get("protections", ())),
        equipment=tuple(
            Item(_said(item["name"], lang), *(item.get(part, 0) for part in ("tech_level", "grams", "quality")))
            for item in row.get("equipment", ())
        ),
        description=_said(row.get("description", ""), lang),
        notes=_said(row.get("notes", ""), lang),
        **plain,
    )


def _said(text: Any, lang: str) -> str:
    return text if isinstance(text, str) else in_language(text, lang)


# The kinds of sheets

SECTIONS = (
    Section("identity", ("name", "sex", "age", "guild", "grade", "description", "notes")),
    Section("body", tuple(name.value for name in PHYSICAL)),
    Section("mind", tuple(name.value for name in MENTAL)),
    Section("resistances", ("resistance_physical", "resistance_mental", "mind_state", "willpower_spent", "perception",
                            "stealth")),
    Section("skills", ("skills", "languages", "destiny")),
    Section("gear", ("credits", "weapons", "protections", "equipment")),
    Section("health", ("conditions", "wounds", "sleepless", "sleep_owed", "hungry", "acted", "rest_due",
                       "mental_screen", "trances")),
    Section("school", ("school_years", "at_school", "warned")),
    Section("secret", ("disguise", "ambush")),
)
IN_PLAY = frozenset({
    "mind_state", "willpower_spent", "conditions", "wounds", "sleepless", "sleep_owed", "hungry", "acted", "rest_due",
    "mental_screen", "warned", "disguise", "ambush", "minutes_resting", "minutes_thinking", "school_years", "at_school",
    "languages", "trances", "age_loss", "rest_lost", "examined",
})
CONDITIONS = (
    "stunned", "knocked_out", "coma", "dead", "held", "choked", "disabled", "fevered", "tended", "shaken", "commanded",
    "hypnotised", "suspended_animation",
)
"""What a character may suffer for a while."""
TRANCES = ("thermal_insensitivity", "recovery", "regeneration", "superendurance", "superforce", "controlled")
"""What PSI may do to somebody for a while without anybody seeing it."""


def places() -> tuple[str, ...]:
    """Where a blow may land."""
    return (*TABLES["protections"].extra["covers"]["all"], "body")


CHOICES: Mapping[str, Callable[[], Sequence[str]]] = {
    "skills.number": lambda: SKILLS,
    "weapons.weapon": lambda: tuple(TABLES["weapons"].keys()),
    "protections.piece": lambda: tuple(TABLES["protections"].keys()),
    "conditions.name": lambda: CONDITIONS,
    "trances.name": lambda: TRANCES,
    "conditions.place": places,
    "wounds.place": places,
}
RULES = {
    "body": "EMP-030", "mind": "EMP-030", "identity": "EMP-031", "grade": "EMP-038", "guild": "EMP-031",
    "required": "EMP-031", "title": "EMP-038", "resistances": "EMP-040", "physical_most": "EMP-040",
    "mental_most": "EMP-040", "evasion_physical": "EMP-041", "evasion_mental": "EMP-041", "perception": "EMP-042",
    "stealth": "EMP-042", "perception_used": "EMP-042", "stealth_used": "EMP-042", "height_cm": "EMP-039",
    "weight_kg": "EMP-039", "combat": "EMP-014", "load_mod": "EMP-173", "pace": "EMP-175", "skills": "EMP-034",
    "languages": "EMP-142", "destiny": "EMP-044", "credits": "EMP-036", "weapons": "EMP-078", "protections": "EMP-087",
    "mind_state": "EMP-128", "willpower_spent": "EMP-160", "conditions": "EMP-085", "wounds": "EMP-082",
    "sleepless": "EMP-170", "sleep_owed": "EMP-175", "hungry": "EMP-172", "acted": "EMP-171", "rest_due": "EMP-171",
    "mental_screen": "EMP-153", "trances": "EMP-161", "school": "EMP-035", "warned": "EMP-006", "disguise": "EMP-140",
    "ambush": "EMP-074",
}
GAUGES = {"resistance_physical": "physical_most", "resistance_mental": "mental_most"}
NPC_HIDDEN = (
    *(name.value for name in Characteristic), "resistance_physical", "resistance_mental", "skills", "destiny",
    "mind_state", "wounds", "willpower_spent", "perception", "stealth", "notes", "warned", "school_years",
    "minutes_resting", "minutes_thinking", "mental_screen", "disguise", "ambush", "trances", "age_loss", "rest_lost",
    "examined",
)

PSI_SECRETS = ("willpower_spent", "mental_screen", "trances")
"""What would tell the other players that PSI was used."""

ROWS = {"skills": RowParts("number"), "conditions": RowParts("name"), "wounds": RowParts("place"),
        "weapons": RowParts("weapon"), "protections": RowParts("piece")}
"""What a row of each list is called by."""


def glimpses(record: Character, rulings: Rulings) -> Iterator[Glimpse]:
    """What the head of a sheet shows: what its character suffers, the wounds, what somebody made of its mind."""
    for state in record.conditions:
        key = "lasting" if state.name == "knocked_out" and state.amount else "state_at" if state.place else "state"
        yield Glimpse(f"glimpses.{key}", {"state": state.name, "n": state.amount, "place": state.place},
                      bad=state.name not in BENIGN)
    lost: dict[tuple[str, str], int] = {}
    for wound in record.wounds:
        lost[wound.place, wound.side] = lost.get((wound.place, wound.side), 0) + wound.points
    for (place, side), points in lost.items():
        yield Glimpse("glimpses.wound_side" if side else "glimpses.wound",
                      {"place": place, "side": side, "points": points}, bad=True)
    if record.mind_state not in (MindState.FREE, *(state.name for state in record.conditions)):
        yield Glimpse("glimpses.state", {"state": record.mind_state.value}, bad=True)


CHARACTER = RecordKind(
    id="character", cls=Character, check=faults, derived=derived, draw=draw, ready=ready, played=True,
    portrait="person", sections=SECTIONS, gauges=GAUGES, in_play=IN_PLAY,
    hidden={"disguise": GM_ONLY, "ambush": GM_ONLY, **dict.fromkeys(PSI_SECRETS, OWNER)}, rules=RULES, choices=CHOICES,
    rows=ROWS, glimpses=glimpses,
)
NPC = RecordKind(
    id="npc", cls=Character, lives=True, check=npc_faults, derived=derived, draw=draw, ready=ready_npcs,
    portrait="person", sections=SECTIONS,
    gauges=GAUGES, in_play=IN_PLAY, hidden=dict.fromkeys(NPC_HIDDEN, GM_ONLY), rules={**RULES, "identity": "EMP-043"},
    choices=CHOICES, rows=ROWS, glimpses=glimpses,
)
QUICK = RecordKind(
    id="quick", cls=QuickCharacter, portrait="person", check=quick_faults, draw=draw_quick, anybody=False,
    sections=(Section("identity", ("name", "description")),
              Section("qualities", ("physical_quality", "mental_quality"))),
    rules={"qualities": "EMP-020"},
)
