"""A campaign is one table: its episodes and scenes, what was told in each, what changed, everybody's history.

All of it is read from the lines that the seat may read, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from fastapi import APIRouter, Request
from msgspec.structs import replace
from starlette.responses import RedirectResponse, Response

from paravent.game.days import A_DAY
from paravent.game.lazily import cached_property
from paravent.table.host import Entry

from .actions import text
from .api import host_of
from .desk import Desk
from .front import sit_down
from .logbook import ActAtAGlance, MarkedLine, Told, account_of
from .visit import form_of, visit

router = APIRouter(include_in_schema=False)
TOLD = 8
"""How many lines of a recap, and of what changed."""
CHRONICLE = 150
"""How many of the latest things that happened are told by days."""
ACTS = 40
"""Among how many of its latest acts it is looked what an episode changed."""


@dataclass
class Chapter:
    """An episode as a seat reads it; the first may have no title: what came before any was begun."""

    title: str
    mark: str
    told: Told
    lines: list[MarkedLine] = field(default_factory=list)

    @cached_property
    def acts(self) -> list[ActAtAGlance]:
        """What was played in it, at a glance."""
        acts = (self.told.act(line) for line in self.lines if line.type == "move")
        return [act for act in acts if act is not None]

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
    def lived(self) -> bool:
        """Whether anything happened in it."""
        return bool(self.story or self.scenes or any(line.type == "move" for line in self.lines))

    @property
    def began(self) -> str:
        """When it was begun, as the clock on the wall had it."""
        return next((line.at for line in self.lines if line.at), "")

    @property
    def rolls(self) -> int:
        """How many acts had dice that the seat saw."""
        return sum(act.thrown for act in self.acts)

    @property
    def people(self) -> list[str]:
        """Those who did something in it."""
        desk = self.told.desk
        who = dict.fromkeys(name for act in self.acts for name in act.cast)
        return [desk.name(name) for name in who if name in desk.records]

    @property
    def changed(self) -> list[str]:
        """What its latest acts changed, in a few words each."""
        desk = self.told.desk
        numbers = [line.number or 0 for line in self.lines if line.type == "move"]
        acts = [act for act in map(desk.moves.get, numbers[-ACTS:]) if act is not None]
        told = (f"{change.who} : {part.what} {part.after}" for act in acts if act.phase == "closed" and act.changes
                for change in desk.acts.told(act).changes for part in change.lines)
        return list(dict.fromkeys(told))[-TOLD:]


def chapters(told: Told) -> list[Chapter]:
    """The episodes of an account, in order."""
    found = [Chapter("", "", told)]
    for line in told.lines:
        if line.type == "scene-opened" and line.kind == "episode" and line.title and not line.undone:
            found.append(Chapter(line.title, line.mark, told))
        found[-1].lines.append(line)
    first, *rest = found
    return rest if rest and not first.lived else found


class CampaignPage(NamedTuple):
    """The episodes of a campaign, the latest first."""

    desk: Desk
    episodes: list[tuple[int, Chapter]]
    days: list[tuple[int, list[MarkedLine]]]

    @property
    def last(self) -> Chapter:
        """The episode to be told again: the latest in which anything happened, not one that has only just begun."""
        return next((chapter for _, chapter in self.episodes if chapter.lived), self.episodes[0][1])


@router.get("/t/{table}/{seat}/campaign")
async def campaign(request: Request, table: str, seat: str) -> Response:
    """The campaign: its episodes, the latest first, and how it goes on."""
    guest = await visit(request, table, seat)

    async def read() -> CampaignPage:
        told = await account_of(guest)
        return await asyncio.to_thread(lambda: CampaignPage(
            told.desk, list(enumerate(chapters(told), start=1))[::-1], days(told.lines, told.desk)))

    return guest.page_by_and_by("campaign.html", read)


@router.post("/t/{table}/{seat}/join")
async def join(request: Request, table: str, seat: str) -> Response:
    """Join a table that was opened as the next episode, by the game master's link to it; its links lead here then."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    token = text(form, "link").rstrip("/").rpartition("/")[2]
    goes_on = await host_of(request).join(table, seat, token)
    response = RedirectResponse(f"/t/{goes_on}/{seat}/campaign", 303)
    sit_down(response, Entry(goes_on, seat, guest.token))
    return response


def days(lines: Sequence[MarkedLine], desk: Desk) -> list[tuple[int, list[MarkedLine]]]:
    """What happened when, by the days of the story, the latest first: scenes, what was narrated, what came, acts."""
    told = list(islice((line for line in reversed(lines) if not line.undone and desk.story.briefly(line)), CHRONICLE))
    found: dict[int, list[MarkedLine]] = {}
    for line in sorted(map(_in_its_hour, reversed(told)), key=lambda line: line.when):
        found.setdefault(line.when // A_DAY, []).append(line)
    return sorted(found.items(), reverse=True)


def _in_its_hour(line: MarkedLine) -> MarkedLine:
    """What was to come happened at its own hour, wherever the clock went on to."""
    came = line.type == "appointment-came" and isinstance(line.after, int)
    return replace(line, when=line.after) if came else line
