"""Sheets: created, drawn from a text, taken ready-made; states gained and lost; bodies changed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    Actor,
    AnyResolve,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Many,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    SheetOf,
    Telling,
    TextField,
    Whole,
    Window,
    asking,
    changed,
    rule,
)
from paravent.systems.solaires.errors import BackupAsleep
from paravent.systems.solaires.facts import SCORE_MAX, SCORE_MIN, Brain, Category, Kept, MindType, Tag
from paravent.systems.solaires.network.rules import ON_THE_NETWORK, wakes_up
from paravent.systems.solaires.psi.rules import is_organic
from paravent.systems.solaires.reading import called, names_of, state_ideas, states_of, without_sheet

from . import bodies, character, states
from .bodies import BodyChange
from .character import Character, Element

ANYBODY = Role("character")
"""A character, or somebody or something of the game master's: whatever has states."""


# Making a sheet


def new_sheet(ctx: Context) -> Character:
    """The sheet handed in, checked, as it enters play."""
    record: Character = ctx["sheet"]
    return character.fresh(ctx.system.kind("character").validated(record, ctx.rulings), ctx.rulings)


def ready_sheet(ctx: Context) -> Character:
    """The ready-made sheet chosen, on the scale of this table."""
    record: Character = ctx.system.kind("character").ready("fr")[ctx["ready"]]
    record = character.rescaled(record) if ctx["rescale"] else record
    return character.fresh(ctx.system.kind("character").validated(record, ctx.rulings), ctx.rulings)


def tell_created(ctx: Context, record: Character) -> Sequence[Telling]:
    """The sheet is legal; what is only unwise is said."""
    unwise = [fault for fault in character.check(record, ctx.rulings) if fault.warning]
    return [Telling("outcomes.told_created", {"name": record.name}),
            *(Telling(f"faults.{fault.key}", fault.values) for fault in unwise)]


def sheet_step(name: str, sheet: Any) -> AnyResolve:
    """A sheet brought to the table."""
    return Resolve(
        name, asking(character.create, lambda ctx: (tuple(one.score for one in sheet(ctx).elements),)), auto=True,
        outcome=lambda created: "created", tell=lambda ctx, created: tell_created(ctx, sheet(ctx)),
        changes=lambda ctx, created: [Change(sheet(ctx).name, "", None, sheet(ctx), "SOL-100", kind="character")],
    )


CREATE_CHARACTER = Move(
    "create-character",
    (
        Ask("sheet", (Field("sheet", SheetOf("character"), secrecy="own", rule="SOL-100"),)),
        Window("accept", "gm", "approval", back_to="sheet"),
        sheet_step("create", new_sheet),
    ),
    makes="character",
    rules=("SOL-100", "SOL-101", "SOL-102", "SOL-103", "SOL-104", "SOL-105", "SOL-107"),
)
IMPORT_READY_MADE = Move(
    "import-ready-made",
    (
        Ask("which", (
            Field("ready", OneOf(lambda ctx: tuple(ctx.system.kind("character").ready("fr"))), rule="SOL-005"),
            Field("rescale", Flag(), usual=False, rule="SOL-105"),
        )),
        Window("accept", "gm", "approval", back_to="which"),
        sheet_step("import", ready_sheet),
    ),
    makes="character",
    rules=("SOL-005",),
)


@rule("SOL-103", "SOL-104")
def extracted(dice: Dice, name: str, score: int) -> int:
    """Words of the description become an element."""
    dice.note("SOL-103", "extracted", name=name, n=score)
    return score


def extraction_changes(ctx: Context, score: int) -> tuple[Change, ...]:
    """The sheet with its new element."""
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    element = Element(ctx["element_name"] or ctx["words"], score, ctx["words"])
    where, after = character.with_element(actor.record, ctx["category"], element, ctx["tag"] or Tag.NONE)
    return changed(actor.id, actor.record, where, after, "SOL-103")


