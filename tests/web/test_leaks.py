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


def test_an_undo_line_says_who_left_and_nothing_of_whom_nobody_knew() -> None:
    table = Table(VEIL)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    thugs = tuple(c.Arrival(kind="extra", sheet={"name": f"Brute {n}"}, seen_by=("all",)) for n in (1, 2))
    ana.does(c.AddPeople, people=thugs)
    ana.does(c.UndoLast)
    ana.does(c.AddPeople, people=(c.Arrival(kind="extra", sheet={"name": "Ombre"}, seen_by=("gm",)),))
    ana.does(c.UndoLast)
    told = {who.seat: [desk.story.what(line) for line in desk.log if line.type == "corrected"]
            for who in (ana, bob) for desk in (Desk(table.state, who.seat, VEIL, "fr"),)}
    both = "une arrivée\u00a0: Brute 1 et Brute 2"
    assert told == {ana.seat: [both, "une arrivée\u00a0: Ombre"], bob.seat: [both]}


def test_whoever_left_the_table_keeps_their_name_in_earlier_lines_for_those_who_knew_them() -> None:
    table = Table(VEIL)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    tarn, shade = ana.brings("Tarn", seen_by=("all",)), ana.brings("Ombre", seen_by=("gm",))
    for who in (tarn, shade):
        ana.throws(ana.starts("leap", {"initiator": [who]}, {who: {"score": 3}}))

    def read(person: Person) -> tuple[list[str], dict[str, str], list[str]]:
        desk = Desk(table.state, person.seat, VEIL, "fr")
        return ([desk.acts.told(move).who for move in desk.moves.values()],
                {line.record: desk.name(line.record) for line in desk.log if line.type == "record-added"},
                [desk.name(who) for who in (tarn, shade)])

    before = read(ana), read(bob)
    for who in (tarn, shade):
        ana.does(c.RemoveRecord, record=who)
    assert read(ana) == before[0]
    assert read(bob)[:2] == before[1][:2]
    assert "Ombre" not in str(read(bob))
    assert shade not in str(bob.sees())
