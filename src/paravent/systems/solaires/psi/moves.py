"""The psi implant at the table: perceive, act once or hold an effect; let it go."""

from __future__ import annotations

from collections.abc import Hashable

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Shown,
    Telling,
    TextField,
    asking,
    changed,
    rule,
)
from paravent.systems.solaires.actions.moves_action import RULES, action_move, result_of
from paravent.systems.solaires.actions.steps import goes_on, needs_roll, told_benchmark
from paravent.systems.solaires.errors import NoImplant
from paravent.systems.solaires.facts import PowerSet, PsiFailure, PsiUse
from paravent.systems.solaires.people.bodies import host_of
from paravent.systems.solaires.people.character import Character
from paravent.systems.solaires.reading import called, without_sheet

from .rules import Psi, check_brain, failure_consequence, psi_use

USES = (PsiUse.PERCEPTION, PsiUse.ONE_OFF, PsiUse.MAINTAINED)


def maintaining(ctx: Context) -> bool:
    """Whether an effect is being held."""
    record = ctx.one().record
    return bool(record.psi_maintained) if isinstance(record, Character) else bool(ctx["maintaining"])


@rule("SOL-140", "SOL-141", "SOL-145", "SOL-146")
def prepare(dice: Dice, use: PsiUse, held: bool, implant: bool) -> Psi:
    """Whether the implant can be used so, and whether it takes an effort."""
    if not implant:
        raise NoImplant()
    return psi_use(use, held)


def read_psi(ctx: Context) -> tuple[Hashable, ...]:
    """The use, and what the sheet allows."""
    record = ctx.one().record
    if isinstance(record, Character):
        if record.implant is not None:
            check_brain(host_of(record.body).brain)
        return ctx["use"], maintaining(ctx), record.implant is not None and bool(record.psi_power_set)
    return ctx["use"], maintaining(ctx), True


def makes_an_effort(ctx: Context) -> bool:
    """Whether dice are thrown: not to perceive."""
    return needs_roll(ctx) and ctx["use"] != PsiUse.PERCEPTION


def failed(ctx: Context) -> bool:
    """Whether an effort was made and missed."""
    done = result_of(ctx)
    return done is not None and not done.success


@rule("SOL-144", "SOL-148")
def aimed(dice: Dice, success: bool, perceived: bool, cause: PsiFailure | None) -> str:
    """Where the effect goes: an object badly perceived may be mistaken for another; a failure has its cause."""
    if success:
        return "right_object" if perceived else "another_object"
    return failure_consequence(cause or PsiFailure.EFFORT_MISSED)


def read_aimed(ctx: Context) -> tuple[Hashable, ...]:
    """How the effort went, and what the game master knows of it."""
    return bool(result_of(ctx).success), bool(ctx["perceived"]), ctx["failure_cause"]


def tell_aimed(ctx: Context, where: str) -> list[Telling]:
    """The cause of a failure, for all; which object was truly touched, for the game master."""
    if failed(ctx):
        own_set = getattr(ctx.one().record, "psi_power_set", "")
        accident = [Telling("outcomes.told_accident", {"accident": f"accident_{own_set}"}, EVERYONE)]
        said = [Telling(f"outcomes.told_psi_{where}", {}, EVERYONE)]
        return said + accident if where == "special_mode" and own_set in list(PowerSet) else said
    if where == "another_object":
        return [Telling("outcomes.told_true_target", {"text": ctx["true_target"]}, GM_ONLY)]
    return []


def psi_changes(ctx: Context, where: str) -> tuple[Change, ...]:
    """The effect now held, if it is one that is."""
    actor = ctx.one()
    if not isinstance(actor.record, Character) or failed(ctx) or ctx["use"] != PsiUse.MAINTAINED:
        return ()
    return changed(actor.id, actor.record, "psi_maintained", ctx["effect"] or ctx["object"] or ctx["goal"], "SOL-145")


def tell_effort(ctx: Context, psi: Psi) -> list[Telling]:
    """What is perceived; or, for the game master, how hard such an effort is."""
    if psi.needs_action:
        return [told_benchmark("psi_activate")] if needs_roll(ctx) else []
    return [Telling("outcomes.told_perceives", {"who": called(ctx.one()), "object": ctx["object"] or ctx["goal"]})]


USE_PSI_POWER = action_move(
    "use-psi-power", ("SOL-144", "SOL-145", "SOL-146", "SOL-147", "SOL-148", *RULES),
    Field("use", OneOf(USES), usual=PsiUse.ONE_OFF, rule="SOL-145", upfront=True),
    Field("object", TextField(200), usual="", rule="SOL-144", upfront=True),
    Field("effect", TextField(200), usual="", rule="SOL-145", upfront=True),
    Field("maintaining", Flag(), usual=False, when=without_sheet("initiator"), rule="SOL-146"),
    Field("perceived", Flag(), "gm", usual=True, secrecy="gm", rule="SOL-144", upfront=True),
    Field("true_target", TextField(200), "gm", usual="", secrecy="gm", rule="SOL-144"),
    before=(Resolve("effort", asking(prepare, read_psi), auto=True, when=goes_on, tell=tell_effort,
                    outcome=lambda psi: "effort" if psi.needs_action else "perceives"),),
    rolls=makes_an_effort,
    after=(
        Ask("cause", (Field("failure_cause", OneOf(PsiFailure), "gm", usual=PsiFailure.EFFORT_MISSED, waits=True,
                            when=failed, rule="SOL-148"),)),
        Resolve("aimed",
            asking(aimed, read_aimed), auto=True, when=lambda ctx: result_of(ctx) is not None, tell=tell_aimed,
                outcome=lambda where: f"psi_{where}", changes=psi_changes,
                shown=lambda ctx, where: _known_to_gm()),
    ),
)


def _known_to_gm() -> Shown:
    return Shown(outcome=GM_ONLY, detail=GM_ONLY)


@rule("SOL-145")
def release(dice: Dice, held: bool) -> bool:
    """Let go of the effect: it takes no effort."""
    psi_use(PsiUse.RELEASE, held)
    dice.note("SOL-145", "released")
    return True


RELEASE_PSI_EFFECT = Move(
    "release-psi-effect",
    (
        Ask("held", (Field("maintaining", Flag(), usual=True, when=without_sheet("initiator"), rule="SOL-146"),)),
        Resolve("release", asking(release, lambda ctx: (maintaining(ctx),)), outcome=lambda done: "released", auto=True,
                tell=lambda ctx, done: [Telling("outcomes.told_released", {"who": called(ctx.one())})],
                changes=lambda ctx, done: changed(ctx.one().id, ctx.one().record, "psi_maintained", "", "SOL-145")
                if isinstance(ctx.one().record, Character) else ()),
    ),
    rules=("SOL-145", "SOL-146"),
)

MOVES = (USE_PSI_POWER, RELEASE_PSI_EFFECT)
