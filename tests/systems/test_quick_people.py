"""People in one line, in every game that reads one: how many, who, in sight or not, and what else is said."""

import pytest

from paravent.game import NotUnderstood, System, find_system, system_names
from paravent.game.quick import people_in
from paravent.game.telling import Teller

GAMES = {name: find_system(name) for name in system_names()}


def brought(system: System, line: str, lang: str) -> list[tuple[str, bool]]:
    assert system.quick_people is not None
    return [(one.record.name, one.seen) for one in system.quick_people(line, lang)]


@pytest.mark.parametrize("game", GAMES)
def test_three_thugs_come_in_one_line_hidden_or_shown_in_either_language(game: str) -> None:
    system = GAMES[game]
    assert brought(system, "une brute", "fr") == [("Brute", False)]
    for line, lang, name, seen in (("trois brutes, massue", "fr", "Brute", False),
                                   ("3 brutes visibles", "fr", "Brute", True),
                                   ("three thugs in sight", "en", "Thug", True)):
        assert brought(system, line, lang) == [(f"{name} {at}", seen) for at in (1, 2, 3)], line


@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_ready_is_legal_and_understood(game: str) -> None:
    system = GAMES[game]
    assert system.quick_people is not None
    for lang in ("fr", "en"):
        for word in system.quick_ideas(lang) if system.quick_ideas else ():
            for one in system.quick_people(word, lang):
                found = system.kind(one.kind).check(one.record, system.book.rulings())
                assert [fault for fault in found if not fault.warning] == [], word


@pytest.mark.parametrize("game", GAMES)
def test_thugs_beasts_and_bystanders_are_ready(game: str) -> None:
    system = GAMES[game]
    assert system.quick_people is not None
    for line in ("une brute", "un garde", "un chien"):
        (one,) = system.quick_people(line, "fr")
        (anybody,) = system.quick_people("Untel", "fr")
        assert one.record.name != anybody.record.name == "Untel"


@pytest.mark.parametrize("game", GAMES)
def test_a_nameless_opponent_goes_by_any_word_and_whoever_is_ready_comes_in_one_tap(game: str) -> None:
    system = GAMES[game]
    assert brought(system, "quatre contrebandiers, couteau", "fr")[3] == ("Contrebandier 4", False)
    assert ("Frère Kessel 3", False) in brought(system, "les trois frères Kessel", "fr")
    assert len(system.quick_ideas("fr") if system.quick_ideas else ()) > 5


def test_a_robot_comes_by_its_own_word_with_what_it_was_bought_for() -> None:
    system = GAMES["empire"]
    assert system.quick_people is not None
    (formec,) = system.quick_people("un formec", "fr")
    assert (formec.kind, formec.record.robot, formec.seen) == ("robot", "formec", False)
    *trackers, guard = system.quick_people("deux logimecs visibles, pisteur ; un garde", "fr")
    assert [(one.kind, one.record.programmes, one.seen) for one in trackers] == [("robot", ("tracker",), True)] * 2
    assert guard.kind == "npc"
    with pytest.raises(NotUnderstood):
        system.quick_people("un formec, gilet", "fr")


@pytest.mark.parametrize("game", GAMES)
def test_a_crowd_is_refused_in_words_and_a_number_is_not_read_as_something_else(game: str) -> None:
    system = GAMES[game]
    assert system.quick_people is not None
    with pytest.raises(NotUnderstood) as refused:
        system.quick_people("25 gardes", "fr")
    told = Teller("fr", system).error(refused.value, spelled=False)
    assert told == "25 personnes d'un coup, c'est trop\N{NO-BREAK SPACE}: 20 au plus."
    assert Teller("fr", system).error(NotUnderstood(words="25"), spelled=False).endswith(" 25.")


@pytest.mark.parametrize(("line", "count", "name", "seen", "said"), [
    ("deux gardes du corps visibles : 5", 2, "Garde du corps", True, ("5",)),
    ("l'ogre, en vue", 1, "Ogre", True, ()),
    ("les chiens de garde", 1, "Chiens de garde", False, ()),
    ("two mercenaries, hidden, rifle", 2, "Mercenary", False, ("rifle",)),
    ("Zoé la Rousse", 1, "Zoé la Rousse", False, ()),
])
def test_a_line_is_read_word_by_word(line: str, count: int, name: str, seen: bool, said: tuple[str, ...]) -> None:
    (group,) = people_in(line)
    assert (group.count, group.name, group.seen, group.said) == (count, name, seen, said)


@pytest.mark.parametrize("line", ["", ";", ": 5", "trois", "30 gardes", "12 gardes ; 9 brutes", "0 garde"])
def test_what_brings_nobody_or_a_crowd_is_refused(line: str) -> None:
    with pytest.raises(NotUnderstood):
        people_in(line)


def test_in_empire_a_weapon_that_is_named_is_held_and_known() -> None:
    system = GAMES["empire"]
    assert system.quick_people is not None
    (guard,) = system.quick_people("un garde, épée, cuir souple, balafré", "fr")
    record = guard.record
    assert [weapon.weapon for weapon in record.weapons] == ["sword"]
    assert [piece.piece for piece in record.protections] == ["soft_leather"]
    assert (record.levels["34"], record.notes) == (1, "balafré")
    (anybody,) = system.quick_people("le contrebandier ivre : 4", "fr")
    assert anybody.record.resistance_physical == anybody.record.physical_most
    assert {anybody.record.dexterity, anybody.record.willpower} == {4}
    with pytest.raises(NotUnderstood):
        system.quick_people("garde : 99", "fr")


def test_in_solaires_whatever_is_said_is_an_element() -> None:
    system = GAMES["solaires"]
    assert system.quick_people is not None
    (broker,) = system.quick_people("la courtière, dettes de jeu 3, lunettes", "fr")
    assert [(one.name, one.score) for one in broker.record.elements][-2:] == [("Dettes de jeu", 3), ("Lunettes", 1)]
    with pytest.raises(NotUnderstood):
        system.quick_people("garde, matraque 9", "fr")
