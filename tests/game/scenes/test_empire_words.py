"""Scene (e), a rough Empire galactique: a verbal duel to a secret target.

Ana's Irvin asks an official for a pass. Attitudes are sealed, each sees its own dice, and only the game master knows
how much influence is enough: everyone learns it when the official gives in.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

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
from paravent.game.errors import UnknownName
from seats import hears, hidden_from, page, rough, told

# --- The game -------------------------------------------------------------------------------------------------------


class Attitude(StrEnum):
    SEDUCTION = "seduction"
    FAITH = "faith"
    LOGIC = "logic"


class Speech(StrEnum):
    VAGUE = "vague"
    NORMAL = "normal"
    PRECISE = "precise"


class Relation(StrEnum):
    FRIENDLY = "friendly"
    NEUTRAL = "neutral"
    HOSTILE = "hostile"


@dataclass(frozen=True)
class Mind:
    name: str
    charm: int
    intelligence: int
    willpower: int
    resistance: int

    def value(self, attitude: Attitude) -> int:
        return {"seduction": self.charm, "faith": self.willpower, "logic": self.intelligence}[attitude]


@dataclass(frozen=True)
class Duel:
    """A conversation: how often they spoke, what it took so far and, in secret, what it needs."""

    target: int
    influence: int = 0
    arguments: int = 0


class Argument(NamedTuple):
    threshold: int
    dice: int
    attitude: Attitude


class Said(NamedTuple):
    mine: int
    theirs: int


def influence(dice: Dice, said: Argument) -> int:
    total = dice.sum(said.dice, 6)
    dice.note("EMP-126", "argument", total=total, threshold=said.threshold)
    return total if total <= said.threshold else 0


def argue(dice: Dice, mine: Argument, theirs: Argument) -> Said:
    """EMP-123, EMP-126: seduction meets seduction, logic the better of both, faith and logic by their difference."""
    pair = {mine.attitude, theirs.attitude}
    if (Attitude.FAITH in pair and Attitude.LOGIC not in pair) or pair == {Attitude.LOGIC}:
        return Said(0, 0)
    a, b = dice.of("initiator").resolve(influence, mine), dice.of("opponent").resolve(influence, theirs)
    if pair == {Attitude.SEDUCTION}:
        return Said(a // 3, b // 3)
    if Attitude.FAITH in pair:
        return Said(max(0, a - b), max(0, b - a))
    return Said(a // 3 if a > b else 0, b // 3 if b > a else 0)


def argument(ctx: Context, actor: Actor) -> Argument:
    attitude = ctx.value(actor, ATTITUDE)
    column = list(Speech).index(ctx.value(actor, SPEECH))
    return Argument(actor.record.value(attitude), 1 + list(Relation).index(ctx[RELATION]) + column, attitude)


def moved(ctx: Context, result: Said) -> list[Change]:
    npc, duel = ctx.one("opponent"), ctx.encounter
    return [
        *changed(npc.id, npc.record, "resistance", npc.record.resistance - result.mine, "EMP-127"),
        *changed("encounter", duel, "influence", duel.influence + result.mine, "EMP-129"),
        *changed("encounter", duel, "arguments", duel.arguments + 1),
    ]


def tell(ctx: Context, result: Said) -> list[Telling]:
    won = ctx.encounter.influence + result.mine >= ctx.encounter.target
    lines = [Telling("outcomes.influence", {"points": result.mine}, GM_ONLY)]
    return lines + ([Telling("outcomes.convinced", {"who": ctx.one("opponent").record.name})] if won else [])


RELATION = Field("relation", OneOf(Relation), "gm", usual=Relation.NEUTRAL, secrecy="gm")
ATTITUDE = Field("attitude", OneOf(Attitude), secrecy="sealed", usual=Attitude.FAITH)
SPEECH = Field("speech", OneOf(Speech), usual=Speech.NORMAL)
TARGET = Field("target", Whole(1), "gm", secrecy="gm")


def wanted(dice: Dice, target: int) -> int:
    return target


ARGUE = Move(
    "verbal-exchange",
    steps=(
        Ask("relations", (RELATION,)),
        Ask("attitudes", (ATTITUDE, replace(ATTITUDE, role="opponent"))),
        Ask("speeches", (SPEECH, Field("words", TextField()), replace(SPEECH, role="opponent", secrecy="gm"))),
        Resolve("argue", lambda ctx: Call(argue, argument(ctx, ctx.one()), argument(ctx, ctx.one("opponent"))), tell,
                lambda result: "moved" if result.mine else "unmoved", changes=moved,
                shown=lambda ctx, result: OWN_DICE),
    ),
    cast=(INITIATOR, Role("opponent", "npc"), GAME_MASTER),
    encounter="verbal-duel",
)
BEGIN = Move(
    "ask",
    steps=(
        Ask("target", (TARGET,)),
        Resolve("begin", lambda ctx: Call(wanted, ctx[TARGET]), auto=True,
                opens=lambda ctx, target: Opened("verbal-duel", Duel(target))),
    ),
    by="gm", cast=(GAME_MASTER,), exists=GM_ONLY,
)
SYSTEM = rough(
    "rough-verbal", [ARGUE, BEGIN],
    [RecordKind("character", Mind),
     RecordKind("npc", Mind, hidden=dict.fromkeys(("charm", "intelligence", "willpower", "resistance"), GM_ONLY))],
    [Encounter("verbal-duel", Duel, lambda duel: duel.influence >= duel.target,
               hidden=frozenset({"target", "influence"}))],
)

# --- The scene ------------------------------------------------------------------------------------------------------

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}
PLAYERS = ("Ana", "Bob", "Eve")
CAST = {"initiator": ["irvin"], "opponent": ["commis"]}


def begun(faces: ScriptedFaces, target: int = 7, resistance: int = 20) -> Session:
    session = Session(SYSTEM, SEATS, faces=faces)
    session.add("irvin", Mind("Irvin", 10, 8, 6, 24), owner="Ana")
    session.add("commis", Mind("le commis", 6, 7, 8, resistance), "npc")
    session.accept("Maud", session.start("Maud", "ask", form={"gm": {"target": target}}))
    return session


def spoken(session: Session, faces: ScriptedFaces, mine: str, theirs: str, *thrown: int) -> int:
    move = session.start("Ana", "verbal-exchange", CAST, {"irvin": {"words": "Laissez-nous passer."}}, encounter=1)
    session.seal("Ana", move, {"attitude": mine})
    session.seal("Maud", move, {"attitude": theirs})
    faces.left += thrown
    session.throw("Ana", move)
    session.accept("Maud", move)
    return move


@pytest.fixture
def faces() -> ScriptedFaces:
    return ScriptedFaces([])


@pytest.fixture
def session(faces: ScriptedFaces) -> Session:
    return begun(faces)


def test_the_target_is_the_game_master_s_secret(session: Session) -> None:
    assert session.seen("Maud")["encounters"][0]["state"]["target"] == 7
    for seat in PLAYERS:
        view = session.seen(seat)
        assert view["encounters"][0]["state"] == {"arguments": 0}
        assert view["moves"] == [], "nobody saw the game master fix it"
    hidden_from(session, PLAYERS, "target", "influence")


def test_a_move_one_may_not_know_of_is_refused_like_one_that_is_not_there(session: Session) -> None:
    refusals = []
    for number in (1, 99):
        with pytest.raises(UnknownName) as refusal:
            session.throw("Ana", number)
        refusals.append({**refusal.value.values, "got": ""})
    assert refusals[0] == refusals[1]


def test_numbers_are_counted_for_each_seat_apart(session: Session, faces: ScriptedFaces) -> None:
    move = spoken(session, faces, "logic", "faith", 2, 2, 2, 1, 1, 1)
    assert move == 2
    assert [view["number"] for view in session.seen("Ana")["moves"]] == [1]
    assert [view["number"] for view in session.seen("Maud")["moves"]] == [1, 2]
    assert session.numbered("Ana", 1) == session.numbered("Maud", 2) == move
    with pytest.raises(UnknownName):
        session.numbered("Ana", 2)


def test_two_arguments_reach_the_target_and_only_then_is_anything_known(session: Session, faces: ScriptedFaces) -> None:
    """Logic against faith, 6 less 3 is 3; then 8 less 4 is 4: seven, and the clerk gives in."""
    first = spoken(session, faces, "logic", "faith", 2, 2, 2, 1, 1, 1)
    for seat in PLAYERS:
        assert told(session, seat) == []
        assert not session.seen(seat)["encounters"][0]["over"]
        assert session.seen(seat)["moves"][0]["throws"][0]["outcome"] == "moved"
        assert [change["path"] for change in session.seen(seat)["moves"][0]["changes"]] == ["arguments"]
    assert told(session, "Maud") == [("outcomes.influence", {"points": 3})]
    spoken(session, faces, "logic", "faith", 2, 2, 4, 1, 1, 2)
    for seat in PLAYERS:
        assert told(session, seat) == [("outcomes.convinced", {"who": "le commis"})]
        assert session.seen(seat)["encounters"][0]["over"]
        assert session.seen(seat)["encounters"][0]["state"] == {"arguments": 2}
    hidden_from(session, PLAYERS, "influence")
    assert session.records["commis"].record.resistance == 13
    with pytest.raises(NotNow):
        session.start("Ana", "verbal-exchange", CAST, encounter=1)
    assert first == 2


def test_one_may_go_back_by_undoing_the_last_first(session: Session, faces: ScriptedFaces) -> None:
    first = spoken(session, faces, "logic", "faith", 2, 2, 2, 1, 1, 1)
    second = spoken(session, faces, "logic", "faith", 2, 2, 4, 1, 1, 2)
    session.undo("Maud", second)
    session.undo("Maud", first)
    assert session.records["commis"].record.resistance == 20
    assert session.encounters[1].state == Duel(7)


def test_silence_is_closed_by_the_game_master_with_the_usual_attitude(session: Session, faces: ScriptedFaces) -> None:
    move = session.start("Ana", "verbal-exchange", CAST, {"irvin": {"words": "Par la Foi !"}}, encounter=1)
    session.seal("Maud", move, {"attitude": "faith"})
    assert session.waits_for(move) == {"Ana"}
    with pytest.raises(NotYours):
        session.close("Bob", move)
    session.close("Maud", move)
    assert session.seen("Eve")["moves"][0]["fields"]["irvin"]["attitude"] == "faith"
    session.throw("Ana", move)
    assert session.moves[move].results["argue"] == (0, 0)
    assert not hears(session, "Ana", "neutral")


@pytest.mark.parametrize("seat", PLAYERS)
def test_another_target_leaves_every_view_the_same(seat: str) -> None:
    views = []
    for target, resistance in ((7, 20), (30, 11)):
        faces = ScriptedFaces([])
        session = begun(faces, target, resistance)
        spoken(session, faces, "logic", "faith", 2, 2, 2, 1, 1, 1)
        views.append((page(session, seat), session.odds(seat, 2)))
    assert views[0] == views[1]
