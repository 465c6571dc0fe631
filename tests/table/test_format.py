"""The format of events: written down for those who read it elsewhere, open to later needs, closed to what nobody knows.

``PARAVENT_WRITE_DOCS=1 pytest tests/table/test_format.py`` writes its description in the pages anew.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from veil import VEIL

from paravent.table import events as e
from paravent.table.export import read_export
from paravent.table.upcast import LogReader

PAGE = Path(__file__).parents[2] / "docs/formats.md"
SHOWN = re.compile(rf"(?<=<!-- format {e.FORMAT} -->\n).*(?=<!-- /format {e.FORMAT} -->)", re.DOTALL)
SCHEMA = msgspec.json.schema(e.AnyEvent)
DEFS: dict[str, dict[str, Any]] = SCHEMA["$defs"]
COMMON = list(e.Event.__struct_fields__)
WORDS = {"string": "texte", "integer": "entier", "boolean": "oui-non", "null": "null"}
OF_THE_GAME = {
    "Act.polls", "Act.state_read", "ChoiceAsked.options", "ChoiceAsked.usual", "ChoiceAsked.values",
    "ChoiceMade.answer", "Draft.values", "EncounterOpened.state", "Filled.value", "LineNoted.values", "Made.after",
    "Made.before", "Part.sheet", "Progress.polls", "Progress.state_read", "Proposal.after", "Proposal.before",
    "RecordAdded.aside", "RecordAdded.sheet", "RecordChanged.after", "RecordChanged.before", "Sentence.values",
    "Sheet.aside", "Sheet.sheet", "Throw.result",
}
"""What belongs to a game: its sheets, states, inputs, answers, results, and the values of its words."""
SAID = {"type": "said", "format": e.FORMAT, "by": "a", "kind": "message", "text": "bonsoir"}


# The format, written down


def kind_of(schema: dict[str, Any]) -> str:
    """What a field holds, in a few words."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(kind_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f'"{word}"' for word in schema["enum"])
    match schema.get("type"):
        case "array":
            return f"[{kind_of(schema.get('items', {}))}]"
        case "object":
            return f"{{texte: {kind_of(schema.get('additionalProperties') or {})}}}"
        case None:
            return "valeur"
        case word:
            return WORDS[word]


def fields_of(schema: dict[str, Any], left_out: list[str]) -> str:
    """The fields of an object, each with what it holds and what stands for it where it is missing."""
    told = []
    for name, holds in schema["properties"].items():
        usual = f" = {json.dumps(holds['default'])}" if "default" in holds else ""
        missing = "?" if not usual and name not in schema["required"] else ""
        if name not in left_out:
            told.append(f"{name}{missing}: {kind_of(holds)}{usual}")
    return ", ".join(told)


def wrapped(name: str, fields: str) -> str:
    """A line of the description, cut where it is too long for a page."""
    lines = [name]
    for field in fields.split(", "):
        if len(lines[-1]) + len(field) > 110:
            lines.append("   ")
        lines[-1] += f" {field},"
    return "\n".join(lines).rstrip(",")


def described() -> str:
    """The whole format, as a page shows it: what all events have, each type, then what they are made of."""
    events = {name: schema for name, schema in DEFS.items() if name in {cls.__name__ for cls in e.TYPES.values()}}
    common = fields_of(next(iter(events.values())), [
        name for name in next(iter(events.values()))["properties"] if name not in COMMON])
    types = [wrapped(f"{schema['properties']['type']['enum'][0]}:", fields_of(schema, ["type", *COMMON]))
             for schema in events.values()]
    parts = [wrapped(f"{name}:", fields_of(schema, [])) for name, schema in sorted(DEFS.items()) if name not in events]
    every = wrapped("tout événement:", f"type: texte, {common}")
    return "\n".join(["```text", every, "", *types, "", *parts, "```", ""])


