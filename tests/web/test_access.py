"""Everybody can use every page: axe finds nothing, in both themes; and the table is light."""

import re
from itertools import chain
from typing import Any

import httpx2 as httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .conftest import PHONE, WIDE, Browsing, OpenTable, say
from .evening import Seen, empty_table, evening, pages

pytestmark = pytest.mark.needs("chromium")
LIGHTEST = 200 * 1024
EVERYTHING: dict[str, Any] = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS: dict[str, Any] = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def violations_here(page, rules=EVERYTHING) -> list[str]:
    """What axe finds wrong with a page as it stands."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("(rules) => axe.run(rules)", {**rules, "resultTypes": ["violations"]})["violations"]
    return [f"{fault['id']}: {node['html'][:160]}" for fault in found for node in fault["nodes"][:3]]


def violations(page) -> list[str]:
    """What axe finds wrong, in both themes; in the dark, only colours differ."""
    found = []
    for theme, rules in (("light", EVERYTHING), ("dark", COLOURS)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {fault}" for fault in violations_here(page, rules)]
    return found


def looked_at(seen: Seen, size: dict[str, int]) -> list[str]:
    """What is wrong with a state of a page at a size: what axe finds, and whatever sticks out."""
    page = seen.page
    page.set_viewport_size(size)
    if size == PHONE:
        seen.shows_panel()
    wrong = [] if page.evaluate("document.documentElement.scrollWidth") <= size["width"] else ["it sticks out"]
    wrong += violations(page)
    page.set_viewport_size(WIDE)
    return [f"{seen.name}: {fault}" for fault in wrong]


# Both games, both languages, both sizes, both themes; ``tools/looks.py --axe`` walks through every combination.


@pytest.mark.parametrize(("lang", "size"), [("fr", WIDE), ("en", PHONE)], ids=["wide", "phone"])
def test_axe_finds_nothing_on_the_pages_before_the_table(browsing: Browsing, lang: str, size: dict[str, int]) -> None:
    wrong = [fault for seen in pages(browsing, lang) for fault in looked_at(seen, size)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("system", "lang", "size"), [("conteur", "fr", WIDE), ("simulacres", "en", PHONE)], ids=["wide", "phone"]
)
def test_axe_finds_nothing_on_any_page_of_an_evening(
    browsing: Browsing, system: str, lang: str, size: dict[str, int]
) -> None:
    walked = chain(evening(browsing, system, lang), empty_table(browsing, system, lang))
    wrong = [fault for seen in walked for fault in looked_at(seen, size)]
    assert not wrong, "\n".join(wrong)


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
