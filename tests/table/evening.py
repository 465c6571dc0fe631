"""The evening that most stories of this folder begin with."""

from scene import STEP_BY_STEP, Person, Table
from veil import VEIL

from paravent.table.events import House


class Evening:
    """Ana leads, Bob and Cy play, Zoe watches."""

    def __init__(self, house: House = STEP_BY_STEP) -> None:
        self.table = Table(VEIL, house=house)
        self.ana = self.table.joins("Ana", as_="gm")
        self.bob = self.table.joins("Bob")
        self.cy = self.table.joins("Cy")
        self.zoe = self.table.joins("Zoe", as_="spectator")
        self.elya = self.bob.brings("Elya", body=5)
        self.tarn = self.cy.brings("Tarn")

    @property
    def people(self) -> tuple[Person, ...]:
        return self.ana, self.bob, self.cy, self.zoe

    @property
    def others(self) -> tuple[Person, ...]:
        return self.bob, self.cy, self.zoe
