"""Searches, runs against a node, journeys of infomorphs."""

from typing import Any

import pytest
from paravent.game.session import Session

from paravent.systems.solaires.network.errors import NotPublic, PassOutOfOrder
from paravent.systems.solaires.people.facts import MindType

from .crew import nadir, result, sheet_of, states, table, told


@pytest.mark.rules("SOL-130", "SOL-131")
def test_a_search_says_where_the_answer_lies_and_when_it_comes() -> None:
    session = table()
    number = session.start("ana", "solnet-search", {"initiator": ["nadir"]}, {"nadir": {"query": "l'armateur"}})
    session.fill("maud", number, {"nearest_copy": "same_planetary_system"})
    assert tuple(result(session, number, "search")) == ("neighbour", "seconds")
    with pytest.raises(NotPublic):  # whoever asks is told, not the game master
        session.start("ana", "solnet-search", {"initiator": ["nadir"]},
                      {"nadir": {"query": "ses comptes", "public": False}})


# Runs


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


# Infomorphs


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


@pytest.mark.rules("SOL-162")
def test_a_node_left_behind_slows_no_more() -> None:
    ghost = nadir(mind_type=MindType.AI_WOLFA, body="infomorph", equipment=(), psi_power_set="")
    session = table(sheet=ghost)
    for saturation in (2, 0):
        number = session.start("ana", "move-infomorph", {"initiator": ["nadir"]}, {"nadir": {"destination_node": "x"}})
        session.fill("maud", number, {"permission": True, "saturation": saturation})
        session.accept("maud", number)
        assert ("slowed" in states(session)) == bool(saturation)
