"""Runs against a node of the matrix: step by step, and under the riposte of its ice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Opened,
    Pills,
    Resolve,
    Rulings,
    Shown,
    Steps,
    Telling,
    TextField,
    Who,
    Whole,
    changed,
    rule,
    time_goes_by,
)
from paravent.systems.solaires.actions.aftermath import failed, is_left_to_tell, succeeded
from paravent.systems.solaires.actions.announce_steps import goes_on, needs_roll
from paravent.systems.solaires.actions.difficulty_steps import told_benchmark
from paravent.systems.solaires.actions.moves import RULES, action_move
from paravent.systems.solaires.cast import states_of
from paravent.systems.solaires.facts import SCORE_MAX, Brain
from paravent.systems.solaires.people.bodies import host_of
from paravent.systems.solaires.people.character import Character, Element, without_items
from paravent.systems.solaires.people.state_moves import state_changes
from paravent.systems.solaires.people.states import gained

from . import rules as network
from .facts import Damage, RunStep
from .rules import AN_HOUR, Disconnected

MATRIX_RUN = "matrix-run"
CONSOLE = ("console",)
"""What the name of a decryption console holds, in either language."""


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
    detected: bool = False
    """Whether the owners of the node are warned: theirs and the game master's to know."""

    @property
    def over(self) -> bool:
        """Whether the node was breached, or the run given up."""
        return self.ended or RunStep.BREACH in self.done


def run_of(ctx: Context) -> MatrixRun:
    """The run as it stands; one that has not begun where none is under way."""
    return MatrixRun("") if ctx.encounter is None else ctx.state(MatrixRun)


# It begins


NODE = Field("node", TextField(200), usual="", waits=True, rule="SOL-133", names=True)
ICE = Field("ice", TextField(300), "gm", usual="", secrecy="gm", waits=True, rule="SOL-135")


def consoles(record: Character) -> tuple[str, ...]:
    """The decryption consoles of a sheet."""
    return tuple(item.name for item in record.equipment if any(word in item.name.casefold() for word in CONSOLE))


def has_console(record: object) -> bool:
    """Whether something on the sheet is a decryption console; somebody without a sheet is believed."""
    return not isinstance(record, Character) or bool(consoles(record))


def is_equipped(ctx: Context) -> bool:
    """Whether the runner can browse the matrix at all."""
    record = ctx.one().record
    return network.may_browse(isinstance(record, Character) and record.mind_type.is_ai, has_console(record))


@rule("SOL-133", "SOL-132")
def start_run(dice: Dice, runner: str, node: str, ice: str, equipped: bool) -> MatrixRun:
    """Set out against a node."""
    if not equipped:
        dice.note("SOL-132", "no_console")
    return MatrixRun(runner, node, ice=ice)


def tell_run(ctx: Context, run: MatrixRun) -> list[Telling]:
    """Who sets out against what; a warning to whoever has no console."""
    said = [Telling("outcomes.told_run", {"who": Who(ctx.one().id), "node": ctx[NODE]}, EVERYONE, main=True)]
    return said if is_equipped(ctx) else [*said, Telling("faults.no_console", {}, EVERYONE)]


START_RUN = Move(
    MATRIX_RUN,
    (
        Ask("node", (NODE, ICE)),
        Resolve("start", lambda ctx: Call(start_run, ctx.one().id, ctx[NODE], ctx[ICE], is_equipped(ctx)), auto=True,
                outcome=lambda run: "run_begins", opens=lambda ctx, run: Opened(MATRIX_RUN, run), tell=tell_run,
                shown=lambda ctx, run: Shown(detail=GM_ONLY)),
    ),
    suits=lambda ctx: isinstance(ctx.one().record, Character) and is_equipped(ctx),
    rules=("SOL-132", "SOL-133", "SOL-135"),
)


# Its steps


def next_step(ctx: Context) -> RunStep:
    """The step that comes next."""
    done = run_of(ctx).done
    return next((step for step in network.run_steps() if step not in done), RunStep.BREACH)


STEP = Field("run_step", OneOf(RunStep, lambda ctx: (next_step(ctx),)), usual=next_step, rule="SOL-133", place="rarity")


def is_step(step: RunStep) -> Callable[[Context], bool]:
    """Whether a step of the run is the one undertaken."""
    return lambda ctx: ctx[STEP] == step


