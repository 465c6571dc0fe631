"""Simulacres, the other published options of combat (SIM-B04 to SIM-B08), each a switch, all off by default."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.checks.check import Edge
from paravent.systems.simulacres.errors import needs
from paravent.systems.simulacres.terms import TABLES

from .damage import Blow
from .errors import TooManyBlows
from .harm import margin_of, points_taken
from .weapons import NO_ARMOUR, Armour, Training, Weapon

MASTERED_FROM = 1
"""The talent level from which a weapon is mastered."""
LARGEST_PACK_BONUS = 3
PLENTY = (99, 99)
"""More PV and PS than anybody has: what a blow takes is not capped."""


# Weapon mastery


@rule("SIM-B04")
def mastery_of(training: Training, level: int, rulings: Rulings) -> bool:
    """Whether somebody parries by mastery: a weapon talent of +1 or more; in the base rules a fighting trade."""
    if rulings.weapon_mastery == "off":
        return False
    if rulings.ruleset == "campaign":
        return level >= MASTERED_FROM
    return training == Training.TRADE_FAMILY


# The warrior's way


@rule("SIM-B05")
def blows_allowed(weapon: Weapon, level: int, speed: int, rulings: Rulings) -> int:
    """How many blows an exchange allows, by weapon and talent level; from +2 a point of Rapidité is one more."""
    needs("warrior_way", "SIM-B05", rulings)
    kind = "hands" if weapon.family == "unarmed" else "two_handed" if weapon.two_handed else "light_normal_fast"
    printed = TABLES["blows"].cell(kind, f"level_{min(3, max(0, level))}")
    return int(printed) + (speed if level >= 2 else 0)


@rule("SIM-B05")
def check_blows(declared: Sequence[str], allowed: int) -> None:
    """Refuse more blows than allowed."""
    if len(declared) > allowed:
        raise TooManyBlows(got=len(declared), limit=allowed)


@rule("SIM-B05")
def blow_modifier(
    striker: str, target: str, blows: Mapping[str, Sequence[str]], shooters: Container[str] = ()
) -> int:
    """What an exchange of several blows does to a test against one target.

    −1 for each blow more than one, −1 for each opponent more than one defended against (three at most), +1 for each
    attack more than one on the same target by oneself or one's allies, +3 at most. Whoever shoots defends against
    nobody, and nobody against a shot.
    """
    own = len(blows[striker])
    near = {name for name, targets in blows.items() if striker in targets and name not in shooters}
    opponents = 1 if striker in shooters else len(near | set(blows[striker]))
    allied = [name for name, targets in blows.items() if target in targets]
    on_target = sum(list(blows[name]).count(target) for name in allied)
    return -(own - 1) - (min(3, opponents) - 1) + min(LARGEST_PACK_BONUS, max(0, on_target - 1))


class Landed(NamedTuple):
    """A blow of a warriors' exchange that hit: who, whom, with what MR left."""

    striker: str
    target: str
    margin: int


@rule("SIM-B05", "SIM-B04")
def blow_rounds(
    blows: Mapping[str, Sequence[str]], margins: Sequence[Mapping[str, int]], masters: Container[str] = (),
    shooters: Container[str] = (),
) -> tuple[Landed, ...]:
    """First blows of all, then second ones…; who has none left defends with his last result.

    ``margins`` gives the MR of each round, −1 for a failure. A blow lands with the striker's own MR, less that of a
    loser who masters his weapon (SIM-B04). A shot is a simple test, and so is a blow at whoever shoots.
    """
    landed = []
    last: dict[str, int] = {}
    for at, thrown in enumerate(margins):
        last.update(thrown)
        struck = {name: targets[at] for name, targets in blows.items() if at < len(targets)}
        for striker, target in struck.items():
            opposed = striker not in shooters and target not in shooters
            mine, theirs = last.get(striker, -1), last.get(target, -1) if opposed else -1
            if mine > theirs:
                parried = max(0, theirs) if target in masters else 0
                landed.append(Landed(striker, target, mine - parried))
    return tuple(landed)


class Warrior(NamedTuple):
    """A fighter of the warrior's way: his test before blows and opponents, when it is critical, whom he strikes."""

    name: str
    value: int
    edge: Edge
    targets: tuple[str, ...]
    blow: Blow
    allowed: int = 1
    armour: Armour = NO_ARMOUR
    masters: bool = False
    """Whether he parries by mastery of his weapon (SIM-B04)."""
    shield: int = 0
    """What his shield takes off a test against him (SIM-B06)…"""
    covers: int = 0
    """…and how many opponents it covers him against."""
    shoots: bool = False


