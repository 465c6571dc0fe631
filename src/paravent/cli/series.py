"""``paravent create … --count N --into FILE``: records by the thousand, a JSON line each, stopped and taken up at will.

The series of a seed is ``seed-1``, ``seed-2``…: any of them can be made again by itself. What the file holds is never
made twice: a line that was cut short goes, the others stay, and the series goes on after them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from paravent.game.telling import Teller

from . import facts
from .errors import AnotherSeries

STOPPED = 130
"""What a command stopped by hand ends with."""


def written(path: Path, kind: str, seed: str, count: int, make: Callable[[str], facts.Facts], lang: str) -> int:
    """Write what is missing of a series; say how far it is, and how to go on if it was stopped."""
    tell = Teller(lang)
    done = _kept(path, kind, seed)
    at = done
    try:
        with path.open("a", encoding="utf-8") as file:
            for at in _shown(range(done + 1, count + 1), count, tell.say("cli.series.making")):
                file.write(json.dumps(make(f"{seed}-{at}"), ensure_ascii=False, separators=(",", ":")) + "\n")
    except KeyboardInterrupt:
        print(tell.say("cli.series.stopped", n=_kept(path, kind, seed), count=count), file=sys.stderr)
        return STOPPED
    print(tell.say("cli.series.done", n=at, file=str(path)), file=sys.stderr)
    return 0


def _kept(path: Path, kind: str, seed: str) -> int:
    """How many of the series a file holds; what was cut short at its end is cut off."""
    if not path.exists():
        return 0
    n = whole = 0
    with path.open("rb") as file:
        for n, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                n -= 1
                break
            if not _is_of(line, kind, f"{seed}-{n}"):
                raise AnotherSeries(file=str(path), line=n, wanted=f"{seed}-{n}")
            whole += len(line)
    os.truncate(path, whole)
    return n


def _is_of(line: bytes, kind: str, seed: str) -> bool:
    try:
        one = json.loads(line)
    except ValueError:
        return False
    return isinstance(one, dict) and (one.get("kind"), one.get("seed")) == (kind, seed)


def _shown(numbers: range, count: int, title: str) -> Iterator[int]:
    """The numbers one by one, with a bar that fills where somebody looks at it."""
    if not sys.stderr.isatty():
        yield from numbers
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=count, completed=count - len(numbers))
        for number in numbers:
            yield number
            bar.advance(task)
