"""What a page needs to draw one seat's side of a table: forms to fill, choices to make, odds, results, in words.

Everything is read from what the seat may see: a field's bounds, options and usual value are worked out on a veiled
context, and whatever depends on a hidden thing is left out. A desk is a :class:`DeskSeat` and what lies before it, each
in a module of its own: its sheets, the acts as cards, what it may start, the boards of encounters, the story.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.game import Plain
from paravent.game.lazily import cached_property
from paravent.web.charts import Outlook

from . import handling
from .acts import ActCards
from .boards import Boards
from .cards import Card, ChangeCard
from .due import Due, due_of, told_shortly
from .inside import Inside
from .repeats import Repeats
from .seat import DeskSeat
from .sheets import DrawnSheet, FaultTold, Sheets
from .starts import Starts
from .story import Story
from .welcome import Welcome


class Desk(DeskSeat):
    """One seat's side of a table, in one language."""

    @cached_property
    def sheets(self) -> Sheets:
        """The records that the seat sees, drawn."""
        return Sheets(self)

    @cached_property
    def acts(self) -> ActCards:
        """The acts, as cards."""
        return ActCards(self, self.sheets)

    @cached_property
    def starts(self) -> Starts:
        """What the seat may begin."""
        return Starts(self, self.sheets, self.inside)

    @cached_property
    def welcome(self) -> Welcome:
        """What somebody new does first."""
        return Welcome(self, self.sheets, self.starts)

    @cached_property
    def repeats(self) -> Repeats:
        """What the seat may do once more."""
        return Repeats(self, self.sheets, self.starts)

    @cached_property
    def inside(self) -> Inside:
        """Who is in the encounters."""
        return Inside(self)

    @cached_property
    def boards(self) -> Boards:
        """The encounters."""
        return Boards(self, self.sheets, self.acts, self.starts, self.inside)

    @cached_property
    def story(self) -> Story:
        """The log, in words."""
        return Story(self, self.acts)

    def due(self, card: Card) -> Due | None:
        """What an act waits for from this seat."""
        return due_of(card, self.is_gm)

    @staticmethod
    def told_shortly(changes: list[ChangeCard]) -> str:
        """The only thing that would change, where there is but one."""
        return told_shortly(changes)

    def outlook_with(self, number: int, filled: Mapping[str, Mapping[str, Any]]) -> Outlook:
        """What the odds would be with a form as it stands, before anything of it is saved."""
        return handling.outlook_with(self, number, filled)

    def refusals_of(self, number: int, filled: Mapping[str, Mapping[str, Plain]]) -> list[FaultTold]:
        """What an act would answer to what is being written for it."""
        return [FaultTold(why, False) for why in handling.refusals_of(self, number, filled)]


__all__ = ["Card", "Desk", "DrawnSheet"]
