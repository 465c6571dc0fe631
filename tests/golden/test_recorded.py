"""Logs of the first format, written by the version before the second: they open, read and play on as they did.

``README.md`` says what is recorded. By default each log is opened and played on, and its words, exports and imports are
compared where it ends; ``PARAVENT_GOLDEN=whole`` compares those wherever it was cut, and takes minutes.
"""

import gzip
import json
import lzma
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from replay import Sitting, verdict

ROOT = HERE.parents[1]
WHOLE = os.environ.get("PARAVENT_GOLDEN") == "whole"


@lru_cache(2)
def recorded(tape: str) -> dict[str, Any]:
    """Everything that was seen of a tape."""
    found: dict[str, Any] = json.loads(lzma.decompress((HERE / f"{tape}.json.xz").read_bytes()))
    return found


@lru_cache(2)
def rows(tape: str) -> list[str]:
    """The log of a tape, as it was kept."""
    return gzip.decompress((HERE / f"{tape}.jsonl.gz").read_bytes()).decode().splitlines()


def index() -> list[tuple[str, int, str]]:
    """Every log: its tape, where it is cut, and how an open move stands there."""
    listed: list[list[Any]] = json.loads((HERE / "index.json").read_text("utf-8"))
    return [(tape, at, phase) for tape, at, phase in listed]


def cuts(*phases: str) -> list[Any]:
    return [pytest.param(tape, at, id=f"{tape} {phase}") for tape, at, phase in index()
            if not phases or phase in phases or WHOLE]


def same_views(table: Sitting, views: dict[str, str]) -> None:
    for seat, seen in views.items():
        assert table.view(seat) == json.loads(seen)


@pytest.mark.parametrize(("tape", "at"), cuts())
def test_a_log_opens_as_everybody_saw_it_and_plays_on_as_it_was_played(tape: str, at: int) -> None:
    found, one = recorded(tape), recorded(tape)["cuts"][at]
    with Sitting(ROOT) as table:
        table.reads(rows(tape)[: found["plays"][one["after"]]["rows"]])
        same_views(table, found["views"][one["after"]])
        for number, played in enumerate(found["plays"][one["after"] + 1 : one["until"] + 1], one["after"] + 1):
            assert table.plays(played) == played.get("reply", {}), played
            same_views(table, found["views"][number])


@pytest.mark.parametrize(("tape", "at"), cuts())
def test_what_an_open_move_asks_of_each_and_its_odds_are_the_same(tape: str, at: int) -> None:
    found, one = recorded(tape), recorded(tape)["cuts"][at]
    with Sitting(ROOT) as table:
        table.reads(rows(tape)[: found["plays"][one["after"]]["rows"]])
        for seat, forms in one["forms"].items():
            assert {own: table.form(seat, int(own)) for own in forms} == forms
            assert {own: table.odds(seat, int(own)) for own in forms} == one["odds"][seat]


@pytest.mark.parametrize(("tape", "at"), cuts("end"))
def test_the_evening_reads_the_same_in_both_languages_from_every_seat(tape: str, at: int) -> None:
    found, one = recorded(tape), recorded(tape)["cuts"][at]
    with Sitting(ROOT) as table:
        table.reads(rows(tape)[: found["plays"][one["after"]]["rows"]])
        for lang, texts in one["texts"].items():
            for seat, text in texts.items():
                told = table.text(seat, one["tokens"][seat], lang)
                # Where that version's page failed, the text is what it meant to say.
                assert told == text or (told is None and [lang, seat] in one["failed"])


@pytest.mark.parametrize(("tape", "at"), cuts("end"))
def test_each_was_told_the_same_and_their_exports_prove_the_same(tape: str, at: int) -> None:
    found, one = recorded(tape), recorded(tape)["cuts"][at]
    with Sitting(ROOT) as table:
        table.reads(rows(tape)[: found["plays"][one["after"]]["rows"]])
        for seat, proves in one["verdicts"].items():
            told = [json.loads(line) for line in table.told(seat)]
            assert told == [json.loads(line) for line in found["told"][seat]][: len(told)]
            assert not told or told[-1]["id"] == json.loads(found["views"][one["after"]][seat])["last"]
            assert verdict(table.exported(seat)) == proves
        for seat, proves in one["master_verdicts"].items():
            lines = table.master_export(seat)
            assert (verdict(lines) if isinstance(lines, list) else lines) == proves
        assert verdict(table.keeper_export()) == one["keeper_verdict"]


@pytest.mark.parametrize(("tape", "at"), cuts("end"))
def test_an_export_of_the_first_format_verifies_and_opens_elsewhere(tape: str, at: int) -> None:
    found, one = recorded(tape), recorded(tape)["cuts"][at]
    label = f"{found['game']} {found['tape']} imported"
    with Sitting(ROOT) as nobody:
        kept = keeper_export(rows(tape)[: found["plays"][one["after"]]["rows"]])
        assert verdict(kept) == one["keeper_verdict"]
        assert nobody.imports(kept, label) == one["imported"]
        for seat, lines in one["master_exports"].items():
            if isinstance(lines, list):
                assert verdict(lines) == one["master_verdicts"][seat]
                brought = nobody.imports(lines, f"{label} by {seat}")
                assert {"seat": seat, **brought} == one["master_imported"]
        for seat, proves in one["verdicts"].items():
            head = {**json.loads(kept[0]), "whole": False, "seat": seat}
            last = json.loads(found["views"][one["after"]][seat])["last"]
            told = [line for line in found["told"][seat] if json.loads(line)["id"] <= last]
            assert verdict([json.dumps(head), *told]) == proves


def keeper_export(log: list[str]) -> list[str]:
    """What the first format's export for whoever keeps a log was: its rows, without links, under a line of its own."""
    kept = [json.loads(row) for row in log]
    head = {name: kept[0][name] for name in ("table", "name", "system", "version")}
    lines = [{"paravent": "table", "format": 1, **head, "whole": True},
             *({**row, "link": ""} if "link" in row else row for row in kept)]
    return [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
