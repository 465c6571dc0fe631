"""Empire galactique, by François Nedelec: the rules of the second edition, play and worlds.

One to five dice at or under characteristic + skill. The notice stands wherever the game is shown.
"""

from __future__ import annotations

from dataclasses import replace

from paravent.game import Beat, Newcomer
from paravent.game.quick import people_in
from paravent.game.system import System

from .actions import part as actions
from .beasts import part as beasts
from .fights import part as fights
from .machines import part as machines
from .machines.quick import ready_robots, robots
from .minds import part as minds
from .minds.moves import begins
from .people import part as people
from .people.character import CHARACTER, NPC, QUICK
from .people.moves_days import HABITS, passing
from .people.quick import group_of, ready_words
from .signs import SIGNS
from .trade import part as trade
from .trade.leaf_trade import TRADE
from .travel import part as travel
from .travel.leaf_voyage import VOYAGE
from .words import part as words
from .worlds import part as worlds
from .worlds.earlier import UPGRADE
from .worlds.leaf_sector import ATLAS, SECTOR_LEAF

NOTICE = {
    "fr": "Empire galactique est un jeu de François Nedelec, tous droits réservés à leurs titulaires. "
    "Paravent ne leur est pas affilié ; il en restitue les procédures avec ses propres mots "
    "et ne fournit ni texte, ni image, ni scénario, ni univers publiés.",
    "en": "Empire galactique is a game by François Nedelec, all rights reserved by their holders. "
    "Paravent is not affiliated with them; it restates its procedures in words of its own "
    "and ships no published text, picture, scenario or universe.",
}



def people_or_robots(text: str, lang: str) -> tuple[Newcomer, ...]:
    """Those whom a line describes: machines by their own word, anybody else as people."""
    return tuple(newcomer for group in people_in(text) for newcomer in robots(group) or group_of(group, lang))


PARTS = (actions, fights, words, minds, people, worlds, beasts, trade, machines, travel)

SYSTEM = System(
    id="empire",
    package=__name__,
    version="0.1.0",
    moves={move.id: move for part in PARTS for move in part.MOVES},
    kinds={kind.id: kind for kind in (
        replace(CHARACTER, begins=begins), replace(NPC, begins=begins), QUICK,
        *(kind for part in (worlds, beasts, trade, machines) for kind in part.KINDS))},
    encounters={**fights.ENCOUNTERS, **words.ENCOUNTERS, **machines.ENCOUNTERS, **people.ENCOUNTERS},
    notice=NOTICE,
    look={"accent": "#3b4a9c", "die": "d6"},
    signs=SIGNS,
    passing=passing,
    habits=HABITS,
    upgrades=(UPGRADE,),
    quick_people=people_or_robots,
    quick_ideas=lambda lang: (*ready_words(lang), *ready_robots()),
    leaves={leaf.id: leaf for leaf in (SECTOR_LEAF, TRADE, VOYAGE, ATLAS)},
    first_evening=(
        Beat("quick", options={"ruleset": "quick"}),
        Beat("people", kind="quick", move="quick-character"),
        Beat("act", move="quick-action"),
        Beat("go_on", move="quick-action", times=4),
        Beat("full", options={"ruleset": "full"}, kind="character", move="full-character"),
    ),
    examples={move: forms for part in PARTS for move, forms in part.EXAMPLES.items()},
)
