"""Reading the dice: « Lancer les dés », « Succès & échecs critiques », « Échelle de succès ».

A die at or under the attribute is a success. A 1 always succeeds and a 10 always fails; thrown together they cancel two
by two before anything else.
"""

from __future__ import annotations

from functools import lru_cache

from paravent.dice import Kinds
from paravent.game import rule
from paravent.systems.conteur.facts import TABLES

ONE, SUCCESS, FAILURE, TEN = "one", "success", "failure", "ten"
KEPT = "kept_"
"""What begins the kinds of dice that luck has thrown again: they are kept as they fall."""


@rule("D10-003")
def effective_target(attribute: int) -> int:
    """The highest face that succeeds: the attribute, but 1 always does and 10 never."""
    return max(1, min(9, attribute))


@rule("D10-001", "D10-003", "D10-009", "D10-010")
@lru_cache(maxsize=256)
def kinds_against(target: int, chain: str = "open", kept: bool = False) -> Kinds:
    """The faces of a d10 as a roll reads them: a 1, an ordinary success, an ordinary failure, a 10.

    Where the table plays ``flat`` (R-04), a die thrown again shows no critical: its 1 and its 10 are ordinary.
    """
    first, last = (2, 9) if chain != "flat" else (1, 10)
    faces = {
        ONE: range(1, first),
        SUCCESS: range(first, target + 1),
        FAILURE: range(target + 1, last + 1),
        TEN: range(last + 1, 11),
    }
    return Kinds(10, **{KEPT + name if kept else name: of_kind for name, of_kind in faces.items()})


@rule("D10-011")
def cancelled_pairs(ones: int, tens: int) -> int:
    """How many 1s and 10s of one batch cancel, two by two."""
    return min(ones, tens)


@rule("D10-007")
def passed(successes: int, difficulty: int) -> bool:
    """Whether the successes reach the difficulty."""
    return successes >= difficulty


@rule("D10-008")
def success_level(successes: int, difficulty: int, basis: str = "total") -> int:
    """How well it went: 0 failed, 1 slight, 2 very good, 3 beyond all hope.

    The book marks 1, 3 and 5 or more; 2 and 4 read as the mark below (R-14). With ``margin`` only what exceeds the
    difficulty counts, one success being the least.
    """
    if not passed(successes, difficulty):
        return 0
    counted = successes - difficulty + 1 if basis == "margin" else successes
    return _scale(max(0, counted))


@lru_cache(maxsize=128)
def _scale(counted: int) -> int:
    return int(TABLES["success_scale"].cell(counted, "level"))
