"""Files that were written once open for ever, and a forged one is found out."""

import json
from pathlib import Path

import pytest
from format_1 import is_kept, state_of_1
from format_1 import whole as whole_state
from scene import Table
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.decide import Fresh
from paravent.table.evolve import evolve
from paravent.table.export import export_seen, export_whole, imported, read_export
from paravent.table.state import State
from paravent.table.verify import Differs, Verdict, verify

GOLDEN = Path(__file__).parent / "golden"


def an_evening() -> Table:
    """A bit of everything, always the same."""
    table = Table(VEIL)
    ana = table.joins("Ana", as_="gm")
    bob, cy = table.joins("Bob"), table.joins("Cy")
    table.joins("Zoe", as_="spectator")
    elya, tarn = bob.brings("Elya", body=5), cy.brings("Tarn")
    ana.brings("Spy", "extra", armour=2)
    ana.does(c.OpenScene, title="Le port", kind="episode")
    number = bob.starts("act", {"initiator": [elya]}, {elya: {"score": 1, "again": True}})
    bob.throws(number)
    bob.answers(number, True)
    ana.accepts(number)
    number = cy.starts("leap", {"initiator": [tarn]})
    cy.throws(number, by_hand=True)
    cy.answers(number, [3])
    number = bob.starts("sneak", {"initiator": [elya]}, {elya: {"score": 20}})
    bob.throws(number)
    number = bob.starts("duel", {"initiator": [elya], "opponent": [tarn]})
    bob.fills(number, stance=2)
    cy.fills(number, stance=1)
    bob.throws(number)
    number = bob.starts("retry", {"initiator": [elya]}, {elya: {"much": 3}})
    bob.throws(number)
    ana.answers(number, "refuse")
    ana.starts("brawl")
    bob.says("psst", kind="whisper", to=(cy.seat,))
    cy.does(c.PlayCard)
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    ana.does(c.CloseStep, number=number)
    ana.accepts(number)
    ana.does(c.UndoLast)
    cy.does(c.Leave)
    return table


def whole(table: Table) -> list[str]:
    return list(export_whole(e.written(event) for event in table.events))


def mine(table: Table, name: str) -> list[str]:
    return list(export_seen([e.written(event) for event in table.events], table.people[name].seat, VEIL))


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.jsonl")), ids=lambda file: file.stem)
def test_every_export_ever_written_opens(file: Path) -> None:
    """Never write one of these anew: a new version of the format adds its own."""
    state, began = State(), dict[int, str]()
    for event in read_export(file.read_text(encoding="utf-8").splitlines()):
        state = evolve(state, event)
        if isinstance(event, e.MoveStarted):
            began[event.number] = event.at
    kept = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    now = state_of_1(state) if file.stem.startswith("format-1") else whole_state(state)
    for then, item in zip(kept["log"], now["log"], strict=True):
        if "at" not in then:  # since then an act's line has its hour, which its beginning has always had
            assert item.pop("at") == began.get(item["move"], "")
    assert [name for name, part in kept.items() if not is_kept(part, now[name])] == []
    assert verify(file.read_text(encoding="utf-8").splitlines()).differs is None


def test_there_is_one_for_the_present_version_and_every_kind_of_event_is_in_one() -> None:
    assert (GOLDEN / f"format-{e.FORMAT}.jsonl").exists()
    files = GOLDEN.glob(f"format-{e.FORMAT}*.jsonl")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert set(e.TYPES) <= {json.loads(line).get("type") for line in lines}


def test_each_verifies_the_dice_from_their_own_export() -> None:
    table = an_evening()
    assert verify(whole(table)) == Verdict(verified=4, sealed=0, by_hand=1)
    # Whether something was thrown where she sees no dice is not for her to know: that counts as sealed, too.
    assert verify(mine(table, "Zoe")) == Verdict(verified=2, sealed=3, by_hand=1)
    assert verify(mine(table, "Bob")) == Verdict(verified=2, sealed=3, by_hand=1)


def test_a_face_that_was_changed_is_named() -> None:
    lines = mine(an_evening(), "Zoe")
    forged = []
    for line in lines:
        row = json.loads(line)
        if isinstance(row.get("move"), dict) and row["move"]["move"] == "act" and row["move"]["throws"]:
            face = row["move"]["throws"][0]["dice"][0]["faces"][0]
            row["move"]["throws"][0]["dice"][0]["faces"][0] = face % 6 + 1
        forged.append(json.dumps(row))
    assert verify(forged).differs == Differs(1, "roll", "faces")


def test_another_key_than_the_one_promised_is_named() -> None:
    lines = whole(an_evening())
    first = next(row for row in map(json.loads, lines) if row.get("type") == "throw-ready")
    key = first["then"]["keys"]["roll"]["key"]
    other = key[:-2] + ("00" if key[-2:] != "00" else "01")
    assert verify([line.replace(key, other) for line in lines]).differs == Differs(1, "roll", "hash")


def test_what_was_shown_may_not_change_afterwards() -> None:
    lines = mine(an_evening(), "Zoe")
    moves = [at for at, line in enumerate(lines) if json.loads(line).get("number") == 1 and "dice" in line]
    row = json.loads(lines[moves[-1]])
    row["move"]["throws"][0]["dice"][0]["faces"][0] = row["move"]["throws"][0]["dice"][0]["faces"][0] % 6 + 1
    lines[moves[-1]] = json.dumps(row)
    assert verify(lines).differs == Differs(1, "roll", "history")


@pytest.mark.parametrize("lines", [[], ["{}"], ["[]"], ["nonsense"], ['{"paravent": "table", "whole": true}'],
                                   ['{"paravent": "table", "whole": true}', '{"type": "said"}'],
                                   ['{"paravent": "table", "whole": true}', '{"type": "flown", "format": 1}']])
def test_what_is_not_an_export_is_refused(lines: list[str]) -> None:
    with pytest.raises(ParaventError):
        imported(read_export(lines), Fresh(), VEIL)
