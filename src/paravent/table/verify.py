"""Whether the dice of a table were fair, worked out again from an export: anybody's own is enough.

A throw is **verified** when its hash was told, with the seats that take part and what they promised, before any
grain; when the key is the one the hash was of, the grains are those that were promised, and every face follows from
them all. Where nobody was asked for a grain, key and faces agree, but the throw was **known to the host alone**:
whoever hosts could have chosen it. A grain that a seat gave to throws of two keys counts for neither: when the second
key was made, it was known. In one seat's own export, a throw **without its grain** is worth what the grains of the
others are: whoever hosts could have made them up, and only those others can tell. It is **sealed** while its dice or
its key are not shown to whoever exported. Dice thrown on the table and **typed by hand** prove nothing. Nor does a
throw that was **unannounced**: shown in the end, faces and key in agreement, to somebody who was told nothing of it
before; its key could have been made up afterwards.

:func:`proved` says all of that, with who took part, how often a throw **began again** because somebody did not answer,
and how many were **given up** once grains could be opened. :func:`verify` counts as earlier versions did, for which the
hash and the faces were all there was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Struct

from paravent.dice.fair import KeyedFaces, commitment, opens
from paravent.game import System, UnknownName, find_system
from paravent.game.errors import BROKEN, BrokenSystem
from paravent.game.plain import Plain

from . import events as e
from .act import OVER, Act, Key, Throw
from .closing import ExportRead
from .comparing import Comparing
from .errors import NotAnExport
from .evolve import evolve
from .longlog import forgotten, giving_way
from .replay import Replay
from .replay_seen import SeenReplay, SeenRow
from .seen import DiceSeen, Proof
from .seen_acts import proof_of
from .state import State
from .upcast import read_log

MOST_LISTED = 40
"""How many results that depend on something hidden are named."""
WRONG = ("hash", "faces", "grains", "history", "rule")


class Differs(NamedTuple):
    """The first throw that is not what it should be: the move's number, the step, and what is wrong with it."""

    move: int
    step: str
    why: str
    """``hash`` (another key was promised), ``faces``, ``grains`` (not those that were promised), ``history`` (what was
    shown has changed), or ``rule`` (the rules make something else of it)."""


class Proved(NamedTuple):
    """What an export proves: how many throws of each kind, who took part in how many, and the first that differs."""

    verified: int
    host_alone: int
    sealed: int
    by_hand: int
    unannounced: int
    begun_again: int
    given_up: int
    took_part: dict[str, int]
    account: str
    """``whole``, if the file is as it was written; ``changed`` or ``cut``; empty where an earlier version wrote it."""
    code: str
    """A short code of all its lines."""
    differs: Differs | None = None
    replayed: int = 0
    """Results that the rules give again: see :mod:`.replay`, and of one seat's own account :mod:`.replay_seen`."""
    another_version: int = 0
    amended: int = 0
    unread: int = 0
    depends: tuple[tuple[int, str], ...] = ()
    """The results, by act and step, that depend on something hidden from whoever exported."""
    codes: dict[str, str] = {}
    """By name, the code that whoever exported compares with somebody else at the table: see :mod:`.comparing`."""
    without_own: int = 0
    """How many of the verified ones whoever exported gave no grain to."""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return self.differs is None and self.account in ("", "whole")


def kinds_told(found: Proved, say: Callable[..., str]) -> Iterator[tuple[str, str]]:
    """What an export proves, kind by kind: the name of each that there is, and its sentence."""
    counted = {"verified": found.verified, "without-own": found.without_own, "host-alone": found.host_alone,
               "sealed": found.sealed, "by-hand": found.by_hand, "unannounced": found.unannounced,
               "begun-again": found.begun_again, "given-up": found.given_up, "replayed": found.replayed,
               "amended": found.amended, "another-version": found.another_version, "unread": found.unread}
    yield from ((kind, say(f"cli.files.{kind}", n=n)) for kind, n in counted.items() if n)
    if found.depends:
        which = ", ".join(f"{move} ({step})" for move, step in found.depends[:MOST_LISTED])
        more = ", …" if len(found.depends) > MOST_LISTED else ""
        yield "depends", say("cli.files.depends", n=len(found.depends), which=which + more)


