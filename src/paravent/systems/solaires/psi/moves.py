"""The psi implant at the table: perceive, act once or hold an effect; let it go."""

from __future__ import annotations

from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Pills,
    Resolve,
    Shown,
    Telling,
    TextField,
    Who,
    changed,
    rule,
)
from paravent.systems.solaires.actions.aftermath import failed, is_left_to_tell, result_of, succeeded
from paravent.systems.solaires.actions.announce_steps import GOAL, goes_on, needs_roll
from paravent.systems.solaires.actions.difficulty_steps import told_benchmark
from paravent.systems.solaires.actions.moves import RULES, action_move
from paravent.systems.solaires.facts import PowerSet
from paravent.systems.solaires.people.bodies import host_of
from paravent.systems.solaires.people.character import Character

from .errors import NoImplant
from .facts import PsiFailure, PsiUse
from .rules import Psi, check_brain, failure_consequence, is_organic, psi_use

USES = (PsiUse.PERCEPTION, PsiUse.ONE_OFF, PsiUse.MAINTAINED)
PERCEIVING = (PsiUse.PERCEPTION,)
"""What is open while an effect is held."""
USE = Field(
    "use", OneOf(USES, lambda ctx: PERCEIVING if maintaining(ctx) else USES), rule="SOL-145", place="essential",
    usual=lambda ctx: PsiUse.PERCEPTION if maintaining(ctx) else PsiUse.ONE_OFF, shape=Pills(),
)
OBJECT: Field[str | None] = Field("object", TextField(200), usual="", rule="SOL-144", place="essential",
                                  when=lambda ctx: not only_perceives(ctx))
SENSED: Field[str | None] = Field("sensed", TextField(200), usual="", waits=True, rule="SOL-144", place="essential",
                                  when=lambda ctx: only_perceives(ctx))
EFFECT: Field[str | None] = Field("effect", TextField(200), usual="", rule="SOL-145", place="essential",
                                  when=lambda ctx: ctx[USE] != PsiUse.PERCEPTION)
MAINTAINING: Field[bool | None] = Field(
    "maintaining", Flag(), usual=False, rule="SOL-146", place="rarity",
    when=lambda ctx: not isinstance(ctx.one().record, Character),  # the sheets of others do not say
)
PERCEIVED = Field("perceived", Flag(), "gm", usual=True, secrecy="gm", rule="SOL-144", place="refinement")
TRUE_TARGET = Field("true_target", TextField(200), "gm", usual="", secrecy="gm", rule="SOL-144", place="refinement")
FAILURE_CAUSE: Field[PsiFailure | None] = Field(
    "failure_cause", OneOf(PsiFailure), "gm", usual=PsiFailure.EFFORT_MISSED, waits=True, when=failed, rule="SOL-148",
    place="essential", shape=Pills(),
)


def maintaining(ctx: Context) -> bool:
    """Whether an effect is being held."""
    record = ctx.one().record
    return bool(record.psi_maintained if isinstance(record, Character) else ctx[MAINTAINING])


def only_perceives(ctx: Context) -> bool:
    """Whether something is perceived of which nothing was said yet: it is asked before the perception is told."""
    return ctx[USE] == PsiUse.PERCEPTION and not ctx.one().filled.get("object")


@rule("SOL-140", "SOL-141", "SOL-145", "SOL-146")
def prepare(dice: Dice, use: PsiUse, held: bool, implant: bool) -> Psi:
    """Whether the implant can be used so, and whether it takes an effort."""
    if not implant:
        raise NoImplant()
    return psi_use(use, held)


def effort(ctx: Context) -> Call[Psi]:
    """The use, and what the sheet allows."""
    return Call(prepare, ctx[USE], maintaining(ctx), works(ctx.one().record))


def has_a_brain_for_it(record: object) -> bool:
    """Whether an implant would work in the body that a sheet says."""
    return not isinstance(record, Character) or is_organic(host_of(record.body).brain)


def works(record: object) -> bool:
    """Whether there is an implant that opens a set; somebody without a sheet is believed."""
    if not isinstance(record, Character):
        return True
    if record.implant is not None:
        check_brain(host_of(record.body).brain)
    return record.implant is not None and bool(record.psi_power_set)


def acts(ctx: Context) -> bool:
    """Whether anything is attempted: to perceive takes no effort, and can be neither hard nor impossible."""
    return ctx[USE] != PsiUse.PERCEPTION


def makes_an_effort(ctx: Context) -> bool:
    """Whether dice are thrown."""
    return acts(ctx) and needs_roll(ctx)


