"""How long passes at the table: the spans, and the two fields that ask for them.

The move that lets time pass is the house's; a game reads these to say what it asks of whoever lives through it.
"""

from __future__ import annotations

from .days import A_DAY, until_morning
from .fields import OneOf, Whole
from .move import Context, Field, Follow

PASS_TIME = "pass-time"
"""The move of the house that lets time pass."""

MINUTES = {"minutes": 1, "hours": 60, "night": 480, "days": A_DAY, "weeks": 7 * A_DAY, "scene": 1, "episode": 1}
"""The minutes of each span; a scene or an episode ends after as many minutes as the game master says, maybe none.

A night goes to the next morning; it has its eight hours where no clock says what time it is.
"""
NONE_BY_ITSELF = ("scene", "episode")
LONGEST = 10_000


def usual_count(ctx: Context) -> int:
    """One of the span, unless it takes no time by itself."""
    return 0 if ctx[TIME_SPAN] in NONE_BY_ITSELF else 1


TIME_SPAN = Field("time_span", OneOf(tuple(MINUTES)), "gm")
"""The field that says what passes: a minute, an hour, a scene."""
TIME_COUNT = Field("time_count", Whole(0, LONGEST), "gm", usual=usual_count)
"""The field that says how many of them."""


def time_goes_by(minutes: int, secrecy: str = "open") -> tuple[Follow, ...]:
    """What follows from something that takes a while: the time passes for everybody, in the largest span that fits.

    It goes through the table's one clock: what it does to each is proposed there, and nothing counts it twice. Where
    nobody may know beforehand how long it is, it is ``invisible``.
    """
    if minutes <= 0:
        return ()
    span = next(name for name in ("weeks", "days", "hours", "minutes") if minutes % MINUTES[name] == 0)
    count = min(LONGEST, minutes // MINUTES[span])
    return (Follow(PASS_TIME, {}, {"gm": {"time_span": span, "time_count": count}}, secrecy),)


def minutes_of(ctx: Context) -> int:
    """How many minutes pass."""
    span, count = ctx[TIME_SPAN], ctx[TIME_COUNT]
    if span == "night" and count and ctx.minute is not None:
        return until_morning(ctx.minute) + (count - 1) * A_DAY
    return MINUTES[span] * count
