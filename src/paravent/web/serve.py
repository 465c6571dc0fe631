"""Serve the tables: ``paravent serve``, which ``make play`` calls."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import secrets
import signal
import socket
import struct
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address, ip_network
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI

from paravent.dice import ParaventError
from paravent.game import System, find_system, system_names
from paravent.store import open_log
from paravent.store.address import sqlite_path
from paravent.table.deciding import link_hash
from paravent.table.host import Host
from paravent.table.kept import Latest

from .app import create_app
from .gate import Crowd, Gate, Leading, gate
from .homes import Errand, Homes, asked
from .looks import made_ready
from .security import is_loopback
from .threshold import TABLES_AN_HOUR, Threshold

PORT = 8017
_INNER = ("docker", "br-", "veth", "virbr", "lxc", "lxd", "podman", "cni", "vmnet", "vboxnet", "tun", "tap", "wg",
          "tailscale", "zt")
_ITS_ADDRESS = 0x8915  # SIOCGIFADDR
SELDOM = 3_000, 4, 8_000
"""After how many objects waste is looked for: what a table keeps is kept for long, and next to none of it is waste. At
once some fifteen thousand are looked through at most, but once in a long while: everybody waits meanwhile."""
IN_TURN = 0.001
"""For how many seconds a thread goes on while another waits for its turn: whoever says something waits some twenty
times, and each time for so long while a long table is read beside them."""
_LOADED: set[str] = set()
_TOKENS = 4096
"""Of how many links' tokens it is remembered which tables they open."""
_BREATH = 0.5
"""Seconds until a worker that fell is replaced."""
_log = logging.getLogger("paravent.web")


class PortTaken(ParaventError):
    """Something else listens on this port."""

    code = "web/port-taken"


class NoNetwork(ParaventError):
    """This machine has no address at which others could reach it."""

    code = "web/no-network"


class Server(uvicorn.Server):
    """A server that ends its streams when it stops, instead of waiting for them.

    While it runs it can listen on the local network as well, and stop listening there. ``told`` is given the addresses
    open to other devices whenever they change.
    """

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, told: Callable[[tuple[str, ...]], None] = lambda addresses: None
    ) -> None:
        super().__init__(config)
        self._served, self._told = app, told
        self._homes: Homes | None = None
        self._coming: set[asyncio.Task[object]] = set()
        app.state.door = self

    def beside(self, homes: Homes, me: int) -> None:
        """Serve as one of several workers."""
        self._homes, self._me = homes, me

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses under which other devices of the house reach this one; none while it listens to itself."""
        scheme = "https" if self.config.is_ssl else "http"
        return _as_addresses((name for name in map(_name, self.servers) if not is_loopback(name[0])), scheme)

    async def open_lan(self) -> None:
        """Listen on the local network too, on the same port."""
        if self.addresses:
            return
        loop, (_, port) = asyncio.get_running_loop(), _name(self.servers[0])
        for listener in listening_on_lan(await loop.run_in_executor(None, local_hosts), port):
            self.servers.append(await loop.create_server(self._protocol, sock=listener, ssl=self.config.ssl))
        self._told(self.addresses)

    async def close_lan(self) -> None:
        """Listen to this machine alone, and let go of those who came over the network."""
        if not self.addresses:
            return
        outside = [server for server in self.servers if not is_loopback(_name(server)[0])]
        for server in outside:
            server.close()
            self.servers.remove(server)
        for connection in list(self.server_state.connections):
            name = connection.transport.get_extra_info("sockname")
            if name and not is_loopback(name[0]):
                connection.transport.close()
        self._told(self.addresses)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin as uvicorn does; from then on the others hand on to us what is ours."""
        await super().startup(sockets)
        if self._homes is not None and self.started:
            self._homes.comes(self._me)
            asyncio.get_running_loop().add_reader(self._homes.inbox, self._take)

    def _take(self) -> None:
        """Go on with connections that the others began to read."""
        assert self._homes is not None
        for line, read in self._homes.handed():
            coming = asyncio.get_running_loop().create_task(self._goes_on(line, read))
            self._coming.add(coming)
            coming.add_done_callback(self._coming.discard)

    async def _goes_on(self, line: socket.socket, read: bytes) -> None:
        protocol = self._protocol()
        assert isinstance(protocol, Gate)
        protocol.handed = read
        try:
            line.setblocking(False)
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, line)
        except OSError:  # whoever asked has left
            line.close()

    async def on_tick(self, counter: int) -> bool:
        """Now and then, what is not at home here goes home."""
        if self._homes is not None and counter % 10 == 0:
            self._served.state.host.send_home()
        return await super().on_tick(counter)

    def _protocol(self) -> asyncio.Protocol:
        """What answers one connection, as uvicorn makes it for its own sockets."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then whatever uvicorn ends."""
        if self._homes is not None:
            self._homes.goes()
            asyncio.get_running_loop().remove_reader(self._homes.inbox)
        self._served.state.host.close()
        await super().shutdown(sockets)