EXTRACT_ELEMENT = Move(
    "extract-element",
    (
        Ask("words", (
            Field("words", TextField(300), rule="SOL-103"),
            Field("category", OneOf(Category), rule="SOL-103"),
            Field("score", Whole(SCORE_MIN, SCORE_MAX), usual=1, rule="SOL-104"),
            Field("element_name", TextField(80), usual="", rule="SOL-103", upfront=True),
            Field("tag", OneOf(tuple(tag for tag in Tag if tag)), optional=True, rule="SOL-105",
                  when=lambda ctx: ctx["category"] == Category.EQUIPMENT),
        )),
        Resolve("extract",
            asking(extracted, lambda ctx: (ctx["element_name"] or ctx["words"], ctx["score"])), auto=True,
                outcome=lambda score: "extracted", changes=extraction_changes,
                tell=lambda ctx, score: [Telling("outcomes.told_extracted", {
                    "who": called(ctx.one()), "name": ctx["element_name"] or ctx["words"], "n": score})]),
    ),
    rules=("SOL-102", "SOL-103", "SOL-104"),
)


# States


@rule("SOL-106")
def change_states(
    dice: Dice, had: tuple[Element, ...], new: tuple[Element, ...], worse: tuple[str, ...], gone: tuple[str, ...]
) -> tuple[Element, ...]:
    """States gained, made worse and lost; one named as both is lost first, and refused."""
    return states.changed_states(had, new, worse, gone)


def read_change(ctx: Context) -> tuple[Hashable, ...]:
    """The states there are, and what becomes of them."""
    return (states_of(ctx.one("character")), states.read_states(ctx["states_gained"], ctx.rulings), ctx["states_worse"],
            ctx["states_lost"])


def tell_states(actor: Actor, after: Sequence[Element]) -> list[Telling]:
    """The states as they now are."""
    values = {"who": called(actor), "states": [f"{state.name} {state.score}" for state in after]}
    return [Telling("outcomes.told_states" if after else "outcomes.told_no_state", values)]


CHANGE_STATE = Move(
    "change-state",
    (
        Ask("states", (
            Field("states_gained", TextField(300, state_ideas), "gm", usual="", rule="SOL-106"),
            Field("states_worse", Many(OneOf(names_of("character", Category.STATE)), distinct=True), "gm", usual=(),
                  rule="SOL-054", upfront=True),
            Field("states_lost", Many(OneOf(names_of("character", Category.STATE)), distinct=True), "gm", usual=(),
                  rule="SOL-055", upfront=True),
            Field("cause", TextField(200), "gm", usual="", rule="SOL-106"),
        )),
        Resolve("change", asking(change_states, read_change), outcome=lambda after: "states_changed",
                tell=lambda ctx, after: tell_states(ctx.one("character"), after),
                changes=lambda ctx, after: state_changes(ctx.one("character"), after)),
    ),
    cast=(ANYBODY, GAME_MASTER),
    by="gm",
    rules=("SOL-106", "SOL-054", "SOL-055"),
)


def state_changes(actor: Actor, after: Sequence[Element], rule_id: str = "SOL-106") -> tuple[Change, ...]:
    """The states of a sheet, if there is one."""
    return changed(actor.id, actor.record, "states", tuple(after), rule_id) if hasattr(actor.record, "states") else ()


# Bodies


def owed_to_body(actor: Actor) -> tuple[tuple[str, int], ...]:
    """The states that the present body brought."""
    return tuple((name, state.score) for state in states_of(actor) if (name := bodies.owed(state.name)))


def mind_of(ctx: Context) -> MindType:
    """The nature of the mind: on the sheet, or as filled in."""
    record = ctx.one().record
    return record.mind_type if isinstance(record, Character) else MindType(ctx["mind_type"])


def read_body(ctx: Context) -> tuple[Hashable, ...]:
    """The states owed to the former body, and what is known of the new one."""
    check_backup(ctx)
    mind, host = mind_of(ctx), bodies.host_of(ctx["destination"])
    fits = bodies.YES if ctx["compatible"] else bodies.compatibility(mind, host.brain)
    wanted = bodies.Move(mind.is_ai, host.robotic, fits, bool(ctx["converted"]), bool(ctx["identical"]),
                         bool(ctx["familiar"]), bool(ctx["severe"]))
    return owed_to_body(ctx.one()), wanted, ctx.rulings


def check_backup(ctx: Context) -> None:
    """Whether the backup one returns from can be woken: one in a cache needs an agent that watches, and no wiping."""
    kept = ctx["backup_kept"]
    in_cache = kept not in (None, Kept.VAULT)
    if in_cache and not wakes_up(kept != Kept.UNWATCHED_CACHE, kept == Kept.WIPED_CACHE):
        raise BackupAsleep()


