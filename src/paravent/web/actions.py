"""What the forms of a table ask for, as commands: one small function for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, unquote

from starlette.datastructures import FormData

from paravent.game import PASS_TIME, NotNow, SheetOf, TextField, UnknownName, to_plain
from paravent.game.records import GM
from paravent.table import commands as c

from .desk import Desk
from .sheetform import SheetForm
from .talk import is_plain, read_line, talker


def text(form: FormData, name: str) -> str:
    """One value of a form, without blanks around it."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def number(form: FormData, name: str) -> int:
    """One whole number of a form; what is none is 0."""
    return whole(text(form, name)) or 0


def whole(typed: str) -> int | None:
    """A whole number as typed, or None: ``²`` and ``--5`` are digits to Python, and no numbers."""
    figure = typed.strip().replace("−", "-")
    return int(figure) if figure.isascii() and figure.removeprefix("-").isdigit() and len(figure) < 12 else None


def wholes(typed: Iterable[str]) -> list[int]:
    """The whole numbers among what was typed."""
    return [figure for figure in map(whole, typed) if figure is not None]


def several(form: FormData, name: str) -> tuple[str, ...]:
    """All the values of a form under one name that are not empty."""
    return tuple(value for value in form.getlist(name) if isinstance(value, str) and value)


def read_json(sent: str) -> Any:
    """A value written as JSON, or the words themselves."""
    try:
        return json.loads(sent)
    except (ValueError, RecursionError):
        return sent


@dataclass
class Posted:
    """A form of the table, and the seat it came from."""

    form: FormData
    desk: Desk

    @property
    def seat(self) -> str:
        """Whose form it is."""
        return self.desk.seat

    @property
    def number(self) -> int:
        """The move it is about."""
        return number(self.form, "number")

    @property
    def common(self) -> dict[str, Any]:
        """What every command carries."""
        return {"seat": self.seat, "id": text(self.form, "once")[:64]}

    def fields(self) -> dict[str, dict[str, Any]]:
        """What a form fills in, by actor: inputs are named ``f:actor:field``; ``field[]`` makes a list.

        ``field.part`` is one of several values that go together; ``s:actor:field`` says that a whole sheet is there.
        Empty means as usual, except in a form that is ``complete``: there it is filled in as it stands.
        """
        filled: dict[str, dict[str, Any]] = {}
        complete = bool(text(self.form, "complete"))
        for key in dict.fromkeys(self.form.keys()):
            prefix, _, rest = key.partition(":")
            actor, _, name = rest.partition(":")
            if prefix == "x" and ":" in name:  # two fields crossed: one choice says both
                said = text(self.form, key).split("|")
                filled.setdefault(actor, {}).update(zip(name.split(":"), said, strict=False))
            if prefix == "s" and ":" not in name:
                filled.setdefault(actor, {})[name] = self._sheet(actor, name)
            if prefix != "f":
                continue
            values = [value for value in self.form.getlist(key) if isinstance(value, str)]
            value: Any = [v for v in values if v] if name.endswith("[]") else "".join(values[-1:]).strip()
            if isinstance(value, str) and value[:1] in ("{", "["):
                value = read_json(value)
            name, _, part = name.removesuffix("[]").partition(".")
            empty = value == "" or (value == [] and not complete)
            if part:
                group = filled.setdefault(actor, {}).setdefault(name, {})
                if not empty and isinstance(group, dict):
                    group[part] = value
            else:
                silent = empty and not (complete and self._may_say_nothing(name))
                filled.setdefault(actor, {})[name] = self._as_usual(actor, name, complete) if silent else value
        return {
            actor: {name: None if value == {} and not complete else value for name, value in values.items()}
            for actor, values in filled.items()
        }

    def _may_say_nothing(self, name: str) -> bool:
        """Whether a field is waited for although it may be left empty: to confirm it is to say so."""
        moves = self.desk.system.moves
        asked = [field for field in moves[self._move()].fields if field.id == name] if self._move() in moves else []
        return any(field.waits and not field.optional and isinstance(field.type, TextField) for field in asked)

    def _as_usual(self, actor: str, name: str, complete: bool) -> Any:
        """What stands where nothing is said: to send a whole form is to confirm it."""
        seen = self.desk.moves.get(self.number) if complete else None
        groups = self.desk.acts.card(seen).groups if seen is not None else []
        return next((asked.stands for group in groups for asked in group.fields
                     if (asked.actor, asked.name) == (actor, name)), None)

    def _sheet(self, actor: str, name: str) -> dict[str, Any]:
        """A whole sheet, read from the inputs under ``sheet:actor:field:``."""
        asked = self.desk.system.move(text(self.form, "move") or self._move()).field(name)
        if not isinstance(asked.type, SheetOf):
            raise UnknownName("field", name, ())
        kind = self.desk.system.kind(asked.type.kind)
        form = SheetForm(kind, self.desk.teller)
        return form.read(form.blank(), self.pairs(), prefix=f"sheet:{actor}:{name}:")

    def _move(self) -> str:
        seen = self.desk.moves.get(self.number)
        return seen.move if seen is not None else ""

    def pairs(self) -> list[tuple[str, str]]:
        """Every value of the form with its name, in order."""
        return [(name, value) for name, value in self.form.multi_items() if isinstance(value, str)]


