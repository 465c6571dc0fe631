"""A move as it is played at a table, from its start to its end: an **act**. Typed, complete, durable.

An act holds everything that was read, filled in, thrown, answered and proposed, words as keys and values, audiences as
ranks and roles, so that nothing of it ever needs the game's rules again to be shown. What belongs to the game (inputs,
answers, results, states, sheets) is :data:`~paravent.game.plain.Plain`. To go on, an act is given back to its rules
(:mod:`paravent.table.open_move`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from paravent.game.plain import Plain
from paravent.game.records import Weight

Names = tuple[str, ...]
"""An audience as it is written down: ranks, roles or seats, in order."""
Phase = Literal["open", "judged", "settled", "closed", "withdrawn", "refused", "cancelled", "undone"]
OVER: tuple[Phase, ...] = ("closed", "withdrawn", "refused", "cancelled", "undone")
EVERYBODY: Names = ("all",)
"""An act is ``open`` while anything is asked or thrown, ``judged`` while it waits for the game master's word before the
dice, ``settled`` while its changes wait; then it is over, one way or another."""


class Kept(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What is written down: frozen; what it does not know was written by a later version.

    Nothing in it leads back to it, so Python need not look through it for waste: of a long table there is so much that
    everybody would wait meanwhile. The same goes for events, and for what seats see.
    """


class Part(Kept, frozen=True):
    """Somebody in an act: the role they hold, what rules call them (``opponent2``), the sheet as it was read.

    ``seen_by`` is who may know of them at all.
    """

    id: str
    role: str
    name: str
    kind: str = ""
    seen_by: Names = EVERYBODY
    sheet: Plain = None
    version: int = 1
    """That of its kind when the sheet was read."""
    spare: bool = False
    """Whether nobody need hold the role."""

    @property
    def has_sheet(self) -> bool:
        """Whether they came with a record."""
        return self.sheet is not None


class Passage(Kept, frozen=True):
    """Words chosen in a text that was filled in: in which paragraph, from where to where, and what they are."""

    paragraph: int
    start: int
    end: int
    words: str


class Filled(Kept, frozen=True):
    """What was filled in for an actor in one field, and who may read it."""

    actor: str
    field: str
    secrecy: str
    value: Plain
    passages: tuple[Passage, ...] = ()


class ShownTo(Kept, frozen=True):
    """Who may see what of a throw; see :class:`paravent.game.move.Shown`."""

    exists: Names
    dice: Names
    outcome: Names
    detail: Names | None = None


class DiceFell(Kept, frozen=True, tag="thrown"):
    """Dice thrown by a role for a rule, faces in the order they fell."""

    role: str
    rule: str
    sides: int
    faces: tuple[int, ...]
    by_hand: bool = False
    stream: Names = ()


class ChoiceMade(Kept, frozen=True, tag="answered"):
    """An answer given inside a rule, with the numbers of the dice taken, if any."""

    who: str
    key: str
    answer: Plain = None
    dice: tuple[int, ...] = ()


class LineNoted(Kept, frozen=True, tag="noted"):
    """One line of the explanation."""

    rule: str
    key: str
    values: dict[str, Plain] = {}
    role: str = ""


RecordEntry = DiceFell | ChoiceMade | LineNoted


class Sentence(Kept, frozen=True):
    """What is said of a result: a key of the words, typed values, and who hears it."""

    key: str
    values: dict[str, Plain] = {}
    audience: Names = EVERYBODY
    main: bool = False
    """Whether it tells the whole of it."""
    rung: str = ""
    """Of which possible end it tells, before the dice."""
    lights: str = ""
    """The end that came."""
    at: Names = ()
    """The places of a body that it happened at."""


class Grain(Kept, frozen=True):
    """A seat's share in a throw: what it promised, and what it opened, or that it was left out."""

    seat: str
    promise: str
    opened: str = ""
    left_out: bool = False


