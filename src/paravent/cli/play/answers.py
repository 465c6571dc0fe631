"""Windows, dice and choices: what a move waits for once its form is filled in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from paravent.cli import facts, forms, show
from paravent.cli.terminal import Back, Item
from paravent.dice import Choice, Take, Wanted, plain
from paravent.dice.errors import ParaventError
from paravent.game.move import AnyResolve, Window
from paravent.game.open_move import AGREE, REFUSE
from paravent.game.view import context_seen

from .fields import Fields


class Answers(Fields):
    """A word, a throw or an answer from whoever has the screen."""

    def answer_window(self, number: int, window: Window) -> None:
        """Agree or object."""
        self.page.title(self.say(f"window-{window.kind}", move=self._move_title(number)))
        self.known_fields(number)
        items = [Item(AGREE, AGREE, self.say("agree")), Item(REFUSE, REFUSE, self.say("refuse"))]
        self.session.answer(self.seat, number, self.terminal.choose(self.say("your-word"), items, 0))

    def throw(self, number: int, rule: AnyResolve) -> None:
        """Show the odds this seat may see, then throw, type real dice, look further or go back."""
        self.page.title(self._move_title(number))
        self.known_fields(number)
        certain = self.odds(number, rule, "usual")
        items = list(self._ways_on(rule, certain))
        while isinstance(chosen := self.terminal.choose(self.say("what-now"), items, 0), tuple):
            self.odds(number, rule, chosen[1])
        if chosen == "withdraw":
            raise Back
        if chosen == "change":
            self.change_field(number)
            return
        self.session.throw(self.seat, number, by_hand=chosen == "type")
        self.show_throw(number, rule.id)

    def _ways_on(self, rule: AnyResolve, certain: bool) -> Iterator[Item]:
        """What one may do before a throw; where only one thing can happen, there are no dice and no odds to ask for."""
        yield Item("throw", "throw", self.say("go-on" if certain else "throw"))
        if not certain:
            if not rule.blind:
                yield Item("type", "type", self.say("type-dice"))
            policies = dict.fromkeys([*rule.policies, *(["best"] if rule.success is not None else [])])
            for name in policies:
                if name != "usual":
                    words = facts.policy_words(self.tell, name)
                    yield Item(("policy", name), name, self.say("odds-with", policy=words))
        yield Item("change", "change", self.say("change"))
        yield Item("withdraw", "withdraw", self.say("withdraw"))

    def odds(self, number: int, rule: AnyResolve, policy: str) -> bool:
        """The exact odds, never from what the seat may not see; True when only one thing can happen."""
        try:
            weighed = self.session.odds(self.seat, number, policy)
        except ParaventError as error:
            self.refused(error)
            return False
        if weighed is None:
            self.page.line(self.say("odds-withheld"), style="dim")
            return False
        if len(weighed) == 1 and all(len(of) == 1 for of in weighed.values()):
            return True
        for value, of in weighed.items():
            if value is not None:
                supposed = " · ".join(self.say("if-it-is", what=what, value=self.tell.value(one))
                                      for what, one in self._probed(number, value))
                self.page.line(supposed, style="bold")
            show.weighed(self.page, facts.weighed(self.tell, rule, of), gap=False)
        return False

    def _probed(self, number: int, value: Any) -> list[tuple[str, Any]]:
        """The fields whose likely values the odds are given for, with what is supposed of each."""
        if type(value) is tuple:  # a value may be a tuple with names: that is one value
            return [(self.tell.title(f"fields.{name}"), one) for name, one in value]
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        names = [asked.id for actor in ctx.actors for asked in ctx.move.fields
                 if asked.role == actor.role and asked.id in actor.withheld and asked.probes]
        return [(self.tell.title(f"fields.{names[0]}") if names else "", value)]

    def throw_by_hand(self, number: int, wanted: Wanted) -> None:
        """Type the faces of real dice."""
        self.turn_of(self.session.waits_for(number))
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        who = self.tell.part(ctx, wanted.role)
        text = self.terminal.line(self.say("type-faces", n=wanted.n, sides=wanted.sides, who=who))
        self.session.answer(self.seat, number, forms.faces(text))
        self.show_throw(number)

    def answer_choice(self, number: int, choice: Choice) -> None:
        """Answer what a rule asks in its middle; dice may be named by number."""
        self.turn_of(self.session.waits_for(number))
        self.page.title(self.tell.choice(choice))
        tray = self._tray(number) if any(isinstance(one, Take) for one in choice.options) else []
        if tray:
            self.page.line(self.say("dice-by-number", dice="   ".join(f"d{at}: {face}" for at, face in tray)))
        items = [Item(option, str(plain(option)), self.tell.option(choice, option)) for option in choice.options]
        usual = choice.options.index(choice.usual) if choice.usual in choice.options else 0
        self.terminal.listed(items)
        text = self.terminal.line(self.say("your-answer"), str(usual + 1))
        answer: Any
        if tray and text[:1] == "d" and text[1:].replace(",", "").replace(" ", "").isdigit():
            answer = {"dice": forms.faces(text[1:])}
        elif not text:
            answer = choice.usual
        else:
            found = self.terminal.meant(items, text)
            answer = forms.meant(self.tell, choice, text) if found is None else found.value
        self.session.answer(self.seat, number, answer)
        self.show_throw(number)

    def _tray(self, number: int) -> list[tuple[int, int]]:
        """The faces thrown so far that this seat may see, numbered in the order thrown."""
        throws = self._view(number).get("throws", [])
        faces = [face for one in (throws[-1].get("dice", []) if throws else []) for face in one["faces"]]
        return list(enumerate(faces, start=1))
