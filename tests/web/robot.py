"""Somebody plays whole evenings through the pages, and says what a person would stumble over.

A game master, three players and a spectator sit down at a table of any game, hidden characters among the others, and
do whatever the served HTML lets them do: no browser, no interface for programs, nothing but links and forms. What is
chosen follows from a seed. While they play, the robot looks for

* dead stops: somebody is awaited and has no visible, enabled control, or everybody used theirs and nothing moved;
* refusals of what a page offered; faults of ours (5xx);
* raw words: keys, placeholders, words of Python, in both languages; a heading that the sentence under it repeats;
* leaks: the name of somebody hidden, in the bytes of those who may not know.

What is said of a table between two steps (who is awaited) is read from the table itself; whatever is done is done by
the pages. ``python tests/web/robot.py conteur 3 40`` plays forty acts of one evening and tells of it; ``edition=v5``
after it chooses an option of the table.
"""

import asyncio
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import MappingProxyType, SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from reading import Control, Form, Page, encoded

from paravent.game import System, find_system, system_at, system_names
from paravent.store import open_log
from paravent.table.house import with_house_moves
from paravent.table.seen import MoveSeen
from paravent.web import drawn
from paravent.web.app import create_app
from paravent.web.desk import Desk

ROOT = Path(__file__).parents[2]
ASIDE = frozenset({"withdraw", "cancel", "close", "deadline", "grade", "join", "restart", "undo", "turn-over",
                   "undo-last", "correct"})
"""What may be done about an act without bringing it forward."""
LONGEST_ACT = 80
"""How many things an act asks at most before the robot calls it endless."""
FILLS_PER_SHEET = 6
"""How often something else is filled in before a sheet that is still asked for is written again."""
MOST_OBJECTIONS = 8
"""How often the rules object to what somebody tries before it is taken for something that cannot be done at all."""
TYPED = "quelque chose"
STUMBLES = frozenset({"fault", "dead stop", "refusal", "raw word", "doubled title", "leak"})
"""The kinds of findings that fail; objections that another choice answers, or to what was typed, are only told."""
FIND = re.compile(
    r"\{[\w.]*\}"  # a placeholder
    r"|\b[a-z]+(?:_[a-z0-9]+)+\b"  # a word of the program
    r"|(?<![\w/@.])[a-z_-]+\.[a-z_]{2,}(?:\.[a-z_]+)*(?![\w/])"  # a key
    r"|\bNone\b|\bTrue\b|\bFalse\b|<\w+ object|\bOneOf\b|\bdict_\w+"
    r"|\(\s*\)|\[\s*\]|«\s*»|“\s*”"
)
MEANS: dict[str, tuple[dict[str, str], ...]] = {
    "conteur": ({"v:wounds.left_arm": "3", "v:wounds.right_arm": "1"},),
    "solaires": ({"v:psi_maintained": "une porte tenue close"},),
    "simulacres": ({"r:active_energy_bonuses:0:energy": "precision", "r:active_energy_bonuses:0:points": "1",
                    "r:active_energy_bonuses:0:action": "escalade", "v:adventure_points": "60"},),
    "empire": ({"r:conditions:0:name": "held", "r:skills:0:number": "42"},
               {"v:at_school": "yes", "v:school_years": "4"},
               {"r:skills:0:number": "22", "r:skills:0:level": "2"}, {"r:skills:0:number": "22"}),
}
"""What the game master writes on the sheets of the last who come: states that an evening seldom comes to by itself."""
DOUBLED = re.compile(r'<p class="outcome[^>]*>\s*([^<]+?)[\s.]*</p>\s*<p class="said">\s*\1\b([^<]*)')
KNOWN_WORDS = frozenset({"e.g", "i.e", "p.ex"})


def games() -> dict[str, System]:
    """Every game found here: those installed, and the example."""
    sys.path.insert(0, str(ROOT / "examples/fanal/src"))
    return {name: find_system(name) for name in system_names()} | {"fanal": system_at("fanal:SYSTEM")}


@dataclass(frozen=True)
class Finding:
    """Something that a person would stumble over."""

    kind: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind:12} {self.where:28} {self.what}"


