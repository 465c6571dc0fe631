"""« L'implant psi »: one power set, found in the temper; perceive, act once, or hold an effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paravent.game import rule
from paravent.systems.solaires.facts import TABLES, Brain, PowerSet

from .errors import AlreadyMaintaining, NoOrganicBrain, NothingMaintained
from .facts import PsiFailure, PsiUse

ORGANIC = (Brain.ORGANIC, Brain.CYBERNETISED)
USUAL_SCORE = 3


class Psi(NamedTuple):
    """What a use of the implant takes: an action or not, and whether another object may be hit instead."""

    needs_action: bool
    wrong_target_risk: bool = False


@rule("SOL-140")
def is_organic(brain: Brain) -> bool:
    """Whether a brain has the nerve cells that an implant needs; a cybernetised one keeps them."""
    return brain in ORGANIC


@rule("SOL-140", "SOL-142")
def power_sets(traits: Iterable[tuple[str, int]], organic_brain: bool = True) -> tuple[PowerSet, ...]:
    """The sets that the temper opens: that of the strongest matching trait; of equals, the player chooses (R-30).

    Without a matching trait, or without an organic brain, none.
    """
    if not organic_brain:
        return ()
    matches = TABLES["power_sets"].extra["matches"]
    TABLES["power_sets"].keys()
    found: dict[PowerSet, int] = {}
    for name, score in traits:
        for one in PowerSet:
            if name.strip().casefold() in {match.casefold() for match in matches[one]}:
                found[one] = max(score, found.get(one, 0))
    strongest = max(found.values(), default=0)
    return tuple(one for one in PowerSet if found.get(one) == strongest and one in found)


@rule("SOL-144", "SOL-145", "SOL-146")
def psi_use(use: PsiUse, maintaining: bool, perceived: bool = True) -> Psi:
    """What a use of the implant takes.

    To perceive, to hold and to release take no effort; while an effect is held, nothing but perceptions is open. To act
    on an object that was not well perceived may touch another one.
    """
    if use == PsiUse.RELEASE and not maintaining:
        raise NothingMaintained()
    if maintaining and use in (PsiUse.ONE_OFF, PsiUse.MAINTAINED):
        raise AlreadyMaintaining()
    needs_action = TABLES["psi_uses"].cell(use, "action") != "no"
    return Psi(needs_action, needs_action and not perceived)


@rule("SOL-148")
def failure_consequence(cause: PsiFailure) -> str:
    """What a failed effort leads to, by its cause, which the game master picks."""
    return str(TABLES["psi_failures"].cell(cause, "consequence"))


@rule("SOL-147")
def benchmark(situation: str) -> tuple[int, int]:
    """The easiest and the hardest difficulty advised for a situation: more objects and bigger effects are harder."""
    row = TABLES["benchmarks"].row(situation)
    return int(row["easiest"]), int(row["hardest"])


@rule("SOL-140")
def check_brain(brain: Brain) -> None:
    """An implant works in an organic brain only."""
    if not is_organic(brain):
        raise NoOrganicBrain(got=brain)
