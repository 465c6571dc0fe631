"""What a game says to all of a throw that others may not know of reaches them, and nothing else of it does."""

import json

from scene import Table
from veil import VEIL

from paravent.table import commands as c


def lifted(secrecy: str = "open") -> Table:
    """Bob lifts something by thought; Cy and Zoe are there."""
    table = Table(VEIL)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    table.joins("Cy"), table.joins("Zoe", as_="spectator")
    number = bob.starts("lift", {"initiator": [bob.brings("Elya")]})
    if secrecy != "open":
        ana.does(c.SetSecrecy, number=number, secrecy=secrecy)
    (bob if secrecy == "open" else ana).throws(number)
    return table


def test_what_is_said_to_all_of_a_hidden_act_is_heard_and_says_nobody_s_name() -> None:
    table = lifted()
    assert [table.people[name].moves() for name in ("Cy", "Zoe")] == [{}, {}]
    for name in ("Bob", "Cy", "Zoe"):
        person = table.people[name]
        line = {"key": "outcomes.floats", "values": {"what": "un caillou"}}
        assert [told["told"] for told in person.told if told["type"] == "overheard"] == [[line]]
        assert [seen.get("told") for seen in person.sees()["log"] if seen["type"] == "overheard"] == [[line]]
        after = json.dumps([told for told in person.told if told["type"] == "overheard"])
        assert not [word for word in ("lift", "effort", table.people["Bob"].seat, '"by"', '"number"') if word in after]
        assert [throw for move in person.moves().values() for throw in move["throws"]] == []


def test_whoever_knows_of_the_throw_hears_it_there_and_once() -> None:
    ana = lifted().people["Ana"]
    assert "overheard" not in {seen["type"] for seen in ana.sees()["log"]}
    assert [said["key"] for throw in ana.move()["throws"] for said in throw["told"]] == [
        "outcomes.floats", "outcomes.effort"]


def test_what_the_game_master_hides_is_overheard_by_nobody() -> None:
    table = lifted("invisible")
    for name in ("Bob", "Cy", "Zoe"):
        assert "caillou" not in "".join(table.people[name].received)
