"""What gear is brought to a move."""

from __future__ import annotations

from paravent.game import Role

ITEM = Role("item", "item", least=0)


ROBOT = Role("robot", "robot", least=0)


DONOR = Role("donor", "item", least=0, most=None)
