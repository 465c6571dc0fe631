"""Moves: who is in them, what is filled in, what usually stands, the odds of their rules."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from toys import Token, rough

from paravent.dice import Dice, SeededDice
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Ask,
    Call,
    Context,
    Field,
    FormError,
    MissingField,
    Move,
    OneOf,
    OutOfRange,
    RecordKind,
    Resolve,
    Role,
    Score,
    System,
    UnknownName,
    Whole,
)
from paravent.game.move import missing, replace_focus, unfilled
from paravent.game.running import run
from paravent.game.system import find_system, system_names


def reach(dice: Dice, strength: int, need: int) -> bool:
    face = dice.sum(1, 6)
    if face + strength < need and dice.choose("initiator", "again", (False, True)):
        face = dice.sum(1, 6)
    return face + strength >= need


STRENGTH = Field("strength", Score(("strength",), 0, 9))
NEED = Field("need", Whole(1, 20), "gm", usual=lambda ctx: 6 + len(ctx.all("opponent")))
GUARD = Field("guard", OneOf(("high", "low")), "opponent", when=lambda ctx: ctx.one("opponent").id != "opponent2")

MOVE = Move(
    "reach",
    steps=(
        Ask("declare", (STRENGTH, NEED, GUARD, replace(STRENGTH, role="opponent", optional=True))),
        Resolve("reach", lambda ctx: Call(reach, ctx.score(ctx.one(), STRENGTH), ctx[NEED]),
                success=lambda done: done, policies={"eager": lambda who, key, options, usual: options[-1]}),
        Ask("after", (Field("note", OneOf(("a", "b"))),)),
    ),
    cast=(INITIATOR, Role("opponent", "character", 0, 3), GAME_MASTER),
)
SYSTEM = rough("toy", [MOVE], [RecordKind("character", Token)])


def context(form: dict[str, Any] | None = None, **more: Any) -> Context:
    return SYSTEM.context("reach", form or {"initiator": [{"strength": 3}], "opponent": [{}, {}]}, **more)


def test_members_of_a_role_are_named_and_numbered() -> None:
    ctx = context()
    assert [actor.id for actor in ctx.all("opponent")] == ["opponent", "opponent2"]
    assert [ctx.part(actor) for actor in ctx.all("opponent")] == ["opponent", "opponent2"]
    assert ctx.one("nobody").record is None
    assert ctx.actor("opponent2").role == "opponent"


def test_what_usually_stands_is_read_from_the_context() -> None:
    assert context()[NEED] == 8
    assert context({"initiator": [{"strength": 3}], "gm": [{"need": 12}]})[NEED] == 12


def test_when_looks_at_the_member_concerned() -> None:
    ctx = context()
    step = MOVE.steps[0]
    assert isinstance(step, Ask)
    assert [(actor.id, asked.id) for actor, asked in missing(ctx, step)] == [("opponent", "guard")]
    assert ctx.value(ctx.actor("opponent2"), GUARD) is None
    assert unfilled(ctx, step) == missing(ctx, step)


def test_one_field_may_be_asked_of_two_roles() -> None:
    ctx = context({"initiator": [{"strength": 3}], "opponent": [{"strength": 5}, {}]})
    assert ctx.value(ctx.one("opponent"), STRENGTH) == 5
    assert ctx[STRENGTH] == 3
    one = context({"initiator": [{"strength": 3}], "opponent": [{"strength": 5}]})
    assert one[replace(STRENGTH, role="opponent")] == 5
    assert MOVE.field("strength", "opponent").optional
    assert MOVE.field("strength").role == "initiator"


def test_a_score_is_a_number_or_read_on_the_sheet() -> None:
    by_name = {"initiator": [{"strength": "strength"}]}
    ctx = context(by_name, sheets={"initiator": Token("Nadir", 7)})
    assert ctx.score(ctx.one(), STRENGTH) == 7
    bare = context(by_name)
    with pytest.raises(FormError):
        bare.score(bare.one(), STRENGTH)


def test_what_is_missing_is_named() -> None:
    ctx = context({"initiator": [{}]})
    with pytest.raises(MissingField) as refusal:
        _ = ctx[STRENGTH]
    assert refusal.value.values == {"field": "strength", "role": "initiator"}


@pytest.mark.parametrize(("form", "sheets", "refusal"), [
    ({"hero": [{}]}, {}, UnknownName), ({"initiator": [{"strenght": 3}]}, {}, UnknownName),
    ({"gm": [{"strength": 3}]}, {}, UnknownName), ({"initiator": [{"strength": 12}]}, {}, OutOfRange),
    ({}, {"hero": Token("x")}, UnknownName),
])
def test_forms_that_cannot_be_read_are_refused(form: Any, sheets: Any, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        SYSTEM.context("reach", form, sheets)


def test_focus_brings_a_member_first() -> None:
    ctx = context()
    assert replace_focus(ctx, ctx.actor("opponent2")).one("opponent").id == "opponent2"
    assert replace_focus(ctx, ctx.actor("opponent")) is ctx


def test_odds_follow_a_policy() -> None:
    ctx, step = context({"initiator": [{"strength": 3}], "gm": [{"need": 7}]}), MOVE.resolves[0]
    usual = step.odds(ctx).chance(bool)
    assert usual == Fraction(1, 2)
    assert step.odds(ctx, "eager").chance(bool) == step.odds(ctx, "best").chance(bool) == Fraction(3, 4)
    with pytest.raises(UnknownName):
        step.odds(ctx, "lazy")


def test_a_move_runs_to_its_end_from_a_form() -> None:
    form = {"initiator": [{"strength": 3}], "gm": [{"need": 7}]}
    ran = run(context(form), SeededDice(1), {"initiator": {"note": "a"}})
    assert list(ran.plays) == ["reach"]
    with pytest.raises(MissingField):
        run(context(form), SeededDice(1))


def test_systems_are_found_by_name() -> None:
    with pytest.raises(UnknownName):
        find_system("no-such-game")
    for name in system_names():
        system: System = find_system(name)
        assert system.id == name
    with pytest.raises(UnknownName):
        SYSTEM.kind("ghost")
    with pytest.raises(UnknownName):
        MOVE.role("hero")
