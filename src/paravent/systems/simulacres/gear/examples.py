"""Forms of what people carry that a conformance suite can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paravent.systems.simulacres.people.examples import GROWN

Example = Mapping[str, Any]

CARRIER: Mapping[str, Any] = {
    **GROWN, "money": 40, "weapons": [{"id": "pistol_medium", "capacity": 6, "rounds": 1}],
    "equipment": [{"name": "Lampe", "charges_max": 4}, {"name": "Balles", "count": 12, "feeds": "pistol_medium"}],
}
STALL: Mapping[str, Any] = {
    "kind": "price-list", "name": "L'échoppe du quai", "currency": "pièces",
    "goods": [{"name": "Corde", "price": 3}, {"name": "Balles", "price": 2, "feeds": "pistol_medium"},
              {"name": "Pistolet", "price": 30, "charges": 6, "weapon": "pistol_medium"}],
}
EXAMPLES: Mapping[str, Sequence[Example]] = {
    "use-equipment": [{"form": {"initiator": [{"item": "Lampe"}]}, "sheets": {"initiator": CARRIER}}],
    "load-a-weapon": [{"form": {"initiator": [{"weapon": "pistol_medium"}]}, "sheets": {"initiator": CARRIER}}],
    "buy-or-sell": [
        {"form": {"initiator": [{"goods": "Corde", "how_many": 2}], "shop": [{}]},
         "sheets": {"initiator": CARRIER, "shop": STALL}},
        {"form": {"initiator": [{"deal": "sell", "sold": "Lampe"}], "gm": [{"price": 5}]},
         "sheets": {"initiator": CARRIER}},
    ],
}
