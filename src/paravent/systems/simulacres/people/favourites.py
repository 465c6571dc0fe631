"""Favourite tests: kept on the sheet under a name, each one touch away, with what comes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shortcut,
    Telling,
    TextField,
    Value,
    changed,
    rule,
)
from paravent.systems.simulacres.actors import Being, has_character
from paravent.systems.simulacres.checks.common import acts, common_test
from paravent.systems.simulacres.checks.energies import Spend
from paravent.systems.simulacres.checks.spending import ENERGIES, announced_by
from paravent.systems.simulacres.checks.trials import (
    COMMON,
    COMPONENT,
    MEANS,
    REALM,
    SKILL,
    skill_fields,
    triple_fields,
)
from paravent.systems.simulacres.combat.weapons import UNARMED, weapon, weapon_ids
from paravent.systems.simulacres.terms import Component, Energy, Means, Rank, Realm

from .cast import Creature
from .character import Character, Favourite, Weapon, find_rank, plain_name
from .errors import NothingToKeep

EFFECT = "shortcuts"


def shortcuts(record: Character, rulings: Rulings) -> tuple[Shortcut, ...]:
    """What a character has ready: the tests that are kept, then a shot with each weapon that strikes from afar."""
    kept = tuple(_kept(record, favourite) for favourite in record.favourites)
    shots = tuple(_shot(record, one.id) for one in record.weapons if one.id in weapon_ids() and weapon(one.id).ranged)
    kept_up = tuple(
        Shortcut("end_a_bonus", "end-a-bonus", {"kept_up": action}, None, (f"{EFFECT}.kept_up", {
            "energies": [bonus.energy for bonus in record.active_energy_bonuses if bonus.action == action],
            "what": action.split(" · ")}))
        for action in dict.fromkeys(bonus.action for bonus in record.active_energy_bonuses))
    return (*kept, *shots, *kept_up)


def begins(record: Being, rulings: Rulings) -> tuple[Shortcut, ...]:
    """What a touch on a weapon of the sheet begins: where an exchange waits for a weapon, it is this one; elsewhere a
    shot, or a person's test of a fight at close quarters."""
    return tuple(one for carried in record.weapons for one in _blows(carried, isinstance(record, Creature)))


def _blows(carried: Weapon, beast: bool) -> Iterator[Shortcut]:
    name = carried.called
    held = weapon(name) if name in weapon_ids() else None
    yield from (Shortcut(name, move, {"weapon": name}) for move in ("exchange", "warriors-exchange"))
    if held is not None and held.ranged:
        if carried.serves:
            yield Shortcut(name, "shoot", {"weapon": name})
    elif not beast:
        bare = held is not None and held.family == UNARMED
        yield Shortcut(name, "simple-test", {COMMON.id: "melee_unarmed" if bare else "melee_armed"})


def _kept(record: Character, favourite: Favourite) -> Shortcut:
    parts = {COMMON.id: favourite.common, COMPONENT.id: favourite.component, MEANS.id: favourite.means,
             REALM.id: favourite.realm, SKILL.id: favourite.skill, ENERGIES.id: _announced(favourite)}
    proposed = _announced(favourite)
    values: dict[str, Value] = {"effect": favourite.effect, "energies": [
        energy.value for energy in Energy if getattr(favourite, energy)]}
    key = {(True, True): "effect_and_energies", (True, False): "effect", (False, True): "energies"}.get(
        (bool(favourite.effect), bool(proposed)))
    return Shortcut(favourite.name, "simple-test", {name: value for name, value in parts.items() if value},
                    _worth(record, favourite), (f"{EFFECT}.{key}", values) if key else None)


def _shot(record: Character, name: str) -> Shortcut:
    held = weapon(name)
    columns = {"pv": str(held.pv or "–"), "ps": str(held.ps or "–")}
    return Shortcut(name, "shoot", {"weapon": name}, record.body + record.perception + record.mechanical,
                    (f"{EFFECT}.columns", columns))


def _announced(favourite: Favourite) -> str:
    """The energies that a favourite proposes, as a form takes them."""
    spent = [f"{energy.value}:{points}" for energy in Energy if (points := getattr(favourite, energy))]
    return ",".join(spent)


def _worth(record: Character, favourite: Favourite) -> int | None:
    """What a kept test is worth before its difficulty; None where the sheet does not say."""
    triple: Sequence[str] = (favourite.component, favourite.means, favourite.realm)
    if favourite.common in acts(secret=False):
        usual = common_test(favourite.common)
        triple = (favourite.component or str(usual.component or ""), favourite.means or usual.means,
                  favourite.realm or usual.realm)
    numbers = [getattr(record, str(name), None) for name in triple]
    if not all(isinstance(number, int) for number in numbers):
        return None
    skilled = bool(favourite.skill) and find_rank(record, favourite.skill) is not Rank.NONE
    return sum(number for number in numbers if isinstance(number, int)) + skilled


# Keeping one


