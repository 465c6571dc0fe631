"""Dice as they are written: ``3d6+2``, ``4d6k3``, ``5d10>=7``, ``3d6!``, ``7d10!k4``, ``2d6*10``, and words after them.

What other tables write otherwise is refused with the form that is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import NamedTuple

from .distribution import Odds
from .errors import DiceError
from .protocol import Dice

_DICE = r"(?P<n>\d{0,7})\s*[dD]\s*(?P<sides>\d{1,7}|%)"
_KEEP = r"(?:\s*(?P<keep>kh|kl|k|dh|dl|d)(?P<kept>\d{1,7})|(?P<one>kh|kl|k|dh|dl)\b)?"
_COUNT = r"(?:\s*(?P<sign>>=|<=|=|≥|≤)\s*(?P<at>\d{1,7}))?"
_TIMES = r"(?:\s*[*x×]\s*(?P<times>\d{1,7}))?"
_HOW = rf"(?P<first>!)?{_KEEP}(?P<again>!)?{_COUNT}"
_TERM = re.compile(rf"\s*(?:{_DICE}{_HOW}|(?P<plain>\d{{1,7}})){_TIMES}", re.IGNORECASE)
_PLUS = re.compile(r"\s*([+\-−])")
_WORDS = re.compile(r"[\s,;:]+(?=[^\W\d_])(.*)", re.DOTALL)
_BARE = re.compile(r"\d*d(\d+|%)[\w!<>=≥≤*×]*(\s*[+\-−]\s*\d*(d(\d+|%)[\w!<>=≥≤*×]*)?)*\s*(#.*)?", re.IGNORECASE)
_FUDGE = re.compile(r"(\d{0,7})\s*df\b", re.IGNORECASE)
_BEYOND = re.compile(r"(\d*d(?:\d+|%))\s*([<>])\s*(\d+)", re.IGNORECASE)
_TENS = re.compile(r"\b1?d66\b", re.IGNORECASE)
_WORD = re.compile(r"\s*[+\-−]\s*([^\W\d_][^\s+\-−#]*)")
_SAME = {"≥": ">=", "≤": "<=", "": ""}
MOST_DICE, MOST_SIDES, MOST_TERMS, MOST_TIMES = 100, 1000, 20, 1_000_000
_MOST_AGAIN = 10
_LIGHT = 2000
"""How many results a throw may have for its odds to be worked out."""


class NotDice(DiceError):
    """What was typed is not a throw of dice."""

    code = "dice/not-an-expression"


class WrittenOtherwise(NotDice):
    """A throw that other tables write so; ours is written otherwise."""

    code = "dice/written-otherwise"


class WordInThrow(NotDice):
    """A value was added by its name: free dice know numbers only."""

    code = "dice/word-in-throw"


class TooManyToThrow(NotDice):
    """More dice, or more sides, than are thrown at once."""

    code = "dice/too-much"


class Term(NamedTuple):
    """One part of a free throw: so many dice, or a plain number (no sides)."""

    sign: int
    number: int
    sides: int
    keep: int = 0
    """How many of the highest dice count; of the lowest, if negative; all, if 0."""
    again: bool = False
    """Dice that show their highest face are thrown again, and added."""
    counts: str = ""
    """Dice are counted that stand so (``>=``, ``<=``, ``=``) to ``at``."""
    at: int = 0
    times: int = 1


class FreeThrow(NamedTuple):
    """What a free throw gives."""

    total: int
    text: str
    comment: str = ""


def read_dice(text: str) -> tuple[Term, ...]:
    """The terms of ``3d6+2``; a capital D will do, and what follows ``#`` is a comment.

    >>> read_dice("3D6 + 2 # épée")[0][:3], read_dice("4d6k3")[0].keep, read_dice("5d10>=7")[0].at
    ((1, 3, 6), 3, 7)
    """
    return _read(text)[0]


def comment_of(text: str) -> str:
    """The words that follow the dice, after ``#`` or a blank."""
    return _read(text)[2]


