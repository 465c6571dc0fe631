"""« Créer un personnage »: a text turned into elements with scores; and the game master's people and things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import Fault, Passages, RuleBook, Rulings, Value, from_plain, in_language, rule
from paravent.systems.solaires.facts import PACKAGE, SCORE_MAX, SCORE_MIN, TABLES, Category, PowerSet, Tag
from paravent.systems.solaires.points.rules import Points, starting_points
from paravent.systems.solaires.psi.rules import USUAL_SCORE, is_organic, power_sets

from .bodies import host_of
from .errors import ImplantWithoutSet, TooManyPoints
from .facts import MindType

MANY_EXTREMES = 4
"""From how many scores of 3 on one is warned."""


@dataclass(frozen=True)
class Element:
    """A scored label: a career, a trait, a relation or a state; where in the description it comes from."""

    name: str
    score: int = 1
    source_text: str = ""
    note: str = ""


@dataclass(frozen=True)
class Item:
    """A piece of equipment: gear, software, implant or modification, perhaps several of it."""

    name: str
    score: int = 1
    tag: Tag = Tag.NONE
    quantity: int = 1
    source_text: str = ""
    note: str = ""


@dataclass(frozen=True)
class Backup:
    """A mind kept somewhere."""

    name: str
    date: str = ""


class Named(NamedTuple):
    """An element of a sheet with its category."""

    name: str
    score: int
    category: Category
    tag: Tag = Tag.NONE


LISTS: Mapping[Category, str] = {
    Category.CAREER: "careers", Category.TRAIT: "traits", Category.RELATION: "relations",
    Category.EQUIPMENT: "equipment", Category.STATE: "states",
}
"""The field of the sheet that holds each category."""


PASSAGES = Passages(
    ("desc_history", "desc_personality", "desc_beliefs", "desc_physical", "desc_solnet"),
    tuple(LISTS[category] for category in Category if category != Category.STATE),
    levels=tuple(range(SCORE_MIN, SCORE_MAX + 1)), mark="tag",
)
"""The description, and what is drawn from its words."""


@dataclass(frozen=True)
class Character:
    """A character of Solaires; ``name`` is the everyday one, the pseudonym."""

    name: str = ""
    full_name: str = ""
    concept: str = ""
    mind_type: MindType = MindType.NATURAL
    body: str = "biological"
    gender: str = ""
    careers: tuple[Element, ...] = ()
    traits: tuple[Element, ...] = ()
    relations: tuple[Element, ...] = ()
    equipment: tuple[Item, ...] = ()
    states: tuple[Element, ...] = ()
    points: int = 2
    max_points: int = 2
    psi_power_set: str = ""
    psi_maintained: str = ""
    network_host: str = ""
    possessions: str = ""
    backups: tuple[Backup, ...] = ()
    desc_history: str = ""
    desc_personality: str = ""
    desc_beliefs: str = ""
    desc_physical: str = ""
    desc_solnet: str = ""
    failed: tuple[str, ...] = ()
    """What was tried in this scene and failed, for the game master."""

    @property
    def elements(self) -> tuple[Named, ...]:
        """All elements, category by category."""
        return tuple(
            Named(one.name, one.score, category, one.tag if isinstance(one, Item) else Tag.NONE)
            for category in LISTS for one in listed(self, category)
        )

    @property
    def held(self) -> Points:
        """Points in hand and their maximum."""
        return Points(self.points, self.max_points)

    @property
    def implant(self) -> Item | None:
        """The psi implant, if there is one."""
        return next((item for item in self.equipment if item.tag == Tag.PSI), None)

    @property
    def organic(self) -> bool:
        """Whether the mind lives in an organic brain."""
        return is_organic(host_of(self.body).brain)


ALTERATIONS = frozenset(TABLES["states"].keys())


def scored(name: str, score: int) -> str | Element:
    """An element and its score, to be told; one that the rules name is told in the reader's words."""
    return Element(name, score) if name in ALTERATIONS else f"{name} {score}".strip()


