"""What a game, a form or a table may refuse, as types; words come from the catalogues by ``code`` and values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from typing import ClassVar

from paravent.dice.errors import ParaventError

from .plain import Value

STUMBLES = (AttributeError, LookupError, TypeError, ValueError)
"""What a function of a game raises over a sheet or a field that is not there yet, or is not what it expects."""
BROKEN = (ArithmeticError, AssertionError, *STUMBLES)
"""What a game that fails may raise."""


class RuleError(ParaventError):
    """The rules of the game do not allow this. A subclass is one situation and names its rule."""

    code = "rule/refused"
    rule: ClassVar[str] = ""

    def __init__(self, rule: str = "", **values: Value) -> None:
        self.rule_id = rule or self.rule
        super().__init__(rule=self.rule_id, **values)


class FormError(ParaventError):
    """What was filled in cannot be read."""

    code = "form/error"


class MissingField(FormError):
    """A field that the move needs was left empty."""

    code = "form/missing"

    def __init__(self, field: str, role: str = "") -> None:
        super().__init__(field=field, **({"role": role} if role else {}))
        self.field, self.role = field, role


class MootField(FormError):
    """A field that nothing asks for, as things stand: what was said would be passed over in silence."""

    code = "form/moot"


class NeedsSheet(FormError):
    """A field names a value of a sheet, and the actor has none."""

    code = "form/needs-sheet"


class NoSheet(NeedsSheet):
    """A rule reads somebody's sheet, and they have none."""

    code = "form/no-sheet"


class BrokenSystem(FormError):
    """A game is installed but cannot be loaded."""

    code = "form/broken-system"


class NotAGame(BrokenSystem):
    """An entry point, or a module named by hand, leads to something that is no System."""

    code = "form/not-a-game"


class GameFault(ParaventError):
    """The code of a game failed: its author's fault, with the file and the line, never that of whoever asked."""

    code = "game/fault"


class UndeclaredOption(GameFault):
    """The code of a game reads an option that its options do not declare."""

    code = "game/undeclared-option"


class ExampleWithoutKind(GameFault):
    """A sheet in an example says of no kind that the game has."""

    code = "game/example-without-kind"


class ExampleOfNobody(GameFault):
    """An example names a sheet that is none of the ready-made."""

    code = "game/example-of-nobody"


class GarbledFile(GameFault):
    """A data file of a game is not written as such files are."""

    code = "game/unreadable-file"


class BadValue(FormError):
    """A field holds something it cannot hold."""

    code = "form/bad-value"


class OutOfRange(FormError):
    """A number lies outside what the field allows."""

    code = "form/out-of-range"


class TextTooLong(FormError):
    """A text is longer than its field holds."""

    code = "form/too-long"


class NotUnderstood(FormError):
    """A line of which some words say nothing to the game."""

    code = "form/not-understood"


class CrowdTooLarge(NotUnderstood):
    """A line that brings more people than one line may."""

    code = "form/crowd-too-large"


class SomebodyElse(FormError):
    """A role is for somebody else than the one who acts."""

    code = "form/somebody-else"


class UnknownName(FormError):
    """A name that nobody knows: the nearest valid ones are given."""

    code = "form/unknown"

    def __init__(self, what: str, got: str, known: Iterable[str]) -> None:
        names = sorted({str(name) for name in known})
        near = get_close_matches(got, names, n=3, cutoff=0.5) or names[:12]
        super().__init__(what=what, got=got, near=near)
        self.near = near


class BadRecord(FormError):
    """A record (a sheet) breaks the rules of its kind; the faults are listed."""

    code = "record/faults"


class LaterVersion(FormError):
    """A record was written by a later version of the game."""

    code = "record/later-version"


class Unread(FormError):
    """A record is not written as the game writes it, and cannot be read."""

    code = "record/unread"


class SeatError(ParaventError):
    """This participant may not do this, or not now."""

    code = "table/error"


class NotYours(SeatError):
    """Somebody else decides this."""

    code = "table/not-yours"


class NotNow(SeatError):
    """The move is not at the point where this can be done."""

    code = "table/not-now"


class NobodyChosen(NotNow):
    """A role that somebody has to hold is held by nobody."""

    code = "table/nobody-chosen"


class NoPartForThem(NotNow):
    """A record of a kind that has no use in a role: a price list does not fight."""

    code = "table/no-part"


class AlreadyOver(SeatError):
    """The scene or the episode has ended, and no other has begun."""

    code = "table/already-over"


_noticed: ContextVar[set[str] | None] = ContextVar("noticed", default=None)


@contextmanager
def noticing() -> Iterator[set[str]]:
    """What is withheld while this lasts, also where a rule makes do without it."""
    found: set[str] = set()
    before = _noticed.set(found)
    try:
        yield found
    finally:
        _noticed.reset(before)


class Withheld(SeatError):
    """What is asked depends on something that this seat may not see."""

    code = "table/withheld"

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        if (noticed := _noticed.get()) is not None:
            noticed.add(str(values.get("what", "")))


class Stale(SeatError):
    """The value has changed since the move read it: the game master amends or refuses the change."""

    code = "table/stale"


class BehindScreen(SeatError):
    """The game master took the move behind the screen: nobody else has a hand in it any more."""

    code = "table/behind-screen"


class BlindThrow(SeatError):
    """Whoever throws may not see these dice: they are the server's, not typed in."""

    code = "table/blind-throw"


class AlreadyThrown(SeatError):
    """The dice have been thrown: what was declared stands."""

    code = "table/already-thrown"
