"""From the words of a command line to what games read: forms, sheets, answers, options, encounters.

Everything given is checked against what the move declares before anything is thrown. Nothing here prints.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from paravent.dice import Choice, plain
from paravent.dice.errors import ParaventError
from paravent.game.errors import STUMBLES, BadValue, MootField, OutOfRange, UnknownName
from paravent.game.fields import AnyType, Many, TextField
from paravent.game.move import Ask, Context, Move, Resolve, Role, replace_focus
from paravent.game.plain import Plain, Value
from paravent.game.records import AnyKind, from_plain
from paravent.game.rulebook import Rulings
from paravent.game.system import System, fill_all
from paravent.game.telling import Teller

from .errors import BadJson, BadShape, GivenTwice, NeedsEncounter, NoEncounter, NotAPair, UnreadableFile, UnwritableFile

Form = dict[str, list[dict[str, Plain]]]
"""For each role, the fields of each member."""
Later = dict[str, dict[str, Plain]]
"""By actor, fields asked after a result."""


# Files and values


def read_text(name: str) -> str:
    """The text of a file, or of the standard input for ``-``."""
    try:
        return sys.stdin.read() if name == "-" else Path(name).expanduser().read_text("utf-8")
    except OSError as error:
        raise unreadable(error, name) from None
    except ValueError:
        raise UnreadableFile(file=name, reason="not-text") from None


def unreadable(error: OSError, name: str = "") -> UnreadableFile:
    """A file or folder that somebody named and the system refuses, with the reason."""
    return UnreadableFile(file=name or str(error.filename)[:_MOST_OF_A_NAME], reason=_reason(error))


def unwritable(error: OSError, name: str) -> UnwritableFile:
    """A place that somebody named for something to be written, and the system refuses, with the reason."""
    return UnwritableFile(file=name, reason=_reason(error))


def _reason(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "not-found"
        case IsADirectoryError():
            return "directory"
        case NotADirectoryError():
            return "no-directory"
        case PermissionError():
            return "forbidden"
    return "other"


_MOST_OF_A_NAME = 80


def read_json(text: str, where: str) -> Plain:
    """The value of a JSON text; ``where`` says what is wrong if it is not."""
    try:
        value: Plain = json.loads(text)
        return value
    except json.JSONDecodeError as error:
        raise BadJson(where=where, line=error.lineno, column=error.colno) from None
    except (RecursionError, ValueError):  # deeper, or a number longer, than can be read
        raise BadJson(where=where, line=1, column=1) from None


def file_or_json(text: str) -> Plain:
    """JSON written on the command line, or in a file (``sheet.json``, ``@sheet.json``, ``-``)."""
    if text.lstrip()[:1] in ("{", "["):
        return read_json(text, text[:30])
    name = text.removeprefix("@")
    return read_json(read_text(name), name)


def pair(word: str, example: str = "name=value") -> tuple[str, str]:
    """The two sides of ``name=value``."""
    name, equals, value = word.partition("=")
    if not equals or not name.strip():
        raise NotAPair(got=word, example=example)
    return name.strip(), value


def whole(text: str, name: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number given to an option, between its bounds."""
    try:
        number = int(text.replace("−", "-"))
    except ValueError:
        raise BadValue(field=name, got=text, expected="number") from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise OutOfRange(field=name, got=number, minimum=least, maximum=most)
    return number


def faces(text: str) -> list[int]:
    """The faces of ``--dice 3,6,2`` (spaces and semicolons do as well)."""
    return [whole(part, "--dice") for part in re.split(r"[,;\s]+", text.strip()) if part]


# Forms


def member(move: Move, name: str) -> tuple[Role, int]:
    """The role and number that ``opponent2`` names, from 0."""
    roles = {role.id: role for role in move.cast}
    if name in roles:
        return roles[name], 0
    found = re.fullmatch(r"(.+?)(\d+)", name)
    if found is None or found[1] not in roles:
        raise UnknownName("role", name, roles)
    role, number = roles[found[1]], int(found[2])
    if number < 1 or (role.most is not None and number > role.most):
        raise OutOfRange(field=role.id, got=number, minimum=1, maximum=role.most)
    return role, number - 1


