"""Examples of the moves of actions."""

from __future__ import annotations

from paravent.systems.solaires.samples import GUARD, ORIN, V5, Examples, Plain

SHIP: Plain = {"kind": "thing", "name": "Le Vanneau", "elements": [{"name": "Maniable", "score": 2}]}
EXAMPLES: Examples = {
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
    "reveal-effect": [
        {"form": {"gm": [{"kept_secret": "le câble cède", "told_now": "reveal"}]}, "options": V5},
        {"form": {"gm": [{"kept_secret": "+ un badge oublié", "told_now": "keep_secret"}]}, "options": V5},
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
