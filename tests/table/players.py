"""People who play what is asked of them, at random: they fill in what they may, throw, answer, accept."""

from random import Random
from typing import Any

from scene import Person, Table

from paravent.dice.errors import ParaventError
from paravent.table import commands as c
from paravent.table.act import ChoiceAsked
from paravent.table.deciding import Fresh
from paravent.table.house import with_house_moves
from paravent.table.turn import Turn

MOST_DICE = 6


def plausible(luck: Random, asked: dict[str, Any]) -> Any:
    """A value that a field described like this may well take."""
    match asked["type"]:
        case "whole":
            low, high = asked.get("minimum"), asked.get("maximum")
            low = (0 if high is None else min(0, high)) if low is None else low
            most = min(high if high is not None else low + MOST_DICE, low + MOST_DICE)
            return luck.randint(low, max(low, most))  # where there is room for none, the least is asked, and refused
        case "one-of":
            return luck.choice(asked["options"]) if asked.get("options") else None
        case "score":
            return luck.choice(asked["options"]) if asked.get("options") else luck.randint(2, 6)
        case "flag":
            return luck.random() < 0.5
        case "many":
            return [plausible(luck, asked["of"]) for _ in range(luck.randint(asked["least"], asked["least"] + 1))]
        case "group":
            return {name: plausible(luck, part) for name, part in asked["parts"].items()}
        case "text":
            return luck.choice(("2d6+1", "le port"))
        case _:
            return None


def own_number(person: Person, number: int) -> int:
    """What somebody calls a move of the table."""
    return person.table.state.counts_of(person.seat).moves.get(number, 0)


Asking = tuple[Person, type[c.Command], dict[str, Any]]


def goes_on(table: Table, luck: Random, number: int, grain: str = "n") -> Asking:
    """What would bring a move forward, by somebody who may: or nothing, for a move that is over."""
    state, kept = table.state, table.state.move(number)
    master = next(person for person in table.people.values() if state.eyes.is_gm(person.seat))
    if kept.is_over:
        return master, c.Say, {"text": "bien"}
    if kept.phase == "settled":
        return master, c.Accept, {"number": own_number(master, number)}
    turn = Turn(state, with_house_moves(table.system, state), Fresh(), master.seat)
    seats = sorted(turn.waits_for(turn.at(number))) or [master.seat]
    person = table.person(luck.choice(seats))
    own = own_number(person, number)
    pending = kept.pending
    if isinstance(pending, ChoiceAsked):
        return person, c.Answer, {"number": own, "answer": luck.choice(pending.options)}
    if pending is not None:
        faces = [luck.randint(1, pending.sides) for _ in range(pending.n)]
        return person, c.Answer, {"number": own, "answer": faces}
    form = person.form(own)
    if "window" in form:
        return person, c.Answer, {"number": own, "answer": luck.choice(("agree", "agree", "refuse"))}
    lacking = [row for row in form["fields"] if "value" not in row]
    if "throw" in form and (not lacking or luck.random() < 0.7):
        by_hand = luck.random() < 0.2 and form["throw"]["by_hand"]
        return person, c.ThrowDice, {"number": own, "grain": grain, "by_hand": by_hand}
    needed = [row for row in lacking if "usual" not in row and not row["optional"]] or lacking
    if not needed:
        return master, c.CloseStep, {"number": own_number(master, number)}
    row = luck.choice(needed)
    return person, c.Fill, {"number": own, "values": {row["field"]: plausible(luck, row)}, "actor": row["actor"]}


def tries(person: Person, asked: type[c.Command], values: dict[str, Any]) -> str:
    """The code of the refusal, or nothing."""
    try:
        person.does(asked, **values)
    except ParaventError as refusal:
        return refusal.code
    return ""
