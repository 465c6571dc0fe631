"""Moves played at the table with sheets: what they ask, refuse, tell and change."""

from typing import Any

import pytest

from paravent.dice import ScriptedDice, play
from paravent.dice.play import ScriptedFaces
from paravent.game import to_plain
from paravent.game.errors import AlreadyThrown, NotNow, NotYours, ParaventError
from paravent.game.session import Session
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.errors import (
    AlreadyActed,
    AlreadyMaintaining,
    AttitudeNotAllowed,
    AttitudeRequired,
    BackupAsleep,
    FirstElementMustBeOwn,
    GameMasterDoesNotRoll,
    IncompatibleBody,
    MoreThanTwo,
    NoImplant,
    NotASeries,
    NotEnoughPoints,
    NotInTheScene,
    NotPublic,
    OnlyBetweenPlayers,
    PassOutOfOrder,
    SameElementTwice,
    SecondNeedsTypicalFirst,
)
from paravent.systems.solaires.facts import MindType, Tag
from paravent.systems.solaires.people.character import Character, Element, Figure, Item
from paravent.systems.solaires.scenes.time_moves import passing

SEATS = {"maud": "gm", "ana": "player", "bob": "player", "eve": "spectator"}


def nadir(**changes: Any) -> Character:
    kept: dict[str, Any] = {
        "name": "Nadir", "concept": "Grimpeuse", "careers": (Element("Grimpeuse", 3), Element("Decker", 2)),
        "traits": (Element("Curieuse", 2), Element("Vertige", 2)), "states": (Element("Blessée", 2),),
        "equipment": (Item("Implant psi", 3, Tag.PSI), Item("Console de décryptage", 2)), "points": 4, "max_points": 4,
        "psi_power_set": "information",
    }
    return Character(**{**kept, **changes})


def table(*faces: int, sheet: Character | None = None, **options: str) -> Session:
    session = Session(SYSTEM, SEATS, options, ScriptedFaces(faces))
    session.add("nadir", sheet or nadir(), owner="ana")
    bosco = Character(name="Bosco", concept="Soutier", equipment=(Item("Harnais", 2),), states=(Element("Ivre", 3),))
    session.add("bosco", bosco, owner="bob")
    session.add("gull", Figure("La Mouette", elements=(Element("Maniable", 2), Element("Blindée", 1))), kind="thing")
    session.add("guard", Figure("Garde", elements=(Element("Vigile", 2),)), kind="npc")
    return session


def sheet_of(session: Session, name: str = "nadir") -> Any:
    return session.records[name].record


def told(session: Session, seat: str = "eve") -> list[str]:
    return [line["key"].removeprefix("outcomes.") for line in session.seen(seat)["log"]]


def result(session: Session, move: int, step: str = "roll") -> Any:
    return session.moves[move].results[step]


def act(session: Session, gm: dict[str, Any] | None = None, move: str = "action", **first: Any) -> int:
    """Ana acts: the game master sets the difficulty, she fills her part, he agrees."""
    number = session.start("ana", move, {"initiator": ["nadir"]}, {"nadir": {"goal": "passer le mur"}})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0, **(gm or {})})
    session.fill("ana", number, {"element": "none", **first})
    if session.waits_for(number) == {"maud"}:
        session.answer("maud", number, "agree")
    return number


def settle(session: Session, number: int, **described: Any) -> None:
    """The player stops there, the game master tells the end, everything is accepted."""
    if session.moves[number].pending is not None:
        session.answer("ana", number, "stop")
    session.fill("maud", number, {"description": "Voilà.", **described})
    session.accept("maud", number)


# An action from beginning to end


@pytest.mark.rules("SOL-004", "SOL-011", "SOL-026", "SOL-031", "SOL-035", "SOL-043", "SOL-044", "SOL-051", "SOL-056")
def test_an_action_from_its_announce_to_what_it_leaves_on_the_sheet() -> None:
    session = table(3, 6, 2)
    move = act(session, element="Grimpeuse", typical=True, second="Curieuse", attitude="amplified")
    session.throw("ana", move)
    settle(session, move, states_gained="Essoufflée 1", states_lost=["Blessée"])
    done = result(session, move)
    assert (done.target, done.kept, done.success, done.quality, done.effects) == (5, 2, True, "success_plain", ())
    assert sheet_of(session).states == (Element("Essoufflée", 1),)
    assert {"told_difficulty", "told_success", "told_story"} <= set(told(session))


@pytest.mark.rules("SOL-036")
def test_one_element_does_not_fill_both_places() -> None:
    session = table(1, 1, 1)
    with pytest.raises(SameElementTwice):
        session.throw("ana", act(session, element="Grimpeuse", typical=True, second="Grimpeuse"))


@pytest.mark.rules("SOL-032", "SOL-033", "SOL-034")
def test_a_refused_choice_of_elements_changes_nothing() -> None:
    session = table(1, 1, 1, edition="v5")
    move = act(session, element="Grimpeuse", second="Curieuse")
    before = session._kept()
    with pytest.raises(SecondNeedsTypicalFirst):
        session.throw("ana", move)
    assert session._kept() == before
    session.fill("ana", move, {"typical": True})
    session.join("ana", move, "thing", "gull")
    session.fill("maud", move, {"used": ["Maniable"]}, "gull")
    session.answer("maud", move, "agree")
    with pytest.raises(MoreThanTwo):
        session.throw("ana", move)


@pytest.mark.rules("SOL-034")
def test_in_v5_one_may_act_with_the_ship_alone_and_in_v4_not() -> None:
    for edition, allowed in (("v5", True), ("v4", False)):
        session = table(1, 2, 6, edition=edition, v4_borrow_things="true")
        number = session.start("ana", "action", {"initiator": ["nadir"], "thing": ["gull"]})
        session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
        session.fill("maud", number, {"used": ["Maniable"], "used_typical": True}, "gull")
        session.fill("ana", number, {"element": "none"})
        session.answer("maud", number, "agree")
        if allowed:
            session.throw("ana", number)
            session.answer("ana", number, "stop")
            assert result(session, number).target == 2
        else:
            with pytest.raises(FirstElementMustBeOwn):
                session.throw("ana", number)


