"""The first evening of Empire galactique, the quick rule and then the full ones, told from the table itself."""

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import GM_ONLY
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.people.character import QuickCharacter
from paravent.table import commands
from paravent.table.evenings import first_evening
from paravent.table.hotseat import Hotseat

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}


def done(table, seat="mj"):
    """The lines that are behind the group, as a seat sees them."""
    seen = table.view(seat)
    told = first_evening(SYSTEM, table.state, seen.records.values(), seen.moves.values())
    return [one.beat.id for one in told.beats if one.done]


def applied(table, number):
    if table.state.moves[number].phase == "settled":
        table.accept("mj", number)


def makes(table, seat, name):
    number = table.start(seat, "quick-character", {}, {seat: {"name": name}})
    table.throw(seat, number)
    table.fill(seat, number, {"best_to": "first_physical"})
    applied(table, number)
    return list(table.records)[-1]


def words(table, seat, number):
    """Whatever a seat was told of an act."""
    return " ".join(str(one.telling.values) for one in table.heard(seat) if one.number == number)


def acts(table, seat, who):
    number = table.start(seat, "quick-action", {"initiator": [who]})
    table.fill("mj", number, {"step": 0})
    table.throw("mj", number)
    applied(table, number)


def unfolds(table, seat, who, **more):
    """A quick character becomes a whole one, each quality three times itself."""
    number = table.start(seat, "full-character", {"initiator": [who]}, {who: {"sex": "woman"}})
    quick = table.records[who].record
    table.fill(seat, number, {"name": quick.name, **dict.fromkeys(
        ("dexterity", "strength", "endurance"), quick.physical_quality), **dict.fromkeys(
        ("charm", "intelligence", "willpower"), quick.mental_quality), **more}, who)
    applied(table, number)
    return number


@pytest.mark.rules("EMP-020", "EMP-023", "EMP-030")
@pytest.mark.option("ruleset", "quick")
def test_each_line_is_done_once_it_came_to_pass_and_none_before():
    table = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((2, 5) * 20), trust="prudence")
    assert done(table) == []
    table.do(commands.SetOptions(seat="mj", options={"ruleset": "quick"}))
    assert done(table) == ["quick"]
    kay = makes(table, "ana", "Kay")
    assert done(table) == ["quick"]  # Bob has nobody yet
    lou = makes(table, "bob", "Lou")
    assert done(table, "ana") == ["quick", "people"]
    acts(table, "ana", kay)
    assert done(table, "bob") == done(table, "mj") == ["quick", "people", "act"]
    for who in (lou, kay, lou):
        acts(table, "ana" if who == kay else "bob", who)
    assert done(table, "zoe") == ["quick", "people", "act", "go_on"]
    table.do(commands.SetOptions(seat="mj", options={"ruleset": "full"}))
    assert done(table) == ["quick", "people", "act", "go_on"]
    for seat, who in (("ana", kay), ("bob", lou)):
        assert done(table) == ["quick", "people", "act", "go_on"]  # not before everybody has crossed over
        unfolds(table, seat, who)
    assert done(table) == [beat.id for beat in SYSTEM.first_evening]


def test_a_table_of_the_full_rules_has_begun_no_first_evening():
    table = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((3,) * 20))
    table.add("bastien", SYSTEM.kind("character").ready("fr")["bastien"], owner="ana")
    seen = table.view("mj")
    assert not first_evening(SYSTEM, table.state, seen.records.values(), seen.moves.values()).begun


@pytest.mark.rules("EMP-020", "EMP-030")
@pytest.mark.option("ruleset", "quick")
def test_a_whole_character_is_the_same_person_of_the_same_player_and_may_be_a_quick_one_again():
    table = Hotseat(SYSTEM, SEATS, {"ruleset": "quick"}, ScriptedFaces((2, 5) * 4), trust="prudence")
    kay = makes(table, "ana", "Kay")
    before = table.state.records[kay]
    table.do(commands.SetOptions(seat="mj", options={"ruleset": "full"}))
    number = unfolds(table, "ana", kay)
    grown = table.state.records[kay]
    assert list(table.records) == [kay]  # nobody stands there twice
    assert (grown.kind, grown.owner, grown.seen_by) == ("character", before.owner, before.seen_by)
    table.undo("mj", number)
    assert table.state.records[kay] == before


@pytest.mark.rules("EMP-030")
def test_whoever_was_hidden_is_hidden_as_a_whole_character_too():
    table = Hotseat(SYSTEM, SEATS, {"ruleset": "full"}, ScriptedFaces((3,)), trust="prudence")
    table.add("kay", QuickCharacter("Kay", 6, 9), "quick", audience=GM_ONLY)
    unfolds(table, "mj", "kay")
    assert table.state.records["kay"].kind == "character"
    for seat in ("ana", "zoe"):
        assert not table.view(seat).records
        assert not table.heard(seat)


@pytest.mark.rules("EMP-022", "EMP-023")
@pytest.mark.option("ruleset", "quick")
@pytest.mark.parametrize("tells", ["adjective", "own_words", "kept"])
def test_an_adjective_that_would_tell_a_secret_step_is_the_game_masters_to_tell(tells):
    """Whoever throws knows their quality and both dice: the word for what is left over would tell the step."""
    table = Hotseat(SYSTEM, SEATS, {"ruleset": "quick"}, ScriptedFaces((2, 5) * 4), trust="prudence")
    kay = makes(table, "ana", "Kay")
    number = table.start("ana", "quick-action", {"initiator": [kay]})
    table.fill("mj", number, {"step": 4, "handed": True})
    table.throw("ana", number)
    assert "favourable" not in words(table, "ana", number)
    assert "favourable" in words(table, "mj", number)
    table.fill("mj", number, {"tells": tells}, "gm")
    if tells == "own_words":  # then, and only then, the words are asked for
        assert table.moves[number].phase == "open"
        table.fill("mj", number, {"in_words": "La porte cède."}, "gm")
    assert table.moves[number].phase == "closed"
    assert ("favourable" in words(table, "ana", number)) is (tells == "adjective")
    assert ("La porte cède." in words(table, "bob", number)) is (tells == "own_words")
