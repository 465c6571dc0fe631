"""A table without a log: names as they are given, dice as they are handed, acts by the table's own numbers."""

import pytest
from veil import VEIL, Extra, Hero

from paravent.dice import ParaventError
from paravent.dice.play import ScriptedFaces
from paravent.game import NotNow, NotYours, UnknownName
from paravent.game.errors import AlreadyThrown, BadValue
from paravent.table.commands import Cancel, ShowRecord
from paravent.table.errors import OnlyPlayers
from paravent.table.forms import form_seen
from paravent.table.hotseat import Hotseat
from seats import move_seen, moves_seen, page, told

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}
NADIR = {"initiator": ["Nadir"]}


@pytest.fixture
def hotseat() -> Hotseat:
    """Ana plays Nadir; nobody but Maud knows of the shadow."""
    hotseat = Hotseat(VEIL, SEATS, faces=ScriptedFaces([4, 4, 4, 4]))
    hotseat.add("Nadir", Hero("Nadir"), owner="Ana")
    hotseat.add("shadow", Extra("shadow"), "extra")
    return hotseat


@pytest.mark.parametrize("name", ["gm", "all", "others", "encounter", "clock", ""])
def test_words_of_the_house_are_no_names(hotseat: Hotseat, name: str) -> None:
    with pytest.raises(BadValue):
        hotseat.add(name, Hero("x"))


def test_a_player_called_gm_is_no_game_master() -> None:
    hotseat = Hotseat(VEIL, {"Maud": "gm", "gm": "player"})
    hotseat.add("Nadir", Hero("Nadir"), owner="gm")
    number = hotseat.start("gm", "act", NADIR)
    with pytest.raises(NotYours):
        hotseat.fill("gm", number, {"difficulty": 1})
    assert hotseat.controllers("gm") == {"Maud"}


def test_seats_moves_roles_fields_and_acts_that_there_are_not_are_named(hotseat: Hotseat) -> None:
    number = hotseat.start("Ana", "act", NADIR)
    for unknown in (
        lambda: hotseat.seen("nobody"),
        lambda: hotseat.start("nobody", "act"),
        lambda: hotseat.start("Ana", "pull"),
        lambda: hotseat.start("Ana", "act", {"hero": ["Nadir"]}),
        lambda: hotseat.start("Ana", "strike", NADIR, encounter=7),
        lambda: hotseat.fill("Ana", number, {"scor": 1}),
        lambda: hotseat.throw("Ana", 7),
        lambda: hotseat.odds("Ana", 7),
        lambda: hotseat.add("x", Hero("x"), owner="nobody"),
    ):
        before = hotseat.state
        with pytest.raises(UnknownName):
            unknown()
        assert hotseat.state is before


def test_a_record_one_may_not_know_of_is_refused_like_one_that_is_not_there(hotseat: Hotseat) -> None:
    refusals = []
    for name in ("shadow", "no-such"):
        with pytest.raises(UnknownName) as refusal:
            hotseat.start("Ana", "duel", {**NADIR, "opponent": [name]})
        refusals.append({**refusal.value.values, "got": ""})
    assert refusals[0] == refusals[1]
    assert "shadow" not in str(refusals)


def test_somebody_of_whom_others_may_not_know_is_absent_from_the_cast(hotseat: Hotseat) -> None:
    hotseat.start("Maud", "duel", {**NADIR, "opponent": ["shadow"]})
    assert move_seen(hotseat, "Maud")["cast"] == {"Nadir": "initiator", "shadow": "opponent"}
    for seat in ("Ana", "Bob", "Eve"):
        assert move_seen(hotseat, seat)["cast"] == {"Nadir": "initiator"}
        assert "shadow" not in page(hotseat, seat)


def test_somebody_shown_while_an_act_is_under_way_is_known_there_too(hotseat: Hotseat) -> None:
    number = hotseat.start("Maud", "duel", {**NADIR, "opponent": ["shadow"]})
    hotseat.do(ShowRecord(record="shadow", seen_by=("all",), seat="Maud"))
    for seat in ("Maud", "Ana", "Bob", "Eve"):
        assert move_seen(hotseat, seat)["cast"] == {"Nadir": "initiator", "shadow": "opponent"}
    hotseat.fill("Ana", number, {"stance": 2}, "Nadir")
    assert move_seen(hotseat, "Ana")["cast"] == {"Nadir": "initiator", "shadow": "opponent"}
    hotseat.do(ShowRecord(record="shadow", seen_by=("gm",), seat="Maud"))
    assert move_seen(hotseat, "Ana")["cast"] == {"Nadir": "initiator"}


def test_what_is_over_stays_as_it_was_told_and_what_comes_after_a_reveal_names_whom_it_is_about(
    hotseat: Hotseat,
) -> None:
    """That somebody hidden had a part in what was told before is theirs to keep, whoever is shown later."""
    over = hotseat.start("Maud", "duel", {**NADIR, "opponent": ["shadow"]})
    hotseat.do(Cancel(number=over, seat="Maud"))
    before = move_seen(hotseat, "Ana")
    hotseat.do(ShowRecord(record="shadow", seen_by=("all",), seat="Maud"))
    assert move_seen(hotseat, "Ana") == before
    assert "shadow" not in str(before)
    hotseat.start("Maud", "duel", {**NADIR, "opponent": ["shadow"]})
    assert moves_seen(hotseat, "Ana")[-1]["cast"] == {"Nadir": "initiator", "shadow": "opponent"}


