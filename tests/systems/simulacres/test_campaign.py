"""Simulacres: campaign rules and adventure points."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.game.errors import MissingField, UnknownName
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.check import Check, hobby_answers, throw
from paravent.systems.simulacres.checks.errors import ImpossibleUntrained, NotAutomatic
from paravent.systems.simulacres.combat.damage import Blow, Category, roll_damage
from paravent.systems.simulacres.combat.fight import Fighter, Order, ready
from paravent.systems.simulacres.errors import OptionOff
from paravent.systems.simulacres.people.campaign import (
    Feat,
    Wanted,
    base_level,
    bill,
    campaign_edge,
    campaign_term,
    creation_points,
    earned,
    level_text,
    price,
    purchases,
    trade_levels,
    weapon_base_level,
)
from paravent.systems.simulacres.people.character import Character, NamedPoints, Weapon
from paravent.systems.simulacres.people.errors import (
    AboveTheMaximum,
    LastChanceUnused,
    NeedsAgreement,
    NotAtCreation,
    TooExpensive,
    WrongJump,
    WrongTrade,
)

BASE = SYSTEM.book.rulings()
CAMPAIGN = SYSTEM.book.rulings({"ruleset": "campaign"})
WITH_PA = SYSTEM.book.rulings({"ruleset": "base_with_pa"})
VECTORS = {row["id"]: row for row in SYSTEM.book.vectors}
ODDS = {row["id"]: row for row in SYSTEM.book.listed_odds}


def given_trade(given):
    levels = trade_levels(given["privileged"], given["chosen"])
    return {"levels": [level_text(levels[name]) for name in (given["privileged"], *given["chosen"])]}


def given_price(given):
    wanted = [Wanted(name, given.get("current")) for name in given["purchases"]]
    cost = bill(wanted, given.get("budget", 999), CAMPAIGN, at_creation=given.get("at_creation", False))
    return {"cost": cost, "legal": True}


def given_value(given):
    """The value of a simple test in a campaign, the talent's level noted on the sheet; X where it is not even noted."""
    level = None if given["talent"] == "X" else int(given["talent"].replace("−", "-"))
    who = Character(talent_levels=() if level is None else (NamedPoints("locksmithing", level),))
    form = {"initiator": [{"component": given["sum"], "means": 0, "realm": 0, "skill": "Serrurerie"}],
            "gm": [{"difficulty": given["difficulties"]}]}
    ctx = SYSTEM.context("simple-test", form, {"initiator": who}, CAMPAIGN)
    if level is None:
        with pytest.raises(ImpossibleUntrained) as refused:
            ctx.move.resolves[-1].call(ctx)
        return {"impossible": refused.value.rule_id == "SIM-A07"}
    trial, _ = ctx.move.resolves[-1].call(ctx).args
    return {"value": sum(term.points for term in trial.terms)}


def given_test(given):
    dice = ScriptedDice(*given["dice"], *given["bonus"])
    done = play(throw, given["value"], campaign_edge(given["talent"]), CAMPAIGN, dice=dice).result
    return {"success": done.success, "critical": done.critical, "margin": done.margin}


def given_damage(given):
    blow = Blow(Category.parse(given["category"]))
    done = play(roll_damage, blow, given["margin"], CAMPAIGN, dice=ScriptedDice(*given["dice"])).result
    return {"total": done.total, "points": done.pv}


MACHINE = {"campaign_trade": given_trade, "price": given_price, "campaign_value": given_value,
           "campaign_test": given_test, "damage": given_damage}
REFUSALS = {"SIM-A05": AboveTheMaximum}


@pytest.mark.option("ruleset", "campaign")
@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row["id"], marks=pytest.mark.vector(row["id"])) for row in VECTORS.values()
     if row["check"] in set(MACHINE) - {"damage"}],
)
def test_a_worked_example_of_the_campaign(row):
    for case in row["cases"]:
        run = MACHINE[case.get("check", row["check"])]
        if case["expect"].get("refused"):
            with pytest.raises(REFUSALS[case["expect"]["rule"]]) as refused:
                run(case["given"])
            assert refused.value.rule_id == case["expect"]["rule"]
        else:
            assert run(case["given"]) == case["expect"] or case["expect"].items() <= run(case["given"]).items()


