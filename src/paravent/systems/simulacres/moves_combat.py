"""Moves of combat: open a fight, pass arms in it, one exchange from plain numbers, a shot, damage, a whole fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice, Odds, odds
from paravent.dice.errors import TooManyStates
from paravent.dice.protocol import certain_policy
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    OPEN,
    OWN_DICE,
    Ask,
    Change,
    Context,
    Encounter,
    Field,
    Flag,
    Forecast,
    Group,
    Many,
    MissingField,
    Move,
    OneOf,
    Opened,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    changed,
    rule,
)

from .check import Check, Setting, automatic_check, edge_of, privilege, throw
from .combat import clash
from .damage import (
    Automatic,
    Blow,
    Category,
    Damage,
    automatic_damage,
    blast,
    category,
    inflict,
    shifted,
)
from .errors_combat import OneSide
from .examples_combat import EXAMPLES
from .fight import (
    Ended,
    Fighter,
    Order,
    Passed,
    Ready,
    Standing,
    after_exchange,
    base_of,
    fight,
    foresee,
    pass_of_arms,
    ready,
    training_of,
    weapon_of,
    weigh_exchange,
)
from .fighters import (
    SIDES,
    ArmourField,
    CategoryField,
    both,
    declared,
    fighter_changes,
    fighter_of,
    fighting,
    foes_of,
    hand,
    is_up,
    number_fields,
    order_of,
    plan_field,
    plan_of,
    priority_field,
    settled_fields,
    style_fields,
    target_fields,
    weapon_fields,
)
from .health import condition
from .optional import SpecialRow, Warrior, Wound, blows_allowed, special_result, warriors_exchange, wider_edge
from .reading import Factors, has
from .terms import Condition
from .weapons import (
    BLASTS,
    Aim,
    aimed,
    bands,
    combat_rank,
    range_band,
    skill_difficulty,
    weapon,
)

MANY_INITIATORS = Role("initiator", most=None)
MANY_OPPONENTS = Role("opponent", most=None)
TARGET = Role("opponent", least=0)
EXCHANGE_SECONDS = 5
MOST_BLOWS_WEIGHED = 3


@dataclass(frozen=True)
class Weighed(Resolve):
    """A rule whose odds come from a quicker reading of the same rule, with all that does not matter merged."""

    weigh: Callable[[Context, Any], Odds[Any]] | None = None

    def odds(self, ctx: Context, policy: str = "usual") -> Odds[Any]:
        """The exact odds, choices answered the usual way."""
        if self.weigh is None or policy != "usual":
            return super().odds(ctx, policy)
        return self.weigh(ctx, certain_policy)


# The state of a fight


@dataclass(frozen=True)
class Place:
    """What everybody sees of a fighter: his side, his post, and whether he still stands."""

    id: str
    side: str
    standing: bool = True
    post: int = 0
    condition: str = "conscious"


@dataclass(frozen=True)
class FightState:
    """A fight under way: exchanges fought, how long one lasts, who is where; the numbers are the game master's."""

    exchange: int = 0
    seconds: int = EXCHANGE_SECONDS
    place: str = ""
    sides: tuple[Place, ...] = ()
    fighters: tuple[Fighter, ...] = ()


def place_of(fighter: Fighter, rulings: Rulings) -> Place:
    """A fighter as everybody sees him."""
    state = fighter.condition(rulings)
    return Place(fighter.id, fighter.side, state is Condition.CONSCIOUS, fighter.post, state.value)


def is_over(state: FightState) -> bool:
    """A fight is over when one side at most still stands."""
    return len({place.side for place in state.sides if place.standing}) < 2


FIGHT = Encounter("fight", FightState, is_over, hidden=frozenset({"fighters"}))
ENCOUNTERS = {"fight": FIGHT}


# Opening a fight


def _side_fields(role: str) -> tuple[Field, ...]:
    return (
        Field("side", TextField(40), role, usual=role, rule="SIM-033"),
        *number_fields(role, "own"),
        *weapon_fields(role, "own"),
        *(Field(name, Whole(0, 3), role, optional=True, secrecy="own", rule="SIM-016")
          for name in ("power", "speed", "precision")),
    )


