"""Rules repeated: exact ends against a plain reference, sampling against the exact ends."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import Chain, Odds, chain, odds
from paravent.dice.errors import EndlessRule, TooManyStates

usual = settings(deadline=None, derandomize=True, max_examples=60)


def reference(chain):
    """The ends and the mean number of steps, by Gauss's elimination in fractions over all states at once."""
    size = len(chain.states)
    system = [[Fraction(0)] * (size + 1) for _ in range(size)]
    system[0][size] = Fraction(1)
    for at, move in enumerate(chain.moves):
        system[at][at] += 1
        for to, chance in (move or {}).items():
            system[to][at] -= chance
    for pivot in range(size):
        found = next(row for row in range(pivot, size) if system[row][pivot])
        system[pivot], system[found] = system[found], system[pivot]
        lead = [cell / system[pivot][pivot] for cell in system[pivot]]
        system[pivot] = lead
        for row in range(size):
            factor = system[row][pivot]
            if row != pivot and factor:
                system[row] = [cell - factor * of for cell, of in zip(system[row], lead, strict=True)]
    visits = [row[size] for row in system]
    ends = {chain.states[at]: visits[at] for at, move in enumerate(chain.moves) if move is None and visits[at]}
    return ends, sum((visits[at] for at, move in enumerate(chain.moves) if move is not None), start=Fraction(0))


class Fight(NamedTuple):
    mine: int
    theirs: int


def blow(dice, value):
    roll = dice.sum(2, 6)
    return max(0, value - roll) // 2 if roll < value else 0


def step(dice, fight, mine, theirs):
    dealt, taken = dice.resolve(blow, mine), dice.resolve(blow, theirs)
    return Fight(max(0, fight.mine - taken), max(0, fight.theirs - dealt))


def over(fight):
    return 0 in fight


def toss(dice, lead):
    return lead + (1 if dice.sum(1, 3) == 3 else -1)


@given(st.integers(1, 7), st.integers(1, 7), st.integers(5, 9), st.integers(5, 9))
@usual
def test_a_fight_that_may_stand_still_ends_as_the_reference_says(mine, theirs, value, other):
    fight = Chain(step, Fight(mine, theirs), value, other, over=over)
    ended = fight.run()
    ends, steps = reference(fight)
    assert (dict(ended.ends), ended.mean_steps, ended.states) == (ends, steps, len(fight.states))


@given(st.integers(1, 6), st.integers(1, 6))
@usual
def test_a_walk_that_returns_on_its_steps_is_solved(below, above):
    walk = Chain(toss, 0, over=lambda lead: lead in (-below, above))
    assert (dict(walk.run().ends), walk.run().mean_steps) == reference(walk)


@given(st.lists(st.dictionaries(st.integers(0, 7), st.integers(1, 9), min_size=1), min_size=7, max_size=7))
@usual
def test_any_small_chain_is_the_reference_or_endless(tables):
    """States 0 to 6 go anywhere, 7 is over: self-loops, cycles, cycles after cycles."""

    def anywhere(dice, state):
        ways = tables[state]
        roll = dice.sum(1, sum(ways.values()))
        for to, width in ways.items():
            roll -= width
            if roll <= 0:
                return to
        raise AssertionError

    some = Chain(anywhere, 0, over=lambda state: state == 7)
    try:
        ends, steps = reference(some)
    except StopIteration:
        with pytest.raises(EndlessRule):
            some.run()
        with pytest.raises(EndlessRule):
            some.sample(10)
        return
    assert (dict(some.run().ends), some.run().mean_steps) == (ends, steps)


def test_a_chain_that_is_over_at_once_takes_no_step():
    ended = chain(step, Fight(0, 3), 7, 7, over=over)
    assert dict(ended.ends) == {Fight(0, 3): 1}
    assert ended.mean_steps == 0
    assert Chain(step, Fight(0, 3), 7, 7, over=over).sample(5).ends == {Fight(0, 3): 5}


def test_a_state_that_never_changes_is_endless():
    def still(dice, state):
        return state

    with pytest.raises(EndlessRule):
        chain(still, 1, over=lambda state: False)
    with pytest.raises(EndlessRule):
        Chain(still, 1, over=lambda state: False).sample(1)


def test_two_states_that_only_return_to_each_other_are_endless():
    with pytest.raises(EndlessRule):
        chain(lambda dice, state: 1 - state, 0, over=lambda state: False)


def test_too_many_states_is_said():
    with pytest.raises(TooManyStates):
        Chain(lambda dice, state: state + dice.sum(1, 2), 0, over=lambda state: False, widest=100)


