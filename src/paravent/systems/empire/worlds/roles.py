"""What of a world is brought to a move."""

from __future__ import annotations

from paravent.systems.empire.roles import RecordRole

from .maps import Chart
from .planet import World
from .sector import Sector

SECTOR = RecordRole("sector", "sector", least=0, cls=Sector)
CHART = RecordRole("chart", "chart", least=0, cls=Chart)
WORLD = RecordRole("world", "world", least=0, cls=World)
