"""« Conséquences », « Protections », « Guérison »: what a blow leaves behind (EMP-083 to EMP-091, EMP-098)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES, figure

from .damage import damage

HEAVY_FALL_M = 10


class Shape(StrEnum):
    """What a blow does to whoever receives it, beside the points."""

    STANDING = "standing"
    STUNNED = "stunned"
    KNOCKED_OUT = "knocked_out"


class Life(StrEnum):
    """Where resistance leaves a body."""

    ALIVE = "alive"
    COMA = "coma"
    DEAD = "dead"


class Body(NamedTuple):
    """What a blow meets: full and present resistance, endurance, and what protects the place struck."""

    full: int
    current: int
    endurance: int = 0
    armour: int = 0


class Harm(NamedTuple):
    """What a blow did: points lost and left, shape and for how many sequences, part and armour ruined, life."""

    lost: int
    left: int
    shape: Shape = Shape.STANDING
    sequences: int = 0
    disabled: bool = False
    pierced: bool = False
    life: Life = Life.ALIVE


@rule("EMP-085", "EMP-086")
def shape_after(points: int, share_of: int) -> Shape:
    """One blow worth a third of resistance stuns, one worth half knocks out."""
    if points <= 0:
        return Shape.STANDING
    if 2 * points >= share_of:
        return Shape.KNOCKED_OUT
    return Shape.STUNNED if 3 * points >= share_of else Shape.STANDING


@rule("EMP-087")
def absorbed(points: int, armour: int) -> int:
    """What a protection takes of a blow."""
    return min(points, armour)


@rule("EMP-083")
def is_disabled(lost: int, share_of: int) -> bool:
    """Whether the part struck is out of use until healed: more than half the resistance, once armour had its share."""
    return 2 * lost > share_of


@rule("EMP-084")
def life_after(body: Body, lost: int, rulings: Rulings) -> Life:
    """At 0 resistance one falls into a coma; any later damage kills, or a great blow at once if the table says so."""
    if lost < body.current or lost == 0:
        return Life.ALIVE if body.current > 0 else Life.COMA
    if body.current == 0:
        return Life.DEAD
    beyond = lost - body.current
    return Life.DEAD if rulings.overshoot == "kills" and beyond >= max(1, body.endurance) else Life.COMA


@rule("EMP-080", "EMP-087")
def struck(body: Body, points: int, rulings: Rulings, *, shock_only: bool = False) -> Harm:
    """Everything one blow does to a body.

    The shock is judged before the armour takes its share, unless the table says otherwise; a weapon that only shocks
    is judged after, and takes nothing off resistance.
    """
    through = points - absorbed(points, body.armour)
    lost = 0 if shock_only else through
    judged = through if shock_only or rulings.stun_through_armour == "after" else points
    share_of = body.current if rulings.blow_share == "current" else body.full
    shape = shape_after(judged, share_of)
    return Harm(
        lost,
        max(0, body.current - lost),
        shape,
        judged if shape is Shape.KNOCKED_OUT else 0,
        is_disabled(lost, share_of),
        0 < body.armour < points,
        life_after(body, lost, rulings),
    )


@rule("EMP-083")
def organ_dice(organ_hurt: bool) -> int:
    """What a hurt organ costs on the acts it serves: one die, so that an average act becomes hard."""
    return int(organ_hurt)


# Protections


class Piece(NamedTuple):
    """A protection worn: its name, where it has been ruined, and what it covers if somebody wrote it down."""

    name: str
    ruined: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


@rule("EMP-087")
def covers(piece: Piece, place: str, rulings: Rulings) -> bool:
    """Whether a piece protects a place: by the table of covers, or as written on the sheet; not where it is ruined.

    Against what strikes the whole body only what covers all of it helps; torn open by that, it serves no more.
    """
    if place in piece.ruined or "body" in piece.ruined:
        return False
    if place == "body":
        return bool(TABLES["protections"].cell(piece.name, "cover") == "all") and not piece.ruined
    if rulings.armour_cover == "written":
        return place in piece.covers
    table = TABLES["protections"]
    return place in table.extra["covers"][table.cell(piece.name, "cover")]


@rule("EMP-087")
def armour_at(pieces: Iterable[Piece], place: str, rulings: Rulings) -> int:
    """What protects a place: the best piece there, or all of them if the table adds layers."""
    values = [int(TABLES["protections"].cell(piece.name, "protection"))
              for piece in pieces if covers(piece, place, rulings)]
    return sum(values) if rulings.armour_layers == "add" else max(values, default=0)


@rule("EMP-088")
def hindrance(pieces: Iterable[str]) -> int:
    """What protections add to Strength for movement and load: heavy ones take off, the antigrav suit gives."""
    return sum(int(TABLES["protections"].cell(name, "mod")) for name in pieces)


# Healing


class Severity(StrEnum):
    """How bad the damage is, and the unit it heals in."""

    SHOCK = "shock"
    WOUND = "wound"
    LESION = "lesion"


UNIT_MINUTES = (60, 60 * 24, 60 * 24 * 7)
"""An hour, a day, a week: what a shock, a wound and a lesion heal in."""


@rule("EMP-089")
def severity(lost: int, full: int) -> Severity:
    """Under a third of resistance it is a shock, under two thirds a wound, beyond that a lesion."""
    thirds = TABLES["injuries"].column("thirds")
    return next(kind for kind in Severity if thirds[kind] == "" or 3 * lost < thirds[kind] * full)


@rule("EMP-089")
def care_mods(medicine: int, *, medibloc: bool = False, logimec: bool = False) -> int:
    """What care adds to Endurance: one medic's level, three for a médibloc, three for a medical logimec."""
    return medicine + 3 * medibloc + 3 * logimec


