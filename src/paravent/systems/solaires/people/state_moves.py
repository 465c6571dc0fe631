"""States gained, made worse and lost, as the game master says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Many,
    Move,
    OneOf,
    Resolve,
    Role,
    Steps,
    Telling,
    TextField,
    Who,
    Whole,
    changed,
    rule,
)
from paravent.systems.solaires.cast import has_states, names_of, states_of
from paravent.systems.solaires.facts import SCORE_MAX, SCORE_MIN, TABLES, Category

from .character import Element, scored
from .states import changed_states, read_states

ANYBODY = Role("character")
"""A character, or somebody or something of the game master's: whatever has states."""


def state_ideas(ctx: Context) -> tuple[str, ...]:
    """Names of states at hand."""
    return tuple(TABLES["states"].keys())


@dataclass(frozen=True)
class ScoredWords(TextField):
    """States or things with their scores; what cannot be read is refused to whoever writes it, there and then."""

    def read(self, raw: object, field: str, ctx: Context) -> str:
        text = super().read(raw, field, ctx)
        read_states(text, ctx.rulings)
        return text


STATES_GAINED: Field[str | None] = Field(
    "states_gained", ScoredWords(300, state_ideas), "gm", usual="", rule="SOL-106", place="essential"
)
STATES_SCORE: Field[int | None] = Field(
    "states_score", Whole(SCORE_MIN, SCORE_MAX), "gm", optional=True, rule="SOL-106", place="refinement", shape=Steps(),
)
STATES_WORSE: Field[tuple[str, ...] | None] = Field(
    "states_worse", Many(OneOf(names_of("character", Category.STATE)), distinct=True), "gm", usual=(), rule="SOL-054",
    place="essential", when=lambda ctx: bool(states_of(ctx.one("character"))),
)
STATES_EASED: Field[tuple[str, ...] | None] = Field(
    "states_eased", Many(OneOf(names_of("character", Category.STATE)), distinct=True), "gm", usual=(), rule="SOL-055",
    place="essential", when=lambda ctx: bool(states_of(ctx.one("character"))),
)
STATES_LOST: Field[tuple[str, ...] | None] = Field(
    "states_lost", Many(OneOf(names_of("character", Category.STATE)), distinct=True), "gm", usual=(), rule="SOL-055",
    place="essential", when=lambda ctx: bool(states_of(ctx.one("character"))),
)
CAUSE = Field("cause", TextField(200), "gm", usual="", rule="SOL-106", place="rarity")


@rule("SOL-106")
def change_states(
    dice: Dice, had: tuple[Element, ...], new: tuple[Element, ...], worse: tuple[str, ...], gone: tuple[str, ...],
    lighter: tuple[str, ...] = (),
) -> tuple[Element, ...]:
    """States gained, made worse, eased and lost; one named as both is lost first, and refused."""
    return changed_states(had, new, worse, gone, lighter)


def change_of(ctx: Context) -> Call[tuple[Element, ...]]:
    """The states there are, and what becomes of them."""
    had, worse, gone = states_of(ctx.one("character")), ctx[STATES_WORSE], ctx[STATES_LOST]
    lighter, new = ctx[STATES_EASED], read_states(ctx[STATES_GAINED] or "", ctx.rulings, ctx[STATES_SCORE])
    return Call(change_states, had, new, worse or (), gone or (), lighter or ())


def tell_states(actor: Actor, after: Sequence[Element]) -> list[Telling]:
    """The states as they now are."""
    values = {"who": Who(actor.id), "states": [scored(state.name, state.score) for state in after]}
    return [Telling("outcomes.told_states" if after else "outcomes.told_no_state", values)]


def state_changes(actor: Actor, after: Sequence[Element], rule_id: str = "SOL-106") -> tuple[Change, ...]:
    """The states of a sheet, if there is one."""
    return changed(actor.id, actor.record, "states", tuple(after), rule_id) if has_states(actor) else ()


CHANGE_STATE = Move(
    "change-state",
    (
        Ask("states", (STATES_GAINED, STATES_SCORE, STATES_WORSE, STATES_EASED, STATES_LOST, CAUSE)),
        Resolve("change", change_of, outcome=lambda after: "states_changed",
                tell=lambda ctx, after: tell_states(ctx.one("character"), after),
                changes=lambda ctx, after: state_changes(ctx.one("character"), after)),
    ),
    cast=(ANYBODY, GAME_MASTER),
    by="gm",
    rules=("SOL-106", "SOL-054", "SOL-055"),
)

MOVES = (CHANGE_STATE,)
