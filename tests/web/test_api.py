"""The JSON interface: everything the pages do, held to its own description."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    missing_required_header,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from paravent.game.system import system_names
from paravent.store import open_log
from paravent.store.memory import MemoryLog
from paravent.systems.conteur import SYSTEM
from paravent.table import export
from paravent.table.closing import closed
from paravent.table.commands import COMMANDS
from paravent.table.evolve import evolve
from paravent.table.export import read_export
from paravent.table.state import State
from paravent.web import security
from paravent.web.app import create_app
from paravent.web.security import LONGEST_BODY

from .conftest import Serving, say, table_token


class Program:
    """A program that sits at a seat."""

    def __init__(self, client: Any, token: str, url: str = "") -> None:
        self.client, self.token, self.url = client, token, url
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **more: Any) -> Any:
        headers = {**self.headers, **more.pop("headers", {})}
        return self.client.get(f"{self.url}/api{path}", headers=headers, **more)

    def asks(self, command: str, **values: Any) -> Any:
        headers = {**self.headers, **values.pop("headers", {})}
        return self.client.post(f"{self.url}/api/table/commands", json={"type": command, **values}, headers=headers)

    def does(self, command: str, **values: Any) -> Any:
        answer = self.asks(command, **values)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def invites(self, name: str, grade: str = "player") -> "Program":
        made = self.does("add-seat", name=name, grade=grade)
        return Program(self.client, made["links"][made["seat"]], self.url)

    @property
    def view(self) -> Any:
        return self.get("/table").json()

    def told(self, last: int | None = None) -> list[dict[str, Any]]:
        """What was missed since an event."""
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        return messages(self.get("/table/events", params={"wait": "false"}, headers=headers).text)


def messages(stream: str) -> list[dict[str, Any]]:
    """The messages of a stream of server-sent events."""
    found = []
    for block in stream.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if lines:
            data = json.loads(lines["data"])
            assert str(data["id"]) == lines["id"]
            assert data["type"] == lines["event"]
            found.append(data)
    return found


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(open_log("memory:"))) as inside:
        yield inside


@pytest.fixture
def ana(client: TestClient) -> Program:
    return Program(client, table_token("", "conteur", post=client.post))


# What it says of itself


def test_the_description_names_every_command_and_every_refusal(client):
    told = client.get("/api/openapi.json").json()
    assert told["openapi"].startswith("3.")
    commands = told["components"]["schemas"]["Command"]["discriminator"]["mapping"]
    assert set(commands) == set(COMMANDS)
    for reference in commands.values():
        schema = told["components"]["schemas"][reference.rpartition("/")[2]]
        assert schema["description"]
        assert "seat" not in schema["properties"] or schema["title"].startswith("Add")
    for path, methods in told["paths"].items():
        assert path.startswith("/api/")
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            for status, answer in operation["responses"].items():
                content = answer.get("content", {})
                assert content, (path, status)
                if int(status) >= 400:
                    assert content["application/json"]["schema"] == {"$ref": "#/components/schemas/Refusal"}
    assert told["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"


def test_the_games_are_listed_in_the_readers_language(client):
    french, english = client.get("/api/systems").json(), client.get("/api/systems?lang=en").json()
    assert [game["id"] for game in french] == [game["id"] for game in english] 
    assert {"conteur", "simulacres"} <= {game["id"] for game in french} <= set(system_names())
    for game in french:
        whole = client.get(f"/api/systems/{game['id']}", headers={"Accept-Language": "en"}).json()
        assert whole["name"] == next(g["name"] for g in english if g["id"] == game["id"])
        assert set(whole["moves"]) == set(game["moves"])
    assert client.get("/api/systems/none").status_code == 404
    assert client.get("/api/systems?lang=xx").status_code == 422
    assert set(client.get("/api/commands").json()) == set(COMMANDS)


# A scene


def test_a_move_is_played_from_opening_to_consequences_and_taken_back(ana):
    bob = ana.invites("Bob")
    record = next(name for name, held in ana.view["records"].items())
    bob.does("take-record", record=record)
    form = bob.client.post("/api/table/forms", json={"move": "throw", "cast": {"initiator": [record]}},
                           headers=bob.headers).json()
    assert {field["field"] for field in form["fields"]} >= {"attribute"}
    number = bob.does("start-move", move="throw", cast={"initiator": [record]}, form={record: {"attribute": 5}},
                      id="once")["number"]
    assert bob.does("start-move", move="throw", cast={"initiator": [record]}, id="once")["number"] == number
    assert bob.get(f"/table/moves/{number}/form").json()["throw"]
    bob.does("fill", number=number, actor=record, values={"dice": 3})
    odds = bob.get(f"/table/moves/{number}/odds").json()["odds"]
    assert odds is None or all("/" in chance for row in odds["rows"] for chance in row["outcomes"].values())
    bob.does("throw", number=number, by_hand=True)
    seen = bob.view["moves"][str(number)]
    assert seen["dice"]["n"] == 3
    bob.does("answer", number=number, answer=[3, 4, 5])
    while "choice" in (seen := bob.view["moves"][str(number)]):
        bob.does("answer", number=number, answer=seen["choice"]["options"][0])
    assert [face for hand in seen["throws"][0]["dice"] for face in hand["faces"]][:3] == [3, 4, 5]
    hers = next(n for n, move in ana.view["moves"].items() if move["move"] == "throw" and move["throws"])
    ana.does("accept", number=int(hers))
    assert ana.view["moves"][hers]["phase"] == "closed"
    ana.does("undo-last")


def test_what_was_missed_is_told_again_by_the_seats_own_numbers(ana):
    bob = ana.invites("Bob")
    start = bob.view["last"]
    ana.does("say", text="un")
    ana.does("say", text="pour moi", kind="note")
    ana.does("say", text="deux")
    told = bob.told(start)
    assert [event["id"] for event in told] == [start + 1, start + 2]
    assert [event["text"] for event in told] == ["un", "deux"]
    assert bob.told(start + 1) == told[1:]
    assert bob.told(start + 2) == bob.told() == []
    (whole,) = bob.told(10**6)  # a number that never was: the whole view
    assert whole["type"] == "whole"
    assert whole["view"] == bob.view


def test_a_long_absence_is_made_up_by_a_whole_view(ana):
    bob = ana.invites("Bob")
    start = bob.view["last"]
    for n in range(300):
        ana.does("say", text=f"message {n}")
    (whole,) = bob.told(start)
    assert whole["type"] == "whole"
    assert whole["id"] == start + 300


def test_two_seats_listen_while_a_third_acts(serving: Serving):
    ana = Program(httpx, table_token(serving.url, "simulacres"), serving.url)
    bob, eve = ana.invites("Bob"), ana.invites("Eve", "spectator")
    heard: dict[str, list[str]] = {}
    for name, who in (("bob", bob), ("eve", eve)):
        last = who.view["last"]
        with httpx.stream("GET", f"{serving.url}/api/table/events", headers=who.headers) as stream:
            lines = stream.iter_lines()
            assert next(lines) == ": hello"
            ana.does("say", text=f"bonjour {name}", kind="message")
            wanted = [line for line in (next(lines) for _ in range(4)) if line]
        assert wanted[0] == f"id: {last + 1}"
        heard[name] = wanted
    assert "bonjour eve" in heard["eve"][-1]


def test_a_link_is_told_once_and_kept_as_a_hash(ana):
    made = ana.does("add-seat", name="Bob", id="bob")
    token = made["links"][made["seat"]]
    assert len(token) >= 32  # 128 bits and more
    assert ana.does("add-seat", name="Bob", id="bob")["links"] == {}
    assert token not in json.dumps(ana.view)
    again = ana.does("renew-link", who=made["seat"])["links"][made["seat"]]
    assert Program(ana.client, token).get("/table").status_code == 401
    assert Program(ana.client, again).get("/table").status_code == 200
    ana.does("revoke-link", who=made["seat"])
    assert Program(ana.client, again).get("/table").status_code == 401


def test_a_table_leaves_as_a_file_and_opens_again_elsewhere(ana):
    bob = ana.invites("Bob")
    ana.does("say", text="pour Ana seule", kind="note")
    ana.does("start-move", move="free-throw", form={ana.view["seat"]: {"expression": "3d6"}})
    number = max(map(int, ana.view["moves"]))
    ana.does("throw", number=number, nonce="un grain")
    seen, whole = bob.get("/table/export"), ana.get("/table/export", params={"whole": "true"})
    assert "pour Ana seule" in whole.text
    assert "pour Ana seule" not in seen.text
    assert bob.get("/table/export", params={"whole": "true"}).json()["code"] == "table/only-gm"
    verdict = bob.get("/table/verification").json()
    assert (verdict["verified"], verdict["host_alone"], verdict["differs"]) == (0, 1, None)
    again = ana.client.post("/api/tables/import", content=whole.content)
    assert again.status_code == 201, again.text
    brought = Program(ana.client, again.json()["token"]).view
    assert [record["name"] for record in brought["records"].values()] == [
        record["name"] for record in ana.view["records"].values()
    ]
    for sent in (b"", b"rien", b"{}", b"\xff\xfe", b"[" * 100_000, seen.content, whole.content[:-9]):
        refused = ana.client.post("/api/tables/import", content=sent)
        assert (refused.status_code, refused.json()["code"]) == (422, "table/not-an-export"), sent[:40]


def long_evening(ana: Program, events: int) -> list[str]:
    """The whole export of a table, grown by a long conversation."""
    ana.does("start-move", move="free-throw", form={ana.view["seat"]: {"expression": "3d6"}})
    ana.does("throw", number=max(map(int, ana.view["moves"])), nonce="un grain")
    ana.does("say", text="des lignes\u2028qui n'en\u0085sont pas")
    lines = ana.get("/table/export", params={"whole": "true"}).text.split("\n")[:-2]
    said = json.loads(lines[-1])
    talk = (json.dumps({**said, "text": f"{at} {'blabla ' * 20}"}) for at in range(events + 1 - len(lines)))
    return list(closed([*lines, *talk]))


def state_of(lines: list[str]) -> dict[str, Any]:
    """The state that an export leads to, links and the new one's event aside."""
    state = State()
    for event in read_export(lines):
        state = evolve(state, event)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    plain["seats"] = {seat: {**place, "link": ""} for seat, place in plain["seats"].items()}
    return plain


