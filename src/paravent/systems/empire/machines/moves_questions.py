"""Moves of questions: data banks and the way, and the half hour in which one asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GM_ONLY,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Field,
    Flag,
    Move,
    Opened,
    Resolve,
    Shown,
    Telling,
    TextField,
    Whole,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.trials import GRADE, SETTLED, against, grade_of, tested_in
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.throws import by_gm, said, to_gm
from paravent.systems.empire.trade.errors import TooLittleMoney
from paravent.systems.empire.trade.purse import credits_left, paid

from .driving import CONNECTED, Answers, ask, check_connection, connection_price, is_answered


@dataclass(frozen=True)
class Asking:
    """A while in which questions are put: how many will be answered stays with the game master."""

    questions: int = 1
    asked: int = 0
    closed: bool = False


# Beginning


def _price(ctx: Context) -> int:
    return connection_price(ctx[PRICE] or 0, ctx.rulings)


def _can_pay(ctx: Context) -> bool:
    """Whether a purse holds what every connection costs, as far as a sheet says and may be read."""
    try:
        credits_left(ctx.one(), connection_price(0, ctx.rulings))
    except TooLittleMoney:
        return False
    except Withheld:
        pass
    return True


def _purse(ctx: Context) -> int | None:
    """The most that a connection can cost, where a sheet says it."""
    record = ctx.one().record
    return max(0, record.credits) if isinstance(record, Character) else None


def _query_call(ctx: Context) -> Call[Answers]:
    check_connection(ctx[PLACE_LEVEL] or CONNECTED, ctx[ABOARD], ctx[HAS_COMPUTER])
    credits_left(ctx.one(), _price(ctx))
    return Call(by_gm(ask), *against(ctx, "65"), grade_of(ctx, ctx.one(), Guild.TEKNO))


def _tell_answers(ctx: Context, done: Answers) -> Sequence[Telling]:
    if not done.success:
        return (said("told_insufficient"),)
    return said("told_answers"), to_gm("told_questions", n=done.questions)


def _change_query(ctx: Context, done: Answers) -> Sequence[Change]:
    return paid(ctx.one(), _price(ctx), "EGW-127")


def _opened(ctx: Context, done: Answers) -> Opened | None:
    return Opened("asking", Asking(done.questions)) if done.success else None


ANSWERED = Shown(dice=GM_ONLY, detail=GM_ONLY)
HAS_COMPUTER = Field("has_computer", Flag(lambda ctx: (True,)), usual=True, rule="EGW-127")
ABOARD = Field("aboard", Flag(), "gm", usual=False, rule="EGW-127")
PLACE_LEVEL: Field[int | None] = Field("place_level", Whole(CONNECTED, 6), "gm", usual=6, rule="EGW-127",
                                       when=lambda ctx: not ctx[ABOARD])
PRICE: Field[int | None] = Field("price", Whole(0, _purse), "gm", usual=0, rule="EGW-127",
                                 when=lambda ctx: ctx.rulings.connection_price == "gm")
QUERY_DATA_BANK = Move(
    "query-data-bank",
    offered=_can_pay,
    group="gear", rules=("EGW-113", "EGW-127", "EGW-128", "EGW-129"),
    steps=(
        Ask("connect", (HAS_COMPUTER, *tested_in("65"), GRADE)),
        Ask("settle", (ABOARD, PLACE_LEVEL, PRICE, *SETTLED)),
        Resolve("query", _query_call, tell=_tell_answers, changes=_change_query, blind=True,
                outcome=lambda done: "answers" if done.success else "insufficient", success=lambda done: done.success,
                opens=_opened, shown=lambda ctx, done: ANSWERED),
    ),
)
FIND_WAY = Move(
    "find-way",
    group="gear", rules=("EGW-130",),
    steps=(
        Ask("declare", (*tested_in("52"), GRADE)),
        Ask("settle", SETTLED),
        Resolve("ask", lambda ctx: Call(by_gm(ask), *against(ctx, "52"), grade_of(ctx, ctx.one(), Guild.NAVYBORG)),
                tell=_tell_answers, outcome=lambda done: "answers" if done.success else "insufficient",
                success=lambda done: done.success, opens=_opened, blind=True, shown=lambda ctx, done: ANSWERED),
    ),
)


# Asking


class Answer(NamedTuple):
    """One question: whether it is answered."""

    answered: bool


def answer(dice: Dice, number: int, questions: int) -> Answer:
    """One question too many, and data are insufficient."""
    return Answer(is_answered(number, questions))


def _state(ctx: Context) -> Asking:
    return ctx.encounter if isinstance(ctx.encounter, Asking) else Asking()


def _tell_answer(ctx: Context, done: Answer) -> Sequence[Telling]:
    if not done.answered:
        return (said("told_insufficient"),)
    return (said("told_answer", text=ctx[ANSWER]),) if ctx[ANSWER] else ()


def _change_asked(ctx: Context, done: Answer) -> Sequence[Change]:
    state = _state(ctx)
    changes = [Change("encounter", "asked", state.asked, state.asked + 1, "EGW-128")]
    return [*changes, Change("encounter", "closed", False, True, "EGW-127")] if ctx[LAST_QUESTION] else changes


QUESTION = Field("question", TextField(300), usual="", rule="EGW-129")
LAST_QUESTION = Field("last_question", Flag(), usual=False, rule="EGW-127")
ANSWER = Field("answer", TextField(600), "gm", usual="", waits=True, secrecy="gm", rule="EGW-129")
ASK_QUESTION = Move(
    "ask-question",
    group="gear", encounter="asking", rules=("EGW-128", "EGW-129"),
    steps=(
        Ask("ask", (QUESTION, LAST_QUESTION)),
        Ask("reply", (ANSWER,)),
        Resolve("answer", lambda ctx: Call(answer, _state(ctx).asked + 1, _state(ctx).questions), auto=True,
                tell=_tell_answer, changes=_change_asked,
                outcome=lambda done: "answered" if done.answered else "insufficient",
                shown=lambda ctx, done: Shown(detail=GM_ONLY)),
    ),
)

MOVES = (QUERY_DATA_BANK, FIND_WAY, ASK_QUESTION)
ENCOUNTERS = {"asking": Encounter("asking", Asking, over=lambda state: state.closed, hidden=frozenset({"questions"}))}
