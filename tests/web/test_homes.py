"""Several workers at one address: a table is kept by one of them, whichever a connection comes to."""

import multiprocessing
import os
import select
import socket
from collections.abc import Iterator

import pytest

from paravent.web.gate import Crowd
from paravent.web.homes import MOST_READ, THRESHOLD, Errand, Homes, asked

TABLES = [f"{number:x}" for number in range(200)]


@pytest.fixture
def nobody() -> Iterator[Homes]:
    """Three workers of whom none serves yet."""
    made = Homes(3, multiprocessing.get_context("spawn"))
    yield made
    made.close()


@pytest.fixture
def homes(nobody: Homes) -> Homes:
    for one in (2, 0, 1):
        nobody.comes(one)
    return nobody


@pytest.fixture
def line() -> Iterator[tuple[socket.socket, socket.socket]]:
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


@pytest.mark.parametrize(("read", "about"), [
    (b"GET /t/ab12/c/ HTTP/1.1\r\n\r\n", Errand("ab12")), (b"POST /t/ab12/c/do/say HTTP/1.1\r\n\r\n", Errand("ab12")),
    (b"GET /t/ab12/c/live?last=3 HTTP/1.1\r\nhost: x\r\n", Errand("ab12")), (b"GET /t/ab12", Errand()),
    (b"GET / HTTP/1.1\r\n", Errand()),
    (b"POST /open HTTP/1.1\r\n", Errand(THRESHOLD)), (b"POST /demo/conteur HTTP/1.1\r\n", Errand(THRESHOLD)),
    (b"POST /import HTTP/1.1\r\n", Errand(THRESHOLD)), (b"POST /door HTTP/1.1\r\n", Errand(THRESHOLD)),
    (b"POST /api/tables HTTP/1.1\r\n", Errand(THRESHOLD)), (b"POST /api/tables/import HTTP/1.1\r\n", Errand(THRESHOLD)),
    (b"GET /api/tables HTTP/1.1\r\n", Errand()), (b"GET /enter/secret HTTP/1.1\r\n\r\n", Errand(token="secret")),
    (b"GET /api/table HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n", Errand(token="secret")),
    (b"GET /api/table HTTP/1.1\r\nauthorization: bearer secret\r\n\r\n", Errand(token="secret")),
    (b"GET /api/table HTTP/1.1\r\nHost: x\r\n\r\nx\r\nAuthorization: Bearer secret\r\n\r\n", Errand()),
    (b"\x16\x03\x01\x02\x00\x01", Errand()), (b"", Errand()),
])
def test_what_is_asked_says_whose_it_is(read: bytes, about: Errand) -> None:
    assert asked(read) == about


def test_every_table_has_one_home_and_each_worker_has_its_share(homes: Homes) -> None:
    found = {table: homes.home(table) for table in TABLES}
    assert [homes.home(table) for table in TABLES] == list(found.values())
    assert all(30 < list(found.values()).count(one) < 110 for one in range(3))


def test_the_tables_of_one_who_fell_go_to_the_others_at_once_and_come_back(homes: Homes) -> None:
    before = {table: homes.home(table) for table in TABLES}
    homes.fell(0)
    meanwhile = {table: homes.home(table) for table in TABLES}
    assert set(meanwhile.values()) == {1, 2}
    assert all(meanwhile[table] == home for table, home in before.items() if home != 0), "the others' stay"
    homes.comes(0)
    assert {table: homes.home(table) for table in TABLES} == before


def test_where_nobody_serves_yet_everything_is_at_home_here(nobody: Homes) -> None:
    nobody.me = 1
    assert not any(nobody.is_away(table) for table in TABLES)


def test_a_connection_is_handed_on_with_what_was_read_of_it(homes: Homes, line: tuple[socket.socket, ...]) -> None:
    ours, theirs = line
    assert homes.hand(2, ours.fileno(), b"GET /t/")
    homes.me = 2
    ((handed, read),) = homes.handed()
    with handed:
        assert read == b"GET /t/"
        theirs.sendall(b"ab12")
        assert handed.recv(10) == b"ab12"
        assert not os.get_inheritable(handed.fileno())
    assert list(homes.handed()) == []


def test_what_was_on_its_way_to_one_who_fell_goes_to_another(homes: Homes, line: tuple[socket.socket, ...]) -> None:
    assert homes.hand(2, line[0].fileno(), b"GET /t/")
    homes.fell(2)
    found = []
    for one in (0, 1):
        homes.me = one
        found += list(homes.handed())
    assert [read for _, read in found] == [b"GET /t/"]
    for handed, _ in found:
        handed.close()


def test_one_who_takes_nothing_is_left_alone_for_a_while(homes: Homes, line: tuple[socket.socket, ...]) -> None:
    homes.me = 0
    theirs = next(table for table in TABLES if homes.home(table) == 2)
    handed = 0
    while homes.hand(2, line[0].fileno(), b"x" * MOST_READ):  # nobody reads there
        handed += 1
        assert handed < 10_000
    assert handed > 0
    assert homes.home(theirs) != 2
    select.select([], [line[1]], [], 0)  # the line itself is as it was


def test_workers_count_the_connections_of_an_address_together(homes: Homes) -> None:
    crowd = Crowd(4, holds=homes.holds)
    found = []
    for one in (0, 1, 2, 0, 1):
        homes.me = one
        found.append(crowd.comes("192.0.2.7"))
    assert found == [True, True, True, True, False]
    assert crowd.comes("192.0.2.8"), "others are not concerned"
    homes.fell(0)  # it holds nothing any more
    homes.me = 2
    assert crowd.comes("192.0.2.7")
    homes.me = 1
    for _ in range(2):
        crowd.goes("192.0.2.7")
    assert homes.holds("192.0.2.7", 0) == 2
