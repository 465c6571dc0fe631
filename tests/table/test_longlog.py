"""What is long gives way to whoever plays, and comes to its end all the same."""

import threading
from itertools import count

import pytest

from paravent.table import longlog
from paravent.table.longlog import Courtesy, giving_way


def test_what_is_long_stands_still_while_somebody_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longlog, "STANDS_STILL", 60.0)
    monkeypatch.setattr(longlog, "PLAYED", courtesy := Courtesy())
    begun, done = threading.Event(), threading.Event()
    read: list[int] = []

    def reads() -> None:
        for at in giving_way(count()):
            read.append(at)
            begun.set()
            if done.is_set():
                return

    thread = threading.Thread(target=reads)
    thread.start()
    begun.wait(60)
    with courtesy, courtesy:
        while not courtesy.waits:
            pass
        before = len(read)
        assert before == len(read)
        done.set()
    thread.join(60)
    assert not thread.is_alive()
    assert len(read) == before + 1


def test_however_much_is_played_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longlog, "STANDS_STILL", 0.001)
    monkeypatch.setattr(longlog, "PLAYED", courtesy := Courtesy())
    with courtesy:
        assert list(giving_way(range(1000))) == list(range(1000))
