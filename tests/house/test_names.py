"""One word per meaning: a class name stands for one thing in the whole house, and the glossary says a word once.

Games are apart: each has its own vocabulary, and they never meet.
"""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "paravent"
GLOSSARY = ROOT / "docs" / "glossary.md"


def classes(source: str) -> list[str]:
    """The classes that a file defines."""
    return [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]


def several() -> dict[str, int]:
    """The class names of the house that are defined more than once, and how often."""
    files = (file for file in SOURCE.rglob("*.py") if file.relative_to(SOURCE).parts[0] != "systems")
    found = Counter(name for file in files for name in classes(file.read_text("utf-8")))
    return {name: times for name, times in found.items() if times > 1}


def test_no_class_takes_the_name_of_another() -> None:
    assert several() == {}, "find a word of its own for each: docs/glossary.md has those that are taken"


def test_the_walk_sees_classes_wherever_they_stand() -> None:
    assert classes("class A:\n    class B: pass\ndef f():\n    class A: pass\n") == ["A", "B", "A"]


def test_the_glossary_says_each_word_once() -> None:
    words = re.findall(r"^\| \*\*([^*]+)\*\*", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    assert len(words) > 30
    assert [word for word, times in Counter(words).items() if times > 1] == []
