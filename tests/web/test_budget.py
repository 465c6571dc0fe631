"""The interaction budget: each row is played in browsers, and fails when it costs more taps than it may."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from paravent.game import find_system
from paravent.table import playing

from .budget import Counting, FallingAs, Hand, counted, until
from .conftest import OpenTable, picks, say, titled

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let all dice fall on a face: what a test costs does not hang on luck."""
    return lambda face: monkeypatch.setattr(
        playing, "faces_of", lambda *_: FallingAs(lambda n, sides: (min(face, sides),) * n))


def sits(open_table: OpenTable, system: str, *names: str) -> Counting:
    """A table with players who each hold a character, nothing open."""
    table = open_table(system, waiting=False)
    table.gm()
    people = []
    for at, name in enumerate(names):
        person = table.joins(name)
        held = person.view["records"]
        person.does("take-record", record=sorted(held, key=lambda one: str(held[one]["name"]))[at])
        person.comes_back()
        people.append(person)
    table.gm().comes_back()
    return Counting(table, people)


def begun(evening: Counting) -> None:
    """Wait until an act is open."""
    until(evening.gm.page, lambda: bool(evening.gm.seen["moves"]), "nothing began")


def opens(hand: Hand, key: str) -> Any:
    """Open a drawer of the game master's strip by its name: one tap; what lies in it."""
    drawer = hand.page.locator(".strip details").filter(has=hand.page.locator("summary b", has_text=say(key)))
    hand.tap(drawer.locator("> summary"))
    return drawer


def looks_for(hand: Hand, move: str) -> None:
    """Look for a move by its name, and take it: typing is free, the move is one tap."""
    hand.tap(hand.person.finds(move))


OPTIONS = {"empire": {"dice_hand": "player"}}
"""Where the game master throws behind the screen, what is told of a result is a word of theirs; here players throw."""


def from_sheet(hand: Hand, value: str) -> None:
    """Tap something on one's own sheet that begins a test."""
    hand.tap(hand.person.sheets.locator(f"[name=go][value*='{value}']").locator("visible=true").first)


@pytest.mark.parametrize(("game", "begins", "face"), [
    ("conteur", "skill=", 1), ("simulacres", "skill=", 2), ("solaires", "element=", 3), ("empire", "skill=", 1),
])
def test_a_test_from_the_sheet(open_table: OpenTable, record_property: Any, fall: Any, game: str, begins: str,
                               face: int) -> None:
    fall(face)
    evening = sits(open_table, game, "Bob")
    evening.gm.person.does("set-options", options=OPTIONS.get(game, {}))
    (bob,) = evening.players
    for _ in range(2):  # the second time it is known how a skill is used
        evening.from_here()
        from_sheet(bob, begins)
        begun(evening)
        evening.goes_on()
    counted(record_property, "test", game, evening)


