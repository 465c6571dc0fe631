"""Forms of play that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = Mapping[str, Any]

QUICK = {"ruleset": "quick"}
PRIEST = {"name": "Ama", "willpower": 9, "charm": 8, "intelligence": 9, "strength": 6, "guild": "priest", "grade": 2,
          "credits": 200000, "skills": [{"number": "21", "level": 3}, {"number": "22", "level": 6},
                                        {"number": "25", "level": 6}]}
GUARD = {"name": "le garde", "strength": 9, "dexterity": 7, "endurance": 8, "guild": "soldier", "grade": 1,
         "skills": [{"number": "34", "level": 2}, {"number": "32", "level": 1}],
         "weapons": [{"weapon": "sword"}], "protections": [{"piece": "vest"}]}
CLERK = {"kind": "npc", "name": "le commis", "charm": 6, "intelligence": 7, "willpower": 8}
STUDENT = {**GUARD, "school_years": 8, "at_school": True}
STUNNED = {**GUARD, "conditions": [{"name": "stunned"}]}
HELD = {**GUARD, "conditions": [{"name": "held"}, {"name": "choked", "amount": 3}], "resistance_physical": 20}
HURT = {**GUARD, "resistance_physical": 14}
FORMEC = {"kind": "robot", "name": "titan", "tech_level": 6, "robot": "formec", "quality": 9, "exposure": "armoured"}
FIGHT = {"sides": [{"id": "initiator", "side": "initiator"}, {"id": "opponent", "side": "opponent"}]}
TALK = {"target": 6, "request": "un laissez-passer", "relation": "neutral"}
BLOW = {"value": 10, "weapon": "sword", "height": "middle", "column": "normal"}
FOE = {"value": 9, "weapon": "dagger", "height": "middle", "column": "normal", "resistance": 24}

EXAMPLES: Mapping[str, Sequence[Example]] = {
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
    "start-fight": [
        {"form": {"initiator": [{"dexterity": 8}], "opponent": [{"dexterity": 8}, {"dexterity": 8}]}},
        {"form": {"gm": [{"initiative": "nobody"}]}, "sheets": {"initiator": GUARD, "opponent": GUARD}},
        {"form": {"initiator": [{"dexterity": 9}], "opponent": [{"dexterity": 7}]}},
        {"form": {"initiator": [{"dexterity": 7, "level": 3}], "opponent": [{"dexterity": 9, "level": 1}],
                  "gm": [{"shooters": True}]}},
    ],
    "combat-exchange": [
        {"form": {"initiator": [{**BLOW, "attitude": "attack"}], "opponent": [{**FOE, "attitude": "parry"}]},
         "encounter": FIGHT},
        {"form": {"initiator": [{"attitude": "attack", "height": "middle", "column": "precise", "spot": "hand",
                                 "cap": 0}],
                  "opponent": [{"attitude": "feint", "height": "high", "column": "normal"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD}, "encounter": {**FIGHT, "sequence": 1}},
        {"form": {"initiator": [{"attitude": "attack", "height": "high"}]},
         "sheets": {"initiator": GUARD, "opponent": STUNNED}, "encounter": {**FIGHT, "sequence": 2}},
        {"form": {"initiator": [{"attitude": "feint"}], "opponent": [{"attitude": "feint"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD}, "encounter": {**FIGHT, "sequence": 2}},
        {"form": {"opponent": [{"attitude": "attack"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD}, "encounter": {**FIGHT, "initiative": "opponent"}},
    ],
    "single-exchange": [
        {"form": {"initiator": [{**BLOW, "attitude": "attack", "resistance": 24}],
                  "opponent": [{**FOE, "attitude": "attack"}]}},
        {"form": {"initiator": [{**BLOW, "attitude": "attack"}], "opponent": [{"resistance": 20, "left": 3}],
                  "gm": [{"free": "initiator"}]}},
    ],
    "one-against-many": [
        {"form": {"initiator": [{**BLOW, "attitude1": "attack", "attitude2": "parry", "resistance": 24}],
                  "opponent": [{**FOE, "attitude": "attack"}, {**FOE, "value": 8, "attitude": "feint"}]}},
        {"form": {"initiator": [{"attitude1": "parry"}], "opponent": [{"attitude": "attack"}, {"attitude": "attack"}],
                  "gm": [{"situation": "corner"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD, "opponent2": HURT}},
    ],
    "ambush": [
        {"form": {"initiator": [{"characteristic": 9, "level": 1, "column": "precise"}]}},
        {"form": {"initiator": [{"purpose": "set"}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"characteristic": 9, "column": "vague"}], "gm": [{"difficulty": "easy"}]}},
        {"form": {"initiator": [{"characteristic": 12}], "gm": [{"difficulty": "easy"}]}},
    ],
    "hold": [
        {"form": {"initiator": [{"value": 13}]}},
        {"form": {"initiator": [{"grip": "choke", "height": "high"}]},
         "sheets": {"initiator": GUARD, "opponent": HELD}},
    ],
    "break-free": [
        {"form": {"initiator": [{"evasion": 8, "strength": 7}], "opponent": [{"strength": 9}]}},
        {"form": {"gm": [{"sequences": 2}]}, "sheets": {"initiator": HELD, "opponent": GUARD}},
    ],
    "fall": [
        {"form": {"gm": [{"drop_cm": 500}]}},
        {"form": {"gm": [{"drop_cm": 1200, "ground": "rock"}]}, "sheets": {"initiator": GUARD}},
    ],
    "ready-weapon": [
        {"form": {"initiator": [{"act": "draw", "weapon": "stunner", "power": 3}]}},
        {"form": {"initiator": [{"act": "draw"}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"act": "set_power", "power": 2}]}, "sheets": {"initiator": GUARD}},
    ],
    "shoot": [
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 9, "level": 2, "column": "precise"}],
                  "opponent": [{"resistance": 24, "armour": 9}], "gm": [{"distance": 167}]}},
        {"form": {"initiator": [{"weapon": "dagger"}], "gm": [{"distance": 10}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"weapon": "stunner", "characteristic": 12, "level": 4, "power": 4}],
                  "opponent": [{}], "gm": [{"distance": 3, "difficulty": "easy"}]}, "sheets": {"opponent": GUARD}},
        {"form": {"initiator": [{"weapon": "stunner", "characteristic": 12, "level": 4}], "opponent": [{}],
                  "gm": [{"distance": 3}]},
         "sheets": {"opponent": GUARD}, "options": {"stunners": "endurance_roll"}},
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 9}], "gm": [{"distance": 501}]}},
    ],
    "grenade": [
        {"form": {"initiator": [{"characteristic": 9, "level": 1}], "opponent": [{"squares": 1, "resistance": 24}],
                  "gm": [{"tech_level": 4}]}},
        {"form": {"initiator": [{"lean": "right"}], "opponent": [{"squares": 2}, {"squares": 0}],
                  "gm": [{"may_evade": True}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD, "opponent2": GUARD}},
    ],
    "sabotage": [
        {"form": {"initiator": [{"weapon": "sword", "characteristic": 10, "level": 1}],
                  "gm": [{"material": "soft_wood"}]}},
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 12, "level": 3, "column": "precise"}],
                  "gm": [{"exposure": "protected", "tech_level": 3, "quality": 8}]}},
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 12, "level": 6, "column": "precise"}],
                  "opponent": [{}]},
         "sheets": {"opponent": FORMEC}},
    ],
    "cyborg-link": [
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 10, "level": 2, "robot_level": 1}],
                  "opponent": [{"resistance": 24}]}},
    ],
    "formec-struck": [
        {"form": {"gm": [{"points": 25, "tech_level": 6, "quality": 9}]}},
        {"form": {"opponent": [{}], "gm": [{"points": 40}]}, "sheets": {"opponent": FORMEC}},
    ],
    "treat-wounds": [
        {"form": {"initiator": [{"level": 2, "medibloc": True}],
                  "patient": [{"lost": 12, "resistance": 24, "endurance": 6}]}},
        {"form": {}, "sheets": {"initiator": GUARD, "patient": HURT}},
        {"form": {"patient": [{"lost": 7, "resistance": 24, "endurance": 7}]}},
    ],
    "infection-check": [
        {"form": {"initiator": [{"evasion": 8}]}},
        {"form": {"gm": [{"trigger": "cold", "confirm": True}]}, "sheets": {"initiator": HURT}},
    ],
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
    "roll-characteristics": [{"form": {"initiator": [{"name": "Ixi", "sex": "woman"}]}}],
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
