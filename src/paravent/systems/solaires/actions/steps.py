"""What an action asks before its dice: announce, difficulty, side effects, stakes, elements, attitude, handicap."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    AnyField,
    AnyResolve,
    Ask,
    Context,
    Field,
    Flag,
    OneOf,
    Resolve,
    Telling,
    TextField,
    Whole,
    Window,
    asking,
    rule,
)
from paravent.systems.solaires.errors import GameMasterDoesNotRoll
from paravent.systems.solaires.facts import NEEDED, Attitude, Polarity, Verdict
from paravent.systems.solaires.people.character import Figure
from paravent.systems.solaires.psi.rules import benchmark
from paravent.systems.solaires.reading import (
    ALLOWED,
    ATTITUDE,
    CELLS,
    UNFAVOURABLE_FIELDS,
    USED_FIELDS,
    called,
    element_fields,
    elements_of,
    handicap_field,
    has,
    in_v5,
    lent_fields,
    points_field,
    scale_field,
    scale_of,
)

from .action import Action, declared
from .announce import may_renegotiate, stakes_faults
from .attitude import Cells
from .difficulty import free_difficulty, total_difficulty

DIFFICULTY = "difficulty"
Rolls = Callable[[Context], bool]
"""Whether dice are thrown at all."""


# The announce


def verdicts(ctx: Context) -> tuple[Verdict, ...]:
    """What the game master may say; the rule of ko belongs to the later edition."""
    return tuple(verdict for verdict in Verdict if verdict != Verdict.KO or in_v5(ctx))


def needs_roll(ctx: Context) -> bool:
    """Whether the attempt goes through the dice."""
    return bool(ctx["verdict"] == Verdict.RESOLVE)


def goes_on(ctx: Context) -> bool:
    """Whether there is an attempt at all: what only undoes an earlier one is refused, and leaves nothing behind."""
    return bool(ctx["verdict"] != Verdict.KO)


def announce_steps(*more: AnyField) -> tuple[Ask | AnyResolve, ...]:
    """What is attempted, what success and failure bring, and whether dice are needed at all."""
    return (
        Ask("announce", (
            Field("goal", TextField(300), usual="", rule="SOL-011", upfront=True),
            Field("method", TextField(300), usual="", rule="SOL-020"),
            *more,
            Field("on_success", TextField(400), "gm", usual="", rule="SOL-013"),
            Field("on_failure", TextField(400), "gm", usual="", rule="SOL-013"),
            Field("gm_notes", TextField(400), "gm", usual="", secrecy="gm", rule="SOL-011"),
        )),
        Ask("verdict", (Field("verdict", OneOf(verdicts), "gm", usual=Verdict.RESOLVE, rule="SOL-025"),)),
        Resolve("declared", asking(declared, lambda ctx: (ctx["verdict"],)), auto=True, tell=tell_declared,
                outcome=outcome_of, when=lambda ctx: not needs_roll(ctx)),
    )


def tell_declared(ctx: Context, done: Action | None) -> list[Telling]:
    """What the game master declared."""
    return [Telling(f"outcomes.told_{ctx['verdict']}", {"who": called(ctx.one())})]


# Difficulty and side effects


def difficulty_steps(rolls: Rolls = needs_roll) -> tuple[Ask | AnyResolve, ...]:
    """Both scales, summed; only the sum is told, unless the game master shows how he came by it."""
    return (
        Ask("scales", (
            Field("free", Whole(-20, 20), "gm", optional=True, rule="SOL-022",
                  when=lambda ctx: rolls(ctx) and ctx.rulings.free_difficulty == "true"),
            scale_field("intrinsic", when=rolls),
            scale_field("scenario_interest", when=rolls),
            Field("reveal_scales", Flag(), "gm", usual=False, secrecy="gm", when=rolls, rule="SOL-022"),
        )),
        *effect_steps(rolls),
        Resolve(DIFFICULTY,
            asking(difficulty, read_difficulty), auto=True, outcome=lambda total: "difficulty", when=rolls,
                tell=tell_difficulty),
    )


@rule("SOL-026")
def difficulty(dice: Dice, free: int | None, intrinsic: int, interest: int, rulings: Any) -> int:
    """The difficulty, told before any element is chosen: the sum of both scales, or a number of the game master's."""
    return total_difficulty(dice, intrinsic, interest, rulings) if free is None else free_difficulty(dice, free)


def read_difficulty(ctx: Context) -> tuple[Hashable, ...]:
    """Both scales, and the number given without them, if any."""
    check_actor(ctx)
    free = has(ctx, ctx.one("gm"), "free") if ctx.rulings.free_difficulty == "true" else None
    return free, scale_of(ctx, "intrinsic"), scale_of(ctx, "scenario_interest"), ctx.rulings


def check_actor(ctx: Context) -> None:
    """Whoever rolls is a player's character: those of the game master's never do."""
    if isinstance(ctx.one().record, Figure):
        raise GameMasterDoesNotRoll(name=called(ctx.one()))


