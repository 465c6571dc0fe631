"""What a page needs to draw one seat's side of a table: forms to fill, choices to make, odds, results, in words.

Everything is read from what the seat may see: a field's bounds, options and usual value are worked out on a veiled
context, and whatever depends on a hidden thing is left out.
"""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from paravent.dice import Choice, LiveFaces, ParaventError, PlayedDice, Thrown
from paravent.dice.play import Waiting
from paravent.game import Ask, Change, Move, RecordKind, Resolve, SheetOf, System, Telling, Window
from paravent.game.errors import Withheld
from paravent.game.open_move import OpenMove
from paravent.game.records import GM, veiled
from paravent.game.session import Session
from paravent.game.telling import Teller
from paravent.game.view import context_seen
from paravent.game.words import holds
from paravent.table import commands as c
from paravent.table.house import with_house_moves
from paravent.table.passing import PASS_TIME
from paravent.table.playing import with_open_moves
from paravent.table.state import State
from paravent.table.view import view

from .charts import Outlook, Weigher
from .fields import FormGroup, FormReader
from .sheets import SheetDrawer, rules_of_fields

OPEN = ("open", "settled")
_LOG = logging.getLogger(__name__)
_SPANS = (("minutes", 10), ("hours", 1), ("hours", 4), ("night", 1), ("days", 1), ("weeks", 1))
_KINDS_OF_LINES = {"talk": ("message", "whisper", "note"), "story": ("story", "handout")}


@dataclass
class Die:
    """A die lying on the table, that may be picked."""

    number: int
    face: int
    sides: int
    kind: str
    aside: bool
    pickable: bool
    words: str = ""
    """What the die is worth, where the game has a word for it."""


@dataclass
class Part:
    """Somebody in a move: their name, their role, whether their answer is in."""

    id: str
    name: str
    role: str
    ready: str


class Filled(NamedTuple):
    """Something that was filled in: by whom (their name where several are in it), which field, what."""

    actor: str
    who: str
    field: str
    title: str
    words: str


@dataclass
class Card:
    """A move as one seat sees and handles it."""

    number: int
    id: str
    title: str
    help: str
    phase: str
    who: str
    starter: str = ""
    encounter: int = 0
    parts: list[Part] = field(default_factory=list)
    filled: list[Filled] = field(default_factory=list)
    handed: list[dict[str, Any]] = field(default_factory=list)
    """Whole sheets that were handed in, as they are drawn, with what the rules say of them."""
    waits_for: list[str] = field(default_factory=list)
    mine: bool = False
    groups: list[FormGroup] = field(default_factory=list)
    window: str = ""
    can_throw: bool = False
    can_hand: bool = False
    joins: list[dict[str, Any]] = field(default_factory=list)
    choice: dict[str, Any] | None = None
    wanted: dict[str, Any] | None = None
    tray: list[Die] = field(default_factory=list)
    outlook: Outlook = field(default_factory=Outlook)
    throws: list[dict[str, Any]] = field(default_factory=list)
    begun: bool = False
    """Whether dice have begun to be thrown; rules that run by themselves do not count."""
    changes: list[dict[str, Any]] = field(default_factory=list)
    proofs: list[dict[str, Any]] = field(default_factory=list)
    deadline: Mapping[str, Any] = field(default_factory=dict)
    grade: str = ""
    """How much of its throws the game master shows at most, where that is less than the game does."""
    rule_changed: Mapping[str, Any] = field(default_factory=dict)
    broken: bool = False
    """Whether the game failed to say what can be done about it."""