def test_a_test_whose_difficulty_is_secret(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    """The skill on the sheet and how precisely; a row and a throw behind the screen, and what is told of it."""
    fall(1)
    evening = sits(open_table, "empire", "Bob")
    (bob,) = evening.players
    from_sheet(bob, "skill=")
    begun(evening)
    picks(bob.page.locator(".move").get_by_role("radio", name="vague"))
    bob.taps.append("vague")
    evening.goes_on()
    counted(record_property, "secret", "empire", evening)


@pytest.mark.parametrize(("game", "move", "fields", "face"), [
    ("conteur", "throw", ("attribute", "skill", "energy_dice"), 1),
    ("simulacres", "simple-test", ("component", "means", "realm"), 2),
    ("empire", "skill-test", ("skill", "column"), 1),
])
def test_a_test_composed_from_nothing(open_table: OpenTable, record_property: Any, fall: Any, game: str, move: str,
                                      fields: tuple[str, ...], face: int) -> None:
    fall(face)
    evening = sits(open_table, game, "Bob")
    evening.gm.person.does("set-options", options=OPTIONS.get(game, {}))
    (bob,) = evening.players
    looks_for(bob, move)
    begun(evening)
    for field in fields:
        evening.says(bob, field)
    evening.goes_on()
    counted(record_property, "composed", game, evening)


def test_a_test_that_the_game_master_asks_for(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    fall(1)
    evening = sits(open_table, "conteur", "Bob", "Cy")
    drawer = opens(evening.gm, "web.strip.ask")
    evening.gm.tap(drawer.get_by_role("button", name=re.compile("^Dextérité$", re.IGNORECASE)))
    begun(evening)
    evening.goes_on()
    asked = [move for move in evening.gm.seen["moves"].values() if move["throws"]]
    assert all(throw["dice"] for move in asked for throw in move["throws"]), "nobody is led past the dice"
    counted(record_property, "asked", "conteur", evening)


def test_joining_and_taking_a_ready_made_character(open_table: OpenTable, record_property: Any) -> None:
    table = open_table("simulacres", waiting=False)
    bob = Hand(table.joins("Bob"))
    bob.taps.append("the link")
    bob.taps_on('form[action$="/do/take"] button')
    until(bob.page, lambda: any(one["owner"] == bob.person.seat for one in bob.seen["records"].values()))
    evening = Counting(table, [])
    evening.players = [bob]
    counted(record_property, "join", "simulacres", evening)


def test_a_character_is_accepted(open_table: OpenTable, record_property: Any) -> None:
    table = open_table("conteur", waiting=False)
    evening = Counting(table, [table.joins("Bob")])
    (bob,) = evening.players
    bob.person.goes(f"{bob.person.base}/new")
    bob.person.clicks("web.begin_creation")
    bob.page.wait_for_url(re.compile("/write/character"))
    bob.page.locator("#pathway a").last.click()
    bob.page.get_by_label(titled("fields.name", "conteur"), exact=True).locator("visible=true").first.fill("Léa Sauret")
    bob.person.clicks("web.hand_in")
    bob.page.wait_for_url(re.compile(f"{bob.person.base}/$"))
    evening.from_here()
    evening.goes_on()
    assert "Léa Sauret" in [one["name"] for one in bob.seen["records"].values()]
    counted(record_property, "accept", "conteur", evening)


def test_undoing_the_last_thing(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "conteur", "Bob")
    (bob,) = evening.players
    before = bob.seen["records"]
    bob.taps_on('button[name="set"]:enabled')
    until(bob.page, lambda: bob.seen["records"] != before)
    evening.from_here()
    undo = evening.gm.page.locator("#gm").get_by_role("button", name=say("web.undo"))
    expect(undo).to_be_enabled()
    evening.gm.tap(undo)
    until(bob.page, lambda: bob.seen["records"] == before)
    counted(record_property, "undo", "conteur", evening)


@pytest.mark.parametrize("game", ["conteur", "simulacres"])
def test_a_night_passes(open_table: OpenTable, record_property: Any, game: str) -> None:
    evening = sits(open_table, game, "Bob")
    before = evening.gm.seen
    drawer = opens(evening.gm, "web.strip.time")
    evening.gm.tap(drawer.get_by_role("button", name=say("web.spans.night", n=1), exact=True))
    until(evening.gm.page, lambda: evening.gm.seen != before)
    evening.goes_on()
    counted(record_property, "night", game, evening)


@pytest.mark.parametrize("game", ["conteur", "solaires"])
def test_the_end_of_a_scene(open_table: OpenTable, record_property: Any, game: str) -> None:
    evening = sits(open_table, game, "Bob")
    evening.gm.person.does("open-scene", title="Le quai")
    expect(evening.gm.page.locator("#gm").get_by_text("Le quai", exact=True)).to_be_visible()
    before = evening.gm.seen
    drawer = opens(evening.gm, "web.strip.scene")
    evening.gm.tap(drawer.get_by_role("button", name=say("web.gm.end_scene"), exact=True))
    until(evening.gm.page, lambda: evening.gm.seen != before)
    evening.goes_on()
    counted(record_property, "scene", game, evening)


def test_a_wound_out_of_the_blue(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "conteur", "Bob")
    looks_for(evening.gm, "inflict-wound")
    starting = evening.gm.page.locator("#starting")
    evening.gm.tap(starting.get_by_role("group").get_by_role("button").first)
    begun(evening)
    evening.goes_on()
    counted(record_property, "wound", "conteur", evening)


def held_by(hand: Hand) -> list[str]:
    """The records that somebody holds."""
    return [record for record, one in hand.seen["records"].items() if one["owner"] == hand.person.seat]


def fights(open_table: OpenTable, game: str) -> Counting:
    """Two players whose characters stand against each other."""
    evening = sits(open_table, game, "Bob", "Cy")
    opening, _ = FIGHT[game]
    roles = [role.id for role in find_system(game).moves[opening].cast if role.id != "gm"]
    evening.gm.person.does("start-move", move=opening,
                           cast=dict(zip(roles, map(held_by, evening.players), strict=False)))
    begun(evening)
    evening.goes_on()
    expect(evening.gm.page.locator(".encounter")).to_be_visible()
    evening.from_here()
    return evening


FIGHT = {"simulacres": ("open-a-fight", "exchange"), "empire": ("start-fight", "combat-exchange")}
"""The moves that open a fight and that exchange blows in it."""


def strikes(evening: Counting, hand: Hand, game: str) -> None:
    """Somebody begins an exchange inside the fight: one tap on the board, the only foe is there already."""
    before = len(evening.gm.seen["moves"])
    chips = hand.page.locator(".encounter .chips")
    hand.tap(chips.get_by_text(titled(f"moves.{FIGHT[game][1]}", game), exact=True))
    until(evening.gm.page, lambda: len(evening.gm.seen["moves"]) > before, "nothing began")


def test_an_exchange_of_blows_out_of_any_fight(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    fall(4)
    evening = sits(open_table, "simulacres", "Bob", "Cy")
    bob, cy = evening.players
    foe = next(one["name"] for one in cy.seen["records"].values() if one["owner"] == cy.person.seat)
    looks_for(bob, "fight")
    bob.tap(bob.page.locator("#starting").get_by_role("button", name=re.compile(f"^{foe}")))
    begun(evening)
    evening.goes_on()
    counted(record_property, "blow", "simulacres", evening)


def test_an_exchange_of_blows_in_a_fight(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    fall(4)
    evening = fights(open_table, "simulacres")
    strikes(evening, evening.gm, "simulacres")
    evening.goes_on()
    counted(record_property, "blow", "simulacres", evening)


def test_an_exchange_of_blows_and_the_wound_it_leaves(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    fall(2)
    evening = fights(open_table, "empire")
    strikes(evening, evening.players[0], "empire")
    evening.goes_on(until_settled=True)
    counted(record_property, "blow", "empire", evening)
    evening.from_here()
    before, struck = evening.gm.seen["records"], list(evening.gm.seen["moves"])
    evening.goes_on(only=struck)  # the next sequence begins by itself
    assert evening.gm.seen["records"] != before
    counted(record_property, "struck", "empire", evening)


def test_a_sequence_in_which_everybody_changes_sign_and_blow(open_table: OpenTable, record_property: Any,
                                                             fall: Any) -> None:
    """A sign, a blow, and one touch that seals: the dice of whoever throws follow by themselves."""
    fall(6)
    evening = fights(open_table, "empire")
    bob, cy = evening.players
    strikes(evening, bob, "empire")
    first = list(evening.gm.seen["moves"])
    evening.goes_on(only=first)
    (number,) = set(evening.gm.seen["moves"]) - {*first}  # the next sequence began by itself
    evening.from_here()
    for hand, seals in ((bob, "web.seal_throw"), (cy, "web.seal")):
        for words in ("^feinte", "^haut, .*tête"):
            radio = hand.page.locator(".move").get_by_role("radio", name=re.compile(words)).first
            picks(radio)
            hand.taps.append(words)
        hand.tap(hand.person.bar.get_by_role("button", name=say(seals), exact=True))
    until(bob.page, lambda: number not in bob.seen["moves"] or bob.seen["moves"][number]["phase"] != "open",
          "the dice did not follow")
    counted(record_property, "blow", "empire", evening)


def test_a_blow_at_one_of_several_and_then_at_another(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    """A sign on the foe says whom and how; a blow; a touch that seals. Whoever turns to another leaves nothing open."""
    fall(6)
    evening = sits(open_table, "empire", "Bob")
    (bob,), gm = evening.players, evening.gm
    gm.page.get_by_label(say("web.quick_people"), exact=True).fill("deux gardes, visibles")
    gm.taps_word(say("web.quick_people_now"))
    expect(gm.person.sheets.get_by_role("heading", name="Garde 2")).to_be_visible()
    foes = [record for record, one in gm.seen["records"].items() if str(one["name"]).startswith("Garde")]
    gm.person.does("start-move", move="start-fight", cast={"initiator": held_by(bob), "opponent": foes},
                   form={"gm": {"initiative": "nobody"}})
    evening.goes_on()
    for foe in ("Garde 2", "Garde 1"):  # the next sequence began by itself, against the first
        evening.from_here()
        before = set(gm.seen["moves"])
        bob.tap(bob.page.locator(".encounter").get_by_role("button", name=f"feinte contre {foe}", exact=True))
        card = bob.person.acting.get_by_role("article", name=re.compile(f"Bastien Corvol contre {foe}"))
        picks(card.get_by_role("radio", name=re.compile("^haut, .*tête")).first)
        bob.taps.append("tête")
        (number,) = (name for name, act in gm.seen["moves"].items() if name not in before and act["phase"] == "open")
        assert [name for name, act in bob.seen["moves"].items() if act["phase"] == "open"] == [number]
        bob.tap(bob.person.bar.get_by_role("button", name=say("web.seal_throw"), exact=True))
        gm.tap(gm.person.bar.get_by_role("button", name=say("web.seal"), exact=True))
        until(bob.page, lambda at=number: bob.seen["moves"].get(at, {"phase": ""})["phase"] != "open",
              "the dice did not follow")
        counted(record_property, "blow", "empire", evening)


def test_an_argument_of_another_tone_and_precision(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    """A tone, a precision, and one touch that seals both: the dice of whoever speaks follow by themselves."""
    fall(6)
    evening = sits(open_table, "empire", "Bob", "Cy")
    bob, cy = evening.players
    one, other = ([name for name, held in hand.seen["records"].items() if held["owner"] == hand.person.seat]
                  for hand in (bob, cy))
    bob.person.does("start-move", move="verbal-duel", cast={"initiator": one, "opponent": other},
                    form={one[0]: {"request": "passer"}})
    evening.gm.person.does("fill", number=1, values={"target": 30})
    number = str(bob.person.does("start-move", move="verbal-exchange", encounter=1,
                                 cast={"initiator": one, "opponent": other})["number"])
    evening.from_here()
    for hand, seals in ((bob, "web.seal_throw"), (cy, "web.seal")):
        for words in ("^séduction", "^précis"):
            picks(hand.page.locator(".move").get_by_role("radio", name=re.compile(words)).first)
            hand.taps.append(words)
        hand.tap(hand.person.bar.get_by_role("button", name=say(seals), exact=True))
    until(bob.page, lambda: number not in bob.seen["moves"] or bob.seen["moves"][number]["phase"] != "open",
          "the dice did not follow")
    counted(record_property, "argument", "empire", evening)


@pytest.mark.parametrize("line", ["trois brutes moyennes, massue, visibles", "trois brutes moyennes, massue"],
                         ids=["shown", "hidden"])
def test_three_brutes_come_in_by_a_line_and_are_sealed_at_once(open_table: OpenTable, record_property: Any, fall: Any,
                                                               line: str) -> None:
    """One line, one fight, one exchange: all the brutes strike as they stand, by one tap, shown or not."""
    fall(4)
    evening = sits(open_table, "simulacres", "Bob")
    gm = evening.gm
    gm.page.get_by_label(say("web.quick_people"), exact=True).fill(line)
    gm.taps_word(say("web.quick_people_now"))
    expect(gm.person.sheets.get_by_role("heading", name="Brute 3")).to_be_visible()
    looks_for(gm, "open-a-fight")
    gm.tap(gm.page.locator("#starting button.main"))
    begun(evening)
    evening.goes_on()
    expect(gm.page.locator(".encounter")).to_be_visible()
    counted(record_property, "brutes", "simulacres", evening)
    evening.from_here()
    strikes(evening, gm, "simulacres")
    gm.taps_word(say("web.seal_all_throw", n=3))
    expect(gm.page.get_by_role("button", name=say("web.seal_all", n=3), exact=True)).to_have_count(0)
    evening.goes_on()
    counted(record_property, "sealed", "simulacres", evening)


def test_the_next_round(open_table: OpenTable, record_property: Any, fall: Any) -> None:
    fall(4)
    evening = fights(open_table, "simulacres")
    strikes(evening, evening.gm, "simulacres")
    counted(record_property, "round", "simulacres", evening)


def test_the_turn_is_given(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "solaires", "Bob", "Cy")
    people = [record for hand in evening.players for record in held_by(hand)]
    evening.gm.person.does("start-move", move="start-action-scene", cast={"participant": people})
    begun(evening)
    evening.goes_on()
    evening.from_here()
    names = {record: evening.gm.seen["records"][record]["name"] for record in people}
    board = evening.gm.page.locator(".encounter")
    given = [who for who in people if board.get_by_role("button", name=say("web.turn.give_to", who=names[who])).count()]
    assert given, "nobody can be given the turn"
    evening.gm.tap(board.get_by_role("button", name=say("web.turn.give_to", who=names[given[0]])))
    until(evening.gm.page, lambda: given[0] == acting(evening), "the turn was not given")
    evening.goes_on()
    counted(record_property, "turn", "solaires", evening)


def acting(evening: Counting) -> str:
    """Whose turn it is in the only scene."""
    (scene,) = evening.gm.seen["encounters"].values()
    return str(scene["state"]["acting"])
