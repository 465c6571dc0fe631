"""What cannot be done is said in one sentence, with the nearest names and exit code 2; never a traceback."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run

Refused = Callable[..., str]
LONG = "a" * 5000
TRY = ("roll", "toy", "try", "attribute=4")


@pytest.mark.parametrize(("words", "named"), [
    (("sytems",), "systems"),
    (("moves", "toi"), "toy"),
    (("roll", "toy", "tri"), "try"),
    (("odds", "toy", "try", "atribute=4"), "attribute"),
    (("roll", "toy", "try", "attribute=mihgt"), "might"),
    (("roll", "toy", "duel", "stance=hihg"), "high"),
    (("roll", "toy", "duel", "oponent.answer=low"), "opponent"),
    (("roll", "toy", "duel", "opponent.stance=low"), "opponent.answer"),
    (("rules", "toy", "TOY-01"), "TOY-001"),
    (("tables", "toy", "depth"), "depths"),
    ((*TRY, "--option", "clas=on"), "clash"),
    ((*TRY, "--option", "clash=of"), "off"),
    (("odds", "toy", "try", "attribute=4", "--policy", "alway"), "always"),
    (("create", "toy", "--ready", "anna"), "ana"),
    (("create", "toy", "--kind", "divr"), "diver"),
    ((*TRY, "--sheet", "initiator=ready:zoé"), "zoe"),
    ((*TRY, "--jsom"), "--json"),
    (("systems", "--lang", "fe"), "fr"),
], ids=lambda words: " ".join(words)[:60] if isinstance(words, tuple) else None)
def test_an_unknown_name_is_refused_with_the_nearest(refused: Refused, words: tuple[str, ...], named: str) -> None:
    assert named in refused(*words)


@pytest.mark.parametrize(("words", "said"), [
    (("roll", "toy", "try"), "Il manque « attribut (attribute) »."),
    (("roll", "toy"), "Il manque « MOVE »."),
    (("moves",), "Il manque « SYSTEM »."),
    ((*TRY, "dice=9"), "« dés (dice) » : 9 est hors limites (1 … 5)."),
    ((*TRY, "dice=x"), "« dés (dice) » : « x » ne convient pas, il faut un nombre entier."),
    ((*TRY, "--day", "-5"), "« --day » : −5 est hors limites (≥ 0)."),
    (("odds", "../../toy", "try"), "« ../../toy » n'est pas connu comme jeu."),
    (("roll", "toy", "try", "attribute=4", "--sheet", "initiator"), "« initiator » ne se lit pas"),
    (("create", "toy", "--seed", "x", "--count", "-1", "--into", "out"), "−1 est hors limites (≥ 1)"),
    (("serve", "--port", "99999999"), "est hors limites (0 … 65535)"),
    (("serve", "--port", "x"), "il faut un nombre entier"),
    ((*TRY, "careful=maybe"), "il faut oui ou non"),
    ((*TRY, "attribute=3"), "est donné deux fois"),
    ((*TRY, "bare"), "« bare » ne se lit pas : il faut field=value."),
    (("roll", "toy", "try", "attribute=might"), "se lit sur une fiche"),
    (("roll", "toy", "duel", "opponent4.answer=low"), "4 est hors limites (1 … 3)"),
    ((*TRY, "--dice", "1,2"), "Il manque des dés : il en faut 3 (d6), il en reste 2."),
    ((*TRY, "--dice", "1,2,3,4"), "Des dés sont de trop : 4."),
    ((*TRY, "--dice", "1,2,7"), "Un d6 ne montre pas 7."),
    ((*TRY, "--dice", "1,two,3"), "« two » ne convient pas"),
    ((*TRY, "--dice", "1", "--seed", "2"), "--seed et --dice ne vont pas ensemble."),
    ((*TRY, "--seed"), "Il manque « --seed »."),
    ((*TRY, "--day", "soon"), "« --day » : « soon » ne convient pas"),
    ((*TRY, "--dice", "6,6,6", "--answers", "reroll=all"), "« all » n'est pas un choix possible. Choix : rien, échec."),
    ((*TRY, "--dice", "6,6,6", "--answers", '{"dice": [9]}'), "n'est pas un choix possible"),
    ((*TRY, "--answers", "reroll"), "il faut choice=answer"),
    ((*TRY, "--sheet", "initiator"), "il faut role=sheet.json"),
    ((*TRY, "--sheet", "initiator=/nowhere/x.json"), "ne se lit pas : il n'existe pas."),
    ((*TRY, "--sheet", "initiator=/"), "c'est un dossier"),
    ((*TRY, "--form", "{x"), "n'est pas du JSON valable (ligne 1, colonne 2)"),
    ((*TRY, "--form", f'{{"gm": {"9" * 5000}}}'), "n'est pas du JSON valable"),
    ((*TRY, "--form", "[" * 100_000), "n'est pas du JSON valable"),
    ((*TRY, "--form", "[1]"), "la forme attendue est {role: [{field: value}]}"),
    ((*TRY, "--form", '{"gm": 3}'), "la forme attendue est [{field: value}]"),
    (("roll", "toy", "try", "attribute={x"), "n'est pas du JSON valable"),
    (("roll", "toy", "swim"), "donnez son état par --encounter"),
    (("roll", "toy", "swim", "--encounter", '{"meters": 3}'), "metres"),
    (("odds", "toy", "swim", "--encounter", "[1]"), "il faut des valeurs nommées"),
    (("create", "toy", "--kind", "current"), "ne se tire pas au hasard"),
    (("create", "toy", "--ready", "ana", "--seed", "1"), "ne vont pas ensemble"),
    (("systems", "--lang", "-1"), "langue"),
    (("check", f"{LONG}/game"), "n'est pas connu comme jeu"),
    (("backup", LONG), "ne se lit pas"),
    (("new-game", "brume", "--into", __file__), "il n'est pas dans un dossier"),
    (("systems", "x"), "De trop sur la ligne de commande : x."),
], ids=lambda words: " ".join(words)[:60] if isinstance(words, tuple) else None)
def test_a_refusal_says_what_was_expected(refused: Refused, words: tuple[str, ...], said: str) -> None:
    assert said in refused(*words)


def test_a_sheet_that_breaks_the_rules_is_refused_with_the_rule(refused: Refused, tmp_path: Path) -> None:
    file = tmp_path / "giant.json"
    file.write_text(json.dumps({"name": "Goliath", "might": 12}), "utf-8")
    assert "une force de 12 dépasse 9 [TOY-001]" in refused(*TRY, "--sheet", f"initiator={file}")
    file.write_text(json.dumps({"name": "Goliath", "mihgt": 2}), "utf-8")
    assert "might" in refused(*TRY, "--sheet", f"initiator={file}")
    file.write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused(*TRY, "--sheet", f"initiator={file}")
    file.write_text(json.dumps({"system": "other", "kind": "diver", "record": {}}), "utf-8")
    assert "toy" in refused(*TRY, "--sheet", f"initiator={file}")


@pytest.mark.parametrize(("written", "said"), [
    (b"not toml ][", "ne se lit pas comme un fichier TOML"),
    (b"\xff\xfe", "UTF-8"),
    (b"project = 3", "aucun jeu n'est nommé"),
    (b"[project]\nentry-points = 3", "aucun jeu n'est nommé"),
    (b'[project.entry-points]\n"paravent.systems" = 4', "aucun jeu n'est nommé"),
    (b'[project.entry-points."paravent.systems"]\ngame = 3', "aucun jeu n'est nommé"),
    (b'[project.entry-points."paravent.systems"]\ngame = "a b:::"', "ne se charge pas"),
])
def test_a_project_that_names_no_game_says_so(refused: Refused, tmp_path: Path, written: bytes, said: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(written)
    assert said in refused("check", str(tmp_path))


def test_refusals_speak_english_when_asked(refused: Refused) -> None:
    assert refused("roll", "toy", "tri", "--lang", "en") == "“tri” is not a known move. Nearest: try."


def test_where_there_is_nothing_to_choose_from_that_is_said(refused: Refused) -> None:
    said = refused("leaf", "toy", "nope")
    assert said.replace("\u00a0", " ") == "« nope » n'est pas connu comme page, et il n'y en a pas d'autre à proposer."
    said = refused("leaf", "toy", "nope", "--lang", "en")
    assert said == "“nope” is not a known page, and there is no other to offer."


def test_with_json_a_refusal_is_json_too(run: Run) -> None:
    said = run("roll", "toy", "tri", "--json")
    assert (said.code, said.out) == (2, "")
    assert json.loads(said.err) == {"error": {
        "code": "form/unknown", "near": ["try"],
        "message": "«\u00a0tri\u00a0» n'est pas connu comme action. Les plus proches\u00a0: try.",
    }}


def test_a_fault_of_ours_is_one_sentence_unless_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from paravent.cli import facts

    def broken(lang: str) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(facts, "systems", broken)
    said = run("systems")
    assert said.code == 1
    assert "ZeroDivisionError" in said.err
    assert said.err.count("\n") == 1
    monkeypatch.setenv("PARAVENT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("systems")


def test_an_interruption_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from paravent.cli import facts

    def interrupted(lang: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(facts, "systems", interrupted)
    said = run("systems")
    assert said.code == 130
    assert said.err.strip() == ""


def test_a_reader_that_leaves_early_is_no_error() -> None:
    here = str(Path(__file__).parent)
    program = f"import sys; sys.path.insert(0, {here!r})\nimport conftest\nfrom paravent.game import system\n" \
        "system._found = lambda: {'toy': conftest.Point('toy')}\nfrom paravent.cli import main\n" \
        "sys.exit(main(['roll', 'toy', 'try', 'attribute=4', '--json']))"
    shell = f'{{ "{sys.executable}" -c "$PROGRAM"; echo "code $?" >&2; }} | true'
    here_too = {"PROGRAM": program, "PATH": "/usr/bin:/bin", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    ran = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, env=here_too)
    assert "Traceback" not in ran.stderr
    assert "Error" not in ran.stderr