def _name(server: asyncio.Server) -> tuple[str, int]:
    """The address and port where a server listens."""
    host, port, *_ = server.sockets[0].getsockname()
    return host, port


def _as_addresses(names: Iterable[tuple[str, int]], scheme: str = "http") -> tuple[str, ...]:
    return tuple(f"{scheme}://{host}:{port}" for host, port in names)


def local_hosts() -> tuple[str, ...]:
    """What other devices of the house call this machine, the likeliest first."""
    way_out, found = "", dict(_interfaces())
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only says which way it would go
        way_out = probe.getsockname()[0]
        found.setdefault(way_out, "")
    with suppress(OSError):
        for host in socket.gethostbyname_ex(socket.gethostname())[2]:
            found.setdefault(host, "")
    return likeliest_first(found, way_out)


def likeliest_first(found: Mapping[str, str], way_out: str) -> tuple[str, ...]:
    """Addresses, each with its interface's name, as phones would reach them: the house's own network, then the others.

    What joins containers, virtual machines and tunnels comes last; a private address before a public one; the way out
    of the machine before the rest, and the range that most homes use before those of offices and containers.
    """

    def rank(host: str) -> tuple[bool, bool, bool, bool]:
        inner = found[host].startswith(_INNER) or host.startswith("169.254.")
        return inner, not ip_address(host).is_private, host != way_out, not host.startswith("192.168.")

    return tuple(sorted((host for host in found if not is_loopback(host)), key=rank))


def _interfaces() -> Iterator[tuple[str, str]]:
    """The addresses of this machine with the names of their interfaces, where the system tells."""
    with suppress(ImportError, OSError, AttributeError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        from fcntl import ioctl

        for _, name in socket.if_nameindex():
            with suppress(OSError):  # one without an address
                asked = ioctl(probe.fileno(), _ITS_ADDRESS, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(asked[20:24]), name


def listening_on_lan(hosts: Iterable[str], port: int) -> list[socket.socket]:
    """Sockets that listen at whichever of these addresses can be listened at; one at least."""
    listeners: list[socket.socket] = []
    refusal: ParaventError = NoNetwork()
    for host in hosts:
        try:
            listeners.append(listening(host, port))
        except PortTaken as taken:
            refusal = taken
    if not listeners:
        raise refusal
    return listeners


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens already, so that the address can be told before anybody is served."""
    # Named, or asyncio does not know it for TCP, and short answers on a kept connection wait for the reader (Nagle).
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise PortTaken(port=str(port)) from None
    return listener


class NeedsPostgres(ParaventError):
    """Several workers need a database that several programs write to at once."""

    code = "web/needs-postgres"


class BadPublic(ParaventError):
    """The public address is none: it begins with https:// or http://, and has a name and nothing behind it."""

    code = "web/bad-public"


class BadCertificate(ParaventError):
    """A certificate and its key cannot be read, or do not belong together."""

    code = "web/bad-certificate"


class NotAnAddress(ParaventError):
    """A proxy, or what to listen at, is named by its address."""

    code = "web/not-an-address"


@dataclass(frozen=True)
class Abroad:
    """How friends far away reach the tables: the address that they know, who stands in front of us, what encrypts, the
    word that opens tables."""

    public: str = ""
    proxies: tuple[str, ...] = ()
    """Whose word is taken for where somebody comes from; without a public address, nobody's."""
    listen: str = "127.0.0.1"
    certificate: str = ""
    key: str = ""
    word: str = ""

    def checked(self) -> Abroad:
        """The same, if all of it makes sense."""
        parts = urlsplit(self.public)
        if self.public and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")
                            or parts.query or parts.fragment or parts.username):
            raise BadPublic(got=self.public)
        for address in (*self.proxies, self.listen):
            try:
                ip_network(address)
            except ValueError:
                raise NotAnAddress(got=address) from None
        if bool(self.certificate) != bool(self.key):
            raise BadCertificate(why="--tls-cert, --tls-key")
        return replace(self, public=self.public.rstrip("/"), proxies=self.proxies or ("127.0.0.1",))

    def config(
        self, app: FastAPI, holds: Callable[[str, int], int] | None = None, way: Leading | None = None
    ) -> uvicorn.Config:
        """How the application is served; ``holds`` and ``way``, by one of several workers."""
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=3, server_header=False,
            http=gate(Crowd(proxies=self.proxies if self.public else (), holds=holds), way), ws="none",
            proxy_headers=bool(self.public), forwarded_allow_ips=list(self.proxies) if self.public else None,
            ssl_certfile=self.certificate or None, ssl_keyfile=self.key or None,
        )
        try:
            config.load()
        except OSError as problem:  # what cannot be opened, and what is no certificate (an SSLError)
            raise BadCertificate(why=str(problem)) from None
        return config


