"""Everybody can use every page: axe finds nothing, in both themes; and the table is light."""

import re
from collections.abc import Iterable
from itertools import chain, cycle
from typing import Any

import httpx2 as httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .conftest import PHONE, WIDE, Browsing, OpenTable, say
from .evening import Seen, empty_table, evening, pages

pytestmark = pytest.mark.needs("chromium")
LIGHTEST = 208 * 1024
EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

LOOKED_OVER = """async (rules) => {
    const bars = [...document.querySelectorAll(".rolling")];
    bars.forEach((bar) => { bar.style.position = "static" });
    const found = await axe.run(rules);
    bars.forEach((bar) => { bar.style.position = "" });
    return found;
}"""
"""Axe, while the bar that follows the reader lies at its place: half of what scrolls under it is no small target."""


def violations(page: Any) -> list[str]:
    """What axe finds wrong with a page as it stands."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(LOOKED_OVER, {"runOnly": EVERYTHING, "resultTypes": ["violations"]})
    return [f"{fault['id']}: {node['html'][:160]}" for fault in found["violations"] for node in fault["nodes"][:3]]


def wrong_with(states: Iterable[Seen], size: dict[str, int], *themes: str) -> str:
    """What is wrong with each state at a size, by day and by night in turn: what axe finds, and what sticks out."""
    wrong = []
    for seen, theme in zip(states, cycle(themes)):
        page = seen.page
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        if size == PHONE:
            seen.shows_panel()
        if page.evaluate("document.documentElement.scrollWidth") > size["width"]:
            wrong.append(f"{seen.name}: something sticks out")
        wrong += [f"{seen.name}, {theme}: {fault}" for fault in violations(page)]
        page.set_viewport_size(WIDE)  # where the evening goes on
    return "\n".join(wrong)


# Both games, languages, sizes and themes, in turn; ``tools/looks.py --axe`` walks through every combination of them.


def test_axe_finds_nothing_on_the_pages_before_the_table(browsing: Browsing) -> None:
    assert not wrong_with(pages(browsing, "fr"), WIDE, "light", "dark")
    assert not wrong_with(pages(browsing, "en"), PHONE, "dark", "light")


@pytest.mark.parametrize(
    ("system", "lang", "size", "themes"),
    [("conteur", "fr", WIDE, ("light", "dark")), ("simulacres", "en", PHONE, ("dark", "light")),
     ("solaires", "en", WIDE, ("dark", "light")), ("empire", "fr", PHONE, ("dark", "light"))],
    ids=["wide", "phone", "wide-night", "phone-night"],
)
def test_axe_finds_nothing_on_any_page_of_an_evening(
    browsing: Browsing, system: str, lang: str, size: dict[str, int], themes: tuple[str, str]
) -> None:
    walked = chain(evening(browsing, system, lang), empty_table(browsing, system, lang))
    assert not wrong_with(walked, size, *themes)


def test_the_page_stands_two_hundred_percent_and_has_its_landmarks(open_table: OpenTable) -> None:
    table = open_table("conteur")
    bob = table.joins("Bob", viewport={"width": 640, "height": 450}, device_scale_factor=2)  # 1280 at 200 %
    assert bob.page.evaluate("document.documentElement.scrollWidth") <= 640
    for landmark in ("banner", "main"):
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


@pytest.mark.parametrize("system", ["conteur", "simulacres", "solaires", "empire"])
def test_the_table_stays_light_with_its_scripts_and_styles(open_table: OpenTable, system: str) -> None:
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
