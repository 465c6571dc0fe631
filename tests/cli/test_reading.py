"""Systems, moves, rules, tables, options, advice: what there is, in both languages and as JSON."""

import pytest

from .conftest import Point, Run

KEYS = {
    ("systems",): {"systems", "broken"},
    ("moves", "toy"): {"system", "moves"},
    ("moves", "toy", "try"): {
        "system", "id", "title", "help", "by", "encounter", "group", "rules", "cast", "fields", "policies", "vary",
        "forecast",
    },
    ("rules", "toy"): {"system", "source", "rules"},
    ("rules", "toy", "TOY-001"): {"system", "id", "kind", "title", "text", "source", "option", "rulings"},
    ("tables", "toy"): {"system", "tables"},
    ("tables", "toy", "depths"): {"system", "name", "title", "rules", "columns", "rows", "source", "words"},
    ("options", "toy"): {"system", "options"},
    ("advice", "toy"): {"system", "advice", "first_evening"},
}


@pytest.mark.parametrize("words", KEYS, ids=" ".join)
def test_the_keys_of_an_answer_are_steady(run: Run, words: tuple[str, ...]) -> None:
    said = run(*words, "--json")
    assert (said.code, said.err) == (0, "")
    assert set(said.json) == KEYS[words]


@pytest.mark.parametrize("words", KEYS, ids=" ".join)
@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("columns", ["80", "46"])
def test_every_answer_fits_the_terminal(
    run: Run, words: tuple[str, ...], lang: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = run(*words, "--lang", lang)
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= int(columns)


def test_the_games_are_listed_with_their_notice(run: Run) -> None:
    said = run("systems")
    assert "Plongeurs" in said.out
    assert "Un jeu pour essayer." in said.out
    assert "5 actions, version 1.0" in said.out


def test_a_game_that_cannot_be_loaded_hides_no_other(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from paravent.game import system as installed

    monkeypatch.setattr(installed, "_found", lambda: {"broken": Point("broken"), "toy": Point("toy")})
    said = run("systems")
    assert said.code == 0
    assert "Plongeurs" in said.out
    assert "no module named tides" in said.out
    [broken] = run("systems", "--json").json["broken"]
    assert broken["id"] == "broken"
    assert broken["why"].startswith("ImportError: no module named tides — ")  # and where, for its author
    refused = run("moves", "broken")
    assert refused.code == 2
    assert "broken" in refused.err


def test_the_language_comes_from_the_option_then_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Divers" in run("systems", "--lang", "en").out
    assert "Divers" in run("--lang", "en", "systems").out
    assert "Divers" in run("systems", "--lang=en").out
    monkeypatch.setenv("PARAVENT_LANG", "en_GB.UTF-8")
    assert "Divers" in run("systems").out
    assert "Plongeurs" in run("systems", "--lang", "fr").out
    assert "List the games" in run("--help").out


def test_a_move_says_what_it_asks_of_whom(run: Run) -> None:
    said = run("moves", "toy", "try")
    for words in ("attribut", "à remplir", "de 1 à 5", "sinon : 3", "pour le meneur seul", "usual, best, always"):
        assert words in said.out.replace("\u00a0", " ")
    fields = {one["id"]: one for one in run("moves", "toy", "duel", "--json").json["fields"]}
    assert fields["pulled"]["after_result"] is True
    assert fields["answer"]["secrecy"] == "sealed"
    assert fields["answer"]["accepts"] == {
        "type": "one-of", "options": ["high", "low"], "place": "essential"}
    assert set(fields["answer"]) == {
        "id", "title", "help", "role", "accepts", "accepts_words", "required", "default", "secrecy", "step",
        "after_result", "rule",
    }


def test_a_rule_is_found_whatever_the_case_with_its_reading(run: Run) -> None:
    said = run("rules", "toy", "toy-001")
    for words in ("Essayer", "Notre lecture (R-01)", "Il réussit.", "option clash", "page 1"):
        assert words in said.out


def test_a_table_keeps_its_rows_and_columns(run: Run) -> None:
    assert run("tables", "toy", "depths", "--json").json["rows"] == [[0, 10, "clear"], [11, "", "dark"]]
    assert "claire" in run("tables", "toy", "depths").out


def test_options_mark_the_usual_value(run: Run) -> None:
    said = run("options", "toy")
    assert "● on" in said.out
    assert "○ off" in said.out


def test_help_is_in_the_language_asked_for(run: Run) -> None:
    for lang, usage in (("fr", "Usage :"), ("en", "Usage:")):
        said = run("roll", "--help", "--lang", lang)
        assert said.code == 0
        assert usage in said.out.replace("\u00a0", " ")
        assert "--answers" in said.out
    assert "Show this message" not in run("--help").out
    assert "Commandes" in run().out


def test_the_version_is_given(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.2.3")
    said = run("--version")
    assert said.code == 0
    assert said.out == "1.2.3\n"


def test_no_line_begins_with_a_mark_that_belongs_to_the_line_before(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in range(30, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        for words in (("rules", "toy", "TOY-001"), ("roll", "--help")):
            lines = [line.strip() for line in run(*words).out.splitlines()]
            assert [line for line in lines if line[:1] in tuple(";:!?»")] == []
