"""What people do at the table in Conteur D10, declared once: every move, chapter by chapter."""

from __future__ import annotations

from dataclasses import replace

from paravent.game import OPEN

from .moves_complex import ABANDON, CONTINUE, START
from .moves_energy import ADJUST_ENERGY, EAT, END_OF_SCENE, SLEEP
from .moves_health import HEAL, INFLICT_WOUND, NEW_DAY, REPLACE_A_LIMB, WAKE_UP_OR_DIE
from .moves_odds import ODDS_HELPER
from .moves_opposed import hidden_until_done, opposed_move
from .moves_roll import COMPLEX_ACTION, throw_move
from .moves_sheet import CREATE_CHARACTER, REFUND_LUCK

__all__ = ["COMPLEX_ACTION", "MOVES"]

CHAPTERS = {
    "rolls": (
        throw_move("throw", reflex=False), throw_move("reflex-roll", reflex=True), START, CONTINUE, ABANDON,
        opposed_move("opposed-roll", "open", lambda ctx, result: OPEN),
        opposed_move("hidden-opposed-roll", "own", hidden_until_done), ODDS_HELPER,
    ),
    "health": (INFLICT_WOUND, HEAL, REPLACE_A_LIMB, WAKE_UP_OR_DIE),
    "energy": (END_OF_SCENE, SLEEP, EAT, ADJUST_ENERGY, NEW_DAY, REFUND_LUCK),
    "people": (CREATE_CHARACTER,),
}
MOVES = {move.id: replace(move, group=group) for group, moves in CHAPTERS.items() for move in moves}
