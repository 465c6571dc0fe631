"""Friends far away: behind the real Caddy and nginx, or with a certificate of one's own; whose word is taken for what,
and who may open tables."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from paravent.cli import main
from paravent.store import open_log
from paravent.web.app import create_app
from paravent.web.serve import Abroad
from paravent.web.threshold import Threshold

from .conftest import HOSTNAME, PATIENCE, free_port, say

EXAMPLES = Path(__file__).parents[2] / "examples" / "hosting"


class Programs:
    """Programs that run for as long as a test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: list[subprocess.Popen[bytes]] = []

    def run(self, *command: str, port: int, **environ: str) -> subprocess.Popen[bytes]:
        """Start a program, and wait until it listens."""
        told = self.folder / f"{Path(command[0]).name}-{port}.txt"
        with told.open("ab") as said:
            program = subprocess.Popen(command, stdout=said, stderr=said, cwd=self.folder,
                                       env={**os.environ, **environ})
        self._running.append(program)
        until = time.monotonic() + PATIENCE / 1000
        while True:
            assert program.poll() is None, told.read_text()
            assert time.monotonic() < until, told.read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return program
            time.sleep(0.02)  # not a pace of the test: it listens or it does not

    def serve(self, port: int, *options: str, **environ: str) -> subprocess.Popen[bytes]:
        """Start ``paravent serve`` on a database of this test's own."""
        return self.run(sys.executable, "-m", "paravent", "serve", "--no-browser", "--port", str(port),
                        "--database", str(self.folder / "tables.db"), *options, port=port, **environ)

    def stop(self) -> None:
        for program in self._running:
            program.terminate()
        for program in self._running:
            program.wait(PATIENCE / 1000)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    running = Programs(tmp_path)
    yield running
    running.stop()


def certificate(folder: Path) -> tuple[Path, Path]:
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", cert, "-days", "2", "-subj", f"/CN={HOSTNAME}",
                    "-addext", f"subjectAltName=DNS:{HOSTNAME}"], check=True, capture_output=True)
    return cert, key


def trusting(authority: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority))


def signed(port: int) -> None:
    """Wait until whoever listens has a certificate for our name: it listens before."""
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    until = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port)) as line, \
                    anybody.wrap_socket(line, server_hostname=HOSTNAME):
                return
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.02)  # not a pace of the test: it is signed or it is not


def in_caddy(programs: Programs, port: int, inside: int) -> Path:
    """The Caddyfile that we ship, with its own authority instead of a public one; gives that authority."""
    shipped = (EXAMPLES / "Caddyfile").read_text()
    own = shipped.replace("table.example.org {", f"https://{HOSTNAME}:{port} {{\n\ttls internal").replace(
        "127.0.0.1:8017", f"127.0.0.1:{inside}")
    assert own.count(str(inside)) == own.count(f":{port}") == 1
    (programs.folder / "Caddyfile").write_text(
        "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n" + own)
    programs.run("caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile", port=port,
                 HOME=str(programs.folder), XDG_DATA_HOME=str(programs.folder), XDG_CONFIG_HOME=str(programs.folder))
    signed(port)
    return programs.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"


def in_nginx(programs: Programs, port: int, inside: int) -> Path:
    """The site that we ship, with a certificate made here."""
    cert, key = certificate(programs.folder)
    shipped = (EXAMPLES / "nginx.conf").read_text()
    own = re.sub(r"ssl_certificate .*;", f"ssl_certificate {cert};", shipped)
    own = re.sub(r"ssl_certificate_key .*;", f"ssl_certificate_key {key};", own)
    own = own.replace("443 ssl", f"127.0.0.1:{port} ssl").replace("table.example.org", HOSTNAME).replace(
        "127.0.0.1:8017", f"127.0.0.1:{inside}")
    folder = programs.folder
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"pid {folder}/nginx.pid; error_log stderr; daemon off;\nevents {{}}\n"
        f"http {{ access_log off; {temporary}\n{own}\n}}\n")
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    programs.run(nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), port=port)
    return cert


IN_FRONT = [pytest.param(in_caddy, marks=pytest.mark.needs("caddy"), id="caddy"),
            pytest.param(in_nginx, marks=[pytest.mark.needs("nginx"), pytest.mark.needs("openssl")], id="nginx")]
