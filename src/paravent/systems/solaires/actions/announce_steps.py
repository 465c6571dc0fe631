"""How an action is announced: what is attempted, what is at stake, whether dice are needed, a harsher condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from paravent.game import (
    AnyField,
    AnyResolve,
    Ask,
    Call,
    Context,
    Field,
    OneOf,
    Pills,
    Resolve,
    Telling,
    TextField,
    Who,
    Whole,
    Window,
)
from paravent.systems.solaires.cast import in_v5
from paravent.systems.solaires.facts import NEEDED

from .action import Action, declared, outcome_of
from .announce import may_renegotiate
from .facts import Verdict

T = TypeVar("T")
Rolls = Callable[[Context], bool]
"""Whether dice are thrown at all."""
Course = tuple[Ask | Window | AnyResolve, ...]


def verdicts(ctx: Context) -> tuple[Verdict, ...]:
    """What the game master may say; the rule of ko belongs to the later edition."""
    return tuple(verdict for verdict in Verdict if verdict != Verdict.KO or in_v5(ctx))


GOAL = Field("goal", TextField(300), usual="", rule="SOL-011", upfront=True, names=True)
METHOD = Field("method", TextField(300), usual="", rule="SOL-020", place="refinement")
ON_SUCCESS = Field("on_success", TextField(400), "gm", usual="", rule="SOL-013", place="essential")
ON_FAILURE = Field("on_failure", TextField(400), "gm", usual="", rule="SOL-013", place="essential")
GM_NOTES = Field("gm_notes", TextField(400), "gm", usual="", secrecy="gm", rule="SOL-011", place="rarity")
VERDICT = Field("verdict", OneOf(verdicts), "gm", usual=Verdict.RESOLVE, rule="SOL-025", place="essential",
                shape=Pills(weighed=False))
CONDITION: Field[str | None] = Field("condition", TextField(300), usual="", rule="SOL-016", place="refinement")
CONDITION_KEPT: Field[int | None] = Field("condition_kept", Whole(0, NEEDED), usual=NEEDED, rule="SOL-016",
                                          place="refinement", shape=Pills())


def needs_roll(ctx: Context) -> bool:
    """Whether the attempt goes through the dice."""
    return ctx[VERDICT] == Verdict.RESOLVE


def goes_on(ctx: Context) -> bool:
    """Whether there is an attempt at all: what only undoes an earlier one is refused, and leaves nothing behind."""
    return ctx[VERDICT] != Verdict.KO


def tell_declared(ctx: Context, done: Action | None) -> list[Telling]:
    """What the game master declared."""
    return [Telling(f"outcomes.told_{ctx[VERDICT]}", {"who": Who(ctx.one().id)})]


DECLARED: Resolve[Action | None] = Resolve(
    "declared", lambda ctx: Call(declared, ctx[VERDICT]), auto=True, tell=tell_declared, outcome=outcome_of,
    when=lambda ctx: not needs_roll(ctx),
)


def announce_steps(*more: AnyField, attempts: Rolls | None = None) -> Course:
    """What is attempted, its own questions first, what success and failure bring; whether dice are needed at all.

    ``attempts`` says whether anything is attempted, where that is one of its own questions.
    """
    about: tuple[AnyField, ...] = (GOAL, METHOD, ON_SUCCESS, ON_FAILURE, GM_NOTES)
    if attempts is None:
        return Ask("announce", (*more, *about)), Ask("verdict", (VERDICT,)), DECLARED
    about = tuple(replace(field, when=attempts) for field in about)
    settled = replace(DECLARED, when=lambda ctx: attempts(ctx) and not needs_roll(ctx))
    return Ask("announce", (*more, *about)), Ask("verdict", (replace(VERDICT, when=attempts),)), settled


def renegotiate_steps(rolls: Rolls) -> Course:
    """Once the difficulty is known, a harsher condition may be offered, for which the scales are eased.

    It becomes a side effect: it comes about unless more dice are kept than was said.
    """

    def offered(ctx: Context) -> bool:
        return rolls(ctx) and bool(ctx[CONDITION])

    return (
        Ask("renegotiate", (
            replace(CONDITION, when=lambda ctx: rolls(ctx) and may_renegotiate(ctx.rulings)),
            replace(CONDITION_KEPT, when=offered),
        )),
        Window("bargain", "gm", "approval", when=offered, back_to="renegotiate"),
    )


def only_if(rolls: Rolls, field: Field[T]) -> Field[T | None]:
    """The same field, asked only where dice are thrown."""
    inner = field.when
    return replace(field, when=rolls if inner is None else lambda ctx: rolls(ctx) and inner(ctx))
