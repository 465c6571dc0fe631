"""kill -9 at any moment loses nothing acknowledged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = Path(__file__).with_name("kills.py")


def kill(*arguments: str) -> str:
    run = subprocess.run([sys.executable, str(KILLS), *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this machine does not fork")
def test_two_hundred_kills_lose_nothing_in_a_file():
    assert "200 kills" in kill("200")


@pytest.mark.needs("postgresql")
def test_killing_the_program_loses_nothing_in_postgresql(server):
    assert "nothing lost" in kill("15", "--address", server.fresh())


def test_the_check_itself_sees_a_lost_event(tmp_path):
    """The same check on a log from which an acknowledged event was taken."""
    code = (
        "import asyncio, sqlite3, sys; sys.path.insert(0, sys.argv[1]); import kills\n"
        "checked = {}\nacknowledged = kills.kill_once(sys.argv[2], 3)\n"
        "asyncio.run(kills.check(sys.argv[2], checked, acknowledged))\n"
        "database = sqlite3.connect(sys.argv[2])\n"
        "database.execute('DELETE FROM events WHERE number = 1'); database.commit(); database.close()\n"
        "try:\n    asyncio.run(kills.check(sys.argv[2], {}, acknowledged))\n"
        "except kills.Lost as lost:\n    print('seen', lost)\n"
    )
    arguments = [sys.executable, "-c", code, str(KILLS.parent), str(tmp_path / "log.db")]
    run = subprocess.run(arguments, capture_output=True, text=True)
    assert run.stdout.startswith("seen"), run.stdout + run.stderr
