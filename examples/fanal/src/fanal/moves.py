"""What keepers do: throw a light, answer a wrecker's lamp, watch through a night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Example,
    Field,
    Grid,
    Move,
    Opened,
    Passages,
    Pills,
    Pips,
    Resolve,
    Role,
    Score,
    Steps,
    Telling,
    TextField,
    Whole,
    changed,
)

from .keeper import Craft, Keeper
from .light import Duel, Signal, duel, signal
from .night import Hour, Night, Past, after, foretold, hour

LIKELY_FOGS = (5, 7, 9)


def flasks_of(ctx: Context) -> int:
    """The flasks at hand: what the sheet says, none without one."""
    return ctx.one().sheet(Keeper).flasks if ctx.one().record else 0


def spent(ctx: Context, light: Signal) -> list[Change]:
    """Oil burnt and glass cracked leave the sheet, where there is one."""
    keeper = ctx.one()
    if keeper.record is None:
        return []
    sheet = keeper.sheet(Keeper)
    return [
        *changed(keeper.id, sheet, "flasks", sheet.flasks - light.burnt, "FAN-005"),
        *changed(keeper.id, sheet, "glass", max(0, sheet.glass - light.cracked), "FAN-006", weight="grave"),
    ]


def told(light: Signal) -> list[Telling]:
    """Whose light it was, how far it reached, whether it was seen."""
    return [Telling("outcomes.told_seen" if light.seen else "outcomes.told_unseen", {"n": light.beam}, main=True)]


def night_told(ctx: Context, result: Hour) -> list[Telling]:
    """The hour, and the end of the watch if it has come."""
    night = after(ctx.state(Night), result)
    end = [Telling("outcomes.saved" if night.saved else "outcomes.wrecked")] if night.over else []
    return [*told(result.light), *end]


def night_changes(ctx: Context, result: Hour) -> list[Change]:
    """The night goes on; what was burnt or cracked leaves the sheet."""
    light, past = result.light, ctx.state(Night).past
    came = Past(result.hour, "cracked" if light.cracked else lit_by(light), light.beam)
    return [
        *changed("encounter", ctx.encounter, "past", (*past, came), "FAN-007", weight="bookkeeping"),
        *changed("encounter", ctx.encounter, "hour", result.hour, "FAN-007"),
        *changed("encounter", ctx.encounter, "passed", result.passed, "FAN-007"),
        *spent(ctx, result.light),
    ]


def lit_by(result: Signal) -> str:
    """The short key of a light."""
    return "seen" if result.seen else "unseen"


CRAFT = Field("craft", Score(Craft, 1, 4), rule="FAN-002", shape=Pills())
MEMORY = Field("memory", TextField(160), usual="", names=True, place="refinement", shape=Passages(("story",)),
               when=lambda ctx: bool(ctx.one().record and ctx.one().sheet(Keeper).story))
"""What a keeper thinks of meanwhile, picked out of their own story: it is what the act is called."""
OIL = Field("oil", Whole(0, 9), usual=flasks_of, rule="FAN-005", shape=Pips("flasks"))
FOG = Field("fog", Whole(1, 14), "gm", usual=7, secrecy="gm", probes=LIKELY_FOGS, rule="FAN-004", place="judgement",
            shape=Steps((5, 7, 9, 11)))
SHOALS = Field("shoals", Whole(1, 6), "gm", usual=3, waits=True, secrecy="gm", rule="FAN-007")


def hand(ctx: Context, actor: Actor) -> int:
    """The dice that an actor's craft gives."""
    return ctx.score(actor, CRAFT)


SIGNAL = Move(
    "signal",
    steps=(
        Ask("declare", (CRAFT, OIL, MEMORY)),
        Ask("sea", (FOG,)),
        Resolve(
            "signal", lambda ctx: Call(signal, hand(ctx, ctx.one()), ctx[FOG], ctx[OIL], ctx.rulings),
            tell=lambda ctx, light: told(light), outcome=lit_by, success=lambda light: light.seen, changes=spent,
            vary="craft",
        ),
    ),
    rules=("FAN-002", "FAN-003", "FAN-004", "FAN-005", "FAN-006"),
    suits=lambda ctx: ctx.one().sheet(Keeper).glass > 0,
)

