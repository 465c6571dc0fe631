"""Portraits of our own: drawn from nothing but the name that everybody reads."""

import re
from itertools import product

import pytest
from starlette.testclient import TestClient

from paravent.game import find_system, system_names
from paravent.game.portraits import TRAITS, Portrait, declared, look_of
from paravent.web.faces import code_of, drawn_face, face_of, face_parts, look_in

from .test_flow import around
from .test_friday import client
from .test_simulacres_pages import brought

__all__ = ["client"]


def test_every_value_of_every_trait_is_drawn() -> None:
    for sort, traits in TRAITS.items():
        plain = {trait: values[0] for trait, values in traits.items()}
        drawings = {trait: [drawn_face(code_of(Portrait(sort, {**plain, trait: value}))) for value in values]
                    for trait, values in traits.items()}
        for trait, drawn in drawings.items():
            assert all(drawn), (sort, trait)
            assert len(set(drawn)) == len(drawn), (sort, trait, "two values look alike")


def test_a_drawing_has_no_script_no_style_and_no_address_of_anything_else() -> None:
    for sort, traits in TRAITS.items():
        for at in range(max(map(len, traits.values()))):
            drawn = drawn_face(code_of(Portrait(sort, {t: v[at % len(v)] for t, v in traits.items()}))) or ""
            assert not re.search(r"<script|style=|<style|href|\son\w+=|https?:(?!//www.w3.org/2000/svg)", drawn)
            assert len(drawn) < 6000


def test_an_address_says_the_traits_and_any_other_is_none_of_ours(client: TestClient) -> None:
    look = look_of("Nour Valcourt", "person", {})
    assert look_in(code_of(look)) == look
    answer = client.get(f"/face/{code_of(look)}")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "max-age" in answer.headers["cache-control"]
    for wrong in ("", "p", "p999999999z", "x0000", "p" + "0" * 40, "%00", "pé00000000"):
        assert client.get(f"/face/{wrong}").status_code == 404, wrong


@pytest.mark.parametrize("game", system_names())
def test_what_a_game_declares_can_be_drawn(game: str) -> None:
    """Names are those of ready people; traits and values are of the house."""
    system = find_system(game)
    for name, wanted in declared(system.package).items():
        sorts = [sort for sort, traits in TRAITS.items() if set(wanted.traits) <= set(traits)]
        assert any(set(values) <= set(TRAITS[sort][trait]) for sort in sorts for trait, values in wanted.traits.items())
        assert not wanted.sort or wanted.sort in sorts, name
    for kind, lang in product(system.kinds.values(), ("fr", "en")):
        for record in kind.ready(lang).values() if kind.portrait else ():
            assert drawn_face(face_of(record.name, kind.portrait, system.package)), record.name


def test_a_name_alone_brings_no_beard_and_always_the_same_face() -> None:
    looks = [look_of(f"Quelqu’un {at}", "person", {}) for at in range(300)]
    assert {look.traits["beard"] for look in looks} == {"none"}
    assert len({code_of(look) for look in looks}) > 280
    assert face_of("Léa", "person", "paravent.systems.solaires") == face_of("Léa", "person", "paravent.systems.conteur")
    three = [look_of(f"Brute {at}", "person", declared("paravent.systems.simulacres")) for at in (1, 2, 3)]
    assert {look.traits["brows"] for look in three} == {"stern"}
    assert len({code_of(look) for look in three}) == 3


def drawn_on(page: str) -> set[str]:
    return set(re.findall(r'src="/face/(\w+)"', page))


def test_a_face_is_seen_by_those_who_see_the_name_and_tells_nothing_else(client: TestClient) -> None:
    """Two who differ in what is hidden alone look alike; of whom one may not know, one is sent no face."""
    ana, bob, _, nour = around(client)
    package = find_system("simulacres").package
    hidden, other = face_of("Brute 1", "person", package), face_of("Nour Valcourt", "person", package)
    assert other in drawn_on(bob.reads())
    theirs = brought(ana, "deux brutes moyennes, massue")
    assert hidden in drawn_on(ana.reads())
    assert hidden not in bob.reads()
    ana.sends("/do/sheet", record=theirs[0], **{"v:armour.absorb": "3", "v:life_points": "2"})
    assert hidden in drawn_on(ana.reads()), "what a sheet hides changes no face"
    assert face_of("Isidore Mbaye-Lenoir", "person", package) in drawn_on(bob.reads("/new")), "one chooses by it"
    assert nour


def test_a_kind_without_portraits_keeps_its_initials() -> None:
    assert not find_system("simulacres").kinds["price-list"].portrait
    assert not find_system("empire").kinds["world"].portrait


def test_the_parts_are_of_the_traits_and_no_more() -> None:
    for sort, traits in TRAITS.items():
        parts = face_parts().of(sort)
        assert {trait: set(found) for trait, found in parts.items()} == {t: set(v) for t, v in traits.items()}
        layers = {layer for found in parts.values() for part in found.values() for layer in (*part.draws, *part.hides)}
        assert layers <= set(face_parts().layers[sort]) >= set(face_parts().always[sort].draws)


@pytest.mark.parametrize(("name", "sort"), [
    ("Chien de quai 2", "beast"), ("chien 1", "beast"), ("Le vieux chien", "beast"), ("Dock dog 3", "beast"),
    ("Drone de garde", "machine"), ("Robot", "machine"), ("Rex", "person"), ("Maître-chien", "person"),
    ("Le dresseur du chien", "person"), ("Garde 2", "person"), ("Loup", "person"),
])
def test_no_beast_and_no_machine_has_the_face_of_a_person(name: str, sort: str) -> None:
    """Whatever kind of sheet it stands on, and in every game."""
    for package in ("paravent.systems.solaires", "paravent.systems.conteur", "paravent.systems.simulacres"):
        assert look_of(name, "person", declared(package)).sort == sort, (name, package)
    assert look_of(name, "machine", {}).sort == "machine", "a sheet that says what it is stays so"
