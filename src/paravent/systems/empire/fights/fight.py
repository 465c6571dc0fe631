"""A fight under way: who is on which side and still stands, who acted last, who wakes when (EMP-070 to EMP-073)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.game import GM_ONLY, Actor, Change, Context, Encounter, Listing, changed, rule
from paravent.game.records import Weight
from paravent.systems.empire.people.survival import Effort, after_sequence

from .wounds import Harm, Life, Shape

LONGEST_REST = 6
"""More sequences of rest in a row change nothing more."""


@dataclass(frozen=True)
class Place:
    """What everybody sees of a fighter: the side, and whether it still stands."""

    id: str
    side: str
    standing: bool = True


@dataclass(frozen=True)
class Mark:
    """A number that a fight keeps about somebody: a sequence, or points lost."""

    id: str
    n: int


class Down(NamedTuple):
    """How a fighter falls: for so many sequences, or for good."""

    sequences: int = 0
    for_good: bool = False


@dataclass(frozen=True)
class Fight:
    """A fight under way: the sequence, which side has the initiative, where it is, who still stands.

    ``fought`` are those who have acted in this sequence, ``struck_first`` those who have had their blow without reply;
    ``worked`` says in which sequence each last fought, ``asleep`` until which sequence the knocked-out lie there, and
    ``lost`` what those without a sheet of their own have lost.
    """

    sequence: int = 0
    initiative: str = ""
    place: str = ""
    sides: tuple[Place, ...] = ()
    fought: tuple[str, ...] = ()
    struck_first: tuple[str, ...] = ()
    worked: tuple[Mark, ...] = ()
    asleep: tuple[Mark, ...] = ()
    lost: tuple[Mark, ...] = ()

    def side_of(self, who: str) -> str:
        """The side that somebody is on."""
        return next((place.side for place in self.sides if place.id == who), "")

    def favours(self, who: str) -> bool:
        """Whether somebody still has a blow without reply: each member of the side with the initiative has one."""
        return bool(self.initiative) and self.side_of(who) == self.initiative and who not in self.struck_first

    def coming(self, *acting: str) -> int:
        """The sequence in which these would act: a new one begins when somebody acts for the second time."""
        return self.sequence + (self.sequence == 0 or bool(set(acting) & set(self.fought)))

    def after(self, *acting: str, resting: bool = False) -> Fight:
        """The fight once these have acted; making a weapon ready takes the sequence, but tires nobody."""
        sequence = self.coming(*acting)
        first = () if resting else tuple(who for who in acting if self.favours(who))
        worked = self.worked if resting else _marked(self.worked, dict.fromkeys(acting, sequence))
        return replace(
            self, sequence=sequence, fought=acting if sequence > self.sequence else (*self.fought, *acting),
            struck_first=(*self.struck_first, *first), worked=worked,
            sides=tuple(replace(place, standing=True) if self.comes_round(place.id, sequence) else place
                        for place in self.sides),
        )

    def comes_round(self, who: str, sequence: int) -> bool:
        """Whether somebody knocked out is awake by this sequence: as many as the points of the blow are over."""
        return any(mark.id == who and sequence > mark.n for mark in self.asleep)

    def rested(self, who: str, effort: Effort, sequence: int) -> Effort:
        """What is due of rest when somebody acts again: every sequence let pass was one of rest."""
        last = next((mark.n for mark in self.worked if mark.id == who), 0)
        for _ in range(min(LONGEST_REST, sequence - last - 1)):
            effort = after_sequence(effort, rests=True)
        return effort

    def lost_by(self, who: str) -> int:
        """What somebody without a sheet has lost so far."""
        return next((mark.n for mark in self.lost if mark.id == who), 0)

    def with_down(self, down: Mapping[str, Down]) -> Fight:
        """The fight once some have fallen."""
        asleep = _marked(self.asleep, {who: self.sequence + fall.sequences for who, fall in down.items()})
        gone = {who for who, fall in down.items() if fall.for_good}
        return replace(
            self, asleep=tuple(mark for mark in asleep if mark.id not in gone),
            sides=tuple(replace(place, standing=False) if place.id in down else place for place in self.sides),
        )

    @property
    def over(self) -> bool:
        """A fight is over when one side at most still stands."""
        return len({place.side for place in self.sides if place.standing}) < 2


def _marked(marks: tuple[Mark, ...], now: Mapping[str, int]) -> tuple[Mark, ...]:
    return (*(mark for mark in marks if mark.id not in now), *(Mark(who, n) for who, n in now.items()))


FIGHT = Encounter(
    "fight", Fight, lambda state: state.over, hidden=frozenset({"lost"}),
    also=frozenset({"one-against-many", "hold", "break-free", "shoot", "grenade", "cyborg-link", "ready-weapon"}),
    merges=True,
    people=Listing("sides", "side", "standing", more=frozenset({"worked", "asleep", "lost"})),
)


@rule("EMP-084", "EMP-086")
def fall_of(harm: Harm) -> Down | None:
    """How a blow puts somebody out of a fight; None for whoever stands."""
    if harm.life is not Life.ALIVE:
        return Down(for_good=True)
    return Down(harm.sequences) if harm.shape is Shape.KNOCKED_OUT else None


@rule("EMP-070")
def fight_changes(
    ctx: Context, acting: Sequence[Actor], struck: Sequence[tuple[Actor, Harm | None]] = (), *, resting: bool = False
) -> Sequence[Change]:
    """What a move changes of the fight it is played in, if it is played in one."""
    state = ctx.encounter
    if not isinstance(state, Fight):
        return ()
    harms = [(actor, harm) for actor, harm in struck if harm is not None]
    falls = {actor.id: fall for actor, harm in harms if (fall := fall_of(harm)) is not None}
    now = state.after(*(actor.id for actor in acting), resting=resting).with_down(falls)
    lost = {actor.id: state.lost_by(actor.id) + harm.lost for actor, harm in harms
            if harm.lost and not hasattr(actor.record, "resistance_physical")}
    now = replace(now, lost=_marked(now.lost, lost))
    rules = {"sequence": "EMP-072", "fought": "EMP-072", "struck_first": "EMP-073", "worked": "EMP-171",
             "asleep": "EMP-086", "sides": "EMP-084"}
    fallen: Weight = "grave" if falls else "bookkeeping"
    return [*(change for name, by in rules.items() for change in changed(
                "encounter", state, name, getattr(now, name), by,
                weight=fallen if name in ("asleep", "sides") else "bookkeeping")),
            *changed("encounter", state, "lost", now.lost, "EMP-080", GM_ONLY, "grave")]
