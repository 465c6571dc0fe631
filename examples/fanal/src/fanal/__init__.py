"""Fanal: keepers of a lighthouse guide ships through the fog. Eight-sided dice; the highest face is the beam."""

from __future__ import annotations

from paravent.game import Beat, Calendar, Encounter, RecordKind, Section, Segment, Stage, System, Timeline, Track

from .keeper import HABITS, IDEAS, Keeper, at_a_glance, check, derived, draw, names, origins, points_left, ready, rested
from .moves import EXAMPLES, MOVES
from .night import DAWN, Night

SYSTEM = System(
    id="fanal",
    package=__name__,
    version="1.0.0",
    moves=MOVES,
    kinds={
        "character": RecordKind(
            "character", Keeper, check=check, derived=derived, draw=draw, ready=ready, played=True,
            sections=(
                Section("who", ("name", "origin", "story")),
                Section("crafts", ("lamp", "horn", "boat", "log")),
                Section("tower", ("flasks", "glass")),
            ),
            stages=(Stage("who", ("who",)), Stage("crafts", ("crafts",), IDEAS), Stage("tower", ("tower",))),
            points=points_left,
            suggests={"name": names},
            gauges={"glass": "4"},
            segments={"glass": (Segment(0, "dark"), Segment(1, "chipped"), Segment(4, "whole"))},
            glimpses=at_a_glance,
            rules={"origin": "FAN-011", "crafts": "FAN-002", "flasks": "FAN-005", "glass": "FAN-006"},
            choices={"origin": origins},
        ),
    },
    encounters={"night": Encounter(
        "night", Night, over=lambda night: night.over, hidden=frozenset({"fog", "shoals"}),
        tracks=(Track(DAWN, "hour"),), timeline=Timeline("past", "hour", "past", marked=frozenset({"cracked"})))},
    notice={
        "fr": "Fanal est un jeu d'exemple, sous licence MIT.",
        "en": "Fanal is an example game, under the MIT licence.",
    },
    look={"accent": "#b5651d"},
    signs={
        "lamp": "M9 3h6l2 8H7zM8 11v8h8v-8M6 19h12",
        "horn": "M3 10h4l10-5v14L7 14H3zM20 9v6",
        "boat": "M3 15h18l-3 5H6zM12 15V3l6 9h-6",
        "log": "M6 3h11v18H6zM9 8h5M9 12h5",
    },
    glyphs={"lamp": "☼", "horn": "♪", "boat": "≈", "log": "≡"},
    passing=rested,
    habits=HABITS,
    calendar=Calendar(
        months=(("thaw", 40), ("larks", 40), ("swell", 40), ("mists", 40), ("frost", 40)),
        week=("lamp", "horn", "boat", "log", "rest"), begins=121, year=87,
    ),
    first_evening=(
        Beat("keepers", kind="character"), Beat("light", move="signal"), Beat("night", move="begin-watch"),
        Beat("hour", move="watch"),
    ),
    examples=EXAMPLES,
)
