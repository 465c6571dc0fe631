"""Moves of beasts and persons: those that a world has, and those that one meets there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
)
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.things import actor_in, figure, record_in
from paravent.systems.empire.throws import by_gm, made, said, secret, to_gm, unseen
from paravent.systems.empire.travel.travel import number
from paravent.systems.empire.worlds.generating import Generate
from paravent.systems.empire.worlds.roles import WORLD

from .animals import (
    LETTERS,
    Animal,
    Behaviour,
    Day,
    Diet,
    DietFound,
    Met,
    Provocation,
    Reaction,
    animal,
    animal_gist,
    companion_fauna,
    day,
    day_gist,
    day_mod,
    diet_of,
    fauna,
    is_provoked,
    met,
    met_gist,
    reaction,
    territory,
)
from .bodies import picked_field, size_of
from .persons import (
    Located,
    Person,
    PersonRole,
    from_character,
    locate,
    needs_a_way_out,
    obstacle,
    official,
    on_stage,
    one_of,
    recast,
)
from .roles import ANIMAL, PERSON

# Beasts


def _oceans(ctx: Context) -> int:
    return int(figure(ctx, "oceans_o", "world"))


def _read_animal(ctx: Context) -> tuple[Any, ...]:
    picked = ctx["picked"] or 3
    return _oceans(ctx), ctx["diet"], ctx["weapon"] or "", ctx.rulings, picked


def _diet_key(found: Animal | DietFound) -> str:
    return diet_of(found.diet_ta).value


def tell_animal(ctx: Context, found: Animal) -> Sequence[Telling]:
    """A beast in a line."""
    return (to_gm("told_animal", name=found.name or ctx["name"], diet=_diet_key(found), movement=found.movement_mode,
                strength=found.strength, endurance=found.endurance, size=size_of(found.body_row),
                appearance=found.appearance, weapon=found.natural_weapon, armour=found.natural_armour),)


def _change_animal(ctx: Context, found: Animal) -> Sequence[Change]:
    actor, named = actor_in(ctx, "world"), replace(found, name=ctx["name"])
    if actor is not None:
        return changed(actor.id, actor.record, "fauna", (*actor.record.fauna, named), "EGW-040", GM_ONLY)
    return (made(named.name or "animal", named, "animal", "EGW-040", GM_ONLY),)


OCEANS = secret("oceans_o", Whole(0, 10), "EGW-041", optional=True)
GENERATE_ANIMAL = Move(
    "generate-animal",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=tuple(f"EGW-{n:03d}" for n in range(40, 47)),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-040", usual=""),
            OCEANS,
            secret("diet", OneOf(Diet), "EGW-040", optional=True),
            secret("weapon", OneOf(tuple(LETTERS)), "EGW-043", optional=True),
            picked_field(),
        )),
        Generate("animal", asking(by_gm(animal), _read_animal), tell=tell_animal, outcome=_diet_key, shown=unseen,
                 gist=animal_gist, changes=_change_animal),
    ),
)


class Fauna(NamedTuple):
    """The beasts made for a world."""

    beasts: tuple[Animal, ...] = ()


def make_fauna(dice: Dice, companions: bool, oceans_o: int, tech_level: int, rulings: Rulings) -> Fauna:
    """Six species for a world of beasts, or the three that live beside a people."""
    if companions:
        return Fauna(companion_fauna(dice, oceans_o, tech_level, rulings))
    return Fauna(fauna(dice, oceans_o, rulings))


def fauna_gist(dice: Dice, companions: bool, oceans_o: int, tech_level: int, rulings: Rulings) -> Fauna:
    """There will be beasts."""
    return Fauna()


def _named_fauna(ctx: Context, done: Fauna) -> tuple[Animal, ...]:
    return tuple(replace(beast, name=f"{ctx['name']} {at}".strip()) for at, beast in enumerate(done.beasts, start=1))


def _change_fauna(ctx: Context, done: Fauna) -> Sequence[Change]:
    actor, beasts = actor_in(ctx, "world"), _named_fauna(ctx, done)
    if actor is not None:
        return changed(actor.id, actor.record, "fauna", beasts, "EGW-047", GM_ONLY)
    return [made(beast.name, beast, "animal", "EGW-047", GM_ONLY) for beast in beasts]


def _read_fauna(ctx: Context) -> tuple[Any, ...]:
    return ctx["companions"], _oceans(ctx), figure(ctx, "people_level", "world", "tech_level"), ctx.rulings


GENERATE_FAUNA = Move(
    "generate-fauna",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY, rules=("EGW-031", "EGW-047"),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-047", usual=""),
            OCEANS,
            secret("companions", Flag(), "EGW-031", usual=False),
            secret("people_level", Whole(0, 6), "EGW-031", optional=True),
        )),
        Generate("fauna",
            asking(by_gm(make_fauna), _read_fauna), outcome=lambda done: "fauna", shown=unseen, gist=fauna_gist,
                 tell=lambda ctx, done: [line for beast in _named_fauna(ctx, done) for line in tell_animal(ctx, beast)],
                 changes=_change_fauna),
    ),
)


# A day on a planet


def _beasts(ctx: Context) -> tuple[Animal, ...]:
    found = record_in(ctx, "world")
    if found is not None:
        return tuple(found.fauna)
    return tuple(Animal(diet_ta=diet_ta, natural_armour=2 * diet_ta) for diet_ta in ctx["species"])


def _grown(ctx: Context, beasts: tuple[Animal, ...]) -> Sequence[Change]:
    actor = actor_in(ctx, "world")
    if actor is None:
        return ()
    numbered = tuple(beast if beast.name else replace(beast, name=str(at)) for at, beast in enumerate(beasts, start=1))
    return changed(actor.id, actor.record, "fauna", numbered, "EGW-049", GM_ONLY)


def _read_day(ctx: Context) -> tuple[Any, ...]:
    return day_mod(ctx["circumstances"], ctx["more"]), _beasts(ctx), _oceans(ctx), ctx.rulings


def _tell_day(ctx: Context, done: Day) -> Sequence[Telling]:
    lines = [to_gm("told_meetings", n=done.n)]
    return lines + [
        to_gm("told_meeting", diet=meeting.diet.value, behaviour=meeting.behaviour.value,
              species=_called(done.beasts, meeting.species))
        for meeting in done.meetings
    ]


def _called(beasts: Sequence[Animal], species: int) -> str:
    """A species by its name, or its number among those of the world."""
    return (beasts[species].name if species < len(beasts) else "") or str(species + 1)


SPECIES = secret("species", Many(Whole(1, 6)), "EGW-049", usual=(4, 5, 6, 2, 3, 1))
START_DAY = Move(
    "start-day",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-048", "EGW-049", "EGW-050", "EGW-052"),
    steps=(
        Ask("settle", (
            secret("circumstances", Many(OneOf(lambda ctx: TABLES["day_mods"].keys()), distinct=True), "EGW-048",
                   usual=()),
            secret("more", Whole(-6, 6), "EGW-048", usual=0),
            SPECIES,
            OCEANS,
        )),
        Generate("day", asking(by_gm(day), _read_day), tell=_tell_day, shown=unseen, gist=day_gist,
                 outcome=lambda done: "meetings" if done.n else "no_meeting", success=lambda done: done.n == 0,
                 changes=lambda ctx, done: _grown(ctx, done.beasts)),
    ),
)


def _tell_met(ctx: Context, found: Met) -> Sequence[Telling]:
    meeting, beast = found
    seen = said("told_beast", EVERYONE, size=size_of(beast.body_row), appearance=beast.appearance)
    hidden = to_gm("told_meeting", diet=meeting.diet.value, behaviour=meeting.behaviour.value,
                   species=_called(_beasts(ctx), meeting.species))
    radius = territory(beast.body_row)
    ground = () if radius is None else (to_gm("told_territory", n=number(radius)),)
    return (hidden, *((seen,) if ctx["announce"] else ()), *tell_animal(ctx, beast), *ground)


def _change_met(ctx: Context, found: Met) -> Sequence[Change]:
    """A new species joins its world; the beast itself gets a sheet, to be provoked and fought."""
    if record_in(ctx, "world") is None:
        return ()
    beasts, beast = _beasts(ctx), found.beast
    grown = _grown(ctx, (*beasts, beast)) if found.meeting.species >= len(beasts) else ()
    met_now = replace(beast, name=ctx["name"] or beast.name, behaviour=found.meeting.behaviour.value)
    return (*grown, made(met_now.name or "animal", met_now, "animal", "EGW-049", GM_ONLY))


def _behaviour_key(found: Any) -> str:
    meeting = found.meeting if isinstance(found, Met) else found
    return str(meeting.behaviour.value)


ANIMAL_ENCOUNTER = Move(
    "animal-encounter",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=lambda ctx: EVERYONE if ctx["announce"] else GM_ONLY,
    rules=("EGW-049", "EGW-050", "EGW-051", "EGW-052"),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-040", usual=""),
            SPECIES,
            OCEANS,
            secret("announce", Flag(), "EGW-050", usual=False),
            secret("anew", Flag(), "EGW-063", usual=False),
        )),
        Generate("meet",
            asking(by_gm(met), lambda ctx: (_beasts(ctx), _oceans(ctx), ctx.rulings, ctx["anew"])), tell=_tell_met,
                 outcome=_behaviour_key, gist=met_gist, changes=_change_met, shown=unseen),
    ),
)


def react(dice: Dice, behaviour: Behaviour, what: Provocation, distance: int | None, row: int) -> Reaction:
    """What a beast does of what the group does."""
    provoked = is_provoked(what, distance, row)
    dice.note("EGW-051", "provoked" if provoked else "unprovoked")
    return reaction(behaviour, provoked)


def _behaviour(ctx: Context) -> Behaviour:
    """What the beast is about to do: as the game master says, or as was thrown when it was met."""
    known = ctx["behaviour"] or getattr(record_in(ctx, "animal"), "behaviour", "")
    if not known:
        raise MissingField(field="behaviour", role="gm")
    return Behaviour(known)


def _read_react(ctx: Context) -> tuple[Any, ...]:
    return _behaviour(ctx), ctx["provocation"], ctx["distance"], figure(ctx, "body_row", "animal")


def seen_as(done: Reaction) -> str:
    """What the group sees of it: a flight is a flight, whatever is meant by it."""
    return Reaction.FLEES.value if done is Reaction.RETURNS else done.value


def _tell_reaction(ctx: Context, done: Reaction) -> Sequence[Telling]:
    lines = [said(f"told_{seen_as(done)}")]
    return [*lines, to_gm("told_returns")] if done is Reaction.RETURNS else lines


PROVOKE = Move(
    "provoke",
    group="worlds", cast=(INITIATOR, ANIMAL, GAME_MASTER), rules=("EGW-050", "EGW-051"),
    steps=(
        Ask("act", (
            Field("provocation", OneOf(Provocation), usual=Provocation.NOISE, rule="EGW-051"),
            Field("distance", Whole(0), optional=True, rule="EGW-051"),
        )),
        Ask("settle", (
            secret("behaviour", OneOf(Behaviour), "EGW-050", optional=True, waits=True,
                   probes=tuple(Behaviour)),
            secret("body_row", Whole(2, 12), "EGW-045", usual=lambda ctx: None if record_in(ctx, "animal") else 7),
        )),
        Resolve("react", asking(react, _read_react), outcome=seen_as, tell=_tell_reaction,
                shown=lambda ctx, done: Shown(detail=GM_ONLY)),
    ),
)


# Persons


class Noted(NamedTuple):
    """An encounter written down."""

    person: Person


DEAD = Role("character", "character", least=0)


def note_person(dice: Dice, person: Person) -> Noted:
    """A sheet for the game master's reserve."""
    return Noted(person)


