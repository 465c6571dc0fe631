"""The game master looks through a player's eyes: the same bytes as theirs, but for what is theirs alone."""

import re

import pytest

from .conftest import say
from .test_shelf import Evening, at, file  # noqa: F401

REGIONS = ("clock", "hourglass", "moves", "pinned", "encounters", "log", "sheets", "yours", "start", "backdrop")


def regions(who, path: str = "/", as_: str = "") -> dict[str, str]:
    """What a page shows, region by region, without what is the reader's own: address, proof, ids made for forms."""
    page = who.get(f"/as/{as_}{path}" if as_ else path).text
    page = re.sub(r'value="[0-9a-f]{16,}"', 'value', page)
    page = page.replace(f"{who.base}/as/{as_}" if as_ else who.base, "HERE")
    page = re.sub(r"HERE/picture/[^\"]+", "HERE/picture", page)
    found = {name: re.search(rf'<(\w+) id="{name}"', page) for name in REGIONS}
    assert all(found.values()), found
    starts = sorted((match.start(), name) for name, match in found.items())
    ends = [start for start, _ in starts[1:]]
    return {name: page[start:end] for (start, name), end in zip(starts[:-1], ends, strict=True)}


@pytest.fixture
def played(at: Evening) -> Evening:  # noqa: F811
    ready = re.search(r'name="ready" value="([^"]+)"', at.bob.get("/new").text)[1]
    at.brings(at.bob, kind="character", ready=ready)
    at.ana.do("scene", kind="scene", title="Le hangar")
    at.ana.post("/picture", file(), words="le port", seen_by="all")
    at.ana.do("say", text="/n Brandt ment.")
    at.ana.do("hourglass", seconds="60", words="Vite")
    at.bob.do("say", text="/r 3d6")
    at.cy.do("say", text="Nous descendons.")
    return at


def test_it_is_what_the_player_is_sent_byte_for_byte(played):
    for who in (played.bob, played.cy, played.zoe):
        own, seen = regions(who), regions(played.ana, as_=who.seat)
        for name, part in own.items():
            assert seen[name].split() == part.split(), (who.seat, name)
    page = played.ana.get(f"/as/{played.bob.seat}/").text
    assert "Brandt ment" not in page
    assert say("web.watching.title", name="Bob") in page


def test_what_somebody_keeps_from_the_game_master_stays_theirs(played):
    played.bob.do("say", text="/w Cy Ana nous ment, fuyons.")
    played.bob.do("notes", text="Ne pas se fier à Ana.")
    assert "fuyons" in played.bob.get().text
    for path in ("/", "/log", "/shelf", "/campaign"):
        played.ana.get(f"/as/{played.bob.seat}{path}")
    assert b"fuyons" not in played.ana.sent
    assert b"se fier" not in played.ana.sent


def test_nothing_can_be_done_from_it(played):
    page = played.ana.get(f"/as/{played.bob.seat}/").text
    assert '<fieldset disabled class="panels' in page
    assert "grains.js" not in page
    assert "data-proof" not in page
    before = len(played.state.log)
    proof = re.search(r'name="proof" value="([^"]+)"', page)[1]
    for base in (f"{played.ana.base}/as/{played.bob.seat}", played.bob.base, played.ana.base):
        answer = played.ana.client.post(f"{base}/do/say", data={"proof": proof, "text": "Moi, Bob."},
                                        headers=played.ana._cookie)
        assert answer.status_code in (401, 403, 404, 405)
    assert len(played.state.log) == before


def test_nobody_is_counted_as_being_there(played):
    played.ana.get(f"/as/{played.bob.seat}/")
    assert not played.app.state.presence.here(played.state.table)


def test_it_is_the_game_masters_alone(played):
    for who, other in ((played.bob, played.cy), (played.zoe, played.bob)):
        assert who.get(f"/as/{other.seat}/").status_code == 404
        assert who.get(f"/as/{other.seat}/live").status_code == 404
    assert played.ana.get("/as/nobody/").status_code == 404
    assert played.ana.get(f"/as/{played.ana.seat}/").status_code == 404
    assert f"/as/{played.bob.seat}/" in played.ana.get("/links").text


def test_the_other_pages_are_theirs_too(played):
    seat = played.bob.seat
    record = next(name for name, held in played.state.records.items() if held.owner == seat)
    for path in (f"/sheet/{record}", "/shelf", "/campaign", "/log?times=1"):
        assert played.ana.get(f"/as/{seat}{path}").status_code == 200
    page = played.ana.get(f"/as/{seat}/").text
    address = re.search(rf'{played.ana.base}(/as/{seat}/picture/[^"]+)"', page)[1]
    assert played.ana.get(address).headers["content-type"] == "image/webp"