def serve(
    database: str | Path | None = None, port: int = PORT, lan: bool = False, browser: bool = True,
    told: Callable[[str, tuple[str, ...]], None] = lambda address, others: None,
    moved: Callable[[tuple[str, ...]], None] = lambda others: None,
    abroad: Abroad | None = None, workers: int = 1,
) -> None:
    """Serve until stopped: on this machine only, on the local network with ``lan``, or for friends far away.

    ``told`` is given the address for this machine, and those for other devices, once they are open; ``moved`` those for
    other devices whenever somebody on this machine opens or closes them. Several ``workers`` answer at the same
    addresses, over one PostgreSQL.
    """
    abroad = (abroad or Abroad()).checked()
    if workers > 1 and (sqlite_path(database) is not None or database == "memory:"):
        raise NeedsPostgres(workers=str(workers))
    with ExitStack() as opened:
        listeners = [opened.enter_context(listening(abroad.listen, port))]
        port = listeners[0].getsockname()[1]
        if lan:
            with suppress(NoNetwork):
                listeners += [opened.enter_context(other) for other in listening_on_lan(local_hosts(), port)]
        if sqlite_path(database) is None:  # a file is opened by opening it
            asyncio.run(_reached(database))
        app = _app(database, abroad)
        config = abroad.config(app)
        scheme = "https" if config.is_ssl else "http"
        address = f"{scheme}://{abroad.listen if abroad.listen != '0.0.0.0' else '127.0.0.1'}:{port}/"
        told(address, (*((abroad.public,) if abroad.public else ()),
                       *_as_addresses((other.getsockname() for other in listeners[1:]), scheme)))
        if browser:
            _soon(lambda: webbrowser.open(address))
        if workers > 1:
            Crew(str(database), abroad, listeners, workers).run()
        else:
            _run(Server(config, app, moved), listeners)


def _app(database: str | Path | None, abroad: Abroad, secret: str = "") -> FastAPI:
    """The tables of a database, as they are served; where it is not a file, others may serve them too."""
    app = create_app(open_log(database), _loaded, secret, sqlite_path(database) is None and database != "memory:")
    app.state.public = abroad.public
    app.state.threshold = Threshold(abroad.word, TABLES_AN_HOUR)
    return app


def _run(server: Server, listeners: list[socket.socket]) -> None:
    _apart(_make_ready)
    gc.freeze()  # as below: the house itself stays
    gc.set_threshold(*SELDOM)
    sys.setswitchinterval(IN_TURN)
    with suppress(KeyboardInterrupt):  # Ctrl+C, raised again once all is closed
        server.run(sockets=listeners)


