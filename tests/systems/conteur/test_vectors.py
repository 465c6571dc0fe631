"""The worked examples of the digest, each played through the real moves at a table of four seats."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from paravent.dice import NotAnOption, ScriptedDice, SeededDice
from paravent.dice.play import ScriptedFaces
from paravent.game import ParaventError
from paravent.game.errors import NotNow
from paravent.game.running import run
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.energy.gauge import meal_gain, segment_of, sleep_gain, usual_gain
from paravent.systems.conteur.facts import HUMAN_PARTS, Meal, SkillField
from paravent.systems.conteur.people.character import Character, Skill
from paravent.systems.conteur.rolls.announce import action_of
from paravent.systems.conteur.rolls.complex import (
    ComplexAction,
    completion_level,
    new_stock,
    simultaneous_actions,
    turn_gain,
)
from paravent.systems.conteur.rolls.faces import passed, success_level
from paravent.systems.conteur.rolls.pool import pool_size
from paravent.table.hotseat import Hotseat
from seats import on_day, stands

VECTORS = SYSTEM.book.data("vectors")["vector"]
SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}


def cases() -> Iterator[Any]:
    for vector in VECTORS:
        marks = [pytest.mark.vector(vector["id"])]
        for case in vector["cases"]:
            marks += [pytest.mark.option(key, _text(value)) for key, value in case["given"].get("options", {}).items()]
        yield pytest.param(vector, marks=marks, id=vector["id"])


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("vector", list(cases()))
def test_the_worked_example_comes_out_as_written(vector: Mapping[str, Any]) -> None:
    for case in vector["cases"]:
        given, expect = case["given"], case["expect"]
        if expect.keys() == {"refused", "rule"}:
            with pytest.raises(ParaventError) as refusal:
                CHECKS[vector["check"]](given, expect)
            assert rule_of(refusal.value) == expect["rule"]
            continue
        got = CHECKS[vector["check"]](given, expect)
        assert {name: value for name, value in got.items() if name in expect} == {
            name: value for name, value in expect.items() if name not in ("refused", "rule")
        }
        assert not expect.get("refused") or got["refused_by"] == expect["rule"]


def rule_of(refusal: ParaventError) -> str:
    return str(refusal.values.get("rule", ""))


def table(given: Mapping[str, Any], *faces: int) -> Hotseat:
    options = {key: _text(value) for key, value in given.get("options", {}).items()}
    options.setdefault("rights_asked", "always")  # the worked examples do what is legal and foolish too
    return Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))


def person(**fields: Any) -> Character:
    wounds = {**dict.fromkeys(HUMAN_PARTS, 0), **fields.pop("wounds", {})}
    return Character(**{"name": "Sacha", "luck": 0, "wounds": wounds, **fields})


# A roll


def play_roll(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    """Throw, then ask for each step in turn; a refused one must leave the move exactly as it was."""
    steps = given.get("steps", [])
    refused_step = expect.get("refused_step", 0)
    taken = [step for at, step in enumerate(steps, 1) if at != refused_step]
    hotseat = table(given, *given["throw"], *(face for step in taken for face in new_faces(step)))
    luck = given.get("luck_available", 1 if refused_step else 0)
    skills = (Skill(SkillField.ACTIONS, "Tir", given.get("skill", 0)),)
    hotseat.add("sacha", person(skills=skills, energy=given.get("energy", 15), luck=luck), owner="bob")
    announced = {"skill": "Tir"} if "skill" in given else {"dice": len(given["throw"])}
    if "energy" in given and "skill" not in given:
        announced = {"skill": len(given["throw"]), "dice": len(given["throw"])}
    number = hotseat.start("ana", "throw", {"initiator": ["sacha"]}, {"gm": {"difficulty": given["difficulty"]}})
    hotseat.fill("bob", number, {"attribute": given["attribute"], "physical": False, **announced})
    hotseat.throw("bob", number)
    got: dict[str, Any] = {}
    for at, step in enumerate(steps, 1):
        if at != refused_step:
            take_step(hotseat, number, step)
            continue
        if "luck" in step and hotseat.moves[number].pending is not None:
            hotseat.answer("bob", number, "luck")
        before = hotseat.seen("bob")
        with pytest.raises((NotAnOption, NotNow)) as refusal:
            name_dice(hotseat, number, step)
        assert hotseat.seen("bob") == before
        over = isinstance(refusal.value, NotNow)
        got |= {"refused_step": at, "refused_by": why_over(hotseat, number, step) if over else rule_of(refusal.value)}
    if pending_key(hotseat, number) == "luck_dice":
        hotseat.answer("bob", number, "no_luck")
    if pending_key(hotseat, number) == "reroll":
        hotseat.answer("bob", number, "stop")
    result = hotseat.moves[number].results["throw"]
    got |= result._asdict()
    hotseat.accept("ana", number)
    sheet = hotseat.records["sacha"].record
    assert sheet.luck_used == result.luck_spent
    return {**got, "unconscious": sheet.unconscious}


def why_over(hotseat: Hotseat, number: int, step: Mapping[str, Any]) -> str:
    """Once nothing is left to decide the roll is over by itself: the rule that left nothing to ask for."""
    assert hotseat.moves[number].phase == "settled"
    result = hotseat.moves[number].results["throw"]
    if "luck" in step:
        available = hotseat.records["sacha"].record.luck_available
        return "D10-030" if result.luck_spent or not available else "D10-032"
    return "" if result.rights_left else "D10-013"


def new_faces(step: Mapping[str, Any]) -> list[int]:
    return [die["face"] for die in step["luck"]] if "luck" in step else [step["face"]]


def take_step(hotseat: Hotseat, number: int, step: Mapping[str, Any]) -> None:
    if "luck" in step:
        hotseat.answer("bob", number, "luck")
    name_dice(hotseat, number, step)


def name_dice(hotseat: Hotseat, number: int, step: Mapping[str, Any]) -> None:
    dice = [die["die"] for die in step["luck"]] if "luck" in step else [step["right"]]
    hotseat.answer("bob", number, {"dice": dice})


def pending_key(hotseat: Hotseat, number: int) -> str:
    return getattr(hotseat.moves[number].pending, "key", "")


def read_scale(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    level = success_level(given["successes"], given["difficulty"])
    return {"passed": passed(given["successes"], given["difficulty"]), "level": level}


# Complex actions, opposition


def pursue(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    if any("raw" in turn for turn in given["turns"]):
        rulings = SYSTEM.book.rulings()
        stock = new_stock(0, turn_gain(given["turns"][0]["raw"], 0, rulings))
        level = completion_level(stock, stock, given["difficulty"], rulings)
        return {"stock": [stock], "done_turn": int(level > 0), "level": level}
    hotseat = table(given, *(face for turn in given["turns"] for face in turn.get("throw", ())))
    hotseat.add("sacha", person(), owner="bob")
    stocks, done_turn, level = [], 0, 0
    if "stock" in given:
        state = ComplexAction("", given["difficulty"], given["stock"], 1, "sacha")
        hotseat.add("sacha", person(complex_action=state), owner="bob")
        stands(hotseat, "complex-action", state)
    for at, turn in enumerate(given["turns"], 1):
        running = next((n for n, its in hotseat.encounters.items() if not its.encounter.over(its.state)), None)
        if turn.get("abandon"):
            number = hotseat.start("bob", "abandon", {"initiator": ["sacha"]}, encounter=running)
            hotseat.accept("ana", number)
            stocks.append(hotseat.encounters[running or 0].state.stock)
            assert hotseat.encounters[running or 0].state.over
            continue
        move, gm = "continue-complex-action", {"simultaneous": turn.get("simultaneous", 0)}
        if running is None:
            move, gm = "start-complex-action", {**gm, "difficulty": given["difficulty"]}
        number = hotseat.start("ana", move, {"initiator": ["sacha"]}, {"gm": gm}, running)
        hotseat.fill("bob", number, {"attribute": given["attribute"], "dice": len(turn["throw"])})
        hotseat.throw("bob", number)
        result = hotseat.moves[number].results["turn"]
        hotseat.accept("ana", number)
        stocks.append(result.stock)
        if result.done:
            done_turn, level = at, result.level
    return {"stock": stocks, "done_turn": done_turn, "level": level}


def declare(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    """One success does not do what is complex; whoever resists throws too."""
    form: dict[str, Any] = {"initiator": [{"attribute": 5, "dice": 3}],
                            "gm": [{"difficulty": given["complex_difficulty"]}]}
    if given["resisted"]:
        form["opponent"] = [{"attribute": 5, "dice": 2}]
    faces = (2, 8, 9, *((7, 8) if given["resisted"] else ()))
    ran = run(SYSTEM.context("start-complex-action", form), ScriptedDice(*faces))
    turn, throwers = ran.plays["turn"].result, {thrown.role for thrown in ran.plays["turn"].throws}
    return {"complex": turn.stock == 1 and not turn.done, "opposed": "opponent" in throwers}


def count_actions(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    done = given["done"]
    counted = simultaneous_actions(done.count("action"), done.count("reflex"), SYSTEM.book.rulings())
    return {"allowed": counted <= given["actions_allowed"], "counted": counted}


def oppose(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given, *given["a"]["throw"], *given["b"]["throw"])
    hotseat.add("a", person(), owner="bob")
    hotseat.add("b", person(), owner="cleo")
    cast, running = {"initiator": ["a"], "opponent": ["b"]}, None
    move, step = "opposed-roll", "opposed"
    if "stock" in given:
        state = ComplexAction("", 4, given["stock"], 1, "a")
        hotseat.add("a", person(complex_action=state), owner="bob")
        stands(hotseat, "complex-action", state)
        move, step, running = "continue-complex-action", "turn", 1
    form = {side: {"attribute": given[side]["attribute"], "dice": len(given[side]["throw"])} for side in "ab"}
    number = hotseat.start("ana", move, cast, form, running)
    hotseat.throw("bob", number)
    result = hotseat.moves[number].results[step]
    if "stock" in given:
        won = {"winner": "b" if result.opposing > result.raw else "a", "effective": abs(result.raw - result.opposing)}
        return {"a": result.raw, "b": result.opposing, **won, "gain": result.gain, "stock": result.stock,
                "level": success_level(won["effective"], 1)}
    a, b = result.initiator.total, result.opponent.total
    winner = {"initiator": "a", "opponent": "b", "nobody": "none"}[result.winner]
    return {"a": a, "b": b, "winner": winner, "effective": result.effective, "level": result.level}


# Pools and announcements


def count_pool(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    sheet = person(energy=given["energy"], wounds=given.get("wounds", {}),
                   skills=(Skill(SkillField.ACTIONS, "Tir", given["skill"]),))
    announced = {"attribute": 5, "skill": "Tir", "physical": given["physical"], "limbs": given.get("limbs", []),
                 "energy_dice": given.get("energy_dice", 0)}
    rulings = SYSTEM.book.rulings(given.get("options", {}))
    move = "reflex-roll" if given.get("reflex") else "throw"
    ctx = SYSTEM.context(move, {"initiator": [announced]}, {"initiator": sheet}, rulings)
    dice = pool_size(action_of(ctx, ctx.one(), move == "reflex-roll"), rulings)
    ran = run(ctx, SeededDice("pool"))
    assert ran.plays["throw"].result.dice == dice
    energy = next((change.after for change in ran.changes if change.path == "energy"), given["energy"])
    return {"dice": dice, "possible": dice > 0, "energy_after": energy}


def announce(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    form = {"attribute": 5, "skill": given["pool"], "dice": given["dice"], "skill_field": given.get("field"),
            "counterpart": given.get("counterpart", "")}
    ctx = SYSTEM.context("throw", {"initiator": [{name: value for name, value in form.items() if value is not None}]})
    return {"allowed": run(ctx, SeededDice("announce")).plays["throw"].result.dice == given["dice"]}


# Wounds, luck, energy, healing


def hit(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    part = given["part"]
    hotseat = table(given)
    paid = {part: given["healing_paid"]} if "healing_paid" in given else {}
    victim = person(luck=given["luck"], luck_used=given["luck_used"], wounds={part: given["level"]}, healing_paid=paid)
    hotseat.add("sacha", victim, owner="bob")
    before = hotseat.seen("bob")["records"]
    blow = {"part": part, "levels": given["hit"]}
    number = hotseat.start("ana", "inflict-wound", {"victim": ["sacha"]}, {"gm": blow})
    try:
        hotseat.fill("bob", number, {"avoid": given["avoid"]})
    except ParaventError:
        assert hotseat.seen("bob")["records"] == before
        raise
    result = hotseat.moves[number].results["wound"]
    hotseat.accept("ana", number)
    sheet = hotseat.records["sacha"].record
    assert result.dying == sheet.dying
    return {"level": sheet.level(part), "dying": sheet.dying, "lost": result.lost, "luck_used": sheet.luck_used,
            "healing_paid": sheet.healing_paid.get(part, 0)}


def refund(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given)
    hotseat.add("sacha", person(luck=given["luck"], luck_used=given["luck_used"]), owner="bob")
    number = hotseat.start("ana", "refund-luck", {"character": ["sacha"]}, {"gm": {"points": given["points"]}})
    hotseat.throw("ana", number)
    hotseat.accept("ana", number)
    sheet = hotseat.records["sacha"].record
    return {"luck_used": sheet.luck_used, "luck_available": sheet.luck_available}


def dine(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given)
    hotseat.add("sacha", person(energy=given["energy"]), owner="bob")
    number = hotseat.start("bob", "eat", {"initiator": ["sacha"]}, {"sacha": {"meal": given["meal"]}})
    hotseat.accept("ana", number)
    return {"energy": hotseat.records["sacha"].record.energy}


def doze(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given)
    hotseat.add("sacha", person(energy=10), owner="bob")
    number = hotseat.start("bob", "sleep", {"initiator": ["sacha"]}, {"sacha": {"blocks": given["blocks"]}})
    hotseat.accept("ana", number)
    return {"gain": hotseat.records["sacha"].record.energy - 10}


def spend_a_day(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    gain = sleep_gain(given["blocks"]) + sum(meal_gain(Meal(meal)) for meal in given["meals"])
    assert gain in usual_gain()
    return {"gain": gain}


def finish_scene(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given)
    hotseat.add("sacha", person(energy=given["energy"]), owner="bob")
    number = hotseat.start("ana", "end-of-scene", {"character": ["sacha"]}, {"sacha": {"cost": given["cost"]}})
    hotseat.throw("ana", number)
    hotseat.accept("ana", number)
    energy = hotseat.records["sacha"].record.energy
    return {"energy": energy, "segment": segment_of(energy)}


def pay_for_healing(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given)
    patient = person(energy=given["energy"], wounds=given["wounds"], wound_day=given["wound_day"])
    hotseat.add("sacha", patient, owner="bob")
    on_day(hotseat, min(given["wound_day"].values()))
    got: dict[str, Any] = {"levels": []}
    for at, payment in enumerate(given["payments"], 1):
        while hotseat.day < payment["day"]:
            dawn = hotseat.start("ana", "new-day", {"character": ["sacha"]})
            hotseat.accept("ana", dawn)
        activity = "rest" if payment["rest"] else "active"
        form = {"part": payment["part"], "points": payment["points"], "activity": activity}
        number = hotseat.start("bob", "heal", {"initiator": ["sacha"]}, {"sacha": form})
        before = hotseat.seen("ana")
        try:
            hotseat.throw("bob", number)
        except ParaventError as refusal:
            assert hotseat.seen("ana") == before
            got |= {"refused_payment": at, "refused_by": rule_of(refusal)}
            break
        hotseat.accept("ana", number)
        got["levels"].append(hotseat.records["sacha"].record.level(payment["part"]))
    sheet = hotseat.records["sacha"].record
    wounds = {part: sheet.level(part) for part in given["wounds"]}
    return {**got, "wounds": wounds, "healing_paid": dict(sheet.healing_paid), "energy": sheet.energy}


def replace_limb(given: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    hotseat = table(given)
    hotseat.add("sacha", person(wounds={given["part"]: given["level"]}), owner="bob")
    number = hotseat.start("ana", "replace-a-limb", {"character": ["sacha"]}, {"gm": {"part": given["part"]}})
    hotseat.accept("ana", number)
    sheet = hotseat.records["sacha"].record
    return {"level": sheet.level(given["part"]), "replaced": given["part"] in sheet.replaced}


CHECKS = {
    "roll": play_roll, "scale": read_scale, "complex": pursue, "declare": declare, "actions": count_actions,
    "opposed": oppose, "pool": count_pool, "announce": announce, "wound": hit, "refund": refund, "meal": dine,
    "sleep": doze, "day": spend_a_day, "scene": finish_scene, "heal": pay_for_healing, "replace": replace_limb,
}