def test_a_table_of_five_thousand_events_goes_over_the_wire_and_back(ana):
    lines = long_evening(ana, 5000)
    sent = "\n".join(lines).encode()
    assert len(sent) > 4 * LONGEST_BODY

    def in_pieces() -> Iterator[bytes]:  # of no announced length, cut anywhere
        for at in range(0, len(sent), 70_001):
            yield sent[at:at + 70_001]

    answer = ana.client.post("/api/tables/import", content=in_pieces())
    assert answer.status_code == 201, answer.text
    there = Program(ana.client, answer.json()["token"])
    again = there.get("/table/export", params={"whole": "true"}).text.split("\n")[:-1]
    assert json.loads(again[-2])["type"] == "link-renewed"  # the game master's; nobody's old link opens anything
    opened = json.loads(lines[1])["table"]
    brought = list(closed(line.replace(answer.json()["table"], opened) for line in again[:len(lines) - 1]))
    assert state_of(brought) == state_of(lines)
    there.does("say", text="nous revoilà")


def test_what_is_too_long_for_a_table_or_comes_too_often_is_refused(ana, monkeypatch):
    lines = long_evening(ana, 60)
    monkeypatch.setitem(security.LONGER, "/api/tables/import", 2000)
    for sent in ("\n".join(lines).encode(), iter(["\n".join(lines).encode()])):
        assert ana.client.post("/api/tables/import", content=sent).status_code == 413
    monkeypatch.undo()
    monkeypatch.setattr(export, "MOST_EVENTS", 30)
    refused = ana.client.post("/api/tables/import", content="\n".join(lines).encode())
    assert (refused.status_code, refused.json()["code"]) == (409, "table/too-many")
    monkeypatch.undo()
    monkeypatch.setattr(ana.client.app.state.porter.tries, "_tries", 0)
    refused = ana.client.post("/api/tables/import", content=b"")
    assert (refused.status_code, refused.json()["code"]) == (429, "web/too-many-imports")


