"""Simulacres: the tests and blows of one exchange, as the book tells them."""

from fractions import Fraction

import pytest

from paravent.dice import Chain, ScriptedDice, odds, play
from paravent.game.errors import MissingField, UnknownName
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.check import Check, Edge, Modifier, check, edge_of, value_of
from paravent.systems.simulacres.combat.combat import (
    FAILED,
    Combatant,
    blow_with,
    clash,
    crowd,
    exchange,
    melee_terms,
    shot_terms,
    situation,
)
from paravent.systems.simulacres.combat.damage import (
    Blow,
    Category,
    automatic_damage,
    category,
    points,
    roll_damage,
    shifted,
)
from paravent.systems.simulacres.combat.errors import (
    NotAnOpponent,
    NotARangedWeapon,
    TargetNotDefended,
    TooManyDefended,
)
from paravent.systems.simulacres.combat.harm import harm
from paravent.systems.simulacres.combat.weapons import (
    Aim,
    Armour,
    Training,
    aimed,
    armour,
    combat_rank,
    combat_realm,
    fist,
    range_band,
    read_armour,
    training_with,
    weapon,
    worn,
)
from paravent.systems.simulacres.terms import Rank, Realm

RULINGS = SYSTEM.book.rulings()
VECTORS = {row["id"]: row for row in SYSTEM.book.vectors}
ODDS = {row["id"]: row for row in SYSTEM.book.listed_odds}
PLENTY = 99


# The worked examples, run from their machine form


def given_test(given):
    rank = Rank(given.get("rank", "none"))
    done = play(check, given["value"], rank, RULINGS, dice=ScriptedDice(*given["dice"], *given.get("bonus", ()))).result
    return {"success": done.success, "margin": done.margin, "critical": done.critical, "quality": done.quality}


def given_damage(given):
    aim = Aim(given.get("aim", "none"))
    read_in = Category.parse(given["category"])
    blow = Blow(read_in, bonus=aimed(aim).damage - given.get("absorb", 0))
    done = play(roll_damage, blow, given["margin"], RULINGS, dice=ScriptedDice(*given["dice"])).result
    return {"total": done.total, "read": done.total + read_in.offset, "points": done.pv}


def given_automatic(given):
    dice = ScriptedDice(*given["dice"])
    return play(automatic_damage, Category.parse(given["category"]), RULINGS, dice=dice).result._asdict()


def given_table(given):
    return {"points": points(Category.parse(given["category"]), given["total"], RULINGS)}


def given_shift(given):
    return {"category": str(shifted(Category.parse(given["category"]), given["shifts"]))}


def one_against(given, others=()):
    """A fighter as the machine form describes him, alone against as many as he defends against."""
    training = Training(given["skill"]) if "skill" in given else None
    terms = melee_terms(given["base"], training, aim=Aim(given.get("aim", "none")), pull=given.get("pull", False),
                        hinder=given.get("hinder", 0))
    return Combatant("initiator", "a", terms, Edge(), Blow(None), target=1, defended=tuple(others))


def given_melee_value(given):
    faced = Combatant("opponent", "b", (Modifier("base", 7),), Edge(), Blow(None), Armour(given.get("deflect", 0)))
    if given.get("outnumbers"):
        companion = faced._replace(role="initiator2", side="a", target=1)
        fighters = [one_against(given), faced._replace(target=2, defended=(0, 2)), companion]
    else:
        defended = given.get("defended", 1)
        fighters = [one_against(given, range(1, defended + 1)), *[faced._replace(target=0)] * defended]
    return {"value": clash(fighters, RULINGS).rolls[0].value}


def given_shot_value(given):
    training = Training(given["skill"]) if "skill" in given else None
    terms = shot_terms(given["base"], training, given["band"], RULINGS)
    target = Combatant("opponent", "b", (), Edge(), Blow(None), Armour(given.get("deflect", 0)))
    shooter = Combatant("initiator", "a", terms, Edge(), Blow(None), target=1, shoots=True)
    return {"value": clash([shooter, target], RULINGS).rolls[0].value}


