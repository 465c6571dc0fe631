"""How a game looks: its colours, made readable on light and on dark; its own templates and ornament, if it has any."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from types import FunctionType, MethodType
from typing import Any

from jinja2 import BytecodeCache, ChoiceLoader, Environment, PackageLoader, StrictUndefined, nodes, select_autoescape
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup, escape
from msgspec import UNSET

from paravent.dice import ParaventError
from paravent.game import System, find_system, system_names

from .drawn import BASE, PROOF, fresh_id, picture_at

LIGHT, DARK = "#ebe4d5", "#1d1e29"
"""The papers that colours are read on: the darkest by day, a sheet by night."""
BY_DAY, BY_NIGHT = 4.6, 7.2
"""How far a colour must stand out on them; at night, text also stands on the colour itself."""
SHEETS = {
    "looks.css": ("base", "controls", "table", "moves", "sheets", "log", "narrow", "readers"),
    "leaves.css": ("leaves", "vignettes"),
}
"""How every page looks, and those that a game brings of its own, by subject; what comes later may say otherwise."""
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_SAFE = re.compile(r"[a-z0-9-]+")
_SCRIPTS_LAYOUT = re.compile(r"^ *(/\*.*?\*/\n)?| +(// .*)?(?=\n)", re.MULTILINE)
"""What a script's lines begin with, and the comments between and behind them; ours has no text over several lines."""
_SCRIPTS_LINES = re.compile(r"(?<=[;{,(\n])\n")
"""Where a script's line goes on, or has said where it ends."""
_ROOM = re.compile(r" (=>|===?|!==|=|&&|\|\||\?\??|\+|[<>]=?) |(?<=\bif) (?=\()|(?<=\)) (?={)|(?<={) | (?=})")
"""Signs of a script with room about them, and braces; no text of ours holds one that means something else without."""
_INDENT = re.compile(r"(?<![%#]}\n)^ +|(?<=[%#]}\n) +(?= )", re.MULTILINE)
"""What begins a line, but for a space after a statement's line, whose end Jinja takes away."""
_ALONE = re.compile(r"(?<![%#]}\n)(?<=\n)( *{%(?!-)(?:(?!%}).)*%}\n) +")
"""What follows a statement alone on its line, between two of text: the end of the line before it parts them already."""


class _Unindented(Extension):
    """Pages are laid out in their templates to be read; they are sent without that."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return _INDENT.sub("", _ALONE.sub(r"\1", source)) if str(name).endswith(".html") else source


class _Drawing(Context):
    """What a template is drawn with. Most of what templates call are macros, or plain functions and methods of ours:
    neither is asked first what it would like to be given."""

    def call(self, called: Callable[..., Any], *args: Any, **values: Any) -> Any:
        kind: type = type(called)
        if isinstance(called, Macro):
            return self._drawn(called, args, values)
        if kind not in _PLAIN or hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **values)
        if values:
            values.pop("_block_vars", None)
            values.pop("_loop_vars", None)
        return called(*args, **values)

    def _drawn(self, macro: Macro, args: tuple[Any, ...], values: dict[str, Any]) -> Any:
        """What a macro draws: it is given what it has names for, in their order; whatever is more than that it sees to
        itself."""
        if values:
            values.pop("_block_vars", None)
            values.pop("_loop_vars", None)
        rest = macro.arguments[len(args):]
        if macro.caller or macro.catch_kwargs or macro.catch_varargs or len(args) > len(macro.arguments) or (
                values and not values.keys() <= {*rest}):
            return macro(self.eval_ctx, *args, **values)
        drawn = macro._func(*args, *[values.get(name, missing) for name in rest])
        return str.__new__(Markup, drawn) if self.eval_ctx.autoescape else drawn


_PLAIN: tuple[type, ...] = (FunctionType, MethodType)
_SIGNS = re.compile("[&<>\"']")


def _escaped(text: Any) -> str:
    """A text as it stands in a page; most hold nothing that would have to be written otherwise."""
    kind = type(text)
    safe: bool = kind is Markup or (kind is str and _SIGNS.search(text) is None)
    return text if safe else escape(text)


class _Written(CodeGenerator):
    """Templates as code: what they read of something, and what they say of it, is read and said there and then, without
    asking the environment, unless it is not there."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped(")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        self.write("(_found if (_found := getattr((_of := ")
        self.visit(node.node, frame)
        self.write(f"), {node.attr!r}, environment.unset)) is not environment.unset"
                   f" else environment.getattr(_of, {node.attr!r}))")


class _Pages(Environment):
    """Where templates read what a seat sees: what is not there is undefined, and nothing stands for it."""

    context_class, code_generator_class = _Drawing, _Written
    escaped, unset = staticmethod(_escaped), UNSET

    def getattr(self, obj: Any, attribute: str) -> Any:
        try:
            found = getattr(obj, attribute)
        except AttributeError:
            found = super().getattr(obj, attribute)
        return self.undefined(obj=obj, name=attribute) if found is UNSET else found

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What every template reads, in one mapping: ours are all known before the first is read, and each drawing
        and each import of macros goes through them."""
        return {**self.globals, **(d or {})}


class _Compiled(BytecodeCache):
    """Templates as they were compiled for the first game that showed them; another game need not wait for it again."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()
