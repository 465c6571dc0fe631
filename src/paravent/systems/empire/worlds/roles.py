"""What of a world is brought to a move."""

from __future__ import annotations

from paravent.game import Role

SECTOR = Role("sector", "sector", least=0)


CHART = Role("chart", "chart", least=0)


WORLD = Role("world", "world", least=0)
