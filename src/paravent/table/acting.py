"""What people do about an act: begin it, join, fill in, throw, answer, close, withdraw; and its rules run.

Rules run as far as they go, until somebody must say or throw something. When a rule waits for an answer, nothing
suspended is kept: it is run again on its record, with the answer at its end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from paravent.dice import Answered, ByHand, Choice, ParaventError, PlayedDice, Record, Thrown, Waiting, Wanted, plain
from paravent.dice.fair import Faces, LiveFaces
from paravent.dice.notation import NotDice
from paravent.dice.play import TypedFaces, as_many, read_face
from paravent.game.errors import (
    STUMBLES,
    AlreadyThrown,
    BadRecord,
    BehindScreen,
    BlindThrow,
    FormError,
    MootField,
    NobodyChosen,
    NoPartForThem,
    NotNow,
    NotYours,
    RuleError,
    SomebodyElse,
    UnknownName,
    Unread,
    Withheld,
)
from paravent.game.eyes import carried, is_poll, takes_most
from paravent.game.fields import OneOf
from paravent.game.move import (
    SECRECIES,
    Actor,
    AnyField,
    AnyResolve,
    Ask,
    Context,
    Follow,
    Forecast,
    Move,
    Opened,
    Resolve,
    Role,
    Step,
    Window,
    filled_in,
    replace_focus,
    unfilled,
)
from paravent.game.records import ALL, GM, GM_ONLY, OWN
from paravent.game.spans import PASS_TIME

from .events import BEFORE
from .open_move import AGREE, CLOSED, HELD, REFUSE, OpenMove, back_before, said_of, unsealed, without
from .passing import asked_and_not, everybody
from .sight import Sight
from .standing import as_dice_fall, with_what_goes
from .turn import Turn
from .view import Looking
from .weighing import ordered

Cast = Mapping[str, Sequence[str]]
Form = Mapping[str, Mapping[str, Any]]

# Beginning


def start(
    turn: Turn, seat: str, move: str, cast: Cast, form: Form, encounter: int | None = None, secrecy: str = "open",
    follows: int = 0,
) -> int:
    """Open a move; ``cast`` names records by role, ``form`` fills fields by actor. Gives the act's number.

    The game master may say how much of its throws is shown at most: ``secrecy``. It may follow from another act.
    """
    turn = _as(turn, seat)
    declared = turn.system.move(move)
    state = _state_read(turn, declared, encounter)
    actors = cast_of(turn, declared, cast)
    number = turn.next_number()
    op = OpenMove(number, declared, seat, actors, turn.rulings, encounter, state, turn.state.day,
                  turn.state.minute, follows=follows)
    op = replace(op, judging=turn.state.house.judging == BEFORE and not ordered(turn, op) and any(
        asked.place == "judgement" for asked in declared.fields))
    op = kept_secret(turn, op, secrecy) if secrecy != "open" else op
    turn.is_for(op, declared.by, move)
    if not _may_start(turn, op):
        raise NotNow(move=move, needs=declared.encounter or move)
    if not follows:
        _against_nobody_twice(declared, cast)
    bare = op
    for actor_id, values in form.items():
        op = filled(turn, op, values, actor_id)
    for actor_id, values in form.items():
        _none_moot(turn, bare, op, values, actor_id)
    go_on(turn, op)
    return number


def _against_nobody_twice(move: Move, cast: Cast) -> None:
    """Refuse whoever acts in a role that is for somebody else."""
    acting = set(cast.get("initiator", ()))
    for role in move.cast:
        if role.other and acting & set(cast.get(role.id, ())):
            raise SomebodyElse(role=role.id)


def _as(turn: Turn, seat: str) -> Turn:
    """The same turn in somebody else's name: what a result brings about is the game master's."""
    if seat not in turn.eyes.seats:
        raise UnknownName("seat", seat, turn.eyes.seats)
    return turn if seat == turn.seat else replace(turn, seat=seat, asker=turn.asker or turn.seat)


def _state_read(turn: Turn, move: Move, number: int | None) -> Any:
    """The state of the encounter in which a move is started; one that the seat may not know of is not there."""
    if number is None:
        if move.encounter:
            raise NotNow(move=move.id, needs=move.encounter)
        return None
    running = turn.encounter(number)
    if running is None or not turn.eyes.may_see(turn.seat, "", running.audience):
        raise UnknownName("encounter", str(number), ())
    if move.encounter not in ("", running.encounter.id):
        raise NotNow(move=move.id, needs=move.encounter)
    held = turn.state.encounters.get(number)
    if (held is not None and held.over) or running.encounter.over(running.state):
        raise NotNow(move=move.id, needs="over")
    return running.state


def _may_start(turn: Turn, op: OpenMove) -> bool:
    """Whether the move may be started, as far as the seat may know: what is hidden never refuses."""
    try:
        return op.move.applies(turn.sight.context(op))
    except Withheld:
        return True


def may_hold(turn: Turn, move: Move, role: str, name: str, encounter: int | None = None, record: Any = None) -> bool:
    """Whether the move is worth offering with somebody in a role, as far as the seat may know; the others may come.

    ``record`` is theirs as the seat may see it, where whoever asks wants to know what is read of it.
    """
    try:
        actor = _actor(turn, name, move.role(role))
        state = _state_read(turn, move, encounter)
    except ParaventError:
        return False
    try:
        op = OpenMove(0, move, turn.seat, (actor,), turn.rulings, encounter, state, turn.state.day)
        ctx = turn.sight.context(op)
        if record is not None:
            ctx = replace(ctx, actors=tuple(replace(one, record=record) if one.id == name else one
                                            for one in ctx.actors))
        return move.can_come(ctx)
    except (ParaventError, *STUMBLES):
        return True  # it depends on who else is in it


def values_offered(turn: Turn, move: Move, name: str, encounter: int, cast: Cast = MappingProxyType({}), by: str = GM
                   ) -> tuple[str, ...]:
    """The values that a field of a role's would offer if the move were begun now, in an encounter, with these people;
    none where nobody would be asked."""
    try:
        state = _state_read(turn, move, encounter)
        op = OpenMove(0, move, turn.seat, cast_of(turn, move, cast), turn.rulings, encounter, state, turn.state.day)
        ctx = turn.sight.context(op)
        asked = move.field(name, by)
        ctx = replace_focus(ctx, ctx.one(by))
        return tuple(map(str, asked.type.values(ctx))) if isinstance(asked.type, OneOf) and asked.applies(ctx) else ()
    except (ParaventError, *STUMBLES):
        return ()


def foreseen(turn: Turn, move: Move, cast: Cast, encounter: int) -> tuple[Forecast, Context] | None:
    """How an encounter would end with these people, as far as the seat may see; None where the game does not say."""
    try:
        running = turn.encounter(encounter)
        state = None if running is None else running.state
        op = OpenMove(0, move, turn.seat, cast_of(turn, move, cast), turn.rulings, encounter, state, turn.state.day)
        ctx = turn.sight.context(op)
        return None if move.forecast is None else (move.forecast(ctx), ctx)
    except (ParaventError, *STUMBLES):
        return None


def cast_of(turn: Turn, move: Move, cast: Cast) -> tuple[Actor, ...]:
    """Those who are to hold the roles of a move."""
    for role_id in cast:
        move.role(role_id)
    actors: list[Actor] = []
    for role in move.cast:
        if role.id == GM:
            actors.append(Actor(GM, GM))
            continue
        members = list(cast.get(role.id, ()))
        if not members and role.least:
            members = [turn.seat] if role.id == move.by else []
        if not members and role.screen:
            members = [seat for seat in turn.eyes.seats if turn.is_gm(seat)][:1]
        if not members and role.least:
            camps = dict(zip((camp.id for camp in move.camps), ("camp", "other_camp"), strict=False))
            raise NobodyChosen(move=move.id, needs=camps.get(role.id, role.id))
        if len(members) < role.least or (role.most is not None and len(members) > role.most):
            raise NotNow(move=move.id, needs=role.id)
        actors += _known_first(_actor(turn, name, role) for name in members)
    return tuple(actors)


def _known_first(actors: Iterable[Actor]) -> tuple[Actor, ...]:
    """Those whom everybody knows before the others: rules number the members of a role, and a gap would tell."""
    return tuple(sorted(actors, key=lambda actor: ALL not in actor.audience))


def _actor(turn: Turn, name: str, role: Role) -> Actor:
    """A record (or a seat without one) as a member of a role; what the seat may not see, it cannot name."""
    held, record = turn.state.records.get(name), turn.record(name)
    if held is None and name in turn.eyes.seats:
        return Actor(name, role.id)
    if held is None or not turn.eyes.may_see(turn.seat, name, {"owner", *held.seen_by}):
        unseen = turn.state.unseen(turn.seat)
        raise UnknownName("record", name, (other for other in turn.state.records if other not in unseen))
    if record is None:
        raise Unread(kind=held.kind)
    if not (turn.system.kind(held.kind).anybody or turn.system.takes(role, held.kind)):
        raise NoPartForThem(who=held.name, needs=role.id)
    return Actor(name, role.id, record, kind=held.kind, audience=frozenset(held.seen_by))


def known_move(turn: Turn, number: int) -> OpenMove:
    """The act of this number, if it is under way and the seat may have a hand in it."""
    op = turn.at(number)
    if op.behind_screen and not turn.is_gm():
        raise BehindScreen(move=op.move.id)
    if turn.is_out_of_hands(op):
        raise AlreadyThrown(field=op.move.id)  # whether it waits for more or is settled would tell how it ended
    if op.phase != "open":
        seen = Looking(turn.state, turn.seat, turn.system).move(turn.act_of(op))
        raise NotNow(move=op.move.id, needs=op.phase if seen is None else seen.phase)
    return op


def join(turn: Turn, number: int, role: str, names: Sequence[str]) -> None:
    """Bring more actors into a move before its dice are thrown: a helper, a target."""
    go_on(turn, joined(turn, known_move(turn, number), role, names))


def joined(turn: Turn, op: OpenMove, role: str, names: Sequence[str]) -> OpenMove:
    """The move with more actors in it."""
    declared = op.move.role(role)
    if op.thrown:
        raise AlreadyThrown(field=role)
    joining = [_actor(turn, name, declared) for name in names]
    if any(turn.seat not in turn.eyes.controllers(name) for name in names):
        turn.is_for(op, op.move.by, role)
    if not all(may_come_in(op, actor.audience) for actor in joining):
        raise NotNow(move=op.move.id, needs=role)
    known = [actor for actor in op.cast if turn.sight.knows(actor)]
    members = [*(actor.id for actor in known if actor.role == role), *names]
    twice = len(set(members)) < len(members) or any(actor.id in names for actor in known)
    if twice or (declared.most is not None and len(members) > declared.most):
        raise NotNow(move=op.move.id, needs=role)
    return replace(op, cast=_known_first((*op.cast, *joining)))


def may_come_in(op: OpenMove, seen_by: Collection[str]) -> bool:
    """Whether somebody whom these see may still be brought in. Once all have opened what they sealed, nobody comes whom
    not everybody knows: the act would wait again, and that would tell."""
    return not op.revealed or ALL in seen_by


# Filling in


def throws(steps: Iterable[Step]) -> Iterator[AnyResolve]:
    """Those of the steps at which dice are thrown: rules that run by themselves are not."""
    return (step for step in steps if isinstance(step, Resolve) and not step.auto)


def fill(turn: Turn, number: int, values: Mapping[str, Any], actor: str = "") -> None:
    """Fill fields in; ``None`` empties one. Going back is free until the dice that read a field are thrown."""
    op = known_move(turn, number)
    after = filled(turn, op, values, actor)
    _none_moot(turn, op, after, values, actor)
    moot = {name for name in values if _is_judged_in_vain(turn, op, name, values, actor)}
    go_on(turn, filled(turn, op, without(values, moot), actor) if moot else after)
    _can_be_agreed_to(turn, turn.at(number))


def _can_be_agreed_to(turn: Turn, op: OpenMove) -> None:
    """Refuse what nobody could agree to, as far as whoever says it may read: what is wrong is said to them, who can
    mend it, before anybody is asked. What only others may read goes on to these."""
    step, agreed = op.step(turn.system), op
    while isinstance(step, Window):
        agreed = replace(_granted(turn, agreed, step), windows={**agreed.windows, step.id: {CLOSED: AGREE}})
        step = agreed.step(turn.system)
    if agreed is op or not isinstance(step, Resolve) or not step.auto:
        return
    fault = _fault(agreed.context(turn.system), step, (), and_changes=True)
    if isinstance(fault, (RuleError, BadRecord)):
        told = _refusal(turn, agreed, step, (), fault)
        if not isinstance(told, Withheld):
            raise told


def _is_judged_in_vain(turn: Turn, op: OpenMove, name: str, values: Mapping[str, Any], actor_id: str) -> bool:
    """Whether what is said along with a judgement does away with it: a difficulty that comes with the word that it is
    hidden is told to nobody, and asked for again where it is hidden."""
    actor, asked = _actor_for(turn, op, name, actor_id)
    if asked.place != "judgement" or asked.when is None or name in actor.filled or len(values) == 1:
        return False
    others = filled(turn, op, without(values, {name}), actor_id)
    return _is_asked(turn, op, name, actor_id) and not _is_asked(turn, others, name, actor_id)


def _none_moot(turn: Turn, before: OpenMove, after: OpenMove, values: Mapping[str, Any], actor_id: str) -> None:
    """Refuse what nothing asks for, before or now: it would be passed over without a word.

    What was asked when the form was drawn, and another field of it did away with, is left aside.
    """
    for name, value in values.items():
        if value is not None and not any(_is_asked(turn, op, name, actor_id) for op in (before, after)):
            raise MootField(field=name)


def _is_asked(turn: Turn, op: OpenMove, name: str, actor_id: str) -> bool:
    """Whether a field is asked, as far as the seat may know: what is hidden never refuses."""
    actor, asked = _actor_for(turn, op, name, actor_id)
    try:
        ctx = turn.sight.context(op)
        seen = next(other for other in ctx.actors if (other.id, other.role) == (actor.id, actor.role))
        return asked.applies(replace_focus(ctx, seen))
    except (ParaventError, *STUMBLES):
        return True


def supposing(turn: Turn, op: OpenMove, values: Mapping[str, Any], actor: str = "") -> OpenMove:
    """The move as it would stand with these fields filled in, for its odds: no rule runs, and no seal opens."""
    return replace(filled(turn, op, values, actor), revealed=op.revealed)


def _asked_anew(turn: Turn, op: OpenMove, values: Mapping[str, Any], actor_id: str) -> Mapping[str, Any]:
    """What a form says, but for what only came along with it as it stood: once the field that it speaks of is said
    otherwise, and it is no longer offered there, it is asked anew."""
    old = {name for name, value in values.items()
           if value is not None and _stood(turn, op, name, value, values, actor_id)}
    if not old:
        return values
    others = filled(turn, op, without(values, old), actor_id)
    gone = {name for name in old if _said_otherwise(turn, op, others, name, actor_id)
            and not _is_offered(turn, others, name, values[name], actor_id)}
    return {name: None if name in gone else value for name, value in values.items()}


def _stood(turn: Turn, op: OpenMove, name: str, value: Any, values: Mapping[str, Any], actor_id: str) -> bool:
    """Whether a field that speaks of another one of a form already held this value."""
    actor, asked = _actor_for(turn, op, name, actor_id)
    return bool(asked.upon) and asked.upon in values and str(plain(actor.filled.get(name))) == str(plain(value))


def _said_otherwise(turn: Turn, before: OpenMove, after: OpenMove, name: str, actor_id: str) -> bool:
    """Whether the field that another one speaks of holds something else than before."""
    upon = _actor_for(turn, before, name, actor_id)[1].upon
    return any(one.filled.get(upon) != now.filled.get(upon) for one, now in zip(before.cast, after.cast, strict=True))


def _is_offered(turn: Turn, op: OpenMove, name: str, value: Any, actor_id: str) -> bool:
    """Whether a form offers a value for a field, as far as the seat may see."""
    actor, asked = _actor_for(turn, op, name, actor_id)
    ctx = turn.sight.context(op)
    seen = next(other for other in ctx.actors if (other.id, other.role) == (actor.id, actor.role))
    try:
        read = filled_in(ctx, seen, {name: value}).filled[name]
        options = asked.type.describe(replace_focus(ctx, seen)).options
    except (ParaventError, *STUMBLES):
        return False
    return options is UNSET or isinstance(read, int) or str(plain(read)) in map(str, options)


def filled(turn: Turn, op: OpenMove, values: Mapping[str, Any], actor_id: str) -> OpenMove:
    """The move with these fields filled in by a seat, back at the step that asks for them."""
    for name, value in _asked_anew(turn, op, values, actor_id).items():
        actor, asked = _actor_for(turn, op, name, actor_id)
        at = next(i for i, step in enumerate(op.move.steps) if isinstance(step, Ask) and asked in step.fields)
        _still_asked(turn, op, name, at)
        # Limits and refusals come from what the seat may see, never from what it may not.
        ctx = turn.sight.context(op)
        seen = next(other for other in ctx.actors if (other.id, other.role) == (actor.id, actor.role))
        read = filled_in(ctx, seen, {name: value}).filled
        kept = {**without(actor.filled, {name}), **({name: read[name]} if name in read else {})}
        cast = tuple(replace(actor, filled=kept) if other is actor else other for other in op.cast)
        if name in actor.filled and actor.filled[name] != kept.get(name):
            anew = {(other.role, other.id) for other in op.move.fields if other.upon == name and other.id not in values}
            cast = tuple(replace(one, filled={its: value for its, value in one.filled.items()
                                              if (one.role, its) not in anew}) for one in cast) if anew else cast
        again = name in kept and _stands_already(ctx, seen, asked, kept[name])
        back = back_before(replace(op, cast=cast, anew=op.anew - {said_of(name, actor.id)}), at)
        op = _still_agreed(back, op, name, again)
    return unsealed(op, turn.system)


def _stands_already(ctx: Context, actor: Actor, asked: AnyField, value: object) -> bool:
    """Whether a field holds this already, said or left as usual."""
    try:
        return bool(ctx.value(actor, asked) == value)
    except (ParaventError, *STUMBLES):
        return False


def _still_agreed(back: OpenMove, before: OpenMove, name: str, again: bool) -> OpenMove:
    """The move with what was agreed to apart from this field, or though it is said again: nobody is asked twice about
    the same."""
    kept = {step.id: before.windows[step.id] for step in before.move.steps
            if isinstance(step, Window) and (again or name in step.apart)
            and before.windows.get(step.id, {}).get(CLOSED) == AGREE}
    return replace(back, windows={**back.windows, **kept}) if kept else back


def _still_asked(turn: Turn, op: OpenMove, name: str, at: int) -> None:
    """Refuse a field once it is unsealed or dice have read it; and ahead of dice, what only comes after them.

    Ahead of a rule that runs by itself one may say what comes after it.
    """
    if name in op.revealed or any(step.id in op.records for step in throws(op.move.steps[at:])):
        raise AlreadyThrown(field=name)
    if any(throws(op.move.steps[op.current(turn.system) : at])):
        raise NotNow(move=op.move.id, needs=name)


def _actor_for(turn: Turn, op: OpenMove, name: str, actor_id: str) -> tuple[Actor, AnyField]:
    """Whose field a seat fills in: its own actor's; the game master may write for others, but not unseal."""
    op.move.field(name)
    members = [
        (actor, asked)
        for asked in op.move.fields
        for actor in op.cast
        if asked.id == name and actor.role == asked.role and actor_id in ("", actor.id)
    ]
    mine = [(actor, asked) for actor, asked in members if turn.seat in turn.eyes.controllers(op.asked_of(actor, asked))]
    if not mine and turn.is_gm():
        mine = [(actor, asked) for actor, asked in members if asked.secrecy != "sealed"]
    if not mine:
        raise NotYours(seat=turn.seat, what=name)
    if len(mine) > 1:
        raise UnknownName("actor", actor_id or "?", (actor.id for actor, _ in mine))
    return mine[0]


