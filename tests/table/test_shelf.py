"""Pictures and documents: seen where they are put, by those who may see that; nobody else is told of any."""

import asyncio
import io
import json
import zlib

import pytest
from evening import Evening
from PIL import Image
from veil import VEIL

from paravent.store import open_log
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table import limits
from paravent.table.errors import LargePicture, NoRoomForPictures, NotAnExport, NotAPicture
from paravent.table.host import Host
from paravent.table.pictures import LARGE, LARGEST_SENT, SMALL, is_ours, redrawn
from paravent.table.verify import verify
from paravent.table.view import Looking


class Gallery(Evening):
    """An evening to which pictures are brought."""

    def picture(self, person, words="le port, de nuit"):
        events = person.does(c.KeepPicture, hash="ab" * 32, width=640, height=480, size=1000, words=words)
        return next(event.picture.name for event in events if isinstance(event, e.PictureKept))

    def may_look(self, person):
        return Looking(self.table.state, person.seat, self.table.system).pictures()


@pytest.fixture
def at() -> Gallery:
    return Gallery()


def test_a_picture_that_is_brought_is_seen_by_nobody_until_it_is_put_somewhere(at):
    before = {person.name: (person.page(), len(person.told)) for person in at.people}
    name = at.picture(at.bob)
    assert {person.name: (person.page(), len(person.told)) for person in at.people} == before
    assert at.may_look(at.bob) == {name}
    assert not any(at.may_look(person) for person in (at.ana, at.cy, at.zoe))


def test_a_portrait_is_seen_by_those_who_see_whose_it_is(at):
    spy = at.ana.brings("Espion", "extra", seen_by=("gm", at.cy.seat))
    hers, his = at.picture(at.ana, "un visage"), at.picture(at.bob)
    at.ana.does(c.SetPicture, record=spy, picture=hers)
    at.bob.does(c.SetPicture, record=at.elya, picture=his)
    assert at.cy.record(spy)["picture"] == {"name": hers, "width": 640, "height": 480, "words": "un visage"}
    assert at.may_look(at.cy) == {hers, his}
    assert at.may_look(at.zoe) == {his}
    assert hers not in "".join([*at.bob.received, at.bob.page(), *at.zoe.received, at.zoe.page()])
    assert all("abab" not in "".join([*person.received, person.page()]) for person in at.people), "the hash stays here"
    at.ana.does(c.RemoveRecord, record=spy)
    at.ana.does(c.UndoLast)
    assert at.cy.record(spy)["picture"]["name"] == hers


def test_only_its_owner_and_the_game_master_change_a_portrait_and_only_to_what_they_may_see(at):
    hers, his = at.picture(at.ana), at.picture(at.bob)
    assert at.cy.refused(c.SetPicture, record=at.elya, picture="") == "table/not-yours"
    assert at.bob.refused(c.SetPicture, record=at.elya, picture=hers) == "form/unknown"
    assert at.bob.refused(c.SetPicture, record=at.elya, picture="none") == "form/unknown"
    assert at.zoe.refused(c.KeepPicture, hash="00", width=1, height=1, size=1) == "table/only-players"
    at.bob.does(c.SetPicture, record=at.elya, picture=his)
    at.ana.does(c.SetPicture, record=at.elya)
    assert "picture" not in at.bob.record(at.elya)
    at.ana.does(c.UndoLast)
    assert at.bob.record(at.elya)["picture"]["name"] == his


def test_the_scene_has_a_picture_that_the_game_master_shows_and_hides(at):
    name = at.picture(at.ana)
    at.ana.does(c.OpenScene, title="Le hangar")
    at.ana.does(c.SetBackdrop, picture=name, seen_by=("gm",))
    assert at.ana.sees()["backdrop"]["seen_by"] == ["gm"]
    assert all("backdrop" not in person.sees() and not at.may_look(person) for person in at.others)
    at.ana.does(c.SetBackdrop, picture=name, seen_by=("all",))
    assert all(person.sees()["backdrop"]["picture"]["name"] == name for person in at.people)
    assert at.zoe.sees()["log"][-1]["picture"]["name"] == name, "it is a plate of the story"
    at.ana.does(c.SetBackdrop, picture=name, seen_by=("gm",))
    assert all("backdrop" not in person.sees() for person in at.others)
    at.ana.does(c.UndoLast)
    assert "backdrop" in at.bob.sees()
    at.ana.does(c.OpenScene, title="La glace")
    assert "backdrop" not in at.ana.sees(), "another scene looks otherwise"
    at.ana.does(c.UndoLast)
    assert at.bob.sees()["backdrop"]["picture"]["name"] == name


