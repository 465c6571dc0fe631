"""Simulacres, by Pierre Rosenthal: base rules of version 7, and its campaign and optional rules as options.

Two dice, strictly under what acts + how + on what. The notice stands wherever the game is shown.
"""

from __future__ import annotations

from dataclasses import replace

from paravent.game import AnyKind, System

from .care.moves_time import HABITS, passing
from .examples import EXAMPLES
from .gear.belongings import PRICE_LIST
from .moves import ENCOUNTERS, MOVES
from .people.cast import CREATURE, EXTRA, SHADOW
from .people.creation import CHARACTER
from .people.favourites import begins, shortcuts
from .people.quick import quick_people, ready_creatures, ready_extras, ready_words
from .signs import GLYPHS, SIGNS

NOTICE = {
    # The first sentence is the line that the author asks to see (NOTICE).
    "fr": "Le système Simulacres™ est une marque déposée de Pierre Rosenthal et soumis aux copyrights ©. "
    "L'auteur en permet l'usage libre et non commercial, tout usage commercial demande son accord. "
    "Paravent ne lui est pas affilié et ne fournit ni univers, ni illustrations, ni scénarios publiés.",
    "en": "The Simulacres™ system is a registered trademark of Pierre Rosenthal and subject to copyright ©. "
    "The author allows its free, non-commercial use, and any commercial use needs his agreement. "
    "Paravent is not affiliated with him and ships no published universe, picture or scenario.",
}

KINDS: tuple[AnyKind, ...] = (
    replace(CHARACTER, shortcuts=shortcuts, begins=begins), replace(EXTRA, ready=ready_extras, begins=begins),
    replace(SHADOW, ready=ready_extras, begins=begins), replace(CREATURE, ready=ready_creatures, begins=begins),
    PRICE_LIST,
)
SYSTEM = System(
    id="simulacres",
    package=__name__,
    version="0.1.0",
    moves=MOVES,
    kinds={kind.id: kind for kind in KINDS},
    encounters=ENCOUNTERS,
    notice=NOTICE,
    look={"accent": "#7a4a1f", "die": "d6"},
    signs=SIGNS,
    glyphs=GLYPHS,
    passing=passing,
    habits=HABITS,
    quick_people=quick_people,
    quick_ideas=ready_words,
    examples=EXAMPLES,
)
