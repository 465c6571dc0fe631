"""Shell completion: games, moves, fields and their values, whatever the shell does with the equals sign."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import typer

from paravent.dice import plain
from paravent.dice.errors import ParaventError
from paravent.game.asking import values_of
from paravent.game.errors import STUMBLES
from paravent.game.move import AnyField, Context, Field, Move
from paravent.game.system import System, find_system, system_at, system_names
from paravent.game.telling import Teller
from paravent.game.words import LANGUAGES

from .forms import place
from .help import language_of

Found = Iterable[tuple[str, str]]


def _quiet(complete: Callable[..., Found]) -> Callable[..., list[tuple[str, str]]]:
    """A completion that offers nothing rather than an error in the middle of somebody's typing."""

    def offered(ctx: typer.Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
        try:
            return [(name, help) for name, help in complete(ctx, args, incomplete) if name.startswith(incomplete)]
        except (ParaventError, *STUMBLES):
            return []

    return offered


def _named(ctx: typer.Context) -> tuple[str, str]:
    """The game and the move already typed; after an option without its value the parser forgets them."""
    system, move = ctx.params.get("system"), ctx.params.get("move")
    if system is None:
        line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
        words = line.split()
        at = next((at for at, word in enumerate(words) if at > 1 and word in system_names()), len(words))
        system, move = (*words[at:at + 2], "", "")[:2]
    return str(system), str(move)


def _system(ctx: typer.Context) -> System:
    return system_at(_named(ctx)[0])


def _move(ctx: typer.Context) -> Move:
    return _system(ctx).move(_named(ctx)[1])


def _systems(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    for name in system_names():
        yield name, Teller(language_of(ctx), find_system(name)).say("system.name")


def _moves(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    found = _system(ctx)
    tell = Teller(language_of(ctx), found)
    return [(name, tell.title(f"moves.{name}")) for name in found.moves]


def _rules(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    lang = language_of(ctx)
    return [(one.id, one.title.get(lang, "")) for one in _system(ctx).book.rules.values()]


def _tables(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    lang, found = language_of(ctx), _system(ctx)
    return [(name, found.tables[name].title.get(lang, "")) for name in found.tables]


def _ready(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    lang = language_of(ctx)
    return [(name, str(getattr(one, "name", ""))) for kind in _system(ctx).kinds.values()
            for name, one in kind.ready(lang).items()]


def _kinds(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    found = _system(ctx)
    tell = Teller(language_of(ctx), found)
    return [(name, tell.title(f"kinds.{name}")) for name in found.kinds]


def _options(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    lang = language_of(ctx)
    for one in _system(ctx).book.options.values():
        for value in one.values:
            yield f"{one.key}={value}", one.words[value].get(lang, "")


def _policies(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    move = _move(ctx)
    return [(name, "") for name in dict.fromkeys(("usual", "best", *(n for s in move.resolves for n in s.policies)))]


def _sheets(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    found = _system(ctx)
    move = _move(ctx)
    names = [name for kind in found.kinds.values() for name in kind.ready(language_of(ctx))]
    return [(f"{role.id}=ready:{name}", "") for role in move.cast if role.id != "gm" for name in names]


def _languages(ctx: typer.Context, args: list[str], incomplete: str) -> Found:
    return [(lang, "") for lang in LANGUAGES]


def fields(ctx: typer.Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """Field names with their equals sign, then values; Bash cuts words at the equals sign, others do not."""
    try:
        found = _system(ctx)
        move = _move(ctx)
        typed = [str(word) for word in ctx.params.get("form") or ()]
        return list(_fields(Teller(language_of(ctx), found), move, found.context(move, {}), typed, incomplete))
    except (ParaventError, *STUMBLES):
        return []


def _fields(tell: Teller, move: Move, ctx: Context, args: list[str], incomplete: str) -> Iterator[tuple[str, str]]:
    if incomplete in ("", "=") and args and "=" not in args[-1]:
        name, typed, before = args[-1], "", ""  # the shell cut here, and the equals sign went with it
    elif len(args) > 1 and args[-1] == "=":
        name, typed, before = args[-2], incomplete, ""
    elif "=" in incomplete:
        name, _, typed = incomplete.partition("=")
        before = f"{name}="
    else:
        for asked in move.fields:
            for spelled in (f"{asked.id}=", f"{asked.role}.{asked.id}="):
                if spelled.startswith(incomplete) and (incomplete or "." not in spelled):
                    yield spelled, tell.title(f"fields.{asked.id}")
        return
    role, _, field = place(move, name)
    for value, words in _values(tell, move.field(field, role), ctx):
        if value.startswith(typed):
            yield f"{before}{value}", words


def _values(tell: Teller, asked: AnyField, ctx: Context) -> Iterator[tuple[str, str]]:
    from paravent.game.fields import Many, Score

    kind = asked.type.of if isinstance(asked.type, Many) else asked.type
    listed: Iterable[Any] = values_of(Field(asked.id, kind), ctx)
    if isinstance(kind, Score):
        listed = kind.describe(ctx).options or ()
    for value in listed:
        spelled = plain(value)
        yield str(spelled).lower() if isinstance(spelled, bool) else str(spelled), tell.value(value)


systems, moves, rules, tables = _quiet(_systems), _quiet(_moves), _quiet(_rules), _quiet(_tables)
ready, kinds, options = _quiet(_ready), _quiet(_kinds), _quiet(_options)
policies, sheets, languages = _quiet(_policies), _quiet(_sheets), _quiet(_languages)
