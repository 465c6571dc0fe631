"""What Simulacres refuses in tests, conflicts and the spending of energies."""

from __future__ import annotations

from paravent.game import RuleError


class TooManyPoints(RuleError):
    """More points of an energy were announced than it has."""

    code = "simulacres/too-many-points"
    rule = "SIM-016"


class WrongPayment(RuleError):
    """The PS and EP paid do not make up the points added."""

    code = "simulacres/wrong-payment"
    rule = "SIM-017"


class TooLittleLeft(RuleError):
    """More PS or EP would be paid than are left."""

    code = "simulacres/too-little-left"
    rule = "SIM-017"


class LastPointKept(RuleError):
    """The table forbids paying with the last PS or EP."""

    code = "simulacres/last-point-kept"
    rule = "SIM-017"


class PsycheOnly(RuleError):
    """An action longer than an hour is fed with EP only."""

    code = "simulacres/psyche-only"
    rule = "SIM-021"


class WrongEnergy(RuleError):
    """This energy does not fit the situation."""

    code = "simulacres/wrong-energy"
    rule = "SIM-022"


class NoEnergies(RuleError):
    """The table plays without energies."""

    code = "simulacres/no-energies"
    rule = "SIM-015"


class OneEnergy(RuleError):
    """Several energies were announced, and the game master did not allow it."""

    code = "simulacres/one-energy"
    rule = "SIM-018"


class NotRead(RuleError):
    """A number was given beside a value that is whole already."""

    code = "simulacres/not-read"
    rule = "SIM-002"


class NoDifficulty(RuleError):
    """This test has no difficulty: whoever it is aimed at resists instead."""

    code = "simulacres/no-difficulty"
    rule = "SIM-084"


class NothingToResist(RuleError):
    """The aggressor's test failed: there is nothing to resist."""

    code = "simulacres/nothing-to-resist"
    rule = "SIM-029"


class NotAware(RuleError):
    """Who does not know that he is under attack has no second phase."""

    code = "simulacres/not-aware"
    rule = "SIM-030"


class NoSecondWill(RuleError):
    """The will had its one attempt against this attack."""

    code = "simulacres/no-second-will"
    rule = "SIM-030"


class NotAutomatic(RuleError):
    """The skill does not succeed without dice at this difficulty."""

    code = "simulacres/not-automatic"
    rule = "SIM-012"


class LastChanceUsed(RuleError):
    """The character has had a last chance."""

    code = "simulacres/last-chance-used"
    rule = "SIM-077"


class NotDesperate(RuleError):
    """The last chance is for those beyond saving."""

    code = "simulacres/not-desperate"
    rule = "SIM-077"


class ImpossibleUntrained(RuleError):
    """The untrained scale marks this skill X: without it, the act is impossible."""

    code = "simulacres/impossible-untrained"
    rule = "SIM-092"


class TooEasyATrail(RuleError):
    """Following a trail is at least hard."""

    code = "simulacres/too-easy-a-trail"
    rule = "SIM-090"


class RealmDoesNotFit(RuleError):
    """This common test bears on other realms."""

    code = "simulacres/realm-does-not-fit"
    rule = "SIM-078"


class ComponentChange(RuleError):
    """Another component in the second phase costs 0, −1 or −2."""

    code = "simulacres/component-change"
    rule = "SIM-031"
