"""SolNet and the matrix: a search, a run against a node step by step, the ice's riposte, an infomorph's journey."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    Actor,
    Ask,
    Change,
    Context,
    Encounter,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Opened,
    Resolve,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
    rule,
)
from paravent.systems.solaires.actions.action import Action
from paravent.systems.solaires.actions.moves_action import RULES, action_move, result_of
from paravent.systems.solaires.actions.steps import goes_on, needs_roll, told_benchmark
from paravent.systems.solaires.errors import NotAnInfomorph, NotPublic
from paravent.systems.solaires.facts import SCORE_MAX, Brain, Damage, NearestCopy, RunStep
from paravent.systems.solaires.people import states
from paravent.systems.solaires.people.bodies import host_of
from paravent.systems.solaires.people.character import Character, Element, without_items
from paravent.systems.solaires.people.moves import state_changes
from paravent.systems.solaires.reading import called, states_of

from . import rules as network
from .rules import Disconnected, Search, Travelled

MATRIX_RUN = "matrix-run"
CONSOLE = ("console",)
"""What the name of a decryption console holds, in either language."""


# A search


def tell_search(ctx: Context, found: Search) -> list[Telling]:
    """Where the answer lies, and when it comes."""
    values = {"who": called(ctx.one()), "zone": found.zone, "time": found.access_time, "query": ctx["query"]}
    said = [Telling("outcomes.told_search", values)]
    return [*said, Telling("outcomes.told_found", {"text": ctx["found"]})] if ctx["found"] else said


@dataclass(frozen=True)
class PublicOnly(Flag):
    """Whether the data are public; agents see no others."""

    def read(self, raw: Any, field: str, ctx: Context) -> bool:
        if not super().read(raw, field, ctx):
            raise NotPublic()
        return True


def asked_for(ctx: Context) -> list[Follow]:
    """The action that the game master wants for it."""
    who = ctx.one().id
    return [Follow("action", {"initiator": [who]}, {who: {"goal": ctx["query"]}})] if ctx["needs_action"] else []


SOLNET_SEARCH = Move(
    "solnet-search",
    (
        Ask("query", (
            Field("query", TextField(300), usual="", waits=True, rule="SOL-131"),
            Field("public", PublicOnly(), usual=True, rule="SOL-131"),
        )),
        Ask("where", (
            Field("nearest_copy", OneOf(NearestCopy), "gm", usual=NearestCopy.SAME_PLACE, waits=True, rule="SOL-130"),
            Field("found", TextField(500), "gm", usual="", rule="SOL-131", upfront=True),
            Field("needs_action", Flag(), "gm", usual=False, rule="SOL-131"),
        )),
        Resolve("search",
            asking(network.search, lambda ctx: (ctx["nearest_copy"], ctx["public"])), auto=True, tell=tell_search,
                outcome=lambda found: found.zone, follow=lambda ctx, found: asked_for(ctx)),
    ),
    rules=("SOL-130", "SOL-131"),
)


# A run


@dataclass(frozen=True)
class MatrixRun:
    """A run under way: who, against what node, the steps done, what was prepared; its ice is the game master's."""

    runner: str
    node: str = ""
    done: tuple[RunStep, ...] = ()
    hours: int = 0
    instructions: str = ""
    ended: bool = False
    ice: str = ""

    @property
    def over(self) -> bool:
        """Whether the node was breached, or the run given up."""
        return self.ended or RunStep.BREACH in self.done


def is_ai(record: object) -> bool:
    """Whether the runner was born as a program."""
    return isinstance(record, Character) and record.mind_type.is_ai


def has_console(record: object) -> bool:
    """Whether something on the sheet is a decryption console."""
    return not isinstance(record, Character) or bool(consoles(record))


def consoles(record: Character) -> tuple[str, ...]:
    """The decryption consoles of a sheet."""
    return tuple(item.name for item in record.equipment if any(word in item.name.casefold() for word in CONSOLE))


@rule("SOL-133", "SOL-132")
def start_run(dice: Dice, runner: str, node: str, ice: str, equipped: bool) -> MatrixRun:
    """Set out against a node."""
    if not equipped:
        dice.note("SOL-132", "no_console")
    return MatrixRun(runner, node, ice=ice)


def read_run(ctx: Context) -> tuple[Hashable, ...]:
    """The node, its ice, and whether the runner can browse the matrix at all."""
    record = ctx.one().record
    return ctx.one().id, ctx["node"], ctx["ice"], network.may_browse(is_ai(record), has_console(record))


START_RUN = Move(
    MATRIX_RUN,
    (
        Ask("node", (
            Field("node", TextField(200), usual="", waits=True, rule="SOL-133"),
            Field("ice", TextField(300), "gm", usual="", secrecy="gm", waits=True, rule="SOL-135"),
        )),
        Resolve("start", asking(start_run, read_run), outcome=lambda run: "run_begins", auto=True,
                opens=lambda ctx, run: Opened(MATRIX_RUN, run),
                tell=lambda ctx, run: [
                    Telling("outcomes.told_run", {"who": called(ctx.one()), "node": ctx["node"]}, EVERYONE),
                    *([] if read_run(ctx)[3] else [Telling("faults.no_console", {}, EVERYONE)]),
                ], shown=lambda ctx, run: _without_ice()),
    ),
    rules=("SOL-132", "SOL-133", "SOL-135"),
)


