"""Ways in which a page once told what it should not, each as a small story."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "table"))

import pytest
from scene import Person, Table
from veil import VEIL

from paravent.game import UnknownName
from paravent.table import commands as c
from paravent.web.charts import Outlook
from paravent.web.desk import Desk


def outlook_of(person: Person, number: int, **filled: int) -> Outlook:
    desk = Desk(person.table.state, person.seat, VEIL, "fr")
    mine = next(name for name, held in person.sees()["records"].items() if held["owner"] == person.seat)
    return desk.outlook_with(number, {mine: filled})


@pytest.mark.parametrize("tried", [0, 1, 2, 3])
def test_trying_a_sealed_choice_on_the_form_does_not_open_the_other_side(tried: int) -> None:
    outlooks = []
    for sealed in (0, 3):
        table = Table(VEIL)
        table.joins("Ana", as_="gm")
        bob, cy = table.joins("Bob"), table.joins("Cy")
        elya, tarn = bob.brings("Elya"), cy.brings("Tarn")
        number = bob.starts("duel", {"initiator": [elya], "opponent": [tarn]})
        cy.does(c.Fill, number=number, values={"stance": sealed})
        outlooks.append(outlook_of(bob, number, stance=tried))
    assert outlooks[0] == outlooks[1]


def test_a_refusal_of_any_kind_is_said_on_the_page() -> None:
    table = Table(VEIL)
    ana = table.joins("Ana", as_="gm")
    desk = Desk(table.state, ana.seat, VEIL, "fr")
    assert "Nobody" in desk.refusal(UnknownName("seat", "Nobody", ["Ana"]))
