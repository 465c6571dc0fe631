"""What holds of any move at a table: who may do what and when, what a refusal tells, what is accepted or taken back."""

from dataclasses import replace

import pytest
from evening import Evening
from scene import Person, Table
from veil import VEIL, Fight, hurt, nothing, one_die

from paravent.game import (
    EXISTENCE_ONLY,
    GAME_MASTER,
    INITIATOR,
    OUTCOME_HIDDEN,
    Ask,
    Call,
    Field,
    Follow,
    Move,
    Opened,
    Resolve,
    Role,
    System,
    TextField,
    Whole,
    Window,
    find_system,
)
from paravent.game.errors import Stale
from paravent.game.words import house_words
from paravent.table import commands as c


def with_move(move: Move) -> System:
    """Veil, and one move more."""
    return replace(VEIL, moves={**VEIL.moves, move.id: move})


def sat(system: System) -> tuple[Person, Person, Person]:
    """Ana leads, Bob and Cy play."""
    table = Table(system)
    return table.joins("Ana", as_="gm"), table.joins("Bob"), table.joins("Cy")


# Filling in


def test_a_sealed_choice_is_its_owners_to_make_and_to_think_over_until_the_other_is_in(evening: Evening) -> None:
    number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
    evening.bob.fills(number, stance=3)
    for other in (evening.ana, evening.cy):
        assert other.refused(c.Fill, number=number, values={"stance": 1}, actor=evening.elya) == "table/not-yours"
    evening.bob.fills(number, stance=2)
    assert '"stance": 2' not in "".join(evening.ana.received + evening.cy.received)
    evening.cy.fills(number, stance=1)
    assert evening.zoe.move()["fields"][evening.elya]["stance"] == 2
    assert evening.bob.refused(c.Fill, number=number, values={"stance": 0}) == "table/already-thrown"


def test_a_sealed_choice_without_a_usual_value_cannot_be_supposed_and_the_move_can_still_be_taken_back() -> None:
    bid = Move("bid", (
        Ask("bids", tuple(Field("bid", Whole(0), role, secrecy="sealed") for role in ("initiator", "opponent"))),
        Resolve("do", lambda ctx: Call(nothing, 1)),
    ), cast=(INITIATOR, Role("opponent"), GAME_MASTER))
    ana, bob, cy = sat(with_move(bid))
    bob.starts("bid", {"opponent": [cy.seat]})
    bob.fills(1, bid=7)
    assert ana.refused(c.CloseStep, number=1) == "table/not-now"
    assert bob.move()["waits_for"] == [cy.seat]
    ana.does(c.Withdraw, number=1)
    assert bob.move()["phase"] == "withdrawn"
    assert ana.move()["fields"] == {bob.seat: {"bid": {"sealed": True}}}


def test_a_sealed_field_that_is_asked_later_stays_sealed_until_then() -> None:
    """A step that does not apply yet has not been answered: what it will ask is not laid open beforehand."""
    mine = Field("bid", Whole(0), secrecy="sealed", when=lambda ctx: bool(ctx.results.get("first")))
    theirs = Field("bid", Whole(0), "opponent", secrecy="sealed")
    bid = Move("bid", (
        Resolve("first", lambda ctx: Call(one_die, 6)),
        Ask("bids", (mine, theirs)),
        Resolve("second", lambda ctx: Call(nothing, ctx.value(ctx.one("opponent"), theirs))),
    ), cast=(INITIATOR, Role("opponent"), GAME_MASTER))
    ana, bob, cy = sat(with_move(bid))
    bob.starts("bid", {"opponent": [cy.seat]})
    bob.throws(1)
    bob.fills(1, bid=1234)
    assert "1234" not in "".join(ana.received + cy.received)
    cy.fills(1, bid=7)
    assert "1234" in ana.page()


