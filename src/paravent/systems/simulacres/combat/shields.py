"""Simulacres, shields (SIM-B06): what they deflect, what they cost, the pure parry; off unless the table says so."""

from __future__ import annotations

from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.simulacres.errors import needs

from .errors import TalentNeeded
from .weapons import UNARMED, Armour, Weapon


class Shield(NamedTuple):
    """A shield: what it does to the opponent's test, its hinder, how many opponents it covers."""

    deflect: int
    hinder: int
    covers: int


SMALL, LARGE = Shield(1, 0, 1), Shield(2, 1, 2)
UNTRAINED_SHIELD = -2


@rule("SIM-B06")
def shield_malus(shield: Shield, rulings: Rulings) -> int:
    """What a shield does to the opponent's test: −1 for a small one, −2 for a large one."""
    needs("shield", "SIM-B06", rulings)
    return -shield.deflect


@rule("SIM-B06")
def shield_use(trained: bool) -> int:
    """What it costs to use a shield without having learned it."""
    return 0 if trained else UNTRAINED_SHIELD


@rule("SIM-B06")
def protected(armour: Armour, shield: Shield, rulings: Rulings, *, trained: bool = True) -> Armour:
    """Armour behind a shield: deflects add, hinders add and one more; it takes the talent."""
    needs("shield", "SIM-B06", rulings)
    if not trained:
        raise TalentNeeded()
    burden = 1 if armour != Armour() else 0
    return Armour(armour.deflect + shield.deflect, armour.hinder + shield.hinder + burden, armour.absorb)


class Parry(NamedTuple):
    """A pure parry: whether the blow is avoided, and whether a simple-test riposte follows."""

    avoided: bool
    riposte: bool


@rule("SIM-B06")
def pure_parry(
    parry_margin: int, attack_margin: int, rulings: Rulings, *, critical: bool = False, armed: bool = True
) -> Parry:
    """Parry with the shield alone: succeeding without losing the duel avoids the blow, a tie too.

    A critical success gives a riposte by a simple test if the other hand is armed. Margins are −1 for a failure.
    """
    needs("shield", "SIM-B06", rulings)
    avoided = attack_margin < 0 or (parry_margin >= 0 and parry_margin >= attack_margin)
    return Parry(avoided, avoided and critical and armed)


@rule("SIM-B06")
def may_riposte(shield: str, strikes: bool, held: Weapon) -> bool:
    """Whether a critical parry lets one strike back: behind a shield, striking nobody, the other hand armed."""
    armed = held.family != UNARMED and not held.two_handed and not held.ranged
    return bool(shield) and not strikes and armed