Commands = list[c.Command]
ACTIONS: dict[str, Callable[[Posted], Commands]] = {}


def action(name: str) -> Callable[[Callable[[Posted], Commands]], Callable[[Posted], Commands]]:
    """Register what a form of this name asks for."""

    def keep(read: Callable[[Posted], Commands]) -> Callable[[Posted], Commands]:
        ACTIONS[name] = read
        return read

    return keep


def asked_for(name: str, form: FormData, desk: Desk) -> Commands:
    """The commands that a form of the table asks for."""
    if name not in ACTIONS:
        raise UnknownName("command", name, ACTIONS)
    return ACTIONS[name](Posted(form, desk))


# Talk


@action("say")
def _say(asked: Posted) -> Commands:
    """A line of talk; a form that is for one thing only puts its ``command`` before it."""
    line = f"{text(asked.form, 'command')} {text(asked.form, 'text')}"
    if is_plain(line):  # as most are: nobody need be known by name
        return [c.Say(text=line, **asked.common)]
    by = talker(asked.seat, asked.desk.seats, asked.desk.records.values(), asked.desk.is_gm,
                asked.desk.system.played)
    return [read_line(line, by, asked.common["id"])]


@action("handout")
def _handout(asked: Posted) -> Commands:
    to = several(asked.form, "to")
    kind = "note" if text(asked.form, "kind") == "note" else "handout"
    return [c.Say(text=text(asked.form, "text"), title=text(asked.form, "title"), kind=kind,
                  to=() if kind == "note" else to, **asked.common)]


@action("card")
def _card(asked: Posted) -> Commands:
    return [c.PlayCard(**asked.common)]


# Moves


def _cast(form: FormData) -> dict[str, list[str]]:
    cast: dict[str, list[str]] = {}
    for key in dict.fromkeys(form.keys()):
        members = list(several(form, key)) if key.startswith("cast:") else []
        cast |= {key[5:]: members} if members else {}
    return cast


