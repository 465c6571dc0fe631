"""An act read again from what is written of it is the act that its rules last made of it."""

from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from players import goes_on, tries
from scene import Table
from veil import VEIL

from paravent.table import commands as c
from paravent.table.house import with_house_moves
from paravent.table.rereading import reread, written
from paravent.table.state import state_read, state_written

STARTS = ("act", "leap", "duel", "sneak", "hunch", "ambush", "plea", "lend", "retry", "create", "remind")


def evening(seed: int) -> Table:
    """People play whatever comes next, of acts begun at random."""
    luck, table = Random(seed), Table(VEIL)
    table.watch = False
    ana, bob, cy = table.joins("Ana", as_="gm"), table.joins("Bob"), table.joins("Cy")
    roles = {"initiator": [bob.brings("Elya")], "opponent": [cy.brings("Tarn")]}
    roles["helper"] = roles["opponent"]
    for _ in range(20):
        underway = [act.id for act in table.state.open_moves()]
        if underway and luck.random() < 0.8:
            tries(*goes_on(table, luck, luck.choice(underway)))
            continue
        move = VEIL.move(luck.choice(STARTS))
        cast = {role.id: roles[role.id] for role in move.cast if role.id in roles and role.least}
        tries(ana if move.by == "gm" else bob, c.StartMove, {"move": move.id, "cast": cast})
    return table


@settings(max_examples=10, deadline=None, derandomize=True, phases=[Phase.generate])
@given(st.integers(0, 10**9))
def test_an_act_read_again_is_the_one_its_rules_made(seed: int) -> None:
    state = evening(seed).state
    again, system = state_read(state_written(state)), with_house_moves(VEIL, state)
    assert state.moves
    for number, act in state.moves.items():
        op = reread(again, system, number)
        assert op == reread(state, system, number)
        rules = written(op, system, act.rulings, act.own_rulings)
        assert (rules.throws, rules.fields, rules.changes, rules.pending, rules.awaited) == (
            act.throws, act.fields, act.changes, act.pending, act.awaited)


def test_what_all_may_read_of_an_act_holds_no_figures_of_dice_that_only_some_see() -> None:
    """Each sees their own dice of a duel, and all how it ended; of a leap, all see everything."""
    table = Table(VEIL)
    table.joins("Ana", as_="gm")
    bob, cy = table.joins("Bob"), table.joins("Cy")
    mine, theirs = bob.brings("Elya"), cy.brings("Tarn")
    leapt = bob.starts("leap", {"initiator": [mine]})
    bob.throws(leapt)
    fought = bob.starts("duel", {"initiator": [mine], "opponent": [theirs]})
    bob.fills(fought, stance=1)
    cy.fills(fought, stance=2)
    bob.throws(fought)
    system = with_house_moves(VEIL, table.state)
    acts = [reread(table.state, system, number) for number in sorted(table.state.moves)]
    assert [list(act.results) for act in acts] == [["roll"], ["clash"]]
    assert [list(act.in_the_open(system).results) for act in acts] == [["roll"], []]
