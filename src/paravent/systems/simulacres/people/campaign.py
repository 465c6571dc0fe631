"""Simulacres, campaign rules and adventure points (appendix A): talents get levels, and characters grow.

The option ``ruleset`` says which tables play so: ``base`` has none of it, ``base_with_pa`` buys attributes, hobbies,
talents and trades, ``campaign`` replaces privileges by levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from paravent.game import Rulings, rule
from paravent.game.errors import UnknownName
from paravent.systems.simulacres.checks.check import Edge
from paravent.systems.simulacres.checks.common import base_level as printed_level
from paravent.systems.simulacres.checks.errors import ImpossibleUntrained
from paravent.systems.simulacres.errors import OptionOff
from paravent.systems.simulacres.terms import TABLES

from .character import NamedPoints, plain_name
from .errors import AboveTheMaximum, NeedsAgreement, NotAtCreation, TooExpensive, WrongJump, WrongTrade

Level = int | None
"""A talent's level, from −4 to +3; None is X, no notion at all."""
LEVELS: tuple[Level, ...] = (None, -4, -2, 0, 1, 2, 3)
AT_CREATION, YOUNGEST, OLDEST = 15, 13, 19
ADVISED = 1
WEEKS_FOR_A_POINT = 2
MOST_FOR_A_PAST = 4
LIGHT_WEAPONS = frozenset({"knife", "dagger", "truncheon"})
BARE_HANDED = ("brawling", "martial_arts")


@rule("SIM-A01")
def plays(rulings: Rulings, *rulesets: str) -> None:
    """Refuse what the table's rule set does not have."""
    if rulings.ruleset not in rulesets:
        raise OptionOff("SIM-A01", option="ruleset")


@rule("SIM-A02")
def creation_points(age: str = "adult", agreed: int = AT_CREATION) -> int:
    """What a beginner spends on talents and hobbies: 15; with the game master's leave 13 if young, 17 to 19 if aged."""
    if age == "young":
        return YOUNGEST
    if age == "aged":
        return min(OLDEST, max(AT_CREATION + 2, agreed))
    return AT_CREATION


@rule("SIM-A03")
def trade_levels(privileged: str, chosen: Sequence[str], listed: Sequence[str] = ()) -> dict[str, int]:
    """What a trade gives: its privileged talent at +1, three others of its list at 0, whatever their base."""
    if len(set(chosen)) != 3 or privileged in chosen:
        raise WrongTrade(chosen=list(chosen))
    if listed and (not 4 <= len(set(listed)) <= 8 or not {privileged, *chosen} <= set(listed)):
        raise WrongTrade(chosen=list(listed))
    return {privileged: 1, **dict.fromkeys(chosen, 0)}


def level_text(level: Level) -> str:
    """A level as the sheet writes it.

    >>> level_text(1), level_text(None), level_text(-2)
    ('+1', 'X', '-2')
    """
    return "X" if level is None else f"{level:+d}" if level else "0"


@rule("SIM-A04")
def base_level(talent: str, period: str = "modern") -> Level:
    """Where an unbought talent stands: X (no level at all), −4, −2 or 0."""
    return printed_level(talent, period)


@rule("SIM-A15")
def weapon_base_level(weapon: str) -> Level:
    """The base of a weapon talent: −2 for what is held easily in the hand, −4 for others; brawling 0."""
    if weapon in LIGHT_WEAPONS:
        return base_level("light_weapon")
    return base_level(weapon if weapon in BARE_HANDED else "normal_weapon")


@lru_cache(maxsize=1)
def _named() -> dict[str, str]:
    """The talents and weapons of the tables by every name they go by."""
    known: dict[str, str] = {}
    for table, at in (("talents", 1), ("weapons", 0)):
        for row in TABLES[table].rows:
            for name in (row[at], *(TABLES[table].word(row[at], lang) for lang in ("fr", "en"))):
                known.setdefault(plain_name(name), row[at])
    return known


def talent_named(name: str) -> str:
    """The id of the talent or weapon that goes by this name in either language; a name of one's own stays as it is.

    >>> talent_named("équitation"), talent_named("Fleuret"), talent_named("Latin")
    ('riding', 'foil', 'Latin')
    """
    return _named().get(plain_name(name), name)


def is_printed(talent: str) -> bool:
    """Whether the tables give this talent a base: all others are agreed with the game master."""
    return plain_name(talent) in _named()


def noted_level(levels: Iterable[NamedPoints], talent: str) -> int | None:
    """The level that a sheet notes for a talent, under any of its names; None where it notes none."""
    wanted = plain_name(talent_named(talent))
    return next((line.points for line in levels if plain_name(talent_named(line.name)) == wanted), None)


@rule("SIM-A04", "SIM-A15")
def talent_level(levels: Iterable[NamedPoints], talent: str, period: str = "modern") -> Level:
    """A talent's level: as the sheet notes it, else its base; each weapon is a talent of its own."""
    noted = noted_level(levels, talent)
    if noted is not None:
        return noted
    known = talent_named(talent)
    return weapon_base_level(known) if known in TABLES["weapons"].keys() else base_level(known, period)  # noqa: SIM118


# Prices


class Price(NamedTuple):
    """A line of the price table."""

    points: int
    maximum: int | None
    starred: bool
    at_creation: bool


@rule("SIM-A05", "SIM-A06", "SIM-A11", "SIM-A14")
def price(purchase: str, rulings: Rulings) -> Price:
    """What a purchase costs under the table's rule set: with the base rules talents have no levels to buy."""
    plays(rulings, "base_with_pa", "campaign")
    known = {row[0]: row for row in _price_rows(rulings)}
    if purchase not in known:
        raise UnknownName("value", purchase, known)
    _, points, maximum, starred, at_creation = known[purchase]
    return Price(points, None if maximum == "" else maximum, starred == "yes", at_creation == "yes")


