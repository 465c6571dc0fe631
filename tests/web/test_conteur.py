"""Conteur D10 as it is played: an evening through its six moments, by what people read and touch and nothing else.

Three browsers, one of them a phone; nobody but the game master ever learns of Zéphirin in the shadows.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from paravent.table import playing

from .budget import FallingAs
from .conftest import PHONE, OpenTable, Person, say, titled
from .evening import keep_picture
from .test_friday import Guest, client, link_in, opens

__all__ = ["client"]

FACES: list[int] = []
Fall = Callable[..., None]


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Fall:
    """Say how the next dice fall; then all are 9."""
    monkeypatch.setattr(playing, "faces_of", lambda *_: FallingAs(
        lambda n, sides: tuple(FACES.pop(0) if FACES else 9 for _ in range(n))))
    FACES.clear()
    return lambda *faces: FACES.extend(faces)


Words = str | re.Pattern[str]


def shown(what: Any) -> Any:
    """The first of these that can be seen."""
    return what.locator("visible=true").first


def taps(where: Any, words: Words, role: Any = "button") -> None:
    """Touch what is called so."""
    shown(where.get_by_role(role, name=words, exact=isinstance(words, str))).click()


def chooses(who: Person, field: str, option: str) -> None:
    """Touch a value of the sheet by what it reads: in the bar where it is awaited, else on the card."""
    radio = who.acting.get_by_role("group", name=field).get_by_role("radio", name=option, exact=True)
    shown(who.bar.get_by_role("button", name=option, exact=True).or_(radio)).click()


def judges(who: Person, words: str) -> None:
    shown(who.bar.get_by_text(words, exact=True)).click()


def throws(who: Person) -> None:
    taps(who.bar, re.compile("^Lancer"))


def keeps(who: Person) -> None:
    taps(who.bar, "Garder ce résultat")


def begins(who: Person, move: str) -> None:
    """Take an action by its name; where it does not stand there, look for it."""
    words = re.compile(f"^{move}")
    named = who.page.get_by_role("link", name=words).or_(who.page.get_by_role("button", name=words))
    searched = who.page.get_by_role("searchbox").locator("visible=true")
    expect(named.locator("visible=true").or_(searched).first).to_be_visible()
    if not named.locator("visible=true").count():
        searched.first.fill(move)
    shown(named).click()


def creates(bob: Person, ana: Person) -> None:
    """A character with a name and three skills of the table's ideas, which the game master accepts in one tap."""
    taps(bob.page, "Amener un personnage", "link")
    taps(bob.page, re.compile("^Créer le vôtre"), "link")
    taps(bob.page, "Commencer")
    expect(bob.page.get_by_role("spinbutton", name="Mental")).to_have_value("5")
    bob.page.get_by_role("spinbutton", name="Dextérité").fill("7")
    taps(bob.page, "Suivant : Compétences")
    expect(bob.page.get_by_role("heading", name="Ce que vous savez faire")).to_be_visible()
    for at, (skill, family, dice) in enumerate((("Mécanique", "knowledge", 4), ("Tir", "actions", 3),
                                                ("Corps à corps", "actions", 3)), start=1):
        row = bob.page.get_by_role("row").locator("visible=true").nth(at)
        row.get_by_label("Nom").fill(skill)
        row.get_by_label("Valeur").fill(str(dice))
        expect(row.get_by_label("Champ")).to_have_value(family)
    taps(bob.page, "Suivant : Relire")
    expect(bob.page.get_by_text("il manque un nom").locator("visible=true").first).to_be_visible()
    shown(bob.page.get_by_role("textbox", name="Nom", exact=True)).fill("Léa Sauret")
    taps(bob.page, "Remettre la fiche")
    expect(ana.acting.get_by_text("Conforme aux règles")).to_be_visible()
    expect(ana.acting.get_by_text(re.compile(r"Chance\D*5/5")).first).to_be_visible()
    taps(ana.bar, "Accepter")
    expect(bob.sheets.get_by_role("heading", name="Léa Sauret")).to_be_visible()


