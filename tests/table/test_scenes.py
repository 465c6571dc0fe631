"""Evenings at a table, seen from four seats."""

import json
from typing import Any

import pytest
from evening import Evening
from scene import page
from veil import VEIL

from paravent.dice.fair import KeyedFaces, commitment
from paravent.game import Call
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.errors import NothingToUndo
from paravent.table.rereading import reread
from paravent.table.state import state_read, state_written

# Plain play


def test_a_player_acts_and_the_game_master_accepts_what_it_costs(evening: Evening) -> None:
    bob, ana, zoe = evening.bob, evening.ana, evening.zoe
    number = bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 0}})
    bob.throws(number)
    assert zoe.move()["throws"][0]["outcome"] == "failure"
    assert zoe.move()["changes"][0]["path"] == "wounds"
    ana.accepts(number)
    assert zoe.record(evening.elya)["sheet"]["wounds"] == 1
    assert zoe.told[-1]["type"] == "changed"


def test_a_settled_move_with_nothing_to_apply_and_nothing_hidden_closes_by_itself(evening: Evening) -> None:
    number = evening.bob.starts("leap", {"initiator": [evening.elya]})
    evening.bob.throws(number)
    assert evening.zoe.move()["phase"] == "closed"


def test_a_throw_whose_end_is_hidden_looks_open_until_the_game_master_closes_it(evening: Evening) -> None:
    number = evening.bob.starts("sneak", {"initiator": [evening.elya]}, {evening.elya: {"score": 20}})
    evening.bob.throws(number)
    assert evening.table.state.move(number).phase == "settled"
    assert [person.move()["phase"] for person in evening.others] == ["open"] * 3


def test_several_moves_are_open_at_once(evening: Evening) -> None:
    first = evening.bob.starts("act", {"initiator": [evening.elya]})
    second = evening.cy.starts("leap", {"initiator": [evening.tarn]})
    evening.cy.throws(second)
    evening.bob.throws(first)
    assert [move["phase"] for move in evening.zoe.moves().values()].count("closed") == 1


def test_the_game_master_asks_two_players_for_a_move(evening: Evening) -> None:
    evening.ana.does(c.AskMove, move="leap", of=(evening.elya, evening.tarn))
    waits = [move["waits_for"] for move in evening.zoe.moves().values()]
    assert waits == [[evening.bob.seat], [evening.cy.seat]]
    evening.cy.throws(2)
    assert evening.bob.refused(c.AskMove, move="leap", of=(evening.tarn,)) == "table/only-gm"


def test_real_dice_are_typed_in_and_marked(evening: Evening) -> None:
    number = evening.bob.starts("act", {"initiator": [evening.elya]})
    evening.bob.throws(number, by_hand=True)
    for wrong in ("3", 7, [1, 2], [1, 2, 9], [True, 1, 1], {"dice": "x"}, None):
        assert evening.bob.refused(c.Answer, number=number, answer=wrong).split("/")[0] in ("form", "dice")
    evening.bob.answers(number, [6, 6, 6])
    [dice] = evening.zoe.move()["throws"][0]["dice"]
    assert dice["by_hand"]


def test_blind_throws_are_always_the_servers(evening: Evening) -> None:
    number = evening.bob.starts("sneak", {"initiator": [evening.elya]})
    assert not evening.bob.form(number)["throw"]["by_hand"]
    assert evening.bob.refused(c.ThrowDice, number=number, by_hand=True) == "table/blind-throw"
    evening.bob.throws(number)
    [throw] = evening.ana.move()["throws"]
    assert not throw["dice"][0]["by_hand"]


def test_a_choice_in_mid_rule_waits_and_is_answered(evening: Evening) -> None:
    number = evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 1, "again": True}})
    evening.bob.throws(number)
    assert evening.bob.move()["choice"]["key"] == "again"
    assert "choice" not in evening.cy.move()
    assert evening.cy.refused(c.Answer, number=number, answer=True) == "table/not-yours"
    evening.bob.answers(number, True)
    assert len(evening.zoe.move()["throws"][0]["dice"]) == 2


def test_consent_is_asked_and_a_refusal_goes_back(evening: Evening) -> None:
    number = evening.bob.starts("lend", {"initiator": [evening.elya], "helper": [evening.tarn]},
                                {evening.elya: {"much": 3}})
    assert evening.cy.form(number)["window"]["kind"] == "consent"
    evening.cy.answers(number, "refuse")
    evening.bob.fills(number, much=1)
    evening.cy.answers(number, "agree")
    evening.ana.accepts(number)
    assert evening.zoe.record(evening.tarn)["sheet"]["fatigue"] == 1


