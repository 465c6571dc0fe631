"""Scene (a), a rough Solaires v5: a lent element, a secret side effect, stakes renegotiated, a reroll vetoed, a state.

Nadir climbs along a ship's hull to stop a launch. Three dice are thrown; those not above the target are kept, two kept
succeed. The game master prepares what may happen besides, partly in secret.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import pytest
from paravent.game.session import Session

from paravent.dice import Dice
from paravent.dice.play import ScriptedFaces
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Group,
    Many,
    Move,
    NotNow,
    NotYours,
    OneOf,
    RecordKind,
    Resolve,
    Role,
    RuleError,
    Telling,
    TextField,
    Whole,
    Window,
    changed,
)
from paravent.game.errors import AlreadyThrown
from seats import hears, hidden_from, rough, told

# --- The game -------------------------------------------------------------------------------------------------------

REROLL = 2
"""What throwing a die again costs."""


@dataclass(frozen=True)
class Sheet:
    name: str
    elements: dict[str, int]
    points: int = 2
    states: tuple[str, ...] = ()


class TooManyElements(RuleError):
    """More elements were chosen than an action may use."""

    code = "solaires/too-many-elements"
    rule = "SOL-033"


class Action(NamedTuple):
    kept: int
    success: bool
    effects: tuple[str, ...]
    spent: int


def difficulty(dice: Dice, intrinsic: int, interest: int) -> int:
    """SOL-022: both scales are summed; only the sum is told."""
    return intrinsic + interest


def action(dice: Dice, target: int, effects: tuple[tuple[int, str], ...], points: int) -> Action:
    """SOL-043: keep the dice not above the target. SOL-117: one may be thrown again for two points, unless vetoed."""
    return dice.then(settled, dice.pool(3, 6), target, effects, points, 0)


def settled(
    dice: Dice, faces: tuple[int, ...], target: int, effects: tuple[tuple[int, str], ...], points: int, spent: int
) -> Action:
    kept = sum(face <= target for face in faces)
    dice.note("SOL-043", "kept", kept=kept, target=target)
    if points - spent >= REROLL:
        wish = dice.choose("initiator", "reroll", (0, *sorted(set(faces))), rule="SOL-117")
        if wish and dice.choose("others", "veto", (False, True), rule="SOL-113"):
            dice.note("SOL-113", "vetoed", points=REROLL)
        elif wish:
            rest = list(faces)
            rest.remove(wish)
            again = tuple(sorted((*rest, dice.sum(1, 6))))
            return dice.then(settled, again, target, effects, points, spent + REROLL)
    happens = tuple(text for count, text in effects if count == kept)
    return Action(kept, kept >= 2, happens, spent)


def aftermath(dice: Dice, states: tuple[str, ...]) -> tuple[str, ...]:
    return states


def chosen(ctx: Context) -> list[int]:
    """The scores of the one or two elements: one's own, and one that a helper lends."""
    mine, helpers = ctx.one(), ctx.all("helper")
    names = ctx[ELEMENTS]
    lent = [helper.record.elements[name] for helper in helpers if (name := ctx.value(helper, LENT))]
    if len(names) + len(lent) > 2:
        raise TooManyElements(limit=2, got=len(names) + len(lent))
    return [mine.record.elements[name] for name in names] + lent


def thrown(ctx: Context) -> Call[Action]:
    effects = tuple((cell["kept"], cell["text"]) for cell in (*ctx[EFFECTS], *ctx[SECRET_EFFECTS]))
    return Call(action, ctx.result(DIFFICULTY) + sum(chosen(ctx)), effects, ctx.one().sheet(Sheet).points)


def tell_action(ctx: Context, result: Action) -> list[Telling]:
    told = [Telling("outcomes.success" if result.success else "outcomes.failure", {"kept": result.kept})]
    return told + [Telling("outcomes.effect", {"text": text}) for text in result.effects]


def points_spent(ctx: Context, result: Action) -> tuple[Change, ...]:
    mine = ctx.one()
    return changed(mine.id, mine.record, "points", mine.record.points - result.spent, "SOL-117")


def states_gained(ctx: Context, states: tuple[str, ...]) -> tuple[Change, ...]:
    mine = ctx.one()
    return changed(mine.id, mine.record, "states", (*mine.record.states, *states), "SOL-106")


def own_elements(ctx: Context) -> list[str]:
    return list(ctx.one().record.elements)


def lendable(ctx: Context) -> list[str]:
    return list(ctx.one("helper").record.elements)


CELL = Group({"kept": Whole(0, 3), "text": TextField()}, {})


