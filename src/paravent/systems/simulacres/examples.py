"""Forms that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import examples_combat

Example = Mapping[str, Any]

OWN: dict[str, Sequence[Example]] = {
    "simple-test": [
        {"form": {"initiator": [{"value": 9}], "gm": [{"difficulty": "-2"}]}},
        {"form": {"initiator": [{"component": 4, "means": 3, "realm": 1, "rank": "trade"}],
                  "gm": [{"difficulty": "undergrowth:hard,1"}]}},
        {"form": {"initiator": [{"component": "body", "means": "perception", "realm": "vegetal", "skill": "pistage",
                                 "energies": "precision:1,ep:1", "action_label": "track"}],
                  "gm": [{"hide_difficulty": True, "hidden_difficulty": -2}]},
         "sheets": {"initiator": "arthur"}},
        {"form": {"initiator": [{"common": "drive"}]}, "sheets": {"initiator": "cyprien"}},
        {"form": {"initiator": [{"value": 9}], "gm": [{"attempt": "impossible"}]}},
        {"form": {"initiator": [{"value": 9}], "gm": [{"attempt": "certain"}]}},
    ],
    "automatic-success": [
        {"form": {"initiator": [{"rank": "talent"}], "gm": [{"difficulty": "1"}]}},
        {"form": {"initiator": [{"skill": "Médecin"}]}, "sheets": {"initiator": "arthur"}},
    ],
    "secret-test": [
        {"form": {"initiator": [{"value": 8}], "gm": [{"secret_difficulty": "door:-1"}]}},
        {"form": {"initiator": [{"common": "sixth_sense"}],
                  "gm": [{"on_success": "Quelqu'un vous suit.", "on_failure": "Rien."}]},
         "sheets": {"initiator": "arthur"}},
    ],
    "duel": [
        {"form": {"initiator": [{"value": 10}], "opponent": [{"value": 6}]}},
        {"form": {"initiator": [{"component": "mind", "means": "perception", "realm": "human",
                                 "energies": {"precision": 1, "ps": 1}}],
                  "opponent": [{"component": "mind", "means": "action", "realm": "human", "rank": "trade"}],
                  "gm": [{"hide_values": True}]},
         "sheets": {"initiator": "arthur", "opponent": "cyprien"}},
        {"form": {"initiator": [{"value": 8, "open_energies": "power:1"}], "opponent": [{"value": 8}]},
         "options": {"duel_declaration": "open"}},
    ],
    "resist": [
        {"form": {"initiator": [{"value": 8}], "gm": [{"aggressor_margin": 2}]}},
        {"form": {"initiator": [{"energies": "power:1"}], "gm": [{"attack": "hypnosis", "aggressor_margin": 3}]},
         "sheets": {"initiator": "arthur"}},
    ],
    "will": [
        {"form": {"initiator": [{"value": 9}], "gm": [{"failure_margin": 3}]}},
        {"form": {"initiator": [{"component": "heart"}], "gm": [{"failure_margin": 1, "component_change": -1}]},
         "sheets": {"initiator": "isidore"}},
    ],
    "friendly-comparison": [
        {"form": {"initiator": [{"value": 9}], "opponent": [{"value": 8}]}},
        {"form": {"gm": [{"contest": "sprint"}]}, "sheets": {"initiator": "arthur", "opponent": "nour"}},
        {"form": {"initiator": [{"value": 9}], "opponent": [{"value": 9}]}},
    ],
    "last-chance": [
        {"form": {"initiator": [{"desire": 3, "realm": 1}]}},
        {"form": {"initiator": [{"realm": "mineral"}]}, "sheets": {"initiator": "isidore"}},
    ],
    "apply-condition": [
        {"form": {"gm": [{"lose_ps": 1, "malus": -1, "ailment": "fièvre des marais"}]},
         "sheets": {"initiator": "arthur"}},
        {"form": {"gm": [{"lose_ep": 4, "state": "hébété"}]}, "sheets": {"initiator": "arthur"}},
        {"form": {"gm": [{"lose_pv": 5}]}, "sheets": {"initiator": "arthur"}},
        {"form": {"gm": [{"lose_ps": 9}]}, "sheets": {"initiator": "arthur"}},
        {"form": {"gm": [{"lose_pv": 5}]}, "sheets": {"initiator": "arthur"}, "options": {"zero_pv": "coma"}},
    ],
    "resist-poison-or-disease": [
        {"form": {"initiator": [{"value": 8}], "gm": [{"virulence": -3, "effect": "lose_1_ps"}]}},
        {"form": {"initiator": [{"energies": "power:1"}], "gm": [{"virulence": -2, "effect": "malus_1"}]},
         "sheets": {"initiator": "ludmila"}},
    ],
    "resist-poison-in-secret": [
        {"form": {"initiator": [{"value": 8}], "gm": [{"virulence": -3, "ailment_kind": "disease"}]}},
    ],
    "dress-wounds": [
        {"form": {"initiator": [{"value": 8, "care_skill": "medicine", "energies": "precision:1"}],
                  "gm": [{"missing": 3}]}},
        {"form": {"gm": [{"missing": 1}]}, "sheets": {"initiator": "arthur", "patient": "nour"}},
    ],
    "diagnose": [
        {"form": {"initiator": [{"value": 8, "care_skill": "medicine"}], "gm": [{"ailment": "scorbut"}]}},
        {"form": {"gm": [{"difficulty": "awkward"}]}, "sheets": {"initiator": "arthur"}},
    ],
    "therapy-session": [
        {"form": {"initiator": [{"value": 9}], "patient": [{"value": 8}], "gm": [{"missing": 2}]}},
        {"form": {"gm": [{"missing": 1}]}, "sheets": {"initiator": "arthur", "patient": "isidore"}},
    ],
    "pass-time": [
        {"form": {"initiator": [{"life_points": 2, "breath_points": 1, "psyche_points": 3, "cared_for": True}],
                  "gm": [{"hours": 6, "days": 2}]}},
        {"form": {"initiator": [{}, {"rest": False}], "gm": [{"weeks": 1}]},
         "sheets": {"initiator": "arthur", "initiator2": "nour"}},
        {"form": {"initiator": [{}], "gm": [{"hours": 2}]}},
    ],
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
    "award-and-spend-pa": [
        {"form": {"gm": [{"feat": "mission"}]}, "options": {"ruleset": "base_with_pa"},
         "sheets": {"initiator": "arthur"}},
        {"form": {"initiator": [{"points": 25, "purchase": "component_up", "what": "body", "current": 4}]},
         "options": {"ruleset": "campaign"}},
    ],
}


EXAMPLES: Mapping[str, Sequence[Example]] = {**OWN, **examples_combat.EXAMPLES}
