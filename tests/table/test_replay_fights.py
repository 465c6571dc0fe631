"""Fights played again: whoever saw all that was read finds a forger; to others it is listed, and never vouched for."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from players import goes_on
from scene import Person, Table
from twins.games import sheets_of

from paravent.dice import ParaventError
from paravent.game import find_system
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.closing import closed
from paravent.table.export import export_for_gm, export_seen
from paravent.table.verify import Proved, proved

Row = dict[str, Any]
STEPS = {"empire": "exchange", "simulacres": "resolve"}


def plays(table: Table, number: int, seed: int = 1) -> None:
    luck = random.Random(seed)
    while not table.state.move(number).is_over:
        person, asked, values = goes_on(table, luck, number, "grain")
        with suppress(ParaventError):  # whoever is asked by chance may have nothing to say just then
            table.do(person, asked(seat=person.seat, **values))


def exchanges_blows(table: Table, number: int) -> None:
    """Everybody fights as usual."""
    ana = table.people["Ana"]
    while not table.state.move(number).is_over:
        if table.state.move(number).phase == "settled":
            ana.accepts(number)
        elif "throw" in ana.form(number):
            ana.throws(number)
        else:
            ana.does(c.CloseStep, number=number)


@pytest.fixture(scope="module", params=STEPS)
def fight(request: pytest.FixtureRequest) -> Table:
    """Somebody whom a player leads against a foe whom all see."""
    game: str = request.param
    table = Table(find_system(game), house=e.House("confiance", "at-will"))
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    sheets = sheets_of(game, "character")
    ana.does(c.AddRecord, kind="character", sheet=sheets[0], owner=bob.seat, seen_by=("all",))
    ana.does(c.AddRecord, kind="character", sheet=sheets[1 % len(sheets)], seen_by=("all",))
    hero, foe = table.state.records
    sides = {"initiator": [hero], "opponent": [foe]}
    if game == "simulacres":
        plays(table, ana.starts("open-a-fight", sides))
        for _ in range(2):
            exchanges_blows(table, ana.starts("exchange", sides, encounter=1))
    else:
        plays(table, ana.starts("start-fight", sides))
        for seed in (1, 2, 3):
            plays(table, bob.starts("combat-exchange", sides, encounter=1), seed)
    return table


def rows_of(table: Table, person: Person) -> list[Row]:
    texts = [e.written(event) for event in table.events]
    return [json.loads(line) for line in list(export_seen(texts, person.seat, table.system))[:-1]]


def found(rows: list[Row]) -> Proved:
    return proved(closed(json.dumps(row) for row in rows))


def throws(rows: list[Row], number: int) -> Iterator[Row]:
    for row in rows:
        move = row.get("move")
        if isinstance(move, dict) and move["number"] == number:
            yield from (throw for throw in move["throws"] if "outcome" in throw)


def blows(table: Table, rows: list[Row]) -> list[int]:
    """The numbers of the exchanges that somebody was told the end of."""
    step = STEPS[table.system.id]
    moves = [row["move"] for row in rows if isinstance(row.get("move"), dict)]
    return sorted({move["number"] for move in moves for throw in move["throws"]
                   if throw["step"] == step and "outcome" in throw})


FORGERIES: dict[str, Callable[[Row], None]] = {
    "outcome": lambda throw: throw.update(outcome="forged"),
    "a sentence more": lambda throw: throw.setdefault("told", []).append({"key": "told.forged", "values": {}}),
    "a reason otherwise": lambda throw: throw["why"][0].update(key="forged") if throw.get("why") else throw.update(
        outcome="forged"),
}


def test_the_game_master_who_saw_everything_plays_every_exchange_again(fight: Table) -> None:
    ana = fight.people["Ana"]
    verdict = found(rows_of(fight, ana))
    assert (verdict.differs, verdict.depends) == (None, ())
    assert verdict.replayed >= 3
    whole = proved(export_for_gm([e.written(event) for event in fight.events], ana.seat))
    assert (whole.differs, whole.unread, whole.replayed) == (None, 0, verdict.replayed)


@pytest.mark.parametrize("what", FORGERIES)
def test_an_exchange_that_a_game_master_was_told_otherwise_is_found(fight: Table, what: str) -> None:
    rows = rows_of(fight, fight.people["Ana"])
    number = blows(fight, rows)[-1]
    for throw in throws(rows, number):
        FORGERIES[what](throw)
    verdict = found(rows)
    assert verdict.differs is not None
    assert (verdict.differs.move, verdict.differs.why) == (number, "rule")


def test_a_player_who_saw_less_is_never_told_that_a_forged_exchange_was_played_again(fight: Table) -> None:
    bob = fight.people["Bob"]
    honest = found(rows_of(fight, bob))
    assert honest.holds
    for number in blows(fight, rows_of(fight, bob)):
        rows = rows_of(fight, bob)
        for throw in throws(rows, number):
            throw["outcome"] = "forged"
        verdict = found(rows)
        listed = number in {move for move, _ in verdict.depends}
        assert listed or (verdict.differs is not None and verdict.differs.move == number)
