"""Serve the tables: ``paravent serve``, which ``make play`` calls."""

from __future__ import annotations

import socket
import threading
import webbrowser

import uvicorn

from .app import create_app


def local_addresses(port: int) -> tuple[str, ...]:
    """The addresses under which other devices of the house reach this one."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return (f"http://{probe.getsockname()[0]}:{port}",)
    except OSError:
        return ()


def serve(address: str | None = None, port: int = 8017, lan: bool = False, browser: bool = True) -> None:
    """Serve until stopped: on this machine only, or on the local network with ``lan``."""
    from paravent.store import open_log

    host = "0.0.0.0" if lan else "127.0.0.1"
    app = create_app(open_log(address), addresses=local_addresses(port) if lan else ())
    if browser:
        threading.Timer(1.0, webbrowser.open, (f"http://127.0.0.1:{port}/",)).start()
    uvicorn.run(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2)
