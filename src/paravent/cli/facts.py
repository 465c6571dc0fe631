"""What each command answers, as plain values: ``--json`` prints it, :mod:`paravent.cli.show` lays it out.

The keys are public and documented in ``docs/cli.md``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

from paravent.dice import Answered, Noted, Odds, PlayedDice, fraction_text, plain, record_to_json
from paravent.dice.errors import ParaventError
from paravent.game.asking import field_facts, usual_of
from paravent.game.errors import BrokenSystem, MissingField, UnknownName
from paravent.game.move import AnyField, AnyResolve, Ask, Context, Move, Resolve, Telling, missing
from paravent.game.records import AnyKind, apply, to_plain
from paravent.game.rulebook import Rule, Rulings
from paravent.game.running import Ran, run
from paravent.game.system import System, fill_all, find_system, system_names
from paravent.game.telling import Teller, success_of
from paravent.game.words import in_language

from .errors import NothingToWeigh
from .forms import Answers, Later, form_to_json

R = TypeVar("R", bound=Hashable)
Facts = dict[str, Any]
_MOST_BRANCHES = 2000


# What there is


def systems(lang: str) -> Facts:
    """The games installed."""
    found, broken = [], []
    for name in system_names():
        try:
            found.append(system(find_system(name), lang))
        except BrokenSystem as error:
            broken.append({"id": name, "why": error.values["why"]})
    return {"systems": found, "broken": broken}


def system(found: System, lang: str) -> Facts:
    """One game in a few lines."""
    tell = Teller(lang, found)
    return {
        "id": found.id,
        "name": tell.say("system.name"),
        "tagline": tell.say("system.tagline"),
        "description": tell.say("system.description"),
        "version": found.version,
        "moves": list(found.moves),
        "kinds": list(found.kinds),
        "notice": in_language(found.notice, lang) if found.notice else "",
    }


def moves(found: System, lang: str) -> Facts:
    """The moves of a game."""
    tell = Teller(lang, found)
    return {"system": found.id, "moves": [_move_line(tell, move) for moves in found.groups.values() for move in moves]}


def _move_line(tell: Teller, move: Move) -> Facts:
    return {
        "id": move.id,
        "title": tell.title(f"moves.{move.id}"),
        "help": tell.help(f"moves.{move.id}"),
        "by": move.by,
        "encounter": move.encounter,
        "group": tell.group(move.group),
        "rules": list(move.rules),
    }


def move(found: System, name: str, lang: str) -> Facts:
    """One move: who takes part, what is asked."""
    tell = Teller(lang, found)
    declared = found.move(name)
    ctx = found.context(declared, {})
    policies = dict.fromkeys(name for step in declared.resolves for name in step.policies)
    return {
        "system": found.id,
        **_move_line(tell, declared),
        "cast": [
            {"id": role.id, "title": tell.role(role.id), "least": role.least, "most": role.most, "record": role.record}
            for role in declared.cast
        ],
        "fields": [_field(tell, declared, ctx, asked, step, after) for asked, step, after in _asked(declared)],
        "policies": [{"id": one, "title": policy_words(tell, one)} for one in {"usual": 0, "best": 0, **policies}],
        "vary": next((step.vary for step in declared.resolves if step.vary), ""),
        "forecast": declared.forecast is not None,
    }


def policy_words(tell: Teller, name: str) -> str:
    """What a way of answering choices is called."""
    return tell.say(f"policies.{name}") if tell.words.find(tell.lang, f"policies.{name}") else tell.say(f"cli.{name}")


def _asked(declared: Move) -> Iterator[tuple[AnyField, str, bool]]:
    """Every field, with the step that asks it and whether a result is known by then: what only sums up before the dice
    is none."""
    after = False
    for at, step in enumerate(declared.steps):
        dice_ahead = any(isinstance(other, Resolve) and not other.auto for other in declared.steps[at + 1:])
        after = after or (isinstance(step, Resolve) and not (step.auto and dice_ahead))
        if isinstance(step, Ask):
            for asked in step.fields:
                yield asked, step.id, after


def _field(tell: Teller, declared: Move, ctx: Context, asked: AnyField, step: str, after: bool) -> Facts:
    about = field_facts(asked, ctx)
    return {
        "id": asked.id,
        "title": tell.title(f"fields.{asked.id}"),
        "help": tell.help(f"fields.{asked.id}"),
        "role": asked.role,
        "accepts": about.to_json(),
        "accepts_words": tell.expected(asked.type, ctx, typed=True),
        "required": not asked.has_usual(),
        "default": usual_of(asked, ctx) if asked.has_usual() else None,
        "secrecy": asked.secrecy,
        "step": step,
        "after_result": after,
        "rule": asked.rule,
    }


def rules(found: System, lang: str) -> Facts:
    """The numbered rules of a game."""
    return {"system": found.id, "source": str(found.book.data("rules").get("source", "")),
            "rules": [_rule(found, one, lang) for one in found.book.rules.values()]}


def rule(found: System, rule_id: str, lang: str) -> Facts:
    """One rule, with the decisions taken where its text is silent."""
    return {"system": found.id, **_rule(found, found.book.find(rule_id), lang)}


def _rule(found: System, one: Rule, lang: str) -> Facts:
    decided = {row["id"]: row for row in found.book.data("rulings").get("ruling", [])}
    return {
        "id": one.id,
        "kind": one.kind,
        "title": in_language(one.title, lang),
        "text": in_language(one.text, lang),
        "source": one.source,
        "option": one.option,
        "rulings": [_ruling(decided[name], lang) for name in one.rulings if name in decided],
    }


def _ruling(row: Facts, lang: str) -> Facts:
    words = {part: in_language(row[part], lang) if row.get(part) else "" for part in ("question", "default", "why")}
    return {"id": row["id"], "option": row.get("option", ""), **words}


def tables(found: System, lang: str) -> Facts:
    """The printed tables of a game."""
    every = [found.tables[name] for name in found.tables]
    return {"system": found.id, "tables": [
        {"name": one.name, "title": in_language(one.title, lang), "rules": list(one.rules)} for one in every
    ]}


def table(found: System, name: str, lang: str) -> Facts:
    """One table, with its cells as identifiers and in words."""
    one = found.tables[name]
    return {"system": found.id, **one.to_json(lang), "source": one.source,
            "words": [[one.word(cell, lang) for cell in row] for row in one.rows]}


def options(found: System, lang: str) -> Facts:
    """What a table may settle otherwise."""
    return {"system": found.id, "options": [
        {
            "key": one.key,
            "title": in_language(one.title, lang),
            "question": in_language(one.question, lang),
            "default": one.default,
            "values": [{"value": value, "words": in_language(one.words[value], lang)} for value in one.values],
            "rule": one.rule,
            "ruling": one.ruling,
        }
        for one in found.book.options.values()
    ]}


def advice(found: System, lang: str) -> Facts:
    """Advice to the game master, and the first evening."""
    tell = Teller(lang, found)
    evening = [{
        "id": beat.id, "title": tell.title(f"evening.{beat.id}"), "move": beat.move, "options": dict(beat.options),
        "help": tell.words.entry(lang, f"evening.{beat.id}", "gm") or tell.help(f"evening.{beat.id}"),
    } for beat in found.first_evening]
    return {"system": found.id, "advice": found.book.advice(lang), "first_evening": evening}


def ready_list(found: System, lang: str) -> Facts:
    """The ready-made records and the kinds that can be drawn."""
    tell = Teller(lang, found)
    return {"system": found.id, "kinds": [
        {
            "kind": kind.id,
            "title": tell.title(f"kinds.{kind.id}"),
            "drawn": kind.draw is not None or kind.grown is not None,
            "ready": [{"id": name, "name": str(getattr(one, "name", name))} for name, one in kind.ready(lang).items()],
        }
        for kind in found.kinds.values()
    ]}


def record(found: System, kind: AnyKind, one: object, rulings: Rulings, lang: str, seed: str | None) -> Facts:
    """A record as ``--sheet`` reads it back."""
    warnings = [fault for fault in kind.check(one, rulings) if fault.warning]
    return {
        "system": found.id,
        "kind": kind.id,
        "version": kind.version,
        "seed": seed,
        "record": to_plain(one),
        "derived": to_plain(dict(kind.derived(one, rulings))),
        "warnings": [found.words.fault(lang, fault) for fault in warnings],
    }


# Chances


def chance(share: Fraction | None) -> Facts | None:
    """A probability, exact and as a float."""
    return None if share is None else {"chance": fraction_text(share), "probability": float(share)}


def odds(ctx: Context, lang: str, policy: str, later: Later) -> Facts:
    """The exact odds of a move: its first rule, those that may follow, the comparison and forecast it offers."""
    tell = Teller(lang, ctx.system).inside(ctx)
    every = list(weigh_all(ctx, policy, later))
    each = [one for one in every if not one[0].auto] or every  # what runs by itself has no odds worth a chart
    if not each and ctx.move.forecast is None:
        raise NothingToWeigh(move=ctx.move.id)
    first = each[0] if each else None
    return {
        "system": ctx.system.id,
        "move": ctx.move.id,
        "title": tell.title(f"moves.{ctx.move.id}"),
        "policy": policy,
        "policy_words": policy_words(tell, policy),
        "form": form_to_json(ctx),
        "options": dict(ctx.rulings),
        **(weighed(tell, first[0], first[1]) if first else {"step": "", "success": None, "outcomes": [], "means": []}),
        "compare": _compare(tell, first[3], first[0], policy) if first else None,
        "then": [{"reached": chance(reached), **weighed(tell, step, of)} for step, of, reached, _ in each[1:]],
        "forecast": _forecast(tell, ctx),
    }


def weighed(tell: Teller, step: AnyResolve, of: Odds[R]) -> Facts:
    """One rule's chances: success first, grouped outcomes, means."""
    return {
        "step": step.id,
        "success": chance(success_of(step, of)),
        "outcomes": [
            {"key": row.key, "words": row.words, "chance": fraction_text(row.chance), "probability": float(row.chance)}
            for row in tell.odds_rows(of, step.outcome)
        ],
        "means": _means(tell, of),
    }


