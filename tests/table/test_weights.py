"""What follows by itself: what is certain applies at once and is undone with one word, what is grave waits."""

from dataclasses import replace
from typing import Any

import pytest
from evening import Evening
from hypothesis import given
from scene import STEP_BY_STEP, Person, Table, plain_state
from test_laws import LAWS, SEED, played
from veil import BODY, VEIL, Fight, Hero, body, nothing, one_die

from paravent.game import GAME_MASTER, GM_ONLY, INITIATOR, Ask, Call, Change, Follow, Move, Resolve, Role, Window
from paravent.game.records import changed
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.act import Act
from paravent.table.state import State

CONFIANCE, PRUDENCE = e.House("confiance", "at-will"), e.House("prudence", "at-will")


def a_move(name: str, *changes: Any, **more: Any) -> Move:
    """A move that throws a die and asks for these changes, whatever fell."""
    follow = more.pop("follow", lambda ctx, won: ())
    return Move(name, (
        Ask("declare", (BODY,)),
        Resolve("roll", lambda ctx: Call(one_die, body(ctx)), outcome=str, follow=follow,
                changes=lambda ctx, won: [change for some in changes for change in some(ctx)]),
    ), **more)


def heavy(ctx: Any) -> tuple[Change, ...]:
    return changed(ctx.one().id, ctx.one().record, "wounds", ctx.one().record.wounds + 1, weight="grave")


def hidden(weight: Any) -> Any:
    def change(ctx: Any) -> tuple[Change, ...]:
        record = ctx.one().record
        return changed(ctx.one().id, record, "fate", record.fate + 1, audience=GM_ONLY, weight=weight)
    return change


def tired(ctx: Any, role: str = "initiator", by: int = 1) -> tuple[Change, ...]:
    actor = ctx.one(role)
    return changed(actor.id, actor.record, "fatigue", actor.record.fatigue + by)


def whispered(ctx: Any) -> tuple[Change, ...]:
    return changed(ctx.one().id, ctx.one().record, "fatigue", ctx.one().record.fatigue + 1, audience=GM_ONLY)


def twice(ctx: Any) -> tuple[Change, ...]:
    """A grave loss, and one that follows on it."""
    who, wounds = ctx.one().id, ctx.one().record.wounds
    return (Change(who, "wounds", wounds, wounds + 1, weight="grave"),
            Change(who, "wounds", wounds + 1, wounds + 2))


def a_child(ctx: Any) -> tuple[Change, ...]:
    return (Change("child", "", None, Hero("Mira"), kind="character"),
            Change("child", "wounds", 0, 1, weight="grave"))


APPROVAL = Window("approval", "gm", "approval")
OTHER = (INITIATOR, Role("target"), GAME_MASTER)
WEIGHTY = replace(VEIL, moves={**VEIL.moves, **{move.id: move for move in (
    a_move("tire", tired), a_move("fall", tired, heavy), a_move("doom", tired, hidden("grave")),
    a_move("omen", tired, hidden("")), a_move("tell", whispered), a_move("shove", lambda ctx: tired(ctx, "target"),
                                                                         cast=OTHER),
    a_move("parry", lambda ctx: tuple(replace(change, own=True) for change in tired(ctx, "target")), cast=OTHER),
    a_move("alone", tired, exists=GM_ONLY), a_move("twice", tired, twice), a_move("child", a_child),
    a_move("blow", follow=lambda ctx, won: (Follow("fall", {"initiator": [ctx.one().id]}),)),
    a_move("dictate", lambda ctx: tuple(replace(change, written=True) for change in tired(ctx, "target")), cast=OTHER),
    a_move("count", tired, lambda ctx: tuple(replace(change, weight="bookkeeping") for change in heavy(ctx))),
    a_move("idle", lambda ctx: tired(ctx, by=0)),
    Move("granted", (APPROVAL, Resolve("done", lambda ctx: Call(nothing, 1), auto=True,
                                       changes=lambda ctx, one: tired(ctx)))),
    Move("granted-then-thrown", (APPROVAL, *a_move("tire", tired).steps)),
    a_move("order", heavy, by="gm", cast=(Role("initiator"), GAME_MASTER)),
    Move("rest", (Resolve("done", lambda ctx: Call(nothing, 1), auto=True,
                          changes=lambda ctx, one: tired(ctx, by=-ctx.one().record.fatigue)),)),
)}})


