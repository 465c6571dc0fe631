"""The account of a long table: what reading it straight through gives, however it is cut and little of it kept."""

import asyncio
import gc
import gzip
import random
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, SupportsIndex

import pytest
from test_grains import Scripted
from veil import VEIL

from paravent.dice import ParaventError
from paravent.table import account, longlog, state
from paravent.table import events as e
from paravent.table.account import Account
from paravent.table.evolve import evolve
from paravent.table.export import export_for_gm, export_seen
from paravent.table.longlog import A_PIECE, Texts, apart, let_go, rows_after, together
from paravent.table.ondemand import OnDemand
from paravent.table.replay import Replay
from paravent.table.replay_seen import SeenReplay
from paravent.table.state import State
from paravent.table.upcast import brought_over
from paravent.table.verify import proved
from paravent.web.desk import Desk
from paravent.web.desk.cards import Card
from paravent.web.desk.story import FoldedLine
from paravent.web.logbook import read_of

EVOLVE = sys.modules["paravent.table.evolve"]

GOLDEN = Path(__file__).parent.parent / "golden"
EVENINGS = sorted(path.parent.name for path in GOLDEN.glob("*/evening.jsonl.gz"))


def log_of(game: str) -> list[str]:
    """The log of a recorded evening, as it is kept now."""
    rows = gzip.decompress((GOLDEN / game / "evening.jsonl.gz").read_bytes()).decode().splitlines()
    return brought_over(rows)


def straight_through(texts: list[str]) -> State:
    read = State(endless=True)
    for text in texts:
        read = evolve(read, e.read(text))
    return read


