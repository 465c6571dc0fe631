"""In how many ways dice can fall: whole numbers, counted once.

A throw is described by what a rule asks of it. A sum has few values, a pool is a sorted handful of faces, and
kinds of faces (« a 1 », « a success », « a 10 ») have fewer combinations still. Nothing here enumerates single dice.

A die is a number of sides, or a distribution of its faces: weighted, named, or both.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from sys import byteorder
from typing import Any, Generic, Protocol, TypeVar

from .errors import AbsurdDice, TooFewCards, TooWide, Unranked
from .kept import kept_with_odds

V = TypeVar("V")
S = TypeVar("S", bound=Hashable)
MOST_DICE = 100_000
"""Dice in one throw."""
MOST_SIDES = 1 << 32
"""Sides of a die that is thrown; one that is weighed may have more."""
WIDEST = 500_000
"""Results of one throw that are told apart."""


class Fall(Protocol[V]):
    """What can come of chance: each value with its number of ways, and how many ways there are in all."""

    @property
    def ways(self) -> Mapping[V, int]:
        """Each value, with its number of ways."""
        ...

    @property
    def total(self) -> int:
        """How many ways there are in all."""
        ...

    @property
    def numbers(self) -> bool:
        """Whether it gives plain whole numbers, and nothing else."""
        ...

    def __hash__(self) -> int: ...


class Ways(Generic[V]):
    """What a throw can give."""

    __slots__ = ("_numbers", "total", "ways")

    def __init__(self, ways: Mapping[V, int], total: int) -> None:
        self.ways, self.total = ways, total
        self._numbers: bool | None = None

    @property
    def numbers(self) -> bool:
        if self._numbers is None:
            self._numbers = {*map(type, self.ways)} == {int}
        return self._numbers

    def __repr__(self) -> str:
        return f"Ways({self.ways!r}, {self.total})"


AnyFace = Any
"""A face of whatever kind: a number, a word, a card."""
AnyFall = Fall[Any]
"""What chance gives, of whatever faces, where several kinds stand together."""
AnyWays = Ways[Any]
Tallied = dict[AnyFace, int]
"""How many ways there are to each face."""
FacesTold = tuple[AnyFace, ...]
"""Faces in order."""


class Take(tuple[str, ...]):
    """Dice to take up, by their kinds: equal dice are interchangeable, so a choice among dice is one among kinds.

    >>> Take("failure", "success") == Take("success", "failure")
    True
    """

    __slots__ = ()

    def __new__(cls, *kinds: str) -> Take:
        return super().__new__(cls, sorted(kinds) if len(kinds) > 1 else kinds)

    def __repr__(self) -> str:
        return f"Take({', '.join(map(repr, self))})"


class Kinds:
    """The faces of a die sorted into kinds that a rule tells apart, in the order the rule reads them.

    >>> reading = Kinds(10, one=[1], success=range(2, 6), failure=range(6, 10), ten=[10])
    >>> reading.kind_of(7)
    'failure'
    """

    __slots__ = ("_by_face", "_hash", "names", "sides", "singly", "weights")

    def __init__(self, sides: int, **faces: Iterable[int]) -> None:
        by_face = {face: name for name, of_kind in faces.items() for face in of_kind}
        if sorted(by_face) != list(range(1, sides + 1)) or len(by_face) != sum(len(tuple(f)) for f in faces.values()):
            raise ValueError(f"each face from 1 to {sides} belongs to one kind; got {sorted(by_face)}")
        self.sides = sides
        self.names = tuple(faces)
        self.weights = tuple(sum(kind == name for kind in by_face.values()) for name in self.names)
        self.singly = tuple(tuple(int(name == kind) for kind in self.names) for name in self.names)
        """For each kind, what counts its dice and no others: one for it, nothing for the rest."""
        self._by_face = by_face
        self._hash = hash((sides, tuple(sorted(by_face.items()))))

    def kind_of(self, face: int) -> str:
        """The name of the kind this face belongs to."""
        return self._by_face[face]

    def tally(self, faces: Iterable[int]) -> tuple[int, ...]:
        """How many of these faces are of each kind, in order."""
        kinds = [self._by_face[face] for face in faces]
        return tuple(kinds.count(name) for name in self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kinds) and self.names == other.names and self._by_face == other._by_face

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Kinds({self.sides}, {', '.join(self.names)})"


def checked(n: int, die: int | AnyFall) -> int:
    """The sides of a die that can be thrown so many times; anything else is refused."""
    sides = getattr(die, "total", die)
    if not isinstance(n, int) or not isinstance(sides, int) or not 0 <= n <= MOST_DICE or not sides >= 1:
        raise AbsurdDice(n=n, sides=sides)
    return sides


def _narrow(results: int, n: int, sides: int) -> None:
    if results > WIDEST:
        raise TooWide(n=n, sides=sides, results=results, limit=WIDEST)


def in_order(faces: Iterable[V]) -> list[V]:
    """Faces from the lowest: numbers by size, names as they were given."""
    listed: list[AnyFace] = list(faces)
    return sorted(listed) if all(isinstance(face, (int, float, Fraction)) for face in listed) else listed


def _has_a_rank(face: object) -> bool:
    return isinstance(face, (int, float, Fraction)) or (isinstance(face, tuple) and face != () and _has_a_rank(face[0]))


def have_ranks(faces: Iterable[object]) -> bool:
    """Whether it can be said which of these is higher: numbers, and rows that begin with one."""
    return all(map(_has_a_rank, faces))


def by_rank(faces: Iterable[V]) -> list[V]:
    """Faces from the lowest: numbers and rows of them by size, names as they were given."""
    listed: list[AnyFace] = list(faces)
    return sorted(listed) if have_ranks(listed) else listed


def results_by_rank(results: Iterable[V]) -> list[V]:
    """The results of a rule from the lowest; names are refused, of which no rule says which is higher."""
    listed = list(results)
    if not have_ranks(listed) and len({*listed}) > 1:
        raise Unranked(got=", ".join(sorted({*map(str, listed)})))
    return by_rank(listed)


def faces_of(die: int | AnyFall) -> tuple[tuple[AnyFace, int], ...]:
    """The faces of a die from the lowest, each with its weight."""
    if isinstance(die, int):
        _narrow(die, 1, die)
        return tuple((face, 1) for face in range(1, die + 1))
    return tuple((face, die.ways[face]) for face in in_order(die.ways))


def whole_numbers(values: Iterable[object]) -> bool:
    """Whether all of these are whole numbers."""
    return all(isinstance(value, int) for value in values)


def _packed(ways: Mapping[int, int], low: int, span: int, width: int) -> int:
    """Ways as one large number, ``width`` bytes for each value from ``low`` on: multiplied, they are added up."""
    counts = [ways.get(value, 0) for value in range(low, low + span)]
    line = array("Q", counts) if width == 8 else b"".join([count.to_bytes(width, byteorder) for count in counts])
    return int.from_bytes(line, byteorder)


def _unpacked(packed: int, low: int, span: int, width: int) -> dict[int, int]:
    line = packed.to_bytes(span * width, byteorder)
    counts = memoryview(line).cast("Q").tolist() if width == 8 else [
        int.from_bytes(line[at : at + width], byteorder) for at in range(0, span * width, width)]
    return {value: count for value, count in enumerate(counts, start=low) if count}


def _width(total: int) -> int:
    """The bytes that a number of ways takes: those of a machine's word, which it reads at once, or more."""
    return max(8, total.bit_length() // 8 + 1)


def times(fall: AnyFall, n: int) -> AnyWays:
    """So many times a value."""
    return Ways({value * n: ways for value, ways in fall.ways.items()}, fall.total) if n else Ways({0: 1}, 1)


def convolved(one: AnyFall, other: AnyFall) -> AnyWays:
    """The sums of two independent values."""
    total = one.total * other.total
    if whole_numbers(one.ways) and whole_numbers(other.ways) and one.ways and other.ways:
        low, least = min(one.ways), min(other.ways)
        span, more = max(one.ways) - low + 1, max(other.ways) - least + 1
        if span + more <= 4 * (len(one.ways) + len(other.ways)):
            width = _width(total)
            product = _packed(one.ways, low, span, width) * _packed(other.ways, least, more, width)
            return Ways(_unpacked(product, low + least, span + more - 1, width), total)
    _narrow(min(len(one.ways) * len(other.ways), 2 * WIDEST) // 2, 2, total)
    ways: Tallied = {}
    for first, count in one.ways.items():
        for second, again in other.ways.items():
            both = first + second
            ways[both] = ways.get(both, 0) + count * again
    return Ways(ways, total)


@kept_with_odds
@lru_cache(maxsize=512, typed=True)
def of_sum(n: int, die: int | AnyFall) -> Ways[int]:
    """The sums of ``n`` dice."""
    sides = checked(n, die)
    return _summed(n, dict(faces_of(die)) if isinstance(die, int) else die.ways, sides)


@kept_with_odds
@lru_cache(maxsize=1024, typed=True)
def of_worth(n: int, kinds: Kinds, worth: tuple[int, ...]) -> Ways[int]:
    """The sums of ``n`` dice, each worth so much by the kind that it falls in."""
    ways: Tallied = {}
    for each, weight in zip(worth, kinds.weights, strict=True):
        if weight:
            ways[each] = ways.get(each, 0) + weight
    return _summed(n, ways, kinds.sides)


def _summed(n: int, ways: Mapping[AnyFace, int], sides: int) -> AnyWays:
    if not n or not ways:
        return Ways({0: 1}, 1)
    if whole_numbers(ways):
        low = min(ways)
        span = max(ways) - low
        _narrow(n * span + 1, n, sides)
        if span <= 8 * len(ways):
            width = _width(sides**n)
            return Ways(_unpacked(_packed(ways, low, span + 1, width) ** n, n * low, n * span + 1, width), sides**n)
    made: AnyWays = Ways({0: 1}, 1)
    square: AnyFall = Ways(ways, sides)
    while n:
        if n & 1:
            made = convolved(made, square)
        n >>= 1
        square = convolved(square, square) if n else square
    return made


@kept_with_odds
@lru_cache(maxsize=256, typed=True)
def handfuls(n: int, sides: int) -> int:
    """In how many handfuls dice may fall."""
    return comb(n + checked(n, sides) - 1, n)


@kept_with_odds
@lru_cache(maxsize=256, typed=True)
def of_pool(n: int, sides: int) -> Ways[tuple[int, ...]]:
    """The sorted handfuls of ``n`` dice."""
    _narrow(handfuls(n, sides), n, sides)
    hands: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for size in range(1, n + 1):  # one more die, the highest: it may come in any place among those that show less
        hands = [
            ((*hand, face), ways * size // (1 + hand.count(face)))
            for hand, ways in hands
            for face in range(hand[-1] if hand else 1, sides + 1)
        ]
    return Ways(dict(hands), sides**n)


@kept_with_odds
@lru_cache(maxsize=512, typed=True)
def of_faces(n: int, die: int | AnyFall) -> Ways[FacesTold]:
    """The handfuls of ``n`` dice, faces from the lowest: weighted or named dice too."""
    sides = checked(n, die)
    faces = faces_of(die)
    _narrow(comb(n + len(faces) - 1, n), n, sides)
    return of_gathered(n, die, _held, ())


def _held(hand: FacesTold, face: object, count: int) -> FacesTold:
    return hand + (face,) * count if count else hand


@kept_with_odds
@lru_cache(maxsize=256, typed=True)
def of_highest(n: int, die: int | AnyFall, keep: int) -> AnyWays:
    """The sums of the ``keep`` highest of ``n`` dice; the face itself, if one is kept."""
    return _kept(n, die, keep, _ranks_of(die)[::-1])


@kept_with_odds
@lru_cache(maxsize=256, typed=True)
def of_lowest(n: int, die: int | AnyFall, keep: int) -> AnyWays:
    """The sums of the ``keep`` lowest of ``n`` dice; the face itself, if one is kept."""
    return _kept(n, die, keep, _ranks_of(die))


def _ranks_of(die: int | AnyFall) -> tuple[tuple[AnyFace, int], ...]:
    return faces_of(die) if isinstance(die, int) else tuple((face, die.ways[face]) for face in by_rank(die.ways))


def highest_results(n: int, results: AnyFall, keep: int) -> AnyWays:
    """The sums of the ``keep`` highest of so many results of a rule."""
    if not results.numbers:
        results_by_rank(results.ways)
    return of_highest(n, results, keep)


def lowest_results(n: int, results: AnyFall, keep: int) -> AnyWays:
    """The sums of the ``keep`` lowest of so many results of a rule."""
    if not results.numbers:
        results_by_rank(results.ways)
    return of_lowest(n, results, keep)


def _kept(n: int, die: int | AnyFall, keep: int, faces: tuple[tuple[AnyFace, int], ...]) -> AnyWays:
    """Face by face from the best: once enough are kept, the others fall as they like."""
    sides = checked(n, die)
    if not isinstance(keep, int) or not 0 <= keep <= n:
        raise AbsurdDice(n=keep, sides=sides)
    if not keep:
        return Ways({0: 1}, 1)
    ways: Tallied = {}
    nothing = None if keep == 1 else 0  # a name may be kept, and names are not added up
    rows: dict[int, Tallied] = {0: {nothing: 1}}  # by how many dice are kept so far, the ways of their sum
    below = sum(weight for _, weight in faces)
    for face, weight in faces:
        below -= weight
        later: dict[int, Tallied] = {}
        for placed, row in rows.items():
            left, wanted = n - placed, keep - placed
            enough = (weight + below) ** left  # all ways of the dice left, without those in which some are still wanted
            for here in range(wanted if below else 0):
                onto = later.setdefault(placed + here, {})
                more = comb(left, here) * weight**here
                enough -= more * below ** (left - here)
                for total, count in row.items():
                    at = _more(total, face, here)
                    onto[at] = onto.get(at, 0) + count * more
            for total, count in row.items() if enough else ():
                final = _more(total, face, wanted)
                ways[final] = ways.get(final, 0) + count * enough
        rows = later
    return Ways(ways, sides**n)


def _more(total: AnyFace, face: AnyFace, times: int) -> AnyFace:
    """A sum with a face so many times more; one face alone may be a name."""
    if not times:
        return total
    first = face if times == 1 else face * times
    return first if total is None else total + first


class Deck:
    """Cards drawn without putting them back, equal ones together; what lies in it never changes.

    >>> deck = Deck({"hit": 3, "miss": 5})
    >>> deck.without("hit", "miss")
    Deck({'hit': 2, 'miss': 4})
    """

    __slots__ = ("_hash", "cards", "total")

    def __init__(self, cards: Mapping[V, int] | Iterable[V]) -> None:
        counted: Tallied = {}
        for card, times in cards.items() if isinstance(cards, Mapping) else ((card, 1) for card in cards):
            if not isinstance(times, int) or times < 0:
                raise TooFewCards(wanted=str(card), left=times)
            counted[card] = counted.get(card, 0) + times
        self.cards: Mapping[AnyFace, int] = {card: counted[card] for card in in_order(counted) if counted[card]}
        """Each card, with how many of it there are."""
        self.total = sum(self.cards.values())
        self._hash = hash(tuple(self.cards.items()))

    def without(self, *cards: Hashable) -> Deck:
        """What is left when these are taken out."""
        left = dict(self.cards)
        for card in cards:
            if not left.get(card):
                raise TooFewCards(wanted=str(card), left=0)
            left[card] -= 1
        return Deck(left)

    def __len__(self) -> int:
        return self.total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and tuple(self.cards.items()) == tuple(other.cards.items())

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Deck({dict(self.cards)})"


Step = Callable[[S, AnyFace, int], S]
"""Reads a handful face by face, from the lowest: ``step(state, face, how many show it)``."""


@kept_with_odds
@lru_cache(maxsize=256, typed=True)
def of_gathered(n: int, source: int | AnyFall | Deck, step: Step[S], start: S) -> Ways[S]:
    """What ``step`` makes of a handful of dice or of cards, read face by face; equal states merge as it goes."""
    if isinstance(source, Deck):
        if not isinstance(n, int) or not 0 <= n <= source.total:
            raise TooFewCards(wanted=n, left=source.total)
        faces, total, cards = tuple(source.cards.items()), comb(source.total, n), True
    else:
        faces, total, cards = faces_of(source), checked(n, source) ** n, False
    rows: dict[S, dict[int, int]] = {start: {n: 1}}  # the ways of each state, by how many are left to place
    for number, (face, weight) in enumerate(faces, start=1):
        last = number == len(faces)
        powers = [comb(weight, here) if cards else weight**here for here in range(n + 1)]
        later: dict[S, dict[int, int]] = {}
        for state, row in rows.items():
            for here in range(min(row) if last else 0, max(row) + 1):
                if not powers[here] or (last and here not in row):
                    continue
                onto = later.setdefault(step(state, face, here), {})
                for left in (here,) if last else row:
                    if left >= here:
                        more = row[left] * powers[here] if cards else row[left] * powers[here] * comb(left, here)
                        onto[left - here] = onto.get(left - here, 0) + more
        _narrow(len(later), n, total)
        rows = {state: row for state, row in later.items() if row}
    return Ways({state: row[0] for state, row in rows.items() if row.get(0)}, total)


@kept_with_odds
@lru_cache(maxsize=256, typed=True)
def of_hand(deck: Deck, n: int) -> Ways[FacesTold]:
    """The hands of ``n`` cards, in the deck's order."""
    return of_gathered(n, deck, _held, ())


@kept_with_odds
@lru_cache(maxsize=1024, typed=True)
def tallies(n: int, kinds: Kinds) -> int:
    """In how many ways dice may be counted by their kinds."""
    checked(n, kinds.sides)
    return comb(n + len(kinds.names) - 1, n)


@kept_with_odds
@lru_cache(maxsize=1024, typed=True)
def of_kinds(n: int, kinds: Kinds) -> Ways[tuple[int, ...]]:
    """How many of ``n`` dice fall in each kind."""
    _narrow(tallies(n, kinds), n, kinds.sides)
    rows: list[tuple[tuple[int, ...], int, int]] = [((), n, 1)]
    for weight in kinds.weights[:-1]:
        powers = [weight**here for here in range(n + 1 if weight else 1)]
        rows = [
            ((*tally, here), left - here, ways * comb(left, here) * power)
            for tally, left, ways in rows
            for here, power in enumerate(powers[: left + 1])
        ]
    last = [kinds.weights[-1] ** here for here in range(n + 1)]
    return Ways({(*tally, left): ways * last[left] for tally, left, ways in rows if last[left]}, kinds.sides**n)
