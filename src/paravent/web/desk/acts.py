"""Acts as cards: who is in them, what was filled in, thrown, told, changed."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from enum import StrEnum
from hashlib import blake2b
from zlib import crc32

import msgspec
from msgspec import UNSET, UnsetType

from paravent.dice import Choice
from paravent.game import AnyField, AnyKind, Change, People, SheetOf, Telling, to_plain
from paravent.game.plain import Plain
from paravent.game.records import GM, type_at
from paravent.game.telling import NOTHING, Teller
from paravent.table.kept import ByIdentity
from paravent.table.knowing import is_about_unknown
from paravent.table.making import value_now
from paravent.table.polls import anonymous_poll
from paravent.table.seen import ChangeSeen, ChoiceSeen, MoveSeen, ThrowSeen, is_sealed
from paravent.table.undo import may_undo
from paravent.web.controls import FormGroup
from paravent.web.sheets import shortened

from .cards import (
    AnswerOffered,
    Card,
    ChangeCard,
    ChangedLine,
    FilledIn,
    Member,
    Question,
    RoleToJoin,
    Rung,
    Stepping,
    ThrownHand,
    ThrownRule,
)
from .handling import handle, joins, steps_in, watch
from .inside import Inside
from .seat import DeskSeat
from .sheets import DrawnSheet, Sheets

_LOG = logging.getLogger(__name__)
_THROWN: ByIdentity[tuple[ThrownRule, ...]] = ByIdentity(512)
_FILLED: ByIdentity[list[FilledIn]] = ByIdentity(512)


class ActCards:
    """The acts of the table, as one seat sees and handles them."""

    def __init__(self, seat: DeskSeat, sheets: Sheets) -> None:
        self._seat, self._sheets = seat, sheets
        self._cards: dict[int, Card] = {}

    def open_cards(self, encounter: int = 0) -> list[Card]:
        """The acts that are not over, those that wait for this seat first; those of one encounter, or of none."""
        running = {own for own, seen in self._seat.encounters.items() if not seen.over}
        here = [self.card(move) for move in self._seat.open_moves
                if (move.encounter if move.encounter in running else 0) == encounter]
        return sorted(here, key=lambda card: (not card.mine, card.number))

    def last_over(self) -> MoveSeen | None:
        """Of the acts that are over and whose throw this seat may see, the one that it heard of last."""
        known = self._seat.state.counts_of(self._seat.seat)
        heard = [known.moves.get(number, 0) for number in known.latest]
        for move in sorted(self._seat.moves.values(), reverse=True,
                           key=lambda act: (heard.index(act.number) if act.number in heard else -1, act.number)):
            if move.phase == "closed" and any(throw.outcome is not UNSET or throw.dice for throw in move.throws):
                return move
        return None

    def may_undo(self, number: int) -> bool:
        """Whether this seat may take back what an act changed."""
        seat, act = self._seat, self._seat.act(number)
        return seat.plays and act is not None and may_undo(seat.state, seat.seat, act, seat.system)

    def waiting(self) -> int:
        """How many acts wait for this seat."""
        return sum(self._seat.seat in move.waits_for for move in self._seat.open_moves)

    def card(self, move: MoveSeen) -> Card:
        """One act, with whatever this seat may do about it."""
        if move.number not in self._cards:
            self._cards[move.number] = self._card(move)
        return self._cards[move.number]

    def _card(self, move: MoveSeen) -> Card:
        card = self.told(move)
        if move.phase == "open":
            try:
                if self._seat.plays:
                    handle(self._seat, self._sheets, card)
                else:
                    watch(self._seat, card)
            except Exception:  # a game may fail in any way; the page stands, and the act can be cancelled
                _LOG.exception("a move of %s could not be shown: %s", self._seat.system.id, card.id)
                card.broken = True
        return card

    def _mark(self, shown: object) -> str:
        """A mark that is another one once something looks otherwise, or somebody has another name."""
        return blake2b(msgspec.json.encode((shown, tuple(self._seat.names.items()))), digest_size=8).hexdigest()

    def joins(self, number: int) -> list[RoleToJoin]:
        """Whom this seat may bring into an act, and as what."""
        return joins(self._seat, self._sheets, number)

    def steps_in(self, number: int) -> list[Stepping]:
        """How this seat's own may step into an act."""
        return list(steps_in(self._seat, self._sheets, number))

    def told(self, move: MoveSeen) -> Card:
        """One act as it is read, without what may be done about it."""
        seat = self._seat
        who, title = self.heading(move)
        quiet = self._quiet(move)
        card = Card(
            number=move.number, id=move.move, title=title, help=seat.teller.help(f"moves.{move.move}"),
            phase=move.phase, who=who, against=self._against(move),
            called=self._called(move), starter=move.starter,
            encounter=move.encounter or 0, parts=self._parts(move), filled=self._filled(move),
            handed=self._handed(move), waits_for=[seat.name(other) for other in move.waits_for],
            mine=seat.seat in move.waits_for,
            throws=self.thrown(move), begun=self._begun(move), may_throw=self._may_throw(move),
            changes=[self._change(change.at or 0, change, move.phase == "settled" and not change.waits)
                     for change in move.changes if (change.target, change.path) not in quiet or self._is_stuck(change)],
            proofs=move.proofs, deadline=move.deadline or None, rule_changed=move.rule_changed or None,
            left_out=[seat.name(row.seat) for proof in move.proofs for row in proof.grains or () if row.left_out],
            secrecy=move.secrecy or "", wanted=move.dice or None,
            drawn=self._mark((msgspec.structs.replace(move, proofs=()), [one.begun_again or 0 for one in move.proofs])),
            takes_more=self._takes_more(move),
            handled=self._mark((move.phase, move.cast, move.secrecy or "", move.deadline or None, len(move.throws),
                                bool(move.dice), self._seat.seat in move.waits_for)),
        )
        if move.choice:
            card.choice = self._choice(move.choice, move)
        return card

    def heading(self, move: MoveSeen) -> tuple[str, str]:
        """Whose act it is, and what it is called: what the game master does to somebody is a story of that person."""
        seat, by = self._seat, self._doer(move)
        who = ", ".join(seat.name(actor) for actor, role in move.cast.items() if role == by and actor != GM)
        return who or self._befalls(move) or seat.name(move.starter), seat.teller.title(f"moves.{move.move}")

    def _doer(self, move: MoveSeen) -> str:
        """The role whose act it is: what the game master begins for one against others is theirs."""
        declared = self._seat.system.moves.get(move.move)
        if declared is None:
            return "initiator"
        if declared.by != GM or not any(role.other for role in declared.cast):
            return declared.by
        return next((role.id for role in declared.cast if role.id != GM and role.most == 1 and not role.other), GM)

    def _against(self, move: MoveSeen) -> str:
        """Those of another side of its encounter than whoever acts, by name."""
        seat, seen, by = self._seat, self._seat.encounters.get(move.encounter or 0), self._doer(move)
        if seen is None:
            return ""
        sides = {who.id: who.side for who in Inside(seat).people(seen)}
        ours = {sides.get(who, "") for who, role in move.cast.items() if role == by}
        others = [seat.name(who) for who, role in move.cast.items()
                  if role != by and who in sides and sides[who] not in ours]
        return seat.teller.listed(others) if ours and others else ""

    def _called(self, move: MoveSeen) -> str:
        """What people call an act in their own words, where it asks for that."""
        declared = self._seat.system.moves.get(move.move)
        named = {asked.id for asked in declared.fields if asked.names} if declared is not None else set()
        said = (value for fields in move.fields.values() for name, value in fields.items() if name in named)
        words = next((value for value in said if isinstance(value, str)), "")
        return words[:1].upper() + words[1:]

    def _takes_more(self, move: MoveSeen) -> bool:
        declared = self._seat.system.moves.get(move.move)
        held, rulings = list(move.cast.values()), self._seat.rulings
        return move.phase == "open" and declared is not None and any(
            role.id != GM and role.offered(rulings) and (role.most is None or held.count(role.id) < role.most)
            for role in declared.cast)

    def _befalls(self, move: MoveSeen) -> str:
        """To whom the game master does something, where it is one person."""
        declared = self._seat.system.moves.get(move.move)
        by_gm = declared is not None and declared.by == GM
        those = [actor for actor in move.cast if actor in self._seat.records] if by_gm else []
        return self._seat.name(those[0]) if len(those) == 1 else ""

    def sheet_asked(self) -> str:
        """Where the latest sheet that an act asks of this seat is written; empty if none is."""
        for card in sorted(self.open_cards(), key=lambda card: -card.number):
            for asked in (group.sheet for group in card.groups):
                if asked is not None:
                    return f"write/{asked.sheet}?move={card.number}&actor={asked.actor}&field={asked.name}"
        return ""

    def _parts(self, move: MoveSeen) -> list[Member]:
        """Who is in it; of sealed choices, whether they are in."""
        waited = set(move.waits_for)
        shown = []
        for actor, role in move.cast.items():
            holders = self._seat.eyes.controllers(actor)
            awaited = move.phase == "open" and holders & waited
            ready = "sealed" if self._is_in(move, actor) else "waits" if awaited else ""
            shown.append(Member(actor, self._seat.name(actor), self._seat.teller.role(role), ready))
        return shown

    def _is_in(self, move: MoveSeen, actor: str) -> bool:
        """Whether somebody's choice is sealed: not while whoever answers for them, and for nobody else, is awaited."""
        controllers = self._seat.eyes.controllers
        answers = controllers(actor)
        still = move.phase == "open" and bool(answers & set(move.waits_for)) and not any(
            answers & controllers(other) for other in move.cast if other != actor)
        return not still and any(map(is_sealed, move.fields.get(actor, {}).values()))

    def called(self, move: MoveSeen) -> tuple[tuple[str, str], ...]:
        """What a rule calls those who are in an act (``opponent2``), and their names."""
        act = self._seat.act(move.number)
        return tuple((part.name, self._seat.name(part.id)) for part in (act.cast if act is not None else ())
                     if part.id in move.cast)

    def among(self, move: MoveSeen) -> Teller:
        """What tells of an act: those who are in it go by the names that the seat knows."""
        roles = {role: People(tuple(one for one, held in move.cast.items() if held == role))
                 for role in (*move.cast.values(), *self._roles(move))}
        return self._seat.teller.among(roles)

    def _roles(self, move: MoveSeen) -> list[str]:
        declared = self._seat.system.moves.get(move.move)
        return [] if declared is None else [role.id for role in declared.cast if role.id != GM]

    def hidden_of(self, move: MoveSeen) -> tuple[str, ...]:
        """To the game master, the throws of an act that somebody may not see all of."""
        if not self._seat.is_gm:
            return ()
        return tuple(throw.step for throw in move.throws if self.hides(move.number, throw.step))

    def _filled(self, move: MoveSeen) -> list[FilledIn]:
        """What was filled in, in words: put into words once for all who read the same and know people by the same
        names."""
        seat = self._seat
        return _FILLED.of((seat.system,), lambda: self._filled_in_words(move), seat.lang, move.move,
                          msgspec.json.encode((move.fields, move.cast)), tuple(seat.names.items()), seat.looking.unseen,
                          tuple(self._is_in(move, actor) for actor in move.fields))

    def _filled_in_words(self, move: MoveSeen) -> list[FilledIn]:
        seat = self._seat
        rows = []
        sheets = {asked.id for asked, _ in self._sheets_asked(move)}
        several = len(move.cast) > 1
        usual, finer = self._unsaid(move), {one.id for one in self._finer(move)}
        for actor, fields in move.fields.items():
            if fields and all(map(is_sealed, fields.values())):
                if not self._is_in(move, actor):
                    continue  # begun, and not sealed yet
                choice, words = seat.teller.say("web.sealed_choice"), seat.teller.say("web.sealed")
                rows.append(FilledIn(actor, seat.name(actor), "", choice, words))
                continue
            for name, value in fields.items():
                if name in sheets or value is False or value in (None, "", [], {}) or usual.get(name) == value:
                    continue  # what is not so, and what stands anyhow, need not be said
                if value == "none" and name in finer:
                    continue  # nothing taken, nothing done
                told = {k: v for k, v in value.items() if v} if isinstance(value, dict) else value
                if told == {}:
                    continue
                words = seat.teller.say("web.sealed") if is_sealed(value) else (
                    seat.teller.steps_named(name, told)
                    or (seat.teller.step_title(name, told) if isinstance(told, str) else "")
                    or seat.teller.value(seat.named(told)))
                who = seat.name(actor) if several or actor == GM else ""
                rows.append(FilledIn(actor, who, name, seat.teller.title(f"fields.{name}"), words))
        return rows

    def _unsaid(self, move: MoveSeen) -> dict[str, Plain]:
        """What stands in the finer points of an act when nobody says anything about them."""
        return {one.id: to_plain(one.usual) for one in self._finer(move)
                if one.has_usual() and not callable(one.usual)}

    def _finer(self, move: MoveSeen) -> list[AnyField]:
        """The finer points that an act asks for."""
        declared = self._seat.system.moves.get(move.move)
        asked = declared.fields if declared is not None else ()
        return [one for one in asked if one.placed in ("refinement", "rarity")]

    @staticmethod
    def is_told(card: Card) -> bool:
        """Whether what is said of an act names whoever did it."""
        return any(card.who in line for throw in card.throws for line in (throw.outcome, *throw.said))

    @staticmethod
    def said_in(card: Card, group: FormGroup) -> list[tuple[str, str]]:
        """What a part of a form holds, in words."""
        asked = {one.name for one in group.fields}
        return [(row.title, row.words) for row in card.filled
                if row.actor == group.actor and row.field in asked and not _is_the_title(card, row)]

    @staticmethod
    def set_aside(card: Card, actor: str) -> list[str]:
        """What somebody's part holds and no longer counts, since something else was chosen, in words."""
        return [f"{row.title} ({row.words})" for row in card.filled
                if row.actor == actor and (row.actor, row.field) in card.aside]

    @staticmethod
    def filled_by_others(card: Card) -> list[tuple[str, list[tuple[str, str]]]]:
        """What is filled in that the seat's own forms do not show, by who filled it in."""
        own = {(group.actor, asked.name) for group in card.groups for asked in group.fields}
        found: dict[str, list[tuple[str, str]]] = {}
        for row in card.filled:
            if (row.actor, row.field) not in own | card.aside and not _is_the_title(card, row):
                found.setdefault(row.who, []).append((row.title, row.words))
        return list(found.items())

    def _handed(self, move: MoveSeen) -> list[DrawnSheet]:
        """The whole sheets that were handed in to an act, drawn, with what the rules say of them."""
        shown = []
        for asked, kind in self._sheets_asked(move):
            for actor, fields in move.fields.items():
                sheet = fields.get(asked.id)
                if isinstance(sheet, dict) and not is_sealed(sheet):
                    shown.append(self._sheets.written(kind, f"{actor}-{asked.id}", sheet))
        return shown

    def _sheets_asked(self, move: MoveSeen) -> list[tuple[AnyField, AnyKind]]:
        """The fields of an act that take a whole sheet; of a move that the game no longer has, none."""
        declared = self._seat.system.moves.get(move.move)
        return [] if declared is None else [
            (asked, self._sheets.kind(asked.type.kind)) for asked in declared.fields if isinstance(asked.type, SheetOf)
        ]

    def hides(self, number: int, step: str) -> bool:
        """Whether somebody may not see all of a throw."""
        act = self._seat.act(number)
        throw = act.throw(step) if act is not None else None
        if throw is None:
            return False
        shown = throw.shown
        audiences = (shown.exists, shown.dice, shown.outcome) if throw.dice else (shown.exists, shown.outcome)
        return any("all" not in audience for audience in audiences)

    def stays_behind(self, number: int) -> bool:
        """Whether its throw cannot be shown: it writes a sheet that is told by others alone, and would tell what that
        one keeps; or it is about nobody of whom the others know, and nobody would be told anything."""
        act, seat = self._seat.act(number), self._seat
        eyes = seat.state.eyes
        others = [one for one in eyes.seats if not eyes.is_gm(one)]
        if act is not None and others and all(is_about_unknown(eyes, one, act) for one in others):
            return True
        for change in act.changes if act is not None else ():
            held = seat.records.get(change.target)
            kind = seat.system.kinds.get(change.kind or (held.kind if held is not None else ""))
            if kind is not None and kind.kept:
                return True
        return False

    def thrown(self, move: MoveSeen) -> tuple[ThrownRule, ...]:
        """What was thrown, in words: put into words once for all who are told the same and know people by the same
        names, whether on a card or in the log."""
        seat = self._seat
        if not move.throws:
            return ()
        _, title = self.heading(move)
        known = self.called(move), tuple(move.cast.items()), tuple(seat.names.items()), seat.looking.unseen
        return _THROWN.of((seat.system,), lambda: self._in_words(move, title),
                          seat.lang, title, msgspec.json.encode(move.throws), known)

    def _in_words(self, move: MoveSeen, title: str) -> tuple[ThrownRule, ...]:
        called, among = dict(self.called(move)), self.among(move)
        declared = self._seat.system.moves.get(move.move)
        ends = {step.id: step.ends for step in declared.resolves} if declared is not None else {}
        passing = {step.id for step in declared.resolves if step.passing} if declared and self._begun(move) else set()
        within = {step.id: step.within for step in declared.resolves} if declared is not None else {}
        throws = tuple(
            self._throw(throw, title, called, among, ends.get(throw.step, {}), _highest(throw, within.get(throw.step)))
            for throw in move.throws if throw.step not in passing)
        heard: set[str] = set()
        for throw in throws:  # what was said once is not said again
            throw.said[:] = [line for line in throw.said if line not in heard]
            heard.update((throw.outcome, *throw.said))
        lies = {step.id: step.lies for step in declared.resolves} if declared is not None else {}
        lit = {rung for throw in move.throws for rung in _lit(throw, lies.get(throw.step))}
        for rung in (rung for throw in throws for rung in throw.ladder):
            rung.lit = rung.id in lit
        return throws

    def _throw(
        self, throw: ThrowSeen, title: str, called: Mapping[str, str], teller: Teller, ends: Mapping[str, bool],
        highest: int | None,
    ) -> ThrownRule:
        seat = self._seat
        told = [(line.main, teller.telling(Telling(line.key, seat.named(line.values)))) for line in throw.told or ()
                if not line.rung]
        plain = (line for line in throw.told or () if not line.rung)
        lines = {words: line for (_, words), line in zip(told, plain, strict=True)}
        struck = {words: line.at for words, line in lines.items() if line.at}
        signs = {words: sign for words, line in lines.items() for sign in line.values.values()
                 if isinstance(sign, str) and sign in seat.system.signs}
        main, said = [line for whole, line in told if whole], [line for whole, line in told if not whole]
        why = [(note.rule, teller.why(note.key, seat.named(note.values, called).items())) for note in throw.why or ()]
        result = None if throw.result is UNSET else throw.result
        words = teller.outcome(throw.outcome, result) if isinstance(throw.outcome, str) else ""
        words = " ".join(main) or words
        said = [line for line in said if line != words]
        if words == title and said:
            words = said.pop(0)  # an outcome that only repeats the title says nothing
        elif whole := next((line for line in said if words and _begins(line, words) and line not in struck), ""):
            said.remove(whole)
            words = whole  # the sentence says what the heading would have said
        hands = [ThrownHand(hand.role, called.get(hand.role) or seat.name(hand.role), hand.sides, hand.faces,
                            hand.by_hand, hand.stream or (), hand.again or (),
                            tuple(teller.face_word(hand.sides, face) for face in hand.faces),
                            tuple(highest is not None and face > highest for face in hand.faces))
                 for hand in throw.dice or ()]
        several = len({hand.role for hand in hands}) > 1  # each side has an end of its own
        # What is a success is known with the figures; to whoever is told the outcome alone, where that says it.
        alone = ends.get(throw.outcome) if isinstance(throw.outcome, str) else None
        success = alone if throw.success is UNSET else throw.success
        ended = "" if several or success is None else "won" if success else "lost"
        return ThrownRule(throw.step, hands, said, why, words, several,
                          not isinstance(throw.dice, tuple) and not words, ended, self._ladder(throw, teller),
                          struck, signs)

    def _ladder(self, throw: ThrowSeen, teller: Teller) -> list[Rung]:
        """What each possible end of the dice would bring, as far as this seat was told."""
        rungs: dict[str, Rung] = {}
        for line in throw.told or ():
            if line.rung:
                rung = rungs.setdefault(line.rung, Rung(line.rung, teller.rung(line.rung)))
                rung.told.append((teller.telling(Telling(line.key, self._seat.named(line.values))), bool(line.behind)))
        return list(rungs.values())

    def _may_throw(self, move: MoveSeen) -> bool:
        declared = self._seat.system.moves.get(move.move)
        return declared is not None and declared.may_throw

    def _begun(self, move: MoveSeen) -> bool:
        declared = self._seat.system.moves.get(move.move)
        alone = {step.id for step in declared.resolves if step.auto} if declared is not None else set()
        return any(throw.step not in alone for throw in move.throws)

    def _quiet(self, move: MoveSeen) -> frozenset[tuple[str, str]]:
        """What only keeps the table going: it is never shown as a consequence, and follows the rest."""
        act = self._seat.act(move.number)
        return frozenset((change.target, change.path) for change in (act.changes if act is not None else ())
                         if change.weight == "bookkeeping")

    def _is_stuck(self, change: ChangeSeen) -> bool:
        """Whether something else changed meanwhile what only keeps the table going: then it is the game master's to
        see, for whoever cannot see it could neither correct nor refuse it."""
        now = self._now(change) if change.waits and self._seat.is_gm else UNSET
        return now is not UNSET and now != change.before

    def _change(self, at: int, change: ChangeSeen, made: bool) -> ChangeCard:
        seat = self._seat
        clock = change.target == "clock" and change.path == "minutes"
        who = seat.teller.actor(None, change.target) if change.target in ("encounter", "clock") else (
            seat.name(change.target))
        after = change.after
        if not change.path and isinstance(after, dict) and change.target not in seat.state.records:
            who = str(after.get("name") or seat.teller.say_plainly("telling.somebody"))  # undone: only the act tells
        simple = isinstance(after, (int, str)) and not (isinstance(after, bool) or clock)
        now = UNSET if made or not change.waits or not seat.is_gm else self._now(change)
        stale = now is not UNSET and now != change.before
        before = change.before
        since = now - before if stale and type(now) is int and type(before) is int else None
        value = after if isinstance(after, (int, str)) and simple else None
        held = seat.state.records.get(change.target)
        kind = self._sheets.kind(held.kind) if held is not None and change.path else None
        words = self._words_for(kind, change.path) if kind is not None and isinstance(value, str) else ()
        if isinstance(value, str) and not words and seat.teller.value(value) != value:
            value = None  # a word of the game's, for which no others are known
        proposed = value + since if since is not None and isinstance(value, int) else value
        if isinstance(proposed, int) and kind is not None and change.path in kind.gauges:
            proposed = max(0, proposed)  # however much was lost meanwhile, nothing is emptier than empty
        return ChangeCard(at, who, change.rule, self._change_lines(change, clock), change.target == "encounter",
                          value, isinstance(after, int), made, stale and since is None, proposed, words)

    def _words_for(self, kind: AnyKind, path: str) -> tuple[tuple[str, str], ...]:
        """The words that may stand in a field of a sheet, if it is one of few: as kept, and as read."""
        try:
            declared = type_at(kind.cls, path)
        except (KeyError, AttributeError):  # the game has no such field any more
            return ()
        if not (isinstance(declared, type) and issubclass(declared, StrEnum)):
            return ()
        return tuple((one.value, self._seat.teller.value(one)) for one in declared)

    def _now(self, change: ChangeSeen) -> Plain | UnsetType:
        """What stands now on a sheet where a change would be made; something else may have changed it since."""
        state = self._seat.state
        known = change.target in state.records and change.path
        return value_now(state, change.target, change.path, None) if known else UNSET

    def _change_lines(self, change: ChangeSeen, clock: bool) -> list[ChangedLine]:
        seat = self._seat
        if clock and isinstance(change.before, int) and isinstance(change.after, int):
            return [ChangedLine("", seat.moment(change.before), seat.moment(change.after))]
        if not change.path and isinstance(change.after, dict):
            return [ChangedLine("", "", seat.teller.say("web.new_sheet"))]
        lines = self.lines_of(change.target, change.path, change.before, change.after)
        if change.target == "encounter":
            # What it lists is shown where it runs: that it follows is enough.
            return [line for line in lines if "·" not in line.what] or [
                ChangedLine(seat.teller.say("web.state_follows"), "", "")]
        return lines

    def lines_of(self, target: str, path: str, before: Plain, after: Plain) -> list[ChangedLine]:
        """What changes in a place of a sheet or of an encounter, value by value, in words."""
        seat = self._seat
        lines = []
        for what, was, now in seat.teller.change(Change(target, path, seat.named(before), seat.named(after), ""), None):
            own = what.removeprefix(seat.teller.actor(None, target)).lstrip(" ,:·\u00a0")
            for known, name in seat.names.items():
                own = own.replace(known, name)
            own = shortened(own) if isinstance(after, int) else own
            head, _, row = own.rpartition(" · ")  # what comes or goes says itself what it is
            if head and (now if was == NOTHING else was if now == NOTHING else "").startswith(row):
                own = head
            lines.append(ChangedLine(own, "" if was == NOTHING else was, now))
        return lines

    def _choice(self, choice: ChoiceSeen, move: MoveSeen) -> Question:
        teller = self._seat.teller
        asked = Choice("", choice.key, (), None, "")
        takes = [option for option in choice.options if _takes_dice(option)]
        options = [
            AnswerOffered(json.dumps(option, ensure_ascii=False), teller.option(asked, option), option in takes,
                          at == 0)
            for at, option in enumerate(choice.options)
        ]
        act = self._seat.act(move.number)
        # Of what is written otherwise, as far as the seat reads it, one votes again.
        asks_all = act is not None and anonymous_poll(act) is not None
        poll = f"{crc32(msgspec.json.encode([move.fields, choice.values])):x}" if asks_all else ""
        many = any(isinstance(option, list) and len(option) > 1 for option in takes)
        return Question(choice.key, teller.title(f"choices.{choice.key}"),
                        teller.stakes(choice.key, choice.values.items()), options, many, takes, poll)


def _lit(throw: ThrowSeen, lies: tuple[str, str] | None) -> list[str]:
    """The rungs where the dice of a throw fell; while its rule still asks something, the one where they lie so far."""
    fell = [line.lights for line in throw.told or () if line.lights]
    if fell or lies is None:
        return fell
    key, name = lies
    return [str(note.values.get(name)) for note in throw.why or () if note.key == key][-1:]


def _highest(throw: ThrowSeen, within: tuple[str, str] | None) -> int | None:
    """How high a die of a throw may be and still count, as far as this seat reads what says so."""
    if within is None:
        return None
    key, name = within
    said = [note.values.get(name) for note in throw.why or () if note.key == key]
    return said[-1] if said and isinstance(said[-1], int) else None


def _begins(line: str, words: str) -> bool:
    """Whether a sentence begins with these very words."""
    rest = line.removeprefix(words.rstrip(". "))
    return rest != line and not rest[:1].isalnum()


def _takes_dice(option: Plain) -> bool:
    return isinstance(option, list) and bool(option) and all(isinstance(kind, str) for kind in option)


def _is_the_title(card: Card, row: FilledIn) -> bool:
    """Whether what was filled in is what the card is called by."""
    return bool(card.called) and row.words.casefold() == card.called.casefold()
