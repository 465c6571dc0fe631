"""Who is who at the table: the people that ranks and roles stand for.

A game names ranks and roles (``all``, ``gm``, ``initiator``, ``opponent2``, ``others``), never people. Here they
become seats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Protocol

from .lazily import cached_property
from .records import ALL, GM

OTHERS = "others"
SPECTATOR = "spectator"
_MOST, _BUT = "most ", " but "


def others(besides: str = "", most: bool = False) -> str:
    """What a rule calls all the others, who are asked together and never named.

    They are all but whoever acts, or all but ``besides``. One who objects is enough, unless more than half must.
    """
    return f"{_MOST if most else ''}{OTHERS}{_BUT + besides if besides else ''}"


def is_poll(who: str) -> bool:
    """Whether a rule asks all the others together."""
    return who.removeprefix(_MOST).partition(_BUT)[0] == OTHERS


def takes_most(who: str) -> bool:
    """Whether more than half of those asked must object."""
    return is_poll(who) and who.startswith(_MOST)


def carried(asked: Set[str], against: Set[str], passed: Set[str], most: bool) -> bool | None:
    """Whether those against carry it; nothing is said while it may still go either way."""
    needed = len(asked) // 2 + 1 if most else 1
    if len(asked & against) >= needed:
        return True
    return None if len(asked - (passed - against)) >= needed else False


class Placed(Protocol):
    """An actor's place in a move: its id, its role, and what rules call it (``opponent2``)."""

    @property
    def id(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Eyes:
    """The seats with their ranks, and who answers for which record."""

    seats: Mapping[str, str]
    owners: Mapping[str, str] = field(default_factory=dict)

    def is_gm(self, seat: str) -> bool:
        """Whether this seat is a game master's."""
        return self.seats.get(seat) == GM

    @cached_property
    def masters(self) -> frozenset[str]:
        """The game masters' seats."""
        return frozenset(seat for seat in self.seats if self.is_gm(seat))

    def controllers(self, actor_id: str) -> frozenset[str]:
        """The seats that answer for an actor: its owner, or the game masters."""
        if actor_id == GM:
            return self.masters
        owner = self.owners.get(actor_id, actor_id if actor_id in self.seats else "")
        return self._alone.get(owner, self.masters)

    @cached_property
    def _alone(self) -> dict[str, frozenset[str]]:
        """Each seat by itself."""
        return {seat: frozenset({seat}) for seat in self.seats}

    def ranks(self, seat: str, actor_id: str = "") -> frozenset[str]:
        """What a seat is outside any move: itself, its rank, and ``owner`` of what it answers for."""
        mine = actor_id and seat in self.controllers(actor_id)
        return frozenset({ALL, seat, self.seats[seat]} | ({"owner"} if mine else set()))

    def may_see(self, seat: str, actor_id: str, audience: Collection[str]) -> bool:
        """Whether a seat may see a record (or one of its fields) shown to these ranks."""
        rank = self.seats.get(seat)
        if rank == GM:
            return True
        if rank is None:
            raise KeyError(seat)
        if ALL in audience or seat in audience or rank in audience:
            return True
        return "owner" in audience and bool(actor_id) and seat in self.controllers(actor_id)

    def named(self, cast: Sequence[Placed], by: str, name: str) -> frozenset[str]:
        """The seats behind one rank or role; ``by`` is the role that acts, whom ``others`` leaves out.

        ``helper`` is whoever helps, ``helper1`` the first of them alone.
        """
        if name == ALL:
            return frozenset(self.seats)
        if name == GM:
            return self.masters
        if is_poll(name):
            mine = self.named(cast, by, name.partition(_BUT)[2] or by)
            return frozenset(s for s, rank in self.seats.items() if rank != SPECTATOR and s not in mine)
        if name in self.seats:
            return frozenset({name})
        return frozenset(
            s for part in cast if name in (part.id, part.role, part.name, f"{part.name}1")
            for s in self.controllers(part.id)
        )

    def hearing(self, cast: Sequence[Placed], by: str, audience: Iterable[str]) -> frozenset[str]:
        """The seats behind several ranks and roles."""
        return frozenset(seat for name in audience for seat in self.named(cast, by, name))
