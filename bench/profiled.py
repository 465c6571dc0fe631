"""Where the processor's time of an action goes: ``python -m bench.profiled conteur throw``.

The evening of :mod:`bench.evening`, over a server that watches itself (``cProfile``) while the action is done, eight
pages open. The functions are listed with their share of the whole, by the time spent in them and in what they call;
``own`` after the action lists them by their own time alone, and ``later`` after that plays a hundred moves first. The
watching itself makes everything about twice as slow: shares are worth reading, milliseconds are not.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import signal
import sys
import time
from pathlib import Path
from typing import Any

from .evening import Cost, Evening, Person, Server, Streams
from .games import GAMES

TIMES = 20
WARM = 2
"""How often an action is done before anybody watches: what is measured is mostly done again."""
MOST = 70
START, STOP = signal.SIGUSR1, signal.SIGUSR2


def serve(kept: str, *asked: str) -> None:
    """``paravent serve``, watched between two signals."""
    from paravent.cli import main

    watch = cProfile.Profile(time.thread_time)

    def stop(*_: Any) -> None:
        watch.disable()
        watch.dump_stats(f"{kept}.new")
        os.replace(f"{kept}.new", kept)

    signal.signal(START, lambda *_: watch.enable())
    signal.signal(STOP, stop)
    sys.argv = ["paravent", *asked]
    main()


class Watched(Evening):
    """An evening whose server watches itself during one action."""

    def costs(self, streams: Streams, person: Person, action: str, **values: Any) -> Cost:
        """The same; the server settles on both sides, so that it watches nothing else."""
        self.server.settles()
        os.kill(self.server.process.pid, START)
        try:
            return super().costs(streams, person, action, **values)
        finally:
            os.kill(self.server.process.pid, STOP)
            self.server.settles()


def main(game: str, action: str, order: str = "whole", later: str = "") -> None:
    kept = Path(__file__).parent / "results" / f"{game}-{action}.prof"
    kept.parent.mkdir(exist_ok=True)
    server = Server("from bench.profiled import serve; import sys; serve(*sys.argv[1:])", str(kept))
    try:
        evening = Evening(server, game, GAMES[game])
        evening.warm()
        if later:
            evening.later()
        with evening.watched() as streams:
            for turn in range(2):
                evening.chat(streams, turn)
                evening.gauge(streams, turn)
            for turn in range(WARM):
                getattr(evening, action)(streams, turn)
            watched = Watched.__new__(Watched)
            vars(watched).update(vars(evening))
            for turn in range(WARM, WARM + TIMES):
                getattr(watched, action)(streams, turn)
    finally:
        server.stop()
    shown(pstats.Stats(str(kept)), order == "own")


def shown(stats: pstats.Stats, own: bool) -> None:
    """The functions of our house and of what it stands on, the dearest first."""
    rows: dict[tuple[str, int, str], tuple[Any, ...]] = stats.stats  # type: ignore[attr-defined]
    whole = stats.total_tt  # type: ignore[attr-defined]
    print(f"{stats.total_calls / TIMES / 1e3:.1f} thousand calls each time")  # type: ignore[attr-defined]
    print(f"{'share':>6}{'own':>6}{'calls':>9}  where")
    ours = {at: row for at, row in rows.items() if own or "/paravent/" in at[0] or "/jinja2/" in at[0]}
    for (file, line, name), (_, calls, spent, inside, _) in sorted(
        ours.items(), key=lambda row: -row[1][2 if own else 3]
    )[:MOST]:
        place = file.rpartition("/paravent/")[2] if "/paravent/" in file else file.rpartition("site-packages/")[2]
        print(f"{inside / whole:>6.1%}{spent / whole:>6.1%}{calls / TIMES:>9.0f}  {place}:{line} {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