def test_a_move_may_open_another(evening: Evening) -> None:
    evening.ana.starts("brawl")
    for _ in range(12):
        number = evening.bob.starts("strike", {"initiator": [evening.elya]}, {evening.elya: {"score": 1}}, encounter=1)
        evening.bob.throws(number)
        if evening.bob.move()["move"] == "leap":
            break
        evening.ana.does(c.Cancel, number=evening.ana.move()["number"])
    assert evening.bob.move()["waits_for"] == [evening.bob.seat]
    evening.bob.throws(evening.bob.move()["number"])


def test_an_encounter_ends_by_its_own_rules_and_takes_no_more_moves(evening: Evening) -> None:
    evening.ana.starts("brawl")
    assert evening.zoe.sees()["encounters"]["1"] == {
        "encounter": "fight", "state": {"round": 1, "exhausted": 0}, "over": False}
    assert evening.ana.sees()["encounters"]["1"]["state"]["ambush"] == 7
    for _ in range(2):
        number = evening.bob.starts("strike", {"initiator": [evening.elya]}, {evening.elya: {"score": 6}}, encounter=1)
        evening.bob.throws(number)
        evening.ana.accepts(evening.ana.move()["number"])
    assert evening.zoe.sees()["encounters"]["1"]["over"]
    assert evening.bob.refused(c.StartMove, move="strike", cast={"initiator": [evening.elya]}, encounter=1) == (
        "table/not-now")
    evening.ana.does(c.UndoLast)
    assert not evening.zoe.sees()["encounters"]["1"]["over"]
    told = [line for line in evening.zoe.sees()["log"] if line["type"] == "corrected"]
    assert [line["what"] for line in told] == ["changed"], "what is undone is told once"


def test_somebody_who_has_acted_does_not_vanish_when_the_last_thing_is_undone(evening: Evening) -> None:
    evening.bob.throws(evening.bob.starts("leap", {"initiator": [evening.elya]}))
    for _ in range(20):
        if evening.elya not in evening.ana.sees()["records"]:
            break
        try:
            evening.ana.does(c.UndoLast)
        except NothingToUndo:
            break
    assert evening.elya in evening.ana.sees()["records"]


def newcomers(*names: str, seen_by: tuple[str, ...] = ("all",)) -> tuple[c.Arrival, ...]:
    return tuple(c.Arrival(kind="extra", sheet={"name": name}, seen_by=seen_by) for name in names)


def test_those_who_come_together_are_told_of_in_one_line_and_leave_with_one_undo(evening: Evening) -> None:
    before = set(evening.ana.sees()["records"])
    evening.ana.does(c.AddPeople, people=newcomers("Brute 1", "Brute 2", "Brute 3"))
    came = [line for line in evening.bob.sees()["log"] if line["type"] == "record-added"][-1]
    assert [came["name"], *(one["name"] for one in came["more"])] == ["Brute 1", "Brute 2", "Brute 3"]
    evening.ana.does(c.RemoveRecord, record=came["more"][0]["record"])
    evening.ana.does(c.Correct, item=[line for line in evening.ana.sees()["log"] if line["type"] == "record-added"][-1][
        "item"])
    assert set(evening.ana.sees()["records"]) == before, "those who were still there left together"
    assert [line["what"] for line in evening.bob.sees()["log"] if line["type"] == "corrected"] == ["record-added"]


def test_of_those_who_came_together_each_reads_of_whom_they_may_know(evening: Evening) -> None:
    first, second, third = (event.record for event in evening.ana.does(
        c.AddPeople, people=newcomers("Brute 1", "Brute 2", "Brute 3")))
    evening.ana.does(c.ShowRecord, record=first, seen_by=("gm",))
    (came,) = [line for line in evening.bob.sees()["log"] if line["type"] == "record-added" and line["kind"] == "extra"]
    assert [came["record"], *(one["record"] for one in came["more"])] == [second, third]
    evening.ana.does(c.AddPeople, people=newcomers("Ombre 1", "Ombre 2", seen_by=("gm",)))
    assert "Ombre" not in json.dumps(evening.bob.sees())
    evening.ana.does(c.UndoLast)
    assert "Ombre 1" not in [held["name"] for held in evening.ana.sees()["records"].values()]
    assert "corrected" not in [line["type"] for line in evening.bob.sees()["log"]]


def test_a_sheet_corrected_at_once_is_told_in_one_line_and_taken_back_in_one(evening: Evening) -> None:
    before = evening.ana.record(evening.elya)["sheet"]
    evening.ana.does(c.EditRecord, record=evening.elya, path="", value={"body": 3, "wounds": 1, "fate": 2})
    told = [line for line in evening.bob.sees()["log"] if line["type"] == "record-changed"]
    assert [[told[0]["path"], *(one["path"] for one in told[0]["more"])]] == [["body", "wounds"]], "fate is not theirs"
    evening.ana.does(c.UndoLast)
    assert evening.ana.record(evening.elya)["sheet"] == before


