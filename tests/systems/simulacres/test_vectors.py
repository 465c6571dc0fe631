"""Simulacres: the worked examples that are not combat, run from their machine form through the real rules."""

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import RuleError
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.care.health import CareSkill, Dressing, dress, dressing_value, session_plan
from paravent.systems.simulacres.checks.check import (
    Attempt,
    Modifier,
    Setting,
    Trial,
    check,
    difficulty,
    edge_of,
    privilege,
    simple_test,
    throw,
    value_of,
)
from paravent.systems.simulacres.checks.compare import contest, last_chance, last_chance_terms, may_hope
from paravent.systems.simulacres.checks.conflict import resist, resist_difficulty, will_modifier
from paravent.systems.simulacres.checks.duel import Side, duel
from paravent.systems.simulacres.checks.energies import Reserve, Spend, fits, pay, sustain, sustained
from paravent.systems.simulacres.checks.secret import secret_test
from paravent.systems.simulacres.people.cast import keeps_leaning, note_leaning, survives
from paravent.systems.simulacres.people.character import build, from_boxes
from paravent.systems.simulacres.people.creation import Draft, draft_flaws
from paravent.systems.simulacres.terms import Energy, Rank, Realm

RULINGS = SYSTEM.book.rulings()


def rulings_of(given):
    chosen = {"criticals": "on" if given.get("criticals", True) else "off"}
    if "unthinkable_bonus_dice" in given:
        chosen["unthinkable_bonus_dice"] = given["unthinkable_bonus_dice"]
    return SYSTEM.book.rulings(chosen)


def given_value(given):
    parts = [Modifier("sum", given["sum"])] if "sum" in given else [
        Modifier(name, given[name]) for name in ("component", "means", "realm")
    ]
    more = [Modifier("difficulty", difficulty(given.get("difficulties", ()))), Modifier("skill", given.get("skill", 0)),
            Modifier("energies", given.get("energy", 0))]
    return {"value": value_of(*parts, *more)}


def given_test(given):
    rulings = rulings_of(given)
    rank = Rank(given.get("rank", "none"))
    bonus = () if given.get("unthinkable_bonus_dice") == "no" else given.get("bonus", ())
    done = play(check, given["value"], rank, rulings, dice=ScriptedDice(*given["dice"], *bonus)).result
    return {"success": done.success, "margin": done.margin, "critical": done.critical, "quality": done.quality}


def given_automatic(given):
    setting = Setting(given.get("context", "ordinary"))
    return privilege(Rank(given["rank"]), given["difficulty"], setting, RULINGS)._asdict()


def given_duel(given):
    sides = [Side(given[side]["value"], Rank(given[side].get("rank", "none"))) for side in "ab"]
    faces = [face for side in "ab" for face in (*given[side]["dice"], *given[side].get("bonus", ()))]
    done = play(duel, *sides, RULINGS, dice=ScriptedDice(*faces)).result
    return {"winner": done.winner, "margin": done.margin}


def given_resist(given):
    value = given["sum"] + resist_difficulty(0, given["aggressor_margin"])
    done = play(resist, value, given["aware"], RULINGS, dice=ScriptedDice(*given["dice"])).result
    return {"value": value, "success": done.check.success, "margin": done.check.margin,
            "will_allowed": done.will_allowed}


def given_will(given):
    return {"modifier": will_modifier(given["failure_margin"], given["component_change"], given.get("power", 0))}


def given_energy(given):
    spend = Spend(**{given["energy"]: given["points"]}, ps=given["ps_spent"], ep=given["ep_spent"])
    has = Reserve(**{given["energy"]: given["energy_value"]}, ps=given["ps"], ep=given["ep"])
    paid = pay(spend, has, RULINGS, given.get("minutes", 0))
    return {"accepted": True, "bonus": paid.bonus, "ps": paid.ps, "ep": paid.ep, "after": paid.after}


def given_sustain(given):
    spend = Spend(precision=given["ps_spent"] + given["ep_spent"], ps=given["ps_spent"], ep=given["ep_spent"])
    paid, active, post, added = pay(spend, Reserve(), RULINGS), (), 0, []
    for at, going in enumerate(given["throws"]):
        post += going == "moved"
        held = sum(bonus.points for bonus in sustained(active, f"fight {post}"))
        added.append(held if at else paid.bonus)
        active = sustain(active, paid._replace(lasting=() if at else paid.lasting), f"fight {post}")
    return {"bonuses": added}


def given_dressing(given):
    wound = Dressing(
        given.get("base", 8), CareSkill(given.get("skill", "none")), given.get("missing", 1), given.get("precision", 0),
        minutes=given.get("minutes", 0), on_self=given.get("on_self", False), carer="arthur",
        tried_by=("arthur",) if given.get("already_tried") else (),
    )
    done = play(dress, wound, RULINGS, dice=ScriptedDice(*given.get("dice", (1, 2)))).result
    return {"value": dressing_value(wound), "success": done.success, "gained": int(done.success)}


