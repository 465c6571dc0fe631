"""Simulacres, « Règle principale »: two dice, strictly under a value.

The gap between the dice and the value is the margin: MR when the test succeeds, ME when it fails. Double 1 and double 6
break certainties at both ends. The source calls this a *test*; a test runner claims that name, so code says *check*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.terms import TABLES, Component, Means, Quality, Rank, Realm

from .errors import NotAutomatic

DOUBLE_ONE, DOUBLE_SIX = 2, 12
VOID = -1


class Check(NamedTuple):
    """A test thrown: ``margin`` is the MR of a success and the ME of a failure, never negative."""

    success: bool
    margin: int
    critical: bool = False

    @property
    def quality(self) -> Quality:
        """Its name in the interpretation table."""
        return quality(self.success, self.margin)


class Edge(NamedTuple):
    """When a success is critical and what dice add to its MR.

    ``up_to`` is the highest roll that is critical (2: a double 1), ``bonus_dice`` are added to the MR of a critical
    success, ``extra_dice`` to that of any success (SIM-B01).
    """

    up_to: int = DOUBLE_ONE
    bonus_dice: int = 0
    extra_dice: int = 0


class Modifier(NamedTuple):
    """One term of a test value: the word key of what it is, and its number."""

    name: str
    points: int


@rule("SIM-003", "SIM-006", "SIM-008", "SIM-009", "SIM-010", "SIM-011")
def throw(dice: Dice, value: int, edge: Edge, rulings: Rulings) -> Check:
    """Throw two dice strictly under ``value``; ``edge`` says when it is critical and what dice that brings.

    A sum of 2 is a double 1 and a sum of 12 a double 6. A critical range wider than the double 1 (campaign rules,
    SIM-B02) must still be a success, unless the table says otherwise.
    """
    roll = dice.sum(2, 6)
    criticals = rulings.criticals == "on"
    if criticals and roll == DOUBLE_SIX:
        margin = max(0, DOUBLE_SIX - value)
        dice.note("SIM-010", "critical_failure", value=value, margin=margin)
        return Check(False, margin, True)
    kept = roll < value or roll == DOUBLE_ONE or rulings.wide_critical_always == "yes"
    if criticals and roll <= edge.up_to and kept:
        margin = max(0, value - roll)
        unthinkable = value <= DOUBLE_ONE and rulings.unthinkable_bonus_dice == "no"
        bonus_dice = edge.extra_dice + (0 if unthinkable else edge.bonus_dice)
        dice.note("SIM-009", "critical_success", roll=roll, value=value, margin=margin)
        if bonus_dice == 0:
            return Check(True, margin, True)
        bonus = dice.sum(bonus_dice, 6)
        dice.note("SIM-011", "bonus_dice", n=bonus_dice, bonus=bonus, margin=margin + bonus)
        return Check(True, margin + bonus, True)
    if roll >= value:
        dice.note("SIM-003", "not_under", roll=roll, value=value, margin=roll - value)
        return Check(False, roll - value, False)
    dice.note("SIM-003", "under", roll=roll, value=value, margin=value - roll)
    if edge.extra_dice == 0:
        return Check(True, value - roll, False)
    extra = dice.sum(edge.extra_dice, 6)
    dice.note("SIM-B01", "extra_dice", n=edge.extra_dice, bonus=extra, margin=value - roll + extra)
    return Check(True, value - roll + extra, False)


@rule("SIM-011")
def check(dice: Dice, value: int, rank: Rank, rulings: Rulings) -> Check:
    """Throw two dice strictly under ``value``, with the critical dice that a skill's rank brings."""
    return dice.then(throw, value, edge_of(rank), rulings)


def edge_of(rank: Rank) -> Edge:
    """The dice that a rank adds to a critical success: none, one for a talent, two for a trade, three for a genius."""
    return Edge(DOUBLE_ONE, TABLES["privileges"].cell(rank.value, "bonus_dice"))


@rule("SIM-007")
def quality(success: bool, margin: int) -> Quality:
    """The name of a result by its final margin (T2).

    An MR of 0 is graded Normal, and a double 6 brought to an ME of 0 Almost: the table has no success at difference 0.
    """
    outcome = "success" if success else "failure"
    return next(
        Quality(row[0])
        for row in TABLES["quality"].rows
        if row[1] == outcome and row[2] <= margin and (row[3] == "" or margin <= row[3])
    )


@rule("SIM-002")
def value_of(*modifiers: Modifier) -> int:
    """The number the dice must stay under: component, means, realm, difficulties, skill, energies, and the rest."""
    return sum(modifier.points for modifier in modifiers)


@rule("SIM-005")
def difficulty(factors: Iterable[int]) -> int:
    """Each circumstance brings its own difficulty; all are added, without a cap."""
    return sum(factors)


@rule("SIM-004")
def named_difficulty(name: str) -> int:
    """The number of a named step, from very hard (−4) to very easy (+4)."""
    return int(TABLES["difficulty"].cell(name, "modifier"))


@rule("SIM-002")
def realm_value(realm: Realm, own: Mapping[str, int], rulings: Rulings) -> int:
    """What a realm adds: its value, −1 for the void, and 0 (or the void) when none fits."""
    if realm == Realm.VOID:
        return VOID
    if realm == Realm.NONE:
        return VOID if rulings.no_realm == "void" else 0
    return own[realm.value]


