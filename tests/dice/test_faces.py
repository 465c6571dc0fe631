"""Where faces come from: live, seeded, scripted, typed, recorded."""

import hashlib
import hmac
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pytest

from paravent.dice import (
    Answered,
    ByHand,
    DiceError,
    KeyedFaces,
    Kinds,
    LiveDice,
    NotAnOption,
    Noted,
    RecordedDice,
    ScriptedDice,
    SeededDice,
    Take,
    ThrowAgain,
    Thrown,
    TypedDice,
    Waiting,
    Wanted,
    commitment,
    new_key,
    plain,
    play,
    record_from_json,
    record_to_json,
)
from paravent.dice.errors import DiceLeftOver, ImpossibleFace, NotThoseDice, RecordDiffers, TooFewDice

READING = Kinds(10, one=[1], success=range(2, 6), failure=range(6, 10), ten=[10])


def two_sides(dice):
    mine = dice.of("initiator").sum(2, 6)
    theirs = dice.of("opponent").sum(2, 6)
    dice.note("T-001", "compared", mine=mine, theirs=theirs)
    return mine - theirs


def rethrow(dice, n=3):
    """Throw n d10, then one die of a chosen kind again."""
    one, success, failure, ten = dice.counts(n, READING)
    options = tuple(Take(kind) for kind, there in (("failure", failure), ("success", success)) if there)
    if not options:
        return (one, success, failure, ten)
    taken = dice.choose("initiator", "which_die", options, rule="T-002")
    return dice.counts(1, READING, again=taken)


# --- Live and seeded dice


def test_live_dice_show_every_face_about_equally_often():
    """24 000 throws of a d6: a fair die is outside this band less than once in a thousand million."""
    faces = Counter(face for face in LiveDice().pool(24_000, 6))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(abs(count - 4000) < 6.5 * (24_000 * 5 / 36) ** 0.5 for count in faces.values())


def test_live_dice_do_not_repeat_themselves():
    assert LiveDice().pool(40, 20) != LiveDice().pool(40, 20)


def test_seeded_dice_fall_the_same_way_on_any_machine():
    assert SeededDice(1).of("gm")._throw(10, 6) == (6, 4, 6, 4, 1, 3, 2, 1, 6, 5)
    assert SeededDice("lune")._throw(5, 20) == (4, 2, 11, 13, 14)


def test_a_number_and_the_same_number_written_are_one_seed():
    assert SeededDice(12).pool(9, 6) == SeededDice("12").pool(9, 6)


def test_a_named_stream_is_the_same_whatever_was_thrown_before():
    one, other = SeededDice(3), SeededDice(3)
    other.sum(7, 6)
    assert one.stream("0101").pool(5, 6) == other.stream("0101").pool(5, 6)
    assert one.stream("0101").pool(20, 6) != one.stream("0102").pool(20, 6)


