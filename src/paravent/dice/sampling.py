"""Repeated rules sampled: many runs at once, drawn from the same weighed steps as the exact chain.

Run number ``r`` at step ``s`` always reads the same 64-bit number, whatever the process, the split or the order of
the runs: it is the ``s``-th output of the splitmix64 generator whose state is a hash of the seed and ``r``.

A draw reads an alias table (Walker, Vose): the top bits of the number pick a column, the others decide between the
column's two states. Ways are first spread over 2**64 in whole numbers, so no probability is off by more than that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .odds import Odds

_BITS = 64
_SPAN = 1 << _BITS
_AT_ONCE = 1 << 15
"""Runs drawn together: few enough for their numbers to stay in the processor's cache."""


def sample_chain(
    moves: Sequence[Odds[int] | None], runs: int, seed: int | str = 0, first: int = 0
) -> tuple[dict[int, int], int]:
    """Draw runs ``first`` to ``first + runs - 1`` from state 0 until a state without moves.

    Gives how many ended in each state, and how many steps they took in all.
    """
    import numpy as np

    bits, columns, limit, below, above = _tables(moves)
    shift = np.array([_BITS - b for b in bits], dtype=np.uint64)
    lift = np.array(bits, dtype=np.uint64)
    start = np.array(columns, dtype=np.int64)
    limit_of = np.array(limit, dtype=np.uint64)
    to = np.array([above, below], dtype=np.int64)
    going = np.array([move is not None for move in moves])
    ended = np.zeros(len(moves), dtype=np.int64)
    steps = 0
    key = int.from_bytes(hashlib.sha256(f"paravent runs {seed}".encode()).digest()[:8], "big")
    golden = 0x9E3779B97F4A7C15
    for begin in range(first, first + runs, _AT_ONCE):
        numbers = np.arange(min(_AT_ONCE, first + runs - begin), dtype=np.uint64) + np.uint64(begin % _SPAN)
        stream = _mixed(numbers * np.uint64(golden) + np.uint64(key))
        state = np.zeros(len(stream), dtype=np.int64)
        if moves[0] is None:
            ended[0] += len(state)
            continue
        while len(state):
            steps += len(state)
            stream += np.uint64(golden)
            number = _mixed(stream)
            column = start[state] + (number >> shift[state]).astype(np.int64)
            state = to[(number << lift[state] < limit_of[column]).astype(np.int64), column]
            still = going[state]
            ended += np.bincount(state[~still], minlength=len(moves))
            state, stream = state[still], stream[still]
    return {at: int(count) for at, count in enumerate(ended.tolist()) if count}, steps


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of splitmix64, on an array of numbers."""
    number = x.dtype.type
    x = (x ^ (x >> number(30))) * number(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> number(27))) * number(0x94D049BB133111EB)
    return x ^ (x >> number(31))


def _tables(moves: Sequence[Odds[int] | None]) -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """One alias table after another: bits and first column of each state; limit and two states of each column."""
    bits: list[int] = []
    columns: list[int] = []
    limits: list[int] = []
    below: list[int] = []
    above: list[int] = []
    for move in moves:
        bits.append(1)
        columns.append(len(limits))
        if move is None:
            continue
        size = max(1, (len(move) - 1).bit_length())
        bits[-1] = size
        for limit, low, high in _aliases(move, 1 << size):
            limits.append(min(limit << size, _SPAN - 1))
            below.append(low)
            above.append(high)
    return bits, columns, limits, below, above


def _aliases(move: Odds[int], size: int) -> list[tuple[int, int, int]]:
    """Columns of equal height, each shared by at most two states: how much of it is the first's, and both."""
    height = _SPAN // size
    seen = given = 0
    share: list[tuple[int, int]] = []
    for to, ways in move.ways.items():
        seen += ways
        upto = seen * _SPAN // move.total
        share.append((upto - given, to))
        given = upto
    share += [(0, share[0][1])] * (size - len(share))
    poor = [part for part in share if part[0] < height]
    rich = [part for part in share if part[0] >= height]
    made: list[tuple[int, int, int]] = []
    while poor:
        have, to = poor.pop()
        plenty, other = rich.pop()
        made.append((have, to, other))
        left = plenty - (height - have)
        (poor if left < height else rich).append((left, other))
    return made + [(height, to, to) for _, to in rich]