def kept_secret(turn: Turn, op: OpenMove, secrecy: str) -> OpenMove:
    """The move, of whose throws the game master lets no more be seen than this."""
    turn.masters_only("secrecy")
    if secrecy not in SECRECIES:
        raise UnknownName("value", secrecy, SECRECIES)
    return replace(op, secrecy=secrecy)


def set_secrecy(turn: Turn, number: int, secrecy: str) -> None:
    """The game master says, before the dice, how much of the throws is shown: never more than their rules say."""
    op = known_move(turn, number)
    if op.thrown:
        raise AlreadyThrown(field=op.move.id)
    turn.put(kept_secret(turn, op, secrecy))


def _left_as_usual(turn: Turn, op: OpenMove, left: Iterable[tuple[Actor, AnyField]]) -> OpenMove:
    """The move with what is still asked left as it usually is, each field after those before it."""
    ctx = op.context(turn.system)
    for actor, asked in left:
        if not asked.has_usual():
            raise NotNow(move=op.move.id, needs=asked.id)
        usual = asked.usual_value(replace_focus(ctx, actor))
        ctx = replace(ctx, actors=tuple(
            replace(a, filled={**a.filled, asked.id: usual}) if (a.id, a.role) == (actor.id, actor.role) else a
            for a in ctx.actors
        ))
    return unsealed(replace(op, cast=ctx.actors), turn.system)