@rule("SIM-014")
def best_rank(ranks: Iterable[Rank]) -> Rank:
    """The best of the ranks that cover an act: bonuses of several skills do not add up."""
    order = list(Rank)
    return max(ranks, key=order.index, default=Rank.NONE)


class Setting(StrEnum):
    """Where a skill is used: success without dice is for ordinary acts."""

    ORDINARY = "ordinary"
    DUEL = "duel"
    CONFLICT = "conflict"
    COMBAT = "combat"
    SHOT_UNAWARE = "shot_unaware"
    """A shot at a thing, or at someone who suspects nothing."""
    CARE = "care"


class Privilege(NamedTuple):
    """What a skill brings to a test: whether it may do without dice, and what it adds when thrown."""

    automatic: bool
    bonus: int


@rule("SIM-A06")
def hobby_answers(difficulty: int) -> bool:
    """What a hobby does in a campaign: it carries a very easy act of its field, and adds nothing to a test."""
    return difficulty >= named_difficulty("very_easy")


@rule("SIM-A07")
def campaign_privilege(rank: Rank, difficulty: int, setting: Setting) -> Privilege:
    """In a campaign nothing is automatic any more, but for the very easy acts of a hobby; levels replace the +1."""
    return Privilege(rank is Rank.HOBBY and setting is Setting.ORDINARY and hobby_answers(difficulty), 0)


@rule("SIM-012", "SIM-013", "SIM-095")
def privilege(rank: Rank, difficulty: int, setting: Setting, rulings: Rulings) -> Privilege:
    """Whether a skill succeeds without dice at this difficulty; thrown, it adds 1.

    ``difficulty`` is that of the circumstances alone. Nothing is automatic in duels, inner conflicts, fights and care;
    a table may except shots at what does not defend itself.
    """
    if rulings.ruleset == "campaign":
        return campaign_privilege(rank, difficulty, setting)
    row = TABLES["privileges"].row(rank.value)
    threshold = row["automatic_at"]
    granted = setting is Setting.SHOT_UNAWARE and rulings.auto_success_ranged == "yes"
    open_to_it = setting is Setting.ORDINARY or granted
    return Privilege(open_to_it and threshold != "" and difficulty >= threshold, row["bonus"])


@rule("SIM-012")
def automatic_check(value: int, rulings: Rulings) -> Check:
    """The result of a success without dice: Normal, with an MR of 1 if one is needed, or as the table chose."""
    margin = {"one": 1, "value_minus_7": max(1, value - 7), "none": 0}[rulings.auto_margin]
    return Check(True, margin)


def thrown(check: Check, value: int, edge: Edge) -> int | None:
    """What the dice came to, read back from a result; None where dice were added to the margin."""
    if check.critical:
        return DOUBLE_SIX if not check.success else DOUBLE_ONE if edge.up_to == DOUBLE_ONE else None
    if not check.success:
        return value + check.margin
    return value - check.margin if edge.extra_dice == 0 else None


def automatic_success(
    dice: Dice, rank: Rank, difficulty: int, value: int, setting: Setting, rulings: Rulings
) -> Check:
    """Do without dice what one's skill makes sure; refused where it does not."""
    if not privilege(rank, difficulty, setting, rulings).automatic:
        why = "SIM-A07" if rulings.ruleset == "campaign" else "SIM-012"
        raise NotAutomatic(why, rank=rank.value, difficulty=difficulty, setting=setting.value)
    dice.note("SIM-012", "automatic", rank=rank.value, difficulty=difficulty)
    return automatic_check(value, rulings)


class Attempt(StrEnum):
    """How the game master sorts an attempt before any dice."""

    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    IMPOSSIBLE = "impossible"


@rule("SIM-001")
def without_dice(attempt: Attempt) -> bool | None:
    """Whether an attempt succeeds without dice; None when it is uncertain, and thrown."""
    return {Attempt.CERTAIN: True, Attempt.IMPOSSIBLE: False, Attempt.UNCERTAIN: None}[attempt]


class Trial(NamedTuple):
    """A test as settled before the dice: what adds up to its value, its critical dice, and whether it is thrown."""

    terms: tuple[Modifier, ...]
    edge: Edge = Edge()
    attempt: Attempt = Attempt.UNCERTAIN


def simple_test(dice: Dice, trial: Trial, rulings: Rulings) -> Check:
    """A whole test: certain or impossible, nothing is thrown; else two dice under the sum of its terms."""
    settled = without_dice(trial.attempt)
    if settled is not None:
        dice.note("SIM-001", trial.attempt.value)
        return Check(settled, int(settled))
    for term in trial.terms:
        dice.note("SIM-002", "term", name=term.name, points=term.points)
    return dice.then(throw, value_of(*trial.terms), trial.edge, rulings)


@rule("SIM-058")
def hindered(component: Component, means: Means, rulings: Rulings, *, gm_says: bool = True) -> bool:
    """Whether armour hampers its wearer here: acts of the body, and by default all but its passive resistance."""
    if component is not Component.BODY or means is Means.RESISTANCE:
        return False
    if means is Means.ACTION or rulings.hinder_shooting == "yes":
        return True
    return gm_says if rulings.hinder_shooting == "gm" else False
