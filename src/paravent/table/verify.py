"""Whether the dice of a table were fair, worked out again from an export: anybody's own is enough.

A throw is **verified** when its hash was told before the grain, the key is the one the hash was of, and every face
follows from key and grain. It is **sealed** while its dice or its key are not shown to whoever exported. Dice thrown on
the table and **typed by hand** prove nothing. Nor does a throw that was **unannounced**: shown in the end, faces and
key in agreement, to somebody who was told nothing of it before; its key could have been made up afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Struct

from paravent.dice.fair import KeyedFaces, commitment
from paravent.game.plain import Plain

from . import events as e
from .act import Act, Key, Throw
from .errors import NotAnExport
from .pictures import is_picture_line
from .seen import DiceSeen, Proof
from .state import State, evolve
from .upcast import read_log

WRONG = ("hash", "faces", "history")


class Differs(NamedTuple):
    """The first throw that is not what it should be: the move's number, the step, and what is wrong with it."""

    move: int
    step: str
    why: str
    """``hash`` (another key was promised), ``faces``, or ``history`` (what was shown has changed)."""


class Verdict(NamedTuple):
    """What an export proves."""

    verified: int
    sealed: int
    by_hand: int
    differs: Differs | None = None
    unannounced: int = 0


@dataclass
class _ThrowRead:
    """What an export tells of one throw, gathered from all its lines."""

    move: int
    step: str
    hash: str
    told_first: bool = False
    """The hash stood in a line before any grain did."""
    grain: str | None = None
    key: str = ""
    dice: tuple[DiceSeen, ...] = ()
    changed: bool = False

    def take_in(self, proof: Proof, dice: tuple[DiceSeen, ...]) -> None:
        if proof.grain is UNSET:
            self.told_first = self.told_first or self.grain is None
        elif self.grain is None:
            self.grain = proof.grain
        else:
            self.changed |= self.grain != proof.grain
        self.key = self.key or proof.key or ""
        dice = tuple(msgspec.structs.replace(die, again=UNSET) for die in dice)  # taken up since, they fell
        shared = min(len(dice), len(self.dice))
        self.changed |= dice[:shared] != self.dice[:shared]
        if len(dice) > len(self.dice):
            self.dice = dice

    def verdict(self) -> str:
        """``verified``, ``sealed``, ``by-hand``, ``unannounced``, or what is wrong."""
        if self.changed:
            return "history"
        if any(die.by_hand for die in self.dice):
            return "by-hand"
        if not self.key or not self.dice:
            return "sealed"
        if commitment(bytes.fromhex(self.key)) != self.hash:
            return "hash"
        if not _faces_follow(bytes.fromhex(self.key), (self.grain or "").encode(), self.dice):
            return "faces"
        return "verified" if self.told_first else "unannounced"


def _faces_follow(key: bytes, grain: bytes, dice: Iterable[DiceSeen]) -> bool:
    """Whether every face is the one that key and grain give; a stream may go on or begin again."""
    main = KeyedFaces(key, grain)
    streams: dict[tuple[str, ...], KeyedFaces] = {}
    for die in dice:
        faces, name = die.faces, die.stream or ()
        if not name:
            if main.throw("", len(faces), die.sides) != faces:
                return False
            continue
        goes_on, anew = streams.get(name), _stream(main, name)
        if goes_on is not None and goes_on.throw("", len(faces), die.sides) == faces:
            continue
        if anew.throw("", len(faces), die.sides) != faces:
            return False
        streams[name] = anew
    return True


def _stream(main: KeyedFaces, name: tuple[str, ...]) -> KeyedFaces:
    faces = main
    for part in name:
        faces = faces.stream(part)
    return faces


