"""What the declarations of a game let a seat know of a table, read from the raw state.

This is told a second time on purpose, apart from :mod:`paravent.table.view`: the proof by difference asks it whether
two tables differ in anything that a seat was ever meant to learn. It is as small as it can be. Numbers, phases, who is
waited for, what a form asks, odds and refusals are no part of it: they may never differ where this does not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from paravent.game import Resolve, System
from paravent.table import events as e
from paravent.table.act import Act, ChoiceAsked, ChoiceMade, DiceAsked, LineNoted, Proposal, Throw
from paravent.table.state import State

NO_CHANGES = next(part.default for part in fields(Resolve) if part.name == "changes")
SAID = (e.Said, e.SceneOpened, e.CardPlayed, e.OptionsSet)


class Declared:
    """The people at a table, and what audiences mean to them."""

    def __init__(self, state: State, system: System) -> None:
        self.state, self.system = state, system
        self.here = {seat: place.rank for seat, place in state.seats.items() if place.present}
        self.masters = {seat for seat, rank in self.here.items() if rank == "gm"}

    def holders(self, actor: str) -> set[str]:
        """Who answers for an actor."""
        held = self.state.records.get(actor)
        owner = held.owner if held is not None else actor
        return {owner} if owner in self.here else self.masters

    def readers(self, actor: str, secrecy: str) -> set[str]:
        """Who may read a field of a move, filled in for an actor."""
        match secrecy:
            case "open":
                return set(self.here)
            case "own":
                return self.holders(actor) | self.masters
            case "gm":
                return self.masters
            case _:
                return self.holders(actor)

    def seeing(self, record: str, audience: Iterable[str]) -> set[str]:
        """Who may see something of a record that is for these ranks."""
        ranks = set(audience)
        return {
            seat for seat, rank in self.here.items()
            if rank == "gm" or ranks & {"all", seat, rank} or ("owner" in ranks and seat in self.holders(record))
        }

    def hidden_fields(self, record: str) -> dict[str, set[str]]:
        """The fields of a record that fewer may see, each with those who may."""
        kind = self.system.kinds[self.state.records[record].kind]
        return {name: self.seeing(record, audience) for name, audience in kind.hidden.items()}

    def knowing(self, record: str) -> set[str]:
        """Who may know of a record at all."""
        held = self.state.records.get(record)
        return set(self.here) if held is None else self.seeing(record, {"owner", *held.seen_by})

    def hearing(self, kept: Act, audience: Iterable[str] | None) -> set[str]:
        """The people behind ranks and roles of a move."""
        return {seat for name in audience or () for seat in self._behind(kept, name)}

    def _behind(self, kept: Act, name: str) -> set[str]:
        if name == "all":
            return set(self.here)
        if name == "gm":
            return self.masters
        if name == "others":
            acting = self._behind(kept, kept.by)
            return {seat for seat, rank in self.here.items() if rank != "spectator" and seat not in acting}
        if name in self.here:
            return {name}
        return {seat for part in kept.cast if name in (part.id, part.role, part.name) for seat in self.holders(part.id)}

    def know_of(self, kept: Act) -> set[str]:
        """Who may know that a move is played: whoever started it, and those to whom it and one of its throws exist."""
        told = self.hearing(kept, kept.exists)
        thrown = [self.hearing(kept, throw.shown.exists) for throw in kept.throws]
        if thrown:
            told &= set.union(*thrown)
        told = {seat for seat in told if not self.is_unknown(seat, kept)}
        return told | ({kept.starter} & set(self.here))

    def is_unknown(self, seat: str, kept: Act) -> bool:
        """Whether all who must be in a move, and any others, are people of whom a seat may not know."""
        people = [part for part in kept.cast if part.role != "gm"]
        return any(part.has_sheet and not part.spare for part in people) and not any(
            not part.has_sheet or seat in self.seeing(part.id, {"owner", *part.seen_by}) for part in people)

    def fathoms(self, seat: str, kept: Act) -> bool:
        """Whether a seat may see how every throw of a move ended."""
        return all(seat in self.hearing(kept, throw.shown.outcome) for throw in kept.throws)


def facts(state: State, seat: str, system: System, mastered: bool = True) -> dict[str, Any]:
    """All that a seat may have learnt, in plain values, by something that a game master did, or that nobody of them
    did."""
    known = Declared(state, system)
    unseen = {name for name in state.records if seat not in known.knowing(name)}
    told = {
        "clock": [state.minutes, state.scene, state.episode, state.rulings],
        "seats": [[place.name, place.rank, place.present] for place in state.seats.values()],
        "records": {name: _record(known, seat, name) for name in state.records if name not in unseen},
        "moves": [_move(known, seat, kept, mastered) for kept in state.moves.values() if seat in known.know_of(kept)],
        # What is said to somebody of a throw is said to them, whether or not they may know of the throw.
        "overheard": [line for kept in state.moves.values() if not known.is_unknown(seat, kept)
                      for throw in kept.throws if throw.done
                      for row in throw.tellings if seat in known.hearing(kept, row.audience)
                      for line in _of_people(row.key, row.values, unseen)],
        "encounters": [
            [running.encounter, _public(known, seat, running.encounter, running.state), running.over]
            for running in state.encounters.values() if seat in known.seeing("", running.seen_by)
        ],
        "said": [
            [getattr(item.event, "text", None), getattr(item.event, "title", None), item.undone] for item in state.log
            if isinstance(item.event, SAID) and seat in item.heard
        ],
    }
    return {name: _unnamed(value, unseen) for name, value in told.items()} if unseen else told


def _record(known: Declared, seat: str, name: str) -> list[Any]:
    held, hidden = known.state.records[name], known.hidden_fields(name)
    seen = {field: value for field, value in held.sheet.items() if field not in hidden or seat in hidden[field]}
    return [held.kind, held.name, held.owner, seen]


def _public(known: Declared, seat: str, encounter: str, state: Mapping[str, Any]) -> dict[str, Any]:
    hidden = () if seat in known.masters else known.system.encounters[encounter].hidden
    return {name: value for name, value in state.items() if name not in hidden}


def _move(known: Declared, seat: str, kept: Act, mastered: bool) -> dict[str, Any]:
    present = {part.id for part in kept.cast
               if part.role == "gm" or seat in known.seeing(part.id, {"owner", *part.seen_by})}
    filled = []
    for row in kept.fields:
        read = seat in known.readers(row.actor, row.secrecy) or (
            row.secrecy == "sealed" and row.field in kept.revealed)
        if row.actor in present and (read or row.secrecy == "sealed"):
            filled.append([row.actor, row.field, row.value if read else "sealed"])
    over = kept.phase in ("settled", "closed", "undone") if known.fathoms(seat, kept) else (
        kept.phase in ("closed", "undone") and kept.secrecy == "open")
    return {
        "move": kept.move,
        "cast": [[part.id, part.role] for part in kept.cast if part.id in present and part.role != "gm"],
        "fields": filled,
        "throws": [_throw(known, seat, kept, throw) for throw in kept.throws
                   if seat in known.hearing(kept, throw.shown.exists)],
        "changes": [_change(known, seat, change) for change in kept.changes if _changes(known, seat, kept, change)]
        if over else [],
        # Whoever starts a move is told when it is over, even if no more of it is theirs to know. Where nothing is ever
        # changed, and a game master has ended it, so is whoever saw how its throws did: something was said of it, or
        # is kept. What anybody else did may end it for nobody in one evening alone.
        "over": kept.is_over and (
            seat == kept.starter or (mastered and known.fathoms(seat, kept) and _changes_nothing(known, kept))),
    }


def _changes_nothing(known: Declared, kept: Act) -> bool:
    """Whether a move never changes anything."""
    move = known.system.moves.get(kept.move)
    return move is not None and all(step.changes is NO_CHANGES for step in move.resolves)


def _throw(known: Declared, seat: str, kept: Act, throw: Throw) -> dict[str, Any]:
    shown = throw.shown

    unknown = {one for part in kept.cast if part.role != "gm" and seat not in known.seeing(
        part.id, {"owner", *part.seen_by}) for one in (part.id, part.name)}
    unknown |= {name for name in known.state.records if seat not in known.knowing(name)}
    several = seat not in known.masters and kept.several

    def lies_open(role: str) -> bool:
        if role in unknown:
            return False
        own = "own" in shown.dice and seat in known.hearing(kept, [role])
        return own or seat in known.hearing(kept, shown.dice)

    ended = seat in known.hearing(kept, shown.outcome)
    all_dice = seat in known.hearing(kept, shown.dice)

    def explained(role: str) -> bool:
        return ended and role not in unknown and (
            lies_open(role) if shown.detail is None else seat in known.hearing(kept, shown.detail))

    figures = ended and (all_dice if shown.detail is None else seat in known.hearing(kept, shown.detail))
    record, pending = throw.record, None if throw.done else kept.pending
    by_hand = isinstance(pending, DiceAsked) and lies_open(pending.who)
    return {
        "step": throw.step,
        # Whoever will see the dice is asked for so many of them when they are thrown by hand.
        "asked": [pending.n, pending.sides] if by_hand else None,
        # What a rule says is at stake is said to whoever it asks; which answers there are may not tell more than that.
        "at stake": _of_people(pending.key, pending.values, unknown)
        if isinstance(pending, ChoiceAsked) and seat in known.hearing(kept, [pending.who]) else None,
        "told": [line for row in throw.tellings if seat in known.hearing(kept, row.audience)
                 for line in _of_people(row.key, row.values, unknown)],
        "dice": [[row.role, row.sides, list(row.faces)] for row in throw.dice if lies_open(row.role)],
        "why": [line for row in record if isinstance(row, LineNoted) and explained(row.role)
                for line in _of_people(row.key, row.values, unknown)],
        "answers": [[row.key, row.answer] for row in record if isinstance(row, ChoiceMade) and explained(row.who)],
        "outcome": throw.outcome if ended and throw.done else None,
        # Of a move for several people, the figures of each are for the game master.
        "result": throw.result if figures and throw.done and not several else None,
    }


def _of_people(key: str, values: Mapping[str, Any], unknown: set[str]) -> list[Any]:
    """A sentence as somebody may hear it who does not know these people; of nobody else, it is not said at all."""
    about = [name for value in values.values() for name in _people(value)]
    if about and set(about) <= unknown:
        return []
    return [[key, {name: _without_people(value, unknown) for name, value in values.items()}]]


def _people(value: Any) -> list[str]:
    if not isinstance(value, Mapping):
        return []
    match dict(value):
        case {"who": str(one)}:
            return [one]
        case {"people": list(ids)} | {"heads": list(ids)}:
            return ids
    return []


def _without_people(value: Any, unknown: set[str]) -> Any:
    if isinstance(value, Mapping) and _people(value):
        return {tag: [one for one in ids if one not in unknown] if isinstance(ids, list) else
                "" if ids in unknown else ids for tag, ids in value.items()}
    return "" if isinstance(value, str) and value in unknown else value


def _changes(known: Declared, seat: str, kept: Act, change: Proposal) -> bool:
    return (seat in known.hearing(kept, change.audience)
            and seat in known.seeing(change.target, {"owner", *change.present})
            and seat in known.seeing(change.target, change.value_audience))


def _change(known: Declared, seat: str, change: Proposal) -> list[Any]:
    hidden = {name for name, audience in change.hidden.items()
              if seat not in known.seeing(change.target, audience)}

    def seen(value: Any) -> Any:
        return {k: v for k, v in value.items() if k not in hidden} if isinstance(value, Mapping) else value

    return [change.target, change.path, seen(change.before), seen(change.after)]


def _unnamed(value: Any, unseen: set[str]) -> Any:
    """Plain values without whatever is about a record that must not be named."""
    if isinstance(value, Mapping):
        return {k: _unnamed(v, unseen) for k, v in value.items() if not {str(k), _word(v)} & unseen}
    if isinstance(value, (list, tuple)):
        return [_unnamed(part, unseen) for part in value if not set(_words(part)) & unseen]
    return value


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _words(part: Any) -> list[str]:
    inner = part.values() if isinstance(part, Mapping) else part if isinstance(part, (list, tuple)) else [part]
    return [_word(value) for value in inner]
