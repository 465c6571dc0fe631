"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUIDE, SCORED, WORLD, Examples, with_cast

MARKET = {"kind": "market", "name": "Ixe", "tech_level": 4, "nature": "neutral", "politics_row": 9,
          "offered": [6, 9, 6, 13, 8], "demanded": [11, 5, 15, 6, 6]}
CARGO = {"kind": "cargo", "name": "soute", "lots": [
    {"good": "plants", "quantity": 12, "tech_level": 6, "origin": "Our"},
    {"good": "arms", "quantity": 3, "tech_level": 5, "origin": "Our"},
]}

EXAMPLES: Examples = with_cast({
    "generate-market": [
        {"form": {"gm": [{"name": "Ixe", "tech_level": 4}]}},
        {"form": {"gm": [{"month": 0}]}, "sheets": {"world": WORLD}},
        {"form": {"gm": [{}]}, "sheets": {"market": MARKET}},
    ],
    "survey-market": [
        {"form": {"initiator": [{"appraisal": 3}], "gm": [{"tech_level": 2}]}},
        {"form": {"gm": [{}]}, "sheets": {"initiator": GUIDE, "market": MARKET}},
        {"form": {"gm": [{"tech_level": 1}]}},
    ],
    "acquire-object": [
        {"form": {"initiator": [{"name": "épée", "object_level": 2, "charm": 9, "willpower": 8}]}},
        {"form": {"initiator": [{"weapon": "laser", "haggles": True, "parts": 4}]}, "sheets": {"initiator": GUIDE}},
        {"form": {"initiator": [{"robot_type": "logimec", "programme": "tracker", "accept": False}]},
         "sheets": {"initiator": GUIDE}},
    ],
    "place-object": [{"form": {"gm": [{"name": "radio", "good": "communication", "object_level": 4}]}}],
    "buy-lots": [
        {"form": {"initiator": [{"good": "drugs"}], "gm": [{"tech_level": 2}]}},
        {"form": {"initiator": [{"good": "plants", "quantity": 12, "haggles": True}], "gm": [{"difficulty": "easy"}]},
         "sheets": {"initiator": GUIDE, "market": MARKET, "cargo": CARGO}},
        {"form": {"initiator": [{"good": "information", "accept": False}], "gm": [{"tech_level": 2, "base": 500}]}},
    ],
    "sell-lots": [
        {"form": {"initiator": [{"good": "crafts", "quantity": 12, "goods_level": 1}], "gm": [{"tech_level": 6}]}},
        {"form": {"initiator": [{"good": "plants", "quantity": 4}]},
         "sheets": {"initiator": GUIDE, "market": MARKET, "cargo": CARGO}},
        {"form": {"initiator": [{"good": "crafts", "goods_level": 3}], "gm": [{"tech_level": 3, "duty_rate": 5}]},
         "options": {"equal_tech": "zero", "local_tax": "gm"}},
    ],
    "haggle": [
        {"form": {"initiator": [{**SCORED, "charm": 10, "grade": 3, "price": 2000}], "gm": [{"against": 2}]}},
        {"form": {"initiator": [{"bargain": "sell"}], "gm": [{"against": 4, "renewals": 1}]},
         "sheets": {"initiator": GUIDE}},
        {"form": {"initiator": [SCORED], "gm": [{"against": 14}]}, "options": {"haggling_characteristic": "tested"}},
    ],
    "leave-port": [
        {"form": {"initiator": [{"good": "plants", "quantity": 10}]}},
        {"form": {"initiator": [{"disguised": "arms", "destination_level": 2}], "gm": [{"inspected": True}]},
         "sheets": {"initiator": GUIDE, "cargo": CARGO}},
    ],
    "bribe": [
        {"form": {"initiator": [{**SCORED, "grade": 3}],
                  "gm": [{"target_grade": 1, "tech_level": 4, "politics_row": 9}]}},
        {"form": {"gm": [{"days": 3}]}, "sheets": {"initiator": GUIDE, "market": MARKET}},
    ],
})
