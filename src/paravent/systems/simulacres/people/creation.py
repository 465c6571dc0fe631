"""How a character is made (SIM-101 to SIM-110): what the rules allow, one at random, ready-made ones, their kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    Fault,
    Glimpse,
    PointsLeft,
    RecordKind,
    RowParts,
    RuleBook,
    Rulings,
    Section,
    Stage,
    Value,
    only,
    rule,
)
from paravent.game.words import in_language
from paravent.systems.simulacres.care.health import condition
from paravent.systems.simulacres.checks.common import acts
from paravent.systems.simulacres.checks.compare import last_chance_terms
from paravent.systems.simulacres.combat.weapons import families, fed_weapons, weapon_ids, weapons_by_family
from paravent.systems.simulacres.terms import TABLES, Component, Condition, Energy, Means, Rank

from .campaign import AT_CREATION, is_printed, level_text, price, purchases, talent_level
from .character import (
    BREATH,
    PSYCHE,
    REALMS,
    Armour,
    Character,
    Item,
    Skill,
    Weapon,
    build,
    find_rank,
    from_boxes,
    magic_resistance,
    plain_name,
)

COMPONENT_TOTAL, MEANS_TOTAL, REALM_AND_ENERGY_TOTAL = 18, 10, 8
EXCHANGES = ((2, 2), (3, 0), (1, 4))
"""Talents and hobbies at creation: two and two, hobbies given for a talent, or a talent given for hobbies."""


class Draft(NamedTuple):
    """The numbers of a sheet that creation counts."""

    components: tuple[int, ...] = ()
    means: tuple[int, ...] = ()
    realms: tuple[int, ...] = ()
    energies: tuple[int, ...] = ()
    special: tuple[int, ...] = ()
    skills: tuple[int, int, int] | None = None
    """How many trades, talents and hobbies."""
    counters: tuple[int, int] = (BREATH, PSYCHE)


class Flaw(NamedTuple):
    """What is wrong with a draft: a word key, its rule, and the number found."""

    key: str
    rule: str
    got: int


@rule("SIM-101")
def component_flaws(components: Sequence[int]) -> Iterator[Flaw]:
    """Four components of 3 to 6, 18 in all."""
    for value in components:
        if not 3 <= value <= 6:
            yield Flaw("component_bounds", "SIM-101", value)
    if components and sum(components) != COMPONENT_TOTAL:
        yield Flaw("component_total", "SIM-101", sum(components))


@rule("SIM-102")
def means_flaws(means: Sequence[int]) -> Iterator[Flaw]:
    """Four means of 0 to 4, 10 in all."""
    for value in means:
        if not 0 <= value <= 4:
            yield Flaw("means_bounds", "SIM-102", value)
    if means and sum(means) != MEANS_TOTAL:
        yield Flaw("means_total", "SIM-102", sum(means))


@rule("SIM-103", "SIM-110")
def realm_and_energy_flaws(realms: Sequence[int], energies: Sequence[int], special: Sequence[int]) -> Iterator[Flaw]:
    """Five realms and three energies of 0 to 2, special energies of 0 or 1 out of the same points, 8 in all."""
    for value in special:
        if not 0 <= value <= 1:
            yield Flaw("special_bounds", "SIM-110", value)
    for value in (*realms, *energies):
        if not 0 <= value <= 2:
            yield Flaw("realm_bounds", "SIM-103", value)
    total = sum(realms) + sum(energies) + sum(special)
    if realms and energies and total != REALM_AND_ENERGY_TOTAL:
        yield Flaw("realm_total", "SIM-103", total)


@rule("SIM-108")
def skill_flaws(trades: int, talents: int, hobbies: int) -> Iterator[Flaw]:
    """One trade; two talents and two hobbies, or three and none, or one and four."""
    if trades != 1:
        yield Flaw("one_trade", "SIM-108", trades)
    if (talents, hobbies) not in EXCHANGES:
        yield Flaw("talents_and_hobbies", "SIM-108", talents)


@rule("SIM-107")
def counter_flaws(breath: int, psyche: int) -> Iterator[Flaw]:
    """Four PS and four EP for everyone at creation."""
    if breath != BREATH:
        yield Flaw("breath_at_creation", "SIM-107", breath)
    if psyche != PSYCHE:
        yield Flaw("psyche_at_creation", "SIM-107", psyche)


def draft_flaws(draft: Draft) -> tuple[Flaw, ...]:
    """Everything wrong with a draft, in the order of the sheet; parts left empty are not judged."""
    return (
        *component_flaws(draft.components),
        *means_flaws(draft.means),
        *realm_and_energy_flaws(draft.realms, draft.energies, draft.special),
        *(skill_flaws(*draft.skills) if draft.skills is not None else ()),
        *counter_flaws(*draft.counters),
    )


def glimpses(record: Character, rulings: Rulings) -> tuple[Glimpse, ...]:
    """What a character's head shows: bonuses that EP keep up and for what, what ails it, that a counter is at 0."""
    state = condition(record.life_points, record.breath_points, record.psyche_points, rulings, dead=record.dead)
    found = [Glimpse("glimpses.kept_up", {"energy": bonus.energy, "points": bonus.points, "what": acted(bonus.action)})
             for bonus in record.active_energy_bonuses]
    found += [Glimpse("glimpses.shots", {"weapon": held.called, "rounds": held.rounds, "capacity": held.capacity},
                      bad=not held.serves) for held in record.weapons if held.capacity]
    found += [Glimpse("glimpses.weighs", {"points": record.test_malus}, bad=True)] if record.test_malus else []
    found += [Glimpse("glimpses.state", {"state": state.value}, bad=True)] if state is not Condition.CONSCIOUS else []
    return tuple(found)


