"""Forms that the common suite plays, weighs, repeats and writes down: one at least for every move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paravent.game import Example

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "create-character": [
        {"form": {"initiator": [{"sheet": {"name": "Sacha", "dexterity": 9, "luck": 2, "skills": [
            {"field": "actions", "name": "Tir", "value": 3}]}}]}},
        {"form": {"initiator": [{"sheet": {"name": "Alix", "skills": [
            {"field": "piloting", "name": "Cargos", "value": 6}]}}], "gm": [{"override": True}]}},
    ],
}
