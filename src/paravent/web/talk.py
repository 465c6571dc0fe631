"""The habits people bring to the talk line: ``/r 3d6+2``, ``/w Bob …``, ``3D6`` on its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from paravent.game import UnknownName
from paravent.table import commands as c
from paravent.table.house import NotDice, read_dice

GRADES = {"r": "open", "roll": "open", "lance": "open", "gmr": "gm", "mjr": "gm", "br": "blind", "hr": "hidden"}
_WORD = re.compile(r"/(\w+)\s*(.*)", re.DOTALL)
_BARE_DICE = re.compile(r"\d*[dD]\d+(\s*[+-]\s*(\d*[dD])?\d+)*\s*(#.*)?$")


def read_line(text: str, seat: str, seats: Mapping[str, str], command_id: str = "") -> c.Command:
    """The command that a line of talk stands for; ``seats`` gives people's names by seat."""
    line = text.strip()
    if _BARE_DICE.match(line):
        return _thrown(line, "open", seat, command_id)
    word = _WORD.match(line)
    if word is None:
        return c.Say(text=line, seat=seat, id=command_id)
    name, rest = word[1].lower(), word[2].strip()
    if name in GRADES:
        return _thrown(rest, GRADES[name], seat, command_id)
    match name:
        case "w" | "mp" | "murmure":
            who, said = _addressed(rest, seats)
            return c.Say(text=said, kind="whisper", to=(who,), seat=seat, id=command_id)
        case "s" | "story" | "histoire":
            return c.Say(text=rest, kind="story", seat=seat, id=command_id)
        case "n" | "note":
            return c.Say(text=rest, kind="note", seat=seat, id=command_id)
        case "nom" | "name":
            return c.RenameSeat(who=seat, name=rest, seat=seat, id=command_id)
        case "x" | "stop":
            return c.PlayCard(seat=seat, id=command_id)
        case _:
            raise UnknownName("command", f"/{name}", ("/r", "/gmr", "/br", "/hr", "/w", "/s", "/n", "/nom", "/x"))


def _thrown(expression: str, grade: str, seat: str, command_id: str) -> c.Command:
    read_dice(expression)
    form = {seat: {"expression": expression, "grade": grade}}
    return c.StartMove(move="free-throw", form=form, seat=seat, id=command_id)


def _addressed(rest: str, seats: Mapping[str, str]) -> tuple[str, str]:
    """Whom a whisper is for: the longest name it begins with, in quotes or not."""
    said = rest.removeprefix('"')
    for seat, name in sorted(seats.items(), key=lambda item: -len(item[1])):
        if said.lower().startswith(name.lower()):
            return seat, said[len(name):].removeprefix('"').strip()
    raise UnknownName("seat", rest.split(" ")[0], seats.values())


__all__ = ["NotDice", "read_line"]
