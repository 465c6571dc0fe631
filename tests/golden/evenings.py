"""What was played: an evening of each game, and whatever it takes to leave a move open in every way it can be."""

from collections.abc import Callable
from typing import Any

from tape import Person, Tape

from paravent.game import to_plain

HIDDEN, ALL = ["gm"], ["all"]


class Company:
    """Ana leads; Bob, Cléo and Dan play; Eve watches."""

    def __init__(self, game: str, name: str, options: dict[str, str] | None = None, lang: str = "fr") -> None:
        self.tape = Tape(game, name, options, lang)
        self.ana, self.bob, self.cleo, self.dan, self.eve = self.tape.people.values()

    def comes(self, bob: str, cleo: str, **more: Any) -> tuple[str, str]:
        """Ready-made characters for Bob and Cléo."""
        return self.bob.brings(ready=bob, **more), self.cleo.brings(ready=cleo, **more)

    def sheet(self, ready: str, kind: str = "character") -> Any:
        """The values of a ready-made record."""
        return to_plain(self.tape.system.kinds[kind].ready("fr")[ready])

    def begins(self) -> None:
        """An episode and a scene are opened; words of all kinds, heard by some."""
        ana, bob, cleo = self.ana, self.bob, self.cleo
        ana.does("open-scene", title="Le quart de nuit", kind="episode")
        ana.does("open-scene", title="La coursive")
        ana.does("say", text="La lampe de secours vacille, puis tient bon.", kind="story")
        bob.does("say", text="J'ai entendu quelque chose.", id="ask-1")
        bob.does("say", text="J'ai entendu quelque chose.", id="ask-1")
        cleo.does("say", text="Ne lui dis rien.", kind="whisper", to=[bob.seat])
        ana.does("say", text="Toi seule reconnais l'écriture.", kind="whisper", to=[cleo.seat])
        ana.does("say", text="Ne montez pas par l'échelle.\nElle n'est plus fixée.", title="Une note", kind="handout")
        ana.does("say", text="Le contremaître arrive au tour 3.", kind="note")
        self.eve.asks("say", text="Je ne devrais pas parler.")

    def handles(self, mine: str, hidden: str, path: str, values: tuple[Any, Any]) -> None:
        """Sheets are corrected, shown, given, taken and taken away; some of it is taken back."""
        ana, bob, cleo, dan = self.ana, self.bob, self.cleo, self.dan
        bob.asks("edit-record", record=mine, path=path, value=values[0])
        ana.does("edit-record", record=mine, path=path, value=values[1])
        cleo.asks("edit-record", record=mine, path=path, value=values[0])
        cleo.asks("edit-record", record=hidden, path="name", value="Qui ?")
        ana.does("edit-record", record=hidden, path="name", value="Le veilleur")
        ana.does("show-record", record=hidden, seen_by=[bob.seat])
        ana.does("show-record", record=hidden, seen_by=ALL)
        ana.does("undo-last")
        ana.does("give-record", record=hidden, owner=cleo.seat)
        ana.does("give-record", record=hidden, owner="")
        self.corrects(ana, "handout")
        ana.does("show-record", record=mine, seen_by=[cleo.seat])
        ana.does("show-record", record=mine, seen_by=ALL)
        dan.asks("take-record", record=hidden)

    def corrects(self, who: Person, kind: str) -> None:
        """Take back the last line of this kind that is in the log."""
        lines = self.tape.views[-1][who.seat]["log"]
        for line in reversed(lines):
            if kind in (line.get("kind"), line["type"]) and line["line"].isdigit():
                who.asks("correct", item=int(line["line"]))
                return

    def comes_and_goes(self) -> None:
        """Names change, links change, somebody leaves, is closed out and comes back."""
        ana, bob, dan, eve = self.ana, self.bob, self.dan, self.eve
        bob.does("rename-seat", who=bob.seat, name="Bobine")
        ana.does("renew-link", who=dan.seat)
        dan.does("leave")
        eve.does("play-card")
        ana.does("revoke-link", who=eve.seat)
        ana.does("renew-link", who=eve.seat)
        dan.does("return")
        self.cleo.does("leave")
        self.cleo.does("say", text="Me revoilà.")
        ana.does("add-seat", name="Flo", grade="player")

    def throws_freely(self) -> None:
        """Dice that belong to no game, shown to some."""
        for who, grade in ((self.bob, "open"), (self.cleo, "gm"), (self.dan, "blind"), (self.ana, "hidden")):
            number = who.starts("free-throw", None, {who.seat: {"expression": "3d6+2 # au hasard", "grade": grade}})
            who.throws(number)
            if self.tape.state.move(number)["phase"] == "settled":
                self.ana.accepts(number)
        number = self.ana.starts("free-throw", None, {self.ana.seat: {"expression": "4d6k3"}}, grade="invisible")
        self.ana.throws(number)
        self.ana.does("turn-over", number=self.ana.own(number), step="throw", to=[self.bob.seat])
        self.tape.cut("turned over to one", number)
        self.ana.does("turn-over", number=self.ana.own(number), step="throw")
        self.corrects(self.ana, "throw-turned-over")

    def bends(self, move: str, cast: Any, form: Any, who: Person) -> None:
        """The same move withdrawn, cancelled, narrowed, put off, begun again, asked for, and undone."""
        ana = self.ana
        number = who.starts(move, cast, form)
        who.moves("withdraw", number)
        number = who.starts(move, cast, form)
        ana.moves("cancel", number)
        number = who.starts(move, cast, form)
        ana.moves("set-grade", number, grade="existence-only")
        self.tape.goes_on(number)
        number = ana.starts(move, cast, form, grade="outcome-hidden")
        self.tape.goes_on(number)
        for step in [throw["step"] for throw in self.tape.state.move(number)["throws"]][:1]:
            ana.asks("turn-over", number=ana.own(number), step=step)
            self.tape.cut("turned over", number)
        number = who.starts(move, cast, form)
        ana.moves("set-deadline", number, policy="cancel", seconds=30)
        self.tape.waits(10)
        self.tape.waits(30)
        number = who.starts(move, cast, form)
        ana.moves("set-deadline", number, policy="default", seconds=60)
        self.tape.waits(90)
        ana.asks("restart", number=ana.own(number))
        self.tape.goes_on(number)
        ana.asks("undo", number=ana.own(number))
        ana.does("say", text="On reprend.")


