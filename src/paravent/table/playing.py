"""Moves under way: the commands that open them, fill them in, throw and answer.

Each lays the table out as a session of the game (:mod:`paravent.table.stage`) and lets it play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from paravent.dice import KeyedFaces, plain
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, LiveFaces
from paravent.game import NotNow, Resolve, System, UnknownName
from paravent.game.errors import BROKEN, BadValue
from paravent.game.eyes import carried, takes_most
from paravent.game.open_move import AGREE, CLOSED
from paravent.game.session import Session

from . import commands as c
from . import events as e
from . import limits
from .deciding import Fresh, encounter_number, events_of, folded, gm_only, seat_number
from .limits import no_more_than
from .passing import PASS_TIME
from .polls import anonymous_poll, ballot, poll_answered, poll_of
from .records import visible_records
from .stage import Played, laid_out
from .state import State

# Opening


@events_of.register
def _(command: c.StartMove, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    cast = command.cast
    if command.move == PASS_TIME and not cast and "character" in {role.id for role in system.move(PASS_TIME).cast}:
        cast = {"character": [name for name, held in state.records.items() if held.owner and held.kind == "character"]}
    return _start(command, state, system, fresh, [(cast, command.form)])


@events_of.register
def _(command: c.AskMove, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    role = system.move(command.move).by
    if not command.of:
        raise BadValue(field="of", got="", expected="list")
    no_more_than(limits.MOST_CAST, len(command.of), "actor")
    asked = [({role: [name]}, {name: command.form} if command.form else {}) for name in dict.fromkeys(command.of)]
    return _start(command, state, system, fresh, asked)


def _start(
    command: c.StartMove | c.AskMove,
    state: State,
    system: System,
    fresh: Fresh,
    asked: Iterable[tuple[Mapping[str, list[str]], Mapping[str, Any]]],
) -> list[e.Event]:
    told: list[e.Event] = []
    encounter = encounter_number(state, command.seat, command.encounter)
    if encounter is not None and state.encounters[str(encounter)].over:
        raise NotNow(move=command.move, needs="over")
    for cast, form in asked:
        check_cast(state, command.seat, cast)
        mine = [move for move in state.open_moves() if move["starter"] == command.seat]
        no_more_than(limits.MOST_MOVES_OF_A_SEAT, len(mine) + 1, "open move")
        played = Played(state, system, fresh)
        played.session.start(command.seat, command.move, cast, form, encounter, command.grade)
        played.numbered_from_here()
        events = played.started()
        told += events
        state = played.state
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
def _(command: c.Join, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    check_cast(state, command.seat, {command.role: list(command.names)})
    no_more_than(limits.MOST_CAST, len(state.move(number)["cast"]) + len(command.names), "actor")
    return acted(state, system, fresh, number, e.FieldsFilled,
                 lambda session: session.join(command.seat, number, command.role, *command.names))


def acted(
    state: State, system: System, fresh: Fresh, number: int, kind: type[e.MoveEvent], act: Callable[[Session], None],
    seat: str = "", **more: Any,
) -> list[e.Event]:
    """What comes of something done to an open move, with the faces that its keys give."""
    played = Played(state, system, fresh, number, seat)
    op = played.session.moves[number]
    step = op.step(system)
    if isinstance(step, Resolve) and step.id in op.records:
        played.session.faces = faces_of(state, number, step.id, "")
    act(played.session)
    played.numbered_from_here()
    return played.events(kind, number, **more)


@events_of.register
def _(command: c.Fill, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return acted(state, system, fresh, number, e.FieldsFilled,
                 lambda session: session.fill(command.seat, number, command.values, command.actor),
                 fields=tuple(command.values))


@events_of.register
def _(command: c.SetGrade, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    played = Played(state, system, fresh, number)
    played.session.set_grade(command.seat, number, command.grade)
    if command.grade == state.move(number).get("grade", "open"):
        return []
    return played.events(e.GradeSet, number, grade=command.grade)


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


def faces_of(state: State, number: int, step: str, nonce: str) -> Faces:
    """The faces that follow from a throw's key and the nonce given for it, once and for all."""
    made = state.move(number).get("keys", {}).get(step)
    if made is None:
        return LiveFaces()  # a rule that runs by itself throws nothing
    return TableFaces(bytes.fromhex(made["key"]), made.get("nonce", nonce).encode())


