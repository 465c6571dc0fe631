"""What gear is brought to a move."""

from __future__ import annotations

from paravent.game import Role
from paravent.systems.empire.roles import RecordRole

from .kinds import Gear, Robot

ITEM = RecordRole("item", "item", least=0, cls=Gear)
ROBOT = RecordRole("robot", "robot", least=0, cls=Robot)
DONOR = Role("donor", "item", least=0, most=None,
             meant=lambda gear, around: isinstance(gear, Gear) and gear.scrapped and gear.spare_parts > 0)
