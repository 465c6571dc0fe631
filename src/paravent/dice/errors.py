"""What can go wrong with dice, as types; a sentence for each in words a player understands."""

from __future__ import annotations

from typing import Any, ClassVar, Self


class ParaventError(ValueError):
    """Something asked for cannot be done; the reason is a key and values, worded in the reader's language.

    ``code`` is steady and public: a page or a program may act on it. Words come from the catalogues.
    """

    code: ClassVar[str] = "house/error"
    way_out: ClassVar[str] = ""
    """What whoever writes a rule may do about it; it stands behind the reason in a traceback."""

    def __init__(self, **values: Any) -> None:
        reason = f"{self.code}: {values}" if values else self.code
        super().__init__(f"{reason} ({self.way_out})" if self.way_out else reason)
        self.values = values

    def __copy__(self) -> Self:
        """The same reason, to be told with other values; what a kind of error asks for when made is not asked again."""
        made = type(self).__new__(type(self), *self.args)
        made.__dict__.update(self.__dict__)
        return made


class DiceError(ParaventError):
    """The dice cannot do what is asked of them."""

    code = "dice/error"


class TooFewDice(DiceError):
    """A scripted scene ran out of faces before the rule had thrown them all."""

    code = "dice/too-few"


class DiceLeftOver(DiceError):
    """A scripted scene has faces that the rule never threw."""

    code = "dice/left-over"


class ImpossibleFace(DiceError):
    """A face was given that this die does not have."""

    code = "dice/impossible-face"


class RecordDiffers(DiceError):
    """A record was repeated on a rule that no longer throws the same dice."""

    code = "dice/record-differs"


class NotAnOption(DiceError):
    """The answer given to a choice is not among its options."""

    code = "dice/not-an-option"


class NotThoseDice(NotAnOption):
    """The dice pointed at are not among those that a choice lets one take."""

    code = "dice/not-those-dice"


class AbsurdDice(DiceError):
    """Fewer than no dice, dice without faces, or more of them than anybody throws."""

    code = "dice/absurd"


class Unranked(DiceError):
    """The highest of some results is wanted, of which nobody can say which is higher: words, or nothing."""

    code = "dice/unranked"
    way_out = "give numbers, or rows that begin with one"


class NotADie(DiceError):
    """Faces that no die can have: none at all, or fewer than none of one."""

    code = "dice/not-a-die"


class TooFewCards(DiceError):
    """A deck does not hold the cards that are wanted of it."""

    code = "dice/too-few-cards"


class TooWide(DiceError):
    """A throw has more results than can be told apart; something coarser is to be asked of it."""

    code = "dice/too-wide"
    way_out = "ask for something coarser: dice.sum, dice.highest, dice.counts, dice.gather"


class EndlessRule(DiceError):
    """A rule goes on for ever, so it has no exact odds: its name, the line where it was stopped, and how deep."""

    code = "dice/endless"
    way_out = "to a precision: odds(rule, within=1e-6)"


class TooManyBranches(EndlessRule):
    """A rule has more branches than can be followed one by one: its name, its line, and how many are."""

    code = "dice/too-many-branches"
    way_out = "resolve what is done alike: dice.resolve, dice.repeat; ask for dice together: dice.counts, dice.gather"


class Unsteady(DiceError):
    """A rule that is run again on the same dice throws fewer of them: it keeps something from one run to the next."""

    code = "dice/unsteady"
    way_out = "let nothing keep the dice from one run to the next: no cached function, no variable of the module"


class NotAPrecision(DiceError):
    """Odds cannot be as near as that: a precision lies between nothing and everything."""

    code = "dice/not-a-precision"


class NoOutcome(DiceError):
    """No result satisfies what was asked."""

    code = "dice/no-outcome"


class TooManyStates(DiceError):
    """A repeated rule reaches more states than were allowed; sample it instead."""

    code = "dice/too-many-states"
    way_out = "sample it: Chain(...).sample(runs, seed)"


class NotKept(DiceError, TypeError):
    """A rule is given, or gives, what cannot be told apart and kept: a list, a set, a dictionary."""

    code = "dice/not-kept"
    way_out = "a tuple, a frozenset, a sorted tuple of pairs"
