"""Grains: each seat's share in a throw, so that whoever hosts the table cannot choose the faces, nor foresee them.

A browser makes grains, each by itself, and **promises** some of them ahead by their hashes: with that they are settled.
When a throw's key is made durable, its hash is told together with the seats that take part and, of each, a promise that
was never told before. Only then do they open their grains; whoever is about to throw sends theirs with the throw. The
faces follow from the key and from all the grains, in the order of the list.

Nothing waits for anybody: if a seat of the list has not answered when the dice are thrown, the throw begins again with
a new key, without that seat, and with new grains of the others. That is told, and counted.

Who takes part must tell nobody who may know of a throw. So either all who play may, and then all who are there take
part; or one player alone with the game masters; otherwise, and where only game masters know, nobody is asked. Nor may
it tell of another throw: nothing follows from one grain for the next, so that there is no gap to be seen where a seat
took part in what others may not know of; and whoever did not answer there is still asked where others see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from paravent.dice.fair import opens
from paravent.game import System, UnknownName
from paravent.game.errors import BadValue
from paravent.game.eyes import SPECTATOR

from . import commands as c
from . import events as e
from . import limits
from .act import Act, Grain, Key
from .deciding import Fresh, events_of, number_of
from .state import State
from .view import Looking

_HASH = re.compile(r"[0-9a-f]{64}")


@events_of.register
def _(command: c.PromiseGrains, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    given = dict.fromkeys(_hash("promise", promise) for promise in command.promise.split(" "))
    limits.no_more_than(limits.MOST_PROMISES, len(given), "promises")
    promise = " ".join((*given, "")) if len(given) > 1 else command.promise
    if not state.seats[command.seat].present or state.promises.get(command.seat) == promise:
        return []
    return [e.GrainsPromised(seat=command.seat, promise=promise, audience=())]


@events_of.register
def _(command: c.OpenGrain, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    grain = _hash("grain", command.grain)
    made = next((made for act in state.open_moves() for made in act.keys.values()
                 if made.hash == command.hash and made.grain is None), None)
    row = None if made is None else row_of(made, command.seat)
    if made is None or row is None or not opens(row.promise, grain):
        raise UnknownName("throw", command.hash, ())
    if command.seat in state.opened.get(made.hash, {}):
        return []
    return [opened(made, command.seat, grain)]


def _hash(field: str, given: str) -> str:
    if not _HASH.fullmatch(given):
        raise BadValue(field=field, got=given[:80], expected="hash")
    return given


def opened(made: Key, seat: str, grain: str) -> e.GrainOpened:
    """A seat opens its grain for a throw; that it did is nobody's affair before the dice fall."""
    return e.GrainOpened(seat=seat, hash=made.hash, opened=grain, audience=())


def row_of(made: Key, seat: str) -> Grain | None:
    """The part that a seat has in a throw, if it is listed."""
    return next((row for row in made.listed if row.seat == seat), None)


class TakingPart(NamedTuple):
    """Who takes part in a throw, each with a promise; and the one player who may know of it, where not all may."""

    rows: tuple[Grain, ...] = ()
    apart: str = ""


def taking_part(state: State, system: System, fresh: Fresh, act: Act, step: str) -> TakingPart:
    """The seats that take part in a throw whose key is ready, each with its promise."""
    masters, hands = state.eyes.masters, {seat for seat, rank in state.eyes.seats.items() if rank != SPECTATOR}
    able = {seat: state.promises[seat].partition(" ")[0] for seat in sorted(fresh.here & hands)
            if state.promises.get(seat)}
    if not able.keys() - masters:
        return TakingPart()
    knowing = {seat for seat in hands if _knows(Looking(state, seat, system), act, step)}
    if knowing != hands and len(knowing - masters) != 1:
        return TakingPart()
    apart = "" if knowing == hands else min(knowing - masters)
    rows = tuple(Grain(seat, promise) for seat, promise in able.items() if seat in knowing
                 and seat not in state.quiet.get(apart, ()))
    return TakingPart(rows, apart) if any(row.seat not in masters for row in rows) else TakingPart()


def _knows(looking: Looking, act: Act, step: str) -> bool:
    seen = looking.move(act)
    return seen is not None and any(proof.step == step for proof in seen.proofs)


def holder_of(rows: Iterable[Grain], act: Act, rollers: frozenset[str]) -> str:
    """Whose grain comes with the throw: whoever is expected to throw, if they take part."""
    listed = {row.seat for row in rows} & rollers
    return act.starter if act.starter in listed else min(listed, default="")


def given(state: State, made: Key, seat: str, grain: str) -> Mapping[str, str]:
    """The grains opened for a throw by those who are listed, with the one that comes with it."""
    kept = state.opened.get(made.hash, {})
    row = row_of(made, seat)
    if row is None or seat in kept or not opens(row.promise, grain):
        return kept
    return {**kept, seat: grain}


def silent(state: State, command: c.ThrowDice) -> frozenset[str]:
    """Who was asked for a grain and has not answered yet, whoever throws and whoever holds theirs back apart."""
    number = number_of(state, command.seat, command.number) if command.seat in state.seats else None
    made = next((made for made in state.moves[number].keys.values() if made.listed and made.grain is None), None) if (
        number is not None) else None
    if made is None or command.by_hand:
        return frozenset()
    answered = {*state.opened.get(made.hash, {}), command.seat, made.holder}
    return frozenset(row.seat for row in made.listed if row.seat not in answered)
