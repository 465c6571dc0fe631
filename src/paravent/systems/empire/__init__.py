"""Empire galactique, by François Nedelec: the rules of the second edition, play and worlds.

One to five dice at or under characteristic + skill. The notice stands wherever the game is shown.
"""

from __future__ import annotations

from paravent.game.system import System

from . import worlds
from .character import KINDS
from .examples import EXAMPLES
from .moves import ENCOUNTERS, MOVES
from .moves_referee import HABITS, passing

NOTICE = {
    "fr": "Empire galactique est un jeu de François Nedelec, tous droits réservés à leurs titulaires. "
    "Paravent ne leur est pas affilié ; il en restitue les procédures avec ses propres mots "
    "et ne fournit ni texte, ni image, ni scénario, ni univers publiés.",
    "en": "Empire galactique is a game by François Nedelec, all rights reserved by their holders. "
    "Paravent is not affiliated with them; it restates its procedures in words of its own "
    "and ships no published text, picture, scenario or universe.",
}

SYSTEM = System(
    id="empire",
    package=__name__,
    version="0.1.0",
    moves={move.id: move for move in (*MOVES, *worlds.MOVES)},
    kinds={kind.id: kind for kind in (*KINDS, *worlds.KINDS)},
    encounters={**ENCOUNTERS, **worlds.ENCOUNTERS},
    notice=NOTICE,
    look={"accent": "#3b4a9c", "paper": "#eef0f6", "ink": "#171a2c", "die": "d6"},
    passing=passing,
    habits=HABITS,
    examples={**EXAMPLES, **worlds.EXAMPLES},
)
