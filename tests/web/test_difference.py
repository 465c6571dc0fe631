"""The proof by difference, for every game at hand: other secrets, the same bytes, through the real web.

Random evenings are played twice (:mod:`twins`): a game master, two players and a spectator, the same public acts and
the same open faces, but other secrets: difficulties and other fields of the game master's or a player's, sealed
choices, people of whom nobody knows and figures that nobody sees, blind dice behind the same hash, whispers, notes,
and any number of hidden events and moves. Moves are played right through the dice: choices inside a rule, windows,
real dice, proposals accepted or refused, encounters, the passing of time. Every act is followed by a look at all that
those who may not know could receive: view, stream with its ids, forms, odds, refusals in two languages, exports, files
(here), and over HTTP (:mod:`window`): pages, live parts, sheets, log and its exports, start forms, odds tried on a
form, checks, screen, errors, the JSON interface.

Where a game declares that something public depends on a secret (an open outcome against a hidden difficulty), that is
told by :mod:`declared`, apart from the view, and such an act is not done with those faces: other faces are thrown
until both tables agree in public, or the move is cancelled. So nothing is ever revealed, and nothing has to be left
out of the comparison. What remains is counted: each game must have had its secrets varied before the dice, after them,
and in an encounter. At the end, holes are made on purpose, and the proof finds each of them.
"""

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "table"))

import fresh
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from twins import FACES_OF, MODES, Evening, Leak, blind_faces, games, rota
from veil import DIFFICULTY, NOISE, VEIL
from window import Window, made_equal

from paravent.game import Ask, Context, Move
from paravent.game.records import EVERYONE
from paravent.table import commands as c
from paravent.table import deciding, ending, playing, records, seats, seen_acts, seen_news, showing, sight, turn, undo
from paravent.table.export import export_seen
from paravent.table.seen import EncounterSeen
from paravent.table.sight import Sight
from paravent.table.verify import proved