@pytest.mark.rules("SOL-015")
def test_one_may_go_back_until_the_dice_are_thrown_and_not_after() -> None:
    session = table(1, 2, 6)
    move = act(session, element="Grimpeuse")
    session.fill("ana", move, {"attitude": "unstable"})
    session.fill("ana", move, {"goal": "contourner le mur"})
    session.fill("maud", move, {"intrinsic": 1})
    session.fill("ana", move, {"element": "Curieuse"})
    session.answer("maud", move, "agree")
    session.throw("ana", move)
    with pytest.raises(AlreadyThrown):
        session.fill("ana", move, {"element": "Curieuse"})
    with pytest.raises(ParaventError):
        session.withdraw("ana", move)
    other = act(session, element="Grimpeuse")
    session.withdraw("ana", other)
    assert session.moves[other].phase == "withdrawn"


@pytest.mark.rules("SOL-016", "SOL-052")
def test_stakes_are_renegotiated_once_the_difficulty_is_known() -> None:
    """Razors: she would rather be out of action than miss her chance; the difficulty rises from -2 to 0."""
    session = table(2, 4, 6, edition="v5")
    move = session.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "l'arrêter"}})
    session.fill("maud", move, {"intrinsic": -2, "scenario_interest": 0})
    out = "Nadir est hors jeu"
    session.fill("ana", move, {"condition": out})
    assert session.waits_for(move) == {"maud"}
    session.fill("maud", move, {"intrinsic": 0})
    session.answer("maud", move, "agree")
    session.fill("ana", move, {"element": "Grimpeuse", "typical": True, "second": "Curieuse"})
    session.answer("maud", move, "agree")
    session.throw("ana", move)
    settle(session, move)
    done = result(session, move)
    assert (done.target, done.success, [effect.text for effect in done.effects]) == (5, True, [out])


@pytest.mark.rules("SOL-017")
def test_the_game_master_is_told_of_an_attempt_made_again() -> None:
    session = table(6, 6, 6, 6, 6, 6)
    for time in range(2):
        move = act(session, element="Grimpeuse")
        assert ("told_retry" in told(session, "maud")) == (time == 1)  # before the dice, not after
        session.throw("ana", move)
        settle(session, move)
    assert "told_retry" not in told(session, "ana")
    assert "failed" not in session.seen("ana")["records"]["nadir"]
    end = session.start("maud", "end-scene", {"character": ["nadir"]})
    session.throw("maud", end)
    session.accept("maud", end)
    assert sheet_of(session).failed == ()


@pytest.mark.rules("SOL-060")
def test_in_v4_an_unfavourable_element_helps_at_a_price() -> None:
    session = table(1, 2, 6)
    number = session.start("ana", "action", {"initiator": ["nadir"]})
    session.fill("maud", number, {"intrinsic": 1, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Vertige"})
    session.fill("maud", number, {"unfavourable": True}, "nadir")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    done = result(session, number)
    assert (done.target, done.success, [effect.tag for effect in done.effects]) == (3, True, ["handicap:negative"])
    assert "told_handicap_negative" in told(session)


@pytest.mark.rules("SOL-061", "SOL-062")
def test_in_v5_a_state_is_declared_beside_the_elements() -> None:
    session = table(1, 2, 6, edition="v5")
    move = act(session, element="Grimpeuse", handicap=["Blessée"])
    session.throw("ana", move)
    settle(session, move)
    done = result(session, move)
    assert (done.target, done.kept, done.success) == (3, 2, True)
    assert [effect.tag for effect in done.effects] == ["handicap:negative"]


@pytest.mark.rules("SOL-115", "SOL-113")
def test_a_player_may_buy_the_telling_and_everybody_hears_it() -> None:
    session = table(1, 2, 6)
    move = act(session, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, "describe")
    session.answer("maud", move, False)
    session.answer("bob", move, False)
    session.fill("ana", move, {"own_description": "Je passe le mur en sifflant."})
    session.accept("maud", move)
    assert sheet_of(session).points == 3
    assert "sifflant" in str(session.seen("eve")["log"])


@pytest.mark.rules("SOL-117")
def test_a_die_is_thrown_again_as_often_as_it_is_paid_for() -> None:
    session = table(1, 4, 6, 5, 2)
    move = act(session, element="Grimpeuse")
    session.throw("ana", move)
    for _ in range(2):
        session.answer("ana", move, {"dice": [2]})
        session.answer("maud", move, False)
        session.answer("bob", move, False)
    settle(session, move)
    assert (result(session, move).kept, sheet_of(session).points) == (2, 0)


# Options that need a table


@pytest.mark.rules("SOL-022")
@pytest.mark.option("free_difficulty", "true")
def test_the_game_master_may_give_a_number_without_the_scales() -> None:
    session = table(1, 2, 6, free_difficulty="true")
    move = act(session, {"free": -1}, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, "stop")
    assert result(session, move).target == 2
    plain = table(1, 2, 6)
    move = act(plain, {"free": -1}, element="Grimpeuse")
    assert result(plain, move, "difficulty") == 0


@pytest.mark.rules("SOL-053")
@pytest.mark.option("v5_player_attitude", "true")
def test_in_v5_the_player_may_still_have_an_attitude() -> None:
    session = table(1, 2, 6, edition="v5", v5_player_attitude="true")
    move = act(session, element="Grimpeuse", attitude="unstable")
    session.throw("ana", move)
    session.answer("ana", move, "stop")
    assert [effect.tag for effect in result(session, move).effects] == ["attitude:counter_negative"]
    plain = table(1, 2, 6, edition="v5")
    move = act(plain, element="Grimpeuse", attitude="unstable")
    plain.throw("ana", move)
    plain.answer("ana", move, "stop")
    assert result(plain, move).effects == ()


@pytest.mark.rules("SOL-117")
@pytest.mark.parametrize(("who", "lends", "pays"), [
    pytest.param("initiator", True, False),
    pytest.param("helpers", True, True, marks=pytest.mark.option("reroll_by", "helpers")),
    pytest.param("helpers", False, False),
    pytest.param("anyone", False, True, marks=pytest.mark.option("reroll_by", "anyone")),
])
def test_others_may_pay_for_a_die(who: str, lends: bool, pays: bool) -> None:
    session = table(1, 6, 6, 2, edition="v5", reroll_by=who)
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco"]})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    session.fill("bob", number, {"lent": "Harnais" if lends else "none"})
    if lends:
        session.answer("bob", number, "agree")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    assert (session.waits_for(number) == {"bob"}) == pays
    if pays:
        session.answer("bob", number, {"dice": [2]})
        assert session.waits_for(number) == {"maud", "ana"}  # all but the one who pays, none of them by name
        session.answer("maud", number, False)
        session.answer("ana", number, False)
        assert result_after(session, number) == (2, [0, 2])
        assert (sheet_of(session, "bosco").points, sheet_of(session).points) == (0, 4)


def result_after(session: Session, number: int) -> tuple[int, list[int]]:
    """Whoever is asked again stops; then everything is accepted."""
    while session.moves[number].pending is not None:
        session.answer(next(iter(session.waits_for(number))), number, "stop")
    settle(session, number)
    done = result(session, number)
    return done.kept, list(done.spent)


@pytest.mark.rules("SOL-113")
@pytest.mark.option("veto", "majority")
@pytest.mark.parametrize(("votes", "vetoed"), [
    ({"bob": True, "maud": True}, True), ({"bob": True, "maud": False}, False), ({"maud": False}, False)])
def test_a_veto_may_need_most_of_the_others(votes: dict[str, bool], vetoed: bool) -> None:
    session = table(veto="majority")
    number = session.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"use": "flashback"}})
    session.fill("maud", number, {"cost": 2})
    for seat, against in votes.items():
        session.answer(seat, number, against)
    session.accept("maud", number)
    assert sheet_of(session).points == (4 if vetoed else 2)