def throws_a_handful(bob: Person, ana: Person, fall: Fall) -> None:
    """Two taps on the sheet, one for the difficulty, a die thrown again for a 1."""
    taps(bob.sheets, re.compile("^Dextérité"))
    expect(shown(bob.acting.get_by_role("radio", name="dextérité 7"))).to_be_checked()
    taps(bob.sheets, re.compile("^Mécanique"))
    expect(bob.acting.get_by_role("radio", name=re.compile("^4 dés"))).to_be_checked()
    judges(ana, "ardue")
    fall(1, 9, 10, 1, 3)
    throws(bob)
    expect(bob.bar.get_by_text("annulé").first).to_be_visible()
    expect(bob.bar.get_by_text("1 succès sur 2")).to_be_visible()
    keep_picture(bob.page, "conteur-handful")
    taps(bob.bar, "Relancer le dé 9")
    bob.hears("Léa Sauret obtient 2 succès")


def opposes(bob: Person, ana: Person, cy: Person, fall: Fall) -> None:
    """Against somebody of whom one line tells, and whom nobody sees."""
    shown(ana.page.get_by_label("Faire entrer")).fill("Zéphirin : 5, 3 dés")
    taps(ana.page, "Ajouter")
    expect(ana.sheets.get_by_role("heading", name="Zéphirin")).to_be_visible()
    begins(ana, "Jet en opposition")
    dialog = shown(ana.page.get_by_role("dialog"))
    dialog.get_by_role("combobox", name=re.compile("^Celui qui agit")).select_option(label="Léa Sauret (Bob)")
    expect(dialog.get_by_role("button", name=re.compile("^Léa Sauret"))).to_have_count(0)  # never oneself
    taps(dialog, re.compile("^Zéphirin"))
    chooses(bob, "Attribut", "dextérité 7")
    chooses(bob, "Compétence", "Corps à corps 3")
    chooses(ana, "Attribut", "dextérité 5")
    chooses(ana, "Compétence", "Métier 3")
    fall(3, 3, 9)
    throws(bob)
    keeps(bob)
    bob.hears("Léa Sauret l'emporte sur quelqu'un : 2 succès contre 0")
    ana.hears("Léa Sauret l'emporte sur Zéphirin")
    assert not any(who.knows("Zéphirin") for who in (bob, cy))


def perseveres(cy: Person, ana: Person, bob: Person, fall: Fall) -> None:
    """A complex action on a phone: its track, its chances, one more turn in one tap, given up in another."""
    taps(cy.page, "Agir")
    begins(cy, "Commencer une action complexe")
    taps(shown(cy.page.get_by_role("dialog")), "Commencer")
    shown(cy.page.get_by_role("textbox", name="Action tentée")).fill("Forcer le sas")
    chooses(cy, "Attribut", "dextérité 6")
    chooses(cy, "Compétence", "Enquête 4")
    judges(ana, "redoutable")
    fall(3, 3, 9, 9)
    throws(cy)
    keeps(cy)
    for who in (cy, bob):
        expect(who.acting.get_by_role("heading", name="Forcer le sas").first).to_be_visible()
        expect(who.acting.get_by_role("meter", name="Stock")).to_have_attribute("aria-valuenow", "2")
        expect(who.acting.get_by_text("Achevée au plus tard au tour 2")).to_be_visible()
    keep_picture(cy.page, "conteur-complex")
    taps(cy.bar, "Poursuivre une action complexe")
    fall(10, 9, 9, 9)
    throws(cy)
    keeps(cy)
    bob.hears("Yuna Kadiri recule (Forcer le sas) : 1 succès sur 4 au tour 2")
    taps(cy.bar, "Abandonner une action complexe")
    bob.hears("Yuna Kadiri abandonne (Forcer le sas)")


def is_hurt(cy: Person, ana: Person, bob: Person) -> None:
    """The game master touches a body, and says how badly; whoever is hurt answers with luck, and all see it."""
    yuna = ana.sheets.get_by_role("article", name="Yuna Kadiri")
    yuna.get_by_text("La fiche", exact=True).click()
    taps(yuna, re.compile("^Infliger une blessure : bras gauche"))
    shown(ana.acting.get_by_role("radio", name=re.compile("trois niveaux"))).check()
    taps(cy.bar, re.compile("éviter un niveau"))
    for who in (ana, bob):
        summary = who.sheets.get_by_role("article", name="Yuna Kadiri")
        expect(summary.get_by_text("bras gauche : sérieuse")).to_be_visible()


