"""Empire galactique: what is offered can be had; where a seat cannot know that, it is told, and not refused."""

from dataclasses import replace

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game.errors import NotNow
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.machines.kinds import Gear
from paravent.systems.empire.minds.psi import PSI_SKILLS
from paravent.systems.empire.people.character import Character, Skill
from paravent.systems.empire.terms import TABLES
from paravent.table.hotseat import Hotseat

PLAYERS, CAST = SYSTEM.kind("character").ready("fr"), SYSTEM.kind("npc").ready("fr")


def table(*faces, **options):
    """Solveig is Ana's."""
    hotseat = Hotseat(SYSTEM, {"mj": "gm", "ana": "player"}, options, ScriptedFaces(faces))
    hotseat.add("solveig", PLAYERS["solveig"], owner="ana")
    return hotseat


def offered(move, field, sheet, options=None, **filled):
    """What a field of whoever acts offers."""
    rulings = SYSTEM.book.rulings(options or {})
    ctx = SYSTEM.context(move, {"initiator": [filled]}, {"initiator": sheet}, rulings)
    facts = SYSTEM.move(move).field(field, "initiator").type.describe(ctx)
    return list((facts.of or facts).options)


@pytest.mark.rules("EMP-141")
@pytest.mark.parametrize("regime", [0, 6])
def test_an_order_that_binds_nobody_is_told_so_without_a_throw(regime):
    hotseat = table()
    hotseat.add("clerk", Character(name="Odile"), owner="mj", kind="npc")
    number = hotseat.start("ana", "command", {"initiator": ["solveig"], "opponent": ["clerk"]})
    with pytest.raises(NotNow):
        hotseat.throw("ana", number)
    hotseat.fill("mj", number, {"soldier": False, "regime": regime})
    (throw,) = hotseat.moves[number].records
    assert throw == "shrug"
    assert [line.key for line in hotseat.told("ana")] == ["outcomes.told_not_bound"]


@pytest.mark.rules("EMP-144")
def test_nobody_official_is_told_so_without_a_throw():
    hotseat = table()
    hotseat.add("clerk", Character(name="Odile"), owner="mj", kind="npc")
    number = hotseat.start("ana", "work-administration", {"initiator": ["solveig"], "opponent": ["clerk"]})
    hotseat.fill("mj", number, {"official": False})
    (throw,) = hotseat.moves[number].records
    assert throw == "shrug"
    assert [line.key for line in hotseat.told("ana")] == ["outcomes.told_not_official"]


@pytest.mark.rules("EMP-059", "EMP-115")
@pytest.mark.parametrize(("move", "field"), [("learn-language", "level"), ("convert", "level"),
                                             ("cyborg-link", "robot_level")])
def test_a_skill_that_nobody_tries_without_is_asked_of_whoever_has_no_sheet(move, field):
    """Its level is waited for: without it, the throw could only be refused."""
    hotseat = table()
    roles = {role.id for role in SYSTEM.move(move).cast if role.is_needed} - {"gm", "initiator"}
    number = hotseat.start("mj", move, {role: ["solveig"] for role in roles})
    op = hotseat.moves[number]
    assert op.move.field(field).is_awaited(op.context(SYSTEM))
    known = hotseat.start("ana", "learn-language", {"initiator": ["solveig"]})
    op = hotseat.moves[known]
    assert not op.move.field("level").is_awaited(op.context(SYSTEM))


@pytest.mark.rules("EMP-141")
def test_a_citizen_of_a_stern_regime_may_obey():
    hotseat = table(1, 1, 1, 4)
    hotseat.add("clerk", Character(name="Odile"), owner="mj", kind="npc")
    number = hotseat.start("ana", "command", {"initiator": ["solveig"], "opponent": ["clerk"]})
    hotseat.fill("mj", number, {"soldier": False, "regime": 12})
    hotseat.throw("ana", number)
    assert list(hotseat.moves[number].records) == ["test"]


@pytest.mark.rules("EMP-167")
def test_a_retreat_offers_the_powers_that_can_rise_and_is_offered_to_whoever_has_one():
    known, full = PSI_SKILLS[:2]
    psi = replace(PLAYERS["solveig"], skills=(Skill(known, 2), Skill(full, 6)))
    assert offered("psi-retreat", "psi_skills", psi) == [known]
    for sheet, is_offered in ((psi, True), (replace(psi, skills=()), False)):
        ctx = SYSTEM.context("psi-retreat", {"initiator": [{}]}, {"initiator": sheet})
        assert SYSTEM.move("psi-retreat").can_come(ctx) is is_offered