HOURS: Field[int | None] = Field(
    "hours", Whole(0, 200), usual=0, rule="SOL-135", when=is_step(RunStep.STUDY), place="essential"
)
INSTRUCTIONS: Field[str | None] = Field(
    "instructions", TextField(500), rule="SOL-134", when=is_step(RunStep.PREPARE), place="essential",
)
DETECTED = Field("detected", Flag(), "gm", usual=False, secrecy="gm", rule="SOL-135", place="essential")
RIPOSTE = Field("riposte", Flag(), "gm", usual=False, rule="SOL-136", place="essential")


def instructions(ctx: Context) -> str:
    """The instructions: written down at their step, carried out as they are at the breach."""
    written = ctx[INSTRUCTIONS] if ctx[STEP] == RunStep.PREPARE else None
    return written or run_of(ctx).instructions


def hours_studied(ctx: Context) -> int:
    """All the hours of study, those of this step among them."""
    return run_of(ctx).hours + (ctx[HOURS] or 0)


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
    if ctx.encounter is None:
        return []
    return [
        *changed("encounter", ctx.encounter, "hours", hours_studied(ctx), "SOL-135"),
        *changed("encounter", ctx.encounter, "instructions", instructions(ctx), "SOL-134"),
    ]


BENCHMARKS = {
    RunStep.LOCATE: "locate_node", RunStep.PREPARE: "program_intrusion", RunStep.BREACH: "breach_ice",
}


def tell_step(ctx: Context, eased: int) -> list[Telling]:
    """Which step it is; for the game master, how hard such steps are, and what the study is worth."""
    step, hours = ctx[STEP], run_of(ctx).hours
    said = [Telling("outcomes.told_step", {"step": step}, EVERYONE)]
    if step in BENCHMARKS:
        said.append(told_benchmark(BENCHMARKS[step]))
    if step == RunStep.BREACH and hours:
        said.append(Telling("outcomes.told_study", {"hours": hours, "n": eased}, GM_ONLY))
    return said


READY: Resolve[int] = Resolve(
    "ready",
    lambda ctx: Call(ready_for, run_of(ctx).done, ctx[STEP], instructions(ctx), hours_studied(ctx)),
    auto=True, when=goes_on, outcome=lambda eased: "ready", changes=run_changes, tell=tell_step,
)


@rule("SOL-133")
def step_done(dice: Dice, success: bool) -> bool:
    """A step succeeded is behind one."""
    return success


def advanced(ctx: Context, done: bool) -> tuple[Change, ...]:
    """The steps that are behind."""
    if ctx.encounter is None or not done:
        return ()
    return changed("encounter", ctx.encounter, "done", (*run_of(ctx).done, ctx[STEP]), "SOL-133")


def strikes_back(ctx: Context, after: int) -> list[Follow]:
    """The hours of study go by for everybody; where the ice strikes back, the runner stays or disconnects."""
    struck = [Follow("stay-or-disconnect", {"initiator": [ctx.one().id]})] if ctx[RIPOSTE] else []
    return [*time_goes_by((ctx[HOURS] or 0) * AN_HOUR), *struck]


@rule("SOL-135")
def noticed(dice: Dice, detected: bool) -> bool:
    """Most ice notices an attack and warns its owners; whoever attacks does not see it."""
    return detected


def noticed_changes(ctx: Context, detected: bool) -> tuple[Change, ...]:
    """The game master keeps in mind that the owners are warned."""
    if ctx.encounter is None or not detected:
        return ()
    return changed("encounter", ctx.encounter, "detected", True, "SOL-135", GM_ONLY)


DETECTION: Resolve[bool] = Resolve(
    "detection", lambda ctx: Call(noticed, bool(ctx[DETECTED])), auto=True, when=goes_on, changes=noticed_changes,
    outcome=lambda detected: "watched", shown=lambda ctx, detected: Shown(detail=GM_ONLY),
    tell=lambda ctx, detected: [Telling("outcomes.told_detected", {"who": Who(ctx.one().id)}, GM_ONLY)] if detected
    else [],
)