def lives(cy: Person, bob: Person, ana: Person) -> None:
    """A meal, what a scene costs everybody, a night, and the day after."""
    begins(bob, "Manger")
    judges(bob, "repas complet")
    expect(bob.sheets.get_by_role("meter", name="Énergie")).to_have_attribute("aria-valuetext", "20/24, en forme")
    strip = ana.page.get_by_role("navigation").filter(has_text="Scène")
    strip.get_by_text("Scène", exact=True).click()
    shown(strip.get_by_role("textbox", name="Titre")).fill("La coursive")
    taps(strip, "Commencer")
    expect(strip.get_by_text("La coursive", exact=True)).to_be_visible()
    strip.get_by_text("Scène", exact=True).click()
    shown(strip.get_by_role("radio", name="2", exact=True)).check()
    taps(strip, "Clore la scène")
    expect(bob.sheets.get_by_role("meter", name="Énergie")).to_have_attribute("aria-valuetext", "18/24, normal")
    strip.get_by_text("Temps", exact=True).click()
    taps(strip, "une nuit")
    for who in (bob, cy):
        taps(who.bar, "Valider")
    expect(cy.page.get_by_text("jour 2, 8 h 00").first).to_be_visible()
    taps(cy.page, "Fiches")
    taps(cy.sheets, re.compile("^Guérir : bras gauche"))
    taps(cy.bar, "Valider")
    bob.hears("Yuna Kadiri se soigne (bras gauche) : 1 sur 5")


# Pages


class Seats(NamedTuple):
    """A game master, Bob with Maëlle, Cy who watches; and Maëlle's sheet."""

    ana: Guest
    bob: Guest
    cy: Guest
    maelle: str


@pytest.fixture
def seats(client: TestClient) -> Seats:
    ana = opens(client, "conteur")
    ana.sends("/do/house", trust="prudence", judging="at-will")
    bob, cy = (Guest(client, link_in(ana.invites(name))) for name in ("Bob", "Cy"))
    found = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready="maelle-tisserand"))
    assert found
    return Seats(ana, bob, cy, found[1])


def fills(who: Guest, number: int, actor: str, **values: str) -> str:
    return who.sends("/do/fill", number=number, **{f"f:{actor}:{name}": value for name, value in values.items()})


def test_1s_and_10s_are_named_on_the_screens_of_those_who_watch(seats: Seats) -> None:
    _, bob, cy, maelle = seats
    bob.sends("/do/start", move="throw", **{"cast:initiator": maelle})
    fills(bob, 1, maelle, attribute="dexterity", skill="Navires légers")
    bob.sends("/do/throw", number=1, by_hand=1)
    bob.sends("/do/faces", number=1, faces="1 9 10")
    named = re.findall(r'class="lying">.*?<small>([^<]+)</small>', cy.reads(), re.DOTALL)
    assert named[:2] == ["succès critique", "échec critique"]


def test_several_dice_are_thrown_again_by_luck_at_once(seats: Seats) -> None:
    _, bob, cy, maelle = seats
    bob.sends("/do/start", move="throw", **{"cast:initiator": maelle})
    fills(bob, 1, maelle, attribute="dexterity", skill="Navires légers")
    bob.sends("/do/throw", number=1, by_hand=1)
    bob.sends("/do/faces", number=1, faces="8 9 10")
    page = bob.sends("/do/answer", number=1, answer='"luck"')
    assert len(re.findall(r'type="checkbox" name="die"', page)) == 2  # a 10 stays where it is
    page = bob.sends("/do/dice", number=1, die=["1", "2"])
    bob.sends("/do/faces", number=1, faces="2 3")
    assert "obtient 1 succès" in cy.reads()  # two, less the 10
    assert "2 points de chance" in bob.reads()


def test_going_on_without_somebody_is_offered_only_where_it_can_be_done(seats: Seats) -> None:
    ana, bob, _, maelle = seats
    close = f'action="{ana.base}/do/close"'
    bob.sends("/do/start", move="throw", **{"cast:initiator": maelle})
    fills(bob, 1, maelle, attribute="dexterity", skill="Navires légers")
    for path in ("/", "/act/1"):
        assert close not in ana.reads(path)  # the dice are thrown by somebody, or not at all
    bob.sends("/do/throw", number=1, by_hand=1)
    assert close not in ana.reads("/act/1")  # nor do typed dice come by themselves
    bob.sends("/do/faces", number=1, faces="2 9 1")
    assert close in ana.reads()  # what is chosen then may be left as usual


