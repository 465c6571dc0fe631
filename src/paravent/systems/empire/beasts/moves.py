"""Moves of beasts and persons: those that a world has, and those that one meets there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    changed,
)
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.roles import RecordRole
from paravent.systems.empire.terms import TABLES, figure
from paravent.systems.empire.throws import Generate, by_gm, made, said, to_gm, unseen
from paravent.systems.empire.worlds.living import beasts_of, named_beasts, species
from paravent.systems.empire.worlds.naming import content_key
from paravent.systems.empire.worlds.planet import World
from paravent.systems.empire.worlds.roles import WORLD

from .animals import (
    LETTERS,
    Animal,
    Behaviour,
    Day,
    Diet,
    DietFound,
    Meeting,
    Met,
    Provocation,
    Reaction,
    animal,
    animal_gist,
    day,
    day_gist,
    day_mod,
    diet_of,
    is_provoked,
    met,
    met_gist,
    reaction,
    territory,
)
from .bodies import PICKED, size_of
from .decks import shared_out
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

V = TypeVar("V")

# Beasts


def _oceans(ctx: Context) -> int:
    return WORLD.figure(ctx, OCEANS, lambda found: found.oceans_o)


def _animal_call(ctx: Context) -> Call[Animal]:
    return Call(by_gm(animal), _oceans(ctx), ctx[DIET], ctx[WEAPON] or "", ctx.rulings, ctx[PICKED] or 3)


def _diet_key(found: Animal | DietFound) -> str:
    return diet_of(found.diet_ta).value


def tell_animal(ctx: Context, found: Animal) -> Sequence[Telling]:
    """A beast in a line."""
    return (to_gm("told_animal", name=found.name, diet=_diet_key(found), movement=found.movement_mode,
                strength=found.strength, endurance=found.endurance, size=size_of(found.body_row),
                appearance=found.appearance, weapon=found.natural_weapon, armour=found.natural_armour),)


def _change_animal(ctx: Context, found: Animal) -> Sequence[Change]:
    actor, (*beasts, named) = WORLD.actor(ctx), _christened(ctx, found)
    if actor is not None:
        return changed(actor.id, actor.record, "fauna", (*beasts, named), "EGW-040", GM_ONLY)
    return (made(named.name, named, "animal", "EGW-040", GM_ONLY),)


def _christened(ctx: Context, found: Animal) -> tuple[Animal, ...]:
    """The beasts of the world, if there is one, and a new one last: with the name it was given, or one of its own."""
    where = WORLD.brought(ctx)
    others = where.fauna if where is not None else ()
    return named_beasts((*others, replace(found, name=ctx[NAME])), _key(ctx) or _figures(found))


def _figures(found: Animal) -> str:
    """Where the name of a beast comes from that lives nowhere yet."""
    return f"{found.strength}/{found.body_row}/{found.endurance}"


OCEANS: Field[int | None] = Field("oceans_o", Whole(0, 10), "gm", optional=True, secrecy="gm", rule="EGW-041")
NAME = Field("name", TextField(80), "gm", usual="", secrecy="gm", rule="EGW-040", names=True)
DIET: Field[Diet | None] = Field("diet", OneOf(Diet), "gm", optional=True, secrecy="gm", rule="EGW-040")
WEAPON: Field[str | None] = Field("weapon", OneOf(tuple(LETTERS)), "gm", optional=True, secrecy="gm", rule="EGW-043")
GENERATE_ANIMAL = Move(
    "generate-animal",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=tuple(f"EGW-{n:03d}" for n in range(40, 47)),
    steps=(
        Ask("settle", (NAME, OCEANS, DIET, WEAPON, PICKED)),
        Generate("animal", _animal_call, outcome=_diet_key, shown=unseen, gist=animal_gist, changes=_change_animal,
                 tell=lambda ctx, found: tell_animal(ctx, _christened(ctx, found)[-1])),
    ),
)


class Fauna(NamedTuple):
    """The beasts made for a world."""

    beasts: tuple[Animal, ...] = ()


def make_fauna(
    dice: Dice, companions: bool, oceans_o: int, tech_level: int, key: str, rulings: Rulings
) -> Fauna:
    """Six species for a world of beasts, or the three that live beside a people."""
    return Fauna(species(dice, companions, oceans_o, tech_level, key, rulings))


def fauna_gist(
    dice: Dice, companions: bool, oceans_o: int, tech_level: int, key: str, rulings: Rulings
) -> Fauna:
    """There will be beasts."""
    return Fauna()


def _key(ctx: Context) -> str:
    """Where the names of beasts come from: the world's seed, or its figures."""
    found = WORLD.brought(ctx)
    return "" if found is None else found.seed or content_key(found)


