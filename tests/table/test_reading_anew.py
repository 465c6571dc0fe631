"""Whoever falls while an act is open has fallen in it too, until its dice have fallen; and no secret is told by it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec
import pytest
from scene import Person, Table

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Call,
    Context,
    Field,
    Move,
    OneOf,
    RecordKind,
    Resolve,
    Role,
    System,
    Telling,
    Whole,
    Window,
    changed,
)
from paravent.game.errors import RuleError
from paravent.game.move import Shown
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.deciding import Fresh, folded
from paravent.table.evolve import evolve
from paravent.table.export import export_seen
from paravent.table.replay import Replay
from paravent.table.replay_seen import SeenReplay, SeenRow
from paravent.table.state import State, state_read, state_written
from paravent.table.turn import Turn


@dataclass(frozen=True)
class Keeper:
    name: str = ""
    hands: tuple[str, ...] = ("hook", "rope")
    asleep: bool = False
    nerve: int = 3
    dread: int = 0
    """For the game master alone."""


class Met(NamedTuple):
    mine: int
    theirs: int


def met(dice: Dice, mine: int, theirs: int) -> Met:
    return Met(mine + dice.sum(1, 6), theirs + dice.of("opponent").sum(1, 6))


def counted(dice: Dice, value: int) -> int:
    return value


def unless(dice: Dice, afraid: bool, value: int) -> int:
    if afraid:
        raise RuleError()
    return value


def one_die(dice: Dice, score: int) -> bool:
    return dice.sum(1, 6) <= score


def pledged(dice: Dice, value: int) -> int:
    return value if dice.choose("initiator", "pledge", (False, True), usual=False) else 0


def is_awake(ctx: Context, role: str) -> bool:
    return not ctx.one(role).record.asleep and ctx.one(role).record.dread < 5


def taken(role: str) -> Field[str]:
    return Field("taken", OneOf(lambda ctx: ctx.one(role).record.hands), role, secrecy="sealed",
                 when=lambda ctx: is_awake(ctx, role))


def nerve(ctx: Context, role: str) -> int:
    return ctx.one(role).record.nerve if is_awake(ctx, role) else 0


FENCE = Move("fence", (
    Ask("take", (taken("initiator"), taken("opponent"))),
    Resolve("meet", lambda ctx: Call(met, nerve(ctx, "initiator"), nerve(ctx, "opponent")),
            outcome=lambda result: "met",
            changes=lambda ctx, result: changed(ctx.one("opponent").id, ctx.one("opponent").record, "nerve",
                                                ctx.one("opponent").record.nerve - 1)),
), cast=(INITIATOR, Role("opponent"), GAME_MASTER))
WAGER = Move("wager", (
    Resolve("weighed", lambda ctx: Call(counted, ctx.one().record.nerve), auto=True,
            tell=lambda ctx, value: [Telling("outcomes.n", {"n": value})]),
    Window("fair", "opponent"),
    Resolve("roll", lambda ctx: Call(one_die, ctx.results["weighed"]), outcome=lambda won: str(won)),
), cast=(INITIATOR, Role("opponent"), GAME_MASTER))
MARKED = Move("marked", (
    Ask("take", (
        Field("aim", OneOf(lambda ctx: ("high", "low"))),
        Field("weak", OneOf(lambda ctx: tuple("xyz"[:3 - ctx.one().record.dread])), by="gm", secrecy="gm",
              optional=True),
    )),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str),
), cast=(INITIATOR, GAME_MASTER))
"""Something that only the game master says is asked beside what somebody chooses."""
OMEN = Move("omen", (
    Ask("read", (Field("depth", Whole(0, 9), "gm", secrecy="gm", when=lambda ctx: is_awake(ctx, "initiator")),)),
    Ask("say", (Field("price", Whole(0, 9), "gm", secrecy="gm"),)),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str),
), cast=(INITIATOR, GAME_MASTER), by="gm")
"""The game master is asked by what they alone see, then by all that is seen."""
SIGN = replace(OMEN, id="sign", steps=(OMEN.steps[0], OMEN.steps[2]))
"""The same, with dice at once."""
PLEA = Move("plea", (
    Resolve("sensed", lambda ctx: Call(counted, ctx.one().record.dread), auto=True, outcome=lambda value: "sensed",
            shown=lambda ctx, result: Shown(GM_ONLY, GM_ONLY, GM_ONLY)),
    Ask("ask", (Field("words", Whole(0, 9)),)),
    Window("heard", "gm", back_to="ask"),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str),
), cast=(INITIATOR, GAME_MASTER))
"""What is said may be sent back; before it, something is worked out behind the screen."""
GIFT = Move("gift", (
    Ask("choose", (Field("what", OneOf(lambda ctx: ("gold", "salt")[ctx.one().record.dread > 4:]), "gm",
                         usual="salt"),)),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str),
), cast=(INITIATOR, GAME_MASTER))
"""What the game master chooses aloud depends on what they alone see."""
def guarding(name: str, at_first: Resolve[Any]) -> Move:
    """Something is worked out aloud before anybody is asked."""
    return Move(name, (at_first, *FENCE.steps[:1], Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str)),
                cast=FENCE.cast)


GUARD = guarding("guard", Resolve("weighed", lambda ctx: Call(counted, ctx.one().record.nerve), auto=True))
SWORN = guarding("sworn", Resolve("weighed", lambda ctx: Call(unless, ctx.one().record.dread > 4, 3), auto=True))
"""Its rule refuses what nobody sees."""
TOLL = Move("toll", (
    Resolve("paid", lambda ctx: Call(counted, ctx.one().record.nerve), auto=True, changes=lambda ctx, had: changed(
        ctx.one().id, ctx.one().record, "nerve", had - 1)),
), cast=(INITIATOR, GAME_MASTER))
"""No dice: what it changes waits for the game master."""
VOLLEY = Move("volley", (
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str), Ask("then", (Field("words", Whole(0, 9), waits=True),)),
), cast=(INITIATOR, GAME_MASTER))
"""Something is asked once the dice have fallen."""
PLEDGE = Move("pledge", (
    Resolve("pledged", lambda ctx: Call(pledged, ctx.one().record.nerve), auto=True),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str),
), cast=(INITIATOR, GAME_MASTER))
"""A rule without dice waits for an answer."""
WHERE = Field("where", OneOf(("in", "out", "dark")), "gm", usual="in")


def left_to_take(ctx: Context) -> tuple[str, ...]:
    lies_there = {"in": ("hook", "rope"), "out": ("rope",)}
    return lies_there.get(ctx[WHERE]) or ("hook", "rope")[:ctx.one().record.dread]


BARTER = Move("barter", (
    Ask("where", (WHERE,)),
    Ask("take", (Field("taken", OneOf(left_to_take), secrecy="sealed"),)),
    Resolve("roll", lambda ctx: Call(one_die, 3), outcome=str),
), cast=(INITIATOR, GAME_MASTER))
"""What may be taken goes by what the game master says of the place; in the dark, by what they alone see."""
KIND = RecordKind("character", Keeper, hidden={"dread": GM_ONLY}, played=True)
HIDDEN = RecordKind("stranger", Keeper, audience=GM_ONLY, hidden={"dread": GM_ONLY})
MOVES = (FENCE, WAGER, MARKED, OMEN, SIGN, PLEA, GIFT, GUARD, SWORN, TOLL, VOLLEY, PLEDGE, BARTER)
GAME = System("fence", "paravent.game", "1", {move.id: move for move in MOVES},
              {kind.id: kind for kind in (KIND, HIDDEN)})


class Scene:
    """Ana leads; Bob has Elya, Cy has Tarn; a stranger is hidden."""

    def __init__(self) -> None:
        self.table = Table(GAME)
        self.ana, self.bob, self.cy = self.table.joins("Ana", as_="gm"), self.table.joins("Bob"), self.table.joins("Cy")
        self.elya, self.tarn = self.bob.brings("Elya"), self.cy.brings("Tarn")
        self.stranger = self.ana.brings("Noor", kind="stranger")

    def edits(self, who: str, path: str, value: object) -> None:
        self.ana.does(c.EditRecord, record=who, path=path, value=value)

    def fence(self, foe: str = "", by: Person | None = None) -> int:
        return (by or self.bob).starts("fence", {"initiator": [self.elya], "opponent": [foe or self.tarn]})

    def is_asked_anew(self, person: Person) -> bool:
        """Whether somebody reads that what they had said no longer stands."""
        turn = Turn(self.table.state, GAME, Fresh(bytes), person.seat)
        step = turn.at(1).step(GAME)
        return isinstance(step, Ask) and turn.is_asked_anew(turn.at(1), step)

    def waits(self, number: int, of: Person | None = None) -> set[str]:
        names = {person.seat: person.name for person in self.table.people.values()}
        return {names[seat] for seat in (of or self.ana).move(number)["waits_for"]}


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_whoever_falls_asleep_is_waited_for_no_more(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="hook")
    assert scene.waits(number) == {"Cy"}
    scene.edits(scene.tarn, "asleep", True)
    assert scene.waits(number) == {"Bob"}, "the dice are Bob's to throw"
    scene.bob.throws(number)
    thrown = scene.table.state.moves[1].throws[0]
    assert thrown.result["theirs"] <= 6, "nothing but a die"


def test_a_choice_that_can_no_longer_be_is_asked_again_and_says_so(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="rope")
    scene.edits(scene.elya, "hands", ["hook"])
    assert scene.waits(number) == {"Bob", "Cy"}
    assert scene.table.state.moves[1].anew == (f"taken {scene.elya}",)
    assert [scene.is_asked_anew(person) for person in (scene.bob, scene.cy, scene.ana)] == [True, False, False]
    assert scene.bob.refused(c.Fill, number=number, values={"taken": "rope"}) == "form/unknown"
    scene.bob.fills(number, taken="hook")
    assert scene.table.state.moves[1].anew == ()
    assert not scene.is_asked_anew(scene.bob)
    scene.cy.fills(number, taken="rope")
    scene.bob.throws(number)
    assert scene.table.state.moves[1].throws


def test_what_still_goes_stays_said_and_agreed_to_whatever_else_changes(scene: Scene) -> None:
    number = scene.bob.starts("plea", {"initiator": [scene.elya]})
    scene.bob.fills(number, words=3)
    scene.ana.answers(number, "agree")
    scene.edits(scene.elya, "nerve", 6)
    act = scene.table.state.moves[1]
    assert (act.cast[0].sheet["nerve"], act.anew, scene.waits(number)) == (6, (), {"Bob"}), "the dice are his to throw"


def test_whoever_is_asked_anew_stays_so_whatever_else_changes(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="rope")
    scene.edits(scene.elya, "hands", ["hook"])
    scene.edits(scene.tarn, "nerve", 6)
    assert scene.table.state.moves[1].anew == (f"taken {scene.elya}",)
    assert scene.is_asked_anew(scene.bob)


def test_what_was_turned_over_already_may_be_chosen_again(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="rope")
    scene.cy.fills(number, taken="rope")
    assert scene.table.state.moves[1].revealed == ("taken",)
    scene.edits(scene.tarn, "hands", ["hook"])
    assert scene.waits(number) == {"Cy"}
    scene.cy.fills(number, taken="hook")
    scene.bob.throws(number)
    assert scene.table.state.moves[1].throws


def test_what_no_longer_goes_with_what_is_said_since_is_asked_again_at_once(scene: Scene) -> None:
    number = scene.bob.starts("barter", {"initiator": [scene.elya]})
    scene.bob.fills(number, taken="hook")
    assert scene.table.state.moves[1].revealed == ("taken",)
    scene.ana.fills(number, where="out")
    act = scene.table.state.moves[1]
    assert (act.revealed, act.anew) == ((), (f"taken {scene.elya}",))
    assert scene.waits(number) == {"Bob"}
    assert scene.is_asked_anew(scene.bob)
    scene.bob.fills(number, taken="rope")
    scene.bob.throws(number)
    assert scene.table.state.moves[1].throws


def test_what_no_longer_goes_for_what_nobody_sees_tells_nothing(scene: Scene) -> None:
    seen = []
    for dread in (2, 0):
        scene.edits(scene.elya, "dread", dread)
        number = scene.bob.starts("barter", {"initiator": [scene.elya]})
        scene.bob.fills(number, taken="rope")
        scene.ana.fills(number, where="dark")
        seen.append((scene.waits(number), scene.table.state.moves[number].anew))
    assert seen[0] == seen[1] == ({"Bob"}, ())


def test_what_another_act_changed_is_read_and_nothing_is_stale(scene: Scene) -> None:
    first, second = scene.fence(), scene.fence()
    for number in (first, second):
        scene.bob.fills(number, taken="hook")
        scene.cy.fills(number, taken="hook")
    for number in (first, second):
        scene.bob.throws(number)
        scene.ana.accepts(number)
    assert scene.table.state.records[scene.tarn].sheet["nerve"] == 1


def test_a_rule_that_has_run_by_itself_runs_again_where_it_would_say_otherwise(scene: Scene) -> None:
    number = scene.bob.starts("wager", {"initiator": [scene.elya], "opponent": [scene.tarn]})
    scene.cy.answers(number, "agree")
    scene.edits(scene.tarn, "nerve", 5)
    assert scene.waits(number) == {"Bob"}, "what was agreed to is as it was"
    scene.edits(scene.elya, "nerve", 6)
    assert scene.table.state.moves[1].throws[0].result == 6
    assert scene.waits(number) == {"Cy"}, "it is something else that is agreed to now"
    scene.cy.answers(number, "agree")
    scene.bob.throws(number)
    assert scene.table.state.moves[1].throws[1].result is True


def test_once_the_dice_have_fallen_nothing_is_read_anew(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="hook")
    scene.cy.fills(number, taken="hook")
    scene.bob.throws(number)
    before = scene.table.state.moves[1]
    scene.edits(scene.tarn, "asleep", True)
    assert scene.table.state.moves[1] is before


def test_what_settled_without_dice_is_what_the_game_master_looks_at(scene: Scene) -> None:
    number = scene.bob.starts("toll", {"initiator": [scene.elya]})
    before = scene.table.state.moves[1]
    assert before.phase == "settled"
    scene.edits(scene.elya, "hands", ["hook"])
    assert scene.table.state.moves[1] is before
    scene.ana.accepts(number)
    assert scene.table.state.records[scene.elya].sheet["nerve"] == 2


def test_what_is_asked_after_the_dice_is_asked_on_the_sheets_that_they_read(scene: Scene) -> None:
    number = scene.bob.starts("volley", {"initiator": [scene.elya]})
    scene.bob.throws(number)
    before = scene.table.state.moves[1]
    assert (before.phase, scene.waits(number)) == ("open", {"Bob"})
    scene.edits(scene.elya, "nerve", 6)
    assert scene.table.state.moves[1] is before


def test_a_rule_that_waits_for_an_answer_goes_on_from_what_it_read(scene: Scene) -> None:
    number = scene.bob.starts("pledge", {"initiator": [scene.elya]})
    before = scene.table.state.moves[1]
    assert before.pending is not None
    scene.edits(scene.elya, "nerve", 6)
    assert scene.table.state.moves[1] is before
    scene.bob.answers(number, True)
    assert scene.table.state.moves[1].throws[0].result == 3


def test_what_is_undone_is_read_anew_too(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="hook")
    scene.edits(scene.tarn, "asleep", True)
    scene.ana.does(c.UndoLast)
    assert scene.waits(number) == {"Cy"}


# What not all see


def test_what_only_the_game_master_sees_changes_nothing_that_others_see(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="hook")
    heard, seen = len(scene.bob.told), scene.bob.page()
    scene.edits(scene.tarn, "dread", 9)
    assert (len(scene.bob.told), scene.bob.page()) == (heard, seen)
    assert scene.waits(number, scene.bob) == {"Cy"}


def test_what_nobody_can_tell_by_is_read_at_once_and_all_the_rest_as_the_dice_fall(scene: Scene) -> None:
    number = scene.fence()
    scene.edits(scene.tarn, "dread", 2)
    assert scene.table.state.moves[1].cast[1].sheet["dread"] == 2
    scene.bob.fills(number, taken="hook")
    scene.cy.fills(number, taken="hook")
    scene.edits(scene.tarn, "dread", 9)
    scene.bob.throws(number)
    assert scene.table.state.moves[1].cast[1].sheet["dread"] == 9
    assert scene.table.state.moves[1].throws[0].result["theirs"] <= 6


def test_nothing_is_told_of_a_hidden_person_who_falls(scene: Scene) -> None:
    """The stranger is in Elya's act, and only the game master knows it."""
    number = scene.fence(scene.stranger, scene.ana)
    scene.bob.fills(number, taken="hook")
    scene.ana.fills(number, scene.stranger, taken="rope")
    heard, seen = len(scene.bob.told), scene.bob.page()
    scene.edits(scene.stranger, "hands", ["hook"])
    assert (len(scene.bob.told), scene.bob.page()) == (heard, seen)