InFront = Callable[[Programs, int, int], Path]


def far_away(port: int, authority: Path) -> httpx.Client:
    """A browser somewhere else, which trusts whoever signed."""
    until = time.monotonic() + PATIENCE / 1000
    while not authority.exists():
        assert time.monotonic() < until
        time.sleep(0.02)  # the authority is made while it starts
    return httpx.Client(
        base_url=f"https://127.0.0.1:{port}", headers={"Host": f"{HOSTNAME}:{port}"}, verify=trusting(authority),
        timeout=PATIENCE / 1000, follow_redirects=False,
    )


def asked(client: httpx.Client, method: str, path: str, **more: Any) -> Any:
    return client.request(method, path, extensions={"sni_hostname": HOSTNAME}, **more)


@pytest.mark.parametrize("in_front", IN_FRONT)
def test_an_evening_through_a_proxy_is_encrypted_told_at_once_and_taken_up_again(
    programs: Programs, in_front: InFront
) -> None:
    port, inside = free_port(), free_port()
    public = f"https://{HOSTNAME}:{port}"
    server = programs.serve(inside, "--public", public, PARAVENT_DOOR_WORD="sésame")
    with far_away(port, in_front(programs, port, inside)) as friend:
        def ask(method: str, path: str, **more: Any) -> Any:
            return asked(friend, method, path, **more)

        shut = ask("POST", "/open", data={"system": "conteur"})
        assert shut.status_code == 403
        assert ask("POST", "/door", data={"word": "ouvre-toi"}).status_code == 403
        said = ask("POST", "/door", data={"word": "sésame"})
        assert said.status_code == 303
        assert "secure" in said.headers["set-cookie"].lower()
        opened = ask("POST", "/open", data={"system": "conteur", "name": "Jeudi", "game_master": "Ana"})
        assert opened.status_code == 303
        came = ask("GET", opened.headers["location"])
        assert {"secure", "httponly"} <= set(came.headers["set-cookie"].lower().replace(" ", "").split(";"))
        page = ask("GET", came.headers["location"])
        assert page.headers["strict-transport-security"].startswith("max-age=")
        base = came.headers["location"].rstrip("/")
        proof = re.search(r'name="proof" value="(\w+)"', page.text)[1]
        links = ask("POST", f"{base}/links", data={"proof": proof, "name": "Bob", "grade": "player"},
                    headers={"Origin": public})
        assert f'value="{public}/enter/' in links.text, "links lead where friends come in"
        stream = re.search(r'hx-sse:connect="([^"]+)"', page.text)[1].replace("&amp;", "&")
        with friend.stream("GET", stream, extensions={"sni_hostname": HOSTNAME}) as live:
            lines = live.iter_lines()
            threading.Thread(target=ask, args=("POST", f"{base}/do/say"),
                             kwargs={"data": {"proof": proof, "text": "le train part"}}).start()
            last = ""
            for line in lines:  # what is held back by whatever stands between would never come
                last = line.removeprefix("id: ") if line.startswith("id: ") else last
                if "le train part" in line:
                    break
        server.terminate()
        server.wait(PATIENCE / 1000)
        assert ask("GET", f"{base}/").status_code == 502
        programs.serve(inside, "--public", public)
        ask("POST", f"{base}/do/say", data={"proof": proof, "text": "il est parti"})
        with friend.stream("GET", stream, headers={"Last-Event-ID": last},
                           extensions={"sni_hostname": HOSTNAME}) as live:
            assert any("il est parti" in line for line in live.iter_lines())


