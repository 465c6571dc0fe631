"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import SCORED, TEKNO, Examples, with_cast

ARMOURED_FORMEC = {"kind": "robot", "name": "titan", "tech_level": 6, "robot": "formec", "quality": 9,
                   "exposure": "armoured"}
LASER = {"kind": "item", "name": "laser", "tech_level": 4, "price": 12000, "mass_g": 2000, "quality": 9, "damage": 5,
         "broken": True, "spare_parts": 5}
CAR = {"kind": "item", "name": "auto", "tech_level": 3, "price": 30000, "quality": 8, "exposure": "protected"}
SPHERE = {"kind": "robot", "name": "bulle", "tech_level": 6, "robot": "logimec", "programmes": ["tracker"],
          "added": ["hypnotist"]}
FORMEC = {"kind": "robot", "name": "titan", "tech_level": 6, "robot": "formec", "quality": 12}

PLAY: Examples = {
    "sabotage": [
        {"form": {"initiator": [{"weapon": "sword", "characteristic": 10, "level": 1}],
                  "gm": [{"material": "soft_wood"}]}},
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 12, "level": 3, "column": "precise"}],
                  "gm": [{"exposure": "protected", "tech_level": 3, "quality": 8}]}},
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 12, "level": 6, "column": "precise"}],
                  "opponent": [{}]},
         "sheets": {"opponent": ARMOURED_FORMEC}},
    ],
    "cyborg-link": [
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 10, "level": 2, "robot_level": 1}],
                  "opponent": [{"resistance": 24}]}},
    ],
    "formec-struck": [
        {"form": {"gm": [{"points": 25, "tech_level": 6, "quality": 9}]}},
        {"form": {"opponent": [{}], "gm": [{"points": 40}]}, "sheets": {"opponent": ARMOURED_FORMEC}},
    ],
}
GEAR: Examples = with_cast({
    "drive": [
        {"form": {"initiator": [{**SCORED, "object_level": 3, "hours": 10}]}},
        {"form": {"initiator": [{"speed": "maximum_speed"}]}, "sheets": {"initiator": TEKNO, "item": CAR}},
        {"form": {"initiator": [{"robot": "navymec"}]}},
    ],
    "accident": [
        {"form": {"gm": [{"object_level": 3, "quality": 8}]}},
        {"form": {"gm": [{"speed": "maximum_speed"}]}, "sheets": {"item": CAR}},
        {"form": {"gm": [{"told_damage": 15}]}, "sheets": {"item": CAR}, "options": {"accident_severity": "gm"}},
    ],
    "query-data-bank": [
        {"form": {"initiator": [{**SCORED, "grade": 2}]}},
        {"form": {"gm": [{"aboard": True}]}, "sheets": {"initiator": TEKNO}},
    ],
    "ask-question": [
        {"form": {"initiator": [{"question": "Qui gouverne Ixe ?"}], "gm": [{"answer": "Une dictature."}]},
         "encounter": {"questions": 2}},
        {"form": {"initiator": [{"last_question": True}]}, "encounter": {"questions": 1, "asked": 1}},
    ],
    "find-way": [{"form": {"initiator": [{**SCORED, "grade": 1}]}}, {"form": {}, "sheets": {"initiator": TEKNO}}],
    "order-robot": [
        {"form": {"initiator": [{**SCORED, "programme": "tracker"}]}},
        {"form": {"initiator": [{"programme": "hypnotist"}]}, "sheets": {"initiator": TEKNO, "robot": SPHERE}},
        {"form": {"gm": [{"needs_test": True}]}, "sheets": {"robot": FORMEC}},
        {"form": {"gm": [{"harms_human": True}]}},
        {"form": {"initiator": [{"robot_type": "formec"}], "gm": [{"human_in_peril": True}]}},
        {"form": {"initiator": [{"order": "porter les caisses"}]}},
    ],
    "add-programme": [
        {"form": {"initiator": [{"programme": "medicine", "robotics": 2}]}},
        {"form": {"initiator": [{"programme": "repairer", "price": 1000}]},
         "sheets": {"initiator": TEKNO, "robot": SPHERE}},
    ],
    "use-object": [
        {"form": {"initiator": [{"object_level": 3, "amount": 9}], "gm": [{"quality": 8}]}},
        {"form": {"initiator": [{"object_kind": "vehicle"}]}, "sheets": {"item": CAR}},
    ],
    "wear-check": [
        {"form": {"initiator": [{**SCORED, "object_level": 3}], "gm": [{"quality": 8, "damage": 3}]}},
        {"form": {"gm": [{"reason": "misuse"}]}, "sheets": {"initiator": TEKNO, "item": LASER}},
        {"form": {"initiator": [{**SCORED, "object_level": 3}], "gm": [{"quality": 3, "damage": 3}]}},
    ],
    "repair": [
        {"form": {"initiator": [{**SCORED, "object_level": 4, "grade": 3, "parts": 5, "kit_level": 4}],
                  "gm": [{"damage": 5}]}},
        {"form": {"initiator": [{"prosthesis": True, "logimec": True}]}, "sheets": {"initiator": TEKNO, "item": LASER}},
        {"form": {"initiator": [{**SCORED, "object_level": 6, "parts": 1}], "gm": [{"damage": 9}]}},
        {"form": {"initiator": [{**SCORED, "object_level": 3, "grade": 4, "parts": 1}], "gm": [{"damage": 7}]}},
    ],
    "workshop": [
        {"form": {"initiator": [{"object_level": 3, "price": 4500, "skilled": True}], "gm": [{"damage": 4}]}},
        {"form": {"gm": [{"place_level": 5}]}, "sheets": {"initiator": TEKNO, "item": LASER}},
    ],
    "convert": [
        {"form": {"initiator": [{**SCORED, "name": "radio", "made_level": 3, "object_level": 4, "grade": 1}]}},
        {"form": {"initiator": [{"name": "antenne", "made_level": 4}]}, "sheets": {"initiator": TEKNO, "item": LASER}},
    ],
    "salvage": [
        {"form": {"gm": [{"quality": 9, "damage": 5}]}},
        {"form": {}, "sheets": {"item": LASER}},
        {"form": {"gm": [{"quality": 3, "damage": 5}]}},
    ],
})
EXAMPLES: Examples = {**PLAY, **GEAR}
