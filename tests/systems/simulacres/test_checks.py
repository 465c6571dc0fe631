"""Simulacres: tests, margins, privileges, difficulties, as moves play them from numbers and from sheets."""

from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.game import MissingField, Telling, UnknownName
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.check import (
    Check,
    Setting,
    automatic_check,
    best_rank,
    check,
    hindered,
    named_difficulty,
    privilege,
    quality,
    realm_value,
)
from paravent.systems.simulacres.checks.errors import (
    ImpossibleUntrained,
    NoDifficulty,
    NotAutomatic,
    NotRead,
    RealmDoesNotFit,
    TooEasyATrail,
    WrongEnergy,
)
from paravent.systems.simulacres.errors import CannotAct
from paravent.systems.simulacres.people.cast import Category, Creature, Extra
from paravent.systems.simulacres.people.character import Armour, Skill
from paravent.systems.simulacres.people.errors import NoSuchSkill
from paravent.systems.simulacres.terms import Component, Means, Rank, Realm

RULINGS = SYSTEM.book.rulings()


# The value


@pytest.mark.rules("SIM-002", "SIM-003")
def test_a_value_may_be_typed_whole_or_term_by_term(result):
    assert result("simple-test", 3, 4, initiator={"value": 9}, gm={"difficulty": -1}) == Check(True, 1)
    assert result("simple-test", 3, 4, initiator={"component": 4, "means": 3, "realm": 1}) == Check(True, 1)


@pytest.mark.rules("SIM-002", "SIM-014")
def test_names_are_read_on_the_sheet_and_the_skill_adds_one(played, sheet):
    """Arthur, a tracker by hobby: Corps 4 + Perception 3 + Végétal 1 + 1, Difficile."""
    ran = played("simple-test", 3, 3, sheets={"initiator": sheet("arthur")}, gm={"difficulty": "hard"},
                 initiator={"component": "body", "means": "perception", "realm": "vegetal", "skill": "pistage"})
    assert ran.plays["test"].result == Check(True, 1)
    terms = {note.values[0][1]: note.values[1][1] for note in ran.plays["test"].notes if note.key == "term"}
    assert terms == {"body": 4, "perception": 3, "vegetal": 1, "hard": -2, "hobby": 1}


def test_a_name_without_a_sheet_is_refused(played):
    with pytest.raises(MissingField):
        played("simple-test", 3, 3, initiator={"component": "body", "means": 3, "realm": 1})
    with pytest.raises(MissingField):
        played("simple-test", 3, 3, initiator={"value": 8, "skill": "pistage"})
    with pytest.raises(MissingField):
        played("simple-test", 3, 3, initiator={"component": 4})


@pytest.mark.rules("SIM-108")
def test_a_skill_that_the_sheet_lacks_is_refused(played, sheet):
    with pytest.raises(NoSuchSkill):
        played("simple-test", 3, 3, initiator={"value": 8, "skill": "nage"}, sheets={"initiator": sheet("arthur")})


@pytest.mark.rules("SIM-005", "SIM-004")
def test_difficulties_have_names_labels_or_just_a_number(played):
    ran = played("simple-test", 3, 3, initiator={"value": 10}, gm={"difficulty": "nuit:hard, longue-vue:1,-1"})
    terms = [tuple(dict(note.values).values()) for note in ran.plays["test"].notes if note.key == "term"]
    assert terms[1:] == [("nuit", -2), ("longue-vue", 1), ("difficulty", -1)]


@pytest.mark.rules("SIM-004", "SIM-005")
@pytest.mark.parametrize("said", ["nuit:Difficile", "night:hard", "très difficile, Facile", "-2", "\u22122"])
def test_a_difficulty_is_called_as_people_read_it(result, said):
    """By its name in either language, or by its number, with whichever minus sign: 10 − 2 against a 7."""
    assert result("simple-test", 3, 4, initiator={"value": 10}, gm={"more_difficulties": said}) == Check(True, 1)


