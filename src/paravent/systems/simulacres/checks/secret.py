"""Simulacres, « Qui lance les dés ? »: players throw for their characters, the game master for his, and in secret.

When a character must not know whether he succeeded, the player gives a sum, and the game master does the rest behind
the screen.
"""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.terms import Rank

from .check import Check, check


class Secret(NamedTuple):
    """A secret test thrown, and whether there was anything to find."""

    check: Check
    found: bool


@rule("SIM-023")
def roller(owner: str) -> str:
    """Who throws: a player for his character, the game master for the rest of the world."""
    return "initiator" if owner else "gm"


@rule("SIM-024")
def secret_test(
    dice: Dice, announced: int, difficulty: int, rank: Rank, something_there: bool, rulings: Rulings
) -> Secret:
    """The game master adds a difficulty to the announced sum and throws; nothing is found where nothing is."""
    hidden = dice.of(roller(""))
    hidden.note("SIM-024", "secret_value", announced=announced, difficulty=difficulty, value=announced + difficulty)
    thrown = hidden.resolve(check, announced + difficulty, rank, rulings)
    return Secret(thrown, thrown.success and something_there)


@rule("SIM-024")
def narrated(secret: Secret, on_success: str, on_failure: str) -> str:
    """The one sentence that the player hears: a failure and a true absence read alike."""
    return on_success if secret.found else on_failure
