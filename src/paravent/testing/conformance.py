"""What every game must satisfy, ours or a stranger's. Each check gives the problems it finds, to be said in words.

Run them with ``pytest --pyargs paravent.testing.test_conformance``, which takes every system installed.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from string import Formatter
from typing import Any

from paravent.dice import Answered, RecordedDice, SeededDice, plain, record_from_json, record_to_json
from paravent.game import (
    LANGUAGES,
    AnyKind,
    AnyResolve,
    Context,
    OneOf,
    ParaventError,
    Rulings,
    System,
    from_plain,
    to_plain,
    trace,
)
from paravent.game.errors import BROKEN, ExampleOfNobody, ExampleWithoutKind, RuleError
from paravent.game.records import GM, GM_ONLY, WEIGHTS, fields_of
from paravent.game.running import run, settled
from paravent.game.shapes import PLACES, Grid, Phrase, Steps
from paravent.game.system import LOOKS, fill_all
from paravent.game.telling import slots_of
from paravent.game.upgrades import Written, fault_of, upgraded
from paravent.game.words import catalogues, keys_of

from .lacks import Problems, lack
from .names import names_that_lead_nowhere, some_records
from .rows import row_is_served
from .secrets import differences

Check = Callable[[System], Problems]
CHECKS: dict[str, Check] = {}
_PLAYS = 300
_TOO_MANY_RESULTS = 4000
_BAD_SPACING = re.compile(r" [;:!?»]|« |[\w)}][;!?»]|\w:(?=\s|$)")
"""A plain space, or none, where French wants a no-break one."""


def check(function: Check) -> Check:
    """Register a check under its sentence."""
    CHECKS[function.__name__.replace("_", " ")] = function
    return function


def load_whole(system: System) -> None:
    """Import every module of the game's package, so that all that it registers is registered."""
    package = importlib.import_module(system.package)
    for module in pkgutil.walk_packages(package.__path__, f"{system.package}."):
        importlib.import_module(module.name)


def example_contexts(system: System) -> Iterator[tuple[str, Context]]:
    """A context for every example form of every move that can be played; of the others, one check says why not."""
    for move_id, examples in system.examples.items():
        for example in examples:
            try:
                ctx = example_context(system, move_id, example)
                run(ctx, SeededDice(move_id))
            except ParaventError:
                continue
            yield move_id, ctx


def examples_that_do_not_play(system: System) -> Problems:
    """Of each example that is refused, which one it is, and the refusal."""
    for move_id, examples in system.examples.items():
        for at, example in enumerate(examples, 1):
            try:
                run(example_context(system, move_id, example), SeededDice(move_id))
            except ParaventError as error:
                yield lack("example", move=move_id, at=at, **_both(system, error))


def example_context(system: System, move_id: str, example: Mapping[str, Any]) -> Context:
    """The context that an example form describes; a sheet may be named by a ready-made character's id."""
    move = system.move(move_id)
    sheets = {}
    for actor, sheet in example.get("sheets", {}).items():
        if isinstance(sheet, str):
            kinds = system.kinds.values()
            made = next((ready[sheet] for kind in kinds if sheet in (ready := kind.ready("fr"))), None)
            if made is None:
                names = [name for kind in kinds for name in kind.ready("fr")]
                raise ExampleOfNobody(move=move_id, sheet=sheet, ready=names)
            sheets[actor] = made
        else:
            kind = sheet.get("kind", next(iter(system.kinds)) if len(system.kinds) == 1 else "character")
            if kind not in system.kinds:
                raise ExampleWithoutKind(move=move_id, actor=actor, kinds=sorted(system.kinds))
            sheets[actor] = system.kind(kind).from_plain(sheet)
    state = example.get("encounter")
    if isinstance(state, Mapping):
        state = from_plain(system.encounters[move.encounter].state, state)
    rulings = system.book.rulings(example.get("options", {}))
    return system.context(move, example.get("form", {}), sheets, rulings, state, example.get("day", 0))


@check
def every_rule_has_a_title_a_text_and_a_source(system: System) -> Problems:
    """Rules are written in both languages and say where they come from."""
    for rule in system.book.rules.values():
        for lang in LANGUAGES:
            if not rule.title.get(lang) or not rule.text.get(lang):
                yield lack("rule-words", rule=rule.id, language=lang)
        if not rule.source:
            yield lack("rule-source", rule=rule.id)


