"""The days of a story, in minutes: when a morning comes, when people play."""

from __future__ import annotations

A_DAY = 24 * 60
MORNING, EVENING = 8 * 60, 19 * 60
"""When a night is over, and when the first evening of a table begins."""


def until_morning(minute: int) -> int:
    """How long it is until the next morning, from a minute of the day."""
    return (MORNING - minute) % A_DAY or A_DAY