@rule("EMP-089")
def healing_units(lost: int, endurance: int, mods: int = 0) -> Fraction:
    """How many hours, days or weeks of complete rest it takes."""
    return Fraction(lost, max(1, endurance + mods))


@rule("EMP-089")
def healing(
    lost: int, full: int, rate: int, minutes: int, rulings: Rulings, units: tuple[int, int, int], begun: int = 0
) -> tuple[int, int]:
    """The points that rest gives back, ``rate`` for each whole unit, and the minutes that they took.

    The unit is fixed by what was lost when rest began, or follows the points left if the table reviews it.
    """
    back, left, spent = 0, lost, 0
    while left > 0:
        judged = left if rulings.healing_class == "reviewed" else begun or lost
        unit = units[list(Severity).index(severity(judged, full))]
        if spent + unit > minutes:
            break
        gain = min(left, max(1, rate))
        back, left, spent = back + gain, left - gain, spent + unit
    return back, spent


@rule("EMP-090")
def may_walk(kind: Severity) -> bool:
    """Who rests from a shock may walk; the others are carried."""
    return bool(TABLES["injuries"].cell(kind.value, "walks") == "yes")


@rule("EMP-090")
def may_be_moved(kind: Severity, regained: int, endurance: int) -> bool:
    """Who has a lesion is not moved before having regained Endurance points."""
    return TABLES["injuries"].cell(kind.value, "carried") == "yes" or regained >= endurance


@rule("EMP-091")
def infection(dice: Dice, evasion: Fraction) -> bool:
    """Whether a convalescent who strains, or is cold, wet or hungry, succumbs to a fever: 3D above evasion."""
    total = dice.sum(3, 6)
    dice.note("EMP-091", "fever" if total > evasion else "no_fever", total=total, threshold=figure(evasion))
    return total > evasion


@rule("EMP-091")
def fever(confirmed: bool, rulings: Rulings) -> str:
    """What a fever does: it kills if the game master confirms it, or lays the convalescent low."""
    return "dead" if rulings.fever == "death" and confirmed else "fevered"


# Falls


@rule("EMP-098")
def fall_letter(centimetres: int) -> str:
    """The damage table of a fall: A under 2 m, then a letter every 2 m, E from 8 m."""
    return next(str(row[1]) for row in TABLES["falls"].rows if row[0] == "" or centimetres < 100 * row[0])


@rule("EMP-098")
def ground_dice(ground: str) -> int:
    """The dice that a landing ground gives."""
    return int(TABLES["grounds"].cell(ground, "dice"))


@rule("EMP-098")
def fall_dice(centimetres: int, dice: int) -> int:
    """The dice that the ground gives; from ten metres, five at least."""
    return max(5, dice) if centimetres >= HEAVY_FALL_M * 100 else dice


@rule("EMP-098")
def fall(dice: Dice, centimetres: int, count: int, rulings: Rulings) -> int:
    """What a fall does: no threshold, the table at the sum thrown."""
    thrown = fall_dice(centimetres, count)
    total = dice.sum(thrown, 6)
    points = damage(fall_letter(centimetres), thrown, total, rulings)
    dice.note("EMP-098", "fallen", letter=fall_letter(centimetres), n=thrown, total=total, points=points)
    return points
