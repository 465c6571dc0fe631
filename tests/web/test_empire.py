"""An evening of Empire galactique in browsers, by visible words and roles."""

import os
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, Person, say, titled

pytestmark = pytest.mark.needs("chromium")


def pictured(who: Person, name: str) -> None:
    """A picture for whoever wants to look: PARAVENT_PICTURES names the folder."""
    folder = os.environ.get("PARAVENT_PICTURES")
    if folder:
        who.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def taps(who: Person, words: str | re.Pattern[str]) -> None:
    who.bar.get_by_role("button", name=words).first.click()


def test_a_youth_is_lived_year_by_year(open_table: OpenTable) -> None:
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    bob.goes(f"{bob.base}/new")
    pictured(bob, "new")
    print(bob.page.locator("main").inner_text()[:1500])