def _opening(ctx: Context) -> tuple[Fighter, ...]:
    found = []
    for actor in fighting(ctx):
        given = {name: value for name in ("side", "power", "speed", "precision")
                 if (value := has(ctx, actor, name)) is not None}
        found.append(_replaced(fighter_of(ctx, actor), given))
    return tuple(found)


def _replaced(fighter: Fighter, given: dict[str, Any]) -> Fighter:
    return replace(fighter, **given)


@rule("SIM-033")
def open_fight(
    dice: Dice, fighters: tuple[Fighter, ...], seconds: int, place: str, rulings: Rulings
) -> FightState:
    """Place the fighters: two sides at least, exchanges of a few seconds."""
    if len({fighter.side for fighter in fighters}) < 2:
        raise OneSide()
    dice.note("SIM-033", "fight_opened", n=len(fighters), seconds=seconds)
    return FightState(0, seconds, place, tuple(place_of(one, rulings) for one in fighters), fighters)


OPEN_A_FIGHT = Move(
    "open-a-fight",
    by="gm",
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-033",),
    steps=(
        Ask("sides", tuple(field for role in SIDES for field in _side_fields(role))),
        Ask("place", (
            Field("seconds", Whole(1, 60), "gm", usual=EXCHANGE_SECONDS, rule="SIM-033"),
            Field("place", TextField(200), "gm", usual="", rule="SIM-033"),
        )),
        Resolve("open", open_fight, lambda ctx: (_opening(ctx), ctx["seconds"], ctx["place"], ctx.rulings),
                tell=lambda ctx, state: (Telling("outcomes.told_fight_opened", {"n": len(state.sides)}),),
                outcome=lambda state: "fight_opened",
                opens=lambda ctx, state: Opened("fight", state),
                shown=lambda ctx, state: Shown(detail=GM_ONLY)),
    ),
)  # fmt: skip


# One exchange


def _hurt(ctx: Context, lost: Sequence[tuple[int, int]]) -> tuple[bool, bool]:
    """Whether the acting side and the others lost anything."""
    hurt = dict.fromkeys(SIDES, False)
    for actor, points in zip(fighting(ctx), lost, strict=True):
        hurt[actor.role] = hurt[actor.role] or any(points)
    return hurt["initiator"], hurt["opponent"]


class Fought(NamedTuple):
    """An exchange as a move keeps it: what happened, and whom it hurt."""

    passed: Passed
    acting_hurt: bool
    others_hurt: bool


def _fought(dice: Dice, prepared: Ready, acting: int, rulings: Rulings) -> Fought:
    """Throw the exchange; the first ``acting`` fighters are the acting side."""
    return as_fought(dice.resolve(pass_of_arms, prepared, rulings), acting)


def as_fought(passed: Passed, acting: int) -> Fought:
    """An exchange with whom it hurt."""
    hurt = [any(points) for points in passed.lost]
    return Fought(passed, any(hurt[:acting]), any(hurt[acting:]))


def _outcome(fought: Fought) -> str:
    return {(False, False): "nobody_hurt", (False, True): "others_hurt", (True, False): "acting_hurt",
            (True, True): "both_hurt"}[fought.acting_hurt, fought.others_hurt]


def _read_exchange(ctx: Context) -> tuple[Any, ...]:
    return declared(ctx), len(ctx.all("initiator")), ctx.rulings


def _weigh_exchange(ctx: Context, policy: Any) -> Odds[Fought]:
    acting = len(ctx.all("initiator"))
    return weigh_exchange(declared(ctx), ctx.rulings, policy).map(lambda passed: as_fought(passed, acting))


def _tell_exchange(ctx: Context, fought: Fought) -> list[Telling]:
    """Who hits whom and what it costs; who falls."""
    names = [actor.id for actor in fighting(ctx)]
    played = fought.passed.played
    blows = played.blows if played else ()
    said = [
        Telling("outcomes.told_blow", {"striker": names[blow.striker], "target": names[blow.target], "pv": blow.pv,
                                       "ps": blow.ps}, EVERYONE)
        for blow in blows
    ] or [Telling("outcomes.told_nobody_hit", {}, EVERYONE)]
    prepared = declared(ctx)
    for before, after in zip(prepared.fighters, after_exchange(prepared, fought.passed.lost, 0), strict=True):
        state = after.condition(ctx.rulings)
        if state is not Condition.CONSCIOUS and state is not before.condition(ctx.rulings):
            said.append(Telling(f"outcomes.falls_{state.value}", {"name": after.id}, EVERYONE))
    return said


