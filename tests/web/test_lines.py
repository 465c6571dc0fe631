"""Lines that stay open: everybody is told at once, nobody waits for another, and a line ends when it must."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx
import pytest

from paravent.store import open_log
from paravent.table import commands as c
from paravent.table.host import Host
from paravent.web import lines
from paravent.web.lines import Line

from .conftest import Serving, table_token


class Reader:
    """Somebody at the other end of a line; while ``slow``, they read nothing."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.slow, self.status, self.over = asyncio.Event(), 0, False
        self.slow.set()
        self._left = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.slow.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.read += [message["body"].decode()] if message["body"] else []
            self.over = not message["more_body"]

    def leave(self) -> None:
        self._left.set()


class Room:
    """A table with lines to its game master."""

    def __init__(self) -> None:
        self.host = Host(open_log("memory:"))

    async def opened(self) -> "Room":
        self.entry = await self.host.open("conteur", "Vendredi", "Ana")
        self.live = await self.host.live(self.entry.table)
        return self

    async def say(self, text: str) -> None:
        await self.host.do(self.entry.table, c.Say(seat=self.entry.seat, text=text))

    async def line(self, reader: Reader, news: Callable[[], str | None] | None = None) -> "asyncio.Task[None]":
        at = self.live.state.counts_of(self.entry.seat).events

        def told() -> str:
            nonlocal at
            missed = self.live.news(self.entry.seat, at)
            at = missed[-1].id if missed else at
            return " ".join(str(told.report.values["text"]) for told in missed)

        task = asyncio.create_task(Line(self.live, news or told, "hello")({}, reader.receive, reader.send))
        while not reader.read:
            await asyncio.sleep(0)
        return task


def scene(story: Callable[[Room], Awaitable[None]]) -> None:
    async def told() -> None:
        await story(await Room().opened())

    with ThreadPoolExecutor(1) as aside:  # Playwright may keep a loop running here
        aside.submit(lambda: asyncio.run(told())).result(60)


def test_everybody_has_read_it_when_the_command_is_answered() -> None:
    async def story(room: Room) -> None:
        readers = [Reader() for _ in range(3)]
        tasks = [await room.line(reader) for reader in readers]
        await room.say("un")
        await room.say("deux")
        assert [reader.read for reader in readers] == [["hello", "un", "deux"]] * 3
        for reader in readers:
            reader.leave()
        await asyncio.gather(*tasks)
        assert not room.live.listeners

    scene(story)


def test_a_slow_reader_holds_up_nobody_and_catches_up_in_one_piece() -> None:
    async def story(room: Room) -> None:
        quick, slow = Reader(), Reader()
        tasks = [await room.line(reader) for reader in (slow, quick)]
        slow.slow.clear()
        for text in ("un", "deux", "trois"):
            await room.say(text)
        assert quick.read == ["hello", "un", "deux", "trois"]
        assert slow.read == ["hello"]
        slow.slow.set()
        while len(slow.read) < 3:
            await asyncio.sleep(0)
        assert slow.read == ["hello", "un", "deux trois"]
        await room.say("quatre")
        assert slow.read[-1] == quick.read[-1] == "quatre"
        room.host.close()
        for reader in (quick, slow):
            reader.leave()
        await asyncio.gather(*tasks)

    scene(story)


def test_a_line_that_must_end_ends_and_one_that_fails_takes_nobody_along(caplog) -> None:
    def broken() -> str:
        raise ValueError("a fault of ours")

    async def story(room: Room) -> None:
        quick, ended, failed = Reader(), Reader(), Reader()
        line = await room.line(quick)
        await asyncio.gather(await room.line(ended, lambda: None), await room.line(failed, broken))
        assert (ended.read, ended.over) == (failed.read, failed.over) == (["hello"], True)
        await room.say("un")
        assert quick.read == ["hello", "un"]
        quick.leave()
        await line

    with caplog.at_level(logging.CRITICAL, "paravent.web"):
        scene(story)


def test_a_silent_line_says_that_it_is_still_there(monkeypatch) -> None:
    async def story(room: Room) -> None:
        reader = Reader()
        line = await room.line(reader)
        while len(reader.read) < 3:
            await asyncio.sleep(0)
        assert reader.read[:3] == ["hello", ": still here\n\n", ": still here\n\n"]
        reader.leave()
        await line

    monkeypatch.setattr(lines, "PATIENCE", 0.001)
    scene(story)


@pytest.mark.parametrize("kind", ["page", "api"])
def test_streams_end_when_the_server_stops(kind: str) -> None:
    """A server that stops does not wait for those who listen."""
    serving = Serving()
    token = table_token(serving.url, "conteur")
    gm = {"Authorization": f"Bearer {token}"}
    view = httpx.get(f"{serving.url}/api/table", headers=gm).json()
    address = f"/t/{view['table']}/{view['seat']}/live" if kind == "page" else "/api/table/events"
    headers = {**gm, "Cookie": f"paravent_seat={token}"}
    with httpx.stream("GET", f"{serving.url}{address}", headers=headers, timeout=15) as stream:
        told = stream.iter_text()
        assert next(told).startswith(": he")
        serving.stop()
        list(told)  # it comes to its end