def acted(action: str) -> list[str]:
    """The parts of what a bonus is kept up for: a name, or a phrase part by part."""
    return action.split(" · ")


def draft_of(record: Character, rulings: Rulings) -> Draft:
    """The numbers of a sheet that creation counts; in a campaign, talents are bought and not counted."""
    skills = len(record.trades), len(record.talents), len(record.hobbies)
    return Draft(
        tuple(getattr(record, part) for part in Component),
        tuple(getattr(record, part) for part in Means),
        tuple(getattr(record, part) for part in REALMS),
        tuple(getattr(record, part) for part in Energy),
        tuple(energy.points for energy in record.special_energies),
        None if rulings.ruleset == "campaign" else skills,
        (record.breath_points_max, record.psyche_points_max),
    )


def faults(record: Character, rulings: Rulings) -> list[Fault]:
    """Everything wrong, or unwise, with a sheet. One that has grown by adventure points is held to the maxima."""
    grown = rulings.ruleset != "base" and any(line.points < 0 for line in record.ledger)
    found = [
        Fault(flaw.key, flaw.rule, values={"got": flaw.got}, at=_mended(flaw.key, record))
        for flaw in (grown_flaws(record) if grown else draft_flaws(draft_of(record, rulings)))
    ]
    found += [*_option_faults(record, rulings), *_unknown_names(record)]
    most = {"life_points": record.life_points_max, "breath_points": record.breath_points_max,
            "psyche_points": record.psyche_points_max}
    found += [
        Fault("counter_above_maximum", "SIM-064", values={"counter": counter, "most": top})
        for counter, top in most.items()
        if getattr(record, counter) > top
    ]
    found += [
        Fault("means_at_zero", "SIM-102", warning=True, values={"means": part.value}, at=part.value)
        for part in Means
        if getattr(record, part) == 0 and not any(means_flaws(draft_of(record, rulings).means))
    ]
    if not record.name.strip():
        found.append(Fault("no_name", warning=True, at="name"))
    return found


def _mended(key: str, record: Character) -> str:
    """The field that mends a flaw; none for a counter, which no sheet asks for."""
    if key == "talents_and_hobbies":
        return "hobbies" if len(record.talents) in dict(EXCHANGES) else "talents"
    parts = {"component": Component.BODY, "means": Means.PERCEPTION, "realm": REALMS[0], "special": "special_energies",
             "one": "trades"}
    return str(parts.get(key.partition("_")[0], ""))