class Crew:
    """Workers who answer at the same addresses; one who falls is replaced, and what it had written is there."""

    def __init__(self, database: str, abroad: Abroad, listeners: list[socket.socket], workers: int) -> None:
        self._apart = multiprocessing.get_context("spawn")
        self._homes = Homes(workers, self._apart)
        self._given = database, abroad, listeners, secrets.token_hex(16), self._homes
        self._workers: list[SpawnProcess] = [self._begun(one) for one in range(workers)]

    def _begun(self, one: int) -> SpawnProcess:
        worker = self._apart.Process(target=_work, args=(*self._given, one), name="paravent-worker")
        worker.start()
        return worker

    def run(self) -> None:
        """Go on until told to stop."""
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            while True:
                wait([worker.sentinel for worker in self._workers])
                fallen = [one for one, worker in enumerate(self._workers) if not worker.is_alive()]
                for one in fallen:
                    self._homes.fell(one)
                    _log.warning("a worker fell, and is replaced")
                time.sleep(_BREATH)  # one that cannot begin is not begun again without end
                for one in fallen:
                    self._workers[one] = self._begun(one)
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGTERM, before)
            for worker in self._workers:
                worker.terminate()
            for worker in self._workers:
                worker.join()
            self._homes.close()


class Guide:
    """Leads connections to the worker whom their table is at home with; it remembers which tokens open which."""

    def __init__(self, homes: Homes, host: Host) -> None:
        self._homes, self._host = homes, host
        self._tables: Latest[str, str] = Latest(_TOKENS)

    def __call__(self, line: int, read: bytes) -> bool | None:
        asks = asked(read)
        if asks.token:
            table = self._tables.of(link_hash(asks.token), str)
            if not table:
                return None
            asks = Errand(table)
        return self._homes.leads(asks, line, read)

    async def learn(self, read: bytes) -> None:
        token = asked(read).token
        with suppress(ParaventError):  # the log is out of reach: whoever answers will say so
            self._tables.keep(link_hash(token), await self._host.table_of(token) or "")


def _work(
    database: str, abroad: Abroad, listeners: list[socket.socket], secret: str, homes: Homes, me: int
) -> None:
    """One worker, for as long as the crew is there."""
    crew = multiprocessing.parent_process()

    def outlive() -> None:
        if crew is not None:
            crew.join()
            signal.raise_signal(signal.SIGTERM)

    homes.me = me
    app = _app(database, abroad, secret)
    host = app.state.host

    leads = homes.can_hand_on and not abroad.certificate  # what is encrypted to us can be read by nobody else
    server = Server(abroad.config(app, homes.holds, Guide(homes, host) if leads else None), app)
    if leads:
        host.is_away = homes.is_away
        server.beside(homes, me)
    app.state.door = None  # one worker cannot open the house's network for all
    _apart(outlive)
    _run(server, listeners)


async def _reached(database: str | Path | None) -> None:
    """Refuse to open while the tables cannot be reached: nothing of what is done there would be kept."""
    log = open_log(database)
    try:
        await log.tables()
    finally:
        await log.close()


def _make_ready() -> None:
    """Load every game and its pages before anybody asks for them: the first to ask would keep all others waiting."""
    for name in system_names():
        with suppress(ParaventError):  # a game that is broken is told to whoever asks for it
            made_ready(_loaded(name))


def _loaded(name: str) -> System:
    """A game, found by its id. What is loaded stays: it need not be looked through for waste again and again."""
    system = find_system(name)
    if name not in _LOADED:
        _LOADED.add(name)
        gc.collect()
        gc.freeze()
    return system


def _apart(do: Callable[[], object]) -> None:
    """Do something beside what is served."""
    threading.Thread(target=do, name="paravent-ready", daemon=True).start()


def _soon(do: Callable[[], object]) -> None:
    """Do something once the server has had time to start."""
    timer = threading.Timer(0.5, do)
    timer.daemon = True
    timer.start()
