"""How many dice: « Lancer les dés », « Niveaux de blessure », « Niveaux d'énergie », « Améliorer un jet »."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.conteur.energy.gauge import segment_dice, segment_of, spent
from paravent.systems.conteur.facts import LOST, TABLES, Attribute, Segment, SkillField
from paravent.systems.conteur.health.wounds import serious_penalty

from .errors import (
    EmptyPool,
    IdleEnergy,
    LimbLost,
    MissingSkill,
    NoCounterpart,
    NoDie,
    NoEnergyOnReflex,
    NumberOfDice,
    TooManyEnergyDice,
    Unconscious,
)
from .faces import effective_target
from .roll import ALL_RIGHTS, Roll, roll, terms_of


class Action(NamedTuple):
    """What is announced before the dice are thrown: the target, and all that makes the number of dice."""

    attribute: int
    skill: int | None = None
    """Dice of the skill, 0 when it is missing; None when the game master sets the number of dice directly."""
    dice: int | None = None
    """How many dice the player throws; None for as many as allowed."""
    energy: int = 18
    physical: bool = False
    limbs: tuple[int, ...] = ()
    """The wound levels of the limbs that the action uses."""
    torso: int = 0
    energy_dice: int = 0
    energy_dice_max: int = 1
    reflex: bool = False
    field: str = ""
    """The family of the skill, where it is known."""
    counterpart: str = ""
    """Whoever is in front of the character."""
    unconscious: bool = False


class Part(NamedTuple):
    """One line of the breakdown of a pool: which rule, why, how many dice."""

    rule: str
    reason: str
    dice: int


@rule("D10-005")
def is_physical(attribute: str) -> bool:
    """Whether a roll on this attribute is a physical action unless the game master says otherwise (R-29)."""
    return attribute in (Attribute.CONSTITUTION, Attribute.DEXTERITY)


@rule("D10-035")
def skill_dice(skill: int, rulings: Rulings) -> int:
    """A skill's value is its dice; a missing one gives none, but bonus dice still count (R-13)."""
    if skill <= 0 and rulings.missing_skill == "forbidden":
        raise MissingSkill()
    return max(0, skill)


@rule("D10-038")
def needs_counterpart(field: str) -> bool:
    """Whether skills of this family are tested only with someone in front of the character."""
    return bool(field) and TABLES["skill_fields"].cell(field, "special") == "needs_counterpart"


@rule("D10-038")
def check_counterpart(field: str, counterpart: str) -> None:
    """A skill of interaction is not tested without someone in front of the character."""
    if needs_counterpart(field) and not counterpart.strip():
        raise NoCounterpart(field=SkillField(field))


@rule("D10-061", "D10-062", "D10-063", "D10-064", "D10-016")
def announced_energy(action: Action) -> int:
    """The energy left once the extra dice are announced: never on a reflex, one at most for a human, and paid first."""
    if action.energy_dice and action.reflex:
        raise NoEnergyOnReflex()
    if action.energy_dice > action.energy_dice_max:
        raise TooManyEnergyDice(got=action.energy_dice, most=action.energy_dice_max)
    return spent(action.energy, action.energy_dice)


@rule("D10-049")
def segment_at_roll(action: Action, rulings: Rulings) -> Segment:
    """The segment that counts for the whole roll: the one before the expense, by default (R-35)."""
    after = announced_energy(action)
    return segment_of(after if rulings.segment_timing == "after_spend" else action.energy)


@rule("D10-038", "D10-042", "D10-059")
def check_possible(action: Action) -> None:
    """What forbids an action altogether, however many dice the game master gives it."""
    if action.unconscious:
        raise Unconscious()
    if LOST in action.limbs:
        raise LimbLost()
    check_counterpart(action.field, action.counterpart)
    announced_energy(action)


