"""Every example in the docstrings of the dice runs."""

import doctest
import importlib
import pkgutil

import pytest

import paravent.dice

MODULES = ["paravent.dice", *(f"paravent.dice.{found.name}" for found in pkgutil.iter_modules(paravent.dice.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_to_run():
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(found) >= 10
