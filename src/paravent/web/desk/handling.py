"""What a seat may do about an open act: fill, throw, pick dice, bring somebody in; and what the odds are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from paravent.dice import Choice, LiveFaces, ParaventError, PlayedDice, Thrown
from paravent.dice.play import Waiting
from paravent.game import Ask, Context, Resolve, Role, SheetOf, System, Window
from paravent.game.asking import field_facts, usual_of
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.move import replace_focus, unfilled
from paravent.game.plain import Plain
from paravent.game.records import GM
from paravent.table import acting
from paravent.table.by_filled import ByFilled
from paravent.table.deciding import Fresh
from paravent.table.errors import RuleChanged
from paravent.table.knowing import may_know
from paravent.table.open_move import AGREE, OpenMove
from paravent.table.turn import Turn
from paravent.web.charts import Outlook, Weigher, unsaid
from paravent.web.controls import Control, FormGroup, FormReader
from paravent.web.shapes import Shaper, Tile, weighs

from .asides import does_away, set_aside
from .cards import Card, Die, RoleToJoin, Stepping
from .seat import DeskSeat
from .sheets import Sheets

_OFFERED: ByFilled[list[Tile]] = ByFilled()


def watch(seat: DeskSeat, card: Card) -> None:
    """Put on the card of somebody who only watches who is awaited besides whoever judges."""
    with suppress(RuleChanged):
        op = seat.turn.at(seat.table_number(card.number))
        if not seat.turn.is_out_of_hands(op):
            _owed_meanwhile(seat, op, card)


def handle(seat: DeskSeat, sheets: Sheets, card: Card) -> None:
    """Put on a card what its seat may do about the act."""
    turn = seat.turn
    try:
        op = turn.at(seat.table_number(card.number))
    except RuleChanged:
        return
    if turn.is_out_of_hands(op):
        return
    ctx = seat.sight.context(op)
    step = op.step(seat.system)
    unjudged = op.waits_to_be_judged(seat.system)
    throws = seat.is_gm or (card.mine and not unjudged and seat.seat in turn.seats_of(op, op.move.by))
    card.can_withdraw = not op.thrown and op.phase == "open" and seat.seat in turn.seats_of(op, op.move.by)
    card.can_throw = isinstance(step, Resolve) and op.pending is None and throws
    card.can_close = seat.is_gm and _may_close(seat, op, ctx)
    card.can_hand = card.can_throw and isinstance(step, Resolve) and not acting.known_blind(seat.sight, op, step)
    card.throws_next = isinstance(step, Ask) and _dice_follow(seat, op, step) and (
        seat.seat in turn.seats_of(op, op.move.by))
    card.sent_back = isinstance(step, Ask) and card.mine and op.is_sent_back(step)
    card.asked_anew = isinstance(step, Ask) and card.mine and turn.is_asked_anew(op, step)
    if isinstance(step, Window) and card.mine:
        card.window = step.kind
        card.agreeing_to = seat.teller.words.entry(seat.lang, f"windows.{step.id}", "title")
        card.barred = _refusal_of_yes(seat, op) if seat.is_gm else ""
    reader = _reader(seat, _unknowing(seat, op))
    if not op.thrown:
        card.groups = reader.groups(op, ctx)
    elif (open_step := _still_open(op, seat.system)) is not None:
        card.groups = reader.groups(op, ctx, open_step)
    card.aside = set_aside(op, ctx)
    for group in card.groups:
        by_hand = group.sealed or group.waits or any(asked.required and not asked.filled for asked in group.fields)
        group.does_away = does_away(ctx, group) if by_hand else []
    if seat.is_gm and card.mine:
        # While others still fill in what is theirs, what is to be judged can be judged already.
        _judging(seat, op, card)
        card.supposing = [seat.teller.title(f"fields.{asked.id}") for _, asked in unsaid(ctx)]
    if not card.mine:
        _owed_meanwhile(seat, op, card)
    inside = {group.actor for group in card.groups if group.is_in}
    for part in card.parts:
        thrown = part.ready == "waits" and isinstance(step, Resolve)
        part.ready = "sealed" if part.id in inside else "" if thrown else part.ready
    # Those who are asked may not know of it at all: the game master goes on without them.
    card.unasked = seat.is_gm and card.mine and op.pending is not None and not card.choice and not card.wanted
    if op.pending is None:
        card.outlook = weigher(seat).outlook(op, _choices(card.groups))
        if card.outlook.lacks and not card.outlook.lacks_of:
            card.mine = True
            for asked in (asked for group in card.groups for asked in group.fields):
                asked.main |= asked.name == card.outlook.lacking
        elif seat.is_gm and card.mine and not op.thrown and (lacking := _unasked(seat, op, card.outlook.lacking)):
            # What the rule lacks of somebody who is not asked for it is the game master's to say.
            card.groups = _reader(seat, lacking | _unknowing(seat, op)).groups(op, ctx)
            _judging(seat, op, card)
            for asked in (asked for group in card.groups for asked in group.fields):
                asked.main |= asked.name == card.outlook.lacking
        elif card.mine and isinstance(step, Resolve) and not card.can_throw:
            # What the rule lacks is this seat's to say: nothing of it is folded away.
            for asked in (asked for group in card.groups for asked in group.fields):
                asked.main |= not asked.filled
        weighs_it = weigher(seat)
        Shaper(seat.system, seat.teller, partial(weighs_it.chances_with, op), partial(weighs_it.faced, op)).shape(
            card.groups, ctx)
    elif card.choice and card.throws and card.throws[-1].dice:
        card.tray = _tray(seat, op, card.choice.takes)


def _may_close(seat: DeskSeat, op: OpenMove, ctx: Context) -> bool:
    """Whether the game master may go on without those who are awaited: everything that is missing is usually
    something, as far as they may know; or the act ends with its waiting. Nobody is somebody as usual: while a sheet is
    being written, it is waited for."""
    step, act = op.step(seat.system), seat.state.move(op.id)
    if isinstance(op.pending, Choice) or (act.deadline is not None and act.deadline.policy == "cancel"):
        return True
    try:
        match step:
            case Ask() if op.pending is None:
                missing = [asked for _, asked in unfilled(ctx, step)]
                return all(asked.has_usual() and not isinstance(asked.type, SheetOf) for asked in missing)
            case Resolve() if op.pending is None and op.waits_to_be_judged(seat.system):
                return all(asked.has_usual() for _, asked in op.judgement(seat.system))
            case _:
                return op.pending is None and isinstance(step, Window)
    except Withheld:
        return True


def _still_open(op: OpenMove, system: System) -> Ask | None:
    """The step that asks once dice have fallen: the present one; the one that the next dice wait for to be judged; or
    the last before a rule that would have run at once.

    Such a rule stands still only where it objects to what was said: whoever said it says something else.
    """
    *before, step = (None, None, *op.move.steps[: op.current(system) + 1])
    if op.waits_to_be_judged(system):
        judged = [asked for _, asked in op.judgement(system)]
        return next(one for one in before if isinstance(one, Ask) and any(asked in judged for asked in one.fields))
    held = isinstance(step, Resolve) and (step.auto or step.at_once)
    asking = before[-1] if held else step
    return asking if isinstance(asking, Ask) else None


def _dice_follow(seat: DeskSeat, op: OpenMove, step: Ask) -> bool:
    """Whether, once all that a step seals is in, nothing is asked for any more before dice are thrown."""
    later = op.move.steps[op.current(seat.system) + 1 :]
    after = next((other for other in later if not isinstance(other, Ask)
                  or any(asked.waits or not asked.has_usual() for asked in other.fields)), None)
    sealed = any(asked.secrecy == "sealed" for asked in step.fields)
    return sealed and isinstance(after, Resolve) and not after.auto and not after.at_once


def _refusal_of_yes(seat: DeskSeat, op: OpenMove) -> str:
    """Why the rules would refuse what the game master is to agree to; it is then not offered."""
    try:
        acting.answer(Turn(seat.state, seat.system, Fresh(), seat.seat), op.id, AGREE)
    except ParaventError as error:
        return seat.refusal(error)
    except STUMBLES:
        return ""
    return ""


def _unknowing(seat: DeskSeat, op: OpenMove) -> set[str]:
    """For the game master: those in an act whose players may not know of it."""
    eyes, act = seat.sight.eyes, seat.state.moves.get(op.id)
    if not seat.is_gm or act is None:
        return set()
    return {actor.id for actor in op.cast
            if not any(may_know(eyes, holder, act) for holder in eyes.controllers(actor.id))}


def _unasked(seat: DeskSeat, op: OpenMove, name: str) -> set[str]:
    """Those in an act of whom a field is lacking, where nobody else is awaited for it, nor at it meanwhile."""
    lacking = {actor.id for actor in op.cast for asked in op.move.fields
               if asked.id == name and asked.role == actor.role}
    awaited = seat.turn.waits_for(op) - {seat.seat}
    eyes, act = seat.sight.eyes, seat.state.moves.get(op.id)
    if act is not None and op.waits_to_be_judged(seat.system):
        awaited |= {other for other in eyes.seats if may_know(eyes, other, act)} - eyes.masters
    return {who for who in lacking if not eyes.controllers(who) & awaited}


def _owed_meanwhile(seat: DeskSeat, op: OpenMove, card: Card) -> None:
    """While a judgement is awaited, who must say something before the dice all the same is told beside whoever judges:
    nobody is held up by it yet, and saying it now saves the asking."""
    holders = {(actor.id, asked.id): seat.sight.eyes.controllers(actor.id) - seat.sight.eyes.masters
               for actor, asked in op.owed_meanwhile(seat.system)}
    others = dict.fromkeys(seat.name(other) for held in holders.values() for other in sorted(held - {seat.seat}))
    card.waits_for += [name for name in others if name not in card.waits_for]
    card.owes = [asked for group in card.groups for asked in group.fields
                 if seat.seat in holders.get((asked.actor, asked.name), ())]


def _judging(seat: DeskSeat, op: OpenMove, card: Card) -> None:
    """Mark what the dice wait for the game master to judge: one word on it lets the act go on."""
    judged = {(actor.id, asked.id) for actor, asked in op.judgement(seat.system)}
    for group in card.groups:
        for asked in group.fields:
            asked.waits |= (asked.actor, asked.name) in judged
            asked.main |= asked.waits
            group.waits |= asked.waits


def weigher(seat: DeskSeat) -> Weigher:
    """What weighs the throws of open acts for a seat."""
    return Weigher(seat.sight, seat.teller, seat.refusal, seat.named)


def outlook_with(seat: DeskSeat, number: int, filled: Mapping[str, Mapping[str, Any]]) -> Outlook:
    """What the odds would be with a form as it stands, before anything of it is saved."""
    known = seat.table_number(number)
    if not known:
        return Outlook()
    op = seat.turn.at(known)
    for actor, values in filled.items():
        for name, value in values.items():
            try:
                op = acting.supposing(seat.turn, op, {name: value}, actor)
            except (ParaventError, TypeError, ValueError):
                continue  # not readable yet: the rest still counts
    groups = [] if op.thrown else _reader(seat).groups(op, seat.sight.context(op))
    return weigher(seat).outlook(op, _choices(groups))


def refusals_of(seat: DeskSeat, number: int, filled: Mapping[str, Mapping[str, Plain]]) -> list[str]:
    """What an act would answer to a form as it stands, before anything of it is saved."""
    turn, known = Turn(seat.state, seat.system, Fresh(), seat.seat), seat.table_number(number)
    try:
        for actor, values in filled.items():
            acting.fill(turn, known, values, actor)
    except ParaventError as error:
        return [seat.refusal(error)]
    return []


def _reader(seat: DeskSeat, stands_in: Collection[str] = ()) -> FormReader:
    """What reads what an act asks of a seat."""
    return FormReader(seat.system, seat.sight.eyes, seat.seat, seat.teller, seat.names, stands_in)


def _choices(groups: Iterable[FormGroup]) -> frozenset[str]:
    """The fields of whose other values the odds are told apart: those of a form, but for what its tiles say already."""
    return frozenset(asked.name for group in groups for asked in group.fields
                     if not (weighs(asked) and (asked.shape is not None or asked.place == "judgement")))


def joins(seat: DeskSeat, sheets: Sheets, number: int) -> list[RoleToJoin]:
    """The roles that still take somebody in whom this seat may bring, as far as it may know who is there."""
    op = _in_hand(seat, number)
    if op is None:
        return []
    known = [actor for actor in op.cast if seat.sight.knows(actor)]
    cast = {actor.id for actor in known}
    everybody = seat.is_gm or seat.seat in seat.turn.seats_of(op, op.move.by)
    found = []
    for role in op.move.cast:
        held = sum(actor.role == role.id for actor in known)
        free = sorted((one for one in sheets.listed if one.id not in cast and seat.system.takes(role, one.of)
                       and (everybody or seat.seat in seat.sight.eyes.controllers(one.id))
                       and acting.may_come_in(op, seat.state.records[one.id].seen_by)
                       and acting.may_hold(seat.turn, op.move, role.id, one.id, op.encounter)),
                      key=lambda one: (not one.player, one.name))
        open_to_more = role.offered(seat.rulings) and (role.most is None or held < role.most)
        if role.id != GM and open_to_more and free:
            found.append(RoleToJoin(role.id, seat.teller.role(role.id), free))
    return found


def _in_hand(seat: DeskSeat, number: int) -> OpenMove | None:
    """An act about which this seat may still do something, before its dice; None if it is not."""
    try:
        op = seat.turn.at(seat.table_number(number))
    except ParaventError:
        return None
    return None if op.phase != "open" or op.thrown or seat.turn.is_out_of_hands(op) else op


def steps_in(seat: DeskSeat, sheets: Sheets, number: int) -> Iterator[Stepping]:
    """How this seat's own, who are not in the act, may step in: the choices they have, and what each would bring."""
    op = _in_hand(seat, number)
    if op is None or op.pending is not None:
        return
    cast = {actor.id for actor in op.cast}
    roles = [role for role in op.move.cast if role.offers and role.offered(seat.rulings)]
    mine = [one for one in sheets.listed if one.player and one.id not in cast and not seat.is_gm
            and seat.seat in seat.sight.eyes.controllers(one.id)]
    for role in roles:
        for one in mine:
            with suppress(ParaventError, *STUMBLES):
                tiles = _offered(seat, acting.joined(seat.turn, op, role.id, [one.id]), role, one.id)
                if tiles:
                    yield Stepping(one.id, one.name, role.id, seat.teller.role(role.id), role.offers, tiles)


