"""Money: what is paid, and what is still owed."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import Actor, Audience, Change, Field, Telling, Whole, changed
from paravent.systems.empire.throws import said

from .errors import TooLittleMoney

APPRAISAL: Field[int | None] = Field("appraisal", Whole(0, 6), optional=True, rule="EGW-101")


def credits_left(actor: Actor, amount: int) -> int | None:
    """What is left of an actor's money, refused if it is not enough; None without a purse."""
    purse = getattr(actor.record, "credits", None)
    if purse is None:
        return None
    if amount > max(0, purse):
        raise TooLittleMoney(need=amount, purse=purse)
    return int(purse) - amount


def paid(actor: Actor, amount: int, rule: str) -> Sequence[Change]:
    """Money spent, or earned where it is negative; none where nobody has a purse."""
    left = credits_left(actor, amount)
    return () if left is None else changed(actor.id, actor.record, "credits", left, rule)


def owed(actor: Actor, amount: int) -> int:
    """What a purse cannot pay of an amount that dice have settled."""
    purse = getattr(actor.record, "credits", None)
    return 0 if purse is None else max(0, amount - max(0, int(purse)))


def paid_as_far(actor: Actor, amount: int, rule: str) -> Sequence[Change]:
    """Money spent as far as it goes: once dice have fallen, nothing is refused for want of it."""
    return paid(actor, amount - owed(actor, amount), rule)


def paid_or_owed(actor: Actor, amount: int, rule: str) -> Sequence[Change]:
    """Money spent whatever there is: a purse below zero is what one owes."""
    purse = getattr(actor.record, "credits", None)
    return () if purse is None else changed(actor.id, actor.record, "credits", int(purse) - amount, rule)


def tell_debt(actor: Actor, amount: int, to: Audience | None = None) -> Sequence[Telling]:
    """What is owed of an amount that is paid all the same, if anything."""
    missing = owed(actor, amount)
    return (said("told_debt", to, n=missing),) if missing else ()


def tell_owed(actor: Actor, amount: int, to: Audience | None = None) -> Sequence[Telling]:
    """What a purse lacks, if anything."""
    missing = owed(actor, amount)
    return (said("told_owed", to, n=missing),) if missing else ()
