"""An evening in the terminal: one screen from hand to hand, and nobody reads another's secrets."""

import re

import pytest

from paravent.game import system as installed

from .conftest import REALLY_FOUND, Run

SETUP = ["Meg", "Bob, Léa", "Sam", "ana", "zoe"]


def played(run: Run, *lines: str, words: tuple[str, ...] = ("play", "toy")) -> str:
    said = run(*words, typed="\n".join(lines) + "\n")
    assert said.code == 0, said
    assert said.err == ""
    assert said.out.strip().splitlines()[-1] in ("À bientôt.", "See you soon.")
    return said.out.replace("\u00a0", " ")


def screens(shown: str) -> list[tuple[str, str]]:
    """What each seat had before its eyes, in order, from one handing over to the next."""
    parts = re.split(r"═{20,}\nPassez l'écran à (\w+)\. \w+, appuyez sur Entrée > \n═{20,}\n", shown)
    return [("Meg", parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]


def read_by(shown: str, seat: str) -> str:
    return "\n".join(text for name, text in screens(shown) if name == seat)


def test_a_whole_scene_with_a_hidden_difficulty(run: Run) -> None:
    shown = played(
        run, *SETUP,
        "pass", "Bob", "", "move", "try",                   # Bob announces…
        "might", "2", "", "rope, lamp",
        "", "3",                                            # … Meg sets a difficulty of 3, which Bob may not know
        "", "type", "5,6",                                  # … Bob throws real dice
        "d2", "4",                                          # … takes up his second die and misses again
        "", "1=3",                                          # … Meg amends the change
        "", "sheets", "Ana", "log",                         # … and Bob reads his sheet and what was told
        "quit",
    )
    order = [seat for seat, _ in screens(shown)]
    assert order == ["Meg", "Bob", "Meg", "Bob", "Meg", "Bob"]
    bob, meg = read_by(shown, "Bob"), read_by(shown, "Meg")
    assert "difficulté (de 0 à 6) [1] > 3" in meg
    assert "Si « difficulté » vaut 1" in bob
    assert "Si « difficulté » vaut 2" in bob
    assert "vaut 3" not in bob
    assert "Il en fallait 3" not in bob
    assert "Il en fallait 3." in meg
    assert "Sur la table : d1: 5   d2: 6" in bob
    assert "manqué" in bob
    assert "0 réussite." in bob
    assert "TOY-001  Sur 2 dés, 0 de 1 à 3." in bob
    assert "Ana, souffle  5 → 4" in meg
    assert "souffle  3 / 6" in bob


def test_sealed_choices_stay_sealed_until_all_are_in(run: Run) -> None:
    shown = played(
        run, *SETUP,
        "pass", "Bob", "", "move", "duel", "Zoé",
        "low",                                              # Bob seals his stance
        "", "high",                                         # Léa answers without having seen it
        "", "agree",                                        # Meg approves the duel
        "", "throw", "quit",
        words=("play", "toy", "--seed", "5"),
    )
    léa = read_by(shown, "Léa")
    assert "parade (scellé)" in léa
    assert "> low" not in léa
    assert "basse" not in léa.partition("> high")[0].rpartition("1  haute")[0]
    assert "posture  basse" in read_by(shown, "Bob")


def test_another_player_s_secret_and_a_secret_throw_are_not_shown(run: Run) -> None:
    shown = played(
        run, *SETUP,
        "move", "watch", "2", "the eel is here", "", "throw",   # Meg throws in secret
        "pass", "Léa", "", "sheets", "Ana", "log",              # Léa reads Ana's sheet and the account
        "pass", "Sam", "", "log", "pass", "Bob", "", "sheets", "Ana", "quit",
    )
    for seat in ("Léa", "Sam"):
        assert "cannot swim" not in read_by(shown, seat)
        assert "Quelque chose bouge" not in read_by(shown, seat)
        assert "eel" not in read_by(shown, seat)
        assert "Rien ne s'est encore passé." in read_by(shown, seat)
    assert "cannot swim" in read_by(shown, "Bob")
    assert "Quelque chose bouge" in read_by(shown, "Meg")


def test_an_encounter_opens_goes_on_and_is_undone(run: Run) -> None:
    shown = played(
        run, *SETUP,
        "move", "dive", "6", "throw",
        "encounters",
        "pass", "Bob", "", "encounters", "move", "swim", "throw",
        "", "", "",                                         # Meg accepts the new state, the screen goes back to Bob
        "pass", "Meg", "", "undo", "", "encounters", "quit",
        words=("play", "toy", "--seed", "2"),
    )
    assert "a net at two metres" in read_by(shown, "Meg")
    assert "a net at two metres" not in read_by(shown, "Bob")
    assert "mètres           6" in read_by(shown, "Meg").rpartition("C'est défait")[2]


def test_going_back_takes_the_move_back_before_any_dice(run: Run) -> None:
    shown = played(run, "", "", "", "move", "try", "4", "<", "move", "try", "4", "", "", "", "", "withdraw", "quit")
    assert shown.count("L'action est retirée ; rien n'a été lancé.") == 2


def test_help_on_a_field_and_what_cannot_be_read(run: Run) -> None:
    shown = played(run, "", "", "", "move", "try", "?", "", "strong", "4", "12", "2", "", "", "", "throw", "", "quit",
                   words=("play", "toy", "--seed", "1"))
    assert "Un nombre, ou le nom d'une valeur de la fiche." in shown
    assert "Il manque « attribut (attribute) »." in shown
    assert "« strong » n'est pas connu" in shown
    assert "12 est hors limites" in shown
    assert "Réussite" in shown


def test_a_question_mark_is_answered_with_help_wherever_one_is_asked(run: Run) -> None:
    shown = played(run, "?", "Meg", "?", "Bob", "?", "", "?", "1", "?", "pass", "Bob", "", "move", "?", "try",
                   "4", "1", "", "", "", "", "", "?", "throw", "?", "1", "", "quit",
                   words=("play", "toy", "--seed", "1"))
    assert "— Meg —" in shown
    assert "« ? »" not in shown
    assert "Il faut un numéro" not in shown
    assert shown.count("Tapez votre réponse, puis Entrée") == 3
    assert shown.count("Tapez un numéro de 1 à") == 5
    assert shown.count("Tenter quelque chose sous l'eau.") == 2, "among the actions when asked, and once it is chosen"


def test_a_field_is_changed_and_other_odds_are_seen_before_the_throw(run: Run) -> None:
    shown = played(run, "", "", "", "move", "try", "4", "1", "", "", "1", "best", "change", "dice", "2", "throw", "",
                   "quit", words=("play", "toy", "--seed", "1"))
    assert "Réussite 50,0 %" in shown
    assert shown.count("Réussite 75,0 %") == 2


def test_alone_without_a_sheet(run: Run) -> None:
    shown = played(run, "", "", "", "move", "duel", "", "1", "2", "agree", "throw", "quit",
                   words=("play", "toy", "--seed", "4"))
    assert "Dés" in shown
    assert "Passez l'écran" not in shown


def test_the_game_is_chosen_and_characters_are_drawn(run: Run) -> None:
    shown = played(run, "toy", "", "Bob", "", "random-diver", "bring", "ana", "", "rules", "nager", "rules", "zzz",
                   "sheets", "Nadia", "quit", words=("play",))
    assert "Plongeurs — Descendre, remonter." in shown
    assert "Nadia prend place." in shown
    assert "Avancez d'un à trois mètres." in shown
    assert "Aucune règle ne correspond." in shown


def test_the_end_of_the_input_is_a_polite_leave_anywhere(run: Run) -> None:
    whole = [*SETUP, "pass", "Bob", "", "move", "try", "might", "2", "", ""]
    for length in range(len(whole) + 1):
        said = run("play", "toy", typed="".join(f"{line}\n" for line in whole[:length]))
        assert said.code == 0
        assert said.out.endswith("À bientôt.\n")
        assert "Traceback" not in said.err


def test_an_interruption_is_a_polite_leave(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    said = run("play", "toy")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("À bientôt.\n")


def test_an_evening_in_english(run: Run) -> None:
    shown = played(run, "", "", "", "quit", words=("play", "toy", "--lang", "en"))
    assert "What do you do?" in shown


def test_an_unknown_game_is_refused(run: Run) -> None:
    said = run("play", "tai")
    assert said.code == 2
    assert "toy" in said.err


def test_an_action_is_found_by_an_everyday_word(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What several may mean is listed again, with the numbers it has; what one alone means begins."""
    monkeypatch.setattr(installed, "_found", REALLY_FOUND)
    shown = played(run, "Ana", "Bob", "", "1", "1", "frapper", "grimper", "<", words=("play", "conteur"))
    frapper, _, grimper = shown.partition("> frapper\n")[2].partition("> grimper\n")
    assert [line.split() for line in frapper.splitlines()[:2]] == [["1", "Lancer", "les", "dés"],
                                                                  ["4", "Jet", "en", "opposition"]]
    assert "Difficulté cachée" in grimper
