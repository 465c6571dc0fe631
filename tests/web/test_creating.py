"""Coming to the table: a character rolled, written, or made by the game's own rules; one's own seat again."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, SEAT, Browsing, OpenTable, Person, say, titled

pytestmark = pytest.mark.needs("chromium")
LEA = "Léa Sauret"
SIMULACRES = {
    "body": 5, "instincts": 4, "heart": 4, "mind": 5, "perception": 2, "action": 4, "desire": 2, "resistance": 2,
    "mineral": 1, "vegetal": 0, "animal": 0, "human": 1, "mechanical": 2, "power": 2, "speed": 1, "precision": 1,
}
SKILLS = {"trades": ("Plombière",), "talents": ("Mécanique des fluides", "Plongée"), "hobbies": ("Chant", "Boxe")}


def written(person: Person, field: str) -> Any:
    """Where a value of the sheet is written."""
    named = person.page.get_by_label(titled(f"fields.{field}", person.table.system), exact=True)
    return named.locator("visible=true").first


def begins_creation(person: Person) -> None:
    person.goes(f"{person.base}/new")
    person.clicks("web.begin_creation")
    person.page.wait_for_url(re.compile("/write/character"))  # straight to the sheet


def hands_in(person: Person) -> None:
    person.clicks("web.hand_in")
    person.page.wait_for_url(re.compile(f"{person.base}/$"))


def to_step(person: Person, stage: str) -> None:
    """To any step of the sheet, by the path above it."""
    title = titled(f"stages.{stage}", person.table.system)
    person.page.get_by_role("navigation").get_by_role("link", name=title).click()


def goes_on(person: Person, stage: str) -> None:
    """To the next step of the sheet, by the button that names it."""
    title = titled(f"stages.{stage}", person.table.system)
    person.page.get_by_role("button", name=say("web.stage_next", stage=title), exact=True).click()
    here = person.page.get_by_role("navigation").get_by_role("link", name=title)
    expect(here).to_have_attribute("aria-current", "step")


def writes_numbers(person: Person) -> None:
    """The first three steps of a character of Simulacres, to the fourth."""
    for field, value in SIMULACRES.items():
        if field in ("perception", "mineral"):
            goes_on(person, {"perception": "means", "mineral": "realms"}[field])
        written(person, field).fill(str(value))
    goes_on(person, "skills")


def test_a_character_is_made_by_the_games_own_rules_refused_and_handed_in_again(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, lea = table.gm(), table.joins("Léa", viewport=PHONE)
    expect(lea.page.get_by_text(say("web.choose_character"), exact=True)).to_be_visible()
    begins_creation(lea)
    for field in ("life_points", "dead", "adventure_points"):  # full, alive, nothing lived yet: not asked
        expect(written(lea, field)).to_have_count(0)
    faults, left = lea.page.locator("#faults"), lea.page.locator("#left")
    expect(left).to_contain_text(re.compile(r"6\s+Composantes à placer"))
    heart = lea.page.get_by_role("button", name="Grand cœur", exact=True)
    expect(heart).to_have_attribute("aria-pressed", "false")
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    expect(left).to_contain_text("tout est placé")
    expect(lea.page.locator("#beside")).to_contain_text("Cœur")  # the matrix, live
    expect(lea.page.get_by_role("navigation").get_by_role("listitem").first).to_contain_text(say("web.steps.done"))
    expect(ana.bar.get_by_role("button", name=say("web.agree"))).to_have_count(0)  # not yet asked
    writes_numbers(lea)
    for part, names in SKILLS.items():
        for at, name in enumerate(names):
            lea.page.locator(f"[name$='r:{part}:{at}:name']").fill(name)
    lea.page.locator("[name$='r:hobbies:1:family']").select_option("unarmed")
    goes_on(lea, "again")
    written(lea, "name").fill(LEA)
    expect(faults).to_contain_text(say("web.no_faults"))
    hands_in(lea)

    card = ana.card("create-character")
    expect(card.get_by_text("Plombière")).to_be_visible()  # the whole sheet, and the verdict
    expect(card.get_by_text(say("web.no_faults"))).to_be_visible()
    ana.bar.get_by_role("button", name=say("web.refuse"), exact=True).click()
    again = lea.bar.get_by_role("link", name=say("web.write_sheet"))
    again.click()
    expect(lea.page.locator("[name$='r:talents:1:name']")).to_have_value("Plongée")
    lea.page.get_by_role("navigation").get_by_role("link", name=titled("stages.again", "simulacres")).click()
    expect(written(lea, "name")).to_have_value(LEA)  # nothing of it is lost
    hands_in(lea)
    ana.bar.get_by_role("button", name=say("web.agree"), exact=True).click()
    expect(card.get_by_role("group", name=say("web.consequences"))).to_be_visible()
    ana.applies()
    mine = lea.page.locator("article.sheet.mine")
    lea.page.locator(".tabs").get_by_role("button", name=say("web.tab_sheets")).click()
    expect(mine).to_contain_text(LEA)
    expect(mine.get_by_role("button", name="Plongée")).to_be_visible()


def test_a_sheet_handed_in_can_be_taken_up_again_before_it_is_accepted(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, lea = table.gm(), table.joins("Léa")
    begins_creation(lea)
    goes_on(lea, "skills")
    written(lea, "name").fill("Tir")
    written(lea, "value").fill("120")
    expect(lea.page.locator("#faults")).to_contain_text("120")
    goes_on(lea, "again")
    written(lea, "name").fill(LEA)
    mends = lea.page.locator("#mends").get_by_role("link")  # the rules refuse it: what is wrong stands for the button
    expect(mends).to_contain_text("120")
    expect(lea.page.get_by_role("button", name=say("web.hand_in"), exact=True)).to_be_hidden()
    mends.click()
    expect(written(lea, "value")).to_be_visible()  # it leads there
    written(lea, "value").fill("4")
    to_step(lea, "again")
    expect(mends).to_have_count(0)
    hands_in(lea)
    expect(ana.bar.get_by_role("button", name=say("web.agree"), exact=True)).to_be_visible()
    lea.card("create-character").get_by_role("link", name=say("web.sheet_change")).click()
    to_step(lea, "skills")
    written(lea, "value").fill("5")
    to_step(lea, "again")
    hands_in(lea)
    ana.bar.get_by_role("button", name=say("web.agree"), exact=True).click()
    expect(ana.card("create-character").get_by_role("group", name=say("web.consequences"))).to_be_visible()
    ana.applies()
    expect(lea.sheets.get_by_role("article", name=LEA)).to_be_visible()
    made = {name: held["name"] for name, held in lea.view["records"].items() if held["owner"] == lea.seat}
    assert list(made.values()) == [LEA]
    ana.does("undo", number=1)
    for one in (ana, lea):  # who is there no more is still told by name, never by a word of the machine
        expect(one.log.locator(".undone").filter(has_text=say("web.new_sheet"))).to_contain_text(
            re.compile(rf"{LEA}\s*{say('web.new_sheet')}"))
        assert not any(name in one.page.locator("body").inner_text() for name in made)


def test_a_sheet_of_conteur_is_written_step_by_step_and_what_is_out_of_bounds_is_shown(open_table: OpenTable) -> None:
    """Attributes filled in at a touch, a skill with its field, read again; a number that cannot be sent is led to."""
    table = open_table("conteur", waiting=False)
    lea = table.joins("Léa", viewport=PHONE)
    begins_creation(lea)
    path = lea.page.get_by_role("navigation", name=say("web.path"))
    done = path.get_by_role("listitem").filter(has_text=say("web.steps.done"))
    expect(done).to_have_count(1)  # no skill yet, no name: only the attributes are as they may be
    lea.page.get_by_role("button", name="Adroit", exact=True).click()
    expect(written(lea, "dexterity")).to_have_value("7")
    goes_on(lea, "skills")
    lea.page.locator(".athand summary").click()
    lea.page.get_by_role("button", name="Médecine", exact=True).click()
    expect(lea.page.locator("[name$='r:skills:0:field']")).to_have_value("knowledge")
    expect(lea.page.locator("#faults")).to_contain_text("Médecine")  # no die yet
    written(lea, "value").fill("4")
    goes_on(lea, "again")
    written(lea, "name").fill(LEA)
    expect(done).to_have_count(3)
    lea.page.locator(".verdict .summary > summary").click()
    for words in (LEA, "Médecine", titled("fields.luck", "conteur")):
        expect(lea.page.locator("#summary")).to_contain_text(words)
    to_step(lea, "attributes")
    written(lea, "mental").fill("40")
    to_step(lea, "again")
    lea.clicks("web.hand_in")
    expect(written(lea, "mental")).to_be_focused()  # the step that has it, not a button that does nothing
    written(lea, "mental").fill("4")
    to_step(lea, "again")
    hands_in(lea)
    ana = table.gm()
    ana.bar.get_by_role("button", name=say("web.agree"), exact=True).click()
    ana.applies()
    expect(lea.page.locator("article.sheet.mine")).to_contain_text(LEA)


def test_a_character_is_rolled_written_freely_or_brought_from_a_file(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    zoe = table.joins("Zoé")
    mine = zoe.page.locator("article.sheet.mine")
    zoe.goes(f"{zoe.base}/new")
    zoe.clicks("web.draw_one")
    expect(mine).to_have_count(1)
    zoe.goes(f"{zoe.base}/new")
    zoe.page.get_by_role("link", name=say("web.write_sheet")).first.click()
    to_step(zoe, "again")
    written(zoe, "name").fill("Une voisine")
    zoe.clicks("web.bring")
    expect(mine).to_have_count(2)
    expect(zoe.sheets.get_by_role("article", name="Une voisine")).to_be_visible()
    record = next(name for name, held in zoe.view["records"].items() if held["name"] == "Une voisine")
    kept = zoe.page.request.get(f"{table.url}{zoe.base}/record/{record}").text()
    zoe.goes(f"{zoe.base}/new")
    zoe.page.get_by_text(say("web.paste_sheet")).first.click()
    zoe.page.locator("textarea#sheet").fill(kept.replace("Une voisine", "Sa jumelle"))
    zoe.clicks("web.bring")
    expect(zoe.sheets.get_by_role("article", name="Sa jumelle")).to_be_visible()


def test_one_returns_to_the_same_seat_and_others_only_watch(open_table: OpenTable, browsing: Browsing) -> None:
    table = open_table("conteur", waiting=False)
    bob = table.joins("Bob")
    bob.sheets.get_by_role("button", name=re.compile("Maëlle")).first.click()
    expect(bob.page.locator("article.sheet.mine")).to_have_count(1)
    page = browsing.page(browsing.context())  # another day, another device, the same link
    page.goto(f"{table.url}/enter/{bob.token}")
    page.wait_for_url(SEAT)
    expect(page.locator("article.sheet.mine")).to_contain_text("Maëlle")
    bob.goes("/")
    bob.page.get_by_role("link", name=re.compile("La coursive · Bob")).click()  # the device remembers
    expect(bob.page.locator("article.sheet.mine")).to_be_visible()
    eve = table.joins("Eve", as_="spectator")
    expect(eve.sheets.get_by_role("article").first).to_be_visible()
    assert eve.page.locator(".start, .fill, .rolling, .welcome, [data-step]").count() == 0