@pytest.mark.rules("SIM-004")
def test_the_seven_steps_of_difficulty():
    steps = ("very_hard", "hard", "awkward", "normal", "fairly_easy", "easy", "very_easy")
    assert [named_difficulty(step) for step in steps] == [-4, -2, -1, 0, 1, 2, 4]
    with pytest.raises(UnknownName):
        named_difficulty("trivial")


@pytest.mark.rules("SIM-002", "SIM-105")
@pytest.mark.option("no_realm", "void")
def test_when_no_realm_fits_it_counts_nothing_or_the_void(rulings):
    assert realm_value(Realm.NONE, {}, RULINGS) == 0
    assert realm_value(Realm.NONE, {}, rulings(no_realm="void")) == -1
    assert realm_value(Realm.VOID, {}, RULINGS) == -1


@pytest.mark.option("no_realm", "void")
def test_an_alien_mind_is_neither_animal_nor_human(result, sheet):
    form = {"component": "heart", "means": "action", "realm": "none"}
    arthur = {"initiator": sheet("arthur")}
    assert result("simple-test", 3, 4, initiator=form, sheets=arthur) == Check(True, 1)
    assert result("simple-test", 3, 4, initiator=form, sheets=arthur, options={"no_realm": "void"}) == Check(False, 0)


@pytest.mark.rules("SIM-093", "SIM-100")
def test_an_extra_has_one_value_and_a_creature_two(result):
    brute = Extra(category=Category.STRONG, trades=(Skill("Marin"),), talents=(Skill("Nage"),), hobbies=(Skill("Dés"),))
    assert result("simple-test", 4, 4, initiator={"skill": "nage"}, sheets={"initiator": brute}) == Check(True, 2)
    cat = Creature(combat=7, perception=12)
    seen = {"means": "perception"}
    assert result("simple-test", 4, 4, initiator=seen, sheets={"initiator": cat}) == Check(True, 4)
    assert result("simple-test", 4, 4, initiator={"means": "action"}, sheets={"initiator": cat}) == Check(False, 1)


# Criticals


@pytest.mark.rules("SIM-009", "SIM-010", "SIM-008")
@pytest.mark.option("criticals", "off")
def test_criticals_come_as_a_pair_or_not_at_all(result):
    off = {"criticals": "off"}
    assert result("simple-test", 1, 1, initiator={"value": 1, "rank": "trade"}, options=off) == Check(False, 1)
    assert result("simple-test", 6, 6, initiator={"value": 14}, options=off) == Check(True, 2)
    assert result("simple-test", 1, 1, 3, 4, initiator={"value": 1, "rank": "trade"}) == Check(True, 7, True)


@pytest.mark.rules("SIM-011")
@pytest.mark.option("unthinkable_bonus_dice", "no")
def test_by_a_hair_the_bonus_dice_may_be_left_out(result):
    off = {"unthinkable_bonus_dice": "no"}
    hair, thinkable = {"value": 2, "rank": "trade"}, {"value": 3, "rank": "trade"}
    assert result("simple-test", 1, 1, initiator=hair, options=off) == Check(True, 0, True)
    assert result("simple-test", 1, 1, 2, 2, initiator=thinkable, options=off) == Check(True, 5, True)


@pytest.mark.rules("SIM-007")
def test_margins_have_seven_names():
    good = [quality(True, margin) for margin in (0, 1, 2, 3, 4, 5, 6, 15)]
    bad = [quality(False, margin) for margin in (0, 1, 2, 3, 4, 9)]
    assert good == ["normal", "normal", "good", "good", "very_good", "very_good", "excellent", "excellent"]
    assert bad == ["almost", "almost", "poor", "poor", "very_poor", "very_poor"]


# Without dice


@pytest.mark.rules("SIM-001")
def test_what_cannot_fail_or_cannot_succeed_is_not_thrown(played):
    for attempt, success in (("certain", True), ("impossible", False)):
        ran = played("simple-test", initiator={"value": 8}, gm={"attempt": attempt})
        assert ran.plays["test"].result.success is success
        assert ran.plays["test"].throws == ()
        assert [telling.key for telling in ran.tellings] == [f"outcomes.told_{attempt}"]


