"""An act whose rule goes another way since waits for the game master, whoever it waited for: nobody else can go on."""

from dataclasses import replace

import pytest
from evening import Evening
from veil import RETRY, VEIL

from paravent.game import Call, System
from paravent.table import commands as c
from paravent.table.stranded import with_stranded
from paravent.table.view import view


def thrown() -> tuple[Evening, int]:
    """Ana agrees or not to what Bob threw; Bob, who had thrown, was refused and says how much he tries."""
    evening = Evening()
    number = evening.bob.starts("lend", {"initiator": [evening.elya], "helper": [evening.tarn]},
                                {evening.elya: {"much": 3}})
    evening.bob.throws(evening.bob.starts("retry", {"initiator": [evening.elya]}, {evening.elya: {"much": 3}}))
    return evening, number


def otherwise(evening: Evening) -> System:
    """The same version of the game, and another rule in it."""
    ask, roll, window = RETRY.steps
    newer = replace(roll, call=lambda ctx: Call(lambda dice: dice.sum(2, 8) + 40))
    return replace(VEIL, moves={**VEIL.moves, "retry": replace(RETRY, steps=(ask, newer, window))})


def without(evening: Evening) -> System:
    return replace(VEIL, moves={name: move for name, move in VEIL.moves.items() if name != "lend"})


@pytest.mark.parametrize(("game", "stuck", "goes"), [(otherwise, "retry", "lend"), (without, "lend", "retry")])
def test_an_act_that_can_go_no_further_waits_for_the_game_master_alone(game, stuck: str, goes: str) -> None:
    evening, _ = thrown()
    before = {person.name: {one.move: one for one in now(evening, person, VEIL).values()} for person in evening.people}
    after = {person.name: {one.move: one for one in now(evening, person, game(evening)).values()}
             for person in evening.people}
    for name, acts in after.items():
        assert acts[stuck].waits_for == (evening.ana.seat,)
        assert acts[stuck].rule_changed.before == acts[stuck].rule_changed.now == "1"
        assert acts[goes] == before[name][goes]
    assert before["Bob"]["lend"].waits_for == (evening.cy.seat,)


def now(evening: Evening, person, system: System):
    state = evening.table.state
    return with_stranded(state, person.seat, system, view(state, person.seat, system).moves)


def test_where_every_rule_goes_as_it_went_nothing_is_said() -> None:
    evening, number = thrown()
    seen = view(evening.table.state, evening.bob.seat, VEIL).moves
    assert with_stranded(evening.table.state, evening.bob.seat, VEIL, seen) is seen
    evening.cy.answers(number, "agree")
    evening.ana.does(c.SetClock, day=2, hour=9)
    evening.ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    seen = view(evening.table.state, evening.bob.seat, VEIL).moves
    assert with_stranded(evening.table.state, evening.bob.seat, VEIL, seen) is seen
