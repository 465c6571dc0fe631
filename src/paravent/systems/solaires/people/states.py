"""« États »: temporary elements, gained, made worse, lost; and how a game master writes them in a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from paravent.game import Rulings, rule
from paravent.systems.solaires.actions.elements import check_score
from paravent.systems.solaires.facts import SCORE_MAX, TABLES

from .character import Element
from .errors import NoSuchState

_WRITTEN = re.compile(r"(?P<name>.*?)[\s\u00a0]*(?P<score>\d+)?")


@rule("SOL-106")
def read_states(text: str, rulings: Rulings, said: int | None = None) -> tuple[Element, ...]:
    """States as written, « Blessé 2, Désorienté »: one without a number has the score that was said of them all, else
    that of its idea, else 1."""
    known = TABLES["states"]
    found = []
    for part in re.split(r"[,;\n]", text):
        if not (part := part.strip()):
            continue
        match = _WRITTEN.fullmatch(part)
        name = match["name"].strip() if match and match["name"].strip() else part
        usual = said or _usual_score(known.column("score"), name)
        score = int(match["score"]) if match and match["score"] else usual
        found.append(Element(name, check_score(score, rulings)))
    return tuple(found)


def _usual_score(scores: dict[str, int], name: str) -> int:
    table = TABLES["states"]
    for idea, score in scores.items():
        if name.casefold() in (idea, table.word(idea, "fr").casefold(), table.word(idea, "en").casefold()):
            return score
    return 1


@rule("SOL-106", "SOL-054")
def gained(states: Sequence[Element], new: Iterable[Element]) -> tuple[Element, ...]:
    """The states with new ones; one that is there already takes the higher score."""
    after = {state.name: state for state in states}
    for state in new:
        old = after.get(state.name)
        if old is None or state.score > old.score:
            after[state.name] = state
    return tuple(after.values())


@rule("SOL-106", "SOL-054")
def worsened(states: Sequence[Element], name: str) -> tuple[Element, ...]:
    """The states with one of them a step worse, at most extreme."""
    _known(states, name)
    return tuple(
        Element(state.name, min(state.score + 1, SCORE_MAX), state.source_text, state.note)
        if state.name == name else state for state in states
    )


@rule("SOL-106", "SOL-055")
def eased(states: Sequence[Element], name: str) -> tuple[Element, ...]:
    """The states with one of them a step lighter; what was light already is gone."""
    _known(states, name)
    lighter = (replace(state, score=state.score - 1) if state.name == name else state for state in states)
    return tuple(state for state in lighter if state.score > 0 or state.name != name)


@rule("SOL-106", "SOL-055")
def lost(states: Sequence[Element], names: Iterable[str]) -> tuple[Element, ...]:
    """The states without some: time, care or a fitting action made an end of them."""
    gone = set(names)
    for name in gone:
        _known(states, name)
    return tuple(state for state in states if state.name not in gone)


@rule("SOL-106")
def changed_states(
    had: Sequence[Element], new: Iterable[Element], worse: Iterable[str], gone: Iterable[str],
    lighter: Iterable[str] = (),
) -> tuple[Element, ...]:
    """States lost, then eased, then made worse, then gained."""
    after = lost(had, gone)
    for name in lighter:
        after = eased(after, name)
    for name in worse:
        after = worsened(after, name)
    return gained(after, new)


def _known(states: Sequence[Element], name: str) -> None:
    if name not in {state.name for state in states}:
        raise NoSuchState(name=name)
