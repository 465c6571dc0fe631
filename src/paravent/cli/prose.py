"""Text whose lines are not broken at a no-break space: French has one before many of its signs."""

from __future__ import annotations

from rich.console import Console, JustifyMethod, OverflowMethod
from rich.containers import Lines
from rich.text import Text

_HELD = str.maketrans("\u00a0\u202f", "\ue0a0\ue02f")
"""While lines are broken, a letter of nobody's alphabet stands for each: no wrapping takes it for a space."""
_LET_GO = {held: space for space, held in _HELD.items()}


class Prose(Text):
    """Text that wraps at spaces alone; laid out inside a grid, a padding or a group, which keep it as it is."""

    def wrap(
        self, console: Console, width: int, *, justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None, tab_size: int = 8, no_wrap: bool | None = None,
    ) -> Lines:
        """The lines of the text, no wider than this."""
        held = self.copy()
        held.plain = self.plain.translate(_HELD)
        lines = Text.wrap(held, console, width, justify=justify, overflow=overflow, tab_size=tab_size,
                          no_wrap=no_wrap)
        for line in lines:
            line.plain = line.plain.translate(_LET_GO)
        return lines
