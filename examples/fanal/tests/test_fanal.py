"""Fanal: its worked examples, its listed chances, its options, a night seen from four seats."""

import json
from fractions import Fraction
from typing import Any

import pytest
from fanal.keeper import Keeper, check, draw, rested
from fanal.light import NoHand, beam, duel, signal
from fanal.night import Night, after, foretold, hour

from fanal import SYSTEM
from paravent.dice import ScriptedDice, SeededDice, odds, play
from paravent.dice.play import ScriptedFaces
from paravent.table.hotseat import Hotseat
from paravent.testing.conformance import CHECKS

RULINGS = SYSTEM.book.rulings()
VECTORS = {row["id"]: row for row in SYSTEM.book.vectors}
ODDS = {row["id"]: row for row in SYSTEM.book.listed_odds}


@pytest.mark.parametrize("name", CHECKS)
def test_the_game_conforms(name: str) -> None:
    assert list(CHECKS[name](SYSTEM)) == []


def seen(given: dict[str, Any], kind: str) -> dict[str, Any]:
    """What the rules give for a worked example."""
    dice = ScriptedDice(*given.get("dice", ()))
    match kind:
        case "beam":
            return {"beam": beam(tuple(given["faces"]))}
        case "signal":
            args = (given["craft"], given["fog"], given.get("oil", 0), RULINGS)
            return play(signal, *args, dice=dice).result._asdict()
        case "duel":
            return play(duel, given["mine"], given["theirs"], RULINGS, dice=dice).result._asdict()
        case _:
            night = Night(given["fog"], given["shoals"])
            while not night.over:
                night = after(night, dice.resolve(hour, night, given["craft"], 0, RULINGS))
            dice.finish()
            return {"hour": night.hour, "passed": night.passed, "saved": night.saved}


def each(rows: dict[str, Any], mark: Any) -> Any:
    """One test for each row of a data file, marked with its id."""
    return pytest.mark.parametrize("row", [pytest.param(row, id=name, marks=mark(name)) for name, row in rows.items()])


@each(VECTORS, pytest.mark.vector)
def test_a_worked_example_plays_as_written(row: dict[str, Any]) -> None:
    for case in row["cases"]:
        result = seen(case["given"], row["check"])
        assert {name: result[name] for name in case["expect"]} == case["expect"]


@each(ODDS, pytest.mark.listed_odds)
def test_a_listed_chance_is_exact(row: dict[str, Any]) -> None:
    given = row["given"]
    match row["ask"]:
        case "signal":
            chance = odds(signal, given["craft"], given["fog"], given.get("oil", 0), RULINGS).chance(lambda s: s.seen)
        case "duel":
            chance = odds(duel, given["mine"], given["theirs"], RULINGS).chance(lambda d: d.winner == "initiator")
        case _:
            chance = foretold(Night(given["fog"], given["shoals"]), given["craft"], RULINGS).odds["saved"]
    assert chance == Fraction(row["exact"])


@pytest.mark.rules("FAN-002")
@pytest.mark.parametrize("hand", [0, 5])
def test_a_keeper_throws_one_to_four_dice(hand: int) -> None:
    with pytest.raises(NoHand):
        play(signal, hand, 7, 0, RULINGS, dice=ScriptedDice())


@pytest.mark.rules("FAN-010")
@pytest.mark.parametrize(("hours", "glass"), [(23, 1), (24, 2), (72, 4), (240, 4)])
def test_a_day_at_the_tower_mends_a_glass(hours: int, glass: int) -> None:
    (change,) = ScriptedDice().resolve(rested, Keeper("x", glass=1), hours * 60, {}, RULINGS) or (None,)
    assert (change.after if change else 1) == glass
    assert ScriptedDice().resolve(rested, Keeper("x", glass=1), hours * 60, {"at_the_tower": False}, RULINGS) == ()


@pytest.mark.rules("FAN-011")
def test_ten_points_make_a_keeper() -> None:
    assert check(Keeper("x"), RULINGS) == []
    keys = [fault.key for fault in check(Keeper("x", "moon", 5, 1, 1, 1), RULINGS)]
    assert keys == ["craft-range", "points", "origin"]
    assert sum(SeededDice(3).resolve(draw, RULINGS).crafts) == 10


@pytest.mark.option("crack", "one")
def test_a_kinder_table_cracks_on_ones_alone() -> None:
    kinder = SYSTEM.book.rulings({"crack": "one"})
    assert not play(signal, 2, 5, 0, kinder, dice=ScriptedDice(1, 2)).result.cracked
    assert play(signal, 2, 5, 0, kinder, dice=ScriptedDice(1, 1)).result.cracked


@pytest.mark.option("tie", "keeper")
def test_equal_beams_may_favour_the_keeper() -> None:
    favoured = SYSTEM.book.rulings({"tie": "keeper"})
    assert play(duel, 1, 1, favoured, dice=ScriptedDice(5, 5)).result.winner == "initiator"


SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}


def night(fog: int, shoals: int) -> Hotseat:
    hotseat = Hotseat(SYSTEM, SEATS, faces=ScriptedFaces([8, 8, 1, 1]))
    hotseat.add("maelis", SYSTEM.kind("character").ready("fr")["maelis"], owner="Ana")
    hotseat.start("Maud", "begin-watch", form={"gm": {"fog": fog, "shoals": shoals}})
    move = hotseat.start("Ana", "watch", {"initiator": ["maelis"]}, {"maelis": {"craft": "lamp"}}, encounter=1)
    hotseat.throw("Ana", move)
    assert hotseat.waits_for(move) == {"Ana"}, "three flasks are left: burn one?"
    hotseat.answer("Ana", move, False)
    return hotseat


@pytest.mark.parametrize("seat", ["Ana", "Bob", "Eve"])
def test_another_fog_and_other_shoals_leave_every_view_the_same(seat: str) -> None:
    pages = [json.dumps(night(fog, shoals).seen(seat)) for fog, shoals in ((5, 3), (9, 2))]
    assert pages[0] == pages[1]


def test_the_game_master_sees_the_whole_night() -> None:
    assert night(9, 2).seen("Maud")["encounters"]["1"]["state"] == {"fog": 9, "shoals": 2, "hour": 1, "passed": 1}
