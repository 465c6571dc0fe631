"""Simulacres: the other published options, each off unless the table says so."""

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.dice.errors import TooManyStates
from paravent.dice.play import ScriptedFaces
from paravent.game import Telling
from paravent.game.asking import usual_of
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.check import Edge, Modifier, edge_of, throw
from paravent.systems.simulacres.checks.energies import Spend
from paravent.systems.simulacres.checks.other_uses import Mix, mixed, power_dice, time_taken, wider_edge
from paravent.systems.simulacres.combat.combat import Combatant, clash, exchange, lands
from paravent.systems.simulacres.combat.damage import Blow, Category, category, roll_damage
from paravent.systems.simulacres.combat.errors import TalentNeeded, TooManyBlows
from paravent.systems.simulacres.combat.fight import Fighter, Order, pass_of_arms, ready, weigh_exchange
from paravent.systems.simulacres.combat.fighters import fighter_of
from paravent.systems.simulacres.combat.optional import (
    Landed,
    SpecialRow,
    Warrior,
    blow_modifier,
    blow_rounds,
    blows_allowed,
    blows_landed,
    covered_against,
    mastery_of,
    special_result,
    warriors_exchange,
)
from paravent.systems.simulacres.combat.shields import (
    LARGE,
    SMALL,
    Shield,
    protected,
    pure_parry,
    shield_malus,
    shield_use,
)
from paravent.systems.simulacres.combat.weapons import Armour, Training, weapon
from paravent.systems.simulacres.errors import OptionOff
from paravent.systems.simulacres.people.character import EnergyBonus, NamedPoints
from paravent.systems.simulacres.terms import Rank
from paravent.table.hotseat import Hotseat

RULINGS = SYSTEM.book.rulings()
VECTORS = {row["id"]: row for row in SYSTEM.book.vectors}


def with_option(**chosen):
    return SYSTEM.book.rulings(chosen)


def duel_of(a, b, **masters):
    """Two fighters with long swords, the second a master of his weapon or not."""
    one = Combatant("initiator", "a", (Modifier("base", a),), Edge(), Blow(Category.parse("F"), Category.parse("B")),
                    target=1)
    return [one, one._replace(role="opponent", side="b", terms=(Modifier("base", b),), target=0, **masters)]


@pytest.mark.vector("SIM-X44")
@pytest.mark.option("weapon_mastery", "on")
def test_a_master_of_his_weapon_softens_the_blow_that_beats_him():
    """Bertrand wins with MR 5 against Albrus's MR 4: 12 or, if Albrus masters his weapon, 8."""
    for case in VECTORS["SIM-X44"]["cases"]:
        given, expect = case["given"], case["expect"]
        rulings = with_option(weapon_mastery=given["option"])
        masters = mastery_of(Training.TRADE_FAMILY, 1, rulings)
        albrus = duel_of(10, 9)[1]._replace(masters=masters)
        bertrand = duel_of(10, 9)[0]
        attack = clash([bertrand, albrus], rulings).attacks[0]
        margin = lands(attack, given["winner_margin"], given["loser_margin"])
        blow = Blow(category(given["pv_category"]), category(given["ps_category"]))
        # The vector counts what is left of the margin and the dice.
        done = play(roll_damage, blow, margin, rulings, dice=ScriptedDice(*given["damage_dice"])).result
        assert (done.total, done.pv, done.ps) == (expect["total"], expect["pv"], expect["ps"])


@pytest.mark.rules("SIM-B04")
def test_who_masters_his_weapon():
    on = with_option(weapon_mastery="on")
    assert mastery_of(Training.TRADE_FAMILY, 0, on)
    assert not mastery_of(Training.TALENT, 0, on)
    campaign = with_option(weapon_mastery="on", ruleset="campaign")
    assert mastery_of(Training.TALENT, 1, campaign)
    assert not mastery_of(Training.TRADE_FAMILY, 0, campaign)


@pytest.mark.vector("SIM-X45")
@pytest.mark.option("shield", "on")
def test_heavy_armour_behind_a_large_shield():
    on = with_option(shield="on")
    for case in VECTORS["SIM-X45"]["cases"]:
        given, expect = case["given"], case["expect"]
        worn = protected(Armour(*given["armour"]), Shield(*given["shield"], 2), on)
        assert (worn.deflect, worn.hinder) == (expect["deflect"], expect["hinder"])


