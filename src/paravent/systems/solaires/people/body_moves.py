"""Bodies: changed for another, and got used to."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    Actor,
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
    Rulings,
    Telling,
    Value,
    Who,
    changed,
    rule,
)
from paravent.systems.solaires.cast import CHARACTER, Given, states_of
from paravent.systems.solaires.facts import Brain
from paravent.systems.solaires.network.rules import ON_THE_NETWORK, wakes_up
from paravent.systems.solaires.psi.rules import is_organic

from . import bodies
from .bodies import BodyChange
from .character import Character, Element
from .errors import BackupAsleep
from .facts import Kept, MindType
from .state_moves import state_changes


def without_mind(ctx: Context) -> bool:
    """Whether no sheet says of what nature the mind is: those of the game master's people do not."""
    return not isinstance(ctx.one().record, Character)


REASONS = ("travel", "backup", "task", "wish")


def habitable(ctx: Context) -> Sequence[str]:
    """The bodies that the mind may live in; any, where the game master has judged so."""
    kinds = bodies.body_kinds()
    if ctx.one("gm").filled.get("compatible"):
        return kinds
    return [kind for kind in kinds if bodies.compatibility(mind_of(ctx), bodies.host_of(kind).brain) != bodies.NO]


DESTINATION = Field("destination", OneOf(lambda ctx: bodies.body_kinds(), habitable), rule="SOL-151",
                    place="essential")
MIND_TYPE: Field[MindType | None] = Field("mind_type", OneOf(MindType), usual=MindType.NATURAL, rule="SOL-101",
                                          place="refinement", when=without_mind)
REASON = Field("reason", OneOf(REASONS), usual="wish", rule="SOL-150", place="essential", shape=Pills())
BACKUP_KEPT: Field[Kept | None] = Field(
    "backup_kept", OneOf(Kept, (Kept.VAULT, Kept.WATCHED_CACHE)), "gm", usual=Kept.VAULT, rule="SOL-161",
    place="essential", when=lambda ctx: ctx[REASON] == "backup")
IDENTICAL = Field("identical", Flag(), "gm", usual=False, waits=True, rule="SOL-153", place="essential")
FAMILIAR = Field("familiar", Flag(), "gm", usual=False, rule="SOL-153", place="essential")
CONVERTED = Field("converted", Given(), "gm", usual=True, rule="SOL-151", place="refinement")
COMPATIBLE = Field("compatible", Flag(), "gm", usual=False, rule="SOL-151", place="refinement")
SEVERE = Field("severe", Flag(), "gm", usual=False, rule="SOL-154", place="essential")


def owed_to_body(actor: Actor) -> tuple[tuple[str, int], ...]:
    """The states that the present body brought."""
    return tuple((name, state.score) for state in states_of(actor) if (name := bodies.owed(state.name)))


def mind_of(ctx: Context) -> MindType:
    """The nature of the mind: on the sheet, or as filled in."""
    record = ctx.one().record
    return record.mind_type if isinstance(record, Character) else ctx[MIND_TYPE] or MindType.NATURAL


def change_of(ctx: Context) -> Call[BodyChange]:
    """The states owed to the former body, and what is known of the new one."""
    check_backup(ctx)
    mind, host = mind_of(ctx), bodies.host_of(ctx[DESTINATION])
    fits = bodies.YES if ctx[COMPATIBLE] else bodies.compatibility(mind, host.brain)
    wanted = bodies.Move(mind.is_ai, host.robotic, fits, ctx[CONVERTED], ctx[IDENTICAL], ctx[FAMILIAR], ctx[SEVERE])
    return Call(bodies.change_body, owed_to_body(ctx.one()), wanted, ctx.rulings)


def check_backup(ctx: Context) -> None:
    """Whether the backup one returns from can be woken: one in a cache needs an agent that watches, and no wiping."""
    kept = ctx[BACKUP_KEPT]
    in_cache = kept not in (None, Kept.VAULT)
    if in_cache and not wakes_up(kept != Kept.UNWATCHED_CACHE, kept == Kept.WIPED_CACHE):
        raise BackupAsleep()


def body_changes(ctx: Context, done: BodyChange) -> list[Change]:
    """Body, states, the mind if it was converted; what was held by an implant left behind ends.

    An infomorph runs on the network; a host is left behind for a body.
    """
    actor, host = ctx.one(), bodies.host_of(ctx[DESTINATION])
    rest = [state for state in states_of(actor) if not bodies.is_owed(state.name)]
    after = (*rest, *(Element(name, score) for name, score in done.states))
    if not isinstance(actor.record, Character):
        return list(state_changes(actor, after, "SOL-153"))
    node = (actor.record.network_host or ON_THE_NETWORK) if host.brain == Brain.NONE else ""
    held = actor.record.psi_maintained if is_organic(host.brain) else ""
    mind = bodies.converted_mind(actor.record.mind_type, done.conversion)
    found: dict[str, tuple[Value, str]] = {
        "body": (ctx[DESTINATION], "SOL-151"), "mind_type": (mind, "SOL-151"), "states": (after, "SOL-153"),
        "network_host": (node, "SOL-160"), "psi_maintained": (held, "SOL-140"),
    }
    return [change for name, (value, rule_id) in found.items()
            for change in changed(actor.id, actor.record, name, value, rule_id)]


def tell_body(ctx: Context, done: BodyChange) -> list[Telling]:
    """The new body and what it leaves; a warning where an implant no longer works in it."""
    said = [Telling("outcomes.told_body", {"who": Who(ctx.one().id), "body": ctx[DESTINATION]})]
    said += [Telling("outcomes.told_body_state", {"state": name, "n": score}) for name, score in done.states]
    record = ctx.one().record
    organic = is_organic(bodies.host_of(ctx[DESTINATION]).brain)
    useless = not organic and isinstance(record, Character) and record.implant is not None
    return [*said, Telling("faults.no_organic_brain", {})] if useless else said


CHANGE_BODY = Move(
    "change-body",
    (
        Ask("destination", (DESTINATION, MIND_TYPE, REASON)),
        Ask("backup", (BACKUP_KEPT,)),
        Ask("judgement", (IDENTICAL, FAMILIAR, CONVERTED, COMPATIBLE, SEVERE)),
        Resolve("change", change_of, auto=True, outcome=lambda done: "body_changed", changes=body_changes,
                tell=tell_body),
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
        Resolve("settle", lambda ctx: Call(settle_in, owed_to_body(ctx.one("character")), ctx.rulings),
                outcome=lambda gone: "settled_in", changes=settled_changes,
                tell=lambda ctx, gone: [Telling("outcomes.told_settled_in", {"who": Who(ctx.one("character").id)})]),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    suits=lambda ctx: bool(owed_to_body(ctx.one("character"))),
    rules=("SOL-155", "SOL-106"),
)

MOVES = (CHANGE_BODY, SETTLE_IN)
