"""Simulacres: charges, ammunition and money, at the table's own prices; talents that climb; sheets of before."""

from dataclasses import replace

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import MissingField, to_plain
from paravent.game.asking import field_facts
from paravent.game.move import replace_focus
from paravent.game.telling import Teller
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.combat.errors import EmptyWeapon
from paravent.systems.simulacres.combat.fighters import in_hand, shots_carried
from paravent.systems.simulacres.gear.belongings import Good, PriceList, used
from paravent.systems.simulacres.gear.errors import NotCarried, TooLittleMoney
from paravent.systems.simulacres.people.character import Item, NamedPoints, Weapon
from paravent.table.hotseat import Hotseat

LAMP, BULLETS = Item("Lampe", charges_max=4), Item("Balles", 9, feeds="pistol_medium")
STALL = PriceList("Le quai", "écus", (Good("Corde", 3), Good("Balles", 2, feeds="pistol_medium"),
                                      Good("Pistolet", 30, 6, weapon="pistol_medium")))


def test_a_charge_is_used_up_and_what_can_be_filled_again_stays_empty():
    (lamp,) = used((LAMP,), "lampe", 3)
    assert (lamp.charges, lamp.count) == (1, 1)
    (lamp,) = used((lamp,), "Lampe", 1)
    assert lamp.charges == 0
    with pytest.raises(NotCarried):
        used((lamp,), "Lampe", 1)
    two = Item("Fumigène", 2, charges_max=3)
    (one,) = used((two,), "Fumigène", 4)
    assert (one.count, one.charges) == (1, 2)
    assert used((Item("Pétard", 2),), "Pétard", 2) == ()


def test_using_something_is_told_with_what_is_left(changes, played, sheet):
    carrier = sheet("arthur", equipment=(LAMP, BULLETS))
    written = changes("use-equipment", sheets={"initiator": carrier}, initiator={"item": "Lampe", "times": 2})
    assert written["initiator", "equipment"][0].charges == 2
    told = played("use-equipment", sheets={"initiator": carrier}, initiator={"item": "Lampe", "times": 2}).tellings
    assert any(said.values.get("left") == 2 for said in told)


@pytest.mark.rules("SIM-037")
def test_a_shot_takes_a_round_and_an_empty_weapon_is_neither_offered_nor_taken(changes, result, system, sheet):
    armed = sheet("arthur", weapons=(Weapon("pistol_medium", capacity=6, rounds=1), Weapon("knife")))
    shot = {"initiator": {"weapon": "pistol_medium"}, "opponent": {"pv": 5}}
    spent = changes("shoot", 1, 2, 3, 3, sheets={"initiator": armed}, **shot)["initiator", "weapons"]
    assert spent[0].rounds == 0
    empty = replace(armed, weapons=spent)
    ctx = system.context("shoot", {}, {"initiator": empty})
    assert shots_carried(ctx.one()) == ()
    assert in_hand(ctx, "initiator") == "knife", "whoever shot it empty has something else in hand"
    with pytest.raises(EmptyWeapon):
        result("shoot", sheets={"initiator": empty}, **shot)
    uncounted = sheet("arthur", weapons=(Weapon("pistol_medium"),))
    assert ("initiator", "weapons") not in changes("shoot", 1, 2, 3, 3, sheets={"initiator": uncounted}, **shot)


@pytest.mark.rules("SIM-037")
def test_a_shot_inside_a_fight_takes_a_round_too(sheet):
    shooter = sheet("arthur", weapons=(Weapon("pistol_medium", capacity=6),))
    table = Hotseat(SYSTEM, {"mj": "gm", "ana": "player"}, {}, ScriptedFaces((6, 6, 1, 2, 3, 4, 3, 4)))
    table.add("arthur", shooter, owner="ana")
    table.add("nour", SYSTEM.kind("character").ready("fr")["nour"])
    opened = table.start("mj", "open-a-fight", {"initiator": ["arthur"], "opponent": ["nour"]})
    table.throw("mj", opened)
    number = table.start("mj", "exchange", {"initiator": ["arthur"], "opponent": ["nour"]}, encounter=1)
    usual = {"aim": "none", "pull": False, "energies": {}, "moves": False}
    table.seal("ana", number, {**usual, "weapon": "pistol_medium", "target": "nour", "defended": []}, "arthur")
    table.seal("mj", number, {**usual, "weapon": "fist_amateur", "target": "nobody", "defended": []}, "nour")
    table.throw("mj", number)
    table.accept("mj", number)
    assert table.records["arthur"].record.weapons[0].rounds == 5


