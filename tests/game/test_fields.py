"""What a form asks, read from words and from JSON alike."""

import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import Token, rough

from paravent.dice import Dice
from paravent.game import (
    BadValue,
    Call,
    Context,
    Field,
    Flag,
    Group,
    Many,
    Move,
    OneOf,
    OutOfRange,
    RecordKind,
    Resolve,
    Score,
    SheetOf,
    TextField,
    UnknownName,
    Whole,
    to_plain,
)
from paravent.game.errors import TextTooLong
from paravent.game.move import Ask


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def nothing(dice: Dice) -> int:
    return 0


N = Field("n", Whole(0, 9), usual=4)
MOVE = Move("toy", (Ask("a", (N,)), Resolve("r", lambda ctx: Call(nothing))))
SYSTEM = rough("toy", [MOVE], [RecordKind("character", Token)])


@pytest.fixture(scope="module")
def ctx() -> Context:
    return SYSTEM.context("toy", {})


@pytest.mark.parametrize(("kind", "raw", "value"), [
    (Whole(), "7", 7), (Whole(), "−3", -3), (Whole(), " 4 ", 4), (Whole(1, 3), 3, 3),
    (Whole(0, lambda ctx: ctx[N]), 4, 4),
    (OneOf(Colour), "red", Colour.RED), (OneOf(("a", "b")), "b", "b"), (OneOf((1, 2)), "2", 2),
    (OneOf(lambda ctx: ("x",) * 1), "x", "x"),
    (Score(("dexterity",)), "5", 5), (Score(("12",), 0, 3), "12", "12"),
    (Score(("dexterity",), 1, 9), "dexterity", "dexterity"),
    (Flag(), "oui", True), (Flag(), "no", False), (Flag(), True, True), (Flag(), "", False),
    (TextField(), "  hello ", "hello"),
    (Many(Whole()), "1, 2,3", (1, 2, 3)), (Many(Whole()), [1, 2], (1, 2)), (Many(OneOf(Colour)), "", ()),
    (Group({"a": Whole(), "b": TextField()}, {"b": "-"}), {"a": 1}, {"a": 1, "b": "-"}),
    (SheetOf("character"), {"name": "Nadir"}, Token("Nadir")),
])
def test_what_fits_is_read(ctx: Context, kind: Any, raw: Any, value: Any) -> None:
    assert kind.read(raw, "field", ctx) == value
    json.dumps(kind.describe(ctx).to_json())


@pytest.mark.parametrize(("kind", "raw", "refusal"), [
    (Whole(), "many", BadValue), (Whole(), True, BadValue), (Whole(), "1.5", BadValue), (Whole(), None, BadValue),
    (Whole(1), 0, OutOfRange), (Whole(None, 3), 4, OutOfRange), (Whole(0, lambda ctx: ctx[N]), 5, OutOfRange),
    (OneOf(Colour), "rad", UnknownName), (Score(("dexterity",), 1, 9), 10, OutOfRange),
    (Score(("dexterity",)), "strength", UnknownName),
    (Flag(), "perhaps", BadValue), (TextField(longest=3), "abcd", TextTooLong),
    (Many(Whole(), most=1), [1, 2], OutOfRange), (Many(Whole(), least=1), [], OutOfRange),
    (Many(Whole()), ["x"], BadValue),
    (Group({"a": Whole()}, {}), 3, BadValue), (Group({"a": Whole()}, {}), {}, BadValue),
    (Group({"a": Whole()}, {}), {"b": 1}, UnknownName), (SheetOf("character"), {"nom": "x"}, UnknownName),
])
def test_what_does_not_fit_is_refused_by_type(ctx: Context, kind: Any, raw: Any, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        kind.read(raw, "field", ctx)


def test_the_nearest_names_are_given(ctx: Context) -> None:
    with pytest.raises(UnknownName) as refusal:
        OneOf(Colour).read("blu", "colour", ctx)
    assert refusal.value.near == ["blue"]


TYPES = st.recursive(
    st.sampled_from([Whole(), Whole(-3, 8), OneOf(Colour), Flag(), TextField(), Score(("dexterity",))]),
    lambda inner: st.one_of(
        inner.map(Many),
        st.dictionaries(st.sampled_from("abc"), inner, min_size=1).map(lambda parts: Group(parts, {})),
    ),
    max_leaves=4,
)


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    match kind:
        case Whole():
            return st.integers(-3, 8)
        case OneOf():
            return st.sampled_from(Colour)
        case Flag():
            return st.booleans()
        case Score():
            return st.one_of(st.just("dexterity"), st.integers(0, 9))
        case Many():
            return st.lists(values_of(kind.of), max_size=3).map(tuple)
        case Group():
            return st.fixed_dictionaries({name: values_of(part) for name, part in kind.parts.items()})
        case _:
            return st.text("abc ", max_size=5).map(str.strip)


@settings(derandomize=True, max_examples=150)
@given(data=st.data())
def test_what_a_form_holds_goes_to_json_and_comes_back(data: st.DataObject) -> None:
    kind = data.draw(TYPES)
    value = data.draw(values_of(kind))
    there = json.loads(json.dumps(to_plain(value)))
    assert kind.read(there, "field", SYSTEM.context("toy", {})) == value