def _change_exchange(ctx: Context, fought: Fought) -> list[Change]:
    """PS and EP paid, PV and PS lost, bonuses that last or end; in a fight, how it stands now."""
    actors = fighting(ctx)
    before = [fighter_of(ctx, actor) for actor in actors]
    number = ctx.encounter.exchange + 1 if ctx.encounter is not None else 1
    after = after_exchange(declared(ctx), fought.passed.lost, number)
    changes = [
        change
        for actor, was, now in zip(actors, before, after, strict=True)
        for change in fighter_changes(actor, was, now)
    ]
    if ctx.encounter is not None:
        changes += _fight_changes(ctx, after, number)
    return changes


def _fight_changes(ctx: Context, after: Sequence[Fighter], number: int) -> list[Change]:
    state = ctx.encounter
    now = {fighter.id: fighter for fighter in after}
    fighters = tuple(now.get(fighter.id, fighter) for fighter in state.fighters)
    sides = tuple(
        place_of(now[place.id], ctx.rulings) if place.id in now else place for place in state.sides
    )
    return [
        *changed("encounter", state, "exchange", number, "SIM-033"),
        *changed("encounter", state, "sides", sides, "SIM-060"),
        *changed("encounter", state, "fighters", fighters, "SIM-060"),
    ]


def _shown_exchange(ctx: Context, fought: Any) -> Shown:
    """Dice lie open; where somebody's figures are hidden, each sees his own dice, and only the game master the sums."""
    hidden = any(
        actor.kind and "life_points" in ctx.system.kind(actor.kind).hidden for actor in fighting(ctx)
    )
    return OWN_DICE._replace(detail=GM_ONLY) if hidden or (ctx.encounter is not None and _secret(ctx)) else OPEN


def _secret(ctx: Context) -> bool:
    """Whether the fight has fighters without a sheet: their numbers are the game master's."""
    return any(actor.record is None for actor in fighting(ctx))


def _exchange(step: str) -> Weighed:
    return Weighed(
        step, _fought, _read_exchange, tell=_tell_exchange, outcome=_outcome,
        success=lambda fought: fought.others_hurt, changes=_change_exchange, shown=_shown_exchange,
        weigh=_weigh_exchange,
    )


def _sealed(role: str) -> tuple[Field, ...]:
    """A declaration: sealed until everybody's is in, and asked of those who still stand."""
    fields = (
        weapon_fields(role, "sealed")[0],
        *target_fields(role, "sealed"),
        *style_fields(role, "sealed"),
    )
    up = is_up(role)
    return tuple(replace(field, when=_and(up, field.when)) for field in fields)


def _and(one: Callable[[Context], bool], other: Callable[[Context], bool] | None) -> Callable[[Context], bool]:
    return one if other is None else lambda ctx: one(ctx) and other(ctx)


EXCHANGE = Move(
    "exchange",
    by="gm",
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    encounter="fight",
    rules=("SIM-033", "SIM-034", "SIM-046", "SIM-047", "SIM-048", "SIM-049"),
    steps=(
        Ask("declare", tuple(field for role in SIDES for field in _sealed(role))),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        _exchange("resolve"),
    ),
)  # fmt: skip

RESOLVE_MELEE = Move(
    "resolve-melee",
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-034", "SIM-035", "SIM-036", "SIM-043", "SIM-050", "SIM-056", "SIM-058"),
    steps=(
        Ask("fighters", (*both(number_fields), *both(weapon_fields), *both(target_fields), *both(style_fields))),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        _exchange("resolve"),
    ),
)  # fmt: skip


# A shot


class Shot(NamedTuple):
    """A shot: the test, the damage if it hits, what the target has left."""

    check: Check
    damage: Damage | None
    left: tuple[int, int]