def _person(ctx: Context) -> Person:
    role, tags = ctx["role"], tuple(ctx["tags"])
    met_before, record = record_in(ctx, "person"), record_in(ctx, "character")
    if isinstance(met_before, Person):
        return recast(met_before, role)
    if record is not None:
        return from_character(record, role, tags)
    if role is PersonRole.OBSTACLE:
        level = ctx["tech_level"]
        return replace(obstacle(ctx["name"], ctx["trade"], level, ctx["nature"], ctx.rulings), tags=tags)
    person = Person(ctx["name"], role, tags=tags, escape_planned=needs_a_way_out(role))
    folk = getattr(record_in(ctx, "world"), "people", None)
    return one_of(folk, person, ctx.rulings) if folk is not None and folk.body_row else person


def _tell_noted(ctx: Context, done: Noted) -> Sequence[Telling]:
    line = to_gm("told_noted", name=done.person.name, role=done.person.role.value)
    return (line, *((to_gm("told_way_out"),) if needs_a_way_out(done.person.role) else ()))


def _change_noted(ctx: Context, done: Noted) -> Sequence[Change]:
    person, actor = done.person, actor_in(ctx, "person")
    staged = [made(f"{person.name} (npc)".strip(), on_stage(person), "npc", "EGW-001", GM_ONLY)]
    sheet = staged if ctx["on_stage"] else []
    if actor is None:
        return [made(person.name or "person", person, "person", "EGW-001", GM_ONLY), *sheet]
    return sheet + [change for name in ("role", "escape_planned")
                    for change in changed(actor.id, actor.record, name, getattr(person, name), "EGW-003", GM_ONLY)]