@check
def every_rule_of_a_complete_game_is_carried(system: System) -> Problems:
    """A complete game has code, a table or a help text for each rule; nothing carries a rule that is not there."""
    load_whole(system)
    _ = [system.tables[name] for name in system.tables]
    prefixes = tuple(f"{prefix}-" for prefix in system.book.prefixes)
    for rule_id in trace.carriers:
        if rule_id.startswith(prefixes) and rule_id not in system.book.rules:
            yield lack("carries-unknown", what=trace.carriers[rule_id][0], rule=rule_id)
    if system.book.complete:
        for rule in system.book.rules.values():
            if rule.counted and not rule.is_advice and rule.id not in trace.carriers:
                yield lack("not-carried", rule=rule.id)


@check
def every_table_is_complete(system: System) -> Problems:
    """Tables have all their cells and words, and name known rules."""
    for name in system.tables:
        table = system.tables[name]
        yield from (lack("table-row", table=name, row=row) for row in table.uneven)
        yield from (lack("table-words", table=name, what=what, language=lang) for what, lang in table.wordless)
        for lang in LANGUAGES:
            if not table.title.get(lang):
                yield lack("table-title", table=name, language=lang)
        for rule_id in table.rules:
            if rule_id not in system.book.rules:
                yield lack("carries-unknown", what=name, rule=rule_id)


@check
def every_move_field_and_option_has_words(system: System) -> Problems:
    """Whatever people read on a form has words in both languages."""
    wanted = ["system.name", "system.tagline", "system.description"]
    for move in system.moves.values():
        wanted += [f"moves.{move.id}.title", f"moves.{move.id}.help"]
        wanted += [f"groups.{move.group}"] if move.group else []
        wanted += [f"fields.{asked.id}.title" for asked in move.fields]
        wanted += [f"roles.{role.id}" for role in move.cast]
        wanted += [f"policies.{name}" for step in move.resolves for name in step.policies]
        for asked in move.fields:
            if isinstance(asked.type, OneOf) and not inspect.isfunction(asked.type.options):
                values = [plain(value) for value in asked.type.options]  # type: ignore[union-attr]
                wanted += [f"values.{value}" for value in values if isinstance(value, str)]
    for kind in system.kinds.values():
        wanted.append(f"kinds.{kind.id}.title")
        wanted += [f"sections.{section.id}" for section in kind.sections]
        for stage in kind.stages:
            words = ("title", "help", *(f"ideas.{one}" for one in stage.ideas))
            wanted += [f"stages.{stage.id}.{word}" for word in words]
        if dataclasses.is_dataclass(kind.cls):
            wanted += [f"fields.{part.name}.title" for part in dataclasses.fields(kind.cls)]
        wanted += [f"values.{stretch.id}" for stretches in kind.segments.values() for stretch in stretches]
        wanted += _derived_words(kind, system)
        if kind.passages is not None:
            wanted += [f"fields.{text}.title" for text in kind.passages.texts]
            wanted += [f"fields.{listed}.steps.{level}" for listed in kind.passages.lists
                       for level in kind.passages.levels]
        wanted += [f"values.{value}" for path in kind.choices for family, values in kind.chosen(path).items()
                   for value in (*filter(None, (family,)), *values)]
        for where, rule_id in kind.rules.items():
            if rule_id not in system.book.rules:
                yield lack("explained-by", kind=kind.id, where=where, rule=rule_id)
    wanted += [f"encounters.{name}.title" for name in system.encounters]
    wanted += [f"fields.{track.value}.title" for encounter in system.encounters.values() for track in encounter.tracks
               if track.value]
    wanted += [f"fields.{asked.id}.title" for asked in system.habits]
    wanted += [f"evening.{beat.id}.{word}" for beat in system.first_evening for word in ("title", "help")]
    if system.calendar is not None:
        wanted += ["calendar.date", *(f"calendar.months.{month}" for month, _ in system.calendar.months),
                   *(f"calendar.week.{day}" for day in system.calendar.week)]
    yield from (lack("words", key=key) for key in dict.fromkeys(wanted) if not system.words.knows(key))
    for option in system.book.options.values():
        for lang in LANGUAGES:
            texts = (option.title, option.question, *(option.words.get(value, {}) for value in option.values))
            if not all(text.get(lang) for text in texts):
                yield lack("option-words", option=option.key, language=lang)
        if option.default not in option.values:
            yield lack("option-default", option=option.key, value=option.default)