@rule("SIM-037", "SIM-050")
def shoot(dice: Dice, prepared: Ready, automatic: int, rulings: Rulings) -> Shot:
    """A simple test, then damage. ``automatic`` is the MR of a shot that needs no test, −1 when it does."""
    clashing = clash(prepared.combatants, rulings)
    roll, attack = clashing.rolls[0], clashing.attacks[0]
    for term in roll.terms:
        dice.note("SIM-037", "term", name=term.name, points=term.points)
    if automatic >= 0:
        dice.note("SIM-012", "automatic_shot")
        check = Check(True, automatic)
    else:
        check = dice.resolve(throw, roll.value, roll.edge, rulings)
    target = prepared.combatants[attack.target]
    if not check.success:
        return Shot(check, None, (target.pv, target.ps))
    done: Damage = dice.resolve(inflict, attack.blow, check.margin, roll.role, rulings)
    left = max(0, target.pv - done.pv), max(0, target.ps - done.ps)
    return Shot(check, done, left)


def _shooters(ctx: Context) -> tuple[list[Fighter], list[Order]]:
    shooter, target = ctx.one("initiator"), ctx.one("opponent")
    mine, theirs = fighter_of(ctx, shooter), fighter_of(ctx, target)
    order = order_of(ctx, shooter, mine)._replace(target=theirs.id, defended=())
    return [mine, theirs], [order._replace(band=order.band or "normal"), Order()]


def _ready_to_shoot(ctx: Context) -> Ready:
    fighters, orders = _shooters(ctx)
    return ready(fighters, orders, ["initiator", "opponent"], ctx.rulings)


def _automatic_shot(ctx: Context) -> int:
    """The MR of a shot that the game master grants without a test, where the table lets him; −1 otherwise."""
    if not ctx["unaware"]:
        return -1
    (mine, theirs), (order, _) = _shooters(ctx)
    training = training_of(mine, weapon_of(mine, order.weapon))
    difficulty = range_band(order.band, ctx.rulings).test + order.circumstances + aimed(order.aim).test - theirs.deflect
    granted = privilege(combat_rank(training), difficulty, Setting.SHOT_UNAWARE, ctx.rulings)
    value = mine.ranged + difficulty + skill_difficulty(training)
    return automatic_check(value, ctx.rulings).margin if granted.automatic else -1


def _tell_shot(ctx: Context, shot: Shot) -> list[Telling]:
    if shot.damage is None:
        return [Telling("outcomes.told_missed")]
    said = [Telling("outcomes.told_shot", {"pv": shot.damage.pv, "ps": shot.damage.ps})]
    target = fighter_of(ctx, ctx.one("opponent"))
    state = condition(*shot.left, target.ep, ctx.rulings)
    if state is not Condition.CONSCIOUS and state is not target.condition(ctx.rulings):
        said.append(Telling(f"outcomes.falls_{state.value}", {"name": target.id}))
    return said


def _change_shot(ctx: Context, shot: Shot) -> list[Change]:
    prepared = _ready_to_shoot(ctx)
    before, _ = _shooters(ctx)
    target = prepared.combatants[1]
    lost = ((0, 0), (target.pv - shot.left[0], target.ps - shot.left[1]))
    after = after_exchange(prepared, lost, 1)
    changes = []
    for role, was, now in zip(SIDES, before, after, strict=True):
        changes += fighter_changes(ctx.one(role), was, now)
    return changes


def _shot_shown(ctx: Context, shot: Any) -> Shown:
    return Shown(detail=GM_ONLY) if ctx["hide_armour"] or _shown_exchange(ctx, shot) is not OPEN else OPEN


SHOOT = Move(
    "shoot",
    cast=(Role("initiator"), TARGET, GAME_MASTER),
    rules=("SIM-037", "SIM-038", "SIM-039", "SIM-055", "SIM-056"),
    steps=(
        Ask("declare", (*number_fields("initiator"), *weapon_fields("initiator"), *style_fields("initiator"))),
        Ask("settle", (
            *settled_fields("initiator"),
            *number_fields("opponent", "gm"),
            Field("unaware", Flag(), "gm", usual=False, rule="SIM-012"),
            Field("hide_armour", Flag(), "gm", usual=False, rule="SIM-058"),
        )),
        Resolve("shoot", shoot, lambda ctx: (_ready_to_shoot(ctx), _automatic_shot(ctx), ctx.rulings), tell=_tell_shot,
                outcome=lambda shot: "shot_hits" if shot.damage else "shot_misses",
                success=lambda shot: shot.damage is not None, changes=_change_shot, shown=_shot_shown),
    ),
)  # fmt: skip


