"""A question in the middle of a rule says what is at stake, to whoever is asked, in their language."""

from paravent.dice.play import ScriptedFaces
from paravent.game import find_system
from paravent.game.telling import Teller
from paravent.table.hotseat import Hotseat
from seats import move_seen

CONTEUR = find_system("conteur")


def test_a_question_carries_the_running_total_and_what_may_still_be_spent() -> None:
    hotseat = Hotseat(CONTEUR, {"Maud": "gm", "Ana": "player", "Bob": "player"}, faces=ScriptedFaces([2, 3, 9]))
    hotseat.add("Maëlle", CONTEUR.kind("character").ready("fr")["maelle-tisserand"], owner="Ana")
    number = hotseat.start("Maud", "throw", {"initiator": ["Maëlle"]})
    hotseat.fill("Maud", number, {"difficulty": 1})
    hotseat.fill("Ana", number, {"attribute": 5, "dice": 3})
    hotseat.throw("Ana", number)
    choice = move_seen(hotseat, "Ana")["choice"]
    assert choice["key"] == "reroll"
    assert choice["values"] == {"n": 2, "rights": 0, "luck": 4, "goal": 1}
    assert Teller("fr", CONTEUR).stakes("reroll", choice["values"].items()).startswith("2 succès sur 1")
    assert Teller("en", CONTEUR).stakes("reroll", choice["values"].items()).startswith("2 successes of 1")
    assert "choice" not in move_seen(hotseat, "Bob")


def test_what_is_aimed_at_is_not_told_where_the_difficulty_is_hidden() -> None:
    hotseat = Hotseat(CONTEUR, {"Maud": "gm", "Ana": "player"}, faces=ScriptedFaces([2, 3, 9]))
    hotseat.add("Maëlle", CONTEUR.kind("character").ready("fr")["maelle-tisserand"], owner="Ana")
    number = hotseat.start("Maud", "throw", {"initiator": ["Maëlle"]})
    hotseat.fill("Maud", number, {"hidden": True, "hidden_difficulty": 1})
    hotseat.fill("Ana", number, {"attribute": 5, "dice": 3})
    hotseat.throw("Ana", number)
    choice = move_seen(hotseat, "Ana")["choice"]
    assert "goal" not in choice["values"]
    assert Teller("fr", CONTEUR).stakes("reroll", choice["values"].items()).startswith("2 succès pour l'instant")


def test_a_question_without_words_for_its_stakes_says_none() -> None:
    assert Teller("fr", CONTEUR).stakes("nothing", ()) == ""


def test_dice_that_were_thrown_again_are_told_and_so_is_success() -> None:
    hotseat = Hotseat(CONTEUR, {"Maud": "gm", "Ana": "player"}, faces=ScriptedFaces([1, 3, 9, 2]))
    hotseat.add("Maëlle", CONTEUR.kind("character").ready("fr")["maelle-tisserand"], owner="Ana")
    number = hotseat.start("Maud", "throw", {"initiator": ["Maëlle"]})
    hotseat.fill("Maud", number, {"difficulty": 1})
    hotseat.fill("Ana", number, {"attribute": 5, "dice": 3})
    hotseat.throw("Ana", number)
    hotseat.answer("Ana", number, {"dice": [3]})
    [throw] = move_seen(hotseat, "Ana")["throws"]
    first, second = throw["dice"]
    assert first["faces"] == [1, 3, 9]
    assert first["again"] == [2]
    assert second["faces"] == [2]
    assert "again" not in second
    while "choice" in move_seen(hotseat, "Ana"):
        hotseat.answer("Ana", number, "stop")
    assert move_seen(hotseat, "Ana")["throws"][0]["success"] is True
