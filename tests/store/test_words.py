"""Every way in which the log can fail has its sentence, in both languages, with its values in place."""

import pytest

from paravent.game.words import house_words
from paravent.store import errors


def situations(kind: type[errors.StoreError]) -> list[type[errors.StoreError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in situations(child))]


@pytest.mark.parametrize("kind", situations(errors.StoreError))
def test_an_error_has_its_words(kind):
    assert kind.code.startswith("store/")
    assert kind.__doc__
    assert house_words().knows(f"errors.{kind.code}.title")


@pytest.mark.parametrize(("error", "french"), [
    (errors.NoTable("véga"), "Il n'y a pas de table «\u00a0véga\u00a0»."),
    (errors.Conflict("véga", 3), "Quelqu'un a écrit à cette table entre-temps"),
    (errors.BadAddress(scheme="mysql"), "Adresse de journal inconnue\u00a0: «\u00a0mysql\u00a0»"),
])
def test_an_error_reads_as_a_sentence(error, french):
    assert house_words().error("fr", error).startswith(french)