def given_range(given):
    assert weapon(given["weapon"]).ranged
    return {"difficulty": range_band(given["band"], RULINGS).test}


def given_opponents(given):
    found = crowd(given["opponents"], given["defended"])
    return {"self": found.own, "chosen": found.chosen, "others": found.others, "duels": found.duels,
            "simple": found.simple}


def combatant(role, side, target, given, **more):
    aim, pull = Aim(given.get("aim", "none")), given.get("pull", False)
    terms = melee_terms(given["value"], None, aim=aim, pull=pull, energies=given.get("energy", 0))
    blow = Blow(category(given.get("pv_category", "")), category(given.get("ps_category", "")), pulled=pull)
    return Combatant(role, side, terms, edge_of(Rank(given.get("rank", "none"))), blow, target=target, **more)


def given_exchange(given):
    a, b = given["a"], given["b"]
    prepared = clash([combatant("initiator", "a", 1, a), combatant("opponent", "b", 0, b)], RULINGS)
    vitals = ((PLENTY, PLENTY), (b.get("pv", PLENTY), b.get("ps", PLENTY)))
    faces = [*a["dice"], *a.get("bonus", ()), *b["dice"], *b.get("bonus", ()), *given.get("damage_dice", (3, 4))]
    chosen = {"split": (a["chosen_pv"], a["chosen_ps"])} if "chosen_pv" in a else {}
    dice = ScriptedDice(*faces, answer=chosen)
    done = dice.resolve(exchange, prepared, vitals, RULINGS)
    if not done.blows:
        assert not any(done.checks[at].success for at in (0, 1)) or done.checks[0].margin == done.checks[1].margin
        return {"winner": "tie", "pv": 0, "ps": 0}
    blow = done.blows[0]
    left = {"pv": done.left[1][0], "ps": done.left[1][1]}
    left["condition"] = "dead" if left["pv"] == 0 else "unconscious" if left["ps"] == 0 else "conscious"
    return {"winner": "ab"[blow.striker], "margin": blow.margin, "loser_margin": done.checks[1 - blow.striker].margin,
            "total": blow.total, "pv": blow.pv, "ps": blow.ps, "b": left}


def given_shot(given):
    shooter = given["shooter"]
    blow = Blow(*(shifted(category(shooter[c]), shooter["shifts"]) for c in ("pv_category", "ps_category")))
    archer = combatant("initiator", "a", 1, shooter, shoots=True)._replace(blow=blow)
    prepared = clash([archer, Combatant("opponent", "b", (), Edge(), Blow(None))], RULINGS)
    vitals = ((PLENTY, shooter["ps"] - shooter["ps_spent"]), (given["target"]["pv"], PLENTY))
    done = play(exchange, prepared, vitals, RULINGS, dice=ScriptedDice(*shooter["dice"], *given["damage_dice"])).result
    return {"value": prepared.rolls[0].value, "success": done.checks[0].success, "margin": done.blows[0].margin,
            "category": str(blow.pv), "total": done.blows[0].total, "pv": done.blows[0].pv,
            "target": {"pv": done.left[1][0]}, "shooter": {"ps": done.left[0][1]}}


MACHINE = {
    "test": given_test, "damage": given_damage, "automatic_damage": given_automatic, "damage_table": given_table,
    "shift": given_shift, "melee_value": given_melee_value, "shot_value": given_shot_value, "range": given_range,
    "opponents": given_opponents, "exchange": given_exchange, "shot": given_shot,
}
MINE = [row for row in VECTORS.values() if row["check"] in set(MACHINE) - {"test"}]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"], marks=pytest.mark.vector(row["id"])) for row in MINE])
def test_a_worked_example_of_combat(row):
    for case in row["cases"]:
        got = MACHINE[case.get("check", row["check"])](case["given"])
        for key, expected in case["expect"].items():
            if isinstance(expected, dict):
                assert expected.items() <= got[key].items(), (row["id"], key, got)
            else:
                assert got[key] == expected, (row["id"], key, got)


# Listed chances


