"""What waits for a seat, one thing for each act: what the bar at the foot of its page asks, and with which button."""

from __future__ import annotations

from typing import NamedTuple

from paravent.web.controls import Control, FormGroup

from .cards import Card, ChangeCard

_FEW = 4
"""How many answers stand on the bar as buttons of their own, where nothing else is asked."""


class Due(NamedTuple):
    """The one thing that an act waits for from a seat: how it is answered, and the part of the form it is about."""

    how: str
    """``faces``, ``choice``, ``window``, ``accept``, ``sheet``, ``judge``, ``seal``, ``say``, ``lack``, ``throw``,
    ``look``."""
    group: FormGroup | None = None
    field: Control | None = None


def due_of(card: Card, is_gm: bool) -> Due | None:
    """What an act waits for from the seat whose card it is; nothing, if it waits for others or for nobody."""
    if card.broken:
        return None
    if card.phase == "settled":
        return Due("accept") if is_gm else None
    if card.phase != "open":
        return None
    if card.wanted is not None:
        return Due("faces")
    if card.choice is not None:
        return Due("choice")
    if card.window:
        return Due("window")
    if not card.mine:
        return None
    return _filling(card) or _throwing(card)


def _filling(card: Card) -> Due | None:
    """A part of the form that must be confirmed, whatever it says."""
    for group in card.groups:
        if group.sheet is not None and group.sheet.required and not group.sheet.filled:
            return Due("sheet", group, group.sheet)
        if group.sealed and not group.is_in:
            return Due("seal", group)
        judged = next((asked for asked in group.fields if asked.waits and asked.tiles
                       and _is_said_by_a_touch(group, asked)), None)
        if judged is not None:
            return Due("judge", group, judged)
        if group.waits:
            return Due("say", group)
    return None


def _is_said_by_a_touch(group: FormGroup, asked: Control) -> bool:
    """Whether one tap on a word answers: a judgement, a yes or no, steps in a row where nothing else waits, or a few
    words that are all that is asked."""
    if asked.place == "judgement" or asked.kind == "flag":
        return True
    if asked.kind == "one-of" and asked.shape is not None and asked.shape.type == "steps":
        return sum(other.waits for other in group.fields) == 1
    few = len(group.fields) == 1 and len(asked.tiles) <= _FEW
    return few and not any(tile.price or tile.place for tile in asked.tiles)


def _throwing(card: Card) -> Due:
    # What is somebody else's to say is not asked here; what is this seat's own is, meanwhile.
    owed = next(((group, asked) for group in card.groups for asked in group.fields
                 if asked.required and not asked.filled), None)
    if card.outlook.lacks:
        # Of the same name, one field may be this seat's and said, the other lacking.
        lacking = ((group, asked) for group in card.groups for asked in group.fields
                   if asked.name == card.outlook.lacking
                   and (group.gm or not card.outlook.lacks_of or group.actor in card.outlook.lacking_by))
        group, asked = next(lacking, None) or owed or (None, None)
        if group is not None and asked is not None and asked.within:
            # Drawn as a part of another: of a grid, the grid is where it is said.
            asked = next((other for other in group.fields if other.crossed == asked.name), asked)
        # What has a price, and an example to be read, is touched where it stands.
        at_once = asked is not None and asked.tiles and not any(tile.price for tile in asked.tiles)
        return Due("judge" if at_once else "lack", group, asked)
    if card.outlook.refused:
        return Due("look")
    return Due("throw") if card.can_throw else Due("lack", *owed) if owed is not None else Due("look")


def told_shortly(changes: list[ChangeCard]) -> str:
    """The only thing that would change, where there is but one."""
    lines = [(change, line) for change in changes if not change.runs for line in change.lines]
    if len(lines) != 1:
        return ""
    change, line = lines[0]
    went = f"{line.before} → {line.after}" if line.before else line.after
    return " ".join(part for part in (change.who, line.what, went) if part)
