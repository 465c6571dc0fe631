"""A small game as it was, and as it has become: its records have grown meanwhile.

In its second version a character's strength is called vigour, its motto is gone, and who sleeps where on a ship stands
on the characters' own sheets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    RecordKind,
    Resolve,
    System,
    Together,
    changed,
    only,
)
from paravent.game.plain import Plain
from paravent.game.upgrades import Values


@dataclass(frozen=True)
class Trade:
    name: str
    rank: int = 1


@dataclass(frozen=True)
class TradeBefore:
    name: str
    rank: int = 1
    guild: str = ""


@dataclass(frozen=True)
class PersonBefore:
    name: str = ""
    strength: int = 4
    motto: str = ""
    fate: int = 0
    """For the game master alone."""
    trades: tuple[TradeBefore, ...] = ()


@dataclass(frozen=True)
class Person:
    vigour: int
    name: str = ""
    fate: int = 0
    berth: str = ""
    trades: tuple[Trade, ...] = ()


@dataclass(frozen=True)
class ShipBefore:
    name: str = ""
    berths: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ship:
    name: str = ""


def strength_is_vigour(sheet: dict[str, Plain]) -> dict[str, Plain]:
    return {**{name: value for name, value in sheet.items() if name != "strength"}, "vigour": sheet["strength"]}


def berths_are_theirs(records: Mapping[str, Mapping[str, Values]]) -> Mapping[str, Mapping[str, Values]]:
    berths: dict[str, Any] = {}
    for ship in records["ship"].values():
        berths |= ship.pop("berths")
    people = {name: {**sheet, "berth": berths.get(str(sheet["name"]), "")}
              for name, sheet in records["character"].items()}
    return {"ship": records["ship"], "character": people}


def below(dice: Dice, score: int) -> int:
    return dice.sum(1, 6) - score


def _game(version: str, value: str, kinds: Mapping[str, RecordKind], upgrades: tuple[Together, ...] = ()) -> System:
    hurried = Field("hurried", Flag(), usual=False)

    def call(ctx: Context) -> Call[int]:
        return Call(below, int(getattr(ctx.one().record, value)))

    def tired(ctx: Context, _: int) -> tuple[Change, ...]:
        actor = ctx.one()
        return changed(actor.id, actor.record, value, getattr(actor.record, value) - 1)

    strive = Move("strive", (
        Ask("declare", (hurried,)), Resolve("roll", call, outcome=lambda by: "by", changes=tired),
    ), cast=(INITIATOR, GAME_MASTER))
    return System("grown", "paravent.game", version, {"strive": strive}, kinds, upgrades=upgrades)


BEFORE = _game("1", "strength", {
    "character": RecordKind("character", PersonBefore, played=True, hidden={"fate": only("gm")}),
    "ship": RecordKind("ship", ShipBefore),
})
NOW = _game("2", "vigour", {
    "character": RecordKind("character", Person, played=True, hidden={"fate": only("gm")}, version=3,
                            upgrades={1: strength_is_vigour}, earlier={
                                1: [{"name": "Elya", "strength": 5, "motto": "Plus haut"}],
                                2: [{"name": "Noor", "vigour": 3}],
                            }),
    "ship": RecordKind("ship", Ship, version=2, earlier={1: [{"name": "Vega", "berths": {"Elya": "haut"}}]}),
}, (Together({"character": 2, "ship": 1}, berths_are_theirs),))
