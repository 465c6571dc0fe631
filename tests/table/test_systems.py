"""Every move of every game installed, played at a table with fair dice, to its end."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from players import goes_on
from scene import Person, Table
from veil import VEIL

from paravent.dice import Dice
from paravent.dice.errors import ParaventError
from paravent.game import Ask, Call, Field, Move, Resolve, System, Whole, find_system, system_names, to_plain
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.export import export_seen, export_whole
from paravent.table.verify import proved, verify
from paravent.testing.conformance import example_context

MOVES = [
    pytest.param(name, move, id=f"{name} {move}")
    for name in system_names()
    for move in find_system(name).examples
]


class Evening:
    """A move of a game, opened from one of its examples by those who play it."""

    def __init__(self, system: System, move: str, example: Mapping[str, Any]) -> None:
        self.system, self.move, self.luck = system, system.move(move), Random(7)
        self.table = Table(system)
        self.table.watch = False
        self.ana = self.table.joins("Ana", as_="gm")
        self.bob, self.cy = self.table.joins("Bob"), self.table.joins("Cy")
        self.zoe = self.table.joins("Zoe", as_="spectator")
        self.ctx = example_context(system, move, example)
        self.cast = self._cast()

    def _cast(self) -> dict[str, list[str]]:
        cast: dict[str, list[str]] = {}
        for role in self.move.cast:
            for actor in self.ctx.all(role.id):
                if role.id == "gm":
                    continue
                owner = self.bob if role.id == self.move.by else self.ana
                name = owner.seat
                if actor.record is not None:
                    kind = next(kind.id for kind in self.system.kinds.values() if type(actor.record) is kind.cls)
                    events = self.ana.does(c.AddRecord, kind=kind, sheet=to_plain(actor.record), owner=owner.seat,
                                           seen_by=("all",))
                    name = next(event.record for event in events if isinstance(event, e.RecordAdded))
                if name not in cast.setdefault(role.id, []):
                    cast[role.id].append(name)
        return cast

    def starts(self) -> bool:
        person = self.ana if self.move.by == "gm" else self.bob
        try:
            person.does(c.StartMove, move=self.move.id, cast=self.cast)
        except ParaventError:
            return False
        return True

    def fills(self) -> None:
        """Each fills in what they may, as the example says."""
        for asked in self.move.fields:
            for actor in (a for a in self.ctx.actors if a.role == asked.role and asked.id in a.filled):
                names = ["gm"] if asked.role == "gm" else self.cast.get(asked.role, [])
                name = names[min(len(names) - 1, [a.id for a in self.ctx.all(asked.role)].index(actor.id))]
                values = {asked.id: to_plain(actor.filled[asked.id])}
                self.tries(self._controller(name), c.Fill, number=1, values=values, actor=name)

    def _controller(self, name: str) -> Person:
        return self.table.person(next(iter(sorted(self.table.state.eyes.controllers(name)))))

    def tries(self, person: Person, asked: type[c.Command], **values: Any) -> bool:
        self.table.seconds += 1
        try:
            self.table.do(person, asked(seat=person.seat, **values), f"public {self.table.seconds}")
        except ParaventError as refusal:
            assert refusal.code != "table/rule-failed", refusal.__cause__  # noqa: PT017
            return False
        return True

    def plays_on(self) -> None:
        """The move is brought to its end, whatever it asks."""
        for _ in range(40):
            open_moves = [kept.id for kept in self.table.state.open_moves()]
            if not open_moves:
                return
            person, asked, values = goes_on(self.table, self.luck, open_moves[0], "n")
            if not self.tries(person, asked, **values) and self.luck.random() < 0.5:
                self.tries(self.ana, c.CloseStep, number=1)
        for kept in self.table.state.open_moves():
            own = self.table.state.counts_of(self.ana.seat).moves[kept.id]
            self.tries(self.ana, c.Cancel, number=own)


def examples(name: str, move: str) -> Iterator[tuple[System, Mapping[str, Any]]]:
    system = find_system(name)
    for example in system.examples[move]:
        if not system.move(move).encounter and example.get("encounter") is None:
            yield system, example


@pytest.mark.parametrize(("name", "move"), MOVES)
def test_a_move_is_played_to_its_end_and_its_dice_are_verified_by_whoever_saw_them(name: str, move: str) -> None:
    for system, example in list(examples(name, move))[:1]:
        evening = Evening(system, move, example)
        if not evening.starts():
            continue
        evening.fills()
        evening.plays_on()
        assert all(kept.is_over for kept in evening.table.state.moves.values())
        log = [e.written(event) for event in evening.table.events]
        for person in evening.table.people.values():
            assert verify(export_seen(log, person.seat, system)).differs is None
        found = proved(export_whole(log))
        thrown = [throw for kept in evening.table.state.moves.values() for throw in kept.throws if throw.done]
        assert found.holds, found.differs
        assert found.replayed >= len(thrown), "what the rules gave, they give again"
        assert (found.another_version, found.unread) == (0, 0)


def test_a_value_that_no_longer_goes_with_a_later_one_is_empty_again_and_the_move_goes_on() -> None:
    def poured(dice: Dice, much: int) -> int:
        return much + dice.sum(1, 6)

    room = Field("room", Whole(0, 9), usual=9)
    much = Field("much", Whole(0, lambda ctx: ctx[room]), usual=0)
    pour = Move("pour", (
        Ask("how", (room, much)),
        Resolve("poured", lambda ctx: Call(poured, ctx[much])),
    ))
    table = Table(replace(VEIL, moves={**VEIL.moves, "pour": pour}))
    table.joins("Ana", as_="gm")
    bob = table.joins("Bob")
    number = bob.starts("pour")
    bob.fills(number, much=5)
    bob.fills(number, room=2)
    assert {row["field"]: row.get("value") for row in bob.form(number)["fields"]} == {"room": 2, "much": None}
    bob.throws(number)
    assert bob.move(number)["throws"][0]["result"] <= 6


def test_what_is_nobody_holds_no_role_that_is_not_for_it() -> None:
    """A price list does not fight, and is not brought into a fight: it is said, whoever asks."""
    table = Table(find_system("simulacres"))
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    names = []
    for kind, ready in (("character", "nour"), ("price-list", ""), ("creature", "")):
        sheets = table.system.kinds[kind].ready("fr")
        ana.does(c.AddRecord, kind=kind, ready=ready or next(iter(sheets)), owner=bob.seat, seen_by=("all",))
        names.append(list(table.state.records)[-1])
    nour, prices, beast = names
    for sides in ({"initiator": [nour], "opponent": [prices]}, {"initiator": [prices], "opponent": [beast]}):
        assert ana.refused(c.StartMove, move="open-a-fight", cast=sides) == "table/no-part"
    assert ana.refused(c.StartMove, move="simple-test", cast={"initiator": [prices]}) == "table/no-part"
    number = ana.starts("open-a-fight", {"initiator": [nour], "opponent": [beast]})
    assert ana.refused(c.Join, number=number, role="opponent", names=(prices,)) == "table/no-part"


def test_nobody_is_brought_into_an_act_on_both_sides() -> None:
    table = Table(find_system("simulacres"))
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    names = []
    for ready in ("nour", "arthur"):
        ana.does(c.AddRecord, kind="character", ready=ready, owner=bob.seat, seen_by=("all",))
        names.append(list(table.state.records)[-1])
    nour, arthur = names
    number = ana.starts("open-a-fight", {"initiator": [nour], "opponent": [arthur]})
    for role in ("initiator", "opponent"):
        assert ana.refused(c.Join, number=number, role=role, names=(arthur,)) == "table/not-now"