@dataclass
class Report:
    """What came of an evening."""

    game: str
    seed: int
    found: Counter[Finding] = field(default_factory=Counter)
    started: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    veiled: set[str] = field(default_factory=set)
    """Moves that ended with somebody hidden in them."""
    moves: frozenset[str] = frozenset()
    requests: int = 0
    seconds: float = 0.0

    @property
    def unreached(self) -> list[str]:
        """The moves that nobody came to."""
        return sorted(self.moves - set(self.started))

    def __str__(self) -> str:
        lines = [f"{self.game}, seed {self.seed}: {self.requests} requests in {self.seconds:.0f} s; "
                 f"{len(self.started)} of {len(self.moves)} moves started, {len(self.ended)} ended"]
        lines += [f"  {self.found[finding]:3}× {finding}" for finding in sorted(self.found, key=str)]
        if self.unreached:
            lines.append(f"  never reached: {', '.join(self.unreached)}")
        if self.veiled:
            lines.append(f"  with somebody hidden: {', '.join(sorted(self.veiled))}")
        never_ended = sorted(set(self.started) - set(self.ended))
        if never_ended:
            lines.append(f"  never ended: {', '.join(never_ended)}")
        return "\n".join(lines)


class Refused(Exception):
    """A page said no."""


class Person:
    """Somebody at the table with nothing but pages."""

    def __init__(self, robot: "Robot", name: str, lang: str) -> None:
        self.robot, self.name, self.lang = robot, name, lang
        self.cookies = {"paravent_lang": lang}
        self.base = self.seat = ""

    async def asks(self, method: str, path: str, body: bytes = b"") -> tuple[int, dict[str, str], str]:
        """One request to the application, as a browser makes it."""
        robot = self.robot
        robot.report.requests += 1
        path, _, query = path.partition("?")
        sent: list[Any] = []
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = [(b"host", b"localhost"), (b"cookie", cookies.encode()), (b"accept-language", self.lang.encode())]
        if body:
            headers += [(b"content-type", b"application/x-www-form-urlencoded"),
                        (b"content-length", str(len(body)).encode())]

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await robot.app({
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "headers": headers,
            "client": ("127.0.0.1", 1), "server": ("localhost", 80), "root_path": "",
        }, receive, send)
        answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        for name, value in sent[0]["headers"]:
            if name == b"set-cookie":
                key, _, rest = value.decode().partition("=")
                self.cookies[key] = rest.partition(";")[0]
        text = b"".join(message.get("body", b"") for message in sent[1:]).decode(errors="replace")
        status = sent[0]["status"]
        if status >= 500:
            robot.finds("fault", path.rpartition("/")[2], f"{status} {method} {path}")
        self.robot.watches(self, text)
        return status, answered, text

    async def goes(self, path: str) -> Page:
        """Open a page, following where it leads."""
        for _ in range(5):
            status, headers, text = await self.asks("GET", path)
            if status not in (302, 303, 307):
                break
            path = headers["location"].removeprefix("http://localhost")
        page = Page(self.robot.censored(text))
        self.robot.reads(self, page, path)
        if status >= 400:
            raise Refused(page.alert or str(status))
        return page

    async def table(self) -> Page:
        """The page of the table as it stands."""
        page = await self.goes(f"{self.base}/")
        self.robot.shown(self, page.html)
        return page

    async def sends(self, form: Form, button: Control | None = None) -> str:
        """Send a form; where it leads."""
        status, headers, text = await self.asks("POST", form.action, encoded(form.sent(button)))
        if status >= 400:
            page = Page(text)
            self.robot.reads(self, page, form.action)
            raise Refused(page.alert or str(status))
        return headers.get("location", "").removeprefix("http://localhost") or text

    async def sits(self, path: str) -> None:
        """Come in by a link."""
        status, headers, _ = await self.asks("GET", path)
        assert status == 303, path
        self.base = headers["location"].rstrip("/")
        self.seat = self.base.rpartition("/")[2]