@rule("D10-005", "D10-040", "D10-041")
def breakdown(action: Action, rulings: Rulings) -> tuple[Part, ...]:
    """Where the dice of a pool come from, line by line."""
    segment = segment_at_roll(action, rulings)
    wounds = [Part("D10-040", "limb", serious_penalty(level)) for level in action.limbs]
    if action.physical:
        wounds.append(Part("D10-041", "torso", serious_penalty(action.torso)))
    wounds = [part for part in wounds if part.dice]
    if rulings.wound_stacking == "worst":
        wounds = wounds[:1]
    lines = (
        Part("D10-035", "skill", skill_dice(action.skill or 0, rulings)),
        Part(_SEGMENT_RULES[segment], segment, segment_dice(segment, action.physical)),
        *wounds,
        Part("D10-061", "energy_dice", action.energy_dice),
    )
    return tuple(line for line in lines if line.dice or line.reason == "skill")


_SEGMENT_RULES = {
    Segment.FIT: "D10-050", Segment.NORMAL: "D10-051", Segment.TIRED: "D10-052", Segment.FAILING: "D10-053",
}


@rule("D10-005")
def pool_size(action: Action, rulings: Rulings) -> int:
    """The dice allowed: the skill and everything that adds to it or takes from it, never below 0.

    Where the game master sets the number of dice, that is the number: an energy die announced is one of them.
    """
    check_possible(action)
    if action.skill is None:
        return max(0, action.dice or 0)
    return max(0, sum(part.dice for part in breakdown(action, rulings)))


class Hand(NamedTuple):
    """The dice that will be thrown, and the target they are read against."""

    dice: int
    attribute: int
    failing: bool


@rule("D10-002", "D10-004", "D10-006")
def hand(action: Action, rulings: Rulings) -> Hand:
    """How many dice are thrown: the pool, or fewer if the player says so.

    An empty pool is no throw at all (R-12), unless the table always leaves a die, or a desperate one that only a 1
    makes succeed. Energy spent on a pool that stays empty is refused (R-45), and so is energy for a die that is then
    left aside (R-48).
    """
    allowed = pool_size(action, rulings)
    failing = segment_at_roll(action, rulings) == Segment.FAILING
    attribute = action.attribute
    if allowed == 0 and action.skill is not None:
        if rulings.empty_pool == "impossible":
            if action.energy_dice:
                raise EmptyPool()
            return Hand(0, attribute, failing)
        attribute = 1 if rulings.empty_pool == "desperate" else attribute
        allowed = 1
    chosen = allowed if action.dice is None else action.dice
    if chosen < 1:
        raise NoDie()
    if chosen > allowed:
        raise NumberOfDice(got=chosen, pool=allowed)
    if action.energy_dice and action.skill is not None and chosen < allowed and rulings.idle_energy == "refused":
        raise IdleEnergy(got=chosen, pool=allowed)
    return Hand(chosen, attribute, failing)


@rule("D10-002", "D10-054")
def throw(
    dice: Dice, action: Action, difficulty: int, luck: int, rulings: Rulings,
    goal: int | None = None, who: str = "initiator", hidden: bool = False,
) -> Roll:
    """A roll from its announcement to its end: the pool line by line, then the dice.

    Without a goal of its own it stands by itself and aims at its difficulty. Nobody stops at a difficulty they do not
    know: where it is ``hidden``, what a player usually does must not tell it.
    """
    thrown = hand(action, rulings)
    if action.skill is not None:
        for part in breakdown(action, rulings):
            dice.note(part.rule, f"pool_{part.reason}", n=part.dice)
    if thrown.dice == 0:
        dice.note("D10-006", "no_dice")
        return NOT_ATTEMPTED
    dice.note("D10-003", "thrown", n=thrown.dice, target=effective_target(thrown.attribute))
    terms = terms_of(
        thrown.dice, thrown.attribute, difficulty, rulings, goal=ALL_RIGHTS if hidden else goal, who=who,
        failing=thrown.failing, alone=goal is None,
    )
    return dice.then(roll, luck, terms)


NOT_ATTEMPTED = Roll(0, 0, False, 0, 0, 0, 0, False, 0)
"""An action for which there is not a single die."""