def wrong_told(found: Proved, say: Callable[..., str]) -> str:
    """What is wrong with an export, in a sentence: the account itself, or the first thing that differs; or nothing."""
    if found.differs is not None:
        return say(f"cli.files.differs-{found.differs.why}", move=found.differs.move, step=found.differs.step)
    return "" if found.holds else say(f"cli.files.account-{found.account}", code=found.code)


def told(found: Proved, say: Callable[..., str]) -> list[str]:
    """What an export proves, in sentences: on a page as in the terminal."""
    lines = [say("cli.files.verdict", verified=found.verified, sealed=found.sealed, by_hand=found.by_hand)]
    if found.took_part:
        lines.append(say("cli.files.took-part", who=", ".join(f"{who} ({n})" for who, n in found.took_part.items())))
    lines += [line for kind, line in kinds_told(found, say) if kind not in ("verified", "sealed", "by-hand")]
    if found.account:
        lines.append(say(f"cli.files.account-{found.account}", code=found.code))
    if found.codes:
        lines.append(say("cli.files.codes", which=", ".join(f"{who} {code}" for who, code in found.codes.items())))
    if found.differs is not None:
        lines.append(wrong_told(found, say))
    return lines


class Verdict(NamedTuple):
    """What hashes, keys and faces say by themselves, whoever took part."""

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
    listed: tuple[tuple[str, str], ...] | None = None
    """The seats that take part, each with its promise."""
    opened: tuple[str, ...] = ()
    begun_again: int = 0
    fresh: tuple[str, ...] = ()
    """The seats that gave their grain to no other throw."""

    @property
    def given(self) -> list[tuple[str, str]]:
        """Who gave which grain."""
        return [(seat, grain) for (seat, _), grain in zip(self.listed or (), self.opened, strict=False)]

    def take_in(self, proof: Proof, dice: tuple[DiceSeen, ...]) -> None:
        rows = tuple(row for row in (() if proof.grains is UNSET else proof.grains) if not row.left_out)
        listed = tuple((row.seat, row.promise) for row in rows)
        self.changed |= self.listed not in (None, listed)
        self.listed = listed
        self.opened = tuple(row.opened for row in rows if row.opened is not UNSET) or self.opened
        self.begun_again = max(self.begun_again, proof.begun_again or 0)
        if proof.grain is UNSET:
            self.told_first = self.told_first or self.grain is None
        elif self.grain is None:
            self.grain = proof.grain
        else:
            self.changed |= self.grain != proof.grain
        self.key = self.key or proof.key or ""
        dice = tuple(msgspec.structs.replace(die, again=UNSET) for die in dice)  # taken up since, they fell
        fewer, more = sorted((self.dice, dice), key=len)
        self.changed |= not _stand_among(fewer, more)  # one side may be shown before the other, whichever threw first
        self.dice = more

    def verdict(self) -> str:
        """``verified``, ``host-alone``, ``sealed``, ``by-hand``, ``unannounced``, or what is wrong."""
        if self.changed:
            return "history"
        if any(die.by_hand for die in self.dice):
            return "by-hand"
        if not self.key or not self.dice:
            return "sealed"
        try:
            key = bytes.fromhex(self.key)
        except ValueError:
            return "hash"
        if commitment(key) != self.hash:
            return "hash"
        if not _faces_follow(key, (self.grain or "").encode(errors="replace"), self.dice):
            return "faces"
        asked, answered = self.listed or (), self.opened
        if asked and answered and not (
            len(asked) == len(answered) and self.grain == " ".join(answered)
            and all(opens(promise, grain) for (_, promise), grain in zip(asked, answered, strict=True))
        ):
            return "grains"
        if not self.told_first:
            return "unannounced"
        return "verified" if asked and answered and self.fresh else "host-alone"


def _stand_among(some: Iterable[DiceSeen], others: Iterable[DiceSeen]) -> bool:
    """Whether dice stand among others, in the same order."""
    left = iter(others)
    return all(one in left for one in some)


_MOST_SIDES = 1 << 40