def test_keyed_faces_follow_the_documented_vectors():
    """HMAC-SHA256 of grain and counter, first eight bytes, rejection, modulo, plus one."""
    assert KeyedFaces(b"key", b"nonce").throw("gm", 8, 6) == (6, 3, 4, 4, 6, 6, 4, 1)
    assert KeyedFaces(bytes(32), b"ana").throw("gm", 6, 10) == (3, 4, 5, 3, 1, 5)
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_anybody_can_work_keyed_faces_out_again():
    key, grain, faces, counter = new_key(), b"nonce", [], 0
    while len(faces) < 30:
        digest = hmac.new(key, grain + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        number = int.from_bytes(digest[:8], "big")
        counter += 1
        if number < 2**64 - 2**64 % 10:
            faces.append(number % 10 + 1)
    assert KeyedFaces(key, grain).throw("gm", 30, 10) == tuple(faces)


def test_keyed_faces_go_on_where_their_counter_stands():
    whole = KeyedFaces(b"key", b"").throw("gm", 6, 6)
    assert KeyedFaces(b"key", b"", counter=2).throw("gm", 4, 6) == whole[2:]


def test_two_keys_are_never_alike():
    assert len({new_key() for _ in range(50)}) == 50


# --- Scripted dice


def test_scripted_dice_show_their_faces_in_order_and_a_pool_sorts_them():
    dice = ScriptedDice(3, 6, 2, 5)
    assert dice.pool(3, 6) == (2, 3, 6)
    assert dice.sum(1, 6) == 5


def test_a_script_too_short_says_how_many_dice_were_wanted():
    with pytest.raises(TooFewDice) as error:
        ScriptedDice(3).sum(2, 6)
    assert error.value.values == {"wanted": 2, "left": 1, "sides": 6}
    assert error.value.code == "dice/too-few"


def test_faces_left_over_at_the_end_of_a_play_are_an_error():
    with pytest.raises(DiceLeftOver) as error:
        play(two_sides, dice=ScriptedDice(1, 2, 3, 4, 5))
    assert error.value.values == {"left": [5]}


def test_a_face_that_the_die_does_not_have_is_refused():
    with pytest.raises(ImpossibleFace):
        ScriptedDice(7).sum(1, 6)


def test_no_dice_is_not_a_throw():
    dice = ScriptedDice()
    assert (dice.sum(0, 6), dice.pool(0, 6), dice.record) == (0, (), ())


# --- Typed dice


def test_typed_dice_are_asked_throw_by_throw_of_the_role_that_throws():
    asked = []

    def ask(wanted):
        asked.append(wanted)
        return [3] * wanted.n

    assert play(two_sides, dice=TypedDice(ask)).result == 0
    assert asked == [Wanted("initiator", 2, 6, ""), Wanted("opponent", 2, 6, "")]


def test_typed_dice_without_a_hand_wait_and_go_on_from_the_record():
    with pytest.raises(Waiting) as waiting:
        play(two_sides, dice=TypedDice())
    assert waiting.value.request == Wanted("initiator", 2, 6, "two_sides")
    first = Thrown("initiator", "two_sides", 6, (6, 4), by_hand=True)
    with pytest.raises(Waiting) as waiting:
        play(two_sides, dice=TypedDice(past=(first,)))
    assert waiting.value.request.role == "opponent"
    assert waiting.value.record == (first,)


def test_typing_the_wrong_number_of_dice_is_refused():
    with pytest.raises(TooFewDice):
        play(two_sides, dice=TypedDice(lambda wanted: [1]))


# --- Records


def test_a_record_replays_to_the_same_end_without_drawing():
    played = play(two_sides, dice=SeededDice(5))
    again = play(two_sides, dice=RecordedDice(played.record))
    assert again == played


def test_a_record_of_other_dice_is_refused():
    played = play(two_sides, dice=SeededDice(5))

    def three_dice(dice):
        return dice.sum(3, 6)

    with pytest.raises(RecordDiffers) as error:
        play(three_dice, dice=RecordedDice(played.record))
    assert error.value.values == {"expected": "3d6 (initiator)", "got": "2d6 (initiator)"}


def test_a_record_never_throws_what_it_does_not_hold():
    played = play(two_sides, dice=SeededDice(5))
    with pytest.raises(TooFewDice):
        play(two_sides, dice=RecordedDice(played.record[:1]))


def test_a_record_keeps_throws_answers_and_lines_in_order_with_their_roles():
    played = play(rethrow, dice=ScriptedDice(7, 1, 3, 2, answer=[Take("failure")]))
    assert played.record == (
        Thrown("initiator", "rethrow", 10, (7, 1, 3)),
        Answered("initiator", "which_die", ["failure"], (1,)),
        Thrown("initiator", "rethrow", 10, (2,)),
    )
    assert play(two_sides, dice=ScriptedDice(1, 1, 2, 2)).notes == (
        Noted("T-001", "compared", (("mine", 2), ("theirs", 4)), "initiator"),
    )


def test_a_record_goes_through_json_and_still_replays():
    for rule, dice in ((two_sides, SeededDice(8)), (rethrow, ScriptedDice(7, 8, 3, 2))):
        played = play(rule, dice=dice)
        back = record_from_json(json.loads(json.dumps(record_to_json(played.record))))
        assert back == played.record
        assert play(rule, dice=RecordedDice(back)).result == played.result


def test_plain_values_are_what_files_carry():
    assert plain({"a": (Take("x"), frozenset({2, 1}))}) == {"a": [["x"], [1, 2]]}


# --- Choices


def test_a_rule_waits_at_a_choice_and_is_re_run_with_the_answer():
    with pytest.raises(Waiting) as waiting:
        play(rethrow, dice=SeededDice(2, answer=None))
    choice, record = waiting.value.request, waiting.value.record
    assert (choice.who, choice.key, choice.rule) == ("initiator", "which_die", "T-002")
    assert len(record) == 1
    taken = choice.options[-1]
    going_on = (*record, Answered(choice.who, choice.key, plain(taken)))
    played = play(rethrow, dice=SeededDice(99, answer=None, past=going_on))
    assert played.record[0] == record[0]
    assert len(played.throws) == 2


def test_answers_come_from_a_function_a_mapping_or_a_list():
    success = (1, 0, 0, 0)
    for answer in (lambda choice: choice.options[1], {"which_die": Take("success")}, [["success"]]):
        assert play(rethrow, dice=ScriptedDice(7, 3, 10, 1, answer=answer)).result == success


def test_an_answer_that_is_not_an_option_is_refused_and_names_the_rule():
    with pytest.raises(NotAnOption) as error:
        play(rethrow, dice=ScriptedDice(7, 3, 9, answer=["spilled"]))
    assert error.value.values["rule"] == "T-002"
    assert error.value.values["got"] == "spilled"


def test_a_single_option_is_taken_without_asking():
    def only(dice):
        return dice.choose("initiator", "k", ("a",))

    assert play(only, dice=ScriptedDice(answer=None)).result == "a"


def test_dice_may_be_named_by_hand_and_the_record_keeps_which_were_taken():
    dice = ScriptedDice(7, 3, 9, 2, answer=[ByHand((3,))])
    played = play(rethrow, dice=dice)
    assert played.record[1] == Answered("initiator", "which_die", ["failure"], (3,))
    assert dice.tray() == ((7, "failure", False), (3, "success", False), (2, "success", False))
    assert play(rethrow, dice=RecordedDice(played.record)) == played


@pytest.mark.parametrize("numbers", [(4,), (0,), (1, 1), (2, 3)])
def test_dice_that_do_not_lie_there_or_do_not_fit_cannot_be_named(numbers):
    with pytest.raises(NotThoseDice) as error:
        play(rethrow, dice=ScriptedDice(7, 3, 9, 2, answer=[ByHand(numbers)]))
    assert (error.value.values["dice"], error.value.values["rule"]) == (list(numbers), "T-002")


@pytest.mark.parametrize("pointed", [3, ["x"], [1.5], None])
def test_what_does_not_number_dice_points_at_none(pointed):
    with pytest.raises(NotAnOption):
        play(rethrow, dice=ScriptedDice(7, 3, 9, 2, answer=[{"dice": pointed}]))


def test_dice_set_aside_stay_on_the_table_and_are_taken_no_more():
    def cancel(dice):
        dice.counts(4, READING)
        dice.aside("failure", 1)
        return dice.choose("initiator", "which_die", (Take("failure"), Take("failure", "failure")))

    dice = ScriptedDice(7, 8, 9, 1, answer=[ByHand((3,))])
    with pytest.raises(NotAnOption):
        play(cancel, dice=dice)
    assert dice.tray()[2] == (9, "failure", True)
    dice = ScriptedDice(7, 8, 9, 1, answer=[ByHand((1, 2))])
    assert play(cancel, dice=dice).result == Take("failure", "failure")


def test_each_role_has_its_own_dice_on_the_table():
    def both(dice):
        dice.of("initiator").counts(1, READING)
        dice.of("opponent").counts(2, READING)

    dice = ScriptedDice(1, 5, 10)
    play(both, dice=dice)
    assert [die[1] for die in dice.tray("initiator")] == ["one"]
    assert [die[1] for die in dice.tray("opponent")] == ["success", "ten"]


def test_a_rule_that_throws_again_is_played_until_it_stands():
    def no_tie(dice):
        one, other = dice.sum(1, 6), dice.sum(1, 6)
        if one == other:
            raise ThrowAgain
        return one > other

    played = play(no_tie, dice=ScriptedDice(3, 3, 5, 5, 6, 2))
    assert played.result is True
    assert len(played.throws) == 6
    assert play(no_tie, dice=RecordedDice(played.record)) == played


def test_throwing_again_picks_up_only_the_dice_of_that_rule():
    def never_one(dice):
        if dice.counts(1, READING)[0]:
            raise ThrowAgain
        return True

    def outer(dice):
        dice.counts(2, READING)
        dice.resolve(never_one)
        return dice.counts(1, READING, again=Take("failure"))

    dice = ScriptedDice(7, 3, 1, 5, 10)
    assert play(outer, dice=dice).result == (0, 0, 0, 1)
    assert dice.tray() == ((10, "ten", False), (3, "success", False), (5, "success", False))


def test_dice_that_are_not_there_cannot_be_taken_up():
    def outer(dice):
        dice.counts(1, READING)
        return dice.counts(1, READING, again=Take("failure"))

    with pytest.raises(NotAnOption):
        play(outer, dice=ScriptedDice(3, 3))


# --- Kinds


def test_each_face_belongs_to_one_kind():
    for faces in ({"a": [1, 2]}, {"a": [1, 2, 3], "b": [3]}, {"a": [1, 2, 3, 4]}):
        with pytest.raises(ValueError, match="each face"):
            Kinds(3, **faces)


def test_kinds_tally_faces_in_the_order_the_rule_reads_them():
    assert READING.tally((10, 1, 7, 7, 2)) == (1, 1, 2, 1)
    assert Kinds(10, **{"one": [1], "success": range(2, 6), "failure": range(6, 10), "ten": [10]}) == READING


def test_errors_carry_a_steady_code_and_values():
    error = TooFewDice(wanted=2, left=0, sides=6)
    assert isinstance(error, DiceError)
    assert str(error) == "dice/too-few: {'wanted': 2, 'left': 0, 'sides': 6}"


def test_dice_do_not_import_numpy():
    code = "import sys, paravent.dice; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_fractions_come_out_exact():
    from paravent.dice import odds

    assert odds(two_sides)[0] == Fraction(73, 648)


def test_a_number_that_would_favour_low_faces_is_passed_over() -> None:
    """Of a die with three quarters as many faces as there are numbers, a quarter of the numbers is passed over: in
    their place the face would be a low one."""
    key, grain, sides = b"key", b"grain", 3 << 62
    numbers = [int.from_bytes(hmac.digest(key, grain + at.to_bytes(8, "big"), "sha256")[:8], "big") for at in range(40)]
    fair = [number + 1 for number in numbers if number < sides]
    assert 0 < len(fair) < len(numbers)
    assert KeyedFaces(key, grain).throw("", len(fair), sides) == tuple(fair)
