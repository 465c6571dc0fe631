"""How blows are told: who strikes whom, with what, with what margin; what armour does to it, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paravent.game import EVERYONE, GM_ONLY, Telling, Value, Who
from paravent.systems.simulacres.checks.check import Modifier

from .weapons import Armour


def blow_told(
    striker: Who, target: Who, weapon: str, margin: int, lost: tuple[int, int], armour: Iterable[tuple[str, int]],
    *, whole: bool,
) -> Iterator[Telling]:
    """A blow that landed. Where figures are hidden, its margin and what armour did are the game master's to read."""
    told: dict[str, Value] = {"striker": striker, "target": target, "weapon": weapon, "pv": lost[0], "ps": lost[1]}
    if whole:
        yield Telling("outcomes.told_blow_whole", {**told, "margin": margin}, EVERYONE)
    else:
        yield Telling("outcomes.told_blow_with", told, EVERYONE)
        yield Telling("outcomes.told_margin", {"striker": striker, "margin": margin}, GM_ONLY)
    yield from armour_told(striker, target, armour, whole=whole)


def armour_told(striker: Who, target: Who, armour: Iterable[tuple[str, int]], *, whole: bool) -> Iterator[Telling]:
    """Each part that armour had in a blow, on its own line."""
    for part, points in armour:
        yield Telling(f"outcomes.told_{part}", {"striker": striker, "target": target, "points": points},
                      EVERYONE if whole else GM_ONLY)


def parts_of_armour(terms: Iterable[Modifier], armour: Armour) -> list[tuple[str, int]]:
    """What deflected a blow and what hindered whoever struck it, off the test; what was absorbed, off the damage."""
    hindered = -sum(term.points for term in terms if term.name == "hinder")
    parts = ("deflected", armour.deflect), ("hindered", hindered), ("absorbed", armour.absorb)
    return [(name, points) for name, points in parts if points]
