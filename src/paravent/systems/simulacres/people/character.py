"""The character: four components, four means, five realms, three energies, and what the sheet holds beside."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from paravent.game import rule
from paravent.systems.simulacres.checks.check import VOID, best_rank
from paravent.systems.simulacres.terms import TABLES, Rank, Realm

from .errors import BoxesOff, NoSuchSkill

REALMS = (Realm.MINERAL, Realm.VEGETAL, Realm.ANIMAL, Realm.HUMAN, Realm.MECHANICAL)
BREATH = PSYCHE = 4
MAGIC_FLOOR = 6


@dataclass(frozen=True)
class Skill:
    """A trade, talent or hobby; one that fights names a weapon family."""

    name: str
    family: str = ""


@dataclass(frozen=True)
class Weapon:
    """A weapon carried: a row of the weapon table, or letters of its own."""

    id: str = ""
    name: str = ""
    category_pv: str = ""
    category_ps: str = ""
    family: str = ""
    notes: str = ""
    capacity: int = 0
    """How many shots it holds; 0 where nobody counts them."""
    rounds: int = -1
    """How many are in it; −1 is full."""

    def __post_init__(self) -> None:
        if self.rounds < 0:
            object.__setattr__(self, "rounds", self.capacity)

    @property
    def called(self) -> str:
        """What a form names it by: the id of its row, or a name of its own."""
        return self.id or self.name

    @property
    def serves(self) -> bool:
        """Whether there is a shot left in it, where somebody counts them."""
        return not self.capacity or self.rounds > 0


@dataclass(frozen=True)
class Item:
    """Something carried: how many of it, and how many uses are left in the one that is used, where it has any."""

    name: str
    count: int = 1
    charges_max: int = 0
    """How many uses one of it holds; 0 where it has none to count."""
    charges: int = -1
    """How many are left; −1 is full."""
    feeds: str = ""
    """The weapon that it is ammunition for, one shot each."""
    notes: str = ""

    def __post_init__(self) -> None:
        if self.charges < 0:
            object.__setattr__(self, "charges", self.charges_max)


@dataclass(frozen=True)
class Armour:
    """What protection does: deflects the opponent's test, hinders the wearer, absorbs damage."""

    deflect: int = 0
    hinder: int = 0
    absorb: int = 0


@dataclass(frozen=True)
class NamedPoints:
    """Points under a name: a special energy, a talent's level, a line of the ledger of adventure points."""

    name: str
    points: int


@dataclass(frozen=True)
class Wounds:
    """What care a character's present wounds have had; a new wound empties it."""

    tried_by: tuple[str, ...] = ()
    cared_for: bool = False


@dataclass(frozen=True)
class EnergyBonus:
    """A bonus bought with EP, which lasts as long as its action."""

    energy: str
    points: int
    action: str


@dataclass(frozen=True)
class Favourite:
    """A test that somebody often makes: its phrase or a common one, its skill, the energies usually proposed, a word.

    ``effect`` is what comes of it in the owner's own words.
    """

    name: str
    common: str = ""
    component: str = ""
    means: str = ""
    realm: str = ""
    skill: str = ""
    power: int = 0
    speed: int = 0
    precision: int = 0
    effect: str = ""


@dataclass(frozen=True)
class Ailment:
    """A poison or disease at work."""

    name: str
    virulence: int = 0
    malus: int = 0


NO_ARMOUR = Armour()
UNTENDED = Wounds()