def conteur() -> Tape:
    """La coursive qui siffle."""
    company = Company("conteur", "evening")
    tape, ana, bob, cleo, dan = company.tape, company.ana, company.bob, company.cleo, company.dan
    company.begins()
    maelle, anselme = company.comes("maelle-tisserand", "anselme-ruvier")
    guard = ana.brings(ready="oreste-valdore", seen_by=HIDDEN)
    spare = ana.brings(ready="thea-lorme")
    number = dan.starts("create-character", {"initiator": [dan.seat]}, {dan.seat: {"sheet": company.sheet("yuna-kadiri")}})
    ana.answers(number, "refuse")
    dan.fills(number, sheet={**company.sheet("yuna-kadiri"), "name": "Yuna bis"})
    ana.answers(number, "agree")
    tape.goes_on(number)
    dan.does("take-record", record=spare)
    yuna = ana.brings(ready="yuna-kadiri")
    company.handles(maelle, guard, "energy", (3, 9))
    ana.does("remove-record", record=yuna)
    company.corrects(ana, "record-removed")
    ana.does("remove-record", record=yuna)

    number = bob.starts("throw", {"initiator": [maelle]}, {maelle: {"attribute": "dexterity"}})
    ana.fills(number, difficulty=2)
    bob.fills(number, skill=3)
    bob.fills(number, energy_dice=1)
    bob.throws(number, [1, 9, 8, 10])
    tape.goes_on(number)
    ana.moves("undo", number)

    number = ana.starts("throw", {"initiator": [maelle]}, {"gm": {"hidden": True, "hidden_difficulty": 3}})
    bob.fills(number, attribute="dexterity", skill=3)
    bob.throws(number, [1, 2, 9])
    ana.asks("undo", number=ana.own(number))
    tape.goes_on(number)
    number = ana.starts("throw", {"initiator": [guard]}, {"gm": {"secret": True}})
    ana.fills(number, actor=guard, attribute="dexterity", skill=3)
    ana.throws(number)
    tape.goes_on(number)
    number = bob.starts("hidden-opposed-roll", {"initiator": [maelle], "opponent": [anselme]},
                        {maelle: {"attribute": "social", "skill": 2}})
    cleo.fills(number, attribute="mental", skill=2)
    tape.goes_on(number)
    company.bends("throw", {"initiator": [maelle]}, {maelle: {"attribute": "dexterity", "skill": 3}}, bob)

    ana.does("set-options", options={"opposed_tie": "reroll"})
    number = ana.starts("inflict-wound", {"victim": [anselme]}, {"gm": {"part": "left_arm", "levels": 2}})
    tape.goes_on(number)
    number = ana.starts("start-complex-action", {"initiator": [maelle]}, {
        maelle: {"attribute": "dexterity", "skill": 3, "label": "Remonter la vanne"}, "gm": {"difficulty": 9}})
    tape.goes_on(number)
    for _ in range(2):
        reply = bob.asks("start-move", move="continue-complex-action", cast={"initiator": [maelle]},
                         form={maelle: {"attribute": "dexterity", "skill": 3}}, encounter=1)
        if "number" in reply:
            tape.goes_on(tape.state.moves_started)
    ana.asks("end-encounter", number=1)
    ana.does("ask-move", move="throw", of=[maelle, spare], form={"attribute": "mental", "skill": 2})
    for number in (tape.state.moves_started - 1, tape.state.moves_started):
        tape.goes_on(number)
    company.throws_freely()
    company.comes_and_goes()
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    ana.does("undo-last")
    number = bob.starts("throw", {"initiator": [maelle]}, {maelle: {"attribute": "dexterity", "skill": 3}})
    cleo.asks("start-move", move="eat", cast={"initiator": [anselme]})
    return tape


TAPES: dict[str, Callable[[], Tape]] = {"conteur": conteur}
