"""Pictures and documents over HTTP: who is sent what, byte by byte; brought, put somewhere, shown, hidden, refused."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect
from starlette.testclient import TestClient

from paravent.store import open_log
from paravent.web.app import create_app
from paravent.web.security import LONGEST_PICTURE

from .conftest import SEAT, OpenTable, say

PROOF = re.compile(r'name="proof" value="([0-9a-f]+)"')
PICTURE = re.compile(r'src="(/t/[^"]+/picture/[0-9a-f]+)"')


def file(kind: str = "PNG", colour: str = "teal", size: tuple[int, int] = (300, 200), **more: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, kind, **more)
    return out.getvalue()


class Reader:
    """Somebody at a seat, with a browser of their own; keeps whatever they were sent."""

    def __init__(self, client: TestClient, link: str) -> None:
        self.client, self.sent = client, b""
        self.token = link.rpartition("/")[2]
        answer = client.get(f"/enter/{self.token}")
        self.base = SEAT.search(str(answer.url))[0]
        self.seat = self.base.rpartition("/")[2]
        self.proof = PROOF.search(answer.text)
        self.cookies = dict(client.cookies.items())
        client.cookies.clear()
        self._cookie = {"Cookie": f"paravent_seat={self.token}"}

    def get(self, path: str = "/", **headers: str) -> Any:
        answer = self.client.get(path if path.startswith("/t/") else f"{self.base}{path}",
                                 headers={**self._cookie, **headers})
        self.sent += answer.content + repr(sorted(answer.headers.items())).encode()
        return answer

    def post(self, path: str, content: bytes | None = None, **form: Any) -> Any:
        proof = PROOF.search(self.get("/shelf").text) or PROOF.search(self.get().text)
        files = {} if content is None else {"picture": ("x.png", content, "image/png")}
        answer = self.client.post(f"{self.base}{path}", data={"proof": proof[1], **form}, files=files,
                                  headers=self._cookie, follow_redirects=False)
        self.sent += answer.content
        return answer

    def do(self, action: str, **form: Any) -> Any:
        return self.post(f"/do/{action}", **form)

    def pictures(self, path: str = "/") -> list[str]:
        return PICTURE.findall(self.get(path).text)


class Evening:
    """Ana leads; Bob and Cy play; Zoe is the screen of the room."""

    def __init__(self, client: TestClient, app: Any) -> None:
        self.app = app
        opened = client.post("/open", data={"system": "conteur", "name": "Vendredi", "game_master": "Ana"},
                             follow_redirects=False)
        self.ana = Reader(client, opened.headers["location"])
        self.bob, self.cy = self._joins(client, "Bob"), self._joins(client, "Cy")
        self.zoe = self._joins(client, "Zoe", "spectator")

    def _joins(self, client: TestClient, name: str, rank: str = "player") -> Reader:
        page = self.ana.post("/links", name=name, grade=rank).text
        return Reader(client, re.search(r"/enter/[0-9a-f]+", page)[0])

    @property
    def state(self) -> Any:
        return self.app.state.host._tables[self.ana.base.split("/")[2]].state

    def brings(self, who: Reader, **form: Any) -> str:
        before = set(self.state.records)
        answer = who.do("record", **form)
        assert answer.status_code == 303, answer.text
        (record,) = set(self.state.records) - before
        return record


@pytest.fixture
def at() -> Iterator[Evening]:
    app = create_app(open_log("memory:"))
    with TestClient(app, base_url="http://localhost") as client:
        yield Evening(client, app)


def test_a_picture_is_sent_to_one_and_not_to_the_other_under_addresses_of_their_own(at):
    assert at.ana.post("/picture", file(), words="le traître", seen_by=at.bob.seat).status_code == 303
    (name,) = at.state.pictures
    kept = at.state.pictures[name]
    (his,) = set(at.bob.pictures())
    (hers,) = set(at.ana.pictures())
    assert his.rpartition("/")[2] != hers.rpartition("/")[2]
    answer = at.bob.get(his)
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["cache-control"].startswith("private")
    assert Image.open(io.BytesIO(answer.content)).size == (300, 200)
    for other in (at.cy, at.zoe):
        for path in ("/", "/shelf", "/log", "/text", "/export"):
            other.get(path)
        none = other.get(f"{other.base}/picture/{'0' * 32}")
        not_theirs = other.get(f"{other.base}/picture/{his.rpartition('/')[2]}")
        assert none.status_code == not_theirs.status_code == 404
        assert none.content.replace(b"0" * 32, b"") == not_theirs.content.replace(his.rpartition("/")[2].encode(), b"")
        assert none.headers == not_theirs.headers
        assert other.get(his).status_code in (401, 403), "another seat's address needs that seat's link"
        for secret in (kept.hash, kept.small, name, "traître", answer.content):
            assert (secret if isinstance(secret, bytes) else secret.encode()) not in other.sent
    assert kept.hash.encode() not in at.bob.sent + at.ana.sent
    assert "le traître".encode() in at.bob.sent


def test_shown_and_hidden_by_the_game_master_on_phones_and_on_the_screen(at):
    at.ana.post("/picture", file(), words="le port", seen_by="gm")
    assert not at.bob.pictures()
    (name,) = at.state.pictures
    at.ana.do("backdrop", picture=name, seen_by="all")
    assert set(map(len, (at.bob.pictures(), at.zoe.pictures("/screen")))) <= {1, 2}
    assert 'alt="le port"' in at.zoe.get("/screen").text
    at.ana.do("backdrop", picture=name, seen_by="gm")
    assert '<figure id="backdrop" class="backdrop" hidden>' in at.bob.get().text
    told = at.ana.get("/log").text
    assert told.count('alt="le port"') == 1, "hidden and shown again, it is told in words: the picture is there already"
    assert say("web.happened.backdrop-hidden").replace("'", "&#39;") in told
    assert say("web.happened.backdrop-shown").replace("'", "&#39;") in told


def test_a_portrait_stands_on_cards_and_in_the_log_and_initials_where_there_is_none(at):
    page = at.bob.get("/new").text
    ready = re.search(r'name="ready" value="([^"]+)"', page)[1]
    record = at.brings(at.bob, kind="character", ready=ready)
    assert 'class="portrait' in at.cy.get().text
    assert not at.cy.pictures()
    assert at.bob.post("/picture", file(), record=record, words="un visage").status_code == 303
    assert len(at.cy.pictures()) == 1
    at.bob.do("say", text="bonsoir")
    assert len(at.cy.pictures()) == 2, "what their player says has their face"
    assert at.cy.post("/picture", file(), record=record, words="autre").status_code == 403
    assert at.bob.do("picture", record=record).status_code == 303
    assert not at.cy.pictures()


@pytest.mark.parametrize(("sent", "status", "word"), [
    (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", 422, "table/not-a-picture"),
    (b"no picture at all", 422, "table/not-a-picture"),
    (b"", 422, "table/not-a-picture"),
], ids=["drawing", "words", "nothing"])
def test_what_is_no_picture_is_refused_in_words(at, sent, status, word):
    answer = at.ana.post("/picture", sent, words="x", seen_by="all")
    assert answer.status_code == status
    assert say(f"errors.{word}.title") in answer.text.replace("&#39;", "'")
    assert not at.state.pictures


def test_what_is_too_large_is_refused_before_it_is_read(at):
    for bytes_sent in (LONGEST_PICTURE + 1, 12_000_001):
        answer = at.ana.post("/picture", b"\0" * bytes_sent, words="x")
        assert answer.status_code == 413
        assert say("errors.table/large-picture.title", megabytes=12, megapoints=30) in answer.text
    assert not at.state.pictures


def test_an_animation_with_a_script_inside_is_one_picture_and_nothing_else(at):
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], comment=b"<script>alert(1)</script>")
    at.ana.post("/picture", out.getvalue() + b"<script>alert(2)</script>", words="x", seen_by="all")
    content = at.bob.get(at.bob.pictures()[0]).content
    assert b"script" not in content
    assert getattr(Image.open(io.BytesIO(content)), "n_frames", 1) == 1


def test_a_form_without_its_seats_proof_brings_nothing(at):
    answer = at.ana.client.post(f"{at.ana.base}/picture", data={"proof": "0" * 32}, files={"picture": file()},
                                headers=at.ana._cookie)
    assert answer.status_code == 403
    assert not at.state.pictures


def test_a_document_is_on_the_shelf_of_those_who_may_read_it(at):
    text = "# Ordre\n\n**Taisez-vous** <script>alert(1)</script> [ici](javascript:alert(1)) [là](https://exemple.fr/)"
    at.ana.post("/shelf", file(), title="La note de Brandt", text=text, words="papier froissé", seen_by=at.bob.seat)
    page = at.bob.get("/shelf").text
    assert "<strong>Taisez-vous</strong>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert 'rel="noopener noreferrer"' in page
    assert len(at.bob.pictures("/shelf")) == 1
    (document,) = at.state.documents
    for path in ("/", "/shelf", "/log", "/export"):
        at.cy.get(path)
    assert not any(part.encode() in at.cy.sent for part in ("Brandt", "Taisez", "papier", document))
    assert not at.cy.pictures("/shelf")
    at.ana.do("show-document", document=document, seen_by="all")
    assert "Brandt" in at.cy.get("/shelf").text
    assert f"/shelf#d-{document}" in at.cy.get().text
    at.ana.do("remove-document", document=document)
    assert "Brandt" not in at.bob.get("/shelf").text
    assert at.bob.post("/shelf", title="Faux", text="x").status_code == 403


def test_a_closed_place_is_offered_nothing_and_somebody_away_still_is(at):
    for who, what in ((at.cy, "revoke"), (at.bob, "leave")):
        assert at.ana.post("/links", who=who.seat, what=what).status_code in (200, 303)
    for path, field in (("/shelf", "seen_by"), ("/", "seen_by"), ("/", "to"), ("/prepare", "about")):
        page = at.ana.get(path).text
        assert f'name="{field}" value="{at.bob.seat}"' in page, path
        assert f'name="{field}" value="{at.cy.seat}"' not in page, path


def test_a_missing_picture_breaks_nothing(at):
    at.ana.post("/picture", file(), words="le port", seen_by="all")
    at.app.state.host.log._pictures.clear()
    (his,) = set(at.bob.pictures())
    assert at.bob.get(his).status_code == 404


def test_programs_bring_and_fetch_pictures(at):
    def headers(who: Reader) -> dict[str, str]:
        return {"Authorization": f"Bearer {who.token}", "Content-Type": "application/octet-stream"}

    client = at.ana.client
    made = client.post("/api/table/pictures?words=le+port", content=file("JPEG"), headers=headers(at.ana))
    assert made.status_code == 201
    name = made.json()["picture"]
    assert client.get(f"/api/table/pictures/{name}", headers=headers(at.ana)).headers["content-type"] == "image/webp"
    none = client.get(f"/api/table/pictures/{'0' * 24}", headers=headers(at.bob))
    not_his = client.get(f"/api/table/pictures/{name}", headers=headers(at.bob))
    assert none.status_code == not_his.status_code == 404
    assert none.json()["code"] == not_his.json()["code"]
    refused = client.post("/api/table/pictures", content=b"nothing", headers=headers(at.ana))
    assert refused.status_code == 422
    assert refused.json()["code"] == "table/not-a-picture"


GIVEN = """([kind, name, type = "image/png"]) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [40, 30];
    canvas.getContext("2d").fillRect(0, 0, 40, 30);
    const bytes = Uint8Array.from(atob(canvas.toDataURL("image/png").split(",")[1]), (sign) => sign.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, {type}));
    const made = {bubbles: true, cancelable: true};
    if (kind === "drop")
        document.querySelector("#scene-picture-file").closest("[data-picture]").dispatchEvent(
            new DragEvent("drop", {...made, dataTransfer: data}));
    else document.dispatchEvent(new ClipboardEvent("paste", {...made, clipboardData: data}));
}"""


@pytest.mark.needs("chromium")
def test_a_picture_is_dropped_or_pasted_and_shown_to_one_and_not_to_the_other(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy")
    for kind, field, keeps in (("drop", "scene-picture", "web.picture.show_now"), ("paste", "p-new", "web.shelf.keep")):
        ana.goes(f"{ana.base}/shelf")
        ana.page.locator(f"#{field}-words").focus()
        ana.page.evaluate(GIVEN, [kind, f"{kind}.png"])
        told = ana.page.locator("[data-told]").filter(has_text=f"{kind}.png")
        expect(told).to_have_text(say("web.picture.ready").replace("{name}", f"{kind}.png"))
        assert ana.page.locator(f"#{field}-words").evaluate("words => words.required"), "its words are asked for"
        ana.page.locator(f"#{field}-words").fill("un mur noir")
        if kind == "paste":
            ana.page.locator("#t-new").fill("Le mur")
            ana.page.locator("form:has(#t-new)").get_by_label("Bob").check()
        ana.page.get_by_role("button", name=say(keeps), exact=True).first.click()
        expect(ana.page.get_by_alt_text("un mur noir").first).to_be_visible()
    ana.page.evaluate(GIVEN, ["drop", "notes.txt", "text/plain"])
    expect(ana.page.get_by_text(say("errors.table/not-a-picture.title"))).to_be_attached()
    bob.goes(f"{bob.base}/shelf")
    expect(bob.page.get_by_alt_text("un mur noir")).to_be_visible()
    assert bob.page.evaluate("[...document.images].every((image) => image.naturalWidth === 40)")
    cy.goes(f"{cy.base}/shelf")
    expect(cy.page.get_by_text(say("web.shelf.empty"))).to_be_visible()
    assert cy.page.evaluate("document.images.length") == 0