def form_from_pairs(move: Move, words: Sequence[str], start: Mapping[str, Sequence[Mapping[str, Plain]]]) -> Form:
    """The form that ``field=value`` and ``role.field=value`` fill in, on top of another."""
    form: Form = {role: [dict(values) for values in members] for role, members in start.items()}
    given: set[tuple[str, int, str]] = set()
    for word in words:
        name, text = pair(word, "field=value")
        role, number, field = place(move, name)
        kind = move.field(field, role).type
        value = _value(text, kind)
        members = form.setdefault(role, [])
        members.extend({} for _ in range(number + 1 - len(members)))
        at = (role, number, field)
        if at in given:
            if not isinstance(kind, Many):
                raise GivenTwice(field=field)
            members[number][field] = [*_listed(members[number][field]), *_listed(value)]
        else:
            members[number][field] = value
        given.add(at)
    return form


def place(move: Move, name: str) -> tuple[str, int, str]:
    """Where ``dice``, ``initiator.dice`` or ``opponent2.weapon`` goes: role, number, field."""
    owner, dot, field = name.rpartition(".")
    if not dot:
        return move.field(name, move.by).role, 0, name
    role, number = member(move, owner)
    declared = {asked.id for asked in move.fields if asked.role == role.id}
    if field not in declared:
        known = (f"{asked.role}.{asked.id}" for asked in move.fields)
        raise UnknownName("field", name, [f"{owner}.{one}" for one in declared] or known)
    return role.id, number, field


def _value(text: str, kind: AnyType) -> Plain:
    if text.startswith("@"):
        contents = read_text(text[1:])
        return contents if isinstance(kind, TextField) else _unwrapped(read_json(contents, text[1:]))
    if text[:1] in ("{", "[") and not isinstance(kind, TextField):
        return _unwrapped(read_json(text, text[:30]))
    return text


def _listed(value: Plain) -> list[Plain]:
    return list(value) if isinstance(value, list) else [part for part in str(value).split(",") if part.strip()]


def _unwrapped(value: Plain) -> Plain:
    """The record inside what ``create --json`` prints; anything else as it is."""
    if isinstance(value, Mapping) and {"system", "kind", "record"} <= set(value):
        return value["record"]
    return value


class _Made(msgspec.Struct):
    kind: str = ""
    before: Plain = None
    after: Plain = None


class _Rolled(msgspec.Struct):
    system: str
    move: str
    changes: list[_Made]


def _made_by_roll(value: Plain) -> Plain:
    """The record that a move made, out of what ``roll --json`` prints; anything else as it is."""
    try:
        rolled = msgspec.convert(value, _Rolled)
    except msgspec.ValidationError:
        return value
    made: Plain = next(({"system": rolled.system, "kind": one.kind, "record": one.after}
                        for one in rolled.changes if one.kind and one.before is None), value)
    return made


def form_from_json(move: Move, data: Plain) -> Form:
    """A form as JSON: ``{role: [{field: value}]}``; a role with one member needs no list."""
    if not isinstance(data, Mapping):
        raise BadShape(where="--form", expected="{role: [{field: value}]}")
    form: Form = {}
    for role, members in data.items():
        move.role(role)
        listed = members if isinstance(members, list) else [members]
        filled = [dict(values) for values in listed if isinstance(values, dict)]
        if len(filled) < len(listed):
            raise BadShape(where=f"--form {role}", expected="[{field: value}]")
        for values in filled:
            for name in values:
                place(move, f"{role}.{name}")
        form[role] = filled
    return form


# Sheets, options, encounters


def records_from(
    system: System, move: Move, given: Sequence[str], rulings: Rulings, lang: str, form: Form
) -> dict[str, Any]:
    """Records by actor from ``role=FILE`` and ``role=ready:ID``; the form makes room for their owners."""
    records = {}
    for word in given:
        name, source = pair(word, "role=sheet.json")
        role, number = member(move, name)
        members = form.setdefault(role.id, [])
        members.extend({} for _ in range(number + 1 - len(members)))
        actor = role.id if number == 0 else f"{role.id}{number + 1}"
        records[actor] = record_from(system, role.record, source, rulings, lang)
    return records


