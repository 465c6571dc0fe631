"""With memory or without, every page says the same: whatever is remembered still holds, and of whoever reads it.

A robot plays evenings of every game (:mod:`robot`), hidden people among the others. Before each thing that is done
about an act, the game master writes something on somebody's sheet, mostly of those who are in one; then every piece of
everybody's page is drawn twice: with all that was remembered since the evening began, and with all memory emptied, of a
table that nobody has looked at. What was worked out for somebody who may see more, or while a sheet or a form stood
otherwise, would show. At the end, holes are made on purpose, and each of them is found.

``PARAVENT_SEEDS="1 2 3"`` plays evenings that nobody chose. What the dice remember follows from numbers alone, and is
left: their odds are proved elsewhere (``tests/dice``).
"""

import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from difflib import unified_diff
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "table"))

import fresh
import robot
from robot import Person, Robot, games

from paravent.dice import ParaventError
from paravent.game import attentive
from paravent.table import by_filled
from paravent.table.by_filled import ByFilled
from paravent.table.commands import EditRecord
from paravent.table.kept import ByIdentity, ByReads, Latest
from paravent.table.seen import MoveSeen
from paravent.table.sheets import record_read
from paravent.table.state import State
from paravent.web import drawn
from paravent.web.desk import Desk
from paravent.web.drawn import BASE, PROOF, Drawings, me
from paravent.web.page import draw
from paravent.web.regions import Regions

ACTS, LOOKS = 6, 24
"""How many acts an evening has at most, and after how many looks it ends."""
STEPS = (-3, -1, -1, 1, 2)
SURE = {"conteur": ("throw", "opposed-roll"), "simulacres": ("simple-test", "open-a-fight", "exchange", "duel"),
        "solaires": ("action", "opposition"), "empire": ("skill-test", "start-fight", "combat-exchange")}
"""Moves that read much of a sheet."""


class Stale(AssertionError):
    """What was remembered is not what is worked out."""


def memories() -> Iterator[Any]:
    """All that is remembered from one look at a table to the next, wherever it is kept."""
    for name in [name for name in sys.modules if name.startswith(("paravent.table", "paravent.web", "paravent.game"))]:
        for kept in list(vars(sys.modules[name]).values()):
            if type(kept) in (ByIdentity, ByReads, ByFilled, Latest, OrderedDict):
                yield kept


@contextmanager
def nothing_remembered() -> Iterator[None]:
    """While all memory is laid aside."""
    with ExitStack() as aside:
        for kept in memories():
            for held in [kept] if type(kept) is OrderedDict else [
                    held for held in vars(kept).values() if isinstance(held, (OrderedDict, ByIdentity))]:
                inside = held._kept if isinstance(held, ByIdentity) else held
                aside.callback(inside.update, dict(inside))
                aside.callback(inside.clear)
                inside.clear()
            if type(kept) is ByFilled:
                kept._latest = None
                aside.callback(setattr, kept, "_latest", None)
        yield


