"""« Combat rapproché »: initiative, attitudes, the exchange, several against one (EMP-070 to EMP-079, EMP-092 on)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.terms import TABLES, Characteristic, figure

from .duel import Cell, Clash, Stance, clash, free_blow
from .errors import OutOfReach, TooManyAttackers


class Attitude(StrEnum):
    """The secret stance of a fighter."""

    ATTACK = "attack"
    FEINT = "feint"
    PARRY = "parry"


class Height(StrEnum):
    """How high a blow is aimed."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


SEQUENCE_SECONDS = 6
BARE_HANDS, CONTACT, DISTANCE = "32", "34", "35"
FIST, KICK = "fist", "kick"


class Act(StrEnum):
    """What one sequence holds."""

    MOVE = "move"
    DRAW = "draw"
    RELOAD = "reload"
    FIGHT = "fight"


@rule("EMP-072")
def acts(ready: bool, loaded: bool, spare: bool) -> tuple[Act, ...]:
    """What a fighter may do in six seconds: a weapon not in hand is drawn first, an empty one wants a magazine."""
    open_to = [Act.MOVE]
    if not ready:
        open_to.append(Act.DRAW)
    if spare:
        open_to.append(Act.RELOAD)
    if ready and loaded:
        open_to.append(Act.FIGHT)
    return tuple(open_to)


# Who strikes first


class Team(NamedTuple):
    """A side before a fight: the dexterities of its members and what circumstances add."""

    dexterities: tuple[int, ...]
    mods: int = 0

    @property
    def swiftness(self) -> Fraction:
        """Mean dexterity + MODs, kept exact."""
        return Fraction(sum(self.dexterities), len(self.dexterities)) + self.mods


@rule("EMP-073")
def initiative(dice: Dice, one: Team, other: Team) -> int:
    """Which side strikes first, 1 or 2: the swifter; exactly as swift, the higher of two dice each."""
    if one.swiftness != other.swiftness:
        winner = 1 if one.swiftness > other.swiftness else 2
        dice.note("EMP-073", "swifter", one=figure(one.swiftness), other=figure(other.swiftness), n=winner)
        return winner
    return dice.resolve(tie_break)


@rule("EMP-073")
def tie_roll(dice: Dice) -> int:
    """Two dice for each side: which of them is higher, 1 or 2; 0 when they tie."""
    mine, theirs = dice.sum(2, 6), dice.sum(2, 6)
    dice.note("EMP-073", "tie_break", one=mine, other=theirs)
    return 0 if mine == theirs else 1 if mine > theirs else 2


@rule("EMP-073")
def tie_break(dice: Dice) -> int:
    """Two dice for each side, thrown again while they tie."""
    first = dice.resolve(tie_roll)
    if first == 0:
        raise ThrowAgain
    return first


# Attitudes


@rule("EMP-075")
def characteristic_of(attitude: Attitude) -> Characteristic:
    """Attack is Strength, feint Dexterity, parry Endurance."""
    return Characteristic(TABLES["combat_attitudes"].cell(attitude.value, "characteristic"))


@rule("EMP-043")
def animal_characteristic(attitude: Attitude) -> Characteristic:
    """An animal does everything by Strength, but parries by Endurance; it has no skill levels."""
    return Characteristic.ENDURANCE if attitude is Attitude.PARRY else Characteristic.STRENGTH


@rule("EMP-076")
def cell_of(a: Attitude, b: Attitude) -> Cell:
    """What two attitudes allow: both hurt, the better one, the difference, or nothing."""
    return Cell(TABLES["combat_attitudes"].cell(a.value, b.value))


@rule("EMP-110")
def weapon_level(weapon: str) -> int:
    """The tech level of a weapon, as what it strikes at counts it: bare hands have none."""
    return int(TABLES["weapons"].cell(weapon, "tech_level") or 0)


@rule("EMP-077")
def blow_dice(height: Height, precision: Column) -> int:
    """How many dice a blow takes, by its height and precision."""
    return int(TABLES["blow_dice"].cell(height.value, precision.value))


@rule("EMP-082")
def location(height: Height, precision: Column, named: str = "") -> str:
    """Where a blow lands; a precise one lands where it was named."""
    table = TABLES["hit_locations"]
    if precision is not Column.PRECISE:
        return str(table.cell(height.value, precision.value))
    table.row(height.value)
    return named or str(table.extra["spots"][height.value][0])