# Throwing


def throw(turn: Turn, number: int, *, by_hand: bool = False) -> bool:
    """Throw the dice of the rule the move has come to; with ``by_hand`` the faces are asked, throw by throw.

    Where the rules refuse it over something that whoever asks may not see, it goes to the game master instead, who
    does: whether it was thrown.
    """
    op = as_dice_fall(turn, known_move(turn, number))
    turn.is_for(op, op.move.by, "throw")
    step = op.step(turn.system)
    if not isinstance(step, Resolve) or op.pending is not None:
        raise NotNow(move=op.move.id, needs=op.needs(turn.system))
    if op.waits_to_be_judged(turn.system) and not turn.is_gm():
        raise NotNow(move=op.move.id, needs="judgement")
    if by_hand and known_blind(turn.sight, op, step):
        raise BlindThrow(move=op.move.id)
    typed = by_hand and not _is_blind(turn.sight, op, step, op.context(turn.system))
    try:
        _run(turn, replace(op, by_hand=typed), step, ())
    except Withheld:
        if op.is_held(step):
            raise
        turn.put(_held(op, step))
        return False
    return True


def known_blind(sight: Sight, op: OpenMove, step: AnyResolve) -> bool:
    """Whether a seat may know that whoever acts will not see the dice: then they are not typed in."""
    if not _seats(sight, op, op.move.by) <= _seats(sight, op, *SECRECIES[op.secrecy].dice):
        return True
    try:
        return _is_blind(sight, op, step, sight.context(op))
    except Withheld:
        return False