def _means(tell: Teller, weighed: Odds[R]) -> list[Facts]:
    return [{"key": one.key, "words": one.words, "fraction": fraction_text(one.value), "value": float(one.value)}
            for one in tell.means(weighed)]


def _compare(tell: Teller, ctx: Context, step: AnyResolve, policy: str) -> Facts | None:
    lines = tell.compared(ctx, step, policy)
    if len(lines) < 2:
        return None
    asked = ctx.move.field(step.vary)
    return {
        "field": asked.id,
        "title": tell.title(f"fields.{asked.id}"),
        "given": to_plain(ctx[asked]),
        "rows": [
            {"value": line.value, "words": line.words, "success": chance(success_of(step, line.odds)),
             "means": _means(tell, line.odds)}
            for line in lines
        ],
    }


def _forecast(tell: Teller, ctx: Context) -> Facts | None:
    if ctx.move.forecast is None:
        return None
    ahead = ctx.move.forecast(ctx)
    mean = ahead.mean_steps
    return {
        "outcomes": [
            {"key": row.key, "words": row.words, "chance": fraction_text(row.chance), "probability": float(row.chance)}
            for row in tell.odds_rows(ahead.odds, plain)
        ],
        "mean_steps": None if mean is None else {"fraction": fraction_text(Fraction(mean)), "value": float(mean)},
        "lines": [tell.telling(line, ctx) for line in ahead.lines],
    }


