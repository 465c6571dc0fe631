"""Codes by which two people at a table find out that they were told the same.

What is each seat's own (its numbers, what it may see) is not the same for two people. What was said to all is, and so
is what proves a throw in which both took part: a short code of these, while both were there, is the same in both
accounts, or somebody told them otherwise.
"""

from __future__ import annotations

import hashlib
import json

import msgspec
from msgspec import UNSET, Struct

from paravent.game.plain import Plain

from .seen import MoveSeen, Proof, SeatSeen

_TO_ALL = frozenset({"message", "story", "handout"})
_FIGURES = 8


class _MoveProved(Struct):
    proofs: tuple[Proof, ...] = ()


class _ViewHeard(Struct):
    seats: dict[str, SeatSeen] = {}
    moves: dict[str, _MoveProved] = {}


class _HeardLine(Struct):
    """As much of a line as everybody hears alike."""

    type: str = ""
    at: str = ""
    by: str = ""
    seat: str = ""
    kind: str = ""
    text: str = ""
    title: str = ""
    card: str = ""
    minutes: int = 0
    to: tuple[str, ...] = ()
    view: _ViewHeard | None = None
    move: MoveSeen | None = None


class _Chain:
    def __init__(self) -> None:
        self._hash, self._lines = hashlib.sha256(), 0

    def add(self, *said: Plain) -> None:
        """One thing more that both were told."""
        self._hash.update(json.dumps(said, ensure_ascii=True).encode() + b"\n")
        self._lines += 1

    @property
    def code(self) -> str:
        """What to compare; nothing where there is nothing yet."""
        figures = self._hash.hexdigest()[:_FIGURES].upper()
        return f"{figures[:4]}-{figures[4:]}" if self._lines else ""


class Comparing:
    """What a seat shares with each of the others, as its export is read."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._with: dict[str, _Chain] = {}
        self._away: set[str] = set()
        """Those who have left the table: they hear nothing until they are back."""
        self._thrown: set[str] = set()

    def look(self, line: str) -> None:
        """Look at a line; one that says something else is nobody's."""
        try:
            told = msgspec.json.decode(line, type=_HeardLine)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return
        if told.view is not None:
            self._come_to(told.view)
        if told.type == "seat-added" and told.seat not in ("", self._seat):
            self._with[told.seat] = _Chain()
        elif told.type == "seat-left":
            self._away.add(told.seat)
        elif told.type == "seat-returned":
            self._away.discard(told.seat)
        elif self._is_for_all(told):
            for chain in self._here.values():
                chain.add(told.type, told.at, told.by, told.kind, told.text, told.title, told.card, told.minutes)
        for proof in () if told.move is None else told.move.proofs:
            self._take_part(proof)

    def _come_to(self, view: _ViewHeard) -> None:
        """The table as the seat finds it, perhaps after it was away: what was thrown meanwhile was not shown to it."""
        self._with = {seat: self._with.get(seat) or _Chain() for seat in view.seats if seat != self._seat}
        self._away = {seat for seat, place in view.seats.items() if not place.present}
        self._thrown |= {proof.hash for move in view.moves.values() for proof in move.proofs
                         if proof.grain is not UNSET}

    @property
    def _here(self) -> dict[str, _Chain]:
        return {seat: chain for seat, chain in self._with.items() if seat not in self._away}

    @staticmethod
    def _is_for_all(told: _HeardLine) -> bool:
        match told.type:
            case "said":
                return told.kind in _TO_ALL and not told.to
            case "scene-opened" | "clock-set" | "card-played":
                return True
        return False

    def _take_part(self, proof: Proof) -> None:
        """A throw, once its grains are opened, for those who took part in it with the seat."""
        rows = () if proof.grains is UNSET else tuple(row for row in proof.grains if not row.left_out)
        if proof.grain is UNSET or proof.hash in self._thrown or self._seat not in {row.seat for row in rows}:
            return
        self._thrown.add(proof.hash)
        here = self._here
        for row in rows:
            if row.seat in here:
                here[row.seat].add(proof.step, proof.hash, proof.grain, [one.promise for one in rows])

    @property
    def codes(self) -> dict[str, str]:
        """By seat, the code to compare with whoever sits there."""
        return {seat: chain.code for seat, chain in self._with.items() if chain.code}
