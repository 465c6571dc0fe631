"""What the tests of Simulacres share: a move run on scripted dice, with options and sheets."""

from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, forget_odds
from paravent.game.running import run
from paravent.systems.simulacres import SYSTEM


@pytest.fixture(autouse=True)
def _weighed_afresh():
    """A rule weighed by an earlier test is weighed again, so that its carriers run in this one."""
    forget_odds()


@pytest.fixture
def rulings():
    """The options of a table: ``rulings(criticals="off")``."""
    return lambda **chosen: SYSTEM.book.rulings(chosen)


@pytest.fixture
def sheet():
    """A ready-made character, with some values changed: ``sheet("arthur", breath_points=1)``."""
    return lambda name, **changes: replace(SYSTEM.kind("character").ready("fr")[name], **changes)


@pytest.fixture
def played():
    """Run a move: ``played("simple-test", 3, 4, initiator={"value": 8}, sheets={…}, options={…})``."""

    def run_it(move, *faces, sheets=None, options=None, answers=None, **members):
        form = {role: values if isinstance(values, list) else [values] for role, values in members.items()}
        ctx = SYSTEM.context(move, form, sheets, SYSTEM.book.rulings(options or {}))
        dice = ScriptedDice(*faces) if answers is None else ScriptedDice(*faces, answer=answers)
        return run(ctx, dice)

    return run_it


@pytest.fixture
def result(played):
    """The result of a move's last rule."""

    def last(*args, **kwargs):
        ran = played(*args, **kwargs)
        return list(ran.plays.values())[-1].result

    return last


@pytest.fixture
def changes(played):
    """What a move changes, as ``{(who, field): after}``."""

    def written(*args, **kwargs):
        return {(change.target, change.path): change.after for change in played(*args, **kwargs).changes}

    return written
