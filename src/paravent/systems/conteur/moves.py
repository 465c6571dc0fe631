"""What people do at the table in Conteur D10, declared once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from paravent.dice import Chain, Dice, Odds, best, fraction_text
from paravent.dice.errors import EndlessRule
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    OPEN,
    OWN_DICE,
    Actor,
    Ask,
    Audience,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Forecast,
    Many,
    Move,
    OneOf,
    Opened,
    Resolve,
    Role,
    Rulings,
    SheetOf,
    Shown,
    Telling,
    TextField,
    Whole,
    Window,
    changed,
    only,
    rule,
)

from . import character as sheets
from . import complex as pursuit
from . import energy, healing, health, luck, opposed, pool
from .announce import (
    AvoidedLevels,
    LuckAtHand,
    Ruled,
    action_of,
    announced,
    announced_by,
    asked_of,
    body_parts,
    energy_field,
    luck_of,
    roll_changes,
    without_sheet,
    wound_level,
)
from .character import Character
from .complex import ComplexAction, Progress, Pursuit, Turn
from .energy import Energy
from .errors import AlreadyBusy, NotComplex, NotTheirAction, SceneCost
from .facts import Activity, Attribute, Fate, Meal
from .opposed import NOBODY, Opposed
from .roll import Roll, every_right, no_right, roll, terms_of

POLICIES = {"all": every_right, "none": no_right}
LEVELS = ("failure", "slight", "very_good", "beyond_hope")
COMPLEX_ACTION = "complex-action"
OPPONENT = Role("opponent")
CHARACTER = Role("character", record="character")
ITS_OWNER = only("gm", "character")

# A roll


def difficulty_of(ctx: Context) -> int:
    """The successes required: as announced, or as the game master keeps to themselves."""
    return int(ctx["hidden_difficulty"] if ctx["hidden"] else ctx["difficulty"])


def difficulty_fields() -> tuple[Field, ...]:
    """The difficulty, open or kept by the game master; those who may not know it see odds for likely ones."""
    return (
        Field("hidden", Flag(), "gm", usual=False, rule="D10-007"),
        Field("difficulty", Whole(1, 99), "gm", usual=1, when=lambda ctx: not ctx["hidden"], rule="D10-007"),
        Field("hidden_difficulty", Whole(1, 99), "gm", usual=1, secrecy="gm", probes=(1, 2, 3),
              when=lambda ctx: bool(ctx["hidden"]), rule="D10-007"),
    )


def roll_outcome(rolled: Roll) -> str:
    """The short key of a roll: not attempted, failed, or how well it went."""
    return LEVELS[rolled.level] if rolled.dice else "impossible"


def tell_roll(ctx: Context, rolled: Roll) -> Sequence[Telling]:
    """What is said of a roll. With a hidden difficulty everybody hears the successes, the game master the rest."""
    hears = GM_ONLY if ctx["secret"] else EVERYONE
    lines = []
    if rolled.dice:
        lines.append(Telling("outcomes.told_successes", {"n": rolled.successes, "raw": rolled.raw}, hears))
    lines.append(Telling(f"outcomes.{roll_outcome(rolled)}", {}, GM_ONLY if ctx["hidden"] and rolled.dice else hears))
    if rolled.unconscious:
        lines.append(Telling("outcomes.blackout", {}, hears))
    return lines


def shown_roll(ctx: Context, rolled: Roll | None) -> Shown:
    """A secret throw is the game master's alone; a hidden difficulty hides the outcome and its figures, no dice."""
    if ctx["secret"]:
        return INVISIBLE
    return Shown(outcome=GM_ONLY, detail=GM_ONLY) if ctx["hidden"] else OPEN


def known_to(ctx: Context) -> Audience:
    """Nobody but the game master knows of a throw made in secret."""
    return GM_ONLY if ctx["secret"] else EVERYONE


def carried_over(ctx: Context, rolled: Roll) -> ComplexAction | None:
    """The complex action that a roll of difficulty 2 or more begins when it falls short (R-15).

    Nothing is begun from a secret throw or a hidden difficulty: it would tell.
    """
    actor = ctx.one()
    if ctx["secret"] or ctx["hidden"] or ctx.rulings.difficulty_carry_over != "complex":
        return None
    if rolled.passed or not rolled.dice or rolled.unconscious or ctx["difficulty"] < 2 or _busy(actor):
        return None
    return ComplexAction(ctx["label"], ctx["difficulty"], rolled.successes, 1, actor.id)


def _busy(actor: Actor) -> bool:
    return actor.record is not None and actor.record.complex_action is not None