@pytest.mark.parametrize(
    "listed", [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i)) for i in ("SIM-O55", "SIM-O56", "SIM-O57")]
)
def test_the_chances_of_a_campaign(listed):
    asked = listed["given"] if isinstance(listed["given"], list) else [listed["given"]]
    for given, exact in zip(asked, map(Fraction, listed["exact"]), strict=True):
        edge = campaign_edge(given["talent"])
        if listed["ask"] == "campaign_critical":
            found = odds(throw, 20, edge, CAMPAIGN).chance(lambda check: check.success and check.critical)
        else:
            thrown = odds(throw, given["value"], edge, CAMPAIGN)
            found = thrown.chance(lambda check, least=given["at_least"]: check.success and check.margin >= least)
        assert found == exact


@pytest.mark.rules("SIM-A08")
@pytest.mark.option("wide_critical_always", "yes")
def test_a_roll_in_the_range_but_not_under_the_value_fails_unless_the_table_says_otherwise():
    edge = campaign_edge(3)
    assert not play(throw, 4, edge, CAMPAIGN, dice=ScriptedDice(1, 3)).result.success
    always = SYSTEM.book.rulings({"ruleset": "campaign", "wide_critical_always": "yes"})
    lucky = play(throw, 4, edge, always, dice=ScriptedDice(1, 3, 1, 1, 1, 1)).result
    assert lucky.success
    assert play(throw, 2, edge, CAMPAIGN, dice=ScriptedDice(1, 1, 1, 1, 1, 1)).result.success


@pytest.mark.rules("SIM-A01", "SIM-A05")
def test_the_base_rules_sell_nothing():
    with pytest.raises(OptionOff):
        price("component_up", BASE)
    assert purchases(BASE) == ()


@pytest.mark.rules("SIM-A02")
def test_beginners_have_fifteen_points():
    assert creation_points() == 15
    assert creation_points("young") == 13
    assert [creation_points("aged", agreed) for agreed in (15, 18, 25)] == [17, 18, 19]


@pytest.mark.rules("SIM-A03")
def test_a_trade_lists_four_to_eight_talents():
    listed = ("medicine", "botany", "latin", "read_write", "first_aid")
    assert trade_levels("medicine", ("botany", "latin", "read_write"), listed)["medicine"] == 1
    with pytest.raises(WrongTrade):
        trade_levels("medicine", ("botany", "latin"), listed)
    with pytest.raises(WrongTrade):
        trade_levels("medicine", ("botany", "latin", "astrology"), listed)


@pytest.mark.rules("SIM-A04", "SIM-A15")
def test_an_unbought_talent_stands_at_its_base():
    assert base_level("zoology") is None
    assert base_level("riding") == -4
    assert base_level("swimming", "modern") == -2
    assert base_level("swimming", "medieval") == -4
    assert [weapon_base_level(name) for name in ("knife", "dagger", "truncheon", "long_sword", "bow_light_arrow",
                                                 "brawling", "martial_arts")] == [-2, -2, -2, -4, -4, 0, -4]
    with pytest.raises(UnknownName):
        base_level("basket_weaving")
    assert [level_text(level) for level in (None, -4, -2, 0, 1, 2, 3)] == ["X", "-4", "-2", "0", "+1", "+2", "+3"]


@pytest.mark.rules("SIM-A05", "SIM-A09")
def test_what_may_be_bought_and_when():
    advised = [Wanted("talent_X_0", advised=True), Wanted("hobby", advised=True)]
    assert bill(advised, 15, CAMPAIGN, at_creation=True) == 6
    assert bill([Wanted("talent_X_0", advised=True)], 15, CAMPAIGN) == 5
    with pytest.raises(NotAtCreation):
        bill([Wanted("talent_0_1")], 15, CAMPAIGN, at_creation=True)
    with pytest.raises(NeedsAgreement):
        bill([Wanted("talent_1_2")], 40, CAMPAIGN)
    assert bill([Wanted("talent_1_2")], 40, CAMPAIGN, agreed=True) == 20
    with pytest.raises(TooExpensive):
        bill([Wanted("breath_up", 4)], 29, CAMPAIGN)
    with pytest.raises(AboveTheMaximum):
        bill([Wanted("breath_up", 8)], 99, CAMPAIGN)


@pytest.mark.rules("SIM-A06", "SIM-A07")
def test_a_hobby_carries_only_very_easy_acts():
    assert hobby_answers(4)
    assert not hobby_answers(2)
    assert campaign_term("riding", 2) == 2


@pytest.mark.rules("SIM-A10", "SIM-A12", "SIM-A13")
def test_what_earns_adventure_points():
    assert earned(Feat.MISSION, 1, CAMPAIGN) == 3
    assert earned(Feat.EPISODE, 4, CAMPAIGN) == 12
    assert earned(Feat.FAILED_ALIVE, 1, CAMPAIGN) == 1
    assert earned(Feat.HEROIC_ACT, 2, CAMPAIGN) == 2
    assert [earned(Feat.TRAINING, weeks, CAMPAIGN) for weeks in (1, 2, 5)] == [0, 1, 2]
    assert [earned(Feat.PAST, points, CAMPAIGN) for points in (0, 3, 9)] == [1, 3, 4]


