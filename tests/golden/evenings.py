"""What was played: an evening of each game, and whatever it takes to leave a move open in every way it can be."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tape import Person, Tape

from paravent.game import to_plain
from paravent.testing.conformance import example_context

HIDDEN, ALL = ["gm"], ["all"]


class Company:
    """Ana leads; Bob, Cléo and Dan play; Eve watches."""

    def __init__(self, game: str, name: str, options: dict[str, str] | None = None, lang: str = "fr",
                 sparse: bool = False) -> None:
        self.tape = Tape(game, name, options, lang, sparse)
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
        self.corrects(ana, "handout")
        ana.does("give-record", record=mine, owner=cleo.seat)
        cleo.does("edit-record", record=mine, path=path, value=values[0])
        ana.does("undo-last")
        ana.does("give-record", record=mine, owner=bob.seat)
        ana.does("show-record", record=mine, seen_by=[cleo.seat])
        ana.does("show-record", record=mine, seen_by=ALL)
        dan.asks("take-record", record=hidden)

    def shows_too_much(self, hidden: str) -> None:
        """What was shown or given is taken back: lines of the log name somebody who is hidden again. From here on, that
        version's page of the evening fails for those who read them."""
        ana, cleo = self.ana, self.cleo
        ana.does("show-record", record=hidden, seen_by=ALL)
        ana.does("undo-last")
        ana.does("give-record", record=hidden, owner=cleo.seat)
        ana.does("give-record", record=hidden, owner="")

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

    def enters(self, move: str, cast: Any, form: Any = None, who: Person | None = None) -> int:
        """Open a move in the latest encounter; nothing if it is over, or has no room for it."""
        who = who or self.ana
        known = self.tape.state.counts_of(who.seat).encounters
        running = [own for at, own in known.items() if not self.tape.state.encounters[at].over]
        reply = who.asks("start-move", move=move, cast=cast, form=form or {}, encounter=max(running, default=1))
        return 0 if "refused" in reply else self.tape.state.moves_started

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
        for which in ("refuse", "amend"):
            number = who.starts(move, cast, form)
            self.tape.goes_on(number, until=("settled",))
            kept = self.tape.state.move(number)
            if kept["phase"] == "settled" and kept["changes"]:
                ana.asks("accept", number=ana.own(number),
                         **({"refuse": [0]} if which == "refuse" else {"amend": {"0": kept["changes"][0]["before"]}}))
            self.tape.goes_on(number)
        ana.does("say", text="On reprend.")


def conteur() -> Tape:
    """La coursive qui siffle."""
    company = Company("conteur", "evening")
    tape, ana, bob, cleo, dan = company.tape, company.ana, company.bob, company.cleo, company.dan
    company.begins()
    maelle, anselme = company.comes("maelle-tisserand", "anselme-ruvier")
    guard = ana.brings(ready="oreste-valdore", seen_by=HIDDEN)
    spare = ana.brings(ready="thea-lorme")
    number = dan.starts("create-character", {"initiator": [dan.seat]},
                        {dan.seat: {"sheet": company.sheet("yuna-kadiri")}})
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
        number = company.enters("continue-complex-action", {"initiator": [maelle]},
                                {maelle: {"attribute": "dexterity", "skill": 3}}, bob)
        if number:
            tape.goes_on(number)
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


