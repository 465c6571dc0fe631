"""Dice that nobody can choose, on the page: browsers promise, open and check their grains by themselves."""

import hashlib
import re

from playwright.sync_api import expect

from .conftest import Browsing, OpenTable, Person, say


def proofs(person: Person, number: int = 1) -> list[dict[str, object]]:
    return list(person.view["moves"][str(number)]["proofs"])


def taking_part(person: Person, number: int = 1) -> list[str]:
    """The names of those who take part in the latest throw of an act, once they are told."""
    rows = proofs(person, number)[-1].get("grains", [])
    assert isinstance(rows, list)
    seats = person.view["seats"]
    return sorted(seats[row["seat"]]["name"] for row in rows if not row.get("left_out"))


def promised(*people: Person) -> None:
    """Wait until these browsers have promised."""
    for person in people:
        expect(person.page.locator("#live[data-promised]")).to_be_attached()


def last_promise(person: Person) -> str:
    """The last grain that a browser has promised, as it did."""
    kept = person.page.evaluate(
        "() => JSON.parse(localStorage.getItem(`grains ${document.getElementById('live').dataset.link}`))")
    grain = hashlib.sha256(f"{kept['seed']} {kept['made'] - 1}".encode()).digest()
    return hashlib.sha256(grain).hexdigest()


def test_a_browser_hashes_as_everybody_does(browsing: Browsing, open_table: OpenTable) -> None:
    ana = open_table("simulacres", waiting=False).gm()
    for text in ("", "abc", "a" * 55, "a" * 56, "a" * 64, "é" * 999):
        found = ana.page.evaluate("(text) => window.grains.sha256(text)", text)
        assert found == hashlib.sha256(text.encode()).hexdigest()


