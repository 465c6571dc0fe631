"""A roll at the table, reflex or not: asked for, announced, thrown."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.dice import Choice, ParaventError
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    INVISIBLE,
    OPEN,
    Ask,
    Audience,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    Opened,
    Resolve,
    RuleError,
    Shown,
    Steps,
    Telling,
    TextField,
    Value,
    Whole,
    changed,
)
from paravent.game.errors import Withheld
from paravent.systems.conteur.asked import able, said
from paravent.systems.conteur.people.character import Character

from .announce import action_of, announced_by, asked_of, luck_at_hand, may_have_dice, used_by
from .complex import ComplexAction
from .costs import faints, given_up, roll_changes, tell_fainting, under_way
from .pool import hand, throw
from .roll import Roll, can_help, every_right, no_right

POLICIES = {"all": every_right, "none": no_right}
LEVELS = ("failure", "slight", "very_good", "beyond_hope")
COMPLEX_ACTION = "complex-action"


def worth_asking(ctx: Context, choice: Choice) -> bool:
    """Whether the player is asked what to throw again: only where it can still help, unless the table wants it always.

    Rules allow the foolish too (D10-X30): at such a table it can be done.
    """
    return choice.key != "reroll" or ctx.rulings.rights_asked == "always" or can_help(choice.options)


def has_dice(ctx: Context) -> bool:
    """Whether there is anything to throw as things stand: without a die, every difficulty is as far away."""
    try:
        return hand(action_of(ctx, ctx.one())._replace(field=""), ctx.rulings).dice > 0
    except RuleError:
        return False
    except ParaventError:
        return True  # nobody can say yet


STEPS = Steps((1, 2, 3, 4, 5, 6), weighed=has_dice)
"""The difficulties that are named; any other may be typed."""
HIDDEN = Field("hidden", Flag(), "gm", usual=False, rule="D10-007", place="refinement")
"""Whether the game master keeps the difficulty; those who may not know it see odds for likely ones."""
DIFFICULTY: Field[int | None] = Field(
    "difficulty", Whole(1, 99), "gm", usual=1, when=lambda ctx: not ctx[HIDDEN], rule="D10-007", place="judgement",
    shape=STEPS)
HIDDEN_DIFFICULTY: Field[int | None] = Field(
    "hidden_difficulty", Whole(1, 99), "gm", usual=1, secrecy="gm", probes=(1, 2, 3), when=lambda ctx: ctx[HIDDEN],
    rule="D10-007", place="judgement", shape=STEPS)
SECRET = Field("secret", Flag(), "gm", usual=False, secrecy="gm", place="rarity")
LABEL = Field("label", TextField(200), usual="", names=True, place="refinement")


def difficulty_of(ctx: Context) -> int:
    """The successes required: as announced, or as the game master keeps to themselves."""
    return said(ctx, ctx.one("gm"), HIDDEN_DIFFICULTY if ctx[HIDDEN] else DIFFICULTY)


def roll_outcome(rolled: Roll) -> str:
    """The short key of a roll: not attempted, failed, or how well it went."""
    return LEVELS[rolled.level] if rolled.dice else "impossible"


def rolled_for(ctx: Context) -> str:
    """What is rolled for, in the player's words; or the skill, where everybody may know of it."""
    if ctx.asks(LABEL) and ctx[LABEL]:
        return ctx[LABEL]
    skill, asked = ctx.one().filled.get("skill"), [field for field in ctx.move.fields if field.id == "skill"]
    return skill if isinstance(skill, str) and all(field.secrecy == "open" for field in asked) else ""


def tell_roll(ctx: Context, rolled: Roll) -> Sequence[Telling]:
    """What is said of a roll. With a hidden difficulty everybody hears the successes, the game master the rest."""
    hears = GM_ONLY if in_secret(ctx) else EVERYONE
    outcome, hidden = roll_outcome(rolled), ctx[HIDDEN]
    if not rolled.dice:
        lines = [Telling("outcomes.told_impossible", {}, hears, main=True)]
    else:
        what = rolled_for(ctx)
        values: dict[str, Value] = {"n": rolled.successes, "raw": rolled.raw, **({"what": what} if what else {}),
                                    **({} if hidden else {"level": LEVELS[rolled.level], "of": difficulty_of(ctx)})}
        key = {(True, False): "told_roll_of", (False, False): "told_roll_level_of", (True, True): "told_roll_alone",
               (False, True): "told_successes"}[bool(what), hidden]
        lines = [Telling(f"outcomes.{key}", values, hears, main=True)]
        lines += [Telling(f"outcomes.{outcome}", {}, GM_ONLY)] if hidden else []
    return [*lines, *tell_fainting(ctx, ctx.one(), rolled, hears)]