INTRINSIC = Field("intrinsic", Whole(-4, 4), "gm", secrecy="gm")
INTEREST = Field("interest", Whole(-4, 4), "gm", secrecy="gm")
EFFECTS = Field("effects", Many(CELL), "gm", usual=())
SECRET_EFFECTS = Field("secret_effects", Many(CELL), "gm", usual=(), secrecy="gm", probes=((),))
CONDITION: Field[str | None] = Field("condition", TextField(), optional=True)
ELEMENTS = Field("elements", Many(OneOf(own_elements), most=2))
LENT: Field[str | None] = Field("lent", OneOf(lendable), "helper", optional=True)
STATES = Field("states", Many(TextField()), "gm", usual=(), waits=True)

DIFFICULTY = Resolve(
    "difficulty", lambda ctx: Call(difficulty, ctx[INTRINSIC], ctx[INTEREST]), auto=True,
    tell=lambda ctx, total: [Telling("outcomes.difficulty", {"total": total})],
)

ACT = Move(
    "action",
    steps=(
        Ask("announce", (Field("goal", TextField()),)),
        Ask("difficulty-set", (INTRINSIC, INTEREST, EFFECTS, SECRET_EFFECTS)),
        DIFFICULTY,
        Ask("stakes", (CONDITION,)),
        Window("bargain", "gm", "approval", when=lambda ctx: bool(ctx[CONDITION]), back_to="stakes"),
        Ask("elements", (ELEMENTS, LENT)),
        Window("consent", "helper", "consent", when=lambda ctx: any(ctx.value(a, LENT) for a in ctx.all("helper")),
               back_to="elements"),
        Window("approval", "gm", "approval", back_to="elements"),
        Resolve("roll", thrown, tell_action, success=lambda result: result.success,
                outcome=lambda result: "success" if result.success else "failure", changes=points_spent),
        Ask("described", (STATES,)),
        Resolve("aftermath", lambda ctx: Call(aftermath, ctx[STATES]), auto=True, changes=states_gained),
    ),
    cast=(INITIATOR, Role("helper", "character", 0, None), GAME_MASTER),
)

SYSTEM = rough("rough-solaires", [ACT], [RecordKind("character", Sheet)])

# --- The scene ------------------------------------------------------------------------------------------------------

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}
SECRET = "la passerelle cède"


@pytest.fixture
def faces() -> ScriptedFaces:
    return ScriptedFaces([])


@pytest.fixture
def session(faces: ScriptedFaces) -> Session:
    session = Session(SYSTEM, SEATS, faces=faces)
    session.add("Nadir", Sheet("Nadir", {"Pilote": 3, "Agile": 2}), owner="Ana")
    session.add("Bosco", Sheet("Bosco", {"Harnais": 2}), owner="Bob")
    return session


def announced(session: Session, secret: str = SECRET) -> int:
    """Ana announces; Maud sets a difficulty of -2 in secret parts, and prepares one open and one secret effect."""
    move = session.start("Ana", "action", {"initiator": ["Nadir"]}, {"Nadir": {"goal": "atteindre le sas"}})
    session.fill("Maud", move, {
        "intrinsic": -4, "interest": 2,
        "effects": [{"kept": 3, "text": "du temps gagné"}],
        "secret_effects": [{"kept": 2, "text": secret}],
    })
    return move


def ready(session: Session, secret: str = SECRET) -> int:
    """… Ana bargains, takes one element of hers and one that Bob lends; everybody agrees."""
    move = announced(session, secret)
    session.fill("Ana", move, {"condition": "hors jeu à moins de trois dés"})
    session.fill("Maud", move, {"intrinsic": -3})
    session.answer("Maud", move, "agree")
    session.join("Ana", move, "helper", "Bosco")
    session.fill("Ana", move, {"elements": ["Pilote"]})
    session.fill("Bob", move, {"lent": "Harnais"})
    session.answer("Bob", move, "agree")
    session.answer("Maud", move, "agree")
    return move


def test_the_sum_of_the_scales_is_told_and_their_split_is_not(session: Session) -> None:
    announced(session)
    assert told(session, "Eve") == [("outcomes.difficulty", {"total": -2})]
    assert hears(session, "Maud", "intrinsic")
    hidden_from(session, ("Ana", "Bob", "Eve"), "intrinsic", "interest")


