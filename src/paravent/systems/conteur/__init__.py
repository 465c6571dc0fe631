"""Conteur D10: ten-sided dice under an attribute, told by an unknown author; « Conteur D10 » is our name for it."""

from __future__ import annotations

from dataclasses import replace

from paravent.game import System

from .energy import part as energy
from .energy.passing import HABITS, passing
from .health import part as health
from .people import part as people
from .people.quick import quick_people, ready_words
from .rolls import part as rolls

PARTS = {"rolls": rolls, "health": health, "energy": energy, "people": people}
"""The parts of the game; what people do is listed under the same names."""

SYSTEM = System(
    id="conteur",
    package=__name__,
    version="1.0.0",
    moves={move.id: replace(move, group=group) for group, part in PARTS.items() for move in part.MOVES},
    kinds=people.KINDS,
    encounters=rolls.ENCOUNTERS,
    notice={
        "fr": "« Conteur D10 » est notre nom de travail pour un texte de règles sans titre ni auteur connu ; "
              "les mots sont les nôtres.",
        "en": "“Conteur D10” is our working name for an untitled rules text whose author is unknown to us; "
              "the words are ours.",
    },
    look={"accent": "#7a2e4d"},
    passing=passing,
    habits=HABITS,
    quick_people=quick_people,
    quick_ideas=ready_words,
    examples={move: forms for part in PARTS.values() for move, forms in part.EXAMPLES.items()},
)
