"""The log in words, searched and filtered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from paravent.game.words import holds

from .encounters import Encounters

_KINDS_OF_LINES = {"talk": ("message", "whisper", "note"), "story": ("story", "handout")}


class Story(Encounters):
    """The log of the table, as one seat reads it."""

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

    def cards_played(self) -> int:
        """How many times the stop card was shown."""
        return sum(line["type"] == "card-played" for line in self.view["log"])

    def just_stopped(self) -> bool:
        """Whether the stop card is the last thing that happened."""
        log = self.view["log"]
        return bool(log) and log[-1]["type"] == "card-played"


def _is_of(line: Mapping[str, Any], kind: str) -> bool:
    if not kind:
        return True
    if kind == "rolls":
        return bool(line["type"] == "move")
    if kind == "story" and line["type"] == "scene-opened":
        return True
    return line["type"] == "said" and line.get("kind") in _KINDS_OF_LINES.get(kind, ())
