"""A campaign is one table: episodes with the same links, a recap, the account of one episode, everybody's history."""

import io
import re
from zipfile import ZipFile

from .conftest import say
from .test_shelf import Evening, at, file  # noqa: F401


def an_evening(at: Evening) -> str:  # noqa: F811
    """Two episodes; gives the mark of the second."""
    for title, told in (("Arrivée à Borée", "Trois veilleurs débarquent."), ("Le sondage 40", "La carotte remonte.")):
        at.ana.do("scene", kind="episode", title=title)
        at.ana.do("scene", kind="scene", title=f"Scène de {title}")
        at.ana.do("say", text=f"/s {told}")
        at.ana.do("say", text=f"/n Brandt ment dans {title}.")
        at.bob.do("say", text="/r 3d6")
    return re.findall(r"episode=([0-9a-f]+)", at.bob.get("/campaign").text)[0]


def test_two_episodes_are_played_with_the_same_links(at: Evening) -> None:  # noqa: F811
    an_evening(at)
    page = at.bob.get("/campaign").text
    assert page.index("Le sondage 40") < page.index("Arrivée à Borée"), "the latest comes first"
    assert "Scène de Le sondage 40" in page
    assert page.count(say("web.campaign.scenes", n=1)) == 2
    assert at.ana.client.get(f"/enter/{at.bob.token}").status_code == 200, "last week's link"
    assert len(at.state.episodes) == 2


def test_the_recap_tells_of_the_last_episode_even_when_the_next_has_just_begun(at: Evening) -> None:  # noqa: F811
    an_evening(at)
    before = at.bob.get("/campaign").text.partition('id="h-recap"')[2].partition("</section>")[0]
    assert 'class="told"' in before
    at.ana.do("scene", kind="episode", title="Trois")
    after = at.bob.get("/campaign").text.partition('id="h-recap"')[2].partition("</section>")[0]
    assert after == before


def test_the_account_of_one_episode_holds_that_one_alone(at: Evening) -> None:  # noqa: F811
    mark = an_evening(at)
    page = at.bob.get(f"/log?episode={mark}").text.partition('id="account"')[2]
    assert "La carotte remonte." in page
    assert "Trois veilleurs" not in page
    whole = at.bob.get("/log?episode=none").text
    assert "Trois veilleurs" in whole
    assert re.search(r'<time class="faint" datetime="[^"]+">\d\d/\d\d/\d{4}</time>', whole)
    assert 'class="entry day"' not in whole, "it is one evening"


def test_a_recap_is_proposed_from_the_story_and_shown_once_it_was_read_over(at: Evening) -> None:  # noqa: F811
    an_evening(at)
    page = at.ana.get("/campaign").text
    assert "La carotte remonte.</textarea>" in page
    assert say("web.campaign.show_recap") not in at.bob.get("/campaign").text
    at.ana.do("recap", text="La nuit est tombée sur Borée.")
    assert "La nuit est tombée sur Borée." in at.zoe.get().text
    assert say("web.campaign.previously") in at.zoe.get().text


def test_what_is_not_for_somebody_is_not_in_their_campaign(at: Evening) -> None:  # noqa: F811
    an_evening(at)
    for who in (at.bob, at.cy, at.zoe):
        who.get("/campaign")
        assert b"Brandt ment" not in who.sent


def test_everybodys_history_is_in_the_account(at: Evening) -> None:  # noqa: F811
    ready = re.search(r'name="ready" value="([^"]+)"', at.bob.get("/new").text)[1]
    record = at.brings(at.bob, kind="character", ready=ready)
    assert f"/log?who={record}" in at.cy.get("/campaign").text
    assert say("web.happened.record-added", who="Bob", name=at.state.records[record].name) in at.cy.get(
        f"/log?who={record}").text.replace("&#39;", "'")


def test_a_prepared_scene_is_played_in_one_tap_and_unknown_before(at: Evening) -> None:  # noqa: F811
    assert at.ana.post("/prepare", file(), title="La galerie", text="Cent marches.", note="Tarn trahit.",
                       words="des marches").status_code == 303
    (scene,) = at.state.prepared
    (picture,) = at.state.pictures.values()
    for who in (at.bob, at.zoe):
        for path in ("/", "/shelf", "/campaign", "/log", "/export"):
            who.get(path)
        assert who.get("/prepare").status_code == 404
        assert who.post("/prepare", title="Faux").status_code == 403
        assert not any(part.encode() in who.sent for part in ("galerie", "Cent marches", "trahit", "des marches", scene,
                                                             picture.name, picture.hash))
    assert "La galerie" in at.ana.get().text, "it is in the strip, a tap away"
    at.ana.do("play-scene", scene=scene)
    for who in (at.bob, at.zoe):
        page = who.get().text
        assert "Cent marches." in page
        assert who.get(who.pictures()[0]).status_code == 200
        assert b"trahit" not in who.sent


