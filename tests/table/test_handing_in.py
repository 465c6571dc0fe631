"""What nobody could agree to is not handed in: whoever says it is told, as far as they may read what is wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from scene import Table
from veil import AGAIN, VEIL, Hero, nothing

from paravent.dice import Dice
from paravent.game import (
    Ask,
    BadRecord,
    Call,
    Change,
    Context,
    Field,
    Move,
    Resolve,
    SheetOf,
    Window,
    find_system,
    to_plain,
)
from paravent.game.errors import RuleError
from paravent.table.hotseat import Hotseat

SHEET = Field("sheet", SheetOf[Hero]("character"))
BRING = Move("bring", (
    Ask("write", (SHEET,)), Window("accept", "gm", "approval", back_to="write"),
    Resolve("enter", lambda ctx: Call(nothing, 1), auto=True, outcome=str, changes=lambda ctx, result: [
        Change("new", "", None, ctx[SHEET], "", kind="character")]),
))
"""A sheet at whose faults no rule of the game looks: that it may not be is its kind's to say."""


class TooMuch(RuleError):
    code = "veil/too-much"


def swear(dice: Dice, value: int) -> int:
    if value > 5:
        raise TooMuch()
    return value


def oath(read: Callable[[Context], int]) -> Move:
    """What is refused for a high number of whoever swears, once the game master has agreed."""
    return Move("swear", (
        Ask("say", (replace(AGAIN, waits=True),)), Window("accept", "gm", "approval"),
        Resolve("swear", lambda ctx: Call(swear, read(ctx)), auto=True, outcome=str),
    ))


def table(move: Move) -> Table:
    return Table(replace(VEIL, moves={**VEIL.moves, move.id: move}))


def test_a_sheet_that_its_kind_forbids_is_not_handed_in_whatever_the_rules_of_the_game_look_at() -> None:
    played = table(BRING)
    ana, bob = played.joins("Ana", as_="gm"), played.joins("Bob")
    number = bob.starts("bring")
    with pytest.raises(BadRecord) as refused:
        bob.fills(number, sheet={"name": "Elya", "body": 10})
    assert [fault.key for fault in refused.value.values["faults"]] == ["too-strong"]
    assert bob.move(number)["waits_for"] == [bob.seat]
    assert "sheet" not in bob.move(number)["fields"].get(bob.seat, {})  # nothing is changed
    bob.fills(number, sheet={"name": "Elya", "body": 9})
    assert ana.move()["waits_for"] == [ana.seat]


@pytest.mark.parametrize(("part", "told"), [("body", True), ("fate", False)])
def test_a_fault_is_told_to_whoever_hands_it_in_unless_the_game_master_alone_may_see_it(part: str, told: bool) -> None:
    played = table(oath(lambda ctx: getattr(ctx.one().sheet(Hero), part)))
    ana, bob = played.joins("Ana", as_="gm"), played.joins("Bob")
    elya = ana.brings("Elya", owner=bob.seat, **{part: 6})
    number = bob.starts("swear", {"initiator": [elya]})
    if told:
        with pytest.raises(TooMuch):
            bob.fills(number, again=True)
        assert bob.move(number)["waits_for"] == [bob.seat]
    else:
        bob.fills(number, again=True)
        assert ana.move()["waits_for"] == [ana.seat]  # who alone is told why it cannot be
        with pytest.raises(TooMuch):
            ana.answers(1, "agree")


def test_whoever_may_not_read_what_is_wrong_cannot_tell_it_from_what_is_right() -> None:
    def handed_in(fate: int) -> str:
        played = table(oath(lambda ctx: ctx.one().sheet(Hero).fate))
        ana, bob = played.joins("Ana", as_="gm"), played.joins("Bob")
        number = bob.starts("swear", {"initiator": [ana.brings("Elya", owner=bob.seat, fate=fate)]})
        bob.fills(number, again=True)
        return bob.page()

    assert handed_in(6) == handed_in(1)


@pytest.mark.parametrize("game", ["conteur", "simulacres", "solaires"])
def test_no_game_lets_a_faulty_sheet_be_handed_in(game: str) -> None:
    system = find_system(game)
    hotseat = Hotseat(system, {"mj": "gm", "ana": "player"})
    kind = system.kind("character")
    sheet = to_plain(next(iter(kind.ready("fr").values())))
    broken = {"conteur": {"dexterity": 90}, "simulacres": {"body": 0}, "solaires": {"concept": ""}}[game]
    number = hotseat.start("ana", "create-character")
    with pytest.raises((BadRecord, RuleError)):
        hotseat.fill("ana", number, {"sheet": {**sheet, **broken}})
    hotseat.fill("ana", number, {"sheet": sheet})
    assert hotseat.waits_for(number) == {"mj"}