def simulacres() -> Tape:
    """L'embarcadère des Brumes."""
    company = Company("simulacres", "evening", lang="en")
    tape, ana, bob, cleo, dan = company.tape, company.ana, company.bob, company.cleo, company.dan
    company.begins()
    nour, isidore = company.comes("nour", "isidore")
    ludmila = dan.brings(draw=True)
    warden = ana.brings(ready="cyprien", seen_by=HIDDEN)
    shadow = ana.brings(ready="tiphaine", seen_by=HIDDEN)
    company.handles(nour, warden, "life_points", (3, 2))
    test = {"component": "body", "means": "perception", "realm": "mechanical"}

    number = bob.starts("simple-test", {"initiator": [nour]}, {nour: {"component": "body"}})
    bob.fills(number, means="perception", realm="mechanical")
    ana.fills(number, difficulty="-2")
    bob.throws(number, [2, 3])
    tape.goes_on(number)
    ana.asks("undo", number=ana.own(number))
    skill = "Plongée sous la glace"
    number = bob.starts("automatic-success", {"initiator": [nour]}, {nour: {"skill": skill}})
    tape.cut("window approval", number)
    ana.answers(number, "refuse")
    number = ana.starts("secret-test", {"initiator": [isidore]},
                        {"gm": {"on_success": "On vous suit.", "on_failure": "Rien."}})
    cleo.fills(number, common="sixth_sense")
    ana.throws(number)
    tape.goes_on(number)
    ana.does("turn-over", number=ana.own(number), step="secret", to=[cleo.seat])
    number = bob.starts("roll-damage", {"initiator": [nour], "opponent": [isidore]}, {
        nour: {"margin": 4, "weapon": "long_sword", "pull": True}})
    tape.goes_on(number)
    number = cleo.starts("resist-poison-or-disease", {"initiator": [isidore]})
    ana.fills(number, virulence=-3)
    cleo.fills(number, value=3)
    cleo.throws(number)
    tape.goes_on(number)
    number = bob.starts("duel", {"initiator": [nour], "opponent": [isidore]}, {nour: {"value": 10}})
    cleo.fills(number, value=6)
    ana.fills(number, hide_values=True)
    tape.goes_on(number)
    company.bends("simple-test", {"initiator": [nour]}, {nour: test}, bob)

    number = ana.starts("create-npc", None, {"gm": {"name": "Sbire", "category": "weak", "trade": "Marin"}})
    tape.goes_on(number)
    number = ana.starts("open-a-fight", {"initiator": [nour, isidore], "opponent": [warden, shadow]})
    tape.goes_on(number)
    ana.does("set-options", options={"criticals": "off", "zero_pv": "dead"})
    for _ in range(2):
        number = company.enters("exchange", {"initiator": [nour, isidore], "opponent": [warden]})
        if not number:
            break
        bob.fills(number, target=warden, weapon="fist_amateur")
        cleo.fills(number, target="opponent", weapon="long_sword", pull=True)
        ana.asks("fill", number=ana.own(number), actor=warden, values={"target": nour})
        ana.asks("close-step", number=ana.own(number))
        ana.asks("throw", number=ana.own(number), nonce="en garde")
        tape.goes_on(number)
    ana.asks("undo", number=ana.own(number))
    company.throws_freely()
    company.comes_and_goes()
    number = ana.starts("dress-wounds", {"initiator": [isidore], "patient": [nour]}, {"gm": {"missing": 1}})
    tape.goes_on(number)
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    ana.does("undo-last")
    ana.does("remove-record", record=ludmila)
    ana.does("ask-move", move="simple-test", of=[nour, isidore], form={"component": "mind"})
    return tape