DUEL = Move(
    "duel-of-lights",
    steps=(
        Ask("declare", (
            replace(CRAFT, shape=Grid("craft", "opponent")),
            replace(CRAFT, role="opponent", shape=Grid("craft", "initiator")),
        )),
        Resolve(
            "duel", lambda ctx: Call(duel, hand(ctx, ctx.one()), hand(ctx, ctx.one("opponent")), ctx.rulings),
            tell=lambda ctx, result: [
                Telling(f"outcomes.told_{won(result)}", {"mine": result.mine, "theirs": result.theirs}, main=True)],
            outcome=lambda result: won(result), success=lambda result: result.winner == "initiator",
            sides=lambda result: () if result.winner == "nobody" else (result.winner,),
        ),
    ),
    cast=(INITIATOR, Role("opponent", "character", other=True), GAME_MASTER),
    rules=("FAN-009",),
)


def won(result: Duel) -> str:
    """The short key of a duel."""
    return {"initiator": "follows-you", "opponent": "follows-them", "nobody": "follows-nobody"}[result.winner]


def begun(dice: Dice) -> str:
    """The watch begins: nothing is thrown."""
    return "begun"


BEGIN = Move(
    "begin-watch",
    steps=(
        Ask("sea", (SHOALS, replace(FOG, probes=()))),
        Resolve(
            "begin", lambda ctx: Call(begun), auto=True,
            tell=lambda ctx, result: [Telling("outcomes.begun")],
            opens=lambda ctx, result: Opened("night", Night(ctx[FOG], ctx[SHOALS])),
        ),
    ),
    by="gm",
    cast=(GAME_MASTER,),
    rules=("FAN-007",),
)

WATCH = Move(
    "watch",
    steps=(
        Ask("declare", (CRAFT, OIL, MEMORY)),
        Resolve(
            "hour", lambda ctx: Call(hour, ctx.state(Night), hand(ctx, ctx.one()), ctx[OIL], ctx.rulings),
            tell=night_told, outcome=lambda result: lit_by(result.light), success=lambda result: result.light.seen,
            changes=night_changes,
        ),
    ),
    encounter="night",
    forecast=lambda ctx: foretold(ctx.state(Night), hand(ctx, ctx.one()), ctx.rulings),
    rules=("FAN-007", "FAN-008"),
)

MOVES: Mapping[str, Move] = {move.id: move for move in (SIGNAL, DUEL, BEGIN, WATCH)}

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "signal": [
        {"form": {"initiator": [{"craft": 3}], "gm": [{"fog": 7}]}},
        {"form": {"initiator": [{"craft": "lamp", "oil": 2}]}, "sheets": {"initiator": "maelis"}},
        {"form": {"initiator": [{"craft": 1}]}, "options": {"crack": "one"}},
    ],
    "duel-of-lights": [
        {"form": {"initiator": [{"craft": 3}], "opponent": [{"craft": 2}]}},
        {"form": {"initiator": [{"craft": "lamp"}], "opponent": [{"craft": "horn"}]},
         "sheets": {"initiator": "maelis", "opponent": "odon"}, "options": {"tie": "keeper"}},
    ],
    "begin-watch": [{"form": {"gm": [{"shoals": 3, "fog": 6}]}}],
    "watch": [
        {"form": {"initiator": [{"craft": 3}]}, "encounter": {"fog": 6, "shoals": 3}},
        {"form": {"initiator": [{"craft": "lamp"}]}, "sheets": {"initiator": "odon"},
         "encounter": {"fog": 9, "shoals": 1, "hour": 5}},
    ],
}