RUN_STEP = action_move(
    "run-step", ("SOL-133", "SOL-134", "SOL-135"), STEP, HOURS, INSTRUCTIONS,
    before=(READY,),
    after=(Resolve("advance", lambda ctx: Call(step_done, succeeded(ctx)), auto=True, when=goes_on, changes=advanced,
                   outcome=lambda done: "step_done" if done else "step_missed"),),
    ends=(DETECTED, RIPOSTE),
    follow=strikes_back,
    tells=lambda ctx: is_left_to_tell(ctx) or (needs_roll(ctx) and ctx[STEP] == RunStep.BREACH),
    at_last=(DETECTION,),
    encounter=MATRIX_RUN,
)

def how_it_stands(run: MatrixRun, rulings: Rulings) -> list[Telling]:
    """Which step comes next, of how many."""
    steps = network.run_steps()
    ahead = next(((at, step) for at, step in enumerate(steps, 1) if step not in run.done), None)
    if ahead is None or run.ended:
        return []
    return [Telling("outcomes.told_next_step", {"step": ahead[1], "n": ahead[0], "of": len(steps)}, EVERYONE)]


ENCOUNTER = Encounter(
    MATRIX_RUN, MatrixRun, over=lambda run: run.over, hidden=frozenset({"ice", "detected"}), merges=True,
    stands=how_it_stands,
)


# The ice's riposte


STAYS = Field("stays", Flag(), usual=False, waits=True, rule="SOL-136", place="essential")
BACKLASH_SCORE = Field("backlash_score", Whole(0, SCORE_MAX), "gm", usual=network.USUAL_SCORE, rule="SOL-137",
                       place="rarity", shape=Steps())


def resists(ctx: Context) -> bool:
    """Whether the runner stays under the riposte, and must resist it."""
    return needs_roll(ctx) and ctx[STAYS]


def is_hit(ctx: Context) -> bool:
    """Whether the runner stayed, and did not resist."""
    return ctx[STAYS] and failed(ctx)


DAMAGE: Field[Damage | None] = Field(
    "damage", OneOf(Damage), "gm", usual=Damage.ERASURE, waits=True, when=is_hit, rule="SOL-136",
    place="essential", shape=Pills(),
)


def leaving(ctx: Context) -> Call[Disconnected]:
    """Whether one stayed, was hit, and has nerves to be shaken."""
    record = ctx.one().record
    organic = record.organic if isinstance(record, Character) else True
    return Call(network.disconnect, ctx[STAYS], is_hit(ctx), organic, ctx[BACKLASH_SCORE],
                ctx[DAMAGE] or Damage.ERASURE)


def state_added(actor: Actor, name: str, score: int, rule_id: str) -> tuple[Change, ...]:
    """One more state on the sheet."""
    return state_changes(actor, gained(states_of(actor), [Element(name, score)]), rule_id)


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


def is_erased(ctx: Context) -> bool:
    """Whether it is the runner that the ice erases: an AI, or a being without a body, that needs no console."""
    record = ctx.one().record
    bare = isinstance(record, Character) and not consoles(record)
    return bare and (record.mind_type.is_ai or host_of(record.body).brain == Brain.NONE)


def tell_leaving(ctx: Context, left: Disconnected) -> list[Telling]:
    """How the runner comes out of it."""
    lost = "told_erased" if is_erased(ctx) else "told_console_lost"
    stayed = lost if left.console_lost else "told_thrown_out" if left.out else "told_holds_on"
    key = stayed if ctx[STAYS] else "told_leaves"
    said = [Telling(f"outcomes.{key}", {"who": Who(ctx.one().id)}, main=True)]
    return [*said, Telling("outcomes.told_backlash", {"n": left.backlash})] if left.backlash else said


STAY_OR_DISCONNECT = action_move(
    "stay-or-disconnect", ("SOL-136", "SOL-137", *RULES), STAYS, BACKLASH_SCORE,
    rolls=resists, attempts=lambda ctx: ctx[STAYS],
    after=(
        Ask("damage", (DAMAGE,)),
        Resolve("leave", leaving, auto=True, tell=tell_leaving, changes=leaving_changes, when=goes_on,
                outcome=lambda left: "console_lost" if left.console_lost else "out_of_it" if left.out else "held_on"),
    ),
    encounter=MATRIX_RUN,
)

MOVES = (START_RUN, RUN_STEP, STAY_OR_DISCONNECT)
