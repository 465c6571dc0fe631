"""What a page offers can be had, and what it cannot know is no objection to whoever answers it in the next tap."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.game import find_system
from paravent.table import commands as c
from paravent.table.hotseat import Hotseat
from paravent.web.desk import Desk
from paravent.web.desk.acts import ActCards
from paravent.web.desk.cards import Card
from paravent.web.drawn import BASE, PROOF, Drawings, me
from paravent.web.page import draw
from paravent.web.regions import Regions

SEATS = {"mj": "gm", "ana": "player", "bob": "player"}


def card(hotseat: Hotseat, seat: str) -> Card:
    """The only open act, as a seat's page draws it."""
    desk = Desk(hotseat.state, seat, hotseat.system, "fr")
    (found,) = map(desk.acts.card, desk.open_moves)
    return found


def drawn_for(hotseat: Hotseat, seat: str) -> str:
    """A seat's page, as it is drawn."""

    def marked(name: str, desk: Desk, **values: Any) -> str:
        return draw(name, "fr", desk.teller, desk=desk, base=BASE, proof=PROOF, system=hotseat.system, me=me, **values)

    desk = Desk(hotseat.state, seat, hotseat.system, "fr")
    regions = Regions(Drawings(), desk, frozenset(), marked).all()
    return "".join(piece.html for region in regions.values() for piece in region.pieces)


@pytest.mark.parametrize(("move", "hidden", "told"), [
    ("dress-wounds", {}, True), ("dress-wounds", {"life_points": 3}, False), ("therapy-session", {}, True),
])
def test_what_one_tap_alone_answers_is_no_objection_to_whoever_judges(
    move: str, hidden: dict[str, Any], told: bool
) -> None:
    """A guard's wounds are the game master's to read: that he has none is said by a tap, and nothing is refused."""
    system = find_system("simulacres")
    hotseat = Hotseat(system, SEATS)
    kind = system.kind("extra")
    hotseat.add("nour", next(iter(system.kind("character").ready("fr").values())), owner="ana")
    hotseat.add("guard", replace(next(iter(kind.ready("fr").values())), **hidden), owner="mj", kind="extra")
    hotseat.start("ana", move, {"initiator": ["nour"], "patient": ["guard"]})
    outlook = card(hotseat, "mj").outlook
    assert outlook.refused == ""
    assert outlook.certain is told
    assert card(hotseat, "ana").outlook.refused == ""


def scene() -> tuple[Hotseat, int]:
    """An action scene in which Bosco has acted; whose turn comes next is about to be said."""
    system = find_system("solaires")
    hotseat = Hotseat(system, SEATS)
    nadir, bosco, *_ = system.kind("character").ready("fr").values()
    for name, record, owner in (("nadir", nadir, "ana"), ("bosco", bosco, "bob")):
        hotseat.add(name, record, owner=owner)
    hotseat.add("guard", next(iter(system.kind("npc").ready("fr").values())), owner="mj", kind="npc")
    number = hotseat.start("mj", "start-action-scene", {"participant": ["nadir", "bosco", "guard"]},
                           {"gm": {"first": "bosco"}})
    hotseat.throw("mj", number)
    return hotseat, hotseat.start("mj", "next-to-act", encounter=next(iter(hotseat.encounters)))


def test_what_a_choice_would_do_away_with_is_said_on_the_form_that_asks_for_it() -> None:
    hotseat, number = scene()
    (group,) = card(hotseat, "mj").groups
    assert group.does_away == [(["Cabestan"], ["Intention", "Qui doit réagir", "Ce qu'on voit venir"])]
    assert "Avec Cabestan, on laisse de côté" in drawn_for(hotseat, "mj")  # what is the guard's alone
    hotseat.fill("mj", number, {"next": "guard"})
    (group,) = card(hotseat, "mj").groups
    assert group.does_away == []  # each choice is kept as it is made, and answers for itself


def test_what_a_choice_did_away_with_is_said_with_what_it_held() -> None:
    hotseat, number = scene()
    hotseat.fill("mj", number, {"next": "guard", "reacts": ["bosco"], "announced": "une caisse glisse"})
    shown = card(hotseat, "mj")
    assert shown.aside == frozenset()
    hotseat.fill("mj", number, {"next": "nadir"})
    shown = card(hotseat, "mj")
    assert shown.aside == {("gm", "reacts"), ("gm", "announced")}
    assert "Laissé de côté, ne sert plus" in drawn_for(hotseat, "mj")
    said = ActCards.set_aside(shown, "gm")
    assert any("une caisse glisse" in words for words in said)
    assert len(said) == 2
    assert not [row for _, rows in ActCards.filled_by_others(shown) for row in rows if "caisse" in row[1]]