def test_the_same_public_gestures_tell_players_the_same_whatever_is_hidden() -> None:
    told = []
    for dread, hands in ((0, ["hook", "rope"]), (9, ["hook"])):
        scene = Scene()
        number = scene.fence()
        scene.bob.fills(number, taken="hook")
        scene.edits(scene.tarn, "dread", dread)
        scene.edits(scene.stranger, "hands", hands)
        scene.edits(scene.tarn, "nerve", 4)
        told.append((scene.bob.received, scene.cy.received, scene.bob.page(), scene.cy.page()))
    assert told[0] == told[1]


@dataclass
class Unchanged:
    """What somebody hears and sees stays as it is, whatever is done meanwhile."""

    scene: Scene
    person: Person

    def __enter__(self) -> None:
        self.before = self._now()

    def __exit__(self, *_: object) -> None:
        assert self._now() == self.before

    def _now(self) -> tuple[object, ...]:
        turn = Turn(self.scene.table.state, GAME, Fresh(bytes), self.person.seat)
        sent_back = [op.is_sent_back(step) for number in self.scene.table.state.moves
                     for op in [turn.at(number)] if isinstance(step := op.step(GAME), Ask)]
        return len(self.person.told), self.person.page(), self.scene.is_asked_anew(self.person), sent_back