@pytest.mark.rules("SOL-081", "SOL-117")
@pytest.mark.option("reroll_environment", "true")
def test_a_die_of_the_world_may_be_thrown_again_where_the_table_says() -> None:
    for allowed in ("false", "true"):
        session = table(1, 6, 6, 2, reroll_environment=allowed)
        number = session.start("maud", "environment-roll", {"payer": ["nadir"]}, {"gm": {"preference": "neutral"}})
        session.throw("maud", number)
        assert (session.moves[number].pending is not None) == (allowed == "true")
    session.answer("ana", number, 6)
    assert session.waits_for(number) == {"maud", "bob"}
    session.answer("bob", number, False)
    session.answer("maud", number, False)
    session.answer("ana", number, 0)
    session.accept("maud", number)
    assert (result(session, number).favourable, sheet_of(session).points) == (True, 2)


# Groups and oppositions


def group(session: Session, lent: str, handicap: tuple[str, ...] = ()) -> int:
    number = session.start("ana", "group-action", {"initiator": ["nadir"], "member": ["bosco"]},
                           {"nadir": {"goal": "longer la corniche"}})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    session.fill("bob", number, {"lent": lent, "handicap": list(handicap)})
    if lent != "none":
        session.answer("bob", number, "agree")
    session.answer("maud", number, "agree")
    return number


@pytest.mark.rules("SOL-070", "SOL-071")
def test_one_roll_for_the_group_and_one_member_suffers_the_failure() -> None:
    session = table(6, 6, 6, edition="v5")
    number = group(session, "Harnais", ("Ivre",))
    session.throw("ana", number)
    settle(session, number, fails="Bosco", states_gained="Contusionné 1")
    done = result(session, number)
    assert (done.target, done.success) == (5, False)
    assert [effect.tag for effect in done.effects] == ["handicap:negative"]
    assert Element("Contusionné", 1) in sheet_of(session, "bosco").states
    assert sheet_of(session).states == nadir().states


@pytest.mark.rules("SOL-071")
def test_groups_belong_to_the_later_edition() -> None:
    with pytest.raises(ParaventError):
        group(table(1, 1, 1), "Harnais")


@pytest.mark.rules("SOL-071")
@pytest.mark.option("group_rule", "majority")
def test_a_group_of_which_half_pass_fails() -> None:
    session = table(1, 1, 1, 6, 6, 6, edition="v5", group_rule="majority")
    number = group(session, "Harnais")
    session.throw("ana", number)
    assert result(session, number, "rolls").passed == (True, False)
    assert not result(session, number, "rolls").success


@pytest.mark.rules("SOL-073", "SOL-080")
def test_only_the_aggressor_rolls() -> None:
    """Thalos attacks Lyra, who engages 2: difficulty +1, and her player throws nothing."""
    session = table(3, 4, 6)
    number = session.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]},
                           {"nadir": {"goal": "le désarmer"}})
    session.fill("bob", number, {"element": "Harnais"})
    session.fill("ana", number, {"element": "Grimpeuse"})
    while "maud" in session.waits_for(number):
        session.answer("maud", number, "agree")
    with pytest.raises(NotYours):
        session.throw("bob", number)
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    done = result(session, number)
    assert (result(session, number, "difficulty"), done.target, done.kept, done.success) == (1, 4, 2, True)


@pytest.mark.rules("SOL-037", "SOL-080")
def test_elements_refused_to_one_side_stay_with_the_other() -> None:
    session = table(3, 4, 6)
    number = session.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]},
                           {"nadir": {"goal": "le désarmer"}})
    session.fill("bob", number, {"element": "Harnais"})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.answer("maud", number, "refuse")
    fields = session.seen("eve")["moves"][0]["fields"]
    assert (fields["bosco"]["element"], "element" in fields["nadir"]) == ("Harnais", False)
    assert result(session, number, "difficulty") == 1


@pytest.mark.rules("SOL-080")
@pytest.mark.option("opposition_vs_npc", "true")
def test_the_game_master_s_people_are_not_opposed_unless_the_table_says() -> None:
    for allowed in (True, False):
        session = table(1, 1, 1, opposition_vs_npc=str(allowed).lower())
        number = session.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["guard"]},
                               {"nadir": {"goal": "le désarmer"}})
        if allowed:
            session.fill("maud", number, {"element": "Vigile"}, "guard")
            assert result(session, number, "difficulty") == 1
        else:
            with pytest.raises(OnlyBetweenPlayers):
                session.fill("maud", number, {"element": "Vigile"}, "guard")


# Points, scenes, episodes