@pytest.mark.rules("SIM-001", "SIM-017")
def test_what_is_not_thrown_is_not_paid(changes, sheet):
    arthur, pushes = {"initiator": sheet("arthur")}, {"value": 8, "energies": "power:1"}
    assert changes("simple-test", initiator=pushes, gm={"attempt": "certain"}, sheets=arthur) == {}
    assert changes("simple-test", 3, 3, initiator=pushes, sheets=arthur) == {("initiator", "breath_points"): 3}


@pytest.mark.rules("SIM-012", "SIM-095")
def test_a_doctor_does_without_dice_what_is_normal_to_a_doctor(result, sheet):
    arthur = {"initiator": sheet("arthur")}
    assert result("automatic-success", initiator={"skill": "médecin"}, sheets=arthur) == Check(True, 1)
    with pytest.raises(NotAutomatic):
        result("automatic-success", initiator={"skill": "médecin"}, gm={"difficulty": -1}, sheets=arthur)
    with pytest.raises(NotAutomatic):
        result("automatic-success", initiator={"rank": "genius"}, gm={"setting": "duel"})
    assert result("automatic-success", initiator={"rank": "genius"}, gm={"difficulty": -2}) == Check(True, 1)


@pytest.mark.rules("SIM-012")
@pytest.mark.option("auto_margin", "value_minus_7")
@pytest.mark.option("auto_margin", "none")
def test_the_margin_of_an_automatic_success_is_the_tables_choice(result, rulings):
    form = {"component": 6, "means": 4, "realm": 1, "rank": "trade"}
    given = [result("automatic-success", initiator=form, options={"auto_margin": way}).margin
             for way in ("one", "value_minus_7", "none")]
    assert given == [1, 6 + 4 + 1 + 1 - 7, 0]
    assert automatic_check(5, rulings(auto_margin="value_minus_7")).margin == 1


@pytest.mark.rules("SIM-012")
@pytest.mark.option("auto_success_ranged", "yes")
def test_a_shot_at_what_suspects_nothing_may_be_granted(result):
    shot = {"setting": "shot_unaware", "difficulty": 1}
    with pytest.raises(NotAutomatic):
        result("automatic-success", initiator={"rank": "talent"}, gm=shot)
    granted = {"auto_success_ranged": "yes"}
    assert result("automatic-success", initiator={"rank": "talent"}, gm=shot, options=granted).success
    assert not privilege(Rank.TALENT, 4, Setting.COMBAT, SYSTEM.book.rulings(granted)).automatic


@pytest.mark.rules("SIM-014")
def test_the_best_of_several_skills_counts_alone(sheet):
    assert best_rank([Rank.HOBBY, Rank.TRADE, Rank.TALENT]) is Rank.TRADE
    assert best_rank([]) is Rank.NONE


# Armour hampers the body


@pytest.mark.rules("SIM-058")
@pytest.mark.option("hinder_shooting", "no")
@pytest.mark.option("hinder_shooting", "gm")
def test_heavy_armour_hampers_acts_of_the_body(result, sheet, rulings):
    knight = {"initiator": sheet("arthur", armour=Armour(2, 1, 0))}
    looks = {"component": "body", "means": "perception", "realm": "vegetal"}
    runs = {"component": "body", "means": "action", "realm": "human"}
    thinks = {"component": "mind", "means": "perception", "realm": "human"}
    for form, margin in ((looks, 4 + 3 + 1 - 1 - 5), (runs, 4 + 3 + 1 - 1 - 5), (thinks, 4 + 3 + 1 - 5)):
        assert result("simple-test", 2, 3, initiator=form, sheets=knight).margin == margin
    assert result("simple-test", 2, 3, initiator=looks, sheets=knight, options={"hinder_shooting": "no"}).margin == 3
    for said, margin in ((True, 2), (False, 3)):
        gm = {"hinder": said}
        assert result("simple-test", 2, 3, initiator=looks, gm=gm, sheets=knight,
                      options={"hinder_shooting": "gm"}).margin == margin
    assert not hindered(Component.BODY, Means.RESISTANCE, RULINGS)