def record_from(system: System, kind: str, source: str, rulings: Rulings, lang: str) -> object:
    """A record from a file or JSON, or a ready-made one by ``ready:ID``; it must obey the rules of its kind."""
    return typed_record_from(system, source, rulings, lang, kind)[1]


def typed_record_from(
    system: System, source: str, rulings: Rulings, lang: str, kind: str = "", written: str = ""
) -> tuple[AnyKind, object]:
    """The same, with the kind it is of; ``written`` names the format of another program that it is in."""
    if written:
        found = next((one for one in system.kinds.values() if written in one.reads), None)
        if found is None:
            raise UnknownName("format", written, {name for one in system.kinds.values() for name in one.reads})
        return found, found.validated(found.reads[written](read_text(source.removeprefix("@")), rulings), rulings)
    if source.startswith("ready:"):
        return ready_made(system, source.removeprefix("ready:"), lang, kind)
    data = _made_by_roll(file_or_json(source))
    sheet = _unwrapped(data)
    if not isinstance(data, dict) or not isinstance(sheet, dict):
        raise BadShape(where=source, expected="{field: value}")
    other = data.get("system", system.id)
    if other != system.id and "record" in data:
        raise UnknownName("system", str(other), [system.id])
    declared = system.kind(str(data.get("kind") or kind or system.usual_kind))
    return declared, declared.validated(declared.from_plain(sheet), rulings)


def ready_made(system: System, name: str, lang: str, kind: str = "") -> tuple[AnyKind, object]:
    """The ready-made record with this id, of this kind or of any."""
    kinds = [system.kind(kind)] if kind else list(system.kinds.values())
    for declared in kinds:
        ready = declared.ready(lang)
        if name in ready:
            return declared, ready[name]
    raise UnknownName("character", name, [one for declared in kinds for one in declared.ready(lang)])


def rulings_from(system: System, given: Sequence[str]) -> Rulings:
    """The options of the table, those given settled otherwise."""
    return system.book.rulings(dict(pair(word, "option=value") for word in given))


def encounter_from(system: System, move: Move, given: str | None) -> Value:
    """The state of the encounter that a move is played in."""
    if not move.encounter:
        if given is not None:
            raise NoEncounter(move=move.id)
        return None
    if given is None:
        raise NeedsEncounter(move=move.id, encounter=move.encounter)
    data = file_or_json(given)
    if isinstance(data, Mapping) and {"encounter", "state"} <= set(data):
        data = data["state"]
    state: Value = from_plain(system.encounters[move.encounter].state, data)
    return state


# Fields asked after a result


def split_form(move: Move, form: Form) -> tuple[Form, Later]:
    """The form of what is asked before the first rule, and by actor what is asked after it."""
    first = next((at for at, step in enumerate(move.steps) if isinstance(step, Resolve)), len(move.steps))
    late = {asked.id for step in move.steps[first:] if isinstance(step, Ask) for asked in step.fields}
    now: Form = {}
    later: Later = {}
    for role, members in form.items():
        now[role] = [{name: value for name, value in values.items() if name not in late} for values in members]
        for number, values in enumerate(members):
            actor = role if number == 0 else f"{role}{number + 1}"
            kept = {name: value for name, value in values.items() if name in late}
            if kept:
                later[actor] = kept
    return now, later


class _Ahead(dict[str, Any]):
    """Results that are still to come: whoever looks at one is told so."""

    def _not_yet(self, *args: object) -> Any:
        raise _NotYet

    __getitem__ = __contains__ = __iter__ = __len__ = __bool__ = get = keys = items = values = _not_yet


class _NotYet(Exception):
    """It depends on what the dice will show."""


def none_moot(ctx: Context, later: Later) -> None:
    """Refuse what nothing asks for with this form and these options: it would be passed over without a word.

    What the dice decide is let be.
    """
    try:
        ctx = fill_all(ctx, later)
    except ParaventError:  # it is refused where it is read
        return
    ahead = replace(ctx, results=_Ahead())
    for actor in ctx.actors:
        for name in actor.filled:
            try:
                asked = ctx.move.field(name, actor.role).applies(replace_focus(ahead, actor))
            except (_NotYet, ParaventError, *STUMBLES):
                continue
            if not asked:
                raise MootField(field=name)


