"""« Points de personnage »: the players' own currency, what it buys, under everybody's veto."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, others, rule
from paravent.systems.solaires.facts import TABLES, Use

from .errors import (
    BelowMinimum,
    ContradictsPlay,
    FixedCost,
    NoPooling,
    NoSurcharge,
    NotASeries,
    NotEnoughPoints,
    PooledShort,
    SurchargeRequired,
    UseCannotAlterCharacter,
)


class Points(NamedTuple):
    """A player's points and their maximum."""

    points: int
    max_points: int


class Spending(NamedTuple):
    """A use that a player proposes, and what the game master says of it."""

    use: Use
    gm_cost: int | None = None
    """The cost fixed by the game master; the printed one if he says nothing."""
    alters_character: bool = False
    surcharge: int = 0
    contradicts_played: bool = False


class Spent(NamedTuple):
    """A use of points settled: whether it happens, what it cost, what is left."""

    accepted: bool
    cost: int
    points: int
    refunded: int = 0
    shares: tuple[int, ...] = ()
    """What each of those who put their points together paid."""
    declined: bool = False
    """Whether the player found it too dear."""


@rule("SOL-107", "SOL-114")
def starting_points(rulings: Rulings) -> Points:
    """A new player begins with two points out of two (three out of three by the published model)."""
    if rulings.points_model == "published":
        number = int(TABLES["point_uses"].extra["published"]["points"])
        return Points(number, number)
    row = TABLES["point_flow"].row("creation")
    return Points(row["points"], row["maximum"])


@rule("SOL-112", "SOL-115", "SOL-116", "SOL-117", "SOL-118", "SOL-119", "SOL-120", "SOL-121", "SOL-122")
def cost_of(use: Use, rulings: Rulings) -> int:
    """The printed cost of a use; by the published model a minor one is free and any other costs one point (R-01)."""
    table = TABLES["point_uses"]
    if rulings.points_model == "published":
        published = table.extra["published"]
        return 0 if use in published["minor"] else int(published["major"])
    return int(table.cell(use, "cost"))


@rule("SOL-112", "SOL-123")
def price(spending: Spending, rulings: Rulings) -> int:
    """What a use costs: as fixed by the game master within the limits, and a surcharge if it alters the character."""
    least = cost_of(spending.use, rulings)
    row = TABLES["point_uses"].row(spending.use)
    asked = least if spending.gm_cost is None else spending.gm_cost
    if asked != least and row["raise"] == "no" and rulings.raise_all == "false":
        raise FixedCost(cost=least, got=asked)
    if asked < least:
        raise BelowMinimum(least=least, got=asked)
    return asked + alteration(spending)


@rule("SOL-123")
def alteration(spending: Spending) -> int:
    """The surcharge of one or two points where, and only where, the character is altered by a use that may do so."""
    if not spending.alters_character:
        if spending.surcharge:
            raise NoSurcharge(got=spending.surcharge)
        return 0
    if TABLES["point_uses"].cell(spending.use, "alters") == "no":
        raise UseCannotAlterCharacter(use=spending.use)
    if spending.surcharge not in (1, 2):
        raise SurchargeRequired()
    if spending.contradicts_played:
        raise ContradictsPlay()
    return spending.surcharge


@rule("SOL-123")
def suggested_surcharge(score: int, rulings: Rulings) -> int:
    """One point; by score, where the table says, two for an element above 1. The game master decides (R-25)."""
    return 2 if score > 1 and rulings.surcharge == "by_score" else 1


@rule("SOL-113")
def is_vetoed(
    dice: Dice, use: Use, right: str, payer: str = "", key: str = "", words: str = "", cost: int | None = None
) -> bool:
    """Whether the use is refused: any other participant may, and one is enough; nobody learns who it was.

    A table may leave it to the game master alone, or to more than half of the others (R-23). ``payer`` is whoever
    pays, where it is not the one who acts: the others are then all but him. ``key`` words the question, which names the
    use unless the move does; ``words`` are what they vote on, ``cost`` is what it takes.
    """
    who = "gm" if right == "gm_only" else others(besides=payer, most=right == "majority")
    asked = key or f"veto_{use}"
    answers = (False, True)
    if not words:
        vetoed = dice.choose(who, asked, answers, rule="SOL-113")
    elif cost is None:
        vetoed = dice.choose(who, asked, answers, rule="SOL-113", text=words)
    else:
        vetoed = dice.choose(who, asked, answers, rule="SOL-113", text=words, use=use, n=cost)
    if vetoed:
        dice.note("SOL-113", "vetoed", use=use)
    return vetoed


