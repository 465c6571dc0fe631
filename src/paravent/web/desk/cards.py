"""What lies on a seat's side of the table while a move is played: cards, and the dice on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paravent.table.seen import DeadlineSeen, DiceWanted, Proof, VersionsSeen
from paravent.web.charts import Outlook
from paravent.web.controls import Control, FormGroup
from paravent.web.shapes import Tile

from .sheets import DrawnSheet, Listed


@dataclass
class Die:
    """A die lying on the table, that may be picked."""

    number: int
    face: int
    sides: int
    kind: str
    aside: bool
    pickable: bool
    words: str = ""
    """What the die is worth, where the game has a word for it."""


@dataclass
class Member:
    """Somebody in a move: their name, their role, whether their answer is in."""

    id: str
    name: str
    role: str
    ready: str


class FilledIn(NamedTuple):
    """Something that was filled in: by whom (their name where several are in it), which field, what."""

    actor: str
    who: str
    field: str
    title: str
    words: str


class ThrownHand(NamedTuple):
    """Dice that somebody threw, as they lie on the table."""

    role: str
    who: str
    sides: int
    faces: tuple[int, ...]
    by_hand: bool
    stream: tuple[str, ...]
    again: tuple[int, ...]
    """The places of those that were thrown again."""
    words: tuple[str, ...] = ()
    """What each face is called, where the game has a word for one of them."""
    out: tuple[bool, ...] = ()
    """Which of them count no more, where the rule counts dice up to a number."""


@dataclass
class Rung:
    """One of the possible ends of a throw, with what it would bring; lit once the dice fell there."""

    id: str
    words: str
    told: list[tuple[str, bool]] = field(default_factory=list)
    """Each line, and whether it is told behind the screen."""
    lit: bool = False


class ThrownRule(NamedTuple):
    """A throw on a card: its dice, how it ended, what is said of it, why."""

    step: str
    dice: list[ThrownHand]
    said: list[str]
    why: list[tuple[str, str]]
    outcome: str
    several: bool
    unseen: bool
    ended: str
    """``won`` or ``lost`` where the rule says so of one side, else empty."""
    ladder: list[Rung]
    """What each possible end would bring, told before the dice."""
    struck: Mapping[str, Sequence[str]]
    """For a line that is said of a body, the places of it that are meant."""
    signs: Mapping[str, str]
    """For a line that names something with a pictogram, what that is."""


class ChangedLine(NamedTuple):
    """One value that changes: what it is, before and after."""

    what: str
    before: str
    after: str


class ChangeCard(NamedTuple):
    """A change on a card, that may be amended or refused."""

    at: int
    who: str
    rule: str
    lines: list[ChangedLine]
    runs: bool
    value: int | str | None
    number: bool
    made: bool = False
    """It was certain, and made as the act settled; the others wait."""
    stale: bool = False
    """Something else has changed what it is about: it is left out unless the game master says otherwise."""
    proposed: int | str | None = None
    """The value to write: as the act has it, or counted from what stands now."""
    words: tuple[tuple[str, str], ...] = ()
    """Where only certain words may stand there, all of them as they are kept and as they are read."""


class AnswerOffered(NamedTuple):
    """One of the answers to a question."""

    json: str
    words: str
    dice: bool
    usual: bool


class Question(NamedTuple):
    """A question inside a rule: answers in words; those that take dice are shown on the dice as well."""

    key: str
    title: str
    stakes: str
    options: list[AnswerOffered]
    many: bool
    takes: Sequence[Any]
    poll: str
    """Where all the others are asked, a mark of what they vote on."""


class RoleToJoin(NamedTuple):
    """A role that still takes somebody in, and who is free."""

    id: str
    title: str
    free: list[Listed]


class Stepping(NamedTuple):
    """How somebody who is not in the act may step in by one touch: who, as what, and what each choice would bring."""

    id: str
    name: str
    role: str
    title: str
    field: str
    tiles: list[Tile]


@dataclass
class Card:
    """A move as one seat sees and handles it."""

    number: int
    id: str
    title: str
    help: str
    phase: str
    who: str
    against: str = ""
    """Whom it is played against, by name."""
    called: str = ""
    """The same, where they gave it a name: then that is its title."""
    supposing: list[str] = field(default_factory=list)
    """To the game master who judges, what is not said yet: the odds of each judgement suppose the best of it."""
    starter: str = ""
    encounter: int = 0
    parts: list[Member] = field(default_factory=list)
    filled: list[FilledIn] = field(default_factory=list)
    handed: list[DrawnSheet] = field(default_factory=list)
    """Whole sheets that were handed in, as they are drawn, with what the rules say of them."""
    waits_for: list[str] = field(default_factory=list)
    owes: list[Control] = field(default_factory=list)
    """What this seat must still say before the dice, though the game master's judgement is awaited first."""
    mine: bool = False
    groups: list[FormGroup] = field(default_factory=list)
    window: str = ""
    agreeing_to: str = ""
    """What is to be agreed to, where the game has a question of its own for it."""
    aside: frozenset[tuple[str, str]] = frozenset()
    """What is filled in and no longer asked, since something else was chosen: by whom, and which field."""
    sent_back: bool = False
    """Whether what this seat is asked for was said already, and refused."""
    asked_anew: bool = False
    """Whether what this seat had said no longer stands, as the sheets now are."""
    barred: str = ""
    """Why what is to be agreed to would be refused, if it would."""
    can_withdraw: bool = False
    unasked: bool = False
    """Whether those whom it asks may not know of it: the game master goes on without them."""
    can_throw: bool = False
    can_close: bool = False
    """Whether the game master may go on without whoever is awaited: dice that are typed are waited for."""
    can_hand: bool = False
    throws_next: bool = False
    """Whether what this seat seals is directly followed by a throw of its own: one touch may order both."""
    drawn: str = ""
    """A mark that is another one once the act looks otherwise; of what this seat sees, and nothing else. What proves
    its dice changes with them only."""
    takes_more: bool = False
    """Whether somebody may still be brought into it, as far as this seat may know who is there."""
    handled: str = ""
    """The same, of what is seldom done about it."""
    choice: Question | None = None
    wanted: DiceWanted | None = None
    tray: list[Die] = field(default_factory=list)
    outlook: Outlook = field(default_factory=Outlook)
    throws: Sequence[ThrownRule] = ()
    may_throw: bool = False
    """Whether there may be dice in it, of which less may be shown."""
    begun: bool = False
    """Whether dice have begun to be thrown; rules that run by themselves do not count."""
    changes: list[ChangeCard] = field(default_factory=list)
    proofs: tuple[Proof, ...] = ()
    left_out: list[str] = field(default_factory=list)
    """Those without whom a throw began again."""
    deadline: DeadlineSeen | None = None
    secrecy: str = ""
    """How much of its throws the game master shows at most, where that is less than the game does."""
    rule_changed: VersionsSeen | None = None
    broken: bool = False
    """Whether the game failed to say what can be done about it."""

    @property
    def nothing_to_choose(self) -> bool:
        """Whether this seat must choose among what there is, and there is nothing, or nothing any more."""
        return any(asked.required and not asked.filled and asked.kind == "one-of" and not (asked.options or asked.tiles)
                   for group in self.groups for asked in group.fields)
