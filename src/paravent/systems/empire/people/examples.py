"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUARD, PRIEST, Examples

STUDENT = {**GUARD, "school_years": 8, "at_school": True}

EXAMPLES: Examples = {
    "roll-characteristics": [{"form": {"initiator": [{"name": "Ixi", "sex": "woman"}]}}],
    "full-character": [
        {"form": {"initiator": [{"name": "Kay", "sex": "woman"}]}},
    ],
    "enter-school": [
        {"form": {"initiator": [{"guild": "soldier", "required": 8, "age": 18}]}},
        {"form": {"initiator": [{"guild": "merchant", "after_failure": "next_year"}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"guild": "adventurer"}]}, "sheets": {"initiator": GUARD}},
    ],
    "school-year": [
        {"form": {"initiator": [{"guild": "soldier", "required": 10}]}},
        {"form": {}, "sheets": {"initiator": STUDENT}},
        {"form": {}, "sheets": {"initiator": STUDENT}, "options": {"duplicates": "reroll"}},
    ],
    "finish-term": [
        {"form": {}, "sheets": {"initiator": {**STUDENT, "school_years": 6}}},
        {"form": {}, "sheets": {"initiator": {**STUDENT, "school_years": 7}}, "options": {"duplicates": "reroll"}},
    ],
    "whole-youth": [
        {"form": {"initiator": [{"guild": "soldier", "terms": 1}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"guild": "adventurer", "terms": 3}]}, "sheets": {"initiator": GUARD}},
    ],
    "promotion": [
        {"form": {"initiator": [{"guild": "tekno", "grade": 0, "skill_levels": [1, 2], "years": 4}]}},
        {"form": {"initiator": [{"stays": False}]}, "sheets": {"initiator": STUDENT}},
        {"form": {"initiator": [{"guild": "adventurer", "years": 4}]}},
    ],
    "leave-school": [
        {"form": {"initiator": [{"guild": "merchant", "grade": 3}]}},
        {"form": {}, "sheets": {"initiator": STUDENT}},
    ],
    "training-year": [
        {"form": {"initiator": [{"skill": "63", "grade": 2, "required": 10, "level": 1}]}},
        {"form": {"initiator": [{"skill": "23"}]}, "sheets": {"initiator": PRIEST}},
    ],
    "psi-retreat": [
        {"form": {"initiator": [{"psi_skills": ["21"], "required": 9, "level": 2}]}},
        {"form": {"initiator": [{"psi_skills": ["21"]}]}, "sheets": {"initiator": PRIEST}},
    ],
    "destiny-roll": [
        {"form": {"initiator": [{"dice": 4, "characteristic": 10, "level": 2}]}},
        {"form": {"initiator": [{"dice": 5, "characteristic": "strength", "skill": "34"}]},
         "sheets": {"initiator": GUARD}},
    ],
    "survival-roll": [
        {"form": {"initiator": [{"age": 34, "destiny": 20}]}},
        {"form": {}, "sheets": {"initiator": {**GUARD, "age": 44}}},
    ],
    "loyalty-test": [
        {"form": {"initiator": [{"best_mental": 9}]}},
        {"form": {"gm": [{"ally_role": "informant"}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"best_mental": 12}], "gm": [{"ally_role": "helper", "new_day": False}]}},
    ],
    "swap-characteristics": [
        {"form": {"initiator": [{"two_scores": [10, 4]}], "gm": [{"warning_given": True}]}},
        {"form": {}, "sheets": {"initiator": {**GUARD, "warned": True}}},
    ],
    "warn": [{"form": {"gm": [{"text": "Votre marchand est un homme charmant."}]}, "sheets": {"initiator": GUARD}}],
    "override": [{"form": {"gm": [{"dice": 3, "threshold": 9, "announced": False}]}}, {"form": {"gm": [{}]}}],
    "whisper": [
        {"form": {"gm": [{"text": "La serrure est forcée."}]}},
        {"form": {"gm": [{"text": "Un laser de marine.", "knowledge": "technical", "unlocks": ["35"]}]},
         "sheets": {"initiator": GUARD}},
    ],
    "daily-upkeep": [
        {"form": {"initiator": [{"slept": 4, "rations": 0, "grams": 9000, "strength": 8, "endurance": 7}]}},
        {"form": {"initiator": [{"gait": "forced_march", "hours": 2}], "gm": [{"gravity": 0}]},
         "sheets": {"initiator": GUARD}},
    ],
}
