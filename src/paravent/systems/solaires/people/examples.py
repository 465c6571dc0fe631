"""Examples of the moves of sheets, states and bodies."""

from __future__ import annotations

from paravent.systems.solaires.samples import HOLDING, LISE, ORIN, Examples

EXAMPLES: Examples = {
    "create-character": [{"form": {"initiator": [{"sheet": {
        "name": "Ambre", "concept": "Courtière de fret", "careers": [{"name": "Courtière", "score": 2}]}}]}}],
    "import-ready-made": [{"form": {"initiator": [{"ready": "cabestan"}]}}],
    "extract-element": [
        {"form": {"initiator": [{"words": "élevée dans les jardins", "category": "career", "element_name": "Jardins"}]},
         "sheets": {"initiator": LISE}},
        {"form": {"initiator": [{"words": "son chalumeau", "category": "equipment", "tag": "cyb"}]}},
    ],
    "change-state": [
        {"form": {"gm": [{"states_gained": "Blessé 2", "states_worse": ["Épuisé"]}]}, "sheets": {"character": ORIN}},
        {"form": {"gm": [{"states_lost": ["Épuisé", "altered_thought"]}]}, "sheets": {"character": ORIN}},
    ],
    "change-body": [
        {"form": {"initiator": [{"destination": "replicant"}]}, "sheets": {"initiator": ORIN}},
        {"form": {"initiator": [{"destination": "cybernetic", "mind_type": "natural"}], "gm": [{"severe": True}]}},
        {"form": {"initiator": [{"destination": "infomorph", "reason": "backup"}],
                  "gm": [{"backup_kept": "watched_cache"}]}, "sheets": {"initiator": HOLDING}},
    ],
    "settle-in": [{"form": {}, "sheets": {"character": ORIN}}],
}