def _is_blind(sight: Sight, op: OpenMove, step: AnyResolve, ctx: Context) -> bool:
    """Whether whoever acts may not see the dice: then they are always the server's."""
    dice = op.shown(sight.system, step, ctx).dice
    return step.blind or not (OWN in dice or _seats(sight, op, op.move.by) <= _seats(sight, op, *dice))


def _seats(sight: Sight, op: OpenMove, *audience: str) -> frozenset[str]:
    return sight.eyes.hearing(op.parts, op.move.by, audience)


def go_on(turn: Turn, op: OpenMove) -> None:
    """Keep the move, with what still goes; run what runs by itself; settle it when nothing is left to ask or throw."""
    op = with_what_goes(turn, op)
    step = op.step(turn.system)
    if isinstance(step, Resolve) and step.auto and op.pending is None and not op.waits_to_be_judged(turn.system):
        _run(turn, op, step, ())
    elif step is None and op.results:
        changes = tuple(change for other in op.move.resolves for change in op.proposed.get(other.id, ()))
        turn.put(replace(op, phase="settled", changes=changes))
    else:
        turn.put(op)


def _run(turn: Turn, op: OpenMove, step: AnyResolve, past: Record) -> None:
    try:
        _ran(turn, op, step, past)
    except (RuleError, FormError, NotDice) as fault:
        raise _refusal(turn, op, step, past, fault) from None


