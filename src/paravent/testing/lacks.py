"""What a game lacks, to be said in the language asked for: words under ``lacks``, and what they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paravent.game.words import house_words

_WORDED = ("language", "when")
"""Values that have words of their own."""


class Lack(NamedTuple):
    """One thing that a check found."""

    key: str
    values: tuple[tuple[str, str], ...] = ()

    def said(self, lang: str) -> str:
        """The sentence, in one language. A value that is itself a sentence is given once for each (``why.fr``)."""
        words = house_words()
        told = {name.removesuffix(f".{lang}"): value for name, value in self.values}
        told |= {name: words.say(lang, f"lacks.{name}.{told[name]}") for name in _WORDED if name in told}
        return str(words.find(lang, f"lacks.{self.key}")).format(**told)


Problems = Iterator[Lack]


def lack(key: str, /, **values: object) -> Lack:
    """Something that a game lacks."""
    return Lack(key, tuple((name, str(value)) for name, value in values.items()))
