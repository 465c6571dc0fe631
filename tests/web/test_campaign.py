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
