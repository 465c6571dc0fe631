"""What people say: the line of talk, whispers, free dice, the stop card."""

import re

import pytest
from playwright.sync_api import expect

from paravent.game import UnknownName
from paravent.table import commands as c
from paravent.web.talk import BehindTheScreen, Talker, UnknownCommand, WhichOne, is_plain, read_line

from .conftest import PHONE, OpenTable, Person, say

# What a line stands for

ZOE = "Zoé de la Forêt"
BOB = Talker(
    "b", {"a": "Ana", "b": "Bob", "z": ZOE, "m": "Max 1", "n": "Max 2"}, masters=("a",),
    characters={"Maëlle Tisserand": ("z",), "L'amiral": ("a",)}, acts_as="Nour",
)
ANA = Talker("a", BOB.seats, is_gm=True, masters=("a",))


@pytest.mark.parametrize(("typed", "to", "text"), [
    ("/w Ana bonjour", "a", "bonjour"),
    ("/w ana bonjour", "a", "bonjour"),
    (f"/w {ZOE} tu viens ?", "z", "tu viens ?"),
    ("/w zoe de la foret tu viens ?", "z", "tu viens ?"),
    ("/w Zoé de quoi parles-tu ?", "z", "de quoi parles-tu ?"),
    ("/w Zoé, Bob nous ment", "z", "Bob nous ment"),  # one name only: a comma does not send it to Bob
    ("/w Zoé, Ana : venez", "za", "venez"),
    ("/w Zoé et Ana: venez", "za", "venez"),
    ('/w "Zoé de la Forêt" venez', "z", "venez"),
    (f"/w «\u00a0{ZOE}\u00a0» venez", "z", "venez"),
    ("/w Maëlle venez", "z", "venez"),
    ("/w l'amiral à vos ordres", "a", "à vos ordres"),
    ("/w mj psst", "a", "psst"),
    ("/w Max 2 viens", "n", "viens"),
    ("/murmure Ana : bonjour", "a", "bonjour"),
    ("/n à ne pas oublier", "b", "à ne pas oublier"),
])
def test_a_whisper_goes_to_whom_it_names_and_to_nobody_else(typed, to, text):
    said = read_line(typed, BOB)
    assert isinstance(said, c.Say)
    assert (said.kind, set(said.to), said.text) == ("whisper", set(to), text)


@pytest.mark.parametrize(("typed", "error"), [
    ("/w Anabelle bonjour", UnknownName),  # never to Ana
    ("/w personne", UnknownName),
    ("/w", UnknownName),
    ("/w Max viens", WhichOne),
    ("/hr 2d6", BehindTheScreen),
    ("/danse", UnknownCommand),
])
def test_a_line_that_is_not_understood_is_refused(typed, error):
    with pytest.raises(error):
        read_line(typed, BOB)


def test_lines_of_the_story_notes_and_throws():
    assert read_line("/me sourit", BOB) == c.Say(text="Nour sourit", kind="story", seat="b")
    assert read_line("/s La nuit tombe", BOB) == c.Say(text="La nuit tombe", kind="story", seat="b")
    assert read_line("/n se méfier", ANA) == c.Say(text="se méfier", kind="note", seat="a")
    assert read_line("/nom Zed", BOB) == c.RenameSeat(who="b", name="Zed", seat="b")
    for typed, grade in (("/r 2d6", "open"), ("/R 2d6", "open"), ("!r 2d6", "open"), ("/gmr 2d6", "gm"),
                         ("/br 2d6", "blind"), ("2d6", "open")):
        thrown = read_line(typed, BOB)
        assert isinstance(thrown, c.StartMove)
        assert thrown.form == {"b": {"expression": "2d6", "grade": grade}}
    assert isinstance(read_line("!important, non ?", BOB), c.Say)


