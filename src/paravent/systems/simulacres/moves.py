"""Everything people do in Simulacres."""

from __future__ import annotations

from importlib.util import find_spec

from paravent.game import Encounter, Move

from . import moves_checks, moves_health, moves_people


def _combat() -> tuple[Move, ...]:
    if find_spec("paravent.systems.simulacres.moves_combat") is None:
        return ()
    from . import moves_combat  # type: ignore[attr-defined,unused-ignore]

    return tuple(moves_combat.MOVES)


ALL = (*moves_checks.MOVES, *_combat(), *moves_health.MOVES, *moves_people.MOVES)
MOVES = {move.id: move for move in ALL}


def _encounters() -> dict[str, Encounter]:
    if find_spec("paravent.systems.simulacres.moves_combat") is None:
        return {}
    from . import moves_combat  # type: ignore[attr-defined,unused-ignore]

    return dict(getattr(moves_combat, "ENCOUNTERS", {}))


ENCOUNTERS = _encounters()