@pytest.mark.rules("SIM-B06")
def test_what_a_shield_does():
    on = with_option(shield="on")
    assert (shield_malus(SMALL, on), shield_malus(LARGE, on)) == (-1, -2)
    assert (shield_use(True), shield_use(False)) == (0, -2)
    assert protected(Armour(), SMALL, on) == Armour(1, 0, 0)
    with pytest.raises(TalentNeeded):
        protected(Armour(), SMALL, on, trained=False)
    with pytest.raises(OptionOff):
        shield_malus(SMALL, RULINGS)


@pytest.mark.rules("SIM-B06")
def test_a_pure_parry_holds_on_a_tie_and_a_critical_one_strikes_back():
    on = with_option(shield="on")
    assert pure_parry(3, 3, on) == (True, False)
    assert pure_parry(2, 3, on) == (False, False)
    assert pure_parry(-1, 0, on) == (False, False)
    assert pure_parry(7, 3, on, critical=True) == (True, True)
    assert pure_parry(7, 3, on, critical=True, armed=False) == (True, False)


@pytest.mark.vector("SIM-X46")
@pytest.mark.option("precision_alternative", "on")
def test_precision_may_widen_the_critical_range():
    on = with_option(precision_alternative="on", ruleset="campaign")
    for case in VECTORS["SIM-X46"]["cases"]:
        given, expect = case["given"], case["expect"]
        edge = wider_edge(Edge(), given["talent"], given["precision"], on)
        pairs = {total: (min(6, total - 1), max(1, total - 6)) for total in range(2, 12)}
        thrown = {total: play(throw, 20, edge, on, dice=ScriptedDice(*pair, *([1] if total <= 4 else []))).result
                  for total, pair in pairs.items()}
        assert [total for total, check in thrown.items() if check.critical] == expect["critical_on"]
        assert edge.bonus_dice == expect["bonus_dice"]
        assert mixed(Mix(precision_range=given["precision"]), on).value_bonus == expect["value_bonus"]
    wide = odds(throw, 9, edge, on)
    assert wide.chance(lambda check: check.critical and check.success) == odds(
        lambda dice: dice.sum(2, 6) <= 4).chance(bool)
    with pytest.raises(OptionOff):
        wider_edge(Edge(), 0, 1, RULINGS)


@pytest.mark.vector("SIM-X47")
@pytest.mark.option("power_alternative", "on")
@pytest.mark.option("speed_alternative", "on")
def test_uses_of_energies_may_be_mixed():
    on = with_option(power_alternative="on", precision_alternative="on", speed_alternative="on")
    for case in VECTORS["SIM-X47"]["cases"]:
        found = mixed(Mix(**case["given"]), on)._asdict()
        assert case["expect"].items() <= found.items()
    for used in (Mix(power_dice=1), Mix(precision_range=1), Mix(haste=1)):
        with pytest.raises(OptionOff):
            mixed(used, RULINGS)


@pytest.mark.rules("SIM-B01")
def test_power_may_add_a_die_to_the_margin_of_a_success():
    on = with_option(power_alternative="on")
    edge = edge_of(Rank.NONE)._replace(extra_dice=power_dice(1, on))
    assert play(throw, 9, edge, on, dice=ScriptedDice(3, 3, 5)).result.margin == 8
    assert not play(throw, 9, edge, on, dice=ScriptedDice(5, 5)).result.success


@pytest.mark.rules("SIM-B01")
def test_power_paid_in_ep_for_the_fight_adds_a_die_to_each_damage_roll():
    on = with_option(power_alternative="on")
    fighters = [Fighter("a", "a", armed=9, weapon="long_sword", training="talent", power=2), Fighter("b", "b", armed=8)]
    orders = [Order("b", defended=("b",), damage_dice=1), Order("a", defended=("a",))]
    declared = ready(fighters, orders, ["initiator", "opponent"], on)
    assert declared.combatants[0].blow.extra_dice == 1
    assert (declared.fighters[0].ep, declared.fighters[0].ps) == (3, 4)
    again = ready(declared.fighters, [Order("b", defended=("b",)), orders[1]], ["initiator", "opponent"], on)
    assert again.combatants[0].blow.extra_dice == 1
    elsewhere = Order("b", defended=("b",), moves=True)
    moved = ready(declared.fighters, [elsewhere, orders[1]], ["initiator", "opponent"], on)
    assert moved.combatants[0].blow.extra_dice == 0


