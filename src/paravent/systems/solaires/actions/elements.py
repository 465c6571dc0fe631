"""« Choix des éléments »: one element, a second one if the action is typical, never more; and those that are lent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.solaires.facts import MOST_ELEMENTS, SCORE_MAX, SCORE_MIN, Category, Edition

from .errors import (
    ElementRequired,
    FirstElementMustBeOwn,
    GroupOfOne,
    HelpfulAndHandicap,
    InitiatorMustContribute,
    MoreThanTwo,
    NothingToBorrow,
    OffTopic,
    OneElementPerHelper,
    OnlyStatesHandicap,
    SameCharacter,
    SameElementTwice,
    ScoreOutOfScale,
    SecondNeedsTypicalFirst,
    UnfavourableNotUsable,
)


class Used(NamedTuple):
    """An element as one action uses it: whose it is (nobody's name means the initiator), and what the GM found."""

    score: int
    typical: bool = False
    owner: str = ""
    is_thing: bool = False
    """Whether the owner is a vehicle, a place or another thing."""
    unfavourable: bool = False
    category: str = ""
    name: str = ""
    off_topic: bool = False
    """Whether the game master found that it has nothing to do with the action."""


@rule("SOL-104")
def check_score(score: int, rulings: Rulings) -> int:
    """Scores go from 1 to 3; a table may write 0 as well (R-34)."""
    least = 0 if rulings.allow_zero == "true" else SCORE_MIN
    if not least <= score <= SCORE_MAX:
        raise ScoreOutOfScale(got=score, least=least, most=SCORE_MAX)
    return score


@rule("SOL-030")
def check_some(used: Sequence[Used], rulings: Rulings) -> None:
    """Where nothing fits one acts with nothing, unless the table wants an element (R-04)."""
    if not used and rulings.require_element == "true":
        raise ElementRequired()


@rule("SOL-037", "SOL-030")
def check_relevant(used: Sequence[Used]) -> None:
    """An element bears on the action: what the game master ruled out before the throw is changed for another."""
    for element in used:
        if element.off_topic:
            raise OffTopic(name=element.name)


@rule("SOL-037")
def is_judged(used: Sequence[Used], rulings: Rulings) -> bool:
    """Whether the game master must agree to the elements: to a second one, hence to what is typical (R-48).

    A single one is taken unless it is ruled out; a table may have every choice agreed to.
    """
    return bool(used) if rulings.judge_elements == "always" else len(used) > 1


@rule("SOL-033")
def check_number(used: Sequence[Used]) -> None:
    """Never more than two elements, whatever is typical, lent or shared."""
    if len(used) > MOST_ELEMENTS:
        raise MoreThanTwo(most=MOST_ELEMENTS, got=len(used))


@rule("SOL-036")
def check_different(used: Sequence[Used]) -> None:
    """The same element does not count twice; five of one thing are still one element (R-08)."""
    known = [(element.owner, element.name) for element in used if element.name]
    if len(set(known)) < len(known):
        raise SameElementTwice(name=known[0][1])


@rule("SOL-032", "SOL-037")
def check_typical(used: Sequence[Used], rulings: Rulings) -> None:
    """A second element needs one of which the action is typical; in v4 that one is the initiator's own (R-07).

    In which order they are named does not matter. That the action is typical is the game master's to say.
    """
    if len(used) < MOST_ELEMENTS:
        return
    own_only = rulings.edition == Edition.V4 and rulings.v4_typical == "own"
    if not any(element.typical and not (own_only and element.owner) for element in used):
        raise SecondNeedsTypicalFirst()


@rule("SOL-034")
def check_borrowed(used: Sequence[Used], rulings: Rulings) -> None:
    """In v4 one of the elements is one's own, and only a character who helps may lend the other (R-47)."""
    if rulings.edition != Edition.V4:
        return
    if used and all(element.owner for element in used):
        raise FirstElementMustBeOwn()
    if any(element.is_thing for element in used) and rulings.v4_borrow_things == "false":
        raise NothingToBorrow()


@rule("SOL-070")
def check_helpers(used: Sequence[Used], rulings: Rulings) -> None:
    """A helper lends one element; a ship or a place may supply both (R-09)."""
    lenders = [element.owner for element in used if element.owner and not element.is_thing]
    if len(set(lenders)) < len(lenders):
        raise OneElementPerHelper(name=lenders[0])
    if used and rulings.initiator_must_contribute == "true" and all(element.owner for element in used):
        raise InitiatorMustContribute()


@rule("SOL-071")
def check_group(used: Sequence[Used], members: int = 2) -> None:
    """A group is two at least, and its two elements come from two different characters."""
    if members < 2:
        raise GroupOfOne(got=members)
    if len(used) == MOST_ELEMENTS and used[0].owner == used[1].owner:
        raise SameCharacter()


@rule("SOL-060", "SOL-061")
def check_favourable(used: Sequence[Used], rulings: Rulings) -> None:
    """In v4 an unfavourable element may be used, at a price; in v5 only what helps may, unless said (R-14)."""
    if rulings.edition == Edition.V5 and rulings.v5_unfavourable == "refused":
        for element in used:
            if element.unfavourable:
                raise UnfavourableNotUsable(name=element.name)


@rule("SOL-030", "SOL-031", "SOL-037")
def check_elements(used: tuple[Used, ...], rulings: Rulings, *, group: int = 0) -> tuple[Used, ...]:
    """What is chosen for an action, if the rules allow it; ``group`` is the number of members of a group action.

    All categories are alike: whatever has a score may be used, where it bears on the action.
    """
    check_some(used, rulings)
    check_number(used)
    check_different(used)
    check_relevant(used)
    for element in used:
        check_score(element.score, rulings)
    check_favourable(used, rulings)
    if group:
        check_group(used, group)
    check_helpers(used, rulings)
    check_borrowed(used, rulings)
    check_typical(used, rulings)
    return used


@rule("SOL-035")
def target_of(difficulty: int, used: Sequence[Used]) -> int:
    """The score to beat: the difficulty and the scores of the elements used."""
    return difficulty + sum(element.score for element in used)


@rule("SOL-060")
def handicaps_used(used: Sequence[Used], rulings: Rulings) -> int:
    """How many negative effects the unfavourable elements used will bring: one each (R-16)."""
    number = sum(element.unfavourable for element in used)
    return min(number, 1) if rulings.v4_two_handicaps == "one" else number


class Hindrance(NamedTuple):
    """A state, or another element, declared as a handicap of an action."""

    score: int
    category: str = Category.STATE
    name: str = ""


@rule("SOL-061", "SOL-063", "SOL-064")
def declared_handicap(hindrances: Sequence[Hindrance], used: Sequence[Used], rulings: Rulings) -> int:
    """The score that kept dice are compared with: the highest state declared, 0 for none.

    Only states hinder, unless the table says (R-13); a state that is used for its score is no handicap of the same
    action. In v4 nothing is declared, unless the table says (R-15).
    """
    if rulings.edition == Edition.V4 and rulings.v4_declared_states == "false":
        return 0
    for hindrance in hindrances:
        if hindrance.category != Category.STATE and rulings.v5_handicap_any == "false":
            raise OnlyStatesHandicap(name=hindrance.name)
        if hindrance.name and hindrance.name in [element.name for element in used if not element.owner]:
            raise HelpfulAndHandicap(name=hindrance.name)
    return max((hindrance.score for hindrance in hindrances), default=0)


@rule("SOL-071", "SOL-070")
def group_handicap(own: int, others: Sequence[int], rulings: Rulings) -> int:
    """In a group action the highest handicap of all counts (R-39); a helper's never does, he only lends."""
    return own if rulings.group_handicap == "initiator" else max(own, *others, 0)
