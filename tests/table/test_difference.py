"""The proof by difference: the same evening with other secrets looks the same to whoever may not know them.

An evening is played twice with the same public commands and the same faces, but other secrets: difficulties, sealed
choices, hidden people, blind dice, whispers, and any number of hidden events. Every byte that a seat may receive is
compared: what it is told, with the numbers of its stream, its view, its forms, its odds, its refusals in words, and
its export.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scene import Person, Table, page
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table import playing
from paravent.table.act import Act
from paravent.table.export import export_seen

PROOF = settings(max_examples=8, deadline=None, derandomize=True, phases=[Phase.generate])
BLIND = ("creep", "alarm", "spring")
FACES_OF = playing.faces_of


class Evening:
    """A table whose secrets come from one source of chance and all the rest from another."""

    def __init__(self, secrets: int, eyes: tuple[str, ...]) -> None:
        self.secret = Random(secrets)
        self.table = Table(VEIL)
        self.table.watch = False
        self.ana = self.table.joins("Ana", as_="gm")
        self.bob = self.table.joins("Bob")
        self.cy = self.table.joins("Cy")
        self.zoe = self.table.joins("Zoe", as_="spectator")
        self.public = 0
        self.elya = self._publicly(self.bob, c.AddRecord, sheet={"name": "Elya"})
        self.tarn = self._publicly(self.cy, c.AddRecord, sheet={"name": "Tarn"})
        self.watching = [person for person in self.table.people.values() if person.name in eyes]
        self.pages: dict[str, list[str]] = {person.name: [] for person in self.watching}
        self.hidden: list[str] = []

    def _publicly(self, person: Person, asked: type[c.Command], **values: Any) -> Any:
        """A command that is the same in both evenings; refused alike."""
        self.public += 1
        self.table.seconds = self.public
        try:
            events = self.table.do(person, asked(seat=person.seat, **values), f"public {self.public}")
        except ParaventError as refusal:
            assert refusal.code != "table/rule-failed"  # noqa: PT017
            return None
        return next((event.record for event in events if isinstance(event, e.RecordAdded)), events)

    def _secretly(self, person: Person, asked: type[c.Command], **values: Any) -> Any:
        """A command that only one evening sees: nobody who watches may notice."""
        before = {watcher.name: (self._all_pages(watcher), len(watcher.received)) for watcher in self.watching}
        try:
            label = f"secret {self.secret.random()}"
            self.table.seconds = self.public + self.secret.randint(1, 900) / 1000  # at an hour that is secret too
            events = self.table.do(person, asked(seat=person.seat, **values), label)
        except ParaventError as refusal:
            assert refusal.code != "table/rule-failed"  # noqa: PT017
            return None
        for watcher in self.watching:
            assert before[watcher.name] == (self._all_pages(watcher), len(watcher.received)), (watcher.name, asked)
        return events

    def _all_pages(self, person: Person) -> str:
        """All that a seat could ask for now."""
        numbers = [int(number) for number in person.moves()]
        asked: list[Any] = [person.sees()]
        for number in numbers[-4:]:
            try:
                asked.append([person.form(number), person.odds(number)])
            except ParaventError as refusal:
                asked.append([VEIL.words.error(lang, refusal) for lang in ("fr", "en")])
        return page(asked)

    def looks_round(self) -> None:
        for person in self.watching:
            self.pages[person.name].append(self._all_pages(person))

    def received(self, name: str) -> list[str]:
        log = [e.written(event) for event in self.table.events]
        person = self.table.people[name]
        return [*person.received, *self.pages[name], *export_seen(log, person.seat, VEIL)]

    # What happens publicly; a move is named as Zoe knows it

    def number(self, person: Person, zoes: int) -> int:
        numbers = self.table.state.counts_of(self.zoe.seat).moves
        at = next((at for at, own in numbers.items() if own == zoes), 0)
        return self.table.state.counts_of(person.seat).moves.get(at, 999)

    def kept(self, zoes: int) -> Act | None:
        numbers = self.table.state.counts_of(self.zoe.seat).moves
        return next((self.table.state.moves.get(at) for at, own in numbers.items() if own == zoes), None)

    def happens(self, luck: Random) -> None:
        """One public command, drawn from what is public alone."""
        zoe_knows = self.table.state.counts_of(self.zoe.seat).known
        number = luck.randint(1, max(1, zoe_knows))
        person = luck.choice((self.bob, self.bob, self.cy))
        mine = self.elya if person is self.bob else self.tarn
        match luck.choice(("start", "start", "fill", "throw", "throw", "answer", "end", "say", "edit", "bad", "time")):
            case "start":
                move = luck.choice(("sneak", "sneak", "hunch", "plea", "lend", "duel", "leap", "retry"))
                other = self.tarn if mine == self.elya else self.elya
                cast = {"initiator": [mine]} | {role: [other] for role in ("opponent", "helper")
                                                if role in {r.id for r in VEIL.move(move).cast}}
                self._publicly(person, c.StartMove, move=move, cast=cast)
            case "fill":
                field = luck.choice(("score", "much", "stance", "difficulty", "noise"))
                self._publicly(person, c.Fill, number=self.number(person, number), values={field: luck.randint(0, 4)})
            case "throw":
                self._publicly(person, c.ThrowDice, number=self.number(person, number), grain="n")
            case "answer":
                answer = luck.choice((True, False, "agree", "refuse"))
                self._publicly(luck.choice((self.ana, person)), c.Answer, number=self.number(person, number),
                               answer=answer)
            case "end":
                self.finish(number)
            case "say":
                self._publicly(person, c.Say, text="bonsoir")
            case "edit":
                self._publicly(person, c.EditRecord, record=mine, path=luck.choice(("wounds", "pride", "fate", "body")),
                               value=luck.randint(0, 12))
            case "bad":
                asked: list[tuple[type[c.Command], dict[str, Any]]] = [
                    (c.StartMove, {"move": "duel", "cast": {"initiator": [mine], "opponent": ["nobody"]}}),
                    (c.Fill, {"number": 77, "values": {"score": 1}}),
                    (c.TakeRecord, {"record": "nobody"}),
                    (c.StartMove, {"move": "strike", "encounter": 1}),
                    (c.Accept, {"number": number}), (c.Withdraw, {"number": number}),
                    (c.ThrowDice, {"number": number + 1}),
                ]
                command, values = luck.choice(asked)
                self._publicly(person, command, **values)
            case "time":
                self._publicly(self.ana, c.OpenScene, title="La nuit tombe")

    def finish(self, zoes: int) -> None:
        """The game master brings a move to its end, doing in secret whatever that takes; then all see it closed."""
        kept, number = self.kept(zoes), self.number(self.ana, zoes)
        if kept is not None and kept.move == "sneak" and kept.phase == "open" and kept.throws:
            self._secretly(self.ana, c.Fill, number=number, values={"noise": self.secret.randint(0, 5)})
            self._secretly(self.ana, c.ThrowDice, number=number, grain="secret")
        kept = self.kept(zoes)
        changes = kept.changes if kept is not None else ()
        now = self.table.state.records
        stale = tuple(at for at, change in enumerate(changes) if change.path == "fate"
                      and now[change.target].sheet["fate"] != change.before)
        self._publicly(self.ana, c.Accept, number=self.number(self.ana, zoes), refuse=stale)

    # What happens in secret

    def conspires(self) -> None:
        """One thing the game master does behind the screen."""
        ana, luck = self.ana, self.secret
        zoe_knows = self.table.state.counts_of(self.zoe.seat).known
        match luck.choice(("note", "extra", "edit", "fate", "ambush", "throw", "plot", "difficulty", "whisper",
                           "picture", "portrait", "document", "backdrop", "prepare", "drop", "aside", "draws", "notes",
                           "to come")):
            case "note":
                self._secretly(ana, c.Say, kind="note", text="le traître est Tarn")
            case "extra":
                events = self._secretly(ana, c.AddRecord, kind="extra", sheet={"name": "Espion"})
                self.hidden += [event.record for event in events or () if isinstance(event, e.RecordAdded)]
            case "edit" if self.hidden:
                self._secretly(ana, c.EditRecord, record=luck.choice(self.hidden), path="armour",
                               value=luck.randint(0, 9))
            case "fate":
                self._secretly(ana, c.EditRecord, record=luck.choice((self.elya, self.tarn)), path="fate",
                               value=luck.randint(0, 20))
            case "ambush":
                self._secretly(ana, c.StartMove, move="ambush", cast={"target": self.hidden[:2]})
            case "throw":
                number = self.table.state.counts_of(ana.seat).known
                self._secretly(ana, c.ThrowDice, number=number, grain="x") if self._mine_alone(number) else None
            case "plot":
                self._secretly(ana, c.StartMove, move="plot")
            case "difficulty":
                number = self.number(ana, luck.randint(1, max(1, zoe_knows)))
                self._secretly(ana, c.Fill, number=number, values={"difficulty": luck.randint(-3, 3)})
            case "whisper":
                self._secretly(ana, c.Say, kind="whisper", text="psst", to=(ana.seat,))
            case "picture":
                self._secretly(ana, c.KeepPicture, hash=luck.randbytes(32).hex(), width=4, height=3, size=9)
            case "portrait" if self.hidden:
                self._secretly(ana, c.SetPicture, record=luck.choice(self.hidden), picture=self._a_picture())
            case "document":
                self._secretly(ana, c.KeepDocument, title="Le plan", text=str(luck.random()), picture=self._a_picture(),
                               document=luck.choice(("", *self.table.state.documents)))
            case "prepare":
                self._secretly(ana, c.PrepareScene, title="Le piège", text=str(luck.random()),
                               picture=self._a_picture(), people=tuple(self.hidden[:1]), note="Tarn trahit",
                               hidden=tuple(self.table.state.deck)[:1], first={"act": ()},
                               documents=tuple(self.table.state.documents)[:1],
                               scene=luck.choice(("", *self.table.state.prepared)))
            case "drop" if self.table.state.prepared:
                self._secretly(ana, c.DropScene, scene=luck.choice(list(self.table.state.prepared)))
            case "aside":
                self._secretly(ana, c.PutAside, kind="extra")
            case "draws" if self.table.state.deck:
                events = self._secretly(ana, c.DrawPerson)
                self.hidden += [event.record for event in events or () if isinstance(event, e.RecordAdded)]
            case "notes":
                self._secretly(ana, c.KeepNotes, text=str(luck.random()), about=luck.choice(("", self.zoe.seat)))
            case "to come":
                self._secretly(ana, c.SetAppointment, words="Tarn trahit", minutes=luck.randint(1, 2000))
            case "backdrop":
                self._secretly(ana, c.SetBackdrop, picture=self._a_picture(), seen_by=("gm",))

    def _a_picture(self) -> str:
        return self.secret.choice(("", *self.table.state.pictures))

    def _mine_alone(self, number: int) -> bool:
        at = next((at for at, own in self.table.state.counts_of(self.ana.seat).moves.items() if own == number), 0)
        return at in self.table.state.moves and at not in self.table.state.counts_of(self.zoe.seat).moves


def same(first: list[str], second: list[str]) -> None:
    for one, other in zip(first, second, strict=False):
        assert one == other
    assert len(first) == len(second)


@pytest.fixture(autouse=True)
def _other_blind_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blind dice fall otherwise in each evening, behind the same hash."""

    def faces_of(state: Any, fresh: Any, number: int, step: str, grain: str) -> Any:
        faces = FACES_OF(state, fresh, number, step, grain)
        if step in BLIND and SALT:
            faces._grain += SALT[-1]
        return faces

    monkeypatch.setattr(playing, "faces_of", faces_of)


