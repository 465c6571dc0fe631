"""Plain values: what belongs to a game, as files and the wire carry it.

One closed type. What a game makes of it is decided at one door, by its declarations: :mod:`paravent.game.records` reads
records and states, :mod:`paravent.game.fields` reads what is filled in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
else:
    # The codec reads JSON into just these values when it is told nothing more.
    Plain = Any