def changes_of_throw(ctx: Context, rolled: Roll) -> Sequence[Change]:
    """What the roll cost, and the complex action it begins."""
    actor = ctx.one()
    hears = GM_ONLY if ctx["secret"] else EVERYONE
    costs = roll_changes(ctx, actor, ctx.value(actor, "energy_dice"), rolled, hears)
    begun = carried_over(ctx, rolled)
    if begun is None or actor.record is None:
        return (*costs, *_given_up(actor, rolled.unconscious))
    return (*costs, *changed(actor.id, actor.record, "complex_action", begun, "D10-019"))


def _given_up(actor: Actor, helpless: bool) -> tuple[Change, ...]:
    """Falling unconscious or dying gives a complex action up."""
    if not helpless or not _busy(actor):
        return ()
    return changed(actor.id, actor.record, "complex_action", None, "D10-020")


def throw_move(name: str, reflex: bool) -> Move:
    """A roll: asked for, announced, thrown; what goes on after the throw is asked inside it."""

    def read(ctx: Context) -> tuple[Hashable, ...]:
        actor = ctx.one()
        return action_of(ctx, actor, reflex), difficulty_of(ctx), luck_of(ctx, actor), ctx.rulings

    return Move(
        name,
        (
            Ask("ask", (*asked_of(), *difficulty_fields(), Field("secret", Flag(), "gm", usual=False, secrecy="gm"),
                        Field("label", TextField(200), usual=""))),
            Ask("announce", announced_by(reflex=reflex)),
            Resolve(
                "throw", pool.throw, read, tell=tell_roll, outcome=roll_outcome, success=lambda rolled: rolled.passed,
                changes=changes_of_throw, shown=shown_roll, policies=POLICIES, vary="dice",
                opens=lambda ctx, rolled: _opened(carried_over(ctx, rolled)),
            ),
        ),
        rules=("D10-002", "D10-012", "D10-013", "D10-030", *(("D10-016",) if reflex else ())),
        exists=known_to,
    )


def _opened(state: ComplexAction | None) -> Opened | None:
    return None if state is None else Opened(COMPLEX_ACTION, state)


# Complex actions


def pursued(ctx: Context) -> ComplexAction:
    """The action as it stands when a turn begins: interrupted, it has lost its stock."""
    state: ComplexAction = ctx.encounter
    if state.actor and state.actor != ctx.one().id:
        raise NotTheirAction(actor=state.actor)
    return replace(state, stock=pursuit.kept_stock(state.stock, state.turn, ctx["turn"], ctx.rulings), turn=ctx["turn"])


def begun(ctx: Context) -> ComplexAction:
    """The action as it begins."""
    actor = ctx.one()
    if _busy(actor):
        raise AlreadyBusy(label=actor.record.complex_action.label)
    return ComplexAction(ctx["label"], pursuit.check_complex(ctx["difficulty"]), 0, 1, actor.id)


State = Callable[[Context], ComplexAction]


def others_at_once(ctx: Context) -> int:
    """The other actions of the turn that disturb the complex one."""
    return pursuit.simultaneous_actions(ctx["simultaneous"], ctx["reflexes"], ctx.rulings)


def read_turn(state: State) -> Callable[[Context], tuple[Hashable, ...]]:
    """A turn as the rule reads it: where the action stands, who acts, who resists."""

    def read(ctx: Context) -> tuple[Hashable, ...]:
        now, actor, resisting = state(ctx), ctx.one(), ctx.all("opponent")
        standing = Pursuit(now.difficulty, now.stock, others_at_once(ctx))
        mine = (standing, action_of(ctx, actor), luck_of(ctx, actor), ctx.rulings)
        return mine if not resisting else (*mine, action_of(ctx, resisting[0]), luck_of(ctx, resisting[0]))

    return read


def turn_outcome(turn: Turn) -> str:
    """The short key of a turn: done and how well, to be pursued, or not attempted."""
    return LEVELS[turn.level] if turn.done else "continues" if turn.dice else "impossible"


def after_turn(state: ComplexAction, turn: Turn) -> ComplexAction:
    """The action after a turn."""
    return replace(state, stock=turn.stock, done=turn.done, abandoned=turn.unconscious and not turn.done)


def tell_turn(state: State) -> Callable[[Context, Turn], Sequence[Telling]]:
    """What is said of a turn."""

    def tell(ctx: Context, turn: Turn) -> Sequence[Telling]:
        now = state(ctx)
        values = {"label": now.label, "stock": turn.stock, "difficulty": now.difficulty, "turn": now.turn}
        lines = [Telling("outcomes.told_stock", values), Telling(f"outcomes.{turn_outcome(turn)}")]
        return [*lines, Telling("outcomes.blackout")] if turn.unconscious else lines

    return tell


