"""What an open move asks of one seat, as the fields of a form: grouped by who answers, the usual ones folded away."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from paravent.dice import ParaventError
from paravent.game import (
    AnyField,
    Ask,
    Context,
    FieldFacts,
    Place,
    Plain,
    Resolve,
    ShapeFacts,
    System,
    Value,
    to_plain,
)
from paravent.game.asking import field_facts, usual_of
from paravent.game.errors import Withheld
from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.game.move import Actor, Step, replace_focus
from paravent.game.records import GM
from paravent.game.telling import Teller
from paravent.table.by_filled import ByFilled
from paravent.table.kept import ByIdentity
from paravent.table.open_move import OpenMove

from .shapes import GridRow, Tile
from .sheets import Gauge

_WORDS: ByIdentity[frozenset[str]] = ByIdentity()
"""Every word on a sheet that may be read."""
_SCORES: ByIdentity[dict[str, int]] = ByIdentity()
_FEW = 5
_SHORT = 14
_LONG = 8
_AT_ONCE = 3


SENTENCES = 300
"""How many characters a text takes at least that is more than a few words."""

@dataclass
class Control:
    """One thing asked on a form."""

    actor: str
    name: str
    title: str
    help: str
    kind: str
    value: Plain
    usual: str
    options: Sequence[tuple[str, str]] = ()
    at_hand: Sequence[tuple[str, str]] = ()
    """Of a long list of options, those that stand on the sheet."""
    suggested: Sequence[str] = ()
    """Words at hand for a text."""
    wide: bool = False
    """Whether it takes whole sentences: it is given the whole width."""
    minimum: int | None = None
    maximum: int | None = None
    secrecy: str = "open"
    required: bool = False
    aside: bool = False
    """Whether it need seldom be said: the game master's word about somebody else, a number that the sheet gives."""
    filled: bool = False
    names: bool = False
    """Whether it says what somebody or something is called."""
    main: bool = True
    rule: str = ""
    stands: Plain = None
    """What stands when nothing is filled in, as a form would send it."""
    most: int = 0
    """How many values are asked for at most, where the same may come several times."""
    is_void: bool = False
    """Whether it asks for some of several that are listed, and none is: there is nothing to choose from."""
    few: int = 0
    """How many of the options may be chosen together at most; 0 where there is no such bound."""
    parts: Sequence[Control] = ()
    pills: bool = False
    sheet: str = ""
    """The kind of record asked for, when a whole sheet is."""
    place: Place = "refinement"
    """Where the game puts it on a form."""
    scored: bool = False
    """Whether its options are named with what the sheet has for each."""
    shape: ShapeFacts | None = None
    """What its control looks like, where it is no plain one."""
    waits: bool = False
    """Whether the act stands still until it is said."""
    tiles: list[Tile] = field(default_factory=list)
    """Its values, each to be chosen by a touch."""
    not_now: list[tuple[str, str]] = field(default_factory=list)
    """What else has a price, and cannot be had as things stand; with its price."""
    alike: str = ""
    """What every tile would bring, where that is the same."""
    grid: list[GridRow] = field(default_factory=list)
    across: list[str] = field(default_factory=list)
    beside: Control | None = None
    """Another group with the same parts, drawn side by side with it."""
    crossed: str = ""
    """The field it is crossed with."""
    phrase: list[str | Control] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """The texts that words are picked from, each with its title."""
    quoted: list[tuple[str, list[str]]] = field(default_factory=list)
    """What was picked from them before, under the title of the list that it went to."""
    within: bool = False
    """Whether it is drawn as a part of another."""
    confirmed: bool = False
    """Whether it was the game master's to judge, and was judged."""
    meter: Gauge | None = None
    """The gauge that pays for it."""
    numbers: list[int] = field(default_factory=list)
    """Plain numbers that will do as well as a name of the sheet."""
    nothing: str = "–"
    """What choosing none is called."""

    @property
    def is_settled(self) -> bool:
        """Whether a seal leaves nothing to choose about it: it is sent with the rest, and not drawn."""
        if self.secrecy == "sealed" and self.is_void:
            return True
        if self.secrecy != "sealed" or self.place not in ("refinement", "rarity") or self.stands is None:
            return False
        only = [value for value, _ in self.options]
        return only == [str(self.stands)] if self.kind == "one-of" else self.kind == "whole" and self.maximum == 0

    def again(self) -> Control:
        """The same, to be given a shape of its own."""
        made = object.__new__(Control)
        vars(made).update(vars(self))
        if self.parts:
            made.parts = [part.again() for part in self.parts]
        return made


