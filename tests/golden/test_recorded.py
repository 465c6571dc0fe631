"""Logs of the first format, written by the version before the second: they open, read and play on.

What was seen then is seen now, or less of it where somebody hidden is concerned; ``README.md`` lists what later
versions show otherwise on purpose. The tests' own game, which never changes, is asked and answers exactly as it did.

``README.md`` says what is recorded. By default each log is opened and played on, and its words, exports and imports are
compared where an evening ends; ``PARAVENT_GOLDEN=whole`` compares all of it wherever a log was cut, and takes minutes.
"""

import gzip
import json
import lzma
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from replay import NOON, Sitting, as_then, differs, verdict

from paravent.game import find_system
from paravent.game.people import People
from paravent.game.telling import Teller
from paravent.store import open_log

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
AT_LEAST = 5
"""How many commands are played on from each log."""
ALIKE = ("closed", "withdrawn", "cancelled", "undone", "turned over", "turned over to one", "graded", "deadline")
"""What is much the same in every game, and looked at in two."""
WHOLE = os.environ.get("PARAVENT_GOLDEN") == "whole"


@cache
def recorded(tape: str) -> dict[str, Any]:
    """Everything that was seen of a tape."""
    found: dict[str, Any] = json.loads(lzma.decompress((HERE / f"{tape}.json.xz").read_bytes()))
    return found


@cache
def rows(tape: str) -> list[str]:
    """The log of a tape, as it was kept."""
    return gzip.decompress((HERE / f"{tape}.jsonl.gz").read_bytes()).decode().splitlines()


def listed() -> list[tuple[str, int, str]]:
    """Every log: its tape, the place of its cut among the tape's, how an open move stands there."""
    return [(tape, at, phase) for tape, at, phase in json.loads((HERE / "index.json").read_text("utf-8"))]


def logs(only: str = "") -> list[Any]:
    """Every log, or those cut only there: its tape, and the place of its cut among the tape's."""
    return [pytest.param(tape, at, id=f"{tape} {phase}") for tape, at, phase in listed()
            if _is_tested(tape, phase, only)]


def _is_tested(tape: str, phase: str, only: str) -> bool:
    if phase.startswith("move "):  # nothing but views was kept there
        return WHOLE and not only
    if only:
        return WHOLE or (phase == only and tape.endswith("/evening"))
    return WHOLE or phase not in ALIKE or tape in ("empire/evening", "veil/evening")


@contextmanager
def opened(tape: str, at: int) -> Iterator[tuple[dict[str, Any], dict[str, Any], Sitting]]:
    """A tape, one of its cuts, and the table of the log that ends there."""
    found, cut = recorded(tape), recorded(tape)["cuts"][at]
    with Sitting(ROOT) as table:
        table.reads(rows(tape)[: found["plays"][cut["after"]]["rows"]])
        yield found, cut, table


def same_views(table: Sitting, views: dict[str, str]) -> None:
    for seat, seen in views.items():
        assert differs(table.view(seat), json.loads(seen)) == []


def refused(forms: dict[str, Any]) -> set[str]:
    """The acts of which no form is given."""
    return {own for own, form in forms.items() if "refused" in form}


def is_ours(tape: str) -> bool:
    """Whether the game of a tape is the tests' own, which never changes: the others may ask otherwise since."""
    return tape.startswith("veil/")


@pytest.mark.parametrize(("tape", "at"), logs())
def test_a_log_opens_as_everybody_saw_it_and_plays_on(tape: str, at: int) -> None:
    with opened(tape, at) as (found, cut, table):
        same_views(table, found["views"][cut["after"]])
        for seat, forms in cut.get("forms", {}).items():
            asked = {own: table.form(seat, int(own)) for own in forms}
            weighed = {own: table.odds(seat, int(own)) for own in forms}
            if is_ours(tape):
                assert (asked, weighed) == (forms, cut["odds"][seat])
            assert refused(asked) <= refused(forms)
        until = cut["until"] if WHOLE else min(cut["until"], cut["after"] + AT_LEAST)
        for number in range(cut["after"] + 1, until + 1):
            played = found["plays"][number]
            before = {seat: table.view(seat) for seat in found["views"][number]}
            reply = table.plays(played)
            if is_ours(tape):
                assert reply == played.get("reply", {}), played
                same_views(table, found["views"][number])
            elif "refused" in reply:  # in words, and it changes nothing
                assert {seat: table.view(seat) for seat in before} == before
            else:
                assert all(table.view(seat)["last"] >= seen["last"] for seat, seen in before.items())


@pytest.mark.parametrize(("tape", "at"), logs("end"))
def test_the_evening_is_read_in_both_languages_from_every_seat_and_nothing_that_was_said_is_lost(
    tape: str, at: int
) -> None:
    with opened(tape, at) as (_, cut, table):
        for lang, texts in cut["texts"].items():
            for seat in texts:
                told = table.text(seat, cut["tokens"][seat], lang)
                assert told is not None or [lang, seat] in cut["failed"]
                said = [line["text"] for line in table.view(seat)["log"]
                        if line["type"] == "said" and not line.get("undone")]
                assert told is None or [text for text in said if text not in told] == []