def fractions_of(listed):
    asked = listed["given"] if isinstance(listed["given"], list) else [listed["given"]]
    return list(zip(asked, [Fraction(text) for text in listed["exact"]], strict=True))


def duel_of(given):
    a = combatant("initiator", "a", 1, {**given["a"], "pv_category": given.get("category", "")})
    b = combatant("opponent", "b", 0, given["b"])
    return clash([a, b], RULINGS)


@pytest.mark.parametrize(
    "listed",
    [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i))
     for i in ("SIM-O14", "SIM-O15", "SIM-O16", "SIM-O17", "SIM-O33")],
)
def test_the_chance_to_hit_and_to_hurt_in_one_exchange(listed):
    for given, exact in fractions_of(listed):
        vitals = ((PLENTY, PLENTY),) * 2
        done = odds(exchange, duel_of(given), vitals, RULINGS)
        if "outcome" in given:
            assert done.chance(lambda one: any(blow.striker == 0 for blow in one.blows)) == exact
        else:
            least = given["at_least"]
            assert done.chance(lambda one, least=least: PLENTY - one.left[1][0] >= least) == exact
            assert odds(harm, duel_of(given), vitals, RULINGS).chance(lambda lost, n=least: lost[1][0] >= n) == exact


def against_several(given):
    lone = combatant("initiator", "a", 1, {"value": given["value"], "pv_category": "C"})
    lone = lone._replace(defended=tuple(range(1, given["defended"] + 1)))
    crowd_of = [combatant(f"opponent{at}", "b", 0, {"value": value, "pv_category": "C"})
                for at, value in enumerate(given["opponents"], start=1)]
    return clash([lone, *crowd_of], RULINGS)


@pytest.mark.parametrize(
    "listed",
    [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i))
     for i in ("SIM-O34", "SIM-O35", "SIM-O36", "SIM-O37", "SIM-O38")],
)
def test_the_chance_of_one_against_several(listed):
    """A weapon [C] takes a PV at any total of 3 and more, and an MR of 1 or more comes with two dice: a hit hurts."""
    for given, exact in fractions_of(listed):
        prepared = against_several(given)
        lost = odds(harm, prepared, ((1, 0),) * len(prepared.attacks), RULINGS)
        place = 0 if listed["ask"] == "unhurt" else 1
        hurt = lost.chance(lambda each, at=place: each[at][0] > 0)
        # The one way to hit without hurting is an MR of 0 with a double 1; it is impossible at these values.
        assert (1 - hurt if listed["ask"] == "unhurt" else hurt) == exact


@pytest.mark.parametrize(
    "listed", [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i)) for i in ("SIM-O23", "SIM-O24", "SIM-O25",
                                                                                        "SIM-O26")]
)
def test_what_a_simple_attack_takes(listed):
    for given, exact in fractions_of(listed):
        aim = Aim(given.get("aim", "none"))
        blow = Blow(category(given["category"]), bonus=aimed(aim).damage)
        terms = melee_terms(given["value"], None, aim=aim)
        attacker = Combatant("initiator", "a", terms, edge_of(Rank(given.get("rank", "none"))), blow, target=1)
        target = Combatant("opponent", "b", (), Edge(), Blow(None), Armour(*given.get("armour", (0, 0, 0))))
        lost = odds(harm, clash([attacker, target], RULINGS), ((PLENTY, 0),) * 2, RULINGS).map(lambda each: each[1][0])
        if "at_least" in given:
            assert lost.chance(lambda points, least=given["at_least"]: points >= least) == exact
        else:
            assert lost.mean() == exact


@pytest.mark.listed_odds("SIM-O53")
def test_the_chance_of_a_terrible_total():
    (given, exact), = fractions_of(ODDS["SIM-O53"])
    attacker = combatant("initiator", "a", 1, {**given, "pv_category": "G"})
    target = Combatant("opponent", "b", (), Edge(), Blow(None))
    done = odds(exchange, clash([attacker, target], RULINGS), ((PLENTY, PLENTY),) * 2, RULINGS)
    assert done.chance(lambda one: bool(one.blows) and one.blows[0].total >= given["at_least"]) == exact


