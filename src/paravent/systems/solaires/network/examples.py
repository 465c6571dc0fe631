"""Examples of the moves of the network."""

from __future__ import annotations

from paravent.systems.solaires.samples import LISE, ORIN, V5, Examples, Plain

ECHO: Plain = {"name": "Écho", "concept": "IA d'archives", "mind_type": "ai_wolfa", "body": "infomorph"}
RUN: Plain = {"runner": "initiator", "node": "Registre du port", "done": ["locate"], "ice": "vieille"}
EXAMPLES: Examples = {
    "solnet-search": [{"form": {"initiator": [{"query": "l'armateur"}], "gm": [{"nearest_copy": "elsewhere"}]}}],
    "matrix-run": [
        {"form": {"initiator": [{"node": "Registre du port"}], "gm": [{"ice": "vieille et lente"}]},
         "sheets": {"initiator": ORIN}},
        {"form": {"initiator": [{"node": "Registre du port"}]}, "sheets": {"initiator": LISE}},
    ],
    "run-step": [
        {"form": {"initiator": [{"run_step": "study", "hours": 9, "element": 2}]}, "encounter": RUN},
        {"form": {"initiator": [{"instructions": "copier la page", "element": 2}], "gm": [{"riposte": True}]},
         "encounter": {**RUN, "done": ["locate", "study"]}},
        {"form": {"initiator": [{"run_step": "breach", "element": 2}]}, "options": V5,
         "encounter": {**RUN, "done": ["locate", "study", "prepare"], "hours": 9, "instructions": "copier la page"}},
    ],
    "stay-or-disconnect": [
        {"form": {"initiator": [{"stays": True, "element": 2}], "gm": [{"damage": "disconnection"}]}, "encounter": RUN},
        {"form": {"initiator": [{"stays": True, "element": 1}]}, "sheets": {"initiator": ORIN}, "encounter": RUN},
        {"form": {"initiator": [{"stays": False}]}, "sheets": {"initiator": ORIN}, "encounter": RUN},
    ],
    "move-infomorph": [
        {"form": {"initiator": [{"destination_node": "Nœud du dôme"}], "gm": [{"saturation": 2}]},
         "sheets": {"initiator": ECHO}},
        {"form": {"gm": [{"permission": False}]}},
    ],
}
