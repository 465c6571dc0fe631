"""An evening being recorded, on the version that ``record.py`` names and on no other."""

import gzip
import json
import lzma
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, os.environ["PARAVENT_V1"] + "/tests/table")

from players import goes_on
from replay import LANGUAGES, Sitting, verdict

from paravent.game import Ask, Resolve, Window, to_plain
from paravent.game.eyes import is_poll, takes_most
from paravent.table.account import Account
from paravent.table.events import type_name
from paravent.table.house import with_house_moves
from paravent.table.playing import laid_out
from paravent.table.state import OVER, State
from paravent.web.desk import Desk
from paravent.web.page import draw

HERE = Path(__file__).parent
ROOT = Path(os.environ["PARAVENT_V1"])
COMMIT = "14071c5"
BEGINNING = datetime(2031, 5, 1, 20, tzinfo=UTC)
PEOPLE = {"Bob": "player", "Cléo": "player", "Dan": "player", "Eve": "spectator"}


class Refused(Exception):
    """Something was refused that the evening counted on."""


class Person:
    """Somebody at the table."""

    def __init__(self, tape: "Tape", name: str, seat: str, token: str) -> None:
        self.table, self.name, self.seat, self.token = tape, name, seat, token

    def asks(self, kind: str, /, **values: Any) -> dict[str, Any]:
        """Do something, or be refused."""
        return self.table.plays(self.seat, {"type": kind, **values})

    def does(self, kind: str, /, **values: Any) -> dict[str, Any]:
        """Do something that must not be refused."""
        reply = self.asks(kind, **values)
        if "refused" in reply:
            raise Refused(f"{self.table.name}: {self.name} {kind} {values}: {reply['refused']}")
        return reply

    def brings(self, **values: Any) -> str:
        return str(self.does("add-record", **values)["record"])

    def starts(self, move: str, cast: Any = None, form: Any = None, **more: Any) -> int:
        """Open a move; its number at the table."""
        self.does("start-move", move=move, cast=cast or {}, form=form or {}, **more)
        return self.table.state.moves_started

    def own(self, number: int) -> int:
        """What this seat calls a move of the table."""
        return self.table.state.counts_of(self.seat).moves.get(str(number), 0)

    def moves(self, kind: str, number: int, /, **values: Any) -> dict[str, Any]:
        """Do something about a move, by its number at the table."""
        return self.does(kind, number=self.own(number), **values)

    def fills(self, number: int, actor: str = "", **values: Any) -> None:
        self.moves("fill", number, actor=actor, values=values)

    def throws(self, number: int, faces: list[int] | None = None) -> None:
        """Throw: with a nonce, or by hand, as many of the faces as are wanted first."""
        self.moves("throw", number, **({"nonce": f"nonce of {self.name}"} if faces is None else {"by_hand": True}))
        if faces is not None:
            self.moves("answer", number, answer=faces[: self.table.state.move(number)["pending"]["n"]])

    def answers(self, number: int, answer: Any) -> None:
        self.moves("answer", number, answer=answer)

    def accepts(self, number: int, **more: Any) -> None:
        self.moves("accept", number, **more)

    def form(self, number: int) -> Any:
        return self.table.sitting.form(self.seat, number)