@action("start")
def _start(asked: Posted) -> Commands:
    """A move from its own form, or from a button of a sheet: ``go`` names the move and what it fills in."""
    encounter = number(asked.form, "encounter") or None
    go, _, named = text(asked.form, "go").partition("#")
    move, _, fills = go.partition("?")
    cast, form = _cast(asked.form), asked.fields()
    move, _, role = move.partition("@")
    if role:  # what the game master does to whoever the sheet is of
        cast, form = {role: cast.get("initiator", [])}, {"gm": dict(parse_qsl(fills))}
    elif move:
        actor = next(iter(cast.get("initiator", [])), "")
        form = {actor: dict(parse_qsl(fills))}
    start = c.StartMove(move=move or text(asked.form, "move"), cast=cast, form=form, encounter=encounter,
                        secrecy=text(asked.form, "grade") or "open", at_once=bool(text(asked.form, "at_once")),
                        **asked.common)
    touched = text(asked.form, "from_sheet") and not role
    instead = asked.desk.repeats.given_up_for(start) if text(asked.form, "instead") else []
    return [*instead, asked.desk.repeats.from_sheet(start, unquote(named)) if touched else start]


@action("again")
def _again(asked: Posted) -> Commands:
    return _if_possible(asked, asked.desk.repeats.again(asked.number))


@action("keep")
def _keep(asked: Posted) -> Commands:
    """What was said in an act, kept for another time."""
    return _if_possible(asked, asked.desk.repeats.keeping(asked.number))


def _if_possible(asked: Posted, start: c.StartMove | None) -> Commands:
    if start is None:
        raise NotNow(move=str(asked.number), needs="start")
    return [replace(start, **asked.common)]


@action("ask")
def _ask(asked: Posted) -> Commands:
    encounter = number(asked.form, "encounter") or None
    move, _, fills = text(asked.form, "go").partition("?")
    move = move or text(asked.form, "move")
    fields = () if move not in asked.desk.system.moves else asked.desk.system.moves[move].fields
    judged = {field.id: said for field in fields if field.role == GM
              and (said := text(asked.form, f"judged:{field.id}"))}
    return [c.AskMove(move=move, of=several(asked.form, "of"), encounter=encounter,
                      form={**dict(parse_qsl(fills)), **judged},
                      secrecy=text(asked.form, "grade") or "open", **asked.common)]


@action("grade")
def _secrecy(asked: Posted) -> Commands:
    return [c.SetSecrecy(number=asked.number, secrecy=text(asked.form, "grade"), **asked.common)]


@action("join")
def _join(asked: Posted) -> Commands:
    return [c.Join(number=asked.number, role=text(asked.form, "role"), names=several(asked.form, "who"),
                   **asked.common)]


@action("step-in")
def _step_in(asked: Posted) -> Commands:
    who = text(asked.form, "who")
    values = {text(asked.form, "field"): text(asked.form, "value")}
    return [c.Join(number=asked.number, role=text(asked.form, "role"), names=(who,), **asked.common),
            c.Fill(number=asked.number, values=values, actor=who, seat=asked.seat)]


@action("time")
def _time(asked: Posted) -> Commands:
    span = text(asked.form, "span")
    form: dict[str, dict[str, Any]] = {"gm": {"time_span": span, "time_count": number(asked.form, "count")}}
    said = {one.id: value for one in asked.desk.starts.said_of_all(span)
            if (value := text(asked.form, f"all:{one.id}")) and value != one.usual}
    if not said:
        return [c.StartMove(move=PASS_TIME, form=form, **asked.common)]
    people = asked.desk.starts.living()
    return [c.StartMove(move=PASS_TIME, cast={"character": people}, form={**form, **dict.fromkeys(people, said)},
                        **asked.common)]


@action("fill")
def _fill(asked: Posted) -> Commands:
    filled: Commands = [
        c.Fill(number=asked.number, values=values, actor=actor, seat=asked.seat)
        for actor, values in asked.fields().items()
    ]
    # A sheet that was written on a page of its own stays a draft too: refused, it is taken up where it was.
    return [*filled, *_draft(asked)] if text(asked.form, "prefix") else filled


@action("throw")
def _throw(asked: Posted) -> Commands:
    by_hand = bool(text(asked.form, "by_hand"))
    return [c.ThrowDice(number=asked.number, grain=text(asked.form, "nonce"), by_hand=by_hand, **asked.common)]


