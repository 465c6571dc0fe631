"""A sheet that the examples of several parts play with; each part has its own examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WOUNDED: Mapping[str, Any] = {
    "name": "Sacha", "energy": 15, "luck_used": 1,
    "wounds": {"head": 0, "torso": 1, "left_arm": 2, "right_arm": 0, "left_leg": 3, "right_leg": 0},
    "wound_day": {"torso": 2, "left_arm": 2, "left_leg": 1}, "healing_paid": {"left_arm": 3},
    "skills": [{"field": "actions", "name": "Tir", "value": 4}],
}
