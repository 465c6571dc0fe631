"""What a page needs to draw one seat's side of a table: forms to fill, choices to make, odds, results, in words.

Everything is read from what the seat may see: a field's bounds, options and usual value are worked out on a veiled
context, and whatever depends on a hidden thing is left out.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from paravent.dice import ParaventError
from paravent.game import Ask, Change, Field, Resolve, System, Telling, Window, from_plain, to_plain
from paravent.game.errors import Withheld
from paravent.game.frozen import thaw
from paravent.game.move import Actor, Context, replace_focus
from paravent.game.records import GM
from paravent.game.session import Held, OpenMove, Running, Session
from paravent.game.telling import Teller, described, success_of, usual_of
from paravent.game.view import context_seen, odds_seen
from paravent.table.house import with_house_moves
from paravent.table.state import State
from paravent.table.view import view

from .sheets import SheetDrawer


@dataclass
class FormField:
    """One thing asked on a form."""

    actor: str
    name: str
    title: str
    help: str
    kind: str
    value: Any
    usual: str
    options: Sequence[tuple[str, str]] = ()
    minimum: int | None = None
    maximum: int | None = None
    secrecy: str = "open"
    required: bool = False
    main: bool = True


@dataclass
class Bar:
    """One line of a chart."""

    words: str
    percent: str
    share: float
    fraction: str


@dataclass
class Chart:
    """Exact odds as a page shows them: for what (a likely hidden value), the chance of success, the bars."""

    about: str
    success: str
    success_share: float
    bars: list[Bar] = field(default_factory=list)


@dataclass
class Card:
    """A move as one seat sees and handles it."""

    number: int
    id: str
    title: str
    help: str
    phase: str
    who: str
    filled: list[tuple[str, str, str]] = field(default_factory=list)
    waits_for: list[str] = field(default_factory=list)
    mine: bool = False
    fields: list[FormField] = field(default_factory=list)
    window: str = ""
    can_throw: bool = False
    can_hand: bool = False
    choice: dict[str, Any] | None = None
    wanted: dict[str, Any] | None = None
    charts: list[Chart] = field(default_factory=list)
    throws: list[dict[str, Any]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    proofs: list[dict[str, Any]] = field(default_factory=list)


class Desk:
    """One seat's side of a table, in one language."""

    def __init__(self, state: State, seat: str, system: System, lang: str) -> None:
        self.state, self.seat, self.system, self.lang = state, seat, system, lang
        self.teller = Teller(lang, system)
        self.view = view(state, seat, system)
        self.is_gm = state.eyes.is_gm(seat)
        self._session: Session | None = None

    def name(self, who: str) -> str:
        """A seat, a record or a role by the name people know it by."""
        if who in self.view["seats"]:
            return str(self.view["seats"][who]["name"])
        if who in self.view["records"]:
            return str(self.view["records"][who]["name"])
        return self.teller.role(who)

    @property
    def session(self) -> Session:
        """The rules' side of the open moves, for forms and odds."""
        if self._session is None:
            self._session = session_over(self.state, self.system)
        return self._session

    # Moves

    def cards(self) -> list[Card]:
        """The moves this seat knows of, the latest last."""
        return [self.card(move) for move in self.view["moves"].values()]

    def open_cards(self) -> list[Card]:
        """The moves that are not over, those that wait for this seat first."""
        cards = [self.card(move) for move in self.view["moves"].values() if move["phase"] in ("open", "settled")]
        return sorted(cards, key=lambda card: (not card.mine, card.number))

    def card(self, move: Mapping[str, Any]) -> Card:
        """One move, with whatever this seat may do about it."""
        starter = self.name(next((a for a, role in move["cast"].items() if role == "initiator"), move["starter"]))
        card = Card(
            number=move["number"], id=move["move"], title=self.teller.title(f"moves.{move['move']}"),
            help=self.teller.help(f"moves.{move['move']}"), phase=move["phase"], who=starter,
            filled=self._filled(move), waits_for=[self.name(seat) for seat in move["waits_for"]],
            mine=self.seat in move["waits_for"], throws=[self._throw(throw) for throw in move["throws"]],
            changes=[self._change(at, change) for at, change in enumerate(move["changes"])],
            proofs=move["proofs"],
        )
        if "choice" in move:
            card.choice = self._choice(move["choice"])
        if "dice" in move:
            card.wanted = move["dice"]
        if move["phase"] == "open":
            self._handle(card, move)
        return card

    def _filled(self, move: Mapping[str, Any]) -> list[tuple[str, str, str]]:
        rows = []
        for actor, fields in move["fields"].items():
            for name, value in fields.items():
                sealed = isinstance(value, Mapping) and value.get("sealed") is True
                words = self.teller.say("web.sealed") if sealed else self.teller.value(value)
                rows.append((self.name(actor), self.teller.title(f"fields.{name}"), words))
        return rows

    def _throw(self, throw: Mapping[str, Any]) -> dict[str, Any]:
        said = [self.teller.telling(Telling(told["key"], told["values"])) for told in throw.get("told", ())]
        why = [
            (note["rule"], self.teller.say(f"notes.{note['key']}", **note["values"])) for note in throw.get("why", ())
        ]
        outcome = throw.get("outcome")
        words = self.teller.outcome(outcome, throw.get("result")) if outcome is not None else ""
        return {"dice": throw.get("dice", []), "said": said, "why": why, "outcome": words, "step": throw["step"]}

    def _change(self, at: int, change: Mapping[str, Any]) -> dict[str, Any]:
        told = Change(change["target"], change["path"], change["before"], change["after"], change["rule"])
        lines = [
            {"what": what, "before": before, "after": after} for what, before, after in self.teller.change(told, None)
        ]
        simple = isinstance(change["after"], (int, str)) and not isinstance(change["after"], bool)
        return {"at": at, "who": self.name(change["target"]), "rule": change["rule"], "lines": lines,
                "value": change["after"] if simple else None}

    def _choice(self, choice: Mapping[str, Any]) -> dict[str, Any]:
        options = [
            {"json": json.dumps(option, ensure_ascii=False), "words": self.teller.option(None, option)}
            for option in choice["options"]
        ]
        return {"key": choice["key"], "title": self.teller.title(f"choices.{choice['key']}"), "options": options}

    def _handle(self, card: Card, move: Mapping[str, Any]) -> None:
        number = next(int(at) for at, own in self.state.counts[self.seat].moves.items() if own == card.number)
        op = self.session.moves.get(number)
        if op is None:
            return
        ctx = context_seen(self.session, self.seat, op)
        step = op.step(self.system)
        card.can_throw = isinstance(step, Resolve) and op.pending is None and (card.mine or self.is_gm)
        card.can_hand = card.can_throw and isinstance(step, Resolve) and not step.blind
        if isinstance(step, Window) and card.mine:
            card.window = step.kind
        if not op.records:
            card.fields = self._fields(op, ctx)
        elif isinstance(step, Ask):
            card.fields = self._fields(op, ctx, step)
        if op.pending is None:
            card.charts = self._charts(number, op)

    def _fields(self, op: OpenMove, ctx: Context, only: Ask | None = None) -> list[FormField]:
        fields = []
        reached = _asks(op, only)
        for step in reached:
            for asked in step.fields:
                for actor in ctx.all(asked.role):
                    mine = self.seat in self.session.controllers(actor.id)
                    if mine or (self.is_gm and asked.role == GM):
                        found = self._field(asked, actor, ctx)
                        if found is not None:
                            fields.append(found)
        return fields

    def _field(self, asked: Field, actor: Actor, ctx: Context) -> FormField | None:
        focus = replace_focus(ctx, actor)
        try:
            if not asked.applies(focus):
                return None
            facts = described(asked.type, focus)
            usual = usual_of(asked, focus)
        except (Withheld, ParaventError):
            facts, usual = {"type": "text"}, None
        value = actor.filled.get(asked.id)
        kind = facts["type"]
        inner = facts.get("of", {}) if kind == "many" else facts
        options = [(str(option), self.teller.value(option)) for option in inner.get("options", ())]
        return FormField(
            actor.id, asked.id, self.teller.title(f"fields.{asked.id}"), self.teller.help(f"fields.{asked.id}"), kind,
            _shown_value(value), "" if usual is None else self.teller.value(usual), options,
            inner.get("minimum"), inner.get("maximum"), asked.secrecy, not asked.has_usual(),
            main=not asked.has_usual() or value is not None or asked.secrecy == "sealed" or kind == "score",
        )

    def _charts(self, number: int, op: OpenMove) -> list[Chart]:
        try:
            seen = odds_seen(self.session, self.seat, number)
        except ParaventError:
            return []
        step = next((step for step in op.move.resolves if step.id not in op.records), None)
        if not seen or step is None:
            return []
        charts = []
        for about, weighed in seen.items():
            if len(weighed) < 2:
                continue
            rows = self.teller.odds_rows(weighed, step.outcome)
            highest = max((row.chance for row in rows), default=Fraction(1))
            success = success_of(step, weighed)
            charts.append(Chart(
                "" if about is None else self.teller.value(about),
                "" if success is None else self.teller.percent(success),
                0.0 if success is None else float(success),
                [Bar(row.words, self.teller.percent(row.chance), float(row.chance / highest) if highest else 0.0,
                     self.teller.fraction(row.chance)) for row in rows],
            ))
        return charts

    # Sheets

    @cached_property
    def sheets(self) -> list[dict[str, Any]]:
        """The records this seat sees: its own first, then the others', then those of the game master."""
        found = [self.sheet(name, held) for name, held in self.view["records"].items()]
        return sorted(found, key=lambda sheet: (not sheet["mine"], not sheet["owner"], sheet["name"]))

    def sheet(self, name: str, held: Mapping[str, Any]) -> dict[str, Any]:
        """One record as a sheet: gauges, blocks of lines."""
        kind = self.system.kind(held["kind"])
        whole = set(held["sheet"]) == {part.name for part in dataclasses.fields(kind.cls)}
        derived: Mapping[str, Any] = {}
        record = kind.from_plain(held["sheet"]) if whole else None
        rulings = self.system.book.rulings(self.state.rulings)
        if record is not None:
            derived = kind.derived(record, rulings)
        acts = held["owner"] == self.seat or self.is_gm
        drawer = SheetDrawer(self.system, self.teller, rulings)
        owner = held["owner"]
        return {
            "id": name, "name": held["name"], "kind": self.teller.title(f"kinds.{held['kind']}"),
            "mine": owner == self.seat, "owner": self.name(owner) if owner else "", "owner_seat": owner,
            "hidden": self.is_gm and "all" not in held.get("seen_by", ["all"]),
            "gauges": self._gauges(kind.gauges, held["sheet"], derived),
            "blocks": drawer.blocks(kind, held["sheet"], derived, record if acts else None),
            "editable": [(name, self.teller.name(name)) for name in _editable(held["sheet"])] if acts else [],
        }

    def _gauges(
        self, gauges: Mapping[str, str], sheet: Mapping[str, Any], derived: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        shown = []
        for name, most in gauges.items():
            value = _number(name, sheet, derived)
            maximum = int(most) if most.isdigit() else _number(most, sheet, derived)
            if value is not None and maximum:
                shown.append({"name": self.teller.name(name.rpartition(".")[2] or name), "value": value,
                              "maximum": maximum, "share": max(0.0, min(1.0, value / maximum))})
        return shown

    # Encounters and the log

    def running(self) -> list[dict[str, Any]]:
        """The encounters under way, their state in lines."""
        drawer = SheetDrawer(self.system, self.teller, self.system.book.rulings(self.state.rulings))
        found = []
        for seen in self.view["encounters"].values():
            title = self.teller.title(f"encounters.{seen['encounter']}")
            found.append({"title": title, "lines": drawer.lines(self._named(seen["state"]))})
        return found

    def _named(self, value: Any) -> Any:
        """The same values, with seats and records by their names."""
        if isinstance(value, Mapping):
            return {self._named(key): self._named(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self._named(part) for part in value]
        known = isinstance(value, str) and (value in self.view["seats"] or value in self.view["records"])
        return self.name(value) if known else value

    def told(self, words: str) -> list[dict[str, Any]]:
        """The lines of the log in which all these words stand."""
        wanted = words.lower().split()
        return [line for line in self.view["log"] if all(word in self._spoken(line) for word in wanted)]

    def _spoken(self, line: Mapping[str, Any]) -> str:
        """Everything a line of the log says, to search in."""
        if line["type"] != "move":
            by = self.name(line["by"]) if line.get("by") else ""
            return " ".join(str(line.get(part, "")) for part in ("title", "text", "name")).lower() + " " + by.lower()
        card = self.card(self.view["moves"][str(line["number"])])
        told = [words for throw in card.throws for words in (throw["outcome"], *throw["said"])]
        return " ".join([card.title, card.who, *told]).lower()

    # Starting

    def startable(self) -> list[dict[str, Any]]:
        """The moves this seat may start, in words, with the roles to fill."""
        moves: list[dict[str, Any]] = []
        for move in self.system.moves.values():
            if move.by == GM and not self.is_gm:
                continue
            if move.encounter and not any(r.encounter == move.encounter for r in self.state.encounters.values()):
                continue
            roles = [
                {"id": role.id, "title": self.teller.role(role.id), "many": role.most != 1, "needed": role.least > 0}
                for role in move.cast if role.id != GM
            ]
            running = [at for at, r in self.state.encounters.items() if r.encounter == move.encounter]
            moves.append({"id": move.id, "title": self.teller.title(f"moves.{move.id}"), "roles": roles,
                          "help": self.teller.help(f"moves.{move.id}"), "gm": move.by == GM,
                          "encounter": running[-1] if running else ""})
        return moves


def _editable(sheet: Mapping[str, Any]) -> list[str]:
    """The values that can be typed in: numbers, words, yes and no."""
    return [name for name, value in sheet.items() if isinstance(value, (int, str))]


def _asks(op: OpenMove, only: Ask | None) -> list[Ask]:
    """The questions put before the next throw."""
    if only is not None:
        return [only]
    asks = []
    for step in op.move.steps:
        if isinstance(step, Resolve):
            break
        if isinstance(step, Ask):
            asks.append(step)
    return asks


def _shown_value(value: Any) -> Any:
    if isinstance(value, (list, tuple)) and all(isinstance(part, (str, int)) for part in value):
        return [str(part) for part in value]
    if isinstance(value, (Mapping, list, tuple)):
        return json.dumps(to_plain(value), ensure_ascii=False)
    return value


def _number(path: str, sheet: Mapping[str, Any], derived: Mapping[str, Any]) -> int | None:
    value: Any = {**sheet, **derived}
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) else None


def session_over(state: State, system: System) -> Session:
    """The session that a table's state holds, with its open moves, for forms and odds."""
    system = with_house_moves(system)
    session = Session(system, state.eyes.seats, state.rulings)
    session.day = state.day
    for name, held in state.records.items():
        record = system.kind(held.kind).from_plain(held.sheet)
        session.records[name] = Held(record, held.kind, held.owner, frozenset(held.seen_by))
    for at, running in state.encounters.items():
        declared = system.encounters[running.encounter]
        session.encounters[int(at)] = Running(declared, from_plain(declared.state, running.state))
    kinds = {name: held.kind for name, held in state.records.items()}
    for at, kept in state.moves.items():
        if kept["phase"] not in ("open", "settled"):
            continue
        try:
            session.moves[int(at)] = thaw(kept, system, {name: kinds.get(name, "character") for name in kept["sheets"]})
        except ParaventError:
            continue
    return session