@dataclass
class FormGroup:
    """The fields that one actor answers for, on one form of its own."""

    actor: str
    title: str
    gm: bool = False
    sealed: bool = False
    waits: bool = False
    """Whether something here must be confirmed even if it is left as usual."""
    fields: list[Control] = field(default_factory=list)
    does_away: list[tuple[list[str], list[str]]] = field(default_factory=list)
    """Of a form sent by hand, which options do away with which of its fields, in words."""

    @property
    def is_in(self) -> bool:
        """Whether a sealed choice is made."""
        return self.sealed and all(asked.filled for asked in self.fields)

    @property
    def is_said(self) -> bool:
        """Whether the game master has judged, and nothing here waits any more: it can be folded.

        Whoever is about to throw still weighs what they said: that stays.
        """
        return self.gm and not (self.sealed or self.waits) and any(asked.confirmed for asked in self.fields)

    @property
    def sheet(self) -> Control | None:
        """The whole sheet that is asked for, if one is."""
        return next((asked for asked in self.fields if asked.kind == "sheet"), None)

    @property
    def main(self) -> list[Control]:
        """What is shown at once."""
        return [asked for asked in self.fields if asked.main and not asked.within]

    @property
    def more(self) -> list[Control]:
        """What is folded away."""
        return [asked for asked in self.fields if not asked.main and not asked.within]


_CONTROLS: ByFilled[Control | None] = ByFilled()


