"""Empire galactique: the worked examples of play, run from their machine form through the real rules."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import RuleError
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import (
    Aim,
    Column,
    Difficulty,
    Parameter,
    Verdict,
    adjective,
    characteristic_for,
    dice_of,
    evasion_of,
    evasion_roll,
    roll_under,
    skill_test,
    threshold,
    usual_verb,
    with_extra,
    without_dice,
)
from paravent.systems.empire.actions.quick import quality_used, quick_action
from paravent.systems.empire.fights.combat import (
    Attacker,
    Attitude,
    Height,
    Team,
    animal_characteristic,
    blow_dice,
    disarmed,
    exchange,
    initiative,
    one_against_many,
)
from paravent.systems.empire.fights.damage import damage, pulled
from paravent.systems.empire.fights.duel import Stance, free_blow
from paravent.systems.empire.fights.holds import break_free_threshold
from paravent.systems.empire.fights.shooting import band_of, blast_damage, blast_radius, range_dice, range_of
from paravent.systems.empire.fights.wounds import (
    Body,
    Piece,
    armour_at,
    care_mods,
    fall,
    healing_units,
    organ_dice,
    severity,
    struck,
)
from paravent.systems.empire.machines.machines import Exposure, Machine, battered, linked_working, working
from paravent.systems.empire.minds.psi import concentrate, longest, may_move, psi_units, suspension_days, telepaths_duel
from paravent.systems.empire.people.creation import (
    Guild,
    Sex,
    acquisition,
    check_spread,
    destiny_roll,
    entrance_exam,
    height_cm,
    pool,
    promoted,
    resistance,
    skill_number,
    starting_money,
    survival_roll,
    title_of,
    training_price,
    weight_kg,
    worn,
)
from paravent.systems.empire.people.referee import loyalty, loyalty_score, published_slots, swapped, where
from paravent.systems.empire.people.survival import load_mod, march, privation_dice
from paravent.systems.empire.terms import TABLES, Side
from paravent.systems.empire.words.speech import Manner, MindState, argue, emancipation
from paravent.systems.empire.words.talents import check_orders, command, hypnosis, language_days


def faces(count, total):
    """So many dice that make this sum."""
    left, thrown = total, []
    for at in range(count, 0, -1):
        face = max(1, min(6, left - (at - 1)))
        thrown.append(face)
        left -= face
    assert sum(thrown) == total, (count, total)
    return thrown


def thrown(rule, *args, of):
    return play(rule, *args, dice=ScriptedDice(*of)).result


def exact(value):
    return str(value) if isinstance(value, Fraction) and value.denominator > 1 else int(value)


def given_quick(given, rulings):
    quality = Fraction(given["quality"]) if "quality" in given else quality_used(
        given["physical"], given["mental"], given["share"])
    done = thrown(quick_action, quality, given["difficulty"], given.get("rounding", ""), rulings,
                  of=faces(2, given["sum"]))
    return {**done._asdict(), "result": exact(done.result)}


def given_use(given, rulings):
    verb = usual_verb(Parameter(given["parameter"]))
    return {"characteristic": characteristic_for(given["skill"], verb)}


def given_pair(given, rulings):
    pair = Difficulty(given["difficulty"]), Column(given["column"])
    return {"dice": dice_of(*pair), "adjective": adjective(given["success"], *pair)}


def given_test(given, rulings):
    hard, column = Difficulty(given["difficulty"]), Column(given["column"])
    count = dice_of(hard, column)
    limit = threshold(given["characteristic"], given["level"])
    done = thrown(skill_test, limit, hard, (Aim(column, count),), of=faces(count, given["sum"]))[0]
    return {"dice": count, **done._asdict()}


def given_organ(given, rulings):
    count = dice_of(Difficulty(given["difficulty"]), Column(given["column"]))
    return {"dice": with_extra(count, organ_dice(True), rulings)}


def given_band(given, rulings):
    band = band_of(given["metres"], range_of(given["weapon"], given.get("strength", 7), rulings))
    return {"band": band, "extra": range_dice(band)}


def given_reach(given, rulings):
    return {"metres": range_of(given["weapon"], given["strength"], rulings, home_made=given.get("home_made", False))}


def given_radius(given, rulings):
    level = given["tech_level"]
    return {"metres": blast_radius(level), "at_edge": blast_damage(12, level, level)}


def given_swap(given, rulings):
    charm, willpower = swapped("charm_willpower", given["warned"], (given["charm"], given["willpower"]), rulings)
    return {"charm": charm, "willpower": willpower}


def given_orders(given, rulings):
    check_orders(given["soldier"], given["regime"])
    return {"allowed": True}


def given_talent(rule):
    def run(given, rulings):
        dice = [*faces(given["dice"], given["sum"]), given["die"]]
        return thrown(rule, given["threshold"], given["dice"], given["grade"], of=dice)._asdict()

    return run


def given_spread(given, rulings):
    points = thrown(pool, of=given["dice"])
    check_spread(points, given["scores"])
    return {"points": points}


def given_exam(given, rulings):
    return {"passed": thrown(entrance_exam, Guild(given["guild"]), given["required"], given["age"],
                             of=faces(2, given["sum"]))}


def given_promote(given, rulings):
    skills = {"31": given["levels"]}
    return {"grade": promoted(Guild(given["guild"]), given["grade"], skills, given["years"], rulings)}


def given_resistance(given, rulings):
    evasion = evasion_of(given["three"])
    escapes = thrown(evasion_roll, evasion, of=faces(3, given["sum"]))
    return {"resistance": resistance(given["three"]), "evasion": exact(evasion), "escapes": escapes}


def given_destiny(given, rulings):
    return thrown(destiny_roll, given["dice"], given["characteristic"], given["level"], rulings,
                  of=faces(given["dice"], given["sum"]))._asdict()


def given_survival(given, rulings):
    safe = thrown(survival_roll, given["age"], given["destiny"], of=faces(3, given["sum"]))
    return {"safe": safe, "after": list(worn((7, 8, 9)))}


def given_exchange(rule, attitudes):
    def run(given, rulings):
        sides = [given[side] for side in "ab"]
        stances = [Stance(side["threshold"], side["dice"], side["letter"]) for side in sides]
        args = [part for side, stance in zip(sides, stances, strict=True)
                for part in (attitudes(side["attitude"]), stance)]
        dice = ScriptedDice(*(face for side in sides if side["sum"]
                              for face in faces(side["dice"], side["sum"])))
        done = play(rule, *args, rulings, dice=dice)
        return {**done.result._asdict(), "rolled": bool(done.throws)}

    return run


def given_struck(given, rulings):
    armour = armour_at([Piece(given["piece"])], "torso", rulings) if "piece" in given else 0
    return struck(Body(given["full"], given["current"], 7, armour), given["blow"], rulings)._asdict()


def given_healing(given, rulings):
    mods = care_mods(given.get("medicine", 0), medibloc=given.get("medibloc", False))
    unit = TABLES["injuries"].cell(severity(given["lost"], given["full"]).value, "unit")
    return {"units": str(healing_units(given["lost"], given["endurance"], mods)), "unit": unit}


def given_free_threshold(given, rulings):
    return {"threshold": exact(break_free_threshold(Fraction(given["evasion"]), given["victim"], given["holder"],
                                                    given.get("sequences", 0)))}


def given_many(given, rulings):
    """The attackers miss throughout: what matters is who is faced."""
    foe = Attacker(Stance(3, 3, "C"), Attitude.ATTACK, Attitude.ATTACK)
    miss = faces(3, 12)
    first, second = (faces(3, total) for total in given["sums"])
    done = thrown(one_against_many, Stance(given["threshold"], 3, "C"), (foe, foe, foe), True, rulings,
                  of=[*first, *miss, *second, *miss, *miss])
    return {"faced": [one.faced for one in done]}


def given_machine(given, rulings):
    machine = Machine(Exposure(given["exposure"]), given["tech_level"], given["quality"])
    for points, weapon_level in given["blows"]:
        machine = battered(machine, points, weapon_level, rulings)
    return {"damage": machine.damage, "working": working(machine, False, rulings),
            "linked": linked_working(machine, rulings)}


def given_emancipation(given, rulings):
    time, unit = emancipation(given["lost"], given["willpower"], MindState(given["state"]))
    return {"time": str(time), "unit": unit}


def given_concentrate(given, rulings):
    spent = concentrate(given["minutes"], given["level"], given["grade"], given["willpower"], 0)
    return {"left": given["willpower"] - spent, "most": longest(given["level"], given["grade"])}


def given_march(given, rulings):
    pace = march(given["gait"], Fraction(given["strength"]), given["endurance"])
    return {**pace._asdict(), "metres": exact(pace.metres), "kmh": exact(pace.kmh),
            "in_all": exact(pace.metres * 10 * pace.lasts)}


def given_privation(given, rulings):
    extra = privation_dice(Side(given["side"]), sleep=given["sleep"], food=given["food"])
    return {"dice": with_extra(dice_of(Difficulty.AVERAGE, Column.NORMAL), extra, rulings)}


def given_loyalty(given, rulings):
    return {"stays": thrown(loyalty, loyalty_score(given["mental"], 0, rulings), of=faces(3, given["sum"]))}


def given_initiative(given, rulings):
    sides = Team(tuple(given["one"]), given["mod"]), Team(tuple(given["other"]))
    return {"first": thrown(initiative, *sides, of=())}


def given_disarm(given, rulings):
    assert blow_dice(Height.MIDDLE, Column.PRECISE) == given["dice"]
    struck_by = thrown(free_blow, Stance(given["threshold"], given["dice"], "D"), rulings,
                       of=faces(given["dice"], given["sum"]))
    return {"dropped": disarmed(struck_by.to_b, 8, rulings), "points": pulled(struck_by.to_b, given["cap"])}


def given_animal(given, rulings):
    score = given[animal_characteristic(Attitude(given["attitude"]))]
    done = thrown(free_blow, Stance(score, given["dice"], given["letter"]), rulings,
                  of=faces(given["dice"], given["sum"]))
    return {"hits": done.ok_a, "points": done.to_b}


RUN = {
    "quick": given_quick,
    "certainty": lambda given, rulings: {"success": without_dice(Verdict(given["verdict"]))},
    "use": given_use,
    "pair": given_pair,
    "test": given_test,
    "organ": given_organ,
    "band": given_band,
    "reach": given_reach,
    "radius": given_radius,
    "swap": given_swap,
    "clock": lambda given, rulings: {"place": where(published_slots(), given["minute"], rulings)},
    "act": lambda given, rulings: {"characteristic": TABLES["everyday_acts"].cell(given["act"], "characteristic")},
    "title": lambda given, rulings: {"title": title_of(Guild(given["guild"]), given["grade"])},
    "orders": given_orders,
    "command": given_talent(command),
    "hypnosis": given_talent(hypnosis),
    "suspension": lambda given, rulings: {"days": suspension_days(given["strength"])},
    "psi_units": lambda given, rulings: {"minutes": list(psi_units(False, given["regenerates"]))},
    "moves_object": lambda given, rulings: {"allowed": may_move(given["seen"])},
    "march": given_march,
    "spread": given_spread,
    "exam": given_exam,
    "skill": lambda given, rulings: {"skill": thrown(skill_number, Guild(given["guild"]), of=given["dice"])},
    "acquire": lambda given, rulings: {
        "levels": thrown(acquisition, given["required"], rulings, of=faces(3, given["sum"]))},
    "promote": given_promote,
    "money": lambda given, rulings: {
        "credits": thrown(starting_money, Guild(given["guild"]), given["grade"], rulings, of=[given["die"]])},
    "price": lambda given, rulings: {"credits": training_price(given["skill"], given["grade"])},
    "body": lambda given, rulings: {"height": height_cm(Sex(given["sex"]), given["strength"]),
                                    "weight": weight_kg(Sex(given["sex"]), given["strength"])},
    "resistance": given_resistance,
    "exchange": given_exchange(exchange, Attitude),
    "argue": given_exchange(argue, Manner),
    "struck": given_struck,
    "healing": given_healing,
    "pulled": lambda given, rulings: {"points": pulled(given["points"], given["cap"])},
    "free_threshold": given_free_threshold,
    "many": given_many,
    "fall": lambda given, rulings: {"points": thrown(
        fall, given["centimetres"], given["dice"], rulings, of=faces(given["dice"], given["sum"]))},
    "blast": lambda given, rulings: {
        "points": blast_damage(given["sum"], given["tech_level"], given["squares"])},
    "machine": given_machine,
    "emancipation": given_emancipation,
    "days": lambda given, rulings: {"days": thrown(language_days, given["level"], given["grade"], of=[given["die"]])},
    "concentrate": given_concentrate,
    "minds": lambda given, rulings: thrown(
        telepaths_duel, 15, 15, rulings, of=[*faces(5, given["mine"]), *faces(5, given["theirs"])])._asdict(),
    "destiny": given_destiny,
    "survival": given_survival,
    "load": lambda given, rulings: {
        "mod": load_mod(given["grams"], given["strength"], Fraction(given.get("gravity", 1)))},
    "privation": given_privation,
    "damage": lambda given, rulings: {"points": damage(given["letter"], given["dice"], given["sum"], rulings)},
    "loyalty": given_loyalty,
    "initiative": given_initiative,
    "disarm": given_disarm,
    "animal": given_animal,
}

OURS = [row for row in SYSTEM.book.vectors if row["id"].startswith("EMP-")]


def marks(row):
    settled = {pair for case in row["cases"] for pair in case.get("options", {}).items()}
    return [pytest.mark.vector(row["id"]), *(pytest.mark.option(*pair) for pair in sorted(settled))]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"], marks=marks(row)) for row in OURS])
def test_the_worked_examples(row):
    for case in row["cases"]:
        rulings = SYSTEM.book.rulings(case.get("options", {}))
        try:
            found = RUN[case.get("check", row["check"])](case["given"], rulings)
        except RuleError as error:
            found = {"refused": True, "rule": error.rule_id}
        assert {name: found.get(name) for name in case["expect"]} == case["expect"], case


@pytest.mark.rules("EMP-057")
def test_a_sum_equal_to_the_threshold_succeeds():
    assert thrown(roll_under, 3, 10, of=(4, 4, 2)).success
    assert not thrown(roll_under, 3, 10, of=(4, 4, 3)).success
