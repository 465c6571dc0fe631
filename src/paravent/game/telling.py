"""How things are said: dice, results, explanations, changes, sheets and odds, in the reader's language.

Everything that shows a game to people (command line, terminal session, pages) takes its sentences from a
:class:`Teller`; how they are laid out is theirs. Nothing here draws, decides or hides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from string import Formatter
from typing import NamedTuple

from paravent.dice import Choice, Noted, Thrown, fraction_text, plain
from paravent.dice.errors import ParaventError

from .asking import described, values_of
from .days import A_DAY, hour_of
from .fields import AnyType, FieldFacts
from .move import AnyOdds, AnyResolve, Context, Telling, replace_focus
from .people import Heads, People, Reference, Who, people, reference
from .plain import SIMPLE, Plain, Value
from .records import ALL, GM, AnyKind, Audience, Change, RowParts, to_plain
from .system import System
from .words import LANGUAGES, AsTyped, Words, house_words

BOTH = ("one", "other")
NOTHING = "–"
_LONGEST_FRACTION = 15
_WIDEST_COMPARISON = 24
_NAMES = ("name", "id")
_IDS = ("id", "name")
_FIGURES = ("value", "score", "points")
"""What a thing is called by and known by, and what its figure is called, where a record lists things."""


class OddsRow(NamedTuple):
    """One line of a chart: the key results are grouped under, its words, its chance."""

    key: str
    words: str
    chance: Fraction


class Mean(NamedTuple):
    """The mean of one number of the results: its identifier, its words (empty if it has none), the value."""

    key: str
    words: str
    value: Fraction


class Compared(NamedTuple):
    """One line of a comparison: a value of a field, its words, and the odds it gives."""

    value: Plain
    words: str
    odds: AnyOdds


class SheetBlock(NamedTuple):
    """A block of a sheet: its title and lines of name and value."""

    title: str
    lines: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Teller:
    """Says everything of a game in one language; without a game, only what belongs to the house."""

    lang: str
    system: System | None = None
    name_of: Callable[[str], str] | None = None
    """What the reader calls somebody, by id."""
    cast: Mapping[str, Reference] = field(default_factory=dict)
    """Who is who in what is told, as far as the reader may know: a sentence says ``{opponent}``."""

    @property
    def words(self) -> Words:
        """The catalogue sentences come from."""
        return house_words() if self.system is None else self.system.words

    def say(self, key: str, /, **values: Value) -> str:
        """The sentence under a key; values are put into words first, and people called by their names."""
        whole = {**self.cast, **values} if self.cast else values
        return self.words.say(self.lang, key, **{name: self._ready(value) for name, value in whole.items()})

    def among(self, cast: Mapping[str, Reference], name_of: Callable[[str], str] | None = None) -> Teller:
        """The same, where these people hold these roles."""
        return dataclasses.replace(self, cast=cast, name_of=name_of or self.name_of)

    def inside(self, ctx: Context) -> Teller:
        """The same, in a move that everybody may see all of: those who are in it go by the names on their sheets."""
        cast = {role.id: people(ctx.all(role.id)) for role in ctx.move.cast if role.id != GM}

        def name_of(one: str) -> str:
            found = next((actor for actor in ctx.actors if one in (actor.id, ctx.part(actor))), None)
            name = getattr(found.record, "name", "") if found is not None else ""
            return str(name) if name else self.person(one)

        return self.among(cast, name_of)

    def people(self, those: Reference) -> str | int:
        """People as the reader knows them; somebody, where they may not know who."""
        match those:
            case Heads(ids):
                return len(ids)
            case Who(one):
                names = [self._name(one)] if one else []
            case People(ids):
                names = list(map(self._name, ids))
        return self.listed(names) if names else self.say_plainly("telling.somebody")

    def listed(self, names: Sequence[str]) -> str:
        """Several names in a row: « Ana, Bob et Cy »."""
        *first, last = names
        return self.words.say(self.lang, "telling.and", first=", ".join(first), last=last) if first else last

    def losses(self, kind: AnyKind, written: str) -> str:
        """What a format cannot hold of such a record, in a sentence; empty where it holds everything."""
        lost = [self.say(f"losses.{key}") for key in kind.losses.get(written, ())]
        return self.say("telling.losses", format=self.say(f"exports.{written}"), lost=self.listed(lost)) if lost else ""

    def say_plainly(self, key: str) -> str:
        """A sentence in which nobody is named."""
        return self.words.say(self.lang, key)

    def day(self, day: int) -> str:
        """A day of the story, as the game's calendar names it; the first is 0."""
        calendar = self.system.calendar if self.system is not None else None
        if calendar is None:
            return self.say("telling.day", day=day + 1)
        date = calendar.date(day)
        named = {"month": f"calendar.months.{date.month}", "week": f"calendar.week.{date.week}"}
        words = {part: self.say_plainly(key) if getattr(date, part) else "" for part, key in named.items()}
        return self.say("calendar.date", day=date.day, year=date.year, **words)

    def moment(self, minutes: int) -> str:
        """A time of the table's clock: the day and the hour."""
        return self._on_the_clock("telling.moment", minutes, date=self.day(minutes // A_DAY))

    def hour(self, minutes: int) -> str:
        """The hour of a time of the table's clock."""
        return self._on_the_clock("telling.hour", minutes)

    def _on_the_clock(self, key: str, minutes: int, **more: str) -> str:
        """A sentence with an hour in it: no skill of that number is meant."""
        figures = {name: AsTyped(part) for name, part in hour_of(minutes, self.lang).items()}
        return self.words.say(self.lang, key, **more, **figures)

    def _name(self, one: str) -> str:
        return self.person(one) if self.name_of is None else self.name_of(one)

    def person(self, part: str) -> str:
        """Somebody in a sentence of whom only the role is known: with an article, where the language wants one."""
        role = part.rstrip("0123456789")
        return self._title(f"persons.{role}") or self.role(part)

    def error(self, error: ParaventError, spelled: bool = True) -> str:
        """A refusal, as one sentence; ``spelled`` gives identifiers too, for those who type them."""
        match error.values:
            case {"options": list(options)}:
                error = copy(error)
                error.values = {**error.values, "options": [self.option(None, option) for option in options]}
            case {"option": str(option)} if self.system is not None and option in self.system.book.options:
                error = copy(error)
                error.values = {**error.values, "option": self.system.book.options[option].title[self.lang]}
            case {"what": "value", "got": str(got), "near": list(near)} if not spelled:
                error = copy(error)
                error.values = {**error.values, "got": self.value(got), "near": [self.value(one) for one in near]}
            case {"target": str(), "path": str(path)}:  # of a sheet: a file has no target
                error = copy(error)
                error.values = {**error.values, "path": " · ".join(map(self.name, path.split(".")))}
        return self.words.error(self.lang, error, spelled)

    # Names

    def title(self, key: str) -> str:
        """The title under a key (``moves.throw``), or the key's last part where nothing is written."""
        return self._title(key) or key.rpartition(".")[2]

    def short(self, key: str) -> str:
        """The title as short as the game writes it, for where there is little room; empty if it writes none."""
        return self.words.entry(self.lang, key, "short")

    def sheet_help(self, name: str) -> str:
        """The help of a field on a sheet: its own where the same name is asked for in an act too, else the field's."""
        return self.words.entry(self.lang, f"fields.{name}", "sheet") or self.help(f"fields.{name}")

    def help(self, key: str) -> str:
        """The help under a key, empty if there is none."""
        return self.words.entry(self.lang, key, "help")

    def group(self, group: str) -> str:
        """What moves are listed under, empty if they are under nothing."""
        return self.title(f"groups.{group}") if group else ""

    def name(self, identifier: str) -> str:
        """What an identifier is called: a field, a value, or what stands in it; a part of one (``armour.absorb``)."""
        found = self._title(f"fields.{identifier}") or self._title(f"values.{identifier}")
        if not found and "." in identifier:
            return self.name(identifier.rpartition(".")[2])
        return found or identifier.replace("_", " ")

    def is_named(self, identifier: str) -> bool:
        """Whether the game has a word for this identifier."""
        return bool(self._title(f"fields.{identifier}") or self._title(f"values.{identifier}"))

    def role(self, part: str) -> str:
        """A role, or the second or third member of one (``opponent2``)."""
        role = part.rstrip("0123456789")
        number = part[len(role):]
        return f"{self._title(f'roles.{role}') or part}{' ' + number if number else ''}"

    def actor(self, ctx: Context | None, actor_id: str) -> str:
        """Whoever a change or a throw belongs to: by name where the sheet has one, else by role."""
        if actor_id in ("encounter", "clock"):
            return self.say(f"telling.{actor_id}")
        found = next((a for a in ctx.actors if a.id == actor_id), None) if ctx is not None else None
        name = getattr(found.record, "name", "") if found is not None else ""
        return str(name) if name else self.role(actor_id)

    def part(self, ctx: Context, part: str) -> str:
        """Whoever holds a part in a rule (``opponent2``): by name where the sheet has one, else by role."""
        found = next((actor for actor in ctx.actors if ctx.part(actor) == part), None)
        name = getattr(found.record, "name", "") if found is not None else ""
        return str(name) if name else self.role(part)

    def _title(self, key: str) -> str:
        return self.words.entry(self.lang, key)

    # Values

    def value(self, value: Value, of: str = "") -> str:
        """A value as people read it, whatever it is made of; parts of a row by what they are called in its list."""
        if type(value) in SIMPLE:  # as most are
            return NOTHING if value is None or value == "" else self.words.word(self.lang, value)
        if isinstance(value, Fraction):
            return self.number(value)
        plainly = to_plain(value)
        if not _says_something(plainly):
            return NOTHING
        if isinstance(plainly, list):
            deep = any(isinstance(part, (list, dict)) and not _is_tally(part) for part in plainly)
            return (self._semicolon if deep else ", ").join(self.value(part, of) for part in plainly)
        if isinstance(plainly, dict):
            return self._mapping(plainly, of)
        return self.words.word(self.lang, plainly)

    @property
    def _semicolon(self) -> str:
        return "\u00a0; " if self.lang == "fr" else "; "

    def _mapping(self, value: Mapping[str, Plain], of: str = "") -> str:
        """Named values: a thing with a name says it first, with its value, and the rest in brackets."""
        within = f"{of}." if of else ""
        row = self._rows.get(of, RowParts())
        head = next((key for key in (row.named, *_NAMES) if isinstance(value.get(key), str) and value[key]), "")
        if _is_tally(value):
            return f"{self.value(value['name'])}\u00a0×{value['times']}"
        if head:
            figures = _FIGURES if head != row.named or not row.scored else tuple(
                key for key, part in value.items() if type(part) is int)[:1]
            number = next((value[key] for key in figures if key in value), None)
            first = self.value(value[head]) + (f" {self.value(number)}" if isinstance(number, int) else "")
            more = {key: part for key, part in value.items() if key not in (head, *figures)}
            rest = [f"{self.name(within + key)} {self.value(part)}" if self.is_named(key) else self.value(part)
                    for key, part in more.items() if part and _says_something(part)]
            return f"{first} ({', '.join(rest)})" if rest else first
        told = {key: part for key, part in value.items() if _says_something(part)}
        deep = any(isinstance(part, dict) for part in told.values())
        lines = [f"{self.name(within + key)} ({self.value(part)})" if isinstance(part, dict)
                 else f"{self.name(within + key)} {self.value(part)}" for key, part in told.items()]
        return (self._semicolon if deep else ", ").join(lines) or NOTHING

    @property
    def _rows(self) -> Mapping[str, RowParts]:
        """What the parts of a row are to it, by its list."""
        return {} if self.system is None else self.system.rows

    def _ready(self, value: object) -> Value:
        """A value for a sentence: what the catalogue words well by itself is left to it."""
        if type(value) is str or type(value) is int:  # as most are
            return value
        if isinstance(value, (Fraction, float)):  # a number still: words may depend on how many
            return float(value)
        those = reference(value)
        if those is not None:
            return self.people(those)
        plainly: Plain = plain(value)
        if isinstance(plainly, (bool, int, str)) or (isinstance(plainly, list) and all(map(_is_simple, plainly))):
            return plainly
        return self.value(plainly)

    def number(self, number: Fraction | float) -> str:
        """A number that need not be whole, in the language's way."""
        return self.words.word(self.lang, float(number))

    def percent(self, chance: Fraction) -> str:
        """A probability as a percentage; never 0 or 100 unless it is exactly that."""
        over, under = chance.as_integer_ratio()  # whole numbers are compared at once
        share = over / under * 100
        if over > 0 and share < 0.05:
            text, sign = "0.1", "<\u00a0"
        elif over < under and share >= 99.95:
            text, sign = "99.9", ">\u00a0"
        else:
            text, sign = f"{share:.1f}" if over not in (0, under) else f"{share:.0f}", ""
        return f"{sign}{text.replace('.', ',')}\u00a0%" if self.lang == "fr" else f"{sign}{text}%"

    def chance(self, chance: Fraction) -> str:
        """The chance of success: a percentage, or that there is none."""
        return self.percent(chance) if chance else self.say("telling.impossible")

    def fraction(self, chance: Fraction) -> str:
        """The exact fraction, or nothing when it is too long to help anybody."""
        text = fraction_text(chance)
        return text if len(text) <= _LONGEST_FRACTION else ""

    # Forms

    def expected(self, kind: AnyType, ctx: Context, typed: bool = False) -> str:
        """What a field accepts, in a few words; with ``typed``, options as they must be typed, then what they mean."""
        return self._accepts(described(kind, ctx), typed)

    def _accepts(self, about: FieldFacts, typed: bool) -> str:
        options = ", ".join(self._option(option, typed) for option in about.options or ())
        match about:
            case FieldFacts(type="one-of") if options:
                return options
            case FieldFacts(type="score") if options:
                return self.say("telling.number-or", options=options)
            case FieldFacts(type="whole" | "score"):
                return self._bounds(*about.bounds)
            case FieldFacts(type="many", of=FieldFacts() as each):
                return self.say("telling.several", of=self._accepts(each, typed))
            case FieldFacts(type="group", parts=Mapping() as parts):
                named = {name if typed else self.name(name): of for name, of in parts.items()}
                return ", ".join(f"{name} ({self._accepts(of, typed)})" for name, of in named.items())
        key = f"telling.{about.type}"
        return self.say(key if self.words.knows(key) else "telling.text")

    def _option(self, option: Value, typed: bool) -> str:
        word, spelled = self.value(option), str(plain(option))
        return f"{spelled} ({word})" if typed and spelled != word else word

    def _bounds(self, low: int | None, high: int | None) -> str:
        if low is None and high is None:
            return self.say("telling.whole")
        if high is None:
            return self.say("telling.at-least", n=low)
        return self.say("telling.at-most", n=high) if low is None else self.say("telling.between", low=low, high=high)

    def step_word(self, field: str, value: Value) -> str:
        """What one value of a field is called where it is a step, a pill or a card; else as the value is read."""
        return self.step_title(field, value) or self.value(value)

    def step_title(self, field: str, value: Value) -> str:
        """The same, empty where the game has no word of its own for it."""
        return self._title(f"fields.{field}.steps.{plain(value)}")

    def step_figure(self, value: Value, fellows: Iterable[Value]) -> str:
        """The figure of a step that is a whole number, with its sign where some of the others are below 0."""
        if not isinstance(value, int) or isinstance(value, bool):
            return ""
        below = any(isinstance(one, int) and one < 0 for one in fellows)
        return f"+{self.value(value)}" if below and value > 0 else self.value(value)

    def steps_named(self, field: str, values: Value) -> str:
        """Steps that were said without a label of their own, each by its name; empty where one has none."""
        parts = values if isinstance(values, list) else []
        numbers = [[part for part in one.values() if part != field] if isinstance(one, dict) else [] for one in parts]
        named = [self._title(f"fields.{field}.steps.{own[0]}") if len(own) == 1 else "" for own in numbers]
        return ", ".join(named) if all(named) else ""

    def none_word(self, field: str) -> str:
        """What choosing none of a field's values is called."""
        return self._title(f"fields.{field}.steps.none") or NOTHING

    def face_word(self, sides: int, face: int) -> str:
        """What a face of a die is called whatever it is thrown for, empty where the game has no word for it."""
        return self._title(f"faces.d{sides}.{face}")

    def cell_word(self, field: str, row: Value, column: Value) -> str:
        """What a pair of values is called where two fields are crossed, empty where the game has no word for it."""
        return self._title(f"fields.{field}.cells.{plain(row)}.{plain(column)}")

    def step_example(self, field: str, value: Value) -> str:
        """An example of a value of a field, empty where the game gives none."""
        return self._title(f"fields.{field}.examples.{plain(value)}")

    def part_name(self, field: str, part: str) -> str:
        """What one part of a field is called: as that field says it, else as the game calls it anywhere."""
        return self._title(f"fields.{field}.parts.{part}") or self.name(part)

    def synonyms(self, move: str) -> str:
        """Everyday words by which a move is looked for too, empty where it has none."""
        return self.words.entry(self.lang, f"moves.{move}", "synonyms")

    def sought(self, field: str, value: Value) -> str:
        """By what a value of a field is looked for: what it is called and everyday words; nothing where it has none."""
        words = self.words.entry(self.lang, f"fields.{field}.sought.{plain(value)}")
        return f"{self.value(value)} {words}" if words else ""

    # What happened

    def telling(self, telling: Telling, ctx: Context | None = None) -> str:
        """A line told of a result; actors of the context are called by their names."""
        if ctx is not None:
            actors = {actor.id for actor in ctx.actors}
            values = {name: Who(value) if isinstance(value, str) and value in actors else value
                      for name, value in telling.values.items()}
            return self.inside(ctx).telling(telling._replace(values=values))
        line = self._begun(telling.key, self.say(telling.key, **telling.values), telling.values.items())
        return self.say("house.rung", rung=self.rung(telling.rung), line=line) if telling.rung else line

    def rung(self, rung: str) -> str:
        """What one of the possible ends of a throw is called."""
        return self._title(f"rungs.{rung}") or rung

    def note(self, note: Noted) -> str:
        """A line of the explanation."""
        return self.why(note.key, note.values)

    def why(self, key: str, values: Iterable[tuple[str, object]]) -> str:
        """A line of the explanation, by its key and values."""
        values = dict((*self.cast.items(), *values)).items()
        ready = {name: self._ready(value) for name, value in values}
        return self._begun(f"notes.{key}", self.words.say(self.lang, f"notes.{key}", **ready), values)

    def _begun(self, key: str, sentence: str, values: Iterable[tuple[str, object]]) -> str:
        """A sentence that begins with somebody begins with a capital, whoever they are; other words stay as written."""
        entry = self.words.find(self.lang, key)
        first = next(iter(entry.values()), "") if isinstance(entry, dict) else entry
        people = {name for name, value in values if reference(value) is not None}
        begins = isinstance(first, str) and first.startswith(tuple(f"{{{name}" for name in {*people, *self.cast}))
        return _capital(sentence) if begins else sentence

    def thrown(self, thrown: Thrown) -> str:
        """Dice as they fell: ``2d6: 3, 5``."""
        faces = ", ".join(map(str, thrown.faces))
        return self.say("telling.thrown", n=len(thrown.faces), sides=thrown.sides, faces=faces)

    def outcome(self, key: str, result: Value = None) -> str:
        """The words of a short outcome key; where it has none, what the result holds. Empty words say nothing."""
        if self.words.find(self.lang, f"outcomes.{key}") == "":
            return ""
        found = self._title(f"outcomes.{key}") or (self._title(key) if "." in key else "")
        if found:
            return _capital(self._filled(found)) if found.startswith("{") else self._filled(found)
        if result is not None and not _is_simple(result):
            return self.value(result)
        return self.value(key)

    def _filled(self, words: str) -> str:
        """Words with the names of those who are in what is told."""
        return self.words.filled(self.lang, words, {
            role: self._ready(self.cast.get(role, People(()))) for role in slots_of(words)}) if "{" in words else words

    def choice(self, choice: Choice) -> str:
        """The question that a rule asks."""
        return self.title(f"choices.{choice.key}")

    def stakes(self, key: str, values: Iterable[tuple[str, object]]) -> str:
        """What is at stake in a question, where the game has words for it; in figures of whoever is asked.

        Words under ``stakes_<value>`` are for where such a value is given.
        """
        given, entry = {name: self._ready(value) for name, value in values}, f"choices.{key}.stakes"
        entries = (*(f"{entry}_{name}" for name in given), entry)
        found = next((one for one in entries if self.words.find(self.lang, one) is not None), None)
        return "" if found is None else self.words.say(self.lang, found, **given)

    def option(self, choice: Choice | None, option: object) -> str:
        """One answer to a choice: words of that choice, or those of the game. Of two figures, the choice may say which
        is which (``both``)."""
        value: Plain = plain(option)
        if choice is not None and isinstance(value, list) and len(value) == len(BOTH):
            entry = f"choices.{choice.key}.both"
            if self.words.find(self.lang, entry) is not None:
                return self.words.say(self.lang, entry, **dict(zip(BOTH, value, strict=True)))
        if choice is not None and isinstance(value, (str, int)):
            found = self._title(f"choices.{choice.key}.{str(value).lower()}")
            if found:
                return found
        if value is None or value in ("", []):
            return self.say("telling.nothing")
        return self.value(value)

    def audience(self, audience: Audience | None) -> str:
        """Who may see something, empty when everybody may."""
        if audience is None or ALL in audience:
            return ""
        return ", ".join(self.role(name) for name in sorted(audience)) or self.say("telling.nobody")

    def _what(self, kind: str, record: object) -> str:
        """What a record without a name is called: what it is."""
        declared = self.system.kinds.get(kind) if self.system is not None else None
        what = getattr(record, declared.called, "") if declared is not None and declared.called else ""
        return self.value(what) if what else self.title(f"kinds.{kind}")

    def change(self, change: Change, ctx: Context | None = None) -> Iterator[tuple[str, str, str]]:
        """A change as lines of what, before and after; a whole state that changes is told part by part."""
        who = self.actor(ctx, change.target)
        if change.kind and not change.path:
            record = change.before if change.after is None else change.after
            kind = self.title(f"kinds.{change.kind}")
            who = str(getattr(record, "name", "")) or self._what(change.kind, record)
            yield (who, NOTHING, kind) if change.after is not None else (who, kind, NOTHING)
            return
        if (change.target, change.path) == ("clock", "minutes"):
            was, now = (self.moment(at) if isinstance(at, int) else NOTHING for at in (change.before, change.after))
            yield who, was, now
            return
        start = tuple(part for part in change.path.split(".") if part)
        for path, before, after in _differences(start, to_plain(change.before), to_plain(change.after), self._rows):
            steps = [self.name(part) for part in path]
            yield (self.say("telling.whose", who=who, what=" · ".join(steps)) if steps else who,
                   self.value(_said_of(before), change.path), self.value(_said_of(after), change.path))

    # Chances

    def odds_rows(self, weighed: AnyOdds, outcome: Callable[[Value], str] = str) -> list[OddsRow]:
        """Results grouped by outcome, in the order in which the game's words list them."""
        key_of = {result: str(plain(outcome(result))) for result in weighed}
        first: dict[str, Value] = {}
        for result, key in key_of.items():
            first.setdefault(key, result)
        grouped = weighed.map(key_of.__getitem__)
        rows = [OddsRow(key, self.outcome(key, first[key]), grouped[key]) for key in first]
        known = self.words.find(self.lang, "outcomes")
        listed = {key: at for at, key in enumerate(known if isinstance(known, dict) else ())}
        if all(row.key in listed for row in rows):
            return sorted(rows, key=lambda row: listed[row.key])
        if all(_is_number(row.key) for row in rows):
            return sorted(rows, key=lambda row: float(row.key))
        return sorted(rows, key=lambda row: (-row.chance, row.key))

    def means(self, weighed: AnyOdds) -> list[Mean]:
        """The means of whatever is a number in the results and varies."""
        numbers = [(_numbers(result), ways) for result, ways in weighed.ways.items()]
        throughout = [name for name in (numbers[0][0] if numbers else ()) if all(name in row for row, _ in numbers)]
        return [
            Mean(name, self.name(name) if self.is_named(name) else "",
                 Fraction(sum(row[name] * ways for row, ways in numbers), weighed.total))
            for name in throughout if any(row[name] != numbers[0][0][name] for row, _ in numbers)
        ]

    def compared(self, ctx: Context, step: AnyResolve, policy: str = "usual") -> list[Compared]:
        """The odds for every value of the field that the rule finds worth comparing (``Resolve.vary``)."""
        if not step.vary:
            return []
        asked = ctx.move.field(step.vary)
        actor = ctx.one(asked.role)
        focus = replace_focus(ctx, actor)
        lines = []
        for value in values_of(asked, focus)[:_WIDEST_COMPARISON]:
            filled = dataclasses.replace(actor, filled={**actor.filled, asked.id: value})
            others = tuple(filled if other is actor else other for other in ctx.actors)
            try:
                weighed = step.odds(dataclasses.replace(ctx, actors=others), policy)
            except ParaventError:
                continue  # a value that the rules refuse as things stand has no line
            lines.append(Compared(plain(value), self.value(value), weighed))
        return lines

    # Sheets

    def sheet(
        self, kind: AnyKind, record: Mapping[str, Plain], derived: Mapping[str, Value] | None = None
    ) -> list[SheetBlock]:
        """A sheet in blocks: its sections as declared, what they leave out, and what follows from the rest."""
        left, follows = dict(record), dict(derived or {})
        known = {**record, **follows}
        blocks = []
        for section in kind.sections:
            lines = [self._sheet_line(kind, name, to_plain((left if name in left else follows).pop(name)), known)
                     for name in section.fields if name in left or name in follows]
            if lines:
                blocks.append(SheetBlock(self.title(f"sections.{section.id}"), lines))
        if left:
            lines = [self._sheet_line(kind, name, value, known) for name, value in left.items()]
            blocks.append(SheetBlock(self.title(f"kinds.{kind.id}"), lines))
        named = [(self.name(name), self.value(value)) for name, value in follows.items() if self.is_named(name)]
        if named:
            blocks.append(SheetBlock(self.say("telling.derived"), named))
        return blocks

    def _sheet_line(self, kind: AnyKind, name: str, value: Plain, known: Mapping[str, Value]) -> tuple[str, str]:
        things = isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)
        text = "\n".join(map(self.value, value)) if isinstance(value, list) and things else self.value(value)
        most = kind.gauges.get(name, "")
        most_now = known.get(most, most) if most else None
        return self.name(name), text if most_now in ("", None) else f"{text} / {self.value(most_now)}"


def success_of(step: AnyResolve, weighed: AnyOdds, side: str = "") -> Fraction | None:
    """The chance that is shown first, if the rule names one; in an opposition, that of one side."""
    if side and step.sides is not None:
        goes_well = step.sides
        return weighed.chance(lambda result: side in goes_well(result))
    if step.success is None:
        return None
    succeeds = weighed.map(step.success)
    return succeeds[True] if succeeds.keys() <= {True, False, None} else None


def spoken(ctx: Context, telling: Telling) -> dict[str, Value]:
    """The values of a line told of a result, with those who hold the roles that its sentence names."""
    return {**_roles_named(ctx, telling.key), **telling.values}


def _roles_named(ctx: Context, key: str) -> dict[str, Value]:
    entry = ctx.system.words.find(LANGUAGES[0], key)
    texts = entry.values() if isinstance(entry, dict) else [entry]
    slots = {slot for text in texts if isinstance(text, str) and "{" in text for slot in slots_of(text)}
    return {role.id: people(ctx.all(role.id)) for role in ctx.move.cast if role.id in slots and role.id != GM}


def slots_of(words: str) -> frozenset[str]:
    """The values that a sentence has places for."""
    return frozenset(name for _, name, _, _ in Formatter().parse(words) if name)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _differences(path: tuple[str, ...], before: Plain, after: Plain, rows: Mapping[str, RowParts]
                 ) -> Iterator[tuple[tuple[str, ...], Plain, Plain]]:
    """Where two values differ, as deep as their parts have names."""
    known = (*filter(None, (rows.get(".".join(path), RowParts()).named,)), *_IDS)
    before, after = _named(before, after, known), _named(after, before, known)
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            if before.get(name) != after.get(name):
                yield from _differences((*path, name), before.get(name), after.get(name), rows)
        return
    gone, come = _things(before), _things(after)
    if gone is not None and come is not None:
        yield path, _besides(gone, come), _besides(come, gone)
    else:
        yield path, before, after


def _besides(things: Iterable[Plain], others: Iterable[Plain]) -> Plain:
    """The things that others do not hold as often: a second wound like the first is one more."""
    left, found = list(others), list[Plain]()
    for thing in things:
        if thing in left:
            left.remove(thing)
        else:
            found.append(thing)
    return found


def _things(value: Plain) -> list[dict[str, Plain]] | None:
    """A list of things, each with parts of its own; nothing for any other value."""
    things = [part for part in value if isinstance(part, dict)] if isinstance(value, list) else None
    return things if things is not None and things == value else None


def _said_of(value: Plain) -> Plain:
    """A whole that comes or goes, or several, told by what there is in it."""
    if isinstance(value, list):
        return [_said_of(part) for part in value] if _things(value) is not None else value
    return {name: _said_of(part) for name, part in value.items() if part} if isinstance(value, dict) else value


def _named(value: Plain, other: Plain, known: Sequence[str]) -> Plain:
    """A list of things with names, as a mapping by name, when another is such a list too."""
    named = _by_name(value, known)
    return {**named} if named and _by_name(other, known) else value


def _by_name(value: Plain, known: Sequence[str]) -> dict[str, dict[str, Plain]]:
    """A list of things by the names they are known by; empty where one has none, or two have the same."""
    things = _things(value) or []
    found = {str(name): thing for thing in things if (name := next(filter(None, map(thing.get, known)), None))}
    return found if len(found) == len(things) else {}


def _numbers(result: Value) -> Mapping[str, int | Fraction]:
    """The named numbers of a result: those of its parts, or the result itself."""
    if isinstance(result, (int, Fraction)) and not isinstance(result, bool):
        return {"result": result}
    names: Sequence[str] = getattr(result, "_fields", ())
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        names = [part.name for part in dataclasses.fields(result)]
    parts = {name: getattr(result, name) for name in names}
    return {name: value for name, value in parts.items()
            if isinstance(value, (int, Fraction)) and not isinstance(value, (bool, Enum))}


def _is_simple(value: Value) -> bool:
    return isinstance(value, (str, int, Enum)) and not hasattr(value, "_asdict")


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _is_tally(value: Value) -> bool:
    """Whether a value is a thing and how often it came."""
    return isinstance(value, dict) and value.keys() == {"name", "times"}


def _says_something(value: Value) -> bool:
    return value is not None and value not in ("", [], {})