def test_stakes_are_renegotiated_after_the_difficulty_was_told(session: Session) -> None:
    move = announced(session)
    session.fill("Ana", move, {"condition": "hors jeu à moins de trois dés"})
    assert session.waits_for(move) == {"Maud"}
    session.fill("Maud", move, {"intrinsic": -3})
    session.answer("Maud", move, "agree")
    assert session.moves[move].results["difficulty"] == -1
    assert [line[1]["total"] for line in told(session, "Ana")] == [-2, -1]
    assert session.waits_for(move) == {"Ana"}


def test_a_bargain_refused_takes_the_condition_out_and_nothing_else(session: Session) -> None:
    move = announced(session)
    session.fill("Ana", move, {"condition": "je perds mon arme"})
    session.answer("Maud", move, "refuse")
    fields = session.seen("Eve")["moves"][0]["fields"]
    assert fields["Nadir"] == {"goal": "atteindre le sas"}
    assert session.moves[move].results["difficulty"] == -2


def test_nothing_is_lent_without_the_lender_s_word(session: Session) -> None:
    move = announced(session)
    session.join("Ana", move, "helper", "Bosco")
    session.fill("Ana", move, {"elements": ["Pilote"]})
    with pytest.raises(NotYours):
        session.fill("Ana", move, {"lent": "Harnais"})
    session.fill("Bob", move, {"lent": "Harnais"})
    assert session.waits_for(move) == {"Bob"}
    with pytest.raises(NotNow):
        session.throw("Ana", move)
    with pytest.raises(NotYours):
        session.answer("Ana", move, "agree")
    session.answer("Bob", move, "refuse")
    assert session.seen("Maud")["moves"][0]["fields"].get("Bosco", {}) == {}


def test_a_lender_who_never_answers_is_passed_over_by_the_game_master(session: Session) -> None:
    move = announced(session)
    session.join("Bob", move, "helper", "Bosco")
    session.fill("Ana", move, {"elements": []})
    session.fill("Bob", move, {"lent": "Harnais"})
    with pytest.raises(NotYours):
        session.close("Ana", move)
    session.close("Maud", move)
    assert session.waits_for(move) == {"Maud"}


def test_three_elements_are_refused_before_the_dice(session: Session) -> None:
    move = announced(session)
    session.join("Ana", move, "helper", "Bosco")
    session.fill("Ana", move, {"elements": ["Pilote", "Agile"]})
    session.fill("Bob", move, {"lent": "Harnais"})
    session.answer("Bob", move, "agree")
    session.answer("Maud", move, "agree")
    before = session._kept()
    with pytest.raises(TooManyElements):
        session.throw("Ana", move)
    assert session._kept() == before


def test_odds_are_those_of_the_target_and_say_nothing_of_the_secret(session: Session) -> None:
    """The target is -1 + 3 + 2 = 4: two dice in three or more, 20/27; the secret effect is supposed absent."""
    move = ready(session)
    for seat in ("Ana", "Bob", "Eve"):
        weighed = session.odds(seat, move)
        assert weighed is not None
        assert list(weighed) == [()]
        assert weighed[()].chance(lambda result: result.success) == Fraction(20, 27)
        assert SECRET not in repr(weighed)
    known = session.odds("Maud", move)
    assert known is not None
    assert SECRET in repr(list(known[None]))


