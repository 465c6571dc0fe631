"""Seeds that nobody chose: a run tries a few that no run tried before, and a failure says how to repeat it.

``PARAVENT_SEEDS`` holds them (``.ci/run`` takes two from the code that it tries, ``make soak`` two hundred from the
clock); 19 is always tried too.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

SEEDS = tuple(dict.fromkeys((19, *map(int, os.environ.get("PARAVENT_SEEDS", "").split()))))


@contextmanager
def repeatable(test: str, seed: int) -> Iterator[None]:
    """Whatever fails inside says by which command it fails again."""
    try:
        yield
    except BaseException as found:
        found.add_note(f"Again: PARAVENT_SEEDS={seed} .venv/bin/pytest -p no:xdist '{test}'")
        raise
