"""What holds whatever is played: the log is the state, an export is the table, a refusal changes nothing."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from players import goes_on
from scene import STEP_BY_STEP, Table, plain_state
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.dice.fair import grains_from, promise
from paravent.game.move import SECRECIES
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table import rereading
from paravent.table.closing import RULES
from paravent.table.decide import Fresh
from paravent.table.evolve import evolve
from paravent.table.export import export_for_gm, export_seen, export_whole, imported, read_export
from paravent.table.state import State, state_read, state_written
from paravent.table.verify import verify

LAWS = settings(max_examples=8, deadline=None, derandomize=True, phases=[Phase.generate])
SEED = st.integers(0, 10**9)
COMMANDS = 45


class Luck(Random):
    """Numbers that say what happens next."""

    def below(self, n: int) -> int:
        return self.randrange(n)

    def one_of(self, things: Any) -> Any:
        return self.choice(list(things))


MOVES = (*VEIL.moves, "free-throw", "pass-time")


def a_command(table: Table, luck: Luck) -> tuple[Any, type[c.Command], dict[str, Any]]:
    """Somebody asks for something, sensible or not."""
    state = table.state
    person = luck.one_of([*table.people.values(), *[ana for ana in table.people.values() if ana.name == "Ana"] * 4])
    records = [*state.records, "nobody"]
    number = luck.below(state.counts_of(person.seat).known + 2)
    seats = [*state.seats, "nobody"]
    pictures, documents = ["", *state.pictures, "none"], [*state.documents, "none"]
    fields = ("score", "again", "difficulty", "stance", "noise", "much", "force", "called", "expression", "grade",
              "time_span", "time_count", "slept")
    values = (0, 1, 3, "body", True, "Mira", "2d6+1", "gm", "night", None, -7, [1], {"x": 1})
    grains = [bytes.fromhex(grain) for grain in grains_from(person.seat.encode(), 9)]
    name = luck.one_of(c.COMMANDS)
    if luck.below(3):
        name = luck.one_of(("start-move", "fill", "throw", "answer", "accept", "fill", "throw"))
    asked: dict[str, Any] = {
        "add-seat": {"name": f"p{state.events}", "rank": luck.one_of(("gm", "player", "spectator", "cat"))},
        "rename-seat": {"who": luck.one_of(seats), "name": "X"},
        "renew-link": {"who": luck.one_of(seats)},
        "revoke-link": {"who": luck.one_of(seats)},
        "leave": {"who": luck.one_of(["", *seats])},
        "set-options": {"options": {}},
        "save-draft": {"of": luck.one_of(("character", "?")), "values": luck.one_of(({}, {"name": "X"}))},
        "set-house": {"trust": luck.one_of((*e.TRUSTS, "", "?")), "judging": luck.one_of((*e.JUDGINGS, "", "?"))},
        "add-record": {"kind": luck.one_of(("character", "extra")), "sheet": {"name": f"r{state.events}"},
                       "seen_by": luck.one_of((None, ("gm",), ("all",), (seats[0],)))},
        "add-people": {"people": tuple(
            c.Arrival(kind=luck.one_of(("extra", "?")), sheet={"name": f"p{at}"},
                       seen_by=luck.one_of((None, ("gm",), (seats[0],)))) for at in range(luck.below(4)))},
        "edit-record": {"record": luck.one_of(records),
                        "path": luck.one_of(("wounds", "fate", "pride", "name", "?", "")),
                        "value": luck.one_of((1, 2, "x", {"wounds": 1, "fate": 2, "name": "y"}))},
        "show-record": {"record": luck.one_of(records), "seen_by": luck.one_of((("gm",), ("all",), (seats[0],)))},
        "give-record": {"record": luck.one_of(records), "owner": luck.one_of(["", *seats])},
        "take-record": {"record": luck.one_of(records)},
        "remove-record": {"record": luck.one_of(records)},
        "say": {"text": "hop", "kind": luck.one_of(("message", "whisper", "note", "handout")),
                "to": luck.one_of(((), (seats[0],)))},
        "set-clock": {"day": luck.below(4), "hour": luck.below(26)},
        "open-scene": {"title": "S", "kind": luck.one_of(("scene", "episode")), "picture": luck.one_of(pictures)},
        "set-picture": {"record": luck.one_of(records), "picture": luck.one_of(pictures)},
        "set-backdrop": {"picture": luck.one_of(pictures), "seen_by": luck.one_of((("gm",), ("all",), (seats[0],)))},
        "keep-document": {"title": "D", "text": luck.one_of(("", "x")), "picture": luck.one_of(pictures),
                          "document": luck.one_of(("", *documents)),
                          "seen_by": luck.one_of((("gm",), ("all",), (seats[0],)))},
        "show-document": {"document": luck.one_of(documents),
                          "seen_by": luck.one_of((("gm",), ("all",), (seats[0],)))},
        "remove-document": {"document": luck.one_of(documents)},
        "prepare-scene": {"title": luck.one_of(("", "S")), "text": luck.one_of(("", "x")),
                          "people": luck.one_of(((), (luck.one_of(records),))),
                          "documents": luck.one_of(((), (luck.one_of(documents),))),
                          "picture": luck.one_of(pictures), "scene": luck.one_of(("", *state.prepared)),
                          "hidden": luck.one_of(((), (luck.one_of([*state.deck, "nobody"]),))),
                          "first": luck.one_of(({}, {luck.one_of(MOVES): ()},
                                                {luck.one_of(MOVES): (luck.one_of(records),)}))},
        "put-aside": {"record": luck.one_of(("", luck.one_of(records))), "kind": luck.one_of(("character", "extra"))},
        "draw-person": {"person": luck.one_of(["", "nobody", *state.deck]),
                        "seen_by": luck.one_of((("gm",), ("all",), (seats[0],)))},
        "drop-person": {"person": luck.one_of(["nobody", *state.deck])},
        "keep-notes": {"text": luck.one_of(("", "x", "y")), "about": luck.one_of(["", *seats])},
        "set-appointment": {"words": luck.one_of(("", "x")), "day": luck.below(4), "hour": luck.below(26),
                            "minutes": luck.below(600), "seen_by": luck.one_of((("gm",), ("all",), (seats[0],))),
                            "appointment": luck.one_of(["", "none", *state.appointments])},
        "drop-appointment": {"appointment": luck.one_of(["none", *state.appointments])},
        "turn-hourglass": {"seconds": luck.below(90) - 9},
        "drop-scene": {"scene": luck.one_of([*state.prepared, "none"])},
        "play-scene": {"scene": luck.one_of([*state.prepared, "none"])},
        "start-move": {"move": luck.one_of(MOVES), "encounter": luck.one_of((None, None, 1)),
                       "cast": luck.one_of(({}, {"initiator": [luck.one_of(records)]},
                                            {"initiator": [luck.one_of(records)], "opponent": [luck.one_of(records)]},
                                            {"initiator": [luck.one_of(records)], "helper": [luck.one_of(records)]}))},
        "ask-move": {"move": luck.one_of(MOVES), "of": (luck.one_of(records),)},
        "join": {"number": number, "role": "target", "names": (luck.one_of(records),)},
        "set-deadline": {"number": number, "policy": luck.one_of(("wait", "default", "cancel")), "seconds": 5},
        "fill": {"number": number, "values": {luck.one_of(fields): luck.one_of(values)},
                 "actor": luck.one_of(("", "", luck.one_of(records)))},
        "throw": {"number": number, "grain": "n", "by_hand": luck.below(4) == 0},
        "answer": {"number": number, "answer": luck.one_of(
            (True, False, "agree", "refuse", [3], [1, 2, 3], [6, 6], {"dice": [1]}, None, "x"))},
        "close-step": {"number": number}, "withdraw": {"number": number}, "cancel": {"number": number},
        "accept": {"number": number, "amend": luck.one_of(({}, {"0": 2}, {"x": 1})), "refuse": luck.one_of(((), (0,)))},
        "turn-over": {"number": number, "step": luck.one_of(("creep", "spring", "clash", "feel", "roll"))},
        "set-grade": {"number": number, "secrecy": luck.one_of(SECRECIES)},
        "restart": {"number": number}, "end-encounter": {"number": number}, "undo": {"number": number},
        "correct": {"item": luck.below(state.events + 2)},
        "promise-grains": {"promise": luck.one_of(("?", " ".join(map(promise, grains[luck.below(9):]))))},
        "open-grain": {"hash": luck.one_of(("?", *(made.hash for act in state.open_moves()
                                                   for made in act.keys.values()))),
                       "grain": luck.one_of(grains).hex()},
    }
    return person, c.COMMANDS[name], asked.get(name, {})


def a_sensible_start(table: Table, luck: Luck) -> tuple[Any, type[c.Command], dict[str, Any]]:
    """Somebody opens a move with the cast it needs."""
    state = table.state
    move = VEIL.move(luck.choice([name for name in MOVES if name in VEIL.moves]))
    heroes = [name for name, held in state.records.items() if held.kind == "character"] or [""]
    cast = {role.id: [luck.choice(heroes)] for role in move.cast if role.id != "gm" and role.least}
    masters = [person for person in table.people.values() if state.eyes.is_gm(person.seat)]
    owner = state.records[cast["initiator"][0]].owner if cast.get("initiator", [""])[0] else ""
    person = luck.choice(masters) if (move.by == "gm" or not owner) and masters else table.person(owner or next(
        iter(state.seats)))
    encounter = 1 if move.encounter else None
    secrecy = luck.one_of(SECRECIES) if person in masters and luck.below(2) else "open"
    return person, c.StartMove, {"move": move.id, "cast": cast, "encounter": encounter, "secrecy": secrecy}


def played(seed: int, before: Callable[[], None] = lambda: None) -> Table:
    """An evening that nobody would believe; ``before`` is done before each command."""
    luck = Luck(seed)
    table = Table(VEIL, house=luck.one_of((STEP_BY_STEP, e.House(), e.House("confiance"))))
    ana = table.joins("Ana", as_="gm")
    bob, cy = table.joins("Bob"), table.joins("Cy")
    table.joins("Zoe", as_="spectator")
    table.here = frozenset(table.state.seats)
    bob.brings("Elya")
    cy.brings("Tarn")
    ana.brings("Spy", "extra")
    for person in (ana, bob):
        person.does(c.KeepPicture, hash=person.seat * 6, width=4, height=3, size=9, words="le port")
    for _ in range(COMMANDS):
        open_moves = [move.id for move in table.state.open_moves()]
        if luck.below(3) and open_moves and table.state.eyes.masters:
            person, asked, values = goes_on(table, luck, luck.choice(open_moves[-4:]))
        elif luck.below(2):
            person, asked, values = a_sensible_start(table, luck)
        else:
            person, asked, values = a_command(table, luck)
        state = table.state
        before()
        try:
            person.does(asked, **values)
        except ParaventError as refusal:
            assert table.state is state
            assert refusal.code != "table/rule-failed", refusal.__cause__  # noqa: PT017
            for lang in ("fr", "en"):
                assert VEIL.words.find(lang, f"errors.{refusal.code}"), refusal.code  # noqa: PT017
    return table


@LAWS
@given(SEED, st.integers(0, 200))
def test_the_log_is_the_state_and_so_is_a_snapshot_with_what_came_after(seed: int, cut: int) -> None:
    table = played(seed)
    again = State()
    kept = again
    for at, event in enumerate(table.events):
        if at == cut:
            kept = state_read(state_written(again))
            assert kept == again
        if at >= cut:
            kept = evolve(kept, event)
        again = evolve(again, event)
    assert again == table.state
    assert cut >= len(table.events) or kept == again


def test_what_words_leave_as_it_was_is_what_would_be_found_anew() -> None:
    table = Table(VEIL)
    ana = table.joins("Ana", as_="gm")
    for name in ("Spy", "Guard"):
        ana.brings(name, "extra")
        ana.does(c.Say, text="words")
        ana.does(c.RemoveRecord, record=next(iter(table.state.records)))
        ana.does(c.Say, text="more words")
    state, found = State(), 0
    for event in table.events:
        assert state.removals == replace(state).removals  # kept from one state to the next; a copy looks for itself
        found, state = len(state.removals), evolve(state, event)
    assert found == 2


@LAWS
@given(SEED)
def test_an_act_read_again_by_its_rules_goes_on_as_if_they_had_never_let_go_of_it(seed: int) -> None:
    warm, cold = played(seed), played(seed, rereading.forget)
    assert [e.written(event) for event in cold.events] == [e.written(event) for event in warm.events]
    assert all(cold.people[name].received == person.received for name, person in warm.people.items())


@LAWS
@given(SEED)
def test_an_export_is_the_table_and_its_dice_are_fair_for_whoever_looks(seed: int) -> None:
    table = played(seed)
    log = [e.written(event) for event in table.events]
    again = State()
    for event in imported(read_export(export_whole(log)), Fresh(), VEIL).events:
        again = evolve(again, event)
    assert without_links(again) == without_links(table.state)
    whole = verify(export_whole(log))
    assert whole.differs is None
    for person in table.people.values():
        lines = list(export_seen(log, person.seat, VEIL))
        read = [json.loads(line) for line in lines[1:-1]]
        assert [line for line in read if line["type"] != RULES] == person.told
        verdict = verify(lines)
        assert verdict.differs is None
        assert sum(verdict[:3]) <= sum(whole[:3])


def without_links(state: State) -> Any:
    plain = plain_state(state)
    for seat in plain["seats"].values():
        seat["link"] = ""
    for item in plain["log"]:
        item.get("event", {}).pop("link", None)
    del plain["counts"], plain["events"]  # the new link of the game master is one more event, for them alone
    return plain


@LAWS
@given(SEED)
def test_a_game_masters_export_holds_nothing_sealed_that_never_opened(seed: int) -> None:
    table = played(seed)
    log = [e.written(event) for event in table.events]
    try:
        lines = list(export_for_gm(log, table.people["Ana"].seat))
    except ParaventError as refusal:
        assert refusal.code == "table/sealed-in-play"  # noqa: PT017
        return
    again = State()
    for event in imported(read_export(lines), Fresh(), VEIL).events:
        again = evolve(again, event)
    for kept in again.moves.values():
        assert all(row.secrecy != "sealed" or row.field in kept.revealed for row in kept.fields)
