"""The worked examples of the digest, each with its dice."""

from collections.abc import Mapping
from typing import Any

import pytest

from paravent.dice import ByHand, Choice, ScriptedDice, play
from paravent.game import RuleError, Rulings, from_plain
from paravent.game.errors import AlreadyThrown
from paravent.game.running import Ran, run
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.action import Action
from paravent.systems.solaires.actions.attitude import chosen_attitude
from paravent.systems.solaires.actions.elements import Used, check_elements, target_of
from paravent.systems.solaires.actions.facts import Attitude
from paravent.systems.solaires.facts import Category, Use
from paravent.systems.solaires.network.facts import NearestCopy
from paravent.systems.solaires.network.rules import zone
from paravent.systems.solaires.people.bodies import NO, YES, change_body
from paravent.systems.solaires.people.bodies import Move as BodyMove
from paravent.systems.solaires.people.character import LISTS, Character, check, displayed_name
from paravent.systems.solaires.points.rules import (
    Points,
    Spending,
    arrival,
    episode_end,
    scene_end,
    spend,
    starting_points,
)
from paravent.systems.solaires.psi.facts import PsiUse
from paravent.systems.solaires.psi.rules import power_sets, psi_use
from paravent.systems.solaires.scenes.errors import AlreadyActed
from paravent.systems.solaires.scenes.rules import ActionScene, Participant, acts, begin

from . import crew

BOOK = SYSTEM.book
Given = Mapping[str, Any]


@pytest.mark.parametrize(
    "vector", [pytest.param(row, marks=pytest.mark.vector(row["id"]), id=row["id"]) for row in BOOK.vectors]
)
def test_the_worked_example_comes_out_as_written(vector: Given) -> None:
    for case in vector["cases"]:
        got = CHECKS[vector["check"]](case["given"], case["expect"])
        assert {name: value for name, value in got.items() if name in case["expect"]} == case["expect"]


def rulings_of(given: Given, **options: str) -> Rulings:
    return BOOK.rulings({"edition": given.get("edition", "v4"), "points_asked": "always", **options})


def reason(refusal: RuleError) -> str:
    """The situation that an error names: ``solaires/more-than-two`` is ``more_than_two``."""
    return refusal.code.partition("/")[2].replace("-", "_")


# Actions


def act(given: Given, expect: Given) -> dict[str, Any]:
    """Judge the elements by the rule, then play the action by its form: both must say the same."""
    rulings = rulings_of(given)
    group = 2 if given.get("mode") == "group" else 0
    used = tuple(element(part) for part in given["elements"])
    try:
        target = target_of(difficulty_of(given), check_elements(used, rulings, group=group))
    except RuleError as refusal:
        if is_expressible(given, used):
            with pytest.raises(type(refusal)):
                acted(given, 0, rulings)
        return {"valid": False, "reason": reason(refusal)}
    ran = acted(given, target, rulings)
    done: Action = ran.plays["roll"].result
    assert done.target == target
    assert sum(done.spent) == 2 * len(given.get("rerolls", ()))
    return {**told(done), "valid": True, "difficulty": ran.plays["difficulty"].result}


def is_expressible(given: Given, used: tuple[Used, ...]) -> bool:
    """Whether a form without sheets can ask for this at all: two places, a helper's one, no name to repeat."""
    lenders = [part.owner for part in used if part.owner]
    hindering = given["edition"] == "v5" and any(part.unfavourable for part in used)
    named = any(part.name for part in used)
    return len(used) <= 2 and len(set(lenders)) == len(lenders) and not hindering and not named


def told(done: Action) -> dict[str, Any]:
    return {"score": done.target, "kept": done.kept, "rolled": done.rolled, "success": done.success,
            "quality": done.quality, "effects": [effect.tag for effect in done.effects]}


def element(part: Given) -> Used:
    return Used(part["score"], part.get("typical", False), part.get("owner", ""),
                part.get("owner_kind", "character") != "character", part.get("unfavourable", False),
                part.get("category", ""), part.get("id", ""))


def difficulty_of(given: Given) -> int:
    return int(given["difficulty"] if "difficulty" in given else given["intrinsic"] + given["scenario"])


def acted(given: Given, target: int, rulings: Rulings) -> Ran:
    """The action played from its form; dice are thrown only where they can matter."""
    move = "group-action" if given.get("mode") == "group" else "action"
    ctx = SYSTEM.context(move, form_of(given, move), rulings=rulings)
    rerolls = given.get("rerolls", ())
    faces = [*given.get("dice", ()), *(face for _, face in rerolls)] if 0 < target < 6 else []
    return run(ctx, ScriptedDice(*faces, answer=rerolling([die for die, _ in rerolls])))


