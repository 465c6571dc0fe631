"""Throws: the odds before them, dice thrown or typed in, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from msgspec import UNSET

from paravent.cli import facts, forms
from paravent.cli import show as laid_out
from paravent.cli.terminal import Back, MenuItem
from paravent.dice import Wanted
from paravent.dice.errors import ParaventError
from paravent.game.errors import STUMBLES, MissingField
from paravent.game.move import AnyResolve
from paravent.game.telling import Teller
from paravent.table.open_move import OpenMove
from paravent.table.seen import DiceSeen, ThrowSeen

from . import form
from .screen import Screen


class Way(NamedTuple):
    """A way on from before a throw; to look at other odds, the policy they are worked out with."""

    on: str
    policy: str = ""


def throw(screen: Screen, op: OpenMove, rule: AnyResolve, fields: form.Form) -> None:
    """Show the odds this seat may see, then throw, type real dice, look further, change a field or go back."""
    lacking = _lacking(screen, op)
    screen.turn_of(lacking)
    screen.page.title(screen.title_of(op))
    form.show(screen, op.id)
    certain = odds(screen, op, rule, "usual")
    items = list(_ways_on(screen, rule, certain))
    if lacking:  # what can only be refused is not offered
        items = [item for item in items if item.value.on in ("change", "withdraw")]
    while (chosen := screen.terminal.choose(screen.say("what-now"), items, 0)).policy:
        odds(screen, op, rule, chosen.policy)
    match chosen.on:
        case "withdraw":
            raise Back
        case "change":
            fields.change(op)
        case on:
            screen.table.throw(screen.seat, op.id, by_hand=on == "type")
            show(screen, op.id, rule.id)


def _ways_on(screen: Screen, rule: AnyResolve, certain: bool) -> Iterator[MenuItem[Way]]:
    """What one may do before a throw; where only one thing can happen, there are no dice and no odds to ask for."""
    yield MenuItem(Way("throw"), "throw", screen.say("go-on" if certain else "throw"))
    if not certain:
        if not rule.blind:
            yield MenuItem(Way("type"), "type", screen.say("type-dice"))
        policies = dict.fromkeys([*rule.policies, *(["best"] if rule.success is not None else [])])
        for name in policies:
            if name != "usual":
                words = facts.policy_words(screen.tell, name)
                yield MenuItem(Way("odds", name), name, screen.say("odds-with", policy=words))
    yield MenuItem(Way("change"), "change", screen.say("change"))
    yield MenuItem(Way("withdraw"), "withdraw", screen.say("withdraw"))


def odds(screen: Screen, op: OpenMove, rule: AnyResolve, policy: str) -> bool:
    """The exact odds, never from what the seat may not see; True when only one thing can happen."""
    try:
        weighed = screen.table.odds(screen.seat, op.id, policy)
    except ParaventError as error:
        screen.refused(error)
        return False
    alone = screen.table.odds_alone(screen.seat, op.id) if weighed is None else None
    if alone is not None:
        screen.page.line(screen.say("odds-alone"), style="dim")
        rule, weighed = alone
    if weighed is None:
        screen.page.line(screen.say("odds-withheld"), style="dim")
        return False
    if alone is None and len(weighed) == 1 and all(len(of) == 1 for of in weighed.values()):
        return True
    if alone is None and None in weighed and policy == "usual":
        _needed(screen, op, rule)
    for value, of in weighed.items():
        if value is not None:
            screen.page.line(_supposed(screen, op, value), style="bold")
        laid_out.weighed(screen.page, facts.weighed(screen.tell, rule, of), gap=False)
    return False


def _lacking(screen: Screen, op: OpenMove) -> frozenset[str]:
    """Those who have still to say something that the rule cannot do without."""
    try:
        screen.table.odds(screen.seat, op.id, "usual")
    except MissingField as error:
        return frozenset[str]().union(*(screen.table.controllers(actor.id) for actor in op.cast
                                        if error.role in (actor.role, actor.id)))
    except ParaventError:
        pass
    return frozenset()


def _needed(screen: Screen, op: OpenMove, rule: AnyResolve) -> None:
    """What the dice must do, as far as the seat may know."""
    with suppress(ParaventError, *STUMBLES):
        ctx = screen.table.sight(screen.seat).context(op)
        said = rule.needed(ctx) if rule.needed is not None else None
        if said is not None:
            screen.page.line(screen.tell.telling(said, ctx), style="bold")


def _supposed(screen: Screen, op: OpenMove, value: object) -> str:
    """What is supposed of the fields that the seat may not see, where odds are given for it."""
    tell = screen.tell
    if type(value) is tuple:  # a value may be a tuple with names: that is one value
        pairs = [(tell.title(f"fields.{name}"), one) for name, one in value]
    else:
        ctx = screen.table.sight(screen.seat).context(op)
        names = [asked.id for actor in ctx.actors for asked in ctx.move.fields
                 if asked.role == actor.role and asked.id in actor.withheld and asked.probes]
        pairs = [(tell.title(f"fields.{names[0]}") if names else "", value)]
    return " · ".join(screen.say("if-it-is", what=what, value=tell.value(one)) for what, one in pairs)


def type_in(screen: Screen, op: OpenMove, wanted: Wanted) -> None:
    """Type the faces of real dice."""
    screen.turn_of(screen.table.waits_for(op.id))
    who = screen.tell.part(screen.table.sight(screen.seat).context(op), wanted.role)
    text = screen.terminal.line(screen.say("type-faces", n=wanted.n, sides=wanted.sides, who=who))
    screen.table.answer(screen.seat, op.id, forms.faces(text))
    show(screen, op.id)


# What came of it


def _seen(screen: Screen, number: int, step: str = "") -> ThrowSeen | None:
    """The latest throw (of one step) that the seat may know of."""
    seen = screen.table.seen_move(screen.seat, number)
    throws = [one for one in seen.throws if step in ("", one.step)] if seen is not None else []
    return throws[-1] if throws else None


def tray(screen: Screen, number: int) -> list[tuple[int, int]]:
    """The faces thrown so far that the seat may see, numbered in the order thrown."""
    thrown = _seen(screen, number)
    dice = thrown.dice or () if thrown is not None else ()
    return list(enumerate((face for one in dice for face in one.faces), start=1))


def show(screen: Screen, number: int, step: str = "") -> None:
    """The latest throw (of one step): dice, outcome and explanation, as far as the seat may see them."""
    thrown = _seen(screen, number, step)
    if thrown is None:
        screen.page.line(screen.say("thrown-unseen"), style="dim")
    else:
        _show_dice(screen, number, thrown.dice or ())
        _show_result(screen, thrown, screen.teller_of(number))
    screen.page.console.print()


def _show_dice(screen: Screen, number: int, dice: tuple[DiceSeen, ...]) -> None:
    if dice:
        ctx = screen.table.sight(screen.seat).context(screen.table.moves[number])
        screen.page.head(screen.page.say("dice"))
        thrown = [(screen.tell.part(ctx, one.role), one.sides, one.faces) for one in dice]
        laid_out.dice(screen.page, screen.tell, thrown)


def _show_result(screen: Screen, thrown: ThrowSeen, tell: Teller) -> None:
    """How it ended, unless the account says it in the same words; what is told; why."""
    page = screen.page
    if isinstance(thrown.outcome, str):
        page.head(page.say("result"))
        outcome = tell.outcome(thrown.outcome, None if thrown.result is UNSET else thrown.result)
        if not any(said.main for said in thrown.told or ()) and not any(
                line.startswith(outcome) for line in screen.unread()):
            page.line(outcome, style="bold")
    screen.news()
    if thrown.why:
        page.head(page.say("why"))
        page.grid([(note.rule, tell.why(note.key, note.values.items())) for note in thrown.why],
                  ("cyan", ""), fixed=(0,))