def turn_costs(ctx: Context, turn: Turn) -> tuple[Change, ...]:
    """What a turn costs both sides."""
    actor = ctx.one()
    costs = roll_changes(ctx, actor, ctx.value(actor, "energy_dice"), turn)
    for other in ctx.all("opponent"):
        theirs = _Side(turn.opposing_dice, turn.opposing_luck_spent, turn.opposing_unconscious)
        costs += roll_changes(ctx, other, ctx.value(other, "energy_dice"), theirs)
    return costs


class _Side(NamedTuple):
    """What :func:`roll_changes` reads of a roll."""

    dice: int
    luck_spent: int
    unconscious: bool


def on_sheet(ctx: Context, after: ComplexAction) -> tuple[Change, ...]:
    """The sheet's own line on the complex action: kept while it lasts."""
    actor = ctx.one()
    if actor.record is None:
        return ()
    return changed(actor.id, actor.record, "complex_action", None if after.over else after, "D10-019")


def changes_of_start(ctx: Context, turn: Turn) -> Sequence[Change]:
    """What the first turn changes."""
    return (*turn_costs(ctx, turn), *on_sheet(ctx, after_turn(begun(ctx), turn)))


def changes_of_continue(ctx: Context, turn: Turn) -> Sequence[Change]:
    """What a later turn changes: the encounter's stock too."""
    after = after_turn(pursued(ctx), turn)
    return (Change("encounter", "", ctx.encounter, after, "D10-019"), *turn_costs(ctx, turn), *on_sheet(ctx, after))


def opened_by_start(ctx: Context, turn: Turn) -> Opened | None:
    """A complex action that is not over goes on as an encounter."""
    after = after_turn(begun(ctx), turn)
    return None if after.over or not turn.dice else Opened(COMPLEX_ACTION, after)


TURNS_FORESEEN = 6


def forecast(state: State) -> Callable[[Context], Forecast]:
    """In how many turns the action is done, if the same dice are thrown each time and nobody resists."""

    def ahead(ctx: Context) -> Forecast:
        now, thrown = state(ctx), pool.hand(action_of(ctx, ctx.one()), ctx.rulings)
        start = Progress(now.stock, False)
        try:
            chain = Chain(
                pursuit.progress, start, thrown.dice, thrown.attribute, now.difficulty, others_at_once(ctx),
                ctx.rulings, over=lambda progress: progress.done,
            )
            mean = chain.run().mean_steps
        except EndlessRule:
            return Forecast(Odds({"never": 1}), None)
        by_turn = [chain.after(turn).chance(lambda progress: progress.done) for turn in range(TURNS_FORESEEN + 1)]
        chances = {f"turn_{turn}": by_turn[turn] - by_turn[turn - 1] for turn in range(1, TURNS_FORESEEN + 1)}
        chances["later"] = 1 - by_turn[-1]
        total = lcm(*(chance.denominator for chance in chances.values()))
        lines = [
            Telling("outcomes.done_by", {"turn": turn, **percentage(by_turn[turn])})
            for turn in range(1, TURNS_FORESEEN + 1)
        ]
        return Forecast(Odds({key: int(chance * total) for key, chance in chances.items()}, total), mean, lines)

    return ahead


def complex_move(name: str, state: State, asked: tuple[Field, ...], encounter: str = "", **more: Any) -> Move:
    """A turn of a complex action, the first or a later one."""
    return Move(
        name,
        (
            Ask("ask", (*asked, *asked_of(), Field("simultaneous", Whole(0), "gm", usual=0, rule="D10-018"),
                        Field("reflexes", Whole(0), "gm", usual=0, rule="D10-016"))),
            Ask("announce", announced_by()),
            Ask("resist", (*asked_of("opponent"), *announced_by("opponent"))),
            Resolve(
                "turn", pursuit.complex_turn, read_turn(state), tell=tell_turn(state), outcome=turn_outcome,
                success=lambda turn: turn.done, policies=POLICIES, vary="dice", **more,
            ),
        ),
        cast=(INITIATOR, Role("opponent", least=0), GAME_MASTER),
        rules=("D10-017", "D10-018", "D10-019", "D10-021", "D10-022", "D10-026"),
        encounter=encounter,
        forecast=forecast(state),
    )


