"""« Résolution de l'action »: three dice, those above the score to beat set aside, and what the others mean.

Both editions throw alike. In the fourth the player's attitude says which numbers of kept dice bring a side effect; in
the fifth the game master has attached effects to them, and a handicapping state is compared with them. Points may be
spent once the dice lie there, under everybody's veto.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from paravent.dice import Dice, Kinds, Take
from paravent.game import Rulings, rule
from paravent.systems.solaires.facts import DICE, NEEDED, SIDES, Edition, Use
from paravent.systems.solaires.points.rules import cost_of, is_vetoed

from .attitude import Cells, SideEffect, gm_effects, handicap_triggers, pattern_effects, quality
from .facts import Attitude, Origin, Polarity, Quality, Verdict

KEPT, DISCARDED = "kept", "discarded"


class Spend(StrEnum):
    """What a player may do once the dice lie there, besides naming a die to throw again."""

    STOP = "stop"
    DESCRIBE = "describe"


class Payer(NamedTuple):
    """Somebody who may pay for a die thrown again: the name that the rule gives him, and his points."""

    who: str
    points: int


class Terms(NamedTuple):
    """Under what terms an action is rolled: agreed before, unchanged until its end."""

    target: int
    attitude: Attitude = Attitude.STABLE
    """The player's pattern: v4, or v5 where the table misses it."""
    preset: Attitude = Attitude.STABLE
    """The game master's pattern, v5."""
    effects: tuple[tuple[SideEffect, ...], ...] = ((), (), (), ())
    """What the game master attached to 0, 1, 2 and 3 kept dice."""
    unfavourable: int = 0
    """The negative effects that elements used for their score bring whatever happens."""
    handicap: int = 0
    """The score of the handicapping state, 0 for none."""
    automatic: bool = False
    """Whether a target out of reach of the dice ends the action without any side effect."""
    payers: tuple[Payer, ...] = ()
    reroll: int = 2
    """What throwing one die again costs."""
    describe: int = 1
    """What describing the consequences oneself costs."""
    veto: str = "anyone"
    points_asked: str = "always"
    """When whoever has points is asked about them, once the dice lie there."""


class Action(NamedTuple):
    """An action resolved."""

    success: bool
    kept: int
    quality: Quality
    effects: tuple[SideEffect, ...] = ()
    target: int = 0
    rolled: bool = True
    spent: tuple[int, ...] = ()
    """Points paid, payer by payer."""
    narrator: str = "gm"
    """Who is to tell the consequences, unless what they write is vetoed."""


def terms_of(
    target: int, rulings: Rulings, *, attitude: Attitude = Attitude.STABLE, preset: Attitude = Attitude.STABLE,
    effects: Cells | None = None, unfavourable: int = 0, handicap: int = 0, payers: tuple[Payer, ...] = (),
) -> Terms:
    """The terms of an action at this table."""
    return Terms(
        target, attitude, preset, gm_effects(effects or Cells()), unfavourable, handicap, is_automatic(rulings), payers,
        cost_of(Use.REROLL_DIE, rulings), cost_of(Use.DESCRIBE_CONSEQUENCES, rulings), rulings.veto,
        rulings.points_asked,
    )


@rule("SOL-041", "SOL-042")
def is_automatic(rulings: Rulings) -> bool:
    """Whether a target of 0 or less, or of 6 or more, settles the action without side effect.

    In v5 it does (R-12, R-46). In v4 no die is kept, or all are, and the rest follows as ever (R-02).
    """
    if rulings.edition == Edition.V4:
        return rulings.v4_auto == "true"
    return rulings.auto_counts_as == "nothing"


@rule("SOL-043")
@lru_cache(maxsize=16)
def kept_under(target: int) -> Kinds:
    """The faces of a die against a target: those above it are discarded, the others are kept."""
    return Kinds(SIDES, **{KEPT: range(1, target + 1), DISCARDED: range(target + 1, SIDES + 1)})


@rule("SOL-044")
def succeeds(kept: int) -> bool:
    """Two or three kept dice succeed."""
    return kept >= NEEDED


@rule("SOL-004", "SOL-041", "SOL-042")
def action(dice: Dice, terms: Terms) -> Action:
    """Roll three dice against the target. Out of their reach nothing is thrown: all dice are kept, or none."""
    if not 0 < terms.target < SIDES:
        kept = DICE if terms.target >= SIDES else 0
        dice.note("SOL-042" if terms.automatic else "SOL-041", "no_roll", target=terms.target)
        return dice.then(told_by, certain(kept, terms), terms)
    kept, _ = dice.counts(DICE, kept_under(terms.target))
    return dice.then(go_on, kept, tuple(0 for _ in terms.payers), terms)