@pytest.mark.rules("SIM-B03")
def test_speed_breaks_a_tie_and_shortens_a_long_task():
    on = with_option(speed_alternative="on")
    fighters = [Fighter("a", "a", armed=9, weapon="club", training="hobby", speed=1),
                Fighter("b", "b", armed=9, weapon="club", training="hobby")]
    hasty = Order("b", defended=("b",), spend=Spend(haste=1, ps=1))
    declared = ready(fighters, [hasty, Order("a", defended=("a",))], ["initiator", "opponent"], on)
    tie = play(pass_of_arms, declared, on, dice=ScriptedDice(3, 4, 2, 5, 4, 4)).result
    assert [(blow.striker, blow.margin) for blow in tie.played.blows] == [(0, 2)]
    assert [time_taken(120, points, on) for points in (0, 1, 2)] == [120, 60, 30]
    with pytest.raises(OptionOff):
        time_taken(120, 1, RULINGS)


@pytest.mark.vector("SIM-X48")
@pytest.mark.option("warrior_way", "on")
def test_arthus_against_coco_and_bobo():
    for case in VECTORS["SIM-X48"]["cases"]:
        blows, expect = case["given"]["blows"], case["expect"]
        assert {
            "arthus_on_coco": blow_modifier("arthus", "coco", blows),
            "arthus_on_bobo": blow_modifier("arthus", "bobo", blows),
            "bobo": blow_modifier("bobo", "arthus", blows),
            "coco": blow_modifier("coco", "arthus", blows),
        } == expect["modifiers"]
        assert [list(hit) for hit in blow_rounds(blows, case["given"]["margins"], set(blows))] == expect["hits"]
        own = [hit.margin for hit in blow_rounds(blows, case["given"]["margins"])]
        assert own == [7, 5, 6]  # without mastery each hits with his own MR


@pytest.mark.rules("SIM-B05")
def test_the_same_exchange_thrown():
    """The values make the example's margins with its dice: 6/3/7, then 4/5, then 6."""
    on = with_option(warrior_way="on", weapon_mastery="on")
    knife = Blow(Category.parse("C"))
    warriors = (
        Warrior("arthus", 13, Edge(), ("coco", "coco", "bobo"), knife, 3, masters=True),
        Warrior("bobo", 9, Edge(), ("arthus", "arthus"), knife, 2, masters=True),
        Warrior("coco", 12, Edge(), ("arthus",), knife, 1),
    )
    faces = (2, 3, 3, 4, 3, 4, 3, 4, 2, 3, 1, 3, 3, 3, 3, 3, 3, 3)
    wounds = play(warriors_exchange, warriors, on, dice=ScriptedDice(*faces)).result
    assert [(wound.striker, wound.target, wound.margin) for wound in wounds] == [
        ("coco", "arthus", 1), ("bobo", "arthus", 1), ("arthus", "bobo", 1)]
    with pytest.raises(OptionOff):
        play(warriors_exchange, warriors, RULINGS, dice=ScriptedDice())
    with pytest.raises(TooManyBlows):
        play(warriors_exchange, (warriors[0]._replace(allowed=2),), on, dice=ScriptedDice())


@pytest.mark.rules("SIM-B05")
def test_blows_land_as_often_whether_their_damages_are_thrown_or_not():
    on = with_option(warrior_way="on", weapon_mastery="on")
    knife = Blow(Category.parse("C"))
    warriors = (Warrior("arthus", 9, Edge(), ("bobo",), knife), Warrior("bobo", 7, Edge(), ("arthus",), knife))
    struck = odds(warriors_exchange, warriors, on).map(lambda wounds: tuple(Landed(*wound[:3]) for wound in wounds))
    assert struck == odds(blows_landed, warriors, on)


@pytest.mark.rules("SIM-B05")
def test_how_many_blows_each_weapon_allows():
    on = with_option(warrior_way="on")
    fists, sword, axe = weapon("fist_trained"), weapon("long_sword"), weapon("two_handed_axe")
    assert [blows_allowed(fists, level, 0, on) for level in (-2, 0, 1, 2, 3)] == [1, 1, 2, 3, 4]
    assert [blows_allowed(sword, level, 0, on) for level in (0, 1, 2, 3)] == [1, 1, 2, 3]
    assert [blows_allowed(axe, level, 1, on) for level in (0, 1, 2, 3)] == [1, 1, 2, 3]