@pytest.mark.evening
@pytest.mark.needs("chromium")
@pytest.mark.needs("caddy")
def test_friends_in_browsers_come_in_by_their_links_and_are_back_after_a_break(
    programs: Programs, chromium: Any
) -> None:
    port, inside = free_port(), free_port()
    public = f"https://{HOSTNAME}:{port}"
    server = programs.serve(inside, "--public", public)
    in_caddy(programs, port, inside)
    ana, bob = (chromium.new_context(locale="fr-FR", ignore_https_errors=True).new_page() for _ in range(2))
    for page in (ana, bob):
        page.set_default_timeout(PATIENCE)
    ana.goto(f"{public}/g/simulacres")
    ana.get_by_text(say("web.open_table")).first.click()
    ana.get_by_role("button", name=say("web.open_it")).click()
    ana.wait_for_selector("#live", state="attached")
    table = ana.url
    ana.goto(f"{table}invite")
    expect(ana.get_by_text(public, exact=True)).to_be_visible()
    ana.goto(f"{table}links")
    ana.fill("#seat-name", "Bob")
    ana.get_by_role("button", name=say("web.invite")).click()
    link = ana.locator("input.link").first.input_value()
    assert link.startswith(f"{public}/enter/")
    bob.goto(link)
    ana.goto(table)
    ana.fill("#say", "le train part")
    ana.keyboard.press("Enter")
    expect(bob.locator("#log")).to_contain_text("le train part", timeout=PATIENCE)
    server.terminate()
    server.wait(PATIENCE / 1000)
    expect(bob.locator("#offline")).to_be_visible(timeout=PATIENCE)
    programs.serve(inside, "--public", public)
    expect(bob.locator("#offline")).to_be_hidden(timeout=PATIENCE)
    bob.fill("#say", "je suis là")
    bob.keyboard.press("Enter")
    expect(ana.locator("#log")).to_contain_text("je suis là", timeout=PATIENCE)
    for page in (ana, bob):
        page.context.close()


@pytest.mark.needs("openssl")
def test_a_certificate_of_ones_own_needs_nothing_in_front(programs: Programs) -> None:
    port = free_port()
    cert, key = certificate(programs.folder)
    programs.serve(port, "--tls-cert", str(cert), "--tls-key", str(key))
    with far_away(port, cert) as friend:
        assert asked(friend, "GET", "/").headers["strict-transport-security"]


