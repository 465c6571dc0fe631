"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paravent.game import Example
from paravent.systems.conteur.examples import WOUNDED

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "refund-luck": [
        {"form": {"character": [{"luck": 5, "luck_used": 4}], "gm": [{"points": 6}]}},
        {"form": {"gm": [{"points": 1, "silent": True}]}, "sheets": {"character": WOUNDED}},
    ],
    "end-of-scene": [
        {"form": {"character": [{"energy": 13, "cost": 2}, {"energy": 1, "cost": 2}]}},
        {"form": {"character": [{"energy": 1, "cost": 2}]}, "options": {"energy_zero": "collapse"}},
    ],
    "sleep": [{"form": {"initiator": [{"blocks": [5, 3], "energy": 10}]}}],
    "eat": [{"form": {"initiator": [{"meal": "feast"}]}, "sheets": {"initiator": WOUNDED}}],
    "adjust-energy": [{"form": {"gm": [{"amount": -4}]}, "sheets": {"character": WOUNDED}}],
    "new-day": [{"form": {}, "day": 3}, {"form": {"character": [{}]}, "sheets": {"character": WOUNDED}, "day": 3}],
}
