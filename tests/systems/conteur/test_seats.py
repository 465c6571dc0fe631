"""What is hidden stays hidden: each move with a secret, read by game master, owner, player and spectator."""

import json
from typing import Any

import pytest
from paravent.game.session import Session

from paravent.dice.play import ScriptedFaces
from paravent.game import GM_ONLY, ParaventError
from paravent.game.errors import NotYours, UnknownName
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.facts import SkillField
from paravent.systems.conteur.people.character import Character, Skill

SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}
OTHERS = ("cleo", "sam")
PLAYERS = ("bob", "cleo", "sam")


def table(*faces: int, **options: str) -> Session:
    session = Session(SYSTEM, SEATS, options, ScriptedFaces(faces))
    tir, parler = Skill(SkillField.ACTIONS, "Tir", 3), Skill(SkillField.INTERACTIONS, "Parler", 3)
    session.add("sacha", Character(name="Sacha", skills=(tir, parler), luck=3, luck_used=1), owner="bob")
    session.add("alix", Character(name="Alix", skills=(tir,), luck=0), owner="cleo")
    session.add("guard", Character(name="Garde", skills=(tir,), luck=0, dexterity=7), audience=GM_ONLY)
    session.add("envoy", Character(name="Envoyée", skills=(tir, parler), luck=0, mental=7))
    return session


def everything(session: Session, seat: str) -> str:
    return json.dumps(session.seen(seat), ensure_ascii=False)


def seen_move(session: Session, seat: str) -> dict[str, Any]:
    moves: list[dict[str, Any]] = session.seen(seat)["moves"]
    return moves[-1]


# A hidden difficulty


def hidden_roll(session: Session, difficulty: int) -> int:
    number = session.start("ana", "throw", {"initiator": ["sacha"]},
                           {"gm": {"hidden": True, "hidden_difficulty": difficulty}})
    session.fill("bob", number, {"attribute": "dexterity", "skill": "Tir", "luck": 0})
    return number


@pytest.mark.rules("D10-007")
def test_a_hidden_difficulty_is_read_by_the_game_master_alone() -> None:
    session = table(2, 9, 8)
    number = hidden_roll(session, 3)
    assert seen_move(session, "ana")["fields"]["gm"]["hidden_difficulty"] == 3
    for seat in PLAYERS:
        assert "hidden_difficulty" not in everything(session, seat)
    session.throw("bob", number)
    throw = seen_move(session, "ana")["throws"][0]
    assert (throw["outcome"], throw["result"]["passed"]) == ("failure", False)
    for seat in PLAYERS:
        throw = seen_move(session, seat)["throws"][0]
        assert [dice["faces"] for dice in throw["dice"]] == [[2, 9, 8]]
        assert throw.keys().isdisjoint({"outcome", "result", "why"})
        told = session.seen(seat)["log"]
        assert [line["key"] for line in told] == ["outcomes.told_successes"]
        assert told[0]["values"] == {"n": 1, "raw": 1}


@pytest.mark.rules("D10-007")
def test_nothing_a_player_sees_depends_on_the_hidden_difficulty() -> None:
    views = []
    for difficulty in (1, 2, 3, 9):
        session = table(1, 9, 8, 4)
        number = hidden_roll(session, difficulty)
        seen: list[Any] = [session.odds(seat, number) for seat in PLAYERS]
        session.throw("bob", number)
        seen += [everything(session, seat) for seat in PLAYERS]
        session.answer("bob", number, {"dice": [2]})
        seen += [everything(session, seat) for seat in PLAYERS]
        session.accept("ana", number)
        views.append(seen + [everything(session, seat) for seat in PLAYERS])
    assert all(view == views[0] for view in views)


@pytest.mark.rules("D10-007", "D10-030")
@pytest.mark.parametrize(("faces", "answers"), [((1, 9, 8, 10, 1, 4), []), ((7, 8, 9, 1, 1, 1), ["luck"])])
def test_nor_does_what_is_done_for_a_player_who_says_nothing(faces: tuple[int, ...], answers: list[str]) -> None:
    views = []
    for difficulty in (1, 2, 3, 9):
        session = table(*faces)
        number = session.start("ana", "throw", {"initiator": ["sacha"]},
                               {"gm": {"hidden": True, "hidden_difficulty": difficulty}})
        session.fill("bob", number, {"attribute": "dexterity", "skill": "Tir"})
        session.throw("bob", number)
        for answer in answers:
            session.answer("bob", number, answer)
        seen = []
        while session.moves[number].pending is not None:
            session.close("ana", number)
            seen += [everything(session, seat) for seat in PLAYERS]
        views.append(seen)
    assert views[0]
    assert all(view == views[0] for view in views)


