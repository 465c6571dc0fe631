"""Forms of care that a conformance suite can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = Mapping[str, Any]

EXAMPLES: Mapping[str, Sequence[Example]] = {
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
}