class Throw(Kept, frozen=True):
    """A rule as it was run: the record of its dice, who may see it, what came of it."""

    step: str
    record: tuple[RecordEntry, ...]
    shown: ShownTo
    done: bool = False
    turned_over: bool = False
    outcome: str | None = None
    result: Plain = None
    tellings: tuple[Sentence, ...] = ()
    version: str = ""
    """The mark of the game's rules as they were when they gave the result; empty where an earlier version wrote it."""
    success: bool | None = None
    """Whether it succeeded, where the rule says what success is."""

    @property
    def again(self) -> dict[int, tuple[int, ...]]:
        """Which dice of which fall were taken up and thrown again: their places, by the place of the fall."""
        lying: dict[str, list[tuple[int, int]]] = {}
        taken: dict[str, tuple[int, ...]] = {}
        again: dict[int, tuple[int, ...]] = {}
        for fall, entry in enumerate(self.record):
            if isinstance(entry, ChoiceMade) and entry.dice:
                taken[entry.who] = entry.dice
            elif isinstance(entry, DiceFell):
                tray, fresh = lying.setdefault(entry.role, []), [(fall, at) for at in range(len(entry.faces))]
                numbers = taken.pop(entry.role, ())
                if len(numbers) != len(fresh) or any(number > len(tray) for number in numbers):
                    tray.extend(fresh)
                    continue
                for number, new in zip(numbers, fresh, strict=True):
                    before, at = tray[number - 1]
                    again[before] = (*again.get(before, ()), at)
                    tray[number - 1] = new
        return again

    @property
    def dice(self) -> tuple[DiceFell, ...]:
        """The dice that fell, in order."""
        return tuple(entry for entry in self.record if isinstance(entry, DiceFell))


class Key(Kept, frozen=True):
    """The key of a throw, made before it may be asked for; the roller's grain comes with the throw.

    In a game master's file, the key of dice not thrown yet stays behind.
    """

    hash: str
    exists: Names = EVERYBODY
    key: str = ""
    grain: str | None = field(default=None, name="nonce")
    grains: tuple[Grain, ...] = ()
    """The seats that take part, settled before any of them opens a grain; and those that did not answer, left out."""
    begun_again: int = 0
    """How many keys were given up before this one because somebody did not answer."""
    holder: str = ""
    """Who is expected to throw: their grain comes with the throw, so that nobody knows the faces before."""
    apart: str = ""
    """The one player who may know of the throw, where not all may and somebody takes part."""

    @property
    def listed(self) -> tuple[Grain, ...]:
        """The seats that take part."""
        return tuple(row for row in self.grains if not row.left_out)


class PastThrow(Kept, frozen=True):
    """A throw that going back took away; it stays listed, with what proves it."""

    throw: Throw
    made: Key


class ChoiceAsked(Kept, frozen=True, tag="choice"):
    """A question that a rule asks in its middle; ``values`` say what is at stake."""

    who: str
    key: str
    options: tuple[Plain, ...]
    usual: Plain
    rule: str | Mapping[str, str] = ""
    values: dict[str, Plain] = {}


class DiceAsked(Kept, frozen=True, tag="dice"):
    """Dice to be thrown by hand and typed in."""

    who: str
    n: int
    sides: int
    rule: str = ""


Pending = ChoiceAsked | DiceAsked


class Proposal(Kept, frozen=True):
    """A change that an act asks for: before and after, and who may see the value it is about."""

    target: str
    path: str
    before: Plain
    after: Plain
    rule: str = ""
    kind: str = ""
    audience: Names = EVERYBODY
    value_audience: Names = EVERYBODY
    present: Names = EVERYBODY
    hidden: dict[str, Names] = {}
    """Of a whole record, the fields that fewer may see."""
    version: int = 1
    """Of a whole record, that of its kind."""
    weight: Weight = ""
    """Bookkeeping, certain or grave; empty where the game says nothing of it."""
    made: bool = False
    """It was made at once, while others of its act wait."""


class Deadline(Kept, frozen=True):
    """What becomes of what is missing, and when; ``stage`` is what the time was given for, ``said`` what was told."""

    policy: str
    until: str
    by: str
    stage: str = ""
    said: str = ""