def tell_difficulty(ctx: Context, total: int) -> list[Telling]:
    """The total, and how it came about if the game master shows it; to him alone, what the announce still lacks."""
    said = [Telling("outcomes.told_difficulty", {"total": signed(total)}, EVERYONE)]
    if ctx["reveal_scales"]:
        intrinsic, interest = scale_of(ctx, "intrinsic"), scale_of(ctx, "scenario_interest")
        scales = {"intrinsic": signed(intrinsic), "interest": signed(interest)}
        said.append(Telling("outcomes.told_scales", scales, EVERYONE))
    stakes = ctx["goal"], ctx["on_success"], ctx["on_failure"]
    lacking = stakes_faults(*stakes, ctx.rulings)
    if lacking and any(stakes):  # where nothing at all is written, people talk
        said.append(Telling("outcomes.told_stakes", {"lacking": [fault.key for fault in lacking]}, GM_ONLY))
    return said


def signed(number: int) -> str:
    """A modifier as it is read aloud."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def effect_steps(rolls: Rolls) -> tuple[Ask, ...]:
    """v4: the attitudes that the game master allows. v5: what he attaches to kept dice, openly or in secret."""

    def attached(ctx: Context) -> bool:
        return rolls(ctx) and in_v5(ctx)

    return (
        Ask("effects", (
            replace(ALLOWED, when=lambda ctx: rolls(ctx) and bool(ALLOWED.when and ALLOWED.when(ctx))),
            Field("preset", OneOf(Attitude), "gm", usual=Attitude.STABLE, when=attached, rule="SOL-053"),
            Field("effects", CELLS, "gm", usual=Cells(), when=attached, rule="SOL-052"),
            Field("secret_effects", CELLS, "gm", usual=Cells(), when=attached, secrecy="gm", probes=(Cells(),),
                  rule="SOL-052"),
        )),
    )


# Stakes, elements, attitude, handicap


def renegotiate_steps(rolls: Rolls) -> tuple[Ask | Window, ...]:
    """Once the difficulty is known, a harsher condition may be offered, for which the scales are eased.

    It becomes a side effect: it comes about unless more dice are kept than was said.
    """
    return (
        Ask("renegotiate", (
            Field("condition", TextField(300), usual="", rule="SOL-016",
                  when=lambda ctx: rolls(ctx) and may_renegotiate(ctx.rulings)),
            Field("condition_kept", Whole(0, NEEDED), usual=NEEDED, rule="SOL-016",
                  when=lambda ctx: rolls(ctx) and bool(ctx["condition"])),
        )),
        Window("bargain", "gm", "approval", when=lambda ctx: rolls(ctx) and bool(ctx["condition"]),
               back_to="renegotiate"),
    )


def element_steps(rolls: Rolls, helpers: str, weighed: AnyResolve) -> tuple[Ask | Window | AnyResolve, ...]:
    """Elements of one's own and of others, attitude, handicap; the action is ``weighed``; all agree."""
    lent = lent_fields(helpers)
    handicaps = (handicap_field(), handicap_field(helpers)) if helpers == "member" else (handicap_field(),)
    return (
        Ask("elements", tuple(
            only_if(rolls, field)
            for field in (*element_fields(), *UNFAVOURABLE_FIELDS, *lent, *USED_FIELDS, points_field())
        )),
        Ask("attitude", (only_if(rolls, ATTITUDE),)),
        Ask("handicap", tuple(only_if(rolls, field) for field in handicaps)),
        weighed,
        Window("lend", helpers, "consent", back_to="elements",
               when=lambda ctx: rolls(ctx) and any(has(ctx, one, "lent") != "none" for one in ctx.all(helpers))),
        Window("approval", "gm", "approval", back_to="elements",
               when=lambda ctx: rolls(ctx) and (bool(elements_of(ctx, helpers)) or hinders(ctx))),
    )


def hinders(ctx: Context) -> bool:
    """Whether anybody declares a handicap."""
    return any(has(ctx, actor, "handicap") for actor in ctx.actors if asks_handicap(ctx, actor.role))


def asks_handicap(ctx: Context, role: str) -> bool:
    """Whether a role is asked for its handicaps."""
    return any(field.id == "handicap" and field.role == role for field in ctx.move.fields)


def only_if(rolls: Rolls, field: AnyField) -> AnyField:
    """The same field, asked only where dice are thrown."""
    inner = field.when
    return replace(field, when=rolls if inner is None else lambda ctx: rolls(ctx) and inner(ctx))


def told_benchmark(situation: str) -> Telling:
    """How hard such things usually are, for the game master who is about to say it."""
    easiest, hardest = benchmark(situation)
    values = {"situation": situation, "easiest": signed(easiest), "hardest": signed(hardest)}
    return Telling("outcomes.told_benchmark", values, GM_ONLY)


def outcome_of(done: Action | None) -> str:
    """The short key of an action: success or failure, and whether good or bad comes with it."""
    if done is None:
        return "refused"
    kinds = {effect.polarity for effect in done.effects}
    along = "both" if len(kinds) > 1 else "".join("good" if kind == Polarity.POSITIVE else "bad" for kind in kinds)
    return ("success" if done.success else "failure") + (f"_{along}" if along else "")
