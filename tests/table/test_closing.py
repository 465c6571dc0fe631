"""A file that was cut, doubled, swapped or changed is known for it; one that nobody could have written is refused."""

import json
import random
from collections.abc import Callable
from copy import deepcopy

import pytest
from evening import Evening
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.decide import Fresh
from paravent.table.export import export_seen, export_whole, imported, read_export
from paravent.table.seats import looks
from paravent.table.verify import proved


def files() -> dict[str, list[str]]:
    """An evening as Cy saw it, and whole."""
    evening = Evening()
    number = evening.bob.starts("act", {"initiator": [evening.elya]})
    evening.bob.throws(number)
    evening.ana.says("Une ombre passe.")
    evening.bob.does(c.Say, text="à toi seule", kind="whisper", to=(evening.cy.seat,))
    evening.ana.does(c.EditRecord, record=evening.elya, path="wounds", value=1)
    evening.bob.does(c.Withdraw, number=evening.bob.starts("act", {"initiator": [evening.elya]}))
    log = [e.written(event) for event in evening.table.events]
    return {"seen": list(export_seen(log, evening.cy.seat, VEIL)), "whole": list(export_whole(log))}


FILES = files()


def is_known(lines: list[str]) -> bool:
    """Whether somebody who verifies a file is told that something is wrong with it."""
    try:
        return not proved(lines).holds
    except ParaventError:
        return True


def is_refused(lines: list[str]) -> bool:
    try:
        imported(read_export(lines), Fresh(), VEIL)
    except ParaventError:
        return True
    return False


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_nobody_touched_holds(kind: str) -> None:
    lines = FILES[kind]
    assert proved(lines).account == "whole"
    assert proved([f"{line}\r\n" for line in lines]).holds  # an editor's ends of lines are no change
    assert not is_refused(FILES["whole"])


@pytest.mark.parametrize("kind", FILES)
def test_every_line_dropped_doubled_swapped_or_cut_after_is_known(kind: str) -> None:
    lines = FILES[kind]
    changed = [lines[:at] + lines[at + 1 :] for at in range(len(lines))]
    changed += [lines[: at + 1] + lines[at:] for at in range(len(lines))]
    changed += [[*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]] for at in range(len(lines) - 1)]
    changed += [lines[:at] for at in range(len(lines))]
    unnoticed = [one for one in changed if one != lines and not is_known(one)]
    assert unnoticed == []
    if kind == "whole":
        assert [one for one in changed if one != lines and not is_refused(one)] == []


@pytest.mark.parametrize("kind", FILES)
def test_every_bit_that_flips_is_known(kind: str) -> None:
    text = ("\n".join(FILES[kind]) + "\n").encode()
    luck = random.Random(19)
    places = [(at, bit) for at in range(len(text)) for bit in range(8)]
    unnoticed = 0
    for at, bit in luck.sample(places, 1500):
        flipped = bytearray(text)
        flipped[at] ^= 1 << bit
        try:
            lines = flipped.decode().split("\n")
        except UnicodeDecodeError:
            continue
        # The last line end may become a sign after the closing line: that, too, is another line.
        unnoticed += not is_known(lines)
    assert unnoticed == 0


def test_no_input_makes_it_fail_otherwise_than_in_words() -> None:
    """Lines of a file whose values were replaced by others of every kind, or that are no lines at all."""
    luck = random.Random(1919)
    odd = [None, True, -1, 0, 10**30, 1.5, "", "zz", "\ud800", [], [[]], {}, {"number": "x"}, "0" * 64]
    lines = [line for lines in FILES.values() for line in lines]
    for _ in range(1200):
        rows = [json.loads(line) for line in luck.choice(list(FILES.values()))]
        for _ in range(luck.randrange(1, 4)):
            at: object = luck.choice(rows)
            while isinstance(at, (dict, list)) and at:
                names = list(at) if isinstance(at, dict) else list(range(len(at)))
                name = luck.choice(names)
                inner = at[name]  # type: ignore[index]
                if not isinstance(inner, (dict, list)) or not inner or luck.random() < 0.3:
                    at[name] = deepcopy(luck.choice(odd))  # type: ignore[index]
                    break
                at = inner
        is_known([json.dumps(row) for row in rows])
    for junk in ("", "{", "[]", "null", "\x00", "{}" * 3, '{"paravent":"table","whole":true}', "[" * 9000):
        is_known([junk])
        is_known([lines[0], junk])
        is_known([FILES["whole"][0], junk])