# Common tests


@pytest.mark.rules(*(f"SIM-{number:03}" for number in range(78, 92)))
@pytest.mark.parametrize(("act", "triple"), [
    ("fast_talk", ("mind", "action", "human")), ("find_link", ("mind", "action", "human")),
    ("drive", ("body", "perception", "mechanical")), ("understand_vehicle", ("mind", "perception", "mechanical")),
    ("physical", ("body", "action", "human")), ("search_place", ("body", "perception", "mineral")),
    ("impress", ("instincts", "action", "human")), ("invent_tool", ("mind", "desire", "mechanical")),
    ("coincidence", ("mind", "perception", "human")), ("hold_breath", ("body", "resistance", "human")),
    ("seduce", ("heart", "action", "human")), ("sixth_sense", ("instincts", "perception", "human")),
    ("track", ("body", "perception", "mineral")), ("intellectual", ("mind", "action", "human")),
    ("shoot", ("body", "perception", "mechanical")), ("melee_armed", ("body", "action", "mechanical")),
    ("melee_unarmed", ("body", "action", "human")), ("resist_poison", ("body", "resistance", "human")),
])
def test_the_usual_sums(act, triple):
    from paravent.systems.simulacres.checks.common import common_test

    assert common_test(act)[:3] == triple


@pytest.mark.rules("SIM-078", "SIM-081")
def test_a_common_test_fills_the_form(result, sheet):
    """Cyprien drives: Corps 4 + Perception 4 + Mécanique 2."""
    cyprien = {"initiator": sheet("cyprien")}
    assert result("simple-test", 4, 5, initiator={"common": "drive"}, sheets=cyprien) == Check(True, 1)


@pytest.mark.rules("SIM-083", "SIM-078")
def test_a_place_is_searched_by_its_own_realm(result, sheet):
    tiphaine = {"initiator": sheet("tiphaine")}
    forest = {"common": "search_place", "realm": "vegetal"}
    assert result("simple-test", 4, 5, initiator=forest, sheets=tiphaine) == Check(True, 1)
    with pytest.raises(RealmDoesNotFit):
        result("simple-test", 4, 5, initiator={"common": "search_place", "realm": "animal"}, sheets=tiphaine)


@pytest.mark.rules("SIM-090")
def test_a_trail_is_never_easy(result, sheet):
    arthur = {"initiator": sheet("arthur")}
    assert result("simple-test", 2, 2, initiator={"common": "track"}, sheets=arthur) == Check(True, 1)
    eased = {"difficulty": "boue:-3,connaît l'animal:1"}
    assert result("simple-test", 2, 2, initiator={"common": "track"}, gm=eased, sheets=arthur) == Check(True, 1)
    with pytest.raises(TooEasyATrail):
        result("simple-test", 2, 2, initiator={"common": "track"}, gm={"difficulty": -1}, sheets=arthur)


@pytest.mark.rules("SIM-084", "SIM-079", "SIM-088")
def test_who_is_talked_round_resists_with_the_component_attacked():
    from paravent.systems.simulacres.checks.common import common_test

    attacked = {act: common_test(act).resisted_with for act in ("fast_talk", "impress", "seduce", "drive")}
    assert attacked == {"fast_talk": "mind", "impress": "instincts", "seduce": "heart", "drive": None}


@pytest.mark.rules("SIM-079", "SIM-084", "SIM-088")
def test_a_declaration_of_love_must_also_be_left_unresisted(played, sheet):
    """It succeeds, and the other still resists with the heart; it fails, and there is nothing to resist."""
    arthur = {"initiator": sheet("arthur")}
    said = played("simple-test", 2, 3, initiator={"common": "seduce"}, sheets=arthur).tellings
    assert said[-1] == Telling("outcomes.told_to_resist", {"component": "heart"})
    failed = played("simple-test", 5, 6, initiator={"common": "seduce"}, sheets=arthur).tellings
    assert [telling.key for telling in failed] == ["outcomes.told_roll_failure_with"]


