"""No line begins with a sign that French holds to the word before it."""

import io

import pytest
from rich.console import Console

from paravent.cli.show import Page

SENTENCE = "Il faut choisir\u00a0: avancer\u202f; attendre\u00a0? Non\u00a0!"


@pytest.mark.parametrize("width", range(16, 50))
def test_a_line_is_never_broken_at_a_no_break_space(width: int) -> None:
    written = io.StringIO()
    page = Page("fr", Console(file=written, width=width, highlight=False, markup=False, emoji=False))
    page.title(SENTENCE)
    page.head(SENTENCE)
    page.line(SENTENCE)
    page.grid([("–", SENTENCE)])
    lines = [line.strip(" ") for line in written.getvalue().splitlines()]
    assert not [line for line in lines if line[:1] in (":", ";", "?", "!", "\u00a0", "\u202f")]
    assert " ".join(line for line in lines if line).replace("–  ", "") == " ".join([SENTENCE] * 4)