SALT: list[bytes] = []


@PROOF
@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9))
def test_whatever_the_game_master_hides_nobody_else_receives_another_byte(public: int, one: int, other: int) -> None:
    evenings = []
    for secrets in (one, other):
        SALT[:] = [str(secrets).encode()]
        evening = Evening(secrets, ("Bob", "Cy", "Zoe"))
        luck = Random(public)
        for _ in range(22):
            for _ in range(evening.secret.randint(0, 2)):
                evening.conspires()
            evening.happens(luck)
            evening.looks_round()
        evenings.append(evening)
        SALT.clear()
    for name in ("Bob", "Cy", "Zoe"):
        same(evenings[0].received(name), evenings[1].received(name))


@PROOF
@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.booleans(), st.integers(0, 10**6))
def test_a_sealed_choice_is_the_same_to_everybody_else_until_all_are_in(
    mine: int, other: int, theirs: int, whispered: bool, secrets: int
) -> None:
    evenings = []
    for stance in (mine, other):
        evening = Evening(secrets, ("Ana", "Cy", "Zoe"))
        evening._publicly(evening.bob, c.StartMove, move="duel",
                          cast={"initiator": [evening.elya], "opponent": [evening.tarn]})
        evening.looks_round()
        evening._publicly(evening.bob, c.Fill, number=1, values={"stance": stance})
        evening.looks_round()
        evening._publicly(evening.ana, c.SetDeadline, number=1, policy="cancel")
        evening._publicly(evening.zoe, c.Say, text="?")
        evening._publicly(evening.ana, c.Fill, number=1, values={"stance": theirs})
        evening.looks_round()
        if whispered:  # cancelled: never read
            evening._publicly(evening.ana, c.CloseStep, number=1)
        evening.looks_round()
        evenings.append(evening)
    for name in ("Ana", "Cy", "Zoe"):
        same(evenings[0].received(name), evenings[1].received(name))
    evenings[0]._publicly(evenings[0].cy, c.Fill, number=1, values={"stance": theirs})
    if not whispered:
        assert evenings[0].zoe.move()["fields"][evenings[0].elya]["stance"] == mine


