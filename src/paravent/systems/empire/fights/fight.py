"""A fight under way: who is on which side and still stands, who acted last, who wakes when (EMP-070 to EMP-073)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.game import GM_ONLY, Actor, Change, Context, Encounter, Listing, changed, rule
from paravent.game.records import Weight
from paravent.systems.empire.people.survival import LONGEST_EFFORT, Effort, after_sequence, lacks_rest

from .wounds import Harm, Life, Shape

CONTACT_M = 5
"""Up to here, in metres, it is still combat at close quarters."""
CAMPS = ("initiator", "opponent")
"""The two sides of a fight, called as the roles of those who began it."""
LONGEST_REST = 6
"""More sequences of rest in a row change nothing more."""


@dataclass(frozen=True)
class Place:
    """What everybody sees of a fighter: the side, whether it still stands, whether it is short of breath, where it is.

    ``metres`` is how far it stands from the others, 0 where nobody said so.
    """

    id: str
    side: str
    standing: bool = True
    breath: str = ""
    posture: str = ""
    where: str = ""
    metres: int = 0


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
    ``lost`` what those without a sheet of their own have lost. ``metres`` is how far apart they were last, None where
    nobody said so.
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
    metres: int | None = None

    def side_of(self, who: str) -> str:
        """The side that somebody is on."""
        return next((place.side for place in self.sides if place.id == who), "")

    def place_of(self, who: str) -> Place | None:
        """Where somebody stands in it."""
        return next((place for place in self.sides if place.id == who), None)

    def joined_by(self, roles: Mapping[str, str], camp: str = "") -> Fight:
        """The fight with those of these who were not in it: in the camp that is said, or where those of their role
        stand, or against those whom they meet."""
        new = [who for who in roles if self.sides and self.place_of(who) is None]
        came = (Place(who, camp or self._camp_of(roles, roles[who])) for who in new)
        return replace(self, sides=(*self.sides, *came)) if new else self

    def _camp_of(self, roles: Mapping[str, str], role: str) -> str:
        camps = {at: self.side_of(who) for who, at in roles.items() if self.side_of(who)}
        met = [camp for at, camp in camps.items() if at != role]
        return camps.get(role) or next((camp for camp in CAMPS if camp not in met), role)

    def has_fallen(self, who: str) -> bool:
        """Whether somebody is in it and stands no more."""
        place = self.place_of(who)
        return place is not None and not place.standing

    def apart(self, *who: str) -> int:
        """How far apart these stand, in metres, as the game master placed them; 0 where nobody said so."""
        return max((self._away(place) for place in self.sides if place.id in who), default=0)

    def _away(self, place: Place) -> int:
        """How far somebody stands from the others: whom nobody placed stands where the fight began, if that was far."""
        return place.metres or (self.metres if self.metres is not None and self.metres > CONTACT_M else 0)

    def within(self, metres: int, *who: str) -> Fight:
        """The fight once these have come as near as this to each other."""
        return replace(self, sides=tuple(replace(place, metres=min(metres, self._away(place))) if place.id in who
                                         else place for place in self.sides))

    def fresh(self, *who: str) -> bool:
        """Whether all of these stand, and none is short of breath."""
        places = [self.place_of(one) for one in who]
        return all(place is not None and place.standing and not place.breath for place in places)

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
        last = self._worked(who)
        for _ in range(min(LONGEST_REST, sequence - last - 1)):
            effort = after_sequence(effort, rests=True)
        return effort

    def with_breath(self, efforts: Mapping[str, Effort], before: int) -> Fight:
        """The fight with what everybody sees of those who tire; whoever let a sequence pass has their breath back."""
        def seen(place: Place) -> Place:
            if place.id in efforts:
                return replace(place, breath=breath_of(efforts[place.id]))
            rested = self.sequence > before and place.breath == LAST_BREATH and self._worked(place.id) < before
            return replace(place, breath="") if rested else place

        return replace(self, sides=tuple(map(seen, self.sides)))

    def _worked(self, who: str) -> int:
        return next((mark.n for mark in self.worked if mark.id == who), 0)

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


LAST_BREATH, WINDED = "last_breath", "winded"


@rule("EMP-171")
def breath_of(effort: Effort) -> str:
    """How short of breath somebody is who has just acted: the next sequence should be rest, or rest is overdue."""
    return WINDED if lacks_rest(effort) else LAST_BREATH if effort.acted >= LONGEST_EFFORT else ""


def _marked(marks: tuple[Mark, ...], now: Mapping[str, int]) -> tuple[Mark, ...]:
    return (*(mark for mark in marks if mark.id not in now), *(Mark(who, n) for who, n in now.items()))


FIGHT = Encounter(
    "fight", Fight, lambda state: state.over, hidden=frozenset({"lost"}),
    also=frozenset({"one-against-many", "hold", "break-free", "shoot", "grenade", "cyborg-link", "ready-weapon",
                    "order-robot"}),
    merges=True,
    people=Listing("sides", "side", "standing", more=frozenset({"worked", "asleep", "lost"}),
                   meets="combat-exchange", sign="attitude"),
)


@rule("EMP-084", "EMP-086")
def fall_of(harm: Harm) -> Down | None:
    """How a blow puts somebody out of a fight; None for whoever stands."""
    if harm.life is not Life.ALIVE:
        return Down(for_good=True)
    return Down(harm.sequences) if harm.shape is Shape.KNOCKED_OUT else None


def _metres(ctx: Context, state: Fight) -> int | None:
    """How far apart they are, where the move says so."""
    told = ctx.one("gm").filled.get("metres") if ctx.move.asks("metres", "gm") else None
    return told if isinstance(told, int) else state.metres


@rule("EMP-070")
def fight_changes(
    ctx: Context, acting: Sequence[Actor], struck: Sequence[tuple[Actor, Harm | None]] = (), *, resting: bool = False,
    stopped: Sequence[Actor] = (), closing: bool = False, joining: bool = False,
) -> Sequence[Change]:
    """What a move changes of the fight it is played in, if it is played in one.

    ``stopped`` are machines broken; ``closing`` says that those in it have come within arm's length, ``joining`` that
    whoever was not in the fight is from now on.
    """
    state = ctx.encounter
    if not isinstance(state, Fight):
        return ()
    harms = [(actor, harm) for actor, harm in struck if harm is not None]
    falls = {actor.id: fall for actor, harm in harms if (fall := fall_of(harm)) is not None}
    falls.update((actor.id, Down(for_good=True)) for actor in stopped)
    came = state.joined_by({actor.id: actor.role for actor in ctx.actors if actor.role in CAMPS}) if joining else state
    now = came.after(*(actor.id for actor in acting), resting=resting).with_down(falls)
    efforts = {} if resting else {
        actor.id: after_sequence(state.rested(actor.id, actor.record.effort, now.sequence), rests=False)
        for actor in acting if hasattr(actor.record, "effort")}
    now = now.with_breath(efforts, state.sequence)
    away = 1 if closing else _metres(ctx, state)
    if closing or ctx.move.asks("metres", "gm"):  # whoever strikes is near, wherever the others are
        now = now.within(min(CONTACT_M, away or 1), *(actor.id for actor in ctx.actors))
    if state.metres is None or state.metres <= CONTACT_M:
        now = replace(now, metres=away)
    lost = {actor.id: state.lost_by(actor.id) + harm.lost for actor, harm in harms
            if harm.lost and not hasattr(actor.record, "resistance_physical")}
    now = replace(now, lost=_marked(now.lost, lost))
    rules = {"sequence": "EMP-072", "fought": "EMP-072", "struck_first": "EMP-073", "worked": "EMP-171",
             "asleep": "EMP-086", "sides": "EMP-084", "metres": "EMP-078"}
    fallen: Weight = "grave" if falls else "bookkeeping"
    return [*(change for name, by in rules.items() for change in changed(
                "encounter", state, name, getattr(now, name), by,
                weight=fallen if name in ("asleep", "sides") else "bookkeeping")),
            *changed("encounter", state, "lost", now.lost, "EMP-080", GM_ONLY, "grave")]


@rule("EMP-171")
def rest_changes(ctx: Context, who: Actor) -> Sequence[Change]:
    """A sequence let pass to catch one's breath: what everybody sees of it; the sheet reckons with it in the next."""
    state = ctx.encounter
    if not isinstance(state, Fight):
        return ()
    now = state.after(who.id, resting=True)
    if hasattr(who.record, "effort"):
        now = now.with_breath({who.id: now.rested(who.id, who.record.effort, now.sequence + 1)}, state.sequence)
    return [change for name, by in (("sequence", "EMP-072"), ("fought", "EMP-072"), ("sides", "EMP-171"))
            for change in changed("encounter", state, name, getattr(now, name), by, weight="bookkeeping")]


@rule("EMP-071", "EMP-072")
def placed_changes(
    ctx: Context, who: Sequence[Actor], camp: str, posture: str, where: str, away: int, moving: bool
) -> Sequence[Change]:
    """Where some now stand, as the game master says; going there may take them the sequence. Whoever was not in the
    fight comes into it, in a camp."""
    state = ctx.encounter
    if not isinstance(state, Fight):
        return ()
    ids = tuple(actor.id for actor in who)
    now = state.joined_by({actor.id: actor.role for actor in who}, camp)
    now = now.after(*ids, resting=True) if moving else now
    now = replace(now, sides=tuple(replace(place, posture=posture, where=where, metres=away) if place.id in ids
                                   else place for place in now.sides))
    return [change for name, by in (("sequence", "EMP-072"), ("fought", "EMP-072"), ("sides", "EMP-071"))
            for change in changed("encounter", state, name, getattr(now, name), by, weight="bookkeeping")]