def _unknown_names(record: Character) -> Iterator[Fault]:
    """Weapons that no table has, and families of them, on a sheet: each is refused by its name."""
    for held in record.weapons:
        if held.id and held.id not in weapon_ids():
            yield Fault("unknown_weapon", "SIM-039", values={"name": held.id}, at="weapons")
    named = (("weapons", record.weapons), ("trades", record.trades), ("talents", record.talents),
             ("hobbies", record.hobbies))
    for part, things in named:
        for thing in things:
            if thing.family and thing.family not in (*families(), *weapon_ids()):
                yield Fault("unknown_family", "SIM-034", values={"name": thing.family}, at=part)
    for item in record.equipment:
        if item.feeds and item.feeds not in weapon_ids():
            yield Fault("unknown_weapon", "SIM-039", values={"name": item.feeds}, at="equipment")


def _option_faults(record: Character, rulings: Rulings) -> Iterator[Fault]:
    if record.component_boxes:
        if rulings.box_method == "off":
            yield Fault("boxes_off", "SIM-104", at="component_boxes")
        elif from_boxes(record.component_boxes) != tuple(getattr(record, part) for part in Component):
            yield Fault("boxes_differ", "SIM-104", at="component_boxes")
    if record.special_energies and rulings.special_energies == "off":
        yield Fault("special_off", "SIM-110", at="special_energies")


def grown_flaws(record: Character) -> Iterator[Flaw]:
    """The maxima that no purchase may pass."""
    bounds: tuple[tuple[Iterable[str], int, str], ...] = (
        (Component, 7, "component_maximum"),
        (Means, 5, "means_maximum"),
        ((*REALMS, *Energy), 3, "realm_maximum"),
        (("breath_points_max", "psyche_points_max"), 8, "counter_maximum"),
    )
    for parts, most, key in bounds:
        for part in parts:
            if getattr(record, part) > most:
                yield Flaw(key, "SIM-A05", getattr(record, part))


def derived(record: Character, rulings: Rulings) -> dict[str, Value]:
    """What the sheet shows beside what is written on it: build, PV, state, and the sums one reads the game in."""
    shape = build(record.body, record.resistance)
    shown: dict[str, Value] = {
        "build": f"build_{shape.name}",
        "life_points_max": shape.life_points,
        "void": record.void,
        "condition": condition(
            record.life_points, record.breath_points, record.psyche_points, rulings, dead=record.dead
        ).value,
        "matrix": {
            means.value: {part.value: getattr(record, part) + getattr(record, means) for part in Component}
            for means in Means
        },
        "melee_armed": record.body + record.action + record.mechanical,
        "melee_unarmed": record.body + record.action + record.human,
        "ranged": record.body + record.perception + record.mechanical,
        "passive_resistance": {p.value: getattr(record, p) + record.resistance + record.human for p in Component},
        "will": {part.value: getattr(record, part) + record.desire + record.human for part in Component},
        "dressing": record.body + record.action + record.human,
        "diagnosis": record.mind + record.perception + record.human,
        "last_chance": {
            realm.value: sum(getattr(record, part) for part in last_chance_terms(realm)) for realm in REALMS
        },
    }
    if rulings.magic_resistance == "on":
        shown["magic_resistance"] = sheet_magic_resistance(record)
    return shown


def sheet_magic_resistance(record: Character) -> int:
    """Resistance to magic as the sheet gives it: a talent in the magic arts counts 1, a level what it is."""
    names = ("magic_arts", *(TABLES["talents"].word("magic_arts", lang) for lang in ("fr", "en")))
    plain = set(map(plain_name, names))
    level = next((line.points for line in record.talent_levels if plain_name(line.name) in plain), None)
    if level is None and find_rank(record, *names) is not Rank.NONE:
        level = 1
    hampered = plain_name(record.race) in {"elfe", "elf", "nain", "naine", "dwarf"}
    return magic_resistance(record.mind, record.resistance, record.human, level, hampered=hampered)


# Making one


