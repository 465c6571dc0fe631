"""Everything people do in play, in the order in which it is listed."""

from __future__ import annotations

from . import (
    moves_action,
    moves_care,
    moves_fight,
    moves_growth,
    moves_hands,
    moves_machines,
    moves_melee,
    moves_psi,
    moves_range,
    moves_referee,
    moves_speech,
    moves_talents,
)

MOVES = (
    *moves_action.MOVES, *moves_fight.MOVES, *moves_melee.MOVES, *moves_hands.MOVES, *moves_range.MOVES,
    *moves_machines.MOVES, *moves_care.MOVES, *moves_speech.MOVES, *moves_talents.MOVES, *moves_psi.MOVES,
    *moves_growth.MOVES, *moves_referee.MOVES,
)
ENCOUNTERS = {**moves_fight.ENCOUNTERS, **moves_speech.ENCOUNTERS}
