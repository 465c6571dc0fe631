"""Simulacres, « Combat au contact », « Combat à distance », « Combat contre plusieurs adversaires ».

A fight is cut into exchanges. In melee everybody throws one test; it is both his attack on the one opponent he strikes
and his defence against those he watches. Who succeeds best hits, with his own MR. A shot is a simple test.

An exchange is prepared in two strokes: :func:`clash` turns what the fighters declared into the tests to throw and the
attacks that hang on them, then :func:`exchange` throws everything. :func:`.harm.harm` is the same exchange for those
who only want to know what it costs: all that makes no difference is merged, which keeps the odds of whole fights quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, Who, rule
from paravent.systems.simulacres.checks.check import Check, Edge, Modifier, throw, value_of
from paravent.systems.simulacres.terms import TABLES

from .damage import Blow, Damage, inflict, shifted
from .errors import NotAnOpponent, NotARangedWeapon, TargetNotDefended, TooManyDefended
from .shields import pure_parry
from .weapons import NO_ARMOUR, Aim, Armour, Training, Weapon, aimed, hinders, pulling, range_band, skill_difficulty

FAILED = -1
"""Stands for a failed test where only success and MR matter: any success beats it, an MR of 0 too."""
NOBODY = -1
MOST_DEFENDED = 3
SITUATIONS = {"dark": -4, "surprised": 2}
"""Circumstances that go by name: fighting in the dark, an opponent taken by surprise."""


class Crowd(NamedTuple):
    """What several opponents change (T9): one's own test, that of the defended, of the others; how many of each."""

    own: int
    chosen: int
    others: int
    duels: int
    simple: int


@rule("SIM-047", "SIM-048", "SIM-049")
def crowd(opponents: int, defended: int) -> Crowd:
    """What fighting ``opponents`` at once and defending against ``defended`` of them does to the tests."""
    if defended > MOST_DEFENDED:
        raise TooManyDefended(got=defended, limit=MOST_DEFENDED)
    if opponents > 1 and defended == 0:
        choice = "concentrate"
    else:
        choice = "single" if opponents <= 1 else ("concentrate", "defend_two", "defend_three")[defended - 1]
    row = TABLES["opponents"].row(choice)
    duels = min(opponents, defended)
    return Crowd(row["self"], row["chosen"], row["undefended"] or 0, duels, opponents - duels)


@rule("SIM-045")
def situation(name: str) -> Modifier:
    """What a circumstance that goes by name does to a test."""
    return Modifier(name, SITUATIONS[name])


@rule("SIM-034", "SIM-044", "SIM-045", "SIM-055", "SIM-056")
def melee_terms(
    base: int,
    training: Training | None,
    *,
    circumstances: Iterable[Modifier] = (),
    aim: Aim = Aim.NONE,
    pull: bool = False,
    hinder: int = 0,
    energies: int = 0,
) -> tuple[Modifier, ...]:
    """The terms of a fighter's own melee test, before opponents and their armour; those of 0 are left out.

    ``base`` is body + action + realm (or the one value of an extra). Circumstances are the game master's: −4 in the
    dark, +2 against a surprised opponent.
    """
    terms = [
        Modifier("base", base),
        Modifier(training.value if training else "training", skill_difficulty(training) if training else 0),
        *circumstances,
        Modifier("hinder", -hinder),
        Modifier("aim", aimed(aim).test),
        Modifier("pull", pulling(pull)),
        Modifier("energies", energies),
    ]
    return tuple(term for term in terms if term.points or term.name == "base")


@rule("SIM-037", "SIM-038", "SIM-048", "SIM-058")
def shot_terms(
    base: int,
    training: Training | None,
    band: str,
    rulings: Rulings,
    *,
    circumstances: Iterable[Modifier] = (),
    aim: Aim = Aim.NONE,
    pull: bool = False,
    armour: Armour = NO_ARMOUR,
    hinder_counts: bool = True,
    energies: int = 0,
) -> tuple[Modifier, ...]:
    """The terms of a shot, before the target's armour: body + perception + mechanical, training, range, the rest."""
    terms = [
        Modifier("base", base),
        Modifier(training.value if training else "training", skill_difficulty(training) if training else 0),
        Modifier(band, range_band(band, rulings).test),
        *circumstances,
        Modifier("hinder", hinders(armour, shooting=True, rulings=rulings, gm_says=hinder_counts)),
        Modifier("aim", aimed(aim).test),
        Modifier("pull", pulling(pull)),
        Modifier("energies", energies),
    ]
    return tuple(term for term in terms if term.points or term.name == "base")


