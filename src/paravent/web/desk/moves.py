"""Moves as cards: who is in them, what was filled in, thrown, told, changed."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from paravent.dice import Choice
from paravent.game import AnyField, Change, RecordKind, SheetOf, Telling
from paravent.game.records import GM
from paravent.game.telling import NOTHING
from paravent.table.polls import anonymous_poll

from .cards import Card, Filled, Part
from .handling import Handling

OPEN = ("open", "settled")
_LOG = logging.getLogger(__name__)


class Moves(Handling):
    """The moves of the table, as one seat sees and handles them."""

    def open_cards(self, encounter: int = 0) -> list[Card]:
        """The moves that are not over, those that wait for this seat first; those of one encounter, or of none."""
        found = [self.card(move) for move in self.view["moves"].values() if move["phase"] in OPEN]
        running = {int(own) for own, seen in self.view["encounters"].items() if not seen.get("over")}
        here = [card for card in found if (card.encounter if card.encounter in running else 0) == encounter]
        return sorted(here, key=lambda card: (not card.mine, card.number))

    def last_result(self) -> Card | None:
        """The latest move that is over and whose throw this seat may see."""
        for move in reversed(self.view["moves"].values()):
            if move["phase"] == "closed" and any("outcome" in t or t.get("dice") for t in move["throws"]):
                return self.card(move)
        return None

    def waiting(self) -> int:
        """How many moves wait for this seat."""
        return sum(self.seat in move["waits_for"] for move in self.view["moves"].values() if move["phase"] in OPEN)

    def card(self, move: Mapping[str, Any]) -> Card:
        """One move, with whatever this seat may do about it."""
        if move["number"] not in self._cards:
            self._cards[move["number"]] = self._card(move)
        return self._cards[move["number"]]

    def _card(self, move: Mapping[str, Any]) -> Card:
        by = self.system.moves[move["move"]].by if move["move"] in self.system.moves else "initiator"
        who = ", ".join(self.name(actor) for actor, role in move["cast"].items() if role == by and actor != GM)
        who = who or self.name(move["starter"])
        title = self.teller.title(f"moves.{move['move']}")
        called = self._called(move)
        card = Card(
            number=move["number"], id=move["move"], title=title,
            help=self.teller.help(f"moves.{move['move']}"), phase=move["phase"], who=who,
            starter=move["starter"], encounter=move.get("encounter", 0), parts=self._parts(move),
            filled=self._filled(move), handed=self._handed(move),
            waits_for=[self.name(seat) for seat in move["waits_for"]], mine=self.seat in move["waits_for"],
            throws=[self._throw(throw, title, called) for throw in move["throws"]], begun=self._begun(move),
            changes=[self._change(at, change) for at, change in enumerate(move["changes"])],
            proofs=move["proofs"], deadline=move.get("deadline", {}), rule_changed=move.get("rule_changed", {}),
            grade=move.get("grade", ""),
        )
        if "choice" in move:
            card.choice = self._choice(move["choice"]) | {"poll": anonymous_poll(self._kept(card.number))}
        if "dice" in move:
            card.wanted = move["dice"]
        if move["phase"] == "open" and self.plays:
            try:
                self._handle(card)
            except Exception:  # a game may fail in any way; the page stands, and the move can be cancelled
                _LOG.exception("a move of %s could not be shown: %s", self.system.id, card.id)
                card.broken = True
        return card

    def sheet_asked(self) -> str:
        """Where the latest sheet that a move asks of this seat is written; empty if none is."""
        for card in sorted(self.open_cards(), key=lambda card: -card.number):
            for asked in (group.sheet for group in card.groups):
                if asked is not None:
                    return f"write/{asked.sheet}?move={card.number}&actor={asked.actor}&field={asked.name}"
        return ""

    def _parts(self, move: Mapping[str, Any]) -> list[Part]:
        """Who is in it; of sealed choices, whether they are in."""
        waited = set(move["waits_for"])
        shown = []
        for actor, role in move["cast"].items():
            holders = self.state.eyes.controllers(actor)
            sealed = any(isinstance(v, Mapping) and v.get("sealed") for v in move["fields"].get(actor, {}).values())
            ready = "sealed" if sealed else "waits" if move["phase"] == "open" and holders & waited else ""
            shown.append(Part(actor, self.name(actor), self.teller.role(role), ready))
        return shown

    def _called(self, move: Mapping[str, Any]) -> dict[str, str]:
        """What a rule calls those who are in a move (``opponent2``), and their names."""
        cast = self._kept(move["number"]).get("cast", ())
        return {part["name"]: self.name(part["id"]) for part in cast if part["id"] in move["cast"]}

    def _filled(self, move: Mapping[str, Any]) -> list[Filled]:
        rows = []
        sheets = {asked.id for asked, _ in self._sheets_asked(move)}
        several = len(move["cast"]) > 1
        for actor, fields in move["fields"].items():
            sealed = [isinstance(value, Mapping) and value.get("sealed") is True for value in fields.values()]
            if sealed and all(sealed):
                choice, words = self.teller.say("web.sealed_choice"), self.teller.say("web.sealed")
                rows.append(Filled(actor, self.name(actor), "", choice, words))
                continue
            for name, value in fields.items():
                if name in sheets or value is False or value in (None, "", [], {}):
                    continue  # what is not so need not be said
                hidden = isinstance(value, Mapping) and value.get("sealed") is True
                told = {k: v for k, v in value.items() if v} if isinstance(value, Mapping) else value
                words = self.teller.say("web.sealed") if hidden else self.teller.value(self._named(told))
                who = self.name(actor) if several or actor == GM else ""
                rows.append(Filled(actor, who, name, self.teller.title(f"fields.{name}"), words))
        return rows

    @staticmethod
    def filled_by_others(card: Card) -> list[tuple[str, list[tuple[str, str]]]]:
        """What is filled in that the seat's own forms do not show, by who filled it in."""
        own = {(group.actor, asked.name) for group in card.groups for asked in group.fields}
        found: dict[str, list[tuple[str, str]]] = {}
        for row in card.filled:
            if (row.actor, row.field) not in own:
                found.setdefault(row.who, []).append((row.title, row.words))
        return list(found.items())

    def _handed(self, move: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The whole sheets that were handed in to a move, drawn, with what the rules say of them."""
        shown = []
        for asked, kind in self._sheets_asked(move):
            for actor, fields in move["fields"].items():
                sheet = fields.get(asked.id)
                if isinstance(sheet, Mapping) and "sealed" not in sheet:
                    shown.append(self.written(kind, f"{actor}-{asked.id}", sheet))
        return shown

    def _sheets_asked(self, move: Mapping[str, Any]) -> list[tuple[AnyField, RecordKind]]:
        """The fields of a move that take a whole sheet; of a move that the game no longer has, none."""
        declared = self.system.moves.get(move["move"])
        return [] if declared is None else [
            (asked, self._kind(asked.type.kind)) for asked in declared.fields if isinstance(asked.type, SheetOf)
        ]

    def hides(self, number: int, step: str) -> bool:
        """Whether somebody may not see all of a throw."""
        throw = next((throw for throw in self._kept(number).get("throws", ()) if throw["step"] == step), None)
        if throw is None:
            return False
        parts = ("exists", "dice", "outcome") if any(e["type"] == "thrown" for e in throw["record"]) else (
            "exists", "outcome")
        return any("all" not in throw["shown"][what] for what in parts)

    def _throw(self, throw: Mapping[str, Any], title: str, called: Mapping[str, str]) -> dict[str, Any]:
        said = [self.teller.telling(Telling(told["key"], self._named(told["values"])))
                for told in throw.get("told", ())]
        why = [
            (note["rule"], self.teller.say(f"notes.{note['key']}", **self._named(note["values"], called)))
            for note in throw.get("why", ())
        ]
        outcome = throw.get("outcome")
        words = self.teller.outcome(outcome, throw.get("result")) if outcome is not None else ""
        said = [line for line in said if line != words]
        if words == title and said:
            words = said.pop(0)  # an outcome that only repeats the title says nothing
        hands = [{**hand, "who": called.get(hand["role"]) or self.name(hand["role"])} for hand in throw.get("dice", [])]
        return {"dice": hands, "said": said, "why": why, "outcome": words, "step": throw["step"],
                "several": len({hand["role"] for hand in hands}) > 1, "unseen": "dice" not in throw and not words}

    def _begun(self, move: Mapping[str, Any]) -> bool:
        declared = self.system.moves.get(move["move"])
        alone = {step.id for step in declared.resolves if step.auto} if declared is not None else set()
        return any(throw["step"] not in alone for throw in move["throws"])

    def _change(self, at: int, change: Mapping[str, Any]) -> dict[str, Any]:
        before, after = self._named(change["before"]), self._named(change["after"])
        told = Change(change["target"], change["path"], before, after, change["rule"])
        who = self.teller.actor(None, change["target"]) if change["target"] in ("encounter", "clock") else (
            self.name(change["target"]))
        lines = []
        clock = change["target"] == "clock" and change["path"] == "minutes"
        if clock:
            lines = [{"what": "", "before": self.moment(change["before"]), "after": self.moment(change["after"])}]
        elif not change["path"] and isinstance(change["after"], Mapping):
            lines = [{"what": "", "before": "", "after": self.teller.say("web.new_sheet")}]
        for what, before, after in self.teller.change(told, None) if not lines else ():
            own = what.removeprefix(self.teller.actor(None, change["target"])).lstrip(" ,:·\u00a0")
            for known, name in self.names.items():
                own = own.replace(known, name)
            lines.append({"what": own, "before": "" if before == NOTHING else before, "after": after})
        if change["target"] == "encounter":
            # What it lists is shown where it runs: that it follows is enough.
            follows = {"what": self.teller.say("web.state_follows"), "before": "", "after": ""}
            lines = [line for line in lines if "·" not in line["what"]] or [follows]
        simple = isinstance(change["after"], (int, str)) and not (isinstance(change["after"], bool) or clock)
        return {"at": at, "who": who, "rule": change["rule"], "lines": lines, "runs": change["target"] == "encounter",
                "value": change["after"] if simple else None, "number": isinstance(change["after"], int)}

    def _choice(self, choice: Mapping[str, Any]) -> dict[str, Any]:
        """A question inside a rule: answers in words; those that take dice are shown on the dice as well."""
        asked = Choice("", choice["key"], (), None, "")
        takes = [option for option in choice["options"] if _takes_dice(option)]
        options = [
            {"json": json.dumps(option, ensure_ascii=False), "words": self.teller.option(asked, option),
             "dice": option in takes, "usual": at == 0}
            for at, option in enumerate(choice["options"])
        ]
        return {"key": choice["key"], "title": self.teller.title(f"choices.{choice['key']}"), "options": options,
                "many": any(len(option) > 1 for option in takes), "takes": takes}


def _takes_dice(option: Any) -> bool:
    return isinstance(option, list) and bool(option) and all(isinstance(kind, str) for kind in option)
