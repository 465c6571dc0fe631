"""Name the packages that an installation with the given extras still lacks: ``python tools/missing.py dev bench``."""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def wanted(project: dict, extras: list[str]) -> Iterator[str]:
    yield from project["dependencies"]
    for extra in extras:
        for requirement in project["optional-dependencies"][extra]:
            ours = re.match(rf"{project['name']}\[(.*)\]", requirement)
            if ours:
                yield from wanted({**project, "dependencies": []}, ours[1].split(","))
            else:
                yield requirement


def installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def main() -> None:
    declared = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    requirements = [*declared["build-system"]["requires"], *wanted(declared["project"], sys.argv[1:])]
    names = dict.fromkeys(re.split(r"[^\w.-]", requirement)[0] for requirement in requirements)
    print(", ".join(name for name in names if not installed(name)) or ", ".join(names))


main()
