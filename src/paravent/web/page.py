"""Pages and parts of pages, drawn from templates in the reader's language."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import quote

import segno
from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from paravent.game.telling import Teller
from paravent.game.words import LANGUAGES

from .drawn import filled_in
from .looks import drawing, environment
from .security import LANG_COOKIE

A_YEAR = 365 * 24 * 3600


def lang_of(request: Request) -> str:
    """The reader's language: asked for, remembered, the browser's if it is one of ours, or French."""
    asked = request.query_params.get("lang") or request.cookies.get(LANG_COOKIE) or ""
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
    kept = "&".join(f"{quote(k)}={quote(v)}" for k, v in request.query_params.multi_items() if k != "lang")
    shown = draw(name, lang, teller, path=request.url.path, query=kept, game=game, **values)
    response = HTMLResponse(filled_in(shown, values.get("base", ""), values.get("proof", "")), code)
    if request.query_params.get("lang"):
        response.set_cookie(LANG_COOKIE, lang, max_age=A_YEAR, httponly=True, samesite="lax")
    return response


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
