"""« Cas particuliers » and optional rules: groups, oppositions, and the game master's roll for the world."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.solaires.facts import DICE, NEEDED, SIDES, TABLES, Edition, Use
from paravent.systems.solaires.points.rules import cost_of, is_vetoed

from .action import Action, Payer, Terms, action
from .attitude import SideEffect
from .errors import NotInThisEdition, OnlyBetweenPlayers
from .facts import Preference


class Environment(NamedTuple):
    """The world's roll: how many dice were kept, whether it favours the characters, whether more may come of it."""

    target: int
    kept: int
    favourable: bool
    extra_allowed: bool
    spent: tuple[int, ...] = ()


class GroupTrial(NamedTuple):
    """A trial that each member of a group rolled for, the majority deciding; each roll has its own side effects."""

    success: bool
    passed: tuple[bool, ...]
    effects: tuple[tuple[SideEffect, ...], ...] = ()


@rule("SOL-071")
def check_edition(rulings: Rulings) -> None:
    """Group actions belong to the later edition."""
    if rulings.edition == Edition.V4:
        raise NotInThisEdition(got=rulings.edition)


@rule("SOL-071")
def majority(dice: Dice, members: tuple[Terms, ...]) -> GroupTrial:
    """Each member rolls on his own terms; more than half must pass (R-40)."""
    rolls = [dice.resolve(action, terms) for terms in members]
    passed = tuple(done.success for done in rolls)
    return GroupTrial(2 * sum(passed) > len(passed), passed, tuple(done.effects for done in rolls))


@rule("SOL-080", "SOL-073")
def opposition(dice: Dice, terms: Terms) -> Action:
    """Only the aggressor rolls; side effects are read from his side (R-43)."""
    return dice.then(action, terms)


@rule("SOL-080")
def check_sides(both_players: bool, rulings: Rulings) -> None:
    """Both sides are players' characters, unless the table opposes others too (R-20)."""
    if not both_players and rulings.opposition_vs_npc == "false":
        raise OnlyBetweenPlayers()


@rule("SOL-081")
def environment_target(preference: Preference) -> int:
    """2, 3 or 4, by what the game master would rather see; no other value."""
    return int(TABLES["environment"].cell(preference, "target"))


@rule("SOL-081", "SOL-082", "SOL-073")
def environment(dice: Dice, preference: Preference, payers: tuple[Payer, ...], rulings: Rulings) -> Environment:
    """The game master rolls for the world: two kept dice or more favour the characters."""
    world = dice.of("gm")
    return world.then(look_at, world.pool(DICE, SIDES), tuple(0 for _ in payers), 0, preference, payers, rulings)


def look_at(
    dice: Dice, faces: tuple[int, ...], spent: tuple[int, ...], at: int, preference: Preference,
    payers: tuple[Payer, ...], rulings: Rulings,
) -> Environment:
    """The roll as it lies; where the table allows it, a player may have a die thrown again (R-26)."""
    cost = cost_of(Use.REROLL_DIE, rulings)
    if at < len(payers) and payers[at].points - spent[at] >= cost:
        wanted = dice.choose(payers[at].who, "world_die", (0, *sorted(set(faces))), rule="SOL-117")
        if wanted and not is_vetoed(dice, Use.REROLL_DIE, rulings.veto, payers[at].who):
            rest = list(faces)
            rest.remove(wanted)
            again = tuple(sorted((*rest, dice.sum(1, SIDES))))
            paid = (*spent[:at], spent[at] + cost, *spent[at + 1:])
            return dice.then(look_at, again, paid, at, preference, payers, rulings)
    if at < len(payers):
        return dice.then(look_at, faces, spent, at + 1, preference, payers, rulings)
    target = environment_target(preference)
    kept = sum(face <= target for face in faces)
    dice.note("SOL-081", "environment", n=kept, target=target)
    return Environment(target, kept, kept >= NEEDED, same_nature(faces, kept, rulings), spent)


@rule("SOL-082")
def same_nature(faces: tuple[int, ...], kept: int, rulings: Rulings) -> bool:
    """Whether further effects may be added: v4 only, all three kept or all discarded (or of one face, R-18)."""
    if rulings.edition != Edition.V4:
        return False
    return len(set(faces)) == 1 if rulings.same_nature == "faces" else kept in (0, DICE)


@rule("SOL-083")
def decides_for_npcs(rulings: Rulings) -> bool:
    """Whether the world's roll may also settle what somebody of the game master's does: in v4 only."""
    return rulings.edition == Edition.V4