def _derived_words(kind: AnyKind, system: System) -> Iterator[str]:
    """What is said of somebody besides their own values: what these give, what is left to spend, what weighs."""
    rulings = system.book.rulings()
    for record in some_records(kind, system):
        yield from (f"fields.{name}.title" for name in kind.derived(record, rulings))
        yield from (f"points.{left.id}" for left in kind.points(record, rulings))
        yield from (glimpse.key for glimpse in kind.glimpses(record, rulings))


@check
def what_pages_are_told_of_exists(system: System) -> Problems:
    """Players have somebody to play; what a kind, an encounter or a field says of another names one that is there."""
    if system.kinds and not system.played:
        yield lack("nobody-played")
    yield from (lack("look", key=key) for key in system.look if key not in LOOKS)
    for kind in system.kinds.values():
        fields = set(fields_of(kind.cls))
        yield from (lack("no-gauge", kind=kind.id, field=name) for name in kind.used
                    if name not in kind.gauges)
        parts = {section.id for section in kind.sections}
        yield from (lack("no-section", kind=kind.id, stage=stage.id, section=name) for stage in kind.stages
                    for name in stage.sections if name not in parts)
        filled = {name for stage in kind.stages for idea in stage.ideas.values() for name in idea}
        yield from (lack("no-number", kind=kind.id, field=name)
                    for name in sorted({*filled, *kind.bounds(system.book.rulings())} - fields))
        if kind.figure is not None and kind.figure.field not in fields:
            yield lack("no-body", kind=kind.id, field=kind.figure.field)
    for encounter in system.encounters.values():
        listed = () if encounter.people is None else (encounter.people.field, *encounter.people.more)
        yield from (lack("not-in-state", encounter=encounter.id, field=name) for name in listed
                    if name not in fields_of(encounter.state))
    led = [(move.id, move.keeps) for move in system.moves.values() if move.keeps]
    led += [(encounter.id, encounter.foresees) for encounter in system.encounters.values() if encounter.foresees]
    yield from (lack("no-move", what=name, move=other) for name, other in led if other not in system.moves)
    asked = {field.id for move in system.moves.values() for field in move.fields}
    for move in system.moves.values():
        yield from (lack("kept-with", move=move.id, field=field.id, other=field.kept_with)
                    for field in move.fields if field.kept_with and field.kept_with not in asked)


@check
def what_declarations_name_is_there(system: System) -> Problems:
    """No name by which one declaration speaks of another is misspelt: see :mod:`.names`."""
    yield from names_that_lead_nowhere(system)


@check
def controls_have_their_words_and_what_they_need(system: System) -> Problems:
    """Named steps have names, what a shape is drawn with is asked too, and what is written of a place is one."""
    for move in system.moves.values():
        names = {field.id for field in move.fields}
        for asked in move.fields:
            shape = asked.shape
            if asked.place and asked.place not in PLACES:
                yield lack("place", move=move.id, field=asked.id, place=asked.place)
            if asked.place == "judgement" and GM not in (asked.role, asked.by):
                yield lack("judgement", move=move.id, field=asked.id)
            if isinstance(shape, Steps):
                keys = [f"fields.{asked.id}.steps.{value}" for value in shape.values]
                named = any(map(system.words.knows, keys))  # a number may say enough by itself
                yield from (lack("words", key=key) for key in keys if named and not system.words.knows(key))
            others = {Grid: ("other",), Phrase: ("fields",)}.get(type(shape), ())
            for name in others:
                wanted = getattr(shape, name)
                yield from (lack("drawn-with", move=move.id, field=asked.id, other=other)
                            for other in ((wanted,) if isinstance(wanted, str) else wanted) if other not in names)


@check
def a_game_says_what_suits_without_stumbling_and_weighs_its_changes(system: System) -> Problems:
    """Whether a move makes sense can be asked of every example; each change is of something, and weighs something."""
    for move_id, ctx in example_contexts(system):
        for asked in (ctx.move.suits, ctx.move.offered, ctx.move.when):
            if asked is not None and ctx.one(ctx.move.by).record is not None:
                asked(ctx)
        changes = [change for n in range(4) for change in run(ctx, SeededDice(f"weights {move_id} {n}")).changes]
        for change in changes:
            if change.weighs not in WEIGHTS:
                yield lack("weight", move=move_id, what=change.path, weight=change.weight)
            parts = _parts_to_change(ctx, change.target)
            if change.path and parts and change.path.partition(".")[0] not in parts:
                yield lack("changes-nothing", move=move_id, target=change.target, what=change.path)