def _faces_follow(key: bytes, grain: bytes, dice: Iterable[DiceSeen]) -> bool:
    """Whether every face is the one that key and grain give; a stream may go on or begin again."""
    main = KeyedFaces(key, grain)
    streams: dict[tuple[str, ...], KeyedFaces] = {}
    for die in dice:
        faces, name = die.faces, die.stream or ()
        if not 0 < die.sides <= _MOST_SIDES:
            return False
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
    """What the hashes, keys and faces of an export say; who took part is not looked at."""
    found = proved(lines)
    return Verdict(
        found.verified + found.host_alone, found.sealed, found.by_hand, found.differs, found.unannounced
    )


def proved(lines: Iterable[str]) -> Proved:
    """What the lines of an export prove about its dice."""
    throws: dict[tuple[int, str, str], _ThrowRead] = {}
    replay: list[Replay] = []
    own: list[_OwnAccount] = []
    try:
        return _proved(lines, throws, replay, own)
    finally:
        forgotten(throws)
        for again in replay:
            again.forget()
        for account in own:
            account.replay.forget()


def _proved(
    lines: Iterable[str], throws: dict[tuple[int, str, str], _ThrowRead], replay: list[Replay], own: list[_OwnAccount]
) -> Proved:
    opened = ExportRead(lines)
    names: dict[str, str] = {}
    phases: dict[int, str] = {}
    for move in _moves(opened.lines(), names, replay, own):
        for proof, dice in _proofs_of(move):
            name = (move.number, proof.step, proof.hash)
            throws.setdefault(name, _ThrowRead(*name)).take_in(proof, dice)
        phases[move.number] = move.phase
    _mark_fresh(throws.values())
    verdicts = [(throw, throw.verdict()) for throw in giving_way(throws.values()) if throw.grain is not None]
    wrong = next((Differs(throw.move, throw.step, why) for throw, why in verdicts if why in WRONG), None)
    count = [why for _, why in verdicts]
    last = {(throw.move, throw.step): throw for throw in throws.values()}
    unthrown = [throw for throw in throws.values() if throw.grain is None and throw.listed]
    anew = sum(last[throw.move, throw.step] is not throw for throw in unthrown)
    part: Counter[str] = Counter(
        names.get(seat, seat) for throw, why in verdicts if why == "verified" for seat in throw.fresh)
    again, account = replay[0] if replay else Replay(None), own[0] if own else _OwnAccount(None, "")
    seen = account.replay
    if wrong is None and (ruled := again.differs or seen.differs) is not None:
        wrong = Differs(*ruled, "rule")
    return Proved(
        count.count("verified"), count.count("host-alone"), count.count("sealed"), count.count("by-hand"),
        count.count("unannounced"), max(anew, sum(throw.begun_again for throw in last.values())),
        sum(last[throw.move, throw.step] is throw and phases[throw.move] in OVER for throw in unthrown),
        dict(part.most_common()), opened.fault or ("whole" if opened.is_closed else ""), opened.account.code, wrong,
        again.same + seen.count("same"), again.another_version + seen.count("another-version"),
        again.amended + seen.amended, again.unread + seen.count("unread"), seen.depends,
        {names.get(seat, seat): code for seat, code in account.comparing.codes.items()},
        sum(bool(own) and account.seat not in throw.fresh for throw, why in verdicts if why == "verified"),
    )


def _mark_fresh(throws: Collection[_ThrowRead]) -> None:
    """Say of each throw whose grains are its own."""
    keys: dict[tuple[str, str], set[str]] = {}
    for throw in throws:
        for seat, grain in throw.given:
            keys.setdefault((seat, grain), set()).add(throw.hash)
    for throw in throws:
        throw.fresh = tuple(seat for seat, grain in throw.given if len(keys[seat, grain]) == 1)


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
    phase: str = "open"


class _ProvenSeat(Struct):
    name: str = ""


class _ProvenView(Struct):
    moves: dict[str, _ProvenMove]
    seats: dict[str, _ProvenSeat] = {}


class _ProvenLine(Struct):
    """A line of somebody's own export: a move, or a whole view, or neither."""

    move: _ProvenMove | int | str | None = None
    view: _ProvenView | None = None
    seat: Plain = ""
    name: Plain = ""


class _ViewNames(Struct):
    seats: dict[str, _ProvenSeat] = {}


class _ProvenHead(Struct):
    paravent: Plain = ""
    whole: Plain = False
    system: Plain = ""
    seat: Plain = ""
    view: _ViewNames | None = None