class Act(Kept, frozen=True):
    """A move as it is played, whole."""

    id: int
    move: str
    version: str
    starter: str
    by: str
    day: int = 0
    minute: int | None = None
    """The minute of the day; none where an earlier version began it, whose nights had eight hours."""
    phase: Phase = "open"
    exists: Names = EVERYBODY
    secrecy: str = field(default="open", name="grade")
    """How much of its throws the game master lets be seen at most."""
    rulings: int = 0
    """Which of the table's settled options it is played by: the number of their settling."""
    own_rulings: dict[str, str] | None = None
    """The options it is played by, where the table never settled just these."""
    encounter: int | None = None
    state_of: str = ""
    state_read: Plain = None
    """The state of the encounter as it was read, and which encounter's it is."""
    cast: tuple[Part, ...] = ()
    fields: tuple[Filled, ...] = ()
    revealed: Names = ()
    windows: dict[str, dict[str, str]] = {}
    polls: dict[str, Plain] = {}
    throws: tuple[Throw, ...] = ()
    pending: Pending | None = None
    by_hand: bool = False
    changes: tuple[Proposal, ...] = ()
    awaited: Names = ()
    keys: dict[str, Key] = {}
    past: tuple[PastThrow, ...] = ()
    deadline: Deadline | None = None
    shown_otherwise: bool = False
    several: bool = False
    """Whether a role of it may be held by several people: its figures are then one for each."""
    unseen: tuple[int, ...] = ()
    """Encounters that it began behind the screen: they come out with its throw."""
    follows: int = 0
    """The act that brought it about, if one did."""
    weighed: bool = False
    """What was certain of it was made as it settled: only what is grave waits."""
    judgement: Literal["", "before", "waits"] = ""
    """Whether the game master judges before its dice, and whether they are awaited for that."""
    anew: Names = ()
    """What had been said and no longer stands, as the sheets now are: fields, each with its actor, asked anew."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is done about it."""
        return self.phase in OVER

    def throw(self, step: str) -> Throw | None:
        """What was thrown at a step."""
        return next((throw for throw in self.throws if throw.step == step), None)

    def part(self, actor: str) -> Part | None:
        """The part that an actor has in it."""
        return next((part for part in self.cast if part.id == actor), None)


class Progress(Kept, frozen=True):
    """What is new of an act, part by part; what is not named stays as it was."""

    phase: Phase | UnsetType = UNSET
    version: str | UnsetType = UNSET
    starter: str | UnsetType = UNSET
    day: int | UnsetType = UNSET
    minute: int | UnsetType | None = UNSET
    exists: Names | UnsetType = UNSET
    secrecy: str | UnsetType = field(default=UNSET, name="grade")
    state_read: Plain | UnsetType = UNSET
    cast: tuple[Part, ...] | UnsetType = UNSET
    fields: tuple[Filled, ...] | UnsetType = UNSET
    revealed: Names | UnsetType = UNSET
    windows: dict[str, dict[str, str]] | UnsetType = UNSET
    polls: dict[str, Plain] | UnsetType = UNSET
    throws: tuple[Throw, ...] | UnsetType = UNSET
    pending: Pending | UnsetType | None = UNSET
    by_hand: bool | UnsetType = UNSET
    changes: tuple[Proposal, ...] | UnsetType = UNSET
    awaited: Names | UnsetType = UNSET
    keys: dict[str, Key] | UnsetType = UNSET
    past: tuple[PastThrow, ...] | UnsetType = UNSET
    deadline: Deadline | UnsetType | None = UNSET
    shown_otherwise: bool | UnsetType = UNSET
    unseen: tuple[int, ...] | UnsetType = UNSET
    weighed: bool | UnsetType = UNSET
    judgement: Literal["", "before", "waits"] | UnsetType = UNSET
    anew: Names | UnsetType = UNSET


def progress(before: Act, after: Act) -> Progress:
    """What is new of an act; a throw that is as it was is the very same."""
    known = {throw.step: throw for throw in before.throws}
    after = replace(after, throws=tuple(was if (was := known.get(throw.step)) == throw else throw
                                        for throw in after.throws))
    new = ((name, getattr(after, name)) for name in Progress.__struct_fields__)
    return Progress(**{name: value for name, value in new if value != getattr(before, name)})


_ADVANCED: OrderedDict[tuple[int, int], tuple[Act, Progress, Act]] = OrderedDict()
_MOST_ADVANCED = 256


def advanced(act: Act, by: Progress) -> Act:
    """The act with what is new of it: the same object whoever asks, so that what was worked out of it holds.

    A decision is folded twice, by whoever decides and by whoever keeps the table.
    """
    kept = _ADVANCED.get((id(act), id(by)))
    if kept is None or kept[0] is not act or kept[1] is not by:
        told = ((name, getattr(by, name)) for name in Progress.__struct_fields__)
        after = replace(act, **{name: value for name, value in told if value is not UNSET})
        kept = _ADVANCED[id(act), id(by)] = act, by, after
        while len(_ADVANCED) > _MOST_ADVANCED:
            _ADVANCED.popitem(last=False)
    return kept[2]


def named(audience: Iterable[str]) -> Names:
    """An audience as it is written down."""
    return tuple(sorted(audience))
