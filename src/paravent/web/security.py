"""What keeps pages safe: headers, cookies bound to a seat's address, proof that a form is ours, limits."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
LONGEST_BODY = 256 * 1024
SEAT_COOKIE = "paravent_seat"
LANG_COOKIE = "paravent_lang"


async def guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Headers on every answer; bodies of a sane size; no form from another site."""
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > LONGEST_BODY:
        return _headed(PlainTextResponse("413", 413))
    if request.method == "POST" and not same_site(request):
        return _headed(PlainTextResponse("403", 403))
    return _headed(await call_next(request))


def _headed(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if "cache-control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def same_site(request: Request) -> bool:
    """Whether a post comes from our own pages, or from a program that sends no such header."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin in (None, "null") or origin.split("://", 1)[-1] == request.headers.get("host")


def form_proof(token: str) -> str:
    """What a seat's own forms carry, and nobody else can know."""
    return hmac.new(token.encode(), b"form", hashlib.sha256).hexdigest()[:32]


def is_proof(token: str, proof: str) -> bool:
    """Whether a form carries its seat's proof."""
    return hmac.compare_digest(form_proof(token).encode(), proof.encode())


class Limiter:
    """So many tries in so many seconds from one address; the oldest addresses are forgotten first."""

    def __init__(self, tries: int, seconds: float, addresses: int = 4096) -> None:
        self._tries, self._seconds, self._addresses = tries, seconds, addresses
        self._seen: OrderedDict[str, list[float]] = OrderedDict()

    def allows(self, address: str, now: float | None = None) -> bool:
        """Whether one more try is allowed; it is counted."""
        at = time.monotonic() if now is None else now
        tries = [t for t in self._seen.pop(address, []) if at - t < self._seconds]
        allowed = len(tries) < self._tries
        self._seen[address] = [*tries, at] if allowed else tries
        while len(self._seen) > self._addresses:
            self._seen.popitem(last=False)
        return allowed
