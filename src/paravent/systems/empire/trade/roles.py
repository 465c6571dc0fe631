"""What of trade is brought to a move."""

from __future__ import annotations

from paravent.systems.empire.roles import RecordRole

from .kinds import Cargo, Market

MARKET = RecordRole("market", "market", least=0, cls=Market)
CARGO = RecordRole("cargo", "cargo", least=0, cls=Cargo)
