"""Rules played: dice that really fall, and the record they leave.

A record is the list of what happened in order: throws, answers, lines of explanation. Giving a record back to the
same rule repeats it without drawing anything, and goes on from where it stopped: that is how a rule waits for a
choice without anything suspended being kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar, TypeVarTuple

from .errors import (
    AbsurdDice,
    DiceLeftOver,
    ImpossibleFace,
    NotAnOption,
    NotThoseDice,
    RecordDiffers,
    TooFewCards,
    TooFewDice,
)
from .fair import Faces, KeyedFaces, LiveFaces
from .protocol import Dice, O, Refusing, ThrowAgain
from .ways import (
    MOST_SIDES,
    AnyFace,
    AnyFall,
    Deck,
    FacesTold,
    Fall,
    Kinds,
    Step,
    Take,
    Tallied,
    by_rank,
    checked,
    faces_of,
    results_by_rank,
)

R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
Ts = TypeVarTuple("Ts")

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
"""A value as files and the wire carry it."""


class ByHand(NamedTuple):
    """An answer that names dice on the table by their numbers, from 1 in the order thrown."""

    dice: tuple[int, ...]


class Choice(NamedTuple):
    """A question that a rule asks of a role."""

    who: str
    key: str
    options: tuple[Hashable, ...]
    usual: Hashable
    rule: Refusing
    values: tuple[tuple[str, object], ...] = ()
    """What is at stake, by name."""


class Wanted(NamedTuple):
    """Dice that a role is asked to throw by hand."""

    role: str
    n: int
    sides: int
    rule: str


class Waiting(Exception):
    """The rule stops here until somebody answers; it is re-run with the answer."""

    def __init__(self, request: Choice | Wanted, record: Record) -> None:
        super().__init__(request)
        self.request = request
        self.record = record


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice thrown by a role for a rule, faces in the order they fell; from a named stream, if any."""

    role: str
    rule: str
    sides: int
    faces: tuple[int, ...]
    by_hand: bool = False
    stream: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A choice made; ``answer`` in plain form, ``dice`` the numbers of the dice taken if any."""

    who: str
    key: str
    answer: Plain
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Noted:
    """One line of the explanation, as a key and values."""

    rule: str
    key: str
    values: tuple[tuple[str, object], ...]
    role: str = ""


Entry = Thrown | Answered | Noted
Record = tuple[Entry, ...]
"""What a played rule leaves: its throws and answers, in order."""
E = TypeVar("E", Thrown, Answered)
_PLAIN = frozenset({str, int, bool, float, type(None)})


def plain(value: object) -> Any:
    """A value as files and the wire carry it: numbers, words, lists and mappings; a fraction that is not whole in text.

    >>> plain(Take("failure"))
    ['failure']
    >>> plain([Fraction(6, 2), Fraction(5, 2)])
    [3, '5/2']
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(part) for part in value)
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(part) for name, part in value.items()}
    return value


def record_to_json(record: Record) -> list[dict[str, Plain]]:
    """A record as a list of plain mappings, each with its ``type``."""
    rows: list[dict[str, Plain]] = []
    for entry in record:
        match entry:
            case Thrown():
                rows.append({"type": "thrown", "role": entry.role, "rule": entry.rule, "sides": entry.sides,
                             "faces": list(entry.faces), "by_hand": entry.by_hand,
                             **({"stream": list(entry.stream)} if entry.stream else {})})
            case Answered():
                rows.append({"type": "answered", "who": entry.who, "key": entry.key, "answer": plain(entry.answer),
                             "dice": list(entry.dice)})
            case Noted():
                rows.append({"type": "noted", "rule": entry.rule, "key": entry.key, "role": entry.role,
                             "values": {name: plain(value) for name, value in entry.values}})
    return rows


def record_from_json(rows: Iterable[Mapping[str, Any]]) -> Record:
    """The record that :func:`record_to_json` wrote."""
    entries: list[Entry] = []
    for row in rows:
        match row["type"]:
            case "thrown":
                entries.append(Thrown(row["role"], row["rule"], row["sides"], tuple(row["faces"]), row["by_hand"],
                                      tuple(row.get("stream", ()))))
            case "answered":
                entries.append(Answered(row["who"], row["key"], row["answer"], tuple(row["dice"])))
            case _:
                entries.append(Noted(row["rule"], row["key"], tuple(row["values"].items()), row["role"]))
    return tuple(entries)


@dataclass(slots=True)
class _Die:
    """A die lying on the table: its face, and what the rule calls it."""

    face: int
    kind: str
    aside: bool = False


