"""What somebody must not see never leaves for them: not in the page, not on the wire."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, Person, say

pytestmark = pytest.mark.needs("chromium")
SECRET = "la trappe mène à la cale"
MAELLE = "Maëlle Tisserand"


def settled(*people: Person) -> None:
    """Everybody has heard a last word: whatever was to come before it has come."""
    speaker = people[0].table.people[""]
    word = f"mot {len(speaker.view['log'])}"
    speaker.says(word)
    for who in people:
        who.hears(word)


def test_a_whisper_and_a_note_reach_nobody_else(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    eve = table.joins("Eve", as_="spectator")
    ana.says(f"/w Bob {SECRET}")
    bob.hears(SECRET)
    ana.says("/n le traître est le mécanicien")
    ana.hears("le traître")
    settled(ana, bob, zoe, eve)
    for who in (zoe, eve):
        assert not who.knows(SECRET)
        assert not who.knows("trappe")
    for who in (bob, zoe, eve):
        assert not who.knows("traître")
        who.comes_back()
        who.goes(f"{who.base}/log")
        assert not who.knows("traître")
    for who in (zoe, eve):
        assert not who.knows(SECRET)


def test_a_hidden_character_is_nowhere_for_players_until_it_is_shown(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    hidden = ana.does("add-record", ready="ludmila", seen_by=["gm"])["record"]
    ana.does("edit-record", record=hidden, path="name", value="L'ombre du quai")
    expect(ana.sheets.get_by_role("heading", name="L'ombre du quai")).to_be_visible()
    settled(ana, bob, eve)
    for who in (bob, eve):
        who.comes_back()
        for word in ("L'ombre du quai", "L&#39;ombre", hidden):
            assert not who.knows(word), (who.name, word)
    ana.does("show-record", record=hidden, seen_by=["all"])
    for who in (bob, eve):
        expect(who.sheets.get_by_role("heading", name="L'ombre du quai")).to_be_visible()


def test_a_hidden_difficulty_tells_nothing_by_odds_or_otherwise(open_table: OpenTable) -> None:
    """Two tables differ only by the hidden difficulty: the player is shown the same, odds included."""
    seen = []
    for difficulty in (73, 1):
        table = open_table("conteur")
        ana, bob = table.gm(), table.joins("Bob")
        bob.takes(MAELLE)
        ana.does("fill", number=1, actor="gm", values={"hidden": True, "hidden_difficulty": difficulty})
        with bob.page.expect_response(re.compile("/do/fill")):
            bob.tile("skill", re.compile("^Navires légers")).check()
        expect(bob.card().get_by_text(re.compile(r"\d\s*%")).first).to_be_visible()
        settled(ana, bob)
        assert not re.search(r'[>"\s]73[<"\s]', bob.wire) or difficulty != 73
        seen.append([anonymous(text) for text in (
            drawn_anew(bob), bob.asks("GET", "/table/moves/1/odds").text,
            bob.asks("GET", "/table/moves/1/form").text,
        )])
    assert seen[0] == seen[1]


def drawn_anew(who: Person) -> str:
    """The acting part of a page just loaded: no request of its own on the way, nothing being put in its place."""
    who.comes_back()
    expect(who.acting.locator("[class*=htmx-]")).to_have_count(0)
    return str(who.acting.inner_html())


def anonymous(text: str) -> str:
    """Without the names that chance gives to tables, seats, records and forms."""
    return re.sub(r"[0-9a-f]{10,40}", "…", text)


def test_the_game_master_says_before_the_dice_how_much_of_a_throw_is_shown(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    maelle = next(name for name, held in ana.view["records"].items() if held["name"] == MAELLE)
    bob.does("take-record", record=maelle)
    bob.does("fill", number=1, actor=maelle, values={"attribute": "dexterity", "skill": "Navires légers"})
    menu = ana.card().get_by_text(say("web.more"), exact=True)
    menu.click()
    ana.card().get_by_label(say("web.shown_of_throw")).select_option("existence-only")
    ana.card().locator("form").filter(has=ana.page.get_by_label(say("web.shown_of_throw"))).get_by_role("button").click()
    expect(bob.card().get_by_text(say("web.kept_secret.existence-only"))).to_be_visible()
    assert bob.bar.get_by_role("button", name=say("web.real_dice")).count() == 0
    bob.roll.click()
    expect(bob.roll).to_have_count(0)
    expect(ana.bar.locator("button").locator("visible=true").first).to_be_visible()
    while "choice" in ana.view["moves"]["1"]:  # what would be asked of Bob would tell him how it goes
        assert "choice" not in bob.view["moves"]["1"]
        ana.does("close-step", number=1)
    expect(ana.card().get_by_role("button", name=say("web.turn_over"))).to_be_visible()
    [throw] = ana.view["moves"]["1"]["throws"]
    settled(ana, bob)
    assert bob.view["moves"]["1"]["throws"] == [{"step": "throw"}]
    ana.card().get_by_role("button", name=say("web.turn_over")).click()
    expect(bob.acting.get_by_role("img").first).to_be_visible()
    assert bob.view["moves"]["1"]["throws"][0]["outcome"] == throw["outcome"]


def test_a_move_started_behind_the_screen_is_nowhere_for_the_others(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    ana.goes(f"{ana.base}/start/throw")
    ana.page.get_by_label(say("web.shown_of_throw")).first.select_option("invisible")
    with ana.page.expect_response(re.compile("/do/start")):
        ana.page.get_by_role("button", name=say("web.begin"), exact=True).click()
    ana.comes_back()
    expect(ana.card().get_by_text(say("web.kept_secret.invisible"))).to_be_visible()
    settled(ana, bob)
    bob.comes_back()
    assert bob.view["moves"] == {}
    assert bob.card().count() == 0


def test_a_blind_roll_is_seen_by_the_game_master_alone(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    bob.says("/br 3d1000 # à l'aveugle")
    expect(ana.log.get_by_role("img").nth(2)).to_be_visible()
    faces = [face for hand in ana.view["moves"]["2"]["throws"][0]["dice"] for face in hand["faces"]]
    total = str(sum(faces))
    settled(ana, bob, zoe)
    for who in (bob, zoe):
        assert who.log.get_by_role("img").count() == 0
        assert not re.search(rf"\b{total}\b", who.page.inner_text("main")), who.name
        for face in faces:
            assert f": {face}\"" not in who.wire or face < 10
    assert not zoe.knows("l'aveugle")
    assert not zoe.knows("l&#39;aveugle")


def test_what_is_sealed_is_sealed_for_the_game_master_too(open_table: OpenTable) -> None:
    """Simulacres, a duel declared under seal: two tables differ by what Bob sealed, and nobody else can tell."""
    seen = []
    for sealed in ({"power": 1}, {"precision": 1, "ep": 1}):
        table = open_table("simulacres", waiting=False)
        ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
        nour, isidore, _ = ana.view["records"]
        bob.does("take-record", record=nour)
        zoe.does("take-record", record=isidore)
        ana.does("start-move", move="duel", cast={"initiator": [nour], "opponent": [isidore]})
        fields = bob.asks("GET", "/table/moves/1/form").json()["fields"]
        for asked in ana.asks("GET", "/table/moves/1/form").json()["fields"]:
            if "hidden" in asked["field"]:
                ana.does("fill", number=1, actor=asked["actor"], values={asked["field"]: True})
                fields = bob.asks("GET", "/table/moves/1/form").json()["fields"]
        name = next(field["field"] for field in fields if field["secrecy"] == "sealed")
        bob.does("fill", number=1, actor=nour, values={name: sealed})
        for who in (ana, zoe):
            expect(who.card("duel").get_by_text(say("web.sealed")).first).to_be_attached()
        settled(ana, bob, zoe)
        seen.append([
            anonymous(text) for who in (ana, zoe)
            for text in (drawn_anew(who), who.asks("GET", "/table/moves/1/odds").text)
        ])
    assert seen[0] == seen[1]


def test_hidden_things_do_not_move_a_players_numbers(open_table: OpenTable) -> None:
    """Ids of the stream are the seat's own: however much is hidden, they have no gaps."""
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    for n in range(3):
        ana.says(f"/n note {n}")
        ana.says(f"ligne {n}")
    bob.hears("ligne 2")
    start = bob.wire.rindex("<!doctype html>")
    ids = [int(found) for found in re.findall(r"(?m)^id: (\d+)$", bob.wire[start:])]
    assert ids == sorted(ids)
    assert max(ids) == bob.view["last"]
    first = bob.view["last"] - 3
    assert {first + 1, first + 2, first + 3} <= set(ids) | {first + 1}