@pytest.mark.parametrize(("game", "move", "asked"), [
    ("conteur", "eat", False), ("conteur", "throw", True), ("simulacres", "buy-or-sell", False),
    ("simulacres", "simple-test", True), ("solaires", "spend-points", False), ("solaires", "action", True),
])
def test_what_is_shown_of_a_throw_is_asked_where_dice_may_fall(game: str, move: str, asked: bool) -> None:
    hotseat = Hotseat(find_system(game), SEATS)
    hotseat.add("nour", next(iter(hotseat.system.kind("character").ready("fr").values())), owner="ana")
    desk = Desk(hotseat.state, "mj", hotseat.system, "fr")
    html = draw("parts/start.html", "fr", desk.teller, desk=desk, base=BASE, proof=PROOF, system=hotseat.system, me=me,
                level=2, move=desk.starts.start_form(move))
    assert ('name="grade"' in html) is asked


@pytest.mark.parametrize(("game", "move"), [("simulacres", "open-a-fight"), ("empire", "start-fight")])
def test_what_wants_two_camps_is_offered_where_there_is_somebody_for_each(game: str, move: str) -> None:
    hotseat = Hotseat(find_system(game), SEATS)
    nour, bosco, *_ = hotseat.system.kind("character").ready("fr").values()

    def offered() -> bool:
        return move in {one.id for one in Desk(hotseat.state, "mj", hotseat.system, "fr").starts.offered}

    hotseat.add("nour", nour, owner="ana")
    assert not offered()
    hotseat.add("bosco", bosco, owner="mj")
    assert offered()


def test_whoever_shoots_without_a_sheet_is_asked_with_what() -> None:
    """A fist strikes nobody from afar: nothing is thrown before there is something that does."""
    hotseat = Hotseat(find_system("simulacres"), SEATS)
    hotseat.add("nour", next(iter(hotseat.system.kind("character").ready("fr").values())), owner="ana")
    number = hotseat.start("bob", "shoot", {"opponent": ["nour"]})
    asked = card(hotseat, "bob")
    assert asked.outlook.refused == ""
    assert [one.name for group in asked.groups for one in group.fields if one.waits] == ["weapon"]
    hotseat.fill("bob", number, {"weapon": "bow_light_arrow"})
    assert card(hotseat, "bob").outlook.refused == ""


def test_nobody_is_brought_into_an_act_in_whose_role_it_could_only_be_refused() -> None:
    """An object that is whole is nothing to repair, whenever it is brought."""
    system = find_system("empire")
    hotseat = Hotseat(system, SEATS)
    item = system.kind("item").cls
    hotseat.add("solveig", next(iter(system.kind("character").ready("fr").values())), owner="ana")
    hotseat.add("whole", item(name="Radio"), owner="mj", kind="item")
    hotseat.add("broken", item(name="Bulle", damage=2), owner="mj", kind="item")
    number = hotseat.start("mj", "repair", {"initiator": ["solveig"]})
    joins = Desk(hotseat.state, "mj", system, "fr").acts.joins(number)
    assert [one.id for role in joins if role.id == "item" for one in role.free] == ["broken"]


def test_the_fold_that_asks_for_a_test_follows_the_sheets_it_is_read_from() -> None:
    system = find_system("conteur")
    hotseat = Hotseat(system, SEATS)
    hotseat.add("nour", next(iter(system.kind("character").ready("fr").values())), owner="ana")
    drawings = Drawings()

    def fold() -> str:
        def marked(name: str, desk: Desk, **values: Any) -> str:
            return draw(name, "fr", desk.teller, desk=desk, base=BASE, proof=PROOF, system=system, me=me, **values)

        desk = Desk(hotseat.state, "mj", system, "fr")
        strip = Regions(drawings, desk, frozenset(), marked).strip()
        return next(piece.html for piece in strip.pieces if piece.id == "gm-ask")

    assert "Constitution" in fold()
    hotseat.do(c.EditRecord(record="nour", path="unconscious", value=True, seat="mj"))
    assert "Constitution" not in fold()  # nobody is awake: it could be asked of nobody
    hotseat.do(c.EditRecord(record="nour", path="unconscious", value=False, seat="mj"))
    assert "Constitution" in fold()
