"""The commands, built for one language.

Annotations are read by Typer when a command is declared, so this module does not postpone them.
"""

import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from paravent.dice import Choice, LiveFaces, PlayedDice, Take, Thrown, usually
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, KeyedFaces
from paravent.dice.play import ScriptedFaces
from paravent.game.errors import GameFault, NoSheet, UnknownName
from paravent.game.faults import author_fault
from paravent.game.move import Context
from paravent.game.records import AnyKind
from paravent.game.rulebook import Rulings
from paravent.game.system import System, system_at, system_names
from paravent.game.telling import Teller
from paravent.game.words import LANGUAGES

from . import FAULT, USAGE, author, complete, facts, files, forms, leaves, series, serve, show
from .errors import NeededTogether, NotDrawn, NotTogether
from .help import Commands, F, Subcommand, UsageError, refusal
from .terminal import Back, Terminal
from .writing import Writing


def language(words: Sequence[str]) -> str:
    """The language asked for: ``--lang``, else ``PARAVENT_LANG``, else French."""
    asked = os.environ.get("PARAVENT_LANG", "")
    before = list(words)[: list(words).index("--")] if "--" in words else list(words)
    for at, word in enumerate(before):
        if word == "--lang" and at + 1 < len(before):
            asked = before[at + 1]
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
    lang = asked.strip().lower().replace("-", "_").split("_")[0].split(".")[0]
    if not asked.strip():
        return LANGUAGES[0]
    if lang not in LANGUAGES:
        raise UnknownName("language", asked, LANGUAGES)
    return lang


def run(words: Sequence[str]) -> int:
    """Run a command line; what is refused is said in one sentence."""
    lang = LANGUAGES[0]
    tell = Teller(lang)
    try:
        lang = language(words)
        tell = Teller(lang)
        code = build(lang)(_of_a_game(list(words)), prog_name="paravent", obj=lang, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except ParaventError as error:
        told = refused(_teller_of(lang, _of_a_game(list(words))), error, "--json" in words)
        return FAULT if isinstance(error, GameFault) else told
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error)
            return 0
        return refused(tell, refusal(error), "--json" in words)
    except (typer.Abort, EOFError):
        return USAGE
    except Exception as error:
        fault = None if os.environ.get("PARAVENT_DEBUG") else author_fault(error)
        if fault is None and isinstance(error, OSError) and error.filename is not None:
            return refused(tell, forms.unreadable(error), "--json" in words)
        if fault is None:
            raise
        refused(_teller_of(lang, words), fault, "--json" in words)
        return FAULT


def _of_a_game(words: list[str]) -> list[str]:
    """``paravent <game> <page> …`` is one of the game's own pages."""
    return ["leaf", *words] if words and words[0] in system_names() else words


def _teller_of(lang: str, words: Sequence[str]) -> Teller:
    """The words of the game that the command line names, for refusals in its own terms."""
    for word in words[1:]:
        try:
            return Teller(lang, system_at(word))
        except ParaventError:
            continue
    return Teller(lang)


def refused(tell: Teller, error: ParaventError, as_json: bool = False) -> int:
    """Say a refusal on the error stream."""
    sentence = tell.error(error)
    if isinstance(error, NoSheet):
        sentence += " " + tell.say("cli.hints.sheet", role=error.values["role"])
    if as_json:
        near = [str(name) for name in getattr(error, "near", ())]
        sentence = json.dumps({"error": {"code": error.code, "message": sentence, "near": near}}, ensure_ascii=False)
    print(sentence, file=sys.stderr)
    return USAGE


def answered(given: facts.Facts, as_json: bool, lay_out: Callable[[show.Page, facts.Facts], None], lang: str) -> None:
    """Give an answer: as JSON, or laid out for people."""
    if as_json:
        print(json.dumps(given, ensure_ascii=False, indent=2))
    else:
        lay_out(show.Page(lang), given)