def rerolling(dice: list[int]) -> Any:
    """Answers: these dice are thrown again in turn, nobody vetoes."""
    left = iter(dice)

    def answer(choice: Choice) -> Any:
        if choice.key != "spend":
            return choice.usual
        die = next(left, None)
        return "stop" if die is None else ByHand((die + 1,))

    return answer


def form_of(given: Given, move: str) -> dict[str, list[dict[str, Any]]]:
    own = [part for part in given["elements"] if "owner" not in part]
    lent = [part for part in given["elements"] if "owner" in part and "owner_kind" not in part]
    things = [part for part in given["elements"] if "owner_kind" in part]
    first: dict[str, Any] = {"points": 2 * len(given.get("rerolls", ()))}
    for place, part in zip(("", "second_"), own, strict=False):
        first |= {"second" if place else "element": part["score"], f"{place}typical": part.get("typical", False)}
        if given["edition"] == "v4":
            first[f"{place}unfavourable"] = part.get("unfavourable", False)
    if "attitude" in given:
        first["attitude"] = given["attitude"]
    if "handicap_states" in given:
        first["handicap"] = given["handicap_states"]
    intrinsic = given.get("intrinsic", max(-4, min(4, difficulty_of(given))))
    gm: dict[str, Any] = {"intrinsic": intrinsic, "scenario_interest": difficulty_of(given) - intrinsic}
    if "gm_preset" in given:
        gm["preset"] = given["gm_preset"]
    if "gm_effects" in given:
        gm["effects"] = {kept: "\n".join(map(written, texts)) for kept, texts in given["gm_effects"].items()}
    helpers = by_owner(lent)
    form: dict[str, list[dict[str, Any]]] = {"initiator": [first], "gm": [gm]}
    role = "member" if move == "group-action" else "helper"
    form[role] = helpers or ([{}] if role == "member" else [])
    form["thing"] = [{"used": [part["score"]], "used_typical": part.get("typical", False)} for part in things]
    return form


def by_owner(lent: list[Given]) -> list[dict[str, Any]]:
    return [{"lent": part["score"], "lent_typical": part.get("typical", False)} for part in lent]


def written(effect: str) -> str:
    """An effect as the game master writes it: a plus sign makes it a good one."""
    polarity, _, text = effect.partition(":")
    return f"+{text}" if polarity == "positive" else text


# Oppositions and the world


def oppose(given: Given, expect: Given) -> dict[str, Any]:
    sides = {
        role: [dict(zip(("element", "second"), scores, strict=False)) | {"typical": True} if scores else {}]
        for role, scores in (("initiator", given["attacker"]), ("opponent", given["defender"]))
    }
    target = 3 - sum(given["defender"]) + sum(given["attacker"])
    ctx = SYSTEM.context("opposition", sides, rulings=rulings_of(given))
    faces = given.get("dice", [1, 1, 1]) if 0 < target < 6 else []
    ran = run(ctx, ScriptedDice(*faces))
    done: Action = ran.plays["roll"].result
    return {**told(done), "difficulty": done.target - sum(given["attacker"])}


def turn_the_world(given: Given, expect: Given) -> dict[str, Any]:
    ctx = SYSTEM.context("environment-roll", {"gm": [{"preference": given["preference"]}]}, rulings=rulings_of(given))
    done = run(ctx, ScriptedDice(*given["dice"])).plays["roll"].result
    return {"score": done.target, "kept": done.kept, "favourable_to_pcs": done.favourable,
            "extra_allowed": done.extra_allowed}


# Points


def buy(given: Given, expect: Given) -> dict[str, Any]:
    wanted = Spending(
        Use(given["use"]), given.get("gm_cost"), given.get("alters_character", False), given.get("surcharge", 0),
        given.get("contradicts_played", False),
    )
    dice = ScriptedDice(answer=lambda choice: choice.key == "raised" or (choice.key == "veto" and "veto_by" in given))
    try:
        done = play(spend, given["points"], (), wanted, rulings_of(given), dice=dice).result
    except RuleError as refusal:
        return {"accepted": False, "reason": reason(refusal), "points": given["points"]}
    return {**done._asdict(), "reason": "" if done.accepted else "veto"}


def recover(given: Given, expect: Given) -> dict[str, Any]:
    held = Points(given["points"], given["max"])
    for event in given["events"]:
        series = rulings_of(given, is_series="true" if event == "episode_end_series" else "false")
        if event == "scene_end":
            held = play(scene_end, held, True, series, dice=ScriptedDice()).result
        else:
            held = play(episode_end, held, False, series, dice=ScriptedDice()).result
    return {"points": held.points, "max": held.max_points}


