"""Nadir, who climbs walls, and those around her table: maud leads, ana plays Nadir, bob Bosco, eve looks on."""

from typing import Any

from paravent.game.session import Session

from paravent.dice.play import ScriptedFaces
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.facts import Tag
from paravent.systems.solaires.people.character import Character, Element, Figure, Item

SEATS = {"maud": "gm", "ana": "player", "bob": "player", "eve": "spectator"}


def nadir(**changes: Any) -> Character:
    kept: dict[str, Any] = {
        "name": "Nadir", "concept": "Grimpeuse", "careers": (Element("Grimpeuse", 3), Element("Decker", 2)),
        "traits": (Element("Curieuse", 2), Element("Vertige", 2)), "states": (Element("Blessée", 2),),
        "equipment": (Item("Implant psi", 3, Tag.PSI), Item("Console de décryptage", 2)), "points": 4, "max_points": 4,
        "psi_power_set": "information",
    }
    return Character(**{**kept, **changes})


def table(*faces: int, sheet: Character | None = None, **options: str) -> Session:
    session = Session(SYSTEM, SEATS, options, ScriptedFaces(faces))
    session.add("nadir", sheet or nadir(), owner="ana")
    bosco = Character(name="Bosco", concept="Soutier", equipment=(Item("Harnais", 2),), states=(Element("Ivre", 3),))
    session.add("bosco", bosco, owner="bob")
    session.add("gull", Figure("La Mouette", elements=(Element("Maniable", 2), Element("Blindée", 1))), kind="thing")
    session.add("guard", Figure("Garde", elements=(Element("Vigile", 2),)), kind="npc")
    return session


def sheet_of(session: Session, name: str = "nadir") -> Any:
    return session.records[name].record


def states(session: Session) -> dict[str, int]:
    return {state.name: state.score for state in sheet_of(session).states}


def told(session: Session, seat: str = "eve") -> list[str]:
    return [line["key"].removeprefix("outcomes.") for line in session.seen(seat)["log"]]


def result(session: Session, move: int, step: str = "roll") -> Any:
    return session.moves[move].results[step]


def act(session: Session, gm: dict[str, Any] | None = None, move: str = "action", **first: Any) -> int:
    """Ana acts: the game master sets the difficulty, she fills her part, he agrees."""
    number = session.start("ana", move, {"initiator": ["nadir"]}, {"nadir": {"goal": "passer le mur"}})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0, **(gm or {})})
    session.fill("ana", number, {"element": "none", **first})
    if session.waits_for(number) == {"maud"}:
        session.answer("maud", number, "agree")
    return number


def settle(session: Session, number: int, **described: Any) -> None:
    """The player stops there, the game master tells the end, everything is accepted."""
    if session.moves[number].pending is not None:
        session.answer("ana", number, "stop")
    session.fill("maud", number, {"description": "Voilà.", **described})
    session.accept("maud", number)


def result_after(session: Session, number: int) -> tuple[int, list[int]]:
    """Whoever is asked again stops; then everything is accepted."""
    while session.moves[number].pending is not None:
        session.answer(next(iter(session.waits_for(number))), number, "stop")
    settle(session, number)
    done = result(session, number)
    return done.kept, list(done.spent)
