"""Dice that nobody can choose, on the page: browsers promise, open and check their grains by themselves."""

import hashlib
import re

from playwright.sync_api import expect

from .conftest import Browsing, OpenTable, Person, say


def proofs(person: Person, number: int = 1) -> list[dict[str, object]]:
    return list(person.view["moves"][str(number)]["proofs"])


def taking_part(person: Person, number: int = 1) -> list[str]:
    """The names of those who take part in the latest throw of an act, once they are told."""
    rows = proofs(person, number)[-1].get("grains", [])
    assert isinstance(rows, list)
    seats = person.view["seats"]
    return sorted(seats[row["seat"]]["name"] for row in rows if not row.get("left_out"))


def promised(*people: Person) -> None:
    """Wait until these browsers have promised."""
    for person in people:
        expect(person.page.locator("#live[data-promised]")).to_be_attached()


def test_a_browser_hashes_as_everybody_does(browsing: Browsing, open_table: OpenTable) -> None:
    ana = open_table("simulacres", waiting=False).gm()
    for text in ("", "abc", "a" * 55, "a" * 56, "a" * 64, "é" * 999):
        found = ana.page.evaluate("(text) => window.grains.sha256(text)", text)
        assert found == hashlib.sha256(text.encode()).hexdigest()


def test_everybody_at_the_table_takes_part_and_a_changed_history_is_said_in_words(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    bob.says("/r 3d6")  # thrown by the page, with its grain
    expect(ana.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob) == ["Ana", "Bob"]
    assert "key" in proofs(bob)[0]
    verdict = bob.asks("GET", "/table/verification").json()
    assert (verdict["verified"], verdict["host_alone"], verdict["begun_again"]) == (1, 0, 0)
    bob.comes_back()
    expect(bob.page.locator("#grains [data-key]")).to_have_count(1)
    expect(bob.page.locator("#history")).to_be_hidden()
    # The host writes another key and hash into the log: the file agrees with itself, this browser does not.
    bob.page.route(re.compile(f"{bob.base}/$"), lambda route: route.fulfill(
        response=(answer := route.fetch()), body=answer.text().replace(str(proofs(bob)[0]["hash"]), "0" * 64)))
    bob.comes_back()
    expect(bob.page.get_by_text(say("web.grains.differs"))).to_be_visible()


def test_one_tap_throws_although_somebody_is_silent_and_they_are_named(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy")
    promised(ana, bob, cy)
    cy.page.route(re.compile("/do/grain$"), lambda route: route.abort())
    bob.says("/r 3d6")
    expect(ana.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob) == ["Ana", "Bob"]
    expect(ana.log.get_by_text(say("web.grains.begun_again", who="Cy"))).to_be_visible()
    cy.page.unroute(re.compile("/do/grain$"))
    bob.says("/r 2d6")  # Cy's page was told, and promised anew
    expect(ana.page.locator("#grains [data-key]")).to_have_count(2)
    assert taking_part(bob, 2) == ["Ana", "Bob", "Cy"]


def test_the_game_master_throws_in_anothers_stead_with_one_tap_and_their_grain(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    bob.takes("Nour")
    ana.acting.get_by_role("button", name=say("web.throw_for", who="Bob")).first.click()
    expect(bob.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob) == ["Ana", "Bob"]
    assert "begun_again" not in proofs(bob)[0]


def test_of_two_throws_that_wait_together_both_are_verified(open_table: OpenTable) -> None:
    """Bob's page holds its grain back for Bob's throw and gives it to Cy's, which comes between: it has others."""
    table = open_table("simulacres", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy")
    promised(ana, bob, cy)
    ana.does("set-house", judging="at-will")
    numbers = []
    for person, name in ((bob, "Nour"), (cy, "Isidore")):
        person.page.get_by_role("button", name=re.compile(f"^Jouer {name}")).click()
        expect(person.page.get_by_role("button", name=re.compile(f"^Jouer {name}"))).to_have_count(0)
        mine = next(one for one, record in person.view["records"].items() if record["sheet"]["name"].startswith(name))
        numbers.append(person.does("start-move", move="simple-test", cast={"initiator": [mine]},
                                   form={mine: {"value": 9}})["number"])
        expect(ana.page.locator("#grains [data-throw]")).to_have_count(len(numbers))
    for person in (bob, cy):
        person.bar.get_by_role("button", name=re.compile(f"^{say('web.throw')}")).first.click()
        expect(person.log.get_by_role("img").first).to_be_visible()
    expect(ana.page.locator("#grains [data-key]")).to_have_count(2)
    verdict = ana.asks("GET", "/table/verification").json()
    assert (verdict["verified"], verdict["host_alone"]) == (2, 0)
    assert all(taking_part(ana, number) == ["Ana", "Bob", "Cy"] for number in numbers)


def test_dice_ordered_with_a_seal_fall_once_all_is_open_with_everybodys_grains(open_table: OpenTable) -> None:
    """The game master seals first and orders the dice; they fall when the last seal is in, with no further touch."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    bob.page.get_by_role("button", name=re.compile("^Jouer Nour")).click()
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("deux brutes moyennes, massue, visibles")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    people = {record["sheet"]["name"]: one for one, record in ana.view["records"].items()}
    nour = next(name for name in people if name.startswith("Nour"))
    cast = {"initiator": [people[nour]], "opponent": [people["Brute 1"], people["Brute 2"]]}
    ana.does("throw", number=ana.does("start-move", move="open-a-fight", cast=cast)["number"])
    number = ana.does("start-move", move="exchange", cast=cast, encounter=1)["number"]
    ana.bar.get_by_role("button", name=say("web.seal_all_throw", n=2), exact=True).click()
    expect(ana.page.get_by_role("button", name=say("web.seal_all_throw", n=2), exact=True)).to_have_count(0)
    bob.bar.get_by_role("button", name=say("web.seal"), exact=True).click()
    expect(bob.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob, number) == ["Ana", "Bob"]
