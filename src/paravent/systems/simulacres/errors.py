"""What Simulacres refuses, one class a situation; words stand under ``errors."simulacres/…"``."""

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


class DressingTooLate(RuleError):
    """More than an hour has passed since the fight."""

    code = "simulacres/dressing-too-late"
    rule = "SIM-069"


class DressingOneself(RuleError):
    """Nobody dresses his own wounds."""

    code = "simulacres/dressing-oneself"
    rule = "SIM-069"


class DressingTriedAlready(RuleError):
    """These wounds have had their attempt."""

    code = "simulacres/dressing-tried-already"
    rule = "SIM-069"


class BeyondCare(RuleError):
    """The patient is dead."""

    code = "simulacres/beyond-care"
    rule = "SIM-060"


class NothingToHeal(RuleError):
    """The patient misses nothing."""

    code = "simulacres/nothing-to-heal"
    rule = "SIM-068"


class NoTherapist(RuleError):
    """The table wants a skill to care for a mind."""

    code = "simulacres/no-therapist"
    rule = "SIM-072"


class OneSessionAWeek(RuleError):
    """The patient had a session less than a week ago."""

    code = "simulacres/one-session-a-week"
    rule = "SIM-073"


class LastChanceUsed(RuleError):
    """The character has had a last chance."""

    code = "simulacres/last-chance-used"
    rule = "SIM-077"


class LastChanceUnused(RuleError):
    """A last chance that has not served is not bought back."""

    code = "simulacres/last-chance-unused"
    rule = "SIM-A11"


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


class BoxesOff(RuleError):
    """The table does not use the box method, or the boxes are not six black of twelve."""

    code = "simulacres/boxes"
    rule = "SIM-104"


class NoSuchSkill(RuleError):
    """The sheet has no such skill."""

    code = "simulacres/no-such-skill"
    rule = "SIM-108"


class LeaningOutOfBounds(RuleError):
    """A leaning is worth 4 to 10."""

    code = "simulacres/leaning-out-of-bounds"
    rule = "SIM-096"


class ComponentChange(RuleError):
    """Another component in the second phase costs 0, −1 or −2."""

    code = "simulacres/component-change"
    rule = "SIM-031"


class WrongJump(RuleError):
    """A jump is bought from where one stands."""

    code = "simulacres/wrong-jump"
    rule = "SIM-A05"