def _ran(turn: Turn, op: OpenMove, step: AnyResolve, past: Record) -> None:
    faces: Faces = TypedFaces() if op.by_hand else turn.faces
    ctx = op.context(turn.system)
    # Whom not everybody knows throws apart, under a name that nobody else has: the key of the throw may then be shown.
    apart = {ctx.part(actor): actor.id for actor in op.cast if ALL not in actor.audience}
    dice = PlayedDice(faces, None, past, by_hand=op.by_hand, apart=apart)
    try:
        result = step.call(ctx).on(dice)
    except Waiting as waiting:
        op = replace(op, records={**op.records, step.id: waiting.record}, pending=waiting.request, polls={})
        if isinstance(waiting.request, Choice) and step.asks is not None and not step.asks(ctx, waiting.request):
            _continue(turn, op, waiting.request, waiting.request.usual)
        else:
            turn.put(op)
        return
    records = {**op.records, step.id: dice.record}
    op = replace(op, records=records, pending=None, polls={}, results={**op.results, step.id: result})
    ctx = op.context(turn.system)
    op = replace(op, proposed={**op.proposed, step.id: tuple(step.changes(ctx, result))})
    opened, follows = step.opens(ctx, result), step.follow(ctx, result)
    turn.put(op)
    _begin(turn, opened, follows, op)
    go_on(turn, op)


