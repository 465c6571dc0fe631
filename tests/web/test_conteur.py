"""Conteur D10 as it is played: an evening through its six moments, by what people read and touch and nothing else."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from paravent.table import playing

from .conftest import PHONE, OpenTable, Person

FACES: list[int] = []


class FacesInOrder:
    """Dice that fall as the story wants, then on 9."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        return tuple(FACES.pop(0) if FACES else min(9, sides) for _ in range(n))

    def skip(self, n: int, sides: int) -> None:
        return None

    def stream(self, name: str) -> "FacesInOrder":
        return self


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Say how the next dice fall."""
    monkeypatch.setattr(playing, "faces_of", lambda *_: FacesInOrder())
    FACES.clear()
    return lambda *faces: FACES.extend(faces)


def shown(what: Any) -> Any:
    """The first of these that can be seen."""
    return what.locator("visible=true").first


def taps(where: Any, words: str | re.Pattern[str], role: Any = "button") -> None:
    """Touch what is called so."""
    shown(where.get_by_role(role, name=words, exact=isinstance(words, str))).click()


def chooses(who: Person, field: str, option: str | re.Pattern[str]) -> None:
    """Choose from a list by what it reads."""
    listed = shown(who.acting.get_by_role("combobox", name=field))
    value = listed.get_by_role("option", name=option).first.get_attribute("value")
    listed.select_option(value)


def keeps(who: Person) -> None:
    taps(who.bar, "Garder ce résultat")


def turns_to(who: Person, tab: str) -> None:
    """On a phone, one panel at a time."""
    taps(who.page, tab)


def begins(who: Person, move: str) -> None:
    """Look for an action by its name, and take it."""
    find = who.page.get_by_role("searchbox").or_(who.page.get_by_role("textbox", name="Trouver une action"))
    if find.count():
        shown(find).fill(move)
    taps(who.page, re.compile(f"^{move}"), "link")


@pytest.mark.evening
@pytest.mark.needs("chromium")
def test_an_evening_through_the_six_moments(open_table: OpenTable, fall: Callable[..., None]) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy", viewport=PHONE)

    # Creation: attributes around 5, skills with ideas, luck; the game master agrees once.
    taps(bob.page, "Amener un personnage", "link")
    taps(bob.page, "Commencer")
    bob.page.get_by_role("textbox", name="Nom", exact=True).first.fill("Léa Sauret")
    bob.page.get_by_role("spinbutton", name="Dextérité").fill("7")
    bob.page.get_by_role("textbox", name=re.compile("Nom.*1|Compétences.*Nom")).first.fill("Mécanique")
