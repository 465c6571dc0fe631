"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUARD, Examples

QUICK = {"ruleset": "quick"}

EXAMPLES: Examples = {
    "skill-test": [
        {"form": {"initiator": [{"characteristic": 9, "level": 2, "column": "precise"}]}},
        {"form": {"initiator": [{"skill": "34", "column": "fast"}], "gm": [{"difficulty": "hard", "handed": True}]},
         "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"characteristic": 10}], "gm": [{"rolls": "three", "unit": "hour"}]}},
        {"form": {"initiator": [{"characteristic": 10}], "gm": [{"verdict": "auto_success"}]}},
        {"form": {"initiator": [{"characteristic": 10}], "gm": [{"verdict": "auto_failure"}]}},
        {"form": {"initiator": [{"characteristic": "strength", "skill": "34", "column": "precise"}],
                  "gm": [{"difficulty": "easy", "hide_mods": True, "hidden_mods": -1}]},
         "sheets": {"initiator": GUARD}},
    ],
    "secret-test": [
        {"form": {"initiator": [{"skill": "34", "column": "precise"}], "gm": [{"difficulty": "hard"}]},
         "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"characteristic": 9, "level": 2}]}},
    ],
    "characteristic-roll": [
        {"form": {"initiator": [{"score": 8}]}},
        {"form": {"gm": [{"act": "overhear"}]}, "sheets": {"initiator": GUARD}},
    ],
    "retry": [{"form": {"initiator": [{"characteristic": 9}], "gm": [{"unit": "half_day"}]}}],
    "evasion-roll": [
        {"form": {"initiator": [{"evasion": 8}]}},
        {"form": {"gm": [{"side": "mental", "handed": True}]}, "sheets": {"initiator": GUARD}},
    ],
    "quick-character": [{"form": {"initiator": [{"name": "Kay", "best_to": "first_mental"}]}, "options": QUICK}],
    "quick-action": [
        {"form": {"initiator": [{"own_quality": 8}], "gm": [{"step": -4}]}, "options": QUICK},
        {"form": {"gm": [{"share": "both", "rounding": "up", "handed": True}]},
         "sheets": {"initiator": {"kind": "quick", "name": "Kay", "physical_quality": 8, "mental_quality": 9}},
         "options": QUICK},
    ],
}
