"""The account of the evening: read, searched, pointed at, taken away; its dice verified."""

import json
import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from paravent.cli import main
from paravent.table.verify import verify

from .conftest import OpenTable, Person, say

pytestmark = pytest.mark.needs("chromium")
HOSTILE = "Qui est là ? <script>alert(1)</script>"


def throws(who: Person, expression: str, grade: str = "open", faces: list[int] | None = None) -> int:
    """A free throw by the interface for programs; by hand, with these faces, if any are given."""
    form = {who.seat: {"expression": expression, "grade": grade}}
    number = who.does("start-move", move="free-throw", form=form)["number"]
    who.does("throw", number=number, nonce="grain", by_hand=faces is not None)
    if faces is not None:
        who.does("answer", number=number, answer=faces)
    return number


def downloaded(who: Person, key: str, to: Path) -> str:
    with who.page.expect_download() as waiting:
        who.page.get_by_role("link", name=say(key), exact=True).click()
    waiting.value.save_as(to)
    return to.read_text()


def account(who: Person) -> str:
    return who.page.locator("#account").inner_text()


def test_each_reads_and_takes_away_what_they_saw_and_its_dice_are_verified(
    open_table: OpenTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    ana.does("open-scene", title="Premier épisode", kind="episode")
    ana.does("open-scene", title="La coursive <b>froide</b>")
    bob.does("say", text=HOSTILE)
    bob.does("say", text="Une ombre passe.", kind="story")
    bob.does("say", text="tu l'as vue ?", kind="whisper", to=[zoe.seat])
    throws(bob, "3d6+2 # le levier")
    throws(bob, "2d8", "blind")
    throws(zoe, "2d10", faces=[4, 7])
    ana.does("say", text="ne rien dire du sas", kind="note")
    number = throws(ana, "2d12", "hidden")
    codes: dict[str, dict[str, str]] = {}
    for who in (ana, bob, zoe):
        who.goes(f"{who.base}/log")
        told = account(who)
        expect(who.page.get_by_role("heading", name="Premier épisode")).to_be_visible()
        for words in (HOSTILE, "Une ombre passe.", "le levier", "La coursive <b>froide</b>"):
            assert words in told
        assert ("tu l'as vue" in told) == (who is not ana)
        assert ("du sas" in told) == (who is ana)
        assert bool(re.search(r"2d12\s:", told)) == (who is ana)
        assert bool(re.search(r"2d8\s: \d", told)) == (who is ana)
        who.page.get_by_role("link", name=say("web.verify.link")).click()
        counts = {ana: (3, 0, 1), bob: (1, 1, 1), zoe: (1, 0, 1)}[who]
        verdict = say("cli.files.verdict", verified=0, sealed=counts[1], by_hand=counts[2])  # thrown by programs
        expect(who.page.get_by_role("status").filter(has_text=say("web.verify.holds"))).to_be_visible()
        for kind, n in (("host-alone", counts[0]), ("sealed", counts[1]), ("by-hand", counts[2])):
            expect(who.page.get_by_text(say(f"cli.files.{kind}", n=n))).to_have_count(min(n, 1))
        codes[who.seat] = dict(zip(who.page.locator("#codes dt").all_inner_texts(),
                                   who.page.locator("#codes dd").all_inner_texts(), strict=True))
        who.goes(f"{who.base}/log")
        kept = tmp_path / f"{who.seat}.jsonl"
        lines = downloaded(who, "web.export", kept).splitlines()
        assert verify(lines)[:3] == counts
        capsys.readouterr()
        assert main(["verify", str(kept)]) == 0
        assert verdict in capsys.readouterr().out  # the command says the same of the file
        assert all(json.loads(line) for line in lines)
        text = downloaded(who, "web.as_text", tmp_path / f"{who.seat}.txt")
        assert "# Premier épisode" in text
        assert HOSTILE in text
        for file in (text, "\n".join(lines)) if who is not ana else (text,):
            assert ("tu l'as vue" in file) == (who is not ana)
            assert ("du sas" in file) == (who is ana)
    label = say("web.verify.with_whom")
    assert codes[bob.seat][f"{label} Zoé"] == codes[zoe.seat][f"{label} Bob"] != ""
    assert codes[ana.seat][f"{label} Bob"] in codes[bob.seat].values()
    ana.does("turn-over", number=number, step="throw")
    zoe.goes(f"{zoe.base}/verify")
    expect(zoe.page.get_by_text(say("cli.files.unannounced", n=1))).to_be_visible()


def test_a_line_is_pointed_at_for_whoever_may_read_it(open_table: OpenTable) -> None:
    """The same address opens at the line from any seat that may see it; for the others there is no such line."""
    table = open_table("conteur", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    bob.says("regardez bien ceci")
    bob.says("/w Zoé rien que pour toi")
    zoe.hears("rien que pour toi")
    bob.goes(f"{bob.base}/log")
    for text, readers in (("regardez bien ceci", (ana, bob, zoe)), ("rien que pour toi", (bob, zoe))):
        line = bob.page.locator("#account > li", has_text=text)
        address = line.get_by_role("link", name=say("web.permalink")).get_attribute("href")
        assert bob.seat not in address
        for who in (ana, bob, zoe):
            who.goes(address)
            who.page.wait_for_url(re.compile(rf"{who.base}/log\?line=\w+#l-\w+$"))
            if who in readers:
                expect(who.page.locator(":target")).to_contain_text(text)
                expect(who.page.locator(":target")).to_be_in_viewport()
            else:
                expect(who.page.get_by_text(say("web.line_missing"))).to_be_visible()
                there = who.page.locator("main").inner_html()
                made_up = who.page.url.replace(address.rpartition("/")[2], "0123456789ab")
                who.page.goto(made_up)
                assert who.page.locator("main").inner_html() == there  # as if it did not exist
        bob.goes(f"{bob.base}/log")
    stranger = table.browsing.page(table.browsing.context())
    stranger.goto(table.url + address)
    expect(stranger.get_by_text(say("web.line_help"))).to_be_visible()


def test_a_long_evening_is_read_by_pages_searched_and_filtered(
    open_table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond what the table keeps at hand (made short here), every line and every throw is still there."""
    monkeypatch.setattr("paravent.table.state.MOVES", 5)
    monkeypatch.setattr(sys.modules["paravent.table.evolve"], "MOVES", 5)
    monkeypatch.setattr(sys.modules["paravent.table.view"], "LINES", 15)
    monkeypatch.setattr("paravent.web.logbook.LINES", 20)
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    ana.does("open-scene", title="Le début")
    throws(bob, "3d6 # tout premier jet")
    for n in range(12):
        throws(bob, f"2d6 # jet {n}")
    for n in range(40):
        ana.does("say", text=f"phrase {n}", kind="story" if n % 2 else "message")
    ana.does("open-scene", title="La fin")
    bob.does("say", text="Élégante conclusion")
    assert "tout premier jet" not in str(bob.view)
    bob.goes(f"{bob.base}/log")
    expect(bob.page.get_by_text("Élégante conclusion")).to_be_visible()
    assert bob.page.locator("#account > li").count() <= 20
    bob.page.get_by_text(say("web.contents"), exact=True).click()
    bob.page.get_by_role("link", name="Le début").click()
    expect(bob.page.locator(":target")).to_contain_text("Le début")
    expect(bob.page.get_by_text("tout premier jet")).to_be_visible()
    expect(bob.page.get_by_text(say("web.page_of", number=1, last=3)).first).to_be_visible()
    bob.page.get_by_role("link", name=say("web.later")).first.click()
    expect(bob.page.get_by_text(say("web.page_of", number=2, last=3)).first).to_be_visible()
    search = bob.page.get_by_role("searchbox", name=say("web.search"))
    search.fill("elegante")  # accents and capitals do not matter
    search.press("Enter")
    expect(bob.page.locator("#account > li")).to_have_count(1)
    search.fill("")
    bob.page.get_by_label(say("web.filter")).select_option("rolls")
    bob.page.get_by_role("button", name=say("web.search")).click()
    expect(bob.page.get_by_text(say("web.lines", n=13))).to_be_visible()
    bob.page.get_by_label(say("web.filter")).select_option("story")
    bob.page.get_by_role("button", name=say("web.search")).click()
    expect(bob.page.get_by_text(say("web.lines", n=22))).to_be_visible()
    search.fill("introuvable")
    search.press("Enter")
    expect(bob.page.get_by_text(say("web.lines", n=0))).to_be_visible()


def test_what_was_taken_back_reads_as_such(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    ana.does("say", text="La porte explose.", kind="story")
    record = next(iter(ana.view["records"]))
    ana.does("edit-record", record=record, path="name", value="Nour la Brève")
    ana.goes(f"{ana.base}/log")
    for text in ("La porte explose.", "Nour la Brève"):
        line = ana.page.locator("#account > li", has_text=text).last
        line.get_by_role("button", name=say("web.undo")).click()
        ana.page.wait_for_url(re.compile(rf"{ana.base}/log$"))
        expect(ana.page.locator("#account > li", has_text=text).last).to_contain_text(say("web.taken_back"))
    bob.goes(f"{bob.base}/log")
    expect(bob.page.get_by_text(say("web.taken_back"), exact=True)).to_have_count(2)
    undone = say("web.happened.corrected", who="Ana", name="").rstrip(". ")
    expect(bob.page.get_by_text(undone)).to_have_count(2)
    expect(bob.page.get_by_text("La porte explose.")).to_have_count(0)  # what is taken back is no longer told
    bob.goes(f"{bob.base}/")
    expect(bob.log.get_by_text(say("web.taken_back"), exact=True)).to_have_count(2)