@action("promise")
def _promise(asked: Posted) -> Commands:
    return [c.PromiseGrains(promise=text(asked.form, "promise"), seat=asked.seat)]


@action("grain")
def _grain(asked: Posted) -> Commands:
    return [c.OpenGrain(hash=text(asked.form, "hash"), grain=text(asked.form, "grain"), seat=asked.seat)]


@action("answer")
def _answer(asked: Posted) -> Commands:
    return [c.Answer(number=asked.number, answer=read_json(text(asked.form, "answer")), why=text(asked.form, "why"),
                     **asked.common)]


@action("faces")
def _faces(asked: Posted) -> Commands:
    faces = wholes(text(asked.form, "faces").replace(",", " ").split())
    return [c.Answer(number=asked.number, answer=faces, **asked.common)]


@action("dice")
def _dice(asked: Posted) -> Commands:
    taken = wholes(several(asked.form, "die"))
    return [c.Answer(number=asked.number, answer={"dice": taken}, **asked.common)]


@action("accept")
def _accept(asked: Posted) -> Commands:
    form = asked.form
    listed, kept = set(wholes(several(form, "all"))), set(wholes(several(form, "keep")))
    seen = asked.desk.moves.get(asked.number)
    if listed and not kept and seen is not None:
        # What only keeps the table going is not listed, and goes with the rest.
        listed |= {change.at for change in seen.changes if isinstance(change.at, int) and change.waits}
    amend = {key[6:]: read_json(text(form, key)) for key in form if key.startswith("value:") and text(form, key)}
    amend = {at: v for at, v in amend.items() if v != read_json(text(form, f"was:{at}"))}
    return [c.Accept(number=asked.number, amend=amend, refuse=tuple(sorted(listed - kept)), **asked.common)]


@action("close")
def _close(asked: Posted) -> Commands:
    return [c.CloseStep(number=asked.number, **asked.common)]


@action("deadline")
def _deadline(asked: Posted) -> Commands:
    return [c.SetDeadline(number=asked.number, policy=text(asked.form, "policy") or "wait",
                          seconds=max(0, number(asked.form, "seconds")), **asked.common)]


@action("withdraw")
def _withdraw(asked: Posted) -> Commands:
    return [c.Withdraw(number=asked.number, **asked.common)]


@action("cancel")
def _cancel(asked: Posted) -> Commands:
    return [c.Cancel(number=asked.number, **asked.common)]


@action("restart")
def _restart(asked: Posted) -> Commands:
    return [c.Restart(number=asked.number, **asked.common)]


@action("turn-over")
def _turn_over(asked: Posted) -> Commands:
    return [c.TurnOver(number=asked.number, step=text(asked.form, "step"), to=several(asked.form, "to") or ("all",),
                       **asked.common)]


@action("end-encounter")
def _end_encounter(asked: Posted) -> Commands:
    return [c.EndEncounter(number=asked.number, **asked.common)]


# Records


@action("record")
def _record(asked: Posted) -> Commands:
    form = asked.form
    added = c.AddRecord(
        kind=text(form, "kind") or asked.desk.system.usual_kind, seen_by=("gm",) if text(form, "hidden") else None,
        owner=text(form, "owner"), **asked.common,
    )
    match text(form, "how"):
        case "draw":
            return [replace(added, draw=True)]
        case "file":
            data = read_json(text(form, "sheet"))
            heading = ("system", "kind", "version")
            sheet = {k: v for k, v in data.items() if k not in heading} if isinstance(data, dict) else {}
            kind = data.get("kind") if isinstance(data, dict) else None
            return [replace(added, sheet=sheet, kind=kind if isinstance(kind, str) else added.kind)]
        case "form":
            written = SheetForm(asked.desk.system.kind(added.kind), asked.desk.teller)
            return [replace(added, sheet=written.read(written.blank(), asked.pairs())),
                    c.SaveDraft(of=added.kind, seat=asked.seat)]
        case _:
            return [replace(added, ready=text(form, "ready"))]


