"""Everybody can use every page: axe finds nothing, in both themes; and the table is light."""

import re

import httpx2 as httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .conftest import PHONE, WIDE, Browsing, OpenTable, Person, say

pytestmark = pytest.mark.needs("chromium")
LIGHTEST = 200 * 1024
EVERYTHING = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def violations(page) -> list[str]:
    """What axe finds wrong, in both themes; in the dark, only colours differ."""
    found = []
    for theme, rules in (("light", EVERYTHING), ("dark", COLOURS)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        results = Axe().run(page, options=rules)
        found += [
            f"{theme}: {fault['id']}: {node['html'][:160]}"
            for fault in results.response["violations"] for node in fault["nodes"][:3]
        ]
    return found


BEFORE = ("/", "/g/conteur", "/g/simulacres/rules?q=SIM-00", "/g/conteur/tables", "/help", "/nowhere")


@pytest.mark.parametrize("path", BEFORE)
def test_axe_finds_nothing_on_the_pages_before_the_table(browsing: Browsing, path: str) -> None:
    page = browsing.page(browsing.context(viewport=WIDE))
    page.goto(f"{browsing.serving.url}{path}")
    assert violations(page) == []


@pytest.mark.parametrize("system", ["conteur", "simulacres"])
def test_axe_finds_nothing_at_the_table_from_any_seat(open_table: OpenTable, system: str) -> None:
    table = open_table(system)
    ana, bob, eve = table.gm(), table.joins("Bob", viewport=PHONE), table.joins("Eve", as_="spectator")
    (record, *_) = ana.view["records"]
    ana.does("give-record", record=record, owner=bob.seat)
    ana.does("say", text="Bonsoir", kind="story")
    ana.does("say", text="Une lettre", title="Document", kind="handout")
    ana.does("start-move", move="free-throw", form={ana.seat: {"expression": "3d6"}})
    for who in (ana, bob, eve):
        who.comes_back()
        unfold(who)
        assert violations(who.page) == [], who.name


def unfold(who: Person) -> None:
    who.page.evaluate("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")


def test_axe_finds_nothing_on_the_other_pages_of_a_seat(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, eve = table.gm(), table.joins("Eve", as_="spectator")
    for path in ("/links", "/new", "/log", "/options", "/start/throw"):
        ana.goes(ana.base + path)
        assert violations(ana.page) == [], path
    ana.goes(f"{ana.base}/links")
    ana.page.get_by_label(say("web.name"), exact=True).first.fill("Max")
    ana.page.get_by_role("button", name=say("web.invite"), exact=True).click()
    expect(ana.page.get_by_label(say("web.link"), exact=True).first).to_be_visible()
    ana.page.wait_for_load_state("load")
    assert violations(ana.page) == [], "a link just made"
    eve.goes(f"{eve.base}/screen")
    assert violations(eve.page) == []


def test_the_page_stands_two_hundred_percent_and_has_its_landmarks(open_table: OpenTable) -> None:
    table = open_table("conteur")
    bob = table.joins("Bob", viewport={"width": 640, "height": 450}, device_scale_factor=2)  # 1280 at 200 %
    assert bob.page.evaluate("document.documentElement.scrollWidth") <= 640
    for landmark in ("banner", "main", "contentinfo"):
        assert bob.page.get_by_role(landmark).count() == 1
    assert bob.page.get_by_role("heading", level=1).count() == 1


def test_targets_are_large_enough_for_a_finger(open_table: OpenTable) -> None:
    table = open_table("conteur")
    bob = table.joins("Bob", viewport=PHONE)
    small = bob.page.evaluate(
        """[...document.querySelectorAll('main button, main select, main summary, main input:not([type=hidden])')]
        .filter((e) => e.checkVisibility() && !e.closest('label'))
        .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([html]) => html)"""
    )
    assert small == []


@pytest.mark.parametrize("system", ["conteur", "simulacres"])
def test_the_table_weighs_less_than_two_hundred_kilobytes(open_table: OpenTable, system: str) -> None:
    """The page and all it asks for, uncompressed, its stream's first words included."""
    table = open_table(system)
    for sit in (table.gm, lambda: table.joins("Bob")):
        who = sit()
        people = who.page.get_by_role("list", name=say("web.around"))
        expect(people.get_by_role("listitem").filter(has_text=say("web.here")).last).to_be_visible()  # its stream spoke
        sent = table.serving.wire.sent[who.seat]
        weights = {"page": sum(len(part) for part in sent if part.startswith(b"<!doctype html>"))}
        weights["stream"] = sum(len(part) for part in sent if part.startswith((b"id:", b":")))
        page = next(part for part in sent if part.startswith(b"<!doctype html>")).decode()
        for name in sorted(set(re.findall(r'(?:src|href)="(/[^"]+\.(?:css|js|svg|woff2)(?:\?[^"]*)?)"', page))):
            weights[name] = len(httpx.get(table.serving.url + name).content)
        assert weights["page"]
        assert sum(weights.values()) < LIGHTEST, weights
