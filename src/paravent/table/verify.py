"""Whether the dice of a table were fair, worked out again from an export: anybody's own is enough.

A throw is **verified** when its hash was told before the grain, the key is the one the hash was of, and every face
follows from key and grain. It is **sealed** while its dice or its key are not shown to whoever exported. Dice thrown on
the table and **typed by hand** prove nothing. Nor does a throw that was **unannounced**: shown in the end, faces and
key in agreement, to somebody who was told nothing of it before; its key could have been made up afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paravent.dice.fair import KeyedFaces, commitment

from . import events as e
from .act import Act, Key, Throw
from .errors import NotAnExport
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
    dice: list[Mapping[str, Any]] = field(default_factory=list)
    changed: bool = False

    def take_in(self, proof: Mapping[str, Any], dice: list[Mapping[str, Any]]) -> None:
        if "nonce" not in proof:
            self.told_first = self.told_first or self.grain is None
        elif self.grain is None:
            self.grain = proof["nonce"]
        else:
            self.changed |= self.grain != proof["nonce"]
        self.key = self.key or proof.get("key", "")
        shared = min(len(dice), len(self.dice))
        self.changed |= dice[:shared] != self.dice[:shared]
        if len(dice) > len(self.dice):
            self.dice = dice

    def verdict(self) -> str:
        """``verified``, ``sealed``, ``by-hand``, ``unannounced``, or what is wrong."""
        if self.changed:
            return "history"
        if any(die["by_hand"] for die in self.dice):
            return "by-hand"
        if not self.key or not self.dice:
            return "sealed"
        if commitment(bytes.fromhex(self.key)) != self.hash:
            return "hash"
        if not _faces_follow(bytes.fromhex(self.key), (self.grain or "").encode(), self.dice):
            return "faces"
        return "verified" if self.told_first else "unannounced"


def _faces_follow(key: bytes, grain: bytes, dice: Iterable[Mapping[str, Any]]) -> bool:
    """Whether every face is the one that key and grain give; a stream may go on or begin again."""
    main = KeyedFaces(key, grain)
    streams: dict[tuple[str, ...], KeyedFaces] = {}
    for die in dice:
        faces, name = tuple(die["faces"]), tuple(die.get("stream", ()))
        if not name:
            if main.throw("", len(faces), die["sides"]) != faces:
                return False
            continue
        goes_on, anew = streams.get(name), _stream(main, name)
        if goes_on is not None and goes_on.throw("", len(faces), die["sides"]) == faces:
            continue
        if anew.throw("", len(faces), die["sides"]) != faces:
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
            name = (move["number"], proof["step"], proof["hash"])
            throws.setdefault(name, _ThrowRead(*name)).take_in(proof, dice)
    verdicts = [(throw, throw.verdict()) for throw in throws.values() if throw.grain is not None]
    wrong = next((Differs(throw.move, throw.step, why) for throw, why in verdicts if why in WRONG), None)
    count = [why for _, why in verdicts]
    return Verdict(
        count.count("verified"), count.count("sealed"), count.count("by-hand"), wrong, count.count("unannounced")
    )


def _told(move: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], list[Mapping[str, Any]]]]:
    """The proofs that one telling of a move holds, each with the dice shown."""
    dice = {throw["step"]: throw.get("dice", []) for throw in move["throws"]}
    for proof in move["proofs"]:
        yield proof, dice.get(proof["step"], [])
    for throw in move.get("undone_throws", ()):
        if throw["proof"]:
            yield throw["proof"], throw.get("dice", [])


def _moves(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """Every telling of a move in an export, whole or as one participant saw it, in order."""
    told = (line for line in lines if line.strip())
    head = _row(next(told, "{}"))
    if head.get("paravent") != "table":
        raise NotAnExport(why="paravent")
    if head.get("whole"):
        yield from _moves_of_log(told)
        return
    for row in map(_row, told):
        if isinstance(row.get("move"), dict):
            yield row["move"]
        if isinstance(row.get("view"), dict):
            yield from row["view"]["moves"].values()


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise NotAnExport(why="json") from None
    if not isinstance(row, dict):
        raise NotAnExport(why="json")
    return row


def _moves_of_log(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    state = State()
    for happened in read_log(lines):
        state = evolve(state, happened)
        if isinstance(happened, e.ACT_EVENTS) and happened.number in state.moves:
            yield _as_told(state.move(happened.number))


def _as_told(act: Act) -> dict[str, Any]:
    """An act of the whole log, told as to somebody who may see everything."""
    throws = {throw.step: throw for throw in act.throws if throw.dice}
    return {
        "number": act.id,
        "throws": [{"step": step, "dice": _dice(throw)} for step, throw in throws.items()],
        "proofs": [
            _proof(step, made, throws[step].done) if step in throws else {"step": step, "hash": made.hash}
            for step, made in act.keys.items()
        ],
        "undone_throws": [
            {"step": past.throw.step, "dice": _dice(past.throw),
             "proof": _proof(past.throw.step, past.made, past.throw.done)}
            for past in act.past
        ],
    }


def _dice(throw: Throw) -> list[dict[str, Any]]:
    return [
        {"role": fell.role, "sides": fell.sides, "faces": list(fell.faces), "by_hand": fell.by_hand,
         **({"stream": list(fell.stream)} if fell.stream else {})}
        for fell in throw.dice
    ]


def _proof(step: str, made: Key, done: bool) -> dict[str, Any]:
    proof = {"step": step, "hash": made.hash}
    if made.grain is not None:
        proof["nonce"] = made.grain
        if done:
            proof["key"] = made.key
    return proof