START = complex_move(
    "start-complex-action", begun,
    (Field("label", TextField(200), usual=""),
     Field("difficulty", Ruled(2, 99, NotComplex), "gm", rule="D10-017")),
    changes=changes_of_start, opens=opened_by_start,
)
CONTINUE = complex_move(
    "continue-complex-action", pursued,
    (Field("turn", Whole(lambda ctx: ctx.encounter.turn + 1), usual=lambda ctx: ctx.encounter.turn + 1,
           rule="D10-020"),),
    COMPLEX_ACTION, changes=changes_of_continue,
)


def changes_of_abandon(ctx: Context, stock: int) -> Sequence[Change]:
    """The action is given up, on the sheet too."""
    after = replace(ctx.encounter, stock=stock, abandoned=True)
    return (Change("encounter", "", ctx.encounter, after, "D10-020"), *on_sheet(ctx, after))


ABANDON = Move(
    "abandon",
    (Resolve("abandon", pursuit.abandon, lambda ctx: (ctx.encounter.stock,), outcome=lambda stock: "abandoned",
             tell=lambda ctx, stock: [Telling("outcomes.abandoned")], changes=changes_of_abandon),),
    rules=("D10-020",),
    encounter=COMPLEX_ACTION,
)

# Opposed rolls


def read_opposed(ctx: Context) -> tuple[Hashable, ...]:
    """Both sides as the rule reads them."""
    mine, theirs = ctx.one(), ctx.one("opponent")
    return action_of(ctx, mine), luck_of(ctx, mine), action_of(ctx, theirs), luck_of(ctx, theirs), ctx.rulings


def opposed_outcome(result: Opposed) -> str:
    """The short key: who wins, or nobody."""
    return {"initiator": "initiator_wins", "opponent": "opponent_wins", NOBODY: "tie"}[result.winner]


def tell_opposed(ctx: Context, result: Opposed) -> Sequence[Telling]:
    """Who wins, and what the difference is worth."""
    lines = [Telling("outcomes.told_opposed", {"mine": result.initiator.total, "theirs": result.opponent.total}),
             Telling(f"outcomes.{opposed_outcome(result)}")]
    if result.winner != NOBODY:
        lines.append(Telling("outcomes.told_effective", {"n": result.effective, "meaning": LEVELS[result.level]}))
    return lines


def changes_of_opposed(ctx: Context, result: Opposed) -> Sequence[Change]:
    """What the two rolls cost."""
    sides = ((ctx.one(), result.initiator), (ctx.one("opponent"), result.opponent))
    return tuple(
        change
        for actor, rolled in sides
        for change in (*roll_changes(ctx, actor, ctx.value(actor, "energy_dice"), rolled),
                       *_given_up(actor, rolled.unconscious))
    )


def rolled_again(ctx: Context, result: Opposed) -> Sequence[Follow]:
    """A tie on which luck was spent is rolled again as a new opposed roll, where ties are rolled again."""
    if result.winner != NOBODY or ctx.rulings.opposed_tie != "reroll" or not result.initiator.dice:
        return ()
    if any(side.unconscious for side in (result.initiator, result.opponent)):
        return ()
    sides = (ctx.one(), ctx.one("opponent"))
    form = {actor.id: {k: v for k, v in actor.filled.items() if k not in ("luck", "energy_dice")} for actor in sides}
    return (Follow(ctx.move.id, {actor.role: [actor.id] for actor in sides}, form),)


def opposed_move(name: str, secrecy: str, shown: Callable[[Context, Any], Shown]) -> Move:
    """Two sides roll; what the second announces may be kept from the first until both are done."""
    return Move(
        name,
        (
            Ask("announce", (*asked_of(), *announced_by())),
            Ask("oppose", (*asked_of("opponent", secrecy), *announced_by("opponent", secrecy))),
            Resolve(
                "opposed", opposed.opposed, read_opposed, tell=tell_opposed, outcome=opposed_outcome,
                success=lambda result: result.winner == "initiator", changes=changes_of_opposed, shown=shown,
                follow=rolled_again, policies=POLICIES, vary="dice",
            ),
        ),
        cast=(INITIATOR, OPPONENT, GAME_MASTER),
        rules=("D10-023", "D10-024", "D10-025"),
    )


def hidden_until_done(ctx: Context, result: Any) -> Shown:
    """Each side sees its own dice until both have finished; then everything lies open."""
    return OWN_DICE if result is None else OPEN


# Wounds and luck


def read_wound(ctx: Context) -> tuple[Hashable, ...]:
    """The hit as the rule reads it."""
    victim = ctx.one("victim")
    return (ctx["part"], wound_level(ctx, victim), ctx["levels"], ctx.value(victim, "avoid") or 0,
            luck_of(ctx, victim), ctx.rulings)