class FormReader:
    """Reads what a move asks of one seat."""

    def __init__(self, system: System, eyes: Eyes, seat: str, teller: Teller, names: Mapping[str, str],
                 stands_in: Collection[str] = ()) -> None:
        self._system, self._eyes, self._seat, self._teller, self._names = system, eyes, seat, teller, names
        self._stands_in = stands_in
        """Those whom the seat answers for because nobody else may know of the move."""

    def _word(self, value: Value) -> str:
        """A value in words; people by their names."""
        if isinstance(value, (list, tuple)):
            return ", ".join(map(self._word, value)) or self._teller.value(value)
        return self._names[value] if isinstance(value, str) and value in self._names else self._teller.value(value)

    def _named(self, field: str, value: Value) -> str:
        """A value of a field: a word may mean another thing there than elsewhere."""
        return self._teller.step_word(field, value) if isinstance(value, str) and value not in self._names else (
            self._word(value))

    @cached_property
    def _known_by(self) -> tuple[Hashable, ...]:
        """In which words, and by which names, a control is read."""
        return self._teller.lang, tuple(self._names.items())

    def groups(self, op: OpenMove, ctx: Context, only: Ask | None = None) -> list[FormGroup]:
        """A group for each actor that this seat answers for: players' parts first, the game master's last."""
        found: dict[tuple[str, bool], FormGroup] = {}
        step = op.step(self._system)
        reached = {asked.id for asked in step.fields} if isinstance(step, Ask) else set()
        instead = op.asks("")  # whoever is asked in place of all
        answers: dict[str, bool] = {}
        fields = [*_said_anew(op, only), *only.fields] if only is not None else [
            asked for ask in _asks(op, step) for asked in ask.fields]
        people = [*enumerate(ctx.actors)]
        for asked, at, actor in ((asked, at, actor) for asked in fields for at, actor in people
                                 if actor.role == asked.role):
            who = instead or asked.by or actor.id
            if who not in answers:
                answers[who] = self._seat in self._eyes.controllers(who)
            if not answers[who] and (actor.id not in self._stands_in or asked.secrecy == "sealed"):
                continue
            if asked.secrecy == "sealed" and asked.id in op.revealed:
                continue  # it lies open: everybody reads it
            shown = self._control(op, asked, at, ctx)
            if shown is None:
                continue
            sealed = asked.secrecy == "sealed"
            group = found.get((actor.id, sealed))
            if group is None:
                group = found[actor.id, sealed] = FormGroup(actor.id, self._title(actor), actor.role == GM, sealed)
            group.fields.append(shown)
            waits = asked.waits and asked.id in reached and asked.id not in actor.filled and asked.is_awaited(
                replace_focus(ctx, actor))
            shown.waits = waits and shown.kind != "sheet"  # a sheet is handed in on a page of its own
            group.waits |= shown.waits
        groups = sorted(found.values(), key=lambda group: group.gm)
        for group in groups:
            _choose_main(group)
        return groups

    def _title(self, actor: Actor) -> str:
        name = getattr(actor.record, "name", "") or (self._names.get(actor.id, "") if actor.record is None else "")
        return str(name or self._teller.role(actor.role))

    def _control(self, op: OpenMove, asked: AnyField, at: int, ctx: Context) -> Control | None:
        """A field as it is asked; described again only once something that says how it is asked is another."""
        shown = _CONTROLS.of(op, ctx, lambda noted: self._field(asked, noted.actors[at], noted),
                             at, asked.id, asked.role, self._known_by)
        return None if shown is None else shown.again()

    def _field(self, asked: AnyField, actor: Actor, ctx: Context) -> Control | None:
        focus = replace_focus(ctx, actor)
        with suppress(Withheld, ParaventError):  # why it is asked may be hidden: what is usual there is not, for that
            if not asked.applies(focus):
                return None
        try:
            facts, usual = field_facts(asked, focus), usual_of(asked, focus)
        except (Withheld, ParaventError):
            facts, usual = FieldFacts(asked.type.name), None
        value = actor.filled.get(asked.id)
        shown = self._described(actor.id, asked.id, facts, to_plain(value), usual)
        if shown.kind == "one-of" and not shown.options and value is None and asked.has_usual():
            return None  # nothing to choose from yet
        if shown.is_void and value is None and asked.has_usual() and asked.secrecy != "sealed":
            return None
        if shown.kind == "group" and facts.parts == {} and asked.secrecy != "sealed":
            return None  # nothing that this one has
        if "score" in (shown.kind, facts.of.type if facts.of else ""):
            shown.options = [(name, f"{words} {self._teller.value(score)}"
                              if (score := _score(actor.record, name)) is not None else words)
                             for name, words in shown.options]
            shown.scored = any(_score(actor.record, name) is not None for name, _ in shown.options)
        shown.secrecy, shown.rule, shown.names = asked.secrecy, asked.rule, asked.names
        shown.place, shown.shape = asked.placed, facts.shape or None
        shown.confirmed = asked.id in actor.filled and asked.place == "judgement"
        said_nothing = usual is None and asked.waits and shown.kind in ("text", "sheet")
        shown.required = not asked.has_usual() or said_nothing
        on_sheet = asked.optional and shown.kind == "whole" and actor.record is not None
        shown.filled, shown.aside = asked.id in actor.filled, on_sheet or (bool(asked.by) and asked.has_usual())
        # What is typed stays where it is being written.
        typed = shown.kind in ("text", "many") and not (shown.options or shown.suggested)
        chosen = value is not None and not typed
        shown.main = chosen or shown.place in ("essential", "judgement") or (not asked.place and shown.kind == "score")
        if shown.kind == "one-of" and len(shown.options) > _LONG:
            record = actor.record
            words = _WORDS.of((record,), lambda: frozenset(_words_of(record)))
            shown.at_hand = [option for option in shown.options if option[0] in words]
        if asked.secrecy == "sealed":
            # Every sealed field must be in, so that silence tells nothing: without a usual value, what is at hand.
            if shown.stands is None and shown.options and shown.kind == "one-of":
                shown.stands = _at_hand(asked.id, actor, ctx, [value for value, _ in shown.options])
            shown.value = shown.stands if value is None else shown.value
        return shown

    def _described(self, actor: str, name: str, facts: FieldFacts, value: Plain, usual: Plain) -> Control:
        kind, inner = facts.type, facts.of or facts
        whole, _, last = name.rpartition(".")
        options = [(str(option), self._named(last, option)) for option in inner.options or ()]
        low, high = inner.bounds
        shown = Control(
            actor, name, self._teller.part_name(whole, last) if whole else self._teller.title(f"fields.{last}"),
            self._teller.help(f"fields.{last}"), kind, _sent(value), "" if usual is None else self._named(last, usual),
            options, minimum=low, maximum=high, stands=_sent(usual),
            sheet=facts.kind or "", suggested=[self._word(words) for words in facts.suggested or ()],
        )
        shown.shape = facts.shape or None
        shown.wide = isinstance(facts.longest, int) and facts.longest >= SENTENCES
        few = len(options) <= _FEW and all(len(words) <= _SHORT for _, words in options)
        shown.pills = kind == "flag" or (kind == "one-of" and few)
        shown.is_void = kind == "many" and inner.options == []
        repeats = kind == "many" and not facts.distinct
        shown.most = facts.most or 0 if repeats else 0
        shown.few = facts.most or 0 if kind == "many" and facts.distinct else 0
        if facts.parts:
            values = value if isinstance(value, dict) else {}
            usuals = usual if isinstance(usual, dict) else {}
            shown.parts = [
                self._described(actor, f"{name}.{part}", about, values.get(part), usuals.get(part))
                for part, about in facts.parts.items()
            ]
        return shown