@pytest.mark.parametrize("game", EVENINGS)
def test_an_account_is_what_reading_straight_through_gives(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = log_of(game)
    read = straight_through(texts)
    for module, name, few in (*((room, name, few) for room in (state, EVOLVE)
                                for name, few in (("LINES", 5), ("MOVES", 2), ("ENCOUNTERS", 1))),
                              (account, "TOGETHER", 7)):
        monkeypatch.setattr(module, name, few)
    rows = [*enumerate(texts, start=1)]
    assert Account().read_on(rows).state == read
    cut = random.Random(game)
    told, at = Account(), 0
    while at < len(rows):
        piece = cut.randint(1, 40)
        told, at = told.read_on(rows[at : at + piece]), at + piece
    assert told.state == read
    assert told == Account().read_on(rows)


class Kept:
    """A log in memory."""

    def __init__(self, texts: list[str]) -> None:
        self.rows = [*enumerate(texts, start=1)]
        self.most = 0

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        found = self.rows[after:][:limit]
        self.most = max(self.most, len(found))
        return found


def test_a_long_log_is_fetched_piece_by_piece() -> None:
    log = Kept(["a"] * 4500)
    assert asyncio.run(rows_after(log, "t", 100)) == log.rows[100:]
    assert log.most == 2000


def test_the_lines_of_a_long_log_are_made_apart_as_often_as_one_likes_and_up_to_where_it_was_then() -> None:
    log = Kept([str(at) for at in range(4500)])

    async def made() -> tuple[list[str], list[str]]:
        texts = Texts(log, "t", 4321)
        lines: AsyncIterator[str] = apart(text for text in texts)
        return [line async for line in lines], await asyncio.to_thread(list, texts)

    first, again = asyncio.run(made())
    assert first == again == [str(at) for at in range(4321)]


def test_lines_are_sent_many_at_a_time_the_first_at_once_and_others_have_a_turn_after_each_piece() -> None:
    lines = ["{}", *("é" * 1000 for _ in range(500)), "last"]
    turns = 0

    async def made() -> AsyncIterator[str]:
        for line in lines:
            yield line

    async def neighbour() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def sent() -> list[tuple[str, int]]:
        beside = asyncio.create_task(neighbour())
        found = [(piece, turns) async for piece in together(made())]
        beside.cancel()
        return found

    found = asyncio.run(sent())
    assert "".join(piece for piece, _ in found) == "".join(f"{line}\n" for line in lines)
    assert found[0][0] == "{}\n"
    assert all(A_PIECE <= len(piece) < A_PIECE + 2000 for piece, _ in found[1:-1])
    assert [had for _, had in found] == sorted({had for _, had in found})


def test_what_goes_wrong_apart_is_told_to_whoever_reads() -> None:
    def broken() -> AsyncIterator[str]:
        return apart(str(1 // left) for left in (2, 1, 0))

    async def read() -> list[str]:
        return [line async for line in broken()]

    with pytest.raises(ZeroDivisionError):
        asyncio.run(read())


def test_acts_are_looked_at_when_they_are_asked_for() -> None:
    looked: list[int] = []

    def look(at: int) -> None:
        looked.append(at)

    acts = OnDemand({10: 1, 20: 2}, look)
    assert not looked
    assert acts.get(2) is None
    assert looked == [20]
    assert 3 not in acts
    assert len(acts) == 0


ACTS = 60
BETWEEN = ACTS // 3, ACTS - 1


@pytest.fixture
def many_acts(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """A table at which much was thrown, and of which little is kept at hand."""
    for room in (state, EVOLVE):
        monkeypatch.setattr(room, "MOVES", 4)
    at = Scripted()
    for turn in range(ACTS):
        at.evening.bob.says(f"encore {turn}")
        at.starts()
        at.bob.throws()
        at.evening.ana.accepts(at.evening.ana.move()["number"])
    return at


class Weighed:
    """Lines, and how many objects Python has to look through for waste when a third of the acts are read, and when
    nearly all are, both times just after somebody spoke between two: while it does, every table waits."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        self.looked_through: list[int] = []

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            yield line
            if any(f"encore {turn}\"" in line for turn in BETWEEN):
                gc.collect()
                self.looked_through.append(len(gc.get_objects()))

    @property
    def for_each_act(self) -> float:
        """How many more there are for each act that was read in between."""
        before, after = self.looked_through
        return (after - before) / (BETWEEN[1] - BETWEEN[0])


def test_taking_a_long_table_away_gives_python_no_more_to_look_through(many_acts: Scripted) -> None:
    seat = many_acts.evening.bob.seat
    log = Weighed(many_acts.log)
    for _ in export_seen(log, seat, VEIL):
        pass
    assert log.for_each_act < 2  # a sheet that a throw wounded is remembered for a while


def test_verifying_a_long_table_gives_python_little_more_to_look_through(many_acts: Scripted) -> None:
    evening = many_acts.evening
    for lines in (export_seen(many_acts.log, evening.bob.seat, VEIL), export_for_gm(many_acts.log, evening.ana.seat)):
        read = Weighed(lines)
        assert proved(read).verified == ACTS
        assert read.for_each_act < 4


@pytest.mark.parametrize("spoilt", [False, True], ids=["whole", "broken off"])
def test_what_a_verification_gathered_is_forgotten_one_by_one(
    many_acts: Scripted, spoilt: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While all of it is forgotten at once, nobody else has a turn: so it is empty before it is let go of."""
    made: list[Replay | SeenReplay] = []
    for kind in (Replay, SeenReplay):
        made_as_before = kind.__init__

        def noted(one: Any, *given: Any, begun: Any = made_as_before) -> None:
            begun(one, *given)
            made.append(one)

        monkeypatch.setattr(kind, "__init__", noted)
    evening = many_acts.evening
    for lines in (export_seen(many_acts.log, evening.bob.seat, VEIL), export_for_gm(many_acts.log, evening.ana.seat)):
        with pytest.raises(ParaventError) if spoilt else nullcontext():
            proved([*lines, *(["{"] if spoilt else [])])
        gathered = {name for one in made for name, kept in vars(one).items() if isinstance(kept, dict) and kept}
        assert made
        assert gathered <= {"_verdicts"}, "whose rows are words and numbers"


def test_what_was_seen_of_an_act_is_forgotten_with_it(many_acts: Scripted) -> None:
    now = many_acts.table.state
    assert len(now.moves) < ACTS
    assert {key[1] for key in now.seen_moves} <= now.moves.keys()
    assert {key[1] for key in now.seen_throws} <= now.moves.keys()


def test_what_is_searched_is_not_kept_as_cards(many_acts: Scripted) -> None:
    def cards() -> set[int]:
        return {id(kept) for kept in gc.get_objects() if type(kept) is Card}

    seat, before = many_acts.evening.bob.seat, cards()
    told = Account().read_on([*enumerate(many_acts.log, start=1)])
    desk, spoken = Desk(told.state, seat, VEIL, "fr"), dict[str, FoldedLine]()
    found = desk.story.told(read_of(told, seat, VEIL).lines, "encore 33", spoken=spoken)
    assert [line.text for line in found] == ["encore 33"]
    assert sum(one.act is not None for one in spoken.values()) == ACTS
    assert cards() == before
    assert not any(map(gc.is_tracked, spoken.values()))


def test_a_long_list_is_forgotten_a_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Noting(list[int]):
        """A list that notes how much of it is forgotten at once."""

        def __delitem__(self, some: SupportsIndex | slice) -> None:
            assert isinstance(some, slice)
            pieces.append(len(self[some]))
            super().__delitem__(some)

    pieces: list[int] = []
    monkeypatch.setattr(longlog, "AT_ONCE", 10)
    many = Noting(range(25))
    asyncio.run(let_go(many))
    assert not many
    assert pieces == [10, 10, 5]