# Damage alone


def _blow(ctx: Context) -> Blow:
    striker = ctx.one("initiator")
    named, pv, ps = (has(ctx, striker, name) for name in ("weapon", "category_pv", "category_ps"))
    held = weapon(named) if named else None
    moved = [shift.points for shift in ctx["shifts"]]
    if ctx["band"]:
        moved.append(range_band(ctx["band"], ctx.rulings).columns)
    if held is None and not (pv or ps):
        raise MissingField(field="weapon", role="initiator")
    printed = (held.pv, held.ps) if held else (None, None)
    letters = (category(pv or ""), category(ps or "")) if pv or ps else printed
    absorbed = fighter_of(ctx, ctx.one("opponent")).absorb if ctx.all("opponent") else 0
    worn = has(ctx, ctx.one("gm"), "target_armour")
    bonus = aimed(ctx["aim"]).damage - (worn.absorb if worn is not None else absorbed)
    return Blow(shifted(letters[0], moved), shifted(letters[1], moved), bonus, 0, ctx["pull"])


def _damage_changes(ctx: Context, pv: int, ps: int) -> list[Change]:
    if not ctx.all("opponent"):
        return []
    target = ctx.one("opponent")
    was = fighter_of(ctx, target)
    now = _replaced(was, {"pv": max(0, was.pv - pv), "ps": max(0, was.ps - ps)})
    return fighter_changes(target, was, now)


def _condition_told(ctx: Context, pv: int, ps: int) -> list[Telling]:
    if not ctx.all("opponent"):
        return []
    was = fighter_of(ctx, ctx.one("opponent"))
    state = condition(max(0, was.pv - pv), max(0, was.ps - ps), was.ep, ctx.rulings)
    return [] if state is Condition.CONSCIOUS else [Telling(f"outcomes.falls_{state.value}", {"name": was.id})]


def _special_told(ctx: Context, done: Damage) -> list[Telling]:
    """What the weapon's own table says, where it has one."""
    if ctx.rulings.special_weapons == "off" or not ctx["special_table"]:
        return []
    rows = [SpecialRow(row["least"], row["most"], row["words"]) for row in ctx["special_table"]]
    return [Telling("outcomes.told_special", {"words": special_result(rows, done.total, ctx.rulings)})]


def _armour_hidden(ctx: Context) -> bool:
    """Whether the target's armour is the game master's secret: the total would tell it."""
    target = ctx.one("opponent")
    veiled = target.kind and "armour" in ctx.system.kind(target.kind).hidden
    return bool(veiled or has(ctx, ctx.one("gm"), "target_armour") is not None)


SPECIAL_ROW = {"least": Whole(3, 26), "most": Whole(3, 26), "words": TextField(200)}

ROLL_DAMAGE = Move(
    "roll-damage",
    cast=(Role("initiator"), TARGET, GAME_MASTER),
    rules=("SIM-050", "SIM-051", "SIM-052", "SIM-053", "SIM-054", "SIM-055", "SIM-056", "SIM-058"),
    steps=(
        Ask("blow", (
            Field("margin", Whole(0), rule="SIM-050"),
            *weapon_fields("initiator"),
            Field("aim", OneOf(Aim), usual=Aim.NONE, rule="SIM-055"),
            Field("pull", Flag(), usual=False, rule="SIM-056"),
            Field("shifts", Factors(), usual=(), rule="SIM-054"),
        )),
        Ask("settle", (
            Field("special_table", Many(Group(SPECIAL_ROW, {})), "gm", usual=(), rule="SIM-B08",
                  when=lambda ctx: ctx.rulings.special_weapons == "on"),
            Field("band", OneOf(lambda ctx: tuple(bands(ctx.rulings))), "gm", optional=True, rule="SIM-039"),
            Field("target_armour", ArmourField(), "gm", optional=True, secrecy="gm", rule="SIM-058"),
            *number_fields("opponent", "own"),
        )),
        Resolve("damage", inflict, lambda ctx: (_blow(ctx), ctx["margin"], "initiator", ctx.rulings),
                tell=lambda ctx, done: [Telling("outcomes.told_damage", {"pv": done.pv, "ps": done.ps}),
                                        *_special_told(ctx, done), *_condition_told(ctx, done.pv, done.ps)],
                outcome=lambda done: "damage_done" if done.pv or done.ps else "no_damage",
                success=lambda done: done.pv or done.ps,
                changes=lambda ctx, done: _damage_changes(ctx, done.pv, done.ps),
                shown=lambda ctx, done: Shown(detail=GM_ONLY) if _armour_hidden(ctx) else OPEN),
    ),
)  # fmt: skip


