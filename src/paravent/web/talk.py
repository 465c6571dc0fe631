"""The habits people bring to the talk line: ``/r 3d6+2``, ``/w Bob …``, ``3D6`` on its own."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from paravent.dice.notation import is_bare, read_dice
from paravent.game import FormError, Plain, UnknownName
from paravent.game.words import folded
from paravent.table import commands as c
from paravent.table.house import EXPRESSION, FREE_THROW, SECRECY
from paravent.table.limits import LONGEST_NAME
from paravent.table.seen import RecordSeen, SeatSeen

THROWN = {
    "r": "open", "roll": "open", "lance": "open", "lancer": "open", "gmr": "gm", "gmroll": "gm", "mjr": "gm",
    "br": "blind", "blindroll": "blind", "hr": "hidden",
}
_LINE = re.compile(r"/(\w+)\s*(.*)", re.DOTALL)
_SHOUTED = re.compile(r"!(r|roll|gmr|br|hr)\s+(.*)", re.DOTALL)
_AND = re.compile(r"\s*(?:[,;&+]|\bet\b|\band\b)\s*")
_QUOTED = re.compile(r'\s*["“«]\s*([^"”»]+?)\s*["”»]\s*[:,]?\s*(.*)', re.DOTALL)


class UnknownCommand(FormError):
    """No command of the talk line has this name."""

    code = "web/unknown-command"


class BehindTheScreen(FormError):
    """Only a game master throws where nobody sees."""

    code = "web/behind-the-screen"


class WhichOne(FormError):
    """Several people answer to this name."""

    code = "web/which-one"


@dataclass(frozen=True)
class Talker:
    """Who speaks, and the names they know: people's by seat, and which seats answer to a character's."""

    seat: str
    seats: Mapping[str, str]
    is_gm: bool = False
    masters: tuple[str, ...] = ()
    characters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    acts_as: str = ""
    """The name of whom they play."""


def is_plain(text: str) -> bool:
    """Whether a line of talk is said as it stands: it is no command, and no dice."""
    line = text.strip()
    return _as_command(line) is None and not is_bare(line)


def _as_command(line: str) -> re.Match[str] | None:
    return _LINE.match(line) or _SHOUTED.match(line) if line[:1] in ("/", "!") else None


def read_line(text: str, by: Talker, command_id: str = "") -> c.Command:
    """The command that a line of talk stands for."""
    line = text.strip()
    if is_bare(line):
        return _thrown(line, "open", by, command_id)
    word = _as_command(line)
    if word is None:
        return c.Say(text=line, seat=by.seat, id=command_id)
    name, rest = word[1].lower(), word[2].strip()
    if name in THROWN:
        return _thrown(rest, THROWN[name], by, command_id)
    match name:
        case "w" | "mp" | "murmure" | "whisper":
            to, said = _addressed(rest, by)
            return c.Say(text=said, kind="whisper", to=to, seat=by.seat, id=command_id)
        case "s" | "story" | "histoire" | "recit" | "récit" | "desc":
            return c.Say(text=rest, kind="story", seat=by.seat, id=command_id)
        case "me" | "em" | "moi":
            acting = by.acts_as or by.seats.get(by.seat, "")
            return c.Say(text=f"{acting} {rest}" if rest else "", kind="story", seat=by.seat, id=command_id)
        case "n" | "note" if by.is_gm:
            return c.Say(text=rest, kind="note", seat=by.seat, id=command_id)
        case "n" | "note":
            return c.Say(text=rest, kind="whisper", to=(by.seat,), seat=by.seat, id=command_id)
        case "nom" | "name":
            return c.RenameSeat(who=by.seat, name=rest, seat=by.seat, id=command_id)
        case "x" | "stop":
            return c.PlayCard(seat=by.seat, id=command_id)
        case _:
            raise UnknownCommand(got=f"/{name}")


def _thrown(expression: str, secrecy: str, by: Talker, command_id: str) -> c.Command:
    read_dice(expression)
    if secrecy == "hidden" and not by.is_gm:
        raise BehindTheScreen(got="/hr", form=f"/br {expression}")
    form: dict[str, dict[str, Plain]] = {by.seat: {EXPRESSION.id: expression, SECRECY.id: secrecy}}
    return c.StartMove(move=FREE_THROW.id, form=form, seat=by.seat, id=command_id)


def _addressed(rest: str, by: Talker) -> tuple[tuple[str, ...], str]:
    """Whom a whisper is for, and what it says: one name, or several before a colon.

    A name is read to the end of a word, so that nothing meant for one goes to another; capitals and accents do not
    matter, the first of somebody's names will do, and a character's name is whoever plays them.
    """
    quoted = _QUOTED.fullmatch(rest)
    if quoted is not None:
        return _found(quoted[1], by) or _nobody(quoted[1], by), quoted[2]
    several, colon, said = rest.partition(":")
    listed = [_found(name, by) for name in _AND.split(several.strip())]
    if colon and all(listed):
        return tuple(dict.fromkeys(seat for seats in listed for seat in seats)), said.strip()
    for at in range(min(len(rest), 2 * LONGEST_NAME), 0, -1):
        if at == len(rest) or not rest[at].isalnum():
            seats = _found(rest[:at], by)
            if seats:
                return seats, rest[at:].lstrip(" ,:")
    return _nobody(rest.split(" ")[0], by), ""


def _nobody(name: str, by: Talker) -> tuple[str, ...]:
    raise UnknownName("seat", name, by.seats.values())


def _found(name: str, by: Talker) -> tuple[str, ...]:
    """The seats that a name stands for; none if nobody has it."""
    wanted = folded(name)
    if wanted in ("mj", "gm", "meneur", "meneuse", "mc"):
        return by.masters
    people = {seat: folded(known) for seat, known in by.seats.items()}
    played = {folded(known): seats for known, seats in by.characters.items()}
    for found in (
        [(seat,) for seat, known in people.items() if known == wanted],
        [seats for known, seats in played.items() if known == wanted],
        [(seat,) for seat, known in people.items() if _begins(known, wanted)],
        [seats for known, seats in played.items() if _begins(known, wanted)],
    ):
        answering = set(found)
        if len(answering) > 1:
            raise WhichOne(got=name)
        if answering:
            return answering.pop()
    return ()


def _begins(name: str, wanted: str) -> bool:
    return bool(wanted) and name.partition(" ")[0] == wanted


def talker(
    seat: str, seats: Mapping[str, SeatSeen], records: Iterable[RecordSeen], is_gm: bool, played: Container[str]
) -> Talker:
    """Somebody at a table, by what they see of its seats and records, and the kinds of records that players play."""
    masters = tuple(who for who, place in seats.items() if place.rank == "gm")
    held = list(records)
    mine = [record.name for record in held if record.owner == seat and record.kind in played]
    return Talker(
        seat, {who: place.name for who, place in seats.items()}, is_gm, masters,
        {record.name: (record.owner,) if record.owner else masters for record in held},
        mine[0] if len(mine) == 1 else "",
    )


__all__ = ["Talker", "is_plain", "read_line", "talker"]
