"""Who of those that one meets is brought to a move."""

from __future__ import annotations

from paravent.game import Role

ANIMAL = Role("animal", "animal", least=0)


PERSON = Role("person", "person", least=0)
