"""Pictures and documents: brought, put somewhere, looked at; each seat is sent those that it may see, and no others."""

from __future__ import annotations

from hmac import compare_digest

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from paravent.game.records import ALL
from paravent.table import commands as c
from paravent.table.errors import NotAPicture
from paravent.table.pictures import LARGEST_SENT, MEDIA_TYPE

from .actions import Posted, several, text
from .api import host_of
from .drawn import picture_address
from .prose import prose
from .security import is_proof
from .visit import NotOurForm, Visit, visit

router = APIRouter(include_in_schema=False)
KEPT = "private, max-age=3600"
"""For how long a reader's own browser keeps a picture that it was sent; nobody between may."""


@router.get("/t/{table}/{seat}/picture/{address}")
async def picture(request: Request, table: str, seat: str, address: str) -> Response:
    """A picture, under the seat's own address for it. Of what there is not, and of what is not for it, the seat is told
    the same."""
    guest = await visit(request, table, seat)
    asked = address.encode(errors="replace")
    for name in guest.desk.looking.pictures():
        for small in (False, True):
            if compare_digest(picture_address(guest.proof, name, small).encode(), asked):
                content = await host_of(request).picture(table, seat, name, small)
                if content is not None:
                    return Response(content, media_type=MEDIA_TYPE, headers={"Cache-Control": KEPT})
    raise HTTPException(404)


@router.get("/t/{table}/{seat}/shelf")
async def shelf(request: Request, table: str, seat: str) -> Response:
    """The documents that a seat may read; for the game master, where they and pictures are put."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    looking = desk.looking
    brought = [looking.picture(name) for name, kept in desk.state.pictures.items()
               if desk.is_gm and kept.by in desk.state.eyes.masters]
    return guest.page("shelf.html", desk, documents=looking.documents(), backdrop=looking.backdrop(), prose=prose,
                      brought=[seen for seen in brought if seen], notes=looking.notes().get(seat, ""))


@router.get("/t/{table}/{seat}/prepare")
async def prepare(request: Request, table: str, seat: str) -> Response:
    """Where the game master prepares scenes."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    if not desk.is_gm:
        raise HTTPException(404)
    state, looking = desk.state, desk.looking
    brought = [looking.picture(name) for name, kept in state.pictures.items() if kept.by in state.eyes.masters]
    hidden = [(name, held.name) for name, held in state.records.items() if ALL not in held.seen_by]
    kept_back = [(name, kept.title) for name, kept in state.documents.items() if ALL not in kept.seen_by]
    deck = looking.deck()
    in_deck = [(name, held.name) for name, held in deck.items()]
    kinds = desk.system.kinds
    return guest.page(
        "prepare.html", desk, prepared=looking.prepared(), brought=[seen for seen in brought if seen],
        people=hidden + in_deck, documents=kept_back, deck=deck, deck_names=in_deck, called=dict(in_deck),
        askable=[(move.id, move.title) for move in desk.starts.asked_of_players()],
        played=[(name, held.name) for name, held in desk.records.items() if held.kind in desk.system.played],
        loose=[(name, held.name) for name, held in state.records.items() if not held.owner],
        ready=[(f"{kind.id}:{name}", str(getattr(record, "name", "") or name)) for kind in kinds.values()
               for name, record in kind.ready(desk.lang).items()],
        drawn=[kind.id for kind in kinds.values() if kind.draw is not None], notes=looking.notes(),
    )


@router.post("/t/{table}/{seat}/prepare")
async def prepare_scene(request: Request, table: str, seat: str) -> Response:
    """Prepare a scene, or write one anew."""
    guest = await visit(request, table, seat)
    form, content = await _sent(guest)
    name = await _kept(guest, form, content) if content else text(form, "before")
    asked = several(form, "of")
    await host_of(request).do(table, c.PrepareScene(
        hidden=several(form, "hidden"), first=dict.fromkeys(several(form, "first"), asked),
        title=text(form, "title"), text=text(form, "text"), note=text(form, "note"), picture=name,
        people=several(form, "people"), documents=several(form, "documents"), scene=text(form, "scene"),
        **Posted(form, guest.desk).common), guest.link)
    return RedirectResponse(f"{guest.base}/prepare", 303)


async def _sent(guest: Visit) -> tuple[FormData, bytes]:
    """A form of the seat's own, and the picture that came with it."""
    async with guest.request.form(max_files=3, max_fields=100) as form:
        if not is_proof(guest.token, text(form, "proof")):
            raise NotOurForm()
        files = [one for one in form.getlist("picture") if isinstance(one, UploadFile) and one.size]
        content = await files[0].read(LARGEST_SENT + 1) if files else b""
        return FormData([(name, value) for name, value in form.multi_items() if isinstance(value, str)]), content


async def _kept(guest: Visit, form: FormData, content: bytes) -> str:
    """The picture that came with a form, kept; its name."""
    once = text(form, "once")[:48]
    return await host_of(guest.request).keep_picture(
        guest.table, guest.seat, content, text(form, "words"), guest.link, f"{once} picture" if once else "")


@router.post("/t/{table}/{seat}/picture")
async def bring_picture(request: Request, table: str, seat: str) -> Response:
    """Bring a picture: of a record, of the scene, or to be kept for later."""
    guest = await visit(request, table, seat)
    form, content = await _sent(guest)
    if not content:
        raise NotAPicture()
    name = await _kept(guest, form, content)
    common, record = Posted(form, guest.desk).common, text(form, "record")
    command: c.Command | None = None
    if record:
        command = c.SetPicture(record=record, picture=name, **common)
    elif text(form, "seen_by"):
        command = c.SetBackdrop(picture=name, seen_by=several(form, "seen_by"), **common)
    if command is not None:
        await host_of(request).do(table, command, guest.link)
    return RedirectResponse(f"{guest.base}/sheet/{record}" if record else f"{guest.base}/shelf#scene", 303)


@router.post("/t/{table}/{seat}/shelf")
async def keep_document(request: Request, table: str, seat: str) -> Response:
    """Put a document on the shelf, or write one anew."""
    guest = await visit(request, table, seat)
    form, content = await _sent(guest)
    name = await _kept(guest, form, content) if content else text(form, "before")
    reply = await host_of(request).do(table, c.KeepDocument(
        title=text(form, "title"), text=text(form, "text"), picture=name, document=text(form, "document"),
        seen_by=several(form, "seen_by") or ("gm",), **Posted(form, guest.desk).common), guest.link)
    return RedirectResponse(f"{guest.base}/shelf#d-{reply.get('document', text(form, 'document'))}", 303)