def shown_roll(ctx: Context, rolled: Roll | None) -> Shown:
    """A secret throw is the game master's alone; a hidden difficulty hides the outcome and its figures, no dice."""
    if in_secret(ctx):
        return INVISIBLE
    return Shown(outcome=GM_ONLY, detail=GM_ONLY) if ctx[HIDDEN] else OPEN


def known_to(ctx: Context) -> Audience:
    """Nobody but the game master knows of a throw made in secret."""
    return GM_ONLY if ctx[SECRET] else EVERYONE


def in_secret(ctx: Context) -> bool:
    """Whether the throw is made in secret; those who may not read it and yet know of the throw know it is not."""
    try:
        return ctx[SECRET]
    except Withheld:
        return False


def carried_over(ctx: Context, rolled: Roll) -> ComplexAction | None:
    """The complex action that a roll of difficulty 2 or more begins when it falls short (R-15).

    Nothing is begun from a secret throw or a hidden difficulty: it would tell.
    """
    actor = ctx.one()
    if ctx[SECRET] or ctx[HIDDEN] or ctx.rulings.difficulty_carry_over != "complex":
        return None
    if rolled.passed or not rolled.dice or faints(ctx, actor, rolled) or difficulty_of(ctx) < 2 or under_way(actor):
        return None
    return ComplexAction(
        rolled_for(ctx), difficulty_of(ctx), rolled.successes, 1, actor.id, used=used_by(ctx, actor),
        gains=(rolled.successes,),
    )


def changes_of_throw(ctx: Context, rolled: Roll) -> Sequence[Change]:
    """What the roll cost, and the complex action it begins."""
    actor = ctx.one()
    hears = known_to(ctx)
    costs = roll_changes(ctx, actor, rolled, hears)
    begun = carried_over(ctx, rolled)
    if begun is None or actor.record is None:
        return (*costs, *given_up(actor, faints(ctx, actor, rolled), hears))
    sheet = actor.sheet(Character)
    return (*costs, *changed(actor.id, sheet, "complex_action", begun, "D10-019", weight="bookkeeping"))


def throw_move(name: str, reflex: bool) -> Move:
    """A roll: asked for, announced, thrown; what goes on after the throw is asked inside it."""

    def thrown(ctx: Context) -> Call[Roll]:
        # Whoever may not know of the throw cannot be asked what to throw again.
        who = "gm" if in_secret(ctx) else "initiator"
        action = action_of(ctx, ctx.one(), reflex)
        luck = luck_at_hand(ctx, ctx.one())
        return Call(throw, action, difficulty_of(ctx), luck, ctx.rulings, None, who, ctx[HIDDEN])

    def needed(ctx: Context) -> Telling:
        target = hand(action_of(ctx, ctx.one(), reflex), ctx.rulings).attribute
        return Telling("needed.successes", {"n": difficulty_of(ctx), "target": target})

    return Move(
        name,
        (
            Ask("ask", (*asked_of(), HIDDEN, DIFFICULTY, HIDDEN_DIFFICULTY, SECRET, LABEL)),
            Ask("announce", announced_by(reflex=reflex, alone=True)),
            Resolve(
                "throw", thrown, tell=tell_roll, outcome=roll_outcome, success=lambda rolled: rolled.passed,
                changes=changes_of_throw, shown=shown_roll, policies=POLICIES, vary="dice", asks=worth_asking,
                opens=lambda ctx, rolled: _opened(carried_over(ctx, rolled)), needed=needed,
            ),
        ),
        rules=("D10-002", "D10-012", "D10-013", "D10-030", *(("D10-016",) if reflex else ())),
        exists=known_to,
        offered=able(),
        suits=may_have_dice(),
    )


def _opened(state: ComplexAction | None) -> Opened | None:
    return None if state is None else Opened(COMPLEX_ACTION, state)