def given_last_chance(given):
    may_hope(given.get("used", False) and not given.get("bought_back"), True)
    if "dice" not in given:
        return {"allowed": True}
    done = play(last_chance, given["desire"], given["realm"], RULINGS, dice=ScriptedDice(*given["dice"])).result
    return {"saved": done.saved}


def given_leaning(given):
    kept = play(keeps_leaning, given.get("value"), 0, RULINGS, dice=ScriptedDice(*given["dice"])).result
    return {"kept": kept}


def given_survival(given):
    return {"escapes": play(survives, given["score"], RULINGS, dice=ScriptedDice(given["die"])).result}


def given_certainty(given):
    trial = Trial((Modifier("value", 9),), attempt=Attempt(given["attempt"]))
    done = play(simple_test, trial, RULINGS, dice=ScriptedDice())
    return {"rolled": bool(done.throws), "success": done.result.success}


def given_terms(given):
    if given["act"] == "last_chance":
        return {"terms": list(last_chance_terms(Realm(given["realm"])))}
    terms = contest(given["act"])
    return {"terms": list(terms[:3]), "energy": terms.energy, "paid": 0}


def given_creation(given):
    skills = (1, given["talents"], given["hobbies"]) if "talents" in given else None
    parts = {part: tuple(given.get(part, ())) for part in ("components", "means", "realms", "energies", "special")}
    flaws = draft_flaws(Draft(**parts, skills=skills))
    return {"legal": True} if not flaws else {"refused": True, "rule": flaws[0].rule}


def given_boxes(given):
    return {"components": list(from_boxes([box for component in given["boxes"] for box in component]))}


def given_build(given):
    shape = build(given["body"], given["resistance"])
    return {"build": shape.name, "life_points": shape.life_points}


RUN = {
    "value": given_value,
    "difficulty": lambda given: {"difficulty": difficulty(given["factors"])},
    "test": given_test,
    "automatic": given_automatic,
    "duel": given_duel,
    "resist": given_resist,
    "will": given_will,
    "energy": given_energy,
    "sustain": given_sustain,
    "dressing": given_dressing,
    "therapy": lambda given: session_plan(given["missing"])._asdict(),
    "last_chance": given_last_chance,
    "leaning": given_leaning,
    "leaning_note": lambda given: note_leaning(given["value"])._asdict(),
    "survival": given_survival,
    "certainty": given_certainty,
    "terms": given_terms,
    "creation": given_creation,
    "boxes": given_boxes,
    "build": given_build,
}

OURS = [row for row in SYSTEM.book.vectors if row["check"] in RUN]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"], marks=pytest.mark.vector(row["id"])) for row in OURS])
def test_the_worked_examples(row):
    for case in row["cases"]:
        try:
            found = RUN[case.get("check", row["check"])](case["given"])
        except RuleError as error:
            found = {"refused": True, "rule": error.rule_id}
        assert {name: found.get(name) for name in case["expect"]} == case["expect"], case


# What the words of an example say beyond its machine form


@pytest.mark.rules("SIM-004", "SIM-002")
def test_arthur_looks_for_tracks_in_the_undergrowth_a_difficult_act():
    """SIM-X01: 4 + 3 + 1, Difficile, succeeds on 5 or less and fails on 6."""
    ctx = SYSTEM.context("simple-test", {"initiator": [{"component": 4, "means": 3, "realm": 1}],
                                         "gm": [{"difficulty": "hard"}]})
    step = ctx.move.resolves[-1]
    assert step.call(ctx).on(ScriptedDice(2, 3)).success
    assert not step.call(ctx).on(ScriptedDice(2, 4)).success


@pytest.mark.rules("SIM-024", "SIM-023")
def test_listening_at_a_thick_door_the_game_master_throws():
    """SIM-X08: announced 8, thick door −1, a secret 10: ME 3, thrown by the game master's hand."""
    done = play(secret_test, 8, -1, Rank.NONE, True, RULINGS, dice=ScriptedDice(4, 6))
    assert (done.result.check.success, done.result.check.margin, done.result.found) == (False, 3, False)
    assert [thrown.role for thrown in done.throws] == ["gm"]


@pytest.mark.rules("SIM-022")
def test_at_the_helm_neither_power_nor_a_slow_hand_serves():
    """SIM-X07: driving and steering are precision; power is refused."""
    assert fits("driving", Energy.PRECISION)
    assert not fits("driving", Energy.POWER)


@pytest.mark.rules("SIM-013", "SIM-025")
def test_the_cup_man_adds_one_for_his_trade():
    """SIM-X09: the cheat's 10 counts his métier; in a duel nothing is automatic."""
    got = privilege(Rank.TRADE, 0, Setting.DUEL, RULINGS)
    assert (got.automatic, got.bonus) == (False, 1)


@pytest.mark.rules("SIM-011")
def test_a_genius_adds_three_dice_to_a_critical():
    done = play(throw, 8, edge_of(Rank.GENIUS), RULINGS, dice=ScriptedDice(1, 1, 2, 3, 4)).result
    assert done.margin == 6 + 9