def _named_fauna(ctx: Context, done: Fauna) -> tuple[Animal, ...]:
    if ctx[NAME]:
        return tuple(replace(beast, name=f"{ctx[NAME]} {at}") for at, beast in enumerate(done.beasts, start=1))
    return named_beasts(done.beasts, _key(ctx) or "/".join(str(beast.strength) for beast in done.beasts))


def _change_fauna(ctx: Context, done: Fauna) -> Sequence[Change]:
    actor, beasts = WORLD.actor(ctx), _named_fauna(ctx, done)
    if actor is not None:
        return changed(actor.id, actor.record, "fauna", beasts, "EGW-047", GM_ONLY)
    return [made(beast.name, beast, "animal", "EGW-047", GM_ONLY) for beast in beasts]


def _fauna_call(ctx: Context) -> Call[Fauna]:
    level = WORLD.figure(ctx, PEOPLE_LEVEL, lambda found: found.tech_level)
    home = WORLD.brought(ctx)
    return Call(by_gm(make_fauna), ctx[COMPANIONS], _oceans(ctx), level, home.seed if home is not None else "",
                ctx.rulings)


def _beside_a_people(ctx: Context) -> bool:
    found = WORLD.brought(ctx)
    return found is not None and found.people is not None


COMPANIONS = Field("companions", Flag(), "gm", usual=_beside_a_people, secrecy="gm", rule="EGW-031")
PEOPLE_LEVEL: Field[int | None] = Field("people_level", Whole(0, 6), "gm", optional=True, secrecy="gm", rule="EGW-031")
GENERATE_FAUNA = Move(
    "generate-fauna",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY, rules=("EGW-031", "EGW-047"),
    steps=(
        Ask("settle", (replace(NAME, rule="EGW-047"), OCEANS, COMPANIONS, PEOPLE_LEVEL)),
        Generate("fauna", _fauna_call, outcome=lambda done: "fauna", shown=unseen, gist=fauna_gist,
                 tell=lambda ctx, done: [line for beast in _named_fauna(ctx, done) for line in tell_animal(ctx, beast)],
                 changes=_change_fauna),
    ),
)


# A day on a planet


def _beasts(ctx: Context) -> tuple[Animal, ...]:
    found = WORLD.brought(ctx)
    if found is not None:
        return beasts_of(found, found.seed, ctx.rulings) if found.seed else found.fauna
    return tuple(Animal(diet_ta=diet_ta, natural_armour=2 * diet_ta) for diet_ta in ctx[SPECIES])


def _grown(ctx: Context, beasts: tuple[Animal, ...]) -> Sequence[Change]:
    actor = WORLD.actor(ctx)
    if actor is None:
        return ()
    return changed(actor.id, actor.record, "fauna", named_beasts(beasts, _key(ctx)), "EGW-049", GM_ONLY,
                   weight="bookkeeping")


def _day_call(ctx: Context) -> Call[Day]:
    return Call(by_gm(day), day_mod(ctx[CIRCUMSTANCES], ctx[MORE]), _beasts(ctx), _oceans(ctx), ctx.rulings)


def _tell_day(ctx: Context, done: Day) -> Sequence[Telling]:
    lines, beasts = [to_gm("told_meetings", n=done.n)], _known_here(ctx, done.beasts)
    return lines + [
        to_gm("told_meeting", diet=meeting.diet.value, behaviour=meeting.behaviour.value,
              species=_called(beasts, meeting.species))
        for meeting in done.meetings
    ]


