"""Nadir, who climbs walls, and those around her table: maud leads, ana plays Nadir, bob Bosco, eve looks on."""

from dataclasses import replace
from typing import Any

from paravent.dice.play import ScriptedFaces
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.facts import Tag
from paravent.systems.solaires.people.character import Character, Element, Figure, Item
from paravent.table.events import House
from paravent.table.hotseat import Hotseat
from seats import told_keys

SEATS = {"maud": "gm", "ana": "player", "bob": "player", "eve": "spectator"}


def nadir(**changes: Any) -> Character:
    kept: dict[str, Any] = {
        "name": "Nadir", "concept": "Grimpeuse", "careers": (Element("Grimpeuse", 3), Element("Decker", 2)),
        "traits": (Element("Curieuse", 2), Element("Vertige", 2)), "states": (Element("Blessée", 2),),
        "equipment": (Item("Implant psi", 3, Tag.PSI), Item("Console de décryptage", 2)), "points": 4, "max_points": 4,
        "psi_power_set": "information",
    }
    return Character(**{**kept, **changes})


ASKED = {"aftermath": "always", "judge_elements": "always", "points_asked": "always"}
"""A table at which everything is asked: the game master about every choice of elements and every end, points always."""


def table(*faces: int, sheet: Character | None = None, **options: str) -> Hotseat:
    hotseat = Hotseat(SYSTEM, SEATS, ASKED | options, ScriptedFaces(faces))
    hotseat.add("nadir", sheet or nadir(), owner="ana")
    bosco = Character(name="Bosco", concept="Soutier", equipment=(Item("Harnais", 2),), states=(Element("Ivre", 3),))
    hotseat.add("bosco", bosco, owner="bob")
    hotseat.add("gull", Figure("La Mouette", elements=(Element("Maniable", 2), Element("Blindée", 1))), kind="thing")
    hotseat.add("guard", Figure("Garde", elements=(Element("Vigile", 2),)), kind="npc")
    return hotseat


def evening(*faces: int, points: int = 0, **options: str) -> Hotseat:
    """A table as most play: the game master judges before the dice, and what is certain is made at once."""
    chosen = {"aftermath": "needed", "judge_elements": "second", "points_asked": "useful", **options}
    hotseat = table(*faces, sheet=nadir(points=points), **chosen)
    hotseat.state = replace(hotseat.state, house=House())
    return hotseat


def sheet_of(hotseat: Hotseat, name: str = "nadir") -> Any:
    return hotseat.records[name].record


def states(hotseat: Hotseat) -> dict[str, int]:
    return {state.name: state.score for state in sheet_of(hotseat).states}


def told(hotseat: Hotseat, seat: str = "eve") -> list[str]:
    return told_keys(hotseat, seat)


def result(hotseat: Hotseat, move: int, step: str = "roll") -> Any:
    return hotseat.moves[move].results[step]


def act(hotseat: Hotseat, gm: dict[str, Any] | None = None, move: str = "action", **first: Any) -> int:
    """Ana acts: the game master sets the difficulty, she fills her part, he agrees."""
    number = hotseat.start("ana", move, {"initiator": ["nadir"]}, {"nadir": {"goal": "passer le mur"}})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0, **(gm or {})})
    hotseat.fill("ana", number, {"element": "none", **first})
    if hotseat.waits_for(number) == {"maud"}:
        hotseat.answer("maud", number, "agree")
    return number


def settle(hotseat: Hotseat, number: int, **described: Any) -> None:
    """The player stops there, the game master tells the end, everything is accepted."""
    if hotseat.moves[number].pending is not None:
        hotseat.answer("ana", number, "stop")
    hotseat.fill("maud", number, {"description": "Voilà.", **described})
    hotseat.accept("maud", number)


def result_after(hotseat: Hotseat, number: int) -> tuple[int, list[int]]:
    """Whoever is asked again stops; then everything is accepted."""
    while hotseat.moves[number].pending is not None:
        hotseat.answer(next(iter(hotseat.waits_for(number))), number, "stop")
    settle(hotseat, number)
    done = result(hotseat, number)
    return done.kept, list(done.spent)