def test_what_the_game_master_had_said_in_secret_and_no_longer_goes_is_asked_of_nobody_else(scene: Scene) -> None:
    number = scene.bob.starts("marked", {"initiator": [scene.elya]})
    scene.ana.fills(number, actor=scene.elya, weak="z")
    with Unchanged(scene, scene.bob):
        scene.edits(scene.elya, "dread", 2)


@pytest.mark.parametrize("move", ["omen", "sign"])
def test_nobody_hears_that_the_game_master_is_asked_for_something_else(scene: Scene, move: str) -> None:
    """Neither by the time that was given them, nor by the hash of a throw that is ready now."""
    number = scene.ana.starts(move, {"initiator": [scene.elya]})
    scene.ana.does(c.SetDeadline, number=number, policy="default", seconds=300)
    with Unchanged(scene, scene.bob):
        scene.edits(scene.elya, "dread", 9)


def test_what_was_sent_back_stays_so_whatever_is_worked_out_behind_the_screen(scene: Scene) -> None:
    number = scene.bob.starts("plea", {"initiator": [scene.elya]})
    scene.bob.fills(number, words=3)
    scene.ana.answers(number, "refuse")
    with Unchanged(scene, scene.bob):
        scene.edits(scene.elya, "dread", 2)


def test_what_was_said_aloud_is_not_taken_back_as_the_dice_fall_for_what_nobody_sees(scene: Scene) -> None:
    number = scene.bob.starts("gift", {"initiator": [scene.elya]})
    scene.ana.fills(number, what="gold")
    scene.edits(scene.elya, "dread", 9)
    scene.bob.throws(number)
    assert scene.bob.move(number)["fields"] == {"gm": {"what": "gold"}}


