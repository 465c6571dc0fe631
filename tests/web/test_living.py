"""The table lives: a lost line, a server that restarts, somebody typing while others act."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import expect

from .conftest import (
    PATIENCE,
    PHONE,
    WIDE,
    Browsing,
    OpenTable,
    Person,
    Serving,
    Table,
    free_port,
    say,
    table_token,
    titled,
)

pytestmark = pytest.mark.needs("chromium")


def test_a_lost_line_is_said_and_what_was_missed_comes_by_itself(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    ana.says("avant")
    bob.hears("avant")
    bob.context.set_offline(True)
    expect(bob.is_offline()).to_be_visible()
    ana.says("pendant la coupure")
    ana.hears("pendant la coupure")
    bob.line.fill("personne ne m'entend")
    with bob.page.expect_event("requestfailed", lambda request: request.url.endswith("/do/say")):
        bob.line.press("Enter")
    expect(bob.line).to_have_value("personne ne m'entend")  # it did not leave, and is not lost
    bob.context.set_offline(False)
    bob.hears("pendant la coupure")
    expect(bob.is_offline()).to_be_hidden()
    bob.line.press("Enter")
    ana.hears("personne ne m'entend")


def test_a_server_that_restarts_loses_nothing_and_pages_catch_up(chromium, tmp_path: Path) -> None:
    serving = Serving(tmp_path / "tables.db")
    browsing = Browsing(chromium, serving)
    try:
        table = Table(browsing, "simulacres", table_token(serving.url, "simulacres"), "fr", None)
        ana, bob = table.gm(), table.joins("Bob")
        ana.says("avant l'arrêt")
        bob.hears("avant l'arrêt")
        serving.stop()
        expect(bob.is_offline()).to_be_visible()
        bob.line.fill("écrit pendant l'arrêt")
        serving.start()
        bob.line.press("End")
        ana.does("say", text="après l'arrêt")
        bob.hears("après l'arrêt")
        expect(bob.is_offline()).to_be_hidden()
        expect(bob.line).to_have_value("écrit pendant l'arrêt")
        bob.line.press("Enter")
        ana.hears("écrit pendant l'arrêt")
        ana.hears("avant l'arrêt")
    finally:
        browsing.close()
        serving.stop()
    assert browsing.complaints == []


def test_an_update_never_disturbs_a_hand(open_table: OpenTable) -> None:
    """Somebody types, with a caret in the middle, a fold open and the page scrolled, while others act."""
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes("Maëlle Tisserand")
    card = bob.card()
    more = card.get_by_text(say("web.more_fields"), exact=True).first
    more.click()
    inside = card.get_by_role("spinbutton", name=titled("fields.luck", "conteur"), exact=True)
    expect(inside).to_be_visible()
    bob.line.click()
    bob.page.keyboard.type("je réfléchis encore")
    for _ in range(6):
        bob.page.keyboard.press("ArrowLeft")
    bob.page.evaluate("stage.scrollTop = 120")
    before = hand(bob)
    assert before["caret"] == len("je réfléchis encore") - 6
    for n in range(3):
        ana.says(f"pendant ce temps {n}")
        bob.hears(f"pendant ce temps {n}")
    record = next(name for name, held in ana.view["records"].items() if held["owner"] != bob.seat)
    ana.does("start-move", move="throw", cast={"initiator": [record]}, form={record: {"attribute": 4, "dice": 2}})
    expect(bob.acting.get_by_role("article", name=titled("moves.throw", "conteur"))).to_have_count(2)
    ana.does("open-scene", title="La cale")
    expect(bob.page.get_by_text("La cale").first).to_be_visible()
    assert hand(bob) == before
    expect(inside).to_be_visible()  # the fold is still open
    bob.page.keyboard.type("…")
    expect(bob.line).to_have_value("je réfléchis …encore")


def hand(who) -> dict:
    return who.page.evaluate(
        "({focus: document.activeElement.id, caret: document.activeElement.selectionStart, "
        "text: document.activeElement.value, scroll: Math.round(stage.scrollTop)})"
    )


def test_a_number_being_typed_in_a_move_stays_while_another_fills_theirs(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes("Maëlle Tisserand")
    bob.card().get_by_text(say("web.more_fields"), exact=True).first.click()
    luck = bob.card().get_by_role("spinbutton", name=titled("fields.luck", "conteur"), exact=True)
    luck.click()
    bob.page.keyboard.type("2")  # not left yet: nothing was sent
    ana.does("fill", number=1, actor="gm", values={"difficulty": 2})
    expect(bob.card().get_by_text(titled("fields.difficulty", "conteur")).first).to_be_attached()
    ana.says("difficulté deux")
    bob.hears("difficulté deux")
    expect(luck).to_have_value("2")
    expect(luck).to_be_focused()


def test_presence_is_shown_and_ends(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    people = ana.page.get_by_role("list", name=say("web.around"))
    expect(people.get_by_role("listitem").filter(has_text="Bob")).to_contain_text(say("web.here"))
    bob.page.close()
    expect(people.get_by_role("listitem").filter(has_text="Bob")).to_contain_text(say("web.away"))


def test_whoever_reads_another_page_of_the_table_is_still_there(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    there = ana.page.get_by_role("list", name=say("web.around")).get_by_role("listitem").filter(has_text="Bob")
    for path in ("/log", "/options", "/new", "/write/character", "/shelf", "/campaign", "/verify"):
        bob.goes("/help")
        expect(there).to_contain_text(say("web.away"))
        bob.goes(f"{bob.base}{path}")
        expect(there).to_contain_text(say("web.here"))
    ana.goes(f"{ana.base}/as/{bob.seat}/log")  # who looks through somebody's eyes does not stand in for them
    bob.goes("/help")
    ana.comes_back()
    expect(there).to_contain_text(say("web.away"))


def test_a_closed_seat_is_told_so(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    ana.does("revoke-link", who=bob.seat)
    ana.says("entre nous")
    ana.hears("entre nous")
    expect(bob.page.get_by_text(say("errors.table/bad-link.title")).first).to_be_visible()  # by itself
    assert bob.page.goto(f"{table.url}{bob.base}/").status == 401
    assert not bob.knows("entre nous")


def test_one_sentence_for_each_event_is_announced(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    assert bob.page.locator("[aria-live=polite]").count() <= 1
    ana.says("attention à la marche")
    expect(bob.page.get_by_role("status").filter(has_text="attention à la marche").first).to_be_attached()
    bob.takes("Maëlle Tisserand")
    said = say("web.happened.record-given", who="Bob", name="Maëlle Tisserand")
    expect(ana.page.get_by_role("status").filter(has_text=said).first).to_be_attached()  # and not that nobody does


# A line that dies without a word


class Gateway:
    """Stands between a browser and a server, and may stop carrying anything without closing anything."""

    def __init__(self, to: int) -> None:
        self.to, self.carries, self._open = to, True, list[socket.socket]()
        self._silent = set[socket.socket]()
        self.lines = 0
        """How often a line to a table was asked for, and let pass."""
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._thread(self._welcome)

    def falls_silent(self) -> None:
        """From now on nothing passes, neither by what is open nor by what is opened."""
        self.carries = False
        self._silent.update(self._open)

    def carries_again(self) -> None:
        """What is opened from now on passes; what had fallen silent stays so."""
        self._silent.update(self._open)
        self.carries = True

    def close(self) -> None:
        for end in (self._door, *self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _thread(self, task: Callable[..., None], *ends: socket.socket) -> None:
        threading.Thread(target=task, args=ends, daemon=True).start()

    def _welcome(self) -> None:
        with suppress(OSError):
            while True:
                guest, _ = self._door.accept()
                self._open.append(guest)
                if self.carries:
                    host = socket.create_connection(("127.0.0.1", self.to))
                    self._open.append(host)
                    self._thread(self._carry, guest, host)
                    self._thread(self._carry, host, guest)

    def _carry(self, sender: socket.socket, reader: socket.socket) -> None:
        with suppress(OSError):
            while said := sender.recv(65536):
                if sender not in self._silent:
                    reader.sendall(said)
                    self.lines += b"/live?" in said.partition(b"\r\n")[0]
            if sender not in self._silent:
                reader.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("slept", [False, True], ids=["silence", "sleep"])
def test_a_line_that_dies_without_a_word_is_noticed_and_the_page_catches_up(
    open_table: OpenTable, chromium: Any, slept: bool
) -> None:
    """The Wi-Fi is gone, or the machine slept: nothing is closed, nothing more comes; the page's own clock tells."""
    table = open_table("conteur", waiting=False)
    gateway = Gateway(table.serving.port)
    browsing = Browsing(chromium, Elsewhere(gateway.port))
    try:
        ana, bob = table.gm(), Table(browsing, "conteur", table.gm().token, "fr", None).joins("Bob")
        ana.says("avant le silence")
        bob.hears("avant le silence")
        bob.goes("/help")
        come_to(ana.page, 1, table)  # so that the line held below is the new one
        bob.page.clock.install()
        bob.comes_back()
        come_to(ana.page, 2, table)
        bob.line.fill("je cherche la porte")
        gateway.falls_silent()
        ana.says("pendant le silence")
        expect(bob.log.get_by_text("pendant le silence")).to_have_count(0)
        if slept:
            bob.page.clock.fast_forward("08:00:00")
        time_passes(bob, bob.is_offline().is_visible)
        expect(bob.page.get_by_role("status")).to_have_text(say("web.offline"))
        time_passes(bob, bob.is_offline().is_visible, n=20)  # what asks for a new line is not answered either
        before = gateway.lines
        gateway.carries_again()
        time_passes(bob, lambda: gateway.lines > before)
        bob.hears("pendant le silence")
        expect(bob.page.locator("#offline")).to_have_text(say("web.back_online"))
        expect(bob.page.get_by_role("status")).to_contain_text("pendant le silence")
        expect(bob.line).to_have_value("je cherche la porte")
        bob.line.press("Enter")
        ana.hears("je cherche la porte")
    finally:
        browsing.close()
        gateway.close()
    assert browsing.complaints == []


