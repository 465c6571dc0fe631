"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NoSuchSquare(RuleError):
    """A square is named by its column and row, from 0101 to 1010."""

    code = "empire/no-such-square"
    rule = "EGW-098"


class NobodyThere(RuleError):
    """No people lives there."""

    code = "empire/nobody-there"
    rule = "EGW-032"


class NotThatMuch(RuleError):
    """The figure set by hand is not one that the dice could give."""

    code = "empire/not-that-much"
    rule = "EGW-032"


class NotASector(RuleError):
    """A line is not one of a sector in that format."""

    code = "empire/not-a-sector"
    rule = "EGW-098"


class NoSuchCell(RuleError):
    """A cell of a table holds what its column cannot, or what another line has already."""

    code = "empire/no-such-cell"
    rule = "EGW-098"
