"""The odds of one die, however it is described."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, overload

from .distribution import Odds
from .errors import NotADie
from .ways import MOST_SIDES, checked, of_sum


@overload
def d(die: int) -> Odds[int]: ...


@overload
def d(die: str) -> Odds[int]: ...


@overload
def d(die: Mapping[Any, int] | Iterable[Any]) -> Odds[Any]: ...


def d(die: int | str | Mapping[Any, int] | Iterable[Hashable]) -> Odds[Any]:
    """Odds of a die: by its sides, as the table writes it, by the weights of its faces, or face by face.

    >>> d(6).mean(), d("4d6k3").quantile(0.5), d({"hit": 2, "miss": 1})["hit"], d([1, 1, 2])[1]
    (Fraction(7, 2), 12, Fraction(2, 3), Fraction(2, 3))
    """
    if isinstance(die, int):
        if checked(1, die) > MOST_SIDES:
            raise NotADie(got=die)
        return Odds(of_sum(1, die).ways, die)
    if isinstance(die, str):
        from .notation import odds_of  # what is written is read with patterns, which take their time to be made

        return odds_of(die)
    weights: dict[Hashable, int] = {}
    for face, weight in die.items() if isinstance(die, Mapping) else ((face, 1) for face in die):
        if not isinstance(weight, int) or weight < 0:
            raise NotADie(got=f"{face}: {weight}")
        weights[face] = weights.get(face, 0) + weight
    if not any(weights.values()):
        raise NotADie(got="∅")
    return Odds(weights)
