"""Help pages in the reader's language: Typer's own are in English whatever is asked.

Also where Typer's refusals become ours: a sentence with the nearest names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

import typer
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from typer.core import TyperCommand, TyperGroup

from paravent.dice.errors import ParaventError
from paravent.game.errors import MissingField, UnknownName
from paravent.game.telling import Teller

from .errors import OneWordTooMany, WrongUse
from .prose import Prose

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What the parser raises for a command line it cannot read; Typer carries its own copy of Click from 0.22 on."""

F = TypeVar("F", bound=Callable[..., object])


class Declares(Protocol):
    """Adds a command of this name to the program."""

    def __call__(self, name: str, /) -> Callable[[F], F]: ...


OURS = {"--help": "help", "--install-completion": "install-completion", "--show-completion": "show-completion"}


class _Helped:
    """A command whose help page is ours."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        console = Console(width=formatter.width and min(formatter.width, 100))
        with console.capture() as capture:
            console.print(_page(self, ctx, Teller(language_of(ctx))))
        formatter.write("".join(f"{line.rstrip()}\n" for line in capture.get().splitlines()))


class Subcommand(_Helped, TyperCommand):
    """A command with our help page."""


class Commands(_Helped, TyperGroup):
    """The whole program: an unknown command is refused with the nearest ones."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not ctx.resilient_parsing:
            raise UnknownName("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


def language_of(ctx: Any) -> str:
    """The language chosen before the program was built."""
    return str(ctx.find_root().obj or "fr")


def _page(command: Any, ctx: Any, tell: Teller) -> RenderableType:
    usage = Prose.assemble((tell.say("cli.usage") + " ", "bold"), " ".join([ctx.command_path, *_usage(command)]))
    parts: list[RenderableType] = [usage, Padding(Prose(command.help or ""), (1, 0))]
    if isinstance(command, TyperGroup):
        parts += _block(tell.say("cli.commands"), [(name, one.help or "") for name, one in command.commands.items()
                                                   if not one.hidden], first_line=True)
    else:
        arguments = [(one.metavar or one.name.upper(), one.help or "") for one in command.params if _is_argument(one)]
        parts += _block(tell.say("cli.arguments"), arguments)
    parts += _block(tell.say("cli.options"), list(_options(command, ctx, tell)))
    return Group(*parts)


def _usage(command: Any) -> Iterator[str]:
    for one in command.params:
        if _is_argument(one):
            name = one.metavar or one.name.upper()
            yield name if one.required else f"[{name}]"
    yield "COMMAND …" if isinstance(command, TyperGroup) else "[--…]"


def _options(command: Any, ctx: Any, tell: Teller) -> Iterator[tuple[str, str]]:
    for one in command.get_params(ctx):
        if _is_argument(one) or getattr(one, "hidden", False):
            continue
        names = ", ".join(one.opts)
        metavar = "" if one.is_flag or one.opts[0] in OURS else f" {one.metavar or ''}".rstrip()
        text = tell.say(f"cli.{OURS[one.opts[0]]}") if one.opts[0] in OURS else one.help or ""
        yield f"{names}{metavar}", text


def _is_argument(one: Any) -> bool:
    return bool(one.param_type_name == "argument")


def _block(title: str, lines: list[tuple[str, str]], first_line: bool = False) -> list[RenderableType]:
    if not lines:
        return []
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", max_width=34)
    table.add_column()
    for name, text in lines:
        table.add_row(Prose(name), Prose(text.split("\n")[0] if first_line else text))
    return [Prose(title, "bold"), Padding(table, (0, 0, 1, 2))]


def refusal(error: Exception) -> ParaventError:
    """What the parser refused, as one of our errors."""
    ctx = getattr(error, "ctx", None)
    match type(error).__name__:
        case "NoSuchOption":
            known = [name for one in ctx.command.get_params(ctx) for name in one.opts] if ctx else []
            return UnknownName("option", getattr(error, "option_name", ""), known)
        case "MissingParameter":
            param = getattr(error, "param", None)
            return MissingField(field=(param.metavar or param.name.upper()) if param else "?")
        case "BadOptionUsage":
            return MissingField(field=getattr(error, "option_name", "?"))
    message = str(getattr(error, "message", error))
    if message.startswith("Missing command"):
        return MissingField(field="COMMAND")
    if "unexpected extra argument" in message:
        return OneWordTooMany(got=message[message.rfind("(") + 1:].rstrip(").") or message)
    return WrongUse(reason=message)
