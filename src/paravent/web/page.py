"""Pages and parts of pages, drawn from templates in the reader's language."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import quote

import segno
from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response, StreamingResponse

from paravent.dice import ParaventError
from paravent.game.telling import Teller
from paravent.game.words import LANGUAGES

from .drawn import filled_in
from .looks import drawing, environment
from .security import LANG_COOKIE

A_DAY = 24 * 3600
A_YEAR = 365 * A_DAY
R = TypeVar("R", bound=Response)


def lang_of(request: Request) -> str:
    """The reader's language: asked for, remembered, the browser's if it is one of ours, or French."""
    asked = request.query_params.get("lang") if request.scope["query_string"] else None
    asked = asked or request.cookies.get(LANG_COOKIE)
    return next((name for name in (asked, *accepted_by(request)) if name in LANGUAGES), LANGUAGES[0])


def accepted_by(request: Request) -> list[str]:
    """The languages that a reader's program accepts, in its order."""
    accepted = request.headers.get("accept-language", "").split(",")
    return [part.partition(";")[0].strip()[:2].lower() for part in accepted]


def draw(name: str, lang: str, teller: Teller | None = None, **values: Any) -> Markup:
    """A template, drawn in a language; a game's own comes before the house's."""
    tell = teller or Teller(lang)
    made = environment(tell.system.package if tell.system is not None else "")
    with drawing(t=tell.say, **values):
        return Markup(made.get_template(name).render(lang=lang, tell=tell, t=tell.say, **values))


def page(request: Request, name: str, code: int = 200, teller: Teller | None = None, **values: Any) -> HTMLResponse:
    """A whole page; a language asked for in the address is remembered."""
    lang = lang_of(request)
    game = teller.system.id if teller is not None and teller.system is not None else ""
    shown = draw(name, lang, teller, path=request.url.path, query=_rest_of_query(request), game=game, **values)
    return _remembering(
        request, lang, HTMLResponse(filled_in(shown, values.get("base", ""), values.get("proof", "")), code))


def _rest_of_query(request: Request) -> str:
    """What is asked in the address, but for the language."""
    return "&".join(f"{quote(k)}={quote(v)}" for k, v in request.query_params.multi_items() if k != "lang")


def _remembering(request: Request, lang: str, response: R) -> R:
    if request.query_params.get("lang"):
        response.set_cookie(LANG_COOKIE, lang, max_age=A_YEAR, httponly=True, samesite="lax")
    return response


MAIN = "<main"
"""Where what a page is about begins."""


class _Standing:
    """Stands for the desk of the table as it is, and once the account is read, for that of the account."""

    def __init__(self, now: Callable[[], Any]) -> None:
        self._now = now

    def __getattr__(self, name: str) -> Any:
        return getattr(self._now(), name)


def page_by_and_by(
    request: Request, name: str, teller: Teller, read: Callable[[], Awaitable[Any]], **values: Any
) -> Response:
    """A page whose head is sent at once, while what it tells is still being ``read``: in its template, ``told()``, with
    a ``desk`` of its own. It is drawn in a thread: it may be long.
    """
    lang, kept = lang_of(request), _rest_of_query(request)
    told: list[Any] = []
    at_first = values["desk"]
    values["desk"] = _Standing(lambda: told[0].desk if told else at_first)
    values |= {"told": lambda: told[0], "path": request.url.path, "query": kept,
               "game": teller.system.id if teller.system is not None else ""}
    made = environment(teller.system.package if teller.system is not None else "").get_template(name)
    pieces = made.generate(lang=lang, tell=teller, t=teller.say, **values)

    def drawn(until: str = "") -> str:
        with drawing(t=teller.say, **values):
            found: list[str] = []
            for piece in pieces:
                found.append(piece)
                if until and until in piece:
                    break
            return filled_in("".join(found), values.get("base", ""), values.get("proof", ""))

    async def sent() -> AsyncIterator[str]:
        yield await asyncio.to_thread(drawn, MAIN)
        try:
            told.append(await read())
            yield await asyncio.to_thread(drawn)
        except ParaventError as error:  # the log is out of reach: what has begun ends with a sentence
            yield str(draw("refusal.html", lang, message=teller.error(error, spelled=False)))

    response = StreamingResponse(sent(), media_type="text/html; charset=utf-8")
    return _remembering(request, lang, response)


def plain_page(request: Request, status: int) -> Response:
    """A page that says what went wrong."""
    key = f"web.status.{status}" if Teller("fr").words.knows(f"web.status.{status}") else "web.status.other"
    return page(request, "message.html", status, message=Teller(lang_of(request)).say(key), status=status)


def is_part(request: Request) -> bool:
    """Whether our script asks for a part of a page."""
    return bool(request.headers.get("hx-request"))


def qr(link: str) -> Markup:
    """A QR code as an image that the page itself carries."""
    out = io.BytesIO()
    code = segno.make(link, error="m")
    code.save(out, kind="svg", omitsize=True, border=2, xmldecl=False, svgns=True, dark="#1c1a26", light="#fff")
    return Markup(out.getvalue().decode())