class Tape:
    """An evening being recorded: what everybody did, and what each saw after each of it."""

    def __init__(self, game: str, name: str, options: Mapping[str, str] | None = None, lang: str = "fr",
                 sparse: bool = False) -> None:
        self.game, self.name = game, name
        self.sparse = sparse
        """Views are kept only where :meth:`cut` and :meth:`looks` say, and a cut keeps nothing else."""
        self.sitting = Sitting(ROOT)
        self.luck = Random(f"{game} {name}")
        self.seconds = 0
        self.played: list[dict[str, Any]] = []
        self.views: list[dict[str, Any]] = []
        self.phases: list[dict[int, set[str]]] = []
        self.people: dict[str, Person] = {}
        self.cuts: list[dict[str, Any]] = []
        self.sitting.at(*self._moment())
        master = self.sitting.opens(game, f"{name.capitalize()} ({game})", "Ana", options or {}, lang)
        self.opened = {master["seat"]: master["token"]}
        self.people["Ana"] = Person(self, "Ana", **master)
        self._looks({"label": self._moment()[0], "now": self._moment()[1],
                     "open": [game, f"{name.capitalize()} ({game})", "Ana", dict(options or {}), lang]})
        for person, grade in PEOPLE.items():
            self.joins(person, grade)

    # What the random players of tests/table ask of a table

    @property
    def system(self) -> Any:
        return self.sitting.run(self.sitting.host.live(self.sitting.table)).system

    @property
    def state(self) -> State:
        return self.sitting.run(self.sitting.host.live(self.sitting.table)).state

    def person(self, seat: str) -> Person:
        return next(person for person in self.people.values() if person.seat == seat)

    # Playing

    def joins(self, name: str, grade: str = "player") -> Person:
        made = self.people["Ana"].does("add-seat", name=name, grade=grade)
        self.people[name] = Person(self, name, made["seat"], made["links"][made["seat"]])
        return self.people[name]

    def _moment(self) -> tuple[str, str]:
        now = BEGINNING + timedelta(seconds=self.seconds)
        return f"{self.game} {self.name} {len(self.played)}", now.isoformat(timespec="milliseconds")

    def plays(self, seat: str, command: dict[str, Any]) -> dict[str, Any]:
        self.seconds += 1
        label, now = self._moment()
        played = {"label": label, "now": now, "seat": seat, "command": to_plain(command)}
        reply = self.sitting.plays(played)
        for who, token in reply.get("links", {}).items():
            if any(person.seat == who for person in self.people.values()):
                self.person(who).token = token
        self._looks({**played, "reply": reply})
        return reply

    def waits(self, seconds: int) -> None:
        """Time goes by, and deadlines pass."""
        self.seconds += seconds
        label, now = self._moment()
        played = {"label": label, "now": now, "tick": True}
        self.sitting.plays(played)
        self._looks(played)

    def goes_on(self, number: int, most: int = 30, until: tuple[str, ...] = ()) -> None:
        """People do whatever a move wants of them, until it is over, or comes so far."""
        refused = 0
        for _ in range(most):
            if self.state.move(number)["phase"] in (*OVER, *until):
                return
            if refused > 2:
                break
            person, asked, values = goes_on(self, self.luck, number, f"nonce {len(self.played)}")  # type: ignore[arg-type]
            if "refused" in person.asks(type_name(asked), **to_plain(values)):
                refused += 1
                if self.luck.random() < 0.5:
                    self.people["Ana"].asks("close-step", number=self.people["Ana"].own(number))
        self.people["Ana"].asks("cancel", number=self.people["Ana"].own(number))

    def plays_version(self, version: str) -> None:
        """From here on the game is this version of itself, as after an update of the house."""
        game = self.system
        host = self.sitting.host
        host._systems = lambda name: replace(game, version=version)
        host.begin()

    # Looking

    def _looks(self, played: dict[str, Any]) -> None:
        rows = self.sitting.rows()
        self.played.append({**played, "rows": len(rows)})
        self.views.append({})
        if not self.sparse:
            self.looks()
        self.phases.append({kept["id"]: phases(self, kept) for kept in self.state.moves.values()})

    def looks(self) -> None:
        """Keep how everybody sees the table now."""
        self.views[-1] = {seat: self.sitting.view(seat) for seat in self.state.seats}

    def cut(self, phase: str, number: int = 0) -> None:
        """The log that ends here is kept as one of its own, and played on from here."""
        self.cuts.append({"phase": phase, "after": len(self.played) - 1, "move": number})
        self.looks()

    # Writing

    def finds_cuts(self) -> None:
        """The first moment in which an open move stands in each phase; none that waits for unwritten ballots."""
        self.looks()
        known = {cut["phase"] for cut in self.cuts}
        for at, moves in enumerate(self.phases if not self.sparse else ()):
            for number, found in moves.items():
                before = self.phases[at - 1].get(number, set()) if at else set()
                for phase in sorted(found - before - known):
                    known.add(phase)
                    self.cuts.append({"phase": phase, "after": at, "move": number})
        self.cuts.append({"phase": "end", "after": len(self.played) - 1, "move": 0})
        for cut in self.cuts:
            over = (at for at in range(cut["after"] + 1, len(self.played))
                    if self.state_over(at, cut["move"]))
            most = 40 if self.sparse else 12
            cut["until"] = min(next(over, len(self.played) - 1), cut["after"] + most) if cut["move"] else cut["after"]
            if cut["move"] and self.phases[cut["after"]][cut["move"]] & set(OVER):
                cut["until"] = min(cut["after"] + 2, len(self.played) - 1)
        self.cuts.sort(key=lambda cut: cut["after"])

    def state_over(self, at: int, number: int) -> bool:
        return bool(self.phases[at].get(number, {"closed"}) & set(OVER))

    def writes(self) -> None:
        """The log, row by row, and beside it everything that was seen."""
        self.finds_cuts()
        rows = self.sitting.rows()
        cuts = [self._looked_at(cut, rows) for cut in self.cuts]
        told = {seat: self.sitting.exported(seat)[1:] for seat in self.state.seats}
        folder = HERE / self.game
        folder.mkdir(exist_ok=True)
        with gzip.GzipFile(folder / f"{self.name}.jsonl.gz", "wb", 9, mtime=0) as file:
            file.write("".join(f"{row}\n" for row in rows).encode())
        views = [{seat: _text(view) for seat, view in seen.items()} for seen in self.views]
        recorded = {
            "commit": COMMIT, "game": self.game, "tape": self.name, "table": self.sitting.table,
            "people": {name: {"seat": p.seat, "grade": self.state.seats[p.seat].grade} for name, p in
                       self.people.items()},
            "plays": self.played, "views": views, "told": told, "cuts": cuts,
        }
        (folder / f"{self.name}.json.xz").write_bytes(lzma.compress(_text(recorded).encode(), preset=9))
        self.sitting.close()

    def _looked_at(self, cut: dict[str, Any], rows: list[str]) -> dict[str, Any]:
        """What everybody sees of the log that ends here, opened by itself."""
        if self.sparse and cut["phase"].startswith("move "):
            return cut
        with Sitting(ROOT) as again:
            again.reads(rows[: self.played[cut["after"]]["rows"]])
            seats = list(self.views[cut["after"]])
            for seat in seats:
                assert again.view(seat) == self.views[cut["after"]][seat], (self.name, cut)
            tokens = self._tokens_at(cut["after"])
            whole = {seat: again.master_export(seat) for seat in seats
                     if again.view(seat)["seats"][seat]["grade"] == "gm"}
            texts = {lang: {seat: again.text(seat, token, lang) for seat, token in tokens.items()}
                     for lang in LANGUAGES}
            seen = {
                "forms": {seat: self._open(again, seat, again.form) for seat in seats},
                "odds": {seat: self._open(again, seat, again.odds) for seat in seats},
                "texts": texts,
                "failed": [[lang, seat] for lang in LANGUAGES for seat in tokens if texts[lang][seat] is None],
                "verdicts": {seat: verdict(again.exported(seat)) for seat in seats},
                "tokens": tokens,
                "master_exports": whole,
                "master_verdicts": {seat: verdict(lines) if isinstance(lines, list) else lines
                                    for seat, lines in whole.items()},
                "keeper_verdict": verdict(again.keeper_export()),
                "imported": again.imports(again.keeper_export(), f"{self.game} {self.name} imported"),
            }
            for seat, lines in whole.items():
                if isinstance(lines, list):
                    seen["master_imported"] = {
                        "seat": seat, **again.imports(lines, f"{self.game} {self.name} imported by {seat}")}
                    break
            for lang, seat in seen["failed"]:
                texts[lang][seat] = self._drawn(again, rows[: self.played[cut["after"]]["rows"]], seat, lang)
        return {**cut, **seen}

    def _drawn(self, again: Sitting, rows: list[str], seat: str, lang: str) -> str:
        """The text that the page meant to give: that version failed over a line that names a record now hidden."""
        account = Account().read_on(enumerate(rows, 1))
        desk = Desk(account.state, seat, self.system, lang)
        return str(draw("log.txt", lang, desk.teller, desk=desk, base="", proof="", system=self.system,
                        lines=desk.view["log"]))

    def _tokens_at(self, after: int) -> dict[str, str]:
        """The links that open each seat by then; none for a seat that is closed."""
        tokens = dict(self.opened)
        for played in self.played[: after + 1]:
            tokens |= played.get("reply", {}).get("links", {})
            command = played.get("command", {})
            if command.get("type") == "revoke-link" and "refused" not in played["reply"]:
                tokens.pop(command["who"], None)
        return {seat: token for seat, token in tokens.items() if seat in self.views[after]}

    @staticmethod
    def _open(again: Sitting, seat: str, asked: Any) -> dict[str, Any]:
        moves = again.view(seat)["moves"]
        return {own: asked(seat, int(own)) for own, move in moves.items() if move["phase"] not in OVER}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def phases(tape: Tape, kept: Mapping[str, Any]) -> set[str]:
    """How a move stands, in the words of the README."""
    found = set(_phase(tape, kept))
    if found and not found & set(OVER):
        found |= {"graded"} if kept.get("grade", "open") != "open" else set()
        found |= {"in an encounter"} if kept["encounter"] is not None else set()
        found |= {"deadline"} if kept.get("deadline") else set()
        found |= {"begun again"} if kept.get("past") else set()
        found |= {"several throws"} if len(kept["throws"]) > 1 else set()
    return found


def _phase(tape: Tape, kept: Mapping[str, Any]) -> Iterator[str]:
    if kept["phase"] != "open":
        yield kept["phase"]
        return
    pending = kept["pending"]
    if pending is not None and pending["type"] == "choice":
        who = pending["who"]
        yield "poll by most" if takes_most(who) else "poll" if is_poll(who) else "question"
    elif pending is not None:
        yield "dice by hand"
    else:
        session = laid_out(tape.state, with_house_moves(tape.system, tape.state), kept["id"])
        step = session.moves[kept["id"]].step(session.system)
        match step:
            case Window():
                yield f"window {step.kind}"
            case Ask() if any(throw["done"] for throw in kept["throws"]):
                yield "ask after a result"
            case Ask() if any(row["secrecy"] == "sealed" and row["field"] not in kept["revealed"]
                              for row in kept["fields"]):
                yield "sealed"
            case Ask():
                yield "filling"
            case Resolve():
                yield "before the throw"