@pytest.mark.parametrize(
    "listed", [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i)) for i in ("SIM-O49", "SIM-O50")]
)
def test_the_chance_of_the_trained_and_the_untrained(listed):
    for given, exact in fractions_of(listed):
        training = Training(given["skill"])
        if "band" in given:
            terms = shot_terms(given["base"], training, given["band"], RULINGS)
        else:
            terms = melee_terms(given["base"], training)
        assert odds(check, value_of(*terms), combat_rank(training), RULINGS).chance(lambda one: one.success) == exact


@pytest.mark.parametrize(
    "listed", [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i)) for i in ("SIM-O12", "SIM-O13")]
)
def test_a_duel_fought_again_until_somebody_wins(listed):
    (given, exact), = fractions_of(listed)
    prepared = duel_of(given)

    def again(dice, last):
        done = dice.resolve(exchange, prepared, ((PLENTY, PLENTY),) * 2, RULINGS)
        return done.blows[0].striker if done.blows else last

    assert Chain(again, FAILED, over=lambda won: won != FAILED).run().ends[0] == exact


# The rest of the chapter


def fighter(role, side, value, target, **more):
    return Combatant(role, side, (Modifier("base", value),), Edge(), Blow(Category.parse("F")), target=target, **more)


def values(fighters, rulings=RULINGS):
    return [roll.value for roll in clash(fighters, rulings).rolls]


@pytest.mark.rules("SIM-047", "SIM-048", "SIM-036")
def test_who_concentrates_on_one_leaves_the_others_a_simple_test():
    fighters = [fighter("initiator", "a", 9, 1, defended=(1,)), *(fighter(f"o{i}", "b", 6, 0) for i in range(3))]
    prepared = clash(fighters, RULINGS)
    assert [roll.value for roll in prepared.rolls] == [9, 6, 7, 7]
    assert [attack.against for attack in prepared.attacks] == [1, 0, FAILED, FAILED]


@pytest.mark.rules("SIM-046", "SIM-047")
def test_one_roll_wounds_only_the_target_and_parries_the_others():
    """Nine against two: MR 5 beats the target's 2 and holds off the other's 4; nobody else is hurt."""
    fighters = [fighter("initiator", "a", 10, 1, defended=(1, 2)), *(fighter(f"o{i}", "b", 8, 0) for i in (1, 2))]
    dice = ScriptedDice(2, 2, 3, 4, 2, 3, 3, 3)
    done = play(exchange, clash(fighters, RULINGS), ((5, 4),) * 3, RULINGS, dice=dice).result
    assert [(blow.striker, blow.target, blow.margin) for blow in done.blows] == [(0, 1, 5)]
    assert done.left == ((5, 4), (2, 4), (5, 4))


@pytest.mark.rules("SIM-047")
@pytest.mark.option("multi_roll", "each")
def test_a_table_may_throw_one_test_for_each_opponent():
    each = SYSTEM.book.rulings({"multi_roll": "each"})
    fighters = [
        fighter("initiator", "a", 10, 1, defended=(1, 2)),
        fighter("o1", "b", 8, 0),
        fighter("o2", "b", 8, 0, armour=Armour(2, 1, 0)),
    ]
    prepared = clash(fighters, each)
    assert [roll.value for roll in prepared.rolls] == [9, 7, 9, 9]
    assert [(attack.roll, attack.against) for attack in prepared.attacks] == [(0, 2), (2, 0), (3, 1)]
    assert len(clash(fighters, RULINGS).rolls) == 3


@pytest.mark.rules("SIM-049")
def test_a_fourth_opponent_cannot_be_defended_against():
    with pytest.raises(TooManyDefended):
        clash([fighter("i", "a", 9, 1, defended=(1, 2, 3, 4)), *(fighter("o", "b", 6, 0) for _ in range(4))], RULINGS)