def _offered(seat: DeskSeat, there: OpenMove, role: Role, who: str) -> list[Tile]:
    """What somebody could bring by stepping in, each with what it would make of the odds; worked out again only once
    something that may be read of the act, or of them, is another."""
    return _OFFERED.of(there, seat.sight.context(there), lambda noted: _worked_out(seat, there, noted, role, who),
                       role.id, who, seat.lang)


def _worked_out(seat: DeskSeat, there: OpenMove, ctx: Context, role: Role, who: str) -> list[Tile]:
    asked = there.move.field(role.offers, role.id)
    focus = replace_focus(ctx, next(actor for actor in ctx.all(role.id) if actor.id == who))
    if not asked.applies(focus):
        return []
    usual = usual_of(asked, focus)
    options = [(str(value), seat.teller.value(value)) for value in field_facts(asked, focus).options or ()
               if value != usual]
    shown = Control(who, role.offers, "", "", "one-of", None, "", options)
    weighed = weigher(seat)

    def chances(actor: str, tries: Sequence[Mapping[str, Plain]]) -> list[str | None]:
        """What each choice would make of the odds; where the rules do not let one be told, they let none."""
        return [chance or None for chance in weighed.chances_with(there, actor, tries, ctx)]

    tiles = Shaper(seat.system, seat.teller, chances).tiles_of(shown)
    # What all would bring alike is another thing than what there is without any: each says it.
    return [one._replace(chance=shown.alike) for one in tiles] if shown.alike else tiles


