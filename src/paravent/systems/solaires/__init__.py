"""Solaires, by Sylvain « Greewi » Dumazet and Morvan, on the Système Féerie: two editions of the rules of action.

Three dice not above a score that elements make; what comes besides success is apart from it. The notice stands wherever
the game is shown.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from paravent.game import GM_ONLY, Chips, RecordKind, RowParts, Section, System, only

from .examples import EXAMPLES
from .facts import Category, PowerSet
from .moves import ENCOUNTERS, MOVES
from .people.bodies import body_kinds
from .people.character import LISTS, PASSAGES, Character, Figure, check, check_figure, derived, draw, ideas, ready
from .people.quick import quick_people, ready_figures, ready_words
from .scenes.time_moves import HABITS, passing

_STATES = Chips("states", "change-state", "character", {
    "gets_worse": "states_worse", "gets_lighter": "states_eased", "goes_away": "states_lost",
}, adds={"one_more_state": "states_gained"}, level="states_score", levels=PASSAGES.levels)
_OWNER = only("owner", "gm")
_TEXTS = PASSAGES.texts

CHARACTER = RecordKind(
    "character", Character, check=check, derived=derived, draw=draw, ready=ready, played=True, portrait="person",
    sections=(
        Section("identity", ("name", "full_name", "concept", "mind_type", "body", "gender")),
        Section("careers", ("careers",)),
        Section("traits", ("traits",)),
        Section("relations", ("relations",)),
        Section("equipment", ("equipment", "psi_power_set", "possessions")),
        Section("states", ("states", "psi_maintained", "network_host", "backups")),
        Section("points", ("points", "max_points", "failed")),
        Section("description", _TEXTS),
    ),
    gauges={"points": "max_points"},
    hidden={**dict.fromkeys((*_TEXTS, "backups"), _OWNER), "failed": GM_ONLY},
    rules={
        "identity": "SOL-101", "concept": "SOL-100", "careers": "SOL-103", "traits": "SOL-103", "relations": "SOL-103",
        "equipment": "SOL-105", "states": "SOL-106", "points": "SOL-107", "max_points": "SOL-109", "body": "SOL-151",
        "description": "SOL-102", "psi_power_set": "SOL-142", "psi_maintained": "SOL-145", "network_host": "SOL-160",
        "backups": "SOL-156", "failed": "SOL-017", "open_sets": "SOL-142", "displayed_name": "SOL-101",
    },
    choices={"body": body_kinds, "psi_power_set": lambda: tuple(PowerSet)},
    suggests={f"{LISTS[category]}.name": partial(ideas, category) for category in Category
              if category != Category.STATE},
    rows={"equipment": RowParts(counted="quantity")},
    passages=PASSAGES,
    chips=_STATES,
    in_play=frozenset({"psi_maintained", "failed"}),
)


def _figure(name: str, anybody: bool, portrait: str = "", **hidden: frozenset[str]) -> RecordKind[Figure]:
    return RecordKind(
        name, Figure, check=check_figure, anybody=anybody, chips=_STATES, portrait=portrait,
        sections=(Section("identity", ("name", "concept")), Section("elements", ("elements", "states", "notes"))),
        hidden={"notes": GM_ONLY, **hidden},
        rules={"elements": "SOL-031"},
    )


NPC = replace(_figure("npc", True, "person", elements=GM_ONLY), ready=ready_figures)
THING = _figure("thing", False)

NOTICE = {
    "fr": "Solaires est un jeu de Sylvain « Greewi » Dumazet et Morvan, sur le Système Féerie ; ses textes sont "
    "sous licence Creative Commons BY-NC-SA 4.0. Les mots d'ici sont les nôtres. Paravent n'est pas affilié à ses "
    "auteurs et ne fournit ni univers, ni illustrations, ni scénarios.",
    "en": "Solaires is a game by Sylvain “Greewi” Dumazet and Morvan, on the Système Féerie; its texts are under the "
    "Creative Commons BY-NC-SA 4.0 licence. The words here are ours. Paravent is not affiliated with its authors and "
    "ships no universe, picture or scenario.",
}

SYSTEM = System(
    id="solaires",
    package=__name__,
    version="0.1.0",
    moves=MOVES,
    kinds={kind.id: kind for kind in (CHARACTER, NPC, THING)},
    encounters=ENCOUNTERS,
    notice=NOTICE,
    passing=passing,
    habits=HABITS,
    quick_people=quick_people,
    quick_ideas=ready_words,
    look={"accent": "#0f5f73", "die": "d6"},
    examples=EXAMPLES,
)