@pytest.mark.rules("SIM-B08")
@pytest.mark.option("special_weapons", "on")
def test_a_weapon_may_have_a_table_of_its_own():
    on = with_option(special_weapons="on")
    arquebus = (SpecialRow(3, 6, "misfire"), SpecialRow(7, 22, "hit"), SpecialRow(23, 26, "explosion"))
    assert [special_result(arquebus, total, on) for total in (1, 5, 12, 31)] == [
        "misfire", "misfire", "hit", "explosion"]
    with pytest.raises(OptionOff):
        special_result(arquebus, 12, RULINGS)


def test_with_every_option_off_an_exchange_is_that_of_the_base_rules():
    prepared = clash(duel_of(10, 9), RULINGS)
    assert not any(attack.mastered or attack.hastier for attack in prepared.attacks)
    done = play(exchange, prepared, ((5, 4),) * 2, RULINGS, dice=ScriptedDice(2, 3, 2, 3, 3, 4)).result
    assert done.blows[0].margin == 5


@pytest.mark.rules("SIM-B06")
@pytest.mark.option("shield", "on")
def test_a_shield_in_a_fight_covers_the_first_opponents_watched():
    """A large shield behind mail against three: −2 to the first two, hinder 1 + 1 + 1 for its bearer."""
    on = with_option(shield="on")
    bearer = Fighter("a", "a", armed=10, training="hobby", weapon="club", deflect=2, hinder=1, shield="large")
    foes = [Fighter(name, "b", armed=9, training="hobby", weapon="club") for name in "bcd"]
    orders = [Order("b", defended=("b", "c", "d")), *(Order("a", defended=("a",)) for _ in foes)]
    rolls = clash(ready([bearer, *foes], orders, "abcd", on).combatants, on).rolls
    assert [roll.value for roll in rolls] == [10 - 3 - 2, 9 + 1 - 2 - 2, 9 + 1 - 2 - 2, 9 + 1 - 2]
    clumsy = Fighter("a", "a", armed=10, training="hobby", weapon="club", shield="small", shield_trained=False)
    alone = [orders[0]._replace(defended=("b",)), orders[1]]
    rolls = clash(ready([clumsy, foes[0]], alone, "ab", on).combatants, on).rolls
    assert [roll.value for roll in rolls] == [8, 8]
    with pytest.raises(OptionOff):
        ready([bearer, *foes], orders, "abcd", RULINGS)


@pytest.mark.rules("SIM-B05")
def test_warriors_at_the_table(result, sheet):
    """Arthur strikes twice with the bare hands of a master; each blow costs him 1, and two on one give 1 back."""
    options = {"warrior_way": "on", "weapon_mastery": "on", "ruleset": "campaign"}
    wounds = result("warriors-exchange", 2, 3, 4, 5, 2, 2, 3, 4, 3, 3, options=options,
                    initiator={"value": 9, "level": 1, "weapon": "fist_trained", "blows": ["opponent", "opponent"]},
                    opponent={"value": 8, "level": 0, "weapon": "club"})
    assert [(wound.striker, wound.margin) for wound in wounds] == [("initiator", 5), ("initiator", 6)]


@pytest.mark.rules("SIM-B08")
def test_a_special_weapon_at_the_table(played):
    rows = [{"least": 3, "most": 11, "words": "misfire"}, {"least": 12, "most": 26, "words": "hit"}]
    ran = played("roll-damage", 4, 4, initiator={"margin": 3, "weapon": "musket"}, gm={"special_table": rows},
                 options={"special_weapons": "on"})
    assert ran.tellings[1] == Telling("outcomes.told_special", {"words": "misfire"})


def test_the_odds_of_many_blows_are_refused_rather_than_waited_for():
    blows = {"value": 12, "level": 3, "weapon": "fist_trained"}
    form = {"initiator": [{**blows, "blows": ["opponent"] * 3}], "opponent": [{**blows, "blows": ["initiator"] * 3}]}
    rulings = with_option(warrior_way="on", ruleset="campaign")
    ctx = SYSTEM.context("warriors-exchange", form, rulings=rulings)
    with pytest.raises(TooManyStates):
        ctx.move.resolves[0].odds(ctx)


