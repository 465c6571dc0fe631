"""Veil: a small game declared for the tests, with every kind of secret a game may have."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    EXISTENCE_ONLY,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    OUTCOME_HIDDEN,
    OWN_DICE,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Fault,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Opened,
    RecordKind,
    Resolve,
    Role,
    Score,
    System,
    Telling,
    Whole,
    Window,
    changed,
    only,
)


@dataclass(frozen=True)
class Hero:
    name: str = ""
    body: int = 4
    wounds: int = 0
    fatigue: int = 0
    pride: int = 1
    """For its player and the game master."""
    fate: int = 0
    """For the game master alone."""
    bag: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Extra:
    name: str = ""
    body: int = 3
    wounds: int = 0
    armour: int = 0


@dataclass(frozen=True)
class Fight:
    round: int = 1
    exhausted: int = 0
    ambush: int = 0


def check_hero(hero: Hero, rulings: Any) -> list[Fault]:
    faults = [Fault("too-strong")] if hero.body > 9 else []
    return faults + ([Fault("doomed")] if hero.fate > 9 else [])


def below(dice: Dice, score: int, again: bool) -> int:
    kept = sum(face <= score for face in dice.pool(3, 6))
    if again and kept < 3 and dice.choose("initiator", "again", (False, True)):
        kept += dice.sum(1, 6) <= score
    dice.note("VEIL-1", "kept", n=kept)
    return kept


def one_die(dice: Dice, score: int) -> bool:
    return dice.sum(1, 6) <= score


class Duelled(NamedTuple):
    mine: int
    theirs: int


def duelled(dice: Dice, mine: int, theirs: int) -> Duelled:
    return Duelled(mine + dice.sum(2, 6), theirs + dice.of("opponent").sum(2, 6))


def pleaded(dice: Dice, score: int) -> int:
    thrown = dice.sum(1, 6)
    return 0 if dice.choose("others", "veto", (False, True)) else thrown + score


def nothing(dice: Dice, value: int) -> int:
    return value


def is_won(kept: int) -> str:
    return "success" if kept >= 2 else "failure"


def hurt(ctx: Context, path: str = "wounds") -> tuple[Change, ...]:
    actor = ctx.one()
    return changed(actor.id, actor.record, path, getattr(actor.record, path) + 1) if actor.record else ()


BODY = Field("score", Score(("body",), 0, 20), usual="body")
DIFFICULTY = Field(
    "difficulty", Whole(-3, 3), role="gm", secrecy="gm", usual=0, probes=(-1, 0, 1)
)
AGAIN = Field("again", Flag(), usual=False)
STANCE = Field("stance", Whole(0, 3), secrecy="sealed", usual=0)
FORCE = Field("force", Whole(0, 9), role="gm", usual=3)
MUCH = Field("much", Whole(1, 5))
CALLED = Field("called", OneOf(("Mira", "Noor")))


def body(ctx: Context) -> int:
    return ctx.score(ctx.one(), BODY)


ACT = Move("act", (
    Ask("declare", (BODY, AGAIN)),
    Ask("set", (DIFFICULTY,)),
    Resolve(
        "roll", lambda ctx: Call(below, body(ctx) + ctx[DIFFICULTY], ctx[AGAIN]), outcome=is_won,
        success=lambda kept: kept >= 2, tell=lambda ctx, kept: [Telling("outcomes.kept", {"n": kept})],
        changes=lambda ctx, kept: hurt(ctx) if kept < 2 else (),
    ),
))

LEAP = Move("leap", (  # nothing hidden, nothing changes
    Ask("declare", (BODY,)),
    Resolve("roll", lambda ctx: Call(one_die, body(ctx)), outcome=lambda won: str(won)),
))

DUEL = Move(
    "duel",
    (
        Ask("stance", (STANCE, replace(STANCE, role="opponent"))),
        Resolve(
            "clash", lambda ctx: Call(duelled, ctx[STANCE], ctx.value(ctx.one("opponent"), STANCE)),
            outcome=lambda duel: "won" if duel.mine > duel.theirs else "lost", shown=lambda ctx, result: OWN_DICE,
        ),
    ),
    cast=(INITIATOR, Role("opponent"), GAME_MASTER),
)

CREEP = Resolve(
    "creep", lambda ctx: Call(one_die, body(ctx) + ctx[DIFFICULTY]), blind=True,
    outcome=lambda won: "unseen" if won else "seen", shown=lambda ctx, result: EXISTENCE_ONLY,
    changes=lambda ctx, won: () if won else changed(
        ctx.one().id, ctx.one().record, "fate", ctx.one().record.fate + 1, audience=GM_ONLY),
)


def was_seen(ctx: Context) -> bool:
    return CREEP.id in ctx.results and not ctx.result(CREEP)


NOISE = Field("noise", Whole(0, 5), role="gm", secrecy="gm", when=was_seen)

SNEAK = Move(
    "sneak",
    (
        Ask("declare", (BODY,)),
        Ask("set", (DIFFICULTY,)),
        CREEP,
        Ask("after", (NOISE,)),
        Resolve(
            "alarm", lambda ctx: Call(one_die, ctx[NOISE]), when=was_seen,
            shown=lambda ctx, result: INVISIBLE, blind=True,
        ),
    ),
)

HUNCH = Move("hunch", (
    Ask("set", (DIFFICULTY,)),
    Resolve(
        "feel", lambda ctx: Call(one_die, 3 + ctx[DIFFICULTY]), shown=lambda ctx, result: OUTCOME_HIDDEN,
        tell=lambda ctx, won: [Telling("outcomes.true" if won else "outcomes.false")],
    ),
))

AMBUSH = Move(
    "ambush",
    (
        Ask("plan", (FORCE,)),
        Resolve("spring", lambda ctx: Call(one_die, ctx[FORCE]), shown=lambda ctx, result: INVISIBLE,
                changes=lambda ctx, won: [
                    change for actor in ctx.all("target") if isinstance(actor.record, Hero)
                    for change in changed(actor.id, actor.record, "fatigue", actor.record.fatigue + 1)
                ]),
    ),
    cast=(Role("target", least=0, most=None), GAME_MASTER),
    by="gm",
    exists=GM_ONLY,
)

LIFT = Move("lift", (  # all see what happens, and nobody whose doing it is
    Resolve("lift", lambda ctx: Call(one_die, 6), shown=lambda ctx, result: INVISIBLE,
            tell=lambda ctx, won: [Telling("outcomes.floats", {"what": "un caillou"}, EVERYONE),
                                   Telling("outcomes.effort", {}, GM_ONLY)]),
), exists=GM_ONLY)

PLEA = Move("plea", (
    Ask("declare", (BODY,)),
    Resolve("plead", lambda ctx: Call(pleaded, body(ctx)), outcome=lambda total: "heard" if total else "vetoed"),
))

LEND = Move(
    "lend",
    (
        Ask("what", (MUCH,)),
        Window("consent", "helper", back_to="what"),
        Resolve("done", lambda ctx: Call(nothing, ctx[MUCH]), auto=True,
                changes=lambda ctx, much: changed(ctx.one("helper").id, ctx.one("helper").record, "fatigue", much)),
    ),
    cast=(INITIATOR, Role("helper"), GAME_MASTER),
)

RETRY = Move(
    "retry",
    (
        Ask("what", (MUCH,)),
        Resolve("try", lambda ctx: Call(one_die, ctx[MUCH])),
        Window("enough", "gm", "approval", back_to="what"),
    ),
)

BRAWL = Move("brawl", (
    Resolve("begin", lambda ctx: Call(nothing, 1), auto=True,
            opens=lambda ctx, one: Opened("fight", Fight(ambush=7))),
), by="gm", cast=(Role("initiator", least=0, most=None), GAME_MASTER))

PLOT = Move("plot", (
    Resolve("begin", lambda ctx: Call(nothing, 1), auto=True, opens=lambda ctx, one: Opened("scheme", Fight())),
), by="gm", cast=(GAME_MASTER,), exists=GM_ONLY)

STRIKE = Move(
    "strike",
    (
        Ask("declare", (BODY,)),
        Resolve(
            "hit", lambda ctx: Call(one_die, body(ctx)),
            changes=lambda ctx, won: (
                Change("encounter", "round", ctx.state(Fight).round, ctx.state(Fight).round + 1),
                Change("encounter", "ambush", ctx.state(Fight).ambush, ctx.state(Fight).ambush - 1),
            ),
            follow=lambda ctx, won: () if won else (Follow("leap", {"initiator": [ctx.one().id]}),),
        ),
    ),
    encounter="fight",
)

CREATE = Move("create", (
    Ask("who", (CALLED,)),
    Resolve("born", lambda ctx: Call(nothing, 4), auto=True, changes=lambda ctx, body: (
        Change(ctx[CALLED], "", None, Hero(ctx[CALLED], body), kind="character"),
    )),
))

REMIND = Move("remind", (
    Resolve("later", lambda ctx: Call(nothing, 1), auto=True, changes=lambda ctx, one: (
        Change("clock", "timers.rest", None,
               {"in": 1440, "record": ctx.one().id, "path": "fatigue", "add": -1, "rule": "VEIL-9"}),
    )),
))


def passing(dice: Dice, record: Any, minutes: int, habits: Any, rulings: Any) -> tuple[Change, ...]:
    """A night's rest takes a point of fatigue away; a long day without sleep may add one."""
    if habits.get("slept"):
        rested = max(0, record.fatigue - minutes // 480)
        dice.note("VEIL-8", "rested", n=record.fatigue - rested)
        return changed("", record, "fatigue", rested, "VEIL-8")
    tired = minutes >= 720 and dice.sum(1, 6) > record.body
    return changed("", record, "fatigue", record.fatigue + tired, "VEIL-7")


HERO = RecordKind(
    "character", Hero, check=check_hero, hidden={"pride": only("owner", "gm"), "fate": GM_ONLY},
    ready=lambda lang: {"elya": Hero("Elya", 5)}, played=True, gauges={"wounds": "5", "fatigue": "5"},
)
EXTRA = RecordKind("extra", Extra, audience=GM_ONLY, hidden={"armour": GM_ONLY})

MOVES = (ACT, LEAP, DUEL, SNEAK, HUNCH, AMBUSH, LIFT, PLEA, LEND, RETRY, BRAWL, PLOT, STRIKE, CREATE, REMIND)
VEIL = System(
    "veil", "paravent.game", "1", {move.id: move for move in MOVES}, {kind.id: kind for kind in (HERO, EXTRA)},
    {
        "fight": Encounter("fight", Fight, lambda fight: fight.round > 2, hidden=frozenset({"ambush"})),
        "scheme": Encounter("scheme", Fight, lambda fight: False, audience=GM_ONLY),
    },
    passing=passing,
    habits=(Field("slept", Flag(), role="character", usual=True),),
)