@dataclass(frozen=True)
class Character:
    """A character's sheet. Counters left at −1 are full."""

    name: str = ""
    body: int = 0
    instincts: int = 0
    heart: int = 0
    mind: int = 0
    perception: int = 0
    action: int = 0
    desire: int = 0
    resistance: int = 0
    mineral: int = 0
    vegetal: int = 0
    animal: int = 0
    human: int = 0
    mechanical: int = 0
    power: int = 0
    speed: int = 0
    precision: int = 0
    special_energies: tuple[NamedPoints, ...] = ()
    component_boxes: tuple[int, ...] = ()
    """Twelve boxes, three a component: 1 white, 2 black; empty when points were spread."""
    trades: tuple[Skill, ...] = ()
    talents: tuple[Skill, ...] = ()
    hobbies: tuple[Skill, ...] = ()
    talent_levels: tuple[NamedPoints, ...] = ()
    """Campaign rules only; a talent not named stands at its base level."""
    life_points: int = -1
    breath_points: int = -1
    breath_points_max: int = BREATH
    psyche_points: int = -1
    psyche_points_max: int = PSYCHE
    calm_days: int = 0
    rest_hours: int = 0
    calm_hours: int = 0
    weapons: tuple[Weapon, ...] = ()
    armour: Armour = NO_ARMOUR
    equipment: tuple[Item, ...] = ()
    money: int = 0
    """In whatever the table pays with."""
    wounds: Wounds = UNTENDED
    active_energy_bonuses: tuple[EnergyBonus, ...] = ()
    ailments: tuple[Ailment, ...] = ()
    known_ailments: tuple[str, ...] = ()
    test_malus: int = 0
    """What ailments take off all tests: felt, even by who does not know what ails him."""
    states: tuple[str, ...] = ()
    favourites: tuple[Favourite, ...] = ()
    """Tests that are kept, each one touch away."""
    dead: bool = False
    therapy_due: int = 0
    days_since_session: int = 7
    session_hours: int = 0
    """Hours since the last session beyond whole days; 0 once a week has passed."""
    last_chance_used: bool = False
    last_chances_served: int = 0
    adventure_points: int = 0
    ledger: tuple[NamedPoints, ...] = ()
    universe: str = ""
    age: str = ""
    race: str = ""
    sex: str = ""
    player_name: str = ""
    created_on: str = ""
    description: str = ""
    past: str = ""
    belongings: str = ""
    special_abilities: str = ""
    adventure_notes: str = ""

    def __post_init__(self) -> None:
        full = {"life_points": self.life_points_max, "breath_points": self.breath_points_max,
                "psyche_points": self.psyche_points_max}
        for counter, most in full.items():
            if getattr(self, counter) < 0:
                object.__setattr__(self, counter, most)

    @property
    def life_points_max(self) -> int:
        """The most PV, by the build."""
        return build(self.body, self.resistance).life_points

    @property
    def void(self) -> int:
        """The sixth realm, the same for all."""
        return void_value()


class Build(NamedTuple):
    """A morphology and the PV it gives."""

    name: str
    life_points: int


@rule("SIM-106")
def build(body: int, resistance: int) -> Build:
    """The morphology and the most PV, by body + resistance."""
    row = TABLES["build"].row(min(14, max(1, body + resistance)))
    return Build(row["build"], row["life_points"])


@rule("SIM-104")
def from_boxes(boxes: Sequence[int]) -> tuple[int, ...]:
    """The four components from twelve boxes, three each; a white box is worth 1, a black one 2, and six are black."""
    if len(boxes) != 12 or set(boxes) - {1, 2} or sum(box == 2 for box in boxes) != 6:
        raise BoxesOff(got=list(boxes))
    return tuple(sum(boxes[at : at + 3]) for at in range(0, 12, 3))


@rule("SIM-105")
def void_value() -> int:
    """The Void is worth −1 to everyone and cannot be raised."""
    return VOID


@rule("SIM-109")
def magic_resistance(mind: int, resistance: int, human: int, magic_arts: int | None, *, hampered: bool = False) -> int:
    """Resistance to magic: 6, or more with the magic arts; elves and dwarves (``hampered``) have one less."""
    own = MAGIC_FLOOR if magic_arts is None else max(MAGIC_FLOOR, mind + resistance + human + magic_arts)
    return own - 1 if hampered else own


# Skills on a sheet


def plain_name(name: str) -> str:
    """A name as it is compared: without accents or capitals.

    >>> plain_name(" Médecin ")
    'medecin'
    """
    parts = unicodedata.normalize("NFKD", name.strip().casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


class Skilled(Protocol):
    """A sheet with skills: a character's or an extra's."""

    @property
    def trades(self) -> tuple[Skill, ...]: ...
    @property
    def talents(self) -> tuple[Skill, ...]: ...
    @property
    def hobbies(self) -> tuple[Skill, ...]: ...


def find_rank(record: Skilled, *names: str) -> Rank:
    """The best rank that a sheet gives under any of these names; none when it has none."""
    wanted = {plain_name(name) for name in names}
    ranks = [
        rank
        for rank, skills in ((Rank.TRADE, record.trades), (Rank.TALENT, record.talents), (Rank.HOBBY, record.hobbies))
        if any(plain_name(skill.name) in wanted for skill in skills)
    ]
    if plain_name(getattr(record, "genius", "")) in wanted:
        ranks.append(Rank.GENIUS)
    return best_rank(ranks)


@rule("SIM-108")
def rank_on(record: Skilled, name: str) -> Rank:
    """The rank of a skill named on the sheet; a name that the sheet lacks is refused."""
    rank = find_rank(record, name)
    if rank is Rank.NONE:
        known = [skill.name for skill in (*record.trades, *record.talents, *record.hobbies)]
        raise NoSuchSkill(skill=name, known=known)
    return rank