@pytest.mark.rules("D10-007")
def test_odds_are_shown_for_likely_difficulties_and_never_for_the_true_one() -> None:
    session = table()
    number = hidden_roll(session, 9)
    likely = session.odds("bob", number)
    assert likely is not None
    # Nobody stops at a difficulty they do not know: every right is used.
    assert {value: chance.chance(lambda r: r.passed) for value, chance in likely.items()} == {
        1: session_chance(1), 2: session_chance(2), 3: session_chance(3)}
    true = session.odds("ana", number)
    assert true is not None
    assert true[None].chance(lambda r: r.passed) == 0


def session_chance(difficulty: int) -> Any:
    session = table()
    number = session.start("ana", "throw", {"initiator": ["sacha"]}, {"gm": {"difficulty": difficulty}})
    session.fill("bob", number, {"attribute": "dexterity", "skill": "Tir", "luck": 0})
    shown = session.odds("bob", number, "all")
    assert shown is not None
    return shown[None].chance(lambda r: r.passed)


@pytest.mark.rules("D10-007")
def test_a_hidden_difficulty_begins_no_complex_action_that_would_tell_it() -> None:
    session = table(2, 9, 8)
    number = hidden_roll(session, 2)
    session.throw("bob", number)
    session.accept("ana", number)
    assert not session.encounters
    assert session.records["sacha"].record.complex_action is None


# A throw in secret


@pytest.mark.rules("D10-001", "D10-002")
def test_a_secret_throw_does_not_exist_for_anybody_else() -> None:
    session = table(1, 9, 8, 10)
    before = {seat: everything(session, seat) for seat in PLAYERS}
    number = session.start("ana", "throw", {"initiator": ["guard"]}, {"gm": {"secret": True}})
    session.fill("ana", number, {"attribute": "dexterity", "skill": "Tir"})
    session.throw("ana", number)
    assert {seat: everything(session, seat) for seat in PLAYERS} == before
    session.answer("ana", number, {"dice": [2]})
    session.accept("ana", number)
    assert {seat: everything(session, seat) for seat in PLAYERS} == before
    assert seen_move(session, "ana")["throws"][0]["outcome"] == "failure"
    for seat in PLAYERS:
        with pytest.raises(UnknownName):
            session.odds(seat, number)


def test_a_throw_after_a_secret_one_has_the_same_number_for_a_player() -> None:
    session = table(2, 2, 2, 4, 4, 4)
    secret = session.start("ana", "throw", {"initiator": ["guard"]}, {"gm": {"secret": True}})
    session.fill("ana", secret, {"attribute": "dexterity", "skill": "Tir"})
    session.throw("ana", secret)
    session.start("cleo", "throw", {"initiator": ["alix"]}, {"alix": {"attribute": 5, "skill": "Tir"}})
    assert seen_move(session, "cleo")["number"] == 1
    assert seen_move(session, "ana")["number"] == 2


# A hidden side in opposition


def hidden_duel(session: Session) -> int:
    number = session.start("bob", "hidden-opposed-roll", {"initiator": ["sacha"], "opponent": ["envoy"]},
                           {"sacha": {"attribute": "social", "skill": "Parler", "luck": 0}})
    session.fill("ana", number, {"attribute": "mental", "skill": "Parler", "energy_dice": 1}, "envoy")
    return number


@pytest.mark.rules("D10-023", "D10-024")
def test_the_hidden_side_of_an_opposition_is_shown_once_both_are_done() -> None:
    session = table(2, 3, 9, 1, 4, 8, 9, 7)
    number = hidden_duel(session)
    assert seen_move(session, "ana")["fields"]["envoy"]["attribute"] == "mental"
    for seat in PLAYERS:
        assert "envoy" not in seen_move(session, seat)["fields"]
        assert session.odds(seat, number) is None
    assert session.odds("ana", number) is not None
    session.throw("bob", number)
    assert [dice["role"] for dice in seen_move(session, "ana")["throws"][0]["dice"]] == ["initiator", "opponent"]
    assert [dice["faces"] for dice in seen_move(session, "bob")["throws"][0]["dice"]] == [[2, 3, 9]]
    for seat in OTHERS:
        assert not seen_move(session, seat)["throws"][0].get("dice")
    for seat in PLAYERS:
        assert "choice" not in seen_move(session, seat)
        with pytest.raises(NotYours):
            session.answer(seat, number, "stop")
    session.answer("ana", number, {"dice": [3]})
    for seat in SEATS:
        throw = seen_move(session, seat)["throws"][0]
        assert [dice["role"] for dice in throw["dice"]] == ["initiator", "opponent", "opponent"]
        assert throw["outcome"] == "opponent_wins"


@pytest.mark.rules("D10-023")
def test_an_open_opposition_is_open_to_all() -> None:
    session = table(2, 3, 9, 8, 4, 9)
    number = session.start("bob", "opposed-roll", {"initiator": ["sacha"], "opponent": ["alix"]},
                           {"sacha": {"attribute": "dexterity", "skill": "Tir", "luck": 0}})
    session.fill("cleo", number, {"attribute": "dexterity", "skill": "Tir"})
    assert session.odds("cleo", number) is not None
    session.throw("bob", number)
    for seat in SEATS:
        assert seen_move(session, seat)["throws"][0]["outcome"] == "initiator_wins"


