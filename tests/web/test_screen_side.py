"""Behind the screen: what a game master does from the page, and what of it the others see."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from paravent.game import find_system

from .conftest import PHONE, OpenTable, Person, Table, say, titled


def moment(day: int, **hour: str) -> str:
    return say("telling.moment", date=say("telling.day", day=day), **hour)


pytestmark = pytest.mark.needs("chromium")
MAELLE, ANSELME, YUNA = "Maëlle Tisserand", "Anselme Ruvier", "Yuna Kadiri"
SECRET = "la trappe mène à la cale"


def around(table: Table, *names: str) -> list[Person]:
    """Ana leads; Bob and Zoé hold the first two characters, Zoé on a phone; Eve watches. Those named come."""
    people = [table.gm()]
    for name, record in zip(("Bob", "Zoé"), people[0].view["records"], strict=False):
        if name in names:
            people.append(table.joins(name, **({"viewport": PHONE} if name == "Zoé" else {})))
            people[-1].does("take-record", record=record)
    if "Zoé" in names:
        panels = people[-1].page.get_by_role("navigation", name=say("web.panels"))
        panels.get_by_role("button", name=say("web.now")).click()
    if "Eve" in names:
        people.append(table.joins("Eve", as_="spectator"))
    return people


def settled(*people: Person) -> None:
    """Everybody has heard a last word: whatever was to come before it has come."""
    ana = people[0].table.people[""]
    word = f"mot {len(ana.view['log'])}"
    ana.does("say", text=word)
    for who in people:
        expect(who.page.locator("#log").get_by_text(word, exact=True)).to_be_attached()


def fold(who: Person, key: str) -> Any:
    """A fold of the game master's side, open."""
    for name in FOLDS[key]:
        opened = who.page.locator(f"#gm-{name}")
        if opened.get_attribute("open") is None:
            opened.locator("summary").first.click()
    return opened


FOLDS = {"web.gm.throw": ("throw",), "web.time": ("time",), "web.scene": ("scene",), "web.handout": ("more", "handout"),
         "web.find_rule": ("more", "rules")}


def undoes(who: Person) -> None:
    """Take back the last thing."""
    who.page.locator("#gm-undo button").click()


def presses(where: Any, key: str, lang: str = "fr", **values: Any) -> None:
    where.get_by_role("button", name=say(key, lang, **values), exact=True).first.click()


def log_of(who: Person) -> Any:
    """The log, also where a phone shows another panel."""
    return who.page.locator("#log")


def sheet_of(who: Person, name: str) -> Any:
    return who.page.locator("article.sheet", has=who.page.get_by_role("heading", name=name, include_hidden=True))


# Throws


def test_a_throw_behind_the_screen_is_nobodys_until_it_is_turned_over_and_taking_that_back_says_so(
    open_table: OpenTable,
) -> None:
    ana, bob, zoe, eve = around(open_table("simulacres", waiting=False), "Bob", "Zoé", "Eve")
    behind = fold(ana, "web.gm.throw")
    behind.get_by_label(say("web.gm.dice"), exact=True).fill("3d1000 # la sentinelle")
    presses(behind, "web.gm.throw_now")
    thrown = log_of(ana).locator("li", has_text="la sentinelle")
    expect(thrown.get_by_text(say("web.gm.unseen"))).to_be_visible()
    faces = ana.view["moves"]["1"]["throws"][0]["dice"][0]["faces"]
    ana.says("Rien ne bouge.")
    settled(ana, bob, zoe, eve)
    for who in (bob, zoe, eve):
        assert not who.knows("sentinelle")
        assert who.view["moves"] == {}
    presses(thrown, "web.turn_over")
    for who in (bob, zoe, eve):
        shown = log_of(who).locator("li", has_text="la sentinelle")
        expect(shown.get_by_role("img", include_hidden=True)).to_have_count(len(faces))
    expect(thrown.get_by_text(say("web.gm.unseen"))).to_have_count(0)
    undoes(ana)
    expect(thrown.get_by_text(say("web.gm.unseen"))).to_be_visible()
    settled(ana, bob, zoe, eve)
    for who in (bob, zoe, eve):
        undone = say("web.happened.corrected", who="Ana", name="").rstrip(". ")
        expect(log_of(who).get_by_text(undone).first).to_be_attached()


