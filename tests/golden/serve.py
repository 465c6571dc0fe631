"""Writes ``served.db.gz`` and ``served.json.xz``: two recorded tables, played again over the database file that
``paravent serve`` of that version keeps. It ran on commit 14071c5, and only runs there (see ``record.py``):

    PYTHONPATH=/tmp/v1/src python tests/golden/serve.py /tmp/v1
"""

import gzip
import json
import lzma
import sqlite3
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from replay import Sitting

from paravent.store import open_log

HERE = Path(__file__).parent
SAID = datetime(2031, 5, 1, 22, tzinfo=UTC).isoformat(timespec="milliseconds")
TAPES = {"conteur/evening": 330, "empire/evening": 0}
"""The tapes, and how many words are said afterwards: after five hundred events, a snapshot is kept beside the log."""


def main(root: str) -> None:
    """Play the tapes into a file."""
    told: dict[str, Any] = {"commit": "14071c5", "tables": []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "paravent.db"
        for tape, words in TAPES.items():
            told["tables"].append({"tape": tape, **plays(root, file, tape, words)})
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("PRAGMA journal_mode=DELETE")
        with gzip.GzipFile(HERE / "served.db.gz", "wb", 9, mtime=0) as packed:
            packed.write(file.read_bytes())
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    (HERE / "served.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))


def plays(root: str, file: Path, tape: str, words: int) -> dict[str, Any]:
    """One table, from its opening; what everybody sees in the end is in the tape, or here if more was said."""
    recorded = json.loads(lzma.decompress((HERE / f"{tape}.json.xz").read_bytes()))
    with Sitting(Path(root), open_log(file)) as table:
        opening, *played = recorded["plays"]
        table.at(opening["label"], opening["now"])
        table.opens(*opening["open"])
        for one in played:
            table.plays(one)
        assert table.table == recorded["table"]
        seats = list(recorded["views"][-1])
        for seat in seats:
            assert table.view(seat) == json.loads(recorded["views"][-1][seat])
        for number in range(words):
            who = recorded["people"][("Bob", "Cléo", "Dan")[number % 3]]["seat"]
            table.plays({"label": f"{tape} said {number}", "now": SAID, "seat": who,
                         "command": {"type": "say", "text": f"Encore un mot : {number + 1}.", "id": f"said-{number}"}})
        kept = table.run(table.log.snapshot(table.table))
        told = {
            "table": table.table, "rows": len(table.rows()), "snapshot": kept[0] if kept else 0,
            "tokens": recorded["cuts"][-1]["tokens"],
            "views": {seat: table.view(seat) for seat in seats} if words else {},
        }
        table.run(table.log.close())
        return told


if __name__ == "__main__":
    main(*sys.argv[1:])