def listed(record: Character, category: Category) -> tuple[Element | Item, ...]:
    """The elements of one category."""
    its: tuple[Element | Item, ...] = getattr(record, LISTS[category])
    return its


@dataclass(frozen=True)
class Figure:
    """Somebody of the game master's, or a thing: a ship, a place, a node. It never rolls; its elements may serve."""

    name: str = ""
    concept: str = ""
    elements: tuple[Element, ...] = ()
    states: tuple[Element, ...] = ()
    notes: str = ""


@rule("SOL-101")
def displayed_name(record: Character) -> str:
    """The administrative name with the pseudonym between guillemets; often the pseudonym alone."""
    first, _, last = record.full_name.strip().rpartition(" ")
    if not record.full_name.strip() or record.full_name.strip() == record.name or "«" in record.full_name:
        return record.full_name.strip() or record.name
    return f"{first} «\u00a0{record.name}\u00a0» {last}".strip()


@rule("SOL-100", "SOL-101", "SOL-102")
def identity_faults(record: Character) -> Iterator[Fault]:
    """A pseudonym and a concept are needed; a description may stay empty, but every element is drawn from it."""
    if not record.name.strip():
        yield Fault("no_pseudonym", "SOL-101", at="name")
    if not record.concept.strip():
        yield Fault("no_concept", "SOL-100", at="concept")


@rule("SOL-103", "SOL-104", "SOL-105", "SOL-106")
def element_faults(record: Character, rulings: Rulings) -> Iterator[Fault]:
    """Scores from 1 to 3 (0 where the table writes it), tags on equipment; the rest is common sense, and only said."""
    least = 0 if rulings.allow_zero == "true" else 1
    for one in record.elements:
        values: dict[str, Value] = {"name": one.name, "got": one.score}
        where = LISTS[one.category]
        if not one.name.strip():
            yield Fault("no_name", "SOL-103", at=where)
        if not least <= one.score <= SCORE_MAX:
            yield Fault("score", "SOL-104", values={**values, "least": least}, at=where)
        if one.tag == Tag.CYB and one.score == 1:
            yield Fault("built_in_at_one", "SOL-105", warning=True, values=values, at=where)
    for item in record.equipment:
        if item.quantity < 1:
            yield Fault("quantity", "SOL-105", values={"name": item.name, "got": item.quantity}, at="equipment")
    if not record.elements:
        yield Fault("no_element", "SOL-103", warning=True, at="careers")
    elif not record.careers:
        yield Fault("no_career", "SOL-103", warning=True, at="careers")
    extremes = sum(one.score == SCORE_MAX for one in record.elements)
    if extremes > MANY_EXTREMES:
        yield Fault("many_extremes", "SOL-104", warning=True, values={"n": extremes})


@rule("SOL-107", "SOL-109", "SOL-114")
def point_faults(record: Character) -> Iterator[Fault]:
    """Points never fall below 0; a game master's grant may lift them above the maximum."""
    if record.points < 0 or record.max_points < 0:
        yield Fault("points", "SOL-107", values={"got": min(record.points, record.max_points)}, at="points")


@rule("SOL-140", "SOL-141", "SOL-142", "SOL-143")
def psi_faults(record: Character) -> Iterator[Fault]:
    """An implant lives in an organic brain and opens one set, found in the traits; its score is usually 3."""
    implant = record.implant
    if implant is None:
        if record.psi_power_set:
            yield Fault("set_without_implant", "SOL-141", at="psi_power_set")
        return
    if not record.psi_power_set:
        yield Fault("no_set", "SOL-141", warning=True, at="psi_power_set")
    if not record.organic:
        yield Fault("no_organic_brain", "SOL-140", at="body")
    if sum(item.tag == Tag.PSI for item in record.equipment) > 1:
        yield Fault("two_implants", "SOL-141", at="equipment")
    open_sets = power_sets(traits_of(record), record.organic)
    if record.psi_power_set and record.psi_power_set not in list(PowerSet):
        yield Fault("unknown_set", "SOL-141", values={"got": record.psi_power_set}, at="psi_power_set")
    elif record.psi_power_set and record.psi_power_set not in open_sets:
        yield Fault("set_not_matched", "SOL-142", warning=True, at="psi_power_set",
                    values={"got": record.psi_power_set, "traits": f"traits_{record.psi_power_set}"})
    elif not open_sets:
        yield Fault("no_matching_trait", "SOL-142", warning=True, at="traits")
    if implant.score < USUAL_SCORE:
        yield Fault("weak_implant", "SOL-143", warning=True, values={"got": implant.score}, at="equipment")