def test_a_secret_throw_of_a_game_is_the_game_masters_alone(open_table: OpenTable) -> None:
    """Conteur: a player throws, and sees neither dice nor outcome; a hidden difficulty shows odds for likely ones."""
    ana, bob, zoe = around(open_table("conteur"), "Bob", "Zoé")
    part = ana.card().locator("form.gmpart")
    part.get_by_role("group", name=titled("fields.hidden", "conteur")).get_by_label(say("house.yes")).check()
    part.locator("label", has=ana.page.locator("[name$=':hidden_difficulty'][value='6']")).click()
    bob.tile("skill", re.compile("^Navires légers")).check()
    expect(bob.card().get_by_text(re.compile(r"\d\s*%")).first).to_be_visible()
    instead = ana.card().get_by_role("button", name=say("web.throw_for", who="Bob"))
    expect(instead).to_be_visible()
    part.get_by_text(say("web.say_otherwise")).click()  # what was judged has collapsed
    held: list[Any] = []
    ana.page.route("**/do/fill", lambda route: held.append(route))
    with ana.page.expect_request("**/do/fill"):
        part.get_by_role("group", name=titled("fields.secret", "conteur")).get_by_label(say("house.yes")).check()
    instead.click()
    settled(ana, bob)  # time enough for the throw, had it not waited for what makes it secret
    assert ana.view["moves"]["1"]["throws"] == []
    held.pop().continue_()
    ana.page.unroute("**/do/fill")
    expect(log_of(ana).locator("li.rolled .die").first).to_be_visible()
    settled(ana, bob, zoe)
    for who in (bob, zoe):
        assert who.page.locator("li.rolled .die, article.move .die").count() == 0, who.name
        assert not re.search(r'hidden_difficulty"?[^,}]*6', who.wire)


# Characters, notes, handouts


@pytest.mark.parametrize("system", ["conteur", "simulacres"])
def test_somebody_is_brought_hidden_shown_then_hidden_again(open_table: OpenTable, system: str) -> None:
    ana, bob, eve = around(open_table(system, waiting=False), "Bob", "Eve")
    ana.goes(f"{ana.base}/new")
    ready = ana.page.locator("section.readymade").last
    name = ready.get_by_role("heading").first.inner_text()
    ready.get_by_label(say("web.keep_hidden")).check()
    presses(ready, "web.choose_one", name=name)
    mine = sheet_of(ana, name)
    expect(mine.get_by_text(say("web.hidden"), exact=True)).to_be_visible()
    settled(ana, bob, eve)
    for who in (bob, eve):
        assert not who.knows(name), who.name
    presses(mine, "web.show_all")
    for who in (bob, eve):
        expect(sheet_of(who, name)).to_be_visible()
    mine.locator("details.inside > summary").click()
    presses(mine, "web.hide")
    for who in (bob, eve):
        expect(sheet_of(who, name)).to_have_count(0)
    expect(mine.get_by_text(say("web.hidden"), exact=True)).to_be_visible()


def test_a_document_is_for_one_or_for_all_and_a_note_for_oneself(open_table: OpenTable) -> None:
    ana, bob, zoe, eve = around(open_table("conteur", waiting=False), "Bob", "Zoé", "Eve")
    given = fold(ana, "web.handout")

    def gives(title: str, text: str, to: str = "", kind: str = "web.as_handout") -> None:
        given.get_by_label(say("web.title"), exact=True).fill(title)
        given.get_by_label(say("web.text"), exact=True).fill(text)
        if to:
            given.get_by_label(to, exact=True).check()
        given.get_by_label(say(kind), exact=True).check()
        presses(given, "web.give")
        expect(given.get_by_label(say("web.text"), exact=True)).to_have_value("")
        expect(log_of(ana).get_by_text(text)).to_be_visible()

    gives("Un billet", SECRET, to="Bob")
    expect(log_of(bob).locator("li", has_text=SECRET)).to_contain_text("→ Bob")
    expect(given.get_by_label("Bob", exact=True)).to_be_checked()  # or the next whisper would be for all
    given.get_by_label("Bob", exact=True).uncheck()
    gives("Plan du bord", "Trois ponts, un sas.")
    gives("", "le mécanicien ment", kind="web.as_note")
    for who in (bob, zoe, eve):
        expect(log_of(who).get_by_text("Trois ponts, un sas.")).to_be_attached()
    settled(ana, bob, zoe, eve)
    for who in (zoe, eve):
        assert not who.knows(SECRET)
        assert not who.knows("Un billet")
    for who in (bob, zoe, eve):
        assert not who.knows("mécanicien ment")


