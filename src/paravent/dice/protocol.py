"""The source of chance, as a rule sees it.

A rule is a plain function whose first parameter is a :class:`Dice`. It never knows whether the dice are thrown,
typed in, repeated from a record, or weighed along every branch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, TypeVarTuple

from .ways import AnyFace, AnyFall, Deck, FacesTold, Fall, Kinds, Step, Take

R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
Ts = TypeVarTuple("Ts")
O = TypeVar("O", bound=Hashable)

Refusing = str | Mapping[str, str]
"""The rule named when an answer is refused; by kind of die or by answer where reasons differ, ``""`` for the rest."""

Policy = Callable[[str, str, FacesTold, Any], Any]
"""Answers a choice when a rule is weighed: ``policy(who, key, options, usual)`` gives one of the options.

A game's own policy knows what its rules put to choice; the kernel does not.
"""


class ThrowAgain(Exception):
    """Raised by a rule to have itself thrown again from the start (a tie that the table rerolls)."""


class Dice(Protocol):
    """Where chance and choices come from."""

    def sum(self, n: int, sides: int | Fall[int]) -> int:
        """The sum of ``n`` dice; a die is a number of sides, or the odds of its faces."""
        ...

    def pool(self, n: int, sides: int) -> tuple[int, ...]:
        """The faces of ``n`` dice, sorted: rules may not depend on the order in which dice stop rolling."""
        ...

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> tuple[int, ...]:
        """How many of ``n`` dice fall in each kind; ``again`` says which dice on the table are being rethrown."""
        ...

    def faces(self, n: int, die: int | Fall[R]) -> tuple[R, ...]:
        """The faces of ``n`` dice from the lowest, names in the order of the die: weighted and named dice too."""
        ...

    def highest(self, n: int, sides: int | Fall[R], keep: int = 1) -> AnyFace:
        """The sum of the ``keep`` highest of ``n`` dice; the face itself, if one is kept."""
        ...

    def lowest(self, n: int, sides: int | Fall[R], keep: int = 1) -> AnyFace:
        """The sum of the ``keep`` lowest of ``n`` dice; the face itself, if one is kept."""
        ...

    def gather(self, n: int, of: int | AnyFall | Deck, step: Step[S], start: S) -> S:
        """What ``step(state, face, how many show it)`` makes of ``n`` dice or cards, read from the lowest face.

        Equal states merge as it goes: of a hundred dice, one may ask for the largest set or the longest row.
        """
        ...

    def deal(self, deck: Deck, n: int) -> FacesTold:
        """A hand of ``n`` cards, in the deck's order; ``deck.without(*hand)`` is what is left."""
        ...

    def repeat(self, n: int, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> AnyFace:
        """The sum of the results of another rule, run ``n`` times; weighed once, and merged as it is added up."""
        ...

    def highest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> AnyFace:
        """The sum of the ``keep`` highest results of another rule, run ``n`` times."""
        ...

    def lowest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> AnyFace:
        """The sum of the ``keep`` lowest results of another rule, run ``n`` times."""
        ...

    def resolve(self, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> R:
        """The result of another rule; weighed once, and its equal results merged."""
        ...

    def then(self, rule: Callable[[Dice, *Ts], R], *args: *Ts) -> R:
        """Like :meth:`resolve`, only for ``return dice.then(...)``: what that rule gives is what this one gives."""
        ...

    def choose(
        self, who: str, key: str, options: Sequence[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
        """The option that ``who`` takes; ``usual`` (the first option if left out) is what people mostly do.

        A single option is taken without asking, unless it takes dice up: which ones is for the player to say. ``rule``
        is named when another answer is refused; ``values`` say what is at stake, in the words of the question.
        """
        ...

    def of(self, role: str) -> Dice:
        """The same dice, held by ``role``."""
        ...

    def aside(self, kind: str, n: int) -> None:
        """Say that ``n`` dice of this kind leave the roll: they stay on the table but can be taken no more."""
        ...

    def note(self, rule: str, key: str, **values: object) -> None:
        """Write one line of the explanation."""
        ...

    def stream(self, name: str) -> Dice:
        """Independent dice, always the same for the same name (one square of a sector)."""
        ...


def certain_policy(who: str, key: str, options: tuple[O, ...], usual: O) -> O:
    """The usual policy of every rule: take what the rule calls usual."""
    return usual
