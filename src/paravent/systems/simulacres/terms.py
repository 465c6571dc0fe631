"""The words of Simulacres as types, and its printed tables.

A character is a sentence: what in me acts (a component), how (a means), on what (a realm).
"""

from __future__ import annotations

from enum import StrEnum

from paravent.game.tables import Tables

TABLES = Tables("paravent.systems.simulacres")


class Component(StrEnum):
    """What a person is made of (Composante)."""

    BODY = "body"
    INSTINCTS = "instincts"
    HEART = "heart"
    MIND = "mind"


class Means(StrEnum):
    """How a component expresses itself (Moyen)."""

    PERCEPTION = "perception"
    ACTION = "action"
    DESIRE = "desire"
    RESISTANCE = "resistance"


class Realm(StrEnum):
    """What an act bears on (Règne). ``none`` stands for an act that no realm fits."""

    MINERAL = "mineral"
    VEGETAL = "vegetal"
    ANIMAL = "animal"
    HUMAN = "human"
    MECHANICAL = "mechanical"
    VOID = "void"
    NONE = "none"


class Energy(StrEnum):
    """A reserve that lets one surpass oneself (Énergie)."""

    POWER = "power"
    SPEED = "speed"
    PRECISION = "precision"


class Rank(StrEnum):
    """How well a skill is mastered, from none to genius; in rising order."""

    NONE = "none"
    HOBBY = "hobby"
    TALENT = "talent"
    TRADE = "trade"
    GENIUS = "genius"


class Quality(StrEnum):
    """How well or badly a test went (T2)."""

    EXCELLENT = "excellent"
    VERY_GOOD = "very_good"
    GOOD = "good"
    NORMAL = "normal"
    ALMOST = "almost"
    POOR = "poor"
    VERY_POOR = "very_poor"


class Condition(StrEnum):
    """What a character at 0 of a counter is."""

    CONSCIOUS = "conscious"
    UNCONSCIOUS = "unconscious"
    MAD = "mad_or_shocked"
    COMA = "coma"
    DEAD = "dead"
