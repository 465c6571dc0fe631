"""Forms of people that a conformance suite can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = Mapping[str, Any]

GROWN: Mapping[str, Any] = {
    "kind": "character", "name": "Orsolya", "body": 4, "instincts": 5, "heart": 5, "mind": 4, "perception": 3,
    "action": 3, "desire": 2, "resistance": 2, "vegetal": 1, "animal": 1, "human": 1, "mechanical": 1, "power": 2,
    "speed": 1, "precision": 1, "trades": [{"name": "Pilote"}], "talents": [{"name": "Tir"}, {"name": "Voile"}],
    "hobbies": [{"name": "Cartes"}, {"name": "Chant"}], "adventure_points": 9,
    "active_energy_bonuses": [{"energy": "precision", "points": 1, "action": "escalier"}],
}
"""Somebody with adventure points, who keeps an action up."""
EXAMPLES: Mapping[str, Sequence[Example]] = {
    "create-character": [
        {"form": {"initiator": [{
            "name": "Arthur", "body": 4, "instincts": 5, "heart": 5, "mind": 4, "perception": 3, "action": 3,
            "desire": 2, "resistance": 2, "mineral": 0, "vegetal": 1, "animal": 1, "human": 1, "mechanical": 1,
            "power": 2, "speed": 1, "precision": 1, "trade": "Médecin", "talents": "Escrime,Voile",
            "hobbies": "Chiens,Pistage"}]}},
        {"form": {"initiator": [{"boxes": "212112122121", "perception": 2, "action": 3, "desire": 3, "resistance": 2,
                                 "human": 2, "mechanical": 2, "power": 2, "speed": 2, "trade": "Pilote",
                                 "talents": "Tir,Baratin,Voile", "hobbies": []}]},
         "options": {"box_method": "on"}},
    ],
    "create-npc": [
        {"form": {"gm": [{"name": "Sbire", "category": "weak", "trade": "Marin", "hobbies": "Bagarre"}]}},
        {"form": {"gm": [{"name": "Le Comte", "category": "strong", "trade": "Noble", "talents": "Escrime",
                          "hobbies": "Échecs", "arch_villain": True, "leanings": "opportunist/calculator:5"}]}},
    ],
    "test-a-leaning": [{"form": {"gm": [{"leaning": "loyal", "leaning_value": 9}]}}, {"form": {"gm": [{}]}}],
    "survival": [
        {"form": {"gm": [{"score": 1}]}},
        {"form": {"gm": [{"score": 2, "adventure_over": True}]}},
    ],
    "keep-a-test": [
        {"form": {"initiator": [{"favourite": "Ouvrir l'œil", "component": "body", "means": "perception",
                                 "realm": "human", "effect_text": "au moindre bruit"}]},
         "sheets": {"initiator": "arthur"}},
        {"form": {"initiator": [{"favourite": "Conduire", "common": "drive", "energies": "precision:1"}]},
         "sheets": {"initiator": "arthur"}},
    ],
    "end-a-bonus": [{"form": {"initiator": [{"kept_up": "escalier"}]}, "sheets": {"initiator": GROWN}}],
    "raise-a-talent": [
        {"form": {"initiator": [{"raised_talent": "riding", "new_level": "0"}]}, "options": {"ruleset": "campaign"},
         "sheets": {"initiator": GROWN}},
    ],
    "award-and-spend-pa": [
        {"form": {"gm": [{"feat": "mission"}]}, "options": {"ruleset": "base_with_pa"},
         "sheets": {"initiator": "arthur"}},
        {"form": {"initiator": [{"points": 25, "purchase": "component_up", "what": "body", "current": 4}]},
         "options": {"ruleset": "campaign"}},
    ],
}