Given = Hashable | list[Plain] | dict[str, Plain]
"""What may be given as an answer: an option, its plain form, or :class:`ByHand`."""
Answer = Callable[[Choice], Given]
"""Gives the answer to a choice, or raises :class:`Waiting`."""
Answers = Answer | Mapping[str, Given] | Sequence[Given] | None
"""Answers come from a function, from a mapping by key, from a list in order; without any, the rule waits."""


@dataclass(slots=True)
class _Scene:
    """What all hands at one roll share: the past to repeat, the record that grows, the dice on the table."""

    faces: Faces
    answer: Answer | None
    past: Iterator[Entry]
    record: list[Entry] = field(default_factory=list)
    trays: dict[str, list[_Die]] = field(default_factory=dict)
    picked: dict[str, tuple[int, ...]] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    apart: Mapping[str, str] = field(default_factory=dict)
    supplies: dict[tuple[str, ...], Faces] = field(default_factory=dict)

    def supply(self, stream: tuple[str, ...]) -> Faces:
        """The faces of a stream, from where they were left."""
        if stream not in self.supplies:
            faces = self.faces
            for name in stream:
                faces = faces.stream(name)
            self.supplies[stream] = faces
        return self.supplies[stream]

    def past_entry(self, kind: type[E]) -> E | None:
        """The next throw or answer of the past; None once the past is used up."""
        for entry in self.past:
            if isinstance(entry, Noted):
                continue
            if not isinstance(entry, kind):
                raise RecordDiffers(expected=kind.__name__.lower(), got=type(entry).__name__.lower())
            return entry
        return None


