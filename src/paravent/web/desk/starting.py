"""Beginning a move: which ones, with whom, from a click on a sheet."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from paravent.dice import ParaventError
from paravent.game import Move
from paravent.game.errors import STUMBLES
from paravent.game.records import GM
from paravent.table import commands as c
from paravent.table.passing import PASS_TIME

from .moves import Moves


class Starting(Moves):
    """What one seat may begin."""

    def first_steps(self) -> list[dict[str, Any]]:
        """What somebody new to the table does first, with where to do it; none once it is done."""
        acted = {"id": "act", "done": bool(self.view["moves"]), "where": ""}
        if self.is_gm:
            steps = [{"id": "invite", "done": len(self.view["seats"]) > 1, "where": "links"},
                     {"id": "bring", "done": bool(self.view["records"]), "where": "new"}, acted]
            return [] if acted["done"] else steps
        if not self.plays or any(sheet["mine"] for sheet in self.sheets):
            return []
        return [{"id": "character", "done": False, "where": "new"}, {**acted, "done": False}]

    def startable(self) -> list[dict[str, Any]]:
        """The moves this seat may start, in words, with the roles to fill."""
        return self._startable

    @cached_property
    def _startable(self) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = []
        mine = [sheet["id"] for sheet in self.sheets if sheet["mine"] and sheet["player"]]
        for move in self.system.moves.values():
            encounter = self._encounter_of(move)
            if (move.by == GM and not self.is_gm) or (move.encounter and not encounter):
                continue
            if move.id in ("free-throw", PASS_TIME):
                continue
            if move.when is not None and not move.encounter and not self._applies(move):
                continue
            needed = [role.id for role in move.cast if role.least > 0 and role.id != GM]
            optional = [role.id for role in move.cast if role.least == 0 and role.offered(self.rulings)]
            at_once = not self.is_gm and needed == ["initiator"] and len(mine) == 1 and not optional
            moves.append({
                "id": move.id, "title": self.teller.title(f"moves.{move.id}"), "gm": move.by == GM,
                "help": self.teller.help(f"moves.{move.id}"), "encounter": encounter,
                "group": self.teller.group(move.group),
                "at_once": mine[0] if at_once else "", "creates": bool(move.makes),
            })
        return moves

    def _encounter_of(self, move: Move) -> int:
        """The number of the encounter in which this seat plays a move now; 0 where it is played in none."""
        return max((
            int(own) for own, seen in self.view["encounters"].items()
            if not seen.get("over") and seen["encounter"] in self.system.encounters
            and self.system.encounters[seen["encounter"]].holds(move) and (self.is_gm or self._is_in(int(own)))
        ), default=0)

    @staticmethod
    def grouped(moves: Iterable[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
        """Moves by what the game lists them under."""
        found: dict[str, list[dict[str, Any]]] = {}
        for move in moves:
            found.setdefault(move["group"], []).append(move)
        return list(found.items())

    def _applies(self, move: Move) -> bool:
        """Whether the options of the table let it be done at all."""
        try:
            return move.applies(self.system.context(move, {}, {}, self.rulings))
        except (ParaventError, *STUMBLES):
            return True  # it depends on who is in it

    def start_form(self, move_id: str) -> dict[str, Any]:
        """The roles of a move, with those who may hold them."""
        move = self.system.move(move_id)
        encounter = self._encounter_of(move)
        chosen = self._chosen(encounter, [role.id for role in move.cast if role.id != GM])
        roles = []
        for role in move.cast:
            if role.id == GM or not role.offered(self.rulings):
                continue
            who = [sheet for sheet in self.sheets if (role.id != move.by or sheet["acts"])
                   and role.record in ("", sheet["of"])]
            title = self.teller.role(role.id)
            roles.append({"id": role.id, "title": title[:1].upper() + title[1:], "many": role.most != 1,
                          "needed": role.least > 0, "who": who, "acts": role.id == move.by,
                          "chosen": chosen.get(role.id, [])})
        asked = [sheet for sheet in self.sheets if sheet["player"]]
        return {"id": move_id, "title": self.teller.title(f"moves.{move_id}"), "roles": roles,
                "help": self.teller.help(f"moves.{move_id}"), "gm": move.by == GM,
                "encounter": encounter,
                "ask": asked if self.is_gm and move.by != GM and len(asked) > 1 else []}

    def _chosen(self, encounter: int, roles: list[str]) -> dict[str, list[str]]:
        """Who would hold these roles: in an encounter with sides, whoever still stands, side by side."""
        seen = self.view["encounters"].get(str(encounter))
        sides: dict[str, list[str]] = {}
        for who in self._people(seen["state"]) if seen else ():
            if who.get("standing") is not False:
                sides.setdefault(str(who.get("side", "")), []).append(who["id"])
        return dict(zip(roles, sides.values(), strict=False)) if len(sides) > 1 else {}

    def from_sheet(self, start: c.StartMove) -> c.Command:
        """What a click on a sheet asks for: it fills the move that is already open for it, or starts one.

        With a skill comes the attribute it was last used with.
        """
        actor = next(iter(start.cast.get("initiator", [])), "")
        same = [move for move in self.view["moves"].values()
                if move["move"] == start.move and move["cast"].get(actor) == "initiator"]
        for move in reversed(same):
            if move["phase"] == "open" and not move["throws"]:
                values = start.form.get(actor, {})
                return c.Fill(number=move["number"], values=values, actor=actor, seat=start.seat, id=start.id)
        values = dict(start.form.get(actor, {}))
        for move in reversed(same):
            before = move["fields"].get(actor, {})
            if all(before.get(name) == value for name, value in values.items()) and "attribute" in before:
                values = {"attribute": before["attribute"], **values}
                break
        return dataclasses.replace(start, form={**start.form, actor: values})

    def _is_in(self, encounter: int) -> bool:
        """Whether an encounter is this seat's business."""
        return self.seat in self._holders(self.view["encounters"][str(encounter)])

    def _holders(self, seen: Mapping[str, Any]) -> frozenset[str]:
        """The seats that answer for whomever an encounter names; all the players if it names nobody."""
        named = set(_words_in(seen["state"])) & set(self.view["records"])
        eyes = self.state.eyes
        if not named:
            return frozenset(seat for seat, grade in eyes.seats.items() if grade == "player")
        return frozenset(seat for record in named for seat in eyes.controllers(record))

    def _people(self, state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Those whom the state of an encounter lists."""
        return next((list(value) for value in state.values() if are_people(value)), [])


def are_people(value: Any) -> bool:
    """Whether plain values list people, each with an id."""
    return isinstance(value, list) and bool(value) and all(
        isinstance(part, Mapping) and isinstance(part.get("id"), str) for part in value
    )


def _words_in(value: Any) -> Iterator[str]:
    """Every word that plain values hold, however deep."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _words_in(part)
