"""Secrets proven by difference: the same play with other secrets leaves every other seat's page the same."""

from dataclasses import replace

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.machines.kinds import Gear
from paravent.table.hotseat import Hotseat
from seats import BLOW_SEALED, applied, moves_seen, page, told

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "eve": "spectator"}
PLAYERS, CAST = SYSTEM.kind("character").ready("fr"), SYSTEM.kind("npc").ready("fr")


def opened(*faces, sentry=None, **options):
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    for name, owner in (("bastien", "ana"), ("solveig", "ana"), ("oriane", "bob")):
        hotseat.add(name, PLAYERS[name], owner=owner)
    hotseat.add("sentry", replace(CAST["sentry"], **(sentry or {})), owner="mj", kind="npc")
    return hotseat


def pages(hotseat, *seats):
    return [page(hotseat, seat) for seat in seats]


def same(one, other, seats):
    """The two evenings look alike from these seats, and differ behind the screen."""
    assert pages(one, *seats) == pages(other, *seats)
    assert pages(one, "mj") != pages(other, "mj")


def played(hotseat, by, move, cast, form=None, gm=None, encounter=None, answers=()):
    number = hotseat.start(by, move, cast, form, encounter)
    if gm:
        hotseat.fill("mj", number, gm)
    hotseat.throw("mj", number)
    for answer in answers:
        hotseat.answer(by, number, answer)
    return number


