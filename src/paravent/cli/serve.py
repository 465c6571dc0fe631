"""``paravent serve``: the tables on the web, for this machine or for the house. Everything else is the web's affair.

Annotations are read by Typer when a command is declared, so this module does not postpone them.
"""

import io
from typing import Annotated

import typer
from typer.models import OptionInfo

from paravent.game.telling import Teller

from .forms import whole
from .help import Declares


def declare(command: Declares, lang: str, lang_option: OptionInfo) -> None:
    """Add the command to the program."""
    tell = Teller(lang)

    def say(key: str) -> str:
        return tell.say(f"cli.serve.{key}")

    @command("serve")
    def serve(
        port: Annotated[
            str, typer.Option("--port", metavar="N", help=say("port"))
        ] = "8017",
        lan: Annotated[bool, typer.Option("--lan", help=say("lan"))] = False,
        database: Annotated[str | None, typer.Option("--database", metavar="FILE|URL", help=say("database"))] = None,
        public: Annotated[str, typer.Option("--public", metavar="URL", help=say("public"))] = "",
        proxy: Annotated[list[str] | None, typer.Option("--proxy", metavar="ADDRESS", help=say("proxy"))] = None,
        listen: Annotated[str, typer.Option("--listen", metavar="ADDRESS", help=say("listen"))] = "127.0.0.1",
        tls_cert: Annotated[str, typer.Option("--tls-cert", metavar="FILE", help=say("tls-cert"))] = "",
        tls_key: Annotated[str, typer.Option("--tls-key", metavar="FILE", help=say("tls-key"))] = "",
        door_word: Annotated[
            str, typer.Option("--door-word", metavar="WORD", envvar="PARAVENT_DOOR_WORD", help=say("door-word"))
        ] = "",
        workers: Annotated[str, typer.Option("--workers", metavar="N", help=say("workers"))] = "1",
        no_browser: Annotated[bool, typer.Option("--no-browser", help=say("no-browser"))] = False,
        lang_: Annotated[str, lang_option] = lang,
    ) -> None:
        from paravent.web.serve import Abroad
        from paravent.web.serve import serve as serve_tables

        abroad = Abroad(public, tuple(proxy or ()), listen, tls_cert, tls_key, door_word)
        serve_tables(database, whole(port, "--port", 0, 65535), lan, not no_browser,
                     lambda here, others: _told(tell, here, others, lan, public, in_memory=database == "memory:"),
                     lambda others: _moved(tell, others), abroad, whole(workers, "--workers", 1, 64))
        print(tell.say("cli.serve.stopped"), flush=True)


def _told(
    tell: Teller, here: str, others: tuple[str, ...], lan: bool, public: str = "", in_memory: bool = False
) -> None:
    """Say where the tables are; for phones, as a code that they can read."""
    print(tell.say("cli.serve.here", address=here))
    house = others[1:] if public else others
    if public:
        print(tell.say("cli.serve.far-away", address=f"{others[0]}/"))
    _told_house(tell, house)
    if lan and not house:
        print(tell.say("cli.serve.no-network"))
    print(tell.say(f"cli.serve.{'in-memory' if in_memory else 'how-to-stop'}"), flush=True)


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
