"""How an action's difficulty is said: two scales of the game master's, of which the sum alone is told."""

from __future__ import annotations

from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    Ask,
    Call,
    Context,
    Field,
    Flag,
    Place,
    Resolve,
    Rulings,
    Score,
    Steps,
    Telling,
    Whole,
    rule,
)
from paravent.systems.solaires.cast import called, has
from paravent.systems.solaires.facts import SCALE
from paravent.systems.solaires.people.character import Figure
from paravent.systems.solaires.psi.rules import benchmark

from .announce import stakes_faults
from .announce_steps import GOAL, ON_FAILURE, ON_SUCCESS, Course, Rolls, only_if
from .difficulty import free_difficulty, levels, total_difficulty
from .errors import GameMasterDoesNotRoll

Scale = Field[int | str | None]


def scale(name: str, table: str, usual: str, rule_id: str, place: Place) -> Scale:
    """One of the two scales, a word to tap or a number; how the game master came by the sum stays with him (R-35)."""
    kind = Score(lambda ctx: tuple(levels(table)), -SCALE, SCALE)
    return Field(name, kind, "gm", usual=usual, secrecy="gm", rule=rule_id, place=place,
                 shape=Steps(weighed=lambda ctx: ctx.rulings.odds_before == "shown"))


INTRINSIC = scale("intrinsic", "intrinsic", "complex", "SOL-023", "judgement")
INTEREST = scale("scenario_interest", "interest", "neutral", "SOL-024", "essential")
FREE: Field[int | None] = Field("free", Whole(-20, 20), "gm", optional=True, rule="SOL-022", place="refinement",
                                when=lambda ctx: ctx.rulings.free_difficulty == "true")
REVEAL_SCALES = Field("reveal_scales", Flag(), "gm", usual=False, secrecy="gm", rule="SOL-022", place="rarity")


def intrinsic_of(ctx: Context) -> int:
    """How hard the deed is."""
    return _valued(ctx[INTRINSIC], "intrinsic")


def interest_of(ctx: Context) -> int:
    """Which outcome would make the better story."""
    return _valued(ctx[INTEREST], "interest")


def _valued(said: int | str | None, table: str) -> int:
    """A scale as filled in: a number, or that of a level; one that is not asked weighs nothing."""
    if said is None:
        return 0
    return said if isinstance(said, int) else levels(table)[said]


@rule("SOL-026")
def difficulty(dice: Dice, free: int | None, intrinsic: int, interest: int, rulings: Rulings) -> int:
    """The difficulty, told before any element is chosen: the sum of both scales, or a number of the game master's."""
    return total_difficulty(dice, intrinsic, interest, rulings) if free is None else free_difficulty(dice, free)


def difficulty_of(ctx: Context) -> Call[int]:
    """Both scales, and the number given without them, if any."""
    check_actor(ctx)
    free = has(ctx, ctx.one("gm"), FREE) if ctx.rulings.free_difficulty == "true" else None
    return Call(difficulty, free, intrinsic_of(ctx), interest_of(ctx), ctx.rulings)


def check_actor(ctx: Context) -> None:
    """Whoever rolls is a player's character: those of the game master's never do."""
    if isinstance(ctx.one().record, Figure):
        raise GameMasterDoesNotRoll(name=called(ctx.one()))


def tell_difficulty(ctx: Context, total: int) -> list[Telling]:
    """The total, and how it came about if the game master shows it; to him alone, what the announce still lacks."""
    said = tell_total(ctx, total)
    if ctx[REVEAL_SCALES]:
        scales = {"intrinsic": rated(intrinsic_of(ctx)), "interest": rated(interest_of(ctx), "interest")}
        said.append(Telling("outcomes.told_scales", scales, EVERYONE))
    stakes = ctx[GOAL], ctx[ON_SUCCESS], ctx[ON_FAILURE]
    lacking = stakes_faults(*stakes, ctx.rulings)
    if lacking and any(stakes):  # where nothing at all is written, people talk
        said.append(Telling("outcomes.told_stakes", {"lacking": [fault.key for fault in lacking]}, GM_ONLY))
    return said


def tell_total(ctx: Context, total: int) -> list[Telling]:
    """The difficulty, for all."""
    return [Telling("outcomes.told_difficulty", {"total": rated(total)}, EVERYONE)]


def signed(number: int) -> str:
    """A modifier as it is read aloud."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def rated(number: int, table: str = "intrinsic") -> str:
    """A difficulty in words: a level, between two of them, beyond the last; a number where there is no word."""
    named = {modifier: level for level, modifier in levels(table).items()}
    if number in named:
        return named[number]
    side = "plus" if number > 0 else "minus"
    return f"rated_{side}_{abs(number)}" if table == "intrinsic" and abs(number) <= 2 * SCALE else signed(number)


DIFFICULTY: Resolve[int] = Resolve(
    "difficulty", difficulty_of, auto=True, judged=True, passing=True, outcome=lambda total: "difficulty",
    tell=tell_difficulty,
)


def scale_steps(rolls: Rolls) -> Course:
    """Both scales, or a number without them; whether the game master shows how he came by it."""
    return (Ask("scales", tuple(only_if(rolls, field) for field in (FREE, INTRINSIC, INTEREST, REVEAL_SCALES))),)


def difficulty_step(rolls: Rolls) -> Resolve[int]:
    """The difficulty, summed and told."""
    return replace(DIFFICULTY, when=rolls)


def told_benchmark(situation: str) -> Telling:
    """How hard such things usually are, for the game master who is about to say it."""
    easiest, hardest = benchmark(situation)
    values = {"situation": situation, "easiest": rated(easiest), "hardest": rated(hardest)}
    return Telling("outcomes.told_benchmark", values, GM_ONLY)