@pytest.mark.rules("SOL-112", "SOL-119", "SOL-123")
def test_a_creation_that_alters_the_sheet_is_written_there_and_costs_more() -> None:
    session = table()
    number = session.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {
        "use": "create_story_element", "text": "un cousin au port", "alters_character": True, "category": "relation",
        "element_name": "Cousin au port", "score": 1}})
    session.fill("maud", number, {"cost": 3, "surcharge": 1})
    session.answer("maud", number, False)
    session.answer("bob", number, False)
    session.accept("maud", number)
    assert sheet_of(session).points == 0
    assert sheet_of(session).relations == (Element("Cousin au port", 1),)


@pytest.mark.rules("SOL-112", "SOL-121")
def test_what_one_cannot_pay_cannot_be_proposed() -> None:
    session = table(sheet=nadir(points=3))
    with pytest.raises(NotEnoughPoints):
        session.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"use": "unexpected_event"}})


@pytest.mark.rules("SOL-112")
@pytest.mark.option("pooling", "true")
def test_nobody_puts_in_more_than_he_has() -> None:
    for share, left in ((2, (2, 0)), (3, None)):
        session = table(pooling="true")
        number = session.start("ana", "spend-points", {"initiator": ["nadir"], "contributor": ["bosco"]},
                               {"nadir": {"use": "unexpected_event"}})
        session.fill("bob", number, {"share": share})
        if left is None:
            with pytest.raises(NotEnoughPoints):
                session.fill("maud", number, {"cost": 4})
            continue
        session.fill("maud", number, {"cost": 4})
        session.answer("maud", number, False)
        session.answer("bob", number, False)
        session.accept("maud", number)
        assert (sheet_of(session).points, sheet_of(session, "bosco").points) == left


@pytest.mark.rules("SOL-110", "SOL-114")
def test_people_of_the_game_master_s_have_no_points() -> None:
    session = table()
    number = session.start("maud", "end-scene", {"character": ["nadir", "guard"]})
    session.throw("maud", number)
    session.accept("maud", number)
    assert not hasattr(sheet_of(session, "guard"), "points")


@pytest.mark.rules("SOL-003", "SOL-109", "SOL-110")
def test_a_scene_ends_for_everybody_and_each_takes_the_point_or_leaves_it() -> None:
    session = table(sheet=nadir(points=1))
    number = session.start("maud", "end-scene", {"character": ["nadir", "bosco"]})
    session.fill("bob", number, {"take": False})
    session.throw("maud", number)
    session.accept("maud", number)
    assert (sheet_of(session).held, sheet_of(session, "bosco").held) == ((2, 4), (2, 2))


@pytest.mark.rules("SOL-003", "SOL-111")
def test_an_episode_ends_in_a_series_only() -> None:
    alone = table()
    number = alone.start("maud", "end-episode", {"character": ["nadir"]})
    with pytest.raises(NotASeries):
        alone.throw("maud", number)
    session = table(sheet=nadir(points=0, max_points=2), is_series="true")
    number = session.start("maud", "end-episode", {"character": ["nadir"]})
    session.throw("maud", number)
    session.accept("maud", number)
    assert sheet_of(session).held == (3, 3)


@pytest.mark.rules("SOL-108")
def test_a_newcomer_has_the_table_s_average_and_a_replacement_what_the_former_had() -> None:
    for cast, held in (({"others": ["nadir", "bosco"]}, (3, 3)), ({"previous": ["nadir"]}, (4, 4))):
        session = table()
        session.add("filin", Character(name="Filin", concept="Mousse"), owner="bob")
        number = session.start("maud", "add-late-player", {"character": ["filin"], **cast})
        session.throw("maud", number)
        session.accept("maud", number)
        assert sheet_of(session, "filin").held == held


@pytest.mark.rules("SOL-001", "SOL-002", "SOL-003")
def test_a_table_opens_with_its_edition_and_is_warned_of_a_crowd() -> None:
    session = table(edition="v5", is_series="true")
    number = session.start("maud", "open-table", form={"gm": {"players": 9}})
    session.throw("maud", number)
    assert tuple(result(session, number, "open")) == ("v5", True, 9)
    assert any(line["key"].startswith("faults.") for line in session.seen("eve")["log"])


# Action scenes


@pytest.mark.rules("SOL-090", "SOL-091", "SOL-092", "SOL-093")
def test_an_action_scene_is_run_to_its_end() -> None:
    session = table()
    number = session.start("maud", "start-action-scene", {"participant": ["nadir", "bosco", "guard"]},
                           {"gm": {"first": "bosco"}})
    session.throw("maud", number)
    session.accept("maud", number)
    running = next(iter(session.encounters))

    def goes_on(move: str, **fields: Any) -> None:
        number = session.start("maud", move, encounter=running, form={"gm": fields})
        session.throw("maud", number)
        session.accept("maud", number)

    with pytest.raises(AlreadyActed):
        goes_on("next-to-act", next="bosco")
    goes_on("next-to-act", next="guard")
    goes_on("leave-action-scene", leaves="guard")
    with pytest.raises(NotInTheScene):
        goes_on("next-to-act", next="guard")
    goes_on("next-to-act", next="nadir")
    goes_on("next-to-act", next="nadir")
    state = session.encounters[running].state
    assert (state.acting, state.first_pass_over) == ("nadir", True)
    with pytest.raises(NotYours):
        session.start("ana", "end-action-scene", encounter=running)
    goes_on("end-action-scene")
    with pytest.raises(NotNow):
        goes_on("next-to-act", next="nadir")


# Sheets, states, bodies


@pytest.mark.rules("SOL-100", "SOL-107")
def test_a_sheet_handed_in_waits_for_the_game_master() -> None:
    session = table()
    plain = to_plain(nadir(name="Filin", points=9, max_points=9))
    number = session.start("ana", "create-character", form={"ana": {"sheet": plain}})
    assert session.waits_for(number) == {"maud"}
    session.answer("maud", number, "agree")
    session.accept("maud", number)
    assert sheet_of(session, "Filin").held == (2, 2)


@pytest.mark.rules("SOL-005", "SOL-105")
def test_a_ready_made_character_is_taken_on_either_scale() -> None:
    for rescale, score in ((False, 2), (True, 3)):
        session = table()
        number = session.start("ana", "import-ready-made", form={"ana": {"ready": "cabestan", "rescale": rescale}})
        session.answer("maud", number, "agree")
        session.accept("maud", number)
        assert sheet_of(session, "Cabestan").equipment[0].score == score