@rule("SIM-039", "SIM-050", "SIM-055")
def blow_with(
    weapon: Weapon,
    aim: Aim,
    pull: bool,
    rulings: Rulings,
    band: str = "",
    shifts: Sequence[int] = (),
    extra_dice: int = 0,
) -> Blow:
    """What a hit with this weapon inflicts before the target's armour; at a distance both columns move with range."""
    if band and not weapon.ranged:
        raise NotARangedWeapon(weapon=weapon.id)
    moved = [*shifts, range_band(band, rulings).columns] if band else list(shifts)
    return Blow(shifted(weapon.pv, moved), shifted(weapon.ps, moved), aimed(aim).damage, extra_dice, pull)


class Combatant(NamedTuple):
    """What a fighter brings to one exchange, once all have declared.

    ``terms`` make up his test before opponents and armour. ``target`` is the place of the one he strikes among the
    fighters, ``defended`` the places of those he defends against. ``pv`` and ``ps`` are what he may lose.
    """

    role: str
    side: str
    terms: tuple[Modifier, ...]
    edge: Edge
    blow: Blow
    armour: Armour = NO_ARMOUR
    target: int = NOBODY
    defended: tuple[int, ...] = ()
    shoots: bool = False
    pv: int = 0
    ps: int = 0
    masters: bool = False
    """Whether he parries by mastery of his weapon (SIM-B04)."""
    haste: int = 0
    """Points of Rapidité kept for ties (SIM-B03)."""
    shield: int = 0
    """What a shield deflects (SIM-B06)…"""
    covered: tuple[int, ...] = ()
    """…and the places of those it covers against."""
    ripostes: bool = False
    """Whether a critical parry lets him strike back (SIM-B06)."""


class Roll(NamedTuple):
    """One test of an exchange: whose, the terms that make its value, when it is critical."""

    role: str
    terms: tuple[Modifier, ...]
    value: int
    edge: Edge
    rule: str = "SIM-034"


class Attack(NamedTuple):
    """One blow of an exchange: the places of striker and target, the test it hangs on, the test it must beat if any."""

    striker: int
    target: int
    roll: int
    against: int
    blow: Blow
    mastered: bool = False
    hastier: bool = False


class Riposte(NamedTuple):
    """A blow that a critical parry allows: the place of the attack parried, the simple test, what it inflicts."""

    parried: int
    roll: Roll
    blow: Blow


class Clash(NamedTuple):
    """An exchange ready to be thrown: tests in the order of their dice, the attacks that hang on them, ripostes."""

    rolls: tuple[Roll, ...]
    attacks: tuple[Attack, ...]
    ripostes: tuple[Riposte, ...] = ()


@rule("SIM-036", "SIM-046", "SIM-047", "SIM-048", "SIM-049", "SIM-058")
def clash(fighters: Sequence[Combatant], rulings: Rulings) -> Clash:
    """Turn declarations into tests and attacks.

    An attack on somebody who defends against it must beat his test; on anybody else it is a simple test. One test
    serves against all opponents, at the deflect of the declared target; or one each, as the table chose (R-20, R-55).
    """
    fighters = [_facing_his_target(fighter) for fighter in fighters]
    for place in range(len(fighters)):
        _allowed(place, fighters)
    facing = [_opponents(place, fighters) for place in range(len(fighters))]
    rolls: list[Roll] = []
    covers: dict[tuple[int, int], int] = {}
    for place, fighter in enumerate(fighters):
        watched = fighter.defended if rulings.multi_roll == "each" and not fighter.shoots else fighter.defended[:0]
        first = fighter.target if fighter.target != NOBODY else next(iter(fighter.defended), NOBODY)
        if first == NOBODY:
            continue
        for other in dict.fromkeys((first, *watched)):
            terms = (*fighter.terms, *_terms_against(place, other, fighters, facing, rulings))
            covers[place, other] = len(rolls)
            rolls.append(Roll(fighter.role, terms, value_of(*terms), fighter.edge, _rule(fighter)))
        for other in fighter.defended:
            covers.setdefault((place, other), covers[place, first])
    attacks: list[Attack] = []
    ripostes = []
    for place, fighter in enumerate(fighters):
        if fighter.target == NOBODY:
            continue
        struck = fighters[fighter.target]
        opposed = place in struck.defended and not struck.shoots and not fighter.shoots
        against = covers[fighter.target, place] if opposed else NOBODY
        blow = fighter.blow.through(struck.armour.absorb)
        if opposed and struck.ripostes:
            terms = (*struck.terms, *_terms_against(fighter.target, place, fighters, facing, rulings))
            back = struck.blow.through(fighter.armour.absorb)
            simple = Roll(struck.role, terms, value_of(*terms), struck.edge, "SIM-B06")
            ripostes.append(Riposte(len(attacks), simple, back))
        attacks.append(Attack(place, fighter.target, covers[place, fighter.target], against, blow,
                              opposed and struck.masters, opposed and fighter.haste > struck.haste))
    return Clash(tuple(rolls), tuple(attacks), tuple(ripostes))