def _begin(turn: Turn, opened: Opened | None, follows: Sequence[Follow], op: OpenMove) -> None:
    """What a result brings about: an encounter, other moves."""
    encounter = op.encounter
    if opened is not None:
        declared = turn.system.encounters[opened.encounter]
        encounter = turn.begin(declared, opened.state, GM_ONLY if op.ends_unseen else declared.audience, op)
    for follow in follows:
        seat = min(turn.seats_of(op, GM), default=op.starter)
        # What comes of an end that is hidden would tell how it ended.
        secrecy = "invisible" if op.ends_unseen else follow.secrecy
        cast = follow.cast
        if follow.move == PASS_TIME and not cast:
            cast = asked_and_not(turn.state, everybody(turn.state, turn.system))
        start(turn, seat, follow.move, cast, follow.form, encounter, secrecy, op.id)


def _refusal(turn: Turn, op: OpenMove, step: AnyResolve, past: Record, fault: ParaventError) -> ParaventError:
    """What the rules refuse, as whoever asked may hear it: where something hidden matters, no more than that."""
    sight = replace(turn.sight, seat=turn.asker or turn.seat)
    if sight.seat not in sight.eyes.seats or sight.is_gm:
        return fault
    unseen = {(actor.role, name) for actor in sight.context(op).actors for name in actor.withheld}
    if (fault.values.get("role"), fault.values.get("field")) in unseen:
        return Withheld(what=op.move.id)
    found = [_fault(ctx, step, past, and_changes=True) for ctx in sight.supposed(op)]
    alike = found and all(
        isinstance(other, ParaventError) and type(other) is type(fault) and other.values == fault.values
        for other in found
    )
    return fault if alike else Withheld(what=op.move.id)


