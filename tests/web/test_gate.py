"""What a connection may cost before anybody knows who is there: long heads, slow heads, bodies that never come."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send

from paravent.web import gate as gates
from paravent.web.gate import Crowd, Gate, gate
from paravent.web.security import Limiter

from .conftest import PATIENCE, free_port

ASK = b"GET / HTTP/1.1\r\nhost: localhost\r\n"


async def answers(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads all that is sent, and says how much that was."""
    read, more = 0, True
    while more and scope["type"] == "http":
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            return
        read, more = read + len(message.get("body", b"")), message.get("more_body", False)
    body = str(read).encode()
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


class Behind:
    """A server behind a gate, in a thread."""

    def __init__(self, crowd: Crowd) -> None:
        self.port = free_port()
        config = uvicorn.Config(answers, host="127.0.0.1", port=self.port, log_level="error", lifespan="off",
                                http=gate(crowd))
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        until = time.monotonic() + PATIENCE / 1000
        while not self.server.started:
            assert time.monotonic() < until
            time.sleep(0.005)  # not a pace of the test: the server says when it listens

    def opened(self) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self.port))
        line.settimeout(PATIENCE / 1000)
        return line

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE / 1000)


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[Behind]:
    for name, seconds in (("HEAD_SECONDS", 0.4), ("SILENT_SECONDS", 0.4)):
        monkeypatch.setattr(gates, name, seconds)
    server = Behind(Crowd())
    yield server
    server.stop()


def all_of(line: socket.socket) -> bytes:
    """What comes until the other side closes."""
    got = b""
    try:
        while piece := line.recv(65536):
            got += piece
    except ConnectionError:
        pass
    return got


def answer(line: socket.socket, size: int = 0) -> bytes:
    """One answer, which ends with the number of bytes that were read."""
    got = b""
    while not got.endswith(b"\r\n\r\n%d" % size):
        got += line.recv(65536)
    return got


def pours(line: socket.socket, first: bytes, piece: bytes) -> int:
    """Send without end, 50 MB at most; how much went away before the other side closed."""
    sent = 0
    with suppress(ConnectionError):
        line.sendall(first)
        while sent < 50_000_000:
            line.sendall(piece)
            sent += len(piece)
    return sent


