"""A server with a pulse: how long its event loop could not go on, at most, whatever else the machine had to do.

``python -m bench.pulse FILE serve …`` is ``paravent serve …`` in whose loop something wants its turn five hundred times
a second. What is written to the file, as one number of eight bytes, is the longest that it waited for its turn: seconds
by the clock without those during which the system itself had no processor for it, and never more than the processor
did for the server meanwhile. Whoever reads it sets it to nought.
"""

from __future__ import annotations

import asyncio
import struct
import sys
import threading
import time
from mmap import mmap
from pathlib import Path

EVERY = 0.002
LONGEST = struct.Struct("d")


class Pulse:
    """The longest wait so far, where another program can read it."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(LONGEST.size))
        with path.open("r+b") as file:
            self._shared = mmap(file.fileno(), LONGEST.size)

    @property
    def longest(self) -> float:
        found: float = LONGEST.unpack_from(self._shared)[0]
        return found

    @longest.setter
    def longest(self, seconds: float) -> None:
        LONGEST.pack_into(self._shared, 0, seconds)

    async def beats(self) -> None:
        """Want a turn again and again, in the loop that is watched."""
        waits = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        while True:
            clock, spent, waited = time.perf_counter(), time.process_time(), not_run(waits)
            await asyncio.sleep(EVERY)
            late = time.perf_counter() - clock - EVERY - (not_run(waits) - waited)
            self.longest = max(self.longest, min(late, time.process_time() - spent))


def not_run(waits: Path) -> float:
    """For how many seconds in all a thread could have run and was not let."""
    return int(waits.read_text("ascii").split()[1]) / 1e9


def main() -> None:
    from paravent.cli import main as paravent
    from paravent.web.serve import Server

    pulse, begins = Pulse(Path(sys.argv.pop(1))), Server.startup

    async def startup(server: Server, sockets: object = None) -> None:
        await begins(server, sockets)  # type: ignore[arg-type]
        server.pulse = asyncio.get_running_loop().create_task(pulse.beats())  # type: ignore[attr-defined]

    Server.startup = startup  # type: ignore[method-assign, assignment]
    paravent()


if __name__ == "__main__":
    main()
