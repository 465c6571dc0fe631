"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paravent.game import Example
from paravent.systems.conteur.examples import WOUNDED

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "inflict-wound": [
        {"form": {"gm": [{"part": "head", "levels": 1}], "victim": [{"level": 1, "luck": 2, "avoid": 1}]}},
        {"form": {"gm": [{"part": "left_arm", "levels": 1}], "victim": [{"avoid": 0}]}, "sheets": {"victim": WOUNDED}},
        {"form": {"gm": [{"part": "torso", "levels": 3}]}, "sheets": {"victim": WOUNDED}},
    ],
    "heal": [
        {"form": {"initiator": [{"part": "left_arm", "points": 2, "activity": "rest"}]},
         "sheets": {"initiator": WOUNDED}, "day": 3},
        {"form": {"initiator": [{"part": "torso"}]}, "sheets": {"initiator": WOUNDED}, "day": 3},
        {"form": {"initiator": [{"part": "left_leg", "level": 2, "points": 1}]}},
        {"form": {"initiator": [{"part": "left_arm", "points": 2, "activity": "rest"}]},
         "sheets": {"initiator": WOUNDED}, "day": 3, "options": {"serious_heals_to": "superficial"}},
    ],
    "replace-a-limb": [{"form": {"gm": [{"part": "left_leg"}]}, "sheets": {"character": WOUNDED}}],
    "wake-up-or-die": [
        {"form": {"gm": [{"fate": "wake_up"}]}, "sheets": {"character": {"name": "Sacha", "unconscious": True}}},
        {"form": {"gm": [{"fate": "die"}]}, "sheets": {"character": WOUNDED}},
    ],
}
