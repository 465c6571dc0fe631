"""Evenings over HTTP: a server with a database on the disk, people with nothing but the JSON interface."""

import importlib.util
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2 as httpx
import pytest
from msgspec import structs

from paravent.game import Call, RecordKind, System, find_system, system_at

from .conftest import PATIENCE, Serving
from .test_api import Program

ROOT = Path(__file__).parents[2]


def from_file(path: str) -> ModuleType:
    """A module of another folder of tests."""
    spec = importlib.util.spec_from_file_location(f"evening_{Path(path).stem}", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def installed(system: System) -> System:
    """A game being written, found by its id from now on: as it is, or as it has become since."""
    module = ModuleType("evening_game")
    vars(module)["SYSTEM"] = system
    sys.modules["evening_game"] = module
    find_system.cache_clear()
    return system_at("evening_game:SYSTEM")


@pytest.fixture(scope="module")
def veil() -> System:
    return installed(from_file("tests/table/veil.py").VEIL)


class House(Serving):
    """A server over a database of its own; it may stop, and start again over the same."""

    client: httpx.Client

    def opens(self, system: str, **more: Any) -> Program:
        new = {"system": system, "name": "Vendredi", "game_master": "Ana", **more}
        return Program(self.client, self.client.post(f"{self.url}/api/tables", json=new).json()["token"], self.url)

    def again(self) -> None:
        self.stop()
        self.start()

    @property
    def written(self) -> bytes:
        """Every byte of the database and of the files beside it."""
        here = Path(self.database)
        return b"\n".join(path.read_bytes() for path in sorted(here.parent.glob(f"{here.name}*")))

    @property
    def rows(self) -> set[str]:
        """Every row of the database."""
        with closing(sqlite3.connect(self.database)) as opened:
            return set(opened.iterdump())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    serving = House(tmp_path / "evening.db")
    with httpx.Client(timeout=PATIENCE / 1000) as serving.client:
        yield serving
    if serving.thread.is_alive():
        serving.stop()


def latest(who: Program, move: str = "") -> dict[str, Any]:
    """The last move that somebody knows of."""
    moves = [seen for seen in who.view["moves"].values() if move in ("", seen["move"])]
    return max(moves, key=lambda seen: seen["number"])


def brings(who: Program, name: str, **values: Any) -> str:
    return str(who.does("add-record", sheet={"name": name, **values})["record"])


def seat_of(who: Program) -> str:
    return str(who.view["seat"])


def until(who: Program, type_: str, act: Callable[[], Any] = lambda: None) -> dict[str, Any]:
    """Listen until the server tells of an event of this type; what is done is done while listening."""
    with httpx.stream("GET", f"{who.url}/api/table/events", headers=who.headers) as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": hello"
        act()
        for line in lines:
            if line.startswith("data: ") and (told := json.loads(line[6:]))["type"] == type_:
                return told
    raise AssertionError(f"no {type_} was told")


# A veto


class Reroll:
    """Bob plays Nadir, who has two points, and asks to throw a die again; Ana leads, Cy and Dee play, Eve watches."""

    def __init__(self, house: House) -> None:
        self.ana = house.opens("solaires")
        self.bob, self.cy, self.dee = (self.ana.invites(name) for name in ("Bob", "Cy", "Dee"))
        self.eve = self.ana.invites("Eve", "spectator")
        self.nadir = brings(self.bob, "Nadir", concept="Pilote", careers=[{"name": "Pilote", "score": 3}], points=2)
        self.number = self.bob.does("start-move", move="action", cast={"initiator": [self.nadir]},
                                    form={self.nadir: {"goal": "le sas"}})["number"]
        self.ana.does("fill", number=1, values={"intrinsic": 0, "scenario_interest": 0})
        self.bob.does("fill", number=1, values={"element": "Pilote"})
        self.bob.does("throw", number=1, by_hand=True)
        self.bob.does("answer", number=1, answer=[6, 5, 1])
        self.bob.does("answer", number=1, answer=["discarded"])
        assert sorted(latest(self.eve)["waits_for"]) == sorted(map(seat_of, (self.ana, self.cy, self.dee)))

    @property
    def everybody(self) -> tuple[Program, ...]:
        return self.ana, self.bob, self.cy, self.dee, self.eve

    def ends(self) -> None:
        if latest(self.ana)["phase"] == "open":
            self.ana.does("fill", number=1, values={"description": "Le sas s'ouvre."})
        if latest(self.ana)["phase"] == "settled":
            self.ana.does("accept", number=1)


def rolled(who: Program) -> dict[str, Any]:
    """The throw under everybody's eyes, as somebody sees it."""
    return next(throw for throw in latest(who)["throws"] if throw["step"] == "roll")


@pytest.fixture
def reroll(house: House) -> Reroll:
    return Reroll(house)


def test_a_veto_gives_back_what_was_spent_is_told_to_all_and_has_no_author_on_the_disk(
    house: House, reroll: Reroll
) -> None:
    house.again()  # all that came before lies where it will stay
    before = house.rows
    reroll.ana.does("answer", number=1, answer=False, id="pass of Ana")
    reroll.cy.does("answer", number=1, answer=True, id="veto of Cy")
    reroll.bob.does("answer", number=1, answer="stop")
    for who in reroll.everybody:
        throw = rolled(who)
        assert throw["outcome"] == "failure"
        assert {"rule": "SOL-113", "key": "vetoed", "values": {"use": "reroll_die"}} in throw["why"]
        assert {"who": "others", "key": "veto_reroll_die", "answer": True} in throw["answers"]
    assert reroll.cy.does("answer", number=1, answer=True, id="veto of Cy") == {"links": {}}
    people = list(map(seat_of, (reroll.ana, reroll.cy, reroll.dee)))
    house.stop()
    since = "".join(house.rows - before)
    assert "vetoed" in since
    assert not [seat for seat in people if seat in since]
    assert b"veto of Cy" not in house.written
    assert b"pass of Ana" not in house.written
    house.start()
    reroll.ends()
    assert reroll.eve.view["records"][reroll.nadir]["sheet"]["points"] == 2


def test_a_reroll_that_all_let_pass_is_paid(reroll: Reroll) -> None:
    for who in (reroll.ana, reroll.cy, reroll.dee):
        who.does("answer", number=1, answer=False)
    assert latest(reroll.bob)["dice"]["n"] == 1
    reroll.bob.does("answer", number=1, answer=[2])
    assert rolled(reroll.eve)["outcome"] == "success"
    reroll.ends()
    assert reroll.eve.view["records"][reroll.nadir]["sheet"]["points"] == 0


@pytest.mark.parametrize("how", ["leaves", "is sent away", "is closed out"])
def test_a_vote_ends_by_itself_when_the_last_who_had_not_voted_is_gone(
    house: House, reroll: Reroll, how: str
) -> None:
    reroll.ana.does("answer", number=1, answer=False)
    reroll.cy.does("answer", number=1, answer=False)
    assert "dice" not in latest(reroll.bob)
    match how:
        case "leaves":
            reroll.dee.does("leave")
        case "is sent away":
            reroll.ana.does("leave", who=seat_of(reroll.dee))
        case _:
            reroll.ana.does("revoke-link", who=seat_of(reroll.dee))
    assert latest(reroll.bob)["dice"]["n"] == 1
    written = [json.loads(line) for line in reroll.ana.get("/table/export", params={"whole": "true"}).text.splitlines()]
    assert next(row for row in reversed(written) if row["type"] == "answered")["by"] == ""


def test_whoever_asked_for_a_vote_may_leave_in_the_middle_of_it(reroll: Reroll) -> None:
    reroll.cy.does("answer", number=1, answer=False)
    reroll.dee.does("answer", number=1, answer=False)
    reroll.bob.does("leave")  # Ana answers for Nadir now, and votes no more
    assert latest(reroll.ana)["dice"]["n"] == 1
    reroll.ana.does("answer", number=1, answer=[2])
    assert rolled(reroll.eve)["outcome"] == "success"


def test_votes_given_to_two_programs_that_serve_the_table_count_together(house: House, reroll: Reroll) -> None:
    other = Serving(house.database)
    try:
        cy = Program(house.client, reroll.cy.token, other.url)
        cy.does("answer", number=1, answer=False)
        reroll.ana.does("answer", number=1, answer=False)
        Program(house.client, reroll.dee.token, other.url).does("leave")
        assert rolled(cy)["answers"][-1] == {"who": "others", "key": "veto_reroll_die", "answer": False}
        reroll.bob.does("say", text="alors ?")  # the first program reads on before it writes
        assert latest(reroll.bob)["dice"]["n"] == 1
    finally:
        other.stop()


def test_a_vote_still_waits_for_those_who_stay(reroll: Reroll) -> None:
    reroll.cy.does("answer", number=1, answer=False)
    reroll.dee.does("leave")
    assert sorted(latest(reroll.eve)["waits_for"]) == sorted(map(seat_of, (reroll.ana, reroll.cy)))
    reroll.ana.does("answer", number=1, answer=False)
    assert latest(reroll.bob)["dice"]["n"] == 1


# Options and rules that change


def test_an_open_move_keeps_the_rulings_it_began_with_and_later_ones_take_the_new(house: House) -> None:
    ana = house.opens("conteur")
    bob = ana.invites("Bob")
    maelle = bob.does("add-record", ready="maelle-tisserand")["record"]

    def declares() -> int:
        form = {maelle: {"attribute": 5, "dice": 3}}
        return int(bob.does("start-move", move="throw", cast={"initiator": [maelle]}, form=form)["number"])

    def throws(number: int) -> dict[str, Any]:
        bob.does("throw", number=number, by_hand=True)
        bob.does("answer", number=number, answer=[1, 10, 8])
        while "choice" in (seen := bob.view["moves"][str(number)]):
            bob.does("answer", number=number, answer=seen["choice"]["options"][0])
        return dict(seen["throws"][-1]["result"])

    before = declares()
    ana.does("set-options", options={"cancel_mode": "effects_only"})
    after = declares()
    assert throws(before)["successes"] == 0
    assert throws(after)["successes"] == 1
    line = next(line for line in bob.view["log"] if line["type"] == "options-set")
    assert (line["before"]["cancel_mode"], line["rulings"]["cancel_mode"]) == ("vanish", "effects_only")
    house.again()
    assert bob.view["rulings"]["cancel_mode"] == "effects_only"


class Changed:
    """Bob throws in Veil and may throw again; then the server starts with another version of the game."""

    def __init__(self, house: House, veil: System) -> None:
        self.house, self.veil = house, installed(veil)
        self.ana = house.opens("veil")
        self.bob = self.ana.invites("Bob")
        self.elya = brings(self.bob, "Elya", body=5)
        self.bob.does("start-move", move="act", cast={"initiator": [self.elya]},
                      form={self.elya: {"score": 1, "again": True}})
        self.ana.does("fill", number=1, values={"difficulty": 0})
        self.bob.does("throw", number=1, by_hand=True)
        self.bob.does("answer", number=1, answer=[6, 6, 5])

    def becomes(self, **changes: Any) -> None:
        installed(replace(self.veil, version="2", **changes))
        self.house.again()

    def looks(self) -> None:
        """Everything that can be looked at still can."""
        for who in (self.ana, self.bob):
            assert who.view["moves"]
            assert who.get("/table/export").status_code == 200
            assert who.get("/table/verification").json()["differs"] is None
            for path in ("form", "odds"):
                assert who.get(f"/table/moves/1/{path}").status_code in (200, 409)
            page = who.client.get(f"{who.url}/enter/{who.token}", follow_redirects=True)
            assert page.status_code == 200, page.text
            assert "Elya" in page.text
            for path in ("log", "text", "options", *(f"sheet/{record}" for record in who.view["records"])):
                assert who.client.get(f"{page.url}{path}").status_code == 200, path


@pytest.fixture
def changed(house: House, veil: System) -> Changed:
    return Changed(house, veil)


def without(moves: Any, *names: str) -> dict[str, Any]:
    return {name: move for name, move in moves.items() if name not in names}


def test_a_rule_of_another_version_is_told_and_the_move_goes_on_where_it_goes_the_same_way(changed: Changed) -> None:
    changed.becomes()
    changed.looks()
    assert latest(changed.ana)["rule_changed"] == {"before": "1", "now": "2"}
    changed.bob.does("answer", number=1, answer=False)
    assert latest(changed.ana)["phase"] == "settled"


def test_a_rule_that_goes_another_way_is_refused_and_the_game_master_begins_the_move_again(changed: Changed) -> None:
    act = changed.veil.moves["act"]
    roll = replace(act.steps[2], call=lambda ctx: Call(lambda dice: dice.sum(2, 8)))
    changed.becomes(moves={**changed.veil.moves, "act": replace(act, steps=(*act.steps[:2], roll))})
    changed.looks()
    refused = changed.bob.asks("answer", number=1, answer=False)
    assert (refused.status_code, refused.json()["code"]) == (409, "table/rule-changed")
    assert changed.bob.asks("restart", number=1).json()["code"] == "table/only-gm"
    changed.ana.does("restart", number=1)
    assert changed.bob.view["moves"]["1"]["phase"] == "cancelled"
    assert "rule_changed" not in latest(changed.bob)
    assert latest(changed.bob)["fields"][changed.elya]["score"] == 1
    changed.bob.does("throw", number=2, nonce="n")
    assert latest(changed.ana)["phase"] == "settled"


def test_a_move_that_is_no_more_is_cancelled_and_the_evening_goes_on(changed: Changed) -> None:
    changed.becomes(moves=without(changed.veil.moves, "act"))
    changed.looks()
    refused = changed.bob.asks("answer", number=1, answer=False)
    assert (refused.status_code, refused.json()["code"]) == (409, "table/game-missing")
    assert changed.ana.asks("restart", number=1).json()["code"] == "form/unknown"
    assert changed.bob.view["moves"]["1"]["phase"] == "open"
    changed.bob.does("leave")
    changed.ana.does("cancel", number=1)
    assert changed.bob.view["moves"]["1"]["phase"] == "cancelled"
    changed.bob.does("start-move", move="leap", cast={"initiator": [changed.elya]})
    changed.bob.does("throw", number=2, nonce="n")
    changed.looks()


def test_what_a_move_changed_is_taken_back_even_if_the_move_is_no_more(changed: Changed) -> None:
    changed.bob.does("answer", number=1, answer=False)
    changed.ana.does("accept", number=1)
    assert changed.bob.view["records"][changed.elya]["sheet"]["wounds"] == 1
    changed.becomes(moves=without(changed.veil.moves, "act"))
    assert changed.bob.asks("undo", number=1).json()["code"] == "table/not-yours"
    changed.ana.does("undo-last")
    assert changed.bob.view["records"][changed.elya]["sheet"]["wounds"] == 0
    assert changed.bob.view["moves"]["1"]["phase"] == "undone"
    assert changed.ana.asks("undo", number=1).json()["code"] == "table/not-now"


def test_kinds_and_encounters_that_are_no_more_close_no_table(changed: Changed) -> None:
    changed.ana.does("start-move", move="brawl")
    changed.ana.does("add-record", kind="extra", sheet={"name": "Spy"})
    changed.becomes(kinds=without(changed.veil.kinds, "extra"), encounters={},
                    moves=without(changed.veil.moves, "brawl", "strike", "plot"))
    changed.looks()
    changed.bob.does("answer", number=1, answer=False)
    changed.ana.does("accept", number=1)
    changed.ana.does("start-move", move="pass-time", form={"gm": {"time_span": "night"}})
    changed.looks()


@dataclass(frozen=True)
class Scarred:
    """A hero whose wounds have names, where they were a number: what was written before cannot be read."""

    name: str = ""
    body: int = 4
    wounds: tuple[str, ...] = ()


def test_a_sheet_that_the_game_no_longer_reads_is_still_shown_and_may_be_taken_away(changed: Changed) -> None:
    scarred = RecordKind("character", Scarred, played=True)
    changed.becomes(kinds={**changed.veil.kinds, "character": scarred}, passing=None)
    changed.looks()
    assert changed.bob.asks("answer", number=1, answer=False).json()["code"] == "table/rule-changed"
    refused = changed.bob.asks("start-move", move="leap", cast={"initiator": [changed.elya]}).json()
    assert refused["code"] == "record/unread"
    assert changed.bob.asks("edit-record", record=changed.elya, path="body", value=3).status_code == 404
    mira = brings(changed.bob, "Mira")
    changed.bob.does("start-move", move="leap", cast={"initiator": [mira]})
    changed.ana.does("cancel", number=1)
    changed.ana.does("remove-record", record=changed.elya)
    assert list(changed.bob.view["records"]) == [mira]


def test_options_that_a_game_has_no_more_close_no_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = house.opens("conteur", options={"cancel_mode": "effects_only", "reroll_chain": "flat"})
    maelle = ana.does("add-record", ready="maelle-tisserand")["record"]
    start = {"move": "throw", "cast": {"initiator": [maelle]}, "form": {maelle: {"attribute": 5, "dice": 3}}}
    ana.does("start-move", **start)
    conteur = find_system("conteur")
    options = dict(conteur.book.options)
    del options["cancel_mode"]
    options["reroll_chain"] = structs.replace(options["reroll_chain"], values=("open", "closed"))
    monkeypatch.setitem(vars(conteur.book), "options", options)
    house.again()
    assert ana.get("/table").status_code == 200
    for who in (ana, ana.invites("Bob")):
        page = who.client.get(f"{who.url}/enter/{who.token}", follow_redirects=True)
        assert page.status_code == 200
        assert who.client.get(f"{page.url}options").status_code == 200
    ana.does("throw", number=1, nonce="n")
    ana.does("set-options", options={"reroll_chain": "closed"})
    assert "cancel_mode" not in ana.view["rulings"]
    ana.does("add-record", ready="anselme-ruvier")
    ana.does("edit-record", record=maelle, path="energy", value=3)


# Time


MINUTES = {"minutes": 1, "hours": 60, "night": (24 + 8) * 60 - (20 * 60 + 1), "days": 1440, "weeks": 10080,
           "scene": 0, "episode": 0}
ASKED = {
    "conteur": {"night": {"sleep"}, "days": {"sleep", "meals", "spent", "activity", "heal"},
                "weeks": {"sleep", "meals", "spent", "activity", "heal"}},
    "simulacres": {span: {"rest", "calm"} for span in ("hours", "night", "days", "weeks")},
    "fanal": {"days": {"at_the_tower"}, "weeks": {"at_the_tower"}},
}
WORN = {"conteur": {"energy": 5}, "simulacres": {"breath_points": 1}, "fanal": {"glass": 1}}
RESTED = {
    "conteur": {"night": {"energy": 9}, "scene": {"energy": 4}},
    "simulacres": {"hours": {"breath_points": 2}, "days": {"breath_points": 4}},
    "fanal": {"days": {"glass": 2}, "weeks": {"glass": 4}},
}


@pytest.mark.parametrize("system", ["conteur", "simulacres", "fanal"])
def test_every_span_of_time_asks_each_what_they_did_previews_and_applies(
    house: House, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples" / "fanal" / "src")
    declared = system_at("fanal:SYSTEM" if system == "fanal" else system)
    ready = next(iter(declared.kind("character").ready("fr")))
    ana = house.opens(system)
    bob, cy = ana.invites("Bob"), ana.invites("Cy")
    mine, hers = (who.does("add-record", ready=ready)["record"] for who in (bob, cy))
    cy.does("leave")
    ana.does("open-scene", kind="episode", title="La balise")
    ana.does("open-scene", title="Le sas")
    clock = 19 * 60
    for span, minutes in MINUTES.items():
        for record in (mine, hers):
            for path, value in WORN[system].items():
                ana.does("edit-record", record=record, path=path, value=value)
        number = ana.does("start-move", move="pass-time", form={"gm": {"time_span": span}})["number"]
        own = latest(bob, "pass-time")["number"]
        fields = bob.get(f"/table/moves/{own}/form").json()["fields"]
        assert {row["field"] for row in fields if row["actor"] == mine} == ASKED[system].get(span, set()), span
        if fields:
            assert latest(ana)["waits_for"] == [seat_of(bob)]  # nobody waits for Cy, who is away
            bob.does("fill", number=own, actor=mine, values={row["field"]: row["usual"] for row in fields})
        move = latest(bob, "pass-time")
        preview = {(change["target"], change["path"]): change["after"] for change in move["changes"]}
        assert preview.get(("clock", "minutes"), clock) == clock + minutes
        assert bob.view["minutes"] == clock
        asked = RESTED[system].get(span, {})
        assert all(preview[record, path] == value for record in (mine, hers) for path, value in asked.items())
        if asked:
            assert next(change for change in move["changes"] if change["target"] == mine)["rule"]
        ana.does("accept", number=number)
        clock += minutes
        seen = bob.view
        assert seen["minutes"] == clock
        for record in (mine, hers):
            sheet = seen["records"][record]["sheet"]
            assert {path: sheet[path] for path in asked} == asked
        assert (seen["scene"], seen["episode"]) == (
            ("", "") if span == "episode" else ("", "La balise") if span == "scene" else ("Le sas", "La balise"))
    ana.does("undo-last")
    assert bob.view["episode"] == "La balise"


def test_whoever_leaves_while_time_passes_holds_nobody_up_and_the_end_of_a_scene_may_be_refused(house: House) -> None:
    ana = house.opens("conteur")
    bob, cy = ana.invites("Bob"), ana.invites("Cy")
    maelle, anselme = bob.does("add-record", ready="maelle-tisserand"), cy.does("add-record", ready="anselme-ruvier")
    ana.does("open-scene", title="Le sas")
    number = ana.does("start-move", move="pass-time", form={"gm": {"time_span": "night"}})["number"]
    assert "ce qui reste à remplir" in ana.asks("throw", number=number).json()["message"]
    bob.does("fill", number=number, actor=maelle["record"], values={"sleep": [2]})
    assert latest(ana)["waits_for"] == [seat_of(cy)]
    cy.does("leave")
    assert latest(ana)["waits_for"] == [seat_of(ana)]
    ana.does("fill", number=number, actor=anselme["record"], values={"sleep": [4]})
    ana.does("accept", number=number)
    number = ana.does("start-move", move="pass-time", form={
        "gm": {"time_span": "scene"}, maelle["record"]: {"cost": 2}})["number"]
    changes = latest(ana)["changes"]
    energy = {change["target"]: change["before"] - change["after"] for change in changes if change["path"] == "energy"}
    assert energy == {maelle["record"]: 2, anselme["record"]: 1}
    at = next(at for at, change in enumerate(changes) if change["path"] == "scene")
    ana.does("accept", number=number, refuse=[at])
    assert cy.view["scene"] == "Le sas"


# Asked by the game master; leaving in the middle; deadlines


def test_a_move_is_asked_of_several_at_once_and_each_answers_for_themselves(house: House, veil: System) -> None:
    installed(veil)
    ana = house.opens("veil")
    bob, cy, dee = (ana.invites(name) for name in ("Bob", "Cy", "Dee"))
    elya, tarn, mira = brings(bob, "Elya"), brings(cy, "Tarn"), brings(dee, "Mira")
    ana.does("ask-move", move="act", of=[elya, tarn, mira])
    for who in (bob, cy, dee):
        [mine] = [seen for seen in who.view["moves"].values() if seat_of(who) in seen["waits_for"]]
        who.does("throw", number=mine["number"], nonce="n")
    assert [move["phase"] for move in ana.view["moves"].values()] == ["settled"] * 3
    ana.does("ask-move", move="act", of=[elya, tarn])
    bob.does("leave")
    first, second = (ana.view["moves"][number] for number in ("4", "5"))
    assert (first["waits_for"], second["waits_for"]) == ([seat_of(ana)], [seat_of(cy)])
    ana.does("throw", number=first["number"], nonce="n")
    assert ana.asks("ask-move", move="act", of=[elya, "?"]).json()["code"] == "form/unknown"
    assert len(ana.view["moves"]) == 5


class Duel:
    """Bob and Cy each seal a stance in Veil; Ana leads."""

    def __init__(self, house: House) -> None:
        self.ana = house.opens("veil")
        self.bob, self.cy = self.ana.invites("Bob"), self.ana.invites("Cy")
        self.elya, self.tarn = brings(self.bob, "Elya"), brings(self.cy, "Tarn")

    def begins(self) -> int:
        cast = {"initiator": [self.elya], "opponent": [self.tarn]}
        number = int(self.bob.does("start-move", move="duel", cast=cast)["number"])
        self.bob.does("fill", number=number, values={"stance": 3})
        return number


@pytest.fixture
def duel(house: House, veil: System) -> Duel:
    installed(veil)
    return Duel(house)


def test_whoever_leaves_in_the_middle_of_sealing_takes_their_choice_with_them(duel: Duel) -> None:
    number = duel.begins()
    duel.bob.does("leave")
    assert latest(duel.cy)["fields"] == {}
    assert sorted(latest(duel.cy)["waits_for"]) == sorted([seat_of(duel.ana), seat_of(duel.cy)])
    duel.cy.does("fill", number=number, values={"stance": 1})
    duel.ana.does("fill", number=number, actor=duel.elya, values={"stance": 0})
    assert latest(duel.cy)["fields"] == {duel.elya: {"stance": 0}, duel.tarn: {"stance": 1}}
    duel.ana.does("throw", number=number)
    assert '"stance": 3' not in duel.ana.get("/table/export").text
    assert latest(duel.bob)["phase"] in ("settled", "closed")


def test_deadlines_are_kept_by_the_clock_of_the_server(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    policies = {duel.begins(): policy for policy in ("wait", "default", "cancel")}
    sealed = {"stance": {"sealed": True}}
    for number in policies:
        assert duel.ana.view["moves"][str(number)]["fields"] == {duel.elya: sealed}

    def sets_them() -> None:
        for number, policy in policies.items():
            duel.ana.does("set-deadline", number=number, policy=policy, seconds=1)

    until(duel.cy, "move-ended", sets_them)
    seen = duel.cy.view["moves"]
    shown = {policies[int(number)]: (move["phase"], move["fields"]) for number, move in seen.items()}
    assert shown["wait"] == ("open", {duel.elya: sealed})
    assert shown["default"] == ("open", {duel.elya: {"stance": 3}, duel.tarn: {"stance": 0}})
    assert shown["cancel"] == ("cancelled", {duel.elya: sealed})
    assert duel.cy.asks("set-deadline", number=1, policy="wait").json()["code"] == "table/only-gm"


@pytest.mark.parametrize(("policy", "event"), [("default", "answered"), ("cancel", "move-ended")])
def test_a_vote_that_tarries_ends_as_its_deadline_says(reroll: Reroll, policy: str, event: str) -> None:
    reroll.ana.does("answer", number=1, answer=False)
    until(reroll.eve, event, lambda: reroll.ana.does("set-deadline", number=1, policy=policy, seconds=1))
    seen = latest(reroll.bob)
    assert (seen["phase"], "dice" in seen) == (("open", True) if policy == "default" else ("cancelled", False))
    assert reroll.eve.view["records"][reroll.nadir]["sheet"]["points"] == 2