class _OwnAccount:
    """What one seat's own lines say beside their dice."""

    def __init__(self, system: System | None, seat: str) -> None:
        self.seat, self.replay, self.comparing = seat, SeenReplay(system, seat), Comparing(seat)

    def look(self, line: str) -> None:
        """Look at a line."""
        self.replay.look(_row(line, SeenRow))
        self.comparing.look(line)


def _proofs_of(move: _ProvenMove) -> Iterator[tuple[Proof, tuple[DiceSeen, ...]]]:
    """The proofs that one telling of a move holds, each with the dice shown."""
    dice = {throw.step: throw.dice for throw in move.throws}
    for proof in move.proofs:
        yield proof, dice.get(proof.step, ())
    for throw in move.undone_throws:
        if throw.proof is not None:
            yield throw.proof, throw.dice


def _moves(
    lines: Iterable[str], names: dict[str, str], replay: list[Replay], own: list[_OwnAccount]
) -> Iterator[_ProvenMove]:
    """Every telling of a move in an export, whole or as one participant saw it, in order; ``names`` are gathered, and
    what the rules make of it again."""
    told = (line for line in lines if line.strip())
    first = next(told, "{}")
    head = _row(first, _ProvenHead)
    if head.paravent != "table":
        raise NotAnExport(why="paravent")
    if head.whole:
        yield from _moves_of_log(told, names, replay)
        return
    account = _OwnAccount(_game(head.system) if isinstance(head.system, str) else None,
                          head.seat if isinstance(head.seat, str) else "")
    own.append(account)
    account.look(first)  # the table as the seat found it: what was thrown before proves nothing to it
    names |= {seat: place.name for seat, place in head.view.seats.items()} if head.view is not None else {}
    for line in told:
        row = _row(line, _ProvenLine)
        account.look(line)
        if isinstance(row.seat, str) and isinstance(row.name, str) and row.name:
            names[row.seat] = row.name
        if isinstance(row.move, _ProvenMove):
            yield row.move
        if row.view is not None:
            names |= {seat: place.name for seat, place in row.view.seats.items()}
            yield from row.view.moves.values()


S = TypeVar("S", bound=Struct)


def _row(line: str, kind: type[S]) -> S:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as wrong:
        why = "event" if isinstance(wrong, msgspec.ValidationError) and line.lstrip().startswith("{") else "json"
        raise NotAnExport(why=why) from None


def _moves_of_log(lines: Iterable[str], names: dict[str, str], replay: list[Replay]) -> Iterator[_ProvenMove]:
    state = State()
    for happened in read_log(lines):
        if isinstance(happened, e.TableOpened):
            replay[:] = [Replay(_game(happened.system))]
        try:
            state = evolve(state, happened)
        except BROKEN as broken:
            raise NotAnExport(why="event") from broken
        if replay:
            replay[0].look(state, happened)
        if isinstance(happened, e.SeatAdded | e.SeatRenamed):
            names[happened.seat] = happened.name
        if isinstance(happened, e.ACT_EVENTS) and happened.number in state.moves:
            yield _as_told(state.move(happened.number))


def _game(name: str) -> System | None:
    """A game, if it is installed."""
    try:
        return find_system(name)
    except (UnknownName, BrokenSystem):
        return None


def _as_told(act: Act) -> _ProvenMove:
    """An act of the whole log, told as to somebody who may see everything."""
    throws = {throw.step: throw for throw in act.throws if throw.dice}
    return _ProvenMove(
        act.id,
        tuple(_ProvenThrow(step, _dice(throw)) for step, throw in throws.items()),
        tuple(_proof(step, made, throws[step].done) if step in throws else proof_of(step, made)
              for step, made in act.keys.items()),
        tuple(_ProvenThrow(past.throw.step, _dice(past.throw), _proof(past.throw.step, past.made, past.throw.done))
              for past in act.past),
        act.phase,
    )


def _dice(throw: Throw) -> tuple[DiceSeen, ...]:
    return tuple(DiceSeen(fell.role, fell.sides, fell.faces, fell.by_hand, fell.stream or UNSET) for fell in throw.dice)


def _proof(step: str, made: Key, done: bool) -> Proof:
    if made.grain is None:
        return proof_of(step, made)
    return proof_of(step, made, made.grain, made.key if done else UNSET)
