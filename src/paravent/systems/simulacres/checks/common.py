"""Simulacres, « Les tests les plus courants »: the usual sums as ready forms (SIM-078 to SIM-092)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paravent.game import Rulings, UnknownName, rule
from paravent.systems.simulacres.terms import TABLES, Component, Means, Realm

from .errors import ImpossibleUntrained, RealmDoesNotFit, TooEasyATrail

BY_THE_GM = "gm_secret"
HARD = -2
RESISTED_WITH = {
    "victim_resists_mind": Component.MIND,
    "victim_resists": Component.INSTINCTS,
    "victim_resists_heart": Component.HEART,
}
CONTESTED = frozenset({"duel", "simple_test", "care_table", "minus_ep_missing", "virulence", "once"})
SITUATIONS = {"drive": "driving", "shoot": "shooting", "melee_armed": "melee", "melee_unarmed": "melee",
              "hold_breath": "passive", "resist_poison": "passive", "dress_wounds": "dressing",
              "fast_talk": "persuasion", "seduce": "persuasion"}
"""The line of the energies table that a common test stands under."""


class CommonTest(NamedTuple):
    """A usual test: its triple (no component for the last chance), who throws, and what is special about it."""

    component: Component | None
    means: Means
    realm: Realm
    roller: str
    special: str

    @property
    def resisted_with(self) -> Component | None:
        """The component with which a victim resists, if one does."""
        return RESISTED_WITH.get(self.special)


def acts(*, secret: bool) -> tuple[str, ...]:
    """The ids of the common tests that a character makes himself; with ``secret``, of all."""
    return tuple(row[0] for row in TABLES["common_tests"].rows if row[1] and (secret or row[4] != BY_THE_GM))


def realms_of(act: str) -> tuple[Realm, ...]:
    """The realms that a common test may bear on, the usual one first."""
    realm = TABLES["common_tests"].cell(act, "realm")
    return tuple(Realm(name) for name in TABLES["common_tests"].extra.get(realm, (realm,)))


@rule("SIM-078", *(f"SIM-{number:03}" for number in range(79, 92)))
def common_test(act: str, realm: Realm | None = None) -> CommonTest:
    """The triple of a usual test; where the book leaves the realm open, ``realm`` must be one of those it names."""
    row = TABLES["common_tests"].row(act)
    allowed = realms_of(act)
    if realm is not None and realm not in allowed:
        raise RealmDoesNotFit(act=act, realm=realm.value, allowed=[name.value for name in allowed])
    component = Component(row["component"]) if row["component"] else None
    return CommonTest(component, Means(row["means"]), realm or allowed[0], row["roller"], row["special"])


@rule("SIM-083")
def asks_realm(act: str) -> bool:
    """Whether the place alone says what a common test bears on: rock, a forest, a tidy study."""
    return bool(TABLES["common_tests"].cell(act, "realm") == "realm_of_place")


@rule("SIM-084")
def has_difficulty(act: str) -> bool:
    """Whether circumstances make a common test harder: to impress has no difficulty, its victim resists."""
    return bool(TABLES["common_tests"].cell(act, "special") != "victim_resists")


def is_contested(act: str) -> bool:
    """Whether a common test is one of a fight, of care or of an opposition, in which nothing succeeds by itself."""
    special = TABLES["common_tests"].cell(act, "special") if act else ""
    return special in CONTESTED or special in RESISTED_WITH


@rule("SIM-090")
def trail_difficulty(factors: Sequence[int]) -> tuple[int, ...]:
    """Following a trail is at least Hard: nothing said counts −2; eased or not, a factor of −2 or worse must stand."""
    if not factors:
        return (HARD,)
    if min(factors) > HARD:
        raise TooEasyATrail(got=list(factors))
    return tuple(factors)


@rule("SIM-079", "SIM-084", "SIM-088")
def still_to_resist(test: CommonTest | None, success: bool) -> Component | None:
    """What the victim of a successful test still resists it with: nobody is talked round or won over by it alone."""
    return test.resisted_with if test is not None and success else None


@rule("SIM-022", "SIM-081", "SIM-087")
def situation_of_act(act: str) -> str:
    """The line of the energies table that a common test stands under, if any: driving has no use for power."""
    return SITUATIONS.get(act, "")


@rule("SIM-092")
def untrained(talent: str, period: str, rulings: Rulings) -> int:
    """What the lack of a skill costs by the scale of base levels, if the table uses it; X is impossible."""
    if rulings.untrained_scale == "off":
        return 0
    level = base_level(talent, period)
    if level is None:
        raise ImpossibleUntrained(talent=talent)
    return level


def base_level(talent: str, period: str = "") -> int | None:
    """A talent's base level (T19); where the period matters and is not said, and where two are printed, the milder.

    None is the X of the table: without the talent, nothing can be done.
    """
    table = TABLES["talents"]
    table.keys()
    found = [row[0] for row in table.rows if row[1] == talent and (not period or row[2] in ("", period))]
    if not found:
        raise UnknownName("value", talent, (row[1] for row in table.rows))
    return max((int(level) for level in found if level != "X"), default=None)