def test_one_then_several_are_asked_for_a_move(open_table: OpenTable) -> None:
    ana, bob, zoe = around(open_table("simulacres", waiting=False), "Bob", "Zoé")
    nour, isidore = (held["name"] for held in list(ana.view["records"].values())[:2])
    ana.finds("simple-test").click()
    start = ana.page.locator("#starting")
    start.get_by_role("combobox").first.select_option(label=f"{nour} (Bob)")
    presses(start, "web.begin")
    expect(bob.page.locator("article.move.mine")).to_have_count(1)
    ana.finds("simple-test").click()
    expect(start.get_by_role("group", name=say("web.ask_several")).get_by_label(isidore)).to_be_checked()
    presses(start, "web.ask_them")
    expect(bob.page.locator("article.move.mine")).to_have_count(2)
    expect(zoe.page.locator("article.move.mine")).to_have_count(1)
    expect(ana.page.locator("article.move")).to_have_count(3)


# Time, scenes


def test_a_night_passes_by_what_each_did_is_foreseen_amended_and_applied_then_taken_back(open_table: OpenTable) -> None:
    ana, bob, zoe, eve = around(open_table("conteur", waiting=False), "Bob", "Zoé", "Eve")
    records = ana.view["records"]
    for record in list(records)[:2]:
        ana.does("edit-record", record=record, path="energy", value=8)
    presses(fold(ana, "web.time"), "web.spans.night")
    slept = bob.page.get_by_label(titled("fields.sleep", "conteur"), exact=True)
    slept.fill("4, 3")
    presses(bob.bar, "web.said_so")
    night = ana.card("pass-time")
    expect(night.get_by_text("4, 3")).to_be_visible()
    expect(bob.card("pass-time").get_by_text(titled("fields.meals", "conteur"))).to_have_count(0)
    presses(ana.acting, "web.close_step")
    changes = night.get_by_role("group", name=say("web.consequences"))
    expect(changes).to_contain_text(moment(2, hour="8", minute="00"))
    for who in (bob, zoe, eve):
        expect(who.page.locator(".proposed")).to_contain_text(MAELLE)
    changes.get_by_label(re.compile(f"^{MAELLE} .*{say('web.amend')}$")).fill("15")
    changes.get_by_role("checkbox", name=re.compile(ANSELME)).uncheck()
    ana.applies()
    for who in (ana, bob, zoe, eve):
        expect(who.page.locator("#clock")).to_contain_text(moment(2, hour="8", minute="00"))
        expect(log_of(who).get_by_text(say("passed.night", system="conteur", n=1))).to_be_attached()
        expect(sheet_of(who, MAELLE)).to_contain_text("15/24")
        expect(sheet_of(who, ANSELME)).to_contain_text("8/24")
    presses(log_of(ana).locator("li.rolled").last, "web.undo")
    for who in (ana, bob, zoe, eve):
        expect(who.page.locator("#clock")).to_contain_text(moment(1, hour="19", minute="00"))
        expect(sheet_of(who, MAELLE)).to_contain_text("8/24")


def test_a_few_hours_give_breath_back_and_say_why(open_table: OpenTable) -> None:
    ana, bob, zoe = around(open_table("simulacres", waiting=False), "Bob", "Zoé")
    nour = next(iter(ana.view["records"]))
    ana.does("edit-record", record=nour, path="breath_points", value=1)
    presses(fold(ana, "web.time"), "web.spans.hours", n=4)
    for who in (bob, zoe):
        presses(who.bar, "web.said_so")
    passing = ana.card("pass-time")
    expect(passing.get_by_role("group", name=say("web.consequences"))).to_be_visible()
    ana.applies()
    told = log_of(bob).locator("li.rolled").last
    expect(told).to_contain_text(say("passed.hours", system="simulacres", n=4))
    told.get_by_text(say("web.why")).click()
    expect(told.locator("details.why li a.rule").first).to_be_visible()
    expect(sheet_of(bob, "Nour")).to_contain_text("4/4")


def test_scenes_and_episodes_begin_and_end(open_table: OpenTable) -> None:
    ana, bob, eve = around(open_table("simulacres", waiting=False), "Bob", "Eve")
    scenes = fold(ana, "web.scene")

    def begins(title: str, kind: str) -> None:
        fold(ana, "web.scene").get_by_label(say("web.title"), exact=True).fill(title)
        scenes.get_by_label(say("web.kind"), exact=True).select_option(kind)
        presses(fold(ana, "web.scene"), "web.begin")
        for who in (ana, bob, eve):
            expect(who.page.locator("#clock")).to_contain_text(title)

    def ends(key: str) -> None:
        presses(fold(ana, "web.scene"), key)
        expect(ana.acting.get_by_role("group", name=say("web.consequences"))).to_be_visible()
        ana.applies()

    begins("Le silence de la balise", "episode")
    begins("Le sas du pont C", "scene")
    ends("web.gm.end_scene")
    for who in (ana, bob, eve):
        expect(who.page.locator("#clock")).not_to_contain_text("Le sas du pont C")
        expect(who.page.locator("#clock")).to_contain_text("Le silence de la balise")
        expect(log_of(who).get_by_text(say("passed.scene", n=0))).to_be_attached()
    begins("La passerelle", "scene")
    ends("web.gm.end_episode")
    for who in (ana, bob, eve):
        expect(who.page.locator("#clock")).not_to_contain_text("balise")
        expect(who.page.locator("#clock")).not_to_contain_text("La passerelle")
    undoes(ana)
    expect(bob.page.locator("#clock")).to_contain_text("La passerelle")


