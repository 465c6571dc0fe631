"""A record that is a map: drawn on its page for those who may see it, and kept as a file for other programs."""

import re

import pytest
from starlette.testclient import TestClient

from paravent.dice import ScriptedDice, play
from paravent.game import LANGUAGES, to_plain
from paravent.game.telling import Teller
from paravent.store import open_log
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.trade.kinds import Cargo, Seen
from paravent.systems.empire.trade.trade import Lot
from paravent.systems.empire.worlds.sector import Density, sector
from paravent.web.app import create_app

from .test_api import Program


@pytest.fixture
def ana():
    with TestClient(create_app(open_log("memory:"))) as client:
        opened = client.post("/api/tables", json={"system": "empire", "name": "Soirée", "game_master": "Ana"})
        yield Program(client, opened.json()["token"])


def sheet_of(who: Program, record: str, lang: str = "fr"):
    """A sheet's page and the address of its files."""
    entered = who.client.get(f"/enter/{who.token}")
    base = re.match(r"/t/\w+/\w+", entered.url.path)[0]
    return who.client.get(f"{base}/sheet/{record}?lang={lang}"), f"{base}/record/{record}"


def named(who: Program, name: str, kind: str) -> str:
    return next(at for at, held in who.view["records"].items() if (held["name"], held["kind"]) == (name, kind))


def test_a_sector_is_drawn_for_the_game_master_and_a_chart_for_the_players(ana):
    made = play(sector, "Marges", Density.MEAN, "ourmansk", SYSTEM.book.rulings(), dice=ScriptedDice()).result
    ana.does("add-record", kind="sector", sheet=to_plain(made))
    whole = named(ana, "Marges", "sector")
    page, files = sheet_of(ana, whole)
    assert 'aria-label="Carte de Marges\u00a0: 48 lieux"' in page.text
    assert page.text.count('stroke-width="3.5"') == 5
    assert "H 4·2·6" in page.text
    assert "grande route" in page.text
    lost = page.text.partition("Ce que ces fichiers ne disent pas")[2].partition("</details>")[0]
    assert ["Tableur (CSV)" in lost, "les bêtes" in lost, "Fiche entière" in lost] == [True, True, False]
    kept = ana.client.get(f"{files}?as=t5")
    assert kept.headers["content-type"].startswith("text/plain")
    assert re.search(r"^0403\t[^\t]{3,}\tA432AD5-F(\t[^\t]*){11}\tH\t", kept.text, re.MULTILINE)
    assert ana.client.get(f"{files}?as=pdf").status_code == 404
    number = ana.does("start-move", move="share-map", cast={"sector": [whole]},
                      form={"gm": {"known_squares": ["0403"]}})["number"]
    ana.does("throw", number=number)
    ana.does("accept", number=number)
    bob = ana.invites("Bob")
    assert sheet_of(bob, whole)[0].status_code != 200
    chart, _ = sheet_of(bob, named(bob, "Marges", "chart"), "en")
    assert chart.text.count('width="100" height="100"') == 99
    assert "I 8·8·5" not in chart.text


def test_what_a_move_brings_is_called_what_it_is_unless_it_is_born_with_a_name(ana):
    ana.does("add-record", sheet={"name": "Nadir", "credits": 900})
    nadir = named(ana, "Nadir", "character")
    number = ana.does("start-move", move="acquire-object", cast={"initiator": [nadir]})["number"]
    ana.does("fill", number=number, values={"weapon": "sword"}, actor=nadir)
    ana.does("answer", number=number, answer="agree")
    ana.does("throw", number=number)
    ana.does("fill", number=number, values={"haggles": False}, actor=nadir)
    ana.does("fill", number=number, values={"accept": True}, actor=nadir)
    ana.does("accept", number=number)
    assert ana.view["records"][named(ana, "épée", "item")]["sheet"]["model"] == "sword"
    number = ana.does("start-move", move="generate-animal", form={"gm": {"oceans_o": 6}})["number"]
    ana.does("throw", number=number)
    ana.does("accept", number=number)
    (born,) = (held["name"] for held in ana.view["records"].values() if held["kind"] == "animal")
    assert born
    assert not born.startswith("Animal")


def test_of_a_list_that_changes_only_what_changed_is_told(ana):
    made = play(sector, "Marges", Density.MEAN, "ourmansk", SYSTEM.book.rulings(), dice=ScriptedDice()).result
    ana.does("add-record", kind="sector", sheet=to_plain(made))
    whole = named(ana, "Marges", "sector")
    form = {"square": "0102", "edit": "set_name", "text": "Drusk"}
    number = ana.does("start-move", move="edit-square", cast={"sector": [whole]}, form={"gm": form})["number"]
    ana.does("throw", number=number)
    page = ana.client.get(re.match(r"/t/\w+/\w+", ana.client.get(f"/enter/{ana.token}").url.path)[0] + "/").text
    change = page[page.index("Retoucher un carreau"):]
    assert "Drusk" in change
    assert "0403" not in change[:change.index("</article>")]


SOLD, WANTED = ("matières précieuses, objets manufacturés ×2", "precious materials, manufactured goods ×2"), (
    "animaux, armes", "animals, arms")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_a_merchant_saw_on_markets_is_told_by_world_and_goods_and_its_rolls_are_folded(ana, lang):
    seen = Seen("0403", "Vharsk", 4, 0, (3, 9, 9), (5, 11))
    hold = Cargo("Soute", lots=(Lot("arms", 7, 2),), markets_seen=(seen,))
    ana.does("add-record", kind="cargo", sheet=to_plain(hold))
    page, _ = sheet_of(ana, named(ana, "Soute", "cargo"), lang)
    read = " ".join(re.sub(r"<[^>]+>", " ", page.text.partition('<details class="noprint editing')[0]).split())
    at = LANGUAGES.index(lang)
    assert f"Vharsk {SOLD[at]} 1" in read
    assert f"Vharsk {WANTED[at]} 1" in read
    before, _, folded = read.partition(("Marchés vus (jets)", "Markets seen (rolls)")[at])
    assert "3, 9, 9" in folded
    assert "3, 9, 9" not in before
    assert "× 7" not in read  # how many is said once
    blocks = Teller(lang, SYSTEM).sheet(SYSTEM.kind("cargo"), to_plain(hold),
                                        SYSTEM.kind("cargo").derived(hold, SYSTEM.book.rulings()))
    told = [" ".join(text for _, text in block.lines).replace("\u00a0", " ") for block in blocks]
    assert [SOLD[at] in text and "Vharsk" in text for text in told] == [True, False, False]
