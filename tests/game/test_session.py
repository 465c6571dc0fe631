"""Laws of every session: a refusal changes nothing, views are plain, a move survives being written down."""

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paravent.game.frozen import snapshot, thaw
from paravent.game.session import Session
from scenes import test_empire_fight as fight
from scenes import test_empire_school as school
from scenes import test_empire_words as words
from scenes import test_solaires as solaires
from seats import Token, page, rough

from paravent.dice import Dice, KeyedFaces, ParaventError
from paravent.dice.play import ScriptedFaces
from paravent.game import (
    EXISTENCE_ONLY,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    OUTCOME_HIDDEN,
    Ask,
    Call,
    Change,
    Encounter,
    Field,
    Follow,
    Move,
    NotNow,
    NotYours,
    OneOf,
    Opened,
    OutOfRange,
    RecordKind,
    Resolve,
    Role,
    Telling,
    TextField,
    UnknownName,
    Whole,
    Window,
    changed,
)
from paravent.game.errors import AlreadyThrown, BadValue, Stale, Withheld

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}


def faces() -> KeyedFaces:
    return KeyedFaces.from_seed("laws")


def solaires_session() -> Session:
    session = Session(solaires.SYSTEM, SEATS, faces=faces())
    session.add("Nadir", solaires.Sheet("Nadir", {"Pilote": 3, "Agile": 2}, 4), owner="Ana")
    session.add("Bosco", solaires.Sheet("Bosco", {"Harnais": 2}), owner="Bob")
    return session


def fight_session() -> Session:
    session = Session(fight.SYSTEM, SEATS, faces=faces())
    session.add("kaelle", fight.KAELLE, owner="Ana")
    session.add("garde", fight.GUARD, "npc")
    session.accept("Maud", session.start("Maud", "start-fight"))
    return session


def words_session() -> Session:
    session = words.begun(ScriptedFaces([]))
    session.faces = faces()
    return session


def school_session() -> Session:
    session = Session(school.SYSTEM, SEATS, faces=faces())
    session.accept("Maud", session.start("Bob", "enrol", form={"Bob": {"name": "S", "guild": 4, "required": 10}}))
    return session


def ready() -> Session:
    session = solaires_session()
    solaires.ready(session)
    return session


def thrown() -> Session:
    session = ready()
    session.throw("Ana", 1)
    return session


def vetoable() -> Session:
    session = thrown()
    session.answer("Ana", 1, session.seen("Ana")["moves"][0]["choice"]["options"][1])
    return session


def described() -> Session:
    session = thrown()
    session.answer("Ana", 1, 0)
    return session


def struck() -> Session:
    session = fight_session()
    move = fight.opened(session, "attack", "parry")
    session.fill("Ana", move, {"height": "high", "precision": "precise", "spot": "cou"})
    session.fill("Maud", move, {"height": "low", "precision": "normal"}, "garde")
    return session


def spoken() -> Session:
    session = words_session()
    move = session.start("Ana", "verbal-exchange", words.CAST, {"irvin": {"words": "Bonjour"}}, encounter=1)
    session.seal("Ana", move, {"attitude": "logic"})
    return session


def graduating() -> Session:
    session = school_session()
    for move in ("school-year",) * 4 + ("promotion",):
        number = session.start("Bob", move, encounter=1)
        if move == "school-year":
            session.throw("Bob", number)
        session.accept("Maud", number)
    return session


POSITIONS = {
    "solaires, fresh": solaires_session, "solaires, ready": ready, "solaires, thrown": thrown,
    "solaires, a veto open": vetoable, "solaires, thrown to the end": described,
    "fight, fresh": fight_session, "fight, declared": struck,
    "words, fresh": words_session, "words, half sealed": spoken,
    "school, fresh": school_session, "school, graduating": graduating,
}

