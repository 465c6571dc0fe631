"""The sheet: what makes it right, what is only said, the ready-made crew, and what a text turns into."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.dice import SeededDice, play
from paravent.game import Fault, from_plain, to_plain
from paravent.game.telling import Teller
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.facts import Category, PowerSet, Tag
from paravent.systems.solaires.people.character import (
    Backup,
    Character,
    Element,
    Item,
    check,
    displayed_name,
    draw,
    fresh,
    rescaled,
    with_element,
)
from paravent.systems.solaires.people.facts import MindType

DEFAULT = SYSTEM.book.rulings()
CREW = SYSTEM.kind("character").ready("fr")
IMPLANT = Item("Implant psi", 3, Tag.PSI)


def sheet(**changes: Any) -> Character:
    kept = {"name": "Filin", "concept": "Soudeur d'anneaux", "careers": (Element("Soudeur", 2),)}
    return Character(**{**kept, **changes})


def faults(record: Character, **options: str) -> list[Fault]:
    return check(record, SYSTEM.book.rulings(options))


def keys(record: Character, **options: str) -> list[str]:
    return [fault.key for fault in faults(record, **options)]


@pytest.mark.rules("SOL-100", "SOL-101")
def test_a_sheet_needs_a_pseudonym_and_a_concept() -> None:
    assert keys(sheet()) == []
    assert keys(sheet(name="  ", concept="")) == ["no_pseudonym", "no_concept"]
    assert not any(fault.warning for fault in faults(sheet(name="", concept="")))


@pytest.mark.rules("SOL-101")
@pytest.mark.parametrize(("full", "shown"), [
    ("Carl Mordani", "Carl «\u00a0Filin\u00a0» Mordani"),
    ("", "Filin"),
    ("Filin", "Filin"),
    ("Carl «\u00a0Filin\u00a0» Mordani", "Carl «\u00a0Filin\u00a0» Mordani"),
])
def test_the_pseudonym_stands_in_the_full_name(full: str, shown: str) -> None:
    assert displayed_name(sheet(full_name=full)) == shown


@pytest.mark.rules("SOL-103", "SOL-104")
def test_scores_go_from_1_to_3_in_every_category() -> None:
    for where in ("careers", "traits", "relations", "states"):
        for score, right in ((0, False), (1, True), (3, True), (4, False)):
            found = [fault for fault in faults(sheet(**{where: (Element("Vif", score),)})) if not fault.warning]
            assert [fault.rule for fault in found] == ([] if right else ["SOL-104"])
    assert "score" in keys(sheet(equipment=(Item("Câble", 5),)))
    assert "no_name" in keys(sheet(traits=(Element(" ", 1),)))


@pytest.mark.rules("SOL-104")
@pytest.mark.option("allow_zero", "true")
def test_a_table_may_write_scores_of_0() -> None:
    plain = sheet(equipment=(Item("Lunettes", 0),))
    assert keys(plain) == ["score"]
    assert keys(plain, allow_zero="true") == []


@pytest.mark.rules("SOL-103", "SOL-104", "SOL-105")
def test_what_is_unusual_is_said_and_never_refused() -> None:
    odd = {
        "no_element": sheet(careers=()),
        "no_career": sheet(careers=(), traits=(Element("Vif", 1),)),
        "many_extremes": sheet(traits=tuple(Element(f"Trait {n}", 3) for n in range(6))),
        "built_in_at_one": sheet(equipment=(Item("Interface", 1, Tag.CYB),)),
    }
    for key, record in odd.items():
        assert [(fault.key, fault.warning) for fault in faults(record)] == [(key, True)]


@pytest.mark.rules("SOL-105")
def test_one_owns_at_least_one_of_a_thing() -> None:
    assert keys(sheet(equipment=(Item("Câble", 1, quantity=0),))) == ["quantity"]
    assert keys(sheet(equipment=(Item("Câble", 1, quantity=5),))) == []


@pytest.mark.rules("SOL-107", "SOL-109", "SOL-114")
def test_points_never_fall_below_0_but_may_be_granted_above_the_maximum() -> None:
    assert keys(sheet(points=5, max_points=2)) == []
    assert keys(sheet(points=-1)) == ["points"]
    assert (fresh(sheet(points=7, max_points=9), DEFAULT).held) == (2, 2)


# Psi


@pytest.mark.rules("SOL-140", "SOL-141", "SOL-142", "SOL-143")
def test_an_implant_wants_an_organic_brain_a_trait_and_one_set() -> None:
    psion = sheet(equipment=(IMPLANT,), traits=(Element("Curieuse", 2),), psi_power_set=PowerSet.INFORMATION)
    assert keys(psion) == []
    assert "no_organic_brain" in keys(replace(psion, body="cybernetic"))
    assert keys(replace(psion, body="cyborg")) == []
    assert keys(replace(psion, psi_power_set=PowerSet.MATTER)) == ["set_not_matched"]
    assert keys(replace(psion, traits=(), psi_power_set="")) == ["no_set", "no_matching_trait"]
    assert keys(replace(psion, equipment=(replace(IMPLANT, score=2),))) == ["weak_implant"]
    assert keys(replace(psion, equipment=(IMPLANT, replace(IMPLANT, name="Autre implant")))) == ["two_implants"]
    assert keys(replace(psion, equipment=())) == ["set_without_implant"]
    assert "unknown_set" in keys(replace(psion, psi_power_set="thaumaturgy"))


@pytest.mark.rules("SOL-142")
@pytest.mark.parametrize(("lang", "trait"), [("fr", "Créatif"), ("en", "Creative")])
def test_whoever_picks_a_set_that_no_trait_gives_reads_which_traits_give_it(lang: str, trait: str) -> None:
    psion = sheet(equipment=(IMPLANT,), traits=(Element("Curieuse", 2),), psi_power_set=PowerSet.MATTER)
    (fault,) = faults(psion)
    assert trait in Teller(lang, SYSTEM).say(f"faults.{fault.key}", **fault.values)


# The crew


@pytest.mark.rules("SOL-005", "SOL-101", "SOL-103", "SOL-104", "SOL-105", "SOL-107")
@pytest.mark.parametrize("name", list(CREW))
def test_a_ready_made_character_obeys_the_same_rules(name: str) -> None:
    for lang in ("fr", "en"):
        record = SYSTEM.kind("character").ready(lang)[name]
        assert check(record, DEFAULT) == []
        assert record.held == (2, 2)
        assert {one.category for one in record.elements} >= {Category.CAREER, Category.TRAIT, Category.EQUIPMENT}
        assert from_plain(Character, to_plain(record)) == record


@pytest.mark.rules("SOL-102")
def test_the_crew_is_described_and_its_elements_quote_the_description() -> None:
    for lang in ("fr", "en"):
        for record in SYSTEM.kind("character").ready(lang).values():
            told = (record.desc_history, record.desc_personality, record.desc_beliefs, record.desc_solnet)
            assert all(told)
            assert bool(record.desc_physical) == (record.body != "infomorph")
            for one in record.traits:
                assert one.source_text in " ".join(told)


def test_the_crew_shows_what_the_game_holds() -> None:
    assert len(CREW) >= 4
    assert {MindType(record.mind_type).is_ai for record in CREW.values()} == {True, False}
    assert any(record.implant for record in CREW.values())
    assert any(record.states for record in CREW.values())
    assert any(record.backups for record in CREW.values())


# Writing on the sheet


@pytest.mark.rules("SOL-103", "SOL-104")
def test_words_of_the_description_become_an_element() -> None:
    where, after = with_element(sheet(), Category.TRAIT, Element("Têtue", 2, "têtue comme une bielle"))
    assert (where, after) == ("traits", (Element("Têtue", 2, "têtue comme une bielle"),))
    where, after = with_element(sheet(), Category.EQUIPMENT, Element("Lecteur labial", 1), Tag.LOG)
    assert (where, after) == ("equipment", (Item("Lecteur labial", 1, Tag.LOG),))
    where, after = with_element(sheet(), Category.CAREER, Element("Soudeur", 3))
    assert after == (Element("Soudeur", 3),)


@pytest.mark.rules("SOL-005", "SOL-105")
def test_a_sheet_of_the_later_scale_is_brought_to_ours() -> None:
    gear = (Item("Lunettes", 0), Item("Kit", 1), Item("Console", 3))
    assert [item.score for item in rescaled(sheet(equipment=gear)).equipment] == [1, 2, 3]
    assert rescaled(sheet(equipment=gear)).careers == sheet().careers


@pytest.mark.rules("SOL-103", "SOL-104")
def test_a_drawn_character_is_a_legal_one() -> None:
    for seed in range(30):
        record = play(draw, DEFAULT, dice=SeededDice(seed)).result
        assert [fault for fault in check(record, DEFAULT) if not fault.warning] == []
        assert all((record.careers, record.traits, record.equipment))


def test_backups_are_kept_with_their_place() -> None:
    record = sheet(backups=(Backup("Coffre", "hier"),))
    assert from_plain(Character, to_plain(record)) == record
