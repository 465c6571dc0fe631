"""Every page, in every state that people meet: a little evening played at a game's ready table.

``pages(browsing, lang)`` and ``evening(browsing, system, lang)`` lead from one state to the next and give a name and a
browser's page for each. The tests of access walk through them with axe; ``tools/looks.py`` takes their picture.
"""

import os
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import httpx2 as httpx
from PIL import Image
from playwright.sync_api import expect

from paravent.game import find_system, system_names
from paravent.web.security import SEAT_COOKIE

from .conftest import SEAT, Browsing, Person, Table, say


class Seen(NamedTuple):
    """A state of a page; at a table on a phone, the panel that shows it."""

    name: str
    page: Any
    panel: str = "act"

    def shows_panel(self) -> None:
        """On a narrow window, turn to the panel meant."""
        if self.page.locator(".tabs").count() and not self.page.locator("dialog[open]").count():
            self.page.locator(f".tabs [data-show={self.panel}]").evaluate("(tab) => tab.click()")


FACES = {"conteur": [3, 9, 4, 2], "simulacres": [6, 6], "solaires": [2, 6, 5], "empire": [2, 3, 1, 4]}
"""What is typed for the first throw: a success with a choice to make, and a failure."""


def pages(browsing: Browsing, lang: str) -> Iterator[Seen]:
    """The pages that lead to a table."""
    page = browsing.page(browsing.context(lang=lang))
    url = browsing.serving.url
    games = system_names()
    rule = {game: next(iter(find_system(game).book.rules)) for game in games}
    paths = {"home": "/", "help": "/help", "nowhere": "/nowhere", "closed-link": "/enter/wrong"}
    for game in games:
        paths |= {f"{game}": f"/g/{game}", f"{game}-tables": f"/g/{game}/tables", f"{game}-rules": f"/g/{game}/rules"}
    paths |= {"rules-searched": f"/g/{games[0]}/rules?q=-0", "rules-none": f"/g/{games[0]}/rules?q=zzz",
              "explained": f"/g/{games[0]}/explain?rule={rule[games[0]]}"}
    for name, path in paths.items():
        page.goto(url + path)
        yield Seen(name, page)
    page.goto(f"{url}/")
    page.locator(".opens summary").first.click()
    yield Seen("home-opening", page)


