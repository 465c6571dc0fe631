"""Lines that stay open: everybody is told at once, nobody waits for another, and a line ends when it must."""

import asyncio
import gc
import logging
import re
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx2 as httpx
import pytest
from jinja2 import UndefinedError
from markupsafe import Markup
from msgspec import UNSET

from paravent.store import open_log
from paravent.table import commands as c
from paravent.table.host import Host
from paravent.web import streams, visit
from paravent.web.app import create_app
from paravent.web.desk import Desk
from paravent.web.drawn import KeptDrawings
from paravent.web.looks import environment
from paravent.web.news import News
from paravent.web.security import SEAT_COOKIE
from paravent.web.serve import listening
from paravent.web.streams import Stream

from .conftest import PATIENCE, Serving, table_token


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
        while self.live.to_tell:
            await asyncio.sleep(0)

    async def line(self, reader: Reader, news: Callable[[], str | None] | None = None) -> "asyncio.Task[None]":
        at = self.live.state.counts_of(self.entry.seat).events

        def told() -> str:
            nonlocal at
            missed = self.live.news(self.entry.seat, at)
            at = missed[-1].id if missed else at
            return " ".join(str(told.report.values["text"]) for told in missed)

        task = asyncio.create_task(Stream(self.live, news or told, "hello")({}, reader.receive, reader.send))
        while not reader.read:
            await asyncio.sleep(0)
        return task


def scene(story: Callable[[Room], Awaitable[None]]) -> None:
    async def told() -> None:
        await story(await Room().opened())

    with ThreadPoolExecutor(1) as aside:  # Playwright may keep a loop running here
        aside.submit(lambda: asyncio.run(told())).result(60)


def test_whoever_asks_is_answered_before_the_others_are_told_and_then_everybody_is() -> None:
    async def story(room: Room) -> None:
        readers = [Reader() for _ in range(3)]
        tasks = [await room.line(reader) for reader in readers]
        await room.host.do(room.entry.table, c.Say(seat=room.entry.seat, text="un"))
        assert any(reader.read == ["hello"] for reader in readers)
        while room.live.to_tell:
            await asyncio.sleep(0)
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

    monkeypatch.setattr(streams, "PATIENCE", 0.001)
    scene(story)


