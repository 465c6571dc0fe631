"""A table in real browsers: a server of our own, one Chromium, a context for each participant.

``table = open_table("conteur")`` opens a table; ``bob = table.joins("Bob")`` sits somebody down. People do
things by the words they read, and tests wait for what they see, never for time. Whatever the server sends to a seat is
kept (``bob.wire``), so that a test can say what never left for it.
"""

import os
import re
import shutil
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import uvicorn
from playwright.sync_api import Error, expect

from paravent.game import find_system
from paravent.game.telling import Teller
from paravent.store import open_log
from paravent.table.events import House
from paravent.table.host import Host
from paravent.web.app import create_app
from paravent.web.serve import Server

PATIENCE = int(os.environ.get("PARAVENT_PATIENCE", "60000"))
"""How long, in milliseconds, a state may be waited for before the test fails; nothing ever waits that long."""
# On a busy machine an answer may take longer than the five seconds that are usual.
for asking in ("get", "post", "request", "stream"):
    setattr(httpx, asking, partial(getattr(httpx, asking), timeout=PATIENCE / 1000))
HOSTNAME = "paravent.test"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
SEAT = re.compile(r"/t/(\w+)/(\w+)")


def say(key: str, lang: str = "fr", system: str | None = None, **values: Any) -> str:
    """The words under a key, as people read them."""
    return Teller(lang, find_system(system) if system else None).say(key, **values)


def titled(key: str, system: str, lang: str = "fr") -> str:
    return Teller(lang, find_system(system)).title(key)


def insists(effect: Any, gesture: Callable[[], None]) -> None:
    """A gesture made again until its effect is seen: pages are redrawn while people reach for them."""
    for _ in range(6):
        if effect.is_visible():
            return
        with suppress(Error, AssertionError):
            gesture()
            expect(effect).to_be_visible(timeout=PATIENCE / 6)
    expect(effect).to_be_visible()


def picks(choice: Any) -> None:
    """Press the tile one sees of a choice, where it lies once nothing moves any more, and see it chosen.

    A card that comes anew just then is asked again, as anybody would. What is asked no more once it is said (a
    judgement folds into « Malaisé · Dire autre chose ») is not there to be seen chosen: then it is gone.
    """
    tile = choice.locator("xpath=ancestor::label")
    unchosen = choice.and_(choice.page.locator(":not(:checked)"))
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        with suppress(Error, AssertionError):
            (tile if tile.count() else choice).click(timeout=PATIENCE / 12)
            expect(unchosen).to_have_count(0, timeout=PATIENCE / 12)
            return
    expect(choice).to_be_checked()


class Wire:
    """Keeps whatever the server sends, by seat; what belongs to no seat under ''."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.sent: dict[str, list[bytes]] = defaultdict(list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        found = SEAT.match(scope["path"])
        kept = self.sent[found[2] if found else ""]

        async def tapped(message: Any) -> None:
            if message["type"] == "http.response.start":
                kept.extend(name + b": " + value for name, value in message["headers"])
            elif message.get("body"):
                kept.append(message["body"])
            await send(message)

        await self._app(scope, receive, tapped)


class Serving:
    """A real server in a thread, on a free port of this machine unless one is given."""

    def __init__(self, database: str | Path = "memory:", port: int = 0) -> None:
        self.database = database
        self.port = port or free_port()
        self.start()

    def start(self) -> None:
        self.app = create_app(open_log(self.database))
        self.wire = Wire(self.app)
        config = uvicorn.Config(self.wire, host="127.0.0.1", port=self.port, log_level="warning", lifespan="on")
        self.server = Server(config, self.app)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        until = time.monotonic() + PATIENCE / 1000
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            assert time.monotonic() < until
            time.sleep(0.005)  # not a pace of the test: the server says when it listens

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE / 1000)
        assert not self.thread.is_alive(), "the server did not stop"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


STEP_BY_STEP = House("meneur", "at-will")
PLAYED_STEP_BY_STEP = {
    "access", "acting", "api", "creating", "friday", "hands", "http_evening", "lan", "living", "log", "maps", "play",
    "screen_side", "secrets", "security", "sheet_forms", "solaires", "streams", "talk", "unfolding", "unread_sheets",
}
"""Evenings whose tables leave everything to the game master's word; all others are played as new tables are."""


@pytest.fixture(autouse=True, scope="module")
def how_tables_play(request: pytest.FixtureRequest) -> Iterator[None]:
    """A story told step by step is played at a table where nothing applies by itself and nobody waits to be judged."""
    with pytest.MonkeyPatch.context() as patched:
        if request.module.__name__.rpartition("test_")[2] in PLAYED_STEP_BY_STEP:
            patched.setattr(Host, "usual", STEP_BY_STEP)
        yield


@pytest.fixture(scope="session")
def serving() -> Iterator[Serving]:
    server = Serving()
    yield server
    server.stop()


UNWANTED = (
    # Two pages of the browser's own for each window: half of all the work.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    # A list of ours takes the place of Playwright's, so what it leaves out for good reason stands here too.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding",
    "PreconnectToSearch", "AimEnabled", "ThirdPartyStoragePartitioning",
)


