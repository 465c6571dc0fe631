"""Where a field stands on a form, what its control looks like, how much a change weighs."""

from __future__ import annotations

import dataclasses
import typing

import pytest

from paravent.game import Change, Field, Flag, OneOf, Steps, TextField, Whole
from paravent.game import shapes as every_shape
from paravent.game.fields import FieldFacts
from paravent.game.shapes import SHAPES, Shape

LEVEL = Whole(-4, 4)


@pytest.mark.parametrize(("asked", "place"), [
    (Field("level", LEVEL), "essential"),
    (Field("level", LEVEL, usual=0), "refinement"),
    (Field("level", LEVEL, usual=0, waits=True), "essential"),
    (Field("level", LEVEL, usual=0, upfront=True), "essential"),
    (Field("called", TextField(), optional=True, names=True), "essential"),
    (Field("choice", OneOf(("a", "b")), usual="a", secrecy="sealed"), "essential"),
    (Field("level", LEVEL, usual=0, place="judgement"), "judgement"),
    (Field("level", LEVEL, usual=0, waits=True, place="rarity"), "rarity"),
    (Field("sure", Flag(), optional=True), "refinement"),
])
def test_a_field_stands_where_it_says_or_where_it_must(asked: Field[object], place: str) -> None:
    assert asked.placed == place


def test_the_vocabulary_is_closed_documented_and_frozen() -> None:
    assert set(SHAPES.values()) == set(typing.get_args(Shape))
    for shape in SHAPES.values():
        assert shape.__doc__
        assert dataclasses.fields(shape) is not None
        assert shape.__dataclass_params__.frozen  # type: ignore[union-attr]
    assert every_shape.Steps is Steps


def test_facts_say_nothing_of_place_and_shape_where_nobody_asked_for_them() -> None:
    assert FieldFacts("whole").to_json() == {"type": "whole"}


@pytest.mark.parametrize(("change", "weighs"), [
    (Change("ana", "hurt", 0, 1), "certain"),
    (Change("ana", "hurt", 0, 1, weight="grave"), "grave"),
    (Change("encounter", "turn", 0, 1), "bookkeeping"),
    (Change("encounter", "fallen", 0, 1, weight="grave"), "grave"),
    (Change("clock", "timers.fog", None, {}), "bookkeeping"),
    (Change("clock", "minutes", 0, 60), "certain"),
])
def test_a_change_weighs_what_it_says_or_what_it_is_about(change: Change, weighs: str) -> None:
    assert change.weighs == weighs