def solaires() -> Tape:
    """Le cargo qui ne répond pas."""
    company = Company("solaires", "evening", {"edition": "v5"})
    tape, ana, bob, cleo, dan = company.tape, company.ana, company.bob, company.cleo, company.dan
    company.begins()
    cabestan, alidade = company.comes("cabestan", "alidade")
    drawn = dan.brings(draw=True)
    guard = ana.brings(kind="npc", sheet={"name": "Garde", "elements": [{"name": "Vigile", "score": 2}]},
                       seen_by=HIDDEN)
    ana.brings(kind="thing", sheet={"name": "Le cargo"})
    company.handles(cabestan, guard, "points", (2, 3))

    number = _acts(company, cabestan, alidade)
    bob.throws(number, [2, 6, 5])
    bob.answers(number, {"dice": [2]})
    tape.cut("poll", number)
    cleo.answers(number, False)
    dan.answers(number, True)
    bob.answers(number, "stop")
    ana.fills(number, description="Cabestan glisse.")
    tape.goes_on(number)
    number = _acts(company, cabestan, alidade)
    bob.throws(number)
    tape.goes_on(number)
    ana.asks("undo", number=ana.own(number))
    ana.does("set-options", options={"veto": "majority"})
    number = bob.starts("spend-points", {"initiator": [cabestan]}, {cabestan: {"use": "flashback"}})
    ana.fills(number, cost=2)
    tape.cut("poll by most", number)
    for who in (cleo, dan):
        who.answers(number, True)
    tape.goes_on(number)
    number = bob.starts("ask-the-gm", {"initiator": [cabestan]}, {cabestan: {"question": "Qui a menti ?"}})
    ana.fills(number, cost=2)
    for who in (ana, cleo, dan):
        who.asks("answer", number=who.own(number), answer=False)
    ana.fills(number, private=True, answer="le capitaine")
    tape.goes_on(number)
    number = ana.starts("environment-roll", None,
                        {"gm": {"preference": "against_pcs", "hidden": True, "question": "Le tireur ?"}})
    ana.throws(number)
    tape.goes_on(number)
    ana.does("turn-over", number=ana.own(number), step="roll")
    company.bends("action", {"initiator": [cabestan]}, {cabestan: {"goal": "accoster", "method": "au câble"}}, bob)

    number = ana.starts("start-action-scene", {"participant": [cabestan, alidade, guard]}, {"gm": {"first": cabestan}})
    tape.goes_on(number)
    number = company.enters("next-to-act", {}, {"gm": {"next": guard, "intention": "il vise la cuve"}})
    tape.goes_on(number)
    number = company.enters("join-action-scene", {"participant": [drawn]})
    tape.goes_on(number)
    number = company.enters("next-to-act", {}, {"gm": {"next": alidade}})
    tape.goes_on(number)
    company.throws_freely()
    company.comes_and_goes()
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    ana.does("undo-last")
    ana.does("remove-record", record=drawn)
    _acts(company, cabestan, alidade)
    return tape


def _acts(company: Company, mine: str, lent: str) -> int:
    """An action with its difficulty in two hidden parts, and an element that somebody lends."""
    ana, bob, cleo, tape = company.ana, company.bob, company.cleo, company.tape
    number = bob.starts("action", {"initiator": [mine]}, {mine: {"goal": "accoster le sas"}})
    bob.moves("join", number, role="helper", names=[lent])
    ana.fills(number, on_success="le sas s'aligne", on_failure="le câble se prend", intrinsic=-2, scenario_interest=1,
              gm_notes="le sas est piégé", effects={"3": "+du temps gagné"}, secret_effects={"2": "la passerelle cède"})
    bob.fills(number, element=3, typical=True)
    items = tape.state.records[lent].sheet["equipment"]
    cleo.fills(number, lent=items[0]["name"] if items else 2)
    cleo.asks("answer", number=cleo.own(number), answer="agree")
    ana.asks("answer", number=ana.own(number), answer="agree")
    return number


