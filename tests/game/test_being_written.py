"""A game can be tried from its module, before it is installed."""

import sys
import types

import pytest
from toys import rough

from paravent.game import UnknownName, find_system, system_at
from paravent.game.errors import BrokenSystem


def test_a_game_named_by_its_module_is_found_and_then_known_by_its_own_id(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rough("half-written", [], [])
    module = types.ModuleType("half_written")
    module.SYSTEM = game  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "half_written", module)
    with pytest.raises(UnknownName):
        find_system("half-written")
    assert system_at("half_written:SYSTEM") is game
    assert find_system("half-written") is game


def test_a_module_that_does_not_load_is_said_in_a_sentence() -> None:
    with pytest.raises(BrokenSystem):
        system_at("nowhere_at_all:SYSTEM")


def test_a_name_from_elsewhere_loads_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("never_asked_for")
    module.SYSTEM = rough("never-asked-for", [], [])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "never_asked_for", module)
    with pytest.raises(UnknownName):
        find_system("never_asked_for:SYSTEM")
