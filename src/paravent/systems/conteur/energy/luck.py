"""Luck points: « Attributs », « Récupérer la chance »."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import rule

from .errors import LuckShort


class Luck(NamedTuple):
    """The second line of the sheet, and what is left."""

    luck_used: int
    luck_available: int


@rule("D10-029")
def luck_available(luck: int, luck_used: int) -> int:
    """The points left: the attribute is their maximum."""
    return max(0, luck - luck_used)


@rule("D10-030")
def check_luck(points: int, available: int) -> int:
    """The points a player keeps at hand for a roll; no more than are left."""
    if points > available:
        raise LuckShort(got=points, most=available)
    return points


@rule("D10-034")
def refund_luck(dice: Dice, luck: int, luck_used: int, points: int) -> Luck:
    """The game master gives points back, as many as they wish; nothing comes back by itself."""
    used = max(0, luck_used - points)
    dice.note("D10-034", "refunded", n=luck_used - used)
    return Luck(used, luck_available(luck, used))
