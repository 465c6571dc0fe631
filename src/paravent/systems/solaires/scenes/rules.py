"""« Gestion du temps pendant les scènes d'action »: who has acted, and who may act now."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from paravent.game import Rulings, rule

from .errors import AlreadyActed, NotInTheScene


@dataclass(frozen=True)
class Participant:
    """Somebody in an action scene: whether it is the game master's, has acted in this pass, and can still act."""

    id: str
    npc: bool = False
    acted: bool = False
    standing: bool = True


@dataclass(frozen=True)
class ActionScene:
    """An action scene: who is in it, whose turn it is, whether the first pass is over."""

    participants: tuple[Participant, ...] = ()
    acting: str = ""
    first_pass_over: bool = False
    ended: bool = False
    intention: str = ""
    """What somebody of the game master's is about to do."""
    order: tuple[str, ...] = ()
    """Whose turn it has been, each where it last was, up to now."""

    def participant(self, who: str) -> Participant:
        """The participant of this id."""
        found = next((one for one in self.participants if one.id == who), None)
        if found is None:
            raise NotInTheScene(name=who)
        return found


@rule("SOL-090")
def begin(participants: tuple[Participant, ...], first: str, rulings: Rulings) -> ActionScene:
    """The scene begins on somebody's initiative: that one acts first."""
    return acts(ActionScene(participants), first, rulings)


@rule("SOL-092")
def can_act(scene: ActionScene, who: str, rulings: Rulings) -> bool:
    """Whether somebody may act now: in the first pass nobody twice (in every round, where the table says, R-38)."""
    one = scene.participant(who)
    free = scene.first_pass_over and rulings.rounds == "first_only"
    return one.standing and (free or not one.acted)


@rule("SOL-091")
def acts(scene: ActionScene, who: str, rulings: Rulings) -> ActionScene:
    """The game master names who acts next; the pass is over once everybody able to act has begun an action."""
    if not can_act(scene, who, rulings):
        raise AlreadyActed(name=who)
    people = tuple(replace(one, acted=one.acted or one.id == who) for one in scene.participants)
    order = (*(one for one in scene.order if one != who), who)
    return _closed(replace(scene, participants=people, acting=who, order=order), rulings)


@rule("SOL-092")
def joins(scene: ActionScene, newcomer: Participant) -> ActionScene:
    """A late arrival joins the pass while it is open; somebody who had left is back, having acted or not."""
    if any(one.id == newcomer.id for one in scene.participants):
        back = tuple(replace(one, standing=True) if one.id == newcomer.id else one for one in scene.participants)
        return replace(scene, participants=back)
    return replace(scene, participants=(*scene.participants, newcomer))


@rule("SOL-092")
def leaves(scene: ActionScene, who: str, rulings: Rulings) -> ActionScene:
    """Somebody gone or neutralised is waited for no more."""
    scene.participant(who)
    people = tuple(replace(one, standing=one.standing and one.id != who) for one in scene.participants)
    acting = "" if scene.acting == who else scene.acting
    return _closed(replace(scene, participants=people, acting=acting), rulings)


@rule("SOL-093")
def ends(scene: ActionScene) -> ActionScene:
    """Order no longer matters: back to free play."""
    return replace(scene, ended=True, acting="", intention="")


@rule("SOL-091")
def as_known(scene: ActionScene, unknown: Set[str], rulings: Rulings) -> ActionScene:
    """The scene for whoever may not know of some people: as if the turn had never been theirs."""
    if not scene.order:  # of a log that did not keep it
        return scene
    people = tuple(one for one in scene.participants if one.id not in unknown)
    order = tuple(one for one in scene.order if one not in unknown)
    if scene.order[-1] in unknown:
        last = next((one for one in people if order and one.id == order[-1] and one.standing and not scene.ended), None)
        scene = replace(scene, acting=last.id if last is not None else "")
    return _closed(replace(scene, participants=people, order=order), rulings)


def _closed(scene: ActionScene, rulings: Rulings) -> ActionScene:
    """The pass closed when everybody has acted; where every round counts, another begins."""
    if not all(one.acted for one in scene.participants if one.standing):
        return scene
    if rulings.rounds == "always":
        fresh = tuple(replace(one, acted=False) for one in scene.participants)
        return replace(scene, participants=fresh, first_pass_over=True)
    return replace(scene, first_pass_over=True)
