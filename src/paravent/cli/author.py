"""``paravent new-game`` and ``paravent check``: a game begun, and what it still lacks.

Annotations are read by Typer when a command is declared, so this module does not postpone them.
"""

import importlib.resources
import json
import keyword
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from typer.models import OptionInfo

from paravent.dice.errors import ParaventError
from paravent.game.errors import BROKEN, BrokenSystem
from paravent.game.faults import author_fault, why
from paravent.game.plain import Plain
from paravent.game.system import System, system_at, system_names
from paravent.game.telling import Teller

from .errors import AlreadyThere, BadToml, GameNameTaken, NoGameThere, NoNameForAGame
from .forms import read_text, unwritable
from .help import Declares

PLACES = {
    "pyproject.toml": "pyproject.toml", "README.md": "README.md", "game.py": "src/{name}/__init__.py",
    "rules.py": "src/{name}/rules.py", "person.py": "src/{name}/person.py", "moves.py": "src/{name}/moves.py",
    "rules.toml": "src/{name}/rules.toml", "fr.toml": "src/{name}/text/fr.toml", "en.toml": "src/{name}/text/en.toml",
    "test_game.py": "tests/test_{name}.py", "conftest.py": "tests/conftest.py",
}
"""Where each file of the template goes."""
_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
WANTING = 1
"""What a game that lacks something ends with."""
_OFTEN = 0.5


class Found(NamedTuple):
    """What one check of the suite found: its name, and problems in sentences."""

    check: str
    problems: tuple[str, ...]


def declare(command: Declares, lang: str, lang_option: OptionInfo, as_json_option: OptionInfo) -> None:
    """Add the commands to the program."""
    tell = Teller(lang)

    def say(key: str) -> str:
        return tell.say(f"cli.author.{key}")

    @command("new-game")
    def new_game(
        name: Annotated[str, typer.Argument(metavar="NAME", help=say("name"))],
        into: Annotated[Path, typer.Option("--into", metavar="FOLDER", help=say("into"))] = Path(),
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        place = write_game(name, into)
        print(tell.say("cli.author.written", place=str(place), name=name))

    @command("check")
    def check(
        package: Annotated[str, typer.Argument(metavar="FOLDER|MODULE|SYSTEM", help=say("package"))] = ".",
        watch: Annotated[bool, typer.Option("--watch", help=say("watch"))] = False,
        as_json: Annotated[bool, as_json_option] = False,
        lang_: Annotated[str, lang_option] = lang,
    ) -> int:
        if watch:
            return watched(package, tell, ["--json"] if as_json else [])
        system = game_at(package)
        found = list(checked(system, tell))
        if as_json:
            print(json.dumps({"system": system.id, "checks": [one._asdict() for one in found]}, ensure_ascii=False,
                             indent=2))
        else:
            told(found, system, tell)
        return WANTING if any(one.problems for one in found) else 0


def write_game(name: str, into: Path) -> Path:
    """A small complete game under this name, in a folder of its own."""
    if not _NAME.fullmatch(name):
        raise NoNameForAGame(got=name)
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("paravent", *system_names()):
        raise GameNameTaken(got=name)
    place = into / name
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise AlreadyThere(place=str(place))
    marks = {"@name@": name, "@title@": name.replace("_", " ").capitalize(),
             "@prefix@": name.replace("_", "")[:3].upper()}
    template = importlib.resources.files(__package__) / "template"
    for source, target in PLACES.items():
        text = (template / f"{source}.tmpl").read_text("utf-8")
        for mark, value in marks.items():
            text = text.replace(mark, value)
        file = place / target.format(name=name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        except OSError as error:
            raise unwritable(error, str(file)) from None
    return place


def game_at(package: str) -> System:
    """The game in a folder (by its entry point), in a module, or installed under this name."""
    folder = Path(package)
    project = folder / "pyproject.toml"
    if os.path.isfile(project):
        point = _entry_point(project)
        sys.path[:0] = [str(place.resolve()) for place in (folder / "src", folder) if place.is_dir()]
        return system_at(point)
    if os.path.isdir(folder):
        raise NoGameThere(place=str(project))
    if ":" in package:
        sys.path.insert(0, os.getcwd())
    return system_at(package)


def _entry_point(project: Path) -> str:
    """Where a project says that its game is."""
    try:
        found: Plain = tomllib.loads(read_text(str(project)))
    except tomllib.TOMLDecodeError as error:
        raise BadToml(file=str(project), why=str(error)) from None
    for name in ("project", "entry-points", "paravent.systems"):
        found = found.get(name) if isinstance(found, dict) else None
    point = next(iter(found.values()), None) if isinstance(found, dict) else None
    if not isinstance(point, str):
        raise NoGameThere(place=str(project))
    return point


def checked(system: System, tell: Teller) -> Iterator[Found]:
    """Every check of the suite; one that the game's code fails in says where."""
    from paravent.testing.conformance import CHECKS

    for name, check in CHECKS.items():
        problems: list[str] = []
        try:
            problems += dict.fromkeys(found.said(tell.lang) for found in check(system))
        except ParaventError as error:
            problems.append(tell.error(error))
        except BROKEN as broken:
            fault = author_fault(broken)
            problems.append(tell.error(fault) if fault is not None else why(broken))
        yield Found(name.replace(" ", "-"), tuple(problems))


def told(found: list[Found], system: System, tell: Teller) -> None:
    """What was found, in words."""
    for one in found:
        print(f"{'✗' if one.problems else '✓'} {tell.say(f'cli.checks.{one.check}')}")
        for problem in one.problems:
            print(f"    {problem}")
    wanting = sum(len(one.problems) for one in found)
    print(tell.say("cli.author.wanting", n=wanting, game=system.id) if wanting
          else tell.say("cli.author.complete", game=system.id))


def watched(package: str, tell: Teller, more: list[str]) -> int:
    """Check in a program of its own, again whenever a file changes, until interrupted."""
    folder = _folder_of(package)
    command = [sys.executable, "-m", "paravent", "--lang", tell.lang, "check", package, *more]
    while True:
        before = _stamps(folder)
        subprocess.run(command, check=False)
        print(tell.say("cli.author.watching"), file=sys.stderr if more else sys.stdout, flush=True)
        while _stamps(folder) == before:
            time.sleep(_OFTEN)


def _folder_of(package: str) -> Path:
    """Where the files of a game are; a name that nothing has is refused, a game that does not load is not."""
    if Path(package).is_dir() or ":" in package:
        return Path(package) if Path(package).is_dir() else Path()
    try:
        return Path(str(importlib.resources.files(game_at(package).package)))
    except BrokenSystem:
        return Path()


def _stamps(folder: Path) -> dict[str, int]:
    """When each file of the game was last written."""
    kinds = ("*.py", "*.toml", "*.svg", "*.css")
    try:
        return {str(file): file.stat().st_mtime_ns for kind in kinds for file in folder.rglob(kind)}
    except OSError:  # an editor was just putting a file in the place of another
        return {}
