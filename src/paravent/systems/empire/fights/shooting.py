"""« Combats à distance », « Explosifs »: shots, throws and grenades (EMP-100 to EMP-107, EMP-112 to EMP-114)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Difficulty, roll_under
from paravent.systems.empire.terms import TABLES, Characteristic

from .combat import letter_of
from .damage import damage, row_of
from .errors import NoLineOfSight, NotThrowable
from .wounds import Body, Harm, Shape

SQUARE_M = 5
"""A square of scale 5, in metres."""


class Band(StrEnum):
    """How far a target is, by the range of the weapon."""

    BEST = "best"
    NEAR = "near"
    FAR = "far"
    BEYOND = "beyond"


@rule("EMP-071")
def check_sight(clear: bool) -> None:
    """A shot needs a straight line without obstacles."""
    if not clear:
        raise NoLineOfSight()


@rule("EMP-100")
def shooting_weapon(weapon: str) -> bool:
    """Whether a weapon can be used at a distance: it has a range, or it can be thrown."""
    row = TABLES["weapons"].row(weapon)
    return row["range"] != "" or row["thrown"] not in ("", "impossible")


@rule("EMP-104")
def is_thrown(weapon: str) -> bool:
    """Whether a weapon itself flies at the target: it has no range of its own."""
    return bool(TABLES["weapons"].cell(weapon, "range") == "")


@rule("EMP-101")
def shooting_characteristic(*, far: bool = False, dim: bool = False) -> Characteristic:
    """Dexterity to let go, Strength when it is far, Endurance when one can hardly see."""
    if dim:
        return Characteristic.ENDURANCE
    return Characteristic.STRENGTH if far else Characteristic.DEXTERITY


@rule("EMP-103")
def first_shot(mine: int, theirs: int) -> int:
    """Which of two shooters fires first, 1 or 2: the more skilled; 0 when initiative must say."""
    return 0 if mine == theirs else 1 if mine > theirs else 2


@rule("EMP-104")
def range_of(weapon: str, strength: int, rulings: Rulings, *, home_made: bool = False) -> int:
    """How far a weapon reaches, in metres.

    What is thrown flies Strength × 2, an arrow of a home-made bow Strength × 10, or of every bow if the table says so.
    """
    row, by_strength = TABLES["weapons"].row(weapon), TABLES["weapons"].extra["by_strength"]
    if weapon == "bow" and (home_made or rulings.bow_range == "strength"):
        return int(by_strength["arrow"]) * strength
    if not shooting_weapon(weapon):
        raise NotThrowable(weapon=weapon)
    return int(by_strength["thrown"]) * strength if is_thrown(weapon) else int(row["range"])


@rule("EMP-104")
def band_of(metres: int, reach: int) -> Band:
    """Under a quarter of the range is best, up to a third near, up to the range far."""
    if metres > reach:
        return Band.BEYOND
    if 3 * metres > reach:
        return Band.FAR
    return Band.BEST if 4 * metres < reach else Band.NEAR


@rule("EMP-104")
def range_dice(band: Band, *, ignored: bool = False) -> int:
    """Beyond a third of the range, one die more; cyborgs and prosthetic arms do not mind the distance.

    Beyond the range that die stays (4473 to 4486): how many are thrown must not tell that nothing can be hit.
    """
    return int(band in (Band.FAR, Band.BEYOND) and not ignored)


@rule("EMP-102", "EMP-104")
def shot_difficulty(weapon: str, told: Difficulty | None, band: Band, rulings: Rulings) -> Difficulty:
    """The game master's estimate; a thrown weapon has its own, and a very close target may count as easy."""
    if band is Band.BEST and rulings.short_range == "easy":
        return Difficulty.EASY
    thrown = TABLES["weapons"].cell(weapon, "thrown")
    if told is None and thrown not in ("", "impossible") and rulings.thrown_weapons == "difficulty":
        return Difficulty(thrown)
    return told or Difficulty.AVERAGE


class Shot(NamedTuple):
    """A shot fired: whether it hit, its points before armour, whether they only shock, and whether it fell short."""

    hit: bool
    points: int = 0
    shock_only: bool = False
    beyond: bool = False


class Aimed(NamedTuple):
    """A shot as settled before the dice; ``power`` is the setting of a weapon that has one, 0 otherwise."""

    weapon: str
    threshold: int
    dice: int
    malus: int = 0
    power: int = 0
    beyond: bool = False


@rule("EMP-105", "EMP-106", "EMP-107")
def shoot(dice: Dice, aimed: Aimed, rulings: Rulings) -> Shot:
    """An ordinary test, read in the damage table; out of range it is thrown all the same, and falls short."""
    rolled = roll_under(dice, aimed.dice, aimed.threshold)
    if aimed.beyond or not rolled.success:
        return Shot(False, beyond=aimed.beyond)
    row = row_of(aimed.dice, aimed.malus, rulings)
    row = min(row, aimed.power) if aimed.power else row
    shock = TABLES["weapons"].extra["shock"].get(aimed.weapon, "")
    points = damage(shock or letter_of(aimed.weapon), row, rolled.total, rulings)
    dice.note("EMP-106", "shot_points", n=points)
    return Shot(True, points, bool(shock))


@rule("EMP-107")
def shocked(dice: Dice, endurance: int) -> bool:
    """Where the table reads stunners so: the victim throws 3D, and falls above Endurance."""
    total = dice.sum(3, 6)
    dice.note("EMP-107", "shocked" if total > endurance else "shakes_it_off", total=total, threshold=endurance)
    return total > endurance


def shaken_off(falls: bool, body: Body, points: int) -> Harm:
    """What such a roll leaves: knocked out for as many sequences as the points, or nothing at all."""
    return Harm(0, body.current, Shape.KNOCKED_OUT, points) if falls else Harm(0, body.current)


# Grenades


class Blast(NamedTuple):
    """Where a grenade fell (on target or beside it, how far in metres, on which side), and the dice of its blast."""

    on_target: bool
    off: int
    side: str
    total: int


@rule("EMP-112")
def grenade_off(tech_level: int, rulings: Rulings) -> int:
    """How far beside the target a missed grenade falls, in metres: its tech level in squares, or in metres."""
    return tech_level * (SQUARE_M if rulings.grenade_miss == "squares" else 1)


@rule("EMP-112", "EMP-113")
def grenade(dice: Dice, limit: int, count: int, tech_level: int, lean: str, rulings: Rulings) -> Blast:
    """Throw it: on target, or beside it on the announced side; it explodes all the same, two dice for everybody."""
    rolled = roll_under(dice, count, limit)
    off, side = 0, ""
    if not rolled.success:
        off, side = grenade_off(tech_level, rulings), lean
        if rulings.grenade_side == "random":
            side = "left" if dice.sum(1, 6) <= 3 else "right"
    total = dice.sum(2, 6)
    dice.note("EMP-113", "blast", total=total, n=tech_level)
    return Blast(rolled.success, off, side, total)


@rule("EMP-113")
def blast_damage(total: int, tech_level: int, squares: int) -> int:
    """What a blast does so many squares from where it fell: 2D × (tech level − squares)."""
    return total * max(0, tech_level - squares)


@rule("EMP-113")
def blast_radius(tech_level: int) -> int:
    """How far a blast reaches, in metres."""
    return tech_level * SQUARE_M


@rule("EMP-114")
def may_evade(squares: int) -> bool:
    """Whether an evasion roll may be granted: not to whoever stands at the centre."""
    return squares > 0