@pytest.mark.rules("EMP-104", "EMP-105")
def test_the_true_distance_and_range_of_a_miss():
    def shot(distance):
        hotseat = opened(6, 6, 5)
        played(hotseat, "ana", "shoot", {"initiator": ["bastien"], "opponent": ["sentry"]},
               {"bastien": {"weapon": "rifle"}}, {"distance": distance})
        return hotseat

    same(shot(20), shot(300), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-110", "EMP-111")
@pytest.mark.parametrize("quality", [9, 12])
def test_what_a_machine_can_still_take(quality):
    def struck(quality):
        hotseat = opened(3, 3, 3)
        played(hotseat, "ana", "sabotage", {"initiator": ["bastien"]}, {"bastien": {"weapon": "rifle"}},
               {"exposure": "protected", "tech_level": 6, "quality": quality, "margin_used": 3})
        return hotseat

    same(struck(8), struck(quality), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-140")
def test_a_disguise_that_holds_and_one_that_fools_nobody():
    def disguised(*faces):
        hotseat = opened(*faces)
        number = played(hotseat, "ana", "disguise", {"initiator": ["solveig"]})
        hotseat.accept("mj", number)
        return hotseat

    same(disguised(1, 1, 1), disguised(6, 6, 6), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-044", "EMP-057")
@pytest.mark.option("destiny_dice", "shown")
@pytest.mark.parametrize("hard", ["average", "hard"])
@pytest.mark.parametrize("learns", [True, False])
def test_a_difficulty_kept_secret_is_not_told_by_the_dice_of_destiny(hard, learns):
    """A precise test behind the screen, its adjective kept; then destiny, thrown there too: only its end is seen."""
    def taught(difficulty, **options):
        dice = {"easy": 3, "average": 4, "hard": 5}[difficulty]
        hotseat = opened(*(1,) * dice, *((6 if learns else 1),) * dice, **options)
        number = hotseat.start("ana", "skill-test", {"initiator": ["bastien"]},
                               {"bastien": {"skill": "35", "column": "precise"}})
        hotseat.fill("mj", number, {"difficulty": difficulty})
        hotseat.throw("ana", number)
        hotseat.fill("mj", number, {"tells": "kept"})
        (claim,) = [at for at, op in hotseat.moves.items() if op.move.id == "destiny-roll"]
        before = pages(hotseat, "ana", "bob", "eve")
        hotseat.throw("ana", claim)  # it follows from the success: nobody's leave is asked
        assert hotseat.moves[claim].results["roll"].levels == learns
        return hotseat, before

    (one, easy), (other, harder) = taught("easy"), taught(hard)
    assert easy == harder, "before the dice, too"
    same(one, other, seats=("ana", "bob", "eve"))
    shown = pages(taught("easy", destiny_dice="shown")[0], "ana"), pages(taught(hard, destiny_dice="shown")[0], "ana")
    assert shown[0] != shown[1], "a table may let it be seen"


@pytest.mark.rules("EMP-044")
def test_the_dice_of_destiny_are_the_players_where_the_player_threw_the_test():
    hotseat = opened(1, 1, 1, 6, 6, 6, dice_hand="player")
    number = hotseat.start("ana", "skill-test", {"initiator": ["bastien"]},
                           {"bastien": {"skill": "35", "column": "precise"}})
    hotseat.fill("mj", number, {"difficulty": "easy"})
    hotseat.throw("ana", number)
    (claim,) = [at for at, op in hotseat.moves.items() if op.move.id == "destiny-roll"]
    hotseat.throw("ana", claim)
    (seen,) = [move for move in moves_seen(hotseat, "ana") if move["move"] == "destiny-roll"]
    assert [len(hand["faces"]) for throw in seen["throws"] for hand in throw["dice"]] == [3]


@pytest.mark.rules("EMP-074")
def test_an_ambush_missed_and_no_ambush_at_all():
    def watched(*faces, there):
        hotseat = opened(*faces)
        played(hotseat, "ana", "ambush", {"initiator": ["bastien"]}, gm={"something_there": there})
        return hotseat

    same(watched(6, 6, 6, there=True), watched(1, 1, 1, there=False), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-168")
@pytest.mark.parametrize("power", ["reading", "screen", "empathy"])
def test_a_psi_act_that_fails_one_that_works_unseen_and_none_at_all(power):
    def acted(*faces):
        hotseat = opened(*faces)
        if not faces:
            return hotseat
        number = hotseat.start("bob", "psi-act", {"initiator": ["oriane"]}, {"oriane": {"power_name": power}})
        hotseat.throw("bob", number)
        if hotseat.moves[number].pending is not None:
            hotseat.answer("bob", number, power)
        return hotseat

    for seat in ("ana", "eve"):
        works, fails, none = ((moves_seen(hotseat, seat), told(hotseat, seat))
                              for hotseat in (acted(1, 1, 1, 1), acted(6, 6, 6, 6), acted()))
        assert works == fails == none


@pytest.mark.rules("EMP-129")
def test_what_a_request_needs_until_it_is_granted():
    def asked(target):
        hotseat = opened(3, 3, 3, 6, 6, 6)
        cast = {"initiator": ["solveig"], "opponent": ["sentry"]}
        number = hotseat.start("ana", "verbal-duel", cast, {"solveig": {"request": "Ouvrez"}})
        hotseat.fill("mj", number, {"target": target})
        assert hotseat.moves[number].phase == "closed", "there is nothing to apply"
        talk = next(iter(hotseat.encounters))
        number = hotseat.start("ana", "verbal-exchange", cast, {"solveig": {"words": "Ouvrez."}}, talk)
        hotseat.seal("ana", number, {"manner": "seduction"})
        hotseat.seal("mj", number, {"manner": "logic"})
        hotseat.fill("ana", number, {"column": "normal"})
        hotseat.throw("ana", number)
        hotseat.accept("mj", number)
        return hotseat

    same(asked(8), asked(14), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-043", "EMP-079")
def test_the_sentrys_resistance_while_it_stands():
    def struck(endurance):
        sentry = {"endurance": endurance, "protections": (), "resistance_physical": -1}
        hotseat = opened(2, 2, 2, sentry=sentry)
        number = hotseat.start("mj", "single-exchange", {"initiator": ["bastien"], "opponent": ["sentry"]},
                               {"gm": {"free": "initiator", "metres": 2}})
        hotseat.seal("ana", number, {"attitude": "feint", **BLOW_SEALED})
        hotseat.fill("ana", number, {"weapon": "sword", "cap": 3})
        hotseat.throw("ana", number)
        return hotseat

    same(struck(8), struck(11), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-010")
def test_an_ally_who_stays_and_one_who_deserts():
    def tried(*faces):
        hotseat = opened(*faces)
        played(hotseat, "mj", "loyalty-test", {"initiator": ["solveig"]})
        return hotseat

    same(tried(1, 1, 1), tried(6, 6, 6), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-002", "EMP-053", "EMP-057")
def test_a_secret_test_and_none_at_all():
    def tested(*faces):
        hotseat = opened(*faces)
        if faces:
            number = hotseat.start("mj", "secret-test", {"initiator": ["bastien"]}, {"bastien": {"skill": "35"}})
            hotseat.throw("mj", number)
        return hotseat

    same(tested(3, 3, 3), tested(), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-053", "EMP-057")
def test_a_difficulty_whose_adjective_is_kept():
    def judged(difficulty, *faces):
        hotseat = opened(*faces)
        number = played(hotseat, "ana", "skill-test", {"initiator": ["bastien"]},
                        {"bastien": {"skill": "35", "column": "normal"}}, {"difficulty": difficulty})
        hotseat.fill("mj", number, {"tells": "kept"})
        return hotseat

    same(judged("easy", 1, 1), judged("average", 1, 1, 1), seats=("ana", "bob", "eve"))


@pytest.mark.rules("EMP-122", "EMP-126")
def test_the_manner_that_the_other_has_sealed():
    def spoken(manner):
        hotseat = opened()
        cast = {"initiator": ["solveig"], "opponent": ["sentry"]}
        opening = hotseat.start("ana", "verbal-duel", cast, {"solveig": {"request": "Le passage"}})
        hotseat.fill("mj", opening, {"target": 12})
        number = hotseat.start("ana", "verbal-exchange", cast, encounter=1)
        hotseat.seal("mj", number, {"manner": manner}, "sentry")
        return hotseat

    assert pages(spoken("logic"), "ana", "bob", "eve") == pages(spoken("faith"), "ana", "bob", "eve")


@pytest.mark.rules("EMP-110", "EMP-111", "EMP-113")
@pytest.mark.parametrize(("move", "form", "faces"), [
    ("grenade", {}, (1, 1, 1, 2, 1)), ("shoot", {"weapon": "laser", "characteristic": 18, "level": 6}, (2, 2, 2)),
])
def test_what_a_machine_lost_in_a_blast_or_to_a_shot(move, form, faces):
    def struck(damage):
        hotseat = opened(*faces)
        hotseat.add("bike", Gear("moto", tech_level=6, quality=30, damage=damage), owner="mj", kind="item")
        number = played(hotseat, "ana", move, {"initiator": ["bastien"], "opponent": ["bike"]}, {"bastien": form})
        applied(hotseat, "mj", number)
        return hotseat

    same(struck(0), struck(2), seats=("ana", "bob", "eve"))