class Weighty(Evening):
    """An evening at which what is certain applies itself."""

    def __init__(self, house: e.House = PRUDENCE) -> None:
        self.table = Table(WEIGHTY, house=house)
        self.ana = self.table.joins("Ana", as_="gm")
        self.bob, self.cy = self.table.joins("Bob"), self.table.joins("Cy")
        self.zoe = self.table.joins("Zoe", as_="spectator")
        self.elya, self.tarn = self.bob.brings("Elya", body=5), self.cy.brings("Tarn")

    def plays(self, who: Person, move: str, **cast: Any) -> int:
        """Somebody plays a move of their own to where it settles."""
        mine = self.elya if who is not self.cy else self.tarn
        number = who.starts(move, {"initiator": [mine], **{role: [name] for role, name in cast.items()}})
        who.throws(number)
        return number

    @property
    def act(self) -> Act:
        return self.table.state.moves[max(self.table.state.moves)]

    def value(self, record: str, name: str) -> Any:
        return self.table.state.records[record].sheet[name]


@pytest.fixture
def table() -> Weighty:
    return Weighty()


def stands(state: State) -> dict[str, Any]:
    """What may be changed at a table, in plain values."""
    whole = plain_state(state)
    return {name: whole[name] for name in ("records", "encounters", "minutes", "timers", "scene", "house", "settled")}


# What applies by itself


def test_what_is_certain_applies_at_once_and_nobody_is_asked(table: Weighty) -> None:
    table.plays(table.bob, "tire")
    assert table.act.phase == "closed"
    assert table.value(table.elya, "fatigue") == 1
    for person in table.people:
        assert person.move()["phase"] == "closed"
        assert person.move()["waits_for"] == []
        assert [(row["path"], row["weight"]) for row in person.move()["changes"]] == [("fatigue", "certain")]
        assert person.record(table.elya)["sheet"]["fatigue"] == 1


def test_what_applied_by_itself_is_not_accepted_again(table: Weighty) -> None:
    number = table.plays(table.bob, "tire")
    assert table.ana.refused(c.Accept, number=number) == "table/already-applied"