def test_the_evening_is_taken_away_for_ones_own_eyes_with_its_pictures(at: Evening) -> None:  # noqa: F811
    an_evening(at)
    at.ana.post("/picture", file(), words="le port de nuit", seen_by=at.bob.seat)
    at.ana.post("/shelf", title="La note", text="**Taisez-vous** <b>ici</b>", seen_by=at.bob.seat)
    (name,) = at.state.pictures
    his, hers = at.bob.get("/evening.html").text, at.cy.get("/evening.html").text
    assert 'src="data:image/webp;base64,' in his
    assert "<strong>Taisez-vous</strong> &lt;b&gt;ici" in his
    assert "La carotte remonte." in his
    assert "La carotte remonte." in hers
    for secret in ("data:image", "Taisez", "le port de nuit", "Brandt ment"):
        assert secret not in hers, secret
    kept = ZipFile(io.BytesIO(at.bob.get("/evening.zip").content))
    assert sorted(kept.namelist()) == ["1.webp", "table.jsonl", "table.md"]
    told = kept.read("table.md").decode()
    assert "![le port de nuit](1.webp)" in told
    assert "## Le sondage 40" in told
    assert "Brandt ment" not in told
    theirs = ZipFile(io.BytesIO(at.cy.get("/evening.zip").content))
    assert sorted(theirs.namelist()) == ["table.jsonl", "table.md"]
    assert all(part not in theirs.read("table.md").decode() for part in ("port", "Taisez", name))


def next_episode(at: Evening) -> dict[str, str]:  # noqa: F811
    """A table opened as the next episode, as an earlier version did; each seat's link to it."""
    made = at.ana.client.post("/api/table/next-episode", json={"title": "Deux"},
                              headers={"Authorization": f"Bearer {at.ana.token}"}).json()
    return {**made["links"], "table": made["table"]}


def test_a_table_opened_as_the_next_episode_is_joined_and_its_old_links_lead_here(at: Evening) -> None:  # noqa: F811
    an_evening(at)
    links = next_episode(at)
    client, table = at.ana.client, at.ana.base.split("/")[2]
    there = f"/t/{links['table']}/{at.bob.seat}"
    cookie = {"Cookie": f"paravent_seat={links[at.bob.seat]}"}
    assert client.get(f"{there}/", headers=cookie).status_code == 200
    refused = at.bob.post("/join", link=f"http://localhost/enter/{links[at.bob.seat]}")
    assert refused.status_code == 403
    joined = at.ana.post("/join", link=f"http://localhost/enter/{links[at.ana.seat]}")
    assert joined.headers["location"] == f"{at.ana.base}/campaign"
    assert "Deux" in at.bob.get("/campaign").text
    led = client.get(f"{there}/log", headers=cookie, follow_redirects=False)
    assert led.status_code == 303
    assert led.headers["location"] == f"{at.bob.base}/log"
    assert f"Path={at.bob.base}" in led.headers["set-cookie"]
    assert client.get(f"{at.bob.base}/log", headers=cookie).status_code == 200, "the old link opens the seat"
    assert client.get(f"{there}/live", headers=cookie).status_code == 404, "an open page reads itself again"
    entered = client.get(f"/enter/{links[at.bob.seat]}", follow_redirects=False)
    assert entered.headers["location"] == f"/t/{table}/{at.bob.seat}/"
    again = at.ana.post("/join", link=links[at.ana.seat])
    assert say("errors.table/joined-already.title") in again.text.replace("&#39;", "'")


