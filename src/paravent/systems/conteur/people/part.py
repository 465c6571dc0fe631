"""What this part declares to the game."""

from __future__ import annotations

from paravent.game import BodyFigure, RecordKind, RowParts, Section, Segment, Stage, only
from paravent.systems.conteur.facts import TABLES, Attribute
from paravent.systems.conteur.health.wounds import is_mortal

from .character import ATTRIBUTE_LEAST, ATTRIBUTE_MOST, Character, check, derived, draw, ideas, points_left, ready
from .examples import EXAMPLES
from .moves import CREATE_CHARACTER

__all__ = ["EXAMPLES", "KINDS", "MOVES"]

MOVES = (CREATE_CHARACTER,)

WOUND_WORDS = ("", "wound_1", "wound_2", "lost_part")
MORTAL_WORDS = {part: tuple("mortal" if is_mortal(part, level) else words for level, words in enumerate(WOUND_WORDS))
                for part in ("head", "torso")}
"""Of what nobody survives losing, no wound says that it is out of use."""
_OWNER = only("owner", "gm")


def _spread(*points: int) -> dict[str, int]:
    """What each attribute is given, in their order."""
    return dict(zip(map(str, Attribute), points, strict=True))


STAGES = (
    Stage("attributes", ("attributes",), {
        "sturdy": _spread(7, 6, 5, 4, 4, 4), "nimble": _spread(5, 7, 6, 4, 4, 4), "watchful": _spread(4, 5, 7, 4, 6, 4),
        "sociable": _spread(4, 4, 5, 7, 6, 4), "clever": _spread(4, 4, 6, 5, 7, 4), "lucky": _spread(4, 5, 5, 5, 4, 7),
        "even": _spread(5, 5, 5, 5, 5, 5),
    }),
    Stage("skills", ("skills",)),
    Stage("again", ("identity", "health", "energy", "in_progress")),
)
"""The three steps of a new character; the ideas are ours, 30 points each."""

CHARACTER = RecordKind(
    "character", Character, check=check, derived=derived, draw=draw, ready=ready, played=True, portrait="person",
    sections=(
        Section("identity", ("name", "player", "concept", "species", "notes")),
        Section("attributes", ("constitution", "dexterity", "perception", "social", "mental", "luck", "luck_used")),
        Section("skills", ("skills",)),
        Section("health", ("wounds", "wound_day", "healing_paid", "replaced", "unconscious", "dead")),
        Section("energy", ("energy", "energy_dice_max", "healing_spent_today", "healing_day", "day_activity")),
        Section("in_progress", ("complex_action",)),
    ),
    stages=STAGES,
    bounds=lambda rulings: {str(name): (ATTRIBUTE_LEAST[name], ATTRIBUTE_MOST) for name in Attribute},
    gauges={"luck_used": "luck", "energy": "24"},
    rows={"skills": RowParts(named="name")},
    used={"luck_used": "luck_available"},
    segments={"energy": [Segment(int(least), str(name)) for least, name in sorted(
        TABLES["segments"].column("segment").items())]},
    figure=BodyFigure("wounds", levels=WOUND_WORDS, own=MORTAL_WORDS),
    states=("dead", "dying", "unconscious"),
    in_play=frozenset({
        "wounds", "wound_day", "healing_paid", "replaced", "unconscious", "dead", "healing_spent_today", "healing_day",
        "day_activity", "complex_action", "luck_used", "energy",
    }),
    hidden={"luck_used": _OWNER, "notes": _OWNER},
    points=points_left,
    suggests={"skills.name": ideas},
    rules={
        "attributes": "D10-027", "luck": "D10-029", "luck_used": "D10-029", "luck_available": "D10-029",
        "skills": "D10-035",
        "health": "D10-039", "wound_day": "D10-066", "healing_paid": "D10-068", "replaced": "D10-043",
        "unconscious": "D10-054", "dead": "D10-044", "dying": "D10-044", "lost_limbs": "D10-042",
        "energy": "D10-047", "energy_dice_max": "D10-062", "segment": "D10-049", "healing_spent_today": "D10-069",
        "healing_limit_today": "D10-069", "healing_day": "D10-069", "day_activity": "D10-069",
        "in_progress": "D10-017",
    },
)

KINDS = {"character": CHARACTER}