def launched(playwright: Any) -> Any:
    """The machine's Chromium; a made-up name leads to this machine."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", f"--disable-features={','.join(UNWANTED)}",
                 f"--host-resolver-rules=MAP {HOSTNAME} 127.0.0.1"]
    return playwright.chromium.launch(executable_path=path, args=arguments)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """One browser for all these tests.

    While it is there, Playwright keeps an event loop running: tests of other folders come before or after.
    """
    from playwright.sync_api import sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


class Person:
    """Somebody with a browser at a seat."""

    def __init__(self, table: "Table", name: str, token: str, context: Any) -> None:
        self.table, self.name, self.token, self.context = table, name, token, context
        self.page = table.browsing.page(context)
        self.goes(f"/enter/{token}")
        found = SEAT.search(self.page.url)
        assert found, self.page.content()
        self.seat, self.base = found[2], found[0]

    def goes(self, path: str) -> None:
        self.page.goto(self.table.url + path, wait_until="load")

    def comes_back(self) -> None:
        """Reload the table's page."""
        self.goes(f"{self.base}/")

    @property
    def wire(self) -> str:
        """Everything ever sent to this seat."""
        return b"\n".join(self.table.serving.wire.sent[self.seat]).decode(errors="replace")

    def button(self, key: str, **values: Any) -> Any:
        return self.page.get_by_role("button", name=say(key, self.table.lang, **values), exact=True)

    def clicks(self, key: str, **values: Any) -> None:
        self.button(key, **values).first.click()

    def says(self, text: str) -> None:
        self.line.fill(text)
        self.line.press("Enter")
        expect(self.line).to_have_value("")

    def hears(self, text: str) -> None:
        """Wait until a text is in the log."""
        expect(self.log.get_by_text(text).first).to_be_visible()

    def card(self, move: str = "") -> Any:
        """The card of an open move."""
        title = titled(f"moves.{move or WAITING[self.table.system][0]}", self.table.system, self.table.lang)
        return self.acting.get_by_role("article", name=title).first

    def tile(self, field: str, words: str | re.Pattern[str], move: str = "") -> Any:
        """A value of a field that is said by a touch, on the card of an open move."""
        title = titled(f"fields.{field}", self.table.system, self.table.lang)
        return self.card(move).get_by_role("group", name=title).get_by_role("radio", name=words)

    def takes(self, character: str) -> None:
        """Choose a character that nobody holds."""
        self.sheets.get_by_role("button", name=character).first.click()
        expect(self.card().get_by_text(say("web.your_turn", self.table.lang), exact=True)).to_be_attached()

    def is_offline(self) -> Any:
        return self.page.locator("#offline").filter(has_text=say("web.offline", self.table.lang))

    @property
    def line(self) -> Any:
        """The line of talk."""
        return self.page.get_by_label(say("web.say", self.table.lang), exact=True)

    @property
    def log(self) -> Any:
        """The region of the log."""
        return self.page.get_by_role("list", name=say("web.log", self.table.lang), exact=True)

    @property
    def acting(self) -> Any:
        """The region where one acts."""
        return self.page.get_by_role("region", name=say("web.now", self.table.lang), exact=True)

    @property
    def bar(self) -> Any:
        """The bar of what waits for this seat."""
        return self.page.get_by_role("region", name=re.compile(f"^{say('web.yours.one', self.table.lang)}"))

    @property
    def main(self) -> Any:
        """The main button of the bar."""
        return self.bar.locator(".main").locator("visible=true").first

    @property
    def roll(self) -> Any:
        """The button of the bar that rolls the dice."""
        return self.bar.get_by_role("button", name=re.compile(f"^{say('web.throw', self.table.lang)}( ·|$)"))

    def applies(self) -> None:
        """Accept what an act would change, once it is there to be accepted."""
        self.bar.locator("[form^=accept-], form[action$='/accept'] .main").locator("visible=true").first.click()

    def finds(self, move: str) -> Any:
        """A move among those that may be started, found by its title."""
        title = titled(f"moves.{move}", self.table.system, self.table.lang)
        find = self.page.locator("#find")
        found = self.page.locator(".begin", has=self.page.locator("b", has_text=re.compile(f"^{re.escape(title)}$")))
        if find.count() and found.count() == 0:
            find.fill(title)
        return found.first

    @property
    def sheets(self) -> Any:
        return self.page.get_by_role("region", name=say("web.sheets", self.table.lang), exact=True)

    def sees(self, text: str) -> None:
        """Wait until a text is on the page, shown."""
        expect(self.page.get_by_text(text).first).to_be_visible()

    def knows(self, text: str) -> bool:
        """Whether a text is anywhere in the page, or was ever sent to this seat."""
        return text in self.page.content() or text in self.wire

    def asks(self, method: str, path: str, **more: Any) -> httpx.Response:
        """The same seat, by the JSON interface."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(method, f"{self.table.serving.url}/api{path}", headers=headers, **more)

    def does(self, command: str, **values: Any) -> Any:
        answer = self.asks("POST", "/table/commands", json={"type": command, **values})
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def view(self) -> Any:
        return self.asks("GET", "/table").json()


class Table:
    """A table with people in browsers around it."""

    def __init__(self, browsing: "Browsing", system: str, token: str, lang: str, host: str | None) -> None:
        self.browsing, self.system, self.lang = browsing, system, lang
        self.serving = browsing.serving
        self.url = f"http://{host}:{self.serving.port}" if host else self.serving.url
        self.people: dict[str, Person] = {}
        self._token = token

    def gm(self, **options: Any) -> Person:
        """The game master, in a browser."""
        if "" not in self.people:
            self.people[""] = Person(self, "", self._token, self.browsing.context(lang=self.lang, **options))
        return self.people[""]

    def seat(self, name: str, grade: str = "player") -> str:
        """A new seat's link token."""
        headers = {"Authorization": f"Bearer {self._token}"}
        command = {"type": "add-seat", "name": name, "grade": grade}
        answer = httpx.post(f"{self.serving.url}/api/table/commands", headers=headers, json=command).json()
        return str(answer["links"][answer["seat"]])

    def joins(self, name: str, as_: str = "player", context: Any = None, **options: Any) -> Person:
        """Somebody comes by their link, with a browser of their own unless one is given."""
        context = context or self.browsing.context(lang=self.lang, **options)
        self.people[name] = Person(self, name, self.seat(name, as_), context)
        return self.people[name]