class Robot:
    """An evening of one game."""

    def __init__(self, game: str, seed: int, acts: int = 20, censored: Callable[[str], str] = lambda html: html,
                 only: Iterable[str] = (), shown: Callable[[Person, str], None] = lambda who, html: None,
                 trust: str = "", options: Mapping[str, str] = MappingProxyType({}), real_dice: float = 0.3,
                 sought: str = "") -> None:
        self.system = with_house_moves(games()[game])
        self.luck = Random(f"{game} {seed}")
        self.censored, self.shown, self.trust, self.options = censored, shown, trust, options
        self.report = Report(game, seed, moves=frozenset(self.system.moves))
        self.acts, self.only, self.real_dice, self.sought = acts, frozenset(only), real_dice, sought
        self.secrets: list[str] = []
        self.said: set[tuple[str, str]] = set()
        self.leaked: set[str] = set()
        self.doing, self.typed = "", False
        self.uses: Counter[tuple[str, int, str]] = Counter()
        self.tries: Counter[str] = Counter()
        self.ran: defaultdict[str, int] = defaultdict(int)

    # What is noticed

    def finds(self, kind: str, where: str, what: str) -> None:
        self.report.found[Finding(kind, where, what)] += 1

    def watches(self, who: Person, text: str) -> None:
        """Nothing of anybody hidden goes to those who may not know."""
        if who is self.gm:
            return
        for secret in self.secrets:
            at = text.find(secret)
            if at >= 0:
                about = " ".join(re.sub(r"<[^>]*>", " ", text[max(0, at - 120):at + 60]).split())
                sentence = about.replace(secret, "***")
                if sentence not in self.leaked:
                    self.leaked.add(sentence)
                    self.finds("leak", self.doing, f"{who.name}: …{sentence}…")

    def reads(self, who: Person, page: Page, where: str) -> None:
        """No page says what is not meant for people."""
        for text in page.texts:
            if (who.lang, text) in self.said:
                continue
            self.said.add((who.lang, text))
            for found in FIND.finditer(text):
                if found[0] not in KNOWN_WORDS and not (found[0] == "None" and who.lang == "en"):
                    self.finds("raw word", self.doing, f"{who.lang}: {found[0]} in “{text[:90]}”")

        for found in DOUBLED.finditer(page.html):
            self.finds("doubled title", self.doing, f"{who.lang}: {found[1]}, {found[1]}{found[2]}")

    # The table

    async def plays(self) -> Report:
        """Play so many acts, or until every move was played to its end, or one that is sought."""
        began = time.monotonic()
        self.app = create_app(open_log("memory:"))
        self.app.state.host._token = self.luck.randbytes
        self.gm = Person(self, "Ana", "fr")
        self.people = [self.gm]
        async with self.app.router.lifespan_context(self.app):
            await self._sits_down()
            while self.acts > 0 and await self._acts():
                self.acts -= 1
            await self._looks()
        self.report.seconds = time.monotonic() - began
        return self.report

    async def _sits_down(self) -> None:
        home = await self.gm.goes("/")
        opening = next(form for form in home.forms if form.action == "/open")
        for one in opening.controls:
            one.value = {"system": self.report.game, "name": "Vendredi", "game_master": "Ana"}.get(one.name, one.value)
        await self.gm.sits(await self.gm.sends(opening))
        self.id = self.gm.base.split("/")[2]
        self.live = await self.app.state.host.live(self.id)
        for name, grade, lang in (("Bob", "player", "fr"), ("Cy", "player", "en"), ("Dee", "player", "fr"),
                                  ("Eve", "spectator", "en")):
            links = await self.gm.goes(f"{self.gm.base}/links")
            adding = next(form for form in links.forms if form.does == "links" and not form.held("what")
                          and any(one.name == "grade" for one in form.controls))
            fill(adding, name=name)
            choose(adding, "grade", grade)
            made = await self.gm.sends(adding, adding.buttons[0])
            person = Person(self, name, lang)
            await person.sits(re.search(r"/enter/\w+", made)[0])  # type: ignore[index]
            self.people.append(person)
        if self.trust:
            house = next(form for form in (await self.gm.goes(f"{self.gm.base}/options")).forms if form.does == "house")
            fill(house, trust=self.trust)
            await self.gm.sends(house, house.buttons[0])
        if self.options:
            page = await self.gm.goes(f"{self.gm.base}/options")
            chosen = next(form for form in page.forms if form.does == "options")
            fill(chosen, **{f"option:{name}": value for name, value in self.options.items()})
            await self.gm.sends(chosen, chosen.buttons[0])
        self.players = self.people[1:4]
        for player in self.players:
            await self._brings(player)
        for hidden in (False, True, False, True):
            await self._brings(self.gm, hidden)
        for means in MEANS.get(self.report.game, ()):
            await self._brings(self.gm, means=means)
        for kind in self.system.kinds:
            await self._brings(self.gm, False, kind)
        await self._looks()

    async def _brings(self, who: Person, hidden: bool = False, kind: str = "",
                      means: Mapping[str, str] = MappingProxyType({})) -> None:
        """Bring a ready-made character; behind the screen, it gets a name that nobody has heard."""
        page = await who.goes(f"{who.base}/new")
        ready = [form for form in page.forms if form.does == "record"
                 and (form.held("ready") or form.held("how") == "draw")]
        of_kind = [form for form in ready if form.held("kind") == (kind or "character")]
        drawing = [form for form in ready if form.held("how") == "draw" and any(
            one.value == kind for one in form.controls if one.name == "kind")]
        form = self.luck.choice(of_kind or drawing or [None])
        if form is None:
            return
        for one in form.controls:
            if one.name == "hidden":
                one.on = hidden
        before = set(self.live.state.records)
        button = next((one for one in form.buttons if one.name == "kind" and one.value == kind), form.buttons[0])
        await self._tries(who, form, button, "bring")
        new = set(self.live.state.records) - before
        if hidden and new:
            await self._renames(new.pop())
        elif means and new:
            await self._corrects(new.pop(), means)

    async def _renames(self, record: str) -> None:
        name = f"Zkr{self.luck.randrange(10**6):06}"
        await self._corrects(record, {"v:name": name})
        self.secrets += [name, record]

    async def _corrects(self, record: str, values: Mapping[str, str]) -> None:
        """The game master writes on a sheet."""
        page = await self.gm.goes(f"{self.gm.base}/sheet/{record}")
        form = next(form for form in page.forms if form.does == "sheet")
        for one in form.controls:
            if one.name in values and one.kind == "checkbox":
                one.on = True
            elif one.name in values:
                one.value = values[one.name]
        await self._tries(self.gm, form, form.buttons[0], "sheet")

    # What is done next

    def open_acts(self, who: Person) -> list[MoveSeen]:
        return Desk(self.live.state, who.seat, self.live.system, who.lang).open_moves

    async def _acts(self) -> bool:
        """Begin one more thing, and bring everything to its end; whether anything is left to begin."""
        offers: list[tuple[float, str, Person, Any]] = []
        for who in (self.gm, self.luck.choice(self.players)):
            page = await who.table()
            every = await who.goes(f"{who.base}/start")  # a handful on the table's page, the rest a tap away
            new = await who.goes(f"{who.base}/new")  # where moves are that make a record
            for move, how in (*self._offered(page), *self._offered(every), *self._offered(new)):
                if self.only and move not in self.only:
                    continue
                inside = bool(self.system.moves[move].encounter) if move in self.system.moves else False
                weight = self.tries[move] + (3 if self.report.ended[move] else 0) - (2 if inside else 0)
                offers.append((weight + self.luck.random() * 0.9, move, who, how))
            if who is self.gm:
                ending = next((form for form in page.forms if form.does == "end-encounter"), None)
        ended = set(self.report.ended)
        inside = [row for row in offers if row[1] in self.system.moves and self.system.moves[row[1]].encounter]
        if ending is not None and (not inside or min(row[0] for row in inside) > 2.0):
            self.doing = "end-encounter"
            await self._tries(self.gm, ending, ending.buttons[0], "end-encounter")
            await self._settles()
            return True
        if not offers or self.sought in ended or set(self.report.moves) <= ended:
            return False
        _, move, who, how = min(offers, key=lambda row: row[0])
        self.tries[move] += 1
        self.doing = move
        if await self._begins(move, who, how):
            await self._settles()
            await self._looks()
        return True

    def _offered(self, page: Page) -> list[tuple[str, Any]]:
        """What a page lets one begin: links to a start form, buttons that start at once, the passing of time."""
        found: list[tuple[str, Any]] = []
        for link in page.links:
            at = re.search(r"start/([\w-]+)", link.to)
            if at:
                found.append((at[1], link))
        for form in page.forms:
            if form.does == "start":
                found += [(one.value.partition("?")[0], (form, one)) for one in form.buttons
                          if one.name in ("move", "go")]
                if form.held("then") and form.buttons:
                    found.append((form.held("move"), (form, form.buttons[0])))
            elif form.does == "time" and form.buttons:
                found.append(("pass-time", (form, form.buttons[0])))
            elif form.does == "say" and form.buttons and not form.held("command"):
                fill(form, text="/r 2d6")
                found.append(("free-throw", (form, form.buttons[0])))
        return found

    async def _begins(self, move: str, who: Person, how: Any) -> bool:
        """Start a move as its page lets one."""
        if isinstance(how, tuple):
            return await self._tries(who, how[0], how[1], move)
        try:
            page = await who.goes(how.to if how.to.startswith("/") else f"{who.base}/{how.to}")
        except Refused as no:
            self.finds("refusal", move, f"start page: {no}")
            return False
        forms = [form for form in page.forms if form.does in ("start", "ask") and form.buttons]
        if not forms:
            self.finds("dead stop", move, "a start page without a form")
            return False
        form = forms[0] if self.luck.random() < 0.85 else self.luck.choice(forms)
        taken = self._casts(form)
        free = [one for one in form.buttons if one.value not in taken]
        return await self._tries(who, form, self.luck.choice(free or form.buttons), move)

    def _casts(self, form: Form) -> set[str]:
        """Choose who is in it, nobody twice: those who are."""
        taken: set[str] = set()
        for one in form.controls:
            if one.tag == "select" and one.name.startswith("cast:"):
                free = [value for value, _ in one.options if value and value not in taken]
                if one.value and one.value not in taken and self.luck.random() < 0.5:
                    pass
                elif free and (one.needed or one.value or self.luck.random() < 0.6):
                    one.value = self.luck.choice(free)
                elif not one.needed:
                    one.value = ""
                taken.add(one.value)
            elif one.tag == "select" and one.options and self.luck.random() < 0.25:
                one.value = self.luck.choice(one.options)[0]
        for name in dict.fromkeys(one.name for one in form.controls if one.kind == "checkbox"):
            group = [one for one in form.controls if one.name == name and one.kind == "checkbox" and one.in_hand]
            if not group:
                continue
            if not any(one.on for one in group):
                free_ones = [one for one in group if one.value not in taken]
                for one in self.luck.sample(free_ones, min(len(free_ones), self.luck.choice((1, 1, 2)))):
                    one.on = True
            behind = [one for one in group if one.value in self.secrets and one.value not in taken]
            if behind and self.luck.random() < 0.5:  # somebody hidden is in it too
                self.luck.choice(behind).on = True
            for one in group:
                if one.value in taken:
                    one.on = False
                elif one.on:
                    taken.add(one.value)
        return taken - {""}

    async def _tries(self, who: Person, form: Form, button: Control | None, move: str) -> bool:
        """Send a form whose values were all offered: a refusal is a finding."""
        try:
            await who.sends(form, button)
        except Refused as no:
            self.finds("refusal", move, f"{form.does}: {no}")
            return False
        return True

    # Bringing acts forward

    async def _settles(self) -> None:
        """Everybody uses what they are offered until nothing waits."""
        asked: Counter[int] = Counter()
        idle: Counter[int] = Counter()
        while waiting := self._waiting():
            for move in {move.move for _, move in waiting}:
                self.report.started[move] += 1 if move not in self.report.started else 0
            who, move = min(waiting, key=lambda row: (self.uses[row[0].name, row[1].number, _stage(row[1])],
                                                      self.luck.random()))
            number = self._number(who, move)
            self.doing = move.move
            before = self._table(number)
            asked[number] += 1
            used = await self._uses(who, move)
            self.uses[who.name, move.number, _stage(move)] += 1
            idle[number] = 0 if self._table(number) != before else idle[number] + 1
            if not used or idle[number] > 3 * len(waiting) + 9 or asked[number] > LONGEST_ACT:
                if used:
                    if os.environ.get("ROBOT_SHOWS"):
                        await self._shows()
                    self.finds("dead stop", move.move,
                               "without end" if idle[number] == 0 else f"nothing moves at {_stage(move)}")
                if not await self._drops(number):
                    return
            elif self.live.state.moves[number].is_over:
                self.report.ended[move.move] += 1
        for act in self.live.state.moves.values():
            self.report.started[act.move] += 1 if act.move not in self.report.started else 0
            if act.phase == "closed" and not self.report.ended[act.move]:
                self.report.ended[act.move] += 1
            if act.phase == "closed" and any(part.id in self.secrets for part in act.cast):
                self.report.veiled.add(act.move)

    async def _shows(self) -> None:
        """Print what those who are awaited have before them."""
        for who, move in self._waiting():
            page = await who.table()
            print(f"--- {who.name} {move.move} {_stage(move)}; filled: {move.fields}; cast: {move.cast}")
            for form in page.about(move.number):
                if form.does not in ASIDE:
                    shown = [f"{one.kind}{'' if one.in_view else '(folded)' if one.in_hand else '(hidden)'}"
                             f"{'*' if one.needed else ''} {one.name}={one.value}{' on' if one.on else ''}"
                             f" {one.words} {len(one.options) or ''}" for one in form.controls if one.kind != "hidden"]
                    told = re.search(rf'<article[^>]*id="move-{move.number}".*?</article>', page.html, re.DOTALL)
                    print("   ", " ".join(re.sub(r"<[^>]*>", " ", told[0] if told else "").split())[:600])
                    print("   ", form.does, "at once" if form.at_once else "", shown)

    def _waiting(self) -> list[tuple[Person, MoveSeen]]:
        """Who is awaited, by the table's own word; what is settled waits for the game master."""
        waiting = []
        for who in self.people:
            waiting += [(who, move) for move in self.open_acts(who)
                        if who.seat in move.waits_for or (move.phase == "settled" and who is self.gm)]
        if not waiting:
            for move in self.open_acts(self.gm):
                self.finds("dead stop", move.move, "open, and nobody is awaited")
        return waiting

    def _number(self, who: Person, move: MoveSeen) -> int:
        return Desk(self.live.state, who.seat, self.live.system, who.lang).table_number(move.number)

    def _table(self, number: int) -> Any:
        return self.live.state.moves[number]

    async def _drops(self, number: int) -> bool:
        """The game master gives an act up."""
        desk = Desk(self.live.state, self.gm.seat, self.live.system, "fr")
        own = next((own for own in desk.moves if desk.table_number(own) == number), 0)
        page = await self.gm.table()
        form = next((form for form in page.about(own) if form.does == "cancel"), None)
        if form is None or not await self._tries(self.gm, form, form.buttons[0], self.doing):
            self.finds("dead stop", self.doing, "cannot even be given up")
            return False
        return True

    async def _uses(self, who: Person, move: MoveSeen) -> bool:
        """Use one of the controls that somebody awaited has; whether there was one."""
        page = await who.table()
        about = [form for form in page.about(move.number) if not form.hidden]
        forward = [form for form in about if form.does not in ASIDE]
        sheets = [link for link in page.links if f"move={move.number}&" in link.to]
        usable = [form for form in forward if any(one.in_view for one in form.controls)]
        given_up = [form for form in about if form.does in ("cancel", "withdraw")
                    and any(one.in_view for one in form.buttons)]
        alone = [form for form in about if form.does == "close" and any(one.in_view for one in form.buttons)]
        begun_again = [form for form in about if form.does == "restart" and any(one.in_view for one in form.buttons)]
        if not usable and begun_again:  # its rule goes another way since
            return await self._tries(who, begun_again[0], begun_again[0].buttons[0], move.move)
        usable = usable or alone
        if not usable and given_up and page.objection:
            return await self._tries(who, given_up[0], given_up[0].buttons[0], move.move)
        if not usable and not any(not link.folded for link in sheets):
            folded = "folded away" if forward else "no control"
            self.finds("dead stop", move.move, f"{'gm' if who is self.gm else who.name} at {_stage(move)}: {folded}")
            return False
        answers = [form for form in usable if form.does not in ("fill", "throw")]
        key = (who.name, move.number, f"{_stage(move)} filled")
        written = self.uses[who.name, move.number, "sheet"]  # what is said beside it may ask for it anew
        if sheets and not answers and (not usable or written * FILLS_PER_SHEET <= self.uses[key]):
            self.uses[who.name, move.number, "sheet"] += 1
            return await self._writes(who, sheets[0].to)
        if alone:
            return await self._tries(who, alone[0], alone[0].buttons[0], move.move)
        fills = [form for form in usable if form.does == "fill"]
        others = [form for form in usable if form.does != "fill"]
        needs = [form for form in fills if any(form_needs(form))]
        if needs or (fills and (not others or not self.uses[key])):
            self.uses[key] += 1
            form = self.luck.choice(needs or fills)
            form.lists = page.lists
            no = page.objection
            tried = (who.name, move.number, "objected")
            self.uses[tried] += 1 if no else 0
            if no and not self.typed:
                self.finds("objection", move.move, no)
            if self.uses[tried] > MOST_OBJECTIONS and given_up:
                self.finds("given up", move.move, no)
                return await self._tries(who, given_up[0], given_up[0].buttons[0], move.move)
            if self.uses[tried] > MOST_OBJECTIONS:
                self.finds("refusal", move.move, f"can only be refused: {no}")
                return False
            await self._fills(who, move, form, self.uses[key], bool(no))
            return True
        if self.luck.random() < 0.05:
            aside = [form for form in about if form.does in ("join", "close")]
            if aside:
                form = self.luck.choice(aside)
                self._adds(form, True)
                await self._tries(who, form, form.buttons[0], move.move)
                return True
        form = self.luck.choice(others or usable)
        if form.does == "throw":
            by_hand = self.luck.random() < self.real_dice
            form = next((other for other in others if other.does == "throw"
                         and bool(other.held("by_hand")) == by_hand), form)
        if form.does == "answer" and "refuse" in form.held("answer") and self.luck.random() < 0.7:
            form = next((other for other in others if "agree" in other.held("answer")), form)
        if form.does == "faces":
            self._types_faces(form, move)
        boxes = [one for one in form.inputs if one.name == "die" and one.kind == "checkbox"]
        if boxes:
            self.luck.choice(boxes).on = True
        await self._tries(who, form, self.luck.choice(form.buttons) if form.buttons else None, move.move)
        return True

    def _types_faces(self, form: Form, move: MoveSeen) -> None:
        wanted = move.dice
        assert wanted, "faces are asked for where none are wanted"
        for one in form.inputs:
            if one.name == "faces":
                one.value = " ".join(str(self.luck.randint(1, wanted.sides)) for _ in range(wanted.n))

    async def _fills(self, who: Person, move: MoveSeen, form: Form, again: int, objected: bool) -> None:
        """Fill a form in with what it offers; when that was not enough, more of it, or something else."""
        before = [(one, one.value, one.on) for one in form.controls]
        changed = self._says(form)
        if objected:
            changed += self._unsays(form)
        judges = any(one.value for one in form.buttons)  # a button that says something needs nothing else beside it
        if not (changed or judges) or (again == 1 and self.luck.random() < 0.6):
            changed += self._adds(form, again == 1)
        if form.at_once and len(changed) > 1:  # such a form goes as soon as one thing in it changes
            kept = self.luck.choice(changed)
            for one, value, on in before:
                if one.name != kept.name:
                    one.value, one.on = value, on
            changed = [kept]
        button = self.luck.choice(form.buttons) if form.buttons else None
        self.typed = any(one.typed for one in changed)
        if button is None and not (form.at_once and changed):
            return  # nothing on the page sends it
        try:
            await who.sends(form, button)
        except Refused as no:
            what = ", ".join(f"{one.name.rpartition(':')[2]}={one.value}" for one in changed) or "as it stands"
            self.finds("typed" if self.typed else "refusal", move.move, f"fill {what}: {no}")

    def _says(self, form: Form) -> list[Control]:
        """Say what must be said."""
        changed = []
        groups: dict[str, list[Control]] = {}
        for one in form.inputs:
            if one.kind == "radio":
                groups.setdefault(one.name, []).append(one)
            elif one.needed and not one.value:
                self._sets(form, one)
                changed.append(one)
        for group in groups.values():
            if not any(one.on for one in group):
                changed.append(self.luck.choice(group))
                self._sets(form, changed[-1])
        return changed

    def _adds(self, form: Form, anything: bool = False) -> list[Control]:
        """Say one more thing: one that was not said yet, or anything at all."""
        silent = [one for one in form.inputs if one.kind not in ("radio", "checkbox")
                  and (not one.value or (anything and one.offers))]
        boxes = [one for one in form.inputs if one.kind in ("radio", "checkbox") and not one.on]
        if not silent and not boxes:
            return []
        one = self.luck.choice(silent if silent and (not boxes or self.luck.random() < 0.7) else boxes)
        self._sets(form, one)
        return [one]

    def _unsays(self, form: Form) -> list[Control]:
        """Leave everything as usual again."""
        changed = []
        for one in form.inputs:
            if one.kind == "checkbox" and one.on:
                one.on = False
            elif one.kind == "radio" and not one.on and one.value == "":
                self._sets(form, one)
            elif one.value and not one.needed and (one.kind in ("number", "text") or "" in dict(one.options)):
                one.value = ""
            elif one.needed and one.offers and self.luck.random() < 0.7:
                self._sets(form, one)
            else:
                continue
            changed.append(one)
        return changed

    def _sets(self, form: Form, one: Control) -> None:
        """Give a control another value among those that it offers; where none are offered, one is typed."""
        luck = self.luck
        if one.kind == "radio":
            for other in form.controls:
                other.on = other is one if other.name == one.name else other.on
        elif one.kind == "checkbox":
            one.on = not one.on
        elif one.tag == "select":
            offered = [value for value, _ in one.options if value] if one.needed or not one.value else [
                value for value, _ in one.options]
            one.value = luck.choice(offered) if offered else ""
        elif one.kind == "number" and one.lowest and one.highest:
            low, high = int(one.lowest), int(one.highest)
            one.value = str(luck.randint(low, min(high, low + 12)))
        elif one.kind == "number":
            one.value, one.typed = str(luck.randint(max(1, int(one.lowest or 1)), max(6, int(one.lowest or 1)))), True
        elif one.suggested and form.lists.get(one.suggested):
            one.value = luck.choice(form.lists[one.suggested])
        else:
            one.value, one.typed = luck.choice((TYPED, "3", "8")), True

    async def _writes(self, who: Person, to: str) -> bool:
        """Write the sheet that an act asks for, after one that is already at the table."""
        page = await who.goes(to if to.startswith("/") else f"{who.base}/{to}")
        form = next(form for form in page.forms if form.does == "fill")
        kind = form.held("kind")
        mine = next((name for name, held in self.live.state.records.items()
                     if held.kind == kind and (who is self.gm or held.owner == who.seat)), None)
        if mine is not None:
            like = await who.goes(f"{who.base}/sheet/{mine}")
            model = next((form for form in like.forms if form.does == "sheet"), None)
            values = dict(model.sent()) if model is not None else {}
            prefix = form.held("prefix")
            for one in form.controls:
                bare = one.name.removeprefix(prefix)
                if one.kind == "checkbox":
                    one.on = bare in values
                elif bare in values and one.kind != "hidden":
                    one.value = values[bare]
        for one in form.controls:
            if one.name.endswith("v:name"):
                one.value = "Passe-Muraille"
        try:
            await who.sends(form, form.buttons[0])
        except Refused as no:
            self.finds("typed", self.doing, f"a sheet written like another: {no}")
            return False
        return True

    async def _looks(self) -> None:
        """Everybody looks at their page."""
        for who in self.people[1:]:
            await who.table()


