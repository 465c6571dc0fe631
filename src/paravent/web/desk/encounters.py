"""Encounters under way: who is in them, how they stand, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.game.records import GM

from .cards import Card
from .starting import Starting, are_people


class Encounters(Starting):
    """The encounters of the table, as one seat sees them."""

    def running(self) -> list[dict[str, Any]]:
        """The encounters under way: their state in lines, who is in them, whose turn it is, their open moves."""
        found = []
        for own, seen in self.view["encounters"].items():
            if seen.get("over"):
                continue
            people = self._people(seen["state"])
            cards = self.open_cards(int(own))
            answers = {part.id: part.ready for card in cards for part in card.parts}
            state = {name: self._members(people, value) for name, value in seen["state"].items()
                     if self.teller.is_named(name) and not are_people(value)}
            moves = [move for move in self.startable() if move["encounter"] == int(own)]
            found.append({
                "number": int(own), "title": self.teller.title(f"encounters.{seen['encounter']}"),
                "lines": self.drawer.lines(self._named(state)), "moves": moves, "cards": cards,
                "sides": self._sides([self._person(who, answers) for who in people]),
                "turn": self._turn(seen, cards, moves), "mine": any(card.mine for card in cards),
            })
        return found

    def _members(self, people: list[Mapping[str, Any]], value: Any) -> Any:
        """A side, said by the names of those who are on it; any other value as it is."""
        return ", ".join(self.name(who["id"]) for who in people if value and who.get("side") == value) or value

    def _sides(self, people: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """People by side; a side that is only a role has no title."""
        roles = {role.id for move in self.system.moves.values() for role in move.cast}
        sides: dict[str, list[dict[str, Any]]] = {}
        for who in people:
            sides.setdefault(who["side"], []).append(who)
        return [{"title": "" if side in roles else self.teller.value(side) if side else "", "people": those}
                for side, those in sides.items()]

    def _turn(self, seen: Mapping[str, Any], cards: list[Card], moves: list[dict[str, Any]]) -> str:
        """What happens next, and by whom."""
        if any(card.mine for card in cards):
            return self.teller.say("web.turn.mine")
        if cards:
            who = ", ".join(dict.fromkeys(name for card in cards for name in card.waits_for))
            return self.teller.say("web.turn.waits", who=who) if who else ""
        declared = [move for move in self.system.moves.values() if move.encounter == seen["encounter"]]
        holders = self._holders(seen) if any(move.by != GM for move in declared) else self.state.eyes.masters
        if moves and self.seat in holders:
            return self.teller.say("web.turn.choose")
        names = [str(self.view["seats"][seat]["name"]) for seat in self.view["seats"] if seat in holders]
        return self.teller.say("web.turn.begins", who=", ".join(names)) if names else ""

    def ended(self, card: Card) -> str:
        """The encounter that a move brought to its end, in words."""
        seen = self.view["encounters"].get(str(card.encounter), {})
        return self.teller.title(f"encounters.{seen['encounter']}") if seen.get("over") else ""

    def _person(self, who: Mapping[str, Any], answers: Mapping[str, str]) -> dict[str, Any]:
        """Somebody in an encounter: name, side, what else is known, gauges of their sheet if they may be seen."""
        told = [
            self.teller.value(value) if isinstance(value, str) else f"{self.teller.name(name)} {value}"
            for name, value in who.items()
            if name not in ("id", "side", "standing") and value not in ("", 0, None, False, True, [])
            and not isinstance(value, (list, Mapping))
        ]
        told += [self.teller.name(name) for name, value in who.items() if value is True and name != "standing"]
        sheet = next((sheet for sheet in self.sheets if sheet["id"] == who["id"]), None)
        return {
            "id": who["id"], "name": self.name(who["id"]), "side": str(who.get("side", "")),
            "ready": answers.get(who["id"], ""), "down": who.get("standing") is False, "told": ", ".join(told[:3]),
            "gauges": sheet["gauges"][:3] if sheet else [], "mine": bool(sheet and sheet["mine"]),
        }
