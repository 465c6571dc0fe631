"""Side effects that the game master kept secret: whether one that happened is told now, or kept for later."""

from __future__ import annotations

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    Ask,
    Call,
    Context,
    Field,
    Follow,
    Move,
    OneOf,
    Resolve,
    Role,
    Steps,
    Telling,
    TextField,
    rule,
)
from paravent.systems.solaires.cast import in_v5

from .action import Action
from .attitude import Cells, gm_effects
from .effect_steps import SECRET_EFFECTS
from .facts import Polarity

REVEAL, KEEP = "reveal", "keep_secret"
KEPT_SECRET: Field[str] = Field("kept_secret", TextField(800), "gm", names=True, rule="SOL-052")
TOLD_NOW: Field[str] = Field(
    "told_now", OneOf((REVEAL, KEEP)), "gm", waits=True, rule="SOL-052", place="judgement",
    shape=Steps(weighed=lambda ctx: False),
)
CONCERNED = Role("concerned", least=0)
"""Whoever acted."""


@rule("SOL-052")
def revealed(dice: Dice, told: bool) -> bool:
    """A secret effect that happened is told when the game master says so: it changes nothing of the success."""
    return told


def tell_revealed(ctx: Context, told: bool) -> list[Telling]:
    """Each effect, to everybody or to the game master."""
    said = []
    for effect in gm_effects(Cells(kept_0=ctx[KEPT_SECRET]))[0]:
        key = "outcomes.told_effect_positive" if effect.polarity == Polarity.POSITIVE else (
            "outcomes.told_effect_negative")
        said.append(Telling(key, {"text": effect.text}, EVERYONE if told else GM_ONLY))
    if not told:
        said.append(Telling("outcomes.told_kept_secret", {}, GM_ONLY))
    return said


def secret_follow(ctx: Context, done: Action) -> list[Follow]:
    """The game master is asked about the secret effect that the dice brought, if they brought one."""
    if not in_v5(ctx) or not ctx.asks(SECRET_EFFECTS) or not done.rolled:
        return []
    words = (ctx[SECRET_EFFECTS] or Cells())[done.kept]
    if not gm_effects(Cells(kept_0=words))[0]:
        return []
    return [Follow("reveal-effect", {CONCERNED.id: [ctx.one().id]}, {"gm": {"kept_secret": words}})]


REVEAL_EFFECT = Move(
    "reveal-effect",
    (
        Ask("secret", (KEPT_SECRET, TOLD_NOW)),
        Resolve("reveal", lambda ctx: Call(revealed, ctx[TOLD_NOW] == REVEAL), auto=True, judged=True,
                outcome=lambda told: "revealed" if told else "kept_secret", tell=tell_revealed),
    ),
    cast=(CONCERNED, GAME_MASTER),
    by="gm",
    rules=("SOL-052",),
    exists=GM_ONLY,
    suits=lambda ctx: False,  # it comes by itself when the dice bring the effect; by hand it is searched for
)

MOVES = (REVEAL_EFFECT,)