def build(lang: str) -> typer.Typer:
    """The program with its help in a language."""
    tell = Teller(lang)

    def say(key: str) -> str:
        return tell.say(f"cli.about.{key}")

    app = typer.Typer(cls=Commands, help=say("paravent"), no_args_is_help=True, rich_markup_mode=None,
                      pretty_exceptions_enable=False)

    def command(name: str) -> Callable[[F], F]:
        return app.command(name, cls=Subcommand, help=say(name))

    lang_option = typer.Option("--lang", metavar="fr|en", help=say("lang"), autocompletion=complete.languages)
    as_json = typer.Option("--json", help=say("json"))
    system_argument = typer.Argument(metavar="SYSTEM", help=say("system"), autocompletion=complete.systems)
    move_argument = typer.Argument(metavar="MOVE", help=say("move"), autocompletion=complete.moves)
    form_argument = typer.Argument(metavar="field=value…", help=say("form-words"), autocompletion=complete.fields)
    form_file = typer.Option("--form", metavar="FILE|-", help=say("form"))
    sheets = typer.Option("--sheet", metavar="role=FILE|role=ready:ID", help=say("sheet"),
                          autocompletion=complete.sheets)
    options = typer.Option("--option", metavar="key=value", help=say("option"), autocompletion=complete.options)
    encounter_state = typer.Option("--encounter", metavar="FILE|JSON", help=say("encounter"))
    day_number = typer.Option("--day", metavar="N", help=say("day"))
    seed_option = typer.Option("--seed", metavar="N", help=say("seed"))

    policy_name = typer.Option("--policy", metavar="usual|best|NAME", help=say("policy"),
                               autocompletion=complete.policies)
    given_answers = typer.Option("--answers", metavar="JSON|key=value", help=say("answers"))

    Json = Annotated[bool, as_json]  # noqa: N806
    Lang = Annotated[str, lang_option]  # noqa: N806
    SystemName = Annotated[str, system_argument]  # noqa: N806
    MoveName = Annotated[str, move_argument]  # noqa: N806
    Pairs = Annotated[list[str] | None, form_argument]  # noqa: N806
    FormFile = Annotated[str | None, form_file]  # noqa: N806
    Sheets = Annotated[list[str] | None, sheets]  # noqa: N806
    Options = Annotated[list[str] | None, options]  # noqa: N806
    State = Annotated[str | None, encounter_state]  # noqa: N806
    Day = Annotated[str, day_number]  # noqa: N806
    Seed = Annotated[str | None, seed_option]  # noqa: N806

    Policy = Annotated[str, policy_name]  # noqa: N806
    Given = Annotated[list[str] | None, given_answers]  # noqa: N806

    version_flag = typer.Option("--version", help=say("version"), is_eager=True, callback=_version)

    @app.callback()
    def paravent(lang_: Lang = lang, version: Annotated[bool, version_flag] = False) -> None:
        pass

    @command("systems")
    def systems(json_: Json = False, lang_: Lang = lang) -> None:
        answered(facts.systems(lang), json_, show.systems, lang)

    @command("moves")
    def moves(
        system: SystemName,
        move: Annotated[str | None, move_argument] = None,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        found = system_at(system)
        if move is None:
            answered(facts.moves(found, lang), json_, show.moves, lang)
        else:
            answered(facts.move(found, move, lang), json_, show.move, lang)

    @command("rules")
    def rules(
        system: SystemName,
        rule: Annotated[
            str | None, typer.Argument(metavar="ID", help=say("rule"), autocompletion=complete.rules)
        ] = None,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        found = system_at(system)
        if rule is None:
            answered(facts.rules(found, lang), json_, show.rules, lang)
        else:
            answered(facts.rule(found, rule, lang), json_, show.rule, lang)

    @command("tables")
    def tables(
        system: SystemName,
        table: Annotated[
            str | None, typer.Argument(metavar="NAME", help=say("table"), autocompletion=complete.tables)
        ] = None,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        found = system_at(system)
        if table is None:
            answered(facts.tables(found, lang), json_, show.tables, lang)
        else:
            answered(facts.table(found, table, lang), json_, show.table, lang)

    @command("options")
    def options_(system: SystemName, json_: Json = False, lang_: Lang = lang) -> None:
        answered(facts.options(system_at(system), lang), json_, show.options, lang)

    @command("advice")
    def advice(system: SystemName, json_: Json = False, lang_: Lang = lang) -> None:
        answered(facts.advice(system_at(system), lang), json_, show.advice, lang)

    @command("odds")
    def odds(
        system: SystemName,
        move: MoveName,
        form: Pairs = None,
        form_file: FormFile = None,
        sheet: Sheets = None,
        option: Options = None,
        encounter: State = None,
        day: Day = "0",
        policy: Policy = "usual",
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        ctx, later = read_context(lang, system, move, form, form_file, sheet, option, encounter, day)
        facts.known_policy(ctx.move, policy)
        answered(facts.odds(ctx, lang, policy, later), json_, show.odds, lang)

    @command("roll")
    def roll(
        system: SystemName,
        move: MoveName,
        form: Pairs = None,
        form_file: FormFile = None,
        sheet: Sheets = None,
        option: Options = None,
        encounter: State = None,
        day: Day = "0",
        seed: Seed = None,
        dice: Annotated[str | None, typer.Option("--dice", metavar="3,6,2", help=say("dice"))] = None,
        answers: Given = None,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        if seed is not None and dice is not None:
            raise NotTogether(one="--seed", other="--dice")
        ctx, later = read_context(lang, system, move, form, form_file, sheet, option, encounter, day)
        game = Teller(lang, ctx.system)
        in_order, by_key = forms.answers_from(answers or ())
        asking = not json_ and sys.stdin.isatty() and sys.stdout.isatty()
        table = _Table(game, ctx) if asking else None
        given = forms.Answers(game, in_order, by_key, table)
        source: Faces = LiveFaces()
        if seed is not None:
            source = KeyedFaces.from_seed(seed)
        elif dice is not None:
            source = ScriptedFaces(forms.faces(dice))
        thrown = PlayedDice(source, given)
        if table is not None:
            table.dice = thrown
        rolled = facts.roll(ctx, lang, thrown, given, later, seed)
        answered(rolled, json_, show.roll, lang)

    @command("create")
    def create(
        system: SystemName,
        seed: Seed = None,
        ready: Annotated[
            str | None, typer.Option("--ready", metavar="ID", help=say("ready"), autocompletion=complete.ready)
        ] = None,
        kind: Annotated[
            str | None, typer.Option("--kind", metavar="KIND", help=say("kind"), autocompletion=complete.kinds)
        ] = None,
        option: Options = None,
        listed: Annotated[bool, typer.Option("--list", help=say("list"))] = False,
        count: Annotated[str | None, typer.Option("--count", metavar="N", help=say("count"))] = None,
        into: Annotated[Path | None, typer.Option("--into", metavar="FILE", help=say("into"))] = None,
        write: Annotated[bool, typer.Option("--write", help=say("write"))] = False,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> int:
        found = system_at(system)
        if listed:
            answered(facts.ready_list(found, lang), json_, show.ready_list, lang)
        elif write:
            other = next((name for name, given in (("--seed", seed), ("--ready", ready), ("--count", count),
                                                   ("--json", json_)) if given), None)
            if other is not None:
                raise NotTogether(one="--write", other=other)
            made = hand_written(found, lang, kind, option or ())
            if made is None:
                return 1
            if into is not None:
                into.write_text(json.dumps(made.facts(found, lang), ensure_ascii=False, indent=2) + "\n", "utf-8")
            sheet_shown(found, made, json_, lang)
        elif count is not None or into is not None:
            if count is None or into is None or seed is None:
                raise NeededTogether(names=["--count", "--into", "--seed"])
            declared = found.kind(kind or found.usual_kind)
            return series.written(
                into, declared.id, seed, forms.whole(count, "--count", 1),
                lambda one: created(found, lang, one, ready, declared.id, option or ()).facts(found, lang), lang)
        else:
            sheet_shown(found, created(found, lang, seed, ready, kind, option or ()), json_, lang)
        return 0

    @command("record")
    def record(
        system: SystemName,
        source: Annotated[str, typer.Argument(metavar="FILE|-|ready:ID", help=say("record-file"))],
        as_: Annotated[str | None, typer.Option("--as", metavar="FORMAT", help=say("as"))] = None,
        from_: Annotated[str | None, typer.Option("--from", metavar="FORMAT", help=say("from"))] = None,
        option: Options = None,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        found, rulings = system_at(system), forms.rulings_from(system_at(system), option or ())
        kind, one = forms.typed_record_from(found, source, rulings, lang, written=from_ or "")
        if as_ is None:
            sheet_shown(found, Created(kind, one, rulings, None), json_, lang)
        elif as_ in kind.exports:
            print(kind.exports[as_](one, rulings), end="")
            if lost := Teller(lang, found).losses(kind, as_):
                print(lost, file=sys.stderr)
        else:
            raise UnknownName("format", as_, kind.exports)

    @command("leaf")
    def leaf(
        system: SystemName,
        name: Annotated[str, typer.Argument(metavar="PAGE", help=say("leaf-name"))],
        sources: Annotated[list[str] | None, typer.Argument(metavar="FILE|-…", help=say("record-file"))] = None,
        chosen: Annotated[list[str] | None, typer.Option("--set", metavar="field=value", help=say("leaf-set"))] = None,
        option: Options = None,
        day: Day = "0",
        player: Annotated[bool, typer.Option("--player", help=say("leaf-player"))] = False,
        into: Annotated[Path | None, typer.Option("--into", metavar="FILE", help=say("leaf-into"))] = None,
        json_: Json = False,
        lang_: Lang = lang,
    ) -> None:
        leaves.leaf(system_at(system), name, sources or (), chosen or (), option or (),
                    forms.whole(day, "--day", 0), lang, json_, player, into)

    @command("play")
    def play(
        system: Annotated[
            str | None, typer.Argument(metavar="SYSTEM", help=say("system"), autocompletion=complete.systems)
        ] = None,
        seed: Seed = None,
        option: Options = None,
        lang_: Lang = lang,
    ) -> None:
        from .play import evening

        evening(lang, system, seed, option or ())

    serve.declare(command, lang, lang_option)
    files.declare(command, lang, lang_option, as_json)
    author.declare(command, lang, lang_option, as_json)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(version("paravent"))
        raise typer.Exit


def read_context(
    lang: str, system: str, move: str, pairs: Sequence[str] | None, form_file: str | None,
    sheets: Sequence[str] | None, options: Sequence[str] | None, encounter: str | None, day: str,
) -> tuple[Context, forms.Later]:
    """Everything a move reads, from the command line; and, by actor, the fields asked after a result."""
    found = system_at(system)
    declared = found.move(move)
    rulings = forms.rulings_from(found, options or ())
    start = forms.form_from_json(declared, forms.file_or_json(form_file)) if form_file is not None else {}
    form = forms.form_from_pairs(declared, pairs or (), start)
    records = forms.records_from(found, declared, sheets or (), rulings, lang, form)
    state = forms.encounter_from(found, declared, encounter)
    now, later = forms.split_form(declared, form)
    ctx = found.context(declared, now, records, rulings, state, forms.whole(day, "--day", 0))
    forms.none_moot(ctx, later)
    return ctx, later


class Created(NamedTuple):
    """A record that was made or read, with the seed that draws it again."""

    kind: AnyKind
    record: object
    rulings: Rulings
    seed: str | None

    def facts(self, found: System, lang: str) -> facts.Facts:
        """As ``--json`` prints it."""
        return facts.record(found, self.kind, self.record, self.rulings, lang, self.seed)


def created(
    found: System, lang: str, seed: str | None, ready: str | None, kind: str | None, options: Sequence[str]
) -> Created:
    """A record, ready-made or drawn; a drawn one says the seed that draws it again."""
    if ready is not None and seed is not None:
        raise NotTogether(one="--ready", other="--seed")
    rulings = forms.rulings_from(found, options)
    if ready is not None:
        return Created(*forms.ready_made(found, ready, lang, kind or ""), rulings, None)
    declared = found.kind(kind or found.usual_kind)
    chosen = seed if seed is not None else str(secrets.randbelow(1_000_000))
    if declared.grown is not None:
        return Created(declared, declared.grown(chosen, rulings), rulings, chosen)
    if declared.draw is None:
        raise NotDrawn(kind=declared.id, ready=list(declared.ready(lang)) or ["–"])
    record = PlayedDice(KeyedFaces.from_seed(chosen), usually).resolve(declared.draw, rulings)
    return Created(declared, record, rulings, chosen)


def hand_written(found: System, lang: str, kind: str | None, options: Sequence[str]) -> Created | None:
    """A record that somebody writes at the terminal; none if they give it up."""
    rulings = forms.rulings_from(found, options)
    declared = found.kind(kind or found.usual_kind)
    page = show.Page(lang)
    page.title(page.say("play.welcome"), page.say("play.how"))
    try:
        return Created(declared, Writing(page, Terminal(page), found, declared, rulings).written(), rulings, None)
    except (Back, EOFError, KeyboardInterrupt):
        page.console.print()
        return None


def sheet_shown(found: System, made: Created, as_json: bool, lang: str) -> None:
    """A record on the page, and its map where it is one."""
    if made.kind.map is not None and not as_json:
        leaves.printed(found, made.kind.map(made.record, made.rulings), lang)
    answered(made.facts(found, lang), as_json, show.record, lang)


class _Table:
    """Asks a rule's choices at the terminal, with the dice thrown so far before everybody's eyes."""

    def __init__(self, tell: Teller, ctx: Context) -> None:
        self._tell, self._ctx = tell, ctx
        self._shown = 0
        self.dice: PlayedDice | None = None

    def __call__(self, choice: Choice) -> object:
        tell = self._tell
        self._show_dice()
        print(tell.say("cli.choice", who=tell.part(self._ctx, choice.who), question=tell.choice(choice)))
        if stakes := tell.stakes(choice.key, choice.values):
            print(f"  {stakes}")
        for at, option in enumerate(choice.options, start=1):
            print(f"  {at}. {tell.option(choice, option)}")
        if any(isinstance(option, Take) for option in choice.options):
            print(f"  {tell.say('cli.by-number')}")
        while True:
            text = input(f"{tell.say('cli.your-answer', usual=tell.option(choice, choice.usual))} ").strip()
            if not text:
                return choice.usual
            if text.isdigit() and 1 <= int(text) <= len(choice.options):
                return choice.options[int(text) - 1]
            named = re.fullmatch(r"d\s*(\d+(?:\s*,\s*\d+)*)", text)
            if named:
                return {"dice": forms.faces(named[1])}
            option = forms.meant(tell, choice, text)
            if option in choice.options:
                return option

    def _show_dice(self) -> None:
        record = self.dice.record if self.dice is not None else ()
        for entry in record[self._shown:]:
            if isinstance(entry, Thrown):
                print(f"{self._tell.part(self._ctx, entry.role)}, {self._tell.thrown(entry)}")
        self._shown = len(record)
