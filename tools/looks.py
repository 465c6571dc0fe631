"""Take a picture of every page in every state: ``python tools/looks.py FOLDER [--axe] [--only PART]``, ``make looks``.

A server in memory, a little evening at the ready table of each game, and for each page a strip of pictures: wide and
phone, light and dark. ``print`` and ``zoom`` hold the pages as printed and at 200 %. With ``--axe`` whatever axe finds
is said as well. ``--readme`` takes the two pictures of the README instead.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.conftest import PATIENCE, PHONE, STEP_BY_STEP, WIDE, Browsing, Serving, expect, launched  # noqa: E402
from tests.web.evening import Evening, Seen, empty_table, evening, pages  # noqa: E402

from paravent.game import system_names  # noqa: E402
from paravent.table.host import Host  # noqa: E402

HUGE = {"width": 1920, "height": 1080}
ZOOMED = {"width": 640, "height": 450}
STRIP = """<!doctype html><meta charset="utf-8"><style>body{margin:8px;background:#888;display:flex;gap:8px;
align-items:start;width:max-content}img{max-height:%spx;display:block}</style>%s"""
PRINTED = ("sheet", "log", "gm-tables", "rules", "tables")
TALLEST = 2600
STICKING_OUT = """(width) => [...document.querySelectorAll("main *")]
.filter((e) => e.getBoundingClientRect().right > width + 1).map((e) => e.outerHTML.slice(0, 70)).slice(-3)"""


class Looker:
    """Takes the pictures of each state and puts them side by side."""

    def __init__(self, browser: Any, folder: Path, only: str, axe: bool) -> None:
        self.folder, self.only = folder, only
        self.strips = browser.new_page(viewport={"width": 800, "height": 600})
        self.faults = 0
        if axe:
            from tests.web.test_access import violations

            self.axe: Callable[..., list[str]] | None = violations
        else:
            self.axe = None

    def look(self, kind: str, lang: str, seen: Seen) -> None:
        """One state in both sizes and both themes."""
        name = f"{kind}-{seen.name}-{lang}"
        if self.only not in name:
            return
        taken = [self.take(name, seen, size, theme) for size in ("wide", "phone") for theme in ("light", "dark")]
        self.strip(name, [picture for picture in taken if picture])
        at_table = seen.page.locator("body.table").count() or seen.page.locator("body.screen").count()
        seen.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if at_table:
            seen.page.set_viewport_size(HUGE)
            self.shot(seen.page, self.folder / "huge" / f"{name}.png", full=False)
        self.zoomed(name, seen)
        if seen.name in PRINTED:
            seen.page.pdf(path=self.made("print", f"{name}.pdf"), format="A4")
        seen.page.set_viewport_size(WIDE)

    def zoomed(self, name: str, seen: Seen) -> None:
        seen.page.set_viewport_size(ZOOMED)
        self.shot(seen.page, self.folder / "zoom" / f"{name}.png")
        self.check_width(f"{name}: zoomed", seen.page, ZOOMED["width"])

    def take(self, name: str, seen: Seen, size: str, theme: str) -> Path | None:
        page = seen.page
        page.set_viewport_size(WIDE if size == "wide" else PHONE)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        if size == "phone":
            seen.shows_panel()
            self.check_width(f"{name}: {size}", page, PHONE["width"])
        if self.axe is not None:
            for fault in self.axe(page):
                self.fault(f"{name}: {size} {theme}: {fault}")
        path = self.folder / "single" / f"{name}-{size}-{theme}.png"
        self.shot(page, path)
        return path

    def check_width(self, name: str, page: Any, width: int) -> None:
        if page.evaluate("document.documentElement.scrollWidth") > width:
            out = page.evaluate(STICKING_OUT, width)
            self.fault(f"{name}: something sticks out: {out}")

    def fault(self, words: str) -> None:
        """Say at once what is wrong."""
        self.faults += 1
        print(words, flush=True)

    def shot(self, page: Any, path: Path, full: bool = True) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=full)

    def made(self, *parts: str) -> Path:
        path = self.folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def strip(self, name: str, pictures: list[Path]) -> None:
        """Several pictures in one."""
        sheet = self.made(f"{name}.html")
        images = "".join(f'<img src="{picture.resolve().as_uri()}">' for picture in pictures)
        sheet.write_text(STRIP % (TALLEST, images), encoding="utf-8")
        self.strips.goto(sheet.resolve().as_uri())
        self.strips.locator("body").screenshot(path=self.folder / f"{name}.png")
        sheet.unlink()


def everything(browsing: Browsing, games: list[str], langs: list[str]) -> Iterator[tuple[str, str, Seen]]:
    for lang in langs:
        yield from (("before", lang, seen) for seen in pages(browsing, lang))
        for game in games:
            yield from ((game, lang, seen) for seen in evening(browsing, game, lang))
            yield from ((game, lang, seen) for seen in empty_table(browsing, game, lang))


def for_the_readme(browsing: Browsing, folder: Path) -> None:
    """A table on a laptop and on a phone: a test just made, another with its odds."""
    table = Evening(browsing, "simulacres", "fr")
    ana, bob, (nour, *_) = table.ana, table.bob, table.cast
    bob.does("say", text="J'écoute avant d'ouvrir.")
    bob.does("throw", number=1, by_hand=True)
    bob.does("answer", number=1, answer=[2, 3])
    ana.does("say", text="Le compte s'arrête à onze. La trappe, elle, continue de bouger.", kind="story")
    form = {nour: {"component": "body", "means": "action", "realm": "mechanical"}}
    ana.does("start-move", move="simple-test", cast={"initiator": [nour]}, form=form)
    expect(bob.page.locator(".move.mine")).to_be_visible()
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, theme in (("table", {"width": 1280, "height": 800}, "light"), ("phone", PHONE, "dark")):
        bob.page.set_viewport_size(size)
        bob.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        bob.page.evaluate("log.scrollTop = log.scrollHeight; stage.scrollTop = 0")
        bob.page.screenshot(path=folder / f"{name}.png")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--axe", action="store_true")
    asked.add_argument("--readme", action="store_true")
    asked.add_argument("--only", default="", help="pictures whose name holds this")
    asked.add_argument("--game", action="append")
    asked.add_argument("--lang", action="append")
    given = asked.parse_args()
    from playwright.sync_api import sync_playwright

    expect.set_options(timeout=PATIENCE)
    serving = Serving()
    with sync_playwright() as playwright:
        browser = launched(playwright)
        browsing = Browsing(browser, serving)
        looker = Looker(browser, given.folder, given.only, given.axe)
        if given.readme:
            for_the_readme(browsing, given.folder)
            return
        Host.usual = STEP_BY_STEP  # every state is met: nothing applies by itself
        games, langs = given.game or system_names(), given.lang or ["fr", "en"]
        for kind, lang, seen in everything(browsing, games, langs):
            looker.look(kind, lang, seen)
        browsing.close()
        browser.close()
    serving.stop()
    print("\n".join([*browsing.complaints, f"{looker.faults + len(browsing.complaints)} faults"]))


main()
