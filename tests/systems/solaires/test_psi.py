"""The implant used, misused and let go."""

from typing import Any

import pytest
from paravent.game.session import Session

from paravent.systems.solaires.psi.errors import AlreadyMaintaining, NoImplant

from .crew import SEATS, nadir, sheet_of, table, told


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


@pytest.mark.rules("SOL-140", "SOL-146", "SOL-148")
def test_no_verdict_lets_an_implant_do_what_it_cannot() -> None:
    session = table(sheet=nadir(psi_maintained="un voile"))
    with pytest.raises(AlreadyMaintaining):
        session.start("maud", "use-psi-power", {"initiator": ["nadir"]},
                      {"nadir": {"use": "maintained"}, "gm": {"verdict": "trivial"}})


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
