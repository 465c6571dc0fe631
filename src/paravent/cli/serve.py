"""``paravent serve``: the tables on the web, for this machine or for the house. Everything else is the web's affair.

Annotations are read by Typer when a command is declared, so this module does not postpone them.
"""

import io
from typing import Annotated

import typer
from typer.models import OptionInfo

from paravent.game.telling import Teller

from .help import Declares


def declare(command: Declares, lang: str, lang_option: OptionInfo) -> None:
    """Add the command to the program."""
    tell = Teller(lang)

    def say(key: str) -> str:
        return tell.say(f"cli.serve.{key}")

    @command("serve")
    def serve(
        port: Annotated[
            int, typer.Option("--port", metavar="N", min=0, max=65535, help=say("port"))
        ] = 8017,
        lan: Annotated[bool, typer.Option("--lan", help=say("lan"))] = False,
        database: Annotated[str | None, typer.Option("--database", metavar="FILE|URL", help=say("database"))] = None,
        no_browser: Annotated[bool, typer.Option("--no-browser", help=say("no-browser"))] = False,
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        from paravent.web.serve import serve as serve_tables

        serve_tables(database, port, lan, not no_browser,
                     lambda here, others: _told(tell, here, others, lan, database), lambda others: _moved(tell, others))
        print(tell.say("cli.serve.stopped"), flush=True)


def _told(tell: Teller, here: str, others: tuple[str, ...], lan: bool, database: str | None) -> None:
    """Say where the tables are; for phones, as a code that they can read."""
    print(tell.say("cli.serve.here", address=here))
    _told_house(tell, others)
    if lan and not others:
        print(tell.say("cli.serve.no-network"))
    print(tell.say(f"cli.serve.{'in-memory' if database == 'memory:' else 'how-to-stop'}"), flush=True)


def _moved(tell: Teller, others: tuple[str, ...]) -> None:
    """Say that somebody opened the tables to the house, or closed them again."""
    _told_house(tell, others)
    if not others:
        print(tell.say("cli.serve.closed-again"), flush=True)


def _told_house(tell: Teller, addresses: tuple[str, ...]) -> None:
    for address in addresses:
        print(tell.say("cli.serve.in-the-house", address=f"{address}/"))
        print(_code(f"{address}/"), end="", flush=True)


def _code(address: str) -> str:
    import segno

    drawn = io.StringIO()
    segno.make(address, error="l").terminal(drawn, compact=True)
    return drawn.getvalue()
