"""Who is told of a thing, and who is not: not its words, not its kind, not even that there is one more.

Each law here stands for a fault that was put into the table on purpose and that nothing else noticed
(``tools/mutate.py``).
"""

from dataclasses import replace
from typing import Any

import pytest
from evening import Evening
from scene import Person, Table
from veil import BODY, FORCE, VEIL, body, one_die

from paravent.game import (
    EVERYONE,
    EXISTENCE_ONLY,
    GAME_MASTER,
    GM_ONLY,
    OPEN,
    OUTCOME_HIDDEN,
    Ask,
    Call,
    Field,
    Move,
    Resolve,
    Shown,
    System,
    Whole,
)
from paravent.table import commands as c


def with_move(move: Move) -> System:
    """Veil, and one move more."""
    return replace(VEIL, moves={**VEIL.moves, move.id: move})


def sat(system: System) -> tuple[Person, Person, Person]:
    """Ana leads, Bob and Cy play."""
    table = Table(system)
    return table.joins("Ana", as_="gm"), table.joins("Bob"), table.joins("Cy")


def news(person: Person, since: int) -> list[str]:
    return [told["type"] for told in person.told[since:]]


# Records


@pytest.mark.parametrize("as_", ["seen", "given"])
def test_a_record_that_comes_into_sight_is_told_as_that_to_whoever_sees_it_now_and_to_nobody_else(
    evening: Evening, as_: str
) -> None:
    spy = evening.ana.brings("Spy", "extra")
    before = {person.name: len(person.told) for person in evening.people}
    if as_ == "seen":
        evening.ana.does(c.ShowRecord, record=spy, seen_by=("gm", evening.bob.seat))
    else:
        evening.ana.does(c.GiveRecord, record=spy, owner=evening.bob.seat)
    kind = "record-shown" if as_ == "seen" else "record-given"
    assert {person.name: news(person, before[person.name]) for person in evening.people} == {
        "Ana": [kind], "Bob": [kind], "Cy": [], "Zoe": []}
    assert evening.bob.told[-1]["seen"]["sheet"]["name"] == "Spy"


@pytest.mark.parametrize("as_", ["seen", "given"])
def test_a_record_that_goes_out_of_sight_is_told_to_whoever_saw_it_and_to_nobody_else(
    evening: Evening, as_: str
) -> None:
    shown = {"seen_by": ("gm", evening.bob.seat)} if as_ == "seen" else {"owner": evening.bob.seat}
    spy = evening.ana.brings("Spy", "extra", **shown)
    assert evening.bob.record(spy) is not None
    before = {person.name: len(person.told) for person in evening.people}
    if as_ == "seen":
        evening.ana.does(c.ShowRecord, record=spy, seen_by=("gm",))
    else:
        evening.ana.does(c.GiveRecord, record=spy, owner="")
    assert evening.bob.record(spy) is None
    assert [len(news(person, before[person.name])) for person in evening.people] == [1, 1, 0, 0]
    assert evening.bob.told[-1]["seen"] is None


# Throws turned over

BROOD = Move(
    "brood",
    (
        Ask("what", (FORCE,)),
        Resolve("first", lambda ctx: Call(one_die, ctx[FORCE])),
        Resolve("second", lambda ctx: Call(one_die, ctx[FORCE])),
    ),
    cast=(GAME_MASTER,), by="gm", exists=GM_ONLY,
)
"""Two throws, neither hidden by itself, in a move of which only the game master knows."""


@pytest.mark.parametrize("ahead", [False, True])
def test_one_throw_shown_to_one_person_tells_nobody_else_that_there_is_a_move(ahead: bool) -> None:
    ana, bob, cy = sat(with_move(BROOD))
    ida = ana.table.joins("Ida", as_="gm")
    ana.starts("brood")
    ana.throws(1)
    if not ahead:
        ana.throws(1)
    told = len(cy.told)
    ana.does(c.TurnOver, number=1, step="first", to=(bob.seat,))
    if ahead:
        ana.throws(1)
    assert bob.move()["throws"][0]["dice"]
    assert cy.moves() == {}
    assert len(cy.told) == told
    assert len(ida.move()["throws"]) == 2
    ana.does(c.TurnOver, number=1, step="first", to=("all",))
    assert cy.move()["throws"][0]["dice"]


