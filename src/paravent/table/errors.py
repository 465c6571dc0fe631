"""What a table refuses."""

from __future__ import annotations

from paravent.game.errors import SeatError


class OnlyGameMaster(SeatError):
    """Only the game master may do this."""

    code = "table/only-gm"


class OnlyPlayers(SeatError):
    """A spectator watches and does nothing else."""

    code = "table/only-players"


class TooLong(SeatError):
    """More was sent than a table takes."""

    code = "table/too-long"


class NothingToUndo(SeatError):
    """This line of the log cannot be taken back."""

    code = "table/nothing-to-undo"


class RuleChanged(SeatError):
    """The game changed since this move was opened: it must be started again."""

    code = "table/rule-changed"
