"""Whatever waits for somebody lies in view: its control is inside the window, and nothing covers it.

A robot plays some acts of an evening of every game (:mod:`robot`), and keeps the pages of those who are awaited: one
for each kind of waiting, game and rank. A browser shows them again, on a phone and on a screen.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

sys.path.insert(0, str(Path(__file__).parent))

from robot import Person, games, spend

from .conftest import PHONE, Browsing, OpenTable, say, titled

pytestmark = pytest.mark.needs("chromium")
ACTS, FEWEST = 12, 3
SIZES = (PHONE, {"width": 1280, "height": 800})
ASKED = re.compile(r'<div class="asked" id="yours-\d+"')
WAITING = {
    "crossed": r'class="crossing facing"', "throw": r'/do/throw"', "judgement": r'class="judge',
    "poll": r'id="poll-', "choice": r'class="choice"',
    "window": r'value="&#34;agree&#34;"', "change": r'form="accept-|/do/accept"', "faces": r'form="faces-form-',
    "seal": r'form="fill-[^"]*-s"', "say": r'form="fill-', "sheet": r'class="button main" href="[^#"]',
    "lead": r'class="button main" href="#',
}
"""Kinds of waiting, by what answers them in the bar; the first that is found is the one."""
TOWARDS: dict[str, tuple[str, ...]] = {
    "empire": ("skill-test", "enter-school", "start-fight", "combat-exchange"),
    "solaires": ("action", "ask-the-gm", "create-character", "spend-points"),
    "simulacres": ("simple-test", "open-a-fight", "fight", "exchange", "duel", "dress-wounds", "automatic-damage"),
}
"""The moves that lead to what waits in one game only: grids crossed with somebody else's field, votes with a reason,
a life that goes on, a sheet that an act asks for. Elsewhere the robot plays what comes."""
RARE = {"empire": {"crossed", "faces"}, "solaires": {"poll", "choice", "sheet", "faces"},
        "simulacres": {"seal", "faces"}, "conteur": {"choice", "faces"}, "fanal": {"faces"}}
"""Kinds of waiting that must have come up in a game."""
MOST_EVENINGS = 6
"""How many evenings the robot plays at most until all of these came up."""
LYING = """(control) => {
    const box = control.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (box.x < 0 || box.y < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
        return `out of the window: ${[box.x, box.y, box.right, box.bottom].map(Math.round)}`;
    const top = document.elementFromPoint(x, y);
    return control.contains(top) ? "" : `under ${top ? top.outerHTML.slice(0, 80) : "nothing"}`;
}"""


class Kept(NamedTuple):
    """A page of somebody who is awaited."""

    kind: str
    rank: str
    path: str
    html: str


def kind_of(html: str) -> str:
    """How the first thing that waits is answered, as the bar of a page has it; empty where nothing waits."""
    bar = html[found.start():] if (found := re.search(r'<section id="yours" class="yours mine"', html)) else ""
    asked = list(ASKED.finditer(bar))
    first = bar[asked[0].start():asked[1].start() if len(asked) > 1 else len(bar)] if asked else ""
    return next((kind for kind, sign in WAITING.items() if re.search(sign, first)), "") if first else ""


def awaited(game: str, acts: int = ACTS) -> list[Kept]:
    """The pages of those who are awaited in some acts of an evening, or of several until what is rare came up: of each
    kind, for each rank, the first."""
    kept: dict[tuple[str, str], Kept] = {}

    def shown(who: Person, html: str) -> None:
        kind, rank = kind_of(html), "gm" if who is who.robot.gm else "player"
        if kind:
            kept.setdefault((kind, rank), Kept(kind, rank, f"{who.base}/", html))

    for seed in range(1, MOST_EVENINGS + 1):
        spend(game, seed, acts, shown=shown, only=TOWARDS.get(game, ()), real_dice=1.0)
        if RARE.get(game, set()) <= {kind for kind, _ in kept}:
            break
    return list(kept.values())


@pytest.mark.parametrize("game", games())
def test_what_waits_for_somebody_is_in_view_and_nothing_covers_it(browsing: Browsing, game: str) -> None:
    pages = awaited(game)
    assert {kept.rank for kept in pages} == {"gm", "player"}
    assert len({kept.kind for kept in pages}) >= FEWEST, "hardly anything waited"
    assert RARE.get(game, set()) <= {kept.kind for kept in pages}
    page = browsing.page(browsing.context(viewport=PHONE))
    wrong = [f"{kept.kind}, {kept.rank}, {size['width']}: {fault}"
             for kept in pages for size in SIZES
             for fault in faults(page, browsing.serving.url, kept, size, anew=size == PHONE)]
    assert wrong == []


def test_a_control_that_is_pushed_out_or_covered_is_noticed(browsing: Browsing) -> None:
    page, url = browsing.page(browsing.context(viewport=PHONE)), browsing.serving.url
    kept = awaited("fanal", acts=2)[0]
    assert faults(page, url, kept, PHONE) == []
    page.add_style_tag(content="#yours { position: relative; top: 90vh }")
    assert "out of the window" in faults(page, url, kept, PHONE, anew=False)[0]
    page.add_style_tag(content="#yours { top: 0 } body::after { content: ''; position: fixed; inset: 0; z-index: 99 }")
    assert "under <body" in faults(page, url, kept, PHONE, anew=False)[0]


def test_a_sheet_to_write_and_a_sheet_to_approve_are_in_view(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, lea = table.gm(), table.joins("Léa")
    lea.goes(f"{lea.base}/new")
    lea.clicks("web.begin_creation")
    lea.page.wait_for_url(re.compile("/write/character"))
    writes = lea.page.url
    lea.comes_back()
    wrong = [hidden(lea.page, size) for size in SIZES]
    lea.page.goto(writes)
    lea.page.locator("#pathway a").last.click()
    lea.page.get_by_label(titled("fields.name", "conteur"), exact=True).locator("visible=true").first.fill("Léa Sauret")
    lea.clicks("web.hand_in")
    expect(ana.bar.get_by_role("button", name=say("web.agree"), exact=True)).to_be_visible()
    assert [*wrong, *(hidden(ana.page, size) for size in SIZES)] == [[]] * 4


@pytest.mark.parametrize("size", [PHONE, {"width": 740, "height": 360}], ids=["upright", "sideways"])
def test_how_a_throw_ended_is_read_on_a_phone_however_many_dice_it_had(
    open_table: OpenTable, size: dict[str, int],
) -> None:
    """Its sentence comes before the dice: many of them had pushed it out of the last result, beside a board."""
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob", viewport=size)
    maelle = next(name for name, one in ana.view["records"].items() if one["name"] == "Maëlle Tisserand")
    said = {maelle: {"attribute": 5, "skill": 12}, "gm": {"difficulty": 6}}
    number = ana.does("start-move", move="throw", cast={"initiator": [maelle]}, form=said)["number"]
    ana.does("throw", number=number, nonce="ab" * 8)
    while choice := ana.view["moves"][str(number)].get("choice"):
        ana.does("answer", number=number, answer=choice["options"][0])
    bob.comes_back()
    result = bob.page.locator("#pinned .outcome")
    expect(result).to_be_visible()
    seen = "(it) => it.getBoundingClientRect().bottom <= it.closest('.pinned').getBoundingClientRect().bottom + 1"
    assert result.evaluate(seen)


def faults(page: Any, url: str, kept: Kept, size: dict[str, int], anew: bool = True) -> list[str]:
    """What hides the controls of a page that was kept."""
    if anew:
        shows(page, url, kept)
    return hidden(page, size)


def hidden(page: Any, size: dict[str, int]) -> list[str]:
    """What hides the controls of the thing that waits first, at a size."""
    page.set_viewport_size(size)
    asked = page.locator("#yours.mine .asked").locator("visible=true").first
    expect(asked).to_be_visible()
    controls = asked.locator("button:enabled, a.button, select, input:not([type=hidden])").locator("visible=true").all()
    lying = [(control, control.evaluate(LYING)) for control in controls]
    return [f"{control.inner_text()[:30]!r} {fault}" for control, fault in lying if fault] if lying else ["no control"]


def shows(page: Any, url: str, kept: Kept) -> None:
    """Open a page as it was sent; what it asks for later stays without an answer."""
    page.unroute_all(behavior="ignoreErrors")
    page.route("**/*", answering(url, kept))
    page.goto(url + kept.path, wait_until="domcontentloaded")


def answering(url: str, kept: Kept) -> Callable[[Any], None]:
    def answer(route: Any) -> None:
        asked = route.request.url.removeprefix(url)
        if asked == kept.path:
            route.fulfill(body=kept.html, content_type="text/html; charset=utf-8")
        elif not asked.startswith("/t/"):
            route.continue_()

    return answer