@pytest.mark.rules("SIM-037")
def test_a_weapon_is_loaded_from_what_is_carried_for_it(changes, sheet):
    carrier = sheet("arthur", weapons=(Weapon("pistol_medium", capacity=6, rounds=1),),
                    equipment=(LAMP, replace(BULLETS, count=3)))
    written = changes("load-a-weapon", sheets={"initiator": carrier}, initiator={"weapon": "pistol_medium"})
    assert written["initiator", "weapons"][0].rounds == 4
    assert written["initiator", "equipment"] == (LAMP,), "three bullets went in, none is left"


def test_goods_cost_what_the_tables_own_list_says(changes, result, sheet):
    buyer = sheet("arthur", money=40, equipment=(BULLETS,), weapons=())
    sheets = {"initiator": buyer, "shop": STALL}
    bought = changes("buy-or-sell", sheets=sheets, initiator={"goods": "balles", "how_many": 5}, shop={})
    assert (bought["initiator", "money"], bought["initiator", "equipment"][0].count) == (30, 14)
    armed = changes("buy-or-sell", sheets=sheets, initiator={"goods": "Pistolet"}, shop={})
    assert armed["initiator", "weapons"] == (Weapon("pistol_medium", capacity=6, rounds=6),)
    assert changes("buy-or-sell", sheets=sheets, initiator={"goods": "Corde"}, shop={}, gm={"agreed_price": 1}) == {
        ("initiator", "money"): 39, ("initiator", "equipment"): (BULLETS, Item("Corde"))}
    with pytest.raises(TooLittleMoney):
        result("buy-or-sell", sheets=sheets, initiator={"goods": "Pistolet", "how_many": 2}, shop={})


def test_what_no_list_has_costs_what_the_game_master_says_and_only_what_one_has_is_sold(changes, result, sheet):
    seller = sheet("arthur", money=2, equipment=(LAMP,), weapons=(Weapon("knife"),))
    with pytest.raises(MissingField) as missing:
        result("buy-or-sell", sheets={"initiator": seller}, initiator={"goods": "Bateau"})
    assert missing.value.values["role"] == "gm"
    sold = changes("buy-or-sell", sheets={"initiator": seller}, initiator={"deal": "sell", "sold": "Lampe"},
                   gm={"price": 5})
    assert sold == {("initiator", "money"): 7, ("initiator", "equipment"): ()}
    knife = changes("buy-or-sell", sheets={"initiator": seller}, initiator={"deal": "sell", "sold": "knife"},
                    gm={"price": 1})
    assert knife["initiator", "weapons"] == ()
    with pytest.raises(NotCarried):
        result("buy-or-sell", sheets={"initiator": seller}, initiator={"deal": "sell", "sold": "Château"},
               gm={"price": 9})


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_deal_is_told_without_a_gap_where_the_money_has_no_name(played, sheet, lang):
    rich = {"initiator": sheet("arthur", money=40, equipment=(LAMP,))}
    for deal in ({"goods": "Corde"}, {"deal": "sell", "sold": "Lampe"}):
        said = played("buy-or-sell", sheets=rich, initiator=deal, gm={"price": 5}).tellings
        told = Teller(lang, SYSTEM).telling(said[0])
        assert "5" in told
        assert "  " not in told.replace("\u00a0", " ").replace("\u202f", " ")


def test_a_price_list_refuses_weapons_that_no_table_has(system, rulings):
    wrong = PriceList("Le quai", "écus", (Good("Truc", 1, weapon="zorglub"), Good("Rien", -1)))
    assert {fault.key for fault in system.kind("price-list").check(wrong, rulings())} == {
        "unknown_weapon", "price_below_nothing"}


def test_a_sheet_of_before_opens_with_nothing_in_its_bag(system, sheet):
    plain = to_plain(sheet("arthur"))
    for gone in ("equipment", "money"):
        del plain[gone]
    plain["weapons"] = [{"id": "pistol_medium", "name": "", "category_pv": "", "category_ps": "", "family": "",
                         "notes": "à grand-père"}]
    old = system.kind("character").from_plain(plain)
    assert (old.equipment, old.money, old.weapons[0].capacity, old.weapons[0].serves) == ((), 0, 0, True)