# Sealed choices


@pytest.mark.parametrize("policy", ["default", "cancel"])
def test_a_sealed_choice_that_tarries_is_ended_as_the_game_master_said(open_table: OpenTable, policy: str) -> None:
    ana, bob, zoe = around(open_table("simulacres", waiting=False), "Bob", "Zoé")
    nour, isidore, *_ = ana.view["records"]
    ana.does("start-move", move="duel", cast={"initiator": [nour], "opponent": [isidore]})
    for who, record in ((bob, nour), (zoe, isidore)):
        fields = {"component": "body", "means": "action", "realm": "human"}
        who.does("fill", number=1, actor=record, values=fields)
    presses(bob.bar, "web.seal")
    expect(bob.page.get_by_text(say("web.sealed_mine"))).to_be_visible()
    duel = ana.card("duel")
    duel.get_by_text(say("web.more"), exact=True).click()
    late = duel.locator("form", has=ana.page.get_by_label(say("web.deadline"), exact=True))
    late.get_by_label(say("web.deadline"), exact=True).select_option(policy)
    late.get_by_label(say("web.seconds"), exact=True).fill("3600")
    presses(late, "web.set_it")
    expect(zoe.page.locator("article.move").get_by_text(say(f"web.deadlines.{policy}"))).to_be_visible()
    presses(duel, "web.close_step")
    if policy == "cancel":
        for who in (ana, bob, zoe):
            expect(log_of(who).get_by_text(say("web.phase.cancelled"))).to_be_attached()
            expect(who.page.locator("article.move")).to_have_count(0)
    else:
        expect(bob.roll).to_be_visible()
        expect(zoe.page.locator("article.move").get_by_text(say("web.awaited"))).to_have_count(0)


# Corrections, options, rules


@pytest.mark.parametrize(("system", "figure"), [("conteur", "dexterity"), ("simulacres", "body")])
def test_a_sheet_corrected_beyond_the_rules_is_marked_and_put_right(
    open_table: OpenTable, system: str, figure: str
) -> None:
    ana, bob = around(open_table(system, waiting=False), "Bob")
    record, held = next(iter(ana.view["records"].items()))
    before = held["sheet"][figure]
    ana.goes(f"{ana.base}/sheet/{record}")
    for folded in ana.page.locator("details", has=ana.page.locator(f"[name='v:{figure}']")).all():
        if folded.get_attribute("open") is None:
            folded.locator("summary").first.click()
    ana.page.locator(f"[name='v:{figure}']").fill("19")
    presses(ana.page, "web.keep_changes")
    expect(log_of(bob).locator("li", has_text=f"{before} → 19").get_by_text(say("web.beyond"))).to_be_visible()
    ana.comes_back()
    line = log_of(ana).locator("li", has_text=f"{before} → 19")
    expect(line.get_by_text(say("web.beyond"))).to_be_visible()
    presses(line, "web.undo")
    expect(line.get_by_role("button", name=say("web.undo"))).to_have_count(0)
    assert ana.view["records"][record]["sheet"][figure] == before
    expect(log_of(bob).locator("li.undone", has_text=f"{before} → 19")).to_be_attached()


