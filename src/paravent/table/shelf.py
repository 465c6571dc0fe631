"""Pictures and documents: pictures brought and put somewhere, the backdrop of the scene, the shelf of documents."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from paravent.game import NotYours, System, UnknownName
from paravent.game.records import ALL, GM

from . import commands as c
from . import events as e
from . import limits
from .act import Names
from .deciding import Fresh, events_of, everyone_or, gm_only
from .errors import EmptyText, NoRoomForPictures
from .limits import LONGEST_DESCRIPTION, LONGEST_DOCUMENT, LONGEST_NAME, no_more_than, short
from .records import known_ranks, known_record, seeing
from .state import State
from .view import Looking

# Pictures


@events_of.register
def _(command: c.KeepPicture, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    room_for_pictures(state, command.seat, command.size)
    picture = e.Picture(
        command.hash, command.width, command.height, short(command.words, LONGEST_DESCRIPTION), command.size,
        fresh.token(12).hex(), command.seat, command.small,
    )
    return [e.PictureKept(picture=picture, audience=())]


def room_for_pictures(state: State, seat: str, size: int = 0) -> None:
    """Refuse a picture for which there is no room: a player has room of their own, a game master what the table has."""
    master = state.eyes_of(seat).is_gm(seat)
    brought = [kept for kept in state.pictures.values() if master or kept.by == seat]
    most = limits.MOST_PICTURES if master else limits.MOST_PICTURES_OF_A_PLAYER
    room = limits.PICTURE_BYTES if master else limits.PICTURE_BYTES_OF_A_PLAYER
    if len(brought) >= most or sum(kept.size for kept in brought) + size > room:
        raise NoRoomForPictures(most=most, megabytes=room // 1_000_000)


def known_picture(state: State, seat: str, picture: str, system: System) -> None:
    """Refuse the name of a picture that a seat may not look at, as if it were not there."""
    if picture and picture not in Looking(state, seat, system).pictures():
        raise UnknownName("picture", picture, ())


@events_of.register
def _(command: c.SetPicture, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    known_record(state, command.seat, command.record)
    held = state.records[command.record]
    if not state.eyes_of(command.seat).is_gm(command.seat) and held.owner != command.seat:
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    known_picture(state, command.seat, command.picture, system)
    return pictured(state, command.record, command.picture) if command.picture != held.picture else []


def pictured(state: State, record: str, picture: str, back: bool = False) -> list[e.AnyEvent]:
    """A record has another picture: told to those who may see it."""
    before = state.records[record].picture
    return [e.RecordPictured(record=record, picture=picture, before=before, audience=seeing(state, record), back=back)]


# The scene


@events_of.register
def _(command: c.SetBackdrop, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_ranks(state, command.seen_by)
    known_picture(state, command.seat, command.picture, system)
    backdrop = e.Backdrop(command.picture, shown_to(command.seen_by), state.scene)
    return backdrop_set(state, backdrop) if backdrop != state.backdrop else []


def backdrop_set(state: State, backdrop: e.Backdrop, back: bool = False) -> list[e.AnyEvent]:
    """The scene looks otherwise: told to those who see it, or saw what was there."""
    before = state.backdrop
    seen_by = {*backdrop.seen_by, *(before.seen_by if before.picture and before.scene == state.scene else ())}
    return [e.BackdropSet(backdrop=backdrop, before=before, audience=audience_of(state, seen_by), back=back)]


def shown_to(seen_by: Iterable[str]) -> Names:
    """Who sees something, as it is kept: the game master always does."""
    named = set(seen_by)
    return (ALL,) if ALL in named else tuple(sorted(named - {GM})) or (GM,)


def audience_of(state: State, seen_by: Iterable[str]) -> Names:
    """Who is told of what these may see."""
    eyes, named = state.eyes, set(seen_by)
    return everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", named)))


# The shelf


@events_of.register
def _(command: c.KeepDocument, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_ranks(state, command.seen_by)
    known_picture(state, command.seat, command.picture, system)
    before = known_document(state, command.document) if command.document else None
    if before is None:
        no_more_than(limits.MOST_DOCUMENTS, len(state.documents) + 1, "document")
    title, text = short(command.title, LONGEST_NAME), short(command.text, LONGEST_DOCUMENT)
    if not (title and (text or command.picture)):
        raise EmptyText()
    kept = e.Document(title, text, command.picture, shown_to(command.seen_by))
    return [] if kept == before else document_kept(state, command.document or fresh.name(), kept)


def document_kept(state: State, document: str, kept: e.Document, back: bool = False) -> list[e.AnyEvent]:
    """A document on the shelf, told to those who may see it, or did."""
    before = state.documents.get(document)
    seen_by = {*kept.seen_by, *(before.seen_by if before is not None else ())}
    return [e.DocumentKept(document=document, kept=kept, before=before, back=back,
                           audience=audience_of(state, seen_by))]


def known_document(state: State, document: str) -> e.Document:
    """A document by its name; refused where there is none."""
    kept = state.documents.get(document)
    if kept is None:
        raise UnknownName("document", document, ())
    return kept


@events_of.register
def _(command: c.ShowDocument, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_ranks(state, command.seen_by)
    seen_by = shown_to(command.seen_by)
    return document_shown(state, command.document, seen_by) if (
        seen_by != known_document(state, command.document).seen_by) else []


def document_shown(state: State, document: str, seen_by: Names, back: bool = False) -> list[e.AnyEvent]:
    """A document is seen by others than before; what was read cannot be unread."""
    before = known_document(state, document).seen_by
    return [e.DocumentShown(document=document, seen_by=seen_by, before=before, back=back,
                            audience=audience_of(state, {*seen_by, *before}))]


@events_of.register
def _(command: c.RemoveDocument, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    return document_removed(state, command.document)


def document_removed(state: State, document: str, back: bool = False) -> list[e.AnyEvent]:
    """A document is taken off the shelf."""
    kept = known_document(state, document)
    return [e.DocumentRemoved(document=document, kept=kept, audience=audience_of(state, kept.seen_by), back=back)]


def put_back(state: State, told: e.AnyEvent) -> list[e.AnyEvent] | None:
    """The events that undo what a line of the log says of pictures or documents; None where it says nothing of them."""
    match told:
        case e.RecordPictured() if told.record in state.records:
            return pictured(state, told.record, told.before, back=True)
        case e.BackdropSet():
            return backdrop_set(state, told.before, back=True)
        case e.DocumentKept() if told.document in state.documents:
            if told.before is None:
                return document_removed(state, told.document, back=True)
            return document_kept(state, told.document, told.before, back=True)
        case e.DocumentShown() if told.document in state.documents:
            return document_shown(state, told.document, told.before, back=True)
        case e.DocumentRemoved() if told.document not in state.documents:
            return document_kept(state, told.document, replace(told.kept), back=True)
    return None