@pytest.mark.parametrize(("first", "piece"), [
    (ASK, b"x-long: " + b"y" * 65_000 + b"\r\n"),
    (ASK + b"x-long: ", b"y" * 65_536),
    (b"GET /", b"y" * 65_536),
    (b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\nhi" + ASK, b"x: " + b"y" * 65_000 + b"\r\n"),
], ids=["many headers", "one header", "the address", "behind a question"])
def test_a_head_that_never_ends_is_closed_before_it_costs_anything(behind: Behind, first: bytes, piece: bytes) -> None:
    with behind.opened() as line:
        assert pours(line, first, piece) < 20_000_000, "what was on its way when the line was closed, and no more"


CHUNKED = b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n"


@pytest.mark.parametrize(("first", "piece"), [
    (CHUNKED + b"0\r\n", b"x-late: " + b"y" * 65_000 + b"\r\n"),
    (CHUNKED + b"0\r\nx-late: ", b"y" * 65_536),
    (CHUNKED + b"2;", b"y" * 65_536),
], ids=["many trailers", "one trailer", "what is said of a chunk"])
def test_what_never_ends_around_a_body_is_closed_as_well(behind: Behind, first: bytes, piece: bytes) -> None:
    """A body in chunks has headers behind it, which are kept like those before it."""
    with behind.opened() as line:
        assert pours(line, first, piece) < 20_000_000


def test_a_body_in_chunks_of_any_size_is_read(behind: Behind) -> None:
    for sizes in ([1] * 5000, [70_000] * 3, [1, 300_000, 1]):
        with behind.opened() as line:
            line.sendall(b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
            for size in sizes:
                line.sendall(b"%x\r\n" % size + b"y" * size + b"\r\n")
            line.sendall(b"0\r\nx-late: yes\r\n\r\n")
            assert answer(line, sum(sizes))


def test_requests_that_stop_half_way_are_let_go(behind: Behind) -> None:
    lines = [behind.opened() for _ in range(60)]
    for line in lines:
        line.sendall(ASK)
    assert all(b"408" in all_of(line) for line in lines)
    for line in lines:
        line.close()


def test_a_head_given_byte_by_byte_has_no_more_time(behind: Behind) -> None:
    with behind.opened() as line:
        stopped = threading.Event()

        def drips() -> None:
            with suppress(OSError):
                while not stopped.wait(0.02):  # the attack's own pace
                    line.sendall(b"G")

        dripping = threading.Thread(target=drips)
        line.sendall(b"GET / HTTP/1.1\r\nx-long: ")
        dripping.start()
        try:
            all_of(line)  # it ends: that is the proof
        finally:
            stopped.set()
            dripping.join()


def test_a_line_on_which_nothing_is_asked_is_let_go(behind: Behind) -> None:
    with behind.opened() as line:
        all_of(line)


def test_a_body_of_which_nothing_more_comes_is_let_go(behind: Behind) -> None:
    with behind.opened() as line:
        line.sendall(b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf")
        assert b"200" not in all_of(line)


def test_a_body_given_byte_by_byte_has_an_end_too(behind: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "BODY_SECONDS", 1.0)
    with behind.opened() as line:
        line.sendall(b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n")
        until, is_cut = time.monotonic() + PATIENCE / 1000, False
        while not is_cut and time.monotonic() < until:
            time.sleep(0.05)  # the pace of whoever attacks
            try:
                line.sendall(b"x")
            except ConnectionError:
                is_cut = True
        assert is_cut


def test_what_is_asked_whole_is_answered_again_and_again(behind: Behind) -> None:
    with behind.opened() as line:
        for size in (0, 10, 300_000):
            line.sendall(b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % size + b"x" * size)
            assert b"200 OK" in answer(line, size)
        for _ in range(3):
            line.sendall(ASK + b"\r\n")
            assert b"200 OK" in answer(line)


def test_some_questions_ahead_are_all_answered(behind: Behind) -> None:
    with behind.opened() as line:
        line.sendall((ASK + b"\r\n") * 10)
        got = b""
        while got.count(b"200 OK") < 10:
            got += line.recv(65536)


def test_questions_without_end_ahead_of_their_answers_are_closed_before_they_cost_anything(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "HEAD_SECONDS", 60.0)  # none of them is slow
    with behind.opened() as line:
        assert pours(line, b"", (ASK + b"\r\n") * 1000) < 20_000_000


def test_an_address_holds_so_many_lines_and_a_proxy_as_many_as_it_likes() -> None:
    crowd = Crowd(3, proxies=("10.1.0.0/16",))
    assert [crowd.comes("192.0.2.7") for _ in range(4)] == [True, True, True, False]
    assert crowd.comes("192.0.2.8"), "others are not concerned"
    for _ in range(2):
        crowd.goes("192.0.2.7")
    assert crowd.comes("192.0.2.7")
    assert all(crowd.comes("10.1.2.3") for _ in range(9))
    assert all(crowd.comes("127.0.0.1") for _ in range(9))


def test_a_house_with_many_addresses_is_counted_once() -> None:
    """Of the newer sort of addresses, a house has a whole network to itself."""
    crowd, limiter = Crowd(3), Limiter(3, 60)
    for one in (crowd.comes, limiter.allows):
        assert [one(f"2001:db8:0:1::{last}") for last in range(1, 5)] == [True, True, True, False]
        assert one("2001:db8:0:2::1"), "the neighbours are not concerned"
    assert crowd.comes(""), "whoever comes from nowhere, by a socket file"
    crowd.goes("2001:db8:0:1::1")
    crowd.goes("2001:db8:0:1::2")
    assert crowd.comes("2001:db8:0:1::9")


def test_one_line_too_many_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "is_loopback", lambda host: False)
    server = Behind(Crowd(2))
    try:
        held = [server.opened() for _ in range(2)]
        for line in held:
            line.sendall(ASK + b"\r\n")
            assert b"200 OK" in answer(line)
        with server.opened() as line:
            assert b"429" in all_of(line)
        for line in held:
            line.close()
        until, said = time.monotonic() + PATIENCE / 1000, b"429"
        while b"429" in said:  # whoever left makes room, once it is known that they left
            assert time.monotonic() < until
            with server.opened() as line:
                line.sendall(ASK + b"connection: close\r\n\r\n")
                said = all_of(line)
        assert b"200 OK" in said
    finally:
        server.stop()


def test_each_server_counts_its_own_crowd() -> None:
    assert gate(Crowd(1)).crowd is not gate(Crowd(1)).crowd
    assert issubclass(gate(Crowd()), Gate)
