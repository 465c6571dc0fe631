"""Chance: where dice come from, what they leave behind, and exact odds.

A rule is a plain function whose first parameter is a :class:`Dice`. It is written once and read three ways:
played (:func:`play`), weighed (:func:`odds`, :func:`best`) and repeated (:func:`chain`).

>>> from paravent.dice import ScriptedDice, odds
>>> def kept(dice, score):
...     return sum(face <= score for face in dice.pool(3, 6))
>>> kept(ScriptedDice(3, 6, 2), 5)
2
>>> odds(kept, 5).chance(lambda kept: kept >= 2)
Fraction(25, 27)
"""

from .best import BestPlay, best
from .chain import Chain, Repeated, chain
from .die import d
from .errors import DiceError, NotAnOption, ParaventError
from .fair import KeyedFaces, LiveFaces, commitment, new_key
from .odds import Odds, forget_odds, fraction_text, kept_with_odds, odds
from .play import (
    Answered,
    ByHand,
    Choice,
    LiveDice,
    Noted,
    Played,
    PlayedDice,
    Record,
    RecordedDice,
    ScriptedDice,
    SeededDice,
    Thrown,
    TypedDice,
    UnrecordedDice,
    Waiting,
    Wanted,
    plain,
    play,
    record_from_json,
    record_to_json,
    usually,
)
from .protocol import Dice, Policy, ThrowAgain
from .ways import Deck, Kinds, Take

__all__ = [  # noqa: RUF022 -- as one reads them
    "Answered", "BestPlay", "ByHand", "Chain", "Choice", "Deck", "Dice", "DiceError", "KeyedFaces", "Kinds", "LiveDice",
    "LiveFaces", "NotAnOption", "Noted", "Odds", "ParaventError", "Played", "PlayedDice", "Policy", "Record",
    "RecordedDice", "Repeated", "ScriptedDice", "SeededDice", "Take", "Thrown", "ThrowAgain", "TypedDice",
    "UnrecordedDice", "Waiting", "Wanted", "best", "chain", "commitment", "d", "forget_odds", "fraction_text",
    "kept_with_odds", "new_key", "odds", "plain", "play", "record_from_json", "record_to_json", "usually",
]