@pytest.mark.rules("SIM-046", "SIM-047")
def test_a_fighter_strikes_an_opponent_whom_he_watches():
    with pytest.raises(NotAnOpponent):
        clash([fighter("i", "a", 9, 1), fighter("i2", "a", 9, 2), fighter("o", "b", 6, 0)], RULINGS)
    with pytest.raises(TargetNotDefended):
        clash([fighter("i", "a", 9, 1, defended=(2,)), fighter("o", "b", 6, 0), fighter("o", "b", 6, 0)], RULINGS)


@pytest.mark.rules("SIM-050")
@pytest.mark.option("strike_order", "descending_margin")
def test_a_dead_man_still_strikes_unless_blows_land_by_falling_margin():
    """Three in a ring, nobody watching his back: each strikes the next, and only the best margin comes first."""
    ring = [fighter(f"f{i}", f"side{i}", 9, (i + 1) % 3, pv=1) for i in range(3)]
    vitals = ((1, 4),) * 3
    tests = (1, 2, 2, 2, 3, 2)
    together = play(exchange, clash(ring, RULINGS), vitals, RULINGS, dice=ScriptedDice(*tests, *(3, 4) * 3)).result
    assert [left[0] for left in together.left] == [0, 0, 0]
    ordered = SYSTEM.book.rulings({"strike_order": "descending_margin"})
    by_margin = play(exchange, clash(ring, ordered), vitals, ordered, dice=ScriptedDice(*tests, *(3, 4) * 2)).result
    assert [blow.striker for blow in by_margin.blows] == [0, 2]
    assert [left[0] for left in by_margin.left] == [0, 0, 1]


@pytest.mark.rules("SIM-037", "SIM-048")
@pytest.mark.option("crowd_bonus_ranged", "yes")
def test_shooters_gain_nothing_from_numbers_unless_the_table_says_so():
    fighters = [fighter("i", "a", 9, 1), fighter("o", "b", 8, 0), fighter("i2", "a", 9, 1, shoots=True)]
    assert values(fighters) == [9, 8, 9]
    assert values(fighters, SYSTEM.book.rulings({"crowd_bonus_ranged": "yes"})) == [9, 8, 10]


@pytest.mark.rules("SIM-036")
def test_who_shoots_does_not_defend_hand_to_hand():
    prepared = clash([fighter("i", "a", 9, 1), fighter("o", "b", 8, 0, shoots=True)], RULINGS)
    assert [attack.against for attack in prepared.attacks] == [FAILED, FAILED]


@pytest.mark.rules("SIM-034", "SIM-045")
def test_circumstances_are_terms_of_the_value():
    terms = melee_terms(9, Training.TALENT, circumstances=[situation("dark"), situation("surprised")])
    assert value_of(*terms) == 9 + 1 - 4 + 2


@pytest.mark.rules("SIM-045")
@pytest.mark.parametrize("called", ["dark,surprised", "obscurité,Adversaire surpris", "darkness,surprised opponent"])
def test_the_dark_and_surprise_go_by_name(result, called):
    form = {"value": 9, "training": "talent", "weapon": "club", "circumstances": f"{called},pente:-1"}
    fought = result("resolve-melee", 3, 3, 6, 5, 3, 4, initiator=form, opponent={"value": 5})
    assert fought.passed.played.blows[0].margin == 9 + 1 - 4 + 2 - 1 - 6


@pytest.mark.rules("SIM-051")
def test_a_letter_that_is_not_said_stays_as_printed(result):
    sword = {"value": 12, "training": "hobby", "weapon": "long_sword", "category_pv": "H"}
    (blow,) = result("resolve-melee", 3, 3, 6, 5, 3, 4, initiator=sword, opponent={"value": 5}).passed.played.blows
    assert (blow.total, blow.pv, blow.ps) == (13, 5, 1)
    rolled = result("roll-damage", 3, 4, initiator={"margin": 6, "weapon": "long_sword", "category_pv": "H"})
    assert (rolled.pv, rolled.ps) == (5, 1)


@pytest.mark.rules("SIM-051")
def test_a_laser_shoots_with_the_letter_that_its_owner_fixed(result):
    laser = {"value": 9, "training": "talent", "weapon": "laser"}
    with pytest.raises(MissingField):
        result("shoot", 3, 3, 3, 4, initiator=laser, opponent={})
    shot = result("shoot", 3, 3, 3, 4, initiator={**laser, "category_pv": "K"}, opponent={})
    assert (shot.damage.total, shot.damage.pv) == (11, 5)


