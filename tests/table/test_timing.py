"""What is to come on the table's one clock, the hourglass of a tense moment, the days as a game names them."""

import json
from datetime import datetime

import pytest
from evening import Evening

from paravent.game import PASS_TIME, Calendar, Change, find_system
from paravent.game.telling import Teller
from paravent.table import commands as c
from paravent.table import events as e


def everything(person) -> str:
    return "".join([*person.received, person.page()])


@pytest.fixture
def at() -> Evening:
    return Evening()


def to_come(at: Evening, **asked) -> str:
    (told,) = at.ana.does(c.SetAppointment, **{"words": "Le ferry part", "day": 1, "hour": 22, **asked})
    return told.appointment


def came(events) -> list[str]:
    return [event.kept.words for event in events if isinstance(event, e.AppointmentCame)]


def test_what_is_to_come_is_known_to_those_whom_the_game_master_chose_and_to_nobody_else(at):
    before = {person.name: (person.page(), len(person.told)) for person in (at.cy, at.zoe)}
    name = to_come(at, seen_by=(at.bob.seat,))
    assert at.bob.sees()["appointments"][name] == {"due": 22 * 60, "words": "Le ferry part"}
    assert at.ana.sees()["appointments"][name]["seen_by"] == [at.bob.seat]
    at.ana.does(c.SetAppointment, appointment=name, words="Le ferry tarde", day=1, hour=23, seen_by=(at.bob.seat,))
    at.ana.does(c.DropAppointment, appointment=name)
    at.ana.does(c.UndoLast)
    assert at.bob.sees()["appointments"][name]["words"] == "Le ferry tarde"
    assert {person.name: (person.page(), len(person.told)) for person in (at.cy, at.zoe)} == before


def test_it_is_told_when_the_clock_comes_to_it_and_only_then(at):
    to_come(at, seen_by=("all",))
    to_come(at, words="Brandt revient", minutes=60, day=0)
    assert came(at.ana.does(c.SetClock, day=1, hour=19, minute=59)) == []
    assert came(at.ana.does(c.SetClock, day=1, hour=21)) == ["Brandt revient"]
    assert "Brandt" not in everything(at.bob) + everything(at.zoe)
    assert came(at.ana.does(c.SetClock, day=2, hour=8)) == ["Le ferry part"]
    assert at.zoe.sees()["log"][-1] | {"at": "", "line": ""} == {
        "type": "appointment-came", "title": "Le ferry part", "after": 22 * 60, "by": at.ana.seat, "at": "", "line": ""}
    assert "appointments" not in at.ana.sees(), "it is past"
    assert came(at.ana.does(c.SetClock, day=2, hour=9)) == []


def test_a_night_that_passes_from_eight_in_the_evening_brings_what_falls_into_it(at):
    at.ana.does(c.SetClock, day=1, hour=20)
    to_come(at, day=2, hour=3, words="La sentinelle s'endort")
    to_come(at, day=2, hour=9, words="Le jour est là")
    told = at.ana.does(c.StartMove, move=PASS_TIME, form={"gm": {"time_span": "night", "time_count": 1}})
    number = next(event.number for event in told if isinstance(event, e.MoveStarted))
    while not came(told):
        act = at.table.state.moves[number]
        told = at.ana.does(c.Accept if act.phase == "settled" else c.CloseStep,
                           number=at.table.state.counts_of(at.ana.seat).moves[number])
    assert at.table.state.minutes == (24 + 8) * 60
    assert came(told) == ["La sentinelle s'endort"]