def test_a_game_may_bring_a_character_to_the_table(evening: Evening) -> None:
    number = evening.bob.starts("create", None, {evening.bob.seat: {"called": "Mira"}})
    evening.ana.accepts(number)
    [mira] = [name for name, held in evening.zoe.sees()["records"].items() if held["name"] == "Mira"]
    assert evening.table.state.records[mira].owner == evening.bob.seat
    assert "fate" not in evening.bob.record(mira)["sheet"]
    evening.ana.does(c.Undo, number=number)
    assert mira not in evening.zoe.sees()["records"]


# People who come and go


def test_whoever_comes_late_knows_of_the_moves_under_way_by_their_own_numbers(evening: Evening) -> None:
    evening.ana.starts("ambush")
    evening.bob.starts("act", {"initiator": [evening.elya]})
    evening.ana.does(c.Say, kind="handout", title="Carte", text="Le port est au nord.")
    evening.bob.does(c.Say, kind="whisper", text="psst", to=(evening.cy.seat,))
    dee = evening.table.joins("Dee")
    assert [move["move"] for move in dee.moves().values()] == ["act"]
    assert list(dee.moves()) == ["1"]
    assert "Le port est au nord." in dee.page()
    assert "psst" not in dee.page()
    assert dee.told[0]["id"] == 1


def test_whoever_leaves_blocks_nothing(evening: Evening) -> None:
    number = evening.bob.starts("lend", {"initiator": [evening.elya], "helper": [evening.tarn]},
                                {evening.elya: {"much": 3}})
    evening.cy.does(c.Leave)
    assert evening.zoe.move()["waits_for"] == [evening.ana.seat]
    evening.ana.answers(evening.ana.move()["number"], "agree")
    assert evening.zoe.move()["phase"] == "settled"
    assert not evening.zoe.sees()["seats"][evening.cy.seat]["present"]
    evening.cy.says("me revoilà")
    assert evening.zoe.sees()["seats"][evening.cy.seat]["present"]
    assert evening.cy.move(number)["phase"] == "settled"
    assert [told["type"] for told in evening.cy.told[-2:]] == ["refreshed", "said"]


@pytest.mark.parametrize(("move", "filled", "before", "then"), [
    ("act", {}, None, (c.ThrowDice, {"grain": "n"})),
    ("act", {"score": 1, "again": True}, {}, (c.Answer, {"answer": True})),
    ("act", {}, {"by_hand": True}, (c.Answer, {"answer": [1, 2, 3]})),
])
def test_the_game_master_goes_on_for_whoever_left_whatever_they_were_asked(
    evening: Evening, move: str, filled: dict[str, Any], before: dict[str, Any] | None,
    then: tuple[type[c.Command], dict[str, Any]],
) -> None:
    number = evening.bob.starts(move, {"initiator": [evening.elya]}, {evening.elya: filled})
    if before is not None:
        evening.bob.throws(number, **before)
    evening.bob.does(c.Leave)
    assert evening.zoe.move()["waits_for"] == [evening.ana.seat]
    asked, values = then
    evening.ana.does(asked, number=evening.ana.move()["number"], **values)
    assert evening.ana.move()["throws"][0]["dice"]


def test_a_vote_does_not_wait_for_whoever_left(evening: Evening) -> None:
    number = evening.bob.starts("plea", {"initiator": [evening.elya]})
    evening.bob.throws(number)
    evening.cy.does(c.Leave)
    evening.ana.answers(number, False)
    assert evening.zoe.move()["throws"][0]["outcome"] == "heard"


def test_what_all_who_stay_have_agreed_to_goes_on_by_itself_when_the_last_is_gone(evening: Evening) -> None:
    ida = evening.table.joins("Ida", as_="gm")
    number = evening.bob.starts("retry", {"initiator": [evening.elya]}, {evening.elya: {"much": 3}})
    evening.bob.throws(number)
    evening.ana.answers(number, "agree")
    assert evening.zoe.move()["waits_for"] == [ida.seat]
    ida.does(c.Leave)
    assert evening.zoe.move()["phase"] in ("settled", "closed")


def test_a_poll_that_all_others_let_pass_is_over_when_the_record_goes_to_the_last_of_them(evening: Evening) -> None:
    number = evening.bob.starts("plea", {"initiator": [evening.elya]})
    evening.bob.throws(number)
    evening.ana.answers(number, False)
    evening.bob.refused(c.Answer, number=number, answer=False)
    evening.ana.does(c.GiveRecord, record=evening.elya, owner=evening.cy.seat)
    assert evening.zoe.move()["waits_for"] == sorted([evening.ana.seat, evening.bob.seat])
    evening.bob.does(c.Leave)
    assert evening.zoe.move()["throws"][0]["outcome"] == "heard"
    assert [event.by for event in evening.table.events if isinstance(event, e.AnswerGiven)] == [""]


