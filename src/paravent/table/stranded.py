"""Acts that can go no further: the game's rule no longer goes the way it went with them, or the game has lost it.

Whoever was awaited could do nothing about it. So the game master is, who begins such an act again or gives it up.
That is asked of a table as it stands, and of no earlier moment: what was told stays told.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET
from msgspec.structs import replace as rewritten

from paravent.game import System

from .act import Act
from .errors import RuleChanged
from .house import with_house_moves
from .kept import ByIdentity
from .rereading import reread
from .seen import MoveSeen, VersionsSeen
from .state import State

_GOES_ON: ByIdentity[bool] = ByIdentity(512)
_TOLD: ByIdentity[dict[int, MoveSeen]] = ByIdentity()


def with_stranded(
    state: State, seat: str, system: System, moves: Mapping[int, MoveSeen]
) -> Mapping[int, MoveSeen]:
    """The acts as a seat sees them, by its own numbers; those that can go no further wait for the game master."""
    if state.endless:
        return moves
    whole = with_house_moves(system, state)
    stuck = tuple(act for act in state.open_moves() if act.phase == "open" and not _goes_on(state, whole, act))
    if not stuck:
        return moves

    def told() -> dict[int, MoveSeen]:
        found = dict(moves)
        for act in stuck:
            own = state.own_number(seat, act.id) or 0
            if own in found:
                found[own] = _stranded(state, found[own], VersionsSeen(act.version, system.version))
        return found

    return _TOLD.of((moves, state.eyes, *stuck), told, seat, system.version)


def _goes_on(state: State, system: System, act: Act) -> bool:
    """Whether the rules go the way they went; they are asked once."""

    def asked() -> bool:
        try:
            reread(state, system, act.id)
        except RuleChanged:
            return False
        return True

    return _GOES_ON.of((act, system.moves.get(act.move)), asked)


def _stranded(state: State, seen: MoveSeen, versions: VersionsSeen) -> MoveSeen:
    return rewritten(seen, waits_for=tuple(sorted(state.eyes.masters)), rule_changed=versions, choice=UNSET, dice=UNSET,
                     judgement=UNSET)