def _score(record: object, name: str) -> int | None:
    """The number that a name stands for on a sheet: a score of its own, or a thing of that name with a value."""
    try:
        value = getattr(record, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        return _SCORES.of((record,), lambda: _scores_listed(record)).get(name)
    except Withheld:
        return None


def _scores_listed(record: object) -> dict[str, int]:
    """The numbers of the things that a sheet lists, by their names; of several by one name, the first."""
    found: dict[str, int] = {}
    for part in dataclasses.fields(record) if dataclasses.is_dataclass(record) else ():
        with suppress(Withheld):
            listed = getattr(record, part.name)
            for thing in listed if isinstance(listed, tuple) else ():
                number = getattr(thing, "value", getattr(thing, "score", None))
                if isinstance(number, int):
                    found.setdefault(str(getattr(thing, "name", None)), number)
    return found


def _at_hand(name: str, actor: Actor, ctx: Context, options: Sequence[str]) -> str:
    """The option that an actor has in hand: in the encounter, else on the sheet, else the first."""
    state = ctx.encounter
    with suppress(Withheld, AttributeError, TypeError):
        for part in dataclasses.fields(state) if dataclasses.is_dataclass(state) else ():
            listed = getattr(state, part.name)
            for thing in listed if isinstance(listed, tuple) else ():
                if getattr(thing, "id", None) == actor.id and str(getattr(thing, name, "")) in options:
                    return str(getattr(thing, name))
    return next((word for word in _words_of(actor.record) if word in options), options[0])


def _words_of(record: object) -> Iterator[str]:
    """Every word on a sheet that may be read."""
    for part in dataclasses.fields(record) if dataclasses.is_dataclass(record) else ():
        with suppress(Withheld):
            yield from _words_in(getattr(record, part.name))


def _words_in(value: object) -> Iterator[str]:
    """Every word that a value holds, however deep."""
    plain = to_plain(value)
    if isinstance(plain, str):
        yield plain
    for part in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        yield from _words_in(part)


def _choose_main(group: FormGroup) -> None:
    """A form shows something at once: of the game master's part, what it is about; of any other, at least one thing."""
    if not group.main and not group.gm:
        for asked in [f for f in group.fields if f.kind in ("one-of", "many", "flag") and not f.aside][:_AT_ONCE]:
            asked.main = True
    if group.gm and all(asked.names or asked.filled for asked in group.main):
        for asked in [f for f in group.fields if f.kind in ("whole", "one-of", "many")][:1]:
            asked.main = True
    if group.sealed:
        for at, asked in enumerate(group.fields):
            asked.main = at < _FEW
    if len(group.fields) <= 3:
        for asked in group.fields:
            asked.main |= not asked.aside
    if group.sheet is not None and group.sheet.required:
        for asked in group.fields:
            asked.main = asked is group.sheet


def _asks(op: OpenMove, reached: Step | None) -> list[Ask]:
    """The questions put before the next throw; where the act went on without one, the question that it is at."""
    asks = []
    for step in op.move.steps:
        if isinstance(step, Resolve) and not step.auto:
            break
        if isinstance(step, Ask):
            asks.append(step)
    return [reached] if isinstance(reached, Ask) and reached not in asks else asks


def _said_anew(op: OpenMove, now: Ask) -> Iterator[AnyField]:
    """What was asked since the last dice, before the question that is asked now, and may be said anew."""
    for step in reversed(op.move.steps[:op.move.steps.index(now)]):
        if isinstance(step, Resolve) and not step.auto:
            return
        yield from (asked for asked in step.fields if asked.anew) if isinstance(step, Ask) else ()


def _sent(value: Plain) -> Plain:
    """A value as a form holds it: words, numbers, yes and no; lists of words; anything deeper as JSON."""
    if isinstance(value, list) and all(isinstance(part, (str, int)) for part in value):
        return [str(part) for part in value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value
