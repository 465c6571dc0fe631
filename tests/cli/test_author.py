"""A game is begun with a command and looked over with another; a fault in its code is its author's, and said so."""

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from string import Formatter

import pytest

from paravent.cli.author import PLACES, write_game
from paravent.game.words import LANGUAGES, house_words
from paravent.testing.conformance import CHECKS

SOURCE = Path(__file__).parents[2] / "src"


def paravent(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(cwd / "src"), str(SOURCE)]), "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("PARAVENT_LANG", "PARAVENT_DEBUG", "PARAVENT_WATCH_RULES"):
        env.pop(name, None)
    command = [sys.executable, "-m", "paravent", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env, encoding="utf-8")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game("brume", tmp_path)


def change(game: Path, file: str, old: str, new: str) -> int:
    """Change a file of the game; gives the line where the change begins."""
    path = game / "src" / "brume" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return text[:text.index(old)].count("\n") + 1


def test_a_new_game_is_whole_and_passes_its_own_tests(game: Path) -> None:
    assert sorted(str(file.relative_to(game)) for file in game.rglob("*") if file.is_file()) == sorted(
        place.format(name="brume") for place in PLACES.values())
    looked = paravent("check", ".", cwd=game)
    assert (looked.returncode, looked.stdout.count("✓"), looked.stdout.count("✗")) == (0, len(CHECKS), 0)
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=game, env=env,
                           capture_output=True, text=True)
    assert tests.returncode == 0, tests.stdout


