"""Simulacres: a whole fight, played exchange by exchange, replayed from the book, and foreseen."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from paravent.cli import main
from paravent.dice import Choice, SeededDice, odds
from paravent.dice.play import ScriptedFaces
from paravent.game.errors import AlreadyThrown, NotYours, UnknownName
from paravent.game.telling import Teller
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.energies import Spend
from paravent.systems.simulacres.checks.errors import TooLittleLeft, TooManyPoints
from paravent.systems.simulacres.combat.errors import NotAnOpponent, OneSide, OutOfTheFight
from paravent.systems.simulacres.combat.fight import Fighter, Order, after_exchange, pass_of_arms, ready, weigh_exchange
from paravent.systems.simulacres.combat.foreseen import Ended, Standing, fight, foresee, orders_at, try_out
from paravent.systems.simulacres.combat.moves_fight import forecast_fight
from paravent.systems.simulacres.combat.weapons import Aim
from paravent.systems.simulacres.people.cast import Category, Creature, Extra
from paravent.systems.simulacres.people.character import Armour, EnergyBonus, NamedPoints, Skill, Weapon, Wounds
from paravent.table import Fresh
from paravent.table.acting import may_hold
from paravent.table.hotseat import Hotseat
from paravent.table.turn import Turn
from seats import move_seen, page

RULINGS = SYSTEM.book.rulings()

# The complete example of the document, from the command line

URLOG = ["value=10", "training=trade_family", "weapon=two_handed_sword", "pv=4"]
ARAMIR = ["opponent.value=9", "opponent.training=untrained_simple", "opponent.weapon=dagger"]


def rolled(capsys, *words):
    """What ``paravent roll simulacres …`` says, as JSON."""
    assert main(["roll", "simulacres", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def result(answer):
    return answer["steps"][-1]["result"]


def blow(answer):
    played = result(answer)["passed"]["played"]
    (struck,) = played["blows"]
    return {**struck, "left": played["left"][struck["target"]], "margins": [c["margin"] for c in played["checks"]]}


@pytest.mark.vector("SIM-X14")
def test_exchange_one_aramir_shoots_at_thirty_five_metres(capsys):
    shot = result(rolled(capsys, "shoot", "value=9", "training=talent", "weapon=bow_light_arrow", "band=medium",
                         "energies=precision:2", "ps=4", "opponent.pv=4", "--dice", "3,4,3,4"))
    assert (shot["check"]["margin"], shot["damage"]["total"], shot["damage"]["pv"]) == (4, 11, 1)
    assert shot["left"][0] == 3


@pytest.mark.vector("SIM-X13", "SIM-X15")
def test_exchange_two_urlog_hits(capsys):
    struck = blow(rolled(capsys, "resolve-melee", *URLOG, *ARAMIR, "opponent.pv=4", "opponent.ps=2",
                         "--dice", "3,4,1,3,3,4"))
    assert (struck["margin"], struck["total"], struck["pv"], struck["ps"]) == (4, 11, 3, 1)
    assert struck["margins"] == [4, 3]
    assert struck["left"] == [1, 1]


@pytest.mark.vector("SIM-X16")
def test_exchange_three_the_book_forgets_its_own_rule(capsys):
    """The text gives Aramir MR 2 for a 7 against 7: by the strict rule he fails, and Urlog hits. A 5 makes the tie."""
    struck = blow(rolled(capsys, "resolve-melee", *URLOG, *ARAMIR, "opponent.pv=1", "opponent.ps=1",
                         "--dice", "4,5,3,4,3,4"))
    assert (struck["striker"], struck["margin"]) == (0, 2)
    tied = result(rolled(capsys, "resolve-melee", *URLOG, *ARAMIR, "opponent.pv=1", "opponent.ps=1",
                         "--dice", "4,5,2,3"))
    assert tied["passed"]["played"]["blows"] == []
    assert [check["margin"] for check in tied["passed"]["played"]["checks"]] == [2, 2]


@pytest.mark.vector("SIM-X17")
def test_exchange_four_the_book_reads_the_wrong_column(capsys):
    """A total of 22 in column G is 7 PV; the text says 8, which is column H. Aramir dies either way."""
    struck = blow(rolled(capsys, "resolve-melee", *URLOG, *ARAMIR, "opponent.pv=1", "opponent.ps=1",
                         "opponent.energies=precision:2,ep:2", "--dice", "1,1,2,4,1,2,3,4"))
    assert struck["margins"] == [15, 6]
    assert (struck["total"], struck["pv"], struck["ps"], struck["left"][0]) == (22, 7, 2, 0)
    assert SYSTEM.tables["damage"].cell(22, "H") == 8


@pytest.mark.vector("SIM-X18")
def test_exchange_four_again_with_a_pulled_blow(capsys):
    answer = rolled(capsys, "resolve-melee", *URLOG, "pull=yes", *ARAMIR, "opponent.pv=1", "opponent.ps=1",
                    "opponent.energies=precision:2,ep:2", "--dice", "1,1,2,4,1,2,3,4", "--answers", "split=[0,2]")
    struck = blow(answer)
    assert (struck["margin"], struck["total"], struck["pv"], struck["ps"]) == (14, 21, 0, 2)
    assert struck["left"] == [1, 0]


PLAN_OF_ARAMIR = json.dumps([
    {"weapon": "bow_light_arrow", "training": "talent", "band": "medium", "energies": {"precision": 2, "ps": 2}},
    {},
    {},
    {"energies": {"precision": 2, "ep": 2}},
])


@pytest.mark.rules("SIM-033", "SIM-034", "SIM-037", "SIM-060")
def test_the_complete_example_as_one_fight(capsys):
    """Urlog runs up while Aramir shoots; then three exchanges, the third a tie by the corrected roll."""
    ended = result(rolled(
        capsys, "fight", *URLOG, 'plan=[{"holds": true, "moves": true}, {}]', *ARAMIR, "opponent.pv=4",
        f"opponent.plan={PLAN_OF_ARAMIR}",
        "--dice", "3,4,3,4, 3,4,1,3,3,4, 4,5,2,3, 1,1,2,4,1,2,3,4",
    ))
    assert ended == {"winner": "initiator", "vitals": [[3, 4], [0, 0]], "exchanges": 4, "psyche": [4, 2]}


@pytest.mark.rules("SIM-017", "SIM-020")
def test_a_whole_fight_costs_the_psyche_it_spent_and_leaves_no_bonus(changes, sheet):
    """Arthur opens with Précision paid in EP; the one brigand falls in the first exchange."""
    paid = {"weapon": "long_sword", "aim": "vital", "energies": "precision:1,ep:1"}
    written = changes("fight", 1, 2, 6, 5, 5, 5, initiator=paid, opponent={"value": 6, "training": "hobby", "pv": 1},
                      sheets={"initiator": sheet("arthur")})
    assert written == {("initiator", "psyche_points"): 3}


# What an exchange reads and pays

ARTHUR = Fighter("arthur", "a", armed=8, weapon="long_sword", talents=("one_hand_blade",), power=2, precision=1)
BRIGANDS = tuple(Fighter(f"brigand{n}", "b", armed=6, weapon="club", training="hobby", pv=4, ps=3) for n in (1, 2, 3))


def exchange_of(fighters, orders, rulings=RULINGS):
    return ready(fighters, orders, [f"r{n}" for n in range(len(fighters))], rulings)


def value_of(declared, place):
    return sum(term.points for term in declared.combatants[place].terms)


AT_HIM = Order("arthur", defended=("arthur",))


@pytest.mark.rules("SIM-019", "SIM-020")
def test_a_bonus_paid_in_psyche_lasts_until_he_leaves_his_post():
    """The staircase: +1 against the first brigand, still there against the next, gone when he goes down."""
    first = Order("brigand1", defended=("brigand1",), spend=Spend(precision=1, ep=1))
    plain = first._replace(spend=Spend())
    declared = exchange_of((ARTHUR, BRIGANDS[0]), (first, AT_HIM))
    assert value_of(declared, 0) == 8 + 1 + 1
    after = after_exchange(declared, ((0, 0), (4, 0)), 1)
    assert after[0].ep == 3
    next_one = plain._replace(target="brigand2", defended=("brigand2",))
    assert value_of(exchange_of((after[0], BRIGANDS[1]), (next_one, AT_HIM)), 0) == 8 + 1 + 1
    moved = exchange_of((after[0], BRIGANDS[1]), (next_one._replace(moves=True), AT_HIM))
    assert value_of(moved, 0) == 8 + 1
    assert moved.fighters[0].bonuses == ()


@pytest.mark.rules("SIM-016", "SIM-017", "SIM-019")
def test_a_bonus_paid_in_breath_is_for_one_throw_and_limits_hold():
    order = Order("brigand1", defended=("brigand1",), spend=Spend(power=2, ps=2))
    declared = exchange_of((ARTHUR, BRIGANDS[0]), (order, AT_HIM))
    assert (value_of(declared, 0), declared.fighters[0].ps, declared.fighters[0].bonuses) == (11, 2, ())
    with pytest.raises(TooManyPoints):
        exchange_of((ARTHUR, BRIGANDS[0]), (order._replace(spend=Spend(power=3, ps=3)), AT_HIM))
    with pytest.raises(TooLittleLeft):
        exchange_of((replace(ARTHUR, ps=1), BRIGANDS[0]), (order, AT_HIM))
    sustained = replace(ARTHUR, bonuses=(EnergyBonus("precision", 1, "fight"),))
    with pytest.raises(TooManyPoints):
        exchange_of((sustained, BRIGANDS[0]), (order._replace(spend=Spend(precision=1, ps=1)), AT_HIM))


@pytest.mark.rules("SIM-036", "SIM-061")
def test_the_fallen_declare_nothing_and_may_be_struck_by_a_simple_test():
    asleep = replace(BRIGANDS[0], ps=0)
    with pytest.raises(OutOfTheFight):
        exchange_of((ARTHUR, asleep), (Order("brigand1"), AT_HIM))
    declared = exchange_of((ARTHUR, asleep), (Order("brigand1"), Order()))
    done = SeededDice(3).resolve(pass_of_arms, declared, RULINGS)
    assert len(done.played.checks) == 1
    with pytest.raises(NotAnOpponent):
        exchange_of((ARTHUR, replace(asleep, pv=0)), (Order("brigand1"), Order()))
    with pytest.raises(NotAnOpponent):
        exchange_of((ARTHUR, asleep), (Order("nobody"), Order()))
    with pytest.raises(OneSide):
        exchange_of((ARTHUR, replace(ARTHUR, id="double")), (Order(), Order()))


@pytest.mark.rules("SIM-065")
def test_the_last_point_weighs_on_a_fighter_where_the_table_says_so():
    rulings = SYSTEM.book.rulings({"last_point_malus": "pv_ps_ep"})
    order = Order("brigand1", defended=("brigand1",))
    assert value_of(exchange_of((replace(ARTHUR, pv=1), BRIGANDS[0]), (order, AT_HIM), rulings), 0) == 8


# Foreseeing


def duellists(**more):
    urlog = Fighter("urlog", "a", armed=10, training="trade_family", weapon="two_handed_sword", pv=4)
    aramir = Fighter("aramir", "b", armed=9, training="untrained_simple", weapon="dagger", pv=4)
    return replace(urlog, **more), aramir


@pytest.mark.rules("SIM-033", "SIM-034")
def test_the_forecast_of_a_duel_is_exact():
    """The same chain, summed by hand exchange after exchange until nothing is left undecided but a hair."""
    fighters = duellists()
    seen = foresee(fighters, (Standing(), Standing()), RULINGS)
    wins = seen.ends.chance(lambda end: end.winner == "a")
    assert sum(seen.ends.values()) == 1
    step = weigh_exchange(exchange_of(fighters, (Order("aramir", defended=("aramir",)),
                                                 Order("urlog", defended=("urlog",)))), RULINGS)
    shares = {((4, 4), (4, 4)): Fraction(1)}
    won = undecided = Fraction(0)
    for _ in range(40):
        later = {}
        for vitals, share in shares.items():
            for passed, chance in step.items():
                left = tuple((max(0, pv - lost[0]), max(0, ps - lost[1]))
                             for (pv, ps), lost in zip(vitals, passed.lost, strict=True))
                if min(left[1]) == 0:
                    won += share * chance
                elif min(left[0]) > 0:
                    later[left] = later.get(left, Fraction(0)) + share * chance
        shares = {state: Fraction(float(share)) for state, share in later.items()}
    undecided = sum(shares.values())
    assert undecided < Fraction(1, 10**12)
    assert abs(won - wins) < Fraction(1, 10**9)


@pytest.mark.rules("SIM-033")
def test_played_fights_agree_with_the_forecast():
    fighters, orders = duellists(), (Standing(), Standing())
    wins = foresee(fighters, orders, RULINGS).ends.chance(lambda end: end.winner == "a")
    roles = ("initiator", "opponent")
    plays = [SeededDice(seed).resolve(fight, fighters, orders, roles, RULINGS) for seed in range(400)]
    share = sum(end.winner == "a" for end in plays) / len(plays)
    assert abs(share - float(wins)) < 0.03
    assert {type(end) for end in plays} == {Ended}


@pytest.mark.rules("SIM-047", "SIM-048")
def test_one_against_three_fares_better_on_his_guard():
    hero = Fighter("hero", "a", armed=9, training="talent", weapon="long_sword", pv=6)
    everybody = (hero, *BRIGANDS)
    chances = {}
    for defends in (1, 3):
        seen = foresee(everybody, (Standing(defends=defends), *(Standing(),) * 3), RULINGS)
        chances[defends] = seen.ends.chance(lambda end: end.winner == "a")
    assert chances[3] > chances[1] > 0


@pytest.mark.rules("SIM-019", "SIM-020")
def test_psyche_lasts_the_whole_fight_and_breath_runs_out():
    fighters = duellists()
    aramir = fighters[1]

    def wins(spend):
        seen = foresee(fighters, (Standing(), Standing((Order(spend=spend),))), RULINGS)
        return seen.ends.chance(lambda end: end.winner == "b")

    fighters = (fighters[0], replace(aramir, precision=2))
    assert wins(Spend(precision=2, ep=2)) > wins(Spend(precision=2, ps=2)) > 0
    assert wins(Spend(precision=2, ep=2)) > wins(Spend())


@pytest.mark.rules("SIM-019")
def test_standing_orders_spend_what_is_left():
    orders = (Standing((Order(spend=Spend(precision=1, power=1, ps=1, ep=1)),)),)
    fighter = replace(ARTHUR, precision=2)
    assert orders_at(0, (fighter,), orders, RULINGS)[0].spend == Spend(power=1, precision=1, ps=1, ep=1)
    assert orders_at(1, (fighter,), orders, RULINGS)[0].spend == Spend(precision=1, ps=1)
    assert orders_at(1, (replace(fighter, ps=1),), orders, RULINGS)[0].spend == Spend()
    assert orders_at(0, (replace(fighter, ep=1),), orders, RULINGS)[0].spend == Spend(precision=1, ps=1)


@pytest.mark.rules("SIM-046")
def test_standing_orders_may_name_whom_to_strike_first():
    orders = (Standing(first=("brigand3",), defends=2), *(Standing(),) * 3)
    given = orders_at(0, (ARTHUR, *BRIGANDS), orders, RULINGS)
    assert (given[0].target, given[0].defended) == ("brigand3", ("brigand3", "brigand1"))
    seen = foresee((ARTHUR, *BRIGANDS[:2]), (Standing(first=("brigand2",)), *(Standing(),) * 2), RULINGS)
    fallen = [seen.ends.chance(lambda end, at=at: min(end.vitals[at]) == 0) for at in (1, 2)]
    assert fallen[1] > fallen[0]


@pytest.mark.rules("SIM-034", "SIM-046")
def test_three_sides_may_fight_at_once():
    ring = [Fighter(name, name, armed=9, training="hobby", weapon="club") for name in "abc"]
    orders = [Order(target, defended=(target, other)) for target, other in ("bc", "ca", "ab")]
    declared = exchange_of(ring, orders)
    assert len(SeededDice(1).resolve(pass_of_arms, declared, RULINGS).played.checks) == 3
    seen = foresee(tuple(ring), (Standing(),) * 3, RULINGS)
    assert {end.winner for end in seen.ends} >= {"a", "b", "c"}


@pytest.mark.option("strike_order", "descending_margin")
def test_a_fight_is_foreseen_too_where_blows_land_by_falling_margin():
    rulings = SYSTEM.book.rulings({"strike_order": "descending_margin"})
    fighters = (replace(duellists()[0], pv=2, ps=1), replace(duellists()[1], pv=2, ps=1))
    seen = foresee(fighters, (Standing(), Standing()), rulings)
    together = foresee(fighters, (Standing(), Standing()), RULINGS)
    assert seen.ends == together.ends  # in a duel only one blow lands, so the order changes nothing


def test_the_odds_of_an_exchange_are_those_of_the_exchange_thrown():
    declared = exchange_of(duellists(), (Order("aramir", defended=("aramir",), aim=Aim.LARGE),
                                         Order("urlog", defended=("urlog",))))
    thrown = odds(pass_of_arms, declared, RULINGS).map(lambda passed: passed.lost)
    assert weigh_exchange(declared, RULINGS).map(lambda passed: passed.lost) == thrown


@pytest.mark.parametrize("move", ["fight", "resolve-melee", "warriors-exchange"])
def test_only_the_usual_way_of_choosing_has_a_quicker_reading(move):
    ctx = SYSTEM.context(move, {"initiator": [{"value": 9}], "opponent": [{"value": 8}]}, {},
                         SYSTEM.book.rulings({"warrior_way": "on"}))
    weighed = ctx.move.steps[-1]
    assert weighed.odds(ctx) == weighed.odds(ctx, "usual")
    with pytest.raises(UnknownName, match="heroic"):
        weighed.odds(ctx, "heroic")


def test_the_forecast_says_its_orders_and_the_state_of_the_winner(capsys):
    assert main(["odds", "simulacres", "fight", *URLOG, *ARAMIR, "opponent.pv=4", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {row["key"] for row in answer["forecast"]["outcomes"]} == {
        "initiators_win_unhurt", "initiators_win_wounded", "opponents_win_unhurt", "opponents_win_wounded"}
    assert sum(Fraction(row["chance"]) for row in answer["forecast"]["outcomes"]) == 1
    assert any("épée à deux mains" in line for line in answer["forecast"]["lines"])


# At a table: four seats

SEATS = {"gm": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}


def brigand(weapon="club"):
    return Extra("Brigand", Category.WEAK, trades=(Skill("Brigand"),), talents=(Skill("Gourdin", "one_hand_stopping"),),
                 weapons=(Weapon(weapon),), armour=Armour(1, 0, 0))


def table(sheet, *faces, options=None, brigands=3, **arthur):
    hotseat = Hotseat(SYSTEM, SEATS, options or {}, ScriptedFaces(faces))
    hotseat.add("arthur", sheet("arthur", **arthur), owner="ana")
    names = [f"brigand{n}" for n in range(1, brigands + 1)]
    for name in names:
        hotseat.add(name, brigand(), "extra")
    cast = {"initiator": ["arthur"], "opponent": names}
    opening = hotseat.start("gm", "open-a-fight", cast)
    hotseat.throw("gm", opening)
    hotseat.accept("gm", opening)
    return hotseat, cast


def declaration(**more):
    return {"weapon": None, "target": "arthur", "defended": ["arthur"], "moves": False, "aim": "none", "pull": False,
            "energies": {}, **more}


def seal_brigands(hotseat, number, names):
    for name in names:
        values = declaration(weapon="club")
        hotseat.seal("gm", number, values, name)


@pytest.mark.rules("SIM-019", "SIM-020", "SIM-046", "SIM-047", "SIM-056", "SIM-061")
def test_scene_b_one_against_three(sheet):
    """Arthur holds a staircase against three brigands: sealed energies, a bonus that lasts, a blow pulled, a move.

    Exchange 1: he defends against all three, with Précision paid in EP, and pulls his blow: 8 + 1 (talent) + 1 − 2
    (three of them) − 1 (their leather) − 1 (pulled) = 6, and a 5 is MR 1. They stand at 6 + 1 (talent) + 1 (numbers) =
    8, throw 9, 10 and 11, and miss. He takes only the breath.
    """
    faces = (2, 3, 4, 5, 4, 6, 5, 6, 5, 5,  # exchange 1: four tests, then Arthur's damage
             3, 4, 4, 5, 4, 6, 5, 6,        # exchange 2: nobody hits
             2, 2, 4, 5, 4, 6, 5, 6, 4, 5)  # exchange 3: he has moved
    hotseat, cast = table(sheet, *faces)
    first = hotseat.start("gm", "exchange", cast, encounter=1)
    mine = declaration(weapon="long_sword", target="brigand1", defended=["brigand1", "brigand2", "brigand3"], pull=True,
                       energies={"precision": 1, "ep": 1})
    hotseat.seal("ana", first, mine, "arthur")

    # Sealed for everybody else, the game master included.
    for seat in ("gm", "bob", "zoe"):
        seen = move_seen(hotseat, seat)["fields"]["arthur"]
        assert set(map(str, seen.values())) == {str({"sealed": True})}
    assert move_seen(hotseat, "ana")["fields"]["arthur"]["energies"]["precision"] == 1
    with pytest.raises(NotYours):
        hotseat.seal("gm", first, {"aim": "vital"}, "arthur")
    seal_brigands(hotseat, first, cast["opponent"])

    # All are in: nothing changes any more. To the others it lies open with the dice, whoever else was still to choose.
    assert move_seen(hotseat, "gm")["fields"]["arthur"]["target"] == "brigand1"
    assert move_seen(hotseat, "bob")["fields"]["arthur"]["target"] == {"sealed": True}
    with pytest.raises(AlreadyThrown):
        hotseat.seal("ana", first, {"pull": False}, "arthur")
    hotseat.throw("gm", first)
    assert move_seen(hotseat, "bob")["fields"]["arthur"]["target"] == "brigand1"

    # The striker splits his pulled blow once the damage is known; nobody else is asked.
    choice = move_seen(hotseat, "ana")["choice"]
    assert choice["key"] == "split"
    asked = hotseat.moves[first].pending
    assert isinstance(asked, Choice)
    assert Teller("fr", SYSTEM).option(asked, (0, 1)) == "0 PV, 1 PS"
    assert "choice" not in move_seen(hotseat, "bob")
    with pytest.raises(NotYours):
        hotseat.answer("bob", first, [0, 0])
    hotseat.answer("ana", first, [0, 1])
    hotseat.accept("gm", first)
    arthur = hotseat.records["arthur"].record
    assert (arthur.psyche_points, arthur.breath_points) == (3, 4)
    assert arthur.active_energy_bonuses == (EnergyBonus("precision", 1, "fight"),)
    assert hotseat.records["brigand1"].record.breath_points == 2
    assert hotseat.records["brigand1"].record.life_points == 4

    # What everybody saw is remembered: the weapon, whom one struck, whom one watched.
    stood = hotseat.encounters[1].state.sides[0]
    assert (stood.weapon, stood.target, len(stood.defended)) == ("long_sword", "brigand1", 3)

    # The bonus is still there, unpaid: 8 + 1 + 1 − 2 − 1 = 7, which a 7 misses by nothing (by 1 without it).
    second = hotseat.start("gm", "exchange", cast, encounter=1)
    still = declaration(weapon="long_sword", target="brigand1", defended=["brigand1", "brigand2", "brigand3"])
    # What EP keep up is spent: no more of it is offered, and it is refused before it is sealed, not when dice fall.
    seen = hotseat.sight("ana").context(hotseat.moves[second])
    assert "precision" not in seen.move.field("energies", "initiator").type.describe(seen).parts
    with pytest.raises(TooManyPoints):
        hotseat.seal("ana", second, {**still, "energies": {"precision": 1, "ep": 1}}, "arthur")
    hotseat.seal("ana", second, still, "arthur")
    seal_brigands(hotseat, second, cast["opponent"])
    hotseat.throw("gm", second)
    result = hotseat.moves[second].results["resolve"]
    assert result.passed.played.checks[0].margin == 0
    assert not result.passed.played.checks[0].success
    hotseat.accept("gm", second)
    assert hotseat.records["arthur"].record.psyche_points == 3

    # He leaves his post: the bonus is gone, a 4 against 6 is MR 2, and the sheet forgets it.
    third = hotseat.start("gm", "exchange", cast, encounter=1)
    again = {**still, "moves": True, "energies": {"precision": 1, "ps": 1}}
    hotseat.seal("ana", third, again, "arthur")  # elsewhere, it may be bought anew
    hotseat.seal("ana", third, {**still, "moves": True, "energies": {}}, "arthur")
    seal_brigands(hotseat, third, cast["opponent"])
    hotseat.throw("gm", third)
    assert hotseat.moves[third].results["resolve"].passed.played.checks[0].margin == 2
    hotseat.accept("gm", third)
    assert hotseat.records["arthur"].record.active_energy_bonuses == ()
    assert hotseat.encounters[1].state.exchange == 3


@pytest.mark.rules("SIM-033")
def test_whoever_comes_late_into_an_exchange_is_in_the_fight_from_then_on(sheet):
    """A third brigand comes running on the side of the others, is struck at at once, and has a place from then on."""
    hotseat, cast = table(sheet, *(6, 6) * 4, brigands=2)
    hotseat.add("late", brigand(), "extra")
    crowd = [*cast["opponent"], "late"]
    number = hotseat.start("gm", "exchange", cast | {"opponent": crowd}, encounter=1)
    hotseat.seal("ana", number, declaration(weapon="long_sword", target="late", defended=crowd), "arthur")
    seal_brigands(hotseat, number, crowd)
    hotseat.throw("gm", number)
    hotseat.accept("gm", number)
    stood = {place.id: place for place in hotseat.encounters[1].state.sides}
    assert list(stood) == ["arthur", *crowd]
    assert (stood["late"].side, stood["late"].standing) == (stood["brigand1"].side, True)
    assert stood["arthur"].target == "late"
    hotseat.start("gm", "exchange", cast | {"opponent": ["late"]}, encounter=1)  # and in the next one like the others


def test_whoever_has_no_breath_left_is_not_offered_to_come_in(sheet):
    hotseat, _ = table(sheet, brigands=1)
    hotseat.add("late", replace(brigand(), breath_points=0), "extra")
    turn = Turn(hotseat.state, hotseat.system, Fresh(), "gm")
    held = [may_hold(turn, SYSTEM.move("exchange"), "opponent", name, 1) for name in ("brigand1", "late")]
    assert held == [True, False]


@pytest.mark.rules("SIM-058", "SIM-093")
def test_the_figures_of_the_brigands_stay_with_the_game_master(sheet):
    hotseat, cast = table(sheet, 3, 3, 4, 5, 4, 4)
    number = hotseat.start("gm", "exchange", cast | {"opponent": ["brigand1"]}, encounter=1)
    hotseat.seal("ana", number, declaration(weapon="long_sword", target="brigand1", defended=["brigand1"]), "arthur")
    seal_brigands(hotseat, number, ["brigand1"])
    assert hotseat.odds("ana", number) is None
    assert hotseat.odds("gm", number) is not None
    hotseat.throw("gm", number)
    hotseat.accept("gm", number)
    views = {seat: hotseat.seen(seat) for seat in SEATS}
    for seat in ("ana", "bob", "zoe"):
        assert "fighters" not in views[seat]["encounters"]["1"]["state"]
        assert views[seat]["records"]["brigand1"]["sheet"] == {"name": "Brigand"}
        throw = move_seen(hotseat, seat)["throws"][0]
        assert "result" not in throw
        assert throw["why"] == []
        targets = {(change["target"], change["path"]) for change in move_seen(hotseat, seat)["changes"]}
        assert ("brigand1", "life_points") not in targets
        assert ("encounter", "fighters") not in targets
    assert [die["role"] for die in move_seen(hotseat, "ana")["throws"][0]["dice"]] == ["initiator", "initiator"]
    assert "dice" not in move_seen(hotseat, "bob")["throws"][0]
    assert "fighters" in views["gm"]["encounters"]["1"]["state"]
    assert move_seen(hotseat, "gm")["throws"][0]["why"]
    # What happened is told to everybody.
    for seat in SEATS:
        margins = [line for line in hotseat.told(seat) if line.key == "outcomes.told_margin"]
        assert bool(margins) is (seat == "gm"), "a margin would tell the brigand's figures"
        blows = [line for line in hotseat.told(seat) if line.key == "outcomes.told_blow_with"]
        assert blows
        assert all("margin" not in line.values for line in blows), "a margin would tell figures that are hidden"


@pytest.mark.rules("SIM-046", "SIM-056")
def test_two_players_side_by_side_each_hold_their_own_dice_and_blows(sheet):
    """Arthur is Ana's and Nour is Bob's: only Ana splits Arthur's blow, and neither sees the other's dice."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((2, 3, 5, 5, 5, 6, 4, 4)))
    hotseat.add("arthur", sheet("arthur"), owner="ana")
    hotseat.add("nour", sheet("nour"), owner="bob")
    hotseat.add("brigand", brigand(), "extra")
    cast = {"initiator": ["arthur", "nour"], "opponent": ["brigand"]}
    opening = hotseat.start("gm", "open-a-fight", cast)
    hotseat.throw("gm", opening)
    hotseat.accept("gm", opening)
    number = hotseat.start("gm", "exchange", cast, encounter=1)
    at_him = declaration(weapon="long_sword", target="brigand", defended=["brigand"])
    hotseat.seal("ana", number, {**at_him, "pull": True}, "arthur")
    hotseat.seal("bob", number, {**at_him, "weapon": "club"}, "nour")
    with pytest.raises(NotYours):
        hotseat.seal("bob", number, {"aim": "vital"}, "arthur")
    hotseat.seal("gm", number, declaration(weapon="club", defended=["arthur", "nour"]), "brigand")
    hotseat.throw("gm", number)
    assert hotseat.waits_for(number) == {"ana"}
    with pytest.raises(NotYours):
        hotseat.answer("bob", number, [0, 0])
    hotseat.answer("ana", number, [0, 0])
    assert {die["role"] for die in move_seen(hotseat, "ana")["throws"][0]["dice"]} == {"arthur"}
    assert {die["role"] for die in move_seen(hotseat, "bob")["throws"][0]["dice"]} == {"nour"}
    assert "dice" not in move_seen(hotseat, "zoe")["throws"][0]


