"""Seeds that nobody chose: a run tries a few that no run tried before, and a failure says how to repeat it.

``PARAVENT_SEEDS`` holds them (``make soak`` takes two hundred from the clock); unsaid, it is always 19.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

SEEDS = tuple(map(int, os.environ.get("PARAVENT_SEEDS", "").split())) or (19,)


@contextmanager
def repeatable(test: str, seed: int) -> Iterator[None]:
    """Whatever fails inside says by which command it fails again."""
    try:
        yield
    except BaseException as found:
        found.add_note(f"Again: PARAVENT_SEEDS={seed} .venv/bin/pytest -p no:xdist '{test}'")
        raise