def weigh_all(
    ctx: Context, policy: str, later: Later
) -> Iterator[tuple[AnyResolve, Odds[Any], Fraction, Context]]:
    """Each rule of the move with its odds, the chance that it is reached at all, and a context in which it is.

    A later rule is weighed on every result of those before it; where that cannot be done (something asked after the
    result was not given, or there are too many results), the account stops there. What is wrong before any dice are
    thrown is refused, also where something runs by itself before them.
    """
    branches: list[tuple[Fraction, Context]] = [(Fraction(1), ctx)]
    thrown = {step.id for step in ctx.move.resolves if not step.auto}
    for step in ctx.move.steps:
        before = branches[0][1].results
        first = not (thrown & before.keys() if thrown else before)
        try:
            if isinstance(step, Ask):
                branches = [(share, _filled(branch, step, later)) for share, branch in branches]
            elif isinstance(step, Resolve):
                # What runs by itself leaves nothing to a policy.
                each = [(share, branch, step.odds(branch, "usual" if step.auto else policy)
                         if step.applies(branch) else None) for share, branch in branches]
                parts = [(share, weighed) for share, _, weighed in each if weighed is not None]
                if parts:
                    yield step, _mixed(parts), sum((share for share, _ in parts), start=Fraction(0)), branches[0][1]
                    if step is ctx.move.resolves[-1]:
                        return
                if sum(1 if weighed is None else len(weighed) for _, _, weighed in each) > _MOST_BRANCHES:
                    return
                branches = [after for share, branch, weighed in each for after in _after(share, branch, step, weighed)]
        except ParaventError:
            if first:
                raise
            return