def _without_ice() -> Shown:
    return Shown(detail=GM_ONLY)


def next_step(ctx: Context) -> RunStep | None:
    """The step that comes next."""
    done = ctx.encounter.done if ctx.encounter is not None else ()
    return next((step for step in network.run_steps() if step not in done), None)


def prepared(ctx: Context) -> str:
    """The instructions: written down at their step, carried out as they are at the breach."""
    written = ctx["instructions"] if ctx["run_step"] == RunStep.PREPARE else ""
    return str(written or (ctx.encounter or MatrixRun("")).instructions)


def step_ready(ctx: Context) -> tuple[Hashable, ...]:
    """The steps done, the one undertaken, and the instructions it carries out."""
    run = ctx.encounter or MatrixRun("")
    return run.done, ctx["run_step"], prepared(ctx), run.hours + (ctx["hours"] or 0)


@rule("SOL-133", "SOL-134", "SOL-135")
def ready_for(dice: Dice, done: tuple[RunStep, ...], step: RunStep, instructions: str, hours: int) -> int:
    """Whether the step may be undertaken; the game master is told how far all the hours of study may ease it."""
    network.check_step(done, step, instructions)
    eased = network.study_eases(hours)
    if step == RunStep.BREACH:
        dice.note("SOL-135", "study", hours=hours, n=eased)
    return eased


def run_changes(ctx: Context, eased: int) -> list[Change]:
    """What was studied and written down."""
    run = ctx.encounter
    if run is None:
        return []
    return [
        *changed("encounter", run, "hours", run.hours + (ctx["hours"] or 0), "SOL-135"),
        *changed("encounter", run, "instructions", prepared(ctx), "SOL-134"),
    ]


BENCHMARKS = {
    RunStep.LOCATE: "locate_node", RunStep.PREPARE: "program_intrusion", RunStep.BREACH: "breach_ice",
}


def tell_step(ctx: Context, eased: int) -> list[Telling]:
    """Which step it is; for the game master, how hard such steps are, and what the study is worth."""
    step = ctx["run_step"]
    said = [Telling("outcomes.told_step", {"step": step}, EVERYONE)]
    if step in BENCHMARKS:
        said.append(told_benchmark(BENCHMARKS[step]))
    hours = (ctx.encounter or MatrixRun("")).hours
    if step == RunStep.BREACH and hours:
        said.append(Telling("outcomes.told_study", {"hours": hours, "n": eased}, GM_ONLY))
    return said


def is_step(step: RunStep) -> Callable[[Context], bool]:
    """Whether a step of the run is the one undertaken."""
    return lambda ctx: bool(ctx["run_step"] == step)


@rule("SOL-133")
def step_done(dice: Dice, success: bool) -> bool:
    """A step succeeded is behind one."""
    return success


RUN_STEP = action_move(
    "run-step", ("SOL-133", "SOL-134", "SOL-135"),
    Field("run_step", OneOf(RunStep), usual=lambda ctx: next_step(ctx) or RunStep.BREACH, rule="SOL-133"),
    Field("hours", Whole(0, 200), usual=0, rule="SOL-135", when=is_step(RunStep.STUDY), upfront=True),
    Field("instructions", TextField(500), rule="SOL-134", when=is_step(RunStep.PREPARE)),
    before=(Resolve("ready", asking(ready_for, step_ready), auto=True, when=goes_on, outcome=lambda eased: "ready",
                    changes=run_changes, tell=tell_step),),
    after=(Resolve("advance", asking(step_done, lambda ctx: (bool(result_of(ctx).success),)), auto=True, when=goes_on,
                   outcome=lambda done: "step_done" if done else "step_missed",
                   changes=lambda ctx, done: _advanced(ctx, done)),),
    ends=(Field("riposte", Flag(), "gm", usual=False, rule="SOL-136", upfront=True),),
    follow=lambda ctx, after: strikes_back(ctx),
    encounter=MATRIX_RUN,
)


def strikes_back(ctx: Context) -> list[Follow]:
    """Where the ice strikes back, the runner stays or disconnects."""
    return [Follow("stay-or-disconnect", {"initiator": [ctx.one().id]})] if ctx["riposte"] else []


def _advanced(ctx: Context, done: bool) -> tuple[Change, ...]:
    run = ctx.encounter
    if run is None or not done:
        return ()
    return changed("encounter", run, "done", (*run.done, ctx["run_step"]), "SOL-133")


ENCOUNTER = Encounter(MATRIX_RUN, MatrixRun, over=lambda run: run.over, hidden=frozenset({"ice"}))


# The ice's riposte


def stays(ctx: Context) -> bool:
    """Whether the runner stays under the riposte, and must resist it."""
    return needs_roll(ctx) and bool(ctx["stays"])