@pytest.mark.rules("SIM-060", "SIM-069")
def test_a_wound_wants_dressing_and_death_ends_the_fight(sheet):
    """A vital blow of 2d6 + 8: the one brigand dies, and the fight is over; undone, he lives."""
    hotseat, cast = table(sheet, 1, 2, 5, 5, 6, 5, brigands=1, wounds=Wounds(("bob",), True))
    number = hotseat.start("gm", "exchange", cast, encounter=1)
    vital = declaration(weapon="long_sword", target="brigand1", defended=["brigand1"], aim="vital")
    hotseat.seal("ana", number, vital, "arthur")
    seal_brigands(hotseat, number, ["brigand1"])
    hotseat.throw("gm", number)
    hotseat.accept("gm", number)
    assert hotseat.records["brigand1"].record.life_points == 0
    assert hotseat.records["brigand1"].record.wounds == Wounds()
    assert hotseat.records["arthur"].record.wounds == Wounds(("bob",), True)
    assert hotseat.seen("zoe")["encounters"]["1"]["over"]
    assert hotseat.encounters[1].state.sides[1].condition == "dead"
    assert hotseat.encounters[1].state.fighters[1].wounded_at == 1
    hotseat.undo("gm", number)
    assert hotseat.records["brigand1"].record.life_points == 4
    assert not hotseat.seen("zoe")["encounters"]["1"]["over"]


