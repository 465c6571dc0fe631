"""What time does to a character: sleep, meals, what a day costs, healing a little each day."""

from __future__ import annotations

from dataclasses import dataclass, replace

from paravent.dice import Dice
from paravent.game import (
    TIME_SPAN,
    Change,
    Context,
    Field,
    Filled,
    Flag,
    Many,
    OneOf,
    Rulings,
    Steps,
    Weight,
    Whole,
    changed,
    from_plain,
    minutes_of,
    rule,
)
from paravent.systems.conteur.asked import Ruled
from paravent.systems.conteur.facts import Activity, Meal
from paravent.systems.conteur.health.healing import heal, healing_limit, healing_price, may_heal_today
from paravent.systems.conteur.health.wounds import is_lost, is_mortal
from paravent.systems.conteur.people.character import Character

from .errors import SceneCost
from .gauge import changed_by, end_of_scene, meal_gain, sleep, sleep_gain, usual_gain


@dataclass(frozen=True)
class Habits:
    """How someone lives; an ordinary day, unless said: as much regained as spent (D10-048), and wounds that heal."""

    sleep: tuple[int, ...] = (8,)
    """Unbroken periods, in hours."""
    meals: tuple[Meal, ...] = (Meal.LIGHT, Meal.FULL, Meal.FULL)
    spent: int = 9
    """Energy a day."""
    activity: Activity = Activity.ACTIVE
    heal: bool = True
    """Whether energy goes to wounds."""
    cost: int = 1
    """What a scene costs."""
    day: int = 0
    """Today's number."""
    span: str = ""
    """What passes: a night by itself, a scene, or time like any other."""

    @property
    def regained(self) -> int:
        """The energy that a night and a day's meals give."""
        return sleep_gain(self.sleep) + sum(map(meal_gain, self.meals))


USUAL = Habits()
DAY = 24 * 60
"""The minutes of a day."""


def nights(minutes: int) -> int:
    """How many nights so many minutes are: each begun one ends in the morning."""
    return -(-minutes // DAY)


def days_pass(ctx: Context) -> bool:
    """Whether at least a day goes by: what was eaten, done and healed counts by whole days."""
    return ctx[TIME_SPAN] != "night" and minutes_of(ctx) >= DAY


def nights_pass(ctx: Context) -> bool:
    """Whether sleep counts: over a night by itself, or over days."""
    return ctx[TIME_SPAN] == "night" or days_pass(ctx)


def scene_ends(ctx: Context) -> bool:
    """Whether a scene ends: the game master says what it costs."""
    return ctx[TIME_SPAN] == "scene"


HABITS = (
    Field("sleep", Many(Whole(0, 24), most=6), usual=USUAL.sleep, when=nights_pass, rule="D10-055"),
    Field("meals", Many(OneOf(Meal), most=6), usual=USUAL.meals, when=days_pass, rule="D10-056"),
    Field("spent", Whole(0, 24), usual=USUAL.spent, when=days_pass, rule="D10-048"),
    Field("activity", OneOf(Activity), usual=USUAL.activity, when=days_pass, rule="D10-069"),
    Field("heal", Flag(), usual=USUAL.heal, when=days_pass, rule="D10-067"),
    Field("cost", Ruled(0, 2, SceneCost), usual=USUAL.cost, when=scene_ends, rule="D10-058", by="gm",
          place="essential", shape=Steps()),
)
"""What is asked of a character when time goes by: nothing for a few hours, which change nothing."""


@rule("D10-048", "D10-055", "D10-056", "D10-058", "D10-069")
def passing(
    dice: Dice, record: Character, minutes: int, habits: Filled, rulings: Rulings
) -> tuple[Change, ...]:
    """The changes that so many minutes bring, day after day, by what the character is used to.

    Only whole days count; nights by themselves, of which sleep is all; and the end of a scene.
    """
    lived: Habits = from_plain(Habits, habits)
    if lived.span == "night":
        slept = dice.resolve(sleep, record.energy, nights(minutes) * lived.sleep, rulings)
        return changed(record.name, record, "energy", slept.energy, "D10-055")
    after, days = record, minutes // DAY
    if days:
        tell_day(dice, lived)
    for today in range(lived.day + 1, lived.day + 1 + days):
        after = one_day(dice, after, today, lived, rulings)
    if lived.span == "scene":
        after = scene_over(dice, after, lived.cost, rulings)
    why = "D10-048" if days else "D10-058"
    return tuple(
        change for name, weight in CHANGED.items()
        for change in changed(record.name, record, name, getattr(after, name), why, weight=weight)
    )


CHANGED: dict[str, Weight] = {
    "energy": "certain", "wounds": "certain", "healing_paid": "bookkeeping", "healing_spent_today": "bookkeeping",
    "healing_day": "bookkeeping", "day_activity": "bookkeeping", "unconscious": "grave",
}
"""What time changes on a sheet, and how much that weighs: here wounds only heal."""


def scene_over(dice: Dice, record: Character, cost: int, rulings: Rulings) -> Character:
    """A character after a scene that cost so much."""
    (after,) = dice.resolve(end_of_scene, (record.energy,), (cost,), rulings)
    dice.note("D10-058", "scene_cost", n=cost)
    return replace(record, energy=after.energy, unconscious=record.unconscious or after.unconscious)


def tell_day(dice: Dice, lived: Habits) -> None:
    """What each day gives and takes; and what a human usually regains, where this is not it."""
    usual = usual_gain()
    dice.note("D10-048", "each_day", gain=lived.regained, spent=lived.spent)
    if lived.regained not in usual:
        dice.note("D10-048", "unusual_day", least=usual[0], most=usual[-1])


def one_day(dice: Dice, record: Character, day: int, lived: Habits, rulings: Rulings) -> Character:
    """A character after a night, a day's meals and expense, and what the day allows for healing."""
    night = changed_by(record.energy, lived.regained - lived.spent, rulings)
    after = replace(
        record, energy=night.energy, healing_spent_today=0, healing_day=None, day_activity=lived.activity,
        unconscious=record.unconscious or night.unconscious,
    )
    return healed(dice, after, day, lived.activity, rulings) if lived.heal else after


def healed(dice: Dice, record: Character, day: int, activity: Activity, rulings: Rulings) -> Character:
    """The day's points go to the worst wounds first, as long as energy is there."""
    worst_first = sorted(record.parts, key=lambda part: -record.level(part))
    for part in worst_first:
        level, paid = record.level(part), record.healing_paid.get(part, 0)
        if not level or is_lost(part, level) or is_mortal(part, level):
            continue
        if not may_heal_today(record.wound_day.get(part), day):
            continue
        left = healing_limit(activity) - record.healing_spent_today
        points = min(left, healing_price(level) - paid, record.energy)
        if points < 1:
            continue
        result = dice.resolve(heal, part, level, points, paid, record.wound_day.get(part), day,
                              record.healing_spent_today, activity, record.energy, rulings)
        others = {name: number for name, number in record.healing_paid.items() if name != part}
        record = replace(
            record, energy=result.energy, wounds={**record.wounds, part: result.level},
            healing_paid={**others, part: result.healing_paid} if result.healing_paid else others,
            healing_spent_today=result.healing_spent_today, healing_day=day,
            unconscious=record.unconscious or result.unconscious,
        )
    return record
