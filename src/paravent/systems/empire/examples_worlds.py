"""Forms of worlds, trade and gear that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = Mapping[str, Any]

WORLD = {"kind": "world", "name": "Ixe", "size_t": 6, "oceans_o": 7, "life": "intelligent_life", "life_die": 5,
         "people": {"tech_level": 4, "body_row": 7, "endurance": 8, "appearance": "animal_like", "intelligence": 9,
                    "size_t": 6, "culture_row": 5, "nature_row": 8, "politics_row": 9, "offered": [6, 9, 3, 13],
                    "demanded": [11, 5, 15, 6]},
         "fauna": [{"name": "broute", "diet_ta": 4}, {"name": "traque", "diet_ta": 2}, {"name": "rôde", "diet_ta": 1}]}
SECTOR = {"kind": "sector", "name": "Marges", "seed": "marges", "worlds": [
    {"square": "0101", "code": "A", "n_planets": 9, "size_t": 6, "oceans_o": 7, "life": "animal_life", "life_die": 2},
]}
MARKET = {"kind": "market", "name": "Ixe", "tech_level": 4, "nature": "neutral", "politics_row": 9,
          "offered": [6, 9, 6, 13, 8], "demanded": [11, 5, 15, 6, 6]}
CARGO = {"kind": "cargo", "name": "soute", "lots": [
    {"good": "plants", "quantity": 12, "tech_level": 6, "origin": "Our"},
    {"good": "arms", "quantity": 3, "tech_level": 5, "origin": "Our"},
]}
LASER = {"kind": "item", "name": "laser", "tech_level": 4, "price": 12000, "mass_g": 2000, "quality": 9, "damage": 5,
         "broken": True, "spare_parts": 5}
CAR = {"kind": "item", "name": "auto", "tech_level": 3, "price": 30000, "quality": 8, "exposure": "protected"}
SPHERE = {"kind": "robot", "name": "bulle", "tech_level": 6, "robot": "logimec", "programmes": ["tracker"],
          "added": ["hypnotist"]}
FORMEC = {"kind": "robot", "name": "titan", "tech_level": 6, "robot": "formec", "quality": 12}
CLERK = {"kind": "person", "name": "le clerc", "role": "ally",
         "schedule": [["home", 0, 29, 2], ["office", 30, 59, 2]]}
GUIDE = {"name": "Nadir", "charm": 9, "intelligence": 8, "willpower": 8, "guild": "merchant", "grade": 2,
         "credits": 500000, "skills": [{"number": "44", "level": 2}, {"number": "46", "level": 1},
                                       {"number": "24", "level": 1}, {"number": "41", "level": 1}]}
TEKNO = {"name": "Vis", "intelligence": 10, "guild": "tekno", "grade": 2, "credits": 5000, "equipment": [],
         "skills": [{"number": "64", "level": 2}, {"number": "61", "level": 1}, {"number": "65", "level": 1},
                    {"number": "66", "level": 2}, {"number": "54", "level": 1}]}
SCORED = {"characteristic": 9, "level": 2}

WRITTEN: dict[str, Sequence[Example]] = {
    "generate-sector": [
        {"form": {"gm": [{"name": "Marges", "seed": "ourmansk"}]}},
        {"form": {"gm": [{"name": "Noyau", "density": "core", "seed": "noyau"}]}},
    ],
    "edit-square": [
        {"form": {"gm": [{"square": "0305"}]}, "sheets": {"sector": SECTOR}},
        {"form": {"gm": [{"square": "0101", "edit": "set_level", "value": 5}]}, "sheets": {"sector": SECTOR}},
        {"form": {"gm": [{"square": "0101", "edit": "clear"}]}},
    ],
    "open-world": [{"form": {"gm": [{"square": "0101"}]}, "sheets": {"sector": SECTOR}}],
    "share-map": [
        {"form": {"gm": [{"known_squares": ["0101", "0202"]}]}, "sheets": {"sector": SECTOR}},
        {"form": {"gm": [{"whole_sector": True}]},
         "sheets": {"sector": SECTOR, "chart": {"kind": "chart", "name": "Marges", "known": [{"square": "0101"}]}}},
    ],
    "generate-world": [
        {"form": {"gm": [{"name": "Ixe"}]}},
        {"form": {"gm": [{"life_wish": "some_life", "mining": False}]}, "options": {"small_worlds": "gm"}},
    ],
    "generate-people": [
        {"form": {"gm": [{"size_t": 6, "life_die": 5}]}},
        {"form": {"gm": [{}]}, "sheets": {"world": WORLD}},
        {"form": {"gm": [{"size_t": 6, "life_die": 5, "native": True}]}, "options": {"people_ceiling": "gm"}},
    ],
    "generate-animal": [
        {"form": {"gm": [{"oceans_o": 6}]}},
        {"form": {"gm": [{"name": "croc", "diet": "carnivore", "weapon": "D"}]}, "sheets": {"world": WORLD}},
    ],
    "generate-fauna": [
        {"form": {"gm": [{"oceans_o": 6, "people_level": 0}]}},
        {"form": {"gm": [{"companions": True}]}, "sheets": {"world": WORLD}},
    ],
    "start-day": [
        {"form": {"gm": [{"circumstances": "mountain,many_characters", "oceans_o": 6}]}},
        {"form": {"gm": [{}]}, "sheets": {"world": WORLD}, "options": {"behaviour_rolls": "two"}},
    ],
    "animal-encounter": [
        {"form": {"gm": [{"oceans_o": 6, "announce": True}]}},
        {"form": {"gm": [{}]}, "sheets": {"world": WORLD}},
    ],
    "provoke": [
        {"form": {"initiator": [{"provocation": "shot_at"}], "gm": [{"behaviour": "flight_if_provoked"}]}},
        {"form": {"initiator": [{"provocation": "none_of_it", "distance": 30}],
                  "gm": [{"behaviour": "attack_if_provoked"}]},
         "sheets": {"animal": {"kind": "animal", "name": "broute", "diet_ta": 4, "body_row": 9}}},
        {"form": {"gm": [{"behaviour": "flight_then_attack"}]}},
    ],
    "note-encounter": [
        {"form": {"gm": [{"name": "douanier", "role": "obstacle", "tech_level": 4, "nature": "friendly"}]}},
        {"form": {"gm": [{"role": "nemesis", "tags": "rancune"}]}, "sheets": {"character": GUIDE}},
        {"form": {"gm": [{"name": "passante"}]}, "sheets": {"world": WORLD}},
        {"form": {"gm": [{"role": "lurer"}]}, "sheets": {"person": CLERK}},
    ],
    "locate-person": [
        {"form": {"initiator": [{"place": "office"}], "gm": [{"minute": 40}]}},
        {"form": {"initiator": [{"place": "restaurant"}], "gm": [{"hint": "12, rue des Sas"}]},
         "sheets": {"person": CLERK}},
    ],
    "generate-market": [
        {"form": {"gm": [{"name": "Ixe", "tech_level": 4}]}},
        {"form": {"gm": [{"month": 0}]}, "sheets": {"world": WORLD}},
        {"form": {"gm": [{}]}, "sheets": {"market": MARKET}},
    ],
    "survey-market": [
        {"form": {"initiator": [{"appraisal": 3}], "gm": [{"tech_level": 2}]}},
        {"form": {"gm": [{}]}, "sheets": {"initiator": GUIDE, "market": MARKET}},
        {"form": {"gm": [{"tech_level": 1}]}},
    ],
    "acquire-object": [
        {"form": {"initiator": [{"name": "épée", "object_level": 2, "charm": 9, "willpower": 8}]}},
        {"form": {"initiator": [{"weapon": "laser", "haggles": True, "parts": 4}]}, "sheets": {"initiator": GUIDE}},
        {"form": {"initiator": [{"robot_type": "logimec", "programme": "tracker", "accept": False}]},
         "sheets": {"initiator": GUIDE}},
    ],
    "place-object": [{"form": {"gm": [{"name": "radio", "good": "communication", "object_level": 4}]}}],
    "buy-lots": [
        {"form": {"initiator": [{"good": "drugs"}], "gm": [{"tech_level": 2}]}},
        {"form": {"initiator": [{"good": "plants", "quantity": 12, "haggles": True}], "gm": [{"difficulty": "easy"}]},
         "sheets": {"initiator": GUIDE, "market": MARKET, "cargo": CARGO}},
        {"form": {"initiator": [{"good": "information", "accept": False}], "gm": [{"tech_level": 2, "base": 500}]}},
    ],
    "sell-lots": [
        {"form": {"initiator": [{"good": "crafts", "quantity": 12, "goods_level": 1}], "gm": [{"tech_level": 6}]}},
        {"form": {"initiator": [{"good": "plants", "quantity": 4}]},
         "sheets": {"initiator": GUIDE, "market": MARKET, "cargo": CARGO}},
        {"form": {"initiator": [{"good": "crafts", "goods_level": 3}], "gm": [{"tech_level": 3, "duty_rate": 5}]},
         "options": {"equal_tech": "zero", "local_tax": "gm"}},
    ],
    "haggle": [
        {"form": {"initiator": [{**SCORED, "charm": 10, "grade": 3, "price": 2000}], "gm": [{"against": 2}]}},
        {"form": {"initiator": [{"bargain": "sell"}], "gm": [{"against": 4, "renewals": 1}]},
         "sheets": {"initiator": GUIDE}},
        {"form": {"initiator": [SCORED], "gm": [{"against": 14}]}, "options": {"haggling_characteristic": "tested"}},
    ],
    "leave-port": [
        {"form": {"initiator": [{"good": "plants", "quantity": 10}]}},
        {"form": {"initiator": [{"disguised": "arms", "destination_level": 2}], "gm": [{"inspected": True}]},
         "sheets": {"initiator": GUIDE, "cargo": CARGO}},
    ],
    "bribe": [
        {"form": {"initiator": [{**SCORED, "grade": 3}],
                  "gm": [{"target_grade": 1, "tech_level": 4, "politics_row": 9}]}},
        {"form": {"gm": [{"days": 3}]}, "sheets": {"initiator": GUIDE, "market": MARKET}},
    ],
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
        {"form": {"gm": [{"aboard": True, "place_level": 1}]}, "sheets": {"initiator": TEKNO}},
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
    "walk": [
        {"form": {"initiator": [{"strength": 7, "endurance": 6, "gait": "forced_march", "hours": 10}]}},
        {"form": {"initiator": [{"worn": "antigrav_suit", "hours": 3}]},
         "sheets": {"initiator": TEKNO, "world": WORLD}},
        {"form": {"initiator": [{"strength": 7, "endurance": 6, "gait": "run", "hours": 0, "minutes": 5}]}},
    ],
    "journey": [{"form": {"initiator": [{"distance_km": 15000, "speed_kmh": 200}]}}],
    "travel-interplanetary": [
        {"form": {"initiator": [{"destination": "Valombre"}]}}, {"form": {}, "sheets": {"initiator": GUIDE}},
    ],
    "travel-interstellar": [
        {"form": {"initiator": [{"passage": "liner"}], "gm": [{"segments": 2, "departure_level": 4}]}},
        {"form": {"gm": [{"route": "off_route"}]}, "sheets": {"initiator": GUIDE}},
        {"form": {"gm": [{"squares": 7}]}, "options": {"jump": "squares"}},
        {"form": {"gm": [{"leaves": "", "reaches": ""}]}, "sheets": {"sector": SECTOR}},
    ],
}


def _whole(example: Example) -> Example:
    """The example with an empty form for every record that is in its cast."""
    cast: Mapping[str, Any] = {role: [{}] for role in example.get("sheets", {})}
    return {**example, "form": {**cast, **example["form"]}}


EXAMPLES: Mapping[str, Sequence[Example]] = {
    move: [_whole(example) for example in examples] for move, examples in WRITTEN.items()
}