@pytest.mark.rules("SIM-033")
def test_the_game_master_ends_the_waiting_and_the_usual_orders_stand(sheet):
    hotseat, cast = table(sheet, *(4, 4) * 12)
    number = hotseat.start("gm", "exchange", cast, encounter=1)
    assert hotseat.waits_for(number) == {"ana", "gm"}
    hotseat.close("gm", number)
    filled = move_seen(hotseat, "gm")["fields"]
    assert filled["arthur"]["target"] == "brigand1"
    assert filled["arthur"]["defended"] == ["brigand1", "brigand2", "brigand3"]
    assert filled["brigand2"]["target"] == "arthur"
    hotseat.throw("gm", number)


@pytest.mark.rules("SIM-058")
def test_the_armour_of_a_target_may_stay_hidden(sheet):
    """Arthur rolls damage on a brigand: everybody hears what it costs, the total is the game master's."""
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((3, 4)))
    hotseat.add("arthur", sheet("arthur"), owner="ana")
    hotseat.add("brigand", brigand(), "extra")
    number = hotseat.start("ana", "roll-damage", {"initiator": ["arthur"], "opponent": ["brigand"]},
                           {"arthur": {"margin": 3, "weapon": "long_sword"}})
    hotseat.fill("gm", number, {"target_armour": "2/1/4"}, "gm")
    hotseat.throw("ana", number)
    for seat in ("ana", "bob", "zoe"):
        view = move_seen(hotseat, seat)
        assert "result" not in view["throws"][0]
        assert "target_armour" not in json.dumps(view["fields"])
        assert any(line.key == "outcomes.told_damage" for line in hotseat.told(seat))
    assert move_seen(hotseat, "gm")["throws"][0]["result"]["total"] == 6


