"""What keeps the pages safe, asked by a program that minds no manners."""

import json
import re
from collections.abc import Iterator

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paravent.web import actions
from paravent.web.security import HEADERS, LONGEST_BODY, SEAT_COOKIE, Doorkeeper, Limiter, first_of_each, forbidden

from .conftest import PATIENCE, SEAT, Serving, say, table_token

HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>{{7*7}}'


class Visitor:
    """Somebody at a seat, without a browser."""

    def __init__(self, client: httpx.Client, token: str) -> None:
        self.client, self.token = client, token
        answer = client.get(f"/enter/{token}", follow_redirects=False)
        self.cookie = answer.headers["set-cookie"]
        found = SEAT.search(answer.headers["location"])
        assert found
        self.base, self.seat = found[0], found[2]

    def get(self, path: str = "/", **more):
        return self.client.get(self.base + path, **more)

    @property
    def proof(self) -> str:
        return re.search(r'name="proof" value="(\w+)"', self.get().text)[1]

    def post(self, action: str, values: dict, headers: dict | None = None, **more):
        data = {"proof": self.proof, **values}
        return self.client.post(f"{self.base}/do/{action}", data=data, headers=headers, follow_redirects=False, **more)

    def does(self, command: str, **values):
        answer = self.client.post("/api/table/commands", json={"type": command, **values},
                                  headers={"Authorization": f"Bearer {self.token}"})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def invites(self, name: str, grade: str = "player") -> "Visitor":
        answer = self.does("add-seat", name=name, grade=grade)
        return Visitor(newcomer(self.client.base_url), answer["links"][answer["seat"]])


CLIENTS: list[httpx.Client] = []


def newcomer(url) -> httpx.Client:
    """A browser of sorts, with no cookies yet."""
    CLIENTS.append(httpx.Client(base_url=url, follow_redirects=True, timeout=PATIENCE / 1000))
    return CLIENTS[-1]


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    while CLIENTS:
        CLIENTS.pop().close()


@pytest.fixture
def app(serving: Serving):
    return serving.app


@pytest.fixture
def client(serving: Serving) -> Iterator[httpx.Client]:
    with newcomer(serving.url) as browser:
        yield browser


@pytest.fixture
def ana(client: httpx.Client) -> Visitor:
    return Visitor(client, table_token("", "conteur", post=client.post))


def addresses(ana: Visitor) -> list[tuple[str, str]]:
    seat = ana.base
    return [
        ("GET", "/"), ("GET", "/g/conteur"), ("GET", "/g/conteur/rules"), ("GET", "/g/conteur/tables"),
        ("GET", "/g/nothing"), ("GET", "/help"), ("GET", "/nowhere"), ("GET", "/static/looks/base.css"),
        ("GET", "/static/paravent.js"), ("GET", "/static/none.js"), ("GET", f"{seat}/"), ("GET", f"{seat}/links"),
        ("GET", f"{seat}/new"), ("GET", f"{seat}/log"), ("GET", f"{seat}/screen"), ("GET", "/t/none/none/"),
        ("GET", "/enter/wrong"), ("POST", "/demo/nothing"), ("POST", "/open"), ("POST", f"{seat}/do/say"),
        ("DELETE", "/"), ("GET", "/api/systems"), ("GET", "/api/table"), ("GET", "/api/nowhere"),
        ("POST", "/api/tables"), ("GET", "/api/openapi.json"), ("PUT", "/api/systems"),
    ]


def test_every_answer_bears_the_security_headers(ana):
    for method, path in addresses(ana):
        answer = ana.client.request(method, path, follow_redirects=False)
        for name, value in HEADERS.items():
            assert answer.headers.get(name) == value, (method, path, answer.status_code)
        assert "cache-control" in answer.headers
        assert answer.status_code < 500, (method, path)


def test_the_policy_lets_no_script_or_style_in_but_our_files(ana):
    policy = ana.get().headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    for path in ("/", "/links", "/new", "/log"):
        page = ana.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page), path


