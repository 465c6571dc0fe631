"""Odds, roll and create: forms, sheets, answers, encounters."""

import json
import re
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from paravent.cli import facts, series

from .conftest import Run

ROLL_KEYS = {
    "system", "move", "title", "form", "options", "seed", "outcome", "words", "success", "tellings", "steps", "changes",
    "usual_answers", "unused_answers", "sheets", "encounter", "opens", "follows",
}
STEP_KEYS = {
    "step", "dice", "outcome", "words", "success", "result", "why", "answers", "seen_by", "record", "tellings",
}
ODDS_KEYS = {
    "system", "move", "title", "policy", "policy_words", "form", "options", "step", "success", "outcomes", "means",
    "compare", "then", "forecast",
}


def test_odds_are_exact_fractions_and_floats(run: Run) -> None:
    said = run("odds", "toy", "try", "attribute=4", "dice=2", "--json").json
    assert set(said) == ODDS_KEYS
    assert said["success"] == {"chance": "3/4", "probability": 0.75}
    assert said["outcomes"][0] == {"key": "passed", "words": "réussi", "chance": "3/4", "probability": 0.75}
    assert sum(Fraction(one["chance"]) for one in said["outcomes"]) == 1
    assert said["means"] == [{"key": "successes", "words": "réussites", "fraction": "1", "value": 1.0}]


def test_odds_compare_the_field_worth_varying(run: Run) -> None:
    said = run("odds", "toy", "try", "attribute=4", "--json").json["compare"]
    assert said["field"] == "dice"
    assert [row["success"]["chance"] for row in said["rows"]] == ["1/2", "3/4", "7/8", "15/16", "31/32"]


def test_a_policy_answers_the_choices(run: Run) -> None:
    said = {policy: run("odds", "toy", "try", "attribute=4", "dice=1", "--policy", policy, "--json").json
            for policy in ("usual", "best", "always")}
    chances = {policy: one["success"]["chance"] for policy, one in said.items()}
    assert chances == {"usual": "1/2", "best": "3/4", "always": "3/4"}


def test_a_later_rule_is_weighed_on_every_result_of_the_first(run: Run) -> None:
    said = run("odds", "toy", "duel", "--json").json
    assert [one["step"] for one in said["then"]] == ["blow"]
    assert said["then"][0]["reached"] == said["success"]
    assert sum(Fraction(one["chance"]) for one in said["then"][0]["outcomes"]) == 1