def form_to_json(ctx: Context) -> Form:
    """What a context was filled with, as ``--form`` reads it."""
    from paravent.game.records import to_plain

    filled: Form = {}
    for actor in ctx.actors:
        filled.setdefault(actor.role, []).append({name: to_plain(value) for name, value in actor.filled.items()})
    return {role: members for role, members in filled.items() if any(members)}


# Answers


class Answers:
    """Answers given beforehand to the choices of a rule: in order, or by key; the usual one where none is left.

    A key's last answer goes on being given as long as it is among the options.
    """

    def __init__(
        self, teller: Teller, in_order: Sequence[Plain] = (), by_key: Mapping[str, Sequence[Plain]] | None = None,
        ask: Callable[[Choice], object] | None = None,
    ) -> None:
        self._teller = teller
        self._in_order = list(in_order)
        self._by_key = {key: list(values) for key, values in (by_key or {}).items()}
        self._ask = ask
        self._used: set[str] = set()
        self.usual: list[Choice] = []
        """The choices that nobody answered, in the order asked."""

    def __call__(self, choice: Choice) -> object:
        if self._in_order:
            return self._meant(choice, self._in_order.pop(0))
        waiting = self._by_key.get(choice.key)
        if waiting:
            again = choice.key in self._used
            self._used.add(choice.key)
            meant = self._meant(choice, waiting[0])
            if len(waiting) > 1:
                waiting.pop(0)
            elif again and not _fits(choice, meant):
                return self._usual(choice)
            return meant
        return self._ask(choice) if self._ask is not None else self._usual(choice)

    def _usual(self, choice: Choice) -> object:
        self.usual.append(choice)
        return choice.usual

    def _meant(self, choice: Choice, given: Plain) -> object:
        return meant(self._teller, choice, given)

    @property
    def unused(self) -> list[str]:
        """Keys that no rule asked for, and how many answers in order were left."""
        return [key for key in self._by_key if key not in self._used] + [json.dumps(one) for one in self._in_order]


def meant(teller: Teller, choice: Choice, given: Plain) -> object:
    """The option that a typed answer stands for; the answer itself if none (the dice will refuse it)."""
    if not isinstance(given, str):
        return given
    word = given.strip().lower()
    for option in choice.options:
        if word in _spellings(teller, choice, option):
            return option
    return given


def _spellings(teller: Teller, choice: Choice, option: object) -> set[str]:
    value = plain(option)
    spelled = {teller.option(choice, option).lower(), str(value).lower()}
    if isinstance(value, list):
        spelled |= {",".join(map(str, value)).lower()} | ({"none", "rien"} if not value else set())
    if isinstance(value, bool):
        spelled |= {"yes", "oui", "1"} if value else {"no", "non", "0"}
    if value is None:
        spelled |= {"none", "rien", ""}
    return spelled


def _fits(choice: Choice, answer: object) -> bool:
    return any(option == answer or plain(option) == plain(answer) for option in choice.options)


def answers_from(given: Sequence[str]) -> tuple[list[Plain], dict[str, list[Plain]]]:
    """Answers in order and by key, from JSON (a list, or a mapping) or ``key=value`` words."""
    in_order: list[Plain] = []
    by_key: dict[str, list[Plain]] = {}
    for text in given:
        if text.lstrip()[:1] in ("[", "{", "@") or text == "-":
            data = file_or_json(text)
            if isinstance(data, list):
                in_order += data
            elif isinstance(data, Mapping) and set(data) == {"dice"}:
                in_order.append(data)
            elif isinstance(data, Mapping):
                for key, value in data.items():
                    by_key.setdefault(key, []).append(value)
            else:
                raise BadShape(where="--answers", expected="[…], {…}")
            continue
        for word in re.split(r"[,;\s]+(?=[\w-]+=)", text):
            key, value = pair(word, "choice=answer")
            by_key.setdefault(key, []).append(read_json(value, value[:30]) if value[:1] in ("[", "{") else value)
    return in_order, by_key