def wound_outcome(wound: health.Wound) -> str:
    """The short key: unhurt, hurt, lost, dying."""
    if not wound.worse:
        return "unhurt"
    return "dying" if wound.dying else "lost" if wound.lost else "wounded"


def changes_of_wound(ctx: Context, wound: health.Wound) -> Sequence[Change]:
    """The part gets worse, from today; what was paid towards it is forfeited; a mortal wound ends any action."""
    victim, part = ctx.one("victim"), ctx["part"]
    sheet: Character | None = victim.record
    if sheet is None:
        return ()
    changes = changed(victim.id, sheet, "luck_used", sheet.luck_used + wound.avoided, "D10-033")
    if wound.worse:
        paid = {name: points for name, points in sheet.healing_paid.items() if name != part}
        changes += (
            *changed(victim.id, sheet, "wounds", {**sheet.wounds, part: wound.level}, "D10-046"),
            *changed(victim.id, sheet, "wound_day", {**sheet.wound_day, part: ctx.day}, "D10-046"),
            *changed(victim.id, sheet, "healing_paid", paid, "D10-046"),
            *_given_up(victim, wound.dying),
        )
    return changes


INFLICT_WOUND = Move(
    "inflict-wound",
    (
        Ask("hit", (
            Field("part", OneOf(body_parts("victim")), "gm", rule="D10-039"),
            Field("level", Whole(0, 3), "victim", usual=0, when=without_sheet("victim"), rule="D10-039"),
            Field("levels", Whole(1, 9), "gm", usual=1, rule="D10-046"),
            Field("luck", Whole(0, 10), "victim", usual=0, when=without_sheet("victim"), rule="D10-029"),
        )),
        Ask("avoid", (Field("avoid", AvoidedLevels(), "victim", usual=0, waits=True, rule="D10-033"),)),
        Resolve(
            "wound", health.inflict_wound, read_wound, outcome=wound_outcome, changes=changes_of_wound,
            tell=lambda ctx, wound: [
                Telling("outcomes.told_wound", {"part": ctx["part"], "level": wound.level}),
                Telling(f"outcomes.{wound_outcome(wound)}"),
            ],
        ),
    ),
    cast=(Role("victim", record="character"), GAME_MASTER),
    by="gm",
    rules=("D10-033", "D10-044", "D10-046"),
)


def luck_line(ctx: Context) -> tuple[int, int]:
    """The maximum of luck and the points used, on the sheet or as filled in."""
    actor = ctx.one("character")
    if actor.record is None:
        return ctx.value(actor, "luck"), ctx.value(actor, "luck_used")
    return actor.record.luck, actor.record.luck_used


def changes_of_refund(ctx: Context, after: luck.Luck) -> Sequence[Change]:
    """The second line of the sheet goes down."""
    actor = ctx.one("character")
    if actor.record is None:
        return ()
    return changed(actor.id, actor.record, "luck_used", after.luck_used, "D10-034")


REFUND_LUCK = Move(
    "refund-luck",
    (
        Ask("refund", (
            Field("points", Whole(1, 99), "gm", usual=1, rule="D10-034"),
            Field("silent", Flag(), "gm", usual=False, secrecy="gm"),
            Field("luck", Whole(0, 10), "character", usual=5, when=without_sheet("character")),
            Field("luck_used", Whole(0, 10), "character", usual=0, when=without_sheet("character")),
        )),
        Resolve(
            "refund", luck.refund_luck, lambda ctx: (*luck_line(ctx), ctx["points"]), outcome=lambda after: "refunded",
            changes=changes_of_refund,
            shown=lambda ctx, after: INVISIBLE if ctx["silent"] else Shown(detail=GM_ONLY),
            tell=lambda ctx, after: [
                Telling("outcomes.refunded", {}, GM_ONLY if ctx["silent"] else EVERYONE),
                Telling("outcomes.told_luck", {"n": after.luck_available}, GM_ONLY if ctx["silent"] else ITS_OWNER),
            ],
        ),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-034",),
    exists=lambda ctx: GM_ONLY if ctx["silent"] else EVERYONE,
)

# Energy


def energy_of(ctx: Context, actor: Actor) -> int:
    """Energy on the sheet, or as filled in."""
    return int(ctx.value(actor, "energy") if actor.record is None else actor.record.energy)


def energy_changes(actor: Actor, after: Energy, rule_id: str) -> tuple[Change, ...]:
    """The gauge moves; at 0 some tables let the character collapse."""
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    return (
        *changed(actor.id, sheet, "energy", after.energy, rule_id),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or after.unconscious, "D10-060"),
    )