def test_something_that_lasts_has_a_forecast(run: Run) -> None:
    said = run("odds", "toy", "swim", "--encounter", '{"metres": 6}', "--json").json["forecast"]
    assert {one["key"]: one["chance"] for one in said["outcomes"]} == {"surfaced": "8/9", "drowned": "1/9"}
    assert said["lines"] == ["Il reste 6 mètres au plus."]


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("columns", ["80", "50"])
def test_odds_read_well_and_never_show_code(run: Run, lang: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for words in (("try", "attribute=4"), ("duel",), ("swim", "--encounter", '{"metres": 6}')):
        said = run("odds", "toy", *words, "--lang", lang)
        assert said.code == 0
        assert not any(code in said.out for code in ("Tried(", "Struck(", "Race(", "Fraction", "outcomes.", "{"))
        assert max(map(len, said.out.splitlines())) <= int(columns)
    assert ("87,5\u00a0%" if lang == "fr" else "87.5%") in run("odds", "toy", "try", "attribute=4", "--lang", lang).out


def test_a_roll_shows_dice_result_changes_and_explanation(run: Run) -> None:
    said = run("roll", "toy", "try", "attribute=might", "difficulty=2", "--sheet", "initiator=ready:ana",
               "--dice", "4,5,6,1", "--answers", "reroll=failure")
    assert said.code == 0
    shown = said.out.replace("\u00a0", " ")
    for words in ("Ana  3d6  4  5  6", "Ana  1d6  1", "manqué", "1 réussite.", "Il en fallait 2.  [meneur]",
                  "Ana, souffle  5 → 4  TOY-001", "TOY-002  Un échec relancé : 1 de plus."):
        assert words in shown


def test_the_keys_of_a_roll_are_steady(run: Run) -> None:
    said = run("roll", "toy", "try", "attribute=4", "--dice", "1,2,3", "--json").json
    assert set(said) == ROLL_KEYS
    assert set(said["steps"][0]) == STEP_KEYS
    assert said["form"] == {"initiator": [{"attribute": 4}]}
    assert said["steps"][0]["result"] == {"successes": 3, "passed": True}
    assert said["steps"][0]["dice"] == [
        {"role": "initiator", "role_words": "celui qui agit", "sides": 6, "faces": [1, 2, 3], "by_hand": False}
    ]
    assert said["success"] is True


def test_the_same_seed_gives_the_same_roll(run: Run) -> None:
    first, again, other = (run("roll", "toy", "try", "attribute=4", "--seed", seed, "--json").json for seed in "112")
    assert first == again
    assert first["seed"] == "1"
    assert first["steps"] != other["steps"]


def test_a_choice_without_answer_takes_the_usual_one_and_says_so(run: Run) -> None:
    said = run("roll", "toy", "try", "attribute=4", "--dice", "1,2,6")
    assert "Choix usuel, faute de réponse" in said.out
    assert run("roll", "toy", "try", "attribute=4", "--dice", "1,2,6", "--json").json["usual_answers"] == [
        {"who": "initiator", "key": "reroll", "question": "Relancer un échec\u00a0?", "answer": [], "words": "rien"}
    ]


@pytest.mark.parametrize("answers", [
    '["failure"]', '[["failure"]]', '[{"dice": [3]}]', '{"dice": [3]}', '{"reroll": ["failure"]}', "reroll=failure",
    "reroll=échec", 'reroll={"dice":[3]}',
])
def test_answers_come_in_order_by_key_or_by_dice(run: Run, answers: str) -> None:
    said = run("roll", "toy", "try", "attribute=4", "--dice", "1,2,6,3", "--answers", answers, "--json").json
    assert said["steps"][0]["result"]["successes"] == 3
    assert said["usual_answers"] == []


def test_an_answer_that_nobody_asked_for_is_said(run: Run) -> None:
    said = run("roll", "toy", "try", "attribute=4", "--dice", "1,2,3", "--answers", "rerol=failure")
    assert "Réponse jamais demandée\u00a0: rerol." in said.out


def test_a_terminal_is_asked_for_its_choices(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    class Screen:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Screen())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    answers = iter(["what", "2"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    said = run("roll", "toy", "try", "attribute=4", "--dice", "1,2,6,3")
    assert "3 réussites." in said.out
    assert "Choix usuel" not in said.out
    assert said.out.replace("\u00a0", " ").startswith("celui qui agit, 3d6 : 1, 2, 6\n")
    answers = iter(["d3"])
    assert "3 réussites." in run("roll", "toy", "try", "attribute=4", "--dice", "1,2,6,3").out


def test_several_actors_are_numbered_and_lists_repeat_the_key(run: Run) -> None:
    said = run("roll", "toy", "duel", "stance=low", "opponent.answer=low", "opponent2.answer=high",
               "--dice", "6,6,1,1,1,1,2", "--json").json
    assert said["form"] == {"initiator": [{"stance": "low"}], "opponent": [{"answer": "low"}, {"answer": "high"}]}
    tools = run("roll", "toy", "try", "attribute=4", "tools=rope", "tools=lamp", "--seed", "1", "--json").json["form"]
    assert tools["initiator"][0]["tools"] == ["rope", "lamp"]
    tools = run("roll", "toy", "try", "attribute=4", 'tools=["rope","lamp"]', "--seed", "1", "--json").json["form"]
    assert tools["initiator"][0]["tools"] == ["rope", "lamp"]


def test_a_field_asked_after_the_result_is_read_once_it_is_known(run: Run) -> None:
    won = ("roll", "toy", "duel", "--sheet", "opponent=ready:zoe", "--json", "--dice")
    said = run(*won, "6,6,1,1,2", "pulled=4").json
    assert [step["outcome"] for step in said["steps"]] == ["won", "hurt"]
    assert said["changes"][0]["after"] == 6 - (2 + 8 // 2)
    assert said["sheets"]["opponent"]["record"]["breath"] == 0
    refused = run(*won, "6,6,1,1,2", "pulled=13")
    assert refused.code == 2
    assert json.loads(refused.err)["error"]["code"] == "form/out-of-range"


def test_a_form_comes_from_a_file_or_the_standard_input(run: Run, tmp_path: Path) -> None:
    form = {"initiator": {"attribute": 4, "dice": 2}, "gm": [{"difficulty": 2}]}
    (tmp_path / "form.json").write_text(json.dumps(form), "utf-8")
    said = run("roll", "toy", "try", "--form", str(tmp_path / "form.json"), "dice=1", "--dice", "1", "--json").json
    assert said["form"] == {"initiator": [{"attribute": 4, "dice": 1}], "gm": [{"difficulty": 2}]}
    said = run("roll", "toy", "try", "--form", "-", "--dice", "1,1", "--json", typed=json.dumps(form)).json
    assert said["success"] is True


def test_what_create_prints_is_what_sheet_reads(run: Run, tmp_path: Path) -> None:
    made = run("create", "toy", "--seed", "3", "--json")
    assert set(made.json) == {"system", "kind", "version", "seed", "record", "derived", "warnings"}
    file = tmp_path / "nadia.json"
    file.write_text(made.out, "utf-8")
    sheet = ("attribute=might", "--sheet", f"initiator={file}")
    said = run("roll", "toy", "try", *sheet, "--dice", "6,6,6", "--json").json
    assert said["sheets"]["initiator"]["record"]["breath"] == made.json["record"]["breath"] - 1
    file.write_text(json.dumps(said["sheets"]["initiator"]), "utf-8")
    assert run("odds", "toy", "try", "attribute=wit", "--sheet", f"initiator={file}").code == 0
    assert run("roll", "toy", "watch", "force=1", f"guest=@{file}", "--seed", "1", "--json").json["form"]["gm"][0][
        "guest"]["name"] == "Nadia"


def test_characters_are_drawn_or_ready_made(run: Run) -> None:
    assert run("create", "toy", "--seed", "3").out == run("create", "toy", "--seed", "3").out
    assert "Nadia" in run("create", "toy").out
    ana = run("create", "toy", "--ready", "ana").out
    assert "outils  corde, lampe" in ana
    assert "souffle  5 / 6" in ana
    assert "ana" in run("create", "toy", "--list").out


def test_an_encounter_goes_from_one_command_to_the_next(run: Run) -> None:
    opened = run("roll", "toy", "dive", "metres=4", "--json").json["opens"][0]
    assert opened["encounter"] == "race"
    swum = run("roll", "toy", "swim", "--encounter", json.dumps(opened), "--dice", "3", "--json").json
    assert swum["encounter"] == {
        "encounter": "race", "state": {"metres": 1, "lost": 0, "trap": "a net at two metres"}, "over": False,
    }
    said = run("roll", "toy", "swim", "--encounter", json.dumps(swum["encounter"]), "--dice", "2")
    assert "rencontre, mètres  1 → 0" in said.out
    assert "C'est fini\u00a0: descente." in said.out


def test_an_option_of_the_table_changes_the_odds(run: Run) -> None:
    usual, other = (run("odds", "toy", "duel", *words, "--json").json["success"]["chance"]
                    for words in ((), ("--option", "clash=off")))
    assert Fraction(usual) < Fraction(other)


def test_text_may_begin_like_json(run: Run) -> None:
    said = run("roll", "toy", "watch", "force=1", "remark=[so]", "--seed", "1", "--json").json
    assert said["form"]["gm"][0]["remark"] == "[so]"


def test_a_series_is_stopped_and_taken_up_where_it_was(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "crew.jsonl"
    asked = ("create", "toy", "--seed", "crew", "--into", str(file))
    assert "3 fiches" in run(*asked, "--count", "3").err
    whole = file.read_bytes()
    assert json.loads(whole.splitlines()[1]) == run("create", "toy", "--seed", "crew-2", "--json").json
    file.write_bytes(whole[:-20])  # the third was cut short
    run(*asked, "--count", "4")
    assert file.read_bytes().startswith(whole)
    assert len(file.read_bytes().splitlines()) == 4
    assert "4 fiches" in run(*asked, "--count", "2").err  # that is what is in the file


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_a_series_stopped_by_hand_says_how_far_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    file, made = tmp_path / "crew.jsonl", []
    real = facts.record

    def tired(*args: Any) -> Any:
        if len(made) == cut:
            raise KeyboardInterrupt
        made.append(args)
        return real(*args)

    monkeypatch.setattr(facts, "record", tired)
    said = run("create", "toy", "--seed", "crew", "--count", "5", "--into", str(file))
    assert (said.code, f"{cut} sur 5" in said.err) == (130, True)
    monkeypatch.setattr(facts, "record", real)
    run("create", "toy", "--seed", "crew", "--count", "5", "--into", str(file))
    assert [json.loads(line)["seed"] for line in file.read_text("utf-8").splitlines()] == [
        f"crew-{n}" for n in range(1, 6)]


def test_a_series_taken_up_again_shows_how_far_it_is_to_whoever_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert list(series._shown(range(3, 6), 5, "Création")) == [3, 4, 5]
    shown = re.sub(r"\x1b\[[\d?;]*[a-zA-Z]", "", screen.getvalue())
    assert "Création" in shown
    assert shown.index("2/5") < shown.index("5/5")


def test_a_series_never_goes_on_in_the_file_of_another(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("to buy: bread\n", "utf-8")
    said = run("create", "toy", "--seed", "crew", "--count", "2", "--into", str(file))
    assert said.code == 2
    assert "crew-1" in said.err
    assert file.read_text("utf-8") == "to buy: bread\n"
    assert run("create", "toy", "--count", "2").code == 2