NOTE_ENCOUNTER = Move(
    "note-encounter",
    group="worlds", by="gm", cast=(DEAD, PERSON, WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-001", "EGW-002", "EGW-003", "EGW-008", "EGW-009"),
    steps=(
        Ask("write", (
            secret("name", TextField(80), "EGW-001", usual=""),
            secret("role", OneOf(PersonRole), "EGW-003", usual=PersonRole.SCENERY),
            secret("tags", Many(TextField(40)), "EGW-002", usual=()),
            secret("trade", OneOf(("soldiers", "police", "civilians")), "EGW-009", usual="police"),
            secret("tech_level", Whole(1, 6), "EGW-083", usual=6),
            secret("nature", OneOf(("friendly", "neutral", "hostile")), "EGW-083", usual="neutral"),
            secret("on_stage", Flag(), "EGW-001", usual=False),
        )),
        Resolve("note", asking(note_person, lambda ctx: (_person(ctx),)), outcome=lambda done: done.person.role.value,
                shown=unseen,
                tell=_tell_noted,
                changes=_change_noted),
    ),
)


def _read_locate(ctx: Context) -> tuple[Any, ...]:
    person = record_in(ctx, "person")
    slots = person.schedule if person is not None and person.schedule else official()
    return tuple(slots), ctx["place"], ctx["minute"], ctx.rulings


def _tell_located(ctx: Context, found: Located) -> Sequence[Telling]:
    if found.present:
        return (said("told_present"),)
    hint = ctx["hint"]
    return (said("told_absent"), *((said("told_hint", text=hint),) if hint else ()))


LOCATE_PERSON = Move(
    "locate-person",
    group="worlds", cast=(INITIATOR, PERSON, GAME_MASTER), rules=("EGW-004",),
    steps=(
        Ask("go", (Field("place", TextField(80, lambda ctx: ("home", "office", "restaurant")), rule="EGW-004"),)),
        Ask("settle", (
            secret("minute", Whole(0, 59), "EGW-004", optional=True),
            secret("hint", TextField(300), "EGW-004", usual=""),
        )),
        Resolve("locate", asking(by_gm(locate), _read_locate), tell=_tell_located, blind=True,
                outcome=lambda found: "present" if found.present else "absent", success=lambda found: found.present,
                shown=lambda ctx, found: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (
    GENERATE_ANIMAL, GENERATE_FAUNA, START_DAY, ANIMAL_ENCOUNTER, PROVOKE, NOTE_ENCOUNTER, LOCATE_PERSON,
)