def tell_energy(actor: Actor, after: Energy) -> list[Telling]:
    """The gauge and its segment, as the table hears them."""
    name = actor.record.name if actor.record is not None and actor.record.name else actor.id
    values = {"who": name, "energy": after.energy, "change": after.change, "segment": after.segment}
    lines = [Telling("outcomes.told_energy", values)]
    return [*lines, Telling("outcomes.collapse", {"who": name})] if after.unconscious else lines


def energy_move(
    name: str, rule_id: str, resolved: Callable[..., Energy], given: Callable[[Context], tuple[Hashable, ...]],
    *asked: Field, role: Role = INITIATOR, by: str = "initiator",
) -> Move:
    """A move that does nothing but change one character's energy."""
    return Move(
        name,
        (
            Ask("ask", (*asked, energy_field(role.id))),
            Resolve(
                name, resolved, lambda ctx: (energy_of(ctx, ctx.one(role.id)), *given(ctx), ctx.rulings),
                outcome=lambda after: str(after.segment),
                tell=lambda ctx, after: tell_energy(ctx.one(role.id), after),
                changes=lambda ctx, after: energy_changes(ctx.one(role.id), after, rule_id),
            ),
        ),
        cast=(role, GAME_MASTER),
        by=by,
        rules=(rule_id,),
    )


SLEEP = energy_move(
    "sleep", "D10-055", energy.sleep, lambda ctx: (ctx["blocks"],),
    Field("blocks", Many(Whole(0, 48), least=1), rule="D10-055"),
)
EAT = energy_move("eat", "D10-056", energy.eat, lambda ctx: (ctx["meal"],), Field("meal", OneOf(Meal), rule="D10-056"))
ADJUST_ENERGY = energy_move(
    "adjust-energy", "D10-057", energy.adjust, lambda ctx: (ctx["amount"],),
    Field("amount", Whole(-24, 24), "gm", rule="D10-057"), role=CHARACTER, by="gm",
)

END_OF_SCENE = Move(
    "end-of-scene",
    (
        Ask("costs", (
            Field("cost", Ruled(0, 2, SceneCost), "character", usual=1, rule="D10-058"),
            energy_field("character"),
        )),
        Resolve(
            "scene", energy.end_of_scene,
            lambda ctx: (
                tuple(energy_of(ctx, actor) for actor in ctx.all("character")),
                tuple(ctx.value(actor, "cost") for actor in ctx.all("character")),
                ctx.rulings,
            ),
            outcome=lambda after: "scene_over",
            tell=lambda ctx, after: [
                line for actor, its in zip(ctx.all("character"), after, strict=True) for line in tell_energy(actor, its)
            ],
            changes=lambda ctx, after: [
                change for actor, its in zip(ctx.all("character"), after, strict=True)
                for change in energy_changes(actor, its, "D10-058")
            ],
        ),
    ),
    cast=(Role("character", record="character", most=None), GAME_MASTER),
    by="gm",
    rules=("D10-058", "D10-059"),
)

# Days, healing, fate


@rule("D10-069")
def new_day(dice: Dice, day: int) -> int:
    """A new day begins: what was paid for healing counts afresh."""
    return day + 1


def changes_of_new_day(ctx: Context, day: int) -> Sequence[Change]:
    """The clock moves on, and each character's healing of the day starts from 0; activity is stated when paying."""
    fresh = (
        change
        for actor in ctx.all("character") if actor.record is not None
        for change in (
            *changed(actor.id, actor.record, "healing_spent_today", 0, "D10-069"),
            *changed(actor.id, actor.record, "day_activity", Activity.ACTIVE, "D10-069"),
        )
    )
    return (Change("clock", "", ctx.day, day, "D10-069"), *fresh)


NEW_DAY = Move(
    "new-day",
    (Resolve("day", new_day, lambda ctx: (ctx.day,), outcome=lambda day: "new_day",
             tell=lambda ctx, day: [Telling("outcomes.told_day", {"day": day})], changes=changes_of_new_day),),
    cast=(Role("character", record="character", least=0, most=None), GAME_MASTER),
    by="gm",
    rules=("D10-069",),
)


def read_heal(ctx: Context) -> tuple[Hashable, ...]:
    """The payment as the rule reads it."""
    actor, part = ctx.one(), ctx["part"]
    sheet: Character | None = actor.record
    if sheet is None:
        return (part, ctx["level"], ctx["points"], ctx["healing_paid"], ctx["wound_day"], ctx["today"], 0,
                ctx["activity"], ctx["energy"], ctx.rulings)
    return (part, sheet.level(part), ctx["points"], sheet.healing_paid.get(part, 0), sheet.wound_day.get(part), ctx.day,
            sheet.healing_spent_today, ctx["activity"], sheet.energy, ctx.rulings)


