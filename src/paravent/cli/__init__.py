"""The command line: ``paravent``, or ``python -m paravent``. A thin door: no rule is known here.

Typer and Rich come only with :func:`main`, so that importing Paravent stays light.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

USAGE, INTERRUPTED, BROKEN_PIPE, FAULT = 2, 130, 1, 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit code: 0 done, 1 failed, 2 refused (one sentence says why), 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # whoever called us closed it: nothing is read there, nobody reads
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        from .app import run

        code = run(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone; nothing more may be written, not even by Python on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if os.environ.get("PARAVENT_DEBUG"):
            raise
        return _unforeseen(error, words)


def _unforeseen(error: Exception, words: Sequence[str]) -> int:
    """One sentence for a fault of ours or of a game's; never a traceback unless asked for."""
    from paravent.game.words import LANGUAGES, house_words

    asked = os.environ.get("PARAVENT_LANG", "")[:2]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        asked = after if word == "--lang" else word[7:] if word.startswith("--lang=") else asked
    why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    said = house_words().say(asked if asked in LANGUAGES else "fr", "cli.unexpected", why=why)
    if "--json" in words:
        said = json.dumps({"error": {"code": "house/error", "message": said, "near": []}}, ensure_ascii=False)
    print(said, file=sys.stderr)
    return FAULT