def _known_here(ctx: Context, beasts: tuple[Animal, ...]) -> tuple[Animal, ...]:
    """The beasts of a world by their names, those too that nobody had met before."""
    return beasts if WORLD.brought(ctx) is None else named_beasts(beasts, _key(ctx))


def _called(beasts: Sequence[Animal], species: int) -> str:
    """A species by its name, or its number among those of the world."""
    return (beasts[species].name if species < len(beasts) else "") or str(species + 1)


SPECIES = Field("species", Many(Whole(1, 6)), "gm", usual=(4, 5, 6, 2, 3, 1), secrecy="gm", rule="EGW-049")
CIRCUMSTANCES = Field("circumstances", Many(OneOf(lambda ctx: TABLES["day_mods"].keys()), distinct=True), "gm",
                      usual=(), secrecy="gm", rule="EGW-048")
MORE = Field("more", Whole(-6, 6), "gm", usual=0, secrecy="gm", rule="EGW-048")
START_DAY = Move(
    "start-day",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-048", "EGW-049", "EGW-050", "EGW-052"),
    steps=(
        Ask("settle", (CIRCUMSTANCES, MORE, SPECIES, OCEANS)),
        Generate("day", _day_call, tell=_tell_day, shown=unseen, gist=day_gist,
                 outcome=lambda done: "meetings" if done.n else "no_meeting", success=lambda done: done.n == 0,
                 changes=lambda ctx, done: _grown(ctx, done.beasts)),
    ),
)


def _tell_met(ctx: Context, found: Met) -> Sequence[Telling]:
    meeting, beast = found.meeting, _met_as(ctx, found)
    seen = said("told_beast", EVERYONE, size=size_of(beast.body_row), appearance=beast.appearance)
    hidden = to_gm("told_meeting", diet=meeting.diet.value, behaviour=meeting.behaviour.value,
                   species=beast.name)
    radius = territory(beast.body_row)
    ground = () if radius is None else (to_gm("told_territory", n=figure(radius)),)
    return (hidden, *((seen,) if ctx[ANNOUNCE] else ()), *tell_animal(ctx, beast), *ground)


def _met_as(ctx: Context, found: Met) -> Animal:
    """The beast that was met, by the name it is given, or its own; a new species has one too."""
    beast, beasts, at = found.beast, _beasts(ctx), found.meeting.species
    named = named_beasts(beasts if at < len(beasts) else (*beasts, beast), _key(ctx) or _figures(beast))
    return replace(beast, name=ctx[NAME] or beast.name or named[min(at, len(beasts))].name)


def _change_met(ctx: Context, found: Met) -> Sequence[Change]:
    """A new species joins its world; the beast itself gets a sheet, to be provoked and fought."""
    if WORLD.brought(ctx) is None:
        return ()
    beasts, beast = _beasts(ctx), _met_as(ctx, found)
    grown = _grown(ctx, (*beasts, beast)) if found.meeting.species >= len(beasts) else ()
    met_now = replace(beast, behaviour=found.meeting.behaviour.value)
    return (*grown, made(met_now.name, met_now, "animal", "EGW-049", GM_ONLY))


def _behaviour_key(found: Met | Meeting) -> str:
    meeting = found.meeting if isinstance(found, Met) else found
    return meeting.behaviour.value


ANNOUNCE = Field("announce", Flag(), "gm", usual=False, secrecy="gm", rule="EGW-050")
ANEW = Field("anew", Flag(), "gm", usual=False, secrecy="gm", rule="EGW-063")
ANIMAL_ENCOUNTER = Move(
    "animal-encounter",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=lambda ctx: EVERYONE if ctx[ANNOUNCE] else GM_ONLY,
    rules=("EGW-049", "EGW-050", "EGW-051", "EGW-052"),
    steps=(
        Ask("settle", (NAME, SPECIES, OCEANS, ANNOUNCE, ANEW)),
        Generate("meet", lambda ctx: Call(by_gm(met), _beasts(ctx), _oceans(ctx), ctx.rulings, ctx[ANEW]),
                 tell=_tell_met, outcome=_behaviour_key, gist=met_gist, changes=_change_met, shown=unseen),
    ),
)