@pytest.mark.needs("systemd")
def test_the_unit_that_we_ship_is_one(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("paravent")
    unit = (EXAMPLES / "paravent.service").read_text().replace("/opt/paravent/bin/paravent", str(program))
    (tmp_path / "paravent.service").write_text(unit)
    done = subprocess.run(["systemd-analyze", "verify", tmp_path / "paravent.service"], capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", ["hosting.md", "hosting.en.md"])
def test_the_pages_show_the_files_that_are_tried_here(page: str) -> None:
    text = (EXAMPLES.parents[1] / "docs" / page).read_text("utf-8")
    for name in ("Caddyfile", "nginx.conf", "paravent.service"):
        assert (EXAMPLES / name).read_text().strip() in text, name


# Whose word is taken


@pytest.fixture
def told() -> dict[str, Any]:
    """What the application is told of whoever asks."""
    return {}


def through(abroad: Abroad, told: dict[str, Any]) -> Any:
    """The application as it would be served, with a look at what reaches it."""
    async def look(scope: Any, receive: Any, send: Any) -> None:
        told.update(client=scope["client"][0], scheme=scope["scheme"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return abroad.checked().config(look).loaded_app


HEADERS = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}


def test_only_a_named_proxy_is_believed(told: dict[str, Any]) -> None:
    app = through(Abroad("https://table.example.org", ("10.0.0.0/8",)), told)
    TestClient(app, client=("10.1.2.3", 1)).get("/", headers=HEADERS)
    assert told == {"client": "198.51.100.7", "scheme": "https"}
    for other in ("127.0.0.1", "203.0.113.9"):
        TestClient(app, client=(other, 1)).get("/", headers=HEADERS)
        assert told == {"client": other, "scheme": "http"}


def test_what_somebody_says_of_themselves_is_not_taken_for_the_proxys_word(told: dict[str, Any]) -> None:
    app = through(Abroad("https://table.example.org"), told)
    spoofed = {**HEADERS, "X-Forwarded-For": "127.0.0.1, 198.51.100.7"}
    TestClient(app, client=("127.0.0.1", 1)).get("/", headers=spoofed)
    assert told["client"] == "198.51.100.7"


def test_without_a_public_address_nobody_is_believed(told: dict[str, Any]) -> None:
    TestClient(through(Abroad(), told), client=("127.0.0.1", 1)).get("/", headers=HEADERS)
    assert told == {"client": "127.0.0.1", "scheme": "http"}


@pytest.mark.parametrize(("options", "code"), [
    (["--public", "table.example.org"], "web/bad-public"), (["--public", "https://a.b/c"], "web/bad-public"),
    (["--proxy", "caddy"], "web/not-an-address"), (["--tls-cert", "x.pem"], "web/bad-certificate"),
    (["--tls-cert", "x.pem", "--tls-key", "y.pem"], "web/bad-certificate"),
])
def test_an_option_that_makes_no_sense_is_refused_in_words(
    options: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", "--port", "0", "--database", "memory:", *options]) != 0
    words = say(f"errors.{code}.title", got=options[1], why="?").partition("?")[0]
    assert words[:30] in capsys.readouterr().err


# Who may open tables


class NoDoor:
    """A server that could let others in."""

    addresses = ()

    async def open_lan(self) -> None:
        raise AssertionError("nobody in front of the machine asked")


def visitor(word: str = "", tables: int = 0, address: str = "198.51.100.7") -> TestClient:
    app = create_app(open_log("memory:"))
    app.state.threshold = Threshold(word, tables)
    return TestClient(app, base_url="http://table.example.org", client=(address, 1), follow_redirects=False)


def test_a_door_word_is_asked_of_whoever_opens_a_table_and_of_nobody_who_was_invited() -> None:
    with visitor("sésame") as client:
        home = client.get("/").text
        assert 'action="/open"' not in home
        assert 'action="/door"' in home
        for path in ("/open", "/demo/conteur", "/import"):
            assert client.post(path, data={"system": "conteur"}).status_code == 403, path
        table = {"system": "conteur", "name": "Jeudi", "game_master": "Ana"}
        assert client.post("/api/tables", json=table).json()["code"] == "web/door-shut"
        assert client.post("/api/tables", json=table, headers={"X-Door-Word": "x"}).json()["code"] == "web/wrong-word"
        made = client.post("/api/tables", json=table, headers={"X-Door-Word": "sésame".encode()}).json()
        assert client.get(f"/enter/{made['token']}").status_code == 303, "a link works without it"
        client.post("/door", data={"word": "sésame"})
        assert 'action="/open"' in client.get("/").text
        assert client.post("/open", data={"system": "conteur"}).status_code == 303


def test_where_friends_come_in_from_afar_nobody_is_taken_to_sit_in_front_of_the_machine() -> None:
    """A tunnel comes from this machine too, and calls it whatever somebody at its other end says."""
    app = create_app(open_log("memory:"))
    app.state.threshold, app.state.door = Threshold("sésame", 2), NoDoor()
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 1), follow_redirects=False) as client:
        assert client.post("/open", data={"system": "conteur"}).status_code == 303, "at home"
        proof = re.search(r'action="/lan">.*?name="proof" value="(\w+)"', client.get("/").text, re.DOTALL)
        assert proof is not None
        app.state.public = "http://table.example.org"
        assert client.post("/open", data={"system": "conteur"}).status_code == 403
        assert 'action="/lan"' not in client.get("/").text
        assert client.post("/lan", data={"open": "yes", "proof": proof[1]}).status_code == 403
        client.post("/door", data={"word": "sésame"})
        assert [client.post("/open", data={"system": "conteur"}).status_code for _ in range(3)] == [303, 303, 429]


def test_no_other_protocol_leads_past_the_gate() -> None:
    """Whatever else is installed beside us, which would take connections over."""
    assert Abroad().config(create_app(open_log("memory:"))).ws == "none"


def test_guessing_the_word_is_slowed_down() -> None:
    with visitor("sésame") as client:
        for _ in range(10):
            assert client.post("/door", data={"word": "x"}).status_code == 403
        assert client.post("/door", data={"word": "sésame"}).status_code == 403


def test_one_address_opens_so_many_tables_and_others_are_not_held_up() -> None:
    with visitor(tables=2) as client:
        assert [client.post("/open", data={"system": "conteur"}).status_code for _ in range(3)] == [303, 303, 429]
        other = TestClient(client.app, base_url="http://table.example.org", client=("198.51.100.8", 1),
                           follow_redirects=False)
        assert other.post("/open", data={"system": "conteur"}).status_code == 303