_NOW: ContextVar[dict[str, Any]] = ContextVar("what is being drawn")


@contextmanager
def drawing(**values: Any) -> Iterator[None]:
    """While something is drawn with these values. Macros are read once for a game, and say what they say for whatever
    is being drawn just then."""
    before = _NOW.set(values)
    try:
        yield
    finally:
        _NOW.reset(before)


def _say(key: str, /, **values: Any) -> Any:
    """What is said in the language of what is being drawn."""
    return _NOW.get()["t"](key, **values)


def _piece(macro: Macro, *shown: Any) -> Any:
    """What a macro draws of something, where all that it says follows from what it is shown and from the language:
    drawn once by whoever keeps such pieces, there and then where nobody does."""
    keep: Callable[..., Markup] | None = _NOW.get().get("keep")
    return macro(*shown) if keep is None else keep(macro, *shown)


class _Stands:
    """Stands in a macro for a value of what is being drawn."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(_NOW.get()[self._name], attribute)


_MACROS = ("macros.html", "fields.html", "cards.html", "sheets.html")


@lru_cache(maxsize=32)
def environment(package: str = "") -> Environment:
    """The templates of the house; those that a game's package has in ``templates/`` come first."""
    loaders = [PackageLoader("paravent.web")]
    if package and files(package).joinpath("templates").is_dir():
        loaders.insert(0, PackageLoader(package))
    made = _Pages(
        loader=ChoiceLoader(loaders), autoescape=select_autoescape(("html", "svg")), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False, extensions=(_Unindented,), bytecode_cache=_COMPILED,
    )
    made.globals.update(piece=_piece, fresh_id=fresh_id, address_of=address_of, picture_at=picture_at)
    now = {"t": _say, "desk": _Stands("desk"), "system": _Stands("system"), "base": BASE, "proof": PROOF}
    for name in _MACROS:
        made.get_template(name, globals=now)
    return made


def made_ready(system: System) -> None:
    """Compile every page of a game before anybody asks for one."""
    pages = environment(system.package)
    for name in pages.list_templates(extensions=("html",)):
        pages.get_template(name)


def ornament(system: System) -> Markup:
    """The drawing that stands for a game: its own, or a folded screen."""
    return Markup(environment(system.package).get_template("ornament.svg").render(die=system.look.get("die", "")))


@cache
def sent(name: str) -> str:
    """One of our own files as it is sent: how every page looks, how those around the table do, what pages cannot do
    without a script."""
    if name in SHEETS:
        whole = _squeezed("".join(_text(f"looks/{part}.css") for part in SHEETS[name]))
        return whole + _colours() if name == "looks.css" else whole
    return (_squeezed if name.endswith(".css") else _lean)(_text(name))


@cache
def sheet_of_paper() -> str:
    """How a page looks that is a file of its own."""
    return _squeezed(_text("looks/vignettes.css") + _text("looks/paper.css"))


def address_of(name: str) -> str:
    """Where such a file is; a changed one has another address, so that no browser keeps the old one."""
    return f"/{name}?{sha256(sent(name).encode()).hexdigest()[:8]}"


def _text(name: str) -> str:
    return files("paravent.web").joinpath("static", *name.split("/")).read_text(encoding="utf-8")


def _colours() -> str:
    """The colours of every game installed."""
    rules = []
    for name in system_names():
        try:
            look: dict[str, Any] = dict(find_system(name).look)
        except ParaventError:
            continue
        colour = look.get("accent", "")
        if not _SAFE.fullmatch(name) or not _HEX.fullmatch(str(colour)):
            continue
        day, night = readable(colour, LIGHT, BY_DAY), readable(colour, DARK, BY_NIGHT)
        rules.append(f'[data-game="{name}"]{{--day:{day};--night:{night}}}')
    return "".join(rules)


def _squeezed(css: str) -> str:
    """A style sheet without what only its readers need."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = re.sub(r" ?([{};,>]) ?", r"\1", re.sub(r"\s+", " ", css))
    css = re.sub(r"(?<=[{;])([\w-]+): ", r"\1:", css).replace(";}", "}")
    return re.sub(r"(?<=[\s:(,-])0\.", ".", css).strip()


def _lean(script: str) -> str:
    """A script without what only its readers need."""
    return _ROOM.sub(r"\1", _SCRIPTS_LINES.sub("", _SCRIPTS_LAYOUT.sub("", script)))


def readable(colour: str, paper: str, wanted: float) -> str:
    """The nearest lighter or darker shade of a colour that can be read on a paper."""
    hue, light, sat = colorsys.rgb_to_hls(*_channels(colour))
    step = -0.02 if _luminance(paper) > 0.5 else 0.02
    while contrast(colour, paper) < wanted and 0 < light + step < 1:
        light += step
        colour = "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, light, sat))
    return colour


def contrast(one: str, other: str) -> float:
    """How far apart two colours are to the eye, as WCAG counts it: from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _luminance(colour: str) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
