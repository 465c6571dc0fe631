"""« SolNet », « La Matrice », « IA et éthérés sur le réseau »: where data lie, runs against nodes, beings on nodes."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import rule
from paravent.systems.solaires.facts import TABLES

from .errors import NothingPrepared, NotPublic, PassOutOfOrder
from .facts import Damage, NearestCopy, RunStep

BACKLASH, SLOWED = "disoriented", "slowed"
USUAL_SCORE = 2
"""What is proposed for states of the network; the game master may say otherwise (R-31)."""
ON_THE_NETWORK = "on_the_network"
AN_HOUR, USUAL_HOURS, MOST_HOURS = 60, 3, 48
"""Minutes of an hour; the hours that a search far away usually takes, and at most."""


class Search(NamedTuple):
    """Where the answer lies, and how long it takes to come."""

    zone: str
    access_time: str


class Disconnected(NamedTuple):
    """How somebody left the matrix: the state it leaves (score 0 for none), and what became of the console."""

    backlash: int
    console_lost: bool
    out: bool = True
    """Whether the connection is cut."""


class Travelled(NamedTuple):
    """An infomorph's journey: whether it arrived, where it now runs, and how much it is slowed down there."""

    arrived: bool
    host: str
    slowed: int = 0


@rule("SOL-130")
def zone(nearest: NearestCopy) -> Search:
    """The zone of some data, by their nearest copy, caches included, and the time it takes to reach them."""
    row = TABLES["zones"].row(nearest)
    return Search(row["zone"], row["access_time"])


@rule("SOL-130", "SOL-131")
def search(dice: Dice, nearest: NearestCopy, public: bool) -> Search:
    """Agents hop from node to node and bring back what is public, and nothing else."""
    if not public:
        raise NotPublic()
    found = zone(nearest)
    dice.note("SOL-130", "zone", zone=found.zone, time=found.access_time)
    return found


@rule("SOL-130", "SOL-131")
def search_takes_hours(nearest: NearestCopy) -> bool:
    """Whether an answer takes long enough to be waited for: from the foreign zone alone it takes hours."""
    return zone(nearest).access_time == "hours"


@rule("SOL-132")
def may_browse(is_ai: bool, has_console: bool) -> bool:
    """Browsing the matrix takes a decryption console; an AI carries the software in itself. Else one is warned."""
    return is_ai or has_console


@rule("SOL-133")
def run_steps() -> tuple[RunStep, ...]:
    """Locate the node, study its ice, prepare the instructions, breach."""
    return tuple(RunStep(name) for name in TABLES["run_steps"].column("name").values())


@rule("SOL-133", "SOL-134")
def check_step(done: tuple[RunStep, ...], step: RunStep, instructions: str) -> RunStep:
    """A run goes in order, and a breach carries out what was prepared: milliseconds leave no time to improvise."""
    expected = next((one for one in run_steps() if one not in done), None)
    if step != expected:
        raise PassOutOfOrder(got=step, expected=expected or "")
    if step == RunStep.BREACH and not instructions.strip():
        raise NothingPrepared()
    return step


@rule("SOL-135")
def study_eases(hours: int) -> int:
    """How far a long study may ease the breach, from 0 to 2: a proposal, one step for an hour, two for a day's work."""
    return (hours >= 1) + (hours >= 8)


@rule("SOL-136", "SOL-137")
def disconnect(
    dice: Dice, stays: bool, hit: bool, is_organic: bool, score: int, damage: Damage = Damage.ERASURE
) -> Disconnected:
    """Stay under the ice's riposte and risk the console, or leave; an organic mind torn away is left disoriented.

    What the ice does to whom it hits goes from a mere disconnection to the erasure of the console, or of the AI.
    """
    lost = stays and hit and damage == Damage.ERASURE
    out = not stays or hit
    shaken = is_organic and out and score > 0
    dice.note("SOL-136", "console_lost" if lost else "thrown_out" if stays and hit else "stayed" if stays else "left")
    if shaken:
        dice.note("SOL-137", "backlash", n=score)
    return Disconnected(score if shaken else 0, lost, out)


@rule("SOL-160", "SOL-162", "SOL-163", "SOL-164")
def travel(
    dice: Dice, host: str, destination: str, permission: bool, uploaded: bool, saturation: int
) -> Travelled:
    """An injection permission, then the upload; refused, one stays where one is until the answer is back.

    A saturated node slows down whoever runs on it. Nobody asks for more while the network is within reach.
    """
    if not (permission and uploaded):
        dice.note("SOL-163", "no_permission" if not permission else "upload_failed")
        return Travelled(False, host or ON_THE_NETWORK)
    if saturation:
        dice.note("SOL-162", "saturated", n=saturation)
    return Travelled(True, destination or ON_THE_NETWORK, saturation)


@rule("SOL-161")
def wakes_up(agent_left: bool, cache_wiped: bool) -> bool:
    """Whether a backup left in a cache wakes: only if an agent watches over it and the cache was not wiped."""
    return agent_left and not cache_wiped
