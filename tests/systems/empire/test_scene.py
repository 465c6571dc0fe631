"""Empire galactique at the table: a fight from the first blow to the last, a request granted, a night's rest."""

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import RuleError
from paravent.game.errors import MootField, NotNow
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.people.character import Condition, Skill
from paravent.systems.empire.words.speech import MindState
from paravent.table.hotseat import Hotseat
from seats import BLOW_SEALED, applied, page, stands

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
PLAYERS, CAST = SYSTEM.kind("character").ready("fr"), SYSTEM.kind("npc").ready("fr")
DUEL = {"initiator": ["bastien"], "opponent": ["sentry"]}
TALK = {"initiator": ["solveig"], "opponent": ["commander"]}


def table(*faces, **options):
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    for name, owner in (("bastien", "ana"), ("solveig", "ana"), ("oriane", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    for name in ("sentry", "commander"):
        hotseat.add(name, CAST[name], owner="mj", kind="npc")
    return hotseat


def settle(hotseat, number, by="ana"):
    hotseat.throw(by, number)
    applied(hotseat, "mj", number)


def record(hotseat, name):
    return hotseat.records[name].record


def opened(hotseat, first):
    number = hotseat.start("mj", "start-fight", DUEL, {"gm": {"initiative": first, "place": "Le sas nord"}})
    settle(hotseat, number, "mj")
    (running,) = hotseat.encounters
    return running


def exchange(hotseat, fight, mine=None, theirs=None):
    number = hotseat.start("mj", "combat-exchange", DUEL, {"gm": {"metres": 2}}, encounter=fight)
    if mine:
        hotseat.seal("ana", number, {"attitude": mine, **BLOW_SEALED})
    if theirs:
        hotseat.seal("mj", number, {"attitude": theirs, **BLOW_SEALED}, "sentry")
    if mine:
        hotseat.fill("ana", number, {"weapon": "sword"})
    if theirs:
        hotseat.fill("mj", number, {"weapon": "rifle"}, "sentry")
    return number


@pytest.mark.rules("EMP-070", "EMP-073", "EMP-079", "EMP-085", "EMP-086")
def test_a_fight_from_the_first_blow_to_the_last():
    """The initiative gives one blow without reply: 16 points, 9 of them on the vest, and the sentry falls."""
    hotseat = table(4, 4, 4)
    fight = opened(hotseat, "initiator")
    settle(hotseat, exchange(hotseat, fight, mine="attack"))
    sentry = record(hotseat, "sentry")
    assert sentry.resistance_physical == 24 - (16 - 9)
    assert sentry.suffers("knocked_out")
    state = hotseat.encounters[fight].state
    assert state.sequence == 1
    assert [place.standing for place in state.sides] == [True, False]
    assert state.over
    with pytest.raises(NotNow):
        hotseat.start("mj", "combat-exchange", DUEL, encounter=fight)


@pytest.mark.rules("EMP-079", "EMP-085")
def test_after_the_first_blow_all_is_simultaneous_and_a_stunned_foe_only_receives():
    """An 8 in three dice is 11 points, a third of 24 but not half: stunned; then a free blow; then both throw."""
    hotseat = table(2, 3, 3, 2, 2, 1, 3, 3, 3, 6, 6, 6)
    fight = opened(hotseat, "initiator")
    settle(hotseat, exchange(hotseat, fight, mine="attack"))
    sentry = record(hotseat, "sentry")
    assert [state.name for state in sentry.conditions] == ["stunned"]
    settle(hotseat, exchange(hotseat, fight, mine="feint"))
    assert not record(hotseat, "sentry").suffers("stunned")
    settle(hotseat, exchange(hotseat, fight, mine="attack", theirs="parry"))
    assert hotseat.encounters[fight].state.sequence == 3
    assert record(hotseat, "bastien").resistance_physical == 30
    assert record(hotseat, "bastien").acted == 3


@pytest.mark.rules("EMP-076", "EMP-079")
def test_two_feints_end_the_sequence_without_dice():
    hotseat = table()
    fight = opened(hotseat, "nobody")
    number = hotseat.start("mj", "combat-exchange", DUEL, {"gm": {"metres": 2}}, encounter=fight)
    hotseat.seal("ana", number, {"attitude": "feint", **BLOW_SEALED})
    hotseat.seal("mj", number, {"attitude": "parry", **BLOW_SEALED}, "sentry")
    settle(hotseat, number)
    assert hotseat.encounters[fight].state.sequence == 1
    assert record(hotseat, "sentry").resistance_physical == 24


@pytest.mark.rules("EMP-078")
def test_a_rifle_is_no_use_within_two_metres():
    hotseat = table(3, 3, 3, 3, 3, 3)
    number = hotseat.start("mj", "single-exchange", DUEL, {"gm": {"metres": 1}})
    hotseat.seal("ana", number, {"attitude": "attack", **BLOW_SEALED})
    hotseat.seal("mj", number, {"attitude": "attack", **BLOW_SEALED}, "sentry")
    hotseat.fill("ana", number, {"weapon": "sword"})
    hotseat.fill("mj", number, {"weapon": "rifle"}, "sentry")
    before = hotseat.seen("mj")
    with pytest.raises(RuleError):
        hotseat.throw("ana", number)
    assert hotseat.seen("mj") == before


def argued(hotseat, talk, mine, theirs, **scene):
    number = hotseat.start("mj", "verbal-exchange", TALK, {"gm": scene} if scene else None, encounter=talk)
    hotseat.seal("ana", number, {"manner": mine})
    if theirs:
        hotseat.seal("mj", number, {"manner": theirs}, "commander")
    hotseat.fill("ana", number, {"column": "normal", "words": "Commandant, vous me connaissez."})
    return number


@pytest.mark.rules("EMP-122", "EMP-123", "EMP-126", "EMP-127", "EMP-129")
def test_a_request_is_granted_when_the_secret_points_are_lost():
    """Seduction against seduction, twice: 4 points, then 4 more reach a target of 7."""
    hotseat = table(4, 4, 3, 6, 6, 6, 4, 4, 3, 6, 6, 6)
    hotseat.start("mj", "verbal-duel", TALK,
                  {"solveig": {"request": "passer"}, "gm": {"target": 7, "relation": "neutral"}})
    (talk,) = hotseat.encounters
    settle(hotseat, argued(hotseat, talk, "seduction", "seduction"))
    assert hotseat.encounters[talk].state.influence == 4
    assert not hotseat.encounters[talk].state.over
    settle(hotseat, argued(hotseat, talk, "seduction", "seduction"))
    assert hotseat.encounters[talk].state.ended == "granted"
    commander = record(hotseat, "commander")
    assert (commander.resistance_mental, commander.mind_state) == (24 - 8, MindState.INFLUENCED)


@pytest.mark.rules("EMP-120", "EMP-128", "EMP-129")
def test_a_duel_has_names_and_a_demand_and_its_rope_hangs_behind_the_screen():
    """What is asked is in the log and on everybody's board; points, target and thresholds are the game master's."""
    hotseat = table(4, 4, 3, 6, 6, 6)
    number = hotseat.start("ana", "verbal-duel", TALK, {"solveig": {"request": "laissez-nous passer"}})
    assert hotseat.moves[number].phase == "open"  # the game master says what it takes, or that half a mind will do
    hotseat.fill("mj", number, {"target": 7})
    assert hotseat.moves[number].phase == "closed"  # it begins by itself, now that all is said
    (talk,) = hotseat.encounters
    settle(hotseat, argued(hotseat, talk, "seduction", "seduction"))
    told = {seat: [line["key"] for line in next(iter(hotseat.seen(seat)["encounters"].values()))["told"]]
            for seat in SEATS}
    assert told["mj"] == ["outcomes.told_asks", "outcomes.told_rope", "outcomes.told_thresholds"]
    for seat in ("ana", "bob", "zoe"):
        assert told[seat] == ["outcomes.told_asks"]
        seen = next(iter(hotseat.seen(seat)["encounters"].values()))["state"]
        assert [voice["id"] for voice in seen["speakers"]] == ["solveig", "commander"]
        assert not {"target", "influence", "full", "left", "last"} & set(seen)
        assert "laissez-nous passer" in page(hotseat, seat)
    state = hotseat.encounters[talk].state
    assert (state.full, state.left, state.last) == (24, 20, 4)


@pytest.mark.rules("EMP-125", "EMP-129")
def test_a_speech_nobody_could_resist_needs_no_dice():
    hotseat = table()
    hotseat.start("mj", "verbal-duel", TALK, {"solveig": {"request": "passer"}, "gm": {"target": 7}})
    (talk,) = hotseat.encounters
    number = argued(hotseat, talk, "logic", "logic")
    hotseat.fill("mj", number, {"acting": "irresistible"})
    settle(hotseat, number)
    assert hotseat.encounters[talk].state.ended == "granted"


@pytest.mark.rules("EMP-120")
@pytest.mark.option("npc_persuades", "on")
def test_a_character_of_the_game_master_persuades_only_where_the_table_lets_it():
    cast = {"initiator": ["commander"], "opponent": ["solveig"]}
    form = {"commander": {"request": "le silence"}, "gm": {"target": 5, "by_npc": True}}
    with pytest.raises(MootField):  # nothing asks for it there, and the rule would refuse it
        table().start("mj", "verbal-duel", cast, form)
    hotseat = table(6, 5, 5, npc_persuades="on")
    settle(hotseat, hotseat.start("mj", "verbal-duel", cast, form), "mj")
    assert hotseat.encounters
    hotseat = table(2, 2, 2, npc_persuades="on")
    settle(hotseat, hotseat.start("mj", "verbal-duel", cast, form), "mj")
    assert not hotseat.encounters


@pytest.mark.rules("EMP-151", "EMP-159", "EMP-160")
def test_too_long_a_concentration_is_refused_before_any_dice():
    hotseat = table()
    number = hotseat.start("bob", "psi-act", {"initiator": ["oriane"]},
                           {"oriane": {"power_name": "lift", "power_level": 2, "minutes": 6}})
    before = hotseat.seen("bob")
    with pytest.raises(RuleError):
        hotseat.throw("bob", number)
    assert hotseat.seen("bob") == before
    assert record(hotseat, "oriane").willpower_spent == 0


@pytest.mark.rules("EMP-165", "EMP-166")
def test_superforce_serves_one_action(result, changes, sheet):
    strong = sheet("bastien", trances=(Condition("superforce", 9),))
    form = {"initiator": {"characteristic": "strength", "skill": "34"}, "sheets": {"initiator": strong}}
    assert result("skill-test", 6, 6, 6, **form)[0].success
    assert changes("skill-test", 6, 6, 6, **form) == {("initiator", "trances"): ()}
    assert changes("skill-test", 6, 6, 6, options={"psi_surge": "minutes"}, **form) == {}


@pytest.mark.rules("EMP-171", "EMP-070")
def test_five_sequences_without_rest_cost_a_die(result, sheet):
    tired = sheet("bastien", acted=5, rest_due=2)
    assert result("skill-test", 1, 1, 1, 1, initiator={"skill": "35"}, sheets={"initiator": tired})[0].success


@pytest.mark.rules("EMP-116", "EMP-104")
def test_a_weapon_arm_adds_its_level_and_forgets_the_distance(result, sheet):
    """Maëlis: Dexterity 12, level 1, arm 2; the target stands beyond a third of the laser's range."""
    form = {"initiator": {"weapon": "laser", "weapon_arm": True}, "opponent": {"resistance": 24},
            "gm": {"distance": 200}, "sheets": {"initiator": sheet("maelis")}}
    assert result("shoot", 5, 5, 5, **form).shot.hit
    aged = {**form, "sheets": {"initiator": sheet("maelis", dexterity=9, age_loss=3, rest_due=2)}}
    assert result("shoot", 5, 5, 5, **aged).shot.hit, "neither age nor fatigue tells on it"
    plain = {**form, "initiator": {"weapon": "laser", "weapon_arm": False}}
    assert not result("shoot", 4, 4, 4, 2, **plain).shot.hit


@pytest.mark.rules("EMP-073", "EMP-079")
def test_each_of_the_favoured_side_has_a_blow_without_reply():
    hotseat = table(2, 2, 1, 2, 2, 1)
    cast = {"initiator": ["bastien", "solveig"], "opponent": ["sentry"]}
    settle(hotseat, hotseat.start("mj", "start-fight", cast, {"gm": {"initiative": "initiator"}}), "mj")
    (fight,) = hotseat.encounters
    for name in ("bastien", "solveig"):
        number = hotseat.start("mj", "combat-exchange", {"initiator": [name], "opponent": ["sentry"]},
                               {"gm": {"metres": 1}}, encounter=fight)
        hotseat.seal("ana", number, {"attitude": "attack", **BLOW_SEALED}, name)
        hotseat.fill("ana", number, {"weapon": "fist" if name == "solveig" else "sword"}, name)
        settle(hotseat, number)
    number = hotseat.start("mj", "combat-exchange", DUEL, {"gm": {"metres": 2}}, encounter=fight)
    hotseat.seal("ana", number, {"attitude": "parry", **BLOW_SEALED})
    hotseat.seal("mj", number, {"attitude": "parry", **BLOW_SEALED}, "sentry")
    settle(hotseat, number)
    assert record(hotseat, "sentry").resistance_physical == 24


@pytest.mark.rules("EMP-087")
def test_a_blow_ruins_only_what_covers_the_place(changes, sheet):
    written = changes(
        "single-exchange", 4, 4, 4, 3, 6, 6, 6,
        initiator={"value": 16, "weapon": "sword", "attitude": "attack", "height": "high"},
        opponent={"value": 9, "weapon": "sword", "attitude": "attack", "height": "middle"},
        gm={"metres": 2}, sheets={"opponent": sheet("bastien")})
    assert {piece.piece: piece.ruined for piece in written["opponent", "protections"]} == {
        "vest": (), "helmet": ("head",)}


@pytest.mark.rules("EMP-128", "EMP-131")
def test_a_crowd_keeps_the_fractions_of_its_means_and_obeys_when_it_is_blinded():
    from dataclasses import replace

    hotseat = table(6, 6, 6, 6)
    folk = [replace(CAST["sentry"], charm=charm, intelligence=will, willpower=will, resistance_mental=-1)
            for charm, will in ((4, 5), (5, 6))]
    for name, record_ in zip(("one", "two"), folk, strict=True):
        hotseat.add(name, record_, owner="mj", kind="npc")
    number = hotseat.start("ana", "sway-crowd", {"initiator": ["solveig"], "opponent": ["one", "two"]})
    hotseat.fill("mj", number, {"crowd_size": 40, "relation": "friendly", "target": 40})
    settle(hotseat, number)
    (talk,) = hotseat.encounters
    state = hotseat.encounters[talk].state
    assert (state.scores, state.resistance) == ((4, 5, 5), 15), "4½ + 5½ + 5½"
    stands(hotseat, hotseat.encounters[talk].encounter.id, replace(state, influence=13), talk)
    number = hotseat.start("ana", "verbal-exchange", {"initiator": ["solveig"], "opponent": ["mj"]}, encounter=talk)
    hotseat.seal("ana", number, {"manner": "seduction"})
    hotseat.seal("mj", number, {"manner": "logic"}, "mj")
    hotseat.fill("ana", number, {"column": "normal"})
    settle(hotseat, number)
    assert hotseat.encounters[talk].state.ended == "granted", "blinded, it follows in everything, whatever the target"


@pytest.mark.rules("EMP-143", "EMP-144", "EMP-044")
def test_talents_teach_and_write_what_they_did(changes, played, sheet):
    sent = {"initiator": sheet("solveig"), "opponent": sheet("commander", "npc", resistance_mental=20)}
    assert not changes("work-administration", opponent={}, gm={"official": False}, sheets=sent)
    office = played("work-administration", 1, 1, 1, 6, opponent={}, gm={"target": 10}, sheets=sent)
    assert "outcomes.told_granted" in [line.key for line in office.tellings], "4 lost before, 6 now"
    mine = {"initiator": sheet("solveig")}
    spoken = changes("learn-language", 1, 1, 1, 5, initiator={"language": "vog"}, sheets=mine)
    assert spoken == {("initiator", "languages"): ("vog",)}
    form = {"initiator": {"column": "precise"}, "opponent": {}}
    precise = played("hypnotise", 1, 1, 1, 1, 5, sheets=sent, **form)
    assert {change.rule for change in precise.changes} == {"EMP-143"}
    (step,) = SYSTEM.move("hypnotise").resolves
    ctx = SYSTEM.context("hypnotise", {role: [values] for role, values in form.items()}, sent)
    (claim,) = step.follow(ctx, precise.plays["test"].result)
    assert (claim.move, claim.form["initiator"]["skill"], claim.form["initiator"]["dice"]) == ("destiny-roll", "45", 4)


@pytest.mark.rules("EMP-160", "EMP-166", "EMP-169")
def test_spent_willpower_counts_for_surges_and_resistance(changes, result, sheet):
    worn = sheet("oriane", willpower=12, willpower_spent=5, skills=(Skill("25", 6),))
    surge = changes("psi-act", 1, 1, 1, 1, 1, initiator={"power_name": "superforce"}, sheets={"initiator": worn})
    assert surge["initiator", "trances"] == (Condition("superforce", 7),)
    reader = sheet("oriane", willpower=8, willpower_spent=3)
    victim = sheet("bastien", willpower=6, charm=9, intelligence=9)
    met = result("psi-act", 1, 1, 1, 1, 2, 3, 3, initiator={"power_name": "reading"}, opponent={},
                 sheets={"initiator": reader, "opponent": victim})
    assert met.evaded, "6 against 5: it may try, and 8 is no more than its evasion"