def _rule(fighter: Combatant) -> str:
    return "SIM-037" if fighter.shoots else "SIM-034"


def _facing_his_target(fighter: Combatant) -> Combatant:
    """Who strikes hand to hand and says nothing more defends against the one he strikes."""
    if fighter.target == NOBODY or fighter.shoots or fighter.defended:
        return fighter
    return fighter._replace(defended=(fighter.target,))


def _allowed(place: int, fighters: Sequence[Combatant]) -> None:
    fighter = fighters[place]
    if len(set(fighter.defended)) > MOST_DEFENDED:
        raise TooManyDefended(got=len(set(fighter.defended)), limit=MOST_DEFENDED)
    for other in (*fighter.defended, *(() if fighter.target == NOBODY else (fighter.target,))):
        if not 0 <= other < len(fighters) or other == place or fighters[other].side == fighter.side:
            raise NotAnOpponent(fighter=fighter.role)
    strikes = fighter.target != NOBODY and not fighter.shoots
    if strikes and fighter.defended and fighter.target not in fighter.defended:
        raise TargetNotDefended(fighter=fighter.role)


def _opponents(place: int, fighters: Sequence[Combatant]) -> frozenset[int]:
    """Those a fighter has to do with hand to hand: who strikes him, whom he strikes or watches."""
    fighter = fighters[place]
    near = {other for other, one in enumerate(fighters) if one.target == place and not one.shoots}
    if fighter.shoots:
        return frozenset(near)
    return frozenset(near | set(fighter.defended) | ({fighter.target} - {NOBODY}))


def _terms_against(
    place: int, other: int, fighters: Sequence[Combatant], facing: Sequence[frozenset[int]], rulings: Rulings
) -> list[Modifier]:
    """What opponents and the armour of the one faced do to a fighter's test."""
    fighter, faced = fighters[place], fighters[other]
    terms = []
    if not fighter.shoots:
        terms.append(Modifier("opponents", crowd(len(facing[place]), len(fighter.defended) or 1).own))
    if fighter.target == other:
        terms.append(Modifier("outnumbers", _outnumbers(place, other, fighters, facing, rulings)))
    terms.append(Modifier("deflect", -faced.armour.deflect))
    terms.append(Modifier("shield", -faced.shield if place in faced.covered else 0))
    return [term for term in terms if term.points]


def _outnumbers(
    place: int, other: int, fighters: Sequence[Combatant], facing: Sequence[frozenset[int]], rulings: Rulings
) -> int:
    """The +1 of those who are several on one, unless he concentrates on this one; for shooters if the table says so."""
    faced = fighters[other]
    against = facing[other]
    if fighters[place].shoots:
        if rulings.crowd_bonus_ranged != "yes":
            return 0
        against = against | {place}
    changed = crowd(len(against), 0 if faced.shoots else len(faced.defended))
    watched = place in faced.defended and not faced.shoots and not fighters[place].shoots
    return changed.chosen if watched else changed.others


class Struck(NamedTuple):
    """A blow that landed: who, whom, with what MR, the damage total, and the points inflicted."""

    striker: int
    target: int
    margin: int
    total: int
    pv: int
    ps: int


class Exchange(NamedTuple):
    """An exchange played: every test, every blow that landed, and the PV and PS that each has left."""

    checks: tuple[Check, ...]
    blows: tuple[Struck, ...]
    left: tuple[tuple[int, int], ...]


@rule("SIM-025", "SIM-026", "SIM-034", "SIM-036")
def lands(attack: Attack, mine: int, theirs: int) -> int:
    """The MR with which an attack hits, or a failure.

    A simple test hits when it succeeds; in a duel the MR must be higher, so a tie cancels. The winner uses his own MR,
    not the difference (unless the loser masters his weapon, SIM-B04); Rapidité may break a tie (SIM-B03).
    """
    if mine < theirs or mine == FAILED or (mine == theirs and not attack.hastier):
        return FAILED
    return mine - theirs if attack.mastered and theirs > 0 else mine


