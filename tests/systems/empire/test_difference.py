"""Secrets proven by difference: the same play with other secrets leaves every other seat's page the same."""

import json
from dataclasses import replace

import pytest
from paravent.game.session import Session

from paravent.dice.play import ScriptedFaces
from paravent.systems.empire import SYSTEM

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "eve": "spectator"}
PLAYERS, CAST = SYSTEM.kind("character").ready("fr"), SYSTEM.kind("npc").ready("fr")


def opened(*faces, sentry=None, **options):
    session = Session(SYSTEM, SEATS, options, ScriptedFaces(faces))
    for name, owner in (("bastien", "ana"), ("solveig", "ana"), ("oriane", "bob")):
        session.add(name, PLAYERS[name], owner=owner)
    session.add("sentry", replace(CAST["sentry"], **(sentry or {})), owner="mj", kind="npc")
    return session


def pages(session, *seats):
    return [json.dumps(session.seen(seat)) for seat in seats]


def same(one, other, seats):
    """The two evenings look alike from these seats, and differ behind the screen."""
    assert pages(one, *seats) == pages(other, *seats)
    assert pages(one, "mj") != pages(other, "mj")


def played(session, by, move, cast, form=None, gm=None, encounter=None, answers=()):
    number = session.start(by, move, cast, form, encounter)
    if gm:
        session.fill("mj", number, gm)
    session.throw("mj", number)
    for answer in answers:
        session.answer(by, number, answer)
    return number


@pytest.mark.rules("EMP-104", "EMP-105")
def test_the_true_distance_and_range_of_a_miss():
    def shot(distance):
        session = opened(6, 6, 5)
        played(session, "ana", "shoot", {"initiator": ["bastien"], "opponent": ["sentry"]},
               {"bastien": {"weapon": "rifle"}}, {"distance": distance})
        return session

    same(shot(20), shot(300), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-110", "EMP-111")
@pytest.mark.parametrize("quality", [9, 12])
def test_what_a_machine_can_still_take(quality):
    def struck(quality):
        session = opened(3, 3, 3)
        played(session, "ana", "sabotage", {"initiator": ["bastien"]}, {"bastien": {"weapon": "rifle"}},
               {"exposure": "protected", "tech_level": 6, "quality": quality, "margin_used": 3})
        return session

    same(struck(8), struck(quality), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-140")
def test_a_disguise_that_holds_and_one_that_fools_nobody():
    def disguised(*faces):
        session = opened(*faces)
        number = played(session, "ana", "disguise", {"initiator": ["solveig"]})
        session.accept("mj", number)
        return session

    same(disguised(1, 1, 1), disguised(6, 6, 6), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-074")
def test_an_ambush_missed_and_no_ambush_at_all():
    def watched(*faces, there):
        session = opened(*faces)
        played(session, "ana", "ambush", {"initiator": ["bastien"]}, gm={"something_there": there})
        return session

    same(watched(6, 6, 6, there=True), watched(1, 1, 1, there=False), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-168")
@pytest.mark.parametrize("power", ["reading", "screen", "empathy"])
def test_a_psi_act_that_fails_one_that_works_unseen_and_none_at_all(power):
    def acted(*faces):
        session = opened(*faces)
        if not faces:
            return session
        number = session.start("bob", "psi-act", {"initiator": ["oriane"]}, {"oriane": {"power_name": power}})
        session.throw("bob", number)
        if session.moves[number].pending is not None:
            session.answer("bob", number, power)
        return session

    for seat in ("ana", "eve"):
        works, fails, none = (json.dumps(session.seen(seat)["moves"] + session.seen(seat)["log"])
                              for session in (acted(1, 1, 1, 1), acted(6, 6, 6, 6), acted()))
        assert works == fails == none


@pytest.mark.rules("EMP-129")
def test_what_a_request_needs_until_it_is_granted():
    def asked(target):
        session = opened(3, 3, 3, 6, 6, 6)
        cast = {"initiator": ["solveig"], "opponent": ["sentry"]}
        number = session.start("ana", "verbal-duel", cast, {"solveig": {"request": "Ouvrez"}})
        session.fill("mj", number, {"target": target})
        session.throw("mj", number)
        session.accept("mj", number)
        talk = next(iter(session.encounters))
        number = session.start("ana", "verbal-exchange", cast, {"solveig": {"words": "Ouvrez."}}, talk)
        session.seal("ana", number, {"manner": "seduction"})
        session.seal("mj", number, {"manner": "logic"})
        session.fill("ana", number, {"column": "normal"})
        session.throw("ana", number)
        session.accept("mj", number)
        return session

    same(asked(8), asked(14), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-043", "EMP-079")
def test_the_sentrys_resistance_while_it_stands():
    def struck(endurance):
        sentry = {"endurance": endurance, "protections": (), "resistance_physical": -1}
        session = opened(2, 2, 2, sentry=sentry)
        number = session.start("mj", "single-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]},
                               {"gm": {"free": "initiator", "metres": 2}})
        session.seal("ana", number, {"attitude": "feint"})
        session.fill("ana", number, {"weapon": "sword", "height": "middle", "column": "normal", "cap": 3})
        session.throw("ana", number)
        return session

    same(struck(8), struck(11), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-010")
def test_an_ally_who_stays_and_one_who_deserts():
    def tried(*faces):
        session = opened(*faces)
        played(session, "mj", "loyalty-test", {"initiator": ["solveig"]})
        return session

    same(tried(1, 1, 1), tried(6, 6, 6), seats=("ana", "bob", "eve"))