def test_options_change_in_play_and_the_log_says_which(open_table: OpenTable) -> None:
    ana, bob = around(open_table("simulacres", waiting=False), "Bob")
    option = next(iter(find_system("simulacres").book.options.values()))
    other = next(value for value in option.values if value != option.default)
    ana.page.get_by_role("link", name=say("web.options"), exact=True).last.click()
    ana.page.get_by_label(option.title["fr"], exact=True).select_option(other)
    presses(ana.page.locator("form", has=ana.page.locator(".option")), "web.settle")
    ana.page.wait_for_url(re.compile(rf"{ana.base}/$"))
    for who in (ana, bob):
        expect(log_of(who)).to_contain_text(option.title["fr"])
        expect(log_of(who)).to_contain_text(option.words[other]["fr"])
    assert bob.view["rulings"][option.key] == other
    bob.page.get_by_role("link", name=say("web.options"), exact=True).click()
    first = bob.page.locator("dl.rulings > div").first  # what the table chose
    expect(first).to_contain_text(option.title["fr"])
    expect(first).to_contain_text(option.words[other]["fr"])
    assert bob.page.locator("main :is(select, button)").count() == 0
    undoes(ana)
    expect(log_of(ana).locator("li.undone", has_text=option.title["fr"])).to_be_attached()
    assert ana.view["rulings"][option.key] == option.default


@pytest.mark.parametrize("system", ["conteur", "simulacres"])
def test_rules_and_tables_are_at_hand(open_table: OpenTable, system: str) -> None:
    ana = open_table(system).gm()
    rules = fold(ana, "web.find_rule")
    rule = next(iter(find_system(system).book.rules.values()))
    rules.get_by_role("searchbox").fill(rule.id)
    expect(rules.get_by_text(rule.title["fr"]).first).to_be_visible()
    rules.get_by_role("searchbox").fill("zzzz")
    expect(rules.get_by_text(rule.title["fr"])).to_have_count(0)
    ana.page.get_by_role("link", name=say("web.tables"), exact=True).last.click()
    expect(ana.page.get_by_role("table").first).to_be_visible()


# Places


def test_places_links_and_a_second_game_master(open_table: OpenTable) -> None:
    ana, bob = around(open_table("conteur", waiting=False), "Bob")
    ana.page.on("dialog", lambda asked: asked.accept())
    ana.page.locator("#gm-more > summary").click()
    ana.page.get_by_role("link", name=say("web.links"), exact=True).click()

    def row(name: str) -> Any:
        return ana.page.get_by_role("listitem").filter(has_text=name)

    def invites(name: str, grade: str) -> str:
        ana.page.get_by_label(say("web.name"), exact=True).fill(name)
        ana.page.get_by_label(say("web.rank"), exact=True).select_option(grade)
        presses(ana.page, "web.invite")
        return str(ana.page.get_by_label(say("web.link"), exact=True).input_value())

    def opens(link: str) -> Any:
        page = ana.table.browsing.page(ana.table.browsing.context())
        page.goto(link)
        return page

    second = opens(invites("Léo", "gm"))
    expect(second.get_by_role("navigation", name=say("web.gm_side"))).to_be_visible()
    watching = opens(invites("Max", "spectator"))
    expect(watching.get_by_role("link", name=say("web.screen"))).to_be_visible()
    presses(row("Bob"), "web.renew")
    fresh = ana.page.get_by_label(say("web.link"), exact=True).input_value()
    expect(bob.page.get_by_text(say("errors.table/bad-link.title"))).to_be_visible()  # by itself
    bob.page.goto(f"{ana.table.url}/enter/{bob.token}")
    expect(bob.page.get_by_text(say("errors.table/bad-link.title"))).to_be_visible()
    again = opens(fresh)
    expect(again.get_by_role("heading", name=MAELLE)).to_be_visible()
    presses(row("Max"), "web.said_gone")
    expect(row("Max").get_by_text(say("web.gone"))).to_be_visible()
    presses(row("Max"), "web.revoke")
    expect(row("Max").get_by_text(say("web.gm.closed_seat"))).to_be_visible()
    expect(row("Max").get_by_role("button")).to_have_count(1)
    expect(watching.get_by_text(say("errors.table/bad-link.title"))).to_be_visible()
    ana.page.get_by_role("link", name=say("web.campaign.title"), exact=True).click()
    ana.page.get_by_label(say("web.next.title"), exact=True).fill("Le fanal s'éteint")
    presses(ana.page, "web.next.open")
    expect(ana.page.get_by_role("heading", name="Le fanal s'éteint")).to_be_visible()
    expect(again.get_by_text("Le fanal s'éteint").first).to_be_attached()  # the same link leads on


def test_the_game_masters_side_in_english_on_a_phone(open_table: OpenTable) -> None:
    ana = open_table("conteur", lang="en", waiting=False).gm(viewport=PHONE)
    for key in FOLDS:
        fold(ana, key)
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    behind = fold(ana, "web.gm.throw")
    behind.get_by_label(say("web.gm.dice", "en"), exact=True).fill("2d6")
    presses(behind, "web.gm.throw_now", "en")
    expect(log_of(ana).get_by_text(say("web.gm.unseen", "en"))).to_be_attached()
