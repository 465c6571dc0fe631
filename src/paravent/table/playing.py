"""Commands about acts under way: what opens them, fills them in, throws and answers.

Each makes a :class:`~paravent.table.turn.Turn` and lets :mod:`~paravent.table.acting` play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace as instead
from typing import Any

from msgspec.structs import replace

from paravent.dice import Choice, KeyedFaces, commitment, plain
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, LiveFaces
from paravent.dice.play import refused
from paravent.game import PASS_TIME, TIME_SPAN, AnyResolve, NotNow, Resolve, System, UnknownName
from paravent.game.errors import BROKEN, AlreadyOver, BadValue
from paravent.game.eyes import carried, takes_most
from paravent.game.records import ALL, GM

from . import acting, limits
from . import commands as c
from . import events as e
from .act import Act, DiceAsked, Key, Progress, Sentence
from .deciding import Fresh, encounter_number, events_of, folded, gm_only, seat_number
from .grains import TakingPart, given, opened, taking_part
from .house import with_house_moves
from .limits import no_more_than
from .open_move import AGREE, CLOSED, OpenMove
from .passing import BYSTANDER, asked_and_not, everybody, is_over
from .polls import anonymous_poll, ballot, poll_answered, poll_of
from .records import visible_records
from .state import State
from .turn import Turn

# Opening


@events_of.register
def _(command: c.StartMove, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    if command.move in system.moves and (span := system.move(command.move).passes):
        said = {name: values for name, values in command.form.items() if name != GM}
        command = instead(command, move=PASS_TIME, form={**said, GM: {TIME_SPAN.id: span}})
    cast = command.cast
    if command.move == PASS_TIME and is_over(state, command.form.get(GM, {}).get(TIME_SPAN.id, "")):
        raise AlreadyOver(what=command.form[GM][TIME_SPAN.id])
    if command.move == PASS_TIME and BYSTANDER in {role.id for role in system.move(PASS_TIME).cast}:
        people = cast.get("character", []) if cast else everybody(state, system)
        cast = {**cast, **asked_and_not(state, people, command.form)} if BYSTANDER not in cast else cast
    return _start(command, state, system, fresh, [(cast, command.form)])


@events_of.register
def _(command: c.AskMove, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    role = system.move(command.move).by
    if not command.of:
        raise BadValue(field="of", got="", expected="list")
    no_more_than(limits.MOST_CAST, len(command.of), "actor")
    turn, number = Turn(state, system, fresh, command.seat), encounter_number(state, command.seat, command.encounter)
    names = list(dict.fromkeys(command.of))
    able = [name for name in names if name not in state.records
            or acting.may_hold(turn, system.move(command.move), role, name, number)]
    move = system.move(command.move)
    judged = {name: value for name, value in command.form.items() if move.asks(name, GM) and not move.asks(name, role)}
    theirs = {name: value for name, value in command.form.items() if name not in judged}
    told = {GM: judged} if judged else {}
    asked = [({role: [name]}, {name: theirs, **told} if theirs else told) for name in able or names]
    return _start(command, state, system, fresh, asked)


def _start(
    command: c.StartMove | c.AskMove,
    state: State,
    system: System,
    fresh: Fresh,
    asked: Iterable[tuple[Mapping[str, list[str]], Mapping[str, Any]]],
) -> list[e.AnyEvent]:
    told: list[e.AnyEvent] = []
    encounter = encounter_number(state, command.seat, command.encounter)
    if encounter is not None and state.encounters[encounter].over:
        raise NotNow(move=command.move, needs="over")
    for cast, form in asked:
        check_cast(state, command.seat, cast)
        mine = [act for act in state.open_moves() if act.starter == command.seat]
        no_more_than(limits.MOST_MOVES_OF_A_SEAT, len(mine) + 1, "open move")
        turn = Turn(state, system, fresh, command.seat, at_once=isinstance(command, c.StartMove) and command.at_once)
        acting.start(turn, command.seat, command.move, cast, form, encounter, command.secrecy)
        told += turn.started()
        state = turn.state
    return told


def check_cast(state: State, seat: str, cast: Mapping[str, list[str]]) -> None:
    """Refuse actors that the seat may not know of, and more than there may be."""
    visible = {*visible_records(state, seat), *state.eyes.seats}
    names = [name for members in cast.values() for name in members]
    no_more_than(limits.MOST_CAST, len(names), "actor")
    for name in names:
        if name not in visible:
            raise UnknownName("record", name, visible)


@events_of.register
def _(command: c.Join, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    check_cast(state, command.seat, {command.role: list(command.names)})
    no_more_than(limits.MOST_CAST, len(state.move(number).cast) + len(command.names), "actor")
    turn = turn_at(state, system, fresh, command.seat, number)
    acting.join(turn, number, command.role, command.names)
    return turn.tell(number, e.FieldsFilled(number=number))


def turn_at(state: State, system: System, fresh: Fresh, seat: str, number: int) -> Turn:
    """A turn about an act, with the faces that its keys give."""
    turn = Turn(state, system, fresh, seat)
    op = turn.at(number)
    step = op.step(system)
    if isinstance(step, Resolve) and step.id in op.records:
        turn.faces = faces_of(state, fresh, number, step.id, "")
    return turn


@events_of.register
def _(command: c.Fill, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    turn = turn_at(state, system, fresh, command.seat, number)
    acting.fill(turn, number, command.values, command.actor)
    told = turn.tell(number, e.FieldsFilled(number=number, fields=tuple(command.values)))
    said_again = all(isinstance(event, e.FieldsFilled) and event.then == Progress() for event in told)
    return [] if said_again else told  # that somebody sealed the same once more is nobody's business


@events_of.register
def _(command: c.SetSecrecy, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    turn = Turn(state, system, fresh, command.seat)
    acting.set_secrecy(turn, number, command.secrecy)
    if command.secrecy == state.move(number).secrecy:
        return []
    return turn.tell(number, e.SecrecySet(number=number, secrecy=command.secrecy))


# Throwing


class TooManyDice(ParaventError):
    """More dice were asked for than a table throws at once."""

    code = "table/too-many-dice"


class TableFaces(KeyedFaces):
    """Fair faces, a reasonable number at a time."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        if n > limits.MOST_DICE:
            raise TooManyDice(most=limits.MOST_DICE)
        return super().throw(role, n, sides)


