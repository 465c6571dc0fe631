"""Time at the table: scenes and episodes that end, newcomers, action scenes."""

from typing import Any

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game.errors import NotNow, NotYours
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.people.character import Character
from paravent.systems.solaires.points.errors import NotASeries
from paravent.systems.solaires.scenes.errors import AlreadyActed, NotInTheScene
from paravent.systems.solaires.scenes.time_moves import passing

from .crew import nadir, result, sheet_of, table


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
    number = hotseat.start("maud", "end-scene", {"character": ["nadir", "bosco"]})
    hotseat.fill("bob", number, {"take": False})
    hotseat.throw("maud", number)
    hotseat.accept("maud", number)
    assert (sheet_of(hotseat).held, sheet_of(hotseat, "bosco").held) == ((2, 4), (2, 2))


@pytest.mark.rules("SOL-003", "SOL-111")
def test_an_episode_ends_in_a_series_only() -> None:
    alone = table()
    number = alone.start("maud", "end-episode", {"character": ["nadir"]})
    with pytest.raises(NotASeries):
        alone.throw("maud", number)
    hotseat = table(sheet=nadir(points=0, max_points=2), is_series="true")
    number = hotseat.start("maud", "end-episode", {"character": ["nadir"]})
    hotseat.throw("maud", number)
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).held == (3, 3)


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
        hotseat.throw("maud", number)
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


@pytest.mark.rules("SOL-092")
def test_who_comes_back_to_a_scene_is_in_it_once() -> None:
    hotseat = table()
    number = hotseat.start("maud", "start-action-scene", {"participant": ["nadir", "bosco"]})
    hotseat.throw("maud", number)
    running = next(iter(hotseat.encounters))
    for move, cast, form in (("leave-action-scene", {}, {"gm": {"leaves": "nadir"}}),
                             ("join-action-scene", {"participant": ["nadir"]}, {})):
        number = hotseat.start("maud", move, cast, form, encounter=running)
        hotseat.throw("maud", number)
        hotseat.accept("maud", number)
    state = hotseat.encounters[running].state
    assert [(one.id, one.standing, one.acted) for one in state.participants] == [
        ("nadir", True, True), ("bosco", True, False)]
    assert state.acting == ""