def test_a_fault_of_ours_says_nothing_of_its_insides(app, client, monkeypatch, caplog):
    async def broken(*_):
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(app.state.host, "open", broken)
    for path, sent in (("/open", {"data": {"system": "conteur"}}),
                       ("/api/tables", {"json": {"system": "conteur", "name": "a", "game_master": "b"}})):
        answer = client.post(path, **sent)
        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        for name, value in HEADERS.items():
            assert answer.headers.get(name) == value


# Cookies and forms


def test_a_seats_cookie_is_bound_to_its_address(ana):
    assert f"Path={ana.base}" in ana.cookie
    assert "HttpOnly" in ana.cookie
    assert "samesite=strict" in ana.cookie.lower()
    assert "Secure" not in ana.cookie  # phones come over kitchen Wi-Fi, plain HTTP


def test_the_language_is_remembered_and_nothing_else_can_be_put_there(client):
    answer = client.get("/?lang=en")
    assert 'lang="en"' in answer.text
    assert "paravent_lang=en" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    client.cookies.clear()
    for wrong in ("xx", "en\r\nSet-Cookie: a=b", "../../etc", "<script>"):
        client.cookies.set("paravent_lang", "zz")
        answer = client.get("/", params={"lang": wrong})
        assert 'lang="fr"' in answer.text
        assert "<script>alert" not in answer.text
        assert "a=b" not in answer.headers.get("set-cookie", "")


def test_a_form_without_its_seats_proof_changes_nothing(ana):
    before = ana.does("return")["last"]
    for proof in ("", "0" * 32, "é", ana.invites("Bob").proof):
        answer = ana.post("say", {"text": "x", "proof": proof})
        assert answer.status_code == 403
    answer = ana.client.post(f"{ana.base}/links", data={"name": "Eve", "proof": "no"})
    assert answer.status_code == 403
    assert ana.does("return")["last"] == before + 1  # Bob was invited, and that is all


@pytest.mark.parametrize("headers", [
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://127.0.0.1.evil.example"},
])
def test_a_form_from_another_site_is_turned_away(ana, headers):
    assert ana.post("say", {"text": "x"}, headers).status_code == 403
    assert ana.client.post("/open", data={"system": "conteur"}, headers=headers).status_code == 403
    assert ana.client.post("/demo/conteur", headers=headers).status_code == 403
    body = {"system": "conteur", "name": "a", "game_master": "b"}
    assert ana.client.post("/api/tables", json=body, headers=headers).status_code == 403


