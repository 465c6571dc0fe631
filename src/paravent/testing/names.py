"""The names by which a game's declarations speak of each other: each leads to something, or is said with the nearest.

A name that leads nowhere is silent otherwise: a secret part of a sheet that is misspelt is no secret, a gauge is not
drawn, a field is asked of nobody.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from paravent.dice import SeededDice
from paravent.game import LANGUAGES, AnyEncounter, AnyField, AnyKind, Move, System, Whole
from paravent.game.eyes import SPECTATOR, is_poll
from paravent.game.portraits import TRAITS
from paravent.game.records import ALL, GM, OWN, fields_of
from paravent.game.shapes import Pips

from .lacks import Lack, Problems, lack

_RANKS = frozenset({ALL, GM, "player", SPECTATOR})
_KEPT = frozenset({"open", "own", "gm", "sealed"})
_EXAMPLE = frozenset({"form", "sheets", "encounter", "options", "day"})
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_MOST_NEAR, _DRAWN = 12, 3


class Mention(NamedTuple):
    """Names that stand somewhere, and those that would lead to something there."""

    where: str
    names: Iterable[str]
    known: Collection[str]


def names_that_lead_nowhere(system: System) -> Problems:
    """Every name of a declaration that nothing answers to."""
    for where, names, known in _all_named(system):
        for name in names:
            if name and name not in known:
                near = get_close_matches(name, sorted(known), n=3, cutoff=0.5) or sorted(known)[:_MOST_NEAR]
                yield lack("leads-nowhere", where=where, name=name, near=", ".join(near) or "—")
    yield from _wrong(system)


def _all_named(system: System) -> Iterator[Mention]:
    for kind in system.kinds.values():
        yield from _of_kind(kind, system)
    for encounter in system.encounters.values():
        yield from _of_encounter(encounter, system)
    for name, move in system.moves.items():
        yield Mention("System.moves", (name,), {move.id})
        yield from _of_move(move, system)
    for beat in system.first_evening:
        where = f"System.first_evening.{beat.id}"
        yield Mention(where, (beat.kind,), system.kinds)
        yield Mention(where, (beat.move,), _moves(system))
        yield Mention(where, beat.options, system.book.options)
    yield Mention("System.notice", LANGUAGES if system.notice else (), system.notice)
    yield Mention("System.examples", system.examples, system.moves)
    for name, examples in system.examples.items():
        yield from (Mention(f"System.examples.{name}", example, _EXAMPLE) for example in examples)


def _of_kind(kind: AnyKind, system: System) -> Iterator[Mention]:
    where, parts = f"kinds.{kind.id}", parts_of(kind, system)
    yield Mention(f"{where}.audience", kind.audience, {*_RANKS, "owner"})
    yield Mention(f"{where}.portrait", (kind.portrait,), TRAITS)
    for name, audience in kind.hidden.items():
        yield Mention(f"{where}.hidden.{name}", audience, {*_RANKS, "owner"})
    if not any(some_records(kind, system)):  # what it derives is not known
        return
    numbers = {most for most in kind.gauges.values() if most.isdigit()}
    named: Mapping[str, Iterable[str]] = {
        "hidden": kind.hidden, "gauges": (*kind.gauges, *({*kind.gauges.values()} - numbers)),
        "used": (*kind.used, *kind.used.values()), "segments": kind.segments, "states": kind.states,
        "beside": kind.beside, "called": (kind.called,), "choices": _roots(kind.choices),
        "suggests": _roots(kind.suggests),
    }
    for key, names in named.items():
        yield Mention(f"{where}.{key}", names, parts)
    for section in kind.sections:
        yield Mention(f"{where}.sections.{section.id}", section.fields, parts)
    yield Mention(f"{where}.rules", _roots(kind.rules), {*parts, *(section.id for section in kind.sections)})
    anywhere = frozenset(name for other in system.kinds.values() for name in parts_of(other, system))
    yield Mention(f"{where}.in_play", kind.in_play, anywhere)  # one list may serve several kinds
    yield Mention(f"{where}.rows", _roots(kind.rows), anywhere)


def _of_encounter(encounter: AnyEncounter, system: System) -> Iterator[Mention]:
    where, parts = f"encounters.{encounter.id}", fields_of(encounter.state)
    tracks = (name for track in encounter.tracks for name in (track.value, track.most, track.parts))
    yield Mention(f"{where}.hidden", encounter.hidden, parts)
    yield Mention(f"{where}.tracks", (name for name in tracks if isinstance(name, str)), _readable(encounter.state))
    yield Mention(f"{where}.about", (encounter.about,), _readable(encounter.state))
    yield Mention(f"{where}.also", encounter.also, _moves(system))
    yield Mention(f"{where}.audience", encounter.audience, _RANKS)
    if encounter.timeline is not None:
        yield Mention(f"{where}.timeline", (encounter.timeline.field,), parts)
    if encounter.people is not None:
        listed = encounter.people
        yield Mention(f"{where}.people", (listed.turn, listed.asks, listed.meets, *listed.spends), _moves(system))
        yield Mention(f"{where}.people", (listed.acting,), _readable(encounter.state))


def _of_move(move: Move, system: System) -> Iterator[Mention]:
    where, roles = f"moves.{move.id}", {role.id for role in move.cast}
    yield Mention(f"{where}.by", (move.by,), {*roles, GM})
    yield Mention(f"{where}.encounter", (move.encounter,), system.encounters)
    yield Mention(f"{where}.makes", (move.makes,), system.kinds)
    yield Mention(f"{where}.rules", move.rules, system.book.rules)
    if not callable(move.exists):
        yield Mention(f"{where}.exists", (name for name in move.exists if not is_poll(name)), {*_RANKS, OWN, *roles})
    for role in move.cast:
        yield Mention(f"{where}.cast.{role.id}", (role.record, *role.also), system.kinds)
        yield Mention(f"{where}.cast.{role.id}.offers", (role.offers,), {asked.id for asked in move.fields})
    for asked in move.fields:
        yield from _of_field(asked, move, system)
    for step in move.resolves:
        yield Mention(f"{where}.{step.id}.vary", (step.vary,), {asked.id for asked in move.fields})


def _of_field(asked: AnyField, move: Move, system: System) -> Iterator[Mention]:
    where = f"moves.{move.id}.{asked.id}"
    yield Mention(f"{where}.role", (asked.role,), {role.id for role in move.cast})
    yield Mention(f"{where}.secrecy", (asked.secrecy,), _KEPT)
    yield Mention(f"{where}.by", (asked.by,), {GM, *(role.id for role in move.cast)})
    yield Mention(f"{where}.rule", (asked.rule,), system.book.rules)
    yield Mention(f"{where}.upon", (asked.upon,), {one.id for other in system.moves.values() for one in other.fields})
    if isinstance(asked.shape, Pips) and isinstance(asked.shape.gauge, str):
        parts = {name for kind in system.kinds.values() for name in parts_of(kind, system)}
        yield Mention(f"{where}.shape", (asked.shape.gauge,), parts)


def _wrong(system: System) -> Iterator[Lack]:
    """What is no name, and cannot be what it stands for."""
    accent = system.look.get("accent", "#000000")
    if not _COLOUR.fullmatch(accent):
        yield lack("no-colour", colour=accent)
    yield from (lack("long-glyph", name=name, glyph=glyph) for name, glyph in system.glyphs.items() if len(glyph) != 1)
    for move in system.moves.values():
        for asked in move.fields:
            usual = () if callable(asked.usual) or not asked.has_usual() else (asked.usual,)
            probes = () if callable(asked.probes) else asked.probes
            yield from (lack("out-of-bounds", move=move.id, field=asked.id, value=value)
                        for value in (*usual, *probes) if _is_out_of_bounds(asked, value))


def _is_out_of_bounds(asked: AnyField, value: Any) -> bool:
    if not isinstance(asked.type, Whole) or not isinstance(value, int):
        return False
    least, most = (bound if isinstance(bound, int) else value for bound in (asked.type.minimum, asked.type.maximum))
    return not least <= value <= most


def parts_of(kind: AnyKind, system: System) -> frozenset[str]:
    """What can be named of a kind: its fields, and what its records derive."""
    rulings = system.book.rulings()
    derived = (name for record in some_records(kind, system) for name in kind.derived(record, rulings))
    return frozenset((*fields_of(kind.cls), *derived))


def some_records(kind: AnyKind, system: System) -> Iterator[Any]:
    """Some records of a kind: those that are ready, and a few that are drawn."""
    yield from kind.ready(LANGUAGES[0]).values()
    if kind.draw is not None:
        for seed in range(_DRAWN):
            yield SeededDice(seed).resolve(kind.draw, system.book.rulings())


def _moves(system: System) -> frozenset[str]:
    return frozenset(system.moves)


def _roots(names: Iterable[str]) -> Iterator[str]:
    """The first part of dotted names (``weapons.id``): the value of the sheet itself."""
    return (name.partition(".")[0] for name in names)


def _readable(state: type) -> frozenset[str]:
    """What can be read of a state: its fields, and what it works out of them."""
    return frozenset({*fields_of(state), *(name for name in dir(state) if not name.startswith("_"))})
