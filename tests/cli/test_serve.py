"""``paravent serve``: the address is told, the tables are kept, and Ctrl+C closes them."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import Run

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """The command in a process of its own, its data in a folder of its own."""
    begun = []

    def started(*words: str) -> "subprocess.Popen[str]":
        environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
        environment.pop("PARAVENT_LANG", None)
        process = subprocess.Popen(
            [sys.executable, "-m", "paravent", "serve", "--no-browser", "--port", "0", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        )
        begun.append(process)
        return process

    yield started
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def address_of(line: str) -> str:
    return line.split()[-1]


def test_the_tables_open_in_the_data_folder_and_close_on_ctrl_c(start: Start, tmp_path: Path) -> None:
    process = start()
    line = process.stdout.readline().replace("\u00a0", " ")
    assert line.startswith("Les tables sont ouvertes : http://127.0.0.1:")
    assert process.stdout.readline().startswith("Ctrl+C")
    with urllib.request.urlopen(address_of(line), timeout=20) as answer:
        assert answer.status == 200
        assert "Server" not in answer.headers
    assert (tmp_path / "paravent" / "paravent.db").exists()
    with urllib.request.urlopen(f"{address_of(line)}api/openapi.json", timeout=20) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    assert out.strip() == "Les tables sont fermées. À bientôt."
    assert err == ""


def test_somebody_who_listens_does_not_keep_it_from_closing(start: Start) -> None:
    process = start("--lang", "en", "--database", "memory:")
    line = process.stdout.readline()
    assert line.startswith("The tables are open: http://127.0.0.1:")
    process.stdout.readline()
    address = address_of(line)
    asked = urllib.request.Request(
        f"{address}api/tables", b'{"system": "conteur", "name": "a", "game_master": "b"}',
        {"Content-Type": "application/json"},
    )


    with urllib.request.urlopen(asked, timeout=20) as answer:
        token = json.load(answer)["token"]
    asked = urllib.request.Request(f"{address}api/table/events", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked, timeout=20) as stream:
        assert stream.readline() == b": hello\n"
        process.send_signal(signal.SIGINT)
        assert stream.read().strip() == b""  # it ends
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert out.strip() == "The tables are closed. See you soon."


def test_for_the_house_the_address_is_also_a_code_for_phones(start: Start) -> None:
    process = start("--lan", "--database", "memory:")
    lines = [process.stdout.readline()]
    while not lines[-1].startswith("Ctrl+C"):
        lines.append(process.stdout.readline())
    told = "".join(lines)
    assert "téléphones de la maison" in told or "Aucun réseau local" in told
    assert ("█" in told) == ("téléphones de la maison" in told)


@pytest.mark.parametrize(("lang", "sentence"), [("fr", "est déjà pris"), ("en", "is taken")])
def test_a_port_in_use_is_one_sentence(refused: Callable[..., str], lang: str, sentence: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        words = ("serve", "--no-browser", "--port", str(port), "--database", "memory:", "--lang", lang)
        assert f"{port} {sentence}" in refused(*words)


@pytest.mark.parametrize("words", [("--port", "70000"), ("--port", "x"), ("--database", "oracle://x"), ("--loud",)])
def test_what_cannot_be_served_is_one_sentence(refused: Callable[..., str], words: tuple[str, ...]) -> None:
    assert refused("serve", "--no-browser", *(("--port", "0") if "--port" not in words else ()), *words)


def test_the_help_speaks_both_languages(run: Run) -> None:
    assert "téléphones" in run("serve", "--help").out
    assert "phones" in run("serve", "--help", "--lang", "en").out


def test_a_database_that_does_not_answer_opens_nothing_and_promises_nothing(start: Start) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # taken, and nobody listens
        process = start("--database", f"postgresql://nobody@127.0.0.1:{nobody.getsockname()[1]}/none")
        out, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert out == ""
    assert "Traceback" not in err
    assert err.strip()