def test_a_closed_seat_hears_nothing_and_what_it_sealed_stays_unread(evening: Evening) -> None:
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
    evening.bob.fills(number, stance=3)
    told = len(evening.bob.told)
    evening.ana.does(c.RevokeLink, who=evening.bob.seat)
    assert evening.ana.move()["fields"] == {}
    assert '"stance": 3' not in "".join(evening.ana.received)
    evening.cy.says("où est Bob ?")
    assert len(evening.bob.told) == told
    evening.ana.does(c.RenewLink, who=evening.bob.seat)
    assert evening.bob.told[-1]["type"] == "refreshed"
    assert evening.ana.refused(c.RevokeLink, who=evening.ana.seat) == "table/last-gm"


def test_a_sealed_choice_does_not_pass_to_whoever_is_given_the_record(evening: Evening) -> None:
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
    evening.bob.fills(number, stance=3)
    evening.ana.does(c.GiveRecord, record=evening.elya, owner=evening.cy.seat)
    assert '"stance": 3' not in "".join(evening.cy.received + evening.ana.received)


# Sealed, vetoed, stopped


def test_sealed_choices_open_together_and_not_even_for_the_game_master_before(evening: Evening) -> None:
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
    evening.bob.fills(number, stance=2)
    for person in (evening.ana, evening.cy, evening.zoe):
        assert person.move()["fields"][evening.elya]["stance"] == {"sealed": True}
    evening.cy.fills(number, stance=1)
    assert evening.zoe.move()["fields"] == {evening.elya: {"stance": 2}, evening.tarn: {"stance": 1}}


@pytest.mark.parametrize(("policy", "phase"), [("default", "open"), ("cancel", "cancelled")])
def test_the_deadline_is_applied_without_reading_what_is_sealed(evening: Evening, policy: str, phase: str) -> None:
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
    evening.bob.fills(number, stance=2)
    evening.ana.does(c.SetDeadline, number=evening.ana.move()["number"], policy=policy, seconds=30)
    assert evening.zoe.move()["deadline"]["policy"] == policy
    evening.ana.does(c.CloseStep, number=evening.ana.move()["number"])
    assert evening.zoe.move()["phase"] == phase
    read = '"stance": 2' in "".join(evening.ana.received)
    assert read == (policy == "default")
    assert evening.bob.refused(c.SetDeadline, number=number, policy="wait") == "table/only-gm"


def test_each_side_of_a_duel_sees_its_own_dice_and_no_key(evening: Evening) -> None:
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
    evening.bob.fills(number, stance=2)
    evening.cy.fills(number, stance=1)
    evening.bob.throws(number)
    assert [die["role"] for die in evening.bob.move()["throws"][0]["dice"]] == ["initiator"]
    assert [die["role"] for die in evening.cy.move()["throws"][0]["dice"]] == ["opponent"]
    assert "dice" not in evening.zoe.move()["throws"][0]
    assert all("key" not in person.move()["proofs"][0] for person in evening.others)
    assert "key" in evening.ana.move()["proofs"][0]


def test_a_veto_has_no_author_anywhere(evening: Evening) -> None:
    def vetoed_by(name: str) -> tuple[list[str], list[str]]:
        one = Evening()
        bob, vetoer = one.bob, getattr(one, name)
        number = bob.starts("plea", {"initiator": [one.elya]})
        bob.throws(number)
        started = len(one.table.events)
        for person in (one.ana, one.cy):
            if person is not vetoer:
                person.answers(person.move()["number"], False)
        vetoer.answers(vetoer.move()["number"], True)
        written = [e.written(event) for event in one.table.events[started:]]
        assert one.zoe.move()["throws"][0]["outcome"] == "vetoed"
        return written, one.zoe.received

    assert vetoed_by("ana") == vetoed_by("cy")


def test_when_all_let_pass_the_throw_stands(evening: Evening) -> None:
    number = evening.bob.starts("plea", {"initiator": [evening.elya]})
    evening.bob.throws(number)
    assert evening.bob.refused(c.Answer, number=number, answer=True) == "table/not-yours"
    evening.ana.answers(number, False)
    assert evening.zoe.move()["phase"] == "open"
    evening.ana.answers(number, False)
    assert evening.zoe.move()["phase"] == "open"
    evening.cy.answers(number, False)
    assert evening.zoe.move()["throws"][0]["outcome"] == "heard"


def test_the_stop_card_stops_everybody_and_names_nobody() -> None:
    def played_by(name: str) -> tuple[list[str], ...]:
        evening = Evening()
        getattr(evening, name).does(c.PlayCard)
        return (e.written(evening.table.events[-1]), *(person.received for person in evening.people))

    assert played_by("bob") == played_by("cy") == played_by("zoe") == played_by("ana")


# Hidden records


