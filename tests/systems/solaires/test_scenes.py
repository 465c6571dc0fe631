"""Time at the table: scenes and episodes that end, newcomers, action scenes."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import GM_ONLY
from paravent.game.errors import AlreadyOver, MootField, NotNow, NotYours
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.people.character import Character, Figure
from paravent.systems.solaires.points.errors import NotASeries
from paravent.systems.solaires.points.rules import Points
from paravent.systems.solaires.scenes.errors import AlreadyActed, NotInTheScene
from paravent.systems.solaires.scenes.time_moves import after_episode, passing
from paravent.table.commands import OpenScene
from paravent.table.events import House

from .crew import SEATS, nadir, result, sheet_of, table


@pytest.mark.rules("SOL-001", "SOL-002", "SOL-003")
def test_a_table_opens_with_its_edition_and_is_warned_of_a_crowd() -> None:
    hotseat = table(edition="v5", is_series="true")
    number = hotseat.start("maud", "open-table", form={"gm": {"players": 9}})
    hotseat.throw("maud", number)
    assert tuple(result(hotseat, number, "open")) == ("v5", True, 9)
    assert any(line.key.startswith("faults.") for line in hotseat.told("eve"))


@pytest.mark.rules("SOL-003", "SOL-109", "SOL-110")
def test_a_scene_ends_for_everybody_and_each_takes_the_point_or_leaves_it() -> None:
    hotseat = table(sheet=nadir(points=1))
    number = hotseat.start("maud", "end-scene", {"character": ["nadir", "bosco"]}, {"bosco": {"take": False}})
    hotseat.accept("maud", number)
    assert (sheet_of(hotseat).held, sheet_of(hotseat, "bosco").held) == ((2, 4), (2, 2))


@pytest.mark.rules("SOL-003", "SOL-111")
def test_an_episode_ends_in_a_series_only() -> None:
    with pytest.raises(NotASeries):
        play(after_episode, (Points(0, 2),), False, SYSTEM.book.rulings({}), dice=ScriptedDice())
    hotseat = table(sheet=nadir(points=0, max_points=2), is_series="true")
    hotseat.accept("maud", hotseat.start("maud", "end-episode", {"character": ["nadir"]}))
    assert sheet_of(hotseat).held == (3, 3)


@pytest.mark.rules("SOL-003", "SOL-110")
@pytest.mark.parametrize(("first", "then"), [("end-scene", "pass-time"), ("pass-time", "end-scene"),
                                            ("end-scene", "end-scene"), ("pass-time", "pass-time")])
def test_a_scene_gives_its_point_once_whoever_ends_it_and_by_whatever_way(first: str, then: str) -> None:
    hotseat = table(sheet=nadir(points=0))
    span = {"pass-time": {"gm": {"time_span": "scene"}}}
    for title, points in (("Le quai", 1), ("Le sas", 2)):
        hotseat.do(OpenScene(seat="maud", title=title))
        hotseat.accept("maud", hotseat.start("maud", first, form=span.get(first)))
        assert (sheet_of(hotseat).points, hotseat.state.scene) == (points, "")
        with pytest.raises(AlreadyOver):
            hotseat.start("maud", then, form=span.get(then))
        assert sheet_of(hotseat).points == points


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


@pytest.mark.rules("SOL-108")
def test_a_newcomer_has_the_table_s_average_and_a_replacement_what_the_former_had() -> None:
    for cast, held in (({"others": ["nadir", "bosco"]}, (3, 3)), ({"previous": ["nadir"]}, (4, 4))):
        hotseat = table()
        hotseat.add("filin", Character(name="Filin", concept="Mousse"), owner="bob")
        number = hotseat.start("maud", "add-late-player", {"character": ["filin"], **cast})
        hotseat.throw("maud", number)
        hotseat.accept("maud", number)
        assert sheet_of(hotseat, "filin").held == held


# Action scenes


@pytest.mark.rules("SOL-090", "SOL-091", "SOL-092", "SOL-093")
def test_an_action_scene_is_run_to_its_end() -> None:
    hotseat = table()
    number = hotseat.start("maud", "start-action-scene", {"participant": ["nadir", "bosco", "guard"]},
                           {"gm": {"first": "bosco"}})
    hotseat.throw("maud", number)
    assert hotseat.moves[number].phase == "closed", "there is nothing to apply"
    running = next(iter(hotseat.encounters))

    def goes_on(move: str, **fields: Any) -> None:
        number = hotseat.start("maud", move, encounter=running, form={"gm": fields})
        if hotseat.moves[number].phase == "open":  # leaving and ending ask for nothing more
            hotseat.throw("maud", number)
        if hotseat.moves[number].phase == "settled":
            hotseat.accept("maud", number)

    with pytest.raises(AlreadyActed):
        goes_on("next-to-act", next="bosco")
    goes_on("next-to-act", next="guard")
    goes_on("leave-action-scene", leaves="guard")
    with pytest.raises(NotInTheScene):
        goes_on("next-to-act", next="guard")
    goes_on("next-to-act", next="nadir")
    goes_on("next-to-act", next="nadir")
    state = hotseat.encounters[running].state
    assert (state.acting, state.first_pass_over) == ("nadir", True)
    with pytest.raises(NotYours):
        hotseat.start("ana", "end-action-scene", encounter=running)
    goes_on("end-action-scene")
    with pytest.raises(NotNow):
        goes_on("next-to-act", next="nadir")


@pytest.mark.rules("SOL-072", "SOL-091")
def test_where_only_players_may_act_nothing_is_asked_of_the_game_master_s_people() -> None:
    hotseat = table()
    number = hotseat.start("maud", "start-action-scene", {"participant": ["nadir", "bosco", "guard"]},
                           {"gm": {"first": "bosco"}})
    hotseat.throw("maud", number)
    (running,) = hotseat.encounters
    asked = hotseat.start("maud", "next-to-act", encounter=running)
    hotseat.fill("maud", asked, {"announced": "une caisse glisse"})  # the guard may act
    hotseat.fill("maud", asked, {"next": "guard"})
    hotseat.throw("maud", asked)
    hotseat.accept("maud", asked)
    asked = hotseat.start("maud", "next-to-act", encounter=running)
    with pytest.raises(MootField):
        hotseat.fill("maud", asked, {"reacts": "bosco", "announced": "une caisse glisse"})


@pytest.mark.rules("SOL-092")
def test_who_comes_back_to_a_scene_is_in_it_once() -> None:
    hotseat = table()
    number = hotseat.start("maud", "start-action-scene", {"participant": ["nadir", "bosco"]})
    hotseat.throw("maud", number)
    running = next(iter(hotseat.encounters))
    for move, cast, form in (("leave-action-scene", {}, {"gm": {"leaves": "nadir"}}),
                             ("join-action-scene", {"participant": ["nadir"]}, {})):
        hotseat.accept("maud", hotseat.start("maud", move, cast, form, encounter=running))
    state = hotseat.encounters[running].state
    assert [(one.id, one.standing, one.acted) for one in state.participants] == [
        ("nadir", True, True), ("bosco", True, False)]
    assert state.acting == ""


@pytest.mark.rules("SOL-091", "SOL-092")
@pytest.mark.parametrize(("rounds", "turns"), [
    *((rounds, turns) for rounds in ("first_only", "always") for turns in ("ghost bosco nadir", "bosco ghost nadir")),
    ("first_only", "ghost bosco nadir ghost"),
])
def test_the_turn_of_somebody_hidden_is_nothing_to_those_who_may_not_know_of_them(
    rounds: str, turns: str,
) -> None:
    """Not a word, not a number, not the order of the others: the scene is the same as without them."""
    def scene(hidden: bool) -> list[Any]:
        hotseat = table(rounds=rounds)
        hotseat.state = replace(hotseat.state, house=House())
        hotseat.add("ghost", Figure("Le guetteur"), kind="npc", audience=GM_ONLY)
        there = ["nadir", "bosco", *(["ghost"] if hidden else [])]
        number = hotseat.start("maud", "start-action-scene", {"participant": there}, {"gm": {"first": "nadir"}})
        hotseat.throw("maud", number)
        (running,) = hotseat.encounters
        seen = []
        for who in (one for one in turns.split() if hidden or one != "ghost"):
            number = hotseat.start("maud", "next-to-act", encounter=running, form={"gm": {"next": who}})
            hotseat.throw("maud", number)
            if who != "ghost":
                seen += [(hotseat.seen(seat), hotseat.told(seat)) for seat in SEATS if seat != "maud"]
        if hidden:
            hotseat.start("maud", "leave-action-scene", encounter=running, form={"gm": {"leaves": "ghost"}})
        hotseat.start("maud", "leave-action-scene", encounter=running, form={"gm": {"leaves": "bosco"}})
        return seen + [(hotseat.seen(seat), hotseat.told(seat)) for seat in SEATS if seat != "maud"]

    assert scene(True) == scene(False)
    assert "told_gone" in str(scene(True))
