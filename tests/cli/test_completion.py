"""Shell completion: games, moves, fields, values, whatever the shell makes of the equals sign."""

import pytest

from .conftest import Run


@pytest.fixture
def bash(run: Run, monkeypatch: pytest.MonkeyPatch):
    def complete(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("_PARAVENT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        return run().out.split()

    return complete


@pytest.mark.parametrize(("line", "offered"), [
    ("paravent ro", ["roll"]),
    ("paravent roll ", ["toy"]),
    ("paravent roll toy s", ["swim"]),
    ("paravent roll toy try d", ["dice=", "difficulty="]),
    ("paravent roll toy try attribute =", ["might", "wit"]),
    ("paravent roll toy try attribute = m", ["might"]),
    ("paravent roll toy try dice = 3 car", ["careful="]),
    ("paravent roll toy try careful = ", ["false", "true"]),
    ("paravent roll toy duel opponent.", ["opponent.answer="]),
    ("paravent rules toy TOY-00", ["TOY-001", "TOY-002", "TOY-003", "TOY-004"]),
    ("paravent tables toy ", ["depths"]),
    ("paravent create toy --ready ", ["ana", "zoe"]),
    ("paravent create toy --kind d", ["diver"]),
    ("paravent roll toy try --option ", ["clash=on", "clash=off"]),
    ("paravent odds toy try --policy a", ["always"]),
    ("paravent odds toy try --sheet initiator=ready:a", ["initiator=ready:ana"]),
    ("paravent systems --j", ["--json"]),
    ("paravent --lang ", ["fr", "en"]),
    ("paravent roll nowhere ", []),
    ("paravent roll toy nothing ", []),
])
def test_bash_is_offered(bash, line: str, offered: list[str]) -> None:
    assert bash(line) == offered


def test_a_shell_that_keeps_words_whole_is_offered_whole_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PARAVENT_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "paravent roll toy duel opponent2.answer=h")
    assert '"opponent2.answer=high":"haute"' in run().out


def test_the_script_can_be_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PARAVENT_COMPLETE", "source_bash")
    assert "_paravent_completion()" in run().out
