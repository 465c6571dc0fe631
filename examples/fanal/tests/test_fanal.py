"""Fanal: its worked examples, its listed chances, its options, a night seen from four seats."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from fanal.keeper import Craft, Keeper, check, draw, rested
from fanal.light import NoHand, beam, duel, signal
from fanal.night import Night, after, foretold, hour

from fanal import SYSTEM
from paravent.dice import ScriptedDice, SeededDice, odds, play
from paravent.dice.play import ScriptedFaces
from paravent.game import Grid, Passages, to_plain
from paravent.game.telling import Teller, success_of
from paravent.table.hotseat import Hotseat
from paravent.testing.conformance import CHECKS
from paravent.web.sheets import SheetDrawer

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
    assert night(9, 2).seen("Maud")["encounters"]["1"]["state"] == {
        "fog": 9, "shoals": 2, "hour": 1, "passed": 1, "past": [{"hour": 1, "what": "seen", "beam": 10}]}


# What is declared beside the rules


def test_a_sheet_is_written_in_three_steps_with_points_to_spend_and_ideas_that_spend_them_all() -> None:
    kind = SYSTEM.kind("character")
    assert [stage.id for stage in kind.stages] == ["who", "crafts", "tower"]
    assert {section for stage in kind.stages for section in stage.sections} == {part.id for part in kind.sections}
    for crafts in kind.stages[1].ideas.values():
        keeper = Keeper("Aubin", **crafts)
        assert (check(keeper, RULINGS), kind.points(keeper, RULINGS)[0].left) == ([], 0)
    assert kind.points(Keeper("Aubin", lamp=1), RULINGS)[0].left == 2
    for lang in ("fr", "en"):
        assert len(set(kind.suggests["name"](lang))) == 4


def test_where_the_glass_stands_and_that_the_oil_is_out_is_told_at_a_glance() -> None:
    kind, teller = SYSTEM.kind("character"), Teller("fr", SYSTEM)
    drawer = SheetDrawer(SYSTEM, teller, RULINGS, {})

    def glance(keeper: Keeper) -> tuple[str, list[str]]:
        sheet = to_plain(keeper)
        (glass,) = drawer.gauges(kind, sheet, {})
        return glass.stretch, [state.words for state in drawer.states(kind, sheet, {}, keeper)]

    assert glance(Keeper("Aubin")) == ("intact", [])
    assert glance(Keeper("Aubin", glass=3)) == ("ébréché", [])
    assert glance(Keeper("Aubin", glass=0, flasks=0)) == ("éteint", ["plus une goutte d'huile"])


def test_every_craft_has_its_sign_and_the_ends_of_a_die_their_names() -> None:
    assert set(SYSTEM.signs) == set(SYSTEM.glyphs) == set(Craft)
    assert [Teller("fr", SYSTEM).face_word(8, face) for face in (1, 2, 8)] == ["étincelle", "", "pleine lumière"]


def test_its_days_have_names() -> None:
    assert Teller("fr", SYSTEM).moment(20 * 60) == "lampe, jour 1 des brumes, an 87, 20\u00a0h\u00a000"
    assert Teller("en", SYSTEM).day(40) == "Lamp, day 1 of the Frost, year 87"


def test_a_night_is_told_hour_by_hour() -> None:
    declared = SYSTEM.encounters["night"].timeline
    assert declared is not None
    (gone,) = night(9, 2).seen("Eve")["encounters"]["1"]["state"][declared.field]
    teller = Teller("fr", SYSTEM)
    assert teller.say(f"{declared.words}.at", at=gone[declared.at]) == "heure 1"
    assert teller.say(f"{declared.words}.{gone['what']}", **gone).startswith("La lumière porte à 10")
    for lang in ("fr", "en"):
        for came in ("seen", "unseen", "cracked"):
            assert Teller(lang, SYSTEM).words.knows(f"{declared.words}.{came}")


def facing(mine: str, theirs: str) -> tuple[Hotseat, int]:
    """Maëlis answers Odon's lamp, each with a craft of their own."""
    hotseat = Hotseat(SYSTEM, SEATS, faces=ScriptedFaces([8, 3, 2, 1, 5, 4, 4, 1]))
    for who, owner in (("maelis", "Ana"), ("odon", "Bob")):
        hotseat.add(who, SYSTEM.kind("character").ready("fr")[who], owner=owner)
    move = hotseat.start("Ana", "duel-of-lights", {"initiator": ["maelis"], "opponent": ["odon"]},
                         {"maelis": {"craft": mine}})
    hotseat.fill("Bob", move, {"craft": theirs}, "odon")
    return hotseat, move


def test_in_a_duel_each_has_chances_of_their_own_and_the_ship_s_way_is_told_by_name() -> None:
    step = SYSTEM.moves["duel-of-lights"].resolves[0]
    weighed = odds(duel, 4, 4, RULINGS)
    mine, theirs = (success_of(step, weighed, side) for side in ("initiator", "opponent"))
    assert mine == theirs == (1 - weighed.chance(lambda result: result.winner == "nobody")) / 2
    assert [asked.shape for asked in SYSTEM.moves["duel-of-lights"].fields] == [
        Grid("craft", "opponent"), Grid("craft", "initiator")]
    hotseat, move = facing("lamp", "boat")
    hotseat.throw("Ana", move)
    (told,) = hotseat.seen("Eve")["moves"][str(move)]["throws"][0]["told"]
    assert (told["key"], told["values"]["mine"], told["values"]["theirs"]) == ("outcomes.told_follows-you", 8, 5)


def test_a_memory_is_picked_out_of_a_keeper_s_story_and_names_the_act() -> None:
    signal_move = SYSTEM.moves["signal"]
    asked = signal_move.field("memory")
    keeper = SYSTEM.kind("character").ready("fr")["maelis"]
    assert isinstance(asked.shape, Passages)
    assert (asked.names, asked.shape.texts) == (True, ("story",))
    for story, there in ((keeper.story, True), ("", False)):
        cast = {"initiator": replace(keeper, story=story)}
        assert asked.applies(SYSTEM.context(signal_move, {}, cast, RULINGS)) is there