@PROOF
@given(st.lists(st.sampled_from(["psst", "rendez-vous au port", "non"]), max_size=4), st.integers(0, 10**6))
def test_whispers_reach_nobody_else_not_even_as_a_number(whispers: list[str], public: int) -> None:
    evenings = []
    for said in ([], whispers):
        evening = Evening(0, ("Ana", "Zoe"))
        luck = Random(public)
        for at in range(8):
            for text in said[at:at + 1]:
                evening._secretly(evening.bob, c.Say, kind="whisper", text=text, to=(evening.cy.seat,))
            evening.happens(luck)
            evening.looks_round()
        evenings.append(evening)
    for name in ("Ana", "Zoe"):
        same(evenings[0].received(name), evenings[1].received(name))


def test_the_proof_would_notice() -> None:
    """What is revealed makes a difference: the proof looks where there is something to see."""
    evenings = []
    for secrets in (1, 2):
        SALT[:] = [str(secrets).encode()]
        evening = Evening(secrets, ("Zoe",))
        for number in range(1, 6):
            evening._publicly(evening.bob, c.StartMove, move="sneak", cast={"initiator": [evening.elya]})
            evening._publicly(evening.bob, c.ThrowDice, number=number, grain="n")
            evening.looks_round()
        evenings.append(evening)
        SALT.clear()
    same(*(evening.received("Zoe") for evening in evenings))
    for evening in evenings:
        for number in range(1, 6):
            evening._publicly(evening.ana, c.TurnOver, number=number, step="creep")
    assert evenings[0].received("Zoe") != evenings[1].received("Zoe")
