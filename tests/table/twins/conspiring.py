"""In secret: what the keepers of each table do apart, as often as they please."""

from typing import Any

from paravent.game import Ask, Resolve
from paravent.game.move import unfilled
from paravent.table import commands as c
from paravent.table.act import ChoiceAsked

from .filling import Filling
from .games import otherwise, sheets_of
from .side import Side


class Conspiring(Filling):
    """Twins whose keepers have something to hide."""

    def conspires(self) -> None:
        """At each table, any number of secret acts."""
        for side in self.sides:
            for _ in range(side.luck.choice((0, 1, 1, 2))):
                self.conspire(side)

    def conspire(self, side: Side) -> None:
        """One secret act of a keeper."""
        luck, who = side.luck, side.luck.choice(self.keepers)
        master = who == "Ana"
        match luck.choice(("talk", "record", "field", "field", "fill", "fill", "fill", "start", "go on", "go on",
                            "join", "join")):
            case "talk":
                others = tuple(side.seats[name] for name in self.keepers)
                kind = "note" if master and luck.random() < 0.5 else "whisper"
                self.secretly(side, who, c.Say(text="le traître est Tarn", kind=kind,
                                               to=() if kind == "note" else others))
            case "record" if master:
                self._hides(side)
            case "field":
                self._edits(side, who)
            case "fill":
                moves = [own for at, own in self._numbers(side, who).items()
                         if at in side.state.moves and side.state.moves[at].phase == "open"]
                number = luck.choice(moves[-4:] or [0])
                at = next((at for at, own in self._numbers(side, who).items() if own == number), 0)
                move = side.state.moves[at].move if at else ""
                rows = [row for row in self.secret_rows(side, who, number) if self._is_quiet(move, row)]
                if rows:
                    row = luck.choice(rows)
                    value = self.value(move, row, luck)
                    if value is not None or self._is_quiet(move, {"field": row["field"]}):  # else it waits again
                        self.secretly(side, who, c.Fill(number=number, actor=row["actor"], values={
                            row["field"]: value}))
            case "join" if master:
                self._brings_in(side)
            case "start":
                self._plots(side, who)
            case "go on":
                self._goes_on_in_secret(side, who)

    def _brings_in(self, side: Side) -> None:
        """Somebody of whom nobody knows comes into a move that everybody sees, where nothing need be asked of them."""
        luck, mine = side.luck, self._numbers(side, "Ana")
        found = [(mine[kept.id], role) for kept in side.state.open_moves() if kept.id in mine
                 for role in self.whole.move(kept.move).cast if role.id != "gm" and role.most != 1
                 and all(asked.has_usual() for asked in self.whole.move(kept.move).fields if asked.role == role.id)]
        if not found or not side.hidden:
            return
        number, role = luck.choice(found[-6:])
        if self.secretly(side, "Ana", c.Join(number=number, role=role.id, names=(luck.choice(side.hidden),))):
            self.varied["hidden people in a move"] += 1

    def _hides(self, side: Side) -> None:
        """The game master has people and places of whom nobody knows."""
        luck = side.luck
        if side.hidden and luck.random() < 0.4:
            record = luck.choice(side.hidden)
            held = side.state.records[record]
            if luck.random() < 0.3 and self.secretly(side, "Ana", c.RemoveRecord(record=record)):
                side.hidden.remove(record)
                return
            path = luck.choice(list(held.sheet))
            others = [sheet[path] for sheet in sheets_of(self.system.id, held.kind)]
            self.secretly(side, "Ana", c.EditRecord(record=record, path=path,
                                                    value=otherwise(held.sheet[path], luck, others)))
            return
        kind = luck.choice(list(self.system.kinds))
        sheet = luck.choice(sheets_of(self.system.id, kind))
        if self.secretly(side, "Ana", c.AddRecord(kind=kind, sheet=dict(sheet), seen_by=("gm",))):
            side.hidden.append(list(side.state.records)[-1])

    def _edits(self, side: Side, who: str) -> None:
        """A value that the watchers may not see, on a sheet that they know."""
        known, luck = side.declared(), side.luck
        found = [
            (record, name) for record in self.records if record in side.state.records
            for name, readers in known.hidden_fields(record).items()
            if side.seats[who] in readers and not readers & self._watching(side)
        ]
        if found:
            record, name = luck.choice(found)
            held = side.state.records[record]
            others = [sheet[name] for sheet in sheets_of(self.system.id, held.kind)]
            self.secretly(side, who, c.EditRecord(record=record, path=name,
                                                  value=otherwise(held.sheet[name], luck, others)))

    def _plots(self, side: Side, who: str) -> None:
        """A move of which no watcher may know: declared so, or made so by what is filled in."""
        luck = side.luck
        may_hide = [move for move in self.whole.moves.values() if callable(move.exists) or "all" not in move.exists]
        secret = who == "Ana" and (not may_hide or luck.random() < 0.5)
        move = luck.choice(list(self.whole.moves.values()) if secret else may_hide or list(self.whole.moves.values()))
        actors = [*self.records, *side.hidden, side.seats[who]]
        cast = {role.id: [luck.choice(actors)] for role in move.cast if role.id != "gm" and (role.least or
                                                                                          luck.random() < 0.5)}
        form: dict[str, dict[str, Any]] = {}
        for asked in move.fields:
            actor = "gm" if asked.role == "gm" else next(iter(cast.get(asked.role, [])), "")
            if actor and (asked.secrecy == "gm" or move.id == "free-throw") and luck.random() < 0.8:
                value = self._other(move, asked, None, luck)
                form.setdefault(actor, {}).update({} if value is None else {asked.id: value})
        self.secretly(side, who, c.StartMove(move=move.id, cast=cast, form=form,
                                             secrecy="invisible" if secret else "open"))

    def _goes_on_in_secret(self, side: Side, who: str) -> None:
        """A hidden move goes on: filled in, thrown, answered, settled, taken back."""
        luck, known = side.luck, side.declared()
        mine = self._numbers(side, who)
        found = [kept for kept in side.state.moves.values() if kept.id in mine
                 and not known.know_of(kept) & self._watching(side)]
        if not found:
            return
        kept = luck.choice(found[-3:])
        number = mine[kept.id]
        if kept.is_over:
            self.secretly(side, who, c.Undo(number=number))
            return
        if kept.phase == "settled":
            refuse = tuple(at for at in range(len(kept.changes)) if luck.random() < 0.2)
            if not self.secretly(side, who, c.Accept(number=number, refuse=refuse)):
                self.secretly(side, who, c.Cancel(number=number))
            return
        if kept.pending is not None:
            if isinstance(kept.pending, ChoiceAsked):
                self.secretly(side, who, c.Answer(number=number, answer=luck.choice(kept.pending.options)))
            return
        rows = [row for row in self.rows(side, who, number) if "value" not in row
                and ("usual" not in row or luck.random() < 0.3)]
        if rows and luck.random() < 0.8:
            row = luck.choice(rows)
            self.secretly(side, who, c.Fill(number=number, actor=row["actor"], values={
                row["field"]: self.value(kept.move, row, luck)}))
        elif not self.secretly(side, who, c.ThrowDice(number=number, grain="secret")) and luck.random() < 0.3:
            self.secretly(side, who, c.CloseStep(number=number))

    def attends(self, ref: tuple[str, int]) -> None:
        """Each table's keepers do what a move wants of them behind the screen."""
        for side in self.sides:
            for _ in range(12):
                wanted = self._wanted(side, ref)
                if wanted is None or not self.secretly(side, *wanted):
                    break
                self.varied["behind the screen"] += 1

    def _wanted(self, side: Side, ref: tuple[str, int]) -> tuple[str, c.Command] | None:
        """What nobody sees who may not: a hidden throw, and whatever is asked after one."""
        at, known = self.at(side, ref), side.declared()
        kept = side.state.moves.get(at)
        if kept is None or kept.phase != "open":
            return None
        turn = side.turn()
        op = turn.at(at)
        waits = [side.person(seat) for seat in sorted(turn.waits_for(op))]
        if not waits or not set(waits) <= set(self.keepers):
            return None
        who, step, pending = waits[0], op.step(turn.system), kept.pending
        number = self.number(side, who, ref)
        fathomed = [seat for seat in self._watching(side) & known.know_of(kept) if known.fathoms(seat, kept)]
        if isinstance(step, Resolve):
            shown = op.shown(turn.system, step)
            if known.hearing(kept, shown.exists) & self._watching(side):
                return None
            if pending is None:
                return who, c.ThrowDice(number=number, grain="behind the screen")
            return (who, c.Answer(number=number, answer=side.luck.choice(pending.options))) if isinstance(
                pending, ChoiceAsked) else None
        if not isinstance(step, Ask) or fathomed:
            return None
        rows = {(row["actor"], row["field"]): row for row in self.secret_rows(side, who, number)}
        awaited = unfilled(op.context(turn.system), step)
        row = next((rows[actor.id, asked.id] for actor, asked in awaited if (actor.id, asked.id) in rows), None)
        if row is None:
            return None
        return who, c.Fill(number=number, values={row["field"]: self.value(kept.move, row, side.luck)},
                           actor=row["actor"])

    def makes_equal(self, ref: tuple[str, int]) -> None:
        """The secret fields of a move become at the second table what they are at the first."""
        other = self.sides[1]
        a, b = (side.state.moves.get(self.at(side, ref)) for side in self.sides)
        if a is None or b is None:
            return
        self.varied["made equal"] += 1
        ours = {(row.actor, row.field): (row.value, row.secrecy) for row in a.fields}
        theirs = {(row.actor, row.field): (row.value, row.secrecy) for row in b.fields}
        for actor, name in {**theirs, **ours}:
            value, secrecy = ours.get((actor, name), (None, theirs.get((actor, name), ("", "open"))[1]))
            again = value is None and not self._is_quiet(a.move, {"field": name})  # what waits would be asked again
            if ours.get((actor, name)) != theirs.get((actor, name)) and not again and self.is_secret(
                    other, actor, secrecy):
                known = other.declared()
                for seat in known.holders(actor) | known.masters:
                    who = other.person(seat)
                    if who in self.keepers and self.secretly(other, who, c.Fill(
                            number=self.number(other, who, ref), values={name: value}, actor=actor)):
                        break
