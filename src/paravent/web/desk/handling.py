"""What a seat may do about an open move: fill, throw, pick dice, bring somebody in; and what the odds are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from paravent.dice import LiveFaces, ParaventError, PlayedDice, Thrown
from paravent.dice.play import Waiting
from paravent.game import Ask, Resolve, Window
from paravent.game.open_move import OpenMove
from paravent.game.records import GM
from paravent.game.view import context_seen
from paravent.web.charts import Outlook, Weigher
from paravent.web.fields import FormReader

from .cards import Card, Die
from .records import Records


class Handling(Records):
    """An open move in the hands of one seat."""

    def _handle(self, card: Card) -> None:
        number = next(int(at) for at, own in self.state.counts[self.seat].moves.items() if own == card.number)
        op = self.session.moves.get(number)
        if op is None or self.session.is_out_of_hands(self.seat, op):
            return
        ctx = context_seen(self.session, self.seat, op)
        step = op.step(self.system)
        card.can_throw = isinstance(step, Resolve) and op.pending is None and (card.mine or self.is_gm)
        card.can_hand = card.can_throw and isinstance(step, Resolve) and not self.session.known_blind(
            self.seat, op, step)
        if isinstance(step, Window) and card.mine:
            card.window = step.kind
        reader = FormReader(self.session, self.seat, self.teller, self.names)
        if not op.thrown:
            card.groups = reader.groups(op, ctx)
            card.joins = self._joins(op)
        elif isinstance(step, Ask):
            card.groups = reader.groups(op, ctx, step)
        inside = {group.actor for group in card.groups if group.is_in}
        for part in card.parts:
            thrown = part.ready == "waits" and isinstance(step, Resolve)
            part.ready = "sealed" if part.id in inside else "" if thrown else part.ready
        if op.pending is None:
            card.outlook = Weigher(self.session, self.seat, self.teller, self.refusal, self._named).outlook(op)
            if card.outlook.lacks and not card.outlook.lacks_of:
                card.mine = True
                for asked in (asked for group in card.groups for asked in group.fields):
                    asked.main |= asked.name == card.outlook.lacking
        elif card.choice and card.throws and card.throws[-1]["dice"]:
            card.tray = self._tray(op, card.choice["takes"])

    def outlook_with(self, number: int, filled: Mapping[str, Mapping[str, Any]]) -> Outlook:
        """What the odds would be with a form as it stands, before anything of it is saved."""
        known = next((int(at) for at, own in self.state.counts[self.seat].moves.items() if own == number), 0)
        session = self.session
        if known not in session.moves:
            return Outlook()
        for actor, values in filled.items():
            for name, value in values.items():
                try:
                    session.moves[known] = session.supposing(self.seat, known, {name: value}, actor)
                except (ParaventError, TypeError, ValueError):
                    continue  # not readable yet: the rest still counts
        return Weigher(session, self.seat, self.teller, self.refusal, self._named).outlook(session.moves[known])

    def _joins(self, op: OpenMove) -> list[dict[str, Any]]:
        """The roles that still take somebody in."""
        cast = [actor.id for actor in op.cast]
        found = []
        for role in op.move.cast:
            held = sum(actor.role == role.id for actor in op.cast)
            free = [sheet for sheet in self.sheets if sheet["id"] not in cast and role.record in ("", sheet["of"])]
            open_to_more = role.offered(self.rulings) and (role.most is None or held < role.most)
            if role.id != GM and open_to_more and free:
                found.append({"id": role.id, "title": self.teller.role(role.id), "free": free})
        return found

    def _tray(self, op: OpenMove, takes: Iterable[Any]) -> list[Die]:
        """The dice that lie before the one who chooses, as the rule has them now."""
        step = op.step(self.system)
        if not isinstance(step, Resolve) or op.pending is None:
            return []
        dice = PlayedDice(LiveFaces(), None, op.records[step.id])
        with suppress(Waiting, ParaventError):
            step.call(op.context(self.system)).on(dice)
        kinds = {kind for option in takes for kind in option}
        thrown = [entry for entry in op.records[step.id] if isinstance(entry, Thrown)]
        sides = thrown[0].sides if thrown else 6
        role = getattr(op.pending, "who", "initiator")
        if thrown and not dice.tray(role):  # the dice that one may have thrown again are another's
            role = thrown[-1].role
        return [Die(at, face, sides, kind, aside, kind in kinds and not aside,
                    self._worth(kind, face))
                for at, (face, kind, aside) in enumerate(dice.tray(role), start=1)]

    def _worth(self, kind: str, face: int) -> str:
        """What a die counts as, where the game has a word for it that its face does not say already."""
        said = self.teller.value(kind)
        words = said if said != kind else self.teller.name(kind) if self.teller.is_named(kind) else ""
        return "" if words == str(face) else words
