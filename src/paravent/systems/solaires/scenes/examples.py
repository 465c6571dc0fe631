"""Examples of the moves of scenes."""

from __future__ import annotations

from paravent.systems.solaires.samples import GUARD, LISE, ORIN, V5, Examples, Plain

SCENE: Plain = {
    "participants": [{"id": "A", "acted": True}, {"id": "B", "npc": True}],
    "acting": "A",
}
EXAMPLES: Examples = {
    "start-action-scene": [{"form": {"participant": [{}, {}]}, "sheets": {"participant": ORIN, "participant2": GUARD}}],
    "next-to-act": [
        {"form": {"gm": [{"next": "B", "intention": "donner l'alarme", "reacts": "A", "announced": "le garde court"}]},
         "encounter": SCENE},
    ],
    "join-action-scene": [{"form": {"participant": [{}]}, "sheets": {"participant": LISE}, "encounter": SCENE}],
    "leave-action-scene": [{"form": {"gm": [{"leaves": "B"}]}, "encounter": SCENE}],
    "end-action-scene": [{"form": {}, "encounter": SCENE}],
    "end-scene": [
        {"form": {"character": [{"points": 0}, {"take": False}]}},
        {"form": {"character": [{}]}, "sheets": {"character": LISE}},
    ],
    "end-episode": [{"form": {"character": [{"points": 0}]}, "options": {"is_series": "true"}}],
    "add-late-player": [
        {"form": {"others": [{"points": 2, "max_points": 3}, {"points": 3, "max_points": 4}]},
         "sheets": {"character": LISE}},
        {"form": {"previous": [{}]}, "sheets": {"character": LISE, "previous": ORIN}},
    ],
    "open-table": [{"form": {"gm": [{"players": 8}]}}, {"form": {}, "options": {**V5, "is_series": "true"}}],
}
