"""Who may open a table here: on a server that others reach, whoever knows its door word; and not too many an hour.

Links to seats work without it: whoever was invited comes in.
"""

from __future__ import annotations

import hashlib
import hmac

from starlette.requests import Request
from starlette.responses import Response

from paravent.dice import ParaventError

from .page import A_YEAR
from .security import Limiter, is_in_front

DOOR_COOKIE = "paravent_door"
DOOR_HEADER = "x-door-word"
AN_HOUR = 3600.0
TABLES_AN_HOUR = 30
"""How many tables one address may open in an hour, where anybody may come by."""


class DoorShut(ParaventError):
    """Opening a table here takes the word of the house."""

    code = "web/door-shut"


class WrongWord(ParaventError):
    """This is not the word of the house."""

    code = "web/wrong-word"


class TooManyTables(ParaventError):
    """Too many tables were opened from this address."""

    code = "web/too-many-tables"


class Threshold:
    """Where tables are opened: its word, if it has one, and how many one address may open in an hour, if any count."""

    def __init__(self, word: str = "", tables: int = 0) -> None:
        self._word = word.strip()
        self._tables = Limiter(tables, AN_HOUR) if tables else None
        self._guesses = Limiter(10, 60)

    def is_open(self, request: Request) -> bool:
        """Whether whoever asks may open tables: there is no word, they are on this very machine, or have said it."""
        if not self._word or is_in_front(request):
            return True
        said = request.cookies.get(DOOR_COOKIE, "").encode(errors="replace")
        spoken = request.headers.get(DOOR_HEADER, "").encode("latin-1", "replace").decode("utf-8", "replace")
        return hmac.compare_digest(said, self._proof.encode()) or self._is_word(request, spoken)

    def check(self, request: Request) -> None:
        """Refuse whoever has not said the word, or opens too many."""
        if not self.is_open(request):
            raise WrongWord() if request.headers.get(DOOR_HEADER) else DoorShut()
        if self._tables is not None and not is_in_front(request) and not self._tables.allows(_address(request)):
            raise TooManyTables()

    def say(self, request: Request, word: str, response: Response) -> None:
        """Somebody says the word: their browser remembers that they did."""
        if not self._is_word(request, word):
            raise WrongWord()
        response.set_cookie(DOOR_COOKIE, self._proof, max_age=A_YEAR, httponly=True, samesite="strict")

    @property
    def _proof(self) -> str:
        """What a browser keeps that has said the word; with another word it is worth nothing."""
        return hmac.new(self._word.encode(), b"door", hashlib.sha256).hexdigest()

    def _is_word(self, request: Request, word: str) -> bool:
        if not word or self._guesses.is_full(_address(request)):
            return False
        right = hmac.compare_digest(word.strip().encode(errors="replace"), self._word.encode())
        if not right:
            self._guesses.allows(_address(request))
        return right


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def threshold_of(request: Request) -> Threshold:
    """The threshold of the server that is asked."""
    threshold: Threshold = request.app.state.threshold
    return threshold