def test_the_chance_of_an_end_adds_its_states():
    ended = chain(step, Fight(4, 4), 8, 8, over=over)
    won = ended.chance(lambda fight: fight.theirs == 0 and fight.mine > 0)
    lost = ended.chance(lambda fight: fight.mine == 0 and fight.theirs > 0)
    assert won == lost
    assert won + lost + ended.chance(lambda fight: fight == (0, 0)) == 1


def test_a_policy_reaches_the_steps():
    def bold(dice, state):
        return state + (2 if dice.choose("a", "run", (False, True)) else 1) + dice.sum(1, 2) - 1

    quick = chain(bold, 0, over=lambda state: state >= 6, policy=lambda who, key, options, usual: True)
    assert quick.mean_steps < chain(bold, 0, over=lambda state: state >= 6).mean_steps


@given(st.integers(0, 6))
@usual
def test_after_so_many_steps_is_the_rule_applied_so_many_times(steps):
    fight = Chain(step, Fight(3, 4), 8, 7, over=over)
    spread = Odds({Fight(3, 4): 1})
    for _ in range(steps):
        parts = [(chance, {state: 1} if over(state) else odds(step, state, 8, 7)) for state, chance in spread.items()]
        ends: dict[Fight, Fraction] = {}
        for chance, part in parts:
            for state, share in part.items():
                ends[state] = ends.get(state, Fraction(0)) + chance * share
        common = 6 ** (4 * steps)
        spread = Odds({state: int(share * common) for state, share in ends.items()})
    assert fight.after(steps) == spread


# --- Sampling


def test_any_split_of_the_runs_gives_the_same_totals():
    fight = Chain(step, Fight(5, 4), 8, 7, over=over)
    whole = fight.sample(50_000, seed=3)
    for cuts in ((0, 20_000, 50_000), (0, 1, 33_000, 49_999, 50_000)):
        parts = [
            fight.sample(stop - start, seed=3, first=start) for start, stop in pairwise(cuts)
        ]
        assert sum((Counter(part.ends) for part in parts), start=Counter()) == Counter(whole.ends)
        assert sum(part.steps for part in parts) == whole.steps


def test_another_seed_is_another_sample_and_the_same_seed_the_same():
    fight = Chain(step, Fight(5, 4), 8, 7, over=over)
    assert fight.sample(1000, seed=1) == fight.sample(1000, seed=1)
    assert fight.sample(1000, seed=1) != fight.sample(1000, seed=2)


@pytest.mark.parametrize("start", [Fight(5, 4), Fight(20, 17)])
def test_sampled_ends_lie_in_the_band_of_the_exact_ones(start):
    """200 000 runs with a fixed seed; a band of five standard deviations."""
    runs = 200_000
    fight = Chain(step, start, 8, 7, over=over)
    sampled, exact = fight.sample(runs, seed=11), fight.run()
    assert sum(sampled.ends.values()) == sampled.runs == runs
    assert sampled.ends.keys() <= exact.ends.keys()
    for end, chance in exact.ends.items():
        assert abs(sampled.ends.get(end, 0) - runs * chance) <= 5 * float(runs * chance * (1 - chance)) ** 0.5 + 1
    assert abs(sampled.steps / runs - exact.mean_steps) < 0.02 * exact.mean_steps


def test_runs_do_not_follow_each_other():
    """Neighbouring runs of a fair coin agree half of the time."""
    coin = Chain(lambda dice, state: dice.sum(1, 2), 0, over=bool)
    faces = [next(iter(coin.sample(1, seed=5, first=run).ends)) for run in range(2000)]
    agree = sum(one == other for one, other in pairwise(faces))
    assert abs(agree - 1000) < 5 * 2000**0.5 / 2
    assert abs(faces.count(1) - 1000) < 5 * 2000**0.5 / 2


def test_an_alias_table_gives_each_state_its_share_of_two_to_the_64():
    from paravent.dice.sampling import _aliases

    for ways in ({0: 1}, {0: 1, 1: 2}, {0: 5, 3: 7, 4: 1, 9: 10**30}, {n: n + 1 for n in range(37)}):
        size = max(2, 1 << (len(ways) - 1).bit_length())
        columns = _aliases(Odds(ways), size)
        height = 2**64 // size
        share: Counter[int] = Counter()
        for limit, low, high in columns:
            share[low] += limit
            share[high] += height - limit
        assert len(columns) == size
        assert sum(share.values()) == 2**64
        assert all(abs(share[at] - Fraction(2**64 * count, sum(ways.values()))) <= 1 for at, count in ways.items())