LEAKS = {
    "a part of an encounter that is not kept": (
        "__init__.py", 'hidden=frozenset({"fog", "shoals"})', 'hidden=frozenset({"shoals"})',
        "begin-watch: whether fog is 1 or 14 can be told from what is seen before the dice (encounters.1.state.fog)"),
    "a sentence that says it": (
        "moves.py", "tell=lambda ctx, light: told(light)",
        'tell=lambda ctx, light: [Telling("outcomes.seen", {"n": ctx[FOG]})]',
        "signal: whether fog is 5 or 9 can be told from what is seen once the dice are read (moves.1.throws[0]."),
    "a question that is asked only because of it": (
        "light.py", "if burnt < flasks and dice.choose(", "if burnt < flasks and fog > 8 and dice.choose(",
        "signal: whether fog is 5 or 9 can be told from what is seen after the dice, by who is waited for"),
    "a sheet that keeps it": (
        "moves.py", '"glass", max(0, sheet.glass - light.cracked), "FAN-006", weight="grave"',
        '"glass", ctx[FOG] if ctx.asks(FOG) else 1, "FAN-006"',
        "signal: whether fog is 5 or 9 can be told from what is seen once the dice are read ("),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_game_that_tells_a_secret_is_told_where(tmp_path: Path, leak: str) -> None:
    file, old, new, said = LEAKS[leak]
    copy = shutil.copytree(Path(__file__).parents[2] / "examples" / "fanal", tmp_path / "fanal")
    path = copy / "src" / "fanal" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    looked = paravent("--lang", "en", "check", ".", cwd=copy)
    assert looked.returncode == 1
    assert said in looked.stdout
    assert "Another secret cannot be told" in looked.stdout


def test_every_check_of_the_suite_is_called_by_words() -> None:
    assert [name for name in CHECKS if not house_words().knows(f"cli.checks.{name.replace(' ', '-')}")] == []


def test_every_lack_that_a_check_may_find_has_words_for_what_it_names() -> None:
    words = house_words()
    for file in ("conformance.py", "names.py", "secrets.py"):
        for call in ast.walk(ast.parse((SOURCE / "paravent" / "testing" / file).read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "lack":
                key = ast.literal_eval(call.args[0])
                given = {named.arg or "why" for named in call.keywords}
                for lang in LANGUAGES:
                    said = words.find(lang, f"lacks.{key}")
                    assert isinstance(said, str), key
                    assert {hole for _, hole, _, _ in Formatter().parse(said) if hole} == given, key


def test_what_a_game_lacks_is_said_in_words(game: Path) -> None:
    change(game, "text/fr.toml", 'missed = "C\'est manqué"\n', "")
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert looked.returncode == 1
    assert "✗ Both languages say the same things\n    only in English: outcomes.missed" in looked.stdout
    french = paravent("check", ".", cwd=game).stdout
    assert "✗ Les deux langues disent les mêmes choses\n    seulement en anglais\u00a0: outcomes.missed" in french
    facts = json.loads(paravent("check", ".", "--json", cwd=game).stdout)
    assert {one["check"] for one in facts["checks"] if one["problems"]} >= {
        "both-languages-say-the-same-keys-with-the-same-values", "every-move-has-an-example-that-plays"}


def test_the_words_of_an_end_that_want_figures_are_named(game: Path) -> None:
    for lang in ("fr", "en"):
        change(game, f"text/{lang}.toml", 'done = "', 'done = "{n} : ')
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert "    attempt: outcomes.done names an end, which has no figures" in looked.stdout


_GAUGES = 'gauges={"breath": "5"}'
MISSPELT = {
    "a secret part of a sheet": (
        "__init__.py", _GAUGES, _GAUGES + ', hidden={"braeth": GM_ONLY}',
        "kinds.character.hidden names “braeth”, which is not there; the nearest: breath"),
    "who may see it": (
        "__init__.py", _GAUGES, _GAUGES + ', hidden={"mind": only("ownr")}',
        "kinds.character.hidden.mind names “ownr”, which is not there; the nearest: owner"),
    "a gauge": (
        "__init__.py", _GAUGES, 'gauges={"breath": "luck"}', "kinds.character.gauges names “luck”, which is not there"),
    "a part of a section": (
        "__init__.py", '("body", "mind")', '("body", "mnid")',
        "kinds.character.sections.traits names “mnid”, which is not there; the nearest: mind"),
    "a secrecy": (
        "moves.py", 'secrecy="gm"', 'secrecy="secret"', "moves.attempt.difficulty.secrecy names “secret”"),
    "a role": (
        "moves.py", 'Field("trait", Score(Trait, 1, 4), rule', 'Field("trait", Score(Trait, 1, 4), "hero", rule',
        "moves.attempt.trait.role names “hero”, which is not there"),
    "a rule": (
        "moves.py", 'rules=("BRU-001", "BRU-002")', 'rules=("BRU-001", "BRU-009")',
        "moves.attempt.rules names “BRU-009”, which is not there"),
    "what is compared": ("moves.py", 'vary="trait"', 'vary="triat"', "moves.attempt.attempt.vary names “triat”"),
    "what is changed": (
        "moves.py", "or not result.winded:\n        return []", "or result.winded:\n        return []\n"
        '    return [Change(actor.id, "braeth", 1, 0)]', "attempt changes braeth of initiator, which has no such"),
    "a colour": (
        "__init__.py", "examples=EXAMPLES", 'look={"accent": "red"}, examples=EXAMPLES', "look: accent is “red”"),
    "a probe": (
        "moves.py", "probes=(7, 9, 11)", "probes=(7, 9, 21)",
        "attempt: difficulty does not accept 21, which it offers itself"),
    "an example": (
        "moves.py", '{"difficulty": 9}', '{"difficulty": 99}', "attempt: example 1 cannot be played. “Difficulty"),
    "a derived value": (
        "__init__.py", "check=check,", "check=check, derived=lambda person, rulings: {'luck': 1},",
        "no words for fields.luck.title"),
    "a glimpse": (
        "__init__.py", "check=check,", "check=check, glimpses=lambda person, rulings: [Glimpse('at.once', {})],",
        "no words for at.once"),
}


@pytest.mark.parametrize("what", MISSPELT)
def test_a_name_that_leads_nowhere_is_found(game: Path, what: str) -> None:
    file, old, new, said = MISSPELT[what]
    change(game, "__init__.py", "import RecordKind", "import GM_ONLY, Glimpse, only, RecordKind")
    change(game, file, old, new)
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert looked.returncode == 1
    assert looked.stdout.count(said) == 1, looked.stdout
    assert "Traceback" not in looked.stderr


def test_another_secret_may_be_yes_or_no_or_one_of_a_few_words(game: Path) -> None:
    change(game, "person.py", "    breath: int = 5",
           "    breath: int = 5\n    master: Trait = Trait.BODY\n    ill: bool = False")
    change(game, "__init__.py", "import RecordKind", "import GM_ONLY, RecordKind")
    change(game, "__init__.py", _GAUGES, _GAUGES + ', hidden={"master": GM_ONLY, "ill": GM_ONLY}')
    change(game, "moves.py", '[Telling(f"outcomes.{outcome(result)}")]',
           '[Telling(f"outcomes.{outcome(result)}", ctx.one().record and '
           '{"master": ctx.one().record.master, "ill": ctx.one().record.ill} or {})]')
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert "attempt: whether master is body or mind can be told" in looked.stdout
    assert "attempt: whether ill is False or True can be told" in looked.stdout


def test_a_rule_that_needs_a_sheet_says_how_to_give_one(game: Path) -> None:
    change(game, "moves.py", "ctx.score(ctx.one(), TRAIT)", "ctx.one().sheet(Person).body")
    refused = paravent("--lang", "en", "odds", "brume:SYSTEM", "attempt", "trait=2", cwd=game)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "needs a sheet. Give it with --sheet initiator=FILE or --sheet initiator=ready:ID." in refused.stderr


def test_a_secret_that_can_be_told_is_found(game: Path) -> None:
    asked = "    if difficulty > 9:\n        dice.choose('initiator', 'push', (0, 1))\n"
    change(game, "rules.py", "    dice.note(", f"{asked}    dice.note(")
    for lang, push in (("fr", "Pousser ?"), ("en", "Push?")):
        words = game / "src" / "brume" / "text" / f"{lang}.toml"
        words.write_text(words.read_text("utf-8") + f'\n[choices.push]\ntitle = "{push}"\n', "utf-8")
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert "✗ Another secret cannot be told" in looked.stdout
    assert "    attempt: whether difficulty is 7 or 11 can be told from what is seen" in looked.stdout


@pytest.mark.parametrize(("words", "said"), [
    (("new-game", "Brume-2"), "ne peut pas nommer un jeu"),
    (("new-game", "brume", "--into", ".."), "Il y a déjà quelque chose"),
    (("new-game", "brume2", "--into", "README.md"), "ne s'écrit pas\u00a0: il n'est pas dans un dossier"),
    (("check", "src"), "aucun jeu n'est nommé"),
    (("new-game", "class"), "est déjà pris"),
    (("new-game", "json"), "est déjà pris"),
    (("new-game", "conteur"), "est déjà pris"),
    (("check", "brume:NOWHERE"), "ne se charge pas"),
    (("odds", "brume:MOVES", "attempt"), "n'est pas un jeu (System)"),
    (("odds", "brume:SYSTEM", "attempt", "trait=3", "--encounter", "{}"), "--encounter n'y a pas sa place"),
])
def test_a_wrong_request_is_refused_in_a_sentence(game: Path, words: tuple[str, ...], said: str) -> None:
    refused = paravent(*words, cwd=game)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(("file", "old", "new", "said"), [
    ("rules.py", "total = low + high + trait", "total = low + high + trait.worth", "AttributeError"),
    ("moves.py", "ctx.score(ctx.one(), TRAIT)", "ctx.rulings.kinder", "kinder"),
    ("moves.py", "Score(Trait, 1, 4)", "Score(Trait, 1, lambda ctx: {}['most'])", "KeyError"),
    ("rules.py", '@rule("BRU-001", "BRU-002")\ndef attempt(dice: Dice, trait: int, difficulty: int)',
     '@rule("BRU-001", "BRU-002")\ndef attempt(dice: Dice, trait: int)', "takes 2 positional arguments but 3"),
])
def test_a_fault_in_a_game_s_code_is_told_with_file_and_line(
    game: Path, file: str, old: str, new: str, said: str
) -> None:
    line = change(game, file, old, new)
    asked = ("odds", "brume:SYSTEM", "attempt", "trait=3")
    told = paravent(*asked, cwd=game)
    assert told.returncode == 1
    assert f"{file}, ligne {line}" in told.stderr
    assert said in told.stderr
    error = json.loads(paravent("--lang", "en", *asked, "--json", cwd=game).stderr)["error"]
    assert error["code"].startswith("game/")
    assert f"{file}, line {line}" in error["message"]


def test_a_module_that_fails_when_it_is_loaded_says_where(game: Path) -> None:
    line = change(game, "person.py", "POINTS = 5", "POINTS = 5 / 0")
    refused = paravent("moves", "brume:SYSTEM", cwd=game)
    assert f"person.py:{line}" in refused.stderr


def test_an_example_without_a_kind_says_so(game: Path) -> None:
    change(game, "__init__.py", '    kinds={\n        "character": RecordKind(\n            "character",',
           '    kinds={\n        "person": RecordKind(\n            "person",')
    change(game, "moves.py", '{"initiator": "ada"}', '{"initiator": {"kind": "hero", "name": "Ada"}}')
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert "in that of “Attempt”, the sheet of “initiator” does not say of which kind it is (kind)" in looked.stdout
    assert "Kinds: person" in looked.stdout


def test_an_example_of_nobody_says_so_and_stops_no_other_check(game: Path) -> None:
    change(game, "moves.py", '{"initiator": "ada"}', '{"initiator": "zoe"}')
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert "in that of “Attempt”, the sheet “zoe” is nobody's. Ready-made sheets: ada, iko" in looked.stdout
    assert "✓ Both languages" in looked.stdout


def test_a_file_of_words_that_cannot_be_read_is_named(game: Path) -> None:
    change(game, "text/en.toml", 'missed = "Missed"', 'missed = "Missed')
    looked = paravent("--lang", "en", "check", ".", cwd=game)
    assert f"text{os.sep}en.toml cannot be read (Illegal character" in looked.stdout
    assert "_parser.py" not in looked.stdout


def test_a_game_is_looked_over_again_when_a_file_changes(game: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "paravent", "--lang", "en", "check", ".", "--watch"]
    with subprocess.Popen(command, cwd=game, env=env, stdout=subprocess.PIPE, text=True, encoding="utf-8") as watching:
        assert watching.stdout is not None
        try:
            assert _until(watching.stdout, "Waiting for a change").count("✗") == 0
            change(game, "text/en.toml", 'missed = "Missed"\n', "")
            assert "still lacks" in _until(watching.stdout, "Waiting for a change")
        finally:
            watching.kill()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_nobody_s_fault(game: Path, closed: str) -> None:
    command = f'"{sys.executable}" -m paravent odds brume:SYSTEM attempt trait=3 {closed}'
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(game / "src"), str(SOURCE)])}
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=game, env=env)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_name_that_nothing_has_is_refused_rather_than_watched(game: Path) -> None:
    refused = paravent("--lang", "en", "check", "nope", "--watch", cwd=game)
    assert refused.returncode == 2
    assert "“nope” is not a known game" in refused.stderr


def _until(lines: object, word: str) -> str:
    said, began = "", time.monotonic()
    for line in lines:  # type: ignore[attr-defined]
        said += line
        if word in line or time.monotonic() - began > 120:
            return said
    return said
