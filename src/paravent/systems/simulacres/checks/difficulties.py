"""The difficulties that the game master sets, open and hidden, as a move asks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from paravent.game import AnyField, Context, Field, FieldFacts, Flag, Steps, Whole
from paravent.game.errors import Withheld
from paravent.game.fields import FieldType
from paravent.game.plain import Plain
from paravent.systems.simulacres.actors import has
from paravent.systems.simulacres.people.character import plain_name
from paravent.systems.simulacres.terms import TABLES

from .check import Modifier, difficulty, named_difficulty

PROBES = (-4, -2, -1, 0, 1, 2, 4)
"""The named difficulties: odds are shown for each where the true one is hidden."""


@dataclass(frozen=True)
class Factors(FieldType[tuple[Modifier, ...]]):
    """Difficulties that add up: numbers, named steps (``Difficile``), or either with a label (``rain:-2``)."""

    name = "many"

    def read(self, raw: object, field: str, ctx: Context) -> tuple[Modifier, ...]:
        if isinstance(raw, (list, tuple)) and not isinstance(raw, Modifier):
            parts: Sequence[object] = raw
        else:
            parts = [raw] if not isinstance(raw, str) else [part for part in raw.split(",") if part.strip()]
        return tuple(self._one(part, field, ctx) for part in parts)

    def _one(self, part: object, field: str, ctx: Context) -> Modifier:
        if isinstance(part, Modifier):
            return part
        if isinstance(part, Mapping):
            return Modifier(str(part["name"]), Whole().read(part["points"], field, ctx))
        label, _, number = str(part).rpartition(":")
        step = _step_called(number)
        if step:
            return Modifier(label.strip() or step, named_difficulty(step))
        return Modifier(label.strip() or "difficulty", Whole().read(number.strip(), field, ctx))

    def describe(self, ctx: Context) -> FieldFacts:
        steps: list[Plain] = [step for step in map(str, TABLES["difficulty"].keys()) if named_difficulty(step)]
        return FieldFacts(self.name, of=FieldFacts("score", steps, None, None), least=0, most=None)


def _step_called(words: str) -> str:
    """The step that somebody calls by its name, in either language; empty for what is none."""
    table, called = TABLES["difficulty"], plain_name(words)
    return next((step for step in map(str, table.keys())
                 if called in (step, *(plain_name(table.word(step, lang)) for lang in ("fr", "en")))), "")


STEPS: Steps = Steps(PROBES)
"""The seven named steps, each a button."""


@dataclass(frozen=True)
class Step(Factors):
    """How hard it is: one of the seven named steps, or any number; several are added up."""

    name = "score"

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, list(TABLES["difficulty"].keys()))


def _said_openly(name: str) -> Callable[[Context], bool]:
    """What was said before the rest was hidden still counts: it stays there to be taken back."""
    return lambda ctx: not hides(ctx) or bool(ctx.one("gm").filled.get(name))


DIFFICULTY: Field[tuple[Modifier, ...]] = Field(
    "difficulty", Step(), "gm", usual=(), rule="SIM-005", place="judgement", shape=STEPS,
    when=_said_openly("difficulty"),
)
MORE_DIFFICULTIES: Field[tuple[Modifier, ...]] = Field(
    "more_difficulties", Factors(), "gm", usual=(), rule="SIM-005", place="refinement",
    when=_said_openly("more_difficulties"),
)
HIDE_DIFFICULTY = Field("hide_difficulty", Flag(), "gm", usual=False, rule="SIM-024", place="essential")
HIDDEN_DIFFICULTY: Field[int | None] = Field(
    "hidden_difficulty", Whole(), "gm", usual=0, secrecy="gm", probes=PROBES, rule="SIM-024", place="judgement",
    shape=STEPS, when=lambda ctx: ctx[HIDE_DIFFICULTY],
)
MORE_HIDDEN: Field[tuple[Modifier, ...]] = Field(
    "more_hidden", Factors(), "gm", usual=(), secrecy="gm", rule="SIM-005", place="refinement",
    when=lambda ctx: ctx[HIDE_DIFFICULTY],
)
DIFFICULTIES: tuple[AnyField, ...] = (
    DIFFICULTY, MORE_DIFFICULTIES, HIDE_DIFFICULTY, HIDDEN_DIFFICULTY, MORE_HIDDEN,
)


LIGHTLY: tuple[AnyField, ...] = tuple(replace(asked, place="refinement") for asked in DIFFICULTIES)
"""The same where the rule has figures of its own, and the game master seldom adds any."""


def hides(ctx: Context) -> bool:
    """Whether the game master keeps the difficulty to himself."""
    return bool(has(ctx, ctx.one("gm"), HIDE_DIFFICULTY))


def difficulty_terms(ctx: Context) -> tuple[Modifier, ...]:
    """The difficulties that the game master set, open and hidden."""
    gm = ctx.one("gm")
    hidden = (has(ctx, gm, HIDDEN_DIFFICULTY) or 0) + _more_hidden(ctx) if hides(ctx) else 0
    said = *(has(ctx, gm, DIFFICULTY) or ()), *(has(ctx, gm, MORE_DIFFICULTIES) or ())
    return (*said, *((Modifier("hidden_difficulty", hidden),) if hidden else ()))


def _more_hidden(ctx: Context) -> int:
    """The other reasons that the game master keeps to himself: whoever may not know them weighs the steps alone."""
    try:
        return total(has(ctx, ctx.one("gm"), MORE_HIDDEN) or ())
    except Withheld:
        return 0


def total(terms: Sequence[Modifier]) -> int:
    """The sum of some terms."""
    return difficulty(term.points for term in terms)