def test_acts_go_by_the_table_s_numbers_and_a_hidden_one_leaves_no_gap_in_what_is_seen(hotseat: Hotseat) -> None:
    hidden = hotseat.start("Maud", "ambush", form={"gm": {"force": 6}})
    shown = hotseat.start("Ana", "act", NADIR, {"Nadir": {"score": 2}})
    assert (hidden, shown) == (1, 2)
    assert (hotseat.known("Maud"), hotseat.known("Ana")) == ([1, 2], [2])
    assert [move["number"] for move in moves_seen(hotseat, "Ana")] == [1]
    assert hotseat.seen_move("Ana", hidden) is None
    with pytest.raises(UnknownName):
        hotseat.withdraw("Ana", hidden)
    hotseat.withdraw("Ana", shown)
    assert move_seen(hotseat, "Ana")["phase"] == "withdrawn"


def test_dice_typed_in_are_asked_and_checked(hotseat: Hotseat) -> None:
    number = hotseat.start("Ana", "leap", NADIR)
    hotseat.throw("Ana", number, by_hand=True)
    assert move_seen(hotseat, "Ana")["dice"] == {"n": 1, "sides": 6}
    assert "dice" not in move_seen(hotseat, "Bob")
    for seat, faces, refusal in (
        ("Bob", [3], NotYours), ("Eve", [3], OnlyPlayers), ("Ana", [7], ParaventError), ("Ana", [1, 2], ParaventError),
        ("Ana", [], ParaventError), ("Ana", "six", BadValue), ("Ana", [True], BadValue),
    ):
        before = hotseat.state
        with pytest.raises(refusal):
            hotseat.answer(seat, number, faces)
        assert hotseat.state is before
    hotseat.answer("Ana", number, [6])
    assert hotseat.moves[number].results["roll"] is False
    assert move_seen(hotseat, "Eve")["throws"][0]["dice"][0]["by_hand"]
    with pytest.raises(NotNow):
        hotseat.throw("Maud", number)


def test_seal_is_for_sealed_fields(hotseat: Hotseat) -> None:
    number = hotseat.start("Ana", "act", NADIR)
    with pytest.raises(NotNow):
        hotseat.seal("Ana", number, {"score": 1})
    hotseat.add("Bosco", Hero("Bosco"), owner="Bob")
    duel = hotseat.start("Ana", "duel", {**NADIR, "opponent": ["Bosco"]})
    hotseat.seal("Ana", duel, {"stance": 3})
    assert move_seen(hotseat, "Bob")["fields"]["Nadir"] == {"stance": {"sealed": True}}
    hotseat.seal("Bob", duel, {"stance": 1})
    assert move_seen(hotseat, "Eve")["fields"]["Nadir"] == {"stance": 3}
    with pytest.raises(AlreadyThrown):
        hotseat.seal("Ana", duel, {"stance": 2})


def test_what_an_act_asks_is_asked_of_those_who_answer_for_it(hotseat: Hotseat) -> None:
    number = hotseat.start("Ana", "retry", NADIR)
    assert hotseat.waits_for(number) == {"Ana"}
    asked = {seat: form_seen(hotseat.state, seat, 1, hotseat.system) for seat in ("Ana", "Bob")}
    assert [(row["actor"], row["field"]) for row in asked["Ana"]["fields"]] == [("Nadir", "much")]
    assert asked["Bob"]["fields"] == []
    hotseat.fill("Ana", number, {"much": 5})
    hotseat.throw("Ana", number)
    assert hotseat.waits_for(number) == {"Maud"}


def test_what_is_said_of_a_result_is_heard_by_those_it_is_said_to(hotseat: Hotseat) -> None:
    number = hotseat.start("Ana", "act", NADIR)
    hotseat.throw("Ana", number)
    assert [told(hotseat, seat) for seat in SEATS] == [[("outcomes.kept", {"n": 3})]] * 4
    hunch = hotseat.start("Ana", "hunch", NADIR)
    hotseat.throw("Ana", hunch)
    assert [len(told(hotseat, seat)) for seat in SEATS] == [2, 1, 1, 1]
    hotseat.turn_over("Maud", hunch, "feel")
    assert [len(told(hotseat, seat)) for seat in SEATS] == [2] * 4


def test_dice_that_come_from_elsewhere_are_proven_by_nothing(hotseat: Hotseat) -> None:
    number = hotseat.start("Ana", "leap", NADIR)
    assert move_seen(hotseat, "Ana")["proofs"] == []
    hotseat.throw("Ana", number)
    assert hotseat.state.move(number).keys == {}
    assert move_seen(hotseat, "Ana")["proofs"] == []


def test_an_act_that_changes_nothing_closes_by_itself_and_one_that_does_is_accepted(hotseat: Hotseat) -> None:
    leap = hotseat.start("Ana", "leap", NADIR)
    hotseat.throw("Ana", leap)
    assert hotseat.moves[leap].phase == "closed"
    with pytest.raises(NotNow):
        hotseat.accept("Maud", leap)
    number = hotseat.start("Ana", "act", NADIR, {"Nadir": {"score": 1}})
    hotseat.throw("Ana", number)
    hotseat.accept("Maud", number)
    assert hotseat.records["Nadir"].record.wounds == 1
    hotseat.undo("Maud", number)
    assert hotseat.records["Nadir"].record.wounds == 0