# What time asks


@pytest.mark.parametrize(("secrecy", "readers"), [
    ("open", {"Ana", "Bob"}), ("own", {"Ana", "Bob"}), ("gm", {"Ana"}), ("sealed", {"Bob"}),
])
def test_what_somebody_did_meanwhile_is_theirs_and_the_game_masters_unless_the_game_hides_it_further(
    secrecy: str, readers: set[str]
) -> None:
    asked = Field("drank", Whole(0, 99), role="character", usual=0, secrecy=secrecy)
    ana, bob, cy = sat(replace(VEIL, habits=(asked,)))
    elya, tarn = bob.brings("Elya"), cy.brings("Tarn")
    ana.starts("pass-time", {"character": [elya, tarn]}, {"gm": {"time_span": "night"}})
    assert set(bob.move()["waits_for"]) == {bob.seat, cy.seat}
    bob.fills(1, drank=77)
    seen = {person.name: person.move()["fields"].get(elya, {}).get("drank") for person in (ana, bob, cy)}
    assert {name for name, value in seen.items() if value == 77} == readers
    assert {person.name for person in (ana, bob, cy) if any('"drank": 77' in line for line in person.received)} == (
        readers)


# What an earlier throw leads to


def echoing(hidden: Shown, **shown: Any) -> Move:
    """A throw that is hidden in some way, and another that hangs on it."""
    return Move("echo", (
        Ask("declare", (BODY,)),
        Resolve("first", lambda ctx: Call(one_die, body(ctx)), shown=lambda ctx, won: hidden),
        Resolve("second", lambda ctx: Call(one_die, 6 if ctx.results["first"] else 0), **shown),
    ))


@pytest.mark.parametrize("score", [0, 6])
@pytest.mark.parametrize("hidden", [
    EXISTENCE_ONLY, OUTCOME_HIDDEN, Shown(dice=GM_ONLY), Shown(detail=GM_ONLY), Shown(outcome=GM_ONLY, detail=EVERYONE),
])
def test_odds_that_hang_on_a_hidden_throw_are_withheld_from_whoever_may_not_see_all_of_it(
    hidden: Shown, score: int
) -> None:
    ana, bob, _ = sat(with_move(echoing(hidden)))
    elya = bob.brings("Elya")
    bob.starts("echo", {"initiator": [elya]}, {elya: {"score": score}})
    assert bob.odds(1)["step"] == "first"
    bob.throws(1)
    assert bob.odds(1) is None
    assert ana.odds(1)["step"] == "second"


@pytest.mark.parametrize("shown", [OPEN, Shown(dice=GM_ONLY, detail=EVERYONE)])
def test_odds_that_hang_on_a_throw_whose_figures_lie_open_are_for_all(shown: Shown) -> None:
    _, bob, cy = sat(with_move(echoing(shown)))
    elya = bob.brings("Elya")
    bob.starts("echo", {"initiator": [elya]})
    bob.throws(1)
    assert bob.odds(1)["step"] == "second"
    assert bob.odds(1) == cy.odds(1)


def test_how_a_hidden_throw_ended_is_not_told_by_whether_dice_may_be_typed_in_for_the_next() -> None:
    """The second throw too is hidden if the first succeeded: who may not know of that is offered the same."""
    forms = []
    for score in (0, 6):
        _, bob, _ = sat(with_move(echoing(
            EXISTENCE_ONLY, shown=lambda ctx, won: EXISTENCE_ONLY if ctx.results["first"] else OPEN)))
        elya = bob.brings("Elya")
        bob.starts("echo", {"initiator": [elya]}, {elya: {"score": score}})
        bob.throws(1)
        forms.append(bob.form(1))
        bob.throws(1, by_hand=True)
    assert forms[0] == forms[1]
    assert forms[0]["throw"] == {"step": "second", "by_hand": True}
