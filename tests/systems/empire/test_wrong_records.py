"""Empire galactique: any record may be put in any role of any move; it is refused in words or counts for nothing."""

from dataclasses import replace

import pytest

from paravent.dice import SeededDice
from paravent.game import ParaventError
from paravent.game.running import run
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.decks import Card, CardKind, Deck
from paravent.systems.empire.minds.moves import TELEPATHY
from paravent.systems.empire.people.character import Character, Skill
from paravent.testing.conformance import example_context

ORIANE = Character("Oriane", skills=(Skill(TELEPATHY, 2),))
BLANKS = {kind.id: kind.cls() for kind in SYSTEM.kinds.values()}


def contexts(move, example):
    """The example with each kind of record in each of its roles, its form as written and emptied."""
    roles = [role.id for role in SYSTEM.move(move).cast if role.id != "gm"]
    for role in roles:
        form = {role: [{}], **example.get("form", {})}
        ctx = example_context(SYSTEM, move, {**example, "form": form})
        for record in BLANKS.values():
            for emptied in (False, True):
                yield replace(ctx, actors=tuple(
                    replace(actor, record=record, filled={} if emptied else actor.filled) if actor.role == role
                    else actor for actor in ctx.actors
                ))


@pytest.mark.parametrize("move", SYSTEM.examples)
def test_a_record_of_another_kind_never_breaks_a_move(move):
    for example in SYSTEM.examples[move]:
        for ctx in contexts(move, example):
            try:
                run(ctx, SeededDice(1))
            except ParaventError as refusal:
                assert SYSTEM.words.error("fr", refusal)  # noqa: PT017


@pytest.mark.parametrize("square", ["", "x", "1299", "9901", "010"])
def test_a_square_that_no_sector_has_is_a_fault_of_the_sheet(square):
    kind = SYSTEM.kind("sector")
    record = kind.from_plain({"worlds": [{"square": square}]})
    assert [fault.key for fault in kind.check(record, SYSTEM.book.rulings())] == ["square_twice"]


@pytest.mark.parametrize(("move", "cast", "comes"), [
    ("telepaths-duel", {"initiator": ORIANE, "opponent": ORIANE}, True),
    ("telepaths-duel", {"initiator": ORIANE, "opponent": None}, True),
    ("telepaths-duel", {"initiator": ORIANE, "opponent": BLANKS["quick"]}, False),
    ("open-world", {}, True), ("open-world", {"sector": BLANKS["sector"]}, False),
    ("tell-rumour", {"initiator": ORIANE}, True), ("tell-rumour", {"deck": BLANKS["deck"]}, False),
    ("finish-errand", {"initiator": ORIANE}, True), ("finish-errand", {"deck": BLANKS["deck"]}, False),
    ("finish-errand", {"deck": Deck(cards=(Card(CardKind.ERRAND, "Une lettre.", told=True),))}, True),
])
def test_a_move_is_offered_with_those_who_can_be_in_it_and_while_the_others_are_still_to_come(move, cast, comes):
    ctx = SYSTEM.context(move, {role: [{}] for role in cast}, {role: held for role, held in cast.items() if held},
                         SYSTEM.book.rulings({}))
    assert SYSTEM.move(move).can_come(ctx) is comes