@pytest.mark.rules("SIM-074")
def test_a_trap_may_hide_its_teeth(sheet):
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((3, 4)))
    hotseat.add("arthur", sheet("arthur"), owner="ana")
    number = hotseat.start("gm", "automatic-damage", {"initiator": ["arthur"]},
                           {"gm": {"category": "C+3", "counter": "ps", "hide_category": True}})
    hotseat.throw("gm", number)
    hotseat.accept("gm", number)
    assert hotseat.records["arthur"].record.breath_points == 3
    for seat in ("ana", "bob", "zoe"):
        assert "C+3" not in page(hotseat, seat)
        assert "result" not in move_seen(hotseat, seat)["throws"][0]
    assert "C+3" in page(hotseat, "gm")


@pytest.mark.rules("SIM-012", "SIM-037")
@pytest.mark.option("auto_success_ranged", "yes")
def test_a_shot_at_an_unaware_target_may_need_no_test(result):
    archer = {"value": 9, "training": "trade_family", "weapon": "bow_light_arrow"}
    granted = result("shoot", 3, 4, initiator=archer, opponent={}, gm={"unaware": True},
                     options={"auto_success_ranged": "yes"})
    assert (granted.check.margin, granted.damage.total) == (1, 8)
    tested = result("shoot", 6, 5, initiator=archer, opponent={}, gm={"unaware": True})
    assert tested.damage is None