@pytest.mark.rules("SIM-A11", "SIM-A14")
@pytest.mark.option("ruleset", "base_with_pa")
def test_with_the_base_rules_points_buy_attributes_hobbies_talents_and_trades():
    assert [price(name, WITH_PA).points for name in ("hobby_base", "talent_base", "trade_base", "last_chance")] == [
        3, 5, 20, 25]
    assert price("component_up", WITH_PA).maximum == 7
    with pytest.raises(UnknownName):
        price("talent_X_0", WITH_PA)
    with pytest.raises(AboveTheMaximum):
        bill([Wanted("trade_base", 3)], 99, WITH_PA)
    with pytest.raises(OptionOff):
        earned(Feat.TRAINING, 2, WITH_PA)


@pytest.mark.rules("SIM-A07", "SIM-A08")
def test_in_a_campaign_a_fighter_strikes_with_his_talent_level():
    fighters = [Fighter("a", "a", armed=9, weapon="foil", level=3), Fighter("b", "b", armed=9, weapon="foil", level=-4)]
    declared = ready(fighters, [Order("b", defended=("b",)), Order("a", defended=("a",))], ["a", "b"], CAMPAIGN)
    first, second = declared.combatants
    assert sum(term.points for term in first.terms) == 12
    assert sum(term.points for term in second.terms) == 5
    assert (first.edge.up_to, first.edge.bonus_dice) == (5, 4)


@pytest.mark.rules("SIM-A06", "SIM-A07")
@pytest.mark.option("ruleset", "campaign")
def test_in_a_campaign_nothing_is_automatic_but_the_very_easy_acts_of_a_hobby(result, sheet):
    campaign, arthur = {"ruleset": "campaign"}, {"initiator": sheet("arthur")}
    with pytest.raises(NotAutomatic) as refused:
        result("automatic-success", initiator={"rank": "trade"}, gm={"difficulty": 4}, options=campaign)
    assert refused.value.rule_id == "SIM-A07"
    tracks = {"skill": "Pistage"}
    easy = {"difficulty": "very_easy"}
    assert result("automatic-success", initiator=tracks, gm=easy, sheets=arthur, options=campaign) == Check(True, 1)
    with pytest.raises(NotAutomatic):
        result("automatic-success", initiator=tracks, gm={"difficulty": "easy"}, sheets=arthur, options=campaign)
    form = {"component": "body", "means": "perception", "realm": "vegetal", **tracks}
    assert result("simple-test", 3, 4, initiator=form, sheets=arthur, options=campaign) == Check(True, 1)


@pytest.mark.rules("SIM-A04", "SIM-A15")
@pytest.mark.option("ruleset", "campaign")
def test_talents_go_by_their_names_in_either_language(result, changes, sheet):
    campaign = {"ruleset": "campaign"}
    rider = {"initiator": sheet("arthur", talent_levels=(NamedPoints("Équitation", -2),))}
    for name in ("riding", "équitation", "Riding"):
        form = {"component": "instincts", "means": "action", "realm": "animal", "skill": name}
        assert result("simple-test", 2, 3, initiator=form, sheets=rider, options=campaign).margin == 5 + 3 + 1 - 2 - 5
    buys = {"points": 9, "purchase": "talent_-4_0", "what": "Fleuret"}
    assert changes("award-and-spend-pa", initiator=buys, sheets=rider, options=campaign)[
        ("initiator", "talent_levels")] == (NamedPoints("Équitation", -2), NamedPoints("Fleuret", 0))
    with pytest.raises(WrongJump):
        changes("award-and-spend-pa", initiator={**buys, "what": "knife"}, sheets=rider, options=campaign)
    better = {"points": 9, "purchase": "talent_-2_0", "what": "riding"}
    assert changes("award-and-spend-pa", initiator=better, sheets=rider, options=campaign)[
        ("initiator", "talent_levels")] == (NamedPoints("riding", 0),)
    own = {"points": 9, "purchase": "talent_X_0", "what": "Latin"}
    assert changes("award-and-spend-pa", initiator=own, sheets=rider, options=campaign)[
        ("initiator", "adventure_points")] == 4