@pytest.mark.rules("EMP-044")
@pytest.mark.option("destiny_columns", "all_third")
def test_destiny_is_claimed_in_the_columns_that_the_table_plays():
    sheet = PLAYERS["solveig"]
    assert offered("destiny-roll", "column", sheet) == ["precise"]
    assert offered("destiny-roll", "column", sheet, {"destiny_columns": "all_third"}) == ["precise", "fast", "lasting"]


@pytest.mark.rules("EGW-127")
def test_a_data_bank_is_asked_where_there_is_one_for_what_a_purse_holds():
    ctx = SYSTEM.context("query-data-bank", {"initiator": [{}], "gm": [{}]},
                         {"initiator": replace(PLAYERS["solveig"], credits=30)})
    asked = {one.id: one for one in SYSTEM.move("query-data-bank").fields}
    assert asked["place_level"].type.describe(ctx).bounds == (4, 6)
    assert asked["price"].type.describe(ctx).bounds == (0, 30)
    assert asked["has_computer"].type.describe(ctx).options == [True]
    aboard = SYSTEM.context("query-data-bank", {"initiator": [{}], "gm": [{"aboard": True}]})
    assert not asked["place_level"].applies(aboard)


@pytest.mark.rules("EGW-170")
def test_nothing_above_what_is_stripped_is_offered_and_what_came_along_is_asked_anew():
    """A form is sent whole: what stood there speaks of an object of another level."""
    hotseat = table()
    number = hotseat.start("ana", "convert", {"initiator": ["solveig"]},
                           {"solveig": {"object_level": 5, "made_level": 4}})
    hotseat.fill("ana", number, {"object_level": 3, "made_level": 4})
    assert hotseat.moves[number].cast[0].filled == {"object_level": 3}
    assert "ana" in hotseat.waits_for(number)
    hotseat.fill("ana", number, {"object_level": 3, "made_level": 2})
    hotseat.fill("ana", number, {"object_level": 4, "made_level": 2})
    assert hotseat.moves[number].cast[0].filled == {"object_level": 4, "made_level": 2}  # it still can be had


@pytest.mark.rules("EGW-170")
def test_what_is_made_of_a_thing_at_the_table_is_not_above_it():
    hotseat = table()
    hotseat.add("radio", Gear("Radio", 2), owner="ana", kind="item")
    number = hotseat.start("ana", "convert", {"initiator": ["solveig"], "item": ["radio"]})
    ctx = hotseat.sight("ana").context(hotseat.moves[number])
    assert SYSTEM.move("convert").field("made_level").type.describe(ctx).bounds == (1, 2)


@pytest.mark.rules("EMP-060")
def test_a_characteristic_that_another_skill_does_not_go_through_is_asked_anew():
    """The form holds what was proposed for the first skill."""
    hotseat = table()
    number = hotseat.start("ana", "skill-test", {"initiator": ["solveig"]})
    first, second = "22", "26"
    three = {skill: offered("skill-test", "characteristic", PLAYERS["solveig"], skill=skill)
             for skill in (first, second)}
    (gone, *_), (kept, *_) = ([one for one in three[first] if (one in three[second]) is said] for said in (False, True))
    for proposed, stands in ((gone, None), (kept, kept)):
        hotseat.fill("ana", number, {"skill": first, "characteristic": proposed})
        hotseat.fill("ana", number, {"skill": second, "characteristic": proposed})
        assert hotseat.moves[number].cast[0].filled.get("characteristic") == stands


@pytest.mark.rules("EMP-055")
@pytest.mark.option("retry", "once")
def test_no_retry_is_offered_after_the_longest_unit_nor_a_second_one_where_there_is_one_only():
    def asked(name, **options):
        ctx = SYSTEM.context("retry", {"initiator": [{}]}, {"initiator": PLAYERS["solveig"]},
                             SYSTEM.book.rulings(options))
        field = SYSTEM.move("retry").field(name, "gm")
        return field.type.describe(ctx).options if field.applies(ctx) else None

    assert "half_day" in asked("unit")
    assert asked("unit")[-1] != TABLES["time_units"].keys()[-1]
    assert asked("tries") is not None
    assert asked("tries", retry="once") is None