def changes_of_heal(ctx: Context, after: healing.Healed) -> Sequence[Change]:
    """Energy goes down; the wound is paid for in part, or healed."""
    actor, part = ctx.one(), ctx["part"]
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    paid = {**{name: points for name, points in sheet.healing_paid.items() if name != part},
            **({part: after.healing_paid} if after.healing_paid else {})}
    return (
        *changed(actor.id, sheet, "energy", after.energy, "D10-067"),
        *changed(actor.id, sheet, "wounds", {**sheet.wounds, part: after.level}, "D10-067"),
        *changed(actor.id, sheet, "healing_paid", paid, "D10-068"),
        *changed(actor.id, sheet, "healing_spent_today", after.healing_spent_today, "D10-069"),
        *changed(actor.id, sheet, "day_activity", ctx["activity"], "D10-069"),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or after.unconscious, "D10-060"),
    )


_NO_SHEET = without_sheet("initiator")
HEAL = Move(
    "heal",
    (
        Ask("pay", (
            Field("part", OneOf(body_parts("initiator")), rule="D10-065"),
            Field("points", Whole(1), usual=1, rule="D10-067"),
            Field("activity", OneOf(Activity), usual=Activity.ACTIVE, rule="D10-069"),
            Field("level", Whole(0, 3), usual=1, when=_NO_SHEET),
            Field("healing_paid", Whole(0, 4), usual=0, when=_NO_SHEET),
            Field("wound_day", Whole(0), usual=0, when=_NO_SHEET),
            Field("today", Whole(0), usual=1, when=_NO_SHEET),
            energy_field("initiator"),
        )),
        Resolve(
            "heal", healing.heal, read_heal, changes=changes_of_heal,
            outcome=lambda after: "healed" if after.level == 0 else "paid" if after.healing_paid else "eased",
            tell=lambda ctx, after: [Telling("outcomes.told_heal", {
                "part": ctx["part"], "level": after.level, "paid": after.healing_paid, "energy": after.energy})],
        ),
    ),
    rules=("D10-065", "D10-066", "D10-067", "D10-068", "D10-069"),
)


def changes_of_replacement(ctx: Context, after: health.Replaced) -> Sequence[Change]:
    """The limb is whole again, and marked."""
    actor, part = ctx.one("character"), ctx["part"]
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    marked = tuple(dict.fromkeys((*sheet.replaced, part)))
    return (
        *changed(actor.id, sheet, "wounds", {**sheet.wounds, part: after.level}, "D10-043"),
        *changed(actor.id, sheet, "replaced", marked, "D10-043"),
    )