@pytest.mark.rules("SIM-B06")
@pytest.mark.option("shield", "on")
def test_a_critical_parry_strikes_back_in_the_same_exchange():
    """Behind his shield he strikes nobody; a double 1 holds the blow off, and a simple test answers it."""
    on = with_option(shield="on")
    bearer = Fighter("a", "a", armed=10, training="hobby", weapon="club", shield="small")
    foe = Fighter("b", "b", armed=9, training="hobby", weapon="club", absorb=1)
    orders = [Order("", defended=("b",)), Order("a", defended=("a",))]
    declared = ready([bearer, foe], orders, ["initiator", "opponent"], on)
    struck = play(pass_of_arms, declared, on, dice=ScriptedDice(1, 1, 3, 3, 2, 4, 3, 4)).result
    assert [(blow.striker, blow.target, blow.margin, blow.total) for blow in struck.played.blows] == [(0, 1, 4, 10)]
    missed = play(pass_of_arms, declared, on, dice=ScriptedDice(1, 1, 3, 3, 5, 6)).result
    assert missed.played.blows == ()
    plain = play(pass_of_arms, declared, on, dice=ScriptedDice(1, 2, 3, 3)).result
    assert plain.played.blows == ()
    weighed = weigh_exchange(declared, on).map(lambda passed: passed.lost)
    assert weighed == odds(pass_of_arms, declared, on).map(lambda passed: passed.lost)
    assert weighed.chance(lambda lost: lost[1] != (0, 0)) > 0


@pytest.mark.rules("SIM-B06")
@pytest.mark.option("shield", "on")
def test_no_riposte_with_both_hands_taken_nor_from_who_strikes():
    on = with_option(shield="on")
    foe = Fighter("b", "b", armed=9, training="hobby", weapon="club")
    for weapon_id, target in (("two_handed_axe", ""), ("fist_amateur", ""), ("club", "b")):
        bearer = Fighter("a", "a", armed=10, unarmed=10, training="hobby", weapon=weapon_id, shield="small")
        orders = [Order(target, defended=("b",)), Order("a", defended=("a",))]
        assert clash(ready([bearer, foe], orders, "ab", on).combatants, on).ripostes == ()


@pytest.mark.rules("SIM-B05", "SIM-058")
def test_armour_counts_among_warriors_and_rapidity_is_paid(played, sheet):
    """Mail takes 2 off each blow and hinders its wearer by 1; one point of Rapidité buys a third blow for one PS."""
    options = {"warrior_way": "on", "ruleset": "campaign"}
    faces = (2, 3, 4, 5, 2, 3, 2, 3, 3, 4, 3, 4, 3, 4)
    ran = played("warriors-exchange", *faces, options=options, sheets={"initiator": sheet("arthur")},
                 initiator={"value": 9, "level": 2, "weapon": "long_sword", "more_blows": 1,
                            "blows": ["opponent"] * 3},
                 opponent={"value": 8, "level": 0, "weapon": "club", "armour": "mail"})
    wounds = ran.plays["warriors"].result
    # 9 + 2 (level) − 2 (three blows) + 2 (three on one) − 2 (mail) = 9, and a 5 is MR 4.
    assert [(wound.striker, wound.margin) for wound in wounds] == [("initiator", 4)] * 3
    assert {change.path: change.after for change in ran.changes} == {"breath_points": 3}
    slow = {"initiator": sheet("arthur", speed=0, power=2, precision=2)}
    with pytest.raises(TooManyBlows):  # without Rapidité there is none to buy
        played("warriors-exchange", *faces, options=options, sheets=slow,
               initiator={"value": 9, "level": 2, "weapon": "long_sword", "more_blows": 1, "blows": ["opponent"] * 3},
               opponent={"value": 8, "level": 0, "weapon": "club"})