def spreads(parts: int, low: int, high: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread ``total`` over ``parts`` values between ``low`` and ``high``.

    >>> len(list(spreads(4, 3, 6, 18)))
    44
    """
    return (spread for spread in product(range(low, high + 1), repeat=parts) if sum(spread) == total)


COMPONENT_SPREADS = tuple(spreads(4, 3, 6, COMPONENT_TOTAL))
MEANS_SPREADS = tuple(spreads(4, 0, 4, MEANS_TOTAL))
REALM_SPREADS = tuple(spreads(8, 0, 2, REALM_AND_ENERGY_TOTAL))


def draw(dice: Dice, rulings: Rulings) -> Character:
    """A legal character at random: every spread is as likely as any other, and the skills are ready ones."""
    components = COMPONENT_SPREADS[dice.sum(1, len(COMPONENT_SPREADS)) - 1]
    means = MEANS_SPREADS[dice.sum(1, len(MEANS_SPREADS)) - 1]
    realms = REALM_SPREADS[dice.sum(1, len(REALM_SPREADS)) - 1]
    numbers = (*components, *means, *realms)
    names = (*Component, *Means, *REALMS, *Energy)
    talents, hobbies = EXCHANGES[dice.sum(1, len(EXCHANGES)) - 1]
    return Character(
        **{name.value: number for name, number in zip(names, numbers, strict=True)},  # type: ignore[arg-type]
        trades=_drawn(dice, "trade", 1),
        talents=_drawn(dice, "talent", talents),
        hobbies=_drawn(dice, "hobby", hobbies),
    )


def _drawn(dice: Dice, kind: str, count: int) -> tuple[Skill, ...]:
    left = [skill for skill, of_kind in TABLES["ready_skills"].rows if of_kind == kind]
    return tuple(Skill(left.pop(dice.sum(1, len(left)) - 1)) for _ in range(count))


def ready(lang: str) -> dict[str, Character]:
    """The ready-made characters."""
    rows = RuleBook("paravent.systems.simulacres").data("characters")["character"]
    return {row["id"]: _from_row(row, lang) for row in rows}


def _from_row(row: Mapping[str, Any], lang: str) -> Character:
    armour = TABLES["armour"].row(row["armour"])
    trade = Skill(in_language(row["trade"], lang), row.get("weapon_specialty", ""))
    numbers = {name: row[name] for name in (*Component, *Means, *REALMS, *Energy)}
    return Character(
        name=row["name"],
        **numbers,
        trades=(trade,),
        talents=tuple(Skill(in_language(skill, lang), skill.get("family", "")) for skill in row["talents"]),
        hobbies=tuple(Skill(in_language(skill, lang), skill.get("family", "")) for skill in row["hobbies"]),
        weapons=tuple(Weapon(weapon, capacity=row.get("shots", {}).get(weapon, 0)) for weapon in row["weapons"]),
        equipment=tuple(Item(in_language(item["name"], lang), item.get("count", 1), item.get("charges", 0),
                             feeds=item.get("feeds", "")) for item in row.get("equipment", ())),
        money=row.get("money", 0),
        armour=Armour(armour["deflect"], armour["hinder"], armour["absorb"]),
        description=in_language(row["description"], lang),
        past=in_language(row["past"], lang),
    )


def points_left(record: Character, rulings: Rulings) -> tuple[PointsLeft, ...]:
    """What is left to spread while a sheet is written: components, means, realms and energies; then skills to name.

    A sheet that has grown by its adventures is no longer spread.
    """
    if any(line.points < 0 for line in record.ledger):
        return ()
    draft = draft_of(record, rulings)
    rest = sum(draft.realms) + sum(draft.energies) + sum(draft.special)
    found = [
        PointsLeft("components", COMPONENT_TOTAL - sum(draft.components), COMPONENT_TOTAL, Component.BODY.value),
        PointsLeft("means", MEANS_TOTAL - sum(draft.means), MEANS_TOTAL, Means.PERCEPTION.value),
        PointsLeft("realms_and_energies", REALM_AND_ENERGY_TOTAL - rest, REALM_AND_ENERGY_TOTAL, REALMS[0].value),
    ]
    if draft.skills is not None:
        trades, talents, hobbies = draft.skills
        most = next((pair for pair in EXCHANGES if pair[0] >= talents and pair[1] >= hobbies), EXCHANGES[0])
        found += [PointsLeft("trade", 1 - trades, 1, "trades"),
                  PointsLeft("talents", most[0] - talents, most[0], "talents"),
                  PointsLeft("hobbies", most[1] - hobbies, most[1], "hobbies")]
    else:
        found.append(PointsLeft("talent_points", AT_CREATION - beginners_cost(record, rulings), AT_CREATION,
                                "talent_levels"))
    return tuple(found)


@rule("SIM-A02", "SIM-A05", "SIM-A06")
def beginners_cost(record: Character, rulings: Rulings) -> int:
    """What the talents and hobbies of a campaign's beginner cost: each pays the jump from its base, or 2 a hobby.

    What a trade gives is free, and what may not be bought at creation costs nothing here: it is refused elsewhere.
    """
    total = len(record.hobbies) * price("hobby", rulings).points
    sold = purchases(rulings)
    for line in record.talent_levels:
        base = talent_level((), line.name) if is_printed(line.name) else None
        jump = f"talent_{level_text(base)}_{level_text(line.points)}"
        total += price(jump, rulings).points if jump in sold and price(jump, rulings).at_creation else 0
    return total


def _ready_skills(kind: str) -> Callable[[str], Sequence[str]]:
    """Skills of our own at hand for a rank, in a language."""
    table = TABLES["ready_skills"]
    return lambda lang: tuple(table.word(skill, lang) for skill, of_kind in table.rows if of_kind == kind)


SUGGESTS: Mapping[str, Callable[[str], Sequence[str]]] = {
    "trades.name": _ready_skills("trade"), "talents.name": _ready_skills("talent"),
    "hobbies.name": _ready_skills("hobby"),
}


def moot(rulings: Rulings) -> frozenset[str]:
    """The fields that a table's options have no use for."""
    unused = {
        "component_boxes": rulings.box_method == "off", "special_energies": rulings.special_energies == "off",
        "talent_levels": rulings.ruleset != "campaign", "adventure_points": rulings.ruleset == "base",
        "ledger": rulings.ruleset == "base", "last_chances_served": rulings.ruleset == "base",
    }
    return frozenset(name for name, is_unused in unused.items() if is_unused)


SECTIONS = (
    Section("identity", ("name", "universe", "age", "race", "sex", "player_name", "created_on", "description")),
    Section("components", (*Component, "component_boxes")),
    Section("means", (*Means,)),
    Section("realms", (*REALMS,)),
    Section("energies", (*Energy, "special_energies", "active_energy_bonuses")),
    Section("counters", ("life_points", "breath_points", "psyche_points")),
    Section("skills", ("trades", "talents", "hobbies", "talent_levels", "special_abilities")),
    Section("combat", ("weapons", "armour")),
    Section("equipment", ("money", "equipment")),
    Section("health", ("wounds", "ailments", "known_ailments", "test_malus", "states", "dead")),
    Section("favourites", ("favourites",)),
    Section("story", ("past", "belongings", "adventure_notes", "adventure_points", "ledger", "last_chance_used",
                      "last_chances_served")),
)



def _spread(names: Sequence[str], *numbers: int) -> dict[str, int]:
    """Numbers of a sheet, in the order of their names."""
    return dict(zip(map(str, names), numbers, strict=True))


OPEN_TO = (*REALMS, *Energy)
STAGES = (
    Stage("components", ("components",), {
        "solid": _spread(tuple(Component), 6, 4, 4, 4), "keen": _spread(tuple(Component), 4, 6, 4, 4),
        "warm": _spread(tuple(Component), 4, 4, 6, 4), "clever": _spread(tuple(Component), 4, 4, 4, 6),
        "even": _spread(tuple(Component), 5, 5, 4, 4),
    }),
    Stage("means", ("means",), {
        "watchful": _spread(tuple(Means), 4, 2, 2, 2), "active": _spread(tuple(Means), 2, 4, 2, 2),
        "wilful": _spread(tuple(Means), 2, 2, 4, 2), "enduring": _spread(tuple(Means), 2, 2, 2, 4),
        "lively": _spread(tuple(Means), 3, 3, 2, 2),
    }),
    Stage("realms", ("realms", "energies"), {
        "town": _spread(OPEN_TO, 1, 0, 0, 2, 2, 1, 1, 1), "wilds": _spread(OPEN_TO, 1, 2, 2, 1, 0, 1, 1, 0),
        "workshop": _spread(OPEN_TO, 2, 0, 0, 1, 2, 1, 0, 2), "everywhere": _spread(OPEN_TO, 1, 1, 1, 1, 1, 1, 1, 1),
    }),
    Stage("skills", ("skills", "combat")),
    Stage("again", ("identity", "equipment", "counters", "health", "favourites", "story")),
)
"""The five steps of a new character; the ideas are ours."""


def bounds(rulings: Rulings) -> dict[str, tuple[int, int]]:
    """The least and the most of each number at creation."""
    spans = ((Component, (3, 6)), (Means, (0, 4)), (OPEN_TO, (0, 2)))
    return {str(name): span for names, span in spans for name in names}


CHOICES: Mapping[str, Callable[[], Sequence[str] | Mapping[str, Sequence[str]]]] = {
    "weapons.id": weapons_by_family,
    **{f"{part}.family": families for part in ("trades", "talents", "hobbies", "weapons")},
}
FEEDS: Mapping[str, Callable[[], Sequence[str] | Mapping[str, Sequence[str]]]] = {"equipment.feeds": fed_weapons}
"""What ammunition is for."""
KEPT: Mapping[str, Callable[[], Sequence[str]]] = {
    "favourites.common": lambda: acts(secret=False),
    "favourites.component": lambda: tuple(Component), "favourites.means": lambda: tuple(Means),
    "favourites.realm": lambda: REALMS,
}
"""What the parts of a favourite test name."""

ROWS = {"weapons": RowParts("name"), "favourites": RowParts("name", scored=False)}
"""Whatever a weapon is in the tables, it goes by the name on the sheet. A kept test has energies, and no score."""

IN_PLAY = frozenset({
    "wounds", "active_energy_bonuses", "ailments", "known_ailments", "test_malus", "states", "dead", "calm_days",
    "rest_hours", "calm_hours", "therapy_due", "days_since_session", "session_hours", "last_chance_used",
    "last_chances_served", "adventure_points", "ledger", "adventure_notes",
})

CHARACTER = RecordKind(
    id="character",
    portrait="person",
    cls=Character,
    check=faults,
    derived=derived,
    draw=draw,
    ready=ready,
    played=True,
    sections=SECTIONS,
    stages=STAGES,
    bounds=bounds,
    glimpses=glimpses,
    beside=("matrix", "build", "life_points_max", "melee_armed", "melee_unarmed", "ranged"),
    gauges={"life_points": "life_points_max", "breath_points": "breath_points_max",
            "psyche_points": "psyche_points_max"},
    in_play=IN_PLAY,
    hidden={"ailments": only("gm")},
    rules={
        "components": "SIM-101", "component_boxes": "SIM-104", "means": "SIM-102", "realms": "SIM-103",
        "void": "SIM-105", "matrix": "SIM-002",
        "energies": "SIM-016", "special_energies": "SIM-110", "active_energy_bonuses": "SIM-020",
        "life_points": "SIM-106", "life_points_max": "SIM-106", "build": "SIM-106",
        "breath_points": "SIM-107", "breath_points_max": "SIM-107", "psyche_points": "SIM-107",
        "psyche_points_max": "SIM-107", "calm_days": "SIM-064", "calm_hours": "SIM-064", "rest_hours": "SIM-064",
        "skills": "SIM-108", "talent_levels": "SIM-A04",
        "combat": "SIM-034", "armour": "SIM-058", "melee_armed": "SIM-034", "melee_unarmed": "SIM-035",
        "ranged": "SIM-037", "passive_resistance": "SIM-029", "will": "SIM-030",
        "health": "SIM-060", "condition": "SIM-060", "wounds": "SIM-068", "dressing": "SIM-068",
        "diagnosis": "SIM-071", "ailments": "SIM-067", "known_ailments": "SIM-067", "test_malus": "SIM-067",
        "therapy_due": "SIM-072", "days_since_session": "SIM-072", "session_hours": "SIM-072",
        "favourites": "SIM-002", "past": "SIM-A13", "adventure_points": "SIM-A10", "ledger": "SIM-A05",
        "last_chance": "SIM-077", "last_chance_used": "SIM-077", "last_chances_served": "SIM-077",
    },
    choices={**CHOICES, **FEEDS, **KEPT},
    points=points_left,
    suggests=SUGGESTS,
    rows=ROWS,
    moot=moot,
)
