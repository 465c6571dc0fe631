"""A small game for trying the command line: divers and lanterns, with every shape that a form can take."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from paravent.dice import Dice, Kinds, Odds, Take, chain
from paravent.game import (
    GM_ONLY,
    INVISIBLE,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Fault,
    Field,
    Flag,
    Forecast,
    Many,
    Move,
    OneOf,
    Opened,
    RecordKind,
    Resolve,
    Role,
    Rulings,
    Score,
    Section,
    SheetOf,
    Shown,
    System,
    Telling,
    TextField,
    Whole,
    Window,
    changed,
    only,
)

FACES = Kinds(6, success=range(1, 4), failure=range(4, 7))


class Stance(StrEnum):
    HIGH = "high"
    LOW = "low"


@dataclass(frozen=True)
class Diver:
    name: str
    might: int = 3
    wit: int = 3
    breath: int = 5
    tools: tuple[str, ...] = ()
    secret: str = ""


@dataclass(frozen=True)
class Current:
    name: str = "current"
    force: int = 2


@dataclass(frozen=True)
class Race:
    metres: int = 6
    lost: int = 0
    trap: str = ""


class Tried(NamedTuple):
    successes: int
    passed: bool


class Struck(NamedTuple):
    winner: str
    margin: int


def attempt(dice: Dice, attribute: int, n: int, difficulty: int, careful: bool) -> Tried:
    """Throw, reroll one failure if one wishes, count."""
    successes, failures = dice.counts(n, FACES)
    dice.note("TOY-001", "thrown", n=n, successes=successes)
    if failures and not careful:
        take = dice.choose("initiator", "reroll", (Take(), Take("failure")), rule="TOY-002")
        if take:
            again, _ = dice.counts(1, FACES, again=take)
            successes += again
            dice.note("TOY-002", "again", n=again)
    successes += attribute > 5
    return Tried(successes, successes >= difficulty)


def strike(dice: Dice, mine: Stance, theirs: tuple[Stance, ...], clash: str) -> Struck:
    """Everybody throws; the highest wins, a different stance adds one."""
    best = dice.of("initiator").sum(2, 6)
    winner, margin = "initiator", best
    for at, stance in enumerate(theirs, start=1):
        part = "opponent" if at == 1 else f"opponent{at}"
        total = dice.of(part).sum(2, 6) + (stance is not mine and clash == "on")
        if total >= best:
            winner, margin, best = part, total - best, total
    dice.note("TOY-003", "struck", best=best)
    return Struck(winner, margin)


def hurt(dice: Dice, margin: int) -> int:
    return dice.sum(1, 3) + margin // 2


def stroke(dice: Dice, race: Race) -> Race:
    way = dice.sum(1, 3)
    dice.note("TOY-004", "way", n=way)
    return Race(max(race.metres - way, 0), race.lost + (way == 1), race.trap)


def notices(dice: Dice, force: int) -> bool:
    return dice.sum(1, 6) > force


def _race(ctx: Context) -> Race:
    return Race() if ctx.encounter is None else ctx.state(Race)


def _forecast(ctx: Context) -> Forecast:
    end = chain(stroke, _race(ctx), over=lambda race: race.metres == 0 or race.lost >= 3)
    ends: Odds[str] = end.ends.map(lambda race: "drowned" if race.lost >= 3 else "surfaced")
    return Forecast(ends, end.mean_steps, (Telling("outcomes.told_race", {"n": 6}),))


def _try_changes(ctx: Context, result: Tried) -> tuple[Change, ...]:
    actor = ctx.one()
    if actor.record is None or result.passed:
        return ()
    return changed(actor.id, actor.record, "breath", actor.record.breath - 1, "TOY-001")


ATTRIBUTE = Field("attribute", Score(("might", "wit"), 1, 9))
DICE = Field("dice", Whole(1, 5), usual=3)
CAREFUL = Field("careful", Flag(), usual=False)
TOOLS = Field("tools", Many(TextField()), usual=())
DIFFICULTY = Field("difficulty", Whole(0, 6), role="gm", usual=1, secrecy="gm", probes=(1, 2))

TRY = Move(
    "try",
    (
        Ask("announce", (ATTRIBUTE, DICE, CAREFUL, TOOLS)),
        Ask("difficulty", (DIFFICULTY,)),
        Resolve(
            "throw",
            lambda ctx: Call(attempt, ctx.score(ctx.one(), ATTRIBUTE), ctx[DICE], ctx[DIFFICULTY], ctx[CAREFUL]),
            tell=lambda ctx, result: (
                Telling("outcomes.told_try", {"n": result.successes}),
                Telling("outcomes.told_gm", {"n": ctx[DIFFICULTY]}, GM_ONLY),
            ),
            outcome=lambda result: "passed" if result.passed else "missed",
            success=lambda result: result.passed,
            changes=_try_changes,
            vary="dice",
            policies={"always": lambda who, key, options, usual: options[-1]},
        ),
    ),
    rules=("TOY-001", "TOY-002"),
)


def _blow_changes(ctx: Context, result: int) -> tuple[Change, ...]:
    foe = ctx.one("opponent")
    return changed(foe.id, foe.record, "breath", foe.record.breath - result, "TOY-003") if foe.record else ()


STANCE = Field("stance", OneOf(Stance), secrecy="sealed", usual=Stance.HIGH)
ANSWER = Field("answer", OneOf(Stance), role="opponent", secrecy="sealed", usual=Stance.LOW)
STRIKE = Resolve(
    "strike", lambda ctx: Call(
        strike, ctx[STANCE], tuple(ctx.value(foe, ANSWER) for foe in ctx.all("opponent")), str(ctx.rulings.clash)),
    outcome=lambda result: "won" if result.winner == "initiator" else "lost",
    success=lambda result: result.winner == "initiator",
    tell=lambda ctx, result: (Telling("outcomes.told_duel", {"n": result.margin}),),
)


def _won(ctx: Context) -> bool:
    return STRIKE.id in ctx.results and ctx.result(STRIKE).winner == "initiator"


PULLED: Field[int | None] = Field("pulled", Whole(0, lambda ctx: ctx.result(STRIKE).margin), usual=0, when=_won)

DUEL = Move(
    "duel",
    (
        Ask("stances", (STANCE, ANSWER)),
        Window("agreed", "gm", "approval"),
        STRIKE,
        Ask("mercy", (PULLED,)),
        Resolve(
            "blow", lambda ctx: Call(hurt, ctx.result(STRIKE).margin - (ctx[PULLED] or 0)),
            outcome=lambda result: "hurt" if result > 2 else "bruised", changes=_blow_changes, when=_won,
        ),
    ),
    cast=(Role("initiator", "diver"), Role("opponent", "diver", 1, 3), Role("gm")),
)


FORCE = Field("force", Whole(1, 6), role="gm")

WATCH = Move(
    "watch",
    (
        Ask("force", (FORCE, Field("remark", TextField(), role="gm", usual=""),
                      Field("guest", SheetOf("diver"), role="gm", optional=True))),
        Resolve("look", lambda ctx: Call(notices, ctx[FORCE]), outcome=lambda saw: "saw" if saw else "blind",
                tell=lambda ctx, saw: (Telling("outcomes.told_watch", {}, only("gm")),),
                shown=lambda ctx, result: INVISIBLE, blind=True),
    ),
    cast=(Role("gm"),), by="gm", exists=GM_ONLY,
)

METRES = Field("metres", Whole(1, 20), role="gm", usual=6)


def dived(dice: Dice, metres: int) -> int:
    return metres


DIVE = Move(
    "dive",
    (
        Ask("depth", (METRES,)),
        Resolve("start", lambda ctx: Call(dived, ctx[METRES]), outcome=lambda metres: "dived",
                opens=lambda ctx, metres: Opened("race", Race(metres, 0, "a net at two metres"))),
    ),
    cast=(Role("gm"),), by="gm",
)

SWIM = Move(
    "swim",
    (
        Resolve("stroke", lambda ctx: Call(stroke, ctx.state(Race)),
                outcome=lambda race: "surfaced" if race.metres == 0 else "swimming",
                shown=lambda ctx, result: Shown(),
                changes=lambda ctx, race: (Change("encounter", "", ctx.encounter, race, "TOY-004"),)),
    ),
    encounter="race", forecast=_forecast,
)



def _check(record: Diver, rulings: Rulings) -> list[Fault]:
    faults = [Fault("too-strong", "TOY-001", values={"n": record.might})] if record.might > 9 else []
    return faults + ([Fault("frail", warning=True)] if record.might == 1 else [])


def _draw(dice: Dice, rulings: Rulings) -> Diver:
    might = dice.sum(2, 3)
    return Diver("Nadia", might, 8 - might)


READY: dict[str, Any] = {
    "ana": Diver("Ana", 4, 2, 5, ("rope", "lamp"), "cannot swim"),
    "zoe": Diver("Zoé", 6, 5, 6),
}

SYSTEM = System(
    "toy", "divers_game", "1.0",
    moves={move.id: move for move in (TRY, DUEL, WATCH, DIVE, SWIM)},
    kinds={
        "diver": RecordKind("diver", Diver, check=_check, draw=_draw, ready=lambda lang: READY, played=True,
                            derived=lambda record, rulings: {"total": record.might + record.wit},
                            sections=(Section("body", ("might", "wit")), Section("kit", ("tools",))),
                            gauges={"breath": "6"}, hidden={"secret": only("owner")}),
        "current": RecordKind("current", Current, audience=GM_ONLY),
    },
    encounters={"race": Encounter("race", Race, lambda race: race.metres == 0 or race.lost >= 3,
                                  frozenset({"trap"}))},
    notice={"fr": "Un jeu pour essayer.", "en": "A game for trying."},
    examples={"try": [{"form": {"initiator": [{"attribute": 4}]}}]},
)
