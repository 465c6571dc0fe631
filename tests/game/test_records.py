"""Records: to plain values and back, changed without being touched, veiled from those who may not see."""

import json
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.game import (
    GM_ONLY,
    BadRecord,
    BadValue,
    Change,
    Fault,
    RecordKind,
    Rulings,
    UnknownName,
    apply,
    changed,
    from_plain,
    only,
    to_plain,
)
from paravent.game.errors import Withheld
from paravent.game.records import look, type_at, veiled


class Mood(StrEnum):
    CALM = "calm"
    ANGRY = "angry"


class Spot(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Item:
    name: str
    mass: int = 1


@dataclass(frozen=True)
class Sheet:
    name: str
    mood: Mood = Mood.CALM
    strength: int = 3
    asleep: bool = False
    items: tuple[Item, ...] = ()
    skills: Mapping[str, int] = field(default_factory=dict)
    spot: Spot | None = None
    mentor: str | None = None

    @property
    def double(self) -> int:
        return 2 * self.strength


@dataclass(frozen=True, slots=True)
class Slotted:
    open: int
    secret: int = 0


SHEETS = st.builds(
    Sheet, st.text(max_size=5), st.sampled_from(Mood), st.integers(), st.booleans(),
    st.lists(st.builds(Item, st.text(max_size=3), st.integers()), max_size=3).map(tuple),
    st.dictionaries(st.text("abc", min_size=1, max_size=2), st.integers(), max_size=3),
    st.builds(Spot, st.integers(), st.integers()), st.one_of(st.none(), st.text(max_size=3)),
)


@settings(derandomize=True)
@given(SHEETS)
def test_a_record_goes_to_plain_values_and_back(sheet: Sheet) -> None:
    assert from_plain(Sheet, json.loads(json.dumps(to_plain(sheet)))) == sheet


@pytest.mark.parametrize(("data", "refusal", "named"), [
    ({}, BadValue, "name"), ({"name": 3}, BadValue, "name"), ({"name": "x", "strength": "3"}, BadValue, "strength"),
    ({"name": "x", "strength": True}, BadValue, "strength"), ({"name": "x", "asleep": 1}, BadValue, "asleep"),
    ({"name": "x", "items": "all"}, BadValue, "items"), ({"name": "x", "items": [{}]}, BadValue, "items[0].name"),
    ({"name": "x", "skills": [1]}, BadValue, "skills"), ({"name": "x", "skills": {"a": "b"}}, BadValue, "skills.a"),
    ({"name": "x", "spot": 3}, BadValue, "spot"), ({"name": "x", "spot": [1]}, BadValue, "spot.y"),
    ({"name": "x", "spot": {"x": "1", "y": 2}}, BadValue, "spot.x"), ([], BadValue, "sheet"),
])
def test_what_does_not_fit_is_named(data: Any, refusal: type[BadValue], named: str) -> None:
    with pytest.raises(refusal) as found:
        from_plain(Sheet, data)
    assert found.value.values["field"] == named


def test_unknown_fields_and_words_are_named_with_the_nearest() -> None:
    with pytest.raises(UnknownName) as found:
        from_plain(Sheet, {"name": "x", "strenght": 3})
    assert found.value.near == ["strength"]
    with pytest.raises(UnknownName):
        from_plain(Sheet, {"name": "x", "spot": {"x": 1, "y": 2, "z": 3}})
    with pytest.raises(UnknownName) as found:
        from_plain(Sheet, {"name": "x", "mood": "calme"})
    assert found.value.near == ["calm"]


def test_a_record_is_frozen_and_a_change_gives_a_new_one() -> None:
    sheet = Sheet("Nadir", skills={"climb": 1})
    with pytest.raises(FrozenInstanceError):
        sheet.strength = 4  # type: ignore[misc]
    after = apply(sheet, "skills.climb", 2)
    assert (sheet.skills["climb"], after.skills["climb"]) == (1, 2)
    assert apply(Spot(1, 2), "x", 5) == Spot(5, 2)
    assert look(after, "skills.climb") == 2


@settings(derandomize=True)
@given(SHEETS, st.integers())
def test_a_change_that_changes_nothing_is_none(sheet: Sheet, value: int) -> None:
    found = changed("x", sheet, "strength", value, "R-1")
    assert found == (() if value == sheet.strength else (Change("x", "strength", sheet.strength, value, "R-1"),))


def test_a_change_is_plain_on_the_wire() -> None:
    row = Change("x", "items", (), (Item("rope"),), "R-1").to_json()
    assert json.loads(json.dumps(row))["after"] == [{"name": "rope", "mass": 1}]


@pytest.mark.parametrize(("path", "kind"), [
    ("", Sheet), ("strength", int), ("skills", Mapping[str, int]), ("skills.climb", int),
])
def test_the_type_at_a_path_is_found(path: str, kind: Any) -> None:
    assert type_at(Sheet, path) == kind


def test_faults_are_raised_together_and_warnings_are_not() -> None:
    def check(sheet: Sheet, rulings: Rulings) -> list[Fault]:
        return [Fault("too-strong", "R-1"), Fault("odd", warning=True), Fault("too-calm", "R-2")]

    kind = RecordKind("character", Sheet, check=check)
    with pytest.raises(BadRecord) as refusal:
        kind.validated(Sheet("x"), Rulings({}))
    assert [fault.key for fault in refusal.value.values["faults"]] == ["too-strong", "too-calm"]
    warned = RecordKind("character", Sheet, check=lambda sheet, rulings: [Fault("odd", warning=True)])
    assert warned.validated(Sheet("x"), Rulings({})) == Sheet("x")


def test_what_stands_around_a_sheet_in_a_file_is_left_aside() -> None:
    plain = {"system": "toy", "kind": "character", "version": 1, "name": "x"}
    assert RecordKind("character", Sheet).from_plain(plain) == Sheet("x")


@pytest.mark.parametrize(("record", "hidden", "open_field"), [
    (Sheet("x", strength=9), "strength", "name"), (Spot(4, 2), "x", "y"), (Slotted(1, 9), "secret", "open"),
])
def test_a_veiled_field_cannot_be_read_and_the_others_can(record: Any, hidden: str, open_field: str) -> None:
    seen = veiled(record, [hidden])
    assert isinstance(seen, type(record))
    assert getattr(seen, open_field) == getattr(record, open_field)
    with pytest.raises(Withheld):
        getattr(seen, hidden)


def test_what_follows_from_a_veiled_field_is_withheld_too() -> None:
    with pytest.raises(Withheld):
        _ = veiled(Sheet("x"), ["strength"]).double
    with pytest.raises(Withheld):
        hash(veiled(Slotted(1, 2), ["secret"]))
    assert veiled(None, ["strength"]) is None
    sheet = Sheet("x")
    assert veiled(sheet, []) is sheet


def test_audiences_are_grades_and_roles() -> None:
    assert only("initiator", "gm") == GM_ONLY | {"initiator"}