@pytest.mark.rules("SIM-037", "SIM-058")
@pytest.mark.option("hinder_shooting", "no")
@pytest.mark.option("hinder_shooting", "gm")
def test_armour_hinders_a_shooter_as_the_table_says():
    heavy = armour("heavy")
    for chosen, gm_says, value in (("yes", True, 8), ("no", True, 9), ("gm", False, 9), ("gm", True, 8)):
        rulings = SYSTEM.book.rulings({"hinder_shooting": chosen})
        terms = shot_terms(9, None, "normal", rulings, armour=heavy, hinder_counts=gm_says)
        assert value_of(*terms) == value


@pytest.mark.rules("SIM-038", "SIM-039")
@pytest.mark.option("range_table", "four")
@pytest.mark.option("range_table", "close_bonus")
def test_the_three_scales_of_range():
    bow = weapon("bow_heavy_arrow")

    def shot(band, scale):
        rulings = SYSTEM.book.rulings({"range_table": scale})
        return range_band(band, rulings).test, str(blow_with(bow, Aim.NONE, False, rulings, band).pv)

    assert [shot(band, "five") for band in ("point_blank", "medium", "long", "very_long")] == [
        (0, "F"), (-1, "C"), (-2, "B"), (-4, "B")]
    assert [shot(band, "four") for band in ("point_blank", "long", "very_long")] == [(0, "F"), (-2, "C"), (-4, "B")]
    assert [shot(band, "close_bonus") for band in ("point_blank", "near")] == [(4, "F"), (2, "D")]
    with pytest.raises(UnknownName):
        shot("medium", "four")


@pytest.mark.rules("SIM-039")
def test_both_columns_of_a_shot_move_and_a_sword_does_not_shoot():
    blow = blow_with(weapon("bow_heavy_arrow"), Aim.NONE, False, RULINGS, "long")
    assert (str(blow.pv), str(blow.ps)) == ("B", "A-2")
    with pytest.raises(NotARangedWeapon):
        blow_with(weapon("long_sword"), Aim.NONE, False, RULINGS, "long")


@pytest.mark.rules("SIM-035")
@pytest.mark.option("knuckles_realm", "human")
def test_fists_are_human_and_weapons_mechanical():
    assert combat_realm(weapon("fist_amateur"), RULINGS) == Realm.HUMAN
    assert combat_realm(weapon("knife"), RULINGS) == Realm.MECHANICAL
    assert combat_realm(weapon("brass_knuckles"), RULINGS) == Realm.MECHANICAL
    assert combat_realm(weapon("brass_knuckles"), SYSTEM.book.rulings({"knuckles_realm": "human"})) == Realm.HUMAN


@pytest.mark.rules("SIM-040", "SIM-041", "SIM-042", "SIM-043", "SIM-044")
def test_how_somebody_knows_the_weapon_in_hand():
    sword, knife, bow = weapon("long_sword"), weapon("knife"), weapon("bow_light_arrow")
    assert training_with(sword, "one_hand_blade", (), ()) == Training.TRADE_FAMILY
    assert training_with(bow, "one_hand_blade", (), ()) == Training.TRADE_OTHER
    assert training_with(bow, "one_hand_blade", ("ranged",), ()) == Training.TALENT
    assert training_with(bow, "", (), ("ranged",)) == Training.HOBBY
    assert training_with(knife, "", (), ()) == Training.UNTRAINED_SIMPLE
    assert training_with(sword, "", (), ()) == Training.UNTRAINED_COMPLEX
    assert training_with(weapon("fist_amateur"), "", (), ()) == Training.UNTRAINED_FISTS
    assert combat_rank(Training.TRADE_OTHER) == Rank.NONE
    assert fist(Rank.TALENT) == "fist_trained"
    assert fist(Rank.HOBBY) == "fist_amateur"


