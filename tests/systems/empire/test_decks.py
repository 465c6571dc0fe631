"""Empire galactique: the people of a world and what is said there, kept for the game master alone."""

from dataclasses import replace

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import Change
from paravent.game.leaves import Exits, Holding, Reader, Rows, Start
from paravent.game.telling import Teller
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.beasts.decks import Card, CardKind, Deck, shared_out
from paravent.systems.empire.beasts.errors import NothingToPay, NothingToTell
from paravent.systems.empire.beasts.persons import Person, PersonRole
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.worlds.living import beasts_of
from paravent.systems.empire.worlds.sector import Density, sector_of
from paravent.table.hotseat import Hotseat
from seats import page

RULINGS = SYSTEM.book.rulings()
SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
RUMOUR = Card(CardKind.RUMOUR, "Le phare s'est éteint.", True)
LIE = Card(CardKind.RUMOUR, "La reine est morte.", False)
ERRAND = Card(CardKind.ERRAND, "Porter une lettre.", reward=300)


def table(*faces, cards=(RUMOUR, LIE, ERRAND)):
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(faces))
    hotseat.add("nadir", Character(name="Nadir", charm=9, credits=100), owner="ana")
    hotseat.add("jeu", Deck("Ixe", cards, "secteur", "0403"), kind="deck")
    return hotseat


def done(hotseat, move, cast, form=None, throws=True):
    number = hotseat.start("mj", move, cast, form or {})
    if throws:
        hotseat.throw("mj", number)
    hotseat.accept("mj", number)


def deck(hotseat):
    return hotseat.records["jeu"].record


def heard_by(hotseat, seat):
    """What somebody was told in words."""
    return [line.values["text"] for line in hotseat.told(seat) if "text" in line.values]


@pytest.mark.rules("EGW-004")
def test_the_hour_is_shared_out_among_the_places_where_one_is_found():
    slots = shared_out(("le bar", " ", "le quai", "chez lui"))
    assert [(slot.place, slot.first, slot.last) for slot in slots] == [
        ("le bar", 0, 19), ("le quai", 20, 39), ("chez lui", 40, 59)]
    assert shared_out(()) == ()


@pytest.mark.rules("EGW-007")
def test_a_rumour_is_told_once_and_the_game_master_alone_knows_whether_it_is_true():
    hotseat, other = table(2), table(2, cards=(RUMOUR, LIE._replace(true=True), ERRAND))
    for one in (hotseat, other):
        done(one, "tell-rumour", {"initiator": ["nadir"], "deck": ["jeu"]})
    assert [card.told for card in deck(hotseat).cards] == [False, True, False]
    assert [page(hotseat, seat) for seat in ("ana", "bob", "zoe")] == [
        page(other, seat) for seat in ("ana", "bob", "zoe")]
    assert heard_by(hotseat, "bob") == [LIE.text]
    done(hotseat, "tell-rumour", {"initiator": ["nadir"], "deck": ["jeu"]},
         {"gm": {"card": RUMOUR.text, "aloud": False}})
    assert heard_by(hotseat, "bob") == [LIE.text]
    assert RUMOUR.text in heard_by(hotseat, "mj")
    done(hotseat, "tell-rumour", {"initiator": ["nadir"], "deck": ["jeu"]})
    with pytest.raises(NothingToTell):
        done(hotseat, "tell-rumour", {"initiator": ["nadir"], "deck": ["jeu"]})


@pytest.mark.rules("EGW-007")
def test_an_errand_is_paid_once():
    hotseat = table(cards=(ERRAND,))
    with pytest.raises(NothingToPay):
        done(hotseat, "finish-errand", {"initiator": ["nadir"], "deck": ["jeu"]})
    hotseat = table(cards=(ERRAND._replace(told=True),))
    done(hotseat, "finish-errand", {"initiator": ["nadir"], "deck": ["jeu"]})
    assert hotseat.records["nadir"].record.credits == 400
    assert deck(hotseat).cards[0].done
    with pytest.raises(NothingToPay):
        done(hotseat, "finish-errand", {"initiator": ["nadir"], "deck": ["jeu"]})


@pytest.mark.rules("EGW-007")
def test_what_is_written_joins_the_deck_of_the_world_or_begins_one():
    hotseat = table(cards=())
    before = page(hotseat, "ana")
    done(hotseat, "write-rumour", {"deck": ["jeu"]}, {"gm": {"card_kind": "errand", "card_text": "Garder l'âne",
                                                             "reward": 20}})
    assert deck(hotseat).cards == (Card(CardKind.ERRAND, "Garder l'âne", reward=20),)
    assert page(hotseat, "ana") == before