@pytest.mark.rules("SIM-043")
@pytest.mark.option("untrained_class", "gm")
def test_the_game_master_says_how_hard_a_weapon_is_where_the_table_leaves_it_to_him(played):
    def value(options, **said):
        ran = played("resolve-melee", 6, 5, 6, 5, initiator={"weapon": "long_sword", **said}, opponent={"value": 2},
                     sheets={"initiator": SYSTEM.kind("character").ready("fr")["nour"]}, options=options)
        return {note.values[0][1]: note.values[1][1] for note in ran.plays["resolve"].notes if note.key == "term_of"}

    assert value({})["untrained_complex"] == -4
    assert value({"untrained_class": "gm"}, untrained="simple")["untrained_simple"] == -2


@pytest.mark.rules("SIM-075")
@pytest.mark.option("blast_uses_mr", "yes")
def test_a_grenade_s_blast(result, sheet):
    zone = {"explosive": "grenade_blast", "margin": 6}
    arthur = {"initiator": sheet("arthur")}
    assert result("automatic-damage", 3, 4, gm=zone, sheets=arthur).total == 7
    assert result("automatic-damage", 3, 4, gm=zone, sheets=arthur, options={"blast_uses_mr": "yes"}).total == 13


@pytest.mark.rules("SIM-020", "SIM-033")
def test_a_new_fight_begins_without_the_bonuses_of_the_last(sheet):
    """Précision bought with EP in yesterday's brawl does not help in today's."""
    hotseat, cast = table(sheet, 3, 4, 4, 5, 3, 3, brigands=1,
                          active_energy_bonuses=(EnergyBonus("precision", 1, "fight"),))
    assert hotseat.records["arthur"].record.active_energy_bonuses == ()
    number = hotseat.start("gm", "exchange", cast, encounter=1)
    hotseat.seal("ana", number, declaration(weapon="long_sword", target="brigand1", defended=["brigand1"]), "arthur")
    seal_brigands(hotseat, number, ["brigand1"])
    hotseat.throw("gm", number)
    # 8 + 1 (talent) − 1 (leather) = 8, and a 7 is MR 1; with the old bonus it would be MR 2.
    assert hotseat.moves[number].results["resolve"].passed.played.checks[0].margin == 1