def test_a_form_from_our_own_pages_is_welcome(ana):
    ours = {"Origin": str(ana.client.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert ana.post("say", {"text": "bonjour"}, ours).status_code == 303


def test_a_cookie_opens_its_own_seat_and_no_other(ana):
    bob = ana.invites("Bob")
    stranger = newcomer(ana.client.base_url)
    for path in ("/", "/links", "/live", "/log", "/new", "/screen"):
        answer = stranger.get(ana.base + path, headers={"Cookie": f"{SEAT_COOKIE}={bob.token}"})
        assert answer.status_code == 401, path
        assert "La coursive" not in answer.text
    for cookie in (b"", b"x", "é".encode(), b"a" * 5000):
        answer = stranger.get(f"{ana.base}/", headers={"Cookie": SEAT_COOKIE.encode() + b"=" + cookie})
        assert answer.status_code == 401


def test_a_player_gets_no_page_of_the_game_masters(ana):
    bob = ana.invites("Bob")
    assert bob.get("/links").status_code in (403, 404)
    answer = bob.client.post(f"{bob.base}/links", data={"proof": bob.proof, "name": "Eve", "grade": "gm"})
    assert answer.status_code == 403
    for action, values in (("scene", {"title": "x"}), ("options", {}), ("handout", {"text": "x"})):
        assert bob.post(action, values).status_code == 403, action


def test_a_spectators_posts_are_refused(ana):
    eve = ana.invites("Eve", "spectator")
    proof = re.search(r'name="proof" value="(\w+)"', eve.get().text)[1]
    answer = eve.client.post(f"{eve.base}/do/say", data={"proof": proof, "text": "psst"})
    assert answer.status_code == 403
    assert say("errors.table/only-players.title", seat="Eve") in answer.text.replace("&#39;", "'")


# What people type is hostile


def test_names_messages_and_titles_are_escaped_everywhere(ana):
    ana.does("rename-seat", who=ana.seat, name=HOSTILE[:60])
    bob = ana.invites(f"2{HOSTILE}"[:60])
    ana.does("say", text=HOSTILE)
    ana.does("say", text=HOSTILE, title=HOSTILE[:60], kind="handout")
    ana.does("say", text=HOSTILE, kind="story")
    ana.does("open-scene", title=HOSTILE[:60])
    record = ana.does("add-record", kind="character", ready="maelle-tisserand", owner=bob.seat)["record"]
    ana.does("edit-record", record=record, path="name", value=HOSTILE[:60])
    ana.does("start-move", move="free-throw", form={ana.seat: {"expression": "3d6 # " + HOSTILE}})
    for who in (ana, bob):
        for path in ("/", "/log", f"/log?q={HOSTILE}", "/new"):
            page = who.get(path).text
            assert "<script>alert" not in page, path
            assert "<img src=x" not in page, path
            assert "7*7" not in page or "{{7*7}}" in page
    assert "<script>alert" not in ana.get("/links").text
    assert "<script>alert" not in ana.client.get("/g/conteur/rules", params={"q": HOSTILE}).text
    assert "<script>alert" not in ana.client.get(f"/g/{HOSTILE}").text
    refusal = ana.post("say", {"text": f"/{'é'}{HOSTILE}"}, {"HX-Request": "true"})
    assert "<script>alert" not in refusal.text
    answer = ana.get(f"/record/{record}")
    assert "\n" not in answer.headers["content-disposition"]
    assert answer.headers["content-type"].startswith("application/json")


def test_what_is_too_long_is_refused_however_it_is_sent(ana):
    assert ana.post("say", {"text": "x" * 9000}).status_code == 413
    assert ana.post("say", {"text": "x" * LONGEST_BODY}).status_code == 413

    def endless() -> Iterator[bytes]:  # no length is announced
        yield b"text="
        for _ in range(8):
            yield b"x" * (LONGEST_BODY // 4)

    for path in (f"{ana.base}/do/say", "/api/tables"):
        answer = ana.client.post(path, content=endless(), headers={"Content-Type": "application/x-www-form-urlencoded"})
        assert answer.status_code == 413, path
        assert answer.headers["content-security-policy"]


def test_a_length_that_is_no_length_is_turned_away():
    for length in (b"-1", b"x", b"9" * 30, "²".encode(), b"1_0", b" 1"):
        scope = {"type": "http", "method": "POST", "headers": [(b"content-length", length)]}
        assert forbidden(scope, first_of_each(scope)) in (400, 413), length


def test_static_files_lead_nowhere_else(client):
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/....//app.py",
                 "/static//etc/passwd", "/static/%00", "/static/vendor/../../app.py", "/static/"):
        answer = client.get(path)
        assert answer.status_code in (400, 404, 405), path
        assert "create_app" not in answer.text


def test_numbers_that_are_none_are_not_numbers():
    from starlette.datastructures import FormData

    for typed in ("--5", "²", "1" * 5000, "1e9", "0x10", "٣", "5-", "-", ""):
        assert actions.number(FormData([("n", typed)]), "n") == 0, typed
    assert actions.number(FormData([("n", "\u22127")]), "n") == -7


# Links


def test_guessing_links_is_slowed_down_and_those_inside_stay_inside(app, ana):
    app.state.doorkeeper = Doorkeeper(tries=5, seconds=3600)
    try:
        codes = [ana.client.get(f"/enter/{n:040x}").status_code for n in range(8)]
        assert codes == [401] * 5 + [429] * 3
        answer = ana.client.get("/api/table", headers={"Authorization": "Bearer guess"})
        assert (answer.status_code, answer.json()["code"]) == (429, "table/too-many-guesses")
        bob = ana.does  # ana came in before, and is let in still: her link is known
        assert ana.get().status_code == 429  # but a doorkeeper who never saw her does not know it
        app.state.doorkeeper = Doorkeeper(tries=2, seconds=3600)
        assert ana.get().status_code == 200
        assert [ana.client.get(f"/enter/{n}").status_code for n in range(3)] == [401, 401, 429]
        assert ana.get().status_code == 200
        assert bob("return")["last"]
    finally:
        app.state.doorkeeper = Doorkeeper()


def test_a_limiter_counts_by_address_and_forgets_with_time():
    limiter = Limiter(tries=2, seconds=10, addresses=2)
    assert [limiter.allows("a", now=at) for at in (0, 1, 2)] == [True, True, False]
    assert limiter.allows("b", now=2)
    assert limiter.is_full("a", now=9)
    assert not limiter.is_full("a", now=10.5)
    limiter.allows("c", now=3)
    limiter.allows("d", now=3)
    assert not limiter.is_full("a", now=4)  # the oldest address was forgotten


def events_until_the_end(address: str, headers: dict[str, str], then) -> str:
    """Listen to a stream until the server ends it; ``then`` is done once it has begun."""
    told = ""
    with httpx.stream("GET", address, headers=headers) as stream:
        assert stream.status_code == 200
        done = False
        for chunk in stream.iter_text():
            told += chunk
            if not done:
                done = True
                then()
    return told


@pytest.mark.parametrize("what", ["renew-link", "revoke-link"])
@pytest.mark.parametrize("kind", ["page", "api"])
def test_a_link_made_anew_or_revoked_ends_its_streams(serving: Serving, what, kind):
    token = table_token(serving.url, "conteur")
    gm = {"Authorization": f"Bearer {token}"}
    commands = f"{serving.url}/api/table/commands"

    def do(**command):
        answer = httpx.post(commands, json=command, headers=gm)
        assert answer.status_code == 200, answer.text
        return answer.json()

    bob = do(type="add-seat", name="Bob")
    link = bob["links"][bob["seat"]]
    table = httpx.get(f"{serving.url}/api/table", headers=gm).json()["table"]
    address, headers = {
        "page": (f"{serving.url}/t/{table}/{bob['seat']}/live", {"Cookie": f"{SEAT_COOKIE}={link}"}),
        "api": (f"{serving.url}/api/table/events", {"Authorization": f"Bearer {link}"}),
    }[kind]

    def close() -> None:
        do(type=what, who=bob["seat"])
        do(type="say", text="après la fermeture", kind="message")

    told = events_until_the_end(address, headers, close)
    assert "après la fermeture" not in told
    assert httpx.get(address, headers=headers).status_code == 401


# Bad input is refused, never a fault


ACTIONS = sorted(actions.ACTIONS)
words = st.one_of(
    st.text(max_size=30), st.sampled_from([
        "", "1", "-1", "0", "²", "99999999999999999999", "true", "null", "[]", "{}", "[[[[]]]]", '{"dice": [1]}',
        "[1,2]", '"agree"', "NaN", "1e400", "throw", "character", "gm", "all", "draw", "file", "3d6", "/w",
        "/w x", "\x00", "\ud7ff", "[" * 2000, "name", "attribute", "free-throw", "pass-time",
    ]),
)
names = st.sampled_from([
    "text", "number", "move", "cast:initiator", "f:x:y", "f::", "f:{actor}:attribute", "f:{actor}:skill[]", "nonce",
    "by_hand", "answer", "faces", "die", "all", "keep", "value:0", "value:x", "was:0", "step", "record", "path",
    "value", "seen_by", "owner", "to", "title", "kind", "option:x", "who", "name", "item", "encounter", "how",
    "sheet", "ready",
    "hidden", "grade", "s:x:y", "s:{actor}:attribute", "s:{actor}:sheet", "complete", "id", "seconds", "policy", "of",
    "role", "names", "span", "count",
])


@settings(derandomize=True, max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(action=st.sampled_from([*ACTIONS, "nothing"]), values=st.lists(st.tuples(names, words), max_size=6),
       hx=st.booleans())
def test_no_form_however_filled_breaks_the_server(fuzzed, action, values, hx):
    ana, proof, actor = fuzzed
    data = {}
    for name, value in values:
        data.setdefault(name.replace("{actor}", actor), []).append(value.encode("utf-8", "replace").decode())
    data.setdefault("number", ["1"])
    headers = {"HX-Request": "true"} if hx else {}
    answer = ana.client.post(f"{ana.base}/do/{action}", data={"proof": proof, **data}, headers=headers,
                             follow_redirects=False)
    assert answer.status_code in (200, 303, 400, 401, 403, 404, 409, 413, 422), (action, data, answer.text[:300])
    page = ana.get()
    assert page.status_code == 200, (action, data)


@pytest.fixture(scope="module")
def fuzzed(serving: Serving):
    with newcomer(serving.url) as browser:
        token = table_token("", "conteur", post=browser.post)
        ana = Visitor(browser, token)
        view = browser.get("/api/table", headers={"Authorization": f"Bearer {token}"}).json()
        yield ana, ana.proof, next(iter(view["records"]))


@settings(derandomize=True, max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=200), kind=st.sampled_from([
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data", "text/plain",
    "application/json", "", "multipart/form-data; boundary=" + "y" * 300,
]))
def test_no_body_however_malformed_breaks_the_server(fuzzed, body, kind):
    ana, _, _ = fuzzed
    for path in (f"{ana.base}/do/say", f"{ana.base}/links", "/open", "/api/tables", "/api/table/commands"):
        headers = {"Content-Type": kind, "Authorization": f"Bearer {ana.token}"}
        answer = ana.client.post(path, content=body, headers=headers, follow_redirects=False)
        assert answer.status_code < 500, (path, body, kind)


def test_a_file_where_words_are_expected_is_no_fault(ana):
    proof = ana.proof
    for name in ("text", "f:x:y", "number", "cast:initiator", "proof", "faces"):
        answer = ana.client.post(f"{ana.base}/do/fill", data={"proof": proof},
                                 files={name: ("a.txt", b"hello")}, follow_redirects=False)
        assert answer.status_code < 500, name


def test_pages_open_in_the_browsers_language_until_another_is_chosen(client):
    english = {"Accept-Language": "en-GB,fr;q=0.5"}
    for lang, headers in (("fr", {}), ("en", english), ("fr", {"Accept-Language": "de,fr;q=0.5"})):
        assert f'<html lang="{lang}"' in client.get("/", headers=headers).text
    client.get("/?lang=fr")
    assert '<html lang="fr"' in client.get("/", headers=english).text


def test_errors_read_as_pages_or_as_json_in_the_readers_language(client):
    assert say("web.status.404") in client.get("/nowhere").text.replace("&#39;", "'")
    assert say("web.status.404", "en") in client.get("/nowhere?lang=en").text.replace("&#39;", "'")
    for lang, headers in (("fr", {}), ("en", {"Accept-Language": "en-GB,fr;q=0.5"})):
        answer = client.get("/api/nowhere", headers=headers)
        assert answer.json() == {"code": "http/404", "message": say("web.status.404", lang)}
        answer = client.get("/api/table", headers=headers)
        assert answer.json() == {"code": "table/bad-link", "message": say("errors.table/bad-link.title", lang)}
        assert answer.headers["www-authenticate"] == "Bearer"
        assert json.loads(answer.text)
