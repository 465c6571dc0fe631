"""A whole sheet as a form: sent back untouched, it is the same sheet, in every game; what explains a gauge."""

from collections.abc import Iterator
from typing import Any

import pytest

from paravent.game import find_system, system_names, to_plain
from paravent.game.telling import Teller
from paravent.web.sheetform import Input, SheetForm
from paravent.web.sheets import SheetDrawer

READY = [
    (game, kind.id, name) for game in system_names() for kind in find_system(game).kinds.values()
    for name in kind.ready("fr")
]


def sent(entry: Input) -> Iterator[tuple[str, str]]:
    """What a browser sends of an input that nobody touched."""
    if entry.kind in ("group", "rows"):
        for part in (*entry.parts, *(cell for row in entry.rows for cell in row)):
            yield from sent(part)
    elif entry.kind == "flag" and ":" not in entry.path:
        yield f"b:{entry.path}", "1"
        yield from [(f"v:{entry.path}", "yes")] if entry.value else []
    else:
        yield f"{'r' if ':' in entry.path else 'v'}:{entry.path}", _written(entry)


def _written(entry: Input) -> str:
    if entry.kind == "flag":
        return "yes" if entry.value else "no"
    if entry.kind == "choice" and not entry.value and entry.options:
        return entry.options[0][0]  # what a menu shows when nothing of it was chosen
    return "" if entry.value is None else str(entry.value)


@pytest.mark.parametrize(("game", "kind", "name"), READY)
def test_a_form_that_nobody_touched_changes_nothing(game: str, kind: str, name: str) -> None:
    declared = find_system(game).kinds[kind]
    sheet: dict[str, Any] = to_plain(declared.ready("fr")[name])
    form = SheetForm(declared, Teller("fr", find_system(game)))
    untouched = [pair for part in form.parts(sheet) for entry in part.entries for pair in sent(entry)]
    again = form.read(sheet, untouched)
    assert declared.from_plain(again) == declared.from_plain(sheet)


def test_a_gauge_is_explained_by_the_rules_of_its_own_kind_of_sheet() -> None:
    """The resistance of a character is not explained by that of a people."""
    empire = find_system("empire")
    character = empire.kinds["character"]
    solveig = character.ready("fr")["solveig"]
    drawer = SheetDrawer(empire, Teller("fr", empire), empire.book.rulings(), {})
    gauges = drawer.gauges(character, to_plain(solveig), character.derived(solveig, empire.book.rulings()))
    assert [gauge.rule for gauge in gauges] == ["EMP-040", "EMP-040"]
