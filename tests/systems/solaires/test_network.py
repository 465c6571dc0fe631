"""Searches, runs against a node, journeys of infomorphs."""

from typing import Any

import pytest

from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.network.errors import NotPublic, PassOutOfOrder
from paravent.systems.solaires.network.facts import RunStep
from paravent.systems.solaires.network.run_moves import ENCOUNTER, MatrixRun
from paravent.systems.solaires.people.facts import MindType
from paravent.table.hotseat import Hotseat

from .crew import evening, nadir, result, sheet_of, states, table, told


def is_asked(hotseat: Hotseat, number: int, name: str) -> bool:
    """Whether whoever acts is asked this as things stand."""
    (asked,) = (field for field in hotseat.moves[number].move.fields if field.id == name)
    return asked.applies(hotseat.turn("ana").at(number).context(hotseat.system))


@pytest.mark.rules("SOL-130", "SOL-131")
def test_a_search_says_where_the_answer_lies_and_when_it_comes() -> None:
    hotseat = table()
    number = hotseat.start("ana", "solnet-search", {"initiator": ["nadir"]}, {"nadir": {"query": "l'armateur"}})
    hotseat.fill("maud", number, {"nearest_copy": "same_planetary_system"})
    assert tuple(result(hotseat, number, "search")) == ("neighbour", "seconds")
    with pytest.raises(NotPublic):  # whoever asks is told, not the game master
        hotseat.start("ana", "solnet-search", {"initiator": ["nadir"]},
                      {"nadir": {"query": "ses comptes", "public": False}})


# Runs


BARE: dict[str, Any] = {"equipment": (), "psi_power_set": ""}
"""A runner without a console."""


def run_against(hotseat: Hotseat) -> int:
    number = hotseat.start("ana", "matrix-run", {"initiator": ["nadir"]}, {"nadir": {"node": "capitainerie"}})
    if not hotseat.encounters:
        hotseat.fill("maud", number, {"ice": "glace noire"})
    assert hotseat.moves[number].phase == "closed", "there is nothing to apply"
    return next(iter(hotseat.encounters))


