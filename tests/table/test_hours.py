"""When an act began is told to those who heard of it then, and to nobody else."""

from typing import Any

from evening import Evening
from scene import Person

from paravent.table import commands as c
from paravent.table import events as e


def acts(person: Person) -> list[dict[str, Any]]:
    """The lines of acts, as somebody reads them."""
    return [line for line in person.sees()["log"] if line["type"] == "move"]


def begun(evening: Evening) -> str:
    """When the latest act began."""
    return next(event.at for event in reversed(evening.table.events) if isinstance(event, e.MoveStarted))


def test_an_act_says_when_it_began_to_all_who_were_there() -> None:
    evening = Evening()
    evening.bob.starts("act", {"initiator": [evening.elya]})
    at = begun(evening)
    evening.table.seconds += 500
    assert [line["at"] for person in evening.people for line in acts(person)] == [at] * 4
    assert [line.get("at") for line in acts(evening.table.joins("Léo"))] == [None]  # who came later was not there


def test_what_was_begun_behind_the_screen_never_says_when() -> None:
    """Turned over later, it is read by everybody: that it was begun before, and when, is the game master's."""
    evening = Evening()
    number = evening.ana.starts("act", {"initiator": [evening.elya]}, secrecy="invisible")
    at = begun(evening)
    evening.ana.throws(number)
    (step,) = (throw["step"] for throw in evening.ana.moves()[str(number)]["throws"])
    assert [acts(person) for person in evening.others] == [[], [], []]
    evening.table.seconds += 500
    evening.ana.does(c.TurnOver, number=number, step=step, to=("all",))
    assert [line["at"] for line in acts(evening.ana)] == [at]
    assert [{*line} for person in evening.others for line in acts(person)] == [{"type", "line", "number"}] * 3
    assert at not in "".join("".join(person.received) for person in evening.others)
