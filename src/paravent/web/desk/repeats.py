"""What was done before, done again: the same act, a favourite made of it, a click that goes on with what is open."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from paravent.game import TextField
from paravent.game.errors import Withheld
from paravent.game.records import GM
from paravent.table import commands as c
from paravent.table.seen import MoveSeen, is_sealed

from .seat import DeskSeat
from .sheets import Sheets
from .starts import Starts, said_before_dice


class Repeats:
    """What a seat may do once more."""

    def __init__(self, seat: DeskSeat, sheets: Sheets, starts: Starts) -> None:
        self._seat, self._sheets, self._starts = seat, sheets, starts
    def again(self, number: int) -> c.StartMove | None:
        """The same act once more: the same people, and what this seat said before the dice; if it may be begun."""
        seen = self._seat.moves.get(number)
        return self._once_more(seen) if seen is not None and self._seat.seat == seen.starter else None

    def _once_more(self, seen: MoveSeen) -> c.StartMove | None:
        """The same act, whoever began it; if this seat may begin it."""
        seat = self._seat
        offered = next((one for one in self._starts.on_offer if one.move.id == seen.move), None)
        one = self._starts.startable_as(offered) if offered is not None else None
        if offered is None or one is None or one.encounter != (seen.encounter or 0) or not (one.gm or not one.creates):
            return None
        move = offered.move
        cast = {role.id: [who for who, held in seen.cast.items() if held == role.id]
                for role in move.cast if role.id != GM}
        if any(len(cast[role.id]) < role.least for role in move.cast if role.id != GM):
            return None
        if not all(who in seat.records and self._starts.fits(move, role, who)
                   for role, those in cast.items() for who in those):
            return None
        asked = {asked.id for asked in said_before_dice(move)}
        form = {who: {name: value for name, value in values.items() if name in asked and not is_sealed(value)}
                for who, values in seen.fields.items()
                if seat.is_gm or seat.seat in seat.eyes.controllers(who)}
        return c.StartMove(move=move.id, cast={role: those for role, those in cast.items() if those}, form=form,
                           encounter=seen.encounter or None, secrecy=(seat.is_gm and seen.secrecy) or "open",
                           seat=seat.seat)

    def keeping(self, number: int) -> c.StartMove | None:
        """Keeping what this seat said in an act for another time, under a name made of it; where a game does so.

        It is kept by whoever answers for the one who acted, also where the game master asked for it.
        """
        seen = self._seat.moves.get(number)
        declared = self._seat.system.moves.get(seen.move) if seen is not None else None
        if seen is None or declared is None or not declared.keeps:
            return None
        actor = next((who for who, role in seen.cast.items() if role == "initiator"), "")
        answers = self._seat.seat in self._seat.eyes.controllers(actor)
        again = self._once_more(seen) if answers else None
        if again is None:
            return None
        move = self._seat.system.move(declared.keeps)
        asked = {field.id: field for field in said_before_dice(move)}
        said = {name: value for name, value in again.form.get(actor, {}).items() if name in asked}
        worded = [self._seat.teller.value(value) for value in said.values() if isinstance(value, str) and value]
        typed = [value for name, value in said.items() if isinstance(asked[name].type, TextField) and value]
        named = next((field.id for field in asked.values() if field.names), "")
        if not worded or not self._starts.fits(move, "initiator", actor):
            return None
        name = str((typed or [" · ".join(worded)])[0])
        if self._is_kept(actor, seen.move, name, said):
            return None
        return c.StartMove(move=move.id, cast={"initiator": [actor]}, at_once=True, seat=self._seat.seat,
                           form={actor: {**said, named: name}})

    def _is_kept(self, actor: str, move: str, name: str, said: Mapping[str, Any]) -> bool:
        """Whether a sheet has the very same ready already, under the same name."""
        record, kind = self._sheets.record(actor), self._seat.system.kinds.get(self._seat.records[actor].kind)
        words = {one: _spelled(value) for one, value in said.items() if value}
        try:
            kept = () if kind is None or record is None else kind.shortcuts(record, self._seat.rulings)
        except Withheld:
            return False
        return any((one.name, one.move, {**one.fills}) == (name, move, words) for one in kept)

    def from_sheet(self, start: c.StartMove, named: str = "") -> c.Command:
        """What a click on a sheet asks for: it fills the act that is already open for it, or starts one.

        ``named`` is the value that was clicked, where the game itself says what it begins. With what is clicked comes
        what the game keeps with it: with a skill, the attribute it was last used with.
        """
        actor = next(iter(start.cast.get("initiator", [])), "")
        waiting = self._waiting_for(actor, named) if named else None
        if waiting is not None:
            return dataclasses.replace(waiting, id=start.id)
        same = [move for move in self._seat.moves.values()
                if move.move == start.move and move.cast.get(actor) == "initiator"]
        values = dict(start.form.get(actor, {}))
        for move in reversed(same):
            if move.phase == "open" and not move.throws:
                return c.Fill(number=move.number, values=values, actor=actor, seat=start.seat, id=start.id)
        kept = [asked.id for asked in self._seat.system.move(start.move).fields if asked.kept_with in values]
        for move in reversed(same):
            before = move.fields.get(actor, {})
            if all(before.get(name) == value for name, value in values.items()) and any(map(before.__contains__, kept)):
                values = {**{name: before[name] for name in kept if name in before}, **values}
                break
        return dataclasses.replace(start, form={**start.form, actor: values})

    def given_up_for(self, start: c.StartMove) -> list[c.Withdraw]:
        """What this seat turns away from to begin the same with somebody else: acts of which no die has fallen and of
        which nobody else has said anything."""
        by = self._seat.system.move(start.move).by
        acts, given_up = frozenset(start.cast.get(by, ())), list[c.Withdraw]()
        for move in self._seat.open_moves:
            mine = frozenset(who for who, role in move.cast.items() if role == by)
            said = any(values for who, values in move.fields.items() if who not in mine)
            if move.move == start.move and move.encounter == start.encounter and mine == acts and not (
                    move.throws or said or self._seat.seat not in move.waits_for):
                given_up.append(c.Withdraw(number=move.number, seat=start.seat))
        return given_up

    def _waiting_for(self, actor: str, named: str) -> c.Fill | None:
        """What fills in a value of a sheet where an open act waits for this seat to say it: the weapon of a blow."""
        held, record = self._seat.records.get(actor), self._sheets.read(actor) if actor in self._seat.records else None
        kind = self._seat.system.kinds.get(held.kind) if held is not None else None
        try:
            said = () if kind is None or record is None else kind.begins(record, self._seat.rulings)
        except Withheld:
            return None
        for move in sorted(self._seat.moves.values(), key=lambda act: -act.number):
            if move.phase != "open" or move.throws or actor not in move.cast or self._seat.seat not in move.waits_for:
                continue
            for one in said:
                if one.name == named and one.move == move.move and not one.fills.keys() & move.fields.get(actor, {}):
                    return c.Fill(number=move.number, values={**one.fills}, actor=actor, seat=self._seat.seat)
        return None


def _spelled(value: Any) -> Any:
    """A group of numbers as it is written on a line (``speed:1,precision:1``); anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    return ",".join(f"{name}:{number}" for name, number in value.items() if number)
