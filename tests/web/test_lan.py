"""The local network, opened from the first page and closed again; only whoever sits at the machine may do it."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import expect

from paravent.web import serve

from .conftest import HOSTNAME, PHONE, Serving, say, table_token

pytestmark = pytest.mark.needs("network")


@pytest.fixture
def house() -> Iterator[Serving]:
    """A server of this test's own."""
    server = Serving()
    yield server
    server.stop()


@pytest.fixture
def outside(house: Serving) -> str:
    """What other machines call this one."""
    return f"http://{serve.local_hosts()[0]}:{house.port}"


def test_the_house_comes_before_containers_and_tunnels() -> None:
    found = {"172.17.0.1": "docker0", "10.8.0.2": "tun0", "127.0.0.1": "lo", "8.8.4.4": "eth1", "10.0.0.5": "eth0",
             "192.168.1.20": "wlan0"}
    house = ("192.168.1.20", "10.0.0.5", "8.8.4.4", "172.17.0.1", "10.8.0.2")
    assert serve.likeliest_first(found, "10.8.0.2") == (*house[:3], "10.8.0.2", "172.17.0.1")
    assert serve.likeliest_first(found, "192.168.1.20") == house
    assert serve.likeliest_first(found, "10.0.0.5")[:2] == ("10.0.0.5", "192.168.1.20")


def answers(address: str) -> bool:
    """Whether anything listens there."""
    url = httpx.URL(address)
    try:
        with socket.create_connection((url.host, url.port), timeout=10):
            return True
    except ConnectionRefusedError:
        return False


def switch(home: str) -> dict[str, str]:
    """What the switch on a page sends."""
    form = re.search(r'<form method="post" action="/lan">.*?</form>', home, re.DOTALL)
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0])) if form else {}


@pytest.mark.needs("chromium")
def test_the_switch_lets_phones_in_and_shuts_them_out_while_the_table_goes_on(
    chromium: Any, house: Serving, outside: str
) -> None:
    told: list[tuple[str, ...]] = []
    house.server._told = told.append
    here, phone = chromium.new_context(locale="fr-FR"), chromium.new_context(viewport=PHONE, locale="fr-FR")
    laptop, table = here.new_page(), here.new_page()
    table.goto(f"{house.url}/enter/{table_token(house.url, 'simulacres')}")
    base = table.url
    laptop.goto(house.url)
    expect(laptop.get_by_text(say("web.lan.closed"))).to_be_visible()
    assert not answers(outside)

    laptop.get_by_role("button", name=say("web.lan.open"), exact=True).click()
    expect(laptop.get_by_role("link", name=outside)).to_be_visible()
    expect(laptop.locator("#lan svg")).to_be_visible()
    assert told == [(outside,)]

    laptop.goto(f"{base}links")
    laptop.get_by_label(say("web.name"), exact=True).fill("Bob")
    laptop.get_by_role("button", name=say("web.invite"), exact=True).click()
    link = laptop.get_by_label(say("web.link"), exact=True).first.input_value()
    assert link.startswith(f"{outside}/enter/")

    bob = phone.new_page()
    bob.goto(outside)
    expect(bob.get_by_role("heading", name=say("web.lan.title"))).to_be_visible()
    assert bob.evaluate("isSecureContext") is False
    assert bob.locator("#lan form").count() == 0
    bob.goto(link)
    says(table, "bonsoir")
    hears(bob, "bonsoir")

    laptop.goto(house.url)
    laptop.get_by_role("button", name=say("web.lan.close"), exact=True).click()
    expect(laptop.get_by_text(say("web.lan.closed"))).to_be_visible()
    assert not answers(outside)
    assert told[1:] == [()]
    expect(bob.locator("#offline")).to_have_text(say("web.offline"))
    says(table, "on continue")
    hears(table, "on continue")

    laptop.get_by_role("button", name=say("web.lan.open"), exact=True).click()
    expect(laptop.get_by_role("link", name=outside)).to_be_visible()
    hears(bob, "on continue")
    for context in (here, phone):
        context.close()


def says(page: Any, words: str) -> None:
    line = page.get_by_label(say("web.say"), exact=True)
    line.fill(words)
    line.press("Enter")
    expect(line).to_have_value("")


def hears(page: Any, words: str) -> None:
    log = page.get_by_role("list", name=say("web.log"), exact=True, include_hidden=True)
    expect(log.get_by_text(words).first).to_be_attached()


def test_the_switch_is_neither_offered_to_nor_taken_from_another_machine(house: Serving, outside: str) -> None:
    asked = {**switch(httpx.get(house.url).text), "open": "yes"}
    assert asked["proof"]
    elsewhere: list[tuple[str, dict[str, str]]] = [
        (house.url, {"Host": f"{HOSTNAME}:{house.port}"}),  # a name that was made to lead here
        (house.url, {"X-Forwarded-For": "127.0.0.1"}),
        (house.url, {"Forwarded": "for=192.0.2.60;proto=http"}),
        (house.url, {"Origin": "http://elsewhere.example"}),
    ]
    for url, headers in elsewhere:
        if "Origin" not in headers:
            assert switch(httpx.get(url, headers=headers).text) == {}
        assert httpx.post(f"{url}/lan", data=asked, headers=headers).status_code == 403
    for proof in ("", "0" * 32):
        assert httpx.post(f"{house.url}/lan", data={**asked, "proof": proof}).status_code == 403
    assert not answers(outside)

    assert httpx.post(f"{house.url}/lan", data=asked).status_code == 303
    assert answers(outside)
    assert switch(httpx.get(outside).text) == {}
    assert httpx.post(f"{outside}/lan", data={"proof": asked["proof"]}).status_code == 403
    assert answers(outside)
    assert httpx.post(f"{house.url}/lan", data={"proof": asked["proof"]}).status_code == 303
    assert not answers(outside)


def test_it_leads_back_to_the_pages_of_a_table_and_nowhere_else(house: Serving) -> None:
    asked = switch(httpx.get(house.url).text)
    for then, place in (("/t/a1/b2/links", "/t/a1/b2/links#lan"), ("//elsewhere.example", "/#lan"), ("", "/#lan")):
        answer = httpx.post(f"{house.url}/lan", data={"proof": asked["proof"], "then": then})
        assert answer.headers["location"] == place


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_without_a_network_one_sentence_says_so(house: Serving, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.setattr(serve, "local_hosts", lambda: ())
    home = httpx.get(house.url, params={"lang": lang})
    answer = httpx.post(f"{house.url}/lan", data={**switch(home.text), "open": "yes"}, params={"lang": lang})
    assert say("errors.web/no-network.title", lang) in answer.text.replace("&#39;", "'")
    assert house.server.addresses == ()


def test_the_terminal_says_it_too(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "paravent", "serve", "--no-browser", "--port", "0", "--database", "memory:"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
    )
    try:
        here = process.stdout.readline().split()[-1].rstrip("/")
        read_until(process.stdout.readline, "Ctrl+C")
        asked = switch(httpx.get(here).text)
        httpx.post(f"{here}/lan", data={**asked, "open": "yes"})
        assert serve.local_hosts()[0] in process.stdout.readline()
        httpx.post(f"{here}/lan", data={"proof": asked["proof"]})
        read_until(process.stdout.readline, say("cli.serve.closed-again"))
    finally:
        process.terminate()
        process.communicate(timeout=20)


def read_until(line: Callable[[], str], words: str) -> None:
    while words not in (said := line()):
        assert said, "nothing more was said"