def empire() -> Tape:
    """Le quai des marges."""
    company = Company("empire", "evening", lang="en")
    tape, ana, bob, cleo, dan = company.tape, company.ana, company.bob, company.cleo, company.dan
    company.begins()
    solveig, bastien = company.comes("solveig", "bastien")
    maelis = ana.brings(ready="maelis")
    dan.does("take-record", record=maelis)
    commander = ana.brings(kind="npc", ready="commander", seen_by=HIDDEN)
    sentry = ana.brings(kind="npc", ready="sentry", seen_by=HIDDEN)
    company.handles(solveig, commander, "credits", (100, 200))
    test = {"skill": "46", "characteristic": "intelligence", "column": "precise"}

    number = bob.starts("skill-test", {"initiator": [solveig]}, {solveig: {"skill": "46"}})
    bob.fills(number, characteristic="intelligence", column="precise")
    ana.fills(number, difficulty="hard", handed=True)
    bob.throws(number, [2, 3, 1, 4, 5, 6])
    tape.goes_on(number)
    number = bob.starts("destiny-roll", {"initiator": [solveig]}, {solveig: {
        "dice": 4, "characteristic": 10, "level": 2}})
    tape.cut("window veto", number)
    ana.answers(number, "refuse")
    number = bob.starts("destiny-roll", {"initiator": [solveig]}, {solveig: {
        "dice": 4, "characteristic": 10, "level": 2}})
    ana.answers(number, "agree")
    tape.goes_on(number)
    number = bob.starts("single-argument", {"initiator": [solveig], "opponent": [bastien]})
    ana.asks("fill", number=ana.own(number), values={"relation": "neutral"})
    bob.asks("fill", number=bob.own(number), values={"manner": "seduction"})
    cleo.asks("fill", number=cleo.own(number), values={"manner": "logic"})
    tape.goes_on(number)
    number = ana.starts("loyalty-test", {"initiator": [bastien]}, {"gm": {"ally_role": "informant"}})
    ana.throws(number)
    tape.goes_on(number)
    number = ana.starts("haggle", {"initiator": [solveig]}, {solveig: {
        "characteristic": 9, "level": 2, "charm": 10, "grade": 3, "price": 2000}, "gm": {"against": 2, "renewals": 1}})
    tape.goes_on(number)
    number = cleo.starts("bribe", {"initiator": [bastien]}, {
        bastien: {"characteristic": 9, "level": 2, "grade": 3}})
    ana.fills(number, target_grade=1, tech_level=4, politics_row=9)
    tape.goes_on(number)
    number = ana.starts("infection-check", {"initiator": [solveig]}, {"gm": {"trigger": "cold"}})
    tape.goes_on(number)
    company.bends("skill-test", {"initiator": [solveig]}, {solveig: test}, bob)

    number = ana.starts("generate-world", None, {"gm": {"name": "Ixe"}})
    tape.goes_on(number)
    number = ana.starts("start-fight", {"initiator": [solveig, bastien], "opponent": [sentry]})
    tape.goes_on(number)
    ana.does("set-options", options={"parry_riposte": "no"})
    for _ in range(2):
        number = company.enters("combat-exchange", {"initiator": [solveig], "opponent": [sentry]})
        if not number:
            break
        bob.asks("fill", number=bob.own(number), values={"attitude": "attack"})
        ana.asks("fill", number=ana.own(number), actor=sentry, values={"attitude": "parry"})
        tape.goes_on(number)
    ana.asks("undo", number=ana.own(number))
    company.throws_freely()
    company.comes_and_goes()
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    ana.does("undo-last")
    ana.does("remove-record", record=maelis)
    ana.does("ask-move", move="skill-test", of=[solveig, bastien], form={"skill": "46"})
    return tape


def fanal() -> Tape:
    """A stranger's game: two keepers, a night of watch."""
    company = Company("fanal", "evening")
    tape, ana, bob, cleo = company.tape, company.ana, company.bob, company.cleo
    company.begins()
    maelis, odon = company.comes("maelis", "odon")
    wrecker = ana.brings(sheet={**company.sheet("odon"), "name": "Le naufrageur"}, seen_by=HIDDEN)
    company.handles(maelis, wrecker, "flasks", (1, 3))
    number = bob.starts("signal", {"initiator": [maelis]})
    bob.fills(number, craft="lamp")
    ana.fills(number, fog=9)
    bob.throws(number, [2, 6, 4, 1, 8, 3])
    tape.goes_on(number)
    ana.asks("undo", number=ana.own(number))
    number = bob.starts("duel-of-lights", {"initiator": [maelis], "opponent": [odon]}, {maelis: {"craft": "lamp"}})
    cleo.fills(number, craft="horn")
    tape.goes_on(number)
    company.bends("signal", {"initiator": [maelis]}, {maelis: {"craft": "lamp"}}, bob)
    number = ana.starts("begin-watch")
    ana.fills(number, shoals=2, fog=6)
    tape.goes_on(number)
    ana.does("set-options", options={"crack": "one"})
    for _ in range(3):
        number = company.enters("watch", {"initiator": [maelis]}, {maelis: {"craft": "lamp", "oil": 0}})
        if not number:
            break
        tape.goes_on(number)
    ana.asks("undo", number=ana.own(number))
    company.throws_freely()
    company.comes_and_goes()
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    ana.does("undo-last")
    bob.starts("signal", {"initiator": [maelis]}, {maelis: {"craft": "lamp"}})
    return tape


