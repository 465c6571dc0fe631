"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paravent.game import Example
from paravent.systems.conteur.examples import WOUNDED

EXHAUSTED: Mapping[str, Any] = {
    "name": "Sacha", "energy": 5, "skills": [{"field": "actions", "name": "Tir", "value": 5}],
}
BAFFLED: Mapping[str, Any] = {"label": "", "difficulty": 4, "stock": 2, "turn": 1}

EXAMPLES: Mapping[str, Sequence[Example]] = {
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
    "odds-helper": [
        {"form": {"initiator": [{"attribute": 9}]}},
        {"form": {"initiator": [{"attribute": "social", "skill": "Négocier", "luck": 1, "difficulty": 2,
                                 "counterpart": "le garde"}]},
         "sheets": {"initiator": "oreste-valdore"}},
    ],
}