class Suffered(NamedTuple):
    """Damage without a margin: what was rolled, and what each counter loses."""

    total: int
    pv: int = 0
    ps: int = 0
    ep: int = 0


@rule("SIM-074", "SIM-075")
def suffer_automatically(
    dice: Dice, read_in: Category | None, counter: str, zone: Blow | None, margin: int, rulings: Rulings
) -> Suffered:
    """A trap or a fall read in one column for one counter; or the blast zone of an explosive, for life and breath."""
    if zone is not None:
        done: Damage = dice.resolve(blast, zone, margin, rulings)
        return Suffered(done.total, done.pv, done.ps)
    assert read_in is not None
    rolled: Automatic = dice.resolve(automatic_damage, read_in, rulings)
    return Suffered(rolled.total, **{counter: rolled.points})


def _read_automatic(ctx: Context) -> tuple[Any, ...]:
    exploding = ctx["explosive"]
    zone = weapon(exploding) if exploding else None
    if zone is None:
        return Category.parse(ctx["category"]), ctx["counter"], None, 0, ctx.rulings
    return None, "pv", Blow(zone.pv, zone.ps), ctx["margin"], ctx.rulings


def _automatic_changes(ctx: Context, done: Suffered) -> list[Change]:
    victim = ctx.one("initiator")
    if victim.record is None:
        return []
    was = fighter_of(ctx, victim)
    lost = {"pv": max(0, was.pv - done.pv), "ps": max(0, was.ps - done.ps), "ep": max(0, was.ep - done.ep)}
    return fighter_changes(victim, was, _replaced(was, lost))


def _tell_automatic(ctx: Context, done: Suffered) -> list[Telling]:
    said = [Telling("outcomes.told_suffered", {"pv": done.pv, "ps": done.ps, "ep": done.ep})]
    if ctx.one("initiator").record is not None:
        was = fighter_of(ctx, ctx.one("initiator"))
        state = condition(was.pv - done.pv, was.ps - done.ps, was.ep - done.ep, ctx.rulings)
        if state is not Condition.CONSCIOUS:
            said.append(Telling(f"outcomes.falls_{state.value}", {"name": was.id}))
    return said


AUTOMATIC_DAMAGE = Move(
    "automatic-damage",
    by="gm",
    cast=(Role("initiator"), GAME_MASTER),
    rules=("SIM-074", "SIM-075"),
    steps=(
        Ask("harm", (
            Field("explosive", OneOf(tuple(BLASTS.values())), "gm", optional=True, rule="SIM-075"),
            Field("category", CategoryField(), "gm", usual="C", secrecy="gm", rule="SIM-074",
                  when=lambda ctx: not ctx["explosive"]),
            Field("counter", OneOf(("pv", "ps", "ep")), "gm", usual="pv", rule="SIM-074",
                  when=lambda ctx: not ctx["explosive"]),
            Field("margin", Whole(0), "gm", usual=0, rule="SIM-075", when=lambda ctx: bool(ctx["explosive"])),
            Field("hide_category", Flag(), "gm", usual=False, rule="SIM-074"),
        )),
        Resolve("damage", suffer_automatically, _read_automatic, tell=_tell_automatic,
                outcome=lambda done: "damage_done" if done.pv or done.ps or done.ep else "no_damage",
                success=lambda done: not (done.pv or done.ps or done.ep), changes=_automatic_changes,
                shown=lambda ctx, done: Shown(detail=GM_ONLY) if ctx["hide_category"] else OPEN),
    ),
)  # fmt: skip


# A whole fight under standing orders


