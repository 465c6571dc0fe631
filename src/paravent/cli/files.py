"""``paravent verify``, ``export``, ``import``, ``backup``, ``restore``: tables as files, and whether dice were fair.

Annotations are read by Typer when a command is declared, so this module does not postpone them.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from typer.models import OptionInfo

from paravent.game.errors import UnknownName
from paravent.game.telling import Teller

from .forms import read_text
from .help import Declares

if TYPE_CHECKING:
    from paravent.store import Log
    from paravent.table.host import Host

T = TypeVar("T")
UNFAIR = 1
"""What a verdict that names a throw ends with."""


def declare(command: Declares, lang: str, lang_option: OptionInfo, as_json_option: OptionInfo) -> None:
    """Add the commands to the program."""
    tell = Teller(lang)

    def say(key: str) -> str:
        return tell.say(f"cli.files.{key}")

    where = typer.Option("--database", metavar="FILE|URL", help=say("database"))

    @command("verify")
    def verify(
        export: Annotated[Path, typer.Argument(metavar="EXPORT", help=say("export-file"))],
        as_json: Annotated[bool, as_json_option] = False,
        lang_: Annotated[str, lang_option] = lang,
    ) -> int:
        from paravent.table.verify import proved, told

        verdict = proved(read_text(str(export)).split("\n"))
        if as_json:
            wrong = verdict.differs._asdict() if verdict.differs else None
            print(json.dumps({**verdict._asdict(), "differs": wrong}, ensure_ascii=False, indent=2))
        else:
            print("\n".join(told(verdict, tell.say)))
        return 0 if verdict.holds else UNFAIR

    @command("export")
    def export(
        table: Annotated[str, typer.Argument(metavar="TABLE", help=say("table"))] = "",
        seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help=say("seat"))] = "",
        database: Annotated[str | None, where] = None,
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        async def lines(host: "Host", log: "Log") -> list[str]:
            name = await _table(host, log, table)
            if not seat:
                return list(await host.export_whole(name))
            places = (await host.live(name)).state.seats
            found = next((at for at, place in places.items() if seat in (at, place.name)), None)
            if found is None:
                raise UnknownName("seat", seat, (place.name for place in places.values()))
            return list(await host.export(name, found))

        from paravent.store import log_at

        log_at(database)
        for line in _over(database, lines):
            print(line)

    @command("import")
    def import_(
        export: Annotated[Path, typer.Argument(metavar="EXPORT", help=say("export-file"))],
        database: Annotated[str | None, where] = None,
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        from paravent.store.address import sqlite_path

        written = read_text(str(export)).split("\n")
        path = sqlite_path(database)
        if path is None or not path.exists():  # a file that is refused leaves no database behind
            _over("memory:", lambda host, log: host.bring(written))
        entry = _over(database, lambda host, log: host.bring(written))
        print(tell.say("cli.files.imported", table=entry.table, token=entry.token))

    @command("backup")
    def backup(
        target: Annotated[Path, typer.Argument(metavar="FILE", help=say("target"))],
        database: Annotated[str | None, where] = None,
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        from paravent.store import backup as copy

        print(tell.say("cli.files.backed-up", path=str(copy(database, target))))

    @command("restore")
    def restore(
        source: Annotated[Path, typer.Argument(metavar="FILE", help=say("source"))],
        database: Annotated[str | None, typer.Option("--database", metavar="FILE|URL", help=say("empty"))] = None,
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        from paravent.store import restore as pour

        pour(source, database)
        print(tell.say("cli.files.restored", path=str(source)))


def _over(database: str | None, act: Callable[["Host", "Log"], Awaitable[T]]) -> T:
    """Do something with the tables of a log, and close it."""
    from paravent.store import open_log
    from paravent.table.host import Host

    async def done() -> T:
        log = open_log(database)
        try:
            return await act(Host(log), log)
        finally:
            await log.close()

    return asyncio.run(done())


async def _table(host: "Host", log: "Log", name: str) -> str:
    """The table of this name or id; the only one, if none is named."""
    rows = await log.tables()
    known: dict[str, str] = {row.id: (await host.live(row.id)).state.name for row in rows if row.last}
    found = [table for table, called in known.items() if name in (table, called, "")]
    if len(found) != 1:
        raise UnknownName("table", name, (f"{called} ({table})" for table, called in known.items()))
    return found[0]
