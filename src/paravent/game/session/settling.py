"""What a move changes: accepted, amended, refused, taken back; and throws shown otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from paravent.dice import plain
from paravent.game.errors import NotNow, Stale, UnknownName
from paravent.game.move import OPEN, Shown
from paravent.game.open_move import OpenMove, without
from paravent.game.records import Change, apply, from_plain, look, type_at

from .answering import Answering
from .seats import whole


class Settling(Answering):
    """Moves that have ended, in the game master's hands."""

    @whole
    def accept(
        self, seat: str, number: int, amend: Mapping[int, Any] | None = None, refuse: Sequence[int] = ()
    ) -> None:
        """The game master applies the proposed changes; some may be amended or refused, each alone.

        A value that something else changed in the meantime is never overwritten: its change is amended or refused. An
        encounter that ``merges`` is one whose changes are worked out again from how it stands now.
        """
        op = self.known_move(number, seat)
        self._masters_only(seat, "accept")
        if op.phase != "settled":
            raise NotNow(move=op.move.id, needs=op.needs(self.system))
        amended = dict(amend or {})
        for at in (*amended, *refuse):
            if at not in range(len(op.changes)):
                raise UnknownName("change", str(at), map(str, range(len(op.changes))))
        final = []
        for at, change in enumerate(self._caught_up(op)):
            if at in refuse or change is None:
                continue
            if at in amended:
                now = self._now(op, change)
                change = replace(change, before=now, after=self._amended(op, change, amended[at]))
            self._apply(op, change)
            final.append(change)
        self._put(replace(op, phase="closed", changes=tuple(final)))

    def _caught_up(self, op: OpenMove) -> Sequence[Change | None]:
        """The changes as proposed; those of an encounter that merges as its state now has them, None where gone."""
        running = self.encounters.get(op.encounter or 0)
        if running is None or not running.encounter.merges or running.state == op.state_read:
            return op.changes
        ctx = replace(op.context(self.system), encounter=running.state)
        anew = {change.path: change for step in op.move.resolves if step.id in op.results
                for change in step.changes(ctx, op.results[step.id]) if change.target == "encounter"}
        kept = [anew.pop(change.path, None) if change.target == "encounter" else change for change in op.changes]
        return [*kept, *anew.values()]

    @whole
    def undo(self, seat: str, number: int) -> None:
        """The game master takes back what a closed move changed; the move stays listed, its dice too."""
        op = self.known_move(number, seat)
        self._masters_only(seat, "undo")
        if op.phase != "closed":
            raise NotNow(move=op.move.id, needs=op.needs(self.system))
        for change in reversed(op.changes):
            self._apply(op, replace(change, before=change.after, after=change.before))
        self._put(replace(op, phase="undone"))

    @whole
    def turn_over(self, seat: str, number: int, step: str, shown: Shown = OPEN) -> None:
        """The game master shows a throw otherwise than its rule says: to everyone, unless said."""
        op = self.known_move(number, seat)
        self._masters_only(seat, "turn_over")
        if step not in op.records:
            raise NotNow(move=op.move.id, needs=step)
        self._put(replace(op, turned_over={**op.turned_over, step: shown}))

    def _amended(self, op: OpenMove, change: Change, value: Any) -> Any:
        """A value written by the game master, as the record or the state it goes to declares it."""
        if change.target == "clock":
            return value if change.path.startswith("timers.") else from_plain(type(change.before), value, "clock")
        if change.target == "encounter":
            state = self.encounters[op.encounter or 0].encounter.state
            return from_plain(type_at(state, change.path), value, change.path)
        held = self.records.get(change.target)
        kind = self.system.kind(held.kind if held else change.kind)
        return from_plain(type_at(kind.cls, change.path), value, change.path)

    def _now(self, op: OpenMove, change: Change) -> Any:
        """What stands now where a change would be made."""
        if change.target == "clock":
            return self.clock.get(change.path) if change.path else self.day
        if change.target == "encounter":
            state = self.encounters[op.encounter or 0].state
            return look(state, change.path) if change.path else state
        held = self.records.get(change.target)
        if not change.path:
            return held.record if held else None
        if held is None:
            raise UnknownName("record", change.target, self.records)
        return look(held.record, change.path)

    def _apply(self, op: OpenMove, change: Change) -> None:
        """Make a change, unless something else changed the value in the meantime."""
        now = self._now(op, change)
        if now != change.before:
            raise Stale(target=change.target, path=change.path, before=plain(change.before), now=plain(now))
        if change.target == "clock":
            self._turn_clock(change.path, change.after)
        elif change.target == "encounter":
            running = self.encounters[op.encounter or 0]
            state = apply(running.state, change.path, change.after) if change.path else change.after
            self.encounters[op.encounter or 0] = replace(running, state=state)
        elif change.path:
            held = self.records[change.target]
            self.records[change.target] = replace(held, record=apply(held.record, change.path, change.after))
        elif change.after is None:
            del self.records[change.target]
        else:
            owners = [seat for seat in self._seats_named(op, op.move.by) if not self.is_gm(seat)]
            self.add(change.target, change.after, change.kind, owners[0] if len(owners) == 1 else "")

    def _turn_clock(self, path: str, after: Any) -> None:
        if not path:
            self.day = after
            return
        self.clock = {**without(self.clock, {path}), **({} if after is None else {path: after})}
        if path == "minutes":
            self.day = after // (24 * 60)