def test_a_hidden_record_is_as_unknown_as_one_that_is_not_there(evening: Evening) -> None:
    spy = evening.ana.brings("Spy", "extra")
    for record in (spy, "0123456789"):
        assert evening.bob.refused(c.EditRecord, record=record, path="name", value="x") == "form/unknown"
        assert evening.bob.refused(c.TakeRecord, record=record) == "form/unknown"
        assert evening.bob.refused(c.StartMove, move="duel", cast={
            "initiator": [evening.elya], "opponent": [record]}) == "form/unknown"
    refusals = [line.replace(spy, "?").replace("0123456789", "?") for line in evening.bob.received if "code" in line]
    assert len(set(refusals[:3])) == len(set(refusals[3:])) == len(set(refusals)) or refusals[:3] == refusals[3:]
    assert "Spy" not in "".join(evening.bob.received)


def test_records_without_a_name_are_told_apart_and_count_nothing_hidden(evening: Evening) -> None:
    ana, bob = evening.ana, evening.bob
    hidden = [ana.brings("", "extra") for _ in range(3)]
    shown = [ana.brings("", "extra", seen_by=("all",)) for _ in range(2)]
    first = bob.record(shown[0])["name"]
    assert [bob.record(record)["name"] for record in shown] == [first, f"{first} 2"]
    assert [ana.record(record)["name"] for record in hidden] == [first, f"{first} 2", f"{first} 3"]


def test_a_record_is_shown_to_one_then_hidden_again(evening: Evening) -> None:
    spy = evening.ana.brings("Spy", "extra", armour=3)
    evening.ana.does(c.ShowRecord, record=spy, seen_by=("gm", evening.bob.seat))
    assert evening.bob.record(spy)["sheet"] == {"name": "Spy", "body": 3, "wounds": 0}
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [spy]})
    assert evening.bob.move(number)["cast"] == {evening.elya: "initiator", spy: "opponent"}
    assert evening.cy.move()["cast"] == {evening.elya: "initiator"}
    evening.ana.does(c.EditRecord, record=spy, path="body", value=4)
    evening.ana.does(c.EditRecord, record=spy, path="armour", value=9)
    assert evening.bob.told[-1]["seen"]["sheet"] == {"name": "Spy", "body": 4, "wounds": 0}
    evening.ana.does(c.ShowRecord, record=spy, seen_by=("gm",))
    assert evening.bob.record(spy) is None
    assert evening.bob.told[-1] | {"id": 0, "at": ""} == {
        "id": 0, "at": "", "type": "record-shown", "by": evening.ana.seat, "seen": None}
    assert spy not in evening.bob.page()
    for person in (evening.cy, evening.zoe):
        assert spy not in "".join(person.received)
    assert "armour" not in "".join(evening.bob.received)


def test_fields_for_the_owner_or_the_game_master_reach_nobody_else(evening: Evening) -> None:
    evening.bob.does(c.EditRecord, record=evening.elya, path="pride", value=7)
    assert '"pride": 7' in evening.bob.page()
    assert '"pride": 7' not in "".join(evening.cy.received + evening.zoe.received)
    assert "pride" not in "".join(evening.zoe.received)
    told = len(evening.bob.told)
    evening.ana.does(c.EditRecord, record=evening.elya, path="fate", value=5)
    assert len(evening.bob.told) == told
    assert evening.bob.refused(c.EditRecord, record=evening.elya, path="fate", value=1) == "form/unknown"
    assert '"fate":' not in "".join(evening.bob.received)


def test_a_check_on_what_the_owner_may_not_see_never_refuses(evening: Evening) -> None:
    evening.ana.does(c.EditRecord, record=evening.elya, path="fate", value=12)
    evening.bob.does(c.EditRecord, record=evening.elya, path="wounds", value=1)


def test_a_correction_beyond_the_rules_is_marked_for_whoever_can_tell_so_from_what_they_see(evening: Evening) -> None:
    """The check reads a field that only game masters see as well: of that one, the mark would tell the others."""
    evening.ana.does(c.EditRecord, record=evening.elya, path="body", value=40)
    assert [person.sees()["log"][-1].get("beyond", False) for person in evening.people] == [True] * 4
    evening.ana.does(c.EditRecord, record=evening.elya, path="fate", value=12)
    evening.ana.does(c.EditRecord, record=evening.elya, path="body", value=4)
    marked = [person.sees()["log"][-1].get("beyond", False) for person in evening.people]
    assert marked == [True, False, False, False]


def test_options_settled_as_they_were_are_no_event(evening: Evening) -> None:
    before = len(evening.ana.told)
    evening.ana.does(c.SetOptions, options=evening.ana.sees()["rulings"])
    assert len(evening.ana.told) == before


# Reveals and undo