@events_of.register
def _(command: c.Throw, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    nonce = limits.short(command.nonce, limits.LONGEST_NONCE)
    played = Played(state, system, fresh, number)
    step = played.session.moves[number].step(system)
    if isinstance(step, Resolve):
        played.session.faces = faces_of(state, number, step.id, nonce)
    played.session.throw(command.seat, number, by_hand=command.by_hand)
    assert isinstance(step, Resolve)
    played.numbered_from_here()
    kept = state.move(number)
    keys = {**kept["keys"], step.id: {**kept["keys"][step.id], "nonce": nonce}}
    played.state = replace(played.state, moves={**played.state.moves, str(number): {**kept, "keys": keys}})
    told = played.events(e.DiceThrown, number, step=step.id, nonce=nonce)
    return [
        replace(event, patch={"keys": keys, **event.patch}) if isinstance(event, e.DiceThrown) else event
        for event in told
    ]


# Answering


@events_of.register
def _(command: c.Answer, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    answer = _readable(command.answer, kept)
    if anonymous_poll(kept):
        return _polled(command, state, system, fresh, number, answer)
    return acted(state, system, fresh, number, e.Answered,
                 lambda session: session.answer(command.seat, number, answer))


def _readable(answer: Any, kept: Mapping[str, Any]) -> Any:
    """An answer of the kind that is asked for: faces, numbers of dice, or one of the options."""
    pending = kept["pending"]
    if pending is not None and pending["type"] == "dice":
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
) -> list[e.Event]:
    """All others are asked, and none is named: who lets pass is kept in no log, nor who objects."""
    pending = state.move(number)["pending"]
    session = laid_out(state, system, number)
    asked = session.waits_for(number)
    if command.seat not in asked:
        session.answer(command.seat, number, answer)  # refused, in the session's words
    if plain(answer) not in pending["options"]:
        raise BadValue(field="answer", got=plain(answer), expected="value")
    mine = ballot(poll_answered(state, command), answer, pending["usual"])
    fresh.passed.setdefault(mine, set()).add(command.seat)
    return _counted(state, system, fresh, number, asked)


def _counted(state: State, system: System, fresh: Fresh, number: int, asked: frozenset[str]) -> list[e.Event]:
    """What comes of the ballots put in so far: nothing, while it may still go either way."""
    kept = state.move(number)
    pending, poll = kept["pending"], poll_of(kept)
    objection = next(option for option in pending["options"] if option != pending["usual"])
    passed = fresh.passed.get(poll, set())
    against = fresh.passed.get(ballot(poll, objection, pending["usual"]), set()) & asked
    match carried(asked, against, passed, takes_most(pending["who"])):
        case None:
            return []
        case True:
            seats, said = against, objection
        case _:
            seats, said = set(asked), pending["usual"]
    return acted(state, system, fresh, number, e.Answered, lambda session: _all_say(session, number, seats, said))


def _all_say(session: Session, number: int, seats: Iterable[str], answer: Any) -> None:
    """Each says the same until that decides it."""
    pending = session.moves[number].pending
    for seat in sorted(seats):
        if session.moves[number].pending is pending:
            session.answer(seat, number, answer)


def waits_no_more(state: State, system: System, fresh: Fresh) -> list[e.Event]:
    """What ends in nobody's name because nobody is left to wait for: polls that all others let pass, windows that all
    others agreed to."""
    told: list[e.Event] = []
    for kept in state.open_moves():
        with suppress(ParaventError, *BROKEN):  # its rule changed, or fails: it waits for the game master
            happened = _nobody_left(state, system, fresh, kept)
            told, state = [*told, *happened], folded(state, happened)
    return told


def _nobody_left(state: State, system: System, fresh: Fresh, kept: Mapping[str, Any]) -> list[e.Event]:
    number = kept["id"]
    if anonymous_poll(kept):
        asked = laid_out(state, system, number).waits_for(number)
        return _counted(state, system, fresh, number, asked) if asked else []
    elif any(CLOSED not in answers for answers in kept["windows"].values()):
        session = laid_out(state, system, number)
        agreed = {seat for answers in kept["windows"].values() if CLOSED not in answers for seat in answers}
        here = sorted(agreed & set(session.seats))
        if here and not session.waits_for(number):
            return acted(state, system, fresh, number, e.Answered,
                         lambda session: session.answer(here[0], number, AGREE))
    return []
