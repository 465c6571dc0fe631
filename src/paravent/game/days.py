"""The days of a story, in minutes: when a morning comes, when people play, what a day is called."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

A_DAY = 24 * 60
MORNING, EVENING = 8 * 60, 19 * 60
"""When a night is over, and when the first evening of a table begins."""


def until_morning(minute: int) -> int:
    """How long it is until the next morning, from a minute of the day."""
    return (MORNING - minute) % A_DAY or A_DAY


def hour_of(minutes: int, lang: str) -> dict[str, str]:
    """The hour and the minute of a time of the clock, as sentences are given them: French writes « 8 h 00 »."""
    hour = minutes % A_DAY // 60
    return {"hour": f"{hour}" if lang == "fr" else f"{hour:02}", "minute": f"{minutes % 60:02}"}


class Date(NamedTuple):
    """A day as a calendar has it: its place in the month, the ids of the month and of the day of the week, the year."""

    day: int
    month: str = ""
    week: str = ""
    year: int = 0


@dataclass(frozen=True)
class Calendar:
    """How a game names the days of its story. Its words: ``calendar.months``, ``calendar.week`` and ``calendar.date``.

    Without months the days are numbered on and on; without a week they have no names.
    """

    months: tuple[tuple[str, int], ...] = ()
    """The months of a year, each with its days."""
    week: tuple[str, ...] = ()
    """The days of a week."""
    begins: int = 1
    """Which day of the year the first day of a table is."""
    year: int = 1
    """And of which year."""

    def date(self, day: int) -> Date:
        """What a day of the story is called; the first is 0."""
        week = self.week[day % len(self.week)] if self.week else ""
        length = sum(days for _, days in self.months)
        if not length:
            return Date(day + 1, week=week)
        years, left = divmod(self.begins - 1 + day, length)
        ends = [*accumulate(days for _, days in self.months)]
        at = bisect(ends, left)
        month, days = self.months[at]
        return Date(left - (ends[at] - days) + 1, month, week, self.year + years)