def test_everybody_at_the_table_takes_part_and_a_changed_history_is_said_in_words(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    ana.does("promise-grains", promise=last_promise(ana))
    with ana.page.expect_request(re.compile("/do/promise$")):  # it promises others before none is left
        bob.says("/r 3d6")  # thrown by the page, with its grain
    expect(ana.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob) == ["Ana", "Bob"]
    assert "key" in proofs(bob)[0]
    verdict = bob.asks("GET", "/table/verification").json()
    assert (verdict["verified"], verdict["host_alone"], verdict["begun_again"]) == (1, 0, 0)
    bob.comes_back()
    expect(bob.page.locator("#grains [data-key]")).to_have_count(1)
    expect(bob.page.locator("#history")).to_be_hidden()
    # The host writes another key and hash into the log: the file agrees with itself, this browser does not.
    bob.page.route(re.compile(f"{bob.base}/$"), lambda route: route.fulfill(
        response=(answer := route.fetch()), body=answer.text().replace(str(proofs(bob)[0]["hash"]), "0" * 64)))
    bob.comes_back()
    expect(bob.page.get_by_text(say("web.grains.differs"))).to_be_visible()


def test_an_act_that_is_told_with_another_throw_is_said_in_words(open_table: OpenTable) -> None:
    """The host writes the throw anew, without this seat's grain, or as one that nobody took part in: nothing of what
    this browser opened is named. But the act was told with another throw; one that was taken back would be listed."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    bob.says("/r 3d6")
    expect(bob.page.locator("#grains [data-key]")).to_have_count(1)
    bob.comes_back()
    expect(bob.page.locator("#grains [data-key]")).to_have_count(1)
    expect(bob.page.locator("#history")).to_be_hidden()
    told = proofs(bob)[0]

    def rewritten(html: str) -> str:
        html = html.replace(str(told["hash"]), "0" * 64).replace(str(told["key"]), "1" * 64)
        return re.sub('data-grains="[^"]*"', 'data-grains=""', html)

    bob.page.route(re.compile(f"{bob.base}/$"), lambda route: route.fulfill(
        response=(answer := route.fetch()), body=rewritten(answer.text())))
    bob.comes_back()
    expect(bob.page.get_by_text(say("web.grains.differs"))).to_be_visible()


def promise_at(person: Person, at: int) -> str:
    """The promise of one of a browser's grains."""
    kept = person.page.evaluate(
        "() => JSON.parse(localStorage.getItem(`grains ${document.getElementById('live').dataset.link}`))")
    return hashlib.sha256(hashlib.sha256(f"{kept['seed']} {at}".encode()).digest()).hexdigest()


def announced(person: Person, *asked: tuple[str, str, str], step: str = "roll", more: str = "data-open") -> None:
    """What a host who makes it up tells the page: throws, by act, hash and promise; and nothing of earlier ones."""
    seat = person.base.rpartition("/")[2]
    person.page.evaluate(
        """([asked, step, more]) => {
          for (const old of document.querySelectorAll("#grains .made-up")) old.remove();
          for (const [number, hash, rows] of asked)
            document.getElementById("grains").insertAdjacentHTML("beforeend", `<i class="made-up" data-throw="${hash}"
              data-number="${number}" data-step="${step}" data-holder="" data-left="" data-grains="${rows}"
              ${more}></i>`);
          document.dispatchEvent(new Event("htmx:after:swap"));
        }""", [[(number, hash_, f"{seat}:{promise}:") for number, hash_, promise in asked], step, more])


def left_out(person: Person, number: str, hash_: str, promise: str, step: str) -> None:
    """A throw begins again, so the host says, without this seat, who did not answer."""
    seat = person.base.rpartition("/")[2]
    person.page.evaluate(
        """([number, hash, left, step]) => {
          document.getElementById("grains").insertAdjacentHTML("beforeend", `<i class="made-up" data-throw="${hash}"
            data-number="${number}" data-step="${step}" data-holder="" data-left="${left}" data-grains=""
            data-open></i>`);
          document.dispatchEvent(new Event("htmx:after:swap"));
        }""", [number, hash_, f"{seat}:{promise}", step])


def test_whoever_answered_and_is_left_out_is_told_so_and_whoever_slept_accuses_nobody(open_table: OpenTable) -> None:
    """A page that answered one throw of an act and slept through its next is not lied to; one that answered is."""
    bob = open_table("simulacres", waiting=False).joins("Bob")
    promised(bob)
    bob.page.route(re.compile("/do/grain$"), lambda route: route.fulfill(status=204))
    first, second, again, third = (hashlib.sha256(b"%d" % at).hexdigest() for at in range(4))

    def answers(hash_: str, at: int, step: str) -> tuple[str, str, str]:
        asked = "900", hash_, promise_at(bob, at)
        with bob.page.expect_response(re.compile("/do/grain$")):
            announced(bob, asked, step=step)
        return asked

    thrown = answers(first, 0, "roll")
    announced(bob, thrown, more="data-thrown data-key='00'")
    with bob.page.expect_request(re.compile("/do/promise$")):  # asked again from the next throw on
        left_out(bob, "900", second, promise_at(bob, 1), "soak")
    expect(bob.page.locator("#history")).to_be_hidden()
    asked = answers(again, 2, "hold")
    left_out(bob, "900", third, asked[2], "hold")
    expect(bob.page.get_by_text(say("web.grains.denied"))).to_be_visible()


def test_a_host_who_tries_keys_until_one_pleases_is_told_of(open_table: OpenTable) -> None:
    """Throws that nobody ordered and nobody ever sees, for the grains: each is opened once, and it is said."""
    bob = open_table("simulacres", waiting=False).joins("Bob")
    promised(bob)
    asked: list[str] = []
    bob.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/do/grain") else None)
    tried = [(str(900 + at), hashlib.sha256(b"%d" % at).hexdigest(), promise_at(bob, at)) for at in range(5)]
    bob.page.route(re.compile("/do/grain$"), lambda route: route.fulfill(status=204))
    announced(bob, *tried[:3])
    announced(bob)
    bob.page.wait_for_function(
        "() => Object.keys(JSON.parse(localStorage.getItem(`grains ${document.getElementById('live').dataset.link}`))"
        ".waits).length === 0")
    expect(bob.page.locator("#history")).to_be_hidden()  # an act may be put behind the screen: three are let pass
    announced(bob, *tried[3:])
    announced(bob)
    expect(bob.page.get_by_text(say("web.grains.nothing"))).to_be_visible()
    assert len(asked) == 5
    announced(bob, ("905", tried[0][1][::-1], tried[0][2]))  # the same promise for another key
    bob.comes_back()
    expect(bob.page.get_by_text(say("web.grains.nothing"))).to_be_visible()
    assert len(asked) == 5
    bob.goes(f"{bob.base}/verify")
    expect(bob.page.locator("#opened")).to_have_text(say("web.verify.opened", opened=5, waiting=0, idle=5))


def test_a_grain_of_long_ago_is_never_opened_again(open_table: OpenTable) -> None:
    """What a grain was opened for is forgotten in the end; then it is opened for nothing any more."""
    bob = open_table("simulacres", waiting=False).joins("Bob")
    promised(bob)
    asked: list[str] = []
    bob.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/do/grain") else None)
    bob.page.evaluate("""() => {
      const place = `grains ${document.getElementById('live').dataset.link}`;
      const memory = JSON.parse(localStorage.getItem(place));
      localStorage.setItem(place, JSON.stringify({ ...memory, made: memory.made + 400 }));
    }""")
    announced(bob, ("900", "a" * 64, promise_at(bob, 1)), ("901", "b" * 64, promise_at(bob, 60)))
    bob.page.wait_for_function(
        "() => Object.values(JSON.parse(localStorage.getItem(`grains ${document.getElementById('live').dataset.link}`))"
        ".bound).length === 1")
    assert len(asked) == 1


def test_acts_given_up_taken_back_and_put_behind_the_screen_alarm_nobody(open_table: OpenTable) -> None:
    """What a group does: an act is withdrawn, one cancelled, one hidden before its dice, one typed by hand."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    ana.does("set-house", judging="at-will")
    bob.page.get_by_role("button", name=re.compile("^Jouer Nour")).click()
    expect(bob.page.get_by_role("button", name=re.compile("^Jouer Nour"))).to_have_count(0)
    mine = next(one for one, record in bob.view["records"].items() if record["sheet"]["name"].startswith("Nour"))

    def starts() -> int:
        told = bob.page.locator("#grains [data-throw][data-open]")
        before = told.count()
        number = bob.does("start-move", move="simple-test", cast={"initiator": [mine]}, form={mine: {"value": 9}})
        expect(told).to_have_count(before + 1)
        return int(number["number"])

    told = bob.page.locator("#grains [data-throw][data-open]")
    bob.does("withdraw", number=starts())
    expect(told).to_have_count(0)
    starts()
    ana.does("cancel", number=max(map(int, ana.view["moves"])))
    expect(told).to_have_count(0)
    starts()
    ana.does("set-grade", number=max(map(int, ana.view["moves"])), grade="invisible")
    expect(told).to_have_count(0)
    starts()
    bob.bar.get_by_role("button", name=re.compile(f"^{say('web.throw')}")).first.click()
    expect(bob.page.locator("#grains [data-thrown]")).to_have_count(1)
    number = starts()
    bob.does("throw", number=number, by_hand=True)
    while wanted := bob.view["moves"][str(number)].get("dice"):
        bob.does("answer", number=number, answer=[1] * wanted["n"])
    expect(told).to_have_count(0)
    for person in (ana, bob):
        person.comes_back()
        expect(person.page.locator("#grains [data-thrown]")).to_have_count(2)
        expect(person.page.locator("#history")).to_be_hidden()
    ana.goes(f"{ana.base}/verify")
    # Of several devices, the one in use gives: whatever came to nothing is counted, now or once it is over.
    expect(ana.page.locator("#opened")).to_have_text(re.compile("|".join(
        re.escape(say("web.verify.opened", opened=5, waiting=waiting, idle=4 - waiting)) for waiting in (0, 1))))


def test_one_tap_throws_although_somebody_is_silent_and_they_are_named(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy")
    promised(ana, bob, cy)
    cy.page.route(re.compile("/do/grain$"), lambda route: route.abort())
    bob.says("/r 3d6")
    expect(ana.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob) == ["Ana", "Bob"]
    expect(ana.log.get_by_text(say("web.grains.begun_again", who="Cy"))).to_be_visible()
    cy.page.unroute(re.compile("/do/grain$"))
    bob.says("/r 2d6")  # Cy's page was told, and promised anew
    expect(ana.page.locator("#grains [data-key]")).to_have_count(2)
    assert taking_part(bob, 2) == ["Ana", "Bob", "Cy"]


def test_of_two_devices_at_one_seat_the_one_in_use_gives_the_grains(open_table: OpenTable) -> None:
    """Bob throws from his laptop, although his telephone was opened since, from there, and from his laptop again: he
    takes part each time."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    laptop, phone = bob.page, table.browsing.page(table.browsing.context(lang=table.lang))
    bob.page = phone
    bob.goes(f"/enter/{bob.token}")
    promised(bob)
    for number, bob.page in enumerate((laptop, phone, laptop, laptop), 1):
        bob.says("/r 3d6")
        for page in (laptop, phone, ana.page):
            expect(page.locator("#grains [data-key]")).to_have_count(number)
    verdict = bob.asks("GET", "/table/verification").json()
    assert (verdict["verified"], verdict["host_alone"], verdict["begun_again"]) == (4, 0, 0)
    assert verdict["took_part"] == {"Ana": 4, "Bob": 4}
    for page in (laptop, phone):
        expect(page.locator("#history")).to_be_hidden()


def test_the_game_master_throws_in_anothers_stead_with_one_tap_and_their_grain(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    bob.takes("Nour")
    ana.acting.get_by_role("button", name=say("web.throw_for", who="Bob")).first.click()
    expect(bob.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob) == ["Ana", "Bob"]
    assert "begun_again" not in proofs(bob)[0]


def test_of_two_throws_that_wait_together_both_are_verified(open_table: OpenTable) -> None:
    """Bob's page holds a grain back for Bob's throw, and gives another to Cy's, which comes between."""
    table = open_table("simulacres", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy")
    promised(ana, bob, cy)
    ana.does("set-house", judging="at-will")
    numbers = []
    for person, name in ((bob, "Nour"), (cy, "Isidore")):
        person.page.get_by_role("button", name=re.compile(f"^Jouer {name}")).click()
        expect(person.page.get_by_role("button", name=re.compile(f"^Jouer {name}"))).to_have_count(0)
        mine = next(one for one, record in person.view["records"].items() if record["sheet"]["name"].startswith(name))
        numbers.append(person.does("start-move", move="simple-test", cast={"initiator": [mine]},
                                   form={mine: {"value": 9}})["number"])
        expect(ana.page.locator("#grains [data-throw]")).to_have_count(len(numbers))
    for person in (bob, cy):
        person.bar.get_by_role("button", name=re.compile(f"^{say('web.throw')}")).first.click()
        expect(person.log.get_by_role("img").first).to_be_visible()
    expect(ana.page.locator("#grains [data-key]")).to_have_count(2)
    verdict = ana.asks("GET", "/table/verification").json()
    assert (verdict["verified"], verdict["host_alone"], verdict["begun_again"]) == (2, 0, 0)
    rows = [row for number in numbers for row in ana.view["moves"][str(number)]["proofs"][-1]["grains"]]
    words = [word for row in rows for word in (row["promise"], row["opened"])]
    assert all(hashlib.sha256(bytes.fromhex(row["promise"])).hexdigest() not in words for row in rows)  # a gap tells
    assert all(taking_part(ana, number) == ["Ana", "Bob", "Cy"] for number in numbers)


def test_dice_ordered_with_a_seal_fall_once_all_is_open_with_everybodys_grains(open_table: OpenTable) -> None:
    """The game master seals first and orders the dice; they fall when the last seal is in, with no further touch."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    promised(ana, bob)
    bob.page.get_by_role("button", name=re.compile("^Jouer Nour")).click()
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("deux brutes moyennes, massue, visibles")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    people = {record["sheet"]["name"]: one for one, record in ana.view["records"].items()}
    nour = next(name for name in people if name.startswith("Nour"))
    cast = {"initiator": [people[nour]], "opponent": [people["Brute 1"], people["Brute 2"]]}
    opening = ana.does("start-move", move="open-a-fight", cast=cast)["number"]
    ana.does("throw", number=opening)
    assert "begun_again" not in proofs(ana, opening)[0]  # it throws nothing, and needs nobody's grain
    number = ana.does("start-move", move="exchange", cast=cast, encounter=1)["number"]
    ana.bar.get_by_role("button", name=say("web.seal_all_throw", n=2), exact=True).click()
    expect(ana.page.get_by_role("button", name=say("web.seal_all_throw", n=2), exact=True)).to_have_count(0)
    bob.bar.get_by_role("button", name=say("web.seal"), exact=True).click()
    expect(bob.log.get_by_role("img").first).to_be_visible()
    assert taking_part(bob, number) == ["Ana", "Bob"]