@pytest.mark.parametrize(("known", "then"), [(True, ("gm",)), (False, ("all",))], ids=["hidden since", "shown since"])
def test_of_somebody_who_comes_or_goes_from_sight_an_act_that_began_before_tells_nothing(
    scene: Scene, known: bool, then: tuple[str, ...]
) -> None:
    """Something was worked out in it already: who is known in it stays as it was."""
    foe = scene.tarn if known else scene.stranger
    number = (scene.bob if known else scene.ana).starts("guard", {"initiator": [scene.elya], "opponent": [foe]})
    scene.bob.fills(number, taken="hook")
    scene.ana.does(c.ShowRecord, record=foe, seen_by=then)
    act = scene.bob.move(number)
    scene.edits(foe, "asleep", True)
    assert scene.bob.move(number) == act


def test_a_rule_that_refuses_what_nobody_sees_still_reads_what_all_see(scene: Scene) -> None:
    told = []
    for dread in (0, 9):
        scene = Scene()
        number = scene.bob.starts("sworn", {"initiator": [scene.elya], "opponent": [scene.tarn]})
        scene.bob.fills(number, taken="hook")
        scene.edits(scene.elya, "dread", dread)
        scene.edits(scene.elya, "nerve", 5)
        scene.edits(scene.tarn, "asleep", True)
        told.append((scene.bob.received, scene.bob.page()))
    assert told[0] == told[1]


