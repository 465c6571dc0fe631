"""Fanal: keepers of a lighthouse guide ships through the fog. Eight-sided dice; the highest face is the beam."""

from __future__ import annotations

from paravent.game import Encounter, RecordKind, Section, System, Track

from .keeper import HABITS, Keeper, check, derived, draw, origins, ready, rested
from .moves import EXAMPLES, MOVES
from .night import DAWN, Night

SYSTEM = System(
    id="fanal",
    package=__name__,
    version="1.0.0",
    moves=MOVES,
    kinds={
        "character": RecordKind(
            "character", Keeper, check=check, derived=derived, draw=draw, ready=ready, played=True,
            sections=(
                Section("who", ("name", "origin")),
                Section("crafts", ("lamp", "horn", "boat", "log")),
                Section("tower", ("flasks", "glass")),
            ),
            gauges={"glass": "4"},
            rules={"origin": "FAN-011", "crafts": "FAN-002", "flasks": "FAN-005", "glass": "FAN-006"},
            choices={"origin": origins},
        ),
    },
    encounters={"night": Encounter(
        "night", Night, over=lambda night: night.over, hidden=frozenset({"fog", "shoals"}),
        tracks=(Track(DAWN, "hour"),))},
    notice={
        "fr": "Fanal est un jeu d'exemple, sous licence MIT.",
        "en": "Fanal is an example game, under the MIT licence.",
    },
    look={"accent": "#b5651d"},
    passing=rested,
    habits=HABITS,
    examples=EXAMPLES,
)
