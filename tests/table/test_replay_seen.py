"""A forger who writes one seat's own account anew, closing line and all, is found by the rules; nobody honest is."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import goes_on
from scene import Table
from twins import FACES_OF, MODES, Evening, blind_faces, games, rota
from twins.games import sheets_of

from paravent.dice import ParaventError
from paravent.game import find_system
from paravent.game.errors import Withheld
from paravent.game.telling import Teller
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table import playing
from paravent.table.closing import closed
from paravent.table.export import export_for_gm, export_seen
from paravent.table.perhaps import perhaps
from paravent.table.verify import Proved, proved, told

Row = dict[str, Any]
SIMULACRES, EMPIRE = find_system("simulacres"), find_system("empire")


def plays(table: Table, number: int) -> None:
    """Whoever is asked plays, until an act is over."""
    luck = random.Random(1)
    while not table.state.move(number).is_over:
        person, asked, values = goes_on(table, luck, number, "grain")
        with suppress(ParaventError):  # whoever is asked by chance may have nothing to say just then
            table.do(person, asked(seat=person.seat, **values))


@pytest.fixture(scope="module")
def table() -> Table:
    """A test of Simulacres, and a lamp that is used: a change that applies at once."""
    table = Table(SIMULACRES, house=e.House("confiance", "at-will"))
    ana = table.joins("Ana", as_="gm")
    bob = table.joins("Bob")
    ana.does(c.AddRecord, kind="character", ready="nour", owner=bob.seat, seen_by=("all",))
    nour = next(iter(table.state.records))
    number = ana.starts("simple-test", {"initiator": [nour]})
    bob.fills(number, nour, component="body", means="action", realm="mechanical")
    plays(table, number)
    plays(table, bob.starts("use-equipment", {"initiator": [nour]}))
    return table


def lines_of(table: Table, seat: str = "") -> list[str]:
    seat = seat or table.people["Bob"].seat
    return list(export_seen([e.written(event) for event in table.events], seat, table.system))


def rows_of(table: Table) -> list[Row]:
    return [json.loads(line) for line in lines_of(table)[:-1]]


def found(rows: list[Row]) -> Proved:
    """What whoever reads a file of these rows finds: it is closed as any is."""
    return proved(closed(json.dumps(row) for row in rows))


def moves(rows: list[Row], number: int = 1) -> Iterator[Row]:
    """Every telling of an act that is thrown."""
    for row in rows:
        move = row.get("move")
        if isinstance(move, dict) and move["number"] == number and move["throws"]:
            yield move


def test_what_a_seat_saw_is_played_again(table: Table) -> None:
    verdict = found(rows_of(table))
    assert verdict.holds
    assert verdict.replayed == 2
    assert not verdict.depends
    assert proved(lines_of(table)).code == proved(lines_of(table)).code


def _answered(move: Row) -> None:
    move["throws"][0]["answers"] = [{"who": "initiator", "key": "forged", "answer": 3}]


FORGERIES: dict[str, tuple[int, Callable[[Row], None]]] = {
    "outcome": (1, lambda move: move["throws"][0].update(outcome="success")),
    "result": (1, lambda move: move["throws"][0]["result"].update(margin=99)),
    "success": (1, lambda move: move["throws"][0].update(success=not move["throws"][0]["success"])),
    "sentence": (1, lambda move: move["throws"][0]["told"][0]["values"].update(margin=99)),
    "no sentence": (1, lambda move: move["throws"][0].pop("told")),
    "reason": (1, lambda move: move["throws"][0]["why"][0]["values"].update(points=9)),
    "answer": (1, _answered),
    "input": (1, lambda move: next(iter(move["fields"].values())).update(realm="human")),
    "change": (2, lambda move: move["changes"][0].update(after=0)),
    "change of something else": (2, lambda move: move["changes"][0].update(path="money")),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forger_who_writes_the_chain_anew_is_found(table: Table, what: str) -> None:
    number, forge = FORGERIES[what]
    rows = rows_of(table)
    for move in moves(rows, number):
        forge(move)
    verdict = found(rows)
    assert not verdict.holds
    assert verdict.differs is not None
    assert (verdict.differs.move, verdict.differs.why) == (number, "rule")


def test_what_began_before_the_seat_was_told_accuses_nobody(table: Table) -> None:
    rows = [row for row in rows_of(table) if row.get("type") != "move-started" or row["move"]["number"] != 1]
    for move in moves(rows):
        move["throws"][0]["outcome"] = "forged"
    verdict = found(rows)
    assert verdict.differs is None
    assert [number for number, _ in verdict.depends] == [1]


def test_a_sheet_rewritten_before_the_dice_does_not_give_the_result(table: Table) -> None:
    rows = rows_of(table)
    added = next(row for row in rows if row.get("type") == "record-added")
    added["seen"]["sheet"]["body"] = 1
    verdict = found(rows)
    assert verdict.differs is not None
    assert verdict.differs.move == 1


def test_a_result_of_other_rules_is_neither_verified_nor_false(table: Table) -> None:
    rows = rows_of(table)
    assert rows[-1]["type"] == "rules"
    rows[-1]["marks"] = [[1, "0123456789ab"]]
    for move in moves(rows):
        move["throws"][0]["outcome"] = "as it was then"
    verdict = found(rows)
    assert verdict.holds
    assert (verdict.replayed, verdict.another_version) == (1, 1)


def test_without_its_game_an_account_still_verifies(table: Table) -> None:
    rows = rows_of(table)
    rows[0]["system"] = "nowhere"
    verdict = found(rows)
    assert verdict.holds
    assert (verdict.replayed, verdict.unread) == (0, 2)


def test_what_depends_on_something_hidden_is_listed_and_accuses_nobody() -> None:
    table = Table(EMPIRE)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    ana.does(c.AddRecord, kind="character", sheet=sheets_of("empire", "character")[0], owner=bob.seat, seen_by=("all",))
    number = ana.starts("skill-test", {"initiator": [next(iter(table.state.records))]})
    plays(table, number)
    lines = lines_of(table)
    assert '"outcome"' in "".join(lines)
    verdict = proved(lines)
    assert verdict.holds
    assert (1, "test") in verdict.depends
    assert any("1 (test)" in line for line in told(verdict, Teller("fr").say))


# Inside an encounter


@pytest.fixture(scope="module")
def lasting() -> Table:
    """A complex action of the Conteur: begun, pursued, given up."""
    table = Table(find_system("conteur"), house=e.House("confiance", "at-will"))
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    sheet = sheets_of("conteur", "character")[0]
    ana.does(c.AddRecord, kind="character", sheet=sheet, owner=bob.seat, seen_by=("all",))
    cast = {"initiator": list(table.state.records)}
    plays(table, bob.starts("start-complex-action", cast))
    plays(table, bob.starts("continue-complex-action", cast, encounter=1))
    plays(table, bob.starts("abandon", cast, encounter=1))
    return table


def test_what_a_seat_saw_of_an_encounter_is_played_again(lasting: Table) -> None:
    verdict = found(rows_of(lasting))
    assert verdict.holds
    assert (verdict.replayed, verdict.depends) == (3, ())


IN_AN_ENCOUNTER: dict[str, Callable[[Row], None]] = {
    "outcome": lambda move: move["throws"][0].update(outcome="forged"),
    "result": lambda move: move["throws"][0].update(result=7),
    "sentence": lambda move: move["throws"][0]["told"][0]["values"].update(what="forged"),
    "reason": lambda move: move["throws"][0]["why"][0]["values"].update(n=7),
}


@pytest.mark.parametrize("what", IN_AN_ENCOUNTER)
def test_a_forger_is_found_inside_an_encounter(lasting: Table, what: str) -> None:
    rows = rows_of(lasting)
    for move in moves(rows, 3):
        IN_AN_ENCOUNTER[what](move)
    verdict = found(rows)
    assert verdict.differs is not None
    assert (verdict.differs.move, verdict.differs.why) == (3, "rule")


def test_a_turn_that_somebody_hidden_may_have_opposed_is_listed(lasting: Table) -> None:
    rows = rows_of(lasting)
    for move in moves(rows, 2):
        move["throws"][0].update(outcome="forged")
    verdict = found(rows)
    assert verdict.holds
    assert [number for number, _ in verdict.depends] == [2]


def test_an_encounter_rewritten_does_not_give_what_was_made_of_it(lasting: Table) -> None:
    rows = rows_of(lasting)
    for row in rows:
        told = [row["seen"]] if "state" in (row.get("seen") or {}) else (row.get("encounters") or {}).values()
        for met in told:
            met["state"]["label"] = "forged"
    verdict = found(rows)
    assert verdict.differs is not None
    assert verdict.differs.move == 2, "the first that tells of it"


@dataclass(frozen=True)
class _Standing:
    """Somebody in a list."""

    id: str
    side: str = ""


@dataclass(frozen=True)
class _Brawl:
    """An encounter that lists people in two ways, and figures that are nobody's."""

    people: tuple[_Standing, ...] = ()
    order: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()