@pytest.mark.rules("SOL-102", "SOL-103", "SOL-104")
def test_words_of_a_description_go_to_the_sheet() -> None:
    session = table()
    number = session.start("ana", "extract-element", {"initiator": ["nadir"]}, {"nadir": {
        "words": "un lecteur qui lit sur les lèvres", "category": "equipment", "score": 2,
        "element_name": "Lecteur labial", "tag": "log"}})
    session.accept("maud", number)
    found = sheet_of(session).equipment[-1]
    assert (found.name, found.score, found.tag, found.source_text) == (
        "Lecteur labial", 2, "log", "un lecteur qui lit sur les lèvres")


@pytest.mark.rules("SOL-054", "SOL-055", "SOL-106")
def test_the_game_master_writes_states() -> None:
    session = table()
    number = session.start("maud", "change-state", {"character": ["nadir"]},
                           {"gm": {"states_gained": "En alerte", "states_worse": ["Blessée"]}})
    session.throw("maud", number)
    session.accept("maud", number)
    assert sheet_of(session).states == (Element("Blessée", 3), Element("En alerte", 2))


def move_into(session: Session, body: str, **judged: Any) -> None:
    number = session.start("ana", "change-body", {"initiator": ["nadir"]},
                           {"nadir": {"destination": body, "reason": "backup"}})
    session.fill("maud", number, {"identical": False, **judged})
    session.accept("maud", number)


def states(session: Session) -> dict[str, int]:
    return {state.name: state.score for state in sheet_of(session).states}


@pytest.mark.rules("SOL-151", "SOL-152", "SOL-153", "SOL-154", "SOL-155", "SOL-156")
def test_death_is_a_change_of_body_and_one_gets_used_to_it() -> None:
    session = table()
    move_into(session, "chimera", severe=True)
    assert sheet_of(session).body == "chimera"
    assert states(session) == {"Blessée": 2, "altered_thought": 2, "unsuited_body": 3}
    move_into(session, "biological", familiar=True)
    assert states(session) == {"Blessée": 2}
    move_into(session, "replicant")
    assert states(session) == {"Blessée": 2, "altered_thought": 2}
    number = session.start("maud", "settle-in", {"character": ["nadir"]})
    session.throw("maud", number)
    session.accept("maud", number)
    assert states(session) == {"Blessée": 2}


@pytest.mark.rules("SOL-151")
def test_a_human_mind_needs_emulation_to_live_in_a_robot() -> None:
    session = table()
    with pytest.raises(IncompatibleBody):
        move_into(session, "cybernetic", converted=False)
    move_into(session, "cybernetic")
    assert sheet_of(session).body == "cybernetic"


@pytest.mark.rules("SOL-155")
def test_states_of_a_body_are_known_by_their_words_too() -> None:
    session = table(sheet=nadir(states=(Element("Pensée altérée", 2), Element("Unsuited body", 3))))
    move_into(session, "biological", familiar=True)
    assert states(session) == {}


def test_every_state_that_a_rule_writes_has_words() -> None:
    for name in ("altered_thought", "unsuited_body", "disoriented", "slowed"):
        for lang in ("fr", "en"):
            written = SYSTEM.words.find(lang, f"values.{name}")
            assert str(written).casefold() == SYSTEM.tables["states"].word(name, lang).casefold()


# The network


@pytest.mark.rules("SOL-130", "SOL-131")
def test_a_search_says_where_the_answer_lies_and_when_it_comes() -> None:
    session = table()
    number = session.start("ana", "solnet-search", {"initiator": ["nadir"]}, {"nadir": {"query": "l'armateur"}})
    session.fill("maud", number, {"nearest_copy": "same_planetary_system"})
    assert tuple(result(session, number, "search")) == ("neighbour", "seconds")
    with pytest.raises(NotPublic):  # whoever asks is told, not the game master
        session.start("ana", "solnet-search", {"initiator": ["nadir"]},
                      {"nadir": {"query": "ses comptes", "public": False}})


def run_against(session: Session) -> int:
    number = session.start("ana", "matrix-run", {"initiator": ["nadir"]}, {"nadir": {"node": "capitainerie"}})
    if not session.encounters:
        session.fill("maud", number, {"ice": "glace noire"})
    session.accept("maud", number)
    return next(iter(session.encounters))


def run_step(session: Session, running: int, step: str, riposte: bool = False, **first: Any) -> int:
    number = session.start("ana", "run-step", {"initiator": ["nadir"]},
                           {"nadir": {"goal": step, "run_step": step, **first}}, encounter=running)
    session.fill("maud", number, {"intrinsic": 2, "scenario_interest": 1})
    session.fill("ana", number, {"element": "Decker"})
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    if session.moves[number].pending is not None:
        session.answer("ana", number, "stop")
    session.fill("maud", number, {"riposte": riposte, "description": "."})
    session.accept("maud", number)
    return number


@pytest.mark.rules("SOL-132", "SOL-133", "SOL-134", "SOL-135")
def test_a_run_goes_step_by_step() -> None:
    session = table(*[1, 1, 1] * 4)
    running = run_against(session)
    with pytest.raises(PassOutOfOrder):
        run_step(session, running, "breach")
    for step, more in (("locate", {}), ("study", {"hours": 9}), ("prepare", {"instructions": "copier le registre"}),
                       ("breach", {"instructions": "effacer mes traces"})):
        run_step(session, running, step, **more)
    state = session.encounters[running].state
    assert (state.over, state.hours, state.instructions) == (True, 9, "copier le registre")  # nothing is improvised
    study = next(line for line in session.seen("maud")["log"] if line["key"].endswith("told_study"))
    assert study["values"] == {"hours": 9, "n": 2}
    assert told(session, "ana").count("told_step") == 4
    assert not {"told_study", "told_benchmark"} & set(told(session, "ana"))


@pytest.mark.rules("SOL-133")
def test_a_step_that_fails_is_not_behind_one() -> None:
    session = table(6, 6, 6)
    running = run_against(session)
    run_step(session, running, "locate")
    assert session.encounters[running].state.done == ()


@pytest.mark.rules("SOL-136", "SOL-137")
@pytest.mark.parametrize(("stays", "faces", "shaken", "console"), [
    (False, (), True, True), (True, (1, 1, 1), False, True), (True, (6, 6, 6), True, False)])
