"""What was worked out of an act is asked again only once a field that it reads holds something else.

Whoever may not see the same is never given what another was."""

from dataclasses import replace
from typing import Any

import pytest
from scene import Table
from veil import AGAIN, BODY, DIFFICULTY, VEIL

from paravent.game import Context
from paravent.game.errors import Withheld
from paravent.table.by_filled import ByFilled
from paravent.table.deciding import Fresh
from paravent.table.open_move import OpenMove
from paravent.table.sight import Sight
from paravent.table.turn import Turn


class Tried:
    """Bob tries something at Ana's table; nothing is thrown yet."""

    def __init__(self) -> None:
        self.table = Table(VEIL)
        self.ana, self.bob = self.table.joins("Ana", as_="gm"), self.table.joins("Bob")
        self.cy, self.dan = self.table.joins("Cy"), self.table.joins("Dan")
        self.number: int = self.bob.starts("act", {"initiator": [self.bob.brings("Elya", body=3)]})
        self.kept: ByFilled[Any] = ByFilled()
        self.asked = 0

    @property
    def op(self) -> OpenMove:
        return Turn(self.table.state, VEIL, Fresh(), self.bob.seat).at(self.number)

    def seen(self, who: str, **filled: Any) -> Context:
        """What somebody may read of it, with this filled in."""
        ctx = Sight(self.table.state, VEIL, getattr(self, who).seat).context(self.op)
        return replace(ctx, actors=tuple(
            replace(actor, filled={**actor.filled, **filled}) if actor.role == "initiator" else actor
            for actor in ctx.actors))

    def told(self, ctx: Context, field: Any) -> Any:
        """What a field holds, kept."""

        def read(noted: Context) -> Any:
            self.asked += 1
            return noted[field]

        return self.kept.of(self.op, ctx, read, field.id)


def test_it_is_asked_again_only_once_what_it_reads_is_another() -> None:
    tried = Tried()
    assert [tried.told(tried.seen("bob", again=again, score=score), AGAIN)
            for again, score in ((True, 3), (True, 4), (False, 4), (True, 2), (False, 3))] == [
        True, True, False, True, False]
    assert tried.asked == 2
    assert tried.told(tried.seen("bob", again=True, score=4), BODY) == 4


def test_those_who_may_read_the_same_are_told_once() -> None:
    tried = Tried()
    assert tried.told(tried.seen("cy", again=True), AGAIN) is tried.told(tried.seen("dan", again=True), AGAIN) is True
    assert tried.asked == 1
    assert tried.told(tried.seen("bob", again=True), AGAIN) is True  # who sees more of the sheet reads another
    assert tried.asked == 2


def test_what_was_told_to_the_game_master_is_not_told_to_a_player() -> None:
    tried = Tried()
    tried.ana.fills(tried.number, "gm", difficulty=2)
    assert tried.told(tried.seen("ana"), DIFFICULTY) == 2
    for who in ("bob", "cy"):
        with pytest.raises(Withheld):
            tried.told(tried.seen(who), DIFFICULTY)
