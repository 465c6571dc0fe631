"""Rules, options, tables and words, read from a package's files."""

from pathlib import Path

import pytest

from paravent.game import LANGUAGES, RuleBook, RuleError, Rulings, Table, Tables, UnknownName, Words, house_words, trace
from paravent.game.datafiles import SaidTwice
from paravent.game.errors import BadRecord, OutOfRange
from paravent.game.records import Fault
from paravent.game.words import holds, in_language, keys_of

RULES = '''
complete = true
[[rule]]
id = "TOY-001"
title = {fr = "Pousser", en = "Push"}
text = {fr = "On pousse.", en = "One pushes."}
source = "p. 1"
[[rule]]
id = "TOY-002"
kind = "advice"
title = {fr = "Oser", en = "Dare"}
text = {fr = "On ose.", en = "One dares."}
source = "p. 2"
rulings = ["R-1"]
'''
OPTIONS = '''
[[option]]
key = "tie"
default = "nobody"
values = ["nobody", "initiator"]
title = {fr = "Égalité", en = "Tie"}
question = {fr = "Qui gagne ?", en = "Who wins?"}
[option.words]
nobody = {fr = "Personne", en = "Nobody"}
initiator = {fr = "Qui agit", en = "Who acts"}
'''
TABLE = '''
title = {fr = "Qualités", en = "Qualities"}
rules = ["TOY-001"]
columns = ["min", "max", "quality"]
rows = [["", 0, "failure"], [1, 3, "success"], [4, "", "triumph"]]
[words]
failure = {fr = "échec", en = "failure"}
success = {fr = "réussite", en = "success"}
triumph = {fr = "triomphe", en = "triumph"}
'''
FRENCH = '''
[values]
red = "rouge"
[notes]
pushed = "Vous poussez {what} de {n}."
[count]
dice = {one = "{n} dé", other = "{n} dés"}
[fields.strength]
title = "Force"
[errors."toy/weak"]
title = "Trop faible : {need}."
[faults]
weak = "trop faible de {by}"
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "toygame"
    for name, text in {
        "__init__.py": "", "rules.toml": RULES, "options.toml": OPTIONS, "tables/qualities.toml": TABLE,
        "text/fr.toml": FRENCH,
        "text/en.toml": '[values]\nred = "red"\n[count]\ndice = {one = "{n} die", other = "{n} dice"}',
        "advice.toml": '[[advice]]\nfr = "Osez."\nen = "Dare."',
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "toygame"


def test_rules_are_found_by_id_whatever_the_case(package: str) -> None:
    book = RuleBook(package)
    assert (book.prefix, book.complete, list(book.rules)) == ("TOY", True, ["TOY-001", "TOY-002"])
    assert book.find("toy-002").is_advice
    assert book.find("TOY-002").rulings == ("R-1",)
    with pytest.raises(UnknownName) as refusal:
        book.find("TOY-003")
    assert "TOY-001" in refusal.value.near
    assert [found.id for found in book.search("TOY pöusse", "fr")] == ["TOY-001"]
    assert book.advice("en") == ["Dare."]
    assert (book.vectors, book.listed_odds, book.odds_tables, book.rows) == ([], [], [], [])


def test_a_game_in_parts_has_a_prefix_for_each(package: str) -> None:
    assert RuleBook(package).prefixes == ("TOY",)
    rules = [{"id": name, "title": {}, "text": {}, "source": ""} for name in ("TOY-1", "TOW-1", "TOY-2")]
    book = RuleBook(package, {"rules": {"rule": rules}})
    assert (book.prefixes, book.prefix) == (("TOY", "TOW"), "TOY+TOW")


def test_options_are_settled_as_chosen_or_by_default(package: str) -> None:
    book = RuleBook(package)
    assert book.rulings().tie == "nobody"
    assert book.rulings({"tie": "initiator"})["tie"] == "initiator"
    for wrong in ({"ties": "nobody"}, {"tie": "both"}):
        with pytest.raises(UnknownName):
            book.rulings(wrong)


def test_rulings_are_a_value() -> None:
    assert Rulings({"a": "1", "b": "2"}) == Rulings({"b": "2", "a": "1"})
    assert hash(Rulings({"a": "1", "b": "2"})) == hash(Rulings({"b": "2", "a": "1"}))
    assert dict(Rulings({"a": "1"})) == {"a": "1"}
    with pytest.raises(AttributeError):
        _ = Rulings({}).nothing
    with pytest.raises(AttributeError):
        Rulings({"a": "1"}).a = "2"
    assert list(Rulings({"items": "1"}).items()) == [("items", "1")]


def test_a_table_is_read_by_ranges(package: str) -> None:
    table = Tables(package)["qualities"]
    assert [table.cell(n, "quality") for n in (-9, 0, 1, 3, 4, 99)] == [
        "failure", "failure", "success", "success", "triumph", "triumph"]
    assert table.word("success", "fr") == "réussite"
    assert table.word("", "fr") == "–"
    assert (table.uneven, table.wordless) == ([], [])
    assert table.to_json("en")["title"] == "Qualities"


def test_a_table_is_read_by_key_and_says_what_is_wrong_with_it() -> None:
    table = Table("odd", {"title": {"fr": "x", "en": "x"}, "columns": ["key", "value"], "rows": [["a", 1], ["b"]],
                          "words": {"a": {"fr": "un"}}})
    assert table.row("a") == {"key": "a", "value": 1}
    assert table.keys() == ("a", "b")
    assert (len(table.uneven), len(table.wordless)) == (1, 1)
    with pytest.raises(UnknownName):
        table.row("c")


def test_tables_are_found_by_name(package: str) -> None:
    tables = Tables(package)
    assert list(tables) == ["qualities"]
    assert "qualities" in tables
    assert len(tables) == 1
    with pytest.raises(UnknownName):
        tables["qualites"]
    assert len(Tables("paravent.game")) == 0


def test_words_are_said_with_values_and_counted(package: str) -> None:
    words = Words.from_package(package)
    assert words.say("fr", "notes.pushed", what="red", n=-2) == "Vous poussez rouge de −2."
    assert [words.say("fr", "count.dice", n=n) for n in (0, 1, 2)] == ["0 dé", "1 dé", "2 dés"]
    assert [words.say("en", "count.dice", n=n) for n in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert words.say("fr", "notes.unknown") == "notes.unknown"
    assert words.say("fr", "notes.pushed", what="x") == "Vous poussez x de {n}."
    assert words.word("fr", (True, "red", 3)) == "oui, rouge, 3"
    assert words.knows("values.red")
    assert not words.knows("notes.pushed")


def test_errors_are_sentences_that_name_their_rule(package: str) -> None:
    class Weak(RuleError):
        """Too weak."""

        code = "toy/weak"
        rule = "TOY-001"

    words = Words.from_package(package)
    assert words.error("fr", Weak(need=3)) == "Trop faible : 3. [TOY-001]"
    assert "Force (strength)" in words.error("fr", OutOfRange(field="strength", got=12, minimum=1, maximum=None))
    faulty = BadRecord(faults=[Fault("weak", "TOY-002", values={"by": 2})], rule="TOY-002")
    assert "trop faible de 2 [TOY-002]" in words.error("fr", faulty)
    assert words.error("en", RuleError("TOY-001")).count("TOY-001") == 1


def test_french_stands_where_another_language_has_nothing() -> None:
    assert in_language({"fr": "oui"}, "en") == "oui"
    assert in_language({"fr": "oui", "en": "yes"}, "en") == "yes"


def test_words_are_found_however_they_are_typed() -> None:
    assert holds("L’Énergie du Cœur, dépensée", "energ l'en COEUR depensee")
    assert holds("quoi que ce soit", "  ")
    assert holds("D10-003", "-003")
    assert not holds("Charme", "arme")
    assert not holds("énergie", "energie vitale")


def test_the_house_says_the_same_in_both_languages() -> None:
    house = house_words()
    keys = {lang: set(keys_of(house._catalogues[0][lang])) for lang in LANGUAGES}
    assert keys["fr"] == keys["en"]


def test_carriers_are_registered_and_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "watching", True)

    @trace.rule("TOY-901", "TOY-902")
    def push(n: int) -> int:
        return n + 1

    trace.ran.clear()
    assert push(1) == 2
    assert trace.ran == {"TOY-901", "TOY-902"}
    assert trace.carriers["TOY-901"][0].endswith("push")
    monkeypatch.setattr(trace, "watching", False)

    def pull(n: int) -> int:
        return n

    assert trace.rule("TOY-903")(pull) is pull
    trace.ran.clear()
    trace.mark(("TOY-903",))
    assert trace.ran == set()
    for name in ("TOY-901", "TOY-902", "TOY-903"):
        trace.carriers.pop(name)


def in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, part: dict[str, str]) -> str:
    """A package that names one part, the sea, which holds these files."""
    files = {"__init__.py": "", "rules.toml": 'parts = ["sea"]\n' + RULES, "tables/qualities.toml": TABLE,
             "text/fr.toml": FRENCH, **{f"sea/{path}": text for path, text in part.items()}}
    for path, text in files.items():
        (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_a_long_game_is_cut_into_parts_that_are_read_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = in_parts(tmp_path, monkeypatch, "toysea", {
        "rules.toml": '[[rule]]\nid = "TOY-000"\ntitle = {fr = "Mer"}\ntext = {fr = "La mer."}\nsource = ""\n',
        "text/fr.toml": '[values]\nblue = "bleu"\n', "tables/tides.toml": TABLE,
    })
    assert list(RuleBook(package).rules) == ["TOY-000", "TOY-001", "TOY-002"]
    assert Words.from_package(package).word("fr", ("red", "blue")) == "rouge, bleu"
    assert list(Tables(package)) == ["qualities", "tides"]


def test_nothing_is_said_twice_by_the_parts_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = in_parts(tmp_path, monkeypatch, "toyecho", {
        "rules.toml": RULES.partition("\n[[rule]]")[1].strip() + RULES.partition("\n[[rule]]")[2],
        "text/fr.toml": '[values]\nred = "vermeil"\n', "tables/qualities.toml": TABLE,
    })
    for read in (lambda: RuleBook(package).rules, lambda: Words.from_package(package), lambda: len(Tables(package))):
        with pytest.raises(SaidTwice):
            read()