def test_what_is_to_come_and_the_hourglass_stand_on_every_page_and_come_when_it_is_time(
    at: Evening,  # noqa: F811
) -> None:
    at.ana.do("appointment", words="Le ferry part", day="1", time="22:00", seen_by="all")
    at.ana.do("appointment", words="Brandt revient", day="1", time="21:00")
    at.ana.do("hourglass", seconds="60", words="La porte cède")
    for who in (at.ana, at.bob, at.cy, at.zoe):
        page = who.get().text
        assert 'data-seconds="60"' in page
        assert "La porte cède" in page
        assert "Le ferry part" in page
    assert 'data-seconds="60"' in at.zoe.get("/screen").text
    at.ana.do("clock", day="2", time="08:00")
    assert say("web.happened.appointment-came", name="Le ferry part") in at.bob.get("/log").text.replace("&#39;", "'")
    for who in (at.bob, at.cy, at.zoe):
        assert b"Brandt" not in who.sent
    page = at.bob.get("/campaign").text
    chronicle = page[page.index('id="chronicle"'):]
    its_day, its_hour = say("telling.day", day=1), say("telling.hour", hour="22", minute="00")
    assert chronicle.index(its_day) < chronicle.index(its_hour) < chronicle.index("Le ferry part"), "at its own hour"
    at.ana.do("hourglass", seconds="0")
    assert "data-seconds" not in at.bob.get().text


def test_a_night_from_eight_in_the_evening_is_told_by_day_and_hour(at: Evening) -> None:  # noqa: F811
    at.ana.do("clock", day="1", time="20:00")
    at.ana.do("say", text="/s Le vent se lève.")
    at.ana.do("clock", day="2", time="08:00")
    at.ana.do("say", text="/s Le jour vient.")
    page = at.cy.get("/campaign").text
    chronicle = page[page.index('id="chronicle"'):]
    first, second = chronicle.index(say("telling.day", day=2)), chronicle.index(say("telling.day", day=1))
    assert first < chronicle.index("Le jour vient.") < second < chronicle.index("Le vent se lève.")
    assert say("telling.hour", hour="20", minute="00") in chronicle
    moment = say("telling.moment", date=say("telling.day", day=1), hour="20", minute="00")
    assert moment in at.cy.get("/log?times=1").text


def test_the_deck_notes_and_first_acts_are_on_the_page_of_whoever_prepares(at: Evening) -> None:  # noqa: F811
    ready = re.search(r'name="ready" value="([^"]+)"', at.bob.get("/new").text)[1]
    at.brings(at.bob, kind="character", ready=ready)
    page = at.ana.get("/prepare").text
    kind = re.search(r'id="aside-ready".*?<option value="([^"]+)"', page, re.DOTALL)[1]
    at.ana.do("put-aside", ready=kind)
    (person,) = at.state.deck
    move = re.search(r'name="first" value="([^"]+)"', page)[1]
    at.ana.post("/shelf", title="Le plan", text="Au nord.")
    (plan,) = at.state.documents
    at.ana.post("/prepare", title="La galerie", hidden=person, first=move, documents=plan)
    card = at.ana.get("/prepare").text.partition('class="document behind"')[2].partition("<details>")[0]
    assert all(part in card for part in ("La galerie", at.state.deck[person].name, "Le plan")), "all that comes"
    at.ana.do("notes", about=at.bob.seat, text="Bob aime les énigmes.")
    at.bob.do("notes", text="Je me méfie.")
    assert "Je me méfie." in at.bob.get("/shelf").text
    assert "Bob aime les énigmes." in at.ana.get("/prepare").text
    (scene,) = at.state.prepared
    at.ana.do("play-scene", scene=scene)
    assert [act.move for act in at.state.open_moves()] == [move]
    assert person in at.state.records
    for who in (at.bob, at.cy, at.zoe):
        for path in ("/", "/log", "/shelf", "/campaign", "/export"):
            who.get(path)
        assert person.encode() not in who.sent
        assert "énigmes".encode() not in who.sent
    for path in ("/", "/log", "/shelf", "/prepare", "/export"):
        at.ana.get(path)
    assert "Je me méfie".encode() not in at.ana.sent
    at.ana.do("put-aside", draw="character")
    at.ana.do("draw-person", person="", seen_by="all")
    assert not at.state.deck


def test_a_page_says_in_three_sentences_how_friends_come_in(at: Evening) -> None:  # noqa: F811
    page = at.ana.get("/invite").text.replace("&#39;", "'")
    for part in ("seat", "home", "far"):
        assert say(f"web.inviting.{part}") in page
    at.app.state.public = "https://table.example.org"
    page = at.ana.get("/invite").text
    assert "https://table.example.org/" in page
    assert f'href="{at.ana.base}/invite"' in at.ana.get().text
    assert at.bob.get("/invite").status_code == 404
