"""People in what is told: a reference that is read for one reader, and a name only at the very end."""

import pytest

from paravent.game import Heads, People, Telling, Who
from paravent.game.people import about_nobody_known, for_reader, ids_of, reference
from paravent.game.telling import Teller
from paravent.game.words import Words

NAMES = {"e1": "Elya", "t1": "Tarn", "n1": "Noor"}
WORDS = Words({
    "fr": {"outcomes": {"won": "{initiator} l'emporte", "hit": "{who} touche {whom}.", "care": "Le mal {whom:de}.",
                        "there": {"one": "{n} combattant.", "other": "{n} combattants."}},
           "telling": {"somebody": "quelqu'un", "and": "{first} et {last}"}, "roles": {"initiator": "celui qui agit"}},
    "en": {"outcomes": {"won": "{initiator} wins", "hit": "{who} hits {whom}.", "care": "What ails {whom}.",
                        "there": {"one": "{n} fighter.", "other": "{n} fighters."}},
           "telling": {"somebody": "somebody", "and": "{first} and {last}"},
           "roles": {"initiator": "acting character"}},
})


class Told(Teller):
    """A teller with a handful of words."""

    words = WORDS


def knows(*ids):
    return lambda one: one if one not in NAMES or one in ids else None


def test_whom_a_reader_may_not_know_is_somebody() -> None:
    assert for_reader({"who": "t1"}, knows("e1")) == {"who": ""}
    assert for_reader({"who": "e1"}, knows("e1")) == {"who": "e1"}


def test_a_list_leaves_them_out_and_a_count_does_not_count_them() -> None:
    assert for_reader({"people": ["e1", "t1"]}, knows("e1")) == {"people": ["e1"]}
    assert for_reader({"heads": ["e1", "t1", "n1"]}, knows("e1", "n1")) == {"heads": ["e1", "n1"]}


def test_an_id_written_without_a_tag_is_read_the_same() -> None:
    assert for_reader("t1", knows("e1")) == {"who": ""}
    assert for_reader(["e1", "t1"], knows("e1")) == ["e1"]
    assert for_reader({"t1": 3, "e1": 4}, knows("e1")) == {"e1": 4}


def test_of_people_of_whom_one_may_not_know_nothing_is_told() -> None:
    assert about_nobody_known({"who": {"who": "t1"}, "n": 3}, knows("e1"))
    assert not about_nobody_known({"who": {"who": "t1"}, "whom": {"who": "e1"}}, knows("e1"))
    assert not about_nobody_known({"n": 3}, knows("e1"))


def test_values_of_another_shape_are_no_references() -> None:
    assert [reference(value) for value in ({"who": 3}, {"who": "a", "n": 1}, ["a"], "a", None)] == [None] * 5
    assert ids_of({"rows": [{"who": {"who": "e1"}}, {"of": {"people": ["t1"]}}]}) == ("e1", "t1")


@pytest.mark.parametrize(("lang", "said"), [("fr", "Quelqu'un touche Elya."), ("en", "Somebody hits Elya.")])
def test_somebody_begins_a_sentence_with_a_capital(lang: str, said: str) -> None:
    assert Told(lang, None, NAMES.get).telling(
        Telling("outcomes.hit", {"who": Who(""), "whom": Who("e1")})) == said


@pytest.mark.parametrize(("those", "said"), [(("e1",), "Elya l'emporte"), (("e1", "t1", "n1"), "Elya, Tarn et Noor "
                                              "l'emporte"), ((), "Quelqu'un l'emporte")])
def test_an_outcome_names_those_who_hold_a_role(those: tuple[str, ...], said: str) -> None:
    assert Told("fr", None, NAMES.get).among({"initiator": People(those)}).outcome("won") == said


@pytest.mark.parametrize(("one", "said"), [("e1", "Le mal d'Elya."), ("t1", "Le mal de Tarn.")])
def test_french_joins_a_name_to_the_word_before_it(one: str, said: str) -> None:
    assert Told("fr", None, NAMES.get).say("outcomes.care", whom=Who(one)) == said


@pytest.mark.parametrize(("ids", "said"), [(("e1",), "1 combattant."), (("e1", "t1"), "2 combattants.")])
def test_heads_are_counted(ids: tuple[str, ...], said: str) -> None:
    assert Told("fr", None, NAMES.get).say("outcomes.there", n=Heads(ids)) == said
