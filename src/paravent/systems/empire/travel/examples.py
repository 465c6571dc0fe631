"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUIDE, SECTOR, TEKNO, WORLD, Examples, with_cast

EXAMPLES: Examples = with_cast({
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
})