@pytest.mark.rules("SIM-081", "SIM-022")
def test_a_wheel_is_not_turned_by_strength(result, sheet):
    cyprien = {"initiator": replace(sheet("cyprien"), power=1)}
    with pytest.raises(WrongEnergy):
        result("simple-test", 4, 5, initiator={"common": "drive", "energies": "power:1"}, sheets=cyprien)
    helped = {"common": "drive", "energies": "precision:1"}
    assert result("simple-test", 4, 5, initiator=helped, sheets=cyprien) == Check(True, 2)


@pytest.mark.rules("SIM-B03")
@pytest.mark.option("speed_alternative", "on")
def test_who_hurries_a_long_task_is_told_how_long_it_took(played):
    ran = played("simple-test", 3, 3, initiator={"value": 8, "energies": "haste:2,ep:2"}, gm={"minutes": 120},
                 options={"speed_alternative": "on"})
    assert ran.tellings[-1] == Telling("outcomes.told_hurried", {"minutes": 30})


@pytest.mark.rules("SIM-092")
@pytest.mark.option("untrained_scale", "on")
def test_the_untrained_may_pay_by_the_scale_of_base_levels(result, sheet):
    arthur, on = {"initiator": sheet("arthur")}, {"untrained_scale": "on"}
    form = {"component": "body", "means": "action", "realm": "human"}
    assert result("simple-test", 2, 2, initiator={**form, "talent": "climbing"}, sheets=arthur, options=on).margin == 2
    assert result("simple-test", 1, 2, initiator={**form, "talent": "riding"}, sheets=arthur, options=on).margin == 1
    with pytest.raises(ImpossibleUntrained):
        result("simple-test", 2, 2, initiator={**form, "talent": "locksmithing"}, sheets=arthur, options=on)
    skilled = {**form, "talent": "riding", "rank": "hobby"}
    assert result("simple-test", 2, 2, initiator=skilled, sheets=arthur, options=on).margin == 5


# The last point


@pytest.mark.rules("SIM-065")
@pytest.mark.option("last_point_malus", "ps_ep")
@pytest.mark.option("last_point_malus", "pv_ps_ep")
@pytest.mark.option("last_point_malus", "cumulative")
def test_the_last_point_may_weigh_on_every_test(result, sheet):
    form = {"component": "mind", "means": "action", "realm": "human"}

    def margin(option, **left):
        return result("simple-test", 2, 2, initiator=form, sheets={"initiator": sheet("arthur", **left)},
                      options={"last_point_malus": option}).margin

    spent = {"life_points": 1, "breath_points": 1, "psyche_points": 1}
    assert [margin(option, **spent) for option in ("off", "ps_ep", "pv_ps_ep", "cumulative")] == [4, 3, 3, 1]
    assert [margin(option, life_points=1) for option in ("ps_ep", "pv_ps_ep")] == [4, 3]
    assert margin("ps_ep", psyche_points=1) == 3


@pytest.mark.rules("SIM-065")
@pytest.mark.option("last_point_malus", "ps_ep")
def test_the_last_point_weighs_on_body_and_mind_only(result, sheet):
    spent, option = {"initiator": sheet("arthur", breath_points=1)}, {"last_point_malus": "ps_ep"}
    for component, malus in (("body", 1), ("mind", 1), ("heart", 0), ("instincts", 0)):
        form = {"component": component, "means": "action", "realm": "human"}
        value = getattr(spent["initiator"], component) + 3 + 1 - malus
        assert result("simple-test", 2, 2, initiator=form, sheets=spent, options=option).margin == value - 4
    held = result("resist", 2, 2, gm={"attack": "fear"}, sheets=spent, options=option)
    assert held.check.margin == 5 + 2 + 1 - 4