@pytest.mark.rules("SIM-043")
@pytest.mark.option("untrained_class", "gm")
def test_a_table_may_leave_the_class_of_a_weapon_to_the_game_master():
    assert training_with(weapon("long_sword"), "", (), (), untrained="simple") == Training.UNTRAINED_SIMPLE


@pytest.mark.rules("SIM-057", "SIM-058", "SIM-059")
@pytest.mark.option("armour_stack", "all")
def test_a_magic_ring_adds_to_any_armour_and_two_cuirasses_do_not_unless_the_table_says_so():
    ring = Armour(0, 0, 2)
    assert worn([armour("mail"), armour("furs")], [ring], RULINGS) == Armour(2, 1, 2)
    stacked = SYSTEM.book.rulings({"armour_stack": "all"})
    assert worn([armour("mail"), armour("furs")], [ring], stacked) == Armour(2, 1, 3)
    assert worn([], [ring], RULINGS) == ring
    assert read_armour("1/0/2", RULINGS) == armour("light_magic")
    assert read_armour("Mailles", RULINGS) == read_armour("mail", RULINGS) == armour("mail")
    assert read_armour("cuir clouté+0/0/2*", RULINGS) == read_armour("studded leather+0/0/2*", RULINGS)
    assert str(armour("heavy")) == "2/1/0"


@pytest.mark.rules("SIM-034", "SIM-036", "SIM-050")
def test_the_quick_reading_of_an_exchange_is_the_exchange():
    """Merging what makes no difference changes no chance: three against two, one of them a bow."""
    fighters = [
        fighter("a", "a", 8, 3, defended=(3, 4)),
        fighter("a2", "a", 7, 3),
        fighter("a3", "a", 6, 4, shoots=True),
        fighter("b", "b", 5, 0, defended=(0, 1)),
        fighter("b2", "b", 4, 0),
    ]
    small = SYSTEM.book.rulings({"criticals": "off"})
    fighters = [one._replace(blow=Blow(Category.parse("C"))) for one in fighters]
    prepared = clash(fighters, small)
    most = ((2, 0),) * 5
    quick = odds(harm, prepared, most, small)
    margins = {roll: odds(check, roll.value, Rank.NONE, small).map(
        lambda done: done.margin if done.success else FAILED) for roll in prepared.rolls}
    assert quick.chance(lambda lost: lost == ((0, 0),) * 5) == _nobody_hurt(prepared, margins)


def _nobody_hurt(prepared, margins):
    from itertools import product

    from paravent.systems.simulacres.combat.combat import lands

    total = Fraction(0)
    for way in product(*(margins[roll].items() for roll in prepared.rolls)):
        thrown = [margin for margin, _ in way]
        hits = [lands(a, thrown[a.roll], FAILED if a.against < 0 else thrown[a.against]) for a in prepared.attacks]
        if all(hit == FAILED for hit in hits):
            chance = Fraction(1)
            for _, part in way:
                chance *= part
            total += chance
    return total


def test_a_check_is_what_the_exchange_keeps():
    done = play(exchange, duel_of({"a": {"value": 9}, "b": {"value": 8}}), ((5, 4),) * 2, RULINGS,
                dice=ScriptedDice(3, 3, 3, 4, 3, 4)).result
    assert done.checks == (Check(True, 3), Check(True, 1))


@pytest.mark.rules("SIM-059")
@pytest.mark.option("armour_stack", "all")
def test_a_form_writes_several_armours(result):
    """Mail, furs and a magic ring: the ring always absorbs, the furs only where everything stacks."""

    def struck(options):
        fought = result("resolve-melee", 3, 3, 6, 5, 3, 4, options=options,
                        initiator={"value": 11, "training": "hobby", "weapon": "long_sword"},
                        opponent={"value": 5, "armour": "mail+furs+0/0/2*"})
        (blow,) = fought.passed.played.blows
        return blow.margin, blow.total

    assert struck({}) == (11 - 2 - 6, 3 + 7 - 2)
    assert struck({"armour_stack": "all"}) == (11 - 2 - 6, 3 + 7 - 3)