@pytest.mark.rules("SIM-051")
def test_damage_is_rolled_with_a_weapon_of_ones_own_sheet(result, sheet):
    armed = sheet("arthur", weapons=(Weapon(name="Lame de famille", category_pv="H", category_ps="B"),
                                     Weapon("laser", category_pv="K")))
    rolled = result("roll-damage", 3, 4, initiator={"margin": 3, "weapon": "Lame de famille"},
                    sheets={"initiator": armed})
    assert (rolled.total, rolled.pv, rolled.ps) == (10, 4, 1)
    burned = result("roll-damage", 3, 4, initiator={"margin": 3, "weapon": "laser"}, sheets={"initiator": armed})
    assert burned.pv == 5


@pytest.mark.rules("SIM-100", "SIM-017")
def test_a_creature_spends_its_reserve_and_keeps_its_mind(played):
    """Two points of energy: spent, the beast still fights; without any, it has nothing to spend."""
    bear = Creature(name="ours", combat=9, energy_points_max=2, power=2, weapons=(Weapon("claws_large"),))
    spends = {"energies": "power:2,ep:2"}
    ran = played("resolve-melee", 3, 3, 6, 5, 3, 4, initiator=spends, opponent={"value": 5}, sheets={"initiator": bear})
    assert {change.path: change.after for change in ran.changes} == {"energy_points": 0}
    assert [telling.key for telling in ran.tellings] == ["outcomes.told_blow_whole"]
    tired = replace(bear, energy_points=0)
    assert played("resolve-melee", 3, 3, 6, 5, 3, 4, opponent={"value": 5}, sheets={"initiator": tired}).changes == ()
    with pytest.raises(TooLittleLeft):
        played("resolve-melee", 3, 3, initiator={"energies": "power:1,ep:1"}, opponent={"value": 5},
               sheets={"initiator": tired})


