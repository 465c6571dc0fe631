"""In public: moves are started, from examples of the game, for people that everybody knows."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from paravent.dice.errors import ParaventError
from paravent.game import Flag, Resolve, to_plain
from paravent.game.move import SECRECIES
from paravent.table import commands as c
from paravent.table.view import view

from .going_on import GoingOn
from .side import Side

MOST_TO_OPEN = 24
"""After how many acts nobody tries any more to open an encounter."""


HIDES_OFTEN = {"conteur", "empire"}
"""Games whose evenings would hide too little by themselves: their game master keeps whatever a yes lets them keep."""


class Starting(GoingOn):
    """Twins that begin moves, and play those that open an encounter first where one is needed."""

    instead: dict[str, str]

    def starts(self, move_id: str) -> bool:
        """Open a move from one of its examples, for people and records that everybody knows."""
        move, luck = self.whole.move(move_id), self.luck
        example = luck.choice(list(self.system.examples.get(move_id, ())) or [{}])
        if example.get("options") or luck.random() < 0.2:
            options = dict(example.get("options", {}))
            self.publicly("Ana", lambda side: c.SetOptions(options=options))
        running = self._running(move.encounter)
        if move.encounter and running is None:
            self._opens(move.encounter)
            running = self._running(move.encounter)
        by_player = move.by != "gm"
        hides = self._hides_by(move) if self.system.id in HIDES_OFTEN else {}
        starter = luck.choice(("Bob", "Ana", "Ana") if hides else ("Bob", "Bob", "Cy", "Ana")) if by_player else "Ana"
        hiding = bool(hides) and starter == "Ana" and luck.random() < 0.7
        cast = self._cast(move, starter, example, running)
        unseen = self._unseen_role(move, starter, cast)
        as_in_example = luck.random() < 0.7
        secrecy = luck.choice(list(SECRECIES)[:-1]) if starter == "Ana" and luck.random() < 0.3 else "open"

        def starting(side: Side) -> c.Command:
            number = None if running is None else self.encounter(side, starter, running)
            form = self._as_in(move, example, side, starter, cast) if as_in_example else {}
            if hiding:
                form["gm"] = {**form.get("gm", {}), **self._hidden(move, hides, side)}
            command = c.StartMove(move=move_id, cast=cast, form=form, encounter=number, secrecy=secrecy)
            return self._with_hidden_people(side, command, unseen) if unseen and side.hidden else command

        self.instead = {}
        done = self.publicly(starter, starting)
        while done == "refused" and as_in_example and self._reads_otherwise():
            done = self.publicly(starter, starting)
        if done == "refused" and as_in_example:
            as_in_example = False
            done = self.publicly(starter, starting)
        if done != "done" and by_player and luck.random() < 0.5:
            of = tuple(names[0] for names in [cast.get(move.by, [])] if names)
            done = self.publicly("Ana", lambda side: c.AskMove(move=move_id, of=of)) if of else done
        if done == "done":
            self.moves_seen.add(move_id)
            self.look(f"{move_id} begins")
        return done == "done"

    def _reads_otherwise(self) -> bool:
        """Whether what an example says, and this sheet does not have, becomes something that the sheet has."""
        said = self.refused.values if self.refused is not None and self.refused.code == "form/unknown" else {}
        got, near = said.get("got"), said.get("near")
        if not near or got in self.instead:
            return False
        self.instead[got] = near[0]
        return True

    def _as_in(
        self, move: Any, example: Mapping[str, Any], side: Side, starter: str, cast: Mapping[str, list[str]]
    ) -> dict[str, dict[str, Any]]:
        """The form of an example, as far as the starter may fill it in; what is secret, otherwise at each table."""
        known, form = side.declared(), {}
        for role, members in example.get("form", {}).items():
            for actor, values in zip(["gm"] if role == "gm" else cast.get(role, []), members, strict=False):
                if starter != "Ana" and side.seats[starter] not in known.holders(actor):
                    continue
                asked_of_role = {asked.id for asked in move.fields if asked.role == role}
                plainly = {name: to_plain(value) for name, value in values.items() if name in asked_of_role}
                form[actor] = {name: self.instead.get(value, value) if isinstance(value, str) else value
                               for name, value in plainly.items()}
                for name in tuple(form[actor]):
                    asked = move.field(name, role)
                    if asked.secrecy == "sealed" and side.seats[starter] not in known.holders(actor):
                        del form[actor][name]
                    elif self.is_secret(side, actor, asked.secrecy):
                        form[actor][name] = self._other(move, asked, form[actor][name], side.luck)
        return form

    def _hides_by(self, move: Any) -> dict[str, list[Any]]:
        """What the game master may openly say to keep something: a yes, and the secret fields that are asked by it."""
        found: dict[str, list[Any]] = {}
        for flag in move.fields:
            if flag.role != "gm" or flag.secrecy != "open" or not isinstance(flag.type, Flag):
                continue
            plainly, kept = (self._asked_in_secret(move, flag.id, said) for said in (False, True))
            if len(kept) > len(plainly):
                found[flag.id] = kept
        return found

    def _asked_in_secret(self, move: Any, flag: str, said: bool) -> list[Any]:
        try:
            ctx = self.system.context(move, {"gm": [{flag: said}]})
            kept = [asked for asked in move.fields if (asked.role, asked.secrecy) == ("gm", "gm")]
            return [asked for asked in kept if asked.applies(ctx)]
        except (ParaventError, AttributeError, TypeError):
            return []

    def _hidden(self, move: Any, hides: Mapping[str, list[Any]], side: Side) -> dict[str, Any]:
        """The yes, and what is kept by it, otherwise at each table."""
        flag, kept = next(iter(hides.items()))
        secret = {asked.id: self._other(move, asked, None, side.luck) for asked in kept
                  if not isinstance(asked.type, Flag)}
        return {flag: True, **{name: value for name, value in secret.items() if value is not None}}

    def _with_hidden_people(self, side: Side, command: c.StartMove, role: str) -> c.StartMove:
        """The same with people in it of whom nobody knows."""
        move = self.whole.move(command.move)
        number = next((at for at, own in side.state.counts_of(side.seats["Ana"]).encounters.items()
                       if own == command.encounter), 0)
        inside = json.dumps(side.state.encounters[number].state) if number else ""
        people = [name for name in side.hidden if name in inside] or side.hidden
        hidden = side.luck.sample(people, min(len(people), side.luck.randint(0 if command.cast.get(role) else 1, 2)))
        members = hidden[:1] if move.role(role).most == 1 and hidden else [*command.cast.get(role, []), *hidden]
        asked = dataclasses.replace(command, cast={**command.cast, role: members})
        tried = side.tries(dataclasses.replace(asked, seat=side.seats["Ana"]), "?", 0)
        return command if tried.refusal else asked

    def _cast(self, move: Any, starter: str, example: Mapping[str, Any], running: int | None) -> dict[str, list[str]]:
        luck, cast, taken = self.luck, {}, set()
        inside = self._inside(running)
        for role in move.cast:
            if role.id == "gm":
                continue
            wanted = max(role.least, len(example.get("form", {}).get(role.id, ())) or luck.randint(0, 1))
            if role.most is not None:
                wanted = min(wanted, role.most)
            mine = [name for name in self.records if self.one.state.records[name].owner == self.seat(starter)]
            pool = mine if role.id == move.by and starter != "Ana" else list(self.records)
            if role.record:
                pool = [name for name in pool if self.records[name] == role.record] or pool
            if inside and luck.random() < 0.9:
                pool = [name for name in pool if name in inside] or list(inside)
            luck.shuffle(pool)
            if luck.random() < 0.25 and not inside and self.system.examples:
                pool = [self.seat(name) for name in ("Bob", "Cy")] + pool
            members = [name for name in pool if name not in taken][:wanted]
            taken |= set(members)
            cast[role.id] = members
        return cast

    def _inside(self, running: int | None) -> list[str]:
        """Whoever the state of an encounter openly names."""
        if running is None:
            return []
        seen = view(self.one.state, self.seat(self.watchers[0]), self.system).encounters.get(running)
        words = json.dumps(seen.state) if seen is not None else ""
        return [name for name in [*self.records, *self.one.state.seats] if f'"{name}"' in words]

    def _unseen_role(self, move: Any, starter: str, cast: Mapping[str, list[str]]) -> str:
        """A role in which the game master puts people of whom nobody knows: one that is empty first of all.

        Not one that must be asked something: all would see that the table waits for the game master.
        """
        if starter != "Ana" or "Ana" not in self.keepers or self.luck.random() < 0.4:
            return ""
        awaited = {asked.role for asked in move.fields if not asked.has_usual()}
        free = [role.id for role in move.cast if role.id != "gm" and role.id not in awaited
                and (role.id != move.by or role.most != 1)]
        return self.luck.choice([role for role in free if not cast.get(role)] or free or [""])

    def _running(self, encounter: str) -> int | None:
        seat = self.seat(self.watchers[0])
        known = self.one.state.counts_of(seat).encounters
        found = [own for at, own in known.items() if at in self.one.state.encounters
                 and not self.one.state.encounters[at].over
                 and encounter in ("", self.one.state.encounters[at].encounter)]
        return found[-1] if found and (encounter or self.luck.random() < 0.2) else None

    def _opens(self, encounter: str) -> None:
        """Play whatever moves may open an encounter, until one does: first those under the same rules as its own."""
        openers, until = self._openers(encounter), self.acts + MOST_TO_OPEN
        self.luck.shuffle(openers)
        rules = {rule for move in self.system.moves.values() if move.encounter == encounter for rule in move.rules}
        openers.sort(key=lambda move: -len(rules & set(self.system.move(move).rules)))
        for move_id in openers:
            for _ in range(2):
                if self.acts < until and self.starts(move_id):
                    for _ in range(14):
                        self.conspires()
                        if self._running(encounter) is not None or not self.steps(1):
                            break
                        self.look(f"opening {encounter}")
                if self._running(encounter) is not None:
                    return

    def _openers(self, encounter: str) -> list[str]:
        """The moves that declare that they open something, outside any encounter."""
        usual = next(part.default for part in dataclasses.fields(Resolve) if part.name == "opens")
        return [move.id for move in self.system.moves.values() if move.encounter != encounter
                and any(step.opens is not usual for step in move.resolves)]