def test_what_is_grave_waits_alone(table: Weighty) -> None:
    number = table.plays(table.bob, "fall")
    assert table.act.phase == "settled"
    assert (table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == (1, 0)
    for person in table.people:
        assert person.move()["waits_for"] == [table.ana.seat]
        assert [(row["path"], row.get("waits", False)) for row in person.move()["changes"]] == [
            ("fatigue", False), ("wounds", True)]
    assert table.bob.refused(c.Accept, number=number) == "table/not-yours"
    table.ana.accepts(number)
    assert (table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == (1, 1)
    assert table.act.phase == "closed"


def test_only_what_waits_is_amended_or_refused(table: Weighty) -> None:
    number = table.plays(table.bob, "fall")
    (waits,) = [row["at"] for row in table.ana.move()["changes"] if row.get("waits")]
    assert table.ana.refused(c.Accept, number=number, refuse=(0,)) == "form/unknown"
    assert all("at" not in row for row in table.bob.move()["changes"])
    table.ana.accepts(number, amend={str(waits): 3})
    assert (table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == (1, 3)
    number = table.plays(table.bob, "fall")
    table.ana.accepts(number, refuse=(waits,))
    assert (table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == (2, 3)


def test_what_follows_on_something_grave_waits_with_it(table: Weighty) -> None:
    number = table.plays(table.bob, "twice")
    assert (table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == (1, 0)
    table.ana.accepts(number)
    assert table.value(table.elya, "wounds") == 2


def test_another_players_sheet_waits_and_the_game_masters_does_not(table: Weighty) -> None:
    table.plays(table.bob, "shove", target=table.tarn)
    assert table.act.phase == "settled"
    assert table.value(table.tarn, "fatigue") == 0
    mine = table.ana.brings("Ombre", "character", seen_by=("all",), owner="")
    table.plays(table.bob, "shove", target=mine)
    assert table.act.phase == "closed"


def test_what_another_player_pays_of_their_own_accord_does_not_wait(table: Weighty) -> None:
    table.plays(table.bob, "parry", target=table.tarn)
    assert table.act.phase == "closed"
    assert table.value(table.tarn, "fatigue") == 1


def test_what_somebody_agreed_to_in_a_window_does_not_wait_again(table: Weighty) -> None:
    number = table.bob.starts("lend", {"initiator": [table.elya], "helper": [table.tarn]}, {table.elya: {"much": 2}})
    table.cy.answers(number, "agree")
    assert table.act.phase == "closed"
    assert table.value(table.tarn, "fatigue") == 2


def test_what_would_tell_something_hidden_waits(table: Weighty) -> None:
    table.plays(table.bob, "tell")
    assert (table.act.phase, table.value(table.elya, "fatigue")) == ("settled", 0)
    table.plays(table.bob, "alone")
    assert (table.act.phase, table.value(table.elya, "fatigue")) == ("settled", 0)


def test_a_character_whom_nobody_agreed_to_waits(table: Weighty) -> None:
    number = table.plays(table.bob, "child")
    assert [held.name for held in table.table.state.records.values()] == ["Elya", "Tarn"]
    table.ana.accepts(number)
    assert [held.name for held in table.table.state.records.values()] == ["Elya", "Tarn", "Mira"]


@pytest.mark.parametrize("ordered", ["starts", "asks", "by"])
def test_what_the_game_master_did_or_ordered_never_waits(table: Weighty, ordered: str) -> None:
    if ordered == "asks":
        table.ana.does(c.AskMove, move="fall", of=(table.elya,))
        table.bob.throws(1)
    else:
        number = table.ana.starts("order" if ordered == "by" else "fall", {"initiator": [table.elya]})
        table.ana.throws(number)
    assert table.act.phase == "closed"
    assert table.value(table.elya, "wounds") == 1


def test_what_follows_from_a_players_act_is_not_the_game_masters_doing(table: Weighty) -> None:
    table.plays(table.bob, "blow")
    table.bob.throws(2)
    assert (table.act.move, table.act.phase) == ("fall", "settled")
    number = table.ana.starts("blow", {"initiator": [table.elya]})
    table.ana.throws(number)
    table.ana.throws(number + 1)
    assert (table.act.move, table.act.phase) == ("fall", "closed")


def test_what_keeps_an_encounter_going_is_made_and_not_told(table: Weighty) -> None:
    table.ana.starts("brawl")
    number = table.bob.starts("strike", {"initiator": [table.elya]}, encounter=1)
    table.bob.throws(number)
    assert table.table.state.moves[2].phase == "closed"
    assert table.table.state.encounters[1].state["round"] == Fight().round + 1
    assert table.bob.move(number)["changes"] == []


def test_what_only_keeps_an_encounter_going_asks_nobody_even_where_all_waits_for_the_game_master(
    table: Weighty,
) -> None:
    table.ana.does(c.SetHouse, trust="meneur")
    table.ana.starts("brawl")
    number = table.bob.starts("strike", {"initiator": [table.elya]}, encounter=1)
    table.bob.throws(number)
    assert table.table.state.moves[2].phase == "closed"
    assert table.table.state.encounters[1].state["round"] == Fight().round + 1
    table.plays(table.bob, "tire")
    assert table.act.phase == "settled"


@pytest.mark.parametrize("ordered", ["starts", "asks", "by"])
def test_what_the_game_master_did_or_ordered_never_waits_even_where_all_waits_for_them(
    table: Weighty, ordered: str,
) -> None:
    table.ana.does(c.SetHouse, trust="meneur")
    test_what_the_game_master_did_or_ordered_never_waits(table, ordered)


def test_where_all_waits_for_the_game_master_bookkeeping_beside_the_rest_is_made_and_never_shown(
    table: Weighty,
) -> None:
    table.ana.does(c.SetHouse, trust="meneur")
    number = table.plays(table.bob, "count")
    assert (table.act.phase, table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == ("settled", 0, 1)
    for person in table.people:
        assert [row["path"] for row in person.move()["changes"]] == ["fatigue"]
    table.ana.accepts(number, refuse=(0,))
    assert (table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == (0, 1)


@pytest.mark.parametrize("trust", e.TRUSTS)
def test_what_the_game_master_wrote_down_in_a_players_act_is_not_asked_of_them_again(
    table: Weighty, trust: str,
) -> None:
    table.ana.does(c.SetHouse, trust=trust)
    table.plays(table.bob, "dictate", target=table.tarn)
    assert (table.act.phase, table.value(table.tarn, "fatigue")) == ("closed", 1)


@pytest.mark.parametrize(("move", "phase"), [("granted", "closed"), ("granted-then-thrown", "settled")])
def test_what_the_game_master_agreed_to_is_not_asked_again_unless_dice_fell_since(
    table: Weighty, move: str, phase: str,
) -> None:
    table.ana.does(c.SetHouse, trust="meneur")
    number = table.bob.starts(move, {"initiator": [table.elya]})
    table.ana.answers(number, "agree")
    if phase == "settled":
        table.bob.throws(number)
    assert (table.act.phase, table.value(table.elya, "fatigue")) == (phase, int(phase == "closed"))


def test_where_all_waits_for_the_game_master_what_changes_nothing_asks_nobody(table: Weighty) -> None:
    table.ana.does(c.SetHouse, trust="meneur")
    table.plays(table.bob, "idle")
    assert table.act.phase == "closed"


def test_something_changed_in_the_meantime_is_never_overwritten(table: Weighty) -> None:
    table.ana.does(c.SetHouse, trust="meneur")
    one, two = (table.bob.starts("tire", {"initiator": [table.elya]}) for _ in range(2))
    table.bob.throws(one)
    table.bob.throws(two)
    assert [table.table.state.moves[number].phase for number in (one, two)] == ["settled", "settled"]
    table.ana.accepts(one)
    assert table.ana.refused(c.Accept, number=two) == "table/stale"
    table.ana.accepts(two, amend={"0": 2})
    assert table.value(table.elya, "fatigue") == 2


def test_what_two_begin_side_by_side_adds_up(table: Weighty) -> None:
    """The second reads the sheet as the first left it: nothing of it is stale."""
    one, two = (table.bob.starts("tire", {"initiator": [table.elya]}) for _ in range(2))
    table.bob.throws(one)
    table.bob.throws(two)
    assert [table.table.state.moves[number].phase for number in (one, two)] == ["closed", "closed"]
    assert table.value(table.elya, "fatigue") == 2


# How a table plays


def test_the_game_master_chooses_how_far_players_are_trusted(table: Weighty) -> None:
    assert table.bob.refused(c.SetHouse, trust="confiance") == "table/only-gm"
    assert table.ana.refused(c.SetHouse, trust="who knows") == "form/unknown"
    table.ana.does(c.SetHouse, trust="confiance")
    assert [person.sees()["house"]["trust"] for person in table.people] == ["confiance"] * 4
    table.plays(table.bob, "fall")
    assert (table.act.phase, table.value(table.elya, "wounds")) == ("closed", 1)
    table.ana.does(c.SetHouse, trust="meneur")
    number = table.plays(table.bob, "tire")
    assert (table.act.phase, table.value(table.elya, "fatigue")) == ("settled", 1)
    table.ana.accepts(number)
    assert table.value(table.elya, "fatigue") == 2


def test_how_a_table_plays_is_undone_like_anything_else(table: Weighty) -> None:
    before = stands(table.table.state)
    table.ana.does(c.SetHouse, trust="confiance", judging="before")
    table.ana.does(c.UndoLast)
    assert stands(table.table.state) == before
    assert table.ana.does(c.SetHouse, trust="prudence") == []


# Taking back


@pytest.mark.parametrize("who", ["ana", "bob"])
def test_one_word_takes_back_what_applied_by_itself(table: Weighty, who: str) -> None:
    before = stands(table.table.state)
    number = table.plays(table.bob, "tire")
    happened = getattr(table, who).does(c.Undo, number=number)
    assert stands(table.table.state) == before
    assert table.act.phase == "undone"
    (back,) = [made for event in happened if isinstance(event, e.Changed) for made in event.changes]
    assert (back.weight, back.undone_by) == ("certain", getattr(table, who).seat)


def test_nobody_takes_back_what_another_did_nor_what_something_was_built_on(table: Weighty) -> None:
    number = table.plays(table.bob, "tire")
    assert table.cy.refused(c.Undo, number=number) == "table/not-yours"
    assert table.zoe.refused(c.Undo, number=number) == "table/only-players"
    table.plays(table.bob, "tire")
    assert table.bob.refused(c.Undo, number=number) == "table/stale"


def test_the_game_masters_word_is_not_a_players_to_take_back(table: Weighty) -> None:
    before = stands(table.table.state)
    number = table.plays(table.bob, "fall")
    assert table.bob.refused(c.Undo, number=number) == "table/not-yours"
    table.ana.accepts(number)
    assert table.bob.refused(c.Undo, number=number) == "table/not-yours"
    table.ana.does(c.Undo, number=number)
    assert stands(table.table.state) == before
    lines = [line for line in table.ana.sees()["log"] if line["type"] == "changed"]
    assert [line.get("undone") for line in lines] == [True, True]


def test_an_act_half_of_which_waits_is_taken_back_whole(table: Weighty) -> None:
    before = stands(table.table.state)
    number = table.plays(table.bob, "fall")
    table.ana.does(c.Undo, number=number)
    assert stands(table.table.state) == before
    assert table.ana.refused(c.Accept, number=number) == "table/not-now"


def test_an_act_half_of_which_waits_is_cancelled_and_what_applied_stays(table: Weighty) -> None:
    number = table.plays(table.bob, "fall")
    table.ana.does(c.Cancel, number=number)
    assert (table.act.phase, table.value(table.elya, "fatigue"), table.value(table.elya, "wounds")) == ("closed", 1, 0)


def test_an_act_half_of_which_waits_begins_again_from_where_it_was(table: Weighty) -> None:
    before = stands(table.table.state)
    number = table.plays(table.bob, "fall")
    table.ana.does(c.Restart, number=number)
    assert stands(table.table.state) == before
    assert table.act.phase == "open"


def test_an_older_table_whose_changes_wait_goes_on_waiting() -> None:
    table = Weighty(STEP_BY_STEP)
    number = table.plays(table.bob, "tire")
    table.ana.does(c.SetHouse, trust="prudence")
    assert table.bob.move(number)["phase"] == "settled"
    table.ana.accepts(number)
    assert table.value(table.elya, "fatigue") == 1


# Secrets


@pytest.mark.parametrize("watcher", ["bob", "cy", "zoe"])
def test_nobody_can_tell_that_something_hidden_waits(watcher: str) -> None:
    """Two tables alike but for what is hidden: of one, a grave change of a hidden value waits; of the other, none."""
    plain, fateful = Weighty(), Weighty()
    for table, move in ((plain, "tire"), (fateful, "doom")):
        moves = {**WEIGHTY.moves, "tire": replace(WEIGHTY.moves[move], id="tire")}
        table.table.system = replace(WEIGHTY, moves=moves)
        table.plays(table.bob, "tire")
    assert (plain.act.phase, fateful.act.phase) == ("closed", "settled")

    def same() -> None:
        one, two = getattr(plain, watcher), getattr(fateful, watcher)
        assert one.page() == two.page()
        assert one.received == two.received

    same()
    for table in (plain, fateful):  # what they try is refused alike
        person = getattr(table, watcher)
        for asked, values in ((c.Fill, {"values": {"score": 3}}), (c.ThrowDice, {}), (c.Withdraw, {}), (c.Accept, {})):
            person.refused(asked, number=1, **values)
    same()
    fateful.ana.accepts(1)
    plain.ana.does(c.Say, text="-", kind="note")
    same()
    if watcher == "bob":
        for table in (plain, fateful):
            table.bob.does(c.Undo, number=1)
        same()
        assert stands(plain.table.state) == stands(fateful.table.state)


def test_where_how_it_ended_is_hidden_everything_waits_as_before(table: Weighty) -> None:
    number = table.bob.starts("sneak", {"initiator": [table.elya]}, {table.elya: {"score": 0}})
    table.bob.throws(number)
    assert table.act.phase == "open"
    table.ana.fills(number, noise=0)
    table.ana.throws(number)
    assert (table.act.phase, table.value(table.elya, "fate")) == ("settled", 0)
    assert table.bob.move()["phase"] == "open"


# Laws


@LAWS
@given(SEED)
def test_no_act_waits_with_nothing_but_what_is_certain(seed: int) -> None:
    """Unless something changed its value in the meantime, or its rules refuse it."""
    table = played(seed)
    for act in table.state.open_moves():
        if act.phase == "settled" and act.weighed:
            waiting = [change for change in act.changes if not change.made]
            assert waiting
            grave = [change for change in waiting if change.weight == "grave"]
            stale = [change for change in waiting if table.state.records.get(change.target) is None
                     or table.state.records[change.target].sheet.get(change.path) != change.before]
            assert grave or stale


@pytest.mark.parametrize("trust", ["confiance", "prudence"])
@pytest.mark.parametrize("move", ["tire", "fall", "doom", "omen", "twice", "child", "rest"])
def test_undo_restores_what_stood_to_the_byte(trust: str, move: str) -> None:
    table = Weighty(e.House(trust, "at-will"))
    before = stands(table.table.state)
    number = table.bob.starts(move, {"initiator": [table.elya]})
    if move != "rest":
        table.bob.throws(number)
    if table.act.phase == "settled":
        table.ana.accepts(number)
    table.ana.does(c.Undo, number=number)
    assert stands(table.table.state) == before