@pytest.mark.rules("SIM-B06")
@pytest.mark.option("shield", "on")
def test_a_shield_taken_into_a_fight_is_still_there_in_its_exchanges(sheet, system):
    """Said once when the fight opens, it covers its bearer until another is taken up."""
    table = Hotseat(system, {"mj": "gm", "ana": "player"}, {"shield": "on"}, ScriptedFaces((6, 5, 6, 5)))
    table.add("arthur", sheet("arthur"), owner="ana")
    table.add("nour", sheet("nour"))
    cast = {"initiator": ["arthur"], "opponent": ["nour"]}
    opened = table.start("mj", "open-a-fight", cast)
    table.fill("ana", opened, {"shield": "large"}, "arthur")
    table.throw("mj", opened)
    number = table.start("mj", "exchange", cast, encounter=1)
    ctx = table.sight("ana").context(table.moves[number])
    assert usual_of(ctx.move.field("shield", "initiator"), ctx) == "large"
    whole = table.moves[number].context(table.system)
    assert fighter_of(whole, whole.one("initiator")).shield == "large"
    assert usual_of(ctx.move.field("shield", "opponent"), ctx) == "none"
    bare = table.start("mj", "resolve-melee", cast, {"arthur": {"shield": "none"}})
    whole = table.moves[bare].context(table.system)
    assert fighter_of(whole, whole.one("initiator")).shield == ""


@pytest.mark.rules("SIM-B05", "SIM-B06")
@pytest.mark.option("shield", "on")
def test_a_shield_serves_in_the_warriors_way_too(result):
    """Small: one less for whom it covers; large: two less, its bearer hindered by one; unlearned: two less for him.

    Both strike under 8 with 2d6 = 6: margins of 2 and 2 cancel. Against a small shield the opponent's is 1, and the
    bearer's lands; behind an unlearned one the bearer's own falls to 0, a failure, and the opponent's 1 lands.
    """
    options = {"warrior_way": "on", "shield": "on"}

    def struck(*faces, **behind):
        wounds = result("warriors-exchange", *faces, options=options,
                        initiator={"value": 8, "weapon": "club", "training": "hobby", "blows": ["opponent"], **behind},
                        opponent={"value": 8, "weapon": "club", "training": "hobby", "blows": ["initiator"]})
        return [(wound.striker, wound.margin) for wound in wounds]

    assert struck(2, 4, 2, 4) == [], "nobody is hit, nobody throws for damage"
    assert struck(2, 4, 2, 4, 6, 6, shield="small") == [("initiator", 2)]
    assert struck(2, 4, 2, 4, 6, 6, shield="large") == [("initiator", 1)]
    assert struck(2, 4, 2, 4, 6, 6, shield="small", shield_trained=False) == [("opponent", 1)]
    one = Warrior("a", 8, Edge(), ("b",), Blow(None), shield=2, covers=1)
    assert covered_against(one, {"a": ("b",), "b": (), "c": ("a",)}) == ("b",)
    assert covered_against(one._replace(covers=2), {"a": ("b",), "b": (), "c": ("a",)}) == ("b", "c")


@pytest.mark.rules("SIM-B05", "SIM-037")
def test_in_the_warriors_way_a_shot_is_a_simple_test_that_takes_its_shot(played, sheet):
    """Ludmila shoots under body + perception, whatever the other throws, and has one shot less; he strikes her freely.

    11 + 1 (her trade) = 12 against a 9: MR 3. His club needs no duel either: 8 − 1 (her armour) against a 6.
    """
    ran = played("warriors-exchange", 4, 5, 2, 4, 1, 2, 1, 2, options={"warrior_way": "on"},
                 sheets={"initiator": sheet("ludmila")}, initiator={"weapon": "rifle_large", "blows": ["opponent"]},
                 opponent={"value": 8, "weapon": "club", "training": "hobby", "blows": ["initiator"]})
    wounds = ran.plays["warriors"].result
    assert [(wound.striker, wound.margin) for wound in wounds] == [("initiator", 3), ("opponent", 1)]
    weapons = next(change.after for change in ran.changes if change.path == "weapons")
    assert [one.rounds for one in weapons if one.id == "rifle_large"] == [4]
    assert blow_modifier("a", "b", {"a": ("b",), "b": ("a",), "c": ("a",)}) == -1
    assert blow_modifier("a", "b", {"a": ("b",), "b": ("a",), "c": ("a",)}, shooters="c") == 0
    assert blow_rounds({"a": ("b",), "b": ("a",)}, [{"a": 2, "b": 5}], shooters="a") == (
        Landed("a", "b", 2), Landed("b", "a", 5))