def test_wounds_and_states_stand_on_the_big_screen(seats: Seats) -> None:
    ana, maelle = seats.ana, seats.maelle
    page = ana.sends("/links", name="Salon", grade="spectator", once="")
    room = Guest(ana.client, link_in(page))
    for told in ("wounds.left_arm=2", "unconscious=true"):
        ana.sends("/do/edit", record=maelle, set=told)
    shown_there = room.reads("/screen")
    assert "bras gauche : sérieuse" in shown_there
    assert "Inconscient" in shown_there


def test_a_plain_number_may_still_be_said_instead_of_a_value_of_the_sheet(seats: Seats) -> None:
    _, bob, _, maelle = seats
    bob.sends("/do/start", move="throw", **{"cast:initiator": maelle})
    page = fills(bob, 1, maelle, attribute="4")
    assert re.search(rf'name="f:{maelle}:attribute" value="4" checked', page)
    page = fills(bob, 1, maelle, attribute="mental")
    assert re.search(rf'name="f:{maelle}:attribute" value="mental" checked', page)


def test_a_player_is_asked_for_what_is_theirs_while_the_difficulty_is_still_the_game_master_s_to_say(
    seats: Seats,
) -> None:
    _, bob, _, maelle = seats
    bob.sends("/do/start", move="start-complex-action", **{"cast:initiator": maelle})
    bar = bob.reads().split('<section id="yours"')[1].split("</section>")[0]
    assert f'name="f:{maelle}:attribute" value="dexterity"' in bar
    assert say("web.yours.fill", what=titled("fields.difficulty", "conteur")) not in bar


def test_an_opponent_s_attribute_is_asked_for_by_the_opponent_s_name(seats: Seats) -> None:
    ana, bob, _, maelle = seats
    ana.sends("/do/people", text="le garde : 5, 3 dés")
    guard = re.findall(r'<option value="([^"]+)"[^>]*>\s*Garde', ana.reads("/start/opposed-roll"))[0]
    ana.sends("/do/start", move="opposed-roll", **{"cast:initiator": maelle, "cast:opponent": guard})
    fills(bob, 1, maelle, attribute="dexterity", skill="Navires légers")
    bar = ana.reads().split('<section id="yours"')[1].split("</section>")[0]
    assert f'name="f:{guard}:attribute"' in bar
    assert "Garde" in bar.split('class="about">')[1].split("</p>")[0]


def test_the_turn_is_no_point_to_gain_by(seats: Seats) -> None:
    ana, bob, _, maelle = seats
    bob.sends("/do/start", move="start-complex-action", **{"cast:initiator": maelle})
    fills(bob, 1, maelle, attribute="dexterity", skill="Navires légers")
    fills(ana, 1, "gm", difficulty="6")
    bob.sends("/do/throw", number=1, by_hand=1)
    bob.sends("/do/faces", number=1, faces="2 2 9")
    bob.sends("/do/answer", number=1, answer='"stop"')
    page = bob.sends("/do/start", move="continue-complex-action", encounter=1, **{"cast:initiator": maelle})
    assert 'class="tiles pips' in page  # what may be paid is there,
    for seen in (page, ana.reads()):
        assert say("web.one_point") not in seen  # and the number of the turn is nothing to pay for


def test_a_human_is_one_in_the_reader_s_own_language_and_stays_one_however_it_is_written(seats: Seats) -> None:
    _, bob, _, maelle = seats
    for lang, written in (("fr", "humain"), ("en", "human")):
        seats.bob.client.cookies.set("paravent_lang", lang)
        assert f'value="{written}"' in bob.reads(f"/sheet/{maelle}")
        page = bob.sends("/do/sheet", record=maelle, **{"v:species": written, "v:concept": f"pilote {lang}"})
        assert f"pilote {lang}" in page
        assert written in page


def test_where_the_text_is_silent_an_option_says_that_its_default_is_our_reading(seats: Seats) -> None:
    page = seats.ana.reads("/options")
    assert page.count("par défaut, notre lecture") > 10
    assert not re.search("d.origine", page)  # nothing is told as the text's own that is not


