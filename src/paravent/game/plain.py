"""The values of a game: plain, as files and the wire carry them; and as its rules make them.

Both are closed types. What a game makes of plain values is decided at one door, by its declarations:
:mod:`paravent.game.records` reads records and states, :mod:`paravent.game.fields` reads what is filled in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
    Value = (
        None | bool | int | float | str | Fraction | Enum | DataclassInstance
        | Sequence["Value"] | Set["Value"] | Mapping[str, "Value"]
    )
else:
    # The codec reads JSON into just these values when it is told nothing more.
    Plain = Any
    """A value as files and the wire carry it: nothing, a number, words, yes or no; lists of these, and by name."""
    Value = Any
    """A value as rules make it: a plain one, a fraction, an enumeration, a frozen record; several, or by name."""

SIMPLE = frozenset({str, int, bool, float, type(None)})
"""The types of values that have no parts: they are the same, plain or as rules make them."""

__all__ = ["SIMPLE", "Plain", "Value"]