def veil() -> Tape:
    """The tests' own game, for ways of standing open that no real game has together."""
    company = Company("veil", "evening")
    tape, ana, bob, cleo, dan = company.tape, company.ana, company.bob, company.cleo, company.dan
    elya = bob.brings(sheet={"name": "Elya", "body": 5})
    tarn = cleo.brings(sheet={"name": "Tarn", "pride": 2})
    spy = ana.brings(kind="extra", sheet={"name": "Spy", "armour": 2}, seen_by=HIDDEN)
    company.begins()
    company.handles(elya, spy, "wounds", (1, 2))
    number = bob.starts("act", {"initiator": [elya]}, {elya: {"score": 1, "again": True}})
    bob.throws(number, [6, 6, 1])
    bob.answers(number, True)
    tape.goes_on(number)
    number = bob.starts("duel", {"initiator": [elya], "opponent": [tarn]})
    bob.fills(number, stance=2)
    tape.cut("sealed", number)
    cleo.fills(number, stance=1)
    bob.throws(number)
    tape.goes_on(number)
    number = bob.starts("duel", {"initiator": [elya], "opponent": [tarn]})
    bob.fills(number, stance=3)
    ana.moves("cancel", number)
    number = bob.starts("plea", {"initiator": [elya]})
    bob.throws(number)
    tape.cut("poll", number)
    for who in (ana, cleo, dan):
        who.answers(number, False)
    tape.goes_on(number)
    number = bob.starts("lend", {"initiator": [elya], "helper": [tarn]}, {elya: {"much": 2}})
    tape.cut("window consent", number)
    cleo.answers(number, "refuse")
    bob.fills(number, much=1)
    cleo.answers(number, "agree")
    tape.goes_on(number)
    number = bob.starts("retry", {"initiator": [elya]}, {elya: {"much": 3}})
    bob.throws(number)
    tape.cut("window after a throw", number)
    ana.answers(number, "refuse")
    tape.cut("begun again", number)
    bob.asks("fill", number=bob.own(number), values={"much": 4})
    bob.throws(number)
    ana.answers(number, "agree")
    tape.goes_on(number)
    number = bob.starts("sneak", {"initiator": [elya]}, {elya: {"score": 0}})
    ana.fills(number, difficulty=-3)
    bob.throws(number)
    tape.cut("ask after a result", number)
    tape.goes_on(number)
    ana.asks("turn-over", number=ana.own(number), step="creep", to=[bob.seat])
    number = bob.starts("hunch", {"initiator": [elya]})
    ana.fills(number, difficulty=1)
    bob.throws(number)
    tape.goes_on(number)
    number = ana.starts("ambush", {"target": [elya, tarn]})
    tape.goes_on(number)
    company.bends("act", {"initiator": [elya]}, {elya: {"score": 3}}, bob)
    number = ana.starts("brawl", {"initiator": [elya, tarn]})
    tape.goes_on(number)
    number = ana.starts("plot")
    tape.goes_on(number)
    for who, mine in ((bob, elya), (cleo, tarn)):
        number = company.enters("strike", {"initiator": [mine]}, {mine: {"score": 1}}, who)
        if number:
            tape.goes_on(number)
    number = dan.starts("create", {"initiator": [dan.seat]}, {dan.seat: {"called": "Mira"}})
    tape.goes_on(number)
    number = cleo.starts("remind", {"initiator": [tarn]})
    tape.goes_on(number)
    company.throws_freely()
    company.comes_and_goes()
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    ana.does("undo-last")
    number = ana.starts("pass-time", None, {"gm": {"time_span": "night"}})
    tape.goes_on(number)
    bob.starts("duel", {"initiator": [elya], "opponent": [tarn]}, {elya: {"stance": 1}})
    tape.cut("a sealed field at the end", tape.state.moves_started)
    company.shows_too_much(spy)
    return tape


