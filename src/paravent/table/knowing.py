"""Who may know of an act, and of those who are in it."""

from __future__ import annotations

from collections.abc import Iterable

from paravent.game.eyes import Eyes
from paravent.game.records import ALL

from .act import Act


def hears(eyes: Eyes, seat: str, act: Act, audience: Iterable[str]) -> bool:
    """Whether a seat is among the ranks and roles of an act."""
    if ALL in audience:
        return seat in eyes.seats
    return seat in eyes.hearing(act.cast, act.by, audience)


def may_know(eyes: Eyes, seat: str, act: Act) -> bool:
    """Whether this seat may know that the act exists at all."""
    if seat == act.starter:
        return True
    if not hears(eyes, seat, act, act.exists):
        return False
    # An act all of whose throws are hidden from a seat is hidden itself; that one more was thrown tells nothing.
    return not act.throws or any(hears(eyes, seat, act, throw.shown.exists) for throw in act.throws)


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
