"""What the command line may refuse besides what games and forms do; words stand under ``errors."cli/…"``."""

from __future__ import annotations

from paravent.game.errors import FormError


class UnreadableFile(FormError):
    """A file that was named cannot be opened or is not text."""

    code = "cli/unreadable-file"


class UnwritableFile(FormError):
    """Something cannot be written where somebody wants it."""

    code = "cli/unwritable-file"


class BadJson(FormError):
    """What was given as JSON is not."""

    code = "cli/bad-json"


class BadShape(FormError):
    """What was given is JSON, but of another shape than expected."""

    code = "cli/bad-shape"


class NotAPair(FormError):
    """A word that should read ``name=value``."""

    code = "cli/not-a-pair"


class GivenTwice(FormError):
    """A field that holds one value was given several."""

    code = "cli/given-twice"


class NotTogether(FormError):
    """Two options that exclude each other."""

    code = "cli/not-together"


class NeededTogether(FormError):
    """Options that mean nothing one without the other."""

    code = "cli/needed-together"


class NeedsEncounter(FormError):
    """The move is played inside an encounter, and none was given."""

    code = "cli/needs-encounter"


class NoEncounter(FormError):
    """The move is not played inside an encounter, and one was given."""

    code = "cli/no-encounter"


class NothingToWeigh(FormError):
    """The move throws nothing as things stand, so it has no odds."""

    code = "cli/nothing-to-weigh"


class BadToml(FormError):
    """A project's file is not TOML."""

    code = "cli/bad-toml"


class GameNameTaken(FormError):
    """A name that means something else already: to Python, or to a game that is installed."""

    code = "cli/name-taken"


class NoNameForAGame(FormError):
    """A name that a Python package cannot have."""

    code = "cli/bad-name"


class AlreadyThere(FormError):
    """A folder in which something stands already."""

    code = "cli/already-there"


class NoGameThere(FormError):
    """A folder whose project names no game."""

    code = "cli/no-game-there"


class NotDrawn(FormError):
    """This kind of record is not drawn at random."""

    code = "cli/not-drawn"


class OneWordTooMany(FormError):
    """One word too many on the command line."""

    code = "cli/too-much"


class WrongUse(FormError):
    """The command line cannot be read, for a reason that the parser gives."""

    code = "cli/wrong-use"


class AnotherSeries(FormError):
    """A file to be continued holds something else."""

    code = "cli/another-series"
