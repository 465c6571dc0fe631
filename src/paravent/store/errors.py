"""What can go wrong with the log, as types; the sentences are in the house's words."""

from __future__ import annotations

from paravent.dice.errors import ParaventError


class StoreError(ParaventError):
    """The log cannot do what is asked of it."""

    code = "store/error"


class TableExists(StoreError):
    """A new table was given the name of one that is there already."""

    code = "store/table-exists"

    def __init__(self, table: str) -> None:
        super().__init__(table=table)


class NoTable(StoreError):
    """Nobody created this table."""

    code = "store/no-table"

    def __init__(self, table: str) -> None:
        super().__init__(table=table)


class Conflict(StoreError):
    """Somebody else wrote to this table in between; ``next`` is the number its next event will bear."""

    code = "store/conflict"

    def __init__(self, table: str, next: int) -> None:
        super().__init__(table=table, next=next)
        self.next = next


class AlreadyDone(StoreError):
    """This command was acknowledged before; ``reply`` is what was answered then."""

    code = "store/already-done"

    def __init__(self, command: str, reply: str) -> None:
        super().__init__(command=command)
        self.reply = reply


class BadName(StoreError):
    """A table, command or seat has an empty or much too long name."""

    code = "store/bad-name"


class NotText(StoreError):
    """A text holds a character that no database keeps: a zero or half of a pair."""

    code = "store/not-text"


class BadAddress(StoreError):
    """The address names no kind of log that we know."""

    code = "store/bad-address"


class Unreadable(StoreError):
    """What stands at this address is not a log of ours."""

    code = "store/unreadable"


class NoLog(Unreadable):
    """There is nothing at this address; what only reads makes nothing there."""

    code = "store/no-log"


class NoCopy(Unreadable):
    """What is to be restored from is no copy of ours, or a damaged one: another is needed."""

    code = "store/no-copy"


class Damaged(Unreadable):
    """The file of the tables is damaged: it is to be gone on with from a copy."""

    code = "store/damaged"


class TooNew(StoreError):
    """A newer Paravent wrote this log."""

    code = "store/too-new"


class LogBusy(StoreError):
    """Another program keeps the log locked."""

    code = "store/busy"


class LogFailed(StoreError):
    """The machine could not write: a full disk, a lost disk. Nothing of the command was kept."""

    code = "store/failed"


class Unreachable(StoreError):
    """The database does not answer. The command may have been kept or not: ask again with the same command id."""

    code = "store/unreachable"


class LogClosed(StoreError):
    """The log was closed."""

    code = "store/closed"


class TargetExists(StoreError):
    """A copy was asked for where something stands already."""

    code = "store/target-exists"