def test_a_blind_throw_turned_over_shows_its_dice_and_its_key_and_taking_it_back_says_so(evening: Evening) -> None:
    number = evening.bob.starts("sneak", {"initiator": [evening.elya]}, {evening.elya: {"score": 20}})
    evening.bob.throws(number)
    assert "key" not in evening.zoe.move()["proofs"][0]
    evening.ana.does(c.TurnOver, number=evening.ana.move()["number"], step="creep")
    throw, proof = evening.zoe.move()["throws"][0], evening.zoe.move()["proofs"][0]
    assert throw["outcome"] == "unseen"
    faces = KeyedFaces(bytes.fromhex(proof["key"]), proof["nonce"].encode()).throw("", 1, 6)
    assert commitment(bytes.fromhex(proof["key"])) == proof["hash"]
    assert throw["dice"][0]["faces"] == list(faces)
    evening.ana.accepts(evening.ana.move()["number"])
    assert "dice" in evening.zoe.move()["throws"][0]
    evening.ana.does(c.UndoLast)
    assert "dice" not in evening.zoe.move()["throws"][0]
    shown = next(line for line in evening.zoe.sees()["log"] if line["type"] == "throw-turned-over")
    assert shown["undone"]
    assert evening.zoe.sees()["log"][-1]["what"] == "throw-turned-over"


def test_a_throw_may_be_shown_to_one(evening: Evening) -> None:
    evening.ana.starts("ambush", None, {"gm": {"force": 3}})
    evening.ana.throws(1)
    assert evening.bob.moves() == {}
    evening.ana.does(c.TurnOver, number=1, step="spring", to=(evening.bob.seat,))
    assert evening.bob.move()["throws"][0]["dice"]
    assert evening.cy.moves() == evening.zoe.moves() == {}


def test_everything_can_be_taken_back_one_after_the_other(evening: Evening) -> None:
    def looks() -> list[object]:
        seen = [person.sees() for person in evening.people]
        return [{name: one[name] for name in ("records", "scene", "episode", "rulings", "minutes")} for one in seen]

    ana, marks = evening.ana, []
    spy = ana.brings("Spy", "extra")
    steps = [
        lambda: ana.does(c.EditRecord, record=evening.elya, path="wounds", value=3),
        lambda: ana.does(c.OpenScene, title="Le port", kind="episode"),
        lambda: ana.does(c.OpenScene, title="La grue"),
        lambda: ana.does(c.ShowRecord, record=spy, seen_by=("all",)),
        lambda: ana.does(c.GiveRecord, record=spy, owner=evening.cy.seat),
        lambda: ana.does(c.Say, kind="handout", text="Voici", title="Lettre"),
        lambda: ana.does(c.RemoveRecord, record=evening.tarn),
        lambda: ana.does(c.AddRecord, kind="extra", sheet={"name": "Garde"}, seen_by=("all",)),
    ]
    for step in steps:
        marks.append(looks())
        step()
    for mark in reversed(marks):
        ana.does(c.UndoLast)
        assert looks() == mark
    assert "Voici" not in page(evening.cy.sees()["log"])
    assert evening.bob.refused(c.UndoLast) == "table/only-gm"


def test_a_move_is_undone_and_its_dice_stay_listed(evening: Evening) -> None:
    number = evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 0}})
    evening.bob.throws(number)
    evening.ana.accepts(number)
    evening.ana.does(c.Undo, number=number)
    assert evening.zoe.record(evening.elya)["sheet"]["wounds"] == 0
    assert evening.zoe.move()["phase"] == "undone"
    assert evening.zoe.move()["throws"][0]["dice"]
    assert evening.ana.refused(c.Undo, number=number) == "table/not-now"


def test_a_throw_that_was_sent_back_stays_listed_and_is_thrown_with_a_new_key(evening: Evening) -> None:
    number = evening.bob.starts("retry", {"initiator": [evening.elya]}, {evening.elya: {"much": 3}})
    evening.bob.throws(number)
    [first] = evening.zoe.move()["proofs"]
    evening.ana.answers(number, "refuse")
    evening.bob.fills(number, much=4)
    [past] = evening.zoe.move()["undone_throws"]
    assert past["proof"] == first
    evening.bob.throws(number)
    [second] = evening.zoe.move()["proofs"]
    assert second["hash"] != first["hash"]


def test_a_rule_that_changed_is_told_to_the_game_master_who_may_restart(evening: Evening) -> None:
    from dataclasses import replace as changed_to

    import veil

    number = evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 1, "again": True}})
    evening.bob.throws(number)
    roll = veil.ACT.steps[2]
    other = changed_to(roll, call=lambda ctx: Call(lambda dice: dice.sum(2, 8)))
    newer = changed_to(veil.ACT, steps=(*veil.ACT.steps[:2], other))
    evening.table.watch = False
    evening.table.system = changed_to(VEIL, version="2", moves={**VEIL.moves, "act": newer})
    assert evening.ana.move()["rule_changed"] == {"before": "1", "now": "2"}
    assert evening.bob.refused(c.Answer, number=number, answer=True) == "table/rule-changed"
    evening.ana.does(c.Restart, number=number)
    assert evening.zoe.move(1)["phase"] == "cancelled"
    assert evening.zoe.move(1)["throws"][0]["dice"]
    assert evening.zoe.move(2)["starter"] == evening.bob.seat
    evening.bob.throws(2)
    assert evening.zoe.move(2)["phase"] == "settled"


# Time