def react(dice: Dice, behaviour: Behaviour, what: Provocation, distance: int | None, row: int) -> Reaction:
    """What a beast does of what the group does."""
    provoked = is_provoked(what, distance, row)
    dice.note("EGW-051", "provoked" if provoked else "unprovoked")
    return reaction(behaviour, provoked)


def _behaviour(ctx: Context) -> Behaviour:
    """What the beast is about to do: as the game master says, or as was thrown when it was met."""
    beast = ANIMAL.brought(ctx)
    known = ctx[BEHAVIOUR] or (beast.behaviour if beast is not None else "")
    if not known:
        raise MissingField(field="behaviour", role="gm")
    return Behaviour(known)


def _react_call(ctx: Context) -> Call[Reaction]:
    row = ANIMAL.figure(ctx, BODY_ROW, lambda beast: beast.body_row)
    return Call(react, _behaviour(ctx), ctx[PROVOCATION], ctx[DISTANCE], row)


def seen_as(done: Reaction) -> str:
    """What the group sees of it: a flight is a flight, whatever is meant by it."""
    return Reaction.FLEES.value if done is Reaction.RETURNS else done.value


def _tell_reaction(ctx: Context, done: Reaction) -> Sequence[Telling]:
    lines = [said(f"told_{seen_as(done)}")]
    return [*lines, to_gm("told_returns")] if done is Reaction.RETURNS else lines


PROVOCATION = Field("provocation", OneOf(Provocation), usual=Provocation.NOISE, rule="EGW-051")
DISTANCE: Field[int | None] = Field("distance", Whole(0), optional=True, rule="EGW-051")
BEHAVIOUR: Field[Behaviour | None] = Field("behaviour", OneOf(Behaviour), "gm", optional=True, waits=True,
                                           probes=tuple(Behaviour), secrecy="gm", rule="EGW-050")
BODY_ROW: Field[int | None] = Field("body_row", Whole(2, 12), "gm", secrecy="gm", rule="EGW-045",
                                    usual=lambda ctx: None if ANIMAL.brought(ctx) else 7)
PROVOKE = Move(
    "provoke",
    group="worlds", cast=(INITIATOR, ANIMAL, GAME_MASTER), rules=("EGW-050", "EGW-051"),
    steps=(
        Ask("act", (PROVOCATION, DISTANCE)),
        Ask("settle", (BEHAVIOUR, BODY_ROW)),
        Resolve("react", _react_call, outcome=seen_as, tell=_tell_reaction,
                shown=lambda ctx, done: Shown(detail=GM_ONLY)),
    ),
)


# Persons


class Noted(NamedTuple):
    """An encounter written down."""

    person: Person


DEAD = RecordRole("character", "character", least=0, cls=Character)


def note_person(dice: Dice, person: Person) -> Noted:
    """A sheet for the game master's reserve."""
    return Noted(person)


def _person(ctx: Context) -> Person:
    role, tags = ctx[ROLE], ctx[TAGS]
    met_before, record = PERSON.brought(ctx), DEAD.brought(ctx)
    if met_before is not None:
        return recast(met_before, role)
    home = WORLD.brought(ctx)
    folk = home.people if home is not None else None
    if record is not None:
        person = from_character(record, role, tags)
    elif role is PersonRole.OBSTACLE:
        person = obstacle(ctx[NAME], ctx[TRADE], ctx[TECH_LEVEL], ctx[NATURE], ctx.rulings)
    else:
        person = Person(ctx[NAME], role, escape_planned=needs_a_way_out(role))
        person = one_of(folk, person, ctx.rulings) if folk is not None and folk.body_row else person
    person = replace(person, schedule=shared_out(ctx[HAUNTS]), tags=tags)
    return person if home is None else replace(person, sector=home.sector, square=home.square)


def _here(ctx: Context, of: Callable[[World], V], otherwise: V) -> V:
    """What the world where somebody lives says of it."""
    home = WORLD.brought(ctx)
    return of(home) if home is not None and home.people is not None else otherwise