# What is kept


def test_it_is_kept_in_the_log_and_what_came_of_the_dice_is_proved(scene: Scene) -> None:
    number = scene.fence()
    scene.bob.fills(number, taken="rope")
    scene.cy.fills(number, taken="hook")
    scene.edits(scene.elya, "hands", ["hook"])
    scene.edits(scene.tarn, "asleep", True)
    scene.bob.fills(number, taken="hook")
    scene.bob.throws(number)
    scene.ana.accepts(number)
    kept = [e.read(e.written(event)) for event in scene.table.events]
    assert state_written(folded(State(), kept)) == state_written(scene.table.state)
    assert state_read(state_written(scene.table.state)).moves == scene.table.state.moves
    replay, state = Replay(GAME), State()
    for event in kept:
        state = evolve(state, event)
        replay.look(state, event)
    assert (replay.same, replay.differs) == (1, None)


def replayed(person: Person, told: Callable[[dict[str, Any]], object] = bool) -> SeenReplay:
    """Somebody's own account, played again; ``told`` is done to each line before."""
    replay = SeenReplay(GAME, person.seat)
    for line in export_seen(map(e.written, person.table.events), person.seat, GAME):
        row = json.loads(line)
        told(row)
        replay.look(msgspec.json.decode(json.dumps(row), type=SeenRow))
    return replay