def forged(lines: list[str]) -> Iterator[list[str]]:
    """An export, spoilt in one place after the other."""
    for at, line in enumerate(lines):
        row = json.loads(line)
        for name in row:
            for value in (None, 7, "x", "../..\r\nSet-Cookie: a=b", [], {"a": []}, {"1": {}}):
                yield [*lines[:at], json.dumps({**row, name: value}), *lines[at + 1:]]
            yield [*lines[:at], json.dumps({key: kept for key, kept in row.items() if key != name}), *lines[at + 1:]]
        yield [*lines[:at], *lines[at + 1:]]
        yield [*lines[:at], line, *lines[at:]]


def test_a_spoilt_export_is_refused_or_opens_and_never_breaks_anything(ana, monkeypatch):
    monkeypatch.setattr(ana.client.app.state.porter.tries, "_tries", 10**9)
    bob = ana.invites("Bob")
    bob.does("add-record", ready=next(iter(SYSTEM.kind("character").ready("fr"))))
    spoilt = list(forged(long_evening(ana, 12)))
    for lines in Random(5).sample(spoilt, 120):
        answer = ana.client.post("/api/tables/import", content="\n".join(lines).encode())
        assert answer.status_code in (201, 404, 409, 413, 422), answer.text
        if answer.status_code == 201 and answer.json()["token"]:
            there = Program(ana.client, answer.json()["token"])
            assert there.get("/table").status_code == 200
            assert there.asks("say", text="ici").status_code == 200
            assert re.fullmatch(r"[\w-]+", answer.json()["table"] + answer.json()["seat"])