def _tray(seat: DeskSeat, op: OpenMove, takes: Iterable[Any]) -> list[Die]:
    """The dice that lie before the one who chooses, as the rule has them now."""
    step = op.step(seat.system)
    if not isinstance(step, Resolve) or op.pending is None:
        return []
    dice = PlayedDice(LiveFaces(), None, op.records[step.id])
    with suppress(Waiting, ParaventError):
        step.call(op.context(seat.system)).on(dice)
    kinds = {kind for option in takes for kind in option}
    thrown = [entry for entry in op.records[step.id] if isinstance(entry, Thrown)]
    sides = thrown[0].sides if thrown else 6
    role = getattr(op.pending, "who", "initiator")
    if thrown and not dice.tray(role):  # the dice that one may have thrown again are another's
        role = thrown[-1].role
    return [Die(at, face, sides, kind, aside, kind in kinds and not aside, _worth(seat, kind, face, aside))
            for at, (face, kind, aside) in enumerate(dice.tray(role), start=1)]


def _worth(seat: DeskSeat, kind: str, face: int, aside: bool) -> str:
    """What a die counts as, where the game has a word for it that its face does not say already."""
    if aside:
        kept_out: str = seat.teller.value(f"{kind}_aside")
        return seat.teller.say("web.die_aside") if kept_out == f"{kind}_aside" else kept_out
    said = seat.teller.value(kind)
    known = said != kind or seat.teller.words.knows(f"values.{kind}")  # in English, a word may be spelt as it is kept
    words = said if known else seat.teller.name(kind) if seat.teller.is_named(kind) else ""
    return "" if words == str(face) else words
