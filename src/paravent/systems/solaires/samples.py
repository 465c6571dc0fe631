"""Sheets and options that the examples of several chapters bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Plain = Mapping[str, Any]
"""Values as a form or a file gives them."""
Examples = Mapping[str, Sequence[Plain]]
"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

V5 = {"edition": "v5"}
ORIN: Plain = {
    "name": "Orin", "concept": "Pilote de remorqueur", "points": 4, "max_points": 4,
    "careers": [{"name": "Pilote", "score": 3}], "traits": [{"name": "Agile", "score": 2}],
    "equipment": [{"name": "Console de décryptage", "score": 2}],
    "states": [{"name": "Épuisé", "score": 2}, {"name": "altered_thought", "score": 2}],
}
LISE: Plain = {
    "name": "Lise", "concept": "Soudeuse des anneaux", "points": 2, "max_points": 2,
    "careers": [{"name": "Soudeuse", "score": 2}], "relations": [{"name": "Syndicat des quais", "score": 1}],
}
PSION: Plain = {
    "name": "Noé", "concept": "Psion", "traits": [{"name": "Curieux", "score": 2}], "psi_power_set": "information",
    "equipment": [{"name": "Implant psi", "score": 3, "tag": "psi"}],
}
HOLDING = {**PSION, "psi_maintained": "Un sas invisible"}
GUARD: Plain = {"kind": "npc", "name": "Le garde", "elements": [{"name": "Méfiant", "score": 2}]}