def test_a_hidden_picture_that_follows_one_that_was_shown_is_told_to_nobody(at):
    shown, hidden = at.picture(at.ana), at.picture(at.ana, "le traître")
    at.ana.does(c.SetBackdrop, picture=shown)
    at.ana.does(c.SetBackdrop, picture=hidden, seen_by=("gm",))
    assert all("backdrop" not in person.sees() and at.may_look(person) == {shown} for person in at.others)
    for person in at.others:
        assert hidden not in "".join([*person.received, person.page()])
        assert "tra\u00eetre" not in "".join([*person.received, person.page()])


def test_a_scene_that_begins_with_its_picture_shows_it_to_all(at):
    name = at.picture(at.ana)
    at.ana.does(c.OpenScene, title="Le port", picture=name)
    assert at.zoe.sees()["backdrop"]["picture"]["words"] == "le port, de nuit"
    assert at.zoe.sees()["log"][-1]["picture"]["name"] == name
    at.ana.does(c.UndoLast)
    assert "backdrop" not in at.zoe.sees()
    assert not at.may_look(at.zoe)


def test_a_document_is_shown_to_some_and_later_to_others(at):
    name = at.picture(at.ana)
    (kept,) = at.ana.does(c.KeepDocument, title="La note de Brandt", text="**Taisez-vous.**", picture=name)
    note = kept.document
    assert all("documents" not in person.sees() for person in at.others)
    at.ana.does(c.ShowDocument, document=note, seen_by=(at.bob.seat,))
    assert at.bob.sees()["documents"][note]["text"] == "**Taisez-vous.**"
    assert at.may_look(at.bob) == {name}
    for person in (at.cy, at.zoe):
        assert not any(part in "".join([*person.received, person.page()]) for part in ("Brandt", note, name))
    at.ana.does(c.ShowDocument, document=note, seen_by=("all",))
    assert at.cy.sees()["log"][-1]["title"] == "La note de Brandt"
    at.ana.does(c.KeepDocument, document=note, title="La vraie note", text="Brandt ment.", seen_by=("gm",))
    assert "vraie" not in "".join([*at.bob.received, at.bob.page()])
    assert "documents" not in at.bob.sees()
    at.ana.does(c.UndoLast)
    assert at.bob.sees()["documents"][note]["title"] == "La note de Brandt"
    at.ana.does(c.RemoveDocument, document=note)
    assert "documents" not in at.ana.sees()
    at.ana.does(c.UndoLast)
    assert at.cy.sees()["documents"][note]["text"] == "**Taisez-vous.**"


def test_a_document_says_something_and_only_the_game_master_keeps_the_shelf(at):
    assert at.ana.refused(c.KeepDocument, title="Rien") == "table/empty"
    assert at.ana.refused(c.KeepDocument, title="", text="x") == "table/empty"
    assert at.ana.refused(c.KeepDocument, title="T", text="x", picture="none") == "form/unknown"
    assert at.ana.refused(c.ShowDocument, document="none", seen_by=("all",)) == "form/unknown"
    assert at.bob.refused(c.KeepDocument, title="T", text="x") == "table/only-gm"
    assert at.bob.refused(c.SetBackdrop, picture="") == "table/only-gm"


def test_how_much_room_is_left_for_pictures_tells_nobody_of_those_of_others(at, monkeypatch):
    monkeypatch.setattr(limits, "MOST_PICTURES", 3)
    monkeypatch.setattr(limits, "MOST_PICTURES_OF_A_PLAYER", 2)
    for _ in range(3):
        at.picture(at.ana)
    at.picture(at.bob)
    at.picture(at.bob)
    assert at.bob.refused(c.KeepPicture, hash="00", width=1, height=1, size=1) == "table/no-room-for-pictures"
    assert at.ana.refused(c.KeepPicture, hash="00", width=1, height=1, size=1) == "table/no-room-for-pictures"
    at.picture(at.cy)
    assert at.cy.refused(c.KeepPicture, hash="00", width=1, height=1, size=10**9) == "table/no-room-for-pictures"


# What is sent, and what is kept