def test_somebody_who_was_not_shown_may_stand_anywhere_and_only_their_name_can_be_read() -> None:
    shown = _Brawl((_Standing("ana"), _Standing("bob")), ("ana", "bob"), (3, 4))
    tried = list(perhaps(shown, frozenset()))
    assert all(one.scores == (3, 4) for one in tried)
    orders = {tuple(name if name in ("ana", "bob") else "?" for name in one.order) for one in tried}
    assert {("?", "ana", "bob"), ("ana", "?", "bob"), ("ana", "bob", "?"), ("ana", "bob")} <= orders
    for one in tried:
        assert [person.side for person in one.people if person.id in ("ana", "bob")] == ["", ""]
        for stranger in (person for person in one.people if person.id not in ("ana", "bob")):
            with pytest.raises(Withheld):
                _ = stranger.side
    assert not list(perhaps(shown, frozenset({"people", "order"})))


@pytest.mark.parametrize("name", ["fanal", "conteur"])
def test_nobodys_honest_account_is_called_forged(name: str) -> None:
    """People nobody knows of, sealed choices, judgements behind the screen, encounters: whatever happens."""
    system, mode = games()[name], next(iter(MODES))
    evening = Evening.__new__(Evening)
    playing.faces_of = blind_faces(evening)
    evening.__init__(system, mode, 3, (3, 4))  # type: ignore[misc]
    try:
        evening.plays(rota(system, random.Random(3))[:5], 6, 16)
    finally:
        playing.faces_of = FACES_OF
    side, played = evening.one, 0
    for seat in side.state.seats:
        verdict = proved(export_seen(side.rows, seat, system))
        assert verdict.differs is None or verdict.differs.why != "rule"
        played += verdict.replayed
    assert played


