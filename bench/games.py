"""What an evening of each game is made of, for :mod:`bench.evening`: one small table, in the games' own words.

``test`` is the first simple test that the game knows, as its ready table opens it; ``field`` one field of it that its
player fills in again and again; ``gauge`` a line of the sheet that goes down and up; ``exchange`` one exchange of a
fight, or what the game has in its place, each side filling in its own. ``hero`` is the first player's character,
``foe`` one that the game master holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

HERO, FOE, GM = "hero", "foe", "gm"
Form = dict[str, dict[str, Any]]


class Opening(NamedTuple):
    """A move, who is in it, and what each fills in."""

    move: str
    cast: dict[str, list[str]]
    form: Form = {}


class Field(NamedTuple):
    """A field of the test, and the values that its player hesitates between."""

    id: str
    values: tuple[Any, Any]


class Gauge(NamedTuple):
    """A line of the hero's sheet, and the values it goes between."""

    path: str
    values: tuple[Any, Any]


class Game(NamedTuple):
    """What is played of one game."""

    heroes: tuple[str, ...]
    """Ready-made characters, one for each player in turn."""
    foe: tuple[str, str]
    """Whom the game master holds: a kind of record, and a ready-made one."""
    test: Opening
    field: Field
    gauge: Gauge
    exchange: Opening
    fight: Opening | None = None
    """What opens the encounter in which the exchange is played, where there is one."""


ALONE = {"initiator": [HERO]}
AGAINST = {"initiator": [HERO], "opponent": [FOE]}

GAMES: dict[str, Game] = {
    "conteur": Game(
        heroes=("maelle-tisserand", "yuna-kadiri", "oreste-valdore", "thea-lorme"),
        foe=("character", "anselme-ruvier"),
        test=Opening("throw", ALONE, {HERO: {"attribute": "dexterity", "skill": 3}, GM: {"difficulty": 1}}),
        field=Field("energy_dice", (1, 0)),
        gauge=Gauge("energy", (17, 18)),
        exchange=Opening("opposed-roll", AGAINST, {
            HERO: {"attribute": "dexterity", "skill": 3}, FOE: {"attribute": "constitution", "skill": 2}}),
    ),
    "simulacres": Game(
        heroes=("nour", "arthur", "ludmila", "tiphaine", "cyprien"),
        foe=("character", "isidore"),
        test=Opening("simple-test", ALONE, {HERO: {"component": "body", "means": "perception", "realm": "mechanical"}}),
        field=Field("means", ("action", "perception")),
        gauge=Gauge("life_points", (4, 5)),
        fight=Opening("open-a-fight", AGAINST),
        exchange=Opening("exchange", AGAINST),
    ),
    "solaires": Game(
        heroes=("cabestan", "alidade", "girouette", "pendule"),
        foe=("character", "jusant"),
        test=Opening("action", ALONE, {
            HERO: {"goal": "accoster le cargo", "element": 3, "attitude": "unstable"},
            GM: {"intrinsic": -2, "scenario_interest": 1, "on_success": "le sas s'aligne", "on_failure": "il tourne"}}),
        field=Field("element", (2, 3)),
        gauge=Gauge("points", (1, 2)),
        exchange=Opening("opposition", AGAINST, {HERO: {"element": 3}, FOE: {"element": 2}}),
    ),
    "empire": Game(
        heroes=("solveig", "bastien", "oriane", "maelis", "anselme", "jonas"),
        foe=("npc", "commander"),
        test=Opening("skill-test", ALONE, {
            HERO: {"skill": "46", "characteristic": "intelligence", "column": "precise"}, GM: {"handed": True}}),
        field=Field("column", ("normal", "precise")),
        gauge=Gauge("resistance_physical", (20, 21)),
        fight=Opening("start-fight", AGAINST),
        exchange=Opening("combat-exchange", AGAINST, {
            GM: {"free": "nobody"}, HERO: {"attitude": "attack"}, FOE: {"attitude": "parry"}}),
    ),
}
