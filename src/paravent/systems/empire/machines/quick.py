"""Robots in one line: ``un formec`` is a machine, ``deux logimecs, pisteur`` are two that were bought to track."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from paravent.game import Newcomer, NotUnderstood
from paravent.game.quick import Described
from paravent.game.words import LANGUAGES, Words, folded
from paravent.systems.empire.terms import PACKAGE

from .kinds import Robot
from .robots import Programme, RobotType


def robots(group: Described) -> Iterator[Newcomer] | None:
    """The robots that some words describe; None if they are no robots."""
    kind = group.ready(RobotType, lambda one: (one.value,))
    return None if kind is None else _built(group, kind)


def _built(group: Described, kind: RobotType) -> Iterator[Newcomer]:
    known = [programme for programme in Programme for words in group.said if words in _called(programme)]
    if len(known) < len(group.said):
        raise NotUnderstood(words=next(typed for words, typed in zip(group.said, group.typed, strict=True)
                                       if not any(words in _called(one) for one in Programme)))
    for name in group.names():
        programmes = tuple(one.value for one in known)
        yield Newcomer("robot", Robot(name=name, robot=kind, programmes=programmes), group.seen)


@cache
def _called(programme: Programme) -> frozenset[str]:
    """What people call a programme, in either language."""
    words = Words.from_package(PACKAGE)
    return frozenset(folded(words.entry(lang, f"values.{programme.value}")) for lang in LANGUAGES)


def ready_robots() -> tuple[str, ...]:
    """What may be said of them, one word for each: the same in either language."""
    return tuple(one.value for one in RobotType)