def test_a_limit_that_hangs_on_a_secret_is_not_told_by_its_refusal() -> None:
    much_of_it = Field("much", Whole(0, lambda ctx: ctx.one("opponent").record.armour))
    limited = Move("limited", (
        Ask("declare", (much_of_it,)),
        Resolve("do", lambda ctx: Call(nothing, ctx[much_of_it])),
    ), cast=(INITIATOR, Role("opponent", "extra"), GAME_MASTER))
    ana, bob, _ = sat(with_move(limited))
    elya, brute = bob.brings("Elya"), ana.brings("Brute", "extra", armour=6, seen_by=("all",))
    bob.starts("limited", {"initiator": [elya], "opponent": [brute]})
    for much in (6, 7):
        assert bob.refused(c.Fill, number=1, values={"much": much}) == "table/withheld"
    assert bob.received[-1] == bob.received[-2]
    assert ana.refused(c.Fill, number=1, values={"much": 7}, actor=elya) == "form/out-of-range"
    ana.does(c.Fill, number=1, values={"much": 6}, actor=elya)


def test_whoever_answers_for_several_says_for_whom() -> None:
    brawl = Move("melee", (Ask("aims", (Field("aim", TextField(), "opponent"),)),
                           Resolve("do", lambda ctx: Call(nothing, 1))),
                 cast=(INITIATOR, Role("opponent", "extra", 1, 3), GAME_MASTER))
    ana, bob, _ = sat(with_move(brawl))
    both = [ana.brings(name, "extra", seen_by=("all",)) for name in ("Un", "Deux")]
    bob.starts("melee", {"opponent": both})
    assert ana.refused(c.Fill, number=1, values={"aim": "la tête"}) == "form/unknown"
    for one in both:
        ana.does(c.Fill, number=1, values={"aim": "la tête"}, actor=one)
    assert bob.form(1)["throw"]["step"] == "do"


# Windows and votes


def test_a_bargain_that_is_refused_takes_out_what_was_offered_and_nothing_else() -> None:
    """Solaires: a condition is put in once the difficulty is known; the game master will not have it."""
    ana, bob, _ = sat(find_system("solaires"))
    ana.does(c.SetOptions, options={"edition": "v5"})
    nadir = bob.does(c.AddRecord, ready="cabestan")[0].record
    bob.starts("action", {"initiator": [nadir]}, {nadir: {"goal": "atteindre le sas"}})
    ana.does(c.Fill, number=1, values={"intrinsic": -2, "scenario_interest": 0})
    bob.fills(1, condition="je perds mon arme")
    assert bob.move()["waits_for"] == [ana.seat]
    assert bob.refused(c.Answer, number=1, answer="agree") == "table/not-yours"
    ana.answers(1, "refuse")
    fields = bob.move()["fields"][nadir]
    assert (fields["goal"], fields.get("condition")) == ("atteindre le sas", None)
    assert bob.move()["waits_for"] == [bob.seat]


def test_consent_that_never_comes_is_passed_over_by_the_game_master_alone(evening: Evening) -> None:
    number = evening.bob.starts("lend", {"initiator": [evening.elya], "helper": [evening.tarn]},
                                {evening.elya: {"much": 3}})
    assert evening.zoe.move()["waits_for"] == [evening.cy.seat]
    assert evening.bob.refused(c.Answer, number=number, answer="agree") == "table/not-yours"
    assert evening.bob.refused(c.CloseStep, number=number) == "table/only-gm"
    evening.ana.does(c.CloseStep, number=number)
    assert evening.zoe.move()["phase"] == "settled"


def test_a_veto_that_never_comes_is_passed_over_by_the_game_master(evening: Evening) -> None:
    number = evening.bob.starts("plea", {"initiator": [evening.elya]})
    evening.bob.throws(number)
    assert sorted(evening.zoe.move()["waits_for"]) == sorted([evening.ana.seat, evening.cy.seat])
    evening.ana.does(c.CloseStep, number=number)
    assert evening.zoe.move()["throws"][0]["outcome"] == "heard"


def test_a_window_without_a_way_back_ends_the_move_when_it_is_refused() -> None:
    ask = Move("ask", (Window("leave", "gm", "approval"), Resolve("do", lambda ctx: Call(nothing, 1))))
    ana, bob, cy = sat(with_move(ask))
    bob.starts("ask")
    assert ana.refused(c.Answer, number=1, answer="perhaps") == "form/unknown"
    ana.answers(1, "refuse")
    assert cy.move()["phase"] == "refused"
    assert bob.refused(c.ThrowDice, number=1) == "table/not-now"