def dice_of(text: str) -> str:
    """The dice as they were typed, without the words."""
    return _read(text)[1]


def is_bare(text: str) -> bool:
    """Whether a line is nothing but dice and their comment."""
    return _BARE.fullmatch(text) is not None


def _read(text: str) -> tuple[tuple[Term, ...], str, str]:
    wanted, _, comment = (part.strip() for part in text.partition("#"))
    terms: list[Term] = []
    at, plus = 0, _PLUS.match(wanted)
    while plus is not None or not terms:
        at = plus.end() if plus is not None else at
        found = _TERM.match(wanted, at)
        if found is None:
            raise _refusal(text, wanted)
        terms.append(_term(found, -1 if plus is not None and plus[1] != "+" else 1, text))
        at = found.end()
        plus = _PLUS.match(wanted, at)
    said = _WORDS.fullmatch(wanted, at)
    if at < len(wanted) and (said is None or _TERM.match(wanted, at) or _TERM.match(said[1])):
        raise _refusal(text, wanted)
    _check(terms, text)
    return tuple(terms), wanted[:at].strip(), " ".join(filter(None, (said[1].strip() if said else "", comment)))


class _Typed(NamedTuple):
    """One part of a free throw as it was typed: the groups of ``_TERM``."""

    times: str | None
    plain: str | None
    n: str | None
    sides: str
    keep: str | None
    kept: str | None
    one: str | None
    first: str | None
    again: str | None
    sign: str | None
    at: str | None


def _term(found: re.Match[str], sign: int, text: str) -> Term:
    typed = _Typed(**found.groupdict())
    times = int(typed.times or 1)
    if typed.plain:
        return Term(sign, int(typed.plain), 0, times=times)
    number, sides = int(typed.n or 1), 100 if typed.sides == "%" else int(typed.sides)
    how, kept = (typed.keep or typed.one or "").lower(), int(typed.kept or 1)
    if how in ("dl", "d", "dh"):
        kept = number - kept
    if how and not 0 < kept <= number:
        raise NotDice(got=text)
    keep = (-kept if how in ("kl", "dh") else kept) if how else 0
    counts = _SAME.get(typed.sign or "", typed.sign or "")
    again = bool(typed.first or typed.again)
    if keep and again and counts:
        raise NotDice(got=text)
    return Term(sign, number, sides, keep, again, counts, int(typed.at or 0), times)


def _refusal(text: str, wanted: str) -> NotDice:
    """Why a throw is not one, with the form that is meant if another table's habit is recognised."""
    fudge, beyond = _FUDGE.search(wanted), _BEYOND.search(wanted)
    if fudge is not None:
        number = int(fudge[1] or 1)
        return WrittenOtherwise(got=fudge[0], form=f"{number}d3-{2 * number}")
    if beyond is not None:
        return WrittenOtherwise(got=beyond[0], form=f"{beyond[1]}{beyond[2]}={beyond[3]}")
    word = _WORD.search(wanted)
    return WordInThrow(word=word[1]) if word is not None and wanted[:1].isalnum() else NotDice(got=text.strip())


def _check(terms: list[Term], text: str) -> None:
    if _TENS.search(text.partition("#")[0]):
        raise WrittenOtherwise(got="d66", form="1d6*10+1d6")
    thrown = sum(term.number for term in terms if term.sides)
    if (thrown > MOST_DICE or len(terms) > MOST_TERMS or any(term.sides > MOST_SIDES for term in terms)
            or any(max(term.times, term.number) > MOST_TIMES for term in terms)):
        raise TooManyToThrow(dice=MOST_DICE, sides=MOST_SIDES)
    if not thrown or any(term.sides == 1 or (term.sides and not term.number) for term in terms):
        raise NotDice(got=text)


def free_throw(dice: Dice, terms: Sequence[Term], text: str, comment: str = "") -> FreeThrow:
    """Throw each term and add up."""
    total = sum(term.sign * term.times * _value(dice, term) for term in terms)
    return FreeThrow(total, text, comment)