def _parts_to_change(ctx: Context, target: str) -> tuple[str, ...]:
    """What can be changed of somebody in the move, or of what it is played in; nothing where that is not known."""
    changed = ctx.encounter if target == "encounter" else next((a.record for a in ctx.actors if a.id == target), None)
    return fields_of(type(changed))


@check
def every_refusal_has_words(system: System) -> Problems:
    """Each error type of the game has a sentence, and names a rule that exists."""
    load_whole(system)
    for error in _subclasses(RuleError):
        if not error.__module__.startswith(system.package):
            continue
        if not system.words.knows(f"errors.{error.code}"):
            yield lack("words", key=f"errors.{error.code}")
        if error.rule and error.rule not in system.book.rules:
            yield lack("names-unknown", what=error.__name__, rule=error.rule)


def _subclasses(cls: type[RuleError]) -> Iterator[type[RuleError]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


@check
def both_languages_say_the_same_keys_with_the_same_values(system: System) -> Problems:
    """No key is missing on either side, and both sentences use the same values."""
    catalogues = {lang: dict(_entries(system, lang)) for lang in LANGUAGES}
    french, english = catalogues["fr"], catalogues["en"]
    yield from (lack("only-in", language="fr", key=key) for key in french.keys() - english.keys())
    yield from (lack("only-in", language="en", key=key) for key in english.keys() - french.keys())
    for key in french.keys() & english.keys():
        if _slots(french[key]) != _slots(english[key]):
            yield lack("other-values", key=key)


@check
def french_words_have_their_no_break_spaces(system: System) -> Problems:
    """High punctuation keeps its no-break space, as French typography wants."""
    texts = [(key, text) for key, text in _entries(system, "fr")]
    texts += [(rule.id, rule.text.get("fr", "")) for rule in system.book.rules.values()]
    for key, entry in texts:
        for text in entry.values() if isinstance(entry, Mapping) else (entry,):
            bad = _BAD_SPACING.search(text) if isinstance(text, str) else None
            if bad:
                yield lack("spaces", key=key, at=text[max(0, bad.start() - 12) : bad.end() + 8].strip())


def _entries(system: System, lang: str) -> Iterator[tuple[str, Any]]:
    catalogue = catalogues(system.package)[lang]
    for key in keys_of(catalogue):
        entry: Any = catalogue
        for part in _parts(catalogue, key):
            entry = entry[part]
        yield key, entry


def _parts(catalogue: Mapping[str, Any], key: str) -> list[str]:
    """A dotted key as the steps that lead to it (a step may itself hold a dot)."""
    for name in catalogue:
        if key == name:
            return [name]
        if key.startswith(f"{name}.") and isinstance(catalogue[name], Mapping):
            return [name, *_parts(catalogue[name], key[len(name) + 1:])]
    return [key]


def _slots(entry: Any) -> set[str]:
    texts = entry.values() if isinstance(entry, Mapping) else [entry]
    return {name for text in texts if isinstance(text, str) for _, name, _, _ in Formatter().parse(text) if name}


@check
def every_move_has_an_example_that_plays(system: System) -> Problems:
    """Each move can be played from a form; what it tells and explains has words in both languages."""
    yield from (lack("no-example", move=move_id) for move_id in system.moves if not system.examples.get(move_id))
    yield from examples_that_do_not_play(system)
    for move_id, ctx in example_contexts(system):
        for seed in range(12):
            ran = run(ctx, SeededDice(seed))
            keys = [telling.key for telling in ran.tellings]
            keys += [f"notes.{note.key}" for played in ran.plays.values() for note in played.notes]
            done = [step for step in ctx.move.resolves if step.id in ran.plays]
            keys += [f"outcomes.{step.outcome(ran.plays[step.id].result)}" for step in done]
            answers = (entry for played in ran.plays.values() for entry in played.record if isinstance(entry, Answered))
            keys += [f"choices.{entry.key}.title" for entry in answers]
            yield from (lack("move-words", move=move_id, key=key) for key in dict.fromkeys(keys)
                        if not system.words.knows(key))
            for played in ran.plays.values():
                for note in played.notes:
                    if note.rule not in system.book.rules:
                        yield lack("note-rule", move=move_id, note=note.key, rule=note.rule)


@check
def nobody_is_named_in_what_is_told(system: System) -> Problems:
    """Whom a line tells of is a reference (Who, People, Heads): it can be told to those who may not know them."""
    for move_id, ctx in example_contexts(system):
        named = dataclasses.replace(ctx, actors=tuple(
            dataclasses.replace(actor, record=dataclasses.replace(actor.record, name=f"{_NAMED}{at}"))
            if actor.record is not None and hasattr(actor.record, "name") else actor
            for at, actor in enumerate(ctx.actors)
        ))
        for seed in range(4):
            try:
                ran = run(named, SeededDice(seed))
            except ParaventError:
                break  # an example in which a name is chosen is not played under another
            told = [(telling.key, str(telling.values)) for telling in ran.tellings if telling.audience != GM_ONLY]
            told += [(f"notes.{note.key}", str(note.values)) for played in ran.plays.values() for note in played.notes]
            yield from (lack("named", move=move_id, key=key) for key, values in told
                        if _NAMED in values)


_NAMED = "Nommé-"


@check
def every_record_replays_to_the_same_result_without_drawing(system: System) -> Problems:
    """A record, through JSON and back, gives the same results with no new die."""
    for move_id, ctx in example_contexts(system):
        ran = run(ctx, SeededDice(f"replay {move_id}"))
        whole = tuple(entry for played in ran.plays.values() for entry in played.record)
        again = run(ctx, RecordedDice(record_from_json(record_to_json(whole))))
        before = {step: plain(played.result) for step, played in ran.plays.items()}
        if before != {step: plain(played.result) for step, played in again.plays.items()}:
            yield lack("replays", move=move_id)


@check
def odds_sum_to_one_and_every_outcome_has_words(system: System) -> Problems:
    """Weighed, each rule's chances make one, and each way it may end can be told in both languages."""
    for move_id, ctx, step in _weighable(system):
        weighed = step.odds(ctx)
        if sum(weighed.values(), start=Fraction(0)) != 1:
            yield lack("not-one", step=f"{move_id}.{step.id}")
        for outcome in {step.outcome(result) for result in weighed}:
            if not system.words.knows(f"outcomes.{outcome}"):
                yield lack("move-words", move=move_id, key=f"outcomes.{outcome}")
            elif _has_figures(system, move_id, f"outcomes.{outcome}"):
                yield lack("outcome-figures", move=move_id, key=f"outcomes.{outcome}")


def _has_figures(system: System, move_id: str, key: str) -> bool:
    """Whether the words of an end have holes for anything but people: many results end so, each with its figures."""
    roles = {role.id for role in system.move(move_id).cast}
    for entry in (system.words.find(lang, key) for lang in LANGUAGES):
        for words in entry.values() if isinstance(entry, dict) else (entry,):
            if isinstance(words, str) and {slot.partition(".")[0] for slot in slots_of(words)} - roles:
                return True
    return False


@check
def played_frequencies_lie_in_the_band_of_the_exact_odds(system: System) -> Problems:
    """Playing many times agrees with weighing once."""
    for move_id, ctx, step in _weighable(system):
        weighed = step.odds(ctx)
        if len(weighed) > _TOO_MANY_RESULTS:
            continue
        by_outcome = weighed.map(step.outcome)
        seen: dict[str, int] = {}
        for seed in range(_PLAYS):
            outcome = step.outcome(step.call(ctx).on(SeededDice(f"{move_id} {seed}")))
            seen[outcome] = seen.get(outcome, 0) + 1
        for outcome in {*seen, *by_outcome}:
            chance = float(by_outcome[outcome])
            band = 5 * sqrt(_PLAYS * chance * (1 - chance)) + 1e-9
            if abs(seen.get(outcome, 0) - _PLAYS * chance) > band + (0 if chance in (0, 1) else 1):
                came = seen.get(outcome, 0)
                yield lack("frequency", step=f"{move_id}.{step.id}", outcome=outcome, came=came, plays=_PLAYS,
                           chance=f"{chance:.4f}")


def _weighable(system: System) -> Iterator[tuple[str, Context, AnyResolve]]:
    """Each first rule with dice of each move, on its examples (a later one needs an earlier result)."""
    for move_id, ctx in example_contexts(system):
        ready = settled(ctx)
        steps = [step for step in ctx.move.resolves if step.applies(ready)]
        left = [step for step in steps if step.id not in ready.results] or steps
        if left:
            yield move_id, ready, left[0]


@check
def forms_round_trip_to_json(system: System) -> Problems:
    """What a form holds goes to JSON and comes back the same."""
    for move_id, ctx in example_contexts(system):
        raw = {actor.id: {name: to_plain(value) for name, value in actor.filled.items()} for actor in ctx.actors}
        empty = dataclasses.replace(ctx, actors=tuple(dataclasses.replace(actor, filled={}) for actor in ctx.actors))
        if fill_all(empty, raw).actors != ctx.actors:
            yield lack("form", move=move_id)


@check
def records_are_legal_and_round_trip(system: System) -> Problems:
    """Ready-made and drawn records obey their own rules, and go to plain values and back."""
    rulings = system.book.rulings()
    for kind in system.kinds.values():
        records = [*kind.ready("fr").values(), *kind.ready("en").values()]
        if kind.draw is not None:
            records += [SeededDice(seed).resolve(kind.draw, rulings) for seed in range(25)]
        for record in records:
            try:
                kind.validated(record, rulings)
            except ParaventError as error:
                yield lack("illegal", kind=kind.id, **_both(system, error))
            if kind.from_plain(to_plain(record)) != record:
                yield lack("record", kind=kind.id, record=repr(record))


@check
def records_of_earlier_versions_are_brought_along(system: System) -> Problems:
    """Each version of a kind has a sheet to show for it, and all of them are read as the game now writes them."""
    for some in system.upgrades:
        yield from (lack("reads-version", kind=kind, version=reads)
                    for kind, reads in some.kinds.items() if not reads < _version(system, kind))
    for kind in system.kinds.values():
        yield from (lack("upgrades-version", kind=kind.id, version=n) for n in kind.upgrades
                    if not 1 <= n < kind.version)
        yield from (lack("no-earlier", kind=kind.id, version=n) for n in range(1, kind.version)
                    if not kind.earlier.get(n))
    old = {
        f"{kind.id} {n} {at}": Written(kind.id, n, dict(sheet), {}) for kind in system.kinds.values()
        for n, sheets in kind.earlier.items() for at, sheet in enumerate(sheets)
    }
    now = upgraded(system, old)
    for name, one in old.items():
        fault = fault_of(system, now.get(name, one))
        if name not in now or fault is not None:
            yield lack("left-behind", sheet=name)
            if fault is not None:
                yield lack("illegal", kind=one.kind, **_both(system, fault))


def _both(system: System, error: ParaventError) -> dict[str, str]:
    """A refusal of the game, in each language."""
    return {f"why.{lang}": system.words.error(lang, error) for lang in LANGUAGES}


def _version(system: System, kind: str) -> int:
    return system.kinds[kind].version if kind in system.kinds else 0


@check
def a_sheet_that_is_not_as_it_should_be_is_said_to_be_so(system: System) -> Problems:
    """What a game has no place for is kept aside; a sheet from later or with a wrong value has a fault, in words."""
    rulings = system.book.rulings()
    for kind in system.kinds.values():
        for record in _some_records(kind, rulings):
            one = Written(kind.id, kind.version, to_plain(record), {})
            if upgraded(system, {"": one}):
                yield lack("not-old", kind=kind.id, record=repr(record))
            more = upgraded(system, {"": dataclasses.replace(one, values={**one.values, "?": "?"})})
            if more != {"": dataclasses.replace(one, aside={"?": "?"})}:
                yield lack("not-aside", kind=kind.id)
            later = dataclasses.replace(one, version=kind.version + 1)
            if fault_of(system, later) is None or upgraded(system, {"": later}):
                yield lack("later", kind=kind.id)
            for name in one.values:
                yield from _told_of_fault(system, dataclasses.replace(one, values={**one.values, name: {"?": ["?"]}}))


def _told_of_fault(system: System, one: Written) -> Problems:
    """A sheet with something strange on it is read, or there are words for why not; whichever, nothing breaks."""
    try:
        fault = fault_of(system, one)
        _ = [system.words.error(lang, fault) for lang in LANGUAGES if fault is not None]
    except BROKEN as broken:
        yield lack("breaks", kind=one.kind, values=repr(one.values), why=repr(broken))


def _some_records(kind: AnyKind, rulings: Rulings) -> list[Any]:
    drawn = [] if kind.draw is None else [SeededDice(seed).resolve(kind.draw, rulings) for seed in range(2)]
    return [*list(kind.ready("fr").values())[:3], *drawn]


@check
def every_row_of_a_complete_game_is_served(system: System) -> Problems:
    """Each procedure that the specification lists names something that exists."""
    for row in system.book.rows:
        if (system.book.complete or row.get("served_by")) and not row_is_served(system, row):
            yield lack("not-served", row=row["id"], by=repr(row.get("served_by")))


@check
def another_secret_looks_the_same_to_players(system: System) -> Problems:
    """Two tables that differ in one secret look the same to whoever may not know it: see :mod:`.secrets`."""
    yield from differences(system)
