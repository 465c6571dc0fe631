"""Empire galactique: on foot and loaded, between planets, between stars."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import Actor
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.people.character import Character, Protection, Skill
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.trade.errors import TooLittleMoney
from paravent.systems.empire.trade.kinds import Cargo
from paravent.systems.empire.trade.purse import owed, paid, paid_as_far
from paravent.systems.empire.trade.trade import Lot
from paravent.systems.empire.travel.errors import BargesOnly, NeedsSuitSkill, NoRoute, NothingThere, Weightless
from paravent.systems.empire.travel.travel import (
    Gait,
    Load,
    Voyage,
    Walker,
    armour_mod,
    carried,
    check_worn,
    fare,
    go,
    in_gold,
    interplanetary,
    interstellar,
    journey_hours,
    jumps,
    load_limits,
    load_of,
    metres,
    play_minutes,
    speed,
    strength_load,
    strength_move,
    wages,
    waiting,
)
from paravent.systems.empire.worlds.planet import World
from paravent.systems.empire.worlds.sector import Density, sector

RULINGS = SYSTEM.book.rulings()


def walked(strength=7, endurance=6, gait=Gait.WALK, hours=1, rulings=RULINGS, **more):
    return play(go, Walker(strength, endurance, **more), gait, Fraction(hours), rulings, dice=ScriptedDice()).result


@pytest.mark.vector("EGW-X60")
def test_how_fast_one_goes_on_foot():
    kmh = [speed(gait, Fraction(7)) for gait in (Gait.WALK, Gait.FORCED_MARCH, Gait.RUN)]
    assert kmh == [Fraction("4.2"), Fraction("8.4"), Fraction("16.8")]
    assert metres(Gait.RUN, Fraction(7)) == 28


@pytest.mark.vector("EGW-X61")
def test_armour_slows_a_walker():
    assert walked(8, piece="armour").kmh == 3


@pytest.mark.vector("EGW-X62")
def test_an_antigrav_suit_on_a_light_world():
    assert strength_load(8, 3, "antigrav_suit", RULINGS) == 17
    assert walked(8, size_t=3, piece="antigrav_suit").kmh == Fraction("10.2")


@pytest.mark.vector("EGW-X74")
@pytest.mark.option("antigrav_rest", "bonus_only")
def test_a_forced_march_with_and_without_a_suit(rulings):
    suited = walked(gait=Gait.FORCED_MARCH, hours=10, piece="antigrav_suit")
    assert (suited.kmh, suited.km, suited.sleep) == (Fraction("9.6"), 96, 0)
    bare = walked(gait=Gait.FORCED_MARCH, hours=10)
    assert (bare.hours, bare.kmh, bare.km, bare.sleep) == (6, Fraction("8.4"), Fraction("50.4"), 12)
    tired = walked(gait=Gait.FORCED_MARCH, hours=10, piece="antigrav_suit", rulings=rulings(antigrav_rest="bonus_only"))
    assert (tired.kmh, tired.hours, tired.sleep) == (Fraction("9.6"), 6, 12)


@pytest.mark.vector("EGW-X76")
def test_a_load_on_top_of_armour():
    loadable = strength_load(8, 6, "armour", RULINGS)
    assert load_limits(loadable) == (5, 10, 15)
    assert load_of(Fraction(12), loadable) is Load.VERY_HEAVY
    assert strength_move(loadable, Load.VERY_HEAVY) == 3
    assert walked(8, piece="armour", kilos=Fraction(12)).kmh == Fraction("1.8")


@pytest.mark.rules("EGW-125")
@pytest.mark.option("gravity_order", "mod_first")
@pytest.mark.option("worn_mass", "by_mass")
def test_tables_may_take_the_mod_first_and_weigh_armour(rulings):
    assert strength_load(8, 3, "armour", RULINGS) == 13
    assert strength_load(8, 3, "armour", rulings(gravity_order="mod_first")) == 10
    assert carried(Fraction(2), "vest", RULINGS) == 2
    assert carried(Fraction(2), "vest", rulings(worn_mass="by_mass")) == 7
    assert carried(Fraction(2), "", rulings(worn_mass="by_mass")) == 2
    assert armour_mod("helmet") == 0


@pytest.mark.rules("EGW-124", "EGW-126")
def test_suits_need_their_skill_and_clothes_do_not():
    check_worn("vest", 0)
    with pytest.raises(NeedsSuitSkill):
        check_worn("antigrav_suit", 0)


@pytest.mark.rules("EGW-190", "EGW-192")
def test_walking_on_costs_sleep_and_running_is_short():
    assert walked(hours=9).sleep == 3
    assert walked(gait=Gait.RUN, hours=1).hours == Fraction(1, 10)
    assert walked(kilos=Fraction(22)).kmh == 0
    assert load_of(Fraction(22), Fraction(7)) is Load.TOO_MUCH


@pytest.mark.rules("EGW-026")
@pytest.mark.option("weightless", "twelfth")
def test_nobody_walks_where_nothing_weighs(rulings):
    with pytest.raises(Weightless):
        walked(size_t=0)
    assert walked(size_t=0, rulings=rulings(weightless="twelfth")).kmh == Fraction(84 * 6, 10)


def test_a_sheet_walks_with_what_it_wears(result):
    soldier = Character(strength=8, endurance=6, protections=(Protection("vest"), Protection("armour")),
                        skills=(Skill("54", 1),))
    assert result("walk", initiator={"hours": 2}, sheets={"initiator": soldier}).km == 6
    sheets = {"initiator": soldier, "world": World(size_t=3)}
    assert result("walk", initiator={"hours": 2}, world={}, sheets=sheets).kmh == 13 * Fraction(6, 10)
    with pytest.raises(NeedsSuitSkill):
        result("walk", sheets={"initiator": Character(protections=(Protection("armour"),))})


# Between worlds


@pytest.mark.vector("EGW-X63")
def test_four_days_between_planets():
    assert play(interplanetary, dice=ScriptedDice(4)).result == Voyage(0, 4, 1200)


@pytest.mark.vector("EGW-X64")
def test_two_jumps_by_liner():
    assert play(interstellar, "liner", 2, 4, 6, RULINGS, dice=ScriptedDice(6)).result == Voyage(2, 14, 7000)


@pytest.mark.vector("EGW-X65")
def test_a_small_route_by_barge(result):
    voyage = result("travel-interstellar", 5, gm={"route": "blue", "departure_level": 5})
    assert voyage == Voyage(0, 7, 7000)
    with pytest.raises(BargesOnly):
        result("travel-interstellar", initiator={"passage": "liner"}, gm={"route": "blue"})
    assert result("travel-interstellar", 1, initiator={"passage": "liner"}, gm={"route": "blue", "official": True})


@pytest.mark.vector("EGW-X10")
def test_from_kharg_to_our_in_one_week():
    one_jump = jumps(1, Fraction(0), RULINGS)
    assert play(interstellar, "freighter", one_jump, 6, 4, RULINGS, dice=ScriptedDice(1)).result.days == 7


@pytest.mark.rules("EGW-195")
@pytest.mark.option("jump", "squares")
def test_a_jump_is_a_segment_or_three_squares(rulings, result):
    by_squares = rulings(jump="squares")
    assert [jumps(1, Fraction(n), by_squares) for n in (3, 4, 7)] == [1, 2, 3]
    assert jumps(2, Fraction(7), RULINGS) == 2
    assert result("travel-interstellar", 1, gm={"squares": 7}, options={"jump": "squares"}).days == 21


@pytest.mark.rules("EGW-196")
@pytest.mark.option("fares", "per_trip")
def test_fares_by_the_day_or_by_the_trip(rulings):
    assert [fare(passage, 14, RULINGS) for passage in ("barge", "freighter", "liner")] == [14_000, 4200, 7000]
    trip = rulings(fares="per_trip")
    assert [fare(passage, 14, trip) for passage in ("barge", "freighter", "liner")] == [14_000, 300, 500]


@pytest.mark.rules("EGW-194")
@pytest.mark.option("waiting_port", "arrival")
def test_one_waits_by_the_port_of_departure_or_of_arrival(rulings):
    assert play(waiting, 4, 6, RULINGS, dice=ScriptedDice(6)).result == 2
    assert play(waiting, 4, 6, rulings(waiting_port="arrival"), dice=ScriptedDice(6)).result == 0


@pytest.mark.rules("EGW-097")
@pytest.mark.option("off_route", "gm")
def test_off_the_routes_a_barge_is_chartered_or_the_game_master_provides(result):
    assert result("travel-interstellar", 1, gm={"route": "off_route", "segments": 3}).days == 7
    options = {"off_route": "gm"}
    with pytest.raises(NoRoute):
        result("travel-interstellar", gm={"route": "off_route"}, options=options)
    assert result("travel-interstellar", 1, gm={"route": "off_route", "provided": True}, options=options).days == 7


@pytest.mark.rules("EGW-096", "EGW-097", "EGW-195")
@pytest.mark.option("jump", "squares")
def test_a_voyage_is_read_on_the_map(result):
    chart = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result
    by_map = {"sector": {}, "sheets": {"sector": chart}}

    def sailed(leaves, reaches, *faces, passage="barge", **more):
        return result("travel-interstellar", *faces, initiator={"passage": passage},
                      gm={"leaves": leaves, "reaches": reaches}, **by_map, **more)

    assert sailed("H", "T", 6, passage="liner") == (0, 7, 3500)
    assert sailed("i", "0808", 6) == (1, 21, 21_000)  # I to H, to T, to R; from a port of the fifth level
    with pytest.raises(BargesOnly):
        sailed("I", "H", passage="liner")
    assert sailed("H", "X", 1).days == 7 * 2  # to T, the nearest that a route touches, then a chartered barge
    assert sailed("H", "T", 6, options={"jump": "squares"}).days == 7 * 3
    with pytest.raises(NothingThere):
        sailed("H", "0301")
    with pytest.raises(NoRoute):
        sailed("T", "X", options={"off_route": "gm"})


def test_a_voyage_takes_days_and_money(changes):
    rich = Character(credits=20_000)
    written = changes("travel-interstellar", 6, initiator={"passage": "freighter", "travellers": 2},
                      gm={"departure_level": 4}, sheets={"initiator": rich})
    assert written == {("initiator", "credits"): 20_000 - 4200}


def test_a_fare_that_dice_settle_is_owed_where_the_purse_is_too_light(played):
    ran = played("travel-interplanetary", 4, sheets={"initiator": Character(credits=1000)})
    assert [(change.path, change.after) for change in ran.changes] == [("credits", -200)]
    assert (ran.tellings[-1].key, ran.tellings[-1].values) == ("outcomes.told_debt", {"n": 200})
    again = played("travel-interplanetary", 1, sheets={"initiator": Character(credits=-200)})
    assert [(change.path, change.after) for change in again.changes] == [("credits", -500)]
    assert again.tellings[-1].values == {"n": 300}


@pytest.mark.rules("EGW-196")
def test_a_passage_that_a_purse_cannot_pay_is_owed_whole_in_the_ledger_and_the_tax_as_far_as_it_goes(changes):
    sails = {"initiator": {"passage": "freighter"}, "cargo": {}}
    hold = Cargo("soute", (Lot("animals", 2, 6),))
    poor = changes("travel-interstellar", 1, **sails, sheets={"initiator": Character(credits=500), "cargo": hold})
    assert poor["initiator", "credits"] == 500 - 2100  # what is aboard tells nobody who looks into the purse
    assert [(line.deed, line.credits) for line in poor["cargo", "ledger"]] == [("fare", -2100), ("tax", 0)]


@pytest.mark.rules("EGW-107")
def test_whoever_is_in_debt_earns_it_off_and_is_sold_nothing():
    debtor = Actor("ana", "initiator", Character(credits=-600))
    assert [change.after for change in paid(debtor, -200, "EGW-108")] == [-400]
    assert not paid(debtor, 0, "EGW-160")
    assert (owed(debtor, 0), owed(debtor, 10)) == (0, 10)
    assert not paid_as_far(debtor, 100, "EGW-109")
    with pytest.raises(TooLittleMoney):
        paid(debtor, 1, "EGW-107")


@pytest.mark.rules("EGW-197", "EGW-198", "EGW-199")
def test_wages_scales_and_the_time_of_play(result):
    assert (wages(8), in_gold(250)) == (80, Fraction(5, 2))
    assert play_minutes(Fraction(4)) == 60
    assert journey_hours(Fraction(15_000), Fraction(200)) == 75
    assert result("journey", initiator={"distance_km": 15_000, "speed_kmh": 200}) == (75, 1125)
    assert list(TABLES["map_scales"].column("metres").values()) == [1, 5, 100, 1000]