def test_a_record_and_the_next_episode(ana):
    bob = ana.invites("Bob")
    record = next(iter(ana.view["records"]))
    kept = bob.get(f"/table/records/{record}").json()
    assert (kept["system"], kept["kind"]) == ("conteur", "character")
    assert bob.get("/table/records/nobody").status_code == 404
    refused = ana.client.post("/api/table/next-episode", json={"title": "x"}, headers=bob.headers)
    assert refused.json()["code"] == "table/only-gm"
    made = ana.client.post("/api/table/next-episode", json={"title": "La suite"}, headers=ana.headers).json()
    assert Program(ana.client, made["token"]).view["episode"] == "La suite"
    assert set(made["links"]) >= {made["seat"]}


# Refusals


REFUSED = [
    ({"type": "dance"}, 404, "form/unknown"),
    ({"type": "say"}, 422, "form/bad-value"),
    ({"type": "say", "text": "x", "colour": "red"}, 404, "form/unknown"),
    ({"type": "say", "text": "x" * 8001}, 413, "table/too-long"),
    ({"type": "say", "text": "   "}, 422, "table/empty"),
    ({"type": "say", "text": "\x00"}, 422, "table/not-plain"),
    ({"type": "fill", "number": 99, "values": {}}, 404, "form/unknown"),
    ({"type": "answer", "number": 1, "answer": [1]}, None, None),
    ({"type": "answer", "number": 1, "answer": [[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}, 413, "table/too-deep"),
    ({"type": "revoke-link", "who": "nobody"}, 404, "form/unknown"),
    ({"type": "start-move", "move": "dance"}, 404, "form/unknown"),
    ({"type": "throw", "number": True}, 422, "form/bad-value"),
    ({"type": "throw", "number": 10**30}, 422, "table/not-plain"),
    ({"type": "say", "text": "x", "id": "i" * 65}, 413, "table/too-long"),
]


@pytest.mark.parametrize(("command", "status", "code"), REFUSED, ids=lambda value: str(value)[:40])
def test_a_bad_command_is_refused_with_a_steady_code_and_changes_nothing(ana, command, status, code):
    before = ana.view
    answers = {}
    for lang in ("fr", "en"):
        answer = ana.asks(command["type"], **{k: v for k, v in command.items() if k != "type"},
                          headers={"Accept-Language": lang})
        assert 400 <= answer.status_code < 500
        assert set(answer.json()) == {"code", "message"}
        assert status is None or (answer.status_code, answer.json()["code"]) == (status, code)
        answers[lang] = answer.json()["message"]
    assert answers["fr"] != answers["en"]
    assert not any(message.startswith(("errors.", "Quelque chose", "Something")) for message in answers.values())
    assert ana.view == before


def test_each_may_do_only_what_is_theirs(ana):
    bob, eve = ana.invites("Bob"), ana.invites("Eve", "spectator")
    record = next(iter(ana.view["records"]))
    for who, command, code in (
        (bob, {"type": "add-seat", "name": "Max"}, "table/only-gm"),
        (bob, {"type": "edit-record", "record": record, "path": "name", "value": "x"}, "table/not-yours"),
        (eve, {"type": "say", "text": "psst"}, "table/only-players"),
        (bob, {"type": "say", "text": "forgé", "seat": ana.view["seat"]}, None),
    ):
        answer = who.asks(**{"command": command.pop("type"), **command})
        if code:
            assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert ana.view["log"][-1]["by"] == bob.view["seat"]  # the seat comes from the link, never from the wire


def test_nothing_is_answered_without_a_link(client):
    for method, path in (("GET", "/table"), ("POST", "/table/commands"), ("GET", "/table/events"),
                         ("GET", "/table/moves/1/odds"), ("GET", "/table/moves/1/form"), ("POST", "/table/forms")):
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer nothing"},
                        {"Authorization": "Basic YTpi"}, {"Authorization": "nothing"}):
            body = {"json": {"type": "return", "move": "throw"}} if method == "POST" else {}
            answer = client.request(method, f"/api{path}", headers=headers, **body)
            assert answer.status_code in (401, 422), (path, headers)
            if answer.status_code == 401:
                assert answer.json()["message"] == say("errors.table/bad-link.title")


def test_a_malformed_request_is_refused_in_the_readers_language(ana):
    for lang in ("fr", "en"):
        for body in (b"", b"[]", b"{", b"null", b"\xff"):
            headers = {**ana.headers, "Accept-Language": lang, "Content-Type": "application/json"}
            answer = ana.client.post("/api/table/commands", content=body, headers=headers)
            assert answer.status_code == 422
            assert answer.json() == {"code": "http/422", "message": say("web.status.422", lang)}


# Held to its description by a program that tries everything


CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
class KeptLog(MemoryLog):
    """A log that outlives the application: here it is started anew for every question."""

    async def close(self) -> None:
        pass


@schemathesis.serializer("application/x-ndjson")
def lines(_context: object, value: object) -> bytes:
    """Whatever is made up, sent as it is."""
    return str(value).encode(errors="replace")


INSIDE = create_app(KeptLog())


async def requests_only(scope: Any, receive: Any, send: Any) -> None:
    """The application without its beginning and end: a second loop following the same log would meet the first."""
    if scope["type"] != "lifespan":
        await INSIDE(scope, receive, send)
        return
    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    await send({"type": "lifespan.shutdown.complete"})


described = schemathesis.openapi.from_asgi("/api/openapi.json", requests_only)


@pytest.fixture(scope="module")
def token() -> str:
    """A table on the application that is tried out."""
    INSIDE.state.doorkeeper.guesses._tries = 10**9  # wrong links by the hundred are part of the trial
    with TestClient(INSIDE) as inside:
        opened = table_token("", "conteur", post=inside.post)
    return opened


@described.exclude(path="/api/table/events").parametrize()
@settings(derandomize=True, max_examples=30, deadline=None, suppress_health_check=list(HealthCheck),
          phases=[Phase.explicit, Phase.generate])
def test_the_interface_does_what_it_says(case, token):
    case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)


@described.include(path="/api/table/events").parametrize()
@settings(derandomize=True, max_examples=20, deadline=None, suppress_health_check=list(HealthCheck),
          phases=[Phase.explicit, Phase.generate])
def test_streams_too(case, token):
    case.query["wait"] = "false"  # or it would never end
    case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)


@described.exclude(path="/api/table/events").parametrize()
@settings(derandomize=True, max_examples=4, deadline=None, suppress_health_check=list(HealthCheck),
          phases=[Phase.explicit, Phase.generate])
def test_without_a_link_it_does_nothing_it_does_not_say(case):
    case.call_and_validate(checks=[not_a_server_error, status_code_conformance, missing_required_header])