def read_leaving(ctx: Context) -> tuple[Hashable, ...]:
    """Whether one stayed, was hit, and has nerves to be shaken."""
    record = ctx.one().record
    organic = record.organic if isinstance(record, Character) else True
    return bool(ctx["stays"]), is_hit(ctx), organic, ctx["backlash_score"], ctx["damage"] or Damage.ERASURE


def is_hit(ctx: Context) -> bool:
    """Whether the runner stayed, and did not resist."""
    done = result_of(ctx)
    return bool(ctx["stays"]) and isinstance(done, Action) and not done.success


def state_added(actor: Actor, name: str, score: int, rule_id: str) -> tuple[Change, ...]:
    """One more state on the sheet."""
    return state_changes(actor, states.gained(states_of(actor), [Element(name, score)]), rule_id)


def leaving_changes(ctx: Context, left: Disconnected) -> list[Change]:
    """The state that a torn connection leaves, the console lost, the run ended."""
    actor, found = ctx.one(), list[Change]()
    if left.backlash:
        found += state_added(actor, network.BACKLASH, left.backlash, "SOL-137")
    if left.console_lost and isinstance(actor.record, Character):
        gear = without_items(actor.record.equipment, consoles(actor.record)[:1])
        found += changed(actor.id, actor.record, "equipment", gear, "SOL-136")
    if ctx.encounter is not None and left.out:
        found += changed("encounter", ctx.encounter, "ended", True, "SOL-136")
    return found


def tell_leaving(ctx: Context, left: Disconnected) -> list[Telling]:
    """How the runner comes out of it."""
    lost = "told_console_lost" if has_console(ctx.one().record) else "told_erased"
    stayed = lost if left.console_lost else "told_thrown_out" if left.out else "told_holds_on"
    key = stayed if ctx["stays"] else "told_leaves"
    said = [Telling(f"outcomes.{key}", {"who": called(ctx.one())})]
    return [*said, Telling("outcomes.told_backlash", {"n": left.backlash})] if left.backlash else said


STAY_OR_DISCONNECT = action_move(
    "stay-or-disconnect", ("SOL-136", "SOL-137", *RULES),
    Field("stays", Flag(), usual=False, waits=True, rule="SOL-136"),
    Field("backlash_score", Whole(0, SCORE_MAX), "gm", usual=network.USUAL_SCORE, rule="SOL-137"),
    rolls=stays,
    after=(
        Ask("damage", (Field("damage", OneOf(Damage), "gm", usual=Damage.ERASURE, waits=True, when=is_hit,
                             rule="SOL-136"),)),
        Resolve("leave",
            asking(network.disconnect, read_leaving), auto=True, tell=tell_leaving, changes=leaving_changes,
                outcome=lambda left: "console_lost" if left.console_lost else "out_of_it" if left.out else "held_on",
                when=goes_on),
    ),
    encounter=MATRIX_RUN,
)


# An infomorph


def check_infomorph(ctx: Context) -> None:
    """Only a being without a body travels so."""
    record = ctx.one().record
    if isinstance(record, Character) and host_of(record.body).brain != Brain.NONE and not record.mind_type.is_ai:
        raise NotAnInfomorph(name=record.name)


def read_travel(ctx: Context) -> tuple[Hashable, ...]:
    """From where, to where, and how it goes."""
    check_infomorph(ctx)
    host = getattr(ctx.one().record, "network_host", "")
    return host, ctx["destination_node"], ctx["permission"], ctx["uploaded"], ctx["saturation"]


def travel_changes(ctx: Context, gone: Travelled) -> list[Change]:
    """Where the being now runs, and how slowly."""
    actor = ctx.one()
    if not isinstance(actor.record, Character) or not gone.arrived:
        return []
    found = [*changed(actor.id, actor.record, "network_host", gone.host, "SOL-160")]
    left = [state for state in actor.record.states if state.name != network.SLOWED]  # that was the former node's doing
    slowed = [Element(network.SLOWED, gone.slowed)] if gone.slowed else []
    return [*found, *state_changes(actor, states.gained(left, slowed), "SOL-162")]


MOVE_INFOMORPH = Move(
    "move-infomorph",
    (
        Ask("where", (Field("destination_node", TextField(200), usual="", rule="SOL-163"),)),
        Ask("upload", (
            Field("permission", Flag(), "gm", usual=True, waits=True, rule="SOL-163"),
            Field("uploaded", Flag(), "gm", usual=True, rule="SOL-163", upfront=True),
            Field("saturation", Whole(0, SCORE_MAX), "gm", usual=0, rule="SOL-162", upfront=True),
        )),
        Resolve("travel", asking(network.travel, read_travel), auto=True, changes=travel_changes,
                outcome=lambda gone: "travelled" if gone.arrived else "not_travelled",
                tell=lambda ctx, gone: [Telling(
                    "outcomes.told_travelled" if gone.arrived else "outcomes.told_not_travelled",
                    {"who": called(ctx.one()), "host": gone.host})]),
    ),
    rules=("SOL-160", "SOL-162", "SOL-163", "SOL-164"),
)

MOVES = (SOLNET_SEARCH, START_RUN, RUN_STEP, STAY_OR_DISCONNECT, MOVE_INFOMORPH)