def assert_proves(found: Any, recorded_then: Any) -> None:
    """The same verdict, or no worse.

    That version took dice that were shown one side after the other for changed; dice of people whom the reader may not
    know are sealed since, and so is a throw that had none for whoever could not have seen them.
    """
    assert "refused" in found or found["differs"] is None, "nobody is called a forger"
    if found == recorded_then or "refused" in found:
        assert found == recorded_then
    elif recorded_then["differs"] is not None:
        assert (recorded_then["differs"]["why"], found["differs"]) == ("history", None)
    else:
        proved = [sum(verdict[count] for count in ("verified", "sealed", "by_hand", "unannounced"))
                  for verdict in (found, recorded_then)]
        assert proved[0] >= proved[1]
        assert found["sealed"] > recorded_then["sealed"]


@pytest.mark.parametrize(("tape", "at"), logs("end"))
def test_each_was_told_the_same_and_their_exports_prove_the_same(tape: str, at: int) -> None:
    with opened(tape, at) as (found, cut, table):
        for seat, proves in cut["verdicts"].items():
            exported = table.exported(seat)
            told = [as_then(json.loads(line)) for line in exported[1:]]
            then = [json.loads(line) for line in found["told"][seat]]
            assert [place for now, was in zip(told, then, strict=False) for place in differs(now, was)] == []
            assert not told or told[-1]["id"] >= json.loads(found["views"][cut["after"]][seat])["last"]
            assert_proves(verdict(exported), proves)
        for seat, proves in cut["master_verdicts"].items():
            lines = table.master_export(seat)
            assert (verdict(lines) if isinstance(lines, list) else lines) == proves
        assert verdict(table.keeper_export()) == cut["keeper_verdict"]


@pytest.mark.parametrize(("tape", "at"), logs("end"))
def test_an_export_of_the_first_format_verifies_and_opens_elsewhere(tape: str, at: int) -> None:
    found, cut = recorded(tape), recorded(tape)["cuts"][at]
    label = f"{found['game']} {found['tape']} imported"
    with Sitting(ROOT) as nobody:
        kept = keeper_export(rows(tape)[: found["plays"][cut["after"]]["rows"]])
        assert verdict(kept) == cut["keeper_verdict"]
        assert differs(nobody.imports(kept, label), cut["imported"]) == []
        for seat, lines in cut["master_exports"].items():
            if isinstance(lines, list):
                assert verdict(lines) == cut["master_verdicts"][seat]
                brought = nobody.imports(lines, f"{label} by {seat}")
                assert differs({"seat": seat, **brought}, cut["master_imported"]) == []
        for seat, proves in cut["verdicts"].items():
            head = {**json.loads(kept[0]), "whole": False, "seat": seat}
            last = json.loads(found["views"][cut["after"]][seat])["last"]
            told = [line for line in found["told"][seat] if json.loads(line)["id"] <= last]
            assert_proves(verdict([json.dumps(head), *told]), proves)


def keeper_export(log: list[str]) -> list[str]:
    """What the first format's export for whoever keeps a log was: its rows, without links, under a line of its own."""
    kept = [json.loads(row) for row in log]
    head = {name: kept[0][name] for name in ("table", "name", "system", "version")}
    lines = [{"paravent": "table", "format": 1, **head, "whole": True},
             *({**row, "link": ""} if "link" in row else row for row in kept)]
    return [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]


def test_a_database_file_of_that_version_opens_and_its_tables_go_on(tmp_path: Path) -> None:
    file = tmp_path / "paravent.db"
    file.write_bytes(gzip.decompress((HERE / "served.db.gz").read_bytes()))
    served = json.loads(lzma.decompress((HERE / "served.json.xz").read_bytes()))
    for kept in served["tables"]:
        found = recorded(kept["tape"])
        views = kept["views"] or {seat: json.loads(view) for seat, view in found["views"][-1].items()}
        log = open_log(file)
        with Sitting(ROOT, log) as table:
            table.table = kept["table"]
            assert differs({seat: table.view(seat) for seat in views}, views) == []
            for seat, token in kept["tokens"].items():
                assert table.run(table.host.enter(token)) == (kept["table"], seat)
            bob = found["people"]["Bob"]["seat"]
            said = {"label": "served", "now": NOON, "seat": bob, "command": {"type": "say", "text": "Nous revoilà."}}
            assert table.plays(said)["last"] > views[bob]["last"]
            assert table.view(bob)["log"][-1]["text"] == "Nous revoilà."
            table.run(log.close())


# What was said is still said


def sentences(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every sentence that is kept somewhere in a value."""
    if isinstance(value, dict):
        match value:
            case {"key": str(key), "values": dict(values)}:
                yield (key if "." in key else f"notes.{key}"), values
        for part in value.values():
            yield from sentences(part)
    elif isinstance(value, list):
        for part in value:
            yield from sentences(part)


GAP = re.compile(r"\{\w+\}|^[\w-]+[.][\w.-]+$")


@pytest.mark.parametrize("game", ["conteur", "solaires", "simulacres", "empire"])
def test_every_sentence_that_was_kept_has_its_words_and_no_gap_in_them(game: str) -> None:
    system = find_system(game)
    roles = {role.id: People(()) for move in system.moves.values() for role in move.cast}
    teller = Teller("fr", system).among(roles)
    said = {(key, repr(values)): (key, values) for tape in sorted({tape for tape, _, _ in listed()})
            if tape.startswith(game) for row in rows(tape) for key, values in sentences(json.loads(row))}
    raw = {key: text for key, values in said.values()
           if not teller.words.find("fr", f"choices.{key.removeprefix('notes.')}")  # a question asked
           if GAP.search(text := teller.say(key, **values))}
    assert said
    assert raw == {}
