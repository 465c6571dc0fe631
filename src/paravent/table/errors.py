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
    """A text is longer than a table takes."""

    code = "table/too-long"


class TooMany(SeatError):
    """There is no room for one more."""

    code = "table/too-many"


class TooDeep(SeatError):
    """What was sent is nested deeper than a table reads."""

    code = "table/too-deep"


class TooLarge(SeatError):
    """What was sent holds more values than a table takes."""

    code = "table/too-large"


class NotPlain(SeatError):
    """What was sent holds a number or a sign that cannot be kept."""

    code = "table/not-plain"


class NothingToUndo(SeatError):
    """This line of the log cannot be taken back."""

    code = "table/nothing-to-undo"


class AlreadyApplied(SeatError):
    """What this move changes is changed already: there is nothing left to accept, and it can be undone."""

    code = "table/already-applied"


class RuleChanged(SeatError):
    """The game changed since this move was opened, and it no longer goes the same way: it must be started again."""

    code = "table/rule-changed"


class GameMissing(RuleChanged):
    """The game of this move is not installed here, or no longer has it: it can be read, and given up."""

    code = "table/game-missing"


class RuleFailed(SeatError):
    """The game's rule broke on what it was given: the fault is the game's, and nothing was changed."""

    code = "table/rule-failed"


class LastGameMaster(SeatError):
    """A table keeps at least one game master."""

    code = "table/last-gm"


class NotAPicture(SeatError):
    """What was sent is no picture that can be read: JPEG, PNG, WebP or GIF."""

    code = "table/not-a-picture"


class LargePicture(SeatError):
    """A picture is larger than can be taken: in bytes, or in points."""

    code = "table/large-picture"


class NoRoomForPictures(SeatError):
    """There is no room for one more picture."""

    code = "table/no-room-for-pictures"


class EmptyText(SeatError):
    """Nothing was said."""

    code = "table/empty"


class OtherGame(SeatError):
    """The file comes from another game."""

    code = "table/other-game"


class NotAnExport(SeatError):
    """The file is not one that this program wrote."""

    code = "table/not-an-export"


class ExportCut(SeatError):
    """The file stops before its last line."""

    code = "table/export-cut"


class ExportChanged(SeatError):
    """The file is not as it was written: a line is missing, doubled, elsewhere or otherwise."""

    code = "table/export-changed"


class OpenedTwice(SeatError):
    """A log opens its table a second time."""

    code = "table/opened-twice"


class NoSuchRank(SeatError):
    """A log gives somebody a rank that there is not."""

    code = "table/no-such-rank"


class TwiceInLog(SeatError):
    """A log brings a seat, a record, an act or a line a second time."""

    code = "table/twice-in-log"


class BeforeItBegan(SeatError):
    """A log tells what happened in an act that has not begun yet."""

    code = "table/before-it-began"


class NameTaken(SeatError):
    """Somebody at the table goes by this name, or by one that looks the same."""

    code = "table/name-taken"


class SealedInPlay(SeatError):
    """Something sealed is still in play: a whole export would show it."""

    code = "table/sealed-in-play"


class TableMoved(SeatError):
    """Another table goes on for this one: it was joined to it."""

    code = "table/moved"


class JoinedAlready(SeatError):
    """These are one table."""

    code = "table/joined-already"


class NotTheSameGame(SeatError):
    """Tables of two games are not joined."""

    code = "table/not-the-same-game"


class NotTheSameRulings(SeatError):
    """Tables that play by other options are not joined."""

    code = "table/not-the-same-rulings"


class NotAnEpisode(SeatError):
    """This table was not opened as an episode of the other."""

    code = "table/not-an-episode"