def keep_picture(page: Any, name: str) -> None:
    """A picture of what is seen, for the docs (``make pictures``): PARAVENT_PICTURES names the folder."""
    folder = os.environ.get("PARAVENT_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        name = f"{name}-phone" if page.viewport_size["width"] < 500 else name
        seen = Image.open(BytesIO(page.screenshot(animations="disabled")))
        seen.convert("RGB").save(f"{folder}/{name}.webp", lossless=True, quality=100, method=6)


def unfold(page: Any) -> None:
    """Open whatever is folded, and wait for what is fetched then."""
    page.evaluate("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")
    expect(page.locator(".fetched > a")).to_have_count(0)


class Evening:
    """The ready table of a game and those around it."""

    def __init__(self, browsing: Browsing, system: str, lang: str) -> None:
        self.browsing, self.system, self.lang = browsing, system, lang
        self.visitor = browsing.page(browsing.context(lang=lang))
        self.visitor.goto(f"{browsing.serving.url}/g/{system}")
        self.visitor.locator(f'form[action="/demo/{system}"] button').click()
        self.visitor.wait_for_url(SEAT)
        kept = self.visitor.context.cookies()
        seats = [re.match(r"/t/\w+/(\w+)", cookie["path"]) for cookie in kept]
        tokens = {found[1]: cookie["value"] for cookie, found in zip(kept, seats, strict=True)
                  if found and cookie["name"] == SEAT_COOKIE}
        first, *beside = re.findall(r"[0-9a-f]{10}(?=[/.]|$)", self.visitor.url)[-3:]
        table = Table(browsing, system, tokens[first], lang, None)
        self.table = table
        self.ana = table.gm()
        self.bob, self.eve = (
            Person(table, name, tokens[seat], browsing.context(lang=lang))
            for name, seat in zip(("Bob", "Eve"), beside, strict=True)
        )
        self.cast = list(self.ana.view["records"])

    def throws(self) -> Iterator[Seen]:
        """The move that waits: filled, thrown by hand, chosen, accepted."""
        bob, ana, eve = self.bob, self.ana, self.eve
        yield Seen("gm-open-move", ana.page)
        yield Seen("player-open-move", bob.page)
        yield Seen("player-sheet", bob.page, "sheets")
        yield Seen("spectator-open-move", eve.page)
        bob.does("fill", number=1, actor=self.cast[0], values=SPENDS[self.system])
        bob.does("throw", number=1, by_hand=True)
        pad = bob.page.locator("form.faces [data-face]")
        expect(pad.first).to_be_visible()
        pad.nth(2).click()
        yield Seen("player-real-dice", bob.page)
        bob.does("answer", number=1, answer=FACES[self.system])
        if "choice" in bob.view["moves"]["1"]:
            expect(bob.page.locator(".choice")).to_be_visible()
            yield Seen("player-choice", bob.page)
            bob.does("answer", number=1, answer="stop")
        expect(ana.page.locator(".move .outcome").first).to_be_visible()
        yield Seen("gm-consequences", ana.page)
        yield Seen("player-consequences", bob.page)
        if self.system == "solaires":
            ana.does("close-step", number=1)
        ana.does("accept", number=1)
        expect(bob.page.locator(".move.over")).to_be_visible()
        told = bob if bob.page.locator(".move.over .why").count() else ana  # reasons may stay behind the screen
        told.page.locator(".move.over .why summary").first.click()
        yield Seen("result", told.page)

    def talks(self) -> Iterator[Seen]:
        """Whatever the log can hold, and a refusal."""
        ana, bob, zoe = self.ana, self.bob, self.table.joins("Zoé")
        yield Seen("player-without-character", zoe.page, "sheets")
        ana.does("open-scene", title=LINES[self.lang]["episode"], kind="episode")
        ana.does("open-scene", title=LINES[self.lang]["scene"])
        ana.does("say", text=LINES[self.lang]["story"], kind="story")
        bob.does("say", text=LINES[self.lang]["message"])
        ana.does("say", text=LINES[self.lang]["whisper"], kind="whisper", to=[bob.seat])
        ana.does("say", text=LINES[self.lang]["handout"], title=LINES[self.lang]["title"], kind="handout")
        ana.does("say", text=LINES[self.lang]["note"], kind="note")
        ana.does("edit-record", record=self.cast[0], path="name", value="Maëlle-Ségolène de la Tour-Tisserand")
        for expression in ("4d6+2", "2d10+1d4+1d8+1d12+1d20"):
            thrown = bob.does("start-move", move="free-throw", form={bob.seat: {"expression": expression}})["number"]
            bob.does("throw", number=thrown, nonce="ab" * 8)
            if "choice" not in bob.view["moves"][str(thrown)] and bob.view["moves"][str(thrown)]["phase"] == "settled":
                ana.does("accept", number=thrown)
        bob.comes_back()
        yield Seen("player-log", bob.page, "talk")
        yield Seen("gm-log", ana.page, "talk")
        bob.line.fill("/danse")
        bob.page.locator("form.say button").evaluate("(button) => button.form.requestSubmit()")
        expect(bob.page.get_by_role("alert").first).to_be_visible()
        yield Seen("player-refused", bob.page, "talk")
        bob.line.fill("")

    def meets(self) -> Iterator[Seen]:
        """An encounter under way, with somebody's turn to come; another throw before it is settled."""
        ana, bob, eve = self.ana, self.bob, self.eve
        mine, ally, other, *_ = self.cast
        if self.system == "conteur":
            ana.does("edit-record", record=mine, path="wounds.head", value=1)
            ana.does("edit-record", record=mine, path="wounds.left_arm", value=3)
            number = ana.does("start-move", move="start-complex-action", cast={"initiator": [mine]}, form={
                mine: {"attribute": "dexterity", "skill": 3, "limbs": [], "label": LINES[self.lang]["task"]},
                "gm": {"difficulty": 3}})["number"]
            bob.does("throw", number=number, by_hand=True)
            bob.does("answer", number=number, answer=[3, 4, 9])
            while "choice" in bob.view["moves"][str(number)]:
                bob.does("answer", number=number, answer="stop")
            ana.does("accept", number=number)
            turn = ana.does("start-move", move="continue-complex-action", cast={"initiator": [mine]},
                            form={mine: {"attribute": "dexterity", "skill": 3, "limbs": []}}, encounter=1)["number"]
        elif self.system == "solaires":
            number = ana.does("start-move", move="start-action-scene",
                              cast={"participant": [mine, ally, other]})["number"]
            self.until_settled(number)
            turn = ana.does("start-move", move="next-to-act", encounter=1, form={"gm": {"next": ally}})["number"]
        elif self.system == "empire":
            number = ana.does("start-move", move="start-fight",
                              cast={"initiator": [mine, ally], "opponent": [other]})["number"]
            self.until_settled(number)
            turn = ana.does("start-move", move="combat-exchange", encounter=1,
                            cast={"initiator": [mine], "opponent": [other]})["number"]
        else:
            number = ana.does("start-move", move="open-a-fight",
                              cast={"initiator": [mine, ally], "opponent": [other]})["number"]
            self.until_settled(number)
            turn = ana.does("start-move", move="exchange", encounter=1,
                            cast={"initiator": [mine, ally], "opponent": [other]})["number"]
        for who in (ana, bob, eve):
            who.comes_back()
            expect(who.page.locator(".encounter")).to_be_visible()
        if self.system == "empire":  # height and precision before a body, beside the signs
            expect(bob.page.locator("fieldset.on-body")).to_be_visible()
        yield Seen("gm-encounter", ana.page)
        yield Seen("player-encounter", bob.page)
        yield Seen("spectator-encounter", eve.page)
        ana.does("cancel", number=turn)

    def until_settled(self, number: int) -> None:
        """Go on with a move until it is over."""
        for _ in range(6):
            move = self.ana.view["moves"].get(str(number), {"phase": "closed"})
            if move["phase"] == "closed":
                return
            kind = "accept" if move["phase"] == "settled" else "throw" if not move["throws"] else "close-step"
            self.ana.does(kind, number=number)

    def stops(self) -> Iterator[Seen]:
        """What stops the evening: a card, a lost line."""
        bob, eve = self.bob, self.eve
        bob.context.set_offline(True)
        expect(bob.is_offline()).to_be_visible()
        yield Seen("player-offline", bob.page)
        bob.context.set_offline(False)
        expect(bob.is_offline()).to_be_hidden()
        eve.goes(f"{eve.base}/screen")
        yield Seen("screen", eve.page)
        self.ana.does("play-card")
        for who, name in ((bob, "player-stop-card"), (eve, "screen-stop-card")):
            expect(who.page.locator("#stopped")).to_be_visible()
            yield Seen(name, who.page)
            who.page.locator("#stopped button").last.click()
        self.ana.page.locator("#stopped button").last.click()

    def unfolds(self) -> Iterator[Seen]:
        """Everything open at once, the forms that start moves, help and explanations."""
        ana, bob = self.ana, self.bob
        ana.goes(f"{ana.base}/?beside={bob.seat}.{self.eve.seat}")
        yield Seen("gm-demo", ana.page)
        ana.page.locator(".start a.begin").first.click()
        expect(ana.page.locator("#starting section")).to_be_visible()
        yield Seen("gm-starting", ana.page)
        ana.page.keyboard.press("Escape")
        unfold(ana.page)
        ana.page.locator("#gm-q").fill("-0")
        expect(ana.page.locator("#rules-found details").first).to_be_visible()
        yield Seen("gm-unfolded", ana.page)
        yield Seen("gm-sheets-unfolded", ana.page, "sheets")
        unfold(bob.page)
        yield Seen("player-unfolded", bob.page)
        yield Seen("player-sheet-unfolded", bob.page, "sheets")
        bob.page.locator(".sheets .ask").first.evaluate("(link) => link.click()")
        expect(bob.page.locator("#explain")).not_to_be_empty()
        yield Seen("player-explained", bob.page, "sheets")
        bob.comes_back()
        bob.page.keyboard.press("?")
        expect(bob.page.locator("#help")).to_be_visible()
        yield Seen("player-help", bob.page)

    def writes(self, who: Person) -> Iterator[Seen]:
        """A sheet that is being written, further on: another of its steps, words to be picked out of a text."""
        page = who.page
        steps = page.locator("#pathway a")
        if page.locator(".instages").count():
            steps.nth(1).click()
            yield Seen("write-step", page)
        if page.locator("#part-picking").count():
            story = LINES[self.lang]["story"]
            page.locator("textarea").first.fill(story)
            page.locator("[data-pick]").get_by_text(story.split()[0], exact=True).first.click()
            expect(page.locator("[data-picked]").first).to_be_visible()
            yield Seen("write-picking", page)

    def leafs(self) -> Iterator[Seen]:
        """The other pages of a seat."""
        ana, bob = self.ana, self.bob
        start = next(iter(find_system(self.system).moves))
        kind = next(iter(find_system(self.system).kinds))
        lines = LINES[self.lang]
        kept = ana.does("keep-document", title=lines["title"], text=f"**{lines['handout']}**", seen_by=["all"])
        for played in (True, False):
            scene = ana.does("prepare-scene", title=lines["scene"], text=lines["story"], people=self.cast[1:2],
                             documents=[kept["document"]], note=lines["note"])["scene"]
            if played:
                ana.does("play-scene", scene=scene)
        for name, who, path in (
            ("sheet", bob, f"/sheet/{self.cast[0]}"), ("sheet-of-another", bob, f"/sheet/{self.cast[1]}"),
            ("new", bob, "/new"), ("gm-new", ana, "/new"), ("write", bob, f"/write/{kind}"), ("log", bob, "/log"),
            ("gm-log-page", ana, "/log"), ("log-searched", bob, "/log?kind=rolls"), ("links", ana, "/links"),
            ("campaign", ana, "/campaign"), ("prepare", ana, "/prepare"), ("shelf", ana, "/shelf"),
            ("player-shelf", bob, "/shelf"),
            ("options", ana, "/options"), ("player-options", bob, "/options"), ("start", bob, f"/start/{start}"),
        ):
            who.goes(who.base + path)
            yield Seen(name, who.page)
            if name == "write":
                yield from self.writes(who)
        bob.goes(f"{bob.base}/log")
        unfold(bob.page)
        yield Seen("log-unfolded", bob.page)
        bob.goes(f"{bob.base}/sheet/{self.cast[0]}")
        unfold(bob.page)
        yield Seen("sheet-editing", bob.page)
        if self.system == "empire":
            self.until_settled(ana.does("start-move", move="generate-sector")["number"])
            ana.goes(f"{ana.base}/sheet/{list(ana.view['records'])[-1]}")
            unfold(ana.page)
            expect(ana.page.get_by_role("group", name=say("web.map", self.lang), exact=True)).to_be_visible()
            yield Seen("map", ana.page)
        ana.goes(f"{ana.base}/links")
        ana.page.get_by_label(say("web.name", self.lang), exact=True).first.fill("Max")
        ana.page.get_by_role("button", name=say("web.invite", self.lang), exact=True).click()
        expect(ana.page.locator(".fresh")).to_be_visible()
        yield Seen("links-fresh", ana.page)
        self.visitor.goto(f"{self.browsing.serving.url}/")
        yield Seen("home-again", self.visitor)


SPENDS: dict[str, dict[str, Any]] = {
    "conteur": {"energy_dice": 1}, "simulacres": {}, "solaires": {"element": 3, "attitude": "unstable"},
    "empire": {},
}
LINES = {
    "fr": {
        "episode": "Le quart de nuit", "scene": "La coursive des machines", "message": "J'ai entendu quelque chose.",
        "story": "La lampe de secours vacille, puis tient bon. Quelqu'un a repeint les numéros des portes.",
        "whisper": "Toi seule reconnais l'écriture : c'est la tienne.", "title": "Une note pliée en quatre",
        "handout": "Ne montez pas par l'échelle.\nElle n'est plus fixée.", "note": "Le contremaître arrive au tour 3.",
        "task": "Remonter la vanne",
    },
    "en": {
        "episode": "The night watch", "scene": "The engine corridor", "message": "I heard something.",
        "story": "The emergency lamp flickers, then holds. Somebody has repainted the numbers on the doors.",
        "whisper": "You alone know this handwriting: it is yours.", "title": "A note folded in four",
        "handout": "Do not climb the ladder.\nIt is no longer fastened.", "note": "The foreman arrives on turn 3.",
        "task": "Refit the valve",
    },
}


def evening(browsing: Browsing, system: str, lang: str) -> Iterator[Seen]:
    """A whole evening of a game, page by page; of a stranger's game, what any game has."""
    table = Evening(browsing, system, lang)
    played = (table.throws, table.talks, table.meets, table.stops) if system in FACES else ()
    for part in (*played, table.unfolds, table.leafs):
        yield from part()


def empty_table(browsing: Browsing, system: str, lang: str) -> Iterator[Seen]:
    """A table where nothing has happened yet, from each seat."""
    new = {"system": system, "name": "Une table", "game_master": "Ana", "lang": lang}
    token = httpx.post(f"{browsing.serving.url}/api/tables", json=new).json()["token"]
    table = Table(browsing, system, token, lang, None)
    for name, who in (("gm-nothing", table.gm()), ("player-nothing", table.joins("Bob")),
                      ("spectator-nothing", table.joins("Eve", as_="spectator"))):
        yield Seen(name, who.page)
        yield Seen(f"{name}-sheets", who.page, "sheets")
