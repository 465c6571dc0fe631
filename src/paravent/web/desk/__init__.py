"""What a page needs to draw one seat's side of a table: forms to fill, choices to make, odds, results, in words.

Everything is read from what the seat may see: a field's bounds, options and usual value are worked out on a veiled
context, and whatever depends on a hidden thing is left out.

Each chapter is a class that goes on from the one before: the seat, its records, handling, moves, starting, encounters,
the story.
"""

from .cards import Card
from .story import Story


class Desk(Story):
    """One seat's side of a table, in one language."""


__all__ = ["Card", "Desk"]