def traits_of(record: Character) -> tuple[tuple[str, int], ...]:
    """The traits with their scores."""
    return tuple((trait.name, trait.score) for trait in record.traits)


def check(record: Character, rulings: Rulings) -> list[Fault]:
    """Everything wrong or unwise on a sheet."""
    return [*identity_faults(record), *element_faults(record, rulings), *point_faults(record), *psi_faults(record)]


def check_figure(record: Figure, rulings: Rulings) -> list[Fault]:
    """The same for somebody, or something, of the game master's."""
    least = 0 if rulings.allow_zero == "true" else 1
    found = [] if record.name.strip() else [Fault("no_pseudonym", "SOL-101")]
    return found + [
        Fault("score", "SOL-104", values={"name": one.name, "got": one.score, "least": least})
        for one in (*record.elements, *record.states) if not least <= one.score <= SCORE_MAX
    ]


def derived(record: Character, rulings: Rulings) -> dict[str, str | list[PowerSet]]:
    """What follows from the sheet."""
    open_sets = list(power_sets(traits_of(record), record.organic))
    return {"displayed_name": displayed_name(record), **({} if record.implant is None else {"open_sets": open_sets})}


class Created(NamedTuple):
    """A sheet found legal: how many elements it has, and what they add up to."""

    elements: int
    scores: int


@rule("SOL-100", "SOL-101", "SOL-103", "SOL-104", "SOL-005")
def create(dice: Dice, scores: tuple[int, ...]) -> Created:
    """Create a character, or take a ready-made one, by the same rules: no budget, no limit but common sense."""
    dice.note("SOL-103", "elements", n=len(scores), total=sum(scores))
    return Created(len(scores), sum(scores))


@rule("SOL-107", "SOL-141")
def check_new(record: Character, rulings: Rulings) -> None:
    """A new character has no more than a new player's points, and an implant opens its set from the start."""
    points = starting_points(rulings)
    if record.points > points.points or record.max_points > points.max_points:
        raise TooManyPoints(got=max(record.points, record.max_points), most=points.points)
    if record.implant is not None and not record.psi_power_set:
        raise ImplantWithoutSet(name=record.implant.name)


@rule("SOL-107")
def fresh(record: Character, rulings: Rulings) -> Character:
    """The sheet as a character enters play: with a new player's points, and nothing held or tried."""
    points = starting_points(rulings)
    return replace(record, points=points.points, max_points=points.max_points, psi_maintained="", failed=())


@rule("SOL-103", "SOL-104")
def with_element(
    record: Character, category: Category, element: Element, tag: Tag = Tag.NONE
) -> tuple[str, tuple[Element | Item, ...]]:
    """The field of the sheet that an element goes to, and what it then holds; one already there is rescored."""
    had = listed(record, category)
    if any(one.name == element.name for one in had):
        return LISTS[category], tuple(_anew(one, element, tag) if one.name == element.name else one for one in had)
    if category == Category.EQUIPMENT:
        return LISTS[category], (*had, Item(element.name, element.score, tag, 1, element.source_text, element.note))
    return LISTS[category], (*had, element)