class NotedFaces(LiveFaces):
    """Faces of a trial, which notes whether any were asked for."""

    thrown = False

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        self.thrown = True
        return super().throw(role, n, sides)


def faces_of(state: State, fresh: Fresh, number: int, step: str, grain: str) -> Faces:
    """The faces that follow from a throw's key and the grain given for it, once and for all."""
    if fresh.faces is not None:
        return fresh.faces
    made = state.move(number).keys.get(step)
    if made is None:
        return LiveFaces()  # a rule that runs by itself throws nothing
    return TableFaces(bytes.fromhex(made.key), (grain if made.grain is None else made.grain).encode())


@events_of.register
def _(command: c.ThrowDice, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    grain = limits.short(command.grain, limits.LONGEST_GRAIN)
    turn = Turn(state, system, fresh, command.seat)
    op = turn.at(number)
    step = op.step(system)
    made = state.move(number).keys.get(step.id) if isinstance(step, Resolve) and not command.by_hand else None
    if isinstance(step, Resolve) and made is not None and made.listed and made.grain is None:
        grains = given(state, made, command.seat, grain)
        if any(row.seat not in grains for row in made.listed):
            return _asked_again(command, turn, op, step.id, made, grains, grain)
        grain = " ".join(grains[row.seat] for row in made.listed)
        turn.opened[step.id] = tuple(row if row.left_out else replace(row, opened=grains[row.seat])
                                     for row in made.grains)
    elif isinstance(step, Resolve) and made is not None and (part := _joining(command, turn, step, made, grain)).rows:
        return _joined(command, turn, op, step.id, made, part)
    if isinstance(step, Resolve):
        turn.faces = faces_of(state, fresh, number, step.id, grain)
    if not acting.throw(turn, number, by_hand=command.by_hand):
        return turn.tell(number, e.FieldsFilled(number=number))
    assert isinstance(step, Resolve)
    turn.grains[step.id] = grain
    return turn.tell(number, e.DiceThrown(number=number, step=step.id, grain=grain))


def _joining(command: c.ThrowDice, turn: Turn, step: AnyResolve, made: Key, last: str) -> TakingPart:
    """Those who take part after all where nobody was there when a throw's key was made: whoever throws has grains now,
    and says so by a promise of theirs."""
    op = turn.at(seat_number(turn.state, command.seat, command.number))
    asked = made.grains or made.grain is not None or step.falls_at_once(op.context(turn.system))
    if asked or not last or last not in turn.state.promises.get(command.seat, "").split(" "):
        return TakingPart()
    act = turn.state.move(op.id)
    part = taking_part(turn.state, turn.system, turn.fresh, act, step.id)
    return part if any(row.seat == command.seat for row in part.rows) else TakingPart()


def _joined(
    command: c.ThrowDice, turn: Turn, op: OpenMove, step: str, made: Key, part: TakingPart
) -> list[e.AnyEvent]:
    """A throw for which nobody had been asked, with a new key and those who are there now."""
    trial = Turn(turn.state, turn.system, turn.fresh, command.seat)
    if not acting.throw(trial, op.id):
        return trial.tell(op.id, e.FieldsFilled(number=op.id))
    key = turn.fresh.token(32)
    made = replace(made, hash=commitment(key), key=key.hex(), grains=part.rows, holder=command.seat, apart=part.apart)
    return turn.ready_again(op, step, made)


def _asked_again(
    command: c.ThrowDice, turn: Turn, op: OpenMove, step: str, made: Key, grains: Mapping[str, str], last: str
) -> list[e.AnyEvent]:
    """A throw for which somebody who takes part has not opened their grain: nothing is worked out from the others.

    If it is only whoever was expected to throw, they are asked for it now. Otherwise it begins again with a new key,
    without those who did not answer. Where nobody is left, or whoever throws has no grain and so need not come again,
    the dice fall at once, known to the host alone.
    """
    state, system, fresh = turn.state, turn.system, turn.fresh
    trial = Turn(state, system, fresh, command.seat)
    trial.faces = noted = NotedFaces()
    if not acting.throw(trial, op.id):  # refused in its own words, or it goes to the game master
        return trial.tell(op.id, e.FieldsFilled(number=op.id))
    # A rule that throws nothing needs nobody's grain; but where not all may know that it does, it is asked for as ever.
    if not noted.thrown and trial.at(op.id).pending is None and _lies_open(state, system, op, step):
        trial.grains[step] = last
        return trial.tell(op.id, e.DiceThrown(number=op.id, step=step, grain=last))
    missing = {row.seat for row in made.listed if row.seat not in grains}
    kept = state.opened.get(made.hash, {})
    told: list[e.AnyEvent] = [opened(made, seat, grain) for seat, grain in grains.items() if seat not in kept]
    turn.state = folded(state, told)
    may_come_again = command.seat in grains
    if may_come_again and missing == {made.holder} and made.holder in fresh.here:
        return [*told, *turn.ready_again(op, step, replace(made, holder=command.seat))]
    key = fresh.token(32)
    bare = replace(made, hash=commitment(key), key=key.hex(), grains=(), holder="", apart="",
                   begun_again=made.begun_again + 1)
    act = turn.state.move(op.id)
    unasked = replace(act, keys={**act.keys, step: bare})
    part = taking_part(turn.state, system, fresh, unasked, step)
    rows = tuple(row for row in part.rows if row.seat not in missing)
    masters = state.eyes.masters
    rows = rows if may_come_again and any(row.seat not in masters for row in rows) else ()
    gone = (row for row in made.grains if row.left_out), (
        replace(row, left_out=True) for row in made.listed if row.seat in missing)
    holder = command.seat if any(row.seat == command.seat for row in rows) else ""
    told += turn.ready_again(op, step, replace(
        bare, grains=(*rows, *gone[0], *gone[1]), holder=holder, apart=made.apart))
    if rows:
        return told
    again = Turn(turn.state, system, fresh, command.seat)
    again.faces = faces_of(turn.state, fresh, op.id, step, last)
    acting.throw(again, op.id)
    again.grains[step] = last
    return [*told, *again.tell(op.id, e.DiceThrown(number=op.id, step=step, grain=last))]


def _lies_open(state: State, system: System, op: OpenMove, step: str) -> bool:
    """Whether everybody sees what is thrown, and by whom."""
    resolve = next(one for one in op.move.resolves if one.id == step)
    return ALL in op.shown(system, resolve).dice and not any(
        map(state.unseen, state.eyes.seats.keys() - state.eyes.masters))


def thrown_at_once(
    state: State, happened: Iterable[e.AnyEvent], system: System, fresh: Fresh, ordered: bool = False
) -> list[e.AnyEvent]:
    """What falls by itself, now that all is said: dice that whoever began the act has ordered already."""
    told: list[e.AnyEvent] = []
    touched = {event.number for event in happened if isinstance(event, (e.MoveStarted, e.MoveEvent))}
    for number in sorted(touched):
        act = state.moves.get(number)
        whole = with_house_moves(system, state)
        declared = whole.moves.get(act.move) if act is not None and act.phase == "open" else None
        if act is None or declared is None or not (ordered or any(
                step.at_once for step in declared.resolves)):
            continue
        with suppress(ParaventError, *BROKEN):  # whoever may throw is told why when they try
            first = ordered
            while fallen := _falls(state, whole, fresh, state.move(number), first):
                told, state, first = [*told, *fallen], folded(state, fallen), False
    return told


def _falls(state: State, system: System, fresh: Fresh, act: Act, ordered: bool) -> list[e.AnyEvent]:
    turn = Turn(state, system, fresh, act.starter)
    op = turn.at(act.id)
    step = op.step(system)
    if not isinstance(step, Resolve) or op.pending is not None:
        return []
    if not step.falls_at_once(op.context(system)) and not (ordered and act.starter in turn.waits_for(op)):
        return []
    if step.id in act.keys and act.keys[step.id].listed:
        return []  # the grain of whoever ordered it is on its way
    turn.faces = faces_of(state, fresh, act.id, step.id, "")
    acting.throw(turn, act.id)
    turn.grains[step.id] = ""
    return turn.tell(act.id, e.DiceThrown(number=act.id, step=step.id, grain="", by=act.starter))


# Answering


@events_of.register
def _(command: c.Answer, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    act = state.move(number)
    answer = _readable(command.answer, act)
    if anonymous_poll(act):
        return _polled(command, state, system, fresh, number, answer)
    turn = turn_at(state, system, fresh, command.seat, number)
    acting.answer(turn, number, answer)
    return turn.tell(number, e.AnswerGiven(number=number))


def _readable(answer: Any, act: Act) -> Any:
    """An answer of the kind that is asked for: faces, numbers of dice, or one of the options."""
    if isinstance(act.pending, DiceAsked):
        if not _whole_numbers(answer):
            raise BadValue(field="answer", got=plain(answer), expected="list")
    elif isinstance(answer, Mapping) and "dice" in answer and not _whole_numbers(answer["dice"]):
        raise BadValue(field="answer", got=plain(answer), expected="list")
    return answer


def _whole_numbers(answer: Any) -> bool:
    return isinstance(answer, (list, tuple)) and len(answer) <= limits.MOST_DICE and all(
        isinstance(face, int) and not isinstance(face, bool) for face in answer
    )


def _polled(
    command: c.Answer, state: State, system: System, fresh: Fresh, number: int, answer: Any
) -> list[e.AnyEvent]:
    """All others are asked, and none is named: who lets pass is kept in no log, nor who objects."""
    asked = anonymous_poll(state.move(number))
    assert asked is not None
    turn = turn_at(state, system, fresh, command.seat, number)
    op = turn.at(number)
    seats = turn.waits_for(op)
    if command.seat not in seats:
        acting.answer(turn, number, answer)  # refused, in its own words
    if isinstance(op.pending, Choice) and plain(answer) not in asked.options:
        raise refused(op.pending, plain(answer))
    mine = ballot(poll_answered(state, command), answer, asked.usual)
    fresh.passed.setdefault(mine, set()).add(command.seat)
    told = _counted(state, system, fresh, number, seats)
    why = " ".join(command.why.split())[:limits.LONGEST_REASON]
    if not told or not why or plain(answer) == plain(asked.usual):
        return told
    said = Sentence("house.objection", {"text": why}, ())
    return [*told, e.Overheard(told=(said,), audience=told[0].audience)]


def _counted(state: State, system: System, fresh: Fresh, number: int, asked: frozenset[str]) -> list[e.AnyEvent]:
    """What comes of the ballots put in so far: nothing, while it may still go either way."""
    act = state.move(number)
    pending, poll = anonymous_poll(act), poll_of(act)
    assert pending is not None
    objection = next(option for option in pending.options if option != pending.usual)
    passed = fresh.passed.get(poll, set())
    against = fresh.passed.get(ballot(poll, objection, pending.usual), set()) & asked
    match carried(asked, against, passed, takes_most(pending.who)):
        case None:
            return []
        case True:
            seats, said = against, objection
        case _:
            seats, said = set(asked), pending.usual
    turn = turn_at(state, system, fresh, min(seats), number)
    waits = turn.at(number).pending
    for seat in sorted(seats):  # each says the same until that decides it
        if turn.at(number).pending is waits:
            acting.answer(turn, number, said, seat)
    return turn.tell(number, e.AnswerGiven(number=number))


def waits_no_more(state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """What ends in nobody's name because nobody is left to wait for: polls that all others let pass, windows that all
    others agreed to."""
    told: list[e.AnyEvent] = []
    for act in state.open_moves():
        with suppress(ParaventError, *BROKEN):  # its rule changed, or fails: it waits for the game master
            happened = _nobody_left(state, system, fresh, act)
            told, state = [*told, *happened], folded(state, happened)
    return told


def _nobody_left(state: State, system: System, fresh: Fresh, act: Act) -> list[e.AnyEvent]:
    turn = Turn(state, system, fresh, "")
    if anonymous_poll(act):
        asked = turn.waits_for(turn.at(act.id))
        return _counted(state, system, fresh, act.id, asked) if asked else []
    agreed = {seat for answers in act.windows.values() if CLOSED not in answers for seat in answers}
    here = sorted(agreed & set(state.eyes.seats))
    if here and not turn.waits_for(turn.at(act.id)):
        turn = turn_at(state, system, fresh, here[0], act.id)
        acting.answer(turn, act.id, AGREE)
        return turn.tell(act.id, e.AnswerGiven(number=act.id))
    return []
