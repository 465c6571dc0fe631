"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUARD, Examples

STUNNED = {**GUARD, "conditions": [{"name": "stunned"}]}
HELD = {**GUARD, "conditions": [{"name": "held"}, {"name": "choked", "amount": 3}], "resistance_physical": 20}
HURT = {**GUARD, "resistance_physical": 14}
FIGHT = {"sides": [{"id": "initiator", "side": "initiator"}, {"id": "opponent", "side": "opponent"}]}
BLOW = {"value": 10, "weapon": "sword", "height": "middle", "column": "normal"}
FOE = {"value": 9, "weapon": "dagger", "height": "middle", "column": "normal", "resistance": 24}

EXAMPLES: Examples = {
    "start-fight": [
        {"form": {"initiator": [{"dexterity": 8}], "opponent": [{"dexterity": 8}, {"dexterity": 8}]}},
        {"form": {"gm": [{"initiative": "nobody"}]}, "sheets": {"initiator": GUARD, "opponent": GUARD}},
        {"form": {"initiator": [{"dexterity": 9}], "opponent": [{"dexterity": 7}]}},
        {"form": {"initiator": [{"dexterity": 7, "level": 3}], "opponent": [{"dexterity": 9, "level": 1}],
                  "gm": [{"shooters": True}]}},
    ],
    "combat-exchange": [
        {"form": {"initiator": [{**BLOW, "attitude": "attack"}], "opponent": [{**FOE, "attitude": "parry"}]},
         "encounter": FIGHT},
        {"form": {"initiator": [{"attitude": "attack", "height": "middle", "column": "precise", "spot": "hand",
                                 "cap": 0}],
                  "opponent": [{"attitude": "feint", "height": "high", "column": "normal"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD}, "encounter": {**FIGHT, "sequence": 1}},
        {"form": {"initiator": [{"attitude": "attack", "height": "high"}]},
         "sheets": {"initiator": GUARD, "opponent": STUNNED}, "encounter": {**FIGHT, "sequence": 2}},
        {"form": {"initiator": [{"attitude": "feint"}], "opponent": [{"attitude": "feint"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD}, "encounter": {**FIGHT, "sequence": 2}},
        {"form": {"opponent": [{"attitude": "attack"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD}, "encounter": {**FIGHT, "initiative": "opponent"}},
    ],
    "take-position": [
        {"form": {"gm": [{"posture": "in_cover", "apart": 12}]}, "sheets": {"initiator": GUARD}, "encounter": FIGHT},
        {"form": {"gm": [{"apart": 4, "moving": True}]}, "sheets": {"initiator": GUARD}, "encounter": FIGHT},
    ],
    "catch-breath": [
        {"form": {}, "sheets": {"initiator": {**GUARD, "acted": 4}}, "encounter": {**FIGHT, "sequence": 4}},
    ],
    "single-exchange": [
        {"form": {"initiator": [{**BLOW, "attitude": "attack", "resistance": 24}],
                  "opponent": [{**FOE, "attitude": "attack"}]}},
        {"form": {"initiator": [{**BLOW, "attitude": "attack"}], "opponent": [{"resistance": 20, "left": 3}],
                  "gm": [{"free": "initiator"}]}},
    ],
    "one-against-many": [
        {"form": {"initiator": [{**BLOW, "attitude1": "attack", "attitude2": "parry", "resistance": 24}],
                  "opponent": [{**FOE, "attitude": "attack"}, {**FOE, "value": 8, "attitude": "feint"}]}},
        {"form": {"initiator": [{"attitude1": "parry"}], "opponent": [{"attitude": "attack"}, {"attitude": "attack"}],
                  "gm": [{"situation": "corner"}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD, "opponent2": HURT}},
    ],
    "ambush": [
        {"form": {"initiator": [{"characteristic": 9, "level": 1, "column": "precise"}]}},
        {"form": {"initiator": [{"purpose": "set"}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"characteristic": 9, "column": "vague"}], "gm": [{"difficulty": "easy"}]}},
        {"form": {"initiator": [{"characteristic": 12}], "gm": [{"difficulty": "easy"}]}},
    ],
    "hold": [
        {"form": {"initiator": [{"value": 13}]}},
        {"form": {"initiator": [{"grip": "choke", "height": "high"}]},
         "sheets": {"initiator": GUARD, "opponent": HELD}},
    ],
    "break-free": [
        {"form": {"initiator": [{"evasion": 8, "strength": 7}], "opponent": [{"strength": 9}]}},
        {"form": {"gm": [{"sequences": 2}]}, "sheets": {"initiator": HELD, "opponent": GUARD}},
    ],
    "fall": [
        {"form": {"gm": [{"drop_cm": 500}]}},
        {"form": {"gm": [{"drop_cm": 1200, "ground": "rock"}]}, "sheets": {"initiator": GUARD}},
    ],
    "ready-weapon": [
        {"form": {"initiator": [{"act": "draw", "weapon": "stunner", "power": 3}]}},
        {"form": {"initiator": [{"act": "draw"}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"act": "set_power", "power": 2}]}, "sheets": {"initiator": GUARD}},
    ],
    "shoot": [
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 9, "level": 2, "column": "precise"}],
                  "opponent": [{"resistance": 24, "armour": 9}], "gm": [{"distance": 167}]}},
        {"form": {"initiator": [{"weapon": "dagger"}], "gm": [{"distance": 10}]}, "sheets": {"initiator": GUARD}},
        {"form": {"initiator": [{"weapon": "stunner", "characteristic": 12, "level": 4, "power": 4}],
                  "opponent": [{}], "gm": [{"distance": 3, "difficulty": "easy"}]}, "sheets": {"opponent": GUARD}},
        {"form": {"initiator": [{"weapon": "stunner", "characteristic": 12, "level": 4}], "opponent": [{}],
                  "gm": [{"distance": 3}]},
         "sheets": {"opponent": GUARD}, "options": {"stunners": "endurance_roll"}},
        {"form": {"initiator": [{"weapon": "laser", "characteristic": 9}], "gm": [{"distance": 501}]}},
    ],
    "grenade": [
        {"form": {"initiator": [{"characteristic": 9, "level": 1}], "opponent": [{"squares": 1, "resistance": 24}],
                  "gm": [{"tech_level": 4}]}},
        {"form": {"initiator": [{"lean": "right"}], "opponent": [{"squares": 2}, {"squares": 0}],
                  "gm": [{"may_evade": True}]},
         "sheets": {"initiator": GUARD, "opponent": GUARD, "opponent2": GUARD}},
    ],
    "treat-wounds": [
        {"form": {"initiator": [{"level": 2, "medibloc": True}],
                  "patient": [{"lost": 12, "resistance": 24, "endurance": 6}]}},
        {"form": {}, "sheets": {"initiator": GUARD, "patient": HURT}},
        {"form": {"patient": [{"lost": 7, "resistance": 24, "endurance": 7}]}},
    ],
    "infection-check": [
        {"form": {"initiator": [{"evasion": 8}]}},
        {"form": {"gm": [{"trigger": "cold", "confirm": True}]}, "sheets": {"initiator": HURT}},
    ],
}
