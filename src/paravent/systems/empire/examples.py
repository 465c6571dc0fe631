"""Sheets that the examples of several parts play with; each part has its own examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = Mapping[str, Any]
Examples = Mapping[str, Sequence[Example]]

PRIEST = {"name": "Ama", "willpower": 9, "charm": 8, "intelligence": 9, "strength": 6, "guild": "priest", "grade": 2,
          "credits": 200000, "skills": [{"number": "21", "level": 3}, {"number": "22", "level": 6},
                                        {"number": "25", "level": 6}]}
GUARD = {"name": "le garde", "strength": 9, "dexterity": 7, "endurance": 8, "guild": "soldier", "grade": 1,
         "skills": [{"number": "34", "level": 2}, {"number": "32", "level": 1}],
         "weapons": [{"weapon": "sword"}], "protections": [{"piece": "vest"}]}
WORLD = {"kind": "world", "name": "Ixe", "size_t": 6, "oceans_o": 7, "life": "intelligent_life", "life_die": 5,
         "people": {"tech_level": 4, "body_row": 7, "endurance": 8, "appearance": "animal_like", "intelligence": 9,
                    "size_t": 6, "culture_row": 5, "nature_row": 8, "politics_row": 9, "offered": [6, 9, 3, 13],
                    "demanded": [11, 5, 15, 6]},
         "fauna": [{"name": "broute", "diet_ta": 4}, {"name": "traque", "diet_ta": 2}, {"name": "rôde", "diet_ta": 1}]}
SECTOR = {"kind": "sector", "name": "Marges", "seed": "marges", "worlds": [
    {"square": "0101", "code": "A", "n_planets": 9, "size_t": 6, "oceans_o": 7, "life": "animal_life", "life_die": 2},
]}
GUIDE = {"name": "Nadir", "charm": 9, "intelligence": 8, "willpower": 8, "guild": "merchant", "grade": 2,
         "credits": 500000, "skills": [{"number": "44", "level": 2}, {"number": "46", "level": 1},
                                       {"number": "24", "level": 1}, {"number": "41", "level": 1}]}
TEKNO = {"name": "Vis", "intelligence": 10, "guild": "tekno", "grade": 2, "credits": 5000, "equipment": [],
         "skills": [{"number": "64", "level": 2}, {"number": "61", "level": 1}, {"number": "65", "level": 1},
                    {"number": "66", "level": 2}, {"number": "54", "level": 1}]}
SCORED = {"characteristic": 9, "level": 2}


def with_cast(written: Examples) -> Examples:
    """The examples with an empty form for every record that is in their cast."""
    return {move: [_with_cast(example) for example in examples] for move, examples in written.items()}


def _with_cast(example: Example) -> Example:
    cast: Mapping[str, Any] = {role: [{}] for role in example.get("sheets", {})}
    return {**example, "form": {**cast, **example["form"]}}