def run_step(hotseat: Hotseat, running: int, step: str, riposte: bool = False, **first: Any) -> int:
    number = hotseat.start("ana", "run-step", {"initiator": ["nadir"]},
                           {"nadir": {"goal": step, "run_step": step, **first}}, encounter=running)
    hotseat.fill("maud", number, {"intrinsic": 2, "scenario_interest": 1})
    hotseat.fill("ana", number, {"element": "Decker"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    if hotseat.moves[number].pending is not None:
        hotseat.answer("ana", number, "stop")
    hotseat.fill("maud", number, {"riposte": riposte, "description": "."})
    hotseat.accept("maud", number)
    return number


@pytest.mark.rules("SOL-132", "SOL-133", "SOL-134", "SOL-135")
def test_a_run_goes_step_by_step() -> None:
    hotseat = table(*[1, 1, 1] * 4)
    running = run_against(hotseat)
    with pytest.raises(PassOutOfOrder):
        run_step(hotseat, running, "breach")
    for step, more in (("locate", {}), ("study", {"hours": 9}), ("prepare", {"instructions": "copier le registre"}),
                       ("breach", {})):
        run_step(hotseat, running, step, **more)
    state = hotseat.encounters[running].state
    assert (state.over, state.hours, state.instructions) == (True, 9, "copier le registre")  # nothing is improvised
    study = next(line for line in hotseat.told("maud") if line.key.endswith("told_study"))
    assert study.values == {"hours": 9, "n": 2}
    assert told(hotseat, "ana").count("told_step") == 4
    assert not {"told_study", "told_benchmark"} & set(told(hotseat, "ana"))


@pytest.mark.rules("SOL-133")
@pytest.mark.parametrize(("done", "ahead"), [((), ("locate", 1)), (("locate", "study"), ("prepare", 3)),
                                             (("locate", "study", "prepare", "breach"), None)])
def test_a_run_says_which_of_its_four_steps_comes_next(done: tuple[str, ...], ahead: tuple[str, int] | None) -> None:
    run = MatrixRun("nadir", done=tuple(RunStep(step) for step in done))
    told = ENCOUNTER.stands(run, SYSTEM.book.rulings())
    said = [(line.values["step"], line.values["n"], line.values["of"]) for line in told]
    assert said == ([(*ahead, 4)] if ahead else [])


@pytest.mark.rules("SOL-133")
def test_a_step_that_fails_is_not_behind_one() -> None:
    hotseat = table(6, 6, 6)
    running = run_against(hotseat)
    run_step(hotseat, running, "locate")
    assert hotseat.encounters[running].state.done == ()


@pytest.mark.rules("SOL-136", "SOL-137")
@pytest.mark.parametrize(("stays", "faces", "shaken", "console"), [
    (False, (), True, True), (True, (1, 1, 1), False, True), (True, (6, 6, 6), True, False)])
def test_under_the_riposte_one_stays_or_leaves(
    stays: bool, faces: tuple[int, ...], shaken: bool, console: bool
) -> None:
    """The ice strikes back at a breach that succeeded: whoever leads the run stays or leaves, and it ends."""
    hotseat = table(1, 1, 1, *faces)
    running = run_against(hotseat)
    first = run_step(hotseat, running, "locate", riposte=True)
    number = max(hotseat.moves)
    assert (hotseat.moves[number].move.id, number > first) == ("stay-or-disconnect", True)
    assert not is_asked(hotseat, number, "goal"), "whoever leaves attempts nothing"
    hotseat.fill("ana", number, {"stays": stays})
    if stays:
        assert is_asked(hotseat, number, "goal")
        hotseat.fill("maud", number, {"intrinsic": 2, "scenario_interest": 0})
        hotseat.fill("ana", number, {"element": "Decker"})
        hotseat.answer("maud", number, "agree")
        hotseat.throw("ana", number)
        hotseat.answer("ana", number, "stop")
    if stays:
        hotseat.fill("maud", number, {"description": ".", **({} if console else {"damage": "erasure"})})
    hotseat.accept("maud", number)
    assert ("disoriented" in states(hotseat)) == shaken
    assert any("Console" in item.name for item in sheet_of(hotseat).equipment) == console
    assert hotseat.encounters[running].state.over == shaken


@pytest.mark.rules("SOL-136")
@pytest.mark.parametrize(("runner", "lost"), [
    ({}, "told_console_lost"), (BARE, "told_console_lost"),  # flesh is never what the ice erases
    ({"mind_type": MindType.AI_WOLFA, **BARE}, "told_erased"),
    ({"mind_type": MindType.NATURAL_INFOMORPHISED, "body": "infomorph", **BARE}, "told_erased"),
    ({"mind_type": MindType.AI_WOLFA}, "told_console_lost"),
])
def test_the_ice_erases_a_console_or_whoever_needs_none(runner: dict[str, Any], lost: str) -> None:
    hotseat = table(6, 6, 6, sheet=nadir(**runner))
    number = hotseat.start("ana", "stay-or-disconnect", {"initiator": ["nadir"]}, {"nadir": {"stays": True}},
                           encounter=run_against(hotseat))
    hotseat.fill("maud", number, {"intrinsic": 2, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Decker"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    hotseat.fill("maud", number, {"description": ".", "damage": "erasure"})
    assert {"told_console_lost", "told_erased"} & set(told(hotseat)) == {lost}


# Infomorphs


@pytest.mark.rules("SOL-163")
def test_whoever_moves_says_where_to_before_the_game_master_is_asked() -> None:
    hotseat = table(sheet=nadir(body="none"))
    number = hotseat.start("ana", "move-infomorph", {"initiator": ["nadir"]})
    assert hotseat.waits_for(number) == {"ana"}
    hotseat.fill("ana", number, {"destination_node": "le relais"})
    assert hotseat.waits_for(number) == {"maud"}


@pytest.mark.rules("SOL-162", "SOL-163")
def test_an_infomorph_goes_where_it_is_let_in() -> None:
    ghost = nadir(mind_type=MindType.AI_WOLFA, body="infomorph", equipment=(), psi_power_set="", network_host="le bord")
    for permission, host in ((False, "le bord"), (True, "Cérès")):
        hotseat = table(sheet=ghost)
        number = hotseat.start("ana", "move-infomorph", {"initiator": ["nadir"]},
                               {"nadir": {"destination_node": "Cérès"}})
        hotseat.fill("maud", number, {"permission": permission, "saturation": 2})
        hotseat.accept("maud", number)
        assert sheet_of(hotseat).network_host == host
        assert ("slowed" in states(hotseat)) == permission


@pytest.mark.rules("SOL-162")
def test_a_node_left_behind_slows_no_more() -> None:
    ghost = nadir(mind_type=MindType.AI_WOLFA, body="infomorph", equipment=(), psi_power_set="")
    hotseat = table(sheet=ghost)
    for saturation in (2, 0):
        number = hotseat.start("ana", "move-infomorph", {"initiator": ["nadir"]}, {"nadir": {"destination_node": "x"}})
        hotseat.fill("maud", number, {"permission": True, "saturation": saturation})
        hotseat.accept("maud", number)
        assert ("slowed" in states(hotseat)) == bool(saturation)


def runs_on(hotseat: Hotseat, running: int, element: str = "Decker", **first: Any) -> int:
    """The next step of the run, as most tables play: a word, the dice."""
    number = hotseat.start("ana", "run-step", {"initiator": ["nadir"]}, {"nadir": {"element": element, **first}},
                           encounter=running)
    hotseat.fill("maud", number, {"intrinsic": "complex"})
    hotseat.throw("ana", number)
    return number


@pytest.mark.rules("SOL-130", "SOL-131")
@pytest.mark.parametrize(("nearest", "said", "hours"), [
    ("same_body", {}, 0), ("elsewhere", {"delay": 3}, 3), ("elsewhere", {"delay": 0}, 0)])
def test_a_search_far_away_takes_its_hours_on_the_table_s_clock(nearest: str, said: dict[str, int], hours: int) -> None:
    hotseat = evening()
    before = hotseat.state.minutes
    number = hotseat.start("ana", "solnet-search", {"initiator": ["nadir"]}, {"nadir": {"query": "le cargo"}})
    hotseat.fill("maud", number, {"nearest_copy": nearest, "found": "un prête-nom", **said})
    assert hotseat.state.minutes == before + 60 * hours
    (found,) = (line for line in hotseat.told("ana") if line.key.startswith("outcomes.told_found"))
    assert found.values.get("n", 0) == hours  # what comes after hours is not told as if it were there at once
    assert not hotseat.state.open_moves()


def whole_run(faces: tuple[int, ...], detected: bool) -> Hotseat:
    """From the locating to the breach, which the ice answers; perhaps it was noticed."""
    hotseat = evening(*(1, 1, 1) * 3, *faces)
    before = hotseat.state.minutes
    number = hotseat.start("ana", "matrix-run", {"initiator": ["nadir"]}, {"nadir": {"node": "le nœud du port"}})
    hotseat.fill("maud", number, {"ice": "glace noire"})
    (running,) = hotseat.encounters
    runs_on(hotseat, running)
    runs_on(hotseat, running, hours=8)
    assert hotseat.state.minutes == before + 8 * 60  # the long hours of study are those of the table's clock
    runs_on(hotseat, running, instructions="copier, effacer")
    number = runs_on(hotseat, running)
    assert hotseat.waits_for(number) == {"maud"}  # whether it was noticed, whether the ice strikes back
    hotseat.fill("maud", number, {"description": "Une alarme ?", "detected": detected, "riposte": True})
    return hotseat


@pytest.mark.rules("SOL-133", "SOL-135", "SOL-136", "SOL-137")
@pytest.mark.parametrize("faces", [(1, 1, 1), (6, 6, 6)])
def test_a_breach_is_struck_back_and_left_brutally_and_only_the_game_master_knows_it_was_noticed(
    faces: tuple[int, ...],
) -> None:
    noticed, unnoticed = whole_run(faces, True), whole_run(faces, False)
    for hotseat in (noticed, unnoticed):
        (struck,) = hotseat.state.open_moves()
        assert (struck.move, hotseat.waits_for(struck.id)) == ("stay-or-disconnect", {"ana"})
        hotseat.fill("ana", struck.id, {"stays": False})
        assert states(hotseat)["disoriented"] == 2
        assert not hotseat.state.open_moves()
        assert all(one.over for one in hotseat.state.encounters.values())
    for seat in ("ana", "bob", "eve"):
        assert noticed.seen(seat) == unnoticed.seen(seat)
        assert told(noticed, seat) == told(unnoticed, seat)
    assert "told_detected" in told(noticed, "maud")
    assert "told_detected" not in told(unnoticed, "maud")