def test_time_asks_each_what_they_did_and_previews_what_it_changes(evening: Evening) -> None:
    ana, bob, cy = evening.ana, evening.bob, evening.cy
    for record in (evening.elya, evening.tarn):
        ana.does(c.EditRecord, record=record, path="fatigue", value=2)
    begun = evening.zoe.sees()["minutes"]
    number = ana.starts("pass-time", None, {"gm": {"time_span": "hours", "time_count": 12}})
    assert sorted(evening.zoe.move()["waits_for"]) == sorted([bob.seat, cy.seat])
    assert [row["field"] for row in bob.form(number)["fields"]] == ["slept"]
    bob.fills(number, slept=True)
    ana.does(c.CloseStep, number=number)
    preview = {(change["target"], change["path"]): change["after"] for change in evening.zoe.move()["changes"]}
    assert preview[evening.elya, "fatigue"] == 1
    assert preview["clock", "minutes"] == begun + 720
    ana.accepts(number)
    assert evening.zoe.sees()["minutes"] == begun + 720
    assert evening.bob.move()["throws"][0]["why"][0]["key"] == "rested"
    (told,) = evening.bob.move()["throws"][0]["told"]
    assert (told["key"], told["main"]) == ("passed.hours", True)  # said once: not that time passed, and how long
    ana.does(c.UndoLast)
    assert evening.zoe.sees()["minutes"] == begun
    assert evening.zoe.record(evening.elya)["sheet"]["fatigue"] == 2


def test_a_table_begins_in_the_evening_and_a_night_goes_to_the_next_morning(evening: Evening) -> None:
    assert evening.zoe.sees()["minutes"] == 19 * 60
    number = evening.ana.starts("pass-time", {"character": []}, {"gm": {"time_span": "night"}})
    evening.ana.accepts(number)
    assert evening.zoe.sees()["minutes"] == (24 + 8) * 60


def test_the_game_master_sets_the_clock_at_will_and_takes_it_back(evening: Evening) -> None:
    evening.ana.does(c.SetClock, day=3, hour=21, minute=40)
    assert evening.zoe.sees()["minutes"] == 2 * 1440 + 21 * 60 + 40
    assert evening.bob.refused(c.SetClock, day=1, hour=8) == "table/only-gm"
    assert evening.ana.refused(c.SetClock, day=1, hour=24) == "form/out-of-range"
    evening.ana.does(c.UndoLast)
    assert evening.zoe.sees()["minutes"] == 19 * 60


def test_nobody_waits_for_whoever_is_away_nor_for_the_game_masters_people(evening: Evening) -> None:
    guard = evening.ana.brings("Garde")
    evening.ana.does(c.EditRecord, record=guard, path="fatigue", value=2)
    evening.bob.does(c.Leave)
    number = evening.ana.starts("pass-time", None, {"gm": {"time_span": "hours", "time_count": 12}})
    assert evening.zoe.move()["waits_for"] == [evening.cy.seat]
    evening.cy.fills(number, slept=True)
    changed = {(change["target"], change["path"]): change["after"] for change in evening.zoe.move()["changes"]}
    assert changed[guard, "fatigue"] == 1


def test_an_act_that_is_open_follows_the_clock(evening: Evening) -> None:
    number = evening.bob.starts("leap", {"initiator": [evening.elya]})
    evening.ana.does(c.SetClock, day=5, hour=9)
    assert reread(evening.table.state, evening.table.system, number).day == 4


def test_a_timer_falls_due_when_its_time_has_come(evening: Evening) -> None:
    ana, bob = evening.ana, evening.bob
    ana.does(c.EditRecord, record=evening.elya, path="fatigue", value=2)
    number = bob.starts("remind", {"initiator": [evening.elya]})
    ana.accepts(number)
    assert [timer["due"] - ana.sees()["minutes"] for timer in ana.sees()["timers"].values()] == [1440]
    assert "timers" not in bob.sees()
    for span, left in (("minutes", 2), ("days", 1)):
        number = ana.starts("pass-time", {"character": []}, {"gm": {"time_span": span}})
        if evening.table.state.move(number).phase == "settled":
            ana.accepts(number)
        assert bob.record(evening.elya)["sheet"]["fatigue"] == left
    timed = [[change for change in person.move()["changes"] if change["path"].startswith("timers.")]
             for person in (ana, *evening.others)]
    assert [len(seen) for seen in timed] == [1, 0, 0, 0], "that somebody counted is the game master's to know"
    assert ana.sees()["timers"] == {}


# Refusals