def test_the_page_of_formats_shows_the_schema_that_the_code_makes() -> None:
    page = PAGE.read_text("utf-8")
    again = SHOWN.sub(lambda _: described(), page)
    if os.environ.get("PARAVENT_WRITE_DOCS"):
        PAGE.write_text(again, "utf-8")
    assert described() in again
    assert os.environ.get("PARAVENT_WRITE_DOCS") or again == page


def test_what_the_page_describes_is_the_whole_schema() -> None:
    said = described()
    names = {cls.__name__: name for name, cls in e.TYPES.items()}
    for name, schema in DEFS.items():
        assert f"\n{names.get(name, name)}:" in said
        assert all(f" {field}" in said for field in schema["properties"])


# What a later version wrote


@pytest.mark.parametrize(("more", "named"), [
    ({"type": "flown"}, "flown"), ({"mood": "gai"}, "mood"), ({"format": e.FORMAT + 1}, f"format {e.FORMAT + 1}"),
    ({"type": "move-ended", "number": 1, "phase": "slept", "then": {"phase": "slept"}}, "move-ended"),
])
def test_what_this_version_does_not_know_is_refused_as_written_by_a_later_one(more: dict[str, Any], named: str) -> None:
    row = {name: value for name, value in SAID.items() if more.get("type") != "move-ended" or name in ("format", "by")}
    text = json.dumps(row | more)
    head = json.dumps({"paravent": "table", "format": e.FORMAT, "whole": True})
    for read in (lambda: e.read(text), lambda: LogReader().read(text), lambda: read_export([head, text])):
        with pytest.raises(e.UnknownEvent) as refused:
            read()
        assert refused.value.code == "table/unknown-event"
        assert named in refused.value.values["event"]
        assert "version plus récente" in VEIL.words.error("fr", refused.value)
        assert "later version" in VEIL.words.error("en", refused.value)


@pytest.mark.parametrize("text", [
    "", "nonsense", "[]", "{}", json.dumps(SAID | {"text": 7}), json.dumps({**SAID, "format": 0}),
    json.dumps({name: value for name, value in SAID.items() if name != "text"}),
])
def test_what_no_version_could_have_written_is_not_taken_for_a_later_one(text: str) -> None:
    with pytest.raises(e.UnknownEvent) as refused:
        e.read(text)
    assert refused.value.code == "table/damaged-event"
    assert all("version" in VEIL.words.error(lang, refused.value) for lang in ("fr", "en"))


def test_a_field_with_a_default_may_be_missing() -> None:
    assert e.read(json.dumps(SAID)) == e.Said(by="a", kind="message", text="bonsoir")
    for name, cls in e.TYPES.items():
        schema = DEFS[cls.__name__]
        needed = {field: made_up(schema["properties"][field]) for field in schema["required"] if field != "type"}
        assert type(e.read(json.dumps({"type": name, **needed}))) is cls


def made_up(schema: dict[str, Any]) -> Any:
    """The least that a field may hold."""
    if "$ref" in schema:
        inside = DEFS[schema["$ref"].rpartition("/")[2]]
        return {field: made_up(inside["properties"][field]) for field in inside["required"]}
    return {"string": "x", "integer": 1, "boolean": True, "array": [], "object": {}}.get(schema.get("type", ""))


# Typed throughout


def untyped(schema: dict[str, Any]) -> bool:
    """Whether something may stand there of which the format says nothing."""
    if "$ref" in schema or "enum" in schema:
        return False
    if "anyOf" in schema:
        return any(map(untyped, schema["anyOf"]))
    match schema.get("type"):
        case "array":
            return untyped(schema.get("items", {})) and schema.get("maxItems") != 0
        case "object":
            return untyped(schema.get("additionalProperties") or {})
        case kind:
            return kind is None


def holes() -> Iterator[str]:
    for name, schema in DEFS.items():
        assert schema["additionalProperties"] is False, name
        yield from (f"{name}.{field}" for field, holds in schema["properties"].items() if untyped(holds))


def test_no_event_carries_an_untyped_mapping_but_values_of_the_game() -> None:
    assert set(holes()) == OF_THE_GAME
