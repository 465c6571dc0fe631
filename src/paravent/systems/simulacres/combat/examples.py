"""Forms of combat that a conformance suite can play. Urlog and Aramir are those of the complete example."""

from __future__ import annotations

from typing import Any

Example = dict[str, Any]

URLOG: Example = {"value": 10, "training": "trade_family", "weapon": "two_handed_sword", "pv": 4, "ps": 4}
ARAMIR: Example = {"value": 9, "training": "untrained_simple", "weapon": "dagger", "pv": 4, "ps": 2, "ep": 4}
GUARD: Example = {"value": 6, "training": "talent", "weapon": "club", "pv": 4, "ps": 3, "ep": 3}

_NUMBERS: Example = {"armed": 9, "unarmed": 9, "ranged": 9, "training": "talent", "weapon": "long_sword"}
_STATE: Example = {
    "exchange": 0,
    "seconds": 5,
    "place": "",
    "sides": [{"id": "initiator", "side": "heroes"}, {"id": "opponent", "side": "guards"},
              {"id": "opponent2", "side": "guards"}],
    "fighters": [
        {"id": "initiator", "side": "heroes", **_NUMBERS, "precision": 2},
        {"id": "opponent", "side": "guards", "armed": 6, "training": "talent", "weapon": "club", "pv": 4, "ps": 3},
        {"id": "opponent2", "side": "guards", "armed": 6, "training": "talent", "weapon": "knife", "pv": 4, "ps": 3},
    ],
}

EXAMPLES: dict[str, list[Example]] = {
    "open-a-fight": [
        {"form": {"initiator": [{"value": 9, "weapon": "long_sword"}], "opponent": [GUARD, GUARD]}},
        {"form": {"initiator": [{}], "opponent": [GUARD]}, "sheets": {"initiator": "arthur"}},
    ],
    "exchange": [
        {"form": {"initiator": [{"energies": {"precision": 1, "ep": 1}}], "opponent": [{}, {}]}, "encounter": _STATE},
    ],
    "resolve-melee": [
        {"form": {"initiator": [URLOG], "opponent": [ARAMIR]}},
        {"form": {"initiator": [{**URLOG, "pull": True}], "opponent": [{**ARAMIR, "energies": "precision:2,ep:2"}]}},
        {"form": {"initiator": [{"value": 9}], "opponent": [GUARD, GUARD]}, "sheets": {"initiator": "arthur"}},
    ],
    "shoot": [
        {"form": {"initiator": [{"value": 9, "training": "talent", "weapon": "bow_light_arrow", "band": "medium",
                                 "energies": "precision:2"}], "opponent": [{"pv": 4, "armour": "mail"}]}},
        {"form": {"initiator": [{"value": 9, "training": "trade_family", "weapon": "bow_light_arrow"}],
                  "gm": [{"unaware": True}], "opponent": [{}]}, "options": {"auto_success_ranged": "yes"}},
    ],
    "roll-damage": [
        {"form": {"initiator": [{"margin": 2, "weapon": "long_sword"}]}},
        {"form": {"initiator": [{"margin": 3, "weapon": "musket"}],
                  "gm": [{"special_table": [{"least": 3, "most": 8, "words": "misfire"}]}]},
         "options": {"special_weapons": "on"}},
        {"form": {"initiator": [{"margin": 4, "weapon": "club", "pull": True, "aim": "large"}],
                  "gm": [{"target_armour": "1/0/2"}], "opponent": [{"pv": 4, "ps": 4}]}},
    ],
    "automatic-damage": [
        {"form": {"gm": [{"category": "C+3", "counter": "ps"}]}},
        {"form": {"gm": [{"explosive": "grenade_blast"}]}, "sheets": {"initiator": "arthur"}},
    ],
    "warriors-exchange": [
        {"form": {"initiator": [{"value": 12, "training": "trade_family", "weapon": "fist_trained", "level": 2,
                                 "blows": ["opponent", "opponent"]}],
                  "opponent": [{**GUARD, "level": 0}]},
         "options": {"warrior_way": "on", "weapon_mastery": "on", "ruleset": "campaign"}},
    ],
    "fight": [
        {"form": {"initiator": [URLOG], "opponent": [ARAMIR]}},
        {"form": {"initiator": [{"value": 10, "training": "talent", "weapon": "long_sword", "defends": 2}],
                  "opponent": [GUARD, GUARD]}},
    ],
}
