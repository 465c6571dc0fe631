"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import SECTOR, WORLD, Examples, with_cast

EXAMPLES: Examples = with_cast({
    "generate-sector": [
        {"form": {"gm": [{"name": "Marges", "seed": "ourmansk"}]}},
        {"form": {"gm": [{"name": "Noyau", "density": "core", "seed": "noyau"}]}},
    ],
    "draw-more": [
        {"form": {"gm": [{"drawn_where": "east", "name": "Levant"}]}, "sheets": {"sector": SECTOR}},
        {"form": {"gm": [{"drawn_where": "quarter_south_east"}]},
         "sheets": {"sector": {**SECTOR, "drawn": ["quarter_north_west"]}}},
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
})
