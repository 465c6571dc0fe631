"""What is filled in saves itself: while one save is on its way others wait, the last one wins, and nothing is lost."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .budget import until
from .conftest import OpenTable, Person

pytestmark = pytest.mark.needs("chromium")
NOUR = "Nour Valcourt"


class Held:
    """The first save of a page, kept on its way until it is let go; whatever is asked of the server is counted."""

    def __init__(self, who: Person) -> None:
        self.who = who
        self.waiting: list[Any] = []
        self.asked: list[str] = []
        who.page.route("**/do/fill", self._fills)
        who.page.route("**/do/throw", self._throws)

    def _fills(self, route: Any) -> None:
        self.asked.append("fill")
        if len(self.asked) == 1:
            self.waiting.append(route)
        else:
            route.continue_()

    def _throws(self, route: Any) -> None:
        self.asked.append("throw")
        route.continue_()

    def is_on_its_way(self) -> None:
        until(self.who.page, lambda: bool(self.waiting), "nothing was saved")

    def lets_go(self) -> None:
        self.waiting.pop().continue_()


def says(who: Person, *words: str) -> None:
    """Touch tiles of the open act, one after the other."""
    for word in words:
        who.card().get_by_role("radio", name=re.compile(rf"\b{word}")).first.evaluate("(tile) => tile.click()")


def said(who: Person) -> Any:
    """What the table holds of the open act."""
    (move,) = who.view["moves"].values()
    return next(filled for actor, filled in move["fields"].items() if actor != "gm")


def test_the_last_of_what_is_touched_while_a_save_is_on_its_way_is_what_counts(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    expect(bob.card()).to_be_visible()
    held = Held(bob)
    says(bob, "Instincts")
    held.is_on_its_way()
    says(bob, "Cœur", "Esprit", "Désir")
    ana.says("Le sas gronde.")  # the page is drawn anew meanwhile
    bob.hears("Le sas gronde.")
    for word in ("Esprit", "Désir"):
        expect(bob.card().get_by_role("radio", name=re.compile(f"^{word}")).first).to_be_checked()
    held.lets_go()
    until(bob.page, lambda: (said(bob).get("component"), said(bob).get("means")) == ("mind", "desire"))
    assert held.asked == ["fill", "fill"], "what was touched in between goes with the last"
    bob.comes_back()
    expect(bob.card().get_by_role("radio", name=re.compile("^Esprit")).first).to_be_checked()


def test_a_throw_waits_for_what_was_touched_last(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    says(ana, "Normal")
    dice = bob.bar.get_by_role("button", name=re.compile("^Lancer")).first
    expect(dice).to_be_visible()
    held = Held(bob)
    says(bob, "Instincts")
    held.is_on_its_way()
    says(bob, "Cœur")
    dice.click()
    held.lets_go()
    until(bob.page, lambda: "throw" in held.asked, "the dice were not thrown")
    assert held.asked[:2] == ["fill", "fill"], "a throw overtook what was filled in"
    assert set(held.asked[2:]) == {"throw"}  # once more where somebody's grain came late
    bob.hears("Cœur")


def test_a_tile_drawn_anew_while_a_save_is_on_its_way_stands_for_what_it_says(open_table: OpenTable) -> None:
    """Six characteristics become the three of a skill: whoever touches « Charme » says charm, and nothing else."""
    table = open_table("empire", waiting=False)
    table.gm()
    bob = table.joins("Bob")
    bob.page.get_by_role("button", name="Jouer Solveig Arrant").click()
    expect(bob.sheets.get_by_text("Ma fiche")).to_be_visible()
    bob.finds("skill-test").click()
    card, answered = bob.card("skill-test"), list[Any]()
    bob.page.route("**/do/fill", lambda route: answered.append((route, route.fetch())))
    card.get_by_role("combobox", name="Compétence").select_option(label="46 Estimation")
    expect(card.get_by_role("radio", name=re.compile("Charme .*14"))).to_be_attached()  # the news overtook the answer
    tiles = card.locator("[type=radio][name$=':characteristic']:not([value=''])").evaluate_all(
        "(tiles) => tiles.map((tile) => [tile.value, tile.closest('label').innerText.trim().split(/\\s/)[0]])")
    assert ("charm", "Charme") in (pairs := set(map(tuple, tiles))), pairs
    assert len(pairs) == 3, pairs
    route, answer = answered.pop()
    route.fulfill(response=answer)
    bob.page.unroute("**/do/fill")
