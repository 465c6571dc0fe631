"""Two people compare a code: the same, whoever leaves and comes back meanwhile; another, if one was told otherwise."""

import json

from scene import Person
from test_grains import Scripted
from veil import VEIL

from paravent.table import commands as c
from paravent.table.closing import closed
from paravent.table.export import export_seen
from paravent.table.verify import proved


def lines(at: Scripted, person: Person) -> list[str]:
    return list(export_seen(at.log, person.seat, VEIL))


def agree(at: Scripted, first: Person, second: Person) -> bool:
    codes = proved(lines(at, first)).codes, proved(lines(at, second)).codes
    return codes[0][second.name] == codes[1][first.name] != ""


def thrown(at: Scripted) -> None:
    at.starts()
    at.bob.throws()


def test_whoever_leaves_and_comes_back_still_has_the_code_of_the_others() -> None:
    at = Scripted()
    evening = at.evening
    evening.bob.says("salut")
    thrown(at)
    assert agree(at, evening.bob, evening.cy)
    evening.cy.does(c.Leave)
    evening.bob.says("il est parti")
    thrown(at)
    assert agree(at, evening.bob, evening.cy)
    evening.cy.does(c.Return)
    assert agree(at, evening.bob, evening.cy)
    at.cy.promises()
    evening.cy.says("me voilà")
    thrown(at)
    for one, other in ((evening.bob, evening.cy), (evening.ana, evening.cy), (evening.ana, evening.bob)):
        assert agree(at, one, other)


def test_a_throw_that_fell_while_one_was_away_is_not_counted_when_it_is_told_again() -> None:
    at = Scripted()
    evening = at.evening
    evening.bob.says("salut")
    number = at.starts()
    evening.cy.does(c.Leave)
    at.bob.throws(number)
    evening.cy.does(c.Return)
    evening.ana.does(c.Accept, number=number)  # the act is told once more, to all
    assert agree(at, evening.bob, evening.cy)


def test_a_message_that_one_was_told_otherwise_gives_another_code() -> None:
    at = Scripted()
    evening = at.evening
    evening.bob.says("salut")
    told = [json.loads(line) for line in lines(at, evening.cy)[:-1]]
    for row in told:
        row.update({"text": "adieu"} if row.get("text") else {})
    other = proved(closed(map(json.dumps, told))).codes["Bob"]
    assert other != proved(lines(at, evening.bob)).codes["Cy"]


def test_a_throw_that_one_was_told_otherwise_gives_another_code() -> None:
    """A file that agrees with itself, of a throw of which the other was told another grain."""
    at = Scripted()
    thrown(at)
    told, grain = lines(at, at.evening.cy), str(at.key().grain)
    other = proved(line.replace(f'"nonce":"{grain}"', f'"nonce":"{"0" * len(grain)}"') for line in told).codes["Bob"]
    assert other != proved(told).codes["Bob"] == proved(lines(at, at.evening.bob)).codes["Cy"]