def test_a_seats_own_export_accuses_nobody_of_what_was_read_anew(scene: Scene) -> None:
    """A rule that ran by itself when the act began ran again since."""
    number = scene.bob.starts("wager", {"initiator": [scene.elya], "opponent": [scene.tarn]})
    scene.edits(scene.elya, "nerve", 6)
    scene.cy.answers(number, "agree")
    scene.bob.throws(number)
    replay = replayed(scene.cy)
    assert (replay.count("same"), replay.differs) == (2, None)


def test_whoever_was_away_while_it_was_read_anew_accuses_nobody(scene: Scene) -> None:
    number = scene.bob.starts("wager", {"initiator": [scene.elya], "opponent": [scene.tarn]})
    scene.cy.does(c.Leave)
    scene.edits(scene.elya, "nerve", 6)
    scene.ana.does(c.CloseStep, number=number)
    scene.bob.throws(number)
    scene.cy.says("Me revoilà.")
    assert replayed(scene.cy).differs is None


def forged(row: dict[str, Any]) -> None:
    """Whoever hosts writes that it went otherwise."""
    move = row.get("move")
    for throw in move["throws"] if isinstance(move, dict) else ():
        if throw["step"] == "roll":
            throw["result"] = not throw["result"]
            throw["outcome"] = str(throw["result"])


@pytest.mark.parametrize("changes", [
    [("nerve", 4)], [("nerve", 4), ("nerve", 5)], [("nerve", 4), ("nerve", 3)], [("hands", ["hook"])]])
def test_a_forged_result_is_found_though_sheets_changed_meanwhile(
    scene: Scene, changes: list[tuple[str, object]]
) -> None:
    number = scene.bob.starts("wager", {"initiator": [scene.elya], "opponent": [scene.tarn]})
    for path, value in changes:
        scene.edits(scene.elya, path, value)
    scene.edits(scene.tarn, "nerve", 9)
    scene.cy.answers(number, "agree")
    scene.bob.throws(number)
    assert replayed(scene.cy).differs is None
    assert replayed(scene.cy, forged).differs == (number, "roll")


def test_nobody_is_accused_where_what_changed_meanwhile_is_not_for_all_to_see(scene: Scene) -> None:
    """The game master saw it change; what the act read of it then, the account does not say."""
    number = scene.bob.starts("wager", {"initiator": [scene.elya], "opponent": [scene.tarn]})
    scene.edits(scene.elya, "dread", 2)
    scene.cy.answers(number, "agree")
    scene.bob.throws(number)
    assert replayed(scene.ana).differs is None
    assert replayed(scene.ana, forged).differs is None
    assert replayed(scene.cy, forged).differs == (number, "roll")
