"""Names that cannot be mistaken for another's: blank, the same, or one that looks the same is refused."""

import pytest
from evening import Evening

from paravent.table import commands as c


@pytest.mark.parametrize("name", ["Bob", "bob", " BOB ", "Bób", "\u0412ob", "B0b", "B o b", "Bo\u200bb", "\u202eBob"])
def test_a_name_that_looks_like_anothers_is_refused(name: str) -> None:
    at = Evening()
    assert at.ana.refused(c.AddSeat, name=name) == "table/name-taken"
    assert at.cy.refused(c.RenameSeat, who=at.cy.seat, name=name) == "table/name-taken"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u202e\u2066", "\u00a0"])
def test_a_name_that_shows_nothing_is_refused(name: str) -> None:
    at = Evening()
    assert at.ana.refused(c.AddSeat, name=name) == "table/empty"


def test_one_keeps_ones_own_name_written_otherwise_and_a_closed_seat_keeps_none() -> None:
    at = Evening()
    at.bob.does(c.RenameSeat, who=at.bob.seat, name="BOB")
    assert at.table.state.seats[at.bob.seat].name == "BOB"
    at.ana.does(c.RevokeLink, who=at.bob.seat)
    at.cy.does(c.RenameSeat, who=at.cy.seat, name="Bob")