class Audience:
    """A table with two players and six spectators, each with an open page."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app, self.drawn = create_app(open_log("memory:")), list[str]()
        draw = visit.draw

        def noted(name: str, *values: Any, **more: Any) -> Any:
            self.drawn.append(name)
            return draw(name, *values, **more)

        monkeypatch.setattr(visit, "draw", noted)

    async def seated(self) -> "Audience":
        self.host = self.app.state.host
        entry = await self.host.open("conteur", "Vendredi", "Ana")
        self.table, self.seats = entry.table, {"Ana": entry.seat}
        self.live = await self.host.live(self.table)
        tokens = {"Ana": entry.token}
        for name in ("Bob", "Cy", "Zoe1", "Zoe2", "Zoe3", "Zoe4", "Zoe5", "Zoe6"):
            made = await self.do("Ana", c.AddSeat, name=name, rank="spectator" if name[:3] == "Zoe" else "player")
            self.seats[name], tokens[name] = made["seat"], made["links"][made["seat"]]
            await self.do("Ana", c.Say, text=f"bonjour {name}")  # so that each has numbers of their own
        asking: Any = SimpleNamespace(app=self.app)
        self.guests = {
            name: visit.Visit(asking, self.live, self.table, seat, tokens[name], "fr")
            for name, seat in self.seats.items()
        }
        self.news = {name: News(guest, None) for name, guest in self.guests.items()}
        self.told()
        return self

    async def do(self, who: str, asked: type[c.Command], **values: Any) -> dict[str, Any]:
        done: dict[str, Any] = await self.host.do(self.table, asked(seat=self.seats[who], **values))
        return done

    def told(self) -> dict[str, str]:
        """What each page is told now; what had to be drawn for it stands in ``drawn``."""
        self.drawn.clear()
        return {name: news() or "" for name, news in self.news.items()}


def with_audience(story: Callable[[Audience], Awaitable[None]], monkeypatch: pytest.MonkeyPatch) -> None:
    async def told() -> None:
        await story(await Audience(monkeypatch).seated())

    with ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(told())).result(60)


def test_what_is_said_is_drawn_once_for_all_who_read_it(monkeypatch) -> None:
    async def story(room: Audience) -> None:
        await room.do("Bob", c.Say, text="la porte cède")
        told = room.told()
        assert room.drawn == ["parts/log.html"], "how Bob speaks"
        assert "gm-undo" not in told["Ana"], "talk is no action, and takes nothing from what can be undone"
        assert all(text.count("la porte cède") == (1 if name == "Bob" else 2) for name, text in told.items())
        assert "announce" not in told["Bob"]
        assert all(len(text) < 700 for text in told.values()), "only the new line is sent"
        same = {re.sub(r"(id: |l-)[0-9]+", "", text) for name, text in told.items() if name != "Bob"}
        assert len(same) == 1
        assert len({re.search(r"l-[0-9]+", text)[0] for text in told.values()}) > 1, "lines have each seat's own names"

    with_audience(story, monkeypatch)


def test_what_a_page_was_drawn_from_is_let_go_of_at_once(monkeypatch) -> None:
    async def story(room: Audience) -> None:
        gc.collect()
        gc.disable()
        try:
            await room.do("Bob", c.Say, text="la porte cède")
            await room.do("Ana", c.OpenScene, title="Le sas")
            assert all("Le sas" in text for text in room.told().values())
            assert not [held for held in gc.get_objects() if type(held) is Desk and vars(held)], "it waits for Python"
        finally:
            gc.enable()

    with_audience(story, monkeypatch)


def test_whoever_goes_back_to_a_value_finds_what_was_drawn_of_it() -> None:
    drawn: list[str] = []
    own, alike = KeptDrawings[str](), KeptDrawings[str](equal=True)

    def draws(kept: KeptDrawings[str], key: str, *shows: object) -> int:
        kept.of(key, lambda: drawn.append(key) or key, (*shows,))
        return len(drawn)

    assert [draws(alike, key, {"element": at}) for at, key in ((2, "a"), (3, "b"), (2, "a"), (3, "b"))] == [1, 2, 2, 2]
    assert draws(alike, "a", {"element": 2, "hidden": 1}) == 3, "another one that looks the same"
    assert draws(alike, "a", {"element": 2, "hidden": 1}, 1) == 4
    assert [draws(own, "a", {"element": 2}) for _ in range(2)] == [5, 6], "one's own are told by the very objects"


def test_what_a_template_says_is_escaped_once_and_what_is_not_there_is_missed() -> None:
    read = environment().from_string
    seen = SimpleNamespace(text="<b>&'", safe=Markup("<i>"), n=3, unset=UNSET, inner=SimpleNamespace(n={"held": "é"}))
    assert read("{{ a.text }}{{ a.safe }}{{ a.n }}{{ a.inner.n.held }}{{ a.text ~ a.safe }}").render(a=seen) == (
        "&lt;b&gt;&amp;&#39;<i>3é&lt;b&gt;&amp;&#39;<i>")
    there = "{{ [a.unset is defined, a.none is defined, a.n is defined] }}"
    assert read(there).render(a=seen) == "[False, False, True]"
    with pytest.raises(UndefinedError):
        read("{{ a.unset }}").render(a=seen)
    macros = "{% macro m(x, y='<', z=x) %}{{ x }}{{ y }}{{ z }}{{ caller() if caller else '' }}{% endmacro %}"
    plain = "{% macro p(x, y='<', z=x) %}{{ x }}{{ y }}{{ z }}{% endmacro %}"
    assert read(macros + "{% call m(1) %}&{% endcall %}").render() == "1&lt;1&"
    assert read(plain + "{{ p(1) }} {{ p('>', z=2) }} {{ p(1, 2, 3) }} {{ p(y=5, x=4) }}").render() == (
        "1&lt;1 &gt;&lt;2 123 454")
    for wrong in ("{{ p(1, 2, 3, 4) }}", "{{ p(1, w=2) }}", "{{ p(1, x=2) }}"):
        with pytest.raises(TypeError):
            read(plain + wrong).render()


def test_what_is_whispered_is_drawn_for_nobody_else(monkeypatch) -> None:
    async def story(room: Audience) -> None:
        await room.do("Bob", c.Say, kind="whisper", text="psst", to=(room.seats["Cy"],))
        assert {name for name, text in room.told().items() if text} == {"Bob", "Cy"}
        await room.do("Ana", c.Say, kind="note", text="pour plus tard")
        assert {name for name, text in room.told().items() if text} == {"Ana"}

    with_audience(story, monkeypatch)


def test_spectators_share_what_changed_and_each_keeps_their_own_marks(monkeypatch) -> None:
    async def story(room: Audience) -> None:
        await room.do("Ana", c.OpenScene, title="Le sas")
        told = room.told()
        assert room.drawn.count("parts/clock.html") == 1, "what all see alike is drawn once"
        assert room.drawn.count("parts/log.html") == len(("the game master", "whoever sees what all see"))
        assert room.drawn.count("parts/seats.html") == 0
        assert all("Le sas" in text for text in told.values())
        with room.app.state.presence.at(room.live, room.seats["Zoe3"]):
            told = room.told()
            assert room.drawn == ["parts/seats.html"], "who is there is drawn once for all"
            mine = {name: re.findall(r'<li class="[^"]* me[^"]*">.*?</span>\s*([^<\s]*)', text, re.DOTALL)
                    for name, text in ((name, text.replace("data: ", "")) for name, text in told.items())}
            assert mine == {name: [name] for name in room.seats}
            assert "@" not in "".join(told.values())

    with_audience(story, monkeypatch)


def test_a_page_told_line_by_line_shows_what_a_fresh_one_shows(monkeypatch) -> None:
    async def story(room: Audience) -> None:
        for kind, to in (("message", ()), ("story", ()), ("handout", ()), ("whisper", ("Bob",))):
            await room.do("Ana", c.Say, kind=kind, title="Titre" if kind == "handout" else "", text=f"un {kind}",
                          to=tuple(room.seats[name] for name in to))
            room.told()
        for name, news in room.news.items():
            fresh = room.guests[name].regions()
            told = news.log()
            assert told.pieces[-4:] == fresh["log"].pieces[-4:], name
            assert {part: html for part, html in news._shown.items() if part != "log"} == {
                part: html for part, html in fresh.items() if part != "log"}
        await room.do("Ana", c.PlayCard)
        assert all("data-cards" in text for text in room.told().values())
        await room.do("Ana", c.Say, text="reprenons")
        assert all("data-cards" in text and "reprenons" in text for text in room.told().values())

    with_audience(story, monkeypatch)


@pytest.mark.parametrize("kind", ["page", "api"])
def test_streams_end_when_the_server_stops(kind: str) -> None:
    """A server that stops does not wait for those who listen."""
    serving = Serving()
    token = table_token(serving.url, "conteur")
    gm = {"Authorization": f"Bearer {token}"}
    view = httpx.get(f"{serving.url}/api/table", headers=gm).json()
    address = f"/t/{view['table']}/{view['seat']}/live" if kind == "page" else "/api/table/events"
    headers = {**gm, "Cookie": f"paravent_seat={token}"}
    with httpx.stream("GET", f"{serving.url}{address}", headers=headers) as stream:
        told = stream.iter_text()
        assert next(told).startswith(": he")
        serving.stop()
        list(told)  # it comes to its end


@pytest.mark.parametrize("kind", ["page", "api"])
def test_a_seat_keeps_so_many_streams_and_the_others_are_not_concerned(
    kind: str, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MOST_STREAMS", 3)
    token = table_token(serving.url, "conteur")
    gm = {"Authorization": f"Bearer {token}"}
    bob = httpx.post(f"{serving.url}/api/table/commands", json={"type": "add-seat", "name": "Bob"}, headers=gm).json()
    table = httpx.get(f"{serving.url}/api/table", headers=gm).json()
    client = httpx.Client(timeout=PATIENCE / 1000)

    def asked(seat: str, link: str) -> httpx.Response:
        address = f"/t/{table['table']}/{seat}/live" if kind == "page" else "/api/table/events"
        headers = {"Authorization": f"Bearer {link}", "Cookie": f"{SEAT_COOKIE}={link}"}
        return client.send(client.build_request("GET", f"{serving.url}{address}", headers=headers), stream=True)

    held = [asked(bob["seat"], bob["links"][bob["seat"]]) for _ in range(4)]
    held.append(asked(table["seat"], token))
    try:
        assert [answer.status_code for answer in held] == [200, 200, 200, 429, 200]
    finally:
        for answer in held:
            answer.close()


def test_what_is_written_to_whoever_comes_leaves_at_once_instead_of_waiting_for_more() -> None:
    async def waits_for_more() -> bool:
        arrived: asyncio.Future[asyncio.BaseTransport] = asyncio.get_running_loop().create_future()

        class Arriving(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                arrived.set_result(transport)

        listener = listening("127.0.0.1", 0)
        async with await asyncio.get_running_loop().create_server(Arriving, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            accepted = (await arrived).get_extra_info("socket")
            writer.close()
            return not accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    assert not asyncio.run(waits_for_more())