@action("people")
def _people(asked: Posted) -> Commands:
    """People brought by one line, as the game reads it; players see those of whom it says so."""
    read = asked.desk.system.quick_people
    if read is None:
        return []
    people = tuple(c.Arrival(kind=one.kind, sheet=sheet, seen_by=None if one.seen else ("gm",))
                   for one in read(text(asked.form, "ready") or text(asked.form, "text"), asked.desk.teller.lang)
                   if isinstance(sheet := to_plain(one.record), dict))
    return [c.AddPeople(people=people, seat=asked.seat)]


@action("draft")
def _draft(asked: Posted) -> Commands:
    """A sheet that is being written, kept as it goes."""
    form = asked.form
    kind = text(form, "kind") or asked.desk.system.usual_kind
    kept = c.SaveDraft(of=kind, number=asked.number, seat=asked.seat)
    if text(form, "drop"):
        return [kept]
    written = SheetForm(asked.desk.system.kind(kind), asked.desk.teller)
    return [replace(kept, values=written.read(written.blank(), asked.pairs(), text(form, "prefix")))]


@action("take")
def _take(asked: Posted) -> Commands:
    return [c.TakeRecord(record=text(asked.form, "record"), **asked.common)]


@action("edit")
def _edit(asked: Posted) -> Commands:
    """One value: by its path, or by a button ``set`` that holds both."""
    path, _, value = text(asked.form, "set").rpartition("=")
    return [c.EditRecord(record=text(asked.form, "record"), path=path or text(asked.form, "path"),
                         value=read_json(value if path else text(asked.form, "value")), **asked.common)]


@action("sheet")
def _sheet(asked: Posted) -> Commands:
    """A whole sheet edited at once: every field that differs, or none of them."""
    record = text(asked.form, "record")
    held = asked.desk.records.get(record)
    if held is None:
        raise UnknownName("record", record, asked.desk.records)
    kind = asked.desk.system.kind(held.kind)
    after = SheetForm(kind, asked.desk.teller).read(held.sheet, asked.pairs())
    changed = {name: value for name, value in after.items() if held.sheet.get(name) != value}
    return [c.EditRecord(record=record, path="", value=changed, seat=asked.seat)] if changed else []


@action("show")
def _show(asked: Posted) -> Commands:
    seen_by = several(asked.form, "seen_by") or ("gm",)
    return [c.ShowRecord(record=text(asked.form, "record"), seen_by=seen_by, **asked.common)]


@action("give")
def _give(asked: Posted) -> Commands:
    return [c.GiveRecord(record=text(asked.form, "record"), owner=text(asked.form, "owner"), **asked.common)]


@action("remove")
def _remove(asked: Posted) -> Commands:
    return [c.RemoveRecord(record=text(asked.form, "record"), **asked.common)]


# The table


@action("scene")
def _scene(asked: Posted) -> Commands:
    return [c.OpenScene(title=text(asked.form, "title"), kind=text(asked.form, "kind") or "scene", **asked.common)]


@action("play-scene")
def _play_scene(asked: Posted) -> Commands:
    return [c.PlayScene(scene=text(asked.form, "scene"), **asked.common)]


@action("drop-scene")
def _drop_scene(asked: Posted) -> Commands:
    return [c.DropScene(scene=text(asked.form, "scene"), **asked.common)]


@action("put-aside")
def _put_aside(asked: Posted) -> Commands:
    """Somebody into the deck: a record of the table, somebody ready-made (``kind:name``), or drawn by the dice."""
    named, _, ready = text(asked.form, "ready").partition(":")
    drawn = text(asked.form, "draw")
    return [c.PutAside(record=text(asked.form, "record"), kind=named or drawn or asked.desk.system.usual_kind,
                       ready=ready, draw=bool(drawn), **asked.common)]