def _price_rows(rulings: Rulings) -> list[Sequence[Any]]:
    table = TABLES["prices"]
    table.keys()
    if rulings.ruleset == "campaign":
        return list(table.rows)
    attributes = [row for row in table.rows if not row[0].startswith("talent_") and row[0] != "hobby"]
    return [*attributes, *table.extra["rows_base_with_pa"]]


def purchases(rulings: Rulings) -> tuple[str, ...]:
    """What adventure points may buy under the table's rule set."""
    return () if rulings.ruleset == "base" else tuple(str(row[0]) for row in _price_rows(rulings))


class Wanted(NamedTuple):
    """Something to buy: a line of the price table, the value before if there is one, whether a trade advises it."""

    purchase: str
    current: int | None = None
    advised: bool = False


@rule("SIM-A05", "SIM-A09")
def bill(
    wanted: Iterable[Wanted],
    budget: int,
    rulings: Rulings,
    *,
    at_creation: bool = False,
    agreed: bool = False,
) -> int:
    """What purchases cost in all; refused where one is above its maximum, starred without agreement, or too much.

    Each purchase pays the printed price of its jump. At creation only talents up to 0 and hobbies are sold, and talents
    that the trade advises cost 1 less.
    """
    total = 0
    for one in wanted:
        line = price(one.purchase, rulings)
        if at_creation and not line.at_creation:
            raise NotAtCreation(purchase=one.purchase)
        if line.maximum is not None and one.current is not None and one.current + 1 > line.maximum:
            raise AboveTheMaximum(purchase=one.purchase, maximum=line.maximum)
        if line.starred and not agreed:
            raise NeedsAgreement(purchase=one.purchase)
        cheaper = ADVISED if at_creation and one.advised and one.purchase.startswith("talent_") else 0
        total += line.points - cheaper
    if total > budget:
        raise TooExpensive(cost=total, budget=budget)
    return total


class Beginner(NamedTuple):
    """What a beginner starts with: the talents of the trade (privileged, three known, the rest), levels bought."""

    trade: tuple[str, ...] = ()
    bought: tuple[NamedPoints, ...] = ()
    hobbies: int = 0
    budget: int = AT_CREATION


@rule("SIM-A02", "SIM-A03", "SIM-A06", "SIM-A09")
def begin(beginner: Beginner, rulings: Rulings) -> tuple[tuple[NamedPoints, ...], int]:
    """The levels a beginner has and the points spent on them; refused where they cost more than he was given.

    The trade's own four talents are free. Bought ones pay the jump from their base, 1 less if the trade lists them; a
    talent of the table's own starts from X. Hobbies are bought too.
    """
    free: dict[str, int] = {}
    if beginner.trade:
        free = trade_levels(beginner.trade[0], beginner.trade[1:4], beginner.trade)
    known = {plain_name(talent_named(name)) for name in beginner.trade}
    wanted = [Wanted("hobby")] * beginner.hobbies
    for line in beginner.bought:
        if line.points > 0:
            raise NotAtCreation(purchase="talent_0_1")
        base = talent_level((), line.name) if is_printed(line.name) else None
        if line.points not in LEVELS or (base is not None and line.points < base):
            raise WrongJump(purchase=line.name, current=level_text(base))
        if base != line.points:
            jump = f"talent_{level_text(base)}_{level_text(line.points)}"
            wanted.append(Wanted(jump, advised=plain_name(talent_named(line.name)) in known))
    spent = bill(wanted, beginner.budget, rulings, at_creation=True)
    return (*(NamedPoints(name, level) for name, level in free.items()), *beginner.bought), spent


# Tests


@rule("SIM-A07")
def campaign_term(talent: str, level: Level) -> int:
    """What a talent adds to a campaign test: its level; where it is X, the act is impossible."""
    if level is None:
        raise ImpossibleUntrained("SIM-A07", talent=talent)
    return level


@rule("SIM-A08")
def campaign_edge(level: int) -> Edge:
    """When a success is critical in a campaign, and its dice, by the talent's level; no talent counts as 0."""
    row = TABLES["campaign_criticals"].row(min(3, max(0, level)))
    return Edge(row["up_to"], row["dice"])


# Gains


class Feat(StrEnum):
    """What earns adventure points."""

    MISSION = "mission"
    EPISODE = "large_episode"
    FAILED_ALIVE = "failed_alive"
    HEROIC_ACT = "heroic_act"
    TRAINING = "training"
    PAST = "past"


_EARNED = {Feat.MISSION: 3, Feat.EPISODE: 3, Feat.FAILED_ALIVE: 1, Feat.HEROIC_ACT: 1}


def feats(rulings: Rulings) -> tuple[Feat, ...]:
    """What earns points at a table: training and a past only with the campaign rules (SIM-A12, SIM-A13)."""
    return tuple(feat for feat in Feat if feat in _EARNED or rulings.ruleset == "campaign")


@rule("SIM-A10", "SIM-A12", "SIM-A13")
def earned(feat: Feat, count: int, rulings: Rulings) -> int:
    """The adventure points that a feat brings: ``count`` episodes, heroic acts, weeks of training, points for a past.

    Training gives 1 for two whole weeks, for one thing alone, and nothing with the base rules; a past that others were
    given is made up by 1 to 4.
    """
    plays(rulings, "base_with_pa", "campaign")
    if feat is Feat.TRAINING:
        plays(rulings, "campaign")
        return count // WEEKS_FOR_A_POINT
    if feat is Feat.PAST:
        plays(rulings, "campaign")
        return min(MOST_FOR_A_PAST, max(1, count))
    return _EARNED[feat] * count
