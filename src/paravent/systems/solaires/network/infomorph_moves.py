"""The journeys of beings that run on the nodes of the network."""

from __future__ import annotations

from paravent.game import (
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    Resolve,
    Steps,
    Telling,
    TextField,
    Who,
    Whole,
    changed,
)
from paravent.systems.solaires.facts import SCORE_MAX, Brain
from paravent.systems.solaires.people.bodies import host_of
from paravent.systems.solaires.people.character import Character, Element
from paravent.systems.solaires.people.state_moves import state_changes
from paravent.systems.solaires.people.states import gained

from . import rules as network
from .errors import NotAnInfomorph
from .rules import Travelled

DESTINATION_NODE = Field("destination_node", TextField(200), usual="", waits=True, rule="SOL-163", place="essential")
PERMISSION = Field("permission", Flag(), "gm", usual=True, waits=True, rule="SOL-163", place="essential")
UPLOADED = Field("uploaded", Flag(), "gm", usual=True, rule="SOL-163", place="refinement")
SATURATION = Field("saturation", Whole(0, SCORE_MAX), "gm", usual=0, rule="SOL-162", place="refinement", shape=Steps())


def may_travel(ctx: Context) -> bool:
    """Whether it is a being without a body, or an AI; somebody without a sheet is believed."""
    record = ctx.one().record
    return not isinstance(record, Character) or host_of(record.body).brain == Brain.NONE or record.mind_type.is_ai


def check_infomorph(ctx: Context) -> None:
    """Only a being without a body travels so."""
    if not may_travel(ctx):
        raise NotAnInfomorph(name=ctx.one().sheet(Character).name)


def journey(ctx: Context) -> Call[Travelled]:
    """From where, to where, and how it goes."""
    check_infomorph(ctx)
    record = ctx.one().record
    host = record.network_host if isinstance(record, Character) else ""
    return Call(network.travel, host, ctx[DESTINATION_NODE], ctx[PERMISSION], ctx[UPLOADED], ctx[SATURATION])


def tell_travel(ctx: Context, gone: Travelled) -> list[Telling]:
    """Where the being now runs."""
    key = "told_travelled" if gone.arrived else "told_not_travelled"
    return [Telling(f"outcomes.{key}", {"who": Who(ctx.one().id), "host": gone.host}, main=True)]


def travel_changes(ctx: Context, gone: Travelled) -> list[Change]:
    """Where the being now runs, and how slowly."""
    actor = ctx.one()
    if not isinstance(actor.record, Character) or not gone.arrived:
        return []
    found = [*changed(actor.id, actor.record, "network_host", gone.host, "SOL-160")]
    left = [state for state in actor.record.states if state.name != network.SLOWED]  # that was the former node's doing
    slowed = [Element(network.SLOWED, gone.slowed)] if gone.slowed else []
    return [*found, *state_changes(actor, gained(left, slowed), "SOL-162")]


MOVE_INFOMORPH = Move(
    "move-infomorph",
    (
        Ask("where", (DESTINATION_NODE,)),
        Ask("upload", (PERMISSION, UPLOADED, SATURATION)),
        Resolve("travel", journey, auto=True, changes=travel_changes, tell=tell_travel,
                outcome=lambda gone: "travelled" if gone.arrived else "not_travelled"),
    ),
    offered=may_travel,
    suits=lambda ctx: isinstance(ctx.one().record, Character) and may_travel(ctx),
    rules=("SOL-160", "SOL-162", "SOL-163", "SOL-164"),
)

MOVES = (MOVE_INFOMORPH,)
