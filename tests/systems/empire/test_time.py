"""Empire galactique: voyages, repairs, work and rest go through the table's one clock, and no week counts twice."""

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.machines.kinds import Gear
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.moves_days import birthdays, earned
from paravent.table import commands as c
from paravent.table.hotseat import Hotseat

SEATS = {"mj": "gm", "ana": "player", "bob": "player"}
WEEK = 7 * 24 * 60


def table(*faces):
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(faces))
    hotseat.add("nadir", Character(name="Nadir", credits=90_000), owner="ana")
    hotseat.add("olga", Character(name="Olga", credits=100, resistance_physical=15), owner="bob")
    return hotseat


def passing(hotseat, habits=None):
    """The time-passing moves that are open, each played to its end in turn."""
    numbers = [number for number, act in hotseat.state.moves.items() if act.move == "pass-time" and not act.is_over]
    for number in numbers:
        for name, values in (habits or {}).items():
            hotseat.fill("mj", number, values, name)
        hotseat.do(c.CloseStep(seat="mj", number=hotseat._own("mj", number)))
        hotseat.accept("mj", number)
    return len(numbers)


def gone(hotseat):
    """The minutes that have passed since the table began."""
    return hotseat.state.minutes - Hotseat(SYSTEM, SEATS).state.minutes


def sheet(hotseat, name):
    return hotseat.records[name].record


def travel(hotseat, **gm):
    number = hotseat.start("ana", "travel-interstellar", {"initiator": ["nadir"]},
                           {"nadir": {"passage": "freighter"}})
    hotseat.fill("mj", number, gm)
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)


@pytest.mark.rules("EGW-195")
def test_a_voyage_passes_for_everybody_once_it_is_accepted():
    hotseat = table(1)
    travel(hotseat)
    assert gone(hotseat) == 0  # nothing has passed before the game master lets it
    assert passing(hotseat) == 1
    assert gone(hotseat) == WEEK
    assert sheet(hotseat, "olga").resistance_physical > 15  # whoever rested on the way is better
    assert sheet(hotseat, "nadir").credits == 90_000 - 2100


@pytest.mark.rules("EGW-194")
def test_waiting_passes_too_and_each_says_what_they_made_of_it():
    hotseat = table(6)
    travel(hotseat, departure_level=4)
    assert "pass-time" in [move["move"] for move in hotseat.seen("bob")["moves"].values()]
    passing(hotseat, {"olga": {"worked": 8}})
    assert gone(hotseat) == WEEK + 2 * 24 * 60
    assert sheet(hotseat, "olga").credits == 100 + 9 * 80


@pytest.mark.rules("EGW-197")
def test_whoever_works_is_paid_and_does_not_rest():
    hotseat = table(1)
    travel(hotseat)
    passing(hotseat, {"olga": {"worked": 8}})
    assert (sheet(hotseat, "olga").credits, sheet(hotseat, "olga").resistance_physical) == (100 + 560, 15)
    assert [earned(8, minutes) for minutes in (0, 120, 24 * 60, WEEK)] == [0, 20, 80, 560]


@pytest.mark.rules("EMP-045")
def test_everybody_is_a_year_older_when_a_year_ends():
    assert [birthdays(day, minutes) for day, minutes in ((0, WEEK), (360, WEEK), (364, 1440), (0, 730 * 1440))] == [
        0, 1, 1, 2]


@pytest.mark.rules("EGW-163")
def test_a_workshop_takes_its_hours():
    hotseat = table()
    hotseat.add("laser", Gear("laser", 4, 12_000, 2000, 9, damage=5, broken=True), owner="ana", kind="item")
    number = hotseat.start("ana", "workshop", {"initiator": ["nadir"], "item": ["laser"]})
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)
    passing(hotseat)
    assert (gone(hotseat), sheet(hotseat, "laser").damage) == (300, 0)
    assert sheet(hotseat, "nadir").credits == 90_000 - 1200
