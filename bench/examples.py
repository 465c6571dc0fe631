"""The odds of every example of every move of every game installed: ``python -m bench.examples``.

A question is what a form shows before the dice: the odds of the rule, grouped by outcome, the chance of success, the
same for each value of the field that the rule finds worth comparing, and the end of what lasts where the move foretells
it. *Anew* is asked with warm code and every answer forgotten; *again* with what was answered at hand, as for the second
page that shows it. Times of the processor. The slowest ten are listed by the first; 50 ms is the most we want to wait.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from paravent.dice import ParaventError, forget_odds
from paravent.game import Context, Resolve, find_system, system_names
from paravent.game.errors import STUMBLES
from paravent.game.telling import Teller
from paravent.testing.conformance import example_contexts

RESULTS = Path(__file__).parent / "results" / "examples.json"
MOST = 50.0
LISTED = 10


class Question(NamedTuple):
    """A rule of an example, and how long its odds take, in milliseconds."""

    game: str
    move: str
    step: str
    anew: float
    again: float


def questions(game: str) -> Iterator[Question]:
    """Every rule of every example that can be weighed as it stands."""
    for move, ctx in example_contexts(find_system(game)):
        for step in ctx.move.resolves:
            try:
                asked(step, ctx)  # the code is warm now
                forget_odds()
                yield Question(game, move, step.id, asked(step, ctx), asked(step, ctx))
            except (ParaventError, *STUMBLES):
                continue  # it is asked about later in its move, or is not weighed


def asked(step: Resolve[Any], ctx: Context) -> float:
    """The processor's time of one question."""
    start = time.process_time()
    weighed = step.odds(ctx)
    weighed.map(step.outcome)
    if step.success is not None:
        weighed.chance(step.success)
        if step.vary:
            Teller("fr", ctx.system).compared(ctx, step)
    if ctx.move.forecast is not None:
        ctx.move.forecast(ctx)
    return (time.process_time() - start) * 1e3


def main() -> int:
    found = [question for game in system_names() for question in questions(game)]
    slowest = sorted(found, key=lambda question: -question.anew)[:LISTED]
    print(f"odds of {len(found)} rules of examples; the slowest, anew and again, in ms (at most {MOST:g}):")
    for question in slowest:
        print(f"  {question.anew:>8.1f}{question.again:>9.1f}  {question.game} {question.move}, {question.step}"
              f"{'' if question.anew <= MOST else '  (too slow)'}")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({
        "python": platform.python_version(), "most": MOST, "questions": [question._asdict() for question in found],
    }, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
