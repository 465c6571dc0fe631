"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUARD, PRIEST, Examples

CLERK = {"kind": "npc", "name": "le commis", "charm": 6, "intelligence": 7, "willpower": 8}
TALK = {"target": 6, "request": "un laissez-passer", "relation": "neutral"}

EXAMPLES: Examples = {
    "verbal-duel": [
        {"form": {"gm": [{"target": 6}]}},
        {"form": {"opponent": [{}], "gm": [{"target": 6, "by_npc": True}]}, "sheets": {"opponent": GUARD},
         "options": {"npc_persuades": "on"}},
    ],
    "verbal-exchange": [
        {"form": {"initiator": [{"manner": "seduction", "words": "S'il vous plaît."}],
                  "opponent": [{"manner": "logic"}]},
         "sheets": {"initiator": PRIEST, "opponent": CLERK}, "encounter": TALK},
        {"form": {"initiator": [{"manner": "faith", "column": "precise"}], "opponent": [{"manner": "logic"}]},
         "sheets": {"initiator": PRIEST},
         "encounter": {**TALK, "target": 20, "scores": [7, 7, 8], "relation": "hostile"}},
        {"form": {"initiator": [{"manner": "faith"}], "opponent": [{"manner": "logic"}],
                  "gm": [{"acting": "irresistible"}]},
         "sheets": {"initiator": PRIEST, "opponent": CLERK}, "encounter": TALK},
        {"form": {"initiator": [{"manner": "seduction"}], "opponent": [{"manner": "seduction"}],
                  "gm": [{"acting": "convincing"}]},
         "sheets": {"initiator": PRIEST, "opponent": {**CLERK, "resistance_mental": 4}}, "encounter": TALK},
    ],
    "single-argument": [
        {"form": {"initiator": [{"value": 12, "manner": "seduction", "resistance": 20}],
                  "opponent": [{"value": 10, "manner": "seduction", "resistance": 18}]}},
        {"form": {"initiator": [{"value": 12, "manner": "faith", "column": "precise"}],
                  "opponent": [{"value": 10, "manner": "logic", "resistance": 9}]}},
    ],
    "sway-crowd": [
        {"form": {"gm": [{"crowd_size": 3}]}},
        {"form": {"gm": [{"crowd_size": 8}]}},
        {"form": {"gm": [{"crowd_size": 200}]}},
        {"form": {"opponent": [{}, {}], "gm": [{"crowd_size": 6}]}, "sheets": {"opponent": CLERK, "opponent2": GUARD}},
    ],
    "emancipation": [
        {"form": {"initiator": [{"lost": 14, "willpower": 7, "mind_state": "convinced"}], "gm": [{"units": 1}]}},
        {"form": {"gm": [{"units": 3}]}, "sheets": {"initiator": {**CLERK, "kind": "npc", "resistance_mental": 5}}},
    ],
    "disguise": [
        {"form": {"initiator": [{"characteristic": 9, "level": 2, "column": "precise"}]}},
        {"form": {"initiator": [{"characteristic": 9, "column": "vague"}], "gm": [{"difficulty": "easy"}]}},
        {"form": {"initiator": [{"characteristic": 9, "level": 1}], "gm": [{"difficulty": "easy"}]}},
    ],
    "command": [
        {"form": {"initiator": [{"characteristic": 8, "level": 2, "grade": 2}], "gm": [{"soldier": True}]}},
        {"form": {"opponent": [{}]}, "sheets": {"initiator": PRIEST, "opponent": GUARD}},
    ],
    "learn-language": [
        {"form": {"initiator": [{"characteristic": 9, "level": 2, "grade": 3}], "gm": [{"difficulty": "easy"}]}},
    ],
    "hypnotise": [
        {"form": {"initiator": [{"characteristic": 10, "level": 3, "grade": 3}]}},
        {"form": {"initiator": [{"level": 3}], "opponent": [{}], "gm": [{"acceptable": False, "difficulty": "easy"}]},
         "sheets": {"initiator": PRIEST, "opponent": CLERK}},
    ],
    "work-administration": [
        {"form": {"initiator": [{"characteristic": 9, "level": 2, "grade": 3}], "gm": [{"target": 6}]}},
        {"form": {"opponent": [{}], "gm": [{"difficulty": "easy"}]},
         "sheets": {"initiator": PRIEST, "opponent": CLERK}},
    ],
}