# No input makes it stumble

VALUES = st.sampled_from([None, -1, 0, 10**30, "", "é", [], {}, [None], {"a": 1}, True, 1.5, "\ud800"])


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from _places(part, (*path, name))


def _put(row: Row, path: tuple[Any, ...], value: Any, drop: bool) -> None:
    inner: Any = row
    for name in path[:-1]:
        inner = inner[name]
    if drop:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value


@pytest.fixture(scope="module")
def whole(table: Table) -> list[str]:
    return list(export_for_gm([e.written(event) for event in table.events], table.people["Ana"].seat))[:-1]


@pytest.mark.hypothesis
@pytest.mark.parametrize("kind", ["own", "whole"])
@settings(deadline=None)
@given(seed=st.integers(0, 2**32), value=VALUES, drop=st.booleans(), times=st.integers(1, 4))
def test_no_value_anywhere_makes_the_verifier_stumble(
    table: Table, whole: list[str], kind: str, seed: int, value: Any, drop: bool, times: int
) -> None:
    luck = random.Random(seed)
    rows = [json.loads(line) for line in (whole if kind == "whole" else lines_of(table)[:-1])]
    for _ in range(times):
        row = luck.choice(rows)
        places = [path for path in _places(row) if path]
        if places:
            _put(row, luck.choice(places), deepcopy(value), drop)
    with suppress(ParaventError):
        found(rows)


@pytest.mark.hypothesis
@settings(deadline=None)
@given(st.lists(st.one_of(st.text(), st.binary().map(lambda some: some.decode(errors="surrogateescape"))), max_size=6))
def test_no_text_makes_the_verifier_stumble(lines: list[str]) -> None:
    head = '{"paravent":"table","format":2,"system":"simulacres","whole":%s,"seat":"a","closes":true}'
    for some in (lines, [head % "false", *lines], [head % "true", *lines]):
        with suppress(ParaventError):
            proved(some)
