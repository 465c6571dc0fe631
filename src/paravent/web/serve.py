"""Serve the tables: ``paravent serve``, which ``make play`` calls."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from paravent.dice import ParaventError
from paravent.store import open_log

from .app import create_app

PORT = 8017


class PortTaken(ParaventError):
    """Something else listens on this port."""

    code = "web/port-taken"


class Server(uvicorn.Server):
    """A server that ends its streams when it stops, instead of waiting for them."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._served = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then whatever uvicorn ends."""
        self._served.state.host.close()
        await super().shutdown(sockets)


def local_addresses(port: int) -> tuple[str, ...]:
    """The addresses under which other devices of the house reach this one."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only says which way it would go
            return (f"http://{probe.getsockname()[0]}:{port}",)
    except OSError:
        return ()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens already, so that the address can be told before anybody is served."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise PortTaken(port=port) from None
    return listener


def serve(
    database: str | Path | None = None, port: int = PORT, lan: bool = False, browser: bool = True,
    told: Callable[[str, tuple[str, ...]], None] = lambda address, lan: None,
) -> None:
    """Serve until stopped: on this machine only, or on the local network with ``lan``.

    ``told`` is given the address for this machine, and those for other devices, once they are open.
    """
    listener = listening("0.0.0.0" if lan else "127.0.0.1", port)
    with listener:
        port = listener.getsockname()[1]
        address, others = f"http://127.0.0.1:{port}/", local_addresses(port) if lan else ()
        app = create_app(open_log(database), addresses=others)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3, server_header=False)
        told(address, others)
        if browser:
            _soon(lambda: webbrowser.open(address))
        with suppress(KeyboardInterrupt):  # Ctrl+C, raised again once all is closed
            Server(config, app).run(sockets=[listener])


def _soon(do: Callable[[], object]) -> None:
    """Do something once the server has had time to start."""
    timer = threading.Timer(0.5, do)
    timer.daemon = True
    timer.start()