@pytest.mark.rules("EGW-002", "EGW-003", "EGW-006")
def test_a_worlds_people_and_rumours_stand_on_its_page_with_schedule_and_fidelity():
    chart = sector_of("ourmansk", "Ourmansk", Density.MEAN, RULINGS)
    clerk = Person("Vorn", PersonRole.LURER, schedule=shared_out(("le bar", "le quai")), sector="secteur",
                   square="0403", fidelity="disloyal", tested_day=4)
    away = Person("Loin", PersonRole.ALLY, sector="secteur", square="0101")
    held = (Holding("secteur", "sector", "Ourmansk", chart), Holding("vorn", "person", "Vorn", clerk),
            Holding("loin", "person", "Loin", away),
            Holding("jeu", "deck", "Ixe", Deck("Ixe", (RUMOUR, ERRAND), "secteur", "0403")))
    reader = Reader(SYSTEM, RULINGS, held, {"map": "secteur", "square": "0403"}, True)
    blocks = SYSTEM.leaves["sector"].make(reader).blocks
    (people,) = [block for block in blocks if isinstance(block, Rows) and "fidelity" in block.columns]
    assert [row[0] for row in people.rows] == ["Vorn"]
    assert people.rows[0][3].values == {"fidelity": "disloyal", "n": 5}
    (cards,) = [block for block in blocks if isinstance(block, Rows) and "card_text" in block.columns]
    assert [row[1] for row in cards.rows] == [RUMOUR.text, ERRAND.text]


@pytest.mark.rules("EGW-049")
def test_the_players_characters_stand_against_the_beasts_of_this_world_alone():
    chart = sector_of("ourmansk", "Ourmansk", Density.MEAN, RULINGS)
    here, there = (replace(found, sector="secteur", seed=chart.key(found.square)) for found in chart.worlds
                   if found.square in ("0403", "0609"))
    beasts = [beasts_of(found, found.seed, RULINGS)[0] for found in (here, there)]
    held = (Holding("secteur", "sector", "Ourmansk", chart), Holding("ici", "world", "", here),
            Holding("là", "world", "", there), Holding("bête", "animal", "", beasts[0]),
            Holding("autre", "animal", "", beasts[1]), Holding("à part", "animal", "", Animal("Le Vieux Croc")),
            Holding("garde", "npc", "", Character(name="Un garde")),
            Holding("oriane", "character", "", Character(name="Oriane")),
            Holding("nadir", "character", "", Character(name="Nadir"), owned=True),
            Holding("vorn", "person", "Vorn", Person("Vorn", PersonRole.ALLY, sector="secteur", square=here.square)))

    def starts(move, held=held):
        reader = Reader(SYSTEM, RULINGS, held, {"map": "secteur", "square": here.square}, True)
        return [way.cast for block in SYSTEM.leaves["sector"].make(reader).blocks if isinstance(block, Exits)
                for way in block.ways if isinstance(way, Start) and way.move == move]

    assert starts("start-fight") == [{"initiator": ("nadir",), "opponent": (beast,)} for beast in ("bête", "à part")]
    assert starts("loyalty-test") == [{"initiator": ("nadir",), "person": ("vorn",)}]
    nobody_plays = tuple(one._replace(owned=False) for one in held)
    assert {cast["initiator"] for cast in starts("start-fight", nobody_plays)} == {("oriane", "nadir")}


@pytest.mark.rules("EGW-006")
def test_a_test_of_fidelity_is_kept_with_whoever_was_tested():
    hotseat = table(6, 6, 6)
    hotseat.add("vorn", Person("Vorn", PersonRole.ALLY), kind="person")
    before = page(hotseat, "ana")
    done(hotseat, "loyalty-test", {"initiator": ["nadir"], "person": ["vorn"]})
    assert hotseat.records["vorn"].record.fidelity == "disloyal"
    assert page(hotseat, "ana") == before


def test_the_parts_of_a_card_are_called_as_on_its_sheet():
    change = Change("jeu", "cards", (), (ERRAND,), "EGW-007")
    ((_, _, after),) = Teller("fr", SYSTEM).change(change)
    assert after == "Type commission, Ce qui se dit Porter une lettre., Vraie oui, Récompense (¢) 300"


@pytest.mark.rules("EGW-007")
def test_two_decks_of_a_world_are_both_told_of_and_drawn_from():
    chart = sector_of("ourmansk", "Ourmansk", Density.MEAN, RULINGS)
    told, owed = RUMOUR._replace(told=True), ERRAND._replace(told=True)
    held = (Holding("secteur", "sector", "Ourmansk", chart),
            Holding("nadir", "character", "", Character(name="Nadir"), owned=True),
            Holding("un", "deck", "Ixe", Deck("Ixe", (told,), "secteur", "0403")),
            Holding("deux", "deck", "Ixe", Deck("Ixe", (LIE, owed), "secteur", "0403")))
    reader = Reader(SYSTEM, RULINGS, held, {"map": "secteur", "square": "0403"}, True)
    blocks = SYSTEM.leaves["sector"].make(reader).blocks
    (cards,) = [block for block in blocks if isinstance(block, Rows) and "card_text" in block.columns]
    assert [row[1] for row in cards.rows] == [RUMOUR.text, LIE.text, ERRAND.text]
    decks = {way.move: way.cast["deck"] for block in blocks if isinstance(block, Exits)
             for way in block.ways if isinstance(way, Start) and "deck" in way.cast}
    assert decks == {"write-rumour": ("un",), "tell-rumour": ("deux",), "finish-errand": ("deux",)}
