"""A campaign is one table: its episodes and scenes, what was told in each, what changed, everybody's history.

All of it is read from the lines that the seat may read, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fastapi import APIRouter, Request
from starlette.responses import Response

from .desk import Desk
from .logbook import MarkedLine, account_of
from .visit import visit

router = APIRouter(include_in_schema=False)
TOLD = 8
"""How many lines of a recap, and of what changed."""
ACTS = 40
"""Among how many of its latest acts it is looked what an episode changed."""


@dataclass
class Chapter:
    """An episode as a seat reads it; the first may have no title: what came before any was begun."""

    title: str
    mark: str
    lines: list[MarkedLine] = field(default_factory=list)

    @property
    def scenes(self) -> list[MarkedLine]:
        """The scenes that were opened in it."""
        return [line for line in self.lines if line.type == "scene-opened" and line.kind == "scene" and line.title
                and not line.undone]

    @property
    def story(self) -> list[str]:
        """What was narrated in it, the latest lines."""
        told = [line.text for line in self.lines if line.type == "said" and line.kind == "story" and line.text
                and not line.undone]
        return told[-TOLD:]

    @property
    def began(self) -> str:
        """When it was begun, as the clock on the wall had it."""
        return next((line.at for line in self.lines if line.at), "")

    def rolls(self, desk: Desk) -> int:
        """How many acts had dice that the seat saw."""
        acts = (desk.moves.get(line.number or 0) for line in self.lines if line.type == "move")
        return sum(act is not None and any(throw.dice for throw in act.throws) for act in acts)

    def people(self, desk: Desk) -> list[str]:
        """Those who did something in it."""
        acts = (desk.moves.get(line.number or 0) for line in self.lines if line.type == "move")
        who = (name for act in acts if act is not None for name in act.cast if name in desk.records)
        return [desk.name(name) for name in dict.fromkeys(who)]

    def changed(self, desk: Desk) -> list[str]:
        """What its latest acts changed, in a few words each."""
        acts = [desk.moves[line.number or 0] for line in self.lines
                if line.type == "move" and (line.number or 0) in desk.moves][-ACTS:]
        told = (f"{change.who} : {part.what} {part.after}" for act in acts if act.phase == "closed" and act.changes
                for change in desk.acts.told(act).changes for part in change.lines)
        return list(dict.fromkeys(told))[-TOLD:]


def chapters(lines: Iterable[MarkedLine]) -> list[Chapter]:
    """The episodes of an account, in order."""
    found = [Chapter("", "")]
    for line in lines:
        if line.type == "scene-opened" and line.kind == "episode" and line.title and not line.undone:
            found.append(Chapter(line.title, line.mark))
        found[-1].lines.append(line)
    first, *rest = found
    return rest if rest and not (first.story or first.scenes or any(line.type == "move" for line in first.lines)) else (
        found)


@router.get("/t/{table}/{seat}/campaign")
async def campaign(request: Request, table: str, seat: str) -> Response:
    """The campaign: its episodes, the latest first, and how it goes on."""
    guest = await visit(request, table, seat)
    desk, lines = await account_of(guest)
    return guest.page("campaign.html", desk, episodes=list(enumerate(chapters(lines), start=1))[::-1])
