"""Simulacres, « Duels »: both sides throw, and the higher MR wins (SIM-025 to SIM-027)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.terms import Rank

from .check import Check, Edge, edge_of, throw


class Side(NamedTuple):
    """One side of a duel: its value and rank; ``edge`` replaces the rank's dice where an option says so.

    ``speed`` are points of speed kept to break a tie (SIM-B03).
    """

    value: int
    rank: Rank = Rank.NONE
    edge: Edge | None = None
    speed: int = 0


class Winner(StrEnum):
    """How a duel ends."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_FAIL = "both_fail"


class Duel(NamedTuple):
    """A duel fought: who wins, and what each side threw."""

    winner: Winner
    a: Check
    b: Check

    @property
    def margin(self) -> int:
        """The winner's MR; that of both in a tie, 0 when both fail."""
        if self.winner is Winner.BOTH_FAIL:
            return 0
        return self.b.margin if self.winner is Winner.B else self.a.margin


@rule("SIM-025", "SIM-027")
def duel(dice: Dice, a: Side, b: Side, rulings: Rulings) -> Duel:
    """Both sides make their own test; a success beats a failure, and of two successes the higher MR wins.

    A critical only acts through its success and its MR.
    """
    mine = dice.of("initiator").resolve(throw, a.value, a.edge or edge_of(a.rank), rulings)
    theirs = dice.of("opponent").resolve(throw, b.value, b.edge or edge_of(b.rank), rulings)
    winner = verdict(mine, theirs)
    if winner is Winner.TIE and rulings.speed_alternative == "on":
        winner = faster(a.speed, b.speed)
    dice.note("SIM-025", f"duel_{winner.value}")
    return Duel(winner, mine, theirs)


@rule("SIM-025", "SIM-026")
def verdict(a: Check, b: Check) -> Winner:
    """Who wins: equal MR cancel each other, and when both fail nothing happens either."""
    if not a.success and not b.success:
        return Winner.BOTH_FAIL
    if a.success != b.success:
        return Winner.A if a.success else Winner.B
    if a.margin == b.margin:
        return Winner.TIE
    return Winner.A if a.margin > b.margin else Winner.B


@rule("SIM-B03")
def faster(a: int, b: int) -> Winner:
    """A tie goes to the side that put more points of speed into breaking it."""
    if a == b:
        return Winner.TIE
    return Winner.A if a > b else Winner.B