@rule("SIM-034", "SIM-037", "SIM-046", "SIM-050")
def exchange(dice: Dice, prepared: Clash, vitals: tuple[tuple[int, int], ...], rulings: Rulings) -> Exchange:
    """Throw everybody's test, then the damage of each who hits.

    Blows land together, so a fighter killed in the exchange still struck; or by falling MR, as the table chose (R-46).
    """
    checks = [_thrown(dice, roll, rulings) for roll in prepared.rolls]
    margins = [check.margin if check.success else FAILED for check in checks]
    hits = []
    for attack in prepared.attacks:
        theirs = FAILED if attack.against == NOBODY else margins[attack.against]
        margin = lands(attack, margins[attack.roll], theirs)
        role = prepared.rolls[attack.roll].role
        if margin != FAILED:
            hits.append((attack, margin, role))
            dice.of(role).note("SIM-034", "hit", role=Who(role), margin=margin)
        elif margins[attack.roll] != FAILED:
            key = "cancelled" if margins[attack.roll] == theirs else "beaten"
            dice.of(role).note("SIM-026", key, role=Who(role), margin=margins[attack.roll])
    hits += _ripostes(dice, prepared, checks, rulings)
    if rulings.strike_order == "descending_margin":
        return _by_margin(dice, hits, vitals, tuple(checks), rulings)
    blows = tuple(_struck(dice, attack, margin, role, rulings) for attack, margin, role in hits)
    return Exchange(tuple(checks), blows, _left(vitals, blows))


def _thrown(dice: Dice, roll: Roll, rulings: Rulings) -> Check:
    """One test of an exchange, after the terms of its value."""
    hand = dice.of(roll.role)
    for term in roll.terms:
        hand.note(roll.rule, "term_of", name=term.name, points=term.points, who=Who(roll.role))
    return hand.resolve(throw, roll.value, roll.edge, rulings)


@rule("SIM-B06")
def _ripostes(
    dice: Dice, prepared: Clash, checks: list[Check], rulings: Rulings
) -> Iterator[tuple[Attack, int, str]]:
    """What critical parries strike back: one simple test for each who parries, on the first blow he avoided."""
    done: set[int] = set()
    margins = [check.margin if check.success else FAILED for check in checks]
    for riposte in prepared.ripostes:
        attack = prepared.attacks[riposte.parried]
        parry = checks[attack.against]
        critical = parry.success and parry.critical
        answer = pure_parry(margins[attack.against], margins[attack.roll], rulings, critical=critical)
        if not answer.riposte or attack.target in done:
            continue
        done.add(attack.target)
        role = riposte.roll.role
        dice.of(role).note("SIM-B06", "riposte", role=Who(role))
        check = _thrown(dice, riposte.roll, rulings)
        checks.append(check)
        if check.success:
            yield Attack(attack.target, attack.striker, attack.against, NOBODY, riposte.blow), check.margin, role


def _struck(dice: Dice, attack: Attack, margin: int, role: str, rulings: Rulings) -> Struck:
    hand = dice.of(role)
    done: Damage = hand.resolve(inflict, attack.blow, margin, role, rulings)
    return Struck(attack.striker, attack.target, margin, done.total, done.pv, done.ps)


def _by_margin(
    dice: Dice,
    hits: Sequence[tuple[Attack, int, str]],
    vitals: tuple[tuple[int, int], ...],
    checks: tuple[Check, ...],
    rulings: Rulings,
) -> Exchange:
    """The blows by falling MR: who is down by a better blow does not strike; equal MR land together."""
    blows: list[Struck] = []
    left = vitals
    for margin in sorted({margin for _, margin, _ in hits}, reverse=True):
        together = tuple(
            _struck(dice, attack, margin, role, rulings)
            for attack, own, role in hits
            if own == margin and (left[attack.striker] == vitals[attack.striker] or min(left[attack.striker]) > 0)
        )
        blows += together
        left = _left(left, together)
    return Exchange(checks, tuple(blows), left)


def _left(vitals: tuple[tuple[int, int], ...], blows: Iterable[Struck]) -> tuple[tuple[int, int], ...]:
    """The PV and PS left after these blows; what goes below nothing is ignored."""
    left = [list(pair) for pair in vitals]
    for blow in blows:
        left[blow.target][0] = max(0, left[blow.target][0] - blow.pv)
        left[blow.target][1] = max(0, left[blow.target][1] - blow.ps)
    return tuple((pv, ps) for pv, ps in left)