@pytest.mark.rules("SIM-B05")
@pytest.mark.option("warrior_way", "on")
def test_warriors_strike_several_blows_inside_the_fight_sealed_and_remembered(sheet):
    """Two blows announced in secret are the fight's next exchange: who falls is down on the board."""
    options = {"warrior_way": "on", "weapon_mastery": "on", "ruleset": "campaign"}
    hotseat, cast = table(sheet, 1, 2, 5, 5, 6, 6, options=options, brigands=1,
                          talent_levels=(NamedPoints("long_sword", 1),))
    assert "warriors-exchange" in {move.id for move in SYSTEM.moves.values() if SYSTEM.encounters["fight"].holds(move)}
    number = hotseat.start("gm", "warriors-exchange", cast, encounter=1)
    blows = {"weapon": "long_sword", "blows": ["brigand1"], "more_blows": 0, "more_blows_paid": "ps"}
    hotseat.seal("ana", number, blows, "arthur")
    for seat in ("gm", "bob", "zoe"):
        assert "brigand1" not in str(move_seen(hotseat, seat)["fields"]["arthur"])
    hotseat.seal("gm", number, {**blows, "weapon": "club", "blows": []}, "brigand1")
    hotseat.throw("gm", number)
    hotseat.accept("gm", number)
    state = hotseat.encounters[1].state
    assert state.exchange == 1
    assert state.sides[0].weapon == "long_sword"
    assert hotseat.records["brigand1"].record.life_points == state.fighters[1].pv < 4