@rule("SOL-144", "SOL-148")
def aimed(dice: Dice, success: bool, perceived: bool, cause: PsiFailure | None) -> str:
    """Where the effect goes: an object badly perceived may be mistaken for another; a failure has its cause."""
    if success:
        return "right_object" if perceived else "another_object"
    return failure_consequence(cause or PsiFailure.EFFORT_MISSED)


def tell_aimed(ctx: Context, where: str) -> list[Telling]:
    """The cause of a failure, for all; which object was truly touched, for the game master."""
    if failed(ctx):
        record = ctx.one().record
        own_set = record.psi_power_set if isinstance(record, Character) else ""
        accident = [Telling("outcomes.told_accident", {"accident": f"accident_{own_set}"}, EVERYONE)]
        said = [Telling(f"outcomes.told_psi_{where}", {}, EVERYONE)]
        return said + accident if where == "special_mode" and own_set in list(PowerSet) else said
    if where == "another_object" and not ctx[TRUE_TARGET]:
        return [Telling("outcomes.psi_another_object", {}, GM_ONLY)]
    if where == "another_object":
        return [Telling("outcomes.told_true_target", {"text": ctx[TRUE_TARGET]}, GM_ONLY)]
    return []


def psi_changes(ctx: Context, where: str) -> tuple[Change, ...]:
    """The effect now held, if it is one that is."""
    actor = ctx.one()
    if not isinstance(actor.record, Character) or failed(ctx) or ctx[USE] != PsiUse.MAINTAINED:
        return ()
    return changed(actor.id, actor.record, "psi_maintained", ctx[EFFECT] or ctx[OBJECT] or ctx[GOAL], "SOL-145")


def tell_effort(ctx: Context, psi: Psi) -> list[Telling]:
    """What is perceived; or, for the game master, how hard such an effort is."""
    if psi.needs_action:
        return [told_benchmark("psi_activate")] if needs_roll(ctx) else []
    who, sensed = Who(ctx.one().id), ctx[SENSED] or ctx[OBJECT]
    return [Telling("outcomes.told_perceives", {"who": who, "object": sensed}, main=True) if sensed else
            Telling("outcomes.told_senses", {"who": who}, main=True)]


USE_PSI_POWER = action_move(
    "use-psi-power", ("SOL-144", "SOL-145", "SOL-146", "SOL-147", "SOL-148", *RULES),
    USE, OBJECT, SENSED, EFFECT, MAINTAINING, PERCEIVED, TRUE_TARGET,
    before=(Resolve("effort", effort, auto=True, when=goes_on, tell=tell_effort,
                    outcome=lambda psi: "effort" if psi.needs_action else "perceives"),),
    rolls=makes_an_effort, attempts=acts,
    tells=lambda ctx: is_left_to_tell(ctx) or not acts(ctx),
    offered=lambda ctx: has_a_brain_for_it(ctx.one().record) and works(ctx.one().record),
    suits=lambda ctx: isinstance(ctx.one().record, Character) and works(ctx.one().record),
    after=(
        Ask("cause", (FAILURE_CAUSE,)),
        Resolve("aimed", lambda ctx: Call(aimed, succeeded(ctx), ctx[PERCEIVED], ctx[FAILURE_CAUSE]), auto=True,
                when=lambda ctx: result_of(ctx) is not None, tell=tell_aimed, outcome=lambda where: "effort",
                changes=psi_changes, shown=lambda ctx, where: Shown(detail=GM_ONLY)),
    ),
)


# Letting go


@rule("SOL-145")
def release(dice: Dice, held: bool) -> bool:
    """Let go of the effect: it takes no effort."""
    psi_use(PsiUse.RELEASE, held)
    dice.note("SOL-145", "released")
    return True


def release_changes(ctx: Context, done: bool) -> tuple[Change, ...]:
    """Nothing is held any more."""
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    return changed(actor.id, actor.record, "psi_maintained", "", "SOL-145")


def holds(ctx: Context) -> bool:
    """Whether the sheet says that an effect is being held."""
    return isinstance(ctx.one().record, Character) and maintaining(ctx)


def maintaining_or_believed(ctx: Context) -> bool:
    """Whether there is an effect to let go of; somebody without a sheet is believed."""
    return not isinstance(ctx.one().record, Character) or maintaining(ctx)


RELEASE_PSI_EFFECT = Move(
    "release-psi-effect",
    (
        Ask("held", (replace(MAINTAINING, usual=True),)),
        Resolve("release", lambda ctx: Call(release, maintaining(ctx)), outcome=lambda done: "released", auto=True,
                tell=lambda ctx, done: [Telling("outcomes.told_released", {"who": Who(ctx.one().id)})],
                changes=release_changes),
    ),
    offered=maintaining_or_believed,
    suits=holds,
    rules=("SOL-145", "SOL-146"),
)

MOVES = (USE_PSI_POWER, RELEASE_PSI_EFFECT)
