"""The conformance suite over every system installed: ``pytest --pyargs paravent.testing.test_conformance``."""

from __future__ import annotations

import pytest

from paravent.game import system_at, system_names

from .conformance import CHECKS


@pytest.mark.parametrize("system", system_names())
@pytest.mark.parametrize("name", CHECKS)
def test_every_system_conforms(system: str, name: str) -> None:
    """Each check finds nothing to say of each system."""
    found = list(dict.fromkeys(CHECKS[name](system_at(system))))
    assert not found, "\n".join(one.said("en") for one in found[:40])
