"""What keeps pages safe: headers, cookies bound to a seat's address, proof that a form is ours, limits."""

from __future__ import annotations

import hmac
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cache, lru_cache
from ipaddress import IPv4Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Nothing to other sites; to ourselves, so that a form's Origin says where it comes from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
ONLY_TRUSTED = ("Cross-Origin-Opener-Policy",)
"""What browsers complain about over plain HTTP in the house."""
LONGEST_BODY = 256 * 1024
LONGEST_TABLE = 256 * 1024 * 1024
LONGER = {"/import": LONGEST_TABLE, "/api/tables/import": LONGEST_TABLE}
"""Where a whole table may be sent."""
LONGEST_PICTURE = 12_200_000
WITH_PICTURE = re.compile(r"/t/[^/]+/[^/]+/(picture|shelf|prepare)|/api/table/pictures")
"""Where a picture may be sent, with a few words."""
SEAT_COOKIE = "paravent_seat"
LANG_COOKIE = "paravent_lang"
_log = logging.getLogger("paravent.web")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class TooLongBody(HTTPException):
    """A body goes on beyond what is read."""

    def __init__(self) -> None:
        super().__init__(413)


class Guard:
    """Around everything: headers on every answer, bodies of a sane size, no form from another site.

    ``refuse`` gives the answer for a status, as a page or as JSON.
    """

    def __init__(self, app: ASGIApp, refuse: Callable[[Request, int], Response]) -> None:
        self._app, self._refuse = app, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = first_of_each(scope)
        begun, trusted, encrypted = False, _is_trusted(scope, headers), _is_encrypted(scope, headers)

        async def headed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message.update(headers=_with_ours([*message.get("headers", ())], trusted, encrypted))
            await send(message)

        status = forbidden(scope, headers)
        if status:
            await self._refuse(Request(scope), status)(scope, receive, headed)
            return
        try:
            await self._app(scope, _no_longer_than(_longest(scope), receive), headed)
        except Exception:
            # A fault of ours: it is logged here, and nothing of it is told.
            _log.exception("%s %s", scope["method"], scope["path"])
            if begun:
                raise
            await self._refuse(Request(scope), 500)(scope, receive, headed)


FirstOfEach = dict[bytes, bytes]


def first_of_each(scope: Scope) -> FirstOfEach:
    """The headers of a request, the first of each name; nothing of them is put into words before it is asked for."""
    return dict(reversed([*scope["headers"]]))


def forbidden(scope: Scope, headers: FirstOfEach) -> int:
    """The status with which a request is turned away before it is read; 0 if it is not."""
    length = headers.get(b"content-length", b"0")
    if not (length.isdigit() and len(length) < 12):
        return 400
    if int(length) > _longest(scope):
        return 413
    return 0 if scope["method"] in SAFE_METHODS or same_site(headers) else 403


def _longest(scope: Scope) -> int:
    path = scope.get("path", "")
    return LONGEST_PICTURE if WITH_PICTURE.fullmatch(path) else LONGER.get(path, LONGEST_BODY)


def _no_longer_than(longest: int, receive: Receive) -> Receive:
    """The same body; one that never said its length is stopped where it becomes too long."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            if read > longest:
                raise TooLongBody()
        return message

    return limited


def _is_trusted(scope: Scope, headers: FirstOfEach) -> bool:
    """Whether a browser takes this address for a secure one: encrypted, or on the same machine."""
    return scope.get("scheme") == "https" or is_local_name(headers.get(b"host", b"").decode("latin-1"))


def _is_encrypted(scope: Scope, headers: FirstOfEach) -> bool:
    """Whether a browser reached us through an encrypted line, under a name that others know us by too."""
    return scope.get("scheme") == "https" and not is_local_name(headers.get(b"host", b"").decode("latin-1"))


FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""What a program between a browser and us adds."""


def is_local(scope: Scope) -> bool:
    """Whether the browser is on this very machine, calls it so, and nothing stands in between.

    The name counts too: a page elsewhere whose name was made to lead here is not on this machine.
    """
    headers, client = Headers(scope=scope), scope.get("client")
    if client is None or any(name in headers for name in FORWARDED):
        return False
    return is_loopback(client[0]) and is_local_name(headers.get("host", ""))


def is_in_front(request: Request) -> bool:
    """Whether whoever asks sits in front of this machine. Where friends come in from far away, that is said of nobody:
    what leads them here comes from this machine too, and says what they tell it to.
    """
    return not request.app.state.public and is_local(request.scope)


