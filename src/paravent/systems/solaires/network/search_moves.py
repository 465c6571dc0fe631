"""A search through SolNet."""

from __future__ import annotations

from dataclasses import dataclass

from paravent.game import (
    Ask,
    Call,
    Context,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Pills,
    Resolve,
    Telling,
    TextField,
    Who,
    Whole,
    time_goes_by,
)
from paravent.systems.solaires.cast import Given

from . import rules as network
from .errors import NotPublic
from .facts import NearestCopy
from .rules import AN_HOUR, Search


@dataclass(frozen=True)
class PublicOnly(Given):
    """Whether the data are public; agents see no others."""

    def read(self, raw: object, field: str, ctx: Context) -> bool:
        if not super().read(raw, field, ctx):
            raise NotPublic()
        return True


QUERY = Field("query", TextField(300), usual="", waits=True, rule="SOL-131")
PUBLIC = Field("public", PublicOnly(), usual=True, rule="SOL-131", place="rarity")
NEAREST_COPY = Field("nearest_copy", OneOf(NearestCopy), "gm", usual=NearestCopy.SAME_PLACE, waits=True,
                     rule="SOL-130", place="essential", shape=Pills())
DELAY: Field[int | None] = Field(
    "delay", Whole(0, network.MOST_HOURS), "gm", usual=network.USUAL_HOURS, waits=True, rule="SOL-131",
    place="essential",
    when=lambda ctx: network.search_takes_hours(ctx[NEAREST_COPY]),
)
"""How many hours go by before the answer is there; none where nobody waits for it."""
FOUND = Field("found", TextField(500), "gm", usual="", rule="SOL-131", place="essential")
NEEDS_ACTION = Field("needs_action", Flag(), "gm", usual=False, rule="SOL-131", place="refinement")


def tell_search(ctx: Context, found: Search) -> list[Telling]:
    """Where the answer lies, and when it comes."""
    values = {"who": Who(ctx.one().id), "zone": found.zone, "time": found.access_time, "query": ctx[QUERY]}
    said = [Telling("outcomes.told_search", values)]
    if not ctx[FOUND]:
        return said
    key = "told_found_after" if ctx[DELAY] else "told_found"
    return [*said, Telling(f"outcomes.{key}", {"text": ctx[FOUND], **({"n": ctx[DELAY]} if ctx[DELAY] else {})})]


def called_for(ctx: Context, found: Search) -> list[Follow]:
    """The hours that go by, on the table's one clock; the action that the game master wants for it."""
    who = ctx.one().id
    wanted = [Follow("action", {"initiator": [who]}, {who: {"goal": ctx[QUERY]}})] if ctx[NEEDS_ACTION] else []
    return [*time_goes_by((ctx[DELAY] or 0) * AN_HOUR), *wanted]


SOLNET_SEARCH = Move(
    "solnet-search",
    (
        Ask("query", (QUERY, PUBLIC)),
        Ask("where", (NEAREST_COPY, DELAY, FOUND, NEEDS_ACTION)),
        Resolve("search", lambda ctx: Call(network.search, ctx[NEAREST_COPY], ctx[PUBLIC]), auto=True,
                tell=tell_search, outcome=lambda found: found.zone, follow=called_for),
    ),
    rules=("SOL-130", "SOL-131"),
)

MOVES = (SOLNET_SEARCH,)