CELL = st.fixed_dictionaries({"kept": st.integers(-1, 3), "text": st.just("secret")})
ACTION = {
    "goal": st.just("fuir"), "intrinsic": st.integers(-5, 5), "interest": st.integers(-4, 4),
    "effects": st.lists(CELL, max_size=2), "secret_effects": st.lists(CELL, max_size=2),
    "condition": st.one_of(st.none(), st.just("tout perdre")), "elements": st.sampled_from([[], ["Pilote"], ["x"]]),
    "lent": st.sampled_from(["Harnais", "x"]), "states": st.sampled_from([[], ["Ivre"]]),
}
EXCHANGE = {
    "attitude": st.sampled_from(["attack", "feint", "parry"]), "height": st.sampled_from(["low", "high"]),
    "precision": st.sampled_from(["vague", "precise"]), "cap": st.integers(-1, 9), "spot": st.just("cou"),
}
ARGUMENT = {
    "attitude": st.sampled_from(["faith", "logic", "seduction"]), "relation": st.sampled_from(["neutral", "hostile"]),
    "speech": st.sampled_from(["vague", "precise"]), "words": st.just("Bonjour"), "target": st.integers(0, 9),
}
FORMS: dict[str, Any] = {
    "solaires": (ACTION, ["", "Nadir", "Bosco", "gm"], [
        ("action", {"initiator": ["Nadir"]}, None), ("action", {"initiator": ["Nadir"], "helper": ["Bosco"]}, None),
        ("action", {"initiator": ["ghost"]}, None)]),
    "fight": (EXCHANGE, ["", "kaelle", "garde"], [
        ("combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, 1), ("start-fight", {}, None)]),
    "words": (ARGUMENT, ["", "irvin", "commis", "gm"], [("verbal-exchange", words.CAST, 1), ("ask", {}, None)]),
    "school": ({"nonsense": st.just(1)}, [""], [
        ("school-year", {}, 1), ("promotion", {}, 1), ("leave-school", {}, 1), ("school-year", {}, 7)]),
}
ANSWERS = st.sampled_from(["agree", "agree", "refuse", True, False, 0, 3, 6, [1, 2], "x"])


def commands(game: str) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """What people try, in any order: mostly sense, sometimes nonsense."""
    values, actors, moves = FORMS[game.partition(",")[0]]
    seat = st.sampled_from(["Maud", "Maud", "Maud", "Ana", "Ana", "Ana", "Bob", "Bob", "Eve", "nobody"])
    number = st.sampled_from([1, 1, 2, 2, 3, 9])
    filled = st.sampled_from([*values, "nonsense"]).flatmap(
        lambda name: values.get(name, st.just(1)).map(lambda value: {name: value}))
    actor = st.sampled_from(actors)
    verbs = ["throw", "close", "accept", "throw", "close", "accept", "withdraw", "undo"]
    return st.lists(st.one_of(
        st.tuples(st.just("start"), seat, st.sampled_from(moves)),
        *([st.tuples(st.just("fill"), seat, number, filled, actor)] * 3),
        st.tuples(st.just("seal"), seat, number, filled, actor),
        st.tuples(st.just("answer"), seat, number, ANSWERS),
        st.tuples(st.sampled_from(verbs), seat, number),
        st.tuples(st.just("join"), seat, number, st.just("helper"), st.sampled_from(["Bosco", "Nadir", "ghost"])),
    ), min_size=5, max_size=25)


def obey(session: Session, command: tuple[Any, ...]) -> None:
    verb, seat, *rest = command
    if verb == "start":
        move, cast, encounter = rest[0]
        session.start(seat, move, cast, encounter=encounter)
    else:
        getattr(session, verb)(seat, *rest)


@pytest.mark.parametrize("game", POSITIONS)
@settings(derandomize=True, max_examples=50)
@given(data=st.data())
def test_whatever_is_tried_a_refusal_changes_nothing(game: str, data: st.DataObject) -> None:
    session = POSITIONS[game]()
    for command in data.draw(commands(game)):
        before = session._kept()
        try:
            obey(session, command)
        except ParaventError:
            assert session._kept() == before
    for seat in SEATS:
        page(session, seat)


@pytest.mark.parametrize("game", POSITIONS)
@settings(derandomize=True, max_examples=20)
@given(data=st.data())
def test_a_move_written_down_and_read_again_is_the_same(game: str, data: st.DataObject) -> None:
    session = POSITIONS[game]()
    for command in data.draw(commands(game)):
        try:
            obey(session, command)
        except ParaventError:
            continue
        kinds = {name: held.kind for name, held in session.records.items()}
        for op in session.moves.values():
            again = thaw(json.loads(json.dumps(snapshot(op, session.system))), session.system, kinds)
            assert again == op
            assert snapshot(again, session.system) == snapshot(op, session.system)


# --- A toy game for single points ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clock:
    ticks: int = 0
    doom: int = 3


def push(dice: Any, strength: int, against: int) -> int:
    return strength + dice.of("initiator").sum(1, 6) - against


def one_die(dice: Dice) -> int:
    return dice.sum(1, 6)


def as_said(dice: Dice, value: int) -> int:
    return value


EFFORT = Field("effort", Whole(0, lambda ctx: ctx.one().sheet(Token).strength), usual=0)
AGAINST = Field("against", Whole(0, 9), "gm", secrecy="gm", usual=0, probes=(0, 5))
PUSH = Move(
    "push",
    steps=(
        Ask("declare", (EFFORT, AGAINST)),
        Resolve("push", lambda ctx: Call(push, ctx.one().sheet(Token).strength + ctx[EFFORT], ctx[AGAINST]),
                lambda ctx, result: [Telling("outcomes.pushed")],
                lambda result: "moved" if result > 0 else "stuck", lambda result: result > 0,
                lambda ctx, result: changed(ctx.one().id, ctx.one().record, "life", ctx.one().record.life - 1),
                shown=lambda ctx, result: OUTCOME_HIDDEN),
    ),
)
MUCH = Field("much", Whole(0, lambda ctx: ctx.one("opponent").record.strength))
LIMITED = Move(
    "limited",
    steps=(Ask("declare", (MUCH,)), Resolve("do", lambda ctx: Call(as_said, ctx[MUCH]))),
    cast=(INITIATOR, Role("opponent", "secret"), GAME_MASTER),
)
TICK = Move(
    "tick",
    steps=(Resolve("tick", lambda ctx: Call(as_said, ctx.state(Clock).ticks + 1), auto=True,
                   changes=lambda ctx, ticks: [Change("encounter", "", ctx.encounter,
                                                      replace(ctx.state(Clock), ticks=ticks)),
                                               Change("clock", "", ctx.day, ctx.day + 1)]),),
    by="gm", cast=(GAME_MASTER,), encounter="doom", exists=GM_ONLY,
)
OPEN_DOOM = Move(
    "doom",
    steps=(Resolve("doom", lambda ctx: Call(as_said, 0), auto=True, opens=lambda ctx, result: Opened("doom", Clock()),
                   follow=lambda ctx, result: [Follow("tick", {})]),),
    by="gm", cast=(GAME_MASTER,),
)
SECRET_LOOK = Move(
    "look",
    steps=(Resolve("look", lambda ctx: Call(one_die), shown=lambda ctx, result: INVISIBLE),),
    by="gm", exists=GM_ONLY, cast=(GAME_MASTER, Role("watcher", least=0)),
)
TOY = rough(
    "toy", [PUSH, LIMITED, TICK, OPEN_DOOM, SECRET_LOOK],
    [RecordKind("character", Token), RecordKind("npc", Token, hidden={"strength": GM_ONLY}),
     RecordKind("secret", Token, audience=GM_ONLY)],
    [Encounter("doom", Clock, lambda clock: clock.ticks >= clock.doom, hidden=frozenset({"doom"}), audience=GM_ONLY)],
)


@pytest.fixture
def session() -> Session:
    session = Session(TOY, SEATS, faces=ScriptedFaces([4, 4, 4, 4]))
    session.add("Nadir", Token("Nadir"), owner="Ana")
    session.add("shadow", Token("shadow", 7), "secret")
    session.add("brute", Token("brute", 6), "npc")
    return session


def test_a_record_nobody_may_know_of_cannot_be_named(session: Session) -> None:
    refusals = []
    for name in ("shadow", "no-such"):
        with pytest.raises(UnknownName) as refusal:
            session.start("Ana", "limited", {"initiator": ["Nadir"], "opponent": [name]})
        refusals.append(refusal.value.values["near"])
    assert refusals[0] == refusals[1]
    assert "shadow" not in refusals[0]


def test_someone_nobody_may_know_of_is_absent_from_the_cast(session: Session) -> None:
    session.start("Maud", "limited", {"initiator": ["Nadir"], "opponent": ["shadow"]})
    assert session.seen("Maud")["moves"][0]["cast"] == {"Nadir": "initiator", "shadow": "opponent"}
    for seat in ("Ana", "Bob", "Eve"):
        assert session.seen(seat)["moves"][0]["cast"] == {"Nadir": "initiator"}
        assert "shadow" not in page(session, seat)


def test_a_limit_that_hangs_on_a_secret_is_not_told_by_its_refusal(session: Session) -> None:
    move = session.start("Ana", "limited", {"initiator": ["Nadir"], "opponent": ["brute"]})
    for much in (6, 7):
        with pytest.raises(Withheld):
            session.fill("Ana", move, {"much": much})
    with pytest.raises(OutOfRange):
        session.fill("Maud", move, {"much": 7})
    session.fill("Maud", move, {"much": 6})


def test_odds_are_given_for_likely_values_never_for_the_true_one(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    session.fill("Maud", move, {"against": 9})
    weighed = session.odds("Ana", move)
    assert weighed is not None
    assert list(weighed) == [0, 5]
    assert weighed[5].chance(lambda result: result > 0) == weighed[5].chance(lambda result: result >= 1)
    known = session.odds("Maud", move)
    assert known is not None
    assert list(known) == [None]


def test_who_may_not_see_the_outcome_cannot_tell_whether_the_move_waits(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    session.throw("Ana", move)
    view = session.seen("Ana")["moves"][0]
    assert (view["phase"], view["waits_for"], view["changes"]) == ("open", ["Maud"], [])
    assert "outcome" not in view["throws"][0]
    assert view["throws"][0]["dice"][0]["faces"] == [4]
    assert session.seen("Maud")["moves"][0]["phase"] == "settled"
    session.turn_over("Maud", move, "push")
    assert session.seen("Eve")["moves"][0]["throws"][0]["outcome"] == "moved"
    with pytest.raises(NotYours):
        session.turn_over("Ana", move, "push")
    with pytest.raises(NotNow):
        session.turn_over("Maud", move, "elsewhere")


def test_a_refusal_does_not_tell_either() -> None:
    """A search: only when something is there is the game master asked more. The searcher learns neither."""
    looked = Resolve("search", lambda ctx: Call(one_die), shown=lambda ctx, result: EXISTENCE_ONLY)
    what = Field("what", TextField(), "gm", secrecy="gm",
                 when=lambda ctx: looked.id in ctx.results and ctx.result(looked) > 3)
    search = Move("search", (looked, Ask("found", (what,))))
    system = rough("s", [search], [RecordKind("character", Token)])
    heard = []
    for face in (2, 5):
        session = Session(system, SEATS, faces=ScriptedFaces([face]))
        move = session.start("Ana", "search")
        session.throw("Ana", move)
        pages = [page(session, seat) for seat in ("Ana", "Bob", "Eve")]
        refusals = []
        for attempt in (session.throw, session.withdraw, session.close):
            with pytest.raises(ParaventError) as refusal:
                attempt("Ana", move)
            refusals.append((refusal.type, refusal.value.values))
        with pytest.raises(ParaventError) as refusal:
            session.answer("Ana", move, "agree")
        heard.append((pages, refusals, refusal.type, refusal.value.values))
    assert heard[0] == heard[1]


def test_two_moves_never_overwrite_each_other(session: Session) -> None:
    first, second = (session.start("Ana", "push", {"initiator": ["Nadir"]}) for _ in range(2))
    for move in (first, second):
        session.throw("Ana", move)
    session.accept("Maud", first)
    with pytest.raises(Stale):
        session.accept("Maud", second)
    session.accept("Maud", second, amend={0: 8})
    assert session.records["Nadir"].record.life == 8
    with pytest.raises(Stale):
        session.undo("Maud", first)
    session.undo("Maud", second)
    session.undo("Maud", first)
    assert session.records["Nadir"].record.life == 10
    with pytest.raises(NotNow):
        session.undo("Maud", first)


def test_a_change_may_be_refused_alone_and_must_exist(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    session.throw("Ana", move)
    for wrong in ({"amend": {3: 1}}, {"refuse": [5]}):
        with pytest.raises(UnknownName):
            session.accept("Maud", move, **wrong)
    with pytest.raises(BadValue):
        session.accept("Maud", move, amend={0: "many"})
    with pytest.raises(NotYours):
        session.accept("Ana", move)
    session.accept("Maud", move, refuse=[0])
    assert session.records["Nadir"].record.life == 10


def test_an_encounter_kept_from_players_is_not_there_for_them(session: Session) -> None:
    session.start("Maud", "doom")
    assert session.seen("Ana")["encounters"] == []
    refusals = []
    for number in (1, 9):
        with pytest.raises(UnknownName) as refusal:
            session.start("Ana", "push", {"initiator": ["Nadir"]}, encounter=number)
        refusals.append({**refusal.value.values, "got": ""})
    assert refusals[0] == refusals[1]


def test_a_follow_up_opens_in_the_encounter_that_its_move_began() -> None:
    session = Session(TOY, SEATS)
    doom = session.start("Maud", "doom")
    assert [op.move.id for op in session.moves.values()] == ["doom", "tick"]
    tick = next(number for number in session.moves if number != doom)
    session.accept("Maud", tick)
    assert session.encounters[1].state == Clock(1, 3)
    assert session.day == 1
    assert "tick" not in page(session, "Ana")


def test_hidden_moves_leave_no_gap_in_a_seat_s_numbers(session: Session) -> None:
    session.start("Maud", "look")
    open_move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    assert session.seen("Ana")["moves"][0]["number"] == 1
    assert session.numbered("Ana", 1) == open_move


@pytest.mark.parametrize("name", ["gm", "all", "others", "encounter", "clock", ""])
def test_words_of_the_house_are_no_names(session: Session, name: str) -> None:
    with pytest.raises(BadValue):
        session.add(name, Token("x"))


def test_a_player_called_gm_is_no_game_master() -> None:
    session = Session(TOY, {"Maud": "gm", "gm": "player"})
    session.add("Nadir", Token("Nadir"), owner="gm")
    move = session.start("gm", "push", {"initiator": ["Nadir"]})
    with pytest.raises(NotYours):
        session.fill("gm", move, {"against": 1})
    assert session.controllers("gm") == {"Maud"}


def test_unknown_seats_moves_roles_and_fields_are_named(session: Session) -> None:
    with pytest.raises(UnknownName):
        session.seen("nobody")
    with pytest.raises(UnknownName):
        session.start("nobody", "push")
    with pytest.raises(UnknownName):
        session.start("Ana", "pull")
    with pytest.raises(UnknownName):
        session.start("Ana", "push", {"hero": ["Nadir"]})
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    with pytest.raises(UnknownName):
        session.fill("Ana", move, {"efort": 1})
    with pytest.raises(UnknownName):
        session.add("x", Token("x"), owner="nobody")


def test_dice_thrown_by_hand_are_asked_and_checked(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    session.throw("Ana", move, by_hand=True)
    assert session.seen("Ana")["moves"][0]["dice"] == {"n": 1, "sides": 6}
    with pytest.raises(AlreadyThrown):
        session.answer("Bob", move, [3])
    for wrong in ([7], [1, 2], []):
        before = session._kept()
        with pytest.raises(ParaventError):
            session.answer("Ana", move, wrong)
        assert session._kept() == before
    session.answer("Ana", move, [6])
    assert session.moves[move].results["push"] == 9
    with pytest.raises(NotNow):
        session.throw("Maud", move)


def test_a_window_without_a_way_back_ends_the_move() -> None:
    ask = Move("ask", (Window("leave", "gm", "approval"), Resolve("do", lambda ctx: Call(as_said, 1))))
    session = Session(rough("w", [ask], [RecordKind("character", Token)]), SEATS)
    move = session.start("Ana", "ask")
    with pytest.raises(UnknownName):
        session.answer("Maud", move, "perhaps")
    session.answer("Maud", move, "refuse")
    assert session.seen("Eve")["moves"][0]["phase"] == "refused"
    with pytest.raises(NotNow):
        session.throw("Ana", move)


def test_a_sealed_field_asked_later_stays_sealed_until_then() -> None:
    """A step that does not apply yet has not been answered: what it will ask is not laid open beforehand."""
    first = Resolve("first", lambda ctx: Call(one_die))
    mine = Field("bid", Whole(0), secrecy="sealed", when=lambda ctx: first.id in ctx.results and ctx.result(first) > 3)
    bid = Move("bid", (
        first,
        Ask("bids", (mine, replace(mine, role="opponent", when=None))),
        Resolve("second", lambda ctx: Call(
            as_said, max(ctx.value(actor, mine) for actor in ctx.actors if actor.role != "gm"))),
    ), cast=(INITIATOR, Role("opponent"), GAME_MASTER))
    session = Session(rough("b", [bid], [RecordKind("character", Token)]), SEATS, faces=ScriptedFaces([5]))
    move = session.start("Ana", "bid", {"opponent": ["Bob"]})
    session.throw("Ana", move)
    session.seal("Ana", move, {"bid": 1234})
    assert "1234" not in page(session, "Bob")
    assert "1234" not in page(session, "Maud")
    session.seal("Bob", move, {"bid": 7})
    assert "1234" in page(session, "Eve")
    with pytest.raises(AlreadyThrown):
        session.seal("Bob", move, {"bid": 8})


def test_seal_is_for_sealed_fields(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    with pytest.raises(NotNow):
        session.seal("Ana", move, {"effort": 1})


def test_the_one_who_owns_several_says_for_whom() -> None:
    brawl = Move("brawl", (Ask("d", (Field("aim", OneOf(("a", "b")), "opponent"),)),
                           Resolve("r", lambda ctx: Call(as_said, 1))),
                 cast=(INITIATOR, Role("opponent", "character", 1, 3), GAME_MASTER))
    session = Session(rough("m", [brawl], [RecordKind("character", Token)]), SEATS)
    for name in ("one", "two"):
        session.add(name, Token(name))
    move = session.start("Ana", "brawl", {"opponent": ["one", "two"]})
    with pytest.raises(UnknownName):
        session.fill("Maud", move, {"aim": "a"})
    session.fill("Maud", move, {"aim": "a"}, "one")
    session.fill("Maud", move, {"aim": "b"}, "two")
    assert session.seen("Ana")["moves"][0]["asked"] == {"step": "r", "throw": True}
    assert "asked" not in session.seen("Eve")["moves"][0]


def test_words_that_a_move_asks_are_said_to_those_it_asks() -> None:
    note = Move("note", (Ask("words", (Field("text", TextField()),)), Resolve("r", lambda ctx: Call(as_said, 1))))
    session = Session(rough("n", [note], [RecordKind("character", Token)]), SEATS)
    session.start("Ana", "note")
    assert session.seen("Ana")["moves"][0]["asked"] == {
        "step": "words", "fields": [{"actor": "Ana", "field": "text"}],
    }
    assert "asked" not in session.seen("Bob")["moves"][0]
