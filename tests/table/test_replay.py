"""A forger who writes a whole log anew, closing line and all, is found by the rules."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from players import goes_on
from scene import Table

from paravent.dice import ParaventError
from paravent.game import find_system
from paravent.game.datafiles import rules_mark
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.export import export_for_gm, export_whole
from paravent.table.verify import Proved, proved

Row = dict[str, Any]
SIMULACRES = find_system("simulacres")


@pytest.fixture(scope="module")
def table() -> Table:
    """A test of Simulacres, thrown and applied."""
    table = Table(SIMULACRES)
    ana = table.joins("Ana", as_="gm")
    bob = table.joins("Bob")
    ana.does(c.AddRecord, kind="character", ready="nour", owner=bob.seat, seen_by=("all",))
    nour = next(iter(table.state.records))
    number = ana.starts("simple-test", {"initiator": [nour]})
    bob.fills(number, nour, component="body", means="action", realm="mechanical")
    plays(table, number)
    return table


def plays(table: Table, number: int, until: str = "") -> None:
    """Whoever is asked plays, until an act is over, or has come so far."""
    luck = random.Random(1)
    while not table.state.move(number).is_over and table.state.move(number).phase != until:
        person, asked, values = goes_on(table, luck, number, "grain")
        with suppress(ParaventError):  # whoever is asked by chance may have nothing to say just then
            table.do(person, asked(seat=person.seat, **values))


def rows_of(table: Table) -> list[Row]:
    return [json.loads(e.written(event)) for event in table.events]


def found(rows: list[Row]) -> Proved:
    """What whoever reads a file of these rows finds: it is closed as any is."""
    return proved(export_whole([json.dumps(row) for row in rows]))


def thrown(rows: list[Row]) -> list[Row]:
    """Every telling of the throw that is done."""
    return [throw for row in rows for throw in row.get("then", {}).get("throws", ()) if throw.get("done")]


def test_what_the_rules_gave_they_give_again(table: Table) -> None:
    verdict = found(rows_of(table))
    assert verdict.holds
    assert verdict.replayed == 1
    assert proved(export_for_gm([e.written(event) for event in table.events], "ana")).replayed == 1


FORGERIES: dict[str, Callable[[Row], None]] = {
    "outcome": lambda throw: throw.update(outcome="forged"),
    "result": lambda throw: throw["result"].update(margin=99),
    "success": lambda throw: throw.update(success=not throw["success"]),
    "sentence": lambda throw: throw["tellings"][0].update(key="forged"),
    "reason": lambda throw: next(row for row in throw["record"] if "key" in row)["values"].update(forged=1),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_what_was_made_of_fair_dice_cannot_be_rewritten(table: Table, what: str) -> None:
    rows = rows_of(table)
    for throw in thrown(rows):
        FORGERIES[what](throw)
    verdict = found(rows)
    assert not verdict.holds
    assert verdict.differs is not None
    assert (verdict.differs.move, verdict.differs.why) == (1, "rule")


def test_a_result_of_another_version_of_the_rule_is_neither_verified_nor_false(table: Table) -> None:
    rows = rows_of(table)
    for throw in thrown(rows):
        throw.update(outcome="as it was then", version="0123456789ab")
    verdict = found(rows)
    assert verdict.holds
    assert (verdict.replayed, verdict.another_version) == (0, 1)


def test_without_its_game_a_log_still_verifies_and_says_what_was_not_played_again(table: Table) -> None:
    rows = rows_of(table)
    rows[0]["system"] = "nowhere"
    verdict = found(rows)
    assert verdict.holds
    assert (verdict.replayed, verdict.unread) == (0, 1)


def test_the_mark_of_the_rules_is_that_of_their_files() -> None:
    marks = {name: rules_mark(find_system(name).package) for name in ("simulacres", "conteur")}
    assert len(set(marks.values())) == 2
    assert all(len(mark) == 12 for mark in marks.values())


@pytest.mark.parametrize("forge", [
    lambda change: change.update(after=0), lambda change: change.update(path="money"),
], ids=["a change", "a change of something else"])
def test_what_an_act_asks_to_change_cannot_be_rewritten(forge: Callable[[Row], None]) -> None:
    table = Table(SIMULACRES)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    ana.does(c.AddRecord, kind="character", ready="nour", owner=bob.seat, seen_by=("all",))
    plays(table, bob.starts("use-equipment", {"initiator": [next(iter(table.state.records))]}))
    rows = rows_of(table)
    asked = [change for row in rows for change in row.get("then", {}).get("changes", ())]
    assert asked
    assert found(rows).holds
    for change in asked:
        forge(change)
    differs = found(rows).differs
    assert differs is not None
    assert (differs.move, differs.why) == (1, "rule")


@pytest.mark.parametrize("amended", [{}, {"0": []}], ids=["as asked", "amended"])
def test_what_a_game_master_amended_is_counted_and_accuses_nobody(amended: Row) -> None:
    table = Table(SIMULACRES)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    ana.does(c.AddRecord, kind="character", ready="nour", owner=bob.seat, seen_by=("all",))
    number = bob.starts("use-equipment", {"initiator": [next(iter(table.state.records))]})
    plays(table, number, until="settled")
    ana.does(c.Accept, number=number, amend=amended)
    verdict = found(rows_of(table))
    assert verdict.holds
    assert verdict.amended == len(amended)