def test_many_fighters_are_tried_out_and_few_are_weighed(sheet):
    """What is tried out is within its margin of what is weighed, and always the same."""
    fighters, standing = duellists(), (Standing(), Standing())
    exact, tried = foresee(fighters, standing, RULINGS), try_out(fighters, standing, RULINGS)
    urlog = fighters[0].side
    near = abs(exact.ends.chance(lambda end: end.winner == urlog) - tried.ends.chance(lambda end: end.winner == urlog))
    assert float(near) <= tried.margin == 1 / 20
    assert try_out(fighters, standing, RULINGS) == tried
    crowd = {"initiator": [{"value": 9}] * 3, "opponent": [{"value": 8}] * 3}
    ahead = forecast_fight(SYSTEM.context("fight", crowd))
    assert ahead.margin > 0
    assert Fraction(1, 2) < ahead.wins < 1
    few = forecast_fight(SYSTEM.context("fight", {"initiator": [{"value": 9}], "opponent": [{"value": 9}]}))
    assert few.margin == 0
    assert few.wins + sum(few.odds[key] for key in few.odds if not key.startswith("initiators")) == 1


@pytest.mark.rules("SIM-058")
def test_after_a_blow_armour_is_told_part_by_part(played, sheet):
    """What deflects and what hinders are taken off the striker's test, what absorbs off the damage: three lines."""
    clad = {"initiator": sheet("arthur", armour=Armour(0, 1, 0)), "opponent": sheet("nour", armour=Armour(1, 0, 2))}
    ran = played("resolve-melee", 2, 2, 6, 5, 3, 4, sheets=clad)
    told = [(line.key.removeprefix("outcomes.told_"), line.values.get("points")) for line in ran.tellings]
    assert told == [("blow_whole", None), ("deflected", 1), ("hindered", 1), ("absorbed", 2)]
    bare = played("resolve-melee", 2, 2, 6, 5, 3, 4, sheets={"initiator": sheet("arthur"), "opponent": sheet("nour")})
    assert [line.key for line in bare.tellings] == ["outcomes.told_blow_whole"]