def test_under_the_riposte_one_stays_or_leaves(
    stays: bool, faces: tuple[int, ...], shaken: bool, console: bool
) -> None:
    """The ice strikes back at a breach that succeeded: whoever leads the run stays or leaves, and it ends."""
    session = table(1, 1, 1, *faces)
    running = run_against(session)
    first = run_step(session, running, "locate", riposte=True)
    number = max(session.moves)
    assert (session.moves[number].move.id, number > first) == ("stay-or-disconnect", True)
    session.fill("ana", number, {"stays": stays})
    if stays:
        session.fill("maud", number, {"intrinsic": 2, "scenario_interest": 0})
        session.fill("ana", number, {"element": "Decker"})
        session.answer("maud", number, "agree")
        session.throw("ana", number)
        session.answer("ana", number, "stop")
    session.fill("maud", number, {"description": ".", **({} if console else {"damage": "erasure"})})
    session.accept("maud", number)
    assert ("disoriented" in states(session)) == shaken
    assert any("Console" in item.name for item in sheet_of(session).equipment) == console
    assert session.encounters[running].state.over == shaken


@pytest.mark.rules("SOL-162", "SOL-163")
def test_an_infomorph_goes_where_it_is_let_in() -> None:
    ghost = nadir(mind_type=MindType.AI_WOLFA, body="infomorph", equipment=(), psi_power_set="", network_host="le bord")
    for permission, host in ((False, "le bord"), (True, "Cérès")):
        session = table(sheet=ghost)
        number = session.start("ana", "move-infomorph", {"initiator": ["nadir"]},
                               {"nadir": {"destination_node": "Cérès"}})
        session.fill("maud", number, {"permission": permission, "saturation": 2})
        session.accept("maud", number)
        assert sheet_of(session).network_host == host
        assert ("slowed" in states(session)) == permission


# Psi


def psi(session: Session, use: str, perceived: bool = True, **about: Any) -> int:
    number = session.start("ana", "use-psi-power", {"initiator": ["nadir"]},
                           {"nadir": {"goal": "fouiller", "use": use, "object": "le coffre", **about}})
    session.fill("maud", number, {"perceived": perceived, "true_target": "" if perceived else "la valise"})
    return number


def exert(session: Session, number: int) -> None:
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Implant psi"})
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    session.answer("ana", number, "stop")


@pytest.mark.rules("SOL-141", "SOL-145", "SOL-146")
def test_an_effect_is_held_until_it_is_released_and_shuts_out_the_others() -> None:
    session = table(1, 1, 6, sheet=nadir())
    number = psi(session, "maintained", effect="le coffre caché")
    exert(session, number)
    session.fill("maud", number, {"description": "."})
    session.accept("maud", number)
    assert sheet_of(session).psi_maintained == "le coffre caché"
    with pytest.raises(AlreadyMaintaining):
        psi(session, "one_off")
    psi(session, "perception")
    number = session.start("ana", "release-psi-effect", {"initiator": ["nadir"]})
    session.accept("maud", number)
    assert sheet_of(session).psi_maintained == ""


@pytest.mark.rules("SOL-140", "SOL-141")
def test_without_an_implant_there_is_nothing_to_use() -> None:
    session = table(sheet=nadir(equipment=(), psi_power_set=""))
    with pytest.raises(NoImplant):
        psi(session, "one_off")


@pytest.mark.rules("SOL-148")
@pytest.mark.parametrize("cause", ["perception_missed", "effort_missed", "misjudged"])
def test_the_game_master_names_the_cause_of_a_failure(cause: str) -> None:
    session = table(6, 6, 6)
    number = psi(session, "one_off")
    exert(session, number)
    assert session.waits_for(number) == {"maud"}
    session.fill("maud", number, {"failure_cause": cause})
    session.fill("maud", number, {"description": "."})
    session.accept("maud", number)
    assert any(key.startswith("told_psi_") for key in told(session))


# Attitudes at the table