def _filled(ctx: Context, step: Ask, later: Later) -> Context:
    names = {asked.id for asked in step.fields}
    told = {who: {name: value for name, value in values.items() if name in names} for who, values in later.items()}
    ctx = fill_all(ctx, told)
    for actor, asked in missing(ctx, step):
        raise MissingField(field=asked.id, role=actor.role)
    return ctx


def _after(
    share: Fraction, ctx: Context, step: AnyResolve, weighed: Odds[R] | None
) -> Iterator[tuple[Fraction, Context]]:
    """Where a branch leads: to each result of the rule, or past it when it is not run."""
    if weighed is None:
        yield share, ctx
        return
    for result, chance_of in weighed.items():
        yield share * chance_of, replace(ctx, results={**ctx.results, step.id: result})


def _mixed(parts: Sequence[tuple[Fraction, Odds[R]]]) -> Odds[R]:
    """The odds of a rule that is reached in several ways, each with its share."""
    if len(parts) == 1:
        return parts[0][1]
    common = lcm(*(share.denominator * weighed.total for share, weighed in parts))
    ways: dict[R, int] = {}
    for share, weighed in parts:
        scale = share.numerator * (common // (share.denominator * weighed.total))
        for result, count in weighed.ways.items():
            ways[result] = ways.get(result, 0) + count * scale
    return Odds(ways)


# A roll


def roll(
    ctx: Context, lang: str, dice: PlayedDice, answers: Answers, later: Later,
    seed: str | None,
) -> Facts:
    """A move run to its end: dice, result, changes, explanation."""
    tell = Teller(lang, ctx.system).inside(ctx)
    ran = run(ctx, dice, later)
    step_of = {step.id: step for step in ctx.move.resolves}
    steps = [_step(tell, ran, step, answers) for step in ctx.move.resolves if step.id in ran.plays]
    thrown = [step for step in steps if not step_of[step["step"]].auto] or steps
    last: Facts = thrown[-1] if thrown else {}
    return {
        "system": ctx.system.id,
        "move": ctx.move.id,
        "title": tell.title(f"moves.{ctx.move.id}"),
        "form": form_to_json(ran.ctx),
        "options": dict(ctx.rulings),
        "seed": seed,
        "outcome": last.get("outcome"),
        "words": last.get("words"),
        "success": last.get("success"),
        "tellings": [line for step in steps for line in step["tellings"]],
        "steps": steps,
        "changes": [_change(tell, ran, at) for at in range(len(ran.changes))],
        "usual_answers": [{"who": one.who, "key": one.key, "question": tell.choice(one),
                           "answer": plain(one.usual), "words": tell.option(one, one.usual)} for one in answers.usual],
        "unused_answers": answers.unused,
        **_afterwards(ran),
    }


def _step(tell: Teller, ran: Ran, step: AnyResolve, answers: Answers) -> Facts:
    played, shown = ran.plays[step.id], ran.shown[step.id]
    key = str(plain(step.outcome(played.result)))
    success = None if step.success is None else step.success(played.result)
    return {
        "step": step.id,
        "dice": [
            {"role": one.role, "role_words": tell.part(ran.ctx, one.role), "sides": one.sides,
             "faces": list(one.faces), "by_hand": one.by_hand}
            for one in played.throws
        ],
        "outcome": key,
        "words": tell.outcome(key, played.result),
        "success": success if isinstance(success, bool) else None,
        "result": to_plain(played.result),
        "why": [_note(tell, one) for one in played.notes],
        "answers": [
            {"who": one.who, "key": one.key, "answer": plain(one.answer), "dice": list(one.dice)}
            for one in played.record if isinstance(one, Answered)
        ],
        "seen_by": {name: None if audience is None else sorted(audience) for name, audience in shown._asdict().items()},
        "record": record_to_json(played.record),
        "tellings": [_told(tell, one, ran.ctx, sorted(shown.outcome)) for one in step.tell(ran.ctx, played.result)],
    }


def _note(tell: Teller, note: Noted) -> Facts:
    return {"rule": note.rule, "key": note.key, "values": plain(dict(note.values)), "role": note.role,
            "words": tell.note(note)}


def _told(tell: Teller, telling: Telling, ctx: Context, usual: list[str]) -> Facts:
    return {"key": telling.key, "values": to_plain(dict(telling.values)), "words": tell.telling(telling, ctx),
            "seen_by": usual if telling.audience is None else sorted(telling.audience)}


def _change(tell: Teller, ran: Ran, at: int) -> Facts:
    change = ran.changes[at]
    return {
        "target": change.target,
        "kind": change.kind,
        "path": change.path,
        "before": to_plain(change.before),
        "after": to_plain(change.after),
        "rule": change.rule,
        "seen_by": sorted(change.audience),
        "words": [{"what": what, "before": before, "after": after}
                  for what, before, after in tell.change(change, ran.ctx)],
    }


def _afterwards(ran: Ran) -> Facts:
    """What can be given to the next command: sheets and encounter with the changes made, what opens, what follows."""
    ctx = ran.ctx
    records = {actor.id: actor.record for actor in ctx.actors if actor.record is not None}
    state = ctx.encounter
    for change in ran.changes:
        if change.target in records:
            records[change.target] = apply(records[change.target], change.path, change.after)
        elif change.target == "encounter" and state is not None:
            state = apply(state, change.path, change.after) if change.path else change.after
    opened = [step.opens(ctx, ran.plays[step.id].result) for step in ctx.move.resolves if step.id in ran.plays]
    follows = [one for step in ctx.move.resolves if step.id in ran.plays
               for one in step.follow(ctx, ran.plays[step.id].result)]
    declared = ctx.system.encounters.get(ctx.move.encounter)
    return {
        "sheets": {name: _sheet(ctx.system, one) for name, one in records.items()},
        "encounter": None if state is None or declared is None else
        {"encounter": declared.id, "state": to_plain(state), "over": bool(declared.over(state))},
        "opens": [{"encounter": one.encounter, "state": to_plain(one.state)} for one in opened if one is not None],
        "follows": [{"move": one.move, "cast": plain(dict(one.cast)), "form": to_plain(dict(one.form))}
                    for one in follows],
    }


def _sheet(found: System, one: object) -> Facts:
    kind = next((kind for kind in found.kinds.values() if isinstance(one, kind.cls)), None)
    return {"system": found.id, "kind": kind.id if kind else "", "version": kind.version if kind else 1,
            "record": to_plain(one)}


def known_policy(declared: Move, name: str) -> str:
    """The name of a way to answer choices, checked before anything is weighed."""
    known = dict.fromkeys(("usual", "best", *(one for step in declared.resolves for one in step.policies)))
    if name not in known:
        raise UnknownName("policy", name, known)
    return name
