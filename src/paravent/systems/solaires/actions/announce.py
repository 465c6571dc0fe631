"""« Annonce »: what is attempted, what success and failure will bring, and what was tried before."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import Fault, Rulings, rule
from paravent.systems.solaires.facts import Edition

NOTHING = frozenset({
    "rien", "rien ne se passe", "rien ne change", "il ne se passe rien", "aucun", "nothing", "nothing happens",
    "nothing changes", "none", "-", "–", "—",
})
"""Words for a consequence that is none, in either language."""
LEAST_PLAYERS, MOST_PLAYERS, ADVISED_PLAYERS = 2, 6, (3, 4)


@rule("SOL-002")
def table_faults(players: int) -> tuple[Fault, ...]:
    """Two to six players; outside that one is warned, never stopped."""
    if LEAST_PLAYERS <= players <= MOST_PLAYERS:
        return ()
    return (Fault("players", "SOL-002", True, {"got": players, "least": LEAST_PLAYERS, "most": MOST_PLAYERS}),)


@rule("SOL-011", "SOL-012", "SOL-013")
def stakes_faults(goal: str, on_success: str, on_failure: str, rulings: Rulings) -> tuple[Fault, ...]:
    """What an announce lacks, as warnings: a goal, and something that changes whichever way it ends.

    The later edition asks four questions: what is attempted, what success brings, what failure brings, and which side
    effects are possible, this last being the game master's.
    """
    four = rulings.edition == Edition.V5
    said = (("no_goal", "SOL-012" if four else "SOL-011", goal), ("no_success", "SOL-013", on_success),
            ("no_failure", "SOL-013", on_failure))
    found = [Fault(key, rule_id, True) for key, rule_id, text in said if says_nothing(text)]
    if on_success.strip() and on_success.strip().casefold() == on_failure.strip().casefold():
        found.append(Fault("same_stakes", "SOL-013", True))
    return tuple(found)


def says_nothing(text: str) -> bool:
    """Whether a consequence is left out, or leaves everything as it is."""
    words = text.strip().casefold().rstrip(".! …")
    return not words or words in NOTHING


def attempt(goal: str, elements: Sequence[str]) -> str:
    """An attempt as it is remembered until the scene ends: its goal and its elements."""
    return " / ".join([goal.strip().casefold(), *sorted(elements)])


@rule("SOL-017")
def is_a_retry(tried: str, failed: Sequence[str]) -> bool:
    """Whether exactly the same was tried before in this scene and failed: the situation should have changed."""
    return bool(tried.partition(" / ")[0]) and tried in failed


@rule("SOL-016")
def may_renegotiate(rulings: Rulings) -> bool:
    """Whether a harsher condition may ease the difficulty: in v5, and in v4 where the table wants it."""
    return rulings.edition == Edition.V5 or rulings.v4_renegotiate == "true"