@pytest.mark.parametrize("typed", [
    "la porte cède", "  2 d6 ou 3 ?", "!important, non ?", "/", "/ r 2d6", "et /r 2d6", "2d6 ou rien", "2d6",
    " 2d6 # oui", "/r 2d6", " !r 2d6", "/me sourit", "/danse", "/w Ana bonjour", "/n à revoir", "/x",
])
def test_what_is_plainly_said_is_said_as_it_stands_and_nothing_else_is(typed):
    try:
        read = read_line(typed, ANA)
    except UnknownCommand:
        read = None
    assert is_plain(typed) == (read == c.Say(text=typed.strip(), seat="a"))


# In browsers


def refused(who: Person, typed: str, *words: str) -> None:
    """The line is refused with these words, and what was typed is still there."""
    who.line.fill(typed)
    who.line.press("Enter")
    for word in words:
        expect(who.page.get_by_role("alert").first).to_contain_text(word)
    expect(who.line).to_have_value(typed)
    who.line.fill("")


@pytest.mark.needs("chromium")
def test_free_dice_from_the_line_of_talk(open_table: OpenTable) -> None:
    """Kept dice, exploding dice, pools, comments; what other tables write otherwise; what each grade shows to whom."""
    table = open_table("conteur", waiting=False)
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    for typed, dice, faces in (("4D6k3 # pour voir", "4D6k3", 4), ("/r 5d10>=7 le tir", "5d10>=7", 5),
                               ("/roll 2d6*10", "2d6*10", 2), ("/r 100d1000", "100d1000", 100)):
        bob.says(typed)
        for who in (bob, ana, eve):
            result = who.page.get_by_text(re.compile(re.escape(dice) + r"\s: \d"))
            line = who.log.get_by_role("listitem").filter(has=result)
            expect(line).to_be_visible()
            expect(line.get_by_role("img")).to_have_count(faces)
            expect(line.get_by_text(say("moves.free-throw.title"))).to_have_count(1)
    bob.hears("pour voir")
    refused(bob, "/r 4dF", "4d3-8")
    refused(bob, "/r 3d6 + force", "force")
    refused(bob, "/hr 2d6", "/br 2d6")
    refused(bob, "/danse", "/danse", "/me", "/w")
    bob.says("/br 3d7+2")
    expect(ana.log.get_by_text(re.compile(r"3d7\+2\s: \d"))).to_be_visible()
    expect(bob.log.get_by_text(say("web.unseen"))).to_be_visible()
    ana.says("/gmr 3d9+2")
    expect(ana.log.get_by_text(re.compile(r"3d9\+2\s: \d"))).to_be_visible()
    ana.says("/hr 3d11+2")
    expect(ana.log.get_by_text(re.compile(r"3d11\+2\s: \d"))).to_be_visible()
    ana.says("tout est lancé")
    for who in (bob, eve):
        who.hears("tout est lancé")
        assert not who.knows("3d9+2")
        assert not who.knows("3d11+2")
    assert not eve.knows("3d7+2")
    assert not re.search(r"3d7\+2\s: \d", bob.wire)


