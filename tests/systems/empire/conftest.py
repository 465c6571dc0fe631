"""What the tests of Empire galactique share: a move run on scripted dice, with options and sheets."""

from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, forget_odds
from paravent.game.running import run
from paravent.systems.empire import SYSTEM


@pytest.fixture(autouse=True)
def _weighed_afresh():
    """A rule weighed by an earlier test is weighed again, so that its carriers run in this one."""
    forget_odds()


@pytest.fixture
def rulings():
    """The options of a table: ``rulings(acquisition="half")``."""
    return lambda **chosen: SYSTEM.book.rulings(chosen)


@pytest.fixture
def sheet():
    """A ready-made character, with some values changed: ``sheet("bastien", destiny=3)``."""
    return lambda name, kind="character", **changes: replace(SYSTEM.kind(kind).ready("fr")[name], **changes)


@pytest.fixture
def played():
    """Run a move: ``played("skill-test", 3, 4, initiator={…}, sheets={…}, options={…})``."""

    def run_it(move, *faces, sheets=None, options=None, answers=None, encounter=None, **members):
        form = {role: values if isinstance(values, list) else [values] for role, values in members.items()}
        ctx = SYSTEM.context(move, form, sheets, SYSTEM.book.rulings(options or {}), encounter)
        dice = ScriptedDice(*faces) if answers is None else ScriptedDice(*faces, answer=answers)
        return run(ctx, dice)

    return run_it


@pytest.fixture
def result(played):
    """The result of a move's last rule."""
    return lambda *args, **kwargs: list(played(*args, **kwargs).plays.values())[-1].result


@pytest.fixture
def changes(played):
    """What a move changes, as ``{(who, field): after}``."""

    def written(*args, **kwargs):
        return {(change.target, change.path): change.after for change in played(*args, **kwargs).changes}

    return written