REPLACE_A_LIMB = Move(
    "replace-a-limb",
    (
        Ask("limb", (
            Field("part", OneOf(body_parts("character", limbs=True)), "gm", rule="D10-043"),
            Field("level", Whole(0, 3), "character", usual=3, when=without_sheet("character")),
        )),
        Resolve(
            "replace", health.replace_limb,
            lambda ctx: (ctx["part"], wound_level(ctx, ctx.one("character"))), outcome=lambda after: "replaced",
            tell=lambda ctx, after: [Telling("outcomes.told_replaced", {"part": ctx["part"]})],
            changes=changes_of_replacement,
        ),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-043",),
)


def changes_of_fate(ctx: Context, decided: str) -> Sequence[Change]:
    """Someone wakes up, or dies."""
    actor = ctx.one("character")
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    if decided == Fate.WAKE_UP:
        return changed(actor.id, sheet, "unconscious", False, "D10-054")
    return (*changed(actor.id, sheet, "dead", True, "D10-045"), *_given_up(actor, True))


WAKE_UP_OR_DIE = Move(
    "wake-up-or-die",
    (
        Ask("fate", (Field("fate", OneOf(Fate), "gm", rule="D10-045"),)),
        Resolve("fate", health.fate, lambda ctx: (ctx["fate"],), outcome=str, changes=changes_of_fate,
                tell=lambda ctx, decided: [Telling(f"outcomes.{decided}")]),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-045", "D10-054"),
)

# Creation


def created_sheet(ctx: Context) -> Character:
    """The sheet handed in, checked, as it enters play."""
    record: Character = ctx["sheet"]
    return sheets.fresh(ctx.system.kind("character").validated(record, ctx.rulings))


def read_creation(ctx: Context) -> tuple[Hashable, ...]:
    """The sheet as the rule reads it."""
    record = created_sheet(ctx)
    return tuple(getattr(record, name) for name in Attribute), record.skills, ctx["override"], ctx.rulings


def tell_creation(ctx: Context, created: sheets.Created) -> Sequence[Telling]:
    """The sheet is legal; what is only unwise is said."""
    record = created_sheet(ctx)
    unwise = [fault for fault in sheets.check(record, ctx.rulings) if fault.warning]
    return [Telling("outcomes.told_created", {"name": record.name or ctx.one().id}),
            *(Telling(f"faults.{fault.key}", fault.values) for fault in unwise)]


CREATE_CHARACTER = Move(
    "create-character",
    (
        Ask("sheet", (Field("sheet", SheetOf("character"), rule="D10-027"),
                      Field("override", Flag(), "gm", usual=False, rule="D10-036"))),
        Window("accept", "gm", "approval", back_to="sheet"),
        Resolve(
            "create", sheets.create, read_creation, outcome=lambda created: "created", tell=tell_creation,
            changes=lambda ctx, created: [
                Change(created_sheet(ctx).name or f"{ctx.one().id}-1", "", None, created_sheet(ctx), "D10-027",
                       kind="character")
            ],
        ),
    ),
    rules=("D10-027", "D10-028", "D10-036", "D10-037"),
)

# Odds


class Chances(NamedTuple):
    """The exact chance of passing for each number of dice from 1 up, the best number, and where one more die hurts."""

    chances: tuple[str, ...]
    best: int
    hurts: tuple[int, ...]


@rule("D10-004", "D10-015")
def chances(dice: Dice, attribute: int, most: int, difficulty: int, points: int, rulings: Rulings) -> Chances:
    """How often a roll passes with 1 die, 2 dice… under best play, luck included up to the points at hand.

    More dice are not always better: at attribute 9 each one is mostly one more chance of a 10.
    """
    found = [
        best(roll, points, terms_of(number, attribute, difficulty, rulings), goal=lambda rolled: rolled.passed).value
        for number in range(1, most + 1)
    ]
    hurts = tuple(number + 1 for number in range(1, most) if found[number] < found[number - 1])
    return Chances(tuple(map(fraction_text, found)), found.index(max(found)) + 1 if found else 0, hurts)


def read_chances(ctx: Context) -> tuple[Hashable, ...]:
    """The question as asked: the pool of the sheet, or so many dice; one may ask without a counterpart."""
    action = announced(ctx, ctx.one())._replace(field="")
    if action.skill is None and action.dice is None:
        action = action._replace(dice=DICE_COMPARED)
    thrown = pool.hand(action, ctx.rulings)
    return thrown.attribute, thrown.dice, ctx["difficulty"], ctx["luck"], ctx.rulings


DICE_COMPARED = 6


def percentage(chance: Fraction) -> dict[str, int]:
    """A chance in percent, as whole numbers and tenths: each language writes its own comma."""
    tenths = round(chance * 1000)
    return {"whole": tenths // 10, "tenth": tenths % 10}


def tell_chances(ctx: Context, answer: Chances) -> Sequence[Telling]:
    """One line for each number of dice, and the surprise if there is one."""
    lines = [
        Telling("outcomes.told_chance", {"n": number, "chance": chance, **percentage(Fraction(chance))})
        for number, chance in enumerate(answer.chances, start=1)
    ]
    lines += [Telling("outcomes.told_hurts", {"n": number, "fewer": number - 1}) for number in answer.hurts]
    return lines or [Telling("outcomes.impossible")]


ODDS_HELPER = Move(
    "odds-helper",
    (
        Ask("ask", (
            *asked_of(), *(asked for asked in announced_by() if asked.id != "luck"),
            Field("difficulty", Whole(1, 99), usual=1, rule="D10-007"),
            Field("luck", LuckAtHand(), usual=0, rule="D10-030"),
        )),
        Resolve("chances", chances, read_chances, tell=tell_chances,
                outcome=lambda answer: "more_dice_hurt" if answer.hurts else "more_dice_help"),
    ),
    rules=("D10-004", "D10-015"),
)

MOVES = {
    move.id: move
    for move in (
        throw_move("throw", reflex=False), throw_move("reflex-roll", reflex=True), START, CONTINUE, ABANDON,
        opposed_move("opposed-roll", "open", lambda ctx, result: OPEN),
        opposed_move("hidden-opposed-roll", "own", hidden_until_done),
        INFLICT_WOUND, REFUND_LUCK, END_OF_SCENE, SLEEP, EAT, ADJUST_ENERGY, NEW_DAY, HEAL, REPLACE_A_LIMB,
        WAKE_UP_OR_DIE, CREATE_CHARACTER, ODDS_HELPER,
    )
}