def _tell_noted(ctx: Context, done: Noted) -> Sequence[Telling]:
    line = to_gm("told_noted", name=done.person.name, role=done.person.role.value)
    return (line, *((to_gm("told_way_out"),) if needs_a_way_out(done.person.role) else ()))


def _change_noted(ctx: Context, done: Noted) -> Sequence[Change]:
    person, actor = done.person, PERSON.actor(ctx)
    staged = [made(f"{person.name} (npc)".strip(), on_stage(person), "npc", "EGW-001", GM_ONLY)]
    sheet = staged if ctx[ON_STAGE] else []
    if actor is None:
        return [made(person.name or "person", person, "person", "EGW-001", GM_ONLY), *sheet]
    return sheet + [change for name in ("role", "escape_planned")
                    for change in changed(actor.id, actor.record, name, getattr(person, name), "EGW-003", GM_ONLY)]


ROLE = Field("role", OneOf(PersonRole), "gm", usual=PersonRole.SCENERY, secrecy="gm", rule="EGW-003")
TAGS = Field("tags", Many(TextField(40)), "gm", usual=(), secrecy="gm", rule="EGW-002")
TRADE = Field("trade", OneOf(("soldiers", "police", "civilians")), "gm", usual="police", secrecy="gm", rule="EGW-009")
TECH_LEVEL = Field("tech_level", Whole(1, 6), "gm", usual=lambda ctx: _here(ctx, lambda home: home.tech_level, 6),
                   secrecy="gm", rule="EGW-083")
NATURE = Field("nature", OneOf(("friendly", "neutral", "hostile")), "gm", secrecy="gm", rule="EGW-083",
               usual=lambda ctx: _here(ctx, lambda home: home.people.nature if home.people else "neutral", "neutral"))
HAUNTS = Field("haunts", Many(TextField(40)), "gm", usual=(), secrecy="gm", rule="EGW-004", place="refinement")
ON_STAGE = Field("on_stage", Flag(), "gm", usual=False, secrecy="gm", rule="EGW-001")
NOTE_ENCOUNTER = Move(
    "note-encounter",
    group="worlds", by="gm", cast=(DEAD, PERSON, WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-001", "EGW-002", "EGW-003", "EGW-004", "EGW-008", "EGW-009"),
    steps=(
        Ask("write", (replace(NAME, rule="EGW-001"), ROLE, HAUNTS, TAGS, TRADE, TECH_LEVEL, NATURE,
                      ON_STAGE)),
        Resolve("note", lambda ctx: Call(note_person, _person(ctx)), outcome=lambda done: done.person.role.value,
                shown=unseen, tell=_tell_noted, changes=_change_noted),
    ),
)


def _locate_call(ctx: Context) -> Call[Located]:
    person = PERSON.brought(ctx)
    slots = person.schedule if person is not None and person.schedule else official()
    return Call(by_gm(locate), slots, ctx[PLACE], ctx[MINUTE], ctx.rulings)


def _tell_located(ctx: Context, found: Located) -> Sequence[Telling]:
    if found.present:
        return (said("told_present"),)
    hint = ctx[HINT]
    return (said("told_absent"), *((said("told_hint", text=hint),) if hint else ()))


PLACE = Field("place", TextField(80, lambda ctx: ("home", "office", "restaurant")), rule="EGW-004")
MINUTE: Field[int | None] = Field("minute", Whole(0, 59), "gm", optional=True, secrecy="gm", rule="EGW-004")
HINT = Field("hint", TextField(300), "gm", usual="", secrecy="gm", rule="EGW-004")
LOCATE_PERSON = Move(
    "locate-person",
    group="worlds", cast=(INITIATOR, PERSON, GAME_MASTER), rules=("EGW-004",),
    steps=(
        Ask("go", (PLACE,)),
        Ask("settle", (MINUTE, HINT)),
        Resolve("locate", _locate_call, tell=_tell_located, blind=True,
                outcome=lambda found: "present" if found.present else "absent", success=lambda found: found.present,
                shown=lambda ctx, found: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (
    GENERATE_ANIMAL, GENERATE_FAUNA, START_DAY, ANIMAL_ENCOUNTER, PROVOKE, NOTE_ENCOUNTER, LOCATE_PERSON,
)
