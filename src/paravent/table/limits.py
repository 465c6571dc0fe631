"""How much a table takes. What is beyond is refused with a steady code, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from .errors import NotPlain, TooDeep, TooLarge, TooLong, TooMany

LONGEST_TEXT = 8000
LONGEST_NAME = 60
LONGEST_REASON = 200
LONGEST_GRAIN = 128
LONGEST_ID = 64
MOST_PROMISES = 64
"""Of how many grains a seat promises at once."""
DEEPEST = 12
LARGEST = 40_000
"""The number of values in one command, a whole sheet included."""
LARGEST_NUMBER = 10**12
MOST_SEATS = 64
MOST_RECORDS = 3000
MOST_RECORDS_OF_A_PLAYER = 60
MOST_MOVES_OF_A_SEAT = 40
MOST_CAST = 60
MOST_DICE = 1000
MOST_DAYS = 1_000_000
LONGEST_DOCUMENT = 20_000
LONGEST_DESCRIPTION = 300
"""What a picture shows, in words."""
MOST_DOCUMENTS = 500
MOST_PREPARED = 200
MOST_IN_DECK = 300
MOST_FIRST_ACTS = 6
MOST_APPOINTMENTS = 200
MOST_SECONDS = 24 * 3600
"""For how long an hourglass runs at most."""
MOST_PICTURES = 400
MOST_PICTURES_OF_A_PLAYER = 20
PICTURE_BYTES = 40_000_000
PICTURE_BYTES_OF_A_PLAYER = 6_000_000
"""How much room the pictures of a table have, as they are kept; each player has room of their own: how much the others
took tells them nothing."""
MOST_EVENTS = 200_000
"""How many events a table may bring with it from a file."""
DEEPEST_EVENT = 40


def short(text: str, longest: int) -> str:
    """The text without the blanks around it, if it is not too long."""
    text = text.strip()
    if len(text) > longest:
        raise TooLong(longest=longest, got=len(text))
    return text


def no_more_than(most: int, got: int, what: str) -> None:
    """Refuse more of something than a table takes."""
    if got > most:
        raise TooMany(what=what, most=most)


def check_plain(data: Any, deepest: int = DEEPEST) -> None:
    """Refuse plain values that no table should keep: too deep, too many, not numbers, not text."""
    left = [LARGEST]
    _check(data, deepest, left)


def _check(data: Any, deep: int, left: list[int]) -> None:
    left[0] -= 1
    if left[0] < 0:
        raise TooLarge(most=LARGEST)
    if deep < 0:
        raise TooDeep(most=DEEPEST)
    if isinstance(data, str):
        _check_text(data)
    elif isinstance(data, Mapping):
        for name, value in data.items():
            _check(name, deep, left)
            _check(value, deep - 1, left)
    elif isinstance(data, (list, tuple)):
        for value in data:
            _check(value, deep - 1, left)
    elif isinstance(data, float) and not -LARGEST_NUMBER <= data <= LARGEST_NUMBER:
        raise NotPlain(got=str(data))
    elif isinstance(data, int) and not isinstance(data, bool) and not -LARGEST_NUMBER <= data <= LARGEST_NUMBER:
        raise NotPlain(got=f"{str(data)[:12]}…" if abs(data) < 10**4000 else "…")
    elif is_dataclass(data) and not isinstance(data, type):
        _check(vars(data), deep, left)
    elif data is not None and not isinstance(data, (bool, int, float)):
        raise NotPlain(got=type(data).__name__)


_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What no text holds: an end, and halves of signs."""


def _check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT * 4:
        raise TooLong(longest=LONGEST_TEXT, got=len(text))
    if _NO_TEXT.search(text):
        raise NotPlain(got="\\0")
