"""The character: « Attributs », « Compétences », « La santé », « L'énergie ». The sheet, its creation, what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from paravent.dice import Dice
from paravent.game import Actor, Fault, PointsLeft, RuleBook, Rulings, Suggestion, Value, in_language, rule
from paravent.systems.conteur.energy.gauge import segment_of
from paravent.systems.conteur.energy.luck import luck_available
from paravent.systems.conteur.facts import (
    ENERGY_MAX,
    HUMAN_PARTS,
    LOST,
    SKILL_MAX,
    TABLES,
    Activity,
    Attribute,
    SkillField,
)
from paravent.systems.conteur.health.healing import healing_limit
from paravent.systems.conteur.health.wounds import is_dying, is_lost
from paravent.systems.conteur.rolls.complex import ComplexAction

from .errors import OverBudget, SkillTooHigh

T = TypeVar("T")

PACKAGE = "paravent.systems.conteur"
ATTRIBUTE_BUDGET, SKILL_BUDGET = 30, 25
SKILL_AT_CREATION = 5
ADVISED_SKILLS = 10
ATTRIBUTE_LEAST = {attribute: 0 if attribute == Attribute.LUCK else 1 for attribute in Attribute}
ATTRIBUTE_MOST = 10


@dataclass(frozen=True)
class Skill:
    """Something a character knows how to do: its family, its name, its dice."""

    field: SkillField
    name: str
    value: int


@dataclass(frozen=True)
class Character:
    """A character of Conteur D10."""

    name: str = ""
    player: str = ""
    concept: str = ""
    notes: str = ""
    species: str = "human"
    constitution: int = 5
    dexterity: int = 5
    perception: int = 5
    social: int = 5
    mental: int = 5
    luck: int = 5
    luck_used: int = 0
    skills: tuple[Skill, ...] = ()
    wounds: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(HUMAN_PARTS, 0))
    wound_day: Mapping[str, int] = field(default_factory=dict)
    healing_paid: Mapping[str, int] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()
    energy: int = 18
    healing_spent_today: int = 0
    healing_day: int | None = None
    """The day of those points: another day, they count no more."""
    day_activity: Activity = Activity.ACTIVE
    unconscious: bool = False
    dead: bool = False
    complex_action: ComplexAction | None = None
    energy_dice_max: int = 1

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the body: six for a human, those of the sheet for others."""
        return HUMAN_PARTS if self.species == "human" else tuple(self.wounds) or HUMAN_PARTS

    @property
    def limbs(self) -> tuple[str, ...]:
        """The parts that an action may use: neither head nor torso."""
        return tuple(part for part in self.parts if part not in ("head", "torso"))

    def healing_spent_on(self, day: int) -> int:
        """The points already spent on healing that day."""
        return self.healing_spent_today if self.healing_day in (None, day) else 0

    def level(self, part: str) -> int:
        """The wound level of a part."""
        return self.wounds.get(part, 0)

    @property
    def luck_available(self) -> int:
        """The luck points left."""
        return luck_available(self.luck, self.luck_used)

    @property
    def dying(self) -> bool:
        """Whether a wound is mortal."""
        return is_dying(self.wounds)

    @property
    def helpless(self) -> bool:
        """Whether the character cannot act."""
        return self.unconscious or self.dead

    def skill(self, name: str) -> Skill | None:
        """The skill of this name (``Tir (actions)`` where two families have one of that name)."""
        return next((skill for skill in self.skills if name in (skill.name, f"{skill.name} ({skill.field})")), None)

    @property
    def skill_names(self) -> tuple[str, ...]:
        """What each skill is called on this sheet."""
        names = [skill.name for skill in self.skills]
        return tuple(f"{s.name} ({s.field})" if names.count(s.name) > 1 else s.name for s in self.skills)


def trade_of(sheet: Character) -> Skill | None:
    """The skill of people made in a line (« le garde : 5, 3 dés »): without luck, and as good at all they do.

    It serves unless another is named.
    """
    alike = len({skill.value for skill in sheet.skills}) == 1
    return sheet.skills[0] if alike and sheet.luck == 0 else None


def sheet_of(actor: Actor) -> Character | None:
    """The sheet that an actor brings; none where numbers are given instead."""
    return None if actor.record is None else actor.sheet(Character)