class Browsing:
    """The browsers of one test: every page is watched for what must never happen."""

    def __init__(self, browser: Any, serving: Serving) -> None:
        self.browser, self.serving = browser, serving
        self.contexts: list[Any] = []
        self.complaints: list[str] = []
        self.offline = False

    def context(self, lang: str = "fr", **options: Any) -> Any:
        options = {"viewport": WIDE, "locale": "fr-FR", **options}
        context = self.browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        context.route("**/*", self._only_here)
        if lang != "fr":
            hosts = (self.serving.url, f"http://{HOSTNAME}:{self.serving.port}")
            context.add_cookies([{"name": "paravent_lang", "value": lang, "url": url} for url in hosts])
        if options.get("java_script_enabled", True):
            context.add_init_script(
                "addEventListener('securitypolicyviolation', (e) => "
                "console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))"
            )
        return context

    def _only_here(self, route: Any) -> None:
        """No request leaves the machine."""
        host = httpx.URL(route.request.url).host
        if host in ("127.0.0.1", HOSTNAME):
            route.continue_()
        else:
            self.complaints.append(f"a request left for {route.request.url}")
            route.abort()

    def page(self, context: Any) -> Any:
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        return page

    def _heard(self, message: Any) -> None:
        """Violations of the security policy, and errors; a lost line or a refusal is no fault of the page's."""
        text = message.text
        signs = ("Failed to load resource", "net::ERR", "network error", "Failed to fetch", "AbortError", "status 401")
        lost = any(sign in text for sign in signs)
        if message.type == "error" and not lost:
            self.complaints.append(text)

    def close(self) -> None:
        for context in self.contexts:
            context.close()


OpenTable = Callable[..., Table]


@pytest.fixture
def browsing(chromium: Any, serving: Serving) -> Iterator[Browsing]:
    watched = Browsing(chromium, serving)
    yield watched
    watched.close()
    assert watched.complaints == []


CAST = {
    "conteur": ("maelle-tisserand", "anselme-ruvier", "yuna-kadiri"),
    "simulacres": ("nour", "isidore", "ludmila"),
    "solaires": ("cabestan", "alidade", "girouette"),
    "empire": ("solveig", "bastien", "oriane"),
}
WAITING = {
    "conteur": ("throw", {"attribute": "dexterity"}),
    "simulacres": ("simple-test", {"component": "body", "means": "perception", "realm": "mechanical"}),
    "solaires": ("action", {"goal": "accoster le sas"}),
    "empire": ("skill-test", {"skill": "46", "characteristic": "intelligence", "column": "precise"}),
}


def table_token(url: str, system: str, lang: str = "fr", name: str = "La coursive", waiting: bool = True,
                post: Callable[..., Any] = httpx.post) -> str:
    """Open a table with three characters that nobody holds, the first about to throw; the game master's token."""
    new = {"system": system, "name": name, "game_master": "Ana", "lang": lang}
    token = post(f"{url}/api/tables", json=new).json()["token"]

    def does(**command: Any) -> Any:
        answer = post(f"{url}/api/table/commands", json=command, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200, answer.text
        return answer.json()

    records = [does(type="add-record", ready=ready)["record"] for ready in CAST[system]]
    if waiting:
        move, form = WAITING[system]
        does(type="start-move", move=move, cast={"initiator": [records[0]]}, form={records[0]: form})
    return str(token)


@pytest.fixture
def open_table(browsing: Browsing) -> OpenTable:
    """A table of a game, three characters on it, a move open for the first."""

    def opened(system: str, lang: str = "fr", host: str | None = None, waiting: bool = True) -> Table:
        return Table(browsing, system, table_token(browsing.serving.url, system, lang, waiting=waiting), lang, host)

    return opened