# Talents that climb


@pytest.mark.rules("SIM-A04", "SIM-A05")
def test_a_talent_moves_from_level_to_level_and_each_level_tells_its_price(changes, played, system, sheet, rulings):
    campaign = {"ruleset": "campaign"}
    hero = sheet("arthur", adventure_points=30, talent_levels=(NamedPoints("Équitation", 0),))
    ctx = system.context("raise-a-talent", {"initiator": [{"raised_talent": "Équitation"}]}, {"initiator": hero},
                         rulings(**campaign))
    facts = field_facts(ctx.move.field("new_level", "initiator"), replace_focus(ctx, ctx.one()))
    assert facts.shape.prices == {"+1": 5}
    lowest = system.context("raise-a-talent", {"initiator": [{"raised_talent": "riding"}]},
                            {"initiator": sheet("arthur", adventure_points=30)}, rulings(**campaign))
    facts = field_facts(lowest.move.field("new_level", "initiator"), lowest)
    assert facts.options == ["-2", "0"], "from low to high"
    asked = {"raised_talent": "climbing", "new_level": "0"}
    written = changes("raise-a-talent", sheets={"initiator": hero}, options=campaign, initiator=asked)
    assert written["initiator", "adventure_points"] == 30 - 3, "climbing stands at −2 by itself"
    assert written["initiator", "talent_levels"][-1] == NamedPoints("climbing", 0)
    assert written["initiator", "ledger"][-1] == NamedPoints("talent_-2_0", -3)


@pytest.mark.rules("SIM-A05")
def test_what_is_starred_waits_for_the_game_master_and_what_is_too_dear_is_not_offered(system, sheet, rulings):
    options = rulings(ruleset="campaign")
    for points, offered in ((30, {"+2": 20}), (19, {})):
        hero = sheet("arthur", adventure_points=points, talent_levels=(NamedPoints("riding", 1),))
        said = {"initiator": [{"raised_talent": "riding"}]}
        ctx = system.context("raise-a-talent", said, {"initiator": hero}, options)
        facts = field_facts(ctx.move.field("new_level", "initiator"), ctx)
        assert dict(facts.shape.prices or {}) == offered
    table = Hotseat(SYSTEM, {"mj": "gm", "ana": "player"}, {"ruleset": "campaign"}, ScriptedFaces(()))
    table.add("arthur", sheet("arthur", adventure_points=30, talent_levels=(NamedPoints("riding", 1),)), owner="ana")
    number = table.start("ana", "raise-a-talent", {"initiator": ["arthur"]})
    table.fill("ana", number, {"raised_talent": "riding", "new_level": "+2"}, "arthur")
    assert table.records["arthur"].record.adventure_points == 30, "nothing is bought before the word"


@pytest.mark.rules("SIM-A02", "SIM-A06")
def test_a_beginner_sees_the_points_that_talents_and_hobbies_leave(system, sheet, rulings):
    beginner = sheet("arthur", talent_levels=(NamedPoints("riding", 0), NamedPoints("stealth", 0)))
    left = {one.id: one.left for one in system.kind("character").points(beginner, rulings(ruleset="campaign"))}
    assert left["talent_points"] == 15 - 4 - 2 * len(beginner.hobbies), "riding from −4; stealth is 0 by itself"
    assert "talent_points" not in {one.id for one in system.kind("character").points(beginner, rulings())}


@pytest.mark.rules("SIM-A05")
def test_what_points_buy_is_chosen_by_its_name_on_the_sheet(changes, sheet):
    rich = sheet("arthur", adventure_points=40)
    bought = changes("award-and-spend-pa", sheets={"initiator": rich}, options={"ruleset": "base_with_pa"},
                     initiator={"purchase": "component_up", "what": "Corps"})
    assert bought["initiator", "body"] == rich.body + 1


def test_a_difficulty_is_told_by_its_own_word_not_by_that_of_a_purse(system):
    told = Teller("fr", system).value([{"name": "pluie", "points": -2}])
    assert "disponibles" not in told
    assert "pluie" in told
