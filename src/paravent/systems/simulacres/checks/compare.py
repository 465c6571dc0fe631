"""Simulacres, « Évaluation entre deux personnages » and « La dernière chance » (SIM-076, SIM-077)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.terms import TABLES, Component, Energy, Means, Realm

from .check import DOUBLE_ONE
from .errors import LastChanceUsed, NotDesperate


class Contest(NamedTuple):
    """What is compared: a sum, and the energy that is counted in full, unpaid."""

    component: Component
    means: Means
    realm: Realm
    energy: Energy


@rule("SIM-076", "SIM-022")
def contest(act: str) -> Contest:
    """The terms of a ready contest: a sprint, a long run, arm wrestling, an equation…"""
    row = TABLES["contests"].row(act)
    return Contest(Component(row["component"]), Means(row["means"]), Realm(row["realm"]), Energy(row["energy"]))


class Better(StrEnum):
    """Who is the better."""

    A = "a"
    B = "b"
    EQUAL = "equal"


class Comparison(NamedTuple):
    """A friendly comparison: the better of two, and what each is worth."""

    better: Better
    a: int
    b: int


@rule("SIM-076")
def compare(dice: Dice, a: int, b: int) -> Comparison:
    """Between friends nobody throws: the higher value is the better, equal is equal."""
    dice.note("SIM-076", "compared", a=a, b=b)
    if a == b:
        return Comparison(Better.EQUAL, a, b)
    return Comparison(Better.A if a > b else Better.B, a, b)


class LastChance(NamedTuple):
    """A last chance taken: saved or lost, and whether it is used up."""

    saved: bool
    used_up: bool


@rule("SIM-077")
def may_hope(used: bool, desperate: bool) -> None:
    """Once in a life, and only for who is beyond saving."""
    if used:
        raise LastChanceUsed()
    if not desperate:
        raise NotDesperate()


@rule("SIM-077")
def last_chance_terms(realm: Realm) -> tuple[str, str]:
    """What the last chance is thrown under: desire and the realm of the hoped-for event, no component."""
    return Means.DESIRE.value, realm.value


@rule("SIM-077")
def last_chance(dice: Dice, desire: int, realm: int, rulings: Rulings) -> LastChance:
    """Throw two dice strictly under desire + realm: no component, difficulty, energy or critical."""
    roll = dice.sum(2, 6)
    miracle = roll == DOUBLE_ONE and rulings.last_chance_double_one == "yes"
    saved = roll < desire + realm or miracle
    dice.note("SIM-077", "last_chance", roll=roll, value=desire + realm)
    return LastChance(saved, saved or rulings.last_chance_spent == "always")