@rule("SOL-041", "SOL-042")
def certain(kept: int, terms: Terms) -> Action:
    """What a target out of the dice's reach gives: everything follows from the number of dice it stands for."""
    if not terms.automatic:
        return settled(kept, (), terms)._replace(rolled=False)
    success = succeeds(kept)
    plain = Quality.SUCCESS_PLAIN if success else Quality.FAILURE_PLAIN
    return Action(success, kept, plain, (), terms.target, False)


@rule("SOL-115")
def told_by(dice: Dice, done: Action, terms: Terms) -> Action:
    """Without dice there is nothing to throw again, but the player may still pay to tell the end himself."""
    if not terms.payers or terms.payers[0].points < terms.describe or not is_asked(done, terms):
        return done
    wanted = dice.choose(terms.payers[0].who, "spend", (Spend.STOP, Spend.DESCRIBE), rule="SOL-115",
                         alone=terms.describe, points=terms.payers[0].points)
    return done if wanted == Spend.STOP else done._replace(narrator=terms.payers[0].who)


@rule("SOL-115", "SOL-113")
def telling(dice: Dice, words: str, cost: int, right: str) -> bool:
    """The end as the player wrote it: the others read the words, and may veto them.

    Vetoed, they are not told, nothing is paid for them, and the game master tells.
    """
    if is_vetoed(dice, Use.DESCRIBE_CONSEQUENCES, right, words=words):
        return False
    dice.note("SOL-115", "describes", n=cost)
    return True


@rule("SOL-117", "SOL-115")
def go_on(dice: Dice, kept: int, spent: tuple[int, ...], terms: Terms) -> Action:
    """Whoever has points may have a die thrown again, as often as he pays; the initiator may also describe himself.

    A die that is vetoed stays as it lies, costs nothing, and is not offered again; one may still tell the end. Whoever
    tells it lets the dice lie (R-26).
    """
    dice.note("SOL-043", "kept", n=kept, target=terms.target)
    return dice.then(spending, kept, spent, 0, False, terms)


def spending(dice: Dice, kept: int, spent: tuple[int, ...], at: int, refused: bool, terms: Terms) -> Action:
    """The next who may pay is asked; when nobody is left, the dice stand. ``refused`` says that a die was vetoed."""
    if at >= len(terms.payers) or not is_asked(settled(kept, spent, terms), terms):
        return finished(dice, kept, spent, "gm", terms)
    payer = terms.payers[at]
    uses = offered(kept, payer.points - spent[at], at == 0, refused, terms)
    tells = {"tells": terms.describe} if Spend.DESCRIBE in uses else {}
    wanted = dice.choose(payer.who, "spend", uses, rule="SOL-117", n=kept, cost=terms.reroll,
                         points=payer.points - spent[at], **tells)
    if wanted == Spend.STOP:
        return dice.then(spending, kept, spent, at + 1, False, terms)
    if wanted == Spend.DESCRIBE:
        return finished(dice, kept, spent, payer.who, terms)
    if is_vetoed(dice, Use.REROLL_DIE, terms.veto, payer.who if at else ""):
        return dice.then(spending, kept, spent, at, True, terms)
    return dice.then(throw_again, kept - (wanted == _TAKE_KEPT), _paid(spent, at, terms.reroll), terms)


@rule("SOL-117", "SOL-115")
def is_asked(done: Action, terms: Terms) -> bool:
    """Whether points are asked about as the dice lie: where they may serve, after a failure or a side effect.

    A table may have it asked after every throw: any die may be thrown again, whatever it shows (R-53).
    """
    return terms.points_asked == "always" or not done.success or bool(done.effects)


_TAKE_KEPT, _TAKE_DISCARDED, THE_DIE_NAMED = Take(KEPT), Take(DISCARDED), Take()


def offered(kept: int, points: int, own: bool, refused: bool, terms: Terms) -> tuple[Spend | Take, ...]:
    """What these points allow: stop, throw a die again unless that was refused, tell the end oneself."""
    again = points >= terms.reroll and points > 0 and not refused
    tells = own and points >= terms.describe
    return (
        Spend.STOP,
        *((_TAKE_DISCARDED,) if again and kept < DICE else ()),
        *((_TAKE_KEPT,) if again and kept else ()),
        *((Spend.DESCRIBE,) if tells else ()),
    )


