"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WOUNDED: Mapping[str, Any] = {
    "name": "Sacha", "energy": 15, "luck_used": 1,
    "wounds": {"head": 0, "torso": 1, "left_arm": 2, "right_arm": 0, "left_leg": 3, "right_leg": 0},
    "wound_day": {"torso": 2, "left_arm": 2, "left_leg": 1}, "healing_paid": {"left_arm": 3},
    "skills": [{"field": "actions", "name": "Tir", "value": 4}],
}
EXHAUSTED: Mapping[str, Any] = {
    "name": "Sacha", "energy": 5, "skills": [{"field": "actions", "name": "Tir", "value": 5}],
}
BAFFLED: Mapping[str, Any] = {"label": "", "difficulty": 4, "stock": 2, "turn": 1}

EXAMPLES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "throw": [
        {"form": {"initiator": [{"attribute": 5, "dice": 3}]}},
        {"form": {"initiator": [{"attribute": "dexterity", "skill": "Remorqueurs à voile", "energy_dice": 1}],
                  "gm": [{"difficulty": 2}]}, "sheets": {"initiator": "maelle-tisserand"}},
        {"form": {"initiator": [{"attribute": 9, "skill": 3, "luck": 1}],
                  "gm": [{"hidden": True, "hidden_difficulty": 2}]}},
        {"form": {"initiator": [{"attribute": "dexterity", "skill": "Tir"}]}, "sheets": {"initiator": EXHAUSTED}},
        {"form": {"initiator": [{"attribute": "mental", "skill": "Tir", "limbs": ["left_arm"]}],
                  "gm": [{"secret": True}]}, "sheets": {"initiator": WOUNDED}},
        {"form": {"initiator": [{"attribute": 5, "skill": 2, "energy": 4}]}},
        {"form": {"initiator": [{"attribute": 5, "dice": 4}]},
         "options": {"cancel_mode": "effects_only", "reroll_chain": "flat", "right_targets": "any"}},
    ],
    "reflex-roll": [
        {"form": {"initiator": [{"attribute": "perception", "skill": "Tir"}]}, "sheets": {"initiator": "yuna-kadiri"}},
    ],
    "start-complex-action": [
        {"form": {"initiator": [{"attribute": 5, "dice": 3, "label": "Monter le canon"}], "gm": [{"difficulty": 3}]}},
        {"form": {"initiator": [{"attribute": "dexterity", "skill": "Corps à corps"}],
                  "opponent": [{"attribute": "constitution", "skill": "Bagarre"}], "gm": [{"difficulty": 2}]},
         "sheets": {"initiator": "yuna-kadiri", "opponent": "thea-lorme"}},
    ],
    "continue-complex-action": [
        {"form": {"initiator": [{"attribute": 5, "dice": 3}], "gm": [{"simultaneous": 1}]}, "encounter": BAFFLED},
        {"form": {"initiator": [{"attribute": 5, "dice": 3, "turn": 4}]}, "encounter": BAFFLED},
    ],
    "abandon": [{"form": {}, "encounter": BAFFLED}],
    "opposed-roll": [
        {"form": {"initiator": [{"attribute": 5, "dice": 3}], "opponent": [{"attribute": 5, "dice": 3}]}},
        {"form": {"initiator": [{"attribute": "social", "skill": "Négocier"}],
                  "opponent": [{"attribute": "mental", "skill": "Mentir"}]},
         "sheets": {"initiator": "oreste-valdore", "opponent": "anselme-ruvier"}, "options": {"opposed_tie": "reroll"}},
    ],
    "hidden-opposed-roll": [
        {"form": {"initiator": [{"attribute": 6, "dice": 4}], "opponent": [{"attribute": 5, "skill": 3}]}},
    ],
    "inflict-wound": [
        {"form": {"gm": [{"part": "head", "levels": 1}], "victim": [{"level": 1, "luck": 2, "avoid": 1}]}},
        {"form": {"gm": [{"part": "left_arm", "levels": 1}], "victim": [{"avoid": 0}]}, "sheets": {"victim": WOUNDED}},
        {"form": {"gm": [{"part": "torso", "levels": 3}]}, "sheets": {"victim": WOUNDED}},
    ],
    "refund-luck": [
        {"form": {"character": [{"luck": 5, "luck_used": 4}], "gm": [{"points": 6}]}},
        {"form": {"gm": [{"points": 1, "silent": True}]}, "sheets": {"character": WOUNDED}},
    ],
    "end-of-scene": [
        {"form": {"character": [{"energy": 13, "cost": 2}, {"energy": 1, "cost": 2}]}},
        {"form": {"character": [{"energy": 1, "cost": 2}]}, "options": {"energy_zero": "collapse"}},
    ],
    "sleep": [{"form": {"initiator": [{"blocks": [5, 3], "energy": 10}]}}],
    "eat": [{"form": {"initiator": [{"meal": "feast"}]}, "sheets": {"initiator": WOUNDED}}],
    "adjust-energy": [{"form": {"gm": [{"amount": -4}]}, "sheets": {"character": WOUNDED}}],
    "new-day": [{"form": {}, "day": 3}, {"form": {"character": [{}]}, "sheets": {"character": WOUNDED}, "day": 3}],
    "heal": [
        {"form": {"initiator": [{"part": "left_arm", "points": 2, "activity": "rest"}]},
         "sheets": {"initiator": WOUNDED}, "day": 3},
        {"form": {"initiator": [{"part": "torso"}]}, "sheets": {"initiator": WOUNDED}, "day": 3},
        {"form": {"initiator": [{"part": "left_leg", "level": 2, "points": 1}]}},
        {"form": {"initiator": [{"part": "left_arm", "points": 2, "activity": "rest"}]},
         "sheets": {"initiator": WOUNDED}, "day": 3, "options": {"serious_heals_to": "superficial"}},
    ],
    "replace-a-limb": [{"form": {"gm": [{"part": "left_leg"}]}, "sheets": {"character": WOUNDED}}],
    "wake-up-or-die": [
        {"form": {"gm": [{"fate": "wake_up"}]}, "sheets": {"character": {"name": "Sacha", "unconscious": True}}},
        {"form": {"gm": [{"fate": "die"}]}, "sheets": {"character": WOUNDED}},
    ],
    "create-character": [
        {"form": {"initiator": [{"sheet": {"name": "Sacha", "dexterity": 9, "luck": 2, "skills": [
            {"field": "actions", "name": "Tir", "value": 3}]}}]}},
        {"form": {"initiator": [{"sheet": {"name": "Alix", "skills": [
            {"field": "piloting", "name": "Cargos", "value": 6}]}}], "gm": [{"override": True}]}},
    ],
    "odds-helper": [
        {"form": {"initiator": [{"attribute": 9}]}},
        {"form": {"initiator": [{"attribute": "social", "skill": "Négocier", "luck": 1, "difficulty": 2}]},
         "sheets": {"initiator": "oreste-valdore"}},
    ],
}