class Watched(Robot):
    """An evening at which everybody's page is looked at again and again, with memory and without."""

    def __init__(self, game: str, seed: int, **more: Any) -> None:
        super().__init__(game, seed, ACTS, **more)
        self.whim = Random(f"{game} {seed} whims")
        self.drawings, self.looks, self.pieces, self.written = Drawings(), 0, 0, 0

    async def _uses(self, who: Person, move: MoveSeen) -> bool:
        for _ in range(self.whim.randint(1, 3)):
            await self._writes_on_a_sheet()
            self.compares()
        if self.looks > LOOKS:
            self.acts = 0
        return await super()._uses(who, move)

    async def _writes_on_a_sheet(self) -> None:
        """The game master changes a number, or a word that is yes or no, on somebody's sheet."""
        state = self.live.state
        people = [part.id for act in state.open_moves() for part in act.cast if part.id in state.records]
        record = self.whim.choice([*people, *people, *people, *state.records])
        sheet = record_read(state.records[record], self.live.system)
        numbers = {part.name: getattr(sheet, part.name) for part in fields(sheet) if type(
            getattr(sheet, part.name)) in (int, bool)} if sheet is not None else {}
        if not numbers:
            return
        gauges = [name for name in self.live.system.kind(state.records[record].kind).gauges if name in numbers]
        path = self.whim.choice(gauges if gauges and self.whim.random() < 0.6 else [*numbers])
        now = numbers[path]
        value = not now if type(now) is bool else max(0, now + self.whim.choice(STEPS))
        try:
            await self.app.state.host.do(self.id, EditRecord(
                seat=self.gm.seat, id=f"{self.whim.randrange(16**12):012x}", record=record, path=path, value=value))
            self.written += 1
        except ParaventError:
            return  # a sheet has its bounds

    def compares(self) -> None:
        """Draw every page with what is remembered, and without."""
        self.looks += 1
        kept, drawn.secrets = drawn.secrets, SimpleNamespace(token_hex=lambda n: "f" * 2 * n)
        try:
            for who in self.people:
                remembered = self.page(who, self.live.state, self.drawings)
                with nothing_remembered():
                    worked_out = self.page(who, replace(self.live.state), Drawings())
                assert remembered.keys() == worked_out.keys()
                for name, html in worked_out.items():
                    self.pieces += 1
                    if html != remembered[name]:
                        told = "\n".join(unified_diff(html.split(">"), remembered[name].split(">"), "worked out",
                                                      "remembered", n=1, lineterm=""))
                        raise Stale(f"{self.report.game}: {name} of {who.name}, look {self.looks}\n{told[:3000]}")
        finally:
            drawn.secrets = kept

    def page(self, who: Person, state: State, drawings: Drawings) -> dict[str, str]:
        """Every region of somebody's page, and what each open act would bring with its form as it stands."""
        system = self.live.system
        desk = Desk(state, who.seat, system, who.lang)

        def marked(name: str, desk: Desk, **values: Any) -> str:
            return draw(name, who.lang, desk.teller, desk=desk, base=BASE, proof=PROOF, system=system, me=me,
                        **values).strip()

        here = frozenset(one.seat for one in self.people)
        shown = {name: f"{region.head}{''.join(piece.html for piece in region.pieces)}"
                 for name, region in Regions(drawings, desk, here, marked).all().items()}
        for move in desk.open_moves if desk.plays else ():
            shown[f"outlook of {move.number}"] = msgspec.json.encode(desk.outlook_with(move.number, {})).decode()
        return shown


def evening(game: str, seed: int, **more: Any) -> Watched:
    """One evening, looked at."""
    played = Watched(game, seed, **more)
    luck, kept = Random(f"{game} {seed} ids"), drawn.secrets
    drawn.secrets = SimpleNamespace(token_hex=lambda n: luck.randbytes(n).hex())  # type: ignore[assignment]
    try:
        robot.asyncio.run(played.plays())
    finally:
        drawn.secrets = kept
    return played


@pytest.mark.parametrize("seed", fresh.SEEDS)
@pytest.mark.parametrize("game", games())
def test_with_memory_and_without_every_page_is_the_same(
    game: str, seed: int, request: pytest.FixtureRequest
) -> None:
    with fresh.repeatable(request.node.nodeid, seed):
        often = SURE.get(game, ()) if seed % 2 else ()
        played = evening(game, seed, only=often)
        assert played.looks > 3
        assert played.written
        assert played.pieces > 20 * played.looks


HOLES = {
    "a field is not noted": (attentive, "_field_read", lambda name, record: getattr(attentive.beneath(record), name)),
    "nothing is looked at again": (by_filled, "still_reads", lambda record, reads: True),
    "no form is looked at again": (by_filled, "forms_still_read", lambda forms, reads: True),
    "who is let in on a secret is not asked": (by_filled, "sort_of", lambda record: object),
}


def some_evenings() -> None:
    for seed in range(5):
        for game in SURE:
            evening(game, seed, only=SURE[game])


@pytest.mark.parametrize("hole", HOLES)
def test_a_hole_in_what_is_noted_is_found(hole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    room, name, instead = HOLES[hole]
    monkeypatch.setattr(room, name, instead)
    attentive._attentive.cache_clear()
    try:
        with pytest.raises((Stale, AssertionError)):
            some_evenings()
    finally:
        attentive._attentive.cache_clear()
