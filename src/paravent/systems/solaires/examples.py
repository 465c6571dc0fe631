"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

V5 = {"edition": "v5"}
ORIN: Mapping[str, Any] = {
    "name": "Orin", "concept": "Pilote de remorqueur", "points": 4, "max_points": 4,
    "careers": [{"name": "Pilote", "score": 3}], "traits": [{"name": "Agile", "score": 2}],
    "equipment": [{"name": "Console de décryptage", "score": 2}],
    "states": [{"name": "Épuisé", "score": 2}, {"name": "altered_thought", "score": 2}],
}
LISE: Mapping[str, Any] = {
    "name": "Lise", "concept": "Soudeuse des anneaux", "points": 2, "max_points": 2,
    "careers": [{"name": "Soudeuse", "score": 2}], "relations": [{"name": "Syndicat des quais", "score": 1}],
}
PSION: Mapping[str, Any] = {
    "name": "Noé", "concept": "Psion", "traits": [{"name": "Curieux", "score": 2}], "psi_power_set": "information",
    "equipment": [{"name": "Implant psi", "score": 3, "tag": "psi"}],
}
HOLDING = {**PSION, "psi_maintained": "Un sas invisible"}
ECHO: Mapping[str, Any] = {"name": "Écho", "concept": "IA d'archives", "mind_type": "ai_wolfa", "body": "infomorph"}
SHIP: Mapping[str, Any] = {"kind": "thing", "name": "Le Vanneau", "elements": [{"name": "Maniable", "score": 2}]}
GUARD: Mapping[str, Any] = {"kind": "npc", "name": "Le garde", "elements": [{"name": "Méfiant", "score": 2}]}
SCENE: Mapping[str, Any] = {
    "participants": [{"id": "A", "acted": True}, {"id": "B", "npc": True}],
    "acting": "A",
}
RUN: Mapping[str, Any] = {"runner": "initiator", "node": "Registre du port", "done": ["locate"], "ice": "vieille"}

ACTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "action": [
        {"form": {"initiator": [{"element": 3, "typical": True, "second": 2, "attitude": "amplified"}]}},
        {"form": {"initiator": [{"goal": "rejoindre le sas", "element": "Pilote", "typical": True, "second": "Agile"}],
                  "gm": [{"intrinsic": "insane", "scenario_interest": 0, "on_success": "sauf", "on_failure": "seul"}]},
         "sheets": {"initiator": ORIN}},
        {"form": {"initiator": [{"element": 2}], "gm": [{"allowed": ["unstable"], "intrinsic": 1}]}},
        {"form": {"initiator": [{"element": 3, "unfavourable": True}]}},
        {"form": {"initiator": [{}], "gm": [{"verdict": "impossible"}]}},
        {"form": {"initiator": [{"element": 3, "typical": True}], "gm": [{"intrinsic": 4, "reveal_scales": True}]}},
        {"form": {"initiator": [{"element": 3, "typical": True, "handicap": [2], "condition": "hors jeu"}],
                  "helper": [{"lent": 1}],
                  "gm": [{"effects": {"kept_2": "+ du temps gagné"}, "secret_effects": {"kept_1": "le câble cède"}}]},
         "options": V5},
        {"form": {"initiator": [{"element": "Pilote"}], "thing": [{"used": ["Maniable"], "used_typical": True}],
                  "gm": [{"preset": "softened", "intrinsic": -2, "states_gained": "Essoufflé 1",
                          "equipment_found": "Câble"}]},
         "sheets": {"initiator": ORIN, "thing": SHIP}, "options": V5},
        {"form": {"initiator": [{"element": 3}], "gm": [{"intrinsic": 4}]}, "options": V5},
        {"form": {"gm": [{"verdict": "ko"}]}, "options": V5},
        {"form": {"initiator": [{"element": 1}], "gm": [{"free": 2}]}, "options": {"free_difficulty": "true"}},
    ],
    "reaction": [
        {"form": {"initiator": [{"goal": "se jeter à couvert", "element": "Agile"}], "gm": [{"event": "une rafale"}]},
         "sheets": {"initiator": ORIN}},
    ],
    "group-action": [
        {"form": {"initiator": [{"element": 2, "typical": True}], "member": [{"lent": 2}]}, "options": V5},
        {"form": {"initiator": [{"element": 2}], "member": [{"lent": 1}, {"lent": 3}]},
         "options": {**V5, "group_rule": "majority"}},
    ],
    "opposition": [
        {"form": {"initiator": [{"element": 3, "typical": True, "second": 2}],
                  "opponent": [{"element": 3, "typical": True, "second": 2}]}},
        {"form": {"initiator": [{"element": "Pilote"}], "opponent": [{"element": "Méfiant"}]},
         "sheets": {"initiator": ORIN, "opponent": GUARD}, "options": {**V5, "opposition_vs_npc": "true"}},
    ],
    "environment-roll": [
        {"form": {"gm": [{"preference": "against_pcs", "question": "La patrouille passe-t-elle par ici ?"}]}},
        {"form": {"gm": [{"hidden": True}]}, "options": V5},
        {"form": {"payer": [{}]}, "sheets": {"payer": ORIN}, "options": {"reroll_environment": "true"}},
    ],
    "odds-panel": [{"form": {"initiator": [{"rerolls": 1}]}}],
}

POINTS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "spend-points": [
        {"form": {"initiator": [{"use": "link_story_element", "text": "le videur est un cousin"}]}},
        {"form": {"initiator": [{"use": "flashback", "alters_character": True, "category": "relation",
                                 "element_name": "Le vieux contremaître", "score": 2}], "gm": [{"surcharge": 2}]},
         "sheets": {"initiator": ORIN}},
        {"form": {"initiator": [{"use": "create_story_element", "points": 1}], "contributor": [{"share": 2}]},
         "options": {"pooling": "true"}},
    ],
    "ask-the-gm": [
        {"form": {"initiator": [{"question": "Qui a vidé le coffre ?"}],
                  "gm": [{"answer": "Quelqu'un du bord.", "private": True}]}, "sheets": {"initiator": ORIN}},
    ],
}

SCENES: Mapping[str, Sequence[Mapping[str, Any]]] = {
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

NETWORK: Mapping[str, Sequence[Mapping[str, Any]]] = {
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

PSI: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "use-psi-power": [
        {"form": {"initiator": [{"use": "maintained", "object": "le sas", "element": "Implant psi"}],
                  "gm": [{"perceived": False, "true_target": "la cloison"}]}, "sheets": {"initiator": PSION}},
        {"form": {"initiator": [{"use": "perception"}]}, "sheets": {"initiator": HOLDING}},
        {"form": {"initiator": [{"use": "one_off", "element": 2}], "gm": [{"failure_cause": "misjudged"}]},
         "options": V5},
        {"form": {"initiator": [{"use": "one_off", "element": 1}], "gm": [{"failure_cause": "perception_missed"}]}},
    ],
    "release-psi-effect": [{"form": {}}, {"form": {}, "sheets": {"initiator": HOLDING}}],
}

PEOPLE: Mapping[str, Sequence[Mapping[str, Any]]] = {
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

EXAMPLES: Mapping[str, Sequence[Mapping[str, Any]]] = {**ACTIONS, **POINTS, **SCENES, **NETWORK, **PSI, **PEOPLE}
