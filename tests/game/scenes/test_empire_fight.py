"""Scene (d), a rough Empire galactique: close combat with sealed attitudes.

Kaelle (Ana's) fights a guard (the game master's). Two exchanges, then the guard, stunned, is struck without reply.
Each side sees its own dice; the guard's resistance is the game master's alone.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import pytest
from paravent.game.session import Session

from paravent.dice import Dice
from paravent.dice.play import ScriptedFaces
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Field,
    Move,
    NotNow,
    NotYours,
    OneOf,
    Opened,
    RecordKind,
    Resolve,
    Role,
    Telling,
    TextField,
    Whole,
    changed,
)
from paravent.game.errors import AlreadyThrown
from seats import hears, hidden_from, page, rough

# --- The game -------------------------------------------------------------------------------------------------------


class Attitude(StrEnum):
    ATTACK = "attack"
    FEINT = "feint"
    PARRY = "parry"


class Height(StrEnum):
    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


class Precision(StrEnum):
    VAGUE = "vague"
    NORMAL = "normal"
    PRECISE = "precise"


CHARACTERISTIC = {Attitude.ATTACK: "strength", Attitude.FEINT: "dexterity", Attitude.PARRY: "endurance"}


@dataclass(frozen=True)
class Fighter:
    name: str
    dexterity: int
    strength: int
    endurance: int
    contact: int
    resistance: int
    armour: dict[str, int] = field(default_factory=dict)

    @property
    def full(self) -> int:
        return self.dexterity + self.strength + self.endurance


@dataclass(frozen=True)
class Fight:
    """Sequences passed, and who stands stunned."""

    sequence: int = 1
    stunned: tuple[str, ...] = ()
    out: tuple[str, ...] = ()


class Blow(NamedTuple):
    """What one side puts into an exchange: no attitude means that it takes the blow without reply."""

    threshold: int
    dice: int
    cap: int | None
    attitude: Attitude | None


class Exchange(NamedTuple):
    by_initiator: int
    by_opponent: int


def damage(dice: int, total: int) -> int:
    """T9, rough: a light weapon hurts by half the sum, and more with more dice."""
    return total // 2 + max(0, dice - 3)


def attempt(dice: Dice, blow: Blow) -> int:
    """EMP-079: the sum, at or under the threshold, or nothing."""
    if blow.attitude is None:
        return 0
    total = dice.sum(blow.dice, 6)
    dice.note("EMP-079", "attempt", total=total, threshold=blow.threshold)
    return total if total <= blow.threshold else 0


def dealt(blow: Blow, total: int) -> int:
    """EMP-081: a blow that is held back hurts no more than was said."""
    full = damage(blow.dice, total) if total else 0
    return full if blow.cap is None else min(full, blow.cap)


def exchange(dice: Dice, mine: Blow, theirs: Blow) -> Exchange:
    """EMP-076, EMP-079: the attitudes decide who may hurt whom."""
    stances = {mine.attitude, theirs.attitude}
    free = None in stances
    if not free and Attitude.ATTACK not in stances:
        return Exchange(0, 0)
    a, b = dice.of("initiator").resolve(attempt, mine), dice.of("opponent").resolve(attempt, theirs)
    if free or stances == {Attitude.ATTACK}:
        return Exchange(dealt(mine, a), dealt(theirs, b))
    if Attitude.FEINT in stances:
        return Exchange(dealt(mine, a) if a > b else 0, dealt(theirs, b) if b > a else 0)
    return Exchange(dealt(mine, a - b) if a > b else 0, dealt(theirs, b - a) if b > a else 0)


def is_stunned(ctx: Context, actor: Actor) -> bool:
    return actor.id in ctx.state(Fight).stunned


def free_to_act(role: str) -> Any:
    return lambda ctx: not is_stunned(ctx, ctx.one(role))


def blow(ctx: Context, actor: Actor) -> Blow:
    if is_stunned(ctx, actor):
        return Blow(0, 1, None, None)
    attitude = ctx.value(actor, ATTITUDE)
    height, precision = ctx.value(actor, HEIGHT), ctx.value(actor, PRECISION)
    threshold = getattr(actor.record, CHARACTERISTIC[attitude]) + actor.record.contact
    dice = 1 + list(Height).index(height) + list(Precision).index(precision)
    return Blow(threshold, dice, ctx.value(actor, CAP), attitude)


def wound(ctx: Context, victim: Actor, striker: Actor, points: int) -> list[Change]:
    """EMP-085 to 087: what armour takes, what it costs it, and whether the victim is stunned or out."""
    if not points:
        return []
    spot = ctx.value(striker, SPOT) or ctx.value(striker, HEIGHT)
    armour = victim.record.armour.get(spot, 0)
    left = victim.record.resistance - max(0, points - armour)
    changes = [*changed(victim.id, victim.record, "resistance", left, "EMP-087")]
    if armour and points > armour:
        changes += changed(victim.id, victim.record, f"armour.{spot}", 0, "EMP-087")
    return changes


def after(ctx: Context, result: Exchange) -> list[Change]:
    me, foe = ctx.one(), ctx.one("opponent")
    fight = ctx.state(Fight)
    blows = {foe.id: (foe, result.by_initiator), me.id: (me, result.by_opponent)}
    stunned = tuple(name for name, (actor, hit) in blows.items() if 3 * hit >= actor.record.full > 2 * hit)
    out = tuple(name for name, (actor, hit) in blows.items() if 2 * hit >= actor.record.full)
    return [
        *wound(ctx, foe, me, result.by_initiator),
        *wound(ctx, me, foe, result.by_opponent),
        *changed("encounter", fight, "sequence", fight.sequence + 1),
        *changed("encounter", fight, "stunned", stunned, "EMP-085"),
        *changed("encounter", fight, "out", (*fight.out, *out), "EMP-086"),
    ]


def told_after(ctx: Context, result: Exchange) -> list[Telling]:
    struck = [(ctx.one("opponent"), result.by_initiator), (ctx.one(), result.by_opponent)]
    return [Telling("outcomes.struck", {"who": actor.record.name}) for actor, points in struck if points]


def outcome(result: Exchange) -> str:
    names = {(False, False): "nothing", (True, False): "hit", (False, True): "hurt", (True, True): "both"}
    return names[bool(result.by_initiator), bool(result.by_opponent)]


def declared(role: str) -> tuple[Field[Any], ...]:
    free = free_to_act(role)
    return (
        Field("height", OneOf(Height), role, when=free),
        Field("precision", OneOf(Precision), role, when=free),
        Field("spot", TextField(), role, optional=True, when=free),
        Field("cap", Whole(0), role, optional=True, when=free),
    )


def attitude_of(role: str) -> Field[Attitude]:
    return Field("attitude", OneOf(Attitude), role, secrecy="sealed", when=free_to_act(role), probes=tuple(Attitude))


def they_fight(dice: Dice) -> str:
    return "begun"


ATTITUDE = attitude_of("initiator")
HEIGHT, PRECISION, SPOT, CAP = declared("initiator")

EXCHANGE = Move(
    "combat-exchange",
    steps=(
        Ask("attitudes", (ATTITUDE, attitude_of("opponent"))),
        Ask("blows", (*declared("initiator"), *declared("opponent"))),
        Resolve("exchange", lambda ctx: Call(exchange, blow(ctx, ctx.one()), blow(ctx, ctx.one("opponent"))),
                told_after, outcome, lambda result: result.by_initiator > 0, after, shown=lambda ctx, result: OWN_DICE),
    ),
    cast=(INITIATOR, Role("opponent", "npc"), GAME_MASTER),
    encounter="fight",
)
BEGIN = Move(
    "start-fight",
    steps=(Resolve("start", lambda ctx: Call(they_fight), auto=True,
                   opens=lambda ctx, result: Opened("fight", Fight())),),
    by="gm", cast=(GAME_MASTER,),
)
SYSTEM = rough(
    "rough-empire", [EXCHANGE, BEGIN],
    [RecordKind("character", Fighter),
     RecordKind("npc", Fighter, hidden=dict.fromkeys(
         ("dexterity", "strength", "endurance", "contact", "resistance", "armour"), GM_ONLY))],
    [Encounter("fight", Fight, over=lambda fight: bool(fight.out))],
)

# --- The scene ------------------------------------------------------------------------------------------------------

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}
KAELLE = Fighter("Kaelle", 8, 9, 7, 3, 24)
GUARD = Fighter("le garde", 6, 8, 7, 1, 21, {"cou": 4})


@pytest.fixture
def faces() -> ScriptedFaces:
    return ScriptedFaces([])


@pytest.fixture
def session(faces: ScriptedFaces) -> Session:
    return begun(faces)


def begun(faces: ScriptedFaces, guard: Fighter = GUARD) -> Session:
    session = Session(SYSTEM, SEATS, faces=faces)
    session.add("kaelle", KAELLE, owner="Ana")
    session.add("garde", guard, "npc")
    session.accept("Maud", session.start("Maud", "start-fight"))
    return session


def opened(session: Session, mine: str, theirs: str) -> int:
    move = session.start("Ana", "combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, encounter=1)
    session.seal("Ana", move, {"attitude": mine})
    session.seal("Maud", move, {"attitude": theirs})
    return move


def first(session: Session, faces: ScriptedFaces) -> int:
    """Kaelle attacks the neck, precise and high, holding back nothing; the guard parries: 5d6 against 2d6."""
    move = opened(session, "attack", "parry")
    session.fill("Ana", move, {"height": "high", "precision": "precise", "spot": "cou"})
    session.fill("Maud", move, {"height": "low", "precision": "normal"}, "garde")
    faces.left += [1, 2, 3, 3, 3, 1, 1]
    session.throw("Ana", move)
    return move


def test_an_attitude_is_sealed_for_everyone_the_game_master_too(session: Session) -> None:
    move = session.start("Ana", "combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, encounter=1)
    session.seal("Ana", move, {"attitude": "feint"})
    assert hears(session, "Ana", "feint")
    hidden_from(session, ("Maud", "Bob", "Eve"), "feint")
    assert session.seen("Maud")["moves"][-1]["fields"]["kaelle"]["attitude"] == {"sealed": True}
    with pytest.raises(NotYours):
        session.fill("Maud", move, {"attitude": "parry"}, "kaelle")
    session.seal("Maud", move, {"attitude": "attack"})
    for seat in SEATS:
        fields = session.seen(seat)["moves"][-1]["fields"]
        assert (fields["kaelle"]["attitude"], fields["garde"]["attitude"]) == ("feint", "attack")
    with pytest.raises(AlreadyThrown):
        session.seal("Ana", move, {"attitude": "parry"})


def test_one_may_think_again_until_the_other_has_sealed(session: Session) -> None:
    move = session.start("Ana", "combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, encounter=1)
    session.seal("Ana", move, {"attitude": "feint"})
    session.seal("Ana", move, {"attitude": "attack"})
    session.seal("Maud", move, {"attitude": "parry"})
    assert session.seen("Eve")["moves"][-1]["fields"]["kaelle"]["attitude"] == "attack"


def test_an_attitude_that_never_comes_cannot_be_supposed(session: Session) -> None:
    """It has no usual value, so closing is refused; the move can still be taken back."""
    move = session.start("Ana", "combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, encounter=1)
    with pytest.raises(NotNow):
        session.close("Maud", move)
    session.withdraw("Maud", move)


def test_each_side_sees_its_own_dice_and_all_see_the_outcome(session: Session, faces: ScriptedFaces) -> None:
    first(session, faces)
    thrown = {
        seat: [dice["role"] for dice in session.seen(seat)["moves"][-1]["throws"][0].get("dice", [])] for seat in SEATS
    }
    assert thrown == {"Maud": ["initiator", "opponent"], "Ana": ["initiator"], "Bob": [], "Eve": []}
    for seat in SEATS:
        assert session.seen(seat)["moves"][-1]["throws"][0]["outcome"] == "hit"
    for seat in ("Ana", "Bob", "Eve"):
        throw = session.seen(seat)["moves"][-1]["throws"][0]
        assert "result" not in throw
        assert [line["values"]["total"] for line in throw["why"]] == ([12] if seat == "Ana" else [])


def test_the_armour_of_the_named_spot_is_ruined(session: Session, faces: ScriptedFaces) -> None:
    """12 less 2 is 10: five points, two more for five dice, seven; the gorget takes four and is ruined."""
    move = first(session, faces)
    assert session.moves[move].results["exchange"] == (7, 0)
    session.accept("Maud", move)
    guard = session.records["garde"].record
    assert (guard.resistance, guard.armour) == (18, {"cou": 0})
    assert session.encounters[1].state == Fight(2, ("garde",))


def test_resistance_and_armour_of_the_foe_are_the_game_master_s_alone(session: Session, faces: ScriptedFaces) -> None:
    move = first(session, faces)
    session.accept("Maud", move)
    for seat in ("Ana", "Bob", "Eve"):
        view = session.seen(seat)
        assert view["records"]["garde"] == {"name": "le garde"}
        assert {change["path"] for change in view["moves"][-1]["changes"]} == {"sequence", "stunned"}
        assert view["encounters"][0]["state"]["stunned"] == ["garde"], "everyone sees him reel"
    assert {"resistance", "armour.cou"} < {change["path"] for change in session.seen("Maud")["moves"][-1]["changes"]}


def test_a_blow_held_back_hurts_no_more_than_was_said(session: Session, faces: ScriptedFaces) -> None:
    move = opened(session, "attack", "attack")
    session.fill("Ana", move, {"height": "middle", "precision": "normal", "cap": 2})
    session.fill("Maud", move, {"height": "low", "precision": "vague"}, "garde")
    faces.left += [3, 3, 4, 6]
    session.throw("Ana", move)
    assert session.moves[move].results["exchange"] == (2, 3)


def test_a_stunned_foe_is_struck_without_reply(session: Session, faces: ScriptedFaces) -> None:
    session.accept("Maud", first(session, faces))
    move = session.start("Ana", "combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, encounter=1)
    session.seal("Ana", move, {"attitude": "attack"})
    assert session.waits_for(move) == {"Ana"}, "nothing is asked of a stunned foe"
    session.fill("Ana", move, {"height": "high", "precision": "precise", "spot": "cou"})
    faces.left += [1, 2, 3, 3, 3]
    session.throw("Ana", move)
    assert session.moves[move].results["exchange"] == (8, 0)
    session.accept("Maud", move)
    assert session.records["garde"].record.resistance == 10, "the ruined gorget takes nothing"
    assert session.encounters[1].state.stunned == ("garde",)


def test_the_fight_ends_when_one_is_down(faces: ScriptedFaces) -> None:
    session = begun(faces, Fighter("le garde", 4, 4, 4, 4, 12))
    session.accept("Maud", first(session, faces))
    assert session.encounters[1].state.out == ("garde",)
    assert session.seen("Ana")["encounters"][0]["over"]
    assert session.seen("Ana")["encounters"][0]["moves"] == []
    with pytest.raises(NotNow):
        session.start("Ana", "combat-exchange", {"initiator": ["kaelle"], "opponent": ["garde"]}, encounter=1)


def test_odds_against_a_foe_whose_figures_are_secret_are_withheld(session: Session) -> None:
    move = opened(session, "attack", "attack")
    session.fill("Ana", move, {"height": "middle", "precision": "normal"})
    session.fill("Maud", move, {"height": "low", "precision": "vague"}, "garde")
    assert session.odds("Ana", move) is None
    assert session.odds("Eve", move) is None
    known = session.odds("Maud", move)
    assert known is not None
    assert list(known) == [None]


@pytest.mark.parametrize("seat", ["Ana", "Bob", "Eve"])
def test_another_resistance_leaves_every_view_the_same(seat: str) -> None:
    views = []
    for resistance in (21, 9):
        faces = ScriptedFaces([])
        session = begun(faces, Fighter("le garde", 6, 8, 7, 1, resistance, {"cou": 4 if resistance == 21 else 6}))
        session.accept("Maud", first(session, faces))
        views.append(page(session, seat))
    assert views[0] == views[1]
