"""What this part declares to the game."""

from __future__ import annotations

from paravent.game import OPEN, Encounter, Track

from .complex import ComplexAction
from .examples import EXAMPLES
from .moves_complex import ABANDON, CONTINUE, START, ahead
from .moves_odds import ODDS_HELPER
from .moves_opposed import hidden_until_done, opposed_move
from .moves_roll import COMPLEX_ACTION, throw_move

__all__ = ["ENCOUNTERS", "EXAMPLES", "MOVES"]

MOVES = (
    throw_move("throw", reflex=False), throw_move("reflex-roll", reflex=True), START, CONTINUE, ABANDON,
    opposed_move("opposed-roll", "open", lambda ctx, result: OPEN),
    opposed_move("hidden-opposed-roll", "own", hidden_until_done), ODDS_HELPER,
)
ENCOUNTERS = {
    COMPLEX_ACTION: Encounter(
        COMPLEX_ACTION, ComplexAction, over=lambda state: state.over, tracks=(Track("difficulty", "stock", "gains"),),
        about="label", ahead=ahead),
}