@pytest.mark.rules("SOL-046", "SOL-047", "SOL-057")
def test_where_stable_is_excluded_the_player_must_say_which_attitude() -> None:
    session = table(1, 2, 6)
    number = session.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "passer"}})
    session.fill("maud", number, {"allowed": ["softened", "unstable"], "intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.answer("maud", number, "agree")
    before = session._kept()
    with pytest.raises(AttitudeRequired):
        session.throw("ana", number)
    assert session._kept() == before
    for attitude, refused in (("stable", True), ("softened", False)):
        session.fill("ana", number, {"attitude": attitude})
        session.answer("maud", number, "agree")
        if refused:
            with pytest.raises(AttitudeNotAllowed):
                session.throw("ana", number)
        else:
            session.throw("ana", number)
    session.answer("ana", number, "stop")
    assert result(session, number).quality == "success_counter_negative"


@pytest.mark.rules("SOL-047")
def test_a_single_attitude_left_applies_by_itself() -> None:
    session = table(1, 2, 3)
    move = act(session, {"allowed": ["unstable"]}, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, "stop")
    assert result(session, move).quality == "success_side_positive"


# What is done may be undone


@pytest.mark.rules("SOL-106", "SOL-117")
def test_an_action_undone_gives_back_points_and_states() -> None:
    session = table(1, 6, 6, 2)
    before = sheet_of(session)
    move = act(session, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, {"dice": [2]})
    session.answer("maud", move, False)
    session.answer("bob", move, False)
    settle(session, move, states_gained="Essoufflée 1")
    assert sheet_of(session) != before
    session.undo("maud", move)
    assert sheet_of(session) == before


@pytest.mark.rules("SOL-013", "SOL-056")
def test_the_game_master_alone_is_told_what_the_announce_lacks() -> None:
    session = table()
    act(session, element="Grimpeuse")
    assert "told_stakes" in told(session, "maud")
    for seat in ("ana", "bob", "eve"):
        assert "told_stakes" not in told(session, seat)


# What a second look found


@pytest.mark.rules("SOL-117", "SOL-071")
def test_a_member_who_pays_for_a_die_of_the_group_has_fewer_points() -> None:
    session = table(1, 6, 6, 2, edition="v5", reroll_by="helpers")
    number = group(session, "Harnais")
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    session.answer("bob", number, {"dice": [2]})
    session.answer("maud", number, False)
    session.answer("ana", number, False)
    assert result_after(session, number) == (2, [0, 2])
    assert (sheet_of(session, "bosco").points, sheet_of(session).points) == (0, 4)


@pytest.mark.rules("SOL-117")
@pytest.mark.option("reroll_by", "helpers")
def test_each_helper_is_asked_alone() -> None:
    session = table(1, 6, 6, edition="v5", reroll_by="anyone")
    session.add("lise", Character(name="Lise", concept="Soudeuse", points=2), owner="maud")
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco", "lise"]})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    for seat in ("ana", "bob", "maud"):
        assert session.waits_for(number) == {seat}
        session.answer(seat, number, "stop")


@pytest.mark.rules("SOL-115", "SOL-041", "SOL-042")
def test_a_certain_end_may_be_told_by_the_player_too() -> None:
    session = table()
    number = act(session, {"intrinsic": 4}, element="Grimpeuse")
    session.throw("ana", number)
    session.answer("ana", number, "describe")
    session.answer("maud", number, False)
    session.answer("bob", number, False)
    session.fill("ana", number, {"own_description": "D'une main."})
    session.accept("maud", number)
    assert (sheet_of(session).points, result(session, number).rolled) == (3, False)


@pytest.mark.rules("SOL-035", "SOL-050", "SOL-052", "SOL-062")
@pytest.mark.parametrize(("options", "gm", "first", "ahead"), [
    ({}, {}, {"attitude": "unstable"},
     {3: ["side_positive"], 2: ["counter_negative"], 1: ["counter_positive"], 0: ["side_negative"]}),
    ({"edition": "v5"}, {"effects": {"0": "le câble cède; on l'entend"}, "secret_effects": {"3": "SECRET"}},
     {"handicap": ["Blessée"]},
     {2: ["negative"], 1: ["negative"], 0: ["le câble cède", "on l'entend", "negative"]}),
])
def test_score_and_side_effects_are_known_before_the_dice(
    options: dict[str, str], gm: dict[str, Any], first: dict[str, Any], ahead: dict[int, list[str]]
) -> None:
    session = table(**options)
    act(session, gm, element="Grimpeuse", **first)
    for seat in SEATS:
        log = {line["key"]: line["values"] for line in session.seen(seat)["log"]}
        assert log["outcomes.told_target"] == {"target": 3, "difficulty": "0", "elements": ["Grimpeuse 3"]}
        seen = [line["values"] for line in session.seen(seat)["log"] if line["key"] == "outcomes.told_ahead"]
        assert {line["n"]: line["effects"] for line in seen} == ahead


@pytest.mark.rules("SOL-014")
def test_what_is_refused_by_the_rule_of_ko_leaves_nothing_to_tell() -> None:
    session = table(edition="v5")
    for move, cast in (("action", {}), ("group-action", {"member": ["bosco"]}), ("use-psi-power", {})):
        number = session.start("ana", move, {"initiator": ["nadir"], **cast})
        session.fill("maud", number, {"verdict": "ko"})
        assert (session.moves[number].phase, session.moves[number].changes) == ("settled", ())


@pytest.mark.rules("SOL-080", "SOL-054", "SOL-055")
def test_whoever_loses_an_opposition_bears_its_marks() -> None:
    for faces, hurt in (((1, 1, 1), "bosco"), ((6, 6, 6), "nadir")):
        session = table(*faces)
        number = session.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]})
        session.fill("bob", number, {"element": "Harnais"})
        session.fill("ana", number, {"element": "Grimpeuse"})
        session.answer("maud", number, "agree")
        session.throw("ana", number)
        settle(session, number, states_gained="Sonné 2")
        assert [name for name in ("nadir", "bosco") if "Sonné" in str(sheet_of(session, name).states)] == [hurt]


@pytest.mark.rules("SOL-054", "SOL-055", "SOL-105")
def test_consequences_are_written_on_the_sheet_they_are_for() -> None:
    session = table(1, 1, 1)
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco"]})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    settle(session, number, states_worse=["Blessée"], equipment_lost=["Console de décryptage"],
           equipment_found="Passe 2, Implant psi")
    sheet = sheet_of(session)
    assert sheet.states == (Element("Blessée", 3),)
    assert sheet.equipment == (Item("Implant psi", 3, Tag.PSI, 2), Item("Passe", 2))
    other = act(session, {"intrinsic": 4}, element="Grimpeuse")
    session.throw("ana", other)
    settle(session, other, states_lost=["Blessée"])
    assert sheet_of(session).states == ()


@pytest.mark.rules("SOL-013", "SOL-056")
def test_what_was_agreed_on_is_what_happens_unless_somebody_says_otherwise() -> None:
    session = table(1, 1, 1)
    number = act(session, {"on_success": "le sas s'ouvre", "on_failure": "rien ne se passe"}, element="Grimpeuse")
    lacking = next(line for line in session.seen("maud")["log"] if line["key"].endswith("told_stakes"))
    assert lacking["values"] == {"lacking": ["no_failure"]}
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    session.close("maud", number)
    assert "le sas s'ouvre" in str(session.seen("eve")["log"][-1])


@pytest.mark.rules("SOL-073", "SOL-034")
def test_nobody_rolls_for_the_game_master_s_people_but_they_may_help() -> None:
    session = table(1, 1, 1)
    for move, cast in (("action", {}), ("opposition", {"opponent": ["nadir"]})):
        number = session.start("maud", move, {"initiator": ["guard"], **cast})
        with pytest.raises(GameMasterDoesNotRoll):
            session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0} if not cast else {"element": 1}, **(
                {"actor": "nadir"} if cast else {}))
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["guard"]})
    session.fill("maud", number, {"intrinsic": -2, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    session.fill("maud", number, {"lent": "Vigile"}, "guard")
    session.answer("maud", number, "agree")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    assert session.moves[number].step(SYSTEM) is not None
    settle(session, number)
    assert result(session, number).target == 3


@pytest.mark.rules("SOL-112", "SOL-122", "SOL-123")
def test_a_price_may_be_found_too_dear_and_a_question_takes_its_points() -> None:
    session = table()
    number = session.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"use": "flashback"}})
    session.fill("maud", number, {"cost": 4})
    session.answer("ana", number, False)
    assert (session.moves[number].changes, told(session)[-1]) == ((), "told_declined")
    poor = table(sheet=nadir(points=1))
    with pytest.raises(NotEnoughPoints):
        poor.start("ana", "ask-the-gm", {"initiator": ["nadir"]}, {"nadir": {"question": "Qui ?"}})


