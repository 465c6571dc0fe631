"""What a move asks, of whom, in secret or not; and values to fill in."""

from collections.abc import Mapping
from random import Random
from typing import Any

from players import plausible

from paravent.dice.errors import ParaventError
from paravent.game import to_plain
from paravent.table.forms import form_seen

from .games import sheets_of
from .pair import Twins
from .side import Side


class Filling(Twins):
    """Twins with forms before them."""

    def value(self, move: str, row: Mapping[str, Any], luck: Random) -> Any:
        """A value for a field: that of an example, or whatever it takes."""
        found = [
            member[row["field"]]
            for example in self.system.examples.get(move, ())
            for members in example.get("form", {}).values() for member in members if row["field"] in member
        ]
        if found and luck.random() < 0.6:
            return to_plain(luck.choice(found))
        if row["type"] == "sheet":
            return luck.choice(sheets_of(self.system.id, row["kind"]))
        try:
            return plausible(luck, dict(row))
        except KeyError:
            return None  # what it takes depends on something that is not there

    def _other(self, move: Any, asked: Any, value: Any, luck: Random) -> Any:
        """Another value for a field, where one can be told without a table."""
        try:
            row = {"field": asked.id, **asked.type.describe(None)}
        except (ParaventError, AttributeError, TypeError):
            return value
        return self.value(move.id, row, luck)

    def rows(self, side: Side, who: str, number: int) -> list[dict[str, Any]]:
        """What a move asks of somebody; nothing of those who may not know of it."""
        try:
            return form_seen(side.state, side.seats[who], number, self.system)["fields"]
        except ParaventError:
            return []

    def is_secret(self, side: Side, actor: str, secrecy: str) -> bool:
        """Whether no watcher may read such a field."""
        return not side.declared().readers(actor, secrecy) & self._watching(side)

    def secret_rows(self, side: Side, who: str, number: int) -> list[dict[str, Any]]:
        """The secret fields that a keeper may fill in now."""
        return [row for row in self.rows(side, who, number) if self.is_secret(side, row["actor"], row["secrecy"])]

    def _is_quiet(self, move: str, row: Mapping[str, Any]) -> bool:
        """Whether nothing waits for a field: filling it in is nobody else's business."""
        fields = [asked for asked in self.whole.move(move).fields if asked.id == row["field"]]
        return "value" in row or all(f.has_usual() and not f.waits and f.secrecy != "sealed" for f in fields)
