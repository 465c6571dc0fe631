"""Records and forms that note what is read of them: rules say the same of them, and what was not read may change."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import pytest

from paravent.dice import ParaventError
from paravent.game import System, find_system, system_names
from paravent.game.attentive import (
    EVERY_FIELD,
    AttentiveForm,
    FilledReads,
    attentive,
    filled_also,
    forms_still_read,
    still_reads,
)
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.move import AnyResolve, Context, Move
from paravent.game.records import veiled
from paravent.table.kept import ByReads
from paravent.testing.conformance import example_contexts


@dataclass(frozen=True)
class Sheet:
    name: str
    strength: int = 3
    points: int = 10
    skills: tuple[str, ...] = ()

    @property
    def reach(self) -> int:
        return self.strength * 2


def test_what_is_read_is_noted_through_methods_too() -> None:
    record, reads = attentive(Sheet("Elya"))
    assert (record.name, record.reach) == ("Elya", 6)
    assert reads == {"name": "Elya", "strength": 3}
    assert still_reads(Sheet("Elya", points=2), reads)
    assert not still_reads(Sheet("Elya", strength=4), reads)


@pytest.mark.parametrize("whole", [asdict, hash, vars, replace, lambda one: one == one, repr])
def test_who_looks_at_the_whole_has_read_every_field(whole: Any) -> None:
    record, reads = attentive(Sheet("Elya"))
    whole(record)
    assert reads.keys() == {"name", "strength", "points", "skills"}


def test_what_is_behind_a_veil_stays_there() -> None:
    record, reads = attentive(veiled(Sheet("Elya"), ["points"]))
    with pytest.raises(Withheld):
        _ = record.points
    assert record.strength == 3
    assert reads == {"strength": 3}


def test_what_was_worked_out_is_asked_again_only_once_it_reads_something_else() -> None:
    asked: list[Sheet] = []
    kept: ByReads[bool] = ByReads()

    def is_strong(one: Sheet) -> bool:
        asked.append(one)
        return one.strength > 3

    sheets = (Sheet("Elya"), Sheet("Elya", points=1), Sheet("Tarn", strength=5), Sheet("Elya", points=2),
              Sheet("Tarn", strength=5, points=1))
    assert [kept.of((), one, is_strong, "strong") for one in sheets] == [False, False, True, False, True]
    assert len(asked) == 2


@pytest.mark.parametrize("name", sorted(system_names()))
def test_rules_say_the_same_of_a_record_that_notes_what_they_read(name: str) -> None:
    system = find_system(name)
    asked = 0
    for kind in system.kinds.values():
        for record in list(kind.ready("fr").values())[:2]:
            for move in system.moves.values():
                asked += 1
                copy, reads = attentive(record)
                assert _comes(system, move, copy) == _comes(system, move, record), (kind.id, move.id)
                assert still_reads(record, reads)
    assert asked


def _comes(system: System, move: Move, record: Any) -> bool | str:
    """Whether a move may be begun by whoever has this record, or how its rules stumble over it."""
    try:
        return move.can_come(system.context(move, {}, {move.cast[0].id: record}))
    except (ParaventError, *STUMBLES) as error:
        return type(error).__name__


# What is filled in


def test_a_form_notes_what_is_read_of_it_and_what_is_not_there() -> None:
    reads: FilledReads = {}
    form = AttentiveForm({"goal": "the door", "element": 3}, 0, reads)
    assert form["element"] == 3
    assert "attitude" not in form
    assert form.get("attitude", "calm") == "calm"
    assert "" not in form  # a rule may ask for a field that its move has no name for
    assert forms_still_read(({"goal": "the wall", "element": 3},), reads)
    assert not forms_still_read(({"element": 2},), reads)
    assert not forms_still_read(({"element": 3, "attitude": "calm"},), reads)
    with pytest.raises(KeyError):
        _ = form["attitude"]


@pytest.mark.parametrize("whole", [dict, list, len, lambda form: form == {}, lambda form: {**form}])
def test_who_goes_through_a_whole_form_has_read_that_there_is_no_more(whole: Any) -> None:
    reads: FilledReads = {}
    whole(AttentiveForm({"goal": "the door"}, 0, reads))
    assert not forms_still_read(({"goal": "the door", "element": 3},), reads)
    assert not forms_still_read(({},), reads)


def test_what_is_supposed_beside_it_says_nothing_of_what_stands_there() -> None:
    reads: FilledReads = {}
    form = filled_also(AttentiveForm({"element": 3}, 0, reads), {"element": 2, "second": 1})
    assert (form["element"], form["second"], dict(form)) == (2, 1, {"element": 2, "second": 1})
    assert (0, "element") not in reads
    assert filled_also({"element": 3}, {"second": 1}) == {"element": 3, "second": 1}


@pytest.mark.parametrize("name", sorted(system_names()))
def test_rules_read_the_same_of_forms_that_note_it_and_nothing_besides(name: str) -> None:
    asked = 0
    for _, ctx in example_contexts(find_system(name)):
        for step in ctx.move.resolves:
            reads: FilledReads = {}
            noted = replace(ctx, actors=tuple(replace(actor, filled=AttentiveForm(actor.filled, at, reads))
                                              for at, actor in enumerate(ctx.actors)))
            said = _called(step, ctx)
            assert _called(step, noted) == said, (ctx.move.id, step.id)
            unread = replace(ctx, actors=tuple(replace(actor, filled={
                name: value for name, value in actor.filled.items() if (at, name) in reads or (at, EVERY_FIELD) in reads
            }) for at, actor in enumerate(ctx.actors)))
            assert _called(step, unread) == said, (ctx.move.id, step.id)
            asked += 1
    assert asked


def _called(step: AnyResolve, ctx: Context) -> Any:
    """The rule that a step calls and its inputs, or how it stumbles."""
    try:
        called = step.call(ctx)
        return step.applies(ctx), called.rule, called.args
    except (ParaventError, *STUMBLES) as error:
        return type(error).__name__