@pytest.mark.parametrize(("who", "command", "values", "code"), [
    ("zoe", c.Say, {"text": "moi aussi"}, "table/only-players"),
    ("bob", c.AddSeat, {"name": "Eve"}, "table/only-gm"),
    ("bob", c.RenewLink, {"who": "?"}, "table/only-gm"),
    ("ana", c.RenewLink, {"who": "?"}, "form/unknown"),
    ("ana", c.AddSeat, {"name": "Eve", "rank": "god"}, "form/unknown"),
    ("ana", c.AddSeat, {"name": "E" * 61}, "table/too-long"),
    ("bob", c.Say, {"text": "x" * 8001}, "table/too-long"),
    ("bob", c.Say, {"text": "   "}, "table/empty"),
    ("bob", c.Say, {"text": "x", "kind": "note"}, "table/only-gm"),
    ("bob", c.Say, {"text": "x", "to": ("?",)}, "form/unknown"),
    ("bob", c.SetOptions, {"options": {"a": "b"}}, "table/only-gm"),
    ("ana", c.SetOptions, {"options": {"a": "b"}}, "form/unknown"),
    ("bob", c.StartMove, {"move": "fly"}, "form/unknown"),
    ("bob", c.StartMove, {"move": "ambush"}, "table/not-yours"),
    ("bob", c.StartMove, {"move": "strike"}, "table/not-now"),
    ("bob", c.StartMove, {"move": "strike", "encounter": 3}, "form/unknown"),
    ("bob", c.Fill, {"number": 9, "values": {}}, "form/unknown"),
    ("bob", c.ThrowDice, {"number": 0}, "form/unknown"),
    ("bob", c.Correct, {"item": 1}, "table/only-gm"),
    ("ana", c.Correct, {"item": 999}, "table/nothing-to-undo"),
    ("ana", c.OpenScene, {"title": "x", "kind": "war"}, "form/unknown"),
    ("bob", c.AddRecord, {"kind": "dragon"}, "form/unknown"),
    ("bob", c.AddRecord, {"sheet": {"name": "X", "strength": 9}}, "form/unknown"),
    ("bob", c.AddRecord, {"sheet": {"name": "X", "body": 12}}, "record/faults"),
    ("bob", c.AddRecord, {"ready": "nobody"}, "form/unknown"),
    ("bob", c.AddRecord, {"sheet": {"name": "X", "system": "other"}}, "table/other-game"),
    ("bob", c.RemoveRecord, {"record": "?"}, "table/only-gm"),
    ("bob", c.StartMove, {"move": "free-throw", "form": {"?": {"expression": "3d6"}}}, "table/not-yours"),
])
def test_a_bad_command_is_refused_with_a_steady_code(
    evening: Evening, who: str, command: type[c.Command], values: dict[str, object], code: str
) -> None:
    assert getattr(evening, who).refused(command, **values) == code


def test_there_is_an_end_to_everything(evening: Evening) -> None:
    evening.table.watch = False
    for _ in range(40):
        evening.bob.starts("act", {"initiator": [evening.elya]})
    assert evening.bob.refused(c.StartMove, move="act", cast={"initiator": [evening.elya]}) == "table/too-many"
    for at in range(59):
        evening.bob.brings(f"n{at}")
    assert evening.bob.refused(c.AddRecord, sheet={"name": "x"}) == "table/too-many"
    for at in range(60):
        evening.table.joins(f"p{at}")
    assert evening.ana.refused(c.AddSeat, name="one more") == "table/too-many"


@pytest.mark.parametrize(("data", "code"), [
    ({"type": "say", "text": "a\0b"}, "table/not-plain"),
    ({"type": "say", "text": "\ud800"}, "table/not-plain"),
    ({"type": "fill", "number": 1, "values": {"x": float("nan")}}, "table/not-plain"),
    ({"type": "fill", "number": 10**30, "values": {}}, "table/not-plain"),
    ({"type": "fill", "number": 1, "values": {"x": [[[[[[[[[[[[[[1]]]]]]]]]]]]]]}}, "table/too-deep"),
    ({"type": "fill", "number": 1, "values": {"x": [1] * 50_000}}, "table/too-large"),
    ({"type": "fill", "number": "1", "values": {}}, "form/bad-value"),
    ({"type": "fill", "number": True, "values": {}}, "form/bad-value"),
    ({"type": "say"}, "form/bad-value"),
    ({"type": "say", "text": "x", "to": "bob"}, "form/bad-value"),
    ({"type": "fly"}, "form/unknown"),
    ({"text": "x"}, "form/unknown"),
    ({"type": "say", "text": "x", "by": "ana"}, "form/unknown"),
])
def test_what_comes_over_the_wire_is_read_with_care(data: dict[str, object], code: str) -> None:
    with pytest.raises(Exception) as refusal:  # noqa: PT011
        c.command_from_json(data, "bob")
    assert refusal.value.code == code


def test_a_forged_role_changes_nothing() -> None:
    assert c.command_from_json({"type": "say", "text": "x", "seat": "ana"}, "bob").seat == "bob"


def test_the_state_is_the_same_from_the_log_and_from_a_snapshot(evening: Evening) -> None:
    test_time_asks_each_what_they_did_and_previews_what_it_changes(evening)
    state = evening.table.state
    assert state_read(state_written(state)) == state