def test_the_secret_effect_is_unknown_until_it_happens(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    hidden_from(session, ("Ana", "Bob", "Eve"), SECRET)
    assert hears(session, "Maud", SECRET)
    faces.left += [3, 6, 4]
    session.throw("Ana", move)
    hidden_from(session, ("Ana", "Bob", "Eve"), SECRET)
    session.answer("Ana", move, 0)
    for seat in SEATS:
        assert ("outcomes.effect", {"text": SECRET}) in told(session, seat)


def test_a_secret_effect_that_does_not_happen_is_never_known(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    faces.left += [3, 6, 6]
    session.throw("Ana", move)
    session.answer("Ana", move, 0)
    session.close("Maud", move)
    session.accept("Maud", move)
    hidden_from(session, ("Ana", "Bob", "Eve"), SECRET)


def test_a_reroll_vetoed_by_one_participant_is_refunded(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    faces.left += [2, 6, 5]
    session.throw("Ana", move)
    assert session.waits_for(move) == {"Ana"}
    assert "choice" not in session.seen("Bob")["moves"][0]
    session.answer("Ana", move, 6)
    assert session.waits_for(move) == {"Maud", "Bob"}
    seen = session.seen("Bob")["moves"][0]
    assert seen["choice"]["key"] == "veto"
    assert seen["throws"][1]["answers"] == [{"who": "initiator", "key": "reroll", "answer": 6}]
    for outsider in ("Ana", "Eve"):
        with pytest.raises(NotYours):
            session.answer(outsider, move, True)
    session.answer("Maud", move, False)
    assert session.waits_for(move) == {"Bob"}
    session.answer("Bob", move, True)
    result = session.moves[move].results["roll"]
    assert (result.kept, result.spent) == (1, 0)
    session.close("Maud", move)
    session.accept("Maud", move)
    assert session.records["Nadir"].record.points == 2
    assert faces.left == []


def test_a_reroll_that_nobody_vetoes_is_paid(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    faces.left += [2, 6, 5, 1]
    session.throw("Ana", move)
    session.answer("Ana", move, 6)
    session.answer("Maud", move, False)
    session.answer("Bob", move, False)
    assert session.moves[move].results["roll"] == (2, True, (SECRET,), 2)
    session.close("Maud", move)
    session.accept("Maud", move)
    assert session.records["Nadir"].record.points == 0


def test_a_veto_that_never_comes_is_closed_by_the_game_master(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    faces.left += [2, 6, 5, 1]
    session.throw("Ana", move)
    session.answer("Ana", move, 6)
    session.close("Maud", move)
    assert session.moves[move].results["roll"].spent == 2


def test_the_game_master_writes_a_state_after_the_result(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    with pytest.raises(NotNow):
        session.fill("Maud", move, {"states": ["Essoufflé"]})
    faces.left += [6, 6, 6]
    session.throw("Ana", move)
    session.answer("Ana", move, 0)
    assert session.waits_for(move) == {"Maud"}
    with pytest.raises(NotYours):
        session.fill("Ana", move, {"states": []})
    session.fill("Maud", move, {"states": ["Essoufflé"]})
    assert session.seen("Eve")["moves"][0]["changes"][0]["after"] == ["Essoufflé"]
    session.accept("Maud", move, amend={0: ("Épuisé",)})
    for seat in SEATS:
        assert session.seen(seat)["records"]["Nadir"]["states"] == ["Épuisé"]
    session.undo("Maud", move)
    assert session.records["Nadir"].record.states == ()


def test_everything_may_be_taken_back_until_the_dice_are_thrown(session: Session, faces: ScriptedFaces) -> None:
    move = ready(session)
    session.fill("Ana", move, {"goal": "couper l'alimentation"})
    assert session.waits_for(move) == {"Maud"}, "a new goal asks for the game master's word on the bargain again"
    faces.left += [1, 1, 1]
    for _ in range(2):
        session.answer("Maud", move, "agree") if session.waits_for(move) == {"Maud"} else None
    session.answer("Bob", move, "agree")
    session.answer("Maud", move, "agree")
    session.throw("Ana", move)
    for refused in ({"goal": "autre chose"}, {"elements": []}):
        with pytest.raises(AlreadyThrown):
            session.fill("Ana", move, refused)
    with pytest.raises(AlreadyThrown):
        session.withdraw("Ana", move)


def test_withdrawing_before_the_dice_costs_nothing(session: Session) -> None:
    move = ready(session)
    with pytest.raises(NotYours):
        session.withdraw("Bob", move)
    session.withdraw("Ana", move)
    assert session.seen("Eve")["moves"][0]["phase"] == "withdrawn"
    assert session.records["Nadir"].record == Sheet("Nadir", {"Pilote": 3, "Agile": 2})


@pytest.mark.parametrize("seat", ["Ana", "Bob", "Eve"])
def test_another_secret_leaves_every_view_the_same(seat: str) -> None:
    """Proof by difference: what Maud keeps to herself changes nothing that others can see, odds included."""
    views = []
    for intrinsic, interest, secret in ((-3, 2, SECRET), (1, -2, "un témoin")):
        session = Session(SYSTEM, SEATS, faces=ScriptedFaces([1, 2, 3]))
        session.add("Nadir", Sheet("Nadir", {"Pilote": 3, "Agile": 2}, points=0), owner="Ana")
        move = session.start("Ana", "action", {"initiator": ["Nadir"]}, {"Nadir": {"goal": "passer"}})
        session.fill("Maud", move, {"intrinsic": intrinsic, "interest": interest,
                                    "secret_effects": [{"kept": 0, "text": secret}]})
        session.fill("Ana", move, {"elements": ["Pilote"]})
        session.answer("Maud", move, "agree")
        before, weighed = session.seen(seat), session.odds(seat, move)
        session.throw("Ana", move)
        views.append((before, weighed and {key: spread.ways for key, spread in weighed.items()}, session.seen(seat)))
    assert views[0] == views[1]