def touches(who: Guest, move: str, **part: str) -> str:
    """Touch a part of a body on the sheet; the page must have it."""
    value = f"{move}?{urlencode(part)}"
    page = who.reads()
    assert f'value="{value}"' in page, value
    sheet = re.search(rf'form="go-(\w+)" name="go"\s+value="{re.escape(value)}"', page)
    assert sheet
    return who.sends("/do/start", go=value, from_sheet="1", **{"cast:initiator": sheet[1]})


def latest(who: Guest) -> str:
    """The act under way, as they see it."""
    return max(re.findall(r'id="move-(\d+)"', who.reads()), key=int)


def morning(seats: Seats, day: int) -> None:
    seats.ana.sends("/do/clock", day=day, time="08:00")


def test_a_serious_wound_is_healed_by_touching_it_day_by_day_from_the_next_day_on(seats: Seats) -> None:
    ana, bob, cy, maelle = seats
    ana.reads(f"/sheet/{maelle}")
    ana.sends("/do/start", go="inflict-wound@victim?part=left_arm", from_sheet="1", **{"cast:initiator": maelle})
    fills(ana, 1, "gm", levels="2")
    fills(bob, 1, maelle, avoid="0")
    for who in (bob, cy, ana):
        assert "bras gauche : sérieuse" in who.reads()
    assert "heal?" not in bob.reads()  # it heals from the next day on
    for day in range(2, 7):
        morning(seats, day)
        touches(bob, "heal", part="left_arm")
        bob.sends("/do/throw", number=latest(bob))
        told = f"{day - 1} sur 5" if day < 6 else "est guérie (bras gauche)"
        assert told in bob.reads()
        if day < 6:
            assert f"{day - 1} sur 5" in cy.reads()
            assert "bras gauche : sérieuse" in cy.reads()
    assert "bras gauche : sérieuse" not in cy.reads()


def test_a_limb_that_is_lost_is_touched_to_be_replaced_and_says_so(seats: Seats) -> None:
    ana, bob, cy, maelle = seats
    ana.sends("/do/start", go="inflict-wound@victim?part=right_leg", from_sheet="1", **{"cast:initiator": maelle})
    fills(ana, 1, "gm", levels="3")
    fills(bob, 1, maelle, avoid="0")
    assert "jambe droite : hors d'usage" in cy.reads()
    ana.sends("/do/start", go="replace-a-limb@character?part=right_leg", from_sheet="1", **{"cast:initiator": maelle})
    assert "membre de substitution (jambe droite)" in cy.reads()
    assert "jambe droite : hors" not in cy.reads()
    assert say("fields.replaced.title", system="conteur") in bob.reads(f"/sheet/{maelle}")


def test_a_healing_that_is_open_follows_the_clock(seats: Seats) -> None:
    ana, bob, _, maelle = seats
    morning(seats, 2)
    for told in ("wounds.left_arm=2", "healing_spent_today=2", "healing_day=1"):
        ana.sends("/do/edit", record=maelle, set=told)
        assert ana.status == 200
    assert "heal?" not in bob.reads()  # the day has no more to give
    ana.sends("/do/edit", record=maelle, set="healing_spent_today=1")
    touches(bob, "heal", part="left_arm")
    number = latest(bob)
    morning(seats, 3)
    bob.sends("/do/throw", number=number)
    assert "1 sur 5" in bob.reads()
    assert '"healing_day":2' in bob.client.get(f"{bob.base}/record/{maelle}").text.replace(" ", "")


def test_other_things_done_at_once_cost_a_success_each_and_the_scale_says_on_what_it_is_read(seats: Seats) -> None:
    ana, bob, cy, maelle = seats
    ana.sends("/do/options", **{"option:complex_scale": "last_turn"})
    bob.sends("/do/start", move="start-complex-action", **{"cast:initiator": maelle})
    fills(bob, 1, maelle, attribute="dexterity", skill="Navires légers", label="Amarrer")
    page = fills(ana, 1, "gm", difficulty="2", simultaneous="1")
    assert re.search(r'name="f:gm:simultaneous" value="1" checked', page)
    bob.sends("/do/throw", number=1, by_hand=1)
    bob.sends("/do/faces", number=1, faces="2 2 2")
    assert "2 succès sur 2" in cy.reads()  # three, less one
    assert "L'issue se lit sur le dernier tour" in cy.reads()


