"""In public: moves under way go on, and people do other things in between."""

from collections.abc import Callable
from typing import Any

from paravent.dice.errors import ParaventError
from paravent.game import Ask, Resolve, Window
from paravent.game.move import SECRECIES, unfilled
from paravent.table import commands as c
from paravent.table.act import Act, ChoiceAsked, Proposal
from paravent.table.view import view

from .conspiring import Conspiring
from .games import otherwise, sheets_of
from .side import Side


class GoingOn(Conspiring):
    """Twins that do what is asked of them."""

    def steps(self, latest: int = 3) -> bool:
        """Bring one of the latest moves under way forward, or do something else in public; whether one is under way."""
        luck = self.luck
        if luck.random() < 0.15:
            self.idles()
            return True
        refs = self.public_moves()
        if not refs:
            return False
        ref = luck.choice(refs[-latest:])
        self.attends(ref)
        if self.advances(ref) == "tells":
            self.makes_equal(ref)
            if self.advances(ref) == "tells":
                self.varied["cancelled"] += 1
                self.publicly("Ana", lambda side: c.Cancel(number=self.number(side, "Ana", ref)))
        return True

    def ends(self, most: int) -> None:
        """Cancel what has been under way for too long, the oldest first."""
        for ref in self.public_moves()[:max(0, len(self.public_moves()) - most)]:
            self.publicly("Ana", lambda side, ref=ref: c.Cancel(number=self.number(side, "Ana", ref)))

    def advances(self, ref: tuple[str, int]) -> str:
        """The next public act in a move, as the first table stands."""
        for _ in range(5):
            who, make = self._next(self.one, ref)
            done = self.publicly(who, make)
            if done == "refused" and self.luck.random() < 0.2:
                self.publicly("Ana", lambda side: c.CloseStep(number=self.number(side, "Ana", ref)))
            elif done == "refused":
                self._mends(ref, self.refused)
            if done != "tells":
                return done
        return "tells"

    def _next(self, side: Side, ref: tuple[str, int]) -> tuple[str, Callable[[Side], c.Command | None]]:
        """Who may do what next; drawn from the public chance alone."""
        luck, at = self.luck, self.at(side, ref)
        kept = side.state.moves.get(at)

        def asked(command: type[c.Command], who: str, **values: Any) -> tuple[str, Callable[[Side], c.Command]]:
            return who, lambda its: command(number=self.number(its, who, ref), **values)

        if kept is None or kept.is_over:
            return "Bob", lambda its: c.Say(text="et ensuite ?")
        if kept.phase == "settled":
            refused = {path for change in kept.changes for path in [(change.target, change.path)]
                       if luck.random() < 0.1}
            return "Ana", lambda its: self._accepting(its, ref, refused)
        turn = side.turn()
        op = turn.at(at)
        waits = [side.person(seat) for seat in sorted(turn.waits_for(op))]
        who = luck.choice(waits or ["Ana"])
        if luck.random() < 0.07:
            who = luck.choice(("Bob", "Cy"))  # out of turn
        if luck.random() < 0.06:
            return asked(luck.choice((c.CloseStep, c.Withdraw)), luck.choice(("Ana", "Bob")))
        if luck.random() < 0.04:
            return asked(c.SetDeadline, "Ana", policy=luck.choice(("wait", "default", "cancel")))
        if luck.random() < 0.04:
            return asked(c.SetSecrecy, "Ana", secrecy=luck.choice(list(SECRECIES)))
        if luck.random() < 0.04:
            role = luck.choice([role.id for role in self.whole.move(kept.move).cast])
            return asked(c.Join, who, role=role, names=(luck.choice(list(self.records)),))
        pending = kept.pending
        if isinstance(pending, ChoiceAsked):
            return asked(c.Answer, who, answer=luck.choice(pending.options))
        if pending is not None:
            return asked(c.Answer, who, answer=[luck.randint(1, pending.sides) for _ in range(pending.n)])
        step = op.step(turn.system)
        if isinstance(step, Window):
            return asked(c.Answer, who, answer=luck.choice(("agree", "agree", "agree", "refuse")))
        rows = self.rows(side, who, self.number(side, who, ref))
        lacking = [row for row in rows if "value" not in row and not self.is_secret(side, row["actor"], row["secrecy"])]
        if isinstance(step, Resolve) and (not lacking or luck.random() < 0.6):
            return asked(c.ThrowDice, who, grain=f"n{luck.random()}", by_hand=luck.random() < 0.15)
        awaited: set[tuple[str, str]] = set()
        if isinstance(step, Ask):
            awaited = {(actor.id, asked.id) for actor, asked in unfilled(op.context(turn.system), step)}
        wanted = [row for row in rows if (row["actor"], row["field"]) in awaited]
        if not wanted and not lacking:
            return asked(c.CloseStep, "Ana")
        row = luck.choice(wanted or lacking)
        together = [other for other in wanted if other["actor"] == row["actor"]] if luck.random() < 0.7 else []
        return who, self._filling(kept.move, together or [row], who, ref)

    def _filling(
        self, move: str, rows: list[dict[str, Any]], who: str, ref: tuple[str, int]
    ) -> Callable[[Side], c.Command | None]:
        """Fields are filled in, as everybody may see; what is secret, with other values at each table."""
        values = {row["field"]: self.value(move, row, self.luck) for row in rows}

        def filling(side: Side) -> c.Command:
            secret = [row for row in rows if self.is_secret(side, row["actor"], row["secrecy"])]
            ours = {row["field"]: self.value(move, row, side.luck) for row in secret}
            return c.Fill(number=self.number(side, who, ref), values={**values, **ours}, actor=rows[0]["actor"])

        return filling

    def _mends(self, ref: tuple[str, int], refusal: ParaventError | None) -> None:
        """What the rules refused is written otherwise: what is missing filled in, or something left out again."""
        kept = self.one.state.moves.get(self.at(self.one, ref))
        if kept is None or refusal is None or kept.phase != "open":
            return
        rows = self.rows(self.one, "Ana", self.number(self.one, "Ana", ref))
        wanted = [row for row in rows if row["field"] == refusal.values.get("field") and "value" not in row]
        filled = [row for row in rows if "value" in row and ("usual" in row or row["optional"])]
        named = [row for row in rows if row["field"] == refusal.values.get("field")]
        if refusal.code == "form/needs-sheet" and named:
            self.publicly("Ana", lambda side: c.Fill(number=self.number(side, "Ana", ref), actor=named[0]["actor"],
                                                     values={named[0]["field"]: 4}))
        elif wanted and not self.is_secret(self.one, wanted[0]["actor"], wanted[0]["secrecy"]):
            self.publicly("Ana", self._filling(kept.move, [self.luck.choice(wanted)], "Ana", ref))
        elif filled:
            row = self.luck.choice(filled)
            self.publicly("Ana", lambda side: c.Fill(number=self.number(side, "Ana", ref), actor=row["actor"],
                                                     values={row["field"]: None}))

    def _accepting(self, side: Side, ref: tuple[str, int], refused: set[tuple[str, str]]) -> c.Command | None:
        """Accept what is proposed, but some of it; a value that changed in the meantime stays."""
        kept = side.state.moves.get(self.at(side, ref))
        if kept is None:
            return None
        secret = {at for at, change in enumerate(kept.changes) if not self._is_public(side, kept, change)}
        left_out = {at for at in secret if side.luck.random() < 0.2}
        left_out |= {at for at, change in enumerate(kept.changes) if (change.target, change.path) in refused}
        number = self.number(side, "Ana", ref)
        for _ in range(len(kept.changes) + 1):
            command = c.Accept(number=number, refuse=tuple(sorted(left_out)), seat=side.seats["Ana"])
            stale = side.tries(command, "?", 0).refusal
            if stale is None or stale.code != "table/stale":
                break
            left_out |= {at for at, change in enumerate(kept.changes)
                         if (change.target, change.path) == (stale.values["target"], stale.values["path"])}
        return command

    def _is_public(self, side: Side, kept: Act, change: Proposal) -> bool:
        known = side.declared()
        return bool(self._watching(side) & known.hearing(kept, change.audience)
                    & known.seeing(change.target, change.value_audience))

    def idles(self) -> None:
        """Something in public that has nothing to do with a move, or that is refused."""
        luck = self.luck
        who = luck.choice(("Bob", "Cy"))
        mine = [name for name in self.records if self.one.state.records[name].owner == self.seat(who)]
        record = luck.choice(mine or list(self.records))
        guess = luck.choice([*(one.hidden[-1] for one in self.sides if one.hidden), "nobody"])
        number = luck.randint(1, 40)
        match luck.choice(("say", "whisper", "edit", "edit", "scene", "guess", "guess", "undo", "leave", "give")):
            case "say":
                self.publicly(who, lambda side: c.Say(text="bonsoir"))
            case "whisper" if {who, "Zoe"} <= set(self.watchers):
                self.publicly(who, lambda side: c.Say(kind="whisper", text="psst", to=(side.seats["Zoe"],)))
            case "edit":
                known = view(self.one.state, self.seat(who), self.system).records
                seen = known[record].sheet if record in known else {}
                path = luck.choice([*seen, "nothing"])
                others = [sheet.get(path) for sheet in sheets_of(self.system.id, self.records[record])]
                value = otherwise(seen.get(path), luck, others)
                hidden = self.one.declared().hidden_fields(record).get(path)
                if hidden is None or hidden & self._watching(self.one):
                    self.publicly(who, lambda side: c.EditRecord(record=record, path=path, value=value))
            case "scene":
                self.publicly("Ana", lambda side: c.OpenScene(title="La nuit tombe"))
            case "guess":
                guesses: list[c.Command] = [
                    c.TakeRecord(record=guess), c.EditRecord(record=guess, path="name", value="?"),
                    c.StartMove(move=luck.choice(sorted(self.whole.moves)), cast={"initiator": [guess]}),
                    c.StartMove(move=luck.choice(sorted(self.whole.moves)), encounter=number % 4),
                    c.ThrowDice(number=number), c.Fill(number=number, values={"difficulty": 1}), c.Answer(number=number,
                                                                                                    answer=True),
                    c.Join(number=number, role="opponent", names=(guess,)), c.Withdraw(number=number),
                    c.Accept(number=number), c.GiveRecord(record=guess, owner=""), c.Undo(number=number),
                ]
                asked = luck.choice(guesses)
                who = luck.choice([name for name in ("Bob", "Cy", "Zoe") if name in self.watchers] or ["Zoe"])
                self.publicly(who, lambda side: asked)
            case "undo":
                closed = [kept.id for kept in self.one.state.moves.values() if kept.phase == "closed"]
                known = [(name, self._numbers(self.one, name)[at]) for at in closed[-2:] for name in self.watchers
                         if at in self._numbers(self.one, name)]
                if known:
                    ref = luck.choice(known)
                    self.publicly("Ana", lambda side: c.Undo(number=self.number(side, "Ana", ref)))
            case "leave":
                self.publicly(who, lambda side: c.Leave())
                self.look("somebody left")
                self.publicly(who, lambda side: c.Return())
            case "give" if any(not self.one.state.records[name].owner for name in self.records):
                free = luck.choice([name for name in self.records if not self.one.state.records[name].owner])
                self.publicly("Ana", lambda side: c.GiveRecord(record=free, owner=side.seats[who]))
                self.look("given")
                self.publicly("Ana", lambda side: c.GiveRecord(record=free, owner=""))
        self.look("idly")