def older() -> Tape:
    """Moves that were begun with an earlier version of the game, and go on with this one or begin again."""
    company = Company("veil", "older", sparse=True)
    tape, ana, bob, cleo = company.tape, company.ana, company.bob, company.cleo
    tape.plays_version("0")
    elya = bob.brings(sheet={"name": "Elya", "body": 5})
    tarn = cleo.brings(sheet={"name": "Tarn", "pride": 2})
    closed = bob.starts("leap", {"initiator": [elya]})
    bob.throws(closed)
    filling = bob.starts("lend", {"initiator": [elya], "helper": [tarn]})
    sealed = bob.starts("duel", {"initiator": [elya], "opponent": [tarn]}, {elya: {"stance": 2}})
    ready = cleo.starts("act", {"initiator": [tarn]})
    asked = bob.starts("act", {"initiator": [elya]}, {elya: {"score": 1, "again": True}})
    bob.throws(asked, [6, 6, 1])
    settled = cleo.starts("act", {"initiator": [tarn]}, {tarn: {"score": 0}})
    cleo.throws(settled, [6, 6, 6])
    tape.plays_version("1")
    ana.does("say", text="La maison est à jour.")
    for name, number in {"filling": filling, "sealed": sealed, "before the throw": ready, "question": asked,
                         "settled": settled}.items():
        tape.cut(f"an older rule, {name}", number)
    ana.moves("restart", ready)
    tape.looks()
    for number in (filling, sealed, asked, settled, tape.state.moves_started):
        tape.goes_on(number)
        tape.looks()
    ana.asks("undo", number=ana.own(settled))
    return tape


def every_move(game: str) -> Tape:
    """Each move of a game, as one of its examples has it, one after the other at one table."""
    company = Company(game, "every-move", sparse=True)
    tape, ana = company.tape, company.ana
    for name, examples in tape.system.examples.items():
        move = tape.system.move(name)
        example = next((one for one in examples if one.get("sheets") and one.get("encounter") is None), examples[0])
        if move.encounter or example.get("encounter") is not None:
            continue
        if example.get("options"):
            ana.does("set-options", options=dict(example["options"]))
        ctx = example_context(tape.system, name, example)
        who = ana if move.by == "gm" else company.bob
        cast: dict[str, list[str]] = {}
        form: dict[str, dict[str, Any]] = {}
        for actor in ctx.actors:
            if actor.role == "gm":
                continue
            holder = company.bob if actor.role == move.by else ana if len(cast) % 2 else company.cleo
            held = holder.seat
            if actor.record is not None:
                kind = next(kind.id for kind in tape.system.kinds.values() if type(actor.record) is kind.cls)
                held = ana.brings(kind=kind, sheet=to_plain(actor.record), owner=holder.seat, seen_by=ALL)
            cast.setdefault(actor.role, []).append(held)
            form[held] = to_plain(dict(actor.filled))
        form["gm"] = to_plain(dict(ctx.one("gm").filled))
        if "refused" in who.asks("start-move", move=name, cast=cast):
            continue
        number = tape.state.moves_started
        tape.cut(f"move {name}", number)
        for held, values in form.items():
            for field, value in values.items():
                for seat in sorted(tape.state.eyes.controllers(held) or {ana.seat}):
                    person = tape.person(seat)
                    person.asks("fill", number=person.own(number), actor=held, values={field: value})
        tape.looks()
        tape.goes_on(number)
        tape.looks()
    return tape


EVENINGS = (conteur, simulacres, solaires, empire, fanal, veil)
TAPES: dict[str, Callable[[], Tape]] = {
    **{f"{story.__name__}/evening": story for story in EVENINGS},
    "veil/older": older,
    **{f"{game}/every-move": partial(every_move, game)
       for game in ("conteur", "simulacres", "solaires", "empire", "fanal")},
}
