"""Records the evenings of :mod:`evenings` as the first format kept them. It ran on commit 14071c5, and only runs there:

    git worktree add /tmp/v1 14071c5
    PYTHONPATH=/tmp/v1/src python tests/golden/record.py /tmp/v1 [tape …]

Nothing here is run by the tests, and nothing is ever recorded anew: what is written beside this file is what that
version of the house wrote, showed and told. See ``README.md``.
"""

import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def main(root: str, *wanted: str) -> None:
    """Record all tapes, or those whose names begin like this."""
    os.environ["PARAVENT_V1"] = root
    from evenings import TAPES

    for name, story in TAPES.items():
        if wanted and not name.startswith(wanted):
            continue
        begun = time.perf_counter()
        tape = story()
        tape.writes()
        found = ", ".join(f"{cut['phase']}@{cut['after']}" for cut in tape.cuts)
        refused = [(played["command"]["type"], played["reply"]["refused"]) for played in tape.played
                   if "refused" in played.get("reply", {})]
        writes_index(f"{tape.game}/{tape.name}", [cut["phase"] for cut in tape.cuts])
        print(f"{name}: {len(tape.played)} plays, {tape.played[-1]['rows']} rows, "
              f"{time.perf_counter() - begun:.1f} s\n  {found}\n  refused: {refused}", flush=True)


def writes_index(tape: str, phases: list[str]) -> None:
    """The list of all logs: what the test reads first."""
    index = HERE / "index.json"
    listed = [row for row in json.loads(index.read_text("utf-8")) if row[0] != tape] if index.exists() else []
    listed += [[tape, at, phase] for at, phase in enumerate(phases)]
    index.write_text("[\n" + ",\n".join(json.dumps(row) for row in sorted(listed)) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