@pytest.mark.rules("SIM-B05", "SIM-020")
def test_what_ep_keep_up_in_a_fight_serves_among_warriors_too(played, sheet):
    """Précision +1 kept up for the fight: 8 + 1 against a 6 is MR 3, where it was 2. It leaves no more Rapidité to buy.

    Points of Rapidité that EP keep up are spent: they buy no blow.
    """
    options = {"warrior_way": "on", "ruleset": "campaign"}

    def margins(*kept):
        arthur = sheet("arthur", active_energy_bonuses=kept)
        ran = played("warriors-exchange", 2, 4, 3, 3, options=options, sheets={"initiator": arthur},
                     initiator={"value": 8, "level": 0, "weapon": "club", "blows": ["opponent"]},
                     opponent={"value": 8, "level": 0, "weapon": "club", "blows": []})
        return [wound.margin for wound in ran.plays["warriors"].result]

    assert margins() == [2]
    assert margins(EnergyBonus("precision", 1, "fight")) == [3]
    assert margins(EnergyBonus("precision", 1, "another act")) == [2]
    swift = sheet("arthur", speed=1, active_energy_bonuses=(EnergyBonus("speed", 1, "fight"),))
    with pytest.raises(TooManyBlows):
        played("warriors-exchange", 2, 4, 3, 3, options=options, sheets={"initiator": swift},
               initiator={"value": 9, "level": 2, "weapon": "long_sword", "more_blows": 1, "blows": ["opponent"] * 3},
               opponent={"value": 8, "level": 0, "weapon": "club"})


@pytest.mark.rules("SIM-B05")
def test_a_fight_goes_on_the_warriors_way_once_somebody_lies_there(sheet, system):
    """Whoever fell is still on the board: the others may go on striking, and nothing is awaited of the fallen."""
    table = Hotseat(system, {"mj": "gm", "ana": "player"}, {"warrior_way": "on"}, ScriptedFaces((6, 5, 6, 5)))
    table.add("arthur", sheet("arthur"), owner="ana")
    table.add("nour", sheet("nour", breath_points=1))
    table.add("ludmila", sheet("ludmila"))
    cast = {"initiator": ["arthur"], "opponent": ["nour", "ludmila"]}
    table.throw("mj", table.start("mj", "open-a-fight", cast))
    assert system.moves["warriors-exchange"].offered is system.moves["exchange"].offered
    fainted = table.start("mj", "apply-condition", {"initiator": ["nour"]}, {"gm": {"lose_ps": 1}})
    table.throw("mj", fainted)
    number = table.start("mj", "warriors-exchange", cast, encounter=1)
    ctx = table.moves[number].context(table.system)
    assert ctx.move.offered(ctx)


@pytest.mark.rules("SIM-B05")
def test_as_many_blows_are_offered_as_any_weapon_carried_allows_and_the_one_taken_in_hand_decides(sheet, system):
    """Ludmila comes in with her rifle (one shot); with the staff at +2 and a point of Rapidité she has two blows.

    All is said with one tap: what the weapon that she takes does not allow is refused before it is sealed.
    """
    options = {"warrior_way": "on", "ruleset": "campaign"}
    table = Hotseat(system, {"mj": "gm", "ana": "player"}, options, ScriptedFaces((6, 5, 6, 5)))
    table.add("ludmila", sheet("ludmila", talent_levels=(NamedPoints("quarterstaff", 2),)), owner="ana")
    table.add("nour", sheet("nour"))
    cast = {"initiator": ["ludmila"], "opponent": ["nour"]}
    table.throw("mj", table.start("mj", "open-a-fight", cast))
    number = table.start("mj", "warriors-exchange", cast, encounter=1)
    ctx = table.sight("ana").context(table.moves[number])
    facts = {name: ctx.move.field(name, "initiator").type.describe(ctx) for name in ("blows", "more_blows")}
    assert (facts["blows"].most, facts["more_blows"].maximum) == (2, 1)
    twice = {"more_blows": 1, "more_blows_paid": "ps", "blows": ["nour", "nour"]}
    with pytest.raises(TooManyBlows):
        table.seal("ana", number, {"weapon": "rifle_large", **twice}, "ludmila")
    with pytest.raises(TooManyBlows):
        table.seal("ana", number, {"weapon": "quarterstaff", "blows": ["nour", "nour"], "more_blows": 0}, "ludmila")
    table.seal("ana", number, {"weapon": "quarterstaff", **twice}, "ludmila")