def arrive(given: Given, expect: Given) -> dict[str, Any]:
    others = tuple(map(Points, given.get("points", ()), given.get("maxes", ())))
    previous = Points(*given["previous"]) if "previous" in given else None
    held = play(arrival, others, previous, rulings_of(given), dice=ScriptedDice()).result
    assert given["mode"] != "new_table" or held == starting_points(rulings_of(given))
    return {"points": held.points, "max": held.max_points}


# Scenes, minds, bodies, the network


def take_turns(given: Given, expect: Given) -> dict[str, Any]:
    people = tuple(Participant(name) for name in given["characters"])
    rulings = rulings_of(given)
    scene: ActionScene | None = None
    allowed = []
    for who in given["picks"]:
        try:
            scene = begin(people, who, rulings) if scene is None else acts(scene, who, rulings)
            allowed.append(True)
        except AlreadyActed:
            allowed.append(False)
    return {"allowed": allowed}


def open_sets(given: Given, expect: Given) -> dict[str, Any]:
    traits = [(name, score) for name, score in given["traits"]]
    return {"power_sets": list(power_sets(traits, given.get("organic_brain", True)))}


def use_implant(given: Given, expect: Given) -> dict[str, Any]:
    try:
        done = psi_use(PsiUse(given["use"]), given["maintaining"], given.get("has_perception", True))
    except RuleError:
        return {"allowed": False}
    return {"allowed": True, **done._asdict()}


def move_in(given: Given, expect: Given) -> dict[str, Any]:
    names = SYSTEM.tables["body_states"]
    known = {names.word(state, "fr"): state for state in names.column("score")}
    wanted = BodyMove(
        is_ai=given["mind"] == "ai", robotic=given["destination"] == "robotic",
        compatibility=YES if given.get("compatible", True) else NO,
        identical=given.get("identical_body", False), severe=given.get("gm_severe", False),
    )
    current = tuple((known[name], score) for name, score in given.get("current_states", ()))
    try:
        done = play(change_body, current, wanted, rulings_of(given), dice=ScriptedDice()).result
    except RuleError:
        return {"allowed": False}
    return {"allowed": True, "states": [[names.word(state, "fr"), score] for state, score in done.states]}


def take_back(given: Given, expect: Given) -> dict[str, Any]:
    """Whoever has chosen the elements of an action, or thrown its dice, would rather attempt something else."""
    hotseat = crew.table(1, 2, 6)
    move = crew.act(hotseat, element="Grimpeuse")
    if given["phase"] == "rolled":
        hotseat.throw("ana", move)
    try:
        hotseat.fill("ana", move, {"goal": "contourner le mur"})
    except AlreadyThrown:
        return {"allowed": False}
    return {"allowed": True}


def choose_attitude(given: Given, expect: Given) -> dict[str, Any]:
    chosen = Attitude(given["chosen"]) if "chosen" in given else None
    try:
        return {"attitude": chosen_attitude(chosen, [Attitude(name) for name in given["allowed"]])}
    except RuleError as refusal:
        return {"error": reason(refusal)}


def locate(given: Given, expect: Given) -> dict[str, Any]:
    return {"zone": zone(NearestCopy(given["nearest_copy"])).zone}


def write_sheet(given: Given, expect: Given) -> dict[str, Any]:
    """Perseüs as his sheet is written; nothing on it is refused, though one built-in item is warned about."""
    lists = {LISTS[Category(category)]: list(parts) for category, parts in given["elements"].items()}
    plain = {"name": given["pseudonym"], "full_name": given["name"], "concept": given["concept"],
             "gender": given["gender"], "body": "cybernetic", "points": given["points"],
             "max_points": given["max_points"], **lists}
    sheet: Character = from_plain(Character, plain)
    faults = check(sheet, rulings_of(given))
    assert displayed_name(sheet).replace("\u00a0", " ") == given["name"]
    assert [fault.key for fault in faults] == ["built_in_at_one"]
    counts = {category: sum(one.category == category for one in sheet.elements) for category in given["elements"]}
    return {"valid": all(fault.warning for fault in faults), "counts": counts, "elements": len(sheet.elements),
            "score_sum": sum(one.score for one in sheet.elements),
            "tagged_cyb": sum(one.tag == "cyb" for one in sheet.elements)}


CHECKS = {
    "action": act, "opposition": oppose, "environment": turn_the_world, "spend": buy, "recover": recover,
    "arrive": arrive, "order": take_turns, "psi": open_sets, "psi_use": use_implant, "body_change": move_in,
    "retract": take_back, "attitude": choose_attitude, "solnet_zone": locate, "character": write_sheet,
}