# Luck


@pytest.mark.rules("D10-034")
def test_a_silent_refund_is_seen_by_nobody_but_on_the_owner_s_own_sheet() -> None:
    session = table()
    before = {seat: everything(session, seat) for seat in OTHERS}
    number = session.start("ana", "refund-luck", {"character": ["sacha"]}, {"gm": {"points": 1, "silent": True}})
    owner = everything(session, "bob")
    session.throw("ana", number)
    assert everything(session, "bob") == owner
    session.accept("ana", number)
    assert {seat: everything(session, seat) for seat in OTHERS} == before
    assert session.seen("bob")["records"]["sacha"]["luck_used"] == 0
    assert session.seen("bob")["moves"] == session.seen("bob")["log"] == []
    assert seen_move(session, "ana")["throws"][0]["outcome"] == "refunded"


@pytest.mark.rules("D10-034")
def test_a_refund_aloud_is_heard_by_all_and_what_is_left_by_the_owner() -> None:
    session = table()
    number = session.start("ana", "refund-luck", {"character": ["sacha"]}, {"gm": {"points": 1}})
    session.throw("ana", number)
    session.accept("ana", number)
    for seat in SEATS:
        keys = [line["key"] for line in session.seen(seat)["log"]]
        assert keys == ["outcomes.refunded"] + (["outcomes.told_luck"] if seat in ("ana", "bob") else [])
    for seat in OTHERS:
        assert "luck_used" not in session.seen(seat)["records"]["sacha"]


@pytest.mark.rules("D10-029", "D10-030")
def test_nobody_else_learns_how_much_luck_is_left() -> None:
    views = []
    for used in (1, 3):
        session = table(2, 8, 9)
        shooter = Character(name="Sacha", skills=(Skill(SkillField.ACTIONS, "Tir", 3),), luck=3, luck_used=used)
        session.add("sacha", shooter, owner="bob")
        number = session.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
        views.append([everything(session, seat) for seat in OTHERS]
                     + [session.odds(seat, number, policy) for seat in OTHERS for policy in ("usual", "best")])
    assert views[0] == views[1]
    shown = session.odds("cleo", number)
    assert shown is not None
    assert list(shown) == [0]


@pytest.mark.rules("D10-030")
def test_only_the_owner_is_asked_about_rights_and_luck() -> None:
    session = table(1, 8, 9)
    number = session.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    session.throw("bob", number)
    assert seen_move(session, "bob")["choice"]["options"] == ["stop", ["failure"], "luck"]
    for seat in OTHERS:
        assert "choice" not in seen_move(session, seat)
        with pytest.raises(NotYours):
            session.answer(seat, number, "stop")


@pytest.mark.rules("D10-033", "D10-046")
def test_a_wound_waits_for_its_victim_and_for_nobody_else() -> None:
    session = table()
    number = session.start("ana", "inflict-wound", {"victim": ["sacha"]}, {"gm": {"part": "left_arm", "levels": 2}})
    assert [seen_move(session, seat)["waits_for"] for seat in SEATS] == [["bob"]] * 4
    for seat in OTHERS:
        with pytest.raises(NotYours):
            session.fill(seat, number, {"avoid": 1})
    session.fill("bob", number, {"avoid": 1})
    session.throw("ana", number)
    session.accept("ana", number)
    for seat in SEATS:
        assert session.seen(seat)["records"]["sacha"]["wounds"]["left_arm"] == 1
        shown = {change["path"] for change in seen_move(session, seat)["changes"]}
        assert ("luck_used" in shown) == (seat in ("ana", "bob"))


# Refusals change nothing


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        ({"energy_dice": 2}, "D10-062"),
        ({"dice": 4}, "D10-004"),
        ({"dice": 0}, "D10-004"),
        ({"luck": 3}, "D10-030"),
        ({"skill": "Parler"}, "D10-038"),
        ({"attribute": "luck"}, "D10-029"),
    ],
)
def test_a_refusal_names_its_rule_and_changes_nothing(form: dict[str, Any], rule: str) -> None:
    session = table(5, 5, 5)
    number = session.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    before = {seat: everything(session, seat) for seat in SEATS}
    refusal = refused(session.fill, "bob", number, form)
    if refusal is None:  # what only the whole announcement shows to be wrong is refused when it is thrown
        before = {seat: everything(session, seat) for seat in SEATS}
        refusal = refused(session.throw, "bob", number)
    assert refusal is not None
    assert refusal.values["rule"] == rule
    assert {seat: everything(session, seat) for seat in SEATS} == before
    for lang in ("fr", "en"):
        assert rule in SYSTEM.words.error(lang, refusal)


def refused(command: Any, *args: Any) -> ParaventError | None:
    try:
        command(*args)
    except ParaventError as refusal:
        return refusal
    return None
