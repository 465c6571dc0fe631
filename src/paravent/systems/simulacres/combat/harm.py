"""Simulacres, an exchange for those who only ask what it costs each."""

from __future__ import annotations

from paravent.dice import Dice
from paravent.game import Rulings
from paravent.systems.simulacres.checks.check import Edge, throw

from .combat import FAILED, NOBODY, Clash, lands
from .damage import Blow, inflict, roll_damage

Harm = tuple[tuple[int, int], ...]
"""The PV and PS that each loses."""
Known = tuple[int | None, ...]


def harm(dice: Dice, prepared: Clash, most: Harm, rulings: Rulings) -> Harm:
    """What an exchange costs each, capped at ``most``, all differences that do not matter merged.

    It is :func:`.combat.exchange` with blows that land together, thrown in an order that keeps few branches: the test
    on which most attacks hang first, then those that it leaves independent of each other.
    """
    return dice.then(_harm, prepared, (None,) * len(prepared.rolls), most, rulings)


def margin_of(dice: Dice, value: int, edge: Edge, rulings: Rulings) -> int:
    """The MR of a test, all failures alike."""
    check = throw(dice, value, edge, rulings)
    return check.margin if check.success else FAILED


def points_taken(dice: Dice, blow: Blow, margin: int, most: tuple[int, int], rulings: Rulings) -> tuple[int, int]:
    """The points that a hit takes, no more than there are."""
    # Called, not resolved: the totals would be merged one by one, and are not asked for.
    done = inflict(dice, blow, margin, "", rulings) if blow.pulled else roll_damage(dice, blow, margin, rulings)
    return min(done.pv, most[0]), min(done.ps, most[1])


def _harm(dice: Dice, prepared: Clash, known: Known, most: Harm, rulings: Rulings) -> Harm:
    """What the attacks still open cost, some tests being known."""
    groups = _independent(prepared, known)
    if len(groups) > 1:
        return dice.then(_together, prepared, tuple(groups), known, most, rulings)
    if not groups:
        return ((0, 0),) * len(most)
    return dice.then(_group, prepared, groups[0], known, most, rulings)


def _together(
    dice: Dice, prepared: Clash, groups: tuple[tuple[int, ...], ...], known: Known, most: Harm, rulings: Rulings
) -> Harm:
    """What several independent groups cost in all, added one by one."""
    first: Harm = dice.resolve(_group, prepared, groups[0], known, most, rulings)
    if len(groups) == 1:
        return first
    rest: Harm = dice.resolve(_together, prepared, groups[1:], known, most, rulings)
    return _sum(first, rest, most)


def _group(
    dice: Dice, prepared: Clash, group: tuple[int, ...], known: Known, most: Harm, rulings: Rulings
) -> Harm:
    """What the attacks that hang on a group of linked tests cost: the most tied test is thrown, then the rest."""
    hub = group[0]
    roll = prepared.rolls[hub]
    margin: int = dice.resolve(margin_of, roll.value, roll.edge, rulings)
    now = (*known[:hub], margin, *known[hub + 1:])
    none: Harm = ((0, 0),) * len(most)
    lost = none
    for attack in prepared.attacks:
        if hub not in (attack.roll, attack.against):
            continue
        mine = now[attack.roll]
        theirs = FAILED if attack.against == NOBODY else now[attack.against]
        if mine is None or theirs is None:
            continue
        hit = lands(attack, mine, theirs)
        if hit != FAILED:
            taken: tuple[int, int] = dice.resolve(points_taken, attack.blow, hit, most[attack.target], rulings)
            one = (*none[: attack.target], taken, *none[attack.target + 1 :])
            lost = one if lost is none else _sum(lost, one, most)
    if len(group) == 1:
        return lost
    outside = tuple(
        FAILED if at not in group and value is None else value for at, value in enumerate(now)
    )
    inner = Clash(prepared.rolls, tuple(one for one in prepared.attacks if {one.roll, one.against} & set(group)))
    rest: Harm = dice.resolve(_harm, inner, outside, most, rulings)
    return rest if lost is none else _sum(lost, rest, most)


def _independent(prepared: Clash, known: Known) -> list[tuple[int, ...]]:
    """The tests still to throw, gathered with those that they are compared with, the most tied first."""
    group_of: dict[int, set[int]] = {}
    for attack in prepared.attacks:
        ends = {at for at in (attack.roll, attack.against) if at != NOBODY and known[at] is None}
        if not ends:
            continue
        merged = set(ends)
        for at in ends:
            merged |= group_of.get(at, set())
        for at in merged:
            group_of[at] = merged
    ties = [at for attack in prepared.attacks for at in (attack.roll, attack.against)]
    return sorted({tuple(sorted(group, key=lambda at: (-ties.count(at), at))) for group in group_of.values()})


def _sum(one: Harm, other: Harm, most: Harm) -> Harm:
    return tuple(
        [(min(a + c, pv), min(b + d, ps)) for (a, b), (c, d), (pv, ps) in zip(one, other, most, strict=True)]
    )
