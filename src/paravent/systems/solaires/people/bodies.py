"""« Changer de corps »: where a mind can live, and what a new body does to it."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.solaires.facts import TABLES, Brain

from .errors import IncompatibleBody, UninhabitableBody
from .facts import MindType

ALTERED_THOUGHT, UNSUITED_BODY = "altered_thought", "unsuited_body"
YES, NO = "yes", "no"
INFOMORPHISATION = "infomorphisation"


class Host(NamedTuple):
    """A body as a mind finds it: its brain, and whether it is a robot's."""

    brain: Brain
    robotic: bool


class BodyChange(NamedTuple):
    """A change of body: the states that are left once it is done, by identifier and score."""

    states: tuple[tuple[str, int], ...]
    conversion: str = ""


class Move(NamedTuple):
    """What is known of a change of body."""

    is_ai: bool
    robotic: bool
    compatibility: str = YES
    """``yes``, ``no``, or the conversion that it takes."""
    converted: bool = True
    """Whether that conversion is made."""
    identical: bool = False
    """Whether it is the same model and form as the body just left."""
    familiar: bool = False
    """Whether the game master deems it familiar: one's own, come back to."""
    severe: bool = False
    """Whether the game master finds that it suits the mind badly."""


def body_kinds() -> tuple[str, ...]:
    """The kinds of body."""
    return tuple(TABLES["bodies"].keys())


@rule("SOL-151", "SOL-140")
def host_of(body: str) -> Host:
    """The brain of a kind of body; a body nobody listed is taken for a biological one."""
    known = body_kinds()
    row = TABLES["bodies"].row(body if body in known else known[0])
    return Host(Brain(row["brain"]), row["robotic"] == YES)


@rule("SOL-151")
def compatibility(mind: MindType, brain: Brain) -> str:
    """``yes``, ``no``, or the conversion needed: emulation, infomorphisation, download. To be taken as advice."""
    return str(TABLES["minds"].cell(mind, brain))


@rule("SOL-151", "SOL-150")
def check_compatible(wanted: Move) -> str:
    """The conversion made, if one is needed; without it the mind cannot live there."""
    if wanted.compatibility == YES:
        return ""
    if wanted.compatibility == NO:
        raise UninhabitableBody()
    if not wanted.converted:
        raise IncompatibleBody(needs=wanted.compatibility)
    return wanted.compatibility


@rule("SOL-153")
def is_like_the_old(wanted: Move, rulings: Rulings) -> bool:
    """Whether the body is identical: the same model, or, unless the table is strict, a familiar one (R-29)."""
    return wanted.identical or (wanted.familiar and rulings.identical_body == "familiar")


@rule("SOL-153", "SOL-152", "SOL-154")
def judged(wanted: Move, rulings: Rulings) -> tuple[tuple[str, int], ...]:
    """The states that a new body brings: altered thought, and in the worst cases an unsuited body.

    An AI that takes a robot's body, or anybody an identical one, thinks as before.
    """
    table = TABLES["body_states"]
    found: list[str] = []
    if not (is_like_the_old(wanted, rulings) or (wanted.is_ai and wanted.robotic)):
        found.append(ALTERED_THOUGHT)
    if wanted.severe:
        found.append(UNSUITED_BODY)
    return tuple((state, int(table.cell(state, "score"))) for state in found)


@rule("SOL-155")
def left_behind(current: tuple[tuple[str, int], ...], wanted: Move, rulings: Rulings) -> tuple[tuple[str, int], ...]:
    """What is kept of the states owed to the former body: nothing, or all until one is used to it (R-49)."""
    if rulings.body_states == "new_change" or is_like_the_old(wanted, rulings):
        return ()
    return current


@rule("SOL-155", "SOL-156")
def change_body(dice: Dice, current: tuple[tuple[str, int], ...], wanted: Move, rulings: Rulings) -> BodyChange:
    """Change bodies: the states owed to the former one go first, then the new one is judged."""
    conversion = check_compatible(wanted)
    if conversion:
        dice.note("SOL-151", "converted", conversion=conversion)
    kept = dict(left_behind(current, wanted, rulings))
    after = {**kept, **dict(judged(wanted, rulings))}
    for state, score in after.items():
        dice.note("SOL-154" if state == UNSUITED_BODY else "SOL-153", "body_state", state=state, n=score)
    return BodyChange(tuple(after.items()), conversion)


def owed(state: str) -> str:
    """Which of the states that a body brings this is, by its identifier or its words in either language; else none."""
    table = TABLES["body_states"]
    for name in table.column("score"):
        if state.casefold() in (name, table.word(name, "fr").casefold(), table.word(name, "en").casefold()):
            return str(name)
    return ""


def is_owed(state: str) -> bool:
    """Whether a state is one that a body brings."""
    return bool(owed(state))


@rule("SOL-151", "SOL-160")
def converted_mind(mind: MindType, conversion: str) -> MindType:
    """What a conversion makes of a mind: an infomorph needs no brain ever after; an emulated mind is what it was."""
    if conversion != INFOMORPHISATION:
        return mind
    uplifted = mind in (MindType.UPLIFTED, MindType.UPLIFTED_SUPERVISED)
    return MindType.UPLIFTED_INFOMORPHISED if uplifted else MindType.NATURAL_INFOMORPHISED


@rule("SOL-155", "SOL-106")
def used_to_it(current: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Once one is used to a body, the states it brought are gone."""
    return tuple(state for state in current if not is_owed(state[0]))