def time_passes(who: Person, so: Callable[[], bool], n: int = 0) -> None:
    """The page's clock goes on, some seconds at a time, until something is so (and n times at least)."""
    turns, until = 0, time.monotonic() + PATIENCE / 1000
    while turns < n or not so():
        assert turns < n or time.monotonic() < until
        who.page.clock.run_for(5_000)
        who.page.wait_for_timeout(50)  # not a pace of the test: what was asked for may be answered meanwhile
        turns += 1


# Hidden pages


HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def streams(table: Table) -> int:
    """How many pages of a table hold a line to the server."""
    name = table.gm().view["table"]
    return sum(table.serving.app.state.presence._here.get(name, {}).values())


def come_to(page: Any, wanted: int, table: Table) -> None:
    """Wait until so many lines are held."""
    until = time.monotonic() + PATIENCE / 1000
    while streams(table) != wanted:
        assert time.monotonic() < until, streams(table)
        page.wait_for_timeout(20)  # not a pace of the test: it goes on as soon as the server says so


def test_a_hidden_page_holds_no_line_and_catches_up_when_shown(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    come_to(bob.page, 2, table)
    bob.line.fill("je reviens")
    bob.page.evaluate(HIDDEN, True)
    come_to(bob.page, 1, table)
    here = ana.page.get_by_role("list", name=say("web.around")).get_by_role("listitem").filter(has_text="Bob")
    expect(here).to_contain_text(say("web.away"))
    ana.says("pendant que le téléphone dort")
    bob.page.evaluate(HIDDEN, False)
    bob.hears("pendant que le téléphone dort")
    expect(bob.page.locator("#offline")).to_have_text(say("web.caught_up"))  # it says so
    expect(bob.is_offline()).to_be_hidden()
    expect(here).to_contain_text(say("web.here"))
    expect(bob.line).to_have_value("je reviens")


def test_eight_seats_in_one_browser_do_not_wait_for_each_other(open_table: OpenTable) -> None:
    """Browsers open six connections to a host: pages that are opened in the background hold none until shown."""
    table = open_table("conteur", waiting=False)
    ana = table.gm()
    context = table.browsing.context()
    tabs = []
    for n in range(8):
        page = table.browsing.page(context)
        page.add_init_script("Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})")
        page.goto(f"{table.url}/enter/{table.seat(f'Place {n}')}")
        expect(page.get_by_label(say("web.say"), exact=True)).to_be_visible()
        tabs.append(page)
    come_to(ana.page, 1, table)
    for at, page in enumerate(tabs):
        page.evaluate(HIDDEN, False)
        come_to(page, 2, table)
        ana.says(f"bonjour {at}")
        expect(page.locator("#log").get_by_text(f"bonjour {at}")).to_be_visible()
        page.evaluate(HIDDEN, True)
        come_to(page, 1, table)


def test_free_dice_are_thrown_once_by_the_page_that_asked(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    bob = table.joins("Bob")
    other = table.browsing.page(bob.context)
    other.goto(bob.page.url)
    bob.says("3d6 # une fois")
    for page in (bob.page, other):
        expect(page.locator("#log").get_by_text("une fois")).to_be_visible()
        expect(page.get_by_role("alert")).to_be_hidden()
    assert len([line for line in bob.view["log"] if line["type"] == "move"]) == 1


# A server that dies


def served(database: Path, port: int) -> subprocess.Popen[bytes]:
    """A server of its own, as people start it."""
    asked = ["serve", "--port", str(port), "--database", str(database), "--no-browser"]
    command = [sys.executable, "-c", "import sys; from paravent.cli import main; sys.exit(main())", *asked]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 2 * PATIENCE / 1000
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/help")
            return server
        except httpx.HTTPError:
            assert server.poll() is None, "the server did not start"
            assert time.monotonic() < until
            time.sleep(0.05)  # not a pace of the test: the server says when it listens


def test_a_server_killed_twice_loses_nothing_that_was_heard(chromium, tmp_path: Path) -> None:
    port = free_port()
    server = served(tmp_path / "tables.db", port)
    elsewhere = Elsewhere(port)
    browsing = Browsing(chromium, elsewhere)
    try:
        table = Table(browsing, "conteur", table_token(elsewhere.url, "conteur", waiting=False), "fr", None)
        ana, bob = table.gm(), table.joins("Bob")
        for n in range(2):
            ana.says(f"avant la mort {n}")
            bob.hears(f"avant la mort {n}")
            server.send_signal(signal.SIGKILL)
            server.wait()
            expect(bob.is_offline()).to_be_visible()
            server = served(tmp_path / "tables.db", port)
            ana.does("say", text=f"après la mort {n}")
            bob.hears(f"après la mort {n}")
            expect(bob.page.locator("#offline")).to_have_text(say("web.back_online"))
            bob.hears("avant la mort 0")
    finally:
        browsing.close()
        server.kill()
        server.wait()
    assert browsing.complaints == []


class Elsewhere:
    """A server in another process."""

    def __init__(self, port: int) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}"


# Hands


KEPT = """() => {
    const at = document.activeElement, scrolled = (sel) => Math.round(document.querySelector(sel)?.scrollTop ?? 0);
    let caret = null;
    try { caret = at.selectionStart } catch {}
    return {
        focus: at.id || at.tagName, same: at === window.hand, text: at.value ?? "", caret,
        place: at === document.body ? 0 : Math.round(at.getBoundingClientRect().top),
        below: Math.round(document.querySelector(".panels").getBoundingClientRect().top + scrollY),
        menus: document.querySelectorAll("select:open").length,
        unfolded: window.unfolded?.every((fold) => fold.isConnected && fold.open),
        sheets: scrolled(".panel.sheets > .scrolls"), log: scrolled("#log"),
        folds: [...document.querySelectorAll("details[open]")].map((fold) => fold.id),
        boxes: [...document.querySelectorAll("input:checked, option:checked")].map((box) => box.value),
        over: document.querySelectorAll("dialog[open], :popover-open").length,
        forms: [...document.forms].every((form) => typeof form.id === "string"),
    };
}"""


class Hands:
    """Others act, in every way that changes a page, while somebody's hand is somewhere on it."""

    def __init__(self, table: Table, viewport: dict[str, int]) -> None:
        self.ana, self.bob = table.gm(viewport=viewport), table.joins("Bob", viewport=viewport)
        self.table, self.turns = table, 0
        self.phone = viewport is PHONE

    def panel(self, who: Person, name: str) -> None:
        if self.phone:
            who.page.locator(f".tabs [data-show={name}]").click()

    def throw(self) -> None:
        """A throw by the rules, from its beginning to its end."""
        record = list(self.ana.view["records"])[1]
        form = {record: {"attribute": 4, "dice": 2}}
        number = self.ana.does("start-move", move="throw", cast={"initiator": [record]}, form=form)["number"]
        self.ana.does("throw", number=number, by_hand=True)
        self.ana.does("answer", number=number, answer=[3, 4])
        while "choice" in self.ana.view["moves"][str(number)]:
            self.ana.does("answer", number=number, answer="stop")
        self.ana.does("accept", number=number)

    def undisturbed(self, who: Person) -> None:
        who.page.evaluate("""() => {
            window.hand = document.activeElement;
            window.unfolded = [...document.querySelectorAll("details[open]")];
        }""")
        before = who.page.evaluate(KEPT)
        assert before["forms"], "a field named id hides its form's own"
        self.turns += 1
        others = self.ana if who is self.bob else self.bob
        form = {others.seat: {"expression": "3d6", "grade": "open"}}
        others.does("throw", number=others.does("start-move", move="free-throw", form=form)["number"], nonce="x")
        others.does("say", text=f"tour {self.turns}")
        self.ana.does("add-seat", name=f"Place {self.turns}", grade="player")
        record = next(name for name, held in self.ana.view["records"].items() if not held["owner"])
        self.ana.does("edit-record", record=record, path="name", value=f"Untel {self.turns}")
        self.ana.does("open-scene", title=f"Scène {self.turns}")
        expect(who.page.locator("#log")).to_contain_text(f"Scène {self.turns}")
        expect(who.page.locator("#clock")).to_contain_text(f"Scène {self.turns}")
        after = who.page.evaluate(KEPT)
        if before["log"] and not self.reads:
            before["log"] = after["log"]  # at its end, the log follows
        assert after == before

    reads = False


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_update_takes_what_a_hand_holds(open_table: OpenTable, viewport: dict[str, int]) -> None:
    table = open_table("conteur")
    hands = Hands(table, viewport)
    ana, bob = hands.ana, hands.bob
    for n in range(70):
        ana.does("say", text=f"ligne {n}")
    hands.throw()
    hands.panel(bob, "sheets")
    bob.sheets.get_by_role("button", name="Maëlle Tisserand").first.click()
    hands.panel(bob, "act")
    expect(bob.bar.get_by_role("button").first).to_be_visible()
    # the line of talk, the caret in the middle
    hands.panel(bob, "talk")
    bob.line.click()
    bob.page.keyboard.type("je réfléchis")
    for _ in range(4):
        bob.page.keyboard.press("ArrowLeft")
    hands.undisturbed(bob)
    # reading further up in the log, a throw's "why?" unfolded
    bob.page.locator("#log .why > summary").click()
    hands.reads = True
    for up in (240, 40_000):
        bob.page.evaluate("(up) => { log.scrollTop = log.scrollHeight - log.clientHeight - up }", up)
        hands.undisturbed(bob)
    hands.reads = False
    # the help, over everything
    bob.button("web.slash_help").click()
    expect(bob.page.locator("#help")).to_be_visible()
    hands.undisturbed(bob)
    bob.page.keyboard.press("Escape")
    # a form half filled, its folds open, a tile in hand, an explanation shown
    hands.panel(bob, "act")
    bob.card().get_by_text(say("web.more_fields"), exact=True).first.click()
    bob.card().get_by_text(say("web.more"), exact=True).first.click()
    bob.card().get_by_role("radio").first.focus()
    hands.undisturbed(bob)
    bob.card().locator(".ask, [data-explain]").first.click()
    expect(bob.page.locator("#explain")).to_be_visible()
    hands.undisturbed(bob)
    bob.page.keyboard.press("Escape")
    # the sheets, unfolded and scrolled
    hands.panel(bob, "sheets")
    bob.sheets.locator("details > summary:visible").last.click()
    expect(bob.sheets.locator("details[open] > .fetched > a")).to_have_count(0)
    bob.page.evaluate("document.querySelector('.panel.sheets > .scrolls').scrollTop = 90")
    hands.undisturbed(bob)
    # the game master's side: a document being written and its readers chosen, a rule looked up
    hands.panel(ana, "act")
    ana.page.locator("#gm-more > summary").click()
    ana.page.locator("#gm-handout > summary").click()
    ana.page.locator("#gm-handout [name=to]").first.check()
    ana.page.locator("#ho-text").click()
    ana.page.keyboard.type("Chers amis,")
    hands.undisturbed(ana)
    ana.page.locator("#gm-scene > summary").click()
    ana.page.locator("#scene-title").click()
    ana.page.keyboard.type("Le sas")
    ana.page.locator("#scene-kind").select_option("episode")
    ana.page.locator("#scene-title").focus()
    hands.undisturbed(ana)
    expect(ana.page.locator("#ho-text")).to_have_value("Chers amis,")
    # real dice being typed, then a choice being made
    hands.panel(bob, "act")
    bob.tile("skill", re.compile("^Navires légers")).check()
    bob.bar.get_by_role("button", name=say("web.real_dice"), exact=True).click()
    faces = bob.page.locator("form.faces [name=faces]")
    faces.click()
    bob.page.keyboard.type("3 4 ")
    hands.undisturbed(bob)
    bob.page.keyboard.type("9")
    faces.press("Enter")
    bob.bar.locator(".choice button").first.focus()
    hands.undisturbed(bob)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_result_however_tall_moves_what_a_hand_holds(open_table: OpenTable, viewport: dict[str, int]) -> None:
    """Nothing is scrolled yet: the first result comes above the field, then a taller one, then a smaller one."""
    hands = Hands(open_table("conteur"), viewport)
    ana, bob = hands.ana, hands.bob
    for n in range(40):
        ana.does("say", text=f"ligne {n}")
    hands.panel(bob, "sheets")
    bob.sheets.get_by_role("button", name="Maëlle Tisserand").first.click()
    hands.panel(bob, "act")
    bob.card().get_by_text(say("web.more_fields"), exact=True).first.click()
    bob.card().get_by_role("spinbutton", name=titled("fields.luck", "conteur"), exact=True).click()
    hands.undisturbed(bob)
    hands.throw()
    ana.does("say", text="le jet est tombé")
    expect(bob.page.locator("#log")).to_contain_text("le jet est tombé")
    hands.undisturbed(bob)