@pytest.mark.rules("SIM-095", "SIM-A07")
@pytest.mark.option("ruleset", "campaign")
def test_genius_is_worth_three_in_a_campaign(result):
    physicist = {"initiator": Extra(category=Category.AVERAGE, genius="Physique")}
    done = result("simple-test", 4, 4, initiator={"skill": "physique"}, sheets=physicist,
                  options={"ruleset": "campaign"})
    assert done == Check(True, 8 + 3 - 8)


# A campaign


@pytest.mark.rules("SIM-A07", "SIM-A08")
@pytest.mark.option("ruleset", "campaign")
def test_in_a_campaign_a_talent_has_a_level(result, sheet):
    from paravent.systems.simulacres.people.character import NamedPoints

    campaign = {"ruleset": "campaign"}
    rider = {"initiator": sheet("arthur", talent_levels=(NamedPoints("riding", -2),))}
    horse = {"component": "instincts", "means": "action", "realm": "animal", "skill": "riding"}
    bolting = {"difficulty": -2}
    assert result("simple-test", 2, 2, initiator=horse, gm=bolting, sheets=rider, options=campaign).margin == 1
    expert = {"value": 11, "level": 1}
    assert result("simple-test", 1, 2, 5, 6, initiator=expert, options=campaign) == Check(True, 19, True)
    locked = {**horse, "skill": "locksmithing"}
    with pytest.raises(ImpossibleUntrained):
        result("simple-test", 2, 2, initiator=locked, sheets=rider, options=campaign)


def test_what_is_played_is_what_is_weighed():
    found = odds(check, 7, Rank.TALENT, RULINGS)
    seen = {play(check, 7, Rank.TALENT, RULINGS, dice=ScriptedDice(a, b, 3)).result if a + b == 2 else
            play(check, 7, Rank.TALENT, RULINGS, dice=ScriptedDice(a, b)).result
            for a in range(1, 7) for b in range(1, 7)}
    assert seen <= set(found)


# Rules put right


@pytest.mark.rules("SIM-084")
def test_to_impress_takes_no_difficulty(result, system, sheet):
    nour = {"initiator": sheet("nour")}
    assert result("simple-test", 2, 3, initiator={"common": "impress"}, sheets=nour).success
    impress = {"common": "impress"}
    assert result("simple-test", 2, 3, initiator=impress, gm={"difficulty": "normal"}, sheets=nour).success
    with pytest.raises(NoDifficulty):
        result("simple-test", 2, 3, initiator=impress, gm={"difficulty": "hard"}, sheets=nour)
    ctx = system.context("simple-test", {"initiator": [{"common": "impress"}]}, nour)
    assert not any(ctx.move.field(name).applies(ctx) for name in ("difficulty", "hide_difficulty", "more_difficulties"))
    ctx = system.context("simple-test", {"initiator": [{"common": "drive"}]}, nour)
    assert ctx.move.field("difficulty").applies(ctx)


@pytest.mark.rules("SIM-083")
def test_to_search_a_place_one_says_what_it_is_made_of(result, sheet):
    nour = {"initiator": sheet("nour")}
    with pytest.raises(MissingField) as lacking:
        result("simple-test", 2, 3, initiator={"common": "search_place"}, sheets=nour)
    assert lacking.value.field == "realm"
    assert result("simple-test", 2, 3, initiator={"common": "search_place", "realm": "vegetal"}, sheets=nour).success


@pytest.mark.rules("SIM-078", "SIM-083")
@pytest.mark.parametrize(("act", "offered"), [
    ("search_place", ["mineral", "vegetal", "human"]), ("track", ["mineral", "vegetal"]), ("impress", ["human"]),
])
def test_of_a_common_test_only_the_realms_that_it_bears_on_are_offered(system, sheet, act, offered):
    ctx = system.context("simple-test", {"initiator": [{"common": act}]}, {"initiator": sheet("nour")})
    assert ctx.move.field("realm").type.describe(ctx).options == offered