@pytest.mark.evening
@pytest.mark.needs("chromium")
def test_an_evening_through_the_six_moments(open_table: OpenTable, fall: Fall) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy", viewport=PHONE)
    taps(cy.page, "Fiches")
    taps(cy.page, "Jouer Yuna Kadiri")
    creates(bob, ana)
    throws_a_handful(bob, ana, fall)
    opposes(bob, ana, cy, fall)
    keep_picture(ana.page, "conteur-opposition")
    perseveres(cy, ana, bob, fall)
    is_hurt(cy, ana, bob)
    keep_picture(ana.page, "conteur-body")
    lives(cy, bob, ana)
    keep_picture(cy.page, "conteur-days")


ROOM = {"width": 1920, "height": 1080}


@pytest.mark.evening
@pytest.mark.needs("chromium")
def test_a_short_evening_in_english_seen_on_the_big_screen_too(open_table: OpenTable, fall: Fall) -> None:
    table = open_table("conteur", lang="en", waiting=False)
    ana, bob, room = table.gm(), table.joins("Bob"), table.joins("Room", as_="spectator", viewport=ROOM)
    room.goes(f"{room.base}/screen")
    taps(bob.page, "Play Yuna Kadiri")
    taps(bob.sheets, re.compile("^Dexterity"))
    taps(bob.sheets, re.compile("^Investigation"))
    expect(bob.acting.get_by_role("radio", name=re.compile("^4 dice"))).to_be_checked()
    judges(ana, "hard")
    fall(1, 9, 3, 10)
    taps(bob.bar, re.compile("^Roll"))
    taps(bob.bar, "Keep this result")
    bob.hears("Yuna Kadiri gets 1 success")
    yuna = ana.sheets.get_by_role("article", name="Yuna Kadiri")
    yuna.get_by_text("The sheet", exact=True).click()
    taps(yuna, re.compile("^Inflict a wound: left arm"))
    shown(ana.acting.get_by_role("radio", name=re.compile("two levels"))).check()
    taps(bob.bar, re.compile("take it"))
    for page in (room.page, ana.page):
        expect(page.get_by_text("left arm: serious").first).to_be_visible()
    keep_picture(room.page, "conteur-big-screen")


def test_whoever_is_asked_for_a_skill_reads_that_having_none_gives_no_dice(seats: Seats) -> None:
    _, bob, _, maelle = seats
    bob.sends("/do/start", move="throw", **{"cast:initiator": maelle})
    bob.sends("/do/fill", number=1, **{f"f:{maelle}:attribute": "dexterity"})
    assert "aucune\u00a0: 0 dé" in bob.reads()


@pytest.mark.parametrize("hidden", ["", "1"])
def test_whoever_has_not_a_single_die_reads_that_it_is_impossible(seats: Seats, hidden: str) -> None:
    ana, bob, _, maelle = seats
    bob.sends("/do/start", move="throw", **{"cast:initiator": maelle})
    ana.sends("/do/fill", number=1, **({"f:gm:hidden": hidden, "f:gm:hidden_difficulty": "2"} if hidden else
                                       {"f:gm:difficulty": "2"}))
    fills(bob, 1, maelle, attribute="dexterity", skill="0")
    assert bob.status == 200
    page = bob.reads()
    bar = page.split('<section id="yours"')[1].split("</section>")[0]
    assert "pas un seul dé" in bar


def test_a_correction_of_a_sheet_is_told_value_by_value(client: TestClient) -> None:
    """Of wounds and skills the log said that they changed, and not what."""
    ana = opens(client, "conteur")
    sheet = re.search(r'id="sheet-(\w+)"[^>]*aria-labelledby', ana.sends("/do/record", ready="maelle-tisserand"))
    assert sheet
    ana.sends("/do/sheet", record=sheet[1], **{"v:wounds.left_arm": "3", "v:energy": "9"})
    told = re.search(r"corrige une fiche[^<]*", ana.reads("/log"))
    assert told
    assert told[0].strip().replace("\u00a0", " ") == (
        "corrige une fiche : Maëlle Tisserand, Blessures · bras gauche 0 → 3, Énergie 18 → 9.")
