"""Simulacres, weapons, training, ranges and armour: tables T6 to T8, T10 and T11 as types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.game.errors import UnknownName
from paravent.game.words import LANGUAGES, folded
from paravent.systems.simulacres.people.character import Weapon as Carried
from paravent.systems.simulacres.terms import TABLES, Rank, Realm

from .damage import Category, category

UNARMED = "unarmed"
RANGED_FAMILIES = frozenset({"ranged", "firearm"})
THROWN_OR_SHOT = frozenset({"grenade_impact", "explosive_impact", "laser", "mortar", "taser"})
BLASTS = {"grenade_impact": "grenade_blast", "explosive_impact": "explosive_blast"}


class Weapon(NamedTuple):
    """A line of the weapon table."""

    id: str
    family: str
    pv: Category | None
    ps: Category | None
    untrained: str

    @property
    def ranged(self) -> bool:
        """Whether it strikes from afar, by a simple test."""
        return self.family in RANGED_FAMILIES or self.id in THROWN_OR_SHOT

    @property
    def two_handed(self) -> bool:
        """Whether it takes both hands."""
        return self.family in ("two_handed", "polearm")


@rule("SIM-051")
def weapon(name: str) -> Weapon:
    """The weapon with this id; categories stand as printed."""
    row = TABLES["weapons"].row(name)
    return Weapon(name, row["family"], category(row["pv"]), category(row["ps"]), row["untrained"])


def weapon_ids() -> tuple[str, ...]:
    """The ids of the weapon table."""
    return TABLES["weapons"].keys()


def weapons_by_family() -> dict[str, tuple[str, ...]]:
    """The ids of the weapon table, by family."""
    return {family: tuple(row[0] for row in TABLES["weapons"].rows if row[1] == family) for family in families()}


def fed_weapons() -> dict[str, tuple[str, ...]]:
    """The weapons that strike from afar, by family: ammunition is for one of them."""
    found = {family: tuple(one for one in ids if weapon(one).ranged) for family, ids in weapons_by_family().items()}
    return {family: ids for family, ids in found.items() if ids}


def shot_with(weapons: Sequence[Carried], name: str) -> tuple[Carried, ...]:
    """The weapons carried after a shot with one of them: where its shots are counted, there is one less."""
    held = next((one for one in weapons if one.called == name and one.capacity and one.serves), None)
    return tuple(replace(one, rounds=one.rounds - 1) if one is held else one for one in weapons)


def families() -> tuple[str, ...]:
    """The weapon families, in the order of the table."""
    return tuple(dict.fromkeys(row[1] for row in TABLES["weapons"].rows))


@rule("SIM-035")
def combat_realm(wielded: Weapon, rulings: Rulings) -> Realm:
    """Fists and feet bear on the human realm, any weapon on the mechanical one (brass knuckles as the table says)."""
    bare = wielded.family == UNARMED or (wielded.id == "brass_knuckles" and rulings.knuckles_realm == "human")
    return Realm.HUMAN if bare else Realm.MECHANICAL


@rule("SIM-051")
def fist(rank: Rank) -> str:
    """The fist line of the table: trained for a trade or talent in fighting with hands, amateur for anyone else."""
    return "fist_trained" if rank in (Rank.TRADE, Rank.TALENT, Rank.GENIUS) else "fist_amateur"


class Training(StrEnum):
    """How somebody knows the weapon in hand (T8)."""

    TRADE_FAMILY = "trade_family"
    TRADE_OTHER = "trade_other"
    TALENT = "talent"
    HOBBY = "hobby"
    UNTRAINED_SIMPLE = "untrained_simple"
    UNTRAINED_COMPLEX = "untrained_complex"
    UNTRAINED_FISTS = "untrained_fists"


_RANK = {Training.TRADE_FAMILY: Rank.TRADE, Training.TALENT: Rank.TALENT, Training.HOBBY: Rank.HOBBY}


@rule("SIM-040", "SIM-041", "SIM-042", "SIM-043", "SIM-044")
def skill_difficulty(training: Training) -> int:
    """What training adds in a fight: it stands instead of the +1 of a skill, and nothing is automatic."""
    return int(TABLES["combat_skill"].cell(training.value, "difficulty"))


@rule("SIM-040", "SIM-044")
def combat_rank(training: Training) -> Rank:
    """The rank whose critical dice apply: a trade only in its own family, a talent, a hobby; none otherwise."""
    return _RANK.get(training, Rank.NONE)


@rule("SIM-040", "SIM-041", "SIM-042", "SIM-043")
def training_with(
    wielded: Weapon, specialty: str, talents: Iterable[str], hobbies: Iterable[str], untrained: str = ""
) -> Training:
    """How somebody knows a weapon: by the family of a fighting trade, by a talent, by a hobby, or not at all.

    ``specialty`` is the family (or the weapon) that a fighting trade names, empty for other trades. ``untrained`` is
    the game master's word (``simple``, ``complex``, ``fists``) where the table leaves the classes to him.
    """
    named = {wielded.family, wielded.id}
    if specialty in named:
        return Training.TRADE_FAMILY
    if named & set(talents):
        return Training.TALENT
    if specialty:
        return Training.TRADE_OTHER
    if named & set(hobbies):
        return Training.HOBBY
    return untrained_class(wielded, untrained)


@rule("SIM-043")
def untrained_class(wielded: Weapon, said: str = "") -> Training:
    """The class of a weapon nobody taught: simple −2, complex −4, fists 0; as the game master says if he says so."""
    return Training(f"untrained_{said or wielded.untrained or 'fists'}")


class Band(NamedTuple):
    """A range band: what it does to the test, and by how many columns the damage moves."""

    test: int
    columns: int


def bands(rulings: Rulings) -> dict[str, Band]:
    """The range bands that the table uses (T7, or one of its two variants)."""
    table = TABLES["ranges"]
    rows = table.rows if rulings.range_table == "five" else table.extra[f"rows_{rulings.range_table}"]
    return {row[0]: Band(row[1], row[2]) for row in rows}


@rule("SIM-038", "SIM-039")
def range_band(name: str, rulings: Rulings) -> Band:
    """The difficulty and the columns of a shot at this range."""
    known = bands(rulings)
    if name not in known:
        raise UnknownName("value", name, known)
    return known[name]


class Aim(StrEnum):
    """Where a blow is aimed (T10)."""

    NONE = "none"
    LARGE = "large"
    VITAL = "vital"


class Cost(NamedTuple):
    """What a declared option does to the test and to the damage total."""

    test: int
    damage: int


@rule("SIM-055")
def aimed(aim: Aim) -> Cost:
    """Aiming at a large area, or a small or vital one: harder to hit, worse when it does."""
    if aim == Aim.NONE:
        return Cost(0, 0)
    row = TABLES["attack_options"].row(f"aim_{aim.value}")
    return Cost(row["test"], row["damage"])


@rule("SIM-056")
def pulling(pull: bool) -> int:
    """What pulling the blow costs the test."""
    return int(TABLES["attack_options"].cell("pull", "test")) if pull else 0


class Armour(NamedTuple):
    """Three numbers: what deflects, what hinders its wearer, what absorbs (d/g/a)."""

    deflect: int = 0
    hinder: int = 0
    absorb: int = 0

    def __str__(self) -> str:
        return f"{self.deflect}/{self.hinder}/{self.absorb}"


NO_ARMOUR = Armour()


@rule("SIM-057", "SIM-058")
def armour(name: str) -> Armour:
    """A ready armour profile."""
    row = TABLES["armour"].row(name)
    return Armour(row["deflect"], row["hinder"], row["absorb"])


def read_armour(text: str, rulings: Rulings) -> Armour:
    """Armour as a form writes it: profiles or three numbers (``1/0/2``), added with ``+``; ``*`` marks what is magic.

    ``mail+0/0/2*`` is mail under a ring that absorbs; of ``mail+furs`` only the mail counts, unless all stack.
    """
    layers = [part.strip() for part in text.split("+")]
    ordinary = [_one_armour(layer) for layer in layers if not layer.endswith("*")]
    magic = [_one_armour(layer.removesuffix("*")) for layer in layers if layer.endswith("*")]
    return worn(ordinary, magic, rulings)


def _one_armour(text: str) -> Armour:
    parts = text.split("/")
    if len(parts) == 3 and all(part.strip().isdigit() for part in parts):
        return Armour(*(int(part) for part in parts))
    return armour(_armour_by_words().get(folded(text), text))


@cache
def _armour_by_words() -> Mapping[str, str]:
    """The profiles by what they are called, in either language, without what stands in brackets."""
    table = TABLES["armour"]
    lines = table.keys()
    return {folded(table.word(one, lang).partition("(")[0].strip()): str(one) for one in lines for lang in LANGUAGES}


@rule("SIM-059")
def worn(ordinary: Iterable[Armour], magic: Iterable[Armour], rulings: Rulings) -> Armour:
    """What several armours give together: magic and technology always add; of two ordinary ones only the best counts.

    The best is the one that deflects and absorbs most; with ``armour_stack`` all add up.
    """
    plain_ones = list(ordinary)
    if rulings.armour_stack == "magic_only" and plain_ones:
        plain_ones = [max(plain_ones, key=lambda one: (one.deflect + one.absorb, -one.hinder))]
    layers = [*plain_ones, *magic]
    return Armour(*(sum(layer[at] for layer in layers) for at in range(3)))


@rule("SIM-058")
def hinders(armour_worn: Armour, *, shooting: bool, rulings: Rulings, gm_says: bool = True) -> int:
    """The malus that armour gives its wearer's test: every bodily test, shooting included unless the table says no."""
    counts = not shooting or rulings.hinder_shooting == "yes" or (rulings.hinder_shooting == "gm" and gm_says)
    return -armour_worn.hinder if counts else 0
