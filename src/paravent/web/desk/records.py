"""The sheets that a seat sees."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from zlib import crc32

from paravent.dice import ParaventError
from paravent.game import RecordKind
from paravent.game.errors import STUMBLES, UnknownName, Withheld
from paravent.game.records import veiled
from paravent.web.maps import draw_map

from .seat import Seat

_A_SENTENCE = 20
"""How long words are that tell of somebody by themselves, without the name of their field."""


class Records(Seat):
    """The records of the table, as one seat sees them."""

    @cached_property
    def sheets(self) -> list[dict[str, Any]]:
        """The records this seat sees: its own first, then the others', then those of the game master."""
        found = [self.sheet(name, held) for name, held in self.view["records"].items()]
        return sorted(found, key=lambda sheet: (
            not sheet["mine"], not sheet["owner"], sheet["hidden"], not sheet["player"], sheet["name"]))

    def sheet(self, name: str, held: Mapping[str, Any]) -> dict[str, Any]:
        """One record as a sheet: gauges, blocks of lines."""
        kind = self._kind(held["kind"])
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

    def drawn(self, sheet: Mapping[str, Any]) -> str:
        """A mark that is another one once the sheet looks otherwise; of what this seat sees, and nothing else."""
        players = [(seat, place["name"]) for seat, place in self.view["seats"].items()]
        return f"{crc32(repr((sheet, players)).encode()):x}"

    def _seen_record(self, name: str, held: Mapping[str, Any], kind: RecordKind) -> tuple[Any, Mapping[str, Any]]:
        """The record behind a sheet and what follows from it, as far as the seat may see."""
        kept = self.state.records.get(name)
        try:
            whole = kind.from_plain(held["sheet"] if kept is None else kept.sheet)
            record = veiled(whole, {part.name for part in dataclasses.fields(kind.cls)} - set(held["sheet"]))
        except (ParaventError, *STUMBLES):
            return None, {}  # the game no longer reads it
        try:
            return record, kind.derived(record, self.rulings)
        except (Withheld, ParaventError):
            return record, {}

    def picture(self, name: str, held: Mapping[str, Any]) -> dict[str, Any]:
        """The map of a record, if it is one, and the formats it can be written in; nothing where some of it is hidden.
        """
        kind = self._kind(held["kind"])
        record, _ = self._seen_record(name, held, kind)
        if record is None or kind.map is None:
            return {"map": None, "exports": () if record is None else tuple(kind.exports)}
        try:
            found = kind.map(record, self.rulings)
        except (Withheld, ParaventError):
            return {"map": None, "exports": ()}
        return {"map": draw_map(found, self.teller, held["name"]), "exports": tuple(kind.exports)}

    def exported(self, name: str, wanted: str) -> str:
        """A record in another program's format, from what the seat may see of it."""
        held = self.view["records"][name]
        kind = self._kind(held["kind"])
        record, _ = self._seen_record(name, held, kind)
        if record is None or wanted not in kind.exports:
            raise UnknownName("format", wanted, kind.exports)
        return kind.exports[wanted](record, self.rulings)

    def written(self, kind: RecordKind, at: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
        """A sheet that is no record of the table (yet): ready-made, or handed in; with what the rules say of it."""
        held = {"kind": kind.id, "name": sheet.get("name", at), "owner": "", "sheet": sheet}
        drawn = self.sheet(at, held)
        told = [line.text for block in drawn["blocks"] for line in block.lines if len(line.text) > _A_SENTENCE]
        about = dict.fromkeys([*told[:1], max(told, key=len)]) if told else ()
        return {**drawn, "about": list(about), "faults": self.faults(kind, sheet)}

    def faults(self, kind: RecordKind, sheet: Mapping[str, Any], record: str = "") -> list[tuple[str, bool]]:
        """What is wrong with a sheet, or only unwise, in words; of a record, from what the seat may see of it."""
        kept = self.state.records[record].sheet if record in self.view["records"] else {}
        try:
            found = kind.faults_without(kind.from_plain({**kept, **sheet}), set(kept) - set(sheet), self.rulings)
        except ParaventError as error:
            return [(self.refusal(error), False)]
        except STUMBLES:
            return []  # not readable yet
        return [(self.teller.words.fault(self.lang, fault), fault.warning) for fault in found]

    def _kind(self, name: str) -> RecordKind:
        """A kind of record; one that the game no longer has is but a list of values."""
        return self.system.kinds.get(name) or RecordKind(name, object)
