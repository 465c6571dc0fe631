"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import PRIEST, Examples

EXAMPLES: Examples = {
    "psi-act": [
        {"form": {"initiator": [{"power_name": name, "minutes": 1}]}, "sheets": {"initiator": PRIEST}}
        for name in ("lift", "screen", "empathy", "reading", "probe", "control", "assault", "thermal_insensitivity",
                     "recovery", "suspended_animation", "regeneration", "superendurance", "superforce")
    ] + [
        {"form": {"initiator": [{"power_name": "push_forward", "power_level": 2, "score": 10, "level": 5}],
                  "gm": [{"seen": False}]}},
        {"form": {"initiator": [{"power_name": "reading", "score": 12, "level": 6}], "gm": [{"screen_up": True}]}},
        {"form": {"initiator": [{"power_name": "control", "score": 12, "level": 6}],
                  "gm": [{"victim_evasion": 9, "deadly": True}]}},
        {"form": {"initiator": [{"power_name": "lift", "power_level": 6, "score": 12, "level": 6}]}},
        {"form": {"initiator": [{"power_name": "superforce"}]}, "sheets": {"initiator": PRIEST},
         "options": {"psi_surge": "minutes"}},
    ],
    "telepaths-duel": [
        {"form": {"initiator": [{"score": 10, "level": 6}], "opponent": [{"score": 9, "level": 2}]}},
        {"form": {}, "sheets": {"initiator": PRIEST, "opponent": PRIEST}},
    ],
}