@rule("SOL-112", "SOL-113")
def spend(
    dice: Dice, points: int, offers: tuple[int, ...], spending: Spending, rulings: Rulings, words: str = ""
) -> Spent:
    """Propose a use at its cost, wait for a veto, then pay; a vetoed use does not happen and its points return.

    ``offers`` is what other players put in, where the table lets points be put together (R-42); ``words`` are what the
    player wrote, which the others judge.
    """
    cost = price(spending, rulings)
    shares = shared(cost, points, offers, rulings)
    dice.note("SOL-112", "cost", n=cost, use=spending.use)
    if not agrees(dice, spending, rulings):
        return Spent(False, cost, points, declined=True)
    if is_vetoed(dice, spending.use, rulings.veto, key="veto", words=words, cost=cost):
        return Spent(False, cost, points, cost)
    return Spent(True, cost, points - shares[0], 0, shares)


@rule("SOL-112")
def agrees(dice: Dice, spending: Spending, rulings: Rulings) -> bool:
    """Whether the player still wants it at a price the game master raised: nobody pays more than he meant to."""
    raised = spending.gm_cost is not None and spending.gm_cost > cost_of(spending.use, rulings)
    return not raised or bool(dice.choose("initiator", "raised", (True, False), rule="SOL-112"))


@rule("SOL-112", "SOL-114")
def shared(cost: int, points: int, offers: Sequence[int], rulings: Rulings) -> tuple[int, ...]:
    """Who pays what: the player himself, or, where it is allowed, others first with what they offer."""
    if any(offers) and rulings.pooling == "false":
        raise NoPooling()
    left, shares = cost, []
    for offer in offers:
        shares.append(min(offer, left))
        left -= shares[-1]
    if left > points:
        raise (PooledShort if any(offers) else NotEnoughPoints)(cost=cost, got=points + sum(offers))
    return (left, *shares)


@rule("SOL-109")
def recovered(held: Points, gain: int) -> Points:
    """Points given back never lift a player above the maximum; a stock already above it is left alone."""
    return held._replace(points=max(held.points, min(held.points + gain, held.max_points)))


@rule("SOL-110", "SOL-003")
def scene_end(dice: Dice, held: Points, takes: bool, rulings: Rulings) -> Points:
    """One point at the end of each scene, for whoever takes it."""
    if not takes or rulings.points_model == "published":
        return held
    after = recovered(held, TABLES["point_flow"].cell("scene_end", "points"))
    dice.note("SOL-110", "recovered", n=after.points - held.points)
    return after


@rule("SOL-111", "SOL-003")
def episode_end(dice: Dice, held: Points, last_scene: bool, rulings: Rulings) -> Points:
    """In a series the maximum grows by one, then two points come back; nothing of the kind in a single story.

    ``last_scene`` closes the last scene first, under the old maximum, unless the episode's end stands for it (R-22).
    By the published model each session begins with three points.
    """
    if rulings.points_model == "published":
        return starting_points(rulings)
    if last_scene and rulings.episode_end == "after_scene":
        held = scene_end(dice, held, True, rulings)
    if rulings.is_series == "false":
        return held
    row = TABLES["point_flow"].row("episode_end")
    grown = held._replace(max_points=held.max_points + row["maximum"])
    after = recovered(grown, row["points"])
    dice.note("SOL-111", "grown", n=after.max_points, points=after.points)
    return after


def check_series(rulings: Rulings) -> None:
    """An episode ends only in a series."""
    if rulings.is_series == "false" and rulings.points_model != "published":
        raise NotASeries()


@rule("SOL-108")
def arrival(dice: Dice, others: tuple[Points, ...], previous: Points | None, rulings: Rulings) -> Points:
    """A late arrival: as the character replaced had, else the table's average, rounded down; else two out of two."""
    if rulings.late_arrival == "fresh":
        return starting_points(rulings)
    if previous is not None:
        return previous
    if not others:
        return starting_points(rulings)
    return Points(*(sum(column) // len(others) for column in zip(*others, strict=True)))