def test_what_follows_a_move_that_opens_an_encounter_is_played_in_it() -> None:
    rush = Move("rush", (
        Resolve("begin", lambda ctx: Call(nothing, 1), auto=True, opens=lambda ctx, one: Opened("fight", Fight()),
                follow=lambda ctx, one: (Follow("strike", {"initiator": [ctx.one().id]}),)),
    ))
    _, bob, cy = sat(with_move(rush))
    elya = bob.brings("Elya")
    bob.starts("rush", {"initiator": [elya]})
    assert (cy.move()["move"], cy.move()["encounter"]) == ("strike", 1)
    assert cy.sees()["encounters"]["1"]["encounter"] == "fight"


# Taking back, and what is refused alike


def test_before_the_dice_whoever_began_a_move_may_withdraw_it_and_nobody_else_who_plays(evening: Evening) -> None:
    before = evening.zoe.record(evening.elya)
    number = evening.bob.starts("act", {"initiator": [evening.elya]})
    assert evening.cy.refused(c.Withdraw, number=number) == "table/not-yours"
    evening.bob.does(c.Withdraw, number=number)
    assert evening.zoe.move()["phase"] == "withdrawn"
    assert evening.zoe.record(evening.elya) == before
    again = evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 0}})
    evening.bob.throws(again)
    assert evening.bob.refused(c.Withdraw, number=again) == "table/not-now"
    assert evening.bob.refused(c.Fill, number=again, values={"score": 6}) == "table/not-now"


def test_a_move_or_an_encounter_one_may_not_know_of_is_refused_like_one_that_is_not_there(evening: Evening) -> None:
    evening.ana.starts("ambush")
    evening.ana.starts("plot")
    for command in (c.ThrowDice, c.CloseStep, c.Withdraw, c.Accept, c.Cancel):
        refusals = []
        for number in (1, 2, 99):
            evening.bob.refused(command, number=number)
            refusals.append(evening.bob.received[-1].replace("99", "2").replace("1", "2"))
        assert len(set(refusals)) == 1, command
    for encounter in (1, 9):
        evening.bob.refused(c.StartMove, move="leap", cast={"initiator": [evening.elya]}, encounter=encounter)
    assert evening.bob.received[-1].replace("9", "1") == evening.bob.received[-2]
    assert evening.bob.starts("leap", {"initiator": [evening.elya]}) == 1


def test_what_a_search_found_is_told_neither_by_a_page_nor_by_a_refusal() -> None:
    """Only when something is there is the game master asked more; the searcher learns neither."""
    heard = []
    for score in (0, 6):
        search = Move("search", (
            Resolve("search", lambda ctx, score=score: Call(one_die, score),
                    shown=lambda ctx, result: EXISTENCE_ONLY),
            Ask("found", (Field("what", TextField(), "gm", secrecy="gm",
                                when=lambda ctx: bool(ctx.results.get("search"))),)),
        ))
        ana, bob, cy = sat(with_move(search))
        bob.starts("search")
        bob.throws(1)
        assert (ana.move()["phase"] == "open") == bool(score)
        for command in (c.ThrowDice, c.Withdraw, c.CloseStep):
            bob.refused(command, number=1)
        bob.refused(c.Answer, number=1, answer="agree")
        heard.append([bob.received, cy.received])
    assert heard[0] == heard[1]


# What a move changes


def test_two_moves_never_overwrite_each_other(evening: Evening) -> None:
    numbers = [evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 0}}) for _ in "ab"]
    for number in numbers:
        evening.bob.throws(number)
    first, second = numbers

    def wounds() -> int:
        return evening.zoe.record(evening.elya)["sheet"]["wounds"]

    evening.ana.accepts(first)
    assert evening.ana.refused(c.Accept, number=second) == "table/stale"
    evening.ana.accepts(second, amend={"0": 4})
    assert wounds() == 4
    assert evening.ana.refused(c.Undo, number=first) == "table/stale"
    evening.ana.does(c.Undo, number=second)
    evening.ana.does(c.Undo, number=first)
    assert wounds() == 0


@pytest.mark.parametrize(("before", "now", "said"), [
    (0, 1, "« pv » a changé entre-temps (0 attendu, 1 trouvé)"), ("", "loin", "« pv » a changé entre-temps :"),
    ([], [{"hour": 1, "what": "unseen"}], "« pv » a changé entre-temps :")])