table_view = importlib.import_module("paravent.table.view")
SOAK = settings.default.max_examples > 1000
PROOF = settings(
    max_examples=200 if SOAK else 1, derandomize=not SOAK, deadline=None, phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
STEPS, ACTS, OFTEN = (14, 400, 0.5) if SOAK else (8, 30, 0.12)
FEWEST, MOST_ROUNDS = 5, 6
"""How many moves an evening has at least, and how many evenings a game gets at most to have shown everything."""
SEEDS, SALT = st.integers(0, 10**6), 4
"""With this salt, the one evening of the usual run comes to an encounter soon."""


@pytest.fixture(autouse=True)
def _equal(monkeypatch: pytest.MonkeyPatch) -> None:
    made_equal(monkeypatch)


def spend(
    name: str, mode: str, public: int, secrets: tuple[int, int], moves: list[str], often: float = OFTEN,
    then: Callable[[Evening], None] = lambda evening: None,
) -> Evening:
    """An evening, played twice and watched; in a thread, so that no other loop is in the way."""

    def whole() -> Evening:
        evening = Evening.__new__(Evening)
        playing.faces_of = blind_faces(evening)
        evening.__init__(games()[name], mode, public, secrets)  # type: ignore[misc]
        window = Window(evening, often)
        try:
            evening.plays(moves, STEPS, ACTS)
            then(evening)
        finally:
            playing.faces_of = FACES_OF
            window.close()
        return evening

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(whole).result()


def evenings(name: str, public: int) -> Iterator[tuple[str, int, list[str]]]:
    """Evenings enough for every move of a game, each about somebody else's secrets; then more of them."""
    public += SALT
    luck = Random(public)
    moves = rota(games()[name], luck)
    lasting = [move.id for move in games()[name].moves.values() if move.encounter]
    for at, mode in enumerate(list(MODES) * MOST_ROUNDS):
        some = moves[at::len(MODES)] if at < len(MODES) else lasting[:2]
        yield mode, public + at, [*some, *luck.choices(moves, k=max(0, FEWEST - len(some)))]


def wanted(name: str) -> set[str]:
    """What must have been different behind the screen, at some time while nobody could tell."""
    always = {"before the dice", "after the dice", "hidden events", "hidden moves", "hidden records"}
    system = games()[name]
    if any(kind.hidden for kind in system.kinds.values()):
        always.add("hidden fields")
    return always | ({"in an encounter"} if system.encounters else set())


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", list(games()))
def test_other_secrets_leave_every_byte_the_same_for_whoever_may_not_know_them(name: str) -> None:
    varied: Counter[str] = Counter()
    played: set[str] = set()

    @PROOF
    @given(SEEDS, SEEDS, SEEDS)
    def proof(public: int, one: int, apart: int) -> None:
        for at, (mode, luck, moves) in enumerate(evenings(name, public)):
            if at >= len(MODES) and not wanted(name) - set(+varied):
                return
            evening = spend(name, mode, luck, (one, one + 1 + apart), moves)
            varied.update(evening.varied)
            played.update(kept.move for side in evening.sides for kept in side.state.moves.values())

    proof()
    assert wanted(name) <= set(+varied), f"{name}: {dict(varied)}"
    assert len(played) > len(games()[name].moves) // 2


def at_random(name: str, seed: int) -> tuple[str, int, tuple[int, int], list[str]]:
    """A short evening that follows from a seed: mostly any moves, and one in an encounter where there is one."""
    luck, system = Random(f"{name} {seed}"), games()[name]
    mode, moves = luck.choice(list(MODES)), rota(system, luck)[:FEWEST - 1]
    lasting = [move.id for move in system.moves.values() if move.encounter]
    public, one, apart = (luck.randrange(10**6) for _ in range(3))
    return mode, public, (one, one + 1 + apart), [*moves, *luck.sample(lasting, min(1, len(lasting)))]


@pytest.mark.parametrize("seed", fresh.SEEDS)
@pytest.mark.parametrize("name", list(games()))
def test_seeds_that_nobody_chose_leave_each_byte_the_same(name: str, seed: int, request: pytest.FixtureRequest) -> None:
    with fresh.repeatable(request.node.nodeid, seed):
        calls_nobody_a_forger(spend(name, *at_random(name, seed)))


@pytest.mark.parametrize(("name", "seed"), [
    ("veil", 2030), ("veil", 1795032754), ("simulacres", 2027), ("simulacres", 1794988852), ("simulacres", 26111953),
    ("empire", 1763473007), ("empire", 1763473028), ("empire", 3158618), ("solaires", 1795032762),
    ("solaires", 26111960)])
def test_what_a_seed_once_found_stays_mended(name: str, seed: int) -> None:
    """Odds of an act that has gone behind the screen; in a game master's file, that a player thought again of what they
    had sealed; somebody brought into a fight on both sides; an act that another brought about, on the sheets as they
    were before it; how hard a blow landed, asked of whoever may spare some of it; whether there were dice at all, told
    by the grain, where a fight begins and nobody may see them; the odds of what follows a throw that ended unseen. And
    what was found wanting of the proof itself: that a result is told in one's own words, or kept, is for all to see."""
    calls_nobody_a_forger(spend(name, *at_random(name, seed)))


def calls_nobody_a_forger(evening: Evening) -> None:
    """Nobody's honest account is said to differ from what the rules make."""
    for side in evening.sides:
        for seat in side.state.seats:
            differs = proved(export_seen(side.rows, seat, side.system)).differs
            assert differs is None or differs.why != "rule", (side.person(seat), differs)


# The proof would notice


def test_what_is_shown_to_all_is_noticed() -> None:
    def shown(evening: Evening) -> None:
        for side in evening.sides:
            for _ in range(20):
                if not side.hidden:
                    evening._hides(side)
            side.keeps(side.tries(
                c.ShowRecord(record=side.hidden[-1], seen_by=("all",), seat=side.seats["Ana"]), "shown", 999))
        evening.look("it is shown")

    with pytest.raises(Leak, match="it is shown"):
        spend("conteur", "the game master's", 1, (1, 2), ["throw"], then=shown)


@pytest.mark.parametrize("ended", ["by the dice", "by a hidden field"])
def test_an_end_that_hangs_on_a_secret_is_noticed_where_nothing_is_changed(
    ended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that asks the game master for a word after open dice, or does not, as a hidden figure has it."""
    step = next(step for step in VEIL.moves["leap"].resolves)

    def hard(ctx: Context) -> bool:
        return ctx[DIFFICULTY] > 0 if ended == "by a hidden field" else True

    heed = Move("leap", (
        *VEIL.moves["leap"].steps[:1], Ask("set", (DIFFICULTY,)), step,
        Ask("word", (replace(NOISE, when=hard),)),
    ))
    planted = replace(VEIL, moves={**VEIL.moves, "leap": heed})
    monkeypatch.setitem(games(), "veil", planted)

    def look() -> None:
        for public in range(4):
            calls_nobody_a_forger(
                spend("veil", "the game master's", public, (public, public + 1), ["leap"] * 4, often=0.0))

    if ended == "by the dice":
        look()
        return
    with pytest.raises(Leak):
        look()


def _whole_context(sight: Sight, op: Any) -> Any:
    return op.context(sight.system)


def _whole_encounter(looking: Any, number: int) -> EncounterSeen | None:
    running = looking.state.encounters.get(number)
    if running is None or not looking.eyes.may_see(looking.seat, "", running.seen_by):
        return None
    return EncounterSeen(running.encounter, running.state, running.over)


HOLES: dict[str, tuple[str, list[tuple[Any, str, Any]]]] = {
    "a field of the game master's is shown": ("conteur", [
        (seen_acts, "may_read", lambda *_: True), (sight, "may_read", lambda *_: True)]),
    "figures of a sheet are shown": ("simulacres", [(table_view.Looking, "hidden", lambda looking, kind: {})]),
    "hidden people are named": ("simulacres", [
        *((room, "without", lambda value, unseen: value) for room in (table_view, seen_news)),
        (seen_acts, "is_present", lambda *_: True)]),
    "those told of are named to everybody": ("simulacres", [
        (seen_acts, "for_reader", lambda value, known: value),
        *((room, "about_nobody_known", lambda values, known: False) for room in (table_view, seen_acts)),
        *((room, "without", lambda value, unseen: value) for room in (table_view, seen_news))]),
    "the state of an encounter is shown": ("fanal", [(table_view.Looking, "encounter", _whole_encounter)]),
    "odds and forms are worked out from the truth": ("conteur", [(Sight, "context", _whole_context)]),
    "events are told to all": ("veil", [(room, "everyone_or", lambda eyes, seats: tuple(EVERYONE))
                                        for room in (deciding, seats, records, turn, ending, showing, undo)]),
}


@pytest.mark.parametrize("hole", list(HOLES))
def test_a_hole_made_on_purpose_is_found(hole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, patches = HOLES[hole]
    for where, what, instead in patches:
        monkeypatch.setattr(where, what, instead)

    def look() -> None:
        for mode, public, moves in evenings(name, 5):
            if mode == "the game master's":
                spend(name, mode, public, (public, public + 1), moves, often=0.05)

    with pytest.raises(Leak):
        look()