class Desk:
    """One seat's side of a table, in one language."""

    def __init__(self, state: State, seat: str, system: System, lang: str) -> None:
        self.state, self.seat, self.lang = state, seat, lang
        self.system = with_house_moves(system, state)
        self.teller = Teller(lang, system)
        self.is_gm = state.eyes.is_gm(seat)
        self.plays = state.seats[seat].grade != "spectator"
        self.rulings = system.book.rulings(state.rulings)
        self._cards: dict[int, Card] = {}

    @cached_property
    def view(self) -> dict[str, Any]:
        """All that the seat sees; not looked at for a word that is said."""
        return view(self.state, self.seat, self.system)

    def name(self, who: str) -> str:
        """A seat, a record or a role by the name people know it by."""
        if who in self.state.seats:
            return self.state.seats[who].name
        if who in self.view["records"]:
            return str(self.view["records"][who]["name"])
        return self.teller.role(who)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of everybody and everything this seat knows of, by id."""
        people = {**self.view["records"], **self.view["seats"]}
        return {who: str(held["name"]) for who, held in people.items()}

    @cached_property
    def session(self) -> Session:
        """The rules' side of the open moves, for forms and odds."""
        return with_open_moves(self.state, with_house_moves(self.system, self.state), self.seat)

    @cached_property
    def drawer(self) -> SheetDrawer:
        """What draws this game's records."""
        return SheetDrawer(self.system, self.teller, self.rulings, self.names)

    @cached_property
    def rules(self) -> dict[str, str]:
        """The rule that explains each field."""
        return rules_of_fields(self.system)

    # Moves

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
            card.choice = self._choice(move["choice"])
        if "dice" in move:
            card.wanted = move["dice"]
        if move["phase"] == "open" and self.plays:
            try:
                self._handle(card)
            except Exception:  # a game may fail in any way; the page stands, and the move can be cancelled
                _LOG.exception("a move of %s could not be shown: %s", self.system.id, card.id)
                card.broken = True
        return card

    def _begun(self, move: Mapping[str, Any]) -> bool:
        declared = self.system.moves.get(move["move"])
        alone = {step.id for step in declared.resolves if step.auto} if declared is not None else set()
        return any(throw["step"] not in alone for throw in move["throws"])

    def refusal(self, error: ParaventError) -> str:
        """A refusal as one sentence, with people by their names."""
        named = type(error).__new__(type(error))  # copied without asking it again for what it is made of
        named.__dict__.update(vars(error), values=self._named(error.values))
        return self.teller.error(named, spelled=False)

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

    def _kept(self, number: int) -> Mapping[str, Any]:
        """A move as the table keeps it, by this seat's number for it; not for showing."""
        at = next((at for at, own in self.state.counts[self.seat].moves.items() if own == number), "")
        return self.state.moves.get(at, {})

    def _filled(self, move: Mapping[str, Any]) -> list[Filled]:
        rows = []
        sheets = {asked.id for asked in self.system.move(move["move"]).fields if isinstance(asked.type, SheetOf)}
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
        for asked in self.system.move(move["move"]).fields:
            if not isinstance(asked.type, SheetOf):
                continue
            kind = self.system.kind(asked.type.kind)
            for actor, fields in move["fields"].items():
                sheet = fields.get(asked.id)
                if isinstance(sheet, Mapping) and "sealed" not in sheet:
                    shown.append(self.written(kind, f"{actor}-{asked.id}", sheet))
        return shown

    def written(self, kind: RecordKind, at: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
        """A sheet that is no record of the table (yet): ready-made, or handed in; with what the rules say of it."""
        held = {"kind": kind.id, "name": sheet.get("name", at), "owner": "", "sheet": sheet}
        return {**self.sheet(at, held), "faults": self.faults(kind, sheet)}

    def faults(self, kind: RecordKind, sheet: Mapping[str, Any], record: str = "") -> list[tuple[str, bool]]:
        """What is wrong with a sheet, or only unwise, in words; of a record, from what the seat may see of it."""
        kept = self.state.records[record].sheet if record in self.view["records"] else {}
        try:
            found = kind.faults_without(kind.from_plain({**kept, **sheet}), set(kept) - set(sheet), self.rulings)
        except ParaventError as error:
            return [(self.refusal(error), False)]
        except (TypeError, ValueError, KeyError, AttributeError):
            return []  # not readable yet
        return [(self.teller.words.fault(self.lang, fault), fault.warning) for fault in found]

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
            lines = [{"what": "", "before": self.teller.value(None), "after": self.teller.say("web.new_sheet")}]
        for what, before, after in self.teller.change(told, None) if not lines else ():
            own = what.removeprefix(self.teller.actor(None, change["target"])).lstrip(" ,:·\u00a0")
            for known, name in self.names.items():
                own = own.replace(known, name)
            lines.append({"what": own, "before": before, "after": after})
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
            if role.id != GM and (role.most is None or held < role.most) and free:
                found.append({"id": role.id, "title": self.teller.role(role.id), "free": free})
        return found

    def _tray(self, op: OpenMove, takes: Iterable[Any]) -> list[Die]:
        """The dice that lie before the one who chooses, as the rule has them now."""
        step = op.step(self.system)
        if not isinstance(step, Resolve) or op.pending is None:
            return []
        dice = PlayedDice(LiveFaces(), None, op.records[step.id])
        with suppress(Waiting, ParaventError):
            dice.resolve(step.rule, *step.read(op.context(self.system)))
        kinds = {kind for option in takes for kind in option}
        role = getattr(op.pending, "who", "initiator")
        sides = next((entry.sides for entry in op.records[step.id] if isinstance(entry, Thrown)), 6)
        return [Die(at, face, sides, kind, aside, kind in kinds and not aside,
                    self._worth(kind, face))
                for at, (face, kind, aside) in enumerate(dice.tray(role), start=1)]

    def _worth(self, kind: str, face: int) -> str:
        """What a die counts as, where the game has a word for it that its face does not say already."""
        said = self.teller.value(kind)
        words = said if said != kind else self.teller.name(kind) if self.teller.is_named(kind) else ""
        return "" if words == str(face) else words

    # Sheets

    @cached_property
    def sheets(self) -> list[dict[str, Any]]:
        """The records this seat sees: its own first, then the others', then those of the game master."""
        found = [self.sheet(name, held) for name, held in self.view["records"].items()]
        return sorted(found, key=lambda sheet: (not sheet["mine"], not sheet["owner"], sheet["hidden"], sheet["name"]))

    def sheet(self, name: str, held: Mapping[str, Any]) -> dict[str, Any]:
        """One record as a sheet: gauges, blocks of lines."""
        kind = self.system.kind(held["kind"])
        record, derived = self._seen_record(name, held, kind)
        owner = held["owner"]
        acts = owner == self.seat or self.is_gm
        sheet = {
            "id": name, "name": held["name"], "of": held["kind"], "kind": self.teller.title(f"kinds.{held['kind']}"),
            "mine": owner == self.seat, "owner": self.name(owner) if owner else "", "owner_seat": owner,
            "hidden": self.is_gm and "all" not in held.get("seen_by", ["all"]), "acts": acts,
            "player": held["kind"] == "character", "seen_by": held.get("seen_by", []),
            "gauges": self.drawer.gauges(kind, held["sheet"], derived),
        }
        sheet["blocks"] = self.drawer.blocks(kind, held["sheet"], derived, record if acts else None)
        return sheet

    def _seen_record(self, name: str, held: Mapping[str, Any], kind: RecordKind) -> tuple[Any, Mapping[str, Any]]:
        """The record behind a sheet and what follows from it, as far as the seat may see."""
        kept = self.state.records.get(name)
        whole = kind.from_plain(held["sheet"] if kept is None else kept.sheet)
        record = veiled(whole, {part.name for part in dataclasses.fields(kind.cls)} - set(held["sheet"]))
        try:
            return record, kind.derived(record, self.rulings)
        except (Withheld, ParaventError):
            return record, {}

    # Encounters

    def running(self) -> list[dict[str, Any]]:
        """The encounters under way: their state in lines, who is in them, whose turn it is, their open moves."""
        found = []
        for own, seen in self.view["encounters"].items():
            if seen.get("over"):
                continue
            people = self._people(seen["state"])
            cards = self.open_cards(int(own))
            answers = {part.id: part.ready for card in cards for part in card.parts}
            state = {name: value for name, value in seen["state"].items()
                     if self.teller.is_named(name) and not _are_people(value)}
            moves = [move for move in self.startable() if move["encounter"] == int(own)]
            found.append({
                "number": int(own), "title": self.teller.title(f"encounters.{seen['encounter']}"),
                "lines": self.drawer.lines(self._named(state)), "moves": moves, "cards": cards,
                "sides": self._sides([self._person(who, answers) for who in people]),
                "turn": self._turn(seen, cards, moves), "mine": any(card.mine for card in cards),
            })
        return found

    def _people(self, state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Those whom the state of an encounter lists."""
        return next((list(value) for value in state.values() if _are_people(value)), [])

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

    def _holders(self, seen: Mapping[str, Any]) -> frozenset[str]:
        """The seats that answer for whomever an encounter names; all the players if it names nobody."""
        named = set(_words_in(seen["state"])) & set(self.view["records"])
        eyes = self.state.eyes
        if not named:
            return frozenset(seat for seat, grade in eyes.seats.items() if grade == "player")
        return frozenset(seat for record in named for seat in eyes.controllers(record))

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

    def _named(self, value: Any, called: Mapping[str, str] = MappingProxyType({})) -> Any:
        """The same values, with seats and records by their names, and whoever is ``called`` something too."""
        if isinstance(value, Mapping):
            return {self._named(key): self._named(part, called) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._named(part, called) for part in value]
        return self.names.get(value, called.get(value, value)) if isinstance(value, str) else value

    # The log

    def told(self, lines: Iterable[dict[str, Any]], words: str, kind: str = "") -> list[dict[str, Any]]:
        """Of these lines of the log, those of one kind (``rolls``, ``talk``, ``story``) that hold all these words."""
        return [line for line in lines if _is_of(line, kind) and (not words or holds(self._spoken(line), words))]

    def _spoken(self, line: Mapping[str, Any]) -> str:
        """Everything a line of the log says, to search in."""
        if line["type"] != "move":
            by = self.name(line["by"]) if line.get("by") else ""
            return " ".join([*(str(line.get(part, "")) for part in ("title", "text")), self.what(line), by])
        move = self.view["moves"].get(str(line["number"]))
        if move is None:
            return ""
        card = self.card(move)
        told = [words for throw in card.throws for words in (throw["outcome"], *throw["said"])]
        return " ".join([card.title, card.who, *told])

    def cards_played(self) -> int:
        """How many times the stop card was shown."""
        return sum(line["type"] == "card-played" for line in self.view["log"])

    def just_stopped(self) -> bool:
        """Whether the stop card is the last thing that happened."""
        log = self.view["log"]
        return bool(log) and log[-1]["type"] == "card-played"

    def what(self, line: Mapping[str, Any]) -> str:
        """What a small line of the log is about: a value that changed, or a name."""
        if line["type"] == "record-changed" and "path" in line:
            last = str(line["path"]).rpartition(".")[2]
            before, after = line.get("before"), line.get("after")
            if isinstance(after, (list, Mapping)):
                return f"{self.name(line['record'])}, {self.teller.name(last)}"
            return (f"{self.name(line['record'])}, {self.teller.name(last)} "
                    f"{self.teller.value(before)} → {self.teller.value(after)}")
        if line["type"] == "scene-opened":
            return str(line["title"]) or self.teller.say(f"web.gm.{line['kind']}_over")
        if line["type"] == "encounter-opened":
            opened = line if "encounter" in line else line["seen"] or {}
            return self.teller.title(f"encounters.{opened['encounter']}") if opened else ""
        if line["type"] == "options-set":
            return ", ".join(self._options_set(line))
        if "record" in line and line["record"] in self.view["records"]:
            return self.name(line["record"])
        if line["type"] in ("record-given", "record-shown"):
            return self.teller.say("web.a_sheet")
        if line["type"] in ("seat-left", "seat-returned"):
            return self.name(line["seat"])
        before = line.get("before")
        return f"{before} → {line['name']}" if before and "name" in line else str(line.get("name", ""))

    def _options_set(self, line: Mapping[str, Any]) -> Iterator[str]:
        """The options that a line of the log changed, each with what it is now."""
        for key, option in self.system.book.options.items():
            before, now = (line.get(at, {}).get(key, option.default) for at in ("before", "rulings"))
            if now != before and now in option.words:
                words = option.words[now][self.lang]
                yield self.teller.say("web.option_is", option=option.title[self.lang], value=words)

    # Starting

    def startable(self) -> list[dict[str, Any]]:
        """The moves this seat may start, in words, with the roles to fill."""
        return self._startable

    @cached_property
    def _startable(self) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = []
        running = {seen["encounter"]: int(own) for own, seen in self.view["encounters"].items() if not seen.get("over")}
        mine = [sheet["id"] for sheet in self.sheets if sheet["mine"] and sheet["player"]]
        for move in self.system.moves.values():
            if (move.by == GM and not self.is_gm) or (move.encounter and move.encounter not in running):
                continue
            if move.id in ("free-throw", PASS_TIME):
                continue
            if move.encounter and not (self.is_gm or self._is_in(running[move.encounter])):
                continue
            if move.when is not None and not move.encounter and not self._applies(move):
                continue
            needed = [role.id for role in move.cast if role.least > 0 and role.id != GM]
            optional = [role.id for role in move.cast if role.least == 0]
            at_once = not self.is_gm and needed == ["initiator"] and len(mine) == 1 and not optional
            moves.append({
                "id": move.id, "title": self.teller.title(f"moves.{move.id}"), "gm": move.by == GM,
                "help": self.teller.help(f"moves.{move.id}"), "encounter": running.get(move.encounter, 0),
                "group": self.teller.group(move.group),
                "at_once": mine[0] if at_once else "", "creates": move.id.startswith("create-") and move.by != GM,
            })
        return moves

    @staticmethod
    def grouped(moves: Iterable[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
        """Moves by what the game lists them under."""
        found: dict[str, list[dict[str, Any]]] = {}
        for move in moves:
            found.setdefault(move["group"], []).append(move)
        return list(found.items())

    def _applies(self, move: Move) -> bool:
        """Whether the options of the table let it be done at all."""
        try:
            return move.applies(self.system.context(move, {}, {}, self.rulings))
        except (ParaventError, AttributeError, LookupError, TypeError, ValueError):
            return True  # it depends on who is in it

    def _is_in(self, encounter: int) -> bool:
        """Whether an encounter is this seat's business."""
        return self.seat in self._holders(self.view["encounters"][str(encounter)])

    def _chosen(self, encounter: int, roles: list[str]) -> dict[str, list[str]]:
        """Who would hold these roles: in an encounter with sides, whoever still stands, side by side."""
        seen = self.view["encounters"].get(str(encounter))
        sides: dict[str, list[str]] = {}
        for who in self._people(seen["state"]) if seen else ():
            if who.get("standing") is not False:
                sides.setdefault(str(who.get("side", "")), []).append(who["id"])
        return dict(zip(roles, sides.values(), strict=False)) if len(sides) > 1 else {}

    def start_form(self, move_id: str) -> dict[str, Any]:
        """The roles of a move, with those who may hold them."""
        move = self.system.move(move_id)
        found = next((row for row in self.startable() if row["id"] == move_id), None)
        running = {seen["encounter"]: int(own) for own, seen in self.view["encounters"].items() if not seen.get("over")}
        encounter = found["encounter"] if found else running.get(move.encounter, 0)
        chosen = self._chosen(encounter, [role.id for role in move.cast if role.id != GM])
        roles = []
        for role in move.cast:
            if role.id == GM:
                continue
            who = [sheet for sheet in self.sheets if (role.id != move.by or sheet["acts"])
                   and role.record in ("", sheet["of"])]
            title = self.teller.role(role.id)
            roles.append({"id": role.id, "title": title[:1].upper() + title[1:], "many": role.most != 1,
                          "needed": role.least > 0, "who": who, "acts": role.id == move.by,
                          "chosen": chosen.get(role.id, [])})
        asked = [sheet for sheet in self.sheets if sheet["player"]]
        return {"id": move_id, "title": self.teller.title(f"moves.{move_id}"), "roles": roles,
                "help": self.teller.help(f"moves.{move_id}"), "gm": move.by == GM,
                "encounter": encounter,
                "ask": asked if self.is_gm and move.by != GM and len(asked) > 1 else []}

    def sheet_asked(self) -> str:
        """Where the latest sheet that a move asks of this seat is written; empty if none is."""
        for card in sorted(self.open_cards(), key=lambda card: -card.number):
            for asked in (group.sheet for group in card.groups):
                if asked is not None:
                    return f"write/{asked.sheet}?move={card.number}&actor={asked.actor}&field={asked.name}"
        return ""

    def from_sheet(self, start: c.StartMove) -> c.Command:
        """What a click on a sheet asks for: it fills the move that is already open for it, or starts one.

        With a skill comes the attribute it was last used with.
        """
        actor = next(iter(start.cast.get("initiator", [])), "")
        same = [move for move in self.view["moves"].values()
                if move["move"] == start.move and move["cast"].get(actor) == "initiator"]
        for move in reversed(same):
            if move["phase"] == "open" and not move["throws"]:
                values = start.form.get(actor, {})
                return c.Fill(number=move["number"], values=values, actor=actor, seat=start.seat, id=start.id)
        values = dict(start.form.get(actor, {}))
        for move in reversed(same):
            before = move["fields"].get(actor, {})
            if all(before.get(name) == value for name, value in values.items()) and "attribute" in before:
                values = {"attribute": before["attribute"], **values}
                break
        return dataclasses.replace(start, form={**start.form, actor: values})

    # The clock

    @staticmethod
    def hour(instant: str) -> str:
        """A time of the world, as the clock on the wall shows it."""
        return datetime.fromisoformat(instant).astimezone().strftime("%H:%M:%S")

    def moment(self, minutes: int) -> str:
        """A time of the table's clock: the day and the hour."""
        return self.teller.say("web.day", day=minutes // 1440 + 1, hour=f"{minutes % 1440 // 60:02}",
                               minute=f"{minutes % 60:02}")

    def spans(self) -> list[dict[str, Any]]:
        """Spans of time at hand, and the moves of the game that go with the end of one."""
        return [{"span": span, "count": count, "words": self.teller.say(f"web.spans.{span}", n=count)}
                for span, count in _SPANS]


def _are_people(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(
        isinstance(part, Mapping) and isinstance(part.get("id"), str) for part in value
    )


def _words_in(value: Any) -> Iterator[str]:
    """Every word that plain values hold, however deep."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _words_in(part)


def _takes_dice(option: Any) -> bool:
    return isinstance(option, list) and bool(option) and all(isinstance(kind, str) for kind in option)


def _is_of(line: Mapping[str, Any], kind: str) -> bool:
    if not kind:
        return True
    if kind == "rolls":
        return bool(line["type"] == "move")
    if kind == "story" and line["type"] == "scene-opened":
        return True
    return line["type"] == "said" and line.get("kind") in _KINDS_OF_LINES.get(kind, ())


__all__ = ["Card", "Desk"]