def _paid(spent: tuple[int, ...], at: int, points: int) -> tuple[int, ...]:
    return (*spent[:at], spent[at] + points, *spent[at + 1:])


@rule("SOL-117")
def throw_again(dice: Dice, kept: int, spent: tuple[int, ...], terms: Terms) -> Action:
    """One die alone; its new face stands for the old one, better or worse, and everything is read anew."""
    dice.note("SOL-117", "thrown_again", n=terms.reroll)
    again, _ = dice.counts(1, kept_under(terms.target), THE_DIE_NAMED)
    return dice.then(go_on, kept + again, spent, terms)


def finished(dice: Dice, kept: int, spent: tuple[int, ...], narrator: str, terms: Terms) -> Action:
    """The dice as they stand, read."""
    done = settled(kept, spent, terms)._replace(narrator=narrator)
    dice.note("SOL-044", "success" if done.success else "failure", n=kept)
    used = terms.unfavourable
    for effect in done.effects:
        key = "effect_pattern" if effect.origin == Origin.GM and not effect.text else f"effect_{effect.origin}"
        is_used = effect.origin == Origin.HANDICAP and used > 0
        used -= is_used
        dice.note("SOL-060" if is_used else _SAID_BY[effect.origin], key, kind=effect.kind, text=effect.text)
    return done


_SAID_BY = {Origin.ATTITUDE: "SOL-050", Origin.GM: "SOL-052", Origin.HANDICAP: "SOL-062"}
"""The rule that an effect comes from; an element used although it hinders brings its own first (SOL-060)."""


@rule("SOL-044", "SOL-050", "SOL-051", "SOL-052", "SOL-053", "SOL-060", "SOL-062")
def settled(kept: int, spent: tuple[int, ...], terms: Terms) -> Action:
    """Success by the kept dice; apart from it, the effects of the attitude, of the game master, of handicaps.

    An unfavourable element used for its score always brings its effect; a declared state does unless more dice are
    kept than its score. Dice thrown again count as they now lie (R-17).
    """
    pattern = terms.attitude if terms.attitude != Attitude.STABLE else terms.preset
    effects = (
        *pattern_effects(kept, terms.attitude, Origin.ATTITUDE),
        *pattern_effects(kept, terms.preset, Origin.GM),
        *terms.effects[kept],
        *(SideEffect(Origin.HANDICAP, "negative") for _ in range(terms.unfavourable)),
        *((SideEffect(Origin.HANDICAP, "negative"),) if handicap_triggers(kept, terms.handicap) else ()),
    )
    return Action(succeeds(kept), kept, quality(kept, pattern), effects, terms.target, True, spent)


@rule("SOL-025", "SOL-010", "SOL-014")
def declared(dice: Dice, verdict: Verdict) -> Action | None:
    """Without a roll: a trivial deed succeeds, an impossible one fails, neither with a side effect.

    What would only undo an earlier action is refused (the rule of ko): there was no action.
    """
    dice.note("SOL-014" if verdict == Verdict.KO else "SOL-025", f"declared_{verdict}")
    if verdict == Verdict.KO:
        return None
    success = verdict == Verdict.TRIVIAL
    return Action(success, DICE if success else 0, Quality.SUCCESS_PLAIN if success else Quality.FAILURE_PLAIN,
                  rolled=False)


def rerolls_failures(who: str, key: str, options: tuple[Any, ...], usual: Any) -> Any:
    """Policy: a discarded die is thrown again as long as there are points, whatever else is at stake."""
    return _TAKE_DISCARDED if key == "spend" and _TAKE_DISCARDED in options else usual


ENDS = {f"{end}{along}": end == "success" for end in ("success", "failure")
        for along in ("", "_good", "_bad", "_both")}
"""The keys of an action that say whether it succeeded."""


def outcome_of(done: Action | None) -> str:
    """The short key of an action: success or failure, and whether good or bad comes with it."""
    if done is None:
        return "refused"
    kinds = {effect.polarity for effect in done.effects}
    along = "both" if len(kinds) > 1 else "".join("good" if kind == Polarity.POSITIVE else "bad" for kind in kinds)
    return ("success" if done.success else "failure") + (f"_{along}" if along else "")