def body_changes(ctx: Context, done: BodyChange) -> list[Change]:
    """Body, states, the mind if it was converted; what was held by an implant left behind ends.

    An infomorph runs on the network; a host is left behind for a body.
    """
    actor, host = ctx.one(), bodies.host_of(ctx["destination"])
    if not isinstance(actor.record, Character):
        return []
    rest = [state for state in actor.record.states if not bodies.is_owed(state.name)]
    after = (*rest, *(Element(name, score) for name, score in done.states))
    node = (actor.record.network_host or ON_THE_NETWORK) if host.brain == Brain.NONE else ""
    held = actor.record.psi_maintained if is_organic(host.brain) else ""
    mind = bodies.converted_mind(actor.record.mind_type, done.conversion)
    found = {"body": (ctx["destination"], "SOL-151"), "mind_type": (mind, "SOL-151"), "states": (after, "SOL-153"),
             "network_host": (node, "SOL-160"), "psi_maintained": (held, "SOL-140")}
    return [change for name, (value, rule_id) in found.items()
            for change in changed(actor.id, actor.record, name, value, rule_id)]


def tell_body(ctx: Context, done: BodyChange) -> list[Telling]:
    """The new body and what it leaves; a warning where an implant no longer works in it."""
    said = [Telling("outcomes.told_body", {"who": called(ctx.one()), "body": ctx["destination"]})]
    said += [Telling("outcomes.told_body_state", {"state": name, "n": score}) for name, score in done.states]
    organic = is_organic(bodies.host_of(ctx["destination"]).brain)
    useless = not organic and getattr(ctx.one().record, "implant", None)
    return [*said, Telling("faults.no_organic_brain", {})] if useless else said


REASONS = ("travel", "backup", "task", "wish")

CHANGE_BODY = Move(
    "change-body",
    (
        Ask("destination", (
            Field("destination", OneOf(lambda ctx: bodies.body_kinds()), rule="SOL-151"),
            Field("mind_type", OneOf(MindType), usual=MindType.NATURAL, rule="SOL-101",
                  when=without_sheet("initiator")),
            Field("reason", OneOf(REASONS), usual="wish", rule="SOL-150", upfront=True),
        )),
        Ask("backup", (Field("backup_kept", OneOf(Kept), "gm", usual=Kept.VAULT, rule="SOL-161",
                             when=lambda ctx: ctx["reason"] == "backup", upfront=True),)),
        Ask("judgement", (
            Field("identical", Flag(), "gm", usual=False, waits=True, rule="SOL-153"),
            Field("familiar", Flag(), "gm", usual=False, rule="SOL-153", upfront=True),
            Field("converted", Flag(), "gm", usual=True, rule="SOL-151"),
            Field("compatible", Flag(), "gm", usual=False, rule="SOL-151"),
            Field("severe", Flag(), "gm", usual=False, rule="SOL-154", upfront=True),
        )),
        Resolve("change", asking(bodies.change_body, read_body), auto=True, outcome=lambda done: "body_changed",
                changes=body_changes, tell=tell_body),
    ),
    rules=("SOL-150", "SOL-151", "SOL-152", "SOL-153", "SOL-154", "SOL-155", "SOL-156"),
)


@rule("SOL-155")
def settle_in(dice: Dice, owed: tuple[tuple[str, int], ...], rulings: Rulings) -> int:
    """Getting used to one's body: what it brought is over."""
    dice.note("SOL-155", "used_to_it", n=len(owed))
    return len(owed) - len(bodies.used_to_it(owed))


def settled_changes(ctx: Context, gone: int) -> tuple[Change, ...]:
    """The states that the body brought are crossed out."""
    actor = ctx.one("character")
    return state_changes(actor, [one for one in states_of(actor) if not bodies.is_owed(one.name)], "SOL-155")


SETTLE_IN = Move(
    "settle-in",
    (
        Resolve("settle", asking(settle_in, lambda ctx: (owed_to_body(ctx.one("character")), ctx.rulings)),
                outcome=lambda gone: "settled_in", changes=settled_changes,
                tell=lambda ctx, gone: [Telling("outcomes.told_settled_in", {"who": called(ctx.one("character"))})]),
    ),
    cast=(Role("character", record="character"), GAME_MASTER),
    by="gm",
    rules=("SOL-155", "SOL-106"),
)

MOVES = (CREATE_CHARACTER, IMPORT_READY_MADE, EXTRACT_ELEMENT, CHANGE_STATE, CHANGE_BODY, SETTLE_IN)