@rule("D10-027", "D10-028", "D10-029")
def attribute_faults(record: Character) -> Iterator[Fault]:
    """Attributes are storable from 1 to 10 (luck from 0); outside the human range one is warned, never stopped."""
    table = TABLES["attributes"]
    for attribute in Attribute:
        value = getattr(record, attribute)
        row = table.row(attribute)
        least = ATTRIBUTE_LEAST[attribute]
        values = {"attribute": attribute, "got": value}
        if not least <= value <= ATTRIBUTE_MOST:
            yield Fault("attribute_range", "D10-027", values={**values, "least": least}, at=attribute)
        elif record.species == "human" and not row["human_min"] <= value <= row["human_utmost"]:
            yield Fault("human_range", "D10-028", warning=True, values=values, at=attribute)
    if not 0 <= record.luck_used <= record.luck:
        yield Fault("luck_used", "D10-029", values={"got": record.luck_used, "most": record.luck})


@rule("D10-035", "D10-036", "D10-037")
def skill_faults(record: Character) -> Iterator[Fault]:
    """Skills belong to one of six families, and a name is used once in a family; above 5 one is warned."""
    seen: set[tuple[str, str]] = set()
    for skill in record.skills:
        if not skill.name.strip():
            yield Fault("skill_name", "D10-037", at="skills")
        if (skill.field, skill.name.strip().lower()) in seen:
            yield Fault("skill_twice", "D10-037", values={"name": skill.name, "field": skill.field}, at="skills")
        seen.add((skill.field, skill.name.strip().lower()))
        if not 0 <= skill.value <= SKILL_MAX:
            yield Fault("skill_value", "D10-035", values={"name": skill.name, "got": skill.value, "most": SKILL_MAX},
                        at="skills")
        elif not skill.value and skill.name.strip():
            yield Fault("skill_none", "D10-036", warning=True, values={"name": skill.name, "most": SKILL_AT_CREATION},
                        at="skills")
        if skill.value > SKILL_AT_CREATION:
            yield Fault("skill_high", "D10-036", warning=True, values={"name": skill.name, "got": skill.value},
                        at="skills")


@rule("D10-039", "D10-047", "D10-069")
def state_faults(record: Character) -> Iterator[Fault]:
    """Wounds run from 0 to 3 on parts the body has, energy from 0 to 24, a day's healing from 0 to 2."""
    for part, level in record.wounds.items():
        if part not in record.parts:
            yield Fault("unknown_part", "D10-039", values={"part": part})
        if not 0 <= level <= LOST:
            yield Fault("wound_level", "D10-039", values={"part": part, "got": level})
    if not 0 <= record.energy <= ENERGY_MAX:
        yield Fault("energy", "D10-047", values={"got": record.energy}, at="energy")
    if not 0 <= record.healing_spent_today <= healing_limit(Activity.REST):
        yield Fault("healing_spent", "D10-069", values={"got": record.healing_spent_today})
    elif record.healing_spent_today > healing_limit(record.day_activity):
        yield Fault("active_after_healing", "D10-069", warning=True)
    for part, paid in record.healing_paid.items():
        if not 0 <= paid <= 4:
            yield Fault("healing_paid", "D10-068", values={"part": part, "got": paid})
    if record.energy_dice_max < 1:
        yield Fault("energy_dice_max", "D10-062", values={"got": record.energy_dice_max}, at="energy_dice_max")
    elif record.energy_dice_max > 1 and record.species == "human":
        yield Fault("energy_dice_human", "D10-062", warning=True, values={"got": record.energy_dice_max},
                    at="energy_dice_max")


@rule("D10-036")
def unfinished(record: Character) -> Iterator[Fault]:
    """What a sheet still lacks before anybody plays it: a name, and something its bearer knows how to do."""
    if not record.name.strip():
        yield Fault("no_name", at="name", warning=True)
    if not record.skills:
        yield Fault("no_skills", "D10-036", at="skills", warning=True)


def points_left(record: Character, rulings: Rulings) -> tuple[PointsLeft, ...]:
    """What a new sheet may still spend, at a table that counts; elsewhere nothing is counted."""
    if rulings.creation_budget != "standard":
        return ()
    attributes = sum(int(getattr(record, name)) for name in Attribute)
    skills = sum(skill.value for skill in record.skills)
    return (
        PointsLeft("attributes", ATTRIBUTE_BUDGET - attributes, ATTRIBUTE_BUDGET, at="constitution"),
        PointsLeft("skills", SKILL_BUDGET - skills, SKILL_BUDGET, at="skills"),
    )


def ideas(lang: str) -> tuple[Suggestion, ...]:
    """Skills that one might write down, family after family: each goes with its own."""
    table = TABLES["skill_ideas"]
    return tuple(Suggestion(table.word(idea, lang), (("field", family.value),)) for family in SkillField
                 for idea in list(table.keys()) if table.cell(idea, "field") == family)


def check(record: Character, rulings: Rulings) -> list[Fault]:
    """Everything wrong or unwise on a sheet."""
    return [*unfinished(record), *attribute_faults(record), *skill_faults(record), *state_faults(record)]