@pytest.mark.rules("SOL-123")
def test_an_element_that_changes_keeps_all_but_its_score() -> None:
    session = table()
    number = session.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {
        "use": "flashback", "alters_character": True, "category": "equipment", "element_name": "Implant psi",
        "score": 2}})
    session.fill("maud", number, {"cost": 2, "surcharge": 2})
    session.answer("maud", number, False)
    session.answer("bob", number, False)
    session.accept("maud", number)
    assert sheet_of(session).implant == Item("Implant psi", 2, Tag.PSI)


@pytest.mark.rules("SOL-151", "SOL-160", "SOL-161")
def test_a_mind_that_leaves_all_bodies_is_another_mind_on_the_network_and_may_come_back() -> None:
    session = table(sheet=nadir(psi_maintained="un voile"))
    number = session.start("ana", "change-body", {"initiator": ["nadir"]},
                           {"nadir": {"destination": "infomorph", "reason": "backup"}})
    with pytest.raises(BackupAsleep):
        session.fill("maud", number, {"backup_kept": "unwatched_cache", "identical": False})
    session.fill("maud", number, {"backup_kept": "watched_cache", "identical": False})
    session.accept("maud", number)
    sheet = sheet_of(session)
    assert (sheet.mind_type, sheet.network_host, sheet.psi_maintained) == (
        MindType.NATURAL_INFOMORPHISED, "on_the_network", "")
    assert "no_organic_brain" in str(session.seen("eve")["log"])
    back = session.start("ana", "change-body", {"initiator": ["nadir"]}, {"nadir": {"destination": "cybernetic"}})
    session.fill("maud", back, {"identical": False})
    session.accept("maud", back)
    assert sheet_of(session).network_host == ""


@pytest.mark.rules("SOL-162")
def test_a_node_left_behind_slows_no_more() -> None:
    ghost = nadir(mind_type=MindType.AI_WOLFA, body="infomorph", equipment=(), psi_power_set="")
    session = table(sheet=ghost)
    for saturation in (2, 0):
        number = session.start("ana", "move-infomorph", {"initiator": ["nadir"]}, {"nadir": {"destination_node": "x"}})
        session.fill("maud", number, {"permission": True, "saturation": saturation})
        session.accept("maud", number)
        assert ("slowed" in states(session)) == bool(saturation)


@pytest.mark.rules("SOL-140", "SOL-146", "SOL-148")
def test_no_verdict_lets_an_implant_do_what_it_cannot() -> None:
    session = table(sheet=nadir(psi_maintained="un voile"))
    with pytest.raises(AlreadyMaintaining):
        session.start("maud", "use-psi-power", {"initiator": ["nadir"]},
                      {"nadir": {"use": "maintained"}, "gm": {"verdict": "trivial"}})


@pytest.mark.rules("SOL-148")
def test_an_accident_is_that_of_the_power_set() -> None:
    session = table(6, 6, 6)
    number = psi(session, "one_off")
    exert(session, number)
    session.fill("maud", number, {"failure_cause": "misjudged"})
    for seat in SEATS:
        assert "accident_information" in str(session.seen(seat)["log"])
    assert "told_benchmark" in told(session, "maud")
    assert "told_benchmark" not in told(session, "ana")


@pytest.mark.rules("SOL-061")
def test_a_handicap_alone_is_the_game_master_s_to_confirm() -> None:
    session = table(edition="v5")
    number = session.start("ana", "action", {"initiator": ["nadir"]})
    session.fill("maud", number, {"intrinsic": 2, "scenario_interest": 0})
    session.fill("ana", number, {"element": "none", "handicap": ["Blessée"]})
    assert session.waits_for(number) == {"maud"}


@pytest.mark.rules("SOL-071")
def test_each_who_rolls_for_a_group_has_side_effects_of_their_own() -> None:
    session = table(1, 2, 6, 1, 1, 6, edition="v5", group_rule="majority")
    number = session.start("ana", "group-action", {"initiator": ["nadir"], "member": ["bosco"]})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0, "effects": {"2": "on vous entend"}})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.fill("bob", number, {"lent": "Harnais", "handicap": ["Ivre"]})
    session.answer("bob", number, "agree")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    said = [line["values"] for line in session.seen("eve")["log"] if line["key"].endswith("told_member")]
    assert said == [{"who": "Nadir", "effect": "on vous entend"}, {"who": "Bosco", "effect": "on vous entend"},
                    {"who": "Bosco", "effect": "negative"}]


@pytest.mark.rules("SOL-110", "SOL-111")
def test_the_clock_gives_points_back_as_scenes_and_episodes_end() -> None:
    def after(span: str, take: bool = True, **options: str) -> tuple[int, int]:
        record = nadir(points=0, max_points=2, failed=("x",))
        changes = play(passing, record, 0, {"span": span, "take": take}, SYSTEM.book.rulings(options),
                       dice=ScriptedDice()).result
        left = {change.path: change.after for change in changes}
        return left.get("points", 0), left.get("max_points", 2)

    assert [after("hours"), after("scene"), after("scene", take=False)] == [(0, 2), (1, 2), (0, 2)]
    assert [after("episode"), after("episode", is_series="true")] == [(1, 2), (3, 3)]
    assert after("episode", is_series="true", episode_end="replaces_scene") == (2, 3)


@pytest.mark.rules("SOL-092")
def test_who_comes_back_to_a_scene_is_in_it_once() -> None:
    session = table()
    number = session.start("maud", "start-action-scene", {"participant": ["nadir", "bosco"]})
    session.throw("maud", number)
    running = next(iter(session.encounters))
    for move, cast, form in (("leave-action-scene", {}, {"gm": {"leaves": "nadir"}}),
                             ("join-action-scene", {"participant": ["nadir"]}, {})):
        number = session.start("maud", move, cast, form, encounter=running)
        session.throw("maud", number)
        session.accept("maud", number)
    state = session.encounters[running].state
    assert [(one.id, one.standing, one.acted) for one in state.participants] == [
        ("nadir", True, True), ("bosco", True, False)]
    assert state.acting == ""