def _standing(ctx: Context) -> tuple[tuple[Fighter, ...], tuple[Standing, ...]]:
    actors = fighting(ctx)
    fighters = tuple(fighter_of(ctx, actor) for actor in actors)
    orders = tuple(
        Standing(plan_of(ctx, actor, fighter), ctx.value(actor, "defends"), ctx.value(actor, "priority"))
        for actor, fighter in zip(actors, fighters, strict=True)
    )
    return fighters, orders


def _read_fight(ctx: Context) -> tuple[Any, ...]:
    fighters, orders = _standing(ctx)
    return fighters, orders, tuple(hand(ctx, actor) for actor in fighting(ctx)), ctx.rulings


def _weigh_fight(ctx: Context, policy: Any) -> Odds[Ended]:
    return foresee(*_standing(ctx), ctx.rulings, policy).ends


def _winner(end: Ended) -> str:
    return {"initiator": "initiators_win", "opponent": "opponents_win"}.get(end.winner, "all_fall")


def _end_changes(ctx: Context, end: Ended) -> list[Change]:
    changes = []
    for actor, (pv, ps) in zip(fighting(ctx), end.vitals, strict=True):
        was = fighter_of(ctx, actor)
        changes += fighter_changes(actor, was, _replaced(was, {"pv": pv, "ps": ps}))
    return changes


def _tell_end(ctx: Context, end: Ended) -> list[Telling]:
    said = [Telling(f"outcomes.told_{_winner(end)}", {"n": end.exchanges})]
    said += [
        Telling("outcomes.told_left", {"name": actor.id, "pv": pv, "ps": ps})
        for actor, (pv, ps) in zip(fighting(ctx), end.vitals, strict=True)
    ]
    return said


def percent(share: Fraction) -> float:
    """A share in percent, to a tenth."""
    return round(float(share) * 100, 1)


def forecast_fight(ctx: Context) -> Forecast:
    """Who wins, how long it takes, in what state the winners are, under the orders shown."""
    fighters, orders = _standing(ctx)
    seen = foresee(fighters, orders, ctx.rulings)
    ends = seen.ends
    lines = [_order_line(fighter, standing) for fighter, standing in zip(fighters, orders, strict=True)]
    lines += [_forecast_line(fighter, ends, place) for place, fighter in enumerate(fighters)]
    return Forecast(ends.map(lambda end: _state_of_winner(end, fighters)), seen.mean_exchanges, lines)


def _forecast_line(fighter: Fighter, ends: Odds[Ended], place: int) -> Telling:
    """What awaits one fighter: the chance that he falls or dies, and what he has left on average."""
    return Telling("outcomes.forecast_fighter", {
        "name": fighter.id,
        "down": percent(ends.chance(lambda end: min(end.vitals[place]) == 0)),
        "dead": percent(ends.chance(lambda end: end.vitals[place][0] == 0)),
        "pv": ends.mean(lambda end: end.vitals[place][0]),
        "ps": ends.mean(lambda end: end.vitals[place][1]),
    })


def _state_of_winner(end: Ended, fighters: Sequence[Fighter]) -> str:
    """How the winners come out of it: untouched, hurt, or with losses."""
    if not end.winner:
        return "all_fall"
    own = [(fighter, left) for fighter, left in zip(fighters, end.vitals, strict=True) if fighter.side == end.winner]
    if any(min(left) == 0 for _, left in own):
        state = "with_losses"
    else:
        state = "unhurt" if all(left[0] == fighter.pv for fighter, left in own) else "wounded"
    return f"{_winner(end)}_{state}"


def _order_line(fighter: Fighter, standing: Standing) -> Telling:
    """A fighter's standing orders, said."""
    order = standing.plan[-1]
    spend = order.spend
    return Telling("outcomes.forecast_orders", {
        "name": fighter.id, "weapon": order.weapon or fighter.weapon, "defends": standing.defends,
        "aim": f"aim_{order.aim.value}", "pull": order.pull, "ps": spend.ps, "ep": spend.ep, "points": spend.points,
    })


FIGHT_MOVE = Move(
    "fight",
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-033", "SIM-034", "SIM-047", "SIM-050"),
    forecast=forecast_fight,
    steps=(
        Ask("fighters", (
            *both(number_fields), *both(weapon_fields), *both(style_fields),
            *(Field("defends", Whole(1, 3), role, usual=3, rule="SIM-047") for role in SIDES),
            *(priority_field(role) for role in SIDES),
            *(plan_field(role) for role in SIDES),
        )),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        Weighed("fight", fight, _read_fight, tell=_tell_end, outcome=_winner,
                success=lambda end: end.winner == "initiator", changes=_end_changes, weigh=_weigh_fight),
    ),
)  # fmt: skip