def file(kind, size=(400, 300), **more) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 40).convert("RGB").save(out, kind, **more)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_what_is_kept_is_drawn_anew_of_a_sane_size(kind):
    drawn = redrawn(file(kind, (2400, 1200)))
    assert (drawn.width, drawn.height) == (LARGE, LARGE // 2)
    assert is_ours(drawn.content)
    assert is_ours(drawn.small)
    with Image.open(io.BytesIO(drawn.small)) as small:
        assert small.size == (SMALL, SMALL // 2)


def test_a_photograph_stands_upright_and_says_neither_where_nor_when():
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "12 rue du Port"
    sent = file("JPEG", exif=exif, comment=b"<script>alert(1)</script>")
    assert b"rue du Port" in sent
    drawn = redrawn(sent)
    assert (drawn.width, drawn.height) == (300, 400)
    assert b"rue du Port" not in drawn.content
    assert b"script" not in drawn.content


def test_of_an_animation_the_first_image_is_kept():
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    with Image.open(io.BytesIO(redrawn(out.getvalue()).content)) as kept:
        red, _, blue = kept.convert("RGB").getpixel((20, 15))
        assert red > 200 > 60 > blue
        assert getattr(kept, "n_frames", 1) == 1


@pytest.mark.parametrize("sent", [
    b"", b"hello", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    b"<html><script>alert(1)</script></html>", b"%PDF-1.4", b"\x89PNG\r\n\x1a\n", file("JPEG")[:300], file("BMP"),
], ids=["nothing", "words", "drawing", "page", "paper", "head", "cut", "other"])
def test_what_is_no_picture_is_refused(sent):
    with pytest.raises(NotAPicture):
        redrawn(sent)


def test_a_picture_with_a_script_behind_it_leaves_it_behind():
    assert b"script" not in redrawn(file("PNG") + b"<script>alert(1)</script>").content


def test_what_is_too_large_is_refused_before_it_is_drawn():
    with pytest.raises(LargePicture):
        redrawn(b"\0" * (LARGEST_SENT + 1))
    with pytest.raises(LargePicture):
        redrawn(_bomb(30_000, 30_000))
    with pytest.raises(LargePicture):
        redrawn(_bomb(9_000, 9_000))


def _bomb(width: int, height: int) -> bytes:
    """A small file that says it is a huge picture."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + chunk(b"IEND", b"")


# Where they are kept


def test_pictures_go_with_the_table_wherever_it_goes():
    async def scene():
        host = Host(open_log("memory:"), lambda name: VEIL)
        entry = await host.open("veil", "Vendredi", "Ana")
        name = await host.keep_picture(entry.table, entry.seat, file("PNG"), "le port")
        await host.do(entry.table, c.SetBackdrop(seat=entry.seat, picture=name))
        content = await host.picture(entry.table, entry.seat, name)
        small = await host.picture(entry.table, entry.seat, name, small=True)
        assert content is not None
        assert small is not None
        assert len(small) < len(content)
        whole = await host.export_whole(entry.table)
        assert verify(whole).differs is None
        elsewhere = Host(open_log("memory:"), lambda name: VEIL)
        there = await elsewhere.bring(whole)
        assert await elsewhere.picture(there.table, there.seat, name) == content
        bare = await elsewhere.bring([line for line in whole if '"picture","content"' not in line])
        assert await elsewhere.picture(bare.table, bare.seat, name) is None, "a missing picture breaks nothing"
        assert (await elsewhere.view(bare.table, bare.seat)).backdrop
        script = json.dumps({"paravent": "picture", "content": "PHNjcmlwdD4="}, separators=(",", ":"))
        with pytest.raises(NotAnExport):
            await elsewhere.bring([*whole, script])
        assert await host.picture(entry.table, entry.seat, "none") is None

    asyncio.run(scene())


def test_a_host_refuses_what_there_is_no_room_for_before_it_is_drawn(monkeypatch):
    monkeypatch.setattr(limits, "MOST_PICTURES", 1)

    async def scene():
        host = Host(open_log("memory:"), lambda name: VEIL)
        entry = await host.open("veil", "Vendredi", "Ana")
        once = await host.keep_picture(entry.table, entry.seat, file("PNG"), "", command="k")
        assert once in (await host.live(entry.table)).state.pictures
        with pytest.raises(NoRoomForPictures):
            await host.keep_picture(entry.table, entry.seat, b"no picture", "")

    asyncio.run(scene())


def test_what_an_import_shows_is_kept_before_the_table_is_there():
    """Killed in between, there is no table that lacks its pictures."""

    async def story() -> None:
        log, written = open_log("memory:"), []
        host = Host(log, systems=lambda name: VEIL)
        entry = await host.open("veil", "Vendredi", "Ana")
        name = await host.keep_picture(entry.table, entry.seat, file("PNG"), "le port")
        await host.do(entry.table, c.SetBackdrop(seat=entry.seat, picture=name))
        lines = await host.export_whole(entry.table)
        keep, append = log.keep_picture, log.append

        async def keeps(*args):
            written.append("picture")
            return await keep(*args)

        async def appends(*args, **more):
            written.append("table")
            return await append(*args, **more)

        log.keep_picture, log.append = keeps, appends
        brought = await host.bring(lines)
        assert written[:3] == ["picture", "picture", "table"]
        assert await host.picture(brought.table, entry.seat, name) is not None

    asyncio.run(story())
