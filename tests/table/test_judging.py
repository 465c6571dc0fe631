"""Whose word it is: the dice wait for the game master's judgement, which one word gives; and what each would bring."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from scene import Table
from veil import AGAIN, BODY, DIFFICULTY, VEIL, below, body, is_won, nothing, one_die

from paravent.game import Ask, Call, Field, Flag, Grid, Move, OneOf, Pills, Resolve, Steps, Whole
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.forms import chances_of
from paravent.table.state import State

JUDGED = replace(DIFFICULTY, place="judgement", shape=Steps((-2, 0, 2)))
OPEN = replace(JUDGED, id="weather", secrecy="open", shape=Pills())
EFFORT = Field("effort", Whole(0, 2), usual=0, shape=Pills())
CARE = Field("care", Whole(0, 1), usual=0, shape=Grid("effort"))
GOES = Field("goes", OneOf(("dice", "sure", "never")), role="gm", usual="dice", place="judgement", shape=Steps())
READY = Field("ready", Flag(), optional=True)

TRY = Move("try", (
    Ask("declare", (BODY, AGAIN)), Ask("set", (JUDGED,)),
    Resolve("roll", lambda ctx: Call(below, body(ctx) + ctx[JUDGED], ctx[AGAIN]), outcome=is_won,
            success=lambda kept: kept >= 2),
))
AIM = Move("aim", (
    Ask("set", (OPEN, EFFORT, CARE)),
    Resolve("sum", lambda ctx: Call(nothing, ctx[EFFORT] + ctx[CARE]), auto=True),
    Resolve("roll", lambda ctx: Call(one_die, 1 + ctx[OPEN] + ctx.results["sum"]), outcome=str, success=bool),
))
GO = Move("go", (
    Ask("set", (GOES,)),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str, success=bool, when=lambda ctx: ctx[GOES] == "dice"),
    Resolve("done", lambda ctx: Call(nothing, 1), auto=True, outcome=str),
))
GAME = replace(VEIL, moves={**VEIL.moves, "try": TRY, "aim": AIM, "go": GO})


class Judging:
    """Ana leads and judges, Bob and Cy play, Zoe watches."""

    def __init__(self, judging: str = "before") -> None:
        self.table = Table(GAME, house=e.House("prudence", judging))
        self.ana = self.table.joins("Ana", as_="gm")
        self.bob, self.cy = self.table.joins("Bob"), self.table.joins("Cy")
        self.zoe = self.table.joins("Zoe", as_="spectator")
        self.elya = self.bob.brings("Elya", body=3)

    def starts(self, move: str, who: str = "bob") -> int:
        number: int = getattr(self, who).starts(move, {"initiator": [self.elya]})
        return number

    def chances(self, who: str, field: str) -> dict[Any, tuple[Fraction, Fraction]]:
        seat, state = getattr(self, who).seat, self.state
        found = chances_of(state, seat, max(state.moves), GAME, field)
        return {one.value if one.other is None else (one.value, one.other): (one.least, one.most) for one in found}

    @property
    def state(self) -> State:
        return self.table.state


@pytest.fixture
def table() -> Judging:
    return Judging()


def test_the_throw_waits_for_the_judgement_and_the_rest_goes_on(table: Judging) -> None:
    number = table.starts("try")
    for person in (table.ana, table.bob, table.cy, table.zoe):
        assert person.move()["judgement"] is True
        assert person.move()["waits_for"] == [table.ana.seat]
    assert table.bob.refused(c.ThrowDice, number=number) == "table/not-now"
    assert "throw" not in table.bob.form(number)
    table.bob.fills(number, again=True)
    assert table.ana.move()["judgement"] is True


def test_one_word_judges_and_releases(table: Judging) -> None:
    number = table.starts("try")
    table.ana.fills(number, difficulty=2)
    assert "judgement" not in table.bob.move()
    assert table.bob.move()["waits_for"] == [table.bob.seat]
    table.bob.throws(number)


def test_the_game_master_may_let_it_go(table: Judging) -> None:
    number = table.starts("try")
    table.ana.does(c.CloseStep, number=number)
    assert table.ana.move()["fields"]["gm"] == {"difficulty": 0}
    table.bob.throws(number)


@pytest.mark.parametrize("how", ["starts", "asks", "throws"])
def test_what_the_game_master_does_or_asks_for_waits_for_no_judgement(table: Judging, how: str) -> None:
    if how == "asks":
        table.ana.does(c.AskMove, move="try", of=(table.elya,))
        table.bob.throws(1)
    else:
        number = table.starts("try", "ana" if how == "starts" else "bob")
        table.ana.throws(number)
    assert table.state.moves[1].throws


def test_at_will_nobody_waits() -> None:
    table = Judging("at-will")
    number = table.starts("try")
    assert "judgement" not in table.bob.move()
    table.bob.throws(number)


def test_a_judgement_may_come_before_the_player_has_chosen(table: Judging) -> None:
    number = table.starts("try")
    table.ana.fills(number, difficulty=1)
    table.bob.fills(number, again=True)
    table.bob.throws(number)


@pytest.mark.parametrize(("judged", "thrown"), [("sure", False), ("never", False), ("dice", True)])
def test_an_act_that_the_judgement_leaves_without_dice_goes_on_by_itself(
    table: Judging, judged: str, thrown: bool
) -> None:
    number = table.starts("go")
    table.ana.fills(number, goes=judged)
    assert (table.state.moves[1].phase == "open") is thrown
    if thrown:
        table.bob.throws(number)
    assert table.state.moves[1].phase == "closed"


def test_an_act_that_began_before_the_table_chose_otherwise_goes_on_as_it_began(table: Judging) -> None:
    number = table.starts("try")
    table.ana.does(c.SetHouse, judging="at-will")
    assert table.bob.refused(c.ThrowDice, number=number) == "table/not-now"


def test_the_game_master_sees_what_each_judgement_would_bring(table: Judging) -> None:
    table.starts("try")
    chances = table.chances("ana", "difficulty")
    assert list(chances) == [-2, 0, 2]
    assert all(least == most for least, most in chances.values())
    assert chances[0] == (Fraction(1, 2), Fraction(1, 2))
    assert chances[-2][0] < chances[0][0] < chances[2][0]


def test_what_each_choice_would_bring_is_told_from_what_the_seat_may_see(table: Judging) -> None:
    number = table.starts("try")
    table.ana.fills(number, difficulty=3)
    chances = table.chances("bob", "again")
    least, most = chances[False]
    assert least < most, "the difficulty is hidden: odds for each likely one"
    assert table.chances("bob", "difficulty") == {}
    assert table.chances("cy", "again") == {}


def test_rules_that_run_by_themselves_are_run_for_each_choice_and_two_fields_cross(table: Judging) -> None:
    table.starts("aim")
    assert table.chances("bob", "effort") == {n: (Fraction(1 + n, 6), Fraction(1 + n, 6)) for n in range(3)}
    crossed = table.chances("bob", "care")
    assert crossed == {(care, effort): (Fraction(1 + care + effort, 6),) * 2
                       for care in range(2) for effort in range(3)}


def test_chances_are_worked_out_once_for_an_act_as_it_stands(table: Judging) -> None:
    number = table.starts("aim")
    ana = table.ana.seat
    once = chances_of(table.state, ana, 1, GAME, "weather")
    assert chances_of(table.state, ana, 1, GAME, "weather") is once
    table.bob.fills(number, effort=1)
    assert chances_of(table.state, ana, 1, GAME, "weather") != once


def test_a_form_says_where_a_field_stands_and_what_it_looks_like(table: Judging) -> None:
    number = table.starts("try")
    row = next(row for row in table.ana.form(number)["fields"] if row["field"] == "difficulty")
    assert (row["place"], row["shape"]) == ("judgement", {"type": "steps", "values": [-2, 0, 2]})