@pytest.mark.needs("chromium")
def test_whispers_and_story_lines_with_names_of_all_kinds(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    hostile = "<img src=x onerror=alert(1)>"
    ana, bob, zoe, hal = table.gm(), table.joins("Bob"), table.joins(ZOE), table.joins(hostile)
    bob.says("/w zoe rendez-vous à la passerelle")
    zoe.hears("rendez-vous à la passerelle")
    ana.says(f"/w Bob, {ZOE} : vous deux, écoutez")
    for who in (bob, zoe):
        who.hears("vous deux, écoutez")
    ana.says(f"/w {hostile} </span><script>alert(2)</script>")
    hal.hears("</span><script>alert(2)</script>")
    zoe.says("/me ouvre la porte & <b>crie</b>")
    bob.hears(f"{ZOE} ouvre la porte & <b>crie</b>")
    bob.says("/nom Robert")
    zoe.hears("Bob → Robert")
    bob.says("/n ne pas oublier la clé")
    bob.hears("ne pas oublier la clé")
    for who, secret in ((hal, "rendez-vous"), (hal, "vous deux, écoutez"), (ana, "rendez-vous"), (ana, "la clé"),
                        (bob, "alert(2)")):
        assert not who.knows(secret)
    for who in (ana, bob, zoe, hal):
        assert who.page.locator("#log img, #log script, #seats img").count() == 0


@pytest.mark.needs("chromium")
def test_help_is_at_hand_and_its_keys_work(open_table: OpenTable) -> None:
    table = open_table("conteur")
    bob = table.joins("Bob")
    for typed in ("/aide", "/help", "/?"):
        bob.line.fill(typed)
        bob.line.press("Enter")
        sheet = bob.page.get_by_role("dialog", name=say("web.help"))
        expect(sheet).to_be_visible()
        expect(sheet.get_by_text("/gmr 2d6")).to_be_visible()
        expect(sheet.get_by_text("4d6k3").first).to_be_visible()
        bob.page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        expect(bob.line).to_have_value("")
    bob.page.get_by_role("heading", name=say("web.start_move"), exact=True).click()
    bob.page.keyboard.press("?")
    expect(sheet).to_be_visible()
    bob.page.keyboard.press("/")  # nothing behind an open sheet
    expect(bob.line).not_to_be_focused()
    bob.page.keyboard.press("Escape")
    for key, heading in (("f", "web.sheets"), ("a", "web.now"), ("j", "web.log")):
        bob.page.keyboard.press(key)
        expect(bob.page.get_by_role("heading", name=re.compile("^" + say(heading)), level=2)).to_be_focused()
    bob.page.keyboard.press("/")
    expect(bob.page.locator("#find")).to_be_focused()
    bob.page.keyboard.press("Escape")
    bob.page.keyboard.press("m")
    expect(bob.line).to_be_focused()
    bob.page.keyboard.type("faj?/")  # once one writes, they are letters
    expect(bob.line).to_have_value("faj?/")


@pytest.mark.needs("chromium")
def test_the_stop_card_from_a_phone_and_by_the_keyboard_has_no_author(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    zoe = table.joins("Zoé", viewport=PHONE, has_touch=True)
    eve = table.joins("Eve", as_="spectator")
    eve.goes(f"{eve.base}/screen")
    ana.does("open-scene", title="Le sas")
    undo = ana.page.locator("#gm").get_by_role("button", name=say("web.undo"))
    expect(undo).to_contain_text("Le sas")
    bob.line.fill("j'écrivais ceci")
    zoe.page.get_by_role("button", name=say("web.log"), exact=True).tap()
    zoe.page.get_by_role("button", name=re.compile(say("web.stop") + "$")).tap()
    for who in (ana, bob, zoe, eve):
        card = who.page.get_by_role("dialog", name=say("web.stopped"))
        expect(card).to_be_visible()
        if who is not eve:
            card.get_by_role("button", name=say("web.dismiss")).click()
            expect(card).to_be_hidden()
    expect(bob.line).to_have_value("j'écrivais ceci")
    bob.line.fill("/x")
    bob.line.press("Enter")
    expect(ana.page.get_by_role("dialog", name=say("web.stopped"))).to_be_visible()
    bob.comes_back()  # the pause does not come back with the page once one went on… but this one is new
    expect(bob.page.get_by_role("dialog", name=say("web.stopped"))).to_be_visible()
    bob.page.get_by_role("dialog", name=say("web.stopped")).get_by_role("button", name=say("web.dismiss")).click()
    bob.comes_back()
    expect(bob.page.get_by_role("dialog", name=say("web.stopped"))).to_be_hidden()
    bob.says("on en parle")
    zoe.page.get_by_text("on en parle").first.wait_for(state="attached")
    expect(eve.page.get_by_role("dialog", name=say("web.stopped"))).to_be_visible()
    ana.clicks("web.go_on")  # the table goes on by one tap: so does every page, the room's screen too
    for who in (ana, bob, zoe, eve):
        expect(who.page.get_by_role("dialog", name=say("web.stopped"))).to_be_hidden()
    expect(undo).to_contain_text("Le sas")  # that the table goes on is nothing that one takes back
    for who in (ana, bob, zoe, eve):
        cards = [line for line in who.view["log"] if line["type"] == "card-played"]
        assert len(cards) == 2
        assert not any("by" in line for line in cards)