def fill(form: Form, **values: str) -> None:
    """Write these values into a form."""
    for one in form.controls:
        if one.name in values:
            one.value = values[one.name]


def choose(form: Form, name: str, value: str) -> None:
    """Choose one of the options of a form."""
    for one in form.controls:
        if one.name == name:
            one.on = one.value == value
            if one.tag == "select":
                one.value = value


def form_needs(form: Form) -> Iterable[Control]:
    """What a form cannot go without and does not have."""
    return (one for one in form.inputs if one.needed and not one.value)


def _stage(move: MoveSeen) -> str:
    """Where an act stands, as far as a seat may know."""
    if move.choice:
        return f"choice {move.choice.key}"
    if move.phase != "open":
        return str(move.phase)
    return f"after {len(move.throws)} throws" + (", faces" if move.dice else "")


def spend(game: str, seed: int, acts: int = 20, **more: Any) -> Report:
    """One evening."""
    luck, kept = Random(f"{game} {seed} ids"), drawn.secrets
    drawn.secrets = SimpleNamespace(token_hex=lambda n: luck.randbytes(n).hex())  # type: ignore[assignment]
    try:
        return asyncio.run(Robot(game, seed, acts, **more).plays())
    finally:
        drawn.secrets = kept


if __name__ == "__main__":
    played = dict(one.split("=") for one in sys.argv[1:] if "=" in one)
    sys.argv = [one for one in sys.argv if "=" not in one]
    game, seed, acts, *moves = [*sys.argv[1:], *("conteur", "1", "20")[len(sys.argv) - 1:]]
    print(spend(game, int(seed), int(acts), only=moves, options=played))
