"""Every system installed passes the common suite, here and as whoever installed it runs it."""

from dataclasses import replace

import pytest

from paravent.game import find_system
from paravent.table.events import House
from paravent.table.hotseat import Hotseat
from paravent.testing.secrets import differences
from paravent.testing.test_conformance import test_every_system_conforms

__all__ = ["test_every_system_conforms"]


def test_that_changes_wait_for_the_game_master_is_no_secret_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hotseat, "usual", House())  # as tables usually play: what is certain waits for nobody
    empire = find_system("empire")
    talk = {"verbal-exchange": empire.examples["verbal-exchange"]}
    assert list(differences(replace(empire, examples=talk))) == []