def row(kind: str, **values: object) -> Callable[[list[str]], list[str]]:
    """A whole file of an earlier version, which has no closing line, with one more event."""

    def changed(lines: list[str]) -> list[str]:
        head = {name: part for name, part in json.loads(lines[0]).items() if name != "closes"}
        event = next(json.loads(line) for line in lines[1:-1] if json.loads(line).get("type") == kind)
        return [json.dumps(head), *lines[1:-1], json.dumps({**event, **values})]

    return changed


def doubled(kind: str) -> Callable[[list[str]], list[str]]:
    """The same, with one of its lines a second time just behind it."""

    def changed(lines: list[str]) -> list[str]:
        head, rest = row("table-opened")(lines)[0], lines[1:-1]
        at = next(at for at, line in enumerate(rest) if json.loads(line).get("type") == kind)
        return [head, *rest[:at], rest[at], *rest[at:]]

    return changed


def unbegun(lines: list[str]) -> list[str]:
    """The same, with what happened in an act before the act began."""
    head, rest = row("table-opened")(lines)[0], lines[1:-1]
    began = next(at for at, line in enumerate(rest) if json.loads(line).get("type") == "move-started")
    return [head, *rest[:began], rest[began + 1], rest[began], *rest[began + 2:]]


OPENED = e.written(e.EncounterOpened(number=1, encounter="duel", state={}))


@pytest.mark.parametrize(("change", "code"), [
    (row("table-opened"), "table/opened-twice"),
    (row("seat-added", seat="new", grade="emperor"), "table/no-such-rank"),
    (row("seat-added"), "table/twice-in-log"),
    (row("seat-added", seat="../x"), "table/not-an-export"),
    (lambda lines: [*row("table-opened")(lines)[:-1], *[OPENED] * 2], "table/twice-in-log"),
    (row("record-added"), "table/twice-in-log"),
    (row("move-started"), "table/twice-in-log"),
    (doubled("dice-thrown"), "table/twice-in-log"),
    (doubled("throw-ready"), "table/twice-in-log"),
    (doubled("record-changed"), "table/twice-in-log"),
    (doubled("move-ended"), "table/twice-in-log"),
    (unbegun, "table/before-it-began"),
    (lambda lines: lines[:-1], "table/export-cut"),
    (lambda lines: [*lines[:3], *lines[4:]], "table/export-changed"),
])
def test_what_no_table_could_have_written_is_refused_in_words(
    change: Callable[[list[str]], list[str]], code: str
) -> None:
    with pytest.raises(ParaventError) as refusal:
        imported(read_export(change(FILES["whole"])), Fresh(), VEIL)
    assert refusal.value.code == code
    for lang in ("fr", "en"):
        assert len(VEIL.words.error(lang, refusal.value)) > 30


@pytest.mark.parametrize("name", ["", "  ", "\u200b\u2060", "\u3164", "\u00a0\u2003", "\u2800"])
def test_a_name_of_which_nothing_is_seen_is_refused(name: str) -> None:
    evening = Evening()
    assert evening.ana.refused(c.AddSeat, name=name) == "table/empty"
    assert evening.bob.refused(c.RenameSeat, who=evening.bob.seat, name=name) == "table/empty"


@pytest.mark.parametrize("name", ["Bob", " bob ", "BOB", "B\u200bob", "B\u043eb", "Ｂｏｂ", "B0b"])
def test_a_name_that_reads_as_another_is_refused(name: str) -> None:
    evening = Evening()
    assert evening.ana.refused(c.AddSeat, name=name) == "table/name-taken"
    assert evening.cy.refused(c.RenameSeat, who=evening.cy.seat, name=name) == "table/name-taken"
    evening.bob.does(c.RenameSeat, who=evening.bob.seat, name="BOB")  # one's own may be written otherwise


def test_accents_tell_names_apart() -> None:
    assert looks("Zoé") != looks("Zoe")