def _anew(old: Element | Item, element: Element, tag: Tag) -> Element | Item:
    """The same element with another score: what else was written of it stays, unless it is said anew."""
    told = replace(old, score=element.score, source_text=element.source_text or old.source_text,
                   note=element.note or old.note)
    return replace(told, tag=tag) if tag and isinstance(told, Item) else told


@rule("SOL-105")
def with_items(had: Sequence[Item], found: Iterable[Element]) -> tuple[Item, ...]:
    """The equipment with what was found; one thing more of a kind that is there already is counted."""
    after = list(had)
    for one in found:
        at = next((at for at, item in enumerate(after) if item.name == one.name), None)
        if at is None:
            after.append(Item(one.name, one.score))
        else:
            after[at] = replace(after[at], quantity=after[at].quantity + 1)
    return tuple(after)


@rule("SOL-105")
def without_items(had: Sequence[Item], lost: Iterable[str]) -> tuple[Item, ...]:
    """The equipment without what was lost or broken: one of several, or the thing itself."""
    gone = set(lost)
    fewer = (replace(item, quantity=item.quantity - 1) if item.name in gone else item for item in had)
    return tuple(item for item in fewer if item.quantity > 0)


@rule("SOL-005", "SOL-105")
def rescaled(record: Character) -> Character:
    """A sheet written on the later scale, where standard gear is 0: equipment gains one, at most 3."""
    gear = tuple(replace(one, score=min(one.score + 1, SCORE_MAX)) for one in record.equipment)
    return replace(record, equipment=gear)


DRAWN = {Category.CAREER: 2, Category.TRAIT: 3, Category.RELATION: 1, Category.EQUIPMENT: 3}
"""How many ideas of each category a drawn character has."""


@rule("SOL-103", "SOL-104")
def draw(dice: Dice, rulings: Rulings) -> Character:
    """A random legal character: a few ideas of each category, with modest scores."""
    names = TABLES["name_ideas"]
    found = {category: drawn(dice, category, number) for category, number in DRAWN.items()}
    name = names.keys()[dice.sum(1, len(names.rows)) - 1]
    return Character(
        name=name,
        concept=f"{found[Category.CAREER][0].name}, {found[Category.TRAIT][0].name.lower()}",
        careers=found[Category.CAREER], traits=found[Category.TRAIT], relations=found[Category.RELATION],
        equipment=tuple(Item(one.name, one.score) for one in found[Category.EQUIPMENT]),
    )


def drawn(dice: Dice, category: Category, number: int) -> tuple[Element, ...]:
    """So many ideas of a category, no two alike."""
    ideas = TABLES["element_ideas"]
    left = [idea for idea, its in ideas.column("category").items() if its == category]
    made = []
    for _ in range(min(number, len(left))):
        idea = left.pop(dice.sum(1, len(left)) - 1)
        made.append(Element(ideas.word(idea, "fr"), (1, 2, 2, 3)[dice.sum(1, 4) - 1]))
    return tuple(made)


def ideas(category: Category, lang: str) -> tuple[str, ...]:
    """Names of elements at hand for a category, in a language; any other will do."""
    table = TABLES["element_ideas"]
    return tuple(table.word(idea, lang) for idea, its in table.column("category").items() if its == category)


def ready(lang: str) -> dict[str, Character]:
    """The ready-made characters, in a language."""
    rows = RuleBook(PACKAGE).data("characters").get("character", [])
    return {row["id"]: _ready({k: v for k, v in row.items() if k != "id"}, lang) for row in rows}


def _ready(row: Mapping[str, Any], lang: str) -> Character:
    plain: Character = from_plain(Character, _worded(row, lang))
    return plain


def _worded(value: Any, lang: str) -> Any:
    """Plain values with their words in one language."""
    if isinstance(value, Mapping):
        if set(value) == {"fr", "en"}:
            return in_language(value, lang)
        return {name: _worded(part, lang) for name, part in value.items()}
    return [_worded(part, lang) for part in value] if isinstance(value, list) else value