def derived(record: Character, rulings: Rulings) -> dict[str, Value]:
    """What follows from the sheet."""
    return {
        "luck_available": record.luck_available,
        "segment": segment_of(record.energy),
        "dying": record.dying,
        "lost_limbs": [part for part in record.limbs if is_lost(part, record.level(part))],
        "healing_limit_today": healing_limit(record.day_activity),
    }


class Created(NamedTuple):
    """A sheet found legal: the points it spends on attributes, luck included, and on skills."""

    attribute_points: int
    skill_points: int


@rule("D10-027", "D10-036")
def beyond(record: Character, rulings: Rulings) -> bool:
    """Whether a new sheet goes beyond what it may without the game master: a skill above 5, or its budget."""
    return any(skill.value > SKILL_AT_CREATION for skill in record.skills) or any(
        points.left < 0 for points in points_left(record, rulings))


@rule("D10-027", "D10-036", "D10-037")
def create(
    dice: Dice, attributes: tuple[int, ...], skills: tuple[Skill, ...], override: bool, rulings: Rulings
) -> Created:
    """Create a character: no skill above 5 unless the game master agrees, and on budget where there is one."""
    for skill in skills:
        if skill.value > SKILL_AT_CREATION and not override:
            raise SkillTooHigh(name=skill.name, got=skill.value, most=SKILL_AT_CREATION)
    created = Created(sum(attributes), sum(skill.value for skill in skills))
    over = created.attribute_points > ATTRIBUTE_BUDGET or created.skill_points > SKILL_BUDGET
    if over and rulings.creation_budget == "standard" and not override:
        raise OverBudget(attributes=created.attribute_points, skills=created.skill_points,
                         attribute_budget=ATTRIBUTE_BUDGET, skill_budget=SKILL_BUDGET)
    dice.note("D10-027", "points", attributes=created.attribute_points, skills=created.skill_points)
    return created


def fresh(record: Character) -> Character:
    """The sheet as a character enters play: unhurt, luck full, energy 18, nothing in progress (R-26, R-33)."""
    return replace(
        record, luck_used=0, wounds=dict.fromkeys(record.parts, 0), wound_day={}, healing_paid={}, replaced=(),
        energy=18, healing_spent_today=0, healing_day=None, day_activity=Activity.ACTIVE, unconscious=False, dead=False,
        complex_action=None,
    )


@rule("D10-027", "D10-037")
def draw(dice: Dice, rulings: Rulings) -> Character:
    """A random legal character, on the optional budget: 30 points of attributes, 25 of skills, none above 5."""
    ideas = TABLES["skill_ideas"]
    values = dict.fromkeys(Attribute, 5)
    for _ in range(8):
        up, down = _one_of(dice, list(Attribute)), _one_of(dice, list(Attribute))
        if up != down and values[up] < 8 and values[down] > 3:
            values[up] += 1
            values[down] -= 1
    known: dict[str, int] = {}
    while sum(known.values()) < SKILL_BUDGET:
        idea = _one_of(dice, list(ideas.keys()))
        room = min(SKILL_AT_CREATION - known.get(idea, 0), SKILL_BUDGET - sum(known.values()))
        if room > 0 and (idea in known or len(known) < ADVISED_SKILLS):
            known[idea] = known.get(idea, 0) + min(room, dice.sum(1, 3))
    skills = tuple(
        Skill(SkillField(ideas.cell(idea, "field")), ideas.word(idea, "fr"), value) for idea, value in known.items()
    )
    names = TABLES["name_ideas"]
    name = f"{_one_of(dice, names.keys())} {_one_of(dice, [row[1] for row in names.rows])}"
    return Character(
        name=name, skills=skills, constitution=values[Attribute.CONSTITUTION], dexterity=values[Attribute.DEXTERITY],
        perception=values[Attribute.PERCEPTION], social=values[Attribute.SOCIAL], mental=values[Attribute.MENTAL],
        luck=values[Attribute.LUCK],
    )


def _one_of(dice: Dice, things: Sequence[T]) -> T:
    return things[dice.sum(1, len(things)) - 1]


def ready(lang: str) -> dict[str, Character]:
    """The ready-made characters, in a language."""
    made = {}
    for row in RuleBook(PACKAGE).data("characters")["character"]:
        plain = {name: value for name, value in row.items() if name not in ("id", "skills")}
        words = {name: in_language(value, lang) for name, value in plain.items() if isinstance(value, dict)}
        skills = tuple(
            Skill(SkillField(skill["field"]), in_language(skill["name"], lang), skill["value"])
            for skill in row["skills"]
        )
        made[row["id"]] = Character(**{**plain, **words}, skills=skills)
    return made