class Wound(NamedTuple):
    """A blow of a warriors' exchange that hit, and what it takes."""

    striker: str
    target: str
    margin: int
    pv: int
    ps: int


class Aimed(NamedTuple):
    """A blow about to be thrown: whose, under what value, and when it is critical."""

    striker: str
    value: int
    edge: Edge


@rule("SIM-B06")
def covered_against(warrior: Warrior, blows: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Those against whom a shield covers its bearer: whom he strikes first, then who strikes him."""
    strikers = [name for name, targets in blows.items() if warrior.name in targets]
    return tuple(dict.fromkeys((*warrior.targets, *strikers)))[: warrior.covers]


@rule("SIM-B05", "SIM-058")
def aimed_rounds(warriors: tuple[Warrior, ...]) -> tuple[tuple[Aimed, ...], ...]:
    """The blows as everybody declares them: first those of all, then second ones…"""
    blows = {warrior.name: warrior.targets for warrior in warriors}
    worn = {warrior.name: warrior.armour for warrior in warriors}
    shooters = _shooters(warriors)
    shields = {(warrior.name, other): warrior.shield for warrior in warriors
               for other in covered_against(warrior, blows)}

    def aimed(warrior: Warrior, target: str) -> Aimed:
        turned = worn[target].deflect + shields.get((target, warrior.name), 0)
        crowded = blow_modifier(warrior.name, target, blows, shooters)
        return Aimed(warrior.name, warrior.value + crowded - turned, warrior.edge)

    return tuple(
        tuple(aimed(warrior, warrior.targets[at]) for warrior in warriors if at < len(warrior.targets))
        for at in range(max(map(len, blows.values()), default=0))
    )


def _shooters(warriors: tuple[Warrior, ...]) -> frozenset[str]:
    return frozenset(warrior.name for warrior in warriors if warrior.shoots)


@rule("SIM-B05")
def blows_landed(dice: Dice, warriors: tuple[Warrior, ...], rulings: Rulings) -> tuple[Landed, ...]:
    """Everybody declares his blows and throws for them, round after round: those that land."""
    needs("warrior_way", "SIM-B05", rulings)
    for warrior in warriors:
        check_blows(warrior.targets, warrior.allowed)
    return dice.then(_rounds_thrown, warriors, aimed_rounds(warriors), rulings)


def _rounds_thrown(
    dice: Dice, warriors: tuple[Warrior, ...], rounds: tuple[tuple[Aimed, ...], ...], rulings: Rulings
) -> tuple[Landed, ...]:
    """The tests of every round, and the blows that land."""
    margins = [
        {striker: dice.of(striker).resolve(margin_of, value, edge, rulings) for striker, value, edge in together}
        for together in rounds
    ]
    masters = [warrior.name for warrior in warriors if warrior.masters]
    return blow_rounds({warrior.name: warrior.targets for warrior in warriors}, margins, masters, _shooters(warriors))


@rule("SIM-B05", "SIM-058")
def warriors_exchange(dice: Dice, warriors: tuple[Warrior, ...], rulings: Rulings) -> tuple[Wound, ...]:
    """Everybody throws for his blows; then come the damages of those that land, in the same order."""
    worn = {warrior.name: warrior.armour for warrior in warriors}
    armed = {warrior.name: warrior.blow for warrior in warriors}
    wounds = []
    for number, hit in enumerate(dice.resolve(blows_landed, warriors, rulings), start=1):
        dice.note("SIM-B05", "blow_landed", number=number, striker=hit.striker, target=hit.target, margin=hit.margin)
        blow = armed[hit.striker]
        softened = blow.through(worn[hit.target].absorb)
        pv, ps = dice.of(hit.striker).resolve(points_taken, softened, hit.margin, PLENTY, rulings)
        wounds.append(Wound(hit.striker, hit.target, hit.margin, pv, ps))
    return tuple(wounds)


# Weapons with a table of their own


class SpecialRow(NamedTuple):
    """A line of a weapon's own table: totals from and to, and what happens, in words."""

    least: int
    most: int
    words: str


@rule("SIM-B08")
def special_result(rows: Sequence[SpecialRow], total: int, rulings: Rulings) -> str:
    """What a weapon's own table says at a total, brought between 3 and 26."""
    needs("special_weapons", "SIM-B08", rulings)
    read_at = min(26, max(3, total))
    return next((row.words for row in rows if row.least <= read_at <= row.most), "")

