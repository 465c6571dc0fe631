"""« Difficulté »: two scales, how hard the deed is and which outcome would make the better story, and their sum."""

from __future__ import annotations

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.solaires.facts import SCALE, TABLES, Edition

from .errors import NoHalfStep, OffTheScale

HALF_STEP = "half_step"


@rule("SOL-023", "SOL-024")
def levels(scale: str) -> dict[str, int]:
    """The five named levels of a scale (``intrinsic`` or ``interest``) with their modifiers, the easiest first."""
    named = TABLES[scale].column("level")
    return {level: modifier for modifier, level in named.items() if level != HALF_STEP}


@rule("SOL-021")
def on_scale(value: int, rulings: Rulings) -> int:
    """Any whole number from -4 to +4: odd ones lie between two levels.

    The later edition does not repeat that one may hesitate between two levels; a table may hold it to that (R-05).
    """
    if abs(value) > SCALE:
        raise OffTheScale(got=value, most=SCALE)
    if value % 2 and rulings.edition == Edition.V5 and rulings.half_steps == "false":
        raise NoHalfStep(got=value)
    return value


@rule("SOL-020", "SOL-022")
def total_difficulty(dice: Dice, intrinsic: int, interest: int, rulings: Rulings) -> int:
    """The sum of both scales, from -8 to +8; positive is easier. What the character is worth does not enter it."""
    return on_scale(intrinsic, rulings) + on_scale(interest, rulings)


@rule("SOL-022")
def free_difficulty(dice: Dice, number: int) -> int:
    """A number that the game master gives without the scales, where the table allows it (R-36)."""
    return number


@rule("SOL-080")
def opposed_difficulty(engaged: tuple[int, ...], interest: int, rulings: Rulings) -> int:
    """Three less what the other side engages; the scales do not count, unless the table adds the interest (R-19)."""
    added = on_scale(interest, rulings) if rulings.opposition_interest == "true" else 0
    return int(TABLES["opposition"].cell(sum(engaged), "difficulty")) + added