# The warrior's way (SIM-B05)


def _warriors(ctx: Context) -> tuple[Warrior, ...]:
    found = []
    for actor in fighting(ctx):
        fighter = fighter_of(ctx, actor)
        held = weapon_of(fighter)
        training = training_of(fighter, held)
        order = order_of(ctx, actor, fighter)
        base = fighter.level if ctx.rulings.ruleset == "campaign" else skill_difficulty(training)
        speed = ctx.value(actor, "more_blows")
        found.append(Warrior(
            hand(ctx, actor), base_of(fighter, held, ctx.rulings, shooting=False) + base + order.circumstances,
            wider_edge(edge_of(combat_rank(training)), fighter.level, 0, ctx.rulings),
            tuple(hand(ctx, ctx.actor(name)) for name in ctx.value(actor, "blows")),
            Blow(held.pv, held.ps), blows_allowed(held, fighter.level, speed, ctx.rulings),
        ))
    return tuple(found)


def _warrior_changes(ctx: Context, wounds: tuple[Wound, ...]) -> list[Change]:
    changes = []
    for actor in fighting(ctx):
        was = fighter_of(ctx, actor)
        taken = [wound for wound in wounds if wound.target == hand(ctx, actor)]
        pv, ps = sum(wound.pv for wound in taken), sum(wound.ps for wound in taken)
        now = _replaced(was, {"pv": max(0, was.pv - pv), "ps": max(0, was.ps - ps)})
        changes += fighter_changes(actor, was, now)
    return changes


def _tell_warriors(ctx: Context, wounds: tuple[Wound, ...]) -> list[Telling]:
    names = {hand(ctx, actor): actor.id for actor in fighting(ctx)}
    return [
        Telling("outcomes.told_blow", {"striker": names[wound.striker], "target": names[wound.target],
                                       "pv": wound.pv, "ps": wound.ps})
        for wound in wounds
    ] or [Telling("outcomes.told_nobody_hit")]


def _weigh_warriors(ctx: Context, policy: Any) -> Odds[tuple[Wound, ...]]:
    """The odds of a warriors' exchange, as long as its blows are few: every one is a test of its own."""
    warriors = _warriors(ctx)
    if sum(len(warrior.targets) for warrior in warriors) > MOST_BLOWS_WEIGHED:
        raise TooManyStates(limit=MOST_BLOWS_WEIGHED)
    return odds(warriors_exchange, warriors, ctx.rulings, policy=policy)


def _blows_field(role: str) -> Field:
    """Whom a warrior strikes, blow after blow."""
    return Field("blows", Many(OneOf(lambda ctx: foes_of(ctx, role)), 0, 7), role,
                 usual=lambda ctx: foes_of(ctx, role)[:1], rule="SIM-B05")


WARRIORS = Move(
    "warriors-exchange",
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-B05", "SIM-B04"),
    when=lambda ctx: ctx.rulings.warrior_way == "on",
    steps=(
        Ask("declare", (
            *both(number_fields), *both(weapon_fields),
            *(_blows_field(role) for role in SIDES),
            *(Field("more_blows", Whole(0, 3), role, usual=0, rule="SIM-B05") for role in SIDES),
        )),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        Weighed("warriors", warriors_exchange, lambda ctx: (_warriors(ctx), ctx.rulings), tell=_tell_warriors,
                weigh=_weigh_warriors,
                outcome=lambda wounds: "blows_landed" if wounds else "nobody_hurt",
                success=lambda wounds: bool(wounds),
                changes=_warrior_changes, shown=_shown_exchange),
    ),
)  # fmt: skip

MOVES = (OPEN_A_FIGHT, EXCHANGE, RESOLVE_MELEE, SHOOT, ROLL_DAMAGE, AUTOMATIC_DAMAGE, FIGHT_MOVE, WARRIORS)

__all__ = ["ENCOUNTERS", "EXAMPLES", "MOVES"]