@pytest.mark.rules("SIM-002")
def test_a_number_beside_a_whole_value_is_refused_since_nobody_would_read_it(result):
    with pytest.raises(NotRead) as refused:
        result("simple-test", 2, 3, initiator={"value": 9, "component": 5})
    assert refused.value.values["fields"] == ["component"]


# What a skill makes sure


@pytest.mark.rules("SIM-012")
def test_a_skill_that_suffices_is_offered_without_dice_in_an_ordinary_test(played, system, sheet):
    """A métier succeeds at Normal without dice, a talent at Aisé, a hobby at Facile; the difficulty must be said."""
    arthur = sheet("arthur")
    phrase = {"component": "mind", "means": "action", "realm": "human"}

    def offered(skill, **gm):
        ctx = system.context("simple-test", {"initiator": [{**phrase, "skill": skill}], "gm": [gm]},
                             {"initiator": arthur})
        return ctx.move.field("without_dice").applies(ctx)

    trade, talent, hobby = arthur.trades[0].name, arthur.talents[0].name, arthur.hobbies[0].name
    assert offered(trade, difficulty="0")
    assert not offered(trade, difficulty="-1")
    assert offered(talent, difficulty="1")
    assert not offered(talent, difficulty="0")
    assert offered(hobby, difficulty="2")
    assert not offered(hobby, difficulty="1")
    assert not offered(trade), "nobody has said how hard it is"
    assert not offered(trade, hide_difficulty=True, hidden_difficulty=2), "the offer would tell what is hidden"
    assert not offered(trade, difficulty="2", skill_applies=False)
    ran = played("simple-test", sheets={"initiator": arthur}, gm={"difficulty": "0"},
                 initiator={**phrase, "skill": trade, "without_dice": True})
    assert ran.plays["automatic"].result == Check(True, 1)
    assert "test" not in ran.plays


@pytest.mark.rules("SIM-012")
def test_nothing_is_sure_in_an_opposition_or_a_fight(system, sheet):
    nour = sheet("nour")
    for act in ("fast_talk", "melee_armed", "dress_wounds"):
        ctx = system.context("simple-test", {"initiator": [{"common": act, "skill": nour.trades[0].name}],
                                             "gm": [{"difficulty": "4"}]}, {"initiator": nour})
        assert not ctx.move.field("without_dice").applies(ctx), act


@pytest.mark.rules("SIM-003")
def test_the_number_to_beat_is_told_before_the_dice(system, sheet):
    """Corps 4 + Action 3 + Mécanique 1, Malaisé −1: 7, so 6 or less is needed."""
    step = system.move("simple-test").resolves[-1]

    def needed(**gm):
        form = {"initiator": [{"component": 4, "means": 3, "realm": 1}], "gm": [gm]}
        return step.needed(system.context("simple-test", form))

    assert needed(difficulty="-1").values == {"value": 7, "most": 6}
    assert needed(difficulty="-4", more_difficulties="-2").key == "needed.double_one"
    assert needed(attempt="impossible") is None
    assert system.words.say("fr", "needed.under", value=7, most=6).replace("\xa0", " ") == "7 : il faut 6 ou moins."


@pytest.mark.rules("SIM-061")
def test_without_breath_nobody_acts(result, system, sheet):
    """At 0 PS one has fainted: no test, and none is offered; one may still resist."""
    faint = {"initiator": sheet("nour", breath_points=0)}
    with pytest.raises(CannotAct):
        result("simple-test", 2, 3, initiator={"common": "drive"}, sheets=faint)
    for move in ("simple-test", "shoot"):
        assert not system.move(move).can_come(system.context(move, {}, faint))
    assert result("resist", 2, 3, gm={"attack": "fear"}, sheets=faint).check.success


def test_every_move_is_found_by_everyday_words_in_both_languages(system):
    for move in system.moves:
        for lang in ("fr", "en"):
            assert system.words.entry(lang, f"moves.{move}", "synonyms"), (move, lang)
