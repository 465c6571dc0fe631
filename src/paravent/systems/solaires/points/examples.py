"""Examples of the moves of points."""

from __future__ import annotations

from paravent.systems.solaires.samples import ORIN, Examples

EXAMPLES: Examples = {
    "spend-points": [
        {"form": {"initiator": [{"use": "link_story_element", "text": "le videur est un cousin"}]}},
        {"form": {"initiator": [{"use": "flashback", "text": "c'était hier", "alters_character": True,
                                 "category": "relation", "element_name": "Le vieux contremaître", "score": 2}],
                  "gm": [{"surcharge": 2}]},
         "sheets": {"initiator": ORIN}},
        {"form": {"initiator": [{"use": "create_story_element", "text": "un puits", "points": 1}],
                  "contributor": [{"share": 2}]},
         "options": {"pooling": "true"}},
    ],
    "ask-the-gm": [
        {"form": {"initiator": [{"question": "Qui a vidé le coffre ?"}],
                  "gm": [{"answer": "Quelqu'un du bord.", "private": True}]}, "sheets": {"initiator": ORIN}},
    ],
}