class PlayedDice:
    """Dice that fall, by whatever supply of faces, and leave a record.

    Roles that throw ``apart`` have a stream of their own, under the name given: what they throw moves no other face.
    """

    __slots__ = ("_by_hand", "_faces", "_role", "_scene", "_stream")

    def __init__(
        self,
        faces: Faces,
        answer: Answers = None,
        past: Record = (),
        *,
        by_hand: bool = False,
        apart: Mapping[str, str] | None = None,
    ) -> None:
        self._scene = _Scene(faces, _answerer(answer), iter(past), apart=apart or {})
        self._faces = faces
        self._role = "initiator"
        self._by_hand = by_hand
        self._stream: tuple[str, ...] = ()

    @property
    def record(self) -> Record:
        """What happened so far."""
        return tuple(self._scene.record)

    def tray(self, role: str = "initiator") -> tuple[tuple[int, str, bool], ...]:
        """The dice lying before a role: face, kind, and whether they left the roll."""
        return tuple((die.face, die.kind, die.aside) for die in self._scene.trays.get(role, []))

    def finish(self) -> None:
        """Say that the scene is over: faces left in a script are an error."""
        left = getattr(self._faces, "left", ())
        if left:
            raise DiceLeftOver(left=list(left))

    def of(self, role: str) -> Self:
        hand = object.__new__(type(self))
        hand._scene, hand._faces, hand._role, hand._by_hand = self._scene, self._faces, role, self._by_hand
        hand._stream = self._stream
        return hand

    def stream(self, name: str) -> Self:
        hand = self.of(self._role)
        hand._faces = self._faces.stream(name)
        hand._stream = (*self._stream, name)
        return hand

    def _throw(self, n: int, sides: int) -> tuple[int, ...]:
        if checked(n, sides) > MOST_SIDES:
            raise AbsurdDice(n=n, sides=sides)
        if not n:
            return ()
        scene = self._scene
        rule = scene.rules[-1] if scene.rules else ""
        supply, stream, past = self._faces, self._stream, scene.past_entry(Thrown)
        if self._role in scene.apart and (past is None or past.stream[:1] == (scene.apart[self._role],)):
            stream = (scene.apart[self._role], *stream)
            supply = scene.supply(stream)
        if past is not None:
            if (past.role, past.sides, len(past.faces)) != (self._role, sides, n):
                raise RecordDiffers(
                    expected=f"{n}d{sides} ({self._role})", got=f"{len(past.faces)}d{past.sides} ({past.role})"
                )
            if not past.by_hand:
                supply.skip(n, sides)
            scene.record.append(past)
            return past.faces
        try:
            faces = supply.throw(self._role, n, sides)
        except Waiting as waiting:
            wanted = waiting.request
            raise Waiting(wanted._replace(rule=rule), self.record) from None
        faces = tuple(read_face(face, sides) for face in faces)
        scene.record.append(Thrown(self._role, rule, sides, faces, self._by_hand, stream))
        return faces

    def _shown(self, n: int, die: int | AnyFall) -> FacesTold:
        """The faces of ``n`` dice in the order thrown; a weighted die has as many sides as it has ways."""
        if isinstance(die, int):
            return self._throw(n, die)
        thrown = self._throw(n, checked(n, die))
        sides = [face for face, weight in faces_of(die) for _ in range(weight)] if thrown else []
        return tuple(sides[face - 1] for face in thrown)

    def sum(self, n: int, sides: int | Fall[int]) -> int:
        return sum(self._shown(n, sides))

    def pool(self, n: int, sides: int) -> tuple[int, ...]:
        return tuple(sorted(self._throw(n, sides)))

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> tuple[int, ...]:
        faces = self._throw(n, kinds.sides)
        tray = self._scene.trays.setdefault(self._role, [])
        fallen = [_Die(face, kinds.kind_of(face)) for face in faces]
        if again is None:
            tray.extend(fallen)
        else:
            for number, die in zip(self._taken(again), fallen, strict=True):
                tray[number - 1] = die
        return kinds.tally(faces)

    def _taken(self, take: Take) -> tuple[int, ...]:
        """The numbers of the dice taken up: those picked by hand, else the first of each kind."""
        picked = self._scene.picked.pop(self._role, None)
        return picked if picked is not None else _first_of(self._scene.trays.get(self._role, []), take)

    def faces(self, n: int, die: int | Fall[R]) -> tuple[R, ...]:
        return tuple(sorted(self._shown(n, die), key=_places(die).__getitem__))

    def highest(self, n: int, sides: int | Fall[R], keep: int = 1) -> AnyFace:
        return _added(self._kept(n, sides, keep)[n - keep :])

    def lowest(self, n: int, sides: int | Fall[R], keep: int = 1) -> AnyFace:
        return _added(self._kept(n, sides, keep)[:keep])

    def _kept(self, n: int, die: int | Fall[R], keep: int) -> list[R]:
        if not 0 <= keep <= n:
            raise AbsurdDice(n=keep, sides=checked(n, die))
        return by_rank(self.faces(n, die))

    def gather(self, n: int, of: int | AnyFall | Deck, step: Step[S], start: S) -> S:
        shown = self.deal(of, n) if isinstance(of, Deck) else self._shown(n, of)
        state = start
        for face in of.cards if isinstance(of, Deck) else _places(of):
            state = step(state, face, shown.count(face))
        return state

    def deal(self, deck: Deck, n: int) -> FacesTold:
        if not 0 <= n <= len(deck):
            raise TooFewCards(wanted=n, left=len(deck))
        cards = [card for card, times in deck.cards.items() for _ in range(times)]
        drawn = [cards.pop(self._throw(1, len(cards))[0] - 1) for _ in range(n)]
        return tuple(sorted(drawn, key=list(deck.cards).index))

    def repeat(self, n: int, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> AnyFace:
        return sum(self._each(n, rule, args))

    def highest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> AnyFace:
        return _added(results_by_rank(self._each(n, rule, args, keep))[n - keep :])

    def lowest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> AnyFace:
        return _added(results_by_rank(self._each(n, rule, args, keep))[:keep])

    def _each(self, n: int, rule: Callable[..., Any], args: tuple[object, ...], keep: int = 0) -> list[Any]:
        if not 0 <= keep <= n:
            raise AbsurdDice(n=keep or n, sides=1)
        return [self.resolve(rule, *args) for _ in range(n)]

    def aside(self, kind: str, n: int) -> None:
        free = [die for die in self._scene.trays.get(self._role, []) if die.kind == kind and not die.aside]
        for die in free[-n:] if n else ():
            die.aside = True

    def resolve(self, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> R:
        scene = self._scene
        scene.rules.append(rule_name(rule))
        lying = {role: [replace(die) for die in tray] for role, tray in scene.trays.items()}
        try:
            while True:
                try:
                    return rule(self, *args)
                except ThrowAgain:  # only its own dice are picked up
                    scene.trays = {role: [replace(die) for die in tray] for role, tray in lying.items()}
                    scene.picked.clear()
        finally:
            self._scene.rules.pop()

    then = resolve

    def choose(
        self, who: str, key: str, options: Sequence[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
        if len(options) == 1 and not isinstance(options[0], Take):  # dice on the table have numbers: which is asked
            return options[0]
        scene = self._scene
        choice = Choice(who, key, tuple(options), options[0] if usual is None else usual, rule,
                        tuple(values.items()))
        past = scene.past_entry(Answered)
        if past is not None:
            if past.key != key:
                raise RecordDiffers(expected=key, got=past.key)
            given: Given = ByHand(past.dice) if past.dice else past.answer
        elif scene.answer is None:
            raise Waiting(choice, self.record)
        else:
            try:
                given = scene.answer(choice)
            except Waiting as waiting:
                raise Waiting(waiting.request, self.record) from None
        at, numbers = self._accepted(choice, given)
        option = options[at]
        scene.record.append(Answered(who, key, plain(option), numbers))
        if numbers:
            scene.picked[self._role] = numbers
        return option

    def _accepted(self, choice: Choice, given: Given) -> tuple[int, tuple[int, ...]]:
        """Which of the options was taken, and the numbers of the dice that it takes up."""
        tray = self._scene.trays.get(self._role, [])
        numbers = _pointed_at(given)
        if numbers is not None:
            lying = len(set(numbers)) == len(numbers) and all(0 < number <= len(tray) for number in numbers)
            if lying and not any(tray[number - 1].aside for number in numbers):
                take = Take(*(tray[number - 1].kind for number in numbers))
                if take in choice.options:
                    return choice.options.index(take), numbers
            kinds = [tray[number - 1].kind for number in numbers if 0 < number <= len(tray)]
            raise NotThoseDice(key=choice.key, dice=list(numbers), options=[plain(option) for option in choice.options],
                               rule=refusing(choice, kinds))
        for at, option in enumerate(choice.options):
            if option == given or plain(option) == plain(given):
                return at, _first_of(tray, option) if isinstance(option, Take) else ()
        raise refused(choice, given)

    def note(self, rule: str, key: str, **values: object) -> None:
        self._scene.record.append(Noted(rule, key, tuple(values.items()), self._role))


class UnrecordedDice(PlayedDice):
    """Dice that fall and leave nothing behind, for what is made by the thousand: no record, no past, no notes."""

    __slots__ = ()

    def _throw(self, n: int, sides: int) -> tuple[int, ...]:
        checked(n, sides)
        return self._faces.throw(self._role, n, sides) if n else ()

    def note(self, rule: str, key: str, **values: object) -> None:
        return None


def _places(die: int | AnyFall) -> Tallied:
    """The place of each face of a die, from the lowest."""
    return {face: at for at, (face, _) in enumerate(faces_of(die))}


def _added(faces: Sequence[Any]) -> Any:
    """The sum of faces; one alone may be a name."""
    return faces[0] if len(faces) == 1 else sum(faces)


def read_face(face: object, sides: int) -> int:
    """A face as a die shows it; many ten-sided dice are printed 0 to 9, and their 0 is the 10."""
    if face == 0 and sides == 10:
        return 10
    if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= sides:
        raise ImpossibleFace(face=face, sides=sides)
    return face


def _pointed_at(given: Given) -> tuple[int, ...] | None:
    """The numbers of the dice that an answer points at, if it does."""
    if isinstance(given, ByHand):
        return given.dice
    named = given.get("dice") if isinstance(given, Mapping) else None
    if not isinstance(named, (list, tuple)):
        return None
    numbers = tuple(number for number in named if isinstance(number, int))
    return numbers if len(numbers) == len(named) else None


def refused(choice: Choice, got: Given) -> NotAnOption:
    """The refusal of an answer that is not among a choice's options, by the rule that refuses what was asked for."""
    asked = [got] if isinstance(got, str) else got if isinstance(got, (list, tuple)) else ()
    return NotAnOption(key=choice.key, got=plain(got), options=[plain(option) for option in choice.options],
                       rule=refusing(choice, asked))


def refusing(choice: Choice, asked: Iterable[object]) -> str:
    """The rule that refuses what was asked for: the first kind of die or answer that has one of its own."""
    if isinstance(choice.rule, str):
        return choice.rule
    return next((choice.rule[kind] for kind in asked if isinstance(kind, str) and kind in choice.rule),
                choice.rule.get("", ""))


def _first_of(tray: Sequence[_Die], take: Take) -> tuple[int, ...]:
    numbers: list[int] = []
    for kind in take:
        free = (at for at, die in enumerate(tray, start=1) if die.kind == kind and not die.aside and at not in numbers)
        found = next(free, None)
        if found is None:
            raise NotAnOption(key="take", got=kind, options=[die.kind for die in tray if not die.aside], rule="")
        numbers.append(found)
    return tuple(numbers)


def rule_name(rule: Callable[..., object]) -> str:
    """The name a record gives to a rule."""
    return getattr(rule, "__name__", type(rule).__name__)


def _answerer(answer: Answers) -> Answer | None:
    """What answers each choice; one that is not answered is so the usual way."""
    if answer is None or callable(answer):
        return answer
    if isinstance(answer, Mapping):
        by_key = dict(answer)
        return lambda choice: by_key.get(choice.key, choice.usual)
    in_order = list(answer)

    def next_answer(choice: Choice) -> Given:
        return in_order.pop(0) if in_order else choice.usual

    return next_answer


def usually(choice: Choice) -> Hashable:
    """Answers every choice the usual way."""
    return choice.usual


class ScriptedFaces:
    """The faces of a worked example, in order."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.left = list(faces)

    def skip(self, n: int, sides: int) -> None:
        return None

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        if len(self.left) < n:
            raise TooFewDice(wanted=n, left=len(self.left), sides=sides)
        faces, self.left[:n] = tuple(self.left[:n]), []
        return faces

    def stream(self, name: str) -> ScriptedFaces:
        return self


def as_many(faces: tuple[int, ...], n: int, sides: int) -> tuple[int, ...]:
    """The faces typed for a throw of ``n`` dice, if they are as many."""
    if len(faces) < n:
        raise TooFewDice(wanted=n, left=len(faces), sides=sides)
    if len(faces) > n:
        raise DiceLeftOver(left=list(faces[n:]))
    return faces


class TypedFaces:
    """Real dice: each throw is asked of the hand that makes it; without one the rule waits."""

    def __init__(self, ask: Callable[[Wanted], Sequence[int]] | None = None) -> None:
        self._ask = ask

    def skip(self, n: int, sides: int) -> None:
        return None

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        wanted = Wanted(role, n, sides, "")
        if self._ask is None:
            raise Waiting(wanted, ())
        return as_many(tuple(self._ask(wanted)), n, sides)

    def stream(self, name: str) -> TypedFaces:
        return self


class NoFaces:
    """Nothing new may be thrown: a record is only repeated."""

    def skip(self, n: int, sides: int) -> None:
        return None

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        raise TooFewDice(wanted=n, left=0, sides=sides)

    def stream(self, name: str) -> NoFaces:
        return self


def LiveDice(answer: Answers = usually, past: Record = ()) -> PlayedDice:  # noqa: N802
    """Dice of the operating system's randomness."""
    return PlayedDice(LiveFaces(), answer, past)


def SeededDice(seed: int | str, answer: Answers = usually, past: Record = ()) -> PlayedDice:  # noqa: N802
    """Dice that fall the same way for the same seed, on any machine."""
    return PlayedDice(KeyedFaces.from_seed(seed), answer, past)


def ScriptedDice(*faces: int, answer: Answers = usually) -> PlayedDice:  # noqa: N802
    """Dice that show these faces, in order: a worked example.

    >>> ScriptedDice(3, 6, 2).pool(3, 6)
    (2, 3, 6)
    """
    return PlayedDice(ScriptedFaces(faces), answer)


def TypedDice(  # noqa: N802
    ask: Callable[[Wanted], Sequence[int]] | None = None, answer: Answers = None, past: Record = ()
) -> PlayedDice:
    """Real dice, typed in throw by throw."""
    return PlayedDice(TypedFaces(ask), answer, past, by_hand=True)


def RecordedDice(record: Record) -> PlayedDice:  # noqa: N802
    """Dice that repeat a record and throw nothing new."""
    return PlayedDice(NoFaces(), None, record)


@dataclass(frozen=True, slots=True)
class Played(Generic[R]):
    """A rule played to its end: what it gave, and the record."""

    result: R
    record: Record

    @property
    def throws(self) -> tuple[Thrown, ...]:
        """The throws of the record, in order."""
        return tuple(entry for entry in self.record if isinstance(entry, Thrown))

    @property
    def notes(self) -> tuple[Noted, ...]:
        """The explanation, line by line."""
        return tuple(entry for entry in self.record if isinstance(entry, Noted))


def play(rule: Callable[[Dice, *Ts], R], *args: *Ts, dice: PlayedDice | None = None) -> Played[R]:
    """Play a rule to its end; raises :class:`Waiting` where somebody must answer first.

    >>> play(lambda dice: dice.sum(2, 6), dice=ScriptedDice(3, 4)).result
    7
    """
    dice = LiveDice() if dice is None else dice
    result = dice.resolve(rule, *args)
    dice.finish()
    return Played(result, dice.record)