@action("draw-person")
def _draw_person(asked: Posted) -> Commands:
    return [c.DrawPerson(person=text(asked.form, "person"), seen_by=several(asked.form, "seen_by") or ("gm",),
                         **asked.common)]


@action("drop-person")
def _drop_person(asked: Posted) -> Commands:
    return [c.DropPerson(person=text(asked.form, "person"), **asked.common)]


@action("notes")
def _notes(asked: Posted) -> Commands:
    return [c.KeepNotes(text=text(asked.form, "text"), about=text(asked.form, "about"), **asked.common)]


@action("recap")
def _recap(asked: Posted) -> Commands:
    """What happened last time, told to the whole table."""
    return [c.Say(text=text(asked.form, "text"), kind="story", title=asked.desk.teller.say("web.campaign.previously"),
                  **asked.common)]


# Pictures and documents


@action("picture")
def _picture(asked: Posted) -> Commands:
    return [c.SetPicture(record=text(asked.form, "record"), picture=text(asked.form, "picture"), **asked.common)]


@action("backdrop")
def _backdrop(asked: Posted) -> Commands:
    return [c.SetBackdrop(picture=text(asked.form, "picture"), seen_by=several(asked.form, "seen_by") or ("gm",),
                          **asked.common)]


@action("show-document")
def _show_document(asked: Posted) -> Commands:
    return [c.ShowDocument(document=text(asked.form, "document"), seen_by=several(asked.form, "seen_by") or ("gm",),
                           **asked.common)]


@action("remove-document")
def _remove_document(asked: Posted) -> Commands:
    return [c.RemoveDocument(document=text(asked.form, "document"), **asked.common)]


@action("clock")
def _clock(asked: Posted) -> Commands:
    hour, _, minute = text(asked.form, "time").partition(":")
    return [c.SetClock(day=number(asked.form, "day"), hour=whole(hour) or 0, minute=whole(minute) or 0,
                       **asked.common)]


@action("appointment")
def _appointment(asked: Posted) -> Commands:
    hour, _, minute = text(asked.form, "time").partition(":")
    return [c.SetAppointment(words=text(asked.form, "words"), day=number(asked.form, "day"), hour=whole(hour) or 0,
                             minute=whole(minute) or 0, seen_by=several(asked.form, "seen_by") or ("gm",),
                             **asked.common)]


@action("drop-appointment")
def _drop_appointment(asked: Posted) -> Commands:
    return [c.DropAppointment(appointment=text(asked.form, "appointment"), **asked.common)]


@action("hourglass")
def _hourglass(asked: Posted) -> Commands:
    return [c.TurnHourglass(seconds=number(asked.form, "seconds"), words=text(asked.form, "words"), **asked.common)]


@action("options")
def _options(asked: Posted) -> Commands:
    chosen = {key[7:]: text(asked.form, key) for key in asked.form if key.startswith("option:")}
    return [c.SetOptions(options=chosen, **asked.common)]


@action("house")
def _house(asked: Posted) -> Commands:
    return [c.SetHouse(trust=text(asked.form, "trust"), judging=text(asked.form, "judging"), **asked.common)]


@action("rename")
def _rename(asked: Posted) -> Commands:
    return [c.RenameSeat(who=text(asked.form, "who") or asked.seat, name=text(asked.form, "name"), **asked.common)]


@action("leave")
def _leave(asked: Posted) -> Commands:
    return [c.Leave(who=text(asked.form, "who"), **asked.common)]


@action("return")
def _return(asked: Posted) -> Commands:
    return [c.Return(**asked.common)]


@action("undo")
def _undo(asked: Posted) -> Commands:
    return [c.Undo(number=asked.number, **asked.common)]


@action("undo-last")
def _undo_last(asked: Posted) -> Commands:
    return [c.UndoLast(**asked.common)]


@action("correct")
def _correct(asked: Posted) -> Commands:
    return [c.Correct(item=number(asked.form, "item"), **asked.common)]