def test_what_has_changed_since_is_said_with_its_values_where_they_can_be_read(before, now, said: str) -> None:
    stale = Stale(target="elya", path="pv", before=before, now=now)
    assert house_words().error("fr", stale).replace("\u00a0", " ").startswith(said)


def test_a_change_may_be_refused_alone_by_the_game_master_and_must_exist(evening: Evening) -> None:
    number = evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"score": 0}})
    evening.bob.throws(number)
    assert evening.bob.refused(c.Accept, number=number) == "table/not-yours"
    assert evening.ana.refused(c.Accept, number=number, amend={"3": 1}) == "form/unknown"
    assert evening.ana.refused(c.Accept, number=number, refuse=(5,)) == "form/unknown"
    assert evening.ana.refused(c.Accept, number=number, amend={"0": "many"}) == "form/bad-value"
    evening.ana.accepts(number, refuse=(0,))
    assert evening.zoe.record(evening.elya)["sheet"]["wounds"] == 0


def test_a_sheet_that_breaks_the_rules_is_not_let_in_by_a_move(evening: Evening) -> None:
    number = evening.bob.starts("create", None, {evening.bob.seat: {"called": "Mira"}})
    records = set(evening.ana.sees()["records"])
    assert evening.ana.refused(c.Accept, number=number, amend={"0": {"name": "Mira", "body": 12}}) == "record/faults"
    assert set(evening.ana.sees()["records"]) == records
    evening.ana.accepts(number, amend={"0": {"name": "Mira", "body": 9}})
    (mira,) = set(evening.ana.sees()["records"]) - records
    assert evening.zoe.record(mira)["sheet"]["body"] == 9


@pytest.mark.parametrize("score", [0, 6])
def test_whoever_may_not_see_an_end_cannot_tell_whether_the_move_waits(score: int) -> None:
    push = Move("push", (
        Resolve("push", lambda ctx: Call(one_die, score), outcome=lambda won: "moved" if won else "stuck",
                changes=lambda ctx, won: hurt(ctx) if won else (), shown=lambda ctx, won: OUTCOME_HIDDEN),
    ))
    ana, bob, cy = sat(with_move(push))
    elya = bob.brings("Elya")
    bob.starts("push", {"initiator": [elya]})
    bob.throws(1)
    seen = bob.move()
    assert (seen["phase"], seen["waits_for"], seen["changes"]) == ("open", [ana.seat], [])
    assert seen["throws"][0]["dice"]
    assert "outcome" not in seen["throws"][0]
    assert ana.move()["phase"] == "settled"
    assert bob.refused(c.TurnOver, number=1, step="push") == "table/only-gm"
    assert ana.refused(c.TurnOver, number=1, step="elsewhere") == "table/not-now"
    ana.does(c.TurnOver, number=1, step="push")
    assert cy.move()["throws"][0]["outcome"] == ("moved" if score else "stuck")


# Odds


def test_odds_against_somebody_whose_figures_are_hidden_are_withheld() -> None:
    clash = Move("clash", (
        Resolve("do", lambda ctx: Call(one_die, ctx.one("opponent").record.armour)),
    ), cast=(INITIATOR, Role("opponent", "extra"), GAME_MASTER))
    ana, bob, cy = sat(with_move(clash))
    elya, brute = bob.brings("Elya"), ana.brings("Brute", "extra", armour=3, seen_by=("all",))
    bob.starts("clash", {"initiator": [elya], "opponent": [brute]})
    assert bob.odds(1) is cy.odds(1) is None
    assert ana.odds(1)["rows"]


def test_odds_over_a_hidden_field_are_given_for_likely_values_and_never_for_the_true_one(evening: Evening) -> None:
    number = evening.bob.starts("act", {"initiator": [evening.elya]})
    evening.ana.does(c.Fill, number=number, values={"difficulty": 3}, actor="gm")
    assert [row["when"] for row in evening.bob.odds(number)["rows"]] == [-1, 0, 1]
    assert [row["when"] for row in evening.ana.odds(number)["rows"]] == [None]


def test_an_encounter_that_the_game_master_keeps_is_on_nobody_elses_page(evening: Evening) -> None:
    evening.ana.starts("plot")
    assert evening.ana.sees()["encounters"]
    assert [person.sees()["encounters"] for person in evening.others] == [{}] * 3
    assert not any("scheme" in line for person in evening.others for line in person.received)