def verify(lines: Iterable[str]) -> Verdict:
    """What the lines of an export prove about its dice."""
    throws: dict[tuple[int, str, str], _ThrowRead] = {}
    for move in _moves(lines):
        for proof, dice in _told(move):
            name = (move.number, proof.step, proof.hash)
            throws.setdefault(name, _ThrowRead(*name)).take_in(proof, dice)
    verdicts = [(throw, throw.verdict()) for throw in throws.values() if throw.grain is not None]
    wrong = next((Differs(throw.move, throw.step, why) for throw, why in verdicts if why in WRONG), None)
    count = [why for _, why in verdicts]
    return Verdict(
        count.count("verified"), count.count("sealed"), count.count("by-hand"), wrong, count.count("unannounced")
    )


class _ProvenThrow(Struct):
    """A throw as an export tells it; what proves it, where it was taken back."""

    step: str
    dice: tuple[DiceSeen, ...] = ()
    proof: Proof | None = None


class _ProvenMove(Struct):
    """As much of a move as proves its dice."""

    number: int
    throws: tuple[_ProvenThrow, ...]
    proofs: tuple[Proof, ...]
    undone_throws: tuple[_ProvenThrow, ...] = ()


class _ProvenView(Struct):
    moves: dict[str, _ProvenMove]


class _ProvenLine(Struct):
    """A line of somebody's own export: a move, or a whole view, or neither."""

    move: _ProvenMove | int | str | None = None
    view: _ProvenView | None = None


class _ProvenHead(Struct):
    paravent: Plain = ""
    whole: Plain = False


def _told(move: _ProvenMove) -> Iterator[tuple[Proof, tuple[DiceSeen, ...]]]:
    """The proofs that one telling of a move holds, each with the dice shown."""
    dice = {throw.step: throw.dice for throw in move.throws}
    for proof in move.proofs:
        yield proof, dice.get(proof.step, ())
    for throw in move.undone_throws:
        if throw.proof is not None:
            yield throw.proof, throw.dice


def _moves(lines: Iterable[str]) -> Iterator[_ProvenMove]:
    """Every telling of a move in an export, whole or as one participant saw it, in order."""
    told = (line for line in lines if line.strip() and not is_picture_line(line))
    head = _row(next(told, "{}"), _ProvenHead)
    if head.paravent != "table":
        raise NotAnExport(why="paravent")
    if head.whole:
        yield from _moves_of_log(told)
        return
    for line in told:
        row = _row(line, _ProvenLine)
        if isinstance(row.move, _ProvenMove):
            yield row.move
        if row.view is not None:
            yield from row.view.moves.values()


S = TypeVar("S", bound=Struct)


def _row(line: str, kind: type[S]) -> S:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, RecursionError) as wrong:
        why = "event" if isinstance(wrong, msgspec.ValidationError) and line.lstrip().startswith("{") else "json"
        raise NotAnExport(why=why) from None


def _moves_of_log(lines: Iterable[str]) -> Iterator[_ProvenMove]:
    state = State()
    for happened in read_log(lines):
        state = evolve(state, happened)
        if isinstance(happened, e.ACT_EVENTS) and happened.number in state.moves:
            yield _as_told(state.move(happened.number))


def _as_told(act: Act) -> _ProvenMove:
    """An act of the whole log, told as to somebody who may see everything."""
    throws = {throw.step: throw for throw in act.throws if throw.dice}
    return _ProvenMove(
        act.id,
        tuple(_ProvenThrow(step, _dice(throw)) for step, throw in throws.items()),
        tuple(_proof(step, made, throws[step].done) if step in throws else Proof(step, made.hash)
              for step, made in act.keys.items()),
        tuple(_ProvenThrow(past.throw.step, _dice(past.throw), _proof(past.throw.step, past.made, past.throw.done))
              for past in act.past),
    )


def _dice(throw: Throw) -> tuple[DiceSeen, ...]:
    return tuple(DiceSeen(fell.role, fell.sides, fell.faces, fell.by_hand, fell.stream or UNSET) for fell in throw.dice)


def _proof(step: str, made: Key, done: bool) -> Proof:
    if made.grain is None:
        return Proof(step, made.hash)
    return Proof(step, made.hash, made.grain, made.key if done else UNSET)
