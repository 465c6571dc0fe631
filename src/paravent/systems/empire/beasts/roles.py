"""Who of those that one meets is brought to a move."""

from __future__ import annotations

from paravent.systems.empire.roles import RecordRole

from .animals import Animal
from .persons import Person

ANIMAL = RecordRole("animal", "animal", least=0, cls=Animal)
PERSON = RecordRole("person", "person", least=0, cls=Person)
