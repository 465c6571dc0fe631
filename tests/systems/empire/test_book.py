"""Empire galactique: the written rules hang together: options, rulings, tables, rows, words."""

import re

import pytest

from paravent.systems.empire import SYSTEM

BOOK = SYSTEM.book
RULINGS = {row["id"]: row for row in BOOK.data("rulings")["ruling"]}


def test_the_game_has_two_parts():
    assert BOOK.prefixes == ("EMP", "EGW")
    count = {prefix: sum(rule.startswith(f"{prefix}-") for rule in BOOK.rules) for prefix in BOOK.prefixes}
    assert count == {"EMP": 141, "EGW": 138}


def test_every_option_answers_a_ruling_or_an_optional_rule():
    for key, option in BOOK.options.items():
        assert option.rule in BOOK.rules, key
        assert option.values[0] == option.default, key
        if option.ruling:
            told = RULINGS[option.ruling]
            assert told.get("option") in BOOK.options, key


def test_every_ruling_named_exists_and_every_option_named_too():
    for rule in BOOK.rules.values():
        assert set(rule.rulings) <= set(RULINGS), rule.id
        assert not rule.option or rule.option in BOOK.options, rule.id
    for row in RULINGS.values():
        assert "option" not in row or row["option"] in BOOK.options, row["id"]


@pytest.mark.parametrize("part", ["rules", "rulings", "options", "advice", "rows"])
def test_french_has_its_no_break_spaces(part):
    text = str(BOOK.data(part))
    assert not re.search(r"'fr': [\"'][^\"']*[^\u00a0] [;:?!»]", text)


def test_the_worked_examples_name_rules_that_exist():
    for row in BOOK.vectors:
        assert row["rules"], row["id"]
        assert set(row["rules"]) <= set(BOOK.rules), row["id"]


def test_the_tables_have_all_their_words():
    for name in SYSTEM.tables:
        table = SYSTEM.tables[name]
        assert (table.uneven, table.wordless) == ([], [])
        cells = {cell for row in table.rows for cell in row if isinstance(cell, str) and "_" in cell}
        for cell in (*table.columns, *sorted(cells)):
            assert table.word(cell, "fr") != cell or "_" not in cell, (name, cell)