def test_setting_and_dropping_are_taken_back_and_an_hour_that_is_undone_is_still_to_come(at):
    name = to_come(at, seen_by=("all",))
    at.ana.does(c.SetAppointment, appointment=name, words="Le ferry tarde", day=1, hour=23, seen_by=("gm",))
    assert "appointments" not in at.bob.sees()
    assert "tarde" not in everything(at.bob)
    at.ana.does(c.UndoLast)
    assert at.bob.sees()["appointments"][name]["words"] == "Le ferry part"
    at.ana.does(c.DropAppointment, appointment=name)
    assert "appointments" not in at.ana.sees()
    at.ana.does(c.UndoLast)
    at.ana.does(c.SetClock, day=1, hour=23)
    assert "appointments" not in at.bob.sees()
    at.ana.does(c.UndoLast)
    assert at.bob.sees()["appointments"][name]["due"] == 22 * 60
    at.ana.does(c.UndoLast)
    assert "appointments" not in at.bob.sees()


@pytest.mark.parametrize(("asked", "code"), [
    ({"words": ""}, "table/empty"), ({"hour": 19}, "form/out-of-range"), ({"hour": 25}, "form/out-of-range"),
    ({"seen_by": ("nobody",)}, "form/unknown"), ({"appointment": "none"}, "form/unknown"),
])
def test_what_makes_no_sense_is_refused(at, asked, code):
    assert at.ana.refused(c.SetAppointment, **{"words": "x", "day": 1, "hour": 22, **asked}) == code
    assert not at.table.state.appointments


def test_only_the_game_master_sets_what_is_to_come_and_turns_the_hourglass(at):
    name = to_come(at, seen_by=("all",))
    for asked in ((c.SetAppointment, {"words": "x", "day": 3}), (c.DropAppointment, {"appointment": name}),
                  (c.TurnHourglass, {"seconds": 60})):
        assert at.bob.refused(asked[0], **asked[1]) == "table/only-gm"


def test_the_hourglass_runs_before_everybody_and_is_taken_back(at):
    (turned,) = at.ana.does(c.TurnHourglass, seconds=90, words="La porte cède")
    left = datetime.fromisoformat(turned.hourglass.until) - datetime.fromisoformat(turned.at)
    assert left.total_seconds() == 90
    for person in at.people:
        assert person.sees()["hourglass"] == {
            "seconds": 90, "until": turned.hourglass.until, "words": "La porte cède"}
    at.ana.does(c.TurnHourglass)
    assert "hourglass" not in at.zoe.sees()
    at.ana.does(c.UndoLast)
    assert at.zoe.sees()["hourglass"]["seconds"] == 90
    assert at.ana.refused(c.TurnHourglass, seconds=-1) == "form/out-of-range"
    assert at.ana.refused(c.TurnHourglass, seconds=10**6) == "form/out-of-range"


def test_a_game_names_its_days_by_months_by_a_week_by_both_or_not_at_all():
    both = Calendar(months=(("ebb", 30), ("flood", 31)), week=("lamp", "horn"), begins=30, year=7)
    assert tuple(both.date(0)) == (30, "ebb", "lamp", 7)
    assert tuple(both.date(1)) == (1, "flood", "horn", 7)
    assert tuple(both.date(32)) == (1, "ebb", "lamp", 8)
    assert tuple(Calendar(week=("lamp", "horn")).date(3)) == (4, "", "horn", 0)
    said = Teller("fr", find_system("solaires"))
    assert said.moment(20 * 60) == "jour 1, 20\u00a0h\u00a000"
    assert said.moment(8 * 60) == "jour 1, 8\u00a0h\u00a000"  # no nought before it, in French
    assert (said.hour(5), Teller("en", find_system("solaires")).hour(8 * 60)) == ("0\u00a0h\u00a005", "08:00")
    assert list(said.change(Change("clock", "minutes", 20 * 60, 32 * 60))) == [
        ("calendrier", "jour 1, 20\u00a0h\u00a000", "jour 2, 8\u00a0h\u00a000")], "in the terminal too"


def test_the_log_keeps_all_of_it(at):
    to_come(at, seen_by=("all",))
    at.ana.does(c.TurnHourglass, seconds=30)
    at.ana.does(c.SetClock, day=2, hour=8)
    texts = [json.loads(e.written(event))["type"] for event in at.table.events]
    assert {"appointment-set", "hourglass-turned", "appointment-came"} <= set(texts)
