"""Forms of this part that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from paravent.systems.empire.examples import GUIDE, WORLD, Examples, with_cast

AGENT = {"kind": "person", "name": "le clerc", "role": "ally",
         "schedule": [["home", 0, 29, 2], ["office", 30, 59, 2]]}

DECK = {"kind": "deck", "name": "Ixe", "cards": [
    {"kind": "rumour", "text": "Le phare ne s'allume plus.", "true": False},
    {"kind": "errand", "text": "Porter une lettre au port.", "reward": 200, "told": True}]}

EXAMPLES: Examples = with_cast({
    "write-rumour": [
        {"form": {"gm": [{"card_text": "On a vu des lumières."}]}, "sheets": {"world": WORLD}},
        {"form": {"gm": [{"card_kind": "errand", "card_text": "Retrouver le chien.", "reward": 50}]},
         "sheets": {"deck": DECK}},
    ],
    "tell-rumour": [{"form": {"initiator": [{}], "gm": [{}]}, "sheets": {"initiator": GUIDE, "deck": DECK}},
                    {"form": {"initiator": [{}], "gm": [{"aloud": False}]},
                     "sheets": {"initiator": GUIDE, "deck": DECK}}],
    "finish-errand": [{"form": {"initiator": [{}], "gm": [{}]}, "sheets": {"initiator": GUIDE, "deck": DECK}}],
    "generate-animal": [
        {"form": {"gm": [{"oceans_o": 6}]}},
        {"form": {"gm": [{"name": "croc", "diet": "carnivore", "weapon": "D"}]}, "sheets": {"world": WORLD}},
    ],
    "generate-fauna": [
        {"form": {"gm": [{"oceans_o": 6, "people_level": 0}]}},
        {"form": {"gm": [{"companions": True}]}, "sheets": {"world": WORLD}},
    ],
    "start-day": [
        {"form": {"gm": [{"circumstances": "mountain,many_characters", "oceans_o": 6}]}},
        {"form": {"gm": [{}]}, "sheets": {"world": WORLD}, "options": {"behaviour_rolls": "two"}},
    ],
    "animal-encounter": [
        {"form": {"gm": [{"oceans_o": 6, "announce": True}]}},
        {"form": {"gm": [{}]}, "sheets": {"world": WORLD}},
    ],
    "provoke": [
        {"form": {"initiator": [{"provocation": "shot_at"}], "gm": [{"behaviour": "flight_if_provoked"}]}},
        {"form": {"initiator": [{"provocation": "none_of_it", "distance": 30}],
                  "gm": [{"behaviour": "attack_if_provoked"}]},
         "sheets": {"animal": {"kind": "animal", "name": "broute", "diet_ta": 4, "body_row": 9}}},
        {"form": {"gm": [{"behaviour": "flight_then_attack"}]}},
    ],
    "note-encounter": [
        {"form": {"gm": [{"name": "douanier", "role": "obstacle", "tech_level": 4, "nature": "friendly"}]}},
        {"form": {"gm": [{"role": "nemesis", "tags": "rancune"}]}, "sheets": {"character": GUIDE}},
        {"form": {"gm": [{"name": "passante"}]}, "sheets": {"world": WORLD}},
        {"form": {"gm": [{"role": "lurer"}]}, "sheets": {"person": AGENT}},
    ],
    "locate-person": [
        {"form": {"initiator": [{"place": "office"}], "gm": [{"minute": 40}]}},
        {"form": {"initiator": [{"place": "restaurant"}], "gm": [{"hint": "12, rue des Sas"}]},
         "sheets": {"person": AGENT}},
    ],
})