@lru_cache
def is_local_name(host: str) -> bool:
    """Whether the name in an address means the machine it is read on."""
    name = re.sub(r":\d*$", "", host).strip("[]")
    return name == "localhost" or is_loopback(name)


def is_loopback(host: str) -> bool:
    """Whether an address is one of a machine with itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@lru_cache(4096)
def household(address: str) -> str:
    """Whom an address is counted for: itself, or the whole network that a house has to itself where it is of the newer
    sort (IPv6), which gives whoever lives there as many addresses as they like.

    >>> household("192.0.2.7"), household("2001:db8::1") == household("2001:db8::beef"), household("::ffff:192.0.2.7")
    ('192.0.2.7', True, '192.0.2.7')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))


def _secured(cookie: bytes) -> bytes:
    """A cookie that never travels in the clear."""
    return cookie if b"; secure" in cookie.lower() else cookie + b"; Secure"


RawHeaders = list[tuple[bytes, bytes]]


def _with_ours(headers: RawHeaders, trusted: bool, encrypted: bool) -> RawHeaders:
    """An answer's headers with those that every answer bears; where all that passes is encrypted, it stays so."""
    if encrypted:
        headers = [(name, _secured(value) if name == b"set-cookie" else value) for name, value in headers]
    said = {name for name, _ in headers}
    return headers + [header for header in _ours(trusted, encrypted) if header[0] not in said]


@cache
def _ours(trusted: bool, encrypted: bool) -> RawHeaders:
    """The headers that every answer bears which does not say otherwise."""
    ours = {name: value for name, value in HEADERS.items() if trusted or name not in ONLY_TRUSTED}
    if encrypted:
        ours |= {"Strict-Transport-Security": f"max-age={365 * 24 * 3600}"}
    ours |= {"Cache-Control": "no-store"}
    return [(name.lower().encode(), value.encode()) for name, value in ours.items()]


def same_site(headers: FirstOfEach) -> bool:
    """Whether a post comes from our own pages, or from a program that sends no such header."""
    if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
        return False
    origin = headers.get(b"origin")
    return origin is None or origin.split(b"://", 1)[-1] == headers.get(b"host")


def form_proof(token: str) -> str:
    """What a seat's own forms carry, and nobody else can know."""
    return hmac.digest(token.encode(errors="replace"), b"form", "sha256").hex()[:32]


def is_proof(token: str, proof: str) -> bool:
    """Whether a form carries its seat's proof."""
    return hmac.compare_digest(form_proof(token).encode(), proof.encode(errors="replace"))


class Limiter:
    """So many tries in so many seconds from one household; the oldest are forgotten first."""

    def __init__(self, tries: int, seconds: float, addresses: int = 4096) -> None:
        self._tries, self._seconds, self._addresses = tries, seconds, addresses
        self._seen: OrderedDict[str, list[float]] = OrderedDict()

    def _recent(self, address: str, at: float) -> list[float]:
        return [t for t in self._seen.get(household(address), ()) if at - t < self._seconds]

    def is_full(self, address: str, now: float | None = None) -> bool:
        """Whether this address has had all its tries."""
        return len(self._recent(address, time.monotonic() if now is None else now)) >= self._tries

    def allows(self, address: str, now: float | None = None) -> bool:
        """Whether one more try is allowed; it is counted."""
        at = time.monotonic() if now is None else now
        tries = self._recent(address, at)
        allowed = len(tries) < self._tries
        self._seen[household(address)] = [*tries, at] if allowed else tries
        self._seen.move_to_end(household(address))
        while len(self._seen) > self._addresses:
            self._seen.popitem(last=False)
        return allowed


class Doorkeeper:
    """Slows down whoever tries links that open nothing; those who came in before still come in."""

    def __init__(self, tries: int = 30, seconds: float = 60, known: int = 4096) -> None:
        self.guesses = Limiter(tries, seconds)
        self._known: OrderedDict[str, None] = OrderedDict()
        self._most = known

    def may_try(self, address: str, token_hash: str) -> bool:
        """Whether this link may be looked up for this address."""
        return token_hash in self._known or not self.guesses.is_full(address)

    def opened(self, token_hash: str) -> None:
        """The link opened its table."""
        self._known[token_hash] = None
        self._known.move_to_end(token_hash)
        while len(self._known) > self._most:
            self._known.popitem(last=False)

    def failed(self, address: str, token_hash: str) -> None:
        """The link opened nothing."""
        self._known.pop(token_hash, None)
        self.guesses.allows(address)
