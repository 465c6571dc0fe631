"""How side effects are prepared: the player's attitude in v4; in v5 what the game master attaches to kept dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from paravent.game import Ask, Context, Field, FieldFacts, Grid, Group, Many, OneOf, Pills, TextField
from paravent.game.fields import FieldType
from paravent.systems.solaires.cast import has, in_v4, in_v5

from .announce_steps import CONDITION, CONDITION_KEPT, Course, Rolls, only_if
from .attitude import Cells, added, all_attitudes, chosen_attitude, condition_cells, menu
from .facts import Attitude, Polarity


def chooses_attitude(ctx: Context) -> bool:
    """Whether the player has an attitude to choose."""
    return in_v4(ctx) or ctx.rulings.v5_player_attitude == "true"


def permitted(ctx: Context) -> tuple[Attitude, ...]:
    """The attitudes that the game master permits here: all, unless some are named."""
    return ctx[ALLOWED] or all_attitudes()


def sometimes_stable(ctx: Context) -> Attitude | None:
    """The attitude of somebody who says nothing: stable, else the only one left."""
    allowed = permitted(ctx)
    return Attitude.STABLE if Attitude.STABLE in allowed else allowed[0] if len(allowed) == 1 else None


def ideas(*polarities: Polarity) -> Callable[[Context], tuple[str, ...]]:
    """The ideas of side effects that the table's edition gives, as suggestions: any other words will do."""
    return lambda ctx: tuple(f"idea_{idea}" for polarity in polarities for idea in menu(polarity, ctx.rulings))


@dataclass(frozen=True)
class CellsOf(FieldType[Cells]):
    """Side effects by number of kept dice, one text for each number."""

    texts: Group[str]
    name = Group.name

    def read(self, raw: object, field: str, ctx: Context) -> Cells:
        if isinstance(raw, Cells):
            return raw
        if isinstance(raw, (list, tuple)):
            raw = dict(zip(Cells._fields, raw, strict=False))
        if isinstance(raw, Mapping):
            raw = {name if str(name).startswith("kept_") else f"kept_{name}": text for name, text in raw.items()}
        return Cells(**self.texts.read(raw, field, ctx))

    def describe(self, ctx: Context) -> FieldFacts:
        return self.texts.describe(ctx)


CELLS = CellsOf(Group(
    {name: TextField(400, ideas(*reversed(Polarity))) for name in reversed(Cells._fields)},
    dict.fromkeys(Cells._fields, ""),
))
ALLOWED: Field[tuple[Attitude, ...] | None] = Field(
    "allowed", Many(OneOf(Attitude), distinct=True), "gm", usual=(), when=chooses_attitude, rule="SOL-047",
    place="rarity",
)
ATTITUDE: Field[Attitude | None] = Field(
    "attitude", OneOf(Attitude, permitted), usual=sometimes_stable, when=chooses_attitude, rule="SOL-046",
    place="essential", shape=Pills(),
)
PRESET: Field[Attitude | None] = Field(
    "preset", OneOf(Attitude), "gm", usual=Attitude.STABLE, when=in_v5, rule="SOL-053", place="essential",
    shape=Pills(),
)
EFFECTS: Field[Cells | None] = Field(
    "effects", CELLS, "gm", usual=Cells(), when=in_v5, rule="SOL-052", place="essential",
    shape=Grid("secret_effects"),
)
SECRET_EFFECTS: Field[Cells | None] = Field(
    "secret_effects", CELLS, "gm", usual=Cells(), when=in_v5, secrecy="gm", probes=(Cells(),), rule="SOL-052",
    place="essential",
)


def effect_steps(rolls: Rolls) -> Course:
    """v4: the attitudes that the game master allows. v5: what he attaches to kept dice, openly or in secret."""
    return (Ask("effects", (
        only_if(rolls, ALLOWED), only_if(rolls, PRESET), only_if(rolls, EFFECTS), only_if(rolls, SECRET_EFFECTS),
    )),)


def attitude_of(ctx: Context) -> Attitude:
    """The player's attitude, within what is allowed; none to choose means stable."""
    if not chooses_attitude(ctx):
        return Attitude.STABLE
    allowed = ctx[ALLOWED]
    return chosen_attitude(ctx[ATTITUDE], allowed or ())


def preset_of(ctx: Context) -> Attitude:
    """The pattern that the game master attached to kept dice."""
    return has(ctx, ctx.one("gm"), PRESET) or Attitude.STABLE


def cells_of(ctx: Context) -> Cells:
    """What the game master announced, and the condition that the player accepted.

    What is kept secret has no part in the throw: the game master is asked about it once it happened.
    """
    agreed = agreed_cells(ctx)
    return added(ctx[EFFECTS] or Cells(), agreed) if in_v5(ctx) else agreed


def agreed_cells(ctx: Context) -> Cells:
    """The condition that the player accepted, if the move knows such bargains and there was one."""
    if not ctx.asks(CONDITION):
        return Cells()
    condition, kept = ctx[CONDITION], ctx[CONDITION_KEPT]
    return Cells() if not condition or kept is None else condition_cells(condition, kept)
