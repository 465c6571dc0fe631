"""``paravent verify``, ``export``, ``import``, ``backup`` and ``restore``: thin doors to the tables."""

import asyncio
import re
from pathlib import Path

import pytest

from paravent.game import system as installed
from paravent.store import open_log
from paravent.table import commands as c
from paravent.table.host import Host

from .conftest import Run


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A log with one table, where a die was thrown in the open and another behind the screen."""
    address = str(tmp_path / "tables.db")

    async def evening() -> None:
        log = open_log(address)
        host = Host(log)
        entry = await host.open("toy", "Vendredi", "Ana")
        ana = entry.seat
        bob = (await host.do(entry.table, c.AddSeat(seat=ana, name="Bob")))["seat"]
        for seat, grade in ((bob, "open"), (ana, "hidden"), (bob, "blind")):
            form = {seat: {"expression": "3d6", "grade": grade}}
            number = (await host.do(entry.table, c.StartMove(seat=seat, move="free-throw", form=form)))["number"]
            await host.do(entry.table, c.ThrowDice(seat=seat, number=number, grain="n"))
        await host.do(entry.table, c.Say(seat=bob, text="des lignes\u2028qui n'en\u0085sont pas\u2029ici"))
        await log.close()

    installed.find_system.cache_clear()
    asyncio.run(evening())
    return address


def test_a_participant_verifies_the_dice_from_their_own_export(run: Run, database: str, tmp_path: Path) -> None:
    mine = tmp_path / "bob.jsonl"
    mine.write_text(run("export", "--seat", "Bob", "--database", database).out, "utf-8")
    said = run("verify", str(mine)).out.split("\n")
    assert said[0] == "Jets vérifiés : 0, scellés : 1, tapés à la main : 0."
    assert said[1].startswith("1 jet connu de l'hôte seul")  # nobody had a browser, and so a grain
    found = run("verify", str(mine), "--lang", "en", "--json").json
    assert re.fullmatch(r"[0-9A-F]{4}(-[0-9A-F]{4}){2}", found.pop("code"))
    assert list(found.pop("codes")) == ["Ana"]
    assert found == {
        "verified": 0, "host_alone": 1, "sealed": 1, "by_hand": 0, "unannounced": 0, "begun_again": 0, "given_up": 0,
        "took_part": {}, "account": "whole", "differs": None,
        "replayed": 1, "another_version": 0, "amended": 0, "unread": 0, "depends": [[2, "throw"]], "without_own": 0}
    forged = mine.read_text("utf-8").replace('"faces":[', '"faces":[1,', 1)
    mine.write_text(forged, "utf-8")
    said = run("verify", str(mine))
    assert said.code == 1
    assert "Action 1" in said.out


def test_a_table_moves_as_a_file(run: Run, database: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    whole.write_text(run("export", "Vendredi", "--database", database).out, "utf-8")
    assert run("verify", str(whole)).out.startswith("Jets vérifiés : 0,")
    elsewhere = str(tmp_path / "elsewhere.db")
    assert "ouverte" in run("import", str(whole), "--database", elsewhere).out
    again = run("export", "--database", elsewhere).out.split("\n")
    assert again[:-3] == whole.read_text("utf-8").split("\n")[:-2]  # but for the new link, and the closing line


def test_what_cannot_be_read_is_refused(run: Run, database: str, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("bonjour", "utf-8")
    for words in (("verify", str(tmp_path / "no")), ("verify", str(tmp_path / "other.txt")),
                  ("import", str(tmp_path / "other.txt"), "--database", database),
                  ("export", "Samedi", "--database", database),
                  ("export", "--seat", "Eve", "--database", database)):
        said = run(*words)
        assert said.code == 2
        assert said.err.strip()


def test_a_backup_opens_like_any_other_log(run: Run, database: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert str(copy) in run("backup", str(copy), "--database", database).out
    assert run("export", "--database", str(copy)).out == run("export", "--database", database).out
    assert run("backup", str(copy), "--database", database).code == 2


def test_a_backup_is_put_back_where_nothing_is_yet(run: Run, database: str, tmp_path: Path) -> None:
    copy, there = str(tmp_path / "copy.db"), str(tmp_path / "there.db")
    run("backup", copy, "--database", database)
    assert copy in run("restore", copy, "--database", there).out
    assert run("export", "--database", there).out == run("export", "--database", database).out
    assert run("restore", copy, "--database", database).code == 2


@pytest.mark.parametrize("command", [["export"], ["backup", "copy.db"]])
def test_what_only_reads_makes_no_file_and_no_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run(*command, "--database", "nowhere/tables.db")
    assert said.code
    assert "nowhere/tables.db" in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spoilt", [
    b"SQLite format 3", b"CREATE TABLE tables", b'{"type":"table-opened"', b'{"type":"seat-added","format"'])
def test_a_damaged_file_says_what_to_go_on_from(run: Run, database: str, spoilt: bytes) -> None:
    file = Path(database)
    whole = file.read_bytes()
    at = whole.index(spoilt) + 1
    for what in (b"\x8e\x00\xff", b"!!!"):
        file.write_bytes(whole[:at] + what + whole[at + 3 :])
        said = run("export", "--database", database)
        assert said.code
        assert "paravent restore" in said.err
        if what != b"!!!":  # texts stay texts
            said = run("backup", f"{database}-copy", "--database", database)
            assert said.code
            assert "paravent restore" in said.err
            assert not Path(f"{database}-copy").exists()


@pytest.mark.parametrize("content", [
    b"", b"not a copy\n" * 100, bytes(range(256)) * 20, b"SQLite format 3\0" + b"x" * 5000])
def test_what_is_no_copy_is_not_restored_and_leaves_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(content)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data" / "home"))
    for there in ((), ("--database", str(tmp_path / "new" / "tables.db"))):
        said = run("restore", str(copy), *there)
        assert said.code == 2
        assert "n'est pas une copie de Paravent" in said.err
        assert "Reprenez une autre copie, faite par paravent backup" in said.err
        assert not re.search("database|file is|malformed", said.err.replace(str(copy), ""))
        assert "Restore another copy, made by paravent backup" in run("restore", str(copy), *there, "--lang", "en").err
    assert [*tmp_path.iterdir()] == [copy]
    assert copy.read_bytes() == content


def test_a_refused_import_leaves_no_database_behind(run: Run, database: str, tmp_path: Path) -> None:
    whole, elsewhere = tmp_path / "whole.jsonl", tmp_path / "new" / "tables.db"
    whole.write_text(run("export", "--database", database).out, "utf-8")
    lines = whole.read_text("utf-8").splitlines()
    for forged in (lines[:-1], [*lines[:2], lines[1], *lines[2:]], ["{}"], [lines[0], lines[-1]]):
        whole.write_text("\n".join(forged), "utf-8")
        assert run("import", str(whole), "--database", str(elsewhere)).code != 0
        assert not elsewhere.parent.exists()