def objection(sight: Sight, op: OpenMove) -> ParaventError | None:
    """What the rules have against a throw whatever the seat may not see: then there is no use in trying it."""
    step = op.step(sight.system)
    if not isinstance(step, Resolve) or op.pending is not None:
        return None
    found = [_fault(ctx, step, ()) for ctx in sight.supposed(op)]
    first = found[0] if found else None
    if not isinstance(first, RuleError):
        return None
    alike = all(type(other) is type(first) and isinstance(other, RuleError) and other.values == first.values
                for other in found)
    return first if alike else None


def _fault(ctx: Context, step: AnyResolve, past: Record, and_changes: bool = False) -> Exception | None:
    """What is wrong with a throw; with what it would change as well, records that come by it among that."""
    try:
        result = step.call(ctx).on(PlayedDice(LiveFaces(), None, past))
        then = replace(ctx, results={**ctx.results, step.id: result})
        for change in step.changes(then, result) if and_changes else ():
            if change.kind and not change.path and change.after is not None:
                ctx.system.kind(change.kind).validated(change.after, ctx.rulings)
    except Exception as fault:
        return fault
    return None


# Answering


def answer(turn: Turn, number: int, given: Any, seat: str = "") -> None:
    """Answer what the move waits for: a choice inside a rule, faces thrown by hand, or a window."""
    if seat:
        turn = replace(_as(turn, seat), asker=seat)
    op = known_move(turn, number)
    if isinstance(op.pending, Wanted):
        _hand(turn, op, op.pending, given)
    elif isinstance(op.pending, Choice):
        _choose(turn, op, op.pending, given)
    else:
        _window(turn, op, given)


def _hand(turn: Turn, op: OpenMove, wanted: Wanted, faces: Any) -> None:
    """Faces of real dice, typed in."""
    turn.is_for(op, wanted.role, "throw")
    typed = as_many(tuple(faces), wanted.n, wanted.sides)
    thrown = tuple(read_face(face, wanted.sides) for face in typed)
    _resume(turn, op, Thrown(wanted.role, wanted.rule, wanted.sides, thrown, True))


def _choose(turn: Turn, op: OpenMove, choice: Choice, given: Any) -> None:
    """A choice inside a rule; where all the others are asked, those who object may carry it."""
    who = op.asks(choice.who)
    asked = turn.seats_of(op, who)
    if turn.seat not in asked:
        raise NotYours(seat=turn.seat, what=choice.key)
    if not is_poll(who):
        _continue(turn, op, choice, given)
        return
    polls = {**op.polls, turn.seat: given}
    against = {other for other, said in polls.items() if plain(said) != plain(choice.usual)}
    match carried(asked, against, set(polls), takes_most(who)):
        case None:
            turn.put(replace(op, polls=polls))
        case True:
            _continue(turn, op, choice, given)
        case _:
            _continue(turn, op, choice, choice.usual)


