"""A keeper: four crafts, an origin, oil and glass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from paravent.dice import Dice
from paravent.game import (
    Change,
    Context,
    Fault,
    Field,
    Filled,
    Flag,
    Glimpse,
    PointsLeft,
    RuleBook,
    Rulings,
    Tables,
    Value,
    changed,
    from_plain,
    in_language,
    minutes_of,
    rule,
)

PACKAGE = __name__.rpartition(".")[0]
POINTS, LEAST, MOST, GLASS = 10, 1, 4, 4


class Craft(StrEnum):
    """What a keeper throws dice with."""

    LAMP = "lamp"
    HORN = "horn"
    BOAT = "boat"
    LOG = "log"


@dataclass(frozen=True)
class Keeper:
    """A keeper's sheet."""

    name: str
    origin: str = "coast"
    lamp: int = 3
    horn: int = 3
    boat: int = 2
    log: int = 2
    flasks: int = 3
    glass: int = GLASS
    story: str = ""

    @property
    def crafts(self) -> tuple[int, ...]:
        """The four crafts, in the order of the sheet."""
        return tuple(getattr(self, craft) for craft in Craft)


def origins() -> tuple[str, ...]:
    """Where a keeper may come from."""
    return tuple(dict.fromkeys(Tables(PACKAGE)["origins"].column("origin").values()))


@rule("FAN-011")
def check(keeper: Keeper, rulings: Rulings) -> list[Fault]:
    """Ten points over four crafts, each from one to four; an origin of the table."""
    faults = [
        Fault("craft-range", "FAN-011", values={"craft": craft.value, "got": score})
        for craft, score in zip(Craft, keeper.crafts, strict=True) if not LEAST <= score <= MOST
    ]
    if sum(keeper.crafts) != POINTS:
        faults.append(Fault("points", "FAN-011", values={"got": sum(keeper.crafts), "wanted": POINTS}))
    if keeper.origin not in origins():
        faults.append(Fault("origin", "FAN-011", values={"got": keeper.origin}))
    return faults


IDEAS: Mapping[str, Mapping[str, int]] = {
    "steady": {"lamp": 3, "horn": 3, "boat": 2, "log": 2},
    "bright": {"lamp": 4, "horn": 2, "boat": 2, "log": 2},
    "afloat": {"lamp": 2, "horn": 1, "boat": 4, "log": 3},
}
"""Ways of spending the ten points at one touch."""


def points_left(keeper: Keeper, rulings: Rulings) -> tuple[PointsLeft, ...]:
    """What the four crafts may still take while a sheet is written."""
    return (PointsLeft("crafts", POINTS - sum(keeper.crafts), POINTS, at="lamp"),)


def names(lang: str) -> Sequence[str]:
    """Names at hand: an idea, never a limit."""
    found: Sequence[str] = in_language(RuleBook(PACKAGE).data("characters")["names"], lang)
    return found


def at_a_glance(keeper: Keeper, rulings: Rulings) -> tuple[Glimpse, ...]:
    """That the oil is out, which everybody in the tower must know."""
    return () if keeper.flasks else (Glimpse("glimpses.no_oil", {}, bad=True),)


def derived(keeper: Keeper, rulings: Rulings) -> Mapping[str, Value]:
    """The craft a keeper is best at."""
    return {"best_craft": max(Craft, key=lambda craft: getattr(keeper, craft)).value}


@rule("FAN-011")
def draw(dice: Dice, rulings: Rulings) -> Keeper:
    """A keeper at random: crafts begin at one, the other points fall where a die says."""
    crafts = dice.resolve(placed, (LEAST,) * len(Craft))
    origin = Tables(PACKAGE)["origins"].cell(dice.sum(1, 8), "origin")
    return Keeper("", origin, *crafts)


def placed(dice: Dice, crafts: tuple[int, ...]) -> tuple[int, ...]:
    """One more point on a craft that has room, until all are placed."""
    if sum(crafts) == POINTS:
        return crafts
    room = [at for at, score in enumerate(crafts) if score < MOST]
    chosen = room[dice.sum(1, len(room)) - 1]
    return dice.then(placed, (*crafts[:chosen], crafts[chosen] + 1, *crafts[chosen + 1:]))


def ready(lang: str) -> dict[str, Keeper]:
    """The ready-made keepers."""
    rows = RuleBook(PACKAGE).data("characters")["character"]
    return {
        row["id"]: from_plain(Keeper, {
            name: in_language(value, lang) if isinstance(value, dict) else value
            for name, value in row.items() if name != "id"
        })
        for row in rows
    }


def days_pass(ctx: Context) -> bool:
    """Whether whole days go by: less mends nothing."""
    return minutes_of(ctx) >= 24 * 60


HABITS = (Field("at_the_tower", Flag(), usual=True, when=days_pass, rule="FAN-010"),)
"""What a keeper is asked when time passes."""


@rule("FAN-010")
def rested(
    dice: Dice, record: Keeper, minutes: int, habits: Filled, rulings: Rulings
) -> tuple[Change, ...]:
    """Each whole day spent at the tower mends one glass; oil must be bought."""
    days = minutes // (24 * 60)
    mended = min(GLASS, record.glass + (days if habits.get("at_the_tower", True) else 0))
    return changed(record.name, record, "glass", mended, "FAN-010")
