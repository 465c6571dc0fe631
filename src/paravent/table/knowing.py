"""Who may know of an act, and of those who are in it."""

from __future__ import annotations

from collections.abc import Iterable

from paravent.game.eyes import Eyes
from paravent.game.records import ALL, GM

from .act import Act
from .kept import ByIdentity


def hears(eyes: Eyes, seat: str, act: Act, audience: Iterable[str]) -> bool:
    """Whether a seat is among the ranks and roles of an act."""
    if ALL in audience:
        return seat in eyes.seats
    return seat in eyes.hearing(act.cast, act.by, audience)


_KNOWN: ByIdentity[bool] = ByIdentity(512)


def may_know(eyes: Eyes, seat: str, act: Act) -> bool:
    """Whether this seat may know that the act exists at all; asked again and again, so worked out once."""
    return seat == act.starter or _KNOWN.of((eyes, act), lambda: _may_know(eyes, seat, act), seat)


def _may_know(eyes: Eyes, seat: str, act: Act) -> bool:
    if not hears(eyes, seat, act, act.exists):
        return False
    if is_about_unknown(eyes, seat, act):
        return False
    # An act all of whose throws are hidden from a seat is hidden itself; that one more was thrown tells nothing.
    return not act.throws or any(hears(eyes, seat, act, throw.shown.exists) for throw in act.throws)


def is_about_unknown(eyes: Eyes, seat: str, act: Act) -> bool:
    """Whether an act is about people of whom this seat may not know, and about nobody else: then there is no such act.

    Where nobody need be in it, it is about something else too.
    """
    people = [part for part in act.cast if part.role != GM]
    needed = any(part.has_sheet and not part.spare for part in people)
    return needed and not any(is_present(eyes, seat, act, part.id) for part in people)


def known_as(eyes: Eyes, seat: str, act: Act, unseen: frozenset[str], one: str) -> str | None:
    """The id by which this seat knows somebody who is told of in an act; None of whom it may not know.

    A rule calls people by the part that they have in it.
    """
    part = act.part(one) or next((part for part in act.cast if part.name == one), None)
    found = one if part is None else part.id
    present = part is None or part.role == GM or is_present(eyes, seat, act, part.id)
    return found if present and found not in unseen else None


def ends_unseen(eyes: Eyes, seat: str, act: Act) -> bool:
    """Whether it has thrown something whose outcome this seat may not see."""
    return any(not hears(eyes, seat, act, throw.shown.outcome) for throw in act.throws)


def is_blind(eyes: Eyes, seat: str, act: Act) -> bool:
    """Whether the act has thrown something whose outcome this seat may not see, and is not over."""
    return act.phase in ("open", "settled") and ends_unseen(eyes, seat, act)


def is_present(eyes: Eyes, seat: str, act: Act, actor: str) -> bool:
    """Whether this seat may know that an actor is in the act."""
    part = act.part(actor)
    seen_by = part.seen_by if part is not None and part.has_sheet else (ALL,)
    return eyes.may_see(seat, actor, {"owner", *seen_by})


def holds_back(by: str) -> bool:
    """Whether what was sealed comes to others with the dice: where the game master throws, one never knows whether
    somebody is still to choose.
    """
    return by == GM


def may_read(eyes: Eyes, seat: str, actor: str, secrecy: str, revealed: bool) -> bool:
    """Whether this seat may read a field of this secrecy filled in for an actor."""
    mine = seat in eyes.controllers(actor)
    match secrecy:
        case "open":
            return True
        case "own":
            return mine or eyes.is_gm(seat)
        case "gm":
            return eyes.is_gm(seat)
        case _:
            return mine or revealed