@rule("EMP-078")
def skill_used(weapon: str, metres: int) -> str:
    """Which skill an exchange uses: bare hands under 2 m, contact with a weapon up to 5 m.

    Under 2 m only hand weapons serve, from 2 m any weapon does; beyond 5 m it is no close combat any more.
    """
    if weapon in (FIST, KICK):
        if metres >= 2:
            raise OutOfReach(weapon=weapon, metres=metres)
        return BARE_HANDS
    if metres > 5 or (metres < 2 and TABLES["weapons"].cell(weapon, "contact") == "no"):
        raise OutOfReach(weapon=weapon, metres=metres)
    return CONTACT


@rule("EMP-080")
def letter_of(weapon: str) -> str:
    """The damage table of a weapon; empty where it does none."""
    return str(TABLES["weapons"].cell(weapon, "letter"))


@rule("EMP-079")
def exchange(dice: Dice, mine: Attitude, a: Stance, theirs: Attitude, b: Stance, rulings: Rulings) -> Clash:
    """One exchange of close combat, both attitudes being revealed."""
    return dice.then(clash, cell_of(mine, theirs), _posed(a, mine), _posed(b, theirs), False, rulings)


def _posed(side: Stance, attitude: Attitude) -> Stance:
    return side._replace(attacks=attitude is Attitude.ATTACK, parries=attitude is Attitude.PARRY)


# Several against one


@rule("EMP-092")
def check_attackers(place: str, count: int) -> int:
    """How many may attack one fighter at once, by the place."""
    most = int(TABLES["attackers"].cell(place, "most"))
    if count > most:
        raise TooManyAttackers(got=count, most=most, place=place)
    return most


class Attacker(NamedTuple):
    """One of several: a stance and an attitude, the attitude met with, and the lone fighter's stance in it."""

    stance: Stance
    attitude: Attitude
    met_with: Attitude
    facing: Stance | None = None


class Faced(NamedTuple):
    """What came of each attacker: points to the lone fighter, points to the attacker, whether it was faced at all.

    ``ok_lone`` and ``ok_attacker`` say whether each roll succeeded.
    """

    to_lone: int
    to_attacker: int
    faced: bool
    ok_lone: bool = False
    ok_attacker: bool = False


@rule("EMP-093")
def order(attackers: Sequence[Attacker]) -> tuple[int, ...]:
    """The best of the many fights first: the highest threshold."""
    return tuple(sorted(range(len(attackers)), key=lambda at: -attackers[at].stance.threshold))


@rule("EMP-093", "EMP-094")
def one_against_many(
    dice: Dice, lone: Stance, attackers: tuple[Attacker, ...], standing: bool, rulings: Rulings
) -> tuple[Faced, ...]:
    """One after the other: while the lone fighter's own roll succeeds the next is faced; then the rest strike freely.

    In an empty cell nobody throws: nothing was failed, and the next is faced too.
    """
    if not attackers:
        return ()
    first, rest = attackers[0], attackers[1:]
    if standing:
        mine = first.facing or lone
        fought = dice.resolve(exchange, first.met_with, mine, first.attitude, first.stance, rulings)
        head = Faced(fought.to_a, fought.to_b, True, fought.ok_a, fought.ok_b)
    else:
        struck = dice.of("opponent").resolve(free_blow, first.stance, rulings)
        head = Faced(struck.to_b, 0, False, ok_attacker=struck.ok_a)
    return (head, *dice.resolve(one_against_many, lone, rest, goes_on(first, head, rulings), rulings))


@rule("EMP-093")
def goes_on(met: Attacker, came: Faced, rulings: Rulings) -> bool:
    """Whether the lone fighter faces the next: while their own roll succeeds, or none was thrown."""
    thrown = cell_of(met.met_with, met.attitude) is not Cell.NOTHING or rulings.nothing_cells != "no_dice"
    return came.faced and (came.ok_lone or not thrown)


# Ambush


@rule("EMP-074")
def hint(success: bool, precision: Column) -> str:
    """What a detection test gives: a vague threat, something suspicious, the whole ambush; nothing if it fails."""
    if not success:
        return "nothing"
    return str(TABLES["ambush_hints"].cell(precision.value, "hint"))


@rule("EMP-014")
def coefficients(scores: dict[str, int], levels: dict[str, int], mods: int = 0) -> dict[str, dict[str, int]]:
    """The ready thresholds of a combat sheet: bare hands, contact and distance, each by its three characteristics."""
    return {
        skill: {name: scores[name] + levels.get(skill, 0) + mods for name in ("strength", "dexterity", "endurance")}
        for skill in (BARE_HANDS, CONTACT, DISTANCE)
    }


@rule("EMP-077")
def disarmed(points: int, strength: int, rulings: Rulings) -> bool:
    """Whether a precise blow at the hand knocks a weapon out of it: when it lands, or when it would hurt enough."""
    if rulings.disarm == "third_of_force":
        return 3 * points >= strength and points > 0
    return points > 0