def _continue(turn: Turn, op: OpenMove, choice: Choice, given: Any) -> None:
    dice = tuple(given.dice) if isinstance(given, ByHand) else ()
    if isinstance(given, Mapping) and "dice" in given:
        dice = tuple(given["dice"])
    _resume(turn, op, Answered(choice.who, choice.key, None if dice else plain(given), dice))


def _resume(turn: Turn, op: OpenMove, entry: Answered | Thrown) -> None:
    """Run the rule that waits again, with the answer at the end of its record."""
    step = op.step(turn.system)
    assert isinstance(step, Resolve)
    try:
        _run(turn, op, step, (*op.records[step.id], entry))
    except Withheld:
        if turn.is_gm():
            raise
        turn.put(_held(back_before(op, op.move.steps.index(step)), step))


def _held(op: OpenMove, step: AnyResolve) -> OpenMove:
    """The move with a throw that waits for the game master: the rules refuse it over what whoever acts may not see."""
    return replace(op, windows={**op.windows, step.id: {CLOSED: HELD}})


def _window(turn: Turn, op: OpenMove, given: str) -> None:
    """A word on what was announced: all agree, or one who refuses sends it back or ends it."""
    step = op.step(turn.system)
    if not isinstance(step, Window):
        raise NotNow(move=op.move.id, needs=op.needs(turn.system))
    asked = turn.seats_of(op, op.asks(step.role))
    if turn.seat not in asked:
        raise NotYours(seat=turn.seat, what=step.id)
    if given not in (AGREE, REFUSE):
        raise UnknownName("answer", str(given), (AGREE, REFUSE))
    if given == AGREE:
        said = {seat: word for seat, word in op.windows.get(step.id, {}).items() if seat != CLOSED}
        answers = {**said, turn.seat: AGREE}
        if asked <= set(answers):
            answers[CLOSED] = AGREE
            op = _granted(turn, op, step)
        go_on(turn, replace(op, windows={**op.windows, step.id: answers}))
    elif step.back_to:
        at = next(i for i, other in enumerate(op.move.steps) if other.id == step.back_to)
        back = back_before(op, at, empty=True)
        go_on(turn, replace(back, windows={**back.windows, step.id: {CLOSED: REFUSE}}))
    else:
        turn.put(replace(op, phase="refused"))


def _granted(turn: Turn, op: OpenMove, step: Window) -> OpenMove:
    """The move once all have agreed: what their agreement allows is written down, where a rule asks for it."""
    asked, ctx = step.grants, op.context(turn.system)
    if asked is None or not asked.applies(ctx):
        return op
    return replace(op, cast=tuple(
        replace(actor, filled={**actor.filled, asked.id: True}) if actor.role == step.role else actor
        for actor in ctx.actors))


def close(turn: Turn, number: int) -> None:
    """The game master ends the waiting: what is missing takes its usual value, a window counts as agreed."""
    op = known_move(turn, number)
    turn.masters_only("close")
    if isinstance(op.pending, Choice):
        _continue(turn, op, op.pending, op.pending.usual)
        return
    match op.step(turn.system):
        case Ask() as step:
            go_on(turn, _left_as_usual(turn, op, unfilled(op.context(turn.system), step)))
        case Resolve() if op.waits_to_be_judged(turn.system):
            go_on(turn, _left_as_usual(turn, op, op.judgement(turn.system)))
        case Window() as step:
            agreed = {**dict.fromkeys(turn.seats_of(op, op.asks(step.role)), AGREE), CLOSED: AGREE}
            go_on(turn, replace(_granted(turn, op, step), windows={**op.windows, step.id: agreed}))
        case _:
            raise NotNow(move=op.move.id, needs="throw")


def withdraw(turn: Turn, number: int) -> None:
    """Take the move back, free of cost, as long as no dice have been thrown."""
    op = known_move(turn, number)
    turn.is_for(op, op.move.by, "withdraw")
    if op.thrown:
        raise AlreadyThrown(field=op.move.id)
    turn.put(replace(op, phase="withdrawn"))
