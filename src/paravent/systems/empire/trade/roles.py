"""What of trade is brought to a move."""

from __future__ import annotations

from paravent.game import Role

MARKET = Role("market", "market", least=0)


CARGO = Role("cargo", "cargo", least=0)