def _value(dice: Dice, term: Term) -> int:
    if not term.sides:
        return term.number
    if not (term.keep or term.again or term.counts):
        return dice.sum(term.number, term.sides)
    if term.keep and term.again:
        return sum(_kept(tuple(sorted(_thrown_again(dice, term))), term))
    if term.keep and not term.counts:
        kept: int = (dice.highest(term.number, term.sides, term.keep) if term.keep > 0
                     else dice.lowest(term.number, term.sides, -term.keep))
        return kept
    faces = dice.pool(term.number, term.sides)
    again = faces
    for _ in range(_MOST_AGAIN if term.again else 0):
        again = tuple(face for face in again if face == term.sides)
        if not again:
            break
        again = dice.pool(len(again), term.sides)
        faces += again
    if term.keep:
        faces = _kept(tuple(sorted(faces)), term)
    return sum(_stands(face, term) for face in faces) if term.counts else sum(faces)


def _kept(faces: tuple[int, ...], term: Term) -> tuple[int, ...]:
    """The highest of sorted faces, or the lowest."""
    return faces[-term.keep:] if term.keep > 0 else faces[:-term.keep]


def _thrown_again(dice: Dice, term: Term) -> Iterator[int]:
    """What each die comes to that is thrown again on its highest face, at most so often."""
    faces, before = dice.pool(term.number, term.sides), 0
    for _ in range(_MOST_AGAIN):
        yield from (before + face for face in faces if face < term.sides)
        top = faces.count(term.sides)
        if not top:
            return
        faces, before = dice.pool(top, term.sides), before + term.sides
    yield from (before + face for face in faces)


def _stands(face: int, term: Term) -> bool:
    return {">=": face >= term.at, "<=": face <= term.at, "=": face == term.at}[term.counts]


def _weighed(term: Term) -> Odds[int]:
    """What a term gives: each die on its own, then all together; the same as throwing them, in no time."""
    if not term.sides:
        return Odds({term.number: 1})
    faces = Odds(dict.fromkeys(range(1, term.sides + 1), 1))
    if term.again and not term.counts:
        faces = _again(faces, faces, term)
    if term.keep and not term.counts:
        return faces.highest(term.number, term.keep) if term.keep > 0 else faces.lowest(term.number, -term.keep)
    if term.keep:
        side = faces.handful(term.number).map(lambda hand: _kept(hand, term))
        return side.map(lambda hand: sum(_stands(face, term) for face in hand))
    if not term.counts:
        return faces.repeat(term.number)
    worth = faces.map(lambda face: int(_stands(face, term)))
    return (_again(worth, faces, term) if term.again else worth).repeat(term.number)


def _again(worth: Odds[int], faces: Odds[int], term: Term) -> Odds[int]:
    """One die that is thrown again on its highest face, at most so often."""
    top = int(_stands(term.sides, term)) if term.counts else term.sides
    others = {value: ways - (value == top) for value, ways in worth.ways.items()}
    ways, whole = dict(worth.ways), worth.total
    for _ in range(_MOST_AGAIN):
        later = {value + top: count for value, count in ways.items()}
        for value, count in others.items():
            later[value] = later.get(value, 0) + count * whole
        ways, whole = later, whole * faces.total
    return Odds(ways, whole)


def odds_of(text: str) -> Odds[int]:
    """The odds of dice as they are written: ``4d6k3+2``."""
    parts = [_weighed(term) * (term.sign * term.times) for term in read_dice(text)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole


def weighable(terms: tuple[Term, ...]) -> Sequence[Term]:
    """The terms, if their odds are quickly worked out; else as a list, which is thrown but never weighed."""
    ways = prod(
        comb(term.number + term.sides - 1, term.number) if term.counts else term.number * term.sides
        for term in terms if term.sides
    )
    return terms if ways <= _LIGHT and not any(term.again for term in terms) else list(terms)