@pytest.mark.rules("SIM-A15")
@pytest.mark.option("ruleset", "campaign")
def test_each_weapon_is_a_talent_of_its_own(played, sheet):
    """Good with the sword, a beginner with the bow, at the base of light weapons with a knife."""
    swordsman = sheet("arthur", talent_levels=(NamedPoints("Épée longue, sabre", 2), NamedPoints("brawling", 1)),
                      weapons=(Weapon("long_sword"), Weapon(name="Lame de famille", category_pv="E")))

    def level(weapon):
        ran = played("resolve-melee", 6, 5, 6, 5, initiator={"weapon": weapon}, opponent={"value": 2},
                     sheets={"initiator": swordsman}, options={"ruleset": "campaign"})
        terms = {dict(note.values)["name"]: dict(note.values)["points"] for note in ran.plays["resolve"].notes
                 if note.key == "term_of"}
        return terms.get("level", 0)

    weapons = ("long_sword", "foil", "knife", "fist_amateur", "Lame de famille")
    assert [level(name) for name in weapons] == [2, -4, -2, 1, -4]


BEGINNER = {"name": "Ambroise", "body": 4, "instincts": 5, "heart": 5, "mind": 4, "perception": 3, "action": 3,
            "desire": 2, "resistance": 2, "vegetal": 1, "animal": 1, "human": 1, "mechanical": 1, "power": 2,
            "speed": 1, "precision": 1, "trade": "Médecin",
            "trade_talents": "Médecine,Lire/écrire,Botanique,Latin,Premiers soins"}


@pytest.mark.rules("SIM-A02", "SIM-A03", "SIM-A09")
@pytest.mark.option("ruleset", "campaign")
def test_a_beginner_of_a_campaign_pays_for_his_talents(played):
    """The trade gives four; the rest costs 4 (a sword) + 5 (zoology) + 2 (first aid, advised) + 2 (a hobby) = 13."""
    campaign = {"ruleset": "campaign"}
    wants = {**BEGINNER, "talent_levels": "long_sword:0,Zoologie:0,Premiers soins:0", "hobbies": "Chiens"}
    ran = played("create-character", initiator=wants, options=campaign)
    made = ran.changes[0].after
    assert [(line.name, line.points) for line in made.talent_levels] == [
        ("Médecine", 1), ("Lire/écrire", 0), ("Botanique", 0), ("Latin", 0), ("long_sword", 0), ("Zoologie", 0),
        ("Premiers soins", 0)]
    (note,) = [note for note in ran.plays["create"].notes if note.key == "creation_points"]
    assert dict(note.values) == {"spent": 13, "budget": 15}
    more = {**wants, "talent_levels": wants["talent_levels"] + ",riding:0"}
    with pytest.raises(TooExpensive):
        played("create-character", initiator=more, options=campaign)
    aged = {"life_stage": "aged", "agreed_points": 18}
    assert played("create-character", initiator=more, gm=aged, options=campaign).changes
    with pytest.raises(TooExpensive):
        played("create-character", initiator={**wants, "hobbies": "Chiens,Chats"}, gm={"life_stage": "young"},
               options=campaign)
    with pytest.raises(NotAtCreation):
        played("create-character", initiator={**wants, "talent_levels": "riding:1"}, options=campaign)
    with pytest.raises(WrongJump):
        played("create-character", initiator={**wants, "talent_levels": "knife:-4"}, options=campaign)
    with pytest.raises(WrongTrade):
        played("create-character", initiator={**wants, "trade_talents": "a,a,b,c"}, options=campaign)


@pytest.mark.rules("SIM-A11", "SIM-A05")
@pytest.mark.option("ruleset", "base_with_pa")
def test_what_cannot_be_bought_is_refused_and_nothing_changes(changes, sheet):
    with_pa = {"ruleset": "base_with_pa"}
    arthur = {"initiator": sheet("arthur", adventure_points=60)}
    with pytest.raises(LastChanceUnused):
        changes("award-and-spend-pa", initiator={"purchase": "last_chance"}, sheets=arthur, options=with_pa)
    with pytest.raises(MissingField):
        changes("award-and-spend-pa", initiator={"purchase": "hobby_base"}, sheets=arthur, options=with_pa)
    with pytest.raises(WrongJump):
        changes("award-and-spend-pa", options=with_pa,
                initiator={"points": 60, "purchase": "realm_or_energy_0_1", "what": "human", "current": 1})
    served = {"initiator": sheet("arthur", adventure_points=60, last_chance_used=True)}
    written = changes("award-and-spend-pa", initiator={"purchase": "last_chance"}, sheets=served, options=with_pa)
    assert (written[("initiator", "last_chance_used")], written[("initiator", "last_chances_served")]) == (False, 1)