class Kept(NamedTuple):
    """A favourite noted, or forgotten."""

    name: str
    forgotten: bool


FAVOURITE = Field("favourite", TextField(80, lambda ctx: _names(ctx)), rule="SIM-002", names=True)
FORGET = Field("forget", Flag(), usual=False, rule="SIM-002", place="refinement",
               when=lambda ctx: bool(_names(ctx)))
TOLD_EFFECT = Field("effect_text", TextField(120), usual="", rule="SIM-002", place="refinement")
PLAIN_COMMON: Field[str | None] = Field("common", OneOf(lambda ctx: acts(secret=False)), optional=True,
                                        rule="SIM-078", place="essential")


def _names(ctx: Context) -> tuple[str, ...]:
    record = ctx.one().record
    return tuple(one.name for one in record.favourites) if isinstance(record, Character) else ()


def keep(dice: Dice, favourite: Favourite, forgotten: bool, rulings: Rulings) -> Kept:
    """Note a test under its name; a phrase must say something."""
    if not forgotten and not (favourite.common or favourite.component):
        raise NothingToKeep(name=favourite.name)
    return Kept(favourite.name, forgotten)


def _favourite(ctx: Context) -> Favourite:
    actor = ctx.one()
    named: dict[str, Value] = {asked.id: ctx.value(actor, asked) for asked in (COMPONENT, MEANS, REALM)}
    spend = Spend(**(ctx.value(actor, ENERGIES) or {}))
    words = {name: str(value) for name, value in named.items() if isinstance(value, (Component, Means, Realm))}
    return Favourite(ctx[FAVOURITE], ctx.value(actor, PLAIN_COMMON) or "", words.get("component", ""),
                     words.get("means", ""), words.get("realm", ""), ctx.value(actor, SKILL) or "", spend.power,
                     spend.speed, spend.precision, ctx[TOLD_EFFECT])


def _change_kept(ctx: Context, kept: Kept) -> Sequence[Change]:
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    others = tuple(one for one in actor.record.favourites if plain_name(one.name) != plain_name(kept.name))
    after = others if kept.forgotten else (*others, _favourite(ctx))
    return changed(actor.id, actor.record, "favourites", after, "SIM-002")


def _tell_kept(ctx: Context, kept: Kept) -> Sequence[Telling]:
    """What was kept or forgotten; the very same once more is nothing to tell of."""
    if not _change_kept(ctx, kept):
        return ()
    key = "outcomes.told_forgotten" if kept.forgotten else "outcomes.told_kept_test"
    return (Telling(key, {"name": kept.name}, main=True),)


KEEP_A_TEST = Move(
    "keep-a-test",
    rules=("SIM-002",),
    offered=has_character,
    steps=(
        Ask("write", (
            FAVOURITE, PLAIN_COMMON, *(field for field in triple_fields() if field.id != "value"),
            *(field for field in skill_fields() if field.id == SKILL.id), announced_by("initiator", ENERGIES),
            TOLD_EFFECT, FORGET,
        )),
        Resolve("keep", lambda ctx: Call(keep, _favourite(ctx), bool(ctx[FORGET]), ctx.rulings),
                outcome=lambda kept: "forgotten" if kept.forgotten else "kept_test", changes=_change_kept,
                tell=_tell_kept),
    ),
)
# What EP keep up, no longer


KEPT_UP = Field("kept_up", OneOf(lambda ctx: _kept_up(ctx)), rule="SIM-020", place="essential")


def _kept_up(ctx: Context) -> tuple[str, ...]:
    record = ctx.one().record
    return (tuple(dict.fromkeys(bonus.action for bonus in record.active_energy_bonuses))
            if isinstance(record, Character) else ())


@rule("SIM-020")
def end_bonus(dice: Dice, action: str, rulings: Rulings) -> str:
    """What EP kept up ends when the action does, or when circumstances change."""
    return action


def _change_ended(ctx: Context, action: str) -> Sequence[Change]:
    actor = ctx.one()
    record = actor.sheet(Character)
    left = tuple(bonus for bonus in record.active_energy_bonuses if bonus.action != action)
    return changed(actor.id, record, "active_energy_bonuses", left, "SIM-020")


END_A_BONUS = Move(
    "end-a-bonus",
    rules=("SIM-020",),
    offered=lambda ctx: has_character(ctx, lambda record: bool(record.active_energy_bonuses)),
    suits=lambda ctx: bool(_kept_up(ctx)),
    steps=(
        Ask("say", (KEPT_UP,)),
        Resolve("end", lambda ctx: Call(end_bonus, ctx[KEPT_UP], ctx.rulings), auto=True,
                outcome=lambda action: "bonus_ended", changes=_change_ended,
                tell=lambda ctx, action: (Telling("outcomes.told_bonus_ended", {"what": action.split(" · ")},
                                                  main=True),)),
    ),
)
MOVES = (KEEP_A_TEST, END_A_BONUS)
