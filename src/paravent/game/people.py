"""People in what is told: a reference, never a name, so that each reader is told only of those they may know.

A told value that names people is a :class:`Who` or a :class:`People`; one that counts them is a :class:`Heads`. They
are kept in the log as ids, tagged, and read for one reader in one place (:func:`for_reader`): whom the reader may not
know becomes somebody, a list leaves them out, a count does not count them. What people are called is put in place last
of all, by a :class:`~paravent.game.telling.Teller`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from .plain import SIMPLE, Plain, Value

if TYPE_CHECKING:
    from .move import Actor


class Who(NamedTuple):
    """Somebody, by the id of their record or seat, or by what a rule calls them (``opponent2``)."""

    who: str


class People(NamedTuple):
    """Several people, in order."""

    people: tuple[str, ...]


class Heads(NamedTuple):
    """How many people there are: those whom the reader may know of."""

    heads: tuple[str, ...]


Reference = Who | People | Heads
SOMEBODY = Who("")
"""Whom a reader may not know."""
_TAGS = ("who", "people", "heads")


def people(actors: Iterable[Actor]) -> People:
    """These actors."""
    return People(tuple(actor.id for actor in actors))


def heads(actors: Iterable[Actor]) -> Heads:
    """How many of these actors there are."""
    return Heads(tuple(actor.id for actor in actors))


def reference(value: object) -> Reference | None:
    """The people that a told value refers to, as the game or the log has it; None where it is about something else."""
    if type(value) in SIMPLE:  # as most are
        return None
    if isinstance(value, (Who, People, Heads)):
        return value
    if not isinstance(value, Mapping) or len(value) != 1:
        return None
    match dict(value):
        case {"who": str(one)}:
            return Who(one)
        case {"people": list(ids)}:
            return People(tuple(map(str, ids)))
        case {"heads": list(ids)}:
            return Heads(tuple(map(str, ids)))
    return None


def ids_of(value: Value) -> tuple[str, ...]:
    """The ids that a told value refers to, however deep."""
    if type(value) in SIMPLE:
        return ()
    found = reference(value)
    if found is not None:
        return (found.who,) if isinstance(found, Who) else found[0]
    if isinstance(value, Mapping):
        return tuple(one for part in value.values() for one in ids_of(part))
    if isinstance(value, (list, tuple)):
        return tuple(one for part in value for one in ids_of(part))
    return ()


def for_reader(value: Plain, known: Callable[[str], str | None]) -> Plain:
    """A told value as one reader may have it.

    ``known`` gives the id by which they know somebody, and None of whom they may not know.
    """
    if type(value) in SIMPLE:
        return {"who": ""} if isinstance(value, str) and known(value) is None else value
    found = reference(value)
    match found:
        case Who(one):
            return {"who": (known(one) or "") if one else ""}
        case People(ids):
            return {"people": _known(ids, known)}
        case Heads(ids):
            return {"heads": _known(ids, known)}
    if isinstance(value, dict):
        return {name: for_reader(part, known) for name, part in value.items() if known(name) is not None}
    if isinstance(value, list):
        return [for_reader(part, known) for part in value
                if not (isinstance(part, (str, dict)) and _only_unknown(part, known))]
    return value


def _known(ids: Iterable[str], known: Callable[[str], str | None]) -> list[Plain]:
    return [one for one in map(known, ids) if one is not None]


def _only_unknown(part: Plain, known: Callable[[str], str | None]) -> bool:
    """Whether an element of a list is about nobody but people the reader may not know."""
    if isinstance(part, str):
        return known(part) is None
    about = [*ids_of(part)]
    if isinstance(part, dict):
        about += [value for value in part.values() if isinstance(value, str) and known(value) is None]
    return bool(about) and all(known(one) is None for one in about)


def about_nobody_known(values: Mapping[str, Plain], known: Callable[[str], str | None]) -> bool:
    """Whether something is told of people only, and the reader may know of none of them: then it is not told."""
    about = [one for value in values.values() for one in ids_of(value)]
    about += [value for value in values.values() if isinstance(value, str) and known(value) is None]
    return bool(about) and all(known(one) is None for one in about)


__all__ = [
    "SOMEBODY", "Heads", "People", "Reference", "Who", "about_nobody_known", "for_reader", "heads", "ids_of", "people",
    "reference",
]
