"""What the tests of every game share: a move run on scripted dice, with options and sheets.

The game is the one whose folder the test stands in.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from paravent.dice import ScriptedDice, forget_odds
from paravent.game import Rulings, System, find_system
from paravent.game.running import Ran, run


@pytest.fixture
def system(request: pytest.FixtureRequest) -> System:
    """The game that the test is about."""
    return find_system(request.path.parent.name)


@pytest.fixture(autouse=True)
def _weighed_afresh() -> None:
    """A rule weighed by an earlier test is weighed again, so that its carriers run in this one."""
    forget_odds()


@pytest.fixture
def rulings(system: System) -> Callable[..., Rulings]:
    """The options of a table: ``rulings(criticals="off")``."""
    return lambda **chosen: system.book.rulings(chosen)


@pytest.fixture
def sheet(system: System) -> Callable[..., Any]:
    """A ready-made record, with some values changed: ``sheet("arthur", breath_points=1)``."""
    return lambda name, kind="character", **changes: replace(system.kind(kind).ready("fr")[name], **changes)


@pytest.fixture
def played(system: System) -> Callable[..., Ran]:
    """Run a move: ``played("simple-test", 3, 4, initiator={"value": 8}, sheets={…}, options={…})``."""

    def run_it(
        move: str, *faces: int, sheets: Any = None, options: Mapping[str, str] | None = None, answers: Any = None,
        encounter: Any = None, **members: Any,
    ) -> Ran:
        form = {role: values if isinstance(values, list) else [values] for role, values in members.items()}
        ctx = system.context(move, form, sheets, system.book.rulings(options or {}), encounter)
        dice = ScriptedDice(*faces) if answers is None else ScriptedDice(*faces, answer=answers)
        return run(ctx, dice)

    return run_it


@pytest.fixture
def result(played: Callable[..., Ran]) -> Callable[..., Any]:
    """The result of a move's last rule."""
    return lambda *args, **kwargs: list(played(*args, **kwargs).plays.values())[-1].result


@pytest.fixture
def changes(played: Callable[..., Ran]) -> Callable[..., dict[tuple[str, str], Any]]:
    """What a move changes, as ``{(who, field): after}``."""
    return lambda *args, **kwargs: {
        (change.target, change.path): change.after for change in played(*args, **kwargs).changes
    }
