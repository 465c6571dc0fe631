"""Forms of tests that a conformance suite can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = Mapping[str, Any]

EXAMPLES: Mapping[str, Sequence[Example]] = {
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
}
